//===- FoldBudget.c - What folding may cost -------------------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Fold/FoldBudget.h"
#include "IR/Ops/OrDie.h"
#include "IR/Ops/PointerMap.h"

/// isl's operations for one array, which takes about 1.5 us for one: 0.15 s. A
/// simple array takes up to 72000 with all that is tried.
enum { OperationsForArray = 100000 };

/// An array that ran out may be tried as a ring of rows, which takes few
/// operations: one in so many more.
enum { RingPart = 2 };

/// Trying the arrays of a block together may take twice what each by itself has
/// taken, and so much (a tenth of a second) in any case.
enum { JointFactor = 2, JointAtLeast = 64000 };

BerthFoldBudget berthFoldBudgetOfArray(int64_t maxOperations) {
  BerthFoldBudget budget = {.isLimited = maxOperations != 0,
                            .whole = maxOperations == BERTH_FOLD_AUTOMATIC
                                         ? OperationsForArray
                                         : (uint64_t)maxOperations};
  budget.left = budget.whole;
  budget.forRing = budget.whole / RingPart;
  return budget;
}

uint64_t berthFoldGrant(const BerthFoldBudget *budget, uint64_t share) {
  if (!budget->isLimited)
    return 0;
  uint64_t granted = share < budget->left ? share : budget->left;
  return granted ? granted : 1;
}

void berthFoldCharge(BerthFoldBudget *budget, uint64_t operations) {
  budget->spent += operations;
  budget->left -= operations < budget->left ? operations : budget->left;
}

//===----------------------------------------------------------------------===//
// Blocks
//===----------------------------------------------------------------------===//

typedef struct Block {
  uint64_t apart; ///< what its arrays have taken one by one
  BerthFoldBudget joint;
} Block;

struct BerthFoldBlocks {
  uint64_t least;
  BerthPointerMap indices;
  size_t count, capacity;
  Block *list;
};

BerthFoldBlocks *berthFoldBlocksCreate(int64_t maxOperations) {
  BerthFoldBlocks *blocks = berthAllocateOrDie(1, sizeof *blocks);
  blocks->least = maxOperations > 0 ? (uint64_t)maxOperations : JointAtLeast;
  return blocks;
}

void berthFoldBlocksDestroy(BerthFoldBlocks *blocks) {
  berthPointerMapFree(&blocks->indices);
  free(blocks->list);
  free(blocks);
}

static Block *findBlock(BerthFoldBlocks *blocks, MlirBlock block) {
  size_t index = berthPointerMapFind(&blocks->indices, block.ptr);
  if (index != BERTH_NOT_FOUND)
    return &blocks->list[index];
  berthPointerMapSet(&blocks->indices, block.ptr, blocks->count);
  blocks->list = berthGrow(blocks->list, blocks->count, &blocks->capacity,
                           sizeof *blocks->list);
  Block *added = &blocks->list[blocks->count++];
  *added = (Block){.joint = {.isLimited = true,
                             .whole = blocks->least,
                             .left = blocks->least}};
  return added;
}

void berthFoldAddToJoint(BerthFoldBlocks *blocks, MlirBlock block,
                         uint64_t apart) {
  Block *found = findBlock(blocks, block);
  found->apart += apart;
  if (JointFactor * found->apart > blocks->least)
    found->joint.whole = found->joint.left = JointFactor * found->apart;
}

BerthFoldBudget *berthFoldJointBudget(BerthFoldBlocks *blocks,
                                      MlirBlock block) {
  return &findBlock(blocks, block)->joint;
}
