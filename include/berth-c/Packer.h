//===- Packer.h - Writing a packer --------------------------------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//
//
// The seam between Berth and a packing algorithm, built in or loaded from a
// shared object. It is a stable C ABI: every struct begins with its version and
// its size, fields are only ever appended, and whatever a packer may ask of
// Berth arrives in a table of functions, so a plugin resolves no symbol. What
// stands in arrays (pieces, ranges, edges, cuts, pools) has no size of its own
// and never changes under one version of the ABI.
//
//     BerthProblemData --normalise--> BerthTask --packer--> BerthAnswer
//                                         ^                     |
//        conflict queries, steps, memory: BerthHost             v
//                          BerthPlan <--expand, judge, verify---+
//
// A packer sees a *task*: the problem with colocated buffers merged into one
// item, with times merged into *sections* (one for each maximal set of items
// that are live together, numbered in order of time), and with what the packer
// cannot handle made coarser (see BERTH_CAN_*: without SEGMENTS a live range
// with holes is its hull, without GAPS a window is the whole item, without
// PRICED_EDGES an edge that could be bought off is hard, without DISTANCES what
// is live together keeps apart). What the packer can
// neither handle nor be spared is refused by name before it is called.
//
// Berth verifies every answer and computes peak, prices and status itself: a
// packer can fail, but it cannot make a wrong plan pass.
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_C_PACKER_H
#define BERTH_C_PACKER_H

#include "berth-c/Pack.h"

BERTH_EXTERN_C_BEGIN

/// The ABI described here. A plugin built for an older one keeps working as
/// long as the host knows it; a newer one is refused.
#define BERTH_PACKER_ABI 1

//===---------------------------------------------------------------------===//
// What the packer is given
//===---------------------------------------------------------------------===//

/// A rectangle of an item: during the sections [lower, upper) its bytes
/// [low, high), relative to its offset, are occupied. A plain item is one
/// piece with low 0 and high its size.
typedef struct BerthPiece {
  uint32_t lower;
  uint32_t upper;
  int64_t low;
  int64_t high;
} BerthPiece;

/// A distance as one of its two items sees it: that of `other`, its offset
/// minus the item's own, is free outside the open interval (lower, upper),
/// whatever their pieces say.
typedef struct BerthItemDistance {
  uint32_t other;
  bool spared; ///< the item is the second of the two: where both are live, the
               ///< load counts it without what it may share
  int64_t lower;
  int64_t upper;
} BerthItemDistance;

/// The reduced problem. Items are numbered in the order of their first buffer.
/// Everything belongs to the host and outlives the call to `pack`.
typedef struct BerthTask {
  uint32_t version; ///< BERTH_PACKER_ABI
  uint32_t size;    ///< sizeof(BerthTask) as the host was compiled

  uint32_t numItems;
  uint32_t numSections;
  const int64_t *sizes;        ///< bytes, > 0
  const int64_t *alignments;   ///< >= 1; colocated: the least common multiple
  const int64_t *fixedOffsets; ///< or BERTH_NONE
  const int64_t *hints;        ///< or BERTH_NONE
  const int64_t *weights;
  const uint64_t *poolMasks;   ///< bit p: may live in pool p; never 0. A fixed
                               ///< item has one bit: its pool is settled such
                               ///< that fixed items agree
  const uint32_t *lowers;      ///< first section of the item's hull
  const uint32_t *uppers;      ///< one past the last; lower < upper always
  const int64_t *begins;       ///< the hull in the caller's times, which only
  const int64_t *ends;         ///< serves to order items as a heuristic likes
  const int64_t *sectionLoads; ///< bytes occupied in each section, at least
  const uint32_t *pieceBegin;  ///< numItems + 1 positions in `pieces`
  const BerthPiece *pieces;    ///< by section, then byte; disjoint per item

  /// Hard edges, both ways: the items that item i must not share with are
  /// hardEdges[hardBegin[i]] to hardEdges[hardBegin[i + 1] - 1], ascending.
  const uint32_t *hardBegin;
  const uint32_t *hardEdges;
  /// Edges that can be bought off; `first` and `second` are items.
  uint32_t numPricedEdges;
  const BerthEdge *pricedEdges;
  uint32_t numCuts;
  const BerthCut *cuts;

  /// At least one: a problem without pools has one, free of cost, with the
  /// problem's capacity and reserved ranges (sorted, disjoint).
  uint32_t numPools;
  const BerthPool *pools;
  int64_t capacity; ///< of the problem; 0: none

  uint32_t features;  ///< the BERTH_CAN_* bits that this task makes use of
  int64_t load;       ///< largest sum of occupied bytes in any section
  int64_t lowerBound; ///< no plan's peak is below: load, tallest item, pins
  int64_t unit;       ///< greatest common divisor of sizes, alignments,
                      ///< windows, pins, hints, reserved bounds and capacity
  bool minimize;      ///< go on below a capacity that is already met
  uint64_t seed;
  unsigned threads;      ///< how many the caller allows, >= 1
  const char *proofFile; ///< where to write a proof log, or NULL
  /// Size x weight of each item, summed over its buffers: what the cost of its
  /// pool is multiplied by.
  const int64_t *weightedSizes;

  /// As poolMasks, but a fixed item has all pools that it may live in.
  const uint64_t *allowedPools;

  /// The number of each item where items are counted by their first buffers, as
  /// in a proof log. Here they stand in an order that does not depend on rows.
  const uint32_t *rowNumbers;

  /// Distances, both ways: those of item i are distances[distanceBegin[i]] to
  /// distances[distanceBegin[i + 1] - 1], by `other`, one for a pair. NULL
  /// where there are none.
  const uint32_t *distanceBegin;
  const BerthItemDistance *distances;
} BerthTask;

/// Why a bound holds: for what is live in the sections [lower, upper), or for
/// these items, or, where both are empty, for all there are.
typedef struct BerthBound {
  BerthBoundReason reason;
  uint32_t lower;
  uint32_t upper;
  uint32_t numItems;
  const uint32_t *items; ///< from the host's `allocate`
} BerthBound;

/// A packer's answer, one entry an item. The host allocates and presets the
/// arrays (offsets BERTH_NONE, pools 0, no cut bought) before it calls `pack`.
typedef struct BerthAnswer {
  uint32_t version;
  uint32_t size;
  int64_t *offsets;
  uint32_t *pools;
  uint8_t *cutsBought;
  int64_t lowerBound;    ///< proven by the packer; 0: none beyond the task's
  uint32_t provenLevels; ///< BERTH_LEVEL_*; only with BERTH_CAN_PROVE
  bool infeasible;       ///< proven; only with BERTH_CAN_INFEASIBLE
  bool conflictIrreducible;
  uint32_t numConflict; ///< items that cannot fit together
  uint32_t *conflict;   ///< from the host's `allocate`
  BerthStopReason stopped;
  BerthBound bound; ///< of `lowerBound`; preset: the packer says so
} BerthAnswer;

/// What a packer may ask of Berth. `context` is the first argument of each.
/// A host belongs to one thread.
typedef struct BerthHost {
  uint32_t version;
  uint32_t size;
  void *context;

  /// The items that item i conflicts with (a piece in a common section, or a
  /// hard edge), without i, by first section, then index. Writes up to
  /// `capacity` of them and returns how many there are.
  size_t (*neighbours)(void *context, uint32_t i, uint32_t *out,
                       size_t capacity);

  /// The values of offset(j) - offset(i) that are forbidden in a common pool,
  /// as open intervals (lower, upper), ascending and disjoint. Plain items
  /// that meet have one, (-size j, size i); items that never meet have none.
  /// Writes up to `capacity` of them and returns how many there are.
  size_t (*conflicts)(void *context, uint32_t i, uint32_t j, BerthRange *out,
                      size_t capacity);

  /// Spends steps of the budget (one step: about one item looked at). False:
  /// stop now and answer with the best there is. Once false, always false.
  bool (*step)(void *context, uint64_t count);

  /// Zeroed memory, freed after `pack` returns. NULL when there is none.
  void *(*allocate)(void *context, size_t bytes);

  /// Hands over a complete plan better than those before. The host copies it;
  /// it is what remains should the packer be stopped from outside. What is not
  /// complete is passed over.
  void (*report)(void *context, const BerthAnswer *answer);
} BerthHost;

//===---------------------------------------------------------------------===//
// What the packer is
//===---------------------------------------------------------------------===//

typedef struct BerthPacker BerthPacker;
struct BerthPacker {
  uint32_t version;      ///< BERTH_PACKER_ABI
  uint32_t size;         ///< sizeof(BerthPacker) as the packer was compiled
  const char *name;      ///< as in --packer=NAME
  const char *summary;   ///< one line: what it does and where it comes from
  uint32_t capabilities; ///< BERTH_CAN_* bits
  uint64_t defaultSteps; ///< budget where the caller names none; 0: no limit
  const void *userData;  ///< the packer's own, e.g. its row of a table
  /// Fills in the answer. Deterministic: the same task, seed and number of
  /// steps give the same answer. BERTH_RESOURCE when memory runs out,
  /// BERTH_INVALID where its offsets would not fit 63 bits.
  BerthStatus (*pack)(const BerthPacker *self, const BerthTask *task,
                      const BerthHost *host, BerthAnswer *answer);
  /// BERTH_PACKER_ONE_SHOT, or 0. Added later: a packer whose `size` ends
  /// before this field has no traits.
  uint32_t traits;
};

/// The packer makes one plan and is done, however long that takes, instead of
/// looking for better ones as long as there are steps. `auto` runs all of these
/// that are registered.
enum { BERTH_PACKER_ONE_SHOT = 1 << 0 };

/// The one symbol of a plugin, exported under this name:
///     const BerthPacker *berthPackerPlugin(uint32_t abi);
/// `abi` is the newest that the host knows. The plugin returns a packer that
/// lives as long as the shared object, or NULL if it cannot serve that ABI.
typedef const BerthPacker *(*BerthPackerPluginEntry)(uint32_t abi);

//===---------------------------------------------------------------------===//
// Using a packer that is not in the table
//===---------------------------------------------------------------------===//

/// A packer loaded from a shared object.
typedef struct BerthPlugin BerthPlugin;

/// Loads `path` and asks it for its packer. The code of the plugin runs in the
/// caller's process from here on: whoever does not trust it loads it in a
/// child. NULL on failure; the error names the file and what is wrong.
BERTH_EXPORT BerthPlugin *berthPackerLoad(const char *path, BerthError *error);
BERTH_EXPORT void berthPackerUnload(BerthPlugin *plugin);
BERTH_EXPORT const BerthPacker *berthPluginGetPacker(const BerthPlugin *plugin);

/// As berthPack, with a packer of the caller's; `options->packer` is not read.
BERTH_EXPORT BerthStatus berthPackWith(const BerthPacker *packer,
                                       const BerthProblemData *problem,
                                       const BerthPackOptions *options,
                                       BerthPlan *plan, BerthError *error);

/// The registered packer itself. `index` < berthPackerCount().
BERTH_EXPORT const BerthPacker *berthPackerGet(size_t index);

BERTH_EXTERN_C_END

#endif // BERTH_C_PACKER_H
