//===- RowOf.h - The row of an op ---------------------------------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//
//
// What an op is comes from three places, each laid over the one before:
//
//   Berth's description  <-  a target's  <-  the op's own attributes
//   (BuiltinOps.json)        (Target.h)      (OwnRows.h)
//
// All three have one form, and are read by the same code (TargetOps.h). Traits
// add up; of all else the last one that says it counts. What is in force
// belongs to the thread that runs a pass: passes run side by side, and may have
// different descriptions. Nothing may be asked outside of a run.
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_OPS_ROWOF_H
#define BERTH_LIB_IR_OPS_ROWOF_H

#include "IR/Ops/OpRow.h"
#include "IR/Ops/PointerMap.h"
#include "Support/BumpMemory.h"
#include "mlir-c/IR.h"

/// What is known of a name, found once a run.
typedef struct BerthNamed BerthNamed;

/// The row that the op's attributes make of its row by name, which may be NULL:
/// as it is, where they say nothing.
typedef const BerthOpRow *(*BerthOwnRowFunction)(MlirOperation op,
                                                 const BerthOpRow *row,
                                                 void *userData);

/// What is in force in one run of a pass. Zero-initialise, set the first ones,
/// and free with berthRowsFree.
typedef struct BerthRowsInForce {
  const BerthOpRows *builtin;   ///< what Berth's own description says
  const BerthOpRows *described; ///< NULL: no other description
  BerthOwnRowFunction ownRow;   ///< NULL: no op has attributes that say it
  void *userData;
  int numCores;      ///< of the description, or told by attributes
  bool isConcurrent; ///< the same
  BerthPointerMap byName;
  BerthNamed *names;
  size_t numNames, capNames;
  const void *lastName; ///< that was asked about last, or NULL
  size_t last;          ///< its place in `names`
  BerthMemory memory;   ///< of rows that families make
} BerthRowsInForce;

/// From here on this thread asks these (NULL: nothing may be asked). Returns
/// those before.
BerthRowsInForce *berthRowsEnter(BerthRowsInForce *rows);

/// Never NULL: without any the process ends.
BerthRowsInForce *berthRowsCurrent(void);
void berthRowsFree(BerthRowsInForce *rows);

/// From here on `ownRow` is asked about ops of that name, and no others: most
/// names have no such attributes, and passes give them none.
void berthRowsExpectOwn(MlirOperation op);

/// The op's own row, or NULL.
const BerthOpRow *berthRowOf(MlirOperation op);

/// The same if it is not of Berth's description alone: a target's, or one that
/// the op's attributes make.
const BerthOpRow *berthToldRowOf(MlirOperation op);

/// The target description's row of the op, whatever its attributes say; NULL if
/// it has none.
const BerthOpRow *berthDescribedRowOf(MlirOperation op);

/// The entries of the target's description for ops of that name, or for calls
/// of the function that the op calls: the first one that holds of an op counts,
/// those of the function before. NULL and 0 if there are none.
const BerthOpRow *berthEntriesOf(MlirOperation op, size_t *count);
const BerthOpRow *berthFunctionEntriesOf(MlirOperation op, size_t *count);

/// True if the conditions of the row hold of the op.
bool berthRowHolds(const BerthOpRow *row, MlirOperation op);

/// True if the row, or the op's family, has any of the traits.
bool berthRowHas(MlirOperation op, uint32_t traits);

/// The same of what it has to do with other threads.
bool berthRowHasThreads(MlirOperation op, uint32_t threads);

/// What the names of the attributes begin with that make ops of its family
/// asynchronous, or NULL.
const char *berthRowAsyncIf(MlirOperation op);

/// True if the attribute is the string of that text, or prints so; a null one
/// is "default".
bool berthAttributeSays(MlirAttribute attribute, const char *text);

#endif // BERTH_LIB_IR_OPS_ROWOF_H
