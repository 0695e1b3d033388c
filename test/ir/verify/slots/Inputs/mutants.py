# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Slots that are wrong in one place: mutants.py BERTH-OPT.

Each edit of what berth-multi-buffer makes has to be refused, with these words; the
text that is replaced stands there once.
"""

import pathlib
import subprocess
import sys

HERE = pathlib.Path(__file__).parent

SLOT = "uses a slot whose number does not follow from that of the turn"
SEEN = "has slots, but none is seen to be that of a loop's turn"
OTHER = "touches the slot of another turn"
AHEAD = "copies for a later turn, but not exactly if there is one"
FIRST = "copies for one of the first turns, but not exactly if there is such"
LIKE = "copies something else for one of the first turns than the loop would"
NONE = "begins without what its first turns use"
WRITTEN = "may write what is copied some turns ahead of its own"
SOME = "fills only some of a slot"
EARLY = "uses the slot of a turn in front of the place of the turn's copy"
LEFT = "fills a slot that other threads may still use"
GROUP = "is in another group, counted back from the loop"
WAIT = "is ended by no wait of the turn that uses what it copies"
UNAWAITED = "uses a slot before the turn has waited for what is copied there"
DRAIN = "ends with copies that nobody has waited for"
OUTSIDE = "uses a slot outside of the loop's turns"
EARLIER = "may read what an earlier turn left in its slot"
BEGINS = "begins the copies of the first turns with no barrier"
TAG = "has not the element of its turn in the tag of these slots"
ORDER = "ends with transfers that nobody waits for in the order of their turns"
NUMBER = "may make another number of groups in each turn"
BEYOND = "may use a slot beyond its turn"
WHOLE = "uses slots otherwise than one by one"

PHASE = "waits for another phase of its slot's mbarrier than the turn's"
WAITS = "waits for an mbarrier, but not once in each turn for that of its slot"
INIT = "begins an mbarrier otherwise than those of other slots"
INITS = "has slots whose mbarriers do not begin once each"
UNMET = "begins an mbarrier with no barrier of all threads"
DIFFERS = "loads or expects something else in each turn"
APART = "uses an mbarrier where no copy for its slot's turn stands"
ELSE = "may use an mbarrier of slots for something else"
UNLIKE = "is not done so at the mbarrier of one of the first turns"
MORE = "is done at the mbarrier of one of the first turns, but not in the loop"
UNTOLD = "loads what its mbarrier is not told to expect"
TOO_EARLY = "waits in front of what later turns load"
GROUPS = "has not as many mbarriers as slots"
ALIGNED = "has slots that begin at no multiple of what TMA or its alignment wants"
FENCE = "may be for what was written in front of the loop"
TELLS = "tells its end to the mbarrier of another slot"
AGAIN = "loads slots by TMA, but not ahead, or it may run again"

COPY = "nvgpu.device_async_copy %in[%later, %t], %ahead[%t]"
LOAD = "%e = memref.load %slot[%u] : !slot\n"
END = "      gpu.barrier {end}\n"
WAIT_OP = "      nvgpu.device_async_wait %g {numGroups = 2 : i32}\n"
START = ("    memref.dma_start %x[%later], %ahead[%c0], %c8, %tags[%numberLater]"
         " : memref<64xf32>, !slot, memref<3xi32>\n")
TILE = "nvgpu.tma.async.load %d[%later, %c0], %m[%numberLater] to %ahead, predicate = %thread"
TILE_0 = "nvgpu.tma.async.load %d[%lb, %c0], %m[%c0] to %first, predicate = %thread"
EXPECT = "nvgpu.mbarrier.arrive.expect_tx %m[%numberLater], %bytes, predicate = %thread"
EXPECT_0 = "nvgpu.mbarrier.arrive.expect_tx %m[%c0], %bytes, predicate = %thread"
PARITY = "      nvgpu.mbarrier.try_wait.parity %m[%number], %parity, %t : !m\n"
INIT_2 = "    nvgpu.mbarrier.init %m[%c2], %c1, predicate = %thread : !m\n"
READ = "      %e = memref.load %slot[%c0, %c1] : !slot\n"
AWAIT = "    memref.dma_wait %tags[%number], %c8 : memref<3xi32>\n"
LAST = "  memref.dma_wait %tags[%c1], %c8 : memref<3xi32>\n"
ADD = "    linalg.add ins(%slot, %slot : !slot, !slot) outs(%own : memref<8xf32>)\n"

# (program, what is replaced, by what, the error)
MUTANTS = [
    # The slot follows from the number of the turn.
    ("threads", "remui %turn, %c3", "remui %turn, %c2", SLOT),
    ("threads", "remui %turn, %c3", "remui %i, %c3", SLOT),
    ("threads", "divui %since, %s", "divui %since, %c2", SEEN),
    ("threads", "divui %since, %s", "divsi %since, %s", SEEN),
    ("threads", "subi %i, %lb", "subi %i, %c1", SEEN),
    ("threads", "%e = memref.load %slot[%u]",
     "%o = memref.subview %slots[%numberLater, 0] [1, 64] [1, 1] : !slots to "
     "!slot\n%e = memref.load %o[%u]", OTHER),
    ("threads", "addi %turn, %c2", "addi %turn, %c3", OUTSIDE),
    ("threads", "addi %turn, %c2", "addi %turn, %c1", OUTSIDE),
    ("copies", "remui %turn, %c3", "remui %turn, %c2", SLOT),
    ("copies", "subi %i, %lb", "subi %i, %c0", SEEN),
    ("transfers", "(d0 floordiv 8) mod 3", "(d0 floordiv 8) mod 2", SLOT),
    ("transfers", "(d0 floordiv 8) mod 3", "(d0 floordiv 4) mod 3", SLOT),
    ("transfers", "(d0 floordiv 8) mod 3", "((d0 + 8) floordiv 8) mod 3", OTHER),
    # Copies are made for the turns that there are.
    ("threads", "cmpi ule, %c2, %left", "cmpi ule, %c1, %left", AHEAD),
    ("threads", "cmpi ule, %c2, %left", "cmpi ule, %c3, %left", AHEAD),
    ("threads", "cmpi ule, %c2, %left", "cmpi sle, %c2, %left", AHEAD),
    ("threads", "subi %last, %i", "subi %ub, %i", AHEAD),
    ("threads", "scf.if %more {", "scf.if %any {", AHEAD),
    ("threads", "scf.if %two {", "scf.if %any {", FIRST),
    ("threads", "scf.if %two {", "scf.if %more0 {", FIRST),
    ("threads", "cmpi slt, %lb, %ub", "cmpi sle, %lb, %ub", FIRST),
    ("threads", "cmpi slt, %lb, %ub", "cmpi ult, %lb, %ub", FIRST),
    ("copies", "uge, %left, %c2", "uge, %left, %c1", AHEAD),
    ("copies", "scf.if %more {", "scf.if %any {", AHEAD),
    ("copies", "uge, %left0, %c1", "uge, %left0, %c0", FIRST),
    ("transfers", "to %c48 step", "to %c40 step", ORDER),
    # Turns use what was copied for them.
    ("threads", "%first[%t], 1", "%first[%u], 1", LIKE),
    ("threads", "%in[%next, %t]", "%in[%lb, %t]", LIKE),
    ("threads", "%in[%later, %t]", "%in[%i, %t]", LIKE),
    ("threads", "muli %s, %c2", "muli %s, %c3", LIKE),
    ("threads", "%slots[%c1, 0]", "%slots[%c0, 0]", LIKE),
    ("threads", "%slots[%c1, 0]", "%slots[%c2, 0]", OUTSIDE),
    ("copies", "%x[%next]", "%x[%lb]", LIKE),
    ("copies", "addi %i, %far", "addi %i, %s", LIKE),
    ("copies",
     "      memref.copy %p1, %second : !slot to "
     "memref<8xf32, strided<[1], offset: 8>>\n", "", NONE),
    ("transfers", "%x[%c8], %second", "%x[%c16], %second", LIKE),
    ("transfers", "addi %i, %c16", "addi %i, %c8", LIKE),
    # Nothing goes from turn to turn.
    ("threads", COPY, COPY.replace("[%t]", "[%half]").replace(
        "%in[%later, %half]", "%in[%later, %t]"), LIKE),
    ("threads", "%ahead[%t], 1", "%ahead[%half], 1", LIKE),
    ("copies", "memref.copy %p, %ahead : !slot to !slot",
     "%q = memref.subview %p[0] [4] [1] : !slot to "
     "memref<4xf32, strided<[1], offset: ?>>\n"
     "%h = memref.subview %ahead[0] [4] [1] : !slot to "
     "memref<4xf32, strided<[1], offset: ?>>\n"
     "memref.copy %q, %h : memref<4xf32, strided<[1], offset: ?>> to "
     "memref<4xf32, strided<[1], offset: ?>>", LIKE),
    ("copies", "    %rest = arith.subi",
     "    linalg.add ins(%slot, %slot : !slot, !slot) outs(%own : "
     "memref<8xf32>)\n    %rest = arith.subi", EARLY),
    ("copies", "  memref.copy %own, %r",
     "  %z = memref.load %slots[%c0, %c0] : !slots\n  memref.copy %own, %r",
     WHOLE),
    ("copies", "  memref.copy %own, %r",
     "  %v = memref.subview %slots[0, 0] [1, 8] [1, 1] : !slots to "
     "memref<8xf32, strided<[1]>>\n"
     "  %z = memref.load %v[%c0] : memref<8xf32, strided<[1]>>\n"
     "  memref.copy %own, %r", OUTSIDE),
    # What is copied is not written meanwhile.
    ("threads", " {llvm.noalias, llvm.readonly}", "", WRITTEN),
    ("copies", ADD, ADD + "    memref.store %zero, %x[%c0] : memref<64xf32>\n",
     WRITTEN),
    ("copies", ADD, ADD + "    memref.store %zero, %r[%c0] : memref<8xf32>\n",
     WRITTEN),
    ("transfers", ADD, ADD + "    memref.copy %own, %r : memref<8xf32> to "
     "memref<8xf32>\n", WRITTEN),
    # Groups are counted right, and waited for.
    ("threads", "    %g1 = nvgpu.device_async_create_group {second}\n", "",
     GROUP),
    ("threads", "    %g1 = nvgpu.device_async_create_group {second}\n",
     "    %g1 = nvgpu.device_async_create_group {second}\n"
     "    %gx = nvgpu.device_async_create_group {third}\n", GROUP),
    ("threads", "numGroups = 2", "numGroups = 3", WAIT),
    ("threads", WAIT_OP, "", WAIT),
    ("threads", "{ahead}\n", "{ahead}\n      %z = memref.load %slot[%t] : !slot\n",
     UNAWAITED),
    ("threads", "      %g = nvgpu.device_async_create_group {ahead}\n" + WAIT_OP,
     WAIT_OP.replace("%g", "%g1")
     + "      %g = nvgpu.device_async_create_group {ahead}\n", WAIT),
    ("threads", "      %g = nvgpu",
     "      scf.if %more {\n        %n = nvgpu.device_async_create_group {more}\n"
     "      }\n      %g = nvgpu", NUMBER),
    # Threads have left a slot that is filled again.
    ("threads", END, "", LEFT),
    ("threads", END, "      %odd = arith.cmpi eq, %t, %c0 : index\n"
     "      scf.if %odd {\n        gpu.barrier\n      }\n", LEFT),
    ("threads", END, END + "      %z = memref.load %slot[%t] : !slot\n", LEFT),
    # Nothing is under way behind the loop.
    ("threads", "    nvgpu.device_async_wait %g3\n", "", DRAIN),
    ("threads", "    nvgpu.device_async_wait %g3\n",
     "    nvgpu.device_async_wait %g3 {numGroups = 2 : i32}\n", DRAIN),
    ("transfers", LAST, "", ORDER),
    ("transfers", "  memref.dma_wait %tags[%c0], %c8 : memref<3xi32>\n", "",
     ORDER),
    # Each transfer tells its end in the element of its turn.
    ("transfers", "%c8, %tags[%numberLater]", "%c8, %tags[%number]", TAG),
    ("transfers", AWAIT, AWAIT.replace("%number", "%numberLater"), TAG),
    ("transfers", "%second[%c0], %c8, %tags[%c1]",
     "%second[%c0], %c8, %tags[%c2]", TAG),
    ("transfers", AWAIT, "", WAIT),
    ("transfers", AWAIT + ADD, ADD + AWAIT, UNAWAITED),
    ("transfers", LAST
     + "  linalg.add ins(%second, %second : !slot, !slot) outs(%own : "
     "memref<8xf32>)\n",
     "  linalg.add ins(%second, %second : !slot, !slot) outs(%own : "
     "memref<8xf32>)\n" + LAST, UNAWAITED),
    # Some more that change several places at once.
    ("partial", None, None, SOME),
    ("halves", None, None, EARLIER),
    ("late", None, None, BEGINS),
    ("call", None, None, BEYOND),
    # Loads by TMA: the slot and its mbarrier follow from the number of the turn.
    ("loads", "remui %turn, %c3", "remui %turn, %c2", SLOT),
    ("loads", "addi %turn, %c2", "addi %turn, %c1", OUTSIDE),
    ("loads", "cmpi ule, %c2, %left", "cmpi ule, %c1, %left", AHEAD),
    ("loads", "cmpi ule, %c1, %left0", "cmpi ule, %c2, %left0", FIRST),
    ("loads", "%d[%later, %c0]", "%d[%i, %c0]", LIKE),
    ("loads", "%d[%next, %c0]", "%d[%next, %c1]", LIKE),
    ("loads", TILE, TILE.replace("%m[%numberLater]", "%m[%number]"), APART),
    ("loads", TILE, TILE.replace("%m[%numberLater]", "%m[%c0]"), APART),
    ("loads", TILE_0, TILE_0.replace("%m[%c0]", "%m[%c1]"), APART),
    # Its phase, too.
    ("loads", "divui %turn, %c3", "divui %turn, %c2", PHASE),
    ("loads", "divui %turn, %c3", "divui %since, %c3", PHASE),
    ("loads", "divui %turn, %c3", "divui %i, %c3", PHASE),
    ("loads", "remui %phase, %c2", "remui %phase, %c3", PHASE),
    ("loads", "remui %phase, %c2", "remui %turn, %c2", PHASE),
    ("loads", "cmpi ne, %rest, %c0", "cmpi eq, %rest, %c0", PHASE),
    ("loads", "cmpi ne, %rest, %c0", "cmpi ne, %rest, %c1", PHASE),
    # Each turn waits once, behind what it starts and in front of all uses.
    ("loads", PARITY, "", "waits in no turn for what it loads"),
    ("loads", PARITY, PARITY + PARITY, WAITS),
    ("loads", PARITY, PARITY.replace("%number]", "%numberLater]"), WAITS),
    ("loads", PARITY, PARITY.replace("%number]", "%c0]"), WAITS),
    ("loads", PARITY, "      scf.if %more {\n" + PARITY + "      }\n", WAITS),
    ("loads", PARITY + READ, READ + PARITY, UNAWAITED),
    ("loads", "      scf.if %more {\n", PARITY + "      scf.if %more {\n", WAITS),
    ("early", None, None, TOO_EARLY),
    # Each mbarrier begins once, alike, in front of a barrier.
    ("loads", INIT_2, "", INITS),
    ("loads", INIT_2, INIT_2 + INIT_2, INITS),
    ("loads", INIT_2, INIT_2.replace("[%c2]", "[%c1]"), INITS),
    ("loads", INIT_2, INIT_2.replace("%c1, pred", "%c2, pred"), INIT),
    ("loads", INIT_2, INIT_2.replace(", predicate = %thread", ""), INIT),
    ("loads", "    gpu.barrier {start}\n", "", UNMET),
    ("loads", "    gpu.barrier {start}\n",
     "    scf.if %thread { gpu.barrier }\n", UNMET),
    ("loads", "num_barriers = 3", "num_barriers = 4", GROUPS),
    # Each phase has the same arrivals and bytes, where its copy stands.
    ("loads", EXPECT, EXPECT.replace("%bytes", "%later"), DIFFERS),
    ("loads", TILE, TILE.replace("%thread", "%more"), LIKE),
    ("loads", EXPECT, EXPECT.replace("%thread", "%more"), DIFFERS),
    ("loads", EXPECT + " : !m\n", "", UNLIKE),
    ("loads", TILE_0, EXPECT_0 + " : !m\n      " + TILE_0, UNLIKE),
    ("loads", "to %first, predicate = %thread : !map, !m -> !slot\n",
     "to %first, predicate = %thread : !map, !m -> !slot\n      " + EXPECT_0 + " : !m\n", MORE),
    ("loads", EXPECT_0 + " : !m\n", "", UNLIKE),
    ("loads", EXPECT_0, EXPECT_0.replace("%bytes", "%c1"), UNLIKE),
    ("loads", EXPECT_0, EXPECT_0.replace(", predicate = %thread", ""), UNLIKE),
    ("loads", EXPECT, EXPECT.replace("%numberLater", "%number"), APART),
    ("loads", EXPECT, EXPECT + " : !m\n        " + EXPECT, UNLIKE),
    ("loads", "      %new = arith", "      " + EXPECT + " : !m\n      %new = arith", APART),
    ("loads", "    memref.store %total", "    %at = nvgpu.mbarrier.get %m[%c0] : !m -> i64\n    memref.store %total", ELSE),
    ("untold", None, None, UNTOLD),
    # All threads have left the slot; nobody writes what is loaded.
    ("loads", END, "", LEFT),
    ("loads", END, "      scf.if %thread { gpu.barrier }\n", LEFT),
    ("loads", "      %new = arith", "      memref.store %e, %out[%t] : memref<64xf32>\n      %new = arith", WRITTEN),
    ("loads", "    %any = ", "    memref.store %zero, %out[%t] : memref<64xf32>\n    %any = ", BEGINS),
    ("fenced", None, None, FENCE),
    ("loads", "    memref.store %total", "    %after = memref.subview %slots[%c0, 0, 0] [1, 8, 8] [1, 1, 1] : !slots to !slot\n"
     "    %z = memref.load %after[%c0, %c0] : !slot\n    memref.store %total", OUTSIDE),
    ("loads", "alignment = 128", "alignment = 1024", ALIGNED),
    ("other", None, None, TELLS),
    ("again", None, None, AGAIN),
]


def loads(name, text):
    """Those of loads.mlir that take more than one edit."""
    if name == "early":
        return text.replace(PARITY, "").replace("      scf.if %more {\n", PARITY + "      scf.if %more {\n")
    if name == "untold":
        return "".join(line for line in text.splitlines(True) if "expect_tx" not in line)
    if name == "fenced":
        fence = "      nvvm.fence.proxy {kind = #nvvm.proxy_kind<async>}\n"
        stored = "    memref.store %zero, %out[%t] : memref<64xf32>\n"
        return text.replace(END, fence + END).replace("    gpu.barrier {start}\n", stored + "    gpu.barrier {start}\n")
    if name == "other":  # no load of the first turns has a condition, and all bring the same
        text = text.replace("%d[%lb,", "%d[%c0,").replace("%d[%next,", "%d[%c0,").replace("%d[%later,", "%d[%c0,")
        return text.replace("%lb: index, %ub: index, %s: index", "%a: index, %b: index, %c: index").replace(
            "    %c0 =", "    %lb = arith.constant 4 : index\n    %ub = arith.constant 40 : index\n"
            "    %s = arith.constant 3 : index\n    %c0 =").replace("    scf.if %any {\n", "").replace(
            "    scf.if %two {\n", "").replace("-> !slot\n    }\n", "-> !slot\n").replace(
            "%first = memref.subview %slots[%c0,", "%first = memref.subview %slots[%c1,").replace(
            "%second = memref.subview %slots[%c1,", "%second = memref.subview %slots[%c0,")
    return text.replace("    %any = ", "    scf.for %o = %c0 to %c2 step %c1 {\n    %any = ").replace(
        "    gpu.return", "    }\n    gpu.return")


def program(name, old, new):
    text = lambda n: (HERE / (n + ".mlir")).read_text(encoding="utf-8")
    if old is not None:
        assert text(name).count(old) == 1, (name, old)
        return text(name).replace(old, new)
    if name in ("early", "untold", "fenced", "again", "other"):
        return loads(name, text("loads"))
    if name == "partial":
        return text("transfers").replace("%c0], %c8, %tags", "%c0], %c4, %tags")
    if name == "halves":
        done = text("threads")
        for view in ("first", "second", "ahead"):
            done = done.replace(f"%{view}[%t], 1", f"%{view}[%half], 1")
        return done
    if name == "late":
        return text("threads").replace(
            " {llvm.noalias, llvm.readonly}", "").replace(
            "memref<64xf32>, %lb", "memref<64xf32>, %w: memref<64xf32>, %lb"
        ).replace("      memref.store %e, %out[%t] : memref<64xf32>\n", "").replace(
            "    %any = ", "    %zero = arith.constant 0.0 : f32\n"
            "    memref.store %zero, %in[%c0, %u] : memref<?x64xf32>\n    %any = ")
    return text("copies").replace(
        ADD, "    func.call @g(%slot) : (!slot) -> ()\n") + (
        "func.func private @g(!slot)\n")


def main():
    opt = sys.argv[1:]
    failed = refused = 0
    for name, old, new, error in MUTANTS:
        run = subprocess.run(
            [*opt, "--pass-pipeline=builtin.module(berth-verify)", "-o",
             "/dev/null"], input=program(name, old, new), text=True,
            capture_output=True, check=False)
        if run.returncode == 1 and error in run.stderr:
            refused += 1
        else:
            failed += 1
            print(f"{name}: {old!r} -> {new!r}: expected {error!r}, got "
                  f"{run.returncode}: {run.stderr[:300]}")
    print(f"{refused} mutants refused")
    return failed > 0


sys.exit(main())
