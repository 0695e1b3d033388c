// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What stays where it is, and why.
// RUN: %berth-opt %s --berth-heap --remarks-filter='berth.*' -o %t 2>&1 | FileCheck %s
// RUN: FileCheck --check-prefix=IR %s < %t
// RUN: %berth-opt %s --berth-heap=locked=true --remarks-filter='berth.*' -o %t 2>&1 | FileCheck --check-prefix=LOCKED %s

// IR-NOT: berth_heap

// CHECK: refused.mlir:[[#@LINE+2]]:{{.*}}Missed{{.*}}"it is returned"
func.func @returned(%n: index) -> memref<?xf32> {
  %m = memref.alloc(%n) : memref<?xf32>
  return %m : memref<?xf32>
}

// CHECK: refused.mlir:[[#@LINE+2]]:{{.*}}Missed{{.*}}"what is deallocated here may also be another buffer"
func.func @mixed(%c: i1, %n: index, %other: memref<?xf32>) {
  %m = memref.alloc(%n) : memref<?xf32>
  %either = arith.select %c, %m, %other : memref<?xf32>
  memref.dealloc %either : memref<?xf32>
  return
}

// One that cannot move keeps the other back, too.
// CHECK: refused.mlir:[[#@LINE+3]]:{{.*}}Missed{{.*}}"what is deallocated here may also be another buffer"
// CHECK: refused.mlir:[[#@LINE+3]]:{{.*}}Missed{{.*}}"a called function lets it get away"
func.func @kept_back(%c: i1, %n: index) {
  %a = memref.alloc(%n) : memref<?xf32>
  %b = memref.alloc(%n) : memref<?xf32>
  call @keep(%b) : (memref<?xf32>) -> ()
  %either = arith.select %c, %a, %b : memref<?xf32>
  memref.dealloc %either : memref<?xf32>
  return
}

// CHECK: refused.mlir:[[#@LINE+3]]:{{.*}}Missed{{.*}}"nothing deallocates it, and its uses leave the block that it is allocated in"
func.func @leaves_block(%c: i1, %n: index, %other: memref<?xf32>) -> f32 {
  %m = scf.if %c -> memref<?xf32> {
    %t = memref.alloc(%n) : memref<?xf32>
    scf.yield %t : memref<?xf32>
  } else {
    scf.yield %other : memref<?xf32>
  }
  %v = memref.load %m[%n] : memref<?xf32>
  return %v : f32
}

// CHECK: refused.mlir:[[#@LINE+4]]:{{.*}}Missed{{.*}}"it is allocated or freed in a region that may run many times at once (see the option locked)"
// LOCKED: refused.mlir:[[#@LINE+3]]:{{.*}}Passed{{.*}}"allocated in the heap, freed behind its last use"
func.func @parallel(%n: index) {
  scf.parallel (%i) = (%n) to (%n) step (%n) {
    %m = memref.alloc(%n) : memref<?xf32>
    %v = memref.load %m[%i] : memref<?xf32>
  }
  return
}

// CHECK: refused.mlir:[[#@LINE+3]]:{{.*}}Missed{{.*}}"async code uses it"
func.func @async(%n: index) {
  %c0 = arith.constant 0 : index
  %m = memref.alloc(%n) : memref<?xf32>
  %token = async.execute {
    %v = memref.load %m[%c0] : memref<?xf32>
    async.yield
  }
  async.await %token : !async.token
  return
}

// CHECK: refused.mlir:[[#@LINE+2]]:{{.*}}Missed{{.*}}"its strides are known only at run time"
func.func @strides(%n: index) {
  %m = memref.alloc(%n)[%n] : memref<?x4xf32, strided<[?, 1]>>
  memref.dealloc %m : memref<?x4xf32, strided<[?, 1]>>
  return
}

// CHECK: refused.mlir:[[#@LINE+2]]:{{.*}}Missed{{.*}}"nothing deallocates it, and its address gets away"
func.func @address(%n: index) {
  %m = memref.alloc(%n) : memref<?xf32>
  %p = memref.extract_aligned_pointer_as_index %m : memref<?xf32> -> index
  %i = arith.index_cast %p : index to i64
  call @remember(%i) : (i64) -> ()
  return
}

func.func private @remember(i64)

func.func private @keep_pointer(memref<memref<?xf32>>)
func.func @keep(%m: memref<?xf32>) {
  %place = memref.alloc() : memref<memref<?xf32>>
  memref.store %m, %place[] : memref<memref<?xf32>>
  call @keep_pointer(%place) : (memref<memref<?xf32>>) -> ()
  return
}

// -----

// A function of which the address is taken.
func.func private @called(%a: memref<8xf32>) {
  return
}
func.func @by_address(%a: memref<8xf32>) {
  %f = func.constant @called : (memref<8xf32>) -> ()
  func.call_indirect %f(%a) : (memref<8xf32>) -> ()
  return
}
