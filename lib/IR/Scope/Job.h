//===- Job.h - One scope on its way through the pipeline ----------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_SCOPE_JOB_H
#define BERTH_LIB_IR_SCOPE_JOB_H

#include "IO/Json/PlanFile.h"
#include "IR/Ops/Backup.h"
#include "IR/Ops/Build.h"
#include "IR/Ops/Worklist.h"
#include "IR/Scope/ArenaOptions.h"
#include "IR/Scope/Points.h"
#include "IR/Scope/Scope.h"

/// What a plan costs in new barriers, and its bytes.
typedef struct BerthCurvePoint {
  size_t barriers;
  int64_t cost; ///< the barriers weighted by the loops around them
  int64_t bytes;
} BerthCurvePoint;

/// A stretch of the arena that is allocated by itself (ArenaParts.c).
typedef struct BerthPart {
  int64_t lower; ///< its first byte in the arena
  int64_t bytes;
  int64_t alignment; ///< bytes
  MlirValue value;   ///< once it has been created
} BerthPart;

/// A nest of loops that reads one buffer for the last time while it writes
/// another one for the first time (Overlap.h): whatever their offsets are, each
/// byte is read before it is written, unless the second one's offset minus the
/// first one's is strictly between `lower` and `upper`.
typedef struct BerthOverlap {
  size_t read; ///< buffers of the scope
  size_t written;
  MlirOperation nest;
  int64_t lower;
  int64_t upper;
} BerthOverlap;

/// A global in which several functions have their arenas.
typedef struct BerthSharedGlobal {
  int64_t bytes;
  int64_t alignment;
  MlirAttribute symbol; ///< once it has been created; else null
} BerthSharedGlobal;

/// A run-time arena, and the place where its offsets are computed (Homes.h).
typedef struct BerthHome {
  MlirBlock block;
  MlirOperation before; ///< everything is computed in front of this op
  bool isEntry;         ///< `before` is the first op of the scope
  bool isAllocation;    ///< `before` is the allocation: it knows its operands
  size_t numBuffers;
  size_t *buffers; ///< of the scope; once Order.c has run in the order of their
                   ///< offsets, those of one group together
  MlirValue arena;
} BerthHome;

/// A func.call of a function that has a job too.
typedef struct BerthCall {
  MlirOperation op;
  struct BerthJob *callee;
  /// The allocation that stands for the callee's arena, where its size is known
  /// at run time only (FrameSizes.h); else null.
  MlirOperation frame;
} BerthCall;

/// Functions that may run while they run (GlobalChecks.h): found once in a run
/// of the pass, when a job first asks.
typedef struct BerthReruns {
  bool isKnown;
  BerthWorklist others; ///< parallel or asynchronous code leads to them
  BerthWorklist named;  ///< an op that is no plain call does
} BerthReruns;

typedef struct BerthJob {
  const BerthArenaOptions *options;
  MlirOperation root;  ///< what the pass runs on
  BerthBackup *backup; ///< of it; the same for all jobs of a run
  BerthReruns *reruns; ///< in it; the same
  BerthMemory memory;
  BerthScope scope;
  BerthPoints points;
  BerthArenaForm form; ///< never AUTO once it is chosen
  // calls
  size_t numCalls;
  BerthCall *calls;    ///< of functions that threads share memory in
  BerthCallEnds given; ///< `isOpen`, before anything is planned (RunsApart.h)
  BerthCallEnds *ends; ///< once it is planned (CallEnds.h); NULL: unknown
  // called functions (CalleeArenas.h)
  bool isEmbedded;           ///< its callers hand it a part of their arenas
  const char *frameObstacle; ///< why they do not, where `frames` asks for it
  bool isPlanned;
  bool isOnlyAsked; ///< whether it fits; nothing is made of the plan
  size_t numBelow;
  struct BerthJob **below; ///< active with it, with the bytes below its own
                           ///< (ActiveScopes.h)
  MlirOperation sharer;    ///< the function, or the module, in whose global the
                           ///< arena lies with others; null: in its own
  BerthSharedGlobal *shared; ///< ... which is known once all are planned
  size_t numCallees;
  struct BerthJob **callees; ///< embedded ones that this scope calls
  size_t numOverlaps;
  BerthOverlap *overlaps;  ///< in the end those that the plan makes use of
  int64_t savedByOverlaps; ///< bytes of the arena
  struct BerthKnownReach *reaches; ///< what isl was asked for them, in a list
  // problem and plan
  const BerthPlanScope *kept; ///< the plan to follow (PlanFile.h), or NULL
  BerthProblem *problem;
  size_t numPlaced; ///< buffers of the problem
  size_t *bufferOf; ///< problem buffer -> scope buffer
  BerthPlan plan;
  int64_t arenaSize;      ///< bytes; 0: nothing is placed
  int64_t arenaAlignment; ///< bytes
  size_t numParts;        ///< 1, or more with split-arenas
  BerthPart *parts;       ///< by their first bytes
  size_t blocksTried;     ///< to be ordered anew (Schedule.h)
  size_t blocksOrdered;   ///< of these: that were
  size_t blocksProven;    ///< of these: whose order is now the best
  size_t fillsSunk;       ///< moved into loops (SinkFills.h)
  size_t copiesSaved;     ///< by what is made in place (ShortCircuit.h)
  int64_t bytesNotCopied;
  // all bytes of the scope where most are there (Excess.h)
  int64_t peakApart;    ///< with the allocations as they are
  int64_t peakTogether; ///< with the arena
  // memory that threads share (Residency.h)
  const BerthChip *chip; ///< NULL: unknown
  int64_t otherBytes;    ///< that the scope has in it besides the arena
  size_t numSizes;
  const int64_t *sizes; ///< of the arena, in bytes, that are worth barriers
  // barriers, in memory that threads share
  /// Buffers that meet and whose names tell them apart (Alternatives.h); NULL:
  /// not looked for, or none.
  const struct BerthAlternatives *alternatives;
  BerthBarriers barriersMode; ///< never AUTO once the form is chosen
  size_t numBarriers;
  MlirOperation *barriers; ///< a new barrier goes before each of these
  size_t numDrains;        ///< waits that were inserted before (Drains.h)
  size_t numFences;
  MlirOperation *fences; ///< the same; in front of a new barrier, if any
  size_t curveLength;
  BerthCurvePoint *curve; ///< by rising cost and falling bytes
  // run-time arenas; the first one, if any, is the entry home
  size_t numHomes;
  BerthHome *homes;
  size_t numDynamic;    ///< buffers in them
  MlirValue frameBytes; ///< once it is computed: of a frame, which callers tell
  // verdict
  BerthStatus status;
  bool isExplained;    ///< `explain` named two buffers of this scope
  bool isReported;     ///< the error was emitted at its own place already
  size_t *numTooLarge; ///< where plans above the capacity are counted, which
                       ///< are no errors yet; NULL: they are
  BerthError error;
} BerthJob;

/// True if the scope's arena holds buffers of dynamic size.
static inline bool berthHasEntryHome(const BerthJob *job) {
  return job->numHomes && job->homes[0].numBuffers;
}

/// True if the arena is a frame that the host's calls of the function bring.
static inline bool berthIsHostFrame(const BerthJob *job) {
  return job->isEmbedded && job->scope.kind == BERTH_SCOPE_FUNCTION &&
         !job->scope.isDevice && !berthScopeIsShared(&job->scope);
}

/// True if what the scope allocates by itself lies on the stack, or on the
/// heap; at most one of them.
static inline bool berthAllocatesOnStack(const BerthJob *job) {
  return (berthIsHostFrame(job) ? job->options->form : job->form) ==
         BERTH_ARENA_ALLOCA;
}
static inline bool berthAllocatesOnHeap(const BerthJob *job) {
  return job->form == BERTH_ARENA_ALLOC ||
         (berthIsHostFrame(job) && !berthAllocatesOnStack(job));
}

#endif // BERTH_LIB_IR_SCOPE_JOB_H
