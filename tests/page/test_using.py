"""Sorting, filtering, folding, copying, keys, colours, narrow screens and paper, on the golden case's page."""

import shlex
import shutil

import pytest

LARGEST = "255d8b6427b0b5a79c74a59d751e921af25bbb329fb9011dc0ba8d8b5cc46d94"


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
    assert statuses == ["covered"] * 3 + ["near miss"] * 27 + ["uncovered"]


def test_search_takes_words_and_beginnings_of_digests(golden_page):
    golden_page.page.uncheck("#fold")
    golden_page.page.fill("#search", "conv3d f32[1,96")
    assert golden_page.found().startswith("4 of 31 signatures")
    assert all("conv3d(f32[1,96" in line["call"] for line in golden_page.lines())
    golden_page.page.fill("#search", LARGEST[:12])
    assert [line["digest"] for line in golden_page.lines()] == [LARGEST]
    golden_page.page.fill("#search", "no such thing")
    assert golden_page.found() == "0 of 31 signatures, 0 calls"
    assert golden_page.lines() == []
    golden_page.page.click("#clear")
    assert golden_page.found() == "31 signatures, 171,204 calls"


def test_statuses_stages_and_operators_filter(golden_page):
    page = golden_page.page
    page.click("[data-status=near]")
    assert golden_page.found() == "4 of 31 signatures, 1,600 calls"
    page.click("[data-status=near]")
    page.select_option("[aria-label='All stages']", label="vae")
    assert golden_page.found().startswith("17 of 31 signatures")
    page.select_option("[aria-label='All operators']", label="linear")
    assert golden_page.found() == "0 of 31 signatures, 0 calls"


def test_a_click_on_the_picture_filters_the_list(golden_page):
    page = golden_page.page
    page.click(".tile.stage >> text=vae")
    assert golden_page.found().startswith("17 of 31 signatures")
    page.click("#breakdown >> text=output · to.dtype")
    assert golden_page.found().startswith("2 of 31 signatures")
    page.click(".tile.leaf >> nth=0")
    assert golden_page.found().startswith("12 of 31 signatures")
    assert [line["digest"] for line in golden_page.visible_lines() if line["chosen"]] == [LARGEST]
    assert "96,000" in golden_page.text("#details")


def test_a_click_on_ranks_filters_the_list(golden_page):
    golden_page.page.click("#patterns >> text=Show")
    assert golden_page.found().startswith("2 of 31 signatures")
    golden_page.page.click("#rows-filter")
    assert golden_page.found().startswith("31 signatures")


def test_signatures_that_differ_in_one_size_are_one_line_until_it_is_unfolded(golden_page):
    page = golden_page.page
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


def test_commands_are_copied_as_a_shell_takes_them(golden_page):
    page = golden_page.page
    page.click("#largest-command .copy")
    assert shlex.split(golden_page.clipboard()) == [
        "OPCOV=1", "OPCOV_OPS=dit=aten::linear.default", "OPCOV_CAPTURE=dit=aten::linear.default", "YOUR_PROGRAM"]
    page.fill("#search", "10a11d37")
    page.click(".line .copy >> nth=0")
    assert golden_page.clipboard() == "opcov replay snapshots/480x832/dit_rank0_10a11d3772070763.pt"
    page.click(".line >> nth=0")
    page.click("#details .command:last-child .copy")
    assert golden_page.clipboard() == golden_page.visible_lines()[0]["digest"]


def test_the_commands_that_the_page_names_are_taken(golden_page, golden, run, tmp_path):
    case = shutil.copytree(golden.parent, tmp_path / "case")
    golden_page.page.fill("#search", LARGEST[:16])
    golden_page.page.click(".line >> nth=0")
    commands = [shlex.split(text) for text in golden_page.page.locator("#details .command code").all_inner_texts()]
    (explain,) = [words for words in commands if words[:2] == ["opcov", "explain"]]
    assert LARGEST in run(explain, cwd=case).stdout
    (profile,) = [words for words in commands if words[:2] == ["opcov", "profile"]]
    assert LARGEST in run([*profile, "--dry-run"], cwd=case).stdout
    again = shlex.split(golden_page.page.locator("#largest .command code").all_inner_texts()[-1])
    assert again[:2] == ["opcov", "report"]
    run([word if word != "opcov-profiles/inputs.jsonl" else "inputs.jsonl" for word in again if word != "inputs.jsonl"],
        cwd=case)


def test_the_list_is_used_with_keys_alone(golden_page):
    page = golden_page.page
    page.keyboard.press("/")
    assert page.evaluate("document.activeElement.id") == "search"
    page.keyboard.type("linear")
    assert golden_page.found().startswith("12 of 31 signatures")
    page.focus("#scroller")
    page.keyboard.press("Home")
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


def test_the_picture_is_walked_with_arrows(golden_page):
    page = golden_page.page
    page.focus(".leaf[tabindex='0']")
    first = page.evaluate("document.activeElement.title")
    page.keyboard.press("ArrowRight")
    second = page.evaluate("document.activeElement.title")
    assert second != first and page.locator(".leaf[tabindex='0']").count() == 1
    page.keyboard.press("Enter")
    assert golden_page.text("#details .call") in second


def background(page):
    return page.evaluate("getComputedStyle(document.body).backgroundColor")


def test_colours_follow_the_system_until_somebody_chooses(show, golden):
    light, dark = show(golden, color_scheme="light").page, show(golden, color_scheme="dark").page
    colours = background(light), background(dark)
    assert colours[0] != colours[1]
    light.click("#theme [data-value=dark]")
    dark.click("#theme [data-value=light]")
    assert (background(dark), background(light)) == colours
    dark.reload()
    assert background(dark) == colours[0]


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


def test_on_paper_the_list_is_a_table(golden_page):
    page = golden_page.page
    page.emulate_media(media="print")
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert not page.is_visible("#list") and not page.is_visible("#filters")
    printed = page.locator("#printed tbody tr").all_inner_texts()
    assert len(printed) == 24
    assert "96,800" in printed[0]
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    assert page.locator("#printed tr").count() == 0
