// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A foreign layout is never taken for dense: its bytes come from its text, by
// the description's rule, or from the allocation.

// RUN: %berth-opt %s --berth-target=%S/Inputs/npu.json --remarks-filter='berth.*' --pass-pipeline='builtin.module(berth-arena{space=L1 arena=annotate})' 2>&1 | FileCheck %s
// Views cannot have such layouts: a cast of the bytes has. Nobody else makes any.
// RUN: %berth-opt %s --berth-target=%S/Inputs/npu.json --pass-pipeline='builtin.module(berth-arena{space=L1})' | FileCheck %s --check-prefix=VIEWS
// VIEWS: %[[B:.*]] = memref.view %{{.*}} {berth.buffer = 1 : i64} : memref<{{.*}}xi8, "L1"> to memref<624xi8, "L1">
// VIEWS-NEXT: builtin.unrealized_conversion_cast %[[B]] : memref<624xi8, "L1"> to memref<8x16xi32, #tile.tiled<[8] -> (20), [2, 8] -> (8, 1)>, "L1">
// RUN: %berth-opt %s --berth-target=%S/Inputs/npu.json --pass-pipeline='builtin.module(berth-print-liveness{space=L1})' -o /dev/null 2>&1 | FileCheck %s --check-prefix=PRINT
// PRINT: not placed: its type, or its layout, is none that a view can have: use berth-arena

func.func @sizes(%x: memref<8x16xi32>) {
  // Dense, though in tiles: 128 elements of 4 bytes.
  // CHECK: [[@LINE+1]]:{{.*}}, 512 bytes
  %a = memref.alloc() : memref<8x16xi32, #tile.tiled<[8] -> (8), [2, 8] -> (64, 1)>, "L1">
  // With padding: 7 * 20 + 8 + 7 is the last element.
  // CHECK: [[@LINE+1]]:{{.*}}, 624 bytes
  %b = memref.alloc() : memref<8x16xi32, #tile.tiled<[8] -> (20), [2, 8] -> (8, 1)>, "L1">
  // CHECK: [[@LINE+1]]:{{.*}}, 512 bytes
  %c = memref.alloc() : memref<8x16xi32, #tile.dense, "L1">
  // The user's word.
  // CHECK: [[@LINE+1]]:{{.*}}, 700 bytes
  %d = memref.alloc() {berth.size = 700} : memref<8x16xi32, #tile.secret<1>, "L1">
  // CHECK: [[@LINE+1]]:{{.*}}not placed: its layout
  %e = memref.alloc() : memref<8x16xi32, #tile.secret<1>, "L1">
  // Not as many elements as the shape has.
  // CHECK: [[@LINE+1]]:{{.*}}not placed: its layout #tile.tiled<[8] -> (16), [8] -> (1)> is not bounds -> strides, as the target description has it (its bounds and its shape have different numbers of elements), and no berth.size tells its bytes
  %f = memref.alloc() : memref<8x16xi32, #tile.tiled<[8] -> (16), [8] -> (1)>, "L1">
  // More than bounds and strides.
  // CHECK: [[@LINE+1]]:{{.*}}not placed: its layout{{.*}}(each dimension needs
  %g = memref.alloc() : memref<8x16xi32, #tile.tiled<[8] -> (16), [16] -> (1), offset: 4>, "L1">
  // CHECK: [[@LINE+1]]:{{.*}}not placed: its layout{{.*}}(each dimension needs a list of bounds from 1 and one of as many strides from 0, all below 2^63 in bytes)
  %h = memref.alloc() : memref<8x16xi32, #tile.tiled<[8] -> (?), [16] -> (1)>, "L1">
  // CHECK: [[@LINE+1]]:{{.*}}not placed: its layout{{.*}}(each dimension needs
  %i = memref.alloc() : memref<8x16xi32, #tile.tiled<[8] -> (9223372036854775807), [16] -> (1)>, "L1">
  // CHECK: [[@LINE+1]]:{{.*}}not placed: its layout{{.*}}(each dimension needs
  %j = memref.alloc() : memref<8x16xi32, #tile.tiled<[8] -> (-16), [16] -> (1)>, "L1">
  // CHECK: [[@LINE+1]]:{{.*}}not placed: its layout #tile.tiled is not bounds -> strides, as the target description has it (it has no bounds and strides)
  %k = memref.alloc() : memref<8x16xi32, #tile.tiled, "L1">
  return
}
