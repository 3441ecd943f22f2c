"""The oracle for grad mode: torch's profiler, which sees operators and what they call, with the results unchanged.

A call that the program makes is an operator event with no operator above it. The profiler stands where a call enters
the dispatcher, a Python mode and opcov further down: what autocast, functorch or a conjugate tensor make of a call
before it gets there shows in them alone.
"""

from collections import Counter

import torch

_NO_OPERATORS = ("autograd::", "torch::autograd::", "AOTIModelContainerRunner::")


def profiled(call):
    """(result, calls of the program by operator)"""
    names = torch._C._profiler._ExperimentalConfig(capture_overload_names=True)
    activities = [torch.profiler.ProfilerActivity.CPU]
    with torch.profiler.profile(activities=activities, experimental_config=names) as profile:
        result = call()
    return result, Counter(map(_operator, filter(_is_a_programs_call, profile.events())))


def _is_operator(event):
    return "::" in event.name and not event.name.startswith(_NO_OPERATORS)


def _is_a_programs_call(event):
    above = event.cpu_parent
    while above is not None and not _is_operator(above):
        above = above.cpu_parent
    return _is_operator(event) and above is None


def _operator(event):
    return f"{event.name.replace('::', '.')}.{event.overload_name or 'default'}"
