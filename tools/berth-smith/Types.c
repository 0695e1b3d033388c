//===- Types.c - The memref types of generated programs ------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Types.h"

#include <stdio.h>
#include <string.h>

const char *berthElementText(BerthElement element) {
  static const char *const texts[BERTH_NUM_ELEMENTS] = {
      "i1", "i8", "i16", "i32", "i64", "index", "f32", "f64"};
  return texts[element];
}

static void appendNumber(BerthSmithText *out, int64_t number) {
  size_t length = strlen(out->text);
  char *end = out->text + length;
  if (number == BERTH_SMITH_RUNTIME)
    snprintf(end, sizeof out->text - length, "?");
  else
    snprintf(end, sizeof out->text - length, "%lld", (long long)number);
}

static void append(BerthSmithText *out, const char *text) {
  size_t length = strlen(out->text);
  snprintf(out->text + length, sizeof out->text - length, "%s", text);
}

static void appendLayout(BerthSmithText *out, BerthSmithType type) {
  append(out, ", strided<[");
  for (int i = 0; i < type.rank; ++i) {
    append(out, i ? ", " : "");
    appendNumber(out, type.strides[i]);
  }
  append(out, "]");
  if (type.offset) {
    append(out, ", offset: ");
    appendNumber(out, type.offset);
  }
  append(out, ">");
}

BerthSmithText berthSmithTypeText(BerthSmithType type) {
  BerthSmithText out = {"memref<"};
  for (int i = 0; i < type.rank; ++i) {
    appendNumber(&out, type.shape[i]);
    append(&out, "x");
  }
  append(&out, berthElementText(type.element));
  if (type.strided)
    appendLayout(&out, type);
  append(&out, ">");
  return out;
}

bool berthSmithSameShape(BerthSmithType a, BerthSmithType b) {
  return a.rank == b.rank && a.shape[0] == b.shape[0] &&
         (a.rank == 1 || a.shape[1] == b.shape[1]);
}

static bool sameLayout(BerthSmithType a, BerthSmithType b) {
  if (a.strided != b.strided)
    return false;
  if (!a.strided)
    return true;
  return a.offset == b.offset && a.strides[0] == b.strides[0] &&
         (a.rank == 1 || a.strides[1] == b.strides[1]);
}

bool berthSmithSameType(BerthSmithType a, BerthSmithType b) {
  return a.element == b.element && berthSmithSameShape(a, b) &&
         sameLayout(a, b);
}

bool berthSmithIsStatic(BerthSmithType type) {
  return type.shape[0] != BERTH_SMITH_RUNTIME &&
         (type.rank == 1 || type.shape[1] != BERTH_SMITH_RUNTIME);
}

int64_t berthSmithCount(BerthSmithType type) {
  return type.shape[0] * (type.rank == 2 ? type.shape[1] : 1);
}

/// Few shapes, so that values often fit together.
static const int64_t shapes[][2] = {{4, 0}, {8, 0}, {16, 0}, {32, 0},
                                    {4, 4}, {4, 8}, {8, 4},  {2, 4}};

static const int64_t runtimeShapes[][2] = {{BERTH_SMITH_RUNTIME, 0},
                                           {4, BERTH_SMITH_RUNTIME}};

BerthSmithType berthSmithRandomType(BerthRandom *random, bool runtime) {
  BerthSmithType type = {0};
  type.element = (BerthElement)berthRandomBelow(random, BERTH_NUM_ELEMENTS);
  const int64_t *shape = shapes[berthRandomBelow(random, 8)];
  if (runtime && berthRandomChance(random, 30))
    shape = runtimeShapes[berthRandomBelow(random, 2)];
  type.rank = shape[1] ? 2 : 1;
  type.shape[0] = shape[0];
  type.shape[1] = shape[1];
  return type;
}

BerthSmithType berthSmithSpellLayout(BerthSmithType type) {
  if (type.strided)
    return type;
  type.strided = true;
  type.offset = 0;
  type.strides[type.rank - 1] = 1;
  if (type.rank == 2)
    type.strides[0] = type.shape[1];
  return type;
}
