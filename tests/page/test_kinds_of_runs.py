"""Runs unlike the golden case: nothing compared, no kernel run, ranks that differ, nothing left to do."""

from made_records import linear, signature, tensor, write_manifest, write_record


def test_without_profiled_inputs_nothing_is_called_uncovered(show, write_page, tmp_path):
    write_record(tmp_path / "records", [(linear(2), 5), (linear(3), 4)])
    page = show(write_page(tmp_path, "records"))
    assert page.answer() == "2 signatures, 9 calls. No profiled inputs were given to compare with."
    assert {line["status"] for line in page.unfolded_lines()} == {"not compared"}
    assert "Nothing was compared" in page.text("#largest")


def test_calls_that_gave_their_input_back_stand_apart(show, write_page, tmp_path):
    given_back = signature(tensor(9), "torch.bfloat16", op="aten.to.dtype", output=tensor(9))
    write_record(tmp_path / "records", [(linear(2), 5), (linear(3), 4), (given_back, 100)], returns_input=[2])
    manifest = write_manifest(tmp_path / "inputs.jsonl", [linear(2)])
    page = show(write_page(tmp_path, "records", inputs=[manifest.name]))
    assert page.answer() == "1 of 2 signatures, 55.6 % of 9 calls, has a profiled input of the same structure."
    assert "1 signature with 100 calls gave an input back unchanged" in page.text("#answer")
    assert "to.dtype" not in page.text("#treemap") and "to.dtype" not in page.text("#breakdown")
    assert [line["calls"] for line in page.unfolded_lines()] == [5, 4]
    page.page.click("text=Show them")
    (line,) = page.lines()
    assert (line["status"], line["calls"]) == ("no kernel", 100)


def test_what_the_recorders_noticed_stands_below_the_answer(show, write_page, tmp_path):
    notices = [("look_alikes", 7, "addmm was called more often than linear")]
    write_record(tmp_path / "records", [(linear(2), 5)], rank=1, world_size=4, notices=notices, ops=["aten::linear"],
                 torch="2.11.0", environment={"gpus": ["NVIDIA H200"], "cudnn_benchmark": False})
    page = show(write_page(tmp_path, "records"))
    assert "look_alikes (7): addmm was called more often than linear" in page.text("#answer .warning")
    assert "1 of 4 ranks" in page.text("#spots")
    assert "NVIDIA H200" in page.text("#run-card")
    assert "cudnn_benchmark: false" in page.text("#run")


def test_ranks_that_share_work_unequally_are_told(show, write_page, tmp_path):
    for rank in range(4):
        calls = [(linear(2), 10), (linear(3), 10 * (rank + 1))]
        write_record(tmp_path / "records", calls if rank < 3 else calls[1:], rank=rank, world_size=4)
    page = show(write_page(tmp_path, "records"))
    told = page.page.locator("#patterns tbody tr").all_inner_texts()
    assert [" ".join(line.split()) for line in told] == [
        "all ranks, unequally often 1 100 dit · linear (1) Show", "ranks 0-2 only 1 30 dit · linear (1) Show"]
    page.page.uncheck("#fold")
    label = "Calls by rank: 3 of 4 ranks, 10 to 10 calls"
    assert page.page.locator(f".line [aria-label='{label}']").count() == 1
    bars = page.page.eval_on_selector_all(".line >> nth=0", "([line]) => [...line.querySelectorAll('rect.busy')].map((bar) => bar.height.baseVal.value)")
    assert bars == [6, 12, 18, 24]


def test_where_all_is_covered_nothing_is_left(show, write_page, tmp_path):
    write_record(tmp_path / "records", [(linear(2), 5)])
    manifest = write_manifest(tmp_path / "inputs.jsonl", [linear(2)])
    page = show(write_page(tmp_path, "records", inputs=[manifest.name]))
    assert page.answer() == "1 of 1 signature, 100.0 % of 5 calls, has a profiled input of the same structure."
    assert "Nothing is left to be profiled" in page.text("#largest")


def test_a_weight_that_is_not_known_is_said_to_be(show, write_page, tmp_path):
    unknown = signature(tensor(4), op="custom.op.default")
    write_record(tmp_path / "records", [(linear(2), 5), (unknown, 3)])
    page = show(write_page(tmp_path, "records"))
    page.weigh_by("flops")
    assert page.text("#unknown") == "Not in this picture: 1 signature with 3 calls, whose FLOPs are unknown."
    assert page.page.locator("#breakdown th >> text=Unknown").count() == 1
