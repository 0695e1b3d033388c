// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Conditions made of others. Each kernel writes row t and reads row t - 1 where
// its condition says that there is one: two rows fold to one where all of it is
// read, and nothing does where the edge is not.
// RUN: %berth-opt %s --berth-fold=max-operations=0 | FileCheck %s
// RUN: mlir-opt %s --canonicalize | %berth-opt --berth-fold=max-operations=0 | FileCheck %s
// RUN: %same-output --pipeline='berth-fold{max-operations=0}' %s

// What canonicalize makes of two nested branches.
// CHECK-LABEL: func.func @both
// CHECK: memref.alloc() : memref<17xi64>
func.func @both(%o: memref<16xi64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c16 = arith.constant 16 : index
  %A = memref.alloc() : memref<8x16xi64>
  scf.for %t = %c0 to %c8 step %c1 {
    scf.for %i = %c0 to %c16 step %c1 {
      %v = memref.load %o[%i] : memref<16xi64>
      %ti = arith.index_cast %t : index to i64
      %w = arith.addi %v, %ti : i64
      memref.store %w, %A[%t, %i] : memref<8x16xi64>
      %p = arith.cmpi sge, %t, %c1 : index
      %q = arith.cmpi sge, %i, %c1 : index
      %r = arith.andi %p, %q : i1
      scf.if %r {
        %a = arith.subi %t, %c1 : index
        %b = arith.subi %i, %c1 : index
        %x = memref.load %A[%a, %b] : memref<8x16xi64>
        %y = arith.addi %x, %w : i64
        memref.store %y, %o[%i] : memref<16xi64>
      }
    }
  }
  memref.dealloc %A : memref<8x16xi64>
  return
}

// The region behind else has neither; a third of what is read is on data.
// CHECK-LABEL: func.func @neither
// CHECK: memref.alloc() : memref<17xi64>
func.func @neither(%o: memref<16xi64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c16 = arith.constant 16 : index
  %even = arith.constant 1 : i64
  %nil = arith.constant 0 : i64
  %A = memref.alloc() : memref<8x16xi64>
  scf.for %t = %c0 to %c8 step %c1 {
    scf.for %i = %c0 to %c16 step %c1 {
      %v = memref.load %o[%i] : memref<16xi64>
      %ti = arith.index_cast %t : index to i64
      %w = arith.addi %v, %ti : i64
      memref.store %w, %A[%t, %i] : memref<8x16xi64>
      %p = arith.cmpi slt, %t, %c1 : index
      %q = arith.cmpi eq, %i, %c0 : index
      %bit = arith.andi %v, %even : i64
      %data = arith.cmpi eq, %bit, %nil : i64
      %pq = arith.ori %p, %q : i1
      %r = arith.ori %data, %pq : i1
      scf.if %r {
      } else {
        %a = arith.subi %t, %c1 : index
        %b = arith.subi %i, %c1 : index
        %x = memref.load %A[%a, %b] : memref<8x16xi64>
        %y = arith.addi %x, %w : i64
        memref.store %y, %o[%i] : memref<16xi64>
      }
    }
  }
  memref.dealloc %A : memref<8x16xi64>
  return
}

// Row 0 has no row before it, and where t is 1 the data decides.
// CHECK-LABEL: func.func @choice
// CHECK: memref.alloc() : memref<16xi64>
func.func @choice(%o: memref<16xi64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c16 = arith.constant 16 : index
  %true = arith.constant true
  %false = arith.constant false
  %even = arith.constant 1 : i64
  %nil = arith.constant 0 : i64
  %A = memref.alloc() : memref<8x16xi64>
  scf.for %t = %c0 to %c8 step %c1 {
    scf.for %i = %c0 to %c16 step %c1 {
      %v = memref.load %o[%i] : memref<16xi64>
      %p = arith.cmpi slt, %t, %c1 : index
      %not = arith.xori %p, %true : i1
      %q = arith.cmpi eq, %t, %c1 : index
      %bit = arith.andi %v, %even : i64
      %data = arith.cmpi eq, %bit, %nil : i64
      %unlike = arith.xori %p, %q : i1
      %s = arith.select %unlike, %data, %not : i1
      %r = arith.select %p, %false, %s : i1
      scf.if %r {
        %a = arith.subi %t, %c1 : index
        %x = memref.load %A[%a, %i] : memref<8x16xi64>
        %y = arith.addi %x, %v : i64
        memref.store %y, %o[%i] : memref<16xi64>
      }
      %ti = arith.index_cast %t : index to i64
      %w = arith.addi %v, %ti : i64
      memref.store %w, %A[%t, %i] : memref<8x16xi64>
    }
  }
  memref.dealloc %A : memref<8x16xi64>
  return
}

// A store under a condition that is read in part may leave what was there, so
// row 0 lives on in the columns that it does not overwrite.
// CHECK-LABEL: func.func @may
// CHECK: memref.alloc() : memref<8x16xi64>
func.func @may(%o: memref<16xi64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c16 = arith.constant 16 : index
  %even = arith.constant 1 : i64
  %nil = arith.constant 0 : i64
  %A = memref.alloc() : memref<8x16xi64>
  scf.for %t = %c0 to %c8 step %c1 {
    scf.for %i = %c0 to %c16 step %c1 {
      %v = memref.load %o[%i] : memref<16xi64>
      %ti = arith.index_cast %t : index to i64
      %w = arith.addi %v, %ti : i64
      memref.store %w, %A[%t, %i] : memref<8x16xi64>
    }
  }
  scf.for %t = %c0 to %c8 step %c1 {
    scf.for %i = %c0 to %c16 step %c1 {
      %v = memref.load %o[%i] : memref<16xi64>
      %bit = arith.andi %v, %even : i64
      %data = arith.cmpi eq, %bit, %nil : i64
      %p = arith.cmpi sge, %t, %c0 : index
      %r = arith.andi %p, %data : i1
      scf.if %r {
        memref.store %v, %A[%t, %i] : memref<8x16xi64>
      }
      %x = memref.load %A[%t, %i] : memref<8x16xi64>
      %y = arith.addi %x, %v : i64
      memref.store %y, %o[%i] : memref<16xi64>
    }
  }
  memref.dealloc %A : memref<8x16xi64>
  return
}

// Columns 2 to 8 of rows 6 and 7 live on to the second nest; what it reads of a
// row may not lie where later rows are written.
// CHECK-LABEL: func.func @outside
// CHECK: memref.alloc() : memref<23xi64>
func.func @outside(%o: memref<16xi64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %c6 = arith.constant 6 : index
  %c8 = arith.constant 8 : index
  %c16 = arith.constant 16 : index
  %A = memref.alloc() : memref<8x16xi64>
  scf.for %t = %c0 to %c8 step %c1 {
    scf.for %i = %c0 to %c16 step %c1 {
      %v = memref.load %o[%i] : memref<16xi64>
      %ti = arith.index_cast %t : index to i64
      %w = arith.addi %v, %ti : i64
      memref.store %w, %A[%t, %i] : memref<8x16xi64>
    }
  }
  scf.for %t = %c0 to %c8 step %c1 {
    scf.for %i = %c0 to %c16 step %c1 {
      %v = memref.load %o[%i] : memref<16xi64>
      %p = arith.cmpi slt, %t, %c6 : index
      %q = arith.cmpi sle, %i, %c1 : index
      %u = arith.cmpi sgt, %i, %c8 : index
      %pq = arith.ori %p, %q : i1
      %r = arith.ori %pq, %u : i1
      scf.if %r {
      } else {
        %x = memref.load %A[%t, %i] : memref<8x16xi64>
        %y = arith.addi %x, %v : i64
        memref.store %y, %o[%i] : memref<16xi64>
      }
    }
  }
  memref.dealloc %A : memref<8x16xi64>
  return
}

// Rows 2 and 6: no ring of fewer rows than six holds both.
// CHECK-LABEL: func.func @either
// CHECK: memref.alloc() : memref<6x16xi64>
func.func @either(%o: memref<16xi64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %c6 = arith.constant 6 : index
  %c8 = arith.constant 8 : index
  %c16 = arith.constant 16 : index
  %A = memref.alloc() : memref<8x16xi64>
  scf.for %t = %c0 to %c8 step %c1 {
    scf.for %i = %c0 to %c16 step %c1 {
      %v = memref.load %o[%i] : memref<16xi64>
      %ti = arith.index_cast %t : index to i64
      %w = arith.addi %v, %ti : i64
      memref.store %w, %A[%t, %i] : memref<8x16xi64>
    }
  }
  scf.for %t = %c0 to %c8 step %c1 {
    scf.for %i = %c0 to %c16 step %c1 {
      %v = memref.load %o[%i] : memref<16xi64>
      %p = arith.cmpi eq, %t, %c2 : index
      %q = arith.cmpi eq, %t, %c6 : index
      %r = arith.ori %p, %q : i1
      scf.if %r {
        %x = memref.load %A[%t, %i] : memref<8x16xi64>
        %y = arith.addi %x, %v : i64
        memref.store %y, %o[%i] : memref<16xi64>
      }
    }
  }
  memref.dealloc %A : memref<8x16xi64>
  return
}

// Rows 2 and 3, until row 7 is written.
// CHECK-LABEL: func.func @unlike
// CHECK: memref.alloc() : memref<6x16xi64>
func.func @unlike(%o: memref<16xi64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %c6 = arith.constant 6 : index
  %c8 = arith.constant 8 : index
  %c16 = arith.constant 16 : index
  %A = memref.alloc() : memref<8x16xi64>
  scf.for %t = %c0 to %c8 step %c1 {
    scf.for %i = %c0 to %c16 step %c1 {
      %v = memref.load %o[%i] : memref<16xi64>
      %ti = arith.index_cast %t : index to i64
      %w = arith.addi %v, %ti : i64
      memref.store %w, %A[%t, %i] : memref<8x16xi64>
    }
  }
  scf.for %t = %c0 to %c8 step %c1 {
    scf.for %i = %c0 to %c16 step %c1 {
      %v = memref.load %o[%i] : memref<16xi64>
      %p = arith.cmpi sge, %t, %c2 : index
      %q = arith.cmpi sge, %t, %c4 : index
      %r = arith.xori %p, %q : i1
      scf.if %r {
        %x = memref.load %A[%t, %i] : memref<8x16xi64>
        %y = arith.addi %x, %v : i64
        memref.store %y, %o[%i] : memref<16xi64>
      }
    }
  }
  memref.dealloc %A : memref<8x16xi64>
  return
}

// Rows 1 and 6.
// CHECK-LABEL: func.func @by_case
// CHECK: memref.alloc() : memref<7x16xi64>
func.func @by_case(%o: memref<16xi64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %c6 = arith.constant 6 : index
  %c8 = arith.constant 8 : index
  %c16 = arith.constant 16 : index
  %A = memref.alloc() : memref<8x16xi64>
  scf.for %t = %c0 to %c8 step %c1 {
    scf.for %i = %c0 to %c16 step %c1 {
      %v = memref.load %o[%i] : memref<16xi64>
      %ti = arith.index_cast %t : index to i64
      %w = arith.addi %v, %ti : i64
      memref.store %w, %A[%t, %i] : memref<8x16xi64>
    }
  }
  scf.for %t = %c0 to %c8 step %c1 {
    scf.for %i = %c0 to %c16 step %c1 {
      %v = memref.load %o[%i] : memref<16xi64>
      %p = arith.cmpi slt, %t, %c4 : index
      %q = arith.cmpi ne, %t, %c1 : index
      %u = arith.cmpi ne, %t, %c6 : index
      %r = arith.select %p, %q, %u : i1
      scf.if %r {
      } else {
        %x = memref.load %A[%t, %i] : memref<8x16xi64>
        %y = arith.addi %x, %v : i64
        memref.store %y, %o[%i] : memref<16xi64>
      }
    }
  }
  memref.dealloc %A : memref<8x16xi64>
  return
}

func.func @main() {
  %o = memref.alloc() : memref<16xi64>
  affine.for %i = 0 to 16 {
    %v = arith.index_cast %i : index to i64
    %square = arith.muli %v, %v : i64
    affine.store %square, %o[%i] : memref<16xi64>
  }
  call @both(%o) : (memref<16xi64>) -> ()
  call @neither(%o) : (memref<16xi64>) -> ()
  call @choice(%o) : (memref<16xi64>) -> ()
  call @outside(%o) : (memref<16xi64>) -> ()
  call @either(%o) : (memref<16xi64>) -> ()
  call @unlike(%o) : (memref<16xi64>) -> ()
  call @by_case(%o) : (memref<16xi64>) -> ()
  call @may(%o) : (memref<16xi64>) -> ()
  affine.for %i = 0 to 16 {
    %v = affine.load %o[%i] : memref<16xi64>
    vector.print %v : i64
  }
  memref.dealloc %o : memref<16xi64>
  return
}
