// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %same-output --async %S/Inputs/prelude.mlir %s | FileCheck %s
// Code that runs beside the rest, on threads of MLIR's async runtime, until its
// token is awaited. It takes its time, so that whoever takes its bytes in the
// meantime is noticed.

// Adds up what the buffer holds, slowly, into another.
func.func private @add_slowly(%from: memref<8xi32>, %to: memref<8xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c20000 = arith.constant 20000 : index
  %zero = arith.constant 0 : i32
  scf.for %i = %c0 to %c8 step %c1 {
    %sum = scf.for %k = %c0 to %c20000 step %c1 iter_args(%s = %zero) -> (i32) {
      %v = memref.load %from[%i] : memref<8xi32>
      %next = arith.addi %s, %v : i32
      scf.yield %next : i32
    }
    memref.store %sum, %to[%i] : memref<8xi32>
  }
  return
}

// What it reads stays until it is awaited; the temporary beside it lies
// elsewhere, the one behind it may lie there.
// CHECK-LABEL: until_awaited: 96
func.func @until_awaited() {
  %one = arith.constant 1 : i32
  %two = arith.constant 2 : i32
  %seven = arith.constant 7 : i32
  %a = memref.alloc() : memref<8xi32>
  %sum = memref.alloc() : memref<8xi32>
  %beside = memref.alloc() : memref<8xi32>
  %behind = memref.alloc() : memref<8xi32>
  func.call @count(%a, %one) : (memref<8xi32>, i32) -> ()
  %token = async.execute {
    func.call @add_slowly(%a, %sum) : (memref<8xi32>, memref<8xi32>) -> ()
    async.yield
  }
  linalg.fill ins(%seven : i32) outs(%beside : memref<8xi32>)
  call @show(%beside) : (memref<8xi32>) -> ()
  async.await %token : !async.token
  linalg.fill ins(%two : i32) outs(%behind : memref<8xi32>)
  call @show(%behind) : (memref<8xi32>) -> ()
  call @show(%sum) : (memref<8xi32>) -> ()
  return
}

// Two at once, each with a buffer of its own that only it uses.
// CHECK-LABEL: two_at_once: 128
func.func @two_at_once() {
  %one = arith.constant 1 : i32
  %two = arith.constant 2 : i32
  %a = memref.alloc() : memref<8xi32>
  %b = memref.alloc() : memref<8xi32>
  %x = memref.alloc() : memref<8xi32>
  %y = memref.alloc() : memref<8xi32>
  %first = async.execute {
    func.call @count(%a, %one) : (memref<8xi32>, i32) -> ()
    func.call @add_slowly(%a, %x) : (memref<8xi32>, memref<8xi32>) -> ()
    async.yield
  }
  %second = async.execute {
    func.call @count(%b, %two) : (memref<8xi32>, i32) -> ()
    func.call @add_slowly(%b, %y) : (memref<8xi32>, memref<8xi32>) -> ()
    async.yield
  }
  async.await %first : !async.token
  async.await %second : !async.token
  call @show(%x) : (memref<8xi32>) -> ()
  call @show(%y) : (memref<8xi32>) -> ()
  return
}

// One waits for the other by its dependency, and both are awaited in the end:
// what the first one reads is held until its own await.
// CHECK-LABEL: one_after_another: 96
func.func @one_after_another() {
  %one = arith.constant 1 : i32
  %nine = arith.constant 9 : i32
  %a = memref.alloc() : memref<8xi32>
  %b = memref.alloc() : memref<8xi32>
  %t = memref.alloc() : memref<8xi32>
  func.call @count(%a, %one) : (memref<8xi32>, i32) -> ()
  %first = async.execute {
    func.call @add_slowly(%a, %b) : (memref<8xi32>, memref<8xi32>) -> ()
    async.yield
  }
  %second = async.execute [%first] {
    func.call @add_slowly(%b, %a) : (memref<8xi32>, memref<8xi32>) -> ()
    async.yield
  }
  linalg.fill ins(%nine : i32) outs(%t : memref<8xi32>)
  call @show(%t) : (memref<8xi32>) -> ()
  async.await %second : !async.token
  async.await %first : !async.token
  call @show(%a) : (memref<8xi32>) -> ()
  return
}

// Awaited in each round: the next round's temporary may take the bytes.
// CHECK-LABEL: in_a_loop: 64
func.func @in_a_loop() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  scf.for %i = %c0 to %c3 step %c1 {
    %n = arith.index_cast %i : index to i32
    %a = memref.alloc() : memref<8xi32>
    %sum = memref.alloc() : memref<8xi32>
    func.call @count(%a, %n) : (memref<8xi32>, i32) -> ()
    %token = async.execute {
      func.call @add_slowly(%a, %sum) : (memref<8xi32>, memref<8xi32>) -> ()
      async.yield
    }
    async.await %token : !async.token
    %t = memref.alloc() : memref<8xi32>
    func.call @count(%t, %n) : (memref<8xi32>, i32) -> ()
    func.call @show(%t) : (memref<8xi32>) -> ()
    func.call @show(%sum) : (memref<8xi32>) -> ()
  }
  return
}

// The buffer comes back as a value; its content is read behind the await.
// CHECK-LABEL: as_a_value: 64
func.func @as_a_value() {
  %one = arith.constant 1 : i32
  %nine = arith.constant 9 : i32
  %a = memref.alloc() : memref<8xi32>
  %t = memref.alloc() : memref<8xi32>
  %token, %value = async.execute -> !async.value<memref<8xi32>> {
    func.call @count(%a, %one) : (memref<8xi32>, i32) -> ()
    async.yield %a : memref<8xi32>
  }
  %same = async.await %value : !async.value<memref<8xi32>>
  async.await %token : !async.token
  linalg.fill ins(%nine : i32) outs(%t : memref<8xi32>)
  call @show(%t) : (memref<8xi32>) -> ()
  call @show(%same) : (memref<8xi32>) -> ()
  return
}

// Code within code: the inner one is awaited by the outer one.
// CHECK-LABEL: nested: 96
func.func @nested() {
  %one = arith.constant 1 : i32
  %nine = arith.constant 9 : i32
  %a = memref.alloc() : memref<8xi32>
  %sum = memref.alloc() : memref<8xi32>
  %t = memref.alloc() : memref<8xi32>
  func.call @count(%a, %one) : (memref<8xi32>, i32) -> ()
  %outer = async.execute {
    %inner = async.execute {
      func.call @add_slowly(%a, %sum) : (memref<8xi32>, memref<8xi32>) -> ()
      async.yield
    }
    async.await %inner : !async.token
    async.yield
  }
  linalg.fill ins(%nine : i32) outs(%t : memref<8xi32>)
  call @show(%t) : (memref<8xi32>) -> ()
  async.await %outer : !async.token
  call @show(%sum) : (memref<8xi32>) -> ()
  return
}

// Awaited as a group, which no analysis here follows, and allocated where it
// runs: these stay as they are; %t alone is placed.
// CHECK-LABEL: left_alone: 32
func.func @left_alone() {
  %c1 = arith.constant 1 : index
  %one = arith.constant 1 : i32
  %nine = arith.constant 9 : i32
  %a = memref.alloc() : memref<8xi32>
  %sum = memref.alloc() : memref<8xi32>
  %t = memref.alloc() : memref<8xi32>
  func.call @count(%a, %one) : (memref<8xi32>, i32) -> ()
  %group = async.create_group %c1 : !async.group
  %token = async.execute {
    %own = memref.alloc() : memref<8xi32>
    func.call @add_slowly(%a, %own) : (memref<8xi32>, memref<8xi32>) -> ()
    func.call @add_slowly(%own, %sum) : (memref<8xi32>, memref<8xi32>) -> ()
    async.yield
  }
  %rank = async.add_to_group %token, %group : !async.token
  linalg.fill ins(%nine : i32) outs(%t : memref<8xi32>)
  call @show(%t) : (memref<8xi32>) -> ()
  async.await_all %group
  call @show(%sum) : (memref<8xi32>) -> ()
  return
}

func.func @main() {
  call @until_awaited() : () -> ()
  call @two_at_once() : () -> ()
  call @one_after_another() : () -> ()
  call @in_a_loop() : () -> ()
  call @as_a_value() : () -> ()
  call @nested() : () -> ()
  call @left_alone() : () -> ()
  return
}
