//===- VerifyContents.c - Content that changes places -------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Verify/VerifyContents.h"
#include "IR/Facts/Facts.h"
#include "IR/Ops/Attributes.h"
#include "IR/Ops/Effects.h"
#include "IR/Ops/OpTable.h"
#include "IR/Ops/OrDie.h"
#include "IR/Verify/Bytes/Flow.h"
#include "IR/Verify/Bytes/Makers.h"
#include "IR/Verify/Roots/CalleeBodies.h"
#include "IR/Verify/Roots/Contents.h"
#include "IR/Verify/Roots/Moves.h"
#include "IR/Verify/Tiles/VerifyTiles.h"

#include <stdlib.h>

static bool isMove(MlirOperation op) {
  return !mlirAttributeIsNull(berthMoveNumber(op));
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
  berthVerifyFlow(&contents->views, body, NULL, NULL, true, NULL, noteFault,
                  &faults);
  if (faults.count) {
    faults.count = 0;
    BerthCovers covers = berthCoversOf(&contents->whole, body, NULL);
    berthVerifyFlow(&contents->views, body, &covers, NULL, true, NULL,
                    noteFault, &faults);
    berthCoversFree(&covers);
  }
  for (size_t i = 0; i < faults.count; ++i)
    report(faults.items[i].read, faults.items[i].write);
  free(faults.items);
  return faults.count;
}

//===----------------------------------------------------------------------===//
// Transfers
//===----------------------------------------------------------------------===//

/// A transfer under way, and the ops beside it.
typedef struct UnderWay {
  const BerthContents *contents;
  MlirOperation start;
  size_t content; ///< the source of which it reads; BERTH_NOT_FOUND: a place
  const BerthRootSet *from, *to;
  BerthRootAccesses accesses;
  bool touches; ///< the op in question does what it must not
  size_t numErrors;
} UnderWay;

static bool haveCommon(const BerthRootSet *a, const BerthRootSet *b) {
  for (size_t i = 0; a && i < a->count; ++i)
    if (berthRootSetHas(b, a->ids[i]))
      return true;
  return false;
}

static void noteSpoilt(size_t content, void *userData) {
  UnderWay *underWay = userData;
  underWay->touches |= content == underWay->content;
}

/// Nobody touches the target, writes the source, or makes or frees either.
static MlirWalkResult checkBeside(MlirOperation op, void *userData) {
  UnderWay *underWay = userData;
  const BerthContents *contents = underWay->contents;
  const BerthViews *views = &contents->views;
  MlirValue from, to;
  size_t content;
  underWay->touches = false;
  berthRootAccessesOf(&underWay->accesses, views, op, false);
  for (size_t i = 0; i < underWay->accesses.count; ++i) {
    const BerthRootAccess *access = &underWay->accesses.items[i];
    underWay->touches |=
        berthRootSetHas(underWay->to, access->root) ||
        (access->writes && berthRootSetHas(underWay->from, access->root));
  }
  bool isOwnMove = berthContentsIsMove(contents, op, &content);
  BerthMoveKind kind =
      isOwnMove ? berthGetMove(op, &from, &to) : BERTH_MOVE_NONE;
  if (kind == BERTH_MOVE_COPY || kind == BERTH_MOVE_START) {
    const BerthRootSet *target = berthViewsFind(views, to);
    underWay->touches |= haveCommon(target, underWay->to) ||
                         haveCommon(target, underWay->from) ||
                         haveCommon(berthViewsFind(views, from), underWay->to);
  }
  if (berthOpIsFree(op) && mlirOperationGetNumOperands(op) == 1) {
    const BerthRootSet *freed =
        berthViewsFind(views, mlirOperationGetOperand(op, 0));
    underWay->touches |=
        haveCommon(freed, underWay->to) || haveCommon(freed, underWay->from);
  }
  uint32_t made = berthContentsMadePlace(contents, op);
  underWay->touches |=
      made != BERTH_NO_ROOT && (berthRootSetHas(underWay->to, made) ||
                                berthRootSetHas(underWay->from, made));
  berthContentsForEachSpoilt(contents, op, noteSpoilt, underWay);
  if (underWay->touches) {
    berthEmitError(op, "touches what a transfer still uses", underWay->start,
                   "started here");
    ++underWay->numErrors;
  }
  return MlirWalkResultAdvance;
}

/// True for the wait for that start.
static bool isWaitFor(MlirOperation op, MlirValue from, MlirValue to) {
  MlirValue source, target;
  return isMove(op) && berthGetMove(op, &source, &target) == BERTH_MOVE_WAIT &&
         mlirValueEqual(source, from) && mlirValueEqual(target, to);
}

/// From its start to its wait a transfer reads the one place and writes the
/// other at any moment.
static size_t verifyTransfers(const BerthContents *contents) {
  UnderWay underWay = {.contents = contents};
  for (size_t i = 0; i < contents->numOps; ++i) {
    MlirValue from, to;
    underWay.start = contents->ops[i];
    if (!isMove(underWay.start) ||
        berthGetMove(underWay.start, &from, &to) != BERTH_MOVE_START)
      continue;
    underWay.from = berthViewsFind(&contents->views, from);
    underWay.to = berthViewsFind(&contents->views, to);
    bool isOwn =
        berthContentsIsMove(contents, underWay.start, &underWay.content);
    if (!isOwn || underWay.from)
      underWay.content = BERTH_NOT_FOUND;
    // To a layer above both are one place.
    if ((!underWay.from && !underWay.to) ||
        (!isOwn && haveCommon(underWay.from, underWay.to)))
      continue;
    MlirOperation op = mlirOperationGetNextInBlock(underWay.start);
    for (; !mlirOperationIsNull(op) && !isWaitFor(op, from, to);
         op = mlirOperationGetNextInBlock(op))
      mlirOperationWalk(op, checkBeside, &underWay, MlirWalkPreOrder);
  }
  berthRootAccessesFree(&underWay.accesses);
  return underWay.numErrors;
}

//===----------------------------------------------------------------------===//
// All contents
//===----------------------------------------------------------------------===//

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
    numErrors += verifyTransfers(&contents);
    numErrors += berthVerifyTiles(&contents, function, callees, &memory);
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
  BerthWrongContents callback;
  void *userData;
} Walk;

static MlirWalkResult verifyOp(MlirOperation op, void *userData) {
  Walk *walk = userData;
  if (berthOpIsFunction(op) && !berthFunctionIsUnseen(op) &&
      berthVerifyContentsOf(op, &walk->callees))
    walk->callback(op, walk->userData);
  return MlirWalkResultAdvance;
}

void berthVerifyContentsEach(MlirOperation root, BerthWrongContents callback,
                             void *userData) {
  Walk walk = {berthCalleesIn(root), callback, userData};
  berthCalleesFindUnseen(&walk.callees);
  mlirOperationWalk(root, verifyOp, &walk, MlirWalkPreOrder);
  berthCalleesFree(&walk.callees);
}
