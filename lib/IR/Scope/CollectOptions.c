//===- CollectOptions.c - What users may decide about buffers -------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Scope/CollectOptions.h"
#include "IR/Ops/Spaces.h"
#include "IR/Ops/Text.h"
#include "IR/Target/Target.h"
#include "Support/Nearest.h"
#include "mlir-c/BuiltinAttributes.h"

#include <string.h>
#include <strings.h>

/// The word or memory that a text is most like, if it is but a slip away from
/// it; else NULL.
static const char *nearestSpace(const char *text) {
  static const char *const words[] = {"default", "workgroup", "private",
                                      "tensor", "gpu"};
  enum { kNumWords = sizeof words / sizeof *words };
  if (strcasecmp(text, "shared") == 0) // as CUDA calls it
    return words[1];
  const BerthTarget *target = berthTargetCurrent();
  size_t length = strlen(text);
  size_t least = length / 3 + 1;
  const char *nearest = NULL;
  for (size_t i = 0; i < kNumWords + berthTargetNumMemories(target); ++i) {
    const char *name = i < kNumWords
                           ? words[i]
                           : berthTargetGetMemory(target, i - kNumWords)->space;
    size_t far = berthNameDistance(text, length, name);
    if (far >= least)
      continue;
    nearest = name;
    least = far;
  }
  return nearest;
}

/// Says what may have been meant: a word, an attribute or a string.
static BerthStatus refuseSpace(MlirContext context, const char *text,
                               BerthError *error) {
  BerthText hint = {0};
  const char *nearest = nearestSpace(text);
  MlirStringRef dialect = {text + 1, strcspn(text + 1, ".<")};
  if (nearest)
    berthTextAppend(&hint, "the nearest one is '%s'", nearest);
  else if (text[0] != '#')
    berthTextAppend(&hint,
                    "for the string \"%s\" write space={\"%s\"}, all of it in "
                    "single quotes of the shell",
                    text, text);
  else if (mlirDialectIsNull(mlirContextGetOrLoadDialect(context, dialect)))
    berthTextAppend(&hint,
                    "nothing here knows the dialect '%.*s': a target "
                    "description tells of it",
                    (int)dialect.length, dialect.data);
  else
    berthTextAppend(&hint, "it is no attribute of the dialect '%.*s'",
                    (int)dialect.length, dialect.data);
  berthErrorSet(
      error, BERTH_INVALID,
      "space '%s' is neither default, workgroup, private, tensor, gpu, a "
      "memory of the target description nor the text of an "
      "attribute; %s",
      text, hint.data);
  berthTextFree(&hint);
  return BERTH_INVALID;
}

BerthStatus berthParseSpace(MlirContext context, const char *text,
                            BerthCollectOptions *options, BerthError *error) {
  options->hasSpace = text && *text;
  options->space = mlirAttributeGetNull();
  if (!options->hasSpace || strcmp(text, "default") == 0)
    return BERTH_SUCCESS;
  const BerthTargetMemory *memory =
      berthTargetFindMemory(berthTargetCurrent(), context, text);
  options->isDevice = strcmp(text, "gpu") == 0 && !memory;
  if (options->isDevice)
    return BERTH_SUCCESS;
  bool isSpace = berthSpaceOfText(context, mlirStringRefCreateFromCString(text),
                                  &options->space);
  return isSpace || memory ? BERTH_SUCCESS : refuseSpace(context, text, error);
}

BerthStatus berthParseDynamic(const char *text, BerthDynamic *dynamic,
                              BerthError *error) {
  static const char *const names[] = {"off", "bounded", "symbolic"};
  for (int i = 0; i <= BERTH_DYNAMIC_SYMBOLIC; ++i)
    if (strcmp(text, names[i]) == 0) {
      *dynamic = (BerthDynamic)i;
      return BERTH_SUCCESS;
    }
  return berthErrorSet(
      error, BERTH_INVALID, "dynamic '%s' is none of off, bounded, symbolic%s",
      text, berthNearest(text, names, BERTH_DYNAMIC_SYMBOLIC + 1).text);
}
