//===- TestPlugin.c - Plugins that behave, and plugins that do not -- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//
//
// Built once for each behaviour, chosen by the macro BEHAVIOUR. All stack the
// items one on another, which is valid, before they misbehave.
//
//===---------------------------------------------------------------------===//

#include "berth-c/Packer.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define QUOTE(x) #x
#define STRING(x) QUOTE(x)

static bool behaves(const char *behaviour) {
  return strcmp(STRING(BEHAVIOUR), behaviour) == 0;
}

static void stack(const BerthTask *task, BerthAnswer *answer) {
  int64_t top = 0;
  for (uint32_t i = 0; i < task->numItems; ++i) {
    answer->offsets[i] = top;
    top += task->sizes[i];
  }
}

static void misbehave(const BerthTask *task, BerthAnswer *answer) {
  static volatile int *nowhere;
  static volatile unsigned turns; // an empty loop need not be one
  if (behaves("crash"))
    *nowhere = 1;
  while (behaves("hang"))
    ++turns;
  while (behaves("sleep"))
    sleep(1);
  while (behaves("gorge")) {
    char *bytes = malloc(1 << 24);
    if (!bytes)
      abort();
    memset(bytes, 1, 1 << 24);
  }
  if (behaves("quit"))
    exit(0);
  if (behaves("overlap"))
    memset(answer->offsets, 0, task->numItems * sizeof *answer->offsets);
  if (behaves("boast")) {
    answer->provenLevels = ~0u;
    for (uint32_t i = 0; i < task->numItems; ++i)
      answer->lowerBound += task->sizes[i];
  }
  if (behaves("deny"))
    answer->infeasible = true;
  if (behaves("chatter"))
    puts("id,lower,upper,size,offset");
}

static BerthStatus pack(const BerthPacker *self, const BerthTask *task,
                        const BerthHost *host, BerthAnswer *answer) {
  (void)self;
  (void)host;
  stack(task, answer);
  misbehave(task, answer);
  return behaves("fail") ? BERTH_RESOURCE : BERTH_SUCCESS;
}

// Of an older header, without the last field, or cut off within an early one.
static size_t sizeOfPacker(void) {
  return behaves("older")   ? offsetof(BerthPacker, traits)
         : behaves("small") ? offsetof(BerthPacker, pack)
                            : sizeof(BerthPacker);
}

// Any bytes will do.
static const char oddName[] = "a\"b\\c\n\xff</script>";

static BerthPacker packer = {.version = BERTH_PACKER_ABI,
                             .name = "test-" STRING(BEHAVIOUR),
                             .summary = "stacks all buffers",
                             .capabilities =
                                 BERTH_CAN_PROVE | BERTH_CAN_INFEASIBLE,
                             .pack = pack,
                             .traits = ~0u};

BERTH_EXPORT const BerthPacker *berthPackerPlugin(uint32_t abi);
BERTH_EXPORT const BerthPacker *berthPackerPlugin(uint32_t abi) {
  packer.size = (uint32_t)sizeOfPacker();
  if (behaves("odd")) {
    packer.name = oddName;
    packer.capabilities |= BERTH_CAN_ALIGNMENT; // what it is given is aligned
  }
  return abi < BERTH_PACKER_ABI || behaves("refuse") ? NULL : &packer;
}
