"""The golden case's page on paper."""

import pytest


def print_begins(page):
    page.emulate_media(media="print")
    page.evaluate("dispatchEvent(new Event('beforeprint'))")


def test_on_paper_the_list_is_a_table(golden_page):
    page = golden_page.page
    print_begins(page)
    assert not page.is_visible("#list")
    printed = page.locator("#printed tbody tr").all_inner_texts()
    assert len(printed) == 26  # 24 lines, and two of an unfolded one
    assert "96,800" in printed[0]
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    assert page.locator("#printed tr").count() == 0


def test_a_fold_has_the_classes_of_its_members(golden_page):
    print_begins(golden_page.page)
    statuses = golden_page.page.locator("#printed tbody td:first-child").all_inner_texts()
    assert {status: statuses.count(status) for status in statuses} == {"near miss": 22, "covered": 3, "nothing near": 1}


def test_nothing_to_click_is_printed(golden_page):
    page = golden_page.page
    page.select_option("[aria-label='All stages']", label="vae")
    print_begins(page)
    buttons = [button for button in page.locator("button, input, select").all() if button.is_visible()]
    texts = [button.inner_text() for button in buttons]
    shown = page.locator("#breakdown th button").all_inner_texts() + page.locator(".tile").all_inner_texts()
    assert texts != [] and sorted(texts) == sorted(shown)  # names in the figures, and the picture


@pytest.mark.parametrize("scheme, theme", [("dark", "auto"), ("dark", "dark"), ("light", "dark"), ("light", "light")])
def test_paper_is_light(show, golden, scheme, theme):
    page = show(golden, color_scheme=scheme).page
    page.click(f"#theme [data-value={theme}]")
    page.emulate_media(media="print", color_scheme=scheme)
    colours = page.evaluate("""() => {
        const style = (selector) => getComputedStyle(document.querySelector(selector));
        return [style("body").color, style("body").backgroundColor, style("h3").color, style("#answer-shares").color];
    }""")
    assert colours == ["rgb(0, 0, 0)", "rgb(255, 255, 255)", "rgb(0, 0, 0)", "rgb(68, 68, 68)"]


@pytest.mark.parametrize("width", [390, 1280])
@pytest.mark.parametrize("paper", [500, 718])
def test_the_picture_is_as_wide_as_the_paper(show, golden, width, paper):
    page = show(golden, width=width).page
    # In one go, for a browser that prints does not let the page look again.
    spilt = page.evaluate("""(paper) => {
        dispatchEvent(new Event("beforeprint"));
        const picture = document.getElementById("treemap");
        picture.style.width = `${paper}px`;
        const {left, right, bottom} = picture.getBoundingClientRect();
        const tiles = [...picture.children].map((tile) => tile.getBoundingClientRect());
        return [Math.max(...tiles.map((tile) => tile.right)) - right, Math.max(...tiles.map((tile) => tile.bottom)) - bottom,
                Math.min(...tiles.map((tile) => tile.left)) - left];
    }""", paper)
    assert spilt == pytest.approx([0, 0, 0], abs=1)


def test_words_on_tiles_have_room_on_paper(golden_page):
    golden_page.weigh_by("signatures")
    narrowest = golden_page.page.evaluate("""() => {
        dispatchEvent(new Event("beforeprint"));
        document.getElementById("treemap").style.width = "700px";
        return Math.min(...[...document.querySelectorAll(".leaf.told")].map((leaf) => leaf.getBoundingClientRect().width));
    }""")
    assert narrowest >= 64


def test_titles_stay_with_what_follows(golden_page):
    golden_page.page.emulate_media(media="print")
    breaks = golden_page.page.eval_on_selector_all(
        "h2, h3, h4, .title-line", "(titles) => titles.map((title) => getComputedStyle(title).breakAfter)")
    assert len(breaks) > 10 and set(breaks) == {"avoid"}


def test_bars_of_ranks_stand_apart(golden_page):
    gaps = golden_page.page.eval_on_selector_all("#ranks > .rank-bars rect", """(bars) => bars.slice(1).map((bar, i) =>
        bar.x.baseVal.value - bars[i].x.baseVal.value - bars[i].width.baseVal.value)""")
    assert gaps == [3, 3, 3]
