//===- Slices.c - Buffers that loops use slice by slice ------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A few rows, of which each turn of a loop reads and writes slices: the same
// one of all, or slices that lie a little further, so that they overlap; once
// or in an inner loop, all of a slice or a part of it, in all turns or some.
// Loops may have no turn.
//
//===----------------------------------------------------------------------===//

#include "Smith.h"

enum { kMostRows = 3, kMostLoops = 4, kMostOps = 3 };

typedef struct Rows {
  int count;
  int ids[kMostRows];
  int64_t length;
  int64_t slice;
} Rows;

static void printType(char *text, size_t size, int64_t length, bool isSlice) {
  snprintf(text, size,
           isSlice ? "memref<%lldxi32, strided<[1], offset: ?>>"
                   : "memref<%lldxi32>",
           (long long)length);
}

/// A slice of a row from `index` on.
static int sliceAt(BerthSmith *smith, const Rows *rows, int row, int index) {
  char whole[80], part[80];
  int id = berthSmithNewId(smith);
  printType(whole, sizeof whole, rows->length, false);
  printType(part, sizeof part, rows->slice, true);
  berthSmithLine(smith,
                 "%%m%d = memref.subview %%m%d[%%s%d] [%lld] [1] : %s "
                 "to %s",
                 id, rows->ids[row], index, (long long)rows->slice, whole,
                 part);
  return id;
}

static int openLoop(BerthSmith *smith, int64_t first, int last, int64_t step) {
  int from = berthSmithConstantIndex(smith, first);
  int by = berthSmithConstantIndex(smith, step);
  int index = berthSmithNewId(smith);
  berthSmithLine(smith, "scf.for %%s%d = %%s%d to %%s%d step %%s%d {", index,
                 from, last, by);
  ++smith->indent;
  return index;
}

static void close(BerthSmith *smith) {
  --smith->indent;
  berthSmithLine(smith, "}");
}

static int castIndex(BerthSmith *smith, int index, const char *type) {
  int id = berthSmithNewId(smith);
  berthSmithLine(smith, "%%s%d = arith.index_cast %%s%d : index to %s", id,
                 index, type);
  return id;
}

/// Some slice that the turn may use: of `index` or a little further.
static int someSlice(BerthSmith *smith, const Rows *rows, int index,
                     bool mayShift) {
  int row = berthRandomBelow(&smith->random, rows->count), at = index;
  if (mayShift && berthRandomChance(&smith->random, 35)) {
    int more = berthSmithConstantIndex(
        smith, 1 + berthRandomBelow(&smith->random, (int)rows->slice));
    at = berthSmithNewId(smith);
    berthSmithLine(smith, "%%s%d = arith.addi %%s%d, %%s%d : index", at, index,
                   more);
  }
  return sliceAt(smith, rows, row, at);
}

/// Writes the first half of a slice.
static void fillHalf(BerthSmith *smith, const Rows *rows, int slice,
                     int number) {
  char whole[80], half[80];
  int id = berthSmithNewId(smith);
  printType(whole, sizeof whole, rows->slice, true);
  printType(half, sizeof half, (rows->slice + 1) / 2, true);
  berthSmithLine(smith, "%%m%d = memref.subview %%m%d[0] [%lld] [1] : %s to %s",
                 id, slice, (long long)(rows->slice + 1) / 2, whole, half);
  // The offset is that of the slice, which nobody tells.
  berthSmithLine(smith, "linalg.fill ins(%%s%d : i32) outs(%%m%d : %s)", number,
                 id, half);
}

static void printOp(BerthSmith *smith, const Rows *rows, int index,
                    bool mayShift) {
  char type[80];
  printType(type, sizeof type, rows->slice, true);
  int to = someSlice(smith, rows, index, mayShift);
  int a = someSlice(smith, rows, index, mayShift);
  int b = someSlice(smith, rows, index, mayShift);
  int number = castIndex(smith, index, "i32");
  switch (berthRandomBelow(&smith->random, 6)) {
  case 0:
    berthSmithLine(smith, "linalg.fill ins(%%s%d : i32) outs(%%m%d : %s)",
                   number, to, type);
    return;
  case 1:
    fillHalf(smith, rows, to, number);
    return;
  case 2: {
    int at = berthSmithConstantIndex(
        smith, berthRandomBelow(&smith->random, (int)rows->slice));
    berthSmithLine(smith, "memref.store %%s%d, %%m%d[%%s%d] : %s", number, to,
                   at, type);
    return;
  }
  default: // what overlaps is not read while it is written
    if (mayShift) {
      int sum = berthSmithNewId(smith);
      berthSmithLine(smith, "%%m%d = memref.alloc() : memref<%lldxi32>", sum,
                     (long long)rows->slice);
      berthSmithLine(smith,
                     "linalg.add ins(%%m%d, %%m%d : %s, %s) outs(%%m%d : "
                     "memref<%lldxi32>)",
                     a, b, type, type, sum, (long long)rows->slice);
      berthSmithLine(smith, "memref.copy %%m%d, %%m%d : memref<%lldxi32> to %s",
                     sum, to, (long long)rows->slice, type);
      if (smith->features & BERTH_SMITH_DEALLOC)
        berthSmithLine(smith, "memref.dealloc %%m%d : memref<%lldxi32>", sum,
                       (long long)rows->slice);
      return;
    }
    berthSmithLine(smith,
                   "linalg.add ins(%%m%d, %%m%d : %s, %s) outs(%%m%d : %s)", a,
                   b, type, type, to, type);
  }
}

/// One or more ops, in an inner loop or a branch perhaps.
static void printTurn(BerthSmith *smith, const Rows *rows, int index,
                      bool mayShift) {
  int numOps = 1 + berthRandomBelow(&smith->random, kMostOps);
  for (int i = 0; i < numOps; ++i) {
    int way = berthRandomBelow(&smith->random, 5);
    if (way == 0) {
      int last = berthSmithIndexBelow(smith, 3);
      if (berthRandomChance(&smith->random, 60))
        last = berthSmithConstantIndex(smith, 2);
      openLoop(smith, 0, last, 1);
    } else if (way == 1) {
      berthSmithLine(smith, "scf.if %%s%d {", berthSmithCondition(smith));
      ++smith->indent;
    }
    printOp(smith, rows, index, mayShift);
    if (way <= 1)
      close(smith);
  }
}

static void printLoop(BerthSmith *smith, const Rows *rows) {
  bool mayShift = berthRandomChance(&smith->random, 40);
  int64_t end = rows->length - (mayShift ? rows->slice : 0);
  int last = berthSmithConstantIndex(smith, end);
  if (berthRandomChance(&smith->random, 30))
    last = berthSmithIndexBelow(smith, end + 1);
  // A turn may start in the middle of a slice: then the last one ends behind.
  int64_t step = mayShift
                     ? 1 + berthRandomBelow(&smith->random, (int)rows->slice)
                     : rows->slice;
  if (mayShift)
    last = berthSmithConstantIndex(smith, end - rows->slice + 1);
  int index = openLoop(smith, 0, last, step);
  printTurn(smith, rows, index, mayShift);
  close(smith);
}

/// Fills all rows, slice by slice or at once.
static void fillRows(BerthSmith *smith, const Rows *rows) {
  char type[80];
  for (int i = 0; i < rows->count; ++i) {
    int last = berthSmithConstantIndex(smith, rows->length);
    if (berthRandomChance(&smith->random, 40)) {
      int number = castIndex(smith, last, "i32");
      printType(type, sizeof type, rows->length, false);
      berthSmithLine(smith, "linalg.fill ins(%%s%d : i32) outs(%%m%d : %s)",
                     number, rows->ids[i], type);
      continue;
    }
    int index = openLoop(smith, 0, last, rows->slice);
    printType(type, sizeof type, rows->slice, true);
    int slice = sliceAt(smith, rows, i, index);
    int number = castIndex(smith, index, "i32");
    berthSmithLine(smith, "linalg.fill ins(%%s%d : i32) outs(%%m%d : %s)",
                   number, slice, type);
    close(smith);
  }
}

/// Prints an element of each slice.
static void observeRows(BerthSmith *smith, const Rows *rows) {
  char type[80];
  printType(type, sizeof type, rows->slice, true);
  int last = berthSmithConstantIndex(smith, rows->length);
  int index = openLoop(smith, 0, last, rows->slice);
  for (int i = 0; i < rows->count; ++i) {
    int slice = sliceAt(smith, rows, i, index);
    int at = berthSmithConstantIndex(
        smith, berthRandomBelow(&smith->random, (int)rows->slice));
    int loaded = berthSmithNewId(smith), wide = berthSmithNewId(smith);
    berthSmithLine(smith, "%%s%d = memref.load %%m%d[%%s%d] : %s", loaded,
                   slice, at, type);
    berthSmithLine(smith, "%%s%d = arith.extsi %%s%d : i32 to i64", wide,
                   loaded);
    berthSmithObserveScalar(smith, wide);
  }
  close(smith);
}

bool berthSmithSlices(BerthSmith *smith) {
  char type[80];
  Rows rows = {.count = 1 + berthRandomBelow(&smith->random, kMostRows),
               .slice = 2 + berthRandomBelow(&smith->random, 5)};
  rows.length = rows.slice * (2 + berthRandomBelow(&smith->random, 4));
  printType(type, sizeof type, rows.length, false);
  for (int i = 0; i < rows.count; ++i) {
    rows.ids[i] = berthSmithNewId(smith);
    berthSmithLine(smith, "%%m%d = memref.alloc() : %s", rows.ids[i], type);
  }
  fillRows(smith, &rows);
  int numLoops = 1 + berthRandomBelow(&smith->random, kMostLoops);
  for (int i = 0; i < numLoops; ++i) {
    if (berthRandomChance(&smith->random, 40))
      berthSmithStatements(smith, 1 + berthRandomBelow(&smith->random, 2));
    printLoop(smith, &rows);
    if (berthRandomChance(&smith->random, 25))
      observeRows(smith, &rows);
  }
  observeRows(smith, &rows);
  for (int i = 0; i < rows.count && (smith->features & BERTH_SMITH_DEALLOC);
       ++i)
    berthSmithLine(smith, "memref.dealloc %%m%d : %s", rows.ids[i], type);
  return true;
}
