"""A consumer project builds against an installed tree and is recorded, without and with opcov in its source."""

import subprocess
from pathlib import Path

import pytest


@pytest.fixture(scope="module")
def prefix(build_dir, run, tmp_path_factory):
    prefix = tmp_path_factory.mktemp("prefix")
    run(["cmake", "--install", build_dir, "--prefix", prefix])
    return prefix


@pytest.fixture(scope="module")
def programs(prefix, torch_dir, run, tmp_path_factory):
    build = tmp_path_factory.mktemp("consumer")
    configure = ["cmake", "-S", Path(__file__).parent, "-B", build, "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release"]
    launcher = ["-DCMAKE_CXX_COMPILER_LAUNCHER=ccache"]
    run([*configure, *launcher, f"-DCMAKE_PREFIX_PATH={prefix}", f"-DTORCH_DIR={torch_dir}"])
    run(["cmake", "--build", build, "-j", "2"])
    return build


def test_not_one_line_of_code(programs, run, counts_of, tmp_path):
    run([programs / "unaware"], cwd=tmp_path)
    assert list(tmp_path.iterdir()) == [], "a run without OPCOV made files"
    run([programs / "unaware"], cwd=tmp_path, OPCOV="1", OPCOV_DIR="records")
    assert counts_of(tmp_path / "records") == {("", "aten.linear.default"): 7}


def test_start_stop_and_stages(programs, run, counts_of, tmp_path):
    done = run([programs / "aware", "records"], cwd=tmp_path)
    assert (tmp_path / done.stdout.strip()).is_file()
    counts = counts_of(tmp_path / "records")
    assert counts == {(stage, "aten.linear.default"): n for stage, n in [("dit", 2), ("vae", 1), ("", 1)]}


def test_headers_need_no_torch(programs, run, tmp_path):
    run([programs / "headers_alone"], cwd=tmp_path)


def test_installed_tool_runs(prefix, run):
    assert "report" in run([prefix / "bin" / "opcov", "--help"]).stdout


def test_licence_is_installed(prefix, source_dir):
    assert (prefix / "share" / "doc" / "opcov" / "LICENSE").read_text() == (source_dir / "LICENSE").read_text()


def test_manual_and_completion_scripts_are_installed(prefix, run):
    for file, arguments in {
        "man/man1/opcov.1": ["man"],
        "bash-completion/completions/opcov": ["completion", "bash"],
        "zsh/site-functions/_opcov": ["completion", "zsh"],
    }.items():
        assert (prefix / "share" / file).read_text() == run([prefix / "bin" / "opcov", *arguments]).stdout


def _nm(prefix, *options):
    library = next((prefix / "lib").rglob("libopcov.so"))
    done = subprocess.run(["nm", "-D", *options, library], capture_output=True, text=True, check=True)
    return done.stdout.splitlines()


def test_library_exports_its_own_names_alone(prefix):
    names = [line.split(maxsplit=2)[2] for line in _nm(prefix, "-C", "--defined-only")]
    assert any(name.startswith("opcov::start(") for name in names)
    # What the Python package calls, by ctypes.
    stages = {"opcov_enter_stage", "opcov_leave_stage"}
    graphs = {f"opcov_graph_{name}" for name in ("begin", "end", "forget", "replayed")}
    assert {name for name in names if not name.startswith("opcov::")} == stages | graphs


def test_library_has_a_versioned_name_and_stays_loaded(prefix):
    library = next((prefix / "lib").rglob("libopcov.so"))
    dynamic = subprocess.run(["readelf", "-dW", library], capture_output=True, text=True, check=True).stdout
    assert "Library soname: [libopcov.so.0]" in dynamic
    assert "NODELETE" in dynamic
