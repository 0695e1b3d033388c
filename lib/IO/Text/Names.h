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

#ifndef BERTH_LIB_IO_TEXT_NAMES_H
#define BERTH_LIB_IO_TEXT_NAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct BerthNames {
  bool built;
  size_t numSlots; ///< a power of two, more than the names
  struct NameSlot {
    const char *name; ///< NULL: empty
    uint32_t index;
  } * slots;
} BerthNames;

/// Makes an empty table for at most `count` names; false if out of memory.
bool berthNamesBuild(BerthNames *names, size_t count);
/// Adds a name, which is not copied. Of equal names the first one is kept.
void berthNamesAdd(BerthNames *names, const char *name, uint32_t index);
bool berthNamesFind(const BerthNames *names, const char *name, uint32_t *index);
void berthNamesFree(BerthNames *names);

#endif // BERTH_LIB_IO_TEXT_NAMES_H
