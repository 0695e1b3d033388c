//===- ShortText.h - The start of a type or an attribute as text --- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_OPS_SHORTTEXT_H
#define BERTH_LIB_IR_OPS_SHORTTEXT_H

#include "mlir-c/Support.h"

/// What does not fit is cut off. Zero-initialise.
typedef struct BerthShortText {
  char text[64];
  size_t length;
} BerthShortText;

/// An MlirStringCallback that appends to the BerthShortText in `userData`.
static inline void berthShortTextAppend(MlirStringRef piece, void *userData) {
  BerthShortText *text = userData;
  for (size_t i = 0; i < piece.length && text->length < sizeof text->text - 1;
       ++i)
    text->text[text->length++] = piece.data[i];
}

#endif // BERTH_LIB_IR_OPS_SHORTTEXT_H
