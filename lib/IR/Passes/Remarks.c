//===- Remarks.c - What berth-arena tells the user of a compiler ----------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Passes/Remarks.h"
#include "IR/Barriers/Barriers.h"
#include "IR/Facts/Place.h"
#include "IR/Ops/OpTable.h"
#include "IR/Ops/OrDie.h"
#include "IR/Ops/Text.h"
#include "IR/Plan/Figures.h"
#include "IR/Plan/PackJob.h"
#include "IR/Plan/Residency.h"
#include "IR/Plan/Weights.h"
#include "IR/Rewrite/ActiveScopes.h"
#include "berth-c/IO.h"

#include <string.h>

static const char category[] = "berth-arena";

static void remarkPlaced(const BerthBufferInfo *buffer) {
  BerthText text = {0};
  if (buffer->isDynamic)
    berthTextAppend(&text, "placed at an offset computed at run time");
  else
    berthTextAppend(&text, "placed at offset %lld, %lld bytes",
                    (long long)buffer->offset, (long long)buffer->size);
  if (buffer->isLaterLife)
    berthTextAppend(&text, ", a later life: the buffer is overwritten whole");
  if (!mlirOperationIsNull(buffer->writtenBy)) {
    berthTextAppend(&text, ", written in place by ");
    berthTextAppendOp(&text, buffer->writtenBy);
  }
  berthEmitRemark(buffer->alloc, BERTH_REMARK_PASSED, category, text.data);
  berthTextFree(&text);
}

const char *berthAdviceFor(const BerthBufferInfo *buffer) {
  if (strstr(buffer->reason, "it is returned"))
    return "let callers bring the memory: berth-arena{results=out-params}, or "
           "buffer-results-to-out-params before Berth";
  if (strstr(buffer->reason, "size is known only at run time"))
    return "let berth-heap allocate it in an arena, or make its size static";
  return NULL;
}

void berthRemarkRejection(const BerthBufferInfo *buffer, const char *pass,
                          const char *verdict) {
  BerthText text = {0};
  berthTextAppend(&text, "%s: %s", verdict, buffer->reason);
  berthTextAppendWhere(&text, buffer->reasonAt, buffer->alloc);
  const char *advice = berthAdviceFor(buffer);
  if (advice)
    berthTextAppend(&text, "; %s", advice);
  berthEmitRemark(buffer->alloc, BERTH_REMARK_MISSED, pass, text.data);
  berthTextFree(&text);
}

/// Whose bytes a barrier of the cluster would give to others.
static void remarkCluster(const BerthBufferInfo *buffer) {
  BerthText text = {0};
  berthTextAppend(&text,
                  "other workgroups of the cluster may use it to the end of "
                  "the kernel: %s",
                  buffer->clusterReason);
  berthTextAppendWhere(&text, buffer->clusterReasonAt, buffer->alloc);
  berthEmitRemark(buffer->alloc, BERTH_REMARK_MISSED, category, text.data);
  berthTextFree(&text);
}

/// Silence would look like success.
static void remarkSkipped(const BerthJob *job) {
  BerthText text = {0};
  berthTextAppend(&text,
                  "%zu buffer%s in memory that threads may share %s not looked "
                  "at: %s",
                  job->scope.numSkipped, job->scope.numSkipped == 1 ? "" : "s",
                  job->scope.numSkipped == 1 ? "was" : "were",
                  job->scope.kind == BERTH_SCOPE_FUNCTION
                      ? "nothing says that this function is a kernel "
                        "(kernels=NAME), or which memory is meant (space=)"
                      : "that is another memory space (space=)");
  berthEmitRemark(job->scope.op, BERTH_REMARK_MISSED, category, text.data);
  berthTextFree(&text);
}

/// What is assumed is said aloud.
static void remarkThreads(const BerthJob *job) {
  berthEmitRemark(
      job->scope.op, BERTH_REMARK_ANALYSIS, category,
      job->scope.kind == BERTH_SCOPE_KERNEL
          ? "taken for a kernel: threads share memory of this space, and "
            "nothing proves that one thread runs the function "
            "(barriers=none if one does)"
          : "taken for a function that threads call: they share memory of "
            "this space, and nothing proves that one thread runs it "
            "(barriers=none if one does, kernels=NAME if it is a kernel)");
}

static void remarkOnce(const BerthJob *job) {
  berthEmitRemark(job->scope.takenForOnce, BERTH_REMARK_ANALYSIS, category,
                  "taken to be run once by its unit, though several cores come "
                  "to it: the description says so ('once'), and nothing proves "
                  "it");
}

static void remarkDynamic(const BerthJob *job) {
  size_t numArenas = 0;
  for (size_t i = 0; i < job->numHomes; ++i)
    numArenas += job->homes[i].numBuffers > 0;
  BerthText text = {0};
  berthTextAppend(&text,
                  "%zu of %zu buffers at offsets computed at run time, in %zu "
                  "arena%s",
                  job->numDynamic, berthCountBuffers(job), numArenas,
                  numArenas == 1 ? "" : "s");
  berthEmitRemark(job->scope.op, BERTH_REMARK_ANALYSIS, category, text.data);
  berthTextFree(&text);
}

/// Through calls it may have been any buffer.
static bool isReachedByPlaced(const BerthScope *scope,
                              const BerthNotedOp *noted) {
  if (noted->buffer != BERTH_NOT_FOUND)
    return !scope->buffers[noted->buffer].reason;
  for (size_t i = 0; i < scope->numBuffers; ++i)
    if (!scope->buffers[i].reason)
      return true;
  return false;
}

void berthListUnknownOps(const BerthJob *job, BerthPointerMap *ops) {
  if (job->options->alias.unknownOps != BERTH_UNKNOWN_UNTOLD)
    return;
  for (size_t i = 0; i < job->scope.numNoted; ++i)
    if (isReachedByPlaced(&job->scope, &job->scope.noted[i]))
      berthPointerMapInsert(ops, job->scope.noted[i].op.ptr, 1);
}

typedef struct UnknownWalk {
  const BerthPointerMap *ops;
  BerthPointerMap told; ///< names
} UnknownWalk;

static MlirWalkResult warnOfUnknownOp(MlirOperation op, void *userData) {
  UnknownWalk *walk = userData;
  MlirIdentifier name = mlirOperationGetName(op);
  if (berthPointerMapFind(walk->ops, op.ptr) == BERTH_NOT_FOUND ||
      !berthPointerMapInsert(&walk->told, name.ptr, 1))
    return MlirWalkResultAdvance;
  MlirStringRef text = mlirIdentifierStr(name);
  BerthText message = {0};
  berthTextAppend(&message,
                  "nothing tells what '%.*s' does: it is taken to read and "
                  "write the buffers that it is given while it runs, and to "
                  "keep none of them",
                  (int)text.length, text.data);
  berthEmitWarning(op, message.data,
                   "unknown-ops=keep if it may go on with them after it has "
                   "returned, unknown-ops=reject to place none of them, "
                   "unknown-ops=use if this is right");
  berthTextFree(&message);
  return MlirWalkResultAdvance;
}

void berthWarnOfUnknownOps(MlirOperation root, const BerthPointerMap *ops) {
  if (ops->count == 0)
    return;
  UnknownWalk walk = {.ops = ops};
  mlirOperationWalk(root, warnOfUnknownOp, &walk, MlirWalkPreOrder);
  berthPointerMapFree(&walk.told);
}

//===----------------------------------------------------------------------===//
// What may go wrong behind the pass
//===----------------------------------------------------------------------===//

static MlirWalkResult findThreads(MlirOperation op, void *userData) {
  bool *hasThreads = userData;
  *hasThreads |=
      berthOpIsParallel(op) || berthOpIsAsync(op) || berthOpIsCoroutine(op);
  return *hasThreads ? MlirWalkResultInterrupt : MlirWalkResultAdvance;
}

/// One that others may call, in memory that exists once for all of them.
static bool isPublicGlobal(const BerthJob *job) {
  MlirAttribute visibility = berthAttributeOf(job->scope.op, "sym_visibility");
  MlirStringRef hidden = mlirStringRefCreateFromCString("private");
  bool isPublic =
      mlirAttributeIsNull(visibility) ||
      !mlirStringRefEqual(mlirStringAttrGetValue(visibility), hidden);
  return job->form == BERTH_ARENA_GLOBAL && job->numPlaced && isPublic &&
         !berthScopeIsShared(&job->scope);
}

void berthWarnOfPublicGlobals(MlirOperation root, const BerthJob *jobs,
                              size_t numJobs) {
  size_t i = 0;
  while (i < numJobs && !isPublicGlobal(&jobs[i]))
    ++i;
  bool hasThreads = false;
  if (i < numJobs)
    mlirOperationWalk(root, findThreads, &hasThreads, MlirWalkPreOrder);
  if (hasThreads)
    berthEmitWarning(jobs[i].scope.op,
                     "arena=global: the function is public, and two threads "
                     "that call it at a time would use the same bytes",
                     "make it private if nobody else calls it, or use "
                     "arena=alloc or arena=argument");
}

/// True for a nest that leaves the affine dialect (OrderedLoops.h).
static bool leavesAffine(const BerthJob *job, MlirOperation op) {
  bool leaves = false;
  for (size_t i = 0; !leaves && i < job->numOverlaps; ++i)
    leaves = mlirOperationEqual(job->overlaps[i].nest, op);
  return leaves && job->form != BERTH_ARENA_ANNOTATE;
}

/// The op, or the outermost loop around it, of the affine dialect; or null.
static MlirOperation affineLoopOf(MlirOperation op, const BerthJob *job) {
  MlirOperation found = {NULL};
  for (; !mlirOperationEqual(op, job->scope.op);
       op = mlirOperationGetParentOperation(op))
    if (leavesAffine(job, op))
      found = (MlirOperation){NULL};
    else if (berthOpIsAffine(op) && mlirOperationGetNumRegions(op) > 0)
      found = op;
  return found;
}

/// Where affine loops touch the buffer first, or null.
static MlirOperation affineUser(const BerthBufferInfo *buffer,
                                const BerthJob *job) {
  MlirOperation loop = {NULL};
  for (size_t i = 0; mlirOperationIsNull(loop) && i < buffer->numAccesses; ++i)
    loop = affineLoopOf(buffer->accesses[i].op, job);
  return loop;
}

/// The first such loop by the offsets of the buffers, or null.
static MlirOperation findSharedAffine(BerthJob *job) {
  BerthScope *scope = &job->scope;
  BerthSorting sorting;
  berthSortingOrDie(&sorting, (uint32_t)scope->numBuffers, &job->memory);
  for (size_t i = 0; i < scope->numBuffers; ++i)
    sorting.keys[i] = berthKeyAscending(scope->buffers[i].offset);
  const uint32_t *order = berthSort(&sorting);
  int64_t end = 0;
  for (size_t i = 0; i < scope->numBuffers; ++i) {
    const BerthBufferInfo *buffer = &scope->buffers[order[i]];
    if (buffer->reason || buffer->isDynamic || !buffer->size)
      continue;
    MlirOperation loop = affineUser(buffer, job);
    if (mlirOperationIsNull(loop))
      continue;
    if (buffer->offset < end)
      return loop;
    end = buffer->offset + buffer->size;
  }
  return (MlirOperation){NULL};
}

void berthWarnOfAffineLoops(BerthJob *jobs, size_t numJobs) {
  for (size_t i = 0; i < numJobs; ++i) {
    if (!jobs[i].numPlaced)
      continue;
    MlirOperation loop = findSharedAffine(&jobs[i]);
    if (mlirOperationIsNull(loop))
      continue;
    berthEmitWarning(loop,
                     "affine loops touch buffers that share bytes: passes that "
                     "take different memrefs for disjoint memory, such as "
                     "affine-loop-fusion, must not follow",
                     "run them ahead of this pass, or lower-affine behind it");
    return;
  }
}

/// Assemblers and launches refuse it, long after this.
static void remarkLimits(const BerthJob *job) {
  const BerthChip *chip = job->chip;
  bool isDynamic = job->form == BERTH_ARENA_DYNAMIC;
  int64_t bytes = isDynamic ? berthLaunchBytes(job) : job->arenaSize;
  BerthText text = {0};
  if (isDynamic) {
    berthTextAppend(&text,
                    "launches that do not stand in this module have to ask for "
                    "%lld bytes of dynamic shared memory",
                    (long long)bytes);
    berthEmitRemark(job->scope.op, BERTH_REMARK_ANALYSIS, category, text.data);
    text.length = 0;
  }
  bytes += job->otherBytes;
  if (chip && !job->isEmbedded && bytes > chip->dynamicLimit)
    berthTextAppend(&text,
                    "%lld bytes of shared memory, and a workgroup on %s has no "
                    "more than %lld",
                    (long long)bytes, chip->name,
                    (long long)chip->dynamicLimit);
  else if (chip && !job->isEmbedded && !isDynamic && bytes > chip->staticLimit)
    berthTextAppend(&text,
                    "%lld bytes of shared memory are declared, and on %s no "
                    "more than %lld can be: use arena=dynamic",
                    (long long)bytes, chip->name, (long long)chip->staticLimit);
  if (text.length)
    berthEmitRemark(job->scope.op, BERTH_REMARK_MISSED, category, text.data);
  berthTextFree(&text);
}

/// With `frames` a function that keeps its arena is one that callers pay for.
static void remarkFrame(const BerthJob *job) {
  BerthText text = {0};
  berthTextAppend(&text, "its callers do not hold its arena: %s",
                  job->frameObstacle);
  berthEmitRemark(job->scope.op, BERTH_REMARK_MISSED, category, text.data);
  berthTextFree(&text);
}

/// What need not be computed at run time, nor be kept from then on.
static void remarkConstants(const BerthJob *job) {
  enum { kMostNamed = 3 };
  BerthWeights weights = berthFindWeights(job);
  BerthText text = {0};
  for (size_t i = 0; i < weights.count && i < kMostNamed; ++i) {
    int line, column;
    const char *file = berthOpGetFile(weights.items[i].global);
    berthOpGetPosition(weights.items[i].global, &line, &column);
    if (i == 0)
      berthTextAppend(
          &text,
          "where most is live, %zu buffer%s of %lld bytes %s what is computed "
          "from constants alone (",
          weights.numBuffers, weights.numBuffers == 1 ? "" : "s",
          (long long)weights.bytes, weights.numBuffers == 1 ? "holds" : "hold");
    berthTextAppend(&text, "%s%lld of @", i ? ", " : "",
                    (long long)weights.items[i].bytes);
    berthTextAppendWeight(&text, &weights.items[i]);
    berthTextAppend(&text, " at %s:%d", file ? file : "?", line);
  }
  if (weights.count > kMostNamed)
    berthTextAppend(&text, ", and of %zu more", weights.count - kMostNamed);
  if (weights.count) {
    berthTextAppend(&text,
                    "): fold-constants computes at compile time what it can");
    berthEmitRemark(job->scope.op, BERTH_REMARK_MISSED, category, text.data);
  }
  berthTextFree(&text);
  berthWeightsFree(&weights);
}

/// What is worse than before is said, whether it is done or not.
static void remarkExcess(const BerthJob *job) {
  BerthText text = {0};
  berthTextAppend(
      &text,
      job->numPlaced ? "where most is allocated, there are %lld bytes with the "
                       "arena, and %lld without: the allocations by "
                       "themselves would take less"
                     : "no arena: where most is allocated, there would be "
                       "%lld bytes with one, and %lld without "
                       "(never-worse=false makes one)",
      (long long)job->peakTogether, (long long)job->peakApart);
  berthEmitRemark(job->scope.op, BERTH_REMARK_MISSED, category, text.data);
  berthTextFree(&text);
}

/// Passes that come behind have to know.
static void remarkOverlap(const BerthJob *job, const BerthOverlap *overlap,
                          MlirAsmState state) {
  BerthText text = {0};
  berthTextAppend(&text, "%lld bytes of ",
                  (long long)berthOverlapBytes(job, overlap));
  berthTextAppendValue(&text, job->scope.buffers[overlap->read].value, state);
  berthTextAppend(&text, " are read here before ");
  berthTextAppendValue(&text, job->scope.buffers[overlap->written].value,
                       state);
  berthTextAppend(&text, " is written over them: the order of these loops has "
                         "to stay (" BERTH_ORDERED ")");
  berthEmitRemark(overlap->nest, BERTH_REMARK_PASSED, category, text.data);
  berthTextFree(&text);
}

/// Naming a scope's values takes as long as printing it.
static void remarkOverlaps(const BerthJob *job) {
  if (job->numOverlaps == 0)
    return;
  MlirAsmState state = berthAsmStateOf(job->scope.op);
  for (size_t i = 0; i < job->numOverlaps; ++i)
    remarkOverlap(job, &job->overlaps[i], state);
  mlirAsmStateDestroy(state);
}

void berthEmitJobRemarks(const BerthJob *job) {
  for (size_t i = 0; i < job->scope.numBuffers; ++i) {
    const BerthBufferInfo *buffer = &job->scope.buffers[i];
    if (buffer->reason)
      berthRemarkRejection(buffer, category, "not placed");
    else
      remarkPlaced(buffer);
    if (!buffer->reason && buffer->clusterReason)
      remarkCluster(buffer);
  }
  remarkOverlaps(job);
  berthRemarkBarriers(job);
  if (job->scope.kind == BERTH_SCOPE_LAUNCH && !job->options->onModule &&
      job->scope.numBuffers && !job->numPlaced && !job->numDynamic)
    berthEmitWarning(job->scope.op,
                     "berth-arena: nothing of this gpu.launch is placed by a "
                     "run on a function",
                     "run gpu-kernel-outlining first, or run the pass on the "
                     "module");
  if (job->scope.isThreadedByMemory && job->scope.numBuffers)
    remarkThreads(job);
  if (!mlirOperationIsNull(job->scope.takenForOnce))
    remarkOnce(job);
  if (job->scope.numSkipped)
    remarkSkipped(job);
  if (!job->options->packsExisting && !job->scope.numBuffers &&
      job->scope.kind == BERTH_SCOPE_KERNEL &&
      berthScopeIsShared(&job->scope) && berthDeclaresShared(&job->scope))
    berthEmitRemark(job->scope.op, BERTH_REMARK_MISSED, category,
                    "nothing to place: the kernel's workgroup memory is "
                    "declared, not allocated; existing=pack places that too");
  if (job->numDynamic)
    remarkDynamic(job);
  if (job->frameObstacle && (job->numPlaced || job->numDynamic))
    remarkFrame(job);
  if (job->peakTogether > job->peakApart)
    remarkExcess(job);
  if (!job->numPlaced)
    return;
  BerthText text = {0};
  berthTextAppend(&text,
                  "%zu of %zu buffers in an arena of %lld bytes%s%s instead of "
                  "%lld (load %lld, %s, packer %s)",
                  berthCountPlaced(job), berthCountBuffers(job),
                  (long long)job->arenaSize,
                  job->options->memory ? " of memory " : "",
                  job->options->memory ? job->options->memory : "",
                  (long long)berthSumOfSizes(job), (long long)job->plan.load,
                  berthPlanStatusName(job->plan.status), job->plan.packer);
  if (berthBytesBelow(job))
    berthTextAppend(&text, ", the first %lld of which are its callers'",
                    (long long)berthBytesBelow(job));
  if (job->numParts > 1)
    berthTextAppend(&text, ", in %zu parts", job->numParts);
  if (job->blocksTried)
    berthTextAppend(&text,
                    ", %zu of %zu blocks in another order, %zu orders proven",
                    job->blocksOrdered, job->blocksTried, job->blocksProven);
  if (job->copiesSaved)
    berthTextAppend(&text, ", %zu copies of %lld bytes saved", job->copiesSaved,
                    (long long)job->bytesNotCopied);
  if (job->numOverlaps)
    berthTextAppend(&text, ", %lld bytes less by %zu overlaps",
                    (long long)job->savedByOverlaps, job->numOverlaps);
  if (job->fillsSunk)
    berthTextAppend(&text, ", %zu fills moved into loops", job->fillsSunk);
  if (job->numBarriers)
    berthTextAppend(&text, ", %zu barriers inserted", job->numBarriers);
  if (job->numDrains)
    berthTextAppend(&text, ", %zu waits inserted", job->numDrains);
  if (job->numFences)
    berthTextAppend(&text, ", %zu fences inserted", job->numFences);
  if (berthCountsWorkgroups(job))
    berthTextAppend(&text, ", room for %zu of %zu workgroups on %s",
                    berthSizesReached(job, job->arenaSize), job->numSizes,
                    job->chip->name);
  else if (job->numSizes)
    berthTextAppend(&text, ", %zu of %zu sizes reached",
                    berthSizesReached(job, job->arenaSize), job->numSizes);
  berthEmitRemark(job->scope.op, BERTH_REMARK_ANALYSIS, category, text.data);
  berthTextFree(&text);
  remarkLimits(job);
  remarkConstants(job);
}
