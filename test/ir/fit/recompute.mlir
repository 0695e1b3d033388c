// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What leaves a memory that is too small need not be moved if the op that made it can
// do so again.

// RUN: %berth-opt %s --remarks-filter='berth-fit' --pass-pipeline='builtin.module(berth-fit{space=default backing=77 capacity=560})' 2> %t | FileCheck %s
// RUN: FileCheck %s --check-prefix=TELLS < %t
// RUN: %berth-opt %s --pass-pipeline='builtin.module(berth-fit{space=default backing=77 capacity=560},berth-arena{capacity=560},berth-arena{space=77})' -o /dev/null
// Off, and where it costs more than the moves.
// RUN: %berth-opt %s --pass-pipeline='builtin.module(berth-fit{space=default backing=77 capacity=560 recompute=0})' | FileCheck %s --check-prefix=OFF
// RUN: %berth-opt %s --pass-pipeline='builtin.module(berth-fit{space=default backing=77 capacity=560 recompute=3})' | FileCheck %s --check-prefix=OFF
// OFF-NOT: berth.recompute
// RUN: not %berth-opt %s --pass-pipeline='builtin.module(berth-fit{space=default backing=77 capacity=560 recompute=-2})' 2>&1 | FileCheck %s --check-prefix=PRICE
// RUN: not %berth-opt %s --pass-pipeline='builtin.module(berth-fit{space=default backing=77 capacity=560 fill=-1})' 2>&1 | FileCheck %s --check-prefix=FILL
// FILL: fill '-1': expected a whole number from 1 to 1048576 [berth-E078]
// PRICE: recompute '-2': expected a whole number from 0 to 1048576 [berth-E078]

#same = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (j)>

// TELLS: recompute.mlir:[[#@LINE+4]]:8: remark: {{.*}}256 bytes: in default 2 times, brought in 0 times, taken out 0 times; 0 uses in the slow memory; computed again 1 times
// TELLS: recompute.mlir:[[#@LINE+1]]:1: remark: {{.*}}fitted into 560 bytes of default, with a peak of 512: 0 bytes are brought in, 0 taken out and 0 touched in the slow memory, and 256 computed again; no fit costs less within the model
func.func @filled(%y: memref<8x8xf32, 77>) {
  %three = arith.constant 3.0 : f32
  %a = memref.alloc() : memref<8x8xf32>
  %b = memref.alloc() : memref<8x8xf32>
  %c = memref.alloc() : memref<8x8xf32>
  linalg.fill ins(%three : f32) outs(%a : memref<8x8xf32>)
  linalg.exp ins(%a : memref<8x8xf32>) outs(%b : memref<8x8xf32>)
  linalg.transpose ins(%b : memref<8x8xf32>) outs(%c : memref<8x8xf32>) permutation = [1, 0]
  linalg.add ins(%a, %c : memref<8x8xf32>, memref<8x8xf32>) outs(%y : memref<8x8xf32, 77>)
  return
}
// CHECK-LABEL: func.func @filled
// CHECK: linalg.transpose {{.*}} outs(%[[C:[^ ]*]] :
// CHECK-NEXT: %[[A:.*]] = memref.alloc() {alignment = 4 : i64, berth.content = [[N:[0-9]+]] : i64, berth.content_places = {{[0-9]+}} : i64} : memref<8x8xf32>
// CHECK-NEXT: linalg.fill {berth.recompute = [[N]] : i64} ins(%{{.*}} : f32) outs(%[[A]] :
// CHECK-NEXT: linalg.add ins(%[[A]], %[[C]]

// A broadcast reads the 32 bytes of a row in the memory behind.
// TELLS: recompute.mlir:[[#@LINE+1]]:1: remark: {{.*}}0 bytes are brought in, 0 taken out and 32 touched in the slow memory, and 256 computed again;
func.func @broadcast(%row: memref<8xf32, 77>, %y: memref<8x8xf32, 77>) {
  %a = memref.alloc() : memref<8x8xf32>
  %b = memref.alloc() : memref<8x8xf32>
  %c = memref.alloc() : memref<8x8xf32>
  linalg.broadcast ins(%row : memref<8xf32, 77>) outs(%a : memref<8x8xf32>) dimensions = [0]
  linalg.exp ins(%a : memref<8x8xf32>) outs(%b : memref<8x8xf32>)
  linalg.transpose ins(%b : memref<8x8xf32>) outs(%c : memref<8x8xf32>) permutation = [1, 0]
  linalg.add ins(%a, %c : memref<8x8xf32>, memref<8x8xf32>) outs(%y : memref<8x8xf32, 77>)
  return
}
// CHECK-LABEL: func.func @broadcast
// CHECK: linalg.broadcast ins(%{{.*}}) outs(%{{.*}}) dimensions = [0] {berth.recompute
// CHECK-NEXT: linalg.add

// Numbers of a byte made wide, by arithmetic that is no op of a name; the matrix is an
// argument that nobody writes in between.
func.func @dequantized(%q: memref<8x8xi8, 77>, %y: memref<8x8xf32, 77>) {
  %a = memref.alloc() : memref<8x8xf32>
  %b = memref.alloc() : memref<8x8xf32>
  %c = memref.alloc() : memref<8x8xf32>
  linalg.generic {indexing_maps = [#same, #same], iterator_types = ["parallel", "parallel"]} ins(%q : memref<8x8xi8, 77>) outs(%a : memref<8x8xf32>) {
  ^bb0(%in: i8, %out: f32):
    %f = arith.sitofp %in : i8 to f32
    linalg.yield %f : f32
  }
  linalg.exp ins(%a : memref<8x8xf32>) outs(%b : memref<8x8xf32>)
  linalg.transpose ins(%b : memref<8x8xf32>) outs(%c : memref<8x8xf32>) permutation = [1, 0]
  linalg.add ins(%a, %c : memref<8x8xf32>, memref<8x8xf32>) outs(%y : memref<8x8xf32, 77>)
  return
}
// CHECK-LABEL: func.func @dequantized
// CHECK: linalg.transpose
// CHECK: linalg.generic {{.*}} ins(%arg0 : {{.*}} attrs = {berth.recompute
// CHECK: linalg.add

// Not with an op that counts how often it runs, nor with one that adds to what is there, nor
// past one that writes what it read, or may.
func.func @impure(%x: memref<8x8xf32, 77>, %n: memref<f32, 77>, %y: memref<8x8xf32, 77>) {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<8x8xf32>
  %b = memref.alloc() : memref<8x8xf32>
  %c = memref.alloc() : memref<8x8xf32>
  linalg.generic {indexing_maps = [#same], iterator_types = ["parallel", "parallel"]} outs(%a : memref<8x8xf32>) {
  ^bb0(%out: f32):
    %f = memref.load %n[] : memref<f32, 77>
    %g = arith.addf %f, %f : f32
    memref.store %g, %n[] : memref<f32, 77>
    linalg.yield %f : f32
  }
  linalg.exp ins(%a : memref<8x8xf32>) outs(%b : memref<8x8xf32>)
  linalg.transpose ins(%b : memref<8x8xf32>) outs(%c : memref<8x8xf32>) permutation = [1, 0]
  linalg.add ins(%a, %c : memref<8x8xf32>, memref<8x8xf32>) outs(%y : memref<8x8xf32, 77>)
  return
}
// CHECK-LABEL: func.func @impure
// CHECK-NOT: berth.recompute
func.func @added(%row: memref<8xf32, 77>, %y: memref<8x8xf32, 77>) {
  %zero = arith.constant 0.0 : f32
  %a = memref.alloc() : memref<8x8xf32>
  %b = memref.alloc() : memref<8x8xf32>
  %c = memref.alloc() : memref<8x8xf32>
  linalg.fill ins(%zero : f32) outs(%a : memref<8x8xf32>)
  linalg.generic {indexing_maps = [#row, #same], iterator_types = ["parallel", "parallel"]} ins(%row : memref<8xf32, 77>) outs(%a : memref<8x8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %f = arith.addf %in, %out : f32
    linalg.yield %f : f32
  }
  linalg.exp ins(%a : memref<8x8xf32>) outs(%b : memref<8x8xf32>)
  linalg.transpose ins(%b : memref<8x8xf32>) outs(%c : memref<8x8xf32>) permutation = [1, 0]
  linalg.add ins(%a, %c : memref<8x8xf32>, memref<8x8xf32>) outs(%y : memref<8x8xf32, 77>)
  return
}
// CHECK-LABEL: func.func @added
// CHECK-NOT: berth.recompute
func.func @written(%row: memref<8xf32, 77>, %other: memref<8xf32, 77>, %y: memref<8x8xf32, 77>) {
  %a = memref.alloc() : memref<8x8xf32>
  %b = memref.alloc() : memref<8x8xf32>
  %c = memref.alloc() : memref<8x8xf32>
  linalg.broadcast ins(%row : memref<8xf32, 77>) outs(%a : memref<8x8xf32>) dimensions = [0]
  linalg.exp ins(%a : memref<8x8xf32>) outs(%b : memref<8x8xf32>)
  linalg.transpose ins(%b : memref<8x8xf32>) outs(%c : memref<8x8xf32>) permutation = [1, 0]
  linalg.exp ins(%row : memref<8xf32, 77>) outs(%other : memref<8xf32, 77>)
  linalg.add ins(%a, %c : memref<8x8xf32>, memref<8x8xf32>) outs(%y : memref<8x8xf32, 77>)
  return
}
// CHECK-LABEL: func.func @written
// CHECK-NOT: berth.recompute

// A buffer that it reads has to be there, because the op that wants the content reads it too.
func.func @beside(%x: memref<8x8xf32, 77>, %y: memref<8x8xf32, 77>) {
  %zero = arith.constant 0.0 : f32
  %p = memref.alloc() : memref<8xf32>
  %a = memref.alloc() : memref<8x8xf32>
  %b = memref.alloc() : memref<8x8xf32>
  %c = memref.alloc() : memref<8x8xf32>
  linalg.fill ins(%zero : f32) outs(%p : memref<8xf32>)
  linalg.generic {indexing_maps = [#same, #row], iterator_types = ["reduction", "parallel"]} ins(%x : memref<8x8xf32, 77>) outs(%p : memref<8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %f = arith.addf %in, %out : f32
    linalg.yield %f : f32
  }
  linalg.broadcast ins(%p : memref<8xf32>) outs(%a : memref<8x8xf32>) dimensions = [0]
  linalg.exp ins(%a : memref<8x8xf32>) outs(%b : memref<8x8xf32>)
  linalg.transpose ins(%b : memref<8x8xf32>) outs(%c : memref<8x8xf32>) permutation = [1, 0]
  linalg.exp ins(%c : memref<8x8xf32>) outs(%y : memref<8x8xf32, 77>)
  linalg.generic {indexing_maps = [#row, #same, #same], iterator_types = ["parallel", "parallel"]} ins(%p, %a : memref<8xf32>, memref<8x8xf32>) outs(%y : memref<8x8xf32, 77>) {
  ^bb0(%in: f32, %in2: f32, %out: f32):
    %f = arith.addf %in, %in2 : f32
    linalg.yield %f : f32
  }
  return
}
// CHECK-LABEL: func.func @beside
// CHECK: linalg.transpose
// CHECK: linalg.broadcast ins(%[[P:[^ ]*]] :{{.*}} outs(%[[A:[^ ]*]] :{{.*}} {berth.recompute
// CHECK-NEXT: linalg.generic {{.*}} ins(%[[P]], %[[A]] :

// What it is made of would be gone: it lives on for that, if there is room for it, and
// else the content moves.
// TELLS: recompute.mlir:[[#@LINE+1]]:1: remark: {{.*}}fitted into 560 bytes of default, with a peak of 544: 0 bytes are brought in, 0 taken out and 0 touched in the slow memory, and 256 computed again
func.func @prolonged(%x: memref<8xf32, 77>, %y: memref<8x8xf32, 77>) {
  %row = memref.alloc() : memref<8xf32>
  %a = memref.alloc() : memref<8x8xf32>
  %b = memref.alloc() : memref<8x8xf32>
  %c = memref.alloc() : memref<8x8xf32>
  linalg.exp ins(%x : memref<8xf32, 77>) outs(%row : memref<8xf32>)
  linalg.broadcast ins(%row : memref<8xf32>) outs(%a : memref<8x8xf32>) dimensions = [0]
  linalg.exp ins(%a : memref<8x8xf32>) outs(%b : memref<8x8xf32>)
  linalg.transpose ins(%b : memref<8x8xf32>) outs(%c : memref<8x8xf32>) permutation = [1, 0]
  linalg.add ins(%a, %c : memref<8x8xf32>, memref<8x8xf32>) outs(%y : memref<8x8xf32, 77>)
  return
}
// CHECK-LABEL: func.func @prolonged
// CHECK: linalg.broadcast ins(%[[ROW:[^ ]*]] :
// CHECK: linalg.broadcast ins(%[[ROW]] :{{.*}} {berth.recompute
func.func @no_room(%x: memref<16xf32, 77>, %y: memref<16x4xf32, 77>) {
  %row = memref.alloc() : memref<16xf32>
  %a = memref.alloc() : memref<16x4xf32>
  %b = memref.alloc() : memref<16x4xf32>
  %c = memref.alloc() : memref<16x4xf32>
  linalg.exp ins(%x : memref<16xf32, 77>) outs(%row : memref<16xf32>)
  linalg.broadcast ins(%row : memref<16xf32>) outs(%a : memref<16x4xf32>) dimensions = [1]
  linalg.exp ins(%a : memref<16x4xf32>) outs(%b : memref<16x4xf32>)
  linalg.copy ins(%b : memref<16x4xf32>) outs(%c : memref<16x4xf32>)
  linalg.add ins(%b, %c : memref<16x4xf32>, memref<16x4xf32>) outs(%c : memref<16x4xf32>)
  linalg.add ins(%a, %c : memref<16x4xf32>, memref<16x4xf32>) outs(%y : memref<16x4xf32, 77>)
  return
}
// CHECK-LABEL: func.func @no_room
// CHECK-NOT: berth.recompute
// CHECK: memref.copy {{.*}}{berth.move
