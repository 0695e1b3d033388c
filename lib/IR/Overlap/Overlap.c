//===- Overlap.c - Outputs written over what loops have read --------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Overlap/Overlap.h"
#include "IR/Facts/Facts.h"
#include "IR/Facts/LoopFacts.h"
#include "IR/Facts/SliceFacts.h"
#include "IR/Fold/FoldLinear.h"
#include "IR/Fold/FoldNest.h"
#include "IR/Liveness/InPlace.h"
#include "IR/Liveness/LoopsInPlace.h"
#include "IR/Ops/OpTable.h"
#include "IR/Ops/OrDie.h"
#include "IR/Ops/Rules.h"
#include "IR/Ops/Text.h"
#include "IR/Overlap/OrderedLoops.h"
#include "IR/Scope/Segments.h"
#include "mlir-c/AffineMap.h"
#include "mlir-c/BuiltinTypes.h"

#include <stdlib.h>
#include <string.h>

enum {
  /// Accesses of one nest. berth-verify runs them all.
  kMostAccesses = 1 << 22,
  /// Bytes of a buffer, for the same reason.
  kMostBytes = 1 << 28,
  kMostElementBytes = 64,
  /// That compute one subscript.
  kMostOps = 32,
  /// isl's, for one pair: simple nests take some thousand.
  kMostOperations = 400000
};

typedef struct Search {
  BerthJob *job;
  const BerthScope *scope;
  size_t capacity;
  BerthOverlap *found;
  size_t count;
} Search;

//===----------------------------------------------------------------------===//
// The nest
//===----------------------------------------------------------------------===//

/// True if X is not wanted when the op is left, nor Y when it is entered.
static bool meetOnlyIn(const BerthJob *job, const BerthBufferInfo *x,
                       const BerthBufferInfo *y, MlirOperation op) {
  return !berthSegmentAt(y, berthPointsLower(&job->points, op)) &&
         !berthSegmentAt(x, berthPointsUpper(&job->points, op) - 1);
}

/// The least op with regions in which they meet, and nowhere else: X is live
/// when it is entered, and Y when it is left. Null if there is none.
static MlirOperation opOfMeeting(const BerthJob *job, const BerthBufferInfo *x,
                                 const BerthBufferInfo *y) {
  BerthSegment span = berthCommonSpan(x, y);
  if (span.upper < 0)
    return (MlirOperation){NULL};
  MlirOperation op = job->points.opAt[span.lower];
  int64_t lower = berthPointsLower(&job->points, op);
  while (lower != BERTH_NONE &&
         (lower >= span.lower ||
          berthPointsUpper(&job->points, op) <= span.upper)) {
    op = mlirOperationGetParentOperation(op);
    lower = mlirOperationIsNull(op) ? BERTH_NONE
                                    : berthPointsLower(&job->points, op);
  }
  return lower != BERTH_NONE && meetOnlyIn(job, x, y, op)
             ? op
             : (MlirOperation){NULL};
}

/// One whose turns follow each other.
static bool isOrderedLoop(MlirOperation op, int64_t *numTurns) {
  BerthLoopRange ranges[BERTH_LOOP_MAX_RANK];
  if (!berthOpIs(op, BERTH_OP_LOOP) || berthLoopGetRanges(op, ranges) != 1)
    return false;
  *numTurns = ranges[0].count;
  return true;
}

/// How often `op` comes in a run of the nest, at most; BERTH_NONE if that is
/// not known, or too often, or something else than loops and branches is around
/// it.
static int64_t countRuns(MlirOperation op, MlirOperation nest) {
  int64_t count = 1;
  while (!mlirOperationEqual(op, nest)) {
    op = mlirOperationGetParentOperation(op);
    int64_t turns = 1;
    if (!isOrderedLoop(op, &turns) && !berthOpIs(op, BERTH_OP_IF))
      return BERTH_NONE;
    // An empty loop has to be come to, too.
    if (__builtin_mul_overflow(count, turns ? turns : 1, &count) ||
        count > kMostAccesses)
      return BERTH_NONE;
  }
  return count;
}

static bool isWithin(const BerthJob *job, const BerthAccess *access,
                     MlirOperation nest) {
  int64_t at = berthPointsLower(&job->points, access->op);
  return at >= berthPointsLower(&job->points, nest) &&
         at < berthPointsUpper(&job->points, nest);
}

/// True if the index comes from few ops: berth-verify computes it in each turn.
static bool isSimple(MlirValue index, int *opsLeft) {
  if (mlirValueIsABlockArgument(index))
    return true;
  MlirOperation op = mlirOpResultGetOwner(index);
  bool result = --*opsLeft >= 0;
  for (intptr_t i = 0; result && i < mlirOperationGetNumOperands(op); ++i)
    result = isSimple(mlirOperationGetOperand(op, i), opsLeft);
  return result;
}

static bool hasSimpleSubscripts(MlirOperation op) {
  bool result = true;
  for (intptr_t i = 0; result && i < mlirOperationGetNumOperands(op); ++i) {
    MlirValue operand = mlirOperationGetOperand(op, i);
    int opsLeft = kMostOps;
    result = !mlirTypeIsAIndex(mlirValueGetType(operand)) ||
             isSimple(operand, &opsLeft);
  }
  return result;
}

/// A load or store of one element, or of elements of a row as a vector.
static bool isPlainAccess(const BerthAccess *access) {
  if (berthOpIsElementAccess(access->op))
    return true;
  BerthVectorAccess vector;
  if (!berthVectorGetAccess(access->op, &vector) &&
      !berthAffineVectorGetAccess(access->op, &vector))
    return false;
  MlirValue memref = mlirOperationGetOperand(access->op, vector.memref);
  intptr_t rank = mlirShapedTypeGetRank(mlirValueGetType(memref));
  bool isRow = true;
  for (intptr_t d = 0; d + 1 < rank; ++d)
    isRow &= vector.extents[d] == 1;
  return isRow;
}

/// True for the buffer's own value, and for views of it whose places are as
/// simple, and whose elements are known ones of its.
static bool isKnownView(const BerthBufferInfo *buffer, MlirValue value) {
  while (!mlirValueEqual(value, buffer->value)) {
    if (!mlirValueIsAOpResult(value))
      return false;
    MlirOperation view = mlirOpResultGetOwner(value);
    BerthSubView part;
    if ((!berthSubViewGet(view, &part) && !berthFoldKeepsElements(view)) ||
        !hasSimpleSubscripts(view))
      return false;
    value = berthViewGetSource(view);
  }
  return true;
}

/// True if what the nest does to the buffer is such accesses to it, no store if
/// it `isRead`, and not too many.
static bool isPlainIn(const BerthJob *job, const BerthBufferInfo *buffer,
                      MlirOperation nest, bool isRead, int64_t *numAccesses) {
  for (size_t k = 0; k < buffer->numAccesses; ++k) {
    const BerthAccess *access = &buffer->accesses[k];
    if (!isWithin(job, access, nest))
      continue;
    if (!isKnownView(buffer, access->through) || !isPlainAccess(access) ||
        !hasSimpleSubscripts(access->op) || (isRead && access->writes))
      return false;
    int64_t runs = countRuns(access->op, nest);
    if (runs == BERTH_NONE || (*numAccesses += runs) > kMostAccesses)
      return false;
  }
  return true;
}

//===----------------------------------------------------------------------===//
// The buffers
//===----------------------------------------------------------------------===//

/// Numbers of whole bytes, or vectors and the like, which are no others' parts.
static bool hasWholeBytes(MlirType element) {
  return !mlirTypeIsAInteger(element) ||
         mlirIntegerTypeGetWidth(element) % 8 == 0;
}

/// True if loops or blocks may hand it on: berth-verify then tells what they
/// hold from what it was.
static bool isHandedOn(const BerthBufferInfo *buffer) {
  for (size_t i = 0; i < buffer->numAliases; ++i)
    if (mlirValueIsABlockArgument(buffer->aliases[i]))
      return true;
  return false;
}

/// One element behind the other, and nobody else decides where they lie.
static bool isPlain(const BerthBufferInfo *buffer) {
  if (buffer->reason || buffer->leaks || buffer->isDynamic ||
      buffer->isForeign || buffer->numGaps || buffer->constraints ||
      !mlirOperationIsNull(buffer->callee) || buffer->size <= 0 ||
      buffer->size > kMostBytes || isHandedOn(buffer))
    return false;
  MlirType type = mlirValueGetType(buffer->value);
  return mlirTypeIsAMemRef(type) && mlirShapedTypeHasStaticShape(type) &&
         mlirAffineMapIsIdentity(mlirMemRefTypeGetAffineMap(type)) &&
         hasWholeBytes(mlirShapedTypeGetElementType(type));
}

/// The bytes of an element; 0 if they are not known.
static int64_t elementBytesOf(const BerthBufferInfo *buffer) {
  BerthTypeSize size;
  bool isKnown = berthMemRefGetSize(mlirValueGetType(buffer->value),
                                    buffer->alloc, &size) == BERTH_SIZE_OK &&
                 size.bytes == buffer->size &&
                 size.elementBytes <= kMostElementBytes;
  return isKnown ? size.elementBytes : 0;
}

//===----------------------------------------------------------------------===//
// The interval
//===----------------------------------------------------------------------===//

static int64_t larger(int64_t a, int64_t b) { return a > b ? a : b; }
static int64_t smaller(int64_t a, int64_t b) { return a < b ? a : b; }

/// From the reach to the distances that it forbids: an element of Y that ends
/// where one of X begins is right, and one that begins where it ends.
static bool setInterval(const Search *search, const BerthFoldReach *reach,
                        const int64_t elementBytes[2], BerthOverlap *pair) {
  int64_t sizeOfX = search->scope->buffers[pair->read].size,
          sizeOfY = search->scope->buffers[pair->written].size;
  int64_t least = reach->least, most = reach->most;
  const char *breakRule = search->job->options->alias.breakRule;
  if (berthIsBroken(breakRule, "early-writes")) {
    least += elementBytes[1];
    most -= elementBytes[0];
  }
  bool forbids =
      reach->exists && least - elementBytes[1] < most + elementBytes[0];
  pair->lower = forbids ? larger(least - elementBytes[1], -sizeOfY) : 0;
  pair->upper = forbids ? smaller(most + elementBytes[0], sizeOfX) : 1;
  return pair->lower > -sizeOfY || pair->upper < sizeOfX;
}

/// What isl said of a nest. Networks repeat their layers, and a job is planned
/// several times.
typedef struct BerthKnownReach {
  struct BerthKnownReach *next;
  const char *text; ///< of the nest
  bool isKnown;
  BerthFoldReach reach;
} BerthKnownReach;

/// All that the reach depends on.
static BerthText describe(const BerthFoldNest *nest,
                          const int64_t elementBytes[2]) {
  const BerthText *texts[] = {
      &nest->params.facts, &nest->domain, &nest->schedule, &nest->reads,
      &nest->mayReads,     &nest->writes, &nest->mayWrites};
  BerthText all = {0};
  berthTextAppend(&all, "%lld %lld %d %zu", (long long)elementBytes[0],
                  (long long)elementBytes[1], nest->isParallel, nest->numTimes);
  for (size_t i = 0; i < sizeof texts / sizeof *texts; ++i) {
    berthTextAppend(&all, "|");
    if (texts[i]->data)
      berthTextAppendBytes(&all, texts[i]->data, texts[i]->length);
  }
  return all;
}

static const BerthKnownReach *ask(BerthJob *job, const BerthFoldNest *nest,
                                  const int64_t elementBytes[2]) {
  BerthText text = describe(nest, elementBytes);
  BerthKnownReach *known = job->reaches;
  while (known && strcmp(known->text, text.data) != 0)
    known = known->next;
  if (!known) {
    known = BERTH_NEW(&job->memory, BerthKnownReach, 1);
    known->next = job->reaches;
    known->text = berthNewCopy(&job->memory, text.data, text.length + 1, 1);
    known->isKnown = berthFoldNestReach(nest, elementBytes, kMostOperations,
                                        &known->reach) == BERTH_SUCCESS;
    job->reaches = known;
  }
  berthTextFree(&text);
  return known;
}

/// The turns of the loops from `nest` to the op, or 0 if that is not known.
static int64_t countTurns(MlirOperation op, MlirOperation nest) {
  int64_t all = 1, turns;
  do {
    op = mlirOperationGetParentOperation(op);
    if (berthOpIs(op, BERTH_OP_IF))
      continue;
    if (!isOrderedLoop(op, &turns) || __builtin_mul_overflow(all, turns, &all))
      return 0;
  } while (!mlirOperationEqual(op, nest));
  return all;
}

/// A nest that comes to all elements, one behind the other, and reads of X what
/// it writes of Y, has a simple answer: what is read last of all that may be
/// written before is the last element, and what is read next the next one.
static bool isElementwise(const Search *search, const BerthOverlap *pair,
                          const int64_t elementBytes[2],
                          BerthFoldReach *reach) {
  const BerthJob *job = search->job;
  const BerthBufferInfo *x = &search->scope->buffers[pair->read],
                        *y = &search->scope->buffers[pair->written];
  MlirOperation store = {NULL};
  for (size_t k = 0; k < y->numAccesses && mlirOperationIsNull(store); ++k)
    if (isWithin(job, &y->accesses[k], pair->nest))
      store = berthFirstLoopStore(&job->points, y, &y->accesses[k]);
  int64_t behind, count = x->size / elementBytes[0];
  if (mlirOperationIsNull(store) || !berthOpIsElementAccess(store) ||
      count < 2 || countTurns(store, pair->nest) != count ||
      !mlirOperationEqual(
          pair->nest, berthLoopsNarrow(&job->points, x, y, store,
                                       job->options->alias.breakRule, &behind)))
    return false;
  *reach = (BerthFoldReach){.exists = true,
                            .least = elementBytes[0],
                            .most = elementBytes[0] * (count - 1)};
  return true;
}

static bool findInterval(const Search *search, BerthOverlap *pair) {
  const BerthBufferInfo *x = &search->scope->buffers[pair->read],
                        *y = &search->scope->buffers[pair->written];
  const MlirValue arrays[] = {x->value, y->value};
  const int64_t elementBytes[] = {elementBytesOf(x), elementBytesOf(y)};
  if (!elementBytes[0] || !elementBytes[1])
    return false;
  BerthFoldReach reach;
  if (isElementwise(search, pair, elementBytes, &reach))
    return setInterval(search, &reach, elementBytes, pair);
  BerthFoldNest nest;
  BerthFoldRefusal refusal;
  const BerthKnownReach *known = NULL;
  if (berthFoldNestInitWithin(&nest, 2, arrays, pair->nest,
                              search->job->options->alias.breakRule,
                              &refusal) &&
      nest.params.count == 0)
    known = ask(search->job, &nest, elementBytes);
  berthFoldNestDestroy(&nest);
  return known && known->isKnown &&
         setInterval(search, &known->reach, elementBytes, pair);
}

//===----------------------------------------------------------------------===//
// All pairs
//===----------------------------------------------------------------------===//

/// Whatever comes behind this pass: in its own way, or since nobody knows
/// affine loops any more.
static bool keepsOrder(const BerthJob *job, MlirOperation nest) {
  return job->form == BERTH_ARENA_ANNOTATE || berthMayFixOrder(nest);
}

static bool tryNest(Search *search, BerthOverlap *pair) {
  const BerthJob *job = search->job;
  const BerthBufferInfo *x = &search->scope->buffers[pair->read],
                        *y = &search->scope->buffers[pair->written];
  int64_t numAccesses = 0, numTurns;
  return isOrderedLoop(pair->nest, &numTurns) && keepsOrder(job, pair->nest) &&
         isPlainIn(job, x, pair->nest, true, &numAccesses) &&
         isPlainIn(job, y, pair->nest, false, &numAccesses) &&
         berthMayCoincide(x, y) && findInterval(search, pair);
}

/// The loop around the nest, where it does nothing else with the two in its
/// other turns: of one turn, say, whose variable is a subscript.
static MlirOperation outerNest(const BerthJob *job, const BerthBufferInfo *x,
                               const BerthBufferInfo *y, MlirOperation nest) {
  MlirOperation op = mlirOperationGetParentOperation(nest);
  int64_t numTurns, lower = berthPointsLower(&job->points, op);
  bool isOne = lower != BERTH_NONE && isOrderedLoop(op, &numTurns) &&
               meetOnlyIn(job, x, y, op);
  return isOne ? op : (MlirOperation){NULL};
}

static MlirWalkResult findOpenLoop(MlirOperation op, void *userData) {
  bool *found = userData;
  int64_t numTurns;
  *found = berthOpIs(op, BERTH_OP_LOOP) && !isOrderedLoop(op, &numTurns);
  return *found ? MlirWalkResultInterrupt : MlirWalkResultAdvance;
}

static bool isKnownPair(const BerthJob *job, size_t i, size_t k) {
  const BerthBufferInfo *x = &job->scope.buffers[i],
                        *y = &job->scope.buffers[k];
  bool isKnown = x->group != BERTH_NONE && x->group == y->group;
  for (size_t n = 0; !isKnown && n < job->numOverlaps; ++n)
    isKnown = job->overlaps[n].read == i && job->overlaps[n].written == k;
  return isKnown;
}

/// Says, once, that nothing is proved of a nest in which they meet, where only
/// the running program knows how often its loops run.
static void sayIfOpen(Search *search, MlirOperation nest, size_t i, size_t k) {
  BerthJob *job = search->job;
  bool isOpen = false;
  if (mlirOperationIsNull(nest) || !berthOpIs(nest, BERTH_OP_LOOP) ||
      isKnownPair(job, i, k))
    return;
  mlirOperationWalk(nest, findOpenLoop, &isOpen, MlirWalkPreOrder);
  if (!isOpen)
    return;
  BerthText text = {0};
  berthTextAppend(&text, "open %p", nest.ptr);
  const BerthKnownReach *known = job->reaches;
  while (known && strcmp(known->text, text.data) != 0)
    known = known->next;
  if (!known) {
    BerthKnownReach *said = BERTH_NEW(&job->memory, BerthKnownReach, 1);
    said->next = job->reaches;
    said->text = berthNewCopy(&job->memory, text.data, text.length + 1, 1);
    job->reaches = said;
    berthEmitRemark(nest, BERTH_REMARK_MISSED, "berth-arena",
                    "what the loops write lies apart from what they read: only "
                    "the running program knows how often they run");
  }
  berthTextFree(&text);
}

static void tryPair(Search *search, size_t i, size_t k) {
  const BerthJob *job = search->job;
  const BerthBufferInfo *x = &search->scope->buffers[i],
                        *y = &search->scope->buffers[k];
  BerthOverlap pair = {.read = i, .written = k};
  MlirOperation least = opOfMeeting(job, x, y);
  pair.nest = least;
  while (!mlirOperationIsNull(pair.nest) && !tryNest(search, &pair))
    pair.nest = outerNest(job, x, y, pair.nest);
  if (mlirOperationIsNull(pair.nest)) {
    sayIfOpen(search, least, i, k);
    return;
  }
  search->found = berthGrow(search->found, search->count, &search->capacity,
                            sizeof *search->found);
  search->found[search->count++] = pair;
}

/// All pairs, of what nests that narrow elements have shown already, whatever
/// their bounds are (InPlace.c). Both are sorted by their pairs, and so is
/// this.
static void takeAll(BerthJob *job, const Search *search) {
  size_t numBefore = job->numOverlaps, n = 0, i = 0, k = 0;
  const BerthOverlap *before = job->overlaps, *found = search->found;
  BerthOverlap *all =
      BERTH_NEW(&job->memory, BerthOverlap, numBefore + search->count);
  while (i < numBefore || k < search->count) {
    int order = i == numBefore ? -1
                : k == search->count
                    ? 1
                    : berthCompareOverlaps(&found[k], &before[i]);
    all[n++] = order <= 0 ? found[k++] : before[i];
    i += order >= 0;
  }
  job->overlaps = all;
  job->numOverlaps = n;
}

void berthFindOverlaps(BerthJob *job) {
  if (!job->options->overlap || !berthMayHaveOverlaps(job))
    return;
  Search search = {.job = job, .scope = &job->scope};
  size_t count = 0,
         *plain = berthAllocateOrDie(job->scope.numBuffers, sizeof *plain);
  for (size_t i = 0; i < job->scope.numBuffers; ++i)
    if (isPlain(&job->scope.buffers[i]))
      plain[count++] = i;
  for (size_t i = 0; i < count; ++i)
    for (size_t k = 0; k < count; ++k)
      if (i != k)
        tryPair(&search, plain[i], plain[k]);
  free(plain);
  takeAll(job, &search);
  free(search.found);
}
