// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What gets no slots is named with the reason.
// RUN: %berth-opt %s --allow-unregistered-dialect --remarks-filter=berth-multi-buffer --pass-pipeline='builtin.module(berth-multi-buffer)' -o %t.out 2>&1 | FileCheck %s
// RUN: FileCheck %s --check-prefix=NONE < %t.out
// NONE-NOT: berth.slots
// RUN: not %berth-opt %s --allow-unregistered-dialect --pass-pipeline='builtin.module(berth-multi-buffer{factor=1})' 2>&1 | FileCheck %s --check-prefix=FACTOR
// FACTOR: factor '1': expected auto, or a number from 2 to 64 [berth-E183]
// RUN: not %berth-opt %s --allow-unregistered-dialect --pass-pipeline='builtin.module(berth-multi-buffer{capacity=many})' 2>&1 | FileCheck %s --check-prefix=CAPACITY
// CAPACITY: capacity 'many'
// RUN: not %berth-opt %s --allow-unregistered-dialect --pass-pipeline='builtin.module(berth-multi-buffer{test-break-rule=many})' 2>&1 | FileCheck %s --check-prefix=RULE
// RULE: there is no rule 'many'

// CHECK: :[[#@LINE+2]]:8: remark: [Missed] {{.*}}gets no slots: it is used in the turn before the copy (memref.load
func.func @before(%x: memref<8xf32>, %n: index, %c0: index, %c1: index) {
  %a = memref.alloc() : memref<8xf32>
  scf.for %i = %c0 to %n step %c1 {
    %v = memref.load %a[%c0] : memref<8xf32>
    memref.copy %x, %a : memref<8xf32> to memref<8xf32>
  }
  return
}
// CHECK: :[[#@LINE+2]]:8: remark: [Missed] {{.*}}the copy does not fill all of it, so that content may go from one turn to another (memref.copy
func.func @part(%x: memref<4xf32>, %n: index, %c0: index, %c1: index) {
  %a = memref.alloc() : memref<8xf32>
  scf.for %i = %c0 to %n step %c1 {
    %p = memref.subview %a[0] [4] [1] : memref<8xf32> to memref<4xf32, strided<[1]>>
    memref.copy %x, %p : memref<4xf32> to memref<4xf32, strided<[1]>>
    %v = memref.load %a[%c0] : memref<8xf32>
  }
  return
}
// CHECK: :[[#@LINE+2]]:8: remark: [Missed] {{.*}}it is used outside of the loop (memref.load
func.func @behind(%x: memref<8xf32>, %n: index, %c0: index, %c1: index) -> f32 {
  %a = memref.alloc() : memref<8xf32>
  scf.for %i = %c0 to %n step %c1 {
    memref.copy %x, %a : memref<8xf32> to memref<8xf32>
  }
  %v = memref.load %a[%c0] : memref<8xf32>
  return %v : f32
}
// CHECK: :[[#@LINE+3]]:8: remark: [Missed] {{.*}}an op needs it as it is (func.call
func.func private @use(memref<8xf32>)
func.func @call(%x: memref<8xf32>, %n: index, %c0: index, %c1: index) {
  %a = memref.alloc() : memref<8xf32>
  scf.for %i = %c0 to %n step %c1 {
    memref.copy %x, %a : memref<8xf32> to memref<8xf32>
    func.call @use(%a) : (memref<8xf32>) -> ()
  }
  return
}
// CHECK: :[[#@LINE+2]]:8: remark: [Missed] {{.*}}an op of the loop may write what is copied (memref.store
func.func @aliases(%x: memref<8xf32>, %y: memref<8xf32>, %n: index, %c0: index, %c1: index) {
  %a = memref.alloc() : memref<8xf32>
  scf.for %i = %c0 to %n step %c1 {
    memref.copy %x, %a : memref<8xf32> to memref<8xf32>
    %v = memref.load %a[%c0] : memref<8xf32>
    memref.store %v, %y[%i] : memref<8xf32>
  }
  return
}
// CHECK: :[[#@LINE+3]]:8: remark: [Missed] {{.*}}an op of the loop may write what is copied (memref.copy
func.func @chain(%x: memref<8xf32>, %n: index, %c0: index, %c1: index) {
  %a = memref.alloc() : memref<8xf32>
  %b = memref.alloc() : memref<8xf32>
  scf.for %i = %c0 to %n step %c1 {
    memref.copy %x, %a : memref<8xf32> to memref<8xf32>
    memref.copy %a, %b : memref<8xf32> to memref<8xf32>
    %v = memref.load %b[%c0] : memref<8xf32>
  }
  %w = memref.load %a[%c0] : memref<8xf32>
  return
}
// CHECK: :[[#@LINE+2]]:8: remark: [Missed] {{.*}}an op of the loop may write what is copied (memref.dealloc
func.func @freed(%n: index, %c0: index, %c1: index) {
  %a = memref.alloc() : memref<8xf32>
  %x = memref.alloc() : memref<8xf32>
  scf.for %i = %c0 to %n step %c1 {
    memref.copy %x, %a : memref<8xf32> to memref<8xf32>
    %last = arith.cmpi eq, %i, %n : index
    scf.if %last {
      memref.dealloc %x : memref<8xf32>
    }
  }
  return
}
// CHECK: :[[#@LINE+2]]:8: remark: [Missed] {{.*}}what is copied depends on the turn before (memref.copy
func.func @carried(%x: memref<64xf32>, %n: index, %c0: index, %c1: index) {
  %a = memref.alloc() : memref<8xf32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%k = %c0) -> index {
    %p = memref.subview %x[%k] [8] [1] : memref<64xf32> to memref<8xf32, strided<[1], offset: ?>>
    memref.copy %p, %a : memref<8xf32, strided<[1], offset: ?>> to memref<8xf32>
    %l = arith.addi %k, %n : index
    scf.yield %l : index
  }
  return
}
// CHECK: :[[#@LINE+2]]:8: remark: [Missed] {{.*}}the copy needs what an op makes in its turn (memref.load
func.func @gather(%x: memref<64xf32>, %t: memref<64xindex>, %n: index, %c0: index, %c1: index) {
  %a = memref.alloc() : memref<8xf32>
  scf.for %i = %c0 to %n step %c1 {
    %k = memref.load %t[%i] : memref<64xindex>
    %p = memref.subview %x[%k] [8] [1] : memref<64xf32> to memref<8xf32, strided<[1], offset: ?>>
    memref.copy %p, %a : memref<8xf32, strided<[1], offset: ?>> to memref<8xf32>
  }
  return
}
// CHECK: :[[#@LINE+2]]:8: remark: [Missed] {{.*}}the copy would pass an op that may do anything, or wait for it (cf.assert
func.func @stops(%x: memref<8xf32>, %n: index, %c0: index, %c1: index, %is: i1) {
  %a = memref.alloc() : memref<8xf32>
  scf.for %i = %c0 to %n step %c1 {
    cf.assert %is, "stop"
    memref.copy %x, %a : memref<8xf32> to memref<8xf32>
  }
  return
}
// CHECK: :[[#@LINE+2]]:8: remark: [Missed] {{.*}}the copy would pass an op that may do anything, or wait for it (my.op
func.func @unknown(%x: memref<8xf32>, %n: index, %c0: index, %c1: index) {
  %a = memref.alloc() : memref<8xf32>
  scf.for %i = %c0 to %n step %c1 {
    memref.copy %x, %a : memref<8xf32> to memref<8xf32>
    "my.op"() : () -> ()
  }
  return
}
// CHECK: :[[#@LINE+2]]:8: remark: [Missed] {{.*}}its size is no multiple of its alignment
func.func @aligned(%x: memref<8xf32>, %n: index, %c0: index, %c1: index) {
  %a = memref.alloc() {alignment = 64} : memref<8xf32>
  scf.for %i = %c0 to %n step %c1 {
    memref.copy %x, %a : memref<8xf32> to memref<8xf32>
  }
  return
}
// CHECK: :[[#@LINE+3]]:8: remark: [Missed] {{.*}}the loop takes one turn at most (scf.for
func.func @once(%x: memref<8xf32>, %c0: index) {
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<8xf32>
  scf.for %i = %c1 to %c1 step %c1 {
    memref.copy %x, %a : memref<8xf32> to memref<8xf32>
  }
  return
}
// CHECK: :[[#@LINE+3]]:10: remark: [Missed] {{.*}}iterations run at the same time
func.func @parallel(%x: memref<8xf32>, %n: index, %c0: index, %c1: index) {
  scf.parallel (%j) = (%c0) to (%n) step (%c1) {
    %a = memref.alloc() : memref<8xf32>
    scf.for %i = %c0 to %n step %c1 {
      memref.copy %x, %a : memref<8xf32> to memref<8xf32>
    }
  }
  return
}
// CHECK: :[[#@LINE+2]]:8: remark: [Missed] {{.*}}it is freed elsewhere than it is allocated (memref.dealloc
func.func @freed_in_loop(%x: memref<8xf32>, %n: index, %c0: index, %c1: index) {
  %a = memref.alloc() : memref<8xf32>
  scf.for %i = %c0 to %n step %c1 {
    memref.copy %x, %a : memref<8xf32> to memref<8xf32>
    memref.dealloc %a : memref<8xf32>
  }
  return
}
// CHECK: :[[#@LINE+3]]:10: remark: [Missed] {{.*}}it has no bytes, or too many
func.func @empty(%x: memref<0xf32>, %n: index, %c0: index, %c1: index) {
  scf.for %i = %c0 to %n step %c1 {
    %a = memref.alloc() : memref<0xf32>
    memref.copy %x, %a : memref<0xf32> to memref<0xf32>
  }
  return
}
// CHECK: :[[#@LINE+3]]:10: remark: [Missed] {{.*}}it has no bytes, or too many
func.func @large(%x: memref<4611686018427387904xi8>, %n: index, %c0: index, %c1: index) {
  scf.for %i = %c0 to %n step %c1 {
    %a = memref.alloc() : memref<4611686018427387904xi8>
    memref.copy %x, %a : memref<4611686018427387904xi8> to memref<4611686018427387904xi8>
  }
  return
}
