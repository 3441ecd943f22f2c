"""What a recording does where there is too much to record, and how it tells of what it did not see."""

import _ctypes
import ctypes
import json
import subprocess

import opcov
import torch
from records import only_record

X = torch.ones(20)


def test_calls_past_the_limit_are_counted_together(tmp_path, capfd):
    with opcov.record(tmp_path, ops="aten::select.int", max_signatures=3):
        for _ in range(2):
            for i in range(20):
                torch.select(X, 0, i)
    record = only_record(tmp_path)
    assert sorted(record.calls().values()) == [2, 2, 2]
    assert record.notices["overflow"]["count"] == 2 * 17
    assert capfd.readouterr().err.count("OPCOV_MAX_SIGNATURES") == 1


def test_counts_of_many_signatures_stand_in_several_lines(tmp_path):
    many = 100_002
    x = torch.zeros(1).expand(many)
    with opcov.record(tmp_path, ops="aten::select.int"):
        for i in range(many):
            torch.select(x, 0, i)
        torch.select(x, 0, many - 1)
    record = only_record(tmp_path)
    assert [len(line["calls"]) for line in record.of_kind("calls")] == [100_000, 2]
    assert sorted(record.calls().values()) == [1] * (many - 1) + [2]


def test_the_overflow_outlives_a_kill(program, tmp_path):
    program(
        """
        import opcov, signal
        opcov.start("records", ops="aten::select.int", max_signatures=3)
        x = torch.ones(20)
        for i in range(20):
            torch.select(x, 0, i)
        os.kill(os.getpid(), signal.SIGKILL)
        """,
        status=-9,
    )
    done = subprocess.run(["opcov", "summary", "records"], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert "OPCOV_MAX_SIGNATURES" in done.stdout + done.stderr
    assert "17" in done.stdout
    done = subprocess.run(["opcov", "report", "records"], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert sum(row["calls"] for row in json.loads(done.stdout)["rows"]) == 3


def test_calls_on_nested_tensors_in_grad_mode_are_told(tmp_path):
    nested = torch.nested.nested_tensor([torch.ones(2, 3), torch.ones(4, 3)])
    with opcov.record(tmp_path, ops="aten::linear"):
        torch.nn.functional.linear(nested, torch.ones(5, 3))
        torch.nn.functional.linear(torch.ones(2, 3), torch.ones(5, 3))
    assert only_record(tmp_path).notices["other_backend"]["count"] > 0


def test_a_loaded_library_of_aot_inductors_is_told(tmp_path):
    source, library = tmp_path / "model.c", tmp_path / "model.so"
    source.write_text("int AOTInductorModelContainerRun(void) { return 0; }")
    subprocess.run(["cc", "-shared", "-fPIC", "-o", library, source], check=True)
    opened = ctypes.CDLL(str(library))
    with opcov.record(tmp_path, ops="aten::linear"):
        torch.nn.functional.linear(torch.ones(2, 3), torch.ones(5, 3))
    _ctypes.dlclose(opened._handle)
    assert set(only_record(tmp_path).notices) == {"aot_inductor"}


def test_plain_calls_leave_no_notice(tmp_path):
    with opcov.record(tmp_path, ops="aten::linear"):
        torch.nn.functional.linear(torch.ones(2, 3), torch.ones(5, 3))
    assert only_record(tmp_path).notices == {}
