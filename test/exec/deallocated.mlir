// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %same-output --before=buffer-deallocation-pipeline %S/Inputs/prelude.mlir %s | FileCheck %s
// RUN: %same-output %S/Inputs/prelude.mlir %s | FileCheck %s --check-prefix=PLAIN
// Programs behind MLIR's deallocation passes: what these add must not make a
// buffer live any longer.
// Without them it is the same.
// PLAIN: state: 32
// PLAIN-NEXT: previous: 128
// PLAIN-NEXT: either: 64

// The last instance is read before the next one is allocated, and freed behind
// that. So is the first one, and all of them have one place.
// CHECK-LABEL: state: 32
func.func @state() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %one = arith.constant 1 : i32
  %init = memref.alloc() : memref<8xi32>
  func.call @count(%init, %one) : (memref<8xi32>, i32) -> ()
  %last = scf.for %i = %c0 to %c3 step %c1 iter_args(%m = %init) -> (memref<8xi32>) {
    %v = vector.load %m[%c0] : memref<8xi32>, vector<8xi32>
    %w = arith.addi %v, %v : vector<8xi32>
    %n = memref.alloc() : memref<8xi32>
    vector.store %w, %n[%c0] : memref<8xi32>, vector<8xi32>
    scf.yield %n : memref<8xi32>
  }
  call @show(%last) : (memref<8xi32>) -> ()
  return
}

// It is read behind that too: two instances at once, which take turns, so that
// no turn frees its own. %init is an alloca, and no slot.
// CHECK-NEXT: previous: 128
func.func @previous() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %one = arith.constant 1 : i32
  %init = memref.alloca() : memref<8xi32>
  %t = memref.alloc() : memref<8xi32>
  func.call @count(%init, %one) : (memref<8xi32>, i32) -> ()
  %last = scf.for %i = %c0 to %c3 step %c1 iter_args(%m = %init) -> (memref<8xi32>) {
    %n = memref.alloc() : memref<8xi32>
    func.call @count(%n, %one) : (memref<8xi32>, i32) -> ()
    linalg.add ins(%m, %n : memref<8xi32>, memref<8xi32>) outs(%n : memref<8xi32>)
    scf.yield %n : memref<8xi32>
  }
  linalg.fill ins(%one : i32) outs(%t : memref<8xi32>)
  call @show(%t) : (memref<8xi32>) -> ()
  call @show(%last) : (memref<8xi32>) -> ()
  return
}

// Either of two, of which one was made in the branch.
// CHECK-NEXT: either: 64
func.func @either() {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1 : i32
  %nine = arith.constant 9 : i32
  %true = arith.constant true
  %a = memref.alloc() : memref<8xi32>
  func.call @count(%a, %one) : (memref<8xi32>, i32) -> ()
  %v = memref.load %a[%c0] : memref<8xi32>
  %c = arith.cmpi eq, %v, %one : i32
  %r = scf.if %c -> memref<8xi32> {
    %b = memref.alloc() : memref<8xi32>
    func.call @count(%b, %nine) : (memref<8xi32>, i32) -> ()
    scf.yield %b : memref<8xi32>
  } else {
    scf.yield %a : memref<8xi32>
  }
  %t = memref.alloc() : memref<8xi32>
  linalg.fill ins(%one : i32) outs(%t : memref<8xi32>)
  call @show(%t) : (memref<8xi32>) -> ()
  call @show(%r) : (memref<8xi32>) -> ()
  return
}

func.func @main() {
  call @state() : () -> ()
  call @previous() : () -> ()
  call @either() : () -> ()
  return
}
