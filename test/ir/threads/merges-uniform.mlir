// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Values that control flow merges or carries. X is used where %p is true and Y
// where it is not: they share their 256 bytes only if the threads agree on %p.
// RUN: %mlir-opt-berth --pass-pipeline='builtin.module(gpu.module(gpu.func(berth-arena)))' %s | FileCheck %s
// The same between blocks.
// RUN: mlir-opt --convert-scf-to-cf %s | %mlir-opt-berth --pass-pipeline='builtin.module(gpu.module(gpu.func(berth-arena)))' | FileCheck %s

!shared = memref<64xf32, #gpu.address_space<workgroup>>

// CHECK-LABEL: gpu.module @uniform
gpu.module @uniform {
  // CHECK-LABEL: gpu.func @if_result(
  // CHECK-SAME: memref<256xi8,
  // CHECK-NOT: gpu.barrier
  gpu.func @if_result(%out: memref<?xf32>, %v: f32, %c: i1, %n: index) kernel {
    %tid = gpu.thread_id x
    %zero = arith.constant 0 : index
    %one = arith.constant 1 : index
    %true = arith.constant true
    %false = arith.constant false
    %t = arith.cmpi ult, %tid, %n : index
    %x = memref.alloc() : !shared
    %y = memref.alloc() : !shared
    %p = scf.if %c -> i1 {
      scf.yield %true : i1
    } else {
      scf.yield %false : i1
    }
    scf.if %p {
      memref.store %v, %x[%tid] : !shared
      %a = memref.load %x[%tid] : !shared
      memref.store %a, %out[%tid] : memref<?xf32>
    } else {
      memref.store %v, %y[%tid] : !shared
      %a = memref.load %y[%tid] : !shared
      memref.store %a, %out[%tid] : memref<?xf32>
    }
    gpu.return
  }
  // CHECK-LABEL: gpu.func @switch_result(
  // CHECK-SAME: memref<256xi8,
  // CHECK-NOT: gpu.barrier
  gpu.func @switch_result(%out: memref<?xf32>, %v: f32, %c: i1, %n: index) kernel {
    %tid = gpu.thread_id x
    %zero = arith.constant 0 : index
    %one = arith.constant 1 : index
    %true = arith.constant true
    %false = arith.constant false
    %t = arith.cmpi ult, %tid, %n : index
    %x = memref.alloc() : !shared
    %y = memref.alloc() : !shared
    %p = scf.index_switch %n -> i1
    case 4 {
      scf.yield %true : i1
    }
    default {
      scf.yield %c : i1
    }
    scf.if %p {
      memref.store %v, %x[%tid] : !shared
      %a = memref.load %x[%tid] : !shared
      memref.store %a, %out[%tid] : memref<?xf32>
    } else {
      memref.store %v, %y[%tid] : !shared
      %a = memref.load %y[%tid] : !shared
      memref.store %a, %out[%tid] : memref<?xf32>
    }
    gpu.return
  }
  // CHECK-LABEL: gpu.func @for_result(
  // CHECK-SAME: memref<256xi8,
  // CHECK-NOT: gpu.barrier
  gpu.func @for_result(%out: memref<?xf32>, %v: f32, %c: i1, %n: index) kernel {
    %tid = gpu.thread_id x
    %zero = arith.constant 0 : index
    %one = arith.constant 1 : index
    %true = arith.constant true
    %false = arith.constant false
    %t = arith.cmpi ult, %tid, %n : index
    %x = memref.alloc() : !shared
    %y = memref.alloc() : !shared
    %p = scf.for %k = %zero to %n step %one iter_args(%q = %c) -> i1 {
      %r = arith.xori %q, %true : i1
      scf.yield %r : i1
    }
    scf.if %p {
      memref.store %v, %x[%tid] : !shared
      %a = memref.load %x[%tid] : !shared
      memref.store %a, %out[%tid] : memref<?xf32>
    } else {
      memref.store %v, %y[%tid] : !shared
      %a = memref.load %y[%tid] : !shared
      memref.store %a, %out[%tid] : memref<?xf32>
    }
    gpu.return
  }
  // CHECK-LABEL: gpu.func @affine_for_result(
  // CHECK-SAME: memref<256xi8,
  // CHECK-NOT: gpu.barrier
  gpu.func @affine_for_result(%out: memref<?xf32>, %v: f32, %c: i1, %n: index) kernel {
    %tid = gpu.thread_id x
    %zero = arith.constant 0 : index
    %one = arith.constant 1 : index
    %true = arith.constant true
    %false = arith.constant false
    %t = arith.cmpi ult, %tid, %n : index
    %x = memref.alloc() : !shared
    %y = memref.alloc() : !shared
    %p = affine.for %k = 0 to 4 iter_args(%q = %c) -> i1 {
      %r = arith.xori %q, %true : i1
      affine.yield %r : i1
    }
    scf.if %p {
      memref.store %v, %x[%tid] : !shared
      %a = memref.load %x[%tid] : !shared
      memref.store %a, %out[%tid] : memref<?xf32>
    } else {
      memref.store %v, %y[%tid] : !shared
      %a = memref.load %y[%tid] : !shared
      memref.store %a, %out[%tid] : memref<?xf32>
    }
    gpu.return
  }
  // What the condition reads goes round the loop.
  // CHECK-LABEL: gpu.func @while_result(
  // CHECK-SAME: memref<256xi8,
  // CHECK-NOT: gpu.barrier
  gpu.func @while_result(%out: memref<?xf32>, %v: f32, %c: i1, %n: index) kernel {
    %tid = gpu.thread_id x
    %zero = arith.constant 0 : index
    %one = arith.constant 1 : index
    %true = arith.constant true
    %false = arith.constant false
    %t = arith.cmpi ult, %tid, %n : index
    %x = memref.alloc() : !shared
    %y = memref.alloc() : !shared
    %end = scf.while (%i = %zero) : (index) -> index {
      %more = arith.cmpi ult, %i, %n : index
      scf.condition(%more) %i : index
    } do {
  ^bb0(%i: index):
      %j = arith.addi %i, %one : index
      scf.yield %j : index
    }
    %p = arith.cmpi ult, %end, %n : index
    scf.if %p {
      memref.store %v, %x[%tid] : !shared
      %a = memref.load %x[%tid] : !shared
      memref.store %a, %out[%tid] : memref<?xf32>
    } else {
      memref.store %v, %y[%tid] : !shared
      %a = memref.load %y[%tid] : !shared
      memref.store %a, %out[%tid] : memref<?xf32>
    }
    gpu.return
  }
  // Three values that follow from each other.
  // CHECK-LABEL: gpu.func @exchanged(
  // CHECK-SAME: memref<256xi8,
  // CHECK-NOT: gpu.barrier
  gpu.func @exchanged(%out: memref<?xf32>, %v: f32, %c: i1, %n: index) kernel {
    %tid = gpu.thread_id x
    %zero = arith.constant 0 : index
    %one = arith.constant 1 : index
    %true = arith.constant true
    %false = arith.constant false
    %t = arith.cmpi ult, %tid, %n : index
    %x = memref.alloc() : !shared
    %y = memref.alloc() : !shared
    %e:3 = scf.while (%i = %zero, %j = %one, %q = %c) : (index, index, i1) -> (index, index, i1) {
      %more = arith.cmpi ult, %i, %n : index
      scf.condition(%more) %j, %i, %q : index, index, i1
    } do {
  ^bb0(%i: index, %j: index, %q: i1):
      %k = arith.addi %i, %j : index
      %r = arith.cmpi ult, %k, %n : index
      scf.yield %k, %i, %r : index, index, i1
    }
    %p = arith.andi %e#2, %true : i1
    scf.if %p {
      memref.store %v, %x[%tid] : !shared
      %a = memref.load %x[%tid] : !shared
      memref.store %a, %out[%tid] : memref<?xf32>
    } else {
      memref.store %v, %y[%tid] : !shared
      %a = memref.load %y[%tid] : !shared
      memref.store %a, %out[%tid] : memref<?xf32>
    }
    gpu.return
  }
  // What a loop carries besides does not matter.
  // CHECK-LABEL: gpu.func @beside_divergent(
  // CHECK-SAME: memref<256xi8,
  // CHECK-NOT: gpu.barrier
  gpu.func @beside_divergent(%out: memref<?xf32>, %v: f32, %c: i1, %n: index) kernel {
    %tid = gpu.thread_id x
    %zero = arith.constant 0 : index
    %one = arith.constant 1 : index
    %true = arith.constant true
    %false = arith.constant false
    %t = arith.cmpi ult, %tid, %n : index
    %x = memref.alloc() : !shared
    %y = memref.alloc() : !shared
    %sum, %p = scf.for %k = %zero to %n step %one iter_args(%s = %tid, %q = %c) -> (index, i1) {
      %u = arith.addi %s, %tid : index
      %r = arith.xori %q, %true : i1
      scf.yield %u, %r : index, i1
    }
    scf.if %p {
      memref.store %v, %x[%tid] : !shared
      %a = memref.load %x[%tid] : !shared
      memref.store %a, %out[%tid] : memref<?xf32>
    } else {
      memref.store %v, %y[%tid] : !shared
      %a = memref.load %y[%tid] : !shared
      memref.store %a, %out[%tid] : memref<?xf32>
    }
    gpu.return
  }
  // CHECK-LABEL: gpu.func @executed(
  // CHECK-SAME: memref<256xi8,
  // CHECK-NOT: gpu.barrier
  gpu.func @executed(%out: memref<?xf32>, %v: f32, %c: i1, %n: index) kernel {
    %tid = gpu.thread_id x
    %zero = arith.constant 0 : index
    %one = arith.constant 1 : index
    %true = arith.constant true
    %false = arith.constant false
    %t = arith.cmpi ult, %tid, %n : index
    %x = memref.alloc() : !shared
    %y = memref.alloc() : !shared
    %p = scf.execute_region -> i1 {
      scf.yield %c : i1
    }
    scf.if %p {
      memref.store %v, %x[%tid] : !shared
      %a = memref.load %x[%tid] : !shared
      memref.store %a, %out[%tid] : memref<?xf32>
    } else {
      memref.store %v, %y[%tid] : !shared
      %a = memref.load %y[%tid] : !shared
      memref.store %a, %out[%tid] : memref<?xf32>
    }
    gpu.return
  }
  // CHECK-LABEL: gpu.func @block_argument(
  // CHECK-SAME: memref<256xi8,
  // CHECK-NOT: gpu.barrier
  gpu.func @block_argument(%out: memref<?xf32>, %v: f32, %c: i1, %n: index) kernel {
    %tid = gpu.thread_id x
    %zero = arith.constant 0 : index
    %one = arith.constant 1 : index
    %true = arith.constant true
    %false = arith.constant false
    %t = arith.cmpi ult, %tid, %n : index
    %x = memref.alloc() : !shared
    %y = memref.alloc() : !shared
    cf.cond_br %c, ^merge(%true : i1), ^merge(%false : i1)
  ^merge(%p: i1):
    scf.if %p {
      memref.store %v, %x[%tid] : !shared
      %a = memref.load %x[%tid] : !shared
      memref.store %a, %out[%tid] : memref<?xf32>
    } else {
      memref.store %v, %y[%tid] : !shared
      %a = memref.load %y[%tid] : !shared
      memref.store %a, %out[%tid] : memref<?xf32>
    }
    gpu.return
  }
  // CHECK-LABEL: gpu.func @block_loop(
  // CHECK-SAME: memref<256xi8,
  // CHECK-NOT: gpu.barrier
  gpu.func @block_loop(%out: memref<?xf32>, %v: f32, %c: i1, %n: index) kernel {
    %tid = gpu.thread_id x
    %zero = arith.constant 0 : index
    %one = arith.constant 1 : index
    %true = arith.constant true
    %false = arith.constant false
    %t = arith.cmpi ult, %tid, %n : index
    %x = memref.alloc() : !shared
    %y = memref.alloc() : !shared
    cf.br ^head(%zero, %c : index, i1)
  ^head(%i: index, %p: i1):
      %more = arith.cmpi slt, %i, %n : index
      cf.cond_br %more, ^body, ^exit
  ^body:
      %j = arith.addi %i, %one : index
      %q = arith.xori %p, %true : i1
      cf.br ^head(%j, %q : index, i1)
  ^exit:
    scf.if %p {
      memref.store %v, %x[%tid] : !shared
      %a = memref.load %x[%tid] : !shared
      memref.store %a, %out[%tid] : memref<?xf32>
    } else {
      memref.store %v, %y[%tid] : !shared
      %a = memref.load %y[%tid] : !shared
      memref.store %a, %out[%tid] : memref<?xf32>
    }
    gpu.return
  }
  // A loop that threads leave in different turns merges nothing of the one around it.
  // CHECK-LABEL: gpu.func @behind_divergent_loop(
  // CHECK-SAME: memref<256xi8,
  // CHECK-NOT: gpu.barrier
  gpu.func @behind_divergent_loop(%out: memref<?xf32>, %v: f32, %c: i1, %n: index) kernel {
    %tid = gpu.thread_id x
    %zero = arith.constant 0 : index
    %one = arith.constant 1 : index
    %true = arith.constant true
    %false = arith.constant false
    %t = arith.cmpi ult, %tid, %n : index
    %x = memref.alloc() : !shared
    %y = memref.alloc() : !shared
    %p = scf.for %k = %zero to %n step %one iter_args(%q = %c) -> i1 {
      scf.for %l = %zero to %tid step %one {
        memref.store %v, %out[%l] : memref<?xf32>
      }
      %r = arith.xori %q, %true : i1
      scf.yield %r : i1
    }
    scf.if %p {
      memref.store %v, %x[%tid] : !shared
      %a = memref.load %x[%tid] : !shared
      memref.store %a, %out[%tid] : memref<?xf32>
    } else {
      memref.store %v, %y[%tid] : !shared
      %a = memref.load %y[%tid] : !shared
      memref.store %a, %out[%tid] : memref<?xf32>
    }
    gpu.return
  }
}
