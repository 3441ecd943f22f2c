"""Runs the commands of a document's blocks, and holds what they print against what the document shows."""

import re
import subprocess
from dataclasses import dataclass

# Commands that stand in a document and are not run here, with the reason.
NOT_RUN = {
    "make demo": "tests/python/test_demo.py runs its script",
    "make test": "runs this test",
    "make build": "made the tree under test",
    "make bench": "takes an idle machine and many minutes",
    "make test-compatibility": "takes a network and most of an hour",
    "scripts/compatibility.sh 2.12.0": "the same, for another version",
    "ctest --test-dir build -R instructions": "is a test beside this one",
    "pip install .": "tests/wheel builds, installs and uses the package",
    "pip install scikit-build-core": "needs a network",
    "pip install --no-build-isolation .": "tests/wheel builds, installs and uses the package",
    "tests/gpu/run.sh": "needs a GPU; tests/python/test_gpu_script.py runs it on a CPU",
    r"ncu --nvtx --nvtx-include 'dit\/aten.linear.default\/109360804f751686/' "
    "opcov-replay 10936080 --records opcov-records": "needs Nsight Compute and a GPU",
    "opcov report opcov-records --inputs small/snapshots opcov-profiles/inputs.jsonl -o report.json --force":
        "is about what ncu made; docs/guide-profile.md's profiles are made by a stand-in",
}

# What takes a cluster or its time is run in small.
IN_SMALL = {
    "--nproc-per-node 8": "--nproc-per-node 2",
    "--nproc-per-node 4": "--nproc-per-node 2",
    "--nnodes 16": "--nnodes 1",
    "--interval 60": "--interval 0.05",
    " --scheduler tcp://head:8786": "",
    "/shared/": "shared/",
    "/tmp/": "node/",
}

# What differs from run to run, as a pattern.
VARIES = [r"\d+\.\d{3} ms", r"pid\d+", r"\S*/opcov-replay"]


@dataclass
class Command:
    text: str
    shown: list  # lines of output; None where the document shows none

    @property
    def not_run(self):
        return NOT_RUN.get(self.text)


def commands_of(block):
    """Comments and empty lines left out. A command goes on behind a backslash; in a console, behind a `>`."""
    found = []
    for line in block.lines:
        if block.language == "console" and not line.startswith("$ "):
            assert found, f"{block}: a console begins with a command behind a $"
            if line.startswith("> "):
                found[-1].text += "\n" + line.removeprefix("> ")
            else:
                found[-1].shown.append(line)
        elif block.language != "console" and found and found[-1].text.endswith("\\"):
            found[-1].text += "\n" + line
        elif text := re.sub(r"(^|\s+)# .*", "", line.removeprefix("$ ")).strip():
            found.append(Command(text, [] if block.language == "console" else None))
    return found


def in_small(text):
    for large, small in IN_SMALL.items():
        text = text.replace(large, small)
    return text


def run_commands(texts, folder, environment, timeout=300):
    """(status, output) of each, as of a person who types them one after the other."""
    kept = folder / ".commands"
    kept.mkdir(exist_ok=True)
    script = "status=0\n"
    for i, text in enumerate(texts):
        script += f"{{ (exit $status)\n{text}\n}} >{kept}/{i}.output 2>&1 </dev/null\n"
        script += f"status=$?\necho $status >{kept}/{i}.status\n"
    subprocess.run(["bash", "-c", script], cwd=folder, env=environment, check=True, timeout=timeout)
    return [(int((kept / f"{i}.status").read_text()), (kept / f"{i}.output").read_text()) for i in range(len(texts))]


def pattern_of(shown):
    """`...` alone on a line stands for any lines, `..` in a line for any text."""
    pattern = ""
    for line in shown:
        if line.strip() == "...":
            pattern += r"(?:.*\n)*?"
            continue
        end = 0
        for varying in re.finditer("|".join([r"\.\.", *VARIES]), line):
            what = next((one for one in VARIES if re.fullmatch(one, varying[0])), ".*")
            pattern += re.escape(line[end : varying.start()]) + what
            end = varying.end()
        pattern += re.escape(line[end:]) + "\n"
    return re.compile(pattern)


def prints(shown, output):
    lines = [line.rstrip() for line in output.splitlines()]
    while lines and not lines[-1]:
        lines.pop()
    return pattern_of(shown).fullmatch("".join(line + "\n" for line in lines)) is not None
