//===- KernelMemory.c - What threads do to buffers -----------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Kernel.h"

#include <string.h>

typedef struct Element {
  const char *text;
  const char *toInt;   ///< the op that makes an i32 of it; NULL: it is one
  const char *fromInt; ///< the op that makes it of an i32
} Element;

/// Floats hold numbers below 256, so that they are exact.
static const Element elements[] = {
    {"i32", NULL, NULL},         {"i8", "extui", "trunci"},
    {"i16", "extsi", "trunci"},  {"i64", "trunci", "extsi"},
    {"f32", "fptosi", "sitofp"},
};

enum { kNumElements = sizeof elements / sizeof elements[0], kInt32 = 0 };

static const Element *elementOf(const BerthKernelBuffer *buffer) {
  return &elements[buffer->element];
}

static int sizeOf(const BerthKernelBuffer *buffer) {
  return kKernelThreads * buffer->share;
}

BerthKernelText berthKernelTypeOf(const BerthKernelBuffer *buffer) {
  BerthKernelText type;
  snprintf(type.text, sizeof type.text, "memref<%dx%s, #workgroup>",
           sizeOf(buffer), elementOf(buffer)->text);
  return type;
}

//===----------------------------------------------------------------------===//
// Picking
//===----------------------------------------------------------------------===//

static bool mayWrite(const BerthKernelBuffer *buffer) {
  return !buffer->isWatched && !buffer->isBusy && !buffer->isCounted;
}
static bool mayReadOwn(const BerthKernelBuffer *buffer) {
  return buffer->isDefined && !buffer->isBusy && !buffer->isCounted;
}
static bool mayReadForeign(const BerthKernelBuffer *buffer) {
  return mayReadOwn(buffer) && !buffer->isWritten;
}
static bool mayCopyInto(const BerthKernelBuffer *buffer) {
  return mayWrite(buffer) && buffer->element == kInt32;
}

bool berthKernelIsInt32(const BerthKernelBuffer *buffer) {
  return buffer->element == kInt32;
}

BerthKernelBuffer *berthKernelPick(BerthKernel *kernel,
                                   BerthKernelFilter accepts) {
  BerthKernelState *now = &kernel->now;
  if (!now->numBuffers)
    return NULL;
  for (int tries = 0; tries < 12; ++tries) {
    int a = berthRandomBelow(&kernel->random, (int)now->numBuffers);
    int b = berthRandomBelow(&kernel->random, (int)now->numBuffers);
    BerthKernelBuffer *buffer = &now->buffers[a > b ? a : b];
    if (accepts(buffer))
      return buffer;
  }
  return NULL;
}

//===----------------------------------------------------------------------===//
// Indices
//===----------------------------------------------------------------------===//

int berthKernelOwnIndex(BerthKernel *kernel, const BerthKernelBuffer *buffer,
                        int k) {
  int id = berthKernelNewId(kernel);
  switch (buffer->layout) {
  case BERTH_KERNEL_CHUNKED:
    berthKernelLine(kernel,
                    "%%x%d = affine.apply affine_map<(d0) -> (d0 * %d + %d)>"
                    "(%%t)",
                    id, buffer->share, k);
    return id;
  case BERTH_KERNEL_REVERSED:
    berthKernelLine(kernel,
                    "%%x%d = affine.apply affine_map<(d0) -> (%d - d0)>"
                    "(%%t)",
                    id, kKernelThreads * (k + 1) - 1);
    return id;
  case BERTH_KERNEL_STRIDED:
  case BERTH_KERNEL_NUM_LAYOUTS:
    break;
  }
  berthKernelLine(kernel,
                  "%%x%d = affine.apply affine_map<(d0) -> (d0 + %d)>"
                  "(%%t)",
                  id, kKernelThreads * k);
  return id;
}

int berthKernelAnyIndex(BerthKernel *kernel, int size) {
  int kind = berthRandomBelow(&kernel->random, 3);
  int place = berthRandomBelow(&kernel->random, size);
  if (kind == 0)
    return berthKernelIndex(kernel, place);
  int id = berthKernelNewId(kernel);
  if (kind == 1) {
    berthKernelLine(
        kernel,
        "%%x%d = affine.apply affine_map<(d0) -> ((d0 + %d) mod %d)>(%%t)", id,
        place, size);
    return id;
  }
  int data = berthKernelMix(kernel);
  berthKernelLine(kernel, "%%x%d = arith.index_castui %%s%d : i32 to index", id,
                  data);
  return berthKernelIndexOp(kernel, "remui", id,
                            berthKernelIndex(kernel, size));
}

//===----------------------------------------------------------------------===//
// Loads and stores
//===----------------------------------------------------------------------===//

static int convert(BerthKernel *kernel, const char *op, int scalar,
                   const char *from, const char *to) {
  int id = berthKernelNewId(kernel);
  berthKernelLine(kernel, "%%s%d = arith.%s %%s%d : %s to %s", id, op, scalar,
                  from, to);
  return id;
}

/// Loads from `%<letter><memref>` and adds an i32 to the visible scalars.
static void load(BerthKernel *kernel, const Element *element, int memref,
                 const char *type, int index) {
  int id = berthKernelNewId(kernel);
  berthKernelLine(kernel, "%%s%d = memref.load %%b%d[%%x%d] : %s", id, memref,
                  index, type);
  if (element->toInt)
    id = convert(kernel, element->toInt, id, element->text, "i32");
  berthKernelAddScalar(kernel, id);
}

/// Some value of the element's type.
static int valueFor(BerthKernel *kernel, const Element *element) {
  int id = berthKernelMix(kernel);
  if (!element->fromInt)
    return id;
  int mask = berthKernelNewId(kernel);
  int low = berthKernelNewId(kernel);
  berthKernelLine(kernel, "%%s%d = arith.constant 255 : i32", mask);
  berthKernelLine(kernel, "%%s%d = arith.andi %%s%d, %%s%d : i32", low, id,
                  mask);
  return convert(kernel, element->fromInt, low, "i32", element->text);
}

void berthKernelStoreOwn(BerthKernel *kernel, const BerthKernelBuffer *buffer,
                         int k) {
  int value = valueFor(kernel, elementOf(buffer));
  int index = berthKernelOwnIndex(kernel, buffer, k);
  berthKernelLine(kernel, "memref.store %%s%d, %%b%d[%%x%d] : %s", value,
                  buffer->id, index, berthKernelTypeOf(buffer).text);
}

/// The whole share through a view of it.
static void storeThroughView(BerthKernel *kernel,
                             const BerthKernelBuffer *buffer) {
  int base = berthKernelOwnIndex(kernel, buffer, 0);
  int view = berthKernelNewId(kernel);
  BerthKernelText type;
  snprintf(type.text, sizeof type.text,
           "memref<%dx%s, strided<[1], offset: ?>, #workgroup>", buffer->share,
           elementOf(buffer)->text);
  berthKernelLine(kernel,
                  "%%b%d = memref.subview %%b%d[%%x%d] [%d] [1] : %s to %s",
                  view, buffer->id, base, buffer->share,
                  berthKernelTypeOf(buffer).text, type.text);
  for (int k = 0; k < buffer->share; ++k) {
    int value = valueFor(kernel, elementOf(buffer));
    int index = berthKernelIndex(kernel, k);
    berthKernelLine(kernel, "memref.store %%s%d, %%b%d[%%x%d] : %s", value,
                    view, index, type.text);
  }
}

//===----------------------------------------------------------------------===//
// Statements
//===----------------------------------------------------------------------===//

bool berthKernelHasRoom(const BerthKernel *kernel) {
  return kernel->now.numBuffers < kKernelMaxBuffers;
}

BerthKernelBuffer berthKernelSomeForm(BerthKernel *kernel) {
  int element = berthRandomBelow(&kernel->random, kNumElements);
  int share = 1 + berthRandomBelow(&kernel->random, kKernelMaxShare);
  int layout = berthRandomBelow(&kernel->random, BERTH_KERNEL_NUM_LAYOUTS);
  return (BerthKernelBuffer){
      .element = element, .share = share, .layout = (BerthKernelLayout)layout};
}

static void allocate(BerthKernel *kernel, int element) {
  BerthKernelState *now = &kernel->now;
  BerthKernelBuffer *buffer = &now->buffers[now->numBuffers++];
  *buffer = (BerthKernelBuffer){
      .id = berthKernelNewId(kernel),
      .element = element,
      .share = 1 + berthRandomBelow(&kernel->random, kKernelMaxShare),
      .layout = (BerthKernelLayout)berthRandomBelow(&kernel->random,
                                                    BERTH_KERNEL_NUM_LAYOUTS)};
  berthKernelLine(kernel, "%%b%d = memref.alloc() : %s", buffer->id,
                  berthKernelTypeOf(buffer).text);
}

bool berthKernelAlloc(BerthKernel *kernel) {
  if (!berthKernelHasRoom(kernel))
    return false;
  allocate(kernel, berthRandomBelow(&kernel->random, kNumElements));
  return true;
}

bool berthKernelWrite(BerthKernel *kernel) {
  BerthKernelBuffer *buffer = berthKernelPick(kernel, mayWrite);
  if (!buffer)
    return false;
  bool isWhole = berthRandomChance(&kernel->random, 85);
  bool hasView = isWhole && buffer->layout == BERTH_KERNEL_CHUNKED &&
                 berthKernelHas(kernel, BERTH_SMITH_VIEWS);
  if (hasView)
    storeThroughView(kernel, buffer);
  for (int k = 0; k < buffer->share && isWhole && !hasView; ++k)
    berthKernelStoreOwn(kernel, buffer, k);
  if (!isWhole)
    berthKernelStoreOwn(kernel, buffer,
                        berthRandomBelow(&kernel->random, buffer->share));
  buffer->isDefined |= isWhole;
  buffer->isWritten = true;
  return true;
}

/// The thread's element number `%x<turn>` of its share.
static int ownIndexOfTurn(BerthKernel *kernel, const BerthKernelBuffer *buffer,
                          int turn) {
  static const char *const maps[] = {[BERTH_KERNEL_STRIDED] = "d0 + d1 * %d",
                                     [BERTH_KERNEL_CHUNKED] = "d0 * %d + d1",
                                     [BERTH_KERNEL_REVERSED] =
                                         "%d + d1 * 64 - d0"};
  int number = buffer->layout == BERTH_KERNEL_CHUNKED    ? buffer->share
               : buffer->layout == BERTH_KERNEL_REVERSED ? kKernelThreads - 1
                                                         : kKernelThreads;
  char map[32];
  snprintf(map, sizeof map, maps[buffer->layout], number);
  int id = berthKernelNewId(kernel);
  berthKernelLine(
      kernel, "%%x%d = affine.apply affine_map<(d0, d1) -> (%s)>(%%t, %%x%d)",
      id, map, turn);
  return id;
}

/// All of a buffer, or nearly all where it holds something, by a loop of each
/// thread: over its turns, or to the end from the thread's number on.
bool berthKernelFill(BerthKernel *kernel) {
  BerthKernelBuffer *buffer = berthKernelPick(kernel, mayWrite);
  if (!buffer)
    return false;
  int left = 0; ///< out
  if (buffer->isDefined && berthRandomChance(&kernel->random, 30))
    left = 1 + berthRandomBelow(&kernel->random, kKernelThreads);
  bool hasStride = buffer->layout == BERTH_KERNEL_STRIDED &&
                   berthRandomChance(&kernel->random, 60);
  int value = valueFor(kernel, elementOf(buffer));
  int end = berthKernelIndex(kernel, sizeOf(buffer) - left);
  int turns = berthKernelIndex(kernel, buffer->share);
  int step = berthKernelIndex(kernel, kKernelThreads);
  int turn = berthKernelNewId(kernel), index = turn;
  if (hasStride) {
    berthKernelLine(kernel, "scf.for %%x%d = %%t to %%x%d step %%x%d {", turn,
                    end, step);
  } else {
    berthKernelLine(kernel, "scf.for %%x%d = %%c0 to %%x%d step %%c1 {", turn,
                    turns);
    index = ownIndexOfTurn(kernel, buffer, turn);
    int condition = berthKernelNewId(kernel);
    berthKernelLine(kernel, "%%c%d = arith.cmpi ult, %%x%d, %%x%d : index",
                    condition, index, end);
    berthKernelLine(kernel, "scf.if %%c%d {", condition);
  }
  berthKernelLine(kernel, "memref.store %%s%d, %%b%d[%%x%d] : %s", value,
                  buffer->id, index, berthKernelTypeOf(buffer).text);
  berthKernelLine(kernel, hasStride ? "}" : "}}");
  buffer->isDefined |= !left;
  buffer->isWritten = true;
  return true;
}

bool berthKernelReadOwn(BerthKernel *kernel) {
  BerthKernelBuffer *buffer = berthKernelPick(kernel, mayReadOwn);
  if (!buffer)
    return false;
  buffer->isRead = true;
  int k = berthRandomBelow(&kernel->random, buffer->share);
  load(kernel, elementOf(buffer), buffer->id, berthKernelTypeOf(buffer).text,
       berthKernelOwnIndex(kernel, buffer, k));
  return true;
}

bool berthKernelReadForeign(BerthKernel *kernel) {
  BerthKernelBuffer *buffer = berthKernelPick(kernel, mayReadForeign);
  if (!buffer)
    return false;
  load(kernel, elementOf(buffer), buffer->id, berthKernelTypeOf(buffer).text,
       berthKernelAnyIndex(kernel, sizeOf(buffer)));
  buffer->isWatched = true;
  return true;
}

/// Through a pointer that may be one of two buffers.
bool berthKernelReadSelected(BerthKernel *kernel) {
  if (!berthKernelHas(kernel, BERTH_SMITH_SELECT))
    return false;
  BerthKernelBuffer *first = berthKernelPick(kernel, mayReadForeign);
  BerthKernelBuffer *second = berthKernelPick(kernel, mayReadForeign);
  if (!first || !second || first == second ||
      first->element != second->element || first->share != second->share)
    return false;
  int condition = berthRandomChance(&kernel->random, 50)
                      ? berthKernelUniformCondition(kernel)
                      : berthKernelDivergentCondition(kernel);
  int id = berthKernelNewId(kernel);
  berthKernelLine(kernel, "%%b%d = arith.select %%c%d, %%b%d, %%b%d : %s", id,
                  condition, first->id, second->id,
                  berthKernelTypeOf(first).text);
  load(kernel, elementOf(first), id, berthKernelTypeOf(first).text,
       berthKernelAnyIndex(kernel, sizeOf(first)));
  first->isWatched = second->isWatched = true;
  return true;
}

bool berthKernelReadInput(BerthKernel *kernel) {
  int index = berthKernelAnyIndex(kernel, kKernelThreads * kKernelMaxShare);
  int id = berthKernelNewId(kernel);
  berthKernelLine(kernel, "%%s%d = memref.load %%in[%%x%d] : memref<%dxi32>",
                  id, index, kKernelThreads * kKernelMaxShare);
  berthKernelAddScalar(kernel, id);
  return true;
}

/// Begins to fill a buffer from %in behind the thread's back, in a group of its
/// own, `%group<token>`; NULL if none may be filled.
static BerthKernelBuffer *startCopy(BerthKernel *kernel, int *token) {
  BerthKernelBuffer *buffer = berthKernelPick(kernel, mayCopyInto);
  if (!buffer)
    return NULL;
  *token = berthKernelNewId(kernel);
  for (int k = 0; k < buffer->share; ++k) {
    int to = berthKernelOwnIndex(kernel, buffer, k);
    int from = berthKernelAnyIndex(kernel, kKernelThreads * kKernelMaxShare);
    berthKernelLine(
        kernel,
        "%%token%d_%d = nvgpu.device_async_copy %%in[%%x%d], %%b%d[%%x%d], 1 : "
        "memref<%dxi32> to %s",
        *token, k, from, buffer->id, to, kKernelThreads * kKernelMaxShare,
        berthKernelTypeOf(buffer).text);
  }
  buffer->isBusy = true;
  return buffer;
}

/// Of the buffer's copies, so that a later one may be under way beside it. (A
/// group of none is not read again as it is printed.)
static void makeGroup(BerthKernel *kernel, const BerthKernelBuffer *buffer,
                      int token) {
  char tokens[kKernelMaxShare * 24] = "";
  for (int k = 0; k < buffer->share; ++k) {
    size_t length = strlen(tokens);
    snprintf(tokens + length, sizeof tokens - length, "%s%%token%d_%d",
             k ? ", " : "", token, k);
  }
  berthKernelLine(kernel, "%%group%d = nvgpu.device_async_create_group %s",
                  token, tokens);
}

static void endCopy(BerthKernelBuffer *buffer) {
  buffer->isBusy = false;
  buffer->isDefined = true;
}

bool berthKernelCopyAsync(BerthKernel *kernel) {
  if (!berthKernelHas(kernel, BERTH_SMITH_ASYNC) || !berthKernelMayMeet(kernel))
    return false;
  int token;
  BerthKernelBuffer *buffer = startCopy(kernel, &token);
  if (!buffer)
    return false;
  berthKernelReadOwn(kernel);
  berthKernelWrite(kernel);
  berthKernelLine(kernel, "%%group%d = nvgpu.device_async_create_group {}",
                  token);
  berthKernelLine(kernel, "nvgpu.device_async_wait %%group%d", token);
  berthKernelBarrier(kernel);
  endCopy(buffer);
  return true;
}

/// Several buffers under way, waited for one after the other, with other
/// statements in between. Of the last one nobody may ever see the end.
bool berthKernelPipeline(BerthKernel *kernel) {
  enum { kMostStages = 4 };
  if (!berthKernelMayMeet(kernel))
    return false;
  size_t stages[kMostStages];
  int tokens[kMostStages], count = 0;
  int wanted = 2 + berthRandomBelow(&kernel->random, kMostStages - 1);
  for (; count < wanted; ++count) {
    if (berthKernelHasRoom(kernel) && berthRandomChance(&kernel->random, 60))
      allocate(kernel, kInt32);
    BerthKernelBuffer *buffer = startCopy(kernel, &tokens[count]);
    if (!buffer)
      break;
    stages[count] = (size_t)(buffer - kernel->now.buffers);
    makeGroup(kernel, buffer, tokens[count]);
    berthKernelStatements(kernel, berthRandomBelow(&kernel->random, 2));
  }
  bool isLeft = !kernel->depth && !berthRandomBelow(&kernel->random, 3);
  for (int i = 0; i < count - isLeft; ++i) {
    berthKernelLine(kernel,
                    "nvgpu.device_async_wait %%group%d {numGroups = %d : i32}",
                    tokens[i], count - 1 - i);
    berthKernelBarrier(kernel);
    endCopy(&kernel->now.buffers[stages[i]]);
    berthKernelStatements(kernel, 1 + berthRandomBelow(&kernel->random, 3));
  }
  return count > 0;
}

bool berthKernelObserve(BerthKernel *kernel) {
  int size = kKernelThreads * kKernelMaxShare;
  BerthKernelBuffer out = {.share = kKernelMaxShare};
  int k = berthRandomBelow(&kernel->random, kKernelMaxShare);
  int index = berthKernelOwnIndex(kernel, &out, k);
  int value = berthKernelMix(kernel);
  int old = berthKernelNewId(kernel), scaled = berthKernelNewId(kernel);
  int sum = berthKernelNewId(kernel);
  berthKernelLine(kernel, "%%s%d = memref.load %%out[%%x%d] : memref<%dxi32>",
                  old, index, size);
  berthKernelLine(kernel, "%%s%d = arith.muli %%s%d, %%weight : i32", scaled,
                  old);
  berthKernelLine(kernel, "%%s%d = arith.addi %%s%d, %%s%d : i32", sum, scaled,
                  value);
  berthKernelLine(kernel, "memref.store %%s%d, %%out[%%x%d] : memref<%dxi32>",
                  sum, index, size);
  return true;
}

bool berthKernelRest(BerthKernel *kernel) {
  BerthKernelBuffer *buffer = berthKernelPick(kernel, mayReadOwn);
  if (buffer)
    buffer->isDefined = false;
  return buffer;
}

bool berthKernelMeet(BerthKernel *kernel) {
  if (!berthKernelMayMeet(kernel))
    return false;
  berthKernelBarrier(kernel);
  return true;
}
