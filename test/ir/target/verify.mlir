// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// berth-verify reads the description, too.

// RUN: not %berth-opt %s --allow-unregistered-dialect --pass-pipeline='builtin.module(berth-verify{target=%S/Inputs/npu.json})' 2>&1 | FileCheck %s --implicit-check-not=error:
// Of ops that it knows nothing of it must believe more.
// RUN: not %berth-opt %s --allow-unregistered-dialect --pass-pipeline='builtin.module(berth-verify)' 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// UNKNOWN: [[@LINE+10]]:3: error: reads a buffer whose bytes

func.func @right(%x: memref<64xi8>, %y: memref<64xi8>) {
  %arena = memref.alloc() {bufferization.manual_deallocation} : memref<64xi8>
  %c0 = arith.constant 0 : index
  %a = memref.view %arena[%c0][] {berth.buffer = 0 : i64} : memref<64xi8> to memref<64xi8>
  %b = memref.view %arena[%c0][] {berth.buffer = 1 : i64} : memref<64xi8> to memref<64xi8>
  "npu.add"(%x, %x, %a) : (memref<64xi8>, memref<64xi8>, memref<64xi8>) -> ()
  "npu.add"(%a, %x, %y) : (memref<64xi8>, memref<64xi8>, memref<64xi8>) -> ()
  "npu.add"(%x, %x, %b) : (memref<64xi8>, memref<64xi8>, memref<64xi8>) -> ()
  "npu.tick"(%a) : (memref<64xi8>) -> () // touches nothing
  "npu.add"(%b, %x, %y) : (memref<64xi8>, memref<64xi8>, memref<64xi8>) -> ()
  return
}

// What stands in a region of a described op is a part of it, also a stream that
// looks like a token.
func.func @stream(%x: memref<64xi8>, %y: memref<64xi8>) {
  %arena = memref.alloc() {bufferization.manual_deallocation} : memref<64xi8>
  %c0 = arith.constant 0 : index
  %a = memref.view %arena[%c0][] {berth.buffer = 0 : i64} : memref<64xi8> to memref<64xi8>
  %b = memref.view %arena[%c0][] {berth.buffer = 1 : i64} : memref<64xi8> to memref<64xi8>
  "npu.matmul"(%x, %a) <{operandSegmentSizes = array<i32: 1, 1>}> ({
  ^bb0(%in: !npu_kernel.stream, %out: !npu_kernel.stream):
    %s = "npu_kernel.step"(%in) : (!npu_kernel.stream) -> !npu_kernel.stream
    "npu_kernel.yield"(%s) : (!npu_kernel.stream) -> ()
  }) : (memref<64xi8>, memref<64xi8>) -> ()
  "npu.barrier"() : () -> ()
  "npu.add"(%a, %x, %y) : (memref<64xi8>, memref<64xi8>, memref<64xi8>) -> ()
  "npu.add"(%x, %x, %b) : (memref<64xi8>, memref<64xi8>, memref<64xi8>) -> ()
  "npu.add"(%b, %x, %y) : (memref<64xi8>, memref<64xi8>, memref<64xi8>) -> ()
  "npu.barrier"() : () -> ()
  return
}

func.func @wrong(%x: memref<64xi8>, %y: memref<64xi8>) {
  %arena = memref.alloc() {bufferization.manual_deallocation} : memref<64xi8>
  %c0 = arith.constant 0 : index
  %a = memref.view %arena[%c0][] {berth.buffer = 0 : i64} : memref<64xi8> to memref<64xi8>
  %b = memref.view %arena[%c0][] {berth.buffer = 1 : i64} : memref<64xi8> to memref<64xi8>
  "npu.add"(%x, %x, %a) : (memref<64xi8>, memref<64xi8>, memref<64xi8>) -> ()
  // CHECK: [[@LINE+3]]:3: error: reads a buffer whose bytes
  // CHECK: [[@LINE+1]]:3: note: by this write
  "npu.add"(%x, %x, %b) : (memref<64xi8>, memref<64xi8>, memref<64xi8>) -> ()
  "npu.add"(%a, %x, %y) : (memref<64xi8>, memref<64xi8>, memref<64xi8>) -> ()
  return
}

// Casts of views, which rewriting makes of foreign buffers, are the buffers.
func.func @cast(%x: memref<64xi8>, %y: memref<64xi8>) {
  %arena = memref.alloc() {bufferization.manual_deallocation} : memref<64xi8>
  %c0 = arith.constant 0 : index
  %v = memref.view %arena[%c0][] {berth.buffer = 0 : i64} : memref<64xi8> to memref<64xi8>
  %a = builtin.unrealized_conversion_cast %v : memref<64xi8> to !npu.window
  %w = memref.view %arena[%c0][] {berth.buffer = 1 : i64} : memref<64xi8> to memref<64xi8>
  %b = builtin.unrealized_conversion_cast %w : memref<64xi8> to !npu.window
  "npu.add"(%x, %x, %a) : (memref<64xi8>, memref<64xi8>, !npu.window) -> ()
  // CHECK: [[@LINE+3]]:3: error: reads a buffer whose bytes
  // CHECK: [[@LINE+1]]:3: note: by this write
  "npu.add"(%x, %x, %b) : (memref<64xi8>, memref<64xi8>, !npu.window) -> ()
  "npu.add"(%a, %x, %y) : (!npu.window, memref<64xi8>, memref<64xi8>) -> ()
  return
}
