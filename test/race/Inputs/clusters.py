# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Prints a random kernel for two workgroups of a cluster.

    clusters.py SEED [turns]

Buffers are written and read here, or there through nvvm.mapa, under conditions that
the cluster does not agree on too, in loops or not. Full barriers of the cluster stand
wherever the kernel would race without them; weaker ones, which order one workgroup
only, anywhere. `turns`: loops allocate buffers of their own, too.
"""

import random
import sys

HEAD = """!line = memref<32xi32, #gpu.address_space<workgroup>>
!row = memref<64xi32>
!struct = !llvm.struct<(ptr<3>, ptr<3>, i64, array<1 x i64>, array<1 x i64>)>
gpu.module @kernels {
  gpu.func @kernel(%in: !row, %out: !row) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %three = arith.constant 3 : i32
    %true = arith.constant true
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    %c31 = arith.constant 31 : i64
    %c32 = arith.constant 32 : index
    %t = gpu.thread_id x
    %b = gpu.block_id x
    %base = arith.muli %b, %c32 : index
    %g = arith.addi %base, %t : index
    %i = arith.index_cast %t : index to i64
    %j = arith.subi %c31, %i : i64
    %rank = nvvm.read.ptx.sreg.cluster.ctarank : i32
    %peer = arith.xori %rank, %one : i32
    %isFirst = arith.cmpi eq, %rank, %zero : i32
"""

FULL = ["nvvm.cluster.arrive {aligned}", "nvvm.cluster.wait {aligned}"]
WEAK = [
    ["gpu.barrier"],
    ["nvvm.cluster.arrive.relaxed {aligned}", "nvvm.cluster.wait {aligned}", "gpu.barrier"],
    [FULL[0], "gpu.barrier", FULL[1], "gpu.barrier"],
]


class Kernel:
    def __init__(self, seed, ofTurns):
        self.ofTurns = ofTurns  # loops allocate buffers, too
        self.random = random.Random(seed)
        self.count = self.random.randint(3, 6)
        some = self.random.randint(1, self.count)
        self.remote = set(self.random.sample(range(self.count), some))
        self.live = list(range(self.count))
        self.written = set()  # buffers that hold something everywhere
        self.done = {}  # buffer -> what is done to it since the last full barrier
        self.value, self.number, self.depth, self.lines = "%v", 0, 0, []

    def emit(self, line):
        self.lines.append("    " + "  " * self.depth + line)

    def new(self):
        self.number += 1
        return f"%v{self.number}"

    def full(self):
        for line in FULL:
            self.emit(line)
        self.done.clear()

    def weak(self):
        for line in self.random.choice(WEAK):
            self.emit(line)
        for buffer, done in self.done.items():
            if done in ("write", "read"):
                self.done[buffer] = done + " over"

    def address(self, buffer):
        struct, pointer, there, element = (self.new() for _ in range(4))
        at = self.random.choice(["%i", "%j"])
        self.emit(f"{struct} = builtin.unrealized_conversion_cast %b{buffer} : !line to !struct")
        self.emit(f"{pointer} = llvm.extractvalue {struct}[1] : !struct")
        self.emit(f"{there} = nvvm.mapa {pointer}, %peer : !llvm.ptr<3> -> !llvm.ptr<7>")
        self.emit(f"{element} = llvm.getelementptr {there}[{at}] : (!llvm.ptr<7>, i64) -> !llvm.ptr<7>, i32")
        return element

    def read(self, buffer, isThere):
        value = self.new()
        if isThere:
            at = self.address(buffer)
            self.emit(f"{value} = llvm.load {at} : !llvm.ptr<7> -> i32")
        else:
            self.emit(f"{value} = affine.load %b{buffer}[31 - %t] : !line")
        return value

    def write(self, buffer, isThere):
        if isThere:
            at = self.address(buffer)
            self.emit(f"llvm.store {self.value}, {at} : i32, !llvm.ptr<7>")
        else:
            self.emit(f"memref.store {self.value}, %b{buffer}[%t] : !line")

    def mayDo(self, buffer, isRead, isThere):
        """Notes the access, if it does not race with what has been done."""
        done = self.done.get(buffer)
        if isRead and buffer not in self.written:
            return False
        if isThere:
            allowed = (None, "read there") if isRead else (None,)
            now = "read there" if isRead else "write there"
        elif isRead:
            allowed = (None, "read", "write over", "read over", "read there")
            now = "read there" if done == "read there" else "read"
        else:
            allowed, now = (None, "write over", "read over"), "write"
        if done not in allowed:
            return False
        self.done[buffer] = now
        return True

    def access(self):
        buffer = self.random.choice(self.live)
        isRead = self.random.random() < 0.5
        isThere = buffer in self.remote and self.random.random() < 0.6
        if not self.mayDo(buffer, isRead, isThere):
            return
        if self.random.random() < 0.25:
            self.accessSometimes(buffer, isRead, isThere)
        elif isRead:
            self.mix(self.read(buffer, isThere))
        else:
            self.write(buffer, isThere)
            self.written.add(buffer)

    def accessSometimes(self, buffer, isRead, isThere):
        condition = self.random.choice(["%isFirst", "%true"])
        if isRead:
            result = self.new()
            self.emit(f"{result} = scf.if {condition} -> i32 {{")
            self.depth += 1
            self.emit(f"scf.yield {self.read(buffer, isThere)} : i32")
            self.depth -= 1
            self.emit("} else {")
            self.emit(f"  scf.yield {self.value} : i32")
            self.emit("}")
            self.mix(result)
            return
        self.emit(f"scf.if {condition} {{")
        self.depth += 1
        self.write(buffer, isThere)
        self.depth -= 1
        self.emit("}")

    def mix(self, value):
        product, total = self.new(), self.new()
        self.emit(f"{product} = arith.muli {value}, %three : i32")
        self.emit(f"{total} = arith.addi {product}, {self.value} : i32")
        self.value = total

    def allocate(self):
        """A buffer that lives for one turn of the loop."""
        buffer = self.number + self.count
        self.number += 1
        self.emit(f"%b{buffer} = memref.alloc() : !line")
        self.live.append(buffer)
        if self.random.random() < 0.7:
            self.remote.add(buffer)

    def loop(self):
        self.full()
        result, turn, carried = self.new(), self.new(), self.new()
        turns = self.random.choice(["%c1", "%c2"] + ["%c3"] * self.ofTurns)
        self.emit(
            f"{result} = scf.for {turn} = %c0 to {turns} step %c1 "
            f"iter_args({carried} = {self.value}) -> (i32) {{"
        )
        self.depth += 1
        self.value = carried
        written, live = set(self.written), list(self.live)
        if self.ofTurns:
            self.allocate()
        self.body(self.random.randint(3, 8 + 4 * self.ofTurns))
        # Buffers of the turn are others in the next one.
        if any(buffer in live for buffer in self.done) or self.random.random() < 0.5:
            self.full()
        self.emit(f"scf.yield {self.value} : i32")
        self.depth -= 1
        self.emit("}")
        self.value, self.written, self.live = result, written, live
        self.done.clear()

    def body(self, steps):
        for _ in range(steps):
            what = self.random.random()
            if what < 0.62:
                self.access()
            elif what < 0.8:
                self.full()
            elif what < 0.92:
                self.weak()
            elif self.depth == 0:
                self.loop()
            elif self.ofTurns:
                self.allocate()

    def text(self):
        self.full()
        self.body(self.random.randint(12, 30))
        self.full()
        buffers = [f"    %b{b} = memref.alloc() : !line" for b in range(self.count)]
        buffers.append("    %v = memref.load %in[%g] : !row")
        end = [f"    memref.store {self.value}, %out[%g] : !row", "    gpu.return", "  }", "}"]
        return HEAD + "\n".join(buffers + self.lines + end)


print(Kernel(int(sys.argv[1]), "turns" in sys.argv[2:]).text())
