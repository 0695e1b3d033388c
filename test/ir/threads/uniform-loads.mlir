// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loads whose values all threads of a workgroup agree on. X is used in one
// alternative and Y in the other: they share their 256 bytes only if the
// condition is the same in all threads.
// RUN: %berth-opt --pass-pipeline='builtin.module(berth-arena)' %s | FileCheck %s
// RUN: %berth-opt --pass-pipeline='builtin.module(berth-arena{test-break-rule=uniform-loads verify=false})' %s | FileCheck %s --check-prefix=BROKEN
// RUN: not %berth-opt --pass-pipeline='builtin.module(berth-arena{test-break-rule=uniform-loads})' %s 2>&1 | FileCheck %s --check-prefix=REFUSED

// REFUSED: error: touches bytes of the arena that other threads, which may have taken another way, use through another buffer at the same time

!shared = memref<64xf32, #gpu.address_space<workgroup>>
!row = memref<64xf32>
!lengths = memref<8x8xi32>

gpu.module @kernels {
  memref.global "private" constant @table : memref<8xi32> = dense<1>
  memref.global "private" @variable : memref<8xi32> = dense<1>

  // Bytes that nobody can write while the kernel runs, at equal places.
  // CHECK-LABEL: gpu.func @read_only(
  // CHECK-SAME: memref<256xi8,
  gpu.func @read_only(%out: !row, %v: f32, %n: index, %e: i32, %in: !lengths {llvm.noalias, llvm.readonly}) kernel {
    %t = gpu.thread_id x
    %x = memref.alloc() : !shared
    %y = memref.alloc() : !shared
    %b = gpu.block_id x
    %k = memref.load %in[%b, %n] : !lengths
    %p = arith.cmpi ult, %k, %e : i32
    scf.if %p {
      memref.store %v, %x[%t] : !shared
      %r = memref.load %x[%t] : !shared
      memref.store %r, %out[%t] : !row
    } else {
      memref.store %v, %y[%t] : !shared
      %r = memref.load %y[%t] : !shared
      memref.store %r, %out[%t] : !row
    }
    gpu.return
  }

  // CHECK-LABEL: gpu.func @read_only_view(
  // CHECK-SAME: memref<256xi8,
  gpu.func @read_only_view(%out: !row, %v: f32, %n: index, %e: i32, %in: !lengths {llvm.noalias, llvm.readonly}) kernel {
    %t = gpu.thread_id x
    %x = memref.alloc() : !shared
    %y = memref.alloc() : !shared
    %b = gpu.block_id x
    %s = memref.subview %in[%b, 0] [1, 8] [1, 1] : !lengths to memref<8xi32, strided<[1], offset: ?>>
    %k = affine.load %s[2] : memref<8xi32, strided<[1], offset: ?>>
    %p = arith.cmpi ult, %k, %e : i32
    scf.if %p {
      memref.store %v, %x[%t] : !shared
      %r = memref.load %x[%t] : !shared
      memref.store %r, %out[%t] : !row
    } else {
      memref.store %v, %y[%t] : !shared
      %r = memref.load %y[%t] : !shared
      memref.store %r, %out[%t] : !row
    }
    gpu.return
  }

  // CHECK-LABEL: gpu.func @read_only_at_thread(
  // CHECK-SAME: memref<512xi8,
  gpu.func @read_only_at_thread(%out: !row, %v: f32, %n: index, %e: i32, %in: !lengths {llvm.noalias, llvm.readonly}) kernel {
    %t = gpu.thread_id x
    %x = memref.alloc() : !shared
    %y = memref.alloc() : !shared
    %c0 = arith.constant 0 : index
    %k = memref.load %in[%t, %c0] : !lengths
    %p = arith.cmpi ult, %k, %e : i32
    scf.if %p {
      memref.store %v, %x[%t] : !shared
      %r = memref.load %x[%t] : !shared
      memref.store %r, %out[%t] : !row
    } else {
      memref.store %v, %y[%t] : !shared
      %r = memref.load %y[%t] : !shared
      memref.store %r, %out[%t] : !row
    }
    gpu.return
  }

  // CHECK-LABEL: gpu.func @read_only_view_at_thread(
  // CHECK-SAME: memref<512xi8,
  gpu.func @read_only_view_at_thread(%out: !row, %v: f32, %n: index, %e: i32, %in: !lengths {llvm.noalias, llvm.readonly}) kernel {
    %t = gpu.thread_id x
    %x = memref.alloc() : !shared
    %y = memref.alloc() : !shared
    %s = memref.subview %in[%t, 0] [1, 8] [1, 1] : !lengths to memref<8xi32, strided<[1], offset: ?>>
    %k = affine.load %s[2] : memref<8xi32, strided<[1], offset: ?>>
    %p = arith.cmpi ult, %k, %e : i32
    scf.if %p {
      memref.store %v, %x[%t] : !shared
      %r = memref.load %x[%t] : !shared
      memref.store %r, %out[%t] : !row
    } else {
      memref.store %v, %y[%t] : !shared
      %r = memref.load %y[%t] : !shared
      memref.store %r, %out[%t] : !row
    }
    gpu.return
  }

  // Others may write it through another pointer, or through this one.
  // CHECK-LABEL: gpu.func @may_alias(
  // CHECK-SAME: memref<512xi8,
  // BROKEN-LABEL: gpu.func @may_alias(
  // BROKEN-SAME: memref<256xi8,
  gpu.func @may_alias(%out: !row, %v: f32, %n: index, %e: i32, %in: !lengths {llvm.readonly}) kernel {
    %t = gpu.thread_id x
    %x = memref.alloc() : !shared
    %y = memref.alloc() : !shared
    %b = gpu.block_id x
    %k = memref.load %in[%b, %n] : !lengths
    %p = arith.cmpi ult, %k, %e : i32
    scf.if %p {
      memref.store %v, %x[%t] : !shared
      %r = memref.load %x[%t] : !shared
      memref.store %r, %out[%t] : !row
    } else {
      memref.store %v, %y[%t] : !shared
      %r = memref.load %y[%t] : !shared
      memref.store %r, %out[%t] : !row
    }
    gpu.return
  }

  // CHECK-LABEL: gpu.func @may_be_written(
  // CHECK-SAME: memref<512xi8,
  // BROKEN-LABEL: gpu.func @may_be_written(
  // BROKEN-SAME: memref<256xi8,
  gpu.func @may_be_written(%out: !row, %v: f32, %n: index, %e: i32, %in: !lengths {llvm.noalias}) kernel {
    %t = gpu.thread_id x
    %x = memref.alloc() : !shared
    %y = memref.alloc() : !shared
    %b = gpu.block_id x
    %k = memref.load %in[%b, %n] : !lengths
    %p = arith.cmpi ult, %k, %e : i32
    scf.if %p {
      memref.store %v, %x[%t] : !shared
      %r = memref.load %x[%t] : !shared
      memref.store %r, %out[%t] : !row
    } else {
      memref.store %v, %y[%t] : !shared
      %r = memref.load %y[%t] : !shared
      memref.store %r, %out[%t] : !row
    }
    gpu.return
  }

  // CHECK-LABEL: gpu.func @constant_global(
  // CHECK-SAME: memref<256xi8,
  gpu.func @constant_global(%out: !row, %v: f32, %n: index, %e: i32) kernel {
    %t = gpu.thread_id x
    %x = memref.alloc() : !shared
    %y = memref.alloc() : !shared
    %g = memref.get_global @table : memref<8xi32>
    %k = memref.load %g[%n] : memref<8xi32>
    %p = arith.cmpi ult, %k, %e : i32
    scf.if %p {
      memref.store %v, %x[%t] : !shared
      %r = memref.load %x[%t] : !shared
      memref.store %r, %out[%t] : !row
    } else {
      memref.store %v, %y[%t] : !shared
      %r = memref.load %y[%t] : !shared
      memref.store %r, %out[%t] : !row
    }
    gpu.return
  }

  // CHECK-LABEL: gpu.func @variable_global(
  // CHECK-SAME: memref<512xi8,
  // BROKEN-LABEL: gpu.func @variable_global(
  // BROKEN-SAME: memref<256xi8,
  gpu.func @variable_global(%out: !row, %v: f32, %n: index, %e: i32) kernel {
    %t = gpu.thread_id x
    %x = memref.alloc() : !shared
    %y = memref.alloc() : !shared
    %g = memref.get_global @variable : memref<8xi32>
    %k = memref.load %g[%n] : memref<8xi32>
    %p = arith.cmpi ult, %k, %e : i32
    scf.if %p {
      memref.store %v, %x[%t] : !shared
      %r = memref.load %x[%t] : !shared
      memref.store %r, %out[%t] : !row
    } else {
      memref.store %v, %y[%t] : !shared
      %r = memref.load %y[%t] : !shared
      memref.store %r, %out[%t] : !row
    }
    gpu.return
  }

  // Vectors, and what is computed from them.
  // CHECK-LABEL: gpu.func @read_only_vector(
  // CHECK-SAME: memref<256xi8,
  gpu.func @read_only_vector(%out: !row, %v: f32, %n: index, %e: i32, %in: !lengths {llvm.noalias, llvm.readonly}) kernel {
    %t = gpu.thread_id x
    %x = memref.alloc() : !shared
    %y = memref.alloc() : !shared
    %b = gpu.block_id x
    %w = vector.load %in[%b, %n] : !lengths, vector<4xi32>
    %k = vector.extract %w[1] : i32 from vector<4xi32>
    %p = arith.cmpi ult, %k, %e : i32
    scf.if %p {
      memref.store %v, %x[%t] : !shared
      %r = memref.load %x[%t] : !shared
      memref.store %r, %out[%t] : !row
    } else {
      memref.store %v, %y[%t] : !shared
      %r = memref.load %y[%t] : !shared
      memref.store %r, %out[%t] : !row
    }
    gpu.return
  }

  // CHECK-LABEL: gpu.func @read_only_transfer(
  // CHECK-SAME: memref<256xi8,
  gpu.func @read_only_transfer(%out: !row, %v: f32, %n: index, %e: i32, %in: !lengths {llvm.noalias, llvm.readonly}) kernel {
    %t = gpu.thread_id x
    %x = memref.alloc() : !shared
    %y = memref.alloc() : !shared
    %b = gpu.block_id x
    %c = arith.constant 0 : i32
    %f = vector.transfer_read %in[%b, %n], %c {in_bounds = [true]} : !lengths, vector<4xi32>
    %s = vector.broadcast %e : i32 to vector<4xi32>
    %d = arith.addi %f, %s : vector<4xi32>
    %k = vector.reduction <add>, %d : vector<4xi32> into i32
    %p = arith.cmpi ult, %k, %e : i32
    scf.if %p {
      memref.store %v, %x[%t] : !shared
      %r = memref.load %x[%t] : !shared
      memref.store %r, %out[%t] : !row
    } else {
      memref.store %v, %y[%t] : !shared
      %r = memref.load %y[%t] : !shared
      memref.store %r, %out[%t] : !row
    }
    gpu.return
  }

  // CHECK-LABEL: gpu.func @read_only_vector_at_thread(
  // CHECK-SAME: memref<512xi8,
  gpu.func @read_only_vector_at_thread(%out: !row, %v: f32, %n: index, %e: i32, %in: !lengths {llvm.noalias, llvm.readonly}) kernel {
    %t = gpu.thread_id x
    %x = memref.alloc() : !shared
    %y = memref.alloc() : !shared
    %c0 = arith.constant 0 : index
    %w = vector.load %in[%t, %c0] : !lengths, vector<4xi32>
    %k = vector.extract %w[1] : i32 from vector<4xi32>
    %p = arith.cmpi ult, %k, %e : i32
    scf.if %p {
      memref.store %v, %x[%t] : !shared
      %r = memref.load %x[%t] : !shared
      memref.store %r, %out[%t] : !row
    } else {
      memref.store %v, %y[%t] : !shared
      %r = memref.load %y[%t] : !shared
      memref.store %r, %out[%t] : !row
    }
    gpu.return
  }

  // CHECK-LABEL: gpu.func @element_of_thread(
  // CHECK-SAME: memref<512xi8,
  gpu.func @element_of_thread(%out: !row, %v: f32, %n: index, %e: i32, %in: !lengths {llvm.noalias, llvm.readonly}) kernel {
    %t = gpu.thread_id x
    %x = memref.alloc() : !shared
    %y = memref.alloc() : !shared
    %b = gpu.block_id x
    %w = vector.load %in[%b, %n] : !lengths, vector<4xi32>
    %k = vector.extract %w[%t] : i32 from vector<4xi32>
    %p = arith.cmpi ult, %k, %e : i32
    scf.if %p {
      memref.store %v, %x[%t] : !shared
      %r = memref.load %x[%t] : !shared
      memref.store %r, %out[%t] : !row
    } else {
      memref.store %v, %y[%t] : !shared
      %r = memref.load %y[%t] : !shared
      memref.store %r, %out[%t] : !row
    }
    gpu.return
  }

  // CHECK-LABEL: gpu.func @vector_may_alias(
  // CHECK-SAME: memref<512xi8,
  gpu.func @vector_may_alias(%out: !row, %v: f32, %n: index, %e: i32, %in: !lengths {llvm.readonly}) kernel {
    %t = gpu.thread_id x
    %x = memref.alloc() : !shared
    %y = memref.alloc() : !shared
    %b = gpu.block_id x
    %w = vector.load %in[%b, %n] : !lengths, vector<4xi32>
    %k = vector.extract %w[1] : i32 from vector<4xi32>
    %p = arith.cmpi ult, %k, %e : i32
    scf.if %p {
      memref.store %v, %x[%t] : !shared
      %r = memref.load %x[%t] : !shared
      memref.store %r, %out[%t] : !row
    } else {
      memref.store %v, %y[%t] : !shared
      %r = memref.load %y[%t] : !shared
      memref.store %r, %out[%t] : !row
    }
    gpu.return
  }
}
