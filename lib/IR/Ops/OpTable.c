//===- OpTable.c - The only op names that Berth knows ---------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Ops/OpTable.h"
#include "mlir-c/BuiltinAttributes.h"

#include <string.h>

/// Ops whose regions have many instances at once. A name that ends in '*'
/// stands for all that begin so.
static const char *const parallelOps[] = {
    "scf.parallel", "scf.forall", "affine.parallel", "omp.*", "acc.*",
};

/// Not: omp's wrappers, which hold one op and nothing else, its work sharing,
/// which deals the ops of one region out to threads, and what goes to another
/// device.
static const char *const parallelBodies[] = {"scf.parallel", "scf.forall",
                                             "affine.parallel", "omp.parallel",
                                             "omp.loop_nest"};

/// Ops that are asynchronous if they return a token.
static const char *const asyncOps[] = {"async.execute", "gpu.launch"};
/// Ops that are asynchronous and return nothing that one could await.
static const char *const taskOps[] = {"omp.task", "omp.taskloop*"};
static const char *const someThreadsOps[] = {"gpu.warp_execute_on_lane_0"};
static const char *const awaitOps[] = {"async.await", "gpu.wait"};
static const char *const barrierOps[] = {"gpu.barrier", "amdgpu.lds_barrier",
                                         "rocdl.barrier", "nvvm.barrier0"};

/// What ops do to things under way (BerthAsyncKind): start one; make a group;
/// wait until so many groups or fewer pend, as an attribute says, or by
/// default.
typedef struct AsyncOp {
  const char *name;
  BerthAsyncKind kind;
  bool starts;
  bool makesGroup;
  const char *mayPend; ///< NULL: it waits for nothing
  int64_t defaultPend;
} AsyncOp;

static const AsyncOp groupedOps[] = {
    {"nvgpu.device_async_copy", BERTH_ASYNC_COPY, true, false, NULL, 0},
    {"nvgpu.device_async_create_group", BERTH_ASYNC_COPY, false, true, NULL, 0},
    {"nvgpu.device_async_wait", BERTH_ASYNC_COPY, false, false, "numGroups", 0},
    {"nvgpu.tma.async.store", BERTH_ASYNC_STORE, true, false, NULL, 0},
    {"nvvm.cp.async.bulk.commit.group", BERTH_ASYNC_STORE, false, true, NULL,
     0},
    {"nvvm.cp.async.bulk.wait_group", BERTH_ASYNC_STORE, false, false, "group",
     INT64_MAX},
    {"nvgpu.warpgroup.mma", BERTH_ASYNC_PRODUCT, true, true, "waitGroup", 1},
    {"nvvm.wgmma.commit.group.sync.aligned", BERTH_ASYNC_PRODUCT, false, true,
     NULL, 0},
    {"nvvm.wgmma.wait.group.sync.aligned", BERTH_ASYNC_PRODUCT, false, false,
     "group", INT64_MAX},
    {"nvgpu.tma.async.load", BERTH_ASYNC_LOAD, true, false, NULL, 0}};

static const char *const touchingOps[] = {
    "memref.load", "memref.store", "affine.load",   "affine.store",
    "vector.load", "vector.store", "nvgpu.ldmatrix"};

static const char *const pointerlessOps[] = {"nvgpu.device_async_copy",
                                             "nvgpu.device_async_create_group",
                                             "nvgpu.warpgroup.mma"};
static const char *const transferOps[] = {"memref.dma_start",
                                          "affine.dma_start"};
static const char *const otherProxyOps[] = {"nvvm.cp.async.shared.global",
                                            "nvvm.cp.async.bulk.*",
                                            "nvvm.st.bulk",
                                            "nvvm.wgmma.mma_async",
                                            "amdgpu.gather_to_lds",
                                            "amdgpu.global_load_async_to_lds",
                                            "amdgpu.tensor_*",
                                            "amdgpu.make_dma_*",
                                            "amdgpu.make_gather_dma_*",
                                            "rocdl.load.to.lds",
                                            "rocdl.global.load.lds",
                                            "rocdl.global.load.async.to.lds.*",
                                            "rocdl.cluster.load.async.to.lds.*",
                                            "rocdl.raw.ptr.buffer.load.lds",
                                            "rocdl.tensor.*"};

/// Whole dialects of arithmetic, and values of the block or the grid.
static const char *const uniformOps[] = {"arith.*",
                                         "index.*",
                                         "math.*",
                                         "affine.apply",
                                         "affine.min",
                                         "affine.max",
                                         "gpu.block_id",
                                         "gpu.block_dim",
                                         "gpu.grid_dim",
                                         "memref.dim",
                                         "gpu.cluster_id",
                                         "gpu.cluster_dim",
                                         "gpu.cluster_dim_blocks"};

/// Whole dialects of control flow, and what else hides no decision.
static const char *const openOps[] = {"scf.*", "affine.*", "cf.*",
                                      "memref.alloca_scope"};

/// Ops that touch memory while they run, and keep nothing of it.
static const char *const plainAccesses[] = {
    "linalg.*",        "memref.load",  "memref.store", "memref.copy",
    "affine.load",     "affine.store", "vector.*",     "affine.vector_load",
    "func.call",       "scf.parallel", "scf.forall",   "affine.vector_store",
    "affine.parallel",
};

static MlirStringRef opName(MlirOperation op) {
  return mlirIdentifierStr(mlirOperationGetName(op));
}

static bool matches(MlirStringRef name, const char *pattern) {
  size_t length = strlen(pattern);
  bool isPrefix = pattern[length - 1] == '*';
  length -= isPrefix;
  return (isPrefix ? name.length > length : name.length == length) &&
         memcmp(name.data, pattern, length) == 0;
}

static bool isListed(MlirOperation op, const char *const *table, size_t count) {
  MlirStringRef name = opName(op);
  for (size_t i = 0; i < count; ++i)
    if (matches(name, table[i]))
      return true;
  return false;
}

#define IS_LISTED(op, table)                                                   \
  isListed(op, table, sizeof(table) / sizeof *(table))

bool berthOpIsParallel(MlirOperation op) { return IS_LISTED(op, parallelOps); }
bool berthOpIsParallelBody(MlirOperation op) {
  return IS_LISTED(op, parallelBodies);
}

bool berthOpIsPlainAccess(MlirOperation op) {
  return IS_LISTED(op, plainAccesses);
}

bool berthOpIsAsync(MlirOperation op) {
  return IS_LISTED(op, taskOps) ||
         (mlirOperationGetNumResults(op) > 0 && IS_LISTED(op, asyncOps));
}
bool berthOpIsForSomeThreads(MlirOperation op) {
  return IS_LISTED(op, someThreadsOps);
}
bool berthOpIsAwait(MlirOperation op) { return IS_LISTED(op, awaitOps); }

/// nvvm.barrier's operands are an id, a thread count and a predicate.
static bool isWholeNvvmBarrier(MlirOperation op) {
  if (!matches(opName(op), "nvvm.barrier"))
    return false;
  MlirAttribute segments = mlirOperationGetAttributeByName(
      op, mlirStringRefCreateFromCString("operandSegmentSizes"));
  return !mlirAttributeIsNull(segments) &&
         mlirDenseI32ArrayGetElement(segments, 1) == 0;
}

bool berthOpIsBarrier(MlirOperation op) {
  return IS_LISTED(op, barrierOps) || isWholeNvvmBarrier(op);
}

/// The table's row for an op, or NULL. Few ops are asynchronous, so the names
/// are only looked at where the dialect may be right.
static const AsyncOp *findAsync(MlirOperation op) {
  MlirStringRef name = opName(op);
  if (name.length < 2 || memcmp(name.data, "nv", 2) != 0)
    return NULL;
  for (size_t i = 0; i < sizeof groupedOps / sizeof *groupedOps; ++i)
    if (matches(name, groupedOps[i].name))
      return &groupedOps[i];
  return NULL;
}

static const AsyncOp *findAsyncOf(MlirOperation op, BerthAsyncKind kind) {
  const AsyncOp *row = findAsync(op);
  return row && row->kind == kind ? row : NULL;
}

bool berthOpStartsAsync(MlirOperation op, BerthAsyncKind kind) {
  const AsyncOp *row = findAsyncOf(op, kind);
  return row && row->starts;
}

bool berthOpMakesGroup(MlirOperation op, BerthAsyncKind kind) {
  const AsyncOp *row = findAsyncOf(op, kind);
  return row && row->makesGroup;
}

static MlirAttribute attributeOf(MlirOperation op, const char *name) {
  return mlirOperationGetAttributeByName(op,
                                         mlirStringRefCreateFromCString(name));
}

bool berthOpWaitsForGroups(MlirOperation op, BerthAsyncKind kind,
                           int64_t *mayPend) {
  const AsyncOp *row = findAsyncOf(op, kind);
  if (!row || !row->mayPend)
    return false;
  MlirAttribute groups = attributeOf(op, row->mayPend);
  *mayPend = mlirAttributeIsNull(groups) ? row->defaultPend
                                         : mlirIntegerAttrGetValueInt(groups);
  return *mayPend >= 0;
}

bool berthOpStartsAnyAsync(MlirOperation op) {
  const AsyncOp *row = findAsync(op);
  return row && row->starts;
}

/// The operands of nvgpu.tma.async.load: target, mbarriers, descriptor,
/// coordinates, number, mask of workgroups, predicate; so many of each.
enum { kCoordinates = 3, kNumberBehind = 3, kMask = 5 };

static int32_t countOperands(MlirOperation op, intptr_t segment) {
  MlirAttribute segments = attributeOf(op, "operandSegmentSizes");
  return mlirAttributeIsNull(segments)
             ? 0
             : mlirDenseI32ArrayGetElement(segments, segment);
}

BerthMBarrier berthLoadGetMBarrier(MlirOperation load) {
  intptr_t number = kNumberBehind + countOperands(load, kCoordinates);
  return (BerthMBarrier){mlirOperationGetOperand(load, 1),
                         mlirOperationGetOperand(load, number)};
}

bool berthOpAwaitsMBarrier(MlirOperation op, BerthMBarrier *barrier) {
  if (!matches(opName(op), "nvgpu.mbarrier.try_wait.parity"))
    return false;
  *barrier = (BerthMBarrier){mlirOperationGetOperand(op, 0),
                             mlirOperationGetOperand(op, 3)};
  return true;
}

static MlirAttribute constantOf(MlirValue value) {
  MlirAttribute none = {NULL};
  if (!mlirValueIsAOpResult(value))
    return none;
  MlirOperation op = mlirOpResultGetOwner(value);
  return matches(opName(op), "arith.constant") ? attributeOf(op, "value")
                                               : none;
}

bool berthMBarriersEqual(BerthMBarrier a, BerthMBarrier b) {
  if (!mlirValueEqual(a.group, b.group))
    return false;
  MlirAttribute first = constantOf(a.number), second = constantOf(b.number);
  return mlirValueEqual(a.number, b.number) ||
         (!mlirAttributeIsNull(first) && mlirAttributeEqual(first, second));
}

bool berthOpSurelyTouches(MlirOperation op) {
  return IS_LISTED(op, touchingOps);
}

bool berthOpMakesDescriptor(MlirOperation op) {
  return matches(opName(op), "nvgpu.warpgroup.generate.descriptor");
}

bool berthOpIsAsyncProxy(MlirOperation op) {
  const AsyncOp *row = findAsync(op);
  return row && row->kind != BERTH_ASYNC_COPY;
}

/// Collects the start of an attribute's text.
typedef struct ShortText {
  char text[64];
  size_t length;
} ShortText;

static void appendText(MlirStringRef piece, void *userData) {
  ShortText *text = userData;
  for (size_t i = 0; i < piece.length && text->length < sizeof text->text - 1;
       ++i)
    text->text[text->length++] = piece.data[i];
}

bool berthOpIsProxyFence(MlirOperation op) {
  if (!matches(opName(op), "nvvm.fence.proxy"))
    return false;
  MlirAttribute kind = attributeOf(op, "kind");
  ShortText text = {{0}, 0};
  if (!mlirAttributeIsNull(kind))
    mlirAttributePrint(kind, appendText, &text);
  return strcmp(text.text, "#nvvm.proxy_kind<async>") == 0 ||
         strcmp(text.text, "#nvvm.proxy_kind<async.shared>") == 0;
}

bool berthOpReturnsNoPointer(MlirOperation op) {
  return IS_LISTED(op, pointerlessOps);
}

bool berthOpIsTransfer(MlirOperation op) { return IS_LISTED(op, transferOps); }

/// What a TMA load writes in other workgroups their barriers do not order.
static bool isMulticast(MlirOperation op) {
  return berthOpStartsAsync(op, BERTH_ASYNC_LOAD) && countOperands(op, kMask);
}

bool berthOpIsOtherProxy(MlirOperation op) {
  return (IS_LISTED(op, otherProxyOps) && !berthOpIsAsyncProxy(op)) ||
         isMulticast(op);
}

bool berthOpKeepsUniformity(MlirOperation op) {
  return IS_LISTED(op, uniformOps);
}

bool berthControlFollowsOperands(MlirOperation op) {
  return IS_LISTED(op, openOps);
}

bool berthOpIsNamed(MlirOperation op, const char *name) {
  return matches(opName(op), name);
}
