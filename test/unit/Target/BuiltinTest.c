//===- BuiltinTest.c - What Berth itself says of ops ----------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "IR/Ops/OpRows.h"
#include "IR/Target/Builtin.h"
#include "IR/Target/TargetData.h"
#include "IR/Target/TargetReader.h"

#include <string.h>

/// The rows in words: one of each part that a row has.
static const BerthOpRow expected[] = {
    {.name = "acc.*", .traits = kParallel, .asyncIf = "async"},
    {.name = "affine.load",
     .traits = kElement | kTouches | kPlain,
     .operands = "r"},
    {.name = "amdgpu.memory_counter_wait",
     .threads = kNeverWaits | kNeverSignals,
     .async = BERTH_ASYNC_DIRECT,
     .mayPend = "load",
     .defaultPend = INT64_MAX},
    {.name = "arith.*", .traits = kArithmetic | kUniform | kTableCode},
    {.name = "arith.select", .kind = BERTH_OP_SELECT, .operands = "-=="},
    {.name = "gpu.barrier", .kind = BERTH_OP_FULL_BARRIER, .traits = kBarrier},
    {.name = "gpu.host_*", .threads = kHostCode},
    {.name = "gpu.launch",
     .kind = BERTH_OP_LAUNCH,
     .traits = kAsyncByToken,
     .threads = kHostCode},
    {.name = "memref.copy", .traits = kPlain, .operands = "rw"},
    {.name = "memref.dealloc", .kind = BERTH_OP_FREE, .operands = "f"},
    {.name = "memref.view", .kind = BERTH_OP_VIEW, .operands = "v"},
    {.name = "nvgpu.device_async_wait",
     .async = BERTH_ASYNC_COPY,
     .mayPend = "numGroups"},
    {.name = "nvgpu.tma.async.load",
     .traits = kStarts,
     .async = BERTH_ASYNC_LOAD},
    {.name = "nvgpu.tma.async.store",
     .traits = kStarts,
     .async = BERTH_ASYNC_STORE},
    {.name = "nvgpu.warpgroup.mma",
     .traits = kStarts | kMakesGroup | kNoPointer,
     .async = BERTH_ASYNC_PRODUCT,
     .mayPend = "waitGroup",
     .defaultPend = 1},
    {.name = "nvvm.read.ptx.sreg.tid.x",
     .kind = BERTH_OP_THREAD_ID,
     .threads = kThreadNumber}};

static void assertText(const char *a, const char *b) {
  assert_int_equal(!a, !b);
  if (a)
    assert_string_equal(a, b);
}

static const BerthOpRow *find(const char *name, size_t *count) {
  return berthFindRow(&berthBuiltinTarget()->rows,
                      (MlirStringRef){name, strlen(name)}, count);
}

static void testRowsAreReadAsTheyAreWritten(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof expected / sizeof *expected; ++i) {
    size_t count;
    const BerthOpRow *row = find(expected[i].name, &count);
    assert_int_equal(count, 1);
    assert_int_equal(row->kind, expected[i].kind);
    assert_int_equal(row->traits, expected[i].traits);
    assert_int_equal(row->threads, expected[i].threads);
    assert_int_equal(row->async, expected[i].async);
    assert_int_equal(row->defaultPend, expected[i].defaultPend);
    assertText(row->operands, expected[i].operands);
    assertText(row->asyncIf, expected[i].asyncIf);
    assertText(row->mayPend, expected[i].mayPend);
  }
}

/// None of it says what is only for the ops of a target, or all that an op does
/// to memory, which interfaces tell.
static void testNoRowSaysWhatATargetDoes(void **state) {
  (void)state;
  const BerthTarget *builtin = berthBuiltinTarget();
  assert_true(builtin->rows.count > 200);
  assert_false(builtin->rows.isConcurrent);
  assert_false(builtin->rows.hasFunctions);
  assert_int_equal(builtin->rows.numCores, 0);
  assert_int_equal(builtin->numMemories, 0);
  for (size_t i = 0; i < builtin->rows.count; ++i) {
    const BerthOpRow *row = &builtin->rows.rows[i];
    assert_false(row->traits & kDescribed);
    assert_int_equal(row->numConditions, 0);
    assert_true(!row->allocates && !row->token && !row->unit);
    assert_true(row->kind || row->traits || row->threads || row->asyncIf ||
                row->operands || row->mayPend);
    assert_true(i == 0 || strcmp(row[-1].name, row->name) < 0);
  }
}

/// Traits of families add up; of the rest the longest name tells.
static void testFamiliesAddUp(void **state) {
  (void)state;
  const BerthOpRows *rows = &berthBuiltinTarget()->rows;
  const char *name = "nvvm.cp.async.bulk.tensor.reduce";
  BerthOpRow sum = berthFamilyRow(rows, (MlirStringRef){name, strlen(name)});
  assert_int_equal(sum.traits, kOtherProxy);
  assert_int_equal(sum.threads, kNeverWaits | kDeviceCode);
  sum = berthFamilyRow(rows, (MlirStringRef){"nvvm", 4});
  assert_int_equal(sum.threads, 0);
}

static bool names(const char *const *list, size_t count, const char *name) {
  for (size_t i = 0; i < count; ++i)
    if (strcmp(list[i], name) == 0)
      return true;
  return false;
}

static void testTypes(void **state) {
  (void)state;
  const BerthOpRows *rows = &berthBuiltinTarget()->rows;
  assert_true(names(rows->tokens, rows->numTokens, "gpu.async.token"));
  assert_false(names(rows->tokens, rows->numTokens, "gpu.mma_matrix"));
  assert_true(names(rows->pointerless, rows->numPointerless, "gpu.mma_matrix"));
}

/// Once for the process; and as anybody's description it says the same.
static void testItMayBeGivenBack(void **state) {
  (void)state;
  const BerthTarget *builtin = berthBuiltinTarget();
  assert_ptr_equal(builtin, berthBuiltinTarget());
  BerthTarget *given;
  BerthError error;
  const char *text = berthBuiltinText();
  assert_int_equal(
      berthTargetParse(text, strlen(text), builtin, &given, &error),
      BERTH_SUCCESS);
  assert_int_equal(given->rows.count, builtin->rows.count);
  for (size_t i = 0; i < given->rows.count; ++i) {
    const BerthOpRow *a = &given->rows.rows[i], *b = &builtin->rows.rows[i];
    assert_string_equal(a->name, b->name);
    assert_int_equal(a->kind, b->kind);
    assert_int_equal(a->traits, b->traits);
    assert_int_equal(a->threads, b->threads);
    assert_int_equal(a->async, b->async);
    assert_int_equal(a->defaultPend, b->defaultPend);
    assertText(a->operands, b->operands);
    assertText(a->mayPend, b->mayPend);
    assertText(a->asyncIf, b->asyncIf);
  }
  berthTargetDestroy(given);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(testRowsAreReadAsTheyAreWritten),
      cmocka_unit_test(testNoRowSaysWhatATargetDoes),
      cmocka_unit_test(testFamiliesAddUp),
      cmocka_unit_test(testTypes),
      cmocka_unit_test(testItMayBeGivenBack),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
