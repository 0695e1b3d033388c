//===- Choose.c - What leaves the fast memory, and when -----------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The packing library decides (berth-c/Fit.h). To it, times are program points:
// regions that exclude each other have points of their own, and what a loop
// carries is live at all points of it.
//
//===----------------------------------------------------------------------===//

#include "IR/Fit/Choose.h"
#include "IR/Facts/LoopFacts.h"
#include "IR/Fit/Recompute.h"
#include "IR/Fit/Tiles.h"
#include "IR/Fit/Transfer.h"
#include "IR/Ops/OpTable.h"
#include "IR/Ops/OrDie.h"
#include "IR/Ops/Rules.h"
#include "Support/Checked.h"

#include <math.h>

/// Costs are cut down to sums that the search takes.
static const double kMostCost = 1e12;

/// What it costs to compute the content again for the use, once.
static double costToRecompute(const BerthFitJob *fit,
                              const BerthFitBuffer *buffer,
                              const BerthFitUse *use) {
  const BerthFitLevel *level = fit->level;
  int64_t read = level->access ? level->access : level->fill;
  return (double)buffer->info->size * (double)level->recompute +
         berthFitProducerReads(fit, use, false) * (double)read;
}

static bool mayRecompute(const BerthFitJob *fit, const BerthFitUse *use) {
  return fit->level->recompute && !mlirOperationIsNull(use->producer);
}

/// What a move of all of the buffer costs, in bytes: with those that could move
/// while it is on its way.
static double weightOf(const BerthFitJob *fit, const BerthFitBuffer *buffer) {
  return (double)buffer->info->size +
         (double)fit->level->latency * (double)fit->level->bandwidth;
}

/// What serving the use slice by slice costs, once.
static double costOfSlices(const BerthFitJob *fit, const BerthFitBuffer *buffer,
                           const BerthFitUse *use) {
  const BerthFitLevel *level = fit->level;
  BerthFitSlices slices = berthFitSlicesOf(buffer, use);
  return slices.bytesIn * (double)level->fill +
         slices.bytesOut * (double)level->spill +
         slices.moves * (double)level->latency * (double)level->bandwidth;
}

/// True if ops may work on it in the slow memory.
static bool mayTouchSlow(const BerthFitJob *fit, const BerthFitBuffer *buffer) {
  return !mlirBlockIsNull(buffer->block) && buffer->mayBeSlow &&
         fit->level->access;
}

/// `*hasChoice`: ops may as well work on the slow memory there.
static bool mayBeTiled(const BerthFitJob *fit, const BerthFitBuffer *buffer,
                       const BerthFitUse *use, bool *hasChoice) {
  *hasChoice = false;
  if (use->numTiles == 0)
    return false;
  if (!buffer->mayBeSlow || !fit->level->access)
    return true;
  *hasChoice = costOfSlices(fit, buffer, use) <
               (double)use->bytes * (double)fit->level->access;
  return *hasChoice && !fit->avoidsTiles;
}

/// True for what a turn of a loop may have brought by the turn before, and what
/// may go out beside the next one.
static bool mayMoveBeside(const BerthFitTile *tile) {
  MlirOperation loop = mlirBlockGetParentOperation(tile->block);
  BerthLoopRange range[BERTH_LOOP_MAX_RANK];
  return berthOpIs(loop, BERTH_OP_LOOP) && !berthOpIsAffine(loop) &&
         (berthLoopGetRanges(loop, range) != 1 || range[0].count > 1);
}

/// Of the fast memory, while the use is served by its tiles.
static int64_t bytesOfTiles(const BerthFitJob *fit,
                            const BerthFitBuffer *buffer,
                            const BerthFitUse *use) {
  int64_t bytes = berthFitSlicesOf(buffer, use).bytes, more = 0;
  for (size_t i = 0; i < use->numTiles && fit->doublesTiles; ++i) {
    const BerthFitTile *tile = &use->tiles[i];
    bool isBoth = tile->reads && tile->writes;
    if (mayMoveBeside(tile) && (!isBoth || fit->triplesTiles))
      more += (1 + isBoth) * berthRoundUp(tile->bytes, buffer->info->alignment);
  }
  return bytes + more <= buffer->info->size ? bytes + more : bytes;
}

static bool isUsedAt(const BerthFitUse *use, int64_t time) {
  return use->lower <= time && time < use->upper;
}

int64_t berthFitLeastBytes(const BerthFitJob *fit, const BerthFitBuffer *buffer,
                           int64_t time, bool *isTile) {
  bool hasChoice = false, mayBeSlow = mayTouchSlow(fit, buffer);
  *isTile = false;
  for (size_t k = mlirOperationIsNull(buffer->copy) ? 0 : 1;
       k < buffer->numUses; ++k) {
    const BerthFitUse *use = &buffer->uses[k];
    if (!isUsedAt(use, time))
      continue;
    *isTile = mayBeTiled(fit, buffer, use, &hasChoice);
    return *isTile     ? berthFitSlicesOf(buffer, use).bytes
           : mayBeSlow ? 0
                       : buffer->info->size;
  }
  bool isMade = false;
  for (size_t i = 0; i < buffer->numSegments; ++i)
    isMade |= buffer->segments[i].lower == time;
  return isMade && !mayBeSlow && mlirOperationIsNull(buffer->copy)
             ? buffer->info->size
             : 0;
}

/// What everything together may cost, as given.
static double sumOf(const BerthFitJob *fit) {
  const BerthFitLevel *level = fit->level;
  double sum = 1;
  for (size_t i = 0; i < fit->numBuffers; ++i) {
    const BerthFitBuffer *buffer = &fit->buffers[i];
    double move = weightOf(fit, buffer) * buffer->runs;
    for (size_t k = 0; k < buffer->numUses; ++k) {
      const BerthFitUse *use = &buffer->uses[k];
      sum += move * (double)(level->fill + level->spill) +
             (double)use->bytes * buffer->runs * (double)level->access;
      sum += costOfSlices(fit, buffer, use) * buffer->runs;
      if (mayRecompute(fit, use))
        sum += costToRecompute(fit, buffer, use) * buffer->runs;
    }
  }
  return sum;
}

static int64_t scaled(double cost, double scale) {
  return (int64_t)ceil(cost * scale);
}

static BerthFitPrice priceOf(const BerthFitJob *fit,
                             const BerthFitBuffer *buffer, double scale) {
  const BerthFitLevel *level = fit->level;
  double move = weightOf(fit, buffer) * buffer->runs;
  BerthFitPrice price = {.access = BERTH_NONE};
  price.fill = scaled(move * (double)level->fill, scale);
  price.spill = scaled(move * (double)level->spill, scale);
  // Bytes that are touched have been made costs (addBuffer).
  if (mayTouchSlow(fit, buffer))
    price.access = 1;
  return price;
}

static void addBuffer(BerthProblem *problem, const BerthFitJob *fit,
                      size_t index, double scale, BerthMemory *memory) {
  const BerthFitBuffer *buffer = &fit->buffers[index];
  bool isCopy = !mlirOperationIsNull(buffer->copy);
  size_t first = isCopy ? 1 : 0; // the copy itself becomes a fill
  size_t count = buffer->numUses - first, numTold = 0;
  BerthBufferUse *uses = BERTH_NEW(memory, BerthBufferUse, count);
  for (size_t k = 0; k < count; ++k) {
    const BerthFitUse *use = &buffer->uses[first + k];
    if (use->isLonger &&
        berthIsBroken(fit->level->fast.alias.breakRule, "free-operands"))
      continue;
    int64_t cost = scaled(
        (double)use->bytes * buffer->runs * (double)fit->level->access, scale);
    BerthBufferUse *toldUse = &uses[numTold++];
    *toldUse = (BerthBufferUse){.lower = use->lower,
                                .upper = use->upper,
                                .kind = use->kind,
                                .bytes = cost > 0 ? cost : 1};
    bool hasChoice;
    if (mayBeTiled(fit, buffer, use, &hasChoice)) {
      int64_t slices =
          scaled(costOfSlices(fit, buffer, use) * buffer->runs, scale);
      toldUse->tile = bytesOfTiles(fit, buffer, use);
      toldUse->slices = slices > 0 ? slices : 1;
    }
    if (mayRecompute(fit, use) && use->kind != BERTH_USE_WRITE) {
      int64_t make =
          scaled(costToRecompute(fit, buffer, use) * buffer->runs, scale);
      toldUse->make = make > 0 ? make : 1;
    }
  }
  BerthSegment whole = {uses[0].lower, uses[numTold - 1].upper};
  BerthBuffer added = berthBufferDefault();
  added.size = buffer->info->size;
  added.alignment = buffer->info->alignment;
  if (mlirBlockIsNull(buffer->block) && buffer->numSegments > 1)
    added.group = (int64_t)index; // one place
  added.numSegments = isCopy ? 1 : buffer->numSegments;
  added.segments = isCopy ? &whole : buffer->segments;
  added.numUses = numTold;
  added.uses = uses;
  added.backed = isCopy;
  berthProblemAddBuffer(problem, &added);
}

/// Which stay serves each use.
static void assign(BerthFitJob *fit, const BerthFitPlan *plan) {
  size_t next = 0;
  for (size_t i = 0; i < fit->numBuffers; ++i) {
    BerthFitBuffer *buffer = &fit->buffers[i];
    for (size_t k = 0; k < buffer->numUses; ++k) {
      BerthFitUse *use = &buffer->uses[k];
      while (next < plan->numStays && plan->stays[next].buffer == i &&
             plan->stays[next].upper <= use->lower)
        ++next;
      bool isIn = next < plan->numStays && plan->stays[next].buffer == i &&
                  plan->stays[next].lower <= use->lower;
      use->isTiled = isIn && plan->stays[next].tiled;
      use->stay = isIn && !use->isTiled ? next : BERTH_NOT_FOUND;
    }
    while (next < plan->numStays && plan->stays[next].buffer == i)
      ++next;
  }
}

/// `*cost`: of the plan, as prices have it.
static BerthStatus solve(BerthFitJob *fit, BerthFitPlan *plan, double *cost,
                         BerthError *error) {
  BerthMemory *memory = &fit->memory;
  double sum = sumOf(fit), scale = sum > kMostCost ? kMostCost / sum : 1;
  BerthProblem *problem = berthOrDie(berthProblemCreate());
  BerthFitPrice *prices = BERTH_NEW(memory, BerthFitPrice, fit->numBuffers);
  for (size_t i = 0; i < fit->numBuffers; ++i) {
    addBuffer(problem, fit, i, scale, memory);
    prices[i] = priceOf(fit, &fit->buffers[i], scale);
  }
  berthProblemSetCapacity(problem, fit->capacity);
  for (size_t i = 0; i < fit->level->fast.numReserved; ++i)
    berthProblemAddReserved(problem, fit->level->fast.reserved[i]);
  berthProblemOrDie(problem);
  BerthFitOptions options = {.prices = prices};
  BerthStatus status =
      berthFit(berthProblemGetData(problem), &options, plan, error);
  if (status == BERTH_SUCCESS)
    assign(fit, plan);
  *cost = status == BERTH_SUCCESS ? (double)plan->cost / scale : 0;
  berthProblemDestroy(problem);
  return status;
}

/// Plans with longer lives, and keeps what costs less. `*cost`: of `plan`;
/// `*more`: there is something else to take.
static BerthStatus tryLonger(BerthFitJob *fit, BerthFitPlan *plan, double *cost,
                             bool *more, BerthError *error) {
  BerthFitBuffer *before = fit->buffers;
  BerthFitPlan other;
  double otherCost;
  fit->buffers = berthFitProlong(fit);
  BerthStatus status = solve(fit, &other, &otherCost, error);
  if (status != BERTH_SUCCESS) {
    fit->buffers = before;
    return status;
  }
  *more = other.stays && berthFitTakeLonger(fit, &other);
  if (other.stays && otherCost < *cost) {
    berthFitPlanFree(plan);
    *plan = other;
    *cost = otherCost;
  } else {
    berthFitPlanFree(&other);
    fit->buffers = before;
  }
  return BERTH_SUCCESS;
}

/// A producer whose operands are gone may have them live longer, for what that
/// takes. Tried once with all that may pay, and once with what did: an operand
/// that is kept for nothing costs, too.
static BerthStatus chooseLives(BerthFitJob *fit, BerthFitPlan *plan,
                               double *cost, BerthError *error) {
  enum { kTries = 2 };
  if (!fit->shortest)
    fit->shortest = fit->buffers;
  berthFitTakeNone(fit);
  fit->buffers = berthFitProlong(fit);
  BerthStatus status = solve(fit, plan, cost, error);
  bool more =
      status == BERTH_SUCCESS && plan->stays && berthFitTakeLonger(fit, plan);
  for (int i = 0; more && i < kTries; ++i) {
    status = tryLonger(fit, plan, cost, &more, error);
    more &= status == BERTH_SUCCESS;
    if (status != BERTH_SUCCESS)
      berthFitPlanFree(plan);
  }
  return status;
}

static bool hasChoiceOfTiles(const BerthFitJob *fit) {
  bool hasChoice = false;
  for (size_t i = 0; i < fit->numBuffers && !hasChoice; ++i)
    for (size_t k = 0; k < fit->buffers[i].numUses && !hasChoice; ++k)
      mayBeTiled(fit, &fit->buffers[i], &fit->buffers[i].uses[k], &hasChoice);
  return hasChoice;
}

/// True if some slice moves beside another turn if there is room for it twice;
/// with `isBoth`: comes and goes so, if there is room for it three times.
static bool mayDouble(const BerthFitJob *fit, bool isBoth) {
  const BerthFitLevel *level = fit->level;
  bool may = false;
  for (size_t i = 0; i < fit->numBuffers; ++i)
    for (size_t k = 0; k < fit->buffers[i].numUses; ++k)
      for (size_t n = 0; n < fit->buffers[i].uses[k].numTiles; ++n) {
        const BerthFitTile *tile = &fit->buffers[i].uses[k].tiles[n];
        may |= fit->buffers[i].uses[k].isTiled && mayMoveBeside(tile) &&
               (tile->reads && tile->writes) == isBoth;
      }
  return may && level->hasTransfers && level->doubleBuffers &&
         berthFitIsAwaited(level);
}

/// Has room for two tiles of each slice that may move beside another turn, with
/// `triples` for three where it comes and goes, if that costs nothing. The
/// bound is that for one.
static BerthStatus tryDouble(BerthFitJob *fit, BerthFitPlan *plan, double cost,
                             bool triples, bool *isTaken, BerthError *error) {
  BerthFitBuffer *before = fit->buffers;
  BerthFitPlan other;
  double otherCost;
  fit->doublesTiles = true;
  fit->triplesTiles = triples;
  BerthStatus status = chooseLives(fit, &other, &otherCost, error);
  fit->doublesTiles = false;
  *isTaken = status == BERTH_SUCCESS && other.stays && otherCost <= cost;
  if (*isTaken) {
    other.costBound = plan->costBound;
    other.status = other.cost <= plan->costBound ? BERTH_PLAN_OPTIMAL
                                                 : BERTH_PLAN_FEASIBLE;
    berthFitPlanFree(plan);
    *plan = other;
    return status;
  }
  if (status == BERTH_SUCCESS)
    berthFitPlanFree(&other);
  fit->buffers = before;
  return status;
}

/// A tile takes bytes that what an op touches in the slow memory does not. So
/// where there is the choice both are tried. If there is no plan either way,
/// the one without tiles says what is needed: it takes no more at any time.
static BerthStatus chooseWay(BerthFitJob *fit, BerthFitPlan *plan, double *cost,
                             BerthError *error) {
  double otherCost;
  BerthFitPlan other;
  fit->avoidsTiles = false;
  BerthStatus status = chooseLives(fit, plan, cost, error);
  if (status != BERTH_SUCCESS || !hasChoiceOfTiles(fit))
    return status;
  BerthFitBuffer *before = fit->buffers;
  fit->avoidsTiles = true;
  status = chooseLives(fit, &other, &otherCost, error);
  if (status != BERTH_SUCCESS) {
    berthFitPlanFree(plan);
    return status;
  }
  if (!plan->stays || (other.stays && otherCost < *cost)) {
    berthFitPlanFree(plan);
    *plan = other;
    *cost = otherCost;
  } else {
    berthFitPlanFree(&other);
    fit->buffers = before;
    fit->avoidsTiles = false;
  }
  return status;
}

BerthStatus berthFitChoose(BerthFitJob *fit, BerthFitPlan *plan,
                           BerthError *error) {
  double cost;
  BerthStatus status = chooseWay(fit, plan, &cost, error);
  bool isTaken = false;
  if (status != BERTH_SUCCESS || !plan->stays)
    return status;
  bool mayBoth = mayDouble(fit, true), mayOne = mayDouble(fit, false);
  if (mayBoth)
    status = tryDouble(fit, plan, cost, true, &isTaken, error);
  if (status == BERTH_SUCCESS && !isTaken && mayOne)
    status = tryDouble(fit, plan, cost, false, &isTaken, error);
  if (status != BERTH_SUCCESS)
    berthFitPlanFree(plan);
  return status;
}
