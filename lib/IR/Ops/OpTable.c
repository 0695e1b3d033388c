//===- OpTable.c - The only op names that Berth knows ---------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Ops/OpTable.h"
#include "IR/Facts/Facts.h"
#include "IR/Ops/Attributes.h"
#include "IR/Ops/OpRow.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

#include <string.h>
#include <threads.h>

/// What holds for a family holds for all ops in it, besides their own rows.
///
/// Parallel bodies are not: omp's wrappers, which hold one op and nothing else,
/// its work sharing, which deals the ops of one region out to threads, and what
/// goes to another device.
static const BerthOpRow families[] = {
    {.name = "acc.*", .traits = kParallel, .asyncIf = "async"},
    {.name = "affine.*", .traits = kOpen | kAffine},
    {.name = "amdgpu.make_dma_*", .traits = kOtherProxy},
    {.name = "amdgpu.make_gather_dma_*", .traits = kOtherProxy},
    {.name = "amdgpu.tensor_*", .traits = kOtherProxy},
    {.name = "arith.*", .traits = kArithmetic | kUniform | kTableCode},
    {.name = "async.runtime.*", .traits = kNoWait},
    {.name = "cf.*", .traits = kOpen},
    {.name = "index.*", .traits = kUniform},
    {.name = "linalg.*", .traits = kPlain},
    {.name = "math.*", .traits = kUniform},
    {.name = "nvgpu.*", .threads = kNeverWaits},
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
    {.name = "vector.*", .traits = kPlain}};

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
    {.name = "gpu.alloc", .kind = BERTH_OP_DEVICE_ALLOC},
    {.name = "gpu.barrier", .traits = kBarrier},
    {.name = "gpu.block_dim", .traits = kUniform},
    {.name = "gpu.block_id", .traits = kUniform},
    {.name = "gpu.cluster_block_id", .traits = kUniform},
    {.name = "gpu.cluster_dim", .traits = kUniform},
    {.name = "gpu.cluster_dim_blocks", .traits = kUniform},
    {.name = "gpu.cluster_id", .traits = kUniform},
    {.name = "gpu.dealloc", .kind = BERTH_OP_DEVICE_FREE},
    {.name = "gpu.dynamic_shared_memory", .kind = BERTH_OP_DYNAMIC_SHARED},
    {.name = "gpu.func", .kind = BERTH_OP_GPU_FUNCTION},
    {.name = "gpu.global_id", .threads = kThreadNumber},
    {.name = "gpu.grid_dim", .traits = kUniform},
    {.name = "gpu.lane_id", .threads = kThreadNumber},
    {.name = "gpu.launch", .kind = BERTH_OP_LAUNCH, .traits = kAsyncByToken},
    {.name = "gpu.launch_func", .kind = BERTH_OP_LAUNCH_FUNCTION},
    {.name = "gpu.module", .kind = BERTH_OP_GPU_MODULE},
    {.name = "gpu.num_subgroups", .traits = kUniform},
    {.name = "gpu.printf", .threads = kNeverWaits | kNeverSignals},
    {.name = "gpu.subgroup_id", .threads = kThreadNumber},
    {.name = "gpu.thread_id", .threads = kThreadNumber},
    {.name = "gpu.wait", .traits = kAwait},
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

/// What is known of types, by name, too. Tokens stand for what is under way;
/// pointerless are fragments in registers, and what a call reports.
static const char *const tokenTypes[] = {"async.group", "async.token",
                                         "gpu.async.token", "mpi.request"};
static const char *const pointerlessTypes[] = {
    "amx.tile", "gpu.mma_matrix", "mpi.retval", "nvgpu.warpgroup.accumulator",
    "spirv.coopmatrix"};

static MlirStringRef opName(MlirOperation op) {
  return mlirIdentifierStr(mlirOperationGetName(op));
}

/// As strcmp, of a name that has a length.
static int compareNames(MlirStringRef name, const char *other) {
  int order = strncmp(name.data, other, name.length);
  return order ? order : -(other[name.length] != 0);
}

/// What a target description says, while a pass runs with it. Passes run side
/// by side, each in its own thread, and may have different descriptions.
static _Thread_local const BerthOpRows *overlay;

const BerthOpRows *berthOpTableOverlay(const BerthOpRows *rows) {
  const BerthOpRows *before = overlay;
  overlay = rows;
  return before;
}

static const BerthOpRow *search(const BerthOpRow *rows, size_t count,
                                MlirStringRef name) {
  size_t low = 0, high = count;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    int order = compareNames(name, rows[middle].name);
    if (!order)
      return &rows[middle];
    if (order < 0)
      high = middle;
    else
      low = middle + 1;
  }
  return NULL;
}

// Most questions are about ops that the table has no row of, and there are
// many: a hash answers them in half the time of a search.
enum { kNumOps = sizeof ops / sizeof *ops, kNumSlots = 1024 };
_Static_assert(2 * kNumOps <= kNumSlots, "half of the slots stay free");

static uint16_t slots[kNumSlots]; ///< index of a row and 1, or 0
static once_flag slotsFilled = ONCE_FLAG_INIT;

static size_t slotOf(MlirStringRef name) {
  uint32_t hash = 2166136261; // FNV-1a
  for (size_t i = 0; i < name.length; ++i)
    hash = (hash ^ (unsigned char)name.data[i]) * 16777619;
  return (hash ^ hash >> 16) % kNumSlots;
}

static void fillSlots(void) {
  for (size_t i = 0; i < kNumOps; ++i) {
    size_t slot = slotOf(mlirStringRefCreateFromCString(ops[i].name));
    while (slots[slot])
      slot = (slot + 1) % kNumSlots;
    slots[slot] = (uint16_t)(i + 1);
  }
}

static const BerthOpRow *findInTable(MlirStringRef name) {
  call_once(&slotsFilled, fillSlots);
  for (size_t slot = slotOf(name); slots[slot]; slot = (slot + 1) % kNumSlots)
    if (!compareNames(name, ops[slots[slot] - 1].name))
      return &ops[slots[slot] - 1];
  return NULL;
}

const BerthOpRow *berthOpTableFind(const char *name) {
  return findInTable(mlirStringRefCreateFromCString(name));
}

static MlirAttribute attributeOf(MlirOperation op, const char *name) {
  return mlirOperationGetAttributeByName(op,
                                         mlirStringRefCreateFromCString(name));
}

/// The start of a type or an attribute as text.
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

/// True if the attribute is the string of that text, or prints so.
static bool saysText(MlirAttribute attribute, const char *text) {
  if (mlirAttributeIsNull(attribute))
    return strcmp(text, "default") == 0;
  if (mlirAttributeIsAString(attribute)) {
    MlirStringRef string = mlirStringAttrGetValue(attribute);
    if (string.length == strlen(text) &&
        memcmp(string.data, text, string.length) == 0)
      return true;
  }
  ShortText printed = {{0}, 0};
  mlirAttributePrint(attribute, appendText, &printed);
  return strcmp(printed.text, text) == 0;
}

static bool holds(const BerthOpCondition *condition, MlirOperation op) {
  if (condition->attribute) {
    MlirAttribute attribute = attributeOf(op, condition->attribute);
    return !mlirAttributeIsNull(attribute) &&
           (!condition->text || saysText(attribute, condition->text));
  }
  if (condition->operand >= mlirOperationGetNumOperands(op))
    return false;
  MlirType type =
      mlirValueGetType(mlirOperationGetOperand(op, condition->operand));
  if (mlirTypeIsAMemRef(type))
    return saysText(mlirMemRefTypeGetMemorySpace(type), condition->text);
  return mlirTypeIsAUnrankedMemRef(type) &&
         saysText(mlirUnrankedMemrefGetMemorySpace(type), condition->text);
}

/// Of the description's rows with that name the first that is the op's.
static const BerthOpRow *searchOverlay(MlirStringRef name, MlirOperation op) {
  const BerthOpRow *row = search(overlay->rows, overlay->count, name);
  while (row && row > overlay->rows && !compareNames(name, row[-1].name))
    --row;
  for (const BerthOpRow *end = overlay->rows + overlay->count;
       row && row < end && !compareNames(name, row->name); ++row) {
    size_t i = 0;
    while (i < row->numConditions && holds(&row->conditions[i], op))
      ++i;
    if (i == row->numConditions)
      return row;
  }
  return NULL;
}

/// The row of the function that the op calls by its symbol.
static const BerthOpRow *searchFunction(MlirOperation op) {
  static const char ending[] = "call";
  size_t length = sizeof ending - 1;
  MlirStringRef called = opName(op);
  bool isCall =
      called.length > length &&
      memcmp(called.data + called.length - length, ending, length) == 0;
  MlirAttribute callee =
      isCall ? attributeOf(op, "callee") : (MlirAttribute){NULL};
  if (mlirAttributeIsNull(callee) || !mlirAttributeIsAFlatSymbolRef(callee))
    return NULL;
  ShortText name = {"@", 1};
  MlirStringRef symbol = mlirFlatSymbolRefAttrGetValue(callee);
  if (symbol.length >= sizeof name.text - 1)
    return NULL;
  appendText(symbol, &name);
  return searchOverlay((MlirStringRef){name.text, name.length}, op);
}

const BerthOpRow *berthOpTableFindDescribed(MlirOperation op) {
  if (!overlay)
    return NULL;
  const BerthOpRow *row = overlay->hasFunctions ? searchFunction(op) : NULL;
  return row ? row : searchOverlay(opName(op), op);
}

/// The op's own row, or NULL. A description's row has what the built-in one
/// says in it.
static const BerthOpRow *rowOf(MlirOperation op) {
  const BerthOpRow *row = berthOpTableFindDescribed(op);
  return row ? row : findInTable(opName(op));
}

static bool isInFamily(MlirStringRef name, const BerthOpRow *family) {
  if (name.data[0] != family->name[0]) // nearly always
    return false;
  size_t length = strlen(family->name) - 1;
  return name.length >= length && memcmp(name.data, family->name, length) == 0;
}

bool berthOpIs(MlirOperation op, BerthOpKind kind) {
  const BerthOpRow *row = rowOf(op);
  return row && row->kind == kind;
}

/// True if its own row or its family's says so.
static bool has(MlirOperation op, uint32_t trait) {
  MlirStringRef name = opName(op);
  for (size_t i = 0; i < sizeof families / sizeof *families; ++i)
    if ((families[i].traits & trait) && isInFamily(name, &families[i]))
      return true;
  const BerthOpRow *row = rowOf(op);
  return row && (row->traits & trait);
}

/// The same for what it has to do with other threads.
static bool hasToDo(MlirOperation op, uint32_t with) {
  MlirStringRef name = opName(op);
  for (size_t i = 0; i < sizeof families / sizeof *families; ++i)
    if ((families[i].threads & with) && isInFamily(name, &families[i]))
      return true;
  const BerthOpRow *row = rowOf(op);
  return row && (row->threads & with);
}

/// How many operands a segment of them has.
static int32_t countOperands(MlirOperation op, intptr_t segment) {
  MlirAttribute segments = attributeOf(op, "operandSegmentSizes");
  return mlirAttributeIsNull(segments)
             ? 0
             : mlirDenseI32ArrayGetElement(segments, segment);
}

/// The segment that an operand is in; -1 without a fitting attribute.
static intptr_t segmentOf(MlirOperation op, intptr_t operand) {
  MlirAttribute segments = attributeOf(op, "operandSegmentSizes");
  if (mlirAttributeIsNull(segments) || !mlirAttributeIsADenseI32Array(segments))
    return -1;
  intptr_t count = mlirDenseArrayGetNumElements(segments);
  for (intptr_t i = 0; i < count; ++i) {
    operand -= mlirDenseI32ArrayGetElement(segments, i);
    if (operand < 0)
      return i;
  }
  return -1;
}

BerthOperandRole berthOpGetRole(MlirOperation op, intptr_t operand) {
  const BerthOpRow *row = rowOf(op);
  if (!row || !row->operands)
    return BERTH_OPERAND_OTHER;
  intptr_t index = row->bySegments ? segmentOf(op, operand) : operand;
  bool isTold = index >= 0 && index < (intptr_t)strlen(row->operands);
  return isTold ? (BerthOperandRole)row->operands[index] : BERTH_OPERAND_OTHER;
}

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

/// The dialect of a type, also of one that is not registered.
static MlirStringRef dialectOf(MlirType type) {
  return mlirTypeIsAOpaque(type)
             ? mlirOpaqueTypeGetDialectNamespace(type)
             : mlirDialectGetNamespace(mlirTypeGetDialect(type));
}

/// True if the type is named, with or without parameters: !name or !name<...>.
/// Only its text says so, which is made for types of these dialects alone: most
/// that are asked about are numbers and memrefs.
static bool isNamedType(MlirType type, const char *const *names, size_t count) {
  ShortText text = {{0}, 0};
  MlirStringRef dialect = dialectOf(type);
  bool isNear = false;
  for (size_t i = 0; i < count; ++i)
    isNear |= strncmp(names[i], dialect.data, dialect.length) == 0 &&
              names[i][dialect.length] == '.';
  if (!isNear)
    return false;
  mlirTypePrint(type, appendText, &text);
  for (size_t i = 0; i < count; ++i) {
    size_t length = strlen(names[i]);
    if (text.length > length && text.text[0] == '!' &&
        memcmp(text.text + 1, names[i], length) == 0 &&
        (text.length == length + 1 || text.text[length + 1] == '<'))
      return true;
  }
  return false;
}

bool berthTypeIsToken(MlirType type) {
  return isNamedType(type, tokenTypes, sizeof tokenTypes / sizeof *tokenTypes);
}

bool berthTypeIsPointerless(MlirType type) {
  return isNamedType(type, pointerlessTypes,
                     sizeof pointerlessTypes / sizeof *pointerlessTypes) ||
         (overlay &&
          isNamedType(type, overlay->pointerless, overlay->numPointerless));
}

//===----------------------------------------------------------------------===//
// Threads and asynchronous code
//===----------------------------------------------------------------------===//

bool berthOpIsParallel(MlirOperation op) { return has(op, kParallel); }
bool berthOpIsParallelBody(MlirOperation op) { return has(op, kParallelBody); }
bool berthOpIsAffine(MlirOperation op) { return has(op, kAffine); }
bool berthOpIsElementAccess(MlirOperation op) { return has(op, kElement); }
bool berthOpIsArithmetic(MlirOperation op) { return has(op, kArithmetic); }
bool berthOpIsTableCode(MlirOperation op) { return has(op, kTableCode); }
bool berthOpIsPlainAccess(MlirOperation op) { return has(op, kPlain); }
/// Some attribute of the op makes it asynchronous.
static bool isAsyncByAttribute(MlirOperation op, const char *prefix) {
  size_t length = strlen(prefix);
  intptr_t count = mlirOperationGetNumAttributes(op);
  for (intptr_t i = 0; i < count; ++i) {
    MlirStringRef name =
        mlirIdentifierStr(mlirOperationGetAttribute(op, i).name);
    if (name.length >= length && memcmp(name.data, prefix, length) == 0)
      return true;
  }
  return false;
}

bool berthOpIsAsync(MlirOperation op) {
  if (has(op, kAsync) ||
      (mlirOperationGetNumResults(op) > 0 && has(op, kAsyncByToken)))
    return true;
  MlirStringRef name = opName(op);
  for (size_t i = 0; i < sizeof families / sizeof *families; ++i)
    if (families[i].asyncIf && isInFamily(name, &families[i]) &&
        isAsyncByAttribute(op, families[i].asyncIf))
      return true;
  return false;
}
bool berthOpIsCoroutine(MlirOperation op) { return has(op, kCoroutine); }
bool berthOpWaitsForNothing(MlirOperation op) { return has(op, kNoWait); }
bool berthOpSeparates(MlirOperation op) { return has(op, kSeparates); }
bool berthOpAssumesAlignment(MlirOperation op) {
  return has(op, kAssumesAlignment);
}
bool berthOpRetypesWhole(MlirOperation op) { return has(op, kRetypes); }
bool berthOpIsForSomeThreads(MlirOperation op) { return has(op, kSomeThreads); }

/// With a token of its own (gpu.wait async) an op only joins what it is given.
bool berthOpIsAwait(MlirOperation op) {
  return has(op, kAwait) &&
         (mlirOperationGetNumResults(op) == 0 ||
          !berthTypeIsToken(mlirValueGetType(mlirOperationGetResult(op, 0))));
}

/// nvvm.barrier's operands are an id, a thread count and a predicate.
static bool isWholeBarrier(MlirOperation op) {
  enum { kThreadCount = 1 };
  return has(op, kCountedBarrier) &&
         !mlirAttributeIsNull(attributeOf(op, "operandSegmentSizes")) &&
         countOperands(op, kThreadCount) == 0;
}

/// A barrier may name the address spaces that it orders.
static bool ordersWorkgroupMemory(MlirOperation op) {
  MlirAttribute spaces = attributeOf(op, "address_spaces");
  if (mlirAttributeIsNull(spaces))
    return true;
  intptr_t count =
      mlirAttributeIsAArray(spaces) ? mlirArrayAttrGetNumElements(spaces) : 0;
  for (intptr_t i = 0; i < count; ++i) {
    ShortText text = {{0}, 0};
    mlirAttributePrint(mlirArrayAttrGetElement(spaces, i), appendText, &text);
    if (strcmp(text.text, "#gpu.address_space<workgroup>") == 0)
      return true;
  }
  return false;
}

bool berthOpIsBarrier(MlirOperation op) {
  return (has(op, kBarrier) && ordersWorkgroupMemory(op)) || isWholeBarrier(op);
}

/// Some attribute is a text that says "bar".
static bool mentionsBarrier(MlirOperation op) {
  static const char word[] = "bar";
  for (intptr_t i = 0; i < mlirOperationGetNumAttributes(op); ++i) {
    MlirAttribute attribute = mlirOperationGetAttribute(op, i).attribute;
    if (!mlirAttributeIsAString(attribute))
      continue;
    MlirStringRef text = mlirStringAttrGetValue(attribute);
    for (size_t at = 0; at + strlen(word) <= text.length; ++at)
      if (memcmp(text.data + at, word, strlen(word)) == 0)
        return true;
  }
  return false;
}

bool berthOpIsPartOfBarrier(MlirOperation op, MlirValue *id) {
  *id = (MlirValue){NULL};
  if (has(op, kEscape))
    return mentionsBarrier(op);
  bool isCounted = has(op, kCountedBarrier) && !isWholeBarrier(op);
  if (!isCounted && !hasToDo(op, kSplitBarrier))
    return false;
  bool hasId = isCounted ? countOperands(op, 0) > 0
                         : mlirOperationGetNumOperands(op) > 1;
  if (hasId)
    *id = mlirOperationGetOperand(op, 0);
  return true;
}

/// The op's row if it has to do with what goes on behind an op, else NULL.
static const BerthOpRow *findAsync(MlirOperation op) {
  const BerthOpRow *row = rowOf(op);
  return row && (row->mayPend || (row->traits & (kStarts | kMakesGroup)))
             ? row
             : NULL;
}

static const BerthOpRow *findAsyncOf(MlirOperation op, BerthAsyncKind kind) {
  const BerthOpRow *row = findAsync(op);
  return row && row->async == kind ? row : NULL;
}

bool berthOpStartsAsync(MlirOperation op, BerthAsyncKind kind) {
  return findAsyncOf(op, kind) && has(op, kStarts);
}

bool berthOpMakesGroup(MlirOperation op, BerthAsyncKind kind) {
  return findAsyncOf(op, kind) && has(op, kMakesGroup);
}

bool berthOpWaitsForGroups(MlirOperation op, BerthAsyncKind kind,
                           int64_t *mayPend) {
  const BerthOpRow *row = findAsyncOf(op, kind);
  if (!row || !row->mayPend)
    return false;
  MlirAttribute groups = attributeOf(op, row->mayPend);
  *mayPend = mlirAttributeIsNull(groups) ? row->defaultPend
                                         : mlirIntegerAttrGetValueInt(groups);
  return *mayPend >= 0;
}

bool berthOpStartsAnyAsync(MlirOperation op) { return has(op, kStarts); }

/// The operands of nvgpu.tma.async.load: target, mbarriers, descriptor,
/// coordinates, number, mask of workgroups, predicate; so many of each.
enum { kCoordinates = 3, kNumberBehind = 3, kMask = 5 };

BerthMBarrier berthLoadGetMBarrier(MlirOperation load) {
  intptr_t number = kNumberBehind + countOperands(load, kCoordinates);
  return (BerthMBarrier){mlirOperationGetOperand(load, 1),
                         mlirOperationGetOperand(load, number)};
}

bool berthOpAwaitsMBarrier(MlirOperation op, BerthMBarrier *barrier) {
  if (!has(op, kAwaitsMbarrier))
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
  return berthOpIs(op, BERTH_OP_CONSTANT) ? attributeOf(op, "value") : none;
}

bool berthMBarriersEqual(BerthMBarrier a, BerthMBarrier b) {
  if (!mlirValueEqual(a.group, b.group))
    return false;
  MlirAttribute first = constantOf(a.number), second = constantOf(b.number);
  return mlirValueEqual(a.number, b.number) ||
         (!mlirAttributeIsNull(first) && mlirAttributeEqual(first, second));
}

bool berthOpSurelyTouches(MlirOperation op) { return has(op, kTouches); }

bool berthOpMakesDescriptor(MlirOperation op) { return has(op, kDescriptor); }

bool berthOpIsAsyncProxy(MlirOperation op) {
  const BerthOpRow *row = findAsync(op);
  return row && row->async != BERTH_ASYNC_COPY &&
         row->async != BERTH_ASYNC_WORK;
}

bool berthOpIsProxyFence(MlirOperation op) {
  if (!has(op, kProxyFence))
    return false;
  MlirAttribute kind = attributeOf(op, "kind");
  ShortText text = {{0}, 0};
  if (!mlirAttributeIsNull(kind))
    mlirAttributePrint(kind, appendText, &text);
  return strcmp(text.text, "#nvvm.proxy_kind<async>") == 0 ||
         strcmp(text.text, "#nvvm.proxy_kind<async.shared>") == 0;
}

static void ignoreEffect(BerthEffect effect, void *userData) {
  (void)effect;
  (void)userData;
}

bool berthOpIsDescribed(MlirOperation op) {
  return has(op, kDescribed) &&
         !berthInterfaceGetEffects(op, ignoreEffect, NULL);
}

/// A description names the operands that a result points into.
static bool hasNoViews(MlirOperation op) {
  return berthOpIsDescribed(op) &&
         !strchr(rowOf(op)->operands, BERTH_OPERAND_VIEWED);
}

bool berthOpReturnsNoPointer(MlirOperation op) {
  return has(op, kNoPointer) || hasNoViews(op);
}

/// The attribute, or the constant in the operand, that the source names; null
/// where the op has none.
static MlirAttribute readSource(const BerthOpSource *source, MlirOperation op) {
  if (source->text)
    return mlirStringAttrGet(mlirOperationGetContext(op),
                             mlirStringRefCreateFromCString(source->text));
  if (source->attribute)
    return attributeOf(op, source->attribute);
  bool hasOperand =
      source->operand >= 0 && source->operand < mlirOperationGetNumOperands(op);
  return hasOperand ? constantOf(mlirOperationGetOperand(op, source->operand))
                    : (MlirAttribute){NULL};
}

static bool isTold(const BerthOpSource *source) {
  return source->text || source->attribute || source->operand >= 0;
}

static int64_t readNumber(const BerthOpSource *source, MlirOperation op,
                          int64_t otherwise) {
  MlirAttribute attribute = readSource(source, op);
  return !mlirAttributeIsNull(attribute) && mlirAttributeIsAInteger(attribute)
             ? mlirIntegerAttrGetValueInt(attribute)
             : otherwise;
}

bool berthOpIsToldAllocation(MlirOperation op,
                             BerthToldAllocation *allocation) {
  const BerthOpRow *row = overlay ? rowOf(op) : NULL;
  if (!row || !row->allocates || mlirOperationGetNumResults(op) == 0)
    return false;
  const BerthOpAllocation *told = row->allocates;
  *allocation =
      (BerthToldAllocation){.hasSize = isTold(&told->size),
                            .size = readNumber(&told->size, op, -1),
                            .alignment = readNumber(&told->alignment, op, 0),
                            .hasSpace = isTold(&told->space),
                            .space = readSource(&told->space, op)};
  return true;
}

bool berthOpIsMeeting(MlirOperation op) {
  const BerthOpRow *row = overlay ? rowOf(op) : NULL;
  return row && row->mayPend && row->async == BERTH_ASYNC_WORK;
}

int berthOpGetUnit(MlirOperation op) {
  const BerthOpRow *row = overlay ? rowOf(op) : NULL;
  return row ? row->unit : 0;
}

bool berthOpTellsCore(MlirOperation op, int core, int64_t *number) {
  const BerthOpRow *row = overlay ? rowOf(op) : NULL;
  if (!row || !row->numCores)
    return false;
  *number = row->isOn ? (int64_t)(row->isOn >> core & 1) : core;
  return true;
}

int berthNumCores(void) { return overlay ? overlay->numCores : 0; }

bool berthHasConcurrentUnits(void) { return overlay && overlay->isConcurrent; }

bool berthOpIsTransfer(MlirOperation op) { return has(op, kTransfer); }

/// What a TMA load writes in other workgroups their barriers do not order.
static bool isMulticast(MlirOperation op) {
  return berthOpStartsAsync(op, BERTH_ASYNC_LOAD) && countOperands(op, kMask);
}

bool berthOpIsOtherProxy(MlirOperation op) {
  return (has(op, kOtherProxy) && !berthOpIsAsyncProxy(op)) || isMulticast(op);
}

/// Of what ends in groups only a TMA load tells others of its end.
bool berthOpNeverWaits(MlirOperation op) {
  return (hasToDo(op, kNeverWaits) || findAsync(op)) &&
         !has(op, kAwaitsMbarrier);
}

bool berthOpNeverSignals(MlirOperation op) {
  const BerthOpRow *row = findAsync(op);
  return hasToDo(op, kNeverSignals) || (row && row->async != BERTH_ASYNC_LOAD);
}

/// A list of #gpu.thread, #gpu.warp, #gpu.warpgroup or #gpu.lane.
static bool isMappedToThreads(MlirAttribute mapping) {
  static const char *const starts[] = {"#gpu.thread", "#gpu.warp", "#gpu.lane"};
  if (mlirAttributeIsNull(mapping) || !mlirAttributeIsAArray(mapping) ||
      mlirArrayAttrGetNumElements(mapping) == 0)
    return false;
  ShortText text = {{0}, 0};
  mlirAttributePrint(mlirArrayAttrGetElement(mapping, 0), appendText, &text);
  for (size_t i = 0; i < sizeof starts / sizeof *starts; ++i)
    if (strncmp(text.text, starts[i], strlen(starts[i])) == 0)
      return true;
  return false;
}

bool berthOpIsOfThreads(MlirOperation op) {
  return hasToDo(op, kThreadNumber) ||
         (berthOpIs(op, BERTH_OP_FORALL) &&
          isMappedToThreads(attributeOf(op, "mapping")));
}

bool berthOpLetsEscape(MlirOperation op) { return has(op, kEscape); }

bool berthOpKeepsUniformity(MlirOperation op) {
  return has(op, kUniform) || !mlirValueIsNull(berthViewGetSource(op)) ||
         berthOpIsConstant(op);
}

bool berthOpMakesAgree(MlirOperation op) {
  return hasToDo(op, kAgree) || isWholeBarrier(op) ||
         !mlirAttributeIsNull(attributeOf(op, BERTH_UNIFORM));
}

bool berthControlFollowsOperands(MlirOperation op) { return has(op, kOpen); }
