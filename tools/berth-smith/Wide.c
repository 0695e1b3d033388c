//===- Wide.c - Views that want more alignment than their buffer ---------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// malloc gives 16 bytes without a word, and programs rely on it. Here they
// print what is left of an address, and touch vectors, which traps at wrong
// ones.
//
//===----------------------------------------------------------------------===//

#include "Smith.h"

/// Prints an address modulo an alignment: 0, if all is well.
static void observeRest(BerthSmith *smith, int memref, const char *type,
                        int alignment) {
  int index = berthSmithNewId(smith), rest = berthSmithNewId(smith);
  berthSmithLine(smith,
                 "%%s%d = memref.extract_aligned_pointer_as_index %%m%d : %s "
                 "-> index",
                 index, memref, type);
  int address = berthSmithToInt(smith, index, BERTH_INDEX, 0);
  int modulus = berthSmithConstantInt(smith, alignment);
  berthSmithLine(smith, "%%s%d = arith.remui %%s%d, %%s%d : i64", rest, address,
                 modulus);
  berthSmithObserveScalar(smith, rest);
}

/// A buffer of few bytes, behind which nothing is aligned by itself.
static void printOdd(BerthSmith *smith) {
  BerthSmithType type = {.element = BERTH_I8, .rank = 1};
  type.shape[0] = 3 + 2 * berthRandomBelow(&smith->random, 3);
  berthSmithFillValue(smith, berthSmithNewBuffer(smith, type));
}

static BerthSmithValue newBytes(BerthSmith *smith) {
  BerthSmithType type = {.element = BERTH_I8, .rank = 1};
  type.shape[0] = 16 * (1 + berthRandomBelow(&smith->random, 3));
  BerthSmithValue bytes = berthSmithNewBuffer(smith, type);
  berthSmithFillValue(smith, bytes);
  return bytes;
}

/// `%m<id>`: the bytes from the start or from 16 on as elements of another
/// type.
static int printView(BerthSmith *smith, BerthSmithValue bytes, int from,
                     const char *type) {
  int start = berthSmithConstantIndex(smith, from);
  int id = berthSmithNewId(smith);
  berthSmithLine(smith, "%%m%d = memref.view %%m%d[%%s%d][] : %s to %s", id,
                 bytes.id, start, berthSmithTypeText(bytes.type).text, type);
  return id;
}

static int startOfView(BerthSmith *smith, BerthSmithValue bytes) {
  return bytes.type.shape[0] > 16 ? 16 * berthRandomBelow(&smith->random, 2)
                                  : 0;
}

/// Integers, which the other statements use from here on.
static void printIntegers(BerthSmith *smith, BerthSmithValue bytes) {
  static const int sizes[BERTH_NUM_ELEMENTS] = {
      [BERTH_I16] = 2, [BERTH_I32] = 4, [BERTH_I64] = 8};
  int from = startOfView(smith, bytes);
  BerthSmithType type = {.rank = 1};
  type.element =
      (BerthElement)(BERTH_I16 + berthRandomBelow(&smith->random, 3));
  int size = sizes[type.element];
  type.shape[0] = (bytes.type.shape[0] - from) / size;
  BerthSmithText text = berthSmithTypeText(type);
  int id = printView(smith, bytes, from, text.text);
  observeRest(smith, id, text.text, size);
  berthSmithAddView(smith, id, type, bytes.root, from == 0);
}

/// A float of all numbers would be one for some bytes only: written, then read.
static void printFloat(BerthSmith *smith, BerthSmithValue bytes) {
  int from = startOfView(smith, bytes);
  BerthSmithType type = {.element = BERTH_F64, .rank = 1};
  type.shape[0] = (bytes.type.shape[0] - from) / 8;
  BerthSmithText spelled = berthSmithTypeText(type);
  const char *text = spelled.text;
  int id = printView(smith, bytes, from, text);
  int number = berthSmithNewId(smith), again = berthSmithNewId(smith);
  int at = berthSmithConstantIndex(smith, 1);
  observeRest(smith, id, text, 8);
  berthSmithLine(smith, "%%s%d = arith.constant %d.0 : f64", number,
                 berthRandomBelow(&smith->random, 100));
  berthSmithLine(smith, "memref.store %%s%d, %%m%d[%%s%d] : %s", number, id, at,
                 text);
  smith->roots[bytes.root].resting = true;
  berthSmithMeanwhile(smith);
  berthSmithLine(smith, "%%s%d = memref.load %%m%d[%%s%d] : %s", again, id, at,
                 text);
  berthSmithObserveScalar(smith, berthSmithToInt(smith, again, BERTH_F64, 0));
}

bool berthSmithWideNumbers(BerthSmith *smith) {
  printOdd(smith);
  BerthSmithValue bytes = newBytes(smith);
  if (berthRandomChance(&smith->random, 60))
    printIntegers(smith, bytes);
  else
    printFloat(smith, bytes);
  berthSmithDraw(smith, BERTH_SMITH_WIDE_NUMBERS);
  return true;
}

/// A vector of 16 bytes, of numbers or of a view of bytes.
bool berthSmithWideVectors(BerthSmith *smith) {
  printOdd(smith);
  bool isCast = berthRandomChance(&smith->random, 50);
  const char *type =
      isCast ? "memref<vector<4xi32>>" : "memref<1xvector<4xi32>>";
  int id, scalar = smith->scalars[smith->numScalars - 1];
  BerthSmithValue value;
  char at[16] = "";
  if (isCast) {
    BerthSmithType row = {.element = BERTH_I32, .rank = 1, .shape = {4, 0}};
    value = berthSmithNewBuffer(smith, row);
    id = berthSmithNewId(smith);
    berthSmithLine(smith,
                   "%%m%d = vector.type_cast %%m%d : memref<4xi32> to %s", id,
                   value.id, type);
  } else {
    value = newBytes(smith);
    id = printView(smith, value, 0, type);
    snprintf(at, sizeof at, "%%s%d", berthSmithConstantIndex(smith, 0));
  }
  observeRest(smith, id, type, 16);
  int number = berthSmithFromInt(smith, scalar, BERTH_I32, 0);
  int vector = berthSmithNewId(smith), again = berthSmithNewId(smith);
  int lane = berthSmithNewId(smith);
  berthSmithLine(smith, "%%s%d = vector.broadcast %%s%d : i32 to vector<4xi32>",
                 vector, number);
  berthSmithLine(smith, "memref.store %%s%d, %%m%d[%s] : %s", vector, id, at,
                 type);
  smith->roots[value.root].initialised = true;
  smith->roots[value.root].resting = true;
  berthSmithMeanwhile(smith);
  berthSmithLine(smith, "%%s%d = memref.load %%m%d[%s] : %s", again, id, at,
                 type);
  berthSmithLine(smith,
                 "%%s%d = vector.extract %%s%d[1] : i32 from vector<4xi32>",
                 lane, again);
  berthSmithObserveScalar(smith, berthSmithToInt(smith, lane, BERTH_I32, 0));
  berthSmithDraw(smith, BERTH_SMITH_WIDE_VECTORS);
  return true;
}

bool berthSmithAssumeAlignment(BerthSmith *smith) {
  printOdd(smith);
  BerthSmithType type = berthSmithRandomType(&smith->random, false);
  BerthSmithValue value = berthSmithNewBuffer(smith, type);
  BerthSmithText text = berthSmithTypeText(type);
  int id = berthSmithNewId(smith);
  berthSmithLine(smith, "%%m%d = memref.assume_alignment %%m%d, 16 : %s", id,
                 value.id, text.text);
  observeRest(smith, id, text.text, 16);
  size_t view = berthSmithAddView(smith, id, type, value.root, true);
  berthSmithFillValue(smith, smith->values[view]);
  berthSmithDraw(smith, BERTH_SMITH_ALIGNMENT_ASSUMED);
  return true;
}

//===----------------------------------------------------------------------===//
// Two that never overlap, as the program says
//===----------------------------------------------------------------------===//

static bool isAllocation(const BerthSmith *smith, const BerthSmithValue *value,
                         const void *wanted) {
  const BerthSmithValue *other = wanted;
  return !smith->roots[value->root].merged &&
         (!other || other->root != value->root);
}

bool berthSmithDistinct(BerthSmith *smith) {
  BerthSmithValue values[2];
  if (!berthSmithPick(smith, isAllocation, NULL, &values[0]) ||
      !berthSmithPick(smith, isAllocation, &values[0], &values[1]))
    return false;
  int ids[2];
  for (int i = 0; i < 2; ++i)
    ids[i] = berthSmithNewId(smith);
  BerthSmithText text = berthSmithTypeText(values[1].type);
  berthSmithLine(smith,
                 "%%m%d, %%m%d = memref.distinct_objects %%m%d, %%m%d : %s, %s",
                 ids[0], ids[1], values[0].id, values[1].id,
                 berthSmithTypeText(values[0].type).text, text.text);
  for (int i = 0; i < 2; ++i)
    berthSmithAddView(smith, ids[i], values[i].type, values[i].root,
                      values[i].whole);
  berthSmithDraw(smith, BERTH_SMITH_DISTINCT);
  return true;
}
