"""Where in the code a signature is first called, held against what Python itself says of its stack and its modules."""

import bisect
import json
import os
import re
import subprocess
import sys

import pytest
from programs import finished, start_command, start_program
from records import only_record, records_in

# here(): the program's own frames, innermost first, as the line that calls it has them. expect(n): they belong to the
# call of linear with n rows on the same line.
ORACLE = """
import functools, json, threading, traceback
F = torch.nn.functional
INNER = os.path.dirname(torch.__file__) + os.sep
weight = torch.ones(4, 3)
expected = {}
def here():
    stack = traceback.walk_stack(sys._getframe(1))
    frames = [(frame.f_code, line) for frame, line in stack if not frame.f_code.co_filename.startswith(INNER)]
    told = [(entry.filename, entry.lineno, entry.name) for entry in reversed(traceback.extract_stack()[:-1])]
    assert [(c.co_filename, n, c.co_name) for c, n in frames] == [e for e in told if not e[0].startswith(INNER)]
    return [f"{code.co_filename}:{line} {code.co_qualname}" for code, line in frames]
def expect(rows):
    expected[rows] = here()[1:]
    return torch.ones(rows, 3)
"""
TELL = "\nprint(json.dumps(expected))\n"


def places_of(record, size=lambda signature: signature["args"][0]["shape"][0]):
    """The value of the `where` line by a number that the signature holds: the rows of a linear's input."""
    places = {line["id"]: line["where"] for line in record.of_kind("where")}
    return {size(line["signature"]): places.get(line["id"]) for line in record.of_kind("signature")}


@pytest.fixture
def located(program, records):
    """located(source): the places of the calls of linear by their rows, and what the program says they are."""

    def run(source, **settings):
        # Of linear alone: what the interpreter's own library prints of tensors calls operators too.
        settings = {"OPCOV_OPS": "aten::linear", **settings}
        done = program(ORACLE + source + TELL, OPCOV="1", OPCOV_WHERE="1", **settings)
        assert done.stderr_text == ""
        return places_of(only_record(records)), {int(n): told for n, told in json.loads(done.stdout_text).items()}

    return run


def frames_of(places):
    return {rows: place["frames"] for rows, place in places.items()}


@pytest.mark.parametrize("typed", ["1", "0"])
def test_frames_are_those_of_pythons_own_traceback(located, typed):
    places, expected = located(
        """
def plain(n): return F.linear(expect(n), weight)
class Holder:
    def method(self, n): return (lambda: plain(n))()
    @staticmethod
    def of_class(n): return [F.linear(expect(n), weight) for _ in range(1)]
plain(1)
Holder().method(2)
Holder.of_class(3)
functools.partial(plain, 4)()
F.linear(expect(5), weight)
exec(compile('F.linear(expect(6), weight)', 'made up.py', 'exec'))
""",
        OPCOV_TYPED=typed,
    )
    assert set(expected) == {1, 2, 3, 4, 5, 6}
    assert frames_of(places) == expected
    assert all(set(place) == {"frames"} for place in places.values())


def test_threads_generators_and_coroutines_have_frames_of_their_own(located):
    places, expected = located(
        """
import asyncio
def generator():
    yield F.linear(expect(1), weight)
    yield from inner()
def inner():
    yield F.linear(expect(2), weight)
async def coroutine():
    await asyncio.sleep(0)
    return F.linear(expect(3), weight)
def of_thread(n): F.linear(expect(n), weight)
list(generator())
asyncio.run(coroutine())
threads = [threading.Thread(target=of_thread, args=(n,)) for n in range(4, 12)]
for thread in threads: thread.start()
for thread in threads: thread.join()
"""
    )
    assert len(expected) == 11
    assert {rows: frames[:16] for rows, frames in expected.items()} == frames_of(places)
    assert "generator" in places[2]["frames"][1] and "of_thread" in places[11]["frames"][0]


def test_a_deep_stack_is_cut_and_says_so(located):
    places, expected = located(
        """
def deep(n, rows): return deep(n - 1, rows) if n else F.linear(expect(rows), weight)
deep(14, 1)
deep(15, 2)
deep(700, 3)
"""
    )
    assert len(expected[1]) == 16 and places[1] == {"frames": expected[1]}
    assert len(expected[2]) == 17 and places[2] == {"frames": expected[2][:16], "more": True}
    assert places[3] == {"frames": expected[3][:16], "more": True}


def test_what_lies_too_deep_in_torch_is_not_looked_at_and_the_place_says_so(located):
    places, _ = located(
        """
def nested(depth):
    net = torch.nn.Linear(3, 4)
    for _ in range(depth): net = torch.nn.Sequential(net)
    return net
nested(10)(torch.ones(1, 3))
nested(100)(torch.ones(2, 3))
"""
    )
    assert places[1]["module"] == "0" + 9 * ".0" and len(places[1]["frames"]) == 1 and "more" not in places[1]
    assert "frames" not in places[2] and places[2]["left_out"] == 256 and places[2]["more"] is True


MODULES = """
class Attention(torch.nn.Module):
    def __init__(self, width):
        super().__init__()
        self.q_proj = torch.nn.Linear(3, width)
        self.out = torch.nn.Sequential(torch.nn.Linear(width, width + 1), torch.nn.ReLU())
    def forward(self, x): return self.out(self.q_proj(x))
class Block(torch.nn.Module):
    def __init__(self, width):
        super().__init__()
        self.attn = Attention(width)
        self.extra = torch.nn.ModuleDict({'a b': torch.nn.Linear(width + 1, 3)})
    def forward(self, x): return self.extra['a b'](self.attn(x))
class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.blocks = torch.nn.ModuleList([Block(10 * n) for n in range(1, 6)])
        self.head = torch.nn.Linear(3, 99)
    def forward(self, x):
        for block in self.blocks: x = block(x)
        return self.head(x)
net = Net()
"""


def weight_shape(signature):
    return tuple(signature["args"][1]["shape"])


def test_modules_have_the_names_that_named_modules_gives_them(program, records):
    done = program(
        MODULES
        + """
import json
net(torch.ones(2, 3))
print(json.dumps([[name, list(m.weight.shape)] for name, m in net.named_modules() if isinstance(m, torch.nn.Linear)]))
""",
        OPCOV="1",
        OPCOV_WHERE="1",
    )
    named = {tuple(shape): name for name, shape in json.loads(done.stdout_text)}
    places = places_of(only_record(records), weight_shape)
    assert len(named) == 16
    assert {shape: place["module"] for shape, place in places.items()} == named
    assert {(place["class"], place["root"]) for place in places.values()} == {("Linear", "Net")}
    # Frames of torch: Linear.forward and two of Module.__call__ for each module in the way.
    assert places[99, 3]["left_out"] == 5
    assert places[10, 3]["left_out"] == 9


def test_a_module_is_named_by_the_way_the_call_came(located):
    places, _ = located(
        """
class Twice(torch.nn.Module):
    def __init__(self, layer, hidden=()):
        super().__init__()
        self.first, self.second, self.hidden = layer, layer, list(hidden)
    def forward(self, x):
        for layer in self.hidden: layer(x)
        return self.second(x) if not self.hidden else x
class Around(torch.nn.Module):
    def __init__(self, *inner):
        super().__init__()
        self.one, self.two = inner
    def forward(self, x, which): return getattr(self, which)(x)
class Again(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = torch.nn.Linear(3, 3)
    def forward(self, x, n): return self(x, n - 1) if n else self.layer(x)
shared = torch.nn.Linear(3, 3)
Twice(shared)(torch.ones(1, 3))
Around(Twice(shared), Twice(shared))(torch.ones(2, 3), 'two')
Twice(shared, [torch.nn.Sequential(shared)])(torch.ones(3, 3))
Again()(torch.ones(4, 3), 3)
shared(torch.ones(5, 3))
shared.forward(torch.ones(6, 3))
"""
    )
    named = {rows: [place.get(key, "") for key in ("module", "class", "root")] for rows, place in places.items()}
    assert named == {
        1: ["first", "Linear", "Twice"],
        2: ["two.first", "Linear", "Around"],
        3: ["0", "Linear", "Sequential"],  # which is in a list, where named_modules() does not find it
        4: ["layer", "Linear", "Again"],
        5: ["", "Linear", "Linear"],
        6: ["", "", ""],
    }


def test_calls_of_the_backward_say_so(located):
    places, expected = located(
        """
torch.set_grad_enabled(True)
net = torch.nn.Sequential(torch.nn.Linear(3, 5))
loss = net(torch.ones(2, 3)).sum()
expected[7] = here(), loss.backward()
""",
        OPCOV_OPS="aten::linear,aten::mm",
    )
    (_, backward), (_, forward) = sorted(places.items(), key=lambda item: "module" in item[1])
    assert forward["module"] == "0" and "backward" not in forward
    assert backward["backward"] is True and "root" not in backward
    assert backward["frames"] == expected[7][0]


def test_a_kill_loses_no_place(tmp_path, records):
    finished(start_program(MODULES + "net(torch.ones(2, 3)); os.kill(os.getpid(), 9)", tmp_path, OPCOV="1",
                           OPCOV_WHERE="1"), -9)
    record = only_record(records)
    assert not record.has_end
    places = places_of(record, weight_shape)
    assert len(places) == 16 and all(place["root"] == "Net" for place in places.values())


def test_forked_workers_note_places_of_their_own(program, records):
    program(
        """
class Data(torch.utils.data.Dataset):
    def __len__(self): return 2
    def __getitem__(self, i): return layer(torch.ones(i + 2, 3))
layer(torch.ones(1, 3))
list(torch.utils.data.DataLoader(Data(), batch_size=None, num_workers=2, multiprocessing_context='fork'))
""",
        OPCOV="1",
        OPCOV_WHERE="1",
    )
    places = {rows: place for record in records_in(records) for rows, place in places_of(record).items()}
    assert set(places) == {1, 2, 3}
    for rows in (2, 3):
        assert places[rows]["frames"][0].endswith(" Data.__getitem__") and places[rows]["root"] == "Linear"


def test_children_forked_beside_first_calls_note_theirs_without_a_wait(program, records):
    done = program(
        """
import threading, time, warnings
warnings.simplefilter('ignore')
# A weight of each thread's own, and a call before: torch has locks that a child would wait for, with opcov or without.
def linear(rows, weight): torch.nn.functional.linear(torch.ones(rows, 3), weight)
weight = torch.ones(4, 3)
linear(999, weight)
ended = threading.Event()
rows = iter(range(1000, 10 ** 6))
def first_calls():
    own = torch.ones(4, 3)
    while not ended.is_set(): linear(next(rows), own)
threads = [threading.Thread(target=first_calls) for _ in range(2)]
for thread in threads: thread.start()
for child in range(1, 31):
    if os.fork() == 0:
        linear(child, weight)
        os._exit(0)
for child in range(1, 31): assert os.wait()[1] == 0
ended.set()
for thread in threads: thread.join()
""",
        OPCOV="1",
        OPCOV_WHERE="1",
    )
    assert done.stderr_text == ""
    found = records_in(records)
    places = {rows: place for record in found for rows, place in places_of(record).items()}
    assert len(found) == 31 and all(place["frames"][0].endswith(" linear") for place in places.values())
    assert set(range(1, 31)) < set(places)
    assert not any("no_python_place" in record.notices for record in found)


def test_each_of_a_thousand_signatures_of_one_line_has_its_place(located):
    places, expected = located("for n in range(1, 1001): F.linear(expect(n), weight)")
    assert len(places) == 1000 and frames_of(places) == expected


@pytest.mark.parametrize("setting", [{}, {"OPCOV_WHERE": "0"}])
def test_nothing_is_noted_without_the_setting(program, records, setting):
    program("work(1)", OPCOV="1", **setting)
    record = only_record(records)
    assert record.of_kind("where") == [] and len(record.of_kind("signature")) == 1


def test_a_start_in_the_program_may_ask_for_it(program, records):
    program("import opcov\nwith opcov.record('records', where=True): work(1)")
    (line,) = only_record(records).of_kind("where")
    assert line["where"]["root"] == "Linear"


def test_names_of_files_may_hold_any_bytes(tmp_path, records):
    script = os.fsencode(tmp_path) + b"/odd \xff \xc3\xa9.py"
    long = "/".join(["d" * 200] * 3)
    with open(script, "wb") as file:
        file.write(b"import torch\ntorch.nn.functional.linear(torch.ones(1, 3), torch.ones(4, 3))\n")
        file.write(f"source = 'torch.nn.functional.linear(torch.ones(2, 3), torch.ones(4, 3))'\n".encode())
        file.write(f"exec(compile(source, '{long}/\u00e9.py', 'exec'))\n".encode())
    finished(start_command([sys.executable, os.fsdecode(script)], tmp_path, OPCOV="1", OPCOV_WHERE="1"), 0)
    places = places_of(only_record(records))
    assert places[1]["frames"] == [f"{tmp_path}/odd \\udcff \u00e9.py:2 <module>"]
    assert places[2]["frames"][0] == "..." + f"{long}/\u00e9.py"[-299:] + ":1 <module>"


UNDISTURBED = """
import gc, weakref
seen = []
def watch(frame, event, argument):
    if 'traceback' not in frame.f_code.co_filename: seen.append([frame.f_code.co_qualname, frame.f_lineno, event])
class Inner(torch.nn.Module):
    def forward(self, x):
        doubled = x * 2
        known = weakref.ref(doubled)
        y = layer(doubled)
        del doubled
        assert known() is None, 'a local lives on'
        return y
net = torch.nn.Sequential(Inner())
for parameter in layer.parameters(): parameter.fill_(0.5)
threshold = gc.get_threshold()
sys.setprofile(watch)
x = torch.ones(2, 3)
known = weakref.ref(x)
try:
    1 / 0
except ZeroDivisionError as error:
    y = net(x)
    assert sys.exc_info()[1] is error
del x
assert known() is None, 'an argument lives on'
sys.setprofile(None)
assert gc.isenabled() and gc.get_threshold() == threshold
assert not torch.nn.modules.module._global_forward_hooks and not torch.nn.modules.module._global_forward_pre_hooks
assert [hooks for m in net.modules() for hooks in (m._forward_hooks, m._forward_pre_hooks) if hooks] == []
gc.disable()
layer(torch.ones(3, 3))
assert not gc.isenabled()
import json, threading
print(json.dumps(seen), y.sum().item(), threading.active_count())
"""


def test_the_program_runs_as_without_it(program, records):
    outputs = [program(UNDISTURBED, OPCOV="1", OPCOV_WHERE=where).stdout_text for where in "01"]
    assert outputs[0] == outputs[1] and "Inner.forward" in outputs[0]
    assert [len(record.of_kind("where")) for record in records_in(records)].count(2) == 1


def test_a_thread_that_keeps_pythons_lock_stops_no_call(tmp_path, records):
    """As a host does that waits for a lock of its own, held around the call, with Python's lock taken."""
    gate = tmp_path / "gate"
    os.mkfifo(gate)
    process = start_program(
        """
import ctypes, threading
gate = os.open('gate', os.O_RDWR)
asleep = threading.Event()
taken = ctypes.create_string_buffer(1)
def keep_the_lock():
    asleep.wait()
    ctypes.PyDLL(None).read(gate, taken, 1)
keeper = threading.Thread(target=keep_the_lock)
keeper.start()
a = torch.ones(3000, 3000)
asleep.set()
torch.nn.functional.linear(a, a)
keeper.join()
work(1)
""",
        tmp_path,
        OPCOV="1",
        OPCOV_WHERE="1",
    )
    wait_for_signature(records, process)
    gate.write_bytes(b"x")
    assert finished(process, 0).stderr_text == ""
    record = only_record(records)
    places = places_of(record)
    assert places[3000] is None and places[2]["root"] == "Linear"
    assert record.notices["no_python_place"]["count"] == 1


def wait_for_signature(records, process):
    """Until a signature is in the record, which the program is then still busy with."""
    while not any(record.of_kind("signature") for record in whole_records(records)):
        assert process.poll() is None
        os.sched_yield()


def whole_records(folder):
    return [record for record in records_in(folder)] if any(path.stat().st_size for path in folder.glob("*.jsonl")) else []


def test_calls_while_python_ends_are_recorded_and_leave_it_alone(program, records):
    done = program(
        """
import atexit
linear, ones = torch.nn.functional.linear, torch.ones
class Last:
    def __del__(self): linear(ones(7, 3), ones(4, 3))
def at_the_end(): linear(ones(6, 3), ones(4, 3))
atexit.register(at_the_end)
sys.kept_to_the_end = Last()
work(1)
""",
        OPCOV="1",
        OPCOV_WHERE="1",
    )
    assert done.stderr_text == ""
    record = only_record(records)
    assert "no_python_place" not in record.notices  # nobody waited for a lock that is not given any more
    places = places_of(record)
    assert places[6]["frames"][0].endswith(" at_the_end")
    assert set(places) == {2, 6, 7} and places[7] is None


# A thread of torch's own runs aside(), which is no Python. torch may abort when a program ends beside such threads.
ASIDE = """
import time
aside = torch.jit.CompilationUnit('''
def calls(n: int):
    y = torch.zeros([1])
    for i in range(n):
        y = torch.mm(torch.ones([i + 1, 3]), torch.ones([3, 4]))
    return y
def aside(n: int):
    return torch.jit.wait(torch.jit.fork(calls, n))
''').aside
"""


def test_threads_without_python_have_no_frames_of_it(program, records):
    program(ASIDE + "aside(2); os._exit(0)", OPCOV="1", OPCOV_WHERE="1", OPCOV_OPS="aten::mm")
    assert places_of(only_record(records)) == {1: None, 2: None}


def test_frames_of_torch_are_known_without_a_look_through_its_symbols(program):
    """Which takes milliseconds. In processor time, others may be busy."""
    done = program(ASIDE + """
aside(1)
before = time.process_time()
aside(300)
print((time.process_time() - before) / 300, flush=True)
os._exit(0)
""", OPCOV="1", OPCOV_WHERE="1", OPCOV_OPS="aten::mm")
    assert float(done.stdout_text) < 1e-3


def lines_of(*command):
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()


def last_before(pairs):
    """what_is_at(address), of (where it begins, what) pairs."""
    pairs = sorted(pairs)
    return lambda address: pairs[bisect.bisect(pairs, address, key=lambda pair: pair[0]) - 1][1]


def functions_of(executable):
    symbols = (line.split(" ", 2) for line in lines_of("nm", "-C", "--defined-only", executable))
    return last_before((int(address, 16), name) for address, kind, name in symbols if kind in "tTwW")


def instructions_of(executable):
    lines = (re.match(r" +([0-9a-f]+):\t(\w+)", line) for line in lines_of("objdump", "-d", "--no-show-raw-insn", executable))
    return last_before((int(line[1], 16), line[2]) for line in lines if line)


def test_programs_without_python_have_cpp_frames(build_dir, tmp_path, records):
    executable = build_dir / "bin" / "cpp_inference"
    finished(start_command([executable], tmp_path, OPCOV="1", OPCOV_WHERE="1"), 0)
    function_at, instruction_at = functions_of(executable), instructions_of(executable)
    record = only_record(records)
    places = [line["where"] for line in record.of_kind("where")]
    assert len(places) == len(record.of_kind("signature")) > 5
    named = 0
    for place in places:
        assert set(place) == {"frames"}
        frames = [re.fullmatch(r"cpp_inference\+0x([0-9a-f]+)(?: (.+))?", frame).groups() for frame in place["frames"]]
        assert {instruction_at(int(address, 16)) for address, _ in frames} == {"call"}
        functions = [function_at(int(address, 16)) for address, _ in frames]
        assert functions[-1] == "main" and functions[-2].startswith("(anonymous namespace)::run(int)")
        exported = [(function, name) for function, (_, name) in zip(functions, frames) if name]
        assert all(function == name for function, name in exported)
        named += len(exported)
    assert named > 0
    assert len({tuple(place["frames"]) for place in places}) == len(places)
