//===- Hyperplane.c - Successive modulo and storage hyperplanes ----------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Fold/Methods/Hyperplane.h"

#include <stdlib.h>
#include <string.h>

/// V. Lefebvre, P. Feautrier, "Automatic storage management for parallel
/// programs" (1998): b_i = 1 + max d_i over those d with d_j = 0 for j < i.
void berthFoldSuccessive(const BerthFoldSearch *search,
                         BerthFoldSkeletons *found) {
  unsigned numDims = search->problem->numDims;
  BerthFoldSkeleton *skeleton = &found->list[found->count];
  *skeleton = (BerthFoldSkeleton){.method = "lefebvre-feautrier", .size = 1};
  isl_set *slice = isl_set_copy(search->differenceAt);
  for (unsigned d = 0; d < numDims; ++d) {
    int64_t *m = skeleton->rows.at[skeleton->numRows];
    m[d] = 1;
    bool empty = isl_set_is_empty(slice) == isl_bool_true;
    int64_t largest = empty ? 0 : berthFoldLargest(slice, m);
    slice = berthFoldSliceZero(slice, m);
    ++skeleton->numRows;
    if (largest < 0 ||
        __builtin_mul_overflow(skeleton->size, largest + 1, &skeleton->size))
      skeleton->size = INT64_MAX;
  }
  isl_set_free(slice);
  ++found->count;
}

/// S. Bhaskaracharya, U. Bondhugula, A. Cohen, "SMO" (POPL 2016), section 4,
/// with hyperplanes taken from a list rather than from an integer program.
void berthFoldHyperplanes(const BerthFoldSearch *search,
                          BerthFoldSkeletons *found) {
  unsigned numDims = search->problem->numDims;
  BerthFoldCandidates candidates = {.byPieces = true};
  candidates.count = berthSimpleVectors(numDims, &candidates.vectors);
  BerthFoldSkeleton *skeleton = &found->list[found->count];
  *skeleton = (BerthFoldSkeleton){.method = "smo", .size = 1};
  if (berthFoldCompleteRows(skeleton, isl_set_copy(search->differenceAt),
                            &candidates, numDims))
    ++found->count;
  free(candidates.vectors);
}
