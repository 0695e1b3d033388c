// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// With MLIR 19 what is asked for its address is not placed (heap/lost-addresses.mlir).
// REQUIRES: llvm-22
// What decides on deallocations goes with them, but only where nothing else
// depends on it.

// RUN: %mlir-opt-berth %s --pass-pipeline='builtin.module(berth-arena{dynamic=off})' | FileCheck %s
// RUN: %mlir-opt-berth %s --pass-pipeline='builtin.module(berth-arena{arena=annotate dynamic=off})' | FileCheck %s --check-prefix=ANNOTATE

func.func private @use(memref<16xf32>)
func.func private @note(i1)
func.func private @read(memref<2xi1>)

// Compares addresses and fills the second table, as @dealloc_helper does.
func.func private @helper(%pointers: memref<2xindex>, %verdicts: memref<2xi1>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %p = memref.load %pointers[%c0] : memref<2xindex>
  %q = memref.load %pointers[%c1] : memref<2xindex>
  %ne = arith.cmpi ne, %p, %q : index
  %true = arith.constant true
  memref.store %true, %verdicts[%c0] : memref<2xi1>
  memref.store %ne, %verdicts[%c1] : memref<2xi1>
  return
}

// Nested conditions, one of them computed: all of it goes. With annotate,
// nothing does.
// CHECK-LABEL: func.func @nested
// CHECK-NOT:   extract_aligned_pointer
// CHECK-NOT:   scf.if
// CHECK-NOT:   arith.andi
// CHECK:       memref.dealloc %alloc {
// CHECK-NEXT:  return
// ANNOTATE-LABEL: func.func @nested
// ANNOTATE:    scf.if
// ANNOTATE:    memref.dealloc
func.func @nested(%c: i1, %d: i1, %x: memref<16xf32>) {
  %a = memref.alloc() : memref<16xf32>
  call @use(%a) : (memref<16xf32>) -> ()
  %p = memref.extract_aligned_pointer_as_index %a : memref<16xf32> -> index
  %q = memref.extract_aligned_pointer_as_index %x : memref<16xf32> -> index
  %ne = arith.cmpi ne, %p, %q : index
  %both = arith.andi %ne, %d : i1
  scf.if %c {
    scf.if %both {
      memref.dealloc %a : memref<16xf32>
    }
  } else {
    memref.dealloc %a : memref<16xf32>
  }
  return
}

// CHECK-LABEL: func.func @tables
// CHECK:       memref.alloc() {{.*}} : memref<64xi8>
// CHECK-NOT:   memref.alloc
// CHECK-NOT:   @helper
// CHECK:       memref.dealloc %alloc {
// CHECK-NEXT:  return
func.func @tables(%x: memref<16xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<16xf32>
  call @use(%a) : (memref<16xf32>) -> ()
  %pointers = memref.alloc() : memref<2xindex>
  %verdicts = memref.alloca() : memref<2xi1>
  %p = memref.extract_aligned_pointer_as_index %a : memref<16xf32> -> index
  %q = memref.extract_aligned_pointer_as_index %x : memref<16xf32> -> index
  memref.store %p, %pointers[%c0] : memref<2xindex>
  memref.store %q, %pointers[%c1] : memref<2xindex>
  call @helper(%pointers, %verdicts) : (memref<2xindex>, memref<2xi1>) -> ()
  %v = memref.load %verdicts[%c0] : memref<2xi1>
  scf.if %v {
    memref.dealloc %a : memref<16xf32>
  }
  memref.dealloc %pointers : memref<2xindex>
  return
}

// The other verdict frees what was handed in: the tables stay, and get their
// places in the arena; only %a's own part goes.
// CHECK-LABEL: func.func @also_for_another
// CHECK:       call @helper
// CHECK-NEXT:  %[[VERDICT:.*]] = memref.load
// CHECK-NEXT:  scf.if %[[VERDICT]] {
// CHECK-NEXT:    memref.dealloc %arg0
// CHECK-NEXT:  }
// CHECK-NEXT:  memref.dealloc %alloc {
// CHECK-NEXT:  return
func.func @also_for_another(%x: memref<16xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<16xf32>
  call @use(%a) : (memref<16xf32>) -> ()
  %pointers = memref.alloc() : memref<2xindex>
  %verdicts = memref.alloc() : memref<2xi1>
  %p = memref.extract_aligned_pointer_as_index %a : memref<16xf32> -> index
  %q = memref.extract_aligned_pointer_as_index %x : memref<16xf32> -> index
  memref.store %p, %pointers[%c0] : memref<2xindex>
  memref.store %q, %pointers[%c1] : memref<2xindex>
  call @helper(%pointers, %verdicts) : (memref<2xindex>, memref<2xi1>) -> ()
  %v = memref.load %verdicts[%c0] : memref<2xi1>
  scf.if %v {
    memref.dealloc %a : memref<16xf32>
  }
  %w = memref.load %verdicts[%c1] : memref<2xi1>
  scf.if %w {
    memref.dealloc %x : memref<16xf32>
  }
  memref.dealloc %pointers : memref<2xindex>
  memref.dealloc %verdicts : memref<2xi1>
  return
}

// Somebody else reads the verdicts: the address that was stored for them may be
// read too, and its buffer stays where it is.
// CHECK-LABEL: func.func @also_read
// CHECK:       call @helper
// CHECK-NEXT:  call @read
// CHECK:       memref.dealloc %alloc_0
// CHECK:       memref.dealloc %alloc {
func.func @also_read(%x: memref<16xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<16xf32>
  call @use(%a) : (memref<16xf32>) -> ()
  %pointers = memref.alloca() : memref<2xindex>
  %verdicts = memref.alloca() : memref<2xi1>
  %p = memref.extract_aligned_pointer_as_index %a : memref<16xf32> -> index
  memref.store %p, %pointers[%c0] : memref<2xindex>
  memref.store %p, %pointers[%c1] : memref<2xindex>
  call @helper(%pointers, %verdicts) : (memref<2xindex>, memref<2xi1>) -> ()
  call @read(%verdicts) : (memref<2xi1>) -> ()
  %v = memref.load %verdicts[%c0] : memref<2xi1>
  scf.if %v {
    memref.dealloc %a : memref<16xf32>
  }
  return
}

// The scf.if does more, and its condition is used once more.
// CHECK-LABEL: func.func @does_more
// CHECK:       %[[BOTH:.*]] = arith.andi
// CHECK-NEXT:  scf.if %[[BOTH]] {
// CHECK-NEXT:    func.call @note(%[[BOTH]])
// CHECK-NEXT:  }
// CHECK:       memref.dealloc %alloc {
func.func @does_more(%c: i1, %d: i1) {
  %a = memref.alloc() : memref<16xf32>
  call @use(%a) : (memref<16xf32>) -> ()
  %both = arith.andi %c, %d : i1
  scf.if %both {
    func.call @note(%both) : (i1) -> ()
    memref.dealloc %a : memref<16xf32>
  }
  return
}

// A buffer that is not placed keeps its deallocation and all that decides on
// it, though another one's goes.
// CHECK-LABEL: func.func @not_placed
// CHECK:       %[[OWN:.*]] = memref.alloc(%{{.*}}) : memref<?xf32>
// CHECK:       call @helper
// CHECK:       scf.if
// CHECK-NEXT:    memref.dealloc %[[OWN]]
// CHECK-NEXT:  }
// CHECK-NEXT:  memref.dealloc %alloc {
func.func @not_placed(%n: index, %x: memref<16xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<16xf32>
  call @use(%a) : (memref<16xf32>) -> ()
  %b = memref.alloc(%n) : memref<?xf32>
  %pointers = memref.alloc() : memref<2xindex>
  %verdicts = memref.alloc() : memref<2xi1>
  %p = memref.extract_aligned_pointer_as_index %a : memref<16xf32> -> index
  %q = memref.extract_aligned_pointer_as_index %b : memref<?xf32> -> index
  memref.store %p, %pointers[%c0] : memref<2xindex>
  memref.store %q, %pointers[%c1] : memref<2xindex>
  call @helper(%pointers, %verdicts) : (memref<2xindex>, memref<2xi1>) -> ()
  %v = memref.load %verdicts[%c0] : memref<2xi1>
  scf.if %v {
    memref.dealloc %a : memref<16xf32>
  }
  %w = memref.load %verdicts[%c1] : memref<2xi1>
  scf.if %w {
    memref.dealloc %b : memref<?xf32>
  }
  memref.dealloc %pointers : memref<2xindex>
  memref.dealloc %verdicts : memref<2xi1>
  return
}
