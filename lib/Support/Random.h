//===- Random.h - Numbers that look drawn -------------------------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//
//
// splitmix64: the same numbers from the same seed on every machine. After
// Steele, Lea and Flood, *Fast Splittable Pseudorandom Number Generators*
// (OOPSLA 2014).
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_SUPPORT_RANDOM_H
#define BERTH_LIB_SUPPORT_RANDOM_H

#include <stdint.h>

/// How far a state goes from one number to the next.
#define BERTH_RANDOM_STEP UINT64_C(0x9E3779B97F4A7C15)

/// All bits of the number depend on all bits of `z`.
static inline uint64_t berthMix(uint64_t z) {
  z = (z ^ z >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
  z = (z ^ z >> 27) * UINT64_C(0x94D049BB133111EB);
  return z ^ z >> 31;
}

/// The next number; the state may begin as any.
static inline uint64_t berthNextRandom(uint64_t *state) {
  return berthMix(*state += BERTH_RANDOM_STEP);
}

#endif // BERTH_LIB_SUPPORT_RANDOM_H
