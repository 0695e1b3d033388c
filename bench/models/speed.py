#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What berth-arena takes, against parsing and printing the same program.

    python3 bench/models/speed.py [--build BUILD] [--before BUILD] [--rules]
                                  [--only NAME] [--reduced] [--time RUNS]

For each network (networks.py) as bufferization leaves it (`ops`), and with its
linalg ops made loops (`loops`):

    io      what berth-opt takes to parse and print it, less what it takes for an
            empty module
    arena   what berth-arena adds to that, with its default options: planning,
            rewriting and the check at the end
    ratio   arena / io
    before  the same ratio with another build of Berth, where one is given

and the geometric mean and the worst of the ratios. In millions of instructions
(`perf stat`, or valgrind's callgrind where perf cannot count them), or with
`--time` in milliseconds of user time, the median of so many runs that take
turns. All symbols are bound at the start, so that looking them up counts for
no part, and MLIR's own check behind each pass is off: every pass pays it.

With `--rules` a column for each rule instead: the share of `arena` that goes
where the rule is switched off, in percent; below zero where the program that is
left takes longer to plan. `kills` is that a write ends the content before it,
with ops that overwrite a buffer together; `apart` that regions of which one
runs are no sequence; `verify` the check at the end.
"""

import argparse
import math
import os
import re
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(HERE))
sys.path.insert(0, HERE)

from berthbench import Failure, mlir_opt, print_table
from run import BUFFERIZE, LOOPS
import networks

FORMS = {"ops": "", "loops": LOOPS}
RULES = {
    "in-place": "in-place=false",
    "refill": "refill=false",
    "drop-unread": "drop-unread=false",
    "split-lives": "split-lives=false",
    "short-circuit": "short-circuit=false",
    "byte-ranges": "byte-ranges=false",
    "rotate": "rotate=false",
    "never-worse": "never-worse=false",
    "kills": "test-break-rule=no-kills",
    "apart": "test-break-rule=no-alternatives",
    "verify": "verify=false",
}
BIND = dict(os.environ, LD_BIND_NOW="1")
PERF = ["perf", "stat", "-x", ",", "-e", "instructions:u", "--"]
CALLGRIND = ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null"]


def started(command):
    """Runs a command; what it wrote to stderr."""
    done = subprocess.run(command, capture_output=True, text=True, env=BIND,
                          check=False)
    if done.returncode != 0:
        shown = "\n".join(done.stderr.splitlines()[:10])
        raise Failure(f"{' '.join(command)} failed:\n{shown}")
    return done.stderr


def perf_instructions(command):
    """Millions of instructions, or None where perf counts none."""
    found = re.search(r"^(\d+),[^,]*,instructions", started(PERF + command),
                      re.MULTILINE)
    return int(found.group(1)) / 1e6 if found else None


def callgrind_instructions(command):
    found = re.search(r"Collected : (\d+)", started(CALLGRIND + command))
    return int(found.group(1)) / 1e6


def counter():
    """The counter of instructions that this machine has."""
    if shutil.which("perf") and perf_instructions(["true"]) is not None:
        return perf_instructions
    if shutil.which("valgrind"):
        return callgrind_instructions
    raise Failure("neither perf nor valgrind can count instructions: use --time")


def user_milliseconds(command):
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    started(command)
    return 1e3 * (resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before)


class Meter:
    """What commands take, in one unit."""

    def __init__(self, runs):
        self.runs = runs
        self.count = None if runs else counter()

    def __call__(self, commands):
        """What each of them takes. Instructions do not depend on what else the
        machine does; for times they take turns."""
        if self.count:
            with ThreadPoolExecutor(os.cpu_count()) as pool:
                return list(pool.map(self.count, commands))
        taken = [[user_milliseconds(command) for command in commands]
                 for _ in range(self.runs)]
        return [statistics.median(of_one) for of_one in zip(*taken)]


def command(build, path, options=None):
    """Of berth-opt, with berth-arena unless `options` is None."""
    tool = os.path.join(build, "bin", "berth-opt")
    if not os.path.exists(tool):
        raise Failure(f"{tool} is missing: build Berth first")
    words = [tool, path, "-o", os.devnull, "--verify-each=false"]
    if options is not None:
        words.append(f"--pass-pipeline=builtin.module(berth-arena{{{options}}})")
    return words


def programs(table, only, folder):
    """(network, form, path of the program)."""
    chosen = [entry for entry in table if only in (None, entry[0])]
    if not chosen:
        raise Failure(f"unknown network '{only}'; known: "
                      + ", ".join(name for name, _ in table))
    for name, generate in chosen:
        bufferized, _ = mlir_opt(generate(), BUFFERIZE)
        for form, pipeline in FORMS.items():
            text, _ = mlir_opt(bufferized, pipeline)
            path = os.path.join(folder, f"{name}.{form}.mlir")
            with open(path, "w") as f:
                f.write(text)
            yield name, form, path


def ratios(meter, builds, empty, path):
    """[io, arena] of a program, of each build."""
    commands = []
    for build in builds:
        commands += [command(build, empty), command(build, path),
                     command(build, path, "")]
    taken = meter(commands)
    for i in range(0, len(taken), 3):
        start, io, arena = taken[i : i + 3]
        yield io - start, arena - io


def shares(meter, build, path):
    """The share of berth-arena that goes with each rule, in percent."""
    commands = [command(build, path), command(build, path, "")]
    commands += [command(build, path, off) for off in RULES.values()]
    io, arena, *without = meter(commands)
    return [100 * (arena - taken) / (arena - io) for taken in without]


def print_ratios(meter, builds, empty, files):
    rows, all_ratios = [], [[] for _ in builds]
    for name, form, path in files:
        row = [name, form]
        for i, (io, arena) in enumerate(ratios(meter, builds, empty, path)):
            all_ratios[i].append((arena / io, f"{name} {form}"))
            if i == 0:
                row += [f"{io:.1f}", f"{arena:.1f}"]
            row.append(f"{arena / io:.2f}")
        rows.append(row)
    print_table(["network", "form", "io", "arena", "ratio", "before"]
                [: 4 + len(builds)], rows)
    for build, list_of in zip(builds, all_ratios):
        mean = math.exp(statistics.fmean(math.log(r) for r, _ in list_of))
        worst, where = max(list_of)
        print(f"{build}: geometric mean {mean:.2f}, worst {worst:.2f} ({where})")


def print_shares(meter, build, files):
    rows = [[name, form] + shares(meter, build, path)
            for name, form, path in files]
    columns = list(zip(*rows))[2:]
    shown = [row[:2] + [f"{x:.1f}" for x in row[2:]] for row in rows]
    shown.append(["mean", ""] + [f"{statistics.fmean(c):.1f}" for c in columns])
    shown.append(["worst", ""] + [f"{max(c):.1f}" for c in columns])
    print_table(["network", "form"] + list(RULES), shown)


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--build", default="build", help="Berth's build folder")
    parser.add_argument("--before", help="another one to compare with")
    parser.add_argument("--only", help="one network by its name")
    parser.add_argument("--reduced", action="store_true", help="small shapes")
    parser.add_argument("--rules", action="store_true", help="a column a rule")
    parser.add_argument("--time", type=int, metavar="RUNS",
                        help="user time of so many runs, no instructions")
    args = parser.parse_args()
    meter = Meter(args.time)
    table = networks.REDUCED if args.reduced else networks.NETWORKS
    with tempfile.TemporaryDirectory() as folder:
        empty = os.path.join(folder, "empty.mlir")
        with open(empty, "w") as f:
            f.write("module {}\n")
        files = list(programs(table, args.only, folder))
        if args.rules:
            print_shares(meter, args.build, files)
        else:
            builds = [args.build] + ([args.before] if args.before else [])
            print_ratios(meter, builds, empty, files)


if __name__ == "__main__":
    try:
        main()
    except Failure as failure:
        sys.exit(f"error: {failure}")
