//===- Asking.h - Numbers and addresses of each thread ------------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The verifier's own arithmetic: what a value is in one thread of a workgroup
// of known shape, asked for anew for each thread. Where that takes a number
// that is not known (the variable of a loop with known bounds, a remainder of
// anything), all that it may be are assumed one after the other.
//
//===----------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_VERIFY_THREADS_ASKING_H
#define BERTH_LIB_IR_VERIFY_THREADS_ASKING_H

#include "IR/Facts/SliceFacts.h"
#include "IR/Verify/Roots/Views.h"
#include "mlir-c/AffineExpr.h"

/// Questions asked for an access; numbers assumed at once; of each, so many.
enum {
  BERTH_MOST_QUESTIONS = 1 << 24,
  BERTH_MOST_ASSUMED = 12,
  BERTH_MOST_TRIED = 1 << 13
};

typedef enum BerthAnswer {
  BERTH_KNOWN,
  BERTH_UNKNOWN, ///< and so is what follows from it
  BERTH_ASSUME,  ///< once the value in `wanted` is taken for some number
  BERTH_GIVE_UP
} BerthAnswer;

/// A value that is taken for a number, or, if it is null, an expression over
/// the operands of an op: one of first, first + by, ... below end.
typedef struct BerthAssumed {
  MlirValue value;
  MlirOperation op;
  MlirAffineExpr expr;
  int64_t number;
  int64_t first, end, by;
} BerthAssumed;

typedef struct BerthAsking {
  const BerthViews *views;
  MlirOperation scope, op;
  uint32_t root;
  /// Null, or what alone is run: a number is then assumed only if it is the
  /// variable of a loop in it, or of itself, so that each is there once.
  MlirOperation within;
  bool hasShape;
  int64_t shape[3];
  int64_t place[3]; ///< of the thread at hand
  int32_t thread;   ///< its number, from 1
  BerthAssumed assumed[BERTH_MOST_ASSUMED];
  size_t numAssumed;
  BerthAssumed wanted;
  int64_t questionsLeft;
} BerthAsking;

/// Where a memref begins in the arena, and the steps between its elements, all
/// in bytes.
typedef struct BerthAddress {
  int64_t start;
  intptr_t rank;
  int64_t steps[BERTH_SLICE_MAX_RANK];
  int64_t elementBytes;
} BerthAddress;

/// Of accesses by `op` to the root; the latter two may be missing.
BerthAsking berthAskingOf(const BerthViews *views, MlirOperation scope,
                          MlirOperation op, uint32_t root);

/// What the value is for the thread at hand.
BerthAnswer berthAsk(BerthAsking *asking, MlirValue value, int64_t *number);

/// Where a view of the root begins.
BerthAnswer berthAskAddress(BerthAsking *asking, MlirValue value,
                            BerthAddress *address);

/// Goes on from there by the op's subscripts, from that operand on.
BerthAnswer berthAskSubscripts(BerthAsking *asking, intptr_t first,
                               BerthAddress *address);

/// Calls back for each thread and all that has to be assumed; false once the
/// answer is another one than BERTH_KNOWN.
typedef BerthAnswer (*BerthAskingCallback)(BerthAsking *asking, void *userData);
bool berthAskAllThreads(BerthAsking *asking, BerthAskingCallback callback,
                        void *userData);

/// True if the op is run by each thread in its order, and touches memory only
/// while it runs and only where its operands point.
bool berthIsPlainForThreads(MlirOperation op, MlirOperation scope);

/// True if the value is a number that the kernel's block shape tells for the
/// thread at `place`, whatever else is.
bool berthNumberOfThread(MlirOperation kernel, MlirValue value,
                         const int64_t place[3], int64_t *number);

#endif // BERTH_LIB_IR_VERIFY_THREADS_ASKING_H
