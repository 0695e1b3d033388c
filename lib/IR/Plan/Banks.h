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

//===---------------------------------------------------------------------===//
// Where the arena ends
//
// To packers pools have nothing to do with each other: what they minimize is
// the sum of the heights. But banks lie one behind the other, and an arena ends
// with the last byte in the last bank used. So the end is bound from outside,
// by problems with less memory.
//===---------------------------------------------------------------------===//

/// The end of the last buffer of a plan.
int64_t berthBankEnd(const BerthArenaOptions *options,
                     const BerthProblemData *problem, const BerthPlan *plan);

/// No plan ends lower, since each buffer has to lie somewhere.
int64_t berthLeastBankEnd(const BerthArenaOptions *options,
                          const BerthProblemData *problem);

/// The problem without the memory from `end` on, which is at least
/// berthLeastBankEnd. It refers to what the other one holds.
typedef struct BerthBankLimit {
  BerthProblemData problem;
  BerthBuffer *buffers;
  BerthPool *pools;
  BerthRange *reserved; ///< of the last pool
} BerthBankLimit;

BerthBankLimit berthLimitBanks(const BerthArenaOptions *options,
                               const BerthProblemData *problem, int64_t end);
void berthBankLimitFree(BerthBankLimit *limit);

#endif // BERTH_LIB_IR_PLAN_BANKS_H
