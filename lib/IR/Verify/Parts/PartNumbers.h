//===- PartNumbers.h - What host and kernel compute, as sums -------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The numbers of a launch and of one of its threads as sums of products of what
// is not known. A kernel's argument is what the launch gives, so a size that
// both compute is one sum. What an op computes that is no plain arithmetic is
// an unknown, the same one wherever the op has the same operands. Additions and
// products of indices wrap around as sums modulo 2^64 do; whether a sum is in
// truth what the program computes is for who asks (PartRanges.h).
//
// Conditions are numbers, 0 or 1: `and` is a product, `select` a sum.
//
//===----------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_VERIFY_PARTS_PARTNUMBERS_H
#define BERTH_LIB_IR_VERIFY_PARTS_PARTNUMBERS_H

#include "IR/Ops/PointerMap.h"
#include "IR/Verify/Parts/Sums.h"
#include "mlir-c/IR.h"

typedef enum BerthUnknownKind {
  BERTH_UNKNOWN_GIVEN,    ///< a value that nothing here computes
  BERTH_UNKNOWN_PLACE,    ///< of the thread: `number` is 0 to 2 for its block,
                          ///< 3 to 5 for itself in it
  BERTH_UNKNOWN_LARGEST,  ///< of two operands without sign
  BERTH_UNKNOWN_QUOTIENT, ///< of two operands without sign, rounded down
  BERTH_UNKNOWN_LESS,    ///< a truth: of two operands; `number` 1: without sign
  BERTH_UNKNOWN_EQUAL,   ///< a truth
  BERTH_UNKNOWN_WRAPPED, ///< its operand as the program has it
  BERTH_UNKNOWN_EXTENT,  ///< of memory: not negative
  BERTH_UNKNOWN_OF_OP    ///< of the operands of some op
} BerthUnknownKind;

typedef struct BerthUnknown {
  BerthUnknownKind kind;
  int number;
  bool isOfAll; ///< all threads, and the host, have the same
  MlirValue value;
  size_t numOperands;
  const BerthSum *operands;
} BerthUnknown;

typedef struct BerthPartNumbers {
  BerthMemory memory;                  ///< sums, while somebody looks at them
  BerthMemory kept;                    ///< of unknowns, and of values
  MlirOperation alloc;                 ///< the block, a gpu.alloc
  MlirOperation launch;                ///< a gpu.launch or gpu.launch_func
  MlirOperation kernel;                ///< the same, or a gpu.func
  intptr_t firstExtent, firstArgument; ///< operands of the launch
  BerthUnknown *unknowns;
  size_t numUnknowns, unknownCapacity;
  BerthPointerMap known; ///< value -> index into `sums`
  BerthSum *sums;
  size_t numSums, sumCapacity;
  uint32_t *wrapped; ///< unknowns
  size_t numWrapped, wrappedCapacity;
  size_t work; ///< sums looked at: beyond some number nothing more is shown
} BerthPartNumbers;

/// Of an index, an integer, or a memref, which stands for itself.
BerthSum berthPartSum(BerthPartNumbers *numbers, MlirValue value);

/// Of the block of memory.
BerthSum berthPartBytes(BerthPartNumbers *numbers);

/// Of the grid, then of a block of threads.
BerthSum berthPartExtent(BerthPartNumbers *numbers, int extent);

/// Values that were asked for before are asked for anew.
void berthPartForget(BerthPartNumbers *numbers);

/// 1 if `a` is less than `b`, else 0.
BerthSum berthPartIsLess(BerthPartNumbers *numbers, BerthSum a, BerthSum b,
                         bool isUnsigned);

/// The unknown for these operands, made once.
BerthSum berthPartUnknown(BerthPartNumbers *numbers, BerthUnknown unknown);

/// True if all threads, and the host, have the same.
bool berthPartIsOfAll(const BerthPartNumbers *numbers, BerthSum sum);

const BerthUnknown *berthPartUnknownOf(const BerthPartNumbers *numbers,
                                       uint32_t unknown);

void berthPartNumbersFree(BerthPartNumbers *numbers);

#endif // BERTH_LIB_IR_VERIFY_PARTS_PARTNUMBERS_H
