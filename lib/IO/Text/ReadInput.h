//===- ReadInput.h - A file as text --------------------------------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_IO_TEXT_READINPUT_H
#define BERTH_LIB_IO_TEXT_READINPUT_H

#include "berth-c/Support.h"

/// Reads all of `path` ("-": standard input) into `*text`, which the caller
/// frees: NUL-terminated, which is not counted; NULL after a failure.
BerthStatus berthReadInput(const char *path, char **text, size_t *length,
                           BerthError *error);

#endif // BERTH_LIB_IO_TEXT_READINPUT_H
