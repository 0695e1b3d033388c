//===- TargetFacts.c - Kinds, traits and groups in a description ----------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Target/TargetFacts.h"
#include "IR/Ops/OpRows.h"

#include <string.h>

//===----------------------------------------------------------------------===//
// Words
//===----------------------------------------------------------------------===//

/// docs/op-table.md says what each means.
static const char *const kinds[] = {
    [BERTH_OP_OTHER] = "other",
    [BERTH_OP_ALLOC] = "alloc",
    [BERTH_OP_ALLOCA] = "alloca",
    [BERTH_OP_FREE] = "free",
    [BERTH_OP_DEVICE_ALLOC] = "device_alloc",
    [BERTH_OP_DEVICE_FREE] = "device_free",
    [BERTH_OP_FREE_LISTED] = "free_listed",
    [BERTH_OP_VIEW] = "view",
    [BERTH_OP_CAST] = "cast",
    [BERTH_OP_REINTERPRET] = "reinterpret",
    [BERTH_OP_DESCRIPTION] = "description",
    [BERTH_OP_DISTINCT] = "distinct",
    [BERTH_OP_ADDRESS] = "address",
    [BERTH_OP_DIM] = "dim",
    [BERTH_OP_GLOBAL] = "global",
    [BERTH_OP_LOWERED_GLOBAL] = "lowered_global",
    [BERTH_OP_GET_GLOBAL] = "get_global",
    [BERTH_OP_DYNAMIC_SHARED] = "dynamic_shared",
    [BERTH_OP_STATIC_SHARED] = "static_shared",
    [BERTH_OP_MBARRIER_INIT] = "mbarrier_init",
    [BERTH_OP_MBARRIER_EXPECT] = "mbarrier_expect",
    [BERTH_OP_LOAD] = "load",
    [BERTH_OP_STORE] = "store",
    [BERTH_OP_FILL] = "fill",
    [BERTH_OP_FRAGMENT_LOAD] = "fragment_load",
    [BERTH_OP_FRAGMENT_STORE] = "fragment_store",
    [BERTH_OP_FUNCTION] = "function",
    [BERTH_OP_GPU_FUNCTION] = "gpu_function",
    [BERTH_OP_CALL] = "call",
    [BERTH_OP_LAUNCH] = "launch",
    [BERTH_OP_LAUNCH_FUNCTION] = "launch_function",
    [BERTH_OP_MODULE] = "module",
    [BERTH_OP_GPU_MODULE] = "gpu_module",
    [BERTH_OP_SPIRV_MODULE] = "spirv_module",
    [BERTH_OP_SPIRV_VARIABLE] = "spirv_variable",
    [BERTH_OP_SPIRV_ADDRESS] = "spirv_address",
    [BERTH_OP_SPIRV_CHAIN] = "spirv_chain",
    [BERTH_OP_LOOP] = "loop",
    [BERTH_OP_WHILE] = "while",
    [BERTH_OP_IF] = "if",
    [BERTH_OP_YIELD] = "yield",
    [BERTH_OP_BRANCH] = "branch",
    [BERTH_OP_FULL_BARRIER] = "full_barrier",
    [BERTH_OP_ASSERT] = "assert",
    [BERTH_OP_PARALLEL_LOOP] = "parallel_loop",
    [BERTH_OP_FORALL] = "forall",
    [BERTH_OP_CONSTANT] = "constant",
    [BERTH_OP_SUM] = "sum",
    [BERTH_OP_DIFFERENCE] = "difference",
    [BERTH_OP_PRODUCT] = "product",
    [BERTH_OP_COMPARISON] = "comparison",
    [BERTH_OP_AND] = "and",
    [BERTH_OP_XOR] = "xor",
    [BERTH_OP_UNSIGNED_MAX] = "unsigned_max",
    [BERTH_OP_SIGNED_MAX] = "signed_max",
    [BERTH_OP_SIGNED_MIN] = "signed_min",
    [BERTH_OP_SAME_NUMBER] = "same_number",
    [BERTH_OP_TRUNCATION] = "truncation",
    [BERTH_OP_APPLY] = "apply",
    [BERTH_OP_SMALLEST] = "smallest",
    [BERTH_OP_LARGEST] = "largest",
    [BERTH_OP_OR] = "or",
    [BERTH_OP_QUOTIENT] = "quotient",
    [BERTH_OP_REMAINDER] = "remainder",
    [BERTH_OP_SHIFT_LEFT] = "shift_left",
    [BERTH_OP_SHIFT_RIGHT] = "shift_right",
    [BERTH_OP_SELECT] = "select",
    [BERTH_OP_CLUSTER_ARRIVE] = "cluster_arrive",
    [BERTH_OP_TENSOR_FENCE] = "tensor_fence",
    [BERTH_OP_CLUSTER_WAIT] = "cluster_wait",
    [BERTH_OP_CLUSTER_MAP] = "cluster_map",
    [BERTH_OP_THREAD_ID] = "thread_id",
    [BERTH_OP_BLOCK_SIZE] = "block_size",
    [BERTH_OP_BLOCK_ID] = "block_id",
    [BERTH_OP_GRID_SIZE] = "grid_size"};

static const char *kindAt(int index) { return kinds[index]; }

typedef struct Trait {
  const char *word;
  uint32_t traits, threads;
} Trait;

static const Trait traits[] = {
    // Memory
    {"surely_touches", kTouches, 0},
    {"plain", kPlain, 0},
    {"element", kElement, 0},
    {"no_pointer", kNoPointer, 0},
    {"other_proxy", kOtherProxy, 0},
    {"escape", kEscape, 0},
    {"separates", kSeparates, 0},
    {"assumes_alignment", kAssumesAlignment, 0},
    {"retypes", kRetypes, 0},
    {"descriptor", kDescriptor, 0},
    // Numbers and control flow
    {"arithmetic", kArithmetic, 0},
    {"uniform", kUniform, 0},
    {"affine", kAffine, 0},
    {"open", kOpen, 0},
    {"unsigned", 0, kUnsigned},
    {"table_code", kTableCode, 0},
    {"coroutine", kCoroutine, 0},
    // Regions and threads
    {"parallel", kParallel, 0},
    {"parallel_body", kParallelBody, 0},
    {"some_threads", kSomeThreads, 0},
    {"workgroup_barrier", kBarrier, 0},
    {"counted_barrier", kCountedBarrier, 0},
    {"split_barrier", 0, kSplitBarrier},
    {"never_waits", 0, kNeverWaits},
    {"never_signals", 0, kNeverSignals},
    {"thread_number", 0, kThreadNumber},
    {"agree", 0, kAgree},
    {"device_code", 0, kDeviceCode},
    {"host_code", 0, kHostCode},
    // What goes on behind its op
    {"runs_later", kAsync, 0},
    {"runs_later_by_token", kAsyncByToken, 0},
    {"await", kAwait, 0},
    {"no_wait", kNoWait, 0},
    {"awaits_mbarrier", kAwaitsMbarrier, 0},
    {"proxy_fence", kProxyFence, 0},
    {"transfer", kTransfer, 0}};

enum { kNumTraits = sizeof traits / sizeof *traits };

static const char *traitAt(int index) { return traits[index].word; }

/// Those that stand for the form of the op.
static const uint32_t traitsOfForm = kElement | kSeparates | kAssumesAlignment |
                                     kRetypes | kDescriptor | kArithmetic |
                                     kAffine | kTableCode | kCountedBarrier |
                                     kAwaitsMbarrier | kProxyFence | kTransfer;

/// All but copies stand for the form of the op, too.
static const struct {
  const char *word;
  BerthAsyncKind kind;
} asyncKinds[] = {{"copy", BERTH_ASYNC_COPY},
                  {"direct", BERTH_ASYNC_DIRECT},
                  {"store", BERTH_ASYNC_STORE},
                  {"product", BERTH_ASYNC_PRODUCT},
                  {"load", BERTH_ASYNC_LOAD},
                  {"tensor_load", BERTH_ASYNC_TENSOR_LOAD},
                  {"tensor_store", BERTH_ASYNC_TENSOR_STORE},
                  {"tensor_wait", BERTH_ASYNC_TENSOR_WAIT}};

enum { kNumAsyncKinds = sizeof asyncKinds / sizeof *asyncKinds };

static const char *asyncAt(int index) { return asyncKinds[index].word; }

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

BerthOpKind berthTargetReadKind(BerthTargetReader *reader) {
  return (BerthOpKind)berthJsonWord(&reader->json, "kind", kindAt,
                                    sizeof kinds / sizeof *kinds);
}

void berthTargetReadTraits(BerthTargetReader *reader, BerthOpRow *row) {
  berthJsonEnterArray(&reader->json);
  while (berthJsonNextElement(&reader->json)) {
    int index = berthJsonWord(&reader->json, "trait", traitAt, kNumTraits);
    row->traits |= traits[index].traits;
    row->threads |= traits[index].threads;
  }
}

/// A number, or "all": it waits for nothing.
static int64_t readOtherwise(BerthJsonReader *json) {
  if (berthJsonPeek(json) != '"')
    return berthJsonInteger(json, 0, INT64_MAX, "otherwise");
  size_t position = json->position;
  const char *word = berthJsonString(json, "otherwise");
  if (strcmp(word, "all") != 0)
    berthJsonFail(json, position,
                  "otherwise '%.60s' is neither a number nor 'all'", word);
  return INT64_MAX;
}

void berthTargetReadAsync(BerthTargetReader *reader, BerthOpRow *row) {
  enum { KIND, STARTS, GROUPS, MAY_PEND, OTHERWISE };
  static const char *const keys[] = {"kind",     "starts",    "groups",
                                     "may_pend", "otherwise", NULL};
  BerthJsonReader *json = &reader->json;
  BerthJsonObject object;
  berthJsonEnterObject(json, &object, "async", keys);
  for (int key; (key = berthJsonNextKey(json, &object)) >= 0;) {
    if (key == KIND)
      row->async =
          asyncKinds[berthJsonWord(json, "kind", asyncAt, kNumAsyncKinds)].kind;
    else if (key == STARTS)
      row->traits |= berthJsonBoolean(json, keys[key]) ? kStarts : 0;
    else if (key == GROUPS)
      row->traits |= berthJsonBoolean(json, keys[key]) ? kMakesGroup : 0;
    else if (key == MAY_PEND)
      row->mayPend = berthTargetReadAttribute(reader);
    else
      row->defaultPend = readOtherwise(json);
  }
  berthJsonRequire(json, &object, KIND);
  if (!json->failed && !row->mayPend &&
      !(row->traits & (kStarts | kMakesGroup)))
    berthJsonFail(json, object.position,
                  "async has 'starts', 'groups' or 'may_pend'");
}

//===----------------------------------------------------------------------===//
// What stands for a form
//===----------------------------------------------------------------------===//

void berthTargetCheckForm(BerthTargetReader *reader, const BerthOpRow *row,
                          const char *list, size_t position) {
  MlirStringRef name = mlirStringRefCreateFromCString(row->name);
  size_t count;
  const BerthOpRow nothing = {0};
  const BerthOpRow *known = berthFindRow(reader->builtin, name, &count);
  BerthOpRow family = berthFamilyRow(reader->builtin, name);
  known = known ? known : &nothing;
  uint32_t more = row->traits & traitsOfForm & ~(known->traits | family.traits);
  const char *what = NULL, *word = "";
  if (row->kind && row->kind != known->kind) {
    what = "kind";
    word = kinds[row->kind];
  }
  for (int i = 0; i < kNumTraits; ++i)
    if (traits[i].traits & more) {
      what = "trait";
      word = traits[i].word;
    }
  for (int i = 0; i < kNumAsyncKinds; ++i)
    if (row->async && asyncKinds[i].kind == row->async &&
        row->async != known->async) {
      what = "kind of async";
      word = asyncKinds[i].word;
    }
  bool choosesKnown =
      known->operands && strchr(known->operands, BERTH_OPERAND_CHOSEN);
  if (list && !choosesKnown) {
    what = "key";
    word = list;
  }
  if (what)
    berthJsonFail(&reader->json, position,
                  "the %s '%s' stands for the form of an op that Berth knows, "
                  "and '%s' is none of those",
                  what, word, row->name);
}
