//===- Scope.h - The data that the analysis stations hand on ------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//
//
// A *scope* owns one arena per memory space: a function, a gpu.func, a
// gpu.launch body or, for memory that threads do not share, the body of a
// parallel op, each run of which has an arena of its own. The pipeline
//
//   collect -> aliases -> liveness -> interference -> problem -> pack
//           -> verify -> apply
//
// fills in one BerthScope station by station; each field below names the
// station that writes it. Everything is allocated from the scope's own memory
// and dies with it; the IR is only borrowed, and only `apply` changes it.
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_SCOPE_SCOPE_H
#define BERTH_LIB_IR_SCOPE_SCOPE_H

#include "IR/Facts/Facts.h"
#include "Support/BumpMemory.h"
#include "berth-c/Pack.h"

/// What kind of code a scope is; decides the default space and arena form.
typedef enum BerthScopeKind {
  BERTH_SCOPE_FUNCTION,        ///< any function that no rule below covers
  BERTH_SCOPE_KERNEL,          ///< a gpu.func with the kernel attribute
  BERTH_SCOPE_DEVICE_FUNCTION, ///< another function in a gpu.module
  BERTH_SCOPE_LAUNCH           ///< a gpu.launch body
} BerthScopeKind;

/// How the threads of a workgroup come into a scope (Arrival.h).
typedef enum BerthArrival {
  BERTH_ARRIVAL_UNKNOWN,  ///< it may have callers that nobody sees
  BERTH_ARRIVAL_TOGETHER, ///< all of them, each as often as the others
  BERTH_ARRIVAL_DIVERGENT ///< it is called where threads disagree
} BerthArrival;

/// The most that is done to some memory.
typedef enum BerthDoing { BERTH_NOTHING, BERTH_READS, BERTH_WRITES } BerthDoing;

/// What is done to some memory before any barrier, and after all of them.
typedef struct BerthEnds {
  BerthDoing first;
  BerthDoing last;
} BerthEnds;

/// A function as its callers see it (CallEnds.h).
typedef struct BerthCallEnds {
  bool isOpen;          ///< some way from entry to exit crosses no barrier
  BerthEnds arena;      ///< of the function's arena, all of it
  BerthEnds *arguments; ///< of what each argument points to
} BerthCallEnds;

/// One op that touches a buffer. [lower, upper) are its program points: one
/// point for a simple op, the whole span for an op whose regions run in an
/// unknown order or at the same time.
typedef struct BerthAccess {
  MlirOperation op;
  MlirValue through; ///< the alias that it uses
  int64_t lower;
  int64_t upper;
  bool reads;
  bool writes;
  bool kills; ///< provably overwrites every byte before reading any
  /// It and what follows it do so together: what was there before is of no use
  /// from here on (Cover.h).
  bool startsCover;
  /// Of a TMA load: another access, which comes behind it in any case, shows
  /// its end (LoadRing.h), and who comes behind that is behind this one, too.
  bool isShownToEnd;
  /// Of a stop (FlowGraph.h) with regions: it is where the op is entered, and
  /// what its regions do is told by other stops.
  bool isEntry;
  /// Of a stop (FlowGraph.h) that is a call: what the called function does, or
  /// NULL where the call is one step that does it all.
  const struct BerthCallEnds *ends;
} BerthAccess;

/// What a user demands of a buffer's place (Constraints.h). BERTH_NONE:
/// nothing.
typedef struct BerthConstraints {
  int64_t pin;    ///< the offset it must have
  int64_t hint;   ///< the offset it would like
  int64_t weight; ///< of the hint
  int64_t number; ///< of its group, by the user
  int64_t bank;   ///< that it must lie in
  int64_t group;  ///< the first buffer of that group
  bool isAlone;   ///< it shares bytes with nobody
} BerthConstraints;

/// One allocation that may get a berth, or the arena of a called function
/// (CalleeArenas.h): then `alloc` is the first call, and `value` is null.
typedef struct BerthBufferInfo {
  // collect
  MlirOperation alloc;
  MlirValue value;
  MlirOperation callee; ///< the called function, or null
  size_t numCalls;
  MlirOperation *calls; ///< where it is called in this scope
  int64_t size;         ///< bytes; 0 if `isDynamic`
  int64_t alignment;    ///< bytes; raised by what its aliases need
  /// What code that nobody sees may rely on without a word: malloc's.
  int64_t promisedAlignment;
  bool isDynamic;    ///< its size is a product of values, placed at run time
  bool isBounded;    ///< its size at run time is `size` or less
  bool isLaterLife;  ///< split off from another one (SplitLives.h)
  bool isUntouched;  ///< nobody accesses it, so it may lie upon others
  bool isForeign;    ///< its type or layout is none of a view of its bytes
  int64_t unitBytes; ///< of these two: bytes per unit of all dynamic dimensions
  /// Why it is not placed, or NULL while it may be. Static storage or scope
  /// memory. `reasonAt` is the op that forbids it (the allocation by default).
  const char *reason;
  MlirOperation reasonAt;
  // aliases
  size_t numAliases;
  MlirValue *aliases; ///< every value that may point into it
  size_t numFrees;
  MlirOperation *frees; ///< deallocations of it
  bool leaks;           ///< its pointer got away: live to the scope's end
  MlirOperation leaksAt;
  const char *leakReason;
  bool leaksElsewhere;       ///< not only to other workgroups of its cluster
  bool isOfCluster;          ///< it is theirs where its live range says so only
                             ///< (ClusterHold.h)
  const char *clusterReason; ///< why other workgroups may use it to the end of
                             ///< the kernel; NULL: they may not, or it is not
                             ///< they alone
  MlirOperation clusterReasonAt; ///< the op that this comes from; or null
  size_t numAccesses;
  BerthAccess *accesses; ///< sorted by lower; may have equal ops
  // liveness
  size_t numCovers;
  BerthAccess *covers; ///< entries of ops with regions that start a cover
  size_t numSegments;
  BerthSegment *segments;
  /// Times at which only some of its bytes are wanted (ByteRanges.h), in the
  /// end those that the plan makes use of.
  size_t numGaps;
  BerthGap *gaps;
  // constraints
  BerthConstraints *constraints; ///< NULL: none
  uint64_t banks; ///< that it may lie in, a bit each; 0: the memory has none
  // in place
  int64_t group;      ///< buffers with the same one share an offset; BERTH_NONE
  size_t nextInGroup; ///< another one of them, around in a ring
  MlirOperation writtenBy; ///< the op, or loop, that writes it over a dying one
  // pack
  int64_t offset;
  size_t home; ///< if `isDynamic`: the run-time arena that it lies in
  // apply, if `isDynamic`
  MlirValue shift; ///< its offset
  MlirValue count; ///< the product of its dynamic dimensions
  MlirValue bytes; ///< the bytes that it takes there
  MlirValue fits;  ///< that its size is not negative or too large; may be null
} BerthBufferInfo;

/// Two groups of one offset that became one (Groups.h).
typedef struct BerthLink {
  size_t a; ///< members
  size_t b;
  MlirOperation writtenBy; ///< what writes `b` over `a`; null: nothing does
  bool isCut;              ///< left out of the groups
} BerthLink;

/// An op that a pointer into a buffer reaches, and that somebody is told of.
typedef struct BerthNotedOp {
  MlirOperation op;
  size_t buffer; ///< BERTH_NOT_FOUND: some buffer, through a call
} BerthNotedOp;

typedef struct BerthScope {
  MlirOperation op; ///< the function-like op, gpu.launch or parallel op
  MlirRegion body;
  BerthScopeKind kind; ///< of a parallel op: that of the scope around it
  bool isIteration;    ///< a parallel op's body: it runs many times at once
  bool isAmongThreads; ///< threads run some function of the program
  /// Nothing but its memory says that threads run it
  /// (berthFindThreadFunctions).
  bool isThreadedByMemory;
  /// Of a kernel: it does not ask which thread runs it, so that each thread may
  /// be given its number, or what follows from it, as an argument.
  bool mayGetNumber;
  MlirAttribute space; ///< memory space of its arena; null: the default one
  bool isDevice;       ///< its arena is memory of another device (gpu.alloc)
  size_t numSkipped;   ///< allocations elsewhere that threads may share
  // Known for memory that threads share:
  BerthArrival arrival;
  bool runsAreApart; ///< a barrier lies between any two runs (RunsApart.h)
  struct BerthUniformity *uniformity; ///< what Uniformity.h has found, or NULL
  /// Uniform is what all workgroups of a cluster agree on (Uniformity.h).
  bool agreesInCluster;
  bool hasCores; ///< the order of ops is not that of time (CoreHold.h)
  /// Null, or an op that several cores come to and that a unit is taken to run
  /// once, since a description says so.
  MlirOperation takenForOnce;
  size_t numBuffers;
  BerthBufferInfo *buffers; ///< in program order
  size_t numLinks;
  BerthLink *links; ///< what made groups of the buffers; room for all of them
  size_t numNoted;
  BerthNotedOp *noted;
  BerthMemory *memory; ///< everything above lives here
} BerthScope;

/// What allocations of device memory are surely multiples of, in bytes: no
/// attribute of theirs tells it, and code relies on it.
enum { BERTH_DEVICE_ALIGNMENT = 256 };

/// What malloc's addresses are multiples of on all common machines.
enum { BERTH_MALLOC_ALIGNMENT = 16 };

/// An allocation's attribute: it was split off from another one (SplitLives.h).
#define BERTH_LIFE "berth.life"

/// True for workgroup memory: #gpu.address_space<workgroup> and other names of
/// it, or 3 in a program that threads run.
bool berthScopeIsShared(const BerthScope *scope);

/// True if its memory is tensor memory (TensorMemory.h).
bool berthScopeIsOfTensors(const BerthScope *scope);

/// True for the spaces of which that may be so.
bool berthSpaceMayBeShared(MlirAttribute space);

/// Compares the first points of two accesses, or of what begins with one, for
/// qsort.
int berthCompareAccesses(const void *left, const void *right);

/// The buffer's first access at this point or behind it, of those sorted so;
/// numAccesses if there is none.
size_t berthFirstAccessFrom(const BerthBufferInfo *buffer, int64_t point);

/// True if the buffer's other names are views of it: none is carried, merged or
/// returned.
bool berthIsSeenThroughViews(const BerthBufferInfo *buffer);

/// The group that the user put it into, or BERTH_NONE.
int64_t berthOwnGroup(const BerthBufferInfo *buffer);

/// May two buffers have one offset, as far as the user's constraints and the
/// banks of their memory tell?
bool berthMayCoincide(const BerthBufferInfo *a, const BerthBufferInfo *b);

/// Marks a buffer as not placed, unless it is so already.
void berthRejectBuffer(BerthBufferInfo *buffer, const char *reason,
                       MlirOperation at);

#endif // BERTH_LIB_IR_SCOPE_SCOPE_H
