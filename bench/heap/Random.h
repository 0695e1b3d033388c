//===- Random.h - The numbers that the heap benchmarks draw --------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_BENCH_HEAP_RANDOM_H
#define BERTH_BENCH_HEAP_RANDOM_H

#include <stdint.h>

/// What the next number follows from; set it to repeat a trace.
static uint64_t state;

/// SplitMix64 (G. Steele, D. Lea, C. Flood, OOPSLA 2014), below `bound`.
static inline uint32_t next(uint32_t bound) {
  state += 0x9e3779b97f4a7c15u;
  uint64_t z = state;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return (uint32_t)((z ^ (z >> 31)) % bound);
}

#endif // BERTH_BENCH_HEAP_RANDOM_H
