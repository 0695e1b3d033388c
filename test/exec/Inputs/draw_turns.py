# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Draws a program of loops whose turns take slices, of as many turns as are asked for.

    python3 draw_turns.py SEED             prints it

Slices are read, written or both, at offsets that go with the turn, against it, by
leaps, or by halves. Every second program also makes, copies and forgets buffers of its
own in each turn. Put behind prelude.mlir; memory 2 is the fast one.
"""

import random
import sys

PRINT = """\
#slice = strided<[1], offset: ?>
#back = {{indexing_maps = [affine_map<(i) -> ({last} - i)>, affine_map<(i) -> (i)>], \
iterator_types = ["parallel"]}}
func.func private @print(%m: memref<{n}xi32>) {{
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %end = arith.constant {n} : index
  %o = memref.alloc() : memref<8xi32>
  scf.for %i = %c0 to %end step %c8 {{
    %v = memref.subview %m[%i] [8] [1] : memref<{n}xi32> to memref<8xi32, #slice>
    memref.copy %v, %o : memref<8xi32, #slice> to memref<8xi32>
    func.call @show(%o) : (memref<8xi32>) -> ()
  }}
  return
}}"""

MAIN = """\
func.func @main() {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %step = arith.constant {s} : index
  %most = arith.constant {most} : index
  %end = arith.constant {n} : index
  %x = memref.alloc() : memref<{n}xi32>
  %y = memref.alloc() : memref<{n}xi32>
  scf.for %i = %c0 to %end step %c1 {{
    %k = arith.index_cast %i : index to i32
    memref.store %k, %x[%i] : memref<{n}xi32>
  }}
  scf.for %n = %c0 to %most step %step {{
    func.call @f(%x, %y, %n, %c0, %c0) : ({args}) -> ()
  }}
  func.call @f(%x, %y, %most, %c1, %step) : ({args}) -> ()
  func.call @f(%x, %y, %most, %step, %c1) : ({args}) -> ()
  memref.dealloc %x : memref<{n}xi32>
  memref.dealloc %y : memref<{n}xi32>
  return
}}"""


class Program:
    def __init__(self, seed):
        self.draw = random.Random(seed)
        self.size = self.draw.choice([48, 64, 96])
        self.slice = self.draw.choice([4, 8])
        self.names = [f"%b{i}" for i in range(self.draw.randint(1, 3))]
        self.makes = seed % 2 == 1
        self.lines, self.count, self.depth = [], 0, 1
        self.part = f"memref<{self.slice}xi32, #slice, 2>"
        self.own = f"memref<{self.slice}xi32, 2>"

    def write(self, text):
        self.lines.append("  " * self.depth + text)

    def fresh(self):
        self.count += 1
        return f"%v{self.count}"

    def define(self, text):
        name = self.fresh()
        self.write(f"{name} = {text}")
        return name

    def loop(self, lower, upper, step):
        variable = self.fresh()
        self.write(f"scf.for {variable} = {lower} to {upper} step {step} {{")
        self.depth += 1
        return variable

    def end(self):
        self.depth -= 1
        self.write("}")

    def offset(self, variable):
        """A number within what is left for a slice, if the variable is."""
        kind = self.draw.choice(["as", "as", "as", "as", "add", "map", "back", "leap", "half"])
        if kind == "add":
            return self.define(f"arith.addi {variable}, %k : index")
        if kind == "map":
            return self.define(f"affine.apply affine_map<(d0)[s0] -> (d0 + s0)>({variable})[%k]")
        if kind == "back":
            return self.define(f"arith.subi %top, {variable} : index")
        if kind == "leap":
            far = self.define(f"arith.muli {variable}, %c3 : index")
            return self.define(f"arith.remui {far}, %top : index")
        if kind == "half":
            return self.define(f"arith.divui {variable}, %c2 : index")
        return variable

    def view(self, name, offset):
        return self.define(f"memref.subview {name}[{offset}] [{self.slice}] [1] : "
                           f"memref<{self.size}xi32, 2> to {self.part}")

    def compute(self, left, right, to, types):
        op = self.draw.choice(["add", "sub", "mul"])
        self.write(f"linalg.{op} ins({left}, {right} : {types[0]}, {types[1]}) "
                   f"outs({to} : {types[2]})")

    def slices(self, variable):
        for _ in range(self.draw.randint(1, 3)):
            view = self.view(self.draw.choice(self.names), self.offset(variable))
            kind = self.draw.random()
            if kind < 0.2:
                number = self.define(f"arith.constant {self.draw.randint(1, 9)} : i32")
                self.write(f"linalg.fill ins({number} : i32) outs({view} : {self.part})")
            elif kind < 0.4:
                number = self.define(f"memref.load {view}[%c1] : {self.part}")
                self.write(f"vector.print {number} : i32")
            else:
                self.compute(view, view, view, [self.part] * 3)

    def made(self, variable):
        """Buffers of the turn: copies of %x, which stay, and others."""
        own = [self.define(f"memref.alloc() : {self.own}")
               for _ in range(self.draw.randint(2, 5))]
        held, copies = [], self.draw.randint(1, len(own) - 1)
        for name in own[:copies]:
            view = self.define(f"memref.subview %x[{variable}] [{self.slice}] [1] : "
                               f"memref<{self.size}xi32> to memref<{self.slice}xi32, #slice>")
            self.write(f"memref.copy {view}, {name} : memref<{self.slice}xi32, #slice> to "
                       f"{self.own}")
            held.append(name)
        for _ in range(self.draw.randint(2, 7)):
            to = self.draw.choice(own[copies:])
            source = self.draw.choice([name for name in held if name != to])
            if self.draw.random() < 0.5 or to not in held:
                self.write(f"linalg.generic #back ins({source} : {self.own}) outs({to} : "
                           f"{self.own}) {{ ^bb0(%in: i32, %out: i32):")
                self.write("  linalg.yield %in : i32 }")
            else:
                view = self.view(self.draw.choice(self.names), variable)
                self.compute(view, source, view, [self.part, self.own, self.part])
            held += [to] if to not in held else []
        for name in held:
            view = self.view(self.draw.choice(self.names), variable)
            self.compute(view, name, view, [self.part, self.own, self.part])
        for name in own:
            self.write(f"memref.dealloc {name} : {self.own}")

    def nest(self, variable):
        """A slice of the turn, and those of a loop in it."""
        outer = self.view(self.draw.choice(self.names), variable)
        inner = self.loop("%c0", "%most", "%step")
        view = self.view(self.draw.choice(self.names), inner)
        self.compute(outer, view, self.draw.choice([outer, view]), [self.part] * 3)
        self.end()

    def function(self):
        args = f"memref<{self.size}xi32>, memref<{self.size}xi32>, index, index, index"
        self.lines += PRINT.format(n=self.size, last=self.slice - 1).splitlines()
        self.lines.append(f"func.func @f(%x: memref<{self.size}xi32> {{llvm.noalias, "
                          f"llvm.readonly}}, %y: memref<{self.size}xi32> {{llvm.noalias}}, "
                          "%n: index, %k: index, %m: index) {")
        numbers = {"c0": 0, "c1": 1, "c2": 2, "c3": 3, "step": self.slice,
                   "leap": 2 * self.slice, "half": self.slice // 2, "end": self.size,
                   "top": self.size - self.slice, "most": self.size - 2 * self.slice}
        for name, number in numbers.items():
            self.write(f"%{name} = arith.constant {number} : index")
        for name in self.names:
            self.write(f"{name} = memref.alloc() : memref<{self.size}xi32, 2>")
        for name in self.names:
            variable = self.loop("%c0", "%end", "%step")
            number = self.define(f"arith.index_cast {variable} : index to i32")
            view = self.view(name, variable)
            self.write(f"linalg.fill ins({number} : i32) outs({view} : {self.part})")
            self.end()
        for _ in range(self.draw.randint(1, 4)):
            again = self.draw.random() < 0.3
            if again:
                self.loop("%c0", "%c2", "%c1")
            variable = self.loop(self.draw.choice(["%c0", "%m"]),
                                 self.draw.choice(["%n", "%most"]),
                                 self.draw.choice(["%step"] * 3 + ["%leap", "%half"]))
            kind = self.draw.random()
            (self.made if self.makes and kind < 0.6 else
             self.nest if kind < 0.3 else self.slices)(variable)
            self.end()
            if again:
                self.end()
        for name in self.names:
            variable = self.loop("%c0", "%end", "%step")
            view = self.view(name, variable)
            out = self.define(f"memref.subview %y[{variable}] [{self.slice}] [1] : "
                              f"memref<{self.size}xi32> to memref<{self.slice}xi32, #slice>")
            self.compute(view, view, out, [self.part, self.part,
                                           f"memref<{self.slice}xi32, #slice>"])
            self.end()
            self.write(f"func.call @print(%y) : (memref<{self.size}xi32>) -> ()")
        self.write("return")
        self.lines.append("}")
        self.lines += MAIN.format(n=self.size, s=self.slice, args=args,
                                  most=self.size - 2 * self.slice).splitlines()


def main():
    program = Program(int(sys.argv[1]))
    program.function()
    print("\n".join(program.lines))


if __name__ == "__main__":
    main()
