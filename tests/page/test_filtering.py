"""Search and filters of the golden case's list."""

from shown import LARGEST


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
    assert golden_page.found() == "27 of 31 signatures in 20 lines, 169,604 calls"
    page.click("[data-status=covered]")
    assert golden_page.found() == "3 of 31 signatures, 1,200 calls"
    page.click("[data-status=covered]")
    assert golden_page.found().startswith("31 signatures")
    page.select_option("[aria-label='All stages']", label="vae")
    assert golden_page.found().startswith("17 of 31 signatures")
    page.select_option("[aria-label='All operators']", label="linear")
    assert golden_page.found() == "0 of 31 signatures, 0 calls"


def test_a_click_on_ranks_filters_the_list(golden_page):
    golden_page.page.click("#patterns >> text=Show")
    assert golden_page.found().startswith("2 of 31 signatures")
    golden_page.page.click("#active >> text=rank 0 only")
    assert golden_page.found().startswith("31 signatures")


def chips(page):
    return page.page.locator(".chip[data-status]").all_inner_texts()


def test_counts_of_a_status_are_of_what_passes_the_other_filters(golden_page):
    assert chips(golden_page) == ["● covered 3", "◐ near miss 27", "○ nothing near 1"]
    golden_page.page.select_option("[aria-label='All stages']", label="vae")
    assert chips(golden_page) == ["● covered 0", "◐ near miss 17", "○ nothing near 0"]
    golden_page.page.click("[data-status=covered]")
    assert chips(golden_page) == ["● covered 0", "◐ near miss 17", "○ nothing near 0"]
    pressed = golden_page.page.eval_on_selector_all("[data-status]", "(all) => all.map((chip) => chip.ariaPressed)")
    assert pressed == ["true", "false", "false"]


def test_each_filter_is_told_and_ended_alone(golden_page):
    page = golden_page.page
    assert not page.is_visible("#active")
    page.select_option("[aria-label='All stages']", label="vae")
    page.select_option("[aria-label='All operators']", label="conv3d")
    page.click("[data-status=near]")
    page.fill("#search", "f32[1,96")
    assert golden_page.text("#active") == "Filtered by: “f32[1,96” × near miss × stage vae × operator conv3d × Clear all"
    page.click("#active >> text=stage vae")
    assert golden_page.text("#active") == "Filtered by: “f32[1,96” × near miss × operator conv3d × Clear all"
    page.click("#clear")
    assert not page.is_visible("#active") and golden_page.found().startswith("31 signatures")


def test_a_list_without_a_line_says_so_and_shows_nothing_of_what_was_chosen(golden_page):
    page = golden_page.page
    page.fill("#search", "no such thing")
    assert golden_page.text("#space") == "No signature matches. Clear all"
    assert golden_page.text("#details") == "Choose a signature to see all of it."
    page.click("#space >> text=Clear all")
    assert golden_page.found().startswith("31 signatures") and "No signature" not in golden_page.text("#space")


def test_what_is_chosen_stays_while_it_passes_the_filters(golden_page):
    page = golden_page.page
    page.fill("#search", "linear")
    assert golden_page.chosen() == LARGEST
    page.click(".toggle >> nth=0")  # its fold is in its place
    assert golden_page.chosen() is None and "2,640 to 10,560" in golden_page.text("#details")
    page.fill("#search", "10a11d37")
    assert golden_page.text("#details") == "Choose a signature to see all of it."


def test_on_a_narrow_screen_details_of_what_was_filtered_out_close(show, golden):
    shown = show(golden, width=390, height=844)
    shown.page.click("text=Show it in the table")
    assert shown.page.is_visible("#details") and "96,000" in shown.text("#details")
    shown.page.fill("#search", "no such thing")
    assert not shown.page.is_visible("#details")
