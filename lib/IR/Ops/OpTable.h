//===- OpTable.h - The only op names that Berth knows -------------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//
//
// Berth asks interfaces, not names. Where no interface says it (which regions
// run concurrently, which ops synchronise), the names stand in this one file.
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_OPS_OPTABLE_H
#define BERTH_LIB_IR_OPS_OPTABLE_H

#include "mlir-c/IR.h"

/// True if instances of the op's regions may run at the same time as each
/// other (scf.parallel, scf.forall, affine.parallel, the omp and acc dialects).
bool berthOpIsParallel(MlirOperation op);

/// True for those parallel ops whose only region is code that may allocate,
/// and each run of which goes from its start to its end (scf.parallel,
/// scf.forall, affine.parallel, omp.parallel, omp.loop_nest).
bool berthOpIsParallelBody(MlirOperation op);

/// True for ops of which it is known that they touch memory only while they run
/// (calls too: what their callees do is known).
bool berthOpIsPlainAccess(MlirOperation op);

/// True if the op's regions may run later than the op itself, until a token
/// that it returns is awaited (async.execute), or at some other time
/// (omp.task).
bool berthOpIsAsync(MlirOperation op);

/// True if only some threads of the workgroup run the op's regions, whatever
/// its operands say (gpu.warp_execute_on_lane_0).
bool berthOpIsForSomeThreads(MlirOperation op);

/// True for ops that wait for the token in their operand (async.await).
bool berthOpIsAwait(MlirOperation op);

/// True for a workgroup-wide barrier that fences workgroup memory: gpu.barrier,
/// amdgpu.lds_barrier, rocdl.barrier, nvvm.barrier0, and nvvm.barrier without a
/// thread count (with a reduction too). Not: warp-level or partial barriers,
/// split arrive and wait, rocdl.s.barrier (it fences nothing), mbarriers.
bool berthOpIsBarrier(MlirOperation op);

/// What goes on behind its op, in the thread that ran it. All kinds but the
/// last end as groups do: the thread puts what it has started into a group and
/// waits for the group. Groups end in the order in which they were made; each
/// kind has groups of its own.
typedef enum BerthAsyncKind {
  BERTH_ASYNC_COPY,    ///< nvgpu.device_async_copy
  BERTH_ASYNC_STORE,   ///< nvgpu.tma.async.store
  BERTH_ASYNC_PRODUCT, ///< nvgpu.warpgroup.mma, through descriptors
  BERTH_ASYNC_LOAD, ///< nvgpu.tma.async.load: it tells its end to an mbarrier
  BERTH_NUM_ASYNC_KINDS
} BerthAsyncKind;

/// True if the op starts something of this kind.
bool berthOpStartsAsync(MlirOperation op, BerthAsyncKind kind);

/// True if the op puts all that the thread has started so far into a group:
/// nvgpu.device_async_create_group; nvvm.cp.async.bulk.commit.group; for
/// products nvvm.wgmma.commit.group.sync.aligned, and each product does so
/// itself.
bool berthOpMakesGroup(MlirOperation op, BerthAsyncKind kind);

/// True if the op waits until all but the newest `*mayPend` groups of the
/// thread have ended: nvgpu.device_async_wait (without numGroups, for all of
/// them, as upstream lowers it, whatever its token says);
/// nvvm.cp.async.bulk.wait_group; nvvm.wgmma.wait.group.sync.aligned, and each
/// product by its waitGroup, which is 1 if not given: then the product itself
/// may still be under way.
bool berthOpWaitsForGroups(MlirOperation op, BerthAsyncKind kind,
                           int64_t *mayPend);

/// True if the op starts something of any of these kinds.
bool berthOpStartsAnyAsync(MlirOperation op);

/// One mbarrier of a group of them.
typedef struct BerthMBarrier {
  MlirValue group;
  MlirValue number;
} BerthMBarrier;

/// The one that a nvgpu.tma.async.load tells its end to.
BerthMBarrier berthLoadGetMBarrier(MlirOperation load);

/// True if the op does not return before the mbarrier has completed a phase
/// (nvgpu.mbarrier.try_wait.parity; not test.wait, which only asks).
bool berthOpAwaitsMBarrier(MlirOperation op, BerthMBarrier *barrier);

/// True if both are surely the same one.
bool berthMBarriersEqual(BerthMBarrier a, BerthMBarrier b);

/// True if each time that the op runs it reads or writes something in each
/// memref that it is given: plain loads and stores, nvgpu.ldmatrix.
bool berthOpSurelyTouches(MlirOperation op);

/// True for an op whose result stands for the memory of its operand, which it
/// does not touch (nvgpu.warpgroup.generate.descriptor).
bool berthOpMakesDescriptor(MlirOperation op);

/// True if the op reaches memory by the async proxy, another path than that of
/// loads and stores, or waits for what does: TMA and wgmma.
bool berthOpIsAsyncProxy(MlirOperation op);

/// True for a fence between a thread's loads and stores so far and later
/// accesses by the async proxy: nvvm.fence.proxy of the kinds async and
/// async.shared.
bool berthOpIsProxyFence(MlirOperation op);

/// True if the op's results point to no memory, whatever their types: tokens of
/// copies and groups, which tell nothing that the order of the ops does not,
/// and what nvgpu.warpgroup.mma accumulates, which is in registers.
bool berthOpReturnsNoPointer(MlirOperation op);

/// True for transfers that go on after the op and whose end is told by a tag in
/// memory: memref.dma_start, affine.dma_start (DmaFacts.h, Transfers.h).
bool berthOpIsTransfer(MlirOperation op);

/// True for ops that reach memory through another path than loads and stores
/// (direct loads to LDS, TMA to several workgroups, TMA and wgmma in the nvvm
/// dialect), or go on after the op with an end that no analysis here follows
/// (nvvm.cp.async): what orders them is not known here.
bool berthOpIsOtherProxy(MlirOperation op);

/// True if the op's results are equal in all threads of a workgroup whenever
/// its operands are: arithmetic, and what only depends on the block.
bool berthOpKeepsUniformity(MlirOperation op);

/// True for a branch, or an op with regions, whose ways follow from those of
/// its operands, and of its regions' ends, that it does not hand on (a
/// condition, bounds); so do values that it makes itself (a loop's variable).
/// Unless its regions run at the same time.
bool berthControlFollowsOperands(MlirOperation op);

/// True if the op's name is `name`.
bool berthOpIsNamed(MlirOperation op, const char *name);

#endif // BERTH_LIB_IR_OPS_OPTABLE_H
