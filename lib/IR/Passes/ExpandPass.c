//===- ExpandPass.c - The pass berth-expand, in C -------------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   who launches it -> a plan of each thread's own arena, as berth-arena makes
//   it -> its check -> a block of all arenas at each launch
//
//===----------------------------------------------------------------------===//

#include "IR/Passes/ExpandPass.h"
#include "IR/Expand/Block.h"
#include "IR/Expand/HandedDown.h"
#include "IR/Ops/Allocations.h"
#include "IR/Ops/Backup.h"
#include "IR/Ops/OpTable.h"
#include "IR/Ops/OrDie.h"
#include "IR/Ops/Text.h"
#include "IR/Passes/ArenaPass.h"
#include "IR/Rewrite/Callers.h"
#include "IR/Verify/Verify.h"

#include <stdlib.h>

static const char category[] = "berth-expand";

typedef struct Run {
  MlirOperation module;
  const BerthExpandOptions *options;
  BerthArenaOptions arena; ///< of the kernel at hand
  BerthExpandFigures *figures;
  size_t numTold; ///< kernels of which all has been said, in an earlier try
  bool isTold;    ///< the kernel at hand is one
} Run;

static void remarkKept(const Run *run, const BerthLaunched *launched,
                       const char *reason, MlirOperation at) {
  BerthText text = {0};
  if (run->isTold)
    return;
  berthTextAppend(&text, "its threads keep what they allocate: %s", reason);
  berthTextAppendWhere(&text, at, launched->kernel);
  berthEmitRemark(launched->kernel, BERTH_REMARK_MISSED, category, text.data);
  berthTextFree(&text);
}

static void remarkExpanded(const Run *run, const BerthLaunched *launched,
                           const BerthParts *parts) {
  BerthText text = {0};
  if (run->isTold)
    return;
  if (mlirValueIsNull(parts->bytes.value))
    berthTextAppend(&text, "%lld bytes", (long long)parts->bytes.number);
  else
    berthTextAppend(&text, "bytes computed at run time");
  berthTextAppend(&text,
                  " of each thread, %s, in memory that %zu launch%s bring%s",
                  parts->width ? "interleaved" : "in a row",
                  launched->numLaunches, launched->numLaunches == 1 ? "" : "es",
                  launched->numLaunches == 1 ? "s" : "");
  if (parts->whyInRow) {
    berthTextAppend(&text, "; not interleaved: %s (", parts->whyInRow);
    berthTextAppendOp(&text, parts->whyAt);
    berthTextAppend(&text, ")");
  }
  berthEmitRemark(launched->kernel, BERTH_REMARK_PASSED, category, text.data);
  berthTextFree(&text);
}

static void remarkHandedDown(MlirOperation at, const char *reason,
                             void *userData) {
  const Run *run = userData;
  BerthText text = {0};
  if (run->numTold)
    return;
  if (reason)
    berthTextAppend(&text, "threads keep what they allocate here: %s", reason);
  else
    berthTextAppend(&text, "its function's callers bring it");
  berthEmitRemark(at, reason ? BERTH_REMARK_MISSED : BERTH_REMARK_PASSED,
                  category, text.data);
  berthTextFree(&text);
}

/// Is there anything that would go?
static bool hasBuffers(const Run *run) {
  BerthMemory memory = {0};
  BerthScope scope = berthScopeCollect(run->arena.collect.expanded,
                                       &run->arena.collect, &memory);
  bool found = false;
  for (size_t i = 0; i < scope.numBuffers; ++i)
    found |= scope.buffers[i].reason == NULL;
  berthMemoryFree(&memory);
  return found;
}

static void bringBlocks(const Run *run, const BerthLaunched *launched,
                        const BerthParts *parts) {
  const char *broken = run->arena.alias.breakRule;
  MlirContext context = mlirOperationGetContext(launched->kernel);
  bool isFunction = berthOpIs(launched->kernel, BERTH_OP_GPU_FUNCTION);
  MlirValue block = {NULL};
  for (size_t i = 0; i < launched->numLaunches; ++i) {
    MlirOperation launch = launched->launches[i];
    block = berthBuildBlock(parts, launch, run->options->capacity, broken);
    if (isFunction)
      berthLaunchAddArgument(launch, block);
  }
  if (isFunction)
    block = berthAddArgument(
        launched->kernel, berthByteMemRef(context, -1, (MlirAttribute){NULL}),
        mlirDictionaryAttrGet(context, 0, NULL));
  berthUseThreadParts(parts, block, launched->extents, broken);
}

/// What is left to do once each thread has an arena; why not, or NULL.
static const char *whyNot(const Run *run, const BerthLaunched *launched,
                          const BerthParts *parts) {
  if (parts->unit > BERTH_DEVICE_ALIGNMENT)
    return "a buffer needs more than the 256 bytes of alignment that memory "
           "of a device surely has";
  if (berthBlockBytes(parts, launched->extents) > run->options->capacity)
    return "all threads together need more bytes than the capacity";
  return NULL;
}

static BerthStatus verifyKernel(const Run *run) {
  BerthVerifyOptions check = {.forThreads = true,
                              .unknownEnds = run->arena.alias.unknownOps ==
                                             BERTH_UNKNOWN_USE};
  return run->options->verify ? berthVerifyArenas(run->module, &check)
                              : BERTH_SUCCESS;
}

static BerthStatus expandKernel(Run *run, const BerthLaunched *launched) {
  BerthBackup backup = {{NULL}};
  BerthArenaFigures planned = {0};
  BerthParts parts;
  run->arena.collect.expanded = launched->kernel;
  if (!hasBuffers(run))
    return BERTH_SUCCESS;
  if (launched->obstacle) {
    remarkKept(run, launched, launched->obstacle, launched->obstacleAt);
    return BERTH_SUCCESS;
  }
  berthBackupTake(&backup, launched->kernel);
  BerthStatus status = berthArenaRun(run->module, &run->arena, 1, &planned);
  if (status == BERTH_SUCCESS && planned.placed)
    status = verifyKernel(run);
  bool isFound =
      status == BERTH_SUCCESS && planned.placed &&
      berthFindThreadParts(launched->kernel, run->options->interleaves,
                           run->arena.alias.breakRule, &parts);
  const char *reason = isFound ? whyNot(run, launched, &parts) : NULL;
  if (isFound && !reason) {
    remarkExpanded(run, launched, &parts);
    bringBlocks(run, launched, &parts);
    run->figures->kernels += 1;
    run->figures->interleaved += parts.width > 0;
    run->figures->buffers += parts.numViews;
    run->figures->launches += launched->numLaunches;
  } else if (status == BERTH_SUCCESS) {
    berthBackupRestore(&backup, launched->kernel);
    if (reason)
      remarkKept(run, launched, reason, launched->kernel);
  }
  berthBackupDrop(&backup);
  return status;
}

/// What is said where the check does not show that the parts are right.
static const char notShown[] =
    "it is not shown that each thread's bytes are its own, for all sizes";

/// All kernels but those marked in `isLeft`. `*wrong` is the first one that is
/// not shown to be right, or their number.
static BerthStatus expandAll(Run *run, const bool *isLeft, size_t *wrong) {
  MlirOperation module = run->module;
  const char *broken = run->arena.alias.breakRule;
  BerthLaunchedList list = berthFindLaunched(module, broken);
  for (size_t i = 0; i < list.count; ++i)
    if (isLeft[i] && !list.items[i].obstacle)
      list.items[i].obstacle = notShown;
  berthHandDownAllocations(module, &list, run->arena.collect.leastExpanded,
                           remarkHandedDown, run);
  BerthStatus status = BERTH_SUCCESS;
  for (*wrong = 0; *wrong < list.count && status == BERTH_SUCCESS; ++*wrong) {
    size_t before = run->figures->kernels;
    run->isTold = *wrong < run->numTold;
    status = expandKernel(run, &list.items[*wrong]);
    if (status == BERTH_SUCCESS && run->figures->kernels > before &&
        run->options->verify && !berthPerThreadIsShown(module))
      break;
  }
  berthLaunchedListFree(&list);
  return status;
}

static size_t countKernels(MlirOperation module, const char *breakRule) {
  BerthLaunchedList list = berthFindLaunched(module, breakRule);
  size_t count = list.count;
  berthLaunchedListFree(&list);
  return count;
}

/// A kernel that is not shown to be right stays as it was, and the others are
/// made again.
static BerthStatus expandShown(Run *run) {
  size_t count = countKernels(run->module, run->arena.alias.breakRule);
  bool *isLeft = berthAllocateOrDie(count, sizeof *isLeft);
  BerthStatus status;
  for (;;) {
    BerthBackup backup = {{NULL}};
    size_t wrong;
    if (run->options->verify && count)
      berthBackupTake(&backup, run->module);
    *run->figures = (BerthExpandFigures){0};
    status = expandAll(run, isLeft, &wrong);
    if (status != BERTH_SUCCESS || wrong == count) {
      berthBackupDrop(&backup);
      break;
    }
    berthBackupRestore(&backup, run->module);
    isLeft[wrong] = true;
    run->numTold = wrong;
  }
  free(isLeft);
  return status;
}

BerthStatus berthExpandRun(MlirOperation module,
                           const BerthExpandOptions *options,
                           BerthExpandFigures *figures) {
  Run run = {.module = module,
             .options = options,
             .arena = options->arena,
             .figures = figures};
  BerthArenaOptions *arena = &run.arena;
  arena->collect.hasSpace = true;
  arena->collect.dynamic = BERTH_DYNAMIC_SYMBOLIC;
  arena->form = BERTH_ARENA_ALLOC;
  arena->sizeChecks = true;
  arena->onModule = true;
  return expandShown(&run);
}
