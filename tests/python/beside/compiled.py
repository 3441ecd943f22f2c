"""Programs that are compiled, traced, scripted or exported, as they run and while they are made."""

import os
from pathlib import Path

import torch
import torch.nn.functional as F
from torch.fx.experimental.proxy_tensor import make_fx

from beside.networks import Net, training_step, weight, x
from beside.registry import situation

# Small kernels are compiled for their results, not for their speed.
QUICK = {"cpp.simdlen": 1, "cpp_cache_precompile_headers": False, "compile_threads": 1}


LINEAR = "aten.linear.default"
TRACED = (LINEAR, "aten.relu.default", "aten.to.dtype")


def compiled(backend, **settings):
    net, inputs = Net(), x()
    run = torch.compile(net, backend=backend, fullgraph=True, **settings)
    return lambda: run(inputs)


def compiled_step(backend, **settings):
    net, inputs = torch.compile(Net(), backend=backend, fullgraph=True, **settings), x()
    return lambda: training_step(net, inputs)


@situation(mode=False)
def compile_eager():
    return compiled("eager")


@situation(inference=False)
def compile_eager_training_step():
    return compiled_step("eager")


@situation(never=(LINEAR, "aten.to.dtype"), mode=False)
def compile_aot_eager():
    return compiled("aot_eager")


@situation(never=(LINEAR, "aten.to.dtype"), inference=False)
def compile_aot_eager_training_step():
    return compiled_step("aot_eager")


# relu and to are one kernel of Inductor's; the matrix product it calls from outside.
@situation(counts={"aten.addmm.out": 1}, never=(LINEAR,), mode=False)
def compile_inductor():
    return compiled("inductor", options=QUICK)


@situation(never=(LINEAR, "aten.to.dtype", "aten.relu.default"), inference=False)
def compile_inductor_training_step():
    return compiled_step("inductor", options=QUICK)


@situation(never=(LINEAR, "aten.addmm.out"), mode=False)
def aot_inductor():
    net, inputs = Net().requires_grad_(False), x()
    path = Path(os.environ["TORCHINDUCTOR_CACHE_DIR"]) / "net.pt2"
    if not path.exists():  # one package for the processes that are compared: compiling it takes long
        program = torch.export.export(net, (inputs,))
        wrapper = {"aot_inductor.compile_wrapper_opt_level": "O0", "aot_inductor.precompile_headers": False}
        torch._inductor.aoti_compile_and_package(
            program, package_path=str(path), inductor_configs={**QUICK, **wrapper}
        )
    run = torch._inductor.aoti_load_package(str(path))
    return lambda: run(inputs)


@situation()
def jit_trace():
    net, inputs = Net(), x()
    traced = torch.jit.trace(net, (inputs,))
    return lambda: traced(inputs)


@situation()
def jit_script():
    net, inputs = torch.jit.script(Net().requires_grad_(False)), x()
    return lambda: net(inputs)


@situation(inference=False)
def jit_script_training_step():
    net, inputs = torch.jit.script(Net()), x()
    return lambda: training_step(net, inputs)


def _product(inputs: torch.Tensor, w: torch.Tensor):
    return F.linear(inputs, w)


@torch.jit.script
def _two_products(inputs: torch.Tensor, w: torch.Tensor):
    other = torch.jit.fork(_product, inputs, w)
    return _product(inputs, w), torch.jit.wait(other)


@situation(counts={LINEAR: 2}, mode=False)
def jit_fork():
    inputs, w = x(), weight()
    return lambda: _two_products(inputs, w)


@situation(mode=False)
def run_an_exported_program():
    inputs = x()
    module = torch.export.export(Net(), (inputs,)).module()
    return lambda: module(inputs)


def _exported(**settings):
    net, inputs = Net(), x()

    def call():
        program = torch.export.export(net, (inputs,), **settings)
        return [str(program), program.graph_module.code]

    return call


@situation(traces=True, never=TRACED)
def export():
    return _exported(strict=False)


@situation(traces=True, never=TRACED)
def export_strict():
    return _exported(strict=True)


def _function(inputs, w):
    return F.linear(inputs.relu(), w).to(torch.float64) * 2.5 + torch.ones(3)


def _graph(**settings):
    inputs, w = x(), weight()
    return lambda: make_fx(_function, **settings)(inputs, w).code


TRACED_FOR_REAL = dict.fromkeys((*TRACED, "aten.mul.Tensor", "aten.add.Tensor", "aten.ones.default"), 1)


# The operators run while they are traced. In inference mode the tracer itself takes composites apart.
@situation(counts=TRACED_FOR_REAL, inference=False)
def make_fx_with_real_tensors():
    return _graph()


@situation(traces=True, never=tuple(TRACED_FOR_REAL))
def make_fx_with_fake_tensors():
    return _graph(tracing_mode="fake")


@situation(traces=True, never=tuple(TRACED_FOR_REAL))
def make_fx_with_symbols():
    return _graph(tracing_mode="symbolic")


@situation(counts=TRACED_FOR_REAL, mode=False)
def make_fx_before_autograd():
    return _graph(pre_dispatch=True)


@situation(mode=False)
def graph_of_dynamo():
    """The graph and the number of compilations: a hook must not make dynamo compile anew.

    With fullgraph=True a later torch refuses to run beside a Python mode.
    """
    graphs = []

    def backend(graph, inputs):
        graphs.append(graph.code)
        return graph.forward

    net, inputs = torch.compile(Net(), backend=backend, fullgraph=True), x()
    return lambda: [net(inputs), graphs]
