// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What stands behind the # of a page's address: an arena, a buffer of the arena
// that is shown, or one of another.
// REQUIRES: chromium
// RUN: berth-opt %s --berth-arena='in-place=false report=%t.html' -o /dev/null
// RUN: %python %berth_src/test/pack/Inputs/page.py %t.html %S/Inputs/link.js %chromium | FileCheck %s
// CHECK: arenas: main: 16 KiB, the largest | chain: 8192 B, saves most
// CHECK-NEXT: start: chain, none
// CHECK-NEXT: #main: main, none
// CHECK-NEXT: #%alloc: main, %alloc
// CHECK-NEXT: #%alloc_1: chain, %alloc_1
// CHECK-NEXT: #%25alloc: chain, %alloc
// CHECK-NEXT: #nothing: chain, %alloc
func.func @main(%r: memref<4096xf32>) {
  %x = memref.alloc() : memref<4096xf32>
  linalg.exp ins(%r : memref<4096xf32>) outs(%x : memref<4096xf32>)
  linalg.exp ins(%x : memref<4096xf32>) outs(%r : memref<4096xf32>)
  return
}

func.func @chain(%r: memref<1024xf32>) {
  %a = memref.alloc() : memref<1024xf32>
  %b = memref.alloc() : memref<1024xf32>
  %c = memref.alloc() : memref<1024xf32>
  linalg.exp ins(%r : memref<1024xf32>) outs(%a : memref<1024xf32>)
  linalg.sqrt ins(%a : memref<1024xf32>) outs(%b : memref<1024xf32>)
  linalg.tanh ins(%b : memref<1024xf32>) outs(%c : memref<1024xf32>)
  linalg.exp ins(%c : memref<1024xf32>) outs(%r : memref<1024xf32>)
  return
}
