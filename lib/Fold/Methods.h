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

#ifndef BERTH_FOLD_METHODS_H
#define BERTH_FOLD_METHODS_H

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

/// True when no non-zero point of the lattice spanned by the rows of `vectors`
/// is in `difference` (heuristic 2's test for one vector).
bool berthFoldIsAdmissible(isl_set *difference, const BerthMatrix *vectors,
                           unsigned numVectors);

/// The smallest lattice, proven. For constant sizes one mapping; with one
/// parameter the family that the smallest lattices of several sizes suggest,
/// one mapping for each class of the parameter.
BerthStatus berthFoldExact(const BerthFoldSearch *search, bool uniform,
                           BerthFoldResult *result, BerthError *error);

#endif // BERTH_FOLD_METHODS_H
