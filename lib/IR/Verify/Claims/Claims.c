//===- Claims.c - What a program says of its buffers ----------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Verify/Claims/Claims.h"
#include "IR/Facts/Facts.h"
#include "IR/Ops/Attributes.h"
#include "IR/Ops/Effects.h"
#include "IR/Ops/EqualValues.h"
#include "IR/Ops/OpTable.h"
#include "IR/Target/Target.h"
#include "IR/Verify/Roots/RootFlow.h"
#include "IR/Verify/Roots/Scopes.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

typedef struct Check {
  const BerthViews *views;
  MlirOperation scope;
  BerthClaimCallback callback;
  void *userData;
  BerthPointerMap called; ///< functions that were looked into
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

static int64_t divisorOf(MlirValue value, int64_t ofOthers, int depth);

/// Of both operands, or of two that one is chosen of.
static int64_t commonDivisor(MlirOperation op, intptr_t first, int depth) {
  return greatestCommonDivisor(
      divisorOf(mlirOperationGetOperand(op, first), 1, depth),
      divisorOf(mlirOperationGetOperand(op, first + 1), 1, depth));
}

/// The power of two that a number surely is a multiple of, by the arithmetic
/// that made it; `ofOthers` if it is not made by any, kAny if by too much.
static int64_t divisorOf(MlirValue value, int64_t ofOthers, int depth) {
  int64_t number;
  MlirOperation op = ownerOf(value);
  if (berthValueIsConstant(value, &number))
    return number ? number & -number : kAny;
  if (mlirOperationIsNull(op))
    return ofOthers;
  if (depth == 0)
    return kAny;
  --depth;
  if (berthOpIs(op, BERTH_OP_SUM) || berthOpIs(op, BERTH_OP_UNSIGNED_MAX))
    return commonDivisor(op, 0, depth);
  if (berthOpGetRole(op, 1) == BERTH_OPERAND_CHOSEN &&
      berthOpGetRole(op, 2) == BERTH_OPERAND_CHOSEN)
    return commonDivisor(op, 1, depth);
  int64_t a = 1, b = 1;
  bool isProduct = berthOpIs(op, BERTH_OP_PRODUCT);
  if (isProduct || berthOpIs(op, BERTH_OP_AND)) {
    a = divisorOf(mlirOperationGetOperand(op, 0), 1, depth);
    b = divisorOf(mlirOperationGetOperand(op, 1), 1, depth);
  }
  if (isProduct)
    return a > kAny / b ? kAny : a * b;
  // The low bits that one of them lacks the result lacks.
  if (berthOpIs(op, BERTH_OP_AND))
    return a > b ? a : b;
  return ofOthers;
}

/// What the start of the memory is a multiple of that arena=annotate has placed
/// the allocation in: as the function says. Of several memories it says
/// nothing. Where a description tells the very start, that is added to `*at`.
static int64_t placedStart(MlirOperation op, int64_t *at) {
  const BerthTargetMemory *memory =
      berthTargetFindSpace(berthTargetCurrent(), mlirOperationGetContext(op),
                           berthViewsPlacedSpace(op));
  if (memory && memory->start != BERTH_TARGET_NONE)
    return __builtin_add_overflow(*at, memory->start, at) ? 1 : kAny;
  while (!mlirOperationIsNull(op)) {
    MlirAttribute size = berthAttributeOf(op, BERTH_ARENA_SIZE);
    if (!mlirAttributeIsNull(size))
      return mlirAttributeIsAInteger(size)
                 ? numberOf(op, BERTH_ARENA_ALIGNMENT, kMalloc)
                 : kAny;
    op = mlirOperationGetParentOperation(op);
  }
  return kAny;
}

/// What the address surely is a multiple of, as far as constants and the
/// arithmetic of its buffer's offset tell; kAny where they do not, as for an
/// offset that is an argument. `inBuffer` is how far behind the start of its
/// buffer it lies, which no plan can change.
static int64_t alignmentOf(MlirValue value, int64_t *inBuffer) {
  enum { kDeepest = 12 };
  int64_t total = 0, others = kAny, shift = 0;
  *inBuffer = 0;
  for (MlirOperation op = ownerOf(value); !mlirOperationIsNull(op);
       op = ownerOf(value)) {
    bool isBuffer =
        !mlirAttributeIsNull(berthAttributeOf(op, BERTH_BUFFER_NUMBER));
    if (isBuffer || !mlirAttributeIsNull(berthAttributeOf(op, BERTH_OFFSET)))
      *inBuffer = total;
    int64_t place = numberOf(op, BERTH_OFFSET, -1);
    if (place >= 0 && mlirValueIsNull(berthViewGetSource(op))) {
      others = greatestCommonDivisor(placedStart(op, &total), others);
      return __builtin_add_overflow(total, place, &total)
                 ? 1
                 : greatestCommonDivisor(others, total);
    }
    if (berthOpIs(op, BERTH_OP_DEVICE_ALLOC))
      others = greatestCommonDivisor(kDevice, others);
    else if (berthOpIsPlainAllocation(op))
      others =
          greatestCommonDivisor(numberOf(op, "alignment", kMalloc), others);
    MlirValue source = berthViewGetSource(op);
    if (mlirValueIsNull(source))
      break;
    bool isView = berthOpIs(op, BERTH_OP_VIEW);
    if (!isView && !berthViewIsWhole(op) && !berthOpRetypesWhole(op))
      return kAny;
    MlirValue at = isView ? mlirOperationGetOperand(op, 1) : source;
    bool isConstant = isView && berthValueIsConstant(at, &shift);
    if (isView && !isConstant && !isBuffer)
      return kAny;
    if (isView && !isConstant)
      others = greatestCommonDivisor(divisorOf(at, kAny, kDeepest), others);
    if (isConstant && __builtin_add_overflow(total, shift, &total))
      return kAny;
    value = source;
  }
  return greatestCommonDivisor(others, total);
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

/// What the machine wants of where an op begins, whatever the elements are.
static void checkAligned(const Check *check, MlirOperation op) {
  int64_t inBuffer, aligned = berthOpGetAligned(op);
  for (intptr_t i = 0; aligned > 1 && i < mlirOperationGetNumOperands(op);
       ++i) {
    MlirValue operand = mlirOperationGetOperand(op, i);
    const BerthRootSet *set = mlirTypeIsAMemRef(mlirValueGetType(operand))
                                  ? berthViewsFind(check->views, operand)
                                  : NULL;
    if (!set || set->count != 1)
      continue;
    if (alignmentOf(operand, &inBuffer) % aligned && inBuffer % aligned == 0)
      check->callback(op,
                      "works on bytes in an arena that begin at no multiple of "
                      "what it takes",
                      ownerOf(check->views->roots[set->ids[0]].arena),
                      "the arena, with its own alignment", check->userData);
  }
}

/// What views in a function claim of the address that an argument is.
typedef struct ClaimWalk {
  BerthCallees *callees;
  BerthPointerMap *seen; ///< arguments
  const BerthViews *views;
  uint32_t argument;
  int64_t alignment;
} ClaimWalk;

static int64_t claimedOfArgument(BerthCallees *callees, BerthPointerMap *seen,
                                 MlirOperation callee, intptr_t index);

static void raiseClaim(ClaimWalk *walk, int64_t alignment) {
  if (alignment > walk->alignment)
    walk->alignment = alignment;
}

static bool isArgument(const ClaimWalk *walk, MlirValue value) {
  const BerthRootSet *set = berthViewsFind(walk->views, value);
  return set && set->count == 1 && set->ids[0] == walk->argument;
}

static MlirWalkResult addClaim(MlirOperation op, void *userData) {
  ClaimWalk *walk = userData;
  MlirOperation callee;
  int64_t inBuffer;
  bool isView = !mlirValueIsNull(berthViewGetSource(op)) &&
                mlirOperationGetNumResults(op) > 0 &&
                isArgument(walk, mlirOperationGetResult(op, 0));
  if (isView &&
      alignmentOf(mlirOperationGetResult(op, 0), &inBuffer) % claimedBy(op) ==
          0)
    raiseClaim(walk, claimedBy(op));
  intptr_t count =
      berthOpGetCallee(op, &callee) ? mlirOperationGetNumOperands(op) : 0;
  for (intptr_t i = 0; i < count; ++i)
    if (isArgument(walk, mlirOperationGetOperand(op, i)))
      raiseClaim(walk, claimedOfArgument(walk->callees, walk->seen, callee,
                                         berthCallGetArgument(op, i)));
  return MlirWalkResultAdvance;
}

static int64_t claimedOfArgument(BerthCallees *callees, BerthPointerMap *seen,
                                 MlirOperation callee, intptr_t index) {
  if (index < 0 || berthFunctionIsUnseen(callee) ||
      berthCalleeIsHidden(callee, callees->root))
    return 1;
  MlirBlock entry = mlirRegionGetFirstBlock(mlirOperationGetRegion(callee, 0));
  if (index >= mlirBlockGetNumArguments(entry) ||
      !berthPointerMapInsert(seen, mlirBlockGetArgument(entry, index).ptr, 1))
    return 1;
  BerthMemory memory = {0};
  BerthViews views = berthViewsOfArguments(callee, callees, &memory);
  ClaimWalk walk = {callees, seen, &views, (uint32_t)index, 1};
  mlirOperationWalk(callee, addClaim, &walk, MlirWalkPreOrder);
  berthViewsFree(&views);
  berthMemoryFree(&memory);
  return walk.alignment;
}

/// No more than malloc would have given to so many bytes.
static int64_t promisedTo(const BerthRoot *root) {
  int64_t bytes = root->isShifted ? kMalloc : root->upper - root->lower;
  int64_t alignment = kMalloc;
  while (alignment > bytes && alignment > 1)
    alignment /= 2;
  return alignment;
}

/// The same for what views in a called function claim.
static void checkGiven(const Check *check, MlirOperation op) {
  MlirOperation callee;
  intptr_t count =
      berthOpGetCallee(op, &callee) ? mlirOperationGetNumOperands(op) : 0;
  for (intptr_t i = 0; i < count; ++i) {
    MlirValue operand = mlirOperationGetOperand(op, i);
    const BerthRootSet *set = berthViewsFind(check->views, operand);
    if (!set || set->count != 1)
      continue;
    int64_t inBuffer, alignment = alignmentOf(operand, &inBuffer);
    const BerthRoot *root = &check->views->roots[set->ids[0]];
    BerthPointerMap seen = {0};
    int64_t promised = promisedTo(root);
    int64_t claimed =
        alignment % promised
            ? claimedOfArgument(check->views->callees, &seen, callee,
                                berthCallGetArgument(op, i))
            : 1;
    berthPointerMapFree(&seen);
    claimed = claimed < promised ? claimed : promised;
    if (alignment % claimed && inBuffer % claimed == 0)
      check->callback(op,
                      "gives a function an address in an arena that is taken "
                      "there for a multiple of something that it is not",
                      ownerOf(root->arena), "the arena, with its own alignment",
                      check->userData);
  }
}

//===----------------------------------------------------------------------===//
// Reach
//===----------------------------------------------------------------------===//

/// Where the sizes are constants, a buffer lies in its arena, and an index
/// holds the number of its last byte.
static void checkReach(const Check *check, MlirOperation op) {
  BerthTypeSize size, all;
  int64_t shift, end;
  MlirValue arena = berthOpIs(op, BERTH_OP_VIEW)
                        ? mlirOperationGetOperand(op, 0)
                        : (MlirValue){NULL};
  if (!berthViewIsBuffer(op) ||
      !berthValueIsConstant(mlirOperationGetOperand(op, 1), &shift) ||
      berthMemRefGetSize(mlirValueGetType(mlirOperationGetResult(op, 0)), op,
                         &size) != BERTH_SIZE_OK)
    return;
  bool isWithin = shift >= 0 &&
                  !__builtin_add_overflow(shift, size.bytes, &end) &&
                  end <= berthIndexMax(op);
  if (isWithin &&
      berthMemRefGetSize(mlirValueGetType(arena), op, &all) == BERTH_SIZE_OK)
    isWithin = end <= all.bytes;
  if (!isWithin)
    check->callback(op,
                    "makes a buffer that ends beyond its arena, or beyond what "
                    "an index of the data layout holds",
                    ownerOf(arena), "this arena", check->userData);
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

/// A view's descriptor has the arena for its allocation.
static void checkAllocatedPointer(const Check *check, MlirOperation op) {
  intptr_t count = mlirOperationGetNumOperands(op);
  for (intptr_t i = 0; i < count; ++i) {
    const BerthRootSet *set =
        berthViewsFind(check->views, mlirOperationGetOperand(op, i));
    if (!set || !berthOpUsesAllocatedPointer(op))
      continue;
    MlirOperation arena = ownerOf(check->views->roots[set->ids[0]].arena);
    check->callback(op,
                    "uses the pointer to the allocation of a buffer, which is "
                    "that of its arena",
                    arena, "this arena", check->userData);
    return;
  }
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

/// What a function says that the op may call, or one that it calls.
typedef struct CalledSearch {
  BerthPointerMap *seen; ///< functions
  MlirOperation root;
  MlirOperation found; ///< an op that separates, or null
} CalledSearch;

static MlirWalkResult findCalled(MlirOperation op, void *userData) {
  CalledSearch *search = userData;
  if (berthOpSeparates(op))
    search->found = op;
  MlirOperation callee;
  if (berthCallsUnseen(op))
    callee = search->root;
  else if (!berthOpGetCallee(op, &callee) ||
           berthCalleeIsHidden(callee, search->root))
    callee = (MlirOperation){NULL};
  if (mlirOperationIsNull(search->found) && !mlirOperationIsNull(callee) &&
      berthPointerMapInsert(search->seen, callee.ptr, 1))
    mlirOperationWalk(callee, findCalled, search, MlirWalkPreOrder);
  return mlirOperationIsNull(search->found) ? MlirWalkResultAdvance
                                            : MlirWalkResultInterrupt;
}

/// Called functions may be inlined. Which of their arguments they separate is
/// not looked for.
static void checkCalled(Check *check, MlirOperation op) {
  MlirOperation callee;
  bool isGiven = false;
  intptr_t count = mlirOperationGetNumOperands(op);
  for (intptr_t i = 0; i < count && !isGiven; ++i)
    isGiven = berthViewsFind(check->views, mlirOperationGetOperand(op, i));
  if (!isGiven || berthOpSeparates(op) ||
      (!berthCallsUnseen(op) && !berthOpGetCallee(op, &callee)))
    return;
  CalledSearch search = {&check->called, check->views->callees->root, {NULL}};
  findCalled(op, &search);
  if (!mlirOperationIsNull(search.found))
    check->callback(op,
                    "may call a function that says that two buffers lie in "
                    "different allocations, which may lie in one arena",
                    search.found, "here", check->userData);
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
  Check *check = userData;
  checkAlignment(check, op);
  checkAligned(check, op);
  checkGiven(check, op);
  checkReach(check, op);
  checkMemory(check, op);
  checkAllocatedPointer(check, op);
  if (berthOpSeparates(op))
    checkDistinct(check, op);
  if (check->views->callees->separates)
    checkCalled(check, op);
  if (berthOpIsReturn(op) &&
      mlirOperationEqual(mlirOperationGetParentOperation(op), check->scope))
    checkReturn(check, op);
  return MlirWalkResultAdvance;
}

void berthVerifyClaims(const BerthViews *views, MlirOperation scope,
                       BerthClaimCallback callback, void *userData) {
  Check check = {views, scope, callback, userData, {0}};
  mlirOperationWalk(scope, checkOp, &check, MlirWalkPreOrder);
  berthPointerMapFree(&check.called);
}
