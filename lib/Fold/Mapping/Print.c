//===- Print.c - Mappings as text ----------------------------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Fold/Problem/Problem.h"

#include <inttypes.h>

/// One summand of a sum in progress: `2*n`, ` - m`, nothing for 0.
static void printSummand(int64_t factor, const char *name, bool *first,
                         FILE *out) {
  int64_t size = factor < 0 ? -factor : factor;
  if (factor == 0)
    return;
  fputs(*first ? (factor < 0 ? "-" : "") : (factor < 0 ? " - " : " + "), out);
  *first = false;
  if (!name)
    fprintf(out, "%" PRId64, size);
  else if (size == 1)
    fputs(name, out);
  else
    fprintf(out, "%" PRId64 "*%s", size, name);
}

/// Indices with positive factors first: `i - t`, not `-t + i`.
static void printIndexSum(const BerthFoldProblem *problem,
                          const BerthFoldMapping *mapping,
                          const BerthFoldRow *row, FILE *out) {
  bool first = true;
  for (int sign = 1; sign >= -1; sign -= 2)
    for (unsigned d = 0; d < problem->numDims; ++d)
      if (row->coefficients[d] * sign > 0)
        printSummand(row->coefficients[d], problem->dimNames[d], &first, out);
  for (unsigned j = 0; j < BERTH_FOLD_MAX_DIMS; ++j) {
    char quotient[16];
    snprintf(quotient, sizeof quotient, "q%u", j);
    printSummand(-row->carries[j], quotient, &first, out);
    char product[64];
    snprintf(product, sizeof product, "%.40s*%s",
             row->carrySlopes[j]
                 ? berthFoldProblemParamName(problem, mapping->carryParam)
                 : "",
             quotient);
    printSummand(-row->carrySlopes[j], product, &first, out);
  }
  if (first)
    fputs("0", out);
}

static void printTerm(const BerthFoldProblem *problem,
                      const BerthFoldTerm *term, FILE *out) {
  bool first = true;
  if (term->divisor != 1)
    fputs("ceil((", out);
  for (unsigned p = 0; p < problem->numParams; ++p)
    printSummand(term->coefficients[p], berthFoldProblemParamName(problem, p),
                 &first, out);
  printSummand(term->constant, NULL, &first, out);
  if (first)
    fputs("0", out);
  if (term->divisor != 1)
    fprintf(out, ")/%" PRId64 ")", term->divisor);
}

/// Whether a term needs no brackets behind `mod`, or as a factor of a product.
static bool isAtom(const BerthFoldProblem *problem, const BerthFoldTerm *term,
                   bool isFactor) {
  unsigned summands = term->constant != 0;
  bool isProduct = false;
  for (unsigned p = 0; p < problem->numParams; ++p) {
    summands += term->coefficients[p] != 0;
    isProduct |= term->coefficients[p] != 0 && term->coefficients[p] != 1;
  }
  return (summands <= 1 && (isFactor || !isProduct)) || term->divisor != 1;
}

static void printModulus(const BerthFoldProblem *problem,
                         const BerthFoldRow *row, bool isFactor, FILE *out) {
  bool several = row->numTerms > 1;
  bool brackets = !several && !isAtom(problem, &row->terms[0], isFactor);
  fputs(several ? "max(" : brackets ? "(" : "", out);
  for (size_t t = 0; t < row->numTerms; ++t) {
    fputs(t ? ", " : "", out);
    printTerm(problem, &row->terms[t], out);
  }
  fputs(several || brackets ? ")" : "", out);
}

static void printRow(const BerthFoldProblem *problem,
                     const BerthFoldMapping *mapping, const BerthFoldRow *row,
                     FILE *out) {
  int summands = 0;
  for (unsigned d = 0; d < BERTH_FOLD_MAX_DIMS; ++d)
    summands += (row->coefficients[d] != 0) + (row->carries[d] != 0) +
                (row->carrySlopes[d] != 0);
  fputs(summands > 1 ? "(" : "", out);
  printIndexSum(problem, mapping, row, out);
  fputs(summands > 1 ? ")" : "", out);
  fputs(" mod ", out);
  printModulus(problem, row, false, out);
  if (row->mirror)
    fprintf(out, " (%" PRId64 " mirrored)", row->mirror);
}

/// `q0 = floor((y - x) / (2*N - 2))` for the quotients that carries name.
static void printQuotients(const BerthFoldProblem *problem,
                           const BerthFoldMapping *mapping, FILE *out) {
  for (size_t j = 0; j < mapping->numRows; ++j) {
    bool used = false;
    for (size_t r = j + 1; r < mapping->numRows; ++r)
      used |= mapping->rows[r].carries[j] || mapping->rows[r].carrySlopes[j];
    if (!used)
      continue;
    fprintf(out, ", q%zu = floor((", j);
    printIndexSum(problem, mapping, &mapping->rows[j], out);
    fputs(") / ", out);
    printModulus(problem, &mapping->rows[j], false, out);
    fputs(")", out);
  }
}

/// `, where i >= 7 as (13 - i, 14 - j)`.
static void printTurn(const BerthFoldProblem *problem,
                      const BerthFoldTurn *turn, FILE *out) {
  fprintf(out, ", where %s >= ", problem->dimNames[turn->along]);
  printTerm(problem, &turn->from, out);
  fputs(" as (", out);
  for (unsigned d = 0; d < problem->numDims; ++d) {
    fputs(d ? ", " : "", out);
    BerthFoldTerm twice = turn->from;
    if (d == turn->along && twice.divisor == 1) {
      twice.constant = 2 * twice.constant - 1;
      for (size_t p = 0; p < BERTH_FOLD_MAX_PARAMS; ++p)
        twice.coefficients[p] *= 2;
      printTerm(problem, &twice, out);
    } else if (d == turn->along) {
      fputs("2*", out);
      printTerm(problem, &turn->from, out);
      fputs(" - 1", out);
    } else if (d == turn->aside) {
      printTerm(problem, &turn->sum, out);
    }
    fprintf(out, "%s%s", d == turn->along || d == turn->aside ? " - " : "",
            problem->dimNames[d]);
  }
  fputs(")", out);
}

void berthFoldPrintMapping(const BerthFoldProblem *problem,
                           const BerthFoldMapping *mapping, FILE *out) {
  fputs(problem->numArrays == 1 ? problem->arrayNames[0] : "", out);
  fputs("[", out);
  for (unsigned d = 0; d < problem->numDims; ++d)
    fprintf(out, "%s%s", d ? ", " : "", problem->dimNames[d]);
  fputs("] -> [", out);
  for (size_t r = 0; r < mapping->numRows; ++r) {
    fputs(r ? ", " : "", out);
    printRow(problem, mapping, &mapping->rows[r], out);
  }
  fputs("]", out);
  printQuotients(problem, mapping, out);
  if (mapping->turn.exists)
    printTurn(problem, &mapping->turn, out);
  if (mapping->classModulus > 1)
    fprintf(out, " where %s mod %" PRId64 " = %" PRId64,
            berthFoldProblemParamName(problem, mapping->classParam),
            mapping->classModulus, mapping->classRest);
}

void berthFoldPrintSize(const BerthFoldProblem *problem,
                        const BerthFoldMapping *mapping, FILE *out) {
  if (mapping->numRows == 0)
    fputs("1", out);
  for (size_t r = 0; r < mapping->numRows; ++r) {
    int64_t mirror = mapping->rows[r].mirror;
    fputs(r ? " * " : "", out);
    fputs(mirror ? "(" : "", out);
    printModulus(problem, &mapping->rows[r], true, out);
    if (mirror)
      fprintf(out, " + %" PRId64 ")", mirror);
  }
}

void berthFoldPrintMethod(const BerthFoldResult *result, FILE *out) {
  fputs(result->mappings[0].method, out);
  if (!result->insteadOf)
    return;
  if (result->insteadWhy == BERTH_SUCCESS)
    fprintf(out, ", which takes fewer cells than %s", result->insteadOf);
  else if (result->insteadWhy == BERTH_INVALID)
    fprintf(out, ", since %s finds no mapping", result->insteadOf);
  else
    fprintf(out, ", since operations ran out before %s was through",
            result->insteadOf);
}

void berthFoldPrintPlacement(const BerthFoldProblem *problem,
                             const BerthFoldPlacement *placement, FILE *out) {
  BerthFoldProblem one = *problem;
  one.numArrays = 1;
  one.dimNames = problem->dimNames + 1;
  one.numDims = problem->numDims - 1;
  for (size_t k = 0; k < placement->numArrays; ++k) {
    one.arrayNames = problem->arrayNames + k;
    fputs(k ? ", " : "", out);
    berthFoldPrintMapping(&one, &placement->mappings[k], out);
    fprintf(out, " at %" PRId64, placement->offsets[k]);
  }
}
