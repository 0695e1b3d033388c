//===- Turns.c - Loops whose turns use what some before them made ---------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Smith.h"

enum { kMostTurnsBack = 3, kLanes = 4 };

/// A loop that carries `count` buffers, of which each turn makes the first one
/// anew, and hands the others on one place further.
typedef struct Shift {
  int count;
  int first[kMostTurnsBack]; ///< what it begins with
  int zero, one, bound;
  bool isInFirst; ///< of scf.while: its first region makes the buffer
  bool hasBranch; ///< some turns make none, and hand on what they have
  bool isAffine;
} Shift;

#define ROW "memref<4xi64>"

static void printList(BerthSmith *smith, const int *ids, int count) {
  for (int i = 0; i < count; ++i)
    fprintf(smith->out, "%s%%m%d", i ? ", " : "", ids[i]);
}

static void printTypes(BerthSmith *smith, int count) {
  for (int i = 0; i < count; ++i)
    fprintf(smith->out, "%s" ROW, i ? ", " : "");
}

static void newIds(BerthSmith *smith, int *ids, int count) {
  for (int i = 0; i < count; ++i)
    ids[i] = berthSmithNewId(smith);
}

static void start(BerthSmith *smith) {
  fprintf(smith->out, "%*s", 2 * smith->indent, "");
}

/// A row of its own, filled.
static int printRow(BerthSmith *smith) {
  int id = berthSmithNewId(smith), value = berthSmithNewId(smith);
  berthSmithLine(smith, "%%m%d = memref.alloc() : " ROW, id);
  berthSmithLine(smith, "%%s%d = arith.constant %d : i64", value,
                 berthRandomBelow(&smith->random, 100));
  berthSmithLine(smith, "linalg.fill ins(%%s%d : i64) outs(%%m%d : " ROW ")",
                 value, id);
  return id;
}

/// A row that the turn makes of what it has: its number.
static int printTurn(BerthSmith *smith, const Shift *shift, const int *ids) {
  int made = berthSmithNewId(smith);
  berthSmithLine(smith, "%%m%d = memref.alloc() : " ROW, made);
  int a = ids[berthRandomBelow(&smith->random, shift->count)];
  int b = ids[shift->count - 1];
  berthSmithLine(
      smith,
      "linalg.%s ins(%%m%d, %%m%d : " ROW ", " ROW ") outs(%%m%d : " ROW ")",
      berthRandomChance(&smith->random, 50) ? "add" : "sub", a, b, made);
  int value = berthSmithNewId(smith);
  berthSmithLine(smith, "%%s%d = memref.load %%m%d[%%s%d] : " ROW, value, b,
                 shift->zero);
  berthSmithLine(smith, "memref.store %%s%d, %%m%d[%%s%d] : " ROW, value, made,
                 shift->one);
  return made;
}

/// The new row in front, the last one left out.
static void printShifted(BerthSmith *smith, const Shift *shift, int made,
                         const int *ids) {
  fprintf(smith->out, "%%m%d", made);
  for (int i = 0; i + 1 < shift->count; ++i)
    fprintf(smith->out, ", %%m%d", ids[i]);
}

/// What the turn has, and the new row where it makes one.
static int printBranch(BerthSmith *smith, const Shift *shift, int counter,
                       const int *ids) {
  int rest = berthSmithNewId(smith), makes = berthSmithNewId(smith);
  int two =
      berthSmithConstantIndex(smith, 2 + berthRandomBelow(&smith->random, 2));
  berthSmithLine(smith, "%%s%d = arith.remui %%s%d, %%s%d : index", rest,
                 counter, two);
  berthSmithLine(smith, "%%s%d = arith.cmpi %s, %%s%d, %%s%d : index", makes,
                 berthRandomChance(&smith->random, 50) ? "eq" : "ne", rest,
                 shift->one);
  int results = berthSmithNewId(smith);
  start(smith);
  fprintf(smith->out, "%%m%d:%d = scf.if %%s%d -> (", results, shift->count,
          makes);
  printTypes(smith, shift->count);
  fprintf(smith->out, ") {\n");
  bool makesElse = berthRandomChance(&smith->random, 25);
  for (int branch = 0; branch < 2; ++branch) {
    ++smith->indent;
    int made = -1;
    if (branch == 0 || makesElse)
      made = printTurn(smith, shift, ids);
    start(smith);
    fprintf(smith->out, "scf.yield ");
    if (made >= 0)
      printShifted(smith, shift, made, ids);
    else
      printList(smith, ids, shift->count);
    fprintf(smith->out, " : ");
    printTypes(smith, shift->count);
    fprintf(smith->out, "\n");
    --smith->indent;
    berthSmithLine(smith, branch ? "}" : "} else {");
  }
  return results;
}

static void printResults(BerthSmith *smith, int results, int count) {
  for (int i = 0; i < count; ++i)
    fprintf(smith->out, "%s%%m%d#%d", i ? ", " : "", results, i);
}

/// What the turn makes is handed on, by the branch that it may be made in.
static int printMaking(BerthSmith *smith, const Shift *shift, int counter,
                       const int *ids) {
  return shift->hasBranch ? printBranch(smith, shift, counter, ids)
                          : printTurn(smith, shift, ids);
}

static void printMade(BerthSmith *smith, const Shift *shift, int made,
                      const int *ids) {
  if (shift->hasBranch)
    printResults(smith, made, shift->count);
  else
    printShifted(smith, shift, made, ids);
}

static void printForOfTurns(BerthSmith *smith, const Shift *shift,
                            int results) {
  int ids[kMostTurnsBack] = {0}, counter = berthSmithNewId(smith);
  newIds(smith, ids, shift->count);
  start(smith);
  if (shift->isAffine)
    fprintf(smith->out, "%%m%d:%d = affine.for %%s%d = 0 to %d iter_args(",
            results, shift->count, counter,
            berthRandomBelow(&smith->random, 7));
  else
    fprintf(smith->out,
            "%%m%d:%d = scf.for %%s%d = %%s%d to %%s%d step %%s%d iter_args(",
            results, shift->count, counter, shift->zero, shift->bound,
            shift->one);
  for (int i = 0; i < shift->count; ++i)
    fprintf(smith->out, "%s%%m%d = %%m%d", i ? ", " : "", ids[i],
            shift->first[i]);
  fprintf(smith->out, ") -> (");
  printTypes(smith, shift->count);
  fprintf(smith->out, ") {\n");
  ++smith->indent;
  int made = printMaking(smith, shift, counter, ids);
  start(smith);
  fprintf(smith->out, shift->isAffine ? "affine.yield " : "scf.yield ");
  printMade(smith, shift, made, ids);
  fprintf(smith->out, " : ");
  printTypes(smith, shift->count);
  fprintf(smith->out, "\n");
  --smith->indent;
  berthSmithLine(smith, "}");
}

/// `%s<counter>` and the rows come first in all lists.
static void printWhileOfTurns(BerthSmith *smith, const Shift *shift,
                              int results) {
  int ids[kMostTurnsBack] = {0}, inner[kMostTurnsBack] = {0};
  int counter = berthSmithNewId(smith), count = shift->count;
  newIds(smith, ids, count);
  newIds(smith, inner, count);
  start(smith);
  fprintf(smith->out, "%%m%d:%d = scf.while (", results, count + 1);
  for (int i = 0; i < count; ++i)
    fprintf(smith->out, "%%m%d = %%m%d, ", ids[i], shift->first[i]);
  fprintf(smith->out, "%%s%d = %%s%d) : (", counter, shift->zero);
  printTypes(smith, count);
  fprintf(smith->out, ", index) -> (");
  printTypes(smith, count);
  fprintf(smith->out, ", index) {\n");
  ++smith->indent;
  int made = shift->isInFirst ? printMaking(smith, shift, counter, ids) : -1;
  int goes = berthSmithNewId(smith);
  berthSmithLine(smith, "%%s%d = arith.cmpi ult, %%s%d, %%s%d : index", goes,
                 counter, shift->bound);
  start(smith);
  fprintf(smith->out, "scf.condition(%%s%d) ", goes);
  if (shift->isInFirst)
    printMade(smith, shift, made, ids);
  else
    printList(smith, ids, count);
  fprintf(smith->out, ", %%s%d : ", counter);
  printTypes(smith, count);
  fprintf(smith->out, ", index\n");
  --smith->indent;
  berthSmithLine(smith, "} do {");
  start(smith);
  counter = berthSmithNewId(smith);
  fprintf(smith->out, "^bb0(");
  for (int i = 0; i < count; ++i)
    fprintf(smith->out, "%%m%d: " ROW ", ", inner[i]);
  fprintf(smith->out, "%%s%d: index):\n", counter);
  ++smith->indent;
  if (!shift->isInFirst)
    made = printMaking(smith, shift, counter, inner);
  int next = berthSmithNewId(smith);
  berthSmithLine(smith, "%%s%d = arith.addi %%s%d, %%s%d : index", next,
                 counter, shift->one);
  start(smith);
  fprintf(smith->out, "scf.yield ");
  if (shift->isInFirst)
    printList(smith, inner, count);
  else
    printMade(smith, shift, made, inner);
  fprintf(smith->out, ", %%s%d : ", next);
  printTypes(smith, count);
  fprintf(smith->out, ", index\n");
  --smith->indent;
  berthSmithLine(smith, "}");
}

/// Something of a row becomes visible.
static void printLook(BerthSmith *smith, const char *row, int index) {
  int value = berthSmithNewId(smith);
  berthSmithLine(smith, "%%s%d = memref.load %s[%%s%d] : " ROW, value, row,
                 index);
  berthSmithAddScalar(smith, value);
}

bool berthSmithTurns(BerthSmith *smith) {
  Shift shift = {.count = 1 + berthRandomBelow(&smith->random, kMostTurnsBack),
                 .isInFirst = berthRandomChance(&smith->random, 40),
                 .hasBranch = berthRandomChance(&smith->random, 40)};
  char name[32];
  shift.zero = berthSmithConstantIndex(smith, 0);
  shift.one = berthSmithConstantIndex(smith, 1);
  shift.bound =
      berthRandomChance(&smith->random, 50)
          ? berthSmithIndexBelow(smith, 7)
          : berthSmithConstantIndex(smith, berthRandomBelow(&smith->random, 7));
  for (int i = 0; i < shift.count; ++i)
    shift.first[i] = i && berthRandomChance(&smith->random, 15)
                         ? shift.first[0]
                         : printRow(smith);
  int results = berthSmithNewId(smith);
  // MLIR's deallocation pipeline cannot do with affine.for that carries
  // buffers.
  shift.isAffine = (smith->options->features & BERTH_SMITH_DEALLOC) &&
                   berthRandomChance(&smith->random, 30);
  if (berthRandomChance(&smith->random, 50))
    printForOfTurns(smith, &shift, results);
  else
    printWhileOfTurns(smith, &shift, results);
  for (int i = 0; i < shift.count; ++i) {
    snprintf(name, sizeof name, "%%m%d#%d", results, i);
    if (i == 0 || berthRandomChance(&smith->random, 40))
      printLook(smith, name, berthSmithIndexBelow(smith, kLanes));
    snprintf(name, sizeof name, "%%m%d", shift.first[i]);
    if (berthRandomChance(&smith->random, 15))
      printLook(smith, name, shift.zero);
  }
  return true;
}
