//===- IndexBounds.c - Least and most of index arithmetic -----------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Verify/Bytes/IndexBounds.h"

typedef BerthIndexBounds Bounds;

static int64_t smaller(int64_t a, int64_t b) { return a < b ? a : b; }
static int64_t larger(int64_t a, int64_t b) { return a > b ? a : b; }

static int64_t divideDown(int64_t a, int64_t b) { return a / b - (a % b < 0); }

/// A product or quotient is least and most at some of the four corners.
static bool boundByCorners(BerthIndexKind kind, const Bounds *a,
                           const Bounds *b, Bounds *result) {
  const int64_t ofA[] = {a->least, a->most}, ofB[] = {b->least, b->most};
  *result = (Bounds){INT64_MAX, INT64_MIN};
  for (int i = 0; i < 4; ++i) {
    int64_t x = ofA[i / 2], y = ofB[i % 2], corner;
    if (kind == BERTH_INDEX_QUOTIENT)
      corner = divideDown(x, y);
    else if (__builtin_mul_overflow(x, y, &corner))
      return false;
    result->least = smaller(result->least, corner);
    result->most = larger(result->most, corner);
  }
  return true;
}

static bool bound(BerthIndexKind kind, const Bounds *a, const Bounds *b,
                  Bounds *result) {
  switch (kind) {
  case BERTH_INDEX_ADD:
    return !__builtin_add_overflow(a->least, b->least, &result->least) &&
           !__builtin_add_overflow(a->most, b->most, &result->most);
  case BERTH_INDEX_SUBTRACT:
    return !__builtin_sub_overflow(a->least, b->most, &result->least) &&
           !__builtin_sub_overflow(a->most, b->least, &result->most);
  case BERTH_INDEX_MULTIPLY:
    return boundByCorners(kind, a, b, result);
  case BERTH_INDEX_MINIMUM:
    *result = (Bounds){smaller(a->least, b->least), smaller(a->most, b->most)};
    return true;
  case BERTH_INDEX_MAXIMUM:
    *result = (Bounds){larger(a->least, b->least), larger(a->most, b->most)};
    return true;
  case BERTH_INDEX_REMAINDER:
    *result = (Bounds){0, (b->most > 0 ? b->most : 1) - 1};
    return b->least > 0;
  case BERTH_INDEX_QUOTIENT:
    return b->least > 0 && boundByCorners(kind, a, b, result);
  case BERTH_INDEX_NUMBER:
  case BERTH_INDEX_VARIABLE:
    break;
  }
  return false;
}

bool berthIndexBound(const BerthIndexProgram *program,
                     const BerthIndexBounds *variables, int last,
                     BerthIndexBounds *bounds) {
  for (int i = 0; i <= last; ++i) {
    const BerthIndexNode *node = &program->nodes[i];
    if (node->kind == BERTH_INDEX_NUMBER)
      bounds[i] = (Bounds){node->number, node->number};
    else if (node->kind == BERTH_INDEX_VARIABLE)
      bounds[i] = variables[node->number];
    else if (!bound(node->kind, &bounds[node->a], &bounds[node->b], &bounds[i]))
      return false;
  }
  return true;
}
