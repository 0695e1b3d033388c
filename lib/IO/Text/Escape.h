//===- Escape.h - Names inside JSON and XML ------------------------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//
//
// Names may come from anywhere. Bytes that are not UTF-8, and for XML control
// characters, become U+FFFD, so that the output is well-formed whatever they
// hold.
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_IO_TEXT_ESCAPE_H
#define BERTH_LIB_IO_TEXT_ESCAPE_H

#include <stdio.h>

/// With its quotes. In "</" and "<!" the "<" is escaped, so that the string may
/// stand in a <script>.
void berthWriteJsonString(FILE *stream, const char *string);
/// The same for text that is not NUL-terminated.
void berthWriteJsonText(FILE *stream, const char *text, size_t length);

/// For text and attribute values.
void berthWriteXml(FILE *stream, const char *string);

#endif // BERTH_LIB_IO_TEXT_ESCAPE_H
