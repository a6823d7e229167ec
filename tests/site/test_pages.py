"""What the pages hold: the words of the verdicts, links that lead somewhere, names that are there once."""
from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

from specdil_records.claims import Evaluation, evaluate
from specdil_records.claims.derivations import claim_lines
from specdil_records.corpus import Corpus, load_corpus
from specdil_records.findings import Status
from specdil_records.rules.samples import BASE
from specdil_records.shipped import shipped_folder
from specdil_records.site.addresses import page_of
from specdil_records.site.building import build as build_site
from specdil_records.site.prose import contests_of, marks_of
from tests.site.conftest import Page

pytest.importorskip("jinja2", reason="NOT RUN: the extra `site` is not installed")
pytest.importorskip("matplotlib", reason="NOT RUN: the extra `site` is not installed")
Build = Callable[..., Path]
SEED = "flops/sd-batch-dilution-problem"


@pytest.fixture(scope="module")
def corpus() -> Corpus:
    return load_corpus(shipped_folder("records"))


@pytest.fixture(scope="module")
def pages(shipped: Path) -> dict[str, Page]:
    return {path.relative_to(shipped).as_posix(): Page(path.read_text(encoding="utf-8"))
            for path in sorted(shipped.rglob("*.html"))}


@pytest.fixture(scope="module")
def evaluations(corpus: Corpus) -> list[Evaluation]:
    return [evaluate(record, corpus) for record in corpus.of_kind("flop")]


def test_derivations_have_the_words_of_the_command(evaluations: list[Evaluation], pages: dict[str, Page]) -> None:
    for evaluation in evaluations:
        text = " ".join(pages[f"{evaluation.record.id}.html"].text.split())
        for claim in evaluation.claims:
            told = [" ".join(line.split()) for line in claim_lines(claim, claim.figures)]
            assert told[0] in text
            assert told[1] in text


def test_every_number_is_marked_and_explained(corpus: Corpus, pages: dict[str, Page]) -> None:
    evaluation = evaluate(corpus.by_id[SEED], corpus)
    page = pages[f"{SEED}.html"]
    for status in Status:
        wanted = [entry.written for entry in evaluation.ledger if entry.status == status]
        prose = [text for text in page.by_class.get(str(status), []) if text in wanted]
        assert Counter(wanted) - Counter(prose) == Counter(), status
    tips = {f"t{mark.id[1:]}" for field in marks_of(evaluation).values() for mark in field if mark.is_explained}
    assert tips <= set(page.names)
    assert "computed  12.5% = additive.gain(batch, draft_k)" in page.text


def test_prose_stands_in_one_piece(evaluations: list[Evaluation], pages: dict[str, Page]) -> None:
    for evaluation in evaluations:
        contested = {one.pointer for one in contests_of(evaluation)}
        page = pages[page_of(evaluation.record)]
        for pointer, field in evaluation.fields.items():
            if pointer not in contested:
                assert field.text in page.text
            else:
                assert all(sentence.strip() in page.text for sentence in field.text.split(". ")[:1])


def test_each_dispute_stands_beside_its_sentence(corpus: Corpus, pages: dict[str, Page]) -> None:
    evaluation = evaluate(corpus.by_id[SEED], corpus)
    contests = contests_of(evaluation)
    page = pages[f"{SEED}.html"]
    assert len(contests) == len(corpus.by_id[SEED].data["disputes"])
    assert {f"dispute-{one.number}" for one in contests} == {name for name in page.names
                                                            if name.startswith("dispute-")}
    for one in contests:
        assert one.pointer is not None and one.end > one.start
        note = next(text for text in page.by_class["note"] if text.startswith(f"{one.number} "))
        assert " ".join(str(one.dispute.data["because"]).split()) in note
    text = page.text
    sentence = text.index("(3.1%)")
    assert sentence < text.index("The gain is k at every batch", sentence) < text.index("This is why speculative")


def test_links_lead_somewhere(shipped: Path, pages: dict[str, Page]) -> None:
    checked = 0
    for name, page in pages.items():
        for value in page.values("href", "src", "action"):
            parts = urlsplit(value)
            if parts.scheme:
                assert parts.scheme in ("http", "https", "mailto"), value
                continue
            target = (shipped / name).parent.joinpath(unquote(parts.path)).resolve() if parts.path else shipped / name
            assert target.is_file() and target.is_relative_to(shipped.resolve()), (name, value)
            if parts.fragment and target.suffix == ".html":
                there = pages[target.relative_to(shipped.resolve()).as_posix() if parts.path else name]
                assert unquote(parts.fragment) in there.names, (name, value)
            checked += 1
    assert checked > 3000


def test_names_are_there_once_and_described_elements_exist(pages: dict[str, Page]) -> None:
    for name, page in pages.items():
        assert [one for one, times in Counter(page.names).items() if times > 1] == [], name
        for value in page.values("aria-labelledby", "aria-describedby", "for"):
            assert set(value.split()) <= set(page.names), (name, value)


def test_nothing_is_fetched_from_elsewhere(shipped: Path, pages: dict[str, Page]) -> None:
    for page in pages.values():
        assert not any("//" in value for _, name, value in page.attributes if name in ("src", "action"))
        assert not any("//" in value for tag, name, value in page.attributes if tag == "link" and name == "href")
    for script in (shipped / "assets").glob("*.*s"):
        text = script.read_text(encoding="utf-8")
        assert "fetch(" not in text and "XMLHttpRequest" not in text and "@import" not in text


def test_a_record_is_a_small_page(shipped: Path) -> None:
    sizes = {path: path.stat().st_size for path in (shipped / "flops").glob("*.html")}
    assert len(sizes) == 18 and max(sizes.values()) < 150_000


def test_accelerators_tell_who_depends_on_them(pages: dict[str, Page]) -> None:
    page = pages["accelerators/nvidia-h100-sxm.html"]
    assert "3.35 TB/s" in page.text and "3.072 TB/s" in page.text and "Conflicts" in page.text
    assert "../flops/sd-batch-dilution-problem.html#claim-headroom" in page.values("href")
    source = pages["sources/eagle-3.html"]
    assert "../flops/sd-batch-dilution-problem.html#claim-eagle3-batch-64" in source.values("href")
    assert "Llama-3.1-8B" in pages["models/llama-3.1-8b.html"].text


def test_the_weakest_record_comes_first(pages: dict[str, Page]) -> None:
    rows = [value for value in pages["health.html"].values("href") if value.startswith("flops/")]
    assert rows[0] == f"{SEED}.html" and len(rows) == 18
    assert pages["disputes.html"].text.count("stands") >= 41


def test_older_versions_and_unreadable_records(build: Build) -> None:
    old = {}
    for version in ("1.0", "2.0"):
        example = min((shipped_folder("examples") / "good" / version / "flop").glob("*.yaml"))
        text = example.read_text(encoding="utf-8").replace("id: flops/draft-stall", f"id: flops/old-{version[0]}")
        old[f"records/flops/old-{version[0]}.yaml"] = text
    stray = BASE["flop"].replace("id: flops/example-stall", "id: flops/../../escape")
    root = build(files={**old, "records/flops/broken.yaml": "a: [", "records/flops/stray.yaml": stray})
    built = build_site(load_corpus(root), root / "site", 1)
    assert built.records == 7
    assert (root / "site/flops/old-1.html").is_file() and (root / "site/flops/old-2.html").is_file()
    assert "records/flops/broken.yaml" in (root / "site/health.html").read_text(encoding="utf-8")
    assert len(list((root / "site/records").iterdir())) == 1, "an id that is no path has a page named after its hash"
    assert list(tmp_names(root)) == []


def tmp_names(root: Path) -> list[Path]:
    """Files named after the id that leads out of the site, anywhere around it."""
    return [*root.parent.glob("escape*"), *root.glob("**/escape*")]


def test_drifted_numbers_are_shown_as_such(build: Build) -> None:
    root = build(("flop", "16 to 20, a gain of 25%.", "16 to 21, a gain of 25%."))
    build_site(load_corpus(root), root / "site", 1)
    page = Page((root / "site/flops/example-stall.html").read_text(encoding="utf-8"))
    assert "21" in page.by_class["drifts"]
    assert "verdict   drifts: the intervals do not meet" in page.text
