"""Where in the code a signature was first called: shown with it, copied as a whole, and found by the search."""

from made_records import linear, write_record

SCRIPT = "<script>alert(1)</script>"
PLACE = {"module": "blocks.0.q", "class": "Linear", "root": "Net", "left_out": 5,
         "frames": ["/home/me/model.py:12 Block.forward", "run.py:3 <module>"]}
LINES = ["blocks.0.q (Linear) in Net", "/home/me/model.py:12 Block.forward", "run.py:3 <module>", "(5 frames of torch left out)"]


def shown_places(page, line):
    page.page.click(f"#space > .line >> nth={line}")
    return [text.split("\n") for text in page.page.locator("#details .place code").all_inner_texts()]


def titles(page):
    return [title for title in page.page.locator("#details h4").all_inner_texts() if title.startswith("Where")]


def test_a_place_is_shown_line_by_line_and_copied_as_a_whole(show, write_page, tmp_path):
    write_record(tmp_path / "records", [(linear(2), 5), (linear(3), 4)], where={0: PLACE})
    page = show(write_page(tmp_path, "records"))
    page.page.uncheck("#fold")
    assert shown_places(page, 0) == [LINES]
    assert titles(page) == ["Where it was first called"]
    page.page.click("#details .place .copy")
    assert page.clipboard() == "\n".join(LINES)
    assert shown_places(page, 1) == [] and titles(page) == []


def test_places_of_several_ranks_say_how_many_first_calls_each_had(show, write_page, tmp_path):
    for rank in range(3):
        write_record(tmp_path / "records", [(linear(2), 5)], rank=rank,
                     where={0: PLACE if rank else {"frames": ["other.py:1 f"], "more": True}})
    page = show(write_page(tmp_path, "records"))
    assert shown_places(page, 0) == [["other.py:1 f", "(more further out)"], LINES]
    assert titles(page) == ["Where it was first called: 1 first call", "Where it was first called: 2 first calls"]


def test_of_many_places_it_says_that_there_are_more(show, write_page, tmp_path):
    for rank in range(9):
        write_record(tmp_path / "records", [(linear(2), 5)], rank=rank, where={0: {"frames": [f"f.py:{rank} f"]}})
    page = show(write_page(tmp_path, "records"))
    assert shown_places(page, 0) == [[f"f.py:{rank} f"] for rank in range(8)]
    assert "And first calls elsewhere." in page.text("#details")


def test_places_are_text_and_nothing_in_them_is_run(show, write_page, tmp_path):
    hostile = {"module": SCRIPT, "class": "</script><!--", "root": "&amp;<b>x</b>", "frames": [f"<img src=x onerror=alert(2)>:1 {SCRIPT}",
               "a  b\u2028c\u202ed\x07"] + ["x" * 300 + f"/{'y' * 200}.py:7 f"] * 40}
    write_record(tmp_path / "records", [(linear(2), 5)], where={0: hostile})
    page = show(write_page(tmp_path, "records"))
    (lines,) = shown_places(page, 0)
    assert lines[:2] == [f"{SCRIPT} (</script><!--) in &amp;<b>x</b>", hostile["frames"][0]]
    assert len(lines) == 1 + 16 + 1 and lines[-1] == "(more further out)"
    page.page.click("#details .place .copy")
    assert page.clipboard().split("\n") == [lines[0], *hostile["frames"][:16], lines[-1]]
    assert page.page.evaluate("document.getElementById('details').scrollWidth <= document.getElementById('details').clientWidth")


def test_signatures_are_found_by_module_and_file(show, write_page, tmp_path):
    write_record(tmp_path / "records", [(linear(2), 5), (linear(3), 4)], where={0: PLACE, 1: {"frames": ["other.py:1 f"]}})
    page = show(write_page(tmp_path, "records"))
    for words in ("blocks.0.q", "in net", "MODEL.py:12"):
        page.page.fill("#search", words)
        assert page.found().startswith("1 of 2 signatures"), words
        assert [line["calls"] for line in page.visible_lines()] == [5]
