// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %same-output %S/Inputs/prelude.mlir %s | FileCheck %s
// Loops: what lives over the back edge and what does not.

// Written before the loop, read in each iteration; the temporary must not have
// its bytes although it is written after the read.
// CHECK-LABEL: read_in_each_iteration: 64
func.func @read_in_each_iteration() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %one = arith.constant 1 : i32
  %a = memref.alloc() : memref<8xi32>
  %t = memref.alloc() : memref<8xi32>
  call @count(%a, %one) : (memref<8xi32>, i32) -> ()
  scf.for %i = %c0 to %c3 step %c1 {
    %k = arith.index_cast %i : index to i32
    func.call @show(%a) : (memref<8xi32>) -> ()
    linalg.fill ins(%k : i32) outs(%t : memref<8xi32>)
    func.call @show(%t) : (memref<8xi32>) -> ()
  }
  return
}

// Read at the top of the body, rewritten at its end: it is live around the back
// edge but not in between, where the temporary has its bytes.
// CHECK-LABEL: rewritten_at_the_end: 32
func.func @rewritten_at_the_end() {
  %nine = arith.constant 9 : i32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %one = arith.constant 1 : i32
  %a = memref.alloc() : memref<8xi32>
  %t = memref.alloc() : memref<8xi32>
  linalg.fill ins(%one : i32) outs(%a : memref<8xi32>)
  scf.for %i = %c0 to %c3 step %c1 {
    %k = arith.index_cast %i : index to i32
    func.call @show(%a) : (memref<8xi32>) -> ()
    linalg.fill ins(%nine : i32) outs(%t : memref<8xi32>)
    func.call @show(%t) : (memref<8xi32>) -> ()
    linalg.fill ins(%k : i32) outs(%a : memref<8xi32>)
  }
  func.call @show(%a) : (memref<8xi32>) -> ()
  return
}

// The second inner loop reads what the first wrote in the previous outer
// iteration: %a is live over the outer back edge.
// CHECK-LABEL: sibling_loops: 96
func.func @sibling_loops() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %zero = arith.constant 0 : i32
  %a = memref.alloc() : memref<8xi32>
  %b = memref.alloc() : memref<8xi32>
  %t = memref.alloc() : memref<8xi32>
  linalg.fill ins(%zero : i32) outs(%a : memref<8xi32>)
  linalg.fill ins(%zero : i32) outs(%b : memref<8xi32>)
  scf.for %i = %c0 to %c3 step %c1 {
    %k = arith.index_cast %i : index to i32
    linalg.fill ins(%k : i32) outs(%t : memref<8xi32>)
    func.call @show(%t) : (memref<8xi32>) -> ()
    scf.for %j = %c0 to %c2 step %c1 {
      func.call @show(%b) : (memref<8xi32>) -> ()
      %first = arith.cmpi eq, %j, %c0 : index
      scf.if %first {
        func.call @show(%a) : (memref<8xi32>) -> ()
      }
    }
    scf.for %j = %c0 to %c2 step %c1 {
      func.call @count(%a, %k) : (memref<8xi32>, i32) -> ()
      func.call @count(%b, %k) : (memref<8xi32>, i32) -> ()
    }
  }
  return
}

// Temporaries allocated outside and rewritten before they are read in each
// iteration: they may share.
// CHECK-LABEL: hoisted_temporaries: 32
func.func @hoisted_temporaries() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %s = memref.alloc() : memref<8xi32>
  %t = memref.alloc() : memref<8xi32>
  scf.for %i = %c0 to %c3 step %c1 {
    %k = arith.index_cast %i : index to i32
    linalg.fill ins(%k : i32) outs(%s : memref<8xi32>)
    func.call @show(%s) : (memref<8xi32>) -> ()
    linalg.fill ins(%k : i32) outs(%t : memref<8xi32>)
    func.call @show(%t) : (memref<8xi32>) -> ()
  }
  return
}

// Temporaries allocated in the body: running the allocation again ends what was
// there, even where the writes prove nothing.
// CHECK-LABEL: allocated_in_the_body: 32
func.func @allocated_in_the_body() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  scf.for %i = %c0 to %c3 step %c1 {
    %k = arith.index_cast %i : index to i32
    %s = memref.alloc() : memref<8xi32>
    func.call @count(%s, %k) : (memref<8xi32>, i32) -> ()
    func.call @show(%s) : (memref<8xi32>) -> ()
    %t = memref.alloc() : memref<8xi32>
    func.call @count(%t, %k) : (memref<8xi32>, i32) -> ()
    func.call @show(%t) : (memref<8xi32>) -> ()
  }
  return
}

// A loop may run zero times: what it rewrites may survive it.
// CHECK-LABEL: zero_trips: 64
func.func @zero_trips(%n: index) {
  %nine = arith.constant 9 : i32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1 : i32
  %two = arith.constant 2 : i32
  %a = memref.alloc() : memref<8xi32>
  %t = memref.alloc() : memref<8xi32>
  linalg.fill ins(%one : i32) outs(%a : memref<8xi32>)
  linalg.fill ins(%nine : i32) outs(%t : memref<8xi32>)
  call @show(%t) : (memref<8xi32>) -> ()
  scf.for %i = %c0 to %n step %c1 {
    linalg.fill ins(%two : i32) outs(%a : memref<8xi32>)
  }
  call @show(%a) : (memref<8xi32>) -> ()
  return
}

// Accumulated over the iterations: a partial write each time.
// CHECK-LABEL: accumulated: 64
func.func @accumulated() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %zero = arith.constant 0 : i32
  %sum = memref.alloc() : memref<8xi32>
  %t = memref.alloc() : memref<8xi32>
  linalg.fill ins(%zero : i32) outs(%sum : memref<8xi32>)
  scf.for %i = %c0 to %c8 step %c1 {
    %k = arith.index_cast %i : index to i32
    func.call @count(%t, %k) : (memref<8xi32>, i32) -> ()
    %x = memref.load %t[%i] : memref<8xi32>
    %old = memref.load %sum[%c0] : memref<8xi32>
    %new = arith.addi %old, %x : i32
    memref.store %new, %sum[%c0] : memref<8xi32>
  }
  call @show(%sum) : (memref<8xi32>) -> ()
  return
}

// Written in the first iteration, read in the last one only.
// CHECK-LABEL: first_to_last: 64
func.func @first_to_last() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %a = memref.alloc() : memref<8xi32>
  %t = memref.alloc() : memref<8xi32>
  scf.for %i = %c0 to %c3 step %c1 {
    %k = arith.index_cast %i : index to i32
    %isFirst = arith.cmpi eq, %i, %c0 : index
    scf.if %isFirst {
      func.call @count(%a, %k) : (memref<8xi32>, i32) -> ()
    }
    linalg.fill ins(%k : i32) outs(%t : memref<8xi32>)
    func.call @show(%t) : (memref<8xi32>) -> ()
    %isLast = arith.cmpi eq, %i, %c2 : index
    scf.if %isLast {
      func.call @show(%a) : (memref<8xi32>) -> ()
    }
  }
  return
}

// The inner loop's temporary may have the bytes of what only the outer body
// uses before it.
// CHECK-LABEL: nested_temporaries: 64
func.func @nested_temporaries() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %one = arith.constant 1 : i32
  %all = memref.alloc() : memref<8xi32>
  %s = memref.alloc() : memref<8xi32>
  %t = memref.alloc() : memref<8xi32>
  call @count(%all, %one) : (memref<8xi32>, i32) -> ()
  scf.for %i = %c0 to %c2 step %c1 {
    %k = arith.index_cast %i : index to i32
    linalg.fill ins(%k : i32) outs(%s : memref<8xi32>)
    func.call @show(%s) : (memref<8xi32>) -> ()
    scf.for %j = %c0 to %c2 step %c1 {
      %l = arith.index_cast %j : index to i32
      linalg.fill ins(%l : i32) outs(%t : memref<8xi32>)
      func.call @show(%t) : (memref<8xi32>) -> ()
    }
    func.call @show(%all) : (memref<8xi32>) -> ()
  }
  return
}

// The test of a while reads what its body wrote.
// CHECK-LABEL: while_test: 64
func.func @while_test() {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %three = arith.constant 3 : i32
  %a = memref.alloc() : memref<8xi32>
  %t = memref.alloc() : memref<8xi32>
  linalg.fill ins(%zero : i32) outs(%a : memref<8xi32>)
  scf.while : () -> () {
    %x = memref.load %a[%c0] : memref<8xi32>
    %more = arith.cmpi ult, %x, %three : i32
    scf.condition(%more)
  } do {
    %x = memref.load %a[%c0] : memref<8xi32>
    linalg.fill ins(%x : i32) outs(%t : memref<8xi32>)
    func.call @show(%t) : (memref<8xi32>) -> ()
    %next = arith.addi %x, %one : i32
    memref.store %next, %a[%c0] : memref<8xi32>
    scf.yield
  }
  call @show(%a) : (memref<8xi32>) -> ()
  return
}

// What the test of a while writes, its body reads, and so does what follows.
// CHECK-LABEL: while_hand_over: 64
func.func @while_hand_over() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %a = memref.alloc() : memref<8xi32>
  %t = memref.alloc() : memref<8xi32>
  %n = scf.while (%i = %c0) : (index) -> index {
    %k = arith.index_cast %i : index to i32
    linalg.fill ins(%k : i32) outs(%a : memref<8xi32>)
    %more = arith.cmpi ult, %i, %c3 : index
    scf.condition(%more) %i : index
  } do {
  ^bb0(%i: index):
    %k = arith.index_cast %i : index to i32
    func.call @count(%t, %k) : (memref<8xi32>, i32) -> ()
    func.call @show(%t) : (memref<8xi32>) -> ()
    func.call @show(%a) : (memref<8xi32>) -> ()
    %next = arith.addi %i, %c1 : index
    scf.yield %next : index
  }
  func.call @show(%a) : (memref<8xi32>) -> ()
  return
}

func.func @main() {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  call @read_in_each_iteration() : () -> ()
  call @rewritten_at_the_end() : () -> ()
  call @sibling_loops() : () -> ()
  call @hoisted_temporaries() : () -> ()
  call @allocated_in_the_body() : () -> ()
  call @zero_trips(%c0) : (index) -> ()
  call @zero_trips(%c2) : (index) -> ()
  call @accumulated() : () -> ()
  call @first_to_last() : () -> ()
  call @nested_temporaries() : () -> ()
  call @while_test() : () -> ()
  call @while_hand_over() : () -> ()
  return
}
