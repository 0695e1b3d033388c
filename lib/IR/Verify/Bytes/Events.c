//===- Events.c - What one op does, as a sequence of events ---------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Verify/Bytes/Events.h"
#include "IR/Ops/OrDie.h"

#include <stdlib.h>

static void add(BerthEvents *events, BerthEvent event) {
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
    BerthEvent event = {.kind = BERTH_EVENT_OVERWRITE, .root = set->ids[k]};
    if (!mlirOperationIsNull(root->spoiltBy)) {
      event.kind = BERTH_EVENT_SPOIL;
      event.writer = numberOf(events, root->spoiltBy);
    }
    add(events, event);
  }
}

void berthEventsOfBlock(BerthEvents *events, const BerthViews *views,
                        MlirBlock block) {
  events->count = 0;
  intptr_t numArguments = mlirBlockGetNumArguments(block);
  for (intptr_t i = 0; i < numArguments; ++i)
    addBinding(events, views, mlirBlockGetArgument(block, i));
}

void berthEventsOfResults(BerthEvents *events, const BerthViews *views,
                          MlirOperation op) {
  events->count = 0;
  bool hasMerges = views->firstMerge < views->firstInstance;
  intptr_t numResults = hasMerges ? mlirOperationGetNumResults(op) : 0;
  for (intptr_t i = 0; i < numResults; ++i)
    addBinding(events, views, mlirOperationGetResult(op, i));
}

/// Here begins what overwrites some buffers.
static void addCovers(BerthEvents *events, MlirOperation op) {
  if (!events->covers)
    return;
  const BerthCovers *covers = events->covers;
  for (size_t i = berthPointerMapFind(&covers->firstOf, op.ptr);
       i != BERTH_NOT_FOUND; i = covers->items[i].next)
    add(events,
        (BerthEvent){BERTH_EVENT_OVERWRITE, covers->items[i].root, 0, op, 0});
}

void berthEventsOf(BerthEvents *events, const BerthViews *views,
                   MlirOperation op, bool withNested) {
  events->count = 0;
  addCovers(events, op);
  uint32_t root;
  if (berthViewsMakes(views, op, &root)) {
    events->accesses.count = 0;
    addMake(events, views, root, op);
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
  case BERTH_EVENT_READ:
  case BERTH_EVENT_HAND_ON:
    break;
  }
  return berthTransferNothing;
}

bool berthReadsWhatItWrites(const BerthEvents *events,
                            const BerthViews *views) {
  const BerthRootAccesses *list = &events->accesses;
  for (size_t i = 0; i < list->count; ++i)
    for (size_t k = 0; k < list->count; ++k)
      if (list->items[i].reads && list->items[k].writes &&
          berthViewsOverlap(views, list->items[i].root, list->items[k].root) &&
          !berthIsInPlace(views, &list->items[i], &list->items[k]))
        return true;
  return false;
}

void berthEventsFree(BerthEvents *events) {
  free(events->items);
  free(events->writers);
  berthPointerMapFree(&events->numberOf);
  berthRootAccessesFree(&events->accesses);
}
