// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// With MLIR 19 what is asked for its address is not placed (heap/lost-addresses.mlir).
// REQUIRES: llvm-22
// Plans of a planner that breaks a rule: berth-verify refuses each, and takes the
// right one.
// DEFINE: %{rule} =
// DEFINE: %{run} = %berth-opt %s --allow-unregistered-dialect --pass-pipeline='builtin.module(berth-arena{verify=false drop-unread=false %{rule}},berth-verify)' -o /dev/null
// RUN: %{run}
// REDEFINE: %{rule} = test-break-rule=no-integers
// RUN: not %{run} 2>&1 | FileCheck %s --check-prefix=INTEGERS
// REDEFINE: %{rule} = test-break-rule=no-leaks
// RUN: not %{run} 2>&1 | FileCheck %s --check-prefix=LEAKS
// REDEFINE: %{rule} = test-break-rule=no-second-instance
// RUN: not %{run} 2>&1 | FileCheck %s --check-prefix=INSTANCE
// REDEFINE: %{rule} = test-break-rule=no-tokens
// RUN: not %{run} 2>&1 | FileCheck %s --check-prefix=TOKENS
// REDEFINE: %{rule} = test-break-rule=no-awaits
// RUN: not %{run} 2>&1 | FileCheck %s --check-prefix=AWAITS

func.func private @use(memref<8xf32>)

func.func @number(%x: f32) -> f32 {
  %a = memref.alloc() : memref<8xf32>
  %b = memref.alloc() : memref<8xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<8xf32>)
  %i = memref.extract_aligned_pointer_as_index %a : memref<8xf32> -> index
  %j = arith.index_cast %i : index to i64
  linalg.fill ins(%x : f32) outs(%b : memref<8xf32>)
  call @use(%b) : (memref<8xf32>) -> ()
  %p = llvm.inttoptr %j : i64 to !llvm.ptr
  // INTEGERS: :[[@LINE+1]]:{{.*}}error: {{.*}}reads a buffer whose bytes
  %v = llvm.load %p : !llvm.ptr -> f32
  return %v : f32
}
func.func @stored(%box: !llvm.ptr, %x: f32) -> f32 {
  %a = memref.alloc() : memref<8xf32>
  %b = memref.alloc() : memref<8xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<8xf32>)
  %i = memref.extract_aligned_pointer_as_index %a : memref<8xf32> -> index
  %j = arith.index_cast %i : index to i64
  llvm.store %j, %box : i64, !llvm.ptr
  // INTEGERS: :[[@LINE+2]]:{{.*}}error: {{.*}}touches bytes of the arena that may be used through an address
  // LEAKS: :[[@LINE+1]]:{{.*}}error: {{.*}}touches bytes of the arena that may be used through an address
  linalg.fill ins(%x : f32) outs(%b : memref<8xf32>)
  call @use(%b) : (memref<8xf32>) -> ()
  %q = llvm.load %box : !llvm.ptr -> !llvm.ptr
  %v = llvm.load %q : !llvm.ptr -> f32
  return %v : f32
}
func.func @registered(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %k = %c0 to %n step %c1 {
    // INTEGERS: :[[@LINE+3]]:{{.*}}error: {{.*}}makes a buffer anew of which an address has got away
    // LEAKS: :[[@LINE+2]]:{{.*}}error: {{.*}}makes a buffer anew of which an address has got away
    // INSTANCE: :[[@LINE+1]]:{{.*}}error: {{.*}}makes a buffer anew of which an address has got away
    %a = memref.alloc() : memref<8xf32>
    %i = memref.extract_aligned_pointer_as_index %a : memref<8xf32> -> index
    "mychip.register"(%i) : (index) -> ()
  }
  return
}
func.func @token(%x: f32) {
  %a = memref.alloc() : memref<8xf32>
  %b = memref.alloc() : memref<8xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<8xf32>)
  %t = "mychip.start"(%a) : (memref<8xf32>) -> !mychip.event
  // LEAKS: :[[@LINE+2]]:{{.*}}error: {{.*}}work still under way may use
  // TOKENS: :[[@LINE+1]]:{{.*}}error: {{.*}}work still under way may use
  linalg.fill ins(%x : f32) outs(%b : memref<8xf32>)
  call @use(%b) : (memref<8xf32>) -> ()
  return
}
func.func @await(%x: f32) {
  %a = memref.alloc() : memref<8xf32>
  %b = memref.alloc() : memref<8xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<8xf32>)
  %t = async.execute {
    func.call @use(%a) : (memref<8xf32>) -> ()
    async.yield
  }
  // AWAITS: :[[@LINE+1]]:{{.*}}error: {{.*}}work still under way may use
  linalg.fill ins(%x : f32) outs(%b : memref<8xf32>)
  call @use(%b) : (memref<8xf32>) -> ()
  async.await %t : !async.token
  return
}
