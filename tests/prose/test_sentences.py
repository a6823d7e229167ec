from __future__ import annotations

from tests.prose.labelled import score, sentences


def test_the_table_is_large_and_says_each_sentence_once() -> None:
    texts = [text for text, _ in sentences()]
    assert len(texts) >= 300
    assert len(set(texts)) == len(texts)


def test_the_finder_agrees_with_every_label() -> None:
    # What is promised is 99 of 100; a loss of one is still to be looked at before the table is changed.
    assert score().wrong == ()
