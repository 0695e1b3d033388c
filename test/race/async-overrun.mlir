// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A pipeline that copies one tile too many. Nobody reads it, but it arrives: the
// scratch buffer may take the bytes of the other stage only.
// RUN: %race %s | FileCheck %s
// RUN: %status 1 %race %s --arena="test-break-rule=no-pending-groups verify=false" 2>&1 | FileCheck %s --check-prefix=WRONG

// CHECK: buffers: 3 of 3, bytes: 768 -> 512, barriers inserted: 0
// CHECK-NEXT: equal, no race
// CHECK-NOT: {{.}}

// WRONG: race.sh: {{a race in the planned kernel|the planned kernel computes something else}}

!line = memref<64xf32, #gpu.address_space<workgroup>>
!in = memref<5x64xf32>
!row = memref<64xf32>

gpu.module @kernels {
  gpu.func @overrun(%in: !in, %out: !row) kernel {
    %t = gpu.thread_id x
    %zero = arith.constant 0.0 : f32
    %first = arith.constant 0 : index
    %even = memref.alloc() : !line
    %odd = memref.alloc() : !line
    %scratch = memref.alloc() : !line
    %c = nvgpu.device_async_copy %in[%first, %t], %even[%t], 1 : !in to !line
    %g = nvgpu.device_async_create_group %c
    %sum = affine.for %k = 0 to 4 step 2 iter_args(%before = %zero) -> f32 {
      %next = affine.apply affine_map<(k) -> (k + 1)>(%k)
      %co = nvgpu.device_async_copy %in[%next, %t], %odd[%t], 1 : !in to !line
      %go = nvgpu.device_async_create_group %co
      nvgpu.device_async_wait %go {numGroups = 1 : i32}
      gpu.barrier
      %a = affine.load %even[63 - %t] : !line
      %between = arith.addf %before, %a : f32
      gpu.barrier
      %last = affine.apply affine_map<(k) -> (k + 2)>(%k)
      %ce = nvgpu.device_async_copy %in[%last, %t], %even[%t], 1 : !in to !line
      %ge = nvgpu.device_async_create_group %ce
      nvgpu.device_async_wait %ge {numGroups = 1 : i32}
      gpu.barrier
      %b = affine.load %odd[63 - %t] : !line
      %behind = arith.addf %between, %b : f32
      gpu.barrier
      affine.yield %behind : f32
    }
    affine.store %sum, %scratch[%t] : !line
    gpu.barrier
    nvgpu.device_async_wait %g
    %other = affine.load %scratch[(%t + 1) mod 64] : !line
    affine.store %other, %out[%t] : !row
    gpu.return
  }
}
