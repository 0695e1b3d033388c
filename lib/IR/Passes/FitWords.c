//===- FitWords.c - What berth-fit says of a plan -------------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Passes/FitWords.h"
#include "IR/Fit/Homes.h"
#include "IR/Fit/Movable.h"
#include "IR/Ops/Text.h"
#include "IR/Passes/FitRunning.h"

static void appendReason(BerthText *text, const char *reason,
                         MlirOperation at) {
  berthTextAppend(text, "%s", reason);
  if (mlirOperationIsNull(at))
    return;
  berthTextAppend(text, " (");
  berthTextAppendOp(text, at);
  berthTextAppend(text, ")");
}

/// What stays although it might have to go, and why.
static void remarkStaying(const BerthFitJob *fit) {
  for (size_t i = 0; i < fit->numBuffers; ++i) {
    const BerthFitBuffer *buffer = &fit->buffers[i];
    if (!mlirBlockIsNull(buffer->block) || buffer->isInSlow)
      continue;
    BerthText text = {0};
    berthTextAppend(&text,
                    "stays in %s whenever it is live: ", fit->level->name);
    appendReason(&text, buffer->reason, buffer->reasonAt);
    berthEmitRemark(buffer->info->alloc, BERTH_REMARK_MISSED,
                    BERTH_FIT_CATEGORY, text.data);
    berthTextFree(&text);
  }
}

static void remarkBuffer(const BerthFitJob *fit, const BerthFitPlan *plan,
                         size_t index) {
  const BerthFitBuffer *buffer = &fit->buffers[index];
  size_t stays = 0, fills = 0, spills = 0, slow = 0, again = 0, tiled = 0;
  for (size_t i = 0; i < plan->numStays; ++i)
    if (plan->stays[i].buffer == index && !plan->stays[i].tiled) {
      ++stays;
      fills += plan->stays[i].filled;
      spills += plan->stays[i].spilled;
      again += plan->stays[i].made;
    }
  for (size_t k = mlirOperationIsNull(buffer->copy) ? 0 : 1;
       k < buffer->numUses; ++k) {
    tiled += buffer->uses[k].isTiled;
    slow += !buffer->uses[k].isTiled && buffer->uses[k].stay == BERTH_NOT_FOUND;
  }
  if (fills + spills + slow + again + tiled == 0 ||
      mlirBlockIsNull(buffer->block))
    return;
  BerthText text = {0};
  berthTextAppend(&text,
                  "%lld bytes: in %s %zu times, brought in %zu times, taken "
                  "out %zu times; %zu uses in the slow memory",
                  (long long)buffer->info->size, fit->level->name, stays, fills,
                  spills, slow);
  if (again)
    berthTextAppend(&text, "; computed again %zu times", again);
  if (tiled)
    berthTextAppend(&text, "; %zu uses slice by slice", tiled);
  if (buffer->isInSlow && stays + tiled == 0) {
    berthTextFree(&text);
    return;
  }
  berthEmitRemark(buffer->info->alloc, BERTH_REMARK_PASSED, BERTH_FIT_CATEGORY,
                  text.data);
  berthTextFree(&text);
}

void berthRemarkFit(const BerthFitJob *fit, const BerthFitPlan *plan,
                    const BerthFitMoves *moves) {
  const BerthFitLevel *level = fit->level;
  remarkStaying(fit);
  for (size_t i = 0; i < fit->numBuffers; ++i)
    remarkBuffer(fit, plan, i);
  BerthText text = {0};
  berthTextAppend(&text,
                  "fitted into %lld bytes of %s, with a peak of %lld: %.0f "
                  "bytes are brought in, %.0f taken out and %.0f touched in "
                  "the slow memory",
                  (long long)fit->capacity, fit->level->name,
                  (long long)plan->peak, moves->bytesIn, moves->bytesOut,
                  moves->bytesTouched);
  if (moves->bytesOfSlices > 0)
    berthTextAppend(&text, " (%.0f of what moves slice by slice)",
                    moves->bytesOfSlices);
  if (moves->bytesComputed > 0)
    berthTextAppend(&text, ", and %.0f computed again", moves->bytesComputed);
  if (level->bandwidth)
    berthTextAppend(
        &text, ", in %.0f moves that take %.0f units of time", moves->moves,
        moves->moves * (double)level->latency +
            (moves->bytesIn + moves->bytesOut) / (double)level->bandwidth);
  berthTextAppend(
      &text, "%s; ",
      moves->isExact ? "" : ", loops of unknown length and branches guessed");
  if (plan->status == BERTH_PLAN_OPTIMAL)
    berthTextAppend(&text, "no fit costs less within the model");
  else
    berthTextAppend(&text,
                    "within the model every fit costs %.1f %% of that "
                    "or more",
                    100.0 * (double)plan->costBound / (double)plan->cost);
  berthEmitRemark(fit->fast->scope.op, BERTH_REMARK_PASSED, BERTH_FIT_CATEGORY,
                  text.data);
  berthTextFree(&text);
}

static void appendCapacity(BerthText *text, const BerthFitJob *fit,
                           const BerthFitPlan *plan) {
  if (plan->tightBytes <= fit->capacity)
    berthTextAppend(text,
                    ", and with what is reserved or lost to alignment %lld",
                    (long long)plan->needed);
  berthTextAppend(text, ", the capacity is %lld", (long long)fit->capacity);
}

static void appendStaying(BerthText *text, BerthFitJob *fit, size_t index) {
  const BerthFitBuffer *buffer = &fit->buffers[index];
  BerthFitObstacle obstacle = {0};
  if (fit->level->access)
    obstacle = berthFitWhyNoHome(fit, index);
  berthTextAppend(text, " (stays: ");
  appendReason(text, buffer->reason, buffer->reasonAt);
  if (obstacle.reason) {
    berthTextAppend(text, ", and does not go out for good: ");
    appendReason(text, obstacle.reason, obstacle.at);
  }
  berthTextAppend(text, ")");
}

/// All that has to be there at the point. The bytes add up to `bytes`.
static void appendNames(BerthText *text, BerthFitJob *fit, int64_t time,
                        int64_t bytes) {
  MlirAsmState state = berthAsmStateOf(fit->fast->scope.op);
  for (size_t i = 0; i < fit->numBuffers; ++i) {
    const BerthFitBuffer *buffer = &fit->buffers[i];
    bool isTile;
    int64_t least = berthFitLeastBytes(fit, buffer, time, &isTile);
    if (least == 0)
      continue;
    bytes -= least;
    berthTextAppend(text, "%s", text->data ? ", " : "");
    berthTextAppendValue(text, buffer->info->value, state);
    berthTextAppend(text, " with %s%lld bytes", isTile ? "a tile of " : "",
                    (long long)least);
    if (mlirBlockIsNull(buffer->block))
      appendStaying(text, fit, i);
    else if (fit->level->access && buffer->reason) {
      berthTextAppend(text, " (");
      appendReason(text, buffer->reason, buffer->reasonAt);
      berthTextAppend(text, ")");
    }
  }
  if (bytes > 0)
    berthTextAppend(text, ", and %lld bytes between them, for their alignment",
                    (long long)bytes);
  mlirAsmStateDestroy(state);
}

void berthReportTight(BerthFitJob *fit, const BerthFitPlan *plan,
                      int64_t enough, bool isAsItIs, bool isLeast) {
  BerthText text = {0}, note = {0};
  MlirOperation at = fit->fast->points.opAt[plan->tightTime];
  if (plan->status == BERTH_PLAN_INFEASIBLE)
    berthTextAppend(&text,
                    "what this op uses has to be in %s together with what "
                    "stays there: %lld bytes",
                    fit->level->name, (long long)plan->tightBytes);
  else
    berthTextAppend(&text,
                    "no places were found in %lld bytes of %s, whatever leaves "
                    "it; this op is where most has to be there",
                    (long long)fit->capacity, fit->level->name);
  if (plan->status == BERTH_PLAN_INFEASIBLE)
    appendCapacity(&text, fit, plan);
  if (enough)
    berthTextAppend(&text, "; %lld bytes are enough%s%s", (long long)enough,
                    isAsItIs ? " for the program as it is" : "",
                    isLeast ? "" : ", and fewer may be");
  appendNames(&note, fit, plan->tightTime, plan->tightBytes);
  if (!fit->level->mustFit)
    berthEmitRemark(at, BERTH_REMARK_MISSED, BERTH_FIT_CATEGORY, text.data);
  else
    berthEmitError(at, text.data, at, note.data ? note.data : "");
  berthTextFree(&text);
  berthTextFree(&note);
}
