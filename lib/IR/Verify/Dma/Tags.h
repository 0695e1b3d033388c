//===- Tags.h - Which transfer a wait is for ------------------------ C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The verifier's own view of tags. A place is one element of one tag: where a
// step of control flow gives values other names, the place is renamed with
// them, and what is not renamed and made anew by the step is forgotten.
//
//===----------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_VERIFY_DMA_TAGS_H
#define BERTH_LIB_IR_VERIFY_DMA_TAGS_H

#include "IR/Facts/DmaFacts.h"
#include "IR/Facts/Facts.h"
#include "IR/Verify/Roots/Views.h"

enum { BERTH_TAG_RANK = 4, BERTH_TAG_TERMS = 8 };

/// One index: terms that are all the same number.
typedef struct BerthTagIndex {
  size_t count;
  BerthIndex terms[BERTH_TAG_TERMS];
} BerthTagIndex;

typedef struct BerthTagPlace {
  /// Its root in an arena, or its allocation; NULL if others may use it.
  const void *tag;
  size_t rank;
  BerthTagIndex indices[BERTH_TAG_RANK];
} BerthTagPlace;

/// What a start or a wait names.
BerthTagPlace berthTagPlaceOf(const BerthViews *views, MlirOperation op);

/// True if the two are surely one element, `named` being what an op names where
/// `place` is known; or surely two.
bool berthTagPlacesMeet(const BerthTagPlace *place, const BerthTagPlace *named);
bool berthTagPlacesDiffer(const BerthTagPlace *place,
                          const BerthTagPlace *named);

/// True if the same terms describe them.
bool berthTagPlacesEqual(const BerthTagPlace *a, const BerthTagPlace *b);

/// A step from one block to another: what becomes of values.
typedef struct BerthTagStep {
  MlirBlock into; ///< the block entered; null: behind the op
  size_t count, capacity;
  struct BerthTagRename {
    MlirValue from, to;
    int64_t increase; ///< to = from + increase
  } * renames;
  bool hasFirst, hasLast;
  MlirValue variable; ///< a loop's, in the first turn or after the last one
  int64_t value;
} BerthTagStep;

/// Zero-initialised steps are filled in by these; free `renames` then.
void berthTagStepOverEdge(BerthTagStep *step, MlirOperation op,
                          const BerthRegionEdge *edge);
void berthTagStepOverBranch(BerthTagStep *step, MlirOperation terminator,
                            intptr_t successor);
void berthTagPlaceStep(BerthTagPlace *place, const BerthTagStep *step);

/// True if the op is the allocation of this tag, or the view of its root.
bool berthMakesTag(const BerthViews *views, const void *tag, MlirOperation op);
/// True if the op, no start and no wait, may write it.
bool berthWritesTag(const BerthViews *views, const void *tag, MlirOperation op);

#endif // BERTH_LIB_IR_VERIFY_DMA_TAGS_H
