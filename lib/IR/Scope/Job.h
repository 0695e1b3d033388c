//===- Job.h - One scope on its way through the pipeline ----------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_SCOPE_JOB_H
#define BERTH_LIB_IR_SCOPE_JOB_H

#include "IR/Ops/Backup.h"
#include "IR/Ops/Build.h"
#include "IR/Passes/ArenaPass.h"
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
/// A run-time arena: see Dynamic.h.
typedef struct BerthHome BerthHome;

/// A func.call of a function that has a job too.
typedef struct BerthCall {
  MlirOperation op;
  struct BerthJob *callee;
} BerthCall;

typedef struct BerthJob {
  const BerthArenaOptions *options;
  MlirOperation root;  ///< what the pass runs on
  BerthBackup *backup; ///< of it; the same for all jobs of a run
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
  bool isEmbedded; ///< its callers hand it a part of their arenas
  bool isPlanned;
  size_t numCallees;
  struct BerthJob **callees; ///< embedded ones that this scope calls
  // problem and plan
  BerthProblem *problem;
  size_t numPlaced; ///< buffers of the problem
  size_t *bufferOf; ///< problem buffer -> scope buffer
  BerthPlan plan;
  int64_t arenaSize;      ///< bytes; 0: nothing is placed
  int64_t arenaAlignment; ///< bytes
  size_t numParts;        ///< 1, or more with split-arenas
  BerthPart *parts;       ///< by their first bytes
  // barriers, in memory that threads share
  BerthBarriers barriersMode; ///< never AUTO once the form is chosen
  size_t numBarriers;
  MlirOperation *barriers; ///< a new barrier goes before each of these
  size_t curveLength;
  BerthCurvePoint *curve; ///< by rising cost and falling bytes
  // run-time arenas; the first one, if any, is the entry home
  size_t numHomes;
  BerthHome *homes;
  size_t numDynamic; ///< buffers in them
  // verdict
  BerthStatus status;
  bool isReported; ///< the error was emitted at its own place already
  BerthError error;
} BerthJob;

//===---------------------------------------------------------------------===//
// The stations that have no header of their own
//===---------------------------------------------------------------------===//

/// ArenaForm.c: picks the form and checks that it can be applied; where it
/// cannot by default, every buffer is rejected with the reason; where the user
/// asked for it, that is an error.
BerthStatus berthChooseForm(BerthJob *job);
/// ArenaForm.c: why the form that the job would take cannot be applied, or
/// NULL.
const char *berthFormObstacle(const BerthJob *job);

/// ArenaPass.c: the analysis of a scope, from its allocations to their live
/// ranges.
void berthAnalyzeScope(BerthJob *job, MlirOperation op);
/// ArenaPass.c: frees what a job owns, not the job.
void berthJobFree(BerthJob *job);

/// ArenaPass.c: packs and verifies the job's problem as it stands.
void berthPackJob(BerthJob *job);

/// Barriers.c: the same for memory that threads share: keeps pairs apart that
/// lack a barrier, or chooses the barriers to insert.
void berthPackShared(BerthJob *job);
void berthInsertBarriers(BerthJob *job);
/// Barriers.c: remarks at barriers of the scope that count for nothing.
void berthRemarkBarriers(const BerthJob *job);
/// Barriers.c: joined[x * numPlaced + y] for each two buffers of the problem
/// that no barrier which stands already separates. The caller frees it.
bool *berthJoinedPairs(BerthJob *job);

/// BarrierCurve.c: how many of the sizes worth reaching so many bytes reach.
size_t berthSizesReached(const BerthArenaOptions *options, int64_t bytes);

/// Problem.c: the scope as a packing problem, without edges.
void berthExtractProblem(BerthJob *job);
/// Emits the error for a plan that does not fit the capacity.
void berthReportOverflow(BerthJob *job);

/// ArenaParts.c: cuts the plan into parts; one, unless they are asked for.
void berthFindParts(BerthJob *job);
/// ArenaParts.c: the part in which a buffer at this offset lies.
const BerthPart *berthPartAt(const BerthJob *job, int64_t offset);
/// ArenaParts.c: what was created to hold a buffer, and its first byte in the
/// plan.
MlirValue berthArenaOf(const BerthJob *job, const BerthBufferInfo *buffer,
                       int64_t *lower);
/// ArenaParts.c: if parts are asked for, replaces the plan by one with more of
/// them that is as small, should one be found at once.
void berthPreferParts(BerthJob *job);

/// Apply.c: rewrites the scope after its plan.
void berthApplyPlan(BerthJob *job);
/// Apply.c: erases the deallocations of all buffers that are placed.
void berthEraseFrees(BerthJob *job);
/// CreateArena.c: an arena of `bytes`, a value, in the job's form.
MlirValue berthBuildByteArena(const BerthJob *job, BerthInsertPoint at,
                              MlirValue bytes);
/// CreateArena.c: creates the arena, part by part.
void berthCreateArena(BerthJob *job);
/// Callers.c: checks and changes callers and launches.
BerthStatus berthCheckCallers(BerthJob *job);
MlirValue berthAddArenaArgument(BerthJob *job);
/// Callers.c: one more operand behind the others.
void berthAddOperand(MlirOperation op, MlirValue operand);
BerthStatus berthCheckLaunches(BerthJob *job);
void berthRaiseLaunches(BerthJob *job);

/// Report.c: a missed remark of `pass` at the allocation: "VERDICT: reason".
void berthRemarkRejection(const BerthBufferInfo *buffer, const char *pass,
                          const char *verdict);
/// Report.c
void berthEmitJobRemarks(const BerthJob *job);
BerthStatus berthWriteReport(const BerthJob *jobs, size_t numJobs,
                             const BerthArenaOptions *options,
                             BerthError *error);

#endif // BERTH_LIB_IR_SCOPE_JOB_H
