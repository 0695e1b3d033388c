//===- ReadsAhead.c - Loops that read before they write over --------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Verify/Bytes/ReadsAhead.h"
#include "IR/Facts/Facts.h"
#include "IR/Facts/SliceFacts.h"
#include "IR/Ops/Attributes.h"
#include "IR/Ops/OpTable.h"
#include "IR/Ops/OrDie.h"
#include "IR/Verify/Bytes/IndexPrograms.h"
#include "mlir-c/AffineMap.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

#include <stdlib.h>
#include <string.h>

enum {
  kMostSteps = 1 << 26,   ///< of one nest: turns and accesses
  kMostBytes = 1 << 28,   ///< of the buffer that is written
  kMostElementBytes = 64, ///< of one element
};

typedef enum StepKind { kLoop, kBranch, kAccess } StepKind;

/// What the nest does, one behind the other.
typedef struct Step {
  StepKind kind;
  int depth;            ///< of a loop: how many are around it in the nest
  BerthLoopRange range; ///< of a loop
  size_t end; ///< of a loop: the step behind its body; of a branch behind both
  size_t other;      ///< of a branch: the first step of its second region
  int64_t predicate; ///< of a branch: how `at` compares with `than`
  int than;
  bool isWrite;
  /// Of an access: computes its first byte, by the node `at`. Of a branch:
  /// what is compared.
  BerthIndexProgram *program;
  int at;
  int64_t numBytes; ///< that it takes from there on
} Step;

typedef struct Nest {
  const BerthViews *views;
  uint32_t read, written;
  bool hasReads;
  BerthLoopRange loops[BERTH_INDEX_MOST_LOOPS]; ///< around what is added
  int numLoops;
  Step *steps;
  size_t count, capacity;
  BerthRootAccesses accesses;
} Nest;

static Step *addStep(Nest *nest, Step step) {
  nest->steps =
      berthGrow(nest->steps, nest->count, &nest->capacity, sizeof *nest->steps);
  nest->steps[nest->count] = step;
  return &nest->steps[nest->count++];
}

//===----------------------------------------------------------------------===//
// Making the list
//===----------------------------------------------------------------------===//

static BerthIndexProgram *newProgram(const Nest *nest) {
  BerthIndexProgram *program = berthAllocateOrDie(1, sizeof *program);
  memcpy(program->loops, nest->loops, sizeof nest->loops);
  program->numLoops = nest->numLoops;
  return program;
}

/// True if it follows from the loops' variables alone.
static bool isKnown(const BerthIndexProgram *program, int node) {
  return node != BERTH_INDEX_NONE && !berthIndexHasOuter(&program->nodes[node]);
}

/// The subscripts of an access, and how many elements it has from there on:
/// one, or some of a row. False for others.
typedef struct Subscripts {
  intptr_t first; ///< operand
  int64_t count;
} Subscripts;

static bool findSubscripts(const BerthRootAccess *access, MlirType type,
                           Subscripts *subscripts) {
  *subscripts = (Subscripts){access->operand + 1, 1};
  if (berthOpIsElementAccess(access->op))
    return true;
  BerthVectorAccess vector;
  if (!berthVectorGetAccess(access->op, &vector) ||
      vector.memref != access->operand)
    return false;
  intptr_t rank = mlirShapedTypeGetRank(type);
  for (intptr_t d = 0; d + 1 < rank; ++d)
    if (vector.extents[d] != 1)
      return false;
  *subscripts =
      (Subscripts){vector.firstIndex, rank ? vector.extents[rank - 1] : 1};
  return true;
}

/// The byte, counted from the buffer's first, at which the first element
/// begins.
static int placeOf(BerthIndexProgram *program, MlirOperation op, intptr_t first,
                   MlirType type, const BerthTypeSize *size) {
  int place = berthIndexNumber(program, 0);
  for (intptr_t d = 0; d < mlirShapedTypeGetRank(type); ++d) {
    int extent = berthIndexNumber(program, mlirShapedTypeGetDimSize(type, d));
    int index =
        berthOpIsAffine(op)
            ? berthIndexCompileMap(program, op, first, d, BERTH_INDEX_ADD)
            : berthIndexCompile(program,
                                mlirOperationGetOperand(op, first + d));
    place = berthIndexCombine(program, BERTH_INDEX_MULTIPLY, place, extent);
    place = berthIndexCombine(program, BERTH_INDEX_ADD, place, index);
  }
  return berthIndexCombine(program, BERTH_INDEX_MULTIPLY, place,
                           berthIndexNumber(program, size->elementBytes));
}

/// An element of one of the two buffers, of which it surely is.
static bool addElement(Nest *nest, const BerthRootAccess *access) {
  BerthTypeSize size;
  bool isWrite = access->root == nest->written;
  if (access->root == nest->read ? access->writes : !access->writes)
    return access->root != nest->read; // its own content the nest may read
  MlirType type =
      mlirValueGetType(mlirOperationGetOperand(access->op, access->operand));
  Subscripts subscripts;
  if (!access->isWhole || !mlirTypeIsAMemRef(type) ||
      !findSubscripts(access, type, &subscripts) ||
      !mlirAffineMapIsIdentity(mlirMemRefTypeGetAffineMap(type)) ||
      berthMemRefGetSize(type, access->op, &size) != BERTH_SIZE_OK ||
      size.elementBytes > kMostElementBytes)
    return false;
  BerthIndexProgram *program = newProgram(nest);
  int at = placeOf(program, access->op, subscripts.first, type, &size);
  nest->hasReads |= !isWrite;
  addStep(nest, (Step){.kind = kAccess,
                       .isWrite = isWrite,
                       .program = program,
                       .at = at,
                       .numBytes = subscripts.count * size.elementBytes});
  return isKnown(program, at);
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

/// The signed comparison of two indices that the branch is taken by, if it is
/// one that follows from the loops' variables.
static Step branchStep(const Nest *nest, MlirOperation op) {
  enum { kLastSigned = 5 };
  Step step = {.kind = kBranch, .predicate = -1};
  MlirValue condition =
      berthOpIsAffine(op) ? (MlirValue){NULL} : mlirOperationGetOperand(op, 0);
  if (mlirValueIsNull(condition) || !mlirValueIsAOpResult(condition))
    return step;
  MlirOperation compare = mlirOpResultGetOwner(condition);
  if (!berthOpIs(compare, BERTH_OP_COMPARISON))
    return step;
  int64_t predicate =
      mlirIntegerAttrGetValueInt(berthAttributeOf(compare, "predicate"));
  MlirValue at = mlirOperationGetOperand(compare, 0);
  step.program = newProgram(nest);
  step.at = berthIndexCompile(step.program, at);
  step.than =
      berthIndexCompile(step.program, mlirOperationGetOperand(compare, 1));
  if (mlirTypeIsAIndex(mlirValueGetType(at)) && predicate <= kLastSigned &&
      isKnown(step.program, step.at) && isKnown(step.program, step.than))
    step.predicate = predicate;
  return step;
}

static bool addBranch(Nest *nest, MlirOperation op) {
  size_t step = nest->count;
  addStep(nest, branchStep(nest, op));
  bool good = addRegion(nest, mlirOperationGetRegion(op, 0));
  nest->steps[step].other = nest->count;
  good = good && addRegion(nest, mlirOperationGetRegion(op, 1));
  nest->steps[step].end = nest->count;
  return good;
}

static bool addLoop(Nest *nest, MlirOperation op) {
  BerthLoopRange ranges[BERTH_LOOP_MAX_RANK];
  int depth = nest->numLoops;
  if (berthLoopGetRanges(op, ranges) != 1 || depth == BERTH_INDEX_MOST_LOOPS)
    return false;
  nest->loops[nest->numLoops++] = ranges[0];
  size_t step = nest->count;
  addStep(nest, (Step){.kind = kLoop, .depth = depth, .range = ranges[0]});
  bool good = addRegion(nest, mlirOperationGetRegion(op, 0));
  nest->steps[step].end = nest->count;
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
  if (berthOpIs(op, BERTH_OP_LOOP))
    return addLoop(nest, op);
  if (berthOpIs(op, BERTH_OP_IF))
    return addBranch(nest, op);
  if (mlirOperationGetNumRegions(op))
    return false;
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
// Running it
//===----------------------------------------------------------------------===//

typedef struct Run {
  const Nest *nest;
  int64_t stepsLeft;
  int64_t shift; ///< what is at byte b of the buffer read is at b + shift of
                 ///< the other one
  int64_t size;  ///< of the buffer that is written
  uint8_t *isWritten;
  int64_t variables[BERTH_INDEX_MOST_LOOPS];
} Run;

static bool runSteps(Run *run, size_t from, size_t to);

static bool runLoop(Run *run, size_t step) {
  const Step *loop = &run->nest->steps[step];
  const BerthLoopRange *range = &loop->range;
  for (int64_t i = 0; i < range->count; ++i) {
    run->variables[loop->depth] = range->lower + range->step * i;
    if (--run->stepsLeft < 0 || !runSteps(run, step + 1, loop->end))
      return false;
  }
  return true;
}

static bool runAccess(Run *run, const Step *step) {
  int64_t values[BERTH_INDEX_MOST_NODES];
  if (--run->stepsLeft < 0 ||
      !berthIndexRun(step->program, run->variables, step->at, values))
    return false;
  int64_t first = values[step->at];
  if (first < -kMostBytes || first > (int64_t)kMostBytes * kMostElementBytes)
    return false;
  first += step->isWrite ? 0 : run->shift;
  for (int64_t b = first; b < first + step->numBytes; ++b) {
    if (b < 0 || b >= run->size)
      continue;
    if (step->isWrite)
      run->isWritten[b] = 1;
    else if (run->isWritten[b])
      return false;
  }
  return true;
}

static bool holds(int64_t predicate, int64_t a, int64_t b) {
  const bool results[] = {a == b, a != b, a<b, a <= b, a> b, a >= b};
  return results[predicate];
}

static bool runBranch(Run *run, size_t at) {
  const Step *step = &run->nest->steps[at];
  int64_t values[BERTH_INDEX_MOST_NODES];
  if (step->predicate < 0)
    return runSteps(run, at + 1, step->end);
  int last = step->at > step->than ? step->at : step->than;
  if (!berthIndexRun(step->program, run->variables, last, values))
    return false;
  return holds(step->predicate, values[step->at], values[step->than])
             ? runSteps(run, at + 1, step->other)
             : runSteps(run, step->other, step->end);
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
             .size = written->upper - written->lower};
  if (run.size > kMostBytes)
    return false;
  run.isWritten = berthAllocateOrDie((size_t)run.size, 1);
  bool result = runSteps(&run, 0, nest->count);
  free(run.isWritten);
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
  if (!isPlain(views, read) || !isPlain(views, written) ||
      !berthOpIs(top, BERTH_OP_LOOP))
    return false;
  Nest *nest = berthAllocateOrDie(1, sizeof *nest);
  nest->views = views;
  nest->read = read;
  nest->written = written;
  bool result = addOp(nest, top) && nest->hasReads && runNest(nest);
  berthRootAccessesFree(&nest->accesses);
  for (size_t i = 0; i < nest->count; ++i)
    free(nest->steps[i].program);
  free(nest->steps);
  free(nest);
  return result;
}
