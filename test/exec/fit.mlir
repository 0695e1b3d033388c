// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Programs whose content leaves a memory that is too small, and comes back.
// RUN: %same-output --forget-space=77 --pipeline='berth-fit{space=default backing=77 capacity=64 must-fit=false}' --pipeline='berth-fit{space=default backing=77 capacity=64 must-fit=false},berth-arena{poison=true},berth-arena{space=77 poison=true}' --pipeline='berth-fit{space=default backing=77 capacity=64 access=1 must-fit=false},berth-arena{poison=true}' --pipeline='berth-fit{space=default backing=77 capacity=1 access=1 must-fit=false},berth-arena{poison=true}' --pipeline='berth-fit{space=default backing=77 capacity=96},berth-fit{space=77 backing=78 capacity=64 must-fit=false},berth-arena{poison=true}' %S/Inputs/prelude.mlir %s
//
// Each rule is needed: without it some program prints something else, and the check
// of what has moved refuses it.
// DEFINE: %{rule} =
// DEFINE: %{breaks} = not %same-output --forget-space=77 --pipeline='berth-fit{space=default backing=77 capacity=64 must-fit=false verify=false test-break-rule=%{rule}},berth-arena{poison=true verify=false}' %S/Inputs/prelude.mlir %s 2>&1 | FileCheck %s
// DEFINE: %{refused} = cat %S/Inputs/prelude.mlir %s > %t.mlir && not %mlir-opt-berth %t.mlir -o %t.out --pass-pipeline='builtin.module(berth-fit{space=default backing=77 capacity=64 must-fit=false test-break-rule=%{rule}})' 2>&1 | FileCheck %s --check-prefix=REFUSED
// CHECK: the output differs
// REFUSED: error: {{moves content from|reads}} a place that may not hold
// REFUSED: error: content that berth-fit has moved is not where it is used; nothing has been changed
// REDEFINE: %{rule} = spills
// RUN: %{breaks}
// RUN: %{refused}
// REDEFINE: %{rule} = sources-stay
// RUN: %{breaks}
// RUN: %{refused}
// REDEFINE: %{rule} = content-ends-with-block
// RUN: %{breaks}
// RUN: %{refused}

func.func private @fill(%m: memref<8xi32, 77>, %x: i32) {
  %c0 = arith.constant 0 : index
  %base = vector.broadcast %x : i32 to vector<8xi32>
  %steps = arith.constant dense<[0, 1, 2, 3, 4, 5, 6, 7]> : vector<8xi32>
  %v = arith.addi %base, %steps : vector<8xi32>
  vector.store %v, %m[%c0] : memref<8xi32, 77>, vector<8xi32>
  return
}

// %a is out while %b and %c are used.
func.func @between(%x: memref<8xi32, 77>) {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<8xi32>
  %b = memref.alloc() : memref<8xi32>
  %c = memref.alloc() : memref<8xi32>
  linalg.add ins(%x, %x : memref<8xi32, 77>, memref<8xi32, 77>) outs(%a : memref<8xi32>)
  linalg.add ins(%x, %x : memref<8xi32, 77>, memref<8xi32, 77>) outs(%b : memref<8xi32>)
  func.call @both(%b, %c) : (memref<8xi32>, memref<8xi32>) -> ()
  func.call @show(%c) : (memref<8xi32>) -> ()
  func.call @show(%a) : (memref<8xi32>) -> ()
  return
}
func.func private @both(%b: memref<8xi32>, %c: memref<8xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c7 = arith.constant 7 : index
  %c8 = arith.constant 8 : index
  scf.for %i = %c0 to %c8 step %c1 {
    %j = arith.subi %c7, %i : index
    %v = memref.load %b[%j] : memref<8xi32>
    memref.store %v, %c[%i] : memref<8xi32>
  }
  return
}

// %a is a copy of what is written while it is out, so it has to be kept.
func.func @source(%x: memref<8xi32, 77>) {
  %a = memref.alloc() : memref<8xi32>
  %b = memref.alloc() : memref<8xi32>
  %c = memref.alloc() : memref<8xi32>
  memref.copy %x, %a : memref<8xi32, 77> to memref<8xi32>
  func.call @show(%a) : (memref<8xi32>) -> ()
  linalg.add ins(%x, %x : memref<8xi32, 77>, memref<8xi32, 77>) outs(%b : memref<8xi32>)
  func.call @both(%b, %c) : (memref<8xi32>, memref<8xi32>) -> ()
  memref.copy %c, %x : memref<8xi32> to memref<8xi32, 77>
  func.call @show(%a) : (memref<8xi32>) -> ()
  return
}

// A copy of what stays as it is is read again.
func.func @again(%x: memref<8xi32, 77>) {
  %a = memref.alloc() : memref<8xi32>
  %b = memref.alloc() : memref<8xi32>
  %c = memref.alloc() : memref<8xi32>
  memref.copy %x, %a : memref<8xi32, 77> to memref<8xi32>
  func.call @show(%a) : (memref<8xi32>) -> ()
  linalg.add ins(%x, %x : memref<8xi32, 77>, memref<8xi32, 77>) outs(%b : memref<8xi32>)
  linalg.add ins(%b, %b : memref<8xi32>, memref<8xi32>) outs(%c : memref<8xi32>)
  func.call @show(%b) : (memref<8xi32>) -> ()
  func.call @show(%c) : (memref<8xi32>) -> ()
  linalg.add ins(%a, %c : memref<8xi32>, memref<8xi32>) outs(%c : memref<8xi32>)
  func.call @show(%c) : (memref<8xi32>) -> ()
  return
}

// %w is one of two, and the one is written while %a is out.
func.func @one_of_two(%p: i1, %one: i32, %two: i32) {
  %u = memref.alloc() : memref<8xi32, 77>
  %v = memref.alloc() : memref<8xi32, 77>
  %t = memref.alloc() : memref<8xi32, 77>
  linalg.fill ins(%one : i32) outs(%u : memref<8xi32, 77>)
  linalg.fill ins(%one : i32) outs(%v : memref<8xi32, 77>)
  %w = scf.if %p -> memref<8xi32, 77> {
    scf.yield %u : memref<8xi32, 77>
  } else {
    scf.yield %v : memref<8xi32, 77>
  }
  %a = memref.alloc() : memref<8xi32>
  %b = memref.alloc() : memref<8xi32>
  %c = memref.alloc() : memref<8xi32>
  memref.copy %w, %a : memref<8xi32, 77> to memref<8xi32>
  linalg.copy ins(%a : memref<8xi32>) outs(%t : memref<8xi32, 77>)
  linalg.fill ins(%two : i32) outs(%u : memref<8xi32, 77>)
  linalg.fill ins(%two : i32) outs(%b : memref<8xi32>)
  linalg.add ins(%b, %b : memref<8xi32>, memref<8xi32>) outs(%c : memref<8xi32>)
  linalg.copy ins(%c : memref<8xi32>) outs(%t : memref<8xi32, 77>)
  linalg.add ins(%a, %t : memref<8xi32>, memref<8xi32, 77>) outs(%b : memref<8xi32>)
  func.call @show(%b) : (memref<8xi32>) -> ()
  memref.dealloc %u : memref<8xi32, 77>
  memref.dealloc %v : memref<8xi32, 77>
  memref.dealloc %t : memref<8xi32, 77>
  return
}

// %sum goes from one iteration to the next, %a through one of them only.
func.func @iterations(%x: memref<8xi32, 77>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %sum = memref.alloc() : memref<8xi32>
  %a = memref.alloc() : memref<8xi32>
  %b = memref.alloc() : memref<8xi32>
  scf.for %i = %c0 to %c3 step %c1 {
    %first = arith.cmpi eq, %i, %c0 : index
    scf.if %first {
      memref.copy %x, %sum : memref<8xi32, 77> to memref<8xi32>
    }
    linalg.add ins(%sum, %x : memref<8xi32>, memref<8xi32, 77>) outs(%sum : memref<8xi32>)
    linalg.add ins(%x, %x : memref<8xi32, 77>, memref<8xi32, 77>) outs(%a : memref<8xi32>)
    func.call @both(%a, %b) : (memref<8xi32>, memref<8xi32>) -> ()
    func.call @show(%b) : (memref<8xi32>) -> ()
    linalg.add ins(%sum, %b : memref<8xi32>, memref<8xi32>) outs(%sum : memref<8xi32>)
    func.call @show(%sum) : (memref<8xi32>) -> ()
  }
  return
}

func.func @main() {
  %x = memref.alloc() : memref<8xi32, 77>
  %k = arith.constant 5 : i32
  func.call @fill(%x, %k) : (memref<8xi32, 77>, i32) -> ()
  func.call @between(%x) : (memref<8xi32, 77>) -> ()
  func.call @again(%x) : (memref<8xi32, 77>) -> ()
  func.call @iterations(%x) : (memref<8xi32, 77>) -> ()
  func.call @source(%x) : (memref<8xi32, 77>) -> ()
  %true = arith.constant true
  %one = arith.constant 1 : i32
  func.call @one_of_two(%true, %one, %k) : (i1, i32, i32) -> ()
  memref.dealloc %x : memref<8xi32, 77>
  return
}
