//===- Makers.h - What is computed again, and from what ------------- C ---===//
//---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An op that is marked to compute content again has to do what made it. So its
// *makers* are looked for: ops that write a place of that content, and are the
// same op on the same operands, of which places of one content are one.
//
//   exp ins(%x0) outs(%a0)                 a maker of what stands below
//   ...
//   exp ins(%x1) outs(%a1)  (recompute)    %x0 and %x1 are places of one
//   content
//
// What the maker had has to be what the other op finds: the result is out of
// date once some operand is computed anew, or what it shows is written or
// freed.
//
//===----------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_VERIFY_BYTES_MAKERS_H
#define BERTH_LIB_IR_VERIFY_BYTES_MAKERS_H

#include "IR/Verify/Roots/Access.h"
#include "IR/Verify/Roots/Contents.h"

/// A place, one of a list.
typedef struct BerthMakerLink {
  uint32_t place;
  size_t next; ///< or SIZE_MAX
} BerthMakerLink;

/// Memory that some maker reads.
typedef struct BerthMakerInput {
  MlirValue memory;      ///< or one of the content's places
  MlirAttribute content; ///< or null
  bool isFollowed;       ///< only views lead there, and all are known
  size_t places;         ///< what is made of it: the first link
} BerthMakerInput;

/// Of what is computed again in one layer of contents.
typedef struct BerthMakers {
  const BerthContents *contents;
  size_t numLinks, linkCapacity;
  BerthMakerLink *links;
  BerthPointerMap madeBy; ///< maker -> the first link
  BerthPointerMap madeOf; ///< value that is no memory -> the first link
  size_t numInputs, inputCapacity;
  BerthMakerInput *inputs;
  bool hasUnfollowed;
  BerthPointerMap inputOf;     ///< content's number, or value -> its input
  BerthViews views;            ///< their roots are the inputs
  BerthRootAccesses *accesses; ///< of the op at hand
} BerthMakers;

BerthMakers berthMakersOf(const BerthContents *contents, MlirOperation scope,
                          BerthCallees *callees, BerthMemory *memory);
void berthMakersFree(BerthMakers *makers);

typedef void (*BerthPlaceCallback)(uint32_t place, void *userData);

/// Calls back for each place that stands for what the op makes.
void berthMakersForEachMade(const BerthMakers *makers, MlirOperation op,
                            BerthPlaceCallback callback, void *userData);

/// Calls back for each place that the op makes out of date, with all that is
/// nested in it, if `withNested`.
void berthMakersForEachChanged(const BerthMakers *makers, MlirOperation op,
                               bool withNested, BerthPlaceCallback callback,
                               void *userData);

/// The same for a value that is computed anew.
void berthMakersForEachOf(const BerthMakers *makers, MlirValue value,
                          BerthPlaceCallback callback, void *userData);

#endif // BERTH_LIB_IR_VERIFY_BYTES_MAKERS_H
