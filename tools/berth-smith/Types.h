//===- Types.h - The memref types of generated programs ------------ C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A type is plain data; its text is made on demand. A dimension is a constant
// or BERTH_SMITH_RUNTIME, which always means the function's argument %n, so
// that two such dimensions are equal.
//
//===----------------------------------------------------------------------===//

#ifndef BERTH_SMITH_TYPES_H
#define BERTH_SMITH_TYPES_H

#include "Random.h"

/// A size, stride or offset that is known only at run time (`?` in the text).
#define BERTH_SMITH_RUNTIME (-1)

/// Least value of %n; the tests call with more than one value.
#define BERTH_SMITH_LEAST_N 8

typedef enum BerthElement {
  BERTH_I1,
  BERTH_I8,
  BERTH_I16,
  BERTH_I32,
  BERTH_I64,
  BERTH_INDEX,
  BERTH_F32,
  BERTH_F64,
  BERTH_NUM_ELEMENTS
} BerthElement;

typedef struct BerthSmithType {
  BerthElement element;
  int rank;         ///< 1 or 2
  int64_t shape[2]; ///< elements per dimension, or BERTH_SMITH_RUNTIME
  bool strided; ///< has an explicit layout; otherwise the next two are unset
  int64_t strides[2]; ///< in elements, or BERTH_SMITH_RUNTIME
  int64_t offset;     ///< in elements, or BERTH_SMITH_RUNTIME
} BerthSmithType;

/// A short text by value, so that callers can print it in one expression.
typedef struct BerthSmithText {
  char text[96];
} BerthSmithText;

const char *berthElementText(BerthElement element);
BerthSmithText berthSmithTypeText(BerthSmithType type);

bool berthSmithSameShape(BerthSmithType a, BerthSmithType b);
bool berthSmithSameType(BerthSmithType a, BerthSmithType b);
bool berthSmithIsStatic(BerthSmithType type);

/// Number of elements of a static type.
int64_t berthSmithCount(BerthSmithType type);

/// A random identity-layout type. `runtime` allows run-time dimensions.
BerthSmithType berthSmithRandomType(BerthRandom *random, bool runtime);

/// The layout of `type`, spelled out: strides in elements, a 0 offset for
/// identity layouts.
BerthSmithType berthSmithSpellLayout(BerthSmithType type);

#endif // BERTH_SMITH_TYPES_H
