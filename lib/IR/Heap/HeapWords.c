//===- HeapWords.c - Blocks of a heap without pointers --------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Where the arena is a storage buffer of words, as in Vulkan, no memref can
// point into it. A block is then its address, the index of its payload's first
// word, and
//
//   %v = memref.load %m[%i] : memref<?xf32>
//
// becomes
//
//   %a = arith.addi %address, %i
//   %w = memref.load %words[%a] : memref<?xi32>
//   %v = arith.bitcast %w : i32 to f32
//
// Slots, arguments of the kernel whose elements are memrefs, become arguments
// of words that hold addresses.
//
//===----------------------------------------------------------------------===//

#include "IR/Heap/HeapWords.h"
#include "IR/Heap/HeapSources.h"
#include "IR/Ops/Build.h"
#include "IR/Ops/OpTable.h"
#include "IR/Ops/OrDie.h"

//===----------------------------------------------------------------------===//
// What can
//===----------------------------------------------------------------------===//

/// Dense, of 32-bit elements, and with rows of known length.
static bool hasWordElements(MlirType type) {
  if (!mlirTypeIsAMemRef(type) ||
      !mlirAffineMapIsIdentity(mlirMemRefTypeGetAffineMap(type)))
    return false;
  MlirType element = mlirShapedTypeGetElementType(type);
  for (int64_t i = 1; i < mlirShapedTypeGetRank(type); ++i)
    if (mlirShapedTypeIsDynamicDim(type, i))
      return false;
  return mlirTypeIsAF32(element) || (mlirTypeIsAInteger(element) &&
                                     mlirIntegerTypeGetWidth(element) == 32 &&
                                     mlirIntegerTypeIsSignless(element));
}

/// An argument of the kernel that is loaded from and stored to only.
static bool isSlotArgument(const BerthHeapJob *job, MlirValue slots) {
  if (!mlirValueIsABlockArgument(slots) ||
      !mlirOperationEqual(
          mlirBlockGetParentOperation(mlirBlockArgumentGetOwner(slots)),
          job->scope.op) ||
      !mlirAffineMapIsIdentity(
          mlirMemRefTypeGetAffineMap(mlirValueGetType(slots))))
    return false;
  bool result = true;
  for (MlirOpOperand use = mlirValueGetFirstUse(slots);
       !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    MlirOperation op = mlirOpOperandGetOwner(use);
    intptr_t number = mlirOpOperandGetOperandNumber(use);
    result &= (berthOpIs(op, BERTH_OP_LOAD) && number == 0) ||
              (berthOpIs(op, BERTH_OP_STORE) && number == 1);
  }
  return result;
}

static bool canUseWords(const BerthHeapJob *job, MlirOpOperand use) {
  MlirOperation op = mlirOpOperandGetOwner(use);
  intptr_t number = mlirOpOperandGetOperandNumber(use);
  if (berthHeapIsSlotStore(job, use))
    return isSlotArgument(job, mlirOperationGetOperand(op, 1));
  return (berthOpIs(op, BERTH_OP_LOAD) && number == 0) ||
         (berthOpIs(op, BERTH_OP_STORE) && number == 1) ||
         berthOpIs(op, BERTH_OP_FREE);
}

MlirOperation berthHeapFindOtherUse(const BerthHeapJob *job, MlirValue value) {
  if (!hasWordElements(mlirValueGetType(value)))
    return mlirOpResultGetOwner(value);
  for (MlirOpOperand use = mlirValueGetFirstUse(value);
       !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use))
    if (!canUseWords(job, use))
      return mlirOpOperandGetOwner(use);
  return (MlirOperation){NULL};
}

//===----------------------------------------------------------------------===//
// Slots
//===----------------------------------------------------------------------===//

static bool holdsMemRefs(MlirType type) {
  return mlirTypeIsAMemRef(type) &&
         mlirTypeIsAMemRef(mlirShapedTypeGetElementType(type));
}

typedef struct LaunchSearch {
  MlirAttribute name;
  bool found;
} LaunchSearch;

/// Whoever launches the kernel would pass slots of the old type.
static MlirWalkResult findLaunch(MlirOperation op, void *userData) {
  LaunchSearch *search = userData;
  if (!berthOpIs(op, BERTH_OP_LAUNCH_FUNCTION))
    return MlirWalkResultAdvance;
  MlirAttribute kernel = berthAttributeOf(op, "kernel");
  intptr_t depth = mlirSymbolRefAttrGetNumNestedReferences(kernel);
  MlirStringRef name =
      depth ? mlirFlatSymbolRefAttrGetValue(
                  mlirSymbolRefAttrGetNestedReference(kernel, depth - 1))
            : mlirSymbolRefAttrGetRootReference(kernel);
  search->found |=
      mlirStringRefEqual(name, mlirStringAttrGetValue(search->name));
  return MlirWalkResultAdvance;
}

static bool isLaunched(const BerthHeapJob *job) {
  LaunchSearch search = {berthAttributeOf(job->scope.op, "sym_name"), false};
  mlirOperationWalk(job->options->alias.root, findLaunch, &search,
                    MlirWalkPreOrder);
  return search.found;
}

static BerthStatus checkLoads(const BerthHeapJob *job, MlirValue slots,
                              BerthError *error) {
  for (MlirOpOperand use = mlirValueGetFirstUse(slots);
       !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    MlirOperation op = mlirOpOperandGetOwner(use);
    if (berthOpIs(op, BERTH_OP_LOAD) &&
        !mlirOperationIsNull(
            berthHeapFindOtherUse(job, mlirOperationGetResult(op, 0))))
      return berthErrorSet(error, BERTH_INVALID,
                           "in an arena of words only loads, stores and "
                           "memref.dealloc may use what a slot holds, and its "
                           "elements must have 32 bits");
  }
  return BERTH_SUCCESS;
}

BerthStatus berthHeapCheckSlots(const BerthHeapJob *job, BerthError *error) {
  MlirBlock entry = mlirRegionGetFirstBlock(job->scope.body);
  BerthStatus status = BERTH_SUCCESS;
  for (intptr_t i = 0;
       i < mlirBlockGetNumArguments(entry) && status == BERTH_SUCCESS; ++i) {
    MlirValue argument = mlirBlockGetArgument(entry, i);
    if (!holdsMemRefs(mlirValueGetType(argument)))
      continue;
    if (!isSlotArgument(job, argument))
      return berthErrorSet(error, BERTH_INVALID,
                           "argument %lld holds memrefs: in an arena of words "
                           "only memref.load and memref.store may use it",
                           (long long)i);
    if (isLaunched(job))
      return berthErrorSet(error, BERTH_INVALID,
                           "argument %lld holds memrefs and would become one "
                           "of words, which the kernel's gpu.launch_func does "
                           "not pass",
                           (long long)i);
    status = checkLoads(job, argument, error);
  }
  return status;
}

static MlirType slotsOfWords(MlirType type) {
  MlirContext context = mlirTypeGetContext(type);
  int64_t shape[64];
  int64_t rank = mlirShapedTypeGetRank(type);
  for (int64_t i = 0; i < rank; ++i)
    shape[i] = mlirShapedTypeIsDynamicDim(type, i)
                   ? mlirShapedTypeGetDynamicSize()
                   : mlirShapedTypeGetDimSize(type, i);
  return mlirMemRefTypeContiguousGet(mlirIntegerTypeGet(context, 32), rank,
                                     shape, mlirMemRefTypeGetMemorySpace(type));
}

static void changeLoads(const BerthHeapJob *job, MlirValue slots) {
  MlirType word = mlirShapedTypeGetElementType(mlirValueGetType(slots));
  for (MlirOpOperand use = mlirValueGetFirstUse(slots);
       !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    MlirOperation op = mlirOpOperandGetOwner(use);
    if (!berthOpIs(op, BERTH_OP_LOAD))
      continue;
    MlirValue loaded = mlirOperationGetResult(op, 0);
    berthHeapUseWords(job, loaded, loaded);
    mlirValueSetType(loaded, word);
  }
}

void berthHeapChangeSlots(BerthHeapJob *job) {
  MlirOperation kernel = job->scope.op;
  MlirBlock entry = mlirRegionGetFirstBlock(job->scope.body);
  intptr_t count = mlirBlockGetNumArguments(entry);
  MlirType *inputs = BERTH_NEW(&job->memory, MlirType, (size_t)count);
  for (intptr_t i = 0; i < count; ++i) {
    MlirValue argument = mlirBlockGetArgument(entry, i);
    if (holdsMemRefs(mlirValueGetType(argument))) {
      mlirValueSetType(argument, slotsOfWords(mlirValueGetType(argument)));
      changeLoads(job, argument);
    }
    inputs[i] = mlirValueGetType(argument);
  }
  // Attributions of a kernel are arguments of the block, but not of the type.
  MlirType old =
      mlirTypeAttrGetValue(berthAttributeOf(kernel, "function_type"));
  berthSetAttribute(kernel, "function_type",
                    mlirTypeAttrGet(mlirFunctionTypeGet(
                        mlirTypeGetContext(old),
                        mlirFunctionTypeGetNumInputs(old), inputs, 0, NULL)));
}

//===----------------------------------------------------------------------===//
// Accesses
//===----------------------------------------------------------------------===//

/// The index of the element's word in the arena: row by row, then `address`.
static MlirValue wordIndex(BerthInsertPoint at, MlirType type,
                           MlirValue address, MlirOperation access,
                           intptr_t firstIndex) {
  MlirType index = mlirIndexTypeGet(mlirTypeGetContext(type));
  MlirValue sum =
      berthBuildValue(at, BERTH_NAME_INDEX_CAST, 1, &address, index, 0, NULL);
  int64_t stride = 1;
  for (int64_t i = mlirShapedTypeGetRank(type) - 1; i >= 0; --i) {
    MlirValue part = mlirOperationGetOperand(access, firstIndex + i);
    if (stride != 1)
      part = berthBuildBinary(at, BERTH_NAME_MULTIPLY, part,
                              berthBuildIndex(at, stride));
    sum = berthBuildBinary(at, BERTH_NAME_ADD, sum, part);
    if (i)
      stride *= mlirShapedTypeGetDimSize(type, i);
  }
  return sum;
}

static MlirValue bitcast(BerthInsertPoint at, MlirValue value, MlirType type) {
  if (mlirTypeEqual(mlirValueGetType(value), type))
    return value;
  return berthBuildValue(at, BERTH_NAME_BITCAST, 1, &value, type, 0, NULL);
}

static void replaceLoad(const BerthHeapJob *job, MlirOperation op,
                        MlirType type, MlirValue address) {
  BerthInsertPoint at = berthInsertBefore(op);
  MlirType element = mlirShapedTypeGetElementType(type);
  MlirType word = mlirIntegerTypeGet(mlirTypeGetContext(type), 32);
  MlirValue operands[] = {job->words, wordIndex(at, type, address, op, 1)};
  MlirValue loaded =
      berthBuildValue(at, BERTH_NAME_LOAD, 2, operands, word, 0, NULL);
  mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(op, 0),
                                bitcast(at, loaded, element));
  mlirOperationDestroy(op);
}

static void replaceStore(const BerthHeapJob *job, MlirOperation op,
                         MlirType type, MlirValue address) {
  BerthInsertPoint at = berthInsertBefore(op);
  MlirType word = mlirIntegerTypeGet(mlirTypeGetContext(type), 32);
  MlirValue operands[] = {bitcast(at, mlirOperationGetOperand(op, 0), word),
                          job->words, wordIndex(at, type, address, op, 2)};
  berthBuild(at, BERTH_NAME_STORE, 3, operands, 0, NULL, 0, NULL);
  mlirOperationDestroy(op);
}

void berthHeapUseWords(const BerthHeapJob *job, MlirValue value,
                       MlirValue address) {
  MlirType type = mlirValueGetType(value);
  // Each use leaves the list when its op is changed or goes.
  MlirOpOperand use = mlirValueGetFirstUse(value);
  while (!mlirOpOperandIsNull(use)) {
    MlirOpOperand next = mlirOpOperandGetNextUse(use);
    MlirOperation op = mlirOpOperandGetOwner(use);
    if (berthHeapIsSlotStore(job, use))
      mlirOperationSetOperand(op, 0, address);
    else if (berthOpIs(op, BERTH_OP_LOAD))
      replaceLoad(job, op, type, address);
    else if (berthOpIs(op, BERTH_OP_STORE))
      replaceStore(job, op, type, address);
    use = next;
  }
}
