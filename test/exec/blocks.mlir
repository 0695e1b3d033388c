// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %same-output %S/Inputs/prelude.mlir %s | FileCheck %s
// Unstructured control flow.

// Two ways that meet again, each with a buffer of its own.
// CHECK-LABEL: diamond: 64
func.func @diamond(%p: i1) {
  %one = arith.constant 1 : i32
  %two = arith.constant 2 : i32
  %all = memref.alloc() : memref<8xi32>
  %a = memref.alloc() : memref<8xi32>
  %b = memref.alloc() : memref<8xi32>
  call @count(%all, %one) : (memref<8xi32>, i32) -> ()
  cf.cond_br %p, ^left, ^right
^left:
  linalg.fill ins(%one : i32) outs(%a : memref<8xi32>)
  call @show(%a) : (memref<8xi32>) -> ()
  cf.br ^join
^right:
  linalg.fill ins(%two : i32) outs(%b : memref<8xi32>)
  call @show(%b) : (memref<8xi32>) -> ()
  cf.br ^join
^join:
  call @show(%all) : (memref<8xi32>) -> ()
  return
}

// A loop of blocks: %a is read before it is rewritten in each round, %t is a
// temporary of the body.
// CHECK-LABEL: block_loop: 64
func.func @block_loop() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %zero = arith.constant 0 : i32
  %a = memref.alloc() : memref<8xi32>
  %t = memref.alloc() : memref<8xi32>
  linalg.fill ins(%zero : i32) outs(%a : memref<8xi32>)
  cf.br ^header(%c0 : index)
^header(%i: index):
  %more = arith.cmpi ult, %i, %c3 : index
  cf.cond_br %more, ^body, ^exit
^body:
  %k = arith.index_cast %i : index to i32
  linalg.fill ins(%k : i32) outs(%t : memref<8xi32>)
  call @show(%t) : (memref<8xi32>) -> ()
  call @show(%a) : (memref<8xi32>) -> ()
  call @count(%a, %k) : (memref<8xi32>, i32) -> ()
  %next = arith.addi %i, %c1 : index
  cf.br ^header(%next : index)
^exit:
  call @show(%a) : (memref<8xi32>) -> ()
  return
}

// Blocks whose text order is not their order in time: ^second stands first.
// CHECK-LABEL: order_of_blocks: 64
func.func @order_of_blocks() {
  %nine = arith.constant 9 : i32
  %one = arith.constant 1 : i32
  %a = memref.alloc() : memref<8xi32>
  %t = memref.alloc() : memref<8xi32>
  cf.br ^first
^second:
  linalg.fill ins(%nine : i32) outs(%t : memref<8xi32>)
  call @show(%t) : (memref<8xi32>) -> ()
  cf.br ^third
^first:
  linalg.fill ins(%one : i32) outs(%a : memref<8xi32>)
  cf.br ^second
^third:
  call @show(%a) : (memref<8xi32>) -> ()
  return
}

// A state machine: what state 0 leaves in %a, state 2 reads two rounds later.
// CHECK-LABEL: state_machine: 64
func.func @state_machine() {
  %nine = arith.constant 9 : i32
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %a = memref.alloc() : memref<8xi32>
  %t = memref.alloc() : memref<8xi32>
  cf.br ^next(%zero : i32)
^next(%state: i32):
  %then = arith.addi %state, %one : i32
  cf.switch %state : i32, [
    default: ^exit,
    0: ^zero,
    1: ^one,
    2: ^two
  ]
^zero:
  linalg.fill ins(%one : i32) outs(%a : memref<8xi32>)
  cf.br ^next(%then : i32)
^one:
  linalg.fill ins(%nine : i32) outs(%t : memref<8xi32>)
  call @show(%t) : (memref<8xi32>) -> ()
  cf.br ^next(%then : i32)
^two:
  call @show(%a) : (memref<8xi32>) -> ()
  cf.br ^next(%then : i32)
^exit:
  return
}

// An early exit: %a is needed on the long way only, %b on both.
// CHECK-LABEL: early_exit: 64
func.func @early_exit(%p: i1) {
  %one = arith.constant 1 : i32
  %two = arith.constant 2 : i32
  %a = memref.alloc() : memref<8xi32>
  %b = memref.alloc() : memref<8xi32>
  call @count(%a, %one) : (memref<8xi32>, i32) -> ()
  call @count(%b, %two) : (memref<8xi32>, i32) -> ()
  call @show(%b) : (memref<8xi32>) -> ()
  cf.cond_br %p, ^early, ^late
^early:
  return
^late:
  call @show(%a) : (memref<8xi32>) -> ()
  call @show(%b) : (memref<8xi32>) -> ()
  return
}

// An unreachable block changes nothing.
// CHECK-LABEL: unreachable: 32
func.func @unreachable() {
  %one = arith.constant 1 : i32
  %two = arith.constant 2 : i32
  %a = memref.alloc() : memref<8xi32>
  %b = memref.alloc() : memref<8xi32>
  linalg.fill ins(%one : i32) outs(%a : memref<8xi32>)
  call @show(%a) : (memref<8xi32>) -> ()
  cf.br ^end
^nowhere:
  call @show(%b) : (memref<8xi32>) -> ()
  cf.br ^end
^end:
  linalg.fill ins(%two : i32) outs(%b : memref<8xi32>)
  call @show(%b) : (memref<8xi32>) -> ()
  return
}

// A block argument that may be either buffer: both must survive to the join.
// CHECK-LABEL: block_argument: 96
func.func @block_argument(%p: i1) {
  %nine = arith.constant 9 : i32
  %one = arith.constant 1 : i32
  %two = arith.constant 2 : i32
  %a = memref.alloc() : memref<8xi32>
  %b = memref.alloc() : memref<8xi32>
  %t = memref.alloc() : memref<8xi32>
  linalg.fill ins(%one : i32) outs(%a : memref<8xi32>)
  linalg.fill ins(%two : i32) outs(%b : memref<8xi32>)
  cf.cond_br %p, ^join(%a : memref<8xi32>), ^join(%b : memref<8xi32>)
^join(%either: memref<8xi32>):
  linalg.fill ins(%nine : i32) outs(%t : memref<8xi32>)
  call @show(%t) : (memref<8xi32>) -> ()
  call @show(%either) : (memref<8xi32>) -> ()
  return
}

// Blocks inside a region of their own.
// CHECK-LABEL: execute_region: 64
func.func @execute_region(%p: i1) {
  %nine = arith.constant 9 : i32
  %one = arith.constant 1 : i32
  %a = memref.alloc() : memref<8xi32>
  %t = memref.alloc() : memref<8xi32>
  linalg.fill ins(%one : i32) outs(%a : memref<8xi32>)
  scf.execute_region {
    cf.cond_br %p, ^work, ^done
  ^work:
    linalg.fill ins(%nine : i32) outs(%t : memref<8xi32>)
    func.call @show(%t) : (memref<8xi32>) -> ()
    cf.br ^done
  ^done:
    scf.yield
  }
  call @show(%a) : (memref<8xi32>) -> ()
  return
}

func.func @main() {
  %no = arith.constant false
  %yes = arith.constant true
  call @diamond(%no) : (i1) -> ()
  call @diamond(%yes) : (i1) -> ()
  call @block_loop() : () -> ()
  call @order_of_blocks() : () -> ()
  call @state_machine() : () -> ()
  call @early_exit(%no) : (i1) -> ()
  call @early_exit(%yes) : (i1) -> ()
  call @unreachable() : () -> ()
  call @block_argument(%no) : (i1) -> ()
  call @block_argument(%yes) : (i1) -> ()
  call @execute_region(%no) : (i1) -> ()
  call @execute_region(%yes) : (i1) -> ()
  return
}
