//===- Claims.c - What a program says of its buffers ----------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Verify/Roots/Claims.h"
#include "IR/Facts/Facts.h"
#include "IR/Ops/Attributes.h"
#include "IR/Ops/EqualValues.h"
#include "IR/Ops/OpTable.h"
#include "IR/Verify/Roots/Scopes.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

typedef struct Check {
  const BerthViews *views;
  MlirOperation scope;
  BerthClaimCallback callback;
  void *userData;
} Check;

static MlirOperation ownerOf(MlirValue value) {
  return mlirValueIsAOpResult(value) ? mlirOpResultGetOwner(value)
                                     : (MlirOperation){NULL};
}

//===----------------------------------------------------------------------===//
// Alignment
//===----------------------------------------------------------------------===//

/// Nothing is known against any alignment.
static const int64_t kAny = INT64_C(1) << 40;
/// What malloc promises, and with it an allocation of bytes.
enum { kMalloc = 16 };
/// What allocations of device memory promise.
enum { kDevice = 256 };

static int64_t greatestCommonDivisor(int64_t a, int64_t b) {
  while (b) {
    int64_t rest = a % b;
    a = b;
    b = rest;
  }
  return a;
}

static int64_t numberOf(MlirOperation op, const char *name, int64_t otherwise) {
  MlirAttribute attribute = berthAttributeOf(op, name);
  return mlirAttributeIsNull(attribute) || !mlirAttributeIsAInteger(attribute)
             ? otherwise
             : mlirIntegerAttrGetValueInt(attribute);
}

/// What the address surely is a multiple of, as far as constants tell; kAny
/// where they do not. `inBuffer` is how far behind the start of its buffer it
/// lies, which no plan can change.
static int64_t alignmentOf(MlirValue value, int64_t *inBuffer) {
  int64_t total = 0, shift;
  *inBuffer = 0;
  for (MlirOperation op = ownerOf(value); !mlirOperationIsNull(op);
       op = ownerOf(value)) {
    if (!mlirAttributeIsNull(berthAttributeOf(op, BERTH_BUFFER_NUMBER)))
      *inBuffer = total;
    if (berthOpIs(op, BERTH_OP_DEVICE_ALLOC))
      return greatestCommonDivisor(kDevice, total);
    if (berthOpIsPlainAllocation(op))
      return greatestCommonDivisor(numberOf(op, "alignment", kMalloc), total);
    MlirValue source = berthViewGetSource(op);
    if (mlirValueIsNull(source))
      break;
    bool isView = berthOpIs(op, BERTH_OP_VIEW);
    if (isView ? !berthValueIsConstant(mlirOperationGetOperand(op, 1), &shift)
               : !berthViewIsWhole(op) && !berthOpRetypesWhole(op))
      return kAny;
    if (isView && __builtin_add_overflow(total, shift, &total))
      return kAny;
    value = source;
  }
  return greatestCommonDivisor(kAny, total);
}

/// The alignment that lowered loads and stores of the type's elements expect,
/// or that the op itself tells of its result.
static int64_t claimedBy(MlirOperation op) {
  BerthTypeSize size;
  MlirType type = mlirValueGetType(mlirOperationGetResult(op, 0));
  if (!mlirTypeIsAMemRef(type))
    return 1;
  BerthSizeResult result = berthMemRefGetSize(type, op, &size);
  int64_t alignment = result == BERTH_SIZE_OK || result == BERTH_SIZE_DYNAMIC
                          ? size.elementAlignment
                          : 1;
  int64_t assumed =
      berthOpAssumesAlignment(op) ? numberOf(op, "alignment", 1) : 1;
  return assumed > alignment ? assumed : alignment;
}

static void checkAlignment(const Check *check, MlirOperation op) {
  MlirValue source = berthViewGetSource(op);
  if (mlirValueIsNull(source) || mlirOperationGetNumResults(op) == 0)
    return;
  MlirValue result = mlirOperationGetResult(op, 0);
  const BerthRootSet *set = berthViewsFind(check->views, result);
  if (!set || set->count != 1)
    return;
  int64_t inBuffer, claimed = claimedBy(op);
  if (alignmentOf(result, &inBuffer) % claimed && inBuffer % claimed == 0)
    check->callback(op,
                    "takes an address in an arena for a multiple of something "
                    "that it is not: of the alignment of its elements, or of "
                    "the one assumed",
                    ownerOf(check->views->roots[set->ids[0]].arena),
                    "the arena, with its own alignment", check->userData);
}

//===----------------------------------------------------------------------===//
// Different memories
//===----------------------------------------------------------------------===//

/// A buffer that was allocated by something else than memref.alloc says by
/// what, and its arena is to be allocated by the same; the arena of others is
/// no memory of a device.
static void checkMemory(const Check *check, MlirOperation op) {
  if (!berthViewIsBuffer(op))
    return;
  MlirValue arena = mlirOperationGetOperand(op, 0);
  MlirOperation owner = ownerOf(arena);
  MlirAttribute allocator = berthAttributeOf(op, "berth.allocator");
  bool isDevice =
      !mlirOperationIsNull(owner) && berthOpIs(owner, BERTH_OP_DEVICE_ALLOC);
  bool isRight = !isDevice;
  if (!mlirAttributeIsNull(allocator))
    isRight =
        !mlirOperationIsNull(owner) && mlirAttributeIsAString(allocator) &&
        mlirStringRefEqual(mlirStringAttrGetValue(allocator),
                           mlirIdentifierStr(mlirOperationGetName(owner)));
  if (!isRight)
    check->callback(op,
                    "makes a buffer in an arena of other memory than it was "
                    "allocated in",
                    owner, "this arena", check->userData);
}

//===----------------------------------------------------------------------===//
// Different allocations
//===----------------------------------------------------------------------===//

static bool mayLieInOneArena(const Check *check, MlirValue a, MlirValue b,
                             MlirValue *arena) {
  const BerthRootSet *first = berthViewsFind(check->views, a);
  const BerthRootSet *second = berthViewsFind(check->views, b);
  for (size_t i = 0; first && second && i < first->count; ++i)
    for (size_t k = 0; k < second->count; ++k) {
      *arena = check->views->roots[first->ids[i]].arena;
      MlirValue other = check->views->roots[second->ids[k]].arena;
      if (berthViewsArenaKey(*arena) == berthViewsArenaKey(other))
        return true;
    }
  return false;
}

static void checkDistinct(const Check *check, MlirOperation op) {
  MlirValue arena;
  intptr_t count = mlirOperationGetNumOperands(op);
  for (intptr_t i = 0; i < count; ++i)
    for (intptr_t k = 0; k < i; ++k)
      if (mayLieInOneArena(check, mlirOperationGetOperand(op, k),
                           mlirOperationGetOperand(op, i), &arena)) {
        check->callback(op,
                        "says that two buffers lie in different allocations, "
                        "which may lie in one arena",
                        ownerOf(arena), "this arena", check->userData);
        return;
      }
}

//===----------------------------------------------------------------------===//
// The end of a function
//===----------------------------------------------------------------------===//

/// Only an arena that the caller made is still there.
static void checkReturn(const Check *check, MlirOperation op) {
  intptr_t count = mlirOperationGetNumOperands(op);
  for (intptr_t i = 0; i < count; ++i) {
    MlirValue value = mlirOperationGetOperand(op, i);
    const BerthRootSet *set = berthViewsFind(check->views, value);
    if (!set || !berthMayHoldAddress(mlirValueGetType(value)))
      continue;
    for (size_t k = 0; k < set->count; ++k) {
      MlirOperation arena = ownerOf(check->views->roots[set->ids[k]].arena);
      if (mlirOperationIsNull(arena))
        continue;
      check->callback(op,
                      "returns an address in an arena that is freed, or used "
                      "again, when the function has returned",
                      arena, "this arena", check->userData);
      return;
    }
  }
}

static MlirWalkResult checkOp(MlirOperation op, void *userData) {
  const Check *check = userData;
  checkAlignment(check, op);
  checkMemory(check, op);
  if (berthOpSeparates(op))
    checkDistinct(check, op);
  if (berthOpIsReturn(op) &&
      mlirOperationEqual(mlirOperationGetParentOperation(op), check->scope))
    checkReturn(check, op);
  return MlirWalkResultAdvance;
}

void berthVerifyClaims(const BerthViews *views, MlirOperation scope,
                       BerthClaimCallback callback, void *userData) {
  Check check = {views, scope, callback, userData};
  mlirOperationWalk(scope, checkOp, &check, MlirWalkPreOrder);
}
