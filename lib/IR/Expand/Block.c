//===- Block.c - The memory that a launch brings --------------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Expand/Block.h"
#include "IR/Facts/Facts.h"
#include "IR/Ops/Allocations.h"
#include "IR/Ops/OpTable.h"
#include "IR/Ops/OrDie.h"
#include "IR/Ops/Rules.h"
#include "IR/Ops/Text.h"
#include "Support/Checked.h"

#include <stdlib.h>
#include <string.h>

int64_t berthBlockBytes(const BerthParts *parts,
                        const int64_t extents[BERTH_NUM_EXTENTS]) {
  int64_t bytes = 1;
  if (mlirValueIsNull(parts->bytes.value))
    bytes = berthRoundUp(parts->bytes.number, parts->unit);
  for (int k = 0; k < BERTH_NUM_EXTENTS; ++k)
    if (extents[k] >= 0)
      bytes = berthMultiplySaturating(bytes, extents[k]);
  return bytes;
}

//===----------------------------------------------------------------------===//
// How many bytes
//===----------------------------------------------------------------------===//

/// What is left of the limit for as much more. Whole quotients of quotients are
/// exact, so all together are within the limit where each is within what is
/// left, and nothing has overflowed.
static MlirValue leftFor(BerthInsertPoint at, MlirValue limit,
                         MlirValue extent) {
  MlirValue atLeastOne =
      berthBuildBinary(at, BERTH_NAME_MAX, extent, berthBuildIndex(at, 1));
  return berthBuildBinary(at, BERTH_NAME_DIVIDE, limit, atLeastOne);
}

static void checkBytes(const BerthHostValues *host, BerthMixed bytes,
                       const BerthMixed *extents, int64_t capacity) {
  int line, column;
  berthOpGetPosition(host->launch, &line, &column);
  BerthText text = {0};
  berthTextAppend(&text,
                  "berth: the memory that the threads of the launch at line "
                  "%d, column %d need exceeds %lld bytes",
                  line, column, (long long)capacity);
  BerthMixed asked[1 + BERTH_NUM_EXTENTS] = {bytes};
  memcpy(&asked[1], extents, BERTH_NUM_EXTENTS * sizeof *extents);
  int64_t left = capacity;
  for (int k = 0; k <= BERTH_NUM_EXTENTS; ++k)
    if (mlirValueIsNull(asked[k].value) && asked[k].number > 1)
      left /= asked[k].number;
  MlirValue limit = berthBuildIndex(host->at, left), last = {NULL};
  for (int k = 0; k <= BERTH_NUM_EXTENTS; ++k) {
    if (mlirValueIsNull(asked[k].value))
      continue;
    if (!mlirValueIsNull(last))
      limit = leftFor(host->at, limit, last);
    last = asked[k].value;
    berthBuildAssert(
        host->at,
        berthBuildCompare(host->at, BERTH_UNSIGNED_LESS_EQUAL, last, limit),
        text.data);
  }
  berthTextFree(&text);
}

/// What berth-arena asserts in front of the arena, of each size by itself.
static void checkSizes(const BerthParts *parts, BerthHostValues *host) {
  for (MlirOperation op =
           mlirBlockGetFirstOperation(mlirOperationGetBlock(parts->arena));
       !mlirOperationEqual(op, parts->arena);
       op = mlirOperationGetNextInBlock(op)) {
    if (!berthOpIs(op, BERTH_OP_ASSERT))
      continue;
    MlirValue condition = berthHostValue(host, mlirOperationGetOperand(op, 0));
    MlirOperation clone = mlirOperationClone(op);
    mlirOperationSetOperand(clone, 0, condition);
    mlirBlockInsertOwnedOperationBefore(host->at.block, host->at.before, clone);
  }
}

static BerthMixed countBytes(const BerthParts *parts, BerthHostValues *host,
                             int64_t capacity, const char *breakRule) {
  BerthMixed bytes = parts->bytes, extents[BERTH_NUM_EXTENTS];
  if (!berthIsBroken(breakRule, "unchecked-blocks"))
    checkSizes(parts, host);
  if (!mlirValueIsNull(bytes.value))
    bytes = berthMixedOf(berthHostValue(host, bytes.value));
  bytes = berthMixedRoundUp(host->at, bytes, parts->unit);
  bool isKnown = mlirValueIsNull(bytes.value);
  BerthMixed all = bytes;
  for (int k = 0; k < BERTH_NUM_EXTENTS; ++k) {
    extents[k] = berthMixedOf(berthHostExtent(host, k));
    isKnown &= mlirValueIsNull(extents[k].value);
  }
  // What is known has been looked at before.
  if (!isKnown && !berthIsBroken(breakRule, "unchecked-blocks"))
    checkBytes(host, bytes, extents, capacity);
  for (int k = 0; k < BERTH_NUM_EXTENTS; ++k)
    all = berthMixedMultiply(host->at, all, extents[k]);
  return all;
}

//===----------------------------------------------------------------------===//
// Taking it and giving it back
//===----------------------------------------------------------------------===//

/// gpu.alloc; `*token`: that it waits for, and then its own; null if it is to
/// be over when it returns.
static MlirValue allocate(BerthInsertPoint at, BerthMixed bytes,
                          MlirValue *token) {
  MlirContext context = mlirLocationGetContext(at.location);
  bool isAsync = !mlirValueIsNull(*token);
  bool isStatic = mlirValueIsNull(bytes.value);
  MlirType type = berthByteMemRef(context, isStatic ? bytes.number : -1,
                                  (MlirAttribute){NULL});
  MlirType results[] = {type, berthDeviceTokenType(context)};
  MlirValue operands[2];
  int32_t segments[] = {isAsync, !isStatic, 0};
  intptr_t count = 0;
  if (isAsync)
    operands[count++] = *token;
  if (!isStatic)
    operands[count++] = bytes.value;
  MlirNamedAttribute attributes[] = {
      berthNamed(context, "operandSegmentSizes",
                 berthI32Array(context, 3, segments)),
      berthNamed(context, BERTH_PER_THREAD, mlirUnitAttrGet(context)),
      berthManualDeallocation(context)};
  MlirOperation alloc = berthBuild(at, BERTH_NAME_DEVICE_ALLOC, count, operands,
                                   1 + isAsync, results, 3, attributes);
  if (isAsync)
    *token = mlirOperationGetResult(alloc, 1);
  return mlirOperationGetResult(alloc, 0);
}

/// One token for all that the launch waits for.
static MlirValue tokenOfDependencies(MlirOperation launch,
                                     BerthInsertPoint at) {
  intptr_t count = berthLaunchGetForm(launch).numDependencies;
  if (count == 1)
    return mlirOperationGetOperand(launch, 0);
  MlirValue *tokens = berthAllocateOrDie((size_t)count + 1, sizeof *tokens);
  for (intptr_t i = 0; i < count; ++i)
    tokens[i] = mlirOperationGetOperand(launch, i);
  MlirValue token = berthBuildDeviceWait(at, count, tokens, true);
  free(tokens);
  return token;
}

/// Behind the launch. Whoever waited for the launch waits for that, too.
static void freeAsync(BerthInsertPoint at, MlirOperation launch,
                      MlirValue block, bool isEarly) {
  MlirContext context = mlirOperationGetContext(launch);
  MlirValue end = mlirOperationGetResult(launch, 0);
  MlirValue operands[] = {isEarly ? mlirOperationGetOperand(launch, 0) : end,
                          block};
  MlirNamedAttribute manual = berthManualDeallocation(context);
  MlirOperation free =
      berthBuild(at, BERTH_NAME_DEVICE_DEALLOC, 2, operands, 1,
                 (MlirType[]){berthDeviceTokenType(context)}, 1, &manual);
  if (isEarly)
    return;
  mlirValueReplaceAllUsesOfWith(end, mlirOperationGetResult(free, 0));
  mlirOperationSetOperand(free, 0, end);
}

MlirValue berthBuildBlock(const BerthParts *parts, MlirOperation launch,
                          int64_t capacity, const char *breakRule) {
  BerthHostValues host = {.kernel = parts->kernel,
                          .launch = launch,
                          .at = berthInsertBefore(launch)};
  BerthMixed bytes = countBytes(parts, &host, capacity, breakRule);
  berthHostValuesFree(&host);
  bool isAsync = berthLaunchGetForm(launch).isAsync;
  MlirValue token = {NULL};
  if (isAsync)
    token = tokenOfDependencies(launch, host.at);
  MlirValue block = allocate(host.at, bytes, &token);
  BerthInsertPoint behind = host.at;
  behind.before = mlirOperationGetNextInBlock(launch);
  bool isEarly = berthIsBroken(breakRule, "blocks-end-early");
  if (isAsync) {
    berthLaunchSetDependency(launch, token);
    freeAsync(behind, launch, block, isEarly);
  } else {
    berthBuildDealloc(isEarly ? host.at : behind, block);
  }
  if (!mlirValueIsNull(bytes.value))
    return block;
  MlirType any = berthByteMemRef(mlirLocationGetContext(host.at.location), -1,
                                 (MlirAttribute){NULL});
  return berthBuildValue(host.at, BERTH_NAME_CAST, 1, &block, any, 0, NULL);
}
