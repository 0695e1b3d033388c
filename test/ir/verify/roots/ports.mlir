// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What banks=shift says of passes over the banks is true by berth-verify's own count, and refused
// where an offset, the number, or the memory is another one.
// RUN: split-file %s %t
// DEFINE: %{form} =
// DEFINE: %{target} = four
// DEFINE: %{edit} =
// DEFINE: %{make} = sed '%{edit};s/arena_size = 128/arena_size = 192/;s/memref<128xi8>/memref<192xi8>/' %t/%{form}.planned > %t/edited.mlir
// DEFINE: %{check} = %berth-opt %t/edited.mlir --berth-target=%t/%{target}.json --pass-pipeline='builtin.module(berth-verify)'
//
// RUN: %berth-opt %t/in.mlir --berth-target=%t/four.json --pass-pipeline='builtin.module(berth-arena{banks=shift arena=annotate})' -o %t/annotate.planned
// RUN: %berth-opt %t/in.mlir --berth-target=%t/four.json --pass-pipeline='builtin.module(berth-arena{banks=shift})' -o %t/alloc.planned
// RUN: FileCheck %s < %t/annotate.planned
// RUN: FileCheck %s < %t/alloc.planned
// CHECK: "npu.add"({{.*}}) {berth.passes = 1 : i64}
//
// REDEFINE: %{form} = annotate
// RUN: %{make} && %{check} | FileCheck %s
// REDEFINE: %{edit} = s/berth.offset = 64/berth.offset = 112/
// RUN: %{make} && not %{check} 2>&1 | FileCheck %s --check-prefix=TWO
// REDEFINE: %{edit} = s/berth.offset = 64/berth.offset = 72/
// RUN: %{make} && not %{check} 2>&1 | FileCheck %s --check-prefix=TWO
// REDEFINE: %{edit} = s/berth.passes = 1/berth.passes = 0/
// RUN: %{make} && not %{check} 2>&1 | FileCheck %s --check-prefix=ONE
// REDEFINE: %{form} = alloc
// REDEFINE: %{edit} =
// RUN: %{make} && %{check} | FileCheck %s
// REDEFINE: %{edit} = s/arith.constant 64/arith.constant 112/
// RUN: %{make} && not %{check} 2>&1 | FileCheck %s --check-prefix=TWO
// REDEFINE: %{edit} = s/arith.constant 64/arith.constant 72/
// RUN: %{make} && not %{check} 2>&1 | FileCheck %s --check-prefix=TWO
// REDEFINE: %{edit} = s/berth.passes = 1/berth.passes = 0/
// RUN: %{make} && not %{check} 2>&1 | FileCheck %s --check-prefix=ONE
//
// Of two banks, and of narrow words, where all meet in one.
// REDEFINE: %{edit} =
// REDEFINE: %{target} = two
// RUN: %{make} && not %{check} 2>&1 | FileCheck %s --check-prefix=TWO
// REDEFINE: %{target} = narrow
// RUN: %{make} && not %{check} 2>&1 | FileCheck %s --check-prefix=THREE
// A word that several ports ask for is handed out once; one that begins within a word asks for two.
// REDEFINE: %{target} = wide
// RUN: %{make} && not %{check} 2>&1 | FileCheck %s --check-prefix=TWO
//
// Where nobody tells of banks, nothing is known.
// REDEFINE: %{target} = none
// RUN: %{make} && %{check} | FileCheck %s
//
// ONE: error: takes 1 passes over the banks in a step of its ports, not the 0 of berth.passes
// TWO: error: takes 2 passes over the banks in a step of its ports, not the 1 of berth.passes
// THREE: error: takes 3 passes over the banks

//--- four.json
{"memories": [{"space": "default", "capacity": 512, "interleaved": {"banks": 4, "width": 16}}],
 "ops": [{"name": "npu.add", "reads": [0, 1], "writes": [2], "ports": [0, 1, 2]}]}
//--- two.json
{"memories": [{"space": "default", "capacity": 512, "interleaved": {"banks": 2, "width": 16}}],
 "ops": [{"name": "npu.add", "reads": [0, 1], "writes": [2], "ports": [0, 1, 2]}]}
//--- narrow.json
{"memories": [{"space": "default", "capacity": 512, "interleaved": {"banks": 2, "width": 8}}],
 "ops": [{"name": "npu.add", "reads": [0, 1], "writes": [2], "ports": [0, 1, 2]}]}
//--- wide.json
{"memories": [{"space": "default", "capacity": 512, "interleaved": {"banks": 2, "width": 64}}],
 "ops": [{"name": "npu.add", "reads": [0, 1], "writes": [2], "ports": [0, 1, 2]}]}
//--- none.json
{"memories": [{"space": "default", "capacity": 512}],
 "ops": [{"name": "npu.add", "reads": [0, 1], "writes": [2], "ports": [0, 1, 2]}]}
//--- in.mlir
func.func @f() {
  %a = memref.alloc() : memref<8xi32>
  %b = memref.alloc() : memref<8xi32>
  "npu.make"(%a, %b) {berth.writes = [0, 1]} : (memref<8xi32>, memref<8xi32>) -> ()
  %c = memref.alloc() : memref<16xi32>
  %h = memref.subview %c[4] [8] [1] : memref<16xi32> to memref<8xi32, strided<[1], offset: 4>>
  "npu.add"(%a, %b, %h) : (memref<8xi32>, memref<8xi32>, memref<8xi32, strided<[1], offset: 4>>) -> ()
  "npu.use"(%c) {berth.reads = [0]} : (memref<16xi32>) -> ()
  return
}
