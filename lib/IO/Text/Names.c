//===- Names.c - From a name to its index --------------------------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//

#include "IO/Text/Names.h"
#include "Support/Allocate.h"

#include <stdlib.h>
#include <string.h>

bool berthNamesBuild(BerthNames *names, size_t count) {
  names->numSlots = 8;
  while (names->numSlots < 2 * count)
    names->numSlots *= 2;
  names->slots = berthZeroed(names->numSlots, sizeof *names->slots);
  names->built = names->slots != NULL;
  return names->built;
}

/// FNV-1a.
static uint64_t hash(const char *name) {
  uint64_t value = UINT64_C(0xcbf29ce484222325);
  for (; *name; ++name)
    value = (value ^ (unsigned char)*name) * UINT64_C(0x100000001b3);
  return value ^ value >> 32;
}

/// The slot that holds the name, or the empty one where it belongs.
static struct NameSlot *findSlot(const BerthNames *names, const char *name) {
  size_t slot = hash(name) & (names->numSlots - 1);
  while (names->slots[slot].name && strcmp(names->slots[slot].name, name) != 0)
    slot = (slot + 1) & (names->numSlots - 1);
  return &names->slots[slot];
}

void berthNamesAdd(BerthNames *names, const char *name, uint32_t index) {
  struct NameSlot *slot = findSlot(names, name);
  if (!slot->name)
    *slot = (struct NameSlot){name, index};
}

bool berthNamesFind(const BerthNames *names, const char *name,
                    uint32_t *index) {
  const struct NameSlot *slot = findSlot(names, name);
  *index = slot->index;
  return slot->name != NULL;
}

void berthNamesFree(BerthNames *names) {
  free(names->slots);
  *names = (BerthNames){0};
}
