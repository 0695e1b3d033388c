#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Whole networks through bufferization and Berth, as one table.

    python3 bench/models/run.py [--build BUILD] [--reduced] [--only NAME]
                                [--keep FOLDER] [--rules | --overlap]

For each network (networks.py) and each variant of its bufferized form:

    allocs     allocations that bufferization left
    sum        their sizes in bytes
    interval   load of a plain whole-op interval analysis (interval_load.py)
    load       load by Berth's live ranges
    arena      bytes of Berth's arena
    ratio      arena / interval
    optimal    yes if the plan is proven to be the smallest for these ranges
    time       seconds in berth-arena, as mlir-opt's --mlir-timing has it

With `--rules` a column for each rule that moves or joins bytes instead: what the arena
has without it, and, of rules that are off by default, with it (the same number: `.`).
There the variant `loops` is `plain` with linalg ops made loops before.

With `--overlap` what it has as it is, with linalg ops made loops before, and with
`overlap=on` on these loops; of the variant `plain` alone.

Variants: `plain` is what one-shot-bufferize leaves; `dealloc` went through the
buffer-deallocation-pipeline; `hoisted` through buffer-loop-hoisting, which
moves the allocations out of the loops. Fails if an arena exceeds the interval
load of its row.
"""

import argparse
import json
import os
import re
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(HERE))
sys.path.insert(0, HERE)

from berthbench import Failure, mlir_opt, print_table, run
import networks

BUFFERIZE = (
    "canonicalize,cse,linalg-fuse-elementwise-ops,eliminate-empty-tensors,"
    "one-shot-bufferize{bufferize-function-boundaries=true "
    "function-boundary-type-conversion=identity-layout-map},"
    "canonicalize,cse,buffer-results-to-out-params{hoist-static-allocs=true "
    "modify-public-functions=true},canonicalize,cse"
)
VARIANTS = {
    "plain": "",
    "dealloc": "buffer-deallocation-pipeline",
    "hoisted": "func.func(buffer-loop-hoisting)",
}
HEADER = ["network", "variant", "allocs", "sum", "interval", "load", "arena"]
HEADER += ["ratio", "optimal", "time"]
LOOPS = "func.func(convert-linalg-to-loops,lower-affine)"
RULES = ["in-place", "refill", "split-lives", "short-circuit", "byte-ranges"]
RULES += ["rotate"]
OFFERS = ["overlap", "schedule"]


def interval_load(text):
    """(allocations, sum of sizes, load) by the baseline's script."""
    generic, _ = mlir_opt(
        text, "", None, ["--mlir-print-op-generic"]
    )
    script = os.path.join(HERE, "interval_load.py")
    out, _ = run([sys.executable, script], generic)
    _, count, total, load = out.split()
    return int(count), int(total), int(load)


def berth(text, build, options=""):
    """(scope's report, seconds in the pass, the program afterwards)."""
    with tempfile.TemporaryDirectory() as folder:
        report = os.path.join(folder, "report.json")
        out, timing = mlir_opt(
            text,
            f"berth-arena{{report={report} {options}}}",
            build,
            ["--mlir-timing", "--mlir-timing-display=list"],
        )
        with open(report) as f:
            scopes = json.load(f)["scopes"]
    seconds = re.search(r"([\d.]+) \([^)]*\)\s+Arena", timing)
    return scopes[0], float(seconds.group(1)) if seconds else None, out


def measure(name, variant, text, build):
    """One row, and whether its arena is within the interval load."""
    count, total, interval = interval_load(text)
    scope, seconds, _ = berth(text, build)
    row = [name, variant, count, total, interval, scope["load"]]
    row += [scope["bytes_after"], f"{scope['bytes_after'] / interval:.3f}"]
    row += ["yes" if scope["optimal"] else "no", f"{seconds:.3f}"]
    return row, scope["bytes_after"] <= interval


def measure_rules(name, variant, text, build):
    """The arena with all rules, without each, and with each that is off."""
    arena = berth(text, build)[0]["bytes_after"]
    row = [name, variant, arena]
    settings = [f"{rule}=false" for rule in RULES]
    for setting in settings + [f"{offer}=on" for offer in OFFERS]:
        changed = berth(text, build, setting)[0]["bytes_after"]
        row.append("." if changed == arena else changed)
    return row


def measure_overlap(name, variant, text, build):
    """The arena of ops, of loops, and of loops that write over what they read."""
    loops, _ = mlir_opt(text, LOOPS)
    row = [name, variant, berth(text, build)[0]["bytes_after"]]
    for options in ("", "overlap=on"):
        row.append(berth(loops, build, options)[0]["bytes_after"])
    return row


def keep(folder, name, variant, text):
    if folder:
        os.makedirs(folder, exist_ok=True)
        with open(os.path.join(folder, f"{name}.{variant}.mlir"), "w") as f:
            f.write(text)


def arguments():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--build", default="build", help="Berth's build folder")
    parser.add_argument("--reduced", action="store_true", help="small shapes")
    parser.add_argument("--only", help="one network by its name")
    parser.add_argument(
        "--rules", action="store_true", help="arenas without each rule"
    )
    parser.add_argument(
        "--overlap", action="store_true", help="arenas of loops, with overlap=on"
    )
    parser.add_argument("--keep", help="write the bufferized programs here")
    return parser.parse_args()


def main():
    args = arguments()
    table = networks.REDUCED if args.reduced else networks.NETWORKS
    chosen = [n for n in table if args.only in (None, n[0])]
    if not chosen:
        sys.exit(f"unknown network '{args.only}'; known: "
                 + ", ".join(name for name, _ in table))
    rows, failures = [], []
    for name, generate in chosen:
        bufferized, _ = mlir_opt(generate(), BUFFERIZE)
        variants = VARIANTS | ({"loops": LOOPS} if args.rules else {})
        for variant, pipeline in variants.items():
            text, _ = mlir_opt(bufferized, pipeline)
            if variant != "plain" and text == bufferized:
                continue
            if args.overlap and variant != "plain":
                continue
            keep(args.keep, name, variant, text)
            if args.overlap:
                rows.append(
                    measure_overlap(name, variant, text, args.build)
                )
                continue
            if args.rules:
                rows.append(
                    measure_rules(name, variant, text, args.build)
                )
                continue
            row, good = measure(name, variant, text, args.build)
            rows.append(row)
            if not good:
                failures.append(f"{name} {variant}")
    if args.rules:
        header = ["network", "variant", "arena"]
        header += [f"-{rule}" for rule in RULES]
        print_table(header + [f"+{offer}" for offer in OFFERS], rows)
        return
    if args.overlap:
        print_table(["network", "variant", "arena", "loops", "overlap"], rows)
        return
    print_table(HEADER, rows)
    if failures:
        sys.exit("arena above the interval load: " + ", ".join(failures))
    print(f"{len(rows)} of {len(rows)} arenas within the interval load")


if __name__ == "__main__":
    try:
        main()
    except Failure as failure:
        sys.exit(f"error: {failure}")
