//===- Banks.c - Memories of several banks --------------------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Plan/Banks.h"

#include "IR/Ops/OrDie.h"

#include <stdlib.h>
#include <string.h>

int64_t berthBankBytes(const BerthArenaOptions *options) {
  return options->numBanks ? options->capacity / options->numBanks : 0;
}

int64_t berthBankOf(const BerthArenaOptions *options, int64_t offset) {
  return offset / berthBankBytes(options);
}

uint64_t berthBanksFor(const BerthArenaOptions *options,
                       const BerthBufferInfo *buffer) {
  const BerthConstraints *constraints = buffer->constraints;
  uint64_t banks = 0;
  for (int64_t bank = 0; bank < options->numBanks; ++bank)
    if (bank * berthBankBytes(options) % buffer->alignment == 0)
      banks |= UINT64_C(1) << bank;
  int64_t own = constraints ? constraints->bank : BERTH_NONE;
  if (constraints && constraints->pin != BERTH_NONE)
    own = berthBankOf(options, constraints->pin);
  return own == BERTH_NONE ? banks : banks & UINT64_C(1) << own;
}

/// The part of a range that lies in a bank, from the bank's start; false if
/// there is none.
static bool cutToBank(BerthRange *range, int64_t bank, int64_t bytes) {
  int64_t start = bank * bytes;
  range->lower = range->lower > start ? range->lower - start : 0;
  range->upper -= start;
  if (range->upper > bytes)
    range->upper = bytes;
  return range->lower < range->upper;
}

void berthAddBanks(const BerthArenaOptions *options, BerthProblem *problem) {
  int64_t bytes = berthBankBytes(options);
  BerthRange *ranges = berthAllocateOrDie(options->numReserved, sizeof *ranges);
  for (int64_t bank = 0; bank < options->numBanks; ++bank) {
    BerthPool pool = {.capacity = bytes, .reserved = ranges};
    for (size_t i = 0; i < options->numReserved; ++i) {
      ranges[pool.numReserved] = options->reserved[i];
      pool.numReserved += cutToBank(&ranges[pool.numReserved], bank, bytes);
    }
    berthProblemAddPool(problem, &pool);
  }
  free(ranges);
}

void berthBindToBanks(const BerthArenaOptions *options,
                      const BerthBufferInfo *info, BerthBuffer *buffer) {
  int64_t bytes = berthBankBytes(options);
  buffer->pools = berthBanksFor(options, info);
  if (buffer->fixedOffset != BERTH_NONE)
    buffer->fixedOffset %= bytes;
  if (buffer->hint != BERTH_NONE)
    buffer->hint %= bytes;
}

//===----------------------------------------------------------------------===//
// Where the arena ends
//===----------------------------------------------------------------------===//

int64_t berthBankEnd(const BerthArenaOptions *options,
                     const BerthProblemData *problem, const BerthPlan *plan) {
  int64_t end = 0, bytes = berthBankBytes(options);
  for (size_t i = 0; i < problem->numBuffers; ++i) {
    int64_t top =
        plan->pools[i] * bytes + plan->offsets[i] + problem->buffers[i].size;
    end = top > end ? top : end;
  }
  return end;
}

int64_t berthLeastBankEnd(const BerthArenaOptions *options,
                          const BerthProblemData *problem) {
  int64_t end = 0;
  for (size_t i = 0; i < problem->numBuffers; ++i) {
    const BerthBuffer *buffer = &problem->buffers[i];
    int64_t bank = buffer->pools ? __builtin_ctzll(buffer->pools) : 0;
    int64_t top = bank * berthBankBytes(options) + buffer->size +
                  (buffer->fixedOffset == BERTH_NONE ? 0 : buffer->fixedOffset);
    end = top > end ? top : end;
  }
  return end;
}

BerthBankLimit berthLimitBanks(const BerthArenaOptions *options,
                               const BerthProblemData *problem, int64_t end) {
  int64_t bytes = berthBankBytes(options);
  size_t numPools = (size_t)((end - 1) / bytes) + 1, last = numPools - 1;
  uint64_t all = UINT64_MAX >> (64 - numPools);
  BerthBankLimit limit = {
      .problem = *problem,
      .buffers = berthAllocateOrDie(problem->numBuffers, sizeof *limit.buffers),
      .pools = berthAllocateOrDie(numPools, sizeof *limit.pools),
      .reserved = berthAllocateOrDie(problem->pools[last].numReserved,
                                     sizeof *limit.reserved)};
  for (size_t i = 0; i < problem->numBuffers; ++i) {
    limit.buffers[i] = problem->buffers[i];
    limit.buffers[i].pools &= all;
  }
  memcpy(limit.pools, problem->pools, numPools * sizeof *limit.pools);
  BerthPool *pool = &limit.pools[last];
  pool->capacity = end - (int64_t)last * bytes;
  pool->reserved = limit.reserved;
  pool->numReserved = 0;
  for (size_t i = 0; i < problem->pools[last].numReserved; ++i) {
    BerthRange *range = &limit.reserved[pool->numReserved];
    *range = problem->pools[last].reserved[i];
    pool->numReserved += cutToBank(range, 0, pool->capacity);
  }
  limit.problem.buffers = limit.buffers;
  limit.problem.numPools = numPools;
  limit.problem.pools = limit.pools;
  return limit;
}

void berthBankLimitFree(BerthBankLimit *limit) {
  free(limit->buffers);
  free(limit->pools);
  free(limit->reserved);
}
