//===- Build.c - The few ops that Berth creates ---------------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Ops/Build.h"
#include "IR/Ops/OrDie.h"
#include "mlir-c/AffineMap.h"

#include <string.h>

#include <stdlib.h>

static MlirStringRef string(const char *text) {
  return mlirStringRefCreateFromCString(text);
}

static MlirContext contextOf(BerthInsertPoint at) {
  return mlirLocationGetContext(at.location);
}

BerthInsertPoint berthInsertBefore(MlirOperation op) {
  return (BerthInsertPoint){mlirOperationGetBlock(op), op,
                            mlirOperationGetLocation(op)};
}

BerthInsertPoint berthInsertAtEntry(MlirRegion region, MlirLocation location) {
  MlirBlock entry = mlirRegionGetFirstBlock(region);
  return (BerthInsertPoint){entry, mlirBlockGetFirstOperation(entry), location};
}

MlirNamedAttribute berthNamed(MlirContext context, const char *name,
                              MlirAttribute attribute) {
  return mlirNamedAttributeGet(mlirIdentifierGet(context, string(name)),
                               attribute);
}

void berthSetAttribute(MlirOperation op, const char *name,
                       MlirAttribute attribute) {
  mlirOperationSetAttributeByName(op, string(name), attribute);
}

MlirAttribute berthI64(MlirContext context, int64_t value) {
  return mlirIntegerAttrGet(mlirIntegerTypeGet(context, 64), value);
}

MlirAttribute berthI32Array(MlirContext context, intptr_t count,
                            const int32_t *values) {
  return mlirDenseI32ArrayGet(context, count, values);
}

// A list for mlirOperationCreate, which frees it. The functions of the C API
// that make such lists use memory without asking whether it is there.
static void *ownedList(const void *list, intptr_t count, size_t size) {
  if (count == 0)
    return NULL;
  void *copy = berthAllocateOrDie((size_t)count, size);
  return memcpy(copy, list, (size_t)count * size);
}

static MlirOperation create(BerthInsertPoint at, MlirOperationState *state) {
  MlirOperation op = mlirOperationCreate(state);
  if (mlirOperationIsNull(op))
    berthFatal("Berth built an ill-formed op");
  if (mlirOperationIsNull(at.before))
    mlirBlockAppendOwnedOperation(at.block, op);
  else
    mlirBlockInsertOwnedOperationBefore(at.block, at.before, op);
  return op;
}

MlirOperation berthBuild(BerthInsertPoint at, const char *name,
                         intptr_t numOperands, const MlirValue *operands,
                         intptr_t numResults, const MlirType *results,
                         intptr_t numAttributes,
                         const MlirNamedAttribute *attributes) {
  MlirOperationState state = mlirOperationStateGet(string(name), at.location);
  state.nOperands = numOperands;
  state.operands = ownedList(operands, numOperands, sizeof *operands);
  state.nResults = numResults;
  state.results = ownedList(results, numResults, sizeof *results);
  state.nAttributes = numAttributes;
  state.attributes = ownedList(attributes, numAttributes, sizeof *attributes);
  return create(at, &state);
}

MlirOperation
berthBuildWithRegions(BerthInsertPoint at, const char *name,
                      intptr_t numOperands, const MlirValue *operands,
                      intptr_t numResults, const MlirType *results,
                      intptr_t numRegions, const MlirRegion *regions) {
  MlirOperationState state = mlirOperationStateGet(string(name), at.location);
  state.nOperands = numOperands;
  state.operands = ownedList(operands, numOperands, sizeof *operands);
  state.nResults = numResults;
  state.results = ownedList(results, numResults, sizeof *results);
  state.nRegions = numRegions;
  state.regions = ownedList(regions, numRegions, sizeof *regions);
  return create(at, &state);
}

/// A block that ends with scf.yield, in a region of its own.
static BerthInsertPoint buildBody(BerthInsertPoint at, intptr_t numArguments,
                                  MlirRegion *region) {
  MlirType index = mlirIndexTypeGet(mlirLocationGetContext(at.location));
  MlirBlock block = mlirBlockCreate(numArguments, &index, &at.location);
  BerthInsertPoint inside = {block, {NULL}, at.location};
  inside.before =
      berthBuild(inside, BERTH_NAME_YIELD, 0, NULL, 0, NULL, 0, NULL);
  *region = mlirRegionCreate();
  mlirRegionAppendOwnedBlock(*region, block);
  return inside;
}

BerthInsertPoint berthBuildFor(BerthInsertPoint at, MlirValue end) {
  MlirRegion region;
  MlirValue bounds[] = {berthBuildIndex(at, 0), end, berthBuildIndex(at, 1)};
  BerthInsertPoint inside = buildBody(at, 1, &region);
  berthBuildWithRegions(at, BERTH_NAME_FOR, 3, bounds, 0, NULL, 1, &region);
  return inside;
}

BerthInsertPoint berthBuildIf(BerthInsertPoint at, MlirValue condition) {
  MlirRegion regions[2];
  BerthInsertPoint inside = buildBody(at, 0, &regions[0]);
  regions[1] = mlirRegionCreate();
  berthBuildWithRegions(at, BERTH_NAME_IF, 1, &condition, 0, NULL, 2, regions);
  return inside;
}

MlirOperation berthBuildReduction(BerthInsertPoint at, MlirValue value,
                                  MlirType result, intptr_t numAttributes,
                                  const MlirNamedAttribute *attributes) {
  MlirOperationState state =
      mlirOperationStateGet(string(BERTH_NAME_REDUCE), at.location);
  MlirRegion body = mlirRegionCreate();
  state.nOperands = state.nResults = state.nRegions = 1;
  state.operands = ownedList(&value, 1, sizeof value);
  state.results = ownedList(&result, 1, sizeof result);
  state.regions = ownedList(&body, 1, sizeof body);
  state.nAttributes = numAttributes;
  state.attributes = ownedList(attributes, numAttributes, sizeof *attributes);
  return create(at, &state);
}

void berthBuildProxyFence(BerthInsertPoint at) {
  MlirContext context = contextOf(at);
  MlirNamedAttribute attributes[] = {
      berthNamed(context, "kind",
                 mlirAttributeParseGet(
                     context, string("#nvvm.proxy_kind<async.shared>"))),
      berthNamed(
          context, "space",
          mlirAttributeParseGet(context, string("#nvvm.shared_space<cta>")))};
  berthBuild(at, BERTH_NAME_FENCE, 0, NULL, 0, NULL, 2, attributes);
}

bool berthBuildDrain(BerthInsertPoint at, BerthAsyncKind kind,
                     MlirOperation *group, MlirOperation *wait) {
  MlirContext context = contextOf(at);
  MlirType i32 = mlirIntegerTypeGet(context, 32);
  MlirNamedAttribute of[] = {
      berthNamed(context, "group", mlirIntegerAttrGet(i32, 0)),
      berthNamed(context, "read", mlirUnitAttrGet(context))};
  *group = (MlirOperation){NULL};
  switch (kind) {
  case BERTH_ASYNC_COPY: {
    MlirType token =
        mlirTypeParseGet(context, string("!nvgpu.device.async.token"));
    *group = berthBuild(at, BERTH_NAME_COPY_GROUP, 0, NULL, 1, &token, 0, NULL);
    MlirValue value = mlirOperationGetResult(*group, 0);
    *wait = berthBuild(at, BERTH_NAME_COPY_WAIT, 1, &value, 0, NULL, 0, NULL);
    return true;
  }
  case BERTH_ASYNC_DIRECT: {
    MlirNamedAttribute load =
        berthNamed(context, "load", mlirIntegerAttrGet(i32, 0));
    *wait = berthBuild(at, BERTH_NAME_DIRECT_WAIT, 0, NULL, 0, NULL, 1, &load);
    return true;
  }
  case BERTH_ASYNC_STORE:
    *group = berthBuild(at, BERTH_NAME_STORE_GROUP, 0, NULL, 0, NULL, 0, NULL);
    *wait = berthBuild(at, BERTH_NAME_STORE_WAIT, 0, NULL, 0, NULL, 2, of);
    return true;
  case BERTH_ASYNC_PRODUCT:
    of[0].attribute = berthI64(context, 0);
    *wait = berthBuild(at, BERTH_NAME_PRODUCT_WAIT, 0, NULL, 0, NULL, 1, of);
    return true;
  default:
    return false;
  }
}

MlirValue berthBuildValue(BerthInsertPoint at, const char *name,
                          intptr_t numOperands, const MlirValue *operands,
                          MlirType result, intptr_t numAttributes,
                          const MlirNamedAttribute *attributes) {
  return mlirOperationGetResult(berthBuild(at, name, numOperands, operands, 1,
                                           &result, numAttributes, attributes),
                                0);
}

MlirValue berthBuildInteger(BerthInsertPoint at, MlirType type, int64_t value) {
  MlirNamedAttribute attribute =
      berthNamed(contextOf(at), "value", mlirIntegerAttrGet(type, value));
  return berthBuildValue(at, BERTH_NAME_CONSTANT, 0, NULL, type, 1, &attribute);
}

MlirValue berthBuildIndex(BerthInsertPoint at, int64_t value) {
  return berthBuildInteger(at, mlirIndexTypeGet(contextOf(at)), value);
}

MlirValue berthBuildCompare(BerthInsertPoint at, int64_t predicate, MlirValue a,
                            MlirValue b) {
  MlirContext context = contextOf(at);
  MlirValue operands[] = {a, b};
  MlirNamedAttribute attribute =
      berthNamed(context, "predicate", berthI64(context, predicate));
  return berthBuildValue(at, BERTH_NAME_COMPARE, 2, operands,
                         mlirIntegerTypeGet(context, 1), 1, &attribute);
}

MlirValue berthBuildBinary(BerthInsertPoint at, const char *name, MlirValue a,
                           MlirValue b) {
  MlirValue operands[] = {a, b};
  return berthBuildValue(at, name, 2, operands, mlirValueGetType(a), 0, NULL);
}

MlirValue berthBuildSelect(BerthInsertPoint at, MlirValue condition,
                           MlirValue first, MlirValue second) {
  MlirValue operands[] = {condition, first, second};
  return berthBuildValue(at, BERTH_NAME_SELECT, 3, operands,
                         mlirValueGetType(first), 0, NULL);
}

void berthBuildAssert(BerthInsertPoint at, MlirValue condition,
                      const char *message) {
  MlirContext context = contextOf(at);
  MlirNamedAttribute text =
      berthNamed(context, "msg", mlirStringAttrGet(context, string(message)));
  berthBuild(at, BERTH_NAME_ASSERT, 1, &condition, 0, NULL, 1, &text);
}

MlirOperation berthBuildCall(BerthInsertPoint at, const char *function,
                             intptr_t numOperands, const MlirValue *operands,
                             intptr_t numResults, const MlirType *results) {
  MlirContext context = contextOf(at);
  MlirNamedAttribute callee = berthNamed(
      context, "callee", mlirFlatSymbolRefAttrGet(context, string(function)));
  return berthBuild(at, BERTH_NAME_CALL, numOperands, operands, numResults,
                    results, 1, &callee);
}

MlirType berthMemRefWith(MlirType type, MlirAttribute layout,
                         MlirAttribute space) {
  int64_t rank = mlirShapedTypeGetRank(type);
  int64_t *shape = berthAllocateOrDie((size_t)rank, sizeof *shape);
  for (int64_t i = 0; i < rank; ++i)
    shape[i] = mlirShapedTypeGetDimSize(type, i);
  MlirType result = mlirMemRefTypeGet(mlirShapedTypeGetElementType(type), rank,
                                      shape, layout, space);
  free(shape);
  return result;
}

MlirType berthByteMemRef(MlirContext context, int64_t bytes,
                         MlirAttribute space) {
  int64_t shape[] = {bytes < 0 ? mlirShapedTypeGetDynamicSize() : bytes};
  return mlirMemRefTypeContiguousGet(mlirIntegerTypeGet(context, 8), 1, shape,
                                     space);
}

/// memref.view at a constant offset; `type` must have an identity layout.
static MlirValue buildIdentityView(BerthInsertPoint at, MlirValue arena,
                                   int64_t offset, MlirType type) {
  MlirValue operands[] = {arena, berthBuildIndex(at, offset)};
  return berthBuildValue(at, BERTH_NAME_VIEW, 2, operands, type, 0, NULL);
}

/// Elements that a strided type spans from its start, its offset included.
static int64_t spannedElements(int64_t rank, const MlirType type,
                               const int64_t *strides, int64_t offset) {
  int64_t count = offset + 1;
  for (int64_t i = 0; i < rank; ++i) {
    int64_t extent = mlirShapedTypeGetDimSize(type, i);
    if (extent == 0)
      return 0;
    count += (extent - 1) * strides[i];
  }
  return count;
}

MlirValue berthBuildReinterpret(BerthInsertPoint at, MlirType type,
                                int64_t offset, const int64_t *strides,
                                intptr_t numOperands,
                                const MlirValue *operands) {
  MlirContext context = contextOf(at);
  int64_t rank = mlirShapedTypeGetRank(type);
  int64_t *sizes = berthAllocateOrDie((size_t)rank, sizeof *sizes);
  for (int64_t i = 0; i < rank; ++i)
    sizes[i] = mlirShapedTypeGetDimSize(type, i);
  int32_t segments[] = {1, 0, (int32_t)numOperands - 1, 0};
  MlirNamedAttribute attributes[] = {
      berthNamed(context, "static_offsets",
                 mlirDenseI64ArrayGet(context, 1, &offset)),
      berthNamed(context, "static_sizes",
                 mlirDenseI64ArrayGet(context, rank, sizes)),
      berthNamed(context, "static_strides",
                 mlirDenseI64ArrayGet(context, rank, strides)),
      berthNamed(context, "operandSegmentSizes",
                 berthI32Array(context, 4, segments))};
  free(sizes);
  return berthBuildValue(at, BERTH_NAME_REINTERPRET, numOperands, operands,
                         type, 4, attributes);
}

MlirValue berthBuildView(BerthInsertPoint at, MlirValue arena, int64_t offset,
                         MlirType type) {
  MlirContext context = contextOf(at);
  MlirAffineMap map = mlirMemRefTypeGetAffineMap(type);
  MlirAttribute layout = mlirMemRefTypeGetLayout(type);
  bool isStrided = !mlirAttributeIsAAffineMap(layout);
  if (!isStrided && mlirAffineMapIsIdentity(map))
    return buildIdentityView(at, arena, offset, type);
  int64_t rank = mlirShapedTypeGetRank(type);
  int64_t *strides = berthAllocateOrDie((size_t)rank, sizeof *strides);
  int64_t layoutOffset = 0;
  mlirMemRefTypeGetStridesAndOffset(type, strides, &layoutOffset);
  int64_t count = spannedElements(rank, type, strides, layoutOffset);
  MlirType flatType =
      mlirMemRefTypeContiguousGet(mlirShapedTypeGetElementType(type), 1, &count,
                                  mlirMemRefTypeGetMemorySpace(type));
  MlirValue flat = buildIdentityView(at, arena, offset, flatType);
  MlirType stridedType = type;
  if (!isStrided) {
    // The layout is a map; reinterpret_cast yields a strided layout.
    MlirAttribute stridedLayout =
        mlirStridedLayoutAttrGet(context, layoutOffset, rank, strides);
    stridedType = berthMemRefWith(type, stridedLayout,
                                  mlirMemRefTypeGetMemorySpace(type));
  }
  MlirValue view =
      berthBuildReinterpret(at, stridedType, layoutOffset, strides, 1, &flat);
  free(strides);
  if (!mlirTypeEqual(stridedType, type))
    view = berthBuildValue(at, BERTH_NAME_CAST, 1, &view, type, 0, NULL);
  return view;
}

MlirValue berthBuildForeignView(BerthInsertPoint at, MlirValue arena,
                                int64_t offset, int64_t bytes, MlirType type) {
  MlirAttribute space = mlirMemRefTypeGetMemorySpace(mlirValueGetType(arena));
  MlirValue view = berthBuildView(at, arena, offset,
                                  berthByteMemRef(contextOf(at), bytes, space));
  return berthBuildValue(at, BERTH_NAME_FOREIGN_CAST, 1, &view, type, 0, NULL);
}

MlirValue berthBuildDynamicView(BerthInsertPoint at, MlirValue arena,
                                MlirValue shift, MlirOperation alloc) {
  intptr_t count = mlirOperationGetNumOperands(alloc);
  MlirValue *operands = berthAllocateOrDie((size_t)count + 2, sizeof *operands);
  operands[0] = arena;
  operands[1] = shift;
  for (intptr_t i = 0; i < count; ++i)
    operands[2 + i] = mlirOperationGetOperand(alloc, i);
  MlirValue view = berthBuildValue(
      at, BERTH_NAME_VIEW, count + 2, operands,
      mlirValueGetType(mlirOperationGetResult(alloc, 0)), 0, NULL);
  free(operands);
  return view;
}
