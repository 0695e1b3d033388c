//===- JsonBuffer.h - JSON to buffer ---------------------------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_IO_JSONBUFFER_H
#define BERTH_LIB_IO_JSONBUFFER_H

#include "IO/JsonReferences.h"

/// The life of one buffer under way; its arrays serve one buffer after another.
typedef struct JsonLife {
  BerthSegment *segments;
  size_t numSegments;
  size_t capSegments;
  BerthGap *gaps;
  size_t numGaps;
  size_t capGaps;
} JsonLife;

/// Reads [first, second]. `what` names it in messages.
void berthJsonReadPair(JsonReader *json, const char *what, int64_t *first,
                       int64_t *second);

/// Reads one element of "buffers" into the document.
void berthJsonReadBuffer(JsonProblem *reader, JsonLife *life);

#endif // BERTH_LIB_IO_JSONBUFFER_H
