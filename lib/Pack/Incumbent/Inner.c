//===- Inner.c - A task within another --------------------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//

#include "Pack/Incumbent/Inner.h"

bool berthInnerBegin(BerthInner *inner, BerthHostState *parent,
                     uint64_t steps) {
  if (!berthAnswerInit(&inner->answer, &inner->task, &inner->arena))
    return false;
  berthHostSlice(&inner->slice, parent, &inner->task, &inner->arena, steps);
  berthIncumbentInit(&inner->incumbent, &inner->task, &inner->slice.host,
                     &inner->answer);
  return true;
}

bool berthInnerEnd(BerthInner *inner) {
  bool failed =
      inner->arena.failed || inner->slice.failed || inner->incumbent.failed;
  berthProofFree(&inner->incumbent.proof);
  berthProofFree(&inner->incumbent.book);
  berthMemoryFree(&inner->arena);
  return !failed;
}
