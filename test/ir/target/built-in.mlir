// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What Berth itself says of ops is a description, which may be printed and given
// back as one: that changes nothing, on no op.

// RUN: %berth-opt --print-op-descriptions > %t.json
// RUN: %python -c "import json,sys; d=json.load(open(sys.argv[1])); n=[o['name'] for o in d['ops']]; assert n==sorted(set(n)) and len(n)>200" %t.json
// RUN: %berth-opt %s --pass-pipeline='builtin.module(berth-print-liveness,gpu.module(gpu.func(berth-print-liveness)))' -o /dev/null 2> %t.own
// RUN: %berth-opt %s --pass-pipeline='builtin.module(berth-print-liveness{target=%t.json},gpu.module(gpu.func(berth-print-liveness{target=%t.json})))' -o /dev/null 2> %t.given
// RUN: diff %t.own %t.given
// RUN: %berth-opt %s --pass-pipeline='builtin.module(berth-arena,gpu.module(gpu.func(berth-arena)),berth-verify)' -o %t.own
// RUN: %berth-opt %s --pass-pipeline='builtin.module(berth-arena{target=%t.json},gpu.module(gpu.func(berth-arena{target=%t.json})),berth-verify{target=%t.json})' -o %t.given
// RUN: diff %t.own %t.given
// RUN: FileCheck %s < %t.given

!b = memref<64xf32>
!s = memref<64xf32, #gpu.address_space<workgroup>>

// CHECK-LABEL: func.func @host
// CHECK: memref<768xi8>
func.func @host(%x: !b, %y: !b) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %a = memref.alloc() : !b
  %b = memref.alloc() : !b
  %c = memref.alloc() : !b
  memref.copy %x, %a : !b to !b
  scf.parallel (%i) = (%c0) to (%c64) step (%c1) {
    %e = memref.load %a[%i] : !b
    memref.store %e, %b[%i] : !b
  }
  %token = async.execute {
    memref.copy %b, %c : !b to !b
    async.yield
  }
  memref.copy %a, %y : !b to !b
  async.await %token : !async.token
  memref.copy %c, %y : !b to !b
  return
}

gpu.module @kernels {
  // CHECK-LABEL: gpu.func @kernel
  // CHECK-SAME: memref<256xi8, #gpu.address_space<workgroup>>
  gpu.func @kernel(%x: !b, %y: !b) kernel {
    %id = gpu.thread_id x
    %a = memref.alloc() : !s
    %b = memref.alloc() : !s
    %c = memref.alloc() : !s
    %e = memref.load %x[%id] : !b
    memref.store %e, %a[%id] : !s
    gpu.barrier
    %f = memref.load %a[%id] : !s
    memref.store %f, %b[%id] : !s
    gpu.barrier
    %g = memref.load %b[%id] : !s
    memref.store %g, %c[%id] : !s
    gpu.barrier
    %h = memref.load %c[%id] : !s
    memref.store %h, %y[%id] : !b
    gpu.return
  }
}
