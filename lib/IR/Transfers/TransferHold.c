//===- TransferHold.c - Buffers that transfers still use behind the start -===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Where a transfer is under way, its source, its target and its tag are live,
// whether anyone reads them or not. One whose end nobody knows has made its
// buffers live to the end of the scope before (UseEffects.c).
//
//===----------------------------------------------------------------------===//

#include "IR/Transfers/TransferHold.h"
#include "IR/Ops/OpTable.h"
#include "IR/Ops/Rules.h"
#include "IR/Scope/Segments.h"
#include "IR/Transfers/Transfers.h"

static void rejectAgain(BerthBufferInfo *buffer) {
  berthRejectBuffer(buffer,
                    "a transfer may still use its previous instance when it "
                    "is allocated again: wait for it",
                    buffer->alloc);
}

static bool holds(const BerthDmaRun *run, int64_t point) {
  for (size_t i = 0; i < run->numSegments; ++i)
    if (run->segments[i].lower <= point && point < run->segments[i].upper)
      return true;
  return false;
}

static void holdBuffer(BerthScope *scope, const BerthPoints *points,
                       BerthBufferInfo *buffer, BerthDmaTable *table) {
  for (size_t i = 0; i < buffer->numAccesses; ++i) {
    MlirOperation op = buffer->accesses[i].op;
    if (!berthOpIsTransfer(op))
      continue;
    const BerthDmaRun *run = berthDmaGetRun(table, op);
    if (buffer->leaks || !run->isAwaited)
      continue;
    if (holds(run, berthPointsLower(points, buffer->alloc)))
      rejectAgain(buffer);
    berthBufferAddSegments(scope, buffer, run->segments, run->numSegments);
  }
}

void berthScopeHoldTransfers(BerthScope *scope, const BerthPoints *points,
                             const char *breakRule) {
  if (berthIsBroken(breakRule, "no-dma"))
    return;
  BerthDmaTable table = {.breakRule = breakRule};
  for (size_t i = 0; i < scope->numBuffers; ++i)
    if (!scope->buffers[i].reason &&
        mlirOperationIsNull(scope->buffers[i].callee))
      holdBuffer(scope, points, &scope->buffers[i], &table);
  berthDmaTableFree(&table);
}
