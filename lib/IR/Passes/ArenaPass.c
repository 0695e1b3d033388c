//===- ArenaPass.c - The pipeline of berth-arena --------------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Passes/ArenaPass.h"
#include "IR/Barriers/Barriers.h"
#include "IR/Dynamic/FrameSizes.h"
#include "IR/Dynamic/Homes.h"
#include "IR/Dynamic/Order.h"
#include "IR/Hazards/CallEnds.h"
#include "IR/Hazards/RunsApart.h"
#include "IR/Liveness/Alternatives.h"
#include "IR/Liveness/ByteRanges.h"
#include "IR/Liveness/InPlace.h"
#include "IR/Liveness/Print.h"
#include "IR/Ops/OpTable.h"
#include "IR/Ops/OrDie.h"
#include "IR/Ops/Recursion.h"
#include "IR/Ops/Rules.h"
#include "IR/Ops/Text.h"
#include "IR/Overlap/OrderedLoops.h"
#include "IR/Overlap/Overlap.h"
#include "IR/Pad/PortShifts.h"
#include "IR/Passes/KeptPlans.h"
#include "IR/Passes/Remarks.h"
#include "IR/Passes/Report.h"
#include "IR/Plan/Analyze.h"
#include "IR/Plan/ArenaParts.h"
#include "IR/Plan/CalleeBuffers.h"
#include "IR/Plan/Capacity.h"
#include "IR/Plan/Constraints.h"
#include "IR/Plan/PackJob.h"
#include "IR/Plan/Problem.h"
#include "IR/Plan/Residency.h"
#include "IR/Pointers/DeallocChains.h"
#include "IR/Prepare/Drains.h"
#include "IR/Prepare/DropUnread.h"
#include "IR/Prepare/Existing.h"
#include "IR/Prepare/FoldConstants.h"
#include "IR/Prepare/RefillCopies.h"
#include "IR/Prepare/ResultArguments.h"
#include "IR/Prepare/Rotate.h"
#include "IR/Prepare/Schedule.h"
#include "IR/Prepare/ShortCircuit.h"
#include "IR/Prepare/SinkFills.h"
#include "IR/Prepare/SplitLives.h"
#include "IR/Prepare/SplitPublic.h"
#include "IR/Prepare/UpdateCaches.h"
#include "IR/Rewrite/ActiveScopes.h"
#include "IR/Rewrite/Apply.h"
#include "IR/Rewrite/ArenaForm.h"
#include "IR/Rewrite/CalleeArenas.h"
#include "IR/Rewrite/CheckUniform.h"
#include "IR/Rewrite/DistinctObjects.h"
#include "IR/Rewrite/Excess.h"
#include "IR/Rewrite/GlobalChecks.h"
#include "IR/Rewrite/GlobalSharing.h"
#include "IR/Rewrite/HostFrames.h"
#include "IR/Rewrite/RunTimeFrames.h"
#include "IR/Scope/Collect.h"
#include "IR/Scope/Job.h"
#include "IR/Scope/ScopeKind.h"
#include "IR/Verify/VerifyUpdates.h"

#include <stdlib.h>

/// From live ranges to the verified plan, be it above the capacity.
static void planOffsets(BerthJob *job) {
  berthReadConstraints(job);
  if (job->status != BERTH_SUCCESS)
    return;
  berthExplain(job);
  berthFindHomes(job);
  berthGroupInPlace(job);
  berthGroupAlternatives(job);
  berthFindByteRanges(job);
#ifdef BERTH_WITH_FOLD
  berthFindOverlaps(job);
#endif
  berthExtractProblem(job);
  berthCheckConstraints(job);
  if (job->status != BERTH_SUCCESS)
    return;
  berthPackScope(job);
}

static void planAnew(BerthJob *job) {
  berthJobForgetPlan(job);
  berthJobAnalyzeAnew(job);
  planOffsets(job);
}

/// True if ops may move and go once there is a plan: nobody else has looked at
/// them, neither for another memory nor for a plan that is kept, and their
/// order is that of time.
static bool mayTry(const BerthJob *job) {
  const BerthArenaOptions *options = job->options;
  return !options->explain && !options->memory && !job->kept &&
         !options->planOut && job->form != BERTH_ARENA_ANNOTATE &&
         !berthScopeIsShared(&job->scope) && !job->scope.hasCores &&
         !berthHasConcurrentUnits();
}

/// True if the job's plan is at least as good as one that needed `peak` bytes.
static bool isNoWorse(const BerthJob *job, bool fitted, int64_t peak) {
  bool fits = berthPlanFits(job);
  return job->status == BERTH_SUCCESS && fits >= fitted &&
         (fits > fitted || job->plan.peak <= peak);
}

/// Nothing in the code says yet that a call uses such an allocation.
static bool hasRunTimeFrames(const BerthJob *job) {
  for (size_t i = 0; i < job->numCalls; ++i)
    if (!mlirOperationIsNull(job->calls[i].frame))
      return true;
  return false;
}

/// Another order of ops has to make the arena smaller.
static void schedule(BerthJob *job) {
  bool isMeant = job->status == BERTH_SUCCESS && !hasRunTimeFrames(job);
  BerthSchedule *done = isMeant ? berthScheduleOps(job) : NULL;
  if (!done)
    return;
  bool fitted = berthPlanFits(job);
  int64_t peak = job->plan.peak;
  planAnew(job);
  if (isNoWorse(job, fitted, peak) && job->plan.peak != peak) {
    berthScheduleKeep(job, done);
    return;
  }
  berthScheduleUndo(done);
  job->status = BERTH_SUCCESS;
  planAnew(job);
}

/// Copies into slices go as long as that makes no arena larger.
static void shortCircuit(BerthJob *job) {
  BerthShortCircuits *done;
  while (job->status == BERTH_SUCCESS && (done = berthShortCircuit(job))) {
    bool fitted = berthPlanFits(job);
    int64_t peak = job->plan.peak;
    planAnew(job);
    if (isNoWorse(job, fitted, peak)) {
      berthShortCircuitKeep(job, done);
      continue;
    }
    berthShortCircuitUndo(done);
    job->status = BERTH_SUCCESS;
    planAnew(job);
    return;
  }
}

/// Fills move into loops where the arena becomes smaller by that, and of all of
/// them if `needsAll`. False if it would by `used`, which are some of them.
static bool trySinkFills(BerthJob *job, BerthSunkFills *done, bool needsAll,
                         BerthWorklist *used) {
  bool fitted = berthPlanFits(job);
  int64_t peak = job->plan.peak;
  planAnew(job);
  bool isBetter = isNoWorse(job, fitted, peak) && job->plan.peak != peak;
  bool areUsed = isBetter && berthSunkFillsUsed(job, done, used);
  if (isBetter && (areUsed || !needsAll)) {
    berthSinkFillsKeep(job, done);
    return true;
  }
  berthSinkFillsUndo(done);
  job->status = BERTH_SUCCESS;
  planAnew(job);
  return !isBetter;
}

/// First all of them, then those that had a use.
static void sinkFills(BerthJob *job) {
  BerthWorklist used = {0}, ignored = {0};
  BerthSunkFills *done =
      job->status == BERTH_SUCCESS ? berthSinkFills(job, NULL) : NULL;
  if (done && !trySinkFills(job, done, true, &used) &&
      (done = berthSinkFills(job, &used)))
    trySinkFills(job, done, false, &ignored);
  berthWorklistFree(&used);
  berthWorklistFree(&ignored);
}

/// True if the plan is worth a wait: it is smaller, or leaves room for more
/// workgroups where those are counted.
static bool isWorthDrain(const BerthJob *job, bool fitted, int64_t peak) {
  return isNoWorse(job, fitted, peak) &&
         (!fitted || (job->numSizes ? berthSizesReached(job, job->plan.peak) >
                                          berthSizesReached(job, peak)
                                    : job->plan.peak < peak));
}

/// Waits for what a pipeline leaves under way; each has to make the arena
/// smaller.
static void drain(BerthJob *job) {
  const BerthArenaOptions *options = job->options;
  bool isKernel = job->scope.kind == BERTH_SCOPE_KERNEL ||
                  job->scope.kind == BERTH_SCOPE_LAUNCH;
  bool mayWait = options->addsFences && !options->explain && !job->kept &&
                 !options->planOut && berthScopeIsShared(&job->scope) &&
                 job->scope.arrival == BERTH_ARRIVAL_TOGETHER && isKernel &&
                 job->numCallees == 0 && job->numPlaced > 0;
  for (int k = 0; mayWait && k < BERTH_NUM_ASYNC_KINDS; ++k) {
    BerthDrain done;
    if (job->status != BERTH_SUCCESS ||
        !berthDrain(job, (BerthAsyncKind)k, &done))
      continue;
    bool fitted = berthPlanFits(job);
    int64_t peak = job->plan.peak;
    planAnew(job);
    if (isWorthDrain(job, fitted, peak)) {
      ++job->numDrains;
      continue;
    }
    berthDrainUndo(&done);
    job->status = BERTH_SUCCESS;
    planAnew(job);
  }
}

/// The pipeline up to the verified plan, a station a line; docs/design.md has
/// the table of their files. Nothing here changes the IR but berthBuildFrames,
/// berthDropUnread, berthSplitLives, drain, schedule, shortCircuit and
/// sinkFills.
static void planBuffers(BerthJob *job) {
  if (berthBuildFrames(job))
    berthJobCollectAnew(job);
  berthAddCalleeBuffers(job);
  if (job->scope.numBuffers == 0)
    return;
  berthJobFindAliases(job);
  job->status = berthChooseForm(job);
  if (job->status != BERTH_SUCCESS)
    return;
  berthFindResidency(job);
  berthSetTablesAside(job);
  berthJobComputeLiveness(job);
  berthDropUnread(job);
  berthSplitLives(job);
  planOffsets(job);
  drain(job);
  if (mayTry(job)) {
    schedule(job);
    shortCircuit(job);
    sinkFills(job);
  }
  berthShiftBanks(job);
  berthCheckCapacity(job);
  berthTakeOffsets(job);
  if (job->status != BERTH_SUCCESS)
    return;
  berthAvoidExcess(job);
  berthOrderHomes(job);
  berthFindParts(job);
}

/// Callees come first: their arenas are buffers here, and their barriers count.
/// One that calls back is left to itself. In the one memory of a chip callers
/// come first: callees have their places above them.
static void planScope(BerthJob *job) {
  if (job->isPlanned)
    return;
  job->isPlanned = true;
  for (size_t i = 0; i < job->numCalls; ++i)
    planScope(job->calls[i].callee);
  for (size_t i = 0; i < job->numBelow; ++i)
    planScope(job->below[i]);
  berthReserveBelow(job);
  planBuffers(job);
  berthCheckHostFrame(job);
  if (job->status == BERTH_SUCCESS)
    berthFindEnds(job);
}

//===----------------------------------------------------------------------===//
// All scopes of a run
//===----------------------------------------------------------------------===//

typedef struct Run {
  MlirOperation root;
  const BerthArenaOptions *options; ///< of the memory at hand
  const BerthArenaOptions *memories;
  size_t numMemories;
  BerthBackup backup;
  BerthExisting existing;    ///< declared memory that became allocations
  BerthSplitFunctions split; ///< of host functions that get frames
  BerthReruns reruns;
  BerthJob *jobs; ///< of one memory after the other
  size_t numJobs;
  BerthPlanFile kept;   ///< that the jobs follow
  BerthUpdates updates; ///< of arguments in place
  bool hasRotated;
  BerthShownSlots shown;   ///< code that has to stay has them for a while
  BerthStranded *stranded; ///< what takes no turns
  bool isStranded;         ///< some slot that turns free is not placed
  bool triesAnew; ///< plans that may be too large because of that are no errors
  size_t numTooLarge, numFailed;
} Run;

static void countScope(MlirOperation op, void *userData) {
  (void)op;
  ++*(size_t *)userData;
}

static void addJob(MlirOperation op, void *userData) {
  Run *run = userData;
  BerthJob *job = &run->jobs[run->numJobs++];
  job->options = run->options;
  job->root = run->root;
  job->backup = &run->backup;
  job->reruns = &run->reruns;
  if (run->triesAnew && (run->hasRotated || !run->options->rotate))
    job->numTooLarge = &run->numTooLarge;
  berthJobCollect(job, op);
}

/// The jobs of the memory at hand; calls lead from one of these to another.
static void collectMemory(Run *run) {
  size_t first = run->numJobs;
  berthForEachScope(run->root, &run->options->collect, addJob, run);
  BerthJob *jobs = &run->jobs[first];
  berthListCalls(jobs, run->numJobs - first);
  berthFindReentries(jobs, run->numJobs - first);
  berthFindCallees(jobs, run->numJobs - first);
  berthFindActiveScopes(jobs, run->numJobs - first);
}

/// Jobs stay where they are: scopes point to their memory, callers to callees.
/// A memory's jobs are planned before the next one's are made, since planning
/// may change the code (berthSplitLives); not where a plan is given for all.
static BerthStatus planAll(Run *run) {
  BerthCallees *callees = berthCalleesKeep();
  size_t count = 0;
  bool isKept = run->memories->plan != NULL;
  for (size_t i = 0; i < run->numMemories; ++i)
    berthForEachScope(run->root, &run->memories[i].collect, countScope, &count);
  run->jobs = berthAllocateOrDie(count, sizeof *run->jobs);
  for (size_t i = 0; i < run->numMemories; ++i) {
    size_t first = run->numJobs;
    run->options = &run->memories[i];
    collectMemory(run);
    for (size_t k = first; k < run->numJobs && !isKept; ++k)
      planScope(&run->jobs[k]);
    if (!isKept)
      berthCheckActiveCapacity(&run->jobs[first], run->numJobs - first);
  }
  BerthStatus status =
      berthFindKeptPlans(run->root, run->jobs, run->numJobs, &run->kept);
  for (size_t i = 0; i < run->numJobs && status == BERTH_SUCCESS; ++i)
    planScope(&run->jobs[i]);
  berthSettleHostFrames(run->jobs, run->numJobs);
  berthCalleesForget(callees);
  return status;
}

static bool anyFailed(Run *run) {
  for (size_t i = 0; i < run->numJobs; ++i) {
    const BerthJob *job = &run->jobs[i];
    if (job->status == BERTH_SUCCESS)
      continue;
    ++run->numFailed;
    if (!job->isReported)
      berthEmitError(job->scope.op, job->error.message, (MlirOperation){NULL},
                     NULL);
  }
  return run->numFailed > 0;
}

static BerthStatus reportAndApply(Run *run, BerthArenaFigures *figures) {
  BerthError error;
  // The report reads the IR as it was: places, names, types.
  BerthStatus status =
      berthWriteReport(run->jobs, run->numJobs, run->options, &error);
  if (status == BERTH_SUCCESS)
    status = berthKeepPlans(run->jobs, run->numJobs, run->options, &error);
  if (status != BERTH_SUCCESS) {
    berthEmitError(run->root, error.message, (MlirOperation){NULL}, NULL);
    return status;
  }
  BerthPointerMap unknown = {0};
  for (size_t i = 0; i < run->numJobs; ++i) {
    berthEmitJobRemarks(&run->jobs[i]);
    berthListUnknownOps(&run->jobs[i], &unknown);
    berthAddFigures(&run->jobs[i], figures);
  }
  berthWarnOfUnknownOps(run->root, &unknown);
  berthWarnOfPublicGlobals(run->root, run->jobs, run->numJobs);
  berthWarnOfAffineLoops(run->jobs, run->numJobs);
  berthPointerMapFree(&unknown);
  berthShareGlobals(run->jobs, run->numJobs);
  BerthCallees *callees = berthCalleesKeep();
  BerthDistinct distinct = {.mayBeAny = false};
  for (size_t i = 0; i < run->numJobs; ++i)
    berthListDistinct(&run->jobs[i], &distinct);
  berthCalleesForget(callees);
  for (size_t i = 0; run->options->checkUniform && i < run->numJobs; ++i)
    berthCheckUniform(&run->jobs[i]);
  for (size_t i = 0; i < run->numJobs; ++i)
    berthForgetPlaces(&run->jobs[i]);
  for (size_t i = 0; run->options->shiftsBanks && i < run->numJobs; ++i)
    berthMarkPorts(&run->jobs[i]);
  for (size_t i = 0; i < run->numJobs; ++i)
    if (run->jobs[i].numPlaced || run->jobs[i].numDynamic)
      berthApplyPlan(&run->jobs[i]);
  for (size_t i = 0; i < run->numJobs; ++i)
    berthHandOverOthers(&run->jobs[i]);
#ifdef BERTH_WITH_FOLD
  // Last: whatever looked at the code may know ops of these loops.
  const char *broken = run->options->alias.breakRule;
  for (size_t i = 0; i < run->numJobs; ++i)
    if (run->jobs[i].numOverlaps && run->jobs[i].form != BERTH_ARENA_ANNOTATE &&
        !berthIsBroken(broken, "affine-order"))
      berthFixOrder(run->jobs[i].scope.op);
#endif
  berthDropDistinct(&distinct, "berth-arena");
  return BERTH_SUCCESS;
}

//===----------------------------------------------------------------------===//
// Names in the options
//===----------------------------------------------------------------------===//

typedef struct KernelSearch {
  BerthCollectOptions options; ///< with the one name that is looked for
  bool found;
} KernelSearch;

static void findKernel(MlirOperation op, void *userData) {
  KernelSearch *search = userData;
  search->found |= berthScopeIsListed(op, &search->options);
}

/// A name that no function has is a mistake; a run on one function cannot tell.
static BerthStatus checkKernelNames(MlirOperation root,
                                    const BerthArenaOptions *options) {
  BerthStatus status = BERTH_SUCCESS;
  for (size_t i = 0; options->onModule && i < options->collect.numKernels;
       ++i) {
    KernelSearch search = {
        .options = {.numKernels = 1, .kernels = &options->collect.kernels[i]}};
    berthForEachScope(root, &search.options, findKernel, &search);
    if (search.found)
      continue;
    BerthText text = {0};
    berthTextAppend(&text, "kernels: the module has no function '%s'",
                    options->collect.kernels[i]);
    berthEmitError(root, text.data, (MlirOperation){NULL}, NULL);
    berthTextFree(&text);
    status = BERTH_INVALID;
  }
  return status;
}

/// Names that no function has are a mistake, too.
static BerthStatus checkExplained(const Run *run) {
  const char *names = run->memories->explain;
  bool isExplained = !names || !run->memories->onModule;
  for (size_t i = 0; i < run->numJobs; ++i)
    isExplained |= run->jobs[i].isExplained;
  if (isExplained)
    return BERTH_SUCCESS;
  for (size_t i = 0; i < run->numJobs; ++i)
    if (run->jobs[i].scope.numBuffers)
      berthSayNames(&run->jobs[i]);
  BerthText text = {0};
  berthTextAppend(&text,
                  "explain: no two allocations are called '%s' in one function",
                  names);
  berthEmitError(run->root, text.data, (MlirOperation){NULL}, NULL);
  berthTextFree(&text);
  return BERTH_INVALID;
}

static void freeJobs(Run *run) {
  for (size_t i = 0; i < run->numJobs; ++i)
    berthJobFree(&run->jobs[i]);
  free(run->jobs);
  berthRerunsFree(&run->reruns);
}

static void updateCaches(Run *run) {
  const BerthArenaOptions *options = run->memories;
  BerthUpdateCheck check = options->verify ? berthVerifyUpdate : NULL;
  if (options->updatesCaches && options->onModule && !options->explain)
    berthUpdateCaches(run->root, &options->collect, &options->alias,
                      run->stranded, check, &run->backup, &run->updates);
}

/// Where the code has to stay, what turns choose from is there as long as it is
/// planned.
static void rotateForAWhile(Run *run) {
  const BerthArenaOptions *options = run->memories;
  if (options->rotate && !options->explain)
    run->hasRotated =
        berthRotateCarried(run->root, &options->collect, &options->alias,
                           run->stranded, &run->shown, &run->backup);
}

/// What goes ahead of planning. These believe in the order of ops.
static void prepare(Run *run) {
  const BerthArenaOptions *options = run->memories;
  if (berthHasConcurrentUnits())
    return;
  if (options->form == BERTH_ARENA_ANNOTATE) {
    rotateForAWhile(run);
    return;
  }
  updateCaches(run);
  berthFoldConstants(run->root, &options->collect, options->foldConstants,
                     options->alias.breakRule, &run->backup);
  if (options->frames)
    berthSplitPublic(run->root, &options->collect, &run->backup, &run->split);
  if (options->resultsAreArguments)
    berthResultsToArguments(run->root, &options->collect,
                            options->alias.breakRule, &run->backup);
  for (size_t i = 0; options->refill && i < run->numMemories; ++i)
    berthRefillCopies(run->root, &run->memories[i].collect, &options->alias,
                      &run->backup);
  // Who asks why two buffers interfere has their names as they are.
  if (options->rotate && !options->explain)
    run->hasRotated =
        berthRotateCarried(run->root, &options->collect, &options->alias,
                           run->stranded, NULL, &run->backup);
  for (size_t i = 0; i < run->numMemories; ++i)
    berthTakeExisting(run->root, &run->memories[i], &run->backup,
                      &run->existing);
}

static BerthStatus runAll(Run *run, BerthArenaFigures *figures) {
  if (checkKernelNames(run->root, run->memories) != BERTH_SUCCESS)
    return BERTH_INVALID;
  prepare(run);
  BerthStatus status = planAll(run);
  if (status == BERTH_SUCCESS && anyFailed(run))
    status = BERTH_INVALID;
  if (status == BERTH_SUCCESS)
    status = checkExplained(run);
  if (status == BERTH_SUCCESS && (run->hasRotated || run->updates.isBound) &&
      berthFindStranded(run->root, run->jobs, run->numJobs, run->stranded)) {
    run->isStranded = true;
    status = BERTH_INVALID;
  }
  if (status == BERTH_SUCCESS)
    status = berthNotePlaced(&run->existing, run->jobs, run->numJobs);
  if (status == BERTH_SUCCESS)
    status = reportAndApply(run, figures);
  if (status == BERTH_SUCCESS)
    berthHideSlots(&run->shown, true);
  else
    berthForgetShown(&run->shown);
  if (status == BERTH_SUCCESS)
    berthSayUpdates(&run->updates);
  if (status == BERTH_SUCCESS)
    berthPutExistingBack(&run->existing, run->root);
  if (status == BERTH_SUCCESS)
    berthJoinUnframed(run->root, &run->split);
  berthSplitFunctionsFree(&run->split);
  berthExistingFree(&run->existing);
  berthUpdatesFree(&run->updates);
  freeJobs(run);
  berthPlanFileFree(&run->kept);
  if (status != BERTH_SUCCESS)
    berthBackupRestore(&run->backup, run->root);
  berthBackupDrop(&run->backup);
  return status;
}

/// How buffers of loops take turns, and why an attempt has failed.
typedef struct Attempt {
  bool triesAnew;
  bool rotates;
  BerthStranded *stranded;
  bool isTooLarge;
  bool isStranded;
} Attempt;

/// One attempt. Restored ops are other ones, so nothing is kept from another.
static BerthStatus attempt(MlirOperation root, const BerthArenaOptions *options,
                           size_t numMemories, Attempt *how,
                           BerthArenaFigures *figures) {
  const char *broken = options->alias.breakRule;
  BerthPointerMap *threadFunctions =
      berthAllocateOrDie(numMemories, sizeof *threadFunctions);
  BerthNamedFunctions named = {0};
  BerthArenaOptions *rooted = berthAllocateOrDie(numMemories, sizeof *rooted);
  for (size_t i = 0; i < numMemories; ++i) {
    rooted[i] = options[i];
    rooted[i].rotate = how->rotates;
    rooted[i].alias.root = root;
    rooted[i].alias.named = &named;
    rooted[i].alias.followsTransfers = true;
    rooted[i].collect.iterations = !berthIsBroken(broken, "shared-iterations");
    rooted[i].collect.anyMemory = berthIsBroken(broken, "any-memory");
    rooted[i].collect.oneThread = options->barriers == BERTH_BARRIERS_NONE;
    threadFunctions[i] = berthFindThreadFunctions(root, &rooted[i].collect);
    if (!berthIsBroken(broken, "no-thread-numbers"))
      rooted[i].collect.threadFunctions = &threadFunctions[i];
  }
  Run run = {.root = root,
             .options = rooted,
             .memories = rooted,
             .numMemories = numMemories,
             .stranded = how->stranded,
             .triesAnew = how->triesAnew};
  BerthStatus status = runAll(&run, figures);
  how->isTooLarge = run.numTooLarge > 0 && run.numTooLarge == run.numFailed;
  how->isStranded = run.isStranded;
  free(rooted);
  for (size_t i = 0; i < numMemories; ++i)
    berthPointerMapFree(&threadFunctions[i]);
  free(threadFunctions);
  berthNamedFunctionsFree(&named);
  return status;
}

/// Slots that take turns are allocations that there would not be, so they may
/// be too many: then it is tried without. If that is too large as well, what is
/// said is said of the program with the slots. And where a turn frees what it
/// does not want any more, that goes only if all slots are placed.
BerthStatus berthArenaRun(MlirOperation root, const BerthArenaOptions *options,
                          size_t numMemories, BerthArenaFigures *figures) {
  enum { kMostTries = 4 };
  bool rotates = options->rotate;
  BerthStranded stranded = {0};
  Attempt how = {
      .triesAnew = rotates, .rotates = rotates, .stranded = &stranded};
  BerthStatus status = attempt(root, options, numMemories, &how, figures);
  for (int i = 1; how.isStranded; ++i) {
    stranded.all = i == kMostTries;
    status = attempt(root, options, numMemories, &how, figures);
  }
  if (how.isTooLarge) {
    Attempt without = {.triesAnew = true, .stranded = &stranded};
    status = attempt(root, options, numMemories, &without, figures);
    how.triesAnew = false;
    if (without.isTooLarge)
      status = attempt(root, options, numMemories, &how, figures);
    else if (status == BERTH_SUCCESS)
      berthEmitRemark(root, BERTH_REMARK_MISSED, "berth-arena",
                      "no buffers of loops take turns (rotate): with slots for "
                      "them the arena would be above the capacity");
  }
  free(stranded.numbers);
  return status;
}
