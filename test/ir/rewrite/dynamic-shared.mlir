// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// arena=dynamic raises what launches ask for, and is refused where others might
// get the same bytes. Where 16 is not alignment enough, launches ask for more, and
// the arena begins at the first address that is a multiple.
// RUN: %mlir-opt-berth %s --split-input-file --verify-diagnostics --pass-pipeline='builtin.module(berth-arena{arena=dynamic})' | FileCheck %s

#workgroup = #gpu.address_space<workgroup>

// CHECK: gpu.func @kernel
// CHECK: %[[ARENA:.*]] = gpu.dynamic_shared_memory
// CHECK: memref.view %[[ARENA]]
// CHECK-LABEL: func.func @host
// CHECK: %[[SIZE:.*]] = arith.constant 64 : i32
// CHECK: gpu.launch_func @kernels::@kernel {{.*}} dynamic_shared_memory_size %[[SIZE]]
// CHECK: %[[SIZE2:.*]] = arith.constant 64 : i32
// CHECK: %[[MORE:.*]] = arith.maxui %arg1, %[[SIZE2]] : i32
// CHECK: gpu.launch_func async [%{{.*}}] @kernels::@kernel {{.*}} dynamic_shared_memory_size %[[MORE]]
// CHECK: gpu.launch_func @kernels::@other
// CHECK-NOT: dynamic_shared_memory_size
module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @kernel(%x: f32) kernel {
      %t = gpu.thread_id x
      %a = memref.alloc() : memref<16xf32, #workgroup>
      memref.store %x, %a[%t] : memref<16xf32, #workgroup>
      gpu.return
    }
    gpu.func @other(%x: f32) kernel {
      gpu.return
    }
  }
  func.func @host(%x: f32, %size: i32) {
    %c1 = arith.constant 1 : index
    gpu.launch_func @kernels::@kernel blocks in (%c1, %c1, %c1)
        threads in (%c1, %c1, %c1) args(%x : f32)
    %before = gpu.wait async
    %token = gpu.launch_func async [%before] @kernels::@kernel
        blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1)
        dynamic_shared_memory_size %size args(%x : f32)
    gpu.wait [%token]
    gpu.launch_func @kernels::@other blocks in (%c1, %c1, %c1)
        threads in (%c1, %c1, %c1) args(%x : f32)
    return
  }
}

// -----

#workgroup = #gpu.address_space<workgroup>

gpu.module @kernels {
  // expected-error @below {{arena=dynamic: the gpu.module uses dynamic shared memory already}}
  gpu.func @kernel(%x: f32) kernel {
    %t = gpu.thread_id x
    %theirs = gpu.dynamic_shared_memory : memref<?xi8, #workgroup>
    %a = memref.alloc() : memref<16xf32, #workgroup>
    memref.store %x, %a[%t] : memref<16xf32, #workgroup>
    gpu.return
  }
}

// -----

#workgroup = #gpu.address_space<workgroup>

// A called function counts.
gpu.module @kernels {
  func.func @helper() {
    %theirs = gpu.dynamic_shared_memory : memref<?xi8, #workgroup>
    return
  }
  // expected-error @below {{arena=dynamic: the gpu.module uses dynamic shared memory already}}
  gpu.func @kernel(%x: f32) kernel {
    %t = gpu.thread_id x
    %a = memref.alloc() : memref<16xf32, #workgroup>
    memref.store %x, %a[%t] : memref<16xf32, #workgroup>
    func.call @helper() : () -> ()
    gpu.return
  }
}

// -----

#workgroup = #gpu.address_space<workgroup>

gpu.module @kernels {
  // expected-error @below {{arena=dynamic: the kernel has workgroup attributions}}
  gpu.func @kernel(%x: f32) workgroup(%w: memref<3xi8, #workgroup>) kernel {
    %t = gpu.thread_id x
    %a = memref.alloc() : memref<16xf32, #workgroup>
    memref.store %x, %a[%t] : memref<16xf32, #workgroup>
    gpu.return
  }
}

// -----

#workgroup = #gpu.address_space<workgroup>

gpu.module @kernels {
  memref.global "private" @table : memref<4xf32, #workgroup>
  // expected-error @below {{arena=dynamic: the gpu.module has a global in workgroup memory}}
  gpu.func @kernel(%x: f32) kernel {
    %t = gpu.thread_id x
    %a = memref.alloc() : memref<16xf32, #workgroup>
    memref.store %x, %a[%t] : memref<16xf32, #workgroup>
    gpu.return
  }
}

// -----

#workgroup = #gpu.address_space<workgroup>

gpu.module @kernels {
  llvm.mlir.global internal @theirs() {addr_space = 3 : i32} : !llvm.array<0 x i8>
  // expected-error @below {{arena=dynamic: the gpu.module has a global in workgroup memory}}
  gpu.func @kernel(%x: f32) kernel {
    %t = gpu.thread_id x
    %a = memref.alloc() : memref<16xf32, #workgroup>
    memref.store %x, %a[%t] : memref<16xf32, #workgroup>
    gpu.return
  }
}

// -----

#workgroup = #gpu.address_space<workgroup>

// Tables in other memory are no obstacle.
// CHECK: gpu.func @constants
// CHECK: gpu.dynamic_shared_memory
gpu.module @kernels {
  memref.global "private" constant @table : memref<2xf32> = dense<1.0>
  llvm.mlir.global internal constant @text("ab") {addr_space = 0 : i32}
  gpu.func @constants(%x: f32) kernel {
    %t = gpu.thread_id x
    %a = memref.alloc() : memref<16xf32, #workgroup>
    memref.store %x, %a[%t] : memref<16xf32, #workgroup>
    gpu.return
  }
}

// -----

#workgroup = #gpu.address_space<workgroup>

// CHECK-LABEL: gpu.func @swizzled
// CHECK: %[[ALL:.*]] = gpu.dynamic_shared_memory : memref<?xi8, #gpu.address_space<workgroup>>
// CHECK: %[[ADDRESS:.*]] = memref.extract_aligned_pointer_as_index %[[ALL]]
// CHECK: %[[ZERO:.*]] = arith.constant 0 : index
// CHECK: %[[BACK:.*]] = arith.subi %[[ZERO]], %[[ADDRESS]] : index
// CHECK: %[[MASK:.*]] = arith.constant 1023 : index
// CHECK: %[[PAD:.*]] = arith.andi %[[BACK]], %[[MASK]] : index
// CHECK: %[[TILES:.*]] = memref.view %[[ALL]][%[[PAD]]][] : memref<?xi8, #gpu.address_space<workgroup>> to memref<320xi8, #gpu.address_space<workgroup>>
// CHECK: memref.view %[[TILES]][
// CHECK: memref.view %[[TILES]][
// CHECK-LABEL: func.func @launches
// CHECK: %[[SIZE3:.*]] = arith.constant 1328 : i32
// CHECK: dynamic_shared_memory_size %[[SIZE3]]
module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @swizzled(%x: f32, %out: memref<64xf32>) kernel {
      %t = gpu.thread_id x
      %a = memref.alloc() {alignment = 1024 : i64} : memref<64xf32, #workgroup>
      %b = memref.alloc() : memref<16xf32, #workgroup>
      memref.store %x, %a[%t] : memref<64xf32, #workgroup>
      memref.store %x, %b[%t] : memref<16xf32, #workgroup>
      gpu.barrier
      %v = memref.load %a[%t] : memref<64xf32, #workgroup>
      %w = memref.load %b[%t] : memref<16xf32, #workgroup>
      %s = arith.addf %v, %w : f32
      memref.store %s, %out[%t] : memref<64xf32>
      gpu.return
    }
  }
  func.func @launches(%x: f32, %out: memref<64xf32>) {
    %c1 = arith.constant 1 : index
    gpu.launch_func @kernels::@swizzled blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%x : f32, %out : memref<64xf32>)
    return
  }
}

// -----

#workgroup = #gpu.address_space<workgroup>

gpu.module @kernels {
  // expected-error @below {{arena=dynamic: the gpu.module has an op that is lowered to a global in workgroup memory, which may get the same bytes (nvgpu.mbarrier.create, gpu.all_reduce)}}
  gpu.func @kernel(%x: f32) kernel {
    %t = gpu.thread_id x
    %m = nvgpu.mbarrier.create -> !nvgpu.mbarrier.group<memorySpace = #workgroup>
    %a = memref.alloc() {alignment = 128 : i64} : memref<16xf32, #workgroup>
    memref.store %x, %a[%t] : memref<16xf32, #workgroup>
    gpu.return
  }
}
