//===- Memory.c - Allocations, fills, copies, single elements ------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Smith.h"

//===----------------------------------------------------------------------===//
// Allocations
//===----------------------------------------------------------------------===//

static BerthSmithValue allocate(BerthSmith *smith, BerthSmithType type,
                                const char *op) {
  int id = berthSmithNewId(smith);
  static const int64_t alignments[] = {0, 0, 0, 8, 32, 64};
  int64_t alignment = alignments[berthRandomBelow(&smith->random, 6)];
  BerthSmithText attribute = {""};
  if (alignment)
    snprintf(attribute.text, sizeof attribute.text, " {alignment = %lld : i64}",
             (long long)alignment);
  berthSmithLine(smith, "%%m%d = memref.%s(%s)%s : %s", id, op,
                 berthSmithIsStatic(type) ? "" : "%n", attribute.text,
                 berthSmithTypeText(type).text);
  return smith->values[berthSmithAddAllocation(smith, id, type)];
}

BerthSmithValue berthSmithNewBuffer(BerthSmith *smith, BerthSmithType type) {
  return allocate(smith, type, "alloc");
}

static BerthSmithType randomType(BerthSmith *smith) {
  return berthSmithRandomType(&smith->random,
                              smith->features & BERTH_SMITH_DYNAMIC);
}

bool berthSmithAlloc(BerthSmith *smith) {
  berthSmithNewBuffer(smith, randomType(smith));
  return true;
}

bool berthSmithAlloca(BerthSmith *smith) {
  BerthSmithValue value = allocate(smith, randomType(smith), "alloca");
  smith->roots[value.root].owned = false;
  return true;
}

//===----------------------------------------------------------------------===//
// Whole buffers
//===----------------------------------------------------------------------===//

/// A constant of the element type.
static int constantElement(BerthSmith *smith, BerthElement element) {
  int value = 1 + berthRandomBelow(&smith->random, 99);
  int id = berthSmithNewId(smith);
  const char *type = berthElementText(element);
  if (element == BERTH_F32 || element == BERTH_F64)
    berthSmithLine(smith, "%%s%d = arith.constant %d.0 : %s", id, value, type);
  else if (element == BERTH_I1)
    berthSmithLine(smith, "%%s%d = arith.constant %s", id,
                   value % 2 ? "true" : "false");
  else
    berthSmithLine(smith, "%%s%d = arith.constant %d : %s", id, value, type);
  return id;
}

void berthSmithFillValue(BerthSmith *smith, BerthSmithValue value) {
  int id = constantElement(smith, value.type.element);
  berthSmithLine(smith, "linalg.fill ins(%%s%d : %s) outs(%%m%d : %s)", id,
                 berthElementText(value.type.element), value.id,
                 berthSmithTypeText(value.type).text);
  berthSmithWrote(smith, value);
}

bool berthSmithFill(BerthSmith *smith) {
  BerthSmithValue value;
  if (!berthSmithPick(smith, berthSmithAny, NULL, &value))
    return false;
  berthSmithFillValue(smith, value);
  return true;
}

/// memref.copy wants operands that are disjoint or the very same: two whole
/// values are, and so are values of two allocations.
static bool mayCopy(const BerthSmith *smith, BerthSmithValue from,
                    BerthSmithValue to) {
  if (from.id == to.id || from.type.element != to.type.element)
    return false;
  if (from.whole && to.whole)
    return true;
  return from.root != to.root && !smith->roots[from.root].merged &&
         !smith->roots[to.root].merged;
}

static bool copyTarget(const BerthSmith *smith, const BerthSmithValue *value,
                       const void *from) {
  const BerthSmithValue *source = from;
  return berthSmithSameShape(value->type, source->type) &&
         mayCopy(smith, *source, *value);
}

static void copy(BerthSmith *smith, BerthSmithValue from, BerthSmithValue to) {
  BerthSmithText toText = berthSmithTypeText(to.type);
  berthSmithLine(smith, "memref.copy %%m%d, %%m%d : %s to %s", from.id, to.id,
                 berthSmithTypeText(from.type).text, toText.text);
  berthSmithRead(smith, from);
  berthSmithWrote(smith, to);
}

bool berthSmithCopy(BerthSmith *smith) {
  BerthSmithValue from, to;
  if (!berthSmithPick(smith, berthSmithIsReadable, NULL, &from) ||
      !berthSmithPick(smith, copyTarget, &from, &to))
    return false;
  copy(smith, from, to);
  return true;
}

/// A value that may be copied to: one there is, or a new buffer.
static BerthSmithValue copyTargetOf(BerthSmith *smith, BerthSmithValue from) {
  BerthSmithValue to;
  if (berthRandomBelow(&smith->random, 2) &&
      berthSmithPick(smith, copyTarget, &from, &to))
    return to;
  BerthSmithType type = from.type;
  type.strided = false;
  return berthSmithNewBuffer(smith, type);
}

bool berthSmithCopiesOfFill(BerthSmith *smith) {
  BerthSmithValue from;
  if (!berthSmithPick(smith, berthSmithAny, NULL, &from))
    from = berthSmithNewBuffer(smith, randomType(smith));
  berthSmithFillValue(smith, from);
  int numCopies = 1 + berthRandomBelow(&smith->random, 3);
  for (int i = 0; i < numCopies && berthSmithReadable(smith, from) &&
                  berthSmithHasRoom(smith);
       ++i) {
    copy(smith, from, copyTargetOf(smith, from));
    berthSmithStatements(smith, berthRandomBelow(&smith->random, 3));
  }
  return true;
}

//===----------------------------------------------------------------------===//
// Single elements
//===----------------------------------------------------------------------===//

/// "[%s1, %s2]" within the bounds of a value.
static BerthSmithText someElement(BerthSmith *smith, BerthSmithType type) {
  BerthSmithText out;
  int row = berthSmithIndexBelow(smith, type.shape[0]);
  if (type.rank == 1) {
    snprintf(out.text, sizeof out.text, "[%%s%d]", row);
    return out;
  }
  int column = berthSmithIndexBelow(smith, type.shape[1]);
  snprintf(out.text, sizeof out.text, "[%%s%d, %%s%d]", row, column);
  return out;
}

bool berthSmithStore(BerthSmith *smith) {
  BerthSmithValue value;
  if (!berthSmithPick(smith, berthSmithAny, NULL, &value))
    return false;
  int scalar =
      smith->scalars[berthRandomBelow(&smith->random, (int)smith->numScalars)];
  int element = berthSmithFromInt(smith, scalar, value.type.element, 0);
  BerthSmithText at = someElement(smith, value.type);
  berthSmithLine(smith, "memref.store %%s%d, %%m%d%s : %s", element, value.id,
                 at.text, berthSmithTypeText(value.type).text);
  return true;
}

bool berthSmithLoad(BerthSmith *smith) {
  BerthSmithValue value;
  if (!berthSmithPick(smith, berthSmithIsReadable, NULL, &value))
    return false;
  BerthSmithText at = someElement(smith, value.type);
  int id = berthSmithNewId(smith);
  berthSmithLine(smith, "%%s%d = memref.load %%m%d%s : %s", id, value.id,
                 at.text, berthSmithTypeText(value.type).text);
  berthSmithAddScalar(smith, berthSmithToInt(smith, id, value.type.element, 0));
  berthSmithRead(smith, value);
  return true;
}

//===----------------------------------------------------------------------===//
// Output
//===----------------------------------------------------------------------===//

/// The module's `@observe` functions take any layout.
static BerthSmithType anyLayout(BerthSmithType type) {
  type.strided = true;
  for (int i = 0; i < type.rank; ++i)
    type.shape[i] = type.strides[i] = BERTH_SMITH_RUNTIME;
  type.offset = BERTH_SMITH_RUNTIME;
  return type;
}

void berthSmithObserveScalar(BerthSmith *smith, int id) {
  int site = berthSmithConstantInt(smith, smith->numObserved++);
  berthSmithLine(smith, "func.call @printI64(%%s%d) : (i64) -> ()", site);
  berthSmithLine(smith, "func.call @printComma() : () -> ()");
  berthSmithLine(smith, "func.call @printI64(%%s%d) : (i64) -> ()", id);
  berthSmithLine(smith, "func.call @printNewline() : () -> ()");
}

void berthSmithObserveValue(BerthSmith *smith, BerthSmithValue value) {
  int id = berthSmithNewId(smith);
  BerthSmithText any = berthSmithTypeText(anyLayout(value.type));
  berthSmithLine(smith, "%%m%d = memref.cast %%m%d : %s to %s", id, value.id,
                 berthSmithTypeText(value.type).text, any.text);
  int site = berthSmithConstantInt(smith, smith->numObserved++);
  berthSmithLine(smith,
                 "func.call @observe_%s_%d(%%m%d, %%s%d) : (%s, i64) -> ()",
                 berthElementText(value.type.element), value.type.rank, id,
                 site, any.text);
  berthSmithRead(smith, value);
}

bool berthSmithObserve(BerthSmith *smith) {
  BerthSmithValue value;
  if (!berthSmithPick(smith, berthSmithIsReadable, NULL, &value))
    return false;
  berthSmithObserveValue(smith, value);
  return true;
}

//===----------------------------------------------------------------------===//
// Parts
//===----------------------------------------------------------------------===//

/// Rows of a buffer, from `first` on: a number, or %s and one.
static BerthSmithValue partFrom(BerthSmith *smith, BerthSmithValue whole,
                                const char *first, BerthSmithType type) {
  int id = berthSmithNewId(smith);
  BerthSmithText text = berthSmithTypeText(type);
  if (type.rank == 1)
    berthSmithLine(smith,
                   "%%m%d = memref.subview %%m%d[%s] [%lld] [1] : %s to %s", id,
                   whole.id, first, (long long)type.shape[0],
                   berthSmithTypeText(whole.type).text, text.text);
  else
    berthSmithLine(smith,
                   "%%m%d = memref.subview %%m%d[%s, 0] [%lld, %lld] [1, 1] "
                   ": %s to %s",
                   id, whole.id, first, (long long)type.shape[0],
                   (long long)type.shape[1],
                   berthSmithTypeText(whole.type).text, text.text);
  return (BerthSmithValue){id, whole.root, false, type};
}

BerthSmithValue berthSmithPartOf(BerthSmith *smith, BerthSmithValue whole,
                                 int64_t first, int64_t rows) {
  BerthSmithType type = berthSmithSpellLayout(whole.type);
  char number[24];
  snprintf(number, sizeof number, "%lld", (long long)first);
  type.offset = first * type.strides[0];
  type.shape[0] = rows;
  return partFrom(smith, whole, number, type);
}

BerthSmithValue berthSmithPartAt(BerthSmith *smith, BerthSmithValue whole,
                                 int index, int64_t rows) {
  BerthSmithType type = berthSmithSpellLayout(whole.type);
  char name[24];
  snprintf(name, sizeof name, "%%s%d", index);
  type.offset = BERTH_SMITH_RUNTIME;
  type.shape[0] = rows;
  return partFrom(smith, whole, name, type);
}

/// What a part holds, in a buffer that calls may be given.
static void observePart(BerthSmith *smith, BerthSmithValue part) {
  BerthSmithType type = part.type;
  type.strided = false;
  BerthSmithValue seen = berthSmithNewBuffer(smith, type);
  berthSmithLine(smith, "memref.copy %%m%d, %%m%d : %s to %s", part.id, seen.id,
                 berthSmithTypeText(part.type).text,
                 berthSmithTypeText(seen.type).text);
  berthSmithWrote(smith, seen);
  berthSmithObserveValue(smith, seen);
}

bool berthSmithParts(BerthSmith *smith) {
  BerthSmithType type = berthSmithRandomType(&smith->random, false);
  type.shape[0] *= 2 + berthRandomBelow(&smith->random, 3);
  BerthSmithValue whole = berthSmithNewBuffer(smith, type);
  int64_t rows = type.shape[0];
  int64_t cut = 1 + berthRandomBelow(&smith->random, (int)rows - 1);
  // The second part may have rows of the first.
  int64_t start = berthRandomChance(&smith->random, 20)
                      ? berthRandomBelow(&smith->random, (int)cut)
                      : cut;
  BerthSmithValue parts[] = {
      berthSmithPartOf(smith, whole, 0, cut),
      berthSmithPartOf(smith, whole, start, rows - start)};
  bool filled[2] = {false, false};
  if (berthRandomChance(&smith->random, 40)) {
    berthSmithFillValue(smith, whole);
    filled[0] = filled[1] = true;
  }
  int turns = 2 + berthRandomBelow(&smith->random, 4);
  for (int i = 0; i < turns && berthSmithHasRoom(smith); ++i) {
    int which = berthRandomBelow(&smith->random, 2);
    if (!filled[which] || berthRandomChance(&smith->random, 30))
      berthSmithFillValue(smith, parts[which]);
    else
      observePart(smith, parts[which]);
    filled[which] = true;
    if (berthRandomChance(&smith->random, 60))
      berthSmithMeanwhile(smith);
  }
  if (filled[0] && filled[1])
    berthSmithWrote(smith, whole);
  return true;
}
