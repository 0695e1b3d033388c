//===- BankConflicts.h - How often lanes meet in a bank ------------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Shared memory has banks, of which each hands out one word at a time; word w
// lies in bank w mod banks. What the threads of a subgroup access at once takes
// as many passes as the fullest bank has different words. Accesses of more than
// a word go in parts: as many threads at a time as there are bytes in all
// banks.
//
//   32 banks of 4 bytes, t = thread       rows of 32 f32      rows of 33
//   load %a[%i, %t]      words t            1 pass              1
//   load %a[%t, %i]      words 32 * t      32                   1
//
// Numbers that all threads share (a loop's variable, an argument) turn the
// banks for all of them alike; so they count as 0.
//
//===----------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_PAD_BANKCONFLICTS_H
#define BERTH_LIB_IR_PAD_BANKCONFLICTS_H

#include "IR/Facts/SliceFacts.h"
#include "IR/Scope/Job.h"

typedef struct BerthBankModel {
  int64_t banks;
  int64_t width;    ///< bytes of a word
  int64_t subgroup; ///< threads that access at once
  bool hasMatrices; ///< subgroups take matrices as Matrices.h tells
} BerthBankModel;

/// That of the chip, or of 32 threads, banks and 4 bytes, if it is NULL.
BerthBankModel berthBankModelOf(const BerthChip *chip);

/// Which operands tell where an op begins to take elements.
typedef struct BerthSubscripts {
  intptr_t first; ///< one for each dimension, or operands of a map
  bool isMap;
} BerthSubscripts;

/// False if that is not told so of the memref in this operand.
bool berthSubscriptsOf(MlirOperation op, intptr_t operand,
                       BerthSubscripts *subscripts);

/// Where the threads of a block touch a buffer at an op, by subscripts.
typedef struct BerthLanes {
  MlirOperation op;
  bool isKnown;     ///< all subscripts can be computed
  intptr_t rank;    ///< of the buffer
  size_t count;     ///< of threads, or of places that a subgroup takes
  int64_t *indices; ///< by place, then by dimension
  int64_t rowStep;  ///< rows are that times something unknown farther, for all
  int64_t bytes;    ///< that a thread takes at once
  int64_t align;    ///< bytes that rows have to be a multiple of
  int64_t subgroup; ///< places that a subgroup accesses at once
  int64_t active;   ///< so many of these, the first ones
  int64_t turns;    ///< how often loops run it, as far as that is constant
} BerthLanes;

/// For the memref in this operand, which is a view of the buffer, or itself.
/// Needs the scope's uniformity.
BerthLanes berthLanesOf(const BerthScope *scope, const BerthBankModel *model,
                        MlirOperation op, intptr_t operand, MlirValue buffer);
void berthLanesFree(BerthLanes *lanes);

/// How often loops in the scope run an op: 16 times each, where that is not
/// constant; 0 where one never turns.
int64_t berthCountTurnsAround(MlirOperation op, MlirOperation scope);

/// How the rows of a buffer lie.
typedef struct BerthRowsForm {
  int64_t length, elementBytes; ///< elements of a row
  int64_t joined;               ///< so many follow each other,
  int64_t padding;              ///< then so many elements
} BerthRowsForm;

/// The passes that the worst subgroup takes.
int64_t berthLanesCountPasses(const BerthLanes *lanes,
                              const BerthBankModel *model, MlirType type,
                              BerthRowsForm rows);

#endif // BERTH_LIB_IR_PAD_BANKCONFLICTS_H
