"""Fifty thousand signatures: as few elements as for thirty, and what is asked for at once. Times are told, not held."""

import pytest
from made_records import signature, tensor, write_manifest, write_record

SIGNATURES = 50_000
MOST_ELEMENTS = 3_000


def call(number):
    rows, width, stage = number % 500 + 1, 8 * (number // 500 + 1), f"stage{number % 7}"
    return signature(tensor(1, rows, width), tensor(width, width), stage=stage, output=tensor(1, rows, width))


@pytest.fixture(scope="module")
def large(write_page, tmp_path_factory):
    folder = tmp_path_factory.mktemp("large")
    calls = [(call(number), number + 1) for number in range(SIGNATURES)]
    for rank in range(4):
        write_record(folder / "records", calls, rank=rank, world_size=4)
    manifest = write_manifest(folder / "inputs.jsonl", [call(number) for number in range(0, SIGNATURES, 100)])
    return write_page(folder, "records", inputs=[manifest.name])


def test_it_is_ready_with_few_elements(show, large, record_property, capsys):
    page = show(large)
    ready = page.page.evaluate("Number(document.documentElement.dataset.ready)")
    record_property("ready_ms", ready)
    with capsys.disabled():
        print(f"\n{SIGNATURES} signatures, {large.stat().st_size >> 20} MiB: ready {ready:.0f} ms after the start")
    assert page.elements() < MOST_ELEMENTS
    assert page.answer().startswith("500 of 50,000 signatures, ")


def test_scrolling_and_searching_keep_them_few(show, large):
    page = show(large)
    page.page.uncheck("#fold")
    assert page.found() == f"50,000 signatures, {4 * SIGNATURES * (SIGNATURES + 1) // 2:,} calls"
    assert page.visible_lines()[0]["calls"] == 4 * SIGNATURES
    page.page.focus("#scroller")
    page.page.keyboard.press("End")
    page.page.wait_for_selector(f"#space > [aria-rowindex='{SIGNATURES}']")
    assert page.visible_lines()[-1]["calls"] == 4
    assert page.elements() < MOST_ELEMENTS
    page.page.fill("#search", "linear(bf16[1,17,800]")
    assert page.found().startswith("1 of 50,000 signatures")
    assert page.elements() < MOST_ELEMENTS


def test_one_line_holds_what_differs_in_one_size(show, large):
    page = show(large)
    lines = page.page.evaluate("document.getElementById('scroller').getAttribute('aria-rowcount')")
    # 100 widths in 7 stages: the number of rows is what differs.
    assert int(lines) == 700
    page.page.fill("#search", "linear(bf16[1,17,800]")
    assert page.found().startswith("1 of 50,000 signatures")
