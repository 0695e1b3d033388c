//===- Verify.c - The pass berth-verify, in C ----------------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Verify.h"
#include "IR/Collect.h"
#include "IR/Facts.h"
#include "IR/OpTable.h"
#include "IR/VerifyCalls.h"
#include "IR/VerifyFlow.h"
#include "IR/VerifyInstances.h"
#include "IR/VerifyThreads.h"

typedef struct Verification {
  MlirOperation root;
  const BerthVerifyOptions *options;
  BerthCallees callees;
  size_t numErrors;
} Verification;

static void reportClobber(MlirOperation read, MlirOperation write,
                          void *userData) {
  Verification *verification = userData;
  ++verification->numErrors;
  if (mlirOperationEqual(read, write))
    berthEmitError(read,
                   "reads a buffer while it writes another one that has bytes "
                   "of the arena in common with it",
                   (MlirOperation){NULL}, NULL);
  else if (berthOpIsNamed(write, "memref.view"))
    berthEmitError(read,
                   "reads an earlier instance of a buffer that has been made "
                   "anew since",
                   write, "by this view");
  else
    berthEmitError(read,
                   "reads a buffer whose bytes in the arena may have been "
                   "overwritten by another buffer's",
                   write, "by this write");
}

static void reportRace(MlirOperation later, MlirOperation earlier,
                       const char *why, void *userData) {
  Verification *verification = userData;
  ++verification->numErrors;
  bool isSame = mlirOperationEqual(later, earlier);
  berthEmitError(later, why, isSame ? (MlirOperation){NULL} : earlier,
                 isSame ? NULL : "after this access");
}

static void verifyScope(MlirOperation scope, void *userData) {
  Verification *verification = userData;
  BerthArena memory = {0};
  BerthViews views = berthViewsOfScope(scope, &verification->callees, &memory);
  berthFindInstances(&views);
  if (views.numRoots)
    berthVerifyFlow(&views, mlirOperationGetRegion(scope, 0), reportClobber,
                    verification);
  BerthThreads threads = {&views, scope, verification->root,
                          verification->options};
  if (verification->options->forThreads)
    berthVerifyThreads(&threads, reportRace, verification);
  berthViewsFree(&views);
  berthArenaFree(&memory);
}

BerthStatus berthVerifyArenas(MlirOperation root,
                              const BerthVerifyOptions *options) {
  Verification verification = {
      .root = root, .options = options, .callees = {.root = root}};
  berthForEachScope(root, verifyScope, &verification);
  berthCalleesFree(&verification.callees);
  return verification.numErrors ? BERTH_INVALID : BERTH_SUCCESS;
}
