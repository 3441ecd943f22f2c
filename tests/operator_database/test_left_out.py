"""docs/operator-database.md names what is not compared: no more, and no less."""

import re

import database
import pytest
import torch


@pytest.fixture
def documented(source_dir):
    """The operators that the document's table names for a kind."""
    text = (source_dir / "docs/operator-database.md").read_text()
    rows = [line.split("|") for line in text.splitlines() if line.startswith("| ")]

    def names(kind):
        [cell] = [row[2] for row in rows if row[1].strip() == kind]
        return sorted(re.findall("`([^`]+)`", cell))

    return names


def test_what_runs_on_cuda_alone(documented):
    names = documented("only on CUDA")
    if torch.__version__ < (2, 15):
        names += documented("only on CUDA before torch 2.15")
    known = set(map(database.label, database.everything()))  # an older database has fewer
    assert sorted(map(database.label, database.left_out())) == sorted(known.intersection(names))
    assert torch.__version__ < (2, 11) or known.issuperset(names)


def test_nothing_with_a_sample_for_the_cpu_is_left_out():
    assert [database.label(op) for op in database.left_out() if op.dtypes and database.samples(op)] == []


def test_what_gives_other_results_each_time(documented):
    assert sorted(map(database.label, database.not_repeatable())) == documented("not repeatable")
