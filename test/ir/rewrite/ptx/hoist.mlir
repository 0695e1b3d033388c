// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: llvm-22
// Sharing bytes need not cost alias facts. In both loops %scale and %mirror are
// read at one address while %sums and %copies are written.
//
// Each buffer a global of its own, LLVM reads once, in front of the loop:
// RUN: mlir-opt %s -o %t.printed
// RUN: awk -v instances=0 -f %S/../../../race/Inputs/globals.awk %t.printed > %t.unpacked
// RUN: %ptx %t.unpacked | FileCheck %s --check-prefixes=HOISTED,FOUR
// FOUR-COUNT-4: .shared .align 4
//
// In one arena the store could change what is read, as far as LLVM can see:
// RUN: %mlir-opt-berth %s --pass-pipeline='builtin.module(berth-arena)' -o %t.one
// RUN: %ptx %t.one | FileCheck %s --check-prefix=ONE
// ONE: .shared .align 16 {{.*}}[4608];
// ONE: Inner Loop Header
// ONE-NEXT: ld.shared
// ONE: st.shared
// ONE: ld.shared
// ONE: bar.sync
//
// In two arenas of as many bytes, %mirror with %scale and %copies with %sums, it
// reads once again:
// RUN: %mlir-opt-berth %s --pass-pipeline='builtin.module(berth-arena{split-arenas=true})' -o %t.two
// RUN: %ptx %t.two | FileCheck %s --check-prefixes=HOISTED,TWO
// RUN: %mlir-opt-berth %s --pass-pipeline='builtin.module(berth-arena{split-arenas=true arena=global})' -o %t.globals
// RUN: %ptx %t.globals | FileCheck %s --check-prefixes=HOISTED,TWO
// TWO-DAG: .shared .align 16 {{.*}}[4096];
// TWO-DAG: .shared .align 16 {{.*}}[512];
// HOISTED: bar.sync
// HOISTED: ld.shared
// HOISTED: Inner Loop Header
// HOISTED-NOT: ld.shared
// HOISTED: bar.sync
// HOISTED: ld.shared
// HOISTED: bar.sync
// HOISTED: ld.shared
// HOISTED: Inner Loop Header
// HOISTED-NOT: ld.shared
// HOISTED: bar.sync
//
// RUN: %shared-bytes --forms='attribution global' --options=split-arenas=true %s | FileCheck %s --check-prefix=BYTES
// BYTES: attribution: 4608 bytes in 2 parts
// BYTES: global: 4608 bytes in 2 parts

#workgroup = #gpu.address_space<workgroup>
gpu.module @kernels {
  gpu.func @kernel(%n: index, %in: memref<128xf32>, %out: memref<128xf32>) kernel
      attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c127 = arith.constant 127 : index
    %scale = memref.alloc() : memref<128xf32, #workgroup>
    %sums = memref.alloc() : memref<1024xf32, #workgroup>
    %mirror = memref.alloc() : memref<128xf32, #workgroup>
    %copies = memref.alloc() : memref<1024xf32, #workgroup>
    %t = gpu.thread_id x
    %r = arith.subi %c127, %t : index
    %x = memref.load %in[%t] : memref<128xf32>
    memref.store %x, %scale[%t] : memref<128xf32, #workgroup>
    gpu.barrier
    scf.for %i = %c0 to %n step %c1 {
      %a = memref.load %scale[%r] : memref<128xf32, #workgroup>
      %s = arith.addi %i, %t : index
      %f = arith.index_cast %i : index to i32
      %g = arith.sitofp %f : i32 to f32
      %ag = arith.mulf %a, %g : f32
      memref.store %ag, %sums[%s] : memref<1024xf32, #workgroup>
    }
    gpu.barrier
    %y = memref.load %sums[%r] : memref<1024xf32, #workgroup>
    gpu.barrier
    memref.store %y, %mirror[%t] : memref<128xf32, #workgroup>
    gpu.barrier
    scf.for %i = %c0 to %n step %c1 {
      %a = memref.load %mirror[%r] : memref<128xf32, #workgroup>
      %s = arith.addi %i, %t : index
      %f = arith.index_cast %i : index to i32
      %g = arith.sitofp %f : i32 to f32
      %ag = arith.mulf %a, %g : f32
      memref.store %ag, %copies[%s] : memref<1024xf32, #workgroup>
    }
    gpu.barrier
    %z = memref.load %copies[%r] : memref<1024xf32, #workgroup>
    memref.store %z, %out[%t] : memref<128xf32>
    gpu.return
  }
}
