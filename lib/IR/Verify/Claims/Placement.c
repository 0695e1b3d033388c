//===- Placement.c - Places that no plan could give -----------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Verify/Claims/Placement.h"
#include "IR/Facts/Facts.h"
#include "IR/Ops/Attributes.h"
#include "IR/Ops/EqualValues.h"
#include "IR/Ops/OpTable.h"
#include "IR/Ops/Spaces.h"
#include "IR/Target/ForeignType.h"
#include "IR/Target/Target.h"
#include "IR/Verify/Roots/Scopes.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

#include <stdarg.h>
#include <stdio.h>

typedef struct Placement {
  BerthClaimCallback callback;
  void *userData;
  // Of the allocation at hand:
  MlirOperation op;
  MlirAttribute space;
  const BerthTargetMemory *memory; ///< that a description tells of, or NULL
  int64_t lower, upper;
} Placement;

static void fail(const Placement *placement, const char *format, ...) {
  char words[256];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(words, sizeof words, format, arguments);
  va_end(arguments);
  placement->callback(placement->op, words, (MlirOperation){NULL}, NULL,
                      placement->userData);
}

/// Only where nothing but the attribute tells the size is that believed.
static void checkSize(const Placement *placement) {
  MlirType type = mlirValueGetType(mlirOperationGetResult(placement->op, 0));
  BerthToldAllocation told;
  int64_t bytes = 0, byType;
  if (berthOpIsToldAllocation(placement->op, &told) && told.hasSize)
    bytes = told.size;
  if (berthTypeTellsBytes(type, placement->op, &byType) && bytes < byType)
    bytes = byType;
  if (placement->upper - placement->lower < bytes)
    fail(placement, "has berth.size = %lld, fewer bytes than the %lld it needs",
         (long long)(placement->upper - placement->lower), (long long)bytes);
}

static void checkAddress(const Placement *placement) {
  MlirAttribute address = berthAttributeOf(placement->op, "berth.address");
  const BerthTargetMemory *memory = placement->memory;
  if (mlirAttributeIsNull(address) || !mlirAttributeIsAInteger(address) ||
      !memory || memory->start == BERTH_TARGET_NONE)
    return;
  int64_t told = mlirIntegerAttrGetValueInt(address), at;
  if (__builtin_add_overflow(memory->start, placement->lower, &at) ||
      told != at)
    fail(placement,
         "has berth.address = %lld, which is not its berth.offset %lld from "
         "the start of memory '%s' at %lld",
         (long long)told, (long long)placement->lower, memory->space,
         (long long)memory->start);
}

/// The bytes of the arena that the op says a memory has, or -1. A number is of
/// the one memory that was planned last, so only a dictionary tells them apart.
static int64_t arenaSize(MlirOperation op, MlirAttribute space) {
  MlirAttribute sizes = berthAttributeOf(op, BERTH_ARENA_SIZE), size = sizes;
  bool isOfMany = mlirAttributeIsADictionary(sizes);
  intptr_t count = isOfMany ? mlirDictionaryAttrGetNumElements(sizes) : 0;
  for (intptr_t i = 0; i < count; ++i) {
    MlirNamedAttribute element = mlirDictionaryAttrGetElement(sizes, i);
    MlirAttribute named;
    berthSpaceOfText(mlirOperationGetContext(op),
                     mlirIdentifierStr(element.name), &named);
    if (mlirAttributeEqual(named, space))
      size = element.attribute;
  }
  return mlirAttributeIsAInteger(size) ? mlirIntegerAttrGetValueInt(size) : -1;
}

typedef struct Others {
  MlirAttribute space;
  bool found;
} Others;

static MlirWalkResult findOther(MlirOperation op, void *userData) {
  Others *others = userData;
  int64_t lower, upper;
  others->found = berthViewsPlaceOf(op, &lower, &upper) &&
                  !mlirAttributeEqual(berthViewsPlacedSpace(op), others->space);
  return others->found ? MlirWalkResultInterrupt : MlirWalkResultAdvance;
}

/// The op around that says how large the arena is; null: none.
static MlirOperation holderOf(const Placement *placement) {
  MlirOperation at = mlirOperationGetParentOperation(placement->op);
  while (!mlirOperationIsNull(at) &&
         mlirAttributeIsNull(berthAttributeOf(at, BERTH_ARENA_SIZE)))
    at = mlirOperationGetParentOperation(at);
  return at;
}

/// The bytes of the arena around the placement, or -1: nothing tells them.
static int64_t arenaAround(const Placement *placement) {
  MlirOperation at = holderOf(placement);
  return mlirOperationIsNull(at) ? -1 : arenaSize(at, placement->space);
}

/// False if what is told may be the size of another memory's arena.
static bool isOwnArena(const Placement *placement) {
  MlirOperation at = holderOf(placement);
  Others others = {.space = placement->space};
  if (mlirAttributeIsAInteger(berthAttributeOf(at, BERTH_ARENA_SIZE)))
    mlirOperationWalk(at, findOther, &others, MlirWalkPreOrder);
  return !others.found;
}

static void checkEnd(const Placement *placement) {
  const BerthTargetMemory *memory = placement->memory;
  if (placement->lower < 0)
    fail(placement, "has berth.offset = %lld: it lies in front of its arena",
         (long long)placement->lower);
  if (memory && memory->capacity && placement->upper > memory->capacity) {
    fail(placement, "ends at byte %lld, but memory '%s' has only %lld bytes",
         (long long)placement->upper, memory->space,
         (long long)memory->capacity);
    return;
  }
  int64_t bytes = arenaAround(placement);
  if (bytes >= 0 && placement->upper > bytes && isOwnArena(placement))
    fail(placement,
         "ends at byte %lld, beyond the berth.arena_size of %lld bytes",
         (long long)placement->upper, (long long)bytes);
}

/// In tensor memory: whole columns, in as many as an allocation may have.
static void checkTensor(const Placement *placement) {
  enum { kColumn = 512, kLeast = 32, kMost = 512 };
  MlirAttribute space = placement->space;
  if (mlirAttributeIsNull(space) ||
      berthSpaceGetUse(space) != BERTH_SPACE_TENSOR)
    return;
  MlirType type = mlirValueGetType(mlirOperationGetResult(placement->op, 0));
  int64_t bytes = 0;
  bool isTold = berthTypeTellsBytes(type, placement->op, &bytes);
  int64_t rows =
      isTold && mlirShapedTypeHasRank(type) && mlirShapedTypeGetRank(type) == 2
          ? mlirShapedTypeGetDimSize(type, 0)
          : 0;
  if (rows < 0 || rows > 128 || (bytes && !rows))
    fail(placement, "is no block of at most 128 lanes of tensor memory");
  int64_t columns = (placement->upper - placement->lower) / kColumn;
  if (placement->lower % kColumn || placement->upper % kColumn)
    fail(placement,
         "has berth.offset = %lld and berth.size = %lld, which are no whole "
         "columns of tensor memory (512 bytes)",
         (long long)placement->lower,
         (long long)(placement->upper - placement->lower));
  else if (rows > 0 && columns * 4 < bytes / rows)
    fail(placement, "has %lld columns of tensor memory for rows of %lld bytes",
         (long long)columns, (long long)(bytes / rows));
  int64_t arena = arenaAround(placement);
  int64_t all = arena / kColumn;
  bool isAllocation = arena < 0 || (arena % kColumn == 0 && all >= kLeast &&
                                    all <= kMost && (all & (all - 1)) == 0);
  if (!isAllocation && isOwnArena(placement))
    fail(placement,
         "lies in %lld bytes of tensor memory, which no tcgen05.alloc could "
         "have: 32, 64, 128, 256 or 512 columns of 512 bytes",
         (long long)arena);
}

/// What lowered loads and stores of its elements need.
static int64_t alignmentOfElements(MlirOperation op) {
  BerthTypeSize size = {0, 0, 1};
  MlirType type = mlirValueGetType(mlirOperationGetResult(op, 0));
  BerthSizeResult result = mlirTypeIsAMemRef(type)
                               ? berthMemRefGetSize(type, op, &size)
                               : BERTH_SIZE_LAYOUT;
  bool isKnown = result == BERTH_SIZE_OK || result == BERTH_SIZE_DYNAMIC;
  return isKnown && size.elementAlignment > 0 ? size.elementAlignment : 1;
}

/// What the op demands itself, by an attribute or by its description, and what
/// its elements need, of the address where that is known.
static void checkAlignment(const Placement *placement) {
  const BerthTargetMemory *memory = placement->memory;
  bool isAddress = memory && memory->start != BERTH_TARGET_NONE;
  int64_t at, elements = alignmentOfElements(placement->op);
  MlirAttribute own = berthAttributeOf(placement->op, "alignment");
  BerthToldAllocation told;
  int64_t alignment = 1, number;
  if (berthAttributeGetNumber(own, &number) && number > 1)
    alignment = number;
  if (berthOpIsToldAllocation(placement->op, &told) &&
      told.alignment > alignment)
    alignment = told.alignment;
  if (placement->lower >= placement->upper ||
      __builtin_add_overflow(placement->lower, isAddress ? memory->start : 0,
                             &at))
    return;
  const char *what = isAddress ? "lies at address" : "has berth.offset =";
  if (at % alignment)
    fail(placement, "%s %lld, no multiple of its own alignment %lld", what,
         (long long)at, (long long)alignment);
  else if (at % elements)
    fail(placement, "%s %lld, but its elements need multiples of %lld", what,
         (long long)at, (long long)elements);
}

static void checkMemory(const Placement *placement) {
  const BerthTargetMemory *memory = placement->memory;
  if (!memory || placement->lower == placement->upper)
    return;
  if (placement->lower % memory->alignment)
    fail(placement,
         "has berth.offset = %lld, no multiple of the alignment %lld of memory "
         "'%s'",
         (long long)placement->lower, (long long)memory->alignment,
         memory->space);
  for (size_t i = 0; i < memory->numReserved; ++i)
    if (memory->reserved[i].lower < placement->upper &&
        placement->lower < memory->reserved[i].upper)
      fail(placement,
           "lies in bytes %lld to %lld, which memory '%s' has reserved",
           (long long)memory->reserved[i].lower,
           (long long)memory->reserved[i].upper, memory->space);
  int64_t bank = memory->numBanks ? memory->capacity / memory->numBanks : 0;
  if (bank && placement->lower / bank != (placement->upper - 1) / bank)
    fail(placement, "lies across banks of memory '%s', of %lld bytes each",
         memory->space, (long long)bank);
}

/// The view's buffer, and its offset in the arena. False if they are not known.
static bool readView(MlirOperation view, MlirAttribute *number,
                     int64_t *offset) {
  *number = berthViewNumber(view);
  return !mlirAttributeIsNull(*number) &&
         berthValueIsConstant(mlirOperationGetOperand(view, 1), offset);
}

/// A view that goes on with what others of its number wrote lies where one of
/// these lies.
static void checkKept(const Placement *placement) {
  MlirOperation view = placement->op;
  MlirAttribute number, other;
  int64_t offset, lower;
  bool isElsewhere = false;
  if (!readView(view, &number, &offset) ||
      mlirAttributeIsNull(berthAttributeOf(view, BERTH_KEEPS)))
    return;
  MlirValue arena = mlirOperationGetOperand(view, 0);
  for (MlirOpOperand use = mlirValueGetFirstUse(arena);
       !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    MlirOperation user = mlirOpOperandGetOwner(use);
    other = berthViewNumber(user);
    if (mlirAttributeIsNull(other) || !mlirAttributeEqual(number, other) ||
        !mlirAttributeIsNull(berthAttributeOf(user, BERTH_KEEPS)))
      continue;
    isElsewhere = true;
    if (!readView(user, &other, &lower) || lower == offset)
      return;
  }
  if (isElsewhere)
    fail(placement,
         "goes on with what other views of its berth.buffer wrote, but none of "
         "them lies at its offset %lld",
         (long long)offset);
}

static MlirWalkResult checkOp(MlirOperation op, void *userData) {
  Placement *placement = userData;
  placement->op = op;
  checkKept(placement);
  if (!berthViewsPlaceOf(op, &placement->lower, &placement->upper))
    return MlirWalkResultAdvance;
  placement->space = berthViewsPlacedSpace(op);
  placement->memory = berthTargetFindSpace(
      berthTargetCurrent(), mlirOperationGetContext(op), placement->space);
  checkSize(placement);
  checkAddress(placement);
  checkEnd(placement);
  checkAlignment(placement);
  checkMemory(placement);
  checkTensor(placement);
  return MlirWalkResultAdvance;
}

void berthVerifyPlacement(MlirOperation root, BerthClaimCallback callback,
                          void *userData) {
  Placement placement = {.callback = callback, .userData = userData};
  mlirOperationWalk(root, checkOp, &placement, MlirWalkPreOrder);
}
