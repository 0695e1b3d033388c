//===- Control.c - Structured control flow -------------------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A region sees what is known where its op stands. After an op whose regions
// are alternatives, what holds is what holds after each of them; a loop may run
// zero times, so what holds after it is what held before. `initialised` only
// ever grows along a path, so it holds at the back edge where it held at entry.
//
//===----------------------------------------------------------------------===//

#include "Carried.h"

void berthSmithRestSome(BerthSmith *smith) {
  for (size_t i = 0; i < smith->numRoots; ++i)
    if (berthRandomChance(&smith->random, 40))
      smith->roots[i].resting = true;
}

void berthSmithBody(BerthSmith *smith) {
  berthSmithStatements(smith, 2 + berthRandomBelow(&smith->random, 4));
}

//===----------------------------------------------------------------------===//
// Regions
//===----------------------------------------------------------------------===//

static BerthSmithMark openRegion(BerthSmith *smith) {
  BerthSmithMark mark = berthSmithOpen(smith);
  smith->multiBlock = smith->atTop = false;
  ++smith->indent;
  ++smith->depth;
  return mark;
}

static void closeRegion(BerthSmith *smith, BerthSmithMark mark) {
  --smith->depth;
  berthSmithClose(smith, mark);
  --smith->indent;
}

/// Ends a region with a yield of what is carried.
static void closeWithYield(BerthSmith *smith, BerthSmithMark mark,
                           const BerthCarried *carried) {
  BerthSmithValue yields[BERTH_MAX_CARRIED];
  berthCarriedYields(smith, carried, yields);
  closeRegion(smith, mark);
  ++smith->indent;
  berthCarriedYieldLine(smith, carried, "scf.yield", yields);
  --smith->indent;
}

/// One alternative: statements, then the yield.
static void printAlternative(BerthSmith *smith, const BerthCarried *carried) {
  BerthSmithMark mark = openRegion(smith);
  berthSmithBody(smith);
  closeWithYield(smith, mark, carried);
}

//===----------------------------------------------------------------------===//
// Alternatives
//===----------------------------------------------------------------------===//

/// Runs `count` alternatives from the current state and joins what they leave.
/// `heads[i]` is printed before each.
static void printAlternatives(BerthSmith *smith, const BerthCarried *carried,
                              int count, const char *const *heads) {
  BerthSmithState before, joined;
  berthSmithSave(smith, &before);
  for (int i = 0; i < count; ++i) {
    berthSmithRestore(smith, &before);
    berthSmithLine(smith, "%s", heads[i]);
    printAlternative(smith, carried);
    berthSmithLine(smith, "}");
    if (i > 0)
      berthSmithJoin(smith, &joined);
    berthSmithSave(smith, &joined);
  }
}

bool berthSmithIf(BerthSmith *smith) {
  BerthCarried carried = berthCarriedChoose(smith);
  int condition = berthSmithCondition(smith);
  int ids[BERTH_MAX_CARRIED];
  berthCarriedNames(smith, &carried, ids);
  berthCarriedResults(smith, &carried, ids);
  fprintf(smith->out, "scf.if %%s%d", condition);
  if (carried.count) {
    fprintf(smith->out, " -> (");
    berthCarriedTypes(smith, &carried, "");
    fprintf(smith->out, ")");
  }
  fprintf(smith->out, " {\n");
  BerthSmithState before;
  berthSmithSave(smith, &before);
  printAlternative(smith, &carried);
  BerthSmithState then;
  berthSmithSave(smith, &then);
  berthSmithRestore(smith, &before);
  if (carried.count || berthRandomChance(&smith->random, 60)) {
    berthSmithLine(smith, "} else {");
    printAlternative(smith, &carried);
  }
  berthSmithLine(smith, "}");
  berthSmithJoin(smith, &then);
  berthCarriedAdd(smith, &carried, ids);
  return true;
}

bool berthSmithSwitch(BerthSmith *smith) {
  static const char *const heads[] = {"case 0 {", "case 1 {", "default {"};
  BerthCarried carried = berthCarriedChoose(smith);
  int flag = berthSmithIndexBelow(smith, 4);
  int ids[BERTH_MAX_CARRIED];
  berthCarriedNames(smith, &carried, ids);
  berthCarriedResults(smith, &carried, ids);
  fprintf(smith->out, "scf.index_switch %%s%d", flag);
  berthCarriedTypes(smith, &carried, " -> ");
  fputc('\n', smith->out);
  printAlternatives(smith, &carried, 3, heads);
  berthCarriedAdd(smith, &carried, ids);
  return true;
}

/// A region of its own that may hold several blocks.
bool berthSmithExecuteRegion(BerthSmith *smith) {
  BerthCarried carried = berthCarriedChoose(smith);
  int ids[BERTH_MAX_CARRIED];
  berthCarriedNames(smith, &carried, ids);
  berthCarriedResults(smith, &carried, ids);
  fprintf(smith->out, "scf.execute_region");
  if (carried.count) {
    fprintf(smith->out, " -> (");
    berthCarriedTypes(smith, &carried, "");
    fprintf(smith->out, ")");
  }
  fprintf(smith->out, " {\n");
  BerthSmithMark mark = openRegion(smith);
  smith->multiBlock = true;
  berthSmithBody(smith);
  closeWithYield(smith, mark, &carried);
  berthSmithLine(smith, "}");
  berthCarriedAdd(smith, &carried, ids);
  return true;
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

/// One to three iterations, or zero to two that the compiler can't foresee.
static int tripCount(BerthSmith *smith) {
  if (berthRandomChance(&smith->random, 50))
    return berthSmithConstantIndex(smith,
                                   1 + berthRandomBelow(&smith->random, 3));
  return berthSmithIndexBelow(smith, 3);
}

/// Makes a loop counter visible as an i64.
static void addCounter(BerthSmith *smith, int counter) {
  int id = berthSmithNewId(smith);
  berthSmithLine(smith, "%%s%d = arith.index_cast %%s%d : index to i64", id,
                 counter);
  berthSmithAddScalar(smith, id);
}

/// The bounds of an scf.for, `%s<id>`.
typedef struct Bounds {
  int low, high, step;
  const char *keyword; ///< in front of the counter
  const char *type;    ///< "" for index
} Bounds;

static void printForHead(BerthSmith *smith, const BerthCarried *carried,
                         const Bounds *bounds, int counter, const int *ids,
                         const int *arguments) {
  berthCarriedResults(smith, carried, ids);
  fprintf(smith->out, "scf.for %s%%s%d = %%s%d to %%s%d step %%s%d",
          bounds->keyword, counter, bounds->low, bounds->high, bounds->step);
  for (int i = 0; i < carried->count; ++i)
    fprintf(smith->out, "%s%%m%d = %%m%d", i ? ", " : " iter_args(",
            arguments[i], carried->initial[i].id);
  if (carried->count) {
    berthCarriedTypes(smith, carried, ") -> (");
    fprintf(smith->out, ")");
  }
  fprintf(smith->out, "%s {\n", bounds->type);
}

/// From 0 on, one by one.
static Bounds plainBounds(BerthSmith *smith) {
  Bounds bounds = {.keyword = "", .type = ""};
  bounds.low = berthSmithConstantIndex(smith, 0);
  bounds.high = tripCount(smith);
  bounds.step = berthSmithConstantIndex(smith, 1);
  return bounds;
}

/// One to three turns that a signed loop would not make, or not only these, or
/// that do not come near the border.
static Bounds unsignedBounds(BerthSmith *smith) {
  static const int64_t quarter = INT64_C(1) << 62;
  const int64_t choices[][3] = {{INT64_MAX - 1, INT64_MIN + 1, 1},
                                {INT64_MAX, INT64_MIN + 2, 2},
                                {1, -quarter, quarter},
                                {-4, -1, 1},
                                {0, 2, 1}};
  int draw = berthRandomBelow(&smith->random, 5);
  bool isIndex = berthRandomChance(&smith->random, 40);
  int ids[3];
  for (int i = 0; i < 3; ++i)
    ids[i] = isIndex ? berthSmithConstantIndex(smith, choices[draw][i])
                     : berthSmithConstantInt(smith, choices[draw][i]);
  berthSmithDraw(smith,
                 draw < 3 ? BERTH_SMITH_UNSIGNED_ABOVE : BERTH_SMITH_UNSIGNED);
  return (Bounds){ids[0], ids[1], ids[2], "unsigned ", isIndex ? "" : " : i64"};
}

static void printFor(BerthSmith *smith, bool isUnsigned) {
  BerthCarried carried = berthCarriedChoose(smith);
  int ids[BERTH_MAX_CARRIED], arguments[BERTH_MAX_CARRIED];
  berthCarriedNames(smith, &carried, ids);
  berthCarriedNames(smith, &carried, arguments);
  int counter = berthSmithNewId(smith);
  Bounds bounds = isUnsigned ? unsignedBounds(smith) : plainBounds(smith);
  printForHead(smith, &carried, &bounds, counter, ids, arguments);
  BerthSmithState before;
  berthSmithSave(smith, &before);
  BerthSmithMark mark = openRegion(smith);
  if (*bounds.type)
    berthSmithAddScalar(smith, counter);
  else
    addCounter(smith, counter);
  berthSmithRestSome(smith);
  berthCarriedAdd(smith, &carried, arguments);
  berthSmithBody(smith);
  closeWithYield(smith, mark, &carried);
  berthSmithLine(smith, "}");
  berthSmithRestore(smith, &before);
  berthCarriedAdd(smith, &carried, ids);
}

bool berthSmithFor(BerthSmith *smith) {
  printFor(smith, false);
  return true;
}

bool berthSmithUnsignedFor(BerthSmith *smith) {
  printFor(smith, true);
  return true;
}

/// "(index, T, T)"
static void printWhileTypes(BerthSmith *smith, const BerthCarried *carried) {
  fprintf(smith->out, "(index");
  berthCarriedTypes(smith, carried, ", ");
  fprintf(smith->out, ")");
}

static void printWhileHead(BerthSmith *smith, const BerthCarried *carried,
                           int result, int counter, const int *arguments) {
  int zero = berthSmithConstantIndex(smith, 0);
  fprintf(smith->out, "%*s%%s%d", 2 * smith->indent, "", result);
  if (carried->count)
    fprintf(smith->out, ":%d", carried->count + 1);
  fprintf(smith->out, " = scf.while (%%s%d = %%s%d", counter, zero);
  for (int i = 0; i < carried->count; ++i)
    fprintf(smith->out, ", %%m%d = %%m%d", arguments[i],
            carried->initial[i].id);
  fprintf(smith->out, ") : ");
  printWhileTypes(smith, carried);
  fprintf(smith->out, " -> ");
  printWhileTypes(smith, carried);
  fprintf(smith->out, " {\n");
}

/// Ends a region of a while: `op` hands on the counter and what is carried.
static void closeWith(BerthSmith *smith, BerthSmithMark mark,
                      const BerthCarried *carried, const char *op,
                      int counter) {
  BerthSmithValue values[BERTH_MAX_CARRIED];
  berthCarriedYields(smith, carried, values);
  closeRegion(smith, mark);
  fprintf(smith->out, "%*s%s %%s%d", 2 * smith->indent + 2, "", op, counter);
  berthCarriedValues(smith, values, carried->count, ", ");
  fprintf(smith->out, " : index");
  berthCarriedTypes(smith, carried, ", ");
  fputc('\n', smith->out);
}

/// The before region: statements and the test of the counter.
static void printBefore(BerthSmith *smith, const BerthCarried *carried,
                        int counter, int high) {
  BerthSmithMark mark = openRegion(smith);
  addCounter(smith, counter);
  berthSmithBody(smith);
  int more = berthSmithNewId(smith);
  berthSmithLine(smith, "%%s%d = arith.cmpi ult, %%s%d, %%s%d : index", more,
                 counter, high);
  char op[40];
  snprintf(op, sizeof op, "scf.condition(%%s%d)", more);
  closeWith(smith, mark, carried, op, counter);
}

/// The after region: statements and the next counter.
static void printAfter(BerthSmith *smith, const BerthCarried *carried,
                       int counter) {
  BerthSmithMark mark = openRegion(smith);
  int arguments[BERTH_MAX_CARRIED];
  berthCarriedNames(smith, carried, arguments);
  fprintf(smith->out, "%*s^bb0(%%s%d: index", 2 * smith->indent - 2, "",
          counter);
  for (int i = 0; i < carried->count; ++i)
    fprintf(smith->out, ", %%m%d: %s", arguments[i],
            berthSmithTypeText(carried->type).text);
  fprintf(smith->out, "):\n");
  addCounter(smith, counter);
  berthCarriedAdd(smith, carried, arguments);
  berthSmithBody(smith);
  int next = berthSmithNext(smith, counter);
  closeWith(smith, mark, carried, "scf.yield", next);
}

/// The results of a while are one pack, `%s<id>#1...`; casts name them.
static void nameWhileResults(BerthSmith *smith, const BerthCarried *carried,
                             int result) {
  for (int i = 0; i < carried->count; ++i) {
    int id = berthSmithNewId(smith);
    BerthSmithText type = berthSmithTypeText(carried->type);
    berthSmithLine(smith, "%%m%d = memref.cast %%s%d#%d : %s to %s", id, result,
                   i + 1, type.text, type.text);
    berthSmithAddMerge(smith, id, carried->type, carried->initial[i].root, -1);
  }
}

bool berthSmithWhile(BerthSmith *smith) {
  BerthCarried carried = berthCarriedChoose(smith);
  int high = tripCount(smith);
  int result = berthSmithNewId(smith);
  int counter = berthSmithNewId(smith);
  int arguments[BERTH_MAX_CARRIED];
  berthCarriedNames(smith, &carried, arguments);
  printWhileHead(smith, &carried, result, counter, arguments);
  BerthSmithMark mark = berthSmithOpen(smith);
  BerthSmithState before;
  berthSmithSave(smith, &before);
  berthSmithRestSome(smith);
  berthCarriedAdd(smith, &carried, arguments);
  printBefore(smith, &carried, counter, high);
  berthSmithClose(smith, mark);
  berthSmithLine(smith, "} do {");
  printAfter(smith, &carried, berthSmithNewId(smith));
  berthSmithLine(smith, "}");
  berthSmithRestore(smith, &before);
  nameWhileResults(smith, &carried, result);
  return true;
}
