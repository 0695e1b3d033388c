# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes a program of many functions that call each other, from a seed.

    python3 frames.py SEED [FUNCTIONS]

Every function fills what it is given from buffers of its own and from what it
calls: in order, in branches, in loops, in parallel loops, by address, and by
itself. What `main` prints tells whether two of them had bytes in
common that one still wanted.
"""

import random
import sys

N = 64
TYPE = f"memref<{N}xf32>"
SIGNATURE = f"({TYPE}, {TYPE}, index) -> ()"


MOST_RUNS = 300  # of functions in a run of one


class Function:
    def __init__(self, rng, number, later):
        self.rng, self.number, self.later = rng, number, later
        self.lines, self.names, self.depth = [], 0, 1
        self.runs, self.turns = 1, 1

    def name(self, prefix="v"):
        self.names += 1
        return f"%{prefix}{self.names}"

    def add(self, line):
        self.lines.append("  " * self.depth + line)

    def alloc(self):
        buffer = self.name("m")
        align = self.rng.choice(["", "", " {alignment = 64 : i64}", " {alignment = 256 : i64}"])
        self.add(f"{buffer} = memref.alloc(){align} : {TYPE}")
        self.fill(buffer)
        return buffer

    def fill(self, buffer):
        value = self.name("c")
        self.add(f"{value} = arith.constant {self.rng.randint(1, 9)}.0 : f32")
        self.add(f"linalg.fill ins({value} : f32) outs({buffer} : {TYPE})")

    def combine(self, a, b, out):
        op = self.rng.choice(["add", "sub", "max", "min"])
        self.add(f"linalg.{op} ins({a}, {b} : {TYPE}, {TYPE}) outs({out} : {TYPE})")

    def call_itself(self, a, out):
        """Once, and with less fuel."""
        self.runs *= 3
        less, go = self.name(), self.name()
        self.add(f"{less} = arith.subi %n, %one : index")
        self.add(f"{go} = arith.cmpi sgt, %n, %zero : index")
        self.add(f"scf.if {go} {{")
        self.add(f"  func.call @f{self.number}({a}, {out}, {less}) : {SIGNATURE}")
        self.add("}")

    def call(self, a, out):
        near = [f for f in self.later[:8] if self.runs + self.turns * f.runs <= MOST_RUNS]
        if not near:
            return self.combine(a, a, out)
        callee = self.rng.choice(near)
        self.runs += self.turns * callee.runs
        if self.rng.random() < 0.06:
            address = self.name()
            self.add(f"{address} = func.constant @f{callee.number} : {SIGNATURE}")
            self.add(f"func.call_indirect {address}({a}, {out}, %n) : {SIGNATURE}")
        else:
            self.add(f"func.call @f{callee.number}({a}, {out}, %n) : {SIGNATURE}")

    def block(self, opening, body, turns=1):
        self.add(opening)
        self.depth, self.turns = self.depth + 1, turns
        body()
        self.depth, self.turns = self.depth - 1, 1
        self.add("}")

    def statement(self, live):
        kind = self.rng.random()
        a, b = self.rng.choice(live), self.rng.choice(live)
        outs = [name for name in live if name not in (a, b, "%x")]
        if kind < 0.25 or not outs:
            live.append(self.alloc())
        elif kind < 0.45:
            self.combine(a, b, self.rng.choice(outs))
        elif kind < 0.75:
            self.call(a, self.rng.choice(outs))
        elif kind < 0.83:
            condition = self.name()
            self.add(f"{condition} = arith.cmpi sgt, %n, %one : index")
            out = self.rng.choice(outs)
            self.block(f"scf.if {condition} {{", lambda: self.call(a, out))
        elif kind < 0.92:
            out = self.rng.choice(outs)

            def body():
                inner = self.alloc()
                self.call(a, inner)
                self.combine(out, inner, out)

            self.block(f"scf.for {self.name('i')} = %zero to %two step %one {{", body, 2)
        else:
            out, i = self.rng.choice(outs), self.name("i")

            def body():
                inner = self.alloc()
                self.call(a, inner)
                value = self.name()
                self.add(f"{value} = memref.load {inner}[{i}] : {TYPE}")
                self.add(f"memref.store {value}, {out}[{i}] : {TYPE}")

            self.block(f"scf.parallel ({i}) = (%zero) to (%three) step (%one) {{", body, 3)

    def text(self):
        live = ["%x", "%y"]
        self.fill("%y")
        for _ in range(self.rng.randint(3, 7)):
            self.statement(live)
        if self.rng.random() < 0.06:
            self.call_itself("%x", "%y")
        self.combine(self.rng.choice(live), live[-1], "%y")
        visibility = "" if self.rng.random() < 0.15 else "private "
        constants = [
            f"  %{word} = arith.constant {i} : index"
            for i, word in enumerate(["zero", "one", "two", "three"])
        ]
        head = f"func.func {visibility}@f{self.number}(%x: {TYPE}, %y: {TYPE}, %n: index) {{"
        return "\n".join([head, *constants, *self.lines, "  return", "}"])


def main():
    seed = int(sys.argv[1])
    count = int(sys.argv[2]) if len(sys.argv) > 2 else 50
    rng = random.Random(seed)
    functions = []
    for number in reversed(range(count)):
        functions.insert(0, Function(rng, number, functions[:]))
        print(functions[0].text())
    print("func.func @main() {\n  %zero = arith.constant 0 : index\n  %n = arith.constant 2 : index")
    print(f"  %f = arith.constant 3.0 : f32\n  %x = memref.alloc() : {TYPE}")
    print(f"  linalg.fill ins(%f : f32) outs(%x : {TYPE})")
    for number in range(0, count, 5):
        print(f"  %y{number} = memref.alloc() : {TYPE}")
        print(f"  call @f{number}(%x, %y{number}, %n) : {SIGNATURE}")
        print(f"  %v{number} = vector.load %y{number}[%zero] : {TYPE}, vector<{N}xf32>")
        print(f"  vector.print %v{number} : vector<{N}xf32>")
    print("  return\n}")


if __name__ == "__main__":
    main()
