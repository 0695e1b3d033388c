//===- ArenaPass.c - The pipeline of berth-arena --------------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Dynamic/Dynamic.h"
#include "IR/Hazards/CallEnds.h"
#include "IR/Hazards/RunsApart.h"
#include "IR/Liveness/AsyncHold.h"
#include "IR/Liveness/InPlace.h"
#include "IR/Liveness/Liveness.h"
#include "IR/Liveness/Print.h"
#include "IR/Ops/Backup.h"
#include "IR/Ops/Rules.h"
#include "IR/Pointers/DeallocChains.h"
#include "IR/Pointers/Frees.h"
#include "IR/Prepare/RefillCopies.h"
#include "IR/Prepare/Rotate.h"
#include "IR/Prepare/SplitLives.h"
#include "IR/Rewrite/CalleeArenas.h"
#include "IR/Scope/Job.h"
#include "IR/Threads/Arrival.h"
#include "IR/Threads/Uniformity.h"
#include "Support/Grow.h"
#include "berth-c/IO.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

//===----------------------------------------------------------------------===//
// The stations, each a few lines around the file that does the work
//===----------------------------------------------------------------------===//

static void collect(BerthJob *job, MlirOperation op) {
  job->scope = berthScopeCollect(op, &job->options->collect, &job->memory);
  job->points = berthPointsCreate(job->scope.body, &job->memory);
  if (berthScopeIsShared(&job->scope))
    job->scope.arrival =
        berthScopeArrival(op, &job->options->collect, job->root);
}

static void findAliases(BerthJob *job) {
  berthScopeFindAliases(&job->scope, &job->points, &job->options->alias);
  berthCheckFrees(&job->scope);
}

/// What only decides on deallocations that go needs no place.
static void setTablesAside(BerthJob *job) {
  if (job->form != BERTH_ARENA_ANNOTATE)
    berthSetTablesAside(job);
}

static void computeLiveness(BerthJob *job) {
  berthScopeComputeLiveness(&job->scope, &job->points,
                            job->options->alias.breakRule);
  berthScopeHoldAsync(&job->scope, &job->points, job->options->alias.breakRule);
}

/// What is split off has no deallocation, so all of it has to be placed. Some
/// forms have no place for what iterations allocate.
static bool maySplit(const BerthJob *job) {
  bool hasPlace = job->form == BERTH_ARENA_ALLOC ||
                  job->form == BERTH_ARENA_ALLOCA || !job->scope.isIteration;
  return job->options->splitLives && !job->options->explain && hasPlace &&
         job->form != BERTH_ARENA_ANNOTATE && !berthScopeIsShared(&job->scope);
}

/// The buffers are other ones then, and looked at anew.
static void splitLives(BerthJob *job) {
  if (!maySplit(job) ||
      !berthSplitLives(&job->scope, &job->points, job->root, job->backup))
    return;
  berthPointsFree(&job->points);
  collect(job, job->scope.op);
  findAliases(job);
  setTablesAside(job);
  computeLiveness(job);
}

/// Elements that one thread has written over are others' operands still.
static void groupInPlace(BerthJob *job) {
  bool changesCode = job->form != BERTH_ARENA_ANNOTATE;
  if (job->options->inPlace && changesCode && !berthScopeIsShared(&job->scope))
    berthScopeGroupInPlace(&job->scope, &job->points);
}

static void explain(BerthJob *job) {
  if (!job->options->explain)
    return;
  BerthText text = {0};
  berthExplainByName(&text, &job->scope, &job->points, job->options->explain);
  fwrite(text.data, 1, text.length, stderr);
  berthTextFree(&text);
}

/// A compiler's user waits for every function: about a second each. In
/// workgroup memory the pairs kept apart make search hard, and several plans
/// are compared.
enum { kDefaultSteps = 1 << 26, kSharedSteps = 1 << 24 };

static uint64_t stepBudget(const BerthJob *job) {
  if (job->options->steps || berthNamesPacker(job->options))
    return job->options->steps;
  return berthScopeIsShared(&job->scope) ? kSharedSteps : kDefaultSteps;
}

static void packOnce(BerthJob *job) {
  const BerthArenaOptions *options = job->options;
  BerthPackOptions pack = {.packer = options->packer, .steps = stepBudget(job)};
  const BerthProblemData *problem = berthProblemGetData(job->problem);
  if (options->pluginPacker) {
    job->status = berthPackWith(options->pluginPacker, problem, &pack,
                                &job->plan, &job->error);
  } else if (options->plugin) {
    BerthProcessOptions process = {.plugin = options->plugin};
    job->status =
        berthPackInProcess(problem, &pack, &process, &job->plan, &job->error);
  } else {
    job->status = berthPack(problem, &pack, &job->plan, &job->error);
  }
}

/// Between packing and the first change of the IR, always on.
static void verify(BerthJob *job) {
  if (job->status != BERTH_SUCCESS)
    return;
  job->status = berthPlanVerify(berthProblemGetData(job->problem), &job->plan,
                                &job->error);
}

void berthPackJob(BerthJob *job) {
  packOnce(job);
  verify(job);
  berthPreferParts(job);
}

/// One offset for a whole group is less work and fewer bytes, or a tall order:
/// packs without groups too, and keeps them unless that is smaller.
static void packWithOrWithoutGroups(BerthJob *job) {
  berthPackJob(job);
  bool isDone =
      job->status != BERTH_SUCCESS || job->plan.status == BERTH_PLAN_OPTIMAL;
  if (!berthScopeHasGroups(&job->scope) || isDone)
    return;
  BerthPlan grouped = job->plan;
  BerthProblem *problem = job->problem;
  BerthBufferInfo *buffers =
      berthMemoryCopy(&job->memory, job->scope.buffers, job->scope.numBuffers,
                      sizeof *job->scope.buffers);
  job->plan = (BerthPlan){0};
  berthScopeUngroup(&job->scope);
  berthExtractProblem(job);
  berthPackJob(job);
  if (job->status == BERTH_SUCCESS && job->plan.peak < grouped.peak) {
    berthPlanFree(&grouped);
    berthProblemDestroy(problem);
    return;
  }
  berthPlanFree(&job->plan);
  berthProblemDestroy(job->problem);
  job->plan = grouped;
  job->problem = problem;
  job->status = BERTH_SUCCESS;
  job->scope.buffers = buffers;
}

static void pack(BerthJob *job) {
  bool isShared = berthScopeIsShared(&job->scope) &&
                  !berthIsBroken(job->options->alias.breakRule, "no-hazards");
  if (isShared && job->barriersMode != BERTH_BARRIERS_NONE)
    berthPackShared(job);
  else
    packWithOrWithoutGroups(job);
}

static void checkCapacity(BerthJob *job) {
  bool fits = job->plan.status == BERTH_PLAN_OPTIMAL ||
              job->plan.status == BERTH_PLAN_FEASIBLE;
  if (job->status != BERTH_SUCCESS || fits)
    return;
  berthReportOverflow(job);
  job->status = BERTH_INVALID;
}

static void takeOffsets(BerthJob *job) {
  if (job->status != BERTH_SUCCESS)
    return;
  job->arenaSize = job->plan.peak;
  for (size_t i = 0; i < job->numPlaced; ++i)
    job->scope.buffers[job->bufferOf[i]].offset = job->plan.offsets[i];
}

void berthAnalyzeScope(BerthJob *job, MlirOperation op) {
  collect(job, op);
  findAliases(job);
  computeLiveness(job);
}

/// The pipeline up to the verified plan; nothing here changes the IR but
/// splitLives.
static void planBuffers(BerthJob *job) {
  berthAddCalleeBuffers(job);
  if (job->scope.numBuffers == 0)
    return;
  findAliases(job);
  job->status = berthChooseForm(job);
  if (job->status != BERTH_SUCCESS)
    return;
  setTablesAside(job);
  computeLiveness(job);
  splitLives(job);
  explain(job);
  berthFindHomes(job);
  groupInPlace(job);
  berthExtractProblem(job);
  if (job->numPlaced > 0) {
    pack(job);
    checkCapacity(job);
    takeOffsets(job);
  }
  if (job->status != BERTH_SUCCESS)
    return;
  berthOrderHomes(job);
  berthFindParts(job);
}

/// Callees come first: their arenas are buffers here, and their barriers count.
/// One that calls back is left to itself.
static void planScope(BerthJob *job) {
  if (job->isPlanned)
    return;
  job->isPlanned = true;
  for (size_t i = 0; i < job->numCalls; ++i)
    planScope(job->calls[i].callee);
  planBuffers(job);
  if (job->status == BERTH_SUCCESS)
    berthFindEnds(job);
}

//===----------------------------------------------------------------------===//
// All scopes of a run
//===----------------------------------------------------------------------===//

typedef struct Run {
  MlirOperation root;
  const BerthArenaOptions *options;
  BerthBackup backup;
  BerthJob *jobs;
  size_t numJobs;
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
  collect(job, op);
}

/// Jobs stay where they are: scopes point to their memory, callers to callees.
static void planAll(Run *run) {
  size_t count = 0;
  berthForEachScope(run->root, &run->options->collect, countScope, &count);
  run->jobs = berthAllocateOrDie(count, sizeof *run->jobs);
  berthForEachScope(run->root, &run->options->collect, addJob, run);
  berthListCalls(run->jobs, run->numJobs);
  berthFindReentries(run->jobs, run->numJobs);
  berthFindCallees(run->jobs, run->numJobs);
  for (size_t i = 0; i < run->numJobs; ++i)
    planScope(&run->jobs[i]);
}

static bool anyFailed(const Run *run) {
  bool failed = false;
  for (size_t i = 0; i < run->numJobs; ++i) {
    const BerthJob *job = &run->jobs[i];
    if (job->status == BERTH_SUCCESS)
      continue;
    failed = true;
    if (!job->isReported)
      berthEmitError(job->scope.op, job->error.message, (MlirOperation){NULL},
                     NULL);
  }
  return failed;
}

/// The arena of a called function counts in itself and in its callers' arenas.
static void addFigures(const BerthJob *job, BerthArenaFigures *figures) {
  for (size_t i = 0; i < job->scope.numBuffers; ++i)
    figures->buffers += mlirOperationIsNull(job->scope.buffers[i].callee) &&
                        !job->scope.buffers[i].isLaterLife;
  for (size_t i = 0; i < job->numPlaced; ++i) {
    const BerthBufferInfo *buffer = &job->scope.buffers[job->bufferOf[i]];
    if (!mlirOperationIsNull(buffer->callee) || buffer->isLaterLife)
      continue;
    ++figures->placed;
    figures->bytesBefore += (uint64_t)buffer->size;
  }
  figures->placed += job->numDynamic;
  figures->dynamic += job->numDynamic;
  if (!job->isEmbedded)
    figures->bytesAfter += (uint64_t)job->arenaSize;
}

static BerthStatus reportAndApply(Run *run, BerthArenaFigures *figures) {
  BerthError error;
  // The report reads the IR as it was: places, names, types.
  BerthStatus status =
      berthWriteReport(run->jobs, run->numJobs, run->options, &error);
  if (status != BERTH_SUCCESS) {
    berthEmitError(run->root, error.message, (MlirOperation){NULL}, NULL);
    return status;
  }
  for (size_t i = 0; i < run->numJobs; ++i) {
    berthEmitJobRemarks(&run->jobs[i]);
    addFigures(&run->jobs[i], figures);
  }
  for (size_t i = 0; i < run->numJobs; ++i)
    if (run->jobs[i].numPlaced || run->jobs[i].numDynamic)
      berthApplyPlan(&run->jobs[i]);
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

void berthJobFree(BerthJob *job) {
  berthScopeFreeUniformity(&job->scope);
  berthPlanFree(&job->plan);
  if (job->problem)
    berthProblemDestroy(job->problem);
  berthPointsFree(&job->points);
  berthMemoryFree(&job->memory);
}

static void freeJobs(Run *run) {
  for (size_t i = 0; i < run->numJobs; ++i)
    berthJobFree(&run->jobs[i]);
  free(run->jobs);
}

BerthStatus berthArenaRun(MlirOperation root, const BerthArenaOptions *options,
                          BerthArenaFigures *figures) {
  BerthArenaOptions rooted = *options;
  rooted.alias.root = root;
  rooted.alias.followsTransfers = true;
  rooted.collect.iterations =
      !berthIsBroken(options->alias.breakRule, "shared-iterations");
  options = &rooted;
  if (checkKernelNames(root, options) != BERTH_SUCCESS)
    return BERTH_INVALID;
  Run run = {.root = root, .options = options};
  if (options->refill && options->form != BERTH_ARENA_ANNOTATE)
    berthRefillCopies(root, &options->collect, &options->alias, &run.backup);
  if (options->rotate)
    berthRotateCarried(root, &run.backup);
  planAll(&run);
  BerthStatus status =
      anyFailed(&run) ? BERTH_INVALID : reportAndApply(&run, figures);
  freeJobs(&run);
  if (status != BERTH_SUCCESS)
    berthBackupRestore(&run.backup, root);
  berthBackupDrop(&run.backup);
  return status;
}
