//===- Handles.c - What unseen code keeps or works on ---------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Functions without a body (test/late) that put a row into a box, or return a
// token for work on it. They read the row only when they are asked for a
// result.
//
//===----------------------------------------------------------------------===//

#include "Smith.h"

static const char rowType[] = "memref<?xi64, strided<[?], offset: ?>>";

void berthSmithPrintUnseen(FILE *out) {
  fprintf(out,
          "func.func private @late_box() -> !llvm.ptr\n"
          "func.func private @late_keep(%s, !llvm.ptr)\n"
          "func.func private @late_find(!llvm.ptr) -> i64\n"
          "func.func private @late_begin(%s) -> !llvm.ptr\n"
          "func.func private @late_flush() -> i64\n",
          rowType, rowType);
}

/// `%s<id>`: a filled row of any layout, as a memref.
static int newRow(BerthSmith *smith) {
  BerthSmithType type = {.element = BERTH_I64, .rank = 1, .shape = {8, 0}};
  BerthSmithValue value = berthSmithNewBuffer(smith, type);
  berthSmithFillValue(smith, value);
  int scalar = smith->scalars[smith->numScalars - 1];
  int at = berthSmithConstantIndex(smith, 3), id = berthSmithNewId(smith);
  BerthSmithText text = berthSmithTypeText(type);
  berthSmithLine(smith, "memref.store %%s%d, %%m%d[%%s%d] : %s", scalar,
                 value.id, at, text.text);
  berthSmithLine(smith, "%%s%d = memref.cast %%m%d : %s to %s", id, value.id,
                 text.text, rowType);
  smith->roots[value.root].resting = true;
  berthSmithEscape(smith, value.root);
  return id;
}

static int printFind(BerthSmith *smith, int handle) {
  int id = berthSmithNewId(smith);
  berthSmithLine(smith,
                 "%%s%d = func.call @late_find(%%s%d) : (!llvm.ptr) -> i64", id,
                 handle);
  return id;
}

static int keepInBox(BerthSmith *smith) {
  int row = newRow(smith), box = berthSmithNewId(smith);
  berthSmithLine(smith, "%%s%d = func.call @late_box() : () -> !llvm.ptr", box);
  berthSmithLine(smith,
                 "func.call @late_keep(%%s%d, %%s%d) : (%s, !llvm.ptr) -> ()",
                 row, box, rowType);
  berthSmithMeanwhile(smith);
  return printFind(smith, box);
}

static int begin(BerthSmith *smith) {
  int row = newRow(smith), token = berthSmithNewId(smith);
  berthSmithLine(smith,
                 "%%s%d = func.call @late_begin(%%s%d) : (%s) -> "
                 "!llvm.ptr",
                 token, row, rowType);
  smith->hasWork = true;
  berthSmithMeanwhile(smith);
  smith->hasWork = false;
  return token;
}

static int findInBranches(BerthSmith *smith, int token) {
  int condition = berthSmithCondition(smith), result = berthSmithNewId(smith);
  berthSmithLine(smith, "%%s%d = scf.if %%s%d -> (i64) {", result, condition);
  for (int i = 0; i < 2; ++i) {
    ++smith->indent;
    berthSmithLine(smith, "scf.yield %%s%d : i64", printFind(smith, token));
    --smith->indent;
    berthSmithLine(smith, i == 0 ? "} else {" : "}");
  }
  return result;
}

bool berthSmithHandle(BerthSmith *smith) {
  static const BerthSmithClass classes[] = {BERTH_SMITH_HANDLE_KEPT,
                                            BERTH_SMITH_HANDLE_IN_BRANCHES,
                                            BERTH_SMITH_HANDLE_DROPPED};
  if (smith->current || smith->inHelper || smith->hasWork)
    return false;
  int which = berthRandomBelow(&smith->random, 3), result;
  if (which == 0) {
    result = keepInBox(smith);
  } else {
    int token = begin(smith);
    if (which == 1) {
      result = findInBranches(smith, token);
    } else {
      result = berthSmithNewId(smith);
      berthSmithLine(smith, "%%s%d = func.call @late_flush() : () -> i64",
                     result);
    }
  }
  berthSmithObserveScalar(smith, result);
  berthSmithDraw(smith, classes[which]);
  return true;
}
