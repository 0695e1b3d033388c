//===- ExactPacker.c - Branch and bound ----------------------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//

#include "Pack/Choices/ConflictSet.h"
#include "Pack/Incumbent/Bounds.h"
#include "Pack/Incumbent/Incumbent.h"
#include "Pack/Place/Greedy.h"
#include "Pack/Search/Gaps.h"
#include "Pack/Search/Portfolio.h"
#include "Pack/Search/Search.h"

static BerthStatus packExact(const BerthPacker *self, const BerthTask *task,
                             const BerthHost *host, BerthAnswer *answer) {
  (void)self;
  BerthStatus status =
      berthPackerFirstFit.pack(&berthPackerFirstFit, task, host, answer);
  if (status)
    return status;
  BerthMemory arena = {0};
  BerthIncumbent incumbent;
  berthIncumbentInit(&incumbent, task, host, answer);
  berthIncumbentOffer(&incumbent, answer);
  berthRaiseBounds(&incumbent);
  if (!berthIncumbentDone(&incumbent)) {
    if (berthSearchCanHandle(task))
      berthImproveBySearch(&incumbent, 0);
    else if (berthGapsCanHandle(task))
      berthImproveByGaps(&incumbent, &arena, 0);
  }
  berthExplainInfeasible(&incumbent, NULL);
  berthMemoryFree(&arena);
  return berthIncumbentFinish(&incumbent);
}

const BerthPacker berthPackerExact = {
    .version = BERTH_PACKER_ABI,
    .size = sizeof(BerthPacker),
    .name = "exact",
    .summary = "branch and bound over plateaus: place or skip the locally "
               "lowest buffer (Berth)",
    .capabilities = BERTH_CAN_SEGMENTS | BERTH_CAN_GAPS | BERTH_CAN_ALIGNMENT |
                    BERTH_CAN_FIXED | BERTH_CAN_HARD_EDGES |
                    BERTH_CAN_DISTANCES | BERTH_CAN_RESERVED |
                    BERTH_CAN_CAPACITY | BERTH_CAN_PROVE | BERTH_CAN_INFEASIBLE,
    .defaultSteps = UINT64_C(1) << 30,
    .pack = packExact};
