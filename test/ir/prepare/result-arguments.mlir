// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// results=out-params: callers bring what private functions return, where each
// result is one buffer of its own.
// RUN: %mlir-opt-berth %s --split-input-file --allow-unregistered-dialect --pass-pipeline='builtin.module(berth-arena{results=out-params})' --remarks-filter='berth.*' 2>%t | FileCheck %s
// RUN: FileCheck %s --check-prefix=REMARK <%t
// RUN: %mlir-opt-berth %s --split-input-file --allow-unregistered-dialect --pass-pipeline='builtin.module(berth-arena)' | FileCheck %s --check-prefix=KEEP
// RUN: not %mlir-opt-berth %s --split-input-file --allow-unregistered-dialect --pass-pipeline='builtin.module(func.func(berth-arena{results=out-params}))' 2>&1 | FileCheck %s --check-prefix=NESTED
// RUN: not %mlir-opt-berth %s --split-input-file --allow-unregistered-dialect --pass-pipeline='builtin.module(berth-arena{results=some})' 2>&1 | FileCheck %s --check-prefix=SOME
// RUN: not %mlir-opt-berth %s --split-input-file --allow-unregistered-dialect --pass-pipeline='builtin.module(berth-arena{results=out-params arena=annotate})' 2>&1 | FileCheck %s --check-prefix=ANNOTATE
// RUN: not %mlir-opt-berth %s --split-input-file --allow-unregistered-dialect --pass-pipeline='builtin.module(berth-arena{results=out-params capacity=64})' 2>&1 | FileCheck %s --check-prefix=RESTORED
// NESTED: error: berth-arena: results=out-params changes callers: run the pass on the module
// SOME: results 'some' is neither out-params nor keep
// ANNOTATE: results=out-params changes code, arena=annotate does not
// RESTORED: the buffers do not fit

// A network in functions: two slots are enough for all layers, the last of
// which is of one function in another.
// KEEP-LABEL:  func.func private @layer(%{{.*}}: memref<64xf32>) -> memref<64xf32>
// CHECK-LABEL: func.func private @layer(
// CHECK-SAME:    %[[IN:[^:]*]]: memref<64xf32>, %[[OUT:[^:]*]]: memref<64xf32>)
// CHECK-NOT:     memref.alloc
// CHECK:         linalg.exp ins(%[[IN]] : memref<64xf32>) outs(%[[OUT]] : memref<64xf32>)
// CHECK-NEXT:    return{{$}}
func.func private @layer(%in: memref<64xf32>) -> memref<64xf32> {
  %r = memref.alloc() {alignment = 64 : i64} : memref<64xf32>
  linalg.exp ins(%in : memref<64xf32>) outs(%r : memref<64xf32>)
  return %r : memref<64xf32>
}
// CHECK-LABEL: func.func private @two
// CHECK-SAME:    (%{{[^:]*}}: memref<64xf32>, %[[OUT:[^:]*]]: memref<64xf32>)
// CHECK:         memref.alloc() {{.*}} : memref<256xi8>
// CHECK:         call @layer(%{{.*}}, %[[OUT]])
// CHECK:         return{{$}}
func.func private @two(%in: memref<64xf32>) -> memref<64xf32> {
  %a = call @layer(%in) : (memref<64xf32>) -> memref<64xf32>
  %b = call @layer(%a) : (memref<64xf32>) -> memref<64xf32>
  memref.dealloc %a : memref<64xf32>
  return %b : memref<64xf32>
}
// KEEP-LABEL:  func.func @network
// KEEP-NOT:      memref.view
// CHECK-LABEL: func.func @network
// CHECK-NEXT:    memref.alloc() {alignment = 64 : i64, {{.*}}} : memref<512xi8>
// CHECK-NOT:     memref.alloc
// CHECK:         memref.dealloc %{{.*}} : memref<512xi8>
// CHECK-NEXT:    return
func.func @network(%x: memref<64xf32>, %y: memref<64xf32>) {
  %a = call @layer(%x) : (memref<64xf32>) -> memref<64xf32>
  %b = call @layer(%a) : (memref<64xf32>) -> memref<64xf32>
  memref.dealloc %a : memref<64xf32>
  %c = call @layer(%b) : (memref<64xf32>) -> memref<64xf32>
  memref.dealloc %b : memref<64xf32>
  %d = call @two(%c) : (memref<64xf32>) -> memref<64xf32>
  memref.dealloc %c : memref<64xf32>
  linalg.exp ins(%d : memref<64xf32>) outs(%y : memref<64xf32>)
  memref.dealloc %d : memref<64xf32>
  return
}

// -----

// Of several results the others stay, in order, and so do attributes.
// CHECK-LABEL: func.func private @several
// CHECK-SAME:    (%{{[^:]*}}: index, %{{[^:]*}}: memref<4xf32>, %{{[^:]*}}: memref<8xf32>) -> (index, f32)
// CHECK:         return %{{.*}}, %{{.*}} : index, f32
func.func private @several(%i: index) -> (index, memref<8xf32>, f32, memref<4xf32>) {
  %f = arith.constant 1.0 : f32
  %r = memref.alloc() : memref<8xf32>
  %s = memref.alloc() : memref<4xf32>
  linalg.fill ins(%f : f32) outs(%r : memref<8xf32>)
  linalg.fill ins(%f : f32) outs(%s : memref<4xf32>)
  return %i, %r, %f, %s : index, memref<8xf32>, f32, memref<4xf32>
}
// CHECK-LABEL: func.func @caller
// CHECK:         scf.for
// CHECK:           %[[S:.*]] = memref.view {{.*}} to memref<4xf32>
// CHECK:           %[[R:.*]] = memref.view {{.*}} to memref<8xf32>
// CHECK:           %[[C:.*]]:2 = func.call @several(%{{.*}}, %[[S]], %[[R]]) {mark} : (index, memref<4xf32>, memref<8xf32>) -> (index, f32)
// CHECK:           "use"(%[[C]]#0, %[[R]], %[[C]]#1, %[[S]])
func.func @caller(%n: index, %one: index) {
  scf.for %i = %n to %n step %one {
    %c:4 = func.call @several(%i) {mark} : (index) -> (index, memref<8xf32>, f32, memref<4xf32>)
    "use"(%c#0, %c#1, %c#2, %c#3) : (index, memref<8xf32>, f32, memref<4xf32>) -> ()
  }
  return
}

// -----

memref.global "private" @global : memref<8xf32>

// What is no buffer of its own, made once, stays a result.
// REMARK: result 0 becomes no argument: it is no allocation of the function
// CHECK-LABEL: func.func private @argument({{.*}}) -> memref<8xf32>
func.func private @argument(%x: memref<8xf32>) -> memref<8xf32> {
  return %x : memref<8xf32>
}
// REMARK: result 0 becomes no argument: it is no allocation of a static size
// CHECK-LABEL: func.func private @of_global() -> memref<8xf32>
func.func private @of_global() -> memref<8xf32> {
  %r = memref.get_global @global : memref<8xf32>
  return %r : memref<8xf32>
}
// REMARK: result 0 becomes no argument: it is no allocation of a static size
// CHECK-LABEL: func.func private @dynamic({{.*}}) -> memref<?xf32>
func.func private @dynamic(%n: index) -> memref<?xf32> {
  %r = memref.alloc(%n) : memref<?xf32>
  return %r : memref<?xf32>
}
// REMARK: result 0 becomes no argument: it is returned twice
// REMARK: result 1 becomes no argument: it is returned twice
// CHECK-LABEL: func.func private @twice() -> (memref<8xf32>, memref<8xf32>)
func.func private @twice() -> (memref<8xf32>, memref<8xf32>) {
  %r = memref.alloc() : memref<8xf32>
  return %r, %r : memref<8xf32>, memref<8xf32>
}
// REMARK: result 0 becomes no argument: it is not the same value at each return
// CHECK-LABEL: func.func private @either({{.*}}) -> memref<8xf32>
func.func private @either(%c: i1) -> memref<8xf32> {
  %r = memref.alloc() : memref<8xf32>
  %s = memref.alloc() : memref<8xf32>
  cf.cond_br %c, ^a, ^b
^a:
  return %r : memref<8xf32>
^b:
  return %s : memref<8xf32>
}
// REMARK: result 0 becomes no argument: it may be allocated several times, or not at all
// CHECK-LABEL: func.func private @again({{.*}}) -> memref<8xf32>
func.func private @again(%c: i1) -> memref<8xf32> {
  cf.br ^a
^a:
  %r = memref.alloc() : memref<8xf32>
  cf.cond_br %c, ^a, ^b
^b:
  return %r : memref<8xf32>
}
// REMARK: result 0 becomes no argument: it may be freed in the function
// CHECK-LABEL: func.func private @freed({{.*}}) -> memref<8xf32>
func.func private @freed(%c: i1) -> memref<8xf32> {
  %r = memref.alloc() : memref<8xf32>
  scf.if %c {
    memref.dealloc %r : memref<8xf32>
  }
  return %r : memref<8xf32>
}
// REMARK: result 0 becomes no argument: its allocation has attributes of Berth's
// CHECK-LABEL: func.func private @hinted() -> memref<8xf32>
func.func private @hinted() -> memref<8xf32> {
  %r = memref.alloc() {berth.hint = 0 : i64} : memref<8xf32>
  return %r : memref<8xf32>
}

// Nor do those of functions of which not all callers are known and plain.
// REMARK: result 0 becomes no argument: it may be called from outside of the module
// CHECK-LABEL: func.func @public() -> memref<8xf32>
func.func @public() -> memref<8xf32> {
  %r = memref.alloc() : memref<8xf32>
  return %r : memref<8xf32>
}
// REMARK: result 0 becomes no argument: it may be called from outside of the module
// CHECK-LABEL: func.func private @from_c() -> memref<8xf32>
func.func private @from_c() -> memref<8xf32> attributes {llvm.emit_c_interface} {
  %r = memref.alloc() : memref<8xf32>
  return %r : memref<8xf32>
}
// REMARK: result 0 becomes no argument: it has no body here
func.func private @external() -> memref<8xf32>
// REMARK: result 0 becomes no argument: its name is used by an op that is no plain call
// CHECK-LABEL: func.func private @by_address() -> memref<8xf32>
func.func private @by_address() -> memref<8xf32> {
  %r = memref.alloc() : memref<8xf32>
  return %r : memref<8xf32>
}
// REMARK: result 0 becomes no argument: its name is used by an op that is no plain call
// CHECK-LABEL: func.func private @by_text() -> memref<8xf32>
func.func private @by_text() -> memref<8xf32> {
  %r = memref.alloc() : memref<8xf32>
  return %r : memref<8xf32>
}
// REMARK: result 0 becomes no argument: nobody calls it
// CHECK-LABEL: func.func private @uncalled() -> memref<8xf32>
func.func private @uncalled() -> memref<8xf32> {
  %r = memref.alloc() : memref<8xf32>
  return %r : memref<8xf32>
}
// REMARK: result 0 becomes no argument: it is part of a recursion
// CHECK-LABEL: func.func private @recursive({{.*}}) -> memref<8xf32>
func.func private @recursive(%c: i1) -> memref<8xf32> {
  %r = memref.alloc() : memref<8xf32>
  scf.if %c {
    %s = func.call @recursive(%c) : (i1) -> memref<8xf32>
    memref.copy %s, %r : memref<8xf32> to memref<8xf32>
  }
  return %r : memref<8xf32>
}
// REMARK: result 0 becomes no argument: its results have attributes
// CHECK-LABEL: func.func private @attributes() -> (memref<8xf32> {my.mark})
func.func private @attributes() -> (memref<8xf32> {my.mark}) {
  %r = memref.alloc() : memref<8xf32>
  return %r : memref<8xf32>
}
// REMARK: result 0 becomes no argument: a call of it stands in code that threads run
// CHECK-LABEL: func.func private @in_kernel() -> memref<8xf32>
func.func private @in_kernel() -> memref<8xf32> {
  %r = memref.alloc() : memref<8xf32>
  return %r : memref<8xf32>
}
func.func @calls(%x: memref<8xf32>, %n: index, %c: i1) {
  %0 = call @argument(%x) : (memref<8xf32>) -> memref<8xf32>
  %1 = call @of_global() : () -> memref<8xf32>
  %2 = call @dynamic(%n) : (index) -> memref<?xf32>
  %3:2 = call @twice() : () -> (memref<8xf32>, memref<8xf32>)
  %4 = call @either(%c) : (i1) -> memref<8xf32>
  %5 = call @again(%c) : (i1) -> memref<8xf32>
  %6 = call @freed(%c) : (i1) -> memref<8xf32>
  %7 = call @hinted() : () -> memref<8xf32>
  %8 = call @external() : () -> memref<8xf32>
  %9 = call @from_c() : () -> memref<8xf32>
  %10 = constant @by_address : () -> memref<8xf32>
  %11 = call @by_address() : () -> memref<8xf32>
  "my.op"() {callee = "by_text"} : () -> ()
  %12 = call @by_text() : () -> memref<8xf32>
  %13 = call @recursive(%c) : (i1) -> memref<8xf32>
  %14 = call @attributes() : () -> memref<8xf32>
  gpu.launch blocks(%a, %b, %d) in (%e = %n, %f = %n, %g = %n)
             threads(%h, %i, %j) in (%k = %n, %l = %n, %m = %n) {
    %15 = func.call @in_kernel() : () -> memref<8xf32>
    gpu.terminator
  }
  return
}
