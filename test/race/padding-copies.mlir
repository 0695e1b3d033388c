// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rows that are filled by copies of 16 bytes and read down their columns stay multiples of
// 16 bytes: two side by side, then 16 bytes more. Those of the other tile, of which all
// threads but a few read one element, stay as they are.
// RUN: %race --arena=padding=auto %s | FileCheck %s
// CHECK: buffers: 2 of 2, bytes: 2176 -> 2176, barriers inserted: 0
// CHECK-NEXT: equal, no race

!tile = memref<16x16xf32, #gpu.address_space<workgroup>>
!in = memref<16x16xf32>

gpu.module @kernels {
  gpu.func @product(%in: !in, %other: !in, %out: !in) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %c8 = arith.constant 8 : index
    %c16 = arith.constant 16 : index
    %zero = arith.constant 0.0 : f32
    %row = arith.divui %t, %c4 : index
    %quarter = arith.remui %t, %c4 : index
    %col = arith.muli %quarter, %c4 : index
    %x = arith.remui %t, %c16 : index
    %y = arith.divui %t, %c16 : index
    %a = memref.alloc() {alignment = 16 : i64} : !tile
    %b = memref.alloc() {alignment = 16 : i64} : !tile
    %c = nvgpu.device_async_copy %in[%row, %col], %a[%row, %col], 4 : !in to !tile
    %g = nvgpu.device_async_create_group %c
    %v = vector.load %other[%row, %col] : !in, vector<4xf32>
    vector.store %v, %b[%row, %col] : !tile, vector<4xf32>
    nvgpu.device_async_wait %g
    gpu.barrier
    scf.for %j = %y to %c16 step %c4 {
      %sum = scf.for %k = %c0 to %c16 step %c1 iter_args(%s = %zero) -> f32 {
        %p = memref.load %a[%x, %k] : !tile
        %q = memref.load %b[%j, %k] : !tile
        %r = arith.mulf %p, %q : f32
        %n = arith.addf %s, %r : f32
        scf.yield %n : f32
      }
      memref.store %sum, %out[%x, %j] : !in
    }
    gpu.return
  }
}
