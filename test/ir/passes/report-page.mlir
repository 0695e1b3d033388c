// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A page holds all arenas, opens with the one that saves most or that its name
// says, and says of each buffer
// that is not placed why, and what to do. A picture of nothing is no error.
// RUN: rm -rf %t && split-file %s %t
// RUN: berth-opt %t/two.mlir --pass-pipeline='builtin.module(berth-arena{in-place=false report=%t/two.html})' -o /dev/null
// RUN: FileCheck %s --check-prefix=TWO < %t/two.html
// RUN: berth-opt %t/none.mlir --pass-pipeline='builtin.module(berth-arena{report=%t/none.html})' -o /dev/null
// RUN: FileCheck %s --check-prefix=NONE < %t/none.html
// RUN: berth-opt %t/none.mlir --pass-pipeline='builtin.module(berth-arena{report=%t/none.svg})' -o /dev/null
// RUN: FileCheck %s --check-prefix=PICTURE < %t/none.svg
// RUN: berth-opt %t/two.mlir --pass-pipeline='builtin.module(berth-arena{in-place=false report=%t/two.svg})' -o /dev/null
// RUN: FileCheck %s --check-prefix=LARGEST < %t/two.svg
// RUN: berth-opt %t/two.mlir --pass-pipeline='builtin.module(berth-arena{in-place=false report=%t/one.svg#small})' -o /dev/null
// RUN: FileCheck %s --check-prefix=CHOSEN < %t/one.svg
// RUN: berth-opt %t/two.mlir --pass-pipeline='builtin.module(berth-arena{in-place=false report=%t/named.html#small})' -o /dev/null
// RUN: FileCheck %s --check-prefix=NAMED < %t/named.html
// RUN: berth-opt %t/caller.mlir --pass-pipeline='builtin.module(berth-arena{in-place=false report=%t/caller.html})' -o /dev/null
// RUN: FileCheck %s --check-prefix=SAVES < %t/caller.html
// RUN: not berth-opt %t/two.mlir --pass-pipeline='builtin.module(berth-arena{report=%t/no.HTM#smal})' -o /dev/null 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// RUN: not ls %t/no.HTM
// RUN: not berth-opt %t/two.mlir --pass-pipeline='builtin.module(berth-arena{report=%t/no.svg#smal})' -o /dev/null 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// RUN: not ls %t/no.svg
// RUN: berth-opt %t/empty.mlir --pass-pipeline='builtin.module(berth-arena{report=%t/empty.html})' -o /dev/null

// RUN: berth-opt %t/kernel.mlir --pass-pipeline='builtin.module(berth-arena{report=%t/kernel.html})' -o /dev/null
// RUN: FileCheck %s --check-prefix=KERNEL < %t/kernel.html
// RUN: berth-opt %t/kernel.mlir --pass-pipeline='builtin.module(berth-arena{report=%t/kernel.svg})' -o /dev/null
// RUN: FileCheck %s --check-prefix=MARKS < %t/kernel.svg

// RUN: berth-opt %t/lives.mlir --pass-pipeline='builtin.module(berth-arena{report=%t/lives.html})' --remarks-filter='berth.*' -o /dev/null 2>&1 | FileCheck %s --check-prefix=LIFE
// RUN: FileCheck %s --check-prefix=LIVES < %t/lives.html
// LIFE-DAG: lives.mlir:3:8: {{.*}}"placed at offset 0, 32 bytes"
// LIFE-DAG: lives.mlir:3:8: {{.*}}"placed at offset 0, 32 bytes, a later life: the buffer is overwritten whole, written in place by linalg.add
// LIVES: "bytesBefore":96,
// LIVES-NEXT: "laterLives":1,
// LIVES: "types":[{{.*}}"memref<8xi32>, a later life of the buffer of that line"

// TWO: "chosen":1,"compare":false,"scopes":[{
// TWO-NEXT: "title":"small"
// TWO: "title":"chain"
// TWO: "bytesBefore":8192
// TWO-NEXT: "file":"{{.*}}two.mlir"
// TWO-NEXT: "types":["memref<1024xf32>","memref<1024xf32>"],
// TWO-NEXT: "lines":[9,10]
// TWO-NEXT: "points":{"op":["memref.alloc","memref.alloc","linalg.exp",
// TWO-NEXT: "line":[9,10,11,
// NAMED: "chosen":0,"compare":false,"scopes":[{
// SAVES: "chosen":1,"compare":false,"scopes":[{
// SAVES-NEXT: "title":"main"
// SAVES: "peak":16384
// SAVES: "title":"chain"
// SAVES: "peak":{{4096|8192}},
// NONE: "unplaced":[{"name":"%alloc","type":"memref<8xf32>","reason":"it is returned (func.return at line 3)","advice":"let callers bring the memory: berth-arena{results=out-params}, or buffer-results-to-out-params before Berth","line":2}]
// KERNEL: "marks":[{{.*}}"barrier"],{{.*}}"new barrier"]
// PICTURE: none: nothing is placed
// LARGEST: >chain</text>
// LARGEST-NEXT: >the one of 2 arenas where sharing saves most; report=FILE.svg#NAME draws another</text>
// LARGEST-NEXT: 2 buffers · before 8192 B · peak
// LARGEST: >linalg.sqrt</text>
// CHOSEN: >small</text>
// CHOSEN-NEXT: >one of 2 arenas</text>
// UNKNOWN: error: {{.*}}report: no arena is called 'smal'; there are small, chain
// MARKS: <line class="mark" {{.*}}<title>barrier at
// MARKS: >barrier</text>
// MARKS: <title>new barrier at

//--- lives.mlir
func.func @lives(%p: memref<8xi32>, %q: memref<8xi32>) {
  %one = arith.constant 1 : i32
  %a = memref.alloc() : memref<8xi32>
  %x = memref.alloc() : memref<8xi32>
  %y = memref.alloc() : memref<8xi32>
  linalg.fill ins(%one : i32) outs(%a : memref<8xi32>)
  linalg.add ins(%a, %a : memref<8xi32>, memref<8xi32>) outs(%x : memref<8xi32>)
  linalg.fill ins(%one : i32) outs(%y : memref<8xi32>)
  linalg.add ins(%x, %y : memref<8xi32>, memref<8xi32>) outs(%a : memref<8xi32>)
  memref.copy %y, %p : memref<8xi32> to memref<8xi32>
  memref.copy %a, %q : memref<8xi32> to memref<8xi32>
  return
}
//--- two.mlir
func.func @small(%x: memref<64xf32>) {
  %a = memref.alloc() : memref<64xf32>
  linalg.exp ins(%x : memref<64xf32>) outs(%a : memref<64xf32>)
  linalg.exp ins(%a : memref<64xf32>) outs(%x : memref<64xf32>)
  return
}

func.func @chain(%x: memref<1024xf32>) {
  %a = memref.alloc() : memref<1024xf32>
  %b = memref.alloc() : memref<1024xf32>
  linalg.exp ins(%x : memref<1024xf32>) outs(%a : memref<1024xf32>)
  linalg.sqrt ins(%a : memref<1024xf32>) outs(%b : memref<1024xf32>)
  linalg.exp ins(%b : memref<1024xf32>) outs(%x : memref<1024xf32>)
  return
}

//--- caller.mlir
func.func @main(%r: memref<4096xf32>) {
  %x = memref.alloc() : memref<4096xf32>
  linalg.exp ins(%r : memref<4096xf32>) outs(%x : memref<4096xf32>)
  linalg.exp ins(%x : memref<4096xf32>) outs(%r : memref<4096xf32>)
  return
}

func.func @chain(%x: memref<1024xf32>) {
  %a = memref.alloc() : memref<1024xf32>
  %b = memref.alloc() : memref<1024xf32>
  %c = memref.alloc() : memref<1024xf32>
  linalg.exp ins(%x : memref<1024xf32>) outs(%a : memref<1024xf32>)
  linalg.sqrt ins(%a : memref<1024xf32>) outs(%b : memref<1024xf32>)
  linalg.tanh ins(%b : memref<1024xf32>) outs(%c : memref<1024xf32>)
  linalg.exp ins(%c : memref<1024xf32>) outs(%x : memref<1024xf32>)
  return
}

//--- none.mlir
func.func @none() -> memref<8xf32> {
  %a = memref.alloc() : memref<8xf32>
  return %a : memref<8xf32>
}

//--- empty.mlir
func.func @empty() {
  return
}

//--- kernel.mlir
gpu.module @m {
  gpu.func @k(%x: memref<64xf32>, %i: index) kernel {
    %t = gpu.thread_id x
    %a = memref.alloc() : memref<64xf32, #gpu.address_space<workgroup>>
    %b = memref.alloc() : memref<64xf32, #gpu.address_space<workgroup>>
    %v = memref.load %x[%t] : memref<64xf32>
    memref.store %v, %a[%t] : memref<64xf32, #gpu.address_space<workgroup>>
    gpu.barrier
    %w = memref.load %a[%i] : memref<64xf32, #gpu.address_space<workgroup>>
    memref.store %w, %b[%t] : memref<64xf32, #gpu.address_space<workgroup>>
    gpu.barrier
    %u = memref.load %b[%i] : memref<64xf32, #gpu.address_space<workgroup>>
    memref.store %u, %x[%t] : memref<64xf32>
    gpu.return
  }
}
