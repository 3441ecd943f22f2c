"""forking.py HOW: makes processes in the way that HOW names, and like forking.cc these write lines "PID CALLS"."""

import multiprocessing
import os
import subprocess
import sys
import threading
from contextlib import contextmanager

import torch

# No parameter: each call of a layer locks its weight, for the gradient, and a child may find that lock taken for ever.
weight = torch.ones(4, 3)
numbers = torch.zeros(1).expand(1 << 40)


def call(times):
    with torch.no_grad():
        for _ in range(times):
            torch.nn.functional.linear(torch.ones(2, 3), weight)


def tell(calls):
    os.write(1, f"{os.getpid()} {calls}\n".encode())


def call_and_tell(times):
    call(times)
    tell(times)


class Samples(torch.utils.data.Dataset):
    def __len__(self):
        return 8

    def __getitem__(self, index):
        call_and_tell(1)
        return index


def load(how, persistent):
    loader = torch.utils.data.DataLoader(
        Samples(), num_workers=2, multiprocessing_context=how, persistent_workers=persistent
    )
    for _ in range(2):
        call_and_tell(1)
        assert sorted(map(int, loader)) == list(range(8))


def start_processes(how):
    call_and_tell(3)
    context = multiprocessing.get_context(how)
    children = [context.Process(target=call_and_tell, args=(times,)) for times in (1, 2)]
    for child in children:
        child.start()
    for child in children:
        child.join()
    assert [child.exitcode for child in children] == [0, 0]


def start_pool():
    call_and_tell(3)
    with multiprocessing.get_context("fork").Pool(2) as workers:  # which are ended by SIGTERM
        workers.map(call_and_tell, range(1, 9), chunksize=1)


@contextmanager
def callers(threads=8):
    """Calls on so many threads meanwhile: gives what each of them has made."""
    call(1)  # MKL's first call takes a lock of its own, which a child would find taken
    enough = threading.Event()
    made = [1] + [0] * threads

    def keep_calling(thread):
        while not enough.is_set():
            call(1)
            torch.select(numbers, 0, made[thread])  # each a signature of its own
            made[thread] += 1

    running = [threading.Thread(target=keep_calling, args=(i + 1,)) for i in range(threads)]
    for thread in running:
        thread.start()
    try:
        yield made
    finally:
        enough.set()
        for thread in running:
            thread.join()


@contextmanager
def repeated(work):
    """On a thread of its own, meanwhile."""
    enough = threading.Event()

    def repeat():
        while not enough.wait(0.001):
            work()

    thread = threading.Thread(target=repeat)
    thread.start()
    try:
        yield
    finally:
        enough.set()
        thread.join()


def fork_many(work, children=10):
    """On a thread of its own, whose children leave at once: for Python they have no main thread, and cannot end it."""
    statuses = []

    def fork():
        for _ in range(children):
            child = os.fork()
            if child == 0:
                work()
                os._exit(0)
            statuses.append(os.waitpid(child, 0)[1])

    thread = threading.Thread(target=fork)
    thread.start()
    thread.join()
    assert statuses == [0] * children, statuses


def fork_beside_calls_and_flushes():
    import opcov

    with callers() as made, repeated(opcov.flush):
        fork_many(lambda: call_and_tell(5))
    tell(sum(made))


def fork_beside_starts_and_stops():
    """A child is recorded if, and only if, a recording was under way as it was forked."""
    import opcov

    def switch():
        opcov.start()
        opcov.flush()
        opcov.pause()
        opcov.resume()
        opcov.reset()
        opcov.stop()

    def call_in_child():
        opcov.resume()
        recorded = 5 if opcov.recording() else 0
        call(5)
        tell(recorded)

    with callers(), repeated(switch):
        fork_many(call_in_child)


def run_other_programs():
    with callers(2) as made:
        for _ in range(10):
            subprocess.run(["true"], check=True)  # by vfork
            subprocess.run(["true"], check=True, preexec_fn=lambda: None)  # by fork
            assert os.waitpid(os.posix_spawnp("true", ["true"], os.environ), 0)[1] == 0
            assert os.system("true") == 0
    tell(sum(made))


WAYS = {
    "fork": lambda: start_processes("fork"),
    "spawn": lambda: start_processes("spawn"),
    "forkserver": lambda: start_processes("forkserver"),
    "pool": start_pool,
    "workers by fork": lambda: load("fork", persistent=False),
    "workers that stay": lambda: load("fork", persistent=True),
    "workers by spawn": lambda: load("spawn", persistent=True),
    "beside calls and flushes": fork_beside_calls_and_flushes,
    "beside starts and stops": fork_beside_starts_and_stops,
    "other programs": run_other_programs,
}

if __name__ == "__main__":
    WAYS[sys.argv[1]]()
