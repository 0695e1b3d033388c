// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: llvm-22
// Fragments in registers are no pointers: what was loaded into them needs no
// bytes any more. Descriptors and addresses are, whatever their type.
// RUN: %berth-opt --allow-unregistered-dialect --pass-pipeline='builtin.module(berth-arena{barriers=existing unknown-ops=use})' %s | FileCheck %s
// RUN: %berth-opt --allow-unregistered-dialect --berth-target=%S/Inputs/fragments.json --pass-pipeline='builtin.module(berth-arena{barriers=existing unknown-ops=use})' %s | FileCheck %s --check-prefix=DESCRIBED
// RUN: %berth-opt --allow-unregistered-dialect --pass-pipeline='builtin.module(berth-arena{barriers=existing unknown-ops=use verify=false test-break-rule=no-descriptors})' %s | FileCheck %s --check-prefix=BROKEN
// RUN: not %berth-opt --allow-unregistered-dialect --pass-pipeline='builtin.module(berth-arena{barriers=existing unknown-ops=use test-break-rule=no-descriptors})' %s 2>&1 | FileCheck %s --check-prefix=REFUSED

// REFUSED: error: {{.*}} bytes of the arena

!half = memref<16x16xf16, #gpu.address_space<workgroup>>
!single = memref<16x16xf32, #gpu.address_space<workgroup>>
!line = memref<64xf32, #gpu.address_space<workgroup>>
!sum = !gpu.mma_matrix<16x16xf32, "COp">

gpu.module @kernels {
  // The sum goes round the loop in registers, so C may have the bytes of A and B.
  // CHECK-LABEL: gpu.func @gemm(
  // CHECK-SAME: memref<1024xi8,
  gpu.func @gemm(%ga: memref<16x64xf16>, %gb: memref<64x16xf16>, %gc: memref<16x16xf32>) kernel {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c16 = arith.constant 16 : index
    %c64 = arith.constant 64 : index
    %zero = arith.constant 0.0 : f32
    %a = memref.alloc() : !half
    %b = memref.alloc() : !half
    %c = memref.alloc() : !single
    %init = gpu.subgroup_mma_constant_matrix %zero : !sum
    %acc = scf.for %k = %c0 to %c64 step %c16 iter_args(%s = %init) -> !sum {
      affine.for %i = 0 to 16 {
        %kt = arith.addi %k, %t : index
        %va = memref.load %ga[%i, %kt] : memref<16x64xf16>
        memref.store %va, %a[%i, %t] : !half
        %ki = arith.addi %k, %i : index
        %vb = memref.load %gb[%ki, %t] : memref<64x16xf16>
        memref.store %vb, %b[%i, %t] : !half
      }
      gpu.barrier
      %fa = gpu.subgroup_mma_load_matrix %a[%c0, %c0] {leadDimension = 16 : index} : !half -> !gpu.mma_matrix<16x16xf16, "AOp">
      %fb = gpu.subgroup_mma_load_matrix %b[%c0, %c0] {leadDimension = 16 : index} : !half -> !gpu.mma_matrix<16x16xf16, "BOp">
      %n = gpu.subgroup_mma_compute %fa, %fb, %s : !gpu.mma_matrix<16x16xf16, "AOp">, !gpu.mma_matrix<16x16xf16, "BOp"> -> !sum
      gpu.barrier
      scf.yield %n : !sum
    }
    gpu.subgroup_mma_store_matrix %acc, %c[%c0, %c0] {leadDimension = 16 : index} : !sum, !single
    gpu.barrier
    affine.for %i = 0 to 16 {
      %v = memref.load %c[%i, %t] : !single
      memref.store %v, %gc[%i, %t] : memref<16x16xf32>
    }
    gpu.return
  }

  // nvgpu's and amdgpu's are vectors of floats.
  // CHECK-LABEL: gpu.func @vectors(
  // CHECK-SAME: memref<512xi8,
  gpu.func @vectors(%out: memref<64xf32>, %v: f32, %sum: vector<32xf32>) kernel {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %x = memref.alloc() : !line
    %h = memref.alloc() : !half
    %y = memref.alloc() : !half
    %zero = arith.constant 0.0 : f16
    memref.store %v, %x[%t] : !line
    gpu.barrier
    %f = memref.load %x[%c0] : !line
    %d = amdgpu.mfma 32x32x1 %f * %f + %sum {abid = 1 : i32, cbsz = 1 : i32, blocks = 2 : i32} blgp = bcast_second_32 : f32, f32, vector<32xf32>
    gpu.barrier
    memref.store %zero, %h[%c0, %c0] : !half
    gpu.barrier
    %m = nvgpu.ldmatrix %h[%c0, %c0] {numTiles = 4 : i32, transpose = false} : !half -> vector<4x2xf16>
    gpu.barrier
    memref.store %zero, %y[%c0, %c0] : !half
    %w = vector.extract %d[0] : f32 from vector<32xf32>
    memref.store %w, %out[%t] : memref<64xf32>
    "test.use"(%m) : (vector<4x2xf16>) -> ()
    gpu.return
  }

  // What a tensor transfer of AMD's is made of holds the address.
  // CHECK-LABEL: gpu.func @tdm_base(
  // CHECK-SAME: memref<512xi8,
  // BROKEN-LABEL: gpu.func @tdm_base(
  // BROKEN-SAME: memref<256xi8,
  gpu.func @tdm_base(%g: memref<64xf32>, %v: f32) kernel {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %x = memref.alloc() : !line
    %y = memref.alloc() : !line
    %d = amdgpu.make_dma_base %g[%c0], %x[%c0] : memref<64xf32>, !line -> !amdgpu.tdm_base<f32>
    gpu.barrier
    memref.store %v, %y[%t] : !line
    gpu.barrier
    %r = memref.load %y[%t] : !line
    memref.store %r, %g[%t] : memref<64xf32>
    "test.use"(%d) : (!amdgpu.tdm_base<f32>) -> ()
    gpu.return
  }

  // So do integers, and vectors of them.
  // CHECK-LABEL: gpu.func @integers(
  // CHECK-SAME: memref<512xi8,
  gpu.func @integers(%g: memref<64xf32>, %v: f32) kernel {
    %t = gpu.thread_id x
    %x = memref.alloc() : !line
    %y = memref.alloc() : !line
    %i = memref.extract_aligned_pointer_as_index %x : !line -> index
    %n = vector.broadcast %i : index to vector<4xindex>
    gpu.barrier
    memref.store %v, %y[%t] : !line
    gpu.barrier
    %r = memref.load %y[%t] : !line
    memref.store %r, %g[%t] : memref<64xf32>
    "test.use"(%n) : (vector<4xindex>) -> ()
    gpu.return
  }

  // Of a type that nobody describes nothing is assumed.
  // CHECK-LABEL: gpu.func @foreign(
  // CHECK-SAME: memref<512xi8,
  // DESCRIBED-LABEL: gpu.func @foreign(
  // DESCRIBED-SAME: memref<256xi8,
  gpu.func @foreign(%g: memref<64xf32>, %v: f32) kernel {
    %t = gpu.thread_id x
    %x = memref.alloc() : !line
    %y = memref.alloc() : !line
    memref.store %v, %x[%t] : !line
    gpu.barrier
    %d = "test.fragment"(%x) : (!line) -> !test.fragment<4>
    gpu.barrier
    memref.store %v, %y[%t] : !line
    gpu.barrier
    %r = memref.load %y[%t] : !line
    memref.store %r, %g[%t] : memref<64xf32>
    "test.use"(%d) : (!test.fragment<4>) -> ()
    gpu.return
  }
}
