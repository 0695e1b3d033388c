//===- Padding.c - Rows padded ahead of planning --------------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   analysis -> a buffer in whose rows threads meet -> a padding -> does it
//   fit?
//
// One buffer after the other, each with an analysis of its own.
//
//===----------------------------------------------------------------------===//

#include "IR/Passes/Padding.h"
#include "IR/Ops/Attributes.h"
#include "IR/Ops/Backup.h"
#include "IR/Ops/Chips.h"
#include "IR/Ops/Effects.h"
#include "IR/Ops/OrDie.h"
#include "IR/Ops/Recursion.h"
#include "IR/Ops/Text.h"
#include "IR/Pad/BankConflicts.h"
#include "IR/Pad/JoinRows.h"
#include "IR/Pad/PadRows.h"
#include "IR/Passes/ScopeFits.h"
#include "IR/Plan/Analyze.h"
#include "IR/Plan/Residency.h"
#include "IR/Rewrite/GlobalChecks.h"
#include "IR/Scope/ScopeKind.h"
#include "IR/Threads/Uniformity.h"
#include "mlir-c/BuiltinTypes.h"

#include <stdlib.h>

static const char category[] = "berth-arena";

enum { kMostAccesses = 256 };

typedef struct Run {
  MlirOperation root;
  const BerthArenaOptions *options;
  BerthReruns reruns;
  BerthPadFigures *figures;
} Run;

static void startJob(BerthJob *job, Run *run, MlirOperation op) {
  *job = (BerthJob){
      .options = run->options, .root = run->root, .reruns = &run->reruns};
  berthAnalyzeScope(job, op);
  if (berthScopeIsShared(&job->scope))
    berthScopeFindUniformity(&job->scope, run->options->alias.breakRule);
}

//===----------------------------------------------------------------------===//
// The accesses of a buffer
//===----------------------------------------------------------------------===//

typedef struct Accesses {
  BerthLanes lanes[kMostAccesses];
  size_t count;
  bool isAny;    ///< some are known
  int64_t align; ///< bytes that rows have to be a multiple of
} Accesses;

static void addAccess(Accesses *accesses, const BerthScope *scope,
                      const BerthBankModel *model, MlirOperation op,
                      intptr_t operand, MlirValue buffer) {
  if (accesses->count == kMostAccesses)
    return;
  BerthLanes *lanes = &accesses->lanes[accesses->count++];
  *lanes = berthLanesOf(scope, model, op, operand, buffer);
  while (accesses->align < lanes->align)
    accesses->align *= 2;
  accesses->isAny |= lanes->isKnown;
}

static void findAccesses(Accesses *accesses, const BerthScope *scope,
                         const BerthBankModel *model, MlirValue value,
                         MlirValue buffer) {
  for (MlirOpOperand use = mlirValueGetFirstUse(value);
       !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    MlirOperation op = mlirOpOperandGetOwner(use);
    BerthSubView view;
    if (berthSubViewGet(op, &view))
      findAccesses(accesses, scope, model, mlirOperationGetResult(op, 0),
                   buffer);
    else if (!berthOpIsFree(op) && !berthOpIs(op, BERTH_OP_DIM))
      addAccess(accesses, scope, model, op, mlirOpOperandGetOperandNumber(use),
                buffer);
  }
}

//===----------------------------------------------------------------------===//
// The padding
//===----------------------------------------------------------------------===//

typedef struct Choice {
  const BerthBufferInfo *info;
  BerthBankModel model;
  MlirType type;
  int64_t row; ///< elements
  int64_t elementBytes;
  Accesses *accesses;
} Choice;

/// So many rows, then so many elements.
typedef struct Pads {
  int64_t joined, padding;
} Pads;

static const Pads none = {1, 0};

static int64_t passesOf(const Choice *choice, const BerthLanes *lanes,
                        Pads pads) {
  BerthRowsForm rows = {choice->row, choice->elementBytes, pads.joined,
                        pads.padding};
  return berthLanesCountPasses(lanes, &choice->model, choice->type, rows);
}

/// Passes of all accesses that are known, as often as loops run them.
static int64_t costOf(const Choice *choice, Pads pads) {
  int64_t cost = 0;
  for (size_t i = 0; i < choice->accesses->count; ++i) {
    const BerthLanes *lanes = &choice->accesses->lanes[i];
    if (lanes->isKnown)
      cost += passesOf(choice, lanes, pads) * lanes->turns;
  }
  return cost;
}

/// The least padding of those that leave the fewest passes and cost less than
/// `*cost`, up to `most` elements, behind so many rows; 0: there is none.
static int64_t choosePadding(const Choice *choice, int64_t joined, int64_t most,
                             int64_t *cost) {
  int64_t best = 0, row = choice->row * joined;
  int64_t step = choice->accesses->align / choice->elementBytes;
  if (step < 1)
    step = 1;
  int64_t first = step - row % step;
  for (int64_t padding = first; padding <= most; padding += step) {
    int64_t found = costOf(choice, (Pads){joined, padding});
    if (found >= *cost)
      continue;
    *cost = found;
    best = padding;
  }
  return best;
}

/// The same for any number of rows that go into the banks side by side, where
/// that leaves fewer passes.
static Pads choosePads(const Choice *choice, int64_t most) {
  Pads best = none;
  int64_t cost = costOf(choice, none);
  int64_t all = choice->model.banks * choice->model.width;
  int64_t count = mlirShapedTypeGetDimSize(choice->type, 0);
  bool mayJoin = berthRowsMayBeJoined(choice->info);
  for (int64_t joined = 1;
       joined == 1 || (mayJoin && count % joined == 0 &&
                       joined * choice->row * choice->elementBytes <= all);
       joined *= 2) {
    int64_t padding = choosePadding(choice, joined, most, &cost);
    if (padding)
      best = (Pads){joined, padding};
  }
  return best;
}

//===----------------------------------------------------------------------===//
// Remarks
//===----------------------------------------------------------------------===//

static void remarkLeft(MlirOperation alloc, const char *reason,
                       MlirOperation at) {
  BerthText text = {0};
  berthTextAppend(&text, "its rows stay as they are: %s", reason);
  berthTextAppendWhere(&text, at, alloc);
  berthEmitRemark(alloc, BERTH_REMARK_MISSED, category, text.data);
  berthTextFree(&text);
}

/// A figure for each access, before and after.
static void remarkAccesses(const Choice *choice, Pads pads) {
  for (size_t i = 0; i < choice->accesses->count; ++i) {
    const BerthLanes *lanes = &choice->accesses->lanes[i];
    BerthText text = {0};
    if (!lanes->isKnown)
      berthTextAppend(&text, "its addresses are not known by threads");
    else if (pads.padding)
      berthTextAppend(&text, "passes over the banks: %lld, before: %lld",
                      (long long)passesOf(choice, lanes, pads),
                      (long long)passesOf(choice, lanes, none));
    else
      berthTextAppend(&text, "passes over the banks: %lld",
                      (long long)passesOf(choice, lanes, none));
    berthEmitRemark(lanes->op, BERTH_REMARK_ANALYSIS, category, text.data);
    berthTextFree(&text);
  }
}

//===----------------------------------------------------------------------===//
// One buffer
//===----------------------------------------------------------------------===//

/// What a plan of the scope comes to.
typedef struct Fit {
  bool fits;
  size_t resident; ///< sizes that leave room for one more workgroup, reached
  int64_t cost;    ///< of the barriers that it needs
} Fit;

/// With new barriers, unless none may be inserted: the arena is planned so.
static Fit fitNow(Run *run, MlirOperation op) {
  BerthJob job;
  Fit fit = {.cost = 0};
  startJob(&job, run, op);
  job.barriersMode = run->options->barriers;
  if (job.barriersMode == BERTH_BARRIERS_AUTO)
    job.barriersMode = run->options->form == BERTH_ARENA_ANNOTATE
                           ? BERTH_BARRIERS_EXISTING
                           : BERTH_BARRIERS_INSERT;
  berthFindResidency(&job);
  fit.fits = berthScopeFits(&job);
  if (fit.fits && berthCountsWorkgroups(&job)) {
    fit.resident = berthSizesReached(&job, job.plan.peak);
    fit.fits = fit.resident > 0;
  }
  for (size_t i = 0; i < job.curveLength; ++i)
    if (job.curve[i].barriers == job.numBarriers)
      fit.cost = job.curve[i].cost;
  berthJobFree(&job);
  return fit;
}

/// A plan that fits stays one that does, has room for as many workgroups, and
/// needs no barrier more.
static bool isSlower(const Fit *before, const Fit *after) {
  return (before->fits && !after->fits) || after->resident < before->resident ||
         (before->fits && after->cost > before->cost);
}

typedef enum Outcome { NONE, LEFT, TOO_LARGE, PADDED } Outcome;

/// Pads, unless that takes more than there is, or room for a workgroup.
static Outcome pad(Run *run, MlirOperation scope, const Choice *choice,
                   Pads pads) {
  BerthBackup backup = {{NULL}};
  BerthBufferInfo info = *choice->info;
  const char *breakRule = run->options->alias.breakRule;
  int64_t rows = info.size / (choice->row * choice->elementBytes);
  int64_t added = pads.padding * (rows / pads.joined) * choice->elementBytes;
  Fit before = fitNow(run, scope);
  berthBackupTake(&backup, scope);
  if (pads.joined > 1)
    berthJoinRows(&info, pads.joined, breakRule);
  MlirOperation padded = berthPadRows(&info, pads.padding, breakRule);
  Fit after = fitNow(run, scope);
  if (isSlower(&before, &after)) {
    berthBackupRestore(&backup, scope);
    return TOO_LARGE;
  }
  BerthText text = {0};
  if (pads.joined > 1)
    berthTextAppend(&text, "%lld of its rows side by side, then the next: ",
                    (long long)pads.joined);
  berthTextAppend(&text, "rows of %lld elements, %lld apart: %lld bytes more",
                  (long long)(choice->row * pads.joined),
                  (long long)(choice->row * pads.joined + pads.padding),
                  (long long)added);
  berthEmitRemark(padded, BERTH_REMARK_PASSED, category, text.data);
  berthTextFree(&text);
  remarkAccesses(choice, pads);
  run->figures->buffers += 1;
  run->figures->bytesAdded += (uint64_t)added;
  berthBackupDrop(&backup);
  return PADDED;
}

/// With up to `*most` elements, and then with fewer.
static Outcome tryPadding(Run *run, MlirOperation scope, const Choice *choice,
                          int64_t *most) {
  bool isFirst = *most < 0;
  if (isFirst)
    *most = choice->model.banks * choice->model.width / choice->elementBytes;
  Pads pads = choosePads(choice, *most);
  if (pads.padding) {
    *most = pads.padding - 1;
    return pad(run, scope, choice, pads);
  }
  remarkLeft(choice->info->alloc,
             !choice->accesses->isAny ? "no access is known by threads"
             : isFirst ? "no padding leaves fewer passes over the banks"
                       : "what would help exceeds the capacity, takes room for "
                         "a workgroup, or needs a barrier more",
             (MlirOperation){NULL});
  remarkAccesses(choice, none);
  return LEFT;
}

static Outcome visitInfo(Run *run, const BerthJob *job,
                         const BerthBufferInfo *info, int64_t *most) {
  BerthTypeSize size;
  Accesses accesses = {.align = 1};
  BerthRowsFit fit = berthRowsMayBePadded(info);
  if (fit.reason) {
    remarkLeft(info->alloc, fit.reason, fit.at);
    return LEFT;
  }
  Choice choice = {.info = info,
                   .model = berthBankModelOf(job->chip),
                   .type = mlirValueGetType(info->value),
                   .accesses = &accesses};
  intptr_t rank = (intptr_t)mlirShapedTypeGetRank(choice.type);
  choice.row = mlirShapedTypeGetDimSize(choice.type, rank - 1);
  if (berthMemRefGetSize(choice.type, info->alloc, &size) != BERTH_SIZE_OK ||
      choice.row == 0)
    return LEFT;
  choice.elementBytes = size.elementBytes;
  findAccesses(&accesses, &job->scope, &choice.model, info->value, info->value);
  Outcome outcome = tryPadding(run, job->scope.op, &choice, most);
  for (size_t i = 0; i < accesses.count; ++i)
    berthLanesFree(&accesses.lanes[i]);
  return outcome;
}

/// True for a buffer of a kernel that has not been padded.
static bool isCandidate(const BerthJob *job, const BerthBufferInfo *info) {
  return (job->scope.kind == BERTH_SCOPE_KERNEL ||
          job->scope.kind == BERTH_SCOPE_LAUNCH) &&
         berthScopeIsShared(&job->scope) && !mlirOperationIsNull(info->alloc) &&
         !mlirValueIsNull(info->value) &&
         mlirTypeIsAMemRef(mlirValueGetType(info->value)) &&
         mlirAttributeIsNull(berthAttributeOf(info->alloc, BERTH_PADDED));
}

/// The buffer of that number.
static Outcome visitBuffer(Run *run, MlirOperation op, size_t number,
                           int64_t *most) {
  BerthJob job;
  startJob(&job, run, op);
  Outcome outcome = NONE;
  if (number < job.scope.numBuffers) {
    const BerthBufferInfo *info = &job.scope.buffers[number];
    berthFindResidency(&job);
    outcome = isCandidate(&job, info) ? visitInfo(run, &job, info, most) : LEFT;
  }
  berthJobFree(&job);
  return outcome;
}

static void visitScope(MlirOperation op, void *userData) {
  Outcome outcome;
  size_t number = 0;
  int64_t most = -1;
  while ((outcome = visitBuffer(userData, op, number, &most)) != NONE) {
    if (outcome == TOO_LARGE)
      continue;
    ++number;
    most = -1;
  }
}

void berthPadBuffers(MlirOperation root, const BerthArenaOptions *options,
                     BerthPadFigures *figures) {
  BerthArenaOptions own = *options;
  BerthNamedFunctions named = {0};
  own.alias.root = root;
  own.alias.named = &named;
  own.alias.followsTransfers = true;
  own.keepsArenas = true;
  own.collect.iterations = true;
  BerthPointerMap threadFunctions =
      berthFindThreadFunctions(root, &own.collect);
  own.collect.threadFunctions = &threadFunctions;
  Run run = {.root = root, .options = &own, .figures = figures};
  berthForEachScope(root, &own.collect, visitScope, &run);
  berthRerunsFree(&run.reruns);
  berthPointerMapFree(&threadFunctions);
  berthNamedFunctionsFree(&named);
}
