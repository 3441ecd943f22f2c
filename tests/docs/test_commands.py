"""Every command that a document shows works, and prints what the document shows."""

import shutil
import subprocess
import sys

import pytest
from commands import IN_SMALL, NOT_RUN, Command, commands_of, in_small, prints, run_commands
from markdown import SOURCE, Block, blocks, documents

LANGUAGES = {"sh", "console", "text", "bash", "python", "cpp", "cmake", "json", "mermaid"}

# Where profiles are made, ncu is a stand-in for the real one.
WITH_NCU = {"docs/guide-profile.md"}


def shell_blocks(document):
    return [block for block in blocks(document) if block.language in ("sh", "console")]


def begin_with_nothing(folder, document):
    """But the files that the document holds."""
    shutil.rmtree(folder)
    folder.mkdir()
    for block in blocks(document):
        if block.title:
            (folder / block.title).write_text(block.text)


def stand_in_ncu(folder):
    ncu = folder / "bin" / "ncu"
    ncu.write_text(f"#!{sys.executable}\n" + (SOURCE / "tests" / "python" / "stand_in_ncu.py").read_text())
    ncu.chmod(0o755)
    return ncu.parent


WITH_COMMANDS = [document for document in documents() if shell_blocks(document)]


@pytest.mark.parametrize("document", documents())
def test_every_block_says_what_it_is(document):
    assert [str(block) for block in blocks(document) if block.language not in LANGUAGES] == []


@pytest.mark.parametrize("document", WITH_COMMANDS)
def test_commands_do_what_the_document_says(document, folder, environment):
    if any(block.title for block in blocks(document)):
        begin_with_nothing(folder, document)
    if document in WITH_NCU:
        environment = {**environment, "PATH": f"{stand_in_ncu(folder)}:{environment['PATH']}"}
    for block in shell_blocks(document):
        commands = [command for command in commands_of(block) if not command.not_run]
        done = run_commands([in_small(command.text) for command in commands], folder, environment)
        following = [command.text for command in commands[1:]] + [""]
        for command, (status, output), next_text in zip(commands, done, following):
            told = next_text == "echo $?"
            assert status == 0 or told, f"{block}: {command.text}\nended with {status}:\n{output}"
            shown = command.shown
            assert shown is None or prints(shown, output), f"{block}: {command.text}\nprints\n{output}"


def test_the_batch_script_merges_what_the_nodes_recorded(folder, environment):
    (script,) = (block for block in blocks("docs/guide-fleet.md") if block.language == "bash")
    settings = {**environment, "SLURM_JOB_ID": "7", "SLURM_SUBMIT_DIR": str(folder), "SLURM_JOB_NUM_NODES": "1",
                "PATH": f"{folder}/bin:{environment['PATH']}"}
    done = subprocess.run(["bash", "-c", in_small(script.text)], cwd=folder, env=settings, stdin=subprocess.DEVNULL,
                          capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    verify = subprocess.run(["opcov", "verify", "opcov-7/job.jsonl"], cwd=folder, env=environment,
                            capture_output=True, text=True, check=True)
    assert verify.stdout == "opcov-7/job.jsonl: ok: 1 segment, rank 0, 5 signatures, 14 calls, clean end\n"
    assert not (folder / "node" / "opcov-7").exists()


def test_batch_scripts_are_this_one_alone():
    found = [block.document for document in documents() for block in blocks(document)
             if block.language == "bash"]
    assert found == ["docs/guide-fleet.md"]


def test_what_is_not_run_or_run_in_small_stands_in_a_document():
    texts = [command.text for document in WITH_COMMANDS for block in shell_blocks(document)
             for command in commands_of(block)]
    texts += [block.text for document in documents() for block in blocks(document)
              if block.language == "bash"]
    assert [text for text in NOT_RUN if text not in texts] == []
    assert [large for large in IN_SMALL if not any(large in text for text in texts)] == []


def console(*lines):
    return Block("a document", 1, "console", "", list(lines))


def test_commands_are_found():
    block = console("$ opcov report |   # a comment", ">   cat", "one", "two", "$ # nothing", "$ echo '> a'")
    assert commands_of(block) == [Command("opcov report |\n  cat", ["one", "two"]), Command("echo '> a'", [])]
    block = Block("", 1, "sh", "", ["# only", "", "a   # b", "c \\", "  d", "e"])
    assert commands_of(block) == [Command("a", None), Command("c \\\n  d", None), Command("e", None)]


def test_a_command_that_fails_or_is_not_there_is_noticed(folder, environment):
    commands = ["no-such-command", "echo $?", "export A=1", "echo $A $?", "opcov summary missing"]
    done = run_commands(commands, folder, environment)
    assert [status for status, _ in done] == [127, 0, 0, 0, 2]
    assert [done[1][1], done[3][1]] == ["127\n", "1 0\n"]


@pytest.mark.parametrize("shown, output, same", [
    (["a", "b"], "a\nb\n", True),
    (["a", "b"], "a\nb\nc\n", False),
    (["a", "..."], "a\nb\nc\n", True),
    (["a", "...", "c"], "a\nc\n", True),
    (["a", "...", "c"], "a\nb\n", False),
    (["x [..] y.z"], "x [1,2] y.z\n", True),
    (["x [..] y.z"], "x [1,2] yaz\n", False),
    (["took 0.412 ms in pid42"], "took 12.000 ms in pid7\n", True),
    (["took 0.412 ms"], "took 0.412 s\n", False),
    (["/usr/bin/opcov-replay 1"], "/a/build/bin/opcov-replay 1\n", True),
    ([], "", True),
    ([], "a\n", False),
    (["4 calls"], "5 calls\n", False),
])
def test_what_is_shown_is_compared(shown, output, same):
    assert prints(shown, output) == same
