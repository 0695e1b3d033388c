//===- Build.h - The few ops that Berth creates -------------------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_OPS_BUILD_H
#define BERTH_LIB_IR_OPS_BUILD_H

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "mlir-c/IR.h"

#include <stdint.h>

/// Where new ops go: into `block`, before `before` (at its end if null), with
/// `location`.
typedef struct BerthInsertPoint {
  MlirBlock block;
  MlirOperation before;
  MlirLocation location;
} BerthInsertPoint;

BerthInsertPoint berthInsertBefore(MlirOperation op);
/// At the start of a region's entry block.
BerthInsertPoint berthInsertAtEntry(MlirRegion region, MlirLocation location);

MlirNamedAttribute berthNamed(MlirContext context, const char *name,
                              MlirAttribute attribute);
MlirAttribute berthAttributeOf(MlirOperation op, const char *name);
void berthSetAttribute(MlirOperation op, const char *name,
                       MlirAttribute attribute);
MlirAttribute berthI64(MlirContext context, int64_t value);
MlirAttribute berthI32Array(MlirContext context, intptr_t count,
                            const int32_t *values);

/// Creates and inserts an op. Lists may be NULL where their count is 0.
MlirOperation berthBuild(BerthInsertPoint at, const char *name,
                         intptr_t numOperands, const MlirValue *operands,
                         intptr_t numResults, const MlirType *results,
                         intptr_t numAttributes,
                         const MlirNamedAttribute *attributes);
/// The same for an op with one result, which is returned.
MlirValue berthBuildValue(BerthInsertPoint at, const char *name,
                          intptr_t numOperands, const MlirValue *operands,
                          MlirType result, intptr_t numAttributes,
                          const MlirNamedAttribute *attributes);

/// arith.constant of type index, or of an integer type.
MlirValue berthBuildIndex(BerthInsertPoint at, int64_t value);
MlirValue berthBuildInteger(BerthInsertPoint at, MlirType type, int64_t value);

/// arith.cmpi by its number of the predicate.
MlirValue berthBuildCompare(BerthInsertPoint at, int64_t predicate, MlirValue a,
                            MlirValue b);

/// memref<bytes x i8, space>; a negative size is dynamic.
MlirType berthByteMemRef(MlirContext context, int64_t bytes,
                         MlirAttribute space);

/// memref.reinterpret_cast of the first operand to the type's own sizes, at
/// this offset and these strides; further operands are its dynamic sizes.
MlirValue berthBuildReinterpret(BerthInsertPoint at, MlirType type,
                                int64_t offset, const int64_t *strides,
                                intptr_t numOperands,
                                const MlirValue *operands);

/// A typed view of `arena` at a constant byte offset: memref.view, followed by
/// memref.reinterpret_cast where the type's layout is not the identity.
MlirValue berthBuildView(BerthInsertPoint at, MlirValue arena, int64_t offset,
                         MlirType type);

/// The same for what a memref.alloc of dynamic size and identity layout yields,
/// at an offset that is a value.
MlirValue berthBuildDynamicView(BerthInsertPoint at, MlirValue arena,
                                MlirValue shift, MlirOperation alloc);

#endif // BERTH_LIB_IR_OPS_BUILD_H
