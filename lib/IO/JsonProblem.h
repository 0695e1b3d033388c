//===- JsonProblem.h - The schema of problems and plans ------------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//
//
// The state of reading one document, shared by the reader of its problem
// (JsonProblem.c) and that of its plan (JsonPlan.c). docs/json.md states the
// schema.
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

/// Each reads a reference to an element: its index, or its id.
uint32_t jsonBufferReference(JsonProblem *reader);
uint32_t jsonCutReference(JsonProblem *reader);
uint32_t jsonPoolReference(JsonProblem *reader);

/// Reads the value of "plan" into the document.
void jsonReadPlan(JsonProblem *reader);

#endif // BERTH_LIB_IO_JSONPROBLEM_H
