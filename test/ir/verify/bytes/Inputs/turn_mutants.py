# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Breaks what berth-fit has made of tiles that turns take, in one place at a time.

    python3 turn_mutants.py FIT.mlir MUTANTS.mlir      writes them, tells how many

Of a view of one of two tiles (`alloc`) or of the slice that moves, the number or the
subscript becomes every other one of its type around it; what a loop of such begins or
goes on with is exchanged, two at a time; a start or a wait goes. fit_mutants.py --refused
reads what comes of it.
"""

import re
import sys

SPLIT = "// -----\n"
VIEW = re.compile(r"(%\w+) = memref\.subview (%\w+)\[(%\w+(?:#\d+)?)")
INDEX = re.compile(r"(%\w+) = (?:arith\.constant \d+ : index|arith\.addi .* : index)")
LOOP = re.compile(r"scf\.for (%\w+) = .* iter_args\((.*)\) -> \((.*)\)")


def moving(lines):
    """The lines of the views that a start moves from or to."""
    found = set()
    for i, line in enumerate(lines):
        if "memref.dma_start" in line:
            for name in re.findall(r"(%\w+)\[", line.split(", %alloca")[0]):
                found.add(next((k for k in range(i - 1, -1, -1)
                                if lines[k].strip().startswith(f"{name} = ")), -1))
    return found


def swapped(items):
    for a in range(len(items)):
        for b in range(a):
            if items[a] != items[b]:
                other = list(items)
                other[a], other[b] = other[b], other[a]
                yield other


def mutants(lines):
    pairs = {m[1] for m in (re.match(r" *(%\w+) = .*berth.tile_turns", line)
                            for line in lines) if m}
    moved, known, inner, ends = moving(lines), [], [[]], []
    for i, line in enumerate(lines):
        if line.strip().startswith("}"):
            inner.pop()
        known = [name for names in inner for name in names]
        view, loop = VIEW.search(line), LOOP.search(line)
        if view and (view[2] in pairs or i in moved):
            kind = "numbers" if view[2] in pairs else "slices"
            for other in known:
                if other != view[3]:
                    new = line.replace(f"{view[2]}[{view[3]}", f"{view[2]}[{other}")
                    yield kind, lines[:i] + [new] + lines[i + 1:]
        if loop:
            names = [item.split(" = ") for item in loop[2].split(", ")]
            for order in swapped([value for _, value in names]):
                new = ", ".join(f"{name} = {value}" for (name, _), value in zip(names, order))
                yield "carried", lines[:i] + [line.replace(loop[2], new)] + lines[i + 1:]
        if "scf.yield %" in line:
            head, values = line.split("scf.yield ")
            values, types = values.split(" : ")
            for order in swapped(values.split(", ")):
                new = f"{head}scf.yield {', '.join(order)} : {types}"
                yield "carried", lines[:i] + [new] + lines[i + 1:]
        if "memref.dma_" in line:
            yield "dropped", lines[:i] + lines[i + 1:]
        index = INDEX.search(line)
        if index:
            inner[-1].append(index[1])
        results = re.match(r" *(%\w+):(\d+) = scf\.for", line)
        if results:
            ends.append((len(inner), [f"{results[1]}#{k}" for k in range(int(results[2]))]))
        if line.endswith("{"):
            inner.append([])
            if loop:
                inner[-1] += [loop[1]] + [name for name, _ in names]
        if ends and line.strip() == "}" and ends[-1][0] == len(inner):
            inner[-1] += ends.pop()[1]


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        every = list(mutants(file.read().splitlines()))
    with open(sys.argv[2], "w", encoding="utf-8") as file:
        file.write(SPLIT.join(f"// {kind}\n" + "\n".join(lines) + "\n"
                              for kind, lines in every))
    kinds = [kind for kind, _ in every]
    print(", ".join(f"{kind} {kinds.count(kind)}"
                    for kind in ("numbers", "slices", "carried", "dropped")))


if __name__ == "__main__":
    main()
