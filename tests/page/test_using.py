"""Sorting, folding, keys and narrow screens, on the golden case's page."""

import pytest
from shown import LARGEST


def test_lines_are_sorted_by_what_is_clicked_and_the_other_way_round(golden_page):
    lines = golden_page.unfolded_lines()
    calls = [line["calls"] for line in lines]
    assert calls == sorted(calls, reverse=True)
    golden_page.page.click("#head [data-sort=calls]")
    assert [line["calls"] for line in golden_page.lines()] == calls
    golden_page.page.click("#head [data-sort=calls]")
    assert [line["calls"] for line in golden_page.lines()] == calls[::-1]
    golden_page.page.click("#head [data-sort=call]")
    texts = [line["call"] for line in golden_page.lines()]
    assert texts == sorted(texts) and texts[0].startswith("conv3d(")
    golden_page.page.click("#head [data-sort=ranks]")
    assert {line["calls"] for line in golden_page.lines()[:2]} == {18, 2}
    golden_page.page.click("#head [data-sort=status]")
    statuses = [line["status"] for line in golden_page.lines()]
    assert statuses == ["covered"] * 3 + ["near miss"] * 27 + ["nothing near"]


def test_signatures_that_differ_in_one_size_are_one_line_until_it_is_unfolded(golden_page):
    page = golden_page.page
    page.click(".toggle >> nth=0")  # it has the line that is chosen at first
    folded = golden_page.lines()
    line = folded[0]
    assert line["call"] == "linear(bf16[1,N,5120], bf16[5120,5120], bf16[5120]) -> bf16[1,N,5120]"
    assert (line["calls"], line["digest"]) == (96_800, None)
    assert line["because"] == "dit · N = 2,640 to 10,560, 2 signatures, 0 covered"
    page.click(".toggle >> nth=0")
    unfolded = golden_page.lines()
    assert len(unfolded) == len(folded) + 2
    assert [line["calls"] for line in unfolded[:3]] == [96_800, 96_000, 800]
    assert sum(line["calls"] for line in folded) == 171_204
    page.click(".toggle >> nth=0")
    assert golden_page.lines() == folded


def test_the_list_is_used_with_keys_alone(golden_page):
    page = golden_page.page
    page.keyboard.press("/")
    assert page.evaluate("document.activeElement.id") == "search"
    page.keyboard.type("linear")
    assert golden_page.found().startswith("12 of 31 signatures")
    page.focus("#scroller")
    page.keyboard.press("Home")
    page.keyboard.press("ArrowLeft")
    assert page.get_attribute(".line.chosen .toggle", "aria-expanded") == "false"
    page.keyboard.press("ArrowRight")
    assert page.get_attribute(".line.chosen .toggle", "aria-expanded") == "true"
    page.keyboard.press("ArrowDown")
    chosen = page.get_attribute("#scroller", "aria-activedescendant")
    assert page.get_attribute(f"#{chosen}", "data-digest") == LARGEST
    page.keyboard.press("c")
    page.wait_for_selector("#said >> text=Copied", state="attached")
    assert golden_page.clipboard() == golden_page.text("#largest-command code")
    page.keyboard.press("End")
    assert golden_page.visible_lines()[-1]["chosen"]


@pytest.mark.parametrize("width", [390, 640, 1000, 1280])
def test_no_width_scrolls_sideways(show, golden, width):
    page = show(golden, width=width).page
    assert page.evaluate("document.documentElement.scrollWidth") == width
    cut = page.eval_on_selector_all("h1, h2, h3, dd, .command, .steps li, #filters > *, .title-line > *", """(elements) =>
        elements.filter((element) => element.getBoundingClientRect().right > innerWidth + 0.5).map((e) => e.outerHTML)""")
    assert cut == []


def test_on_a_narrow_screen_details_lie_over_the_list_until_escape(show, golden):
    page = show(golden, width=390, height=844).page
    assert not page.is_visible("#details")
    page.click(".line >> nth=1")
    assert page.is_visible("#details")
    page.keyboard.press("Escape")
    assert not page.is_visible("#details")
    page.click(".line >> nth=1")
    page.click("#details .close")
    assert not page.is_visible("#details")


def test_on_a_narrow_screen_the_card_opens_the_details_of_its_item(show, golden):
    shown = show(golden, width=390, height=844)
    shown.page.click("text=Show it in the table")
    assert shown.page.is_visible("#details")
    assert "linear(bf16[1,2640,5120], bf16[5120,5120], bf16[5120]) -> bf16[1,2640,5120]" in shown.text("#details .call")


def test_the_page_scrolls_on_where_the_list_ends(golden_page):
    page = golden_page.page
    page.evaluate("document.getElementById('signatures').scrollIntoView()")
    page.hover(".line >> nth=2")
    page.evaluate("const list = document.getElementById('scroller'); list.scrollTop = list.scrollHeight")
    before = page.evaluate("scrollY")
    page.mouse.wheel(0, 200)
    page.wait_for_function("(before) => scrollY > before", arg=before)


def test_the_list_is_no_taller_than_its_lines(golden_page):
    page = golden_page.page
    height = """() => [...document.querySelectorAll("#scroller, .line")].map((element) => element.offsetHeight)"""
    page.fill("#search", "bf16[10560,144]")
    assert golden_page.found().startswith("1 of 31 signatures")
    page.select_option("[aria-label='All stages']", label="dit")
    page.fill("#search", "linear 2640")
    golden_page.wait_for_drawing()
    scroller, *lines = page.evaluate(height)
    assert len(lines) > 2 and scroller == sum(lines)


def test_what_lines_are_sorted_by_is_the_measures_name(golden_page):
    page = golden_page.page
    names = """[...document.querySelector("[aria-label='Sort by']").options].filter((one) => !one.hidden).map((one) => one.text)"""
    assert page.evaluate(names) == ["Calls", "Status", "Signature", "Imbalance"]
    golden_page.weigh_by("flops")
    assert page.evaluate(names) == ["FLOPs", "Calls", "Status", "Signature", "Imbalance"]


def test_words_are_explained_at_the_end(golden_page):
    words = golden_page.page.locator("#glossary dt").all_inner_texts()
    assert words == ["Signature", "Digest", "Stage", "Rank", "Snapshot", "Profiled input"]
    assert "strides stand in braces" in golden_page.text("#glossary")
