//===- UpdateCaches.h - Arguments updated in place ------------------ C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//
//
// A function that returns an argument with some of it changed copies it, for
// its callers may want what was there before. Where none of them does, it may
// change the argument itself:
//
//   func private @step(%c) -> memref {     func private @step(%c) {
//     %r = memref.alloc()
//     memref.copy %c, %r
//     ... write a slice of %r ...            ... write a slice of %c ...
//     return %r                        ->    return
//   }                                      }
//   %b = call @step(%a)                    call @step(%a)
//   ... read %b ...                        ... read %a ...
//
// That is so where each call spends its argument (Spent.h), or where the
// argument is marked berth.updated.
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_PREPARE_UPDATECACHES_H
#define BERTH_LIB_IR_PREPARE_UPDATECACHES_H

#include "IR/Facts/Facts.h"
#include "IR/Ops/Backup.h"
#include "IR/Ops/Text.h"
#include "IR/Prepare/Rotate.h"
#include "IR/Scope/Options.h"

/// What is asked before a function is changed: `copy`, from its argument to
/// what it returns, is marked with the argument's number (berth.update).
/// Returns why it has to stay, or NULL.
typedef const char *(*BerthUpdateCheck)(MlirOperation root, MlirOperation copy);

/// What is to be said of a function.
typedef struct BerthUpdateNote {
  MlirOperation function;
  BerthRemarkKind kind;
  BerthText text;
} BerthUpdateNote;

/// A call that is not proved to be right, but for the user's word.
typedef struct BerthUpdateDoubt {
  MlirLocation call;
  BerthText text;
} BerthUpdateDoubt;

/// Zero-initialise; then berthUpdatesFree.
typedef struct BerthUpdates {
  bool isBound; ///< there are allocations that have to be placed
  BerthUpdateNote *notes;
  size_t numNotes, noteCapacity;
  BerthUpdateDoubt *doubts;
  size_t numDoubts, doubtCapacity;
} BerthUpdates;

/// Does so in all functions in `root` that the host alone runs. Where buffers
/// are freed under conditions it goes only if those that the memory comes from
/// get places; of these it is said as of slots that turns free, by numbers
/// below 0 (berthFindStranded). `check` may be NULL.
void berthUpdateCaches(MlirOperation root, const BerthCollectOptions *options,
                       const BerthAliasOptions *alias,
                       const BerthStranded *stranded, BerthUpdateCheck check,
                       BerthBackup *backup, BerthUpdates *result);

/// Says what has been updated, in remarks why something else is not, and in
/// warnings where the user's word alone is behind it.
void berthSayUpdates(const BerthUpdates *updates);
void berthUpdatesFree(BerthUpdates *updates);

#endif // BERTH_LIB_IR_PREPARE_UPDATECACHES_H
