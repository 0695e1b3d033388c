// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// 19 has no memref.distinct_objects.
// REQUIRES: llvm-22
// LLVM uses that arenas do not alias, so what split-arenas takes apart had better
// never share bytes: at -O3 the program prints the same, whatever the form.
// RUN: %same-output --level=3 --pipeline=berth-arena %S/Inputs/prelude.mlir %s | FileCheck %s
// RUN: %same-output --level=3 --pipeline='berth-arena{split-arenas=true}' --pipeline='berth-arena{split-arenas=true poison=true}' --pipeline='berth-arena{split-arenas=true arena=alloca}' --pipeline='berth-arena{split-arenas=true arena=global}' --pipeline='berth-arena{split-arenas=true alignment=64}' %S/Inputs/prelude.mlir %s | FileCheck %s
// CHECK: turns: 288
//
// It has two parts; loads from the one need not wait for stores to the other.
// RUN: cat %S/Inputs/prelude.mlir %s > %t.mlir
// RUN: %mlir-opt-berth %t.mlir --pass-pipeline='builtin.module(berth-arena{split-arenas=true})' | FileCheck %s --check-prefix=PARTS
// PARTS-LABEL: func.func @turns
// PARTS-DAG: memref.alloc() {{.*}} : memref<256xi8>
// PARTS-DAG: memref.alloc() {{.*}} : memref<32xi8>
//
// The program does notice wrong alias facts. memref.distinct_objects on two views
// of one arena that never share bytes is enough: LLVM takes it to mean that the
// arena does not alias itself.
// RUN: %mlir-opt-berth %t.mlir --pass-pipeline='builtin.module(berth-arena{in-place=false})' -o %t.one
// RUN: awk -f %S/Inputs/distinct.awk %t.one > %t.distinct
// RUN: mlir-opt %t.one --test-lower-to-llvm | mlir-runner -O3 -e main --entry-point-result=void %runner_libs | FileCheck %s --check-prefix=RIGHT
// RUN: mlir-opt %t.distinct --test-lower-to-llvm | mlir-runner -O3 -e main --entry-point-result=void %runner_libs | FileCheck %s --check-prefix=WRONG
// RIGHT: ( -3, -2, -1, 0, 1, 2, 3, 4 )
// WRONG-NOT: ( -3, -2, -1, 0, 1, 2, 3, 4 )

func.func @turns(%n: index, %x: i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %a = memref.alloc() : memref<8xi32>
  %b = memref.alloc() : memref<64xi32>
  %c = memref.alloc() : memref<8xi32>
  %d = memref.alloc() : memref<64xi32>
  scf.for %i = %c0 to %c8 step %c1 {
    memref.store %x, %a[%i] : memref<8xi32>
  }
  scf.for %i = %c0 to %n step %c1 {
    %s = memref.load %a[%c1] : memref<8xi32>
    %k = arith.index_cast %i : index to i32
    %sk = arith.muli %s, %k : i32
    memref.store %sk, %b[%i] : memref<64xi32>
  }
  scf.for %i = %c0 to %c8 step %c1 {
    %s = memref.load %b[%i] : memref<64xi32>
    memref.store %s, %c[%i] : memref<8xi32>
  }
  scf.for %i = %c0 to %n step %c1 {
    %s = memref.load %c[%c1] : memref<8xi32>
    %k = arith.index_cast %i : index to i32
    %sk = arith.subi %k, %s : i32
    memref.store %sk, %d[%i] : memref<64xi32>
  }
  %r = memref.alloc() : memref<8xi32>
  scf.for %i = %c0 to %c8 step %c1 {
    %s = memref.load %d[%i] : memref<64xi32>
    memref.store %s, %r[%i] : memref<8xi32>
  }
  func.call @show(%r) : (memref<8xi32>) -> ()
  return
}

func.func @main() {
  %n = arith.constant 64 : index
  %x = arith.constant 3 : i32
  call @turns(%n, %x) : (index, i32) -> ()
  return
}
