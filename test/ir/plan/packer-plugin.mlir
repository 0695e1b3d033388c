// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A packer of one's own: in a process of its own, or in this one. Whatever it
// does in its process, there is a verified plan or one error, and no change.

// DEFINE: %{option} =
// DEFINE: %{run} = %mlir-opt-berth %s --pass-pipeline='builtin.module(func.func(berth-arena{report=- %{option}}))' 2>&1

// REDEFINE: %{option} = packer-plugin=%plugins/honest.so
// RUN: %{run} | FileCheck %s --check-prefix=PROCESS
// PROCESS: "packer": "plugin"
// PROCESS: memref.alloc() {{.*}}: memref<128xi8>
// REDEFINE: %{option} = packer-plugin=%plugins/honest.so isolation=none
// RUN: %{run} | FileCheck %s --check-prefix=NONE
// NONE: "packer": "test-honest"
// NONE: memref.alloc() {{.*}}: memref<128xi8>
// REDEFINE: %{option} = packer-plugin=%plugins/older.so isolation=none
// RUN: %{run} | FileCheck %s --check-prefix=OLDER
// OLDER: "packer": "test-older"

// DEFINE: %{bad} = not %mlir-opt-berth %s --pass-pipeline='builtin.module(func.func(berth-arena{%{option}}))' 2>&1 | FileCheck %s --implicit-check-not=128xi8

// REDEFINE: %{option} = packer-plugin=%plugins/crash.so
// RUN: %{bad} --check-prefix=CRASH
// CRASH: error: {{.*}}plugin '{{.*}}crash.so'
// REDEFINE: %{option} = packer-plugin=%plugins/quit.so
// RUN: %{bad} --check-prefix=QUIT
// QUIT: error: {{.*}}plugin '{{.*}}quit.so' ended without an answer
// REDEFINE: %{option} = packer-plugin=%plugins/overlap.so
// RUN: %{bad} --check-prefix=OVERLAP
// OVERLAP: error: {{.*}}is wrong
// REDEFINE: %{option} = packer-plugin=%plugins/overlap.so isolation=none
// RUN: %{bad} --check-prefix=LIE
// LIE: error: {{.*}}the plan of packer 'test-overlap' is wrong
// REDEFINE: %{option} = packer-plugin=%plugins/fail.so isolation=none
// RUN: %{bad} --check-prefix=FAIL
// FAIL: error: {{.*}}packer 'test-fail' failed
// REDEFINE: %{option} = packer-plugin=%plugins/none.so
// RUN: %{bad} --check-prefix=MISSING
// MISSING: error: {{.*}}none.so
// REDEFINE: %{option} = packer-plugin=%plugins/none.so isolation=none
// RUN: %{bad} --check-prefix=MISSING
// REDEFINE: %{option} = packer-plugin=%plugins/small.so isolation=none
// RUN: %{bad} --check-prefix=SMALL
// SMALL: error: berth-arena: cannot load packer plugin '{{.*}}small.so': its packer's struct is too small
// REDEFINE: %{option} = packer-plugin=%plugins/honest.so packer=first-fit
// RUN: %{bad} --check-prefix=BOTH
// BOTH: error: berth-arena: packer and packer-plugin both name a packer
// REDEFINE: %{option} = isolation=some
// RUN: %{bad} --check-prefix=ISOLATION
// ISOLATION: error: berth-arena: isolation 'some' is neither process nor none


func.func @sum(%x: i8, %y: i8) -> i8 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<64xi8>
  linalg.fill ins(%x : i8) outs(%a : memref<64xi8>)
  %b = memref.alloc() : memref<64xi8>
  linalg.fill ins(%y : i8) outs(%b : memref<64xi8>)
  %v = memref.load %a[%c0] : memref<64xi8>
  %w = memref.load %b[%c0] : memref<64xi8>
  %r = arith.addi %v, %w : i8
  return %r : i8
}
