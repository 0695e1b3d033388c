//===- Target.c - What a description says of a target ---------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Target/Target.h"
#include "IR/Ops/OrDie.h"
#include "IR/Ops/Spaces.h"
#include "IR/Target/TargetData.h"

#include <stdlib.h>
#include <string.h>

size_t berthTargetNumDialects(const BerthTarget *target) {
  return target->numDialects;
}

const char *berthTargetGetDialect(const BerthTarget *target, size_t index) {
  return target->dialects[index];
}

const BerthTargetLayout *berthTargetFindLayout(const BerthTarget *target,
                                               MlirStringRef name) {
  for (size_t i = 0; i < target->numLayouts; ++i)
    if (strlen(target->layouts[i].name) == name.length &&
        memcmp(target->layouts[i].name, name.data, name.length) == 0)
      return &target->layouts[i];
  return NULL;
}

const BerthTargetType *berthTargetFindType(const BerthTarget *target,
                                           MlirStringRef name) {
  for (size_t i = 0; target && i < target->numTypes; ++i)
    if (strlen(target->types[i].name) == name.length &&
        memcmp(target->types[i].name, name.data, name.length) == 0)
      return &target->types[i];
  return NULL;
}

const char *berthTargetGetPath(const BerthTarget *target) {
  return target ? target->path : NULL;
}

size_t berthTargetNumMemories(const BerthTarget *target) {
  return target ? target->numMemories : 0;
}

const BerthTargetMemory *berthTargetGetMemory(const BerthTarget *target,
                                              size_t index) {
  return &target->memories[index];
}

const BerthTargetMemory *berthTargetFindSpace(const BerthTarget *target,
                                              MlirContext context,
                                              MlirAttribute space) {
  for (size_t i = 0; target && i < target->numMemories; ++i)
    if (berthSpaceIs(context, space, target->memories[i].space))
      return &target->memories[i];
  return NULL;
}

const BerthTargetMemory *berthTargetFindMemory(const BerthTarget *target,
                                               MlirContext context,
                                               const char *text) {
  MlirAttribute space;
  if (!*text) // "No value" of an option.
    return NULL;
  berthSpaceOfText(context, mlirStringRefCreateFromCString(text), &space);
  return berthTargetFindSpace(target, context, space);
}

void berthTargetDestroy(BerthTarget *target) {
  if (!target)
    return;
  berthMemoryFree(&target->memory);
  free(target);
}

void berthTargetAppend(BerthText *text, const BerthTarget *target,
                       BerthTargetPlace place) {
  berthTextAppend(text, "the target description (%s:%d:%d)",
                  target->path ? target->path : "text", place.line,
                  place.column);
}

MlirLocation berthTargetLocate(const BerthTarget *target, MlirContext context,
                               BerthTargetPlace place) {
  const char *path = target->path ? target->path : "text";
  return mlirLocationFileLineColGet(
      context, mlirStringRefCreateFromCString(path), (unsigned)place.line,
      (unsigned)place.column);
}

//===----------------------------------------------------------------------===//
// In use
//===----------------------------------------------------------------------===//

struct BerthTargetUse {
  const BerthTarget *target;
  BerthTargetUse *before;
  BerthRowsInForce *rowsBefore;
  BerthRowsInForce rows;
};

static _Thread_local BerthTargetUse *current;

BerthTargetUse *berthTargetEnter(const BerthTarget *builtin,
                                 const BerthTarget *target) {
  BerthTargetUse *use = berthAllocateOrDie(1, sizeof *use);
  *use = (BerthTargetUse){.target = target, .before = current};
  use->rows.builtin = &builtin->rows;
  if (target) {
    use->rows.described = &target->rows;
    use->rows.numCores = target->rows.numCores;
    use->rows.isConcurrent = target->rows.isConcurrent;
  }
  use->rowsBefore = berthRowsEnter(&use->rows);
  current = use;
  return use;
}

void berthTargetLeave(BerthTargetUse *use) {
  berthRowsEnter(use->rowsBefore);
  current = use->before;
  berthRowsFree(&use->rows);
  free(use);
}

BerthRowsInForce *berthTargetUseRows(BerthTargetUse *use) { return &use->rows; }

const BerthTarget *berthTargetCurrent(void) {
  return current ? current->target : NULL;
}
