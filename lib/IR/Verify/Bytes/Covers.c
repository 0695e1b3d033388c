//===- Covers.c - Where ops begin to overwrite a buffer together ----------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In each block the ops that write a buffer, one after the other, without any
// that reads it: wherever those from one op on write all of it, it is covered
// from there on. So is it from each earlier one of them.
//
//===----------------------------------------------------------------------===//

#include "IR/Verify/Bytes/Covers.h"
#include "IR/Facts/Facts.h"
#include "IR/Facts/LoopFacts.h"
#include "IR/Ops/OpTable.h"
#include "IR/Ops/OrDie.h"
#include "IR/Verify/Bytes/IndexSets.h"
#include "IR/Verify/Roots/Access.h"
#include "IR/Verify/Runs/Control.h"
#include "mlir-c/AffineMap.h"
#include "mlir-c/BuiltinTypes.h"

#include <stdlib.h>

enum { kDeepestCall = 2 };

/// One access of an op to a root.
typedef struct Mark {
  MlirOperation op;
  intptr_t operand;
  uint32_t root;
  bool reads;  ///< perhaps what was there before
  bool isSure; ///< it comes whenever the op of the block does
  bool isOnly; ///< it is none to another root
} Mark;

/// The marks of one op of a block.
typedef struct Item {
  MlirOperation op;
  size_t begin;
  size_t end;
} Item;

/// What stands since the last read of a root.
typedef struct Run {
  uint32_t root;
  Item *items;
  size_t count, capacity;
} Run;

typedef struct Search {
  const BerthViews *views;
  BerthCovers *covers;
  const bool *isWanted; ///< by root; NULL: all of them
  int depth;            ///< of calls
  /// Of a called function: the argument in question, and whether it is covered
  /// from the start.
  uint32_t argument;
  bool isCovered;
  BerthPointerMap *known; ///< argument of a function -> whether it is covered
  BerthRootAccesses accesses;
  Mark *marks;
  size_t numMarks, markCapacity;
} Search;

//===----------------------------------------------------------------------===//
// Roots
//===----------------------------------------------------------------------===//

/// True for a view of the very same bytes, in another shape: its subscripts say
/// as much of them.
static bool isReshape(MlirOperation view) {
  MlirType type = mlirValueGetType(mlirOperationGetResult(view, 0));
  MlirType source = mlirValueGetType(berthViewGetSource(view));
  return berthViewIsWhole(view) && mlirTypeIsAMemRef(source) &&
         mlirTypeIsAMemRef(type) && mlirShapedTypeHasStaticShape(type) &&
         mlirAffineMapIsIdentity(mlirMemRefTypeGetAffineMap(type)) &&
         mlirShapedTypeGetRank(type) != mlirShapedTypeGetRank(source);
}

/// What a value is a view of, up to what makes a buffer or is an argument, or
/// to what gives the buffer another shape.
static MlirValue baseOf(const BerthViews *views, MlirValue value) {
  uint32_t root;
  while (mlirValueIsAOpResult(value)) {
    MlirOperation op = mlirOpResultGetOwner(value);
    MlirValue source = berthViewGetSource(op);
    if (mlirValueIsNull(source) || berthViewsMakes(views, op, &root) ||
        isReshape(op))
      break;
    value = source;
  }
  return value;
}

/// A dense memref of the root's own bytes.
static bool isOwnBase(const BerthRoot *root, MlirValue base, MlirOperation at) {
  MlirType type = mlirValueGetType(base);
  BerthTypeSize size;
  if (!mlirTypeIsAMemRef(type) || !mlirShapedTypeHasStaticShape(type))
    return false;
  if (mlirValueIsABlockArgument(base))
    return mlirValueEqual(base, root->arena);
  return !root->isShifted &&
         mlirAffineMapIsIdentity(mlirMemRefTypeGetAffineMap(type)) &&
         berthMemRefGetSize(type, at, &size) == BERTH_SIZE_OK &&
         size.bytes == root->bufferUpper - root->bufferLower;
}

/// A buffer as it is, not as a merge has it.
static bool isBuffer(const BerthViews *views, uint32_t root) {
  return root < views->firstMerge && !views->roots[root].isBase;
}

//===----------------------------------------------------------------------===//
// Marks
//===----------------------------------------------------------------------===//

static bool calleeCovers(const Search *search, MlirOperation op,
                         intptr_t operand);

static void addMark(Search *search, const BerthRootAccess *access) {
  search->marks = berthGrow(search->marks, search->numMarks,
                            &search->markCapacity, sizeof *search->marks);
  const BerthRootSet *set = NULL;
  if (access->operand >= 0)
    set = berthViewsFind(search->views,
                         mlirOperationGetOperand(access->op, access->operand));
  bool isOnly = set && (set->count == 1 || set->isPieces);
  bool reads = access->reads || access->isHandedOn;
  if (reads && isOnly && calleeCovers(search, access->op, access->operand))
    reads = false;
  search->marks[search->numMarks++] =
      (Mark){access->op, access->operand, access->root, reads, true, isOnly};
}

/// True for a call that writes without reading, of which only the callee tells
/// how much.
static bool isPartialCall(const Search *search, const Mark *mark) {
  MlirOperation callee;
  return berthOpGetCallee(mark->op, &callee) &&
         !calleeCovers(search, mark->op, mark->operand);
}

//===----------------------------------------------------------------------===//
// Runs
//===----------------------------------------------------------------------===//

/// The same elements, in whatever memory.
static bool haveOneShape(MlirType a, MlirType b) {
  bool areOne = mlirTypeEqual(mlirShapedTypeGetElementType(a),
                              mlirShapedTypeGetElementType(b)) &&
                mlirShapedTypeGetRank(a) == mlirShapedTypeGetRank(b);
  for (intptr_t i = 0; areOne && i < mlirShapedTypeGetRank(a); ++i)
    areOne = mlirShapedTypeGetDimSize(a, i) == mlirShapedTypeGetDimSize(b, i);
  return areOne;
}

/// The sets of all marks of the run; `firstOf[i]` is the first one of item i.
typedef struct RunSets {
  const BerthRoot *root;
  MlirOperation at; ///< an op of the run, for the layout of its data
  BerthIndexSets *sets;
  MlirType *types;             ///< of what each is of
  const BerthIndexSets **some; ///< for one question
  size_t *firstOf;
  size_t count;
} RunSets;

static void addSets(const Search *search, const Run *run, const Item *item,
                    BerthMemory *memory, RunSets *sets) {
  for (size_t i = item->begin; i < item->end; ++i) {
    const Mark *mark = &search->marks[i];
    if (mark->root != run->root || !mark->isSure || !mark->isOnly ||
        isPartialCall(search, mark))
      continue;
    MlirValue base =
        baseOf(search->views, mlirOperationGetOperand(mark->op, mark->operand));
    if (!isOwnBase(&search->views->roots[run->root], base, mark->op))
      continue;
    BerthIndexSets found =
        berthIndexSetsOf(mark->op, mark->operand, base, item->op, memory);
    if (!found.isKnown)
      continue;
    sets->types[sets->count] = mlirValueGetType(base);
    sets->sets[sets->count++] = found;
  }
}

/// The elements of the memref that a root has: all of them or, if the root is a
/// piece of a buffer, those that have bytes of it.
static BerthStretch stretchOf(const BerthRoot *root, MlirType type,
                              MlirOperation at) {
  BerthStretch all = {0, 1};
  for (intptr_t d = 0; d < mlirShapedTypeGetRank(type); ++d)
    all.upper *= mlirShapedTypeGetDimSize(type, d);
  BerthTypeSize size;
  bool isPiece =
      root->bufferLower != root->lower || root->bufferUpper != root->upper;
  if (!isPiece || berthMemRefGetSize(type, at, &size) != BERTH_SIZE_OK)
    return all;
  int64_t lower = root->lower - root->bufferLower,
          upper = root->upper - root->bufferLower;
  return (BerthStretch){lower / size.elementBytes,
                        (upper + size.elementBytes - 1) / size.elementBytes};
}

/// True if those from `first` on cover the root that are of one shape with that
/// one.
static bool coversInShape(const RunSets *sets, size_t first) {
  size_t count = 0;
  for (size_t i = first; i < sets->count; ++i)
    if (haveOneShape(sets->types[i], sets->types[first]))
      sets->some[count++] = &sets->sets[i];
  BerthStretch stretch = stretchOf(sets->root, sets->types[first], sets->at);
  return berthIndexSetsCover(sets->some, count, sets->types[first], stretch);
}

static bool coversFrom(const RunSets *sets, size_t item) {
  for (size_t i = sets->firstOf[item]; i < sets->count; ++i) {
    bool isNew = true;
    for (size_t k = sets->firstOf[item]; isNew && k < i; ++k)
      isNew = !haveOneShape(sets->types[k], sets->types[i]);
    if (isNew && coversInShape(sets, i))
      return true;
  }
  return false;
}

/// Ends a run: notes the ops from which on all is overwritten.
static void endRun(Search *search, Run *run, bool isFirst) {
  BerthMemory memory = {0};
  size_t numMarks = 0;
  for (size_t i = 0; i < run->count; ++i)
    numMarks += run->items[i].end - run->items[i].begin;
  RunSets sets = {
      .root = &search->views->roots[run->root],
      .at = run->items[0].op,
      .sets = berthAllocateOrDie(numMarks, sizeof *sets.sets),
      .types = berthAllocateOrDie(numMarks, sizeof *sets.types),
      .some = berthAllocateOrDie(numMarks, sizeof(BerthIndexSets *)),
      .firstOf = berthAllocateOrDie(run->count, sizeof *sets.firstOf)};
  for (size_t i = 0; i < run->count; ++i) {
    sets.firstOf[i] = sets.count;
    addSets(search, run, &run->items[i], &memory, &sets);
  }
  size_t low = 0, high = run->count; // all below `low` do
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (coversFrom(&sets, middle))
      low = middle + 1;
    else
      high = middle;
  }
  for (size_t i = 0; i < low && search->covers; ++i)
    berthCoversNote(search->covers, run->items[i].op, run->root);
  search->isCovered |= isFirst && low > 0 && run->root == search->argument;
  free(sets.sets);
  free(sets.types);
  free(sets.some);
  free(sets.firstOf);
  berthMemoryFree(&memory);
  run->count = 0;
}

//===----------------------------------------------------------------------===//
// Blocks
//===----------------------------------------------------------------------===//

/// The runs of one block, by root.
typedef struct Runs {
  BerthPointerMap runOf; ///< root (as its place among the roots) -> run
  Run *runs;
  size_t count, capacity;
} Runs;

static Run *runOf(const Search *search, Runs *runs, uint32_t root) {
  const void *key = &search->views->roots[root];
  size_t index = berthPointerMapFind(&runs->runOf, key);
  if (index != BERTH_NOT_FOUND)
    return &runs->runs[index];
  runs->runs =
      berthGrow(runs->runs, runs->count, &runs->capacity, sizeof *runs->runs);
  berthPointerMapInsert(&runs->runOf, key, runs->count);
  runs->runs[runs->count] = (Run){.root = root};
  return &runs->runs[runs->count++];
}

/// By whatever name.
static bool readsRoot(const Search *search, const Item *item, uint32_t root) {
  for (size_t i = item->begin; i < item->end; ++i)
    if (search->marks[i].reads &&
        berthViewsAreOneBuffer(search->views, search->marks[i].root, root))
      return true;
  return false;
}

/// Puts an op of the block into the run of that root, or ends it.
static void addToRun(Search *search, Runs *runs, Item item, uint32_t root,
                     bool *hadRead) {
  Run *run = runOf(search, runs, root);
  bool isIn = run->count > 0 &&
              mlirOperationEqual(run->items[run->count - 1].op, item.op);
  if (isIn)
    return;
  if (readsRoot(search, &item, root)) {
    if (run->count)
      endRun(search, run, !*hadRead);
    *hadRead |= root == search->argument;
    return;
  }
  run->items =
      berthGrow(run->items, run->count, &run->capacity, sizeof *run->items);
  run->items[run->count++] = item;
}

/// Puts an op of the block into the runs of the roots that it touches.
static void addItem(Search *search, Runs *runs, Item item, bool *hadRead) {
  for (size_t i = item.begin; i < item.end; ++i) {
    uint32_t root = search->marks[i].root;
    uint32_t buffer = search->views->roots[root].mergedFrom;
    if (buffer != BERTH_NO_ROOT)
      root = buffer;
    bool isWanted = !search->isWanted || search->isWanted[root];
    if (isWanted && isBuffer(search->views, root))
      addToRun(search, runs, item, root, hadRead);
  }
}

static void visitBlock(Search *search, MlirBlock block, bool isEntry);

static void visitRegions(Search *search, MlirOperation op) {
  for (intptr_t i = 0; i < mlirOperationGetNumRegions(op); ++i)
    for (MlirBlock block =
             mlirRegionGetFirstBlock(mlirOperationGetRegion(op, i));
         !mlirBlockIsNull(block); block = mlirBlockGetNextInRegion(block))
      visitBlock(search, block, false);
}

/// What its regions do is sure in loops that count only; of others than steps
/// and parallel loops nobody knows when they run.
static void visitOp(Search *search, MlirOperation op) {
  uint32_t root;
  if (!berthViewsMakes(search->views, op, &root)) {
    berthRootAccessesOf(&search->accesses, search->views, op, false);
    BerthRootAccesses accesses = search->accesses;
    search->accesses = (BerthRootAccesses){0};
    for (size_t i = 0; i < accesses.count; ++i)
      addMark(search, &accesses.items[i]);
    search->accesses = accesses;
  }
  size_t own = search->numMarks;
  visitRegions(search, op);
  if (own == search->numMarks)
    return;
  BerthLoopRange ranges[BERTH_LOOP_MAX_RANK];
  bool counts = berthLoopGetRanges(op, ranges) >= 0;
  bool isKnown = berthRunsInSteps(op) || (counts && berthOpIsParallelBody(op));
  for (size_t i = own; i < search->numMarks; ++i) {
    search->marks[i].isSure &= counts;
    search->marks[i].reads |= !isKnown;
  }
}

static void visitBlock(Search *search, MlirBlock block, bool isEntry) {
  Runs runs = {0};
  bool hadRead = !isEntry;
  for (MlirOperation op = mlirBlockGetFirstOperation(block);
       !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op)) {
    Item item = {op, search->numMarks, 0};
    visitOp(search, op);
    item.end = search->numMarks;
    addItem(search, &runs, item, &hadRead);
  }
  for (size_t i = 0; i < runs.count; ++i) {
    if (runs.runs[i].count)
      endRun(search, &runs.runs[i], !hadRead);
    free(runs.runs[i].items);
  }
  free(runs.runs);
  berthPointerMapFree(&runs.runOf);
}

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

/// True if the function that is called overwrites what the operand is, all of
/// it, before it reads any of it.
static bool calleeCovers(const Search *search, MlirOperation op,
                         intptr_t operand) {
  MlirOperation callee;
  BerthCallees *callees = search->views->callees;
  if (!berthOpIs(op, BERTH_OP_CALL) || !berthOpGetCallee(op, &callee) ||
      mlirOperationIsNull(callee) ||
      berthCalleeIsHidden(callee, callees->root) ||
      search->depth == kDeepestCall)
    return false;
  MlirBlock entry = mlirRegionGetFirstBlock(mlirOperationGetRegion(callee, 0));
  intptr_t argument = berthCallGetArgument(op, operand);
  if (mlirBlockIsNull(entry) || argument < 0 ||
      argument >= mlirBlockGetNumArguments(entry) ||
      !mlirBlockIsNull(mlirBlockGetNextInRegion(entry)) ||
      !mlirTypeEqual(mlirValueGetType(mlirBlockGetArgument(entry, argument)),
                     mlirValueGetType(mlirOperationGetOperand(op, operand))))
    return false;
  MlirValue value = mlirBlockGetArgument(entry, argument);
  size_t known = berthPointerMapFind(search->known, value.ptr);
  if (known != BERTH_NOT_FOUND)
    return known;
  BerthMemory memory = {0};
  BerthViews views = berthViewsOfArguments(callee, callees, &memory);
  Search inner = {.views = &views,
                  .depth = search->depth + 1,
                  .argument = (uint32_t)argument,
                  .known = search->known};
  visitBlock(&inner, entry, true);
  free(inner.marks);
  berthRootAccessesFree(&inner.accesses);
  berthViewsFree(&views);
  berthMemoryFree(&memory);
  berthPointerMapInsert(search->known, value.ptr, inner.isCovered);
  return inner.isCovered;
}

//===----------------------------------------------------------------------===//
// A scope
//===----------------------------------------------------------------------===//

BerthCovers berthCoversOf(const BerthViews *views, MlirRegion body,
                          const bool *isWanted) {
  BerthCovers covers = {0};
  BerthPointerMap known = {0};
  Search search = {.views = views,
                   .covers = &covers,
                   .isWanted = isWanted,
                   .argument = BERTH_NO_ROOT,
                   .known = &known};
  for (MlirBlock block = mlirRegionGetFirstBlock(body); !mlirBlockIsNull(block);
       block = mlirBlockGetNextInRegion(block))
    visitBlock(&search, block, false);
  free(search.marks);
  berthPointerMapFree(&known);
  berthRootAccessesFree(&search.accesses);
  return covers;
}

void berthCoversNote(BerthCovers *covers, MlirOperation op, uint32_t root) {
  covers->items = berthGrow(covers->items, covers->count, &covers->capacity,
                            sizeof *covers->items);
  size_t first = berthPointerMapFind(&covers->firstOf, op.ptr);
  covers->items[covers->count] = (BerthCover){root, first};
  berthPointerMapSet(&covers->firstOf, op.ptr, covers->count++);
}

void berthCoversFree(BerthCovers *covers) {
  berthPointerMapFree(&covers->firstOf);
  free(covers->items);
}
