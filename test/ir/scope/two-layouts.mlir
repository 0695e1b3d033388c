// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: llvm-22
// One type, two data layouts: sizes that are kept are those of the layout, too.

// RUN: %berth-opt %s --pass-pipeline='builtin.module(berth-print-liveness)' -o /dev/null 2>&1 | FileCheck %s

// CHECK: memref<4xindex>, 32 bytes
func.func @wide() {
  %a = memref.alloc() : memref<4xindex>
  return
}

// CHECK: memref<4xindex>, 16 bytes
module @inner attributes {dlti.dl_spec = #dlti.dl_spec<index = 32>} {
  func.func @narrow() {
    %a = memref.alloc() : memref<4xindex>
    return
  }
}

// CHECK: memref<4xindex>, 32 bytes
func.func @again() {
  %a = memref.alloc() : memref<4xindex>
  return
}
