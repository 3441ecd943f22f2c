"""The host program of these tests, which must not notice what happens to its recorder."""

import os
import subprocess

import pytest
from programs import clean_environment

OPS = "aten::linear,aten::select.int"


@pytest.fixture
def working(host_command, tmp_path):
    """working(*steps, under=command, meanwhile=function, stderr=file, **environment): the lines of opcov's on stderr.

    The program runs under a command that changes its surroundings; `meanwhile` is called with its pid at each step
    `wait`. Its own output and status must be what they are without opcov.
    """

    def run(*steps, under=(), meanwhile=None, stderr=subprocess.PIPE, **settings):
        process = subprocess.Popen(
            [str(part) for part in (*under, *host_command("working", *steps))],
            cwd=tmp_path,
            env=clean_environment(tmp_path / "records", **{"OPCOV": "1", "OPCOV_OPS": OPS, **settings}),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=stderr,
            text=True,
        )
        for _ in range(steps.count("wait")):
            assert process.stdout.readline() == "waiting\n", process.communicate()
            meanwhile(process.pid)
            process.stdin.write("\n")
            process.stdin.flush()
        told, said = process.communicate(timeout=120)
        assert (process.returncode, told) == (3, "the host's own line\n"), said
        lines = (said or "").splitlines()
        assert lines.count("the host's own complaint") == steps.count("say") * (said is not None), lines
        return [line for line in lines if line != "the host's own complaint"]

    return run


def with_mounts(mount, folder):
    """The command before a command that runs it with file systems of its own: `mount` is a shell command, with the
    record folder as $RECORDS. What is in that folder at the end is copied to `folder`. Without the right to mount
    anything the program ends with the complaint of unshare or mount."""
    script = f"""
        RECORDS=$OPCOV_DIR
        mkdir -p "$RECORDS" || exit 99
        {mount} || exit 99
        "$@"
        status=$?
        cp -a "$RECORDS" "{folder}"
        exit $status
    """
    user = () if os.geteuid() == 0 else ("--map-root-user",)
    return ("unshare", "--mount", *user, "sh", "-c", script, "sh")
