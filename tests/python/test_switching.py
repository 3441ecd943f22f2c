"""Switching on, staying off, and never being silent about an empty recording."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from records import only_record, records_in

LINEAR = ("", "aten.linear.default")


def test_environment_alone(program, records):
    done = program("assert 'opcov' in sys.modules; work(6)", OPCOV="1")
    assert only_record(records).by_op() == {LINEAR: 6}
    assert done.stderr_text == ""


def test_start_in_the_program(program, records):
    program("import opcov; work(1); opcov.start(ops='aten::linear'); work(2); opcov.stop(); work(3)")
    assert only_record(records).by_op() == {LINEAR: 2}


def test_record_as_a_block(program, records):
    program("import opcov\nwith opcov.record('records'):\n    work(2)\nwork(3)")
    assert only_record(records).by_op() == {LINEAR: 2}


def test_arguments_win_over_the_environment(program, records):
    program("import opcov; opcov.start('elsewhere'); work(1)", OPCOV_OPS="aten::linear")
    assert records_in(records) == []
    assert only_record(records.parent / "elsewhere").header["ops"] == ["aten::linear"]


@pytest.mark.parametrize("value", [None, "0", ""])
def test_off_means_no_hook_no_file_no_import(program, records, value):
    settings = {} if value is None else {"OPCOV": value}
    done = program(
        """
        work(3)
        assert 'opcov' not in sys.modules
        assert 'libopcov' not in open('/proc/self/maps').read()
        """,
        **settings,
    )
    assert not records.exists() and done.stderr_text == ""


def test_library_without_a_start_places_no_hook(program, records):
    program(
        """
        import opcov
        with opcov.stage('dit'):
            work(1)
        dump = torch._C._dispatch_dump('aten::linear') + torch._C._dispatch_dump('aten::add.Tensor')
        assert 'libopcov' in open('/proc/self/maps').read()
        assert 'opcov recorder' not in dump and 'BackendSelect' not in dump, dump
        """
    )
    assert not records.exists()


def test_a_hook_is_seen_in_the_dispatch_table_once_recording(program):
    """So that the test above cannot pass for the wrong reason."""
    program(
        """
        import opcov
        opcov.start()
        assert 'BackendSelect' in torch._C._dispatch_dump('aten::linear')
        work(1)
        """
    )


def test_torch_autoload_can_be_turned_off(program, records):
    program("work(3); assert 'opcov' not in sys.modules", OPCOV="1", TORCH_DEVICE_BACKEND_AUTOLOAD="0")
    assert not records.exists()


@pytest.mark.parametrize(
    "settings, words",
    [
        ({"OPCOV_OP": "aten::mm"}, ["OPCOV_OP ", "OPCOV_OPS"]),
        ({"OPCOV_DEVICES": "gpu"}, ["OPCOV_DEVICES=gpu", "cuda, cpu"]),
        ({"OPCOV": "maybe"}, ["OPCOV=maybe", "1 or 0"]),
    ],
)
def test_bad_settings_are_one_line_and_off(program, records, settings, words):
    done = program("work(3); print('the host goes on')", **{"OPCOV": "1", **settings})
    (line,) = done.stderr_text.splitlines()
    assert line.startswith("opcov: ") and all(word in line for word in words), line
    assert done.stdout_text == "the host goes on\n" and not records.exists()


def test_a_library_that_is_missing_is_one_line(program):
    done = program("work(3); print('the host goes on')", OPCOV="1", OPCOV_LIBRARY="/nowhere/libopcov.so")
    (line,) = done.stderr_text.splitlines()
    assert "/nowhere/libopcov.so" in line and "unset it" in line
    assert done.stdout_text == "the host goes on\n"


def test_a_library_for_another_torch_is_told_by_version(tmp_path, monkeypatch):
    from opcov import _library

    monkeypatch.setattr(_library, "TORCH_VERSION", "1.13")
    with pytest.raises(ImportError, match=r"built for torch 1\.13, but torch 2\.11\.0 is here"):
        _library.check_version("2.11.0")


def test_the_torch_that_would_be_imported_is_known_without_importing_it():
    source = """
import sys
from opcov import _library
told = _library.installed_torch()
assert "torch" not in sys.modules
import torch
assert told == _library.installed_torch() == torch.__version__, told
"""
    subprocess.run([sys.executable, "-c", source], check=True, timeout=120)


@pytest.mark.parametrize("version_file", [None, "", "debug = False\n"])
def test_a_torch_that_states_no_version_is_none_to_refuse(tmp_path, version_file):
    (tmp_path / "torch").mkdir()
    (tmp_path / "torch" / "__init__.py").touch()
    if version_file is not None:
        (tmp_path / "torch" / "version.py").write_text(version_file)
    source = f"""
import sys
sys.path.insert(0, {str(tmp_path)!r})
import opcov
assert opcov._library.installed_torch() == ""
"""
    subprocess.run([sys.executable, "-c", source], check=True, timeout=120)


def test_a_folder_that_cannot_be_written(program, records):
    records.write_text("a file, where the folder should be")
    done = program("work(3); print('the host goes on')", OPCOV="1")
    (line,) = done.stderr_text.splitlines()
    assert line.startswith("opcov: ") and str(records) in line
    assert done.stdout_text == "the host goes on\n"


def test_an_empty_run_says_so(program, records):
    done = program("torch.ones(3).sin()", OPCOV="1", OPCOV_OPS="aten::conv3d")
    (line,) = done.stderr_text.splitlines()
    assert "aten::conv3d" in line and "OPCOV_OPS" in line
    assert line.removeprefix("opcov: ") == only_record(records).notices["no_selected_call"]["text"]


def test_look_alikes_are_named(program, records):
    done = program("for _ in range(4): torch.addmm(torch.ones(4), torch.ones(2, 3), torch.ones(3, 4))", OPCOV="1")
    (line,) = done.stderr_text.splitlines()
    assert "aten::addmm" in line.replace(".", "::") and "4" in line and "@gemm" in line
    assert only_record(records).by_op() == {}


def test_mostly_look_alikes_is_a_notice(program, records):
    done = program("work(1)\nfor _ in range(4): torch.mm(torch.ones(2, 3), torch.ones(3, 4))", OPCOV="1")
    notice = only_record(records).notices["look_alikes"]
    assert notice["count"] == 4 and notice["text"] in done.stderr_text


def test_a_process_without_any_operator_is_left_alone(program, records):
    from programs import clean_environment

    done = subprocess.run(
        [sys.executable, "-c", "import torch"],
        env=clean_environment(records, OPCOV="1"),
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert (done.returncode, done.stderr) == (0, "") and not records.exists()


def test_the_command_hands_over_to_the_executable(tmp_path):
    import opcov

    assert Path(opcov.__file__).parent.joinpath("bin", "opcov").is_file()
    source = "import sys; sys.argv = ['opcov', '--version']; from opcov_command import main; main()"
    done = subprocess.run([sys.executable, "-c", source], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0 and "0.1.0" in done.stdout


@pytest.mark.parametrize("deterministic, warn_only", [(True, True), (True, False), (False, False)])
def test_the_header_states_how_torch_was_set(program, records, deterministic, warn_only):
    source = f"""
    import json
    torch.use_deterministic_algorithms({deterministic}, warn_only={warn_only})
    torch.backends.cudnn.benchmark = {deterministic}
    torch.backends.cudnn.deterministic = {warn_only}
    torch.backends.cuda.matmul.fp32_precision = "{"tf32" if warn_only else "ieee"}"
    work(1)
    print(json.dumps({{
        "cudnn_benchmark": torch.backends.cudnn.benchmark,
        "cudnn_deterministic": torch.backends.cudnn.deterministic,
        "deterministic_algorithms": torch.are_deterministic_algorithms_enabled(),
        "deterministic_algorithms_warn_only": torch.is_deterministic_algorithms_warn_only_enabled(),
        "cuda_matmul_float32_precision": torch.backends.cuda.matmul.fp32_precision,
        "cudnn_conv_float32_precision": torch.backends.cudnn.conv.fp32_precision,
    }}))
    """
    done = program(source, OPCOV="1")
    assert only_record(records).header["environment"] == json.loads(done.stdout_text)
