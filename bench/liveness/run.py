#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The time of Berth's analysis against mlir-opt's own parsing and printing.

    python3 bench/liveness/run.py [--build BUILD] [--ops N]...

For one large function (generate.py) of each shape and size, in seconds of CPU
time, the fastest of five runs:

    io        mlir-opt parses and prints the file, without passes
    liveness  what berth-print-liveness{print=false} adds to that: the live
              ranges of all buffers
    ratio     liveness / io: below 1.000 is the aim
    arena     what berth-arena with first-fit adds (analysis, packing, checking,
              rewriting; it prints another program), for orientation
    growth    liveness per op, relative to the smallest size of this shape; n log
              n would be 1.22 at eight times the ops
"""

import argparse
import os
import resource
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(HERE))
sys.path.insert(0, HERE)

from berthbench import Failure, mlir_opt, print_table
from generate import generate

QUIET = ["-o", os.devnull]
HEADER = ["shape", "ops", "allocs", "io", "liveness", "ratio", "arena"]
HEADER += ["growth"]


def children_time():
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def fastest(text, pipeline, build=None):
    """The least CPU time of five runs of mlir-opt."""
    times = []
    for _ in range(5):
        start = children_time()
        mlir_opt(text, pipeline, build, QUIET)
        times.append(children_time() - start)
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
            io = fastest(text, "", args.build)
            live = fastest(text, "berth-print-liveness{print=false}", args.build) - io
            arena = fastest(text, "berth-arena{packer=first-fit}", args.build) - io
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
