//===- TextBuffer.c - Text that grows ---------------------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//

#define _GNU_SOURCE // fopencookie

#include "IO/Text/TextBuffer.h"
#include "Support/Allocate.h"

#include <string.h>

bool berthTextBufferAppend(BerthTextBuffer *text, const char *data,
                           size_t length) {
  if (!berthReserve(&text->data, &text->capacity, text->length + length + 1))
    return false;
  if (length > 0)
    memcpy(text->data + text->length, data, length);
  text->length += length;
  text->data[text->length] = '\0';
  return true;
}

static ssize_t writeCookie(void *cookie, const char *data, size_t length) {
  return berthTextBufferAppend(cookie, data, length) ? (ssize_t)length : 0;
}

FILE *berthTextBufferOpen(BerthTextBuffer *text) {
  return fopencookie(text, "w", (cookie_io_functions_t){.write = writeCookie});
}
