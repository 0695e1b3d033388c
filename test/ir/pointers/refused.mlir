// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %berth-opt %s --allow-unregistered-dialect -o %t \
// RUN:   --pass-pipeline='builtin.module(berth-print-liveness)' 2>&1 | FileCheck %s

// Buffers that are left alone, each with its reason and the op that gives it;
// and those that leaked pointers keep alive to the end of their scope.

func.func private @unknown(memref<8xf32>)

// CHECK-LABEL: liveness of @returned
// CHECK:       not placed: it is returned (func.return at line [[#@LINE+6]])
func.func @returned(%c: i1, %x: memref<8xf32>) -> memref<8xf32> {
  %f = arith.constant 1.0 : f32
  %a = memref.alloc() : memref<8xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<8xf32>)
  %p = arith.select %c, %a, %x : memref<8xf32>
  return %p : memref<8xf32>
}

// CHECK-LABEL: liveness of @stored
// CHECK:       not placed: its address is stored in memory (memref.store at line [[#@LINE+5]])
func.func @stored(%table: memref<1xmemref<8xf32>>) {
  %f = arith.constant 1.0 : f32
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<8xf32>
  memref.store %a, %table[%c0] : memref<1xmemref<8xf32>>
  return
}

// An integer that is its address is as good as a pointer.
// CHECK-LABEL: liveness of @address_taken
// CHECK:       %alloc = memref.alloc
// CHECK-NEXT:  not placed: it is returned (func.return at line [[#@LINE+8]])
// CHECK-NEXT:  %alloc_0 =
func.func @address_taken(%out: memref<8xf32>) -> index {
  %f = arith.constant 1.0 : f32
  %a = memref.alloc() : memref<8xf32>
  %b = memref.alloc() : memref<8xf32>
  %p = memref.extract_aligned_pointer_as_index %a : memref<8xf32> -> index
  linalg.fill ins(%f : f32) outs(%b : memref<8xf32>)
  return %p : index
}

// Sizes and strides are no addresses.
// CHECK-LABEL: liveness of @shape_taken
// CHECK:       %alloc = memref.alloc
// CHECK-NEXT:  linalg.fill at line [[#@LINE+6]]
// CHECK-NOT:   func.return
func.func @shape_taken() -> index {
  %f = arith.constant 1.0 : f32
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<8xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<8xf32>)
  %d = memref.dim %a, %c0 : memref<8xf32>
  %base, %offset, %size, %stride = memref.extract_strided_metadata %a
      : memref<8xf32> -> memref<f32>, index, index, index
  %sum = arith.addi %d, %size : index
  return %sum : index
}

// A new buffer every round, and the last one still in use.
// CHECK-LABEL: liveness of @ping_pong
// CHECK:       not placed: its previous instance may still be used when it is allocated again (memref.alloc at line [[#@LINE+9]])
func.func @ping_pong(%x: memref<8xf32>, %out: memref<8xf32>) {
  %f = arith.constant 1.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c10 = arith.constant 10 : index
  %p = scf.for %i = %c0 to %c10 step %c1 iter_args(%old = %x)
      -> (memref<8xf32>) {
    // %old is the buffer of the round before.
    %new = memref.alloc() : memref<8xf32>
    memref.copy %old, %new : memref<8xf32> to memref<8xf32>
    scf.yield %new : memref<8xf32>
  }
  memref.copy %p, %out : memref<8xf32> to memref<8xf32>
  return
}

// Its last instance leaves the loop, but no older one is used by then.
// CHECK-LABEL: liveness of @last_instance_leaves
// CHECK:       %alloc = memref.alloc
// CHECK-NOT:   not placed
func.func @last_instance_leaves(%x: memref<8xf32>, %out: memref<8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c10 = arith.constant 10 : index
  %p = scf.for %i = %c0 to %c10 step %c1 iter_args(%old = %x)
      -> (memref<8xf32>) {
    %new = memref.alloc() : memref<8xf32>
    memref.copy %x, %new : memref<8xf32> to memref<8xf32>
    scf.yield %new : memref<8xf32>
  }
  memref.copy %p, %out : memref<8xf32> to memref<8xf32>
  return
}

// CHECK-LABEL: liveness of @block_ping_pong
// CHECK:       not placed: its previous instance
func.func @block_ping_pong(%c: i1, %x: memref<8xf32>, %out: memref<8xf32>) {
  cf.br ^body(%x : memref<8xf32>)
^body(%old: memref<8xf32>):
  %new = memref.alloc() : memref<8xf32>
  memref.copy %old, %new : memref<8xf32> to memref<8xf32>
  cf.cond_br %c, ^body(%new : memref<8xf32>), ^end
^end:
  memref.copy %new, %out : memref<8xf32> to memref<8xf32>
  return
}

// Many instances at once.
// CHECK-LABEL: liveness of @unknown_region
// CHECK:       not placed: it is allocated in a region that may run many times at once or in an unknown order (dialect.region at line [[#@LINE+4]])
func.func @unknown_region(%out: memref<8xf32>) {
  %f = arith.constant 1.0 : f32
  %c0 = arith.constant 0 : index
  "dialect.region"() ({
    %a = memref.alloc() : memref<8xf32>
    memref.store %f, %a[%c0] : memref<8xf32>
    memref.copy %a, %out : memref<8xf32> to memref<8xf32>
  }) : () -> ()
  return
}

// What iterations touch is live for the whole op, before and after the access.
// CHECK-LABEL: liveness of @parallel_use
// CHECK:       %alloc = memref.alloc
// CHECK-NEXT:  linalg.fill at line [[#@LINE+13]] .. scf.parallel at line [[#@LINE+14]]
// CHECK:       %alloc_0 = memref.alloc
// CHECK-NEXT:  scf.parallel at line [[#@LINE+12]] .. scf.parallel at line [[#@LINE+12]]
// CHECK:       %alloc_1 = memref.alloc
// CHECK-NEXT:  scf.forall at line [[#@LINE+17]] .. scf.forall at line [[#@LINE+17]]
func.func @parallel_use(%out: memref<8xf32>) {
  %f = arith.constant 1.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %a = memref.alloc() : memref<8xf32>
  %t = memref.alloc() : memref<8xf32>
  %u = memref.alloc() : memref<8xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<8xf32>)
  scf.parallel (%i) = (%c0) to (%c8) step (%c1) {
    %v = memref.load %a[%i] : memref<8xf32>
    memref.store %v, %out[%i] : memref<8xf32>
    memref.store %f, %t[%i] : memref<8xf32>
    %w = memref.load %t[%i] : memref<8xf32>
    memref.store %w, %out[%i] : memref<8xf32>
  }
  scf.forall (%i) in (8) {
    memref.store %f, %u[%i] : memref<8xf32>
    %w = memref.load %u[%i] : memref<8xf32>
    memref.store %w, %out[%i] : memref<8xf32>
  }
  return
}

// Async code holds its buffers until its token is awaited.
// CHECK-LABEL: liveness of @async_use
// CHECK:       %alloc = memref.alloc
// CHECK-NEXT:  linalg.fill at line [[#@LINE+7]] .. async.await at line [[#@LINE+14]]
// CHECK-NEXT:  %alloc_0 = memref.alloc
// CHECK-NEXT:  linalg.fill at line [[#@LINE+10]] .. memref.copy at line [[#@LINE+11]]
func.func @async_use(%out: memref<8xf32>) {
  %f = arith.constant 1.0 : f32
  %a = memref.alloc() : memref<8xf32>
  %t = memref.alloc() : memref<8xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<8xf32>)
  %token = async.execute {
    memref.copy %a, %out : memref<8xf32> to memref<8xf32>
    async.yield
  }
  linalg.fill ins(%f : f32) outs(%t : memref<8xf32>)
  memref.copy %t, %out : memref<8xf32> to memref<8xf32>
  async.await %token : !async.token
  return
}

// CHECK-LABEL: liveness of @async_not_awaited
// CHECK:       not placed: async code that is not awaited in its block uses it (async.execute at line [[#@LINE+5]])
func.func @async_not_awaited(%out: memref<8xf32>) {
  %f = arith.constant 1.0 : f32
  %a = memref.alloc() : memref<8xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<8xf32>)
  %token = async.execute {
    memref.copy %a, %out : memref<8xf32> to memref<8xf32>
    async.yield
  }
  return
}

func.func private @reader(%x: memref<8xf32>, %out: memref<8xf32>) {
  memref.copy %x, %out : memref<8xf32> to memref<8xf32>
  return
}

func.func private @keeper(%x: memref<8xf32>, %table: memref<1xmemref<8xf32>>) {
  %c0 = arith.constant 0 : index
  memref.store %x, %table[%c0] : memref<1xmemref<8xf32>>
  return
}

func.func private @recursive(%c: i1, %x: memref<8xf32>) {
  scf.if %c {
    func.call @recursive(%c, %x) : (i1, memref<8xf32>) -> ()
  }
  return
}

// A call into a known function does what its body does: %a is only read.
// CHECK-LABEL: liveness of @known_call
// CHECK:       %alloc = memref.alloc
// CHECK-NEXT:  linalg.fill at line [[#@LINE+5]] .. func.call at line [[#@LINE+6]]
// CHECK-NOT:   not placed
func.func @known_call(%out: memref<8xf32>) {
  %f = arith.constant 1.0 : f32
  %a = memref.alloc() : memref<8xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<8xf32>)
  call @reader(%a, %out) : (memref<8xf32>, memref<8xf32>) -> ()
  return
}

// CHECK-LABEL: liveness of @keeping_call
// CHECK:       not placed: a called function lets it get away (func.call at line [[#@LINE+3]])
func.func @keeping_call(%table: memref<1xmemref<8xf32>>) {
  %a = memref.alloc() : memref<8xf32>
  call @keeper(%a, %table) : (memref<8xf32>, memref<1xmemref<8xf32>>) -> ()
  return
}

// An unknown function reads and writes, and keeps nothing.
// CHECK-LABEL: liveness of @unknown_calls
// CHECK:       %alloc = memref.alloc
// CHECK-NEXT:  func.call at line [[#@LINE+4]] .. func.call at line [[#@LINE+5]]
// CHECK-NOT:   not placed
func.func @unknown_calls(%c: i1) {
  %a = memref.alloc() : memref<8xf32>
  call @unknown(%a) : (memref<8xf32>) -> ()
  call @recursive(%c, %a) : (i1, memref<8xf32>) -> ()
  return
}

// An unregistered op: it reads and writes, and its results may be the buffer.
// CHECK-LABEL: liveness of @unknown_op
// CHECK:       %alloc = memref.alloc
// CHECK-NEXT:  linalg.fill at line [[#@LINE+6]] .. other.consume at line [[#@LINE+9]]
// CHECK-NEXT:  %alloc_0 = memref.alloc
func.func @unknown_op(%out: memref<8xf32>) {
  %f = arith.constant 1.0 : f32
  %a = memref.alloc() : memref<8xf32>
  %t = memref.alloc() : memref<8xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<8xf32>)
  %d = "other.wrap"(%a) : (memref<8xf32>) -> !other.descriptor
  linalg.fill ins(%f : f32) outs(%t : memref<8xf32>)
  "other.consume"(%d) : (!other.descriptor) -> ()
  return
}

// CHECK-LABEL: liveness of @dynamic_size
// CHECK:       not placed:
func.func @dynamic_size(%n: index, %out: memref<?xf32>) {
  %f = arith.constant 1.0 : f32
  %a = memref.alloc(%n) : memref<?xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<?xf32>)
  memref.copy %a, %out : memref<?xf32> to memref<?xf32>
  return
}

// CHECK-LABEL: liveness of @unused
// CHECK:       %alloc = memref.alloc
// CHECK-NEXT:  memref.alloc at line [[#@LINE+2]]
func.func @unused() {
  %a = memref.alloc() : memref<8xf32>
  return
}

// The base that strided metadata tell of is the buffer: returned, it leaves.
// CHECK-LABEL: liveness of @metadata_escapes
// CHECK:       not placed: it is returned (func.return at line [[#@LINE+5]])
func.func @metadata_escapes() -> memref<f32> {
  %a = memref.alloc() : memref<8xf32>
  %base, %offset, %size, %stride = memref.extract_strided_metadata %a
      : memref<8xf32> -> memref<f32>, index, index, index
  return %base : memref<f32>
}

// And used, it keeps the content alive.
// CHECK-LABEL: liveness of @metadata_base_used
// CHECK:       %alloc = memref.alloc
// CHECK-NEXT:  linalg.fill at line [[#@LINE+5]] .. memref.load at line [[#@LINE+9]]
func.func @metadata_base_used() -> f32 {
  %f = arith.constant 1.0 : f32
  %a = memref.alloc() : memref<8xf32>
  %t = memref.alloc() : memref<8xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<8xf32>)
  %base, %offset, %size, %stride = memref.extract_strided_metadata %a
      : memref<8xf32> -> memref<f32>, index, index, index
  linalg.fill ins(%f : f32) outs(%t : memref<8xf32>)
  %v = memref.load %base[] : memref<f32>
  return %v : f32
}

// CHECK-LABEL: liveness of @read_by_reduction
// CHECK:       liveness of scf.parallel
// CHECK:       not placed: the op that ends the iteration uses it (scf.reduce at line [[#@LINE+7]])
func.func @read_by_reduction(%n: index, %init: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.parallel (%i) = (%c0) to (%n) step (%c1) init (%init) -> f32 {
    %a = memref.alloc() : memref<8xf32>
    memref.store %init, %a[%c0] : memref<8xf32>
    scf.reduce(%init : f32) {
    ^bb0(%x: f32, %y: f32):
      %s = memref.load %a[%c0] : memref<8xf32>
      %t = arith.addf %x, %s : f32
      scf.reduce.return %t : f32
    }
  }
  return %r : f32
}

func.func private @remember(index)
// CHECK-LABEL: liveness of @leaves_iteration
// CHECK:       liveness of scf.forall
// CHECK:       not placed: its address gets away from an iteration of a parallel loop, and may be used after it (func.call at line [[#@LINE+5]])
func.func @leaves_iteration(%addresses: memref<8xindex>) {
  scf.forall (%i) in (8) {
    %a = memref.alloc() : memref<8xf32>
    %p = memref.extract_aligned_pointer_as_index %a : memref<8xf32> -> index
    func.call @remember(%p) : (index) -> ()
  }
  return
}

// In memory that threads share, nobody says whether each iteration has one.
// CHECK-LABEL: liveness of @shared_local
// CHECK:       not placed: it is allocated in a region that may run many times at once or in an unknown order (scf.forall at line [[#@LINE+4]])
gpu.module @kernels {
gpu.func @shared_local() kernel {
  %f = arith.constant 1.0 : f32
  scf.forall (%i) in (8) {
    %a = memref.alloc() : memref<8xf32, #gpu.address_space<workgroup>>
    memref.store %f, %a[%i] : memref<8xf32, #gpu.address_space<workgroup>>
  }
  gpu.return
}
}

// A task may run after the op that makes it.
// CHECK-LABEL: liveness of @task
// CHECK:       not placed: async code that is not awaited in its block uses it (omp.task at line [[#@LINE+4]])
func.func @task(%f: f32) {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<8xf32>
  omp.task {
    memref.store %f, %a[%c0] : memref<8xf32>
    omp.terminator
  }
  return
}

// Stored where only this function looks again, and yet: what is loaded may be
// any memref.
// CHECK-LABEL: liveness of @stored_locally
// CHECK:       not placed: its address is stored in memory
func.func @stored_locally(%out: memref<8xf32>) {
  %c0 = arith.constant 0 : index
  %table = memref.alloca() : memref<1xmemref<8xf32>>
  %a = memref.alloc() : memref<8xf32>
  memref.store %a, %table[%c0] : memref<1xmemref<8xf32>>
  %b = memref.load %table[%c0] : memref<1xmemref<8xf32>>
  memref.copy %b, %out : memref<8xf32> to memref<8xf32>
  return
}

// No bytes, and still a buffer.
// CHECK-LABEL: liveness of @no_bytes
// CHECK:       %alloc = memref.alloc at line [[#@LINE+3]], memref<0xf32>, 0 bytes
// CHECK-NEXT:  memref.copy at line [[#@LINE+3]]
func.func @no_bytes(%out: memref<0xf32>) {
  %a = memref.alloc() : memref<0xf32>
  memref.copy %a, %out : memref<0xf32> to memref<0xf32>
  return
}

// Of a descriptor in pieces, and of one that nobody follows, too.
// CHECK-LABEL: liveness of @taken_apart
// CHECK:       not placed: the pointer to its allocation is used, which would be the arena's (builtin.unrealized_conversion_cast at line [[#@LINE+8]])
// CHECK:       not placed: the pointer to its allocation is used, which would be the arena's (builtin.unrealized_conversion_cast at line [[#@LINE+10]])
// CHECK:       not placed: the pointer to its allocation is used, which would be the arena's (llvm.extractvalue at line [[#@LINE+13]])
!struct = !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
func.func @taken_apart() {
  %a = memref.alloc() : memref<8xf32>
  %b = memref.alloc() : memref<8xf32>
  %c = memref.alloc() : memref<8xf32>
  %p:5 = builtin.unrealized_conversion_cast %a : memref<8xf32> to !llvm.ptr, !llvm.ptr, i64, i64, i64
  %x = llvm.load %p#0 : !llvm.ptr -> i64
  %u = memref.cast %b : memref<8xf32> to memref<*xf32>
  %q = builtin.unrealized_conversion_cast %u : memref<*xf32> to !llvm.struct<(i64, ptr)>
  %d = builtin.unrealized_conversion_cast %c : memref<8xf32> to !struct
  %n = llvm.mlir.poison : !llvm.array<2 x !struct>
  %e = llvm.insertvalue %d, %n[1] : !llvm.array<2 x !struct>
  %r = llvm.extractvalue %e[1, 0] : !llvm.array<2 x !struct>
  %y = llvm.load %r : !llvm.ptr -> i64
  return
}

// What ends a region of an op that does not say where it goes is handed to
// somebody: the results of a payload are written to memory.
// CHECK-LABEL: liveness of @out_of_payload
// CHECK:       not placed: its address is handed out of a region, and nothing says where it goes (linalg.yield at line [[#@LINE+9]])
func.func @out_of_payload(%m: memref<4xi64>) {
  %f = arith.constant 1.0 : f32
  %a = memref.alloc() : memref<8xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<8xf32>)
  linalg.generic {indexing_maps = [affine_map<(d) -> (d)>], iterator_types = ["parallel"]} outs(%m : memref<4xi64>) {
  ^bb0(%o: i64):
    %i = memref.extract_aligned_pointer_as_index %a : memref<8xf32> -> index
    %n = arith.index_cast %i : index to i64
    linalg.yield %n : i64
  }
  return
}

// CHECK-LABEL: liveness of @out_of_mask
// CHECK:       not placed: its address is handed out of a region, and nothing says where it goes (vector.yield at line [[#@LINE+6]])
func.func @out_of_mask(%k: vector<4xi1>) -> i64 {
  %a = memref.alloc() : memref<8xf32>
  %i = memref.extract_aligned_pointer_as_index %a : memref<8xf32> -> index
  %n = arith.index_cast %i : index to i64
  %v = vector.broadcast %n : i64 to vector<4xi64>
  %r = vector.mask %k { vector.reduction <maxui>, %v : vector<4xi64> into i64 } : vector<4xi1> -> i64
  return %r : i64
}

// What code that runs later hands over becomes its op's result.
// CHECK-LABEL: liveness of @out_of_async
// CHECK:       not placed: it is returned (func.return at line [[#@LINE+8]])
func.func @out_of_async() -> memref<8xf32> {
  %a = memref.alloc() : memref<8xf32>
  %t, %v = async.execute -> !async.value<memref<8xf32>> {
    async.yield %a : memref<8xf32>
  }
  %r = async.await %v : !async.value<memref<8xf32>>
  async.await %t : !async.token
  return %r : memref<8xf32>
}

// CHECK-LABEL: liveness of @out_of_reduction
// CHECK:       not placed: its address is handed out of a region, and nothing says where it goes (scf.reduce.return at line [[#@LINE+10]])
func.func @out_of_reduction(%x: index, %y: index) -> index {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<8xf32>
  %r = scf.parallel (%i) = (%c0) to (%x) step (%c1) init (%y) -> index {
    scf.reduce(%i : index) {
    ^bb0(%l: index, %q: index):
      %n = memref.extract_aligned_pointer_as_index %a : memref<8xf32> -> index
      %s = arith.maxui %n, %l : index
      scf.reduce.return %s : index
    }
  }
  return %r : index
}

// On a host the function returns, and what asm was given may be kept.
// CHECK-LABEL: liveness of @given_to_asm
// CHECK:       not placed: other workgroups, or code that is not looked into, may use it at any time (llvm.inline_asm at line [[#@LINE+5]])
func.func @given_to_asm(%x: i64) {
  %a = memref.alloc() : memref<8xf32>
  %i = memref.extract_aligned_pointer_as_index %a : memref<8xf32> -> index
  %n = arith.index_cast %i : index to i64
  llvm.inline_asm has_side_effects "mov $0, ($1)", "r,r,~{memory}" %n, %x : (i64, i64) -> ()
  return
}

// CHECK-LABEL: liveness of @as_a_size
// CHECK:       not placed: its address becomes a size or an offset of a view, which may be asked for it (memref.subview at line [[#@LINE+5]])
func.func @as_a_size(%m: memref<?xf32>) -> index {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<8xf32>
  %i = memref.extract_aligned_pointer_as_index %a : memref<8xf32> -> index
  %v = memref.subview %m[0] [%i] [1] : memref<?xf32> to memref<?xf32, strided<[1]>>
  %n = memref.dim %v, %c0 : memref<?xf32, strided<[1]>>
  return %n : index
}
