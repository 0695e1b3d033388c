//===- Run.c - The one way in --------------------------------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//
//
//   check -> refuse -> normalise -> pack -> judge -> verify
//
//===---------------------------------------------------------------------===//

#include "Pack/Incumbent/ProofLog.h"
#include "Pack/Place/Greedy.h"
#include "Pack/Problem/Plan.h"
#include "Pack/Run/Auto.h"
#include "Pack/Run/Judge.h"
#include "Pack/Task/Host.h"
#include "Pack/Task/Normalize.h"
#include "Pack/Task/Pins.h"
#include "Support/Allocate.h"

#include <stdio.h>
#include <string.h>

//===---------------------------------------------------------------------===//
// Choosing the packer
//===---------------------------------------------------------------------===//

static BerthStatus unknownPacker(const char *name, BerthError *error) {
  char known[384] = "";
  for (size_t i = 0, used = 0; i < berthPackerCount(); ++i) {
    int length = snprintf(known + used, sizeof known - used, "%s%s",
                          i ? ", " : "", berthPackerName(i));
    if (length < 0 || (size_t)length >= sizeof known - used)
      break;
    used += (size_t)length;
  }
  return berthErrorSet(error, BERTH_INVALID,
                       "unknown packer '%.64s'; known are %s", name, known);
}

// Features that only a packer itself can deal with, by the names users know.
static BerthStatus refuse(const BerthPacker *packer,
                          const BerthProblemData *problem, BerthError *error) {
  static const struct {
    uint32_t bit;
    const char *name;
  } kFeatures[] = {
      {BERTH_CAN_ALIGNMENT, "alignment"},
      {BERTH_CAN_FIXED, "fixed offsets"},
      {BERTH_CAN_HARD_EDGES, "edges"},
      {BERTH_CAN_RESERVED, "reserved ranges"},
      {BERTH_CAN_POOLS, "pools"},
  };
  uint32_t features = berthProblemFeatures(problem);
  if (features & BERTH_CAN_PRICED_EDGES &&
      !(packer->capabilities & BERTH_CAN_PRICED_EDGES))
    features |= BERTH_CAN_HARD_EDGES;
  for (size_t i = 0; i < sizeof kFeatures / sizeof *kFeatures; ++i)
    if (features & ~packer->capabilities & kFeatures[i].bit)
      return berthErrorSet(error, BERTH_INVALID, "packer '%s' cannot handle %s",
                           packer->name, kFeatures[i].name);
  return BERTH_SUCCESS;
}

// A log is written by a packer that proves, of all that the problem says.
static BerthStatus refuseProof(const BerthPacker *packer,
                               const BerthProblemData *problem,
                               const BerthPackOptions *options,
                               BerthError *error) {
  if (!options || !options->proofFile)
    return BERTH_SUCCESS;
  if (!(packer->capabilities & BERTH_CAN_PROVE))
    return berthErrorSet(error, BERTH_INVALID,
                         "packer '%s' proves nothing, so there is no log to "
                         "write; 'auto' and 'exact' do",
                         packer->name);
  uint32_t features = berthProblemFeatures(problem);
  if (features & BERTH_CAN_PRICED_EDGES & ~packer->capabilities)
    return berthErrorSet(error, BERTH_INVALID,
                         "packer '%s' takes priced edges for hard ones and "
                         "proves nothing about them; 'auto' does",
                         packer->name);
  return BERTH_SUCCESS;
}

//===---------------------------------------------------------------------===//
// Running it
//===---------------------------------------------------------------------===//

// A packer may prove that nothing fits without ever having had a plan. Then
// what it reported last will do, or else a first fit, so that every plan has
// offsets to look at.
static BerthStatus completeAnswer(const BerthTask *task, BerthHostState *state,
                                  BerthAnswer *answer, BerthError *error) {
  if (berthAnswerIsComplete(task, answer))
    return BERTH_SUCCESS;
  if (state->best.offsets) {
    answer->offsets = state->best.offsets;
    answer->pools = state->best.pools;
    answer->cutsBought = state->best.cutsBought;
    return BERTH_SUCCESS;
  }
  if (!answer->infeasible)
    return berthErrorSet(error, BERTH_INTERNAL,
                         "the packer left a buffer without an offset");
  BerthAnswer fallback;
  if (!berthAnswerInit(&fallback, task, state->arena) ||
      berthPackerFirstFit.pack(&berthPackerFirstFit, task, &state->host,
                               &fallback))
    return berthErrorSet(error, BERTH_RESOURCE, "out of memory");
  answer->offsets = fallback.offsets;
  answer->pools = fallback.pools;
  // First fit knows no prices; with all cuts bought its plan is valid.
  if (task->numCuts)
    memset(answer->cutsBought, 1, task->numCuts);
  return BERTH_SUCCESS;
}

static BerthStatus verifyPlan(const BerthPacker *packer,
                              const BerthProblemData *problem,
                              const BerthPlan *plan, BerthError *error) {
  BerthError reason;
  BerthStatus status = berthPlanVerify(problem, plan, &reason);
  if (status != BERTH_INVALID)
    return status ? berthErrorSet(error, status, "%s", reason.message) : status;
  return berthErrorSet(error, BERTH_INTERNAL,
                       "the plan of packer '%s' is wrong: %.400s", packer->name,
                       reason.message);
}

static BerthStatus failToRun(const BerthPacker *packer, BerthStatus status,
                             const BerthHostState *state, BerthError *error) {
  if (state->failed || (status == BERTH_RESOURCE && !state->proofStatus))
    return berthErrorSet(error, BERTH_RESOURCE,
                         "packer '%s' failed: out of memory", packer->name);
  if (status == BERTH_RESOURCE)
    return berthErrorSet(error, state->proofStatus, "%s",
                         state->proofError.message);
  if (status == BERTH_INVALID)
    return berthErrorSet(error, status,
                         "packer '%s' finds no plan for this problem",
                         packer->name);
  return berthErrorSet(error, status, "packer '%s' failed", packer->name);
}

static BerthStatus runPacker(const BerthPacker *packer,
                             const BerthProblemData *problem,
                             const BerthPackOptions *options,
                             BerthMemory *arena, BerthPlan *plan,
                             BerthError *error) {
  BerthReduction reduction;
  BerthAnswer answer;
  BerthHostState state;
  if (berthNormalize(problem, packer->capabilities, arena, &reduction) ||
      berthReducePins(problem, &reduction, arena) != BERTH_PINS_SETTLED ||
      !berthAnswerInit(&answer, &reduction.task, arena))
    return berthErrorSet(error, BERTH_RESOURCE, "out of memory");
  if (problem->numCuts)
    memcpy(answer.cutsBought, reduction.cutsBought, problem->numCuts);
  reduction.task.minimize = options->minimize;
  reduction.task.seed = options->seed;
  reduction.task.threads = options->threads ? options->threads : 1;
  reduction.task.proofFile = options->proofFile;
  berthHostInit(&state, &reduction.task, arena,
                options->steps ? options->steps : packer->defaultSteps,
                options);
  bool runs = reduction.task.numItems > 0;
  BerthStatus status =
      runs ? packer->pack(packer, &reduction.task, &state.host, &answer)
           : BERTH_SUCCESS;
  berthHostEnd(&state);
  if (status)
    return failToRun(packer, status, &state, error);
  BerthVerdict verdict = {.problem = problem,
                          .reduction = &reduction,
                          .packer = packer,
                          .state = &state,
                          .answer = &answer};
  if (state.failed)
    status = failToRun(packer, status, &state, error);
  if (!status)
    status = completeAnswer(&reduction.task, &state, &answer, error);
  if (!status)
    status = berthJudge(&verdict, plan, error);
  if (!status)
    status = verifyPlan(packer, problem, plan, error);
  if (status && runs && options->proofFile)
    berthProofRemove(options->proofFile); // a proof of what nobody gets
  return status;
}

BerthStatus berthPackWith(const BerthPacker *packer,
                          const BerthProblemData *problem,
                          const BerthPackOptions *options, BerthPlan *plan,
                          BerthError *error) {
  static const BerthPackOptions kDefaults = {0};
  BerthMemory arena = {0};
  *plan = (BerthPlan){0};
  BerthStatus status = berthProblemCheck(problem, NULL, error);
  if (!status)
    status = refuse(packer, problem, error);
  if (!status)
    status = refuseProof(packer, problem, options, error);
  if (!status)
    status = berthPlanInit(plan, problem, error);
  if (!status)
    status = runPacker(packer, problem, options ? options : &kDefaults, &arena,
                       plan, error);
  berthMemoryFree(&arena);
  if (status)
    berthPlanFree(plan);
  return status;
}

BerthStatus berthPack(const BerthProblemData *problem,
                      const BerthPackOptions *options, BerthPlan *plan,
                      BerthError *error) {
  const char *name = options ? options->packer : NULL;
  size_t index = name ? berthPackerFind(name) : SIZE_MAX;
  *plan = (BerthPlan){0};
  if (name && index == SIZE_MAX)
    return unknownPacker(name, error);
  const BerthPacker *packer = name ? berthPackerGet(index) : &berthPackerAuto;
  return berthPackWith(packer, problem, options, plan, error);
}
