//===- FoldPresburgerTest.cpp - A second opinion on mappings ----*- C++ -*-===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Takes D, constraint by constraint, to MLIR's Presburger library and asks it
// whether any difference collides, with the parameters symbolic. isl only reads
// D here; the proof and its engine are others. Mutants (a modulus less by one)
// that exhaustive search refutes must be refuted here too.
//
//===----------------------------------------------------------------------===//

#include "berth-c/Fold.h"

#include "mlir/Analysis/Presburger/IntegerRelation.h"

#include <isl/constraint.h>
#include <isl/ctx.h>
#include <isl/mat.h>
#include <isl/set.h>
#include <isl/val.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

using mlir::presburger::IntegerPolyhedron;
using mlir::presburger::PresburgerSpace;

namespace {

/// Columns: the dimensions of d, the parameters, then locals, then 1.
struct Piece {
  unsigned numDims, numParams, numLocals;
  std::vector<std::vector<int64_t>> equalities, inequalities;
};

std::vector<std::vector<int64_t>> rowsOf(isl_mat *matrix) {
  std::vector<std::vector<int64_t>> rows(isl_mat_rows(matrix));
  for (size_t r = 0; r < rows.size(); ++r)
    for (int c = 0; c < isl_mat_cols(matrix); ++c) {
      isl_val *value = isl_mat_get_element_val(matrix, static_cast<int>(r), c);
      rows[r].push_back(isl_val_get_num_si(value));
      isl_val_free(value);
    }
  isl_mat_free(matrix);
  return rows;
}

isl_stat addPiece(isl_basic_set *set, void *user) {
  auto *pieces = static_cast<std::vector<Piece> *>(user);
  Piece piece;
  piece.numDims = isl_basic_set_dim(set, isl_dim_set);
  piece.numParams = isl_basic_set_dim(set, isl_dim_param);
  piece.numLocals = isl_basic_set_dim(set, isl_dim_div);
  piece.equalities = rowsOf(isl_basic_set_equalities_matrix(
      set, isl_dim_set, isl_dim_param, isl_dim_div, isl_dim_cst));
  piece.inequalities = rowsOf(isl_basic_set_inequalities_matrix(
      set, isl_dim_set, isl_dim_param, isl_dim_div, isl_dim_cst));
  pieces->push_back(piece);
  isl_basic_set_free(set);
  return isl_stat_ok;
}

/// A polyhedron of a piece with `extra` more locals (quotients) at the end.
IntegerPolyhedron polyhedronOf(const Piece &piece, unsigned extra) {
  unsigned numLocals = piece.numLocals + extra;
  IntegerPolyhedron result(PresburgerSpace::getSetSpace(
      piece.numDims + piece.numParams + numLocals, 0, 0));
  auto widen = [&](std::vector<int64_t> row) {
    row.insert(row.end() - 1, extra, 0);
    return row;
  };
  for (const auto &row : piece.equalities)
    result.addEquality(widen(row));
  for (const auto &row : piece.inequalities)
    result.addInequality(widen(row));
  return result;
}

struct Question {
  const BerthFoldMapping *mapping;
  const Piece *piece;
  unsigned width() const {
    return piece->numDims + piece->numParams + piece->numLocals +
           static_cast<unsigned>(mapping->numRows) + 1;
  }
  unsigned quotient(size_t row) const {
    return piece->numDims + piece->numParams + piece->numLocals +
           static_cast<unsigned>(row);
  }
};

bool isNumber(const BerthFoldMapping &mapping, size_t r) {
  for (size_t p = 0; p < mapping.numParams; ++p)
    if (mapping.rows[r].terms[0].coefficients[p])
      return false;
  return true;
}

/// w_r(d) = m_r . d - sum of carries * q_j; `fixed` has the q_j of symbolic
/// moduli, which are numbers.
std::vector<int64_t> difference(const Question &ask, size_t r,
                                const int64_t *fixed) {
  std::vector<int64_t> row(ask.width(), 0);
  for (unsigned d = 0; d < ask.piece->numDims; ++d)
    row[d] = ask.mapping->rows[r].coefficients[d];
  for (size_t j = 0; j < r; ++j)
    row[ask.quotient(j)] -= ask.mapping->rows[r].carries[j];
  for (size_t j = 0; j < r; ++j)
    row[ask.piece->numDims + ask.mapping->carryParam] -=
        ask.mapping->rows[r].carrySlopes[j] * fixed[j];
  return row;
}

/// row += factor * b_r.
void addModulus(const Question &ask, size_t r, int64_t factor,
                std::vector<int64_t> &row) {
  const BerthFoldTerm &term = ask.mapping->rows[r].terms[0];
  for (unsigned p = 0; p < ask.piece->numParams; ++p)
    row[ask.piece->numDims + p] += factor * term.coefficients[p];
  row.back() += factor * term.constant;
}

/// True if no d of the polyhedron makes rows `r`.. collide. Symbolic moduli
/// fall apart into quotients -3 .. 3 and what is beyond.
bool isFree(const Question &ask, size_t r, const IntegerPolyhedron &slice,
            int64_t *quotients) {
  if (slice.isIntegerEmpty())
    return true;
  if (r == ask.mapping->numRows)
    return false;
  if (isNumber(*ask.mapping, r)) {
    IntegerPolyhedron next = slice;
    std::vector<int64_t> row = difference(ask, r, quotients);
    row[ask.quotient(r)] -= ask.mapping->rows[r].terms[0].constant;
    next.addEquality(row);
    return isFree(ask, r + 1, next, quotients);
  }
  for (int64_t q = -3; q <= 3; ++q) {
    IntegerPolyhedron next = slice;
    std::vector<int64_t> row = difference(ask, r, quotients),
                         fixed(ask.width(), 0);
    addModulus(ask, r, -q, row);
    next.addEquality(row);
    fixed[ask.quotient(r)] = 1;
    fixed.back() = -q;
    quotients[r] = q;
    next.addEquality(fixed);
    if (!isFree(ask, r + 1, next, quotients))
      return false;
  }
  for (int64_t sign = -1; sign <= 1; sign += 2) { // sign * w >= 4 b
    IntegerPolyhedron beyond = slice;
    std::vector<int64_t> row = difference(ask, r, quotients);
    for (int64_t &entry : row)
      entry *= sign;
    addModulus(ask, r, -4, row);
    beyond.addInequality(row);
    if (!beyond.isIntegerEmpty())
      return false;
  }
  return true;
}

/// Within the mapping's class of parameters: N = rest + modulus * k.
bool isValid(const std::vector<Piece> &pieces,
             const BerthFoldMapping &mapping) {
  for (Piece piece : pieces) {
    if (mapping.classModulus > 1) {
      for (auto *rows : {&piece.equalities, &piece.inequalities})
        for (auto &row : *rows)
          row.insert(row.end() - 1, 0);
      unsigned local = piece.numDims + piece.numParams + piece.numLocals++;
      std::vector<int64_t> row(local + 2, 0);
      row[piece.numDims + mapping.classParam] = 1;
      row[local] = -mapping.classModulus;
      row.back() = -mapping.classRest;
      piece.equalities.push_back(row);
    }
    Question ask = {&mapping, &piece};
    int64_t quotients[BERTH_FOLD_MAX_DIMS] = {0};
    if (!isFree(ask, 0,
                polyhedronOf(piece, static_cast<unsigned>(mapping.numRows)),
                quotients))
      return false;
  }
  return true;
}

std::vector<Piece> piecesOf(const BerthFoldProblem *problem) {
  std::vector<Piece> pieces;
  isl_ctx *ctx = isl_ctx_alloc();
  char *text = berthFoldProblemDifferenceText(problem);
  isl_set *set = isl_set_compute_divs(isl_set_read_from_str(ctx, text));
  free(text);
  isl_set_foreach_basic_set(set, addPiece, &pieces);
  isl_set_free(set);
  isl_ctx_free(ctx);
  return pieces;
}

/// Mappings whose moduli are single terms; others are not asked about.
bool isSimple(const BerthFoldMapping &mapping) {
  for (size_t r = 0; r < mapping.numRows; ++r)
    if (mapping.rows[r].numTerms != 1 || mapping.rows[r].terms[0].divisor != 1)
      return false;
  return true;
}

struct Tally {
  unsigned valid = 0, refuted = 0, wrong = 0;
};

/// The mapping must hold; each mutant that exhaustive search refutes must not.
void judge(const char *name, const BerthFoldProblem *problem,
           const BerthFoldMapping &mapping, Tally &tally) {
  std::vector<Piece> pieces = piecesOf(problem);
  if (isValid(pieces, mapping)) {
    ++tally.valid;
  } else {
    std::fprintf(stderr, "%s: %s is refuted\n", name, mapping.method);
    ++tally.wrong;
  }
  for (size_t r = 0; r < mapping.numRows; ++r) {
    BerthFoldMapping mutant = mapping;
    --mutant.rows[r].terms[0].constant;
    int64_t params[BERTH_FOLD_MAX_PARAMS];
    uint64_t collisions = 0;
    for (int64_t &param : params)
      param = mapping.classModulus > 1 ? 4 + mapping.classRest : 5;
    if (berthFoldBruteForce(problem, &mutant, params, &collisions, nullptr) !=
            BERTH_SUCCESS ||
        !collisions)
      continue;
    bool refuted = !isValid(pieces, mutant);
    tally.refuted += refuted;
    tally.wrong += !refuted;
  }
}

} // namespace

int main() {
  Tally tally;
  for (const char *name :
       {"stencil1d", "running", "diamond", "lbm-d2q9", "heat2d"}) {
    std::ifstream file(std::string(BERTH_FOLD_EXAMPLES "/") + name + ".txt");
    std::stringstream text;
    text << file.rdbuf();
    BerthFoldProblem *problem;
    BerthError error;
    if (berthFoldProblemParse(text.str().c_str(), 0, &problem, &error)) {
      std::fprintf(stderr, "%s: %s\n", name, error.message);
      return 1;
    }
    for (const char *method :
         {"lefebvre-feautrier", "smo", "lattice", "exact"}) {
      BerthFoldOptions options = berthFoldOptionsDefault();
      options.method = method;
      BerthFoldResult result;
      if (berthFoldFind(problem, &options, &result, nullptr))
        continue;
      for (size_t i = 0; i < result.numMappings; ++i)
        if (isSimple(result.mappings[i]))
          judge(name, problem, result.mappings[i], tally);
    }
    berthFoldProblemDestroy(problem);
  }
  std::printf(
      "%u mappings proven again, %u mutants refuted, %u disagreements\n",
      tally.valid, tally.refuted, tally.wrong);
  return tally.wrong != 0 || tally.valid < 10;
}
