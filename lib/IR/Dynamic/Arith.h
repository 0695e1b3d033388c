//===- Arith.h - Arithmetic of the program, each op once ------------ C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//
//
// The sizes of many buffers are made of few values. So what is computed at a
// home is remembered: an op on the same operands is not built again.
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_DYNAMIC_ARITH_H
#define BERTH_LIB_IR_DYNAMIC_ARITH_H

#include "IR/Dynamic/Sizes.h"

typedef struct BerthArith {
  BerthMaker maker;
  BerthInsertPoint at;
  MlirType index;
  MlirType i1;
  MlirValue truth; ///< null until it is needed
  size_t numConstants, constantCapacity;
  struct BerthArithConstant *constants;
  size_t numBuilt, builtCapacity;
  struct BerthArithOp *built;
  BerthPointerMap lastUser; ///< first operand -> index into `built`
} BerthArith;

/// Computes in front of the home's op, or of a call of the job's function
/// (BerthMaker) if that is not null.
BerthArith berthArithCreate(const BerthJob *job, const BerthHome *home,
                            MlirOperation call);
void berthArithFree(BerthArith *arith);

MlirValue berthArithConstant(BerthArith *arith, int64_t value);
MlirValue berthArithBinary(BerthArith *arith, const char *name, MlirValue a,
                           MlirValue b);
MlirValue berthArithCompare(BerthArith *arith, int predicate, MlirValue a,
                            MlirValue b);
MlirValue berthArithSelect(BerthArith *arith, MlirValue condition, MlirValue a,
                           MlirValue b);
MlirValue berthArithNot(BerthArith *arith, MlirValue a);
/// Either may be null, which stands for true.
MlirValue berthArithBoth(BerthArith *arith, MlirValue a, MlirValue b);

/// The product of the dynamic dimensions, and in `fits`, which may be NULL,
/// whether it is at most `limit`. No dimension may be negative, which as an
/// unsigned number is too large.
MlirValue berthArithElements(BerthArith *arith, const BerthBufferInfo *buffer,
                             int64_t limit, MlirValue *fits);

#endif // BERTH_LIB_IR_DYNAMIC_ARITH_H
