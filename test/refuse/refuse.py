# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs a command again and again, refusing it memory.

    python3 refuse.py Refuse.so [--most N] OUTPUT COMMAND...

COMMAND writes the file OUTPUT. Each run has its n-th request for memory refused
(see Refuse.c), or that and all later ones; at most N values of n are tried,
spread evenly. A run may do its job all the same: then OUTPUT is what it is
without any refusal. Else its exit code is an error, one line says so, and
there is no OUTPUT. No run ends by a signal.
"""

import argparse
import os
import pathlib
import re
import subprocess
import sys


def run(library, command, output, refuse, count=None):
    output.unlink(missing_ok=True)
    environment = dict(os.environ, LD_PRELOAD=library, BERTH_REFUSE=refuse)
    if count:
        environment["BERTH_REFUSE_COUNT"] = str(count)
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    left = [p for p in output.parent.iterdir() if p.name.startswith(output.name)]
    return done.returncode, done.stderr, left


def complain(refuse, what, message):
    sys.exit(f"request {refuse}: {what}\n{message}")


def judge(refuse, code, message, left, output, expected):
    if code < 0:
        complain(refuse, f"signal {-code}", message)
    if code == 0 and (left != [output] or output.read_bytes() != expected):
        complain(refuse, "another output", message)
    if code > 0 and left:
        complain(refuse, f"exit code {code}, but there is {left}", message)
    # MLIR shows the line of the source below the message.
    reasons = re.findall("out of memory|Cannot allocate memory", message)
    if code > 0 and len(reasons) != 1:
        complain(refuse, f"exit code {code} without one line that says why", message)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("library")
    parser.add_argument("--most", type=int, default=60)
    parser.add_argument("output", type=pathlib.Path)
    parser.add_argument("command", nargs=argparse.REMAINDER)
    arguments = parser.parse_args()
    output, command = arguments.output, arguments.command
    output.parent.mkdir(parents=True, exist_ok=True)
    count = output.with_name("requests")
    code, message, left = run(arguments.library, command, output, "0", count)
    if code != 0 or left != [output]:
        complain(0, f"exit code {code}", message)
    expected = output.read_bytes()
    requests = int(count.read_text(encoding="ascii"))
    assert requests > 0
    step = max(1, -(-requests // arguments.most))
    absorbed = 0
    for n in range(1, requests + 1, step):
        for refuse in (f"{n}", f"{n}+"):
            code, message, left = run(arguments.library, command, output, refuse)
            judge(refuse, code, message, left, output, expected)
            absorbed += code == 0
    print(f"{requests} requests, every {step}. refused, {absorbed} runs did their job all the same")


if __name__ == "__main__":
    main()
