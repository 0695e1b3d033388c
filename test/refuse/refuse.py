# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs a command again and again, refusing it memory.

    python3 refuse.py Refuse.so [--most N] [--code CODE] OUTPUT COMMAND...

COMMAND writes the file OUTPUT, or prints something, if that is "-". Each run has
its n-th request for memory refused (see Refuse.c), or that and all later ones; at
most N values of n are tried, spread evenly. A run may do its job all the same:
then OUTPUT is what it is without any refusal, and the steps that it tells
(berth-pack --stats) are the same. Else it exits with CODE, one line
says why, and OUTPUT is as whole as that or not there. No run ends by a signal.
"""

import argparse
import os
import pathlib
import re
import subprocess
import sys
import tempfile


def run(library, command, output, refuse, count):
    """The exit code, the messages, and what came out: None if nothing did."""
    environment = dict(os.environ, LD_PRELOAD=library, BERTH_REFUSE=refuse)
    environment["BERTH_REFUSE_COUNT"] = str(count)
    if output:
        output.unlink(missing_ok=True)
    done = subprocess.run(command, env=environment, capture_output=True, check=False)
    message = done.stderr.decode(errors="replace")
    if not output:
        return done.returncode, message, done.stdout or None
    left = [p.name for p in output.parent.iterdir() if p.name.startswith(output.name)]
    if left not in ([], [output.name]):
        sys.exit(f"request {refuse}: left behind: {left}")
    return done.returncode, message, output.read_bytes() if left else None


def steps(message):
    return re.findall(r'"steps":\d+', message)


def judge(code, message, result, expected, expected_code, expected_steps):
    """What is wrong, or None."""
    if code < 0:
        return f"signal {-code}"
    if code == 0 and steps(message) != expected_steps:
        return f"{steps(message)} instead of {expected_steps}"
    if code == 0:
        return None if result == expected else "another output"
    if code != expected_code:
        return f"exit code {code}"
    if result not in (None, expected):
        return f"exit code {code}, and half an output"
    # MLIR shows the line of the source below the message.
    reasons = re.findall("out of memory|Cannot allocate memory", message)
    return None if len(reasons) == 1 else f"exit code {code} without one line that says why"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("library")
    parser.add_argument("--most", type=int, default=60)
    parser.add_argument("--code", type=int, default=1)
    parser.add_argument("output")
    parser.add_argument("command", nargs=argparse.REMAINDER)
    arguments = parser.parse_args()
    output = None if arguments.output == "-" else pathlib.Path(arguments.output)
    if output:
        output.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        count = pathlib.Path(folder) / "requests"
        call = lambda refuse: run(arguments.library, arguments.command, output, refuse, count)
        code, message, expected = call("0")
        expected_steps = steps(message)
        if code != 0 or expected is None:
            sys.exit(f"without refusals: exit code {code}\n{message}")
        requests = int(count.read_text(encoding="ascii"))
        assert requests > 0
        step = max(1, -(-requests // arguments.most))
        absorbed = 0
        for n in range(1, requests + 1, step):
            for refuse in (f"{n}", f"{n}+"):
                code, message, result = call(refuse)
                complaint = judge(
                    code, message, result, expected, arguments.code, expected_steps
                )
                if complaint:
                    sys.exit(f"request {refuse}: {complaint}\n{message}")
                absorbed += code == 0
    print(f"{requests} requests, every {step}. refused, {absorbed} runs did their job all the same")


if __name__ == "__main__":
    main()
