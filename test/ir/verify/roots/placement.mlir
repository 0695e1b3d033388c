// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Places that no plan could give: each number by hand.

// RUN: not %berth-opt %s --allow-unregistered-dialect -o /dev/null --berth-target=%S/Inputs/placement.json --pass-pipeline='builtin.module(berth-verify)' 2>&1 | FileCheck %s --implicit-check-not=error:

// A right one, of a size that only the attribute tells, too.
func.func @right(%n: index) attributes {berth.arena_size = 704 : i64} {
  %a = memref.alloc() {berth.address = 4160 : i64, berth.offset = 64 : i64, berth.size = 64 : i64} : memref<64xi8, "L1">
  %b = memref.alloc() {berth.address = 4608 : i64, berth.offset = 512 : i64, berth.size = 128 : i64} : memref<64xi8, "L1">
  %c = memref.alloc(%n) {berth.address = 4736 : i64, berth.offset = 640 : i64, berth.size = 64 : i64} : memref<?xi8, "L1">
  "npu.copy"(%a, %b) : (memref<64xi8, "L1">, memref<64xi8, "L1">) -> ()
  return
}

func.func @size() {
  // CHECK: [[#@LINE+1]]:{{.*}}error: has berth.size = 32, fewer bytes than the 64 it needs [berth-E174]
  %a = memref.alloc() {berth.address = 4160 : i64, berth.offset = 64 : i64, berth.size = 32 : i64} : memref<64xi8, "L1">
  return
}

func.func @address() {
  // CHECK: [[#@LINE+1]]:{{.*}}error: has berth.address = 4096, which is not its berth.offset 64 from the start of memory 'L1' at 4096 [berth-E175]
  %a = memref.alloc() {berth.address = 4096 : i64, berth.offset = 64 : i64, berth.size = 64 : i64} : memref<64xi8, "L1">
  return
}

func.func @before() {
  // CHECK: [[#@LINE+1]]:{{.*}}error: has berth.offset = -64: it lies in front of its arena [berth-E176]
  %a = memref.alloc() {berth.offset = -64 : i64, berth.size = 64 : i64} : memref<64xi8>
  return
}

func.func @capacity() attributes {berth.arena_size = 128 : i64} {
  // CHECK: [[#@LINE+1]]:{{.*}}error: ends at byte 2112, but memory 'L1' has only 1024 bytes [berth-E177]
  %a = memref.alloc() {berth.address = 6144 : i64, berth.offset = 2048 : i64, berth.size = 64 : i64} : memref<64xi8, "L1">
  return
}

func.func @arena() attributes {berth.arena_size = 128 : i64} {
  // CHECK: [[#@LINE+1]]:{{.*}}error: ends at byte 192, beyond the berth.arena_size of 128 bytes [berth-E178]
  %a = memref.alloc() {berth.offset = 128 : i64, berth.size = 64 : i64} : memref<64xi8>
  return
}

// Of several memories each has its own.
func.func @arenas() attributes {berth.arena_size = {L1 = 128 : i64, default = 256 : i64}} {
  %a = memref.alloc() {berth.offset = 192 : i64, berth.size = 64 : i64} : memref<64xi8>
  // CHECK: [[#@LINE+1]]:{{.*}}error: ends at byte 192, beyond the berth.arena_size of 128 bytes [berth-E178]
  %b = memref.alloc() {berth.offset = 128 : i64, berth.size = 64 : i64} : memref<64xi8, "L1">
  return
}

func.func @misaligned() {
  // CHECK: [[#@LINE+1]]:{{.*}}error: has berth.offset = 72, no multiple of the alignment 64 of memory 'L1' [berth-E179]
  %a = memref.alloc() {berth.offset = 72 : i64, berth.size = 64 : i64} : memref<64xi8, "L1">
  return
}

// As the op itself demands, or what it is told to allocate.
func.func @own() {
  %a = memref.alloc() {alignment = 64 : i64, berth.offset = 64 : i64, berth.size = 64 : i64} : memref<64xi8>
  // CHECK: [[#@LINE+1]]:{{.*}}error: has berth.offset = 4, no multiple of its own alignment 64 [berth-E391]
  %b = memref.alloc() {alignment = 64 : i64, berth.offset = 4 : i64, berth.size = 64 : i64} : memref<64xi8>
  // CHECK: [[#@LINE+1]]:{{.*}}error: has berth.offset = 192, no multiple of its own alignment 128 [berth-E391]
  %c = "npu.make"() {n = 128 : i64, berth.allocates = {alignment = {attribute = "n"}}, berth.offset = 192 : i64, berth.size = 64 : i64} : () -> memref<64xi8>
  return
}

// And as loads of its elements expect, whoever makes the buffer.
func.func @elements() {
  %a = memref.alloc() {berth.offset = 8 : i64, berth.size = 32 : i64} : memref<4xf64>
  // CHECK: [[#@LINE+1]]:{{.*}}error: has berth.offset = 4, but its elements need multiples of 8 [berth-E438]
  %b = memref.alloc() {berth.offset = 4 : i64, berth.size = 32 : i64} : memref<4xf64>
  // CHECK: [[#@LINE+1]]:{{.*}}error: has berth.offset = 66, but its elements need multiples of 4 [berth-E438]
  %c = "npu.make"() {berth.allocates = {}, berth.offset = 66 : i64, berth.size = 32 : i64} : () -> memref<8xi32>
  %d = memref.alloc() {berth.offset = 97 : i64, berth.size = 0 : i64} : memref<0xf64>
  return
}

// Where the memory starts counts, too: L2 at 5124.
func.func @start() {
  %a = memref.alloc() {berth.offset = 4 : i64, berth.size = 32 : i64} : memref<4xf64, "L2">
  // CHECK: [[#@LINE+1]]:{{.*}}error: lies at address 5164, but its elements need multiples of 8 [berth-E438]
  %b = memref.alloc() {berth.offset = 40 : i64, berth.size = 32 : i64} : memref<4xf64, "L2">
  // CHECK: [[#@LINE+1]]:{{.*}}error: lies at address 5188, no multiple of its own alignment 64 [berth-E391]
  %c = memref.alloc() {alignment = 64 : i64, berth.offset = 64 : i64, berth.size = 32 : i64} : memref<4xf64, "L2">
  return
}

func.func @reserved() {
  // CHECK: [[#@LINE+1]]:{{.*}}error: lies in bytes 0 to 64, which memory 'L1' has reserved [berth-E180]
  %a = memref.alloc() {berth.offset = 0 : i64, berth.size = 64 : i64} : memref<64xi8, "L1">
  return
}

func.func @banks() {
  // CHECK: [[#@LINE+1]]:{{.*}}error: lies across banks of memory 'L1', of 512 bytes each [berth-E181]
  %a = memref.alloc() {berth.offset = 448 : i64, berth.size = 128 : i64} : memref<128xi8, "L1">
  return
}
