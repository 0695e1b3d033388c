//===- VerifyContents.c - Content that changes places -------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Verify/VerifyContents.h"
#include "IR/Facts/Facts.h"
#include "IR/Ops/Attributes.h"
#include "IR/Ops/OpTable.h"
#include "IR/Ops/OrDie.h"
#include "IR/Verify/Bytes/Flow.h"
#include "IR/Verify/Bytes/Makers.h"
#include "IR/Verify/Roots/CalleeBodies.h"
#include "IR/Verify/Roots/Contents.h"

#include <stdlib.h>

static bool isMove(MlirOperation op) {
  return !mlirAttributeIsNull(berthAttributeOf(op, BERTH_MOVE));
}

static bool isAgain(MlirOperation op) {
  return !mlirAttributeIsNull(berthAttributeOf(op, BERTH_RECOMPUTE));
}

static void report(MlirOperation read, MlirOperation write) {
  if (mlirOperationEqual(read, write)) {
    berthEmitError(read,
                   "writes one place of a content while it uses another one, "
                   "or its source",
                   (MlirOperation){NULL}, NULL);
    return;
  }
  bool isPlace = !mlirAttributeIsNull(berthAttributeOf(write, BERTH_CONTENT));
  const char *note = isPlace                ? "made here, and not brought in"
                     : berthOpIsFree(write) ? "freed here"
                     : isAgain(read)        ? "changed here"
                     : isMove(write)        ? "by this move"
                                            : "by this write";
  berthEmitError(
      read,
      isMove(read)    ? "moves content from a place that may not hold it"
      : isAgain(read) ? "may compute something else than the content was"
                      : "reads a place that may not hold its content",
      write, note);
}

typedef struct Fault {
  MlirOperation read;
  MlirOperation write;
} Fault;

typedef struct Faults {
  Fault *items;
  size_t count, capacity;
} Faults;

static void noteFault(MlirOperation read, MlirOperation write, void *userData) {
  Faults *faults = userData;
  faults->items = berthGrow(faults->items, faults->count, &faults->capacity,
                            sizeof *faults->items);
  faults->items[faults->count++] = (Fault){read, write};
}

/// What is overwritten piece by piece is dearer to find, so only where it is
/// asked for.
static size_t verifyLayer(const BerthContents *contents, MlirRegion body) {
  Faults faults = {0};
  berthVerifyFlow(&contents->views, body, NULL, NULL, noteFault, &faults);
  if (faults.count) {
    faults.count = 0;
    BerthCovers covers = berthCoversOf(&contents->whole, body);
    berthVerifyFlow(&contents->views, body, &covers, NULL, noteFault, &faults);
    berthCoversFree(&covers);
  }
  for (size_t i = 0; i < faults.count; ++i)
    report(faults.items[i].read, faults.items[i].write);
  free(faults.items);
  return faults.count;
}

size_t berthVerifyContentsOf(MlirOperation function, BerthCallees *callees) {
  BerthContents contents = berthContentsOf(function);
  size_t numErrors = 0;
  for (size_t i = 0; i < contents.count; ++i) {
    const BerthContent *content = &contents.items[i];
    if (!content->isWrong)
      continue;
    ++numErrors;
    berthEmitError(content->unclearAt, content->unclear, (MlirOperation){NULL},
                   NULL);
  }
  for (size_t i = 0; i < contents.numLayers; ++i) {
    BerthMemory memory = {0};
    berthContentsLookAt(&contents, i, callees, &memory);
    BerthMakers makers = berthMakersOf(&contents, function, callees, &memory);
    contents.makers = &makers;
    numErrors += verifyLayer(&contents, mlirOperationGetRegion(function, 0));
    berthMakersFree(&makers);
    berthViewsFree(&contents.views);
    berthViewsFree(&contents.whole);
    berthMemoryFree(&memory);
  }
  berthContentsFree(&contents);
  return numErrors;
}

typedef struct Walk {
  BerthCallees callees;
  size_t numErrors;
} Walk;

static MlirWalkResult verifyOp(MlirOperation op, void *userData) {
  Walk *walk = userData;
  bool hasBody =
      berthOpIsFunction(op) && mlirOperationGetNumRegions(op) > 0 &&
      !mlirBlockIsNull(mlirRegionGetFirstBlock(mlirOperationGetRegion(op, 0)));
  if (hasBody)
    walk->numErrors += berthVerifyContentsOf(op, &walk->callees);
  return MlirWalkResultAdvance;
}

BerthStatus berthVerifyContents(MlirOperation root) {
  Walk walk = {.callees = berthCalleesIn(root)};
  berthCalleesFindUnseen(&walk.callees);
  mlirOperationWalk(root, verifyOp, &walk, MlirWalkPreOrder);
  berthCalleesFree(&walk.callees);
  return walk.numErrors ? BERTH_INVALID : BERTH_SUCCESS;
}
