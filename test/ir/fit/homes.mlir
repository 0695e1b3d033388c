// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What may also be other memory, or is handed to who has its type, stays: nothing is
// changed. (test/exec/fit-homes.mlir has what goes.)

// RUN: split-file %s %t
// RUN: not %berth-opt %t/given.mlir --pass-pipeline='builtin.module(berth-fit{space=default backing=77 capacity=32 access=1})' 2>&1 | FileCheck %s --check-prefix=GIVEN
// GIVEN: note: %alloc with 32 bytes (stays: {{.*}}(arith.select at line 5), and does not go out for good: control flow or an op hands it on beside other memory (arith.select at line 5))
// RUN: not %berth-opt %t/called.mlir --pass-pipeline='builtin.module(berth-fit{space=default backing=77 capacity=32 access=1})' 2>&1 | FileCheck %s --check-prefix=CALLED
// CALLED: note: %alloc with 32 bytes (stays: {{.*}}(arith.select at line 7), and does not go out for good: a call gets it, whose callee has the type (func.call at line 8))
// RUN: not %berth-opt %t/yielded.mlir --pass-pipeline='builtin.module(berth-fit{space=default backing=77 capacity=32 access=1})' 2>&1 | FileCheck %s --check-prefix=YIELDED
// YIELDED: note: %alloc with 32 bytes (stays:

// RUN: not %berth-opt %t/branched.mlir --pass-pipeline='builtin.module(berth-fit{space=default backing=77 capacity=32 access=1})' 2>&1 | FileCheck %s --check-prefix=BRANCHED
// BRANCHED: note: %alloc with 32 bytes (stays: {{.*}}, and does not go out for good: control flow or an op hands it on beside other memory (cf.br at line 10))

//--- branched.mlir
// A branch to a block, in a region of an op that hands values on itself.
func.func @branched(%x: memref<8xi32>, %p: i1, %k: i32) {
  %a = memref.alloc() : memref<8xi32>
  %b = memref.alloc() : memref<8xi32>
  linalg.fill ins(%k : i32) outs(%a : memref<8xi32>)
  linalg.fill ins(%k : i32) outs(%b : memref<8xi32>)
  scf.execute_region {
    cf.cond_br %p, ^one, ^other
  ^one:
    cf.br ^both(%a, %b : memref<8xi32>, memref<8xi32>)
  ^other:
    cf.br ^both(%x, %x : memref<8xi32>, memref<8xi32>)
  ^both(%m: memref<8xi32>, %n: memref<8xi32>):
    linalg.add ins(%m, %n : memref<8xi32>, memref<8xi32>) outs(%x : memref<8xi32>)
    scf.yield
  }
  linalg.add ins(%a, %b : memref<8xi32>, memref<8xi32>) outs(%x : memref<8xi32>)
  return
}
//--- given.mlir
func.func @given(%x: memref<8xi32>, %p: i1, %k: i32) {
  %a = memref.alloc() : memref<8xi32>
  %b = memref.alloc() : memref<8xi32>
  linalg.fill ins(%k : i32) outs(%a : memref<8xi32>)
  %s = arith.select %p, %a, %x : memref<8xi32>
  linalg.transpose ins(%s : memref<8xi32>) outs(%b : memref<8xi32>) permutation = [0]
  %t = arith.select %p, %b, %x : memref<8xi32>
  linalg.add ins(%s, %t : memref<8xi32>, memref<8xi32>) outs(%x : memref<8xi32>)
  return
}
//--- called.mlir
func.func private @use(memref<8xi32>)
func.func @called(%x: memref<8xi32>, %p: i1, %k: i32) {
  %a = memref.alloc() : memref<8xi32>
  %b = memref.alloc() : memref<8xi32>
  linalg.fill ins(%k : i32) outs(%a : memref<8xi32>)
  linalg.fill ins(%k : i32) outs(%b : memref<8xi32>)
  %s = arith.select %p, %a, %b : memref<8xi32>
  func.call @use(%s) : (memref<8xi32>) -> ()
  linalg.add ins(%a, %b : memref<8xi32>, memref<8xi32>) outs(%x : memref<8xi32>)
  return
}
//--- yielded.mlir
func.func @yielded(%x: memref<8xi32>, %p: i1, %k: i32) {
  %a = memref.alloc() : memref<8xi32>
  %b = memref.alloc() : memref<8xi32>
  linalg.fill ins(%k : i32) outs(%a : memref<8xi32>)
  linalg.fill ins(%k : i32) outs(%b : memref<8xi32>)
  %s = scf.if %p -> (memref<8xi32>) {
    scf.yield %a : memref<8xi32>
  } else {
    scf.yield %x : memref<8xi32>
  }
  %t = scf.if %p -> (memref<8xi32>) {
    scf.yield %b : memref<8xi32>
  } else {
    scf.yield %x : memref<8xi32>
  }
  linalg.add ins(%s, %t : memref<8xi32>, memref<8xi32>) outs(%x : memref<8xi32>)
  return
}
