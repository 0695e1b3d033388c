//===- Support.c - Version and errors ------------------------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "berth-c/Support.h"

#include <stdarg.h>
#include <stdio.h>

const char *berthVersionString(void) { return BERTH_VERSION_STRING; }

BerthStatus berthErrorSet(BerthError *error, BerthStatus status,
                          const char *format, ...) {
  if (!error)
    return status;
  va_list args;
  va_start(args, format);
  vsnprintf(error->message, sizeof error->message, format, args);
  va_end(args);
  error->line = 0;
  error->column = 0;
  return status;
}
