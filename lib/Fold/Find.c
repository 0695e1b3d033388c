//===- Find.c - Choosing a method, and the best of all -------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every mapping that leaves this file has passed berthFoldCertify.
//
//===----------------------------------------------------------------------===//

#include "Fold/Mapping/Modulus.h"
#include "Fold/Mapping/Turn.h"
#include "Fold/Methods/Exact.h"
#include "Fold/Methods/Hyperplane.h"
#include "Fold/Methods/Lattice.h"
#include "Fold/Methods/Slices.h"

#include <string.h>

typedef BerthStatus (*MethodRun)(const BerthFoldSearch *search,
                                 const BerthFoldOptions *options,
                                 BerthFoldResult *result, BerthError *error);

//===----------------------------------------------------------------------===//
// Heuristics
//===----------------------------------------------------------------------===//

static bool certifies(const BerthFoldProblem *problem,
                      const BerthFoldMapping *mapping) {
  return berthFoldCertify(problem, mapping, NULL) == BERTH_SUCCESS;
}

/// The first skeleton that becomes a certified mapping.
static BerthStatus firstValid(const BerthFoldSearch *search,
                              const BerthFoldSkeletons *found,
                              const char *method, BerthFoldResult *result,
                              BerthError *error) {
  const BerthFoldProblem *problem = search->problem;
  for (unsigned i = 0; i < found->count; ++i) {
    BerthFoldMapping *mapping = &result->mappings[0];
    if (!berthFoldRealise(problem, &found->list[i], mapping) ||
        !certifies(problem, mapping))
      continue;
    berthFoldMarkPlain(problem, mapping);
    result->numMappings = 1;
    return BERTH_SUCCESS;
  }
  if (isl_ctx_last_error(problem->ctx) != isl_error_none)
    return berthFoldIslError(problem->ctx, method, error);
  return berthErrorSet(error, BERTH_INVALID,
                       "%s finds no mapping: index differences of cells that "
                       "are live at once are unbounded or too large",
                       method);
}

static BerthStatus runSuccessive(const BerthFoldSearch *search,
                                 const BerthFoldOptions *options,
                                 BerthFoldResult *result, BerthError *error) {
  (void)options;
  BerthFoldSkeletons found = {0};
  berthFoldSuccessive(search, &found);
  return firstValid(search, &found, "lefebvre-feautrier", result, error);
}

static BerthStatus runHyperplanes(const BerthFoldSearch *search,
                                  const BerthFoldOptions *options,
                                  BerthFoldResult *result, BerthError *error) {
  (void)options;
  BerthFoldSkeletons found = {0};
  berthFoldHyperplanes(search, &found);
  return firstValid(search, &found, "smo", result, error);
}

static BerthStatus runLattices(const BerthFoldSearch *search,
                               const BerthFoldOptions *options,
                               BerthFoldResult *result, BerthError *error) {
  BerthFoldSkeletons found = {0};
  berthFoldLattices(search, options->heuristic, &found);
  return firstValid(search, &found, "lattice", result, error);
}

static BerthStatus runExact(const BerthFoldSearch *search,
                            const BerthFoldOptions *options,
                            BerthFoldResult *result, BerthError *error) {
  return berthFoldExact(search, options->uniform, result, error);
}

/// Successive modulo behind the turn.
static BerthStatus runTurn(const BerthFoldSearch *search,
                           const BerthFoldTurn *turn, BerthFoldResult *result,
                           BerthError *error) {
  BerthFoldProblem turned = berthFoldTurned(search->problem, turn);
  BerthFoldSearch there;
  BerthFoldMapping *mapping = &result->mappings[0];
  BerthStatus status = berthFoldSearchInit(&turned, &there, error);
  if (status == BERTH_SUCCESS)
    status = runSuccessive(&there, NULL, result, error);
  mapping->method = "turn";
  mapping->turn = *turn;
  if (status == BERTH_SUCCESS)
    status = berthFoldCertify(search->problem, mapping, error);
  berthFoldSearchFree(&there);
  berthFoldFreeTurned(&turned);
  return status;
}

/// The smallest of all turns. Running out ends the search, not what it found:
/// that gets something more, so that its rows can be looked at.
static BerthStatus runTurns(const BerthFoldSearch *search,
                            const BerthFoldOptions *options,
                            BerthFoldResult *result, BerthError *error) {
  (void)options;
  BerthFoldTurn turns[BERTH_FOLD_MAX_TURNS];
  size_t count = berthFoldListTurns(search->problem, turns);
  BerthStatus status = BERTH_SUCCESS;
  int64_t best = INT64_MAX;
  if (isl_ctx_last_error(search->problem->ctx) != isl_error_none)
    return berthFoldIslError(search->problem->ctx, "turn", error);
  for (size_t i = 0; i < count && status != BERTH_RESOURCE; ++i) {
    BerthFoldResult found = {0};
    status = runTurn(search, &turns[i], &found, error);
    int64_t size = berthFoldMappingSize(&found.mappings[0], search->sample);
    if (status != BERTH_SUCCESS || size >= best)
      continue;
    best = size;
    *result = found;
  }
  if (status == BERTH_RESOURCE && result->numMappings)
    berthIslGrant(search->problem->ctx, search->problem->maxOperations / 4);
  if (result->numMappings || status == BERTH_RESOURCE)
    return result->numMappings ? BERTH_SUCCESS : status;
  return berthErrorSet(error, BERTH_INVALID,
                       "turn finds no mapping: the cells are a box, or no half "
                       "of them fits beside the other");
}

//===----------------------------------------------------------------------===//
// What a mapping can do without, and what it costs
//===----------------------------------------------------------------------===//

/// Lowers numeric moduli and constant parts as long as the certificate holds.
static void tighten(const BerthFoldProblem *problem,
                    BerthFoldMapping *mapping) {
  enum { MaxSteps = 16 };
  for (size_t r = 0; r < mapping->numRows; ++r)
    for (int step = 0; step < MaxSteps; ++step) {
      BerthFoldMapping trial = *mapping;
      trial.rows[r].terms[0].constant -= trial.rows[r].terms[0].divisor;
      if (mapping->rows[r].numTerms != 1 || !certifies(problem, &trial))
        break;
      *mapping = trial;
    }
}

static bool isNumber(const BerthFoldMapping *mapping, size_t r) {
  const BerthFoldRow *row = &mapping->rows[r];
  bool number = row->numTerms == 1 && row->terms[0].divisor == 1;
  for (size_t p = 0; p < mapping->numParams; ++p)
    number &= row->terms[0].coefficients[p] == 0;
  return number;
}

/// Which rows can do without their modulo is a matter of the turned cells.
static void markPlain(const BerthFoldProblem *problem,
                      BerthFoldMapping *mapping) {
  if (!mapping->turn.exists) {
    berthFoldMarkPlain(problem, mapping);
    return;
  }
  BerthFoldProblem turned = berthFoldTurned(problem, &mapping->turn);
  berthFoldMarkPlain(&turned, mapping);
  berthFoldFreeTurned(&turned);
}

/// Rows of modulus 1 say nothing. With carries their places count, so they
/// stay.
static void dropTrivialRows(BerthFoldMapping *mapping) {
  size_t kept = 0;
  for (size_t r = 0; r < mapping->numRows; ++r)
    for (size_t j = 0; j < r; ++j)
      if (mapping->rows[r].carries[j] || mapping->rows[r].carrySlopes[j])
        return;
  for (size_t r = 0; r < mapping->numRows; ++r)
    if (!isNumber(mapping, r) || mapping->rows[r].terms[0].constant != 1)
      mapping->rows[kept++] = mapping->rows[r];
  mapping->numRows = kept;
}

static bool isPowerOfTwo(int64_t value) {
  return value > 0 && (value & (value - 1)) == 0;
}

/// Enlarges numeric moduli to powers of two where the slack allows it and the
/// certificate still holds.
static void padToPowers(const BerthFoldProblem *problem, unsigned slack,
                        BerthFoldMapping *mapping) {
  for (size_t r = 0; slack && r < mapping->numRows; ++r) {
    int64_t modulus = mapping->rows[r].terms[0].constant, power = 1;
    if (!isNumber(mapping, r) || mapping->rows[r].plain || modulus > INT32_MAX)
      continue;
    while (power < modulus)
      power *= 2;
    BerthFoldMapping trial = *mapping;
    trial.rows[r].terms[0].constant = power;
    if ((power - modulus) * 100 <= modulus * (int64_t)slack &&
        certifies(problem, &trial))
      *mapping = trial;
  }
}

/// Rows whose modulo is paid at every access: it depends on the last index and
/// is no power of two.
static unsigned costlyRows(const BerthFoldMapping *mapping) {
  unsigned count = 0;
  for (size_t r = 0; r < mapping->numRows; ++r) {
    const BerthFoldRow *row = &mapping->rows[r];
    bool inner = row->coefficients[mapping->numDims - 1] != 0;
    bool power = isNumber(mapping, r) && isPowerOfTwo(row->terms[0].constant);
    count += inner && !row->plain && !power;
  }
  return count;
}

/// Cells at the sample; of several classes, of the one the sample is in.
static int64_t sizeAt(const BerthFoldSearch *search,
                      const BerthFoldResult *result) {
  for (size_t i = 0; i < result->numMappings; ++i) {
    const BerthFoldMapping *mapping = &result->mappings[i];
    if (berthFloorMod(search->sample[mapping->classParam],
                      mapping->classModulus) == mapping->classRest)
      return berthFoldMappingSize(mapping, search->sample);
  }
  return INT64_MAX;
}

//===----------------------------------------------------------------------===//
// The table
//===----------------------------------------------------------------------===//

static BerthStatus runAuto(const BerthFoldSearch *search,
                           const BerthFoldOptions *options,
                           BerthFoldResult *result, BerthError *error);

/// From cheap to dear, behind "auto".
static const struct {
  const char *name;
  const char *description;
  MethodRun run;
} methods[] = {
    {"auto", "the smallest of all below within the budget", runAuto},
    {"lefebvre-feautrier", "successive modulo in the canonical basis",
     runSuccessive},
    {"smo", "storage hyperplanes, those that satisfy most conflicts first",
     runHyperplanes},
    {"lattice", "constant reuse vectors, then the least moduli", runLattices},
    {"turn", "one half of a triangle or trapezoid turned, beside the other",
     runTurns},
    {"exact", "the smallest lattice, proven; families for one parameter",
     runExact}};

enum { NumMethods = sizeof methods / sizeof *methods };

size_t berthFoldNumMethods(void) { return NumMethods; }

const char *berthFoldMethodName(size_t method) { return methods[method].name; }

const char *berthFoldMethodDescription(size_t method) {
  return methods[method].description;
}

BerthFoldOptions berthFoldOptionsDefault(void) {
  return (BerthFoldOptions){.method = "auto"};
}

//===----------------------------------------------------------------------===//
// The best of all
//===----------------------------------------------------------------------===//

/// Of as many cells the one of the method that was asked for, else the one
/// whose indices cost less.
static bool isBetter(const BerthFoldSearch *search, const BerthFoldResult *a,
                     bool isWanted, const BerthFoldResult *b, bool hasWanted) {
  int64_t sizeA = sizeAt(search, a), sizeB = sizeAt(search, b);
  if (sizeA != sizeB)
    return sizeA < sizeB;
  if (isWanted || hasWanted)
    return isWanted;
  unsigned costA = costlyRows(&a->mappings[0]),
           costB = costlyRows(&b->mappings[0]);
  if (costA != costB)
    return costA < costB;
  return b->mappings[0].turn.exists && !a->mappings[0].turn.exists;
}

/// No index goes round.
static bool savesNothing(const BerthFoldMapping *mapping) {
  bool plain = true;
  for (size_t r = 0; r < mapping->numRows; ++r)
    plain &= mapping->rows[r].plain;
  return plain;
}

/// Lets the turn go before the other lattices.
static void advanceTurn(size_t *order) {
  size_t from = 1;
  while (methods[order[from]].run != runTurns)
    ++from;
  size_t turn = order[from];
  for (; from > 2; --from)
    order[from] = order[from - 1];
  order[from] = turn;
}

/// What one method finds, as small as the certificate lets it be.
static BerthStatus runTightened(const BerthFoldSearch *search,
                                const BerthFoldOptions *options, size_t method,
                                BerthFoldResult *result, BerthError *error) {
  BerthStatus status = methods[method].run(search, options, result, error);
  for (size_t m = 0; status == BERTH_SUCCESS && m < result->numMappings; ++m) {
    tighten(search->problem, &result->mappings[m]);
    dropTrivialRows(&result->mappings[m]);
    markPlain(search->problem, &result->mappings[m]);
  }
  return status;
}

/// All methods from cheap to dear; a later one must be better to win. One that
/// runs out of isl's budget ends the search, not the ones before it. The order
/// is the same whichever was asked for, so each returns as many cells. Where
/// successive modulo saves nothing, other lattices seldom save much of cells
/// that are no box, and a turn may save half of it: it goes first.
static BerthStatus runAll(const BerthFoldSearch *search,
                          const BerthFoldOptions *options, size_t wanted,
                          BerthFoldResult *result, BerthError *error) {
  BerthStatus first = BERTH_SUCCESS, ofWanted = BERTH_RESOURCE;
  bool cutShort = false, hasWanted = false;
  size_t order[NumMethods];
  for (size_t i = 0; i < NumMethods; ++i)
    order[i] = i;
  for (size_t next = 1; next < NumMethods; ++next) {
    size_t i = order[next];
    BerthFoldResult trial = {0};
    BerthError why;
    BerthStatus status = runTightened(search, options, i, &trial, &why);
    ofWanted = i == wanted ? status : ofWanted;
    if (status != BERTH_SUCCESS) {
      bool tells = first == BERTH_SUCCESS || status == BERTH_RESOURCE ||
                   (i == wanted && first != BERTH_RESOURCE);
      if (tells && error)
        *error = why;
      first = tells ? status : first;
      cutShort = status == BERTH_RESOURCE && methods[i].run != runExact;
      if (status == BERTH_RESOURCE)
        break;
      continue;
    }
    if (result->numMappings &&
        !isBetter(search, &trial, i == wanted, result, hasWanted))
      continue;
    *result = trial;
    hasWanted = i == wanted;
    if (next == 1 && savesNothing(&trial.mappings[0]))
      advanceTurn(order);
  }
  if (!result->numMappings)
    return first;
  result->cutShort = cutShort;
  if (wanted && !hasWanted) {
    result->insteadOf = methods[wanted].name;
    result->insteadWhy = ofWanted;
  }
  isl_ctx_reset_error(search->problem->ctx);
  berthIslGrant(search->problem->ctx, search->problem->maxOperations);
  for (size_t m = 0; m < result->numMappings; ++m)
    padToPowers(search->problem, options->pow2Slack, &result->mappings[m]);
  return BERTH_SUCCESS;
}

static BerthStatus runAuto(const BerthFoldSearch *search,
                           const BerthFoldOptions *options,
                           BerthFoldResult *result, BerthError *error) {
  return runAll(search, options, 0, result, error);
}

BerthStatus berthFoldFind(const BerthFoldProblem *problem,
                          const BerthFoldOptions *options,
                          BerthFoldResult *result, BerthError *error) {
  *result = (BerthFoldResult){0};
  size_t method = 0;
  while (method < NumMethods && strcmp(methods[method].name, options->method))
    ++method;
  if (method == NumMethods)
    return berthErrorSet(error, BERTH_INVALID,
                         "unknown method '%.40s' (auto, lefebvre-feautrier, "
                         "smo, lattice, turn, exact)",
                         options->method);
  BerthFoldSearch search;
  BerthStatus status = berthFoldSearchInit(problem, &search, error);
  bool isAlone = options->alone || options->heuristic != 0;
  if (status == BERTH_SUCCESS && problem->slices)
    status = berthFoldSlices(&search, options, result, error);
  else if (status == BERTH_SUCCESS && isAlone)
    status = methods[method].run(&search, options, result, error);
  else if (status == BERTH_SUCCESS)
    status = runAll(&search, options, method, result, error);
  berthFoldSearchFree(&search);
  isl_ctx_reset_error(problem->ctx);
  return status;
}
