//===- Views.c - Values that address the bytes of another ----------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Smith.h"

/// Prints `%m<id> = <op> %m<source><middle> : A <to> B` and adds the view.
static void emitView(BerthSmith *smith, BerthSmithValue source, const char *op,
                     const char *middle, const char *to, BerthSmithType type,
                     bool whole) {
  int id = berthSmithNewId(smith);
  BerthSmithText text = berthSmithTypeText(type);
  berthSmithLine(smith, "%%m%d = memref.%s %%m%d%s : %s %s %s", id, op,
                 source.id, middle, berthSmithTypeText(source.type).text, to,
                 text.text);
  berthSmithAddView(smith, id, type, source.root, whole);
}

static bool isStatic(const BerthSmith *smith, const BerthSmithValue *value,
                     const void *wanted) {
  (void)smith, (void)wanted;
  return berthSmithIsStatic(value->type);
}

static bool isStaticIdentity(const BerthSmith *smith,
                             const BerthSmithValue *value, const void *wanted) {
  return isStatic(smith, value, wanted) && !value->type.strided;
}

//===----------------------------------------------------------------------===//
// Subviews
//===----------------------------------------------------------------------===//

/// One dimension of a subview: an offset (a constant, or an index value where
/// `offsetId` is not negative), a size and a step.
typedef struct Slice {
  int64_t offset;
  int offsetId;
  int64_t size;
  int64_t step;
} Slice;

static Slice someSlice(BerthSmith *smith, int64_t extent) {
  Slice slice = {0, -1, extent, 1};
  switch (berthRandomBelow(&smith->random, 4)) {
  case 0: // all of it
    break;
  case 1: // a half, at a constant or a run-time offset
    slice.size = extent / 2;
    if (berthRandomChance(&smith->random, 50))
      slice.offsetId = berthSmithIndexBelow(smith, extent / 2 + 1);
    else
      slice.offset = berthRandomBelow(&smith->random, (int)(extent / 2) + 1);
    break;
  case 2: // every second element
    slice.size = extent / 2;
    slice.step = 2;
    slice.offset = berthRandomBelow(&smith->random, 2);
    break;
  default: // all but the first
    slice.size = extent - 1;
    slice.offset = 1;
    break;
  }
  return slice;
}

static int64_t scale(int64_t a, int64_t b) {
  bool runtime = a == BERTH_SMITH_RUNTIME || b == BERTH_SMITH_RUNTIME;
  return runtime ? BERTH_SMITH_RUNTIME : a * b;
}

static void applySlice(BerthSmithType *type, int dim, Slice slice) {
  int64_t stride = type->strides[dim];
  int64_t by = slice.offsetId >= 0 ? BERTH_SMITH_RUNTIME : slice.offset;
  int64_t moved = scale(by, stride);
  if (by == 0)
    moved = 0;
  type->offset =
      moved == BERTH_SMITH_RUNTIME || type->offset == BERTH_SMITH_RUNTIME
          ? BERTH_SMITH_RUNTIME
          : type->offset + moved;
  type->strides[dim] = scale(stride, slice.step);
  type->shape[dim] = slice.size;
}

static void printOffset(char *text, size_t size, Slice slice) {
  if (slice.offsetId >= 0)
    snprintf(text, size, "%%s%d", slice.offsetId);
  else
    snprintf(text, size, "%lld", (long long)slice.offset);
}

bool berthSmithSubview(BerthSmith *smith) {
  BerthSmithValue source;
  if (!berthSmithPick(smith, isStatic, NULL, &source) ||
      source.type.shape[0] < 2 ||
      (source.type.rank == 2 && source.type.shape[1] < 2))
    return false;
  BerthSmithType type = berthSmithSpellLayout(source.type);
  Slice slices[2] = {{0, -1, 1, 1}, {0, -1, 1, 1}};
  char offsets[2][16] = {"", ""};
  for (int i = 0; i < type.rank; ++i) {
    slices[i] = someSlice(smith, source.type.shape[i]);
    applySlice(&type, i, slices[i]);
    printOffset(offsets[i], sizeof offsets[i], slices[i]);
  }
  BerthSmithText middle;
  const Slice *s = slices;
  if (type.rank == 1)
    snprintf(middle.text, sizeof middle.text, "[%s] [%d] [%d]", offsets[0],
             (int)s[0].size, (int)s[0].step);
  else
    snprintf(middle.text, sizeof middle.text, "[%s, %s] [%d, %d] [%d, %d]",
             offsets[0], offsets[1], (int)s[0].size, (int)s[1].size,
             (int)s[0].step, (int)s[1].step);
  bool whole = source.whole && berthSmithSameShape(type, source.type);
  emitView(smith, source, "subview", middle.text, "to", type, whole);
  return true;
}

//===----------------------------------------------------------------------===//
// Views of all elements
//===----------------------------------------------------------------------===//

bool berthSmithCast(BerthSmith *smith) {
  BerthSmithValue source;
  if (!berthSmithPick(smith, berthSmithAny, NULL, &source))
    return false;
  BerthSmithType type = berthSmithSpellLayout(source.type);
  type.offset = BERTH_SMITH_RUNTIME;
  for (int i = 0; i < type.rank; ++i)
    type.strides[i] = BERTH_SMITH_RUNTIME;
  emitView(smith, source, "cast", "", "to", type, source.whole);
  return true;
}

static bool collapse(BerthSmith *smith, BerthSmithValue source) {
  BerthSmithType type = {.element = source.type.element, .rank = 1};
  type.shape[0] = berthSmithCount(source.type);
  emitView(smith, source, "collapse_shape", " [[0, 1]]", "into", type,
           source.whole);
  return true;
}

static bool expand(BerthSmith *smith, BerthSmithValue source) {
  int64_t count = source.type.shape[0];
  if (count % 4)
    return false;
  BerthSmithType type = {.element = source.type.element, .rank = 2};
  type.shape[0] = count == 8 ? 2 : 4;
  type.shape[1] = count / type.shape[0];
  BerthSmithText middle;
  snprintf(middle.text, sizeof middle.text, " [[0, 1]] output_shape [%d, %d]",
           (int)type.shape[0], (int)type.shape[1]);
  emitView(smith, source, "expand_shape", middle.text, "into", type,
           source.whole);
  return true;
}

bool berthSmithReshape(BerthSmith *smith) {
  BerthSmithValue source;
  if (!berthSmithPick(smith, isStaticIdentity, NULL, &source))
    return false;
  return source.type.rank == 2 ? collapse(smith, source)
                               : expand(smith, source);
}

/// The first or second half, or all, of a contiguous value as one row.
bool berthSmithReinterpret(BerthSmith *smith) {
  BerthSmithValue source;
  if (!berthSmithPick(smith, isStaticIdentity, NULL, &source))
    return false;
  int64_t count = berthSmithCount(source.type);
  int part = berthRandomBelow(&smith->random, 3);
  BerthSmithType type = {.element = source.type.element,
                         .rank = 1,
                         .shape = {part ? count / 2 : count, 0},
                         .strided = true,
                         .strides = {1, 0},
                         .offset = part == 2 ? count / 2 : 0};
  BerthSmithText middle;
  snprintf(middle.text, sizeof middle.text,
           " to offset: [%d], sizes: [%d], strides: [1]", (int)type.offset,
           (int)type.shape[0]);
  emitView(smith, source, "reinterpret_cast", middle.text, "to", type,
           source.whole && part == 0);
  return true;
}

/// The way of the lowering passes: base pointer and back.
bool berthSmithMetadata(BerthSmith *smith) {
  BerthSmithValue source;
  if (!berthSmithPick(smith, isStaticIdentity, NULL, &source))
    return false;
  const char *element = berthElementText(source.type.element);
  int count = (int)berthSmithCount(source.type);
  int base = berthSmithNewId(smith);
  bool flat = source.type.rank == 1;
  berthSmithLine(smith,
                 "%%m%d, %%s%d:%d = memref.extract_strided_metadata %%m%d : %s "
                 "-> memref<%s>, %s",
                 base, base, flat ? 3 : 5, source.id,
                 berthSmithTypeText(source.type).text, element,
                 flat ? "index, index, index"
                      : "index, index, index, index, index");
  int id = berthSmithNewId(smith);
  BerthSmithType type = {
      .element = source.type.element, .rank = 1, .shape = {count, 0}};
  berthSmithLine(smith,
                 "%%m%d = memref.reinterpret_cast %%m%d to offset: [0], sizes: "
                 "[%d], strides: [1] : memref<%s> to %s",
                 id, base, count, element, berthSmithTypeText(type).text);
  berthSmithAddView(smith, id, type, source.root, source.whole);
  return true;
}

//===----------------------------------------------------------------------===//
// Either of two
//===----------------------------------------------------------------------===//

static bool isDefined(const BerthSmith *smith, const BerthSmithValue *value,
                      const void *wanted) {
  (void)wanted;
  return value->whole && smith->roots[value->root].initialised;
}

bool berthSmithSelect(BerthSmith *smith) {
  BerthSmithValue a, b;
  if (!berthSmithPick(smith, isDefined, NULL, &a) ||
      !berthSmithPick(smith, berthSmithCarriable, &a.type, &b) || a.id == b.id)
    return false;
  int condition = berthSmithCondition(smith);
  int id = berthSmithNewId(smith);
  berthSmithLine(smith, "%%m%d = arith.select %%s%d, %%m%d, %%m%d : %s", id,
                 condition, a.id, b.id, berthSmithTypeText(a.type).text);
  berthSmithAddMerge(smith, id, a.type, a.root, b.root);
  return true;
}
