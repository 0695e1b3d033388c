# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Parities of mbarriers' phases in many forms: parities.py BERTH-OPT.

berth-multi-buffer gives a tile slots where each wait is for the phase of its turn,
however the parity is computed, and leaves it where the parity is another one.
"""

import subprocess
import sys

KERNEL = """
!tile = memref<8x8xf32, #gpu.address_space<workgroup>>
!map = !nvgpu.tensormap.descriptor<tensor = !tile, swizzle = none, l2promo = none, oob = zero, interleave = none>
!mbarrier = !nvgpu.mbarrier.group<memorySpace = #gpu.address_space<workgroup>>
gpu.module @kernels {{
  gpu.func @tiles(%d: !map, %out: memref<64xf32>, %lb: index, %ub: index, %s: index) kernel {{
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    %c4 = arith.constant 4 : index
    %i0 = arith.constant 0 : i32
    %i1 = arith.constant 1 : i32
    %i2 = arith.constant 2 : i32
    %bytes = arith.constant 256 : index
    %even = arith.constant false
    %odd = arith.constant true
    %first = arith.cmpi eq, %t, %c0 : index
    %m = nvgpu.mbarrier.create -> !mbarrier
    nvgpu.mbarrier.init %m[%c0], %c1, predicate = %first : !mbarrier
    gpu.barrier
    %x = memref.alloc() {{alignment = 128 : i64}} : !tile
    %last = scf.for {sign} %k = {lb} to %ub step {step} iter_args(%p = {initial}) -> ({type}) {{
      {parity}
      nvgpu.mbarrier.arrive.expect_tx %m[%c0], %bytes, predicate = %first : !mbarrier
      nvgpu.tma.async.load %d[%k, %c0], %m[%c0] to %x, predicate = %first : !map, !mbarrier -> !tile
      nvgpu.mbarrier.try_wait.parity %m[%c0], %parity, %t : !mbarrier
      %read = memref.load %x[%c0, %c0] : !tile
      gpu.barrier
      scf.yield %next : {type}
    }}
    gpu.return
  }}
}}
"""


def kernel(parity, initial="%even", type="i1", lb="%lb", step="%s", sign=""):
    if "%next =" not in parity:
        parity += f"\n      %next = arith.xori %p, %odd : i1"
    if "%parity =" not in parity:
        parity = f"%parity = arith.xori %p, %even : i1\n      {parity}"
    return KERNEL.format(parity=parity, initial=initial, type=type, lb=lb, step=step, sign=sign)


ZERO = {"lb": "%c0", "step": "%c1"}
INDEX = {"initial": "%c0", "type": "index"}
WORD = {"initial": "%i0", "type": "i32"}
ODD = "%parity = arith.cmpi {}, %bit, {} : index"
TURN = "%since = arith.subi %k, %lb : index\n%turn = arith.divui %since, %s : index\n"
NOT = "%n = arith.{} : {}\n"

RIGHT = [
    # Carried.
    kernel(""),
    kernel("%next = arith.select %p, %even, %odd : i1"),
    kernel("%q = arith.cmpi eq, %p, %even : i1\n%next = arith.xori %q, %even : i1"),
    kernel("%next = arith.subi %odd, %p : i1"),
    kernel("%next = arith.addi %p, %odd : i1"),
    kernel("%parity = arith.xori %p, %odd : i1\n%next = arith.xori %p, %odd : i1", initial="%odd"),
    kernel("%next = arith.subi %c1, %p : index\n%parity = arith.cmpi ne, %p, %c0 : index", **INDEX),
    kernel("%next = arith.xori %p, %c1 : index\n%parity = arith.index_cast %p : index to i1", **INDEX),
    kernel("%q = arith.addi %p, %c1 : index\n%next = arith.remui %q, %c2 : index\n"
           "%parity = arith.cmpi eq, %p, %c1 : index", **INDEX),
    kernel("%q = arith.addi %p, %c1 : index\n%next = arith.remsi %q, %c4 : index\n"
           "%parity = arith.trunci %w : i32 to i1".replace("%parity", "%w = arith.index_cast %p : index to i32\n%parity"), **INDEX),
    kernel("%next = arith.xori %p, %i1 : i32\n%parity = arith.trunci %p : i32 to i1", **WORD),
    kernel("%q = arith.cmpi ult, %p, %i1 : i32\n%next = arith.select %q, %i1, %i0 : i32\n"
           "%parity = arith.cmpi sgt, %p, %i0 : i32", **WORD),
    kernel("%q = arith.addi %p, %i2 : i32\n%r = arith.andi %q, %i2 : i32\n%next = arith.addi %r, %i0 : i32\n"
           "%h = arith.divui %p, %i2 : i32\n%parity = arith.cmpi eq, %h, %i1 : i32", **WORD),
    # Computed.
    kernel("%h = arith.remui %k, %c2 : index\n%parity = arith.cmpi eq, %h, %c1 : index", **ZERO),
    kernel("%h = arith.remsi %k, %c2 : index\n%parity = arith.cmpi ne, %h, %c0 : index", **ZERO),
    kernel("%h = arith.andi %k, %c1 : index\n%g = arith.xori %h, %c1 : index\n"
           "%parity = arith.cmpi eq, %g, %c0 : index", **ZERO),
    kernel("%h = arith.andi %k, %c1 : index\n%g = arith.cmpi eq, %h, %c0 : index\n"
           "%parity = arith.select %g, %even, %odd : i1", **ZERO),
    kernel("%h = arith.index_cast %k : index to i32\n%parity = arith.trunci %h : i32 to i1", **ZERO),
    kernel("%h = arith.index_cast %k : index to i32\n%g = arith.andi %h, %i1 : i32\n"
           "%parity = arith.trunci %g : i32 to i1", **ZERO),
    kernel("%h = arith.divsi %k, %s : index\n%g = arith.remsi %h, %c2 : index\n"
           "%parity = arith.cmpi eq, %g, %c1 : index", lb="%c0"),
    kernel("%h = arith.floordivsi %k, %s : index\n%g = arith.remui %h, %c2 : index\n"
           "%parity = arith.cmpi eq, %g, %c1 : index", lb="%c0"),
    kernel("%h = arith.floordivsi %k, %c3 : index\n%g = arith.andi %h, %c1 : index\n"
           "%parity = arith.index_cast %g : index to i1", lb="%c0", step="%c3"),
    kernel(TURN + "%h = arith.remui %turn, %c2 : index\n%parity = arith.cmpi eq, %h, %c1 : index"),
    kernel(TURN + "%h = arith.remui %turn, %c2 : index\n%parity = arith.cmpi eq, %h, %c1 : index", sign="unsigned"),
    kernel(TURN + "%h = arith.addi %turn, %c1 : index\n%g = arith.remui %h, %c2 : index\n"
           "%parity = arith.cmpi eq, %g, %c0 : index"),
    kernel(TURN + "%h = arith.remui %turn, %c4 : index\n%g = arith.andi %h, %c1 : index\n"
           "%parity = arith.cmpi eq, %g, %c1 : index"),
]

WRONG = [
    kernel("", initial="%odd"),
    kernel("%next = arith.xori %p, %even : i1"),
    kernel("%parity = arith.xori %p, %odd : i1"),
    kernel("%next = arith.andi %p, %odd : i1"),
    kernel("%q = arith.addi %p, %c1 : index\n%next = arith.remui %q, %c3 : index\n"
           "%parity = arith.cmpi eq, %p, %c1 : index", **INDEX),
    kernel("%next = arith.addi %p, %s : index\n%parity = arith.index_cast %p : index to i1", **INDEX),
    kernel("%h = arith.remui %k, %c2 : index\n%parity = arith.cmpi eq, %h, %c0 : index", **ZERO),
    kernel("%h = arith.remui %k, %c3 : index\n%parity = arith.cmpi eq, %h, %c1 : index", **ZERO),
    kernel("%h = arith.remui %k, %c2 : index\n%parity = arith.cmpi eq, %h, %c1 : index"),
    kernel("%h = arith.remui %k, %c2 : index\n%parity = arith.cmpi eq, %h, %c1 : index", lb="%c1", step="%c1"),
    kernel("%h = arith.remui %k, %c2 : index\n%parity = arith.cmpi eq, %h, %c1 : index", lb="%c0", step="%c2"),
    kernel("%h = arith.divui %k, %c2 : index\n%g = arith.remui %h, %c2 : index\n"
           "%parity = arith.cmpi eq, %g, %c1 : index", **ZERO),
    kernel("%h = arith.divsi %k, %s : index\n%g = arith.remsi %h, %c2 : index\n"
           "%parity = arith.cmpi eq, %g, %c1 : index"),
    kernel("%since = arith.subi %k, %lb : index\n%turn = arith.divsi %since, %s : index\n"
           "%g = arith.remui %turn, %c2 : index\n%parity = arith.cmpi eq, %g, %c1 : index"),
    kernel(TURN + "%h = arith.remui %turn, %c4 : index\n%parity = arith.cmpi eq, %h, %c1 : index"),
    kernel(TURN + "%h = arith.remui %turn, %c3 : index\n%g = arith.andi %h, %c1 : index\n"
           "%parity = arith.cmpi eq, %g, %c1 : index"),
]


def has_slots(opt, text):
    run = subprocess.run([*opt, "--pass-pipeline=builtin.module(berth-multi-buffer{factor=3})"],
                         input=text, text=True, capture_output=True, check=False)
    if run.returncode:
        sys.exit(f"{text}\n{run.stderr}")
    return "berth.slots" in run.stdout


def main():
    opt = sys.argv[1:]
    wrong = 0
    for text, wanted in [(t, True) for t in RIGHT] + [(t, False) for t in WRONG]:
        if has_slots(opt, text) != wanted:
            wrong += 1
            body = text.split("iter_args", 1)[1].split("nvgpu", 1)[0]
            print("refused" if wanted else "accepted", body)
    print(f"{len(RIGHT)} parities of the turn, {len(WRONG)} others, {wrong} wrong")
    return wrong > 0


sys.exit(main())
