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

#include "IR/Ops/ForeignLayout.h"
#include "IR/Ops/Target.h"
#include "IR/Ops/Text.h"
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
static bool countByBounds(const char *text, int64_t shape, int64_t *count) {
  int64_t elements = 1, last = 0;
  do {
    if (!takeDimension(&text, &elements, &last))
      return false;
  } while (take(&text, ','));
  return take(&text, '>') && !*text && elements == shape &&
         !__builtin_add_overflow(last, 1, count);
}

//===----------------------------------------------------------------------===//
// Layouts
//===----------------------------------------------------------------------===//

/// What the description says of the layout with this text: "#tsl.tsl<...>".
static bool countByText(const char *text, int64_t shape, int64_t *count) {
  if (!text || *text != '#')
    return false;
  size_t length = strcspn(text, "<");
  MlirStringRef name = {text + 1, length - 1};
  const BerthTargetLayout *layout =
      berthTargetFindLayout(berthTargetCurrent(), name);
  if (!layout)
    return false;
  *count = shape;
  return layout->size == BERTH_LAYOUT_DENSE ||
         (layout->size == BERTH_LAYOUT_BOUNDS && text[length] &&
          countByBounds(text + length + 1, shape, count));
}

bool berthForeignLayoutCount(MlirType type, int64_t *count) {
  int64_t shape;
  if (!berthTargetCurrent() || !mlirTypeIsAMemRef(type) ||
      !countShape(type, &shape))
    return false;
  BerthText text = {0};
  mlirAttributePrint(mlirMemRefTypeGetLayout(type), berthTextCallback, &text);
  bool isTold = countByText(text.data, shape, count);
  berthTextFree(&text);
  return isTold;
}
