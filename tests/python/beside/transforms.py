"""functorch, checkpointing and autocast."""

import torch
import torch.nn.functional as F
from torch.utils.checkpoint import checkpoint

from beside.networks import Net, training_step, weight, x
from beside.registry import situation

# In torch 2.15 torch.func.grad and vjp leave inference mode for what they call. opcov counts
# composites whole there, as in any grad mode; a Python mode sees them in parts, and is no oracle.
STAYS_IN_INFERENCE_MODE = torch.__version__ < (2, 15)

LINEAR_IN_PARTS = {"aten.linear.default": -1, "aten.t.default": 1, "aten.matmul.default": 1}


@situation("composites under functorch", LINEAR_IN_PARTS)
def vmap_over_the_input():
    inputs, w = torch.randn(5, 2, 4), weight()
    return lambda: torch.vmap(lambda row: F.linear(row, w))(inputs)


@situation("composites under functorch", {"aten.to.dtype": -1, "aten._to_copy.default": 1})
def vmap_of_to():
    inputs = torch.randn(5, 2, 4)
    return lambda: torch.vmap(lambda row: row.to(torch.float64))(inputs)


@situation("composites under functorch", LINEAR_IN_PARTS, inference=STAYS_IN_INFERENCE_MODE)
def func_grad():
    inputs, w = x(), weight()
    return lambda: torch.func.grad(lambda row: F.linear(row, w).sum())(inputs)


@situation("composites under functorch", LINEAR_IN_PARTS, inference=STAYS_IN_INFERENCE_MODE)
def func_vjp():
    inputs, w = x(), weight()

    def call():
        output, pull = torch.func.vjp(lambda row: F.linear(row, w), inputs)
        return output, pull(torch.ones(2, 3))

    return call


@situation()
def functional_call():
    net, inputs = Net(), x()
    parameters = {name: parameter * 2 for name, parameter in net.named_parameters()}
    return lambda: torch.func.functional_call(net, parameters, (inputs,))


# The hooks that drop what relu saves are given its result detached, through the dispatcher.
SAVED = ("calls of autograd's own", {"aten.detach.default": 1})


class Checkpointed(torch.nn.Module):
    def __init__(self, **settings):
        super().__init__()
        self.net = Net()
        self.settings = settings

    def forward(self, inputs):
        return checkpoint(self.net, inputs, **self.settings)


def checkpointed(**settings):
    net, inputs = Checkpointed(**settings), torch.randn(2, 4, requires_grad=True)
    return lambda: training_step(net, inputs)


@situation(inference=False)
def checkpoint_reentrant():
    return checkpointed(use_reentrant=True)


@situation(*SAVED, inference=False)
def checkpoint_not_reentrant():
    return checkpointed(use_reentrant=False, early_stop=False)


@situation(*SAVED, inference=False)
def checkpoint_that_stops_early():
    return checkpointed(use_reentrant=False)


@situation("casts of autocast", {"aten.to.dtype": 2})
def autocast():
    inputs, w = x(), weight()

    def call():
        with torch.autocast("cpu", torch.bfloat16):
            return F.linear(inputs, w)

    return call


@situation("casts of autocast", {"aten.to.dtype": 3}, inference=False)
def autocast_training_step():
    net, inputs = Net(), x()

    def call():
        with torch.autocast("cpu", torch.bfloat16):
            return training_step(net, inputs)

    return call
