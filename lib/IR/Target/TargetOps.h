//===- TargetOps.h - What a description says of ops ---------------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//
//
// An entry of `ops` or `functions` becomes a row, laid over what Berth's own
// description has of that name; that one is read in the same way. So are
// attributes of an op (OwnRows.h): a key each.
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_TARGET_TARGETOPS_H
#define BERTH_LIB_IR_TARGET_TARGETOPS_H

#include "IR/Target/TargetText.h"

/// Operand numbers in a description are below this.
enum { BERTH_TARGET_MAX_OPERANDS = 64 };

/// An entry under way.
typedef struct BerthTargetEntry {
  BerthOpRow row;    ///< what it says; its roles and conditions stand below
  uint64_t seen;     ///< its keys, a bit each
  bool tellsEffects; ///< what it does not list the op does not touch
  bool isFunction;   ///< of a call, by the symbol
  bool isPartial;
  bool isPending;
  bool isBarrier;
  BerthOpCondition *conditions;
  size_t numConditions, capConditions;
  char roles[BERTH_TARGET_MAX_OPERANDS + 1];
  size_t numRoles;
} BerthTargetEntry;

/// One element of `ops`, of `functions`.
void berthTargetReadOp(BerthTargetReader *reader);
void berthTargetReadFunction(BerthTargetReader *reader);

/// Once all are read; false without memory.
bool berthTargetSortOps(BerthTarget *target);

/// The key of that name, of those that attributes say too; -1.
int berthTargetFindKey(const char *name, size_t length);

/// The name of such a key, from 0; NULL behind the last one.
const char *berthTargetKeyAt(int key);

/// Reads the value of a key.
void berthTargetReadKey(BerthTargetReader *reader, BerthTargetEntry *entry,
                        int key);

/// The row of an op whose attributes say what the entry has, laid over what is
/// known of it otherwise (NULL: nothing).
BerthOpRow berthTargetMakeOwnRow(BerthTargetReader *reader,
                                 BerthTargetEntry *entry,
                                 const BerthOpRow *row);

#endif // BERTH_LIB_IR_TARGET_TARGETOPS_H
