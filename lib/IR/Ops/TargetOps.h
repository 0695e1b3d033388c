//===- TargetOps.h - What a description says of ops ---------------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//
//
// An entry of `ops` or `functions` becomes a row, laid over what the table has
// of that name. So do attributes of an op (OwnRows.h): a key each.
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_OPS_TARGETOPS_H
#define BERTH_LIB_IR_OPS_TARGETOPS_H

#include "IR/Ops/TargetText.h"

/// Operand numbers in a description are below this.
enum { BERTH_TARGET_MAX_OPERANDS = 64 };

/// An entry under way.
typedef struct BerthTargetEntry {
  const char *name;
  uint64_t seen;     ///< its keys, a bit each
  bool tellsEffects; ///< what it does not list the op does not touch
  bool bySegments;
  bool isFunction; ///< of a call, by the symbol
  bool isPending;
  bool isBarrier;
  int unit;
  int numCores;
  uint64_t isOn;
  int token; ///< 1 + the number of a result, or 0
  bool copies;
  BerthOpCondition *conditions;
  size_t numConditions, capConditions;
  const BerthOpAllocation *allocates;
  char roles[BERTH_TARGET_MAX_OPERANDS + 1];
  size_t numRoles;
} BerthTargetEntry;

/// One element of `ops`, of `functions`.
void berthTargetReadOp(BerthTargetReader *reader);
void berthTargetReadFunction(BerthTargetReader *reader);

/// Once all are read.
void berthTargetSortOps(BerthTarget *target);

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

#endif // BERTH_LIB_IR_OPS_TARGETOPS_H
