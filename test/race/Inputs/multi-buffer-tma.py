# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random kernels that load something by TMA in each turn of a loop, to stdout.

    python3 multi-buffer-tma.py FIRST_SEED COUNT

Kernels for batch.sh, without races. Loads may move ahead in some and must not in others: the
source is written in the loop or right in front of it, or nothing but an allocation parts the turns.
"""

import random
import sys

SPACE = "#gpu.address_space<workgroup>"
TILE = f"memref<4x8xi32, {SPACE}>"
MAP = (f"!nvgpu.tensormap.descriptor<tensor = {TILE}, swizzle = none, l2promo = none, oob = zero, "
       "interleave = none>")
GROUP = f"!nvgpu.mbarrier.group<memorySpace = {SPACE}>"
HEAD = """%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c2 = arith.constant 2 : index
%c4 = arith.constant 4 : index
%c8 = arith.constant 8 : index
%c31 = arith.constant 31 : index
%c32 = arith.constant 32 : index
%c63 = arith.constant 63 : index
%zero = arith.constant 0 : i32
%three = arith.constant 3 : i32
%even = arith.constant false
%odd = arith.constant true
%address = memref.extract_aligned_pointer_as_index %in : memref<256xi32> -> index
%number = arith.index_cast %address : index to i64
%base = llvm.inttoptr %number : i64 to !llvm.ptr
%pitch = llvm.mlir.constant(16 : i64) : i64
%four = llvm.mlir.constant(4 : i64) : i64
%eight = llvm.mlir.constant(8 : i64) : i64
%at = llvm.call @race_map(%base, %pitch, %four, %four, %eight) : (!llvm.ptr, i64, i64, i64, i64) -> !llvm.ptr
%t = gpu.thread_id x
%u = arith.subi %c63, %t : index"""


class Kernel:
    def __init__(self, seed):
        self.random = random.Random(seed)
        self.seed = seed
        self.lines = []
        self.count = 0

    def chance(self, likely):
        return self.random.random() < likely

    def put(self, text):
        self.lines += ["    " + line for line in text.split("\n")]

    def op(self, text):
        self.count += 1
        self.put(f"%v{self.count} = {text}")
        return f"%v{self.count}"

    def constant(self, value):
        return self.op(f"arith.constant {value} : index")

    def binary(self, name, a, b):
        return self.op(f"arith.{name} {a}, {b if str(b).startswith('%') else self.constant(b)} : index")

    def bound(self, value):
        """A constant, or the same known at run time only (the argument is 4)."""
        return self.constant(value) if self.chance(0.5) else self.binary("subi", "%n", 4 - value)

    def element(self):
        """Two subscripts in a tile, of one of the threads with this remainder."""
        at = self.binary("andi", self.random.choice(["%t", "%u", self.binary("xori", "%t", 9)]), "%c31")
        return f"{self.binary('divui', at, '%c8')}, {self.binary('remui', at, '%c8')}"

    def expect(self, group, tiles):
        size = self.constant(128 * tiles)
        self.put(f"nvgpu.mbarrier.arrive.expect_tx {group}[%c0], {size}, predicate = %one : {GROUP}")

    def load(self, tile, group, k):
        """The tile of turn k: one of eight of a matrix of 16 by 16."""
        place = self.binary("addi", k, self.random.randrange(3))
        row = self.binary("muli", self.binary("remui", place, "%c4"), "%c4")
        column = self.binary("muli", self.binary("remui", place, "%c2"), "%c8")
        self.put(f"nvgpu.tma.async.load %map[{column}, {row}], {group}[%c0] to {tile}, predicate = %one : "
                 f"{MAP}, {GROUP} -> {TILE}")

    def use(self, tile, state):
        if self.chance(0.25):  # changed in place, by the threads of half the block
            mine = f"{self.binary('divui', '%t', '%c8')}, {self.binary('remui', '%t', '%c8')}"
            half = self.op("arith.cmpi ult, %t, %c32 : index")
            self.put(f"scf.if {half} {{")
            old = self.op(f"memref.load {tile}[{mine}] : {TILE}")
            new = self.op(f"arith.addi {old}, %three : i32")
            self.put(f"memref.store {new}, {tile}[{mine}] : {TILE} }}")
            self.put("gpu.barrier")
        value = self.op(f"memref.load {tile}[{self.element()}] : {TILE}")
        tripled = self.op(f"arith.muli {state}, %three : i32")
        return self.op(f"arith.addi {tripled}, {value} : i32")

    def text(self):
        made_in_body = self.chance(0.25)
        first, middle, last = self.random.choice(
            [(True, False, False), (False, False, True), (False, False, True), (True, True, True)])
        if made_in_body and self.chance(0.6):
            first, middle, last = False, True, False
        stores_in_loop = self.chance(0.15)
        stores_before = self.chance(0.3)
        tiles = [f"%x{i}" for i in range(self.random.randint(1, 3))]
        shared = self.chance(0.5)
        groups = ["%m0"] if shared else [f"%m{i}" for i in range(len(tiles))]
        group_of = lambda i: groups[0] if shared else groups[i]
        self.put(HEAD)
        self.put(f"%map = builtin.unrealized_conversion_cast %at : !llvm.ptr to {MAP}")
        self.put(f"%one = arith.cmpi eq, {self.random.choice(['%t', '%u'])}, {self.random.choice(['%c0', '%n'])} : index")
        for group in groups:
            self.put(f"{group} = nvgpu.mbarrier.create -> {GROUP}")
        inside = self.chance(0.3)
        if inside:
            self.put("scf.if %one {")
        for group in groups:
            self.put(f"nvgpu.mbarrier.init {group}[%c0], %c1, predicate = %one : {GROUP}")
        if inside:
            self.put("}")
        if stores_before:
            self.put(f"memref.store %three, %in[{self.binary('addi', '%u', 64)}] : memref<256xi32>")
        self.put("gpu.barrier")
        if not made_in_body:
            for tile in tiles:
                self.put(f"{tile} = memref.alloc() {{alignment = 128 : i64}} : {TILE}")
        lower, step, turns = self.random.randint(0, 3), self.random.randint(1, 3), self.random.randint(0, 6)
        upper = lower + turns * step - self.random.randint(0, step - 1)
        low, up, way = self.bound(lower), self.bound(upper), self.bound(step)
        self.put(f"%sum, %p = scf.for %k = {low} to {up} step {way} iter_args(%s = %zero, %parity = %even) -> (i32, i1) {{")
        if made_in_body:
            for tile in tiles:
                self.put(f"{tile} = memref.alloc() {{alignment = 128 : i64}} : {TILE}")
        if first:
            self.put("gpu.barrier")
        if shared:
            self.expect(groups[0], len(tiles))
        for i, tile in enumerate(tiles):
            if not shared:
                self.expect(groups[i], 1)
            self.load(tile, group_of(i), "%k")
        parity = "%parity"
        if self.chance(0.4):
            turn = self.binary("divui", self.binary("subi", "%k", low), way)
            parity = self.op(f"arith.index_cast {self.binary('remui', turn, '%c2')} : index to i1")
        for group in groups:
            self.put(f"nvgpu.mbarrier.try_wait.parity {group}[%c0], {parity}, %c63 : {GROUP}")
        if middle:
            self.put("gpu.barrier")
        state = "%s"
        for tile in tiles:
            state = self.use(tile, state)
        if stores_in_loop:
            self.put("gpu.barrier")
            to = self.binary("addi", self.binary("muli", self.binary("remui", "%k", "%c4"), 64), "%u")
            self.put(f"memref.store {state}, %in[{to}] : memref<256xi32>")
            self.put("gpu.barrier")
        if last:
            self.put("gpu.barrier")
        self.put("%next = arith.xori %parity, %odd : i1")
        self.put(f"scf.yield {state}, %next : i32, i1 }}")
        self.put("memref.store %sum, %out[%t] : memref<256xi32>")
        body = "\n".join(self.lines)
        return (f"  gpu.func @seed_{self.seed}(%in: memref<256xi32>, %out: memref<256xi32>, %n: index) kernel "
                f"attributes {{known_block_size = array<i32: 64, 1, 1>}} {{\n{body}\n    gpu.return\n  }}")


def main():
    first, count = map(int, sys.argv[1:])
    print("gpu.module @kernels {")
    print("  llvm.func @race_map(!llvm.ptr, i64, i64, i64, i64) -> !llvm.ptr")
    for seed in range(first, first + count):
        print(Kernel(seed).text())
    print("}")


main()
