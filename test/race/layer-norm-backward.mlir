// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Layer normalisation backwards: mean and variance once more, then the two sums
// of the gradient, a reduction each with a buffer of its own.
// RUN: %race %s | FileCheck %s

// CHECK: buffers: 4 of 4, bytes: 1024 -> 256, barriers inserted: 3
// CHECK-NEXT: equal, no race
// CHECK-NEXT: without barrier 1: race
// CHECK-NEXT: without barrier 2: race
// CHECK-NEXT: without barrier 3: race

!line = memref<64xf32, #gpu.address_space<workgroup>>
!row = memref<64xf32>

gpu.module @kernels {
  gpu.func @backward(%in: !row, %grad: !row, %gamma: !row, %dx: !row) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c6 = arith.constant 6 : index
    %c32 = arith.constant 32 : index
    %count = arith.constant 64.0 : f32
    %epsilon = arith.constant 1.0e-3 : f32
    %t = gpu.thread_id x
    %x = memref.load %in[%t] : !row
    %total = memref.alloc() : !line
    memref.store %x, %total[%t] : !line
    scf.for %k = %c0 to %c6 step %c1 {
      gpu.barrier
      %stride = arith.shrui %c32, %k : index
      %isIn = arith.cmpi ult, %t, %stride : index
      scf.if %isIn {
        %at = arith.addi %t, %stride : index
        %a = memref.load %total[%t] : !line
        %b = memref.load %total[%at] : !line
        %c = arith.addf %a, %b : f32
        memref.store %c, %total[%t] : !line
      }
    }
    gpu.barrier
    %total_sum = memref.load %total[%c0] : !line
    %mean = arith.divf %total_sum, %count : f32
    %centred = arith.subf %x, %mean : f32
    %square = arith.mulf %centred, %centred : f32
    %squares = memref.alloc() : !line
    memref.store %square, %squares[%t] : !line
    scf.for %k = %c0 to %c6 step %c1 {
      gpu.barrier
      %stride = arith.shrui %c32, %k : index
      %isIn = arith.cmpi ult, %t, %stride : index
      scf.if %isIn {
        %at = arith.addi %t, %stride : index
        %a = memref.load %squares[%t] : !line
        %b = memref.load %squares[%at] : !line
        %c = arith.addf %a, %b : f32
        memref.store %c, %squares[%t] : !line
      }
    }
    gpu.barrier
    %squares_sum = memref.load %squares[%c0] : !line
    %variance = arith.divf %squares_sum, %count : f32
    %safe = arith.addf %variance, %epsilon : f32
    %deviation = math.sqrt %safe : f32
    %xhat = arith.divf %centred, %deviation : f32
    %dy = memref.load %grad[%t] : !row
    %g = memref.load %gamma[%t] : !row
    %dyg = arith.mulf %dy, %g : f32
    %weighted = arith.mulf %dyg, %xhat : f32
    %along = memref.alloc() : !line
    memref.store %weighted, %along[%t] : !line
    scf.for %k = %c0 to %c6 step %c1 {
      gpu.barrier
      %stride = arith.shrui %c32, %k : index
      %isIn = arith.cmpi ult, %t, %stride : index
      scf.if %isIn {
        %at = arith.addi %t, %stride : index
        %a = memref.load %along[%t] : !line
        %b = memref.load %along[%at] : !line
        %c = arith.addf %a, %b : f32
        memref.store %c, %along[%t] : !line
      }
    }
    gpu.barrier
    %along_sum = memref.load %along[%c0] : !line
    %plain = memref.alloc() : !line
    memref.store %dyg, %plain[%t] : !line
    scf.for %k = %c0 to %c6 step %c1 {
      gpu.barrier
      %stride = arith.shrui %c32, %k : index
      %isIn = arith.cmpi ult, %t, %stride : index
      scf.if %isIn {
        %at = arith.addi %t, %stride : index
        %a = memref.load %plain[%t] : !line
        %b = memref.load %plain[%at] : !line
        %c = arith.addf %a, %b : f32
        memref.store %c, %plain[%t] : !line
      }
    }
    gpu.barrier
    %plain_sum = memref.load %plain[%c0] : !line
    %m1 = arith.divf %along_sum, %count : f32
    %m2 = arith.divf %plain_sum, %count : f32
    %part = arith.mulf %xhat, %m1 : f32
    %less = arith.subf %dyg, %part : f32
    %least = arith.subf %less, %m2 : f32
    %r = arith.divf %least, %deviation : f32
    memref.store %r, %dx[%t] : !row
    gpu.return
  }
}
