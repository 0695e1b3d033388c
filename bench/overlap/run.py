#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Single layers whose output may lie in their dying input.

    python3 bench/overlap/run.py [--build BUILD]

Each layer is a nest of loops over rows, columns and channels that reads one buffer and
writes another one:

    apart      bytes of both
    overlap    bytes of the arena with berth-arena{overlap=on}
    saved      of `apart`
    plan       seconds of CPU time that the pass adds to mlir-opt's own, the fastest of
               three runs
    verify     the same with berth-verify's check, which runs the loops
"""

import argparse
import os
import re
import resource
import subprocess
import sys

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

from berthbench import LLVM, Failure, print_table

HEADER = ["layer", "apart", "overlap", "saved", "plan", "verify"]


class Layer:
    """y[h, w, o] from x[s h + i, s w + j, c], for i, j, c in a window."""

    def __init__(self, rows, columns, c, o, window=1, stride=1, depthwise=False,
                 types=("f32", "f32")):
        self.out = (rows, columns, c if depthwise else o)
        self.inner = (
            (rows - 1) * stride + window, (columns - 1) * stride + window, c)
        self.loops = [window, window, 1 if depthwise else c]
        self.stride, self.depthwise, self.types = stride, depthwise, types

    def text(self):
        x, y = (
            "memref<" + "x".join(map(str, shape)) + "x" + element + ">"
            for shape, element in zip((self.inner, self.out), self.types)
        )
        numbers = sorted({0, 1, self.stride, *self.out, *self.loops})
        lines = [f"func.func @layer(%p: {x}, %q: {y}) {{"]
        lines += [f"%c{n} = arith.constant {n} : index" for n in numbers]
        lines += ["%zero = arith.constant 0.0 : f32"]
        lines += [f"%x = memref.alloc() : {x}", f"%y = memref.alloc() : {y}"]
        lines += [f"memref.copy %p, %x : {x} to {x}"]
        for name, count in zip("hwo", self.out):
            lines += [f"scf.for %{name} = %c0 to %c{count} step %c1 {{"]
        last = "%zero"
        for name, count in zip("ijk", self.loops):
            lines += [f"%s{name} = scf.for %{name} = %c0 to %c{count} step %c1 "
                      f"iter_args(%a{name} = {last}) -> (f32) {{"]
            last = f"%a{name}"
        lines += [f"%h0 = arith.muli %h, %c{self.stride} : index",
                  f"%w0 = arith.muli %w, %c{self.stride} : index",
                  "%row = arith.addi %h0, %i : index",
                  "%column = arith.addi %w0, %j : index"]
        channel = "%o" if self.depthwise else "%k"
        lines += [f"%v = memref.load %x[%row, %column, {channel}] : {x}"]
        value = "%v"
        if self.types[0] != "f32":
            lines += [f"%f = arith.sitofp %v : {self.types[0]} to f32"]
            value = "%f"
        lines += [f"%t = arith.addf {last}, {value} : f32"]
        result = "%t"
        for name in "kji":
            lines += [f"scf.yield {result} : f32", "}"]
            result = f"%s{name}"
        if self.types[1] != "f32":
            lines += [f"%n = arith.fptosi {result} : f32 to {self.types[1]}"]
            result = "%n"
        lines += [f"memref.store {result}, %y[%h, %w, %o] : {y}", "}", "}", "}"]
        lines += [f"memref.copy %y, %q : {y} to {y}", "return", "}"]
        return "\n".join(lines)


class Affine:
    """y from x by a nest of affine.for, given by its body."""

    def __init__(self, inner, out, *lines):
        self.inner, self.out, self.lines = inner, out, lines

    def text(self):
        x, y = f"memref<{self.inner}>", f"memref<{self.out}>"
        body = "\n".join(self.lines).replace("X", x).replace("Y", y)
        return f"""func.func @layer(%p: {x}, %q: {y}) {{
%zero = arith.constant 0.0 : f32
%x = memref.alloc() : {x}
%y = memref.alloc() : {y}
memref.copy %p, %x : {x} to {x}
{body}
memref.copy %y, %q : {y} to {y}
return
}}"""


LAYERS = {
    "truncation": Layer(64, 64, 1, 1, types=("f32", "i8")),
    "widening": Layer(64, 64, 1, 1, types=("i8", "i32")),
    "pooling 2x2": Layer(32, 32, 64, 0, window=2, stride=2, depthwise=True),
    "depthwise 3x3": Layer(32, 32, 16, 0, window=3, depthwise=True),
    "depthwise 3x3, stride 2": Layer(16, 16, 16, 0, window=3, stride=2,
                                     depthwise=True),
    "convolution 3x3": Layer(16, 16, 8, 8, window=3),
    "convolution 1x1, fewer": Layer(20, 20, 32, 16),
    "convolution 1x1, more": Layer(20, 20, 16, 32),
    "sums of pairs": Affine(
        "8192xf32", "4096xf32",
        "affine.for %i = 0 to 4096 {",
        "  %a = affine.load %x[2 * %i] : X",
        "  %b = affine.load %x[2 * %i + 1] : X",
        "  %c = arith.addf %a, %b : f32",
        "  affine.store %c, %y[%i] : Y", "}"),
    "pooling, filled before": Affine(
        "64x64xf32", "32x32xf32",
        "linalg.fill ins(%zero : f32) outs(%y : Y)",
        "affine.for %i = 0 to 32 {", "  affine.for %j = 0 to 32 {",
        "    affine.for %k = 0 to 2 {", "      affine.for %l = 0 to 2 {",
        "        %v = affine.load %x[2 * %i + %k, 2 * %j + %l] : X",
        "        %m = affine.load %y[%i, %j] : Y",
        "        %n = arith.maximumf %v, %m : f32",
        "        affine.store %n, %y[%i, %j] : Y", "      }", "    }", "  }", "}"),
    "sums of rows": Affine(
        "64x64xf32", "64xf32",
        "affine.for %i = 0 to 64 {",
        "  %s = affine.for %j = 0 to 64 iter_args(%a = %zero) -> f32 {",
        "    %v = affine.load %x[%i, %j] : X",
        "    %t = arith.addf %a, %v : f32",
        "    affine.yield %t : f32", "  }",
        "  affine.store %s, %y[%i] : Y", "}"),
    "three rows, as a view": Affine(
        "66x64xf32", "64x64xf32",
        "affine.for %i = 0 to 64 {",
        "  %w = memref.subview %x[%i, 0] [3, 64] [1, 1] : X to "
        "memref<3x64xf32, strided<[64, 1], offset: ?>>",
        "  affine.for %j = 0 to 64 {",
        "    %a = affine.load %w[0, %j] "
        ": memref<3x64xf32, strided<[64, 1], offset: ?>>",
        "    %b = affine.load %w[2, %j] "
        ": memref<3x64xf32, strided<[64, 1], offset: ?>>",
        "    %c = arith.subf %a, %b : f32",
        "    affine.store %c, %y[%i, %j] : Y", "  }", "}"),
    "transpose 4x1024": Affine(
        "4x1024xf32", "1024x4xf32",
        "affine.for %i = 0 to 4 {", "  affine.for %j = 0 to 1024 {",
        "    %v = affine.load %x[%i, %j] : X",
        "    affine.store %v, %y[%j, %i] : Y", "  }", "}"),
    "transpose 64x64": Affine(
        "64x64xf32", "64x64xf32",
        "affine.for %i = 0 to 64 {", "  affine.for %j = 0 to 64 {",
        "    %v = affine.load %x[%i, %j] : X",
        "    affine.store %v, %y[%j, %i] : Y", "  }", "}"),
}


def seconds(text, pipeline, plugin):
    """(CPU seconds, stderr) of mlir-opt; the fastest of three."""
    command = [os.path.join(LLVM, "bin", "mlir-opt"), "-o", os.devnull, "-",
               "--load-pass-plugin=" + plugin, "--remarks-filter=berth.*",
               f"--pass-pipeline=builtin.module({pipeline})"]
    times = []
    for _ in range(3):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        done = subprocess.run(command, input=text, text=True, check=False,
                              capture_output=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        if done.returncode:
            raise Failure(done.stderr)
        times.append(after.ru_utime - before.ru_utime)
    return min(times), done.stderr


def measure(name, layer, plugin):
    text = layer.text()
    bare, _ = seconds(text, "", plugin)
    plan, remarks = seconds(text, "berth-arena{overlap=on verify=false}", plugin)
    whole, _ = seconds(text, "berth-arena{overlap=on}", plugin)
    found = re.search(r"arena of (\d+) bytes instead of (\d+)", remarks)
    arena, apart = int(found.group(1)), int(found.group(2))
    return [name, apart, arena, f"{100 * (apart - arena) / apart:.0f}%",
            f"{plan - bare:.3f}", f"{whole - bare:.3f}"]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--build", default="build")
    options = parser.parse_args()
    plugin = os.path.join(options.build, "lib", "BerthPlugin.so")
    if not os.path.exists(plugin):
        raise Failure(f"{plugin} is missing: build Berth first")
    rows = [measure(name, layer, plugin) for name, layer in LAYERS.items()]
    print_table(HEADER, rows)


if __name__ == "__main__":
    try:
        main()
    except Failure as failure:
        sys.exit(f"{sys.argv[0]}: {failure}")
