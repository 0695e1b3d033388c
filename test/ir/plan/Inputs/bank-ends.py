# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Prints functions whose buffers lie in banks, or, with the remarks of a run on
them as input, holds what is said of each arena's end against all plans there
are."""
import random
import re
import sys

BANKS, BYTES, RESERVED, STEP = 3, 48, (0, 16), 8
TIMES, FUNCTIONS = 5, 40


def draw(seed):
    """Size, first and last time, bank or None of each buffer."""
    rng = random.Random(seed)
    buffers = []
    for _ in range(rng.randint(2, 5)):
        first = rng.randrange(TIMES)
        bank = rng.randrange(BANKS) if rng.random() < 0.15 else None
        last = rng.randrange(first, TIMES)
        buffers.append((STEP * rng.randint(1, 5), first, last, bank))
    return buffers


def text(seed):
    buffers = draw(seed)
    lines = [f"func.func @f{seed}() {{"]
    for i, (size, _, _, bank) in enumerate(buffers):
        told = "" if bank is None else f" {{berth.bank = {bank} : i64}}"
        lines.append(f'  %b{i} = memref.alloc(){told} : memref<{size}xi8, "L1">')
    for time in range(TIMES):
        for which, op in ((1, "make"), (2, "use")):
            for i, buffer in enumerate(buffers):
                if buffer[which] == time:
                    memref = f'memref<{buffer[0]}xi8, "L1">'
                    lines.append(f'  "npu.{op}"(%b{i}) : ({memref}) -> ()')
    return "\n".join(lines + ["  return", "}"])


def least_end(buffers):
    """By trying all offsets; None if nothing fits."""
    best = BANKS * BYTES + 1

    def place(placed, end):
        nonlocal best
        if end >= best:
            return
        if len(placed) == len(buffers):
            best = end
            return
        size, first, last, bank = buffers[len(placed)]
        for offset in range(0, BANKS * BYTES - size + 1, STEP):
            top = offset + size
            meets = any(
                first <= b[2] and b[1] <= last and offset < at + b[0] and at < top
                for at, b in zip(placed, buffers)
            )
            if (
                not meets
                and offset // BYTES == (top - 1) // BYTES
                and bank in (None, offset // BYTES)
                and (top <= RESERVED[0] or RESERVED[1] <= offset)
            ):
                place(placed + [offset], max(end, top))

    place([], 0)
    return best if best <= BANKS * BYTES else None


ends = {seed: least_end(draw(seed)) for seed in range(FUNCTIONS)}
# Those that do not fit would end the run.
fitting = [seed for seed, end in ends.items() if end]
if len(sys.argv) > 1:
    print("\n".join(text(seed) for seed in fitting))
    sys.exit()
told = re.findall(r"in an arena of (\d+) bytes[^(]*\(load \d+, (\w+)", sys.stdin.read())
wanted = [(str(ends[seed]), "optimal") for seed in fitting]
assert len(wanted) > FUNCTIONS // 2
assert told == wanted, [(a, b) for a, b in zip(told, wanted) if a != b]
