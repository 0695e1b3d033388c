//===- DynamicApply.c - Sizes and offsets computed by the program ---------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// At a home, for the buffers of memref.alloc(%n) : memref<?xf32> and of
// memref.alloc(%m), which meet:
//
//     %fits = arith.cmpi ule, %n, %limit     for the check at the allocation
//     %bytes = arith.muli %n, %c4
//     ... rounded up to the arena's alignment
//     %size = arith.select %fits, %rounded, %c0
//     %offset = arith.maxui ...              above all that it meets
//
// The limit is so low that no sum of offsets can overflow. A size that is
// negative, too large, or of an allocation that does not run, counts as 0.
//
//===----------------------------------------------------------------------===//

#include "IR/Dynamic.h"

#include "IR/Liveness.h"
#include "IR/Same.h"
#include "IR/Text.h"
#include "Support/Grow.h"

#include <stdlib.h>
#include <string.h>

/// An op that was built, so that no other one need be.
typedef struct Built {
  const char *name;
  int predicate;
  MlirValue operands[3];
  MlirValue result;
  size_t previous; ///< the one before with the same first operand
} Built;

typedef struct Emission {
  BerthJob *job;
  BerthHome *home;
  BerthMaker maker;
  BerthInsertPoint at;
  MlirType index;
  MlirType i1;
  MlirValue truth;   ///< null until it is needed
  int64_t alignment; ///< of every offset
  int64_t limit;     ///< of every size
  size_t numNodes;
  struct Node *nodes;
  size_t numConstants, constantCapacity;
  struct Constant *constants;
  size_t numBuilt, builtCapacity;
  Built *built;
  BerthPointerMap lastUser; ///< first operand -> index into `built`
} Emission;

/// One group of buffers, or one buffer.
typedef struct Node {
  size_t begin, end; ///< in the home's order
  MlirValue size;
  MlirValue top; ///< offset + size
} Node;

typedef struct Constant {
  int64_t value;
  MlirValue made;
} Constant;

//===----------------------------------------------------------------------===//
// Arithmetic
//===----------------------------------------------------------------------===//

/// arith.cmpi's number of a predicate.
enum { kNoPredicate = -1, kSignedLess = 2, kUnsignedLessEqual = 7 };

static bool isBuilt(const Built *built, const char *name, int predicate,
                    size_t numOperands, const MlirValue *operands) {
  if (strcmp(built->name, name) != 0 || built->predicate != predicate)
    return false;
  for (size_t i = 0; i < numOperands; ++i)
    if (!mlirValueEqual(built->operands[i], operands[i]))
      return false;
  return true;
}

/// Each constant once.
static MlirValue constant(Emission *emission, int64_t value) {
  for (size_t i = 0; i < emission->numConstants; ++i)
    if (emission->constants[i].value == value)
      return emission->constants[i].made;
  Constant made = {value, berthBuildIndex(emission->at, value)};
  emission->constants =
      berthGrow(emission->constants, emission->numConstants,
                &emission->constantCapacity, sizeof *emission->constants);
  emission->constants[emission->numConstants++] = made;
  return made.made;
}

/// The op on these operands, built once.
static MlirValue build(Emission *emission, const char *name, int predicate,
                       size_t numOperands, const MlirValue *operands,
                       MlirType type) {
  size_t last = berthPointerMapFind(&emission->lastUser, operands[0].ptr);
  for (size_t i = last; i != BERTH_NOT_FOUND; i = emission->built[i].previous)
    if (isBuilt(&emission->built[i], name, predicate, numOperands, operands))
      return emission->built[i].result;
  Built built = {.name = name, .predicate = predicate, .previous = last};
  for (size_t i = 0; i < numOperands; ++i)
    built.operands[i] = operands[i];
  MlirNamedAttribute attribute;
  if (predicate != kNoPredicate)
    attribute = berthNamed(mlirTypeGetContext(type), "predicate",
                           berthI64(mlirTypeGetContext(type), predicate));
  built.result =
      berthBuildValue(emission->at, name, (intptr_t)numOperands, operands, type,
                      predicate != kNoPredicate, &attribute);
  emission->built =
      berthGrow(emission->built, emission->numBuilt, &emission->builtCapacity,
                sizeof *emission->built);
  berthPointerMapSet(&emission->lastUser, operands[0].ptr, emission->numBuilt);
  emission->built[emission->numBuilt++] = built;
  return built.result;
}

static MlirValue binary(Emission *emission, const char *name, MlirValue a,
                        MlirValue b) {
  MlirValue operands[] = {a, b};
  return build(emission, name, kNoPredicate, 2, operands, mlirValueGetType(a));
}

static MlirValue compare(Emission *emission, int predicate, MlirValue a,
                         MlirValue b) {
  MlirValue operands[] = {a, b};
  return build(emission, "arith.cmpi", predicate, 2, operands, emission->i1);
}

/// Either may be null, which stands for true.
static MlirValue both(Emission *emission, MlirValue a, MlirValue b) {
  if (mlirValueIsNull(a) || mlirValueIsNull(b))
    return mlirValueIsNull(a) ? b : a;
  return binary(emission, "arith.andi", a, b);
}

//===----------------------------------------------------------------------===//
// Sizes
//===----------------------------------------------------------------------===//

/// The product of the dynamic dimensions, and in `fits`, which may be NULL,
/// whether it is at most `limit`. No dimension may be negative, which as an
/// unsigned number is too large.
static MlirValue product(Emission *emission, const BerthBufferInfo *buffer,
                         int64_t limit, MlirValue *fits) {
  intptr_t count = mlirOperationGetNumOperands(buffer->alloc);
  MlirValue result = {NULL};
  for (intptr_t i = 0; i < count; ++i) {
    MlirValue extent =
        berthMake(&emission->maker, mlirOperationGetOperand(buffer->alloc, i));
    MlirValue most = {NULL};
    if (fits && i == 0) {
      most = constant(emission, limit);
    } else if (fits) {
      MlirValue divisor =
          binary(emission, "arith.maxui", result, constant(emission, 1));
      most =
          binary(emission, "arith.divui", constant(emission, limit), divisor);
    }
    if (fits)
      *fits = both(emission, *fits,
                   compare(emission, kUnsignedLessEqual, extent, most));
    result = i ? binary(emission, "arith.muli", result, extent) : extent;
  }
  return result;
}

/// Rounds up to the arena's alignment, a power of two.
static MlirValue roundUp(Emission *emission, MlirValue bytes, int64_t unit) {
  int64_t mask = emission->alignment - 1;
  if (unit % emission->alignment == 0)
    return bytes;
  MlirValue raised =
      binary(emission, "arith.addi", bytes, constant(emission, mask));
  return binary(emission, "arith.andi", raised, constant(emission, ~mask));
}

static MlirValue condition(Emission *emission, BerthCondition condition) {
  MlirValue first = berthMake(&emission->maker, condition.values[0]);
  if (condition.runs == BERTH_RUNS_WHEN_TRUE)
    return first;
  if (condition.runs == BERTH_RUNS_WHEN_LESS)
    return compare(emission, kSignedLess, first,
                   berthMake(&emission->maker, condition.values[1]));
  if (mlirValueIsNull(emission->truth))
    emission->truth = berthBuildInteger(emission->at, emission->i1, 1);
  return binary(emission, "arith.xori", first, emission->truth);
}

/// Whether the allocation runs; null: it does.
static MlirValue runs(Emission *emission, const BerthBufferInfo *buffer) {
  BerthCondition conditions[BERTH_MAX_CONDITIONS];
  size_t count;
  berthFindConditions(emission->job, emission->home, buffer->alloc, conditions,
                      &count);
  MlirValue all = {NULL};
  for (size_t i = count; i-- > 0;)
    all = both(emission, all, condition(emission, conditions[i]));
  return all;
}

/// The bytes that the buffer takes of the arena.
static MlirValue sizeOf(Emission *emission, BerthBufferInfo *buffer) {
  if (buffer->unitBytes == 0)
    return constant(emission, 0);
  bool isChecked = emission->job->options->sizeChecks;
  MlirValue fits = {NULL};
  MlirValue count =
      product(emission, buffer, emission->limit / buffer->unitBytes,
              isChecked ? &fits : NULL);
  MlirValue bytes = binary(emission, "arith.muli", count,
                           constant(emission, buffer->unitBytes));
  bytes = roundUp(emission, bytes, buffer->unitBytes);
  buffer->fits = fits;
  MlirValue counts = both(emission, runs(emission, buffer), fits);
  if (mlirValueIsNull(counts))
    return bytes;
  MlirValue operands[] = {counts, bytes, constant(emission, 0)};
  return build(emission, "arith.select", kNoPredicate, 3, operands,
               emission->index);
}

//===----------------------------------------------------------------------===//
// Offsets
//===----------------------------------------------------------------------===//

static BerthBufferInfo *bufferAt(const Emission *emission, size_t place) {
  return &emission->job->scope.buffers[emission->home->buffers[place]];
}

static bool meet(const Emission *emission, const Node *a, const Node *b) {
  for (size_t i = a->begin; i < a->end; ++i)
    for (size_t k = b->begin; k < b->end; ++k)
      if (berthBuffersMeet(bufferAt(emission, i), bufferAt(emission, k)))
        return true;
  return false;
}

/// The end of the static buffers that the node meets, rounded up.
static int64_t bottomOf(const Emission *emission, const Node *node) {
  const BerthJob *job = emission->job;
  int64_t bottom = 0;
  for (size_t k = node->begin; emission->home->isEntry && k < node->end; ++k) {
    int64_t top = berthStaticTop(job, bufferAt(emission, k));
    if (top > bottom)
      bottom = top;
  }
  int64_t mask = emission->alignment - 1;
  return (bottom + mask) & ~mask;
}

/// The largest of `least` (unless it is 0) and of the values; none: a constant.
static MlirValue largest(Emission *emission, const MlirValue *values,
                         size_t count, int64_t least) {
  MlirValue result = least || !count ? constant(emission, least) : values[0];
  for (size_t i = least ? 0 : 1; i < count; ++i) {
    bool isNew = true;
    for (size_t k = 0; k < i; ++k)
      isNew &= !mlirValueEqual(values[k], values[i]);
    if (isNew)
      result = binary(emission, "arith.maxui", result, values[i]);
  }
  return result;
}

/// The tops of earlier nodes that node `n` meets (all of them if `n` is the
/// number of nodes), without those that lie below another one of these.
static size_t collectTops(const Emission *emission, size_t n, MlirValue *values,
                          size_t *kept) {
  size_t count = 0;
  for (size_t i = n; i-- > 0;) {
    const Node *node = &emission->nodes[i];
    bool counts =
        n == emission->numNodes || meet(emission, node, &emission->nodes[n]);
    for (size_t k = 0; counts && k < count; ++k)
      counts = !meet(emission, node, &emission->nodes[kept[k]]);
    if (!counts)
      continue;
    kept[count] = i;
    values[count++] = node->top;
  }
  return count;
}

static MlirValue topOf(Emission *emission, size_t n, MlirValue offset) {
  const Node *node = &emission->nodes[n];
  int64_t number;
  if (berthValueIsConstant(offset, &number) && number == 0)
    return node->size;
  return binary(emission, "arith.addi", offset, node->size);
}

static void placeNode(Emission *emission, size_t n, MlirValue *values,
                      size_t *kept) {
  Node *node = &emission->nodes[n];
  MlirValue sizes = {NULL};
  for (size_t i = node->begin; i < node->end; ++i) {
    MlirValue size = sizeOf(emission, bufferAt(emission, i));
    bufferAt(emission, i)->bytes = size;
    bool isFirst = mlirValueIsNull(sizes);
    if (isFirst || mlirValueEqual(sizes, size))
      sizes = size;
    else
      sizes = binary(emission, "arith.maxui", sizes, size);
  }
  node->size = sizes;
  size_t count = collectTops(emission, n, values, kept);
  MlirValue offset = largest(emission, values, count, bottomOf(emission, node));
  for (size_t i = node->begin; i < node->end; ++i)
    bufferAt(emission, i)->shift = offset;
  node->top = topOf(emission, n, offset);
}

static void findNodes(Emission *emission) {
  const BerthHome *home = emission->home;
  emission->nodes =
      berthAllocateOrDie(home->numBuffers, sizeof *emission->nodes);
  for (size_t i = 0; i < home->numBuffers;) {
    Node *node = &emission->nodes[emission->numNodes++];
    int64_t group = bufferAt(emission, i)->group;
    node->begin = i++;
    while (group != BERTH_NONE && i < home->numBuffers &&
           bufferAt(emission, i)->group == group)
      ++i;
    node->end = i;
  }
}

/// Sums of all sizes and static bytes must stay below 2^63.
static int64_t sizeLimit(const Emission *emission, int64_t leastBytes) {
  int64_t share = (INT64_MAX - leastBytes - emission->alignment) /
                  ((int64_t)emission->home->numBuffers + 1);
  return share > emission->alignment ? share - emission->alignment : 0;
}

static Emission emissionCreate(BerthJob *job, BerthHome *home) {
  MlirContext context = mlirOperationGetContext(job->scope.op);
  Emission emission = {.job = job,
                       .home = home,
                       .maker = berthMakerCreate(job, home),
                       .index = mlirIndexTypeGet(context),
                       .i1 = mlirIntegerTypeGet(context, 1),
                       .alignment = 1};
  emission.at = berthMakerPoint(&emission.maker);
  return emission;
}

static void emissionFree(Emission *emission) {
  free(emission->nodes);
  free(emission->constants);
  free(emission->built);
  berthPointerMapFree(&emission->lastUser);
  berthMakerFree(&emission->maker);
}

MlirValue berthBuildOffsets(BerthJob *job, BerthHome *home,
                            int64_t leastBytes) {
  Emission emission = emissionCreate(job, home);
  for (size_t i = 0; i < home->numBuffers; ++i)
    if (bufferAt(&emission, i)->alignment > emission.alignment)
      emission.alignment = bufferAt(&emission, i)->alignment;
  if (emission.alignment > job->arenaAlignment)
    job->arenaAlignment = emission.alignment;
  emission.limit = sizeLimit(&emission, leastBytes);
  findNodes(&emission);
  MlirValue *values = berthAllocateOrDie(emission.numNodes, sizeof *values);
  size_t *kept = berthAllocateOrDie(emission.numNodes, sizeof *kept);
  for (size_t n = 0; n < emission.numNodes; ++n)
    placeNode(&emission, n, values, kept);
  size_t count = collectTops(&emission, emission.numNodes, values, kept);
  MlirValue total = largest(&emission, values, count, leastBytes);
  free(values);
  free(kept);
  emissionFree(&emission);
  return total;
}

/// One colour is one node.
MlirValue berthBuildLargestSize(BerthJob *job, const BerthHome *home,
                                const size_t *buffers, size_t numBuffers,
                                int64_t *alignment) {
  BerthHome block = *home;
  block.numBuffers = numBuffers;
  block.buffers = BERTH_ARENA_NEW(&job->memory, size_t, numBuffers);
  for (size_t i = 0; i < numBuffers; ++i) {
    BerthBufferInfo *buffer = &job->scope.buffers[buffers[i]];
    buffer->group = (int64_t)buffers[0];
    block.buffers[i] = buffers[i];
    if (buffer->alignment > *alignment)
      *alignment = buffer->alignment;
  }
  return berthBuildOffsets(job, &block, 0);
}

//===----------------------------------------------------------------------===//
// Arenas and checks
//===----------------------------------------------------------------------===//

void berthFreeAtHome(const BerthJob *job, const BerthHome *home,
                     MlirValue value) {
  bool isOutermost =
      mlirBlockEqual(home->block, mlirRegionGetFirstBlock(job->scope.body));
  if (isOutermost)
    berthDeallocAtExits(job->scope.body, value);
  else
    berthBuildDealloc(berthInsertBefore(mlirBlockGetTerminator(home->block)),
                      value);
}

void berthBuildHomes(BerthJob *job) {
  bool isFreed = job->form == BERTH_ARENA_ALLOC;
  for (size_t i = 1; i < job->numHomes; ++i) {
    BerthHome *home = &job->homes[i];
    if (home->numBuffers == 0)
      continue;
    BerthInsertPoint at = {home->block, home->before,
                           mlirOperationGetLocation(home->before)};
    MlirValue bytes = berthBuildOffsets(job, home, 0);
    home->arena = berthBuildByteArena(job, at, bytes);
    if (isFreed)
      berthFreeAtHome(job, home, home->arena);
  }
}

static void buildAssert(BerthInsertPoint at, MlirValue condition,
                        const char *message) {
  MlirNamedAttribute text =
      berthNamed(mlirLocationGetContext(at.location), "msg",
                 mlirStringAttrGet(mlirLocationGetContext(at.location),
                                   mlirStringRefCreateFromCString(message)));
  berthBuild(at, "cf.assert", 1, &condition, 0, NULL, 1, &text);
}

static void buildSizeAssert(BerthInsertPoint at, MlirValue condition,
                            MlirOperation alloc, const char *what) {
  int line, column;
  berthOpGetPosition(alloc, &line, &column);
  BerthText text = {0};
  berthTextAppend(&text,
                  "berth: the size of the buffer allocated at line %d, "
                  "column %d is negative or %s",
                  line, column, what);
  buildAssert(at, condition, text.data);
  berthTextFree(&text);
}

/// What was said of the size by attribute was not proved.
static void checkBound(BerthJob *job, const BerthBufferInfo *buffer) {
  bool isClaimed =
      !mlirAttributeIsNull(berthAttributeOf(buffer->alloc, BERTH_UPPER_BOUND));
  if (!isClaimed || buffer->unitBytes == 0)
    return;
  BerthHome home = {.block = mlirOperationGetBlock(buffer->alloc),
                    .before = buffer->alloc,
                    .isAllocation = true};
  Emission emission = emissionCreate(job, &home);
  MlirValue fits = {NULL};
  product(&emission, buffer, buffer->size / buffer->unitBytes, &fits);
  buildSizeAssert(emission.at, fits, buffer->alloc,
                  "exceeds its berth.upper_bound");
  emissionFree(&emission);
}

void berthBuildSizeCheck(BerthJob *job, const BerthBufferInfo *buffer) {
  if (!job->options->sizeChecks)
    return;
  if (buffer->isBounded)
    checkBound(job, buffer);
  if (!mlirValueIsNull(buffer->fits))
    buildSizeAssert(berthInsertBefore(buffer->alloc), buffer->fits,
                    buffer->alloc, "too large");
}

void berthBuildCapacityCheck(const BerthJob *job, BerthInsertPoint at,
                             MlirValue bytes) {
  if (!job->options->sizeChecks || !job->options->capacity)
    return;
  BerthText text = {0};
  berthTextAppend(&text,
                  "berth: the arena exceeds the capacity of %lld "
                  "bytes",
                  (long long)job->options->capacity);
  MlirValue most = berthBuildIndex(at, job->options->capacity);
  MlirValue fits = berthBuildCompare(at, kUnsignedLessEqual, bytes, most);
  buildAssert(at, fits, text.data);
  berthTextFree(&text);
}
