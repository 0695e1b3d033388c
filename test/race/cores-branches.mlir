// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Branches on the core's number without any barrier are no alternatives: they
// run at the same time.
// RUN: %cores %s | FileCheck %s
// CHECK: bytes: 2048 -> 2048
// CHECK-NEXT: equal, no race
// RUN: not %cores --arena='verify=false test-break-rule=no-cores' %s

func.func private @core_number() -> i32
func.func private @meet()

func.func @kernel(%x: memref<256xi64>, %y: memref<256xi64>) {
  %c0 = arith.constant 0 : i32
  %core = func.call @core_number() : () -> i32
  %first = arith.cmpi eq, %core, %c0 : i32
  %in0 = memref.subview %x[0][128][1] : memref<256xi64> to memref<128xi64, strided<[1]>>
  %in1 = memref.subview %x[128][128][1] : memref<256xi64> to memref<128xi64, strided<[1], offset: 128>>
  %out0 = memref.subview %y[0][128][1] : memref<256xi64> to memref<128xi64, strided<[1]>>
  %out1 = memref.subview %y[128][128][1] : memref<256xi64> to memref<128xi64, strided<[1], offset: 128>>
  %a = memref.alloc() : memref<128xi64>
  %b = memref.alloc() : memref<128xi64>
  scf.if %first {
    memref.copy %in0, %a : memref<128xi64, strided<[1]>> to memref<128xi64>
    memref.copy %a, %out0 : memref<128xi64> to memref<128xi64, strided<[1]>>
  } else {
    memref.copy %in1, %b : memref<128xi64, strided<[1], offset: 128>> to memref<128xi64>
    memref.copy %b, %out1 : memref<128xi64> to memref<128xi64, strided<[1], offset: 128>>
  }
  func.call @meet() : () -> ()
  return
}
