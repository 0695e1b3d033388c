#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The time of Berth's analysis against mlir-opt's own parsing and printing.

    python3 bench/liveness/run.py [--build BUILD] [--ops N]...

For one large function (generate.py) of each shape and size, three times each,
the fastest counted:

    io        seconds in which mlir-opt parses and prints the file
    liveness  seconds in which berth-print-liveness{print=false} finds the
              live ranges of all buffers
    ratio     liveness / io: below 1.000 is the aim
    arena     seconds in berth-arena with first-fit (analysis, packing, checking,
              rewriting), for orientation
    growth    liveness per op, relative to the smallest size of this shape
"""

import argparse
import os
import re
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(HERE))
sys.path.insert(0, HERE)

from berthbench import Failure, mlir_opt, print_table
from generate import generate

TIMING = ["--mlir-timing", "--mlir-timing-display=list", "-o", os.devnull]
HEADER = ["shape", "ops", "allocs", "io", "liveness", "ratio", "arena"]
HEADER += ["growth"]


def seconds(timing, name):
    found = re.search(r"([\d.]+) +\([^)]*\) +" + name, timing)
    if not found:
        raise Failure(f"no line for {name} in mlir-opt's timing")
    return float(found.group(1))


def fastest(text, pipeline, names, build=None):
    """The least sum over three runs of the times that `names` name."""
    times = []
    for _ in range(3):
        _, timing = mlir_opt(text, pipeline, build, TIMING)
        times.append(sum(seconds(timing, name) for name in names))
    return min(times)


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--build", default="build", help="Berth's build folder")
    parser.add_argument("--ops", type=int, action="append", help="sizes")
    args = parser.parse_args()
    rows = []
    for shape in ("straight", "nested"):
        first = None
        for ops in args.ops or (12500, 25000, 50000, 100000):
            text = generate(shape, ops)
            io = fastest(text, "", ["Parser", "Output"])
            live = fastest(
                text, "berth-print-liveness{print=false}", ["PrintLiveness"], args.build
            )
            arena = fastest(
                text, "berth-arena{packer=first-fit}", ["Arena"], args.build
            )
            first = first or live / ops
            rows.append(
                [shape, ops, text.count("memref.alloc"), f"{io:.3f}"]
                + [f"{live:.3f}", f"{live / io:.3f}", f"{arena:.3f}"]
                + [f"{live / ops / first:.2f}"]
            )
    print_table(HEADER, rows)


if __name__ == "__main__":
    try:
        main()
    except Failure as failure:
        sys.exit(f"error: {failure}")
