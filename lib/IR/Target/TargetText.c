//===- TargetText.c - Reading pieces of a target description --------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Target/TargetText.h"

#include <string.h>

const char *berthTargetKeep(BerthTargetReader *reader, const char *string) {
  const char *copy = berthMemoryString(&reader->target->memory, string);
  if (!copy)
    berthJsonOutOfMemory(&reader->json);
  return copy;
}

/// The position of the value that comes next, for messages about it.
size_t berthTargetHere(BerthTargetReader *reader) {
  berthJsonPeek(&reader->json);
  return reader->json.position;
}

BerthTargetPlace berthTargetPlaceOf(BerthTargetReader *reader,
                                    size_t position) {
  if (!reader->place.line || position < reader->placed) {
    reader->placed = 0;
    reader->place = (BerthTargetPlace){1, 1};
  }
  for (; reader->placed < position; ++reader->placed) {
    bool endsLine = reader->json.text.data[reader->placed] == '\n';
    reader->place.line += endsLine;
    reader->place.column = endsLine ? 1 : reader->place.column + 1;
  }
  return reader->place;
}

/// A name with a namespace, as "tsl.tsl"; notes the namespace.
static void noteDialect(BerthTargetReader *reader, const char *name,
                        size_t length) {
  BerthTarget *target = reader->target;
  for (size_t i = 0; i < target->numDialects; ++i)
    if (strlen(target->dialects[i]) == length &&
        memcmp(target->dialects[i], name, length) == 0)
      return;
  char *copy = berthMemoryAllocate(&target->memory, length + 1, 1);
  if (!copy || !BERTH_TARGET_GROW(reader, target->dialects, target->numDialects,
                                  target->capDialects)) {
    berthJsonOutOfMemory(&reader->json);
    return;
  }
  memcpy(copy, name, length);
  target->dialects[target->numDialects++] = copy;
}

static bool isNameStart(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static bool isNamespace(const char *name, size_t length) {
  for (size_t i = 0; i < length; ++i)
    if (!isNameStart(name[i]) && (i == 0 || name[i] < '0' || name[i] > '9') &&
        (i == 0 || name[i] != '$'))
      return false;
  return length > 0;
}

const char *berthTargetReadName(BerthTargetReader *reader, const char *what) {
  size_t position = berthTargetHere(reader);
  const char *name = berthJsonString(&reader->json, "name");
  if (reader->json.failed)
    return "";
  const char *dot = strchr(name, '.');
  if (!dot || !dot[1] || !isNamespace(name, (size_t)(dot - name))) {
    berthJsonFail(&reader->json, position,
                  "%s '%.60s' is no name with a namespace, such as 'npu.dma'",
                  what, name);
    return "";
  }
  noteDialect(reader, name, (size_t)(dot - name));
  return berthTargetKeep(reader, name);
}

const char *berthTargetReadAttribute(BerthTargetReader *reader) {
  size_t position = berthTargetHere(reader);
  const char *name =
      berthTargetKeep(reader, berthJsonString(&reader->json, "attribute"));
  if (!reader->json.failed && !*name)
    berthJsonFail(&reader->json, position, "an attribute has no name");
  return name;
}

const char *berthTargetReadSpace(BerthTargetReader *reader, const char *what) {
  size_t position = berthTargetHere(reader);
  const char *text =
      berthTargetKeep(reader, berthJsonString(&reader->json, what));
  if (!reader->json.failed && !*text)
    berthJsonFail(&reader->json, position,
                  "a memory has no name: 'default' is that of types "
                  "without a memory space");
  return text;
}

void berthTargetReadDialects(BerthTargetReader *reader) {
  berthJsonEnterArray(&reader->json);
  while (berthJsonNextElement(&reader->json)) {
    size_t position = berthTargetHere(reader);
    const char *name = berthJsonString(&reader->json, "a dialect");
    if (reader->json.failed)
      return;
    if (isNamespace(name, strlen(name)))
      noteDialect(reader, name, strlen(name));
    else
      berthJsonFail(&reader->json, position, "'%.60s' is no dialect's name",
                    name);
  }
}

void berthTargetReadEach(BerthTargetReader *reader,
                         void (*readOne)(BerthTargetReader *reader)) {
  berthJsonEnterArray(&reader->json);
  while (berthJsonNextElement(&reader->json))
    readOne(reader);
}
