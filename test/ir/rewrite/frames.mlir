// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// frames=true: the arena of a called function is a part of its callers'.
// RUN: %mlir-opt-berth %s --split-input-file --allow-unregistered-dialect --pass-pipeline='builtin.module(berth-arena{frames=true unknown-ops=use})' --remarks-filter='berth.*' 2> %t.remarks | FileCheck %s
// With MLIR 19 @leaky has no arena (ir/heap/lost-addresses.mlir).
// RUN: %if llvm-22 %{ FileCheck %s --check-prefix=REMARK < %t.remarks %}
// RUN: not %mlir-opt-berth %s --split-input-file --allow-unregistered-dialect --pass-pipeline='builtin.module(berth-arena{frames=true unknown-ops=use test-break-rule=shared-frames})' -o /dev/null 2>&1 | FileCheck %s --check-prefix=SHARED
// RUN: not %mlir-opt-berth %s --split-input-file --allow-unregistered-dialect --pass-pipeline='builtin.module(berth-arena{frames=true unknown-ops=use test-break-rule=short-frames})' -o /dev/null 2>&1 | FileCheck %s --check-prefix=SHORT
// RUN: not %mlir-opt-berth %s --split-input-file --allow-unregistered-dialect --pass-pipeline='builtin.module(func.func(berth-arena{frames=true}))' -o /dev/null 2>&1 | FileCheck %s --check-prefix=NESTED
// RUN: not %mlir-opt-berth %s --split-input-file --allow-unregistered-dialect --pass-pipeline='builtin.module(berth-arena{frames=true arena=global})' -o /dev/null 2>&1 | FileCheck %s --check-prefix=FORM
// SHARED: error: hands a part of an arena to a function that may run several times at once, later, or in an unknown order
// SHARED: note: in this op
// SHORT: error: reads a buffer {{.*}} bytes
// NESTED: error: berth-arena: frames changes callers: run the pass on the module
// FORM: frames: arena=global leaves no arena that a caller could hold

// What @layer needs lies where %hidden lies in the end, and in @model's arena
// there is one allocation for all.
// CHECK-LABEL: func.func private @layer
// CHECK-SAME:    (%{{.*}}, %{{.*}}, %[[FRAME:[a-z0-9]+]]: memref<4096xi8> {llvm.align = 4 : i64})
// CHECK-NOT:     memref.alloc
// CHECK:         memref.view %[[FRAME]]
// CHECK:         return
func.func private @layer(%x: memref<1024xf32>, %y: memref<1024xf32>) {
  %a = memref.alloc() : memref<1024xf32>
  linalg.exp ins(%x : memref<1024xf32>) outs(%a : memref<1024xf32>)
  linalg.add ins(%a, %x : memref<1024xf32>, memref<1024xf32>) outs(%y : memref<1024xf32>)
  return
}

// CHECK-LABEL: func.func @model
// CHECK:         %[[ARENA:.*]] = memref.alloc() {alignment = 64 : i64, {{.*}}} : memref<8192xi8>
// CHECK-NOT:     memref.alloc()
// CHECK:         %[[HANDED:.*]] = memref.view %[[ARENA]][%{{.*}}][] {berth.buffer = 1 : i64} : memref<8192xi8> to memref<4096xi8>
// CHECK:         call @layer(%{{.*}}, %{{.*}}, %[[HANDED]])
// CHECK:         call @layer(%{{.*}}, %{{.*}}, %[[HANDED]])
// CHECK:         memref.dealloc %[[ARENA]]
// REMARK:        "placed at offset {{.*}}, 4096 bytes"
func.func @model(%x: memref<1024xf32>, %y: memref<1024xf32>) {
  %hidden = memref.alloc() : memref<1024xf32>
  call @layer(%x, %hidden) : (memref<1024xf32>, memref<1024xf32>) -> ()
  call @layer(%hidden, %y) : (memref<1024xf32>, memref<1024xf32>) -> ()
  return
}

// -----

// A call in a parallel loop has a frame in each iteration's arena.
func.func private @leaf(%x: memref<8xf32>) {
  %a = memref.alloc() {alignment = 256} : memref<8xf32>
  linalg.exp ins(%x : memref<8xf32>) outs(%a : memref<8xf32>)
  linalg.exp ins(%a : memref<8xf32>) outs(%x : memref<8xf32>)
  return
}
// CHECK-LABEL: func.func @tiles
// CHECK-NOT:     memref.alloc
// CHECK:         scf.parallel
// CHECK:           %[[OWN:.*]] = memref.alloc() {alignment = 256 : i64, {{.*}}} : memref<64xi8>
// CHECK:           %[[VIEW:.*]] = memref.view %[[OWN]]
// CHECK:           call @leaf(%{{.*}}, %[[VIEW]])
// CHECK:           memref.dealloc %[[OWN]]
func.func @tiles(%x: memref<4x8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  scf.parallel (%i) = (%c0) to (%c4) step (%c1) {
    %s = memref.subview %x[%i, 0] [1, 8] [1, 1] : memref<4x8xf32> to memref<8xf32, strided<[1], offset: ?>>
    %t = memref.alloc() : memref<8xf32>
    memref.copy %s, %t : memref<8xf32, strided<[1], offset: ?>> to memref<8xf32>
    func.call @leaf(%t) : (memref<8xf32>) -> ()
    memref.copy %t, %s : memref<8xf32> to memref<8xf32, strided<[1], offset: ?>>
  }
  return
}

// -----

// %kept is wanted behind the second call.
func.func private @work(%x: memref<8xf32>, %y: memref<8xf32>) {
  %a = memref.alloc() : memref<8xf32>
  linalg.exp ins(%x : memref<8xf32>) outs(%a : memref<8xf32>)
  linalg.exp ins(%a : memref<8xf32>) outs(%y : memref<8xf32>)
  return
}
func.func @later(%x: memref<8xf32>, %y: memref<8xf32>, %z: memref<8xf32>) {
  %kept = memref.alloc() : memref<8xf32>
  call @work(%x, %y) : (memref<8xf32>, memref<8xf32>) -> ()
  linalg.exp ins(%y : memref<8xf32>) outs(%kept : memref<8xf32>)
  call @work(%x, %y) : (memref<8xf32>, memref<8xf32>) -> ()
  memref.copy %kept, %z : memref<8xf32> to memref<8xf32>
  return
}

// -----

// Each of these keeps an arena of its own.
// CHECK-LABEL: func.func private @circle(%{{.*}}: i1, %{{.*}}: memref<8xf32>) {
// CHECK:         memref.alloc
// REMARK:        "its callers do not hold its arena: it is part of a recursion"
func.func private @circle(%c: i1, %x: memref<8xf32>) {
  %a = memref.alloc() : memref<8xf32>
  memref.copy %x, %a : memref<8xf32> to memref<8xf32>
  scf.if %c {
    func.call @circle(%c, %a) : (i1, memref<8xf32>) -> ()
  }
  memref.copy %a, %x : memref<8xf32> to memref<8xf32>
  return
}
// Who has its name finds a wrapper, and so does a public function's caller.
// CHECK-LABEL: func.func private @named(%{{.*}}: memref<8xf32>) {
// CHECK-NEXT:    %[[OWN:.*]] = memref.alloc()
// CHECK:         %[[FRAME:.*]] = memref.view %[[OWN]]
// CHECK-NEXT:    call @named_in_frame(%{{.*}}, %[[FRAME]])
// CHECK-NEXT:    memref.dealloc %[[OWN]]
// CHECK-NEXT:    return
// CHECK-LABEL: func.func private @named_in_frame(%{{.*}}: memref<8xf32>, %{{.*}}: memref<32xi8> {llvm.align = 4 : i64}) {
func.func private @named(%x: memref<8xf32>) {
  %a = memref.alloc() : memref<8xf32>
  memref.copy %x, %a : memref<8xf32> to memref<8xf32>
  linalg.exp ins(%a : memref<8xf32>) outs(%x : memref<8xf32>)
  return
}
// CHECK-LABEL: func.func private @later(%{{.*}}: memref<8xf32>) {
// REMARK:        "its callers do not hold its arena: a call of it stands in code that may run several times at once, later, or in an unknown order"
func.func private @later(%x: memref<8xf32>) {
  %a = memref.alloc() : memref<8xf32>
  memref.copy %x, %a : memref<8xf32> to memref<8xf32>
  linalg.exp ins(%a : memref<8xf32>) outs(%x : memref<8xf32>)
  return
}
// CHECK-LABEL: func.func private @somewhere(%{{.*}}: memref<8xf32>) {
// REMARK:        "its callers do not hold its arena: a call of it stands in code that may run several times at once, later, or in an unknown order"
func.func private @somewhere(%x: memref<8xf32>) {
  %a = memref.alloc() : memref<8xf32>
  memref.copy %x, %a : memref<8xf32> to memref<8xf32>
  linalg.exp ins(%a : memref<8xf32>) outs(%x : memref<8xf32>)
  return
}
// CHECK-LABEL: func.func private @sized(%{{.*}}: memref<8xf32>, %{{.*}}: memref<index>) {
// REMARK:        "its callers do not hold its arena: the sizes of its buffers are known only while it runs"
func.func private @sized(%x: memref<8xf32>, %count: memref<index>) {
  %c0 = arith.constant 0 : index
  %n = memref.load %count[] : memref<index>
  %a = memref.alloc(%n) : memref<?xf32>
  %b = memref.alloc(%n) : memref<?xf32>
  %v = memref.load %x[%c0] : memref<8xf32>
  linalg.fill ins(%v : f32) outs(%a : memref<?xf32>)
  %u = memref.load %a[%c0] : memref<?xf32>
  linalg.fill ins(%u : f32) outs(%b : memref<?xf32>)
  %w = memref.load %b[%c0] : memref<?xf32>
  memref.store %w, %x[%c0] : memref<8xf32>
  return
}
// CHECK-LABEL: func.func private @leaky(%{{.*}}: memref<8xf32>) {
// REMARK:        "its callers do not hold its arena: somebody may still use a buffer of it when it has returned"
func.func private @leaky(%x: memref<8xf32>) {
  %a = memref.alloc() : memref<8xf32>
  memref.copy %x, %a : memref<8xf32> to memref<8xf32>
  %i = memref.extract_aligned_pointer_as_index %a : memref<8xf32> -> index
  "some.op"(%i) : (index) -> ()
  return
}
// CHECK-LABEL: func.func @all
// CHECK:         call_indirect
// CHECK:         call @named_in_frame(
// CHECK-NOT:     memref.view
func.func @all(%c: i1, %x: memref<8xf32>, %n: memref<index>) {
  call @circle(%c, %x) : (i1, memref<8xf32>) -> ()
  %f = func.constant @named : (memref<8xf32>) -> ()
  call_indirect %f(%x) : (memref<8xf32>) -> ()
  call @named(%x) : (memref<8xf32>) -> ()
  %t = async.execute {
    func.call @later(%x) : (memref<8xf32>) -> ()
    async.yield
  }
  async.await %t : !async.token
  omp.parallel {
    omp.single {
      func.call @somewhere(%x) : (memref<8xf32>) -> ()
      omp.terminator
    }
    omp.terminator
  }
  call @sized(%x, %n) : (memref<8xf32>, memref<index>) -> ()
  call @leaky(%x) : (memref<8xf32>) -> ()
  return
}

// -----

// Only a name for it, or only plain calls of its own: nothing to split. What
// gets no frame has its code back.
// CHECK-LABEL: func.func @twice(%{{.*}}: memref<8xf32>) -> f32 attributes {llvm.emit_c_interface} {
// CHECK:         call @twice_in_frame
// CHECK-LABEL: func.func private @twice_in_frame
// CHECK-SAME:    memref<32xi8> {llvm.align = 4 : i64}) -> f32 {
func.func @twice(%x: memref<8xf32>) -> f32 attributes {llvm.emit_c_interface} {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<8xf32>
  linalg.exp ins(%x : memref<8xf32>) outs(%a : memref<8xf32>)
  %v = memref.load %a[%c0] : memref<8xf32>
  return %v : f32
}
func.func private @print(memref<8xf32>)
// CHECK-LABEL: func.func @nothing(%{{.*}}: memref<8xf32>) {
// CHECK-NEXT:    call @print
// CHECK-NEXT:    return
// CHECK-NOT:   func.func private @nothing
func.func @nothing(%x: memref<8xf32>) {
  call @print(%x) : (memref<8xf32>) -> ()
  return
}
// CHECK:       func.func @outer
// CHECK:         call @twice_in_frame
// CHECK:         call @nothing(
func.func @outer(%x: memref<8xf32>) -> f32 {
  %v = call @twice(%x) : (memref<8xf32>) -> f32
  call @nothing(%x) : (memref<8xf32>) -> ()
  return %v : f32
}

// -----

// Who calls it tells how long its arena is, in front of the loop.
// CHECK-LABEL: func.func private @rows
// CHECK-SAME:    (%{{.*}}: index, %{{.*}}: memref<?xf32>, %[[FRAME:[a-z0-9]+]]: memref<?xi8> {llvm.align = 4 : i64})
// CHECK-NOT:     memref.alloc
// CHECK:         memref.view %[[FRAME]][%{{.*}}][%{{.*}}] {berth.buffer = 0 : i64} : memref<?xi8> to memref<?xf32>
// CHECK:         memref.view %[[FRAME]][%{{.*}}][%{{.*}}] {berth.buffer = 1 : i64} : memref<?xi8> to memref<?xf32>
func.func private @rows(%n: index, %x: memref<?xf32>) {
  %a = memref.alloc(%n) : memref<?xf32>
  linalg.exp ins(%x : memref<?xf32>) outs(%a : memref<?xf32>)
  %b = memref.alloc(%n) : memref<?xf32>
  linalg.add ins(%a, %x : memref<?xf32>, memref<?xf32>) outs(%b : memref<?xf32>)
  linalg.sub ins(%a, %b : memref<?xf32>, memref<?xf32>) outs(%x : memref<?xf32>)
  return
}
// CHECK-LABEL: func.func @turns
// CHECK:         %[[ALL:.*]] = memref.alloc(%{{.*}}) {{.*}} : memref<?xi8>
// CHECK-NOT:     memref.alloc
// CHECK:         scf.for
// CHECK:           cf.assert %{{.*}}, "berth: the size of the frame of the function called at line {{[0-9]+}}, column {{[0-9]+}} is negative or too large"
// CHECK:           %[[PART:.*]] = memref.view %[[ALL]][%{{.*}}][%{{.*}}] {berth.buffer = 0 : i64} : memref<?xi8> to memref<?xi8>
// CHECK:           func.call @rows(%{{.*}}, %{{.*}}, %[[PART]])
// CHECK:         memref.dealloc %[[ALL]]
func.func @turns(%x: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %x, %c0 : memref<?xf32>
  scf.for %i = %c0 to %n step %c1 {
    func.call @rows(%n, %x) : (index, memref<?xf32>) -> ()
  }
  return
}
// Where the size is another one in each turn, and nothing else would share the arena,
// it is allocated around the call.
// CHECK-LABEL: func.func @growing
// CHECK:         scf.for
// CHECK:           %[[OWN:.*]] = memref.alloc(%{{.*}}) {{.*}} : memref<?xi8>
// CHECK-NEXT:      func.call @rows(%{{.*}}, %{{.*}}, %[[OWN]])
// CHECK-NEXT:      memref.dealloc %[[OWN]]
func.func @growing(%x: memref<?xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    func.call @rows(%i, %x) : (index, memref<?xf32>) -> ()
  }
  return
}
