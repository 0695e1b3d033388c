# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random programs of cores and units, planned, and held against every order in
which their accesses may happen.

    python3 cores-random.py BERTH-OPT FOLDER SEEDS [OPTIONS-OF-BERTH-ARENA]

A program has branches of cores, loops of constant turns, barriers anywhere and in
called functions, ops on units (issued by each core, or once), pending ones, and
tokens where one program runs alone. It runs twice in a row. A read is wrong if a
write to another buffer with some of its bytes may come between the write whose
value it wants and itself: if that write is surely neither before the one nor behind
the other. What surely comes before what is told by barriers, tokens and the order
of one core or of one unit alone, with no code of Berth. Exits with 1 if some read is wrong,
or shared bytes where barriers do not match.
"""

import collections
import json
import pathlib
import random
import re
import subprocess
import sys

PROGRAMS = 24  # a seed
SIZE = 16
TYPE = 'memref<16xi8, "L1">'
HEAD = f"""func.func private @core_number() -> i32
func.func @sync() {{
  "npu.barrier"() : () -> ()
  return
}}
func.func @layer(%a: {TYPE}) {{
  "npu.write"(%a) : ({TYPE}) -> ()
  "npu.barrier"() : () -> ()
  "npu.read"(%a) : ({TYPE}) -> ()
  return
}}
"""

Kind = collections.namedtuple("Kind", "cores units once pending tokens uneven")
# `start` and `end` are (barriers before it, ops of this core before it).
Access = collections.namedtuple("Access", "runner start end writes buffer run")


def draw_kind(seed):
    alone = seed % 4 == 3
    return Kind(cores=1 if alone else 2 + seed % 2, units=seed % 4 != 0 or seed % 8 == 4,
                once=seed % 8 in (1, 2), pending=seed % 3 == 2, tokens=alone,
                uneven=seed % 5 == 4)


class Program:
    def __init__(self, rng, kind):
        self.rng, self.kind = rng, kind
        self.buffers = [f"b{i}" for i in range(rng.randint(3, 6))]
        # Some leave nearly all to one unit, or write what nobody reads.
        self.busy = rng.choice([0.35, 0.95])
        self.names = rng.choice([["dma"], ["dma", "engine"]])
        self.reads = rng.choice([0.2, 0.5])
        cores = list(range(kind.cores))
        self.body = sum((self.block(0, cores) for _ in range(rng.randint(2, 5))), [])
        self.body.append(("barrier",))

    def ops(self, count, barriers):
        items = [self.op() for _ in range(count)]
        for _ in range(barriers):
            item = ("barrier",) if self.rng.random() < 0.6 else ("call",)
            items.insert(self.rng.randint(0, len(items)), item)
        if self.kind.tokens and self.rng.random() < 0.4:
            first = self.rng.randint(0, len(items))
            buffer, number = self.rng.choice(self.buffers), self.rng.randrange(10**6)
            items.insert(first, ("start", buffer, number))
            items.insert(self.rng.randint(first + 1, len(items)), ("wait", buffer, number))
        return items

    def op(self):
        unit = self.rng.choice(self.names) \
            if self.kind.units and self.rng.random() < self.busy else ""
        pending = self.kind.pending and self.rng.random() < 0.15
        access = "read" if self.rng.random() < self.reads else "write"
        return (access, self.rng.choice(self.buffers),
                unit, pending)

    def block(self, depth, cores):
        choice = self.rng.random()
        if depth < 2 and choice < 0.35 and len(cores) > 1:
            barriers = self.rng.randint(0, 3)
            others = self.rng.randint(0, 3) \
                if self.kind.uneven and self.rng.random() < 0.2 else barriers
            return self.split(cores, barriers, others)
        if depth < 2 and choice < 0.6:
            body = sum((self.block(depth + 1, cores)
                        for _ in range(self.rng.randint(1, 2))), [])
            return [("for", self.rng.randint(0, 3), body)]
        if choice < 0.7:
            return [("layer", self.rng.choice(self.buffers))]
        return self.ops(self.rng.randint(1, 3), self.rng.randint(0, 2))

    def split(self, cores, barriers, others):
        core = self.rng.choice(cores)
        return [("if", core, self.ops(self.rng.randint(0, 3), barriers),
                 self.arm([c for c in cores if c != core], others))]

    def arm(self, cores, barriers):
        if len(cores) > 1 and self.rng.random() < 0.5:
            return self.split(cores, barriers, barriers)
        if barriers and self.rng.random() < 0.3:
            return [("for", barriers, self.ops(self.rng.randint(1, 2), 1))]
        return self.ops(self.rng.randint(0, 3), barriers)

    def text(self, name):
        lines = [f"func.func @{name}() {{", "%core = call @core_number() : () -> i32"]
        for i in range(4):
            lines += [f"%k{i} = arith.constant {i} : i32", f"%i{i} = arith.constant {i} : index",
                      f"%is{i} = arith.cmpi eq, %core, %k{i} : i32"]
        lines += [f'%{b} = memref.alloc() {{tag = "{b}"}} : {TYPE}' for b in self.buffers]
        self.print(self.body, lines)
        return "\n".join(lines + ["return", "}", ""])

    def print(self, items, lines):
        for item in items:
            what = item[0]
            if what == "barrier":
                lines.append('"npu.barrier"() : () -> ()')
            elif what == "call":
                lines.append("func.call @sync() : () -> ()")
            elif what == "layer":
                lines.append(f"func.call @layer(%{item[1]}) : ({TYPE}) -> ()")
            elif what == "start":
                lines.append(f'%t{item[2]} = "npu.start"(%{item[1]}) : ({TYPE}) -> !npu.token')
            elif what == "wait":
                lines.append(f'"npu.wait"(%t{item[2]}) : (!npu.token) -> ()')
            elif what == "if":
                lines.append(f"scf.if %is{item[1]} {{")
                self.print(item[2], lines)
                lines.append("} else {")
                self.print(item[3], lines)
                lines.append("}")
            elif what == "for":
                lines.append(f"scf.for %turn{len(lines)} = %i0 to %i{item[1]} step %i1 {{")
                self.print(item[2], lines)
                lines.append("}")
            else:
                words = [f'berth.unit = "{item[2]}"'] if item[2] else []
                words += ["berth.once"] if item[2] and self.kind.once else []
                words += ["berth.pending"] if item[3] else []
                lines.append(f'"npu.{what}"(%{item[1]}) {{{", ".join(words)}}} : ({TYPE}) -> ()')

    def run_of(self, core):
        """What a core comes to, in order, and whether it issues it."""
        found = []

        def walk(items, cores):
            for item in items:
                if item[0] == "if":
                    others = [c for c in cores if c != item[1]]
                    walk(item[2] if core == item[1] else item[3],
                         [core] if core == item[1] else others)
                elif item[0] == "for":
                    for _ in range(item[1]):
                        walk(item[2], cores)
                elif item[0] == "layer":
                    found.extend([("write", item[1], "", False), ("barrier",),
                                  ("read", item[1], "", False)])
                elif item[0] not in ("read", "write") or not item[2] \
                        or not self.kind.once or core == min(cores):
                    found.append(item)

        walk(self.body, list(range(self.kind.cores)))
        return found

    def accesses(self):
        """Those of two runs, or None where the cores do not match."""
        runs = [self.run_of(core) for core in range(self.kind.cores)]
        meets = [sum(item[0] in ("barrier", "call") for item in run) for run in runs]
        if len(set(meets)) > 1:
            return None
        found = []
        for core, items in enumerate(runs):
            phase = place = 0
            started = {}
            for run in range(2):
                for item in items:
                    place += 1
                    here = (phase, place)
                    if item[0] in ("barrier", "call"):
                        phase += 1
                    elif item[0] == "start":
                        started[item[2]] = here
                    elif item[0] == "wait":
                        found.append(Access((core, ""), started[item[2]], here, True,
                                            item[1], run))
                    else:
                        end = (phase, float("inf")) if item[3] else here
                        found.append(Access((core, item[2]), here, end,
                                            item[0] == "write", item[1], run))
        return found


def before(a, b):
    return a.end[0] < b.start[0] or (a.runner == b.runner and a.end < b.start)


def judge(accesses, offsets):
    """What is wrong with the places, or None."""
    def shares(a, b):
        return a != b and a in offsets and b in offsets \
            and abs(offsets[a] - offsets[b]) < SIZE

    if accesses is None:
        clash = [(a, b) for a in offsets for b in offsets if shares(a, b)]
        return f"{clash[0]} share, and barriers do not match" if clash else None
    writes = [a for a in accesses if a.writes]
    for read in accesses:
        others = [w for w in writes if shares(w.buffer, read.buffer)]
        if read.writes or not others:
            continue
        own = [w for w in writes if w.buffer == read.buffer and w.run == read.run
               and not before(read, w)]
        for wanted in own:
            if any(before(wanted, w) and before(w, read) for w in own):
                continue
            for other in others:
                if not before(other, wanted) and not before(read, other):
                    return f"{read} wants {wanted}, but {other} may come between"
    return None


def offsets_of(text):
    """By function and buffer."""
    found = {}
    for line in text.splitlines():
        head = re.search(r"func\.func @p(\d+)\(", line)
        if head:
            places = found.setdefault(int(head.group(1)), {})
        place = re.search(r'berth\.offset = (\d+) .*tag = "(\w+)"', line)
        if place:
            places[place.group(2)] = int(place.group(1))
    return found


def target(kind):
    number = {"name": "core_number"}
    if kind.cores > 1:
        number["cores"] = kind.cores
    return {"ops": [{"name": "npu.barrier", "barrier": True},
                    {"name": "npu.read", "reads": [0]}, {"name": "npu.write", "writes": [0]},
                    {"name": "npu.start", "writes": [0], "token": 0, "unit": "dma"},
                    {"name": "npu.wait", "waits": [0]}],
            "types": [{"name": "npu.token"}],
            "memories": [{"space": "L1", "start": 0}], "functions": [number]}


def main():
    opt, folder, seeds = sys.argv[1], pathlib.Path(sys.argv[2]), sys.argv[3]
    options = sys.argv[4] if len(sys.argv) > 4 else ""
    folder.mkdir(exist_ok=True)
    first, last = (int(word) for word in seeds.split("-"))
    counts = collections.Counter()
    wrong = 0
    for seed in range(first, last + 1):
        rng, kind = random.Random(seed), draw_kind(seed)
        programs = [Program(rng, kind) for _ in range(PROGRAMS)]
        (folder / "target.json").write_text(json.dumps(target(kind)))
        text = HEAD + "".join(p.text(f"p{i}") for i, p in enumerate(programs))
        (folder / "programs.mlir").write_text(text)
        planned = subprocess.run(
            [opt, str(folder / "programs.mlir"), f"--berth-target={folder}/target.json",
             f"--pass-pipeline=builtin.module(berth-arena{{space=L1 arena=annotate {options}}})"],
            capture_output=True, text=True, check=False)
        if planned.returncode:
            print(f"seed {seed}: {planned.stderr[:2000]}")
            return 1
        for i, places in offsets_of(planned.stdout).items():
            fault = judge(programs[i].accesses(), places)
            counts["programs"] += 1
            counts["buffers"] += len(places)
            counts["shared"] += len(set(places.values())) < len(places)
            wrong += fault is not None
            if fault:
                print(f"seed {seed}, program p{i}: {fault}")
    print("{programs} programs, {buffers} buffers placed, {shared} programs share"
          .format(**counts))
    return wrong > 0


sys.exit(main())
