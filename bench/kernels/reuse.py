#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Shared memory and barriers of small kernels, beside what other compilers take.

    python3 bench/kernels/reuse.py [--build BUILD] [--print NAME]

The kernels are written here, with the buffers, orders and branches of public tests:

    triton  triton-lang/triton, test/Analysis/test-allocation.mlir and test-membar.mlir.
            `theirs` are the bytes and barriers that these tests expect, the former as of
            commit 6da8a386, the latter of 0202b1d9. Where a buffer is given up there, it is
            read here. `bytes` is compared in the former, `barriers` in the latter, which
            tell nothing of bytes.
    iree    iree-org/iree, gpu_reuse_shared_memory_allocs.mlir. `theirs` is computed here as
            its pass does it: the interval of a buffer is from the first to the last op of the
            function's body that uses it or holds a use; buffers whose intervals meet, over
            others too, are one group and lie side by side, and each group begins at 0 behind a
            barrier of its own.
    wave    iree-org/wave: attention, with the tiles of its minimize_shared_allocs.py; the other
            kernels are of our own. `theirs` is computed as its pass does it: intervals of
            first and last uses in the order of the text, loops included; the largest first,
            each at the lowest offset at which it meets none whose interval meets its own; a
            barrier in front of the first use of each buffer that lies where another one was,
            unless one stands between it and the last use of the buffer before. With a branch
            it leaves all buffers apart.

The other columns are what berth-arena takes by default, and in the last two with
barriers=existing: `bytes` and `barriers` where none is inserted ("-": without one a buffer
must not be placed at all). Barriers are those that the
kernel has, for what is written to a buffer to be read by others, and those that the pass
inserts. Where `theirs` has none between two turns of a loop, that is as the pass does it.
"""

import argparse
import json
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

from berthbench import Failure, mlir_opt, print_table

# Steps of a kernel. A loop may carry buffers: [(name in it, what it begins with)], and
# what is handed on; a branch may choose one: (name, of the first way, of the second one).
BARRIER = ("barrier",)


def write(*names):
    return [("write", name) for name in names]


def read(*names):
    return [("read", name) for name in names]


def cat(target, *sources):
    """The sources are held until the target is there."""
    return write(target) + read(*sources)


def loop(*body, carries=(), hands=()):
    return [("loop", flat(body), list(carries), list(hands))]


def branch(then, other=(), chooses=None):
    return [("branch", flat(then), flat(other), chooses)]


def flat(parts):
    steps = []
    for part in parts:
        steps += [part] if isinstance(part, tuple) else flat(part)
    return steps


def used(*names):
    """Written, and read by others."""
    return flat([write(*names), BARRIER, read(*names)])


# Name, source, buffers with bytes, steps, what the source expects: bytes, barriers.
def triton_cases():
    k = 1024
    tiles = {"a": 8 * k, "b": 8 * k, "c": 8 * k}
    three = [("a1", "a"), ("b1", "b"), ("c1", "c")]
    yield ("matmul loop", {"a": 4608, "b": 4224}, loop(used("a"), used("b")), 4608, None)
    yield (
        "reusable",
        {"a": 4608, "b": 1152, "c": 4608, "d": 1152},
        [used("a"), used("b"), used("c"), used("d")],
        4608,
        None,
    )
    sizes = {"k0": 512, "k1": 512, "k2": 512, "a": k, "b": k, "c": k, "k4": k}
    sizes |= {"e": 2 * k, "d": 2 * k, "f": 2 * k, "k5": 2 * k}
    sizes |= {"g": 4 * k, "h": 4 * k, "i": 4 * k}
    steps = [write("k0", "k1", "k2"), cat("a", "k0", "k1"), cat("b", "k0", "k2")]
    steps += [cat("c", "k1", "k2"), write("k4"), cat("e", "a", "k4"), cat("d", "b", "k4")]
    steps += [cat("f", "c", "k4"), write("k5"), cat("g", "e", "k5"), cat("h", "d", "k5")]
    yield "preallocate", sizes, steps + [cat("i", "f", "k5")], 12288, None
    yield "unused", {"k0": k, "k1": 512, "k2": 512}, write("k0", "k1", "k2"), 1024, None
    sizes = {"k0": 512, "k1": 512, "k2": 512, "a": k, "k3": 512, "k4": 512, "b": k}
    sizes |= {"k5": 512, "k6": 512, "c": k, "d": k}
    steps = [write("k0", "k1", "k2"), cat("a", "k1", "k2"), write("k3", "k4")]
    steps += [cat("b", "k3", "k4"), write("k5", "k6"), cat("c", "k3", "k4")]
    yield "long live", sizes, steps + [cat("d", "k0")], 2560, None
    sizes = {"k": 64, "k0": 32, "k1": 128, "s0": 1152, "k3": 128, "s1": 1152, "k4": 256}
    sizes |= {"k5": 64, "k6": 512, "k7": 128, "k8": 512, "k9": 32, "k10": 512, "s2": 1152}
    steps = [write("k", "k0", "k1"), used("s0"), read("k"), write("k3"), read("k0")]
    steps += [used("s1"), write("k4", "k5"), read("k5"), write("k6", "k7"), read("k0")]
    steps += [write("k8", "k9", "k10"), read("k1", "k4"), used("s2"), read("k7")]
    yield "multi color", sizes, steps, 1504, None
    sizes = {"k": 32, "k0": 128, "k1": 8 * k, "s0": 1152, "k3": 128, "k4": 512, "s1": 1152}
    steps = [write("k", "k0", "k1"), used("s0"), read("k"), write("k3"), read("k")]
    steps += [write("k4"), read("k0", "k1"), used("s1"), read("k3")]
    yield "multi color, rounds", sizes, steps, 9504, None
    yield "alloc", {"a": 512, "b": 512}, [write("a"), write("b")], 512, None
    yield "dealloc", {"a": k, "b": k}, [write("a", "b"), read("a")], 2048, None
    yield "atomic scalar", {"a": 8 * k, "s": 4}, [write("a"), used("s"), read("a")], 8196, None
    yield "branches", {"a": 512, "b": k}, branch(write("a"), write("b")), 1024, None
    sizes = {"k0": 512, "k1": 512, "a": k, "b": k, "k2": 512, "k3": 512, "c": k}
    then = [write("a"), cat("b", "k0", "k1")]
    steps = [write("k0", "k1"), branch(then), write("k2", "k3"), cat("c", "k2", "k3")]
    yield "if", sizes, steps, 2048, None
    other = [write("k2", "k3"), cat("c", "k2", "k3")]
    then = write("a", "b")
    steps = [write("k0", "k1"), branch(then, other), cat("d", "k0", "k1")]
    yield "if else", sizes | {"d": k}, steps, 3072, None
    body = loop(read("a1"), carries=three, hands=["b1", "a1", "a1"])
    yield "for", tiles, [write("a", "b", "c"), body], 24576, None
    body = loop(branch(read("a1")), carries=three, hands=["b1", "a1", "a1"])
    yield "for if slice", tiles, [write("a", "b", "c"), body], 24576, None
    body = loop(read("c", "a1"), write("d"), carries=three[:2], hands=["b1", "a1"])
    yield "for use ancestor", tiles | {"d": 8 * k}, [write("a", "b", "c"), body], 32768, None

    a, b = {"a": 8 * k}, {"b": 8 * k}
    yield "raw single block", a, used("a"), None, 1
    yield "war single block", a | b, [used("a"), write("b")], None, 2
    yield "war local store", a, [used("a"), BARRIER, write("a")], None, 2
    yield "scratch behind load", {"a": 512, "s": 512}, [used("a"), write("s")], None, 2
    yield "subview", {"a": k, "b": 512}, [used("a"), write("b")], None, 2
    steps = [write("a"), branch([BARRIER, read("a")], write("b")), BARRIER, read("a")]
    yield "multi blocks", a | b, steps, None, 2
    both = [BARRIER, read("a")]
    steps = [write("a"), branch(both, both), read("a")]
    yield "multi blocks join", a, steps, None, 2
    way = branch(both + write("b"), both + write("c"), chooses=("p", "b", "c"))
    steps = [write("a"), way, read("a"), BARRIER, read("p")]
    yield "multi blocks yield", tiles, steps, None, 3
    way = branch(used("b") + write("c"), write("d"), chooses=("p", "c", "d"))
    steps = [write("a"), way, BARRIER, read("p")]
    yield "multi blocks no entry", tiles | {"d": 8 * k}, steps, None, 4
    steps = [write("a"), branch(both), BARRIER, read("a")]
    yield "multi blocks no else", a, steps, None, 2
    steps = [write("a"), branch(branch(both), both), BARRIER, read("a")]
    yield "multi blocks nested", a, steps, None, 3
    body = loop(BARRIER, read("a1", "b1"), carries=three, hands=["b1", "a1", "a1"])
    yield "for, carried", tiles, [write("a", "b", "c"), body], None, 1
    body = loop(BARRIER, read("a1", "b1"), carries=three, hands=["c1", "a1", "b1"])
    steps = [used("a", "b"), write("z", "c"), body, BARRIER, read("z")]
    yield "for alias", tiles | {"z": 8 * k}, steps, None, 3


def iree_cases():
    sizes = {"a": 512, "b": 1024, "c": 128}
    body = loop(write("a", "b"), BARRIER, read("a", "b"), BARRIER)
    yield "disjoint", sizes, [body, used("c")]
    yield "joint", sizes, [body, used("c"), read("b")]
    six = {name: 512 for name in "abcdef"}
    yield "view like ops", six, [used(name) for name in six]
    sizes = {"a": 512, "b": 512, "c": 128}
    chosen = branch([], [], chooses=("p", "a", "b"))
    yield "select by branch", sizes, [chosen, used("p"), used("c")]
    yield "buffers in branches", sizes, [branch(used("a"), used("b")), used("c")]


def wave_cases():
    yield "attention", {"k": 8704, "v": 8704}, loop(used("k"), used("v"))
    yield "chained gemm", {"a": 4608, "b": 4608, "p": 9216}, [
        loop(used("a"), used("b")),
        used("p"),
    ]
    sizes = {"a": 2048, "b": 1024, "c": 3072, "d": 1024, "e": 2048}
    steps = [write("a", "b"), BARRIER, read("a"), write("c"), BARRIER, read("b")]
    steps += [write("d"), BARRIER, read("c", "d"), used("e")]
    yield "overlapping", sizes, steps
    yield "with a branch", sizes, [branch(used("a"), used("b")), used("c"), used("d", "e")]


# The kernel in MLIR


class Kernel:
    def __init__(self, sizes, steps):
        self.sizes, self.lines, self.number = sizes, [], 0
        self.place = {}
        self.find(flat([steps]), ())
        self.allocate(())
        self.steps(flat([steps]), ())

    def find(self, steps, path):
        """Finds the innermost body that holds all uses of each buffer."""
        for i, step in enumerate(steps):
            if step[0] in ("write", "read"):
                self.use(step[1], path)
            elif step[0] == "loop":
                for _, start in step[2]:
                    self.use(start, path)
                self.find(step[1], path + (i,))
            elif step[0] == "branch":
                for name in (step[3] or ())[1:]:
                    self.use(name, path)
                self.find(step[1], path + (i, 0))
                self.find(step[2], path + (i, 1))

    def use(self, name, path):
        if name not in self.sizes:
            return
        old = self.place.get(name, path)
        common = 0
        while common < min(len(old), len(path)) and old[common] == path[common]:
            common += 1
        self.place[name] = path[:common]

    def type(self, name):
        size = self.sizes.get(name) or self.sizes[next(iter(self.sizes))]
        return f"memref<{size}xi8, #gpu.address_space<workgroup>>"

    def new(self):
        self.number += 1
        return f"%v{self.number}"

    def allocate(self, path):
        for name, place in self.place.items():
            if place == path:
                self.lines.append(f"%{name} = memref.alloc() : {self.type(name)}")

    def steps(self, steps, path):
        for i, step in enumerate(steps):
            if step[0] == "barrier":
                self.lines.append("gpu.barrier")
            elif step[0] == "write":
                self.lines.append(f"memref.store %value, %{step[1]}[%tid] : {self.type(step[1])}")
            elif step[0] == "read":
                value = self.new()
                self.lines.append(f"{value} = memref.load %{step[1]}[%other] : {self.type(step[1])}")
                self.lines.append(f"memref.store {value}, %out[%tid] : memref<?xi8>")
            elif step[0] == "loop":
                self.loop(step, path + (i,))
            else:
                self.branch(step, path + (i,))

    def loop(self, step, path):
        _, body, carries, hands = step
        types = ", ".join(self.type(start) for _, start in carries)
        head = f"scf.for {self.new()} = %zero to %turns step %one"
        if carries:
            pairs = ", ".join(f"%{name} = %{start}" for name, start in carries)
            head = f"{self.new()}:{len(carries)} = {head} iter_args({pairs}) -> ({types})"
        self.lines.append(head + " {")
        self.allocate(path)
        self.steps(body, path)
        if carries:
            values = ", ".join(f"%{name}" for name in hands)
            self.lines.append(f"scf.yield {values} : {types}")
        self.lines.append("}")

    def branch(self, step, path):
        _, then, other, chooses = step
        head = "scf.if %is"
        if chooses:
            head = f"%{chooses[0]} = {head} -> ({self.type(chooses[1])})"
        self.lines.append(head + " {")
        for way, steps in enumerate((then, other)):
            if way == 1 and not steps and not chooses:
                continue
            if way == 1:
                self.lines.append("} else {")
            self.allocate(path + (way,))
            self.steps(steps, path + (way,))
            if chooses:
                name = chooses[1 + way]
                self.lines.append(f"scf.yield %{name} : {self.type(name)}")
        self.lines.append("}")

    def text(self):
        head = [
            "gpu.module @kernels {",
            "gpu.func @kernel(%out: memref<?xi8>, %value: i8, %turns: index, %is: i1) kernel {",
            "%zero = arith.constant 0 : index",
            "%one = arith.constant 1 : index",
            "%tid = gpu.thread_id x",
            "%size = gpu.block_dim x",
            "%last = arith.subi %size, %one : index",
            "%other = arith.subi %last, %tid : index",
        ]
        return "\n".join(head + self.lines + ["gpu.return", "}", "}"]) + "\n"


def plan(build, text, barriers):
    _, report = mlir_opt(text, f"berth-arena{{report=- barriers={barriers}}}", build)
    kernel = json.loads(report[report.index("{") :].splitlines()[0])
    if kernel["placed"] != kernel["buffers"]:
        return None, None
    return kernel["bytes_after"], kernel["barriers"]["inserted"]


def count_barriers(steps):
    count = 0
    for step in steps:
        count += step[0] == "barrier"
        if step[0] in ("loop", "branch"):
            count += count_barriers(step[1])
        if step[0] == "branch":
            count += count_barriers(step[2])
    return count


# What other passes would do


def names_in(step, sizes, aliases):
    """The buffers that a step uses, by whatever name."""
    if step[0] in ("write", "read"):
        return [n for n in aliases.get(step[1], [step[1]]) if n in sizes]
    found = []
    for part in step[1:3] if step[0] == "branch" else step[1:2]:
        for inner in part:
            found += names_in(inner, sizes, aliases)
    return found


def aliases_of(steps):
    aliases = {}
    for step in steps:
        if step[0] == "branch" and step[3]:
            aliases[step[3][0]] = list(step[3][1:])
    return aliases


def as_iree(sizes, steps):
    aliases = aliases_of(steps)
    spans = {}
    for at, step in enumerate(steps):
        for name in names_in(step, sizes, aliases):
            first, _ = spans.get(name, (at, at))
            spans[name] = (first, at)
    groups = []
    for name, (first, last) in sorted(spans.items(), key=lambda item: item[1]):
        if groups and first <= groups[-1][1]:
            groups[-1][0] += sizes[name]
            groups[-1][1] = max(groups[-1][1], last)
        else:
            groups.append([sizes[name], last])
    return max(group[0] for group in groups), len(groups) - 1


def in_order(steps):
    """All steps in the order of the text, in loops and branches too."""
    for step in steps:
        if step[0] in ("loop", "branch"):
            for part in step[1:3] if step[0] == "branch" else step[1:2]:
                yield from in_order(part)
        else:
            yield step


def as_wave(sizes, steps):
    if any(step[0] == "branch" for step in steps):
        return sum(sizes.values()), 0
    order = list(in_order(steps))
    spans, offsets, barriers = {}, {}, 0
    for at, step in enumerate(order):
        if step[0] != "barrier":
            first, _ = spans.get(step[1], (at, at))
            spans[step[1]] = (first, at)
    for name in sorted(sizes, key=lambda n: -sizes[n]):
        offset = 0
        for other in sorted(offsets, key=offsets.get):
            meets = spans[name][0] <= spans[other][1] and spans[other][0] <= spans[name][1]
            if meets and offset + sizes[name] > offsets[other]:
                offset = max(offset, offsets[other] + sizes[other])
        offsets[name] = offset
    taken, last = [], None
    for name in sorted(sizes, key=lambda n: spans[n][0]):
        low, high = offsets[name], offsets[name] + sizes[name]
        if any(low < end and start < high for start, end in taken):
            between = order[last + 1 : spans[name][0]]
            barriers += BARRIER not in between
        taken.append((low, high))
        last = spans[name][1]
    return max(offsets[n] + sizes[n] for n in sizes), barriers


def all_cases():
    """(compiler, name, buffers, steps, their bytes, their barriers)."""
    for name, sizes, steps, size, barriers in triton_cases():
        yield "triton", name, sizes, flat([steps]), size, barriers
    for cases, rule in ((iree_cases, as_iree), (wave_cases, as_wave)):
        for name, sizes, steps in cases():
            steps = flat([steps])
            size, inserted = rule(sizes, steps)
            own = count_barriers(steps)
            yield cases.__name__[:4], name, sizes, steps, size, own + inserted


def ratio(ours, theirs):
    return f"{ours / theirs:.2f}" if theirs else "-"


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--build", default="build", help="Berth's build folder")
    parser.add_argument("--print", metavar="NAME", help="print that kernel and stop")
    args = parser.parse_args()
    header = ["kernel", "of", "buffers", "bytes", "theirs", "ratio"]
    header += ["barriers", "theirs", "ratio", "existing:", "bytes", "barriers"]
    rows, sums = [], {}
    for compiler, name, sizes, steps, size, barriers in all_cases():
        text = Kernel(sizes, steps).text()
        if args.print:
            print(text if args.print == name else "", end="")
            continue
        bytes_, inserted = plan(args.build, text, "insert")
        if bytes_ is None:
            raise Failure("a buffer is not placed")
        kept, _ = plan(args.build, text, "existing")
        own = count_barriers(steps)
        all_ = inserted + own
        row = [name, compiler, sum(sizes.values()), bytes_, size or "-", ratio(bytes_, size)]
        row += [all_, "-" if barriers is None else barriers, ratio(all_, barriers)]
        rows.append(row + (["", "-", "-"] if kept is None else ["", kept, own]))
        total = sums.setdefault(compiler, [0, 0, 0, 0])
        if size:
            total[0] += bytes_
            total[1] += size
        if barriers is not None:
            total[2] += all_
            total[3] += barriers
    for compiler, total in sums.items():
        row = ["where both are told", compiler, "", total[0], total[1], ratio(*total[:2])]
        rows.append(row + [total[2], total[3], ratio(*total[2:]), "", "", ""])
    if rows:
        print_table(header, rows)


if __name__ == "__main__":
    try:
        main()
    except Failure as failure:
        sys.exit(f"error: {failure}")
