"""Light and dark, and whether what is drawn in them can be seen."""

import re

import pytest


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


def luminance(colour):
    """As WCAG 2 defines it, of "rgb(1, 2, 3)"."""
    parts = [int(part) / 255 for part in re.findall(r"\d+", colour)[:3]]
    red, green, blue = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(a, b):
    dark, light = sorted([luminance(a), luminance(b)])
    return (light + 0.05) / (dark + 0.05)


def colour(page, selector, what="color", pseudo=None):
    return page.eval_on_selector(
        selector, "(element, [what, pseudo]) => getComputedStyle(element, pseudo)[what]", [what, pseudo])


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_signs_of_all_classes_are_seen_on_lines(show, golden, scheme):
    page = show(golden, color_scheme=scheme).page
    page.hover("h1")
    chosen = colour(page, ".line.chosen", "backgroundColor")
    for status in ("covered", "near", "far"):
        sign = colour(page, f".line .mark.{status}")
        for ground in (background(page), chosen):
            assert contrast(sign, ground) >= 3, (status, ground)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_hint_in_the_search_is_read(show, golden, scheme):
    page = show(golden, color_scheme=scheme).page
    assert contrast(colour(page, "#search", pseudo="::placeholder"), colour(page, "#search", "backgroundColor")) >= 4.5


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_focus_is_seen_on_the_chosen_one_of_several(show, golden, scheme):
    page = show(golden, color_scheme=scheme).page
    page.focus("#weight [data-value=calls]")
    page.keyboard.press("ArrowRight")
    ring = colour(page, "#weight :focus", "outlineColor")
    assert colour(page, "#weight :focus", "outlineStyle") == "solid"
    assert contrast(ring, colour(page, "#weight :focus", "backgroundColor")) >= 3
