//===- FoldRemarks.c - What users are told of folding ---------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Fold/FoldRemarks.h"
#include "IO/Text/TextBuffer.h"
#include "IR/Facts/Facts.h"
#include "IR/Fold/FoldLoops.h"
#include "IR/Fold/FoldSurelyLive.h"
#include "IR/Ops/OrDie.h"
#include "mlir-c/BuiltinTypes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void berthFoldMissed(MlirOperation at, const char *why) {
  char message[512];
  snprintf(message, sizeof message, "not folded: %s", why);
  berthEmitRemark(at, BERTH_REMARK_MISSED, "berth-fold", message);
}

void berthFoldTellMore(const BerthFoldTrial *trial, BerthFoldRefusal *refusal) {
  const BerthFoldNest *nest = &trial->nest;
  size_t length = strlen(refusal->why), numLoads = 0, numStores = 0;
  char saves[96] = "";
  for (size_t k = 0; k < nest->numAccesses; ++k) {
    numLoads += nest->accesses[k].isLoad;
    numStores += nest->accesses[k].isStore;
  }
  if (mlirShapedTypeHasStaticShape(mlirValueGetType(nest->arrays[0]))) {
    int64_t before = berthFoldArrayCells(nest->arrays[0]),
            live = berthFoldSurelyLive(nest);
    if (live < (int64_t)trial->live)
      live = (int64_t)trial->live;
    snprintf(saves, sizeof saves, " and saves at most %lld cells of %lld",
             (long long)(before - live), (long long)before);
  }
  snprintf(refusal->why + length, sizeof refusal->why - length,
           " (%zu loads, %zu stores): needs more than %llu operations%s; "
           "max-operations=%llu allows each array ten times that",
           numLoads, numStores, (unsigned long long)trial->granted, saves,
           (unsigned long long)trial->granted * 10);
}

/// How often rows are copied, and how many.
static void printMoves(const BerthFoldTrial *trial, FILE *stream) {
  const BerthFoldWindow *window = &trial->window;
  int64_t by = window->slope * berthFoldStep(trial->loop),
          copied = window->size > by ? window->size - by : 0;
  if (window->turns == 1)
    fprintf(stream, ", which moves by %lld in each iteration", (long long)by);
  else
    fprintf(stream,
            ", which moves by %lld every %lld iterations through %lld rows",
            (long long)(by * window->turns), (long long)window->turns,
            (long long)berthFoldWindowRows(window, berthFoldStep(trial->loop)));
  if (copied)
    fprintf(stream, " (%lld copied)", (long long)copied);
}

/// "a ring of 3 along dimension 0", or what the mapping is.
static void printFold(const BerthFoldTrial *trial, FILE *stream) {
  const BerthFoldWindow *window = &trial->window;
  if (trial->placement) {
    berthFoldPrintPlacement(trial->problem, trial->placement, stream);
    return;
  }
  for (size_t i = 0; trial->problem && i < trial->result.numMappings; ++i) {
    fputs(i ? "; " : "", stream);
    berthFoldPrintMapping(trial->problem, &trial->result.mappings[i], stream);
  }
  if (trial->problem) {
    fputs(" by ", stream);
    berthFoldPrintMethod(&trial->result, stream);
    return;
  }
  fprintf(stream, "a %s of %lld along dimension %u",
          trial->isRing ? "ring" : "window", (long long)window->size,
          window->dim);
  if (!trial->isRing)
    printMoves(trial, stream);
}

/// ", 42 cells of 252, at most 40 live at once", where sizes are numbers.
static void printCells(const BerthFoldTrial *trial, FILE *stream) {
  int64_t before = 0;
  for (size_t a = 0; a < trial->nest.numArrays; ++a) {
    if (!mlirShapedTypeHasStaticShape(mlirValueGetType(trial->nest.arrays[a])))
      return;
    before += berthFoldArrayCells(trial->nest.arrays[a]);
  }
  fprintf(stream, ", %lld cells of %lld", (long long)trial->cells,
          (long long)before);
  if (trial->live)
    fprintf(stream, ", at most %llu live at once",
            (unsigned long long)trial->live);
}

void berthFoldAnnounce(const BerthFoldTrial *trial) {
  BerthTextBuffer text = {0};
  FILE *stream = berthOrDie(berthTextBufferOpen(&text));
  if (trial->nest.numArrays > 1)
    fprintf(stream, "folded %zu arrays into one: ", trial->nest.numArrays);
  else
    fprintf(stream, "folded: ");
  printFold(trial, stream);
  printCells(trial, stream);
  if (fclose(stream) != 0)
    berthOrDie(NULL);
  berthEmitRemark(mlirOpResultGetOwner(trial->nest.arrays[0]),
                  BERTH_REMARK_PASSED, "berth-fold", text.data);
  free(text.data);
}

void berthFoldRemarkUnplaced(const BerthFoldNest *nest,
                             const BerthFoldBudget *budget) {
  char message[300];
  snprintf(message, sizeof message,
           "%zu arrays were not packed by their live cells: together with all "
           "that joins arrays of the block that may take %llu of isl's "
           "operations; max-operations=%llu allows ten times that",
           nest->numArrays, (unsigned long long)budget->whole,
           (unsigned long long)budget->whole * 10);
  berthEmitRemark(mlirOpResultGetOwner(nest->arrays[0]), BERTH_REMARK_ANALYSIS,
                  "berth-fold", message);
}

void berthFoldRemarkPairs(MlirOperation at, const BerthFoldBudget *budget) {
  char message[300];
  snprintf(
      message, sizeof message,
      "%zu pairs of arrays were not tried together to the end: all pairs "
      "of the block may take %llu of isl's operations; max-operations=%llu "
      "allows ten times that",
      budget->numPairsLeft, (unsigned long long)budget->whole,
      (unsigned long long)budget->whole * 10);
  berthEmitRemark(at, BERTH_REMARK_ANALYSIS, "berth-fold", message);
}
