# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The cheapest barriers by brute force.

  fewest.py write SEEDS CASES.mlir SUBSETS.mlir
  fewest.py check SEEDS CASES.json SUBSETS.json

`write` makes small random kernels, one for each of SEEDS (as 1-20,42): a few
buffers, straight code, loops and branches. Those with many places for barriers
are left out, as each place doubles the work. CASES has each once, to be planned with barriers=insert. SUBSETS has
each with every set of barriers that can be put between its accesses, to be
planned with barriers=existing, so nothing that chooses barriers has a hand in
it. `check` reads both reports and compares the curves: for every price the
fewest bytes that a set of barriers of that price makes possible.
"""

import json
import sys

LOOP_FACTOR = 16
MOST_PLACES = 11


class Random:
    """The same numbers everywhere."""

    def __init__(self, seed):
        self.state = seed * 2862933555777941757 + 3037000493 & 2**64 - 1

    def below(self, bound):
        self.state = self.state * 6364136223846793005 + 1442695040888963407
        self.state &= 2**64 - 1
        return (self.state >> 33) % bound


class Case:
    """A kernel: accesses in a row, some of them inside of a loop or branch."""

    def __init__(self, seed):
        random = Random(seed)
        self.name = "case_%d" % seed
        self.sizes = []
        self.rows = []  # "store K", "load K" or "barrier"
        count = 4 + random.below(2)
        for k in range(count):
            self.sizes.append(64 * (1 + random.below(4)))
            lo = random.below(len(self.rows) + 1)
            self.rows.insert(lo, ("store", k))
            self.rows.insert(lo + 1 + random.below(len(self.rows) - lo), ("load", k))
        if random.below(3) == 0:
            self.rows.insert(random.below(len(self.rows) + 1), ("barrier", None))
        # What is opened in front of a row, and closed behind one.
        self.kind = ("none", "for", "for", "if", "nest")[random.below(5)]
        self.first = random.below(len(self.rows))
        self.last = self.first + random.below(len(self.rows) - self.first)
        self.inner = self.first + random.below(self.last - self.first + 1)
        inside = self.rows[self.first:self.last + 1]
        self.local = [
            self.kind == "for" and random.below(2) == 0 and
            inside.count(("store", k)) + inside.count(("load", k)) == 2
            for k in range(count)]

    def loops(self):
        return {"none": 0, "if": 0, "for": 1, "nest": 2}[self.kind]

    def lines(self):
        """Text, and for each place its price: (None, price)."""
        def place(loops):
            return (None, LOOP_FACTOR ** loops)

        def alloc(k):
            return ("%%b%d = memref.alloc() : %s" % (k, self.type(k)), 0)

        depth = 0
        for k, is_local in enumerate(self.local):
            if not is_local:
                yield alloc(k)
        for i, (what, k) in enumerate(self.rows):
            yield place(depth)
            if i == self.first and self.kind == "if":
                yield ("scf.if %c {", 0)
            elif i == self.first and self.loops():
                yield ("scf.for %i = %c0 to %n step %c1 {", 0)
                depth = 1
            if i == self.first and self.kind != "none":
                for b, is_local in enumerate(self.local):
                    if is_local:
                        yield alloc(b)
                yield place(depth)
            if i == self.inner and self.kind == "nest":
                yield ("scf.for %j = %c0 to %n step %c1 {", 0)
                depth = 2
                yield place(depth)
            if what == "store":
                yield ("memref.store %%v, %%b%d[%%t] : %s" % (k, self.type(k)), 0)
            elif what == "load":
                yield ("%%l%d = memref.load %%b%d[%%t] : %s" % (k, k, self.type(k)), 0)
                yield ("memref.store %%l%d, %%out[%%t] : memref<64xi8>" % k, 0)
            else:
                yield ("gpu.barrier", 0)
            if i == self.last and self.kind != "none":
                if self.kind == "nest":
                    yield place(depth)
                    yield ("}", 0)
                    depth = 1
                yield place(depth)
                yield ("}", 0)
                depth = 0
        yield place(0)

    def type(self, k):
        return "memref<%dxi8, #workgroup>" % self.sizes[k]

    def prices(self):
        return [price for text, price in self.lines() if text is None]

    def write(self, out, name, barriers):
        out.write("gpu.func @%s(%%out: memref<64xi8>, %%v: i8, %%n: index, %%c: i1) "
                  "kernel {\n%%c0 = arith.constant 0 : index\n"
                  "%%c1 = arith.constant 1 : index\n%%t = gpu.thread_id x\n" % name)
        place = 0
        for text, _ in self.lines():
            if text is not None:
                out.write(text + "\n")
                continue
            if barriers >> place & 1:
                out.write("gpu.barrier\n")
            place += 1
        out.write("gpu.return\n}\n")


def cases(seeds):
    for part in seeds.split(","):
        first, _, last = part.partition("-")
        for seed in range(int(first), int(last or first) + 1):
            case = Case(seed)
            if len(case.prices()) <= MOST_PLACES:
                yield case


def write(seeds, cases_path, subsets_path):
    head = "#workgroup = #gpu.address_space<workgroup>\ngpu.module @kernels {\n"
    with open(cases_path, "w") as once, open(subsets_path, "w") as often:
        once.write(head)
        often.write(head)
        for case in cases(seeds):
            case.write(once, case.name, 0)
            for barriers in range(1 << len(case.prices())):
                case.write(often, "%s_%d" % (case.name, barriers), barriers)
        once.write("}\n")
        often.write("}\n")


def read(path):
    with open(path) as file:
        scopes = [json.loads(line) for line in file]
    return {scope["scope"]: scope for scope in scopes}


def best(points):
    """Those that no other beats in both cost and bytes, by rising cost."""
    curve = []
    for cost, size in sorted(points):
        if not curve or size < curve[-1][1]:
            curve.append((cost, size))
    return curve


def check(seeds, cases_path, subsets_path):
    once, often = read(cases_path), read(subsets_path)
    count = wrong = dearer = points = barriers = 0
    for case in cases(seeds):
        count += 1
        prices = case.prices()
        found = once[case.name]
        assert found["placed"] == len(case.sizes), case.name
        possible = []
        for chosen in range(1 << len(prices)):
            scope = often["%s_%d" % (case.name, chosen)]
            if scope["placed"] == len(case.sizes):
                cost = sum(p for i, p in enumerate(prices) if chosen >> i & 1)
                possible.append((cost, scope["bytes_after"]))
        wanted = best(possible)
        curve = [(p["cost"], p["bytes"]) for p in found["barriers"]["curve"]]
        points += len(wanted)
        barriers += found["barriers"]["inserted"]
        dearer += curve[-1] != wanted[-1]
        if curve != wanted:
            wrong += 1
            print("%s: %s, possible are %s" % (case.name, curve, wanted))
    print("kernels: %d, barriers: %d, points of the curves: %d" % (count, barriers, points))
    print("other curves than by brute force: %d, of these in their last point: %d"
          % (wrong, dearer))


if __name__ == "__main__":
    task = write if sys.argv[1] == "write" else check
    task(sys.argv[2], sys.argv[3], sys.argv[4])
