# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random loops whose turns copy something and work on it, to stdout.

    python3 multi-buffer.py FIRST_SEED COUNT

Some copies may move ahead and some must not: the source is written, perhaps by
another name, content goes from turn to turn, or the address is handed on.
"""

import random
import sys

TILE = "memref<8xi32, strided<[1], offset: ?>>"


class Program:
    def __init__(self, seed):
        self.random = random.Random(seed)
        self.lines = []
        self.count = 0
        self.loops = []
        self.buffers = []

    def name(self):
        self.count += 1
        return f"%v{self.count}"

    def put(self, text):
        self.lines.append("  " * (len(self.loops) + 1) + text)

    def op(self, text):
        name = self.name()
        self.put(f"{name} = {text}")
        return name

    def constant(self, value):
        return self.op(f"arith.constant {value} : index")

    def offset(self):
        """From 0 to 24, from the variables of loops."""
        value = self.constant(self.random.randint(0, 4))
        for variable in self.loops:
            if self.random.random() < 0.8:
                value = self.op(f"arith.addi {value}, {variable} : index")
        return self.op(f"arith.remui {value}, {self.constant(25)} : index")

    def part(self, memref, kind="memref<32xi32>"):
        return self.op(f"memref.subview {memref}[{self.offset()}] [8] [1] : {kind} to {TILE}")

    def copy(self, buffer, is_filled):
        if is_filled and self.random.random() < 0.5:  # some of it
            to = self.op(f"memref.subview {buffer}[2] [4] [1] : memref<8xi32> to memref<4xi32, strided<[1], offset: 2>>")
            source = self.op(f"memref.subview {self.source()}[{self.offset()}] [4] [1] : memref<32xi32> to memref<4xi32, strided<[1], offset: ?>>")
            self.put(f"memref.copy {source}, {to} : memref<4xi32, strided<[1], offset: ?>> to memref<4xi32, strided<[1], offset: 2>>")
        elif self.random.random() < 0.5:
            self.put(f"memref.copy {self.part(self.source())}, {buffer} : {TILE} to memref<8xi32>")
        else:
            self.put(f"linalg.copy ins({self.part(self.source())} : {TILE}) outs({buffer} : memref<8xi32>)")

    def source(self):
        return self.random.choice(["%x", "%x", "%x", "%y", "%own"])

    def use(self, buffer):
        """A function of the buffer into %m, or into the buffer itself."""
        to, kind = ("%m", "memref<8xi32>")
        draw = self.random.random() * 2
        if draw < 0.4:
            to = buffer
        elif draw < 0.47:
            to, kind = self.part("%y"), TILE
        elif draw < 0.52:
            to, kind = self.part("%own"), TILE
        order = self.random.choice(["d0", "7 - d0"]) if to != buffer else "d0"
        self.put(
            f"linalg.generic {{indexing_maps = [affine_map<(d0) -> ({order})>, affine_map<(d0) -> (d0)>], "
            f'iterator_types = ["parallel"]}} ins({buffer} : memref<8xi32>) outs({to} : {kind}) {{')
        self.put("^bb0(%s: i32, %t: i32):")
        self.put("  %u = arith.muli %t, %c3 : i32")
        self.put("  %w = arith.addi %u, %s : i32")
        self.put("  linalg.yield %w : i32")
        self.put("}")

    def loop(self):
        lower, step = self.random.randint(0, 3), self.random.randint(1, 3)
        turns = self.random.choice([0, 1, 2, 3, 4, 5])
        upper = lower + turns * step - self.random.randint(0, step - 1)
        bounds = [str(b) for b in (lower, upper, step)]
        bounds = [self.constant(b) if self.random.random() < 0.4
                  else self.op(f"arith.muli {self.constant(b)}, %one : index") for b in bounds]
        variable = self.name()
        own = self.op("memref.alloc() : memref<8xi32>") if self.random.random() < 0.6 else None
        is_filled = own and self.random.random() < 0.2
        if is_filled:
            self.put(f"linalg.fill ins(%c3 : i32) outs({own} : memref<8xi32>)")
        self.put(f"scf.for {variable} = {bounds[0]} to {bounds[1]} step {bounds[2]} {{")
        self.loops.append(variable)
        mine = []
        for i in range(self.random.randint(1, 2)):
            buffer = own if own and i == 0 else self.op("memref.alloc() : memref<8xi32>")
            if buffer != own:
                if self.random.random() < 0.3:
                    self.put(f"linalg.fill ins(%c3 : i32) outs({buffer} : memref<8xi32>)")
                else:
                    self.put(f"memref.copy {self.part(self.source())}, {buffer} : {TILE} to memref<8xi32>")
            if buffer == own and is_filled and self.random.random() < 0.5:
                self.use(buffer)
            if buffer == own:
                self.copy(buffer, is_filled)
            mine.append(buffer)
        for _ in range(self.random.randint(1, 3)):
            if len(self.loops) < 3 and self.random.random() < 0.4:
                self.loop()
            self.use(self.random.choice(mine))
        self.loops.pop()
        self.put("}")
        if own and self.random.random() < 0.5:
            self.put(f"memref.dealloc {own} : memref<8xi32>")

    def function(self, name):
        self.put("%c3 = arith.constant 3 : i32")
        self.put("%own = memref.alloc() : memref<32xi32>")
        self.put("memref.copy %x, %own : memref<32xi32> to memref<32xi32>")
        self.put("%m = memref.alloc() : memref<8xi32>")
        self.put("linalg.fill ins(%c3 : i32) outs(%m : memref<8xi32>)")
        for _ in range(self.random.randint(1, 2)):
            self.loop()
        self.put("func.call @show(%m) : (memref<8xi32>) -> ()")
        body = "\n".join(self.lines)
        return f"func.func private @{name}(%x: memref<32xi32>, %y: memref<32xi32>, %one: index) {{\n{body}\n  return\n}}\n"


def main():
    first, count = map(int, sys.argv[1:])
    for seed in range(first, first + count):
        print(Program(seed).function(f"seed_{seed}"))
    print("func.func @main() {")
    for line in ("%c0 = arith.constant 0 : index", "%c1 = arith.constant 1 : index",
                 "%c32 = arith.constant 32 : index", "%x = memref.alloc() : memref<32xi32>",
                 "%y = memref.alloc() : memref<32xi32>", "%c7 = arith.constant 7 : i32"):
        print("  " + line)
    for seed in range(first, first + count):
        print("  scf.for %i = %c0 to %c32 step %c1 {")
        print("    %v = arith.index_cast %i : index to i32")
        print("    %w = arith.muli %v, %v : i32")
        print("    memref.store %w, %x[%i] : memref<32xi32>")
        print("    memref.store %v, %y[%i] : memref<32xi32>")
        print("  }")
        for pair in ("%x, %y", "%x, %x"):
            print(f"  func.call @seed_{seed}({pair}, %c1) : (memref<32xi32>, memref<32xi32>, index) -> ()")
    print("  return\n}")


main()
