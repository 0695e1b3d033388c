#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How often threads meet in banks: padding of rows, and what others do.

    python3 bench/kernels/padding.py [--build BUILD]

Kernels of one tile in workgroup memory, each access of it with how often it runs
and the passes that it takes in all (the model of docs/gpu.md, 32 banks of 4 bytes):

    written    as it stands
    nvgpu      behind nvgpu-optimize-shared-memory of MLIR, which takes columns
               xor some bits of the row
    blind      rows 16 bytes farther apart, whatever the accesses are, as IREE's
               iree-codegen-gpu-reduce-bank-conflicts has them
    auto       berth-arena{padding=auto}

and the bytes of the tile.
"""

import argparse
import os
import re
import subprocess
import sys

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

from berthbench import Failure, LLVM, print_table

HEADER = ["kernel", "access", "runs", "written", "nvgpu", "blind", "auto"]
SPACE = "#gpu.address_space<workgroup>"
WIDTH = {"f32": 4, "f16": 2}


class Kernel:
    """Its tile, and accesses: name, how often each runs, and lines."""

    def __init__(self, name, threads, rows, columns, element, accesses):
        self.name, self.threads = name, threads
        self.rows, self.columns, self.element = rows, columns, element
        self.accesses = accesses

    def bytes_of(self, padding):
        return self.rows * (self.columns + padding) * WIDTH[self.element]

    def text(self, padding=0):
        wide = f"{self.rows}x{self.columns + padding}x{self.element}"
        tile = f"memref<{wide}, {SPACE}>"
        lines = [f"%rows = memref.alloc() {{alignment = 16 : i64}} : {tile}"]
        name = "%rows"
        if padding:
            tile = (
                f"memref<{self.rows}x{self.columns}x{self.element}, "
                f"strided<[{self.columns + padding}, 1]>, {SPACE}>"
            )
            lines += [
                f"%tile = memref.subview %rows[0, 0] [{self.rows}, {self.columns}] "
                f"[1, 1] : memref<{wide}, {SPACE}> to {tile}"
            ]
            name = "%tile"
        for _, runs, body in self.accesses:
            for turn in range(runs):
                lines += ["scf.execute_region {"]
                lines += [f"%i = arith.constant {turn} : index"]
                for line in body:
                    lines.append(
                        line.replace("TILE", tile)
                        .replace("%tile", name)
                        .replace("LEAD", str(self.columns + padding))
                    )
                lines += ["scf.yield", "}"]
            lines += ["gpu.barrier"]
        return "\n".join(self.head() + lines + ["gpu.return", "}", "}"])

    def head(self):
        x, y = self.threads
        io = of(self.element)
        constants = [1, 2, 4, 7, 8, 15, 16, 31, 32]
        return (
            ["gpu.module @kernels {"]
            + [f"gpu.func @k(%in: {io}, %out: {io}) kernel attributes"]
            + [f"{{known_block_size = array<i32: {x}, {y}, 1>}} {{"]
            + ["%x = gpu.thread_id x", "%y = gpu.thread_id y"]
            + ["%c0 = arith.constant 0 : index"]
            + [f"%c{n} = arith.constant {n} : index" for n in constants]
            + [f"%pad = arith.constant 0.0 : {self.element}"]
        )


def of(element):
    return f"memref<256x256x{element}>"


def elements(runs, row, column, stores, element="f32"):
    io = of(element)
    at = f"%tile[{row}, {column}] : TILE"
    if stores:
        return [f"%v = memref.load %in[%i, %x] : {io}", f"memref.store %v, {at}"]
    return [f"%v = memref.load {at}", f"memref.store %v, %out[%i, %x] : {io}"]


def vectors(row, column, stores, element, count):
    io = of(element)
    kind = f"vector<{count}x{element}>"
    at = f"%tile[{row}, {column}] : TILE, {kind}"
    if stores:
        return [
            f"%v = vector.load %in[%x, %c0] : {io}, {kind}",
            f"vector.store %v, {at}",
        ]
    return [
        f"%v = vector.load {at}",
        f"vector.store %v, %out[%x, %c0] : {io}, {kind}",
    ]


def copies(columns):
    """By 32 threads, 16 bytes each, rows one after the other."""
    across = columns // 8
    return [
        f"%across = arith.constant {across} : index",
        "%part = arith.remui %x, %across : index",
        "%column = arith.muli %part, %c8 : index",
        "%down = arith.divui %x, %across : index",
        f"%step = arith.constant {32 // across} : index",
        "%first = arith.muli %i, %step : index",
        "%row = arith.addi %first, %down : index",
        "%c = nvgpu.device_async_copy %in[%row, %column], "
        f"%tile[%row, %column], 8 : {of('f16')} to TILE",
        "%g = nvgpu.device_async_create_group %c",
        "nvgpu.device_async_wait %g",
    ]


def ldmatrix():
    return [
        "%low = arith.remui %x, %c16 : index",
        "%high = arith.divui %x, %c16 : index",
        "%column = arith.muli %high, %c8 : index",
        "%k = arith.muli %i, %c16 : index",
        "%from = arith.addi %column, %k : index",
        "%v = nvgpu.ldmatrix %tile[%low, %from] "
        "{numTiles = 4 : i32, transpose = false} : TILE -> vector<4x2xf16>",
        "%e = vector.extract %v[0, 0] : f16 from vector<4x2xf16>",
        f"memref.store %e, %out[%i, %x] : {of('f16')}",
    ]


def fragments():
    return [
        "%k = arith.muli %i, %c16 : index",
        "%f = gpu.subgroup_mma_load_matrix %tile[%c0, %k] {leadDimension = LEAD"
        ' : index} : TILE -> !gpu.mma_matrix<16x16xf16, "AOp">',
    ]


KERNELS = [
    Kernel(
        "transpose, 32 x 32 f32",
        (32, 1),
        32,
        32,
        "f32",
        [
            ("store rows", 32, elements(32, "%i", "%x", True)),
            ("load columns", 32, elements(32, "%x", "%i", False)),
        ],
    ),
    Kernel(
        "transpose, 32 x 64 f16",
        (32, 1),
        32,
        64,
        "f16",
        [
            ("store rows", 32, elements(32, "%i", "%x", True, "f16")),
            ("load columns", 32, elements(32, "%x", "%i", False, "f16")),
        ],
    ),
    Kernel(
        "rows of threads, 32 x 32 f32",
        (32, 1),
        32,
        32,
        "f32",
        [
            ("store 16 bytes", 1, vectors("%x", "%c0", True, "f32", 4)),
            ("load 16 bytes", 1, vectors("%x", "%c0", False, "f32", 4)),
        ],
    ),
    Kernel(
        "operand, 16 x 64 f16",
        (32, 1),
        16,
        64,
        "f16",
        [
            ("copy 16 bytes", 4, copies(64)),
            ("ldmatrix x4", 4, ldmatrix()),
        ],
    ),
    Kernel(
        "operand, 16 x 32 f16",
        (32, 1),
        16,
        32,
        "f16",
        [
            ("copy 16 bytes", 2, copies(32)),
            ("ldmatrix x4", 2, ldmatrix()),
        ],
    ),
    Kernel(
        "fragments, 16 x 64 f16",
        (32, 1),
        16,
        64,
        "f16",
        [
            ("copy 16 bytes", 4, copies(64)),
            ("load matrix", 4, fragments()),
        ],
    ),
    Kernel(
        "rows only, 32 x 32 f32",
        (32, 1),
        32,
        32,
        "f32",
        [
            ("store rows", 32, elements(32, "%i", "%x", True)),
            ("load rows", 32, elements(32, "%i", "%x", False)),
        ],
    ),
]


def run(command, text):
    done = subprocess.run(
        command, input=text, text=True, capture_output=True, check=False
    )
    if done.returncode:
        raise Failure(done.stderr[:1000] + text)
    return done


def passes(build, kernel, text, option):
    """By accesses of the tile, in order, and the arena's bytes."""
    command = [os.path.join(LLVM, "bin", "mlir-opt"), "-o", os.devnull, "-"]
    command += ["--load-pass-plugin=" + os.path.join(build, "lib", "BerthPlugin.so")]
    command += ["--remarks-filter=berth-arena"]
    arena = f"berth-arena{{padding=auto report=- {option}}}"
    command += [f"--pass-pipeline=builtin.module({arena})"]
    report = run(command, text).stderr
    figure = r'<stdin>:(\d+):.*Remark="(passes over the banks: (\d+)|its addresses)'
    found = re.findall(figure, report)
    found = [n or "?" for _, _, n in sorted(found, key=lambda f: int(f[0]))]
    size = re.search(r'"bytes_after": (\d+)', report)
    if len(found) != sum(runs for _, runs, _ in kernel.accesses) or not size:
        raise Failure(report + text)
    sums = []
    for _, runs, _ in kernel.accesses:
        part, found = found[:runs], found[runs:]
        sums.append("?" if "?" in part else sum(int(n) for n in part))
    return sums, int(size.group(1))


def swizzled(text):
    command = [os.path.join(LLVM, "bin", "mlir-opt"), "-"]
    inner = "gpu.module(gpu.func(nvgpu-optimize-shared-memory))"
    command += [f"--pass-pipeline=builtin.module({inner})"]
    return run(command, text).stdout


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--build", default="build", help="Berth's build folder")
    build = parser.parse_args().build
    rows = []
    for kernel in KERNELS:
        blind = 16 // WIDTH[kernel.element]
        text, wide = kernel.text(), kernel.text(blind)
        full = f"capacity={kernel.bytes_of(0)}"  # so that nothing is padded
        variants = [
            passes(build, kernel, text, full),
            passes(build, kernel, swizzled(text), full),
            passes(build, kernel, wide, f"capacity={kernel.bytes_of(blind)}"),
            passes(build, kernel, text, ""),
        ]
        for i, (name, runs, _) in enumerate(kernel.accesses):
            figures = [v[0][i] for v in variants]
            rows.append(["" if i else kernel.name, name, runs] + figures)
        times = ["?" if "?" in v[0] else sum(v[0]) for v in variants]
        rows.append(["", "all", ""] + times)
        rows.append(["", "bytes", ""] + [v[1] for v in variants])
    print_table(HEADER, rows)


if __name__ == "__main__":
    try:
        main()
    except Failure as failure:
        sys.exit(f"error: {failure}")
