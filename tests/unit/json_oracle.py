"""Random JSON values, each in three texts: an odd but valid one, Python's canonical one, Python's indented one.

usage: json_oracle.py COUNT SEED. One value a line, the texts separated by tabs; the indented one as a JSON string.
"""

import json
import random
import struct
import sys

CHARACTERS = (
    [chr(c) for c in range(0x80)]
    + list('"\\/\x7f\x80\xa0\xff\u2028\u2029\ue000\ufeff\uffff')
    + list("äöüßЖ中文字🎉𝄞\U00010000\U0010ffff")
)


def random_float(rng):
    kind = rng.randrange(6)
    if kind == 0:
        value = struct.unpack("<d", struct.pack("<Q", rng.getrandbits(64)))[0]
        return value if value == value and abs(value) != float("inf") else -0.0
    if kind == 1:
        return rng.choice([0.0, -0.0, 1.0, 1e15, 1e16, 1e17, 123456789012345680.0, 1e-4, 1e-5, 5e-324,
                           2.2250738585072014e-308, 1.7976931348623157e308, 9007199254740993.0, 0.1, -2.5])
    if kind == 2:
        return rng.choice([-1, 1]) * 10.0 ** rng.randrange(-30, 30)
    if kind == 3:
        return float(rng.randrange(-(2**60), 2**60))
    if kind == 4:
        return round(rng.uniform(-1000, 1000), rng.randrange(8))
    return struct.unpack("<f", struct.pack("<f", rng.uniform(-1e6, 1e6)))[0]


def random_string(rng):
    return "".join(rng.choice(CHARACTERS) for _ in range(rng.randrange(8)))


def random_value(rng, depth=0):
    kind = rng.randrange(8 if depth < 4 else 6)
    if kind < 2:
        return random_float(rng)
    if kind == 2:
        return rng.choice([0, -1, 2**63 - 1, -(2**63), 2**64 - 1, rng.randrange(-(2**63), 2**64), rng.randrange(9999)])
    if kind == 3:
        return rng.choice([None, True, False])
    if kind < 6:
        return random_string(rng)
    if kind == 6:
        return [random_value(rng, depth + 1) for _ in range(rng.randrange(4))]
    return {random_string(rng): random_value(rng, depth + 1) for _ in range(rng.randrange(4))}


def odd_text(value, rng):
    """Valid JSON with other spacing, key order, escapes and digits than Python would write."""
    if isinstance(value, float):
        return format(value, ".17E") if rng.random() < 0.5 else format(value, ".25e")
    if isinstance(value, list):
        return "[ " + " ,".join(odd_text(v, rng) for v in value) + "]"
    if isinstance(value, dict):
        members = [odd_text(k, rng) + " : " + odd_text(v, rng) for k, v in value.items()]
        rng.shuffle(members)
        return "{ " + ", ".join(members) + " }"
    return json.dumps(value, ensure_ascii=rng.random() < 0.5)


def main():
    count, seed = int(sys.argv[1]), int(sys.argv[2])
    rng = random.Random(seed)
    out = open(sys.stdout.fileno(), "w", encoding="utf-8", newline="\n")
    for _ in range(count):
        value = random_value(rng)
        canonical = json.dumps(value, sort_keys=True, separators=(",", ":"))
        indented = json.dumps(json.dumps(value, sort_keys=True, indent=2))
        print(odd_text(value, rng), canonical, indented, sep="\t", file=out)


main()
