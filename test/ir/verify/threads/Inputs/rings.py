# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Pipelines whose loads may go on behind their loop: rings.py BERTH-OPT.

In ring.mlir a scratch buffer has the bytes of the slots behind the loop. Each of
these edits, each at a text that stands there once, takes from the proof that no
load is under way then, and has to be refused.
"""

import pathlib
import subprocess
import sys

HERE = pathlib.Path(__file__).parent

LOAD = "nvgpu.tma.async.load %map[%later, %c0], %m[%l] to %slotl"
TOUCH = "      %e = memref.load %slot[%c0, %c1] : !slot\n"
WAIT = "      nvgpu.mbarrier.try_wait.parity %m[%n], %parity, %t : !mbarriers\n"
USE = "      memref.store %e, %out[%t] : memref<64xf32>\n"
SLOT = "      %slot = memref.subview %slots[%n, 0, 0]"
END = "      gpu.barrier {end}\n"

MUTANTS = [
    # Loads for turns that may not come.
    ("    scf.if %any {", "    scf.if %true {"),
    ("    scf.if %two {", "    scf.if %true {"),
    ("    scf.if %two {", "    scf.if %any {"),
    ("    scf.if %two {", "    scf.if %enough {"),
    ("      scf.if %more {", "      scf.if %true {"),
    ("      scf.if %more {", "      scf.if %two {"),
    ("      scf.if %more {", "      scf.if %first {"),
    ("%any = arith.cmpi slt, %lb, %ub", "%any = arith.cmpi sle, %lb, %ub"),
    ("%any = arith.cmpi slt, %lb, %ub", "%any = arith.cmpi ult, %lb, %ub"),
    ("%any = arith.cmpi slt, %lb, %ub", "%any = arith.cmpi slt, %lb, %s"),
    ("%any = arith.cmpi slt, %lb, %ub", "%any = arith.cmpi slt, %ub, %lb"),
    ("arith.cmpi ule, %c1, %left0", "arith.cmpi ule, %c0, %left0"),
    ("arith.cmpi ule, %c1, %left0", "arith.cmpi uge, %c1, %left0"),
    ("arith.andi %any, %enough", "arith.ori %any, %enough"),
    ("arith.subi %last, %lb", "arith.subi %ub, %lb"),
    ("arith.divui %way0, %s", "arith.divui %way0, %c1"),
    ("arith.cmpi ule, %c2, %left ", "arith.cmpi ule, %c1, %left "),
    ("arith.cmpi ule, %c2, %left ", "arith.cmpi ne, %c2, %left "),
    ("arith.cmpi ule, %c2, %left ", "arith.cmpi sle, %c2, %left "),
    ("arith.cmpi ule, %c2, %left ", "arith.cmpi ule, %c2, %way "),
    ("arith.subi %last, %k", "arith.subi %ub, %k"),
    ("arith.subi %last, %k", "arith.subi %last, %lb"),
    ("%last = arith.subi %ub, %c1", "%last = arith.addi %ub, %c1"),
    ("arith.divui %way, %s", "arith.divui %way, %c1"),
    ("arith.divui %way, %s", "arith.divsi %way, %s"),
    ("scf.for %k = %lb to %ub step %s", "scf.for %k = %lb to %last step %s"),
    ("scf.for %k = %lb to %ub step %s", "scf.for %k = %lb to %ub step %c2"),
    ("scf.for %k = %lb to %ub step %s", "scf.for %k = %s to %ub step %s"),
    ("scf.for %k = %lb to %ub step %s", "scf.for unsigned %k = %lb to %ub step %s"),
    # Slots, and mbarriers, of other turns.
    ("arith.addi %turn, %c2", "arith.addi %turn, %t"),
    ("%l = arith.remui %ahead, %c3", "%l = arith.remui %ahead, %c2"),
    ("%l = arith.remui %ahead, %c3", "%l = arith.remui %k, %c3"),
    ("%n = arith.remui %turn, %c3", "%n = arith.remui %turn, %c2"),
    ("%n = arith.remui %turn, %c3", "%n = arith.remui %k, %c3"),
    ("%n = arith.remui %turn, %c3", "%n = arith.remui %turn, %t"),
    ("arith.subi %k, %lb", "arith.subi %lb, %k"),
    ("arith.divui %since, %s", "arith.divui %since, %c2"),
    (LOAD, LOAD.replace("%m[%l]", "%m[%n]")),
    (LOAD, LOAD.replace("%m[%l]", "%m[%c0]")),
    (LOAD, LOAD.replace("%slotl", "%slot")),
    ("%map[%lb, %c0], %m[%c0] to %slot0", "%map[%lb, %c0], %m[%c1] to %slot0"),
    ("%map[%next, %c0], %m[%c1] to %slot1", "%map[%next, %c0], %m[%c2] to %slot1"),
    ("%slot1 = memref.subview %slots[%c1,", "%slot1 = memref.subview %slots[%c2,"),
    (SLOT, SLOT.replace("%n", "%c0")),
    (SLOT, SLOT.replace("%n", "%phase")),
    ("%slotl = memref.subview %slots[%l, 0, 0] [1, 8, 8]", "%slotl = memref.subview %slots[%n, 0, 0] [1, 8, 8]"),
    # No wait, no touch, or not in each turn.
    (WAIT, ""),
    (WAIT, WAIT.replace("%m[%n]", "%m[%c0]")),
    (WAIT, WAIT.replace("%m[%n]", "%m[%bit]")),
    (WAIT, "      scf.if %more {\n" + WAIT + "      }\n"),
    (WAIT + TOUCH, TOUCH + WAIT),
    (TOUCH + USE, ""),
    (TOUCH + USE, "      scf.if %more {\n" + TOUCH + USE + "      }\n"),
    (TOUCH + USE, "      scf.if %first {\n" + TOUCH + USE + "      }\n"),
    (TOUCH + USE, "      scf.for %i = %c0 to %t step %c1 {\n" + TOUCH + USE + "      }\n"),
    (TOUCH + USE, "      scf.for %i = %c2 to %c2 step %c1 {\n" + TOUCH + USE + "      }\n"),
    (TOUCH, TOUCH.replace("%slot[", "%other[").replace(": !slot", ": !slot").replace(
        "      %e", "      %other = memref.subview %slots[%c2, 0, 0] [1, 8, 8] [1, 1, 1] : !slots to !slot\n      %e")),
    # No barrier behind them.
    (END, ""),
    (WAIT + TOUCH + USE + END, END + WAIT + TOUCH + USE),
    (END, "      scf.if %first {\n  " + END + "      }\n"),
]

RIGHT = [
    # For the turn itself, or the next one: both come.
    ("arith.addi %turn, %c2", "arith.addi %turn, %c3"),
    ("arith.addi %turn, %c2", "arith.addi %turn, %c1"),
    (END, "      gpu.barrier\n"),
    ("arith.cmpi ule, %c2, %left ", "arith.cmpi ule, %c3, %left "),
    ("arith.cmpi ule, %c2, %left ", "arith.cmpi uge, %left, %c2 "),
    ("arith.cmpi ule, %c2, %left ", "arith.cmpi ult, %c1, %left "),
    (TOUCH + USE, "      scf.for %i = %c0 to %c2 step %c1 {\n" + TOUCH + USE + "      }\n"),
]


def verify(opt, old, new):
    text = (HERE / "ring.mlir").read_text(encoding="utf-8")
    assert text.count(old) == 1, old
    return subprocess.run(
        [*opt, "--pass-pipeline=builtin.module(berth-verify)", "-o", "/dev/null"],
        input=text.replace(old, new), text=True, capture_output=True, check=False)


def main():
    opt = sys.argv[1:]
    failed = refused = 0
    for old, new in MUTANTS:
        run = verify(opt, old, new)
        if run.returncode == 1 and "touches bytes of the arena" in run.stderr:
            refused += 1
        else:
            failed += 1
            print(f"accepted: {old!r} -> {new!r}: {run.stderr[:300]}")
    for old, new in RIGHT:
        run = verify(opt, old, new)
        if run.returncode:
            failed += 1
            print(f"refused: {old!r} -> {new!r}: {run.stderr[:300]}")
    print(f"{refused} mutants refused, {len(RIGHT)} others accepted")
    return failed > 0


sys.exit(main())
