//===- RootSets.h - Sets of roots while they grow -------------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Roots are what a value may point into; a value has a sorted set of them.
//
//===----------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_VERIFY_ROOTS_ROOTSETS_H
#define BERTH_LIB_IR_VERIFY_ROOTS_ROOTSETS_H

#include "IR/Ops/PointerMap.h"
#include "IR/Verify/Roots/Calls.h"
#include "Support/BumpMemory.h"
#include "mlir-c/IR.h"

/// One buffer: bytes [lower, upper) of an arena.
typedef struct BerthRoot {
  MlirValue arena;    ///< or the argument itself
  MlirOperation view; ///< the first of its views, or null; of a buffer that is
                      ///< placed by attributes its allocation
  bool isBase;        ///< the arena as a whole, used other than through views
  int64_t lower;      ///< bytes
  int64_t upper;      ///< bytes; INT64_MAX where unknown
  bool isShifted;     ///< its offset is computed: [lower, upper) is everything
  /// For what a block argument holds (Instances.h): the root whose
  /// instance it is, and the argument. Otherwise BERTH_NO_ROOT.
  uint32_t instanceOf;
  MlirValue holder;
  /// Of a merge (Merges.h): the buffer's own root, a write that had spoilt what
  /// was handed to `holder`, or null, and whether the buffer cannot be made
  /// anew while `holder` has it. Else BERTH_NO_ROOT.
  uint32_t mergedFrom;
  MlirOperation spoiltBy;
  bool isNewest;
  /// Of a merge: somebody hands it on to `holder`, and what is handed on may
  /// have been written before. Both are found out on the way (Flow.h).
  bool isHandedOn, isWritten;
  /// Of a merge that a select makes: that of the only value which the select
  /// may have the buffer from; else BERTH_NO_ROOT, or 0 of what is no merge.
  uint32_t chosenFrom;
  /// Of a piece (Pieces.h), or a merge: the root of its buffer, as it was when
  /// offsets were compared; else its own.
  uint32_t compared;
  /// Of a piece: the bytes of its buffer; else as above.
  int64_t bufferLower;
  int64_t bufferUpper;
  const void *arenaKey; ///< berthViewsArenaKey of the arena; NULL: ask for it
  /// Other workgroups of the cluster reach it, and nobody else whom no barrier
  /// of the cluster orders (ClusterRoots.h).
  bool isOfCluster;
} BerthRoot;

#define BERTH_NO_ROOT UINT32_MAX

/// A call in the scope, and a buffer that a function it leads to makes in a
/// global arena of the scope's: the function overwrites it.
typedef struct BerthCalleeBuffer {
  MlirOperation call;
  uint32_t root;
} BerthCalleeBuffer;

/// A view of a buffer that falls into pieces (Pieces.h), and the bytes that it
/// may be used for, from where the buffer starts.
typedef struct BerthPiece {
  MlirValue value;
  uint32_t root;
  int64_t lower;
  int64_t upper;
  bool isDense; ///< it has an element at each of them
} BerthPiece;

typedef struct BerthPieces {
  size_t count;
  const BerthPiece *items;
} BerthPieces;

/// What one value may point into.
typedef struct BerthRootSet {
  MlirValue value;
  size_t count;
  const uint32_t *ids; ///< sorted
  bool isWhole;        ///< addresses every byte of its only root, or its buffer
  bool isPieces;       ///< all of them are pieces of one buffer, and it has
                       ///< bytes of each
  bool isDense;        ///< of pieces: it addresses every byte of each
  bool isPending;      ///< waits to be propagated
} BerthRootSet;

typedef struct BerthViews {
  BerthMemory *memory;
  BerthCallees *callees;
  /// Arenas may lie in buffers of others: a heap's block, a frame. Then each
  /// layer is looked at by itself, so that an access is not taken for one to
  /// two buffers, of which it may be either.
  size_t numLayers;
  size_t numRoots, rootCapacity;
  BerthRoot *roots;
  size_t numCalleeBuffers, calleeBufferCapacity;
  BerthCalleeBuffer *calleeBuffers;
  size_t firstMerge;       ///< then come those of Merges.h
  size_t firstInstance;    ///< these come last; `numRoots` if there is none
  BerthPointerMap mergeOf; ///< value -> its first root of Merges.h
  /// isApart[a * numCompared + b]: what was root a when offsets were compared
  /// lies above root b, whatever the sizes are. NULL if no offset is computed.
  size_t numCompared;
  bool *isApart;
  size_t numSets, setCapacity;
  BerthRootSet *sets;
  BerthPointerMap setOf; ///< value -> index into `sets`
  /// Whose places the roots are (Contents.h); or NULL.
  const struct BerthContents *contents;
  /// What the ops do to the roots, if it has been listed (Access.h); or NULL.
  const struct BerthScopeAccesses *accesses;
  size_t *pending;
  size_t numPending, pendingCapacity;
} BerthViews;

/// The roots of a value, or NULL if there are none.
const BerthRootSet *berthViewsFind(const BerthViews *views, MlirValue value);

/// True if the root is one of them; `set` may be NULL.
bool berthRootSetHas(const BerthRootSet *set, uint32_t root);

/// True if the op is the view that begins a buffer; `*root` is that buffer, or
/// its first piece: the set of its result has all of them.
bool berthViewsMakes(const BerthViews *views, MlirOperation op, uint32_t *root);

/// True if such a view begins with bytes that nobody wants. One that keeps what
/// others wrote (berth.keeps) does not.
bool berthViewsMakesAnew(const BerthViews *views, MlirOperation op,
                         uint32_t *root);

/// Adds a root, or one more root to what `value` may point into, without
/// propagating it. The latter returns false if it was there.
uint32_t berthViewsAddRoot(BerthViews *views, BerthRoot root);
bool berthViewsAddToSet(BerthViews *views, MlirValue value, uint32_t id);

/// True if the op's only result is a view of the value, or computed of it and
/// of nothing else that is an address.
bool berthViewsMakesOnly(const BerthViews *views, MlirOperation op,
                         MlirValue value);

/// The place that arena=annotate gave an allocation: the attributes
/// berth.offset and berth.size. False if it has none.
bool berthViewsPlaceOf(MlirOperation op, int64_t *lower, int64_t *upper);

/// The memory that a placed allocation lies in.
MlirAttribute berthViewsPlacedSpace(MlirOperation op);

/// What an arena is known by: two values with one key are the same memory.
const void *berthViewsArenaKey(MlirValue arena);

/// What the root becomes where it is handed to `value`: itself, or the root of
/// that merge.
uint32_t berthViewsMergedRoot(const BerthViews *views, MlirValue value,
                              uint32_t root);

/// True if both are the same buffer, as it is or in a merge.
bool berthViewsAreOneBuffer(const BerthViews *views, uint32_t a, uint32_t b);

/// True if a write to the one is none to another buffer than the other: they
/// are one buffer, or one value is both of them.
bool berthViewsAreTogether(const BerthViews *views, uint32_t a, uint32_t b);

/// True if two different buffers have bytes in common. Instances have none.
bool berthViewsOverlap(const BerthViews *views, uint32_t a, uint32_t b);

/// The set of `value`, empty if it was not known. Lives until the next one is
/// added.
BerthRootSet *berthViewsFindOrAdd(BerthViews *views, MlirValue value);

/// Adds roots to what `value` may point into. `isWhole` tells whether it
/// addresses all bytes of the only root; merging sets forgets that. A set that
/// grows waits to be propagated.
void berthViewsAddRoots(BerthViews *views, MlirValue value, const uint32_t *ids,
                        size_t count, bool isWhole);

/// True if two values are the same memory.
bool berthViewsIsOneArena(MlirValue a, MlirValue b);

#endif // BERTH_LIB_IR_VERIFY_ROOTS_ROOTSETS_H
