//===- JsonFit.c - JSON to fit plan --------------------------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//

#include "IO/JsonFit.h"
#include "IO/Words.h"
#include "Support/Allocate.h"

static void readStay(BerthJsonProblem *reader) {
  enum { BUFFER, LOWER, UPPER, OFFSET, FILL, SPILL, MADE };
  static const char *const keys[] = {"buffer", "lower", "upper", "offset",
                                     "fill",   "spill", "made",  NULL};
  BerthJsonReader *json = &reader->json;
  BerthDocument *document = reader->document;
  BerthJsonObject object;
  BerthStay stay = {0};
  berthJsonEnterObject(json, &object, "a stay", keys);
  for (int key; (key = berthJsonNextKey(json, &object)) >= 0;) {
    if (key == BUFFER)
      stay.buffer = berthJsonBufferReference(reader);
    else if (key == LOWER)
      stay.lower = berthJsonInteger(json, INT64_MIN, INT64_MAX, "lower");
    else if (key == UPPER)
      stay.upper = berthJsonInteger(json, INT64_MIN, INT64_MAX, "upper");
    else if (key == OFFSET)
      stay.offset = berthJsonInteger(json, 0, INT64_MAX, "offset");
    else if (key == FILL)
      stay.filled = berthJsonBoolean(json, "fill");
    else if (key == SPILL)
      stay.spilled = berthJsonBoolean(json, "spill");
    else
      stay.made = berthJsonBoolean(json, "made");
  }
  for (int key = BUFFER; key <= OFFSET; ++key)
    berthJsonRequire(json, &object, key);
  if (berthReserve(&document->fit.stays, &document->capStays,
                   document->fit.numStays + 1))
    document->fit.stays[document->fit.numStays++] = stay;
  else
    berthJsonOutOfMemory(json);
}

static const char *statusName(int index) {
  return berthPlanStatusName((BerthPlanStatus)index);
}

void berthJsonReadFit(BerthJsonProblem *reader) {
  enum { STATUS, FIRST_FIGURE, NUM_FIGURES = 11, STAYS = 11, MADE = 12 };
  static const char *const keys[] = {
      "status",         "fill",       "spill",      "access",
      "cost",           "cost_bound", "bytes_in",   "bytes_out",
      "bytes_accessed", "peak",       "peak_bound", "stays",
      "bytes_made",     NULL};
  BerthJsonReader *json = &reader->json;
  BerthFitPlan *fit = &reader->document->fit;
  BerthFitOptions *options = &reader->document->fitOptions;
  int64_t *figures[NUM_FIGURES] = {
      &options->fill,  &options->spill, &options->access, &fit->cost,
      &fit->costBound, &fit->bytesIn,   &fit->bytesOut,   &fit->bytesAccessed,
      &fit->peak,      &fit->peakBound, &fit->bytesMade};
  BerthJsonObject object;
  berthJsonEnterObject(json, &object, "the fit", keys);
  for (int key; (key = berthJsonNextKey(json, &object)) >= 0;) {
    if (key == STATUS) {
      fit->status =
          (BerthPlanStatus)berthJsonWord(json, "status", statusName, 4);
    } else if (key == STAYS) {
      berthJsonEnterArray(json);
      while (berthJsonNextElement(json))
        readStay(reader);
    } else {
      // What nothing is made again in may leave that figure out.
      *figures[key == MADE ? NUM_FIGURES - 1 : key - FIRST_FIGURE] =
          berthJsonInteger(json, 0, INT64_MAX, keys[key]);
    }
  }
  for (int key = STATUS; key <= STAYS; ++key)
    berthJsonRequire(json, &object, key);
  reader->document->hasFit = true;
}
