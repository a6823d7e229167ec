"""Digits that are no figures: dates, versions, identifiers, enumerators, locators, keycaps and code.

Every function gives stretches of digits with a reason, and goes through the text once. Digits in names (H100, FP8)
are recognised where tokens are read, in `numbers`.
"""
from __future__ import annotations

import datetime
import re
from collections.abc import Iterator

from specdil_records.figures import match_unit

Exemption = tuple[int, int, str]
"""Start, end and reason."""

RUN = re.compile(r"\d+(?:\.\d+)*")

_STEMS = ("sec", "chap", "ch.", "fig", "tab", "tbl", "app", "eq", "thm", "theorem", "cor.", "cors", "coroll", "lem",
          "prop", "def", "alg", "list", "\u00a7")
"""A part of every word in `_LOCATING`."""

_HYPHEN = "[-\u2010\u2011]"
_DATE = re.compile(rf"(?<![\w.])(?<!\d{_HYPHEN})(?P<year>[0-9]{{4}}){_HYPHEN}(?P<month>[0-9]{{2}})"
                   rf"{_HYPHEN}(?P<day>[0-9]{{2}})"
                   r"(?:T[0-9]{2}:[0-9]{2}(?::[0-9]{2}(?:\.[0-9]+)?)?(?:[+-][0-9]{2}:?[0-9]{2})?)?"
                   rf"(?!\d|[.,]\d|{_HYPHEN}\d)")
_MONTH = re.compile(rf"(?<![\w.,])(?<!\d{_HYPHEN})(?:19|20)[0-9]{{2}}{_HYPHEN}(?:0[1-9]|1[0-2])"
                    rf"(?![\w%]|[.,]\d|{_HYPHEN}\d)")
_SHORT_YEARS = re.compile(r"(?<![\w.,])(?<!\d[-\u2010-\u2013])(?:19|20)(?P<first>[0-9]{2})[-\u2010-\u2013]"
                          r"(?P<last>[0-9]{2})(?![\w%]|[.,]\d|[-\u2010-\u2013/]\d)")
_YEARS = re.compile(r"(?<![\w.,])(?<!\d[-\u2010-\u2013])(?P<first>(?:19|20)[0-9]{2})"
                    r"(?:[ \u00a0]?[\u2010-\u2013][ \u00a0]?|-| - )"
                    r"(?P<last>(?:19|20)[0-9]{2})(?![\w%]|[.,]\d|[-\u2010-\u2013]\d)")
_COUNTABLE = ("tok(?:en)?|sequence|request|prompt|slot|user|layer|head|expert|sample|step|param|GPU|chip|batch|word|"
              "dimension|iteration|example|candidate")
_COUNTED = re.compile(rf"[ \u00a0-](?:{_COUNTABLE}|row|column)")
_SEVERAL = re.compile(rf"[ \u00a0-](?:{_COUNTABLE})\w*s\b")
_VERSION = re.compile(r"(?<![\w.,])[0-9]+(?:\.[0-9]+){2,}(?:[-+.]?(?:rc|alpha|beta|dev|post|pre|a|b)[-.]?[0-9]*)*")
_POINT_GROUPS = re.compile(r"[1-9][0-9]{0,2}(?:\.[0-9]{3}){2,}")
_ARXIV = re.compile(r"(?<![\w.,])(?<![+\-\u2212])[0-9]{2}(?:0[1-9]|1[0-2])\.[0-9]{4,5}(?:v[0-9]+)?(?!\w|[.,]\d)")
_ARXIV_WORD = re.compile(r"(?i:arxiv)(?:\.org/\w+/|[\s:#]|(?i:preprint|paper|id)|[0-9.v, ])*$")
_KEYCAP = re.compile("[0-9](?=\ufe0f?\u20e3)")
_TICKS = re.compile("`+")
_PARAGRAPH = re.compile(r"\n[ \t\r]*\n")

_LOCATING = (r"(?:[Ss]ections?|[Ss]ect?s?\.|Sect?s?|[Cc]hapters?|Chaps?\.?|Ch\.|[Ff]igures?|[Ff]igs?\.|Figs?|"
             r"[Tt]ables?|[Tt]abs?\.|Tabs?|Tbls?\.?|[Aa]ppendix|[Aa]ppendices|[Aa]pps?\.|Apps?|[Ee]quations?|[Ee]qn?s?\.|Eqn?s?|"
             r"[Tt]heorems?|[Tt]hms?\.|Thms?|[Cc]orollar(?:y|ies)|Cors?\.|[Ll]emmas?|[Pp]ropositions?|Props?\.|"
             r"[Dd]efinitions?|Defs?\.|[Aa]lgorithms?|Algs?\.?|[Ll]istings?|SECTION|FIGURE|TABLE|APPENDIX)")
_AFTER = r"(?!\w|[.,]\d|[ \u00a0\u202f]?[%\u00d7])"
_ONE = rf"[A-Z]?[0-9]{{1,4}}(?:\.[0-9]{{1,4}}|\.[A-Z](?!\w)|\.(?:[ivx]+)(?!\w))*[a-h]?{_AFTER}"
_LOCATOR = re.compile(rf"(?:(?<!\w){_LOCATING}(?:[ \u00a0\u202f]{{1,3}}|\r?\n[ \t]*|-)|\u00a7\u00a7?[ \u00a0\u202f]?)"
                      rf"(?P<list>[(]?{_ONE}[)]?"
                      rf"(?:(?:[/&]|[-\u2010-\u2013]|[ ][-\u2013&][ ]|, | and |, and | to | or )[(]?{_ONE}[)]?)*)")
_FIRST_ONLY = re.compile(rf"[(]?{_ONE}[)]?(?:[/\u2010-\u2013-]{_ONE})*")
_ENUMERATOR = re.compile(r"\((?P<number>[0-9]{1,3})\)(?=\s|$)")
_CLAUSE = re.compile(r"(?:[.!?:;,\u2026][)\]\"'\u2019\u201d*_]{0,3}\s+|[\n\r]\s*|(?:^|\s)[-\u2013\u2014*\u2022]\s+"
                     r"|\u2014|(?<!\w)(?:and|or|but|then|both|either|because|that|if|while|yet|so|nor)\s+)[*_\"'\u2018\u201c]{0,2}$")


def exemptions(text: str, runs: list[tuple[int, int]]) -> list[Exemption]:
    """All exempt stretches of digits in order, without overlaps; of two that overlap the one that starts first.

    `runs` are the stretches of ASCII digits of the text.
    """
    if not runs:
        return []
    found: list[Exemption] = []
    for finder in (dates, versions, identifiers):
        found += finder(text, runs)
    if "`" in text:
        found += code(text)
    if "\u20e3" in text:
        found += keycaps(text)
    if any(_is_located(text, start) for start, _ in runs):
        found += locators(text)
    if "(" in text:
        found += enumerators(text)
    kept: list[Exemption] = []
    for one in sorted(found, key=lambda one: (one[0], -one[1])):
        if not kept or one[0] >= kept[-1][1]:
            kept.append(one)
    return kept


def digit_runs(text: str) -> list[tuple[int, int]]:
    """Start and end of every run of ASCII digits, in order."""
    # Ten searches of memory take a small part of the time of one pass of a regular expression.
    places: list[int] = []
    for digit in "0123456789":
        at = text.find(digit)
        while at >= 0:
            places.append(at)
            at = text.find(digit, at + 1)
    places.sort()
    runs: list[tuple[int, int]] = []
    start = end = -1
    for place in places:
        if place != end:
            if end > 0:
                runs.append((start, end))
            start = place
        end = place + 1
    if end > 0:
        runs.append((start, end))
    return runs


def _matches(pattern: re.Pattern[str], text: str, starts: list[int]) -> Iterator[re.Match[str]]:
    """The matches of a pattern that can only begin where a run of digits does, one behind another."""
    end = 0
    for start in starts:
        if start >= end and (found := pattern.match(text, start)) is not None:
            end = found.end()
            yield found


def code(text: str) -> Iterator[Exemption]:
    """Digits between backticks: runs of the same length, within a paragraph."""
    ticks = [(mark.start(), mark.end()) for mark in _TICKS.finditer(text)]
    if len(ticks) < 2:
        return
    breaks = [mark.start() for mark in _PARAGRAPH.finditer(text)]
    following = _next_of_same_length(ticks)
    index = passed = 0
    while index < len(ticks):
        close = following[index]
        if close is None:
            index += 1
            continue
        start, end = ticks[index][1], ticks[close][0]
        while passed < len(breaks) and breaks[passed] < start:
            passed += 1
        fence = ticks[index][1] - ticks[index][0] >= 3
        if not fence and passed < len(breaks) and breaks[passed] < end:
            index += 1
            continue
        for run in RUN.finditer(text, start, end):
            yield run.start(), run.end(), "code"
        index = close + 1


def _next_of_same_length(ticks: list[tuple[int, int]]) -> list[int | None]:
    following: list[int | None] = [None] * len(ticks)
    last: dict[int, int] = {}
    for index in range(len(ticks) - 1, -1, -1):
        length = ticks[index][1] - ticks[index][0]
        following[index] = last.get(length)
        last[length] = index
    return following


def _is_day(found: re.Match[str]) -> bool:
    try:
        datetime.date(int(found["year"]), int(found["month"]), int(found["day"]))
    except ValueError:
        return False
    return True


def dates(text: str, runs: list[tuple[int, int]]) -> Iterator[Exemption]:
    """ISO dates and months, and spans of years; a span with a unit or a counted noun behind it is a range."""
    starts = [start for start, end in runs if end - start == 4]
    for found in _matches(_DATE, text, starts):
        if _is_day(found):
            yield found.start(), found.end(), "date"
    for found in _matches(_MONTH, text, starts):
        if not _measured(text, found.end()):
            yield found.start(), found.end(), "date"
    for found in _matches(_YEARS, text, starts):
        if found["first"] < found["last"] and not _measured(text, found.end()):
            yield found.start(), found.end(), "date"
    for found in _matches(_SHORT_YEARS, text, starts):  # 2024-25: no range, as it would not ascend
        if int(found["first"]) + 1 == int(found["last"]) and not _measured(text, found.end()):
            yield found.start(), found.end(), "date"


def _measured(text: str, end: int) -> bool:
    behind = match_unit(text, end)
    return behind.unit is not None or behind.problem is not None or bool(_COUNTED.match(text, end))


def _is_amount(text: str, end: int) -> bool:
    """Whether digits behind a small word that locates are an amount: 40 ms, 32 sequences; not 3 b, 5 row 2."""
    unit = match_unit(text, end).unit
    return (unit is not None and len(unit.text) > 1) or bool(_SEVERAL.match(text, end))


def versions(text: str, runs: list[tuple[int, int]]) -> Iterator[Exemption]:
    """Versions x.y.z; groups of three set apart by points are no version but a number that cannot be read."""
    for found in _matches(_VERSION, text, [start for start, end in runs if text[end:end + 1] == "."]):
        if not _POINT_GROUPS.fullmatch(found[0]):
            yield found.start(), found.end(), "version"


def identifiers(text: str, runs: list[tuple[int, int]]) -> Iterator[Exemption]:
    """arXiv identifiers: five digits behind the point since 2015, four before that (then only after the word)."""
    starts = [start for start, end in runs if end - start == 4 and text[end:end + 1] == "."]
    for found in _matches(_ARXIV, text, starts):
        digits = found[0].partition("v")[0].partition(".")[2]
        named = bool(_ARXIV_WORD.search(text[max(0, found.start() - 60):found.start()]))
        recent = len(digits) == 5 and "15" <= found[0][:2] <= "35"
        if named or (recent and match_unit(text, found.end()).unit is None):
            yield found.start(), found.end(), "identifier"


def keycaps(text: str) -> Iterator[Exemption]:
    """The digit of a keycap."""
    for found in _KEYCAP.finditer(text):
        yield found.start(), found.end(), "keycap"


def _is_located(text: str, at: int) -> bool:
    """A cheap first look: whether what stands before a number may be a word that locates, or is too far off to tell."""
    before = text[max(0, at - 60):at].rstrip("ABCDEFGHIJKLMNOPQRSTUVWXYZ").rstrip("( \t\r\n\u00a0\u202f-")[-14:].lower()
    return not before or any(stem in before for stem in _STEMS)


def locators(text: str) -> Iterator[Exemption]:
    """Numbers of sections, figures, tables and their like, behind their word."""
    for found in _LOCATOR.finditer(text):
        start, end = found.span("list")
        word = text[found.start():start].rstrip(" \u00a0\u202f\r\n\t.(-")
        first = _FIRST_ONLY.match(text, start)
        joined = first.end() if first else end
        for run in RUN.finditer(text, start, end):
            # Behind a singular only what is joined without a blank belongs to it: Table 3 and 7 users.
            if run.start() >= joined and (not word.endswith(("s", "\u00a7\u00a7")) or _measured(text, run.end())):
                break
            if word.islower() and _is_amount(text, run.end()):
                break  # in that table 40 ms is the worst
            yield run.start(), run.end(), "locator"


def enumerators(text: str) -> Iterator[Exemption]:
    """`(1)`, `(2)` ... in sequence from (1), each where a line, a sentence or a clause begins."""
    expected = 1
    for found in _ENUMERATOR.finditer(text):
        number = int(found["number"])
        if number not in (1, expected) or not _clause_begins(text, found.start()):
            continue
        expected = number + 1
        yield found.start("number"), found.end("number"), "enumerator"


def _clause_begins(text: str, at: int) -> bool:
    low = max(0, at - 40)
    window = text[low:at]
    return (low == 0 and not window.strip(" \t\r\n*_\"'\u2018\u201c")) or bool(_CLAUSE.search(window))
