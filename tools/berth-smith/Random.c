//===- Random.c - A small seeded random number generator -----------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Random.h"

uint64_t berthRandomNext(BerthRandom *random) {
  uint64_t z = random->state += 0x9e3779b97f4a7c15u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

int berthRandomBelow(BerthRandom *random, int bound) {
  return (int)((berthRandomNext(random) >> 33) % (uint64_t)bound);
}

bool berthRandomChance(BerthRandom *random, int percent) {
  return berthRandomBelow(random, 100) < percent;
}
