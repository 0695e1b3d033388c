#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What more alignment than elements need costs in bytes, and brings in time.

    python3 bench/alignment/run.py [--build BUILD] [--reduced]

The first table has the arena of each network (bench/models) with `alignment=` 1,
16 and 64. The second one runs y += a x on vectors of 16 floats, as mlir-runner
compiles it for this machine, on two rows in one arena that lie so many bytes
behind a multiple of 64: nanoseconds for a pass over rows of 4 KiB (first level
of cache) and 256 KiB (second), the least of seven runs.
"""

import argparse
import json
import os
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.dirname(HERE), os.path.join(os.path.dirname(HERE), "models")]

from berthbench import LLVM, Failure, mlir_opt, print_table, run
from run import BUFFERIZE
import networks

ALIGNMENTS = (1, 16, 64)
SHIFTS = (0, 32, 16, 4)
PASSES = {1024: 40000, 65536: 500}

KERNEL = """
func.func private @rtclock() -> f64
func.func @axpy(%x: memref<{n}xf32>, %y: memref<{n}xf32>) attributes {{passthrough = ["noinline"]}} {{
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %n = arith.constant {n} : index
  %a = arith.constant dense<1.0e-6> : vector<16xf32>
  scf.for %i = %c0 to %n step %c16 {{
    %u = vector.load %x[%i] : memref<{n}xf32>, vector<16xf32>
    %v = vector.load %y[%i] : memref<{n}xf32>, vector<16xf32>
    %w = vector.fma %a, %u, %v : vector<16xf32>
    vector.store %w, %y[%i] : memref<{n}xf32>, vector<16xf32>
  }}
  return
}}
func.func @main() {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c7 = arith.constant 7 : index
  %passes = arith.constant {passes} : index
  %one = arith.constant 1.0 : f32
  %arena = memref.alloc() {{alignment = 64 : i64}} : memref<{size}xi8>
  %at = arith.constant {first} : index
  %behind = arith.constant {second} : index
  %x = memref.view %arena[%at][] : memref<{size}xi8> to memref<{n}xf32>
  %y = memref.view %arena[%behind][] : memref<{size}xi8> to memref<{n}xf32>
  linalg.fill ins(%one : f32) outs(%x : memref<{n}xf32>)
  linalg.fill ins(%one : f32) outs(%y : memref<{n}xf32>)
  scf.for %k = %c0 to %c7 step %c1 {{
    %start = func.call @rtclock() : () -> f64
    scf.for %p = %c0 to %passes step %c1 {{
      func.call @axpy(%x, %y) : (memref<{n}xf32>, memref<{n}xf32>) -> ()
    }}
    %end = func.call @rtclock() : () -> f64
    %time = arith.subf %end, %start : f64
    vector.print %time : f64
  }}
  return
}}
"""


def nanoseconds(count, shift):
    """Of one pass over rows of so many floats."""
    size = 8 * count + 256
    text = KERNEL.format(n=count, passes=PASSES[count], size=size, first=shift,
                         second=4 * count + 64 + shift)
    lowered, _ = mlir_opt(text, "test-lower-to-llvm")
    libraries = [f"--shared-libs={LLVM}/lib/libmlir_{name}.so"
                 for name in ("runner_utils", "c_runner_utils")]
    out, _ = run([os.path.join(LLVM, "bin", "mlir-runner"), "-O3", "-e", "main",
                  "--entry-point-result=void", *libraries], lowered)
    return min(float(line) for line in out.split()) / PASSES[count] * 1e9


def arena(text, build, alignment):
    with tempfile.TemporaryDirectory() as folder:
        report = os.path.join(folder, "report.json")
        mlir_opt(text, f"berth-arena{{report={report} alignment={alignment}}}", build)
        with open(report) as file:
            return json.load(file)["scopes"][0]["bytes_after"]


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", default="build", help="Berth's build folder")
    parser.add_argument("--reduced", action="store_true", help="small shapes")
    args = parser.parse_args()
    rows = []
    for name, generate in networks.REDUCED if args.reduced else networks.NETWORKS:
        text, _ = mlir_opt(generate(), BUFFERIZE)
        rows.append([name] + [arena(text, args.build, n) for n in ALIGNMENTS])
    print_table(["network"] + [f"alignment={n}" for n in ALIGNMENTS], rows)
    print()
    rows = [[f"{shift} bytes behind"] + [f"{nanoseconds(count, shift):.0f}"
                                         for count in PASSES] for shift in SHIFTS]
    print_table(["rows"] + [f"{4 * count >> 10} KiB" for count in PASSES], rows)


if __name__ == "__main__":
    try:
        main()
    except Failure as failure:
        sys.exit(f"error: {failure}")
