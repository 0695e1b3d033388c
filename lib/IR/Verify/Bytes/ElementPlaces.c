//===- ElementPlaces.c - Where the elements of accesses lie ---------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Verify/Bytes/ElementPlaces.h"
#include "IR/Facts/Facts.h"
#include "IR/Facts/SliceFacts.h"
#include "IR/Ops/OpTable.h"
#include "mlir-c/AffineMap.h"
#include "mlir-c/BuiltinTypes.h"

/// Where a memref's element 0, 0, ... lies in the buffer, and how far apart
/// neighbours are; in elements.
typedef struct Layout {
  int start; ///< a node
  intptr_t rank;
  int64_t strides[BERTH_SLICE_MAX_RANK];
} Layout;

static bool readLayout(MlirType type, Layout *layout, int64_t *offset) {
  layout->rank = mlirShapedTypeGetRank(type);
  return berthMemRefGetStrides(type, layout->strides, offset);
}

/// True for what the buffer itself is known by: all of it, one element behind
/// the other.
static bool isBuffer(const BerthViews *views, uint32_t root, MlirValue value) {
  const BerthRootSet *set = berthViewsFind(views, value);
  MlirType type = mlirValueGetType(value);
  return set && set->isWhole && set->count == 1 && set->ids[0] == root &&
         mlirShapedTypeHasStaticShape(type) &&
         mlirAffineMapIsIdentity(mlirMemRefTypeGetAffineMap(type));
}

/// A part of what has that layout.
static bool takePart(BerthIndexProgram *program, const BerthSubView *part,
                     Layout *layout) {
  Layout source = *layout;
  layout->rank = 0;
  for (intptr_t d = 0; d < part->rank; ++d) {
    if (!mlirValueIsNull(part->strides[d].value))
      return false;
    int shift =
        berthIndexCombine(program, BERTH_INDEX_MULTIPLY,
                          berthIndexCompileMixed(program, part->offsets[d]),
                          berthIndexNumber(program, source.strides[d]));
    layout->start =
        berthIndexCombine(program, BERTH_INDEX_ADD, layout->start, shift);
    if (part->results[d] >= 0 &&
        __builtin_mul_overflow(source.strides[d], part->strides[d].number,
                               &layout->strides[layout->rank++]))
      return false;
  }
  return true;
}

/// What other views make of that layout. They count from the byte that their
/// source counts from; one of bytes counts from elsewhere.
static bool changeLayout(BerthIndexProgram *program, MlirOperation view,
                         Layout *layout) {
  MlirType type = mlirValueGetType(mlirOperationGetResult(view, 0));
  int64_t offset;
  if (berthOpIs(view, BERTH_OP_CAST))
    return true;
  if (!readLayout(type, layout, &offset))
    return false;
  if (berthOpIs(view, BERTH_OP_REINTERPRET)) {
    layout->start = berthIndexNumber(program, offset);
    return !mlirShapedTypeIsDynamicStrideOrOffset(offset);
  }
  return berthViewIsWhole(view) && !berthOpIs(view, BERTH_OP_VIEW);
}

static bool findLayout(BerthIndexProgram *program, const BerthViews *views,
                       uint32_t root, MlirValue value, Layout *layout) {
  int64_t offset;
  if (!mlirTypeIsAMemRef(mlirValueGetType(value)))
    return false;
  if (isBuffer(views, root, value)) {
    layout->start = berthIndexNumber(program, 0);
    return readLayout(mlirValueGetType(value), layout, &offset);
  }
  if (!mlirValueIsAOpResult(value))
    return false;
  MlirOperation view = mlirOpResultGetOwner(value);
  MlirValue source = berthViewGetSource(view);
  BerthSubView part;
  if (mlirValueIsNull(source) || !mlirTypeIsAMemRef(mlirValueGetType(source)) ||
      !mlirTypeEqual(mlirShapedTypeGetElementType(mlirValueGetType(source)),
                     mlirShapedTypeGetElementType(mlirValueGetType(value))) ||
      !findLayout(program, views, root, source, layout))
    return false;
  return berthSubViewGet(view, &part) ? takePart(program, &part, layout)
                                      : changeLayout(program, view, layout);
}

/// The subscripts of an access, and how many elements of the last dimension it
/// has from there on.
static bool findSubscripts(const BerthRootAccess *access, intptr_t rank,
                           intptr_t *first, int64_t *count) {
  *first = access->operand + 1;
  *count = 1;
  if (berthOpIsElementAccess(access->op))
    return true;
  BerthVectorAccess vector;
  if ((!berthVectorGetAccess(access->op, &vector) &&
       !berthAffineVectorGetAccess(access->op, &vector)) ||
      vector.memref != access->operand)
    return false;
  for (intptr_t d = 0; d + 1 < rank; ++d)
    if (vector.extents[d] != 1)
      return false;
  *first = vector.firstIndex;
  *count = rank ? vector.extents[rank - 1] : 1;
  return true;
}

static int addSubscript(BerthIndexProgram *program, MlirOperation op,
                        intptr_t first, intptr_t dim, const Layout *layout,
                        int at) {
  int index =
      berthOpIsAffine(op)
          ? berthIndexCompileMap(program, op, first, dim, BERTH_INDEX_ADD)
          : berthIndexCompile(program,
                              mlirOperationGetOperand(op, first + dim));
  int stride = berthIndexNumber(program, layout->strides[dim]);
  return berthIndexCombine(
      program, BERTH_INDEX_ADD, at,
      berthIndexCombine(program, BERTH_INDEX_MULTIPLY, index, stride));
}

bool berthElementPlaceOf(BerthIndexProgram *program, const BerthViews *views,
                         const BerthRootAccess *access,
                         BerthElementPlace *place) {
  MlirValue value = mlirOperationGetOperand(access->op, access->operand);
  MlirType type = mlirValueGetType(value);
  Layout layout;
  BerthTypeSize size;
  intptr_t first;
  if (!findLayout(program, views, access->root, value, &layout) ||
      !findSubscripts(access, layout.rank, &first, &place->count))
    return false;
  BerthSizeResult known = berthMemRefGetSize(type, access->op, &size);
  if (known != BERTH_SIZE_OK && known != BERTH_SIZE_DYNAMIC)
    return false;
  int at = layout.start;
  for (intptr_t d = 0; d < layout.rank; ++d)
    at = addSubscript(program, access->op, first, d, &layout, at);
  place->elementBytes = size.elementBytes;
  if (__builtin_mul_overflow(layout.rank ? layout.strides[layout.rank - 1] : 1,
                             size.elementBytes, &place->byteStride))
    return false;
  place->at = berthIndexCombine(program, BERTH_INDEX_MULTIPLY, at,
                                berthIndexNumber(program, size.elementBytes));
  return berthIndexIsKnown(program, place->at);
}
