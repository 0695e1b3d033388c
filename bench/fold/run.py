#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Folding: cells by method against the live cells, and what it does to a program.

    python3 bench/fold/run.py [--build BUILD] [--kernels]

With --kernels it ends behind the first two tables, which docs/berth-fold.md has.

The first table has kernels of test/exec/fold: the cells of the arrays that are
folded, as they were, live at once and folded, and the pass's processor time. The
second has the arenas of functions whose arrays are folded each by itself, and
together. The third has, for each example, the cells that every method alone needs at one
size, the most cells live at once there, and the processor time of the whole
call, checks included. The fourth runs a time-expanded stencil, as it is and
folded, and compares processor time and peak memory of the same run.
"""

import argparse
import json
import os
import re
import resource
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(HERE))

from berthbench import Failure, LLVM, run

ROOT = os.path.dirname(os.path.dirname(HERE))
SIZES = {"stencil1d": "T=6,n=8", "running": "N=8", "lbm-d2q9": "T=4,N=5",
         "lbm-d3q27": "T=3,N=3", "lbm-d2q9-populations": "T=3,N=4", "diamond": "B=6", "heat2d": "B=6",
         "triangle": "N=14"}
METHODS = ["lefebvre-feautrier", "smo", "lattice", "turn", "exact"]

STENCIL = """
func.func @main() {
  %%c = arith.constant 0.25 : f64
  %%A = memref.alloc() : memref<%(T)dx%(N)dxf64>
  affine.for %%i = 0 to %(N)d {
    affine.store %%c, %%A[0, %%i] : memref<%(T)dx%(N)dxf64>
  }
  affine.for %%t = 1 to %(T)d {
    affine.store %%c, %%A[%%t, 0] : memref<%(T)dx%(N)dxf64>
    affine.store %%c, %%A[%%t, %(N)d - 1] : memref<%(T)dx%(N)dxf64>
    affine.for %%i = 1 to affine_map<() -> (%(N)d - 1)>() {
      %%a = affine.load %%A[%%t - 1, %%i - 1] : memref<%(T)dx%(N)dxf64>
      %%b = affine.load %%A[%%t - 1, %%i] : memref<%(T)dx%(N)dxf64>
      %%d = affine.load %%A[%%t - 1, %%i + 1] : memref<%(T)dx%(N)dxf64>
      %%s = arith.addf %%a, %%b : f64
      %%u = arith.addf %%s, %%d : f64
      %%m = arith.mulf %%u, %%c : f64
      affine.store %%m, %%A[%%t, %%i] : memref<%(T)dx%(N)dxf64>
    }
  }
  %%v = affine.load %%A[%(T)d - 1, %(N)d - 7] : memref<%(T)dx%(N)dxf64>
  vector.print %%v : f64
  memref.dealloc %%A : memref<%(T)dx%(N)dxf64>
  return
}
"""


# What vector.print calls. MLIR's own runner library would do, but it loads
# libMLIR and libLLVM, whose 80 MB would hide what the program itself needs. The
# peak is the kernel's count for the program's own pages: what wait4 tells
# starts at the size of this script, from which the program is forked.
RUNTIME = """
#include <stdio.h>
#include <string.h>
void printF64(double value) { printf("%.17g", value); }
void printNewline(void) { printf("\\n"); }
__attribute__((destructor)) static void printPeak(void) {
  char line[256];
  FILE *file = fopen("/proc/self/status", "r");
  while (file && fgets(line, sizeof line, file))
    if (!strncmp(line, "VmHWM:", 6))
      fputs(line + 6, stderr);
}
"""


# What compilers write, in test/exec/fold, and by what it is known.
KERNELS = {
    "conv-conv": "two convolutions, 1 row", "conv-pool": "convolution, pooling",
    "depthwise-pointwise": "pointwise, depthwise, pointwise, 4 rows",
    "unsharp-rows": "unsharp mask, 1 row", "harris-rows": "Harris, 1 row",
    "blur-vectors": "blur, vectors of 8", "slices-in-place": "8 transpositions",
    "blur-rows": "blur, loads and stores", "unsharp": "unsharp mask, the same",
    "attention-rows": "rows of attention", "2mm": "two products",
    "stencil-2d": "stencil in the plane",
    "mirrored": "peeled loop, tiles, skip connection, strides",
    "windows": "36 rows at once; rows that wait; a window written anew"}
CELLS = re.compile(r", (\d+) cells of (\d+), at most (\d+) live at once")


def print_kernels(build):
    """A row a kernel: its arrays' cells before, live at once, and after."""
    print("| kernel | cells before | live at once | after | arrays | pass, s |")
    print("|---|---|---|---|---|---|")
    for name, title in KERNELS.items():
        path = os.path.join(ROOT, "test", "exec", "fold", name + ".mlir")
        command = [os.path.join(build, "bin", "berth-opt"), path,
                   "--remarks-filter=berth-fold", "-o", os.devnull]
        options = "--berth-fold=max-operations=0 joint=false"
        done = subprocess.run(command + [options + " count-live"],
                              capture_output=True, text=True, check=True)
        arrays = [[int(n) for n in found] for found in CELLS.findall(done.stderr)]
        spent = []
        for passes in [[options], []]:
            before = cpu_seconds()
            subprocess.run(command + passes, capture_output=True, check=True)
            spent.append(cpu_seconds() - before)
        after, before, live = (sum(a[i] for a in arrays) for i in range(3))
        print("| %s | %d | %d | %d | %d | %.2f |" % (
            title, before, live, after, len(arrays),
            max(spent[0] - spent[1], 0)), flush=True)


# Functions of test/exec/fold with several arrays that hand over to one another.
TOGETHER = {"chain": ["elementwise chain"], "attention-rows": ["rows of attention"],
            "unsharp": ["unsharp mask, loads and stores"],
            "placed": ["upsampling", "deinterleaving", "two taps",
                       "two taps beside a third array"],
            "conv-conv": ["two convolutions, 1 row (slices)"],
            "conv-pool": ["convolution, pooling (slices)"],
            "depthwise-pointwise": ["pointwise, depthwise, pointwise (slices)"],
            "unsharp-rows": ["unsharp mask, 1 row (slices)"],
            "harris-rows": ["Harris, 1 row (slices)"],
            "blur-vectors": ["blur, vectors of 8 (slices)"],
            "placed-slices": ["upsampling by rows (slices)",
                              "the same by vectors (slices)",
                              "rows that ask for an alignment (slices)"]}
ARENA = re.compile(r"in an arena of (\d+) bytes")


def print_together(build):
    """A row a function: bytes of its arena, its arrays folded apart or together."""
    print("\n| arrays that hand over | bytes of the arena, folded apart | together |")
    print("|---|---|---|")
    for name, titles in TOGETHER.items():
        sizes = []
        for joint in ["false", "true"]:
            done = subprocess.run(
                [os.path.join(build, "bin", "berth-opt"),
                 os.path.join(ROOT, "test", "exec", "fold", name + ".mlir"),
                 "--pass-pipeline=builtin.module(berth-fold{max-operations=0 joint="
                 + joint + "},berth-arena)", "--remarks-filter=berth-arena",
                 "-o", os.devnull], capture_output=True, text=True, check=True)
            sizes.append(ARENA.findall(done.stderr))
        for k, title in enumerate(titles):
            print("| %s | %s | %s |" % (title, sizes[0][k], sizes[1][k]), flush=True)


def cpu_seconds():
    """Processor time of all children so far: other work does not count."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def find(build, name, method):
    """Mapping, cells, live cells and milliseconds of one method."""
    command = [os.path.join(build, "bin", "berth-pack"), "fold", "--json", "--alone",
               "--method=" + method, "--check=" + SIZES[name],
               os.path.join(ROOT, "examples", "fold", name + ".txt")]
    before = cpu_seconds()
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    spent = (cpu_seconds() - before) * 1000
    if done.returncode:
        return None
    for mapping in json.loads(done.stdout):
        if "cells" in mapping:
            return (mapping["mapping"], mapping["cells"],
                    mapping.get("max_live", 0), spent)
    return None


def print_mappings(build):
    print("%-10s %-12s %-19s %6s %6s %6s %8s  %s" % (
        "example", "size", "method", "cells", "live", "ratio", "ms", "mapping"))
    for name in SIZES:
        for method in METHODS:
            found = find(build, name, method)
            if not found:
                print("%-10s %-12s %-19s %6s" % (name, SIZES[name], method, "-"))
                continue
            text, cells, live, spent = found
            print("%-10s %-12s %-19s %6d %6d %6.2f %8.1f  %s" % (
                name, SIZES[name], method, cells, live, cells / max(live, 1),
                spent, text.split(" where ")[0]))


def run_program(build, text, pipeline, folder):
    """CPU seconds, peak RSS in MB and output of a program after a pipeline."""
    tools = os.path.join(LLVM, "bin")
    lowered, _ = run([os.path.join(build, "bin", "berth-opt"),
                      "--pass-pipeline=builtin.module(" + pipeline + ")"], text)
    lowered, _ = run([os.path.join(tools, "mlir-opt"), "--lower-affine",
                      "--test-lower-to-llvm"], lowered)
    ir, _ = run([os.path.join(tools, "mlir-translate"), "--mlir-to-llvmir"],
                lowered)
    source = os.path.join(folder, "program.ll")
    program = os.path.join(folder, "program")
    with open(source, "w", encoding="utf-8") as file:
        file.write(ir.replace("define void @main()", "define i32 @main()")
                   .replace("ret void", "ret i32 0"))
    runtime = os.path.join(folder, "runtime.c")
    with open(runtime, "w", encoding="utf-8") as file:
        file.write(RUNTIME)
    run([os.path.join(tools, "clang"), "-O2", "-w", source, runtime, "-o", program,
         "-lm"])
    before = cpu_seconds()
    output, peak = run([program])
    return cpu_seconds() - before, int(peak.split()[0]) / 1024, output


def print_runs(build, steps, points):
    print("\nstencil over %d steps of %d points" % (steps, points))
    print("%-24s %8s %8s %8s %8s" % ("", "s", "ratio", "MB", "ratio"))
    text = STENCIL % {"T": steps, "N": points}
    base = None
    with tempfile.TemporaryDirectory() as folder:
        for label, pipeline in [
                ("full", ""), ("fold", "berth-fold{max-operations=0}"),
                ("fold, lefebvre-feautrier",
                 "berth-fold{max-operations=0 method=lefebvre-feautrier alone}"),
                ("fold, pow2-slack=35", "berth-fold{max-operations=0 pow2-slack=35}")]:
            seconds, peak, output = run_program(build, text, pipeline, folder)
            base = base or (seconds, peak, output)
            if output != base[2]:
                sys.exit("the output differs: " + label)
            print("%-24s %8.3f %8.2f %8.1f %8.3f" % (
                label, seconds, seconds / base[0], peak, peak / base[1]))


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--build", default=os.path.join(ROOT, "build"),
                        help="Berth's build folder")
    parser.add_argument("--kernels", action="store_true",
                        help="end behind the first two tables")
    arguments = parser.parse_args()
    build = arguments.build
    tool = os.path.join(build, "bin", "berth-pack")
    if not os.path.exists(tool):
        raise Failure(tool + " is missing: build Berth first")
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    print_kernels(build)
    print_together(build)
    if arguments.kernels:
        return
    print()
    print_mappings(build)
    print_runs(build, 500, 100000)


if __name__ == "__main__":
    try:
        main()
    except Failure as failure:
        sys.exit(f"error: {failure}")
