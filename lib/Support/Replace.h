//===- Replace.h - Files that take the place of others ------------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//
//
// Renaming within one directory is atomic, so a file is made beside the one
// whose place it takes when it is whole.
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_SUPPORT_REPLACE_H
#define BERTH_LIB_SUPPORT_REPLACE_H

#ifdef __cplusplus
extern "C" {
#endif

/// What is at the end of the symbolic links that start at `path`, so that no
/// file takes the place of a link. The caller frees it. NULL with errno 0:
/// nothing may take its place (a device, a pipe, an open descriptor by name);
/// else what is wrong.
char *berthReplaceTarget(const char *path);

/// Creates a file beside the target, open for writing, with its permissions if
/// it is there, and puts it on the list of temporaries (Temporaries.h), which
/// keeps `*name`. -1 with errno set if it cannot be made, or the target must
/// not be written.
int berthReplaceBegin(const char *target, char **name);

#ifdef __cplusplus
}
#endif

#endif // BERTH_LIB_SUPPORT_REPLACE_H
