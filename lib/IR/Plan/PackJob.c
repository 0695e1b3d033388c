//===- PackJob.c - Packing and checking one problem -----------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Plan/PackJob.h"
#include "IR/Liveness/ByteRanges.h"
#include "IR/Liveness/Groups.h"
#include "IR/Liveness/InPlace.h"
#include "IR/Plan/ArenaParts.h"
#include "IR/Plan/Banks.h"
#include "IR/Plan/Problem.h"
#include "IR/Scope/TensorMemory.h"
#include "berth-c/IO.h"

#include <stdlib.h>

/// A compiler's user waits for every function: about a second each. In
/// workgroup memory the pairs kept apart make search hard, and several plans
/// are compared.
enum { kDefaultSteps = 1 << 26, kSharedSteps = 1 << 24 };

/// Where many plans are compared, the time is theirs together. Of the kernels
/// in this tree none takes a tenth of this for one.
enum { kTrialSteps = 1 << 16 };

/// Passes ask for one scope a dozen times whether it fits.
enum { kAskedSteps = 1 << 22 };

static uint64_t stepBudget(const BerthJob *job, bool isTrial) {
  if (job->options->steps || berthNamesPacker(job->options))
    return job->options->steps;
  if (isTrial)
    return kTrialSteps;
  if (job->isOnlyAsked)
    return kAskedSteps;
  return berthScopeIsShared(&job->scope) ? kSharedSteps : kDefaultSteps;
}

static BerthPacked packOnce(const BerthJob *job,
                            const BerthProblemData *problem, bool isTrial) {
  const BerthArenaOptions *options = job->options;
  BerthPackOptions pack = {.packer = options->packer,
                           .steps = stepBudget(job, isTrial),
                           .unexplained = job->isOnlyAsked};
  BerthPacked packed = {.status = BERTH_SUCCESS};
  if (options->pluginPacker) {
    packed.status = berthPackWith(options->pluginPacker, problem, &pack,
                                  &packed.plan, &packed.error);
  } else if (options->plugin) {
    BerthProcessOptions process = {.plugin = options->plugin};
    packed.status = berthPackInProcess(problem, &pack, &process, &packed.plan,
                                       &packed.error);
  } else {
    packed.status = berthPack(problem, &pack, &packed.plan, &packed.error);
  }
  return packed;
}

bool berthPackedFits(const BerthPacked *packed) {
  return packed->status == BERTH_SUCCESS &&
         (packed->plan.status == BERTH_PLAN_OPTIMAL ||
          packed->plan.status == BERTH_PLAN_FEASIBLE);
}

/// Looks for a plan that ends lower in the memory, and says of the plan what is
/// known of its end then. Packers of other people are asked once.
static BerthPacked packBanks(const BerthJob *job,
                             const BerthProblemData *problem,
                             BerthPacked best) {
  const BerthArenaOptions *options = job->options;
  bool isAskedOnce = options->plugin || options->pluginPacker;
  int64_t end = berthBankEnd(options, problem, &best.plan);
  int64_t least = berthLeastBankEnd(options, problem);
  if (least < best.plan.lowerBound)
    least = best.plan.lowerBound; // the sum of heights is no more than the end
  int64_t bound = least;
  while (least < end && !isAskedOnce) {
    int64_t tried = least + (end - least) / 2;
    BerthBankLimit limit = berthLimitBanks(options, problem, tried);
    BerthPacked packed = packOnce(job, &limit.problem, true);
    berthBankLimitFree(&limit);
    if (berthPackedFits(&packed) &&
        berthPlanVerify(problem, &packed.plan, &packed.error) ==
            BERTH_SUCCESS) {
      end = berthBankEnd(options, problem, &packed.plan);
      berthPlanFree(&best.plan);
      best.plan = packed.plan;
      continue;
    }
    least = tried + 1;
    if (packed.status == BERTH_SUCCESS &&
        packed.plan.status == BERTH_PLAN_INFEASIBLE)
      bound = least;
    berthPlanFree(&packed.plan);
  }
  best.plan.peak = end;
  if (bound > best.plan.lowerBound) { // of banks, which no buffers name
    best.plan.boundReason = BERTH_BOUND_SEARCH;
    best.plan.numBoundBuffers = 0;
  }
  best.plan.lowerBound = bound;
  best.plan.status = bound < end ? BERTH_PLAN_FEASIBLE : BERTH_PLAN_OPTIMAL;
  return best;
}

/// The check between packing and the first change of the IR is always on.
static BerthPacked packAndVerify(const BerthJob *job,
                                 const BerthProblem *problem, bool isTrial) {
  const BerthProblemData *data = berthProblemGetData(problem);
  BerthPacked packed = packOnce(job, data, isTrial);
  if (packed.status == BERTH_SUCCESS)
    packed.status = berthPlanVerify(data, &packed.plan, &packed.error);
  if (berthPackedFits(&packed) && job->options->numBanks)
    return packBanks(job, data, packed);
  if (packed.status == BERTH_SUCCESS)
    packed.plan = berthPreferParts(job, data, packed.plan);
  else
    berthPlanFree(&packed.plan);
  return packed;
}

BerthPacked berthPackJob(const BerthJob *job, const BerthProblem *problem) {
  return packAndVerify(job, problem, false);
}

BerthPacked berthPackTrial(const BerthJob *job, const BerthProblem *problem) {
  return packAndVerify(job, problem, true);
}

void berthJobTake(BerthJob *job, BerthProblem *problem, BerthPacked packed) {
  if (problem != job->problem)
    berthProblemDestroy(job->problem);
  job->problem = problem;
  berthPlanFree(&job->plan);
  job->plan = packed.plan;
  job->status = packed.status;
  job->error = packed.error;
}

void berthTakeOffsets(BerthJob *job) {
  if (job->status != BERTH_SUCCESS || job->numPlaced == 0)
    return;
  int64_t bank = berthBankBytes(job->options);
  job->arenaSize = berthScopeIsOfTensors(&job->scope)
                       ? berthTensorArena(job->plan.peak)
                       : job->plan.peak;
  for (size_t i = 0; i < job->numPlaced; ++i)
    job->scope.buffers[job->bufferOf[i]].offset =
        job->plan.offsets[i] + job->plan.pools[i] * bank;
  for (size_t i = 0; i < job->scope.numBuffers; ++i) {
    const BerthBufferInfo *buffer = &job->scope.buffers[i];
    bool isPinned = buffer->constraints && !buffer->size && !buffer->reason;
    if (isPinned && !buffer->isDynamic && buffer->offset > job->arenaSize)
      job->arenaSize = buffer->offset; // no bytes, but a pin
  }
}

/// The number of the buffer, which is one of the problem's, in there.
static size_t numberInProblem(const BerthJob *job, size_t buffer) {
  size_t i = 0;
  while (job->bufferOf[i] != buffer)
    ++i;
  return i;
}

int64_t berthOverlapBytes(const BerthJob *job, const BerthOverlap *overlap) {
  size_t read = numberInProblem(job, overlap->read),
         written = numberInProblem(job, overlap->written);
  if (job->plan.pools[read] != job->plan.pools[written])
    return 0;
  int64_t distance = job->plan.offsets[written] - job->plan.offsets[read];
  int64_t lower = distance > 0 ? distance : 0;
  int64_t upper = distance + job->scope.buffers[overlap->written].size;
  if (upper > job->scope.buffers[overlap->read].size)
    upper = job->scope.buffers[overlap->read].size;
  return upper > lower ? upper - lower : 0;
}

//===----------------------------------------------------------------------===//
// What rules allow, each where it pays
//===----------------------------------------------------------------------===//

/// What the best plan so far makes use of.
typedef struct Choices {
  BerthJob *job;
  BerthCutsLink cuts; ///< of the groups' links
  bool byRanges;
  bool overlaps;
} Choices;

static bool cutsNone(const BerthLink *link, const void *job) {
  (void)link, (void)job;
  return false;
}

static bool cutsAll(const BerthLink *link, const void *job) {
  (void)link, (void)job;
  return true;
}

/// Whose buffers may also lie at other distances than none.
static bool cutsOverlaps(const BerthLink *link, const void *data) {
  const BerthJob *job = data;
  BerthOverlap key = {.read = link->a, .written = link->b};
  return job->numOverlaps > 0 && bsearch(&key, job->overlaps, job->numOverlaps,
                                         sizeof key, berthCompareOverlaps);
}

static bool hasRanges(const BerthScope *scope) {
  for (size_t i = 0; i < scope->numBuffers; ++i)
    if (scope->buffers[i].numGaps && !scope->buffers[i].reason)
      return true;
  return false;
}

/// Takes the problem, which demands less than the job's, if its plan is better.
static bool takeIfBetter(BerthJob *job, BerthProblem *problem) {
  int64_t load = berthProblemLoad(berthProblemGetData(problem), NULL);
  BerthPacked plain = {.status = job->status, .plan = job->plan};
  BerthPacked packed = {.status = BERTH_INVALID};
  if (!berthPackedFits(&plain) || load < job->plan.peak)
    packed = berthPackJob(job, problem);
  if (berthPackedFits(&packed) &&
      (!berthPackedFits(&plain) || packed.plan.peak < job->plan.peak)) {
    berthJobTake(job, problem, packed);
    return true;
  }
  berthPlanFree(&packed.plan);
  berthProblemDestroy(problem);
  return false;
}

/// Takes them if the plan is better with them.
static void tryChoices(Choices *best, Choices tried) {
  BerthJob *job = best->job;
  bool isAnyCut = berthScopeCutLinks(&job->scope, tried.cuts, job);
  if (!isAnyCut && tried.cuts != cutsNone)
    return; // as tried before
  BerthProblem *problem =
      berthRepeatProblem(job, tried.byRanges, job->options->capacity);
  if (tried.overlaps)
    berthAddOverlaps(job, problem);
  if (takeIfBetter(job, problem))
    *best = tried;
}

/// Without overlaps the least load is that of groups, which are live wherever a
/// member is.
static bool mayBeBetter(const BerthJob *job) {
  BerthPacked packed = {.status = job->status, .plan = job->plan};
  return !berthPackedFits(&packed) || job->plan.peak > job->plan.load;
}

/// One offset for a whole group is less work and fewer bytes, or a tall order.
static void tryGroups(Choices *best, bool byRanges, bool overlaps) {
  BerthJob *job = best->job;
  const BerthCutsLink all[] = {cutsNone, cutsOverlaps, cutsAll};
  for (size_t i = 0; i < 3; ++i)
    if (overlaps || all[i] != cutsOverlaps)
      tryChoices(best, (Choices){job, all[i], byRanges, overlaps});
}

/// Tells the scope what the plan makes use of.
static void settle(const Choices *best) {
  BerthJob *job = best->job;
  berthScopeCutLinks(&job->scope, best->cuts, job);
  if (!best->byRanges)
    berthForgetByteRanges(job);
  size_t kept = 0;
  for (size_t i = 0; best->overlaps && i < job->numOverlaps; ++i)
    if (berthIsOverlapAdded(job, &job->overlaps[i]) &&
        berthOverlapBytes(job, &job->overlaps[i]) > 0)
      job->overlaps[kept++] = job->overlaps[i];
  job->numOverlaps = kept;
}

/// Says of an invalid problem what is wrong by the names of its buffers.
static void nameInvalid(BerthJob *job) {
  BerthError error;
  size_t bad;
  if (job->status == BERTH_INVALID &&
      berthCheckProblem(job, &bad, &error) != BERTH_SUCCESS)
    job->error = error;
}

/// Windows are more to pack and more to prove, so they have to pay. So have
/// overlaps: what comes behind the pass has to keep an order by them.
void berthPackGroups(BerthJob *job) {
  Choices best = {.job = job, .cuts = cutsNone};
  berthJobTake(job, job->problem, berthPackJob(job, job->problem));
  nameInvalid(job);
  if (job->status != BERTH_SUCCESS)
    return;
  if (mayBeBetter(job))
    tryChoices(&best, (Choices){.job = job, .cuts = cutsAll});
  bool byRanges = hasRanges(&job->scope);
  if (byRanges)
    tryGroups(&best, true, false);
  int64_t peak = job->plan.peak;
  if (job->numOverlaps)
    tryGroups(&best, byRanges, true);
  if (best.overlaps)
    job->savedByOverlaps = peak - job->plan.peak;
  settle(&best);
}
