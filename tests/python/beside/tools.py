"""Other tools that watch a training step: what each saw is the result that must stay as it was."""

import json
import tempfile
from collections import Counter
from pathlib import Path

import torch
import torch.utils.benchmark
from torch.overrides import TorchFunctionMode
from torch.profiler import ExecutionTraceObserver, profile
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils.flop_counter import FlopCounterMode

from beside.networks import TRAINING_STEP, Net, training_step, x
from beside.registry import situation

try:
    from torch.utils._debug_mode import DebugMode
except ModuleNotFoundError:  # torch 2.9 has none
    DebugMode = None


class Calls(TorchDispatchMode):
    def __init__(self):
        super().__init__()
        self.seen = []

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        self.seen.append(str(func))
        return func(*args, **(kwargs or {}))


class Functions(TorchFunctionMode):
    def __init__(self):
        super().__init__()
        self.seen = []

    def __torch_function__(self, func, types, args=(), kwargs=None):
        self.seen.append(func.__name__)
        return func(*args, **(kwargs or {}))


# With a mode on, autograd detaches the result of relu through the dispatcher when it saves it for backward; torch 2.9
# makes two calls more there than later ones do.
SAVED = ("calls of autograd's own", {"aten.detach.default": 3 if torch.__version__ < (2, 10) else 1})


def watched(watch):
    """watch(step): a training step and what the tool saw of it."""
    net, inputs = Net(), x()
    return lambda: watch(lambda: training_step(net, inputs))


def inside(make_tool, seen):
    """As watched(), for a tool that watches what is inside its `with`; seen(tool): what it saw."""

    def watch(step):
        with make_tool() as tool:
            results = step()
        return [results, seen(tool)]

    return watched(watch)


@situation(inference=False, counts=TRAINING_STEP)
def profiler():
    return inside(
        lambda: profile(activities=[torch.profiler.ProfilerActivity.CPU]),
        lambda tool: sorted(Counter(event.name for event in tool.events()).items()),
    )


@situation(inference=False, counts=TRAINING_STEP)
def profiler_with_shapes_stacks_and_memory():
    def shapes(tool):
        return sorted(f"{event.name} {event.input_shapes}" for event in tool.events() if "aten::" in event.name)

    return inside(lambda: profile(record_shapes=True, with_stack=True, profile_memory=True), shapes)


@situation(inference=False, counts=TRAINING_STEP)
def execution_trace_observer():
    def watch(step):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "trace.json"
            tool = ExecutionTraceObserver().register_callback(str(path))
            tool.start()
            results = step()
            tool.stop()
            tool.unregister_callback()
            nodes = json.loads(path.read_text())["nodes"]
        return [results, sorted(Counter(node["name"] for node in nodes).items())]

    return watched(watch)


if DebugMode is not None:

    @situation(*SAVED, inference=False)
    def debug_mode():
        return inside(DebugMode, DebugMode.debug_string)


@situation(*SAVED, inference=False)
def flop_counter_mode():
    return inside(
        lambda: FlopCounterMode(display=False), lambda tool: sorted(map(str, tool.get_flop_counts().items()))
    )


@situation(*SAVED, inference=False)
def dispatch_mode():
    return inside(Calls, lambda tool: tool.seen)


@situation(inference=False)
def function_mode():
    return inside(Functions, lambda tool: tool.seen)


@situation()
def benchmark_timer():
    net, inputs = Net(), x()
    timer = torch.utils.benchmark.Timer("net(inputs)", globals={"net": net, "inputs": inputs})
    return lambda: timer.timeit(7).number_per_run
