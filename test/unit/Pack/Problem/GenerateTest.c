//===- GenerateTest.c - Generated problems are what they claim -----------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "berth-c/Generate.h"

static void testFamiliesAreValid(void **state) {
  (void)state;
  for (size_t family = 0; family < berthFamilyCount(); ++family)
    for (uint32_t count = 1; count < 3000; count = 3 * count + 1) {
      int64_t optimum;
      BerthProblem *problem = berthGenerate(family, count, count, &optimum);
      assert_non_null(problem);
      const BerthProblemData *data = berthProblemGetData(problem);
      BerthError error;
      assert_int_equal(data->numBuffers, count);
      if (berthProblemCheck(data, NULL, &error))
        fail_msg("%s: %s", berthFamilyName(family), error.message);
      if (optimum)
        assert_true(berthProblemLoad(data, NULL) == optimum);
      berthProblemDestroy(problem);
    }
}

static void testSeedsAreReproducible(void **state) {
  (void)state;
  for (size_t family = 0; family < berthFamilyCount(); ++family) {
    BerthProblem *a = berthGenerate(family, 200, 7, NULL);
    BerthProblem *b = berthGenerate(family, 200, 7, NULL);
    BerthProblem *c = berthGenerate(family, 200, 8, NULL);
    const BerthProblemData *x = berthProblemGetData(a);
    const BerthProblemData *y = berthProblemGetData(b);
    const BerthProblemData *z = berthProblemGetData(c);
    size_t different = 0;
    for (size_t i = 0; i < 200; ++i) {
      assert_int_equal(x->buffers[i].size, y->buffers[i].size);
      assert_int_equal(x->buffers[i].segments->upper,
                       y->buffers[i].segments->upper);
      different +=
          x->buffers[i].size != z->buffers[i].size ||
          x->buffers[i].segments->upper != z->buffers[i].segments->upper;
    }
    assert_true(different > 0);
    berthProblemDestroy(a);
    berthProblemDestroy(b);
    berthProblemDestroy(c);
  }
}

// FNV-1a over times and sizes, and over features where there are any.
static uint64_t hashOf(const BerthProblemData *problem) {
  uint64_t hash = UINT64_C(14695981039346656037);
  for (size_t i = 0; i < problem->numBuffers; ++i) {
    const BerthBuffer *buffer = &problem->buffers[i];
    const BerthGap none = {0}, *gap = buffer->numGaps ? buffer->gaps : &none;
    const int64_t numbers[] = {buffer->segments->lower, buffer->segments->upper,
                               buffer->size};
    const int64_t features[] = {buffer->alignment - 1,
                                buffer->fixedOffset + 1,
                                buffer->hint + 1,
                                gap->lower,
                                gap->upper,
                                gap->windowLower,
                                gap->windowUpper};
    for (size_t k = 0; k < 3; ++k)
      hash = (hash ^ (uint64_t)numbers[k]) * UINT64_C(1099511628211);
    for (size_t k = 0; k < sizeof features / sizeof *features; ++k)
      if (features[k])
        hash = (hash ^ (uint64_t)features[k]) * UINT64_C(1099511628211);
  }
  return hash;
}

// The same bytes whatever the compiler; figures are quoted by family and seed.
static void testBytes(void **state) {
  (void)state;
  static const struct {
    const char *family;
    uint64_t hash;
  } kExpected[] = {{"network", UINT64_C(0x2f314906de0ec2a4)},
                   {"sliding", UINT64_C(0x4f553558ff257e1a)},
                   {"nested", UINT64_C(0x68a73fac2b6aeea4)},
                   {"random", UINT64_C(0xab5f007273467fca)},
                   {"adversarial", UINT64_C(0x64b7be869beacefd)},
                   {"guillotine", UINT64_C(0x3f4a11f909c19d46)},
                   {"decoder", UINT64_C(0x23a6d46d2be1eb4d)},
                   {"unet", UINT64_C(0x25a4f415acecd236)},
                   {"features", UINT64_C(0x38498c1e61eb822a)},
                   {"align", UINT64_C(0xe3031a5f402ec0bc)},
                   {"pinwheel", UINT64_C(0x400eea4cc87ab2b8)},
                   {"gaps", UINT64_C(0x00c04480c96f4e1f)},
                   {"windows", UINT64_C(0x6bdca11eefdbbe62)}};
  for (size_t i = 0; i < sizeof kExpected / sizeof *kExpected; ++i) {
    BerthProblem *problem =
        berthGenerate(berthFamilyFind(kExpected[i].family), 300, 2, NULL);
    uint64_t hash = hashOf(berthProblemGetData(problem));
    if (hash != kExpected[i].hash)
      fail_msg("%s: 0x%016llx", kExpected[i].family, (unsigned long long)hash);
    berthProblemDestroy(problem);
  }
}

static void testNames(void **state) {
  (void)state;
  for (size_t family = 0; family < berthFamilyCount(); ++family)
    assert_int_equal(berthFamilyFind(berthFamilyName(family)), family);
  assert_true(berthFamilyFind("none such") == SIZE_MAX);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(testFamiliesAreValid),
      cmocka_unit_test(testSeedsAreReproducible),
      cmocka_unit_test(testBytes),
      cmocka_unit_test(testNames),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
