//===- Proof.h - The log of a refutation --------------------------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//
//
// A refutation is a tree of decisions in which every leaf fails. It is written
// in depth-first order, one line a node:
//
//     berth-proof 1
//     refute <capacity>      nothing has a peak of at most so many bytes
//     p <item>               placed at its minimum; the subtree follows
//     s <item>               skipped instead; the subtree follows
//     x                      failed
//     end
//
// The rules are those of Search.h; berthProofCheck (ProofCheck.c) replays the
// log with its own reading of them and shares no code with the search. All
// functions here do nothing when the log is NULL.
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_PACK_PROOF_H
#define BERTH_PACK_PROOF_H

#include "berth-c/Support.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct BerthProofLog {
  uint32_t *codes; ///< 2 * item + (1 if skipped), or UINT32_MAX for a failure
  size_t count;
  size_t room;
  bool failed; ///< memory ran out; the log is of no use
} BerthProofLog;

void berthProofPlace(BerthProofLog *log, uint32_t item);
void berthProofSkip(BerthProofLog *log, uint32_t item);
void berthProofFail(BerthProofLog *log);

/// What is logged from here on can be forgotten.
size_t berthProofBegin(const BerthProofLog *log);
void berthProofForget(BerthProofLog *log, size_t begin);

/// Writes the log as a refutation of `capacity`. False when that failed.
bool berthProofWrite(const BerthProofLog *log, const char *path,
                     int64_t capacity);

void berthProofFree(BerthProofLog *log);

#endif // BERTH_PACK_PROOF_H
