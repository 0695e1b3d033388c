//===- Recompute.c - What is computed again -------------------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Fit/Recompute.h"
#include "IR/Fit/AnyMemory.h"
#include "IR/Fit/Kept.h"
#include "IR/Fit/Movable.h"
#include "IR/Fit/Traffic.h"
#include "IR/Ops/Attributes.h"
#include "IR/Ops/Effects.h"
#include "IR/Ops/OpTable.h"
#include "IR/Ops/OrDie.h"
#include "IR/Ops/Rules.h"
#include "mlir-c/BuiltinTypes.h"

#include <stdlib.h>
#include <string.h>

//===----------------------------------------------------------------------===//
// Producers
//===----------------------------------------------------------------------===//

/// Several buffers may have one alias: a value that control flow merges.
static void mapAliases(BerthFitJob *fit) {
  for (size_t i = 0; i < fit->numBuffers; ++i) {
    const BerthBufferInfo *info = fit->buffers[i].info;
    for (size_t k = 0; k < info->numAliases; ++k)
      if (!berthPointerMapInsert(&fit->bufferOf, info->aliases[k].ptr, i))
        berthPointerMapSet(&fit->bufferOf, info->aliases[k].ptr,
                           fit->numBuffers);
  }
}

typedef struct Purity {
  MlirValue target;
  bool isPure;
} Purity;

static void noteEffect(BerthEffect effect, void *userData) {
  Purity *purity = userData;
  bool onTarget = !mlirValueIsNull(effect.value) &&
                  mlirValueEqual(effect.value, purity->target);
  if (mlirValueIsNull(effect.value) ||
      effect.kind != (onTarget ? BERTH_EFFECT_WRITE : BERTH_EFFECT_READ))
    purity->isPure = false;
}

/// Values of other types may be large, and would have to live on in registers.
static bool isScalar(MlirType type) {
  return mlirTypeIsAInteger(type) || mlirTypeIsAIndex(type) ||
         mlirTypeIsAFloat(type) || mlirTypeIsAComplex(type);
}

/// The operand through which the op writes all of the buffer, if it does
/// nothing else but read other memory; -1 if it is no such op.
static intptr_t findTarget(const BerthFitJob *fit, size_t buffer,
                           MlirOperation op) {
  const char *broken = fit->fast->options->alias.breakRule;
  intptr_t target = -1;
  if (!berthTakesAnyMemory(op) || mlirOperationGetNumResults(op) > 0 ||
      !mlirAttributeIsNull(berthAttributeOf(op, BERTH_MOVE)) ||
      !mlirAttributeIsNull(berthAttributeOf(op, BERTH_RECOMPUTE)))
    return -1;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
    MlirValue operand = mlirOperationGetOperand(op, i);
    size_t at = berthPointerMapFind(&fit->bufferOf, operand.ptr);
    MlirType type = mlirValueGetType(operand);
    if ((!mlirTypeIsAMemRef(type) && !isScalar(type)) ||
        at == fit->numBuffers || (at == buffer && target >= 0))
      return -1;
    target = at == buffer ? i : target;
  }
  if (target < 0 || (!berthOpFullyOverwrites(op, target) &&
                     !berthIsBroken(broken, "whole-producers")))
    return -1;
  Purity purity = {mlirOperationGetOperand(op, target), true};
  return berthOpGetEffects(op, noteEffect, &purity) && purity.isPure ? target
                                                                     : -1;
}

/// The buffer behind a value; NULL: it belongs to none.
static const BerthFitBuffer *bufferBehind(const BerthFitJob *fit,
                                          MlirValue value) {
  size_t at = berthPointerMapFind(&fit->bufferOf, value.ptr);
  return at < fit->numBuffers ? &fit->buffers[at] : NULL;
}

static const BerthFitUse *useAt(const BerthFitBuffer *buffer,
                                MlirOperation op) {
  for (size_t k = 0; k < buffer->numUses; ++k)
    if (mlirOperationEqual(buffer->uses[k].op, op))
      return &buffer->uses[k];
  return NULL;
}

/// Of a buffer that may move all uses are known, those in called functions too.
static int64_t keptByUses(const BerthFitJob *fit, const BerthFitBuffer *buffer,
                          int64_t from, int64_t end) {
  const BerthBufferInfo *info = buffer->info;
  int64_t kept = end;
  for (size_t k = buffer->numUses; k-- > 0;)
    if (buffer->uses[k].lower >= from && buffer->uses[k].lower < kept &&
        buffer->uses[k].kind != BERTH_USE_READ)
      kept = buffer->uses[k].lower;
  for (size_t i = 0; i < info->numFrees; ++i) {
    int64_t point = berthPointsLower(&fit->fast->points, info->frees[i]);
    if (point >= from && point < kept)
      kept = point;
  }
  return kept;
}

/// The point up to which all that the op reads is as it was.
static int64_t operandsKeptUntil(const BerthFitJob *fit,
                                 const BerthFitBuffer *buffer, MlirOperation op,
                                 intptr_t target, int64_t end) {
  const BerthJob *job = fit->fast;
  if (berthIsBroken(job->options->alias.breakRule, "operands-stay"))
    return end;
  int64_t from = berthPointsUpper(&job->points, op);
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
    MlirValue value = mlirOperationGetOperand(op, i);
    if (i == target || !mlirTypeIsAMemRef(mlirValueGetType(value)))
      continue;
    const BerthFitBuffer *operand = bufferBehind(fit, value);
    bool isKnown = operand && !mlirBlockIsNull(operand->block) &&
                   mlirBlockEqual(operand->block, buffer->block);
    int64_t kept = isKnown ? keptByUses(fit, operand, from, end)
                           : berthFitKeptUntil(job, value, op, end);
    end = kept < end ? kept : end;
  }
  return end;
}

/// True if the buffer's content lives on from the op up to the point.
static bool livesUntil(const BerthFitJob *fit, const BerthFitBuffer *buffer,
                       MlirOperation from, int64_t upper) {
  int64_t lower = berthPointsLower(&fit->fast->points, from);
  for (size_t i = 0; i < buffer->numSegments; ++i)
    if (buffer->segments[i].lower <= lower &&
        upper <= buffer->segments[i].upper)
      return true;
  return false;
}

/// True if the buffer's content lives on from one op to the other, which wants
/// it: the fit has it somewhere there.
static bool isWantedAt(const BerthFitJob *fit, const BerthFitBuffer *buffer,
                       MlirOperation from, MlirOperation op) {
  const BerthFitUse *use = useAt(buffer, op);
  return use && use->kind != BERTH_USE_WRITE &&
         livesUntil(fit, buffer, from, use->upper);
}

/// True if the op reads a buffer that moves in the same block, and that is not
/// wanted at the use.
static bool isMissing(const BerthFitJob *fit, const BerthFitBuffer *buffer,
                      MlirOperation op, const BerthFitBuffer *operand,
                      MlirOperation use) {
  return operand && !mlirBlockIsNull(operand->block) &&
         mlirBlockEqual(operand->block, buffer->block) &&
         !isWantedAt(fit, operand, op, use);
}

/// What can be given a use more. What may be read in its source's place, which
/// is known to be the same up to the last use, if it is so up to there too.
static bool mayLiveLonger(const BerthFitJob *fit, const BerthFitBuffer *operand,
                          const BerthFitUse *use) {
  const BerthJob *job = fit->fast;
  if (useAt(operand, use->op))
    return false;
  return mlirOperationIsNull(operand->copy) ||
         berthFitKeptUntil(job, operand->source, operand->copy, use->upper) >=
             use->upper ||
         berthIsBroken(job->options->alias.breakRule, "sources-stay");
}

/// True if what the op reads is there at the use, or can be read where it is.
/// `*isLonger`: if some of it lives longer.
static bool operandsAreThere(const BerthFitJob *fit,
                             const BerthFitBuffer *buffer, MlirOperation op,
                             intptr_t target, const BerthFitUse *use,
                             bool *isLonger) {
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
    const BerthFitBuffer *operand =
        bufferBehind(fit, mlirOperationGetOperand(op, i));
    if (i == target || !operand)
      continue;
    if (mlirBlockIsNull(operand->block)) { // it is there while it lives
      if (!livesUntil(fit, operand, op, use->upper))
        return false;
    } else if (isMissing(fit, buffer, op, operand, use->op)) {
      *isLonger = true;
      if (!mayLiveLonger(fit, operand, use))
        return false;
    } else if (!fit->level->access && useAt(operand, use->op) &&
               useAt(operand, use->op)->numTiles) {
      return false; // only slices of it may be there
    }
  }
  return true;
}

static void addLonger(BerthFitJob *fit, size_t buffer, MlirOperation use,
                      MlirOperation producer) {
  if (!berthMemoryReserve(&fit->memory, &fit->longer, &fit->capLonger,
                          fit->numLonger + 1))
    berthOrDie(NULL);
  fit->longer[fit->numLonger++] =
      (BerthFitLonger){buffer, use, producer, false};
}

/// The uses behind the first one, which writes all, up to the next that does.
static void findProducer(BerthFitJob *fit, size_t index, size_t first) {
  BerthFitBuffer *buffer = &fit->buffers[index];
  const char *broken = fit->fast->options->alias.breakRule;
  MlirOperation op = buffer->uses[first].op;
  intptr_t target = findTarget(fit, index, op);
  if (target < 0)
    return;
  int64_t end = buffer->uses[buffer->numUses - 1].upper;
  int64_t kept = operandsKeptUntil(fit, buffer, op, target, end);
  for (size_t k = first + 1; k < buffer->numUses; ++k) {
    BerthFitUse *use = &buffer->uses[k];
    if (use->kind == BERTH_USE_WRITE || use->lower > kept)
      return;
    bool isLonger = false;
    if (operandsAreThere(fit, buffer, op, target, use, &isLonger)) {
      if (isLonger)
        addLonger(fit, index, use->op, op);
      else
        use->producer = op;
    }
    if (use->kind == BERTH_USE_UPDATE && !berthIsBroken(broken, "no-updates"))
      return;
  }
}

void berthFitFindProducers(BerthFitJob *fit) {
  const char *broken = fit->fast->options->alias.breakRule;
  mapAliases(fit);
  for (size_t i = 0; i < fit->numBuffers; ++i) {
    const BerthFitBuffer *buffer = &fit->buffers[i];
    // What is a place of another content is not marked twice.
    if (mlirBlockIsNull(buffer->block) || !mlirOperationIsNull(buffer->copy) ||
        !mlirAttributeIsNull(
            berthAttributeOf(buffer->info->alloc, BERTH_CONTENT)))
      continue;
    for (size_t k = 0; k < buffer->numUses; ++k)
      if (buffer->uses[k].kind == BERTH_USE_WRITE ||
          berthIsBroken(broken, "whole-producers"))
        findProducer(fit, i, k);
  }
}

//===----------------------------------------------------------------------===//
// Longer lives
//===----------------------------------------------------------------------===//

/// Gives the buffer a use where the producer of another one reads it again. It
/// costs nothing as such: what is read in the slow memory is a part of the
/// price of making the content.
static void addUse(BerthFitJob *fit, BerthFitBuffer *buffer, MlirOperation from,
                   const BerthFitUse *at) {
  bool isBroken =
      berthIsBroken(fit->fast->options->alias.breakRule, "free-operands");
  int64_t lower = berthPointsLower(&fit->fast->points, from);
  BerthFitUse *uses = BERTH_NEW(&fit->memory, BerthFitUse, buffer->numUses + 1);
  size_t count = 0, k = 0;
  while (k < buffer->numUses && buffer->uses[k].lower < at->lower)
    uses[count++] = buffer->uses[k++];
  uses[count++] = (BerthFitUse){.op = at->op,
                                .lower = at->lower,
                                .upper = at->upper,
                                .kind = BERTH_USE_READ,
                                .isLonger = true};
  while (k < buffer->numUses)
    uses[count++] = buffer->uses[k++];
  buffer->uses = uses;
  buffer->numUses = count;
  BerthSegment *segments =
      BERTH_NEW(&fit->memory, BerthSegment, buffer->numSegments);
  for (size_t i = 0; i < buffer->numSegments; ++i) {
    segments[i] = buffer->segments[i];
    if (segments[i].lower <= lower && lower < segments[i].upper &&
        segments[i].upper < at->upper && !isBroken)
      segments[i].upper = at->upper;
  }
  buffer->segments = segments;
}

static void prolong(BerthFitJob *fit, BerthFitBuffer *buffers,
                    const BerthFitLonger *longer) {
  BerthFitBuffer *buffer = &buffers[longer->buffer];
  BerthFitUse use = *useAt(buffer, longer->use);
  for (size_t k = 0; k < buffer->numUses; ++k)
    if (mlirOperationEqual(buffer->uses[k].op, longer->use))
      buffer->uses[k].producer = longer->producer;
  intptr_t count = mlirOperationGetNumOperands(longer->producer);
  for (intptr_t i = 0; i < count; ++i) {
    MlirValue value = mlirOperationGetOperand(longer->producer, i);
    size_t at = berthPointerMapFind(&fit->bufferOf, value.ptr);
    if (at < fit->numBuffers && at != longer->buffer &&
        isMissing(fit, buffer, longer->producer, &buffers[at], longer->use))
      addUse(fit, &buffers[at], longer->producer, &use);
  }
}

BerthFitBuffer *berthFitProlong(BerthFitJob *fit) {
  const BerthFitBuffer *buffers = fit->shortest;
  BerthFitBuffer *longer =
      BERTH_NEW(&fit->memory, BerthFitBuffer, fit->numBuffers);
  for (size_t i = 0; i < fit->numBuffers; ++i) {
    longer[i] = buffers[i];
    longer[i].uses = BERTH_NEW(&fit->memory, BerthFitUse, buffers[i].numUses);
    memcpy(longer[i].uses, buffers[i].uses,
           buffers[i].numUses * sizeof *longer[i].uses);
  }
  for (size_t i = 0; i < fit->numLonger; ++i)
    if (fit->longer[i].isTaken)
      prolong(fit, longer, &fit->longer[i]);
  return longer;
}

/// Bytes of what would have to live longer.
static int64_t bytesMissing(const BerthFitJob *fit,
                            const BerthFitLonger *longer) {
  const BerthFitBuffer *buffer = &fit->shortest[longer->buffer];
  intptr_t count = mlirOperationGetNumOperands(longer->producer);
  int64_t bytes = 0;
  for (intptr_t i = 0; i < count; ++i) {
    MlirValue value = mlirOperationGetOperand(longer->producer, i);
    size_t at = berthPointerMapFind(&fit->bufferOf, value.ptr);
    if (at < fit->numBuffers && at != longer->buffer &&
        isMissing(fit, buffer, longer->producer, &fit->shortest[at],
                  longer->use))
      bytes += fit->shortest[at].info->size;
  }
  return bytes;
}

bool berthFitTakeLonger(BerthFitJob *fit, const BerthFitPlan *plan) {
  bool any = false;
  for (size_t i = 0; i < fit->numLonger; ++i) {
    BerthFitLonger *longer = &fit->longer[i];
    const BerthFitBuffer *buffer = &fit->buffers[longer->buffer];
    const BerthFitUse *use = useAt(buffer, longer->use);
    size_t at = (size_t)(use - buffer->uses);
    bool begins =
        use->stay != BERTH_NOT_FOUND && (at == 0 || use[-1].stay != use->stay);
    bool isPaid = use->stay == BERTH_NOT_FOUND ||
                  (begins && plan->stays[use->stay].filled);
    longer->isTaken =
        longer->isTaken
            ? berthFitIsComputedAgain(buffer, at, plan)
            : isPaid && bytesMissing(fit, longer) < buffer->info->size;
    any |= longer->isTaken;
  }
  return any;
}

void berthFitTakeNone(BerthFitJob *fit) {
  for (size_t i = 0; i < fit->numLonger; ++i)
    fit->longer[i].isTaken = false;
}

double berthFitProducerReads(const BerthFitJob *fit, const BerthFitUse *use,
                             bool isPlanned) {
  MlirOperation op = use->producer;
  double bytes = 0;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
    MlirValue value = mlirOperationGetOperand(op, i);
    MlirType type = mlirValueGetType(value);
    if (!mlirTypeIsAMemRef(type) || berthOpFullyOverwrites(op, i))
      continue;
    const BerthFitBuffer *operand = bufferBehind(fit, value);
    bool isSlow = !mlirAttributeEqual(mlirMemRefTypeGetMemorySpace(type),
                                      fit->level->fast.collect.space);
    if (operand && !mlirBlockIsNull(operand->block)) {
      const BerthFitUse *own = useAt(operand, use->op);
      isSlow = operand->mayBeSlow && fit->level->access;
      if (isPlanned && own)
        isSlow = own->stay == BERTH_NOT_FOUND;
    }
    bytes += isSlow ? (double)berthFitBytesThrough(op, value) : 0;
  }
  return bytes;
}

//===----------------------------------------------------------------------===//
// Again
//===----------------------------------------------------------------------===//

bool berthFitIsComputedAgain(const BerthFitBuffer *buffer, size_t use,
                             const BerthFitPlan *plan) {
  size_t stay = buffer->uses[use].stay;
  return stay != BERTH_NOT_FOUND && plan->stays[stay].made &&
         (use == 0 || buffer->uses[use - 1].stay != stay);
}

/// By use, and then as the producers stand: one may read what another makes.
static int compareAgains(const void *left, const void *right) {
  const BerthFitAgain *a = left, *b = right;
  if (a->use->lower != b->use->lower)
    return a->use->lower < b->use->lower ? -1 : 1;
  return (a->at > b->at) - (a->at < b->at);
}

BerthFitAgains berthFitComputeAgain(const BerthFitJob *fit,
                                    const BerthFitPlan *plan,
                                    BerthMemory *memory) {
  BerthFitAgains agains = {
      .items = BERTH_NEW(memory, BerthFitAgain, plan->numStays + 1)};
  for (size_t i = 0; i < fit->numBuffers; ++i)
    for (size_t k = 0; k < fit->buffers[i].numUses; ++k) {
      const BerthFitUse *use = &fit->buffers[i].uses[k];
      if (!berthFitIsComputedAgain(&fit->buffers[i], k, plan))
        continue;
      agains.items[agains.count++] = (BerthFitAgain){
          .use = use,
          .buffer = i,
          .at = berthPointsLower(&fit->fast->points, use->producer)};
    }
  qsort(agains.items, agains.count, sizeof *agains.items, compareAgains);
  for (size_t i = 0; i < agains.count; ++i) {
    BerthFitAgain *again = &agains.items[i];
    MlirOperation use = again->use->op;
    again->op = mlirOperationClone(again->use->producer);
    mlirOperationRemoveAttributeByName( // what it says is of its place
        again->op, mlirStringRefCreateFromCString(BERTH_CONTENT_COPIED));
    mlirBlockInsertOwnedOperationBefore(mlirOperationGetBlock(use), use,
                                        again->op);
    berthPointerMapInsert(&agains.at, again->op.ptr, i);
    berthPointerMapInsert(&agains.firstOf, use.ptr, i);
  }
  return agains;
}

void berthFitAgainsFree(BerthFitAgains *agains) {
  berthPointerMapFree(&agains->at);
  berthPointerMapFree(&agains->firstOf);
}

MlirOperation berthFitFrontOf(const BerthFitAgains *agains, MlirOperation use) {
  size_t first = berthPointerMapFind(&agains->firstOf, use.ptr);
  return first == BERTH_NOT_FOUND ? use : agains->items[first].op;
}

MlirOperation berthFitUseOf(const BerthFitAgains *agains, MlirOperation op) {
  size_t at = berthPointerMapFind(&agains->at, op.ptr);
  return at == BERTH_NOT_FOUND ? op : agains->items[at].use->op;
}
