"""FLOPs of the side file are those of torch.utils.flop_counter for the same calls, bytes those of the tensors."""

import json
import subprocess
import sys
from pathlib import Path

import opcov
import pytest
import torch
import torch.nn.functional as F
from oracle import described
from torch.nn.attention import SDPBackend, sdpa_kernel
from torch.utils.flop_counter import FlopCounterMode, flop_registry

aten = torch.ops.aten


def detail_of(folder):
    detail = folder / "detail.json"
    command = ["opcov", "report", str(folder), "-o", str(folder / "report.json"), "--detail", str(detail)]
    subprocess.run(command, check=True, capture_output=True)
    return json.loads(detail.read_text())


def recorded(call, folder):
    with opcov.record(folder, ops=("aten::*",)):
        call()
    return detail_of(folder)


def counted(call):
    with FlopCounterMode(display=False) as counter:
        call()
    return counter.get_total_flops()


def t(*sizes, dtype=torch.float32):
    return torch.ones(sizes, dtype=dtype)


def attention(*sizes, **settings):
    def call():
        with sdpa_kernel(SDPBackend.MATH):  # what is fused on a CPU has no formula there
            F.scaled_dot_product_attention(*(t(*size) for size in sizes), **settings)

    return call


QKV = (2, 3, 5, 8), (2, 3, 7, 8), (2, 3, 7, 6)

COUNTED = {
    "linear": lambda: F.linear(t(2, 5, 8), t(6, 8), t(6)),
    "linear_of_a_row": lambda: F.linear(t(8), t(6, 8)),
    "linear_of_nothing": lambda: F.linear(t(0, 8), t(6, 8)),
    "linear_transposed": lambda: F.linear(t(8, 5).t(), t(6, 8)),
    "mm": lambda: torch.mm(t(3, 4), t(4, 5)),
    "mm_out": lambda: torch.mm(t(3, 4), t(4, 5), out=t(3, 5)),
    "addmm": lambda: torch.addmm(t(5), t(3, 4), t(4, 5)),
    "bmm": lambda: torch.bmm(t(2, 3, 4), t(2, 4, 5)),
    "baddbmm": lambda: torch.baddbmm(t(2, 3, 5), t(2, 3, 4), t(2, 4, 5), beta=0.5),
    "matmul": lambda: torch.matmul(t(3, 4), t(4, 5)),
    "matmul_folded": lambda: torch.matmul(t(2, 7, 3, 4), t(4, 5)),
    "matmul_broadcast": lambda: torch.matmul(t(2, 1, 3, 4), t(7, 4, 5)),
    "matmul_transposed": lambda: torch.matmul(t(4, 3).t(), t(5, 4).t()),
    "conv1d": lambda: F.conv1d(t(2, 4, 9), t(6, 4, 3), t(6), stride=2),
    "conv2d": lambda: F.conv2d(t(2, 4, 9, 8), t(6, 4, 3, 3), padding=1),
    "conv2d_without_a_batch": lambda: F.conv2d(t(4, 9, 8), t(6, 4, 3, 3)),
    "conv2d_in_groups": lambda: F.conv2d(t(2, 4, 9, 8), t(6, 2, 3, 3), groups=2),
    "conv2d_dilated": lambda: F.conv2d(t(2, 4, 9, 8), t(6, 4, 3, 3), dilation=2),
    "conv2d_same": lambda: F.conv2d(t(2, 4, 9, 8), t(6, 4, 3, 3), padding="same"),
    "conv3d": lambda: F.conv3d(t(1, 4, 5, 6, 7), t(6, 4, 3, 1, 2)),
    "conv_transpose1d": lambda: F.conv_transpose1d(t(2, 4, 9), t(4, 6, 3), stride=2),
    "conv_transpose2d": lambda: F.conv_transpose2d(t(2, 4, 9, 8), t(4, 6, 3, 3), stride=2, output_padding=1),
    "conv_transpose3d": lambda: F.conv_transpose3d(t(2, 4, 5, 6, 7), t(4, 6, 3, 3, 3)),
    "convolution": lambda: aten.convolution(t(2, 4, 9), t(6, 4, 3), None, [1], [0], [1], False, [0], 1),
    "convolution_transposed": lambda: aten.convolution(t(2, 4, 9), t(4, 6, 3), None, [1], [0], [1], True, [0], 1),
    "attention": attention(*QKV),
    "attention_causal": attention(*QKV, is_causal=True),
    "attention_without_heads": attention((5, 8), (7, 8), (7, 6)),
    "attention_masked": attention(*QKV, attn_mask=t(5, 7)),
    "attention_of_shared_heads": attention((2, 6, 5, 8), (2, 3, 7, 8), (2, 3, 7, 8), enable_gqa=True),
    # Nothing that flop_counter counts.
    "norms": lambda: (F.layer_norm(t(2, 8), (8,)), F.group_norm(t(2, 8, 3), 4), F.rms_norm(t(2, 8), (8,))),
    "elementwise": lambda: (F.silu(t(8)), F.gelu(t(8)), t(8).softmax(0), t(8).add_(1), t(8) * t(8), t(8) / 2),
    "copies": lambda: (torch.cat([t(2), t(3)]), t(2).copy_(t(2)), t(2).to(torch.int8), t(3, 4).t().contiguous()),
    "views": lambda: (t(2, 3).view(6), t(2, 3).t()[1:], t(2, 3)[None].expand(4, 2, 3).unbind()),
}


@pytest.mark.parametrize("name", COUNTED)
def test_flops_of_a_call(name, tmp_path):
    with torch.inference_mode():
        detail = recorded(COUNTED[name], tmp_path)
        expected = counted(COUNTED[name])
    assert sum(row["flops"] * row["calls"] for row in detail["rows"]) == expected
    assert detail["weights"]["flops"] == {
        "all": expected,
        "covered": 0,
        "unknown_signatures": 0,
        "unknown_calls": 0,
    }


def convolve(transposed, **settings):
    x, weight = t(2, 4, 9, 8).requires_grad_(), t(4, 4, 3, 3).requires_grad_()
    (F.conv_transpose2d if transposed else F.conv2d)(x, weight, **settings).sum().backward()


BACKWARD = {
    "linear": lambda: F.linear(t(2, 5, 8).requires_grad_(), t(6, 8).requires_grad_()).sum().backward(),
    "conv2d": lambda: convolve(False, stride=2, padding=1),
    "conv_transpose2d": lambda: convolve(True, stride=2),
    "conv2d_of_a_constant": lambda: F.conv2d(t(2, 4, 9, 8), t(6, 4, 3, 3).requires_grad_()).sum().backward(),
}


@pytest.mark.parametrize("name", BACKWARD)
def test_flops_of_a_call_and_its_backward(name, tmp_path):
    detail = recorded(BACKWARD[name], tmp_path)
    assert detail["weights"]["flops"]["all"] == counted(BACKWARD[name]) > 0
    assert detail["weights"]["flops"]["unknown_calls"] == 0


def test_flops_of_the_demo_model(tmp_path):
    sys.path.insert(0, str(Path(__file__).parents[2] / "examples" / "wan_demo"))
    import model

    wan = model.WanModel.build(torch.device("cpu"))

    def generate():
        with torch.inference_mode(), sdpa_kernel(SDPBackend.MATH):
            model.to_pixels(wan.generate(model.ClipSize(32, 32), steps=2, prompt_seed=0, stage=opcov.stage)).numpy()

    detail = recorded(generate, tmp_path)
    assert detail["weights"]["flops"]["all"] == counted(generate) > 0
    assert not [row["call"] for row in detail["rows"] if row["flops"] is None]


Q, K, V = (torch.ones(size, device="meta") for size in QKV)
OUT = torch.ones(2, 3, 5, 6, device="meta")

# What runs on a GPU alone: its arguments, its output, and the entry of flop_counter's own table.
ON_A_GPU = {
    "_scaled_dot_product_flash_attention": ((Q, K, V), [OUT]),
    "_scaled_dot_product_efficient_attention": ((Q, K, V, None, False), [OUT]),
    "_scaled_dot_product_cudnn_attention": ((Q, K, V, None, False), [OUT]),
    "_scaled_dot_product_flash_attention_backward": ((OUT, Q, K, V, OUT), [Q, K, V]),
    "_scaled_dot_product_efficient_attention_backward": ((OUT, Q, K, V, None, OUT), [Q, K, V]),
    "_scaled_dot_product_cudnn_attention_backward": ((OUT, Q, K, V, OUT), [Q, K, V]),
    "_scaled_mm": ((torch.ones(3, 4), torch.ones(4, 5), torch.ones(()), torch.ones(())), torch.ones(3, 5)),
    "convolution_overrideable": (
        (torch.ones(2, 4, 9), torch.ones(6, 4, 3), None, [1], [0], [1], False, [0], 1),
        torch.ones(2, 6, 7),
    ),
}
if torch.__version__ < (2, 11):
    del ON_A_GPU["convolution_overrideable"]  # not in that table yet


@pytest.mark.parametrize("name", ON_A_GPU)
def test_flops_of_a_call_on_a_gpu(name, tmp_path):
    args, output = ON_A_GPU[name]
    op = f"aten.{name}.default"
    signature = {"args": described(args), "kwargs": {}, "op": op, "output": described(output), "stage": ""}
    lines = [
        {"record": "header", "format": "opcov-metadata", "version": 1, "rank": 0},
        {"record": "signature", "id": 0, "signature": signature},
        {"record": "calls", "calls": {"0": 3}},
        {"record": "end", "unrecorded": 0},
    ]
    (tmp_path / "metadata_rank0_pid1.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    (row,) = detail_of(tmp_path)["rows"]
    assert row["flops"] == flop_registry[getattr(aten, name)](*args, out_val=output) > 0


# flop_counter leaves these out, or counts what no kernel does; each is to weigh as much as the call beside it.
SAME = {
    "addmm_in_place": (lambda: t(3, 5).addmm_(t(3, 4), t(4, 5)), lambda: torch.mm(t(3, 4), t(4, 5))),
    "mv": (lambda: torch.mv(t(3, 4), t(4)), lambda: torch.mm(t(3, 4), t(4, 1))),
    "dot": (lambda: torch.dot(t(4), t(4)), lambda: torch.mm(t(1, 4), t(4, 1))),
    "addmv": (lambda: torch.addmv(t(3), t(3, 4), t(4)), lambda: torch.mm(t(3, 4), t(4, 1))),
    "addbmm": (lambda: torch.addbmm(t(3, 5), t(2, 3, 4), t(2, 4, 5)), lambda: torch.bmm(t(2, 3, 4), t(2, 4, 5))),
    "fused_attention": (lambda: F.scaled_dot_product_attention(*(t(*size) for size in QKV)), attention(*QKV)),
    "linear_by_a_vector": (lambda: F.linear(t(3, 4), t(4)), lambda: torch.mm(t(3, 4), t(4, 1))),
}


@pytest.mark.parametrize("name", SAME)
def test_flops_of_what_flop_counter_leaves_out(name, tmp_path):
    call, like = SAME[name]
    with torch.inference_mode():
        (row,) = [row for row in recorded(call, tmp_path)["rows"] if row["flops"]]
        assert row["flops"] == counted(like) > 0


def test_gradients_of_a_convolution_in_groups_weigh_what_it_weighs(tmp_path):
    def call():
        x, weight = t(2, 4, 9, 8).requires_grad_(), t(6, 2, 3, 3).requires_grad_()
        F.conv2d(x, weight, groups=2).sum().backward()

    detail = recorded(call, tmp_path)
    with torch.no_grad():
        forward = counted(lambda: F.conv2d(t(2, 4, 9, 8), t(6, 2, 3, 3), groups=2))
    assert detail["weights"]["flops"]["all"] == 3 * forward


def test_an_operator_without_a_formula_is_unknown(tmp_path):
    with torch.inference_mode():
        detail = recorded(lambda: (torch.einsum("ij,kj->ik", t(2, 3), t(4, 3)), torch.mm(t(2, 3), t(3, 4))), tmp_path)
    assert {row["call"].split("(")[0]: row["flops"] for row in detail["rows"] if row["flops"] != 0} == {
        "einsum": None,
        "mm": 48,
    }
    assert detail["weights"]["flops"] == {"all": 48, "covered": 0, "unknown_signatures": 1, "unknown_calls": 1}


def size_of(*tensors):
    return sum(tensor.numel() * tensor.element_size() for tensor in tensors)


A, B, ROW, HALF = t(4, 6), t(6, 5), t(6), t(4, 6, dtype=torch.bfloat16)
MOVED = {
    "aten.mm.default": (lambda: torch.mm(A, B), size_of(A, B, t(4, 5))),
    "aten.mm.out": (lambda: torch.mm(A, B, out=t(4, 5)), size_of(A, B, t(4, 5))),
    "aten.linear.default": (lambda: F.linear(ROW.expand(4, 6), t(5, 6)), size_of(ROW, t(5, 6), t(4, 5))),
    "aten.add.Tensor": (lambda: A + ROW, size_of(A, ROW, A)),
    "aten.mul_.Tensor": (lambda: A.clone().mul_(2), size_of(A, A)),
    "aten.to.dtype": (lambda: A.to(torch.bfloat16), size_of(A, HALF)),
    "aten.copy_.default": (lambda: t(4, 6).copy_(HALF), size_of(HALF, A)),
    "aten.fill_.Scalar": (lambda: t(4, 6).fill_(2), size_of(A)),
    "aten.cat.default": (lambda: torch.cat([A, A]), size_of(A, A, A, A)),
    "aten.view.default": (lambda: A.view(24), 0),
    "aten.slice.Tensor": (lambda: A[1:], 0),
    "aten.reshape.default": (lambda: A.reshape(24), 0),
    "aten.flatten.using_ints": (lambda: A.t().flatten(), size_of(A, A)),
    "aten.zeros.default": (lambda: torch.zeros(4, 6), size_of(A)),
    "aten.empty_like.default": (lambda: torch.empty_like(A), 0),
    "aten.embedding.default": (
        lambda: F.embedding(torch.tensor([1, 2]), t(1000, 6)),
        2 * 8 + 2 * size_of(t(2, 6)),
    ),
    "aten.unfold.default": (lambda: ROW.unfold(0, 4, 1), 0),
    "aten.clone.default": (lambda: ROW.unfold(0, 4, 1).clone(), size_of(ROW, t(3, 4))),
}


@pytest.mark.parametrize("op", MOVED)
def test_bytes_of_a_call(op, tmp_path):
    call, expected = MOVED[op]
    with torch.inference_mode(), opcov.record(tmp_path, ops=(op,)):
        call()
    (row,) = detail_of(tmp_path)["rows"]
    assert row["bytes"] == expected


def test_a_call_that_gives_its_input_back_weighs_nothing(tmp_path):
    with torch.inference_mode(), opcov.record(tmp_path):
        A.to(torch.float32)
    (row,) = detail_of(tmp_path)["rows"]
    assert (row["returns_input"], row["flops"], row["bytes"]) == (True, 0, 0)
