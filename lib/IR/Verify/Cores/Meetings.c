//===- Meetings.c - Buffers that cores and units use at once --------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Verify/Cores/Meetings.h"
#include "IR/Facts/Facts.h"
#include "IR/Ops/OpTable.h"
#include "IR/Ops/OrDie.h"
#include "IR/Verify/Cores/Trace.h"
#include "IR/Verify/Cores/Unmet.h"
#include "IR/Verify/Roots/Access.h"

#include <stdlib.h>
#include <string.h>

/// One access, by all cores that make it in one phase.
typedef struct Touch {
  BerthRootAccess access;
  size_t phase;
  size_t place; ///< in the trace
  int core;
  uint64_t cores; ///< that ever come to the op
  int unit;
  bool isPending;
  bool isOnce;    ///< its unit is said to run it once for all cores
  bool isLoose;   ///< cores may disagree on whether they come here
  bool isSeveral; ///< it holds work of units
  bool makes;     ///< the buffer is made, and not touched
} Touch;

/// The buffers that have bytes in common with one.
typedef struct BerthNeighbours {
  uint32_t *roots;
  size_t count, capacity;
} BerthNeighbours;

typedef struct Check {
  const BerthViews *views;
  Touch *touches;
  size_t count, capacity;
  BerthPointerMap reported; ///< ops
  BerthMeetingCallback callback;
  void *userData;
} Check;

static void report(Check *check, MlirOperation op, MlirOperation other,
                   BerthMeetingFault fault) {
  if (berthPointerMapInsert(&check->reported, op.ptr, 1))
    check->callback(op, other, fault, check->userData);
}

//===----------------------------------------------------------------------===//
// From traces to touches
//===----------------------------------------------------------------------===//

/// The unit that an op runs on, unless the program follows it to its end: where
/// it gets a token of the op for itself alone, which Dma.h looks after.
static int ownUnit(MlirOperation op) {
  bool isFollowed = false;
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i)
    isFollowed |= berthOpIsTokenResult(op, i);
  return isFollowed && berthNumCores() < 2 ? 0 : berthOpGetUnit(op);
}

typedef struct UnitSearch {
  MlirOperation op;
  BerthPointerMap seen; ///< called functions
  bool found;
} UnitSearch;

/// Work of units, or pending work, in what the op stands for as a whole.
static MlirWalkResult findUnit(MlirOperation op, void *userData) {
  UnitSearch *search = userData;
  MlirOperation callee;
  bool isItself = mlirOperationEqual(op, search->op);
  search->found |= !isItself && (ownUnit(op) != 0 ||
                                 berthOpStartsAsync(op, BERTH_ASYNC_WORK));
  if (berthOpGetCallee(op, &callee) && !mlirOperationIsNull(callee) &&
      berthPointerMapInsert(&search->seen, callee.ptr, 1))
    mlirOperationWalk(callee, findUnit, search, MlirWalkPreOrder);
  return search->found ? MlirWalkResultInterrupt : MlirWalkResultAdvance;
}

static void addTouch(Check *check, const BerthTraceEvent *event, size_t place,
                     BerthRootAccess access, bool makes) {
  check->touches = berthGrow(check->touches, check->count, &check->capacity,
                             sizeof *check->touches);
  check->touches[check->count++] =
      (Touch){.access = access,
              .phase = event->phase,
              .place = place,
              .core = event->core,
              .unit = ownUnit(access.op),
              .isPending = berthOpStartsAsync(access.op, BERTH_ASYNC_WORK),
              .isOnce = berthOpIsIssuedOnce(access.op),
              .isLoose = event->isLoose,
              .makes = makes};
}

/// Ops that have been come to, in the order of one core.
typedef struct Behind {
  BerthPointerMap phases; ///< op that makes a token -> phase
  int core;
} Behind;

static void noteStart(Behind *behind, const BerthTraceEvent *event) {
  if (behind->core != event->core)
    berthPointerMapClear(&behind->phases);
  behind->core = event->core;
  for (intptr_t i = 0; i < mlirOperationGetNumResults(event->op); ++i)
    if (berthOpIsTokenResult(event->op, i))
      berthPointerMapSet(&behind->phases, event->op.ptr, event->phase);
}

/// What is waited for here may have been done in any phase since its start.
static void addAwaited(Check *check, const Behind *behind,
                       const BerthTraceEvent *wait, size_t place,
                       MlirValue token, int depth) {
  enum { kLongestChain = 16 };
  if (depth > kLongestChain || !mlirValueIsAOpResult(token))
    return;
  MlirOperation start = mlirOpResultGetOwner(token);
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(start); ++i)
    if (berthOpGetRole(start, i) == BERTH_OPERAND_VIEWED)
      addAwaited(check, behind, wait, place, mlirOperationGetOperand(start, i),
                 depth + 1);
  size_t phase = berthPointerMapFind(&behind->phases, start.ptr);
  if (phase == BERTH_NOT_FOUND)
    return;
  BerthRootAccesses accesses = {0};
  berthRootAccessesOf(&accesses, check->views, start, false);
  BerthTraceEvent event = *wait;
  for (event.phase = phase + 1; event.phase <= wait->phase; ++event.phase)
    for (size_t k = 0; k < accesses.count; ++k) {
      BerthRootAccess access = accesses.items[k];
      access.op = wait->op;
      access.overwrites = false;
      if (access.reads || access.writes)
        addTouch(check, &event, place, access, false);
    }
  berthRootAccessesFree(&accesses);
}

static void collect(Check *check, const BerthTrace *trace) {
  BerthRootAccesses accesses = {0};
  Behind behind = {.core = -1};
  for (size_t i = 0; i < trace->count; ++i) {
    const BerthTraceEvent *event = &trace->events[i];
    uint32_t root;
    noteStart(&behind, event);
    for (intptr_t k = 0; k < mlirOperationGetNumOperands(event->op); ++k)
      if (berthOpAwaits(event->op, k))
        addAwaited(check, &behind, event, i,
                   mlirOperationGetOperand(event->op, k), 0);
    if (berthViewsMakes(check->views, event->op, &root)) {
      addTouch(check, event, i,
               (BerthRootAccess){.root = root, .op = event->op}, true);
      continue;
    }
    berthRootAccessesOf(&accesses, check->views, event->op, event->withNested);
    size_t first = check->count;
    for (size_t k = 0; k < accesses.count; ++k)
      if (accesses.items[k].reads || accesses.items[k].writes)
        addTouch(check, event, i, accesses.items[k], false);
    if (check->count == first)
      continue;
    UnitSearch search = {.op = event->op};
    if (event->withNested || !mlirOperationGetNumRegions(event->op))
      mlirOperationWalk(event->op, findUnit, &search, MlirWalkPreOrder);
    berthPointerMapFree(&search.seen);
    for (size_t k = first; search.found && k < check->count; ++k)
      check->touches[k].isSeveral = true;
  }
  berthRootAccessesFree(&accesses);
  berthPointerMapFree(&behind.phases);
}

static int compareTouches(const void *left, const void *right) {
  const Touch *a = left, *b = right;
  if (a->phase != b->phase)
    return a->phase < b->phase ? -1 : 1;
  if (a->place != b->place)
    return a->place < b->place ? -1 : 1;
  // Of one op reads come before writes.
  if (a->access.reads != b->access.reads)
    return a->access.reads ? -1 : 1;
  return (a->access.operand > b->access.operand) -
         (a->access.operand < b->access.operand);
}

/// Finds which cores come to the ops; true if some come to other ones.
static bool findCores(Check *check, const BerthTrace *trace) {
  BerthPointerMap placeOf = {0};
  uint64_t *cores = berthAllocateOrDie(trace->count + 1, sizeof *cores);
  for (size_t i = 0; i < trace->count; ++i) {
    const BerthTraceEvent *event = &trace->events[i];
    berthPointerMapInsert(&placeOf, event->op.ptr, i);
    uint64_t bit = UINT64_C(1) << (event->core & 63); // 64 cores at most
    cores[berthPointerMapFind(&placeOf, event->op.ptr)] |= bit;
  }
  uint64_t first = 0;
  bool differ = false;
  for (size_t i = 0; i < check->count; ++i) {
    Touch *touch = &check->touches[i];
    touch->cores = cores[berthPointerMapFind(&placeOf, touch->access.op.ptr)];
    first = first || touch->makes ? first : touch->cores;
    differ |= !touch->makes && touch->cores != first;
  }
  free(cores);
  berthPointerMapFree(&placeOf);
  return differ;
}

/// What several cores come to in one phase counts once. The touches of a phase
/// are in a row, by their places.
static void dropRepeated(Check *check) {
  BerthPointerMap coreOf = {0};
  size_t kept = 0;
  for (size_t i = 0; i < check->count; ++i) {
    const Touch *touch = &check->touches[i];
    if (kept && check->touches[kept - 1].phase != touch->phase)
      berthPointerMapClear(&coreOf);
    const void *key = touch->access.op.ptr;
    berthPointerMapInsert(&coreOf, key, (size_t)touch->core);
    if (berthPointerMapFind(&coreOf, key) == (size_t)touch->core)
      check->touches[kept++] = *touch;
  }
  check->count = kept;
  berthPointerMapFree(&coreOf);
}

//===----------------------------------------------------------------------===//
// At the same time
//===----------------------------------------------------------------------===//

/// True if one run of the code around both makes one of the two only, or makes
/// them in an order that the text does not tell.
static bool areAlternatives(MlirOperation a, MlirOperation b) {
  for (MlirOperation up = a; !mlirOperationIsNull(up);
       up = mlirOperationGetParentOperation(up)) {
    MlirBlock block = mlirOperationGetBlock(up);
    if (mlirBlockIsNull(block))
      return false;
    MlirOperation holder = mlirBlockGetParentOperation(block);
    for (MlirOperation other = b; !mlirOperationIsNull(other);
         other = mlirOperationGetParentOperation(other)) {
      MlirBlock otherBlock = mlirOperationGetBlock(other);
      if (!mlirBlockIsNull(otherBlock) &&
          mlirOperationEqual(mlirBlockGetParentOperation(otherBlock), holder))
        return !mlirBlockEqual(block, otherBlock);
    }
  }
  return false;
}

/// True if one core, or one unit, makes both.
static bool haveOneRunner(const Touch *first, const Touch *second) {
  bool isOneCore = !(first->cores & (first->cores - 1));
  bool isLoose =
      (first->isLoose || second->isLoose) && !(berthNumCores() && isOneCore);
  bool isOnce = !berthNumCores() || (first->isOnce && second->isOnce);
  return first->unit == second->unit && first->cores == second->cores &&
         (isOneCore || (first->unit && isOnce)) && !isLoose &&
         !first->isSeveral && !second->isSeveral;
}

/// True if the first is surely over before the second begins, or is no longer
/// to come.
static bool areInOrder(const Touch *first, const Touch *second) {
  return haveOneRunner(first, second) &&
         (!first->isPending ||
          areAlternatives(first->access.op, second->access.op));
}

static bool isSameKind(const Touch *a, const Touch *b) {
  return a->access.reads == b->access.reads &&
         a->access.writes == b->access.writes && a->cores == b->cores &&
         a->unit == b->unit && a->isPending == b->isPending &&
         a->isOnce == b->isOnce && a->isLoose == b->isLoose &&
         a->isSeveral == b->isSeveral &&
         mlirBlockEqual(mlirOperationGetBlock(a->access.op),
                        mlirOperationGetBlock(b->access.op));
}

/// Touches of one buffer in the phase at hand, one of each kind.
typedef struct Kinds {
  size_t *touches;
  size_t count, capacity;
} Kinds;

static void holdAgainst(Check *check, const Kinds *kinds, const Touch *later) {
  for (size_t i = 0; i < kinds->count; ++i) {
    const Touch *earlier = &check->touches[kinds->touches[i]];
    if ((earlier->access.writes || later->access.writes) &&
        !areInOrder(earlier, later))
      report(check, later->access.op, earlier->access.op,
             BERTH_MEETING_AT_ONCE);
  }
}

static void addKind(Check *check, Kinds *kinds, size_t touch) {
  for (size_t i = 0; i < kinds->count; ++i)
    if (isSameKind(&check->touches[kinds->touches[i]], &check->touches[touch]))
      return;
  kinds->touches = berthGrow(kinds->touches, kinds->count, &kinds->capacity,
                             sizeof *kinds->touches);
  kinds->touches[kinds->count++] = touch;
}

static void addNeighbour(BerthNeighbours *near, uint32_t root) {
  near->roots =
      berthGrow(near->roots, near->count, &near->capacity, sizeof *near->roots);
  near->roots[near->count++] = root;
}

/// Sorts roots by their first bytes: those that begin behind another's end are
/// not asked about.
typedef struct Start {
  int64_t lower;
  uint32_t root;
} Start;

static int compareStarts(const void *left, const void *right) {
  const Start *a = left, *b = right;
  if (a->lower != b->lower)
    return a->lower < b->lower ? -1 : 1;
  return (a->root > b->root) - (a->root < b->root);
}

/// Notes which of these roots have bytes in common with which; true if any two
/// have. Without lists one pair is enough.
static bool findNeighbours(const BerthViews *views, Start *starts, size_t count,
                           BerthNeighbours *near) {
  bool found = false;
  if (count)
    qsort(starts, count, sizeof *starts, compareStarts);
  for (size_t i = 0; i < count && (near || !found); ++i)
    for (size_t k = i + 1;
         k < count && starts[k].lower < views->roots[starts[i].root].upper;
         ++k) {
      uint32_t a = starts[i].root, b = starts[k].root;
      if (!berthViewsOverlap(views, a, b))
        continue;
      found = true;
      if (!near)
        break;
      addNeighbour(&near[a], b);
      addNeighbour(&near[b], a);
    }
  return found;
}

/// Of all roots.
static bool findAllNeighbours(const BerthViews *views, BerthNeighbours *near) {
  size_t count = views->numRoots;
  Start *starts = berthAllocateOrDie(count, sizeof *starts);
  for (uint32_t i = 0; i < count; ++i)
    starts[i] = (Start){views->roots[i].lower, i};
  bool found = findNeighbours(views, starts, count, near);
  free(starts);
  return found;
}

static void freeNeighbours(BerthNeighbours *near, size_t count) {
  for (size_t i = 0; i < count; ++i)
    free(near[i].roots);
  free(near);
}

/// What one phase has of each root.
typedef struct Phase {
  Kinds *kinds;
  BerthNeighbours *near; ///< among the roots of the phase
  Start *starts;         ///< of these
  bool *isIn;
} Phase;

static void checkPhase(Check *check, Phase *phase, size_t begin, size_t end) {
  size_t count = 0;
  for (size_t i = begin; i < end; ++i) {
    uint32_t root = check->touches[i].access.root;
    if (check->touches[i].makes || phase->isIn[root])
      continue;
    phase->isIn[root] = true;
    phase->starts[count++] = (Start){check->views->roots[root].lower, root};
  }
  bool haveCommon =
      findNeighbours(check->views, phase->starts, count, phase->near);
  for (size_t i = begin; haveCommon && i < end; ++i) {
    const Touch *touch = &check->touches[i];
    if (touch->makes)
      continue;
    const BerthNeighbours *near = &phase->near[touch->access.root];
    for (size_t k = 0; k < near->count; ++k)
      holdAgainst(check, &phase->kinds[near->roots[k]], touch);
    addKind(check, &phase->kinds[touch->access.root], i);
  }
  while (count) {
    uint32_t root = phase->starts[--count].root;
    phase->isIn[root] = false;
    phase->near[root].count = phase->kinds[root].count = 0;
  }
}

static void checkPhases(Check *check) {
  size_t numRoots = check->views->numRoots;
  Phase phase = {.kinds = berthAllocateOrDie(numRoots, sizeof *phase.kinds),
                 .near = berthAllocateOrDie(numRoots, sizeof *phase.near),
                 .starts = berthAllocateOrDie(numRoots, sizeof *phase.starts),
                 .isIn = berthAllocateOrDie(numRoots, sizeof *phase.isIn)};
  for (size_t begin = 0, end; begin < check->count; begin = end) {
    for (end = begin; end < check->count &&
                      check->touches[end].phase == check->touches[begin].phase;)
      ++end;
    checkPhase(check, &phase, begin, end);
  }
  for (size_t i = 0; i < numRoots; ++i)
    free(phase.kinds[i].touches);
  free(phase.kinds);
  freeNeighbours(phase.near, numRoots);
  free(phase.starts);
  free(phase.isIn);
}

//===----------------------------------------------------------------------===//
// Contents, from phase to phase
//===----------------------------------------------------------------------===//

typedef struct Content {
  bool isSet;
  MlirOperation clobberedBy;
} Content;

static void applyTouch(Check *check, Content *contents,
                       const BerthNeighbours *nearOf, const Touch *touch) {
  const BerthRootAccess *access = &touch->access;
  Content *own = &contents[access->root];
  bool isBase = check->views->roots[access->root].isBase;
  if (touch->makes) {
    *own = (Content){0};
    return;
  }
  if (access->reads && !isBase && !mlirOperationIsNull(own->clobberedBy))
    report(check, access->op, own->clobberedBy, BERTH_MEETING_CLOBBERED);
  if (!access->writes)
    return;
  const BerthNeighbours *near = &nearOf[access->root];
  for (size_t i = 0; i < near->count; ++i)
    if (contents[near->roots[i]].isSet)
      contents[near->roots[i]].clobberedBy = access->op;
  own->isSet = true;
  if (access->overwrites)
    own->clobberedBy = (MlirOperation){NULL};
}

/// In one phase buffers are made first: each core does so for itself.
static void checkContents(Check *check) {
  Content *contents =
      berthAllocateOrDie(check->views->numRoots, sizeof *contents);
  BerthNeighbours *near =
      berthAllocateOrDie(check->views->numRoots, sizeof *near);
  findAllNeighbours(check->views, near);
  for (size_t i = 0, end; i < check->count; i = end) {
    for (end = i; end < check->count &&
                  check->touches[end].phase == check->touches[i].phase;)
      ++end;
    for (size_t k = i; k < end; ++k)
      if (check->touches[k].makes)
        applyTouch(check, contents, near, &check->touches[k]);
    for (size_t k = i; k < end; ++k)
      if (!check->touches[k].makes)
        applyTouch(check, contents, near, &check->touches[k]);
  }
  freeNeighbours(near, check->views->numRoots);
  free(contents);
}

//===----------------------------------------------------------------------===//
// The next turn, and the next call
//===----------------------------------------------------------------------===//

/// By root: the first touch, and whether others are not its runner's.
typedef struct Sharing {
  const Touch *first;
  bool areSeveral;
  bool isMade; ///< its allocation has been looked at
  /// Its touches that do not make it: the first one, then `next` of each, as
  /// numbers from 1; 0 ends them.
  size_t head;
} Sharing;

static bool isPlaced(const Check *check, uint32_t root) {
  return !mlirOperationIsNull(check->views->roots[root].view);
}

static void noteSharing(Sharing *sharing, const Touch *touch, bool isKnown) {
  if (!sharing->first)
    sharing->first = touch;
  sharing->areSeveral |= !isKnown || !haveOneRunner(sharing->first, touch);
}

/// In an arena all turns of a loop have one place for a buffer that each makes
/// for itself. Where the phases of the cores are not known, barriers do not
/// tell that all are in one turn.
static void checkMade(Check *check, MlirOperation scope, const Touch *made,
                      size_t head, const size_t *next, bool isKnown) {
  BerthUnmet unmet = berthUnmetBefore(scope, made->access.op, isKnown);
  for (size_t i = head; i; i = next[i - 1]) {
    const Touch *touch = &check->touches[i - 1];
    if (berthIsUnmet(&unmet, touch->access.op)) {
      report(check, made->access.op, touch->access.op, BERTH_MEETING_NEXT_TURN);
      break;
    }
  }
  berthUnmetFree(&unmet);
}

static void checkLeft(Check *check, MlirOperation scope,
                      const Sharing *sharing) {
  BerthUnmet unmet = berthUnmetBefore(scope, (MlirOperation){NULL}, true);
  for (size_t i = 0; i < check->count; ++i) {
    const Touch *touch = &check->touches[i];
    bool goesOn = touch->unit || berthNumCores() > 1 ||
                  sharing[touch->access.root].areSeveral;
    if (!touch->makes && goesOn && isPlaced(check, touch->access.root) &&
        berthIsUnmet(&unmet, touch->access.op))
      report(check, touch->access.op, (MlirOperation){NULL},
             BERTH_MEETING_LEFT);
  }
  berthUnmetFree(&unmet);
}

/// `isKnown`: the trace tells who makes the touches.
static void checkNext(Check *check, MlirOperation scope, bool isKnown,
                      bool returns) {
  Sharing *sharing =
      berthAllocateOrDie(check->views->numRoots, sizeof *sharing);
  size_t *next = berthAllocateOrDie(check->count, sizeof *next);
  for (size_t i = 0; i < check->count; ++i)
    if (!check->touches[i].makes)
      noteSharing(&sharing[check->touches[i].access.root], &check->touches[i],
                  isKnown);
  for (size_t i = check->count; i > 0; --i) {
    Sharing *own = &sharing[check->touches[i - 1].access.root];
    if (check->touches[i - 1].makes)
      continue;
    next[i - 1] = own->head;
    own->head = i;
  }
  for (size_t i = 0; i < check->count; ++i) {
    const Touch *touch = &check->touches[i];
    Sharing *own = &sharing[touch->access.root];
    if (!touch->makes || !own->areSeveral || own->isMade ||
        !isPlaced(check, touch->access.root))
      continue;
    own->isMade = true;
    checkMade(check, scope, touch, own->head, next, isKnown);
  }
  if (returns)
    checkLeft(check, scope, sharing);
  free(next);
  free(sharing);
}

static MlirWalkResult noteEvent(MlirOperation op, void *userData) {
  BerthTrace *trace = userData;
  trace->events = berthGrow(trace->events, trace->count, &trace->capacity,
                            sizeof *trace->events);
  trace->events[trace->count++] = (BerthTraceEvent){.op = op};
  return MlirWalkResultAdvance;
}

/// All ops of the scope, where the cores cannot be held together.
static BerthTrace traceOfText(MlirOperation scope) {
  BerthTrace trace = {0};
  mlirOperationWalk(scope, noteEvent, &trace, MlirWalkPreOrder);
  return trace;
}

//===----------------------------------------------------------------------===//
// Instances
//===----------------------------------------------------------------------===//

/// A touch, and which instance of its buffer it is of: how often its core has
/// made that before.
typedef struct InstanceTouch {
  const Touch *touch;
  size_t instance;
} InstanceTouch;

static int compareInstances(const void *left, const void *right) {
  const InstanceTouch *a = left, *b = right;
  if (a->touch->access.root != b->touch->access.root)
    return a->touch->access.root < b->touch->access.root ? -1 : 1;
  if (a->instance != b->instance)
    return a->instance < b->instance ? -1 : 1;
  return (a->touch > b->touch) - (a->touch < b->touch);
}

/// Gathers the touches of buffers that are made, which are core after core.
static size_t findInstances(const Check *check, InstanceTouch *items) {
  size_t *made = berthAllocateOrDie(check->views->numRoots, sizeof *made);
  size_t count = 0;
  for (size_t i = 0; i < check->count; ++i) {
    const Touch *touch = &check->touches[i];
    if (i > 0 && touch->core != check->touches[i - 1].core)
      memset(made, 0, check->views->numRoots * sizeof *made);
    size_t *own = &made[touch->access.root];
    if (touch->makes)
      ++*own;
    else if (*own && isPlaced(check, touch->access.root))
      items[count++] = (InstanceTouch){touch, *own};
  }
  free(made);
  return count;
}

/// True if, of the buffer of the first item, all cores come to each op in one
/// phase, turn by turn. Then the barriers of a turn hold them together, and
/// berthUnmetBefore has looked for those.
static bool isInStep(const InstanceTouch *items, size_t count) {
  BerthPointerMap phaseOf = {0};
  bool same = true;
  for (size_t i = 0; same && i < count &&
                     items[i].touch->access.root == items[0].touch->access.root;
       ++i) {
    const Touch *touch = items[i].touch;
    if (i > 0 && items[i].instance != items[i - 1].instance) {
      berthPointerMapFree(&phaseOf);
      phaseOf = (BerthPointerMap){0};
    }
    same =
        berthPointerMapInsert(&phaseOf, touch->access.op.ptr, touch->phase) ||
        berthPointerMapFind(&phaseOf, touch->access.op.ptr) == touch->phase;
  }
  berthPointerMapFree(&phaseOf);
  return same;
}

/// A core may be turns ahead of another although there is a barrier in each
/// turn: whoever touches an instance has to do so in a later phase than all
/// others touch those before.
static void checkInstances(Check *check, size_t numCores) {
  InstanceTouch *items = berthAllocateOrDie(check->count + 1, sizeof *items);
  size_t *busyUntil = berthAllocateOrDie(numCores + 1, sizeof *busyUntil);
  size_t count = findInstances(check, items);
  bool skips = false;
  qsort(items, count, sizeof *items, compareInstances);
  for (size_t begin = 0, end; begin < count; begin = end) {
    uint32_t root = items[begin].touch->access.root;
    if (begin == 0 || items[begin - 1].touch->access.root != root) {
      memset(busyUntil, 0, numCores * sizeof *busyUntil);
      skips = isInStep(&items[begin], count - begin);
    }
    for (end = begin; end < count && items[end].touch->access.root == root &&
                      items[end].instance == items[begin].instance;
         ++end)
      for (size_t core = 0; !skips && core < numCores; ++core)
        if ((int)core != items[end].touch->core &&
            busyUntil[core] > items[end].touch->phase)
          report(check, check->views->roots[root].view,
                 items[end].touch->access.op, BERTH_MEETING_NEXT_TURN);
    for (size_t i = begin; i < end; ++i) {
      const Touch *touch = items[i].touch;
      if (busyUntil[touch->core] <= touch->phase)
        busyUntil[touch->core] = touch->phase + 1;
    }
  }
  free(busyUntil);
  free(items);
}

//===----------------------------------------------------------------------===//
// The whole
//===----------------------------------------------------------------------===//

/// One run, with loops of unknown length run so often. Without bytes in common
/// nothing but `next` is asked: whether turns and calls meet.
static bool checkRun(Check *check, MlirOperation scope, size_t mostTurns,
                     bool haveCommon, bool next, bool returns) {
  BerthTrace trace = berthTraceOf(scope, mostTurns);
  bool haveOwnBranches = true;
  bool isKnown = mlirOperationIsNull(trace.failedAt);
  check->count = 0;
  if (isKnown) {
    collect(check, &trace);
    haveOwnBranches = findCores(check, &trace);
    if (next && berthNumCores() > 1)
      checkInstances(check, (size_t)berthNumCores());
    if (check->count)
      qsort(check->touches, check->count, sizeof *check->touches,
            compareTouches);
    dropRepeated(check);
    if (haveCommon)
      checkPhases(check);
    if (haveCommon && haveOwnBranches)
      checkContents(check);
  } else if (haveCommon) {
    report(check, trace.failedAt, (MlirOperation){NULL}, BERTH_MEETING_UNKNOWN);
  }
  berthTraceFree(&trace);
  if (next && !isKnown) {
    trace = traceOfText(scope);
    collect(check, &trace);
    berthTraceFree(&trace);
  }
  if (next)
    checkNext(check, scope, isKnown, returns);
  return haveCommon && haveOwnBranches;
}

bool berthVerifyMeetings(const BerthViews *views, MlirOperation scope,
                         bool returns, BerthMeetingCallback callback,
                         void *userData) {
  bool arePlaced = false;
  for (size_t i = 0; i < views->numRoots; ++i)
    arePlaced |= !mlirOperationIsNull(views->roots[i].view);
  if (!berthHasConcurrentUnits() || !arePlaced)
    return false;
  Check check = {.views = views, .callback = callback, .userData = userData};
  bool haveOwnBranches = false, haveCommon = findAllNeighbours(views, NULL);
  if (haveCommon)
    haveOwnBranches |= checkRun(&check, scope, 0, true, false, returns);
  haveOwnBranches |= checkRun(&check, scope, 3, haveCommon, true, returns);
  free(check.touches);
  berthPointerMapFree(&check.reported);
  return haveOwnBranches;
}
