// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Barriers in a called function: what the cores use before the call is free when
// they begin behind it.
// RUN: %cores %s | FileCheck %s
// CHECK: bytes: 2048 -> 1024
// CHECK-NEXT: equal, no race

// Without the cores, the order of the ops is taken for that of time.
// RUN: not %cores --arena='verify=false test-break-rule=no-cores' %s

func.func private @core_number() -> i32
func.func private @meet()

func.func @kernel(%x: memref<256xi64>, %y: memref<256xi64>) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %core = func.call @core_number() : () -> i32
  %moves = arith.cmpi eq, %core, %c1 : i32
  %computes = arith.cmpi eq, %core, %c0 : i32
  %a = memref.alloc() : memref<64xi64>
  %b = memref.alloc() : memref<64xi64>
  %c = memref.alloc() : memref<64xi64>
  %d = memref.alloc() : memref<64xi64>
  %in0 = memref.subview %x[0][64][1] : memref<256xi64> to memref<64xi64, strided<[1]>>
  %in1 = memref.subview %x[64][64][1] : memref<256xi64> to memref<64xi64, strided<[1], offset: 64>>
  %out0 = memref.subview %y[0][64][1] : memref<256xi64> to memref<64xi64, strided<[1]>>
  %out1 = memref.subview %y[64][64][1] : memref<256xi64> to memref<64xi64, strided<[1], offset: 64>>
  scf.if %moves {
    memref.copy %in0, %a : memref<64xi64, strided<[1]>> to memref<64xi64>
    func.call @meet() : () -> ()
    func.call @meet() : () -> ()
    memref.copy %b, %out0 : memref<64xi64> to memref<64xi64, strided<[1]>>
  }
  scf.if %computes {
    func.call @meet() : () -> ()
    linalg.add ins(%a, %a : memref<64xi64>, memref<64xi64>) outs(%b : memref<64xi64>)
    func.call @meet() : () -> ()
  }
  func.call @called() : () -> ()
  scf.if %moves {
    memref.copy %in1, %c : memref<64xi64, strided<[1], offset: 64>> to memref<64xi64>
    func.call @meet() : () -> ()
    func.call @meet() : () -> ()
    memref.copy %d, %out1 : memref<64xi64> to memref<64xi64, strided<[1], offset: 64>>
  }
  scf.if %computes {
    func.call @meet() : () -> ()
    linalg.mul ins(%c, %c : memref<64xi64>, memref<64xi64>) outs(%d : memref<64xi64>)
    func.call @meet() : () -> ()
  }
  func.call @called() : () -> ()
  return
}

func.func private @called() {
  func.call @meet() : () -> ()
  return
}
