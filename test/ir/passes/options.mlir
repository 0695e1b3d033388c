// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: llvm-22
// Options that cannot be: one error each, before anything is done.

// DEFINE: %{option} =
// DEFINE: %{run} = not %mlir-opt-berth %s --pass-pipeline='builtin.module(func.func(berth-arena{%{option}}))' 2>&1 | FileCheck %s --implicit-check-not=error:

// REDEFINE: %{option} = packer=none
// RUN: %{run} --check-prefix=PACKER
// PACKER: error: berth-arena: no packer is called 'none'; there are {{.*}}first-fit{{.*}}auto
// REDEFINE: %{option} = space=somewhere
// RUN: %{run} --check-prefix=SPACE
// SPACE: error: berth-arena: space 'somewhere' is neither default, workgroup, private, tensor, gpu, a memory of the target description nor the text of an attribute
// REDEFINE: %{option} = report=plan.txt
// RUN: %{run} --check-prefix=REPORT
// REPORT: error: berth-arena: report 'plan.txt' ends in none of .json, .svg, .html
// REDEFINE: %{option} = report=-plan
// RUN: %{run} --check-prefix=REPORT-DASH
// REPORT-DASH: error: berth-arena: report '-plan' ends in none of .json, .svg, .html
// REDEFINE: %{option} = report=plan.json
// RUN: %{run} --check-prefix=REPORT-NESTED
// REPORT-NESTED: error: berth-arena: 'plan.json' is of a whole module: run the pass on that
// REDEFINE: %{option} = arena=somewhere
// RUN: %{run} --check-prefix=FORM
// FORM: error: berth-arena: arena 'somewhere' is none of auto, alloc, alloca, argument, global, attribution, dynamic, annotate
// REDEFINE: %{option} = barriers=some
// RUN: %{run} --check-prefix=BARRIERS
// BARRIERS: error: berth-arena: barriers 'some' is none of insert, existing, none
// REDEFINE: %{option} = arena=annotate barriers=insert
// RUN: %{run} --check-prefix=BOTH
// BOTH: error: barriers=insert changes code, arena=annotate does not: they exclude each other
// REDEFINE: %{option} = unknown-ops=some
// RUN: %{run} --check-prefix=UNKNOWN
// UNKNOWN: error: berth-arena: unknown-ops 'some' is none of use, keep, reject
// REDEFINE: %{option} = alignment=24
// RUN: %{run} --check-prefix=ALIGNMENT
// ALIGNMENT: error: berth-arena: alignment 24 is not a power of two
// REDEFINE: %{option} = capacity=-1
// RUN: %{run} --check-prefix=CAPACITY
// CAPACITY: error: berth-arena: capacity '-1': expected a positive number of bytes

// The file is written before the program is changed.
// RUN: not %mlir-opt-berth %s --mlir-print-ir-after-failure --pass-pipeline='builtin.module(berth-arena{report=%t.none/plan.json})' 2>&1 | FileCheck %s --check-prefix=FILE
// FILE: error: cannot write '{{.*}}plan.json': No such file or directory
// FILE: IR Dump After
// FILE: memref.alloc() : memref<16xf32>
// FILE-NOT: memref.view

// So is a plan that does not fit found out before.
// RUN: not %mlir-opt-berth %s --mlir-print-ir-after-failure --pass-pipeline='builtin.module(berth-arena{capacity=63})' 2>&1 | FileCheck %s --check-prefix=TIGHT
// TIGHT: error: the buffers do not fit: they need 64 bytes
// TIGHT: IR Dump After
// TIGHT: memref.alloc() : memref<16xf32>
// TIGHT-NOT: memref.view

// What a run needs to be repeated: a reproducer keeps every option. (mlir-opt
// writes the program behind the passes into it, so put it before them again.)
// RUN: %mlir-opt-berth %s --mlir-generate-reproducer=%t.repro.mlir -o %t.mlir --pass-pipeline='builtin.module(func.func(berth-arena{packer=greedy-by-size space="1 : i32" alignment=32 explain="%%a,%%b" in-place=false report=-}))'
// RUN: FileCheck %s --check-prefix=REPRODUCER < %t.repro.mlir
// RUN: cp %s %t.replay.mlir
// RUN: sed -n '/^{-#/,$p' %t.repro.mlir >> %t.replay.mlir
// RUN: %mlir-opt-berth --run-reproducer %t.replay.mlir -o %t.again.mlir
// RUN: diff %t.mlir %t.again.mlir
// RUN: FileCheck %s --check-prefix=AGAIN < %t.again.mlir
// REPRODUCER: pipeline: "builtin.module({{.*}}func.func(berth-arena{
// REPRODUCER-SAME: alignment=32
// REPRODUCER-SAME: explain={{.*}}a,%b
// REPRODUCER-SAME: in-place=false
// REPRODUCER-SAME: packer=greedy-by-size
// REPRODUCER-SAME: space={{.*}}1 : i32
// AGAIN: %[[ARENA:.*]] = memref.alloc() {alignment = 32 : i64, {{.*}}} : memref<64xi8, 1 : i32>
// AGAIN: memref.view %[[ARENA]]

// A failure's reproducer has the program as it was, and fails in the same way.
// RUN: not %mlir-opt-berth %s --mlir-pass-pipeline-crash-reproducer=%t.crash.mlir --pass-pipeline='builtin.module(berth-arena{capacity=63})' 2>&1 | FileCheck %s --check-prefix=CRASH
// RUN: not %mlir-opt-berth --run-reproducer %t.crash.mlir 2>&1 | FileCheck %s --check-prefix=CRASH
// CRASH: error: the buffers do not fit: they need 64 bytes{{.*}}the capacity is 63 bytes

func.func @f(%x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<16xf32>
  memref.store %x, %a[%c0] : memref<16xf32>
  %v = memref.load %a[%c0] : memref<16xf32>
  %b = memref.alloc() : memref<16xf32, 1 : i32>
  memref.store %x, %b[%c0] : memref<16xf32, 1 : i32>
  %w = memref.load %b[%c0] : memref<16xf32, 1 : i32>
  %sum = arith.addf %v, %w : f32
  return %sum : f32
}
