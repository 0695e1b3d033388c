// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Banks lie one behind the other, so an arena ends with the last byte of the
// last bank used: that end is as low as it can be, not the sum of what the banks
// hold. Both buffers in the second bank would be 128 bytes and end at 256.

// RUN: split-file %s %t
// RUN: %berth-opt %t/two.mlir --berth-target=%t/npu.json --remarks-filter='berth.*' --pass-pipeline='builtin.module(berth-arena{space=L1 arena=annotate},berth-verify)' 2>&1 | FileCheck %t/two.mlir
// What another function can have depends on it.
// RUN: %berth-opt %t/called.mlir --berth-target=%t/start.json --pass-pipeline='builtin.module(berth-arena{space=L1 arena=annotate},berth-verify)' | FileCheck %t/called.mlir
// Against all plans there are.
// RUN: %python %S/Inputs/bank-ends.py print > %t/drawn.mlir
// RUN: %berth-opt %t/drawn.mlir -o /dev/null --berth-target=%t/drawn.json --remarks-filter='berth.*' --pass-pipeline='builtin.module(berth-arena{space=L1 arena=annotate},berth-verify)' 2>&1 | %python %S/Inputs/bank-ends.py

//--- npu.json
{"ops": [{"name": "npu.use", "reads": [0], "writes": [1]}],
 "memories": [{"space": "L1", "capacity": 256, "banks": 2, "reserved": [[0, 32]]}]}
//--- start.json
{"ops": [{"name": "npu.use", "reads": [0], "writes": [1]}],
 "memories": [{"space": "L1", "start": "0x1000", "capacity": 256, "banks": 2, "reserved": [[0, 32]]}]}
//--- drawn.json
{"ops": [{"name": "npu.make", "writes": [0]}, {"name": "npu.use", "reads": [0]}],
 "memories": [{"space": "L1", "alignment": 8, "capacity": 144, "banks": 3, "reserved": [[0, 16]]}]}

//--- two.mlir
// CHECK: remark: {{.*}}2 of 2 buffers in an arena of 192 bytes {{.*}}optimal
// CHECK: berth.offset = 32
// CHECK: berth.offset = 128
func.func @f(%x: memref<64xi8, "L1">, %y: memref<64xi8, "L1">) {
  %a = memref.alloc() : memref<64xi8, "L1">
  %b = memref.alloc() : memref<64xi8, "L1">
  "npu.use"(%x, %a) : (memref<64xi8, "L1">, memref<64xi8, "L1">) -> ()
  "npu.use"(%a, %b) : (memref<64xi8, "L1">, memref<64xi8, "L1">) -> ()
  "npu.use"(%b, %y) : (memref<64xi8, "L1">, memref<64xi8, "L1">) -> ()
  return
}
//--- called.mlir
// CHECK-LABEL: @g
// CHECK: berth.offset = 192
func.func private @g(%x: memref<64xi8, "L1">, %y: memref<64xi8, "L1">) {
  %a = memref.alloc() : memref<64xi8, "L1">
  "npu.use"(%x, %a) : (memref<64xi8, "L1">, memref<64xi8, "L1">) -> ()
  "npu.use"(%a, %y) : (memref<64xi8, "L1">, memref<64xi8, "L1">) -> ()
  return
}
func.func @f(%x: memref<64xi8, "L1">, %y: memref<64xi8, "L1">) {
  %a = memref.alloc() : memref<64xi8, "L1">
  %b = memref.alloc() : memref<64xi8, "L1">
  "npu.use"(%x, %a) : (memref<64xi8, "L1">, memref<64xi8, "L1">) -> ()
  "npu.use"(%a, %b) : (memref<64xi8, "L1">, memref<64xi8, "L1">) -> ()
  call @g(%a, %b) : (memref<64xi8, "L1">, memref<64xi8, "L1">) -> ()
  "npu.use"(%b, %y) : (memref<64xi8, "L1">, memref<64xi8, "L1">) -> ()
  return
}
