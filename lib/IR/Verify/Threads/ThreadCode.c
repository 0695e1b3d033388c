//===- ThreadCode.c - A scope whose threads share memory ------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Verify/Threads/ThreadCode.h"
#include "IR/Ops/OpTable.h"
#include "IR/Ops/OrDie.h"
#include "IR/Verify/Roots/Scopes.h"
#include "IR/Verify/Runs/Arrival.h"
#include "IR/Verify/Threads/Loads.h"
#include "IR/Verify/Threads/RunsAgain.h"
#include "IR/Verify/Threads/Steady.h"
#include "mlir-c/BuiltinTypes.h"

#include <stdlib.h>

static bool isSharedRoot(const BerthRoot *root, const BerthThreads *threads) {
  return root->instanceOf == BERTH_NO_ROOT &&
         berthIsSharedByThreads(mlirValueGetType(root->arena), threads->scope,
                                threads->options);
}

/// A flag per root; NULL: no root is shared.
static bool *findShared(const BerthThreads *threads) {
  size_t numRoots = threads->views->numRoots;
  bool *isShared = berthAllocateOrDie(numRoots, sizeof *isShared);
  bool isAny = false;
  for (size_t i = 0; i < numRoots; ++i)
    isAny |= isShared[i] = isSharedRoot(&threads->views->roots[i], threads);
  if (isAny)
    return isShared;
  free(isShared);
  return NULL;
}

bool berthRootIsOfTensors(const BerthRoot *root) {
  MlirType type = mlirValueGetType(root->arena);
  return mlirTypeIsAMemRef(type) &&
         berthSpaceGetUse(mlirMemRefTypeGetMemorySpace(type)) ==
             BERTH_SPACE_TENSOR;
}

static bool hasTensors(const BerthViews *views) {
  for (size_t i = 0; i < views->numRoots; ++i)
    if (berthRootIsOfTensors(&views->roots[i]))
      return true;
  return false;
}

bool berthThreadCodeOf(const BerthThreads *threads, BerthThreadCode *code) {
  *code = (BerthThreadCode){.isShared = findShared(threads)};
  if (!code->isShared)
    return false;
  bool isKernel = berthIsKernel(threads->scope, threads->options);
  bool agree = berthArgumentsAgree(threads->scope, threads->options);
  // Flags are looked for in kernels alone.
  if (isKernel)
    code->steady =
        berthFindSteadyLoads(threads->views, code->isShared, threads->scope);
  code->divergence =
      berthFindDivergence(threads->scope, agree, &code->steady, &code->memory);
  code->loads = berthRootLoadsOf(threads->views, threads->scope);
  BerthThreadScope scope = {
      .views = threads->views,
      .divergence = &code->divergence,
      .phases = threads->phases,
      .isShared = code->isShared,
      .loads = code->loads,
      .hasTensors = hasTensors(threads->views),
      .isRunAgain =
          !isKernel && berthMayRunAgain(threads->phases, threads->scope),
      .isRunApart = berthIsRunApart(threads->phases, threads->scope)};
  code->stretches = berthStretchesOf(&scope);
  if (code->stretches.hasAsyncProxy) {
    // Fences in called functions and between calls are not looked for.
    berthStretchesFree(&code->stretches);
    scope.phases = NULL;
    scope.isRunAgain = !isKernel;
    code->stretches = berthStretchesOf(&scope);
  }
  return true;
}

void berthThreadCodeFree(BerthThreadCode *code) {
  berthStretchesFree(&code->stretches);
  free(code->loads);
  berthSteadyLoadsFree(&code->steady);
  berthDivergenceFree(&code->divergence);
  berthMemoryFree(&code->memory);
  free(code->isShared);
}
