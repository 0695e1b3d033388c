// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// results=out-params: callers bring what is returned, and what is no buffer of its
// own stays what it was, seen through both of its names.
// REQUIRES: mlir
// RUN: %same-output --pipeline='berth-arena{results=out-params}' --pipeline='berth-arena{results=out-params poison=true}' \
// RUN:   --pipeline='berth-arena{results=out-params frames=true poison=true}' %S/Inputs/prelude.mlir %s | FileCheck %s
// RUN: not %same-output --pipeline='berth-arena{results=out-params verify=false test-break-rule=any-result}' \
// RUN:   %S/Inputs/prelude.mlir %s 2>&1 | FileCheck %s --check-prefix=BROKEN
// BROKEN: same-output: the output differs

func.func private @layer(%in: memref<8xi32>) -> memref<8xi32> {
  %t = memref.alloc() : memref<8xi32>
  %r = memref.alloc() : memref<8xi32>
  linalg.add ins(%in, %in : memref<8xi32>, memref<8xi32>) outs(%t : memref<8xi32>)
  linalg.add ins(%t, %in : memref<8xi32>, memref<8xi32>) outs(%r : memref<8xi32>)
  memref.dealloc %t : memref<8xi32>
  return %r : memref<8xi32>
}

// Two results, one of them of a call.
func.func private @both(%in: memref<8xi32>) -> (memref<8xi32>, i32, memref<8xi32>) {
  %c3 = arith.constant 3 : index
  %a = call @layer(%in) : (memref<8xi32>) -> memref<8xi32>
  %b = memref.alloc() : memref<8xi32>
  linalg.add ins(%a, %in : memref<8xi32>, memref<8xi32>) outs(%b : memref<8xi32>)
  %v = memref.load %a[%c3] : memref<8xi32>
  return %a, %v, %b : memref<8xi32>, i32, memref<8xi32>
}

// What the caller writes through the one it reads through the other.
func.func private @twice() -> (memref<8xi32>, memref<8xi32>) {
  %one = arith.constant 1 : i32
  %r = memref.alloc() : memref<8xi32>
  linalg.fill ins(%one : i32) outs(%r : memref<8xi32>)
  return %r, %r : memref<8xi32>, memref<8xi32>
}
func.func private @same(%x: memref<8xi32>) -> memref<8xi32> {
  return %x : memref<8xi32>
}

// Each turn makes its buffer of the last one's, which is read again behind that.
func.func private @sums(%in: memref<8xi32>, %n: index) -> memref<8xi32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1 : i32
  cf.br ^turn(%c0, %in : index, memref<8xi32>)
^turn(%i: index, %last: memref<8xi32>):
  %r = memref.alloc() : memref<8xi32>
  linalg.fill ins(%one : i32) outs(%r : memref<8xi32>)
  linalg.add ins(%last, %r : memref<8xi32>, memref<8xi32>) outs(%r : memref<8xi32>)
  %next = arith.addi %i, %c1 : index
  %more = arith.cmpi ult, %next, %n : index
  cf.cond_br %more, ^turn(%next, %r : index, memref<8xi32>), ^end
^end:
  return %r : memref<8xi32>
}

// %x, and one of two slots for each of the layers' results at a time.
// CHECK: network: 64
func.func private @network(%x: memref<8xi32>) {
  %a = call @layer(%x) : (memref<8xi32>) -> memref<8xi32>
  %b = call @layer(%a) : (memref<8xi32>) -> memref<8xi32>
  memref.dealloc %a : memref<8xi32>
  %c = call @layer(%b) : (memref<8xi32>) -> memref<8xi32>
  memref.dealloc %b : memref<8xi32>
  %d = call @layer(%c) : (memref<8xi32>) -> memref<8xi32>
  memref.dealloc %c : memref<8xi32>
  call @show(%d) : (memref<8xi32>) -> ()
  memref.dealloc %d : memref<8xi32>
  return
}

func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %ten = arith.constant 10 : i32
  %seven = arith.constant 7 : i32
  %x = memref.alloc() : memref<8xi32>
  call @count(%x, %ten) : (memref<8xi32>, i32) -> ()
  call @network(%x) : (memref<8xi32>) -> ()

  // Used after the next call of the same function, in a loop and behind it.
  %y = call @layer(%x) : (memref<8xi32>) -> memref<8xi32>
  %last = scf.for %i = %c0 to %c3 step %c1 iter_args(%z = %x) -> memref<8xi32> {
    %w = func.call @layer(%z) : (memref<8xi32>) -> memref<8xi32>
    %v = func.call @layer(%w) : (memref<8xi32>) -> memref<8xi32>
    func.call @show(%w) : (memref<8xi32>) -> ()
    func.call @show(%z) : (memref<8xi32>) -> ()
    scf.yield %v : memref<8xi32>
  }
  call @show(%last) : (memref<8xi32>) -> ()
  call @show(%y) : (memref<8xi32>) -> ()

  %a, %v, %b = call @both(%x) : (memref<8xi32>) -> (memref<8xi32>, i32, memref<8xi32>)
  linalg.fill ins(%v : i32) outs(%x : memref<8xi32>)
  call @show(%a) : (memref<8xi32>) -> ()
  call @show(%b) : (memref<8xi32>) -> ()
  call @show(%x) : (memref<8xi32>) -> ()

  %p, %q = call @twice() : () -> (memref<8xi32>, memref<8xi32>)
  memref.store %seven, %p[%c3] : memref<8xi32>
  call @show(%q) : (memref<8xi32>) -> ()
  %s = call @same(%q) : (memref<8xi32>) -> memref<8xi32>
  memref.store %seven, %s[%c1] : memref<8xi32>
  call @show(%p) : (memref<8xi32>) -> ()

  %t = call @sums(%x, %c3) : (memref<8xi32>, index) -> memref<8xi32>
  call @show(%t) : (memref<8xi32>) -> ()
  return
}
