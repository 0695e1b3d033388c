//===- FoldNest.c - The accesses of a nest as statements -----------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Times are [ordinal, i0, ordinal, i1, ..., ordinal]: an op's place in its
// block, then the loop's variable, and so inwards; an if counts as one more
// level, by region. No two statements ever share a time.
//
// With parallel loops each variable takes two dimensions, (i, 0) in sequential
// loops and (0, i) in parallel ones, so that a dimension is concurrent in all
// statements or in none. Times are [ordinal, level, level', ordinal, ...] then.
//
// An op on whole views reads and writes cells in an order of its own. It is
// three statements with one time each behind its ordinal: S reads, W writes,
// and H reads once more, so that nothing it writes may share with anything that
// it reads.
//
//===----------------------------------------------------------------------===//

#include "IR/Fold/FoldNest.h"
#include "IR/Facts/Versions.h"
#include "IR/Fold/FoldCells.h"
#include "IR/Fold/FoldLoops.h"
#include "IR/Fold/FoldUses.h"
#include "IR/Ops/OpTable.h"
#include "IR/Ops/OrDie.h"
#include "IR/Ops/Rules.h"
#include "mlir-c/BuiltinTypes.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

MlirOperation berthFoldOpOfOwner(const BerthFoldNest *nest, MlirOperation op) {
  while (!mlirOperationIsNull(op) &&
         !mlirBlockEqual(mlirOperationGetBlock(op), nest->owner))
    op = mlirOperationGetParentOperation(op);
  return op;
}

//===----------------------------------------------------------------------===//
// The way in
//===----------------------------------------------------------------------===//

/// One op between the owner block and an access, outermost first; the access
/// itself comes last.
typedef struct Path {
  size_t count;
  MlirOperation ops[2 * BERTH_FOLD_MAX_LOOPS];
} Path;

static bool findPath(const BerthFoldNest *nest, MlirOperation op, Path *path,
                     BerthFoldRefusal *refusal) {
  MlirOperation inner = op;
  path->count = 0;
  for (;; op = mlirOperationGetParentOperation(op)) {
    if (path->count == sizeof path->ops / sizeof *path->ops)
      return berthFoldRefuse(refusal, inner, "nested too deeply");
    path->ops[path->count++] = op;
    if (mlirBlockEqual(mlirOperationGetBlock(op), nest->owner))
      break;
    MlirOperation parent = mlirOperationGetParentOperation(op);
    if (mlirOperationIsNull(parent) ||
        (!berthFoldIsLoop(parent) && !berthFoldIsBranch(parent)))
      return berthFoldRefuse(refusal, inner, "accessed inside %s",
                             mlirOperationIsNull(parent)
                                 ? "another function"
                                 : berthFoldNameOf(parent));
  }
  for (size_t i = 0; i < path->count / 2; ++i) {
    MlirOperation swap = path->ops[i];
    path->ops[i] = path->ops[path->count - 1 - i];
    path->ops[path->count - 1 - i] = swap;
  }
  return true;
}

long berthFoldOrdinal(MlirOperation op) {
  long ordinal = 0;
  MlirOperation at = mlirBlockGetFirstOperation(mlirOperationGetBlock(op));
  for (; !mlirOperationEqual(at, op); at = mlirOperationGetNextInBlock(at))
    ++ordinal;
  return ordinal;
}

/// The region of `branch` that `block` is in.
static intptr_t regionOf(MlirOperation branch, MlirBlock block) {
  return mlirRegionEqual(mlirOperationGetRegion(branch, 0),
                         mlirBlockGetParentRegion(block))
             ? 0
             : 1;
}

//===----------------------------------------------------------------------===//
// Statements
//===----------------------------------------------------------------------===//

/// What the way in says of one statement.
typedef struct Statement {
  BerthFoldPlace place;
  BerthText conditions; ///< " and ..." for each
  BerthText time;
  size_t numTimes;      ///< dimensions of `time`
  MlirOperation unread; ///< as in BerthFoldAccess
} Statement;

static void appendOrdinal(Statement *statement, long ordinal) {
  berthTextAppend(&statement->time, "%s%ld", statement->numTimes ? ", " : "",
                  ordinal);
  ++statement->numTimes;
}

/// Appends a level of time; see above.
static void appendLevel(const BerthFoldNest *nest, Statement *statement,
                        const char *level, bool parallel) {
  if (!nest->isParallel)
    berthTextAppend(&statement->time, ", %s", level);
  else
    berthTextAppend(&statement->time, ", %s, %s", parallel ? "0" : level,
                    parallel ? level : "0");
  statement->numTimes += nest->isParallel ? 2 : 1;
}

static bool enterLoop(BerthFoldNest *nest, Statement *statement,
                      MlirOperation loop, BerthFoldRefusal *refusal) {
  intptr_t numVariables = berthFoldNumVariables(loop);
  size_t outside = statement->place.numLoops;
  for (intptr_t dim = 0; dim < numVariables; ++dim) {
    size_t level = outside + (size_t)dim;
    char name[24];
    if (level >= BERTH_FOLD_MAX_LOOPS)
      return berthFoldRefuse(refusal, loop, "nested too deeply");
    snprintf(name, sizeof name, "i%zu", level);
    // Bounds are evaluated outside of the loop.
    if (!berthFoldAppendBounds(&statement->place, &nest->params, loop, dim,
                               name, &statement->conditions))
      return berthFoldRefuse(
          refusal, loop,
          "the loop's bounds or step are not affine in outer loops "
          "and at most %d parameters",
          BERTH_FOLD_MAX_PARAMS);
    if (dim > 0)
      appendOrdinal(statement, 0);
    appendLevel(nest, statement, name, berthFoldIsParallel(loop));
  }
  for (intptr_t dim = 0; dim < numVariables; ++dim)
    statement->place.variables[statement->place.numLoops++] =
        berthFoldVariable(loop, dim);
  return true;
}

static void enterBranch(BerthFoldNest *nest, Statement *statement,
                        MlirOperation branch, intptr_t region) {
  if (!berthFoldAppendCondition(&statement->place, &nest->params, branch,
                                region, &statement->conditions) &&
      mlirOperationIsNull(statement->unread))
    statement->unread = branch;
  appendLevel(nest, statement, region == 0 ? "0" : "1", false);
}

static bool followPath(BerthFoldNest *nest, const Path *path,
                       Statement *statement, BerthFoldRefusal *refusal) {
  for (size_t i = 0; i < path->count; ++i) {
    MlirOperation op = path->ops[i];
    // Of one nest alone nothing is said of where it stands: nests that are
    // alike have one text then.
    bool isNest = mlirOperationEqual(op, nest->within);
    appendOrdinal(statement, isNest ? 0 : berthFoldOrdinal(op));
    if (i + 1 == path->count)
      break;
    if (berthFoldIsBranch(op))
      enterBranch(nest, statement, op,
                  regionOf(op, mlirOperationGetBlock(path->ops[i + 1])));
    else if (!enterLoop(nest, statement, op, refusal))
      return false;
  }
  return true;
}

/// "S3[i0, i1]".
static void appendInstance(char letter, size_t number, size_t numLoops,
                           BerthText *text) {
  berthTextAppend(text, "%c%zu[", letter, number);
  for (size_t i = 0; i < numLoops; ++i)
    berthTextAppend(text, "%si%zu", i ? ", " : "", i);
  berthTextAppend(text, "]");
}

/// An instance and its time; `phase` is one of an op on whole views, or -1.
static void writeInstance(BerthFoldNest *nest, char letter, size_t number,
                          const Statement *statement, int phase) {
  size_t numLoops = statement->place.numLoops;
  const char *conditions = statement->conditions.data;
  appendInstance(letter, number, numLoops, &nest->domain);
  berthTextAppend(&nest->domain, " : 0 = 0%s; ", conditions ? conditions : "");
  appendInstance(letter, number, numLoops, &nest->schedule);
  berthTextAppend(&nest->schedule, " -> [%s", statement->time.data);
  if (phase >= 0)
    berthTextAppend(&nest->schedule, ", %d", phase);
  berthTextAppend(&nest->schedule, "]; ");
}

/// Appends "S3[i0] -> cells; ".
static bool writeCells(BerthFoldNest *nest, char letter, size_t number,
                       const Statement *statement, BerthText *to,
                       BerthFoldRefusal *refusal) {
  const BerthFoldAccess *access = &nest->accesses[number];
  appendInstance(letter, number, statement->place.numLoops, to);
  berthTextAppend(to, " -> ");
  if (!berthFoldAppendCells(nest, access, &statement->place, to))
    return berthFoldRefuse(refusal, access->op,
                           "its subscripts are not affine");
  berthTextAppend(to, "; ");
  return true;
}

/// What the access takes has to stay one piece: a vector, and the view of the
/// array that it goes through, even where it does not touch all of it.
static bool writeSlice(BerthFoldNest *nest, char letter, size_t number,
                       const Statement *statement, BerthFoldRefusal *refusal) {
  const BerthFoldAccess *access = &nest->accesses[number];
  if (nest->isLinear)
    return true; // nothing is moved
  if (access->view == BERTH_FOLD_NO_VIEW)
    return access->shape != BERTH_FOLD_VECTOR ||
           writeCells(nest, letter, number, statement, &nest->slices, refusal);
  appendInstance(letter, number, statement->place.numLoops, &nest->slices);
  berthTextAppend(&nest->slices, " -> ");
  if (!berthFoldAppendRootView(nest, access, &statement->place, &nest->slices))
    return berthFoldRefuse(refusal, access->op,
                           "its subscripts are not affine");
  berthTextAppend(&nest->slices, "; ");
  return true;
}

/// It moves the rows of a window.
static bool isMove(const BerthFoldNest *nest, MlirOperation op) {
  for (size_t i = 0; nest->moves && i < nest->moves->count; ++i)
    if (mlirOperationEqual(nest->moves->list[i], op))
      return true;
  return false;
}

/// Whether it matters that the op may still read when it writes. Of several
/// arrays each keeps its shape where there are slices, so only cells of another
/// one could be where it reads.
static bool readsLate(const BerthFoldNest *nest,
                      const BerthFoldAccess *access) {
  if (nest->numArrays == 1)
    return true;
  for (size_t k = 0; k < nest->numAccesses; ++k)
    if (mlirOperationEqual(nest->accesses[k].op, access->op) &&
        nest->accesses[k].isStore && nest->accesses[k].array != access->array)
      return true;
  return false;
}

static bool writeStatement(BerthFoldNest *nest, size_t number,
                           const Statement *statement,
                           BerthFoldRefusal *refusal) {
  const BerthFoldAccess *access = &nest->accesses[number];
  bool isWhole = access->shape == BERTH_FOLD_WHOLE;
  size_t numTimes = statement->numTimes + isWhole;
  char store = isWhole ? 'W' : 'S';
  bool isMay = access->mayStore || !mlirOperationIsNull(statement->unread);
  BerthText *stores = isMay ? &nest->mayWrites : &nest->writes;
  BerthText *loads = isMove(nest, access->op) ? &nest->mayReads : &nest->reads;
  if (numTimes > nest->numTimes)
    nest->numTimes = numTimes;
  if (access->isLoad) {
    writeInstance(nest, 'S', number, statement, isWhole ? 0 : -1);
    if (!writeCells(nest, 'S', number, statement, loads, refusal))
      return false;
  }
  if (access->isStore) {
    writeInstance(nest, store, number, statement, isWhole ? 1 : -1);
    if (!writeCells(nest, store, number, statement, stores, refusal))
      return false;
  }
  if (access->isLoad && isWhole && readsLate(nest, access) &&
      !berthIsBroken(nest->breakRule, "whole-reads-first")) {
    writeInstance(nest, 'H', number, statement, 2);
    if (!writeCells(nest, 'H', number, statement, loads, refusal))
      return false;
  }
  return writeSlice(nest, access->isLoad ? 'S' : store, number, statement,
                    refusal);
}

static bool addStatement(BerthFoldNest *nest, size_t number,
                         BerthFoldRefusal *refusal) {
  Path path;
  Statement statement = {.place = {.owner = nest->owner}};
  bool good = findPath(nest, nest->accesses[number].op, &path, refusal) &&
              followPath(nest, &path, &statement, refusal) &&
              writeStatement(nest, number, &statement, refusal);
  nest->accesses[number].unread = statement.unread;
  berthTextFree(&statement.conditions);
  berthTextFree(&statement.time);
  return good;
}

//===----------------------------------------------------------------------===//
// Nests
//===----------------------------------------------------------------------===//

/// Conditions around the owner block hold in it. Those that bring parameters of
/// their own say nothing of the others.
static void addGuards(BerthFoldNest *nest) {
  BerthFoldPlace place = {.owner = nest->owner};
  MlirBlock block = nest->owner;
  MlirOperation op = mlirBlockGetParentOperation(block);
  for (; !mlirOperationIsNull(op); op = mlirOperationGetParentOperation(op)) {
    size_t numParams = nest->params.count;
    BerthText condition = {0};
    if (berthFoldIsBranch(op))
      berthFoldAppendCondition(&place, &nest->params, op, regionOf(op, block),
                               &condition);
    if (condition.data && numParams == nest->params.count)
      berthTextAppend(&nest->params.facts, "%s", condition.data);
    berthTextFree(&condition);
    block = mlirOperationGetBlock(op);
  }
}

/// Some loop between the owner block and `op` is parallel.
static bool isInParallel(const BerthFoldNest *nest, MlirOperation op) {
  while (!mlirOperationIsNull(op) &&
         !mlirBlockEqual(mlirOperationGetBlock(op), nest->owner)) {
    op = mlirOperationGetParentOperation(op);
    if (!mlirOperationIsNull(op) && berthFoldIsParallel(op))
      return true;
  }
  return false;
}

static void setArrays(BerthFoldNest *nest, size_t numArrays,
                      const MlirValue *arrays) {
  nest->numArrays = numArrays;
  nest->arrays = berthAllocateOrDie(numArrays, sizeof *nest->arrays);
  memcpy(nest->arrays, arrays, numArrays * sizeof *nest->arrays);
}

static bool describe(BerthFoldNest *nest, MlirOperation owner,
                     BerthFoldRefusal *refusal) {
  nest->owner = mlirOperationGetBlock(owner);
  if (!berthFoldAddUsers(nest, refusal))
    return false;
  for (size_t k = 0; k < nest->numAccesses; ++k)
    nest->isParallel |= isInParallel(nest, nest->accesses[k].op);
  for (size_t k = 0; k < nest->numAccesses; ++k)
    if (!addStatement(nest, k, refusal))
      return false;
  addGuards(nest);
  return nest->numAccesses > 0 ||
         berthFoldRefuse(refusal, owner, "never accessed");
}

bool berthFoldNestInit(BerthFoldNest *nest, size_t numArrays,
                       const MlirValue *arrays, BerthFoldMoves *moves,
                       const char *breakRule, BerthFoldRefusal *refusal) {
  *nest = (BerthFoldNest){.moves = moves,
                          .breakRule = breakRule,
                          .params = {.addFacts = berthFoldAddFacts}};
  setArrays(nest, numArrays, arrays);
  return describe(nest, mlirOpResultGetOwner(arrays[0]), refusal);
}

bool berthFoldNestInitWithin(BerthFoldNest *nest, size_t numArrays,
                             const MlirValue *arrays, MlirOperation within,
                             const char *breakRule, BerthFoldRefusal *refusal) {
  *nest = (BerthFoldNest){.within = within,
                          .isLinear = true,
                          .breakRule = breakRule,
                          .params = {.addFacts = berthFoldAddFacts}};
  setArrays(nest, numArrays, arrays);
  return describe(nest, within, refusal);
}

void berthFoldNestDestroy(BerthFoldNest *nest) {
  free(nest->arrays);
  free(nest->accesses);
  free(nest->views);
  berthTextFree(&nest->params.facts);
  berthTextFree(&nest->domain);
  berthTextFree(&nest->schedule);
  berthTextFree(&nest->reads);
  berthTextFree(&nest->mayReads);
  berthTextFree(&nest->writes);
  berthTextFree(&nest->mayWrites);
  berthTextFree(&nest->slices);
}

/// "[p0, p1] -> { text }".
static BerthText braced(const BerthFoldNest *nest, const char *text) {
  BerthText result = {0};
  berthTextAppend(&result, "[");
  for (size_t p = 0; p < nest->params.count; ++p)
    berthTextAppend(&result, "%sp%zu", p ? ", " : "", p);
  berthTextAppend(&result, "] -> { %s }", text ? text : "");
  return result;
}

/// A condition that is not affine makes a load one that may read anywhere.
static bool refuseOrphan(const BerthFoldAccess *access,
                         BerthFoldRefusal *refusal) {
  if (mlirOperationIsNull(access->unread))
    return berthFoldRefuse(refusal, access->op,
                           "may read what nothing has written");
  BerthText branch = {0};
  berthTextAppendOp(&branch, access->unread);
  berthFoldRefuse(refusal, access->op,
                  "may read what nothing has written, as the condition of %s "
                  "is not affine and so may hold wherever it is asked",
                  branch.data);
  berthTextFree(&branch);
  return false;
}

/// A complaint about "[S3[i0] -> ...]" is one about access 3.
static void blame(const BerthFoldNest *nest, const char *message,
                  BerthFoldRefusal *refusal) {
  const char *at;
  size_t number;
  if (strstr(message, "before any write") && (at = strstr(message, "{ ")) &&
      sscanf(at, "{ %*[SH]%zu[", &number) == 1 && number < nest->numAccesses) {
    refuseOrphan(&nest->accesses[number], refusal);
    return;
  }
  bool empty = strstr(message, "the domain is empty") != NULL;
  bool never = strstr(message, "a slice is never taken") != NULL;
  berthFoldRefuse(refusal, mlirOpResultGetOwner(nest->arrays[0]), "%.390s",
                  empty   ? "its accesses never run"
                  : never ? "a slice of it stands in code that never runs; "
                            "canonicalize may remove that"
                          : message);
}

/// The nest as lib/Fold reads it.
typedef struct Source {
  BerthText texts[8];
  BerthText facts, parallel;
  BerthFoldSource source;
} Source;

/// Several arrays with slices keep the shapes that they have.
static bool takesSlices(const BerthFoldNest *nest) {
  return nest->hasSlices && nest->numArrays == 1;
}

static void initSource(Source *to, const BerthFoldNest *nest) {
  *to = (Source){.texts = {{0}}};
  for (size_t dim = 2; nest->isParallel && dim < nest->numTimes; dim += 3)
    berthTextAppend(&to->parallel, "%zu, ", dim);
  berthTextAppend(&to->facts, ": 0 = 0%s",
                  nest->params.facts.data ? nest->params.facts.data : "");
  const char *texts[] = {to->facts.data,      nest->domain.data,
                         nest->schedule.data, nest->reads.data,
                         nest->writes.data,   nest->mayWrites.data,
                         nest->slices.data,   nest->mayReads.data};
  for (size_t i = 0; i < sizeof texts / sizeof *texts; ++i)
    to->texts[i] = braced(nest, texts[i]);
  to->source =
      (BerthFoldSource){.context = to->texts[0].data,
                        .domain = to->texts[1].data,
                        .schedule = to->texts[2].data,
                        .reads = to->texts[3].data,
                        .writes = to->texts[4].data,
                        .mayWrites = to->texts[5].data,
                        .parallel = to->parallel.data,
                        .slices = takesSlices(nest) ? to->texts[6].data : NULL,
                        .mayReads = nest->moves ? to->texts[7].data : NULL};
  if (berthIsBroken(nest->breakRule, "wrapping-slices") && takesSlices(nest))
    to->source.slices = "{  }";
}

static void freeSource(Source *source) {
  for (size_t i = 0; i < sizeof source->texts / sizeof *source->texts; ++i)
    berthTextFree(&source->texts[i]);
  berthTextFree(&source->facts);
  berthTextFree(&source->parallel);
}

BerthStatus berthFoldNestProblem(const BerthFoldNest *nest,
                                 uint64_t maxOperations,
                                 BerthFoldProblem **problem,
                                 BerthFoldRefusal *refusal) {
  Source source;
  BerthError error = {.line = 0};
  initSource(&source, nest);
  BerthStatus status =
      berthFoldProblemCreate(&source.source, maxOperations, problem, &error);
  freeSource(&source);
  if (status != BERTH_SUCCESS && berthIsOutOfMemory(&error))
    berthOrDie(NULL);
  if (status != BERTH_SUCCESS)
    blame(nest, error.message, refusal);
  return status;
}

//===----------------------------------------------------------------------===//
// Reaches
//===----------------------------------------------------------------------===//

/// "{ A1[a0] -> [4 * a0] }" for elements of four bytes.
static BerthText addressesOf(size_t array, int64_t elementBytes) {
  BerthText text = {0};
  berthTextAppend(&text, "{ A%zu[a0] -> [%" PRId64 " * a0] }", array,
                  elementBytes);
  return text;
}

BerthStatus berthFoldNestReach(const BerthFoldNest *nest,
                               const int64_t elementBytes[2],
                               uint64_t maxOperations, BerthFoldReach *reach) {
  Source source;
  initSource(&source, nest);
  BerthText read = addressesOf(0, elementBytes[0]),
            written = addressesOf(1, elementBytes[1]);
  BerthError error;
  BerthStatus status = berthFoldFindReach(
      &source.source, read.data, written.data, maxOperations, reach, &error);
  berthTextFree(&read);
  berthTextFree(&written);
  freeSource(&source);
  if (status != BERTH_SUCCESS && berthIsOutOfMemory(&error))
    berthOrDie(NULL);
  return status;
}

//===----------------------------------------------------------------------===//
// Windows
//===----------------------------------------------------------------------===//

/// The op of the block that holds the last access. Null if it is no loop of one
/// variable whose iterations follow one another.
static MlirOperation lastLoop(const BerthFoldNest *nest) {
  MlirOperation last = berthFoldOpOfOwner(nest, nest->accesses[0].op);
  for (size_t k = 1; k < nest->numAccesses; ++k) {
    MlirOperation op = berthFoldOpOfOwner(nest, nest->accesses[k].op);
    if (mlirOperationIsBeforeInBlock(last, op))
      last = op;
  }
  return berthOpIs(last, BERTH_OP_LOOP) ? last : (MlirOperation){NULL};
}

/// A view of the array is made where its accesses are: all in the loop, or all
/// in front of it. Then one shift of its offset is right for all.
static bool viewsStayInside(const BerthFoldNest *nest, MlirOperation loop) {
  for (size_t k = 0; k < nest->numAccesses; ++k) {
    const BerthFoldAccess *access = &nest->accesses[k];
    if (access->view == BERTH_FOLD_NO_VIEW)
      continue;
    size_t root = berthFoldRootView(nest, access->view);
    bool accessInside =
        mlirOperationEqual(berthFoldOpOfOwner(nest, access->op), loop);
    bool viewInside = mlirOperationEqual(
        berthFoldOpOfOwner(nest, nest->views[root].op), loop);
    if (accessInside != viewInside)
      return false;
  }
  return true;
}

int64_t berthFoldWindowRows(const BerthFoldWindow *window, int64_t step) {
  return window->size + (window->turns - 1) * window->slope * step;
}

/// Lets a tall window slide for some iterations, so that it copies no more than
/// so many rows for each new one. False where that cannot be told from the
/// loop's variable.
static bool moveSeldom(BerthFoldWindow *window, const BerthFoldLoop *loop) {
  enum { MaxCopies = 16 };
  int64_t by = window->slope * loop->step, most = MaxCopies * by;
  window->turns = window->size > by ? (window->size - by + most - 1) / most : 1;
  return window->turns == 1 || loop->hasFirst;
}

BerthStatus berthFoldNestWindow(const BerthFoldNest *nest,
                                uint64_t maxOperations, bool isRing,
                                int64_t sample, int64_t limit,
                                BerthFoldWindow *window, MlirOperation *loop,
                                int64_t *cells) {
  *loop = lastLoop(nest);
  if (mlirOperationIsNull(*loop) || !viewsStayInside(nest, *loop))
    return BERTH_INVALID;
  BerthFoldLoop described = {.place = berthFoldOrdinal(*loop),
                             .step = berthFoldStep(*loop)};
  described.hasFirst = berthFoldFirstValue(*loop, &described.first);
  if (described.step == 0)
    return BERTH_INVALID;
  Source source;
  initSource(&source, nest);
  BerthStatus result = BERTH_INVALID;
  MlirType type = mlirValueGetType(nest->arrays[0]);
  uint64_t operations = 0;
  *cells = limit;
  for (intptr_t d = 0; d < mlirShapedTypeGetRank(type); ++d) {
    BerthFoldWindow trial;
    BerthStatus status = berthFoldFindWindow(
        &source.source, &described, (unsigned)d, maxOperations, &trial, NULL);
    operations += trial.operations;
    bool good =
        status == BERTH_SUCCESS && (isRing || moveSeldom(&trial, &described));
    int64_t size =
        good ? berthFoldWindowRows(&trial, described.step) : INT64_MAX;
    for (intptr_t e = 0; e < mlirShapedTypeGetRank(type); ++e)
      if (e != d &&
          __builtin_mul_overflow(
              size, berthFoldSizeAt(nest->arrays[0], e, sample), &size))
        size = INT64_MAX;
    if (size < *cells &&
        berthFoldCheckWindow(&source.source, &described, &trial, maxOperations,
                             NULL) == BERTH_SUCCESS) {
      *cells = size;
      *window = trial;
      result = BERTH_SUCCESS;
    }
  }
  freeSource(&source);
  window->operations = operations;
  return result;
}
