"""Starting and steering a recording. The recorder is the library's; these functions only speak to it."""

from __future__ import annotations

import contextlib
import os
from typing import Iterable, Iterator, Mapping, Union

from . import _compiled, _library

Names = Union[str, Iterable[str]]


def start(
    dir: Union[str, os.PathLike[str], None] = None,
    ops: Union[Names, None] = None,
    nested: Union[bool, None] = None,
    transparent: Union[Names, None] = None,
    stage: Union[str, None] = None,
    devices: Union[Names, None] = None,
    stage_ranges: Union[Mapping[str, Names], str, None] = None,
    max_signatures: Union[int, None] = None,
    nvtx: Union[bool, None] = None,
    where: Union[bool, None] = None,
    capture: Union[Names, None] = None,
    capture_dir: Union[str, os.PathLike[str], None] = None,
    capture_per: Union[str, None] = None,
    capture_values: Union[str, None] = None,
    capture_max_count: Union[int, None] = None,
    capture_max_bytes: Union[int, None] = None,
    capture_max_seconds: Union[int, None] = None,
    rank: Union[int, None] = None,
    world_size: Union[int, None] = None,
) -> None:
    """Starts a recording; one already under way ends first.

    Each argument is an OPCOV_* variable (docs/guide-environment.md), as text or as a list; what is None comes from the
    environment. `stage_ranges` may be a mapping, {"dit": "Transformer*"}. `rank` is as set_rank() takes it, and holds for
    later recordings too.
    ValueError on what is not understood; nothing is recorded then.
    """
    if world_size is not None and rank is None:
        raise ValueError("opcov: world_size needs a rank beside it")
    if rank is not None and not 0 <= rank < (world_size or rank + 1):
        raise ValueError(f"opcov: rank {rank} of {world_size} cannot be")
    given = {
        "OPCOV_DIR": None if dir is None else os.fspath(dir),
        "OPCOV_OPS": _joined(ops),
        "OPCOV_NESTED": None if nested is None else str(int(nested)),
        "OPCOV_TRANSPARENT": _joined(transparent),
        "OPCOV_STAGE": stage,
        "OPCOV_DEVICES": _joined(devices),
        "OPCOV_STAGE_RANGES": _ranges(stage_ranges),
        "OPCOV_MAX_SIGNATURES": max_signatures,
        "OPCOV_NVTX": None if nvtx is None else str(int(nvtx)),
        "OPCOV_WHERE": None if where is None else str(int(where)),
        "OPCOV_CAPTURE": _joined(capture),
        "OPCOV_CAPTURE_DIR": None if capture_dir is None else os.fspath(capture_dir),
        "OPCOV_CAPTURE_PER": capture_per,
        "OPCOV_CAPTURE_VALUES": capture_values,
        "OPCOV_CAPTURE_MAX_COUNT": capture_max_count,
        "OPCOV_CAPTURE_MAX_BYTES": capture_max_bytes,
        "OPCOV_CAPTURE_MAX_SECONDS": capture_max_seconds,
    }
    operators = _library.load()
    operators.start([f"{name}={value}" for name, value in given.items() if value is not None])
    if rank is not None:
        operators.set_rank(rank, world_size or 0)


@contextlib.contextmanager
def record(dir: Union[str, os.PathLike[str]], **settings: object) -> Iterator[None]:
    """`with opcov.record("records"):` start() with the same arguments, and stop() at the end of the block."""
    start(dir, **settings)  # type: ignore[arg-type]
    try:
        yield
    finally:
        stop()


def stop() -> None:
    """Ends the recording and its record file. A later start() opens a new file."""
    _note_compiled()
    _if_loaded("stop")


def pause() -> None:
    """Calls that begin while paused are not recorded."""
    _if_loaded("pause")


def resume() -> None:
    """Ends a pause()."""
    _if_loaded("resume")


def flush() -> None:
    """Writes the counts and notices so far into the record file."""
    _note_compiled()
    _if_loaded("flush")


def reset() -> None:
    """Forgets what this recording has seen, as if it started now: leaves a warm-up out."""
    _if_loaded("reset")


def recording() -> bool:
    """True between start() and stop(), also while paused."""
    operators = _library.loaded()
    return operators is not None and operators.recording()


def record_file() -> str:
    """Path of the record file; "" before the first recorded call."""
    operators = _library.loaded()
    return "" if operators is None else operators.record_file()


def set_rank(rank: int, world_size: int = 0) -> None:
    """Overrules what torch.distributed and the launcher's environment say. world_size 0: unknown."""
    _library.load().set_rank(rank, world_size)


def _note_compiled() -> None:
    operators = _library.loaded()
    if operators is not None:
        _compiled.note(operators)


def _if_loaded(name: str) -> None:
    operators = _library.loaded()
    if operators is not None:  # else there is no recording to steer
        getattr(operators, name)()


def _joined(names: Union[Names, None]) -> Union[str, None]:
    return names if names is None or isinstance(names, str) else ",".join(names)


def _ranges(ranges: Union[Mapping[str, Names], str, None]) -> Union[str, None]:
    if ranges is None or isinstance(ranges, str):
        return ranges
    listed = {stage: [globs] if isinstance(globs, str) else globs for stage, globs in ranges.items()}
    return ",".join(f"{stage}={glob}" for stage, globs in listed.items() for glob in globs)
