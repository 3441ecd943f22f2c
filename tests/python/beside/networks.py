"""What the situations run: small enough to be read in a count, and with an operator of each kind."""

import torch
import torch.nn.functional as F


class Net(torch.nn.Module):
    """linear and to, which are composites, and relu, which is none."""

    def __init__(self):
        super().__init__()
        self.linear = torch.nn.Linear(4, 4)

    def forward(self, x):
        return F.relu(self.linear(x)).to(torch.float64)


def x():
    return torch.randn(2, 4)


def weight():
    return torch.randn(3, 4)


def training_step(net, *inputs):
    """Forward and backward; the outputs and every gradient."""
    net.zero_grad(set_to_none=True)
    output = net(*inputs)
    output.sum().backward()
    return [output, *(parameter.grad for parameter in net.parameters())]


# What a training step of Net calls, by reading it: the forward, sum(), and the derivative of each; `add_` is where a
# gradient joins one there is, so not here.
TRAINING_STEP = {
    "aten.linear.default": 1,
    "aten.relu.default": 1,
    "aten.to.dtype": 1,
    "aten.sum.default": 1,
    "aten.ones_like.default": 1,
    "aten.expand.default": 1,
    "aten.to.dtype_layout": 1,
    "aten.threshold_backward.default": 1,
    "aten.t.default": 3,
    "aten.mm.default": 1,
    "aten.sum.dim_IntList": 1,
    "aten.view.default": 1,
    "aten.detach.default": 2,
}
