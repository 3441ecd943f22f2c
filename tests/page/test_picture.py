"""The picture of the golden case: where its tiles lie, and what a click on them does."""

import pytest
from shown import LARGEST


def test_a_click_on_the_picture_filters_the_list(golden_page):
    page = golden_page.page
    page.click(".tile.stage >> text=vae")
    assert golden_page.found().startswith("17 of 31 signatures")
    assert golden_page.text("#active") == "Filtered by: stage vae × Clear all"
    page.click("#breakdown >> text=output · to.dtype")
    assert golden_page.found().startswith("2 of 31 signatures")
    page.click(".tile.leaf >> nth=0")
    assert golden_page.found().startswith("12 of 31 signatures")
    assert [line["digest"] for line in golden_page.visible_lines() if line["chosen"]] == [LARGEST]
    assert "96,000" in golden_page.text("#details")


def test_the_picture_is_walked_with_arrows(golden_page):
    page = golden_page.page
    page.focus(".leaf[tabindex='0']")
    first = page.evaluate("document.activeElement.title")
    page.keyboard.press("ArrowRight")
    second = page.evaluate("document.activeElement.title")
    assert second != first and page.locator(".leaf[tabindex='0']").count() == 1
    page.keyboard.press("Enter")
    assert golden_page.text("#details .call") in second


TILES = """() => {
    const edges = (element) => {
        const {left, top, right, bottom} = element.getBoundingClientRect();
        return [left, top, right, bottom];
    };
    const picture = document.getElementById("treemap");
    return [edges(picture), [...picture.children].map(edges)];
}"""
ROUNDING = 0.1  # pixels


def spills(outer, inner):
    return any(inner[i] < outer[i] - ROUNDING or inner[i + 2] > outer[i + 2] + ROUNDING for i in (0, 1))


def overlap(a, b):
    return all(min(a[i + 2], b[i + 2]) - max(a[i], b[i]) > ROUNDING for i in (0, 1))


@pytest.mark.parametrize("weight", ["signatures", "calls", "flops", "bytes"])
@pytest.mark.parametrize("width", [390, 1280])
def test_tiles_lie_in_the_picture_and_beside_each_other(show, golden, width, weight):
    page = show(golden, width=width)
    page.weigh_by(weight)
    picture, tiles = page.page.evaluate(TILES)
    assert len(tiles) > 15
    assert [tile for tile in tiles if spills(picture, tile)] == []
    assert [(a, b) for i, a in enumerate(tiles) for b in tiles[:i] if overlap(a, b)] == []


@pytest.mark.parametrize("weight", ["signatures", "calls", "flops", "bytes"])
@pytest.mark.parametrize("width", [390, 1280])
def test_no_stage_is_a_head_alone(show, golden, width, weight):
    page = show(golden, width=width)
    page.weigh_by(weight)
    heads = page.page.locator(".tile.stage").all_inner_texts()
    leaves = page.page.eval_on_selector_all(".tile.leaf", "(leaves) => leaves.map((leaf) => leaf.title)")
    stages = {"vae", "dit", "output"} if weight == "signatures" else {"vae", "dit"}
    for stage in stages:
        assert any(f", stage {stage}: " in leaf for leaf in leaves)
    assert all(any(f", stage {head.split(' · ')[0]}: " in leaf for leaf in leaves) for head in heads)


def test_on_a_narrow_screen_a_tile_opens_what_it_shows(show, golden):
    shown = show(golden, width=390, height=844)
    shown.page.click(".tile.leaf >> nth=0")
    assert shown.page.is_visible("#details") and "96,000" in shown.text("#details")
