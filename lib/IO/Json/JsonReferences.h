//===- JsonReferences.h - Elements by index or by id ------------ C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_IO_JSON_JSONREFERENCES_H
#define BERTH_LIB_IO_JSON_JSONREFERENCES_H

#include "IO/Json/JsonReader.h"
#include "IO/Text/Document.h"
#include "IO/Text/Names.h"

/// A document under way: what all that read a part of it share.
typedef struct BerthJsonProblem {
  BerthJsonReader json;
  BerthDocument *document;
  BerthNames buffers; ///< built once something refers to a buffer by its id
  BerthNames cuts;
  BerthNames pools;
} BerthJsonProblem;

/// Each reads a reference to an element: its index, or its id. 0 after a
/// failure.
uint32_t berthJsonBufferReference(BerthJsonProblem *reader);
uint32_t berthJsonCutReference(BerthJsonProblem *reader);
uint32_t berthJsonPoolReference(BerthJsonProblem *reader);

/// Behind all cuts, or pools, which begin at `start`: fails where two have one
/// id.
void berthJsonCheckCutIds(BerthJsonProblem *reader, size_t start);
void berthJsonCheckPoolIds(BerthJsonProblem *reader, size_t start);

#endif // BERTH_LIB_IO_JSON_JSONREFERENCES_H
