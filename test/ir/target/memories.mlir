// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Without `space` all memories of the description are planned: each in its
// arena, with its banks and without what is reserved in it.

// RUN: %berth-opt %s --allow-unregistered-dialect --remarks-filter='berth.*' --pass-pipeline='builtin.module(berth-arena{target=%S/Inputs/memories.json arena=annotate in-place=false})' 2>&1 | FileCheck %s
// A plan of all of them is kept and taken up again.
// RUN: %berth-opt %s --allow-unregistered-dialect --pass-pipeline='builtin.module(berth-arena{target=%S/Inputs/memories.json arena=annotate in-place=false plan-out=%t.json})' > %t.1
// RUN: %berth-opt %s --allow-unregistered-dialect --pass-pipeline='builtin.module(berth-arena{target=%S/Inputs/memories.json arena=annotate in-place=false plan=%t.json})' > %t.2
// RUN: cmp %t.1 %t.2
// RUN: %berth-opt %s --allow-unregistered-dialect --pass-pipeline='builtin.module(berth-arena{target=%S/Inputs/memories.json in-place=false})' | FileCheck %s --check-prefix=VIEWS
// One that fails leaves the module as it was, whatever comes of the others.
// RUN: not %berth-opt %s --allow-unregistered-dialect --mlir-print-ir-after-failure --pass-pipeline='builtin.module(berth-arena{target=%S/Inputs/memories.json arena=annotate capacity=256 reserved=96-256})' 2>&1 | FileCheck %s --check-prefix=FULL --implicit-check-not=berth.offset
// FULL: error: {{.*}}no plan meets these constraints within the capacity of 256 bytes of memory "L1", in 2 banks, without {{.*}}: %alloc {{.*}} with 48 bytes in bank 1
// RUN: not %berth-opt %s --allow-unregistered-dialect --pass-pipeline='builtin.module(berth-arena{target=%S/Inputs/memories.json arena=argument})' 2>&1 | FileCheck %s --check-prefix=FORM
// FORM: error: berth-arena: arena=argument is of one memory: name it by 'space'
// RUN: not %berth-opt %s --allow-unregistered-dialect --pass-pipeline='builtin.module(berth-arena{target=%S/Inputs/memories.json capacity=128})' 2>&1 | FileCheck %s --check-prefix=LESS
// LESS: error: berth-arena: capacity 128: memory 'L1' has 2 banks, whose size its description tells

!l1 = memref<48xi8, "L1">
!l3 = memref<32xi8, "L3">

// Bank 0 has its bytes 32 to 120 left, bank 1 its bytes 8 to 128, and offsets
// are multiples of 16.
// CHECK: buffers in an arena of 240 bytes of memory L1
// CHECK: buffers in an arena of 80 bytes of memory L3
// CHECK: func.func @memories(%arg0{{.*}}berth.arena_size = {L1 = 240 : i64, L3 = 80 : i64}
func.func @memories(%x: !l1) {
  // CHECK: memref.alloc() {berth.address = 4240 : i64, berth.bank = 1 : i64, berth.offset = 144 : i64, berth.size = 48 : i64}
  %a = memref.alloc() {berth.bank = 1} : !l1
  %b = memref.alloc() : !l1
  %c = memref.alloc() {berth.bank = 0} : !l1
  %d = memref.alloc() : !l3
  "npu.add"(%x, %x, %a) : (!l1, !l1, !l1) -> ()
  "npu.add"(%a, %x, %b) : (!l1, !l1, !l1) -> ()
  "npu.add"(%a, %b, %c) : (!l1, !l1, !l1) -> ()
  "npu.add"(%c, %b, %d) : (!l1, !l1, !l3) -> ()
  "npu.add"(%d, %d, %x) : (!l3, !l3, !l1) -> ()
  return
}

// VIEWS-LABEL: @memories
// VIEWS: memref.alloc() {{.*}} : memref<80xi8, "L3">
// VIEWS: memref.alloc() {alignment = 16 : i64, bufferization.manual_deallocation} : memref<240xi8, "L1">
