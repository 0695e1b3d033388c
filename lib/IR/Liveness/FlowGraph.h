//===- FlowGraph.h - The control flow that one buffer sees --------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//
//
// Liveness asks of each buffer only what happens at its own accesses. So the
// graph has a node for each *stop* of the buffer (an access, its allocation,
// the entry and the exit of an op that holds stops) and one for each *gap*, the
// stretch of points between two stops, however long. A region without stops is
// one gap as a whole. The graph is as large as the buffer's accesses times
// their nesting depth, not as large as the program.
//
//   memref.store %v, %a     stop: writes
//   ... 1000 ops ...        gap
//   scf.if %c {             stop: enter
//     ... 10 ops ...        gap (then)
//     memref.load %a        stop: reads
//   } else {
//     ... 500 ops ...       gap (else: one node, no stops inside)
//   }                       stop: leave
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_LIVENESS_FLOWGRAPH_H
#define BERTH_LIB_IR_LIVENESS_FLOWGRAPH_H

#include "IR/Scope/Points.h"
#include "IR/Scope/Scope.h"

typedef struct BerthFlowNode {
  BerthSegment span; ///< points of the stop or the gap; may be empty
  bool isAccess;
  bool reads;
  bool writes;
  bool kills;           ///< overwrites everything before it reads
  bool isFresh;         ///< the allocation: whatever was there before is gone
  bool liveIn;          ///< a read may follow from before this node
  bool reachedIn;       ///< some write reaches this node's start
  uint32_t firstStop;   ///< of a stop: its place in the array of stops,
  uint32_t numStops;    ///<   and how many it stands for; 0 for a gap
  MlirOperation gapEnd; ///< of a gap in a block: the op behind it, else null
  uint32_t firstNext;   ///< list of edges out, in `edges`; UINT32_MAX ends it
  uint32_t firstPrevious;
} BerthFlowNode;

typedef struct BerthFlowEdge {
  uint32_t from;
  uint32_t to;
  uint32_t nextOut;
  uint32_t nextIn;
  bool isBeside; ///< to where other threads may be meanwhile, not a next step
} BerthFlowEdge;

typedef struct BerthFlowGraph {
  BerthFlowNode *nodes;
  size_t numNodes, nodeCapacity;
  BerthFlowEdge *edges;
  size_t numEdges, edgeCapacity;
  uint32_t *worklist;
  size_t worklistCapacity;
  BerthPointerMap entryOf; ///< block -> node of its start (multi-block regions)
  // Broken rules, in tests only (IR/Ops/Rules.h):
  BerthPointerMap endOf; ///< block -> node of its end, with threads
  bool ignoresBackEdges;
  bool ignoresBranches;
  bool keepsStale; ///< the allocation does not begin anew
  bool joinsAlternatives;
  bool ignoresCovers; ///< only single ops end what a buffer holds
} BerthFlowGraph;

#define BERTH_NO_NODE UINT32_MAX

/// The first nodes of any graph: where the scope's body begins and ends.
enum { BERTH_SCOPE_ENTRY = 0, BERTH_SCOPE_EXIT = 1 };

/// Nodes of a call that is looked into, counted from the one of its stop. What
/// the callee does in front of its first barriers leads nowhere, what it does
/// behind its last ones comes from nowhere, and the call is passed only if some
/// way through the callee has no barrier:
///
///     call ----------------> leave     (isOpen)
///       |                      ^
///       v                      |
///     first                  last
enum { BERTH_CALL_FIRST = 1, BERTH_CALL_LAST = 2, BERTH_CALL_LEAVE = 3 };

/// Rebuilds the graph for stops sorted by lower point, no two of the same op.
/// With `threads`, the scope's code is run by many threads: the alternatives of
/// a branch on which they may disagree run beside each other, so each is also
/// followed by every other. With `mayFollowItself` the code begins where its
/// last run ended: a function that may be run again without a barrier in
/// between.
void berthFlowGraphBuildStops(BerthFlowGraph *graph, const BerthPoints *points,
                              const BerthAccess *stops, size_t numStops,
                              const BerthScope *threads, bool mayFollowItself);

/// The same for one value, which may be another buffer each time: where it is
/// defined there is nothing of it yet.
void berthFlowGraphBuildValue(BerthFlowGraph *graph, const BerthPoints *points,
                              MlirValue value, const BerthAccess *stops,
                              size_t numStops);

/// Rebuilds the graph for one buffer, reusing its arrays.
void berthFlowGraphBuild(BerthFlowGraph *graph, const BerthPoints *points,
                         const BerthBufferInfo *buffer);
void berthFlowGraphFree(BerthFlowGraph *graph);

#endif // BERTH_LIB_IR_LIVENESS_FLOWGRAPH_H
