//===- Events.h - What one op does, as a sequence of events --------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_VERIFY_BYTES_EVENTS_H
#define BERTH_LIB_IR_VERIFY_BYTES_EVENTS_H

#include "IR/Verify/Bytes/BlockState.h"
#include "IR/Verify/Bytes/Covers.h"
#include "IR/Verify/Bytes/Turns.h"
#include "IR/Verify/Roots/Access.h"

typedef enum BerthEventKind {
  BERTH_EVENT_MAKE,      ///< the buffer's view is made anew
  BERTH_EVENT_REPLACE,   ///< what an argument holds is no longer the newest, or
                         ///< loops have written over the buffer (Turns.h)
  BERTH_EVENT_READ,      ///< the buffer is read
  BERTH_EVENT_HAND_ON,   ///< it is `handedTo` from here on
  BERTH_EVENT_SPOIL,     ///< what is handed to it was spoilt before
  BERTH_EVENT_CLOBBER,   ///< it is written: those that overlap it lose theirs
  BERTH_EVENT_WRITE,     ///< some of the buffer is written
  BERTH_EVENT_OVERWRITE, ///< all of it is
  // Of places of a content (Contents.h):
  BERTH_EVENT_FRESH, ///< it is made: it holds anything
  BERTH_EVENT_STALE, ///< another place is written
} BerthEventKind;

typedef struct BerthEvent {
  BerthEventKind kind;
  uint32_t root;
  uint32_t writer; ///< for CLOBBER and SPOIL: the number of the writing op
  MlirOperation op;
  uint32_t handedTo;
} BerthEvent;

/// The events of one op, and the numbers of all ops that were seen to write.
/// Zero-initialise; then berthEventsFree.
typedef struct BerthEvents {
  BerthEvent *items;
  size_t count, capacity;
  BerthRootAccesses accesses;
  BerthPointerMap numberOf; ///< writing op -> its number
  MlirOperation *writers;   ///< by number
  size_t numWriters, writerCapacity;
  const BerthCovers *covers; ///< or NULL
  const BerthTurns *turns;   ///< or NULL
  bool isUnordered;          ///< writes spoil no other buffer
} BerthEvents;

/// Replaces the events by those of entering a block: its arguments are bound.
void berthEventsOfBlock(BerthEvents *events, const BerthViews *views,
                        MlirBlock block);

/// Replaces the events by those of leaving an op: its results are bound, and
/// what its turns have written over is gone.
void berthEventsOfResults(BerthEvents *events, const BerthViews *views,
                          MlirOperation op);

/// Replaces the events by those of `op`, with all that is nested in it, as if
/// at once, if `withNested`.
void berthEventsOf(BerthEvents *events, const BerthViews *views,
                   MlirOperation op, bool withNested);

/// What the event does to its own buffer, or, for CLOBBER, to each other one
/// that overlaps it.
BerthTransfer berthEventTransfer(const BerthEvent *event);

/// The op with that number.
MlirOperation berthEventsWriter(const BerthEvents *events, uint32_t number);

/// True if the op of the last berthEventsOf reads one buffer while it writes an
/// overlapping one, other than provably in place.
bool berthReadsWhatItWrites(const BerthEvents *events, const BerthViews *views);

void berthEventsFree(BerthEvents *events);

#endif // BERTH_LIB_IR_VERIFY_BYTES_EVENTS_H
