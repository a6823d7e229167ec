"""The pages in a real browser, opened as files: what is seen when a number is pointed at, chosen, searched, printed.

Needs Chromium and the Python packages playwright and axe-playwright-python; where they are missing every test here is
skipped and says so.
"""
from __future__ import annotations

import itertools
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("jinja2", reason="NOT RUN: the extra `site` is not installed")
pytest.importorskip("matplotlib", reason="NOT RUN: the extra `site` is not installed")
sync_api = pytest.importorskip("playwright.sync_api", reason="NOT RUN: playwright is not installed")
axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="NOT RUN: axe-playwright-python is missing")
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
pytestmark = [pytest.mark.skipif(CHROMIUM is None, reason="NOT RUN: there is no Chromium on this machine"),
              pytest.mark.xdist_group("browser")]

FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update",
         "--disable-sync", "--no-first-run"]
SEED = "flops/sd-batch-dilution-problem.html"
KINDS = ("index.html", SEED, "accelerators/nvidia-l40s.html", "models/deepseek-v3.html", "sources/magicdec-blog.html",
         "disputes.html", "health.html", "graph.html", "chooser.html", "search.html?q=cache")


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with sync_api.sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield chromium
        chromium.close()


class Reader:
    """Opens pages of a site, and fails on everything that a page complains of or fetches from elsewhere."""

    def __init__(self, browser: Any, site: Path) -> None:
        self.browser, self.site, self.pages, self.faults = browser, site, [], []

    def open(self, page: str, **options: Any) -> Any:
        found = self.browser.new_page(**options)
        found.set_default_timeout(10_000)
        found.on("pageerror", lambda error: self.faults.append(str(error)))
        found.on("console", lambda message: self.faults.append(message.text) if message.type == "error" else None)
        found.on("request", lambda request: None if request.url.startswith("file://") else
                 self.faults.append(f"fetched {request.url}"))
        found.goto(self.site.resolve().as_uri() + "/" + page)
        self.pages.append(found)
        return found


@pytest.fixture
def reader(browser: Any, shipped: Path) -> Iterator[Reader]:
    found = Reader(browser, shipped)
    yield found
    for page in found.pages:
        page.close()
    assert found.faults == []


def number(page: Any, text: str) -> Any:
    return page.locator("a.num", has_text=text).first


def tip_of(page: Any, link: Any) -> Any:
    return page.locator(link.get_attribute("href"))


@pytest.mark.parametrize("scripts", [True, False])
def test_pointing_at_a_number_shows_how_it_was_judged(reader: Reader, scripts: bool) -> None:
    page = reader.open(SEED, java_script_enabled=scripts)
    link = number(page, "12.5%")
    tip = tip_of(page, link)
    assert not tip.is_visible()
    link.hover()
    tip.wait_for(state="visible")
    assert "computed  12.5% = additive.gain(batch, draft_k)" in tip.inner_text()
    where, box, seen = link.bounding_box(), tip.bounding_box(), page.viewport_size
    assert box["x"] >= 0 and box["x"] + box["width"] <= seen["width"] and box["y"] >= 0
    beside = min(abs(box["y"] - where["y"] - where["height"]), abs(where["y"] - box["y"] - box["height"]))
    assert beside < 4, "so close that the pointer can move into it"
    page.mouse.move(1, 1)
    tip.wait_for(state="hidden")


def test_the_keyboard_reaches_a_number_and_leaves_it(reader: Reader) -> None:
    page = reader.open(SEED)
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.className") == "skip"
    link = number(page, "12.5%")
    link.focus()
    tip = tip_of(page, link)
    tip.wait_for(state="visible")
    page.keyboard.press("Escape")
    tip.wait_for(state="hidden")


def test_a_tap_shows_the_derivation_on_a_telephone(reader: Reader) -> None:
    page = reader.open(SEED, viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    link = number(page, "12.5%")
    link.scroll_into_view_if_needed()
    link.tap()
    tip = tip_of(page, link)
    tip.wait_for(state="visible")
    box = tip.bounding_box()
    assert box["x"] >= 0 and box["x"] + box["width"] <= 391 and box["y"] + box["height"] <= 845
    assert page.url.endswith(SEED)


def test_without_scripts_a_number_leads_to_its_derivation(reader: Reader) -> None:
    page = reader.open(SEED, java_script_enabled=False)
    number(page, "12.5%").click()
    page.mouse.move(1, 1)
    tip = page.locator(".tip:target")
    assert tip.is_visible()
    tip.locator(".back").click()
    assert page.locator(".tip:target").count() == 0


@pytest.mark.parametrize("name", [SEED, "accelerators/nvidia-h100-sxm.html", "graph.html", "chooser.html",
                                  "health.html", "sources/eagle-3.html"])
def test_no_page_is_wider_than_the_screen(reader: Reader, name: str) -> None:
    page = reader.open(name)
    for width in (320, 390, 800, 1280, 1900):
        page.set_viewport_size({"width": width, "height": 800})
        assert page.evaluate("document.documentElement.scrollWidth") <= width, width


def test_a_dispute_stands_beside_its_sentence_or_below_it(reader: Reader) -> None:
    wide = reader.open(SEED, viewport={"width": 1280, "height": 900})
    note, prose = wide.locator("#dispute-1").bounding_box(), wide.locator("#n1").bounding_box()
    column = wide.locator(".prose p").first.bounding_box()
    assert note["x"] > column["x"] + 600 and abs(note["y"] - prose["y"]) < 80
    narrow = reader.open(SEED, viewport={"width": 390, "height": 844})
    assert narrow.locator("#dispute-1").bounding_box()["x"] < 40


def test_notes_do_not_cover_each_other(reader: Reader) -> None:
    page = reader.open(SEED, viewport={"width": 1280, "height": 900})
    boxes = [note.bounding_box() for note in page.locator(".note").all()]
    boxes.sort(key=lambda box: box["y"])
    assert len(boxes) == 23
    assert all(a["y"] + a["height"] <= b["y"] + 1 for a, b in itertools.pairwise(boxes))
    for table in page.locator("table").all():
        box = table.bounding_box()
        assert all(note["x"] >= box["x"] + box["width"] or note["y"] >= box["y"] + box["height"]
                   or note["y"] + note["height"] <= box["y"] for note in boxes)


def test_a_dispute_can_be_followed(reader: Reader) -> None:
    page = reader.open("disputes.html")
    page.locator(f'a[href="{SEED}#dispute-6"]').click()
    page.wait_for_url("**/" + SEED + "#dispute-6")
    assert page.locator("#dispute-6").is_visible()
    page.locator("#dispute-6 a", has_text="leviathan-2023").click()
    page.wait_for_url("**/sources/leviathan-2023.html")


def test_a_claim_that_is_linked_to_is_open(reader: Reader) -> None:
    page = reader.open("accelerators/nvidia-h100-sxm.html")
    page.locator('a[href$="#claim-headroom"]').click()
    page.wait_for_url("**#claim-headroom")
    assert page.locator("#claim-headroom pre").is_visible()


def test_the_chooser_switches_between_curves(reader: Reader) -> None:
    page = reader.open("chooser.html")
    page.wait_for_function("document.getElementById('said').textContent !== ''")
    drawn = page.locator(".curve").all()[3]
    at_first, row = drawn.get_attribute("d"), page.locator("#numbers tbody tr").nth(9)
    assert row.locator("td").first.inner_text() == "3.359"
    page.select_option("#accelerator", "amd-instinct-mi300x")
    page.select_option("#model", "mixtral-8x7b")
    page.wait_for_function(f"document.querySelectorAll('.curve')[3].getAttribute('d') !== {at_first!r}")
    page.select_option("#k", "0")
    page.select_option("#alpha", "0")
    page.select_option("#context", "4")
    assert page.locator(".curve.chosen").count() == 1
    assert page.locator(".curve").nth(0).get_attribute("class") == "curve chosen"
    assert "k = 1" in page.locator("#said").inner_text()


def test_the_chooser_starts_with_what_it_shows_without_scripts(reader: Reader) -> None:
    bare = reader.open("chooser.html", java_script_enabled=False)
    paths = [one.get_attribute("d") for one in bare.locator(".curve").all()]
    cells = bare.locator("#numbers").inner_text()
    page = reader.open("chooser.html")
    page.wait_for_function("document.getElementById('said').textContent !== ''")
    assert page.locator("#numbers").inner_text() == cells
    for mine, there in zip(paths, page.locator(".curve").all(), strict=True):
        wanted = [float(part) for part in mine[1:].replace("L", " ").split()]
        found = [float(part) for part in there.get_attribute("d")[1:].replace("L", " ").split()]
        assert found == pytest.approx(wanted, abs=0.11)


def test_the_chooser_takes_an_accelerator_from_its_address(reader: Reader) -> None:
    page = reader.open("chooser.html?accelerator=google-tpu-v5e")
    page.wait_for_function("document.getElementById('said').textContent !== ''")
    assert page.locator("#accelerator").input_value() == "google-tpu-v5e"


def test_the_search_finds_records_and_claims_nothing_else(reader: Reader) -> None:
    page = reader.open(SEED)
    page.locator("header input").fill("latent attention")
    page.keyboard.press("Enter")
    page.wait_for_url("**/search.html?q=latent+attention")
    page.locator("#results a").first.wait_for()
    assert page.locator("#results a").first.inner_text() == "Latent attention leaves little slack for verification"
    page.locator("#words").fill("<b>no such thing</b>")
    page.wait_for_function("document.getElementById('count').textContent === '0 pages found'")
    page.locator("#words").fill("h100 sxm")
    page.locator("#results a").first.click()
    page.wait_for_url("**/*h100-sxm.html")


def test_dark_and_light_are_as_the_reader_likes(reader: Reader) -> None:
    ground = {}
    for scheme in ("light", "dark"):
        page = reader.open(SEED, color_scheme=scheme)
        ground[scheme] = page.evaluate("getComputedStyle(document.body).backgroundColor")
        curve = page.locator(".plot .line.s1").first
        ground[scheme + " curve"] = curve.evaluate("one => getComputedStyle(one).stroke")
    assert len(set(ground.values())) == 4


def test_a_printed_page_has_the_prose_and_no_controls(reader: Reader) -> None:
    page = reader.open(SEED)
    page.emulate_media(media="print")
    assert not page.locator("nav").first.is_visible() and not page.locator(".tip").first.is_visible()
    assert page.locator(".prose").first.is_visible() and page.locator("#dispute-1").is_visible()


@pytest.mark.parametrize(("scheme", "width", "names"), [("light", 1280, KINDS), ("dark", 390, ("chooser.html", SEED))])
def test_axe_finds_nothing(reader: Reader, scheme: str, width: int, names: tuple[str, ...]) -> None:
    for name in names:
        page = reader.open(name, color_scheme=scheme, viewport={"width": width, "height": 900})
        if name == SEED:
            number(page, "12.5%").focus()
        found = axe.Axe().run(page, options={"preload": False}).response["violations"]
        assert [(one["id"], one["nodes"][0]["html"]) for one in found] == [], name
