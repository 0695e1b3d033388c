//===- Build.h - The few ops that Berth creates -------------------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_OPS_BUILD_H
#define BERTH_LIB_IR_OPS_BUILD_H

#include "IR/Ops/Attributes.h"
#include "IR/Ops/OpKinds.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "mlir-c/IR.h"

#include <stdint.h>

/// The names of the ops that Berth creates. What is known of ops that are there
/// is in OpRows.c.
// Arithmetic of integers; without SIGNED of unsigned ones
#define BERTH_NAME_ADD "arith.addi"
#define BERTH_NAME_SUBTRACT "arith.subi"
#define BERTH_NAME_MULTIPLY "arith.muli"
#define BERTH_NAME_DIVIDE "arith.divui"
#define BERTH_NAME_DIVIDE_SIGNED "arith.divsi"
#define BERTH_NAME_REMAINDER "arith.remui"
#define BERTH_NAME_REMAINDER_SIGNED "arith.remsi"
#define BERTH_NAME_MAX "arith.maxui"
#define BERTH_NAME_AND "arith.andi"
#define BERTH_NAME_XOR "arith.xori"
#define BERTH_NAME_COMPARE "arith.cmpi"
#define BERTH_NAME_SELECT "arith.select"
#define BERTH_NAME_CONSTANT "arith.constant"
#define BERTH_NAME_INDEX_CAST "arith.index_cast"
#define BERTH_NAME_BITCAST "arith.bitcast"
#define BERTH_NAME_EXTEND "arith.extui"
#define BERTH_NAME_APPLY "affine.apply"
// Memory
#define BERTH_NAME_ALLOC "memref.alloc"
#define BERTH_NAME_ALLOCA "memref.alloca"
#define BERTH_NAME_DEALLOC "memref.dealloc"
#define BERTH_NAME_VIEW "memref.view"
#define BERTH_NAME_REINTERPRET "memref.reinterpret_cast"
#define BERTH_NAME_CAST "memref.cast"
#define BERTH_NAME_SPACE_CAST "memref.memory_space_cast"
#define BERTH_NAME_FOREIGN_CAST "builtin.unrealized_conversion_cast"
#define BERTH_NAME_DIM "memref.dim"
#define BERTH_NAME_ADDRESS "memref.extract_aligned_pointer_as_index"
#define BERTH_NAME_LOAD "memref.load"
#define BERTH_NAME_STORE "memref.store"
#define BERTH_NAME_VECTOR_LOAD "vector.load"
#define BERTH_NAME_VECTOR_STORE "vector.store"
#define BERTH_NAME_COPY "memref.copy"
#define BERTH_NAME_DMA_START "memref.dma_start"
#define BERTH_NAME_DMA_WAIT "memref.dma_wait"
#define BERTH_NAME_GLOBAL "memref.global"
#define BERTH_NAME_GET_GLOBAL "memref.get_global"
#define BERTH_NAME_DYNAMIC_SHARED "gpu.dynamic_shared_memory"
// Numbers of threads, and how many there are
#define BERTH_NAME_THREAD_ID "gpu.thread_id"
#define BERTH_NAME_BLOCK_ID "gpu.block_id"
#define BERTH_NAME_BLOCK_SIZE "gpu.block_dim"
#define BERTH_NAME_GRID_SIZE "gpu.grid_dim"
// Memory of another device
#define BERTH_NAME_DEVICE_ALLOC "gpu.alloc"
#define BERTH_NAME_DEVICE_DEALLOC "gpu.dealloc"
#define BERTH_NAME_DEVICE_WAIT "gpu.wait"
// Control
#define BERTH_NAME_BARRIER "gpu.barrier"
#define BERTH_NAME_REDUCE "gpu.all_reduce"
#define BERTH_NAME_FENCE "nvvm.fence.proxy"
#define BERTH_NAME_COPY_GROUP "nvgpu.device_async_create_group"
#define BERTH_NAME_COPY_WAIT "nvgpu.device_async_wait"
#define BERTH_NAME_DIRECT_WAIT "amdgpu.memory_counter_wait"
#define BERTH_NAME_STORE_GROUP "nvvm.cp.async.bulk.commit.group"
#define BERTH_NAME_STORE_WAIT "nvvm.cp.async.bulk.wait_group"
#define BERTH_NAME_PRODUCT_WAIT "nvvm.wgmma.wait.group.sync.aligned"
#define BERTH_NAME_CALL "func.call"
#define BERTH_NAME_RETURN "func.return"
#define BERTH_NAME_ASSERT "cf.assert"
#define BERTH_NAME_FOR "scf.for"
#define BERTH_NAME_IF "scf.if"
#define BERTH_NAME_YIELD "scf.yield"
#define BERTH_NAME_WHILE "scf.while"

/// Where new ops go: into `block`, before `before` (at its end if null), with
/// `location`.
typedef struct BerthInsertPoint {
  MlirBlock block;
  MlirOperation before;
  MlirLocation location;
} BerthInsertPoint;

BerthInsertPoint berthInsertBefore(MlirOperation op);
/// At the start of a region's entry block.
BerthInsertPoint berthInsertAtEntry(MlirRegion region, MlirLocation location);

MlirNamedAttribute berthNamed(MlirContext context, const char *name,
                              MlirAttribute attribute);
void berthSetAttribute(MlirOperation op, const char *name,
                       MlirAttribute attribute);
MlirAttribute berthI64(MlirContext context, int64_t value);
MlirAttribute berthI32Array(MlirContext context, intptr_t count,
                            const int32_t *values);

/// Creates and inserts an op. Lists may be NULL where their count is 0.
MlirOperation berthBuild(BerthInsertPoint at, const char *name,
                         intptr_t numOperands, const MlirValue *operands,
                         intptr_t numResults, const MlirType *results,
                         intptr_t numAttributes,
                         const MlirNamedAttribute *attributes);

/// The same for an op that takes over regions.
MlirOperation
berthBuildWithRegions(BerthInsertPoint at, const char *name,
                      intptr_t numOperands, const MlirValue *operands,
                      intptr_t numResults, const MlirType *results,
                      intptr_t numRegions, const MlirRegion *regions);
/// scf.for from 0 to `end`, and scf.if; where its body goes. The block's
/// argument is the loop's variable.
BerthInsertPoint berthBuildFor(BerthInsertPoint at, MlirValue end);
BerthInsertPoint berthBuildIf(BerthInsertPoint at, MlirValue condition);
/// gpu.all_reduce of a value, by its attributes alone.
MlirOperation berthBuildReduction(BerthInsertPoint at, MlirValue value,
                                  MlirType result, intptr_t numAttributes,
                                  const MlirNamedAttribute *attributes);

/// nvvm.fence.proxy between loads and stores of shared memory and the async
/// proxy.
void berthBuildProxyFence(BerthInsertPoint at);

/// Puts all that the thread has started of this kind into a group, and waits
/// for all groups; `*group` may be null. False: no op waits for such groups.
bool berthBuildDrain(BerthInsertPoint at, BerthAsyncKind kind,
                     MlirOperation *group, MlirOperation *wait);

/// The same for an op with one result, which is returned.
MlirValue berthBuildValue(BerthInsertPoint at, const char *name,
                          intptr_t numOperands, const MlirValue *operands,
                          MlirType result, intptr_t numAttributes,
                          const MlirNamedAttribute *attributes);

/// arith.constant of type index, or of an integer type.
MlirValue berthBuildIndex(BerthInsertPoint at, int64_t value);
MlirValue berthBuildInteger(BerthInsertPoint at, MlirType type, int64_t value);

/// An op on two values of one type that returns that type, by its name.
MlirValue berthBuildBinary(BerthInsertPoint at, const char *name, MlirValue a,
                           MlirValue b);

/// `first` where the condition holds, else `second`.
MlirValue berthBuildSelect(BerthInsertPoint at, MlirValue condition,
                           MlirValue first, MlirValue second);

/// arith.cmpi's numbers of predicates.
enum {
  BERTH_EQUAL = 0,
  BERTH_NOT_EQUAL = 1,
  BERTH_SIGNED_LESS = 2,
  BERTH_SIGNED_GREATER = 4,
  BERTH_UNSIGNED_LESS = 6,
  BERTH_UNSIGNED_LESS_EQUAL = 7
};

MlirValue berthBuildCompare(BerthInsertPoint at, int64_t predicate, MlirValue a,
                            MlirValue b);

/// Stops the program with the message unless the condition holds.
void berthBuildAssert(BerthInsertPoint at, MlirValue condition,
                      const char *message);

/// Calls a function by its name.
MlirOperation berthBuildCall(BerthInsertPoint at, const char *function,
                             intptr_t numOperands, const MlirValue *operands,
                             intptr_t numResults, const MlirType *results);

/// The memref type with another layout and memory space.
MlirType berthMemRefWith(MlirType type, MlirAttribute layout,
                         MlirAttribute space);

/// memref<bytes x i8, space>; a negative size is dynamic.
MlirType berthByteMemRef(MlirContext context, int64_t bytes,
                         MlirAttribute space);

/// memref.reinterpret_cast of the first operand to the type's own sizes, at
/// this offset and these strides; further operands are its dynamic sizes.
MlirValue berthBuildReinterpret(BerthInsertPoint at, MlirType type,
                                int64_t offset, const int64_t *strides,
                                intptr_t numOperands,
                                const MlirValue *operands);

/// A typed view of `arena` at a constant byte offset: memref.view, followed by
/// memref.reinterpret_cast where the type's layout is not the identity.
MlirValue berthBuildView(BerthInsertPoint at, MlirValue arena, int64_t offset,
                         MlirType type);

/// The same of a type that no view has, or of other bytes than it tells: a cast
/// of a view of the bytes, for whoever knows the type.
MlirValue berthBuildForeignView(BerthInsertPoint at, MlirValue arena,
                                int64_t offset, int64_t bytes, MlirType type);

/// The same for what a memref.alloc of dynamic size and identity layout yields,
/// at an offset that is a value.
MlirValue berthBuildDynamicView(BerthInsertPoint at, MlirValue arena,
                                MlirValue shift, MlirOperation alloc);

#endif // BERTH_LIB_IR_OPS_BUILD_H
