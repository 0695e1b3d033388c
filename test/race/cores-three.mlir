// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Three cores in a row, each for a stage: load, compute, store. The third one
// waits twice before there is anything for it. The barrier at the end keeps the
// function's next run away.
// RUN: %cores --cores=3 %s | FileCheck %s
// CHECK: bytes: 2048 -> 1536
// CHECK-NEXT: equal, no race
// RUN: not %cores --cores=3 --arena='verify=false test-break-rule=no-cores' %s

func.func private @core_number() -> i32
func.func private @meet()

func.func @kernel(%x: memref<256xi64>, %y: memref<256xi64>) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %core = func.call @core_number() : () -> i32
  %loads = arith.cmpi eq, %core, %zero : i32
  %computes = arith.cmpi eq, %core, %one : i32
  %in0 = memref.subview %x[0][64][1] : memref<256xi64> to memref<64xi64, strided<[1]>>
  %in1 = memref.subview %x[64][64][1] : memref<256xi64> to memref<64xi64, strided<[1], offset: 64>>
  %out0 = memref.subview %y[0][64][1] : memref<256xi64> to memref<64xi64, strided<[1]>>
  %out1 = memref.subview %y[64][64][1] : memref<256xi64> to memref<64xi64, strided<[1], offset: 64>>
  %a = memref.alloc() : memref<64xi64>
  %b = memref.alloc() : memref<64xi64>
  %c = memref.alloc() : memref<64xi64>
  %d = memref.alloc() : memref<64xi64>
  scf.if %loads {
    memref.copy %in0, %a : memref<64xi64, strided<[1]>> to memref<64xi64>
    func.call @meet() : () -> ()
    memref.copy %in1, %b : memref<64xi64, strided<[1], offset: 64>> to memref<64xi64>
    func.call @meet() : () -> ()
    func.call @meet() : () -> ()
    func.call @meet() : () -> ()
  } else {
    scf.if %computes {
      func.call @meet() : () -> ()
      linalg.add ins(%a, %a : memref<64xi64>, memref<64xi64>) outs(%c : memref<64xi64>)
      func.call @meet() : () -> ()
      linalg.mul ins(%b, %b : memref<64xi64>, memref<64xi64>) outs(%d : memref<64xi64>)
      func.call @meet() : () -> ()
      func.call @meet() : () -> ()
    } else {
      func.call @meet() : () -> ()
      func.call @meet() : () -> ()
      memref.copy %c, %out0 : memref<64xi64> to memref<64xi64, strided<[1]>>
      func.call @meet() : () -> ()
      memref.copy %d, %out1 : memref<64xi64> to memref<64xi64, strided<[1], offset: 64>>
      func.call @meet() : () -> ()
    }
  }
  return
}
