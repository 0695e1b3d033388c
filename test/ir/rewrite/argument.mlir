// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// arena=argument: who calls the function allocates its arena.
// RUN: %mlir-opt-berth %s --split-input-file --verify-diagnostics --pass-pipeline='builtin.module(berth-arena{arena=argument})' | FileCheck %s

// CHECK-LABEL: func.func @callee
// CHECK-SAME:  (%{{.*}}: f32 {llvm.noundef}, %[[ARENA:[a-z0-9]+]]: memref<64xi8> {llvm.align = 64 : i64}) -> f32
// CHECK:       memref.view %[[ARENA]]
// CHECK-NOT:   memref.alloc
// CHECK:       return
func.func @callee(%f: f32 {llvm.noundef}) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() {alignment = 64} : memref<16xf32>
  memref.store %f, %a[%c0] : memref<16xf32>
  %v = memref.load %a[%c0] : memref<16xf32>
  memref.dealloc %a : memref<16xf32>
  return %v : f32
}

// Around each call, and with the alignment that the callee needs.
// CHECK-LABEL: func.func @caller
// CHECK:       scf.for
// CHECK-NEXT:    %[[BYTES:.*]] = memref.alloc() {alignment = 64 : i64, bufferization.manual_deallocation} : memref<64xi8>
// CHECK-NEXT:    func.call @callee(%{{.*}}, %[[BYTES]]) : (f32, memref<64xi8>) -> f32
// CHECK-NEXT:    memref.dealloc %[[BYTES]] {bufferization.manual_deallocation}
func.func @caller(%f: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  scf.for %i = %c0 to %c8 step %c1 {
    %v = func.call @callee(%f) : (f32) -> f32
  }
  return
}

// -----

// A function that calls itself gets an arena for each call.
// CHECK-LABEL: func.func @recursive
// CHECK-SAME:  %[[ARENA:[a-z0-9]+]]: memref<32xi8> {llvm.align = 4 : i64})
// CHECK:       memref.view %[[ARENA]]
// CHECK:       %[[NEXT:.*]] = memref.alloc()
// CHECK:       call @recursive(%{{.*}}, %[[NEXT]])
// CHECK:       memref.dealloc %[[NEXT]]
func.func @recursive(%c: i1, %out: memref<8xf32>) {
  %a = memref.alloc() : memref<8xf32>
  memref.copy %out, %a : memref<8xf32> to memref<8xf32>
  scf.if %c {
    func.call @recursive(%c, %a) : (i1, memref<8xf32>) -> ()
  }
  memref.copy %a, %out : memref<8xf32> to memref<8xf32>
  return
}

// -----

// expected-error @+1 {{arena=argument: this function's name is used by an op that is no call}}
func.func @taken(%out: memref<8xf32>) {
  %a = memref.alloc() : memref<8xf32>
  memref.copy %out, %a : memref<8xf32> to memref<8xf32>
  return
}

func.func @take() -> ((memref<8xf32>) -> ()) {
  %f = func.constant @taken : (memref<8xf32>) -> ()
  return %f : (memref<8xf32>) -> ()
}

// -----

// A list of names.
// expected-error @+1 {{arena=argument: this function's name is used by an op that is no call}}
func.func @listed() {
  %a = memref.alloc() : memref<8xf32>
  memref.copy %a, %a : memref<8xf32> to memref<8xf32>
  return
}

func.func private @lists() attributes {entries = [@listed]}


// -----

// Its type is LLVM's own, which takes no memref.
// expected-error @+1 {{arena=argument: only a function of a builtin function type can get another argument}}
llvm.func @llvm_function() {
  %a = memref.alloc() : memref<4xf32>
  memref.dealloc %a : memref<4xf32>
  llvm.return
}
