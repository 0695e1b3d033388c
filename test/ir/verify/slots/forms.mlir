// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Numbers of slots as canonicalize writes them, of a loop that begins at FROM, and
// others that look alike.
// RUN: split-file %s %t
// RUN: %berth-opt %t/f.mlir --pass-pipeline='builtin.module(berth-verify)' -o %t.out
// DEFINE: %{change} =
// DEFINE: %{refused} = sed '%{change}' %t/f.mlir > %t.mlir && not %berth-opt %t.mlir --pass-pipeline='builtin.module(berth-verify)' -o %t.out 2>&1 | FileCheck %s
// CHECK: error: {{.*(slot|turn)}}
// REDEFINE: %{change} = s/#own = .*/#own = affine_map<(d0) -> (d0 floordiv 8 - ((d0 floordiv 8) floordiv 2) * 2 - 1)>/
// RUN: %{refused}
// REDEFINE: %{change} = s/#own = .*/#own = affine_map<(d0) -> (d0 floordiv 8 - ((d0 floordiv 8 - 1) floordiv 2) * 3 - 1)>/
// RUN: %{refused}
// REDEFINE: %{change} = s/#own = .*/#own = affine_map<(d0) -> (d0 floordiv 8 - ((d0 floordiv 8 - 2) floordiv 2) * 2 - 2)>/
// RUN: %{refused}
// REDEFINE: %{change} = s/#own = .*/#own = affine_map<(d0) -> ((d0 floordiv 8) mod 2)>/
// RUN: %{refused}
// REDEFINE: %{change} = s/constant 8 : index \/\/ from/constant 16 : index/
// RUN: %{refused}
// Below 0 affine maps round down, and arith to 0.
// RUN: sed 's/constant 8 : index \/\/ from/constant -16 : index/; s/#own = .*/#own = affine_map<(d0) -> ((d0 floordiv 8) mod 2)>/; s/#next = .*/#next = affine_map<(d0) -> ((d0 floordiv 8 + 3) mod 2)>/; s/constant 0 : index \/\/ back/constant 16 : index/' %t/f.mlir > %t.mlir
// RUN: %berth-opt %t.mlir --pass-pipeline='builtin.module(berth-verify)' -o %t.out
// RUN: sed 's/%k = .*/%k8 = arith.divsi %i, %c8 : index\n    %k = arith.remsi %k8, %c2 : index/' %t.mlir > %t.arith.mlir
// RUN: not %berth-opt %t.arith.mlir --pass-pipeline='builtin.module(berth-verify)' -o %t.out 2>&1 | FileCheck %s

//--- f.mlir
#own = affine_map<(d0) -> (d0 floordiv 8 - ((d0 floordiv 8 - 1) floordiv 2) * 2 - 1)>
#next = affine_map<(d0) -> ((d0 floordiv 8) mod 2)>
!slot = memref<8xf32, strided<[1], offset: ?>>
func.func @f(%x: memref<128xf32> {llvm.noalias, llvm.readonly}, %r: memref<8xf32> {llvm.noalias}) {
  %from = arith.constant 8 : index // from
  %back = arith.constant 0 : index // back
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c8 = arith.constant 8 : index
  %to = arith.constant 64 : index
  %slots = memref.alloc() {berth.slots = 2 : i64} : memref<2x8xf32>
  %first = memref.subview %slots[0, 0] [1, 8] [1, 1] : memref<2x8xf32> to memref<8xf32, strided<[1]>>
  %j = arith.addi %from, %back : index
  %p0 = memref.subview %x[%j] [8] [1] : memref<128xf32> to !slot
  memref.copy %p0, %first : !slot to memref<8xf32, strided<[1]>>
  %last = arith.subi %to, %c1 : index
  scf.for %i = %from to %to step %c8 {
    %k = affine.apply #own(%i)
    %slot = memref.subview %slots[%k, 0] [1, 8] [1, 1] : memref<2x8xf32> to !slot
    %rest = arith.subi %last, %i : index
    %left = arith.divui %rest, %c8 : index
    %more = arith.cmpi uge, %left, %c1 : index
    scf.if %more {
      %l = affine.apply #next(%i)
      %later = arith.addi %i, %c8 : index
      %at = arith.addi %later, %back : index
      %ahead = memref.subview %slots[%l, 0] [1, 8] [1, 1] : memref<2x8xf32> to !slot
      %p = memref.subview %x[%at] [8] [1] : memref<128xf32> to !slot
      memref.copy %p, %ahead : !slot to !slot
    }
    linalg.add ins(%slot, %slot : !slot, !slot) outs(%r : memref<8xf32>)
  }
  return
}
