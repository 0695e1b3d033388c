//===- ProofLog.h - The log of a refutation ------------------------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//
//
// A refutation is a tree of decisions in which every leaf fails. It is written
// in depth-first order, one line a node. Items are numbered by their first
// buffers.
//
//     berth-proof 3
//     refute <peak> <price> <cost>
//                             no plan has all three at most so high; `any`
//     case all                with all cuts bought, or with those named here;
//                             cases for all sets of cuts at the price follow
//     p <item> <offset>       the item lies there; the subtree follows
//     s <item> <offset>       it lies above; the subtree follows
//     x                       failed: something ends too high, or what is live
//                             at some time, or the items of an edge, would
//     a <alignment>           failed: so do items whose sizes are rounded up
//     k <item>                these items, each of which keeps apart from all
//     c                       others, do, in whatever order
//     b <item> <from> <to>    these bytes of items, each range of which keeps
//     x                       apart from all others, do, added up
//     end
//
// With several pools a case has a tree of choices of pools, with such trees
// below its leaves; there, items are numbered anew, among those in the pool:
//
//     i <item>                the item lies in one of its pools: a subtree for
//                             each of them follows, in their order
//     h <pool> <height>       what lies in that pool by now ends above the
//                             height, or above `any`; its tree follows
//     x                       failed: a pool ends above its capacity by what
//                             has just been said, or all of them above the
//                             peak; or the items cost more, those without a
//                             pool in their cheapest; or what is live at some
//                             time is more than the peak or all capacities
//
// The rules are those of ProofState.h. berthProofCheck replays the log and
// shares no code with the search. All functions here do nothing when the log is
// NULL.
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_PACK_INCUMBENT_PROOFLOG_H
#define BERTH_LIB_PACK_INCUMBENT_PROOFLOG_H

#include "berth-c/Pack.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct BerthProofLine {
  char kind;
  uint32_t item;
  int64_t number; ///< offset, alignment, peak or price; bits of cuts
} BerthProofLine;

typedef struct BerthProofLog {
  BerthProofLine *lines;
  size_t count;
  size_t room;
  bool failed;             ///< memory ran out; the log is of no use
  const uint32_t *numbers; ///< the task's rowNumbers; NULL: the items' own
} BerthProofLog;

void berthProofPlace(BerthProofLog *log, uint32_t item, int64_t offset);
void berthProofSkip(BerthProofLog *log, uint32_t item, int64_t offset);
void berthProofFail(BerthProofLog *log);
void berthProofFailAligned(BerthProofLog *log, int64_t alignment);
void berthProofFailClique(BerthProofLog *log, const uint32_t *items,
                          uint32_t count);

/// A part of an item, one of several before the leaf that fails by them.
void berthProofPart(BerthProofLog *log, uint32_t item, BerthRange bytes);

/// Opens a refutation; its cases follow, and after each its tree. INT64_MAX:
/// any. `cuts` has bit c for cut c.
#define BERTH_ALL_CUTS UINT64_MAX ///< however many
void berthProofRefute(BerthProofLog *log, int64_t peak, int64_t price,
                      int64_t poolCost);
void berthProofCase(BerthProofLog *log, uint64_t cuts);
void berthProofAppend(BerthProofLog *log, const BerthProofLog *tree);

/// Of several pools.
void berthProofChoose(BerthProofLog *log, uint32_t item);
void berthProofHeight(BerthProofLog *log, uint32_t pool, int64_t height);

/// What is logged from here on can be forgotten.
size_t berthProofBegin(const BerthProofLog *log);
void berthProofForget(BerthProofLog *log, size_t begin);

/// Takes the lines [begin, end) out again.
void berthProofErase(BerthProofLog *log, size_t begin, size_t end);

/// Writes a log of whole refutations: all of it, or the file stays as it was.
BerthStatus berthProofWrite(const BerthProofLog *log, const char *path,
                            BerthError *error);

/// Takes a file that was written away again.
void berthProofRemove(const char *path);

void berthProofFree(BerthProofLog *log);

#endif // BERTH_LIB_PACK_INCUMBENT_PROOFLOG_H
