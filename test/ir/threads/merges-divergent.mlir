// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Values that control flow merges or carries. X is used where %p is true and Y
// where it is not: they share their 256 bytes only if the threads agree on %p.
// RUN: %mlir-opt-berth --pass-pipeline='builtin.module(gpu.module(gpu.func(berth-arena)))' %s | FileCheck %s
// The same between blocks.
// RUN: mlir-opt --convert-scf-to-cf %s | %mlir-opt-berth --pass-pipeline='builtin.module(gpu.module(gpu.func(berth-arena)))' | FileCheck %s

!shared = memref<64xf32, #gpu.address_space<workgroup>>

// CHECK-LABEL: gpu.module @divergent
gpu.module @divergent {
  // The values are uniform, which of them is not.
  // CHECK-LABEL: gpu.func @if_result(
  // CHECK-SAME: memref<512xi8,
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
    %p = scf.if %t -> i1 {
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
  // CHECK-LABEL: gpu.func @if_yields(
  // CHECK-SAME: memref<512xi8,
  // CHECK-NOT: gpu.barrier
  gpu.func @if_yields(%out: memref<?xf32>, %v: f32, %c: i1, %n: index) kernel {
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
      scf.yield %t : i1
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
  // CHECK-SAME: memref<512xi8,
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
    %p = scf.index_switch %tid -> i1
    case 4 {
      scf.yield %true : i1
    }
    default {
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
  // Threads make different numbers of turns.
  // CHECK-LABEL: gpu.func @for_result(
  // CHECK-SAME: memref<512xi8,
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
    %p = scf.for %k = %zero to %tid step %one iter_args(%q = %c) -> i1 {
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
  // CHECK-LABEL: gpu.func @for_start(
  // CHECK-SAME: memref<512xi8,
  // CHECK-NOT: gpu.barrier
  gpu.func @for_start(%out: memref<?xf32>, %v: f32, %c: i1, %n: index) kernel {
    %tid = gpu.thread_id x
    %zero = arith.constant 0 : index
    %one = arith.constant 1 : index
    %true = arith.constant true
    %false = arith.constant false
    %t = arith.cmpi ult, %tid, %n : index
    %x = memref.alloc() : !shared
    %y = memref.alloc() : !shared
    %p = scf.for %k = %zero to %n step %one iter_args(%q = %t) -> i1 {
      scf.yield %q : i1
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
  // Uniform in the first turn.
  // CHECK-LABEL: gpu.func @for_carried(
  // CHECK-SAME: memref<512xi8,
  // CHECK-NOT: gpu.barrier
  gpu.func @for_carried(%out: memref<?xf32>, %v: f32, %c: i1, %n: index) kernel {
    %tid = gpu.thread_id x
    %zero = arith.constant 0 : index
    %one = arith.constant 1 : index
    %true = arith.constant true
    %false = arith.constant false
    %t = arith.cmpi ult, %tid, %n : index
    %x = memref.alloc() : !shared
    %y = memref.alloc() : !shared
    %p = scf.for %k = %zero to %n step %one iter_args(%q = %c) -> i1 {
      scf.yield %t : i1
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
  // Every turn is uniform, the last one is not.
  // CHECK-LABEL: gpu.func @while_result(
  // CHECK-SAME: memref<512xi8,
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
      %more = arith.cmpi ult, %i, %tid : index
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
  // The condition follows from what the body makes of a carried value.
  // CHECK-LABEL: gpu.func @while_condition(
  // CHECK-SAME: memref<512xi8,
  // CHECK-NOT: gpu.barrier
  gpu.func @while_condition(%out: memref<?xf32>, %v: f32, %c: i1, %n: index) kernel {
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
      %j = arith.addi %i, %tid : index
      %k = arith.addi %j, %one : index
      scf.yield %k : index
    }
    %p = arith.cmpi eq, %end, %n : index
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
  // One of three is divergent, so in the end all are.
  // CHECK-LABEL: gpu.func @exchanged(
  // CHECK-SAME: memref<512xi8,
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
      %k = arith.addi %i, %tid : index
      %r = arith.cmpi ult, %j, %n : index
      scf.yield %i, %k, %r : index, index, i1
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
  // The loop inside is uniform, the one around it is left in different turns.
  // CHECK-LABEL: gpu.func @loop_around(
  // CHECK-SAME: memref<512xi8,
  // CHECK-NOT: gpu.barrier
  gpu.func @loop_around(%out: memref<?xf32>, %v: f32, %c: i1, %n: index) kernel {
    %tid = gpu.thread_id x
    %zero = arith.constant 0 : index
    %one = arith.constant 1 : index
    %true = arith.constant true
    %false = arith.constant false
    %t = arith.cmpi ult, %tid, %n : index
    %x = memref.alloc() : !shared
    %y = memref.alloc() : !shared
    %e = scf.while (%i = %zero) : (index) -> index {
      %more = arith.cmpi ult, %i, %tid : index
      scf.condition(%more) %i : index
    } do {
  ^bb0(%i: index):
      %j = scf.for %k = %zero to %n step %one iter_args(%l = %i) -> index {
        %m = arith.addi %l, %one : index
        scf.yield %m : index
      }
      scf.yield %j : index
    }
    %p = arith.cmpi eq, %e, %n : index
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
  // Threads leave by different ways.
  // CHECK-LABEL: gpu.func @executed(
  // CHECK-SAME: memref<512xi8,
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
      cf.cond_br %t, ^one, ^two
  ^one:
      scf.yield %true : i1
  ^two:
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
  // CHECK-LABEL: gpu.func @block_argument(
  // CHECK-SAME: memref<512xi8,
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
    cf.cond_br %t, ^merge(%true : i1), ^merge(%false : i1)
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
  // CHECK-LABEL: gpu.func @blocks_between(
  // CHECK-SAME: memref<512xi8,
  // CHECK-NOT: gpu.barrier
  gpu.func @blocks_between(%out: memref<?xf32>, %v: f32, %c: i1, %n: index) kernel {
    %tid = gpu.thread_id x
    %zero = arith.constant 0 : index
    %one = arith.constant 1 : index
    %true = arith.constant true
    %false = arith.constant false
    %t = arith.cmpi ult, %tid, %n : index
    %x = memref.alloc() : !shared
    %y = memref.alloc() : !shared
    cf.cond_br %t, ^left, ^right
  ^left:
      cf.br ^merge(%true : i1)
  ^right:
      cf.br ^merge(%false : i1)
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
  // CHECK-SAME: memref<512xi8,
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
      %more = arith.cmpi slt, %i, %tid : index
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
  // Only one of the exits parts the threads, but that one does.
  // CHECK-LABEL: gpu.func @two_exits(
  // CHECK-SAME: memref<512xi8,
  // CHECK-NOT: gpu.barrier
  gpu.func @two_exits(%out: memref<?xf32>, %v: f32, %c: i1, %n: index) kernel {
    %tid = gpu.thread_id x
    %zero = arith.constant 0 : index
    %one = arith.constant 1 : index
    %true = arith.constant true
    %false = arith.constant false
    %t = arith.cmpi ult, %tid, %n : index
    %x = memref.alloc() : !shared
    %y = memref.alloc() : !shared
    cf.br ^head(%zero : index)
  ^head(%i: index):
      %more = arith.cmpi slt, %i, %n : index
      cf.cond_br %more, ^body, ^exit
  ^body:
      %j = arith.addi %i, %one : index
      %is = arith.cmpi eq, %j, %tid : index
      cf.cond_br %is, ^exit, ^head(%j : index)
  ^exit:
      %p = arith.cmpi eq, %i, %one : index
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
