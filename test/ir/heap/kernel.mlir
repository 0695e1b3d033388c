// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: llvm-22
// The heap in workgroup memory: where it is used, and where it is refused.
// RUN: %berth-opt %s --split-input-file --berth-heap=size=8192 --remarks-filter='berth.*' 2> %t | FileCheck %s
// RUN: FileCheck --check-prefix=REMARK %s < %t

// CHECK-LABEL: gpu.func @loop
// CHECK-SAME:  (%[[N:.*]]: index)
// CHECK:       %[[ARENA:.*]] = memref.get_global @berth_heap_arena : memref<8192xi8, #gpu.address_space<workgroup>>
// CHECK:       func.call @berth_heap_open
// CHECK:       scf.for
// CHECK:         %[[TAKE:.*]]:3 = func.call @berth_heap_take
// CHECK-NOT:     cf.assert
// CHECK:         %[[M:.*]] = memref.view %[[ARENA]][%[[TAKE]]#1]
// CHECK:         %[[OK:.*]] = arith.cmpi eq, %[[TAKE]]#0
// CHECK:         scf.if %[[OK]] {
// CHECK:           memref.store %{{.*}}, %[[M]]
// CHECK:           gpu.barrier
// CHECK:           func.call @berth_heap_give(%{{.*}}, %[[TAKE]]#2)
// CHECK-NEXT:    }
// CHECK-NEXT:  }
// CHECK-NEXT:  gpu.return
// CHECK:       memref.global "private" @berth_heap_arena : memref<8192xi8, #gpu.address_space<workgroup>> = uninitialized {alignment = 64
// CHECK:       memref.global @berth_heap_status : memref<1xi32, #gpu.address_space<global>> = dense<0>
// CHECK-LABEL: func.func private @berth_heap_take
// CHECK:         scf.if
// CHECK:           @berth_heap_alloc_aligned
// CHECK:         gpu.barrier
// CHECK-NEXT:    memref.load
// CHECK-NEXT:    gpu.barrier
// CHECK-LABEL: func.func private @berth_heap_give
// CHECK-NEXT:    arith.constant
// CHECK-NEXT:    gpu.barrier
gpu.module @kernels {
  gpu.func @loop(%n: index) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %f = arith.constant 0.0 : f32
    %t = gpu.thread_id x
    scf.for %i = %c0 to %n step %c1 {
      %size = arith.addi %i, %n : index
      %m = memref.alloc(%size) : memref<?xf32, #gpu.address_space<workgroup>>
      memref.store %f, %m[%t] : memref<?xf32, #gpu.address_space<workgroup>>
      gpu.barrier
      %v = memref.load %m[%c0] : memref<?xf32, #gpu.address_space<workgroup>>
    }
    gpu.return
  }
}

// -----

// A second allocation nests in the first one's guard; two kernels share the
// functions and the arena.
// CHECK-LABEL: gpu.func @two
// CHECK:       %[[A:.*]]:3 = func.call @berth_heap_take
// CHECK:       scf.if
// CHECK:         %[[B:.*]]:3 = func.call @berth_heap_take
// CHECK:         scf.if
// CHECK:           func.call @berth_heap_give(%{{.*}}, %[[A]]#2)
// CHECK:           func.call @berth_heap_give(%{{.*}}, %[[B]]#2)
// CHECK-LABEL: gpu.func @one
// CHECK:       func.call @berth_heap_take
// CHECK-COUNT-1: @berth_heap_arena :
// CHECK-NOT:     @berth_heap_arena :
gpu.module @kernels {
  gpu.func @two(%n: index) kernel {
    %a = memref.alloc(%n) : memref<?xf32, #gpu.address_space<workgroup>>
    %b = memref.alloc(%n) : memref<?xf32, #gpu.address_space<workgroup>>
    memref.dealloc %a : memref<?xf32, #gpu.address_space<workgroup>>
    memref.dealloc %b : memref<?xf32, #gpu.address_space<workgroup>>
    gpu.return
  }
  gpu.func @one(%n: index) kernel {
    %a = memref.alloc(%n) : memref<?xf32, #gpu.address_space<workgroup>>
    memref.dealloc %a : memref<?xf32, #gpu.address_space<workgroup>>
    gpu.return
  }
}

// -----

// MLIR 19 plans otherwise: it knows no bound of a thread's number.
// CHECK-LABEL: gpu.func @refused
// CHECK-NOT:   @berth_heap
gpu.module @kernels {
  gpu.func @refused(%n: index, %limits: memref<?xindex>) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %f = arith.constant 0.0 : f32
    %t = gpu.thread_id x
    %odd = arith.cmpi ne, %t, %c0 : index
    // REMARK: :[[#@LINE+1]]:{{.*}}Missed{{.*}}"its size may differ between the threads of the workgroup"
    %a = memref.alloc(%t) : memref<?xf32, #gpu.address_space<workgroup>>
    %limit = memref.load %limits[%c0] : memref<?xindex>
    // REMARK: :[[#@LINE+1]]:{{.*}}Missed{{.*}}"its size may differ between the threads of the workgroup"
    %b = memref.alloc(%limit) : memref<?xf32, #gpu.address_space<workgroup>>
    scf.if %odd {
      // REMARK: :[[#@LINE+1]]:{{.*}}Missed{{.*}}"not all threads of the workgroup provably reach the place where it is allocated or freed"
      %c = memref.alloc(%n) : memref<?xf32, #gpu.address_space<workgroup>>
    }
    %sum = scf.for %i = %c0 to %n step %c1 iter_args(%s = %f) -> f32 {
      // REMARK: :[[#@LINE+1]]:{{.*}}Missed{{.*}}"its block yields values, which there are none of if the heap is exhausted"
      %d = memref.alloc(%i) : memref<?xf32, #gpu.address_space<workgroup>>
      scf.yield %s : f32
    }
    // REMARK: :[[#@LINE+1]]:{{.*}}Missed{{.*}}"not all threads of the workgroup provably reach the place where it is allocated or freed"
    %e = memref.alloc(%n) : memref<?xf32, #gpu.address_space<workgroup>>
    scf.if %odd {
      memref.dealloc %e : memref<?xf32, #gpu.address_space<workgroup>>
    }
    // REMARK: :[[#@LINE+1]]:{{.*}}Missed{{.*}}"it wants more alignment than the arena has"
    %g = memref.alloc(%n) {alignment = 128 : i64} : memref<?xf32, #gpu.address_space<workgroup>>
    gpu.return
  }
}

// -----

// CHECK-LABEL: gpu.func @blocks
// CHECK-NOT:   @berth_heap
gpu.module @kernels {
  gpu.func @blocks(%n: index, %c: i1) kernel {
    %f = arith.constant 0.0 : f32
    // REMARK: :[[#@LINE+1]]:{{.*}}Missed{{.*}}"other blocks follow its own, which must not run if the heap is exhausted"
    %a = memref.alloc(%n) : memref<?xf32, #gpu.address_space<workgroup>>
    cf.cond_br %c, ^one, ^two
  ^one:
    memref.store %f, %a[%n] : memref<?xf32, #gpu.address_space<workgroup>>
    cf.br ^two
  ^two:
    memref.dealloc %a : memref<?xf32, #gpu.address_space<workgroup>>
    gpu.return
  }
}

// -----

// CHECK-LABEL: func.func @launch
// CHECK-NOT:   @berth_heap
func.func @launch(%n: index) {
  gpu.launch blocks(%x, %y, %z) in (%gx = %n, %gy = %n, %gz = %n)
             threads(%tx, %ty, %tz) in (%bx = %n, %by = %n, %bz = %n) {
    // REMARK: :[[#@LINE+1]]:{{.*}}Missed{{.*}}"a gpu.launch body has no heap: outline it first"
    %a = memref.alloc(%n) : memref<?xf32, #gpu.address_space<workgroup>>
    gpu.terminator
  }
  return
}
