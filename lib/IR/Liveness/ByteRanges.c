//===- ByteRanges.c - Parts of a buffer with lives of their own -----------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Liveness/ByteRanges.h"
#include "IR/Liveness/Cover.h"
#include "IR/Liveness/IndexBoxes.h"
#include "IR/Liveness/Liveness.h"
#include "IR/Ops/OpTable.h"
#include "IR/Ops/OrDie.h"
#include "IR/Ops/Rules.h"
#include "mlir-c/AffineMap.h"
#include "mlir-c/BuiltinTypes.h"

#include <stdlib.h>

/// Each piece has a search of its own, and berth-verify states of its own.
enum { kMostPieces = 64 };

/// Bytes [lower, upper) of a buffer.
typedef struct Range {
  int64_t lower;
  int64_t upper;
  bool isDense; ///< a view has each of them
} Range;

typedef struct Use {
  MlirOperation op;
  intptr_t operand;
  size_t access; ///< of the buffer: what the op does, or one around it
  Range range;
} Use;

typedef struct Search {
  const BerthPoints *points;
  const char *breakRule;
  BerthMemory *memory;
  BerthFlowGraph graph;
  // The buffer at hand:
  BerthBufferInfo *buffer;
  int64_t elementBytes;
  BerthPointerMap accessOf; ///< op -> index into the buffer's accesses
  Use *uses;                ///< by access
  size_t numUses, useCapacity;
  int64_t *cuts; ///< pieces begin and end here
  size_t numCuts, cutCapacity;
} Search;

//===----------------------------------------------------------------------===//
// Uses
//===----------------------------------------------------------------------===//

static Range wholeOf(const Search *search) {
  return (Range){0, search->buffer->size, false};
}

/// True if the type tells where each element lies, as berth-verify goes by it:
/// of an offset that is a value, constant or not, it says nothing.
static bool hasStaticLayout(MlirType type) {
  return mlirTypeIsAMemRef(type) && mlirShapedTypeHasStaticShape(type) &&
         mlirAffineMapGetNumSymbols(mlirMemRefTypeGetAffineMap(type)) == 0;
}

/// True if whoever is given the value stays within its elements.
static bool staysWithin(MlirValue value) {
  for (MlirOpOperand use = mlirValueGetFirstUse(value);
       !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    MlirOperation op = mlirOpOperandGetOwner(use);
    MlirValue source = berthViewGetSource(op);
    bool isView = !mlirValueIsNull(source) && mlirValueEqual(source, value);
    if (!isView && !berthOpIsFree(op) && !berthOpResultsAreShapes(op) &&
        !berthOpStaysWithin(op))
      return false;
  }
  return true;
}

/// The bytes of a value that is the buffer or a view of it, from its first
/// element to its last; all of them where that is not known.
static Range rangeOf(const Search *search, MlirValue value) {
  MlirType type = mlirValueGetType(search->buffer->value);
  BerthIndexPart part;
  if (!hasStaticLayout(mlirValueGetType(value)) || !staysWithin(value) ||
      !berthPartOf(value, search->buffer->value, &part))
    return wholeOf(search);
  int64_t first = 0, last = 0, stride = 1;
  bool isDense = true, isFull = true;
  for (intptr_t d = part.box.rank; d-- > 0;) {
    const BerthInterval *interval = &part.box.dims[d];
    int64_t extent = mlirShapedTypeGetDimSize(type, d);
    int64_t lower = interval->lower.constant, size = interval->size;
    bool isConstant = interval->lower.count == 0 && interval->end == INT64_MAX;
    if (!isConstant || lower < 0 || size < 1 || size > extent ||
        lower > extent - size)
      return wholeOf(search);
    // Rows stand one behind the other only if each is complete.
    isDense &= isFull || size == 1;
    isFull &= size == extent;
    first += lower * stride;
    last += (lower + size - 1) * stride;
    stride *= extent;
  }
  if (berthIsBroken(search->breakRule, "first-elements"))
    last = first;
  return (Range){first * search->elementBytes,
                 (last + 1) * search->elementBytes, isDense};
}

static void addCut(Search *search, int64_t cut) {
  search->cuts = berthGrow(search->cuts, search->numCuts, &search->cutCapacity,
                           sizeof *search->cuts);
  search->cuts[search->numCuts++] = cut;
}

/// `range`: what of the buffer its value is for. False if the op may do more
/// than touch bytes while it runs.
static bool addUse(Search *search, MlirOpOperand operand, Range range) {
  MlirOperation op = mlirOpOperandGetOwner(operand);
  MlirValue value = mlirOpOperandGetValue(operand);
  MlirValue source = berthViewGetSource(op);
  size_t access = berthPointerMapFind(
      &search->accessOf, berthPointsOutermostOpaque(search->points, op).ptr);
  if (access == BERTH_NOT_FOUND || berthOpResultsAreShapes(op) ||
      (!mlirValueIsNull(source) && mlirValueEqual(source, value)))
    return true;
  if (!berthOpIsPlainAccess(op))
    return false;
  search->uses = berthGrow(search->uses, search->numUses, &search->useCapacity,
                           sizeof *search->uses);
  search->uses[search->numUses++] =
      (Use){op, mlirOpOperandGetOperandNumber(operand), access, range};
  addCut(search, range.lower);
  addCut(search, range.upper);
  return true;
}

static int compareNumbers(const void *left, const void *right) {
  int64_t a = *(const int64_t *)left, b = *(const int64_t *)right;
  return (a > b) - (a < b);
}

/// Sorts them, each once; returns how many are left.
static size_t sortNumbers(int64_t *numbers, size_t count) {
  size_t kept = 0;
  qsort(numbers, count, sizeof *numbers, compareNumbers);
  for (size_t i = 0; i < count; ++i)
    if (kept == 0 || numbers[kept - 1] != numbers[i])
      numbers[kept++] = numbers[i];
  return kept;
}

static int compareUses(const void *left, const void *right) {
  const Use *a = left, *b = right;
  return (a->access > b->access) - (a->access < b->access);
}

/// True if there are pieces; then all uses are known.
static bool findPieces(Search *search) {
  const BerthBufferInfo *buffer = search->buffer;
  BerthTypeSize size;
  search->numUses = search->numCuts = 0;
  berthPointerMapClear(&search->accessOf);
  if (berthMemRefGetSize(mlirValueGetType(buffer->value), buffer->alloc,
                         &size) != BERTH_SIZE_OK ||
      size.bytes != buffer->size)
    return false;
  search->elementBytes = size.elementBytes;
  for (size_t i = 0; i < buffer->numAccesses; ++i)
    berthPointerMapInsert(&search->accessOf, buffer->accesses[i].op.ptr, i);
  addCut(search, 0);
  addCut(search, buffer->size);
  for (size_t i = 0; i < buffer->numAliases; ++i) {
    Range range = rangeOf(search, buffer->aliases[i]);
    for (MlirOpOperand use = mlirValueGetFirstUse(buffer->aliases[i]);
         !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use))
      if (!addUse(search, use, range))
        return false;
  }
  search->numCuts = sortNumbers(search->cuts, search->numCuts);
  if (search->numUses)
    qsort(search->uses, search->numUses, sizeof *search->uses, compareUses);
  return search->numCuts > 2 && search->numCuts <= kMostPieces + 1;
}

//===----------------------------------------------------------------------===//
// One piece
//===----------------------------------------------------------------------===//

static bool overlap(Range a, Range b) {
  return a.lower < b.upper && b.lower < a.upper;
}

/// An access as the piece sees it. False if it does not. `*use` is the first
/// use of this access, and becomes that of the next one.
static bool narrow(const Search *search, size_t access, Range piece,
                   const Use **use, BerthAccess *seen) {
  const Use *only = NULL, *end = search->uses + search->numUses;
  size_t count = 0;
  for (; *use != end && (*use)->access == access; ++*use)
    if (overlap((*use)->range, piece)) {
      only = *use;
      ++count;
    }
  *seen = search->buffer->accesses[access];
  bool isOverwritten = count == 1 && mlirOperationEqual(only->op, seen->op) &&
                       only->range.isDense && seen->writes && !seen->reads &&
                       !berthIsBroken(search->breakRule, "no-kills") &&
                       berthOpFullyOverwrites(only->op, only->operand);
  seen->kills |= isOverwritten;
  return count > 0;
}

/// Covers (Cover.h) are proved of all bytes together. They hold for a piece in
/// the same words where each write of the buffer may be one to it.
static bool keepsCovers(const Search *search, Range piece) {
  for (size_t i = 0; i < search->numUses; ++i)
    if (!overlap(search->uses[i].range, piece) &&
        search->buffer->accesses[search->uses[i].access].writes)
      return false;
  return true;
}

/// The points at which the piece is live.
static void searchPiece(Search *search, Range piece, BerthSegments *list) {
  BerthBufferInfo part = *search->buffer;
  bool covers = keepsCovers(search, piece);
  BerthAccess *seen = berthAllocateOrDie(part.numAccesses, sizeof *seen);
  part.accesses = seen;
  part.numAccesses = 0;
  part.numCovers = covers ? part.numCovers : 0;
  const Use *use = search->uses;
  for (size_t i = 0; i < search->buffer->numAccesses; ++i)
    if (narrow(search, i, piece, &use, &seen[part.numAccesses]))
      seen[part.numAccesses++].startsCover &= covers;
  berthBufferCollectLive(&search->graph, search->points, &part, list);
  list->count = berthJoinSegments(list->segments, list->count);
  free(seen);
}

//===----------------------------------------------------------------------===//
// Windows
//===----------------------------------------------------------------------===//

/// The live ranges of the pieces, and all times at which any of them changes.
typedef struct Lives {
  BerthSegments *ofPiece;
  size_t *next; ///< by piece: the first segment that is not over
  int64_t *times;
  size_t numTimes, timeCapacity;
} Lives;

static void addTimes(Lives *lives, const BerthSegment *segments, size_t count) {
  for (size_t i = 0; i < count; ++i) {
    for (int k = 0; k < 2; ++k) {
      lives->times = berthGrow(lives->times, lives->numTimes,
                               &lives->timeCapacity, sizeof *lives->times);
      lives->times[lives->numTimes++] =
          k ? segments[i].upper : segments[i].lower;
    }
  }
}

/// From the first piece that is live then to the last.
static Range windowAt(const Search *search, Lives *lives, int64_t time) {
  Range window = {0, 0, false};
  for (size_t p = 0; p + 1 < search->numCuts; ++p) {
    const BerthSegments *list = &lives->ofPiece[p];
    size_t *next = &lives->next[p];
    while (*next < list->count && list->segments[*next].upper <= time)
      ++*next;
    if (*next == list->count || list->segments[*next].lower > time)
      continue;
    if (window.lower == window.upper)
      window.lower = search->cuts[p];
    window.upper = search->cuts[p + 1];
  }
  return window;
}

/// What the whole buffer is not wanted for, no piece of it is.
static void setGaps(Search *search, Lives *lives) {
  BerthBufferInfo *buffer = search->buffer;
  BerthGap *gaps = berthAllocateOrDie(lives->numTimes, sizeof *gaps);
  size_t count = 0;
  for (size_t i = 0; i + 1 < lives->numTimes; ++i) {
    int64_t lower = lives->times[i], upper = lives->times[i + 1];
    Range window = windowAt(search, lives, lower);
    BerthGap *last = count ? &gaps[count - 1] : NULL;
    if (!berthSegmentAt(buffer, lower) ||
        window.upper - window.lower == buffer->size)
      continue;
    if (last && last->upper == lower && last->windowLower == window.lower &&
        last->windowUpper == window.upper)
      last->upper = upper;
    else
      gaps[count++] = (BerthGap){lower, upper, window.lower, window.upper};
  }
  buffer->numGaps = count;
  buffer->gaps = berthNewCopy(search->memory, gaps, count, sizeof *gaps);
  free(gaps);
}

static void findGaps(Search *search) {
  size_t numPieces = search->numCuts - 1;
  Lives lives = {.ofPiece =
                     berthAllocateOrDie(numPieces, sizeof *lives.ofPiece),
                 .next = berthAllocateOrDie(numPieces, sizeof *lives.next)};
  addTimes(&lives, search->buffer->segments, search->buffer->numSegments);
  for (size_t p = 0; p < numPieces; ++p) {
    Range piece = {search->cuts[p], search->cuts[p + 1], true};
    searchPiece(search, piece, &lives.ofPiece[p]);
    addTimes(&lives, lives.ofPiece[p].segments, lives.ofPiece[p].count);
  }
  lives.numTimes = sortNumbers(lives.times, lives.numTimes);
  setGaps(search, &lives);
  for (size_t p = 0; p < numPieces; ++p)
    free(lives.ofPiece[p].segments);
  free(lives.ofPiece);
  free(lives.next);
  free(lives.times);
}

//===----------------------------------------------------------------------===//
// All buffers
//===----------------------------------------------------------------------===//

/// Who says where buffers lie, or that one shares with nobody, means all their
/// bytes. berth-verify has no pieces where offsets are computed.
static bool mayFind(const BerthJob *job) {
  const BerthArenaOptions *options = job->options;
  if (!options->byteRanges || options->planOut || job->kept ||
      options->numBanks || berthScopeIsShared(&job->scope) ||
      job->scope.hasCores || berthHasConcurrentUnits())
    return false;
  for (size_t i = 0; i < job->scope.numBuffers; ++i) {
    const BerthBufferInfo *buffer = &job->scope.buffers[i];
    if (!buffer->reason && (buffer->isDynamic || buffer->constraints))
      return false;
  }
  return true;
}

void berthFindByteRanges(BerthJob *job) {
  if (!mayFind(job))
    return;
  Search search = {.points = &job->points,
                   .breakRule = job->options->alias.breakRule,
                   .memory = &job->memory};
  for (size_t i = 0; i < job->scope.numBuffers; ++i) {
    search.buffer = &job->scope.buffers[i];
    if (search.buffer->size > 0 && search.buffer->numAliases > 1 &&
        berthBufferHasViewsOnly(search.buffer) && findPieces(&search))
      findGaps(&search);
  }
  berthFlowGraphFree(&search.graph);
  berthPointerMapFree(&search.accessOf);
  free(search.uses);
  free(search.cuts);
}

void berthForgetByteRanges(BerthJob *job) {
  for (size_t i = 0; i < job->scope.numBuffers; ++i)
    job->scope.buffers[i].numGaps = 0;
}
