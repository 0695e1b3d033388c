//===- Events.c - What one op does, as a sequence of events ---------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Verify/Bytes/Events.h"
#include "IR/Ops/Attributes.h"
#include "IR/Ops/OpTable.h"
#include "IR/Ops/OrDie.h"
#include "IR/Verify/Bytes/Makers.h"
#include "IR/Verify/Roots/Contents.h"
#include "IR/Verify/Roots/Moves.h"

#include <stdlib.h>

static void add(BerthEvents *events, BerthEvent event) {
  if (events->isUnordered && event.kind == BERTH_EVENT_CLOBBER)
    return;
  events->items = berthGrow(events->items, events->count, &events->capacity,
                            sizeof *events->items);
  events->items[events->count++] = event;
}

static uint32_t numberOf(BerthEvents *events, MlirOperation op) {
  size_t number = berthPointerMapFind(&events->numberOf, op.ptr);
  if (number != BERTH_NOT_FOUND)
    return (uint32_t)number;
  events->writers = berthGrow(events->writers, events->numWriters,
                              &events->writerCapacity, sizeof *events->writers);
  berthPointerMapInsert(&events->numberOf, op.ptr, events->numWriters);
  events->writers[events->numWriters] = op;
  return (uint32_t)events->numWriters++;
}

MlirOperation berthEventsWriter(const BerthEvents *events, uint32_t number) {
  return events->writers[number];
}

static bool isInstance(const BerthViews *views, uint32_t root) {
  return views->roots[root].instanceOf != BERTH_NO_ROOT;
}

static void addReads(BerthEvents *events, const BerthViews *views) {
  for (size_t i = 0; i < events->accesses.count; ++i) {
    const BerthRootAccess *access = &events->accesses.items[i];
    // The arena as a whole has no content of its own.
    if (access->reads && !views->roots[access->root].isBase)
      add(events,
          (BerthEvent){BERTH_EVENT_READ, access->root, 0, access->op, 0});
    if (access->isHandedOn)
      add(events, (BerthEvent){BERTH_EVENT_HAND_ON, access->root, 0, access->op,
                               access->handedTo});
  }
}

/// Of two overlapping buffers that an op writes through two operands neither
/// has its content.
static void addMutual(BerthEvents *events, const BerthViews *views) {
  const BerthRootAccesses *list = &events->accesses;
  for (size_t i = 0; i < list->count; ++i)
    for (size_t k = 0; k < list->count; ++k) {
      const BerthRootAccess *a = &list->items[i], *b = &list->items[k];
      bool isOne = mlirOperationEqual(a->op, b->op) && a->operand == b->operand;
      if (isOne || !a->writes || !b->writes || isInstance(views, a->root) ||
          !berthViewsOverlap(views, a->root, b->root))
        continue;
      add(events, (BerthEvent){BERTH_EVENT_CLOBBER, a->root,
                               numberOf(events, a->op), a->op, 0});
      break;
    }
}

/// It is one to the buffer as all merges have it, too; but where these may have
/// an earlier instance, not even an overwrite makes it good again.
static void addWrite(BerthEvents *events, const BerthViews *views,
                     BerthEventKind kind, const BerthRootAccess *access) {
  add(events, (BerthEvent){kind, access->root, 0, access->op, 0});
  uint32_t buffer = views->roots[access->root].mergedFrom;
  if (buffer != BERTH_NO_ROOT)
    add(events, (BerthEvent){BERTH_EVENT_WRITE, buffer, 0, access->op, 0});
  for (uint32_t i = (uint32_t)views->firstMerge; i < views->firstInstance; ++i)
    if (i != access->root && berthViewsAreOneBuffer(views, i, access->root))
      add(events,
          (BerthEvent){views->roots[i].isNewest ? kind : BERTH_EVENT_WRITE, i,
                       0, access->op, 0});
}

/// First what the writes do to others, then what they do to their own buffers:
/// a value that may be one of two overlapping buffers spoils either.
static void addWrites(BerthEvents *events, const BerthViews *views) {
  for (size_t i = 0; i < events->accesses.count; ++i) {
    const BerthRootAccess *access = &events->accesses.items[i];
    if (access->writes && !isInstance(views, access->root))
      add(events, (BerthEvent){BERTH_EVENT_CLOBBER, access->root,
                               numberOf(events, access->op), access->op, 0});
  }
  for (size_t i = 0; i < events->accesses.count; ++i) {
    const BerthRootAccess *access = &events->accesses.items[i];
    BerthEventKind kind =
        access->overwrites ? BERTH_EVENT_OVERWRITE : BERTH_EVENT_WRITE;
    if (access->writes && !isInstance(views, access->root))
      addWrite(events, views, kind, access);
  }
}

/// A new instance: what merges and block arguments hold of the old ones is
/// gone.
static void addMake(BerthEvents *events, const BerthViews *views, uint32_t root,
                    MlirOperation op) {
  add(events, (BerthEvent){BERTH_EVENT_MAKE, root, 0, op, 0});
  for (uint32_t i = (uint32_t)views->firstMerge; i < views->numRoots; ++i)
    if (views->roots[i].instanceOf == root ||
        views->roots[i].mergedFrom == root)
      add(events,
          (BerthEvent){BERTH_EVENT_REPLACE, i, numberOf(events, op), op, 0});
}

/// What the value holds from here on.
static void addBinding(BerthEvents *events, const BerthViews *views,
                       MlirValue value) {
  const BerthRootSet *set = berthViewsFind(views, value);
  for (size_t k = 0; set && k < set->count; ++k) {
    const BerthRoot *root = &views->roots[set->ids[k]];
    if (!mlirValueEqual(root->holder, value))
      continue;
    bool isUnset = root->mergedFrom != BERTH_NO_ROOT && !root->isWritten;
    BerthEvent event = {.kind =
                            isUnset ? BERTH_EVENT_MAKE : BERTH_EVENT_OVERWRITE,
                        .root = set->ids[k]};
    if (!mlirOperationIsNull(root->spoiltBy)) {
      event.kind = BERTH_EVENT_SPOIL;
      event.writer = numberOf(events, root->spoiltBy);
    }
    add(events, event);
  }
}

typedef struct Outdating {
  BerthEvents *events;
  MlirOperation op;
} Outdating;

/// What is computed again would not be what it was.
static void outdate(uint32_t place, void *userData) {
  const Outdating *outdating = userData;
  MlirOperation op = outdating->op;
  add(outdating->events, (BerthEvent){BERTH_EVENT_REPLACE, place,
                                      numberOf(outdating->events, op), op, 0});
}

void berthEventsOfBlock(BerthEvents *events, const BerthViews *views,
                        MlirBlock block) {
  events->count = 0;
  Outdating outdating = {events, mlirBlockGetParentOperation(block)};
  intptr_t numArguments = mlirBlockGetNumArguments(block);
  for (intptr_t i = 0; i < numArguments; ++i) {
    MlirValue argument = mlirBlockGetArgument(block, i);
    addBinding(events, views, argument);
    if (views->contents)
      berthMakersForEachOf(views->contents->makers, argument, outdate,
                           &outdating);
  }
}

void berthEventsOfResults(BerthEvents *events, const BerthViews *views,
                          MlirOperation op) {
  events->count = 0;
  bool hasMerges = views->firstMerge < views->firstInstance;
  intptr_t numResults = hasMerges ? mlirOperationGetNumResults(op) : 0;
  for (intptr_t i = 0; i < numResults; ++i)
    addBinding(events, views, mlirOperationGetResult(op, i));
  const BerthTurns *turns = events->isUnordered ? NULL : events->turns;
  size_t turn =
      turns ? berthPointerMapFind(&turns->firstOfTop, op.ptr) : BERTH_NOT_FOUND;
  for (; turn != BERTH_NOT_FOUND; turn = turns->items[turn].nextOfTop) {
    MlirOperation write = turns->items[turn].write;
    add(events, (BerthEvent){BERTH_EVENT_REPLACE, turns->items[turn].root,
                             numberOf(events, write), write, 0});
  }
}

/// Here begins what overwrites some buffers, as all merges have them that
/// cannot have an earlier instance.
static void addCovers(BerthEvents *events, const BerthViews *views,
                      MlirOperation op) {
  if (!events->covers)
    return;
  const BerthCovers *covers = events->covers;
  for (size_t i = berthPointerMapFind(&covers->firstOf, op.ptr);
       i != BERTH_NOT_FOUND; i = covers->items[i].next) {
    uint32_t root = covers->items[i].root;
    add(events, (BerthEvent){BERTH_EVENT_OVERWRITE, root, 0, op, 0});
    for (uint32_t k = (uint32_t)views->firstMerge; k < views->firstInstance;
         ++k)
      if (views->roots[k].isNewest && berthViewsAreOneBuffer(views, k, root))
        add(events, (BerthEvent){BERTH_EVENT_OVERWRITE, k, 0, op, 0});
  }
}

//===----------------------------------------------------------------------===//
// Places of contents
//===----------------------------------------------------------------------===//

typedef struct Marks {
  BerthEvents *events;
  const BerthContents *contents;
  MlirOperation op;
  MlirOperation around; ///< while what is nested in it is looked at
} Marks;

static void addPlaceEvent(const Marks *marks, BerthEventKind kind,
                          uint32_t place) {
  add(marks->events,
      (BerthEvent){kind, place, numberOf(marks->events, marks->op), marks->op,
                   0});
}

/// To all places of the content but one, which may be BERTH_NO_ROOT.
static void addToPlaces(const Marks *marks, BerthEventKind kind, size_t content,
                        uint32_t but) {
  for (uint32_t place = marks->contents->items[content].firstPlace;
       place != BERTH_NO_ROOT; place = marks->contents->nextPlace[place])
    if (place != but)
      addPlaceEvent(marks, kind, place);
}

static void beginContent(size_t content, void *userData) {
  addToPlaces(userData, BERTH_EVENT_MAKE, content, BERTH_NO_ROOT);
}

static void copyContent(size_t content, void *userData) {
  const Marks *marks = userData;
  uint32_t source = marks->contents->items[content].sourcePlace;
  addToPlaces(marks, BERTH_EVENT_STALE, content, source);
  if (source != BERTH_NO_ROOT)
    addPlaceEvent(marks, BERTH_EVENT_OVERWRITE, source);
}

static void readSource(size_t content, void *userData) {
  const Marks *marks = userData;
  if (marks->contents->items[content].sourcePlace != BERTH_NO_ROOT)
    addPlaceEvent(marks, BERTH_EVENT_READ,
                  marks->contents->items[content].sourcePlace);
}

static void spoilSource(size_t content, void *userData) {
  const Marks *marks = userData;
  if (marks->contents->items[content].sourcePlace != BERTH_NO_ROOT)
    addPlaceEvent(marks, BERTH_EVENT_SPOIL,
                  marks->contents->items[content].sourcePlace);
}

static void forEachPlaceOf(const Marks *marks, MlirValue value,
                           BerthEventKind kind) {
  const BerthRootSet *set = berthViewsFind(&marks->contents->views, value);
  for (size_t i = 0; set && i < set->count; ++i)
    addPlaceEvent(marks, kind, set->ids[i]);
}

/// A place that is itself a content may go on in another one; whether it does
/// is seen in that one's layer.
static void addFree(const Marks *marks, MlirValue freed) {
  const BerthContents *contents = marks->contents;
  const BerthRootSet *set = berthViewsFind(&contents->views, freed);
  for (size_t i = 0; set && i < set->count; ++i)
    if (mlirAttributeIsNull(contents->slotOf[set->ids[i]]))
      addPlaceEvent(marks, BERTH_EVENT_SPOIL, set->ids[i]);
}

static void addMove(const Marks *marks, size_t content, bool isAtOnce) {
  const BerthContents *contents = marks->contents;
  MlirValue from, to;
  BerthMoveKind kind = berthGetMove(marks->op, &from, &to);
  if (kind == BERTH_MOVE_NONE)
    return;
  const BerthRootSet *source = berthViewsFind(&contents->views, from);
  const BerthRootSet *target = berthViewsFind(&contents->views, to);
  bool isWhole = target && target->count == 1 && target->isWhole &&
                 (!source || (source->count == 1 && source->isWhole));
  forEachPlaceOf(marks, from, BERTH_EVENT_READ);
  if (!source)
    readSource(content, (void *)marks);
  bool isThere = isWhole && !isAtOnce && kind != BERTH_MOVE_START;
  forEachPlaceOf(marks, to,
                 isThere ? BERTH_EVENT_OVERWRITE : BERTH_EVENT_SPOIL);
}

/// All that an op does to places but accesses. What stands in regions whose
/// order nobody knows is as bad as can be.
static void addMarks(Marks *marks, bool isAtOnce) {
  const BerthContents *contents = marks->contents;
  MlirOperation op = marks->op;
  size_t content;
  if (!isAtOnce)
    berthContentsForEachNamed(contents, op, BERTH_CONTENT_BEGINS, beginContent,
                              marks);
  berthContentsForEachNamed(contents, op, BERTH_CONTENT_COPIED,
                            isAtOnce ? spoilSource : copyContent, marks);
  // Before it is read: an op that does both may write too early.
  berthContentsForEachSpoilt(contents, op, spoilSource, marks);
  berthContentsForEachNamed(contents, op, BERTH_CONTENT_READ, readSource,
                            marks);
  uint32_t again = berthContentsAgainPlace(contents, op);
  if (again != BERTH_NO_ROOT && isAtOnce)
    addPlaceEvent(marks, BERTH_EVENT_SPOIL, again);
  if (again != BERTH_NO_ROOT)
    addPlaceEvent(marks, BERTH_EVENT_READ, again);
  if (berthContentsIsMove(contents, op, &content))
    addMove(marks, content, isAtOnce);
  uint32_t place = berthContentsMadePlace(contents, op);
  if (place != BERTH_NO_ROOT)
    addPlaceEvent(marks, isAtOnce ? BERTH_EVENT_SPOIL : BERTH_EVENT_FRESH,
                  place);
  if (berthOpIsFree(op) && mlirOperationGetNumOperands(op) == 1)
    addFree(marks, mlirOperationGetOperand(op, 0));
}

static MlirWalkResult addNestedMarks(MlirOperation op, void *userData) {
  Marks *marks = userData;
  if (mlirOperationEqual(op, marks->around))
    return MlirWalkResultAdvance; // its own marks are in order
  marks->op = op;
  addMarks(marks, true);
  return MlirWalkResultAdvance;
}

/// A write to one place leaves the others behind, but where it computes again
/// what the content was.
static void addStale(BerthEvents *events, const BerthContents *contents) {
  for (size_t i = 0; i < events->accesses.count; ++i) {
    const BerthRootAccess *access = &events->accesses.items[i];
    Marks marks = {.events = events, .contents = contents, .op = access->op};
    size_t content = contents->contentOf[access->root];
    if (access->writes &&
        !berthContentsIsComputedAgain(contents, access->op, content))
      addToPlaces(&marks, BERTH_EVENT_STALE, content, access->root);
  }
}

/// What the op has made can be computed again from here on, if it has made all.
static void addMade(uint32_t place, void *userData) {
  const Marks *marks = userData;
  const BerthContents *contents = marks->contents;
  const BerthRootAccesses *list = &marks->events->accesses;
  for (size_t i = 0; i < list->count; ++i)
    if (list->items[i].overwrites &&
        contents->contentOf[list->items[i].root] == contents->contentOf[place])
      addPlaceEvent(marks, BERTH_EVENT_OVERWRITE, place);
}

static void addContentEvents(BerthEvents *events, const BerthContents *contents,
                             MlirOperation op, bool withNested) {
  Marks marks = {.events = events, .contents = contents, .op = op};
  const BerthCovers *covers = events->covers;
  size_t cover =
      covers ? berthPointerMapFind(&covers->firstOf, op.ptr) : BERTH_NOT_FOUND;
  for (; cover != BERTH_NOT_FOUND; cover = covers->items[cover].next)
    beginContent(covers->items[cover].root, &marks);
  bool isAtOnce =
      berthRootAccessesOf(&events->accesses, &contents->views, op, withNested);
  addMarks(&marks, false);
  marks.around = op;
  if (withNested && mlirOperationGetNumRegions(op) > 0)
    mlirOperationWalk(op, addNestedMarks, &marks, MlirWalkPreOrder);
  if (!isAtOnce)
    addReads(events, &contents->views);
  addStale(events, contents);
  for (size_t i = 0; i < events->accesses.count; ++i) {
    const BerthRootAccess *access = &events->accesses.items[i];
    if (access->writes)
      add(events, (BerthEvent){access->overwrites ? BERTH_EVENT_OVERWRITE
                                                  : BERTH_EVENT_WRITE,
                               access->root, 0, access->op, 0});
  }
  if (isAtOnce)
    addReads(events, &contents->views);
  Outdating outdating = {events, op};
  berthMakersForEachMade(contents->makers, op, addMade, &marks);
  berthMakersForEachChanged(contents->makers, op, withNested, outdate,
                            &outdating);
}

/// True if the op uses two places of one content, and writes one of them: what
/// it writes is not seen in the other.
static bool usesTwoPlaces(const BerthEvents *events,
                          const BerthContents *contents) {
  const BerthRootAccesses *list = &events->accesses;
  for (size_t i = 0; i < list->count; ++i)
    for (size_t k = 0; k < list->count; ++k) {
      uint32_t a = list->items[i].root, b = list->items[k].root;
      if (a != b && list->items[i].writes &&
          contents->contentOf[a] == contents->contentOf[b])
        return true;
    }
  return false;
}

//===----------------------------------------------------------------------===//
// One op
//===----------------------------------------------------------------------===//

void berthEventsOf(BerthEvents *events, const BerthViews *views,
                   MlirOperation op, bool withNested) {
  events->count = 0;
  if (views->contents) {
    addContentEvents(events, views->contents, op, withNested);
    return;
  }
  addCovers(events, views, op);
  uint32_t root;
  if (berthViewsMakesAnew(views, op, &root)) {
    const BerthRootSet *set =
        berthViewsFind(views, mlirOperationGetResult(op, 0));
    events->accesses.count = 0;
    for (size_t i = 0; i < set->count; ++i)
      addMake(events, views, set->ids[i], op);
    return;
  }
  bool isAtOnce = berthRootAccessesOf(&events->accesses, views, op, withNested);
  if (isAtOnce) {
    addWrites(events, views);
    addReads(events, views);
  } else {
    addReads(events, views);
    addWrites(events, views);
  }
  addMutual(events, views);
}

BerthTransfer berthEventTransfer(const BerthEvent *event) {
  const BerthContentState unset = BERTH_CONTENT_UNSET;
  const BerthContentState valid = BERTH_CONTENT_VALID;
  switch (event->kind) {
  case BERTH_EVENT_MAKE:
    return (BerthTransfer){unset, unset, unset};
  case BERTH_EVENT_CLOBBER:
  case BERTH_EVENT_REPLACE:
    return (BerthTransfer){unset, BERTH_CONTENT_CLOBBERED + event->writer,
                           BERTH_CONTENT_KEPT};
  case BERTH_EVENT_WRITE:
    return (BerthTransfer){valid, valid, BERTH_CONTENT_KEPT};
  case BERTH_EVENT_OVERWRITE:
    return (BerthTransfer){valid, valid, valid};
  case BERTH_EVENT_SPOIL:
    return (BerthTransfer){BERTH_CONTENT_CLOBBERED + event->writer,
                           BERTH_CONTENT_CLOBBERED + event->writer,
                           BERTH_CONTENT_CLOBBERED + event->writer};
  case BERTH_EVENT_FRESH:
    return (BerthTransfer){unset, BERTH_CONTENT_CLOBBERED + event->writer,
                           BERTH_CONTENT_CLOBBERED + event->writer};
  case BERTH_EVENT_STALE:
    return (BerthTransfer){BERTH_CONTENT_CLOBBERED + event->writer,
                           BERTH_CONTENT_CLOBBERED + event->writer,
                           BERTH_CONTENT_KEPT};
  case BERTH_EVENT_READ:
  case BERTH_EVENT_HAND_ON:
    break;
  }
  return berthTransferNothing;
}

bool berthReadsWhatItWrites(const BerthEvents *events,
                            const BerthViews *views) {
  const BerthRootAccesses *list = &events->accesses;
  if (views->contents)
    return usesTwoPlaces(events, views->contents);
  for (size_t i = 0; i < list->count; ++i)
    for (size_t k = 0; k < list->count; ++k)
      if (list->items[i].reads && list->items[k].writes &&
          berthViewsOverlap(views, list->items[i].root, list->items[k].root) &&
          !berthIsInPlace(views, &list->items[i], &list->items[k]) &&
          !berthTurnsSpare(events->turns, list->items[k].op,
                           list->items[i].root))
        return true;
  return false;
}

void berthEventsFree(BerthEvents *events) {
  free(events->items);
  free(events->writers);
  berthPointerMapFree(&events->numberOf);
  berthRootAccessesFree(&events->accesses);
}
