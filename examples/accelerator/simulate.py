# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs a planned program on bytes of memory, both cores in step.

What an op has started may happen at any time up to the next barrier, and the
cores may do their parts of a step in either order: `late` and `order` choose.
"""

import re
from array import array

from npu import TILE_ROWS, ELEMENT_BYTES

OP = re.compile(r'^\s*(?:(%\w+) = )?"([\w.]+)"\(([^)]*)\)(?: <?\{(.*?)\}>?)? : ')
WIDTH = re.compile(r"<(\d+)x(\d+)xi32")


class Program:
    """The ops of each core and the address of each buffer."""

    def __init__(self, text, addresses):
        self.addresses = dict(addresses)
        self.widths = {}
        self.cores = {0: [[]], 1: [[]]}
        core = None
        for line in text.splitlines():
            core = 1 if '"scf.if"' in line else 0 if "}, {" in line else core
            match = OP.match(line)
            if not match:
                continue
            result, name, operands, attributes = match.groups()
            operands = operands.split(", ") if operands else []
            if name in ("npu.alloc", "npu.panel"):
                self.addresses[result] = int(
                    re.search(r"berth\.address = (\d+)", attributes).group(1))
            elif name == "npu.barrier":
                self.cores[core].append([])
            elif name.startswith("npu."):
                shapes = WIDTH.findall(line)
                row = re.search(r"row = (\d+)", attributes or "")
                self.cores[core][-1].append(
                    (name, operands, [tuple(map(int, s)) for s in shapes],
                     int(row.group(1)) if row else 0))


class Memory:
    """32-bit words by address; what nobody wrote is garbage."""

    def __init__(self):
        self.words = {}

    def read(self, address, count):
        return [self.words.get(address + ELEMENT_BYTES * i, 0x5A5A5A)
                for i in range(count)]

    def write(self, address, words):
        for i, word in enumerate(words):
            self.words[address + ELEMENT_BYTES * i] = word


def _perform(program, memory, op):
    name, operands, shapes, row = op
    at = [program.addresses[o] for o in operands]
    if name == "npu.load_panel":
        memory.write(at[1], memory.read(at[0], shapes[0][0] * shapes[0][1]))
    elif name == "npu.load":
        count = TILE_ROWS * shapes[0][1]
        start = at[0] + row * shapes[0][1] * ELEMENT_BYTES
        memory.write(at[1], memory.read(start, count))
    elif name == "npu.store":
        count = TILE_ROWS * shapes[0][1]
        start = at[1] + row * shapes[1][1] * ELEMENT_BYTES
        memory.write(start, memory.read(at[0], count))
    else:
        (m, k), (_, n) = shapes[0], shapes[1]
        memory.write(at[2], matmul_relu(memory.read(at[0], m * k),
                                        memory.read(at[1], k * n), m, k, n))


def matmul_relu(rows, weights, m, k, n):
    columns = [weights[j::n] for j in range(n)]
    return [max(0, sum(map(int.__mul__, rows[i * k:i * k + k], column)))
            for i in range(m) for column in columns]


def run(program, memory, late, order):
    """Step by step; what goes on in one happens at its start or at its end."""
    for step in range(len(program.cores[0])):
        for core in order:
            for op in program.cores[core][step]:
                if not late:
                    _perform(program, memory, op)
        if late:
            for core in order:
                for op in program.cores[core][step]:
                    _perform(program, memory, op)


def words_to_bytes(words):
    return array("i", words).tobytes()
