//===- Names.h - From a name to its index --------------------------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//
//
// An open-addressing hash table over an array of names that lives elsewhere.
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_IO_NAMES_H
#define BERTH_LIB_IO_NAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct Names {
  bool built;
  size_t numSlots; ///< a power of two, more than the names
  struct NameSlot {
    const char *name; ///< NULL: empty
    uint32_t index;
  } * slots;
} Names;

/// Makes an empty table for at most `count` names; false if out of memory.
bool berthNamesBuild(Names *names, size_t count);
/// Adds a name, which is not copied. Of equal names the first one is kept.
void berthNamesAdd(Names *names, const char *name, uint32_t index);
bool berthNamesFind(const Names *names, const char *name, uint32_t *index);
void berthNamesFree(Names *names);

#endif // BERTH_LIB_IO_NAMES_H
