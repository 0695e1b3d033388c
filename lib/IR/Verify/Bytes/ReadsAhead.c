//===- ReadsAhead.c - Loops that read before they write over --------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Verify/Bytes/ReadsAhead.h"
#include "IR/Ops/OpTable.h"
#include "IR/Ops/OrDie.h"
#include "IR/Verify/Bytes/Conditions.h"
#include "IR/Verify/Bytes/ElementPlaces.h"
#include "IR/Verify/Bytes/IndexBounds.h"
#include "IR/Verify/Bytes/LoopBounds.h"

#include <stdlib.h>
#include <string.h>

enum {
  kMostSteps = 1 << 26,    ///< of one nest: turns and accesses
  kMostBytes = 1 << 28,    ///< of the buffer that is written
  kMostParallel = 1 << 26, ///< the same in parallel loops
  kMostElementBytes = 64,  ///< of one element
};

typedef enum StepKind { kLoop, kBranch, kAccess } StepKind;

/// What the nest does, one behind the other. Bounds, conditions and places are
/// computed by the step's program.
typedef struct Step {
  StepKind kind;
  BerthIndexProgram *program;
  size_t end; ///< of a loop: the step behind its body; of a branch behind both
  // of a loop
  int depth; ///< how many are around it in the nest
  BerthLoopBounds bounds;
  bool isParallel;
  // of a branch
  size_t other; ///< the first step of its second region
  BerthCondition *condition;
  // of an access
  bool isWrite;
  BerthElementPlace place;
} Step;

typedef struct Nest {
  const BerthViews *views;
  uint32_t read, written;
  bool hasReads;
  bool hasParallel;
  BerthLoopRange loops[BERTH_INDEX_MOST_LOOPS]; ///< the variables of those
                                                ///< around what is added
  int numLoops;
  Step *steps;
  size_t count, capacity;
  BerthRootAccesses accesses;
} Nest;

/// With a program of its own. It stays there until the next one is added.
static Step *addStep(Nest *nest, StepKind kind) {
  BerthIndexProgram *program = berthOrDie(malloc(sizeof *program));
  berthIndexBegin(program);
  memcpy(program->loops, nest->loops, sizeof nest->loops);
  program->numLoops = nest->numLoops;
  nest->steps =
      berthGrow(nest->steps, nest->count, &nest->capacity, sizeof *nest->steps);
  nest->steps[nest->count] = (Step){.kind = kind, .program = program};
  return &nest->steps[nest->count++];
}

//===----------------------------------------------------------------------===//
// Making the list
//===----------------------------------------------------------------------===//

/// Elements of one of the two buffers, of which they surely are.
static bool addElement(Nest *nest, const BerthRootAccess *access) {
  bool isWrite = access->root == nest->written;
  if (isWrite ? !access->writes : access->writes)
    return isWrite; // its own content the nest may read
  Step *step = addStep(nest, kAccess);
  step->isWrite = isWrite;
  nest->hasReads |= !isWrite;
  return berthElementPlaceOf(step->program, nest->views, access,
                             &step->place) &&
         step->place.elementBytes <= kMostElementBytes;
}

static bool addOp(Nest *nest, MlirOperation op);

static bool addRegion(Nest *nest, MlirRegion region) {
  MlirBlock block = mlirRegionGetFirstBlock(region);
  if (mlirBlockIsNull(block))
    return true;
  if (!mlirBlockIsNull(mlirBlockGetNextInRegion(block)))
    return false;
  for (MlirOperation op = mlirBlockGetFirstOperation(block);
       !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op))
    if (!addOp(nest, op))
      return false;
  return true;
}

static bool addBranch(Nest *nest, MlirOperation op) {
  size_t step = nest->count;
  Step *branch = addStep(nest, kBranch);
  branch->condition = berthAllocateOrDie(1, sizeof *branch->condition);
  berthConditionCompile(branch->program, op, branch->condition);
  bool good = addRegion(nest, mlirOperationGetRegion(op, 0));
  nest->steps[step].other = nest->count;
  good = good && addRegion(nest, mlirOperationGetRegion(op, 1));
  nest->steps[step].end = nest->count;
  return good;
}

/// A loop of several variables is as many loops.
static bool addLoop(Nest *nest, MlirOperation op) {
  BerthLoopBounds bounds[BERTH_LOOP_MAX_RANK];
  bool isParallel = !berthOpIs(op, BERTH_OP_LOOP), good = true;
  int depth = nest->numLoops;
  size_t first = nest->count;
  Step *step = addStep(nest, kLoop);
  intptr_t count = berthLoopCompileBounds(step->program, op, bounds);
  if (count < 1 || depth + count > BERTH_INDEX_MOST_LOOPS)
    return false;
  for (intptr_t d = 0; d < count; ++d) {
    if (d > 0) {
      step = addStep(nest, kLoop);
      *step->program = *nest->steps[first].program;
    }
    step->depth = depth + (int)d;
    step->bounds = bounds[d];
    step->isParallel = isParallel;
    good = good && berthIndexIsKnown(step->program, bounds[d].lower) &&
           berthIndexIsKnown(step->program, bounds[d].upper) &&
           berthIndexIsKnown(step->program, bounds[d].step);
  }
  for (intptr_t d = 0; d < count; ++d)
    nest->loops[nest->numLoops++].variable = bounds[d].variable;
  nest->hasParallel |= isParallel;
  good = good && addRegion(nest, mlirOperationGetRegion(op, 0));
  for (intptr_t d = 0; d < count; ++d)
    nest->steps[first + (size_t)d].end = nest->count;
  nest->numLoops = depth;
  return good;
}

/// What does nothing to either buffer is left out.
static bool addOp(Nest *nest, MlirOperation op) {
  berthRootAccessesOf(&nest->accesses, nest->views, op, true);
  bool touches = false;
  for (size_t i = 0; i < nest->accesses.count; ++i) {
    uint32_t root = nest->accesses.items[i].root;
    touches |= root == nest->read || root == nest->written;
  }
  if (!touches)
    return true;
  if (berthOpIs(op, BERTH_OP_IF))
    return addBranch(nest, op);
  if (mlirOperationGetNumRegions(op))
    return addLoop(nest, op);
  // Of one op reads come first.
  bool good = true;
  for (size_t i = 0; good && i < nest->accesses.count; ++i) {
    BerthRootAccess access = nest->accesses.items[i];
    if (access.root == nest->read || access.root == nest->written)
      good = !access.isHandedOn && addElement(nest, &access);
  }
  return good;
}

//===----------------------------------------------------------------------===//
// What lies apart
//===----------------------------------------------------------------------===//

/// From the first byte to behind the last one.
typedef struct Bytes {
  int64_t lower, upper;
} Bytes;

/// The values that the loop's variable may have. False for loops of which no
/// turn is seen.
static bool boundVariable(const Step *loop, BerthIndexBounds *variables) {
  BerthIndexBounds bounds[BERTH_INDEX_MOST_NODES];
  const BerthLoopBounds *of = &loop->bounds;
  if (!berthIndexBound(loop->program, variables, loop->program->numNodes - 1,
                       bounds) ||
      bounds[of->step].least < 1 ||
      bounds[of->lower].least >= bounds[of->upper].most)
    return false;
  variables[loop->depth] =
      (BerthIndexBounds){bounds[of->lower].least, bounds[of->upper].most - 1};
  return true;
}

static bool boundAccess(const Step *access, const BerthIndexBounds *variables,
                        Bytes *bytes) {
  BerthIndexBounds bounds[BERTH_INDEX_MOST_NODES];
  const BerthElementPlace *place = &access->place;
  int64_t last;
  if (!berthIndexBound(access->program, variables, place->at, bounds) ||
      __builtin_mul_overflow(place->count - 1, place->byteStride, &last))
    return false;
  *bytes = (Bytes){bounds[place->at].least, bounds[place->at].most};
  return !__builtin_add_overflow(last < 0 ? bytes->lower : bytes->upper, last,
                                 last < 0 ? &bytes->lower : &bytes->upper) &&
         !__builtin_add_overflow(bytes->upper, place->elementBytes,
                                 &bytes->upper);
}

/// True if nothing that the nest reads lies among what it writes, from the
/// first byte of that to the last one.
static bool liesApart(const Nest *nest) {
  BerthIndexBounds variables[BERTH_INDEX_MOST_LOOPS];
  Bytes all[2] = {{INT64_MAX, INT64_MIN}, {INT64_MAX, INT64_MIN}}, one;
  for (size_t i = 0; i < nest->count; ++i) {
    const Step *step = &nest->steps[i];
    if (step->kind == kLoop && !boundVariable(step, variables))
      return false;
    if (step->kind != kAccess)
      continue;
    if (!boundAccess(step, variables, &one))
      return false;
    Bytes *bytes = &all[step->isWrite];
    bytes->lower = one.lower < bytes->lower ? one.lower : bytes->lower;
    bytes->upper = one.upper > bytes->upper ? one.upper : bytes->upper;
  }
  int64_t shift = nest->views->roots[nest->read].lower -
                  nest->views->roots[nest->written].lower;
  Bytes read = all[false], written = all[true];
  return !__builtin_add_overflow(read.lower, shift, &read.lower) &&
         !__builtin_add_overflow(read.upper, shift, &read.upper) &&
         (read.upper <= written.lower || written.upper <= read.lower);
}

//===----------------------------------------------------------------------===//
// Running it
//===----------------------------------------------------------------------===//

#define MANY_READERS UINT32_MAX

typedef struct Run {
  const Nest *nest;
  int64_t stepsLeft;
  int64_t shift; ///< what is at byte b of the buffer read is at b + shift of
                 ///< the other one
  int64_t size;  ///< of the buffer that is written
  uint8_t *isWritten; ///< by byte
  uint32_t *readers;  ///< the turn that has read it, 0: none; NULL: no loop is
                      ///< parallel
  uint32_t turn, lastTurn; ///< of the parallel loop that is next around
  int64_t variables[BERTH_INDEX_MOST_LOOPS];
} Run;

static bool runSteps(Run *run, size_t from, size_t to);

/// The turns of a parallel loop come in any order: each has a number.
static bool runLoop(Run *run, size_t index) {
  const Step *step = &run->nest->steps[index];
  const BerthLoopBounds *bounds = &step->bounds;
  int64_t values[BERTH_INDEX_MOST_NODES];
  if (!berthIndexRun(step->program, run->variables, step->program->numNodes - 1,
                     values) ||
      values[bounds->step] < 1)
    return false;
  uint32_t turn = run->turn;
  int64_t at = values[bounds->lower], end = values[bounds->upper];
  for (bool isOver = false; at < end && !isOver;
       isOver = __builtin_add_overflow(at, values[bounds->step], &at)) {
    run->variables[step->depth] = at;
    if (step->isParallel)
      run->turn = ++run->lastTurn;
    if (--run->stepsLeft < 0 || !runSteps(run, index + 1, step->end))
      return false;
  }
  run->turn = turn;
  return true;
}

/// What is read may not have been written, nor be written by another turn
/// later: of those nobody knows which comes first.
static bool touch(Run *run, int64_t at, bool isWrite) {
  if (at < 0 || at >= run->size)
    return true;
  uint32_t *reader = run->readers ? &run->readers[at] : NULL;
  if (isWrite) {
    run->isWritten[at] = 1;
    return !reader || *reader == 0 || *reader == run->turn;
  }
  if (reader)
    *reader = *reader == 0 || *reader == run->turn ? run->turn : MANY_READERS;
  return !run->isWritten[at];
}

static bool runAccess(Run *run, const Step *step) {
  const BerthElementPlace *place = &step->place;
  const int64_t most = (int64_t)kMostBytes * kMostElementBytes;
  int64_t values[BERTH_INDEX_MOST_NODES];
  if (--run->stepsLeft < 0 ||
      !berthIndexRun(step->program, run->variables, place->at, values))
    return false;
  int64_t first = values[place->at];
  for (int64_t i = 0; i < place->count; ++i) {
    if (first < -most || first > most)
      return false;
    int64_t at = first + (step->isWrite ? 0 : run->shift);
    for (int64_t b = 0; b < place->elementBytes; ++b)
      if (!touch(run, at + b, step->isWrite))
        return false;
    first += place->byteStride;
  }
  return true;
}

static bool runBranch(Run *run, size_t at) {
  const Step *step = &run->nest->steps[at];
  BerthTruth truth =
      berthConditionRun(step->condition, step->program, run->variables);
  return runSteps(run, truth == BERTH_FALSE ? step->other : at + 1,
                  truth == BERTH_TRUE ? step->other : step->end);
}

static bool runSteps(Run *run, size_t from, size_t to) {
  for (size_t i = from; i < to;) {
    const Step *step = &run->nest->steps[i];
    bool good = step->kind == kLoop     ? runLoop(run, i)
                : step->kind == kBranch ? runBranch(run, i)
                                        : runAccess(run, step);
    if (!good)
      return false;
    i = step->kind == kAccess ? i + 1 : step->end;
  }
  return true;
}

static bool runNest(const Nest *nest) {
  const BerthRoot *read = &nest->views->roots[nest->read],
                  *written = &nest->views->roots[nest->written];
  Run run = {.nest = nest,
             .stepsLeft = kMostSteps,
             .shift = read->lower - written->lower,
             .size = written->upper - written->lower,
             .turn = 1,
             .lastTurn = 1};
  if (run.size > (nest->hasParallel ? kMostParallel : kMostBytes))
    return false;
  run.isWritten = berthAllocateOrDie((size_t)run.size, 1);
  if (nest->hasParallel)
    run.readers = berthAllocateOrDie((size_t)run.size, sizeof *run.readers);
  bool result = runSteps(&run, 0, nest->count);
  free(run.isWritten);
  free(run.readers);
  return result;
}

/// A buffer with a place that is known, and whole.
static bool isPlain(const BerthViews *views, uint32_t root) {
  const BerthRoot *at = &views->roots[root];
  return root < views->firstMerge && !at->isBase && !at->isShifted &&
         at->upper != INT64_MAX && at->bufferLower == at->lower &&
         at->bufferUpper == at->upper;
}

bool berthReadsAhead(const BerthViews *views, MlirOperation top, uint32_t read,
                     uint32_t written) {
  if (!isPlain(views, read) || !isPlain(views, written))
    return false;
  Nest *nest = berthAllocateOrDie(1, sizeof *nest);
  nest->views = views;
  nest->read = read;
  nest->written = written;
  bool result = addLoop(nest, top) && nest->hasReads &&
                (liesApart(nest) || runNest(nest));
  berthRootAccessesFree(&nest->accesses);
  for (size_t i = 0; i < nest->count; ++i) {
    free(nest->steps[i].program);
    free(nest->steps[i].condition);
  }
  free(nest->steps);
  free(nest);
  return result;
}
