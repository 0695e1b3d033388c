//===- RefillCopies.h - Fill again instead of keeping a copy -------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//
//
// Common subexpression elimination on tensors makes one linalg.fill of many,
// and bufferization then copies from the one buffer, which has to be kept for
// that. Writing the constant again costs less than reading it, and no bytes:
//
//   fill %zero -> A                        -
//   copy A -> B                            fill %zero -> B
//   matmul ... -> B          becomes       matmul ... -> B
//   copy A -> C                            fill %zero -> C
//   matmul ... -> C                        matmul ... -> C
//                                          fill %zero -> A
//   matmul ... -> A                        matmul ... -> A
//
// (Recomputing what is cheap instead of keeping it is known as
// rematerialization, from Chaitin's register allocator.)
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_PREPARE_REFILLCOPIES_H
#define BERTH_LIB_IR_PREPARE_REFILLCOPIES_H

#include "IR/Ops/Backup.h"
#include "IR/Pointers/Aliases.h"
#include "IR/Scope/Collect.h"

/// Rewrites every scope in `root` whose memory threads do not share. Where
/// there is something to rewrite it first takes the backup, if that is not
/// NULL.
void berthRefillCopies(MlirOperation root, const BerthCollectOptions *collect,
                       const BerthAliasOptions *alias, BerthBackup *backup);

#endif // BERTH_LIB_IR_PREPARE_REFILLCOPIES_H
