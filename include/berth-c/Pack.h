//===- Pack.h - Problems, plans and packers ------------------------ C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//
//
// The packing core. A *problem* is a set of buffers, each with a size in bytes
// and the times at which its bytes must survive; a *plan* gives every buffer an
// offset; a *packer* is an algorithm from problem to plan. Two buffers that
// are live at a common time, or that an edge keeps apart, must not share bytes.
// The field calls this dynamic storage allocation or offset assignment.
//
//   bytes ^        The area is the arena. A buffer is a box: as wide as its
//         |  +--+  live range, as high as its size. Packing slides the boxes
//         |  |b |  up and down, never sideways, until none overlap and the
//         | ++--+  highest top (the peak) is as low as possible. The load, the
//         | |  a |  largest sum of live sizes at any time, bounds every peak
//         +-+----+-> time                                          from below.
//
// This library knows nothing of MLIR and links libc and libm only.
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_C_PACK_H
#define BERTH_C_PACK_H

#include "berth-c/Support.h"

BERTH_EXTERN_C_BEGIN

//===---------------------------------------------------------------------===//
// Problem: plain data
//===---------------------------------------------------------------------===//

/// "No value" in fields that hold an offset, a hint, a group or a pool.
#define BERTH_NONE (-1)

/// Times [lower, upper) at which a buffer's bytes must survive. lower < upper.
typedef struct BerthSegment {
  int64_t lower;
  int64_t upper;
} BerthSegment;

/// Times [lower, upper) at which only a window of the buffer is occupied: its
/// bytes [windowLower, windowUpper), relative to its start. An empty window
/// (windowLower == windowUpper) means that nothing is occupied then.
/// (minimalloc's gaps.)
typedef struct BerthGap {
  int64_t lower;
  int64_t upper;
  int64_t windowLower;
  int64_t windowUpper;
} BerthGap;

/// A range of bytes [lower, upper) of a pool that no buffer may use. Like
/// capacities and edges it binds whole buffers; only the live ranges of two
/// buffers against each other know windows.
typedef struct BerthRange {
  int64_t lower;
  int64_t upper;
} BerthRange;

/// What a use does to the content.
typedef enum BerthUseKind {
  BERTH_USE_READ = 0,
  BERTH_USE_UPDATE = 1, ///< changes it, and needs the old one
  BERTH_USE_WRITE = 2   ///< overwrites all of it
} BerthUseKind;

/// Times [lower, upper) at which something touches the buffer. Packing needs
/// no uses; berthFit does (berth-c/Fit.h).
typedef struct BerthBufferUse {
  int64_t lower;
  int64_t upper;
  BerthUseKind kind;
  int64_t bytes; ///< touched, counted again each time; 0: its size
  int64_t make;  ///< what it costs to make the content again right in front
                 ///< of it, instead of keeping or moving it; 0: not possible
  /// Where it can be served from the slow memory slice by slice, the bytes of
  /// the fast memory that a slice takes meanwhile, at most its size; 0: it
  /// cannot.
  int64_t tile;
  int64_t slices; ///< what moving all slices costs, where there is a tile
} BerthBufferUse;

/// One buffer. Sizes and offsets are in bytes.
typedef struct BerthBuffer {
  const char *id;      ///< name for people; unique; NULL: "b<index>"
  int64_t size;        ///< > 0
  int64_t alignment;   ///< >= 1, any number; binds the offset
  int64_t fixedOffset; ///< the offset it must have, or BERTH_NONE
  int64_t hint;        ///< the offset it would like, or BERTH_NONE
  int64_t weight;      ///< >= 0, scales pool cost and hint distance
  int64_t group;       ///< buffers with the same group become one: as large
                       ///< as the largest, live when any is (colocation); or
                       ///< BERTH_NONE
  uint64_t pools;      ///< bit p: may live in pool p; 0: in any pool
  size_t numSegments;  ///< >= 1
  const BerthSegment *segments; ///< sorted, disjoint
  size_t numGaps;
  const BerthGap *gaps; ///< sorted, disjoint, each within one segment
  size_t numUses;
  const BerthBufferUse *uses; ///< sorted, disjoint, each within one segment
  bool backed; ///< its content comes from elsewhere (berth-c/Fit.h);
               ///< then it has one segment
} BerthBuffer;

/// Default field values (alignment 1, no pin, no hint, weight 1, no group,
/// any pool, no segments, no uses); the caller fills in size and segments.
BERTH_EXPORT BerthBuffer berthBufferDefault(void);

/// Something that can be bought to free pairs from their edges, e.g. a barrier
/// at one place of a kernel. Paid once, however many pairs it frees.
typedef struct BerthCut {
  const char *id; ///< name for people, or NULL
  int64_t price;  ///< >= 0
} BerthCut;

/// A set of cuts, by index; all of them must be bought to take effect.
typedef struct BerthCutSet {
  size_t numCuts;
  const uint32_t *cuts;
} BerthCutSet;

/// Keeps two buffers apart whatever their times. Without alternatives the edge
/// is hard; otherwise it falls away once all cuts of one alternative are
/// bought (then only the live ranges speak).
typedef struct BerthEdge {
  uint32_t first;
  uint32_t second;
  size_t numAlternatives;
  const BerthCutSet *alternatives;
} BerthEdge;

/// Lets two buffers share bytes although they are live together: where their
/// *distance*, the offset of `second` minus that of `first`, is not strictly
/// between `lower` and `upper`. So `second` may be written over `first` from
/// behind, or from ahead, while `first` is still read. Of buffers in groups it
/// speaks of the groups; edges keep apart whatever a distance allows. There is
/// at most one between two buffers or groups.
typedef struct BerthDistance {
  uint32_t first;
  uint32_t second;
  int64_t lower; ///< at least minus the size of `second`
  int64_t upper; ///< above `lower`, at most the size of `first`
} BerthDistance;

/// A memory of its own. A problem without pools has one, free of cost, whose
/// capacity is the problem's.
typedef struct BerthPool {
  const char *id;
  int64_t capacity; ///< bytes; 0: unbounded (only the last pool may be)
  int64_t cost;     ///< per byte and weight, >= 0
  size_t numReserved;
  const BerthRange *reserved;
} BerthPool;

/// A whole problem, for reading. Arrays may be NULL where their count is 0.
typedef struct BerthProblemData {
  size_t numBuffers;
  const BerthBuffer *buffers;
  size_t numEdges;
  const BerthEdge *edges;
  size_t numCuts;
  const BerthCut *cuts;
  size_t numPools;
  const BerthPool *pools;
  size_t numReserved; ///< of the single pool, if numPools is 0
  const BerthRange *reserved;
  int64_t capacity; ///< bytes; 0: none
  size_t numDistances;
  const BerthDistance *distances;
} BerthProblemData;

/// A problem under construction; owns copies of everything added to it.
typedef struct BerthProblem BerthProblem;

/// An empty problem, which the caller destroys; NULL when memory runs out.
BERTH_EXPORT BerthProblem *berthProblemCreate(void);
/// NULL is allowed.
BERTH_EXPORT void berthProblemDestroy(BerthProblem *problem);

/// Each copies what it is given (strings and arrays too) and checks nothing;
/// those that add an element return its index, counted from 0, or UINT32_MAX
/// when memory ran out. One need not look at that: berthProblemGetData then
/// returns NULL, which berthPack reports.
BERTH_EXPORT uint32_t berthProblemAddBuffer(BerthProblem *problem,
                                            const BerthBuffer *buffer);
BERTH_EXPORT uint32_t berthProblemAddEdge(BerthProblem *problem,
                                          const BerthEdge *edge);
BERTH_EXPORT uint32_t berthProblemAddCut(BerthProblem *problem,
                                         const BerthCut *cut);
BERTH_EXPORT uint32_t berthProblemAddDistance(BerthProblem *problem,
                                              const BerthDistance *distance);
BERTH_EXPORT uint32_t berthProblemAddPool(BerthProblem *problem,
                                          const BerthPool *pool);
BERTH_EXPORT void berthProblemAddReserved(BerthProblem *problem,
                                          BerthRange range);
BERTH_EXPORT void berthProblemSetCapacity(BerthProblem *problem,
                                          int64_t capacity);

/// The problem as plain data, owned by the problem and valid until its next
/// change. NULL if memory ran out while it was built.
BERTH_EXPORT const BerthProblemData *
berthProblemGetData(const BerthProblem *problem);

/// Checks every rule stated above, that ids are unique, that pins and edges do
/// not contradict each other, and that no sum reaches 2^63. On failure the
/// error names the buffer and the value, and `*badBuffer` (if not NULL) its
/// index, or SIZE_MAX where no single buffer is to blame.
BERTH_EXPORT BerthStatus berthProblemCheck(const BerthProblemData *problem,
                                           size_t *badBuffer,
                                           BerthError *error);

/// The baseline of the reports: the bytes that an online allocator, which
/// cannot look ahead, would have used for these lifetimes (the packer `heap`,
/// its bookkeeping included; see berth-c/Heap.h). BERTH_NONE if it cannot
/// handle the problem.
BERTH_EXPORT int64_t berthProblemOnlineBytes(const BerthProblemData *problem);

/// The load: the largest sum of occupied sizes at any time (all pools
/// together; bytes that distances let two buffers share count once), and the
/// first time at which it is reached (`*time` may be NULL). The problem must
/// have passed the check. BERTH_NONE if memory runs out.
BERTH_EXPORT int64_t berthProblemLoad(const BerthProblemData *problem,
                                      int64_t *time);

//===---------------------------------------------------------------------===//
// Plan
//===---------------------------------------------------------------------===//

typedef enum BerthPlanStatus {
  BERTH_PLAN_OPTIMAL = 0,    ///< proven: no plan is better, hints aside
                             ///< (BerthPlan.provenLevels)
  BERTH_PLAN_FEASIBLE = 1,   ///< valid and fits, no proof of optimality
  BERTH_PLAN_INFEASIBLE = 2, ///< proven: nothing fits the capacity
  BERTH_PLAN_BUDGET = 3      ///< nothing fitting was found; the best one is
                             ///< returned (valid but over capacity)
} BerthPlanStatus;

typedef enum BerthStopReason {
  BERTH_STOP_BOUND = 0,     ///< the peak met a lower bound
  BERTH_STOP_EXHAUSTED = 1, ///< the algorithm ran to its end
  BERTH_STOP_FIT = 2,       ///< the first plan that fits the capacity
  BERTH_STOP_STEPS = 3,
  BERTH_STOP_TIME = 4,
  BERTH_STOP_INTERRUPT = 5
} BerthStopReason;

/// Why no plan has a smaller peak than the lower bound.
typedef enum BerthBoundReason {
  BERTH_BOUND_LOAD = 0,      ///< so many bytes are live at one time
  BERTH_BOUND_BUFFER = 1,    ///< one buffer ends there
  BERTH_BOUND_ALIGNMENT = 2, ///< what is live at one time, with sizes rounded
                             ///< up to an alignment
  BERTH_BOUND_FIXED = 3,     ///< what is live at one time must go round pins
                             ///< and reserved bytes
  BERTH_BOUND_CLIQUE = 4,    ///< buffers all of which keep apart, though not
                             ///< all are live at one time, or parts of them
  BERTH_BOUND_ORDER = 5,     ///< such buffers leave holes in whatever order
  BERTH_BOUND_SUMS = 6,      ///< no sum of sizes lies below
  BERTH_BOUND_WINDOW = 7,    ///< exact search refuted less for what is live
                             ///< within some time
  BERTH_BOUND_SEARCH = 8,    ///< exact search refuted less
  BERTH_BOUND_STATED = 9     ///< so says whoever made the plan
} BerthBoundReason;

/// Levels of the lexicographic objective, as bits of `provenLevels`. Fitting
/// comes before all of them; where there is a capacity, the price comes before
/// the peak.
enum {
  BERTH_LEVEL_POOL_COST = 1,
  BERTH_LEVEL_PEAK = 2,
  BERTH_LEVEL_PRICE = 4,
  BERTH_LEVEL_HINTS = 8
};

/// A plan. Arrays have one entry per buffer (offsets, pools) or per cut
/// (cutsBought) and belong to the plan.
typedef struct BerthPlan {
  size_t numBuffers;
  int64_t *offsets;
  uint32_t *pools; ///< all 0 where the problem has no pools
  size_t numCuts;
  uint8_t *cutsBought; ///< 0 or 1
  int64_t peak;        ///< highest top of any buffer; with several pools, the
                       ///< sum of their highest tops
  int64_t load;
  int64_t lowerBound; ///< no plan has a smaller peak; >= load
  int64_t price;      ///< of the cuts bought
  int64_t poolCost;
  int64_t hintDistance;
  BerthPlanStatus status;
  BerthStopReason stopped;
  uint32_t provenLevels;
  uint64_t steps;     ///< the least budget that leads to this very plan: what
                      ///< was used, and one more if the run was not stopped
  const char *packer; ///< its name, which lives as long as the packer
  size_t numConflict; ///< for INFEASIBLE: buffers that cannot fit together
  uint32_t *conflict;
  bool conflictIrreducible;
  /// Why no plan is below `lowerBound`: these buffers alone already need it,
  /// all there are where none is named. They are live within the times
  /// [boundFrom, boundTo), which is one time where they all are live then.
  BerthBoundReason boundReason;
  int64_t boundFrom;
  int64_t boundTo;
  size_t numBoundBuffers;
  uint32_t *boundBuffers; ///< ascending
} BerthPlan;

/// Frees what the plan owns and zeroes it. A zeroed plan may be freed.
BERTH_EXPORT void berthPlanFree(BerthPlan *plan);

/// The independent verifier. It shares no code with any packer and checks byte
/// by byte semantics: pins, alignment, pools, reserved ranges, groups, edges
/// (with the cuts that the plan bought), distances, windows, and that the peak
/// is what the offsets make it. On failure the error names both buffers, their
/// bytes and a common time.
BERTH_EXPORT BerthStatus berthPlanVerify(const BerthProblemData *problem,
                                         const BerthPlan *plan,
                                         BerthError *error);

//===---------------------------------------------------------------------===//
// Packing
//===---------------------------------------------------------------------===//

/// How to pack. Zero-initialised (or NULL) means: packer "auto", default
/// budget, no time limit, stop at the first plan that fits a capacity.
typedef struct BerthPackOptions {
  const char *packer;    ///< NULL: the default packer
  uint64_t steps;        ///< step budget; 0: the packer's default
  double timeLimit;      ///< seconds; 0: none (opt-in: not reproducible)
  bool minimize;         ///< go on below a capacity that is already met
  bool unexplained;      ///< where nothing fits, spend no steps on a conflict
  unsigned threads;      ///< 0 or 1: one; more never changes the answer
  uint64_t seed;         ///< for packers with randomness; 0 is a fixed default
  const char *proofFile; ///< where to write a proof log, or NULL
  /// Polled now and then, in the thread that called berthPack, as is
  /// `progress`; return true to stop with the best plan so far.
  bool (*interrupted)(void *userData);
  /// Told of each improvement and now and then in between.
  void (*progress)(void *userData, int64_t bestPeak, int64_t lowerBound,
                   uint64_t steps);
  void *userData;
} BerthPackOptions;

/// Checks the problem, packs it and verifies the plan. This is the one way in:
/// no plan leaves it unverified. Returns BERTH_INVALID for a bad problem or an
/// unknown packer, BERTH_INTERNAL if the packer's plan fails verification. An
/// infeasible problem is no error: look at the plan's status. `plan` is
/// overwritten, with zeros on failure; free it with berthPlanFree. Calls in
/// several threads do not disturb each other.
BERTH_EXPORT BerthStatus berthPack(const BerthProblemData *problem,
                                   const BerthPackOptions *options,
                                   BerthPlan *plan, BerthError *error);

/// What a packer can do without help; berthPack refuses the rest by name.
enum {
  BERTH_CAN_SEGMENTS = 1 << 0, ///< exact holes in live ranges (else it uses
                               ///< the hull: "segments: conservative")
  BERTH_CAN_GAPS = 1 << 1,     ///< windows exactly (else: whole buffer)
  BERTH_CAN_ALIGNMENT = 1 << 2,
  BERTH_CAN_FIXED = 1 << 3,
  BERTH_CAN_HINTS = 1 << 4,
  BERTH_CAN_HARD_EDGES = 1 << 5,
  BERTH_CAN_PRICED_EDGES = 1 << 6, ///< else: taken as hard
  BERTH_CAN_GROUPS = 1 << 7,
  BERTH_CAN_RESERVED = 1 << 8,
  BERTH_CAN_POOLS = 1 << 9,
  BERTH_CAN_CAPACITY = 1 << 10, ///< uses it to guide the search
  BERTH_CAN_PROVE = 1 << 11,    ///< may claim optimal beyond peak == bound
  BERTH_CAN_INFEASIBLE = 1 << 12,
  BERTH_CAN_DISTANCES = 1 << 13 ///< else: what is live together keeps apart
};

/// The registered packers, in the order of their table. Each `index` is below
/// berthPackerCount(); names and summaries are static storage.
BERTH_EXPORT size_t berthPackerCount(void);
BERTH_EXPORT const char *berthPackerName(size_t index);
/// One line: what it does and the paper or program it comes from.
BERTH_EXPORT const char *berthPackerSummary(size_t index);
BERTH_EXPORT uint32_t berthPackerCapabilities(size_t index);
/// The index of a name, or SIZE_MAX.
BERTH_EXPORT size_t berthPackerFind(const char *name);

BERTH_EXTERN_C_END

#endif // BERTH_C_PACK_H
