//===- FoldTableTest.c - The table of lattice-based allocation -----------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The examples of Darte, Isoard and Yuki, "Extended Lattice-Based Memory
// Allocation" (CC 2016): cells by each method at one size, against the numbers
// of the paper, and checked exhaustively at small sizes.
//
//===----------------------------------------------------------------------===//

#include "FoldExamples.h"

#include <stdlib.h>

static const struct {
  const char *name;
  int64_t params[2];   ///< where cells are counted
  int64_t successive;  ///< the paper's Lefebvre-Feautrier
  int64_t lattice;     ///< the paper's best heuristic: an upper bound
  int64_t exact;       ///< the family of the smallest lattices
  int64_t small[2][2]; ///< where everything is enumerated
} rows[] = {{"stencil1d", {50, 100}, 200, 101, 101, {{4, 6}, {5, 3}}},
            {"running", {20}, 400, 78, 76, {{5}, {6}}},
            {"lbm-d2q9", {50, 20}, 800, 441, 440, {{4, 4}, {3, 2}}},
            {"lbm-d3q27", {50, 10}, 2000, 1331, 1200, {{3, 3}, {3, 2}}},
            {"diamond", {20}, 78, 78, 78, {{4}, {5}}},
            {"heat2d", {20}, 8000, 2262, 1862, {{5}, {6}}}};

enum { NumRows = sizeof rows / sizeof *rows };

static void checkAt(const BerthFoldProblem *problem,
                    const BerthFoldMapping *mapping, const int64_t *params) {
  uint64_t collisions, wrong, live;
  assert_int_equal(
      berthFoldBruteForce(problem, mapping, params, &collisions, NULL), 0);
  assert_int_equal(collisions, 0);
  assert_int_equal(
      berthFoldTrace(problem, mapping, params, &wrong, &live, NULL), 0);
  assert_int_equal(wrong, 0);
  assert_true(live > 0);
  assert_true((int64_t)live <= berthFoldMappingSize(mapping, params));
}

/// What every method finds alone for one example.
typedef struct Found {
  bool applies[8];
  BerthFoldResult results[8];
} Found;

static size_t methodNamed(const char *name) {
  size_t m = 0;
  while (strcmp(berthFoldMethodName(m), name))
    ++m;
  return m;
}

/// Each runs once.
static Found findAll(const BerthFoldProblem *problem) {
  Found found;
  assert_true(berthFoldNumMethods() <= 8);
  for (size_t m = 1; m < berthFoldNumMethods(); ++m) {
    BerthFoldOptions options = berthFoldOptionsDefault();
    options.method = berthFoldMethodName(m);
    options.alone = true;
    BerthStatus status =
        berthFoldFind(problem, &options, &found.results[m], NULL);
    assert_true(status == BERTH_SUCCESS || status == BERTH_INVALID);
    found.applies[m] = status == BERTH_SUCCESS;
  }
  return found;
}

static int64_t sizeOf(const BerthFoldResult *result, const int64_t *params) {
  BerthFoldMapping mapping = foldPick(result, params);
  return berthFoldMappingSize(&mapping, params);
}

static int64_t cellsOf(const Found *found, size_t method,
                       const int64_t *params) {
  assert_true(found->applies[method]);
  return sizeOf(&found->results[method], params);
}

/// The least that any method takes alone.
static int64_t leastOf(const Found *found, const int64_t *params) {
  int64_t least = INT64_MAX;
  for (size_t m = 1; m < berthFoldNumMethods(); ++m)
    if (found->applies[m] && cellsOf(found, m, params) < least)
      least = cellsOf(found, m, params);
  return least;
}

/// Families are smaller than the heuristics' mappings, and just as valid.
static void methodsReachTheTable(void **state) {
  (void)state;
  for (size_t i = 0; i < NumRows; ++i) {
    BerthFoldProblem *problem = foldExample(rows[i].name);
    Found found = findAll(problem);
    const int64_t *params = rows[i].params;
    assert_int_equal(cellsOf(&found, methodNamed("lefebvre-feautrier"), params),
                     rows[i].successive);
    assert_true(cellsOf(&found, methodNamed("lattice"), params) <=
                rows[i].lattice);
    assert_int_equal(cellsOf(&found, methodNamed("exact"), params),
                     rows[i].exact);
    assert_int_equal(leastOf(&found, params), rows[i].exact);
    for (size_t m = 1; m < berthFoldNumMethods(); ++m)
      for (size_t k = 0; k < 2 && found.applies[m]; ++k) {
        BerthFoldMapping mapping =
            foldPick(&found.results[m], rows[i].small[k]);
        checkAt(problem, &mapping, rows[i].small[k]);
      }
    berthFoldProblemDestroy(problem);
  }
}

/// Whichever method is asked for, it returns as few cells as any other. Where
/// these are another one's, it says so, and why.
static void checkEqual(const BerthFoldProblem *problem, const int64_t *params) {
  Found found = findAll(problem);
  int64_t best = leastOf(&found, params);
  for (size_t m = 0; m < berthFoldNumMethods(); ++m) {
    BerthFoldResult result = foldAll(problem, berthFoldMethodName(m));
    assert_int_equal(sizeOf(&result, params), best);
    bool isOwn =
        m == 0 || !strcmp(result.mappings[0].method, berthFoldMethodName(m));
    assert_true(isOwn == !result.insteadOf);
    if (isOwn)
      continue;
    assert_string_equal(result.insteadOf, berthFoldMethodName(m));
    bool finds = result.insteadWhy == BERTH_SUCCESS;
    assert_true(finds || result.insteadWhy == BERTH_INVALID);
    assert_true(finds == found.applies[m]);
  }
}

static void noMethodIsWorseThanAnother(void **state) {
  (void)state;
  static const char *const names[] = {"stencil1d", "running", "diamond",
                                      "triangle"};
  BerthFoldProblem *problem;
  for (size_t i = 0; i < sizeof names / sizeof *names; ++i) {
    problem = foldExample(names[i]);
    checkEqual(problem, rows[0].params);
    berthFoldProblemDestroy(problem);
  }
  // The cells are a triangle, which turned takes more than its diagonals.
  BerthFoldSource source = {
      .context = "[N] -> { : N >= 4 }",
      .domain = "[N] -> { S[t, i] : 0 <= t < N and 0 <= i <= t }",
      .schedule = "{ S[t, i] -> [t, i] }",
      .reads = "{ S[t, i] -> A[t - 1, i - 1] : i >= 1 }",
      .writes = "{ S[t, i] -> A[t, i] }"};
  assert_int_equal(berthFoldProblemCreate(&source, 0, &problem, NULL), 0);
  checkEqual(problem, rows[0].params);
  BerthFoldResult result = foldAll(problem, "turn");
  assert_string_equal(result.mappings[0].method, "smo");
  assert_string_equal(result.insteadOf, "turn");
  assert_null(foldAll(problem, "lattice").insteadOf);
  berthFoldProblemDestroy(problem);
}

/// At a constant size the enumeration starts at the number of live cells and
/// ends at a proven optimum: 4N - 4 = 20 for the running example at N = 6.
static void constantSizesAreProven(void **state) {
  (void)state;
  BerthFoldSource source = {
      .domain = "{ S[x, y] : 0 <= x < 6 and 0 <= y < 6 }",
      .schedule = "{ S[x, y] -> [x, x - y] : x >= y; "
                  "S[x, y] -> [y, x - y] : x < y }",
      .reads = "{ S[x, y] -> A[x - 1, y - 1] : x >= 1 and y >= 1; "
               "S[x, 0] -> A[x - 1, 0] : x >= 1; "
               "S[0, y] -> A[0, y - 1] : y >= 1 }",
      .writes = "{ S[x, y] -> A[x, y] }",
      .liveOut = "{ A[5, y] : 0 <= y < 6; A[x, 5] : 0 <= x < 6 }",
      .parallel = "1"};
  BerthFoldProblem *problem;
  assert_int_equal(berthFoldProblemCreate(&source, 0, &problem, NULL), 0);
  BerthFoldMapping mapping = foldByAlone(problem, "exact", NULL);
  assert_true(mapping.optimal);
  assert_int_equal(berthFoldMappingSize(&mapping, NULL), 20);
  checkAt(problem, &mapping, NULL);
  berthFoldProblemDestroy(problem);
}

/// With its parameters fixed by the context an example's smallest lattice has
/// as many cells as are live at once, which proves it.
static void fixedSizesAreProven(void **state) {
  (void)state;
  static const struct {
    const char *name, *context;
    int64_t params[2], cells;
  } cases[] = {{"lbm-d2q9", "[T, N] -> { : T = 4 and N = 5 }", {4, 5}, 31},
               {"lbm-d2q9", "[T, N] -> { : T = 4 and N = 12 }", {4, 12}, 157},
               {"lbm-d3q27", "[T, N] -> { : T = 3 and N = 3 }", {3, 3}, 40},
               {"heat2d", "[B] -> { : B = 6 }", {6}, 136},
               {"heat2d", "[B] -> { : B = 7 }", {7}, 193}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    BerthFoldProblem *problem = foldExampleIn(cases[i].name, cases[i].context);
    BerthFoldMapping mapping = foldByAlone(problem, "exact", cases[i].params);
    uint64_t wrong, live;
    assert_true(mapping.optimal);
    assert_int_equal(berthFoldMappingSize(&mapping, cases[i].params),
                     cases[i].cells);
    checkAt(problem, &mapping, cases[i].params);
    assert_int_equal(
        berthFoldTrace(problem, &mapping, cases[i].params, &wrong, &live, NULL),
        0);
    assert_int_equal(live, cases[i].cells);
    berthFoldProblemDestroy(problem);
  }
}

/// Two halves of a triangle fill a rectangle, whatever its size; as a lattice
/// cannot. In three dimensions each plane does.
static void halvesOfTrianglesFillRectangles(void **state) {
  (void)state;
  BerthFoldProblem *problem = foldExample("triangle");
  BerthFoldMapping mapping = foldBy(problem, "auto", (int64_t[]){14});
  for (int64_t n = 1; n < 10; ++n) {
    checkAt(problem, &mapping, &n);
    assert_int_equal(berthFoldMappingSize(&mapping, &n), (n + 1) / 2 * (n + 1));
  }
  berthFoldProblemDestroy(problem);
  problem = foldExampleIn("triangle", "[N] -> { : N = 9 }");
  mapping = foldBy(problem, "auto", (int64_t[]){9});
  assert_int_equal(berthFoldMappingSize(&mapping, (int64_t[]){9}), 45);
  checkAt(problem, &mapping, (int64_t[]){9});
  berthFoldProblemDestroy(problem);
  BerthFoldSource source = {
      .domain = "{ W[b, i, j] : 0 <= b < 3 and 0 <= i < 6 and i <= j < 6;"
                "  R[b, i, j] : 0 <= b < 3 and 0 <= i < 6 and i <= j < 6 }",
      .schedule = "{ W[b, i, j] -> [0, b, i, j]; R[b, i, j] -> [1, j, -i, b] }",
      .reads = "{ R[b, i, j] -> A[b, i + 5, j - 3] }",
      .writes = "{ W[b, i, j] -> A[b, i + 5, j - 3] }"};
  assert_int_equal(berthFoldProblemCreate(&source, 0, &problem, NULL), 0);
  mapping = foldByAlone(problem, "turn", NULL);
  assert_int_equal(berthFoldMappingSize(&mapping, NULL), 3 * 21);
  checkAt(problem, &mapping, NULL);
  berthFoldProblemDestroy(problem);
}

/// Several arrays share one allocation, their number as one more dimension.
static void chainsShareOneArray(void **state) {
  (void)state;
  BerthFoldSource source = {
      .context = "[N] -> { : N >= 1 }",
      .domain = "[N] -> { P[i] : 0 <= i < N; Q[i] : 0 <= i < N; "
                "R[i] : 0 <= i < N }",
      .schedule = "{ P[i] -> [0, i]; Q[i] -> [1, i]; R[i] -> [2, i] }",
      .reads = "{ Q[i] -> A[i]; R[i] -> B[i] }",
      .writes = "{ P[i] -> A[i]; Q[i] -> B[i] }"};
  BerthFoldProblem *problem;
  assert_int_equal(berthFoldProblemCreate(&source, 0, &problem, NULL), 0);
  assert_int_equal(berthFoldProblemNumArrays(problem), 2);
  assert_int_equal(berthFoldProblemNumDims(problem), 2); // number, index
  int64_t params[] = {40}, small[] = {5};
  BerthFoldMapping mapping = foldBy(problem, "auto", params);
  assert_int_equal(berthFoldMappingSize(&mapping, params), 40);
  checkAt(problem, &mapping, small);
  berthFoldProblemDestroy(problem);
}

/// A may-write is a source and kills nothing: both values need their cells.
static void mayWritesKillNothing(void **state) {
  (void)state;
  BerthFoldSource source = {
      .domain = "{ W[i] : 0 <= i < 4; V[i] : 0 <= i < 4; R[i] : 0 <= i < 4 }",
      .schedule = "{ W[i] -> [0, i]; V[i] -> [1, i]; R[i] -> [2, i] }",
      .reads = "{ R[i] -> A[i] }",
      .writes = "{ W[i] -> A[i]; V[i] -> A[i] }"};
  BerthFoldProblem *problem;
  uint64_t wrong, live;
  assert_int_equal(berthFoldProblemCreate(&source, 0, &problem, NULL), 0);
  char *text = berthFoldProblemDifferenceText(problem);
  assert_non_null(text);
  free(text);
  berthFoldProblemDestroy(problem);
  source.writes = "{ W[i] -> A[i] }";
  source.mayWrites = "{ V[i] -> A[i] }";
  assert_int_equal(berthFoldProblemCreate(&source, 0, &problem, NULL), 0);
  BerthFoldMapping mapping = foldBy(problem, "auto", NULL);
  assert_int_equal(berthFoldMappingSize(&mapping, NULL), 4);
  assert_int_equal(berthFoldTrace(problem, &mapping, NULL, &wrong, &live, NULL),
                   0);
  assert_int_equal(wrong, 0);
  berthFoldProblemDestroy(problem);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(methodsReachTheTable),
      cmocka_unit_test(noMethodIsWorseThanAnother),
      cmocka_unit_test(constantSizesAreProven),
      cmocka_unit_test(fixedSizesAreProven),
      cmocka_unit_test(halvesOfTrianglesFillRectangles),
      cmocka_unit_test(chainsShareOneArray),
      cmocka_unit_test(mayWritesKillNothing),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
