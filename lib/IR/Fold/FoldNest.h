//===- FoldNest.h - Loop nests as text for lib/Fold ---------------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//
//
// A *nest* is a block with the allocations that it owns and every access to
// them. Each load and each store is a statement S<k> over the loops between
// the block and the access. Whatever is defined outside of those loops and is
// no affine expression of other such values is a parameter p<k>. All of it is
// written in isl's notation, the same text that `berth-pack fold` reads.
//
// What cannot be said exactly is said on the safe side (a store under an
// unknown condition may or may not happen) or not at all: then the array is
// refused, with the op that caused it.
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_FOLD_FOLDNEST_H
#define BERTH_LIB_IR_FOLD_FOLDNEST_H

#include "IR/Ops/Text.h"
#include "berth-c/Fold.h"
#include "mlir-c/AffineExpr.h"
#include "mlir-c/IR.h"

#define BERTH_FOLD_MAX_LOOPS 12

/// The parameters met so far.
typedef struct BerthFoldParams {
  size_t count;
  MlirValue values[BERTH_FOLD_MAX_PARAMS];
  BerthText facts; ///< " and ..." for each fact
} BerthFoldParams;

/// Where an expression is evaluated: the variables of the loops around it,
/// outermost first (a loop may have several), and the block that owns the
/// arrays.
typedef struct BerthFoldPlace {
  MlirBlock owner;
  size_t numLoops;
  MlirValue variables[BERTH_FOLD_MAX_LOOPS];
} BerthFoldPlace;

/// Appends `value` as an affine expression in i<loop> and p<param>; false if it
/// is none. New parameters, and what is known of them, go to `params`.
bool berthFoldAppendValue(const BerthFoldPlace *place, BerthFoldParams *params,
                          MlirValue value, BerthText *text);

/// Appends an affine expression over operands: dims first, then symbols.
bool berthFoldAppendExpr(const BerthFoldPlace *place, BerthFoldParams *params,
                         MlirAffineExpr expr, MlirOperation op,
                         intptr_t firstDim, intptr_t numDims, BerthText *text);

/// The value of an arith.constant of integer or index type.
bool berthFoldConstant(MlirOperation op, int64_t *value);

/// Appends " and ..." for lower bound <= name < upper bound of a loop's
/// variable `dim` (and its stride); false if they are not affine.
bool berthFoldAppendBounds(const BerthFoldPlace *place, BerthFoldParams *params,
                           MlirOperation loop, intptr_t dim, const char *name,
                           BerthText *text);

/// Appends " and ..." for the condition of an affine.if or scf.if (its negation
/// in region 1); false, and nothing, if it is not affine.
bool berthFoldAppendCondition(const BerthFoldPlace *place,
                              BerthFoldParams *params, MlirOperation branch,
                              intptr_t region, BerthText *text);

bool berthFoldIsLoop(MlirOperation op);
/// One of the loops whose iterations run concurrently.
bool berthFoldIsParallel(MlirOperation op);
intptr_t berthFoldNumVariables(MlirOperation op);
MlirValue berthFoldVariable(MlirOperation op, intptr_t dim);
bool berthFoldIsBranch(MlirOperation op);

/// One access, `operand` of `op` being the array's memref.
typedef struct BerthFoldAccess {
  MlirOperation op;
  size_t array;
  bool isStore;
  bool isAffine; ///< affine.load or affine.store
} BerthFoldAccess;

/// Arrays of one block.
typedef struct BerthFoldNest {
  MlirBlock owner;
  size_t numArrays;
  MlirValue *arrays;
  size_t numAccesses, accessCapacity;
  BerthFoldAccess *accesses;
  bool isParallel; ///< some loop around some access is
  BerthFoldParams params;
  BerthText domain, schedule, reads, writes, mayWrites;
  size_t numTimes; ///< the longest time's dimensions
} BerthFoldNest;

/// Where and why an array is refused.
typedef struct BerthFoldRefusal {
  MlirOperation at;
  char why[400];
} BerthFoldRefusal;

/// Collects and describes the accesses to `arrays`, which are allocated in one
/// block. False with `refusal` filled in. Destroy the nest in either case.
bool berthFoldNestInit(BerthFoldNest *nest, size_t numArrays,
                       const MlirValue *arrays, BerthFoldRefusal *refusal);
void berthFoldNestDestroy(BerthFoldNest *nest);

/// The nest's problem. On BERTH_INVALID because a read has no source,
/// `refusal->at` is that read.
BerthStatus berthFoldNestProblem(const BerthFoldNest *nest,
                                 uint64_t maxOperations,
                                 BerthFoldProblem **problem,
                                 BerthFoldRefusal *refusal);

/// The memref operand's position in a load (0) or store (1).
intptr_t berthFoldMemRefOperand(const BerthFoldAccess *access);

/// Whether the parameters that the moduli and the carries need are known before
/// the first access, where the folded array is allocated.
bool berthFoldCanPlace(const BerthFoldNest *nest,
                       const BerthFoldProblem *problem,
                       const BerthFoldResult *result);

/// Stores the arrays of the nest in one folded array. `problem` numbers and
/// names them. The mappings of `result`, one for each class of a size, may
/// differ in their carries alone: these are chosen at run time. The old
/// allocations and their deallocations go.
void berthFoldRewrite(const BerthFoldNest *nest,
                      const BerthFoldProblem *problem,
                      const BerthFoldResult *result);

#endif // BERTH_LIB_IR_FOLD_FOLDNEST_H
