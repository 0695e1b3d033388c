//===- DmaFacts.h - Transfers whose end a tag tells ---------------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What memref.dma_start, memref.dma_wait and their affine forms say, and how
// their tag indices compare. Like IR/Facts/Facts.h: implemented in lib/MLIR,
// decides nothing.
//
//===----------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_FACTS_DMAFACTS_H
#define BERTH_LIB_IR_FACTS_DMAFACTS_H

#include "berth-c/Support.h"
#include "mlir-c/IR.h"

BERTH_EXTERN_C_BEGIN

/// A start or a wait, by its operands.
typedef struct BerthDma {
  bool isStart;
  intptr_t source; ///< of a start; else -1
  intptr_t target; ///< of a start; else -1
  intptr_t tag;
  intptr_t numTagIndices;
} BerthDma;

/// Returns false if the op is neither.
bool berthOpGetDma(MlirOperation op, BerthDma *dma);

/// True for the target of a start that fills all of it, from its first element
/// on and without gaps: a stride is that of the slower one of both memories.
bool berthDmaOverwrites(MlirOperation op, intptr_t operandIndex);

/// True for a start that moves all elements of its source, in their order, to
/// all of its target: of as many, with the gaps that its types have.
bool berthDmaMovesAll(MlirOperation op);

/// An integer value: ((base + offset) floordiv divisor) mod modulus. Without
/// base, `offset` itself, which is no longer divided. Modulus 0: none.
typedef struct BerthIndex {
  MlirValue base;
  int64_t offset;
  int64_t divisor;
  int64_t modulus;
  bool isKnown; ///< false: it is something else, of which no value stands
} BerthIndex;

/// Index `i` of the op's tag, or a value, as far back as constants, sums,
/// quotients and remainders by constants and affine.apply explain it.
BerthIndex berthDmaGetTagIndex(MlirOperation op, intptr_t i);
BerthIndex berthValueGetIndex(MlirValue value);

/// The number that it is if its base is `value`.
BerthIndex berthIndexAt(BerthIndex index, int64_t value);

/// True if both are surely the same number, or surely different ones, where
/// equal bases stand for one value. Different are also two values that a loop
/// carries and swaps, and a value and what flips it (1 - x, x xor 1).
bool berthIndicesAreEqual(BerthIndex a, BerthIndex b);
bool berthIndicesDiffer(BerthIndex a, BerthIndex b);

/// What `index` is in terms of `received`, which is what `forwarded` was, plus
/// `increase`: unknown if they have nothing to do with it.
BerthIndex berthIndexReceive(BerthIndex index, MlirValue forwarded,
                             MlirValue received, int64_t increase);

/// The variable of scf.for and affine.for, as far as it is constant.
typedef struct BerthLoopCount {
  MlirValue variable;
  bool hasStep, hasFirst, hasEnd, hasLast;
  int64_t step;
  int64_t end;   ///< the first number that it does not take
  int64_t first; ///< of the first turn, if there is one
  int64_t last;  ///< of the last turn: there is one
} BerthLoopCount;

/// Returns false if the op is no such loop.
bool berthLoopGetCount(MlirOperation op, BerthLoopCount *count);

BERTH_EXTERN_C_END

#endif // BERTH_LIB_IR_FACTS_DMAFACTS_H
