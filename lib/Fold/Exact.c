//===- Exact.c - The smallest lattice, and families of them
//----------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Beyond the paper. With constant sizes the smallest lattice that misses D is
// found by enumeration (Enumerate.h), which proves it.
//
// With one symbolic size N the smallest lattices of three sizes are compared. A
// lattice L with a sublattice V of rank n - 1 is written as
//
//     q = floor(m.x / b),  m.x mod b,  (r_i.x - c_i q) mod s_i
//
// where m vanishes on V, (r_i, s_i) is V's Smith form, b the least m.w > 0 of
// L, and c_i = r_i.w. A family has the same V and c at all sizes of a residue
// class of N, and b affine in N. What is found so is a guess; the certificate
// turns it into a proof or rejects it.
//
//===----------------------------------------------------------------------===//

#include "Enumerate.h"
#include "Methods.h"

#include <isl/ilp.h>
#include <isl/val.h>

#include <stdlib.h>
#include <string.h>

enum { MaxSteps = 5000000, MaxForms = 128, NumSizes = 3 };

//===----------------------------------------------------------------------===//
// Mappings of one lattice
//===----------------------------------------------------------------------===//

static void setTerm(BerthFoldRow *row, int64_t constant) {
  row->numTerms = 1;
  row->terms[0] = (BerthFoldTerm){.constant = constant, .divisor = 1};
}

static BerthFoldMapping emptyMapping(const BerthFoldProblem *problem) {
  return (BerthFoldMapping){.method = "exact",
                            .numDims = problem->numDims,
                            .numParams = problem->numParams,
                            .classModulus = 1};
}

/// Rows r_i mod s_i from the Smith form of the whole lattice.
static BerthFoldMapping latticeMapping(const BerthFoldProblem *problem,
                                       const BerthMatrix *lattice) {
  BerthFoldMapping mapping = emptyMapping(problem);
  BerthMatrix rows;
  int64_t divisors[BERTH_FOLD_MAX_DIMS];
  berthMatrixSmith(lattice, problem->numDims, problem->numDims, &rows,
                   divisors);
  for (unsigned i = 0; i < problem->numDims; ++i) {
    if (divisors[i] == 1)
      continue;
    BerthFoldRow *row = &mapping.rows[mapping.numRows++];
    setTerm(row, divisors[i]);
    for (unsigned d = 0; d < problem->numDims; ++d) {
      int64_t rest = berthFloorMod(rows.at[i][d], divisors[i]);
      row->coefficients[d] = 2 * rest > divisors[i] ? rest - divisors[i] : rest;
    }
  }
  mapping.optimal = true;
  return mapping;
}

static int64_t rowWeight(const BerthFoldMapping *mapping) {
  int64_t sum = 0;
  for (size_t r = 0; r < mapping->numRows; ++r)
    for (size_t d = 0; d < mapping->numDims; ++d)
      sum += llabs(mapping->rows[r].coefficients[d]);
  return sum;
}

/// The largest number of cells live at once, or 1 if unknown: no mapping needs
/// fewer.
static int64_t leastCells(const BerthFoldProblem *problem,
                          const int64_t *params) {
  uint64_t live = 0, wrong;
  if (!problem->liveRanges || berthFoldTrace(problem, NULL, params, &wrong,
                                             &live, NULL) != BERTH_SUCCESS)
    return 1;
  return live > 1 && live < INT32_MAX ? (int64_t)live : 1;
}

static bool smallestAt(const BerthFoldProblem *problem, const int64_t *params,
                       uint64_t *steps, BerthFoldSmallest *smallest) {
  BerthFoldPoints points;
  bool good = berthFoldListPoints(problem, params, &points);
  if (good)
    good =
        berthFoldSmallestLattices(&points, problem->numDims,
                                  leastCells(problem, params), steps, smallest);
  free(points.list);
  return good;
}

static BerthStatus exactConstant(const BerthFoldSearch *search,
                                 BerthFoldResult *result, BerthError *error) {
  const BerthFoldProblem *problem = search->problem;
  uint64_t steps = MaxSteps;
  BerthFoldSmallest smallest;
  if (!smallestAt(problem, search->sample, &steps, &smallest))
    return berthErrorSet(error, BERTH_INVALID,
                         "exact: too many differences to enumerate lattices");
  for (size_t i = 0; i < smallest.count; ++i) {
    BerthFoldMapping trial = latticeMapping(problem, &smallest.lattices[i]);
    if (i == 0 || rowWeight(&trial) < rowWeight(&result->mappings[0]))
      result->mappings[0] = trial;
  }
  result->numMappings = 1;
  return berthFoldCertify(problem, &result->mappings[0], error);
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
  int64_t (*list)[BERTH_FOLD_MAX_DIMS];
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

/// Rows for the form with modulus b(N) = slope N + constant.
static BerthFoldMapping formMapping(const BerthFoldProblem *problem,
                                    const Form *form, unsigned param,
                                    int64_t slope, int64_t constant) {
  unsigned numDims = problem->numDims;
  BerthFoldMapping mapping = emptyMapping(problem);
  BerthFoldRow *range = &mapping.rows[mapping.numRows++];
  memcpy(range->coefficients, form->rows.at[numDims - 1],
         sizeof range->coefficients);
  setTerm(range, constant);
  range->terms[0].coefficients[param] = slope;
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

/// The least value of the parameter in the context, if it is moderate.
static int64_t leastValue(const BerthFoldProblem *problem, unsigned param) {
  isl_set *values = isl_set_from_params(isl_set_copy(problem->context));
  values = isl_set_move_dims(values, isl_dim_set, 0, isl_dim_param, param, 1);
  values =
      isl_set_project_out(values, isl_dim_param, 0, problem->numParams - 1);
  isl_val *least = isl_set_dim_min_val(values, 0);
  int64_t result = 1;
  if (least && isl_val_is_int(least) == isl_bool_true &&
      isl_val_cmp_si(least, 1000) < 0 && isl_val_cmp_si(least, 1) > 0)
    result = isl_val_get_num_si(least);
  isl_val_free(least);
  return result;
}

static bool sampleClass(const BerthFoldSearch *search, unsigned param,
                        int64_t first, int64_t step, uint64_t *steps,
                        ClassSample *sample) {
  int64_t params[BERTH_FOLD_MAX_PARAMS];
  // D does not depend on the others; small ones make short traces.
  for (unsigned p = 0; p < search->problem->numParams; ++p)
    params[p] = leastValue(search->problem, p) + 2;
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

/// The parameters that D depends on within the context; false unless one.
static bool onlyParam(const BerthFoldProblem *problem, unsigned *param) {
  isl_set *known = isl_set_gist_params(isl_set_copy(problem->difference),
                                       isl_set_copy(problem->context));
  unsigned count = 0;
  for (unsigned p = 0; p < problem->numParams; ++p)
    if (isl_set_involves_dims(known, isl_dim_param, p, 1) != isl_bool_false) {
      *param = p;
      ++count;
    }
  isl_set_free(known);
  return count == 1;
}

BerthStatus berthFoldExact(const BerthFoldSearch *search, bool uniform,
                           BerthFoldResult *result, BerthError *error) {
  const BerthFoldProblem *problem = search->problem;
  unsigned param = 0;
  if (problem->numParams == 0)
    return exactConstant(search, result, error);
  if (problem->numDims == 0 || !onlyParam(problem, &param))
    return berthErrorSet(error, BERTH_INVALID,
                         "exact: only one symbolic size can be fitted");
  // Sizes next to the least one are often special.
  enum { Distance = 3 };
  int64_t first = leastValue(problem, param) + Distance;
  uint64_t steps = MaxSteps;
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
  if (found)
    return BERTH_SUCCESS;
  return berthErrorSet(error, BERTH_INVALID,
                       "exact: the smallest lattices of several sizes fit no "
                       "family that can be proven");
}
