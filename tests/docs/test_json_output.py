"""Every key that a command's JSON has stands in its document."""

import json
import re
import subprocess

import pytest
from markdown import code_spans, section
DETAIL = ("docs/detail-format.md", "Side file of a report")

# The command line, and the sections that tell of what it writes.
OUTPUTS = [
    ("summary records --inputs inputs.jsonl --json", [("docs/cli.md", "opcov summary"), DETAIL]),
    ("explain records --inputs inputs.jsonl --json", [("docs/cli.md", "opcov explain"), DETAIL]),
    ("diff before after --inputs inputs.jsonl --json", [("docs/cli.md", "opcov diff")]),
    ("top opcov-records --inputs snapshots --once --interval 0.05 --json", [("docs/cli.md", "opcov top")]),
    ("verify records --json", [("docs/cli.md", "opcov verify")]),
    ("verify records/* inputs.jsonl --json", [("docs/cli.md", "opcov verify")]),
    ("replay --records opcov-records --json", [("docs/guide-replay.md", "Replaying a call")]),
    ("report records --inputs inputs.jsonl", [("docs/report-format.md", "Report format")]),
    ("report records --inputs inputs.jsonl -o {tmp}/r --detail {tmp}/d && cat {tmp}/d", [DETAIL]),
    ("index snapshots", [("docs/snapshots.md", "Snapshots")]),
]


def keys_of(value):
    """But those of signatures, which have a document of their own, and numbers: ranks."""
    if isinstance(value, list):
        return set().union(*map(keys_of, value))
    if not isinstance(value, dict):
        return set()
    names = {name for name in value if not name.isdigit()}
    return names.union(*(keys_of(item) for name, item in value.items() if name != "signature"))


def json_of(text):
    """One value, or one a line."""
    try:
        return json.loads(text)
    except json.JSONDecodeError:
        return [json.loads(line) for line in text.splitlines()]


@pytest.mark.parametrize("arguments, told_in", OUTPUTS, ids=[arguments for arguments, _ in OUTPUTS])
def test_every_key_is_told(arguments, told_in, prepared, environment, tmp_path):
    done = subprocess.run("opcov " + arguments.format(tmp=tmp_path), shell=True, cwd=prepared, env=environment,
                          capture_output=True, text=True, timeout=120)
    keys = keys_of(json_of(done.stdout))
    assert len(keys) > 2
    told = "\n".join(section(document, title) for document, title in told_in)
    named = {word for span in code_spans(told) for word in re.findall(r"\w+", span)}
    named |= {word for line in re.findall(r"^\{.*", told, re.MULTILINE) for word in re.findall(r'"(\w+)":', line)}
    assert keys - named == set()
