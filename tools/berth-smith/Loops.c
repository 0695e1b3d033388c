//===- Loops.c - Element-wise work without linalg ------------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Loops of loads and stores, parallel ones with statements of their own, and
// vector transfers. A loop that writes every element is a full overwrite that
// no analysis need prove.
//
//===----------------------------------------------------------------------===//

#include "Smith.h"

#include <stdio.h>
#include <string.h>

static bool isRow(const BerthSmith *smith, const BerthSmithValue *value,
                  const void *wanted) {
  (void)smith, (void)wanted;
  return value->type.rank == 1 && berthSmithIsStatic(value->type);
}

static bool isReadableStatic(const BerthSmith *smith,
                             const BerthSmithValue *value, const void *wanted) {
  return berthSmithIsReadable(smith, value, wanted) &&
         berthSmithIsStatic(value->type);
}

/// A row to write, and one of the same shape to read.
static bool pickRows(BerthSmith *smith, BerthSmithValue *to,
                     BerthSmithValue *from) {
  return berthSmithPick(smith, isRow, NULL, to) &&
         berthSmithPick(smith, berthSmithReadableShape, &to->type, from);
}

static int printLoad(BerthSmith *smith, BerthSmithValue from, int index) {
  int id = berthSmithNewId(smith);
  berthSmithLine(smith, "%%s%d = memref.load %%m%d[%%s%d] : %s", id, from.id,
                 index, berthSmithTypeText(from.type).text);
  return id;
}

static void printStore(BerthSmith *smith, int element, BerthSmithValue to,
                       int index) {
  berthSmithLine(smith, "memref.store %%s%d, %%m%d[%%s%d] : %s", element, to.id,
                 index, berthSmithTypeText(to.type).text);
}

/// to[i] = f(from[i]).
static void printElementBody(BerthSmith *smith, BerthSmithValue to,
                             BerthSmithValue from, int index) {
  int loaded = printLoad(smith, from, index);
  int term = berthSmithToInt(smith, loaded, from.type.element, 0);
  int mixed = berthSmithMix(smith, &term, 1, 0);
  int result = berthSmithFromInt(smith, mixed, to.type.element, 0);
  printStore(smith, result, to, index);
}

/// The same by way of a one-element buffer allocated in the body.
static void printStagedBody(BerthSmith *smith, BerthSmithValue to,
                            BerthSmithValue from, int index) {
  BerthSmithValue stage = {
      .type = {.element = from.type.element, .rank = 1, .shape = {1, 0}}};
  BerthSmithText text = berthSmithTypeText(stage.type);
  stage.id = berthSmithNewId(smith);
  berthSmithLine(smith, "%%m%d = memref.alloc() : %s", stage.id, text.text);
  int zero = berthSmithConstantIndex(smith, 0);
  printStore(smith, printLoad(smith, from, index), stage, zero);
  int term = berthSmithToInt(smith, printLoad(smith, stage, zero),
                             stage.type.element, 0);
  int mixed = berthSmithMix(smith, &term, 1, 0);
  int result = berthSmithFromInt(smith, mixed, to.type.element, 0);
  printStore(smith, result, to, index);
  if (smith->features & BERTH_SMITH_DEALLOC)
    berthSmithLine(smith, "memref.dealloc %%m%d : %s", stage.id, text.text);
}

static void printBody(BerthSmith *smith, BerthSmithValue to,
                      BerthSmithValue from, int index) {
  ++smith->indent;
  if (berthRandomChance(&smith->random, 35))
    printStagedBody(smith, to, from, index);
  else
    printElementBody(smith, to, from, index);
  --smith->indent;
  berthSmithLine(smith, "}");
  berthSmithRead(smith, from);
  berthSmithWrote(smith, to);
}

void berthSmithPrintElements(BerthSmith *smith, BerthSmithValue to,
                             BerthSmithValue from) {
  int low = berthSmithConstantIndex(smith, 0);
  int high = berthSmithConstantIndex(smith, to.type.shape[0]);
  int step = berthSmithConstantIndex(smith, 1);
  int index = berthSmithNewId(smith);
  berthSmithLine(smith, "scf.for %%s%d = %%s%d to %%s%d step %%s%d {", index,
                 low, high, step);
  printBody(smith, to, from, index);
}

bool berthSmithElementLoop(BerthSmith *smith) {
  BerthSmithValue to, from;
  if (!pickRows(smith, &to, &from))
    return false;
  berthSmithPrintElements(smith, to, from);
  return true;
}

//===----------------------------------------------------------------------===//
// Windows
//===----------------------------------------------------------------------===//

/// What a nest reads for each element that it writes: `width` elements, from
/// `stride` times the element's number on, or that of its mirror image.
typedef struct Window {
  int64_t count; ///< of elements that are written
  int64_t stride;
  int64_t width;
  bool isMirrored;
} Window;

static int printIndex(BerthSmith *smith, const char *op, int a, int b) {
  int id = berthSmithNewId(smith);
  berthSmithLine(smith, "%%s%d = arith.%s %%s%d, %%s%d : index", id, op, a, b);
  return id;
}

static int mirror(BerthSmith *smith, const Window *window, int index) {
  int last = berthSmithConstantIndex(smith, window->count - 1);
  return printIndex(smith, "subi", last, index);
}

/// `count`, as a constant or as the larger one of it and a number below it that
/// only the running program knows.
static int printCount(BerthSmith *smith, int64_t count) {
  int number = berthSmithConstantIndex(smith, count);
  if (berthRandomChance(&smith->random, 80))
    return number;
  return printIndex(smith, "maxsi", number, berthSmithIndexBelow(smith, count));
}

static int printStrided(BerthSmith *smith, int64_t count, int by,
                        bool isAffine) {
  if (isAffine) {
    int variable = berthSmithNewId(smith);
    berthSmithLine(smith, "affine.for %%s%d = 0 to %d step %d {", variable,
                   (int)count, by);
    ++smith->indent;
    return variable;
  }
  int low = berthSmithConstantIndex(smith, 0);
  int high = printCount(smith, count);
  int step = berthSmithConstantIndex(smith, by);
  int index = berthSmithNewId(smith);
  berthSmithLine(smith, "scf.for %%s%d = %%s%d to %%s%d step %%s%d {", index,
                 low, high, step);
  ++smith->indent;
  return index;
}

/// One of two kinds of loops whose turns follow each other.
static int printFor(BerthSmith *smith, int64_t count) {
  return printStrided(smith, count, 1, berthRandomChance(&smith->random, 35));
}

/// A nest has read the one and written the other, which mostly may lie there.
static void usedByNest(BerthSmith *smith, BerthSmithValue from,
                       BerthSmithValue to) {
  berthSmithRead(smith, from);
  berthSmithWrote(smith, to);
  if (berthRandomChance(&smith->random, 85))
    smith->roots[from.root].resting = true;
}

static void endFor(BerthSmith *smith) {
  --smith->indent;
  berthSmithLine(smith, "}");
}

/// row[at], now and then by a part of one element.
static int printLoadOfRow(BerthSmith *smith, BerthSmithValue row, int at) {
  if (berthRandomChance(&smith->random, 75))
    return printLoad(smith, row, at);
  int part = berthSmithNewId(smith), id = berthSmithNewId(smith);
  int zero = berthSmithConstantIndex(smith, 0);
  const char *element = berthElementText(row.type.element);
  berthSmithLine(smith,
                 "%%s%d = memref.subview %%m%d[%%s%d] [1] [1] : %s to "
                 "memref<1x%s, strided<[1], offset: ?>>",
                 part, row.id, at, berthSmithTypeText(row.type).text, element);
  berthSmithLine(smith,
                 "%%s%d = memref.load %%s%d[%%s%d] : memref<1x%s, strided<[1], "
                 "offset: ?>>",
                 id, part, zero, element);
  return id;
}

/// to[at] = f(to[at], from[first + k]).
static void addOne(BerthSmith *smith, BerthSmithValue to, BerthSmithValue from,
                   int at, int first, int k) {
  int place = printIndex(smith, "addi", first, k);
  int terms[] = {
      berthSmithToInt(smith, printLoad(smith, to, at), to.type.element, 0),
      berthSmithToInt(smith, printLoadOfRow(smith, from, place),
                      from.type.element, 0)};
  int mixed = berthSmithMix(smith, terms, 2, 0);
  printStore(smith, berthSmithFromInt(smith, mixed, to.type.element, 0), to,
             at);
}

/// to[at] = from[first], and then the rest of the window, by a loop or one by
/// one.
static void printWindow(BerthSmith *smith, const Window *window,
                        BerthSmithValue to, BerthSmithValue from, int at,
                        int first) {
  int loaded = berthSmithToInt(smith, printLoadOfRow(smith, from, first),
                               from.type.element, 0);
  printStore(smith, berthSmithFromInt(smith, loaded, to.type.element, 0), to,
             at);
  if (berthRandomChance(&smith->random, 50)) {
    int k = printFor(smith, window->width);
    addOne(smith, to, from, at, first, k);
    endFor(smith);
    return;
  }
  for (int64_t k = 1; k < window->width; ++k)
    addOne(smith, to, from, at, first, berthSmithConstantIndex(smith, k));
}

static BerthSmithValue newRow(BerthSmith *smith, int64_t count) {
  BerthSmithType type = berthSmithRandomType(&smith->random, false);
  BerthSmithType row = {
      .element = type.element, .rank = 1, .shape = {count, 0}};
  return berthSmithNewBuffer(smith, row);
}

//===----------------------------------------------------------------------===//
// Element by element
//===----------------------------------------------------------------------===//

static void printSequential(BerthSmith *smith, BerthSmithType type,
                            bool isAffine, int index[2]) {
  for (int d = 0; d < type.rank; ++d)
    index[d] = isAffine ? printStrided(smith, type.shape[d], 1, true)
                        : printFor(smith, type.shape[d]);
}

/// "(%s3, %s4)", or "(%s3)" for one dimension.
static BerthSmithText tupleOf(const char *prefix, int rank, const int of[2]) {
  BerthSmithText tuple;
  if (rank == 1)
    snprintf(tuple.text, sizeof tuple.text, "(%s%d)", prefix, of[0]);
  else
    snprintf(tuple.text, sizeof tuple.text, "(%s%d, %s%d)", prefix, of[0],
             prefix, of[1]);
  return tuple;
}

/// One op of all loops.
static void printParallel(BerthSmith *smith, BerthSmithType type,
                          const char *op, int index[2]) {
  bool takesValues = strcmp(op, "scf.parallel") == 0;
  bool isForall = strcmp(op, "scf.forall") == 0;
  int zeros[2] = {0, 0}, ones[2] = {1, 1}, counts[2] = {0, 0};
  for (int d = 0; d < type.rank; ++d) {
    index[d] = berthSmithNewId(smith);
    counts[d] = (int)type.shape[d];
    if (!takesValues)
      continue;
    zeros[d] = berthSmithConstantIndex(smith, 0);
    ones[d] = berthSmithConstantIndex(smith, 1);
    counts[d] = berthSmithConstantIndex(smith, type.shape[d]);
  }
  const char *prefix = takesValues ? "%s" : "";
  BerthSmithText variables = tupleOf("%s", type.rank, index),
                 from = tupleOf(prefix, type.rank, zeros),
                 to = tupleOf(prefix, type.rank, counts),
                 by = tupleOf(prefix, type.rank, ones);
  if (isForall)
    berthSmithLine(smith, "scf.forall %s in %s {", variables.text, to.text);
  else
    berthSmithLine(smith, "%s %s = %s to %s step %s {", op, variables.text,
                   from.text, to.text, by.text);
  ++smith->indent;
}

static int printLoadAt(BerthSmith *smith, BerthSmithValue from,
                       const int index[2]) {
  if (from.type.rank == 1)
    return printLoad(smith, from, index[0]);
  int id = berthSmithNewId(smith);
  berthSmithLine(smith, "%%s%d = memref.load %%m%d[%%s%d, %%s%d] : %s", id,
                 from.id, index[0], index[1],
                 berthSmithTypeText(from.type).text);
  return id;
}

static void printStoreAt(BerthSmith *smith, int element, BerthSmithValue to,
                         const int index[2]) {
  if (to.type.rank == 1)
    printStore(smith, element, to, index[0]);
  else
    berthSmithLine(smith, "memref.store %%s%d, %%m%d[%%s%d, %%s%d] : %s",
                   element, to.id, index[0], index[1],
                   berthSmithTypeText(to.type).text);
}

/// The same numbers by other values, now and then.
static void respell(BerthSmith *smith, int rank, int index[2]) {
  for (int d = 0; d < rank; ++d)
    if (berthRandomChance(&smith->random, 15))
      index[d] = printIndex(smith, "addi",
                            printIndex(smith, "addi", index[d],
                                       berthSmithConstantIndex(smith, 3)),
                            berthSmithConstantIndex(smith, -3));
}

/// Stores by either of two ways, of which the second one may read once more.
static void printBranches(BerthSmith *smith, BerthSmithValue to,
                          BerthSmithValue from, int term, const int index[2]) {
  int is = berthSmithNewId(smith), zero = berthSmithConstantInt(smith, 0);
  berthSmithLine(smith, "%%s%d = arith.cmpi slt, %%s%d, %%s%d : i64", is, term,
                 zero);
  berthSmithLine(smith, "scf.if %%s%d {", is);
  ++smith->indent;
  printStoreAt(smith, berthSmithFromInt(smith, term, to.type.element, 0), to,
               index);
  --smith->indent;
  berthSmithLine(smith, "} else {");
  ++smith->indent;
  if (berthRandomChance(&smith->random, 70))
    term = berthSmithToInt(smith, printLoadAt(smith, from, index),
                           from.type.element, 0);
  int mixed = berthSmithMix(smith, &term, 1, 0);
  printStoreAt(smith, berthSmithFromInt(smith, mixed, to.type.element, 0), to,
               index);
  --smith->indent;
  berthSmithLine(smith, "}");
}

/// A row in vectors of four, or of four at each second element.
static bool printVectorNest(BerthSmith *smith) {
  enum { kLanes = 4 };
  BerthSmithType type = {.element = BERTH_I32, .rank = 1};
  type.shape[0] = kLanes * (1 + berthRandomBelow(&smith->random, 4));
  BerthSmithValue from = berthSmithNewBuffer(smith, type);
  berthSmithFillValue(smith, from);
  type.element = berthRandomChance(&smith->random, 50) ? BERTH_F32 : BERTH_I32;
  BerthSmithValue to = berthSmithNewBuffer(smith, type);
  int by = berthRandomChance(&smith->random, 25) ? kLanes / 2 : kLanes;
  bool isAffine = berthRandomChance(&smith->random, 50);
  const char *dialect = isAffine ? "affine.vector_" : "vector.";
  int index = printStrided(smith, type.shape[0] - kLanes + 1, by, isAffine);
  int vector = berthSmithNewId(smith);
  berthSmithLine(smith, "%%s%d = %sload %%m%d[%%s%d] : %s, vector<4x%s>",
                 vector, dialect, from.id, index,
                 berthSmithTypeText(from.type).text,
                 berthElementText(from.type.element));
  int term = berthSmithToInt(smith, vector, from.type.element, kLanes);
  int mixed = berthSmithMix(smith, &term, 1, kLanes);
  berthSmithLine(
      smith, "%sstore %%s%d, %%m%d[%%s%d] : %s, vector<4x%s>", dialect,
      berthSmithFromInt(smith, mixed, to.type.element, kLanes), to.id, index,
      berthSmithTypeText(to.type).text, berthElementText(to.type.element));
  endFor(smith);
  usedByNest(smith, from, to);
  return true;
}

/// to[i, j] = f(from[i, j]), in loops of any kind; now and then an element
/// comes from its mirror image, or one is read again behind the write. Narrower
/// elements may mostly lie where they were read.
static bool printElementNest(BerthSmith *smith) {
  static const BerthElement wide[] = {BERTH_I64, BERTH_F64, BERTH_I32,
                                      BERTH_F32};
  static const BerthElement narrow[] = {BERTH_I8, BERTH_I16};
  BerthSmithType type = berthSmithRandomType(&smith->random, false);
  bool isNarrower = berthRandomChance(&smith->random, 55);
  if (isNarrower) {
    type.element = wide[berthRandomBelow(&smith->random, 4)];
    type.shape[0] *= 4; // so that it counts among the others
  }
  BerthSmithValue from = berthSmithNewBuffer(smith, type);
  berthSmithFillValue(smith, from);
  if (isNarrower)
    type.element = narrow[berthRandomBelow(&smith->random, 2)];
  else if (berthRandomChance(&smith->random, 40))
    type.element = berthSmithRandomType(&smith->random, false).element;
  BerthSmithValue to = berthSmithNewBuffer(smith, type);
  static const char *const parallel[] = {"scf.parallel", "affine.parallel",
                                         "scf.forall"};
  int index[2] = {0, 0},
      kind = isNarrower ? 0 : (int)berthRandomBelow(&smith->random, 5);
  int depth = kind < 2 ? type.rank : 1;
  if (kind < 2)
    printSequential(smith, type, kind == 1, index);
  else
    printParallel(smith, type, parallel[kind - 2], index);
  int read[2] = {index[0], index[1]};
  if (berthRandomChance(&smith->random, 15))
    read[0] =
        printIndex(smith, "subi",
                   berthSmithConstantIndex(smith, type.shape[0] - 1), index[0]);
  respell(smith, type.rank, read);
  int terms[2] = {berthSmithToInt(smith, printLoadAt(smith, from, read),
                                  from.type.element, 0)};
  int mixed = berthSmithMix(smith, terms, 1, 0);
  if (berthRandomChance(&smith->random, 30))
    printBranches(smith, to, from, mixed, index);
  else
    printStoreAt(smith, berthSmithFromInt(smith, mixed, to.type.element, 0), to,
                 index);
  if (berthRandomChance(&smith->random, 30)) {
    BerthSmithValue again = berthRandomChance(&smith->random, 30) ? from : to;
    terms[0] = mixed;
    terms[1] = berthSmithToInt(smith, printLoadAt(smith, again, index),
                               again.type.element, 0);
    mixed = berthSmithMix(smith, terms, 2, 0);
    printStoreAt(smith, berthSmithFromInt(smith, mixed, to.type.element, 0), to,
                 index);
  }
  while (depth-- > 0)
    endFor(smith);
  usedByNest(smith, from, to);
  return true;
}

bool berthSmithNest(BerthSmith *smith) {
  if (berthRandomChance(&smith->random, 50))
    return printElementNest(smith);
  if (berthRandomChance(&smith->random, 25))
    return printVectorNest(smith);
  Window window = {.count = 2 + berthRandomBelow(&smith->random, 30),
                   .stride = 1 + berthRandomBelow(&smith->random, 2),
                   .width = 1 + berthRandomBelow(&smith->random, 3),
                   .isMirrored = berthRandomChance(&smith->random, 15)};
  BerthSmithValue from =
      newRow(smith, window.stride * (window.count - 1) + window.width +
                        berthRandomBelow(&smith->random, 3));
  berthSmithFillValue(smith, from);
  BerthSmithValue to = newRow(smith, window.count);
  int index = printFor(smith, window.count);
  int at = berthRandomChance(&smith->random, 40) ? mirror(smith, &window, index)
                                                 : index;
  int read = window.isMirrored ? mirror(smith, &window, at) : at;
  int stride = berthSmithConstantIndex(smith, window.stride);
  int first = printIndex(smith, "muli", read, stride);
  printWindow(smith, &window, to, from, at, first);
  endFor(smith);
  usedByNest(smith, from, to);
  return true;
}

//===----------------------------------------------------------------------===//
// Parallel loops
//===----------------------------------------------------------------------===//

/// Iterations of a parallel loop must not meet: it may read what it writes only
/// at the same element, which distinct roots and equal values guarantee.
static bool mayRunParallel(const BerthSmith *smith, BerthSmithValue to,
                           BerthSmithValue from) {
  return to.id == from.id ||
         (to.root != from.root && !smith->roots[to.root].merged &&
          !smith->roots[from.root].merged);
}

bool berthSmithParallel(BerthSmith *smith) {
  BerthSmithValue to, from;
  if (!pickRows(smith, &to, &from) || !mayRunParallel(smith, to, from))
    return false;
  int low = berthSmithConstantIndex(smith, 0);
  int high = berthSmithConstantIndex(smith, to.type.shape[0]);
  int step = berthSmithConstantIndex(smith, 1);
  int index = berthSmithNewId(smith);
  berthSmithLine(smith,
                 "scf.parallel (%%s%d) = (%%s%d) to (%%s%d) step (%%s%d) {",
                 index, low, high, step);
  printBody(smith, to, from, index);
  return true;
}

bool berthSmithForall(BerthSmith *smith) {
  BerthSmithValue to, from;
  if (!pickRows(smith, &to, &from) || !mayRunParallel(smith, to, from))
    return false;
  int index = berthSmithNewId(smith);
  berthSmithLine(smith, "scf.forall (%%s%d) in (%d) {", index,
                 (int)to.type.shape[0]);
  printBody(smith, to, from, index);
  return true;
}

//===----------------------------------------------------------------------===//
// Parallel loops with buffers of their own
//===----------------------------------------------------------------------===//

/// What stands outside may be read at the start of an iteration, not written:
/// the others run at the same time.
static void bringIn(BerthSmith *smith) {
  BerthSmithValue from;
  if (!berthSmithPick(smith, isReadableStatic, NULL, &from))
    return;
  BerthSmithType type = from.type;
  type.strided = false;
  BerthSmithValue tile = berthSmithNewBuffer(smith, type);
  BerthSmithText text = berthSmithTypeText(type);
  berthSmithLine(smith, "memref.copy %%m%d, %%m%d : %s to %s", from.id, tile.id,
                 berthSmithTypeText(from.type).text, text.text);
  berthSmithWrote(smith, tile);
}

/// An iteration: buffers, statements on these alone, and one element of the
/// result.
static void printIteration(BerthSmith *smith, BerthSmithValue to, int index) {
  BerthSmithMark mark = berthSmithOpen(smith);
  size_t firstValue = smith->firstValue;
  size_t numTiles = smith->numValues;
  smith->multiBlock = smith->atTop = false;
  ++smith->indent;
  ++smith->depth;
  berthSmithAddScalar(smith, berthSmithToInt(smith, index, BERTH_INDEX, 0));
  bringIn(smith);
  smith->firstValue = numTiles;
  for (int i = berthRandomBelow(&smith->random, 3); i >= 0; --i) {
    berthSmithAlloc(smith);
    berthSmithFill(smith);
    berthSmithStore(smith);
  }
  berthSmithBody(smith);
  berthSmithLoad(smith);
  int term = smith->scalars[smith->numScalars - 1];
  int mixed = berthSmithMix(smith, &term, 1, 0);
  printStore(smith, berthSmithFromInt(smith, mixed, to.type.element, 0), to,
             index);
  smith->firstValue = firstValue;
  --smith->depth;
  berthSmithClose(smith, mark);
  --smith->indent;
  berthSmithLine(smith, "}");
  berthSmithWrote(smith, to);
}

bool berthSmithTiles(BerthSmith *smith) {
  BerthSmithValue to;
  if (!berthSmithPick(smith, isRow, NULL, &to))
    return false;
  int count = (int)to.type.shape[0];
  int index;
  if (berthRandomChance(&smith->random, 50)) {
    index = berthSmithNewId(smith);
    berthSmithLine(smith, "scf.forall (%%s%d) in (%d) {", index, count);
  } else {
    int low = berthSmithConstantIndex(smith, 0);
    int high = berthSmithConstantIndex(smith, count);
    int step = berthSmithConstantIndex(smith, 1);
    index = berthSmithNewId(smith);
    berthSmithLine(smith,
                   "scf.parallel (%%s%d) = (%%s%d) to (%%s%d) step (%%s%d) {",
                   index, low, high, step);
  }
  printIteration(smith, to, index);
  return true;
}

//===----------------------------------------------------------------------===//
// Vectors
//===----------------------------------------------------------------------===//

static bool isVectorRow(const BerthSmith *smith, const BerthSmithValue *value,
                        const void *wanted) {
  return isRow(smith, value, wanted) && value->type.element != BERTH_I1 &&
         value->type.element != BERTH_INDEX && !value->type.strided;
}

static bool isVectorSource(const BerthSmith *smith,
                           const BerthSmithValue *value, const void *type) {
  return isVectorRow(smith, value, NULL) &&
         berthSmithReadableShape(smith, value, type);
}

/// A zero to pad with.
static int padding(BerthSmith *smith, BerthElement element) {
  int id = berthSmithNewId(smith);
  bool real = element == BERTH_F32 || element == BERTH_F64;
  berthSmithLine(smith, "%%s%d = arith.constant %s : %s", id,
                 real ? "0.0" : "0", berthElementText(element));
  return id;
}

/// Reads a row as one vector; returns the mixed vector for the target's type.
static int printVectorRead(BerthSmith *smith, BerthSmithValue from,
                           BerthElement element, int zero) {
  int lanes = (int)from.type.shape[0];
  int pad = padding(smith, from.type.element);
  int id = berthSmithNewId(smith);
  berthSmithLine(smith,
                 "%%s%d = vector.transfer_read %%m%d[%%s%d], %%s%d {in_bounds "
                 "= [true]} : %s, vector<%dx%s>",
                 id, from.id, zero, pad, berthSmithTypeText(from.type).text,
                 lanes, berthElementText(from.type.element));
  int term = berthSmithToInt(smith, id, from.type.element, lanes);
  int mixed = berthSmithMix(smith, &term, 1, lanes);
  berthSmithRead(smith, from);
  return berthSmithFromInt(smith, mixed, element, lanes);
}

bool berthSmithTransfer(BerthSmith *smith) {
  BerthSmithValue to, from;
  if (!berthSmithPick(smith, isVectorRow, NULL, &to) ||
      !berthSmithPick(smith, isVectorSource, &to.type, &from))
    return false;
  int zero = berthSmithConstantIndex(smith, 0);
  int vector = printVectorRead(smith, from, to.type.element, zero);
  berthSmithLine(smith,
                 "vector.transfer_write %%s%d, %%m%d[%%s%d] {in_bounds = "
                 "[true]} : vector<%dx%s>, %s",
                 vector, to.id, zero, (int)to.type.shape[0],
                 berthElementText(to.type.element),
                 berthSmithTypeText(to.type).text);
  berthSmithWrote(smith, to);
  return true;
}

/// Writes the first elements only: never a full overwrite.
bool berthSmithMaskedTransfer(BerthSmith *smith) {
  BerthSmithValue to, from;
  if (!berthSmithPick(smith, isVectorRow, NULL, &to) ||
      !berthSmithPick(smith, isVectorSource, &to.type, &from))
    return false;
  int lanes = (int)to.type.shape[0];
  int zero = berthSmithConstantIndex(smith, 0);
  int vector = printVectorRead(smith, from, to.type.element, zero);
  int bound = berthSmithIndexBelow(smith, lanes);
  int mask = berthSmithNewId(smith);
  berthSmithLine(smith, "%%s%d = vector.create_mask %%s%d : vector<%dxi1>",
                 mask, bound, lanes);
  berthSmithLine(smith,
                 "vector.transfer_write %%s%d, %%m%d[%%s%d], %%s%d {in_bounds "
                 "= [true]} : vector<%dx%s>, %s",
                 vector, to.id, zero, mask, lanes,
                 berthElementText(to.type.element),
                 berthSmithTypeText(to.type).text);
  return true;
}
