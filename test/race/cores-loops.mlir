// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Software pipelines: the cores' loops have other bounds, but as many turns.
// Behind the first pipeline its buffers are free for the second one.
// RUN: %cores %s | FileCheck %s
// CHECK: bytes: 1024 -> 512
// CHECK-NEXT: equal, no race
// RUN: not %cores --arena='verify=false test-break-rule=no-cores' %s

#turned = affine_map<(i) -> (31 - i)>
#straight = affine_map<(i) -> (i)>

func.func private @core_number() -> i32
func.func private @meet()

func.func @kernel(%x: memref<256xi64>, %y: memref<256xi64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %c6 = arith.constant 6 : index
  %c32 = arith.constant 32 : index
  %zero = arith.constant 0 : i32
  %core = func.call @core_number() : () -> i32
  %computes = arith.cmpi eq, %core, %zero : i32
  %a = memref.alloc() : memref<32xi64>
  %b = memref.alloc() : memref<32xi64>
  %c = memref.alloc() : memref<32xi64>
  %d = memref.alloc() : memref<32xi64>
  scf.if %computes {
    scf.for %i = %c0 to %c4 step %c1 {
      func.call @meet() : () -> ()
      linalg.generic {indexing_maps = [#turned, #straight], iterator_types = ["parallel"]}
          ins(%a : memref<32xi64>) outs(%b : memref<32xi64>) {
      ^bb0(%v: i64, %w: i64):
        %r = arith.addi %v, %v : i64
        linalg.yield %r : i64
      }
      func.call @meet() : () -> ()
    }
    func.call @meet() : () -> ()
    scf.for %i = %c0 to %c4 step %c1 {
      func.call @meet() : () -> ()
      linalg.generic {indexing_maps = [#turned, #straight], iterator_types = ["parallel"]}
          ins(%c : memref<32xi64>) outs(%d : memref<32xi64>) {
      ^bb0(%v: i64, %w: i64):
        %r = arith.muli %v, %v : i64
        linalg.yield %r : i64
      }
      func.call @meet() : () -> ()
    }
  } else {
    scf.for %i = %c2 to %c6 step %c1 {
      %n = arith.subi %i, %c2 : index
      %at = arith.muli %n, %c32 : index
      %in = memref.subview %x[%at][32][1] : memref<256xi64> to memref<32xi64, strided<[1], offset: ?>>
      %out = memref.subview %y[%at][32][1] : memref<256xi64> to memref<32xi64, strided<[1], offset: ?>>
      memref.copy %in, %a : memref<32xi64, strided<[1], offset: ?>> to memref<32xi64>
      func.call @meet() : () -> ()
      func.call @meet() : () -> ()
      memref.copy %b, %out : memref<32xi64> to memref<32xi64, strided<[1], offset: ?>>
    }
    func.call @meet() : () -> ()
    scf.for %i = %c0 to %c4 step %c1 {
      %n = arith.addi %i, %c4 : index
      %at = arith.muli %n, %c32 : index
      %in = memref.subview %x[%at][32][1] : memref<256xi64> to memref<32xi64, strided<[1], offset: ?>>
      %out = memref.subview %y[%at][32][1] : memref<256xi64> to memref<32xi64, strided<[1], offset: ?>>
      memref.copy %in, %c : memref<32xi64, strided<[1], offset: ?>> to memref<32xi64>
      func.call @meet() : () -> ()
      func.call @meet() : () -> ()
      memref.copy %d, %out : memref<32xi64> to memref<32xi64, strided<[1], offset: ?>>
    }
  }
  func.call @meet() : () -> ()
  return
}
