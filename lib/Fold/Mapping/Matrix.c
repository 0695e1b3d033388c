//===- Matrix.c - Small integer matrices ---------------------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Fold/Mapping/Matrix.h"

#include "Support/Checked.h"

#include <stdlib.h>
#include <string.h>

int64_t berthFloorMod(int64_t a, int64_t b) {
  int64_t rest = a % b;
  return rest < 0 ? rest + b : rest;
}

int64_t berthFloorDiv(int64_t a, int64_t b) {
  return (a - berthFloorMod(a, b)) / b;
}

static int64_t absolute(int64_t value) { return value < 0 ? -value : value; }

//===----------------------------------------------------------------------===//
// Elimination
//===----------------------------------------------------------------------===//

/// row `to` -= factor * row `from`.
static void subtractRow(BerthMatrix *matrix, unsigned to, unsigned from,
                        int64_t factor, unsigned numColumns) {
  for (unsigned c = 0; c < numColumns; ++c)
    matrix->at[to][c] -= factor * matrix->at[from][c];
}

static void swapRows(BerthMatrix *matrix, unsigned a, unsigned b) {
  int64_t row[BERTH_FOLD_MAX_DIMS];
  memcpy(row, matrix->at[a], sizeof row);
  memcpy(matrix->at[a], matrix->at[b], sizeof row);
  memcpy(matrix->at[b], row, sizeof row);
}

/// Makes column `c` zero below row `r` by Euclid's steps; false if it is zero
/// from `r` on.
static bool eliminateColumn(BerthMatrix *matrix, unsigned r, unsigned c,
                            unsigned numRows, unsigned numColumns) {
  for (unsigned i = r + 1; i < numRows; ++i)
    while (matrix->at[i][c]) {
      subtractRow(matrix, r, i, matrix->at[r][c] / matrix->at[i][c],
                  numColumns);
      swapRows(matrix, r, i);
    }
  return matrix->at[r][c] != 0;
}

unsigned berthMatrixRank(const BerthMatrix *matrix, unsigned numRows,
                         unsigned numColumns) {
  BerthMatrix work = *matrix;
  unsigned rank = 0;
  for (unsigned c = 0; c < numColumns && rank < numRows; ++c)
    if (eliminateColumn(&work, rank, c, numRows, numColumns))
      ++rank;
  return rank;
}

//===----------------------------------------------------------------------===//
// Smith form
//===----------------------------------------------------------------------===//

/// S = U V^T W while S becomes diagonal; only S and U are kept. S has a row for
/// each dimension and a column for each vector.
typedef struct SmithState {
  BerthMatrix s;
  BerthMatrix u;
  unsigned numDims;
  unsigned numVectors;
} SmithState;

static void rowStep(SmithState *state, unsigned to, unsigned from,
                    int64_t factor) {
  subtractRow(&state->s, to, from, factor, state->numVectors);
  subtractRow(&state->u, to, from, factor, state->numDims);
}

static void columnStep(SmithState *state, unsigned to, unsigned from,
                       int64_t factor) {
  for (unsigned r = 0; r < state->numDims; ++r)
    state->s.at[r][to] -= factor * state->s.at[r][from];
}

static void pivotTo(SmithState *state, unsigned k, unsigned row,
                    unsigned column) {
  swapRows(&state->s, k, row);
  swapRows(&state->u, k, row);
  for (unsigned r = 0; r < state->numDims; ++r) {
    int64_t value = state->s.at[r][k];
    state->s.at[r][k] = state->s.at[r][column];
    state->s.at[r][column] = value;
  }
}

/// Moves the smallest non-zero entry of the rest to (k, k); false if all zero.
static bool smallestToPivot(SmithState *state, unsigned k) {
  int64_t best = 0;
  unsigned row = k, column = k;
  for (unsigned r = k; r < state->numDims; ++r)
    for (unsigned c = k; c < state->numVectors; ++c) {
      int64_t size = absolute(state->s.at[r][c]);
      if (size && (!best || size < best)) {
        best = size;
        row = r;
        column = c;
      }
    }
  if (best)
    pivotTo(state, k, row, column);
  return best != 0;
}

/// One round of clearing row and column k; true when both are clear and the
/// pivot divides the rest.
static bool clearPivot(SmithState *state, unsigned k) {
  int64_t pivot = state->s.at[k][k];
  bool clear = true;
  for (unsigned r = k + 1; r < state->numDims; ++r) {
    rowStep(state, r, k, state->s.at[r][k] / pivot);
    clear &= state->s.at[r][k] == 0;
  }
  for (unsigned c = k + 1; c < state->numVectors; ++c) {
    columnStep(state, c, k, state->s.at[k][c] / pivot);
    clear &= state->s.at[k][c] == 0;
  }
  for (unsigned r = k + 1; clear && r < state->numDims; ++r)
    for (unsigned c = k + 1; clear && c < state->numVectors; ++c)
      if (state->s.at[r][c] % pivot) {
        rowStep(state, k, r, -1);
        clear = false;
      }
  return clear;
}

static int64_t rowNorm(const BerthMatrix *matrix, unsigned row,
                       unsigned numDims) {
  int64_t sum = 0;
  for (unsigned d = 0; d < numDims; ++d)
    sum += absolute(matrix->at[row][d]);
  return sum;
}

/// Subtracts rows `first`.. from every other row as long as entries get
/// smaller: adding a row whose value is zero on the lattice changes nothing.
static void shortenRows(BerthMatrix *rows, unsigned first, unsigned numDims) {
  for (bool changed = true; changed;) {
    changed = false;
    for (unsigned r = 0; r < numDims; ++r)
      for (unsigned z = first; z < numDims; ++z)
        for (int64_t sign = -1; r != z && sign <= 1; sign += 2) {
          BerthMatrix trial = *rows;
          subtractRow(&trial, r, z, sign, numDims);
          if (rowNorm(&trial, r, numDims) < rowNorm(rows, r, numDims)) {
            *rows = trial;
            changed = true;
          }
        }
  }
}

/// The last non-zero entry of every row positive.
static void orientRows(BerthMatrix *rows, unsigned numDims) {
  for (unsigned r = 0; r < numDims; ++r) {
    unsigned last = numDims;
    while (last > 0 && rows->at[r][last - 1] == 0)
      --last;
    if (last > 0 && rows->at[r][last - 1] < 0)
      for (unsigned d = 0; d < numDims; ++d)
        rows->at[r][d] = -rows->at[r][d];
  }
}

void berthMatrixSmith(const BerthMatrix *vectors, unsigned numVectors,
                      unsigned numDims, BerthMatrix *rows, int64_t *divisors) {
  SmithState state = {.numDims = numDims, .numVectors = numVectors};
  for (unsigned d = 0; d < numDims; ++d) {
    state.u.at[d][d] = 1;
    for (unsigned v = 0; v < numVectors; ++v)
      state.s.at[d][v] = vectors->at[v][d];
  }
  for (unsigned k = 0; k < numVectors; ++k)
    while (smallestToPivot(&state, k) && !clearPivot(&state, k))
      ;
  for (unsigned k = 0; k < numVectors; ++k)
    divisors[k] = absolute(state.s.at[k][k]);
  *rows = state.u;
  shortenRows(rows, numVectors, numDims);
  orientRows(rows, numDims);
}

//===----------------------------------------------------------------------===//
// Small vectors
//===----------------------------------------------------------------------===//

typedef int64_t Vector[BERTH_FOLD_MAX_DIMS];

static int64_t largestEntry(const int64_t *v) {
  int64_t largest = 0;
  for (unsigned d = 0; d < BERTH_FOLD_MAX_DIMS; ++d)
    largest = absolute(v[d]) > largest ? absolute(v[d]) : largest;
  return largest;
}

static int64_t entrySum(const int64_t *v) {
  int64_t sum = 0;
  for (unsigned d = 0; d < BERTH_FOLD_MAX_DIMS; ++d)
    sum += absolute(v[d]);
  return sum;
}

/// L-infinity, then L1, then reverse lexicographic. Under L2 the vector
/// (2,0,0,0) would come before (1,1,1,1) and lose a factor of two on D3Q27.
static int byNorm(const void *left, const void *right) {
  const int64_t *a = left, *b = right;
  int64_t difference = largestEntry(a) - largestEntry(b);
  if (!difference)
    difference = entrySum(a) - entrySum(b);
  for (unsigned d = BERTH_FOLD_MAX_DIMS; !difference && d > 0; --d)
    difference = b[d - 1] - a[d - 1];
  return difference < 0 ? -1 : difference > 0;
}

static bool wanted(const int64_t *v, unsigned numDims, bool multiples) {
  int64_t divisor = 0, last = 0;
  for (unsigned d = 0; d < numDims; ++d) {
    divisor = berthGcd(divisor, v[d] < 0 ? -v[d] : v[d]);
    last = v[d] ? v[d] : last;
  }
  return last > 0 && (multiples || divisor == 1);
}

size_t berthSmallVectors(unsigned numDims, int64_t limit, bool multiples,
                         int64_t (**list)[BERTH_FOLD_MAX_DIMS]) {
  size_t total = 1, count = 0;
  int64_t width = 2 * limit + 1;
  for (unsigned d = 0; d < numDims; ++d)
    total *= (size_t)width;
  *list = calloc(total, sizeof **list);
  for (size_t code = 0; *list && code < total; ++code) {
    Vector v = {0};
    size_t rest = code;
    for (unsigned d = 0; d < numDims; ++d, rest /= (size_t)width)
      v[d] = (int64_t)(rest % (size_t)width) - limit;
    if (wanted(v, numDims, multiples))
      memcpy((*list)[count++], v, sizeof v);
  }
  if (*list)
    qsort(*list, count, sizeof **list, byNorm);
  return count;
}

static bool isSimple(const int64_t *vector, unsigned numDims) {
  unsigned numEntries = 0;
  bool isLong = false;
  for (unsigned d = 0; d < numDims; ++d) {
    numEntries += vector[d] != 0;
    isLong |= llabs(vector[d]) > 1;
  }
  return !isLong || numEntries <= 2;
}

size_t berthSimpleVectors(unsigned numDims,
                          int64_t (**list)[BERTH_FOLD_MAX_DIMS]) {
  size_t count = berthSmallVectors(numDims, numDims <= 5 ? 2 : 1, false, list);
  size_t kept = 0;
  for (size_t i = 0; *list && i < count; ++i)
    if (numDims <= 3 || isSimple((*list)[i], numDims))
      memmove((*list)[kept++], (*list)[i], sizeof **list);
  return kept;
}
