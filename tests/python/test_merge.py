"""`opcov merge` on random fleets: however its files are merged, as a tree or at once, the bytes are those that a page
of Python comes to, and everything said of them is what is said of the files."""

import hashlib
import json
import random
import re
import shutil
import struct
import subprocess
from collections import Counter

import pytest
from oracle import canonical
from records import records_in, without_device

OVERFLOW = "calls of signatures past the recorder's limit (OPCOV_MAX_SIGNATURES); they are in no row"
CLEAN, KILLED, CUT = "clean", "killed", "cut"


def opcov(*arguments):
    done = subprocess.run(["opcov", *map(str, arguments)], capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    return done.stdout


def merged(inputs, output):
    opcov("merge", *inputs, "-o", output)
    return output


class Recording:
    """One process's record file, made at random, and what is to be known of it."""

    def __init__(self, chance, number):
        self.number = number
        self.rank = chance.randrange(6)
        self.started_at = f"2026-01-01T00:00:{chance.randrange(3):02}.{chance.randrange(3):06}Z"
        self.ending = chance.choice([CLEAN, CLEAN, KILLED, CUT])
        self._chance = chance
        self._lines = []
        self._later_rank = chance.random() < 0.2
        self._write_header()
        self._write_signatures()
        self.counts = {}
        for _ in range(chance.randrange(3)):
            self._write_calls()
        self._write_remarks()
        if self._later_rank:
            self._write({"record": "rank", "rank": self.rank, "world_size": 6})
        self.unrecorded = chance.randrange(3) if self.ending != CUT else 0
        if self.ending == CLEAN:
            self._write_calls()
            self._write({"record": "end", "unrecorded": self.unrecorded})
        if chance.random() < 0.2:
            self._write({"record": "sample", "of": "a newer minor"})

    def _write(self, line):
        spaced = self._chance.random() < 0.2
        self._lines.append(json.dumps(line, separators=None if spaced else (",", ":")) + "\n")

    def _write_header(self):
        rank = 0 if self._later_rank else self.rank
        self._write({"record": "header", "format": "opcov-metadata", "version": 1, "rank": rank, "world_size": 6,
                     "pid": 1000 + self.number, "host": f"node{self.number % 3}", "started_at": self.started_at,
                     "environment": {"gpus": ["ü"]}})

    def _write_signatures(self):
        self.signatures = {}
        for id in sorted(self._chance.sample(range(700), self._chance.randrange(8))):
            tensor = {"dtype": "torch.float32", "shape": [self._chance.randrange(1, 9), 3], "stride": [3, 1],
                      "device": self._chance.choice(["cpu", "cuda:0"])}
            self.signatures[id] = {"args": [tensor], "kwargs": {}, "op": "aten.linear.default", "output": tensor,
                                   "stage": self._chance.choice(["", "dit"])}
            self._write({"record": "signature", "id": id, "signature": self.signatures[id]})

    def _write_calls(self):
        calls = {id: self._chance.randrange(1000) for id in self.signatures if self._chance.random() < 0.7}
        self.counts.update(calls)
        self._write({"record": "calls", "calls": {str(id): count for id, count in calls.items()}})

    def _write_remarks(self):
        if self._chance.random() < 0.3:
            self._write({"record": "raised", "ops": {"aten.linear.default": 2}})
        if self._chance.random() < 0.3:
            self._write({"record": "notice", "kind": "look_alikes", "count": 3, "text": "t", "newer": None})

    def save(self, folder):
        text = "".join(self._lines)
        if self.ending == CLEAN and self._chance.random() < 0.2:
            text = text[:-1]
        elif self.ending != CLEAN and self._chance.random() < 0.3:
            text += '{"record":"calls","calls":{"'  # torn by the kill
        path = folder / f"metadata_rank{self.rank}_pid{1000 + self.number}.jsonl"
        path.write_text(text)
        if self.ending == KILLED:
            self._save_sidecar(path.with_suffix(".counts"))
        return path

    def _save_sidecar(self, path):
        self.overflow = self._chance.randrange(2)
        self.counts = {id: self._chance.randrange(1000) for id in self.signatures}
        data = struct.pack("<8sIIQQQ4056x", b"OPCOVCNT", 1, 4096, 1000 + self.number, self.overflow, self.unrecorded)
        for first in 0, 510:
            block = [self.counts.get(first + place, 0) for place in range(510)]
            data += struct.pack("<IIQ510Q", 1, 0, first, *block)
        path.write_bytes(data)

    def segment(self):
        """Its lines in a merged file."""
        text = "".join(self._lines)
        if self.ending != KILLED:
            return text
        if self.signatures:
            text += compact({"record": "calls", "calls": {str(id): self.counts[id] for id in self.signatures}})
        if self.overflow:
            text += compact({"record": "notice", "kind": "overflow", "count": self.overflow, "text": OVERFLOW})
        return text + compact({"record": "end", "unrecorded": self.unrecorded, "clean": False})

    def calls(self):
        calls = Counter()
        for id, signature in self.signatures.items():
            calls[canonical(without_device(signature)), str(self.rank)] += self.counts.get(id, 0)
        return +calls


def compact(line):
    return json.dumps(line, separators=(",", ":")) + "\n"


def merged_text(fleet):
    def place(recording):
        digest = hashlib.sha256(recording.segment().encode()).hexdigest()
        return recording.rank, recording.started_at, digest

    return "".join(recording.segment() for recording in sorted(fleet, key=place))


def as_a_tree(files, folder, chance):
    """Merges random groups of the files, then random groups of what that gave, until one is left."""
    while True:
        chance.shuffle(files)
        groups = []
        while files:
            groups.append([files.pop() for _ in range(min(len(files), chance.randrange(1, 6)))])
        files = [merged(group, folder / f"{chance.randrange(10**12)}.jsonl") for group in groups]
        if len(files) == 1:
            return files[0]


@pytest.fixture(params=range(8))
def chance(request):
    return random.Random(request.param)


@pytest.fixture
def fleet(chance):
    return [Recording(chance, number) for number in range(chance.randrange(1, 25))]


@pytest.fixture
def files(fleet, tmp_path):
    (tmp_path / "records").mkdir()
    return [recording.save(tmp_path / "records") for recording in fleet]


@pytest.fixture
def merged_file(files, tmp_path):
    return merged([tmp_path / "records"], tmp_path / "merged.jsonl")


def test_every_tree_gives_the_same_bytes(fleet, files, merged_file, tmp_path, chance):
    expected = merged_text(fleet)
    assert merged_file.read_text() == expected
    for _ in range(4):
        assert as_a_tree(list(files), tmp_path, chance).read_text() == expected


def test_the_report_is_that_of_the_files(fleet, files, merged_file):
    of_files, of_merged = json.loads(opcov("report", *files)), json.loads(opcov("report", merged_file))
    for key in "status", "stages", "rows":
        assert of_files[key] == of_merged[key]
    calls = {(canonical(row["signature"]), rank): count for row in of_merged["rows"]
             for rank, count in row["calls_by_rank"].items()}
    assert calls == sum((recording.calls() for recording in fleet), Counter())


def test_the_summary_is_that_of_the_files(fleet, files, merged_file):
    def plain(text):
        text = re.sub(r"from [\d,]+ record files? of", "of", text)
        return re.sub(r"(- no clean end \(killed, or still running\)): .*", r"\1", text)

    of_merged = opcov("summary", merged_file)
    assert plain(opcov("summary", *files)) == plain(of_merged)
    assert ("- no clean end" in of_merged) == any(recording.ending != CLEAN for recording in fleet)


def test_verify_says_how_each_recording_ended(fleet, merged_file):
    def of(ending):
        number = sum(recording.ending == ending for recording in fleet)
        return number, "" if number == len(fleet) else f" of {counted(number, 'segment')}"

    texts = {CLEAN: "clean end{}", KILLED: "no clean end{} (killed, or still running), counts from the sidecar",
             CUT: "no clean end{} and no sidecar to go by, counts from the last calls line"}
    endings = "; ".join(texts[ending].format(of(ending)[1]) for ending in (CLEAN, KILLED, CUT) if of(ending)[0])
    rank = f", rank {fleet[0].rank}" if len(fleet) == 1 else ""
    signatures = sum(len(recording.signatures) for recording in fleet)
    calls = sum(sum(recording.counts.values()) for recording in fleet)
    assert opcov("verify", merged_file).splitlines()[-1] == (
        f"{merged_file}: ok: {counted(len(fleet), 'segment')}{rank}, {counted(signatures, 'signature')}, "
        f"{counted(calls, 'call')}, {endings}")


def test_recordings_of_one_process_are_launches_of_their_own(program, records, tmp_path):
    """Within a second too: each begins in a microsecond of its own."""
    program("""
        import opcov
        for _ in range(3):
            with opcov.record(os.environ["OPCOV_DIR"], ops="aten::linear"):
                work(2)
    """)
    begun = [record.header["started_at"] for record in records_in(records)]
    assert len(set(begun)) == 3
    assert all(re.fullmatch(r"20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z", time) for time in begun)
    assert total_calls(merged([records], tmp_path / "merged.jsonl")) == 6


def test_the_calls_of_a_killed_program_outlive_its_sidecar(program, records, tmp_path):
    program("""
        work(5)
        os.kill(os.getpid(), 9)
    """, status=-9, OPCOV="1", OPCOV_OPS="aten::linear")
    merged_file = merged([records], tmp_path / "merged.jsonl")
    shutil.rmtree(records)
    assert total_calls(merged_file) == 5
    assert opcov("verify", merged_file).endswith("no clean end (killed, or still running), counts from the sidecar\n")


def total_calls(records):
    return sum(row["calls"] for row in json.loads(opcov("report", records))["rows"])


def counted(number, noun):
    return f"{number:,} {noun}{'s' * (number != 1)}"
