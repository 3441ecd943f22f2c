"""`opcov profile` against a stand-in for ncu, with opcov-replay as it is, on the CPU."""

import hashlib
import json
import os
import shlex
import signal
import subprocess
import sys
from pathlib import Path

import pytest
import stand_in_ncu
from capturing import start
from programs import clean_environment, finished

sys.path.append(str(Path(__file__).parents[1] / "replay"))
from records_by_hand import call, tensor, write_record  # noqa: E402

SOURCE = """
with opcov.stage("dit"):
    work(3)
    torch.nn.functional.linear(torch.ones(5, 3), torch.ones(2, 3))
with opcov.stage("a/b"):
    torch.nn.functional.linear(torch.ones(6, 3), torch.ones(2, 3))
torch.ones(2).to(torch.float32)
"""


@pytest.fixture(scope="module")
def recorded(tmp_path_factory):
    """The folder of a program with three linears and a call that gave its input back; it has snapshots of the linears."""
    folder = tmp_path_factory.mktemp("recorded")
    finished(start(folder, SOURCE, OPCOV_OPS="aten::linear,aten::to.dtype", OPCOV_CAPTURE="aten::linear"), 0)
    return folder / "records"


class Profiling:
    def __init__(self, build_dir, folder, records):
        self.opcov, self.folder, self.records = build_dir / "bin" / "opcov", folder, records
        self.dir, self.log = folder / "profiles", folder / "log"
        self.manifest = self.dir / "inputs.jsonl"
        self.ncu = self.executable(Path(stand_in_ncu.__file__).read_text())
        self.report()

    def executable(self, text, name="ncu"):
        path = self.folder / name
        path.write_text(f"#!{sys.executable}\n{text}")
        path.chmod(0o755)
        return path

    def command(self, *arguments, ncu=True):
        named = [f"--ncu={self.ncu}"] if ncu else []
        before, after = list(arguments), []
        if "--" in before:
            before, after = before[: before.index("--")], before[before.index("--") :]
        return [str(part) for part in (self.opcov, "profile", *before, *named, *after)]

    def environment(self, **settings):
        return clean_environment("unused", OPCOV="1", STAND_IN_LOG=str(self.log), **settings)

    def run(self, *arguments, status=0, ncu=True, **settings):
        done = subprocess.run(
            self.command(*arguments, ncu=ncu),
            cwd=self.folder,
            env=self.environment(**settings),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=600,
        )
        assert done.returncode == status, done.stdout + done.stderr
        return done

    def missing(self, *arguments, **options):
        return self.run(*self.missing_arguments(), *arguments, **options)

    def missing_arguments(self):
        return ["--missing", "report.json", "--records", self.records, "-o", "profiles"]

    def report(self, *inputs):
        """The report's rows that can be profiled, by operator's first dimension: {2: row, 5: row, 6: row}"""
        arguments = [str(self.opcov), "report", str(self.records), "-o", "report.json", "--force"]
        arguments += ["--inputs", *map(str, inputs)] if inputs else []
        subprocess.run(arguments, cwd=self.folder, check=True, capture_output=True)
        rows = json.loads((self.folder / "report.json").read_text())["rows"]
        return {row["signature"]["args"][0]["shape"][0]: row for row in rows if "linear" in row["signature"]["op"]}

    def calls(self):
        return [json.loads(line) for line in self.log.read_text().splitlines()] if self.log.exists() else []

    def entries(self):
        return [json.loads(line) for line in self.manifest.read_text().splitlines()]

    def name(self, row):
        return f"{row['signature']['stage'].replace('/', '_')}_rank0_{row['signature_sha256'][:16]}.ncu-rep"


@pytest.fixture
def profiling(build_dir, tmp_path, recorded):
    return Profiling(build_dir, tmp_path, recorded)


def test_every_missing_signature_is_profiled_and_then_covered(profiling):
    rows = profiling.report()
    done = profiling.missing()
    assert done.stdout.splitlines()[-1] == (
        "3 signatures: 3 profiled; left out: 1 that ran no kernel; see profiles/inputs.jsonl"
    )
    assert {path.name for path in profiling.dir.glob("*.ncu-rep")} == {profiling.name(row) for row in rows.values()}
    for entry in profiling.entries():
        path = profiling.folder / entry["input"]
        assert entry["input_sha256"] == hashlib.sha256(path.read_bytes()).hexdigest()
    assert {json.dumps(entry["signature"]) for entry in profiling.entries()} == {
        json.dumps(row["signature"]) for row in rows.values()
    }
    for row in profiling.report("profiles/inputs.jsonl").values():
        (covering,) = row["same_structural_signature_ncu_inputs"]
        assert covering["input"] == "profiles/" + profiling.name(row)
    assert profiling.missing().stdout == "0 signatures: 0 profiled; left out: 1 that ran no kernel; see profiles/inputs.jsonl\n"


def test_the_command_is_what_was_printed(profiling):
    row = profiling.report()[6]
    done = profiling.run(row["signature_sha256"][:6], "--records", profiling.records, "-o", "profiles")
    (call,) = profiling.calls()
    short = row["signature_sha256"][:16]
    assert call["options"] == {
        "--set": "full",
        "--target-processes": "application-only",
        "--replay-mode": "kernel",
        "--nvtx": None,
        "--nvtx-include": f"a\\/b\\/aten.linear.default\\/{short}/",
        "--force-overwrite": None,
        "--export": "profiles/." + profiling.name(row).replace(".ncu-rep", ".part.ncu-rep"),
    }
    replay = str(profiling.opcov.parent / "opcov-replay")
    assert call["program"] == [replay, row["signature_sha256"], "--records", str(profiling.records)]
    assert call["OPCOV"] == "0"
    folder, comment, command = done.stdout.splitlines()[:3]
    assert folder == "mkdir -p -- profiles"
    assert comment == f"# a/b aten.linear.default {short}, made inputs"
    options, program = stand_in_ncu.parsed(shlex.split(command)[1:])
    assert options.pop("--export") == "profiles/" + profiling.name(row)  # from where it was written
    assert options.items() < call["options"].items()
    assert program == call["program"]


def test_snapshots_give_the_inputs(profiling):
    rows = profiling.report()
    digests = [row["signature_sha256"] for row in rows.values()]
    profiling.run(*digests, "--snapshots", profiling.records / "snapshots", "-o", "profiles")
    assert [Path(call["program"][1]).name for call in profiling.calls()] == [
        profiling.name(row).replace(".ncu-rep", ".pt") for row in rows.values()
    ]
    assert len(profiling.entries()) == 3


def test_options_of_ncu_take_the_place_of_defaults(profiling):
    digest = profiling.report()[5]["signature_sha256"]
    arguments = [digest, "--records", profiling.records, "-o", "profiles"]
    profiling.run(*arguments, "--", "--set", "basic", "--nvtx-include", "mine/", "--clock-control", "none")
    (call,) = profiling.calls()
    assert call["options"]["--set"] == "basic"
    assert call["options"]["--nvtx-include"] == "mine/"
    assert call["options"]["--clock-control"] == "none"
    assert call["options"]["--replay-mode"] == "kernel"
    for refused in ("-o", "--export=x", "--import"):
        assert "cannot be among ncu's options" in profiling.run(*arguments, "--", refused, status=2).stderr


def test_dry_run_prints_and_leaves_nothing(profiling):
    done = profiling.missing("--dry-run", ncu=False)
    folder, *commands = [line for line in done.stdout.splitlines() if not line.startswith("#")]
    assert folder == "mkdir -p -- profiles"
    assert len(commands) == 3 and all(command.startswith("ncu --set full ") for command in commands)
    assert not profiling.dir.exists() and not profiling.calls()


def test_what_a_dry_run_prints_is_a_script(profiling):
    script = profiling.missing("--dry-run", ncu=True).stdout
    subprocess.run(["sh", "-e", "-c", script], cwd=profiling.folder, env=profiling.environment(), check=True)
    assert len(list(profiling.dir.iterdir())) == 3


def test_what_a_printed_script_made_is_adopted(profiling):
    rows = profiling.report()
    script = profiling.missing("--dry-run").stdout
    subprocess.run(["sh", "-e", "-c", script], cwd=profiling.folder, env=profiling.environment(), check=True)
    (profiling.dir / profiling.name(rows[5])).unlink()
    (profiling.dir / profiling.name(rows[6])).write_text("")
    started = len(profiling.calls())
    done = profiling.missing("--adopt", ncu=False, status=1)
    assert done.stdout == (
        "3 signatures: 1 added, 2 not there; left out: 1 that ran no kernel; see profiles/inputs.jsonl\n"
    )
    assert done.stderr.count("opcov: not added: ") == 2
    assert done.stderr.count(": no such file, or an empty one\n") == 2
    assert [entry["input"] for entry in profiling.entries()] == ["profiles/" + profiling.name(rows[2])]
    assert len(profiling.calls()) == started
    (profiling.dir / profiling.name(rows[6])).unlink()
    assert "3 signatures: 2 profiled, 1 there before" in profiling.missing().stdout
    assert "give one of them" in profiling.missing("--adopt", "--dry-run", status=2).stderr


def test_a_folder_whose_name_ncu_would_change_is_refused(profiling):
    profiling.report()
    done = profiling.run("--missing", "report.json", "-o", "of_%h", status=2)
    assert done.stderr == "opcov: profile: -o of_%h: ncu takes % in a file's name for a sign of its own; name another folder\n"
    assert not profiling.calls() and not (profiling.folder / "of_%h").exists()


@pytest.mark.parametrize("what, reason", [
    ("fail", "ncu ended with status 9"),
    ("die", "ncu was ended by signal 9"),
    ("write_half_and_die", "ncu was ended by signal 9"),
    ("write_nothing", "ncu wrote no report: no kernel ran in range dit/aten.linear.default/"),
])
def test_one_that_fails_does_not_stop_the_others_and_is_done_again(profiling, what, reason):
    rows = profiling.report()
    digest = rows[5]["signature_sha256"]
    done = profiling.missing(status=1, STAND_IN=what, STAND_IN_FOR=digest)
    (line,) = done.stderr.splitlines()
    assert line.startswith(f"opcov: not profiled: dit aten.linear.default {digest[:16]}: {reason}")
    assert "2 profiled, 1 not profiled" in done.stdout
    assert {path.name for path in profiling.dir.iterdir()} == {
        "inputs.jsonl", profiling.name(rows[2]), profiling.name(rows[6])
    }
    before = len(profiling.calls())
    assert "3 signatures: 1 profiled, 2 there before" in profiling.missing().stdout
    assert [call["program"][1] for call in profiling.calls()[before:]] == [digest]
    assert len(profiling.entries()) == 3


def test_what_a_kill_left_half_is_done_again(profiling):
    rows = profiling.report()
    profiling.missing()
    (profiling.dir / profiling.name(rows[2])).write_text("half")
    (profiling.dir / profiling.name(rows[6])).unlink()
    assert "3 signatures: 2 profiled, 1 there before" in profiling.missing().stdout
    assert len(profiling.entries()) == 3
    for entry in profiling.entries():
        assert entry["input_sha256"] == hashlib.sha256((profiling.folder / entry["input"]).read_bytes()).hexdigest()


def test_a_profile_stays_until_the_new_one_is_there(profiling):
    rows = profiling.report()
    profiling.missing()
    path = profiling.dir / profiling.name(rows[2])
    path.write_text("not as the manifest says")
    for what in ("fail", "write_half_and_die", "write_nothing"):
        profiling.missing(status=1, STAND_IN=what, STAND_IN_FOR=rows[2]["signature_sha256"])
        assert path.read_text() == "not as the manifest says"
    done = profiling.missing("--ncu=no_such_ncu", ncu=False, status=3)
    assert path.read_text() == "not as the manifest says", done
    assert "1 profiled, 2 there before" in profiling.missing().stdout
    assert path.read_text().startswith("a profile of")


def test_the_manifest_names_nothing_that_is_not_there(profiling):
    rows = profiling.report()
    profiling.missing()
    path = profiling.dir / profiling.name(rows[2])
    path.unlink()
    profiling.missing(status=1, STAND_IN="fail", STAND_IN_FOR=rows[2]["signature_sha256"])
    assert sorted(Path(entry["input"]).name for entry in profiling.entries()) == sorted(
        profiling.name(rows[size]) for size in (5, 6)
    )
    profiling.missing()
    assert len(profiling.entries()) == 3


def test_a_file_that_is_not_opcovs_is_not_replaced(profiling):
    rows = profiling.report()
    profiling.dir.mkdir()
    path = profiling.dir / profiling.name(rows[2])
    path.write_text("mine")
    done = profiling.missing(status=1)
    assert done.stderr == (
        f"opcov: not profiled: dit aten.linear.default {rows[2]['signature_sha256'][:16]}: profiles/{path.name}: exists, "
        "and profiles/inputs.jsonl does not list it; move it away, or give --force to replace it, or --adopt to list it as "
        "this call's profile\n"
    )
    assert path.read_text() == "mine" and len(profiling.entries()) == 2
    assert "1 profiled, 2 there before" in profiling.missing("--force").stdout
    assert path.read_text().startswith("a profile of")
    # However the folder is spelt, a line is of the file that it names.
    path.write_text("half")
    again = ["--missing", "report.json", "--records", profiling.records, "-o", f"{profiling.folder}/./profiles"]
    assert "1 profiled, 2 there before" in profiling.run(*again).stdout
    assert len(profiling.entries()) == 3
    path.unlink()
    path.mkdir()
    assert "is not a regular file; move it away" in profiling.missing("--force", status=1).stderr


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_stops_ncu_and_leaves_a_whole_manifest(profiling, number):
    rows = list(profiling.report().values())
    order = [entry["signature_sha256"] for entry in json.loads((profiling.folder / "report.json").read_text())["rows"]]
    last = max((row["signature_sha256"] for row in rows), key=order.index)
    process = subprocess.Popen(
        profiling.command(*profiling.missing_arguments()),
        cwd=profiling.folder,
        env=profiling.environment(STAND_IN="wait", STAND_IN_FOR=last),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    while process.stdout.readline() != "waiting\n":
        assert process.poll() is None
    process.send_signal(number)
    _, errors = process.communicate(timeout=60)
    assert process.returncode == 128 + number
    assert f"stopped by signal {int(number)}; 2 profiled, 1 left" in errors
    assert not any(path.name.endswith(f"{last[:16]}.ncu-rep") for path in profiling.dir.iterdir())
    assert len(profiling.entries()) == 2
    assert "3 signatures: 1 profiled, 2 there before" in profiling.missing().stdout


def test_without_ncu_it_prints_what_to_run(profiling):
    (profiling.folder / "no_program").write_text("text")
    for ncu in ("no_such_ncu", "./no_program"):
        done = profiling.missing(f"--ncu={ncu}", ncu=False, status=3)
        folder, *commands = [line for line in done.stdout.splitlines() if not line.startswith("#")]
        assert folder == "mkdir -p -- profiles"
        assert len(commands) == 3 and all(command.startswith(f"{ncu} --set full ") for command in commands)
        assert "cannot be started" in done.stderr and "install Nsight Compute" in done.stderr
    done = profiling.missing(ncu=False, status=3, PATH="/nonexistent")
    assert "ncu: cannot be started: No such file or directory" in done.stderr


def test_a_collective_is_refused(profiling):
    folder = profiling.folder / "collectives"
    (digest,) = write_record(folder, call("c10d.allreduce_.default", [tensor(4)], {"object": "ProcessGroup"}))
    done = profiling.run(digest, "--records", folder, "-o", "profiles", status=1)
    assert f"not profiled: c10d.allreduce_.default {digest[:16]}: a collective" in done.stderr
    assert not profiling.calls()


def test_a_snapshot_that_cannot_be_read_stops_nothing(profiling):
    (profiling.folder / "broken.pt").write_text("text")
    given = ["--snapshots", "broken.pt", profiling.records / "snapshots"]
    for options in (["--dry-run"], []):
        done = profiling.missing(*given, *options, status=1)
        assert done.stderr == "opcov: gave no inputs: broken.pt: is no file of torch.save's\n"
        assert done.stdout.count("\n# ") + done.stdout.startswith("# ") == 3
    assert "3 signatures: 3 profiled" in done.stdout


def test_what_cannot_be_found_is_said(profiling):
    digest = profiling.report()[2]["signature_sha256"]
    assert "give digests, or --missing" in profiling.run(status=2).stderr
    assert "no signature's digest begins with ffff" in profiling.run("ffff", "--records", profiling.records, status=2).stderr
    assert "four of its digits" in profiling.run("xyz", "--records", profiling.records, status=2).stderr
    for option in ("--records", "--snapshots"):
        done = profiling.run("--records", profiling.records, option, profiling.records, digest[:6], status=2)
        assert done.stderr.endswith(f"a digest stands before {option}, which takes every name behind it\n")
    done = profiling.run("--load", "a.so", digest, "--records", profiling.records, "--dry-run")
    assert f"{digest} --load a.so --records" in done.stdout
    (profiling.folder / "no_report").write_text("[]")
    assert "is no report of opcov's" in profiling.run("--missing", "no_report", status=2).stderr
    done = profiling.run("--missing", "report.json", status=1)
    assert f"{digest[:16]}: no snapshot of it is given, and no record" in done.stderr
    (profiling.folder / "broken.jsonl").write_text("{}\n")
    assert "broken.jsonl:1: " in profiling.missing("--manifest=broken.jsonl", status=2).stderr
    assert not profiling.calls()


def test_a_manifest_of_ones_own_keeps_its_lines(profiling):
    row = profiling.report()[2]
    own = json.dumps({"note": "mine", "input": "x.pt", "signature": row["signature"]})
    (profiling.folder / "own.jsonl").write_text(own)
    profiling.missing("--manifest=own.jsonl")
    lines = (profiling.folder / "own.jsonl").read_text().splitlines()
    assert lines[0] == own and len(lines) == 4
    assert os.listdir(profiling.dir) and not profiling.manifest.exists()
