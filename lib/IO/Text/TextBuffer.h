//===- TextBuffer.h - Text that grows --------------------------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_IO_TEXT_TEXTBUFFER_H
#define BERTH_LIB_IO_TEXT_TEXTBUFFER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/// Zero-initialise to use; the owner frees `data`.
typedef struct BerthTextBuffer {
  char *data; ///< NUL-terminated, or NULL while nothing was added
  size_t length;
  size_t capacity;
} BerthTextBuffer;

/// Adds `length` bytes. False if out of memory; the text is then as it was.
bool berthTextBufferAppend(BerthTextBuffer *text, const char *data,
                           size_t length);

/// A stream that appends to `text`, which must outlive it. NULL if out of
/// memory. Unlike a stream of open_memstream, it has its error set (ferror) and
/// fails to close once memory was refused.
FILE *berthTextBufferOpen(BerthTextBuffer *text);

#endif // BERTH_LIB_IO_TEXT_TEXTBUFFER_H
