//===- HeapFuzz.c - Any sequence of calls on any arena -------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The input is a program: byte 0 and 1 choose the arena and the mode, then
// each instruction is an opcode byte and one or two operands. The model judges
// the arena after every call; bad handles and overwritten words only run in
// checked mode, where the heap promises to survive them.
//
//===----------------------------------------------------------------------===//

#include "../unit/Heap/HeapModel.h"

#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

typedef struct Input {
  const uint8_t *data;
  size_t size;
} Input;

static uint32_t byte(Input *input) {
  if (!input->size)
    return 0;
  --input->size;
  return *input->data++;
}

/// A free with any handle: it may succeed only for a live block.
static void freeAny(HeapModel *model, uint32_t handle) {
  for (uint32_t i = 0; i < model->numLive; ++i) {
    if (model->live[i].handle == handle) {
      modelFree(model, i);
      return;
    }
  }
  BerthHeapStatus status = berthHeapFree(model->arena, handle);
  MODEL_REQUIRE(status == (handle ? status : BERTH_HEAP_OK));
  MODEL_REQUIRE(!handle || status == BERTH_HEAP_DOUBLE_FREE ||
                status == BERTH_HEAP_FOREIGN);
}

/// Overwrites one word, calls, and puts the word back: if the check objects,
/// the calls must have refused; otherwise the word was not bookkeeping.
static void overwrite(HeapModel *model, uint32_t word, uint32_t value) {
  uint32_t *arena = model->arena;
  if (word == BERTH_HEAP_WORDS || word == BERTH_HEAP_MODE)
    return; // what the caller must not touch even in checked mode
  uint32_t before = arena[word];
  arena[word] = value;
  if (berthHeapCheck(arena, NULL) != BERTH_HEAP_OK) {
    MODEL_REQUIRE(!berthHeapAlloc(arena, 1, 1).handle);
    for (uint32_t i = 0; i < model->numLive; ++i)
      MODEL_REQUIRE(berthHeapFree(arena, model->live[i].handle) ==
                    BERTH_HEAP_BAD_TAG);
  }
  arena[word] = before;
}

static void step(HeapModel *model, Input *input) {
  uint32_t opcode = byte(input);
  uint32_t first = byte(input);
  uint32_t second = byte(input);
  bool checked = model->arena[BERTH_HEAP_MODE] & BERTH_HEAP_CHECKED;
  switch (opcode % 8) {
  case 0:
  case 1:
  case 2:
    modelAlloc(model, first, 1 + second % 64);
    break;
  case 3:
    modelAlloc(model, first << 24 | second, second);
    break;
  case 4:
  case 5:
    if (model->numLive)
      modelFree(model, first % model->numLive);
    break;
  case 6:
    if (checked)
      freeAny(model, (first << 8 | second) % (model->words + 8));
    break;
  default:
    if (checked)
      overwrite(model, first * 8 % model->words, second * 0x01010101);
    break;
  }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  Input input = {data, size};
  uint32_t words = BERTH_HEAP_MIN_WORDS + byte(&input) * byte(&input) / 16;
  HeapModel model = modelCreate(words, byte(&input) & 3);
  while (input.size) {
    step(&model, &input);
    modelCheck(&model);
  }
  modelFreeAll(&model);
  modelDestroy(&model);
  return 0;
}
