// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sizes that are sums, of which none by itself is known not to be negative: what
// the host asserts of the sizes shows it, together.
// RUN: %berth-opt %s --pass-pipeline='builtin.module(berth-expand{least=1},berth-verify,canonicalize,cse,berth-verify)' --remarks-filter='berth-expand' -o %t.out 2>%t.remarks
// RUN: FileCheck %s --implicit-check-not='keep what they allocate' --input-file=%t.remarks

module attributes {gpu.container_module} {
gpu.module @m {
  // n is -1 at least, by n + 1, so 2 n does not wrap around; and is 0 at least, by 2 n.
  // CHECK: sums.mlir:[[# @LINE + 1]]:{{.*}}Remark="bytes computed at run time of each thread, interleaved
  gpu.func @twice(%n: index, %out: memref<?xf32>) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %f = arith.constant 1.0 : f32
    %more = arith.addi %n, %c1 : index
    %twice = arith.muli %n, %c2 : index
    %a = memref.alloc(%twice) : memref<?xf32>
    memref.store %f, %a[%c1] : memref<?xf32>
    %b = memref.alloc(%more) : memref<?xf32>
    memref.store %f, %b[%c0] : memref<?xf32>
    %v = memref.load %a[%c1] : memref<?xf32>
    %w = memref.load %b[%c0] : memref<?xf32>
    memref.dealloc %a : memref<?xf32>
    memref.dealloc %b : memref<?xf32>
    memref.store %v, %out[%c0] : memref<?xf32>
    memref.store %w, %out[%c1] : memref<?xf32>
    gpu.return
  }

  // A sum under a condition has a limit where that holds.
  // CHECK: sums.mlir:[[# @LINE + 1]]:{{.*}}Remark="bytes computed at run time of each thread, interleaved
  gpu.func @chosen(%n: index, %m: index, %out: memref<?xf32>) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %f = arith.constant 1.0 : f32
    %sum = arith.addi %n, %m : index
    %odd = arith.muli %n, %c2 : index
    %more = arith.addi %odd, %c1 : index
    %is = arith.cmpi slt, %n, %sum : index
    %a = memref.alloc(%more) : memref<?xf32>
    memref.store %f, %a[%c0] : memref<?xf32>
    scf.if %is {
      %b = memref.alloc(%sum) : memref<?xf32>
      memref.store %f, %b[%c0] : memref<?xf32>
      %w = memref.load %b[%c0] : memref<?xf32>
      memref.store %w, %a[%c0] : memref<?xf32>
      memref.dealloc %b : memref<?xf32>
    }
    %v = memref.load %a[%c0] : memref<?xf32>
    memref.dealloc %a : memref<?xf32>
    memref.store %v, %out[%c0] : memref<?xf32>
    gpu.return
  }

  // Of two conditions one does not hold: m < n, and n < m.
  // CHECK: sums.mlir:[[# @LINE + 1]]:{{.*}}Remark="bytes computed at run time of each thread, interleaved
  gpu.func @either(%n: index, %m: index, %out: memref<?xf32>) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %f = arith.constant 1.0 : f32
    %sum = arith.addi %n, %m : index
    %more = arith.addi %sum, %c1 : index
    %less = arith.cmpi slt, %n, %m : index
    %greater = arith.cmpi slt, %m, %n : index
    %a = memref.alloc(%more) : memref<?xf32>
    memref.store %f, %a[%c0] : memref<?xf32>
    scf.if %less {
      %b = memref.alloc(%m) : memref<?xf32>
      memref.store %f, %b[%c0] : memref<?xf32>
      %w = memref.load %b[%c0] : memref<?xf32>
      memref.store %w, %a[%c0] : memref<?xf32>
      memref.dealloc %b : memref<?xf32>
    }
    scf.if %greater {
      %b = memref.alloc(%n) : memref<?xf32>
      memref.store %f, %b[%c0] : memref<?xf32>
      %w = memref.load %b[%c0] : memref<?xf32>
      memref.store %w, %a[%c0] : memref<?xf32>
      memref.dealloc %b : memref<?xf32>
    }
    %v = memref.load %a[%c0] : memref<?xf32>
    memref.dealloc %a : memref<?xf32>
    memref.store %v, %out[%c0] : memref<?xf32>
    gpu.return
  }
}

func.func @host(%n: index, %m: index, %s: index, %out: memref<?xf32>) {
  %c1 = arith.constant 1 : index
  gpu.launch_func @m::@twice blocks in (%c1, %c1, %c1) threads in (%s, %c1, %c1) args(%n : index, %out : memref<?xf32>)
  gpu.launch_func @m::@chosen blocks in (%c1, %c1, %c1) threads in (%s, %c1, %c1) args(%n : index, %m : index, %out : memref<?xf32>)
  gpu.launch_func @m::@either blocks in (%s, %c1, %c1) threads in (%s, %c1, %c1) args(%n : index, %m : index, %out : memref<?xf32>)
  return
}
}
