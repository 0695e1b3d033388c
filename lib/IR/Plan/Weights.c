//===- Weights.c - What is computed from constants alone ------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Plan/Weights.h"
#include "IR/Ops/Attributes.h"
#include "IR/Ops/Constants.h"
#include "IR/Ops/OpTable.h"
#include "IR/Ops/OrDie.h"
#include "IR/Scope/Segments.h"
#include "mlir-c/BuiltinAttributes.h"

#include <stdlib.h>

/// The point where most bytes are live.
static int64_t findPeak(const BerthJob *job) {
  size_t count = (size_t)job->points.count + 1;
  int64_t *change = berthAllocateOrDie(count, sizeof *change);
  for (size_t i = 0; i < job->numPlaced; ++i) {
    const BerthBufferInfo *buffer = &job->scope.buffers[job->bufferOf[i]];
    for (size_t k = 0; k < buffer->numSegments; ++k) {
      change[buffer->segments[k].lower] += buffer->size;
      change[buffer->segments[k].upper] -= buffer->size;
    }
  }
  int64_t load = 0, most = -1, peak = 0;
  for (int64_t point = 0; point < job->points.count; ++point) {
    load += change[point];
    if (load > most) {
      most = load;
      peak = point;
    }
  }
  free(change);
  return peak;
}

/// The only op that writes the buffer, all of it, and through what; NULL: there
/// is none.
static const BerthAccess *writerOf(const BerthBufferInfo *buffer) {
  const BerthAccess *writer = NULL;
  for (size_t i = 0; i < buffer->numAccesses; ++i) {
    if (!buffer->accesses[i].writes)
      continue;
    if (writer || !buffer->accesses[i].kills)
      return NULL;
    writer = &buffer->accesses[i];
  }
  return writer;
}

typedef struct Search {
  const BerthJob *job;
  BerthPointerMap bufferOf; ///< value -> a buffer that it shows; or kSeveral
  MlirOperation *globals;   ///< by buffer: what it is made of; or null
} Search;

static const size_t kSeveral = BERTH_NOT_FOUND - 1;

static void addAliases(Search *search) {
  const BerthScope *scope = &search->job->scope;
  for (size_t i = 0; i < scope->numBuffers; ++i)
    for (size_t k = 0; k < scope->buffers[i].numAliases; ++k) {
      const void *alias = scope->buffers[i].aliases[k].ptr;
      if (!berthPointerMapInsert(&search->bufferOf, alias, i))
        berthPointerMapSet(&search->bufferOf, alias, kSeveral);
    }
}

/// The constant that the memory is, or is made of; null: something else.
static MlirOperation globalBehind(const Search *search, MlirValue memory) {
  MlirOperation global = berthConstantGlobalOf(memory, /*isWhole=*/false);
  size_t buffer = berthPointerMapFind(&search->bufferOf, memory.ptr);
  if (mlirOperationIsNull(global) && buffer < search->job->scope.numBuffers)
    global = search->globals[buffer];
  return global;
}

/// The first constant of which the buffer is made, if of nothing else.
static MlirOperation globalOf(const Search *search,
                              const BerthBufferInfo *buffer) {
  const MlirOperation none = {NULL};
  const BerthAccess *writer = writerOf(buffer);
  MlirOperation found = none;
  intptr_t count = writer ? mlirOperationGetNumOperands(writer->op) : 0;
  bool isWritten = false;
  for (intptr_t i = 0; i < count; ++i) {
    MlirValue operand = mlirOperationGetOperand(writer->op, i);
    if (!isWritten && mlirValueEqual(operand, writer->through)) {
      isWritten = true;
      continue;
    }
    if (!mlirTypeIsAMemRef(mlirValueGetType(operand))) {
      if (!mlirValueIsAOpResult(operand) ||
          !berthOpIs(mlirOpResultGetOwner(operand), BERTH_OP_CONSTANT))
        return none;
      continue;
    }
    MlirOperation global = globalBehind(search, operand);
    if (mlirOperationIsNull(global))
      return none;
    found = mlirOperationIsNull(found) ? global : found;
  }
  return isWritten ? found : none;
}

/// What is made of such a buffer is one, too.
static void findGlobals(Search *search) {
  const BerthScope *scope = &search->job->scope;
  for (bool isChanged = true; isChanged;) {
    isChanged = false;
    for (size_t i = 0; i < scope->numBuffers; ++i) {
      if (!mlirOperationIsNull(search->globals[i]))
        continue;
      search->globals[i] = globalOf(search, &scope->buffers[i]);
      isChanged |= !mlirOperationIsNull(search->globals[i]);
    }
  }
}

static void addWeight(BerthWeights *weights, MlirOperation global,
                      const BerthBufferInfo *buffer) {
  size_t i = 0;
  while (i < weights->count &&
         !mlirOperationEqual(weights->items[i].global, global))
    ++i;
  if (i == weights->count) {
    weights->items = berthGrow(weights->items, weights->count,
                               &weights->capacity, sizeof *weights->items);
    weights->items[weights->count++] = (BerthWeight){.global = global};
  }
  weights->items[i].bytes += buffer->size;
  ++weights->numBuffers;
  weights->bytes += buffer->size;
}

/// The one of most bytes first; of equal ones, that of the first buffer.
static void sort(BerthWeights *weights) {
  for (size_t i = 1; i < weights->count; ++i) {
    BerthWeight weight = weights->items[i];
    size_t k = i;
    for (; k > 0 && weights->items[k - 1].bytes < weight.bytes; --k)
      weights->items[k] = weights->items[k - 1];
    weights->items[k] = weight;
  }
}

BerthWeights berthFindWeights(const BerthJob *job) {
  BerthWeights weights = {0};
  Search search = {.job = job};
  if (job->numPlaced == 0)
    return weights;
  int64_t peak = findPeak(job);
  search.globals =
      berthAllocateOrDie(job->scope.numBuffers, sizeof *search.globals);
  addAliases(&search);
  findGlobals(&search);
  for (size_t i = 0; i < job->numPlaced; ++i) {
    size_t number = job->bufferOf[i];
    const BerthBufferInfo *buffer = &job->scope.buffers[number];
    if (!mlirOperationIsNull(search.globals[number]) &&
        berthSegmentAt(buffer, peak))
      addWeight(&weights, search.globals[number], buffer);
  }
  sort(&weights);
  berthPointerMapFree(&search.bufferOf);
  free(search.globals);
  return weights;
}

void berthTextAppendWeight(BerthText *text, const BerthWeight *weight) {
  MlirAttribute symbol = berthAttributeOf(weight->global, "sym_name");
  MlirStringRef name = mlirStringAttrGetValue(symbol);
  berthTextAppend(text, "%.*s", (int)name.length, name.data);
}

void berthWeightsFree(BerthWeights *weights) {
  free(weights->items);
  *weights = (BerthWeights){0};
}
