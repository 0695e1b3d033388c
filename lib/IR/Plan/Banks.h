//===- Banks.h - Memories of several banks ------------------------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//
//
// A memory of several banks is so many pools of the packing problem, each of
// the same size; what lies at offset 8 of bank 2 lies at 2 * bank + 8 of the
// memory. No buffer lies in two banks.
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_PLAN_BANKS_H
#define BERTH_LIB_IR_PLAN_BANKS_H

#include "IR/Scope/Job.h"

/// Bytes of a bank; 0 if the memory has none.
int64_t berthBankBytes(const BerthArenaOptions *options);

/// The bank that a byte of the memory lies in.
int64_t berthBankOf(const BerthArenaOptions *options, int64_t offset);

/// The banks that the buffer may lie in, a bit each: those that start at a
/// multiple of its alignment, or its own one (berth.bank, berth.pin) of these.
uint64_t berthBanksFor(const BerthArenaOptions *options,
                       const BerthBufferInfo *buffer);

/// Adds the banks to a problem, as its pools.
void berthAddBanks(const BerthArenaOptions *options, BerthProblem *problem);

/// Says where a buffer of the problem may lie.
void berthBindToBanks(const BerthArenaOptions *options,
                      const BerthBufferInfo *info, BerthBuffer *buffer);

#endif // BERTH_LIB_IR_PLAN_BANKS_H
