"""The C++ example, unmodified: recorded by OPCOV=1 and by nothing else, with the same result."""

import pytest

# Counted by hand from the example's sources: three steps of ten linear layers, three convolutions, three conversions.
# In C++ `x.to(device)` is `aten::to.dtype_layout`.
EXPECTED = {
    ("dit", "aten.linear.default"): 30,
    ("vae", "aten.conv3d.default"): 3,
    ("vae", "aten.to.dtype"): 1,
    ("output", "aten.to.dtype"): 1,
    ("output", "aten.to.dtype_layout"): 1,
}


@pytest.fixture(scope="module")
def program(build_dir):
    return build_dir / "bin" / "cpp_inference"


def test_recorded_with_the_same_result(program, run, counts_of, tmp_path):
    plain = run([program], cwd=tmp_path)
    assert list(tmp_path.iterdir()) == [], "a run without OPCOV made files"
    recorded = run([program], cwd=tmp_path, OPCOV="1", OPCOV_DIR="records")
    assert recorded.stdout == plain.stdout
    assert counts_of(tmp_path / "records") == EXPECTED


def test_counts_follow_the_number_of_steps(program, run, counts_of, tmp_path):
    run([program, "5"], cwd=tmp_path, OPCOV="1", OPCOV_DIR="records")
    assert counts_of(tmp_path / "records")[("dit", "aten.linear.default")] == 50


def test_any_operator_can_be_chosen(program, run, counts_of, tmp_path):
    run([program], cwd=tmp_path, OPCOV="1", OPCOV_DIR="records", OPCOV_OPS="vae=aten::upsample_nearest3d")
    assert list(counts_of(tmp_path / "records").values()) == [1]
