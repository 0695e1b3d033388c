#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes random programs with kernels whose threads allocate to FOLDER/SEED.mlir:

    expand.py FOLDER FIRST-SEED LAST-SEED [IN-ONE-FILE]

Each thread fills buffers of its own, by sizes that are constants, arguments, or
computed from these, and folds all that it reads into its word of the result.
Kernels are functions or bodies of launches, which may be waited for by tokens,
stand in loops, and have their sizes from arguments. Buffers are of one width, or
of several; some are written by vectors or through subviews, some are made under
a condition or in each turn of a loop, some by a device function. Two launches have
results of their own, and may run at the same time.
"""
import contextlib
import os
import random
import sys

OF_I32 = {"i64": "arith.extsi", "i8": "arith.trunci", "f32": "arith.sitofp",
          "f64": "arith.sitofp"}
TO_I32 = {"i64": "arith.trunci", "i8": "arith.extsi", "f32": "arith.fptosi",
          "f64": "arith.fptosi"}
CONSTANTS = {"i8": "1", "i32": "3", "i64": "4", "f32": "2.0", "f64": "5.0"}
SIZES = ["%n", "%m", "%sum", "%twice", "%length"]


class Body:
    """Of a kernel; the numbers of its thread have the names of gpu.launch."""

    def __init__(self, rng, is_function, seed):
        self.rng, self.lines, self.count = rng, [], 0
        self.seed = seed
        self.types = rng.choice([["i32", "f32"], ["i64", "f64"], ["i32"],
                                 ["i32", "i64", "i8", "f32", "f64"]])
        self.has_vectors = rng.random() < 0.2
        self.has_function = is_function and rng.random() < 0.4
        self.function = device_function(rng, seed) if self.has_function else []
        self.prelude()
        self.statements()

    def add(self, *lines):
        self.lines += lines

    def name(self, stem):
        self.count += 1
        return "%%%s%d" % (stem, self.count)

    def prelude(self):
        self.add("%c0 = arith.constant 0 : index",
                 "%c1 = arith.constant 1 : index",
                 "%c2 = arith.constant 2 : index",
                 "%sum = arith.addi %n, %m : index",
                 "%twice = arith.muli %n, %c2 : index",
                 "%length = memref.dim %in, %c0 : memref<?xi32>",
                 "%less = arith.cmpi slt, %n, %m : index")
        number = "%c0"
        for size, own in [("%gz", "%bz"), ("%gy", "%by"), ("%gx", "%bx"),
                          ("%sz", "%tz"), ("%sy", "%ty"), ("%sx", "%tx")]:
            product, total = self.name("g"), self.name("g")
            self.add("%s = arith.muli %s, %s : index" % (product, number, size),
                     "%s = arith.addi %s, %s : index" % (total, product, own))
            number = total
        self.number = number
        self.add("%%i = arith.index_cast %s : index to i32" % number)

    def convert(self, value, table, element, of, to):
        if element == "i32":
            return value
        made = self.name("t")
        self.add("%s = %s %s : %s to %s" % (made, table[element], value, of,
                                            to))
        return made

    def allocate(self, op=None):
        rng = self.rng
        element = rng.choice(self.types)
        op = op or rng.choice(["alloc", "alloc", "alloca"])
        dims, given, sizes = [], [], []
        for _ in range(rng.choice([1, 1, 2])):
            if rng.random() < 0.6:
                size = rng.choice(SIZES)
                dims.append("?")
                given.append(size)
            else:
                number = rng.choice([1, 2, 3, 5])
                size = self.name("c")
                self.add("%s = arith.constant %d : index" % (size, number))
                dims.append(str(number))
            sizes.append(size)
        buffer = {"name": self.name("b"), "element": element, "op": op,
                  "type": "memref<%sx%s>" % ("x".join(dims), element),
                  "sizes": sizes}
        self.add("%s = memref.%s(%s) : %s" % (
            buffer["name"], op, ", ".join(given), buffer["type"]))
        return buffer

    def loops(self, buffer):
        indices = []
        for size in buffer["sizes"]:
            indices.append(self.name("x"))
            self.add("scf.for %s = %%c0 to %s step %%c1 {" % (indices[-1],
                                                              size))
        return indices

    def write(self, buffer, source):
        indices = self.loops(buffer)
        value, factor, product, total = (self.name("w") for _ in range(4))
        self.add("%s = arith.index_cast %s : index to i32" % (value,
                                                              indices[-1]),
                 "%s = arith.constant %d : i32" % (factor,
                                                   self.rng.randrange(1, 50)),
                 "%s = arith.muli %s, %s : i32" % (product, value, factor),
                 "%s = arith.addi %s, %%i : i32" % (total, product))
        if source:
            where = indices if source["sizes"] == buffer["sizes"] else \
                ["%c0"] * len(source["sizes"])
            read = self.read(source, where)
            both = self.name("w")
            self.add("%s = arith.addi %s, %s : i32" % (both, total, read))
            total = both
        limit, small = self.name("w"), self.name("w")
        self.add("%s = arith.constant 100 : i32" % limit,
                 "%s = arith.remsi %s, %s : i32" % (small, total, limit))
        value = self.convert(small, OF_I32, buffer["element"], "i32",
                             buffer["element"])
        self.add("memref.store %s, %s[%s] : %s" % (
            value, buffer["name"], ", ".join(indices), buffer["type"]))
        self.add(*["}"] * len(indices))

    def read(self, buffer, indices):
        value = self.name("r")
        self.add("%s = memref.load %s[%s] : %s" % (
            value, buffer["name"], ", ".join(indices), buffer["type"]))
        return self.convert(value, TO_I32, buffer["element"],
                            buffer["element"], "i32")

    def fold(self, buffer):
        indices = self.loops(buffer)
        self.add_up(self.read(buffer, indices))
        self.add(*["}"] * len(indices))

    def special(self, buffer):
        """A whole fill, a vector, or an element through a subview."""
        element, kind = buffer["element"], self.rng.randrange(3)
        value = self.name("s")
        if kind == 0 and self.has_vectors and len(buffer["sizes"]) == 1:
            self.add("%s = arith.constant dense<%s> : vector<4x%s>" % (
                value, CONSTANTS[element], element),
                     "vector.transfer_write %s, %s[%%c0] : vector<4x%s>, %s" % (
                         value, buffer["name"], element, buffer["type"]))
        elif kind == 1:
            self.add("%s = arith.constant %s : %s" % (
                value, CONSTANTS[element], element),
                     "linalg.fill ins(%s : %s) outs(%s : %s)" % (
                         value, element, buffer["name"], buffer["type"]))
        elif kind == 2 and len(buffer["sizes"]) == 1:
            part = self.name("p")
            kind = "memref<1x%s, strided<[1]>>" % element
            self.add("%s = arith.constant %s : %s" % (
                value, CONSTANTS[element], element),
                     "%s = memref.subview %s[0] [1] [1] : %s to %s" % (
                         part, buffer["name"], buffer["type"], kind),
                     "scf.for %s_0 = %%c0 to %%c1 step %%c1 {" % part,
                     "memref.store %s, %s[%s_0] : %s" % (value, part, part,
                                                         kind),
                     "}")

    def add_up(self, value):
        """Folds an i32 into the thread's word of the result."""
        old, factor, product, total = (self.name("o") for _ in range(4))
        self.add("%s = memref.load %%out[%s] : memref<?xi32>" % (old,
                                                                 self.number),
                 "%s = arith.constant 31 : i32" % factor,
                 "%s = arith.muli %s, %s : i32" % (product, old, factor),
                 "%s = arith.addi %s, %s : i32" % (total, product, value),
                 "memref.store %s, %%out[%s] : memref<?xi32>" % (total,
                                                                 self.number))

    def call(self):
        value = self.name("f")
        self.add("%s = func.call @device_%d(%s, %s, %%i) : (index, index, i32) -> i32"
                 % (value, self.seed, self.rng.choice(SIZES), self.rng.choice(SIZES)))
        self.add_up(value)

    def turns(self, live):
        """A buffer in each turn of a loop."""
        rng = self.rng
        self.add("scf.for %s = %%c0 to %s step %%c1 {" % (
            self.name("l"), rng.choice(["%c1", "%c2", "%n", "%m"])))
        buffer = self.allocate("alloc")
        self.write(buffer, rng.choice(live) if live else None)
        self.fold(buffer)
        self.end(buffer)
        self.add("}")

    def end(self, buffer):
        if buffer["op"] == "alloc":
            self.add("memref.dealloc %s : %s" % (buffer["name"],
                                                 buffer["type"]))

    def statements(self):
        rng, live = self.rng, []
        for _ in range(rng.randrange(2, 7)):
            if rng.random() < 0.2:
                self.add("scf.if %less {")
                buffer = self.allocate()
                self.write(buffer, rng.choice(live) if live else None)
                self.fold(buffer)
                self.end(buffer)
                self.add("}")
            if rng.random() < 0.2:
                self.turns(live)
            if self.has_function and rng.random() < 0.4:
                self.call()
            buffer = self.allocate()
            self.write(buffer, rng.choice(live)
                       if live and rng.random() < 0.7 else None)
            if rng.random() < 0.4:
                self.special(buffer)
            live.append(buffer)
            if rng.random() < 0.5:
                self.fold(rng.choice(live))
            if rng.random() < 0.4:
                ended = live.pop(rng.randrange(len(live)))
                self.end(ended)
        for buffer in live:
            self.fold(buffer)
            self.end(buffer)


def device_function(rng, seed):
    """Sums up a buffer of its own, and one that it has under a condition."""
    kind, op = rng.choice(["i32", "i64"]), rng.choice(["alloc", "alloca"])
    buffer = "memref<?x%s>" % kind
    narrow = ["%%v = arith.trunci %%w : %s to i32" % kind] if kind == "i64" else \
        ["%v = arith.addi %w, %zero : i32"]
    wide = ["%%y = arith.extsi %%x : i32 to %s" % kind] if kind == "i64" else \
        ["%y = arith.addi %x, %zero : i32"]
    lines = ["func.func private @device_%d(" % seed +
             "%size: index, %other: index, %x: i32) -> i32 {",
             "%c0 = arith.constant 0 : index", "%c1 = arith.constant 1 : index",
             "%zero = arith.constant 0 : i32",
             "%more = arith.addi %size, %c1 : index",
             "%a = memref." + op + "(%more) : " + buffer] + wide
    lines += ["scf.for %i = %c0 to %more step %c1 {",
              "memref.store %y, %a[%i] : " + buffer, "}"]
    if rng.random() < 0.5:
        lines += ["%is = arith.cmpi slt, %size, %other : index", "scf.if %is {",
                  "%b = memref.alloc(%other) : " + buffer,
                  "%u = memref.load %a[%c0] : " + buffer,
                  "memref.store %u, %b[%size] : " + buffer,
                  "%two = memref.load %b[%size] : " + buffer,
                  "%three = arith.addi %two, %u : " + kind,
                  "memref.store %three, %a[%size] : " + buffer,
                  "memref.dealloc %b : " + buffer, "}"]
    lines += ["%w = memref.load %a[%size] : " + buffer] + narrow
    if op == "alloc":
        lines.append("memref.dealloc %a : " + buffer)
    return lines + ["return %v : i32", "}"]


def launch(seed, body, is_function, extents, out, token, start):
    """`token`: the launch's own name, or "" if the host waits for it."""
    if not is_function:
        grid = ", ".join("%%g%s = %s" % p for p in zip("xyz", extents[:3]))
        block = ", ".join("%%s%s = %s" % p for p in zip("xyz", extents[3:]))
        return (["gpu.launch blocks(%%bx, %%by, %%bz) in (%s) "
                 "threads(%%tx, %%ty, %%tz) in (%s) {" % (grid, block)] +
                [line.replace("%out", out) for line in body.lines] +
                ["gpu.terminator", "}"])
    text = ("@m_%d::@k blocks in (%s) threads in (%s) args(%s : memref<?xi32>, "
            "%%in : memref<?xi32>, %%n : index, %%m : index)" % (
                seed, ", ".join(extents[:3]), ", ".join(extents[3:]), out))
    if not token:
        return ["gpu.launch_func " + text]
    return ["%%%s = gpu.launch_func async [%s] %s" % (token, start, text)]


def launches(rng, seed, body, is_function, extents):
    """One or two; with tokens one after the other, or both at the same time."""
    is_async = is_function and rng.random() < 0.5
    is_at_once = rng.random() < 0.7
    lines, start = [], "%start"
    if is_async:
        lines.append("%start = gpu.wait async")
    count = rng.choice([1, 2, 2] if is_async else [1, 1, 2])
    for k in range(count):
        token = "end%d" % k if is_async else ""
        lines += launch(seed, body, is_function, extents, "%%out%d" % k, token,
                        start)
        start = start if is_at_once else "%" + token
    if is_async:
        ends = ["%%end%d" % k for k in range(count)]
        lines.append("gpu.wait [%s]" % ", ".join(
            ends if is_at_once else ends[-1:]))
    return lines


def write(seed):
    rng = random.Random(seed)
    is_function = rng.random() < 0.7
    body = Body(rng, is_function, seed)
    numbers = [rng.choice([1, 2, 3]) for _ in range(3)] + \
        [rng.choice([1, 2, 3, 4]) for _ in range(3)]
    are_arguments = rng.random() < 0.6
    extents = ["%%d%d" % k if are_arguments and rng.random() < 0.7 else
               "%%e%d" % k for k in range(6)]
    memory = "%out0: memref<?xi32>, %in: memref<?xi32>"
    sizes = "%n: index, %m: index"
    if is_function:
        print("gpu.module @m_%d {" % seed)
        print("\n".join(body.function))
        print("gpu.func @k(%s, %s) kernel {" % (
            memory.replace("%out0", "%out"), sizes))
        for letter, op in [("t", "thread_id"), ("b", "block_id"),
                           ("s", "block_dim"), ("g", "grid_dim")]:
            for d in "xyz":
                print("%%%s%s = gpu.%s %s" % (letter, d, op, d))
        print("\n".join(body.lines + ["gpu.return", "}", "}"]))
    print("func.func @host_%d(%s, %s, %s, %%out1: memref<?xi32>) {" % (
        seed, memory, sizes, ", ".join("%%d%d: index" % k for k in range(6))))
    for k in range(6):
        print("%%e%d = arith.constant %d : index" % (k, numbers[k]))
    in_loop = rng.random() < 0.3
    if in_loop:
        print("%l0 = arith.constant 0 : index\n%l1 = arith.constant 1 : index\n"
              "%l2 = arith.constant 2 : index\n"
              "scf.for %turn = %l0 to %l2 step %l1 {")
    print("\n".join(launches(rng, seed, body, is_function, extents)))
    print("}\nreturn\n}" if in_loop else "return\n}")
    total = 1
    for number in numbers:
        total *= number
    print("func.func @main_%d() {\n%%zero = arith.constant 0 : i32" % seed)
    for name, number in [("threads", total), ("n", rng.randrange(1, 6)),
                         ("m", rng.randrange(1, 6)),
                         ("many", rng.randrange(1, 8))] + \
            [("d%d" % k, numbers[k]) for k in range(6)]:
        print("%%%s = arith.constant %d : index" % (name, number))
    print("%in = memref.alloc(%many) : memref<?xi32>")
    for k in range(2):
        print("""%%out%d = memref.alloc(%%threads) : memref<?xi32>
linalg.fill ins(%%zero : i32) outs(%%out%d : memref<?xi32>)""" % (k, k))
    print("call @host_%d(%%out0, %%in, %%n, %%m, %%d0, %%d1, %%d2, %%d3, %%d4, "
          "%%d5, %%out1) : (memref<?xi32>, memref<?xi32>, %smemref<?xi32>) -> ()"
          % (seed, "index, " * 8))
    for k in range(2):
        print("""%%cast%d = memref.cast %%out%d : memref<?xi32> to memref<*xi32>
call @printMemrefI32(%%cast%d) : (memref<*xi32>) -> ()""" % (k, k, k))
    print("return\n}")


def write_file(seeds):
    print("module attributes {gpu.container_module} {")
    print("func.func private @printMemrefI32(memref<*xi32>)")
    for seed in seeds:
        write(seed)
    print("func.func @main() {")
    for seed in seeds:
        print("call @main_%d() : () -> ()" % seed)
    print("return\n}\n}")


def main():
    folder, first, last = sys.argv[1:4]
    step = int(sys.argv[4]) if len(sys.argv) > 4 else 1
    os.makedirs(folder, exist_ok=True)
    for seed in range(int(first), int(last) + 1, step):
        with open(os.path.join(folder, "%d.mlir" % seed), "w") as file:
            with contextlib.redirect_stdout(file):
                write_file(range(seed, min(seed + step, int(last) + 1)))


main()
