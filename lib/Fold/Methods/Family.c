//===- Family.c - Lattices whose Hermite forms are affine in one size -----===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For one symbolic size N, where the smallest lattices follow no law that can
// be proven (LBM's have N^2 + N + 1 cells, which no product of affine moduli
// gives), a slightly larger family may.
//
//   1  Divide a short vector v out of D, put the other coordinates in some
//      order, and list all lattices with few cells at three sizes.
//   2  Three Hermite forms whose entries lie on a line each make a candidate.
//   3  Candidates are tried at a larger size, the rest is certified, those with
//      the fewest cells at the sample first.
//
// A Hermite form is read from its last row upwards: the last coordinate modulo
// its diagonal entry, then the one before less the row's entry times the
// quotient, and so on. That is a mapping's rows and carries.
//
//===----------------------------------------------------------------------===//

#include "Fold/Methods/Family.h"

#include "Fold/Methods/Enumerate.h"
#include "Fold/Problem/Params.h"

#include <stdlib.h>
#include <string.h>

enum {
  NumSizes = 3,
  MaxVectors = 6,  ///< short vectors to divide out
  MaxForms = 1024, ///< lattices of one size
  MaxCandidates = 16,
  MaxQuotientDims = 3, ///< more take too many orders and lattices
  CheckDistance = 5    ///< candidates are tried this far beyond the sizes
};

/// a + b N.
typedef struct Affine {
  int64_t constant;
  int64_t slope;
} Affine;

static int64_t valueAt(Affine affine, int64_t size) {
  return affine.constant + affine.slope * size;
}

/// How coordinates come about: `vector` divided out by `unit`, the rest in
/// `order`.
typedef struct View {
  int64_t vector[BERTH_FOLD_MAX_DIMS];
  unsigned unit; ///< numDims: nothing is divided out
  unsigned order[BERTH_FOLD_MAX_DIMS];
} View;

typedef struct Candidate {
  View view;
  Affine entries[MaxQuotientDims][MaxQuotientDims];
  int64_t cells;    ///< at the sample
  unsigned carries; ///< entries below the diagonal that become carries
} Candidate;

/// Lattices of one size that miss D there.
typedef struct Forms {
  size_t count;
  BerthMatrix list[MaxForms];
} Forms;

typedef struct Family {
  const BerthFoldSearch *search;
  unsigned param;
  unsigned numDims;
  int64_t first;                        ///< the sizes: first, first + 1, ...
  BerthFoldPoints points[NumSizes + 1]; ///< D there, and far beyond
  int64_t least[NumSizes];              ///< cells
  Forms lattices[NumSizes];             ///< in the view's first order
  Forms forms[NumSizes];                ///< the same in its present order
  size_t numCandidates;
  Candidate candidates[MaxCandidates];
} Family;

static unsigned numLeft(const Family *family, const View *view) {
  return family->numDims - (view->unit < family->numDims);
}

//===----------------------------------------------------------------------===//
// Listing
//===----------------------------------------------------------------------===//

static bool keepForm(const BerthMatrix *hermite, int64_t determinant,
                     void *user) {
  Forms *forms = user;
  (void)determinant;
  forms->list[forms->count++] = *hermite;
  return forms->count < MaxForms;
}

/// All lattices in the view with at most `slack` percent more cells than the
/// least, at each size. False if a size has none.
static bool listLattices(Family *family, const View *view, int64_t slack,
                         uint64_t *steps) {
  bool good = true;
  for (int k = 0; good && k < NumSizes; ++k) {
    BerthFoldPoints quotient;
    Forms *forms = &family->lattices[k];
    int64_t most = family->least[k] + family->least[k] * slack / 100;
    forms->count = 0;
    good = berthFoldQuotient(&family->points[k], family->numDims, view->vector,
                             view->unit, view->order, &quotient);
    for (int64_t cells = family->least[k];
         good && cells <= most && forms->count < MaxForms && *steps; ++cells)
      berthFoldVisitLattices(&quotient, numLeft(family, view), cells, steps,
                             keepForm, forms);
    berthFoldFreePoints(&quotient);
    good = good && forms->count;
  }
  return good;
}

static void orderForms(Family *family, const View *view) {
  for (int k = 0; k < NumSizes; ++k) {
    const Forms *from = &family->lattices[k];
    family->forms[k].count = from->count;
    for (size_t i = 0; i < from->count; ++i)
      family->forms[k].list[i] =
          berthFoldHermite(&from->list[i], numLeft(family, view), view->order);
  }
}

//===----------------------------------------------------------------------===//
// Matching
//===----------------------------------------------------------------------===//

/// The forms at the first two sizes on a line; false where some slope is out of
/// the ordinary.
static bool drawLine(const BerthMatrix *a, const BerthMatrix *b, unsigned dims,
                     int64_t first, Candidate *line) {
  enum { MaxSlope = 8 };
  for (unsigned r = 0; r < dims; ++r)
    for (unsigned c = 0; c <= r; ++c) {
      int64_t slope = b->at[r][c] - a->at[r][c];
      if (slope < 0 || slope > MaxSlope)
        return false;
      line->entries[r][c] = (Affine){a->at[r][c] - slope * first, slope};
    }
  return true;
}

static BerthMatrix formAt(const Candidate *line, unsigned dims, int64_t size) {
  BerthMatrix form = {{{0}}};
  for (unsigned r = 0; r < dims; ++r)
    for (unsigned c = 0; c <= r; ++c)
      form.at[r][c] = valueAt(line->entries[r][c], size);
  return form;
}

static bool hasForm(const Forms *forms, const BerthMatrix *form) {
  for (size_t i = 0; i < forms->count; ++i)
    if (!memcmp(&forms->list[i], form, sizeof *form))
      return true;
  return false;
}

/// The candidate's form misses D at the size far beyond, too.
static bool holdsBeyond(const Family *family, const Candidate *line) {
  unsigned dims = numLeft(family, &line->view);
  BerthFoldPoints quotient;
  BerthMatrix form =
      formAt(line, dims, family->first + NumSizes - 1 + CheckDistance);
  bool good = berthFoldQuotient(&family->points[NumSizes], family->numDims,
                                line->view.vector, line->view.unit,
                                line->view.order, &quotient);
  for (size_t i = 0; good && i < quotient.count; ++i)
    good = !berthFoldInLattice(&form, dims, quotient.list[i]);
  berthFoldFreePoints(&quotient);
  return good;
}

static int64_t cellsAt(const Candidate *line, unsigned dims, int64_t size) {
  int64_t cells = 1;
  for (unsigned r = 0; r < dims; ++r)
    if (__builtin_mul_overflow(cells, valueAt(line->entries[r][r], size),
                               &cells))
      return INT64_MAX;
  return cells;
}

static unsigned countCarries(const Candidate *line, unsigned dims) {
  unsigned count = 0;
  for (unsigned r = 0; r < dims; ++r)
    for (unsigned c = 0; c < r; ++c) {
      const Affine *size = &line->entries[r][r], *entry = &line->entries[r][c];
      bool trivial = size->slope == 0 && size->constant == 1;
      count += !trivial && (entry->slope || entry->constant);
    }
  return count;
}

static bool isBefore(const Candidate *a, const Candidate *b) {
  return a->cells < b->cells ||
         (a->cells == b->cells && a->carries < b->carries);
}

/// Keeps the candidates with the fewest cells, then carries, in this order;
/// equal ones in the order of arrival.
static void addCandidate(Family *family, const Candidate *line) {
  size_t place = family->numCandidates;
  while (place > 0 && isBefore(line, &family->candidates[place - 1]))
    --place;
  if (place == MaxCandidates || !holdsBeyond(family, line))
    return;
  size_t last = family->numCandidates < MaxCandidates ? family->numCandidates++
                                                      : MaxCandidates - 1;
  for (; last > place; --last)
    family->candidates[last] = family->candidates[last - 1];
  family->candidates[place] = *line;
}

static void matchForms(Family *family, const View *view) {
  unsigned dims = numLeft(family, view);
  Candidate line = {.view = *view};
  for (size_t i = 0; i < family->forms[0].count; ++i)
    for (size_t j = 0; j < family->forms[1].count; ++j) {
      if (!drawLine(&family->forms[0].list[i], &family->forms[1].list[j], dims,
                    family->first, &line))
        continue;
      BerthMatrix third = formAt(&line, dims, family->first + 2);
      if (!hasForm(&family->forms[2], &third))
        continue;
      line.cells = cellsAt(&line, dims, family->search->sample[family->param]);
      line.carries = countCarries(&line, dims);
      addCandidate(family, &line);
    }
}

//===----------------------------------------------------------------------===//
// Mappings
//===----------------------------------------------------------------------===//

/// Subtracts row `c` from row `r` where that makes the entry smaller for large
/// sizes: -1 rather than N + 1 modulo N + 2.
static void shorten(Candidate *line, unsigned r, unsigned c) {
  Affine entry = line->entries[r][c], size = line->entries[c][c];
  bool less = size.slope ? 2 * entry.slope > size.slope
                         : 2 * entry.constant > size.constant;
  for (unsigned i = 0; less && i <= c; ++i) {
    line->entries[r][i].constant -= line->entries[c][i].constant;
    line->entries[r][i].slope -= line->entries[c][i].slope;
  }
}

/// The linear form of quotient coordinate `k` over the cell's indices.
static void coordinateForm(const Family *family, const View *view, unsigned k,
                           int64_t *form) {
  unsigned from = view->order[k] + (view->order[k] >= view->unit);
  memset(form, 0, BERTH_FOLD_MAX_DIMS * sizeof *form);
  form[from] = 1;
  if (view->unit < family->numDims)
    form[view->unit] = -view->vector[view->unit] * view->vector[from];
}

static void setModulus(const Family *family, BerthFoldRow *row, Affine size) {
  row->numTerms = 1;
  row->terms[0] = (BerthFoldTerm){.constant = size.constant, .divisor = 1};
  row->terms[0].coefficients[family->param] = size.slope;
  berthFoldKeepPositive(family->search->problem, row);
}

/// Rows from the last coordinate upwards. A coordinate modulo 1 is no row: it
/// is its own quotient, and its carries are coefficients. False if these depend
/// on the size.
static bool makeMapping(const Family *family, Candidate *line,
                        BerthFoldMapping *mapping) {
  const BerthFoldProblem *problem = family->search->problem;
  unsigned dims = numLeft(family, &line->view);
  int64_t forms[MaxQuotientDims][BERTH_FOLD_MAX_DIMS];
  size_t rowOf[MaxQuotientDims];
  *mapping = (BerthFoldMapping){.method = "exact",
                                .numDims = problem->numDims,
                                .numParams = problem->numParams,
                                .carryParam = family->param,
                                .classModulus = 1};
  for (unsigned k = 0; k < dims; ++k)
    coordinateForm(family, &line->view, k, forms[k]);
  for (unsigned k = dims; k-- > 0;) {
    for (unsigned c = k; c-- > 0;)
      shorten(line, k, c);
    Affine size = line->entries[k][k];
    bool trivial = size.slope == 0 && size.constant == 1;
    for (unsigned c = 0; trivial && c < k; ++c) {
      if (line->entries[k][c].slope)
        return false;
      for (unsigned d = 0; d < BERTH_FOLD_MAX_DIMS; ++d)
        forms[c][d] -= line->entries[k][c].constant * forms[k][d];
    }
    rowOf[k] = mapping->numRows;
    if (trivial)
      continue;
    BerthFoldRow *row = &mapping->rows[mapping->numRows++];
    memcpy(row->coefficients, forms[k], sizeof row->coefficients);
    setModulus(family, row, size);
    for (unsigned later = k + 1; later < dims; ++later) {
      Affine carry = line->entries[later][k], of = line->entries[later][later];
      if (of.slope == 0 && of.constant == 1)
        continue; // in the coefficients
      row->carries[rowOf[later]] = carry.constant;
      row->carrySlopes[rowOf[later]] = carry.slope;
    }
  }
  if (line->view.unit < family->numDims)
    memcpy(mapping->reuse[mapping->numReuse++], line->view.vector,
           sizeof mapping->reuse[0]);
  return true;
}

static bool proveBest(Family *family, BerthFoldMapping *mapping) {
  for (size_t i = 0; i < family->numCandidates; ++i)
    if (makeMapping(family, &family->candidates[i], mapping) &&
        berthFoldCertify(family->search->problem, mapping, NULL) ==
            BERTH_SUCCESS)
      return true;
  return false;
}

//===----------------------------------------------------------------------===//
// Views
//===----------------------------------------------------------------------===//

/// The next permutation in lexicographic order; false after the last.
static bool nextOrder(unsigned *order, unsigned count) {
  unsigned i = count - 1;
  while (i > 0 && order[i - 1] > order[i])
    --i;
  if (count < 2 || i == 0)
    return false;
  unsigned j = count - 1;
  while (order[j] < order[i - 1])
    --j;
  unsigned swap = order[i - 1];
  order[i - 1] = order[j];
  order[j] = swap;
  for (unsigned a = i, b = count - 1; a < b; ++a, --b) {
    swap = order[a];
    order[a] = order[b];
    order[b] = swap;
  }
  return true;
}

/// Candidates in all orders of the view; false if it has none.
static bool searchView(Family *family, View *view, int64_t slack,
                       uint64_t *steps) {
  unsigned dims = numLeft(family, view);
  if (dims == 0 || dims > MaxQuotientDims)
    return false;
  for (unsigned k = 0; k < dims; ++k)
    view->order[k] = k;
  if (!listLattices(family, view, slack, steps))
    return false;
  do {
    orderForms(family, view);
    matchForms(family, view);
  } while (nextOrder(view->order, dims));
  return true;
}

static bool searchViews(Family *family, int64_t slack,
                        BerthFoldMapping *mapping, uint64_t *steps) {
  unsigned numDims = family->numDims, tried = 0;
  int64_t limit = numDims <= 3 ? 3 : numDims == 4 ? 2 : 1;
  int64_t(*list)[BERTH_FOLD_MAX_DIMS] = NULL;
  size_t count = berthSmallVectors(numDims, limit, false, &list);
  family->numCandidates = 0;
  View none = {.unit = numDims};
  if (numDims <= 2)
    searchView(family, &none, slack, steps);
  for (size_t i = 0; i < count && tried < MaxVectors && *steps; ++i) {
    View view = {.unit = berthFoldUnitEntry(list[i], numDims)};
    memcpy(view.vector, list[i], sizeof view.vector);
    if (view.unit < numDims && searchView(family, &view, slack, steps))
      ++tried;
  }
  free(list);
  return proveBest(family, mapping);
}

bool berthFoldFamily(const BerthFoldSearch *search, unsigned param,
                     const int64_t *params, BerthFoldMapping *mapping) {
  static const int64_t slacks[] = {0, 7, 14, 25, 50};
  const BerthFoldProblem *problem = search->problem;
  uint64_t steps = berthFoldSteps(problem);
  Family *family = calloc(1, sizeof *family);
  bool good = family != NULL, found = false;
  int64_t at[BERTH_FOLD_MAX_PARAMS];
  memcpy(at, params, sizeof at);
  for (int k = 0; good && k <= NumSizes; ++k) {
    at[param] = params[param] + k + (k == NumSizes ? CheckDistance - 1 : 0);
    good = berthFoldListPoints(problem, at, &family->points[k]);
    if (good && k < NumSizes)
      family->least[k] = berthFoldLeastCells(problem, &family->points[k], at);
  }
  if (good) {
    family->search = search;
    family->param = param;
    family->numDims = problem->numDims;
    family->first = params[param];
  }
  for (size_t s = 0; good && !found && s < sizeof slacks / sizeof *slacks; ++s)
    found = searchViews(family, slacks[s], mapping, &steps);
  for (int k = 0; family && k <= NumSizes; ++k)
    berthFoldFreePoints(&family->points[k]);
  free(family);
  return found;
}
