#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What key and value caches cost that functions return, before and after.

    python3 bench/models/caches.py [--build BUILD] [--reduced] [--keep FOLDER]

A loop over tokens calls a layer for each of LLaMA-2 7B's: it takes the layer's caches,
puts a row into each, attends to them and returns both. Its arguments may not be written
(`bufferization.writable = false`), as front ends have it. Each variant is planned with
`results=out-params`, with `caches=keep` and as it is:

    arena      bytes of all arenas
    outside    bytes that a token allocates outside of them
    copied     bytes that a token copies from cache to cache
"""

import argparse
import os
import re
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(HERE))
sys.path.insert(0, HERE)

from berthbench import Failure, mlir_opt, print_table
from builder import Function
from networks import feed_forward
import layers as L

BUFFERIZE = (
    "canonicalize,cse,linalg-fuse-elementwise-ops,eliminate-empty-tensors,"
    "one-shot-bufferize{bufferize-function-boundaries=true "
    "allow-return-allocs-from-loops=true "
    "function-boundary-type-conversion=identity-layout-map},canonicalize,cse"
)
VARIANTS = {"plain": "", "dealloc": "buffer-deallocation-pipeline"}
SETTINGS = {"keep": "caches=keep", "in-place": ""}
KEPT = "{bufferization.writable = false}"
FULL = {"depth": 32, "context": 2048, "width": 4096, "heads": 32, "hidden": 11008}
REDUCED = {"depth": 2, "context": 16, "width": 32, "heads": 4, "hidden": 88}


def layer(context, width, heads, hidden):
    """One layer at place %place: its caches, and what it makes of %arg2."""
    f = Function("layer")
    cache = [heads, context, width // heads]
    caches = [f.argument(cache, "f16") for _ in range(2)]
    x = f.argument([1, width], "f16")
    tables = [f.argument([1, width // heads // 2], "f16") for _ in range(2)]
    n = L.rms_norm(f, x)
    q, k, v = (
        L.split_heads(f, L.linear(f, n, width, False), heads) for _ in range(3)
    )
    q, k = L.rotate(f, q, *tables), L.rotate(f, k, *tables)
    new = [f.insert(row, old, [0, "%place", 0], row.shape)
           for row, old in zip((k, v), caches)]
    x = f.add(x, L.linear(f, L.attend(f, q, *new), width, False))
    x = f.add(x, feed_forward(f, L.rms_norm(f, x), hidden))
    return f, new + [x]


def program(depth, **shape):
    """The layer, and the loop over tokens and layers."""
    f, results = layer(**shape)
    arguments = ", ".join(f"{a.name}: {a.type} {KEPT}" for a in f.arguments)
    types = [r.type for r in results]
    listed = ", ".join(types)
    lines = [f"func.func private @layer({arguments}, %place: index) -> ({listed}) {{"]
    lines += f.lines
    lines += ["  return " + ", ".join(r.name for r in results) + " : " + listed, "}"]
    outer = ", ".join(f"{a.name}: {a.type}" for a in f.arguments[2:])
    lines += [f"func.func @generate({outer}, %n: index) -> {types[2]} {{",
              "  %zero = arith.constant 0 : index", "  %one = arith.constant 1 : index",
              "  %nought = arith.constant 0.0 : f16"]
    begins, carried = [], []
    for i in range(2 * depth):
        lines += [f"  %e{i} = tensor.empty() : {types[0]}",
                  f"  %i{i} = linalg.fill ins(%nought : f16) outs(%e{i} : {types[0]}) "
                  f"-> {types[0]}"]
        begins.append(f"%c{i} = %i{i}")
        carried.append(f"%c{i}")
    begins.append(f"%x = {f.arguments[2].name}")
    all_types = ", ".join([types[0]] * (2 * depth) + [types[2]])
    lines += [f"  %r:{2 * depth + 1} = scf.for %t = %zero to %n step %one iter_args("
              + ", ".join(begins) + f") -> ({all_types}) {{"]
    rest = ", ".join(a.name for a in f.arguments[3:])
    signature = ", ".join([a.type for a in f.arguments] + ["index"])
    x, yields = "%x", []
    for i in range(depth):
        lines += [f"    %l{i}:3 = func.call @layer({carried[2 * i]}, "
                  f"{carried[2 * i + 1]}, {x}, {rest}, %t) : ({signature}) -> ({listed})"]
        yields += [f"%l{i}#0", f"%l{i}#1"]
        x = f"%l{i}#2"
    lines += ["    scf.yield " + ", ".join(yields + [x]) + " : " + all_types, "  }",
              f"  return %r#{2 * depth} : {types[2]}", "}", ""]
    return "\n".join(lines)


def bytes_of(kind):
    sizes, element = re.fullmatch(r"((?:\d+x)*)[a-z]+(\d+)", kind).groups()
    bits = int(element)
    for size in re.findall(r"\d+", sizes):
        bits *= int(size)
    return bits // 8


def bodies(text):
    """Name -> lines of each function."""
    found, name = {}, None
    for line in text.splitlines():
        start = re.match(r"\s*func\.func (?:private )?@(\w+)", line)
        if start:
            name = start.group(1)
            found[name] = []
        elif name:
            found[name].append(line)
    return found


def measure(text, depth, cache):
    """(arena, outside, copied) of a planned program."""
    arena = outside = copied = 0
    for name, lines in bodies(text).items():
        times = depth if name == "layer" else 1
        inside = name == "layer"
        for line in lines:
            inside |= "scf.for" in line and name == "generate"
            alloc = re.search(r"memref\.alloc\(\).* : memref<([\w]+)>", line)
            copy = re.search(r"memref\.copy .* : memref<(\w+)[,>]", line)
            if alloc and alloc.group(1).endswith("xi8"):
                arena += bytes_of(alloc.group(1))
            elif alloc and inside:
                outside += times * bytes_of(alloc.group(1))
            elif copy and inside and copy.group(1) == cache:
                copied += times * bytes_of(copy.group(1))
    return arena, outside, copied


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--build", default="build", help="Berth's build folder")
    parser.add_argument("--reduced", action="store_true", help="small shapes")
    parser.add_argument("--keep", help="write the bufferized programs here")
    args = parser.parse_args()
    shape = REDUCED if args.reduced else FULL
    lane = shape["width"] // shape["heads"]
    cache = f"{shape['heads']}x{shape['context']}x{lane}xf16"
    bufferized, _ = mlir_opt(program(**shape), BUFFERIZE)
    rows = []
    for variant, pipeline in VARIANTS.items():
        text, _ = mlir_opt(bufferized, pipeline)
        if args.keep:
            with open(os.path.join(args.keep, f"caches-{variant}.mlir"), "w") as f:
                f.write(text)
        for setting, options in SETTINGS.items():
            planned, _ = mlir_opt(
                text, f"berth-arena{{results=out-params {options}}}", args.build)
            rows.append([variant, setting, *measure(planned, shape["depth"], cache)])
    print_table(["variant", "caches", "arena", "outside", "copied"], rows)


if __name__ == "__main__":
    try:
        main()
    except Failure as failure:
        sys.exit(f"error: {failure}")
