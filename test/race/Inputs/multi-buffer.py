# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random kernels whose threads copy something in each turn of a loop, to stdout.

    python3 multi-buffer.py FIRST_SEED COUNT

Kernels for batch.sh, without races. Copies may move ahead in some and must not in
others: the source is written in the loop or right in front of it, content goes from
turn to turn, nothing but an allocation parts the turns, or a wait covers less.
"""

import random
import sys

SPACE = "#gpu.address_space<workgroup>"


class Kernel:
    def __init__(self, seed):
        self.random = random.Random(seed)
        self.seed = seed
        self.lines = []
        self.count = 0

    def chance(self, likely):
        return self.random.random() < likely

    def put(self, text):
        self.lines.append("    " + text)

    def op(self, text):
        self.count += 1
        self.put(f"%v{self.count} = {text}")
        return f"%v{self.count}"

    def constant(self, value):
        return self.op(f"arith.constant {value} : index")

    def binary(self, name, a, b):
        return self.op(f"arith.{name} {a}, {b if str(b).startswith('%') else self.constant(b)} : index")

    def bound(self, value):
        """A constant, or the same known at run time only (the argument is 4)."""
        if self.chance(0.5):
            return self.constant(value)
        return self.binary("subi", "%n", 4 - value)

    def column(self):
        """A permutation of the threads."""
        draw = self.random.randrange(3)
        if draw == 0:
            return "%t"
        return self.binary("xori", "%t", 9) if draw == 1 else "%u"

    def row(self, k, ahead=0):
        """The first element of the row of `in` that turn %k copies."""
        row = self.binary("addi", k, ahead)
        return self.binary("muli", self.binary("remui", row, 4), 64)

    def allocate(self, buffer):
        self.put(f"%{buffer['name']} = memref.alloc() : {buffer['type']}")

    def copy(self, buffer, k):
        tokens = []
        for half in range(buffer["halves"]):
            column = self.column()
            source = self.binary("addi", self.row(k, half), column)
            target = self.binary("addi", column, half * 64)
            if buffer["alternates"]:
                turn = self.binary("remui", k, 2)
                target = self.binary("addi", target, self.binary("muli", turn, 64))
            tokens.append(self.op(f"nvgpu.device_async_copy %in[{source}], %{buffer['name']}[{target}], 1 : "
                                  f"memref<256xi32> to {buffer['type']}"))
        return tokens

    def use(self, buffer, k, state):
        at = self.column()
        if buffer["halves"] == 2 and self.chance(0.5):
            at = self.binary("addi", at, 64)
        if buffer["alternates"]:
            turn = self.binary("remui", k, 2)
            at = self.binary("addi", at, self.binary("muli", turn, 64))
        value = self.op(f"memref.load %{buffer['name']}[{at}] : {buffer['type']}")
        if buffer["alternates"]:  # what the turn before has left
            other = self.binary("xori", at, 64)
            first = self.op(f"arith.cmpi ne, {k}, %lower : index")
            self.count += 1
            old = f"%v{self.count}"
            self.put(f"{old} = scf.if {first} -> i32 {{")
            value_old = self.op(f"memref.load %{buffer['name']}[{other}] : {buffer['type']}")
            self.put(f"scf.yield {value_old} : i32 }} else {{ scf.yield {value} : i32 }}")
            value = self.op(f"arith.addi {value}, {old} : i32")
        tripled = self.op(f"arith.muli {state}, %three : i32")
        return self.op(f"arith.addi {tripled}, {value} : i32")

    def text(self):
        made_in_body = self.chance(0.25)
        first, last = self.random.choice([(True, False), (False, True), (False, True), (True, True)])
        if made_in_body and self.chance(0.5):
            first = last = False
        stores_in_loop = self.chance(0.15) and (first or last)
        stores_before = self.chance(0.4) and first
        is_constant = not stores_in_loop and not stores_before and self.chance(0.5)
        nested = self.chance(0.3) and (first or last)
        buffers = []
        for name in "ab"[: self.random.randint(1, 2)]:
            alternates = self.chance(0.15) and not made_in_body
            halves = 1 if alternates else self.random.randint(1, 2)
            elements = 64 * halves if not alternates and self.chance(0.7) else 128
            buffers.append({"name": name, "halves": halves, "alternates": alternates,
                            "type": f"memref<{elements}xi32, {SPACE}>"})
        attributes = " {llvm.noalias, llvm.readonly}" if is_constant else ""
        self.put("%t = gpu.thread_id x")
        self.put("%three = arith.constant 3 : i32")
        self.put("%zero = arith.constant 0 : i32")
        self.put("%c63 = arith.constant 63 : index")
        self.put("%u = arith.subi %c63, %t : index")
        if not made_in_body:
            for buffer in buffers:
                self.allocate(buffer)
        start = "%zero"
        if nested:
            zero, one, two = self.constant(0), self.constant(1), self.constant(2)
            self.put(f"%outer = scf.for %o = {zero} to {two} step {one} iter_args(%begin = %zero) -> i32 {{")
            start = "%begin"
        lower, step, turns = self.random.randint(0, 3), self.random.randint(1, 3), self.random.randint(0, 5)
        step = 1 if any(b["alternates"] for b in buffers) else step
        upper = lower + turns * step - self.random.randint(0, step - 1)
        low = self.bound(lower)
        self.put(f"%lower = arith.addi {low}, {self.constant(0)} : index")
        bounds = ["%lower" if self.chance(0.5) else low, self.bound(upper), self.bound(step)]
        if stores_before:
            to = self.binary("addi", self.row("%lower"), "%u")
            self.put(f"memref.store {start if nested else '%three'}, %in[{to}] : memref<256xi32>")
        self.put(f"%sum = scf.for %k = {bounds[0]} to {bounds[1]} step {bounds[2]} iter_args(%s = {start}) -> i32 {{")
        if made_in_body:
            for buffer in buffers:
                self.allocate(buffer)
        if first:
            self.put("gpu.barrier")
        one_group = self.chance(0.5)
        tokens, groups = [], []
        for buffer in buffers:
            tokens += self.copy(buffer, "%k")
            if not one_group or buffer is buffers[-1]:
                groups.append(self.op("nvgpu.device_async_create_group " + ", ".join(tokens)))
                tokens = []
        state = "%s"
        one_wait = len(groups) < 2 or self.chance(0.4)
        if one_wait:
            number = " {numGroups = 0 : i32}" if self.chance(0.5) else ""
            self.put(f"nvgpu.device_async_wait {groups[-1]}{number}")
            self.put("gpu.barrier")
        for i, buffer in enumerate(buffers):
            if not one_wait:
                self.put(f"nvgpu.device_async_wait {groups[i]} {{numGroups = {len(groups) - 1 - i} : i32}}")
                self.put("gpu.barrier")
            state = self.use(buffer, "%k", state)
        if stores_in_loop:
            self.put("gpu.barrier")
            to = self.binary("addi", self.row("%k", self.random.randint(1, 3)), "%u")
            self.put(f"memref.store {state}, %in[{to}] : memref<256xi32>")
        if last:
            self.put("gpu.barrier")
        self.put(f"scf.yield {state} : i32 }}")
        result = "%sum"
        if nested:
            if stores_before and not last:
                self.put("gpu.barrier")
            self.put("scf.yield %sum : i32 }")
            result = "%outer"
        self.put(f"memref.store {result}, %out[%t] : memref<256xi32>")
        body = "\n".join(self.lines)
        return (f"  gpu.func @seed_{self.seed}(%in: memref<256xi32>{attributes}, %out: memref<256xi32>, %n: index) kernel "
                f"attributes {{known_block_size = array<i32: 64, 1, 1>}} {{\n{body}\n    gpu.return\n  }}")


def main():
    first, count = map(int, sys.argv[1:])
    print("gpu.module @kernels {")
    for seed in range(first, first + count):
        print(Kernel(seed).text())
    print("}")


main()
