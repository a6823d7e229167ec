from __future__ import annotations

from fractions import Fraction

from tests.prose.labelled import score, sentences


def test_the_table_is_large_and_says_each_sentence_once() -> None:
    texts = [text for text, _ in sentences()]
    assert len(texts) >= 300
    assert len(set(texts)) == len(texts)


def test_the_finder_agrees_with_the_labels() -> None:
    result = score()
    assert result.precision >= Fraction(99, 100), result.wrong
    assert result.recall >= Fraction(99, 100), result.wrong
