//===- JsonFit.c - JSON to fit plan --------------------------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//

#include "IO/Json/JsonFit.h"
#include "IO/Text/Words.h"
#include "Support/Allocate.h"

static void readStay(BerthJsonProblem *reader) {
  enum { BUFFER, LOWER, UPPER, OFFSET, FILL, SPILL, MADE, TILED };
  static const char *const keys[] = {"buffer", "lower", "upper",
                                     "offset", "fill",  "spill",
                                     "made",   "tiled", NULL};
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
    else if (key == MADE)
      stay.made = berthJsonBoolean(json, "made");
    else
      stay.tiled = berthJsonBoolean(json, "tiled");
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
  enum { STATUS, FIRST_FIGURE, STAYS = 11, MADE, MOVE };
  static const char *const keys[] = {
      "status",     "fill",     "spill",      "access",         "cost",
      "cost_bound", "bytes_in", "bytes_out",  "bytes_accessed", "peak",
      "peak_bound", "stays",    "bytes_made", "move",           NULL};
  BerthJsonReader *json = &reader->json;
  BerthFitPlan *fit = &reader->document->fit;
  BerthFitOptions *options = &reader->document->fitOptions;
  int64_t *figures[STAYS - FIRST_FIGURE] = {
      &options->fill,  &options->spill, &options->access, &fit->cost,
      &fit->costBound, &fit->bytesIn,   &fit->bytesOut,   &fit->bytesAccessed,
      &fit->peak,      &fit->peakBound};
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
      // Where nothing is made again, or a move costs its bytes only, that may
      // be left out.
      *(key == MADE   ? &fit->bytesMade
        : key == MOVE ? &options->move
                      : figures[key - FIRST_FIGURE]) =
          berthJsonInteger(json, 0, key == MOVE ? INT64_C(1) << 40 : INT64_MAX,
                           keys[key]);
    }
  }
  for (int key = STATUS; key <= STAYS; ++key)
    berthJsonRequire(json, &object, key);
  reader->document->hasFit = true;
}
