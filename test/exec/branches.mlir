// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %same-output %S/Inputs/prelude.mlir %s | FileCheck %s
// Alternatives: what only one branch needs, and what outlives them.

// %a is last used in one branch and still needed after the other.
// CHECK-LABEL: last_use_in_one_branch: 64
func.func @last_use_in_one_branch(%p: i1) {
  %one = arith.constant 1 : i32
  %a = memref.alloc() : memref<8xi32>
  %b = memref.alloc() : memref<8xi32>
  call @count(%a, %one) : (memref<8xi32>, i32) -> ()
  scf.if %p {
    func.call @show(%a) : (memref<8xi32>) -> ()
  } else {
    linalg.fill ins(%one : i32) outs(%b : memref<8xi32>)
    func.call @show(%b) : (memref<8xi32>) -> ()
  }
  scf.if %p {
  } else {
    func.call @show(%a) : (memref<8xi32>) -> ()
  }
  return
}

// %a is used in one branch only: the other may have its bytes.
// CHECK-LABEL: used_in_one_branch: 32
func.func @used_in_one_branch(%p: i1) {
  %one = arith.constant 1 : i32
  %a = memref.alloc() : memref<8xi32>
  %b = memref.alloc() : memref<8xi32>
  scf.if %p {
    linalg.fill ins(%one : i32) outs(%a : memref<8xi32>)
    func.call @show(%a) : (memref<8xi32>) -> ()
  } else {
    func.call @count(%b, %one) : (memref<8xi32>, i32) -> ()
    func.call @show(%b) : (memref<8xi32>) -> ()
  }
  return
}

// Each branch has a buffer of its own.
// CHECK-LABEL: branch_locals: 32
func.func @branch_locals(%p: i1) {
  %one = arith.constant 1 : i32
  %two = arith.constant 2 : i32
  scf.if %p {
    %a = memref.alloc() : memref<8xi32>
    func.call @count(%a, %one) : (memref<8xi32>, i32) -> ()
    func.call @show(%a) : (memref<8xi32>) -> ()
  } else {
    %b = memref.alloc() : memref<8xi32>
    func.call @count(%b, %two) : (memref<8xi32>, i32) -> ()
    func.call @show(%b) : (memref<8xi32>) -> ()
  }
  return
}

// In a loop the alternatives meet: what one iteration writes to %a in the first
// branch is read by a later one in the second, after %b was written there.
// CHECK-LABEL: alternatives_meet_in_loop: 64
func.func @alternatives_meet_in_loop(%p: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %one = arith.constant 1 : i32
  %a = memref.alloc() : memref<8xi32>
  %b = memref.alloc() : memref<8xi32>
  linalg.fill ins(%one : i32) outs(%a : memref<8xi32>)
  linalg.fill ins(%one : i32) outs(%b : memref<8xi32>)
  scf.for %i = %c0 to %c4 step %c1 {
    %k = arith.index_cast %i : index to i32
    %even = arith.trunci %k : i32 to i1
    %turn = arith.xori %even, %p : i1
    scf.if %turn {
      func.call @show(%b) : (memref<8xi32>) -> ()
      func.call @count(%a, %k) : (memref<8xi32>, i32) -> ()
    } else {
      func.call @show(%a) : (memref<8xi32>) -> ()
      func.call @count(%b, %k) : (memref<8xi32>, i32) -> ()
    }
  }
  return
}

// The same with buffers that do not outlive their branch: they may share.
// CHECK-LABEL: branch_locals_in_loop: 32
func.func @branch_locals_in_loop(%p: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %a = memref.alloc() : memref<8xi32>
  %b = memref.alloc() : memref<8xi32>
  scf.for %i = %c0 to %c4 step %c1 {
    %k = arith.index_cast %i : index to i32
    %even = arith.trunci %k : i32 to i1
    %turn = arith.xori %even, %p : i1
    scf.if %turn {
      linalg.fill ins(%k : i32) outs(%a : memref<8xi32>)
      func.call @show(%a) : (memref<8xi32>) -> ()
    } else {
      linalg.fill ins(%k : i32) outs(%b : memref<8xi32>)
      func.call @show(%b) : (memref<8xi32>) -> ()
    }
  }
  return
}

// Written before, rewritten in one branch only, read after.
// CHECK-LABEL: rewritten_in_one_branch: 64
func.func @rewritten_in_one_branch(%p: i1) {
  %one = arith.constant 1 : i32
  %two = arith.constant 2 : i32
  %a = memref.alloc() : memref<8xi32>
  %b = memref.alloc() : memref<8xi32>
  linalg.fill ins(%one : i32) outs(%a : memref<8xi32>)
  linalg.fill ins(%two : i32) outs(%b : memref<8xi32>)
  func.call @show(%b) : (memref<8xi32>) -> ()
  scf.if %p {
    linalg.fill ins(%two : i32) outs(%a : memref<8xi32>)
  }
  func.call @show(%a) : (memref<8xi32>) -> ()
  return
}

// Rewritten in both branches: what was there before is dead.
// CHECK-LABEL: rewritten_in_both_branches: 32
func.func @rewritten_in_both_branches(%p: i1) {
  %one = arith.constant 1 : i32
  %two = arith.constant 2 : i32
  %a = memref.alloc() : memref<8xi32>
  %b = memref.alloc() : memref<8xi32>
  linalg.fill ins(%one : i32) outs(%a : memref<8xi32>)
  func.call @show(%a) : (memref<8xi32>) -> ()
  linalg.fill ins(%two : i32) outs(%b : memref<8xi32>)
  func.call @show(%b) : (memref<8xi32>) -> ()
  scf.if %p {
    linalg.fill ins(%two : i32) outs(%a : memref<8xi32>)
  } else {
    linalg.fill ins(%one : i32) outs(%a : memref<8xi32>)
  }
  func.call @show(%a) : (memref<8xi32>) -> ()
  return
}

// Branches within branches: three alternatives, each with its own buffer, and
// one that lives over all of them.
// CHECK-LABEL: nested_branches: 64
func.func @nested_branches(%p: i1, %q: i1) {
  %one = arith.constant 1 : i32
  %two = arith.constant 2 : i32
  %all = memref.alloc() : memref<8xi32>
  %a = memref.alloc() : memref<8xi32>
  %b = memref.alloc() : memref<8xi32>
  %c = memref.alloc() : memref<8xi32>
  call @count(%all, %two) : (memref<8xi32>, i32) -> ()
  scf.if %p {
    scf.if %q {
      linalg.fill ins(%one : i32) outs(%a : memref<8xi32>)
      func.call @show(%a) : (memref<8xi32>) -> ()
    } else {
      linalg.fill ins(%two : i32) outs(%b : memref<8xi32>)
      func.call @show(%b) : (memref<8xi32>) -> ()
    }
  } else {
    func.call @count(%c, %one) : (memref<8xi32>, i32) -> ()
    func.call @show(%c) : (memref<8xi32>) -> ()
  }
  func.call @show(%all) : (memref<8xi32>) -> ()
  return
}

// The cases of a switch are alternatives too.
// CHECK-LABEL: switch_cases: 32
func.func @switch_cases(%k: index) {
  %one = arith.constant 1 : i32
  %two = arith.constant 2 : i32
  %a = memref.alloc() : memref<8xi32>
  %b = memref.alloc() : memref<8xi32>
  %c = memref.alloc() : memref<8xi32>
  scf.index_switch %k
  case 0 {
    linalg.fill ins(%one : i32) outs(%a : memref<8xi32>)
    func.call @show(%a) : (memref<8xi32>) -> ()
    scf.yield
  }
  case 1 {
    linalg.fill ins(%two : i32) outs(%b : memref<8xi32>)
    func.call @show(%b) : (memref<8xi32>) -> ()
    scf.yield
  }
  default {
    func.call @count(%c, %one) : (memref<8xi32>, i32) -> ()
    func.call @show(%c) : (memref<8xi32>) -> ()
  }
  return
}

// A switch in a loop: case 0 writes what case 1 of a later iteration reads.
// CHECK-LABEL: switch_in_loop: 64
func.func @switch_in_loop() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c6 = arith.constant 6 : index
  %a = memref.alloc() : memref<8xi32>
  %b = memref.alloc() : memref<8xi32>
  scf.for %i = %c0 to %c6 step %c1 {
    %k = arith.index_cast %i : index to i32
    %case = arith.remui %i, %c2 : index
    scf.index_switch %case
    case 0 {
      linalg.fill ins(%k : i32) outs(%a : memref<8xi32>)
      scf.yield
    }
    default {
      linalg.fill ins(%k : i32) outs(%b : memref<8xi32>)
      func.call @show(%a) : (memref<8xi32>) -> ()
      func.call @show(%b) : (memref<8xi32>) -> ()
    }
  }
  return
}

func.func @main() {
  %no = arith.constant false
  %yes = arith.constant true
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  call @last_use_in_one_branch(%no) : (i1) -> ()
  call @last_use_in_one_branch(%yes) : (i1) -> ()
  call @used_in_one_branch(%no) : (i1) -> ()
  call @used_in_one_branch(%yes) : (i1) -> ()
  call @branch_locals(%no) : (i1) -> ()
  call @branch_locals(%yes) : (i1) -> ()
  call @alternatives_meet_in_loop(%no) : (i1) -> ()
  call @alternatives_meet_in_loop(%yes) : (i1) -> ()
  call @branch_locals_in_loop(%no) : (i1) -> ()
  call @branch_locals_in_loop(%yes) : (i1) -> ()
  call @rewritten_in_one_branch(%no) : (i1) -> ()
  call @rewritten_in_one_branch(%yes) : (i1) -> ()
  call @rewritten_in_both_branches(%no) : (i1) -> ()
  call @rewritten_in_both_branches(%yes) : (i1) -> ()
  call @nested_branches(%no, %no) : (i1, i1) -> ()
  call @nested_branches(%yes, %no) : (i1, i1) -> ()
  call @nested_branches(%yes, %yes) : (i1, i1) -> ()
  call @switch_cases(%c0) : (index) -> ()
  call @switch_cases(%c1) : (index) -> ()
  call @switch_cases(%c2) : (index) -> ()
  call @switch_in_loop() : () -> ()
  return
}
