//===- KeptPlans.c - Plans that are kept in files -------------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Passes/KeptPlans.h"
#include "IO/Text/Span.h"
#include "IR/Ops/OrDie.h"
#include "IR/Ops/Spaces.h"
#include "IR/Ops/Text.h"
#include "IR/Scope/Names.h"
#include "Support/Temporaries.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

//===----------------------------------------------------------------------===//
// Names of scopes
//===----------------------------------------------------------------------===//

/// What scopes go by in a file. Those that would have one name, such as the
/// kernels of two modules, are counted: "main", "main#1".
typedef struct Name {
  BerthText function;
  BerthText space;
  size_t count; ///< of those before it with the same two
} Name;

static bool isSame(const BerthText *a, const BerthText *b) {
  return a->length == b->length && memcmp(a->data, b->data, a->length) == 0;
}

/// What a file of JSON gives back: it holds no bytes that are no UTF-8.
static void makeReadable(BerthText *text) {
  BerthText result = {0};
  for (size_t i = 0; i < text->length;) {
    size_t count = berthUtf8Length(text->data + i, text->length - i);
    if (count && text->data[i])
      berthTextAppend(&result, "%.*s", (int)count, text->data + i);
    else
      berthTextAppend(&result, "\xEF\xBF\xBD");
    i += count ? count : 1;
  }
  berthTextFree(text);
  *text = result;
}

static Name *nameScopes(const BerthJob *jobs, size_t numJobs) {
  Name *names = berthAllocateOrDie(numJobs, sizeof *names);
  for (size_t i = 0; i < numJobs; ++i) {
    berthNameScope(&jobs[i].scope, &names[i].function);
    berthNameSpace(&jobs[i].scope, &names[i].space);
    makeReadable(&names[i].function);
    makeReadable(&names[i].space);
    for (size_t k = 0; k < i; ++k)
      names[i].count += isSame(&names[i].function, &names[k].function) &&
                        isSame(&names[i].space, &names[k].space);
  }
  for (size_t i = 0; i < numJobs; ++i)
    if (names[i].count)
      berthTextAppend(&names[i].function, "#%zu", names[i].count);
  return names;
}

static void freeNames(Name *names, size_t count) {
  for (size_t i = 0; i < count; ++i) {
    berthTextFree(&names[i].function);
    berthTextFree(&names[i].space);
  }
  free(names);
}

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

static BerthStatus emit(MlirOperation at, const BerthText *text) {
  berthEmitError(at, text->data, (MlirOperation){NULL}, NULL);
  return BERTH_INVALID;
}

/// The job of a scope of the plan: the one of its names, or else of the same
/// memory by another spelling.
static BerthJob *findJob(BerthJob *jobs, size_t numJobs, const Name *names,
                         const BerthPlanScope *scope) {
  BerthJob *spelled = NULL;
  for (size_t i = 0; i < numJobs; ++i) {
    if (strcmp(names[i].function.data, scope->function) != 0)
      continue;
    if (strcmp(names[i].space.data, scope->space) == 0)
      return &jobs[i];
    if (!spelled && berthSpaceIs(mlirOperationGetContext(jobs[i].scope.op),
                                 jobs[i].scope.space, scope->space))
      spelled = &jobs[i];
  }
  return spelled;
}

/// Every scope of the plan is one of the module, or it is for another one.
static BerthStatus matchScopes(MlirOperation root, BerthJob *jobs,
                               size_t numJobs, const BerthPlanFile *kept) {
  Name *names = nameScopes(jobs, numJobs);
  BerthStatus status = BERTH_SUCCESS;
  for (size_t i = 0; i < kept->numScopes && status == BERTH_SUCCESS; ++i) {
    const BerthPlanScope *scope = &kept->scopes[i];
    BerthJob *job = findJob(jobs, numJobs, names, scope);
    BerthText text = {0};
    if (!job)
      berthTextAppend(&text,
                      "plan '%s', line %llu: there is no '%s' with buffers in "
                      "space %s here",
                      jobs[0].options->plan, (unsigned long long)scope->line,
                      scope->function, scope->space);
    else if (job->kept)
      berthTextAppend(&text, "plan '%s', line %llu: '%s' is there twice",
                      jobs[0].options->plan, (unsigned long long)scope->line,
                      scope->function);
    if (text.length)
      status = emit(root, &text);
    else
      job->kept = scope;
    berthTextFree(&text);
  }
  freeNames(names, numJobs);
  return status;
}

/// A scope that the plan leaves out would be planned unlike all others.
static BerthStatus checkAllHaveOne(const BerthJob *jobs, size_t numJobs) {
  for (size_t i = 0; i < numJobs; ++i) {
    if (jobs[i].kept || !jobs[i].scope.numBuffers)
      continue;
    BerthText text = {0};
    berthTextAppend(&text, "plan '%s' has nothing for this scope",
                    jobs[i].options->plan);
    emit(jobs[i].scope.op, &text);
    berthTextFree(&text);
    return BERTH_INVALID;
  }
  return BERTH_SUCCESS;
}

BerthStatus berthFindKeptPlans(MlirOperation root, BerthJob *jobs,
                               size_t numJobs, BerthPlanFile *kept) {
  if (!numJobs || !jobs[0].options->plan)
    return BERTH_SUCCESS;
  BerthError error;
  if (berthPlanFileRead(jobs[0].options->plan, kept, &error) != BERTH_SUCCESS) {
    BerthText text = {0};
    berthTextAppend(&text, "plan '%s'", jobs[0].options->plan);
    if (error.line)
      berthTextAppend(&text, ":%llu:%llu", (unsigned long long)error.line,
                      (unsigned long long)error.column);
    berthTextAppend(&text, ": %s", error.message);
    emit(root, &text);
    berthTextFree(&text);
    return BERTH_INVALID;
  }
  if (matchScopes(root, jobs, numJobs, kept) != BERTH_SUCCESS)
    return BERTH_INVALID;
  return checkAllHaveOne(jobs, numJobs);
}

//===----------------------------------------------------------------------===//
// Writing
//===----------------------------------------------------------------------===//

static BerthPlanEntry entryOf(const BerthJob *job,
                              const BerthBufferInfo *buffer, MlirAsmState state,
                              BerthMemory *memory) {
  BerthText name = {0}, type = {0}, location = {0};
  berthNameBuffer(buffer, job->scope.space, state, &name, &type);
  int line, column;
  berthOpGetPosition(buffer->alloc, &line, &column);
  if (line)
    berthTextAppend(&location, "%d:%d", line, column);
  BerthPlanEntry entry = {.name = berthTextKeep(memory, &name),
                          .type = berthTextKeep(memory, &type),
                          .location =
                              line ? berthTextKeep(memory, &location) : NULL,
                          .reason = buffer->reason,
                          .size = buffer->isDynamic ? BERTH_NONE : buffer->size,
                          .alignment = buffer->alignment,
                          .offset = BERTH_NONE,
                          .numSegments = buffer->numSegments,
                          .segments = buffer->segments};
  if (buffer->isDynamic && !buffer->reason)
    entry.reason = "its offset is computed at run time";
  else if (!buffer->reason)
    entry.offset = buffer->offset;
  return entry;
}

static BerthPlanScope scopeOf(const BerthJob *job, const Name *name,
                              BerthMemory *memory) {
  const BerthScope *scope = &job->scope;
  BerthPlanScope plan = {.function = name->function.data,
                         .space = name->space.data,
                         .arena = job->arenaSize,
                         .alignment =
                             job->arenaAlignment ? job->arenaAlignment : 1,
                         .numEntries = scope->numBuffers};
  plan.entries = BERTH_NEW(memory, BerthPlanEntry, scope->numBuffers);
  MlirAsmState state = berthAsmStateOf(scope->op);
  for (size_t i = 0; i < scope->numBuffers; ++i)
    plan.entries[i] = entryOf(job, &scope->buffers[i], state, memory);
  mlirAsmStateDestroy(state);
  return plan;
}

BerthStatus berthKeepPlans(const BerthJob *jobs, size_t numJobs,
                           const BerthArenaOptions *options,
                           BerthError *error) {
  if (!options->planOut)
    return BERTH_SUCCESS;
  Name *names = nameScopes(jobs, numJobs);
  BerthPlanFile plan = {0};
  plan.scopes = BERTH_NEW(&plan.memory, BerthPlanScope, numJobs);
  for (size_t i = 0; i < numJobs; ++i)
    if (jobs[i].scope.numBuffers)
      plan.scopes[plan.numScopes++] =
          scopeOf(&jobs[i], &names[i], &plan.memory);
  berthTemporariesHeedSignals();
  BerthStatus status = berthPlanFileWrite(&plan, options->planOut, error);
  berthPlanFileFree(&plan);
  freeNames(names, numJobs);
  return status;
}
