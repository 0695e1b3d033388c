#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Each rule's worst case: programs that are bad for it.

    python3 bench/models/worst.py [--build BUILD] [--only RULE] [--sizes N,N,...]
                                  [--runs N] [--keep FOLDER] [--rows FILE]

For each rule a program of n buffers, or so, in which it has as much to look at as
possible, and mostly little to gain:

    100, 200, ...  seconds of the processor that berth-arena takes with the rule on
    off            the same of the largest n without the rule
    growth         the exponent of n, from the last two sizes: 1.0 is linear
    bytes          arenas of the largest n, and what is allocated beside them
    without        the same without the rule

The least of --runs runs, less what berth-opt takes to read and print the program. Fails
if a rule takes more bytes than there are without it, or more than a second of the
largest n beside what the rest takes.
"""

import argparse
import json
import math
import os
import re
import resource
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(HERE))

from berthbench import Failure, print_table

MOST_SECONDS = 1.0


class Random:
    """The same numbers everywhere."""

    def __init__(self):
        self.state = 12345

    def below(self, bound):
        self.state = (self.state * 1103515245 + 12345) % 2**31
        return (self.state >> 8) % bound


def row(size, element="f32"):
    return f"memref<{size}x{element}>"


def alloc(name, size, element="f32"):
    return f"%{name} = memref.alloc() : {row(size, element)}"


def fill(name, size):
    return f"linalg.fill ins(%zero : f32) outs(%{name} : {row(size)})"


def make(name, size):
    """Content that is no fill."""
    return exp(f"in{size}", name, size)


def use(name, size):
    return f"memref.copy %{name}, %out{size} : {row(size)} to {row(size)}"


def exp(read, written, size):
    return f"linalg.exp ins(%{read} : {row(size)}) outs(%{written} : {row(size)})"


def copy(read, written, size):
    return f"memref.copy %{read}, %{written} : {row(size)} to {row(size)}"


def part(name, whole, size, at, count):
    return (f"%{name} = memref.subview %{whole}[{at}] [{count}] [1] : {row(size)} to "
            f"memref<{count}xf32, strided<[1], offset: {at}>>")


def part_type(at, count):
    return f"memref<{count}xf32, strided<[1], offset: {at}>>"


def function(lines, sizes=(64,), name="f", private=False):
    """What is made comes from arguments, and goes to others."""
    arguments = ", ".join(f"%{name}{size}: {row(size)}" for size in sorted(set(sizes))
                          for name in ("in", "out"))
    head = f"func.func {'private ' * private}@{name}({arguments}, %c: i1, %n: index) {{"
    constants = ["%zero = arith.constant 0.0 : f32"]
    constants += [f"%c{i} = arith.constant {i} : index" for i in (0, 1, 2, 64)]
    return "\n".join([head, *constants, *lines, "return", "}"]) + "\n"


#===----------------------------------------------------------------------===#
# In the default memory
#===----------------------------------------------------------------------===#


def in_place(n):
    """Each op may write over either of two operands, of three sizes that do not go
    well together."""
    random, lines, sizes = Random(), [], (64, 96, 160)
    for i in range(n):
        size = sizes[i % 3]
        lines.append(alloc(f"b{i}", size))
        if i < 6:
            lines.append(make(f"b{i}", size))
            continue
        one, two = (f"b{i - 3 - 3 * random.below(min(4, i // 3 - 1) or 1)}"
                    for _ in range(2))
        lines.append(f"linalg.add ins(%{one}, %{two} : {row(size)}, {row(size)}) "
                     f"outs(%b{i} : {row(size)})")
    lines += [use(f"b{i}", sizes[i % 3]) for i in range(n - 3, n)]
    return function(lines, sizes)


def refill(n):
    """Copies of copies of a fill, each of which is wanted at the end."""
    lines = [alloc("b0", 64), fill("b0", 64)]
    for i in range(1, n):
        lines += [alloc(f"b{i}", 64), copy(f"b{i - 1}", f"b{i}", 64)]
    for i in range(n):
        lines.append(exp(f"b{i}", "out64", 64))
    return function(lines)


def split_lives(n):
    """One buffer of n lives, with a view for each."""
    lines = [alloc("b", 64)]
    for i in range(n):
        lines += [make("b", 64), f"%v{i} = memref.cast %b : {row(64)} to memref<?xf32>",
                  f"%w{i} = memref.cast %v{i} : memref<?xf32> to {row(64)}",
                  use(f"w{i}", 64)]
    return function(lines)


def short_circuit(n):
    """Parts of a large buffer: those made there would have it begin ahead of what is
    large itself."""
    whole = 16 * n
    lines = [alloc("t", whole)]
    for i in range(n):
        lines += [alloc(f"s{i}", 16), make(f"s{i}", 16)]
    lines += [make("t", whole), use("t", whole), alloc("d", whole)]
    for i in range(n):
        lines += [part(f"p{i}", "d", whole, 16 * i, 16),
                  f"memref.copy %s{i}, %p{i} : {row(16)} to {part_type(16 * i, 16)}"]
    return function(lines + [use("d", whole)], (16, whole))


def byte_ranges(n):
    """A buffer whose parts die one by one, while others are made."""
    whole = 16 * n
    lines = [alloc("d", whole), make("d", whole)]
    for i in range(n):
        lines += [part(f"p{i}", "d", whole, 16 * i, 16), alloc(f"b{i}", 24),
                  f"memref.copy %p{i}, %out16 : {part_type(16 * i, 16)} to {row(16)}",
                  make(f"b{i}", 24)]
    lines += [use(f"b{i}", 24) for i in range(n)]
    return function(lines, (16, 24, whole))


def rotate(n):
    """A loop that makes n buffers of the last n, and keeps the last turn's."""
    args = ", ".join(f"%p{i} = %b{i}" for i in range(n))
    types = ", ".join([row(64)] * n)
    lines = []
    for i in range(n):
        lines += [alloc(f"b{i}", 64), make(f"b{i}", 64)]
    lines.append(f"%r:{n} = scf.for %i = %c0 to %n step %c1 iter_args({args}) -> "
                 f"({types}) {{")
    for i in range(n):
        lines += [alloc(f"q{i}", 64), exp(f"p{i}", f"q{i}", 64)]
    lines += [f"scf.yield {', '.join(f'%q{i}' for i in range(n))} : {types}", "}"]
    lines += [copy(f"r#{i}", "out64", 64) for i in range(n)]
    return function(lines)


def covers(n):
    """Two buffers that n parts overwrite in turn, the last one a bit less."""
    whole, lines = 16 * n, []
    for name in ("a", "b"):
        lines.append(alloc(name, whole))
        lines += [part(f"{name}{i}", name, whole, 16 * i, 16) for i in range(n)]
    for turn in range(2):
        for name in ("a", "b"):
            for i in range(n):
                lines.append(f"linalg.exp ins(%in16 : {row(16)}) outs(%{name}{i} : "
                             f"{part_type(16 * i, 16)})")
            lines.append(use(name, whole))
    return function(lines, (16, whole))


def names(n):
    """Each branch yields a new buffer, or what the one before has."""
    lines = [alloc("r0", 64), make("r0", 64)]
    for i in range(1, n):
        lines += [f"%r{i} = scf.if %c -> {row(64)} {{", alloc(f"b{i}", 64),
                  exp(f"r{i - 1}", f"b{i}", 64), f"scf.yield %b{i} : {row(64)}",
                  "} else {", f"scf.yield %r{i - 1} : {row(64)}", "}"]
    return function(lines + [use(f"r{n - 1}", 64)])


def one_of_two(n):
    """Branches that yield one of two buffers, all of which are wanted at the end."""
    lines = []
    for i in range(n):
        lines.append(f"%r{i} = scf.if %c -> {row(64)} {{")
        for k in range(2):
            lines += [alloc(f"b{i}_{k}", 64), make(f"b{i}_{k}", 64),
                      f"scf.yield %b{i}_{k} : {row(64)}", ["} else {", "}"][k]]
    return function(lines + [use(f"r{i}", 64) for i in range(n)])


def apart(n):
    """A switch of n cases with buffers of their own, of any size."""
    sizes = [16 + 4 * (i % 29) for i in range(n)]
    lines = ["scf.index_switch %n"]
    for i, size in enumerate(sizes):
        lines += [f"case {i} {{", alloc(f"b{i}", size), make(f"b{i}", size),
                  use(f"b{i}", size), "scf.yield", "}"]
    return function(lines + ["default {", "}"], sizes)


def stencils(n, kinds):
    """n nests, each of which reads what the one before has written, of so many kinds."""
    lines, size = [alloc("b0", 256), make("b0", 256)], 256
    for i in range(1, n):
        by = 1 + i % kinds
        count = 256 - by
        lines += [f"%c{i}_by = arith.constant {by} : index",
                  f"%c{i}_end = arith.constant {count} : index", alloc(f"b{i}", size),
                  f"scf.for %i = %c0 to %c{i}_end step %c1 {{",
                  f"%k = arith.addi %i, %c{i}_by : index",
                  f"%x = memref.load %b{i - 1}[%i] : {row(size)}",
                  f"%y = memref.load %b{i - 1}[%k] : {row(size)}",
                  "%s = arith.addf %x, %y : f32",
                  f"memref.store %s, %b{i}[%k] : {row(size)}", "}"]
    return function(lines + [use(f"b{n - 1}", size)], (size,))


def overlap(n):
    """Nests that are all alike."""
    return stencils(n, 1)


def overlap_kinds(n):
    """Nests of 100 kinds, so that isl is asked for each."""
    return stencils(n, 100)


def narrower(n):
    """Nests that make bytes of floats; what they make is wanted at the end."""
    lines = []
    for i in range(n):
        lines += [alloc(f"x{i}", 64), make(f"x{i}", 64), alloc(f"y{i}", 64, "i8"),
                  f"scf.for %i = %c0 to %c64 step %c1 {{",
                  f"%v = memref.load %x{i}[%i] : {row(64)}",
                  "%t = arith.fptosi %v : f32 to i8",
                  f"memref.store %t, %y{i}[%i] : {row(64, 'i8')}", "}"]
    for i in range(n):
        lines += ["scf.for %i = %c0 to %c64 step %c1 {",
                  f"%v = memref.load %y{i}[%i] : {row(64, 'i8')}",
                  "%t = arith.sitofp %v : i8 to f32",
                  f"memref.store %t, %out64[%i] : {row(64)}", "}"]
    return function(lines)


def schedule(n):
    """A graph of n ops, each of which reads two of the last 20."""
    random, lines = Random(), []
    for i in range(n):
        lines.append(alloc(f"b{i}", 64))
        if i < 20:
            lines.append(make(f"b{i}", 64))
            continue
        one, two = (i - 1 - random.below(20) for _ in range(2))
        lines.append(f"linalg.add ins(%b{one}, %b{two} : {row(64)}, {row(64)}) "
                     f"outs(%b{i} : {row(64)})")
    return function(lines + [use(f"b{i}", 64) for i in range(n - 20, n)])


def drop_unread(n):
    """Copies of copies, of which nobody reads the last one."""
    lines = [alloc("b0", 64), fill("b0", 64)]
    for i in range(1, n):
        lines += [alloc(f"b{i}", 64), copy(f"b{i - 1}", f"b{i}", 64)]
    return function(lines + [exp("b0", "out64", 64)])


def never_worse(n):
    """Buffers of all sizes that are freed early, beside results that are allocated
    behind them."""
    sizes, lines = [16 + 4 * (i % 29) for i in range(n)], []
    for i, size in enumerate(sizes):
        lines += [alloc(f"b{i}", size), make(f"b{i}", size), use(f"b{i}", size),
                  f"memref.dealloc %b{i} : {row(size)}", alloc(f"k{i}", 16),
                  make(f"k{i}", 16)]
    lines += [f"func.call @keep(%k{i}) : ({row(16)}) -> ()" for i in range(n)]
    return function(lines, sizes) + f"func.func private @keep({row(16)})\n"


def out_params(n):
    """Functions that call one another, and each returns what the next one has made."""
    text = ""
    for i in range(n):
        lines = [f"func.func private @f{i}(%x: {row(64)}) -> {row(64)} {{",
                 alloc("b", 64)]
        if i + 1 < n:
            lines += [f"%r = call @f{i + 1}(%x) : ({row(64)}) -> {row(64)}",
                      exp("r", "b", 64)]
        else:
            lines.append(exp("x", "b", 64))
        text += "\n".join(lines + [f"return %b : {row(64)}", "}"]) + "\n"
    return text + function([f"%r = call @f0(%out64) : ({row(64)}) -> {row(64)}",
                            use("r", 64)])


def frames(n):
    """Functions that call one another, and keep a buffer meanwhile."""
    text = ""
    for i in range(n):
        calls = [f"call @f{i + 1}(%b, %b, %c, %n) : "
                 f"({row(64)}, {row(64)}, i1, index) -> ()"]
        lines = [alloc("b", 64), make("b", 64), *calls * (i + 1 < n),
                 use("b", 64)]
        text += function(lines, name=f"f{i}", private=True)
    call = (f"call @f0(%in64, %out64, %c, %n) : ({row(64)}, {row(64)}, i1, index) "
            "-> ()")
    return text + function([call])


#===----------------------------------------------------------------------===#
# In memory that threads share
#===----------------------------------------------------------------------===#

SHARED = "memref<{}xf32, #gpu.address_space<workgroup>>"


def kernel(lines):
    shape = "memref<64xf32>"
    head = [f"gpu.module @m {{ gpu.func @k(%in: {shape}, %out: {shape}, %n: index) kernel",
            "attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {",
            "%c0 = arith.constant 0 : index", "%c1 = arith.constant 1 : index",
            "%t = gpu.thread_id x", "%c63 = arith.constant 63 : index",
            "%m = arith.subi %c63, %t : index", "%b = gpu.block_id x",
            "%v = memref.load %in[%t] : memref<64xf32>",
            "%u = arith.cmpi eq, %b, %c0 : index"]
    return "\n".join([*head, *lines, "gpu.return", "}", "}"]) + "\n"


def shared_alloc(name, size=64):
    return f"%{name} = memref.alloc() : {SHARED.format(size)}"


def shared_store(name, size=64):
    return f"memref.store %v, %{name}[%t] : {SHARED.format(size)}"


def shared_read(name, i, size=64):
    """What another thread has written."""
    return [f"%l{i} = memref.load %{name}[%m] : {SHARED.format(size)}",
            f"memref.store %l{i}, %out[%t] : memref<64xf32>"]


def kernel_names(n):
    """Branches that all threads take alike, each of which yields one of two."""
    lines = []
    for i in range(n):
        lines.append(f"%r{i} = scf.if %u -> {SHARED.format(64)} {{")
        for k in range(2):
            lines += [shared_alloc(f"b{i}_{k}"), shared_store(f"b{i}_{k}"),
                      f"scf.yield %b{i}_{k} : {SHARED.format(64)}",
                      ["} else {", "}"][k]]
        lines += ["gpu.barrier", *shared_read(f"r{i}", i), "gpu.barrier"]
    return kernel(lines)


def kernel_covers(n):
    """Buffers in front of a loop that all threads overwrite in each turn."""
    lines = [shared_alloc(f"b{i}") for i in range(n)]
    lines.append("scf.for %i = %c0 to %n step %c1 {")
    for i in range(n):
        lines += [shared_store(f"b{i}"), "gpu.barrier", *shared_read(f"b{i}", i),
                  "gpu.barrier"]
    return kernel(lines + ["}"])


def kernel_apart(n):
    """Branches with buffers of their own on both ways."""
    lines = []
    for i in range(n):
        lines.append("scf.if %u {")
        for k in range(2):
            lines += [shared_alloc(f"b{i}_{k}"), shared_store(f"b{i}_{k}"),
                      "gpu.barrier", *shared_read(f"b{i}_{k}", f"{i}_{k}"),
                      "gpu.barrier", ["} else {", "}"][k]]
    return kernel(lines)


def kernel_barriers(n):
    """No barrier but those that Berth inserts."""
    lines = []
    for i in range(n):
        size = 64 + i % 64
        lines += [shared_alloc(f"b{i}", size), shared_store(f"b{i}", size),
                  f"%o{i} = memref.load %b{i}[%t] : {SHARED.format(size)}",
                  f"memref.store %o{i}, %out[%t] : memref<64xf32>"]
    return kernel(lines)


# rule -> the program, the option that switches it on where it is off by default, and
# the one without it
RULES = {
    "in-place": (in_place, "", "in-place=false"),
    "refill": (refill, "", "refill=false"),
    "drop-unread": (drop_unread, "", "drop-unread=false"),
    "split-lives": (split_lives, "", "split-lives=false"),
    "short-circuit": (short_circuit, "", "short-circuit=false"),
    "byte-ranges": (byte_ranges, "", "byte-ranges=false"),
    "rotate": (rotate, "", "rotate=false"),
    "covers": (covers, "", "test-break-rule=no-covers"),
    "names": (names, "", "test-break-rule=no-names"),
    "names, one of two": (one_of_two, "", "test-break-rule=no-names"),
    "apart": (apart, "", "test-break-rule=no-alternatives"),
    "narrower": (narrower, "", "overlap=off"),
    "never-worse": (never_worse, "", "never-worse=false"),
    "overlap": (overlap, "overlap=on", "overlap=narrower"),
    "overlap, 100 kinds": (overlap_kinds, "overlap=on", "overlap=narrower"),
    "schedule": (schedule, "schedule=on", "schedule=off"),
    "out-params": (out_params, "results=out-params", "results=keep"),
    "frames": (frames, "frames=true", "frames=false"),
    "names, in a kernel": (kernel_names, "", "test-break-rule=no-names"),
    "covers, in a kernel": (kernel_covers, "", "test-break-rule=no-covers"),
    "apart, in a kernel": (kernel_apart, "", "test-break-rule=no-alternatives"),
    "barriers": (kernel_barriers, "", "barriers=existing"),
}
ALLOCATED = re.compile(r"memref\.alloca?\(\).*?: memref<(\d+)x[a-z]+(\d+)[,>]")
SHARED_ARENA = re.compile(r" workgroup\(%\w+ : memref<(\d+)xi(8),")


def seconds(build, path, pipeline):
    """The processor's, and what comes out."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    done = subprocess.run(
        [os.path.join(build, "bin", "berth-opt"), path,
         f"--pass-pipeline=builtin.module({pipeline})"],
        capture_output=True, text=True, check=False)
    if done.returncode:
        raise Failure(f"{path}: {done.stderr[:1000]}")
    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before, done.stdout


def measure(build, path, options, runs):
    """Seconds of berth-arena, and bytes of arenas and of what has no place."""
    def least(pipeline):
        return min((seconds(build, path, pipeline) for _ in range(runs)),
                   key=lambda run: run[0])
    alone, _ = least("")
    both, text = least(f"berth-arena{{{options}}}")
    found = ALLOCATED.findall(text) + SHARED_ARENA.findall(text)
    return both - alone, sum(int(count) * int(bits) // 8 for count, bits in found)


def measure_rule(name, args, folder):
    generate, on, off = RULES[name]
    times = []
    for n in args.sizes:
        path = os.path.join(folder, f"{generate.__name__}.{n}.mlir")
        with open(path, "w") as f:
            f.write(generate(n))
        time, size = measure(args.build, path, on, args.runs)
        times.append(time)
    without, other = measure(args.build, path, off, args.runs)
    growth = "-"
    if len(times) > 1 and min(times[-2:]) > 0:
        ratio = args.sizes[-1] / args.sizes[-2]
        growth = f"{math.log(times[-1] / times[-2]) / math.log(ratio):.1f}"
    row = [name, *(f"{time:.3f}" for time in times), f"{without:.3f}", growth, size,
           other]
    wrong = []
    if size > other:
        wrong.append(f"{name}: {size} bytes, and {other} without it")
    if times[-1] - without > MOST_SECONDS:
        wrong.append(f"{name}: {times[-1] - without:.1f} seconds")
    return row, wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--build", default="build", help="Berth's build folder")
    parser.add_argument("--only", choices=RULES)
    parser.add_argument("--sizes", default="100,200,400,800")
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--keep", help="write the programs here")
    parser.add_argument("--rows", metavar="FILE", help="add rows here as they come")
    args = parser.parse_args()
    args.sizes = [int(size) for size in args.sizes.split(",")]
    rows, wrong = [], []
    with tempfile.TemporaryDirectory() as folder:
        if args.keep:
            os.makedirs(args.keep, exist_ok=True)
        for name in [args.only] if args.only else RULES:
            row, faults = measure_rule(name, args, args.keep or folder)
            if args.rows:
                with open(args.rows, "a") as f:
                    f.write(json.dumps(row) + "\n")
            rows.append(row)
            wrong += faults
    print_table(["rule", *map(str, args.sizes), "off", "growth", "bytes", "without"], rows)
    if wrong:
        sys.exit("\n".join(wrong))


if __name__ == "__main__":
    try:
        main()
    except Failure as failure:
        sys.exit(f"error: {failure}")
