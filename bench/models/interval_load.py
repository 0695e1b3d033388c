#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The load of a plain interval analysis, from MLIR's generic text on stdin.

This is the baseline that Berth's analysis is measured against, and it shares
nothing with it: it reads the output of `mlir-opt --mlir-print-op-generic` line
by line. A buffer is the result of a memref.alloc with a static shape. It lives
from its allocation to the end of the last op that uses it or a memref derived
from it; a use inside a region counts as a use by the whole op, as seen from the
block of the allocation. Deallocations are no uses. Buffers that are returned
are left out. Prints one line for each function with allocations:

    NAME allocations sum-of-sizes load

where the load is the largest sum of sizes alive at one line, each size rounded
up to the alignment of its allocation.
"""

import re
import sys

RESULTS = re.compile(r"^(%[\w$.-]+)(?::\d+)? = ")
OP_NAME = re.compile(r'"([\w.$-]+)"\(')
VALUE = re.compile(r"%[\w$.-]+")
MEMREF = re.compile(r"memref<((?:\d+x)*)([a-z]+)(\d*)[,>]")


class Op:
    def __init__(self, line, parent, name, results, operands, text):
        self.line = line
        self.end = line
        self.parent = parent
        self.name = name
        self.results = results
        self.operands = operands
        self.text = text
        self.arguments = []


def parse(stream):
    """All ops in order, each with its parent and the lines it spans."""
    ops, open_ops = [], []
    for number, raw in enumerate(stream):
        text = raw.strip()
        if text.startswith("})") or text.startswith("}, {"):
            if text.startswith("})"):
                closed = open_ops.pop()
                closed.end = number
                closed.text += " " + text
        elif text.startswith("^"):
            open_ops[-1].arguments += VALUE.findall(text)
        elif OP_NAME.search(text):
            ops.append(read_op(number, text, open_ops))
            if text.endswith("({"):
                open_ops.append(ops[-1])
    return ops


def read_op(number, text, open_ops):
    results = RESULTS.match(text)
    name = OP_NAME.search(text)
    operands = VALUE.findall(text[name.end() : text.index(")", name.end())])
    return Op(
        number,
        open_ops[-1] if open_ops else None,
        name.group(1),
        [results.group(1)] if results else [],
        operands,
        text,
    )


def byte_size(text):
    """Bytes of the last memref type in `text`, rounded to its alignment."""
    dimensions, kind, bits = MEMREF.findall(text)[-1]
    size = 8 if kind == "index" else (int(bits) + 7) // 8
    for dimension in dimensions.split("x")[:-1]:
        size *= int(dimension)
    alignment = re.search(r"alignment = (\d+)", text)
    step = int(alignment.group(1)) if alignment else 1
    return size, (size + step - 1) // step * step


def is_pointer(text):
    return "memref<" in text.rsplit("->", 1)[-1]


def aliases(ops):
    """Maps each value to the set of values that may be views of it."""
    edges = {}

    def derive(source, target):
        edges.setdefault(source, set()).add(target)

    for op in ops:
        if op.name == "memref.alloc":
            continue
        for operand in op.operands:
            base = operand.split("#")[0]
            # Everything with a memref result is a view of all its operands,
            # a region's arguments are views of its op's operands, and what a
            # region yields is a result of its op.
            if op.results and is_pointer(op.text):
                derive(base, op.results[0])
            for argument in op.arguments:
                derive(base, argument)
            if op.name == "scf.yield" and op.parent.results:
                derive(base, op.parent.results[0])
                for argument in op.parent.arguments:
                    derive(base, argument)
    return edges


def closure(start, edges):
    seen, todo = {start}, [start]
    while todo:
        for value in edges.get(todo.pop(), ()):
            if value not in seen:
                seen.add(value)
                todo.append(value)
    return seen


def ancestor_in(op, block):
    """The op that holds `op` (or is it) directly in the region of `block`."""
    while op is not None and op.parent is not block:
        op = op.parent
    return op


def function_of(op):
    while op.parent is not None and op.name != "func.func":
        op = op.parent
    return op


def intervals(ops):
    """(function, size, rounded size, first line, last line) per buffer."""
    edges = aliases(ops)
    users = {}
    for op in ops:
        for operand in op.operands:
            users.setdefault(operand.split("#")[0], []).append(op)
    for alloc in ops:
        if alloc.name != "memref.alloc" or "memref<?" in alloc.text:
            continue
        last, escapes = alloc.end, False
        for value in closure(alloc.results[0], edges):
            for user in users.get(value, ()):
                escapes |= user.name == "func.return"
                top = ancestor_in(user, alloc.parent)
                if top and not user.name.endswith("dealloc"):
                    last = max(last, top.end)
        if not escapes:
            size, rounded = byte_size(alloc.text)
            yield function_of(alloc), size, rounded, alloc.line, last


def load(spans):
    """The largest sum of sizes alive at one line; ends are inclusive."""
    events = []
    for size, first, last in spans:
        events += [(first, size), (last + 1, -size)]
    alive = most = 0
    for _, change in sorted(events):
        alive += change
        most = max(most, alive)
    return most


def main():
    functions = {}
    for function, size, rounded, first, last in intervals(parse(sys.stdin)):
        functions.setdefault(function, []).append((size, rounded, first, last))
    for function, buffers in functions.items():
        name = re.search(r'sym_name = "([^"]*)"', function.text)
        print(
            name.group(1) if name else function.name,
            len(buffers),
            sum(size for size, _, _, _ in buffers),
            load([(rounded, a, b) for _, rounded, a, b in buffers]),
        )


if __name__ == "__main__":
    main()
