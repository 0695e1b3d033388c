# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Breaks what berth-fit has made, in one place at a time.

    python3 fit_mutants.py FIT.mlir MUTANTS.mlir      writes them, tells how many
    python3 fit_mutants.py --refused MUTANTS.mlir ERRORS   tells which were refused

Of a move (one line), of a copy between a slice and its tile, or an op that computes
again, each operand becomes each other memref of its type that is defined in front of it,
and the last scalar of its type; a move, or such a copy, also goes. The first line of a mutant, a comment, says what it is.
"""

import re
import sys

SPLIT = "// -----\n"
MEMREF = re.compile(r"(%\w+) = memref\.(?:alloc\(\)|subview %\w+).* : (?:.* to )?(memref<.*>)$")
ARGUMENT = re.compile(r"(%arg\d+): (memref<[^>]*>|i32)")
SCALAR = re.compile(r"(%\w+) = arith\..* : (i32)$")


def operands(line):
    """(name, type) of the operands that one op prints, in order."""
    copy = re.search(r"memref\.copy (%\w+), (%\w+) .*: (memref<.*>) to (memref<.*>)$", line)
    if copy:
        return [(copy[1], copy[3]), (copy[2], copy[4])]
    found = []
    for names, types in re.findall(r"(?:ins|outs)\(([^:]*) : ([^)]*)\)", line):
        found += zip(names.split(", "), re.findall(r"memref<[^>]*>|i32", types))
    return found


def mutants(lines):
    known, inner = [], [set()]
    for i, line in enumerate(lines):
        if "func.func" in line:
            known = ARGUMENT.findall(line)
        if line.strip().startswith("}"):  # what the region defined ends with it
            known = [item for item in known if item[0] not in inner[-1]]
            inner.pop() if len(inner) > 1 else None
        kind = ("moves" if "berth.move" in line
                else "slices" if "memref.copy" in line and "berth.tile" in line
                else "computed again" if "berth.recompute" in line else None)
        if kind in ("moves", "slices"):
            yield kind, lines[:i] + lines[i + 1:]
        for name, of in operands(line) if kind else ():
            for other, its in known:
                if other != name and its == of:
                    changed = re.sub(name + r"\b", other, line, count=1)
                    yield kind, lines[:i] + [changed] + lines[i + 1:]
        new = [m.groups() for m in (MEMREF.search(line), SCALAR.search(line)) if m]
        known += new
        inner[-1].update(name for name, _ in new)
        if line.endswith("{"):
            inner.append(set())


def tell(kinds):
    print(", ".join(f"{kind} {kinds.count(kind)}"
                    for kind in ("moves", "computed again", "slices")))


def main():
    if sys.argv[1] != "--refused":
        with open(sys.argv[1], encoding="utf-8") as file:
            all_mutants = list(mutants(file.read().splitlines()))
        with open(sys.argv[2], "w", encoding="utf-8") as file:
            file.write(SPLIT.join(f"// {kind}\n" + "\n".join(lines) + "\n"
                                  for kind, lines in all_mutants))
        tell([kind for kind, _ in all_mutants])
        return
    with open(sys.argv[3], encoding="utf-8") as file:
        wrong = [int(n) for n in re.findall(r":(\d+):\d+: error:", file.read())]
    refused, line = [], 1
    with open(sys.argv[2], encoding="utf-8") as file:
        for part in file.read().split(SPLIT):
            end = line + part.count("\n")
            if any(line <= n <= end for n in wrong):
                refused.append(part.split("\n", 1)[0][3:])
            else:
                print("accepted, at line", line)
            line = end + 1
    tell(refused)


if __name__ == "__main__":
    main()
