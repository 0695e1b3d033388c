//===- NamedFiles.c - Files that a command names --------------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#define _XOPEN_SOURCE 700 // realpath

#include "IO/NamedFiles.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

/// Splits off the folder. What has none, or a name too long to be one, stays as
/// it is written.
static const char *splitFolder(const char *path, char folder[PATH_MAX]) {
  const char *slash = strrchr(path, '/');
  size_t length = slash ? (size_t)(slash - path) : 0;
  bool hasFolder = slash && length < PATH_MAX - 1;
  // "." of what is here, "/" of what is at the root.
  memcpy(folder, hasFolder ? path : ".", hasFolder ? length : 1);
  folder[hasFolder ? length : 1] = '\0';
  if (hasFolder && length == 0)
    memcpy(folder, "/", 2);
  return hasFolder ? slash + 1 : path;
}

/// Files that are not there yet: the same name in the same folder.
static bool willBeOne(const char *a, const char *b) {
  char folderOfA[PATH_MAX], folderOfB[PATH_MAX];
  char realA[PATH_MAX], realB[PATH_MAX];
  const char *nameOfA = splitFolder(a, folderOfA);
  const char *nameOfB = splitFolder(b, folderOfB);
  if (strcmp(nameOfA, nameOfB) != 0)
    return false;
  if (realpath(folderOfA, realA) && realpath(folderOfB, realB))
    return strcmp(realA, realB) == 0;
  return strcmp(a, b) == 0;
}

static bool isStandard(const BerthNamedFile *file) {
  return strcmp(file->path, "-") == 0 ||
         (file->isWritten && (strcmp(file->path, "/dev/stdout") == 0 ||
                              strcmp(file->path, "/dev/fd/1") == 0));
}

static bool areOne(const BerthNamedFile *a, const BerthNamedFile *b) {
  struct stat infoOfA, infoOfB;
  if (isStandard(a) || isStandard(b))
    return isStandard(a) && isStandard(b) && a->isWritten && b->isWritten;
  bool hasA = stat(a->path, &infoOfA) == 0;
  bool hasB = stat(b->path, &infoOfB) == 0;
  if (hasA != hasB)
    return false;
  if (!hasA)
    return willBeOne(a->path, b->path);
  return S_ISREG(infoOfA.st_mode) && infoOfA.st_dev == infoOfB.st_dev &&
         infoOfA.st_ino == infoOfB.st_ino;
}

BerthStatus berthCheckNamedFiles(const BerthNamedFile *files, size_t count,
                                 BerthError *error) {
  for (size_t i = 0; i < count; ++i)
    for (size_t k = i + 1; k < count; ++k) {
      const BerthNamedFile *a = &files[i], *b = &files[k];
      bool isClash =
          a->path && b->path && (a->isWritten || b->isWritten) && areOne(a, b);
      if (isClash && isStandard(a))
        return berthErrorSet(error, BERTH_INVALID,
                             "%s and %s both write standard output", a->name,
                             b->name);
      if (isClash)
        return berthErrorSet(error, BERTH_INVALID,
                             "%s and %s name the same file, '%s'", a->name,
                             b->name, b->path);
    }
  return BERTH_SUCCESS;
}

bool berthPathIsForeign(const char *path) {
  static const char *const endings[] = {
      ".png", ".jpg", ".jpeg", ".gif",  ".pdf", ".webp", ".bmp", ".eps",
      ".ps",  ".xls", ".xlsx", ".yaml", ".zip", ".gz",   ".xz",  ".tar"};
  const char *dot = strrchr(path, '.');
  for (size_t i = 0; dot && i < sizeof endings / sizeof endings[0]; ++i)
    if (strcasecmp(dot, endings[i]) == 0)
      return true;
  return false;
}
