"""A large corpus: cards first, records when they are judged, and never all of them at once."""
from __future__ import annotations

import pickle
from pathlib import Path

import pytest

from specdil_records.checking import Options, check
from specdil_records.checking.selftest import sample_corpus
from specdil_records.checking.surveying import new_cards, survey
from specdil_records.cli import check_run
from specdil_records.cli.main import run
from specdil_records.corpus import cards
from specdil_records.corpus.files import Contents, SourceFile, contents, contents_of, files_on_disk
from specdil_records.corpus.loading import corpus_of
from specdil_records.corpus.settings import find_settings
from specdil_records.reading import Document, UnreadableFile, read_document
from specdil_records.report import json_report
from specdil_records.rules import RULES, Sample
from specdil_records.rules.samples import files_of
from tests.checking.test_elsewhere import faulty_files, written


@pytest.fixture
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every corpus is a large one."""
    monkeypatch.setattr("specdil_records.checking.surveying.WORTH_IT", 0)
    monkeypatch.setattr("specdil_records.corpus.files.MOST_HELD", 0)


@pytest.mark.parametrize("jobs", [1, 2])
@pytest.mark.usefixtures("few")
def test_cards_first_gives_the_report_of_reading_all(tmp_path: Path, capsys: pytest.CaptureFixture[str],
                                                     monkeypatch: pytest.MonkeyPatch, jobs: int) -> None:
    plain = json_report.write(check(written(faulty_files(120), tmp_path), Options(jobs=1)))
    assert plain.count('"name"') > 15
    monkeypatch.chdir(tmp_path)
    run(["check", "--no-cache", "--format", "json", "-j", str(jobs)])
    assert capsys.readouterr().out == plain + "\n"


@pytest.mark.usefixtures("few")
def test_a_survey_has_a_card_of_every_record_without_a_problem(tmp_path: Path) -> None:
    corpus = written(faulty_files(120), tmp_path)
    settings = find_settings(tmp_path)
    files = contents_of(settings, files_on_disk(settings), again=True)
    found: dict[str, str] = {}
    batches = list(survey(files, {}, 2))
    for _, texts in batches:
        found.update(texts)
    assert batches[-1][0] == len(files)
    assert found == new_cards(corpus)
    assert set(found) == {one.content for one in corpus.records if one.sound and not one.problems}
    assert 0 < len(found) < len(files)
    assert not list(survey(files[:1], {content: cards.read(text) for content, text in found.items()}, 1))


@pytest.mark.usefixtures("few")
@pytest.mark.parametrize("change", ["schema_version: 9\n", None])
@pytest.mark.parametrize("problem", ["", "\ufeff"])
def test_a_file_that_changes_on_the_way_ends_the_check(tmp_path: Path, capsys: pytest.CaptureFixture[str], problem: str,
                                                       monkeypatch: pytest.MonkeyPatch, change: str | None) -> None:
    written(faulty_files(30), tmp_path)
    file = tmp_path / "records/flops/copy-1200.yaml"
    file.write_text(problem + file.read_text(), encoding="utf-8")
    real = check_run.cards_of

    def meanwhile(*arguments):  # type: ignore[no-untyped-def]
        found = real(*arguments)
        file.write_text(change) if change is not None else file.unlink()
        return found

    monkeypatch.setattr(check_run, "cards_of", meanwhile)
    monkeypatch.chdir(tmp_path)
    assert run(["check", "--no-cache", "-j", "2"]) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert "copy-1200.yaml" in said.err
    assert ("it changed while it was checked" in said.err) is (change is not None)


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.name)
def test_a_record_behind_its_card_is_judged_like_one_that_was_read(rule: object, tmp_path: Path) -> None:
    for sample in (rule.bad, rule.good):  # type: ignore[attr-defined]
        read = sample_corpus(sample)
        if read.before is not None:
            continue
        texts = new_cards(read)
        known = {key: cards.read(text) for key, text in texts.items()}
        behind = corpus_of(read.settings, sample_contents(sample), known)
        assert sum(one.kept is not None for one in behind.records) == len(texts)
        assert [one.card for one in behind.records] == [one.card for one in read.records]
        assert json_report.write(check(behind)) == json_report.write(check(read))


def sample_contents(sample: Sample) -> list[Contents]:
    return [contents(SourceFile(path, path.removeprefix("records/"),
                                lambda text=text: text.encode("utf-8", "surrogatepass")))  # type: ignore[misc]
            for path, text in sorted(files_of(sample).items()) if path != "pyproject.toml"]


def test_a_document_is_read_when_it_is_asked_for_and_again_when_it_was_forgotten() -> None:
    reads: list[int] = []

    def read() -> bytes:
        reads.append(1)
        return b"a: 1\n"

    document = Document.later(read, "a.yaml")
    document.forget()
    assert (document.name, len(reads)) == ("a.yaml", 0)
    assert (document.data, document.problems, document.text, len(reads)) == ({"a": 1}, (), "a: 1\n", 1)
    document.forget()
    assert (document.data, len(reads)) == ({"a": 1}, 2)
    sent = pickle.loads(pickle.dumps(Document.later(read, "b.yaml")))
    assert (sent.data, sent.name, len(reads)) == ({"a": 1}, "b.yaml", 3)
    sent.forget()
    assert sent.data == {"a": 1}, "what cannot be read again is not forgotten"
    with pytest.raises(AttributeError):
        _ = document.nonsense  # type: ignore[attr-defined]
    plain = read_document(b"a: 1\n", "c.yaml")
    plain.forget()
    assert plain.data == {"a": 1}


def test_bytes_that_are_held_stay(tmp_path: Path) -> None:
    written(faulty_files(1), tmp_path)
    settings = find_settings(tmp_path)
    held = contents_of(settings, files_on_disk(settings))
    for one in held:
        (tmp_path / one.path).write_text("changed: true\n")
        assert b"schema_version" in one.read()


@pytest.mark.usefixtures("few")
def test_what_is_not_held_has_to_be_the_same(tmp_path: Path) -> None:
    written(faulty_files(1), tmp_path)
    settings = find_settings(tmp_path)
    for one in contents_of(settings, files_on_disk(settings), again=True):
        assert b"schema_version" in one.read()
        (tmp_path / one.path).write_text("changed: true\n")
        with pytest.raises(UnreadableFile, match="changed while"):
            one.read()
