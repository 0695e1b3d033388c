//===- NamedFiles.h - Files that a command names ------------------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_IO_NAMEDFILES_H
#define BERTH_LIB_IO_NAMEDFILES_H

#include "berth-c/Support.h"

#include <stdbool.h>

BERTH_EXTERN_C_BEGIN

typedef struct BerthNamedFile {
  const char *name; ///< of the option, for the message
  const char *path; ///< NULL: not given; "-": a standard stream
  bool isWritten;
} BerthNamedFile;

/// BERTH_INVALID if two of the files are one, by whichever names, and one of
/// the two is written: to be asked before anything is. Streams and devices,
/// such as /dev/null, may be shared, but not standard output by two that write
/// it.
BerthStatus berthCheckNamedFiles(const BerthNamedFile *files, size_t count,
                                 BerthError *error);

/// Names that say that something else is expected than what would be written:
/// pictures and tables of other formats.
bool berthPathIsForeign(const char *path);

BERTH_EXTERN_C_END

#endif // BERTH_LIB_IO_NAMEDFILES_H
