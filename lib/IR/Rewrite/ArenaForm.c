//===- ArenaForm.c - Which form the arena takes, and whether it can -------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Shared (workgroup) memory cannot be allocated in code: upstream lowers such a
// memref.alloc to a per-thread malloc. Global, dynamic and argument change what
// lies outside the scope, so they need the pass to run on the module.
//
//===----------------------------------------------------------------------===//

#include "IR/Rewrite/ArenaForm.h"
#include "IR/Ops/OpTable.h"
#include "IR/Ops/Spaces.h"
#include "IR/Rewrite/CallerChecks.h"
#include "IR/Rewrite/GlobalChecks.h"
#include "mlir-c/BuiltinAttributes.h"

#include <string.h>

static bool isGpuFunc(const BerthScope *scope) {
  return berthOpIs(scope->op, BERTH_OP_GPU_FUNCTION);
}

static bool isAllOnStack(const BerthScope *scope) {
  for (size_t i = 0; i < scope->numBuffers; ++i)
    if (!berthOpIs(scope->buffers[i].alloc, BERTH_OP_ALLOCA))
      return false;
  return true;
}

static bool isOfDynamicSpace(const BerthScope *scope) {
  return berthSpaceIs(mlirOperationGetContext(scope->op), scope->space,
                      "workgroup");
}

/// Many iterations that took their buffers from the stack do not begin to
/// allocate. What was dynamic shared memory may be more than can be declared.
static BerthArenaForm automaticForm(const BerthJob *job) {
  const BerthScope *scope = &job->scope;
  if (job->isEmbedded)
    return BERTH_ARENA_ARGUMENT;
  bool isOnStack = scope->kind != BERTH_SCOPE_FUNCTION ||
                   (scope->isIteration && isAllOnStack(scope));
  if (!berthScopeIsShared(scope))
    return isOnStack ? BERTH_ARENA_ALLOCA : BERTH_ARENA_ALLOC;
  if (job->options->onModule && isOfDynamicSpace(scope) &&
      berthStandsForDynamic(job) && !berthLaunchObstacle(job))
    return BERTH_ARENA_DYNAMIC;
  return isGpuFunc(scope) ? BERTH_ARENA_ATTRIBUTION : BERTH_ARENA_GLOBAL;
}

/// llvm.func, for one, has a type of its own.
static bool hasBuiltinType(MlirOperation function) {
  MlirAttribute type = berthAttributeOf(function, "function_type");
  return !mlirAttributeIsNull(type) && mlirAttributeIsAType(type) &&
         mlirTypeIsAFunction(mlirTypeAttrGetValue(type));
}

/// Iterations that run at the same time cannot share what stands outside.
static bool isMadeOnce(BerthArenaForm form) {
  return form != BERTH_ARENA_ALLOC && form != BERTH_ARENA_ALLOCA &&
         form != BERTH_ARENA_ANNOTATE;
}

/// Why the form cannot be applied to the scope, or NULL.
static const char *formObstacle(const BerthJob *job, BerthArenaForm form) {
  const BerthScope *scope = &job->scope;
  bool isLaunch = scope->kind == BERTH_SCOPE_LAUNCH;
  if (scope->isDevice && form != BERTH_ARENA_ALLOC &&
      form != BERTH_ARENA_ANNOTATE)
    return "memory of a device is allocated by gpu.alloc only: use "
           "arena=alloc or arena=annotate";
  if (scope->isIteration && isMadeOnce(form))
    return "it is allocated by iterations that run at the same time, and an "
           "arena of this form would be one for all";
  switch (form) {
  case BERTH_ARENA_ALLOC:
  case BERTH_ARENA_ALLOCA:
    if (berthScopeIsShared(scope))
      return "workgroup memory cannot be allocated in code: upstream lowers it "
             "to a malloc per thread";
    return isLaunch && mlirOperationIsNull(job->options->collect.expanded)
               ? "a gpu.launch body cannot allocate an arena"
               : NULL;
  case BERTH_ARENA_ATTRIBUTION:
    if (isLaunch)
      return "attributions of gpu.launch lose their alignment: run "
             "gpu-kernel-outlining first";
    return isGpuFunc(scope) && berthScopeIsShared(scope)
               ? NULL
               : "attributions are for workgroup memory of a gpu.func";
  case BERTH_ARENA_GLOBAL:
    if (isLaunch && !job->options->onModule)
      return "run gpu-kernel-outlining first, or run the pass on the module";
    if (!job->options->onModule)
      return "arena=global adds to the module: run the pass on the module";
    return berthGlobalObstacle(job);
  case BERTH_ARENA_DYNAMIC:
    if (!isGpuFunc(scope) || !berthScopeIsShared(scope) ||
        scope->kind != BERTH_SCOPE_KERNEL)
      return "arena=dynamic is for workgroup memory of a gpu.func kernel: with "
             "space=workgroup a run looks at that alone";
    if (!isOfDynamicSpace(scope))
      return "gpu.dynamic_shared_memory is in #gpu.address_space<workgroup>, "
             "whatever else the same memory is called: leave out space=, or "
             "say space=workgroup";
    return job->options->onModule ? NULL
                                  : "arena=dynamic changes the launches: run "
                                    "the pass on the module";
  case BERTH_ARENA_ARGUMENT:
    if (isLaunch || scope->kind == BERTH_SCOPE_KERNEL)
      return "arena=argument is for functions that are called";
    if (!hasBuiltinType(scope->op))
      return "arena=argument: only a function of a builtin function type can "
             "get another argument";
    return job->options->onModule ? NULL
                                  : "arena=argument changes the callers: run "
                                    "the pass on the module";
  case BERTH_ARENA_AUTO:
  case BERTH_ARENA_ANNOTATE:
    return NULL;
  }
  return NULL;
}

/// gpu.alloc cannot be asked for an alignment.
static void rejectOveraligned(BerthScope *scope) {
  for (size_t i = 0; scope->isDevice && i < scope->numBuffers; ++i)
    if (scope->buffers[i].alignment > BERTH_DEVICE_ALIGNMENT)
      berthRejectBuffer(&scope->buffers[i],
                        "it needs more than the 256 bytes of alignment that "
                        "memory of a device surely has",
                        scope->buffers[i].alloc);
}

static void rejectAll(BerthScope *scope, const char *reason) {
  for (size_t i = 0; i < scope->numBuffers; ++i)
    berthRejectBuffer(&scope->buffers[i], reason, scope->op);
}

const char *berthFormObstacle(const BerthJob *job) {
  if (job->isEmbedded)
    return NULL;
  bool isChosen = job->options->form != BERTH_ARENA_AUTO;
  return formObstacle(job, isChosen ? job->options->form : automaticForm(job));
}

BerthStatus berthChooseForm(BerthJob *job) {
  bool isChosen = job->options->form != BERTH_ARENA_AUTO && !job->isEmbedded;
  job->form = isChosen ? job->options->form : automaticForm(job);
  const char *obstacle = berthFormObstacle(job);
  job->barriersMode = job->options->barriers;
  rejectOveraligned(&job->scope);
  bool changesNoCode = job->form == BERTH_ARENA_ANNOTATE;
  if (berthScopeIsShared(&job->scope) && job->options->memory)
    return berthErrorSet(&job->error, BERTH_INVALID,
                         "memory '%s' is shared by threads: plan it in a run "
                         "of its own (space=%s)",
                         job->options->memory, job->options->memory);
  if (berthScopeIsShared(&job->scope) && job->options->numBanks)
    return berthErrorSet(&job->error, BERTH_INVALID,
                         "banks are not for memory that threads share");
  if (job->barriersMode == BERTH_BARRIERS_AUTO)
    job->barriersMode =
        changesNoCode ? BERTH_BARRIERS_EXISTING : BERTH_BARRIERS_INSERT;
  else if (job->barriersMode == BERTH_BARRIERS_INSERT && changesNoCode)
    return berthErrorSet(&job->error, BERTH_INVALID,
                         "barriers=insert changes code, arena=annotate does "
                         "not: they exclude each other");
  // The form was chosen for the function around the loop.
  if (obstacle && isChosen && !job->scope.isIteration)
    return berthErrorSet(&job->error, BERTH_INVALID, "%s", obstacle);
  if (obstacle) {
    rejectAll(&job->scope, obstacle);
    return BERTH_SUCCESS;
  }
  if (job->form == BERTH_ARENA_ARGUMENT && !job->isEmbedded)
    return berthCheckCallers(job);
  if (job->form == BERTH_ARENA_DYNAMIC)
    return berthCheckLaunches(job);
  return BERTH_SUCCESS;
}
