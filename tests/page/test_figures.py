"""The golden case's page says what its report says."""

import pytest
from shown import number, percent


def short_name(row):
    signature = row["signature"]
    return f"{signature['stage']} · {signature['op'].removeprefix('aten.').removesuffix('.default')}"


def is_covered(row):
    return row["same_structural_signature_ncu_inputs"] != []


def test_the_answer_is_the_first_line(golden_page):
    assert golden_page.answer() == \
        "3 of 31 signatures, 0.7 % of 171,204 calls, have a profiled input of the same structure."


@pytest.mark.parametrize("weight, of", [("signatures", lambda row: 1), ("calls", lambda row: row["calls"])])
def test_every_stage_and_operator_has_the_reports_figures(golden_page, report, weight, of):
    golden_page.weigh_by(weight)
    shown = {name: (number(figure), share) for name, (figure, share) in golden_page.breakdown().items()}
    rows = report["rows"]
    expected = {"Total": rows, **{name: [row for row in rows if short_name(row) == name] for name in map(short_name, rows)}}
    assert shown == {name: (sum(map(of, group)), percent(sum(map(of, filter(is_covered, group))), sum(map(of, group))))
                     for name, group in expected.items()}


@pytest.mark.parametrize("weight", ["flops", "bytes"])
def test_shares_of_other_weights_are_the_side_files(golden_page, detail, weight):
    golden_page.weigh_by(weight)
    known = [row for row in detail["rows"] if row[weight] is not None]
    total = sum(row[weight] * row["calls"] for row in known)
    covered = sum(row[weight] * row["calls"] for row in known if row["covered"])
    assert len(known) == len(detail["rows"])
    figure, share = golden_page.breakdown()["Total"]
    assert share == ("<0.1 %" if 0 < covered < total / 2000 else percent(covered, total))
    value, prefix = figure.replace("FLOP", "").replace("B", "").split()
    assert float(value) * {"T": 1e12, "P": 1e15}[prefix] == pytest.approx(total, rel=0.005)


def test_every_row_is_in_the_list_once_with_its_calls(golden_page, report):
    lines = golden_page.unfolded_lines()
    assert {line["digest"]: line["calls"] for line in lines} == \
        {row["signature_sha256"]: row["calls"] for row in report["rows"]}
    assert len(lines) == len(report["rows"])


def test_rows_are_covered_where_the_report_says_so(golden_page, report):
    lines = {line["digest"]: line for line in golden_page.unfolded_lines()}
    for row in report["rows"]:
        line = lines[row["signature_sha256"]]
        inputs = [entry["input"] for entry in row["same_structural_signature_ncu_inputs"]]
        assert (line["status"] == "covered") == (inputs != [])
        if inputs:
            assert line["because"] == f"{row['signature']['stage']} · covered by {inputs[0]}"


def test_uncovered_rows_say_what_differs_from_the_nearest_input(golden_page, detail):
    lines = {line["digest"]: line for line in golden_page.unfolded_lines()}
    for row in detail["rows"]:
        if not row["covered"]:
            first = row["near_misses"][0]["differences"][0]["text"]
            assert lines[row["signature_sha256"]]["because"].startswith(f"{row['stage']} · {first}")


def test_a_near_miss_differs_in_sizes_or_values_alone(golden_page, detail):
    lines = {line["digest"]: line["status"] for line in golden_page.unfolded_lines()}
    for row in detail["rows"]:
        if not row["covered"]:
            what = {entry["what"] for entry in row["near_misses"][0]["differences"] if entry["where"] != "output"}
            near = all(word.startswith("dim ") for word in what)
            assert lines[row["signature_sha256"]] == ("near miss" if near else "nothing near"), what


def test_the_run_and_what_is_not_shown(golden_page, report):
    run = golden_page.text("#run-card")
    for fact in ("4 (0-3)", "2 of a rank at most, 8 record files", "dit=aten::linear, vae=aten::conv3d, output=aten::to.*",
                 "2.11.0+cu130", "none noticed", "same structure"):
        assert fact in run
    assert golden_page.text("#scope") == report["scope"]


def test_ranks_that_run_alone_are_told(golden_page):
    assert golden_page.text("#ranks-text").startswith("29 of 31 signatures run equally often on each of 4 ranks")
    assert golden_page.text("#patterns tbody").split() == "rank 0 only 2 20 output · to.dtype (2) Show".split()


def test_the_page_is_small(golden):
    assert golden.stat().st_size < 2_000_000
