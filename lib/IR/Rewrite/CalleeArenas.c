//===- CalleeArenas.c - Functions' arenas in their callers' --------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Of memory that threads share the callers are known in a gpu.module as a
// whole; of a host's memory HostFrames.c decides.
//
//===----------------------------------------------------------------------===//

#include "IR/Rewrite/CalleeArenas.h"
#include "IR/Ops/OpTable.h"
#include "IR/Ops/OrDie.h"
#include "IR/Ops/Recursion.h"
#include "IR/Plan/ArenaParts.h"
#include "IR/Rewrite/ArenaForm.h"
#include "IR/Rewrite/Callers.h"
#include "IR/Rewrite/HostFrames.h"
#include "IR/Scope/ScopeKind.h"
#include "IR/Threads/Arrival.h"

#include <stdlib.h>

//===----------------------------------------------------------------------===//
// Which functions
//===----------------------------------------------------------------------===//

/// What is known of a function, by its job's number.
enum { kUnknown, kBusy, kNo, kYes };

typedef struct Chooser {
  BerthJob *jobs;
  BerthPointerMap jobOf; ///< scope op -> job
  unsigned char *answers;
} Chooser;

typedef struct CallerCheck {
  Chooser *chooser;
  const BerthJob *callee;
  size_t numCalls;
  bool canAll;
} CallerCheck;

static bool isEmbeddable(Chooser *chooser, size_t index);

/// The caller needs an arena in the same memory.
static bool canHold(Chooser *chooser, MlirOperation caller,
                    const BerthJob *callee) {
  size_t index = berthPointerMapFind(&chooser->jobOf, caller.ptr);
  if (index == BERTH_NOT_FOUND)
    return false;
  const BerthJob *job = &chooser->jobs[index];
  return berthScopeIsShared(&job->scope) &&
         mlirAttributeEqual(job->scope.space, callee->scope.space) &&
         (isEmbeddable(chooser, index) || !berthFormObstacle(job));
}

static void checkCall(MlirOperation call, void *userData) {
  CallerCheck *check = userData;
  ++check->numCalls;
  // Upstream cannot lower a memref beside a call's argument attributes.
  if (!mlirAttributeIsNull(berthAttributeOf(call, "arg_attrs")))
    check->canAll = false;
  check->canAll =
      check->canAll &&
      canHold(check->chooser, berthEnclosingScope(call), check->callee);
}

static bool mayBeHanded(const BerthJob *job) {
  BerthArenaForm form = job->options->form;
  bool formAllows = form == BERTH_ARENA_AUTO || form == BERTH_ARENA_DYNAMIC ||
                    form == BERTH_ARENA_ATTRIBUTION;
  return formAllows && berthScopeIsShared(&job->scope) &&
         job->scope.kind != BERTH_SCOPE_KERNEL &&
         berthOpIs(job->scope.op, BERTH_OP_FUNCTION) &&
         !berthFunctionIsRecursive(job->scope.op);
}

static bool isEmbeddable(Chooser *chooser, size_t index) {
  if (chooser->answers[index] != kUnknown)
    return chooser->answers[index] == kYes;
  chooser->answers[index] = kBusy;
  const BerthJob *job = &chooser->jobs[index];
  CallerCheck check = {chooser, job, 0, true};
  bool isKnown =
      mayBeHanded(job) &&
      berthForEachCallSite(job->scope.op, job->root, checkCall, &check);
  bool result = isKnown && check.numCalls && check.canAll;
  chooser->answers[index] = result ? kYes : kNo;
  return result;
}

//===----------------------------------------------------------------------===//
// Who calls them
//===----------------------------------------------------------------------===//

static void listCallees(BerthJob *job) {
  BerthPointerMap seen = {0};
  job->callees = BERTH_NEW(&job->memory, BerthJob *, job->numCalls);
  for (size_t i = 0; i < job->numCalls; ++i) {
    BerthJob *callee = job->calls[i].callee;
    if (callee->isEmbedded && berthPointerMapInsert(&seen, callee, 1))
      job->callees[job->numCallees++] = callee;
  }
  berthPointerMapFree(&seen);
}

void berthFindCallees(BerthJob *jobs, size_t numJobs) {
  Chooser chooser = {.jobs = jobs, .answers = berthAllocateOrDie(numJobs, 1)};
  for (size_t i = 0; i < numJobs; ++i)
    berthPointerMapInsert(&chooser.jobOf, jobs[i].scope.op.ptr, i);
  for (size_t i = 0; i < numJobs; ++i)
    jobs[i].isEmbedded = isEmbeddable(&chooser, i);
  berthFindHostFrames(jobs, numJobs, &chooser.jobOf);
  for (size_t i = 0; i < numJobs; ++i)
    listCallees(&jobs[i]);
  berthPointerMapFree(&chooser.jobOf);
  free(chooser.answers);
}

//===----------------------------------------------------------------------===//
// Handing them over
//===----------------------------------------------------------------------===//

/// One view for all calls: it is made once, so that berth-verify takes what
/// lies there for one buffer.
void berthHandOverArena(BerthJob *job, const BerthBufferInfo *buffer,
                        size_t number) {
  MlirContext context = mlirOperationGetContext(job->scope.op);
  MlirType type = berthByteMemRef(context, buffer->size, job->scope.space);
  const BerthPart *part = berthPartAt(job, buffer->offset);
  BerthInsertPoint at = berthInsertAtEntry(
      job->scope.body, mlirOperationGetLocation(job->scope.op));
  if (mlirValueIsAOpResult(part->value))
    at.before = mlirOperationGetNextInBlock(mlirOpResultGetOwner(part->value));
  MlirValue view =
      berthBuildView(at, part->value, buffer->offset - part->lower, type);
  berthSetAttribute(mlirOpResultGetOwner(view), "berth.buffer",
                    berthI64(context, (int64_t)number));
  for (size_t i = 0; i < buffer->numCalls; ++i)
    berthAddOperand(buffer->calls[i], view);
}
