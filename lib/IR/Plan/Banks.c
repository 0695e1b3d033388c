//===- Banks.c - Memories of several banks --------------------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Plan/Banks.h"

#include "IR/Ops/OrDie.h"

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
