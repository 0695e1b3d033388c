#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Whole networks through bufferization and Berth, as one table.

    python3 bench/models/run.py [--build BUILD] [--reduced] [--only NAME]
                                [--keep FOLDER]
                                [--rules | --overlap | --kernels]

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
`none` is without all of the former at once. `kills` is that a write ends the content
before it, alone or with others; `apart` that regions of which one runs are no
sequence. There the variant `loops` is `plain` with linalg ops made loops before. Each
number is a run of berth-opt by itself, two at a time; --rows=FILE keeps the rows as
they come, and what it has already is not run again.

With `--overlap` what it has as it is, with linalg ops made loops before, and with
`overlap=on` on these loops; of the variant `plain` alone.

With `--kernels` the shared memory of kernels of test/race, which are run there with and
without Berth: what their buffers take, the arena, the barriers that are inserted for
it, and the arena without each rule and with the barriers that are there (`existing`).

Variants: `plain` is what one-shot-bufferize leaves; `dealloc` went through the
buffer-deallocation-pipeline; `hoisted` through buffer-loop-hoisting, which
moves the allocations out of the loops. Fails if an arena exceeds the interval
load of its row.
"""

import argparse
import itertools
import json
import os
import re
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

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
SWITCHES = ["in-place", "refill", "drop-unread", "split-lives", "short-circuit"]
SWITCHES += ["byte-ranges", "rotate"]
RULES = {rule: f"{rule}=false" for rule in SWITCHES}
RULES["kills"] = "test-break-rule=no-kills"
RULES["apart"] = "test-break-rule=no-alternatives"
OFFERS = {"overlap": "overlap=on", "schedule": "schedule=on"}
SETTINGS = {"arena": "", "none": " ".join(list(RULES.values())[:len(SWITCHES)])}
SETTINGS |= {f"-{rule}": off for rule, off in RULES.items()}
SETTINGS |= {f"+{offer}": on for offer, on in OFFERS.items()}

KERNELS = ["matmul", "matmul-two-stages", "split-k", "conv", "softmax", "layer-norm"]
KERNELS += ["flash-attention", "flash-attention-backward", "paged-attention"]
KERNELS += ["one-of-several", "covers", "covers-calls", "covers-fragments"]
KERNELS += ["slices-fragments", "reductions", "radix-sort"]
KERNEL_RULES = {"in-place": "in-place=false", "byte-ranges": "byte-ranges=false"}
KERNEL_RULES |= {rule: f"test-break-rule=no-{rule}" for rule in ("kills", "names")}
KERNEL_RULES["apart"] = RULES["apart"]
KERNEL_RULES = {f"-{rule}": off for rule, off in KERNEL_RULES.items()}
KERNEL_RULES["existing"] = "barriers=existing"


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


def scopes_of(path, build, options):
    """What is reported of a program; nothing but that is made of it."""
    with tempfile.TemporaryDirectory() as folder:
        report = os.path.join(folder, "report.json")
        run([os.path.join(build, "bin", "berth-opt"), path, "-o", os.devnull,
             f"--pass-pipeline=builtin.module(berth-arena{{report={report} "
             f"{options}}})"])
        with open(report) as f:
            return json.load(f)["scopes"]


def arena_bytes(path, build, options):
    return scopes_of(path, build, options)[0]["bytes_after"]


def measure_rules(name, variant, text, build, interval):
    """The arena with all rules, with none, without each, and with each that is
    off."""
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(2) as pool:
        path = os.path.join(folder, "program.mlir")
        with open(path, "w") as f:
            f.write(text)
        arena, *others = pool.map(arena_bytes, itertools.repeat(path),
                                  itertools.repeat(build), SETTINGS.values())
    return [name, variant, interval, arena] + [
        "." if other == arena else other for other in others]


def rows_of_rules(args, programs):
    """A row a program; those that the file has already are taken from it."""
    known = {}
    if args.rows and os.path.exists(args.rows):
        with open(args.rows) as f:
            known = {tuple(row[:2]): row for row in map(json.loads, f)}
    for name, variant, text in programs:
        row = known.get((name, variant))
        if not row:
            row = measure_rules(name, variant, text, args.build,
                                interval_load(text)[2])
            if args.rows:
                with open(args.rows, "a") as f:
                    f.write(json.dumps(row) + "\n")
        yield row


def measure_overlap(name, variant, text, build):
    """The arena of ops, of loops, and of loops that write over what they read."""
    loops, _ = mlir_opt(text, LOOPS)
    row = [name, variant, berth(text, build)[0]["bytes_after"]]
    for options in ("", "overlap=on"):
        row.append(berth(loops, build, options)[0]["bytes_after"])
    return row


def measure_kernel(name, build):
    """The buffers of all kernels of a file, their arenas, and those without each
    rule."""
    path = os.path.join(HERE, "..", "..", "test", "race", name + ".mlir")
    scopes = scopes_of(path, build, "")
    before, arena = (sum(scope[key] for scope in scopes)
                     for key in ("bytes_before", "bytes_after"))
    row = [name, before, arena, f"{arena / before:.3f}",
           sum(scope["barriers"]["inserted"] for scope in scopes)]
    for options in KERNEL_RULES.values():
        other = sum(scope["bytes_after"]
                    for scope in scopes_of(path, build, options))
        row.append("." if other == arena else other)
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
    parser.add_argument(
        "--kernels", action="store_true", help="shared memory of kernels"
    )
    parser.add_argument("--keep", help="write the bufferized programs here")
    parser.add_argument("--rows", metavar="FILE", help="with --rules: see there")
    return parser.parse_args()


def programs(args, chosen):
    """(network, variant, its text), of variants that differ from `plain`."""
    for name, generate in chosen:
        bufferized, _ = mlir_opt(generate(), BUFFERIZE)
        variants = VARIANTS | ({"loops": LOOPS} if args.rules else {})
        for variant, pipeline in variants.items():
            if args.overlap and variant != "plain":
                continue
            text, _ = mlir_opt(bufferized, pipeline)
            if variant != "plain" and text == bufferized:
                continue
            keep(args.keep, name, variant, text)
            yield name, variant, text


def main():
    args = arguments()
    if args.kernels:
        header = ["kernel", "buffers", "arena", "ratio", "inserted"]
        header += list(KERNEL_RULES)
        print_table(header, [measure_kernel(name, args.build) for name in KERNELS])
        return
    table = networks.REDUCED if args.reduced else networks.NETWORKS
    chosen = [n for n in table if args.only in (None, n[0])]
    if not chosen:
        sys.exit(f"unknown network '{args.only}'; known: "
                 + ", ".join(name for name, _ in table))
    if args.rules:
        header = ["network", "variant", "interval"] + list(SETTINGS)
        print_table(header, list(rows_of_rules(args, programs(args, chosen))))
        return
    if args.overlap:
        print_table(["network", "variant", "arena", "loops", "overlap"],
                    [measure_overlap(*program, args.build)
                     for program in programs(args, chosen)])
        return
    rows, failures = [], []
    for name, variant, text in programs(args, chosen):
        row, good = measure(name, variant, text, args.build)
        rows.append(row)
        if not good:
            failures.append(f"{name} {variant}")
    print_table(HEADER, rows)
    if failures:
        sys.exit("arena above the interval load: " + ", ".join(failures))
    print(f"{len(rows)} of {len(rows)} arenas within the interval load")


if __name__ == "__main__":
    try:
        main()
    except Failure as failure:
        sys.exit(f"error: {failure}")
