//===- Carried.c - Values that region ops and blocks hand on -------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Carried.h"

/// A filled buffer of the given type, from this very place.
static BerthSmithValue freshBuffer(BerthSmith *smith, BerthSmithType type) {
  BerthSmithValue value = berthSmithNewBuffer(smith, type);
  berthSmithFillValue(smith, value);
  return value;
}

BerthSmithValue berthSmithYieldable(BerthSmith *smith, BerthSmithType type) {
  BerthSmithValue value;
  bool fresh = berthRandomChance(&smith->random, 25);
  if (fresh || !berthSmithPick(smith, berthSmithCarriable, &type, &value))
    value = freshBuffer(smith, type);
  berthSmithEscape(smith, value.root);
  return value;
}

static bool isIdentityBuffer(const BerthSmith *smith,
                             const BerthSmithValue *value, const void *wanted) {
  (void)wanted;
  return value->whole && !value->type.strided &&
         smith->roots[value->root].initialised;
}

/// Chooses what to carry; nothing if the feature is off or nothing fits.
BerthCarried berthCarriedChoose(BerthSmith *smith) {
  BerthCarried carried = {0};
  if (!(smith->features & BERTH_SMITH_CARRY) ||
      berthRandomChance(&smith->random, 40) ||
      !berthSmithPick(smith, isIdentityBuffer, NULL, &carried.initial[0]))
    return carried;
  carried.type = carried.initial[0].type;
  carried.count = 1;
  if (berthRandomChance(&smith->random, 50) &&
      berthSmithPick(smith, berthSmithCarriable, &carried.type,
                     &carried.initial[1]))
    carried.count = 2;
  return carried;
}

/// Prints ", T" or ", T, T" (`lead` first), or nothing.
void berthCarriedTypes(BerthSmith *smith, const BerthCarried *carried,
                       const char *lead) {
  for (int i = 0; i < carried->count; ++i)
    fprintf(smith->out, "%s%s", i ? ", " : lead,
            berthSmithTypeText(carried->type).text);
}

void berthCarriedValues(BerthSmith *smith, const BerthSmithValue *values,
                        int count, const char *lead) {
  for (int i = 0; i < count; ++i)
    fprintf(smith->out, "%s%%m%d", i ? ", " : lead, values[i].id);
}

/// Yields one value for each carried one.
void berthCarriedYields(BerthSmith *smith, const BerthCarried *carried,
                        BerthSmithValue *yields) {
  for (int i = 0; i < carried->count; ++i)
    yields[i] = berthSmithYieldable(smith, carried->type);
}

void berthCarriedYieldLine(BerthSmith *smith, const BerthCarried *carried,
                           const char *op, const BerthSmithValue *yields) {
  fprintf(smith->out, "%*s%s", 2 * smith->indent, "", op);
  berthCarriedValues(smith, yields, carried->count, " ");
  berthCarriedTypes(smith, carried, " : ");
  fputc('\n', smith->out);
}

/// Names for the results (or block arguments): `%m<id>` each.
void berthCarriedNames(BerthSmith *smith, const BerthCarried *carried,
                       int *ids) {
  for (int i = 0; i < carried->count; ++i)
    ids[i] = berthSmithNewId(smith);
}

/// Indents and prints "%m1, %m2 = ".
void berthCarriedResults(BerthSmith *smith, const BerthCarried *carried,
                         const int *ids) {
  fprintf(smith->out, "%*s", 2 * smith->indent, "");
  for (int i = 0; i < carried->count; ++i)
    fprintf(smith->out, "%s%%m%d", i ? ", " : "", ids[i]);
  fprintf(smith->out, "%s", carried->count ? " = " : "");
}

void berthCarriedAdd(BerthSmith *smith, const BerthCarried *carried,
                     const int *ids) {
  for (int i = 0; i < carried->count; ++i)
    berthSmithAddMerge(smith, ids[i], carried->type, carried->initial[i].root,
                       -1);
}
