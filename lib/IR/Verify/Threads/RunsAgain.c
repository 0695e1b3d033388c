//===- RunsAgain.c - Functions that run again -----------------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Verify/Threads/RunsAgain.h"
#include "IR/Ops/OpTable.h"
#include "IR/Ops/OrDie.h"
#include "IR/Verify/Roots/Scopes.h"
#include "IR/Verify/Runs/Arrival.h"
#include "IR/Verify/Threads/ThreadGraph.h"
#include "Support/Bitset.h"

#include <stdlib.h>

/// Along the stretches of one scope: the functions that have been left in the
/// phase at hand, as bits.
typedef struct Leaving {
  BerthPhaseTable *table;
  const BerthStretches *code;
  size_t words;
  uint64_t *starts; ///< by stretch: what has been left where it begins
  bool *isDirty;    ///< by stretch
  uint64_t *now;
} Leaving;

static void passEvent(Leaving *leaving, const BerthThreadEvent *event) {
  BerthPhaseTable *table = leaving->table;
  for (size_t w = 0; w < leaving->words; ++w) {
    uint64_t *now = &leaving->now[w];
    if (event->kind == BERTH_THREADS_ENTER)
      table->runAgain[w] |=
          *now & table->phases[event->function]->first.functions[w];
    if (event->kind == BERTH_THREADS_BARRIER)
      *now = 0;
    if (event->kind == BERTH_THREADS_LEAVE)
      *now |= table->phases[event->function]->last.functions[w];
  }
}

static void passStretch(Leaving *leaving, size_t index) {
  const BerthStretch *stretch = &leaving->code->stretches[index];
  for (size_t w = 0; w < leaving->words; ++w)
    leaving->now[w] = leaving->starts[index * leaving->words + w];
  for (size_t i = stretch->begin; i < stretch->end; ++i)
    passEvent(leaving, &leaving->code->events[i]);
  for (uint32_t edge = stretch->firstNext; edge != BERTH_NO_STRETCH;
       edge = leaving->code->edges[edge].next) {
    uint32_t to = leaving->code->edges[edge].to;
    for (size_t w = 0; w < leaving->words; ++w) {
      uint64_t *start = &leaving->starts[to * leaving->words + w];
      leaving->isDirty[to] |= leaving->now[w] & ~*start;
      *start |= leaving->now[w];
    }
  }
}

/// Every stretch is passed once, and again when more may have been left.
static void passAll(BerthPhaseTable *table, const BerthStretches *code) {
  size_t words = berthBitWords(table->numFunctions);
  Leaving leaving = {
      .table = table,
      .code = code,
      .words = words,
      .starts =
          berthAllocateOrDie(code->numStretches * words, sizeof(uint64_t)),
      .isDirty = berthAllocateOrDie(code->numStretches, sizeof(bool)),
      .now = berthAllocateOrDie(words, sizeof(uint64_t))};
  for (size_t i = 0; i < code->numStretches; ++i)
    leaving.isDirty[i] = true;
  for (bool isChanged = true; isChanged;) {
    isChanged = false;
    for (size_t i = 0; i < code->numStretches; ++i) {
      bool isDirty = leaving.isDirty[i];
      leaving.isDirty[i] = false;
      isChanged |= isDirty;
      if (isDirty)
        passStretch(&leaving, i);
    }
  }
  free(leaving.starts);
  free(leaving.isDirty);
  free(leaving.now);
}

static void searchScope(BerthPhaseTable *table, MlirOperation scope) {
  bool agree = berthArgumentsAgree(scope, table->options);
  BerthMemory memory = {0};
  BerthViews views = {.memory = &memory, .callees = table->callees};
  BerthDivergence divergence = berthFindDivergence(scope, agree, NULL, &memory);
  BerthThreadScope threads = {.views = &views,
                              .divergence = &divergence,
                              .phases = table,
                              .isRunApart = berthIsRunApart(table, scope)};
  BerthStretches code = berthStretchesOf(&threads);
  if (code.numEvents)
    passAll(table, &code);
  berthStretchesFree(&code);
  berthDivergenceFree(&divergence);
  berthMemoryFree(&memory);
}

/// What runs in a parallel op belongs to the function around it.
static MlirWalkResult searchOp(MlirOperation op, void *userData) {
  if (berthIsVerifyScope(op) && !berthOpIsParallel(op))
    searchScope(userData, op);
  return MlirWalkResultAdvance;
}

bool berthMayRunAgain(BerthPhaseTable *table, MlirOperation function) {
  size_t number = berthPhasesNumber(table, function);
  if (number == BERTH_NOT_FOUND ||
      !berthAllCallsAreSeen(function, table->root) ||
      berthIsRunApart(table, function))
    return true;
  if (!table->isSearched)
    mlirOperationWalk(table->root, searchOp, table, MlirWalkPreOrder);
  table->isSearched = true;
  return berthBitTest(table->runAgain, number);
}
