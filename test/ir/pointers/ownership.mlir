// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the deallocation passes leave behind does not keep buffers alive, nothing
// that is placed is freed, and what decides on that is gone.

// RUN: %mlir_lib/../bin/mlir-opt --ownership-based-buffer-deallocation %s | %berth-opt --berth-arena=report=- 2>%t.json | FileCheck %s --check-prefix=RAW
// RUN: FileCheck %s --check-prefix=REPORT < %t.json
// RUN: %mlir_lib/../bin/mlir-opt --buffer-deallocation-pipeline %s | %berth-opt --berth-arena=report=- 2>%t.json | FileCheck %s --check-prefix=LOWERED
// RUN: FileCheck %s --check-prefix=REPORT < %t.json

func.func private @use(memref<16xf32>)

// The arena itself is the only thing that goes; what the function was given
// stays in the decision.
// RAW-LABEL: func.func @f
// RAW: memref.alloc() {{.*}}manual_deallocation
// RAW: bufferization.dealloc (%{{[^,]*}}, %{{[^,]*}} : memref<f32>, memref<f32>)
// RAW-NEXT: memref.dealloc %alloc {
// LOWERED-LABEL: func.func @f
// LOWERED: memref.alloc() {{.*}}manual_deallocation
// LOWERED-NOT: memref.dealloc %{{.*}} : memref<{{.*}}f32>
// LOWERED-NOT: @dealloc_helper
// LOWERED-NOT: extract_aligned_pointer_as_index
// LOWERED: memref.dealloc %alloc {
// LOWERED-NEXT: return
// REPORT: "scope": "f"
// REPORT-SAME: "bytes_after": 192
func.func @f(%c: i1, %x: memref<16xf32>, %out: memref<16xf32>) {
  %a = memref.alloc() : memref<16xf32>
  memref.copy %x, %a : memref<16xf32> to memref<16xf32>
  %r = scf.if %c -> memref<16xf32> {
    %b = memref.alloc() : memref<16xf32>
    memref.copy %a, %b : memref<16xf32> to memref<16xf32>
    scf.yield %b : memref<16xf32>
  } else {
    scf.yield %a : memref<16xf32>
  }
  %d = memref.alloc() : memref<16xf32>
  memref.copy %r, %d : memref<16xf32> to memref<16xf32>
  %s = arith.select %c, %d, %r : memref<16xf32>
  call @use(%s) : (memref<16xf32>) -> ()
  memref.copy %d, %out : memref<16xf32> to memref<16xf32>
  %e = memref.alloc() : memref<16xf32>
  memref.copy %d, %e : memref<16xf32> to memref<16xf32>
  memref.copy %e, %out : memref<16xf32> to memref<16xf32>
  return
}
