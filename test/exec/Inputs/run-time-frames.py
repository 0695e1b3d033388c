# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes a program of functions with buffers of run-time sizes that call each
other, from a seed.

    python3 run-time-frames.py SEED [FUNCTIONS]

Sizes are arguments, dimensions of arguments, arithmetic on these, and what is
loaded; allocations and calls stand in branches, loops and parallel loops, and some
functions have static buffers, too. What `main` prints tells whether two buffers had
bytes in common that somebody still wanted.
"""

import random
import sys

TYPE = "memref<?xi32>"
SIGNATURE = f"({TYPE}, {TYPE}, index, index) -> ()"
MOST_RUNS = 60  # of functions in a run of one

HELPERS = f"""\
// b[i] = 3 b[i] + a[i mod the length of a] + i
func.func private @mix(%a: {TYPE}, %b: {TYPE}) {{
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %three = arith.constant 3 : i32
  %n = memref.dim %a, %zero : {TYPE}
  %m = memref.dim %b, %zero : {TYPE}
  %none = arith.cmpi eq, %n, %zero : index
  %end = arith.select %none, %zero, %m : index
  scf.for %i = %zero to %end step %one {{
    %k = arith.remui %i, %n : index
    %x = memref.load %a[%k] : {TYPE}
    %y = memref.load %b[%i] : {TYPE}
    %z = arith.muli %y, %three : i32
    %s = arith.addi %z, %x : i32
    %c = arith.index_cast %i : index to i32
    %t = arith.addi %s, %c : i32
    memref.store %t, %b[%i] : {TYPE}
  }}
  return
}}
func.func private @show(%a: {TYPE}) {{
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %start = arith.constant 1 : i32
  %seven = arith.constant 7 : i32
  %n = memref.dim %a, %zero : {TYPE}
  %s = scf.for %i = %zero to %n step %one iter_args(%s = %start) -> (i32) {{
    %x = memref.load %a[%i] : {TYPE}
    %u = arith.muli %s, %seven : i32
    %v = arith.addi %u, %x : i32
    scf.yield %v : i32
  }}
  vector.print %s : i32
  return
}}"""


class Function:
    def __init__(self, rng, number, later):
        self.rng, self.number, self.later = rng, number, later
        self.lines, self.names, self.depth = [], 0, 1
        self.runs, self.turns = 1, 1
        self.sizes = ["%n", "%m", "%four", "%zero"]

    def name(self, prefix="v"):
        self.names += 1
        return f"%{prefix}{self.names}"

    def add(self, line):
        self.lines.append("  " * self.depth + line)

    def size(self, live):
        """A number from 0 to some dozen."""
        kind, result = self.rng.random(), self.name("s")
        if kind < 0.45:
            return self.rng.choice(self.sizes)
        if kind < 0.6:
            self.add(f"{result} = memref.dim {self.rng.choice(live)}, %zero : {TYPE}")
        elif kind < 0.92:
            op = self.rng.choice(["addi", "maxui", "minui", "muli", "andi"])
            a, b = self.rng.choice(self.sizes), self.rng.choice(self.sizes)
            whole = self.name("s")
            self.add(f"{whole} = arith.{op} {a}, {b} : index")
            self.add(f"{result} = arith.minui {whole}, %most : index")
        else:
            # Known only here.
            loaded, wide = self.name("s"), self.name("s")
            buffer = self.rng.choice(live)
            length, some = self.name("s"), self.name("s")
            self.add(f"{length} = memref.dim {buffer}, %zero : {TYPE}")
            self.add(f"{some} = arith.cmpi ugt, {length}, %zero : index")
            self.add(f"{result} = scf.if {some} -> (index) {{")
            self.add(f"  {loaded} = memref.load {buffer}[%zero] : {TYPE}")
            self.add(f"  {wide} = arith.index_cast {loaded} : i32 to index")
            low = self.name("s")
            self.add(f"  {low} = arith.andi {wide}, %seven : index")
            self.add(f"  scf.yield {low} : index")
            self.add("} else {\n" + "  " * self.depth + "  scf.yield %zero : index")
            self.add("}")
        self.sizes.append(result)
        return result

    def alloc(self, live):
        buffer, value = self.name("b"), self.name("c")
        align = self.rng.choice(["", "", "", " {alignment = 64 : i64}"])
        if self.rng.random() < 0.2:
            static = self.name("b")
            length = self.rng.randint(1, 40)
            self.add(f"{static} = memref.alloc(){align} : memref<{length}xi32>")
            self.add(f"{buffer} = memref.cast {static} : memref<{length}xi32> to {TYPE}")
        else:
            self.add(f"{buffer} = memref.alloc({self.size(live)}){align} : {TYPE}")
        self.add(f"{value} = arith.constant {self.rng.randint(1, 99)} : i32")
        self.add(f"linalg.fill ins({value} : i32) outs({buffer} : {TYPE})")
        return buffer

    def mix(self, a, b):
        self.add(f"func.call @mix({a}, {b}) : ({TYPE}, {TYPE}) -> ()")

    def call(self, a, out, live):
        near = [f for f in self.later[:5] if self.runs + self.turns * f.runs <= MOST_RUNS]
        if not near:
            return self.mix(a, out)
        callee = self.rng.choice(near)
        self.runs += self.turns * callee.runs
        n, m = self.size(live), self.size(live)
        self.add(f"func.call @f{callee.number}({a}, {out}, {n}, {m}) : {SIGNATURE}")

    def block(self, opening, body, turns=1):
        self.add(opening)
        kept = self.sizes[:]
        self.depth, self.turns, before = self.depth + 1, self.turns * turns, self.turns
        body()
        self.depth, self.turns, self.sizes = self.depth - 1, before, kept
        self.add("}")

    def statement(self, live):
        kind = self.rng.random()
        a = self.rng.choice(live)
        outs = [name for name in live if name not in (a, "%x")]
        if kind < 0.3 or not outs:
            live.append(self.alloc(live))
            return
        out = self.rng.choice(outs)
        if kind < 0.45:
            self.mix(a, out)
        elif kind < 0.7:
            self.call(a, out, live)
        elif kind < 0.8:
            condition = self.name("i")
            left, right = self.rng.choice(self.sizes), self.rng.choice(self.sizes)
            self.add(f"{condition} = arith.cmpi ult, {left}, {right} : index")

            def branch():
                inner = self.alloc(live)
                self.call(a, inner, [*live, inner])
                self.mix(inner, out)

            self.block(f"scf.if {condition} {{", branch)
        elif kind < 0.92:
            i = self.name("i")

            def body():
                self.sizes.append(i)
                inner = self.alloc(live)
                self.call(a, inner, [*live, inner])
                self.mix(inner, out)

            self.block(f"scf.for {i} = %zero to %two step %one {{", body, 2)
        else:
            i = self.name("i")
            held = self.name("b")
            self.add(f"{held} = memref.alloc(%two) : {TYPE}")

            def body():
                self.sizes.append(i)
                inner = self.alloc(live)
                self.call(a, inner, [*live, inner])
                length, some = self.name("s"), self.name("s")
                value, zero = self.name("v"), self.name("v")
                self.add(f"{zero} = arith.constant 5 : i32")
                self.add(f"{length} = memref.dim {inner}, %zero : {TYPE}")
                self.add(f"{some} = arith.cmpi ugt, {length}, %zero : index")
                self.add(f"{value} = scf.if {some} -> (i32) {{")
                loaded = self.name("v")
                self.add(f"  {loaded} = memref.load {inner}[%zero] : {TYPE}")
                self.add(f"  scf.yield {loaded} : i32")
                self.add("} else {\n" + "  " * self.depth + f"  scf.yield {zero} : i32")
                self.add("}")
                self.add(f"memref.store {value}, {held}[{i}] : {TYPE}")

            self.block(f"scf.parallel ({i}) = (%zero) to (%two) step (%one) {{", body, 2)
            self.mix(held, out)

    def text(self):
        live = ["%x", "%y"]
        for _ in range(self.rng.randint(3, 8)):
            self.statement(live)
        self.mix(self.rng.choice(live), "%y")
        self.mix(live[-1], "%y")
        visibility = "" if self.rng.random() < 0.2 else "private "
        constants = [
            f"  %{word} = arith.constant {i} : index"
            for word, i in [("zero", 0), ("one", 1), ("two", 2), ("four", 4),
                            ("seven", 7), ("most", 50)]
        ]
        head = (f"func.func {visibility}@f{self.number}(%x: {TYPE}, %y: {TYPE}, "
                "%n: index, %m: index) {")
        return "\n".join([head, *constants, *self.lines, "  return", "}"])


def main():
    seed = int(sys.argv[1])
    count = int(sys.argv[2]) if len(sys.argv) > 2 else 12
    rng = random.Random(seed)
    functions = []
    print(HELPERS)
    for number in reversed(range(count)):
        functions.insert(0, Function(rng, number, functions[:]))
        print(functions[0].text())
    print("func.func @main() {\n  %zero = arith.constant 0 : index")
    print("  %f = arith.constant 3 : i32")
    for i, length in enumerate([0, 1, 5, 16, 33]):
        print(f"  %l{i} = arith.constant {length} : index")
        print(f"  %x{i} = memref.alloc(%l{i}) : {TYPE}")
        print(f"  linalg.fill ins(%f : i32) outs(%x{i} : {TYPE})")
    for number in range(0, count, 3):
        for turn in range(2):
            x, y, n, m = (rng.randrange(5) for _ in range(4))
            print(f"  %y{number}_{turn} = memref.alloc(%l{y}) : {TYPE}")
            print(f"  linalg.fill ins(%f : i32) outs(%y{number}_{turn} : {TYPE})")
            print(f"  call @f{number}(%x{x}, %y{number}_{turn}, %l{n}, %l{m}) : {SIGNATURE}")
            print(f"  call @show(%y{number}_{turn}) : ({TYPE}) -> ()")
    print("  return\n}")


if __name__ == "__main__":
    main()
