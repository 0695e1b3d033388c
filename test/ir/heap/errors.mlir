// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: llvm-22
// One clear error each, and nothing printed.
// RUN: not %berth-opt %s --berth-heap=size=112 2>&1 | FileCheck --check-prefix=SMALL %s
// RUN: not %berth-opt %s --berth-heap=size=-8 2>&1 | FileCheck --check-prefix=NEGATIVE %s
// RUN: not %berth-opt %s --berth-heap=size=8589934592 2>&1 | FileCheck --check-prefix=LARGE %s
// RUN: not %berth-opt %s --berth-heap=arena=stack 2>&1 | FileCheck --check-prefix=ARENA %s
// RUN: not %berth-opt %s --berth-heap=allocations=some 2>&1 | FileCheck --check-prefix=SOME %s
// RUN: not %berth-opt %s --berth-heap='space=<<' 2>&1 | FileCheck --check-prefix=SPACE %s
// RUN: not %berth-opt %s --split-input-file --berth-heap 2>&1 | FileCheck %s
// RUN: not %berth-opt %s --berth-heap=lowering=metal 2>&1 | FileCheck --check-prefix=LOWERING %s
// RUN: not %berth-opt %s --split-input-file --berth-heap='arena=global-device lowering=nvvm' 2>&1 | FileCheck --check-prefix=DEVICE %s
// RUN: not %berth-opt %s --split-input-file --berth-heap='arena=global-device lowering=spirv' 2>&1 | FileCheck --check-prefix=SPIRV %s
// RUN: not %berth-opt %s --split-input-file --berth-heap=arena=global-device 2>&1 | FileCheck --check-prefix=UNTOLD %s
// RUN: not %berth-opt %s --split-input-file --berth-heap=arena=argument 2>&1 | FileCheck --check-prefix=ARGUMENT %s

// SMALL:    berth-heap: size 112 is not within 116 (what the heap's own bookkeeping takes) and 4294967292 bytes
// NEGATIVE: berth-heap: size -8 is not within 116
// LARGE:    berth-heap: size 8589934592 is not within 116
// ARENA:    berth-heap: arena 'stack' is none of auto, own, argument, global-device
// LOWERING: berth-heap: lowering 'metal' is none of auto, nvvm, rocdl, spirv
// SOME:     berth-heap: allocations 'some' is neither dynamic nor all
// SPACE:    berth-heap: space '<<' is neither

// CHECK: errors.mlir:[[#@LINE+1]]:{{.*}}error: argument 1 is marked berth.arena but is no memref<?xi8> in the memory space of the heap
func.func @marked(%n: index, %arena: memref<?xi32> {berth.arena}) {
  %m = memref.alloc(%n) : memref<?xf32>
  return
}

// -----

// CHECK: errors.mlir:[[#@LINE+2]]:{{.*}}error: the module already defines @berth_heap_take, which the heap needs for itself
// ARGUMENT: errors.mlir:[[#@LINE+1]]:{{.*}}error: arena=argument needs an argument with the attribute berth.arena
func.func @plain(%n: index) {
  %m = memref.alloc(%n) : memref<?xf32>
  return
}

func.func @berth_heap_take() {
  return
}

// -----

// CHECK: errors.mlir:[[#@LINE+2]]:{{.*}}error: the module already declares another @berth_heap_open, which the heap needs for itself
func.func private @berth_heap_open(memref<?xi32>)
func.func @opens(%n: index) {
  %m = memref.alloc(%n) : memref<?xf32>
  return
}

// -----

// DEVICE: errors.mlir:[[#@LINE+2]]:{{.*}}error: arena=global-device needs a kernel argument with the attribute berth.arena
gpu.module @unmarked {
  gpu.func @kernel(%n: index) kernel {
    %m = memref.alloc(%n) : memref<?xf32>
    gpu.return
  }
}

// -----

// DEVICE: errors.mlir:[[#@LINE+3]]:{{.*}}error: argument 0 is marked berth.arena but is no memref<?xi32> or memref<?xi8> in the memory space of the heap
// UNTOLD: errors.mlir:[[#@LINE+2]]:{{.*}}error: nothing says what the kernel will be lowered to, and so how its heap is to be fenced: attach a target to the gpu.module, or use lowering=
gpu.module @floats {
  gpu.func @kernel(%arena: memref<?xf32> {berth.arena}) kernel {
    gpu.return
  }
}

// -----

// SPIRV: errors.mlir:[[#@LINE+2]]:{{.*}}error: argument 0 is marked berth.arena but is no memref<?xi32> in the memory space of the heap
gpu.module @bytes {
  gpu.func @kernel(%arena: memref<?xi8> {berth.arena}) kernel {
    gpu.return
  }
}

// -----

// DEVICE: errors.mlir:[[#@LINE+2]]:{{.*}}error: argument 1 holds memrefs: in an arena of words only memref.load and memref.store may use it
gpu.module @views {
  gpu.func @kernel(%arena: memref<?xi32> {berth.arena}, %slots: memref<?xmemref<?xf32>>) kernel {
    %c0 = arith.constant 0 : index
    %d = memref.dim %slots, %c0 : memref<?xmemref<?xf32>>
    gpu.return
  }
}

// -----

// DEVICE: errors.mlir:[[#@LINE+3]]:{{.*}}error: argument 1 holds memrefs and would become one of words, which the kernel's gpu.launch_func does not pass
module attributes {gpu.container_module} {
gpu.module @launched {
  gpu.func @kernel(%arena: memref<?xi32> {berth.arena}, %slots: memref<?xmemref<?xf32>>) kernel {
    gpu.return
  }
}
func.func @host(%arena: memref<?xi32>, %slots: memref<?xmemref<?xf32>>) {
  %c1 = arith.constant 1 : index
  gpu.launch_func @launched::@kernel blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%arena : memref<?xi32>, %slots : memref<?xmemref<?xf32>>)
  return
}
}

// -----

// DEVICE: errors.mlir:[[#@LINE+2]]:{{.*}}error: in an arena of words only loads, stores and memref.dealloc may use what a slot holds, and its elements must have 32 bits
gpu.module @wide {
  gpu.func @kernel(%arena: memref<?xi32> {berth.arena}, %slots: memref<?xmemref<?xf64>>) kernel {
    %c0 = arith.constant 0 : index
    %m = memref.load %slots[%c0] : memref<?xmemref<?xf64>>
    memref.dealloc %m : memref<?xf64>
    gpu.return
  }
}

// -----

// DEVICE: errors.mlir:[[#@LINE+2]]:{{.*}}error: {{.*}}memref.store{{.*}}: what a slot is given must be in the heap, since kernels free it there
gpu.module @foreign {
  gpu.func @kernel(%arena: memref<?xi8> {berth.arena}, %slots: memref<?xmemref<?xf32>>, %other: memref<?xf32>) kernel {
    %c0 = arith.constant 0 : index
    memref.store %other, %slots[%c0] : memref<?xmemref<?xf32>>
    gpu.return
  }
}

// -----

// DEVICE: errors.mlir:[[#@LINE+2]]:{{.*}}error: {{.*}}memref.store{{.*}}: what a slot is given must be in the heap, since kernels free it there; the heap is in the memory of its arena, 1 : i32, and this in the default space
gpu.module @elsewhere {
  gpu.func @kernel(%arena: memref<?xi8, 1 : i32> {berth.arena}, %slots: memref<?xmemref<?xf32>>, %n: index) kernel {
    %c0 = arith.constant 0 : index
    %m = memref.alloc(%n) : memref<?xf32>
    memref.store %m, %slots[%c0] : memref<?xmemref<?xf32>>
    gpu.return
  }
}

// -----

// DEVICE: errors.mlir:[[#@LINE+2]]:{{.*}}error: {{.*}}memref.store{{.*}}: what a slot is given must be in the heap
gpu.module @refused {
  gpu.func @kernel(%arena: memref<?xi8> {berth.arena}, %slots: memref<?xmemref<?xf32>>, %n: index) kernel {
    %c0 = arith.constant 0 : index
    %m = memref.alloc(%n) : memref<?xf32>
    gpu.barrier
    memref.store %m, %slots[%c0] : memref<?xmemref<?xf32>>
    gpu.return
  }
}

// -----

// DEVICE: errors.mlir:[[#@LINE+2]]:{{.*}}error: argument 0 is marked berth.arena but has 115 bytes: the heap takes from 116 (what it keeps for itself) to 4294967292
gpu.module @short {
  gpu.func @kernel(%arena: memref<115xi8> {berth.arena}, %slots: memref<?xmemref<?xf32>>) kernel {
    gpu.return
  }
}

// -----

// DEVICE: errors.mlir:[[#@LINE+2]]:{{.*}}error: arguments 0 and 2 are both marked berth.arena: a heap has one arena [berth-E192]
gpu.module @two {
  gpu.func @kernel(%arena: memref<?xi32> {berth.arena}, %slots: memref<?xmemref<?xf32>>, %other: memref<?xi32> {berth.arena}) kernel {
    gpu.return
  }
}

// -----

// DEVICE: errors.mlir:[[#@LINE+2]]:{{.*}}error: argument 0 is marked berth.arena but is in workgroup memory, which ends with the kernel: arena=global-device needs global memory
gpu.module @workgroup {
  gpu.func @kernel(%arena: memref<?xi8, #gpu.address_space<workgroup>> {berth.arena}, %slots: memref<?xmemref<?xf32>>) kernel {
    gpu.return
  }
}

// -----

// CHECK: errors.mlir:[[#@LINE+3]]:{{.*}}warning: berth-heap leaves this kernel as it is: no allocation of it is in workgroup memory, and its argument 0, berth.arena, is not used
// CHECK: note: arena=global-device makes the heap there
gpu.module @unused {
  gpu.func @kernel(%arena: memref<?xi8> {berth.arena}, %slots: memref<?xmemref<?xf32>>, %n: index) kernel {
    %c0 = arith.constant 0 : index
    %m = memref.alloc(%n) : memref<?xf32>
    memref.store %m, %slots[%c0] : memref<?xmemref<?xf32>>
    gpu.return
  }
}

// -----

// CHECK: errors.mlir:[[#@LINE+1]]:{{.*}}error: argument 0 is marked berth.arena but has 64 bytes: the heap takes from 116 (what it keeps for itself) to 4294967292 [berth-E171]
func.func @small(%arena: memref<64xi8> {berth.arena}, %n: index) {
  %m = memref.alloc(%n) : memref<?xf32>
  return
}

// -----

// CHECK: errors.mlir:[[#@LINE+1]]:{{.*}}error: arguments 0 and 1 are both marked berth.arena: a heap has one arena [berth-E192]
func.func @two_arenas(%arena: memref<?xi8> {berth.arena}, %other: memref<?xi8> {berth.arena}, %n: index) {
  %m = memref.alloc(%n) : memref<?xf32>
  return
}
