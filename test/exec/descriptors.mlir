// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %same-output %S/Inputs/prelude.mlir %s | FileCheck %s
// RUN: %same-output --pipeline="func.func(berth-arena)" %S/Inputs/prelude.mlir %s
// RUN: cat %S/Inputs/prelude.mlir %s > %t.mlir
// RUN: not %mlir-opt-berth %t.mlir -o /dev/null --pass-pipeline='builtin.module(berth-arena{test-break-rule=no-leaks})' 2>&1 | FileCheck %s --check-prefix=REFUSED
// RUN: not %same-output --pipeline='berth-arena{verify=false test-break-rule=no-leaks}' %S/Inputs/prelude.mlir %s
// A memref's descriptor has a pointer to its allocation, which for a view of an
// arena is the arena's.

// REFUSED: error: uses the pointer to the allocation of a buffer, which is that of its arena

!descriptor = !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>

func.func private @print_first(%m: memref<8xi32>) {
  %d = builtin.unrealized_conversion_cast %m : memref<8xi32> to !descriptor
  %p = llvm.extractvalue %d[0] : !descriptor
  %x = llvm.load %p : !llvm.ptr -> i32
  vector.print %x : i32
  return
}

// Of three buffers that are alive together only the first one is placed.
// CHECK-LABEL: allocated: 32
func.func @allocated() {
  %one = arith.constant 1 : i32
  %two = arith.constant 2 : i32
  %three = arith.constant 3 : i32
  %a = memref.alloc() : memref<8xi32>
  %b = memref.alloc() : memref<8xi32>
  %c = memref.alloc() : memref<8xi32>
  call @count(%a, %one) : (memref<8xi32>, i32) -> ()
  linalg.fill ins(%two : i32) outs(%b : memref<8xi32>)
  linalg.fill ins(%three : i32) outs(%c : memref<8xi32>)
  %d = builtin.unrealized_conversion_cast %b : memref<8xi32> to !descriptor
  %p = llvm.extractvalue %d[0] : !descriptor
  %x = llvm.load %p : !llvm.ptr -> i32
  vector.print %x : i32
  call @print_first(%c) : (memref<8xi32>) -> ()
  call @show(%a) : (memref<8xi32>) -> ()
  call @show(%b) : (memref<8xi32>) -> ()
  call @show(%c) : (memref<8xi32>) -> ()
  return
}

// Who only makes another descriptor of it uses the other pointer.
// CHECK-LABEL: moved: 64
func.func @moved() {
  %one = arith.constant 1 : i32
  %a = memref.alloc() : memref<8xi32>
  %b = memref.alloc() : memref<8xi32>
  call @count(%a, %one) : (memref<8xi32>, i32) -> ()
  call @count(%b, %one) : (memref<8xi32>, i32) -> ()
  %d = builtin.unrealized_conversion_cast %b : memref<8xi32> to !descriptor
  %p = llvm.extractvalue %d[0] : !descriptor
  %e = llvm.insertvalue %p, %d[0] : !descriptor
  %m = builtin.unrealized_conversion_cast %e : !descriptor to memref<8xi32>
  call @show(%m) : (memref<8xi32>) -> ()
  call @show(%a) : (memref<8xi32>) -> ()
  return
}

func.func @main() {
  call @allocated() : () -> ()
  call @moved() : () -> ()
  return
}
