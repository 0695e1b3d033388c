// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %berth-opt %s --pass-pipeline='builtin.module(berth-arena{report=-})' \
// RUN:   -o %t.mlir 2>&1 | FileCheck %s
// RUN: %berth-opt %t.mlir --berth-verify -o /dev/null
// RUN: %berth-opt %s --pass-pipeline='builtin.module(berth-arena{report=- arena=annotate})' \
// RUN:   -o %t.mlir 2>&1 | FileCheck %s --check-prefix=ANNOTATE
// RUN: %berth-opt %t.mlir --berth-verify -o /dev/null
// RUN: %berth-opt %s --pass-pipeline='builtin.module(berth-arena{report=- byte-ranges=false})' \
// RUN:   -o /dev/null 2>&1 | FileCheck %s --check-prefix=WHOLE
// RUN: %berth-opt %s --pass-pipeline='builtin.module(berth-arena{report=- test-break-rule=no-kills})' \
// RUN:   -o /dev/null 2>&1 | FileCheck %s --check-prefix=KEPT

// Parts of a buffer with lives of their own. What the report calls windows: times,
// and the bytes that are live then.

func.func private @use(memref<1024xf32>)

// %x's lower half has been read when %y is made.
// CHECK: "scope": "halves"{{.*}} "bytes_after": 8192,
// CHECK-SAME: "load": 8192,{{.*}}"optimal": true
// CHECK-SAME: "windows": {{\[\[[0-9]+, [0-9]+, 4096, 8192\]\]}}
// ANNOTATE: "scope": "halves"{{.*}} "bytes_after": 8192,
// WHOLE: "scope": "halves"{{.*}} "bytes_after": 12288,
// WHOLE-NOT: "windows"
// KEPT: "scope": "halves"{{.*}} "bytes_after": 8192,
func.func @halves(%in: memref<2048xf32>, %out: memref<1024xf32>) {
  %one = arith.constant 1.0 : f32
  %x = memref.alloc() : memref<2048xf32>
  %lo = memref.subview %x[0] [1024] [1] : memref<2048xf32> to memref<1024xf32, strided<[1]>>
  %hi = memref.subview %x[1024] [1024] [1] : memref<2048xf32> to memref<1024xf32, strided<[1], offset: 1024>>
  memref.copy %in, %x : memref<2048xf32> to memref<2048xf32>
  memref.copy %lo, %out : memref<1024xf32, strided<[1]>> to memref<1024xf32>
  %y = memref.alloc() : memref<1024xf32>
  linalg.fill ins(%one : f32) outs(%y : memref<1024xf32>)
  call @use(%y) : (memref<1024xf32>) -> ()
  memref.copy %hi, %out : memref<1024xf32, strided<[1], offset: 1024>> to memref<1024xf32>
  call @use(%y) : (memref<1024xf32>) -> ()
  return
}

// Only a proof that %lo is overwritten ends what the last turn has left there.
// CHECK: "scope": "turns"{{.*}} "bytes_after": 8192,
// KEPT: "scope": "turns"{{.*}} "bytes_after": 12288,
func.func @turns(%out: memref<1024xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %one = arith.constant 1.0 : f32
  %x = memref.alloc() : memref<2048xf32>
  %y = memref.alloc() : memref<1024xf32>
  %lo = memref.subview %x[0] [1024] [1] : memref<2048xf32> to memref<1024xf32, strided<[1]>>
  %hi = memref.subview %x[1024] [1024] [1] : memref<2048xf32> to memref<1024xf32, strided<[1], offset: 1024>>
  linalg.fill ins(%one : f32) outs(%hi : memref<1024xf32, strided<[1], offset: 1024>>)
  scf.for %i = %c0 to %c8 step %c1 {
    linalg.fill ins(%one : f32) outs(%lo : memref<1024xf32, strided<[1]>>)
    memref.copy %lo, %out : memref<1024xf32, strided<[1]>> to memref<1024xf32>
    linalg.fill ins(%one : f32) outs(%y : memref<1024xf32>)
    func.call @use(%y) : (memref<1024xf32>) -> ()
    memref.copy %hi, %out : memref<1024xf32, strided<[1], offset: 1024>> to memref<1024xf32>
  }
  return
}

// The user says where %x lies: then all of it lies there.
// CHECK: "scope": "pinned"{{.*}} "bytes_after": 12288,
func.func @pinned(%in: memref<2048xf32>, %out: memref<1024xf32>) {
  %one = arith.constant 1.0 : f32
  %x = memref.alloc() {berth.pin = 0 : i64} : memref<2048xf32>
  %lo = memref.subview %x[0] [1024] [1] : memref<2048xf32> to memref<1024xf32, strided<[1]>>
  %hi = memref.subview %x[1024] [1024] [1] : memref<2048xf32> to memref<1024xf32, strided<[1], offset: 1024>>
  memref.copy %in, %x : memref<2048xf32> to memref<2048xf32>
  memref.copy %lo, %out : memref<1024xf32, strided<[1]>> to memref<1024xf32>
  %y = memref.alloc() : memref<1024xf32>
  linalg.fill ins(%one : f32) outs(%y : memref<1024xf32>)
  call @use(%y) : (memref<1024xf32>) -> ()
  memref.copy %hi, %out : memref<1024xf32, strided<[1], offset: 1024>> to memref<1024xf32>
  call @use(%y) : (memref<1024xf32>) -> ()
  return
}

// A view that is known to be within the first half only where its offset is.
// CHECK: "scope": "anywhere"{{.*}} "bytes_after": 12288,
func.func @anywhere(%in: memref<2048xf32>, %out: memref<1024xf32>, %i: index) {
  %one = arith.constant 1.0 : f32
  %x = memref.alloc() : memref<2048xf32>
  %lo = memref.subview %x[0] [1024] [1] : memref<2048xf32> to memref<1024xf32, strided<[1]>>
  %hi = memref.subview %x[%i] [1024] [1] : memref<2048xf32> to memref<1024xf32, strided<[1], offset: ?>>
  memref.copy %in, %x : memref<2048xf32> to memref<2048xf32>
  memref.copy %lo, %out : memref<1024xf32, strided<[1]>> to memref<1024xf32>
  %y = memref.alloc() : memref<1024xf32>
  linalg.fill ins(%one : f32) outs(%y : memref<1024xf32>)
  call @use(%y) : (memref<1024xf32>) -> ()
  memref.copy %hi, %out : memref<1024xf32, strided<[1], offset: ?>> to memref<1024xf32>
  call @use(%y) : (memref<1024xf32>) -> ()
  return
}
