// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What berth-verify would not look into is no cover for the planner either: the
// plans are made, and accepted.
// RUN: %berth-opt %s --allow-unregistered-dialect --pass-pipeline='builtin.module(berth-arena{unknown-ops=use})' | FileCheck %s

// CHECK-LABEL: func.func @deep
// CHECK: memref.alloc() {{.*}}memref<64xi8>
func.func @deep(%k: i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<8xi32>
  %b = memref.alloc() : memref<8xi32>
  linalg.fill ins(%k : i32) outs(%a : memref<8xi32>)
  "test.use"(%a) : (memref<8xi32>) -> ()
  linalg.fill ins(%k : i32) outs(%b : memref<8xi32>)
  "test.use"(%b) : (memref<8xi32>) -> ()
    scf.for %j0 = %c0 to %c1 step %c1 {
    scf.for %j1 = %c0 to %c1 step %c1 {
    scf.for %j2 = %c0 to %c1 step %c1 {
    scf.for %j3 = %c0 to %c1 step %c1 {
    scf.for %j4 = %c0 to %c1 step %c1 {
    scf.for %j5 = %c0 to %c1 step %c1 {
    scf.for %j6 = %c0 to %c1 step %c1 {
    scf.for %j7 = %c0 to %c1 step %c1 {
    scf.for %j8 = %c0 to %c1 step %c1 {
    scf.for %j9 = %c0 to %c1 step %c1 {
    scf.for %j10 = %c0 to %c1 step %c1 {
    scf.for %j11 = %c0 to %c1 step %c1 {
    scf.for %j12 = %c0 to %c1 step %c1 {
    scf.for %j13 = %c0 to %c1 step %c1 {
    scf.for %j14 = %c0 to %c1 step %c1 {
    scf.for %j15 = %c0 to %c1 step %c1 {
    scf.for %j16 = %c0 to %c1 step %c1 {
    linalg.fill ins(%k : i32) outs(%a : memref<8xi32>)
    }}}}}}}}}}}}}}}}}
  "test.use"(%a) : (memref<8xi32>) -> ()
  return
}

// Half a million indices in many parts are quickly looked at.
// CHECK-LABEL: func.func @wide
// CHECK: memref.alloc() {{.*}}memref<2097152xi8>
func.func @wide(%k: i32) {
  %a = memref.alloc() : memref<524288xi32>
  %b = memref.alloc() : memref<524288xi32>
  linalg.fill ins(%k : i32) outs(%a : memref<524288xi32>)
  "test.use"(%a) : (memref<524288xi32>) -> ()
  linalg.fill ins(%k : i32) outs(%b : memref<524288xi32>)
  "test.use"(%b) : (memref<524288xi32>) -> ()
  %p0 = memref.subview %a[0] [13108] [1] : memref<524288xi32> to memref<13108xi32, strided<[1]>>
  linalg.fill ins(%k : i32) outs(%p0 : memref<13108xi32, strided<[1]>>)
  %p1 = memref.subview %a[13108] [13108] [1] : memref<524288xi32> to memref<13108xi32, strided<[1], offset: 13108>>
  linalg.fill ins(%k : i32) outs(%p1 : memref<13108xi32, strided<[1], offset: 13108>>)
  %p2 = memref.subview %a[26216] [13108] [1] : memref<524288xi32> to memref<13108xi32, strided<[1], offset: 26216>>
  linalg.fill ins(%k : i32) outs(%p2 : memref<13108xi32, strided<[1], offset: 26216>>)
  %p3 = memref.subview %a[39324] [13108] [1] : memref<524288xi32> to memref<13108xi32, strided<[1], offset: 39324>>
  linalg.fill ins(%k : i32) outs(%p3 : memref<13108xi32, strided<[1], offset: 39324>>)
  %p4 = memref.subview %a[52432] [13108] [1] : memref<524288xi32> to memref<13108xi32, strided<[1], offset: 52432>>
  linalg.fill ins(%k : i32) outs(%p4 : memref<13108xi32, strided<[1], offset: 52432>>)
  %p5 = memref.subview %a[65540] [13108] [1] : memref<524288xi32> to memref<13108xi32, strided<[1], offset: 65540>>
  linalg.fill ins(%k : i32) outs(%p5 : memref<13108xi32, strided<[1], offset: 65540>>)
  %p6 = memref.subview %a[78648] [13108] [1] : memref<524288xi32> to memref<13108xi32, strided<[1], offset: 78648>>
  linalg.fill ins(%k : i32) outs(%p6 : memref<13108xi32, strided<[1], offset: 78648>>)
  %p7 = memref.subview %a[91756] [13108] [1] : memref<524288xi32> to memref<13108xi32, strided<[1], offset: 91756>>
  linalg.fill ins(%k : i32) outs(%p7 : memref<13108xi32, strided<[1], offset: 91756>>)
  %p8 = memref.subview %a[104864] [13108] [1] : memref<524288xi32> to memref<13108xi32, strided<[1], offset: 104864>>
  linalg.fill ins(%k : i32) outs(%p8 : memref<13108xi32, strided<[1], offset: 104864>>)
  %p9 = memref.subview %a[117972] [13108] [1] : memref<524288xi32> to memref<13108xi32, strided<[1], offset: 117972>>
  linalg.fill ins(%k : i32) outs(%p9 : memref<13108xi32, strided<[1], offset: 117972>>)
  %p10 = memref.subview %a[131080] [13108] [1] : memref<524288xi32> to memref<13108xi32, strided<[1], offset: 131080>>
  linalg.fill ins(%k : i32) outs(%p10 : memref<13108xi32, strided<[1], offset: 131080>>)
  %p11 = memref.subview %a[144188] [13108] [1] : memref<524288xi32> to memref<13108xi32, strided<[1], offset: 144188>>
  linalg.fill ins(%k : i32) outs(%p11 : memref<13108xi32, strided<[1], offset: 144188>>)
  %p12 = memref.subview %a[157296] [13108] [1] : memref<524288xi32> to memref<13108xi32, strided<[1], offset: 157296>>
  linalg.fill ins(%k : i32) outs(%p12 : memref<13108xi32, strided<[1], offset: 157296>>)
  %p13 = memref.subview %a[170404] [13108] [1] : memref<524288xi32> to memref<13108xi32, strided<[1], offset: 170404>>
  linalg.fill ins(%k : i32) outs(%p13 : memref<13108xi32, strided<[1], offset: 170404>>)
  %p14 = memref.subview %a[183512] [13108] [1] : memref<524288xi32> to memref<13108xi32, strided<[1], offset: 183512>>
  linalg.fill ins(%k : i32) outs(%p14 : memref<13108xi32, strided<[1], offset: 183512>>)
  %p15 = memref.subview %a[196620] [13108] [1] : memref<524288xi32> to memref<13108xi32, strided<[1], offset: 196620>>
  linalg.fill ins(%k : i32) outs(%p15 : memref<13108xi32, strided<[1], offset: 196620>>)
  %p16 = memref.subview %a[209728] [13108] [1] : memref<524288xi32> to memref<13108xi32, strided<[1], offset: 209728>>
  linalg.fill ins(%k : i32) outs(%p16 : memref<13108xi32, strided<[1], offset: 209728>>)
  %p17 = memref.subview %a[222836] [13108] [1] : memref<524288xi32> to memref<13108xi32, strided<[1], offset: 222836>>
  linalg.fill ins(%k : i32) outs(%p17 : memref<13108xi32, strided<[1], offset: 222836>>)
  %p18 = memref.subview %a[235944] [13108] [1] : memref<524288xi32> to memref<13108xi32, strided<[1], offset: 235944>>
  linalg.fill ins(%k : i32) outs(%p18 : memref<13108xi32, strided<[1], offset: 235944>>)
  %p19 = memref.subview %a[249052] [13108] [1] : memref<524288xi32> to memref<13108xi32, strided<[1], offset: 249052>>
  linalg.fill ins(%k : i32) outs(%p19 : memref<13108xi32, strided<[1], offset: 249052>>)
  %p20 = memref.subview %a[262160] [13108] [1] : memref<524288xi32> to memref<13108xi32, strided<[1], offset: 262160>>
  linalg.fill ins(%k : i32) outs(%p20 : memref<13108xi32, strided<[1], offset: 262160>>)
  %p21 = memref.subview %a[275268] [13108] [1] : memref<524288xi32> to memref<13108xi32, strided<[1], offset: 275268>>
  linalg.fill ins(%k : i32) outs(%p21 : memref<13108xi32, strided<[1], offset: 275268>>)
  %p22 = memref.subview %a[288376] [13108] [1] : memref<524288xi32> to memref<13108xi32, strided<[1], offset: 288376>>
  linalg.fill ins(%k : i32) outs(%p22 : memref<13108xi32, strided<[1], offset: 288376>>)
  %p23 = memref.subview %a[301484] [13108] [1] : memref<524288xi32> to memref<13108xi32, strided<[1], offset: 301484>>
  linalg.fill ins(%k : i32) outs(%p23 : memref<13108xi32, strided<[1], offset: 301484>>)
  %p24 = memref.subview %a[314592] [13108] [1] : memref<524288xi32> to memref<13108xi32, strided<[1], offset: 314592>>
  linalg.fill ins(%k : i32) outs(%p24 : memref<13108xi32, strided<[1], offset: 314592>>)
  %p25 = memref.subview %a[327700] [13108] [1] : memref<524288xi32> to memref<13108xi32, strided<[1], offset: 327700>>
  linalg.fill ins(%k : i32) outs(%p25 : memref<13108xi32, strided<[1], offset: 327700>>)
  %p26 = memref.subview %a[340808] [13108] [1] : memref<524288xi32> to memref<13108xi32, strided<[1], offset: 340808>>
  linalg.fill ins(%k : i32) outs(%p26 : memref<13108xi32, strided<[1], offset: 340808>>)
  %p27 = memref.subview %a[353916] [13108] [1] : memref<524288xi32> to memref<13108xi32, strided<[1], offset: 353916>>
  linalg.fill ins(%k : i32) outs(%p27 : memref<13108xi32, strided<[1], offset: 353916>>)
  %p28 = memref.subview %a[367024] [13108] [1] : memref<524288xi32> to memref<13108xi32, strided<[1], offset: 367024>>
  linalg.fill ins(%k : i32) outs(%p28 : memref<13108xi32, strided<[1], offset: 367024>>)
  %p29 = memref.subview %a[380132] [13108] [1] : memref<524288xi32> to memref<13108xi32, strided<[1], offset: 380132>>
  linalg.fill ins(%k : i32) outs(%p29 : memref<13108xi32, strided<[1], offset: 380132>>)
  %p30 = memref.subview %a[393240] [13108] [1] : memref<524288xi32> to memref<13108xi32, strided<[1], offset: 393240>>
  linalg.fill ins(%k : i32) outs(%p30 : memref<13108xi32, strided<[1], offset: 393240>>)
  %p31 = memref.subview %a[406348] [13108] [1] : memref<524288xi32> to memref<13108xi32, strided<[1], offset: 406348>>
  linalg.fill ins(%k : i32) outs(%p31 : memref<13108xi32, strided<[1], offset: 406348>>)
  %p32 = memref.subview %a[419456] [13108] [1] : memref<524288xi32> to memref<13108xi32, strided<[1], offset: 419456>>
  linalg.fill ins(%k : i32) outs(%p32 : memref<13108xi32, strided<[1], offset: 419456>>)
  %p33 = memref.subview %a[432564] [13108] [1] : memref<524288xi32> to memref<13108xi32, strided<[1], offset: 432564>>
  linalg.fill ins(%k : i32) outs(%p33 : memref<13108xi32, strided<[1], offset: 432564>>)
  %p34 = memref.subview %a[445672] [13108] [1] : memref<524288xi32> to memref<13108xi32, strided<[1], offset: 445672>>
  linalg.fill ins(%k : i32) outs(%p34 : memref<13108xi32, strided<[1], offset: 445672>>)
  %p35 = memref.subview %a[458780] [13108] [1] : memref<524288xi32> to memref<13108xi32, strided<[1], offset: 458780>>
  linalg.fill ins(%k : i32) outs(%p35 : memref<13108xi32, strided<[1], offset: 458780>>)
  %p36 = memref.subview %a[471888] [13108] [1] : memref<524288xi32> to memref<13108xi32, strided<[1], offset: 471888>>
  linalg.fill ins(%k : i32) outs(%p36 : memref<13108xi32, strided<[1], offset: 471888>>)
  %p37 = memref.subview %a[484996] [13108] [1] : memref<524288xi32> to memref<13108xi32, strided<[1], offset: 484996>>
  linalg.fill ins(%k : i32) outs(%p37 : memref<13108xi32, strided<[1], offset: 484996>>)
  %p38 = memref.subview %a[498104] [13108] [1] : memref<524288xi32> to memref<13108xi32, strided<[1], offset: 498104>>
  linalg.fill ins(%k : i32) outs(%p38 : memref<13108xi32, strided<[1], offset: 498104>>)
  %p39 = memref.subview %a[511212] [13076] [1] : memref<524288xi32> to memref<13076xi32, strided<[1], offset: 511212>>
  linalg.fill ins(%k : i32) outs(%p39 : memref<13076xi32, strided<[1], offset: 511212>>)
  "test.use"(%a) : (memref<524288xi32>) -> ()
  return
}
