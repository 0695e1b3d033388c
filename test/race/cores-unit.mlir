// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Both cores come to copies that a unit makes: each issues them all, and the
// second core's first ones may be made between the first core's last ones.
// RUN: %cores %s | FileCheck %s
// CHECK: bytes: 1024 -> 1024
// CHECK-NEXT: equal, no race
// RUN: not %cores --arena='verify=false test-break-rule=once-a-unit' %s

// Where the first core alone issues them, they are made in order.
// RUN: %cores --once %s | FileCheck %s --check-prefix=ONCE
// ONCE: bytes: 1024 -> 512
// ONCE-NEXT: equal, no race

func.func private @core_number() -> i32
func.func private @meet()
!part = memref<64xi64, strided<[1], offset: ?>>
func.func private @unit_copy(!part, !part)

func.func @kernel(%x: memref<256xi64>, %y: memref<256xi64>) {
  %x0 = memref.subview %x[0][64][1] : memref<256xi64> to memref<64xi64, strided<[1]>>
  %x1 = memref.subview %x[64][64][1] : memref<256xi64> to memref<64xi64, strided<[1], offset: 64>>
  %y0 = memref.subview %y[0][64][1] : memref<256xi64> to memref<64xi64, strided<[1]>>
  %y1 = memref.subview %y[64][64][1] : memref<256xi64> to memref<64xi64, strided<[1], offset: 64>>
  %in0 = memref.cast %x0 : memref<64xi64, strided<[1]>> to !part
  %in1 = memref.cast %x1 : memref<64xi64, strided<[1], offset: 64>> to !part
  %out0 = memref.cast %y0 : memref<64xi64, strided<[1]>> to !part
  %out1 = memref.cast %y1 : memref<64xi64, strided<[1], offset: 64>> to !part
  %a = memref.alloc() : memref<64xi64>
  %b = memref.alloc() : memref<64xi64>
  %first = memref.cast %a : memref<64xi64> to !part
  %second = memref.cast %b : memref<64xi64> to !part
  func.call @unit_copy(%in0, %first) : (!part, !part) -> ()
  func.call @unit_copy(%first, %out0) : (!part, !part) -> ()
  func.call @unit_copy(%in1, %second) : (!part, !part) -> ()
  func.call @unit_copy(%second, %out1) : (!part, !part) -> ()
  func.call @meet() : () -> ()
  return
}
