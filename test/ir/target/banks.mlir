// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What banks cannot hold is an error at the allocation.

// RUN: split-file %s %t
// DEFINE: %{file} =
// DEFINE: %{plan} = not %berth-opt %t/%{file}.mlir --pass-pipeline='builtin.module(berth-arena{target=%S/Inputs/memories.json space=L1 arena=annotate})' 2>&1 | FileCheck %s --check-prefix
// REDEFINE: %{file} = large
// RUN: %{plan} LARGE
// LARGE: large.mlir:2:8: error: the buffer has 129 bytes, each of the 2 banks of memory "L1" 128
// REDEFINE: %{file} = none
// RUN: %{plan} NONE
// NONE: none.mlir:2:8: error: berth.bank = 2: memory "L1" has the banks 0 to 1
// REDEFINE: %{file} = pin
// RUN: %{plan} PIN
// PIN: pin.mlir:2:8: error: berth.bank = 0: berth.pin = 160 is in bank 1
// REDEFINE: %{file} = aligned
// RUN: %{plan} ALIGNED
// ALIGNED: aligned.mlir:2:8: error: berth.bank = 1: the bank starts at 128, which is no multiple of the buffer's alignment 256
// REDEFINE: %{file} = full
// RUN: not %berth-opt %t/full.mlir --pass-pipeline='builtin.module(berth-arena{target=%t/free.json space=L1 arena=annotate})' 2>&1 | FileCheck %s --check-prefix FULL
// FULL: full.mlir:1:1: error: the buffers do not fit: no plan puts them into the 2 banks of memory "L1", of 128 bytes each
// Without banks there are none to choose from.
// RUN: not %berth-opt %t/other.mlir --pass-pipeline='builtin.module(berth-arena{target=%S/Inputs/memories.json space=L3 arena=annotate})' 2>&1 | FileCheck %s --check-prefix=OTHER
// OTHER: other.mlir:2:8: error: berth.bank = 0: memory {{.*}} has no banks
// Nor where threads share the memory, or with others in one run.
// RUN: not %berth-opt %t/kernel.mlir --pass-pipeline='builtin.module(berth-arena{target=%t/shared.json space=#gpu.address_space<workgroup>})' 2>&1 | FileCheck %s --check-prefix=SHARED
// SHARED: error: banks are not for memory that threads share
// RUN: not %berth-opt %t/kernel.mlir --pass-pipeline='builtin.module(berth-arena{target=%t/several.json})' 2>&1 | FileCheck %s --check-prefix=SEVERAL
// SEVERAL: error: memory '#gpu.address_space<workgroup>' is shared by threads: plan it in a run of its own (space=#gpu.address_space<workgroup>)
// A kept plan may not put it into another bank.
// DEFINE: %{kept} = %berth-opt %t/kept.mlir -o /dev/null --pass-pipeline='builtin.module(berth-arena{target=%S/Inputs/memories.json space=L1 arena=annotate %{file}})'
// REDEFINE: %{file} = plan-out=%t/kept.json
// RUN: %{kept}
// REDEFINE: %{file} = plan=%t/kept.json
// RUN: %{kept}
// RUN: sed 's/"offset": 144/"offset": 64/' %t/kept.json > %t/moved.json
// REDEFINE: %{file} = plan=%t/moved.json
// RUN: not %{kept} 2>&1 | FileCheck %s --check-prefix=KEPT
// KEPT: kept.mlir:2:8: error: plan '{{.*}}moved.json', line 3 puts the buffer at 64, which is in bank 0, not in berth.bank = 1
// An alignment that only the first bank has, and a pin in the second one.
// RUN: %berth-opt %t/right.mlir --pass-pipeline='builtin.module(berth-arena{target=%S/Inputs/memories.json space=L1 arena=annotate})' | FileCheck %s
// CHECK: berth.offset = 64 : i64
// CHECK: berth.offset = 160 : i64

//--- kept.mlir
func.func @f(%x: memref<64xi8>) {
  %a = memref.alloc() {berth.bank = 1} : memref<64xi8, "L1">
  memref.copy %x, %a : memref<64xi8> to memref<64xi8, "L1">
  memref.copy %a, %x : memref<64xi8, "L1"> to memref<64xi8>
  return
}
//--- free.json
{"memories": [{"space": "L1", "capacity": 256, "banks": 2}]}
//--- shared.json
{"memories": [{"space": "#gpu.address_space<workgroup>", "capacity": 256, "banks": 2}]}
//--- several.json
{"memories": [{"space": "#gpu.address_space<workgroup>"}, {"space": "L1"}]}
//--- kernel.mlir
gpu.module @m {
  gpu.func @k(%x: memref<8xi8>) kernel {
    %a = memref.alloc() : memref<8xi8, #gpu.address_space<workgroup>>
    memref.copy %x, %a : memref<8xi8> to memref<8xi8, #gpu.address_space<workgroup>>
    gpu.return
  }
}
//--- large.mlir
func.func @f() {
  %a = memref.alloc() : memref<129xi8, "L1">
  memref.dealloc %a : memref<129xi8, "L1">
  return
}
//--- none.mlir
func.func @f() {
  %a = memref.alloc() {berth.bank = 2} : memref<8xi8, "L1">
  return
}
//--- pin.mlir
func.func @f() {
  %a = memref.alloc() {berth.bank = 0, berth.pin = 160} : memref<8xi8, "L1">
  return
}
//--- aligned.mlir
func.func @f() {
  %a = memref.alloc() {berth.bank = 1, alignment = 256} : memref<8xi8, "L1">
  return
}
//--- other.mlir
func.func @f() {
  %a = memref.alloc() {berth.bank = 0} : memref<8xi8, "L3">
  return
}
//--- full.mlir
func.func @f(%x: memref<100xi8, "L1">, %y: memref<120xi8, "L1">) {
  %a = memref.alloc() : memref<100xi8, "L1">
  %b = memref.alloc() : memref<120xi8, "L1">
  %c = memref.alloc() : memref<48xi8, "L1">
  memref.copy %x, %a : memref<100xi8, "L1"> to memref<100xi8, "L1">
  memref.copy %y, %b : memref<120xi8, "L1"> to memref<120xi8, "L1">
  memref.copy %c, %c : memref<48xi8, "L1"> to memref<48xi8, "L1">
  memref.copy %a, %x : memref<100xi8, "L1"> to memref<100xi8, "L1">
  memref.copy %b, %y : memref<120xi8, "L1"> to memref<120xi8, "L1">
  return
}
//--- right.mlir
func.func @f(%x: memref<40xi8, "L1">) {
  %a = memref.alloc() {alignment = 64} : memref<40xi8, "L1">
  %b = memref.alloc() {berth.pin = 160} : memref<40xi8, "L1">
  memref.copy %x, %a : memref<40xi8, "L1"> to memref<40xi8, "L1">
  memref.copy %x, %b : memref<40xi8, "L1"> to memref<40xi8, "L1">
  memref.copy %a, %x : memref<40xi8, "L1"> to memref<40xi8, "L1">
  memref.copy %b, %x : memref<40xi8, "L1"> to memref<40xi8, "L1">
  return
}
