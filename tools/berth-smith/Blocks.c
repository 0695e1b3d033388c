//===- Blocks.c - Unstructured control flow ------------------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Blocks stand directly in the function's region or in an scf.execute_region.
// A statement that opens blocks leaves the generator at the start of a block
// that everything visible dominates.
//
//===----------------------------------------------------------------------===//

#include "Carried.h"

/// Labels are printed at the indentation of the region, like mlir-opt's.
static void printLabel(BerthSmith *smith, int label) {
  berthSmithLine(smith, "^bb%d:", label);
}

/// Indents and prints `cf.br ^bb<label>(%m1 : T)`.
static void printJump(BerthSmith *smith, int label, const BerthCarried *carried,
                      const BerthSmithValue *values) {
  fprintf(smith->out, "%*scf.br ^bb%d", 2 * smith->indent, "", label);
  berthCarriedValues(smith, values, carried->count, "(");
  berthCarriedTypes(smith, carried, " : ");
  fprintf(smith->out, carried->count ? ")\n" : "\n");
}

/// Prints `^bb<label>(%m1: T):` and adds the arguments.
static void printJoin(BerthSmith *smith, int label,
                      const BerthCarried *carried) {
  int ids[BERTH_MAX_CARRIED];
  berthCarriedNames(smith, carried, ids);
  fprintf(smith->out, "%*s^bb%d", 2 * smith->indent, "", label);
  for (int i = 0; i < carried->count; ++i)
    fprintf(smith->out, "%s%%m%d: %s", i ? ", " : "(", ids[i],
            berthSmithTypeText(carried->type).text);
  fprintf(smith->out, carried->count ? "):\n" : ":\n");
  berthCarriedAdd(smith, carried, ids);
}

/// The blocks of one alternative, which end in a jump to `join`.
static void printBranch(BerthSmith *smith, int label, int join,
                        const BerthCarried *carried) {
  printLabel(smith, label);
  BerthSmithMark mark = berthSmithOpen(smith);
  ++smith->depth;
  berthSmithBody(smith);
  --smith->depth;
  BerthSmithValue yields[BERTH_MAX_CARRIED];
  berthCarriedYields(smith, carried, yields);
  berthSmithClose(smith, mark);
  printJump(smith, join, carried, yields);
}

/// Branches to labels first .. first + count - 1 that meet at first + count.
static void printBranches(BerthSmith *smith, int first, int count,
                          const BerthCarried *carried) {
  BerthSmithState before, joined;
  berthSmithSave(smith, &before);
  for (int i = 0; i < count; ++i) {
    berthSmithRestore(smith, &before);
    printBranch(smith, first + i, first + count, carried);
    if (i > 0)
      berthSmithJoin(smith, &joined);
    berthSmithSave(smith, &joined);
  }
  printJoin(smith, first + count, carried);
}

static int newLabels(BerthSmith *smith, int count) {
  int first = smith->nextId;
  smith->nextId += count;
  return first;
}

bool berthSmithDiamond(BerthSmith *smith) {
  BerthCarried carried = berthCarriedChoose(smith);
  int condition = berthSmithCondition(smith);
  int first = newLabels(smith, 3);
  berthSmithLine(smith, "cf.cond_br %%s%d, ^bb%d, ^bb%d", condition, first,
                 first + 1);
  printBranches(smith, first, 2, &carried);
  return true;
}

bool berthSmithBlockSwitch(BerthSmith *smith) {
  BerthCarried carried = berthCarriedChoose(smith);
  int flag = berthSmithIndexBelow(smith, 4);
  int narrow = berthSmithNewId(smith);
  berthSmithLine(smith, "%%s%d = arith.index_cast %%s%d : index to i32", narrow,
                 flag);
  int first = newLabels(smith, 4);
  berthSmithLine(smith,
                 "cf.switch %%s%d : i32, [default: ^bb%d, 0: ^bb%d, 2: ^bb%d]",
                 narrow, first, first + 1, first + 2);
  printBranches(smith, first, 3, &carried);
  return true;
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

/// `cf.br ^bb<header>(%s<counter>, %m1 : index, T)`
static void printBackEdge(BerthSmith *smith, int header, int counter,
                          const BerthCarried *carried,
                          const BerthSmithValue *values) {
  fprintf(smith->out, "%*scf.br ^bb%d(%%s%d", 2 * smith->indent, "", header,
          counter);
  berthCarriedValues(smith, values, carried->count, ", ");
  fprintf(smith->out, " : index");
  berthCarriedTypes(smith, carried, ", ");
  fprintf(smith->out, ")\n");
}

/// The header block: arguments, some statements, and the test of the counter.
static int printHeader(BerthSmith *smith, int label,
                       const BerthCarried *carried, int high) {
  int counter = berthSmithNewId(smith);
  int ids[BERTH_MAX_CARRIED];
  berthCarriedNames(smith, carried, ids);
  fprintf(smith->out, "%*s^bb%d(%%s%d: index", 2 * smith->indent, "", label,
          counter);
  for (int i = 0; i < carried->count; ++i)
    fprintf(smith->out, ", %%m%d: %s", ids[i],
            berthSmithTypeText(carried->type).text);
  fprintf(smith->out, "):\n");
  berthSmithRestSome(smith);
  berthCarriedAdd(smith, carried, ids);
  ++smith->depth;
  berthSmithBody(smith);
  --smith->depth;
  int more = berthSmithNewId(smith);
  berthSmithLine(smith, "%%s%d = arith.cmpi ult, %%s%d, %%s%d : index", more,
                 counter, high);
  berthSmithLine(smith, "cf.cond_br %%s%d, ^bb%d, ^bb%d", more, label + 1,
                 label + 2);
  return counter;
}

/// The body blocks, which jump back to the header.
static void printLoopBody(BerthSmith *smith, int header, int counter,
                          const BerthCarried *carried) {
  printLabel(smith, header + 1);
  BerthSmithMark mark = berthSmithOpen(smith);
  BerthSmithState before;
  berthSmithSave(smith, &before);
  ++smith->depth;
  berthSmithBody(smith);
  --smith->depth;
  int next = berthSmithNext(smith, counter);
  BerthSmithValue yields[BERTH_MAX_CARRIED];
  berthCarriedYields(smith, carried, yields);
  berthSmithClose(smith, mark);
  printBackEdge(smith, header, next, carried, yields);
  berthSmithRestore(smith, &before);
}

bool berthSmithBlockLoop(BerthSmith *smith) {
  BerthCarried carried = berthCarriedChoose(smith);
  int zero = berthSmithConstantIndex(smith, 0);
  int high =
      berthSmithConstantIndex(smith, berthRandomBelow(&smith->random, 3));
  int header = newLabels(smith, 3);
  printBackEdge(smith, header, zero, &carried, carried.initial);
  int counter = printHeader(smith, header, &carried, high);
  printLoopBody(smith, header, counter, &carried);
  printLabel(smith, header + 2);
  return true;
}

bool berthSmithEarlyReturn(BerthSmith *smith) {
  if (!smith->atTop)
    return false;
  int condition = berthSmithCondition(smith);
  int first = newLabels(smith, 2);
  berthSmithLine(smith, "cf.cond_br %%s%d, ^bb%d, ^bb%d", condition, first,
                 first + 1);
  printLabel(smith, first);
  BerthSmithMark mark = berthSmithOpen(smith);
  berthSmithReturn(smith);
  berthSmithForget(smith, mark);
  printLabel(smith, first + 1);
  return true;
}
