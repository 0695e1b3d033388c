# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Holds what functions allocate after passes against what they did before.

    never-worse.py MLIR_OPT PLUGIN MODULE PASSES...

For each PASSES, a pipeline on the module: no function may have allocations of more
bytes than before, each size rounded up to the alignment of its elements or of its
own attribute. It shares no code with Berth: it reads the generic text before and
after. Counted are memref.alloc and memref.alloca of static shape, wherever they stand
in a function, and berth.arena_size instead, where allocations only have places
(arena=annotate).

A buffer that turns of a loop make anew has one allocation and as many instances as
are alive at a time, so each op that chooses among n slots (berth.turns = n) may
add n - 1 of its size.

Prints for each pipeline how many functions take fewer bytes, as many, and more;
the status is 1 if some take more.
"""

import re
import subprocess
import sys

FUNCTION = re.compile(r'"func\.func"\(\) <\{.*?sym_name = "([^"]+)"')
ALLOCATION = re.compile(r'(%[\w.$-]+) = "memref\.alloca?"\(')
VIEW = re.compile(r'"memref\.view"\((%[\w.$-]+)')
MEMREF = re.compile(r"memref<((?:\d+x)*)([a-z]+)(\d*)[,>]")
ALIGNMENT = re.compile(r"alignment = (\d+)")
TURNS = re.compile(r"berth\.turns = (\d+)")
ARENA = re.compile(r"berth\.arena_size = (\d+)")


def byte_size(text, rounds):
    """Of the last memref type of a line, or 0 if it is not static."""
    found = MEMREF.findall(text.rsplit("->", 1)[-1])
    if not found:
        return 0
    dimensions, kind, bits = found[-1]
    element = 8 if kind == "index" else (int(bits) + 7) // 8
    size = element
    for dimension in dimensions.split("x")[:-1]:
        size *= int(dimension)
    attribute = ALIGNMENT.search(text)
    step = max(element, int(attribute.group(1)) if attribute else 1)
    return -(-size // step) * step if rounds else size


def functions(text):
    """Name -> (bytes allocated, bytes that slots may add), of generic text."""
    bodies, name = {}, None
    for line in text.splitlines():
        function = FUNCTION.search(line)
        name = function.group(1) if function else name
        bodies.setdefault(name, []).append(line)
    return {name: measure(lines) for name, lines in bodies.items() if name}


def measure(lines):
    text = "\n".join(lines)
    viewed = set(VIEW.findall(text))
    places = ARENA.search(text)
    allocated = slots = 0
    for line in lines:
        allocation, turns = ALLOCATION.search(line), TURNS.search(line)
        if allocation:
            allocated += byte_size(line, allocation.group(1) not in viewed)
        if turns:
            slots += (int(turns.group(1)) - 1) * byte_size(line, True)
    return int(places.group(1)) if places else allocated, slots


def run(mlir_opt, plugin, module, passes):
    command = [mlir_opt, f"--load-pass-plugin={plugin}", "--mlir-print-op-generic",
               f"--pass-pipeline=builtin.module({passes})", module]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"never-worse: the passes fail: {passes}\n{done.stderr[-2000:]}")
    return functions(done.stdout)


def main():
    mlir_opt, plugin, module, *pipelines = sys.argv[1:]
    before = run(mlir_opt, plugin, module, "")
    is_worse = False
    for passes in pipelines:
        counts = [0, 0, 0]
        for name, (after, slots) in run(mlir_opt, plugin, module, passes).items():
            if name not in before:
                continue
            had = before[name][0] + slots
            counts[(after > had) - (after < had) + 1] += 1
            if after > had:
                print(f"{name} takes {after} bytes, and took {had}, after {passes}")
        print(f"{counts[0]} fewer, {counts[1]} equal, {counts[2]} more: {passes}")
        is_worse |= counts[2] > 0
    return is_worse


if __name__ == "__main__":
    sys.exit(main())
