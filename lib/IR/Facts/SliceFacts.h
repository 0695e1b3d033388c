//===- SliceFacts.h - Parts of memrefs that ops take at once ------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_FACTS_SLICEFACTS_H
#define BERTH_LIB_IR_FACTS_SLICEFACTS_H

#include "berth-c/Support.h"
#include "mlir-c/IR.h"

BERTH_EXTERN_C_BEGIN

#define BERTH_SLICE_MAX_RANK 8

/// A number, or a value known at run time only.
typedef struct BerthMixed {
  MlirValue value; ///< null: a number
  int64_t number;
} BerthMixed;

/// A memref.subview: by dimensions of its source.
typedef struct BerthSubView {
  intptr_t rank;
  BerthMixed offsets[BERTH_SLICE_MAX_RANK];
  BerthMixed sizes[BERTH_SLICE_MAX_RANK];
  BerthMixed strides[BERTH_SLICE_MAX_RANK];
  /// The result's dimension, or -1 where this one is dropped.
  intptr_t results[BERTH_SLICE_MAX_RANK];
} BerthSubView;

/// False for other ops, and for too many dimensions.
bool berthSubViewGet(MlirOperation op, BerthSubView *view);

/// The same part as `view` of `source`, in front of `old`, which it may
/// replace: with the shape of `old`, the layout that follows from the source's.
MlirValue berthSubViewBuild(MlirOperation old, MlirValue source,
                            const BerthSubView *view);
/// A part of all dimensions, in front of `before`.
MlirValue berthSubViewBuildFull(MlirOperation before, MlirValue source,
                                const BerthSubView *view);

/// The part of `source` that has this index in the first dimension, without
/// that dimension.
MlirValue berthSubViewBuildElement(MlirOperation before, MlirValue source,
                                   MlirValue index);

/// The type of a subview whose source has got another layout.
MlirType berthSubViewInferType(MlirOperation op);

/// The strides of a memref type, and its offset, which may be known at run time
/// only. False unless the strides are numbers, and for too many dimensions.
bool berthMemRefGetStrides(MlirType type, int64_t strides[BERTH_SLICE_MAX_RANK],
                           int64_t *offset);

/// A vector that is read or written, each element in bounds.
typedef struct BerthVectorAccess {
  intptr_t memref;     ///< operands
  intptr_t firstIndex; ///< one for each dimension
  bool isWrite;
  bool isMasked;                         ///< perhaps not all of it
  int64_t extents[BERTH_SLICE_MAX_RANK]; ///< by dimensions of the memref
} BerthVectorAccess;

/// True for vector.transfer_read and transfer_write, vector.load and store.
bool berthVectorGetAccess(MlirOperation op, BerthVectorAccess *access);

/// The same of affine.vector_load and vector_store, whose subscripts are those
/// of their maps.
bool berthAffineVectorGetAccess(MlirOperation op, BerthVectorAccess *access);

/// True for ops on whole memrefs whose strides may be any: those with
/// destinations (linalg). Copies (berthOpIsCopy) are others.
bool berthOpTakesAnyLayout(MlirOperation op);

BERTH_EXTERN_C_END

#endif // BERTH_LIB_IR_FACTS_SLICEFACTS_H
