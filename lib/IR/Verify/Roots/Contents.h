//===- Contents.h - Content that changes places, for the verifier  C ------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What berth-fit means is told by attributes: allocations with one number in
// `berth.content` are *places* of one buffer, and `berth.move` marks the copies
// between them. So whatever else writes a place writes the buffer, and whatever
// else reads one means what the buffer holds:
//
//   exp  outs(%a0)         %a0 holds it
//   copy %a0, %s  (move)   %a0 and %s do
//   add  outs(%a0)         %a0 does, what %s holds is old
//   %a1 = alloc            %a1 holds anything
//   copy %s, %a1  (move)   wrong
//
// A place may itself have been moved: of the numbers [3, 1] the first is its
// own, and all places of content 3 are together one place of content 1. What is
// looked at together is a *layer*, in which each allocation is one place.
//
// A buffer that was a copy of other memory may be read from there: its *source*
// is a place too, which holds the content from the op on that is marked by
// `berth.content_copied`, and as long as nobody writes to it. Ops marked by
// `berth.content_read` read it there themselves.
//
// What an op marked by `berth.recompute` computes is like a place, too: it
// holds the content from an op on that made it in the same way
// (Bytes/Makers.h), as long as nobody writes another one, or what it is made
// of. The op reads it.
//
//===----------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_VERIFY_ROOTS_CONTENTS_H
#define BERTH_LIB_IR_VERIFY_ROOTS_CONTENTS_H

#include "IR/Verify/Roots/Views.h"

typedef struct BerthContent {
  MlirAttribute number;
  size_t layer;
  bool isCopied;       ///< some op says where its source was copied
  MlirValue source;    ///< or null
  const char *unclear; ///< why it cannot be followed, or NULL
  MlirOperation unclearAt;
  bool isWrong;            ///< unclear, and by no pass that knows no marks
  size_t numTold, numSeen; ///< places; it is told on each of them, or 0
  size_t outer;            ///< the content that it is a place of, or SIZE_MAX
  bool isComplete; ///< all that it is made of is there, as berth-fit left it
  uint32_t firstPlace;  ///< a root, or BERTH_NO_ROOT; more in `nextPlace`
  uint32_t sourcePlace; ///< or BERTH_NO_ROOT
} BerthContent;

/// The contents of a scope, and the places of one layer.
typedef struct BerthContents {
  size_t count, capacity;
  BerthContent *items;
  BerthPointerMap indexOf; ///< number -> index into `items`
  size_t numOps, opCapacity;
  MlirOperation *ops; ///< all with marks, as they stand
  size_t layer, numLayers;
  size_t numSources; ///< of the layer
  BerthViews views;  ///< its roots are places; then sources and what is
                     ///< computed again
  BerthViews whole;  ///< a root for each content, number i that of content i
  size_t *contentOf; ///< by place
  uint32_t *nextPlace;
  MlirAttribute *slotOf;   ///< by place: the content that is there, or null
  BerthPointerMap againOf; ///< op that computes again -> the place it reads
  const struct BerthMakers *makers; ///< of these (Bytes/Makers.h), or NULL
} BerthContents;

/// All contents of the scope; no layer yet.
BerthContents berthContentsOf(MlirOperation scope);
void berthContentsFree(BerthContents *contents);

/// Fills in `views` and `whole` for a layer. Free these before the next.
void berthContentsLookAt(BerthContents *contents, size_t layer,
                         BerthCallees *callees, BerthMemory *memory);

/// True if the op is a move of the layer, of content `*content`.
bool berthContentsIsMove(const BerthContents *contents, MlirOperation op,
                         size_t *content);

/// True if the op is marked as one that computes the content again.
bool berthContentsIsComputedAgain(const BerthContents *contents,
                                  MlirOperation op, size_t content);

/// The place that stands for what the op computes again in the layer, or
/// BERTH_NO_ROOT.
uint32_t berthContentsAgainPlace(const BerthContents *contents,
                                 MlirOperation op);

/// True for a move of the layer, or of a lower one: to this layer both of its
/// ends are one place.
bool berthContentsKeeps(const BerthContents *contents, MlirOperation op);

/// The place that the op allocates in the layer, or BERTH_NO_ROOT.
uint32_t berthContentsMadePlace(const BerthContents *contents,
                                MlirOperation op);

typedef void (*BerthContentCallback)(size_t content, void *userData);

/// Calls back for each content of the layer that the op's attribute names:
/// BERTH_CONTENT_BEGINS, BERTH_CONTENT_COPIED or BERTH_CONTENT_READ.
void berthContentsForEachNamed(const BerthContents *contents, MlirOperation op,
                               const char *name, BerthContentCallback callback,
                               void *userData);

/// Calls back for each content of the layer whose source the op itself (nested
/// ops excluded) may write to, or free.
void berthContentsForEachSpoilt(const BerthContents *contents, MlirOperation op,
                                BerthContentCallback callback, void *userData);

#endif // BERTH_LIB_IR_VERIFY_ROOTS_CONTENTS_H
