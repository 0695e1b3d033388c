#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the race oracle finds, kernel by kernel, as a table.

    python3 test/race/table.py [KERNEL.mlir ...]

Each kernel of test/race, or those that are given, runs as the first line of its test says, and
once more without each barrier that Berth has inserted. A barrier is shown to be needed by a race in
that run. If there is none with these data, berth-verify is asked about the plan without it: its
error is the reason, told below the table. A barrier that neither asks for is an error.

berth-opt and the tools of LLVM are taken from PATH, or from build/bin of this tree and
/usr/lib/llvm-22/bin. The exit status is 1 if a kernel fails, or a barrier is not shown to be needed.
"""

import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
RUN = re.compile(r"^// RUN: %race (.*)$", re.M)
BARRIER = re.compile(r"^ *(?:gpu\.barrier|nvvm\.barrier0?\b|nvvm\.cluster\.wait)", re.M)
INSERTED = re.compile(r"^ *gpu\.barrier$")


def find_tools():
    if not shutil.which("berth-opt"):
        bins = [str(HERE.parents[1] / "build/bin"), "/usr/lib/llvm-22/bin"]
        os.environ["PATH"] = os.pathsep.join([*bins, os.environ["PATH"]])


def arguments(path):
    """Of the first run that is one of the kernel as it stands; None if there is none."""
    for command in RUN.findall(path.read_text(encoding="utf-8")):
        words = shlex.split(command.split(" | ")[0].split(" 2>")[0])
        if "%s" in words and "test-break-rule" not in command:
            return [word for word in words if word not in ("%s", "--keep-barriers")]
    return None


def number(text, pattern):
    return [int(found) for found in re.search(pattern, text).groups()]


def reason(planned, k):
    """Why berth-verify refuses the plan without the inserted barrier of that number, from 1."""
    lines, seen = [], 0
    for line in planned.splitlines(True):
        seen += bool(INSERTED.match(line.rstrip("\n")))
        if not (INSERTED.match(line.rstrip("\n")) and seen == k):
            lines.append(line)
    run = subprocess.run(["berth-opt", "--pass-pipeline=builtin.module(berth-verify)", "-o", "/dev/null"],
                         input="".join(lines), text=True, capture_output=True, check=False)
    error = re.search(r"<stdin>:(\d+):\d+: error: (.*?)(?: \[berth-E\d+\])?$", run.stderr, re.M)
    if not run.returncode or not error:
        return None
    op = lines[int(error.group(1)) - 1].strip().split(" : ")[0]
    return f"`{op}` {error.group(2)}"


def row_of(cells):
    return "|" + "".join(f" {cell} |" if cell else " |" for cell in cells)


def examine(path):
    """A row of the table, the number of inserted barriers, the reasons, and whether all is right."""
    words = arguments(path)
    with tempfile.TemporaryDirectory() as folder:
        run = subprocess.run(["sh", str(HERE / "race.sh"), f"--keep={folder}", *words, str(path)],
                             text=True, capture_output=True, check=False)
        if run.returncode:
            error = run.stderr.strip().splitlines()[-1]
            return row_of([path.stem, "", "", "", "", "", error]), 0, [], False
        given = (pathlib.Path(folder) / "given.mlir").read_text(encoding="utf-8")
        planned = (pathlib.Path(folder) / "planned.mlir").read_text(encoding="utf-8")
    before, after, inserted = number(run.stdout, r"bytes: (\d+) -> (\d+), barriers inserted: (\d+)")
    threads = next((word for word in words if word[0].isdigit()), "64")
    blocks = next((word.split("=")[1] for word in words if re.match("--(blocks|cluster)=", word)), "1")
    raced = [int(k) for k in re.findall(r"without barrier (\d+): (?:race|status)", run.stdout)]
    reasons = {k: reason(planned, k) for k in range(1, inserted + 1) if k not in raced}
    stand = len(BARRIER.findall(given))
    options = " ".join(word for word in words if word.startswith(("--arena", "--before"))).replace("|", r"\|")
    shown = f"{len(raced)} by a race" if raced else ""
    if reasons:
        shown += f"{', ' if shown else ''}{len(reasons)} by berth-verify"
    cells = [path.stem, options and f"`{options}`", threads, blocks, f"{before} to {after}",
             f"{stand} to {stand + inserted}", shown]
    return row_of(cells), inserted, [(path.stem, k, why) for k, why in reasons.items()], all(reasons.values())


def main():
    find_tools()
    paths = [pathlib.Path(word) for word in sys.argv[1:]] or sorted(HERE.glob("*.mlir"))
    print("| kernel | options | threads | blocks | bytes | barriers | inserted ones shown needed |")
    print("|---|---|---|---|---:|---:|---|")
    reasons, is_right, count, barriers = [], True, 0, 0
    for path in paths:
        if arguments(path) is None:
            continue
        row, inserted, more, fine = examine(path)
        print(row, flush=True)
        barriers += inserted
        reasons += more
        is_right &= fine
        count += 1
    print(f"\n{count} kernels, {barriers} barriers inserted: {barriers - len(reasons)} shown by a race, "
          f"{len(reasons)} by berth-verify, which says without them:\n")
    for kernel, k, why in reasons:
        print(f"- {kernel}, barrier {k}: {why or 'nothing: it is not needed'}")
    return not is_right


sys.exit(main())
