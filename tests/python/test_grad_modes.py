"""linear, conv3d and to are recorded whole and once in every grad mode, and results and gradients do not change."""

import opcov
import pytest
import torch
import torch.nn.functional as F
from records import only_record

LINEAR, CONV3D, TO = "aten.linear.default", "aten.conv3d.default", "aten.to.dtype"
MODES = {"grad": torch.enable_grad, "no_grad": torch.no_grad, "inference_mode": torch.inference_mode}


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = torch.nn.Linear(4, 4)
        self.conv = torch.nn.Conv3d(1, 2, 3, padding=1)

    def forward(self, x):
        return self.conv(self.linear(x)).to(torch.float64)


def run(net, x, mode):
    """Output and, in grad mode, every gradient and the name of the output's node."""
    with MODES[mode]():
        output = net(x)
    if mode != "grad":
        return [output.clone()]
    net.zero_grad()
    output.sum().backward()
    return [output.detach(), type(output.grad_fn).__name__, *(p.grad.clone() for p in net.parameters())]


def assert_bit_equal(results, expected):
    assert len(results) == len(expected)
    for result, wanted in zip(results, expected):
        if isinstance(wanted, str):
            assert result == wanted
        else:
            assert torch.equal(result, wanted) and result.stride() == wanted.stride()


@pytest.mark.parametrize("mode", MODES)
def test_composites_whole_and_once(mode, tmp_path):
    torch.manual_seed(0)
    net, x = Net(), torch.randn(2, 1, 4, 4, 4)
    expected = run(net, x, mode)
    with opcov.record(tmp_path):
        results = run(net, x, mode)
    counted = {op: calls for (_, op), calls in only_record(tmp_path).by_op().items()}
    assert {op: counted[op] for op in (LINEAR, CONV3D, TO)} == {LINEAR: 1, CONV3D: 1, TO: 1}
    assert_bit_equal(results, expected)


@pytest.mark.parametrize("mode", MODES)
def test_every_operator_at_once_changes_nothing(mode, tmp_path):
    torch.manual_seed(0)
    net, x = Net(), torch.randn(2, 1, 4, 4, 4)
    expected = run(net, x, mode)
    with opcov.record(tmp_path, ops="aten::*"):
        results = run(net, x, mode)
    assert_bit_equal(results, expected)
    counted = {op: calls for (_, op), calls in only_record(tmp_path).by_op().items()}
    assert (counted[LINEAR], counted[CONV3D], counted.get("aten.addmm.default", 0)) == (1, 1, 0)


def test_checkpointed_forward_counts_twice(tmp_path):
    from torch.utils.checkpoint import checkpoint

    net, x = Net(), torch.randn(2, 1, 4, 4, 4, requires_grad=True)
    with opcov.record(tmp_path, ops="aten::linear"):
        checkpoint(net, x, use_reentrant=False).sum().backward()
    assert only_record(tmp_path).by_op() == {("", LINEAR): 2}


def test_second_order_gradients(tmp_path):
    torch.manual_seed(0)
    x, w = torch.randn(3, 4, requires_grad=True), torch.randn(2, 4, requires_grad=True)

    def second_order():
        (first,) = torch.autograd.grad(F.linear(x, w).pow(3).sum(), x, create_graph=True)
        return torch.autograd.grad(first.sum(), (x, w))

    expected = second_order()
    with opcov.record(tmp_path, ops="aten::*"):
        results = second_order()
    assert_bit_equal(results, expected)


def test_mode_on_top_is_recorded_once(tmp_path):
    from oracle import SignatureMode

    x, w = torch.ones(2, 3), torch.ones(4, 3)
    with opcov.record(tmp_path), torch.inference_mode(), SignatureMode() as mode:
        F.linear(x, w)
    assert only_record(tmp_path).calls() == mode.calls


def test_fake_tensors_are_no_calls(tmp_path):
    from torch._subclasses.fake_tensor import FakeTensorMode

    with opcov.record(tmp_path, ops="aten::linear"):
        with FakeTensorMode():
            F.linear(torch.empty(2, 3), torch.empty(4, 3))
        F.linear(torch.ones(5, 5), torch.ones(5, 5))
    assert only_record(tmp_path).by_op() == {("", LINEAR): 1}


def test_tracing_is_not_recorded(tmp_path):
    class Small(torch.nn.Module):
        def forward(self, x):
            return F.linear(x, x)

    with opcov.record(tmp_path):
        torch.export.export(Small(), (torch.ones(3, 3),))
        F.linear(torch.ones(2, 2, device="meta"), torch.ones(2, 2, device="meta"))
        F.linear(torch.ones(5, 5), torch.ones(5, 5))
    assert only_record(tmp_path).by_op()[("", LINEAR)] == 1
