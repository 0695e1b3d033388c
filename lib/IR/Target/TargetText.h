//===- TargetText.h - Reading pieces of a target description ------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_TARGET_TARGETTEXT_H
#define BERTH_LIB_IR_TARGET_TARGETTEXT_H

#include "IO/Json/JsonReader.h"
#include "IR/Target/TargetData.h"

/// A description on its way from text.
typedef struct BerthTargetReader {
  BerthJsonReader json;
  BerthTarget *target;
  const BerthOpRows *builtin; ///< what entries are laid over; NULL: this is it
  size_t placed;              ///< the position of `place`
  BerthTargetPlace place;     ///< what berthTargetPlaceOf came to last
} BerthTargetReader;

/// Makes room for one element more; false, having failed, without memory.
#define BERTH_TARGET_GROW(reader, array, count, capacity)                      \
  (berthMemoryReserve(&(reader)->target->memory, &(array), &(capacity),        \
                      (count) + 1) ||                                          \
   (berthJsonOutOfMemory(&(reader)->json), false))

/// A copy that lives as long as the description.
const char *berthTargetKeep(BerthTargetReader *reader, const char *string);

/// The position of the value that comes next, for messages about it.
size_t berthTargetHere(BerthTargetReader *reader);

/// A position as line and column. Fast where positions only grow.
BerthTargetPlace berthTargetPlaceOf(BerthTargetReader *reader, size_t position);

/// A name with its namespace, such as "tsl.tsl"; the dialect is noted.
const char *berthTargetReadName(BerthTargetReader *reader, const char *what);

/// The name of an attribute.
const char *berthTargetReadAttribute(BerthTargetReader *reader);

/// The text of a memory space, which is not empty; `what` names it in messages.
const char *berthTargetReadSpace(BerthTargetReader *reader, const char *what);

/// The list of dialects.
void berthTargetReadDialects(BerthTargetReader *reader);

/// A list, each element of which `readOne` reads.
void berthTargetReadEach(BerthTargetReader *reader,
                         void (*readOne)(BerthTargetReader *reader));

#endif // BERTH_LIB_IR_TARGET_TARGETTEXT_H
