//===- IndexPrograms.h - Index arithmetic made ready to be run -- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The verifier runs loops. What their bodies compute of their variables becomes
// a list of nodes first, each of which needs earlier ones only.
//
//===----------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_VERIFY_BYTES_INDEXPROGRAMS_H
#define BERTH_LIB_IR_VERIFY_BYTES_INDEXPROGRAMS_H

#include "IR/Facts/LoopFacts.h"
#include "IR/Facts/SliceFacts.h"
#include "mlir-c/AffineExpr.h"
#include "mlir-c/IR.h"

enum {
  BERTH_INDEX_NONE = -1, ///< no node
  BERTH_INDEX_MOST_LOOPS = 16,
  BERTH_INDEX_MOST_OUTER = 4,
  BERTH_INDEX_MOST_NODES = 256
};

typedef enum BerthIndexKind {
  BERTH_INDEX_NUMBER,
  BERTH_INDEX_VARIABLE,
  BERTH_INDEX_ADD,
  BERTH_INDEX_SUBTRACT,
  BERTH_INDEX_MULTIPLY,
  BERTH_INDEX_MINIMUM,
  BERTH_INDEX_MAXIMUM,
  BERTH_INDEX_REMAINDER, ///< of a division that rounds down
  BERTH_INDEX_QUOTIENT
} BerthIndexKind;

/// `a` and `b` are earlier nodes, or `number` is a number or a loop's place.
typedef struct BerthIndexNode {
  BerthIndexKind kind;
  int a, b;
  int64_t number;
  uint32_t loops; ///< a bit for each that it depends on
  /// How often it has each outer variable in it. Nodes are run with these at 0,
  /// so only one that has none of them left is what it says.
  int64_t outer[BERTH_INDEX_MOST_OUTER];
} BerthIndexNode;

/// Zero-initialise to use, or berthIndexBegin; then set the loops.
typedef struct BerthIndexProgram {
  BerthLoopRange loops[BERTH_INDEX_MOST_LOOPS];
  int numLoops;
  MlirValue
      outer[BERTH_INDEX_MOST_OUTER]; ///< one value each while the loops run
  int numOuter;
  BerthIndexNode nodes[BERTH_INDEX_MOST_NODES];
  int numNodes;
} BerthIndexProgram;

/// Makes the program empty. What lies behind its counts stays as it is: zeroing
/// all of it takes longer than most programs.
static inline void berthIndexBegin(BerthIndexProgram *program) {
  program->numLoops = program->numOuter = program->numNodes = 0;
}

/// The node of a number or a value, or BERTH_INDEX_NONE. Arguments of blocks
/// other than the loops' variables are variables from outside.
int berthIndexNumber(BerthIndexProgram *program, int64_t value);
int berthIndexCompile(BerthIndexProgram *program, MlirValue value);
int berthIndexCompileMixed(BerthIndexProgram *program, BerthMixed mixed);

/// Result `index` of the op's map, whose operands begin with `first`, or all of
/// them from there on in one by `kind`, if that is a minimum or a maximum.
int berthIndexCompileMap(BerthIndexProgram *program, MlirOperation op,
                         intptr_t first, intptr_t index, BerthIndexKind kind);

/// An expression whose dimensions are the op's operands from `first` on, and
/// then come the symbols.
int berthIndexCompileExpr(BerthIndexProgram *program, MlirAffineExpr expr,
                          MlirOperation op, intptr_t first, intptr_t numDims);

/// BERTH_INDEX_NONE where one of them is.
int berthIndexCombine(BerthIndexProgram *program, BerthIndexKind kind, int a,
                      int b);

/// True if it is not known without the variables from outside.
bool berthIndexHasOuter(const BerthIndexNode *node);

/// True for a node that is known without them.
bool berthIndexIsKnown(const BerthIndexProgram *program, int node);

/// Runs all nodes up to `last` with these variables. False on overflow.
bool berthIndexRun(const BerthIndexProgram *program, const int64_t *variables,
                   int last, int64_t *values);

#endif // BERTH_LIB_IR_VERIFY_BYTES_INDEXPROGRAMS_H
