//===- ForeignLayout.c - How large a memref of foreign layout is ----------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A layout of bounds and strides as text:
//
//   #tsl.tsl<[2, 8] -> (128, 8), [8] -> (1)>
//
// Each dimension is split into digits with the bounds on the left, and a digit
// counts with the stride on the right. So the last element lies at the sum of
// (bound - 1) * stride over all digits. Text that says more than that, or not
// as many elements as the shape has, tells nothing.
//
//===----------------------------------------------------------------------===//

#include "IR/Target/ForeignLayout.h"
#include "IR/Target/Target.h"
#include "mlir-c/BuiltinTypes.h"

#include <string.h>

static bool countShape(MlirType type, int64_t *count) {
  int64_t rank = mlirShapedTypeGetRank(type);
  *count = 1;
  for (int64_t i = 0; i < rank; ++i)
    if (mlirShapedTypeIsDynamicDim(type, i) ||
        __builtin_mul_overflow(*count, mlirShapedTypeGetDimSize(type, i),
                               count))
      return false;
  return true;
}

//===----------------------------------------------------------------------===//
// Bounds and strides
//===----------------------------------------------------------------------===//

static bool take(const char **text, char mark) {
  while (**text == ' ')
    ++*text;
  if (**text != mark)
    return false;
  ++*text;
  return true;
}

static bool takeNumber(const char **text, int64_t *value) {
  while (**text == ' ')
    ++*text;
  return berthTextTakeNumber(text, value);
}

/// A list in brackets; returns its length, or 0.
enum { kMaxDigits = 16 };
static size_t takeList(const char **text, char open, char close,
                       int64_t *numbers) {
  size_t count = 0;
  if (!take(text, open))
    return 0;
  do {
    if (count == kMaxDigits || !takeNumber(text, &numbers[count++]))
      return 0;
  } while (take(text, ','));
  return take(text, close) ? count : 0;
}

/// Adds one dimension: `*elements` in all, the last of them at `*last`.
static bool takeDimension(const char **text, int64_t *elements, int64_t *last) {
  int64_t bounds[kMaxDigits], strides[kMaxDigits];
  size_t count = takeList(text, '[', ']', bounds);
  if (!count || !take(text, '-') || !take(text, '>') ||
      takeList(text, '(', ')', strides) != count)
    return false;
  for (size_t i = 0; i < count; ++i) {
    int64_t span;
    if (bounds[i] < 1 ||
        __builtin_mul_overflow(*elements, bounds[i], elements) ||
        __builtin_mul_overflow(bounds[i] - 1, strides[i], &span) ||
        __builtin_add_overflow(*last, span, last))
      return false;
  }
  return true;
}

/// `text` is what stands between the angle brackets, the last one included.
/// Returns what is wrong with it, or NULL.
static const char *countByBounds(const char *text, int64_t shape,
                                 int64_t *count) {
  int64_t elements = 1, last = 0;
  do {
    if (!takeDimension(&text, &elements, &last))
      return "each dimension needs a list of bounds from 1 and one of as many "
             "strides from 0, all below 2^63 in bytes";
  } while (take(&text, ','));
  if (!take(&text, '>') || *text)
    return "something stands behind the last dimension";
  if (elements != shape)
    return "its bounds and its shape have different numbers of elements";
  return __builtin_add_overflow(last, 1, count) ? "it ends beyond 2^63" : NULL;
}

//===----------------------------------------------------------------------===//
// Layouts
//===----------------------------------------------------------------------===//

/// What the description says of the layout with this text: "#tsl.tsl<...>".
static const BerthTargetLayout *findLayout(const char *text) {
  if (!text || *text != '#')
    return NULL;
  MlirStringRef name = {text + 1, strcspn(text, "<") - 1};
  return berthTargetFindLayout(berthTargetCurrent(), name);
}

static const char *countByText(const char *text, int64_t shape,
                               int64_t *count) {
  const BerthTargetLayout *layout = findLayout(text);
  if (!layout || layout->size == BERTH_LAYOUT_UNKNOWN)
    return "nothing tells its bytes";
  *count = shape;
  if (layout->size == BERTH_LAYOUT_DENSE)
    return NULL;
  const char *lists = strchr(text, '<');
  return lists ? countByBounds(lists + 1, shape, count)
               : "it has no bounds and strides";
}

bool berthForeignLayoutCount(MlirType type, int64_t *count) {
  int64_t shape;
  if (!berthTargetCurrent() || !mlirTypeIsAMemRef(type) ||
      !countShape(type, &shape))
    return false;
  BerthText text = {0};
  mlirAttributePrint(mlirMemRefTypeGetLayout(type), berthTextCallback, &text);
  bool isTold = !countByText(text.data, shape, count);
  berthTextFree(&text);
  return isTold;
}

bool berthForeignLayoutBreaksRule(MlirType type, BerthText *why) {
  int64_t shape, count;
  if (!berthTargetCurrent() || !mlirTypeIsAMemRef(type) ||
      !countShape(type, &shape))
    return false;
  BerthText text = {0};
  mlirAttributePrint(mlirMemRefTypeGetLayout(type), berthTextCallback, &text);
  const BerthTargetLayout *layout = findLayout(text.data);
  const char *fault = layout && layout->size == BERTH_LAYOUT_BOUNDS
                          ? countByText(text.data, shape, &count)
                          : NULL;
  if (fault)
    berthTextAppend(why,
                    "its layout %s is not bounds -> strides, as the target "
                    "description has it (%s), and no berth.size tells its "
                    "bytes",
                    text.data, fault);
  berthTextFree(&text);
  return fault;
}
