//===- Classes.c - Families of smallest lattices --------------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The smallest lattices of three sizes N are compared. A lattice L with a
// sublattice V of rank n - 1 is written as
//
//     q = floor(m.x / b),  m.x mod b,  (r_i.x - c_i q) mod s_i
//
// where m vanishes on V, (r_i, s_i) is V's Smith form, b the least m.w > 0 of
// L, and c_i = r_i.w. A family has the same V and c at all sizes of a residue
// class of N, and b affine in N. What is found so is a guess; the certificate
// turns it into a proof or rejects it.
//
//===----------------------------------------------------------------------===//

#include "Fold/Methods/Classes.h"

#include "Fold/Methods/Enumerate.h"
#include "Fold/Problem/Params.h"

#include <stdlib.h>
#include <string.h>

enum { MaxForms = 128, NumSizes = 3 };

/// At one size of a family, proven.
static bool smallestAt(const BerthFoldProblem *problem, const int64_t *params,
                       uint64_t *steps, BerthFoldSmallest *smallest) {
  BerthFoldPoints points;
  bool good = berthFoldListPoints(problem, params, &points);
  if (good)
    good =
        berthFoldSmallestLattices(&points, problem->numDims,
                                  berthFoldLeastCells(problem, &points, params),
                                  INT64_MAX, steps, smallest) &&
        smallest->count;
  berthFoldFreePoints(&points);
  return good;
}

//===----------------------------------------------------------------------===//
// Forms: a lattice seen through a sublattice of rank n - 1
//===----------------------------------------------------------------------===//

typedef struct Form {
  BerthMatrix vectors; ///< V: n - 1 rows
  BerthMatrix rows;    ///< r_0 .. r_{n-2}, then m
  int64_t divisors[BERTH_FOLD_MAX_DIMS];
  int64_t carries[BERTH_FOLD_MAX_DIMS]; ///< in [0, s_i)
  int64_t modulus;                      ///< b
} Form;

typedef struct Forms {
  size_t count;
  Form list[MaxForms];
} Forms;

static int64_t dot(const int64_t *a, const int64_t *b, unsigned numDims) {
  int64_t sum = 0;
  for (unsigned d = 0; d < numDims; ++d)
    sum += a[d] * b[d];
  return sum;
}

/// A vector w of the lattice with the least m.w > 0: Euclid on the basis.
static void leastAlong(BerthMatrix basis, unsigned numDims, const int64_t *m,
                       int64_t *w) {
  for (unsigned i = 1; i < numDims; ++i)
    while (dot(m, basis.at[i], numDims)) {
      int64_t factor =
          dot(m, basis.at[0], numDims) / dot(m, basis.at[i], numDims);
      for (unsigned d = 0; d < numDims; ++d) {
        int64_t rest = basis.at[0][d] - factor * basis.at[i][d];
        basis.at[0][d] = basis.at[i][d];
        basis.at[i][d] = rest;
      }
    }
  int64_t sign = dot(m, basis.at[0], numDims) < 0 ? -1 : 1;
  for (unsigned d = 0; d < numDims; ++d)
    w[d] = sign * basis.at[0][d];
}

/// The form of `lattice` by `vectors`; false if these are not all of the
/// lattice where m vanishes.
static bool makeForm(const BerthMatrix *lattice, int64_t determinant,
                     unsigned numDims, const BerthMatrix *vectors, Form *form) {
  *form = (Form){.vectors = *vectors};
  berthMatrixSmith(vectors, numDims - 1, numDims, &form->rows, form->divisors);
  const int64_t *m = form->rows.at[numDims - 1];
  int64_t w[BERTH_FOLD_MAX_DIMS];
  leastAlong(*lattice, numDims, m, w);
  form->modulus = dot(m, w, numDims);
  int64_t index = form->modulus;
  for (unsigned i = 0; i + 1 < numDims; ++i) {
    index *= form->divisors[i];
    form->carries[i] =
        berthFloorMod(dot(form->rows.at[i], w, numDims), form->divisors[i]);
  }
  return index == determinant;
}

/// Greedily independent vectors of the lattice from `first` on in the list.
static bool pickVectors(const BerthMatrix *lattice, unsigned numDims,
                        int64_t (*list)[BERTH_FOLD_MAX_DIMS], size_t count,
                        size_t first, BerthMatrix *vectors) {
  unsigned found = 0;
  for (size_t i = first; i < count && found + 1 < numDims; ++i) {
    if (!berthFoldInLattice(lattice, numDims, list[i]))
      continue;
    memcpy(vectors->at[found], list[i], sizeof vectors->at[0]);
    if (berthMatrixRank(vectors, found + 1, numDims) == found + 1)
      ++found;
    else if (i == first)
      return false;
  }
  return found + 1 == numDims;
}

static void addForms(const BerthMatrix *lattice, int64_t determinant,
                     unsigned numDims, Forms *forms) {
  int64_t(*list)[BERTH_FOLD_MAX_DIMS];
  size_t count = berthSmallVectors(numDims, numDims <= 3 ? 3 : 1, true, &list);
  for (size_t first = 0; first < count && forms->count < MaxForms; ++first) {
    BerthMatrix vectors = {{{0}}};
    bool starts =
        numDims == 1 || berthFoldInLattice(lattice, numDims, list[first]);
    if (starts && pickVectors(lattice, numDims, list, count, first, &vectors) &&
        makeForm(lattice, determinant, numDims, &vectors,
                 &forms->list[forms->count]))
      ++forms->count;
    if (numDims == 1)
      break;
  }
  free(list);
}

/// Equal but for the modulus.
static bool sameShape(const Form *a, const Form *b) {
  return !memcmp(&a->vectors, &b->vectors, sizeof a->vectors) &&
         !memcmp(a->carries, b->carries, sizeof a->carries);
}

//===----------------------------------------------------------------------===//
// Families
//===----------------------------------------------------------------------===//

/// The forms of the smallest lattices at a few sizes of one class.
typedef struct ClassSample {
  int64_t sizes[NumSizes];
  Forms forms[NumSizes];
} ClassSample;

static void setTerm(BerthFoldRow *row, int64_t constant) {
  row->numTerms = 1;
  row->terms[0] = (BerthFoldTerm){.constant = constant, .divisor = 1};
}

/// Rows for the form with modulus b(N) = slope N + constant.
static BerthFoldMapping formMapping(const BerthFoldProblem *problem,
                                    const Form *form, unsigned param,
                                    int64_t slope, int64_t constant) {
  unsigned numDims = problem->numDims;
  BerthFoldMapping mapping = {.method = "exact",
                              .numDims = numDims,
                              .numParams = problem->numParams,
                              .classModulus = 1};
  BerthFoldRow *range = &mapping.rows[mapping.numRows++];
  memcpy(range->coefficients, form->rows.at[numDims - 1],
         sizeof range->coefficients);
  setTerm(range, constant);
  range->terms[0].coefficients[param] = slope;
  berthFoldKeepPositive(problem, range);
  for (unsigned i = 0; i + 1 < numDims; ++i) {
    memcpy(mapping.reuse[mapping.numReuse++], form->vectors.at[i],
           sizeof mapping.reuse[0]);
    if (form->divisors[i] == 1)
      continue;
    BerthFoldRow *row = &mapping.rows[mapping.numRows++];
    memcpy(row->coefficients, form->rows.at[i], sizeof row->coefficients);
    row->carries[0] = form->carries[i];
    setTerm(row, form->divisors[i]);
  }
  return mapping;
}

/// The form of the same shape with the given modulus exists.
static bool hasForm(const Forms *forms, const Form *like, int64_t modulus) {
  for (size_t i = 0; i < forms->count; ++i)
    if (forms->list[i].modulus == modulus && sameShape(&forms->list[i], like))
      return true;
  return false;
}

static bool fitClass(const BerthFoldProblem *problem, const ClassSample *sample,
                     unsigned param, int64_t step, BerthFoldMapping *mapping) {
  for (size_t i = 0; i < sample->forms[0].count; ++i)
    for (size_t j = 0; j < sample->forms[1].count; ++j) {
      const Form *a = &sample->forms[0].list[i], *b = &sample->forms[1].list[j];
      int64_t rise = b->modulus - a->modulus;
      if (!sameShape(a, b) || rise % step ||
          !hasForm(&sample->forms[2], a, b->modulus + rise))
        continue;
      int64_t slope = rise / step;
      *mapping = formMapping(problem, a, param, slope,
                             a->modulus - slope * sample->sizes[0]);
      mapping->classParam = param;
      mapping->classModulus = step;
      mapping->classRest = berthFloorMod(sample->sizes[0], step);
      if (berthFoldCertify(problem, mapping, NULL) == BERTH_SUCCESS)
        return true;
    }
  return false;
}

static bool sampleClass(const BerthFoldSearch *search, unsigned param,
                        int64_t first, int64_t step, uint64_t *steps,
                        ClassSample *sample) {
  int64_t params[BERTH_FOLD_MAX_PARAMS];
  berthFoldSmallParams(search->problem, params);
  BerthFoldSmallest *smallest = malloc(sizeof *smallest);
  bool good = smallest != NULL;
  for (int k = 0; good && k < NumSizes; ++k) {
    sample->sizes[k] = params[param] = first + k * step;
    sample->forms[k].count = 0;
    good = smallestAt(search->problem, params, steps, smallest);
    for (size_t i = 0; good && i < smallest->count; ++i)
      addForms(&smallest->lattices[i], smallest->determinant,
               search->problem->numDims, &sample->forms[k]);
  }
  free(smallest);
  return good;
}

bool berthFoldClasses(const BerthFoldSearch *search, unsigned param,
                      bool uniform, BerthFoldResult *result) {
  // Sizes next to the least one are often special.
  enum { Distance = 3 };
  const BerthFoldProblem *problem = search->problem;
  int64_t first = berthFoldLeastValue(problem, param) + Distance;
  uint64_t steps = berthFoldSteps(problem);
  ClassSample *sample = malloc(sizeof *sample);
  int64_t limit = uniform ? 1 : BERTH_FOLD_MAX_CLASSES;
  bool found = false;
  for (int64_t step = 1; sample && !found && step <= limit; ++step) {
    found = true;
    for (int64_t rest = 0; found && rest < step; ++rest)
      found = sampleClass(search, param, first + rest, step, &steps, sample) &&
              fitClass(problem, sample, param, step, &result->mappings[rest]);
    result->numMappings = found ? (size_t)step : 0;
  }
  free(sample);
  return found;
}
