# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs the two kernels of global-device.mlir, as PTX, by a simulator of lanes.

  lanes.py FILE.ptx [WARPS LANES ROUNDS SEED ARENA_WORDS]

What ThreadSanitizer cannot show, since CPU threads are neither in lock step nor
weakly ordered:

- Each warp runs its lanes in lock step, as before Volta: where they part, one
  side runs up to the place that all paths have in common (the immediate
  postdominator) before the other does. A lane that waits for one of the other
  side waits forever. A lane that finds the lock held by a lane of its own warp
  is reported, and so is a run that does not end.
- Memory is as weak as PTX allows: what a lane stores stays with the lane, and
  what it has loaded it sees again, until a fence. Atomics go to memory
  themselves and order nothing: what is loaded behind one, the words around it
  at least, may have been read ahead of it.

Between two dispatches everything is visible, as the host's wait makes it. Each
round is a dispatch of `produce`, which allocates a block of another length for
each thread, fills it and leaves it in a slot, and one of `consume`, which adds
it up and frees it. Warps take turns at random, from a seed.
"""
import random
import re
import struct
import sys

MASK = {32: (1 << 32) - 1, 64: (1 << 64) - 1}


class Failure(Exception):
    pass


# ---------------------------------------------------------------------------
# Reading PTX
# ---------------------------------------------------------------------------


def read_kernels(text):
    """name -> (parameters, instructions, labels)"""
    kernels = {}
    pattern = r"\.entry (\w+)\((.*?)\)\s*(?:\.\w+ [^{]*)?\{(.*?)\n\}"
    for name, params, body in re.findall(pattern, text, re.S):
        code, labels = [], {}
        for line in body.split("\n"):
            line = line.split("//")[0].strip()
            if line.endswith(":"):
                labels[line[:-1]] = len(code)
            elif line and not line.startswith("."):
                code.append(read_instruction(line.rstrip(";")))
        kernels[name] = (re.findall(name + r"_param_\d+", params), code, labels)
    return kernels


def read_instruction(line):
    guard = None
    if line.startswith("@"):
        guard, line = line.split(None, 1)
    opcode, _, rest = line.partition(" ")
    operands = [o.strip() for o in rest.strip().split(",")] if rest.strip() else []
    operands = [o.lstrip("\t") for o in operands]
    return guard, opcode.strip().split("\t")[0], operands


def successors(kernel, at):
    guard, opcode, operands = kernel[1][at]
    if opcode == "ret":
        return []
    if opcode.startswith("bra"):
        target = kernel[2][operands[0]]
        return [target, at + 1] if guard else [target]
    return [at + 1]


def postdominators(kernel):
    """The immediate postdominator of each instruction, or None (the end)."""
    count = len(kernel[1])
    # Bits: the instructions that all paths from here to the end pass.
    every = (1 << count) - 1
    sets = [every] * count
    changed = True
    while changed:
        changed = False
        for at in reversed(range(count)):
            after = successors(kernel, at)
            common = every if after else 0
            for s in after:
                common &= sets[s]
            new = common | (1 << at)
            if new != sets[at]:
                sets[at] = new
                changed = True
    # The nearest of them is the one with the most of them behind it.
    result = {}
    for at, instruction in enumerate(kernel[1]):
        if instruction[1].startswith("bra") and instruction[0]:
            rest = sets[at] & ~(1 << at)
            behind = [i for i in range(count) if rest >> i & 1]
            result[at] = max(behind, key=lambda i: bin(sets[i]).count("1"),
                             default=None)
    return result


# ---------------------------------------------------------------------------
# Memory
# ---------------------------------------------------------------------------


class Lane:
    """Registers, and what of memory only this lane knows of."""

    def __init__(self, memory, params, specials):
        self.registers = {}
        self.memory = memory
        self.params = params
        self.specials = specials
        self.stored = {}
        self.seen = {}

    def load_word(self, address):
        if address not in self.seen:
            self.seen[address] = self.memory.get(address, 0)
        return self.seen[address]

    def store_word(self, address, value):
        self.stored[address] = self.seen[address] = value

    def fence(self):
        self.memory.update(self.stored)
        self.stored.clear()
        self.seen.clear()

    def atomic(self, address, function):
        if address in self.stored:
            self.memory[address] = self.stored.pop(address)
        for near in range(address - 8, address + 56, 4):
            if near != address:
                self.load_word(near)
        old = self.memory.get(address, 0)
        self.memory[address] = self.seen[address] = function(old) & MASK[32]
        return old

    def load(self, address, bits):
        value = self.load_word(address)
        if bits == 64:
            value |= self.load_word(address + 4) << 32
        return value

    def store(self, address, value, bits):
        self.store_word(address, value & MASK[32])
        if bits == 64:
            self.store_word(address + 4, value >> 32)


# ---------------------------------------------------------------------------
# Instructions
# ---------------------------------------------------------------------------


def signed(value, bits):
    return value - (1 << bits) if value >> (bits - 1) & 1 else value


def as_float(bits):
    return struct.unpack("<f", struct.pack("<I", bits & MASK[32]))[0]


def float_bits(value):
    return struct.unpack("<I", struct.pack("<f", value))[0]


COMPARE = {
    "eq": lambda a, b: a == b,
    "ne": lambda a, b: a != b,
    "lt": lambda a, b: a < b,
    "le": lambda a, b: a <= b,
    "gt": lambda a, b: a > b,
    "ge": lambda a, b: a >= b,
}
ATOMIC = {
    "or": lambda old, value: old | value,
    "and": lambda old, value: old & value,
    "exch": lambda old, value: value,
}
BINARY = {
    "add": lambda a, b: a + b,
    "sub": lambda a, b: a - b,
    "and": lambda a, b: a & b,
    "or": lambda a, b: a | b,
    "xor": lambda a, b: a ^ b,
    "min": min,
    "max": max,
    "shl": lambda a, b: a << b if b < 64 else 0,
    "shr": lambda a, b: a >> min(b, 63),
    "div": lambda a, b: a // b,
    "rem": lambda a, b: a % b,
}


def width(opcode):
    kinds = re.findall(r"\.([bus]|pred)(32|64)?(?=\.|$)", opcode)
    kind, bits = kinds[-1]
    return kind, int(bits or 32)


def value_of(lane, text):
    if text.startswith("%"):
        if text in lane.specials:
            return lane.specials[text]
        return lane.registers[text]
    if text.startswith("0f"):
        return int(text[2:], 16)
    return int(text, 0)


def address_of(lane, text):
    base, _, offset = text.strip("[]").partition("+")
    return (value_of(lane, base) + int(offset or 0)) & MASK[64]


def operand(lane, text, kind, bits):
    value = value_of(lane, text)
    if kind == "pred":
        return value
    value &= MASK[bits]
    return signed(value, bits) if kind == "s" else value


def execute(lane, opcode, operands):
    """One instruction, other than a branch, of one lane."""
    parts = opcode.split(".")
    name = parts[0]
    if name in ("fence", "membar"):
        lane.fence()
        return
    kind, bits = width(opcode) if "f32" not in parts else ("f", 32)
    registers = lane.registers
    if name == "ld" and parts[1] == "param":
        registers[operands[0]] = lane.params[operands[1].strip("[]")]
    elif name == "ld":
        registers[operands[0]] = lane.load(address_of(lane, operands[1]), bits)
    elif name == "st":
        value = operand(lane, operands[1], "b", bits)
        lane.store(address_of(lane, operands[0]), value, bits)
    elif name == "atom":
        value = operand(lane, operands[2], "b", bits)
        change = ATOMIC[parts[-2]]
        registers[operands[0]] = lane.atomic(
            address_of(lane, operands[1]), lambda old: change(old, value))
    elif name in ("mov", "cvta"):
        registers[operands[0]] = value_of(lane, operands[1])
    elif name == "cvt" and "f32" in parts:
        registers[operands[0]] = float_bits(float(value_of(lane, operands[1])))
    elif name == "cvt":
        source_kind, source_bits = parts[-1][0], int(parts[-1][1:])
        value = operand(lane, operands[1], source_kind, source_bits)
        registers[operands[0]] = value & MASK[int(parts[-2][1:])]
    elif name == "add" and "f32" in parts:
        a, b = (as_float(value_of(lane, o)) for o in operands[1:3])
        registers[operands[0]] = float_bits(a + b)
    elif name == "setp":
        a, b = (operand(lane, o, kind, bits) for o in operands[1:3])
        registers[operands[0]] = COMPARE[parts[1]](a, b)
    elif name == "selp":
        chosen = operands[1] if value_of(lane, operands[3]) else operands[2]
        registers[operands[0]] = operand(lane, chosen, "b", bits)
    elif name in ("mul", "mad"):
        a, b = (operand(lane, o, kind, bits) for o in operands[1:3])
        out = 64 if "wide" in parts else bits
        more = value_of(lane, operands[3]) if name == "mad" else 0
        registers[operands[0]] = (a * b + more) & MASK[out]
    elif name in ("neg", "not"):
        value = operand(lane, operands[1], kind, bits)
        if kind == "pred":
            registers[operands[0]] = not value
        else:
            registers[operands[0]] = (-value if name == "neg" else ~value) & MASK[bits]
    elif name in BINARY:
        a, b = (operand(lane, o, kind, bits) for o in operands[1:3])
        result = BINARY[name](a, b)
        registers[operands[0]] = result if kind == "pred" else result & MASK[bits]
    else:
        raise Failure("unknown instruction " + opcode)


# ---------------------------------------------------------------------------
# Warps
# ---------------------------------------------------------------------------


class Warp:
    """Lanes in lock step. The stack holds what is still to run: from where, up
    to which place, and by which lanes; its top runs."""

    def __init__(self, number, kernel, reconvergence, lanes, holders):
        self.number = number
        self.kernel = kernel
        self.reconvergence = reconvergence
        self.lanes = lanes
        self.holders = holders
        self.stack = [[0, None, list(range(len(lanes)))]]

    def done(self):
        return not self.stack

    def step(self, chance):
        at, until, active = self.stack[-1]
        if not active or at == until:
            self.stack.pop()
            return
        guard, opcode, operands = self.kernel[1][at]
        if opcode == "ret":
            for frame in self.stack:
                frame[2] = [i for i in frame[2] if i not in active]
            return
        if opcode.startswith("bra"):
            self.branch(at, guard, self.kernel[2][operands[0]])
            return
        order = list(active)
        if opcode.startswith("atom"):
            chance.shuffle(order)
        for i in order:
            execute(self.lanes[i], opcode, operands)
            if opcode.startswith("atom"):
                self.watch_lock(i, opcode, operands)
        self.stack[-1][0] = at + 1

    def branch(self, at, guard, target):
        frame = self.stack[-1]
        if not guard:
            frame[0] = target
            return
        register = guard.lstrip("@!")
        negated = guard.startswith("@!")
        goes = [i for i in frame[2]
                if bool(self.lanes[i].registers[register]) != negated]
        stays = [i for i in frame[2] if i not in goes]
        if not goes or not stays:
            frame[0] = target if goes else at + 1
            return
        meet = self.reconvergence[at]
        frame[0] = meet
        if meet is None:
            self.stack.pop()
        self.stack.append([at + 1, meet, stays])
        self.stack.append([target, meet, goes])

    def watch_lock(self, lane, opcode, operands):
        """The lock is taken by `or` and given back by `exch` or `and`."""
        address = address_of(self.lanes[lane], operands[1])
        if address != ARENA + 4 * LOCK:
            return
        if ".or." not in opcode:
            self.holders.pop(address, None)
        elif not self.lanes[lane].registers[operands[0]]:
            self.holders[address] = (self.number, lane)
        elif self.holders[address][0] == self.number:
            raise Failure("lane %d of warp %d finds the lock held by lane %d of "
                          "its own warp" % (lane, self.number,
                                            self.holders[address][1]))


def dispatch(kernels, name, params, memory, warps, lanes, chance):
    kernel = kernels[name]
    reconvergence = postdominators(kernel)
    values = dict(zip(kernel[0], params))
    if len(values) != len(params):
        raise Failure("%s takes %d parameters" % (name, len(kernel[0])))
    holders, running = {}, []
    for w in range(warps):
        # A block a warp: the lanes are the block's threads.
        group = [Lane(memory, values, {"%laneid": i, "%tid.x": i, "%ctaid.x": w,
                                       "%ntid.x": lanes})
                 for i in range(lanes)]
        running.append(Warp(w, kernel, reconvergence, group, holders))
    every = [lane for warp in running for lane in warp.lanes]
    # Warps that wait for the lock take steps, too, while others hold it.
    steps, most = 0, 50000 * warps * warps * lanes
    while running:
        warp = chance.choice(running)
        for _ in range(chance.randrange(1, 40)):
            if not warp.done():
                warp.step(chance)
                steps += 1
        if warp.done():
            running.remove(warp)
        if steps > most:
            raise Failure("no end in %s: lanes wait for each other" % name)
    for lane in every:
        lane.fence()
    return steps


# ---------------------------------------------------------------------------
# The example
# ---------------------------------------------------------------------------

ARENA, SLOTS, LENGTHS, SUMS = 1 << 32, 2 << 32, 3 << 32, 4 << 32
STATUS, LOCK, TOP, USED, HIGH_WATER, REST, LISTS = 3, 4, 5, 6, 7, 8, 13


def descriptor(base, count):
    return [base, base, 0, count, 1]


def first_block(words):
    """Behind the lists, of which there are four for each power of two."""
    power = words.bit_length() - 1
    return LISTS + 4 * power + (words >> (power - 2)) - 12 + 1


def open_heap(memory, words):
    """As berthHeapInit does it on the host."""
    first = first_block(words)
    for i in range(first):
        memory[ARENA + 4 * i] = 0
    header = {0: words, 1: 2, TOP: first, HIGH_WATER: first}
    for i, value in header.items():
        memory[ARENA + 4 * i] = value


def check_all_free(memory, words):
    found = [memory[ARENA + 4 * i] for i in (LOCK, USED, REST, TOP)]
    if found != [0, 0, 0, first_block(words)]:
        raise Failure("not all blocks were given back: %s" % found)


def main():
    text = open(sys.argv[1]).read()
    numbers = [int(a) for a in sys.argv[2:]] + [3, 4, 3, 1, 1024][len(sys.argv) - 2:]
    warps, lanes, rounds, seed, words = numbers
    chance = random.Random(seed)
    kernels = read_kernels(text)
    threads, memory = warps * lanes, {}
    open_heap(memory, words)
    slots = descriptor(SLOTS, threads)
    lengths = descriptor(LENGTHS, threads)
    arena = descriptor(ARENA, 4 * words)
    steps, status = 0, 0
    for _ in range(rounds):
        count = [chance.randrange(0, 40) for _ in range(threads)]
        for i, length in enumerate(count):
            memory[LENGTHS + 4 * i] = length
            memory[SUMS + 4 * i] = 0
        steps += dispatch(kernels, "produce", arena + slots + lengths + [threads],
                          memory, warps, lanes, chance)
        status = memory[ARENA + 4 * STATUS]
        steps += dispatch(kernels, "consume", arena + slots + lengths +
                          descriptor(SUMS, threads) + [threads],
                          memory, warps, lanes, chance)
        for i, length in enumerate(count):
            total = as_float(memory[SUMS + 4 * i])
            if total != (0 if status else i * length):
                raise Failure("thread %d: sum %g of %d" % (i, total, length))
        if status and words > 2 * sum(length + 5 for length in count):
            raise Failure("status %d though half of the arena is enough" % status)
        if status:
            break
    if not status:
        check_all_free(memory, words)
    print("%d warps of %d lanes, %d rounds: status %d, %s" %
          (warps, lanes, rounds, status,
           "nothing added up" if status else "all sums right, all returned"))
    print("instructions of warps: %d" % steps)


try:
    main()
except Failure as failure:
    sys.exit("lanes.py: %s" % failure)
