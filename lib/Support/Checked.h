//===- Checked.h - Arithmetic that notices overflow ---------------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//
//
// Sizes and offsets are int64_t bytes. The problem check makes sure that all
// sums a packer can form stay below 2^63; these helpers are for the places
// before that check and for products (prices, hint distances).
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_SUPPORT_CHECKED_H
#define BERTH_LIB_SUPPORT_CHECKED_H

#include <stdbool.h>
#include <stdint.h>

/// `*sum = a + b`; false on overflow.
static inline bool berthAdd(int64_t a, int64_t b, int64_t *sum) {
  return !__builtin_add_overflow(a, b, sum);
}

/// `*product = a * b`; false on overflow.
static inline bool berthMultiply(int64_t a, int64_t b, int64_t *product) {
  return !__builtin_mul_overflow(a, b, product);
}

/// a + b for non-negative values; INT64_MAX where that is too large.
static inline int64_t berthAddSaturating(int64_t a, int64_t b) {
  int64_t sum;
  return berthAdd(a, b, &sum) ? sum : INT64_MAX;
}

/// a * b for non-negative values; INT64_MAX where that is too large.
static inline int64_t berthMultiplySaturating(int64_t a, int64_t b) {
  int64_t product;
  return berthMultiply(a, b, &product) ? product : INT64_MAX;
}

/// The smallest multiple of `alignment` (>= 1) that is at least `value` (>= 0).
/// The caller knows that it fits.
static inline int64_t berthRoundUp(int64_t value, int64_t alignment) {
  int64_t rest = alignment == 1 ? 0 : value % alignment;
  return rest ? value + (alignment - rest) : value;
}

/// The largest multiple of `alignment` that is at most `value` (>= 0).
static inline int64_t berthRoundDown(int64_t value, int64_t alignment) {
  return alignment == 1 ? value : value - value % alignment;
}

/// Greatest common divisor; gcd(0, a) = a.
static inline int64_t berthGcd(int64_t a, int64_t b) {
  while (b) {
    int64_t rest = a % b;
    a = b;
    b = rest;
  }
  return a;
}

/// `*lcm` of two positive values; false on overflow.
static inline bool berthLcm(int64_t a, int64_t b, int64_t *lcm) {
  return berthMultiply(a / berthGcd(a, b), b, lcm);
}

#endif // BERTH_LIB_SUPPORT_CHECKED_H
