//===- TargetData.h - What a target description holds -------------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_TARGET_TARGETDATA_H
#define BERTH_LIB_IR_TARGET_TARGETDATA_H

#include "IR/Ops/RowOf.h"
#include "IR/Target/TargetParts.h"
#include "Support/BumpMemory.h"

typedef struct BerthTarget {
  BerthMemory memory; ///< of all that follows
  const char *path;   ///< of the file, for messages; NULL: it was text
  BerthOpRow *ops;    ///< sorted by name once read
  size_t numOps, capOps;
  BerthTargetPlace *places; ///< of the entries of `ops`, in the text's order
  size_t capPlaces;
  const char **pointerless; ///< types that point to no memory
  size_t numPointerless, capPointerless;
  const char **tokens; ///< types whose values stand for what is under way
  size_t numTokens, capTokens;
  BerthOpRows rows;   ///< for RowOf.h: `ops`, `pointerless` and `tokens`
  const char **units; ///< number 1 is the first
  size_t numUnits, capUnits;
  const char **dialects;
  size_t numDialects, capDialects;
  BerthTargetLayout *layouts;
  size_t numLayouts, capLayouts;
  BerthTargetType *types;
  size_t numTypes, capTypes;
  BerthTargetMemory *memories;
  size_t numMemories, capMemories;
} BerthTarget;

#endif // BERTH_LIB_IR_TARGET_TARGETDATA_H
