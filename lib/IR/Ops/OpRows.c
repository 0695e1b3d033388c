//===- OpRows.c - What is known of ops by their names ---------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Ops/OpRows.h"

#include <string.h>

/// What holds for a family holds for all ops in it, besides their own rows.
///
/// Parallel bodies are not: omp's wrappers, which hold one op and nothing else,
/// its work sharing, which deals the ops of one region out to threads, and what
/// goes to another device.
static const BerthOpRow families[] = {
    {.name = "acc.*", .traits = kParallel, .asyncIf = "async"},
    {.name = "affine.*", .traits = kOpen | kAffine},
    {.name = "amdgpu.*", .threads = kDeviceCode},
    {.name = "amdgpu.make_dma_*", .traits = kOtherProxy},
    {.name = "amdgpu.make_gather_dma_*", .traits = kOtherProxy},
    {.name = "amdgpu.tensor_*", .traits = kOtherProxy},
    {.name = "arith.*", .traits = kArithmetic | kUniform | kTableCode},
    {.name = "async.runtime.*", .traits = kNoWait},
    {.name = "cf.*", .traits = kOpen},
    {.name = "gpu.*", .threads = kDeviceCode},
    {.name = "gpu.create_*", .threads = kHostCode},
    {.name = "gpu.destroy_*", .threads = kHostCode},
    {.name = "gpu.host_*", .threads = kHostCode},
    {.name = "gpu.mem*", .threads = kHostCode},
    {.name = "gpu.sddmm*", .threads = kHostCode},
    {.name = "gpu.set_*", .threads = kHostCode},
    {.name = "gpu.spgemm*", .threads = kHostCode},
    {.name = "gpu.spm*", .threads = kHostCode},
    {.name = "index.*", .traits = kUniform},
    {.name = "linalg.*", .traits = kPlain},
    {.name = "math.*", .traits = kUniform},
    {.name = "nvgpu.*", .threads = kNeverWaits | kDeviceCode},
    {.name = "nvvm.*", .threads = kDeviceCode},
    {.name = "nvvm.clusterlaunchcontrol.*", .traits = kEscape},
    {.name = "nvvm.cp.async.*", .threads = kNeverWaits},
    {.name = "nvvm.cp.async.bulk.*", .traits = kOtherProxy},
    {.name = "nvvm.fence.*", .threads = kNeverWaits | kNeverSignals},
    {.name = "nvvm.mbarrier.arrive*", .threads = kNeverWaits},
    {.name = "nvvm.mbarrier.in*", .threads = kNeverWaits | kNeverSignals},
    {.name = "nvvm.mbarrier.t*", .threads = kNeverSignals},
    {.name = "nvvm.read.ptx.sreg.cluster*", .traits = kUniform},
    {.name = "nvvm.read.ptx.sreg.ctaid.*", .traits = kUniform},
    {.name = "nvvm.read.ptx.sreg.laneid*", .threads = kThreadNumber},
    {.name = "nvvm.read.ptx.sreg.nclusterid.*", .traits = kUniform},
    {.name = "nvvm.read.ptx.sreg.nctaid.*", .traits = kUniform},
    {.name = "nvvm.read.ptx.sreg.ntid.*", .traits = kUniform},
    {.name = "nvvm.read.ptx.sreg.nwarpid", .traits = kUniform},
    {.name = "nvvm.read.ptx.sreg.tid.*", .threads = kThreadNumber},
    {.name = "nvvm.read.ptx.sreg.warpid*", .threads = kThreadNumber},
    {.name = "nvvm.read.ptx.sreg.warpsize", .traits = kUniform},
    {.name = "nvvm.tcgen05.*", .traits = kOtherProxy},
    {.name = "nvvm.wgmma.*", .threads = kNeverWaits | kNeverSignals},
    {.name = "omp.*", .traits = kParallel, .asyncIf = "nowait"},
    {.name = "omp.taskloop*", .traits = kAsync},
    {.name = "rocdl.*", .threads = kDeviceCode},
    {.name = "rocdl.cluster.id.*", .traits = kUniform},
    {.name = "rocdl.cluster.load.async.to.lds.*", .traits = kOtherProxy},
    {.name = "rocdl.global.load.async.to.lds.*", .traits = kOtherProxy},
    {.name = "rocdl.grid.dim.*", .traits = kUniform},
    {.name = "rocdl.mbcnt.*", .threads = kThreadNumber},
    {.name = "rocdl.s.barrier.*", .threads = kSplitBarrier},
    {.name = "rocdl.s.wait.*", .threads = kNeverWaits | kNeverSignals},
    {.name = "rocdl.sched.*", .threads = kNeverWaits | kNeverSignals},
    {.name = "rocdl.tensor.*", .traits = kOtherProxy},
    {.name = "rocdl.wavefrontsize", .traits = kUniform},
    {.name = "rocdl.workgroup.*", .traits = kUniform},
    {.name = "rocdl.workitem.id.*", .threads = kThreadNumber},
    {.name = "scf.*", .traits = kOpen | kTableCode},
    {.name = "vector.*", .traits = kPlain},
    {.name = "xegpu.*", .threads = kDeviceCode},
    {.name = "xevm.*", .threads = kDeviceCode}};

/// By name, for the search (test/rooms checks it).
static const BerthOpRow ops[] = {
    {.name = "acc.enter_data", .traits = kAsync},
    {.name = "acc.exit_data", .traits = kAsync},
    {.name = "acc.update", .traits = kAsync},
    {.name = "affine.apply", .kind = BERTH_OP_APPLY, .traits = kUniform},
    {.name = "affine.delinearize_index", .traits = kUniform},
    {.name = "affine.dma_start", .traits = kTransfer},
    {.name = "affine.for", .kind = BERTH_OP_LOOP},
    {.name = "affine.if", .kind = BERTH_OP_IF},
    {.name = "affine.linearize_index", .traits = kUniform},
    {.name = "affine.load",
     .traits = kElement | kTouches | kPlain,
     .operands = "r"},
    {.name = "affine.max", .kind = BERTH_OP_LARGEST, .traits = kUniform},
    {.name = "affine.min", .kind = BERTH_OP_SMALLEST, .traits = kUniform},
    {.name = "affine.parallel",
     .kind = BERTH_OP_PARALLEL_LOOP,
     .traits = kParallel | kParallelBody | kPlain},
    {.name = "affine.store",
     .traits = kElement | kTouches | kPlain,
     .operands = "-w"},
    {.name = "affine.vector_load", .traits = kPlain, .operands = "r"},
    {.name = "affine.vector_store", .traits = kPlain, .operands = "-w"},
    {.name = "amdgpu.gather_to_lds", .traits = kOtherProxy},
    {.name = "amdgpu.global_load_async_to_lds", .traits = kOtherProxy},
    {.name = "amdgpu.lds_barrier", .traits = kBarrier},
    {.name = "amdgpu.memory_counter_wait",
     .threads = kNeverWaits | kNeverSignals},
    {.name = "amdgpu.sched_barrier", .threads = kNeverWaits | kNeverSignals},
    {.name = "arith.addi", .kind = BERTH_OP_SUM},
    {.name = "arith.andi", .kind = BERTH_OP_AND},
    {.name = "arith.cmpi", .kind = BERTH_OP_COMPARISON},
    {.name = "arith.constant", .kind = BERTH_OP_CONSTANT},
    {.name = "arith.extui", .kind = BERTH_OP_SAME_NUMBER},
    {.name = "arith.index_cast", .kind = BERTH_OP_SAME_NUMBER},
    {.name = "arith.index_castui", .kind = BERTH_OP_SAME_NUMBER},
    {.name = "arith.maxui", .kind = BERTH_OP_UNSIGNED_MAX},
    {.name = "arith.muli", .kind = BERTH_OP_PRODUCT},
    {.name = "arith.select", .operands = "-=="},
    {.name = "arith.subi", .kind = BERTH_OP_DIFFERENCE},
    {.name = "arith.xori", .kind = BERTH_OP_XOR},
    {.name = "async.await", .traits = kAwait},
    {.name = "async.call", .traits = kAsync},
    {.name = "async.coro.begin", .traits = kCoroutine},
    {.name = "async.execute", .traits = kAsyncByToken},
    {.name = "async.runtime.await", .traits = kAwait},
    {.name = "async.runtime.await_and_resume", .traits = kNoWait},
    {.name = "async.runtime.store", .traits = kEscape},
    {.name = "bufferization.dealloc", .kind = BERTH_OP_FREE_LISTED},
    {.name = "builtin.module", .kind = BERTH_OP_MODULE},
    {.name = "cf.assert", .kind = BERTH_OP_ASSERT},
    {.name = "cf.cond_br", .kind = BERTH_OP_BRANCH},
    {.name = "cf.switch", .kind = BERTH_OP_BRANCH},
    {.name = "func.call", .kind = BERTH_OP_CALL, .traits = kPlain},
    {.name = "func.func", .kind = BERTH_OP_FUNCTION, .traits = kTableCode},
    {.name = "func.return", .traits = kTableCode},
    {.name = "gpu.all_reduce",
     .kind = BERTH_OP_STATIC_SHARED,
     .threads = kAgree},
    {.name = "gpu.alloc", .kind = BERTH_OP_DEVICE_ALLOC, .threads = kHostCode},
    {.name = "gpu.barrier", .traits = kBarrier},
    {.name = "gpu.binary", .threads = kHostCode},
    {.name = "gpu.block_dim", .traits = kUniform},
    {.name = "gpu.block_id", .traits = kUniform},
    {.name = "gpu.cluster_block_id", .traits = kUniform},
    {.name = "gpu.cluster_dim", .traits = kUniform},
    {.name = "gpu.cluster_dim_blocks", .traits = kUniform},
    {.name = "gpu.cluster_id", .traits = kUniform},
    {.name = "gpu.dealloc", .kind = BERTH_OP_DEVICE_FREE, .threads = kHostCode},
    {.name = "gpu.dynamic_shared_memory", .kind = BERTH_OP_DYNAMIC_SHARED},
    {.name = "gpu.func", .kind = BERTH_OP_GPU_FUNCTION, .threads = kHostCode},
    {.name = "gpu.global_id", .threads = kThreadNumber},
    {.name = "gpu.grid_dim", .traits = kUniform},
    {.name = "gpu.lane_id", .threads = kThreadNumber},
    {.name = "gpu.launch",
     .kind = BERTH_OP_LAUNCH,
     .traits = kAsyncByToken,
     .threads = kHostCode},
    {.name = "gpu.launch_func",
     .kind = BERTH_OP_LAUNCH_FUNCTION,
     .threads = kHostCode},
    {.name = "gpu.module", .kind = BERTH_OP_GPU_MODULE, .threads = kHostCode},
    {.name = "gpu.num_subgroups", .traits = kUniform},
    {.name = "gpu.printf", .threads = kNeverWaits | kNeverSignals},
    {.name = "gpu.subgroup_id", .threads = kThreadNumber},
    {.name = "gpu.thread_id", .threads = kThreadNumber},
    {.name = "gpu.wait", .traits = kAwait, .threads = kHostCode},
    {.name = "gpu.warp_execute_on_lane_0", .traits = kSomeThreads},
    {.name = "linalg.fill", .kind = BERTH_OP_FILL, .operands = "-w"},
    {.name = "llvm.call_intrinsic", .traits = kEscape},
    {.name = "llvm.inline_asm", .traits = kEscape},
    {.name = "llvm.intr.coro.begin", .traits = kCoroutine},
    {.name = "llvm.mlir.global", .kind = BERTH_OP_LOWERED_GLOBAL},
    {.name = "memref.alloc", .kind = BERTH_OP_ALLOC},
    {.name = "memref.alloca", .kind = BERTH_OP_ALLOCA},
    {.name = "memref.alloca_scope", .traits = kOpen},
    {.name = "memref.assume_alignment", .traits = kAssumesAlignment},
    {.name = "memref.cast", .kind = BERTH_OP_CAST, .operands = "v"},
    {.name = "memref.copy", .traits = kPlain, .operands = "rw"},
    {.name = "memref.dealloc", .kind = BERTH_OP_FREE, .operands = "f"},
    {.name = "memref.dim",
     .kind = BERTH_OP_DIM,
     .traits = kUniform | kTableCode},
    {.name = "memref.distinct_objects",
     .kind = BERTH_OP_DISTINCT,
     .traits = kSeparates},
    {.name = "memref.dma_start", .traits = kTransfer},
    {.name = "memref.extract_aligned_pointer_as_index",
     .kind = BERTH_OP_ADDRESS},
    {.name = "memref.extract_strided_metadata",
     .kind = BERTH_OP_DESCRIPTION,
     .operands = "v"},
    {.name = "memref.get_global",
     .kind = BERTH_OP_GET_GLOBAL,
     .traits = kUniform},
    {.name = "memref.global", .kind = BERTH_OP_GLOBAL},
    {.name = "memref.load",
     .kind = BERTH_OP_LOAD,
     .traits = kElement | kTouches | kPlain | kTableCode,
     .operands = "r"},
    {.name = "memref.reinterpret_cast",
     .kind = BERTH_OP_REINTERPRET,
     .operands = "v"},
    {.name = "memref.store",
     .kind = BERTH_OP_STORE,
     .traits = kElement | kTouches | kPlain | kTableCode,
     .operands = "-w"},
    {.name = "memref.view", .kind = BERTH_OP_VIEW, .operands = "v"},
    {.name = "nvgpu.device_async_copy",
     .traits = kStarts | kNoPointer,
     .async = BERTH_ASYNC_COPY},
    {.name = "nvgpu.device_async_create_group",
     .traits = kMakesGroup | kNoPointer,
     .async = BERTH_ASYNC_COPY},
    {.name = "nvgpu.device_async_wait",
     .async = BERTH_ASYNC_COPY,
     .mayPend = "numGroups"},
    {.name = "nvgpu.ldmatrix", .traits = kTouches, .operands = "r"},
    {.name = "nvgpu.mbarrier.create",
     .kind = BERTH_OP_STATIC_SHARED,
     .threads = kNeverSignals},
    {.name = "nvgpu.mbarrier.init", .threads = kNeverSignals},
    {.name = "nvgpu.mbarrier.test.wait", .threads = kNeverSignals},
    {.name = "nvgpu.mbarrier.try_wait.parity",
     .traits = kAwaitsMbarrier,
     .threads = kNeverSignals},
    {.name = "nvgpu.tma.async.load",
     .traits = kStarts,
     .async = BERTH_ASYNC_LOAD},
    {.name = "nvgpu.tma.async.store",
     .traits = kStarts,
     .async = BERTH_ASYNC_STORE},
    {.name = "nvgpu.tma.create.descriptor", .threads = kHostCode},
    {.name = "nvgpu.warpgroup.generate.descriptor",
     .traits = kDescriptor,
     .operands = "v"},
    {.name = "nvgpu.warpgroup.mma",
     .traits = kStarts | kMakesGroup | kNoPointer,
     .async = BERTH_ASYNC_PRODUCT,
     .mayPend = "waitGroup",
     .defaultPend = 1},
    {.name = "nvvm.barrier", .traits = kCountedBarrier},
    {.name = "nvvm.barrier.arrive", .threads = kSplitBarrier | kNeverWaits},
    {.name = "nvvm.barrier0", .traits = kBarrier},
    {.name = "nvvm.cp.async.bulk.commit.group",
     .traits = kMakesGroup,
     .async = BERTH_ASYNC_STORE},
    {.name = "nvvm.cp.async.bulk.wait_group",
     .async = BERTH_ASYNC_STORE,
     .mayPend = "group",
     .defaultPend = INT64_MAX},
    {.name = "nvvm.cp.async.shared.global", .traits = kOtherProxy},
    {.name = "nvvm.fence.proxy", .traits = kProxyFence},
    {.name = "nvvm.inline_ptx", .traits = kEscape},
    {.name = "nvvm.mapa", .traits = kEscape},
    {.name = "nvvm.st.bulk", .traits = kOtherProxy},
    {.name = "nvvm.wgmma.commit.group.sync.aligned",
     .traits = kMakesGroup,
     .async = BERTH_ASYNC_PRODUCT},
    {.name = "nvvm.wgmma.mma_async", .traits = kOtherProxy},
    {.name = "nvvm.wgmma.wait.group.sync.aligned",
     .async = BERTH_ASYNC_PRODUCT,
     .mayPend = "group",
     .defaultPend = INT64_MAX},
    {.name = "omp.loop_nest", .traits = kParallelBody},
    {.name = "omp.parallel", .traits = kParallelBody},
    {.name = "omp.task", .traits = kAsync},
    {.name = "rocdl.barrier", .traits = kBarrier},
    {.name = "rocdl.global.load.lds", .traits = kOtherProxy},
    {.name = "rocdl.load.to.lds", .traits = kOtherProxy},
    {.name = "rocdl.raw.ptr.buffer.load.lds", .traits = kOtherProxy},
    {.name = "rocdl.s.waitcnt", .threads = kNeverWaits | kNeverSignals},
    {.name = "scf.for", .kind = BERTH_OP_LOOP},
    {.name = "scf.forall",
     .kind = BERTH_OP_FORALL,
     .traits = kParallel | kParallelBody | kPlain},
    {.name = "scf.if", .kind = BERTH_OP_IF},
    {.name = "scf.parallel",
     .kind = BERTH_OP_PARALLEL_LOOP,
     .traits = kParallel | kParallelBody | kPlain},
    {.name = "scf.while", .kind = BERTH_OP_WHILE},
    {.name = "scf.yield", .kind = BERTH_OP_YIELD},
    {.name = "vector.load", .traits = kTouches, .operands = "r"},
    {.name = "vector.store", .traits = kTouches, .operands = "-w"},
    {.name = "vector.type_cast", .traits = kRetypes}};

//===----------------------------------------------------------------------===//
// Finding
//===----------------------------------------------------------------------===//

int berthCompareNames(MlirStringRef name, const char *other) {
  int order = strncmp(name.data, other, name.length);
  return order ? order : -(other[name.length] != 0);
}

const BerthOpRow *berthFindRow(MlirStringRef name) {
  size_t low = 0, high = sizeof ops / sizeof *ops;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    int order = berthCompareNames(name, ops[middle].name);
    if (!order)
      return &ops[middle];
    if (order < 0)
      high = middle;
    else
      low = middle + 1;
  }
  return NULL;
}

static bool isInFamily(MlirStringRef name, const BerthOpRow *family) {
  if (name.data[0] != family->name[0]) // nearly always
    return false;
  size_t length = strlen(family->name) - 1;
  return name.length >= length && memcmp(name.data, family->name, length) == 0;
}

BerthOpRow berthFamilyRow(MlirStringRef name) {
  BerthOpRow sum = {0};
  for (size_t i = 0; i < sizeof families / sizeof *families; ++i) {
    if (!isInFamily(name, &families[i]))
      continue;
    sum.traits |= families[i].traits;
    sum.threads |= families[i].threads;
    if (families[i].asyncIf)
      sum.asyncIf = families[i].asyncIf;
  }
  return sum;
}
