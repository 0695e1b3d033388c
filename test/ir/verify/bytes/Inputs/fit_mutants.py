# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Breaks what berth-fit has made, in one place at a time.

    python3 fit_mutants.py FIT.mlir MUTANTS.mlir      writes them, tells how many
    python3 fit_mutants.py --refused MUTANTS.mlir ERRORS   tells which were refused

Of a move (one line), of a copy between a slice and its tile, or an op that computes
again, each operand becomes each other memref of its type that is defined in front of it,
and the last scalar of its type; a move, or such a copy, also goes. A transfer goes on two
lines, its start and its wait: of these either goes, and the wait becomes one for another
transfer. A move also stands elsewhere in its block: in front of the last write of what it
moves, or behind the first op that needs it; of a transfer, the start and the wait.
The first line of a mutant, a comment, says what it is.
"""

import re
import sys

SPLIT = "// -----\n"
MEMREF = re.compile(r"(%\w+) = memref\.(?:alloc\(\)|subview %\w+).* : (?:.* to )?(memref<.*>)$")
ARGUMENT = re.compile(r"(%arg\d+): (memref<[^>]*>|i32)")
START = re.compile(r"memref\.dma_start (%\w+)\[.*\], (%\w+)\[.*\], %\w+, (%\w+)\[.*\] : (.*)")
WAIT = re.compile(r"memref\.dma_wait (%\w+)\[(%\w+)\], (%\w+) \{(berth\.(?:move|tile))")
SCALAR = re.compile(r"(%\w+) = arith\..* : (i32)$")


def operands(line):
    """(name, type) of the operands that one op prints, in order."""
    start = START.search(line)
    if start:
        types = start[4].split(", memref")
        return [(start[1], types[0]), (start[2], "memref" + types[1])]
    copy = re.search(r"memref\.copy (%\w+), (%\w+) .*: (memref<.*>) to (memref<.*>)$", line)
    if copy:
        return [(copy[1], copy[3]), (copy[2], copy[4])]
    found = []
    for names, types in re.findall(r"(?:ins|outs)\(([^:]*) : ([^)]*)\)", line):
        found += zip(names.split(", "), re.findall(r"memref<[^>]*>|i32", types))
    return found


def ends(line):
    """What the op of a line reads and what it writes, by their names."""
    copy = re.search(r"memref\.copy (%\w+), (%\w+)", line)
    if copy:
        return {copy[1]}, {copy[2]}
    start = START.search(line)
    if start:
        return {start[1]}, {start[2]}
    groups = [[name for names in re.findall(rf"{word}\(([^:]*) :", line)
               for name in names.split(", ")] for word in ("ins", "outs")]
    freed = re.findall(r"memref\.dealloc (%\w+)", line)
    # What an op of linalg writes it may read, too.
    return set(groups[0]) | set(groups[1]), set(groups[1]) | set(freed)


def beside(lines, at, step):
    """The lines of the block above or below, as far as no region begins or ends."""
    at += step
    while 0 <= at < len(lines) and not re.search(r"[{}]$|^ *(}|return|scf.yield)", lines[at]):
        yield at
        at += step


def standing(lines, at, to):
    """The lines with one of them elsewhere: in front of the line `to`, or behind it."""
    rest = lines[:at] + lines[at + 1:]
    return rest[:to] + [lines[at]] + rest[to:]


def elsewhere(lines, at):
    """The move of the line where it is wrong, if there are such places near."""
    line = lines[at]
    wait = WAIT.search(line)
    start = next((k for k, other in enumerate(lines) if START.search(other)
                  and START.search(other)[3] == wait[1]), None) if wait else None
    source, target = ends(lines[start] if wait else line)
    above = start if wait else at
    for k in beside(lines, above, -1):
        if re.search(rf"^ *({'|'.join(source | target)}) = ", lines[k]):
            break
        if source & ends(lines[k])[1]:
            yield standing(lines, above, k)
            break
    for k in beside(lines, at, 1):
        if target & set.union(*ends(lines[k])):
            yield standing(lines, at, k)
            break


def transfers(lines, at, tags):
    """Without the start or the wait of the line, or with another's wait."""
    line = lines[at]
    wait = WAIT.search(line)
    yield lines[:at] + lines[at + 1:]
    start = next((k for k, other in enumerate(lines) if START.search(other)
                  and START.search(other)[3] == wait[1]), None)
    yield lines[:start] + lines[start + 1:]
    for tag, index, number, _ in tags:
        if tag != wait[1]:
            other = line.replace(wait[0], f"memref.dma_wait {tag}[{index}], {number} "
                                 "{" + wait[4])
            yield lines[:at] + [other] + lines[at + 1:]


def mutants(lines):
    tags = {WAIT.search(line)[1] for line in lines if WAIT.search(line)}
    every = [WAIT.search(line).groups() for line in lines if WAIT.search(line)]
    known, inner = [], [set()]
    for i, line in enumerate(lines):
        if "func.func" in line:
            known = ARGUMENT.findall(line)
        if line.strip().startswith("}"):  # what the region defined ends with it
            known = [item for item in known if item[0] not in inner[-1]]
            inner.pop() if len(inner) > 1 else None
        start = START.search(line)
        kind = ("transfers" if start and start[3] in tags
                else None if WAIT.search(line)
                else "moves" if "berth.move" in line
                else "slices" if "memref.copy" in line and "berth.tile" in line
                else "computed again" if "berth.recompute" in line else None)
        if WAIT.search(line):
            for other in transfers(lines, i, every):
                yield "transfers", other
        if "berth.move" in line or WAIT.search(line) or kind == "slices":
            for other in elsewhere(lines, i):
                yield "moved", other
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
                    for kind in ("moves", "moved", "transfers", "computed again", "slices")))


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
