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
  uint32_t *owner; ///< by word: the handle whose payload it belongs to, or 0
  ModelBlock *live;
  uint32_t numLive;
  uint32_t nextStamp;
} HeapModel;

static inline HeapModel modelCreate(uint32_t words, uint32_t mode) {
  HeapModel model = {.words = words, .nextStamp = 0x9e3779b9};
  model.arena = malloc(words * sizeof(uint32_t));
  model.owner = calloc(words, sizeof(uint32_t));
  model.live = calloc(words, sizeof(ModelBlock));
  MODEL_REQUIRE(model.arena && model.owner && model.live);
  MODEL_REQUIRE(berthHeapInit(model.arena, words, mode) == BERTH_HEAP_OK);
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

/// Counts the nodes below and with `node`, which stands at `position`.
static inline uint32_t modelCheckTree(const HeapModel *model, uint32_t node,
                                      uint32_t parent, uint32_t position) {
  if (!node)
    return 0;
  const uint32_t *arena = model->arena;
  MODEL_REQUIRE(node >= BERTH_HEAP_FIRST && node < model->words);
  MODEL_REQUIRE(position <= arena[BERTH_HEAP_FREE_BLOCKS]);
  MODEL_REQUIRE(!(arena[node] & BERTH_HEAP_TAG_USED));
  MODEL_REQUIRE(arena[node + BERTH_HEAP_PARENT] == parent);
  MODEL_REQUIRE(!parent || arena[parent] >= arena[node]);
  return 1 +
         modelCheckTree(model, arena[node + BERTH_HEAP_LEFT], node,
                        2 * position) +
         modelCheckTree(model, arena[node + BERTH_HEAP_RIGHT], node,
                        2 * position + 1);
}

static inline void modelCheck(const HeapModel *model) {
  const uint32_t *arena = model->arena;
  uint32_t numLive = 0, numFree = 0, used = 0;
  bool previousFree = false;
  uint32_t block = BERTH_HEAP_FIRST;
  while (block < model->words - 1) {
    uint32_t tag = arena[block];
    uint32_t size = tag & BERTH_HEAP_TAG_SIZE;
    bool isFree = !(tag & BERTH_HEAP_TAG_USED);
    MODEL_REQUIRE(size >= 5 && size <= model->words - 1 - block);
    MODEL_REQUIRE(!!(tag & BERTH_HEAP_TAG_PREVIOUS_FREE) == previousFree);
    MODEL_REQUIRE(!(isFree && previousFree));
    MODEL_REQUIRE(!isFree || arena[block + size - 1] == size);
    numFree += isFree;
    numLive += !isFree;
    used += isFree ? 0 : size;
    previousFree = isFree;
    block += size;
  }
  MODEL_REQUIRE(block == model->words - 1);
  MODEL_REQUIRE(numLive == model->numLive);
  MODEL_REQUIRE(numFree == arena[BERTH_HEAP_FREE_BLOCKS]);
  MODEL_REQUIRE(used == arena[BERTH_HEAP_USED]);
  MODEL_REQUIRE(modelCheckTree(model, arena[BERTH_HEAP_ROOT], 0, 1) == numFree);
  MODEL_REQUIRE(berthHeapCheck(arena, NULL) == BERTH_HEAP_OK);
}

//===---------------------------------------------------------------------===//
// Operations
//===---------------------------------------------------------------------===//

static inline void modelAdd(HeapModel *model, uint32_t handle, uint32_t payload,
                            uint32_t words) {
  ModelBlock block = {handle, payload, words, model->nextStamp};
  model->nextStamp = model->nextStamp * 1664525 + 1013904223;
  MODEL_REQUIRE(payload > handle && handle >= BERTH_HEAP_FIRST);
  MODEL_REQUIRE(payload + words <= model->words - 1);
  for (uint32_t i = 0; i < words; ++i) {
    MODEL_REQUIRE(!model->owner[payload + i]);
    model->owner[payload + i] = handle;
    model->arena[payload + i] = block.stamp + i;
  }
  MODEL_REQUIRE(words == 0 ||
                payload + words <= model->arena[BERTH_HEAP_HIGH_WATER]);
  model->live[model->numLive++] = block;
}

/// A failure was right if the largest free block is below what the header
/// promises to suffice, or there is no such size.
static inline void modelCheckFailure(const HeapModel *model, uint64_t words,
                                     uint32_t alignment) {
  uint32_t root = model->arena[BERTH_HEAP_ROOT];
  uint64_t block = words + 1 < 5 ? 5 : words + 1;
  MODEL_REQUIRE(!alignment || !root ||
                model->arena[root] < block + alignment + 4);
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

/// Frees what is left; all of the arena must be one free block again.
static inline void modelFreeAll(HeapModel *model) {
  while (model->numLive) {
    modelFree(model, model->numLive / 2);
    modelCheck(model);
  }
  const uint32_t *arena = model->arena;
  MODEL_REQUIRE(arena[BERTH_HEAP_USED] == 0);
  MODEL_REQUIRE(arena[BERTH_HEAP_FREE_BLOCKS] == 1);
  MODEL_REQUIRE(arena[BERTH_HEAP_ROOT] == BERTH_HEAP_FIRST);
  MODEL_REQUIRE(arena[BERTH_HEAP_FIRST] == model->words - 9);
}

#endif // BERTH_TEST_HEAPMODEL_H
