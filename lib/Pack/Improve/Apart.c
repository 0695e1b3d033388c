//===- Apart.c - Packing as if nothing could share -----------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//

#include "Pack/Improve/Apart.h"

#include "Pack/Improve/Settle.h"
#include "Pack/Task/Host.h"
#include "Pack/Task/Hulls.h"

// What solves it has no say in bounds or proofs: those of the other task are
// none of this one.
static bool packApart(const BerthTask *task, const BerthHost *host,
                      BerthSolve solve, BerthAnswer *candidate,
                      BerthMemory *arena) {
  BerthTask apart;
  BerthHostState slice;
  BerthIncumbent inner;
  if (!berthTaskApart(task, arena, &apart))
    return false;
  BerthHostState *parent = berthHostState(host);
  berthHostSlice(&slice, parent, &apart, arena, berthHostRemaining(parent));
  berthIncumbentInit(&inner, &apart, &slice.host, candidate);
  solve(&inner);
  return !inner.failed && inner.complete;
}

bool berthApartIsSimpler(const BerthTask *task) {
  return task->features & (BERTH_CAN_GAPS | BERTH_CAN_DISTANCES) &&
         task->numPools == 1;
}

void berthImproveApart(BerthIncumbent *incumbent, const BerthHost *host,
                       BerthSolve solve) {
  const BerthTask *task = incumbent->task;
  BerthMemory arena = {0};
  BerthAnswer candidate;
  if (!berthIncumbentCandidate(incumbent, &arena, &candidate)) {
    incumbent->failed = true;
  } else if (packApart(task, host, solve, &candidate, &arena)) {
    berthIncumbentOffer(incumbent, &candidate);
    berthOfferSettled(incumbent, host, NULL, &candidate);
  }
  incumbent->failed |= arena.failed;
  berthMemoryFree(&arena);
}
