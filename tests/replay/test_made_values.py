"""Values of made inputs, against a generator of our own: they follow from the seed and the place in memory alone."""

import pytest
import torch
from captured import snapshots
from records_by_hand import call, tensor, write_record

WORD = 2**64


def bits(seed, index):
    """SplitMix64's output of this index."""
    z = (seed + (index + 1) * 0x9E3779B97F4A7C15) % WORD
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9 % WORD
    z = (z ^ (z >> 27)) * 0x94D049BB133111EB % WORD
    return z ^ (z >> 31)


def from_minus_one_to_one(seed, n):
    return torch.tensor([2 * (bits(seed, i) >> 40) * 2**-24 - 1 for i in range(n)], dtype=torch.float64)


def from_one_to_nine(seed, n):
    return torch.tensor([1 + ((bits(seed, i) >> 32) * 9 >> 32) for i in range(n)], dtype=torch.int64)


def expected(seed, n, dtype):
    """Of n elements in memory."""
    if dtype == torch.bool:
        return torch.tensor([bits(seed, i) >> 63 == 1 for i in range(n)])
    if dtype.is_complex:
        return torch.view_as_complex(expected(seed, 2 * n, dtype.to_real()).reshape(n, 2))
    if dtype.is_floating_point:
        numbers = from_minus_one_to_one(seed, n)
        return numbers if dtype == torch.float64 else numbers.to(torch.float32).to(dtype)
    return from_one_to_nine(seed, n).to(dtype)


DTYPES = [
    *(torch.float64, torch.float32, torch.float16, torch.bfloat16, torch.float8_e4m3fn, torch.float8_e5m2),
    *(torch.complex128, torch.complex64, torch.int64, torch.int32, torch.int16, torch.int8, torch.uint8, torch.uint16),
    torch.bool,
]


@pytest.fixture
def made(replay, tmp_path, request):
    """made(seed, *calls): the arguments that were made, by stage, from snapshots of the replay, on the CPU."""
    device = request.config.getoption("--device")

    def run(seed, *calls):
        write_record(tmp_path / "given", *calls)
        arguments = ("--records", tmp_path / "given", "--seed", seed, "--device", device, "--json")
        done = replay(*arguments, into=tmp_path / "made", OPCOV_CAPTURE="all")
        assert {one["device"] for one in done.calls} == {device}
        paths = [path for name, path in snapshots(tmp_path / "made").items() if not name.startswith("_rank")]
        saved = [torch.load(path, weights_only=True, map_location="cpu") for path in paths]
        return {one["stage"]: one["args"] for one in saved}

    return run


def clone_of(described, stage):
    return call("aten.clone.default", described, output=described, stage=stage)


def test_each_dtype(made):
    found = made(7, *(clone_of(tensor(50, dtype=str(dtype)), str(dtype)) for dtype in DTYPES))
    assert found.keys() == set(map(str, DTYPES))
    for dtype in DTYPES:
        (one,) = found[str(dtype)]
        want = expected(7, 50, dtype)
        assert one.dtype == dtype and torch.equal(one.view(torch.uint8), want.view(torch.uint8)), dtype


def test_memory_is_filled_whatever_the_strides(made):
    strided = tensor(4, 3, stride=[2, 1])  # rows overlap
    expanded = tensor(5, 3, stride=[0, 1])
    apart = tensor(3, 2, stride=[7, 3])
    kinds = {"strided": strided, "expanded": expanded, "apart": apart}
    calls = [call("aten.sum.default", one, output=tensor(), stage=name) for name, one in kinds.items()]
    found = made(0, *calls)
    for name, one in kinds.items():
        memory = expected(0, 20, torch.float32)
        assert torch.equal(found[name][0], memory.as_strided(one["shape"], one["stride"]))


def test_each_tensor_has_values_of_its_own_and_each_seed_too(made):
    x = tensor(8)
    first, second = made(3, call("aten.mul.Tensor", x, x, output=x, stage="a"))["a"]
    assert torch.equal(first, expected(3, 8, torch.float32))
    assert torch.equal(second, expected(3 + 0x100000001, 8, torch.float32))
