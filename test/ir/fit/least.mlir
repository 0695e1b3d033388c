// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How many bytes are enough is the least wherever it is not said that fewer may be,
// whatever the capacity; and what is named adds up to it.

// RUN: split-file %s %t
// A slice is what a loop has to have, be there room for it or not.
// RUN: not %berth-opt %t/slices.mlir --pass-pipeline='builtin.module(berth-fit{space=default backing=77 capacity=16})' 2>&1 | FileCheck %s --check-prefix=SLICES
// SLICES: slices.mlir:9:3: error: {{.*}}: 96 bytes, the capacity is 16; 96 bytes are enough{{$| \[}}
// SLICES: note: %alloc with 64 bytes, %alloc_0 with a tile of 32 bytes{{$}}
// RUN: not %berth-opt %t/slices.mlir --pass-pipeline='builtin.module(berth-fit{space=default backing=77 capacity=95})' 2>&1 | FileCheck %s --check-prefix=NEARLY
// NEARLY: slices.mlir:9:3: error: {{.*}}: 96 bytes, the capacity is 95; 96 bytes are enough{{$| \[}}
// RUN: %berth-opt %t/slices.mlir -o %t/out --pass-pipeline='builtin.module(berth-fit{space=default backing=77 capacity=96})'
// Where ops may work on the memory behind, not even that.
// RUN: not %berth-opt %t/slices.mlir --pass-pipeline='builtin.module(berth-fit{space=default backing=77 capacity=63 access=2})' 2>&1 | FileCheck %s --check-prefix=TOUCHED
// TOUCHED: slices.mlir:{{.*}}: error: {{.*}}: 64 bytes, the capacity is 63; 64 bytes are enough{{$| \[}}
// TOUCHED: note: %alloc with 64 bytes (an op needs it
// RUN: %berth-opt %t/slices.mlir -o %t/out --pass-pipeline='builtin.module(berth-fit{space=default backing=77 capacity=64 access=2})'
// No sum of sizes lies between 256 and 320 bytes, so no fit costs less in 319.
// RUN: %berth-opt %t/slices.mlir -o %t/out --remarks-filter=berth-fit --pass-pipeline='builtin.module(berth-fit{space=default backing=77 capacity=319})' 2>&1 | FileCheck %s --check-prefix=BOUND
// BOUND: fitted into 319 bytes of default, {{.*}}; no fit costs less within the model
// What stays is not there while nobody wants its content.
// RUN: not %berth-opt %t/hole.mlir --pass-pipeline='builtin.module(berth-fit{space=default backing=77 capacity=255})' 2>&1 | FileCheck %s --check-prefix=HOLE
// HOLE: hole.mlir:5:3: error: {{.*}}: 256 bytes, the capacity is 255; 256 bytes are enough{{$| \[}}
// HOLE: note: %alloc_0 with 256 bytes{{$}}
// RUN: %berth-opt %t/hole.mlir --pass-pipeline='builtin.module(berth-fit{space=default backing=77 capacity=256},berth-arena{capacity=256})' | FileCheck %s --check-prefix=FITS
// FITS: memref<256xi8>
// As it is, one op writes its result over what it reads.
// RUN: not %berth-opt %t/in-place.mlir --pass-pipeline='builtin.module(berth-fit{space=default backing=77 capacity=255})' 2>&1 | FileCheck %s --check-prefix=INPLACE
// INPLACE: in-place.mlir:5:3: error: {{.*}}: 512 bytes, the capacity is 255; 256 bytes are enough for the program as it is{{$| \[}}
// INPLACE: note: %alloc with 256 bytes, %alloc_0 with 256 bytes{{$}}
// RUN: %berth-opt %t/in-place.mlir -o %t/out --pass-pipeline='builtin.module(berth-fit{space=default backing=77 capacity=256},berth-arena{capacity=256})'
// Reserved bytes, and what sizes are rounded up by, are told.
// RUN: not %berth-opt %t/in-place.mlir --pass-pipeline='builtin.module(berth-fit{target=%t/reserved.json})' 2>&1 | FileCheck %s --check-prefix=RESERVED
// RESERVED: in-place.mlir:{{.*}}: error: {{.*}}, and with what is reserved or lost to alignment {{[0-9]+}}, the capacity is 600; {{[0-9]+}} bytes are enough

//--- slices.mlir
func.func private @h(memref<16xi32>)
func.func @slices(%x: memref<16x4xi32, 77>, %c0: index, %c2: index) {
  %one = arith.constant 1 : i32
  %a = memref.alloc() : memref<16xi32>
  %b = memref.alloc() : memref<16x4xi32>
  linalg.fill ins(%one : i32) outs(%a : memref<16xi32>)
  func.call @h(%a) : (memref<16xi32>) -> ()
  %n = arith.constant 8 : index
  scf.for %i = %c0 to %n step %c2 {
    %s = memref.subview %x[%i, 0] [2, 4] [1, 1] : memref<16x4xi32, 77> to memref<2x4xi32, strided<[4, 1], offset: ?>, 77>
    %t = memref.subview %b[%i, 0] [2, 4] [1, 1] : memref<16x4xi32> to memref<2x4xi32, strided<[4, 1], offset: ?>>
    linalg.fill ins(%one : i32) outs(%t : memref<2x4xi32, strided<[4, 1], offset: ?>>)
    linalg.add ins(%t, %s : memref<2x4xi32, strided<[4, 1], offset: ?>>, memref<2x4xi32, strided<[4, 1], offset: ?>, 77>) outs(%s : memref<2x4xi32, strided<[4, 1], offset: ?>, 77>)
    linalg.add ins(%a, %a : memref<16xi32>, memref<16xi32>) outs(%a : memref<16xi32>)
  }
  func.call @h(%a) : (memref<16xi32>) -> ()
  return
}
//--- hole.mlir
func.func @hole(%k: i32, %y: memref<8x8xi32, 77>, %z: memref<8xi32, 77>, %p: i1) {
  %a = memref.alloc() : memref<8xi32>
  linalg.fill ins(%k : i32) outs(%a : memref<8xi32>)
  %b = memref.alloc() : memref<8x8xi32>
  linalg.fill ins(%k : i32) outs(%b : memref<8x8xi32>)
  linalg.add ins(%b, %b : memref<8x8xi32>, memref<8x8xi32>) outs(%y : memref<8x8xi32, 77>)
  linalg.fill ins(%k : i32) outs(%a : memref<8xi32>)
  %s = arith.select %p, %a, %a : memref<8xi32>
  linalg.add ins(%s, %s : memref<8xi32>, memref<8xi32>) outs(%z : memref<8xi32, 77>)
  return
}
//--- in-place.mlir
func.func @in_place(%x: memref<8x8xf32, 77>, %y: memref<8x8xf32, 77>) {
  %a = memref.alloc() : memref<8x8xf32>
  linalg.copy ins(%x : memref<8x8xf32, 77>) outs(%a : memref<8x8xf32>)
  %b = memref.alloc() : memref<8x8xf32>
  linalg.exp ins(%a : memref<8x8xf32>) outs(%b : memref<8x8xf32>)
  linalg.add ins(%b, %b : memref<8x8xf32>, memref<8x8xf32>) outs(%y : memref<8x8xf32, 77>)
  return
}
//--- reserved.json
{"memories": [{"space": "default", "capacity": 600, "reserved": [[100, 400]], "backing": {"space": "77"}}, {"space": "77"}]}
