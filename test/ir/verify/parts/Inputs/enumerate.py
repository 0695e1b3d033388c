#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Holds berth-verify's proof of threads' parts against enumeration:

    enumerate.py BERTH_OPT PASSES MUTANTS FILE...

Behind PASSES each program is run as far as indices go, with no code of Berth: for
small sizes, grids and blocks, what the host asserts and allocates, and all bytes of
the views that each thread of each launch makes of the block. No two threads have a
byte in common, none has one that the block lacks, and nothing is divided by 0.

Then programs are changed in one place at a time, MUTANTS of each, by seed. What
berth-verify accepts has to be right by enumeration, too.
"""
import itertools
import random
import re
import subprocess
import sys

MASK = 2 ** 64 - 1
LINE = re.compile(r'^\s*(?:(%[^=]*?) = )?"([\w.]+)"\(([^)]*)\)(.*)$')
DIMENSIONS = {"x": 0, "y": 1, "z": 2}
WIDTHS = {"i8": 1, "i32": 4, "f32": 4, "i64": 8, "f64": 8}
# Of sizes, of extents, of what memory has: few enough for all threads.
SIZES = [0, 1, 2, 3, 5, -1, -2, 2 ** 63, 2 ** 63 + 1, 2 ** 62]
MOST_ELEMENTS, MOST_THREADS = 4096, 40


class Wrong(Exception):
    """A byte of two threads, or of none; a division by 0."""


class Stop(Exception):
    """An assertion that does not hold."""


class Op:
    def __init__(self, results, name, operands, text):
        self.results, self.name, self.operands = results, name, operands
        self.text, self.regions, self.types = text, [], ""


def parse(lines):
    """The ops of a region, each with its regions, from generic form."""
    root = Op([], "root", [], "")
    root.regions = [([], [])]
    stack = [root]
    for line in lines:
        stripped = line.strip()
        if stripped.startswith("^"):
            names = re.findall(r"(%\w+): ", stripped)
            if stack[-1].regions[-1][1]:
                stack[-1].regions.append((names, []))
            else:
                stack[-1].regions[-1][0][:] = names
            continue
        if stripped.startswith("}"):
            if stripped.startswith("}, {"):
                stack[-1].regions.append(([], []))
                continue
            if stripped.startswith("})"):
                stack[-1].text += stripped
                stack.pop()
            continue
        match = LINE.match(line)
        if not match:
            continue
        results, name, operands, text = match.groups()
        names = re.findall(r"%\w+", results) if results else []
        if results and ":" in results:
            base, count = results.split(":")
            names = ["%s#%d" % (base, i) for i in range(int(count))]
        op = Op(names, name, [o.strip() for o in operands.split(",")
                              if o.strip()], text)
        stack[-1].regions[-1][1].append(op)
        if stripped.endswith("({"):
            op.regions.append(([], []))
            stack.append(op)
    return root


def walk(op, path=()):
    for number, (_, ops) in enumerate(op.regions):
        for inner in ops:
            yield inner, path + ((op, number),)
            yield from walk(inner, path + ((op, number),))


def signed(value):
    return value - 2 ** 64 if value >= 2 ** 63 else value


COMPARISONS = [
    lambda a, b: a == b, lambda a, b: a != b,
    lambda a, b: signed(a) < signed(b), lambda a, b: signed(a) <= signed(b),
    lambda a, b: signed(a) > signed(b), lambda a, b: signed(a) >= signed(b),
    lambda a, b: a < b, lambda a, b: a <= b,
    lambda a, b: a > b, lambda a, b: a >= b]


def divide(a, b):
    if b == 0:
        raise Wrong("divides by 0")
    return a // b


ARITHMETIC = {
    "arith.addi": lambda a, b: a + b, "arith.subi": lambda a, b: a - b,
    "arith.muli": lambda a, b: a * b, "arith.divui": divide,
    "arith.andi": lambda a, b: a & b, "arith.ori": lambda a, b: a | b,
    "arith.xori": lambda a, b: a ^ b, "arith.maxui": max,
    "arith.minui": min, "arith.shli": lambda a, b: a << b if b < 64 else 0}


class Program:
    def __init__(self, text):
        self.root = parse(text.splitlines())
        self.ops = list(walk(self.root))
        self.made = {r: op for op, _ in self.ops for r in op.results}
        self.users = {}
        for op, _ in self.ops:
            for operand in op.operands:
                self.users.setdefault(operand, []).append(op)
        self.blocks = [(op, path) for op, path in self.ops
                       if op.name == "gpu.alloc" and
                       "berth.per_thread" in op.text]

    def kernel_of(self, launch):
        if launch.name == "gpu.launch":
            return launch
        module, name = re.search(r"kernel = @(\w+)::@(\w+)",
                                 launch.text).groups()
        for op, path in self.ops:
            if op.name == "gpu.func" and 'sym_name = "%s"' % name in op.text \
                    and 'sym_name = "%s"' % module in path[-1][0].text:
                return op
        raise ValueError("no kernel")

    def value(self, name, env):
        """None: not known here."""
        if name in env:
            return env[name]
        op = self.made.get(name)
        env[name] = None if op is None else self.result(op, env)
        return env[name]

    def result(self, op, env):
        if op.name == "arith.constant":
            number = re.search(r"value = (-?\d+|true|false)\b(?! *[.e])", op.text)
            if not number or ": f" in op.text:
                return None
            word = number.group(1)
            return {"true": 1, "false": 0}.get(word) if word[0] in "tf" \
                else int(word) & MASK
        if op.name in ("gpu.thread_id", "gpu.block_id", "gpu.block_dim",
                       "gpu.grid_dim"):
            return env.get((op.name, re.search(r"dim (\w)>", op.text).group(1)))
        if op.name == "memref.dim":
            return self.dim(op, env)
        values = [self.value(o, env) for o in op.operands]
        if op.name == "arith.select" and values[0] is not None:
            return values[1] if values[0] else values[2]
        if not values or None in values:
            return None
        if op.name == "arith.cmpi":
            number = int(re.search(r"predicate = (\d+)", op.text).group(1))
            return int(COMPARISONS[number](*values))
        if op.name in ("arith.index_cast", "arith.index_castui") and \
                "i32" not in op.text:
            return values[0]
        if op.name in ARITHMETIC:
            mask = 1 if op.text.rstrip().endswith("i1") else MASK
            return ARITHMETIC[op.name](*values) & mask
        return None

    def dim(self, op, env):
        memref = op.operands[0]
        while memref in self.made and self.made[memref].name == "memref.cast":
            memref = self.made[memref].operands[0]
        if memref in env:
            return env[memref]
        maker = self.made.get(memref)
        if maker and maker.name == "gpu.alloc":
            return env.get("bytes")
        return None

    def root_of(self, name, env):
        while name in self.made and self.made[name].name == "memref.cast":
            name = self.made[name].operands[0]
        return env.get(("memory", name), name)

    # What the host does.

    def run_host(self, alloc, path, env):
        """Up to the block; Stop if the program ends before."""
        inner = [outer for outer, _ in path] + [alloc]
        for outer, region in path:
            for op in outer.regions[region][1]:
                if op in inner:
                    break
                if op.name == "cf.assert" and \
                        self.value(op.operands[0], env) == 0:
                    raise Stop
        sizes = re.search(r"operandSegmentSizes = array<i32: (\d), (\d)",
                          alloc.text).groups()
        if sizes[1] == "1":
            return self.value(alloc.operands[int(sizes[0])], env)
        return int(re.search(r"memref<(\d+)xi8>", alloc.text).group(1))

    def launch_of(self, alloc):
        todo = [alloc.results[0]]
        for name in todo:
            for user in self.users.get(name, []):
                if user.name == "memref.cast":
                    todo.append(user.results[0])
                elif user.name == "gpu.launch_func":
                    return user
        for op, path in self.ops:
            if op.name == "memref.view" and op.operands[0] in todo:
                for outer, _ in path:
                    if outer.name == "gpu.launch":
                        return outer
        return None

    # What threads do.

    def views(self, kernel, block_names, env):
        """(op, cast or None, path inside the kernel)."""
        for op, path in walk(kernel):
            if op.name != "memref.view" or \
                    self.root_of(op.operands[0], {}) not in block_names:
                continue
            inner = path[1:]
            users = self.users.get(op.results[0], [])
            yield op, None, inner
            for user in users:
                if user.name == "memref.reinterpret_cast":
                    where = next(p for o, p in walk(kernel) if o is user)
                    yield op, user, where[1:]

    def reached(self, path, env, todo):
        """Calls `todo` with the variables of each turn around."""
        if not path:
            todo(env)
            return
        (outer, region), rest = path[0], path[1:]
        if outer.name == "scf.if":
            condition = self.value(outer.operands[0], env)
            if condition is None or bool(condition) == (region == 0):
                self.reached(rest, env, todo)
            return
        if outer.name == "scf.for":
            low, high, step = (self.value(o, env) for o in outer.operands[:3])
            if None in (low, high, step):
                self.reached(rest, dict(env), todo)
                return
            low, high, step = signed(low), signed(high), signed(step)
            if step <= 0 or high - low > 8 * step:
                self.reached(rest, dict(env), todo)
                return
            for number in range(low, high, step):
                inner = dict(env)
                inner[outer.regions[0][0][0]] = number & MASK
                self.reached(rest, inner, todo)
            return
        self.reached(rest, dict(env), todo)

    def touched(self, view, cast, env):
        """Start, width, sizes and strides in bytes; None: not known."""
        op = cast or view
        kind = op.text.split("->")[-1]
        shape = re.search(r"memref<((?:[\d?]+x)*)(\w+)", kind)
        width = WIDTHS[shape.group(2)]
        start = self.value(view.operands[1], env)
        if cast is None:
            dynamic = iter(view.operands[2:])
            sizes = [self.value(next(dynamic), env) if d == "?" else int(d)
                     for d in shape.group(1).split("x") if d]
            strides, distance = [], width
            for size in reversed(sizes):
                strides.insert(0, distance)
                distance = None if None in (distance, size) else distance * size
        else:
            dynamic = iter(cast.operands[1:])
            lists = [[self.value(next(dynamic), env) if int(n) == -2 ** 63 else
                      int(n) & MASK for n in
                      re.findall(r"-?\d+", re.search(
                          key + r" = array<i64:?([^>]*)>", cast.text).group(1))]
                     for key in ("static_offsets", "static_sizes",
                                 "static_strides")]
            offset, sizes = lists[0][0], lists[1]
            strides = [None if s is None else signed(s) * width
                       for s in lists[2]]
            start = None if None in (start, offset) else \
                start + signed(offset) * width
        return start, width, sizes, strides

    def check_thread(self, parts, thread, env, owners, size):
        for view, cast, path in parts:
            def look(inner, view=view, cast=cast):
                self.check_view(view, cast, thread, inner, owners, size)
            self.reached(path, dict(env), look)

    def check_view(self, view, cast, thread, env, owners, size):
        start, width, sizes, strides = self.touched(view, cast, env)
        if start is None or None in sizes or None in strides:
            return
        sizes = [signed(s & MASK) for s in sizes]
        if any(s <= 0 for s in sizes):
            return
        users = {u.name for u in self.users.get(view.results[0], [])}
        is_part = cast is not None or users - {"memref.reinterpret_cast",
                                               "memref.dim"}
        last = signed(start & MASK) + sum((n - 1) * s for n, s in
                                          zip(sizes, strides))
        if start > size or signed(start & MASK) < 0 or last + width > size:
            raise Wrong("%s is not within %d bytes" % (view.results[0], size))
        count = 1
        for number in sizes:
            count *= number
        if not is_part or count > MOST_ELEMENTS:
            return
        for index in itertools.product(*(range(n) for n in sizes)):
            first = start + sum(i * s for i, s in zip(index, strides))
            for byte in range(first, first + width):
                if not 0 <= byte < size:
                    raise Wrong("byte %d of %d" % (byte, size))
                if owners.setdefault(byte, thread) != thread:
                    raise Wrong("byte %d is of two threads" % byte)

    def check(self, alloc, path, given):
        """Of one launch, by the values in `given`."""
        env = dict(given)
        size = self.run_host(alloc, path, env)
        launch = self.launch_of(alloc)
        if size is None or launch is None or size > 2 ** 40:
            return 0
        kernel = self.kernel_of(launch)
        segments = [int(n) for n in re.search(
            r"operandSegmentSizes = array<i32: ([^>]*)>",
            launch.text).group(1).split(",")]
        first = segments[0]
        extents = [self.value(o, env) for o in
                   launch.operands[first:first + 6]]
        threads = 1
        for extent in extents:
            threads *= extent if extent is not None else MASK
        if not 0 < threads <= MOST_THREADS:
            return 0
        arguments = kernel.regions[0][0]
        inner = {"bytes": size}
        names = {self.root_of(alloc.results[0], {})}
        if kernel is launch:
            inner.update(env)
        else:
            start = sum(segments[:11])
            for argument, operand in zip(
                    arguments, launch.operands[start:start + segments[11]]):
                inner[argument] = env[operand] if operand in given else \
                    self.value(operand, env)
                if self.root_of(operand, {}) in names:
                    inner[argument] = size
                    names.add(argument)
        owners = {}
        parts = list(self.views(kernel, names, inner))
        for thread in itertools.product(*(range(e) for e in extents)):
            own = dict(inner)
            for k, letter in enumerate("xyz"):
                own["gpu.block_id", letter] = thread[k]
                own["gpu.thread_id", letter] = thread[3 + k]
                own["gpu.grid_dim", letter] = extents[k]
                own["gpu.block_dim", letter] = extents[3 + k]
            if kernel is launch:
                own.update(zip(arguments, list(thread) + extents))
            self.check_thread(parts, thread, own, owners, size)
        return threads


def samples(rng, program, path, count):
    """Values of the host's arguments."""
    function = next(op for op, _ in path if op.name == "func.func")
    names = function.regions[0][0]
    kinds = re.search(r"function_type = \(([^)]*)\)", function.text).group(1)
    kinds = re.split(r", (?![^<]*>)", kinds)
    for _ in range(count):
        given = {}
        for name, kind in zip(names, kinds):
            if kind.startswith("memref"):
                given[name] = rng.choice([0, 1, 2, 3, 6])
            else:
                given[name] = rng.choice(SIZES[:5] if rng.random() < 0.8
                                         else SIZES) & MASK
        for name, kind in list(zip(names, kinds))[4:]:  # of grid and block
            if kind == "index":
                given[name] = rng.choice([1, 1, 1, 2, 3])
        yield given


def enumerate_all(text, seed, count):
    """What is wrong, or None; and of how many threads all bytes were seen."""
    program, threads = Program(text), 0
    rng = random.Random(seed)
    for alloc, path in program.blocks:
        for given in samples(rng, program, path, count):
            try:
                threads += program.check(alloc, path, given)
            except Stop:
                continue
            except Wrong as wrong:
                return str(wrong), threads
    return None, threads


def mutate(rng, text):
    """One line of arithmetic changed, or an assertion taken away."""
    lines = text.splitlines()
    found = [i for i, line in enumerate(lines) if re.search(
        r'"(arith\.(addi|subi|muli|divui|maxui|andi|select|cmpi|constant)|'
        r'memref\.(view|reinterpret_cast)|cf\.assert)"', line) and
        re.search(r"index|cf\.assert|i1\)", line)]
    at = rng.choice(found)
    line = lines[at]
    if "cf.assert" in line:
        del lines[at]
        return "\n".join(lines)
    if "arith.constant" in line:
        number = int(re.search(r"value = (-?\d+)", line).group(1))
        other = rng.choice([number + 1, number - 1, 2 * number, number // 2, 0])
        lines[at] = line.replace("value = %d" % number, "value = %d" % other)
        return "\n".join(lines)
    if rng.random() < 0.2 and re.search(r"arith\.(addi|subi|muli)", line):
        lines[at] = re.sub(r"arith\.(addi|subi|muli)",
                           rng.choice(["arith.addi", "arith.subi",
                                       "arith.muli"]), line)
        return "\n".join(lines)
    operands = re.search(r'"\(([^)]*)\)', line).group(1).split(", ")
    defined = [m.group(1) for m in
               (re.match(r'\s*(%\w+) = .*-> index$', other)
                for other in lines[max(0, at - 40):at]) if m]
    if defined and operands != [""]:
        k = rng.randrange(len(operands))
        operands[k] = rng.choice(defined)
        lines[at] = re.sub(r'"\([^)]*\)', '"(' + ", ".join(operands) + ")",
                           line, count=1)
    return "\n".join(lines)


def run(opt, passes, text):
    return subprocess.run(
        [opt, "-", "--mlir-print-op-generic",
         "--pass-pipeline=builtin.module(%s)" % passes], input=text, text=True,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)


def main():
    opt, passes, mutants = sys.argv[1:4]
    counts = dict.fromkeys(["right", "refused", "only refused", "invalid"], 0)
    programs = threads = 0
    for path in sys.argv[4:]:
        with open(path) as file:
            made = run(opt, passes, file.read())
        if made.returncode:
            sys.exit("%s: %s" % (path, made.stderr))
        wrong, seen = enumerate_all(made.stdout, path, 40)
        if wrong:
            sys.exit("%s: %s" % (path, wrong))
        programs += 1
        threads += seen
        for number in range(int(mutants)):
            rng = random.Random("%s %d" % (path.rsplit("/", 1)[-1], number))
            text = mutate(rng, made.stdout)
            if text == made.stdout.rstrip("\n"):
                continue
            told = run(opt, "berth-verify", text)
            if told.returncode and "berth-E" not in told.stderr:
                counts["invalid"] += 1
                continue
            wrong, _ = enumerate_all(text, number, 40)
            if wrong and not told.returncode:
                sys.exit("%s, mutant %d is accepted: %s" % (path, number,
                                                            wrong))
            kind = "right" if not told.returncode else \
                "refused" if wrong else "only refused"
            counts[kind] += 1
    print("%d programs, %d threads; mutants: %d wrong and refused, %d refused, "
          "%d right" % (programs, threads, counts["refused"],
                        counts["only refused"], counts["right"]))
    if threads < 100 * programs:
        sys.exit("hardly anything was enumerated")


main()
