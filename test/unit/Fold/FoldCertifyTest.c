//===- FoldCertifyTest.c - The certificate can fail ----------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Mutants: every mapping with one modulus less by one. Where exhaustive search
// finds a collision, the certificate must refuse.
//
//===----------------------------------------------------------------------===//

#include "FoldExamples.h"

#include <string.h>

static const struct {
  const char *name;
  int64_t params[3][2];
} cases[] = {{"stencil1d", {{4, 6}, {5, 3}, {6, 7}}},
             {"running", {{5}, {6}, {7}}},
             {"lbm-d2q9", {{4, 4}, {3, 2}, {3, 5}}},
             {"diamond", {{4}, {5}, {6}}},
             {"heat2d", {{5}, {6}, {7}}}};

/// Collisions at any of the sizes that are in the mapping's class.
static uint64_t collisions(const BerthFoldProblem *problem, size_t which,
                           const BerthFoldMapping *mapping) {
  uint64_t sum = 0, count;
  for (size_t k = 0; k < 3; ++k) {
    const int64_t *params = cases[which].params[k];
    if ((params[mapping->classParam] - mapping->classRest) %
        mapping->classModulus)
      continue;
    assert_int_equal(
        berthFoldBruteForce(problem, mapping, params, &count, NULL), 0);
    sum += count;
  }
  return sum;
}

static void mutate(const BerthFoldProblem *problem, size_t which,
                   const BerthFoldMapping *mapping, unsigned *invalid,
                   unsigned *missed) {
  for (size_t r = 0; r < mapping->numRows; ++r) {
    BerthFoldMapping mutant = *mapping;
    for (size_t t = 0; t < mutant.rows[r].numTerms; ++t)
      mutant.rows[r].terms[t].constant -= mutant.rows[r].terms[t].divisor;
    bool accepted = berthFoldCertify(problem, &mutant, NULL) == BERTH_SUCCESS;
    if (mutant.rows[r].terms[0].constant > 0 ||
        mutant.rows[r].terms[0].coefficients[0] > 0 || mapping->numParams > 1) {
      bool broken = collisions(problem, which, &mutant) != 0;
      if (broken)
        assert_false(accepted);
      *invalid += broken;
      *missed += !broken && !accepted;
    }
  }
}

static void mutantsAreRefused(void **state) {
  (void)state;
  static const char *const methods[] = {"lefebvre-feautrier", "smo", "lattice",
                                        "exact"};
  unsigned invalid = 0, missed = 0;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    BerthFoldProblem *problem = foldExample(cases[i].name);
    for (size_t m = 0; m < sizeof methods / sizeof *methods; ++m) {
      BerthFoldMapping mapping =
          foldByAlone(problem, methods[m], cases[i].params[0]);
      assert_int_equal(collisions(problem, i, &mapping), 0);
      mutate(problem, i, &mapping, &invalid, &missed);
    }
    berthFoldProblemDestroy(problem);
  }
  print_message("%u invalid mutants, all refused; %u valid ones not proven\n",
                invalid, missed);
  assert_true(invalid > 20);
}

static BerthFoldRow row(int64_t c0, int64_t c1, int64_t c2, int64_t c3,
                        int64_t factor, int64_t constant) {
  BerthFoldRow result = {.coefficients = {c0, c1, c2, c3}, .numTerms = 1};
  result.terms[0] = (BerthFoldTerm){
      .constant = constant, .coefficients = {0, factor}, .divisor = 1};
  return result;
}

/// (N + 1)^3 is valid for LBM-D3Q27; (N, N + 1, N + 1), which has been shown in
/// talks, is not: d = (1, 1, 1, 1 - N) is in D.
static void talkMappingCollides(void **state) {
  (void)state;
  BerthFoldProblem *problem = foldExample("lbm-d3q27");
  BerthFoldMapping mapping = {.numDims = 4,
                              .numParams = 2,
                              .numRows = 3,
                              .rows = {row(-1, 1, 0, 0, 1, 1),
                                       row(-1, 0, 1, 0, 1, 1),
                                       row(-1, 0, 0, 1, 1, 1)},
                              .classModulus = 1};
  assert_int_equal(berthFoldCertify(problem, &mapping, NULL), BERTH_SUCCESS);
  mapping.rows[2].terms[0].constant = 0;
  BerthError error;
  assert_int_equal(berthFoldCertify(problem, &mapping, &error), BERTH_INVALID);
  assert_non_null(strstr(error.message, "row 3"));
  int64_t params[] = {3, 3};
  uint64_t count;
  berthFoldBruteForce(problem, &mapping, params, &count, NULL);
  assert_true(count > 0);
  berthFoldProblemDestroy(problem);
}

/// A row without terms, a modulus that can be zero, no rows at all: none of
/// them is vacuously valid.
static void emptyProofsAreNone(void **state) {
  (void)state;
  BerthFoldProblem *problem = foldExample("lbm-d3q27");
  BerthFoldMapping mapping = {.numDims = 4, .numParams = 2, .classModulus = 1};
  assert_int_equal(berthFoldCertify(problem, &mapping, NULL), BERTH_INVALID);
  mapping.numRows = 1;
  assert_int_equal(berthFoldCertify(problem, &mapping, NULL), BERTH_INVALID);
  mapping.rows[0] = row(1, 0, 0, 0, 1, -5);
  assert_int_equal(berthFoldCertify(problem, &mapping, NULL), BERTH_INVALID);
  berthFoldProblemDestroy(problem);
}

/// A turn a little further or elsewhere, aside or along, and one modulus less:
/// the certificate refuses whatever pairs of cells refute.
static void wrongTurnsAreRefused(void **state) {
  (void)state;
  BerthFoldProblem *problem = foldExample("triangle");
  int64_t sizes[] = {5, 6, 9, 12};
  BerthFoldMapping mapping = foldByAlone(problem, "turn", &sizes[0]);
  assert_true(mapping.turn.exists);
  unsigned invalid = 0;
  for (int which = 0; which < 7; ++which) {
    BerthFoldMapping mutant = mapping;
    BerthFoldTurn *turn = &mutant.turn;
    turn->sum.constant += which == 1 ? 1 : which == 2 ? -1 : 0;
    turn->from.constant += which == 3 ? 2 : which == 4 ? -4 : 0;
    turn->exists = which != 5;
    mutant.rows[1].terms[0].constant -= which == 6;
    bool accepted = berthFoldCertify(problem, &mutant, NULL) == BERTH_SUCCESS;
    uint64_t sum = 0;
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; ++k) {
      uint64_t collisions;
      assert_int_equal(
          berthFoldBruteForce(problem, &mutant, &sizes[k], &collisions, NULL),
          BERTH_SUCCESS);
      sum += collisions;
    }
    assert_true(!accepted || sum == 0);
    assert_true(which > 0 || accepted);
    invalid += sum != 0;
  }
  assert_true(invalid >= 4);
  mapping.turn.aside = mapping.turn.along;
  assert_int_equal(berthFoldCertify(problem, &mapping, NULL), BERTH_INVALID);
  berthFoldProblemDestroy(problem);
}

/// Every other offset near by: the certificate refuses all that pairs of cells
/// refute, and what lies outside.
static void wrongPlacementsAreRefused(void **state) {
  (void)state;
  BerthFoldProblem *problem = foldExample("upsample");
  BerthFoldOptions options = berthFoldOptionsDefault();
  BerthFoldPlacement placement = {.numArrays = 0};
  for (size_t k = 0; k < 2; ++k) {
    BerthFoldResult alone;
    assert_int_equal(berthFoldFindAlone(problem, k, &options, &alone, NULL), 0);
    placement.mappings[k] = alone.mappings[0];
  }
  assert_int_equal(berthFoldPlace(problem, &placement, NULL), 0);
  assert_int_equal(placement.cells, 48);
  unsigned invalid = 0;
  for (int64_t offset = -1; offset <= 24; ++offset) {
    BerthFoldPlacement mutant = placement;
    uint64_t collisions = 0;
    mutant.offsets[0] = offset;
    bool accepted =
        berthFoldCertifyPlacement(problem, &mutant, NULL) == BERTH_SUCCESS;
    assert_int_equal(berthFoldTryPlacement(problem, &mutant, &collisions, NULL),
                     0);
    assert_int_equal(accepted, offset == 23 || offset == 24);
    assert_true(!accepted || collisions == 0);
    invalid += collisions != 0;
  }
  assert_int_equal(invalid, 24);
  --placement.cells;
  assert_int_equal(berthFoldCertifyPlacement(problem, &placement, NULL),
                   BERTH_INVALID);
  berthFoldProblemDestroy(problem);
}

/// Out of budget is told as such, and nothing is accepted by it.
static void budgetRunsOut(void **state) {
  (void)state;
  static const char text[] =
      "context: [N] -> { : N >= 4 }\n"
      "domain: [N] -> { S[x, y] : 0 <= x < N and 0 <= y < N }\n"
      "schedule: { S[x, y] -> [x, y] }\n"
      "reads: { S[x, y] -> A[x - 1, y - 1] : x >= 1 and y >= 1 }\n"
      "writes: { S[x, y] -> A[x, y] }\n";
  for (uint64_t budget = 1; budget < 60000; budget = budget * 2 + 1) {
    BerthFoldProblem *problem;
    BerthError error = {.message = ""};
    BerthStatus status = berthFoldProblemParse(text, budget, &problem, &error);
    if (status != BERTH_SUCCESS)
      continue;
    BerthFoldOptions options = berthFoldOptionsDefault();
    BerthFoldResult result;
    uint64_t count = 0;
    int64_t params[] = {6};
    if (berthFoldFind(problem, &options, &result, &error) == BERTH_SUCCESS &&
        berthFoldBruteForce(problem, &result.mappings[0], params, &count,
                            NULL) == BERTH_SUCCESS)
      assert_int_equal(count, 0);
    berthFoldProblemDestroy(problem);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(mutantsAreRefused),
      cmocka_unit_test(talkMappingCollides),
      cmocka_unit_test(emptyProofsAreNone),
      cmocka_unit_test(wrongTurnsAreRefused),
      cmocka_unit_test(wrongPlacementsAreRefused),
      cmocka_unit_test(budgetRunsOut),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
