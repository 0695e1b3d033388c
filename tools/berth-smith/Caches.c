//===- Caches.c - Functions that return a changed copy --------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// @pN_cK(a, b, k) returns a copy of row a of which some is written, and may
// look at a and b before that or behind it. Who calls it is mostly through with
// a.
//
//===----------------------------------------------------------------------===//

#include "Smith.h"

#include <inttypes.h>

#define ROW "memref<4xi64>"
#define PAIR "memref<2xi64, strided<[1], offset: ?>>"

static bool chance(BerthSmith *smith, int percent) {
  return berthRandomChance(&smith->random, percent);
}

static int someIndex(BerthSmith *smith, int below) {
  return berthSmithConstantIndex(smith,
                                 berthRandomBelow(&smith->random, below));
}

static int printLoad(BerthSmith *smith, int row) {
  int at = someIndex(smith, 4), id = berthSmithNewId(smith);
  berthSmithLine(smith, "%%s%d = memref.load %%m%d[%%s%d] : " ROW, id, row, at);
  return id;
}

static void printStore(BerthSmith *smith, int row, int value) {
  int at = someIndex(smith, 4);
  berthSmithLine(smith, "memref.store %%s%d, %%m%d[%%s%d] : " ROW, value, row,
                 at);
}

static int printSum(BerthSmith *smith, int a, int b) {
  int id = berthSmithNewId(smith);
  berthSmithLine(smith, "%%s%d = arith.addi %%s%d, %%s%d : i64", id, a, b);
  return id;
}

/// Prints the sum of all elements.
static void look(BerthSmith *smith, int row) {
  int sum = -1;
  for (int i = 0; i < 4; ++i) {
    int at = berthSmithConstantIndex(smith, i), id = berthSmithNewId(smith);
    berthSmithLine(smith, "%%s%d = memref.load %%m%d[%%s%d] : " ROW, id, row,
                   at);
    sum = i ? printSum(smith, sum, id) : id;
  }
  berthSmithObserveScalar(smith, sum);
}

static int printRow(BerthSmith *smith) {
  int id = berthSmithNewId(smith);
  int value =
      berthSmithConstantInt(smith, berthRandomBelow(&smith->random, 90));
  berthSmithLine(smith, "%%m%d = memref.alloc() : " ROW, id);
  berthSmithLine(smith, "linalg.fill ins(%%s%d : i64) outs(%%m%d : " ROW ")",
                 value, id);
  printStore(smith, id, berthSmithConstantInt(smith, 100));
  return id;
}

//===----------------------------------------------------------------------===//
// The functions
//===----------------------------------------------------------------------===//

/// Two elements of the row, or one.
static void printChange(BerthSmith *smith, int row, int value) {
  if (chance(smith, 50)) {
    printStore(smith, row, value);
    return;
  }
  int at = someIndex(smith, 3), part = berthSmithNewId(smith);
  berthSmithLine(
      smith, "%%m%d = memref.subview %%m%d[%%s%d] [2] [1] : " ROW " to " PAIR,
      part, row, at);
  berthSmithLine(smith, "linalg.fill ins(%%s%d : i64) outs(%%m%d : " PAIR ")",
                 value, part);
}

static void printUpdater(BerthSmith *smith, int number) {
  berthSmithBeginFunction(smith, 8);
  smith->inHelper = true;
  int a = berthSmithNewId(smith), b = berthSmithNewId(smith);
  int made = berthSmithNewId(smith), k = berthSmithNewId(smith);
  fprintf(smith->out,
          "func.func private @p%" PRIu64 "_c%d(%%m%d: " ROW ", %%m%d: " ROW
          ", %%s%d: i64) -> " ROW " {\n",
          smith->seed, number, a, b, k);
  if (chance(smith, 30))
    look(smith, a);
  berthSmithLine(smith, "%%m%d = memref.alloc() : " ROW, made);
  if (chance(smith, 8))
    printStore(smith, a, k);
  berthSmithLine(smith, "memref.copy %%m%d, %%m%d : " ROW " to " ROW, a, made);
  int old = chance(smith, 50) ? printLoad(smith, a) : k;
  printChange(smith, made, printSum(smith, old, k));
  if (chance(smith, 12))
    printStore(smith, made, printLoad(smith, a));
  if (chance(smith, 30))
    look(smith, b);
  if (chance(smith, 30))
    printChange(smith, made, k);
  if (chance(smith, 5))
    printStore(smith, a, k);
  berthSmithLine(smith, "return %%m%d : " ROW, made);
  fprintf(smith->out, "}\n\n");
}

void berthSmithPrintUpdaters(BerthSmith *smith) {
  for (int i = 0; i < BERTH_SMITH_MAX_CACHES; ++i)
    printUpdater(smith, i);
  smith->nextCache = 0;
}

//===----------------------------------------------------------------------===//
// Their callers
//===----------------------------------------------------------------------===//

/// Mostly one that nobody has called yet. Returns the number of its result.
static int printCall(BerthSmith *smith, int number, int a, int b) {
  int made = berthSmithNewId(smith);
  int k =
      smith->scalars[berthRandomBelow(&smith->random, (int)smith->numScalars)];
  berthSmithLine(smith,
                 "%%m%d = func.call @p%" PRIu64 "_c%d(%%m%d, %%m%d, %%s%d) : "
                 "(" ROW ", " ROW ", i64) -> " ROW,
                 made, smith->seed, number, a, b, k);
  return made;
}

static int nextUpdater(BerthSmith *smith) {
  return smith->nextCache++ % BERTH_SMITH_MAX_CACHES;
}

static void printFree(BerthSmith *smith, int row) {
  if (smith->features & BERTH_SMITH_DEALLOC)
    berthSmithLine(smith, "memref.dealloc %%m%d : " ROW, row);
}

/// One call behind the other.
static void printChain(BerthSmith *smith) {
  int number = nextUpdater(smith);
  int count = 1 + berthRandomBelow(&smith->random, 3);
  int row = printRow(smith), other = printRow(smith);
  for (int i = 0; i < count; ++i) {
    if (chance(smith, 30))
      look(smith, row);
    int made = printCall(smith, number, row, chance(smith, 6) ? row : other);
    if (chance(smith, 60))
      look(smith, made);
    if (chance(smith, 8))
      look(smith, row);
    printFree(smith, row);
    row = made;
  }
  look(smith, row);
  printFree(smith, row);
  printFree(smith, other);
}

/// A loop that carries what the last turn's call returned.
static void printCarried(BerthSmith *smith) {
  int number = nextUpdater(smith);
  int row = printRow(smith), other = printRow(smith);
  int zero = berthSmithConstantIndex(smith, 0);
  int one = berthSmithConstantIndex(smith, 1);
  int bound = someIndex(smith, 4), counter = berthSmithNewId(smith);
  int carried = berthSmithNewId(smith), result = berthSmithNewId(smith);
  berthSmithLine(smith,
                 "%%m%d = scf.for %%s%d = %%s%d to %%s%d step %%s%d "
                 "iter_args(%%m%d = %%m%d) -> (" ROW ") {",
                 result, counter, zero, bound, one, carried, row);
  ++smith->indent;
  if (chance(smith, 40))
    look(smith, carried);
  int made = printCall(smith, number, carried, other);
  if (chance(smith, 40))
    made = printCall(smith, number, made, other);
  if (chance(smith, 8))
    look(smith, carried);
  if (chance(smith, 30))
    look(smith, made);
  berthSmithLine(smith, "scf.yield %%m%d : " ROW, made);
  --smith->indent;
  berthSmithLine(smith, "}");
  look(smith, result);
  if (chance(smith, 8))
    look(smith, row);
  printFree(smith, other);
}

bool berthSmithUpdate(BerthSmith *smith) {
  if (smith->current || smith->inHelper)
    return false;
  if (chance(smith, 50))
    printChain(smith);
  else
    printCarried(smith);
  return true;
}
