//===- JsonProblem.h - The schema of problems and plans ------------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//
//
// The state of reading one document, shared by the readers of the document as a
// whole (JsonProblem.c), of its buffers (JsonBuffer.c) and of its plan
// (JsonPlan.c). docs/json.md states the schema.
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_IO_JSONPROBLEM_H
#define BERTH_LIB_IO_JSONPROBLEM_H

#include "IO/Document.h"
#include "IO/Json.h"
#include "IO/Names.h"

typedef struct JsonProblem {
  JsonReader json;
  BerthDocument *document;
  Names buffers; ///< built once something refers to a buffer by its id
  Names cuts;
  Names pools;
} JsonProblem;

/// Arrays of one element under way, reused from one to the next.
typedef struct JsonScratch {
  BerthSegment *segments;
  size_t numSegments;
  size_t capSegments;
  BerthGap *gaps;
  size_t numGaps;
  size_t capGaps;
  BerthRange *ranges;
  size_t numRanges;
  size_t capRanges;
  uint32_t *cuts; ///< of all alternatives of an edge, one after the other
  size_t numCuts;
  size_t capCuts;
  BerthCutSet *alternatives;
  size_t numAlternatives;
  size_t capAlternatives;
} JsonScratch;

/// Each reads a reference to an element: its index, or its id.
uint32_t berthJsonBufferReference(JsonProblem *reader);
uint32_t berthJsonCutReference(JsonProblem *reader);
uint32_t berthJsonPoolReference(JsonProblem *reader);

/// Reads [first, second]. `what` names it in messages.
void berthJsonReadPair(JsonReader *json, const char *what, int64_t *first,
                       int64_t *second);

/// Reads one element of "buffers" into the document.
void berthJsonReadBuffer(JsonProblem *reader, JsonScratch *scratch);

/// Reads the value of "plan" into the document.
void berthJsonReadPlan(JsonProblem *reader);

#endif // BERTH_LIB_IO_JSONPROBLEM_H
