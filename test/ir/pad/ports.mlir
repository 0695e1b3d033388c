// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Offsets are shifted between ports that a target description tells of.
// RUN: split-file %s %t
// DEFINE: %{target} = one.json
// DEFINE: %{file} = same
// DEFINE: %{options} = banks=shift
// DEFINE: %{plan} = %berth-opt --berth-target=%t/%{target} --remarks-filter=berth-arena %t/%{file}.mlir --pass-pipeline='builtin.module(berth-arena{arena=annotate %{options}})'
// RUN: %{plan} 2>&1 | FileCheck %s --check-prefix=SAME
// RUN: %{plan} | FileCheck %s --check-prefix=PLAN
//
// No more than the capacity; without one no more than before.
// REDEFINE: %{target} = small.json
// RUN: %{plan} 2>&1 | FileCheck %s --check-prefix=SMALL
// REDEFINE: %{target} = none.json
// RUN: %{plan} 2>&1 | FileCheck %s --check-prefix=SMALL
//
// REDEFINE: %{target} = one.json
// REDEFINE: %{file} = ports
// RUN: %{plan} 2>&1 | FileCheck %s
//
// What is pinned stays.
// REDEFINE: %{file} = pinned
// RUN: %{plan} 2>&1 | FileCheck %s --check-prefix=PINNED
// REDEFINE: %{file} = shared
// REDEFINE: %{target} = shared.json
// RUN: %berth-opt --berth-target=%t/shared.json --remarks-filter=berth-arena %t/shared.mlir --pass-pipeline='builtin.module(berth-arena{banks=shift})' 2>&1 | FileCheck %s --check-prefix=SHARED

//--- one.json
{"memories": [{"space": "default", "capacity": 4096, "interleaved": {"banks": 4, "width": 16}}],
 "ops": [{"name": "npu.add", "reads": [0, 1], "writes": [2], "ports": [0, 1, 2]}]}
//--- small.json
{"memories": [{"space": "default", "capacity": 192, "interleaved": {"banks": 4, "width": 16}}],
 "ops": [{"name": "npu.add", "reads": [0, 1], "writes": [2], "ports": [0, 1, 2]}]}
//--- none.json
{"memories": [{"space": "default", "interleaved": {"banks": 4, "width": 16}}],
 "ops": [{"name": "npu.add", "reads": [0, 1], "writes": [2], "ports": [0, 1, 2]}]}
//--- shared.json
{"memories": [{"space": "#gpu.address_space<workgroup>", "interleaved": {"banks": 4, "width": 16}}],
 "ops": [{"name": "npu.add", "reads": [0, 1], "writes": [2], "ports": [0, 1, 2]}]}

//--- ports.mlir
// Parts begin elsewhere. One that begins at a place known at run time only is not counted.
// CHECK: passes over the banks in a step of its ports: 1, before: 1
// CHECK: passes over the banks in a step of its ports: 1, before: 1
// CHECK: 2 of its ports begin at a place that is known at run time only
!half = memref<4xi32, strided<[1], offset: 4>>
!some = memref<4xi32, strided<[1], offset: ?>>
func.func @parts(%i: index) {
  %a = memref.alloc() {alignment = 16 : i64} : memref<16xi32>
  %b = memref.alloc() {alignment = 16 : i64} : memref<16xi32>
  %c = memref.alloc() {alignment = 16 : i64, berth.pin = 160 : i64} : memref<4xi32>
  "npu.make"(%a, %b) {berth.writes = [0, 1]} : (memref<16xi32>, memref<16xi32>) -> ()
  %p = memref.subview %a[4] [4] [1] : memref<16xi32> to !half
  %w = memref.subview %b[0] [4] [1] : memref<16xi32> to memref<4xi32, strided<[1]>>
  "npu.add"(%p, %w, %c) : (!half, memref<4xi32, strided<[1]>>, memref<4xi32>) -> ()
  "npu.use"(%c) {berth.reads = [0]} : (memref<4xi32>) -> ()
  %q = memref.subview %a[%i] [4] [1] : memref<16xi32> to !some
  %r = memref.subview %b[%i] [4] [1] : memref<16xi32> to !some
  "npu.add"(%q, %r, %c) : (!some, !some, memref<4xi32>) -> ()
  "npu.use"(%c) {berth.reads = [0]} : (memref<4xi32>) -> ()
  return
}

// One alignment is a multiple of all banks: it stays, the others leave. In a loop an op counts
// for its turns.
// CHECK: passes over the banks in a step of its ports: 1, before: {{[23]}}
func.func @aligned() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c9 = arith.constant 9 : index
  %a = memref.alloc() {alignment = 64 : i64} : memref<16xi32>
  %b = memref.alloc() {alignment = 64 : i64} : memref<16xi32>
  %c = memref.alloc() {alignment = 16 : i64} : memref<16xi32>
  "npu.make"(%a, %b) {berth.writes = [0, 1]} : (memref<16xi32>, memref<16xi32>) -> ()
  scf.for %i = %c0 to %c9 step %c1 {
    %d = memref.alloc() {alignment = 16 : i64} : memref<16xi32>
    "npu.make"(%d) {berth.writes = [0]} : (memref<16xi32>) -> ()
    "npu.add"(%a, %d, %c) : (memref<16xi32>, memref<16xi32>, memref<16xi32>) -> ()
  }
  "npu.use"(%c, %b) {berth.reads = [0, 1]} : (memref<16xi32>, memref<16xi32>) -> ()
  return
}

//--- same.mlir
// Three buffers of 64 bytes, one behind the other, begin in one bank.
// SAME: passes over the banks in a step of its ports: 1, before: 3
// SAME: offsets are shifted so that ports meet in fewer banks: 224 bytes, before: 192
// PLAN-LABEL: func.func @same(
// PLAN-SAME: berth.arena_size = 224
// SMALL: passes over the banks in a step of its ports: 3, before: 3
// SMALL-NOT: offsets are shifted so
func.func @same() {
  %a = memref.alloc() {alignment = 16 : i64} : memref<16xi32>
  %b = memref.alloc() {alignment = 16 : i64} : memref<16xi32>
  %c = memref.alloc() {alignment = 16 : i64} : memref<16xi32>
  "npu.make"(%a, %b) {berth.writes = [0, 1]} : (memref<16xi32>, memref<16xi32>) -> ()
  "npu.add"(%a, %b, %c) : (memref<16xi32>, memref<16xi32>, memref<16xi32>) -> ()
  "npu.use"(%c) {berth.reads = [0]} : (memref<16xi32>) -> ()
  return
}

//--- pinned.mlir
// PINNED: passes over the banks in a step of its ports: 2, before: 3
func.func @pinned() {
  %a = memref.alloc() {alignment = 16 : i64, berth.pin = 0 : i64} : memref<16xi32>
  %b = memref.alloc() {alignment = 16 : i64, berth.pin = 64 : i64} : memref<16xi32>
  %c = memref.alloc() {alignment = 16 : i64} : memref<16xi32>
  "npu.make"(%a, %b) {berth.writes = [0, 1]} : (memref<16xi32>, memref<16xi32>) -> ()
  "npu.add"(%a, %b, %c) : (memref<16xi32>, memref<16xi32>, memref<16xi32>) -> ()
  "npu.use"(%c) {berth.reads = [0]} : (memref<16xi32>) -> ()
  return
}

//--- shared.mlir
// SHARED: no offset is shifted: threads share this memory, where padding=auto counts banks
!line = memref<64xf32, #gpu.address_space<workgroup>>
gpu.module @kernels {
  gpu.func @k(%out: memref<64xf32>) kernel {
    %t = gpu.thread_id x
    %v = arith.constant 1.0 : f32
    %a = memref.alloc() : !line
    memref.store %v, %a[%t] : !line
    %w = memref.load %a[%t] : !line
    memref.store %w, %out[%t] : memref<64xf32>
    gpu.return
  }
}
