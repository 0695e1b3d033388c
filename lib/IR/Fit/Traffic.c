//===- Traffic.c - How often a buffer is touched ------------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A loop of unknown length is taken to run so many times as kGuess says.
// Guesses only weigh one buffer against another.
//
//===----------------------------------------------------------------------===//

#include "IR/Fit/Traffic.h"
#include "IR/Fit/AnyMemory.h"
#include "IR/Fit/Movable.h"
#include "IR/Ops/Build.h"
#include "IR/Ops/OpTable.h"
#include "IR/Ops/OrDie.h"
#include "Support/Checked.h"

#include <stdlib.h>

enum { kGuess = 10 };

/// What numbers of turns and bytes are cut to: their sums stay in 63 bits.
static const double kMost = 1e15;

/// Of the block, in one run of its region.
static double runsOfBlock(MlirBlock block, bool *isKnown) {
  MlirRegion region = mlirBlockGetParentRegion(block);
  if (mlirBlockEqual(block, mlirRegionGetFirstBlock(region)))
    return 1; // nothing branches to it
  *isKnown = false;
  return berthBlockLeadsToItself(block, (MlirBlock){NULL}) ? kGuess : 1;
}

/// Of its regions, in one run of the op.
static double runsOfRegions(MlirOperation op, bool *isKnown) {
  int64_t count;
  if (berthOpIsLoop(op) || berthOpIsParallel(op)) {
    bool found = berthLoopGetTurns(op, &count);
    *isKnown &= found;
    return found ? (double)count : (double)kGuess;
  }
  *isKnown &= mlirOperationGetNumRegions(op) == 1; // else it branches
  return 1;
}

double berthFitTurnsOf(MlirOperation op, MlirOperation end, bool *isKnown) {
  MlirOperation around = mlirOperationGetParentOperation(op);
  double turns = 1;
  while (!mlirOperationIsNull(around) && !mlirOperationEqual(around, end)) {
    turns *= runsOfRegions(around, isKnown) *
             runsOfBlock(mlirOperationGetBlock(op), isKnown);
    op = around;
    around = mlirOperationGetParentOperation(op);
  }
  return turns < kMost ? turns : kMost;
}

/// In one run of the scope.
static double runsInScope(MlirOperation op, MlirOperation scope,
                          bool *isKnown) {
  MlirOperation top = op;
  while (!mlirOperationEqual(mlirOperationGetParentOperation(top), scope))
    top = mlirOperationGetParentOperation(top);
  return berthFitTurnsOf(op, scope, isKnown) *
         runsOfBlock(mlirOperationGetBlock(top), isKnown);
}

int64_t berthFitBytesThrough(MlirOperation op, MlirValue value) {
  BerthTypeSize size;
  MlirType type = mlirValueGetType(value);
  // Of a slice its elements, and not what lies between them.
  if (mlirTypeIsAMemRef(type))
    type = berthMemRefWith(type, mlirAttributeGetNull(),
                           mlirMemRefTypeGetMemorySpace(type));
  if (berthMemRefGetSize(type, op, &size) != BERTH_SIZE_OK)
    return 0;
  return berthOpIsElementAccess(op) ? size.elementBytes : size.bytes;
}

enum { kMostCalls = 16 };

/// By a function, in one run, through its argument or a view of it. Functions
/// that call themselves are cut off.
static double bytesInside(MlirOperation function, MlirValue value, int depth,
                          bool *isKnown) {
  double bytes = 0;
  for (MlirOpOperand use = mlirValueGetFirstUse(value);
       !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    MlirOperation op = mlirOpOperandGetOwner(use);
    MlirOperation callee = berthFitCalleeOf(op);
    if (!mlirValueIsNull(berthViewGetSource(op))) {
      bytes +=
          bytesInside(function, mlirOperationGetResult(op, 0), depth, isKnown);
      continue;
    }
    double runs = runsInScope(op, function, isKnown);
    if (mlirOperationIsNull(callee)) {
      bytes += runs * (double)berthFitBytesThrough(op, value);
    } else if (depth < kMostCalls) {
      MlirBlock entry =
          mlirRegionGetFirstBlock(mlirOperationGetRegion(callee, 0));
      MlirValue argument = mlirBlockGetArgument(
          entry, (intptr_t)mlirOpOperandGetOperandNumber(use));
      bytes += runs * bytesInside(callee, argument, depth + 1, isKnown);
    }
  }
  return bytes < kMost ? bytes : kMost;
}

/// What the use touches in one run.
static double bytesOf(const BerthBufferInfo *info, MlirOpOperand use,
                      bool *isKnown) {
  MlirOperation op = mlirOpOperandGetOwner(use);
  MlirOperation callee = berthFitCalleeOf(op);
  if (!mlirOperationIsNull(callee)) {
    MlirBlock entry =
        mlirRegionGetFirstBlock(mlirOperationGetRegion(callee, 0));
    MlirValue argument = mlirBlockGetArgument(
        entry, (intptr_t)mlirOpOperandGetOperandNumber(use));
    return bytesInside(callee, argument, 0, isKnown);
  }
  int64_t bytes = berthFitBytesThrough(op, mlirOpOperandGetValue(use));
  return (double)(bytes && bytes < info->size ? bytes : info->size);
}

double berthFitTouchedThrough(const BerthBufferInfo *info, MlirValue alias,
                              MlirOperation scope, bool *isKnown) {
  double bytes = 0;
  for (MlirOpOperand use = mlirValueGetFirstUse(alias);
       !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    MlirOperation op = mlirOpOperandGetOwner(use);
    bool isCall = !mlirOperationIsNull(berthFitCalleeOf(op));
    if (!berthOpIsFree(op) && mlirValueIsNull(berthViewGetSource(op)) &&
        (isCall || berthTakesAnyMemory(op)))
      bytes += runsInScope(op, scope, isKnown) * bytesOf(info, use, isKnown);
  }
  return bytes;
}

/// Adds what is touched through each alias to the use in which that happens.
static void addBytes(const BerthFitBuffer *buffer, const BerthPointerMap *useOf,
                     double *bytes) {
  const BerthBufferInfo *info = buffer->info;
  for (size_t i = 0; i < info->numAliases; ++i)
    for (MlirOpOperand use = mlirValueGetFirstUse(info->aliases[i]);
         !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
      MlirOperation op = mlirOpOperandGetOwner(use);
      MlirOperation top = berthAncestorInBlock(op, buffer->block);
      size_t index = mlirOperationIsNull(top)
                         ? BERTH_NOT_FOUND
                         : berthPointerMapFind(useOf, top.ptr);
      if (index == BERTH_NOT_FOUND || berthOpIsFree(op) ||
          !mlirValueIsNull(berthViewGetSource(op)))
        continue;
      bool isKnown = true;
      double turns =
          mlirOperationEqual(op, top)
              ? 1
              : berthFitTurnsOf(op, mlirOperationGetParentOperation(top),
                                &isKnown);
      bytes[index] += turns * bytesOf(info, use, &isKnown);
    }
}

static BerthUseKind kindOf(const BerthAccess *access, bool isWhole) {
  if (access->reads && !access->writes)
    return BERTH_USE_READ;
  return isWhole && access->kills && !access->reads ? BERTH_USE_WRITE
                                                    : BERTH_USE_UPDATE;
}

/// Accesses are in order, so those of one op of the block come together.
static void findUses(const BerthJob *job, BerthFitBuffer *buffer,
                     BerthMemory *memory) {
  const BerthBufferInfo *info = buffer->info;
  BerthPointerMap useOf = {0};
  buffer->uses = BERTH_NEW(memory, BerthFitUse, info->numAccesses);
  for (size_t i = 0; i < info->numAccesses; ++i) {
    const BerthAccess *access = &info->accesses[i];
    MlirOperation top = berthAncestorInBlock(access->op, buffer->block);
    BerthUseKind kind = kindOf(access, mlirOperationEqual(top, access->op));
    size_t known = berthPointerMapFind(&useOf, top.ptr);
    if (known != BERTH_NOT_FOUND) {
      BerthFitUse *use = &buffer->uses[known];
      bool reads = use->kind == BERTH_USE_READ && kind == BERTH_USE_READ;
      use->kind = reads ? BERTH_USE_READ : BERTH_USE_UPDATE;
      continue;
    }
    berthPointerMapInsert(&useOf, top.ptr, buffer->numUses);
    buffer->uses[buffer->numUses++] =
        (BerthFitUse){.op = top,
                      .lower = berthPointsLower(&job->points, top),
                      .upper = berthPointsUpper(&job->points, top),
                      .kind = kind,
                      .stay = BERTH_NOT_FOUND};
  }
  double *bytes = berthAllocateOrDie(buffer->numUses, sizeof *bytes);
  addBytes(buffer, &useOf, bytes);
  for (size_t i = 0; i < buffer->numUses; ++i)
    buffer->uses[i].bytes = bytes[i] < 1       ? 1
                            : bytes[i] < kMost ? (int64_t)bytes[i]
                                               : (int64_t)kMost;
  free(bytes);
  berthPointerMapFree(&useOf);
}

static int compareSegments(const void *left, const void *right) {
  const BerthSegment *a = left, *b = right;
  if (a->lower != b->lower)
    return a->lower < b->lower ? -1 : 1;
  return (a->upper > b->upper) - (a->upper < b->upper);
}

/// True unless one op overwrites all of the buffer where the segment begins.
static bool beginsInPieces(const BerthFitBuffer *buffer,
                           const BerthSegment *segment) {
  for (size_t i = 0; i < buffer->numUses; ++i)
    if (buffer->uses[i].lower >= segment->lower)
      return buffer->uses[i].kind != BERTH_USE_WRITE;
  return false;
}

/// The live range, with the whole of each use. Segments that only touch stay
/// two: another content begins there. With `keepsPieces` only where one op
/// overwrites the buffer: while several do, nobody could tell of a place what
/// it holds.
static void findSegments(BerthFitBuffer *buffer, bool keepsPieces,
                         BerthMemory *memory) {
  const BerthBufferInfo *info = buffer->info;
  size_t count = 0, joined = 0;
  BerthSegment *all =
      BERTH_NEW(memory, BerthSegment, info->numSegments + buffer->numUses);
  for (size_t i = 0; i < info->numSegments; ++i)
    all[count++] = info->segments[i];
  for (size_t i = 0; i < buffer->numUses; ++i)
    all[count++] = (BerthSegment){buffer->uses[i].lower, buffer->uses[i].upper};
  qsort(all, count, sizeof *all, compareSegments);
  for (size_t i = 0; i < count; ++i) {
    if (joined && (all[i].lower < all[joined - 1].upper ||
                   (keepsPieces && beginsInPieces(buffer, &all[i])))) {
      if (all[i].upper > all[joined - 1].upper)
        all[joined - 1].upper = all[i].upper;
      continue;
    }
    all[joined++] = all[i];
  }
  buffer->segments = all;
  buffer->numSegments = joined;
}

/// What stays is used as long as its content is wanted. While it is not, others
/// may have its bytes.
static void useWhenLive(BerthFitBuffer *buffer, BerthMemory *memory) {
  const BerthBufferInfo *info = buffer->info;
  buffer->numUses = buffer->numSegments = info->numSegments;
  buffer->segments = BERTH_NEW(memory, BerthSegment, info->numSegments);
  buffer->uses = BERTH_NEW(memory, BerthFitUse, info->numSegments);
  for (size_t i = 0; i < info->numSegments; ++i) {
    buffer->segments[i] = info->segments[i];
    buffer->uses[i] = (BerthFitUse){.lower = info->segments[i].lower,
                                    .upper = info->segments[i].upper,
                                    .kind = BERTH_USE_UPDATE,
                                    .stay = BERTH_NOT_FOUND};
  }
}

void berthFitFindTraffic(const BerthFitJob *fit, const BerthJob *job,
                         BerthFitBuffer *buffer, BerthMemory *memory) {
  buffer->runs = 1;
  buffer->runsAreKnown = true;
  if (mlirBlockIsNull(buffer->block)) {
    useWhenLive(buffer, memory);
    return;
  }
  findUses(job, buffer, memory);
  findSegments(buffer, fit->level->keepsPieces, memory);
  buffer->runs =
      runsInScope(buffer->uses[0].op, job->scope.op, &buffer->runsAreKnown);
}
