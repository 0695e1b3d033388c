//===- Options.h - What users may decide about the analysis --------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_SCOPE_OPTIONS_H
#define BERTH_LIB_IR_SCOPE_OPTIONS_H

#include "IR/Facts/Facts.h"

BERTH_EXTERN_C_BEGIN

/// What to believe of an op that has no memory-effect interface.
typedef enum BerthUnknownOps {
  BERTH_UNKNOWN_UNTOLD, ///< as USE; nobody said so, so it is said aloud
  BERTH_UNKNOWN_USE,    ///< it reads and writes its operands, keeps no pointer
  BERTH_UNKNOWN_KEEP,   ///< it may keep the pointer until the scope ends
  BERTH_UNKNOWN_REJECT  ///< buffers that it is given are not placed
} BerthUnknownOps;

/// Parses "use", "keep" or "reject"; NULL and "" are none of them.
BerthStatus berthParseUnknownOps(const char *text, BerthUnknownOps *unknownOps,
                                 BerthError *error);

typedef struct BerthAliasOptions {
  BerthUnknownOps unknownOps;
  /// What the pass runs on: only functions inside it may be looked into, since
  /// others may be changing at this very moment, in other threads.
  MlirOperation root;
  /// Functions in it that may be called unseen; the same for a whole run.
  struct BerthNamedFunctions *named;
  /// Whoever asks holds what a transfer (memref.dma_start) uses to the waits
  /// that end it (Transfers.h). Otherwise it may be used to the end of the
  /// scope.
  bool followsTransfers;
  /// Tests only: the name of one rule to break (see IR/Ops/Rules.h), or NULL.
  const char *breakRule;
} BerthAliasOptions;

BERTH_EXTERN_C_END

#endif // BERTH_LIB_IR_SCOPE_OPTIONS_H
