//===- TargetReader.c - A target description from text --------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Target/TargetReader.h"
#include "IO/Text/ReadInput.h"
#include "IR/Target/TargetOps.h"
#include "IR/Target/TargetPlaces.h"

#include <stdlib.h>
#include <string.h>

static void readDocument(BerthTargetReader *reader) {
  enum { VERSION, DIALECTS, OPS, FUNCTIONS, LAYOUTS, TYPES, MEMORIES };
  static const char *const keys[] = {"berth_target", "dialects", "ops",
                                     "functions",    "layouts",  "types",
                                     "memories",     NULL};
  BerthJsonObject object;
  berthJsonEnterObject(&reader->json, &object, "the description", keys);
  for (int key; (key = berthJsonNextKey(&reader->json, &object)) >= 0;) {
    if (key == VERSION)
      berthJsonInteger(&reader->json, 1, 1, "berth_target");
    else if (key == DIALECTS)
      berthTargetReadDialects(reader);
    else if (key == OPS)
      berthTargetReadEach(reader, berthTargetReadOp);
    else if (key == FUNCTIONS)
      berthTargetReadEach(reader, berthTargetReadFunction);
    else if (key == LAYOUTS)
      berthTargetReadEach(reader, berthTargetReadLayout);
    else if (key == TYPES)
      berthTargetReadEach(reader, berthTargetReadType);
    else
      berthTargetReadEach(reader, berthTargetReadMemory);
  }
  berthJsonExpectEnd(&reader->json);
  if (!reader->json.failed)
    berthTargetCheckMoves(reader);
}

BerthStatus berthTargetParse(const char *text, size_t length,
                             const BerthTarget *builtin, BerthTarget **target,
                             BerthError *error) {
  *target = NULL;
  BerthSpan span = {text, length};
  BerthStatus status = berthSpanCheckUtf8(span, error);
  if (status != BERTH_SUCCESS)
    return status;
  BerthTargetReader reader = {.target = calloc(1, sizeof(BerthTarget)),
                              .builtin = builtin ? &builtin->rows : NULL};
  if (!reader.target)
    return berthErrorSet(error, BERTH_RESOURCE, "out of memory");
  berthJsonStart(&reader.json, span, error);
  readDocument(&reader);
  if (!reader.json.failed && !berthTargetSortOps(reader.target))
    berthJsonOutOfMemory(&reader.json);
  status = berthJsonFinish(&reader.json);
  if (status != BERTH_SUCCESS) {
    berthTargetDestroy(reader.target);
    return status;
  }
  BerthOpRows *rows = &reader.target->rows;
  rows->pointerless = reader.target->pointerless;
  rows->numPointerless = reader.target->numPointerless;
  rows->tokens = reader.target->tokens;
  rows->numTokens = reader.target->numTokens;
  *target = reader.target;
  return BERTH_SUCCESS;
}

BerthStatus berthTargetRead(const char *path, const BerthTarget *builtin,
                            BerthTarget **target, BerthError *error) {
  char *text = NULL;
  size_t length = 0;
  BerthError why = {0};
  *target = NULL;
  BerthStatus status = berthReadInput(path, &text, &length, &why);
  if (status == BERTH_SUCCESS && !text)
    status = berthErrorSet(&why, BERTH_RESOURCE, "out of memory");
  if (status == BERTH_SUCCESS)
    status = berthTargetParse(text, length, builtin, target, &why);
  free(text);
  if (*target) {
    (*target)->path = berthMemoryString(&(*target)->memory, path);
    if ((*target)->path)
      return BERTH_SUCCESS;
    berthTargetDestroy(*target);
    *target = NULL;
    status = berthErrorSet(&why, BERTH_RESOURCE, "out of memory");
  }
  if (why.line)
    berthErrorSet(error, status, "%.120s:%llu:%llu: %.360s", path,
                  (unsigned long long)why.line, (unsigned long long)why.column,
                  why.message);
  else
    berthErrorSet(error, status, "%.120s: %.360s", path, why.message);
  return status;
}
