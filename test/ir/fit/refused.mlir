// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What cannot be fitted is named, and nothing is changed.

// RUN: split-file %s %t
// RUN: not %berth-opt %t/operands.mlir --pass-pipeline='builtin.module(berth-fit{space=default backing=77 capacity=256})' 2>&1 | FileCheck %s --check-prefix=OPERANDS
// OPERANDS: operands.mlir:4:3: error: what this op uses has to be in default together with what stays there: 512 bytes, the capacity is 256; 512 bytes are enough
// OPERANDS: note: %alloc with 256 bytes, %alloc_0 with 256 bytes
// RUN: %berth-opt %t/operands.mlir --remarks-filter='berth-fit' --pass-pipeline='builtin.module(berth-fit{space=default backing=77 capacity=256 must-fit=false})' 2>&1 | FileCheck %s --check-prefix=NEAR
// NEAR: remark: [Missed] {{.*}}512 bytes, the capacity is 256
// Where sizes are rounded up to the alignment, the last one is not.
// RUN: not %berth-opt %t/aligned.mlir --pass-pipeline='builtin.module(berth-fit{space=default backing=77 capacity=32})' 2>&1 | FileCheck %s --check-prefix=ALIGNED
// ALIGNED: aligned.mlir:5:3: error: {{.*}}: 80 bytes, the capacity is 32; 80 bytes are enough{{$| \[}}
// RUN: %berth-opt %t/aligned.mlir -o %t/out --pass-pipeline='builtin.module(berth-fit{space=default backing=77 capacity=80})'
// RUN: not %berth-opt %t/aligned.mlir --pass-pipeline='builtin.module(berth-fit{space=default backing=77 capacity=79})' 2>&1 | FileCheck %s --check-prefix=FEWER
// FEWER: aligned.mlir:5:3: error: {{.*}}: 80 bytes, the capacity is 79; 80 bytes are enough{{$| \[}}
// RUN: %berth-opt %t/stays.mlir --remarks-filter='berth-fit' --allow-unregistered-dialect --pass-pipeline='builtin.module(berth-fit{space=default backing=77 capacity=512})' 2>&1 | FileCheck %s --check-prefix=STAYS
// STAYS: stays.mlir:2:8: remark: [Missed] {{.*}}stays in default whenever it is live: an op does something else with it than to read or write it (arith.select at line 9)
// RUN: %berth-opt %t/parallel.mlir --remarks-filter='berth-fit' --pass-pipeline='builtin.module(berth-fit{space=default backing=77 capacity=8})' 2>&1 | FileCheck %s --check-prefix=PARALLEL
// PARALLEL: parallel.mlir:4:3: remark: [Missed] {{.*}}not fitted: iterations run at the same time
// RUN: not %berth-opt %t/operands.mlir --pass-pipeline='builtin.module(berth-fit)' 2>&1 | FileCheck %s --check-prefix=NONE
// NONE: berth-fit: neither 'space' nor a memory of a target description with a 'backing' says what to fit into
// RUN: not %berth-opt %t/operands.mlir --pass-pipeline='builtin.module(berth-fit{space=default capacity=4})' 2>&1 | FileCheck %s --check-prefix=BEHIND
// BEHIND: backing: nothing says which memory lies behind 'default'
// RUN: not %berth-opt %t/operands.mlir --pass-pipeline='builtin.module(berth-fit{space=default backing=default capacity=4})' 2>&1 | FileCheck %s --check-prefix=SAME
// SAME: backing: 'default' is the memory itself
// RUN: not %berth-opt %t/operands.mlir --pass-pipeline='builtin.module(berth-fit{target=%t/no-capacity.json})' 2>&1 | FileCheck %s --check-prefix=CAPACITY
// CAPACITY: no-capacity.json:1:{{.*}}memory 'L1' has a backing, but no 'capacity'
// RUN: not %berth-opt %t/operands.mlir --pass-pipeline='builtin.module(berth-fit{target=%t/latency.json})' 2>&1 | FileCheck %s --check-prefix=LATENCY
// LATENCY: latency.json:2:41: a latency of 9 needs a 'bandwidth'
// RUN: not %berth-opt %t/operands.mlir --pass-pipeline='builtin.module(berth-fit{target=%t/bandwidth.json})' 2>&1 | FileCheck %s --check-prefix=BANDWIDTH
// BANDWIDTH: bandwidth.json:2:43: bandwidth
// RUN: not %berth-opt %t/operands.mlir --pass-pipeline='builtin.module(berth-fit{space=default backing=77 capacity=4 latency=3})' 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// UNKNOWN: latency: nothing says the bandwidth of 'default'
// Memories in the wrong order, or in a circle; a limit of transfers where there are
// none; moves for nothing.
// RUN: not %berth-opt %t/operands.mlir --pass-pipeline='builtin.module(berth-fit{target=%t/order.json})' 2>&1 | FileCheck %s --check-prefix=ORDER
// ORDER: memories: '77' lies behind 'default' and is listed before it: list the fastest first
// RUN: not %berth-opt %t/operands.mlir --pass-pipeline='builtin.module(berth-fit{target=%t/circle.json})' 2>&1 | FileCheck %s --check-prefix=CIRCLE
// CIRCLE: backing: 'default' lies behind '77', which lies behind it
// RUN: not %berth-opt %t/operands.mlir --pass-pipeline='builtin.module(berth-fit{space=default backing=77 capacity=256 channels=2})' 2>&1 | FileCheck %s --check-prefix=CHANNELS
// CHANNELS: channels '2': content moves by copies
// RUN: not %berth-opt %t/operands.mlir --pass-pipeline='builtin.module(berth-fit{space=default backing=77 capacity=256 fill=0})' 2>&1 | FileCheck %s --check-prefix=FREE
// FREE: fill '0': expected a whole number from 1 to 1048576
// RUN: %berth-opt %t/operands.mlir --remarks-filter='berth-fit' --pass-pipeline='builtin.module(berth-fit{space=7 backing=77 capacity=256})' 2>&1 | FileCheck %s --check-prefix=EMPTY
// EMPTY: remark: [Missed] {{.*}}nothing to fit: no function allocates anything in 7
// What nobody uses has a place in an arena if that is bound; else it goes.
// RUN: not %berth-opt %t/unused.mlir --pass-pipeline='builtin.module(berth-fit{space=default backing=77 capacity=64})' 2>&1 | FileCheck %s --check-prefix=UNUSED
// UNUSED: unused.mlir:4:8: error: {{.*}}128 bytes, the capacity is 64
// UNUSED: note: %alloc_0 with 128 bytes (stays: nothing uses it)
// RUN: sed 's/ {berth.pin = 0 : i64}//' %t/unused.mlir > %t/unbound.mlir
// RUN: %berth-opt %t/unbound.mlir --pass-pipeline='builtin.module(berth-fit{space=default backing=77 capacity=64})' | FileCheck %s --check-prefix=UNBOUND
// UNBOUND-NOT: memref<32xi32>
// What stays has one place; while nobody wants its content, others may have it.
// RUN: %berth-opt %t/one-place.mlir --pass-pipeline='builtin.module(berth-fit{space=default backing=77 capacity=128},berth-arena{capacity=128})' | FileCheck %s --check-prefix=PLACE
// PLACE: memref.alloc() {{.*}}memref<128xi8>
// RUN: not %berth-opt %t/one-place.mlir --pass-pipeline='builtin.module(berth-fit{space=default backing=77 capacity=127})' 2>&1 | FileCheck %s --check-prefix=ONE
// ONE: one-place.mlir:6:3: error: {{.*}}128 bytes, the capacity is 127; 128 bytes are enough{{$| \[}}

//--- order.json
{"memories": [{"space": "77", "capacity": 300, "backing": {"space": "78"}},
  {"space": "default", "capacity": 256, "backing": {"space": "77"}}, {"space": "78"}]}
//--- circle.json
{"memories": [{"space": "default", "capacity": 256, "backing": {"space": "77"}},
  {"space": "77", "capacity": 4096, "backing": {"space": "default"}}]}
//--- no-capacity.json
{"memories": [{"space": "L1", "backing": {"space": "L3"}}]}
//--- latency.json
{"memories": [{"space": "L1", "capacity": 8,
  "backing": {"space": "L3", "latency": 9}}]}
//--- bandwidth.json
{"memories": [{"space": "L1", "capacity": 8,
  "backing": {"space": "L3", "bandwidth": 0}}]}
//--- operands.mlir
func.func @operands(%x: memref<8x8xf32, 77>, %y: memref<8x8xf32, 77>) {
  %a = memref.alloc() : memref<8x8xf32>
  %b = memref.alloc() : memref<8x8xf32>
  linalg.transpose ins(%a : memref<8x8xf32>) outs(%b : memref<8x8xf32>) permutation = [1, 0]
  linalg.transpose ins(%b : memref<8x8xf32>) outs(%y : memref<8x8xf32, 77>) permutation = [1, 0]
  return
}
//--- stays.mlir
func.func @stays(%x: memref<8x8xf32, 77>, %y: memref<8x8xf32, 77>, %p: i1) {
  %a = memref.alloc() : memref<8x8xf32>
  %b = memref.alloc() : memref<8x8xf32>
  %c = memref.alloc() : memref<8x8xf32>
  linalg.exp ins(%x : memref<8x8xf32, 77>) outs(%c : memref<8x8xf32>)
  linalg.transpose ins(%c : memref<8x8xf32>) outs(%y : memref<8x8xf32, 77>) permutation = [1, 0]
  linalg.exp ins(%x : memref<8x8xf32, 77>) outs(%a : memref<8x8xf32>)
  linalg.exp ins(%x : memref<8x8xf32, 77>) outs(%b : memref<8x8xf32>)
  %s = arith.select %p, %a, %b : memref<8x8xf32>
  linalg.add ins(%x, %s : memref<8x8xf32, 77>, memref<8x8xf32>) outs(%y : memref<8x8xf32, 77>)
  linalg.add ins(%a, %b : memref<8x8xf32>, memref<8x8xf32>) outs(%y : memref<8x8xf32, 77>)
  linalg.add ins(%c, %x : memref<8x8xf32>, memref<8x8xf32, 77>) outs(%y : memref<8x8xf32, 77>)
  return
}
//--- parallel.mlir
func.func @parallel(%y: memref<8x8xf32, 77>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.parallel (%i) = (%c0) to (%c1) step (%c1) {
    %a = memref.alloc() : memref<8x8xf32>
    linalg.transpose ins(%a : memref<8x8xf32>) outs(%y : memref<8x8xf32, 77>) permutation = [1, 0]
  }
  return
}
//--- unused.mlir
func.func @unused(%k: i32, %c: index) -> i32 {
  %a = memref.alloc() : memref<16xi32>
  linalg.fill ins(%k : i32) outs(%a : memref<16xi32>)
  %b = memref.alloc() {berth.pin = 0 : i64} : memref<32xi32>
  %v = memref.load %a[%c] : memref<16xi32>
  return %v : i32
}
//--- one-place.mlir
func.func @one_place(%k: i32, %y: memref<4x4xi32, 77>) {
  %a = memref.alloc() : memref<4x4xi32>
  %t = memref.transpose %a (i, j) -> (j, i) : memref<4x4xi32> to memref<4x4xi32, strided<[1, 4]>>
  linalg.fill ins(%k : i32) outs(%a : memref<4x4xi32>)
  %b = memref.alloc() : memref<4x4xi32>
  linalg.fill ins(%k : i32) outs(%b : memref<4x4xi32>)
  linalg.add ins(%a, %b : memref<4x4xi32>, memref<4x4xi32>) outs(%y : memref<4x4xi32, 77>)
  %c = memref.alloc() : memref<4x4xi32>
  linalg.fill ins(%k : i32) outs(%c : memref<4x4xi32>)
  linalg.add ins(%b, %c : memref<4x4xi32>, memref<4x4xi32>) outs(%y : memref<4x4xi32, 77>)
  linalg.fill ins(%k : i32) outs(%a : memref<4x4xi32>)
  linalg.sub ins(%a, %c : memref<4x4xi32>, memref<4x4xi32>) outs(%y : memref<4x4xi32, 77>)
  linalg.sub ins(%t, %a : memref<4x4xi32, strided<[1, 4]>>, memref<4x4xi32>) outs(%y : memref<4x4xi32, 77>)
  return
}
//--- aligned.mlir
func.func @f(%x: memref<4xf32, 77>, %y: memref<4xf32, 77>) {
  %a = memref.alloc() {alignment = 64} : memref<4xf32>
  %b = memref.alloc() {alignment = 64} : memref<4xf32>
  linalg.exp ins(%x : memref<4xf32, 77>) outs(%a : memref<4xf32>)
  linalg.exp ins(%a : memref<4xf32>) outs(%b : memref<4xf32>)
  linalg.add ins(%a, %b : memref<4xf32>, memref<4xf32>) outs(%y : memref<4xf32, 77>)
  return
}
