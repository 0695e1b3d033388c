// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Moves as transfers: started as early and waited for as late as the space allows.

// RUN: split-file %s %t
// RUN: %berth-opt %t/f.mlir --pass-pipeline='builtin.module(berth-fit{space=default backing=1 capacity=512 recompute=0 transfers=dma})' | FileCheck %s --check-prefix=TIGHT
// RUN: %berth-opt %t/f.mlir --pass-pipeline='builtin.module(berth-fit{space=default backing=1 capacity=512 recompute=0 transfers=dma})' | %berth-opt --pass-pipeline='builtin.module(berth-verify,berth-arena{capacity=512},berth-arena{space=1},berth-verify)' -o %t.out
// RUN: %berth-opt %t/f.mlir --pass-pipeline='builtin.module(berth-fit{target=%t/npu.json})' | FileCheck %s --check-prefix=TIGHT
// RUN: %berth-opt %t/two.mlir --pass-pipeline='builtin.module(berth-fit{space=default backing=1 capacity=512 transfers=dma})' | FileCheck %s --check-prefix=BOTH
// RUN: %berth-opt %t/two.mlir --remarks-filter='berth-fit' --pass-pipeline='builtin.module(berth-fit{space=default backing=1 capacity=512 recompute=0 transfers=dma channels=1})' 2>&1 | FileCheck %s --check-prefix=ONE
// RUN: %berth-opt %t/again.mlir --pass-pipeline='builtin.module(berth-fit{space=default backing=1 capacity=140 transfers=dma})' | FileCheck %s --check-prefix=AGAIN
// RUN: %berth-opt %t/f.mlir --berth-target=%t/moves.json --remarks-filter=berth-fit --pass-pipeline='builtin.module(berth-fit,berth-verify)' 2>&1 | FileCheck %s --check-prefix=MOVES
// RUN: %berth-opt %t/f.mlir --berth-target=%t/moves.json --pass-pipeline='builtin.module(berth-fit{transfers=copy})' | FileCheck %s --check-prefix=COPIES
// RUN: %berth-opt %t/f.mlir --berth-target=%t/no-token.json --remarks-filter=berth-fit --pass-pipeline='builtin.module(berth-fit,berth-verify)' 2>&1 | FileCheck %s --check-prefix=NO-TOKEN
// RUN: not %berth-opt %t/f.mlir --pass-pipeline='builtin.module(berth-fit{target=%t/moves.json})' 2>&1 | FileCheck %s --check-prefix=DIALECT
// RUN: not %berth-opt %t/f.mlir --allow-unregistered-dialect --pass-pipeline='builtin.module(berth-fit{target=%t/token.json})' 2>&1 | FileCheck %s --check-prefix=TYPE
// TYPE: target: {{.*}}token.json:6:25: moves: 'npu.token' is no type [berth-E379]
// RUN: %berth-opt %t/f.mlir --berth-target=%t/unit.json --remarks-filter=berth-fit --pass-pipeline='builtin.module(berth-fit)' 2>&1 | FileCheck %s --check-prefix=UNIT
// UNIT: remark: [Missed] {{.*}}not fitted: units, cores, barriers or pending work are told of
// DIALECT: target: {{.*}}moves.json:6:25: moves: 'npu.dma' is of no dialect that is known: --allow-unregistered-dialect lets it be made
// RUN: not %berth-opt %t/f.mlir --pass-pipeline='builtin.module(berth-fit{space=default backing=1 capacity=512 transfers=mail})' 2>&1 | FileCheck %s --check-prefix=WORD
// WORD: transfers 'mail': expected copy or dma [berth-E184]
// RUN: not %berth-opt %t/f.mlir --pass-pipeline='builtin.module(berth-fit{target=%t/channels.json})' 2>&1 | FileCheck %s --check-prefix=CHANNELS
// CHANNELS: channels.json:3:62: channels

// The spill goes on beside the second reader. The fill has no room before the
// transposition is over: %c and %b fill the memory.
// TIGHT: linalg.exp {{.*}} outs(%[[A:[a-z_0-9]+]] :
// TIGHT: memref.dma_start %[[A]][{{[^]]*}}], %[[S:[a-z_0-9]+]][
// TIGHT-NEXT: linalg.exp ins(%[[A]]
// TIGHT-NEXT: memref.dma_wait {{.*}}{berth.move = 1
// TIGHT-NEXT: linalg.transpose
// TIGHT-NEXT: %[[A1:.*]] = memref.alloc
// TIGHT-NEXT: memref.dma_start %[[S]]{{.*}}, %[[A1]]
// TIGHT-NEXT: memref.dma_wait
// TIGHT-NEXT: linalg.add ins(%[[A1]]

// By an op that the description names, whose first operand is what it reads.
// MOVES: remark{{.*}}2 moves are transfers, of which 1 go on beside other ops
// MOVES: linalg.exp {{.*}} outs(%[[A:[a-z_0-9]+]] :
// MOVES: %[[T:.*]] = "npu.dma"(%[[A]], %[[S:[a-z_0-9]+]]) : (memref<8x8xf32>, memref<8x8xf32, 1>) -> !npu.token
// MOVES-NEXT: linalg.exp ins(%[[A]]
// MOVES-NEXT: "npu.wait"(%[[T]]) {berth.move = 1 : i64} : (!npu.token) -> ()
// MOVES: %[[A1:.*]] = memref.alloc
// MOVES-NEXT: %[[U:.*]] = "npu.dma"(%[[S]], %[[A1]])
// MOVES-NEXT: "npu.wait"(%[[U]])
// COPIES: memref.copy {{.*}} {berth.move = 1
// COPIES-NOT: npu
// Without a token it is over with the op. The entry that reads the second operand
// is for spills; fills are no such op's.
// NO-TOKEN: remark{{.*}}1 moves are copies: of them no entry
// NO-TOKEN: remark{{.*}}1 moves are made by the op that the description names
// NO-TOKEN: linalg.exp {{.*}} outs(%[[A:[a-z_0-9]+]] :
// NO-TOKEN-NEXT: linalg.exp ins(%[[A]]
// NO-TOKEN: %[[S:.*]] = memref.alloc
// NO-TOKEN-NEXT: "npu.put"(%[[S]], %[[A]]) {berth.move = 1 : i64}
// NO-TOKEN: memref.copy %[[S]], {{.*}} {berth.move = 1

//--- moves.json
{"ops": [{"name": "npu.dma", "reads": [0], "writes": [1], "copies": true, "token": 0},
         {"name": "npu.wait", "waits": [0]}],
 "memories": [
  {"space": "default", "capacity": 512,
   "backing": {"space": "1", "recompute": 0,
               "moves": {"op": "npu.dma", "token": "!npu.token", "wait": "npu.wait"}}},
  {"space": "1"}]}
//--- token.json
{"ops": [{"name": "npu.dma", "reads": [0], "writes": [1], "copies": true, "token": 0},
         {"name": "npu.wait", "waits": [0]}],
 "memories": [
  {"space": "default", "capacity": 512,
   "backing": {"space": "1", "recompute": 0,
               "moves": {"op": "npu.dma", "token": "npu.token", "wait": "npu.wait"}}},
  {"space": "1"}]}
//--- unit.json
{"ops": [{"name": "npu.put", "reads": [0], "writes": [1], "copies": true, "unit": "dma"}],
 "memories": [
  {"space": "default", "capacity": 512,
   "backing": {"space": "1", "recompute": 0, "moves": {"op": "npu.put"}}},
  {"space": "1"}]}
//--- no-token.json
{"ops": [{"name": "npu.put", "reads": [1], "writes": [0], "copies": true,
          "if": [{"operand": 0, "space": "1"}]}],
 "memories": [
  {"space": "default", "capacity": 512,
   "backing": {"space": "1", "recompute": 0, "moves": {"op": "npu.put"}}},
  {"space": "1"}]}
//--- npu.json
{"memories": [
  {"space": "default", "capacity": 512,
   "backing": {"space": "1", "transfers": "dma", "recompute": 0}},
  {"space": "1"}]}
//--- channels.json
{"memories": [
  {"space": "default", "capacity": 512,
   "backing": {"space": "1", "transfers": "dma", "channels": 0}},
  {"space": "1"}]}
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

// Of two tiles that there is room for one is brought while the other is worked on.
// BOTH: memref.dma_start %arg0
// BOTH: memref.dma_start %arg1
// BOTH: memref.dma_wait
// BOTH: linalg.exp
// BOTH: memref.dma_start %arg2
// BOTH: memref.dma_wait
// BOTH: linalg.exp
// BOTH: memref.dma_wait
// BOTH: linalg.exp
// ONE: 3 moves are transfers, of which 2 go on beside other ops
//--- two.mlir
func.func @two(%x: memref<8x8xf32, 1> {llvm.noalias, llvm.readonly}, %y: memref<8x8xf32, 1> {llvm.noalias, llvm.readonly}, %z: memref<8x8xf32, 1> {llvm.noalias, llvm.readonly}, %to: memref<8x8xf32, 1>) {
  %a = memref.alloc() : memref<8x8xf32>
  %b = memref.alloc() : memref<8x8xf32>
  %c = memref.alloc() : memref<8x8xf32>
  memref.copy %x, %a : memref<8x8xf32, 1> to memref<8x8xf32>
  memref.copy %y, %b : memref<8x8xf32, 1> to memref<8x8xf32>
  memref.copy %z, %c : memref<8x8xf32, 1> to memref<8x8xf32>
  linalg.exp ins(%a : memref<8x8xf32>) outs(%to : memref<8x8xf32, 1>)
  linalg.exp ins(%b : memref<8x8xf32>) outs(%to : memref<8x8xf32, 1>)
  linalg.exp ins(%c : memref<8x8xf32>) outs(%to : memref<8x8xf32, 1>)
  return
}
//--- again.mlir
// What an argument holds is copied again beside the transfer of other content,
// which changes nothing of it.
// AGAIN: memref.dma_start
// AGAIN: memref.dma_wait {{.*}}{berth.move = 2
// AGAIN: memref.copy %arg0, {{.*}} {berth.recompute = 1
// AGAIN: memref.dma_start
func.func @again(%x: memref<32xi32>, %z: memref<8xi32, 1>, %y: memref<8xi32, 1>) {
  %own = memref.alloc() : memref<32xi32>
  memref.copy %x, %own : memref<32xi32> to memref<32xi32>
  %m = memref.alloc() : memref<8xi32>
  linalg.copy ins(%z : memref<8xi32, 1>) outs(%m : memref<8xi32>)
  %part = memref.subview %own[4] [8] [1] : memref<32xi32> to memref<8xi32, strided<[1], offset: 4>>
  linalg.add ins(%m, %m : memref<8xi32>, memref<8xi32>) outs(%m : memref<8xi32>)
  linalg.copy ins(%part : memref<8xi32, strided<[1], offset: 4>>) outs(%y : memref<8xi32, 1>)
  linalg.copy ins(%m : memref<8xi32>) outs(%y : memref<8xi32, 1>)
  return
}
