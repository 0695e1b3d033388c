//===- Written.h - Whether a text was written ----------------------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BERTH_LIB_IO_TEXT_WRITTEN_H
#define BERTH_LIB_IO_TEXT_WRITTEN_H

#include "berth-c/Support.h"

#include <stdio.h>

/// BERTH_RESOURCE, "writing the WHAT failed", where the stream has an error.
BerthStatus berthCheckWritten(FILE *stream, const char *what,
                              BerthError *error);

#endif // BERTH_LIB_IO_TEXT_WRITTEN_H
