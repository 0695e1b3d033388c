//===- HeapModel.h - What a heap must look like from outside -------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//
//
// A second opinion, for tests and the fuzzer: it keeps its own record of the
// live blocks, owner word by word, and reads the arena by the layout that
// berth-c/Heap.h documents. It shares no code with lib/Heap. `modelCheck` is
// called after every operation; anything wrong ends the program, since both
// cmocka and libFuzzer report that with the input at hand.
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_TEST_HEAPMODEL_H
#define BERTH_TEST_HEAPMODEL_H

#include "berth-c/Heap.h"

#include <stdio.h>
#include <stdlib.h>

#define MODEL_REQUIRE(condition)                                               \
  do {                                                                         \
    if (!(condition)) {                                                        \
      fprintf(stderr, "%s:%d: heap broken: %s\n", __FILE__, __LINE__,          \
              #condition);                                                     \
      abort();                                                                 \
    }                                                                          \
  } while (0)

typedef struct ModelBlock {
  uint32_t handle;
  uint32_t payload; ///< first word
  uint32_t words;
  uint32_t stamp; ///< every word of the payload holds stamp + its index
} ModelBlock;

typedef struct HeapModel {
  uint32_t *arena;
  uint32_t words;
  uint32_t first;  ///< where the blocks begin
  uint32_t *owner; ///< by word: the handle whose payload it belongs to, or 0
  ModelBlock *live;
  uint32_t numLive;
  uint32_t nextStamp;
} HeapModel;

/// Classes by their smallest sizes, counted up one by one.
static inline uint32_t modelClass(uint32_t size) {
  uint32_t class = 0, least = 4, step = 1;
  while (least + step <= size) {
    least += step;
    ++class;
    step *= class % 4 == 0 ? 2 : 1;
  }
  return class;
}

static inline HeapModel modelCreate(uint32_t words, uint32_t mode) {
  HeapModel model = {.words = words, .nextStamp = 0x9e3779b9};
  model.arena = malloc(words * sizeof(uint32_t));
  model.owner = calloc(words, sizeof(uint32_t));
  model.live = calloc(words, sizeof(ModelBlock));
  MODEL_REQUIRE(model.arena && model.owner && model.live);
  MODEL_REQUIRE(berthHeapInit(model.arena, words, mode) == BERTH_HEAP_OK);
  model.first = BERTH_HEAP_LISTS + modelClass(words) + 1;
  return model;
}

static inline void modelDestroy(HeapModel *model) {
  free(model->arena);
  free(model->owner);
  free(model->live);
}

//===---------------------------------------------------------------------===//
// Checking
//===---------------------------------------------------------------------===//

/// Follows each list; returns how many blocks they hold.
static inline uint32_t modelCheckLists(const HeapModel *model) {
  const uint32_t *arena = model->arena;
  uint32_t listed = 0;
  for (uint32_t class = 0; class < 128; ++class) {
    uint32_t bit = arena[BERTH_HEAP_MAPS + class / 32] >> class % 32 & 1;
    uint32_t holder = BERTH_HEAP_LISTS + class;
    MODEL_REQUIRE(bit == (holder < model->first && arena[holder]));
    for (uint32_t block = bit ? arena[holder] : 0; block;
         block = arena[holder]) {
      MODEL_REQUIRE(block < arena[BERTH_HEAP_TOP]);
      MODEL_REQUIRE(block != arena[BERTH_HEAP_REST]);
      MODEL_REQUIRE(modelClass(arena[block]) == class);
      MODEL_REQUIRE(arena[block + BERTH_HEAP_BACK] == holder);
      MODEL_REQUIRE(++listed <= model->words);
      holder = block + BERTH_HEAP_NEXT;
    }
  }
  return listed;
}

static inline void modelCheck(const HeapModel *model) {
  const uint32_t *arena = model->arena;
  uint32_t numLive = 0, numFree = 0, used = 0;
  uint32_t top = arena[BERTH_HEAP_TOP];
  bool previousFree = false, restSeen = !arena[BERTH_HEAP_REST];
  uint32_t block = model->first;
  MODEL_REQUIRE(top >= block && top <= arena[BERTH_HEAP_HIGH_WATER]);
  MODEL_REQUIRE(arena[BERTH_HEAP_HIGH_WATER] <= model->words);
  while (block < top) {
    uint32_t tag = arena[block];
    uint32_t size = tag & BERTH_HEAP_TAG_SIZE;
    bool isFree = !(tag & BERTH_HEAP_TAG_USED);
    MODEL_REQUIRE(size >= 4 && size <= top - block);
    MODEL_REQUIRE(!!(tag & BERTH_HEAP_TAG_PREVIOUS_FREE) == previousFree);
    MODEL_REQUIRE(!(isFree && previousFree));
    MODEL_REQUIRE(!isFree || arena[block + size - 1] == size);
    numFree += isFree;
    numLive += !isFree;
    used += isFree ? 0 : size;
    restSeen |= isFree && block == arena[BERTH_HEAP_REST];
    previousFree = isFree;
    block += size;
  }
  MODEL_REQUIRE(block == top && !previousFree && restSeen);
  MODEL_REQUIRE(numLive == model->numLive);
  MODEL_REQUIRE(used == arena[BERTH_HEAP_USED]);
  MODEL_REQUIRE(modelCheckLists(model) + !!arena[BERTH_HEAP_REST] == numFree);
  MODEL_REQUIRE(berthHeapCheck(arena, NULL) == BERTH_HEAP_OK);
}

//===---------------------------------------------------------------------===//
// Operations
//===---------------------------------------------------------------------===//

static inline void modelAdd(HeapModel *model, uint32_t handle, uint32_t payload,
                            uint32_t words) {
  ModelBlock block = {handle, payload, words, model->nextStamp};
  model->nextStamp = model->nextStamp * 1664525 + 1013904223;
  MODEL_REQUIRE(payload > handle && handle >= model->first);
  MODEL_REQUIRE(payload + words <= model->words);
  for (uint32_t i = 0; i < words; ++i) {
    MODEL_REQUIRE(!model->owner[payload + i]);
    model->owner[payload + i] = handle;
    model->arena[payload + i] = block.stamp + i;
  }
  MODEL_REQUIRE(words == 0 ||
                payload + words <= model->arena[BERTH_HEAP_HIGH_WATER]);
  model->live[model->numLive++] = block;
}

/// Whether a block of `size` words, the tag included, could lie between two
/// words: with its payload aligned, and nothing or a whole block in front.
static inline bool modelFits(uint32_t from, uint32_t to, uint64_t size,
                             uint32_t alignment) {
  for (uint32_t start = from; start + size <= to; ++start)
    if ((start + 1) % alignment == 0 && (start == from || start - from >= 4))
      return true;
  return false;
}

/// A failure was right if there is no such size, or no free words suffice.
static inline void modelCheckFailure(const HeapModel *model, uint64_t words,
                                     uint32_t alignment) {
  const uint32_t *arena = model->arena;
  uint64_t size = words + 1 < 4 ? 4 : words + 1;
  uint32_t block = model->first;
  if (!alignment || alignment >= model->words)
    return;
  while (block < arena[BERTH_HEAP_TOP]) {
    uint32_t end = block + (arena[block] & BERTH_HEAP_TAG_SIZE);
    MODEL_REQUIRE(arena[block] & BERTH_HEAP_TAG_USED ||
                  !modelFits(block, end, size, alignment));
    block = end;
  }
  MODEL_REQUIRE(!modelFits(block, model->words, size, alignment));
}

/// Allocates through the library; true if it gave a block.
static inline bool modelAlloc(HeapModel *model, uint32_t count,
                              uint32_t stride) {
  BerthHeapBlock block = berthHeapAlloc(model->arena, count, stride);
  uint64_t words = (uint64_t)count * stride;
  if (!block.handle) {
    MODEL_REQUIRE(block.address == 0);
    MODEL_REQUIRE(model->arena[BERTH_HEAP_STATUS]);
    modelCheckFailure(model, words, stride);
    return false;
  }
  MODEL_REQUIRE(block.address * stride == block.handle + 1);
  modelAdd(model, block.handle, block.address * stride, (uint32_t)words);
  return true;
}

/// Frees the live block with this index; its contents must be untouched.
static inline void modelFree(HeapModel *model, uint32_t index) {
  ModelBlock block = model->live[index];
  model->live[index] = model->live[--model->numLive];
  for (uint32_t i = 0; i < block.words; ++i) {
    MODEL_REQUIRE(model->arena[block.payload + i] == block.stamp + i);
    model->owner[block.payload + i] = 0;
  }
  MODEL_REQUIRE(berthHeapFree(model->arena, block.handle) == BERTH_HEAP_OK);
}

/// Frees what is left; the top must be where it began, and the lists empty.
static inline void modelFreeAll(HeapModel *model) {
  while (model->numLive) {
    modelFree(model, model->numLive / 2);
    modelCheck(model);
  }
  const uint32_t *arena = model->arena;
  MODEL_REQUIRE(arena[BERTH_HEAP_USED] == 0);
  MODEL_REQUIRE(arena[BERTH_HEAP_REST] == 0);
  MODEL_REQUIRE(arena[BERTH_HEAP_TOP] == model->first);
}

#endif // BERTH_TEST_HEAPMODEL_H
