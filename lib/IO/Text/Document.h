//===- Document.h - A parsed input --------------------------------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//
//
// What the readers fill in. Invariant: once parsed, positions[i] is where
// buffer i stands in the text (its id cell in a CSV, its object in a JSON).
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_IO_TEXT_DOCUMENT_H
#define BERTH_LIB_IO_TEXT_DOCUMENT_H

#include "IO/Text/Span.h"
#include "berth-c/IO.h"

struct BerthDocument {
  char *text; ///< NUL-terminated, which is not counted in length
  size_t length;
  BerthFormat format;
  BerthProblem *problem;
  size_t *positions;
  size_t numPositions;
  size_t capPositions;
  bool hasPlan;
  BerthPlan plan;
  char *packerName; ///< what plan.packer points to, or NULL
  bool hasFit;
  BerthFitPlan fit;
  size_t capStays;
  BerthFitOptions fitOptions;
};

static inline BerthSpan berthDocumentText(const BerthDocument *document) {
  return (BerthSpan){document->text, document->length};
}

/// The problem so far; NULL if its builder ran out of memory.
const BerthProblemData *berthDocumentData(const BerthDocument *document);

/// Adds a buffer that stands at `position`. False if out of memory.
bool berthDocumentAddBuffer(BerthDocument *document, const BerthBuffer *buffer,
                            size_t position);

/// Gives the document a plan with all offsets 0, no cuts bought, and figures
/// BERTH_NONE, which are computed at the end unless the text states them. False
/// if out of memory; there is no plan then.
bool berthDocumentStartPlan(BerthDocument *document);

/// Where the core, which knows of no file, blames a buffer by its name: sets
/// the error's line and column to those of the first that it names in quotes.
void berthDocumentLocateNamed(const BerthDocument *document, BerthError *error);

#endif // BERTH_LIB_IO_TEXT_DOCUMENT_H
