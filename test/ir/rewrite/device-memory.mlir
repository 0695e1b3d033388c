// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: llvm-22
// RUN: %mlir-opt-berth %s --pass-pipeline='builtin.module(func.func(berth-arena{space=gpu}))' | FileCheck %s
// RUN: %mlir-opt-berth %s --remarks-filter='berth.*' --pass-pipeline='builtin.module(func.func(berth-arena))' -o %t 2>&1 | FileCheck %s --check-prefix=HOST
// RUN: FileCheck %s --check-prefix=KEPT --input-file=%t
// RUN: %mlir-opt-berth %s --remarks-filter='berth.*' --pass-pipeline='builtin.module(func.func(berth-arena{space=gpu}))' -o /dev/null 2>&1 | FileCheck %s --check-prefix=WHY
// RUN: not %mlir-opt-berth %s --pass-pipeline='builtin.module(berth-arena{test-break-rule=any-memory})' -o /dev/null 2>&1 | FileCheck %s --check-prefix=BROKEN
// RUN: not %mlir-opt-berth %s --pass-pipeline='builtin.module(berth-arena{space=gpu arena=global})' -o /dev/null 2>&1 | FileCheck %s --check-prefix=FORM
//
// Memory of a device is none of the host's. It is placed where it is asked for,
// in an arena of its own.

// HOST: it is memory of a device, which an arena of the host is not: space=gpu places
// BROKEN: error: makes a buffer in an arena of other memory than it was allocated in
// BROKEN: note: this arena
// FORM: error: {{.*}}memory of a device is allocated by gpu.alloc only

module attributes {gpu.container_module} {
gpu.module @kernels {
  gpu.func @k(%a: memref<64xf32>, %b: memref<64xf32>) kernel {
    gpu.return
  }
}

// Without tokens each op ends at its place.
// CHECK-LABEL: func.func @in_order
// CHECK: %[[ARENA:.*]] = gpu.alloc () {{.*}}: memref<512xi8>
// CHECK-NOT: gpu.alloc
// CHECK-COUNT-3: memref.view %[[ARENA]]{{.*}}berth.allocator = "gpu.alloc", berth.buffer
// CHECK: gpu.dealloc %[[ARENA]] {{.*}}: memref<512xi8>
// CHECK-NEXT: return
// KEPT: func.func @in_order
// KEPT-NEXT: arith.constant
// KEPT-NEXT: gpu.alloc () : memref<64xf32>
// KEPT-NOT: memref.alloc
// KEPT: return
func.func @in_order(%h: memref<64xf32>) {
  %c1 = arith.constant 1 : index
  %a = gpu.alloc () : memref<64xf32>
  gpu.memcpy %a, %h : memref<64xf32>, memref<64xf32>
  %b = gpu.alloc () : memref<64xf32>
  gpu.launch_func @kernels::@k blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%a : memref<64xf32>, %b : memref<64xf32>)
  gpu.dealloc %a : memref<64xf32>
  %c = gpu.alloc () : memref<64xf32>
  gpu.launch_func @kernels::@k blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%b : memref<64xf32>, %c : memref<64xf32>)
  gpu.dealloc %b : memref<64xf32>
  gpu.memcpy %h, %c : memref<64xf32>, memref<64xf32>
  gpu.dealloc %c : memref<64xf32>
  return
}

// With tokens, a buffer is held until the host has waited. What allocations and
// deallocations waited for, others wait for still.
// CHECK-LABEL: func.func @with_tokens
// CHECK: %[[START:.*]] = gpu.wait async
// CHECK: %[[ARENA:.*]], %[[MADE:.*]] = gpu.alloc async [%[[START]]] () {{.*}}: memref<512xi8>
// CHECK: gpu.wait [%[[MADE]]]
// CHECK: %[[T0:.*]] = gpu.wait async
// CHECK: %[[T1:.*]] = gpu.wait async [%[[T0]]]
// CHECK: gpu.memcpy async [%[[T1]]]
// CHECK: %[[T4:.*]] = gpu.launch_func async
// CHECK: %[[T5:.*]] = gpu.wait async [%[[T4]]]
// CHECK: gpu.wait [%[[T5]]]
// CHECK: gpu.launch_func async
// CHECK-NEXT: gpu.wait
// CHECK-NEXT: %[[END:.*]] = gpu.wait async{{$}}
// CHECK-NEXT: %[[GONE:.*]] = gpu.dealloc async [%[[END]]] %[[ARENA]]
// CHECK: gpu.wait [%[[GONE]]]
// CHECK-NEXT: return
func.func @with_tokens(%h: memref<64xf32>) {
  %c1 = arith.constant 1 : index
  %t0 = gpu.wait async
  %a, %t1 = gpu.alloc async [%t0] () : memref<64xf32>
  %t2 = gpu.memcpy async [%t1] %a, %h : memref<64xf32>, memref<64xf32>
  %b, %t3 = gpu.alloc async [%t2] () : memref<64xf32>
  %t4 = gpu.launch_func async [%t3] @kernels::@k blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%a : memref<64xf32>, %b : memref<64xf32>)
  %t5 = gpu.dealloc async [%t4] %a : memref<64xf32>
  gpu.wait [%t5]
  %u0 = gpu.wait async
  %c, %u1 = gpu.alloc async [%u0] () : memref<64xf32>
  %u2 = gpu.launch_func async [%u1] @kernels::@k blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%c : memref<64xf32>, %c : memref<64xf32>)
  gpu.wait [%u2]
  return
}

// One stream, and the host waits at its end only: all are held until then.
// CHECK-LABEL: func.func @one_stream
// CHECK: gpu.alloc async {{.*}} : memref<512xi8>
func.func @one_stream() {
  %c1 = arith.constant 1 : index
  %t0 = gpu.wait async
  %a, %t1 = gpu.alloc async [%t0] () : memref<64xf32>
  %t2 = gpu.launch_func async [%t1] @kernels::@k blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%a : memref<64xf32>, %a : memref<64xf32>)
  %b, %t3 = gpu.alloc async [%t2] () : memref<64xf32>
  %t4 = gpu.launch_func async [%t3] @kernels::@k blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%b : memref<64xf32>, %b : memref<64xf32>)
  gpu.wait [%t4]
  return
}

// Nobody waits: the arena might be freed under the kernel.
// CHECK-LABEL: func.func @nobody_waits
// CHECK: gpu.alloc () : memref<64xf32>
// WHY: an asynchronous op may still use it later: nothing in its block waits for its token
func.func @nobody_waits() {
  %c1 = arith.constant 1 : index
  %t0 = gpu.wait async
  %a = gpu.alloc () : memref<64xf32>
  %t2 = gpu.launch_func async [%t0] @kernels::@k blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%a : memref<64xf32>, %a : memref<64xf32>)
  return
}

// A kernel on a stream of its own: nobody looks for who waits for that.
// CHECK-LABEL: func.func @on_a_stream
// CHECK: gpu.alloc () {{.*}}: memref<256xi8>
// CHECK: gpu.alloc () : memref<64xf32>
// CHECK-NEXT: gpu.launch_func
// WHY: a kernel launched on a stream may still use it later
func.func @on_a_stream(%h: memref<64xf32>, %s: !llvm.ptr) {
  %c1 = arith.constant 1 : index
  %a = gpu.alloc () : memref<64xf32>
  gpu.launch_func <%s : !llvm.ptr> @kernels::@k blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%a : memref<64xf32>, %a : memref<64xf32>)
  %b = gpu.alloc () : memref<64xf32>
  gpu.memcpy %b, %h : memref<64xf32>, memref<64xf32>
  gpu.dealloc %b : memref<64xf32>
  return
}

// Though nobody has written %a, the kernel that reads it goes on.
// CHECK-LABEL: func.func @read_only
// CHECK: gpu.alloc () {{.*}}: memref<512xi8>
func.func @read_only(%h: memref<64xf32>) {
  %c1 = arith.constant 1 : index
  %a = gpu.alloc () : memref<64xf32>
  %t = gpu.launch async blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
    %v = memref.load %a[%tx] : memref<64xf32>
    gpu.terminator
  }
  %b = gpu.alloc () : memref<64xf32>
  gpu.memcpy %b, %h : memref<64xf32>, memref<64xf32>
  gpu.wait [%t]
  return
}

// What the host may touch, what is aligned to more than such memory surely is,
// and buffers of the host are not placed there.
// CHECK-LABEL: func.func @others
// CHECK-NOT: memref<{{.*}}xi8>
// CHECK: gpu.alloc host_shared () : memref<64xf32>
// CHECK: memref.alloc() : memref<64xf32>
// CHECK: gpu.alloc () : memref<64xf32>
// CHECK: return
// WHY: the host may use it, too (host_shared)
// WHY: it needs more than the 256 bytes of alignment that memory of a device surely has
func.func @others(%h: memref<64xf32>) {
  %a = gpu.alloc host_shared () : memref<64xf32>
  gpu.memcpy %a, %h : memref<64xf32>, memref<64xf32>
  %b = memref.alloc() : memref<64xf32>
  memref.copy %h, %b : memref<64xf32> to memref<64xf32>
  %c = gpu.alloc () : memref<64xf32>
  %d = memref.assume_alignment %c, 1024 : memref<64xf32>
  gpu.memcpy %d, %h : memref<64xf32>, memref<64xf32>
  return
}
}
