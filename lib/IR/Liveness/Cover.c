//===- Cover.c - Buffers overwritten piece by piece -----------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// By descent over the regions that hold uses of the buffer. In each block the
// uses come in *runs*, which an op that may read ends; where the boxes of a run
// are the whole buffer, its first op starts a cover. What a loop's body writes
// is, over all turns, one item in a run of the block that the loop stands in.
//
//===----------------------------------------------------------------------===//

#include "IR/Liveness/Cover.h"
#include "IR/Liveness/IndexBoxes.h"
#include "IR/Ops/Effects.h"
#include "IR/Ops/OpTable.h"
#include "IR/Ops/OrDie.h"
#include "IR/Ops/Rules.h"
#include "IR/Ops/Worklist.h"
#include "mlir-c/AffineMap.h"
#include "mlir-c/BuiltinTypes.h"

#include <stdlib.h>

enum {
  kDeepestCall = 2, ///< calls in called functions, and so on
  kMostLoops = 16   ///< around one op
};

/// What berth-verify may spend on proving one cover is limited; here it is the
/// parts, times the 64 indices that it looks at together.
static const double kMostWork = 1 << 24;

/// One op that uses the buffer.
typedef struct Use {
  MlirOperation op;
  int64_t point;
  bool reads; ///< or does what is not known
  bool hasBox;
  BerthIndexBox box;
} Use;

/// A run of uses, sorted by point.
typedef struct Uses {
  const Use *begin;
  const Use *end;
} Uses;

typedef struct Search {
  const BerthPoints *points;
  const BerthAliasOptions *options;
  MlirValue root;          ///< the buffer, or an argument that stands for it
  MlirValue form;          ///< it, or it in another shape: boxes are of this
  int depth;               ///< of calls
  intptr_t numLoops;       ///< around the ops at hand
  BerthPointerMap *known;  ///< argument of a function -> whether it is covered
  BerthBufferInfo *buffer; ///< where covers are noted, or NULL
  BerthMemory *memory;
  BerthWorklist aliases;
  Use *uses;
  size_t numUses, useCapacity;
  size_t coverCapacity;
} Search;

/// What the ops of a block do, together.
typedef struct Effect {
  bool reads;
  bool startsCover;      ///< all is overwritten before anything is read
  BerthIndexBoxes boxes; ///< what is surely written; empty if `reads`
} Effect;

//===----------------------------------------------------------------------===//
// Uses
//===----------------------------------------------------------------------===//

static bool startsCoverOf(const Search *caller, MlirOperation function,
                          intptr_t argument, MlirType given);

/// True if the operand is the only one that leads to the buffer.
static bool isOnlyOperand(const Search *search, MlirOperation op,
                          intptr_t operand) {
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
    if (i != operand &&
        berthWorklistHasSeen(&search->aliases,
                             mlirOperationGetOperand(op, i).ptr))
      return false;
  return true;
}

/// A call whose function overwrites what it is given before it reads it.
static bool callOverwrites(const Search *search, MlirOperation op,
                           intptr_t operand) {
  MlirOperation callee;
  if (!berthOpIs(op, BERTH_OP_CALL) || !berthOpGetCallee(op, &callee) ||
      mlirOperationIsNull(callee) ||
      berthCalleeIsHidden(callee, search->options->root))
    return false;
  return startsCoverOf(search, callee, berthCallGetArgument(op, operand),
                       mlirValueGetType(mlirOperationGetOperand(op, operand)));
}

static void addUse(Search *search, MlirOperation op, intptr_t operand) {
  Use use = {.op = op, .point = berthPointsLower(search->points, op)};
  BerthIndexPart part;
  if (isOnlyOperand(search, op, operand) && berthOpIsPlainAccess(op)) {
    use.hasBox = berthWrittenBox(op, operand, search->form, &use.box);
    if (!use.hasBox && callOverwrites(search, op, operand) &&
        berthPartOf(mlirOperationGetOperand(op, operand), search->form,
                    &part)) {
      use.box = part.box;
      use.hasBox = true;
    }
  }
  use.reads = !use.hasBox &&
              !berthIsBroken(search->options->breakRule, "reads-in-covers");
  search->uses = berthGrow(search->uses, search->numUses, &search->useCapacity,
                           sizeof *search->uses);
  search->uses[search->numUses++] = use;
}

static int compareUses(const void *left, const void *right) {
  int64_t a = ((const Use *)left)->point, b = ((const Use *)right)->point;
  return (a > b) - (a < b);
}

/// All uses, through views too. False if there is none, or if something else
/// than a view may hand an argument on. (Of buffers that is known.)
static bool collectUses(Search *search) {
  bool isPlain = true;
  MlirValue *values = NULL;
  size_t count = 0, capacity = 0;
  values = berthGrow(values, count, &capacity, sizeof *values);
  values[count++] = search->root;
  berthWorklistPush(&search->aliases, search->root);
  for (size_t i = 0; i < count; ++i)
    for (MlirOpOperand use = mlirValueGetFirstUse(values[i]);
         !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
      MlirOperation op = mlirOpOperandGetOwner(use);
      MlirValue source = berthViewGetSource(op);
      if (mlirValueIsNull(source) || !mlirValueEqual(source, values[i]))
        continue;
      MlirValue view = mlirOperationGetResult(op, 0);
      if (!berthWorklistAdd(&search->aliases, view.ptr))
        continue;
      values = berthGrow(values, count, &capacity, sizeof *values);
      values[count++] = view;
    }
  for (size_t i = 0; i < count; ++i)
    for (MlirOpOperand use = mlirValueGetFirstUse(values[i]);
         !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
      MlirOperation op = mlirOpOperandGetOwner(use);
      bool isView = mlirOperationGetNumResults(op) > 0 &&
                    berthWorklistHasSeen(&search->aliases,
                                         mlirOperationGetResult(op, 0).ptr);
      if (isView || berthOpResultsAreShapes(op))
        continue;
      addUse(search, op, mlirOpOperandGetOperandNumber(use));
      isPlain &= berthOpIsPlainAccess(op) && !berthOpMayReturnPointer(op);
    }
  free(values);
  if (search->numUses)
    qsort(search->uses, search->numUses, sizeof *search->uses, compareUses);
  return search->numUses > 0 && (isPlain || search->buffer);
}

//===----------------------------------------------------------------------===//
// Blocks and loops
//===----------------------------------------------------------------------===//

/// The run of uses at hand.
typedef struct Run {
  MlirOperation start; ///< null: none
  size_t numUses;
  BerthIndexBoxes boxes;
} Run;

static Effect effectOfBlock(Search *search, MlirBlock block, Uses uses);

static bool isMuchWork(const Search *search, size_t numUses) {
  MlirType type = mlirValueGetType(search->form);
  int64_t rank = mlirShapedTypeGetRank(type);
  double work = 0;
  for (intptr_t d = 0; d < rank; ++d)
    work += (double)mlirShapedTypeGetDimSize(type, d) / (d + 1 < rank ? 1 : 64);
  return work * (double)numUses > kMostWork;
}

static bool coversAll(const Search *search, const BerthIndexBoxes *boxes) {
  if (berthIsBroken(search->options->breakRule, "partial-covers"))
    return boxes->count > 0;
  return berthIndexBoxesCover(boxes, mlirValueGetType(search->form));
}

static void noteCover(Search *search, MlirOperation op) {
  if (search->buffer)
    berthBufferNoteCover(search->buffer, search->points, search->memory, op);
}

/// What a region does that runs once: together if it has one block.
static Effect effectOfRegion(Search *search, MlirRegion region, Uses uses) {
  Effect all = {0};
  for (MlirBlock block = mlirRegionGetFirstBlock(region);
       !mlirBlockIsNull(block); block = mlirBlockGetNextInRegion(block)) {
    BerthSegment span = berthPointsBlockSpan(search->points, block);
    Uses inside = {uses.begin, uses.begin};
    while (inside.end != uses.end && inside.end->point < span.upper)
      ++inside.end;
    uses.begin = inside.end;
    if (inside.begin == inside.end)
      continue;
    Effect effect = effectOfBlock(search, block, inside);
    all.reads |= effect.reads;
    bool isOnly = mlirBlockIsNull(
        mlirBlockGetNextInRegion(mlirRegionGetFirstBlock(region)));
    if (isOnly) {
      all.startsCover = effect.startsCover;
      all.boxes = effect.boxes;
    } else {
      free(effect.boxes.boxes);
    }
  }
  return all;
}

/// An op with regions: of a loop that counts the boxes of all turns, else
/// nothing is surely written. Where nobody knows when regions run, they read.
static Effect effectOfRegions(Search *search, MlirOperation op, Uses uses) {
  Effect all = {0};
  size_t numSteps;
  BerthLoopRange ranges[BERTH_LOOP_MAX_RANK];
  intptr_t numRanges = berthLoopGetRanges(op, ranges);
  bool isKnown = berthPointsSteps(search->points, op, &numSteps) != NULL ||
                 (numRanges >= 0 && berthOpIsParallelBody(op));
  intptr_t numInner = numRanges > 0 ? numRanges : 0;
  search->numLoops += numInner;
  for (intptr_t i = 0; i < mlirOperationGetNumRegions(op); ++i) {
    MlirRegion region = mlirOperationGetRegion(op, i);
    BerthSegment span = berthPointsRegionSpan(search->points, region);
    Uses inside = {uses.begin, uses.begin};
    while (inside.end != uses.end && inside.end->point < span.upper)
      ++inside.end;
    uses.begin = inside.end;
    Effect effect = effectOfRegion(search, region, inside);
    all.reads |= effect.reads;
    free(all.boxes.boxes);
    all.boxes = effect.boxes;
  }
  all.reads |= !isKnown;
  bool runs = numRanges >= 0 && search->numLoops <= kMostLoops;
  search->numLoops -= numInner;
  for (intptr_t i = 0; i < numRanges; ++i) {
    if (ranges[i].count == 0 &&
        berthIsBroken(search->options->breakRule, "no-empty-loops"))
      ranges[i].count = 1;
    runs &= ranges[i].count > 0;
    if (runs)
      berthIndexBoxesLeaveLoop(&all.boxes, &ranges[i]);
  }
  if (!runs || all.reads)
    all.boxes.count = 0;
  return all;
}

static Effect effectOfUse(const Use *use) {
  Effect effect = {.reads = use->reads};
  if (use->hasBox)
    berthIndexBoxesAdd(&effect.boxes, &use->box);
  return effect;
}

/// True if the run is complete, and was noted.
static bool addToRun(Search *search, Run *run, MlirOperation op,
                     const BerthIndexBoxes *boxes, size_t numUses) {
  if (mlirOperationIsNull(run->start)) {
    run->start = op;
    run->numUses = 0;
  }
  run->numUses += numUses;
  for (size_t i = 0; i < boxes->count; ++i)
    berthIndexBoxesAdd(&run->boxes, &boxes->boxes[i]);
  if (boxes->count == 0 || isMuchWork(search, run->numUses) ||
      !coversAll(search, &run->boxes))
    return false;
  noteCover(search, run->start);
  run->start = (MlirOperation){NULL};
  run->boxes.count = 0;
  return true;
}

static Effect effectOfBlock(Search *search, MlirBlock block, Uses uses) {
  Effect all = {0};
  Run run = {0};
  MlirRegion region = mlirBlockGetParentRegion(block);
  while (uses.begin != uses.end) {
    MlirOperation top = berthAncestorInRegion(uses.begin->op, region);
    int64_t upper = berthPointsUpper(search->points, top);
    Uses inside = {uses.begin, uses.begin + 1};
    while (inside.end != uses.end && inside.end->point < upper)
      ++inside.end;
    uses.begin = inside.end;
    bool isUse = mlirOperationEqual(top, inside.begin->op);
    Effect effect = isUse && inside.end == inside.begin + 1
                        ? effectOfUse(inside.begin)
                    : isUse ? (Effect){.reads = true}
                            : effectOfRegions(search, top, inside);
    if (effect.reads) {
      run.start = (MlirOperation){NULL};
      run.boxes.count = 0;
    } else if (addToRun(search, &run, top, &effect.boxes,
                        (size_t)(inside.end - inside.begin)) &&
               !all.reads) {
      all.startsCover = true;
    }
    all.reads |= effect.reads;
    for (size_t i = 0; i < effect.boxes.count && !all.reads; ++i)
      berthIndexBoxesAdd(&all.boxes, &effect.boxes.boxes[i]);
    free(effect.boxes.boxes);
  }
  free(run.boxes.boxes);
  return all;
}

//===----------------------------------------------------------------------===//
// A buffer, or an argument
//===----------------------------------------------------------------------===//

static Effect findIn(Search search) {
  Effect effect = {0};
  if (collectUses(&search))
    effect = effectOfRegion(&search, search.points->body,
                            (Uses){search.uses, search.uses + search.numUses});
  free(effect.boxes.boxes);
  free(search.uses);
  berthWorklistFree(&search.aliases);
  return effect;
}

static bool startsCoverOf(const Search *caller, MlirOperation function,
                          intptr_t argument, MlirType given) {
  if (caller->depth == kDeepestCall || argument < 0 ||
      mlirOperationGetNumRegions(function) != 1)
    return false;
  MlirRegion body = mlirOperationGetRegion(function, 0);
  MlirBlock entry = mlirRegionGetFirstBlock(body);
  if (mlirBlockIsNull(entry) || argument >= mlirBlockGetNumArguments(entry) ||
      !mlirBlockIsNull(mlirBlockGetNextInRegion(entry)))
    return false;
  MlirValue root = mlirBlockGetArgument(entry, argument);
  MlirType type = mlirValueGetType(root);
  if (!mlirTypeEqual(type, given) || !mlirTypeIsAMemRef(type) ||
      !mlirShapedTypeHasStaticShape(type))
    return false;
  size_t known = berthPointerMapFind(caller->known, root.ptr);
  if (known != BERTH_NOT_FOUND)
    return known;
  BerthMemory memory = {0};
  BerthPoints points = berthPointsCreate(body, &memory);
  Search inner = {.points = &points,
                  .options = caller->options,
                  .root = root,
                  .form = root,
                  .depth = caller->depth + 1,
                  .known = caller->known};
  bool result = findIn(inner).startsCover;
  berthPointerMapInsert(caller->known, root.ptr, result);
  berthPointsFree(&points);
  berthMemoryFree(&memory);
  return result;
}

void berthBufferNoteCover(BerthBufferInfo *buffer, const BerthPoints *points,
                          BerthMemory *memory, MlirOperation op) {
  if (!mlirOperationEqual(berthPointsOutermostOpaque(points, op), op))
    return;
  for (size_t i = 0; i < buffer->numAccesses; ++i)
    if (mlirOperationEqual(buffer->accesses[i].op, op)) {
      buffer->accesses[i].startsCover = true;
      return;
    }
  BerthAccess *grown = BERTH_NEW(memory, BerthAccess, buffer->numCovers + 1);
  for (size_t i = 0; i < buffer->numCovers; ++i)
    grown[i] = buffer->covers[i];
  grown[buffer->numCovers++] =
      (BerthAccess){.op = op,
                    .lower = berthPointsLower(points, op),
                    .upper = berthPointsUpper(points, op),
                    .isEntry = true,
                    .startsCover = true};
  buffer->covers = grown;
}

bool berthBufferHasPlainViews(const BerthBufferInfo *buffer) {
  if (buffer->reason || buffer->leaks || buffer->isForeign ||
      !mlirOperationIsNull(buffer->callee))
    return false;
  MlirType type = mlirValueGetType(buffer->value);
  return mlirTypeIsAMemRef(type) &&
         mlirAffineMapIsIdentity(mlirMemRefTypeGetAffineMap(type)) &&
         berthIsSeenThroughViews(buffer);
}

bool berthBufferHasViewsOnly(const BerthBufferInfo *buffer) {
  return !buffer->isDynamic && berthBufferHasPlainViews(buffer) &&
         mlirShapedTypeHasStaticShape(mlirValueGetType(buffer->value));
}

/// True if the access may be part of a cover that no kill is by itself: a
/// partial write, whatever a called function does, or one in another block than
/// the allocation, around which there may be loops. One that reads what it
/// writes ends a run.
static bool mayBePart(const BerthBufferInfo *buffer,
                      const BerthAccess *access) {
  MlirOperation callee;
  return (access->writes && !access->kills && !access->reads) ||
         !mlirBlockEqual(mlirOperationGetBlock(access->op),
                         mlirOperationGetBlock(buffer->alloc)) ||
         berthOpGetCallee(access->op, &callee);
}

/// True if the buffer is written somewhere other than by a kill, and by what
/// may be part of a cover.
static bool isCandidate(const BerthBufferInfo *buffer) {
  if (!berthBufferHasViewsOnly(buffer))
    return false;
  bool isWritten = false, hasPart = false;
  for (size_t i = 0; i < buffer->numAccesses; ++i) {
    const BerthAccess *access = &buffer->accesses[i];
    isWritten |= access->writes && !access->kills;
    hasPart |= mayBePart(buffer, access);
  }
  return isWritten && hasPart;
}

/// True if the value is all of the buffer in another shape, row behind row: its
/// indices say as much of the bytes.
static bool isOtherForm(const BerthBufferInfo *buffer, MlirValue value) {
  MlirType type = mlirValueGetType(value);
  MlirOperation view = mlirOpResultGetOwner(value);
  if (!mlirTypeIsAMemRef(type) || !mlirShapedTypeHasStaticShape(type) ||
      !mlirAffineMapIsIdentity(mlirMemRefTypeGetAffineMap(type)) ||
      mlirShapedTypeGetRank(type) ==
          mlirShapedTypeGetRank(mlirValueGetType(berthViewGetSource(view))))
    return false;
  while (!mlirValueEqual(value, buffer->value)) {
    view = mlirOpResultGetOwner(value);
    if (!berthViewIsWhole(view))
      return false;
    value = berthViewGetSource(view);
  }
  return true;
}

/// Runs are looked for in each shape that the buffer is given, a few of them.
static void findOfBuffer(Search *search, BerthBufferInfo *buffer) {
  enum { kMostForms = 4 };
  size_t numForms = 1;
  search->root = search->form = buffer->value;
  search->buffer = buffer;
  findIn(*search);
  for (size_t i = 1; i < buffer->numAliases && numForms < kMostForms; ++i) {
    if (!isOtherForm(buffer, buffer->aliases[i]))
      continue;
    search->form = buffer->aliases[i];
    findIn(*search);
    ++numForms;
  }
}

void berthFindCovers(BerthScope *scope, const BerthPoints *points,
                     const BerthAliasOptions *options) {
  if (berthScopeIsShared(scope) || berthHasConcurrentUnits() ||
      berthNumCores() > 0 || berthIsBroken(options->breakRule, "no-kills") ||
      berthIsBroken(options->breakRule, "no-covers"))
    return;
  BerthPointerMap known = {0};
  Search search = {.points = points,
                   .options = options,
                   .memory = scope->memory,
                   .known = &known};
  for (size_t i = 0; i < scope->numBuffers; ++i)
    if (isCandidate(&scope->buffers[i]))
      findOfBuffer(&search, &scope->buffers[i]);
  berthPointerMapFree(&known);
}
