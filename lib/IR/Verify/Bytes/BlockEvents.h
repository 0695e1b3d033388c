//===- BlockEvents.h - The transfers of a block, as they come ------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Makes one transfer map of the events of a block and of the maps of the ops in
// it. A write spoils what is *open* where it goes: the buffers touched so far
// that may be valid. Spoiled once, they are not open before they are written
// again, so the work is that of the block's own writes. What is not touched in
// the block is told by the cells.
//
//===----------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_VERIFY_BYTES_BLOCKEVENTS_H
#define BERTH_LIB_IR_VERIFY_BYTES_BLOCKEVENTS_H

#include "IR/Verify/Bytes/BlockState.h"
#include "IR/Verify/Bytes/Events.h"

typedef struct BerthCollector {
  BerthSpans *spans;
  const BerthTurns *turns;  ///< or NULL
  BerthTransfer *transfers; ///< by root
  bool *isTouched;          ///< by root
  uint32_t *touched;
  size_t numTouched;
  BerthSpanSet open;
  BerthContentState *stateOf; ///< by cell: of what was valid; 0: as it was
  uint32_t *nextCell;         ///< by cell: some way on to the next with 0
  uint32_t *cells;            ///< those without 0
  size_t numCells;
} BerthCollector;

BerthCollector berthCollectorCreate(BerthSpans *spans, const BerthTurns *turns);
void berthCollectorFree(BerthCollector *collector);

void berthCollectEvent(BerthCollector *collector, const BerthEvent *event);
void berthCollectMap(BerthCollector *collector, const BerthTransferMap *map);
/// The map of all that has come since the last call.
BerthTransferMap berthCollectorTake(BerthCollector *collector,
                                    BerthMemory *memory);

#endif // BERTH_LIB_IR_VERIFY_BYTES_BLOCKEVENTS_H
