//===- Random.h - A small seeded random number generator ----------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// SplitMix64 (Steele, Lea and Flood, "Fast splittable pseudorandom number
// generators", OOPSLA 2014): one word of state, the same numbers everywhere.
//
//===----------------------------------------------------------------------===//

#ifndef BERTH_SMITH_RANDOM_H
#define BERTH_SMITH_RANDOM_H

#include <stdbool.h>
#include <stdint.h>

typedef struct BerthRandom {
  uint64_t state;
} BerthRandom;

uint64_t berthRandomNext(BerthRandom *random);

/// A number in [0, bound); bound > 0.
int berthRandomBelow(BerthRandom *random, int bound);

/// True in `percent` of a hundred draws.
bool berthRandomChance(BerthRandom *random, int percent);

#endif // BERTH_SMITH_RANDOM_H
