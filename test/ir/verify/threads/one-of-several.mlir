// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: llvm-22
// In LLVM 19 gpu.thread_id is no index of affine.load.
// RUN: %mlir-opt-berth %s --split-input-file --verify-diagnostics --pass-pipeline='builtin.module(berth-verify)' -o /dev/null
// A value that is one of several shared buffers at one place.

!line = memref<64xf32, #gpu.address_space<workgroup>>
!bytes = memref<256xi8, #gpu.address_space<workgroup>>

gpu.module @right {
  // Both are written by own elements that nobody can compute, and read again.
  gpu.func @agreed(%c: i1, %v: f32, %at: memref<64xindex>, %out: memref<64xf32>) workgroup(%arena: !bytes) kernel {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %i = memref.load %at[%t] : memref<64xindex>
    %a = memref.view %arena[%c0][] {berth.buffer = 0} : !bytes to !line
    %b = memref.view %arena[%c0][] {berth.buffer = 1} : !bytes to !line
    %r = scf.if %c -> (!line) {
      memref.store %v, %a[%i] : !line
      scf.yield %a : !line
    } else {
      memref.store %v, %b[%i] : !line
      scf.yield %b : !line
    }
    %x = memref.load %r[%i] : !line
    memref.store %x, %r[%i] : !line
    gpu.barrier
    %y = affine.load %r[63 - %t] : !line
    memref.store %y, %out[%t] : memref<64xf32>
    gpu.return
  }

  // From turn to turn another one, a barrier in between.
  gpu.func @turns(%n: index, %v: f32, %at: memref<64xindex>, %out: memref<64xf32>) workgroup(%arena: !bytes) kernel {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %i = memref.load %at[%t] : memref<64xindex>
    scf.for %k = %c0 to %n step %c1 {
      %odd = arith.andi %k, %c1 : index
      %c = arith.cmpi eq, %odd, %c1 : index
      %r = scf.if %c -> (!line) {
        %a = memref.view %arena[%c0][] {berth.buffer = 0} : !bytes to !line
        memref.store %v, %a[%i] : !line
        scf.yield %a : !line
      } else {
        %b = memref.view %arena[%c0][] {berth.buffer = 1} : !bytes to !line
        memref.store %v, %b[%i] : !line
        scf.yield %b : !line
      }
      %x = memref.load %r[%i] : !line
      memref.store %x, %r[%i] : !line
      gpu.barrier
    }
    gpu.return
  }
}

// -----

!line = memref<64xf32, #gpu.address_space<workgroup>>
!bytes = memref<256xi8, #gpu.address_space<workgroup>>

gpu.module @without_barrier {
  // A slow thread still has %r, which is %a; a fast one makes %b.
  gpu.func @turns(%n: index, %v: f32, %at: memref<64xindex>, %out: memref<64xf32>) workgroup(%arena: !bytes) kernel {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %i = memref.load %at[%t] : memref<64xindex>
    %a = memref.view %arena[%c0][] {berth.buffer = 0} : !bytes to !line
    %b = memref.view %arena[%c0][] {berth.buffer = 1} : !bytes to !line
    scf.for %k = %c0 to %n step %c1 {
      %odd = arith.andi %k, %c1 : index
      %c = arith.cmpi eq, %odd, %c1 : index
      %r = scf.if %c -> (!line) {
        // expected-error @+1 {{there is a way here without a barrier}}
        linalg.fill ins(%v : f32) outs(%a : !line)
        scf.yield %a : !line
      } else {
        // expected-error @+1 {{there is a way here without a barrier}}
        linalg.fill ins(%v : f32) outs(%b : !line)
        scf.yield %b : !line
      }
      gpu.barrier
      // expected-note @+1 {{after this access}}
      %x = memref.load %r[%i] : !line
    }
    gpu.return
  }
}

// -----

!line = memref<64xf32, #gpu.address_space<workgroup>>
!bytes = memref<256xi8, #gpu.address_space<workgroup>>

gpu.module @disagreed {
  // Each thread writes its own element, of the one or the other; some want what
  // was in %a.
  gpu.func @select(%v: f32, %w: f32, %out: memref<64xf32>) workgroup(%arena: !bytes) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c32 = arith.constant 32 : index
    %c = arith.cmpi ult, %t, %c32 : index
    %a = memref.view %arena[%c0][] {berth.buffer = 0} : !bytes to !line
    %b = memref.view %arena[%c0][] {berth.buffer = 1} : !bytes to !line
    memref.store %v, %a[%t] : !line
    gpu.barrier
    %r = arith.select %c, %a, %b : !line
    // expected-error @+2 {{there is a way here without a barrier}}
    // expected-note @+1 {{by this write}}
    memref.store %w, %r[%t] : !line
    gpu.barrier
    // expected-error @+1 {{may have been overwritten by another buffer's}}
    %y = affine.load %r[63 - %t] : !line
    memref.store %y, %out[%t] : memref<64xf32>
    gpu.return
  }
}
