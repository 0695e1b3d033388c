// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: llvm-22
// (Affine maps take thread ids for symbols there only.)
// RUN: %mlir-opt-berth %s --split-input-file --verify-diagnostics --pass-pipeline='builtin.module(berth-verify)' -o /dev/null
// %b is written over what %a holds. In the next turn %a is read again, which is
// right only if all threads together have overwritten it by then.

#wg = #gpu.address_space<workgroup>
!a = memref<100xi32, #wg>
!b = memref<100xi32, #wg>
gpu.module @right {
  gpu.func @kernel(%v: i32, %n: index, %in: memref<128xi32>, %out: memref<64xi32>)
      workgroup(%arena: memref<400xi8, #wg>) kernel
      attributes {known_block_size = array<i32: 64, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c50 = arith.constant 50 : index
    %c99 = arith.constant 99 : index
    %c100 = arith.constant 100 : index
    %t = gpu.thread_id x
    %size = gpu.block_dim x
    %a = memref.view %arena[%c0][] {berth.buffer = 0} : memref<400xi8, #wg> to !a
    %b = memref.view %arena[%c0][] {berth.buffer = 1} : memref<400xi8, #wg> to !b
    scf.for %i = %c0 to %n step %c1 {
      scf.for %j = %t to %c100 step %size {
        memref.store %v, %a[%j] : !a
      }
      gpu.barrier
      %x = affine.load %a[99 - %t] : !a
      gpu.barrier
      affine.for %j = 0 to 100 {
        affine.store %x, %b[%j] : !b
      }
      gpu.barrier
      %y = affine.load %b[99 - %t] : !b
      memref.store %y, %out[%t] : memref<64xi32>
      gpu.barrier
    }
    gpu.return
  }
}

// -----

// The last element is left out.
#wg = #gpu.address_space<workgroup>
!a = memref<100xi32, #wg>
!b = memref<100xi32, #wg>
gpu.module @short {
  gpu.func @kernel(%v: i32, %n: index, %in: memref<128xi32>, %out: memref<64xi32>)
      workgroup(%arena: memref<400xi8, #wg>) kernel
      attributes {known_block_size = array<i32: 64, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c50 = arith.constant 50 : index
    %c99 = arith.constant 99 : index
    %c100 = arith.constant 100 : index
    %t = gpu.thread_id x
    %size = gpu.block_dim x
    %a = memref.view %arena[%c0][] {berth.buffer = 0} : memref<400xi8, #wg> to !a
    %b = memref.view %arena[%c0][] {berth.buffer = 1} : memref<400xi8, #wg> to !b
    scf.for %i = %c0 to %n step %c1 {
      scf.for %j = %t to %c99 step %size {
        memref.store %v, %a[%j] : !a
      }
      gpu.barrier
      // expected-error@+1 {{reads a buffer whose bytes in the arena may have been overwritten by another buffer's}}
      %x = affine.load %a[99 - %t] : !a
      gpu.barrier
      affine.for %j = 0 to 100 {
        // expected-note@+1 {{by this write}}
        affine.store %x, %b[%j] : !b
      }
      gpu.barrier
      %y = affine.load %b[99 - %t] : !b
      memref.store %y, %out[%t] : memref<64xi32>
      gpu.barrier
    }
    gpu.return
  }
}

// -----

// There may be any number of threads: these are right, but who knows.
#wg = #gpu.address_space<workgroup>
!a = memref<100xi32, #wg>
!b = memref<100xi32, #wg>
gpu.module @any_block {
  gpu.func @kernel(%v: i32, %n: index, %in: memref<128xi32>, %out: memref<64xi32>)
      workgroup(%arena: memref<400xi8, #wg>) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c50 = arith.constant 50 : index
    %c99 = arith.constant 99 : index
    %c100 = arith.constant 100 : index
    %t = gpu.thread_id x
    %size = gpu.block_dim x
    %a = memref.view %arena[%c0][] {berth.buffer = 0} : memref<400xi8, #wg> to !a
    %b = memref.view %arena[%c0][] {berth.buffer = 1} : memref<400xi8, #wg> to !b
    scf.for %i = %c0 to %n step %c1 {
      scf.for %j = %t to %c100 step %c100 {
        memref.store %v, %a[%j] : !a
      }
      gpu.barrier
      // expected-error@+1 {{reads a buffer whose bytes in the arena may have been overwritten by another buffer's}}
      %x = affine.load %a[99 - %t] : !a
      gpu.barrier
      affine.for %j = 0 to 100 {
        // expected-note@+1 {{by this write}}
        affine.store %x, %b[%j] : !b
      }
      gpu.barrier
      %y = affine.load %b[99 - %t] : !b
      memref.store %y, %out[%t] : memref<64xi32>
      gpu.barrier
    }
    gpu.return
  }
}

// -----

// A loop of %n turns around it may have none.
#wg = #gpu.address_space<workgroup>
!a = memref<100xi32, #wg>
!b = memref<100xi32, #wg>
gpu.module @perhaps_no_turns {
  gpu.func @kernel(%v: i32, %n: index, %in: memref<128xi32>, %out: memref<64xi32>)
      workgroup(%arena: memref<400xi8, #wg>) kernel
      attributes {known_block_size = array<i32: 64, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c50 = arith.constant 50 : index
    %c99 = arith.constant 99 : index
    %c100 = arith.constant 100 : index
    %t = gpu.thread_id x
    %size = gpu.block_dim x
    %a = memref.view %arena[%c0][] {berth.buffer = 0} : memref<400xi8, #wg> to !a
    %b = memref.view %arena[%c0][] {berth.buffer = 1} : memref<400xi8, #wg> to !b
    scf.for %i = %c0 to %n step %c1 {
      scf.for %k = %c0 to %n step %c1 {
        scf.for %j = %t to %c100 step %size {
          memref.store %v, %a[%j] : !a
        }
      }
      gpu.barrier
      // expected-error@+1 {{reads a buffer whose bytes in the arena may have been overwritten by another buffer's}}
      %x = affine.load %a[99 - %t] : !a
      gpu.barrier
      affine.for %j = 0 to 100 {
        // expected-note@+1 {{by this write}}
        affine.store %x, %b[%j] : !b
      }
      gpu.barrier
      %y = affine.load %b[99 - %t] : !b
      memref.store %y, %out[%t] : memref<64xi32>
      gpu.barrier
    }
    gpu.return
  }
}

// -----

// Threads 0 to 49 write two elements each, the others none.
#wg = #gpu.address_space<workgroup>
!a = memref<100xi32, #wg>
!b = memref<100xi32, #wg>
gpu.module @own_part {
  gpu.func @kernel(%v: i32, %n: index, %in: memref<128xi32>, %out: memref<64xi32>)
      workgroup(%arena: memref<400xi8, #wg>) kernel
      attributes {known_block_size = array<i32: 64, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c50 = arith.constant 50 : index
    %c99 = arith.constant 99 : index
    %c100 = arith.constant 100 : index
    %t = gpu.thread_id x
    %size = gpu.block_dim x
    %a = memref.view %arena[%c0][] {berth.buffer = 0} : memref<400xi8, #wg> to !a
    %b = memref.view %arena[%c0][] {berth.buffer = 1} : memref<400xi8, #wg> to !b
    scf.for %i = %c0 to %n step %c1 {
      %few = arith.cmpi ult, %t, %c50 : index
      scf.if %few {
        %first = arith.muli %t, %c2 : index
        %part = memref.subview %a[%first] [2] [1] : !a to memref<2xi32, strided<[1], offset: ?>, #wg>
        linalg.fill ins(%v : i32) outs(%part : memref<2xi32, strided<[1], offset: ?>, #wg>)
      }
      gpu.barrier
      %x = affine.load %a[99 - %t] : !a
      gpu.barrier
      affine.for %j = 0 to 100 {
        affine.store %x, %b[%j] : !b
      }
      gpu.barrier
      %y = affine.load %b[99 - %t] : !b
      memref.store %y, %out[%t] : memref<64xi32>
      gpu.barrier
    }
    gpu.return
  }
}

// -----

// Who comes depends on data.
#wg = #gpu.address_space<workgroup>
!a = memref<100xi32, #wg>
!b = memref<100xi32, #wg>
gpu.module @some_part {
  gpu.func @kernel(%v: i32, %n: index, %in: memref<128xi32>, %out: memref<64xi32>)
      workgroup(%arena: memref<400xi8, #wg>) kernel
      attributes {known_block_size = array<i32: 64, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c50 = arith.constant 50 : index
    %c99 = arith.constant 99 : index
    %c100 = arith.constant 100 : index
    %t = gpu.thread_id x
    %size = gpu.block_dim x
    %a = memref.view %arena[%c0][] {berth.buffer = 0} : memref<400xi8, #wg> to !a
    %b = memref.view %arena[%c0][] {berth.buffer = 1} : memref<400xi8, #wg> to !b
    scf.for %i = %c0 to %n step %c1 {
      %d = memref.load %in[%t] : memref<128xi32>
      %some = arith.cmpi slt, %d, %v : i32
      scf.if %some {
        scf.for %j = %t to %c100 step %size {
          memref.store %v, %a[%j] : !a
        }
      }
      gpu.barrier
      // expected-error@+1 {{reads a buffer whose bytes in the arena may have been overwritten by another buffer's}}
      %x = affine.load %a[99 - %t] : !a
      gpu.barrier
      affine.for %j = 0 to 100 {
        // expected-note@+1 {{by this write}}
        affine.store %x, %b[%j] : !b
      }
      gpu.barrier
      %y = affine.load %b[99 - %t] : !b
      memref.store %y, %out[%t] : memref<64xi32>
      gpu.barrier
    }
    gpu.return
  }
}

// -----

// What other threads write is read in the same phase.
#wg = #gpu.address_space<workgroup>
!a = memref<100xi32, #wg>
!b = memref<100xi32, #wg>
gpu.module @no_barrier {
  gpu.func @kernel(%v: i32, %n: index, %in: memref<128xi32>, %out: memref<64xi32>)
      workgroup(%arena: memref<400xi8, #wg>) kernel
      attributes {known_block_size = array<i32: 64, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c50 = arith.constant 50 : index
    %c99 = arith.constant 99 : index
    %c100 = arith.constant 100 : index
    %t = gpu.thread_id x
    %size = gpu.block_dim x
    %a = memref.view %arena[%c0][] {berth.buffer = 0} : memref<400xi8, #wg> to !a
    %b = memref.view %arena[%c0][] {berth.buffer = 1} : memref<400xi8, #wg> to !b
    scf.for %i = %c0 to %n step %c1 {
      scf.for %j = %t to %c100 step %size {
        memref.store %v, %a[%j] : !a
      }
      // expected-error@+1 {{reads a buffer whose bytes in the arena may have been overwritten by another buffer's}}
      %x = affine.load %a[99 - %t] : !a
      gpu.barrier
      affine.for %j = 0 to 100 {
        // expected-note@+1 {{by this write}}
        affine.store %x, %b[%j] : !b
      }
      gpu.barrier
      %y = affine.load %b[99 - %t] : !b
      memref.store %y, %out[%t] : memref<64xi32>
      gpu.barrier
    }
    gpu.return
  }
}

// -----

#wg = #gpu.address_space<workgroup>
!a = memref<100xi32, #wg>
!b = memref<100xi32, #wg>
gpu.module @copies {
  gpu.func @kernel(%v: i32, %n: index, %in: memref<128xi32>, %out: memref<64xi32>)
      workgroup(%arena: memref<400xi8, #wg>) kernel
      attributes {known_block_size = array<i32: 50, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c50 = arith.constant 50 : index
    %c99 = arith.constant 99 : index
    %c100 = arith.constant 100 : index
    %t = gpu.thread_id x
    %size = gpu.block_dim x
    %a = memref.view %arena[%c0][] {berth.buffer = 0} : memref<400xi8, #wg> to !a
    %b = memref.view %arena[%c0][] {berth.buffer = 1} : memref<400xi8, #wg> to !b
    scf.for %i = %c0 to %n step %c1 {
      %from = arith.muli %t, %c2 : index
      %copy = nvgpu.device_async_copy %in[%from], %a[%from], 2 : memref<128xi32> to !a
      %group = nvgpu.device_async_create_group %copy
      nvgpu.device_async_wait %group
      gpu.barrier
      %x = affine.load %a[99 - %t] : !a
      gpu.barrier
      affine.for %j = 0 to 100 {
        affine.store %x, %b[%j] : !b
      }
      gpu.barrier
      %y = affine.load %b[99 - %t] : !b
      memref.store %y, %out[%t] : memref<64xi32>
      gpu.barrier
    }
    gpu.return
  }
}

// -----

// Other threads have not waited when all meet.
#wg = #gpu.address_space<workgroup>
!a = memref<100xi32, #wg>
!b = memref<100xi32, #wg>
gpu.module @early_barrier {
  gpu.func @kernel(%v: i32, %n: index, %in: memref<128xi32>, %out: memref<64xi32>)
      workgroup(%arena: memref<400xi8, #wg>) kernel
      attributes {known_block_size = array<i32: 50, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c50 = arith.constant 50 : index
    %c99 = arith.constant 99 : index
    %c100 = arith.constant 100 : index
    %t = gpu.thread_id x
    %size = gpu.block_dim x
    %a = memref.view %arena[%c0][] {berth.buffer = 0} : memref<400xi8, #wg> to !a
    %b = memref.view %arena[%c0][] {berth.buffer = 1} : memref<400xi8, #wg> to !b
    scf.for %i = %c0 to %n step %c1 {
      %from = arith.muli %t, %c2 : index
      %copy = nvgpu.device_async_copy %in[%from], %a[%from], 2 : memref<128xi32> to !a
      %group = nvgpu.device_async_create_group %copy
      gpu.barrier
      nvgpu.device_async_wait %group
      // expected-error@+1 {{reads a buffer whose bytes in the arena may have been overwritten by another buffer's}}
      %x = affine.load %a[99 - %t] : !a
      gpu.barrier
      affine.for %j = 0 to 100 {
        // expected-note@+1 {{by this write}}
        affine.store %x, %b[%j] : !b
      }
      gpu.barrier
      %y = affine.load %b[99 - %t] : !b
      memref.store %y, %out[%t] : memref<64xi32>
      gpu.barrier
    }
    gpu.return
  }
}
