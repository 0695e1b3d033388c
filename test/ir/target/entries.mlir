// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a description says that no op of the program has: it is told where it
// stands in the description, and what is true of it.

// RUN: split-file %s %t
// A function that is there occurs, called or not, and with a body it is refused.
// RUN: not %berth-opt %t/body.mlir --berth-target=%t/functions.json --pass-pipeline='builtin.module(berth-arena)' 2>&1 | FileCheck %s --check-prefix=BODY
// BODY: body.mlir:1:1: error: the target description ({{.*}}functions.json:3:3) tells what the function does, which has a body that tells it [berth-E198]
// RUN: %berth-opt %t/declared.mlir -o /dev/null --berth-target=%t/functions.json --remarks-filter='berth.*' --pass-pipeline='builtin.module(berth-arena)' 2>&1 | FileCheck %s --check-prefix=DECLARED --implicit-check-not=@work
// DECLARED: functions.json:2:3: remark: {{.*}}the target description tells of '@absent', which does not occur

// An entry that holds of no op, though ops of its name are there.
// RUN: %berth-opt %t/conditions.mlir --berth-target=%t/conditions.json --allow-unregistered-dialect --remarks-filter='berth.*' --pass-pipeline='builtin.module(berth-arena)' 2>&1 | FileCheck %s --check-prefix=NEVER --implicit-check-not=conditions.json:2:
// NEVER-DAG: conditions.json:3:3: remark: {{.*}}this entry of 'npu.dma' never applies: the one in line 2, column 3 comes first
// NEVER-DAG: conditions.json:4:3: remark: {{.*}}this entry of 'npu.dma' never applies: what it asks for with 'if' holds of none
// NEVER-DAG: conditions.json:6:3: remark: {{.*}}this entry of '@work' never applies: what it asks for with 'if' holds of none
// NEVER-DAG: conditions.json:7:3: remark: {{.*}}this entry of '@work' never applies: the one in line 5, column 3 comes first
// A condition on an operand that the call lacks.
// RUN: not %berth-opt %t/conditions.mlir --berth-target=%t/operand.json --allow-unregistered-dialect --pass-pipeline='builtin.module(berth-arena)' 2>&1 | FileCheck %s --check-prefix=OPERAND
// OPERAND: conditions.mlir:5:3: error: a condition of the target description ({{.*}}operand.json:1:16) names operand 3, which it does not have

// What an allocation tells where nothing is: of its size and its space nobody
// else tells, an alignment some ops of a name may leave out.
// RUN: not %berth-opt %t/alloc.mlir --berth-target=%t/space.json --allow-unregistered-dialect --pass-pipeline='builtin.module(berth-arena)' 2>&1 | FileCheck %s --check-prefix=SPACE
// SPACE: alloc.mlir:2:8: error: the target description ({{.*}}space.json:1:10) reads its memory space from the attribute 'mem', which it does not have [berth-E194]
// RUN: not %berth-opt %t/alloc.mlir --berth-target=%t/size.json --allow-unregistered-dialect --pass-pipeline='builtin.module(berth-arena)' 2>&1 | FileCheck %s --check-prefix=SIZE
// SIZE: alloc.mlir:2:8: error: the target description ({{.*}}size.json:1:10) reads its size from the attribute 'n', which it does not have [berth-E194]
// RUN: %berth-opt %t/alloc.mlir --berth-target=%t/alignment.json --allow-unregistered-dialect --remarks-filter='berth.*' --pass-pipeline='builtin.module(berth-arena)' 2>&1 | FileCheck %s --check-prefix=ALIGNMENT --implicit-check-not=alignment.json
// ALIGNMENT: alignment.json:1:10: remark: {{.*}}this entry of 'npu.alloc' reads the alignment from the attribute 'n', which none of these ops has

// Memories: a backing that nobody describes, and a text that names none.
// RUN: not %berth-opt %t/declared.mlir --berth-target=%t/backing.json --pass-pipeline='builtin.module(berth-arena)' 2>&1 | FileCheck %s --check-prefix=BACKING
// BACKING: backing.json:3:15: error: the backing 'DRAN' of memory 'L1' is none of 'memories': the nearest one is 'DRAM'
// RUN: not %berth-opt %t/declared.mlir --berth-target=%t/text.json --pass-pipeline='builtin.module(berth-arena)' 2>&1 | FileCheck %s --check-prefix=TEXT
// TEXT: text.json:1:15: error: space '[1]' is no name, nor the text of an attribute that types have as a memory space

// An op's own attribute tells one thing, the description another: each is named
// where it is to blame.
// RUN: not %berth-opt %t/both.mlir --berth-target=%t/both.json --allow-unregistered-dialect --pass-pipeline='builtin.module(berth-arena)' 2>&1 | FileCheck %s --check-prefix=BOTH
// BOTH: both.mlir:2:3: error: the target description ({{.*}}both.json:1:10) names operand 5, which it does not have

//--- functions.json
{"functions": [
  {"name": "absent"},
  {"name": "work", "reads": [0]}]}
//--- body.mlir
func.func @work(%x: memref<4xi8>) {
  return
}
//--- declared.mlir
func.func private @work(memref<4xi8>)
//--- conditions.json
{"ops": [
  {"name": "npu.dma", "reads": [0], "if": [{"attribute": "a"}]},
  {"name": "npu.dma", "writes": [0], "if": [{"attribute": "a"}, {"operand": 0, "space": "default"}]},
  {"name": "npu.dma", "if": [{"attribute": "b"}]}], "functions": [
  {"name": "work", "reads": [0], "if": [{"operand": 0, "space": "default"}]},
  {"name": "work", "if": [{"operand": 0, "space": "L1"}]},
  {"name": "work", "writes": [0]}]}
//--- operand.json
{"functions": [{"name": "work", "reads": [0], "if": [{"operand": 3, "space": "L1"}]}]}
//--- conditions.mlir
func.func private @work(memref<4xi8>)
func.func @f(%x: memref<4xi8>) {
  "npu.dma"(%x) {a} : (memref<4xi8>) -> ()
  "npu.dma"(%x) : (memref<4xi8>) -> ()
  call @work(%x) : (memref<4xi8>) -> ()
  return
}
//--- alloc.mlir
func.func @f() {
  %a = "npu.alloc"() : () -> memref<4xi8>
  return
}
//--- space.json
{"ops": [{"name": "npu.alloc", "allocates": {"space": {"attribute": "mem"}}}]}
//--- size.json
{"ops": [{"name": "npu.alloc", "allocates": {"size": {"attribute": "n"}}}]}
//--- alignment.json
{"ops": [{"name": "npu.alloc", "allocates": {"alignment": {"attribute": "n"}}}]}
//--- backing.json
{"memories": [{"space": "L3"}, {"space": "DRAM"},
 {"space": "L1", "capacity": 64, "backing":
   {"space":  "DRAN"}}]}
//--- text.json
{"memories": [{"space": "[1]"}]}
//--- both.json
{"ops": [{"name": "npu.dma", "reads": [5]}]}
//--- both.mlir
func.func @f(%x: memref<4xi8>) {
  "npu.dma"(%x) {berth.unit = "dma"} : (memref<4xi8>) -> ()
  return
}
