// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A buffer behind the loop has the bytes of the flag by which threads leave it, but its row 1,
// which is all that they write, has not. So the flag is the same for all of them, and the
// barriers in the loop count. Where they write row 0 it is not.
// RUN: %berth-opt %s --pass-pipeline='builtin.module(berth-verify)' -o /dev/null
// RUN: sed 's/%%row = arith.constant 1/%%row = arith.constant 0/' %s | not %berth-opt --pass-pipeline='builtin.module(berth-verify)' -o /dev/null 2>&1 | FileCheck %s
// CHECK: error: touches bytes of the arena that other threads may still use through another buffer
//
// And so berth-arena finds its own plan right.
// RUN: sed 's/%%view = memref.view.*to \(memref.*\)/%%view = memref.alloc() : \1/; s/%%x = memref.view.*to \(memref.*\)/%%x = memref.alloc() : \1/; s/%%b = memref.view.*to \(memref.*\)/%%b = memref.alloc() : \1/; s/workgroup(.*>) kernel/kernel/; /!arena/d' %s | %berth-opt --pass-pipeline='builtin.module(berth-arena)' | FileCheck %s --check-prefix=PLAN
// PLAN: workgroup(%{{.*}} : memref<256xi8,

#workgroup = #gpu.address_space<workgroup>
!arena = memref<256xi8, #workgroup>

gpu.module @kernels {
  gpu.func @kernel(%n: i32, %v: i64, %out: memref<?xi64>) workgroup(%arena: memref<256xi8, #gpu.address_space<workgroup>> {llvm.align = 16 : i64}) kernel attributes {known_block_size = array<i32: 16, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c8 = arith.constant 8 : index
    %c15 = arith.constant 15 : index
    %row = arith.constant 1 : index
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %t = gpu.thread_id x
    %first = arith.cmpi eq, %t, %c0 : index
    %view = memref.view %arena[%c0][] {berth.buffer = 0 : i64} : memref<256xi8, #workgroup> to memref<1xi32, #workgroup>
    scf.if %first {
      memref.store %n, %view[%c0] : memref<1xi32, #workgroup>
    }
    gpu.barrier
    scf.while : () -> () {
      %flag = memref.load %view[%c0] : memref<1xi32, #workgroup>
      %more = arith.cmpi sgt, %flag, %zero : i32
      scf.condition(%more)
    } do {
      gpu.barrier
      %x = memref.view %arena[%c8][] {berth.buffer = 1 : i64, berth.loop = "kernel:1"} : memref<256xi8, #workgroup> to memref<16xi64, #workgroup>
      memref.store %v, %x[%t] : memref<16xi64, #workgroup>
      scf.if %first {
        %old = memref.load %view[%c0] : memref<1xi32, #workgroup>
        %less = arith.subi %old, %one : i32
        memref.store %less, %view[%c0] : memref<1xi32, #workgroup>
      }
      gpu.barrier
      %other = arith.subi %c15, %t : index
      %w = memref.load %x[%other] : memref<16xi64, #workgroup>
      memref.store %w, %out[%t] : memref<?xi64>
      scf.yield
    }
    %b = memref.view %arena[%c0][] {berth.buffer = 2 : i64} : memref<256xi8, #workgroup> to memref<2x16xi64, #workgroup>
    memref.store %v, %b[%row, %t] : memref<2x16xi64, #workgroup>
    gpu.barrier
    %other = arith.subi %c15, %t : index
    %w = memref.load %b[%row, %other] : memref<2x16xi64, #workgroup>
    memref.store %w, %out[%t] : memref<?xi64>
    gpu.return
  }
}
