//===- Checks.c - Sizes that stop the program -----------------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Dynamic/Checks.h"
#include "IR/Dynamic/Arith.h"
#include "IR/Ops/Text.h"

static void buildSizeAssert(BerthInsertPoint at, MlirValue condition,
                            MlirOperation alloc, const char *what) {
  int line, column;
  berthOpGetPosition(alloc, &line, &column);
  BerthText text = {0};
  bool isFrame = !mlirAttributeIsNull(berthAttributeOf(alloc, BERTH_FRAME));
  berthTextAppend(&text,
                  "berth: the size of the %s at line %d, column %d is negative "
                  "or %s",
                  isFrame ? "frame of the function called" : "buffer allocated",
                  line, column, what);
  berthBuildAssert(at, condition, text.data);
  berthTextFree(&text);
}

/// What was said of the size by attribute was not proved.
static void checkBound(BerthJob *job, const BerthBufferInfo *buffer) {
  bool isClaimed =
      !mlirAttributeIsNull(berthAttributeOf(buffer->alloc, BERTH_UPPER_BOUND));
  if (!isClaimed || buffer->unitBytes == 0)
    return;
  BerthHome home = {.block = mlirOperationGetBlock(buffer->alloc),
                    .before = buffer->alloc,
                    .isAllocation = true};
  BerthArith arith = berthArithCreate(job, &home, (MlirOperation){NULL});
  MlirValue fits = {NULL};
  berthArithElements(&arith, buffer, buffer->size / buffer->unitBytes, &fits);
  buildSizeAssert(arith.at, fits, buffer->alloc,
                  "exceeds its berth.upper_bound");
  berthArithFree(&arith);
}

void berthBuildEntrySizeCheck(const BerthBufferInfo *buffer,
                              BerthInsertPoint at, MlirValue fits) {
  buildSizeAssert(at, fits, buffer->alloc, "too large");
}

void berthBuildSizeCheck(BerthJob *job, const BerthBufferInfo *buffer) {
  if (!job->options->sizeChecks)
    return;
  if (buffer->isBounded && !berthSizesAreForHost(job))
    checkBound(job, buffer);
  if (!mlirValueIsNull(buffer->fits))
    buildSizeAssert(berthInsertBefore(buffer->alloc), buffer->fits,
                    buffer->alloc, "too large");
}

void berthBuildCapacityCheck(const BerthJob *job, BerthInsertPoint at,
                             MlirValue bytes) {
  if (!job->options->sizeChecks || !job->options->capacity)
    return;
  BerthText text = {0};
  berthTextAppend(&text,
                  "berth: the arena exceeds the capacity of %lld "
                  "bytes",
                  (long long)job->options->capacity);
  MlirValue most = berthBuildIndex(at, job->options->capacity);
  MlirValue fits =
      berthBuildCompare(at, BERTH_UNSIGNED_LESS_EQUAL, bytes, most);
  berthBuildAssert(at, fits, text.data);
  berthTextFree(&text);
}
