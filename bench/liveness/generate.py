#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes one large function over memrefs, for timing the analysis.

    generate.py straight|nested OPS [SEED]

A tenth of the ops are allocations; the others fill, copy, load from and store
to one of the youngest buffers. `nested` puts them into scf.if and scf.for to a
depth of eight. The same arguments give the same text.
"""

import random
import sys

WINDOW = 40  # buffers that ops still touch
MAX_DEPTH = 8


class Writer:
    def __init__(self, ops, nested, seed):
        self.random = random.Random(seed)
        self.left = ops
        self.nested = nested
        self.counter = 0
        self.lines = []

    def name(self, letter):
        self.counter += 1
        return f"%{letter}{self.counter}"

    def line(self, depth, text):
        self.lines.append("  " * depth + text)
        self.left -= 1

    def op(self, depth, buffers):
        """One op on visible buffers, or a new buffer."""
        choice = self.random.randrange(10)
        if choice == 0 or not buffers:
            buffer = (self.name("b"), self.random.randrange(1, 5) * 64)
            self.line(depth, f"{buffer[0]} = memref.alloc() : {kind(buffer)}")
            buffers.append(buffer)
            return
        one = self.random.choice(buffers[-WINDOW:])
        if choice < 4:
            value = self.name("v")
            self.line(
                depth, f"{value} = memref.load {one[0]}[%zero] : {kind(one)}"
            )
        elif choice < 7:
            self.line(
                depth, f"memref.store %one, {one[0]}[%zero] : {kind(one)}"
            )
        elif choice < 8:
            self.line(
                depth, f"linalg.fill ins(%one : f32) outs({one[0]} : {kind(one)})"
            )
        else:
            other = self.random.choice(
                [b for b in buffers[-WINDOW:] if b[1] == one[1]]
            )
            self.line(
                depth,
                f"memref.copy {one[0]}, {other[0]} : {kind(one)} to {kind(other)}",
            )

    def body(self, depth, buffers, ops):
        """`ops` ops; buffers allocated here are unseen outside."""
        mine = list(buffers)
        end = self.left - ops
        while self.left > end:
            room = self.left - end
            if self.nested and depth <= MAX_DEPTH and room > 20:
                if self.random.randrange(10) == 0:
                    self.region(depth, mine, self.random.randrange(5, room))
                    continue
            self.op(depth, mine)

    def region(self, depth, buffers, ops):
        if self.random.randrange(2):
            index = self.name("i")
            self.line(
                depth, f"scf.for {index} = %zero to %ten step %unit {{"
            )
            self.body(depth + 1, buffers, ops)
        else:
            self.line(depth, "scf.if %flag {")
            self.body(depth + 1, buffers, ops // 2)
            self.lines.append("  " * depth + "} else {")
            self.body(depth + 1, buffers, ops - ops // 2)
        self.lines.append("  " * depth + "}")

    def text(self):
        self.body(1, [], self.left)
        return "\n".join(
            [
                "func.func @large(%flag: i1) {",
                "  %zero = arith.constant 0 : index",
                "  %unit = arith.constant 1 : index",
                "  %ten = arith.constant 10 : index",
                "  %one = arith.constant 1.0 : f32",
            ]
            + self.lines
            + ["  return", "}", ""]
        )


def kind(buffer):
    return f"memref<{buffer[1]}xf32>"


def generate(shape, ops, seed=0):
    return Writer(ops, shape == "nested", seed).text()


if __name__ == "__main__":
    if len(sys.argv) < 3 or sys.argv[1] not in ("straight", "nested"):
        sys.exit(__doc__)
    seed = int(sys.argv[3]) if len(sys.argv) > 3 else 0
    sys.stdout.write(generate(sys.argv[1], int(sys.argv[2]), seed))
