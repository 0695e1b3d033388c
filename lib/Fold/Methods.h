//===- Methods.h - Ways to find a mapping -------------------------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//
//
// Heuristics hand over skeletons, best first; berthFoldFind realises them in
// turn until one passes the certificate.
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_FOLD_METHODS_H
#define BERTH_LIB_FOLD_METHODS_H

#include "Rows.h"

#define BERTH_FOLD_MAX_SKELETONS 12

typedef struct BerthFoldSkeletons {
  unsigned count;
  BerthFoldSkeleton list[BERTH_FOLD_MAX_SKELETONS];
} BerthFoldSkeletons;

/// Successive modulo in the canonical basis (Lefebvre, Feautrier).
void berthFoldSuccessive(const BerthFoldSearch *search,
                         BerthFoldSkeletons *found);

/// Storage hyperplanes (SMO): each satisfies as many pieces of D as possible,
/// then has the least modulus.
void berthFoldHyperplanes(const BerthFoldSearch *search,
                          BerthFoldSkeletons *found);

/// Heuristics 1 and 3 of Darte, Isoard and Yuki: reuse vectors, then the least
/// moduli, for several first vectors.
void berthFoldLattices(const BerthFoldSearch *search,
                       BerthFoldSkeletons *found);

/// The smallest lattice, proven. For constant sizes one mapping; with one
/// parameter a family, by berthFoldClasses or else berthFoldFamily.
BerthStatus berthFoldExact(const BerthFoldSearch *search, bool uniform,
                           BerthFoldResult *result, BerthError *error);

/// The least value of a parameter in the context, if it is moderate, else 1;
/// small values for all parameters.
int64_t berthFoldLeastValue(const BerthFoldProblem *problem, unsigned param);
void berthFoldSmallParams(const BerthFoldProblem *problem, int64_t *params);

/// Adds the term 1 to the row's only one unless that is positive throughout the
/// context: sizes of which nothing is known may be 0.
void berthFoldKeepPositive(const BerthFoldProblem *problem, BerthFoldRow *row);

/// One mapping for each residue class of `param`, the only parameter that D
/// depends on, in the fewest classes; from the smallest lattices alone. False
/// if these follow no law that can be proven.
bool berthFoldClasses(const BerthFoldSearch *search, unsigned param,
                      bool uniform, BerthFoldResult *result);

/// One mapping for all values of the parameter `param`, the only one that D
/// depends on, from lattices slightly larger than the smallest: their Hermite
/// forms are affine in it. Looks at sizes from params[param] on; the other
/// parameters are as in `params`. False if none is found that can be proven.
bool berthFoldFamily(const BerthFoldSearch *search, unsigned param,
                     const int64_t *params, BerthFoldMapping *mapping);

#endif // BERTH_LIB_FOLD_METHODS_H
