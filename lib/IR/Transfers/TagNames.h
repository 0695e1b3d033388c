//===- TagNames.h - What a tag's element is called on a way --------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A transfer is started on one element of its tag and waited for on one. The
// values that name it may have changed in between: where a loop goes on, what
// was %i is %i - 1 of the next turn, and what was yielded is what is carried.
//
//   start tag[%i mod 2]          %i mod 2
//   ---- next turn ----
//   wait tag[(%i - 1) mod 2]     (%i - 1) mod 2: the same
//
// So a name keeps several forms of one number, each true along the way at hand.
//
//===----------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_TRANSFERS_TAGNAMES_H
#define BERTH_LIB_IR_TRANSFERS_TAGNAMES_H

#include "IR/Facts/DmaFacts.h"
#include "IR/Facts/Facts.h"

enum { BERTH_MOST_FORMS = 6, BERTH_MOST_TAG_INDICES = 4 };

/// One number. Without a form nobody knows which.
typedef struct BerthDmaName {
  int numForms;
  BerthIndex forms[BERTH_MOST_FORMS];
} BerthDmaName;

/// One element of a tag.
typedef struct BerthDmaElement {
  int rank;
  BerthDmaName names[BERTH_MOST_TAG_INDICES];
} BerthDmaElement;

/// The element that a start or a wait names. Returns false if it has too many
/// indices.
bool berthDmaElementOf(MlirOperation op, BerthDmaElement *element);

/// True if the op surely names this element, or surely another one.
bool berthDmaElementIs(const BerthDmaElement *element, MlirOperation op);
bool berthDmaElementIsNot(const BerthDmaElement *element, MlirOperation op);

/// True if all names have the same forms.
bool berthDmaElementsEqual(const BerthDmaElement *a, const BerthDmaElement *b);

/// The element's names where control has entered the block, the values of which
/// are made anew: by a region edge of `op`, or by a branch.
void berthDmaElementOverEdge(BerthDmaElement *element, MlirOperation op,
                             const BerthRegionEdge *edge);
void berthDmaElementOverBranch(BerthDmaElement *element,
                               MlirOperation terminator, intptr_t successor);

#endif // BERTH_LIB_IR_TRANSFERS_TAGNAMES_H
