//===- OpTable.h - What ops are, by their names -------------------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//
//
// Berth asks interfaces, not names. Where no interface says it (which regions
// run concurrently, which ops synchronise, which op is a sum), the names stand
// in one description (BuiltinOps.json): an entry for each op or family of ops,
// with its traits and the roles of its operands; a target's description, of the
// same form, adds entries, and attributes make some of their own (RowOf.h). All
// others ask for those here. (The names
// of ops that Berth makes are in Build.h.) A missing name costs bytes, never
// correctness.
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_OPS_OPTABLE_H
#define BERTH_LIB_IR_OPS_OPTABLE_H

#include "IR/Ops/OpKinds.h"
#include "mlir-c/IR.h"

#include <stdint.h>

bool berthOpIs(MlirOperation op, BerthOpKind kind);

BerthOperandRole berthOpGetRole(MlirOperation op, intptr_t operand);

/// True if maps of its operands are the op's bounds, its condition or its
/// subscripts (the affine dialect).
bool berthOpIsAffine(MlirOperation op);

/// True if the op reads or writes one element, at subscripts that follow its
/// memref: loads and stores of memref and affine.
bool berthOpIsElementAccess(MlirOperation op);

/// True if the op touches, through a memref that it is given, nothing outside
/// of that memref: element accesses, vectors in bounds, copies, linalg. A
/// called function may get at more.
bool berthOpStaysWithin(MlirOperation op);

/// True for arithmetic of numbers (the arith dialect).
bool berthOpIsArithmetic(MlirOperation op);

/// True for a division, or its remainder, of numbers without sign.
bool berthOpIsUnsigned(MlirOperation op);

/// True for what stands in a function that only compares numbers and stores
/// them in tables (Dealloc.h).
bool berthOpIsTableCode(MlirOperation op);

/// True if the op is `outer`, or stands in it; it may be null.
static inline bool berthOpIsWithin(MlirOperation op, MlirOperation outer) {
  while (!mlirOperationIsNull(op) && !mlirOperationEqual(op, outer))
    op = mlirOperationGetParentOperation(op);
  return !mlirOperationIsNull(op);
}

/// True for memref.alloc and memref.alloca: of their operands nothing but the
/// size follows.
static inline bool berthOpIsPlainAllocation(MlirOperation op) {
  return berthOpIs(op, BERTH_OP_ALLOC) || berthOpIs(op, BERTH_OP_ALLOCA);
}

/// True for an op that frees its last operand, and that is all
/// (memref.dealloc; gpu.dealloc, which may wait first).
static inline bool berthOpIsFree(MlirOperation op) {
  return berthOpIs(op, BERTH_OP_FREE) || berthOpIs(op, BERTH_OP_DEVICE_FREE);
}

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

/// True if the op, or its regions, may run later than at its place, until a
/// token that it returns is awaited (async.execute, async.call), or at some
/// other time (omp.task, omp.target with nowait, the acc dialect with async).
bool berthOpIsAsync(MlirOperation op);

/// True for an op that makes the function around it a coroutine, which may
/// return to its caller before it has come to its end.
bool berthOpIsCoroutine(MlirOperation op);

/// True for ops that take tokens, return nothing and are no wait
/// (async.runtime.drop_ref).
bool berthOpWaitsForNothing(MlirOperation op);

/// True for an op that says that its operands lie in different allocations
/// (memref.distinct_objects).
bool berthOpSeparates(MlirOperation op);

/// True for an op that says what its operand's address is a multiple of, by its
/// attribute `alignment` (memref.assume_alignment).
bool berthOpAssumesAlignment(MlirOperation op);

/// True for a view of the very same bytes with elements of another type
/// (vector.type_cast).
bool berthOpRetypesWhole(MlirOperation op);

/// True for types of values that stand for something under way: the op that
/// returns one is asynchronous (!async.token, !gpu.async.token, !mpi.request).
bool berthTypeIsToken(MlirType type);
/// True if it is a description that says so: then one says, too, what waits.
bool berthTypeIsToldToken(MlirType type);

/// True if op and type are of one dialect: of tokens of these types, its ops
/// wait for those that they are given.
bool berthOpIsOfDialectOf(MlirOperation op, MlirType type);

/// True for types that no interface tells of and that point to no memory
/// (!gpu.mma_matrix and other fragments in registers, and what a target
/// description calls so). Not: descriptors, which hold addresses
/// (!nvgpu.warpgroup.descriptor, !amdgpu.tdm_base).
bool berthTypeIsPointerless(MlirType type);

/// Whose memory a memory space is, where many threads run the code.
typedef enum BerthSpaceUse {
  BERTH_SPACE_THREAD,            ///< each thread has its own (the default one)
  BERTH_SPACE_WORKGROUP,         ///< the threads of a workgroup share it
  BERTH_SPACE_PERHAPS_WORKGROUP, ///< 3: so it is on GPUs
  BERTH_SPACE_TENSOR,            ///< they share it: tensor memory (Blackwell)
  BERTH_SPACE_UNKNOWN
} BerthSpaceUse;

BerthSpaceUse berthSpaceGetUse(MlirAttribute space);

/// True if many threads run the code that the op stands in: it is of a device's
/// dialect (gpu, nvvm, rocdl and the like) and nothing for the host, a text or
/// an intrinsic that speaks of a GPU, or is mapped to threads (scf.forall).
bool berthOpIsOfThreads(MlirOperation op);

/// The dimension, 0 to 2, of a BERTH_OP_THREAD_ID, BERTH_OP_BLOCK_SIZE,
/// BERTH_OP_BLOCK_ID or BERTH_OP_GRID_SIZE: the
/// last letter of its attribute `dimension` (`#gpu<dim x>`) or of its name.
int berthOpGetDimension(MlirOperation op);

/// True for those of them that tell which thread runs the code (gpu.thread_id,
/// registers of NVVM and ROCDL, a mapped scf.forall).
bool berthOpTellsThread(MlirOperation op);

/// True if only some threads of the workgroup run the op's regions, whatever
/// its operands say (gpu.warp_execute_on_lane_0).
bool berthOpIsForSomeThreads(MlirOperation op);

/// True for ops that wait for the token in their operand (async.await).
bool berthOpIsAwait(MlirOperation op);

/// True if the op does not return before that has ended for which the token in
/// this operand stands: one that waits for all its tokens, or is described so.
bool berthOpAwaits(MlirOperation op, intptr_t operand);

/// True if that result is described as a token: what the op does to its
/// operands goes on until somebody waits for it.
bool berthOpIsTokenResult(MlirOperation op, intptr_t result);

/// The same of the value.
bool berthValueIsToldToken(MlirValue value);

/// True for a workgroup-wide barrier that fences workgroup memory: gpu.barrier,
/// amdgpu.lds_barrier, rocdl.barrier, nvvm.barrier0, and nvvm.barrier without a
/// thread count (with a reduction too). Not: warp-level or partial barriers,
/// split arrive and wait, rocdl.s.barrier (it fences nothing), mbarriers, a
/// barrier whose `address_spaces` name others only.
bool berthOpIsBarrier(MlirOperation op);

/// True for such a barrier that orders all memory, not only workgroup memory:
/// gpu.barrier that names no spaces.
bool berthOpIsFullBarrier(MlirOperation op);

/// True for what arrives at or waits for a barrier of some threads, or in two
/// steps, perhaps the very one that gpu.barrier is lowered to: nvvm.barrier
/// with a thread count, nvvm.barrier.arrive, rocdl.s.barrier.signal, inline PTX
/// that says "bar". `*id` is its number; null: perhaps that of gpu.barrier.
bool berthOpIsPartOfBarrier(MlirOperation op, MlirValue *id);

/// How many threads a nvvm.barrier with a number waits for; null: it has no
/// number or no count, or is no such op.
MlirValue berthBarrierGetCount(MlirOperation op);

/// True for ops of which no interface tells what they do, but that never make a
/// thread wait for another one (fences, arriving at an mbarrier), or never end
/// such a wait (waiting).
bool berthOpNeverWaits(MlirOperation op);
bool berthOpNeverSignals(MlirOperation op);

/// True if the op starts what goes on behind it, groups it or waits for it, as
/// its name tells: false for most ops, of which the questions below need not be
/// asked.
bool berthOpHasToDoWithAsync(MlirOperation op);

/// True if the op starts something of this kind.
bool berthOpStartsAsync(MlirOperation op, BerthAsyncKind kind);

/// A thread's part of an asynchronous copy (nvgpu.device_async_copy).
typedef struct BerthAsyncCopy {
  MlirValue target;
  intptr_t firstIndex; ///< operand: the first subscript of the target
  MlirValue source;
  int64_t elements; ///< that it writes from there on
} BerthAsyncCopy;

/// `copy` starts something of the kind BERTH_ASYNC_COPY.
BerthAsyncCopy berthAsyncCopyGet(MlirOperation copy);

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
/// may still be under way; for direct loads to LDS amdgpu.memory_counter_wait
/// and rocdl.s.waitcnt that let no load pend.
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

/// True for nvvm.tcgen05.fence of the one or the other kind.
bool berthOpIsTensorFence(MlirOperation op, bool isBefore);

/// True for a fence between a thread's loads and stores so far and later
/// accesses by the async proxy: nvvm.fence.proxy of the kinds async and
/// async.shared.
bool berthOpIsProxyFence(MlirOperation op);

/// True for such a fence that is for shared memory alone.
bool berthOpIsSharedProxyFence(MlirOperation op);

/// True if the op's results point to no memory, whatever their types: tokens of
/// copies and groups, which tell nothing that the order of the ops does not,
/// and what nvgpu.warpgroup.mma accumulates, which is in registers.
bool berthOpReturnsNoPointer(MlirOperation op);

/// True for ops without an effect interface of which a target description tells
/// all that they do to memory: by the roles of their operands, and nothing
/// else.
bool berthOpIsDescribed(MlirOperation op);

/// True for an op that is described to copy all of one operand, which is
/// `*source`, to all of another one, and to do nothing else.
bool berthOpIsToldCopy(MlirOperation op, intptr_t *source, intptr_t *target);

/// What a description says of an allocating op.
typedef struct BerthToldAllocation {
  bool hasSize;        ///< a source is named
  int64_t size;        ///< bytes; -1: known at run time only
  int64_t alignment;   ///< 0: not told; -1: known at run time only
  bool hasSpace;       ///< else the type has it
  MlirAttribute space; ///< as in a memref type
} BerthToldAllocation;

/// True if a description says that the op's first result is an allocation.
bool berthOpIsToldAllocation(MlirOperation op, BerthToldAllocation *allocation);

typedef struct BerthOpSource BerthOpSource;

/// The attribute, or the constant in the operand, that a description names;
/// null where the op has none.
MlirAttribute berthOpReadSource(MlirOperation op, const BerthOpSource *source);

/// True for a barrier of a target description: all that was pending before it
/// has ended, and all cores have come to it before any goes on.
bool berthOpIsMeeting(MlirOperation op);

/// The unit that a description says the op runs on, from 1; 0: the core that
/// comes to the op, or what else runs the program. Units run beside each other
/// between barriers.
int berthOpGetUnit(MlirOperation op);

/// The operands that the op gets at at once, each through a port of its own, a
/// bit each; 0: nobody says so.
uint64_t berthOpGetPorts(MlirOperation op);

/// The op's operands that are memory have to begin at a multiple of so many
/// bytes, whatever their elements are.
int64_t berthOpGetAligned(MlirOperation op);

/// True if a description says that the op's unit runs it once, however many
/// cores come to it: one core, the same for all such ops, has it run. Nothing
/// proves that.
bool berthOpIsIssuedOnce(MlirOperation op);

/// True if the op's result tells the cores apart: on core `core` it is
/// `*number`.
bool berthOpTellsCore(MlirOperation op, int core, int64_t *number);

/// Cores that a description may tell apart.
enum { BERTH_MAX_CORES = 64 };

/// How many cores run every function, each the whole of it, by the description
/// in force; 0: it does not say.
int berthNumCores(void);

/// True if the description in force tells of work that runs beside the program:
/// units, cores, barriers or what is pending.
bool berthHasConcurrentUnits(void);

/// True for transfers that go on after the op and whose end is told by a tag in
/// memory: memref.dma_start, affine.dma_start (DmaFacts.h, Transfers.h).
bool berthOpIsTransfer(MlirOperation op);

/// True for ops that reach memory through another path than loads and stores
/// (direct loads to LDS in rocdl, TMA to several workgroups, TMA and wgmma in
/// the nvvm dialect), or go on after the op with an end that no analysis here
/// follows (nvvm.cp.async): what orders them is not known here.
bool berthOpIsOtherProxy(MlirOperation op);

/// True if nobody can tell who uses the memory that the op is given, and when:
/// other workgroups, which may run ahead or behind (nvvm.mapa,
/// nvvm.clusterlaunchcontrol.try.cancel), or code that is text or a name here
/// (nvvm.inline_ptx, llvm.inline_asm, llvm.call_intrinsic), or whoever reads a
/// value that is no memory (async.runtime.store).
bool berthOpLetsEscape(MlirOperation op);

/// True if the op's results are equal in all threads of a workgroup whenever
/// its operands are: arithmetic, views, constants, and what only depends on the
/// block. Not gpu.subgroup_size, which may differ in the last subgroup.
bool berthOpKeepsUniformity(MlirOperation op);

/// True if the op's results are equal in all threads of a workgroup, whatever
/// its operands are: gpu.all_reduce, a barrier that reduces, or any op whose
/// attribute berth.uniform says so. Not shuffles and reductions of subgroups.
bool berthOpMakesAgree(MlirOperation op);

/// True for a branch, or an op with regions, whose ways follow from those of
/// its operands, and of its regions' ends, that it does not hand on (a
/// condition, bounds); so do values that it makes itself (a loop's variable).
/// Unless its regions run at the same time.
bool berthControlFollowsOperands(MlirOperation op);

#endif // BERTH_LIB_IR_OPS_OPTABLE_H
