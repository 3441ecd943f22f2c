"""Every way to name a stage, and every way to leave one."""

import asyncio
import copy
import json
import tempfile
import threading

import opcov
import pytest
import torch
from oracle import SignatureMode
from records import only_record


class Block(torch.nn.Linear):
    def __init__(self):
        super().__init__(3, 3)

    def decode(self, x):
        """Decodes."""
        return self(x)

    def fails(self, x):
        raise KeyError("not today")


X = torch.ones(2, 3)
block = Block()


@pytest.fixture
def stages(tmp_path):
    """stages(call, **settings): linear calls by stage while `call` runs."""

    def counted(call, **settings):
        with opcov.record(tmp_path, ops="aten::linear", **settings):
            call()
        return {stage: calls for (stage, _), calls in only_record(tmp_path).by_op().items()}

    return counted


def test_nested_the_innermost_wins(stages):
    def call():
        block(X)
        with opcov.stage("outer"):
            with opcov.stage("inner"):
                block(X)
            block(X)
            block(X)

    assert stages(call) == {"": 1, "outer": 2, "inner": 1}


def test_exception_restores(stages):
    def call():
        with opcov.stage("outer"):
            with pytest.raises(KeyError), opcov.stage("inner"):
                raise KeyError
            block(X)
        block(X)

    assert stages(call) == {"": 1, "outer": 1}


def test_decorator(stages):
    @opcov.stage("dit")
    def denoise(x):
        """Denoises."""
        return block(x)

    def call():
        denoise(X)
        block(X)

    assert stages(call) == {"dit": 1, "": 1}
    assert (denoise.__name__, denoise.__doc__) == ("denoise", "Denoises.")


def test_decorated_generator_leaves_its_stage_while_suspended(stages):
    closed = []

    @opcov.stage("steps")
    def steps():
        try:
            answer = yield block(X)
            yield answer
        finally:
            block(X)
            closed.append(True)

    def call():
        running = steps()
        next(running)
        block(X)
        assert running.send("sent") == "sent"
        running.close()

    assert stages(call) == {"steps": 2, "": 1}
    assert closed == [True]


def test_decorated_generator_takes_exceptions(stages):
    @opcov.stage("steps")
    def steps():
        try:
            yield
        except KeyError:
            block(X)
        return "done"

    def call():
        running = steps()
        next(running)
        with pytest.raises(StopIteration, match="done"):
            running.throw(KeyError())

    assert stages(call) == {"steps": 1}


def test_decorated_coroutines_do_not_leak_into_each_other(stages):
    @opcov.stage("a")
    async def first():
        await asyncio.sleep(0)
        block(X)
        return "first"

    @opcov.stage("b")
    async def items():
        await asyncio.sleep(0)
        yield block(X)
        await asyncio.sleep(0)
        yield block(X)

    async def second():
        async for _ in items():
            block(X)
        return "second"

    async def main():
        assert await asyncio.gather(first(), second()) == ["first", "second"]

    assert stages(lambda: asyncio.run(main())) == {"a": 1, "b": 2, "": 2}


def test_stage_is_per_thread(stages):
    def call():
        with opcov.stage("main"):
            thread = threading.Thread(target=block, args=(X,))
            thread.start()
            thread.join()
            block(X)

    assert stages(call, stage="others") == {"main": 1, "others": 1}


def test_one_stage_object_nested_and_shared(stages):
    shared = opcov.stage("shared")

    def work():
        with shared, shared:
            block(X)
        block(X)

    def call():
        threads = [threading.Thread(target=work) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()

    assert stages(call) == {"shared": 4, "": 4}


def test_stage_set_before_the_recording_starts(tmp_path):
    with opcov.stage("early"):
        with opcov.record(tmp_path, ops="aten::linear"):
            block(X)
    assert only_record(tmp_path).by_op() == {("early", "aten.linear.default"): 1}


def test_attach_modules_and_methods(stages):
    dit, vae = Block(), Block()

    def call():
        with opcov.attach({"dit": dit, "vae": vae.decode}):
            dit(X)
            vae.decode(X)
            vae(X)
        dit(X)

    assert stages(call) == {"dit": 1, "vae": 1, "": 2}
    assert "forward" not in vars(dit) and "decode" not in vars(vae)


def test_attach_nested_modules(stages):
    net = torch.nn.Sequential(Block(), Block())

    def call():
        with opcov.attach({"net": net, "last": [net[1]]}):
            net(X)

    assert stages(call) == {"net": 1, "last": 1}


def test_attach_survives_exceptions(stages):
    module = Block()

    def call():
        with opcov.attach({"bad": module.fails}):
            with pytest.raises(KeyError):
                module.fails(X)
            block(X)

    assert stages(call) == {"": 1}


def test_attach_removed_in_any_order(stages):
    module = Block()

    def call():
        first, second = opcov.attach({"first": module}), opcov.attach({"second": module})
        first.remove()
        module(X)
        second.remove()
        first.remove()

    assert stages(call) == {"second": 1}


def test_copy_of_an_attached_module_runs_its_own_weights(stages):
    module = Block()

    def call():
        with opcov.attach({"dit": module}):
            other = copy.deepcopy(module)
            torch.nn.init.zeros_(other.weight), torch.nn.init.zeros_(other.bias)
            assert not other(X).any()

    assert stages(call) == {"dit": 1}


def test_attach_keeps_what_the_method_says_of_itself():
    module = Block()
    with opcov.attach({"vae": module.decode}):
        assert (module.decode.__name__, module.decode.__doc__) == ("decode", "Decodes.")


def test_attach_refuses_what_has_no_calls():
    module = Block()
    with pytest.raises(TypeError, match="neither a module nor a bound method"):
        opcov.attach({"dit": module, "vae": "decode"})
    assert "forward" not in vars(module)


def test_stage_inside_compiled_code_keeps_the_graph_whole(stages):
    @torch.compile(backend="eager", fullgraph=True)
    def compiled(x):
        with opcov.stage("inside"):
            return torch.nn.functional.linear(x, x)

    def call():
        with opcov.stage("around"):
            compiled(torch.ones(3, 3))

    assert stages(call) == {"around": 1}


def test_attached_compiled_module(stages):
    module = torch.compile(Block(), backend="eager")

    def call():
        with opcov.attach({"dit": module}):
            module(X)

    assert stages(call) == {"dit": 1}


def test_record_function_ranges(stages):
    def call():
        with torch.profiler.record_function("Transformer.forward"):
            block(X)
            with torch.profiler.record_function("other"), opcov.stage("inner"):
                block(X)
            block(X)
        with torch.profiler.record_function("decode_tiles"):
            block(X)
        block(X)

    ranges = {"dit": "Transformer*", "vae": ["encode*", "decode*"]}
    assert stages(call, stage_ranges=ranges) == {"dit": 2, "inner": 1, "vae": 1, "": 1}


def test_stage_of_threads_that_set_none(stages):
    assert stages(lambda: block(X), stage="app") == {"app": 1}


def test_entries_limited_to_a_stage(tmp_path):
    def call():
        for name in ("dit", "vae", "output"):
            with opcov.stage(name):
                block(X).to(torch.float64)

    with opcov.record(tmp_path, ops=["dit=aten::linear", "output=aten::to.*"]):
        call()
    assert only_record(tmp_path).by_op() == {("dit", "aten.linear.default"): 1, ("output", "aten.to.dtype"): 1}


def test_work_for_other_threads_keeps_its_stage(stages):
    @torch.jit.script
    def on_an_inter_op_thread(x, w):
        future = torch.jit.fork(torch.nn.functional.linear, x, w)
        return torch.jit.wait(future)

    def call():
        with opcov.stage("dit"):
            on_an_inter_op_thread(X, block.weight)
            with opcov.stage("vae"):
                on_an_inter_op_thread(X, block.weight)
            on_an_inter_op_thread(X, block.weight)
        on_an_inter_op_thread(X, block.weight)

    assert stages(call) == {"dit": 2, "vae": 1, "": 1}


def test_a_stage_in_backward_goes_back_to_that_of_the_work():
    """Deep reentrant backwards run on threads of their own."""

    class Reentrant(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x, depth):
            ctx.depth = depth
            return x.clone()

        @staticmethod
        def backward(ctx, grad):
            threads.add(threading.get_ident())
            with opcov.stage("inner"):
                block(X)
            block(X)
            if ctx.depth > 0:
                with torch.enable_grad():
                    Reentrant.apply(torch.ones(2, requires_grad=True), ctx.depth - 1).sum().backward()
            return grad, None

    threads = set()
    with tempfile.TemporaryDirectory() as folder:
        with opcov.record(folder, ops="aten::linear"), opcov.stage("train"):
            Reentrant.apply(torch.ones(2, requires_grad=True), 70).sum().backward()
        counts = only_record(folder).by_op()
    assert len(threads) > 1
    assert counts == {("inner", "aten.linear.default"): 71, ("train", "aten.linear.default"): 71}


def test_a_range_that_never_came_is_told(tmp_path):
    with opcov.record(tmp_path, ops="aten::linear", stage_ranges={"vae": "decode*"}):
        block(X)
    assert only_record(tmp_path).notices["unmatched_range"]["text"] == (
        "OPCOV_STAGE_RANGES entry 'vae=decode*' matches no range of this process"
    )


def test_a_hosts_dispatch_mode_does_not_see_stages():
    with SignatureMode(("*",)) as mode, opcov.stage("dit"):
        torch.ones(2) + 1
    seen = [json.loads(signature)["op"] for signature in mode.calls]
    assert seen and {op.split(".")[0] for op in seen} == {"aten"}


def test_a_stage_can_be_traced_by_torch_jit():
    def function(x):
        with opcov.stage("dit"):
            return x + 1

    traced = torch.jit.trace(function, (torch.ones(2),))
    assert traced(torch.ones(2)).tolist() == [2, 2]


def test_a_stage_that_no_str_names_is_refused_where_it_is_made():
    with pytest.raises(TypeError, match="named by a str"):
        opcov.stage(3)
    with pytest.raises(TypeError, match="named by a str"):
        opcov.attach({3: torch.nn.Linear(1, 1)})
