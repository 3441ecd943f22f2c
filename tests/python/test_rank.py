"""The rank in a record file: from every source, in order, and never two processes in one file."""

import pytest
from programs import start_program
from records import only_record, records_in

LINEAR = ("", "aten.linear.default")


@pytest.mark.parametrize(
    "settings, expected",
    [
        ({}, (0, 1)),
        ({"SLURM_PROCID": "3", "SLURM_NTASKS": "8"}, (3, 8)),
        ({"PMI_RANK": "2", "PMI_SIZE": "4", "SLURM_PROCID": "3", "SLURM_NTASKS": "8"}, (2, 4)),
        ({"OMPI_COMM_WORLD_RANK": "1", "OMPI_COMM_WORLD_SIZE": "2", "PMI_RANK": "2"}, (1, 2)),
        ({"RANK": "6", "WORLD_SIZE": "7", "OMPI_COMM_WORLD_RANK": "1", "OMPI_COMM_WORLD_SIZE": "2"}, (6, 7)),
    ],
    ids=["nothing", "SLURM", "PMI", "Open MPI", "torchrun"],
)
def test_rank_from_launchers(program, records, settings, expected):
    program("work(1)", OPCOV="1", **settings)
    record = only_record(records)
    assert record.rank == expected
    assert record.path.name.startswith(f"metadata_rank{expected[0]}_pid")


def test_an_explicit_rank_wins(program, records):
    program(
        "import opcov; opcov.set_rank(9, 12); opcov.start(ops='aten::linear'); work(1)", RANK="6", WORLD_SIZE="7"
    )
    assert only_record(records).rank == (9, 12)


def test_a_rank_given_to_start_wins(program, records):
    program("import opcov; opcov.start(rank=9, world_size=12); work(1)", RANK="6", WORLD_SIZE="7")
    assert only_record(records).rank == (9, 12)


@pytest.fixture(params=["before the file", "after the file"])
def joining(request, tmp_path):
    """A program that joins a process group of one as its rank 0, before or after its first recorded call."""
    join = f"torch.distributed.init_process_group('gloo', init_method='file://{tmp_path}/meet', rank=0, world_size=1)"
    return f"{join}; work(1)" if request.param == "before the file" else f"work(1); {join}; work(1)"


def test_torch_distributed_wins_over_the_environment(joining, program, records):
    program(joining, OPCOV="1", RANK="6", WORLD_SIZE="7")
    assert only_record(records).rank == (0, 1)


def test_each_rank_of_a_real_group(tmp_path, records):
    source = """
    work(1)
    torch.distributed.init_process_group('gloo', init_method='file://{}/meet', rank={}, world_size=2)
    torch.distributed.barrier()
    layer(torch.ones(5, 3))
    torch.distributed.destroy_process_group()
    """
    running = [start_program(source.format(tmp_path, rank), tmp_path, OPCOV="1") for rank in (0, 1)]
    for process in running:
        _, errors = process.communicate(timeout=120)
        assert process.returncode == 0, errors
    assert sorted(record.rank for record in records_in(records)) == [(0, 2), (1, 2)]
    assert [record.by_op() for record in records_in(records)] == [{LINEAR: 2}] * 2


def test_two_processes_of_one_rank_have_two_files(tmp_path, records):
    running = [start_program("work(4)", tmp_path, OPCOV="1", RANK="1", WORLD_SIZE="2") for _ in range(2)]
    for process in running:
        process.communicate(timeout=120)
    assert [(record.rank, record.by_op()) for record in records_in(records)] == [((1, 2), {LINEAR: 4})] * 2


def test_a_name_that_is_taken_gets_a_number(program, records):
    program(
        """
        folder, name = 'records', f'metadata_rank0_pid{os.getpid()}.jsonl'
        os.mkdir(folder)
        open(f'{folder}/{name}', 'w').write('somebody else')
        work(1)
        """,
        OPCOV="1",
    )
    taken, ours = sorted(records.glob("metadata_*.jsonl"), key=lambda path: len(path.name))
    assert taken.read_text() == "somebody else"
    assert ours.stem == taken.stem + "_2"


def test_a_forked_child_has_its_own_file(program, records):
    program(
        """
        work(2)
        child = os.fork()
        if child == 0:
            work(5)
            sys.exit(0)
        os.waitpid(child, 0)
        work(1)
        """,
        OPCOV="1",
    )
    found = records_in(records)
    assert sorted(record.by_op()[LINEAR] for record in found) == [3, 5]
    assert all(record.has_end for record in found)
    assert {f"pid{record.header['pid']}" for record in found} == {record.path.stem.split("_")[2] for record in found}


def test_a_child_forked_before_the_first_call(program, records):
    program(
        """
        child = os.fork()
        work(1 if child else 4)
        if child: os.waitpid(child, 0)
        """,
        OPCOV="1",
    )
    assert sorted(record.by_op()[LINEAR] for record in records_in(records)) == [1, 4]
