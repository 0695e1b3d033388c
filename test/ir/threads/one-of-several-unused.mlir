// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A buffer that nobody accesses lies upon others by itself, though a value may be
// it or another one: no group is made of it.
// RUN: %mlir-opt-berth %s --pass-pipeline='builtin.module(berth-arena{drop-unread=false},berth-verify)' | FileCheck %s
// CHECK: workgroup(%{{.*}} : memref<32xi8,
gpu.module @m {
  gpu.func @k(%out: memref<64xi32>, %ca: i1, %cb: i1, %n: index) kernel {
  %t = gpu.thread_id x
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %ti = arith.index_cast %t : index to i32
  %rev = arith.subi %c3, %t : index
  %k2 = arith.constant 25 : i32
  %b1 = memref.alloc() : memref<4xi32, #gpu.address_space<workgroup>>
  %v2 = arith.addi %ti, %k2 : i32
  memref.store %v2, %b1[%rev] : memref<4xi32, #gpu.address_space<workgroup>>
  %r17 = scf.for %i15 = %c0 to %c3 step %c1 iter_args(%p16 = %b1) -> (memref<4xi32, #gpu.address_space<workgroup>>) {
  %b29 = memref.alloc() : memref<4xi32, #gpu.address_space<workgroup>>
  scf.yield %b29 : memref<4xi32, #gpu.address_space<workgroup>>
  }
  %v30 = memref.load %b1[%t] : memref<4xi32, #gpu.address_space<workgroup>>
  %b35 = memref.alloc() : memref<8xi32, #gpu.address_space<workgroup>>
  %r36 = scf.if %ca -> memref<8xi32, #gpu.address_space<workgroup>> {
  %r37 = scf.index_switch %n -> memref<4xi32, #gpu.address_space<workgroup>>
  case 0 {
  %b39 = memref.alloc() : memref<4xi32, #gpu.address_space<workgroup>>
  scf.yield %b39 : memref<4xi32, #gpu.address_space<workgroup>>
  }
  default {
  %b46 = memref.alloc() : memref<4xi32, #gpu.address_space<workgroup>>
  scf.yield %b46 : memref<4xi32, #gpu.address_space<workgroup>>
  }
  scf.yield %b35 : memref<8xi32, #gpu.address_space<workgroup>>
  } else {
  scf.yield %b35 : memref<8xi32, #gpu.address_space<workgroup>>
  }
  gpu.return
  }
}
