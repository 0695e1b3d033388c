//===- FoldWindowTest.c - Windows, and rings that keep slices -------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FoldExamples.h"

/// A row is written and the `read` last ones are read, from the iteration on in
/// which they are all there; a further access stands at another place.
static const BerthFoldSource rows = {
    .domain = "{ W[i] : 0 <= i < 20; R[i] : 2 <= i < 20 }",
    .schedule = "{ W[i] -> [4, i, 0]; R[i] -> [4, i, 1] }",
    .writes = "{ W[i] -> A[i, x] : 0 <= x < 8 }",
    .reads = "{ R[i] -> A[y, x] : i - 2 <= y <= i and 0 <= x < 8 }",
    .slices = "{ W[i] -> A[i, x] : 0 <= x < 8; "
              "R[i] -> A[y, x] : i - 2 <= y <= i and 0 <= x < 8 }"};

static const BerthFoldLoop loop = {
    .place = 4, .step = 1, .hasFirst = true, .first = 0};

static BerthFoldWindow find(const BerthFoldSource *source, unsigned dim) {
  BerthFoldWindow window;
  BerthError error;
  if (berthFoldFindWindow(source, &loop, dim, 0, &window, &error))
    fail_msg("%s", error.message);
  assert_int_equal(berthFoldCheckWindow(source, &loop, &window, 0, NULL), 0);
  return window;
}

static void windowOfRows(void **state) {
  (void)state;
  BerthFoldWindow window = find(&rows, 0);
  assert_int_equal(window.slope, 1);
  assert_int_equal(window.first, -2);
  assert_int_equal(window.size, 3);
}

/// Whatever is less, or elsewhere, is refused.
static void mutantsAreRefused(void **state) {
  (void)state;
  BerthFoldWindow window = find(&rows, 0);
  BerthFoldWindow mutants[] = {window, window, window, window, window};
  --mutants[0].size;
  ++mutants[1].first;
  --mutants[2].first;
  ++mutants[3].slope;
  --mutants[4].slope;
  for (size_t i = 0; i < sizeof mutants / sizeof *mutants; ++i)
    assert_int_not_equal(
        berthFoldCheckWindow(&rows, &loop, &mutants[i], 0, NULL), 0);
  // Larger ones hold.
  ++window.size;
  assert_int_equal(berthFoldCheckWindow(&rows, &loop, &window, 0, NULL), 0);
}

/// Pieces of four rows that see two more, moving by four: rows 2i at i.
static void windowOfTiles(void **state) {
  (void)state;
  BerthFoldSource tiles = {.domain = "{ W[i] : 0 <= i < 16 and i mod 2 = 0; "
                                     "R[i] : 0 <= i < 16 and i mod 2 = 0 }",
                           .schedule =
                               "{ W[i] -> [4, i, 0]; R[i] -> [4, i, 1] }",
                           .writes = "{ W[i] -> A[y] : 2i <= y < 2i + 4 }",
                           .reads = "{ R[i] -> A[y] : 2i - 2 <= y < 2i + 4 }"};
  BerthFoldWindow window = find(&tiles, 0);
  assert_int_equal(window.slope, 2);
  assert_int_equal(window.size, 6);
}

/// In front of the loop the window is that of the first iteration; behind it
/// there is none.
static void otherPlaces(void **state) {
  (void)state;
  BerthFoldWindow window;
  BerthFoldSource source = rows;
  source.domain = "{ W[i] : 0 <= i < 20; R[i] : 2 <= i < 20; P[] }";
  source.schedule = "{ W[i] -> [4, i, 0]; R[i] -> [4, i, 1]; P[] -> [2] }";
  source.writes = "{ W[i] -> A[i, x] : 0 <= x < 8; P[] -> A[1, 0] }";
  assert_int_equal(find(&source, 0).size, 4);
  source.schedule = "{ W[i] -> [4, i, 0]; R[i] -> [4, i, 1]; P[] -> [6] }";
  assert_int_not_equal(berthFoldFindWindow(&source, &loop, 0, 0, &window, NULL),
                       0);
  source.schedule = "{ W[i] -> [4, i, 0]; R[i] -> [4, i, 1]; P[] -> [2] }";
  BerthFoldLoop unknown = loop;
  unknown.hasFirst = false;
  assert_int_not_equal(
      berthFoldFindWindow(&source, &unknown, 0, 0, &window, NULL), 0);
}

static BerthFoldMapping ring(const BerthFoldSource *source) {
  BerthFoldProblem *problem;
  BerthError error;
  if (berthFoldProblemCreate(source, 0, &problem, &error))
    fail_msg("%s", error.message);
  BerthFoldMapping mapping = foldBy(problem, "auto", NULL);
  berthFoldProblemDestroy(problem);
  return mapping;
}

/// Three rows wrap around in every ring; pairs that start at even rows do not,
/// once the ring is even.
static void ringsKeepSlices(void **state) {
  (void)state;
  BerthFoldMapping mapping = ring(&rows);
  assert_int_equal(mapping.numRows, 2);
  assert_int_equal(mapping.rows[0].terms[0].constant, 20);
  BerthFoldSource pairs = {.domain =
                               "{ W[i] : 0 <= i < 10; R[i] : 1 <= i < 10 }",
                           .schedule = "{ W[i] -> [i, 0]; R[i] -> [i, 1] }",
                           .writes = "{ W[i] -> A[y] : 2i <= y < 2i + 2 }",
                           .reads = "{ R[i] -> A[2i - 1]; R[i] -> A[2i] }"};
  mapping = ring(&pairs);
  assert_int_equal(mapping.rows[0].terms[0].constant, 3);
  pairs.slices = "{ W[i] -> A[y] : 2i <= y < 2i + 2 }";
  mapping = ring(&pairs);
  assert_int_equal(mapping.rows[0].terms[0].constant, 4);
}

/// Slices of three rows in a ring of three need two more.
static void mirroredRows(void **state) {
  (void)state;
  BerthFoldProblem *problem;
  BerthFoldOptions options = berthFoldOptionsDefault();
  BerthFoldResult result;
  options.mirror = true;
  assert_int_equal(berthFoldProblemCreate(&rows, 0, &problem, NULL), 0);
  assert_int_equal(berthFoldFind(problem, &options, &result, NULL), 0);
  BerthFoldMapping mapping = result.mappings[0];
  assert_int_equal(mapping.rows[0].terms[0].constant, 3);
  assert_int_equal(mapping.rows[0].mirror, 2);
  assert_int_equal(berthFoldMappingSize(&mapping, NULL), 5 * 8);
  const int64_t cell[] = {7, 5};
  assert_int_equal(berthFoldMappingApply(&mapping, NULL, cell), 1 * 8 + 5);
  // With fewer a slice would go on beyond them, with more in its own first row.
  for (int64_t mirror = 0; mirror < 5; ++mirror) {
    mapping.rows[0].mirror = mirror;
    assert_int_equal(berthFoldCertify(problem, &mapping, NULL) == BERTH_SUCCESS,
                     mirror == 2);
  }
  // What takes a ring of four has no use for copies, nor where the slack allows
  // the twenty rows that there are.
  mapping = result.mappings[0];
  ++mapping.rows[0].terms[0].constant;
  assert_int_equal(berthFoldCertify(problem, &mapping, NULL), BERTH_SUCCESS);
  options.copySlack = 300;
  assert_int_equal(berthFoldFind(problem, &options, &result, NULL), 0);
  assert_int_equal(result.mappings[0].rows[0].mirror, 0);
  assert_int_equal(result.mappings[0].rows[0].terms[0].constant, 20);
  // Rows of which a slice is none in the folded array.
  mapping = result.mappings[0];
  mapping.rows[0].coefficients[1] = 1;
  assert_int_not_equal(berthFoldCertify(problem, &mapping, NULL), 0);
  mapping = result.mappings[0];
  mapping.numRows = 1;
  assert_int_not_equal(berthFoldCertify(problem, &mapping, NULL), 0);
  berthFoldProblemDestroy(problem);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(windowOfRows),    cmocka_unit_test(mutantsAreRefused),
      cmocka_unit_test(windowOfTiles),   cmocka_unit_test(otherPlaces),
      cmocka_unit_test(ringsKeepSlices), cmocka_unit_test(mirroredRows)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
