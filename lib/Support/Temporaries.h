//===- Temporaries.h - Files that a signal removes ------------------ C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//
//
// The temporary files that this process has, so that none stays where a signal
// ends it. Signals belong to the program: the library only keeps the list, and
// whoever owns the process (a tool, a compiler's pass) has it heeded.
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_SUPPORT_TEMPORARIES_H
#define BERTH_LIB_SUPPORT_TEMPORARIES_H

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Puts `path` on the list, which keeps the pointer. To be called before the
/// file is made.
void berthTemporaryAdd(const char *path);

/// Takes it off. False: a signal has taken it, and may be reading it still.
bool berthTemporaryForget(const char *path);

/// From now on a signal that ends the process removes the files on the list
/// first. Handlers that stood before run after that; what was ignored stays so.
/// A file that grows beyond the limit of the process (SIGXFSZ) becomes an error
/// of writing.
void berthTemporariesHeedSignals(void);

#ifdef __cplusplus
}
#endif

#endif // BERTH_LIB_SUPPORT_TEMPORARIES_H
