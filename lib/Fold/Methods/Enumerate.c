//===- Enumerate.c - All lattices of a determinant -----------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Fold/Methods/Enumerate.h"

#include "Fold/Mapping/Trace.h"

#include <stdlib.h>
#include <string.h>

//===----------------------------------------------------------------------===//
// Boxes
//===----------------------------------------------------------------------===//

/// All differences with |d_i| < sizes[i] for i >= `dim`, d as given before,
/// and d_fixed as given, are in D.
static bool hasAll(const BerthFoldPoints *points, unsigned numDims,
                   const int64_t *sizes, unsigned fixed, unsigned dim,
                   int64_t *d) {
  if (dim == numDims)
    return berthFoldHasPoint(points, d);
  if (dim == fixed)
    return hasAll(points, numDims, sizes, fixed, dim + 1, d);
  bool all = true;
  for (int64_t entry = 1 - sizes[dim]; all && entry < sizes[dim]; ++entry) {
    d[dim] = entry;
    all = hasAll(points, numDims, sizes, fixed, dim + 1, d);
  }
  return all;
}

/// Grows a box greedily, one dimension after the other, and again from each
/// dimension.
static int64_t boxCells(const BerthFoldPoints *points, unsigned numDims) {
  int64_t most = 1;
  for (unsigned first = 0; first < numDims; ++first) {
    int64_t sizes[BERTH_FOLD_MAX_DIMS], cells = 1;
    for (unsigned d = 0; d < numDims; ++d)
      sizes[d] = 1;
    for (unsigned k = 0; k < numDims; ++k) {
      unsigned dim = (first + k) % numDims;
      int64_t d[BERTH_FOLD_MAX_DIMS] = {0};
      for (d[dim] = 1; hasAll(points, numDims, sizes, dim, 0, d);
           d[dim] = sizes[dim])
        ++sizes[dim];
      cells *= sizes[dim];
    }
    most = cells > most ? cells : most;
  }
  return most;
}

int64_t berthFoldLeastCells(const BerthFoldProblem *problem,
                            const BerthFoldPoints *points,
                            const int64_t *params) {
  enum { MaxEvents = 100000 };
  uint64_t live = berthFoldLiveCells(problem, params, MaxEvents);
  int64_t box = boxCells(points, problem->numDims);
  return live < INT32_MAX && (int64_t)live > box ? (int64_t)live : box;
}

uint64_t berthFoldSteps(const BerthFoldProblem *problem) {
  enum { MaxSteps = 50000000 };
  unsigned long budget = isl_ctx_get_max_operations(problem->ctx);
  return budget && budget < MaxSteps ? budget : MaxSteps;
}

//===----------------------------------------------------------------------===//
// Hermite forms
//===----------------------------------------------------------------------===//

bool berthFoldInLattice(const BerthMatrix *hermite, unsigned numDims,
                        const int64_t *d) {
  int64_t rest[BERTH_FOLD_MAX_DIMS];
  for (unsigned i = 0; i < numDims; ++i)
    rest[i] = d[i];
  for (unsigned i = numDims; i > 0; --i) {
    const int64_t *row = hermite->at[i - 1];
    if (rest[i - 1] % row[i - 1])
      return false;
    int64_t factor = rest[i - 1] / row[i - 1];
    for (unsigned j = 0; j < i; ++j)
      rest[j] -= factor * row[j];
  }
  return true;
}

static void subtractRow(int64_t *row, int64_t factor, const int64_t *other) {
  for (unsigned i = 0; i < BERTH_FOLD_MAX_DIMS; ++i)
    row[i] -= factor * other[i];
}

/// Euclid on column `c` of rows 0 to c, which leaves it in row c alone.
static void clearColumn(BerthMatrix *matrix, unsigned c) {
  int64_t(*rows)[BERTH_FOLD_MAX_DIMS] = matrix->at;
  for (unsigned r = 0; r < c; ++r)
    while (rows[r][c]) {
      int64_t swap[BERTH_FOLD_MAX_DIMS];
      subtractRow(rows[c], rows[c][c] / rows[r][c], rows[r]);
      memcpy(swap, rows[c], sizeof swap);
      memcpy(rows[c], rows[r], sizeof swap);
      memcpy(rows[r], swap, sizeof swap);
    }
  if (rows[c][c] < 0)
    for (unsigned i = 0; i < BERTH_FOLD_MAX_DIMS; ++i)
      rows[c][i] = -rows[c][i];
}

BerthMatrix berthFoldHermite(const BerthMatrix *basis, unsigned numDims,
                             const unsigned *order) {
  BerthMatrix form = {{{0}}};
  for (unsigned r = 0; r < numDims; ++r)
    for (unsigned c = 0; c < numDims; ++c)
      form.at[r][c] = basis->at[r][order[c]];
  for (unsigned c = numDims; c-- > 0;)
    clearColumn(&form, c);
  for (unsigned r = 0; r < numDims; ++r)
    for (unsigned c = r; c-- > 0;)
      subtractRow(form.at[r], berthFloorDiv(form.at[r][c], form.at[c][c]),
                  form.at[c]);
  return form;
}

typedef struct Enumeration {
  const BerthFoldPoints *points;
  unsigned numDims;
  int64_t determinant;
  uint64_t *steps;
  BerthFoldVisit visit;
  void *user;
  bool done;
  BerthMatrix hermite;
} Enumeration;

/// One point of the list after the other.
static bool listMisses(Enumeration *state, unsigned row) {
  const BerthFoldPoints *points = state->points;
  for (size_t i = points->levels[row]; i < points->levels[row + 1]; ++i) {
    if (*state->steps == 0)
      return false;
    --*state->steps;
    if (berthFoldInLattice(&state->hermite, row + 1, points->list[i]))
      return false;
  }
  return true;
}

/// The points of the lattice that `at` and multiples of the first row reach.
static bool lineMisses(Enumeration *state, int64_t at[BERTH_FOLD_MAX_DIMS]) {
  const BerthFoldPoints *points = state->points;
  int64_t size = state->hermite.at[0][0],
          count = (points->reach[0] - at[0]) / size + 1;
  size_t place = berthFoldPlaceOf(points, at);
  at[0] += size;
  size_t step =
      at[0] <= points->reach[0] ? berthFoldPlaceOf(points, at) - place : 0;
  for (; count > 0; --count, place += step) {
    if (*state->steps == 0)
      return false;
    --*state->steps;
    if (points->inside[place])
      return false;
  }
  return true;
}

/// One point of the lattice within reach after the other: those whose
/// coordinates after `column` are as in `d`, the others being `d` plus
/// multiples of the rows up to `column`.
static bool latticeMisses(Enumeration *state, unsigned row, unsigned column,
                          const int64_t *d) {
  const int64_t *step = state->hermite.at[column];
  int64_t size = step[column], reach = state->points->reach[column];
  int64_t times = column == row ? 1 : -berthFloorDiv(reach + d[column], size);
  int64_t at[BERTH_FOLD_MAX_DIMS] = {0};
  for (unsigned i = 0; i <= row; ++i)
    at[i] = d[i] + (i <= column ? times * step[i] : 0);
  if (column == 0)
    return at[0] > reach || lineMisses(state, at);
  for (; at[column] <= reach; at[column] += size) {
    if (*state->steps == 0)
      return false;
    --*state->steps;
    if (!latticeMisses(state, row, column - 1, at))
      return false;
    for (unsigned i = 0; i < column; ++i)
      at[i] += step[i];
  }
  return true;
}

/// The rows up to `row` miss the points that they could reach. Goes through
/// the points or through the lattice, whichever are fewer.
static bool missesLevel(Enumeration *state, unsigned row) {
  const BerthFoldPoints *points = state->points;
  size_t count = points->levels[row + 1] - points->levels[row];
  int64_t zero[BERTH_FOLD_MAX_DIMS] = {0};
  double reached = 1;
  for (unsigned i = 0; i <= row; ++i)
    reached *=
        1 + 2 * (double)points->reach[i] / (double)state->hermite.at[i][i];
  if (!points->inside || (double)count <= reached)
    return listMisses(state, row);
  return latticeMisses(state, row, row, zero);
}

static void enumerateRow(Enumeration *state, unsigned row, int64_t product);

/// All entries of `row` from `column` on, left of the diagonal; then the rows
/// below, whose diagonal entries multiply to `product`.
static void enumerateEntries(Enumeration *state, unsigned row, unsigned column,
                             int64_t product) {
  if (column < row) {
    int64_t limit = state->hermite.at[column][column];
    for (int64_t entry = 0; entry < limit && !state->done && *state->steps;
         ++entry) {
      state->hermite.at[row][column] = entry;
      enumerateEntries(state, row, column + 1, product);
    }
    state->hermite.at[row][column] = 0;
    return;
  }
  if (!missesLevel(state, row))
    return;
  if (row + 1 < state->numDims)
    enumerateRow(state, row + 1, product);
  else
    state->done =
        !state->visit(&state->hermite, state->determinant, state->user);
}

/// All of `row` and below, whose diagonal entries multiply to `product`.
static void enumerateRow(Enumeration *state, unsigned row, int64_t product) {
  bool last = row + 1 == state->numDims;
  for (int64_t entry = last ? product : 1;
       entry <= product && !state->done && *state->steps; ++entry)
    if (product % entry == 0) {
      state->hermite.at[row][row] = entry;
      enumerateEntries(state, row, 0, product / entry);
    }
}

void berthFoldVisitLattices(const BerthFoldPoints *points, unsigned numDims,
                            int64_t determinant, uint64_t *steps,
                            BerthFoldVisit visit, void *user) {
  Enumeration state = {.points = points,
                       .numDims = numDims,
                       .determinant = determinant,
                       .steps = steps,
                       .visit = visit,
                       .user = user};
  enumerateRow(&state, 0, determinant);
  *steps -= *steps > 0; // so that empty determinants end too
}

static bool keepSmallest(const BerthMatrix *hermite, int64_t determinant,
                         void *user) {
  BerthFoldSmallest *smallest = user;
  (void)determinant;
  smallest->lattices[smallest->count++] = *hermite;
  return smallest->count < BerthFoldMaxLattices;
}

bool berthFoldSmallestLattices(const BerthFoldPoints *points, unsigned numDims,
                               int64_t least, int64_t most, uint64_t *steps,
                               BerthFoldSmallest *smallest) {
  smallest->count = 0;
  for (int64_t product = least; product <= most && *steps && !smallest->count;
       ++product) {
    smallest->determinant = product;
    berthFoldVisitLattices(points, numDims, product, steps, keepSmallest,
                           smallest);
  }
  return *steps > 0 || smallest->count;
}
