//===- OpKinds.h - What the op table tells of ops ------------------ C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_OPS_OPKINDS_H
#define BERTH_LIB_IR_OPS_OPKINDS_H

/// What an op is, where Berth has to know it.
typedef enum BerthOpKind {
  BERTH_OP_OTHER,
  // Making, freeing and viewing memory
  BERTH_OP_ALLOC,  ///< allocates on the heap, by sizes alone (memref.alloc)
  BERTH_OP_ALLOCA, ///< the same on the stack (memref.alloca)
  BERTH_OP_FREE,   ///< frees its operand, and that is all (memref.dealloc)
  BERTH_OP_DEVICE_ALLOC,   ///< allocates memory of another device (gpu.alloc)
  BERTH_OP_DEVICE_FREE,    ///< frees such: its last operand (gpu.dealloc)
  BERTH_OP_FREE_LISTED,    ///< frees some operands under conditions and retains
                           ///< some (bufferization.dealloc)
  BERTH_OP_VIEW,           ///< of bytes, from an offset on (memref.view)
  BERTH_OP_CAST,           ///< the same elements as another type (memref.cast)
  BERTH_OP_REINTERPRET,    ///< gives a layout (memref.reinterpret_cast)
  BERTH_OP_DESCRIPTION,    ///< its first result is its operand's memory, though
                           ///< it is no view (memref.extract_strided_metadata)
  BERTH_OP_DISTINCT,       ///< its results are its operands, which no two of
                           ///< lie in one object (memref.distinct_objects)
  BERTH_OP_ADDRESS,        ///< its operand's address as an integer
  BERTH_OP_DIM,            ///< of operand 0 the dimension of number operand 1
  BERTH_OP_GLOBAL,         ///< a symbol of memory (memref.global)
  BERTH_OP_LOWERED_GLOBAL, ///< the same for LLVM (llvm.mlir.global)
  BERTH_OP_GET_GLOBAL,     ///< what a symbol stands for
  BERTH_OP_DYNAMIC_SHARED, ///< the one block of dynamic shared memory
  BERTH_OP_STATIC_SHARED,  ///< is lowered to a symbol of shared memory
  BERTH_OP_MBARRIER_INIT,  ///< begins the first phase of an mbarrier
                           ///< (nvgpu.mbarrier.init)
  BERTH_OP_MBARRIER_EXPECT, ///< arrives there and tells it bytes to come
                            ///< (nvgpu.mbarrier.arrive.expect_tx)
  BERTH_OP_LOAD,            ///< memref.load
  BERTH_OP_STORE,           ///< memref.store
  BERTH_OP_FILL,            ///< writes operand 0 everywhere (linalg.fill)
  BERTH_OP_FRAGMENT_LOAD,   ///< by a subgroup (gpu.subgroup_mma_load_matrix)
  BERTH_OP_FRAGMENT_STORE,  ///< the same of a store (Fragments.h)
  // Functions
  BERTH_OP_FUNCTION,        ///< func.func
  BERTH_OP_GPU_FUNCTION,    ///< gpu.func
  BERTH_OP_CALL,            ///< names its function and no more (func.call)
  BERTH_OP_LAUNCH,          ///< many threads run its body (gpu.launch)
  BERTH_OP_LAUNCH_FUNCTION, ///< many threads run a function (gpu.launch_func)
  BERTH_OP_MODULE,          ///< builtin.module
  BERTH_OP_GPU_MODULE,      ///< a device's functions (gpu.module)
  // SPIR-V
  BERTH_OP_SPIRV_MODULE,   ///< spirv.module
  BERTH_OP_SPIRV_VARIABLE, ///< a symbol of memory (spirv.GlobalVariable)
  BERTH_OP_SPIRV_ADDRESS,  ///< what such a symbol stands for
  BERTH_OP_SPIRV_CHAIN,    ///< an element of operand 0 (spirv.AccessChain)
  // Control flow
  BERTH_OP_LOOP, ///< counts from bound to bound by a step (scf.for, affine.for)
  BERTH_OP_WHILE,  ///< goes on while its first region says so (scf.while)
  BERTH_OP_IF,     ///< runs one of two regions (scf.if, affine.if)
  BERTH_OP_YIELD,  ///< scf.yield
  BERTH_OP_BRANCH, ///< decides by its first operand (cf.cond_br, cf.switch)
  BERTH_OP_FULL_BARRIER,  ///< of a workgroup, for all memory (gpu.barrier)
  BERTH_OP_ASSERT,        ///< stops the program unless its operand is true
  BERTH_OP_PARALLEL_LOOP, ///< iterations in any order (scf.parallel,
                          ///< affine.parallel)
  BERTH_OP_FORALL, ///< the same, also with numbers as bounds (scf.forall)
  // Arithmetic of integers
  BERTH_OP_CONSTANT,
  BERTH_OP_SUM,
  BERTH_OP_DIFFERENCE,
  BERTH_OP_PRODUCT,
  BERTH_OP_COMPARISON, ///< by its attribute `predicate` (arith.cmpi)
  BERTH_OP_AND,
  BERTH_OP_XOR,
  BERTH_OP_UNSIGNED_MAX,
  BERTH_OP_SIGNED_MAX,
  BERTH_OP_SIGNED_MIN,
  BERTH_OP_SAME_NUMBER, ///< as another type, if it is not negative
  BERTH_OP_TRUNCATION,  ///< the last bits of a number
  BERTH_OP_APPLY,       ///< the result of an affine map
  BERTH_OP_SMALLEST,    ///< of all results of an affine map
  BERTH_OP_LARGEST,
  // Of these, what is known holds where no operand is negative:
  BERTH_OP_OR,
  BERTH_OP_QUOTIENT,  ///< rounded down
  BERTH_OP_REMAINDER, ///< of a division
  BERTH_OP_SHIFT_LEFT,
  BERTH_OP_SHIFT_RIGHT,
  BERTH_OP_SELECT, ///< operand 1 or 2, by the truth of operand 0
  // Numbers of threads, by the letter of a dimension (berthOpGetDimension)
  BERTH_OP_CLUSTER_ARRIVE, ///< comes to the barrier of the cluster, with all
                           ///< it did before (nvvm.cluster.arrive)
  BERTH_OP_TENSOR_FENCE,   ///< of tensor memory, by its attribute `kind`
  BERTH_OP_CLUSTER_WAIT,   ///< and waits there for all (nvvm.cluster.wait)
  BERTH_OP_CLUSTER_MAP,    ///< makes an address in the workgroup's memory one
                           ///< in that of another of the cluster (nvvm.mapa)
  BERTH_OP_THREAD_ID,  ///< which thread of the workgroup it is (gpu.thread_id)
  BERTH_OP_BLOCK_SIZE, ///< how many there are (gpu.block_dim)
  BERTH_OP_BLOCK_ID,   ///< which workgroup it is (gpu.block_id)
  BERTH_OP_GRID_SIZE   ///< how many there are (gpu.grid_dim)
} BerthOpKind;

/// What an op does with an operand, where the table tells.
typedef enum BerthOperandRole {
  BERTH_OPERAND_OTHER = '-',   ///< something else, or the table does not tell
  BERTH_OPERAND_READ = 'r',    ///< reads from it
  BERTH_OPERAND_WRITTEN = 'w', ///< writes to it
  BERTH_OPERAND_FREED = 'f',   ///< frees it
  BERTH_OPERAND_VIEWED = 'v',  ///< a result points into it
  BERTH_OPERAND_AWAITED = 'a', ///< a token: does not return before that ends
  BERTH_OPERAND_CHANGED = 'b', ///< reads from it and writes to it
  BERTH_OPERAND_CHOSEN = '='   ///< the result is it, or another such operand
} BerthOperandRole;

/// What goes on behind its op, in the thread that ran it. All kinds but the
/// last end as groups do: the thread puts what it has started into a group and
/// waits for the group. Groups end in the order in which they were made; each
/// kind has groups of its own.
typedef enum BerthAsyncKind {
  BERTH_ASYNC_COPY,        ///< nvgpu.device_async_copy
  BERTH_ASYNC_DIRECT,      ///< amdgpu.gather_to_lds: each is a group of its own
  BERTH_ASYNC_STORE,       ///< nvgpu.tma.async.store
  BERTH_ASYNC_PRODUCT,     ///< nvgpu.warpgroup.mma, through descriptors
  BERTH_ASYNC_TENSOR_LOAD, ///< nvvm.tcgen05.ld, from tensor memory
  BERTH_ASYNC_TENSOR_STORE, ///< nvvm.tcgen05.st
  BERTH_ASYNC_WORK, ///< what a target description calls pending: until the
                    ///< next barrier that it names
  BERTH_ASYNC_LOAD, ///< nvgpu.tma.async.load: it tells its end to an mbarrier
  BERTH_NUM_ASYNC_KINDS,
  /// Of nvvm.tcgen05.wait, whose attribute tells which of the two it waits for.
  BERTH_ASYNC_TENSOR_WAIT = BERTH_NUM_ASYNC_KINDS
} BerthAsyncKind;

#endif // BERTH_LIB_IR_OPS_OPKINDS_H
