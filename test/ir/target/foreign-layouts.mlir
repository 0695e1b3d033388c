// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Layouts, types, attributes and ops of a dialect that nobody links come back
// as they went in, from berth-opt and from a stock mlir-opt.

// RUN: %berth-opt %s --berth-target=%S/Inputs/npu.json --mlir-print-op-generic > %t.berth
// RUN: FileCheck %s < %t.berth
// RUN: env BERTH_TARGET=%S/Inputs/npu.json mlir-opt --load-dialect-plugin=%berth_plugin %s --mlir-print-op-generic > %t.stock
// RUN: diff %t.berth %t.stock
// RUN: %berth-opt %t.berth --berth-target=%S/Inputs/npu.json --mlir-print-op-generic > %t.again
// RUN: diff %t.berth %t.again
// RUN: env BERTH_TARGET=%S/Inputs/npu.json %berth-opt %s --mlir-print-op-generic > %t.env
// RUN: diff %t.berth %t.env
// Stock passes leave the layouts alone.
// RUN: %berth-opt %s --berth-target=%S/Inputs/npu.json --canonicalize --cse --mlir-print-op-generic | FileCheck %s --check-prefix=KEPT
// Without a description it does not parse; so it was nothing of MLIR's.
// RUN: not %berth-opt %s --allow-unregistered-dialect 2>&1 | FileCheck %s --check-prefix=STOCK
// STOCK: multiple memory spaces specified
// Nor with the plugin's passes alone, which says so.
// RUN: not env BERTH_TARGET=%S/Inputs/npu.json mlir-opt --load-pass-plugin=%berth_plugin %s --allow-unregistered-dialect 2>&1 | FileCheck %s --check-prefix=ALONE
// ALONE: multiple memory spaces specified
// ALONE: BerthPlugin: BERTH_TARGET was not read, {{.*}}: give --load-dialect-plugin, too
// RUN: not env BERTH_TARGET=%S/Inputs/npu.json mlir-opt --load-pass-plugin=%berth_plugin %s 2>&1 | FileCheck %s --check-prefix=UNREGISTERED
// UNREGISTERED: attribute created with unregistered dialect
// UNREGISTERED: BerthPlugin: BERTH_TARGET was not read, {{.*}}: give --load-dialect-plugin, too
// Half of what it takes is told apart, too.
// RUN: not mlir-opt --load-dialect-plugin=%berth_plugin %s 2>&1 | FileCheck %s --check-prefix=NONE
// NONE: BerthPlugin: BERTH_TARGET must name a target description
// RUN: not env BERTH_TARGET=%t.none mlir-opt --load-dialect-plugin=%berth_plugin %s 2>&1 | FileCheck %s --check-prefix=GONE
// GONE: BerthPlugin: {{.*}}.none: cannot open: No such file or directory
// RUN: not %mlir-opt-berth %s --allow-unregistered-dialect 2>&1 | FileCheck %s --check-prefix=UNTOLD
// UNTOLD: multiple memory spaces specified
// UNTOLD: BerthPlugin: no pass of Berth was reached. {{.*}} only with --load-dialect-plugin beside --load-pass-plugin, and with BERTH_TARGET{{.*}} [berth-E440]

// CHECK: "func.func"
// CHECK-SAME: memref<8x8xi8, #tile.tiled<[2, 8] -> (128, 8), [8] -> (1)>, "L1">
// CHECK-SAME: memref<4xi8, #npu.space<near, "a > b">>
func.func @f(%x: memref<8x8xi8, #tile.tiled<[2, 8] -> (128, 8), [8] -> (1)>, "L1">,
             %y: memref<4xi8, #npu.space<near, "a > b">>) {
  // KEPT: memref.alloc
  // KEPT-SAME: memref<16xf32, #tile.dense, "L1">
  %a = memref.alloc() : memref<16xf32, #tile.dense, "L1">
  // CHECK: "npu.matmul"
  // CHECK: mode = #npu.mode<fast, [1, 2]>
  "npu.matmul"(%x, %a) ({
  ^bb0(%s: !npu.stream<i8>):
    %t = "npu_kernel.mac"(%s) {n = #npu_kernel.n : i32} : (!npu.stream<i8>) -> !npu.stream<i8>
    "npu.yield"(%t) : (!npu.stream<i8>) -> ()
  }) {mode = #npu.mode<fast, [1, 2]>, operandSegmentSizes = array<i32: 1, 1>} : (memref<8x8xi8, #tile.tiled<[2, 8] -> (128, 8), [8] -> (1)>, "L1">, memref<16xf32, #tile.dense, "L1">) -> ()
  return
}
