// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The chip's limits, named by the option or by the gpu.module's target.
//
// A barrier is bought for one more resident workgroup, and for nothing less:
// with 1024 threads two fit, whatever they take up to 82 KiB.
// RUN: %mlir-opt-berth %s --pass-pipeline='builtin.module(berth-arena{report=- chip=sm_80})' 2>%t.json | FileCheck %s
// RUN: FileCheck %s --check-prefix=REPORT < %t.json
// REPORT: "scope": "steps"{{.*}}"bytes_after": 1016,
// REPORT-SAME: "barriers": {"inserted": 0, "curve": [{"barriers": 0, "cost": 0, "bytes": 1016, "resident": 2}, {"barriers": 1, "cost": 16, "bytes": 1000, "resident": 2}]},
// REPORT-SAME: "chip": {"name": "sm_80", "static_limit": 49152, "dynamic_limit": 166912, "granule": 128, "banks": 32, "bank_width": 4, "other_bytes": 0, "resident": 2}
// REPORT: "scope": "large"{{.*}}"bytes_after": 40960,
// REPORT-SAME: "barriers": {"inserted": 1, "curve": [{"barriers": 0, "cost": 0, "bytes": 61440, "resident": 0}, {"barriers": 1, "cost": 1, "bytes": 40960, "resident": 3}]}
// REPORT-SAME: "other_bytes": 256,
// CHECK: gpu.func @steps
// CHECK-COUNT-3: gpu.barrier
// CHECK-NOT: gpu.barrier
// CHECK: gpu.func @large
//
// Without a chip the least bytes, as ever.
// RUN: %mlir-opt-berth %s -o /dev/null --pass-pipeline='builtin.module(berth-arena{report=-})' 2>&1 | FileCheck %s --check-prefix=NONE
// NONE: "bytes_after": 1000,
// NONE-SAME: "barriers": {"inserted": 1, "curve": [{"barriers": 0, "cost": 0, "bytes": 1016}, {"barriers": 1, "cost": 16, "bytes": 1000}]}
// NONE-NOT: "chip"
// The module's target, also with a letter of features; not two that differ, nor
// an unknown one; one that is left out is the dialect's own.
// RUN: sed 's/gpu.module @kernels/gpu.module @kernels [#nvvm.target<chip = "sm_90a">]/' %s | %mlir-opt-berth -o /dev/null --pass-pipeline='builtin.module(berth-arena{report=-})' 2>&1 | FileCheck %s --check-prefix=SM90
// SM90: "chip": {"name": "sm_90", "static_limit": 49152, "dynamic_limit": 232448,
// RUN: sed 's/gpu.module @kernels/gpu.module @kernels [#rocdl.target<O = 3, chip = "gfx950">]/' %s | %mlir-opt-berth -o /dev/null --pass-pipeline='builtin.module(berth-arena{report=-})' 2>&1 | FileCheck %s --check-prefix=GFX
// GFX: "chip": {"name": "gfx950", "static_limit": 163840, "dynamic_limit": 163840, "granule": 1280,
// RUN: sed 's/gpu.module @kernels/gpu.module @kernels [#rocdl.target]/' %s | %mlir-opt-berth -o /dev/null --pass-pipeline='builtin.module(berth-arena{report=-})' 2>&1 | FileCheck %s --check-prefix=PRESET
// PRESET: "chip": {"name": "gfx900",
// RUN: sed 's/gpu.module @kernels/gpu.module @kernels [#nvvm.target<chip = "sm_90">, #nvvm.target<chip = "sm_80">]/' %s | %mlir-opt-berth -o /dev/null --pass-pipeline='builtin.module(berth-arena{report=-})' 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: sed 's/gpu.module @kernels/gpu.module @kernels [#nvvm.target<chip = "sm_99">]/' %s | %mlir-opt-berth -o /dev/null --pass-pipeline='builtin.module(berth-arena{report=-})' 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: not %mlir-opt-berth %s --pass-pipeline='builtin.module(berth-arena{chip=sm_99})' 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// UNKNOWN: error: berth-arena: chip 'sm_99' is none that is known: sm_75, sm_80,
//
// Above the limits a remark, and what to do.
// RUN: %mlir-opt-berth %s -o /dev/null --remarks-filter='berth.*' --pass-pipeline='builtin.module(berth-arena{chip=gfx90a barriers=existing})' 2>&1 | FileCheck %s --check-prefix=FITS
// FITS-NOT: shared memory are declared
// RUN: %mlir-opt-berth %s -o /dev/null --remarks-filter='berth.*' --pass-pipeline='builtin.module(berth-arena{chip=sm_120 barriers=existing})' 2>&1 | FileCheck %s --check-prefix=STATIC
// STATIC: 61696 bytes of shared memory are declared, and on sm_120 no more than 49152 can be: use arena=dynamic
// RUN: sed 's/2560xf64/16384xf64/' %s | %mlir-opt-berth -o /dev/null --remarks-filter='berth.*' --pass-pipeline='builtin.module(berth-arena{chip=sm_120})' 2>&1 | FileCheck %s --check-prefix=DYNAMIC
// DYNAMIC: 393472 bytes of shared memory, and a workgroup on sm_120 has no more than 101376
//
// Other launchers are told what to ask for.
// RUN: sed '/^  gpu.func @large/,$d' %s > %t.mlir && echo '}' >> %t.mlir
// RUN: sed 's/= memref.alloc() : memref<125xf32/= memref.alloc() {alignment = 128} : memref<125xf32/' %t.mlir | %mlir-opt-berth -o /dev/null --remarks-filter='berth.*' --pass-pipeline='builtin.module(berth-arena{arena=dynamic report=-})' 2>&1 | FileCheck %s --check-prefix=LAUNCH
// LAUNCH: "bytes_after": 1012, "alignment": 128{{.*}}"launch_bytes": 1124
// LAUNCH: launches that do not stand in this module have to ask for 1124 bytes of dynamic shared memory

#workgroup = #gpu.address_space<workgroup>

gpu.module @kernels {
  // A barrier in a loop of 100 turns would save 16 bytes of 1016. Nothing is
  // known of %n, or the bytes that threads touch would tell that there is no
  // need of one.
  gpu.func @steps(%x: f32, %n: index, %out: memref<1024xf32>) kernel
      attributes {known_block_size = array<i32: 1024, 1, 1>} {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c100 = arith.constant 100 : index
    scf.for %i = %c0 to %c100 step %c1 {
      %a = memref.alloc() : memref<125xf32, #workgroup>
      %b = memref.alloc() : memref<125xf32, #workgroup>
      %c = memref.alloc() : memref<4xf32, #workgroup>
      memref.store %x, %c[%n] : memref<4xf32, #workgroup>
      gpu.barrier
      %v = memref.load %c[%n] : memref<4xf32, #workgroup>
      memref.store %v, %a[%n] : memref<125xf32, #workgroup>
      gpu.barrier
      %u = memref.load %a[%n] : memref<125xf32, #workgroup>
      memref.store %u, %b[%n] : memref<125xf32, #workgroup>
      gpu.barrier
      %w = memref.load %b[%n] : memref<125xf32, #workgroup>
      %z = memref.load %a[%n] : memref<125xf32, #workgroup>
      memref.store %w, %out[%t] : memref<1024xf32>
      memref.store %z, %out[%t] : memref<1024xf32>
    }
    gpu.return
  }

  gpu.func @large(%x: f64, %n: index, %out: memref<1024xf64>)
      workgroup(%mine: memref<32xf64, #workgroup>) kernel
      attributes {known_block_size = array<i32: 256, 1, 1>} {
    %t = gpu.thread_id x
    %a = memref.alloc() : memref<2560xf64, #workgroup>
    %b = memref.alloc() : memref<2560xf64, #workgroup>
    %c = memref.alloc() : memref<2560xf64, #workgroup>
    memref.store %x, %a[%n] : memref<2560xf64, #workgroup>
    %v = memref.load %a[%n] : memref<2560xf64, #workgroup>
    memref.store %v, %b[%n] : memref<2560xf64, #workgroup>
    %w = memref.load %b[%n] : memref<2560xf64, #workgroup>
    %y = memref.load %a[%n] : memref<2560xf64, #workgroup>
    memref.store %w, %c[%n] : memref<2560xf64, #workgroup>
    %z = memref.load %c[%n] : memref<2560xf64, #workgroup>
    memref.store %z, %out[%t] : memref<1024xf64>
    memref.store %y, %out[%t] : memref<1024xf64>
    gpu.return
  }
}
