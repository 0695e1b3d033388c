// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which functions have their arenas in one global (global-sharing), and where there.

// RUN: split-file %s %t
// DEFINE: %{how} = entry
// DEFINE: %{file} = two
// DEFINE: %{share} = %berth-opt %t/%{file}.mlir --remarks-filter=berth-arena --pass-pipeline='builtin.module(berth-arena{arena=global in-place=false global-sharing=%{how}},berth-verify)' 2> %t/remarks | FileCheck %t/%{file}.mlir
// RUN: %{share} --check-prefix=ENTRY
// RUN: FileCheck %t/two.mlir --check-prefix=SAYS-ENTRY < %t/remarks
// REDEFINE: %{how} = all
// RUN: %{share} --check-prefix=ALL
// RUN: FileCheck %t/two.mlir --check-prefix=SAYS-ALL < %t/remarks
// REDEFINE: %{file} = unseen
// RUN: %{share}
// REDEFINE: %{file} = text
// RUN: %{share}
// REDEFINE: %{file} = modules
// RUN: %{share}
// REDEFINE: %{how} = none
// REDEFINE: %{file} = two
// RUN: %{share} --check-prefix=NONE

// DEFINE: %{options} = arena=global global-sharing=some
// DEFINE: %{refused} = not %berth-opt %t/two.mlir -o %t/out --pass-pipeline='builtin.module(berth-arena{%{options}})' 2>&1 | FileCheck %s
// RUN: %{refused} --check-prefix=WORD
// REDEFINE: %{options} = global-sharing=all
// RUN: %{refused} --check-prefix=FORM
// REDEFINE: %{options} = arena=global split-arenas=true global-sharing=entry
// RUN: %{refused} --check-prefix=FORM
// WORD: global-sharing 'some': expected none, entry or all
// FORM: global-sharing={{all|entry}} is for arena=global without split-arenas
// RUN: not %berth-opt %t/recursive.mlir -o %t/out --pass-pipeline='builtin.module(berth-arena{arena=global global-sharing=all})' 2>&1 | FileCheck %s --check-prefix=RECURSIVE
// RECURSIVE: error: arena=global: the function may call itself

//--- two.mlir
// @both is reached by two that others call, at a time perhaps, and @nobodys by none.
// NONE-COUNT-5: memref.global
// SAYS-ENTRY: in an arena of 128 bytes instead of 64 {{.*}}, the first 32 of which are its callers'
// SAYS-ENTRY-NOT: global-sharing=
// ENTRY-DAG: memref.global "private" @berth_arena_f : memref<128xi8> {{.*}}alignment = 64
// ENTRY-DAG: memref.global "private" @berth_arena_g : memref<32xi8>
// ENTRY-DAG: memref.global "private" @berth_arena_both : memref<32xi8>
// ENTRY-DAG: memref.global "private" @berth_arena_nobodys : memref<32xi8>
// ENTRY-NOT: memref.global
// SAYS-ALL: remark{{.*}}global-sharing=all: the public functions of the module have their arenas in one global, as if no two threads
// ALL: memref.global "private" @berth_arena : memref<128xi8> {{.*}}alignment = 64
// ALL-NOT: memref.global
// ALL-LABEL: @below
// ALL: %[[B:.*]] = memref.get_global @berth_arena : memref<128xi8>
// ALL: %[[AT:.*]] = arith.constant 64 : index
// ALL: memref.view %[[B]][%[[AT]]]
// Above both of its callers.
// ALL-LABEL: @both
// ALL: arith.constant 32 : index
// ALL: memref.view
// ALL-LABEL: @nobodys
// ALL: %[[Z:.*]] = arith.constant 0 : index
// ALL: memref.view %{{.*}}[%[[Z]]]
// ALL-LABEL: @f(
func.func private @below(%d: memref<16xf32>) {
  %a = memref.alloc() {alignment = 64} : memref<16xf32>
  linalg.exp ins(%d : memref<16xf32>) outs(%a : memref<16xf32>)
  linalg.exp ins(%a : memref<16xf32>) outs(%d : memref<16xf32>)
  return
}
func.func private @both(%d: memref<8xf32>) {
  %a = memref.alloc() : memref<8xf32>
  linalg.exp ins(%d : memref<8xf32>) outs(%a : memref<8xf32>)
  linalg.exp ins(%a : memref<8xf32>) outs(%d : memref<8xf32>)
  return
}
func.func private @nobodys(%d: memref<8xf32>) {
  %a = memref.alloc() : memref<8xf32>
  linalg.exp ins(%d : memref<8xf32>) outs(%a : memref<8xf32>)
  linalg.exp ins(%a : memref<8xf32>) outs(%d : memref<8xf32>)
  return
}
func.func @f(%d: memref<8xf32>, %e: memref<16xf32>) {
  %a = memref.alloc() : memref<8xf32>
  linalg.exp ins(%d : memref<8xf32>) outs(%a : memref<8xf32>)
  call @below(%e) : (memref<16xf32>) -> ()
  call @both(%a) : (memref<8xf32>) -> ()
  linalg.exp ins(%a : memref<8xf32>) outs(%d : memref<8xf32>)
  return
}
func.func @g(%d: memref<8xf32>) {
  %a = memref.alloc() : memref<8xf32>
  linalg.exp ins(%d : memref<8xf32>) outs(%a : memref<8xf32>)
  call @both(%a) : (memref<8xf32>) -> ()
  linalg.exp ins(%a : memref<8xf32>) outs(%d : memref<8xf32>)
  return
}

//--- unseen.mlir
// Who is not seen may call @g while @f is under way, and @f while that is.
// CHECK: memref.global "private" @berth_arena : memref<64xi8>
// CHECK-NOT: memref.global
// CHECK-LABEL: @f
// CHECK: %[[AT:.*]] = arith.constant [[F:0|32]] : index
// CHECK: memref.view %{{.*}}[%[[AT]]]
// CHECK-LABEL: @g
// CHECK: %[[AT2:.*]] = arith.constant
// CHECK-NOT: constant [[F]] : index
// CHECK: memref.view %{{.*}}[%[[AT2]]]
func.func private @ext()
func.func @f(%d: memref<8xf32>) {
  %a = memref.alloc() : memref<8xf32>
  linalg.exp ins(%d : memref<8xf32>) outs(%a : memref<8xf32>)
  call @ext() : () -> ()
  linalg.exp ins(%a : memref<8xf32>) outs(%d : memref<8xf32>)
  return
}
func.func @g(%d: memref<8xf32>) {
  %a = memref.alloc() : memref<8xf32>
  linalg.exp ins(%d : memref<8xf32>) outs(%a : memref<8xf32>)
  linalg.exp ins(%a : memref<8xf32>) outs(%d : memref<8xf32>)
  return
}

//--- text.mlir
// Code in text may call a public function too.
// CHECK: memref.global "private" @berth_arena : memref<64xi8>
func.func @f(%d: memref<8xf32>) {
  %a = memref.alloc() : memref<8xf32>
  linalg.exp ins(%d : memref<8xf32>) outs(%a : memref<8xf32>)
  llvm.inline_asm has_side_effects "call g", "~{memory}" : () -> ()
  linalg.exp ins(%a : memref<8xf32>) outs(%d : memref<8xf32>)
  return
}
func.func @g(%d: memref<8xf32>) {
  %a = memref.alloc() : memref<8xf32>
  linalg.exp ins(%d : memref<8xf32>) outs(%a : memref<8xf32>)
  linalg.exp ins(%a : memref<8xf32>) outs(%d : memref<8xf32>)
  return
}

//--- modules.mlir
// A module has its own.
// CHECK: memref.global "private" @berth_arena : memref<32xi8>
// CHECK: module @inner
// CHECK: memref.global "private" @berth_arena : memref<64xi8>
func.func @f(%d: memref<8xf32>) {
  %a = memref.alloc() : memref<8xf32>
  linalg.exp ins(%d : memref<8xf32>) outs(%a : memref<8xf32>)
  linalg.exp ins(%a : memref<8xf32>) outs(%d : memref<8xf32>)
  return
}
module @inner {
  func.func @g(%d: memref<16xf32>) {
    %a = memref.alloc() : memref<16xf32>
    linalg.exp ins(%d : memref<16xf32>) outs(%a : memref<16xf32>)
    linalg.exp ins(%a : memref<16xf32>) outs(%d : memref<16xf32>)
    return
  }
}

//--- recursive.mlir
func.func private @again(%p: i1, %d: memref<8xf32>) {
  %a = memref.alloc() : memref<8xf32>
  linalg.exp ins(%d : memref<8xf32>) outs(%a : memref<8xf32>)
  scf.if %p {
    func.call @again(%p, %a) : (i1, memref<8xf32>) -> ()
  }
  linalg.exp ins(%a : memref<8xf32>) outs(%d : memref<8xf32>)
  return
}
