// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What moves take besides their bytes counts: at 3 a byte it is dearer to make %a
// again (768, and 256 to read %x) than to take it out and bring it in (512), but not
// if each of the two moves takes as long as 400 bytes more.

// RUN: split-file %s %t
// RUN: %berth-opt %t/f.mlir --pass-pipeline='builtin.module(berth-fit{space=default backing=1 capacity=512 recompute=3})' | FileCheck %s --check-prefix=BYTES
// RUN: %berth-opt %t/f.mlir --pass-pipeline='builtin.module(berth-fit{space=default backing=1 capacity=512 recompute=3 bandwidth=4})' | FileCheck %s --check-prefix=BYTES
// RUN: %berth-opt %t/f.mlir --pass-pipeline='builtin.module(berth-fit{space=default backing=1 capacity=512 recompute=3 bandwidth=4 latency=100})' | FileCheck %s --check-prefix=LATENCY
// RUN: %berth-opt %t/f.mlir --pass-pipeline='builtin.module(berth-fit{target=%t/npu.json recompute=3})' | FileCheck %s --check-prefix=LATENCY
// RUN: %berth-opt %t/f.mlir --remarks-filter='berth-fit' --pass-pipeline='builtin.module(berth-fit{target=%t/npu.json recompute=0})' 2>&1 | FileCheck %s --check-prefix=TIME
// TIME: 256 bytes are brought in, 256 taken out and 0 touched in the slow memory, in 2 moves that take 328 units of time; no fit

// BYTES-COUNT-2: berth.move = 1
// LATENCY-NOT: berth.move
// LATENCY: linalg.exp {berth.recompute = 1 : i64} ins(%arg0
//--- f.mlir
func.func @f(%x: memref<8x8xf32, 1>, %y: memref<8x8xf32, 1>) {
  %a = memref.alloc() : memref<8x8xf32>
  %b = memref.alloc() : memref<8x8xf32>
  %c = memref.alloc() : memref<8x8xf32>
  linalg.exp ins(%x : memref<8x8xf32, 1>) outs(%a : memref<8x8xf32>)
  linalg.exp ins(%a : memref<8x8xf32>) outs(%b : memref<8x8xf32>)
  linalg.transpose ins(%b : memref<8x8xf32>) outs(%c : memref<8x8xf32>) permutation = [1, 0]
  linalg.add ins(%a, %c : memref<8x8xf32>, memref<8x8xf32>) outs(%y : memref<8x8xf32, 1>)
  return
}

//--- npu.json
{"memories": [
  {"space": "default", "capacity": 512,
   "backing": {"space": "1", "bandwidth": 4, "latency": 100}},
  {"space": "1"}]}
