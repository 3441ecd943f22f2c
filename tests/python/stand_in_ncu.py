"""In place of Nsight Compute's command line: checks its options, runs the program, and writes a file.

A test makes it an executable, and says by STAND_IN what it is to do beside that, of the calls that STAND_IN_FOR begins
(all where it is empty): nothing, "fail", "die", "write_half_and_die", "write_nothing", or "wait" for a signal.
"""

import json
import os
import signal
import subprocess
import sys

WITH_VALUE = ("--set", "--section", "--target-processes", "--replay-mode", "--nvtx-include", "--export", "--clock-control")
WITHOUT = ("--nvtx", "--force-overwrite")


def parsed(arguments):
    options, rest = {}, list(arguments)
    while rest and rest[0].startswith("-"):
        name = rest.pop(0)
        assert name not in options, f"{name} is given twice"
        assert name in WITH_VALUE + WITHOUT, f"{name} is no option"
        options[name] = rest.pop(0) if name in WITH_VALUE else None
    return options, rest


def main():
    options, program = parsed(sys.argv[1:])
    with open(os.environ["STAND_IN_LOG"], "a") as log:
        log.write(json.dumps({"options": options, "program": program, "OPCOV": os.environ.get("OPCOV")}) + "\n")
    what = os.environ.get("STAND_IN", "")
    if not os.environ.get("STAND_IN_FOR", "") in program[1]:
        what = ""
    report = options["--export"]
    if what == "write_half_and_die":
        open(report, "w").write("half")
    if what in ("die", "write_half_and_die"):
        os.kill(os.getpid(), signal.SIGKILL)
    if what == "fail":
        sys.exit(9)
    if what == "wait":
        open(report, "w").write("half")
        print("waiting", flush=True)
        signal.pause()
    done = subprocess.run(program, stdout=subprocess.PIPE, text=True, check=True)
    if what != "write_nothing":
        assert "--force-overwrite" in options or not os.path.exists(report)
        open(report, "w").write(f"a profile of {program[1]}\n{done.stdout}")


if __name__ == "__main__":
    main()
