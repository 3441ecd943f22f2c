"""The card of the largest work without a profile, and the commands that do something about a signature."""

import shlex
import shutil

import pytest
from made_records import linear, signature, tensor, write_manifest, write_record
from shown import LARGEST, percent


def test_the_largest_work_without_a_profile_stands_on_top_with_the_commands_to_cover_it(golden_page):
    largest = golden_page.text("#largest")
    assert largest.startswith("Largest work without a profile, by calls")
    assert "linear(bf16[1,2640,5120], bf16[5120,5120], bf16[5120]) -> bf16[1,2640,5120]" in largest
    assert "96,000 calls, 56.1 % of all calls; stage dit. Near miss; the nearest profiled input has arg 0 dim 1" in largest
    assert "arg 0 dim 1: 2640 in the run, 1170 in the snapshot" in largest
    assert golden_page.text("#largest-command code") == \
        "OPCOV=1 OPCOV_OPS='dit=aten::linear.default' OPCOV_CAPTURE='dit=aten::linear.default' YOUR_PROGRAM"
    assert "a call of each signature of linear in stage dit, here 12. For the 28 signatures without a profile" in largest
    assert golden_page.text("#missing-command code") == (
        "OPCOV=1 OPCOV_OPS='dit=aten::linear,vae=aten::conv3d,output=aten::to.*' OPCOV_CAPTURE=missing:report.json "
        "YOUR_PROGRAM")


def test_the_largest_follows_the_weight(golden_page, detail):
    (most,) = [row for row in detail["rows"] if row["calls"] == 96_000]
    total = sum(row["flops"] * row["calls"] for row in detail["rows"])
    golden_page.weigh_by("flops")
    largest = golden_page.text("#largest")
    assert largest.startswith("Largest work without a profile, by FLOPs")
    assert f"FLOP, {percent(most['flops'] * most['calls'], total)} of all FLOPs; stage dit." in largest


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


# By hand, of the 31 signatures and their 171,204 calls: 3, 27 and 1; by 1,200, 169,604 and 400.
@pytest.mark.parametrize("weight, title, amount, shares", [
    ("signatures", "by signatures", "1 signature, 3.2 % of all signatures, the one with most calls; stage dit.",
     "By signatures: 9.7 % covered, 87.1 % near miss, 3.2 % nothing near."),
    ("calls", "by calls", "96,000 calls, 56.1 % of all calls; stage dit.",
     "By calls: 0.7 % covered, 99.1 % near miss, 0.2 % nothing near.")])
def test_bar_and_card_follow_the_measure_and_say_so(golden_page, weight, title, amount, shares):
    golden_page.weigh_by("bytes")
    golden_page.weigh_by(weight)
    assert golden_page.text("#answer-shares") == shares
    assert golden_page.text("#picture-title") == f"Where the work is, {title}"
    assert golden_page.text("#largest h2") == f"Largest work without a profile, {title}"
    assert amount in golden_page.text("#largest")
    parts = golden_page.page.eval_on_selector_all("#answer-bar > span", "(parts) => parts.map((part) => part.title)")
    assert [part.replace(":", "") for part in parts] == \
        [f"{label} {share} %" for share, label in (part.split(" % ") for part in shares.split(": ")[1].rstrip(".").split(", "))]


def test_what_is_unknown_of_a_measure_is_no_part_of_the_bar(show, write_page, tmp_path):
    write_record(tmp_path / "records", [(linear(2), 5), (signature(tensor(4), op="custom.op.default"), 30)])
    page = show(write_page(tmp_path, "records", inputs=[write_manifest(tmp_path / "inputs.jsonl", [linear(2)]).name]))
    page.weigh_by("flops")
    assert page.text("#answer-shares") == "By FLOPs: 100.0 % covered; without 1 signature whose FLOPs are unknown."
    assert "30 calls, FLOPs unknown; stage dit. Nothing near: no profiled input is of this operator." in page.text("#largest")


@pytest.mark.parametrize("nearest, status", [(linear(3), "near"), (signature(tensor(4)), "far")])
def test_the_cards_edge_has_the_colour_of_its_class(show, write_page, tmp_path, nearest, status):
    write_record(tmp_path / "records", [(linear(2), 5)])
    page = show(write_page(tmp_path, "records", inputs=[write_manifest(tmp_path / "inputs.jsonl", [nearest]).name]))
    edge = page.page.eval_on_selector(".largest", "(card) => getComputedStyle(card).borderLeftColor")
    assert edge == page.page.eval_on_selector(f".swatch.{status}", "(swatch) => getComputedStyle(swatch).backgroundColor")


def test_no_class_is_called_uncovered(golden_page):
    names = ["covered", "near miss", "nothing near"]
    assert golden_page.page.locator("#legend b").all_inner_texts() == names
    assert [chip.rsplit(" ", 1)[0][2:] for chip in golden_page.page.locator(".chip[data-status]").all_inner_texts()] == names
    assert "uncovered" not in golden_page.page.inner_text("body").lower().replace("an uncovered row may differ", "")


def test_the_quickest_way_stands_first_and_the_report_last(golden_page):
    commands = golden_page.commands("#largest")
    assert commands[0] == "opcov profile 255d8b6427b0b5a7 --records records"
    assert commands[3] == commands[0] + " --snapshots opcov-records/snapshots"
    assert commands[-1].startswith("opcov report records --inputs inputs.jsonl opcov-profiles/inputs.jsonl ")
    assert golden_page.page.locator("#largest .command var").all_inner_texts() == ["YOUR_PROGRAM"] * 2
    for text in ("Run these where the report was made.", "opcov-records/snapshots is where captured inputs are"):
        assert text in golden_page.text("#largest")


def test_the_cards_item_is_chosen_at_first(golden_page):
    assert golden_page.chosen() == LARGEST
    assert "96,000" in golden_page.text("#details")


def test_a_fold_offers_the_commands_of_its_largest_member(golden_page):
    golden_page.page.click(".line.fold >> nth=0")
    details = golden_page.text("#details")
    assert "2 signatures, 0 covered" in details and "Its largest without a profile has N = 2,640:" in details
    assert golden_page.commands("#details") == [
        "opcov profile 255d8b6427b0b5a7 --records records",
        "OPCOV=1 OPCOV_OPS='dit=aten::linear.default' OPCOV_CAPTURE='dit=aten::linear.default' YOUR_PROGRAM",
        "opcov replay 255d8b6427b0b5a7 --records records",
        "opcov explain records 255d8b6427b0b5a7 --inputs inputs.jsonl"]
    golden_page.page.click("#details >> text=2,640 >> nth=-1")
    assert golden_page.chosen() == LARGEST


def test_a_copy_button_says_what_its_command_does(golden_page):
    page = golden_page.page
    titles = {}
    for line in page.locator("#space .line").all():
        status = line.locator(".mark").get_attribute("aria-label")
        titles[status] = line.locator(".copy").get_attribute("title").split(":")[0]
    assert titles == {"covered": "Copy the command that replays the profiled input",
                      "near miss": "Copy the command that captures its inputs in the next run",
                      "nothing near": "Copy the command that captures its inputs in the next run"}


@pytest.mark.parametrize("width", [390, 1280])
def test_lines_of_a_command_end_at_blanks_unless_a_word_is_longer(show, golden, width):
    words = show(golden, width=width).page.eval_on_selector_all("#largest .command code > *", """(words) => {
        const lines = (word) => Math.round(word.getBoundingClientRect().height / parseFloat(getComputedStyle(word).lineHeight));
        return words.map((word) => [lines(word), word.getClientRects().length, word.textContent.length])}""")
    assert len(words) > 20
    assert {pieces for _, pieces, _ in words} == {1}
    longest = max(length for lines, _, length in words if lines == 1)
    assert all(length > longest for lines, _, length in words if lines > 1)


@pytest.mark.parametrize("width", [390, 1280])
def test_commands_are_seen_whole(show, golden, width):
    hidden = show(golden, width=width).page.eval_on_selector_all(
        "#largest .command code", "(all) => all.map((code) => code.scrollWidth - code.clientWidth)")
    assert len(hidden) > 4 and set(hidden) == {0}
