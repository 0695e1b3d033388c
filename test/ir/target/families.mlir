// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Entries of families, and what Berth's own entries may say, for anybody's ops.

// RUN: %berth-opt %s --allow-unregistered-dialect --pass-pipeline='builtin.module(berth-print-interference{target=%S/Inputs/families.json})' -o /dev/null 2>&1 | FileCheck %s
// RUN: %berth-opt %s --allow-unregistered-dialect --remarks-filter='berth.*' --pass-pipeline='builtin.module(berth-print-interference{target=%S/Inputs/families.json})' -o /dev/null 2>&1 | FileCheck %s --check-prefix=SEEN
// RUN: %berth-opt %s --allow-unregistered-dialect --pass-pipeline='builtin.module(berth-arena{arena=annotate in-place=false target=%S/Inputs/families.json},berth-verify{target=%S/Inputs/families.json})' -o /dev/null

// A family whose ops are there only by other entries has been met, too.
// SEEN-NOT: 'npu.*', which does not occur
// SEEN: 'npu.loop', which does not occur

!b = memref<64xi8>

// Until the next barrier, by the family.
// CHECK-LABEL: @family
// CHECK-NEXT: %alloc and %alloc_0:
// CHECK-NOT: %alloc
func.func @family(%x: !b, %y: !b) {
  %a = memref.alloc() : !b
  %b = memref.alloc() : !b
  "npu.dma_out"(%a, %y) : (!b, !b) -> ()
  "npu.dma_out"(%b, %y) : (!b, !b) -> ()
  "npu.wait"() : () -> ()
  return
}

// The longest name counts, of its entries the first whose conditions hold, and
// in front of both the entry of the op itself.
// CHECK-LABEL: @longest
// CHECK-NEXT: %alloc_1 and %alloc_2:
// CHECK-NOT: %alloc
func.func @longest(%x: !b, %y: !b) {
  %a = memref.alloc() : !b
  %b = memref.alloc() : !b
  %c = memref.alloc() : !b
  %d = memref.alloc() : !b
  "npu.dma_in_row"(%a, %x) {now} : (!b, !b) -> ()
  "npu.dma_in_tile"(%b, %x) : (!b, !b) -> ()
  "npu.dma_in_row"(%c, %x) : (!b, !b) -> ()
  "npu.dma_in_row"(%d, %x) {now} : (!b, !b) -> ()
  "npu.wait"() : () -> ()
  return
}

// Groups of copies: the newest one may pend at the first wait.
// CHECK-LABEL: @groups
// CHECK-NEXT: %alloc and %alloc_0:
// CHECK: %alloc_0 and %alloc_1:
// CHECK-NOT: %alloc
func.func @groups(%x: !b, %y: !b) {
  %a = memref.alloc() : !b
  %b = memref.alloc() : !b
  %c = memref.alloc() : !b
  "npu.start"(%x, %a) : (!b, !b) -> ()
  "npu.group"() : () -> ()
  "npu.start"(%x, %b) : (!b, !b) -> ()
  "npu.group"() : () -> ()
  "npu.finish"() {left = 1 : i32} : () -> ()
  "npu.start"(%x, %c) : (!b, !b) -> ()
  "npu.group"() : () -> ()
  "npu.finish"() {left = 0 : i32} : () -> ()
  return
}

// The same by attributes of the ops.
// CHECK-LABEL: @attributes
// CHECK-NEXT: %alloc and %alloc_0:
// CHECK: %alloc_0 and %alloc_1:
// CHECK-NOT: %alloc
func.func @attributes(%x: !b, %y: !b) {
  %a = memref.alloc() : !b
  %b = memref.alloc() : !b
  %c = memref.alloc() : !b
  "my.start"(%x, %a) {berth.reads = [0], berth.writes = [1], berth.async = {kind = "copy", starts}} : (!b, !b) -> ()
  "my.group"() {berth.reads = [], berth.async = {kind = "copy", groups}} : () -> ()
  "my.start"(%x, %b) {berth.reads = [0], berth.writes = [1], berth.async = {kind = "copy", starts}} : (!b, !b) -> ()
  "my.group"() {berth.reads = [], berth.async = {kind = "copy", groups}} : () -> ()
  "my.finish"() {berth.reads = [], berth.async = {kind = "copy", may_pend = "left"}, left = 1 : i32} : () -> ()
  "my.start"(%x, %c) {berth.reads = [0], berth.writes = [1], berth.async = {kind = "copy", starts}} : (!b, !b) -> ()
  "my.group"() {berth.reads = [], berth.async = {kind = "copy", groups}} : () -> ()
  "my.finish"() {berth.reads = [], berth.async = {kind = "copy", may_pend = "left"}} : () -> ()
  return
}

// A partial entry leaves the rest to caution: the op may write what it is given.
// CHECK-LABEL: @partial
// CHECK-NEXT: %alloc and %alloc_0:
func.func @partial(%x: !b, %y: !b) {
  %a = memref.alloc() : !b
  %b = memref.alloc() : !b
  "npu.dma_in_tile"(%a, %x) : (!b, !b) -> ()
  %v = "npu.look"(%a) : (!b) -> !b
  "npu.dma_in_tile"(%b, %x) : (!b, !b) -> ()
  "npu.dma_in_tile"(%b, %v) : (!b, !b) -> ()
  return
}
