// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which values all threads agree on. X is used in one alternative and Y in the
// other: they share their 256 bytes only under a uniform condition, and the
// alternatives of a divergent one run beside each other.
// RUN: %mlir-opt-berth --allow-unregistered-dialect --pass-pipeline='builtin.module(gpu.module(gpu.func(berth-arena)))' %s | FileCheck %s

!shared = memref<64xf32, #gpu.address_space<workgroup>>

// CHECK-LABEL: gpu.module @uniform
gpu.module @uniform {
  // CHECK-LABEL: gpu.func @argument(
  // CHECK-SAME: memref<256xi8,
  // CHECK-NOT: gpu.barrier
  gpu.func @argument(%out: memref<?xf32>, %v: f32, %c: i1, %i: index) kernel {
    %tid = gpu.thread_id x
    %zero = arith.constant 0 : index
    %one = arith.constant 1 : i32
    %x = memref.alloc() : !shared
    %y = memref.alloc() : !shared
    scf.if %c {
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
  // CHECK-LABEL: gpu.func @block_id(
  // CHECK-SAME: memref<256xi8,
  // CHECK-NOT: gpu.barrier
  gpu.func @block_id(%out: memref<?xf32>, %v: f32, %c: i1, %i: index) kernel {
    %tid = gpu.thread_id x
    %zero = arith.constant 0 : index
    %one = arith.constant 1 : i32
    %x = memref.alloc() : !shared
    %y = memref.alloc() : !shared
    %b = gpu.block_id x
    %p = arith.cmpi eq, %b, %i : index
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
  // CHECK-LABEL: gpu.func @block_dim(
  // CHECK-SAME: memref<256xi8,
  // CHECK-NOT: gpu.barrier
  gpu.func @block_dim(%out: memref<?xf32>, %v: f32, %c: i1, %i: index) kernel {
    %tid = gpu.thread_id x
    %zero = arith.constant 0 : index
    %one = arith.constant 1 : i32
    %x = memref.alloc() : !shared
    %y = memref.alloc() : !shared
    %b = gpu.block_dim x
    %p = arith.cmpi eq, %b, %i : index
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
  // CHECK-LABEL: gpu.func @grid_dim(
  // CHECK-SAME: memref<256xi8,
  // CHECK-NOT: gpu.barrier
  gpu.func @grid_dim(%out: memref<?xf32>, %v: f32, %c: i1, %i: index) kernel {
    %tid = gpu.thread_id x
    %zero = arith.constant 0 : index
    %one = arith.constant 1 : i32
    %x = memref.alloc() : !shared
    %y = memref.alloc() : !shared
    %b = gpu.grid_dim x
    %p = arith.cmpi eq, %b, %i : index
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
  // CHECK-LABEL: gpu.func @cluster_id(
  // CHECK-SAME: memref<256xi8,
  // CHECK-NOT: gpu.barrier
  gpu.func @cluster_id(%out: memref<?xf32>, %v: f32, %c: i1, %i: index) kernel {
    %tid = gpu.thread_id x
    %zero = arith.constant 0 : index
    %one = arith.constant 1 : i32
    %x = memref.alloc() : !shared
    %y = memref.alloc() : !shared
    %b = gpu.cluster_id x
    %p = arith.cmpi eq, %b, %i : index
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
  // CHECK-LABEL: gpu.func @constant(
  // CHECK-SAME: memref<256xi8,
  // CHECK-NOT: gpu.barrier
  gpu.func @constant(%out: memref<?xf32>, %v: f32, %c: i1, %i: index) kernel {
    %tid = gpu.thread_id x
    %zero = arith.constant 0 : index
    %one = arith.constant 1 : i32
    %x = memref.alloc() : !shared
    %y = memref.alloc() : !shared
    %p = arith.constant true
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
  // CHECK-LABEL: gpu.func @arithmetic(
  // CHECK-SAME: memref<256xi8,
  // CHECK-NOT: gpu.barrier
  gpu.func @arithmetic(%out: memref<?xf32>, %v: f32, %c: i1, %i: index) kernel {
    %tid = gpu.thread_id x
    %zero = arith.constant 0 : index
    %one = arith.constant 1 : i32
    %x = memref.alloc() : !shared
    %y = memref.alloc() : !shared
    %b = gpu.block_id x
    %s = arith.muli %b, %i : index
    %t = arith.select %c, %s, %b : index
    %p = arith.cmpi ult, %t, %i : index
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
  // CHECK-LABEL: gpu.func @apply(
  // CHECK-SAME: memref<256xi8,
  // CHECK-NOT: gpu.barrier
  gpu.func @apply(%out: memref<?xf32>, %v: f32, %c: i1, %i: index) kernel {
    %tid = gpu.thread_id x
    %zero = arith.constant 0 : index
    %one = arith.constant 1 : i32
    %x = memref.alloc() : !shared
    %y = memref.alloc() : !shared
    %b = gpu.block_id x
    %s = affine.apply affine_map<(d0) -> (d0 * 4)>(%b)
    %p = arith.cmpi eq, %s, %i : index
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
  // CHECK-LABEL: gpu.func @dim(
  // CHECK-SAME: memref<256xi8,
  // CHECK-NOT: gpu.barrier
  gpu.func @dim(%out: memref<?xf32>, %v: f32, %c: i1, %i: index) kernel {
    %tid = gpu.thread_id x
    %zero = arith.constant 0 : index
    %one = arith.constant 1 : i32
    %x = memref.alloc() : !shared
    %y = memref.alloc() : !shared
    %d = memref.dim %out, %i : memref<?xf32>
    %p = arith.cmpi eq, %d, %i : index
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
  // The barrier in the loop separates the turns from each other.
  // CHECK-LABEL: gpu.func @loop_variable(
  // CHECK-SAME: memref<256xi8,
  gpu.func @loop_variable(%out: memref<?xf32>, %v: f32, %c: i1, %i: index) kernel {
    %tid = gpu.thread_id x
    %zero = arith.constant 0 : index
    %one = arith.constant 1 : i32
    scf.for %k = %zero to %i step %i {
      %p = arith.cmpi eq, %k, %i : index
      %x = memref.alloc() : !shared
      %y = memref.alloc() : !shared
      scf.if %p {
        memref.store %v, %x[%tid] : !shared
        %a = memref.load %x[%tid] : !shared
        memref.store %a, %out[%tid] : memref<?xf32>
      } else {
        memref.store %v, %y[%tid] : !shared
        %a = memref.load %y[%tid] : !shared
        memref.store %a, %out[%tid] : memref<?xf32>
      }
      gpu.barrier
    }
    gpu.return
  }
  // What else the loop hands on does not matter to its bounds.
  // CHECK-LABEL: gpu.func @loop_variable_beside_divergent(
  // CHECK-SAME: memref<256xi8,
  gpu.func @loop_variable_beside_divergent(%out: memref<?xf32>, %v: f32, %c: i1, %i: index) kernel {
    %tid = gpu.thread_id x
    %zero = arith.constant 0 : index
    %one = arith.constant 1 : i32
    %sum = scf.for %k = %zero to %i step %i iter_args(%s = %tid) -> index {
      %p = arith.cmpi eq, %k, %i : index
      %x = memref.alloc() : !shared
      %y = memref.alloc() : !shared
      scf.if %p {
        memref.store %v, %x[%tid] : !shared
        %a = memref.load %x[%tid] : !shared
        memref.store %a, %out[%tid] : memref<?xf32>
      } else {
        memref.store %v, %y[%tid] : !shared
        %a = memref.load %y[%tid] : !shared
        memref.store %a, %out[%tid] : memref<?xf32>
      }
      gpu.barrier
      scf.yield %s : index
    }
    gpu.return
  }
}

// CHECK-LABEL: gpu.module @divergent
gpu.module @divergent {
  func.func private @decide(index) -> i1
  // CHECK-LABEL: gpu.func @thread_id(
  // CHECK-SAME: memref<512xi8,
  gpu.func @thread_id(%out: memref<?xf32>, %v: f32, %c: i1, %i: index) kernel {
    %tid = gpu.thread_id x
    %zero = arith.constant 0 : index
    %one = arith.constant 1 : i32
    %x = memref.alloc() : !shared
    %y = memref.alloc() : !shared
    %p = arith.cmpi ult, %tid, %i : index
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
  // CHECK-LABEL: gpu.func @lane_id(
  // CHECK-SAME: memref<512xi8,
  gpu.func @lane_id(%out: memref<?xf32>, %v: f32, %c: i1, %i: index) kernel {
    %tid = gpu.thread_id x
    %zero = arith.constant 0 : index
    %one = arith.constant 1 : i32
    %x = memref.alloc() : !shared
    %y = memref.alloc() : !shared
    %l = gpu.lane_id
    %p = arith.cmpi ult, %l, %i : index
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
  // CHECK-LABEL: gpu.func @subgroup_id(
  // CHECK-SAME: memref<512xi8,
  gpu.func @subgroup_id(%out: memref<?xf32>, %v: f32, %c: i1, %i: index) kernel {
    %tid = gpu.thread_id x
    %zero = arith.constant 0 : index
    %one = arith.constant 1 : i32
    %x = memref.alloc() : !shared
    %y = memref.alloc() : !shared
    %l = gpu.subgroup_id : index
    %p = arith.cmpi ult, %l, %i : index
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
  // CHECK-LABEL: gpu.func @global_id(
  // CHECK-SAME: memref<512xi8,
  gpu.func @global_id(%out: memref<?xf32>, %v: f32, %c: i1, %i: index) kernel {
    %tid = gpu.thread_id x
    %zero = arith.constant 0 : index
    %one = arith.constant 1 : i32
    %x = memref.alloc() : !shared
    %y = memref.alloc() : !shared
    %l = gpu.global_id x
    %p = arith.cmpi ult, %l, %i : index
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
  // CHECK-LABEL: gpu.func @loaded(
  // CHECK-SAME: memref<512xi8,
  gpu.func @loaded(%out: memref<?xf32>, %v: f32, %c: i1, %i: index) kernel {
    %tid = gpu.thread_id x
    %zero = arith.constant 0 : index
    %one = arith.constant 1 : i32
    %x = memref.alloc() : !shared
    %y = memref.alloc() : !shared
    %l = memref.load %out[%i] : memref<?xf32>
    %p = arith.cmpf olt, %l, %v : f32
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
  // CHECK-LABEL: gpu.func @unknown_op(
  // CHECK-SAME: memref<512xi8,
  gpu.func @unknown_op(%out: memref<?xf32>, %v: f32, %c: i1, %i: index) kernel {
    %tid = gpu.thread_id x
    %zero = arith.constant 0 : index
    %one = arith.constant 1 : i32
    %x = memref.alloc() : !shared
    %y = memref.alloc() : !shared
    %p = "test.op"() : () -> i1
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
  // CHECK-LABEL: gpu.func @call_result(
  // CHECK-SAME: memref<512xi8,
  gpu.func @call_result(%out: memref<?xf32>, %v: f32, %c: i1, %i: index) kernel {
    %tid = gpu.thread_id x
    %zero = arith.constant 0 : index
    %one = arith.constant 1 : i32
    %x = memref.alloc() : !shared
    %y = memref.alloc() : !shared
    %p = func.call @decide(%i) : (index) -> i1
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
  // CHECK-LABEL: gpu.func @shuffled(
  // CHECK-SAME: memref<512xi8,
  gpu.func @shuffled(%out: memref<?xf32>, %v: f32, %c: i1, %i: index) kernel {
    %tid = gpu.thread_id x
    %zero = arith.constant 0 : index
    %one = arith.constant 1 : i32
    %x = memref.alloc() : !shared
    %y = memref.alloc() : !shared
    %q, %p = gpu.shuffle xor %v, %one, %one : f32
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
  // CHECK-LABEL: gpu.func @arithmetic_of_thread_id(
  // CHECK-SAME: memref<512xi8,
  gpu.func @arithmetic_of_thread_id(%out: memref<?xf32>, %v: f32, %c: i1, %i: index) kernel {
    %tid = gpu.thread_id x
    %zero = arith.constant 0 : index
    %one = arith.constant 1 : i32
    %x = memref.alloc() : !shared
    %y = memref.alloc() : !shared
    %s = arith.remui %tid, %i : index
    %p = arith.cmpi eq, %s, %i : index
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
  // CHECK-LABEL: gpu.func @if_result(
  // CHECK-SAME: memref<512xi8,
  gpu.func @if_result(%out: memref<?xf32>, %v: f32, %c: i1, %i: index) kernel {
    %tid = gpu.thread_id x
    %zero = arith.constant 0 : index
    %one = arith.constant 1 : i32
    %x = memref.alloc() : !shared
    %y = memref.alloc() : !shared
    %t = arith.cmpi ult, %tid, %i : index
    %p = scf.if %t -> i1 {
      %f = arith.constant false
      scf.yield %f : i1
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
  // CHECK-LABEL: gpu.func @loop_result(
  // CHECK-SAME: memref<512xi8,
  gpu.func @loop_result(%out: memref<?xf32>, %v: f32, %c: i1, %i: index) kernel {
    %tid = gpu.thread_id x
    %zero = arith.constant 0 : index
    %one = arith.constant 1 : i32
    %x = memref.alloc() : !shared
    %y = memref.alloc() : !shared
    %p = scf.for %k = %zero to %tid step %i iter_args(%q = %c) -> i1 {
      %f = arith.constant false
      scf.yield %f : i1
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
  // A buffer that is allocated in a divergent loop stays where it is.
  // CHECK-LABEL: gpu.func @loop_variable(
  // CHECK-NOT: memref.view
  gpu.func @loop_variable(%out: memref<?xf32>, %v: f32, %c: i1, %i: index) kernel {
    %tid = gpu.thread_id x
    %zero = arith.constant 0 : index
    %one = arith.constant 1 : i32
    scf.for %k = %zero to %tid step %i {
      %p = arith.cmpi eq, %k, %i : index
      %x = memref.alloc() : !shared
      %y = memref.alloc() : !shared
      scf.if %p {
        memref.store %v, %x[%tid] : !shared
        %a = memref.load %x[%tid] : !shared
        memref.store %a, %out[%tid] : memref<?xf32>
      } else {
        memref.store %v, %y[%tid] : !shared
        %a = memref.load %y[%tid] : !shared
        memref.store %a, %out[%tid] : memref<?xf32>
      }
      gpu.barrier
    }
    gpu.return
  }
  // CHECK-LABEL: gpu.func @handed_on(
  // CHECK-SAME: memref<512xi8,
  gpu.func @handed_on(%out: memref<?xf32>, %v: f32, %c: i1, %i: index) kernel {
    %tid = gpu.thread_id x
    %zero = arith.constant 0 : index
    %one = arith.constant 1 : i32
    %sum = scf.for %k = %zero to %i step %i iter_args(%s = %tid) -> index {
      %p = arith.cmpi eq, %s, %i : index
      %x = memref.alloc() : !shared
      %y = memref.alloc() : !shared
      scf.if %p {
        memref.store %v, %x[%tid] : !shared
        %a = memref.load %x[%tid] : !shared
        memref.store %a, %out[%tid] : memref<?xf32>
      } else {
        memref.store %v, %y[%tid] : !shared
        %a = memref.load %y[%tid] : !shared
        memref.store %a, %out[%tid] : memref<?xf32>
      }
      gpu.barrier
      scf.yield %s : index
    }
    gpu.return
  }
  // CHECK-LABEL: gpu.func @block_argument(
  // CHECK-SAME: memref<512xi8,
  gpu.func @block_argument(%out: memref<?xf32>, %v: f32, %c: i1, %i: index) kernel {
    %tid = gpu.thread_id x
    %zero = arith.constant 0 : index
    %one = arith.constant 1 : i32
    %x = memref.alloc() : !shared
    %y = memref.alloc() : !shared
    %t = arith.cmpi ult, %tid, %i : index
    cf.cond_br %t, ^merge(%c : i1), ^merge(%t : i1)
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
}
