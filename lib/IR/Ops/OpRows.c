//===- OpRows.c - Rows by their names -------------------------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Ops/OpRows.h"

#include <string.h>

int berthCompareNames(MlirStringRef name, const char *other) {
  int order = strncmp(name.data, other, name.length);
  return order ? order : -(other[name.length] != 0);
}

const BerthOpRow *berthFindRow(const BerthOpRows *rows, MlirStringRef name,
                               size_t *count) {
  size_t low = 0, high = rows->count;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (berthCompareNames(name, rows->rows[middle].name) > 0)
      low = middle + 1;
    else
      high = middle;
  }
  size_t end = low;
  while (end < rows->count && !berthCompareNames(name, rows->rows[end].name))
    ++end;
  *count = end - low;
  return end > low ? &rows->rows[low] : NULL;
}

//===----------------------------------------------------------------------===//
// Families
//===----------------------------------------------------------------------===//

bool berthIsFamily(const char *name) {
  size_t length = strlen(name);
  return length > 0 && name[0] != '@' && name[length - 1] == '*';
}

bool berthIsInFamily(MlirStringRef name, const BerthOpRow *family) {
  if (name.data[0] != family->name[0]) // nearly always
    return false;
  size_t length = strlen(family->name) - 1;
  return name.length >= length && memcmp(name.data, family->name, length) == 0;
}

/// Traits that come of what else a row says, and go with it.
static const uint32_t traitsOfParts = kDescribed | kStarts | kMakesGroup;

/// What the entry of a family says of each op in it, whatever other entries the
/// op has: its traits and `asyncIf`, unless it is for some ops only.
static BerthOpRow shareOf(const BerthOpRow *family) {
  if (family->numConditions)
    return (BerthOpRow){0};
  return (BerthOpRow){.traits = family->traits & ~traitsOfParts,
                      .threads = family->threads,
                      .asyncIf = family->asyncIf};
}

bool berthFamilyShares(const BerthOpRow *family) {
  BerthOpRow share = shareOf(family);
  return share.traits || share.threads || share.asyncIf;
}

BerthOpRow berthFamilyRow(const BerthOpRows *rows, MlirStringRef name) {
  BerthOpRow sum = {0};
  for (size_t i = 0; i < rows->numFamilies; ++i) {
    if (!berthIsInFamily(name, &rows->families[i]))
      continue;
    BerthOpRow share = shareOf(&rows->families[i]);
    sum.traits |= share.traits;
    sum.threads |= share.threads;
    if (share.asyncIf)
      sum.asyncIf = share.asyncIf;
  }
  return sum;
}

bool berthFamilyMakesRow(const BerthOpRow *family) {
  return family->numConditions || (family->says & ~(uint32_t)kSaysAsyncIf);
}

/// Sorted by name, a family stands in front of those in it.
const BerthOpRow *berthFindFamily(const BerthOpRows *rows, MlirStringRef name,
                                  size_t *count) {
  const BerthOpRow *found = NULL;
  *count = 0;
  for (size_t i = 0; i < rows->numFamilies; ++i) {
    const BerthOpRow *family = &rows->families[i];
    if (!berthFamilyMakesRow(family) || !berthIsInFamily(name, family))
      continue;
    if (!found || strcmp(found->name, family->name) != 0) {
      found = family;
      *count = 0;
    }
    ++*count;
  }
  return found;
}

//===----------------------------------------------------------------------===//
// One over another
//===----------------------------------------------------------------------===//

BerthOpRow berthLayRow(const BerthOpRow *known, const BerthOpRow *entry) {
  const uint32_t async = kStarts | kMakesGroup;
  BerthOpRow row = known ? *known : (BerthOpRow){0};
  row.name = entry->name;
  row.order = entry->order;
  row.conditions = entry->conditions;
  row.numConditions = entry->numConditions;
  row.says |= entry->says;
  row.threads |= entry->threads;
  row.traits |= entry->traits & ~(async | kDescribed);
  if (entry->says & kSaysKind)
    row.kind = entry->kind;
  if (entry->says & kSaysRoles) {
    row.operands = entry->operands;
    row.traits =
        (row.traits & ~(uint32_t)kDescribed) | (entry->traits & kDescribed);
  }
  if (entry->says & (kSaysRoles | kSaysSegments))
    row.bySegments = entry->bySegments;
  if (entry->says & kSaysAsync) {
    row.async = entry->async;
    row.mayPend = entry->mayPend;
    row.defaultPend = entry->defaultPend;
    row.traits = (row.traits & ~async) | (entry->traits & async);
  }
  if (entry->says & kSaysWork) {
    row.async = BERTH_ASYNC_WORK;
    row.mayPend = entry->mayPend ? entry->mayPend : row.mayPend;
    row.traits |= entry->traits & async;
  }
  if (entry->says & kSaysAsyncIf)
    row.asyncIf = entry->asyncIf;
  if (entry->says & kSaysAllocation)
    row.allocates = entry->allocates;
  if (entry->says & kSaysToken)
    row.token = entry->token;
  if (entry->says & kSaysCopies)
    row.copies = entry->copies;
  if (entry->says & kSaysUnit)
    row.unit = entry->unit;
  if (entry->says & kSaysOnce)
    row.once = entry->once;
  if (entry->says & kSaysPorts)
    row.ports = entry->ports;
  if (entry->says & kSaysAligned)
    row.aligned = entry->aligned;
  if (entry->says & kSaysCores) {
    row.numCores = entry->numCores;
    row.isOn = entry->isOn;
  }
  return row;
}

bool berthRowEndsByGroups(const BerthOpRow *row) {
  return row->async != BERTH_ASYNC_WORK &&
         (row->mayPend || (row->traits & (kStarts | kMakesGroup)));
}
