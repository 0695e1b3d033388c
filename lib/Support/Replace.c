//===- Replace.c - Files that take the place of others -------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//

#define _XOPEN_SOURCE 700 // realpath, readlink, fchown

#include "Support/Replace.h"

#include "Support/Allocate.h"
#include "Support/Temporaries.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { kMostLinks = 40 };

// The length of the path up to its name.
static size_t folderLength(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash ? (size_t)(slash - path) + 1 : 0;
}

// Links such as /proc/self/fd/1 are open files, whatever text they give.
static bool isDescriptor(const char *path) {
  char folder[PATH_MAX], real[PATH_MAX];
  size_t length = folderLength(path);
  if (length == 0 || length >= sizeof folder)
    return false;
  memcpy(folder, path, length);
  folder[length] = '\0';
  return realpath(folder, real) && strncmp(real, "/proc/", 6) == 0;
}

// Where the link leads to; takes `path`.
static char *followLink(char *path) {
  char text[PATH_MAX];
  ssize_t length = readlink(path, text, sizeof text);
  size_t folder = length > 0 && text[0] != '/' ? folderLength(path) : 0;
  char *next = NULL;
  if (length > 0 && (size_t)length < sizeof text)
    next = malloc(folder + (size_t)length + 1);
  else if (length > 0)
    errno = ENAMETOOLONG;
  if (next) {
    memcpy(next, path, folder);
    memcpy(next + folder, text, (size_t)length);
    next[folder + (size_t)length] = '\0';
  }
  free(path);
  return next;
}

char *berthReplaceTarget(const char *path) {
  struct stat info;
  char *target = berthCopyText(path, strlen(path));
  for (int links = 0; target; ++links) {
    if (lstat(target, &info) != 0)
      return target; // whoever makes it says what is wrong
    bool isLink = S_ISLNK(info.st_mode);
    if (isLink && links < kMostLinks && !isDescriptor(target)) {
      target = followLink(target);
      continue;
    }
    if (S_ISREG(info.st_mode))
      return target;
    errno = isLink && links >= kMostLinks ? ELOOP : 0;
    break;
  }
  int number = target ? errno : errno ? errno : ENOMEM;
  free(target);
  errno = number;
  return NULL;
}

int berthReplaceBegin(const char *target, char **name) {
  struct stat info;
  bool isThere = stat(target, &info) == 0;
  size_t size = strlen(target) + 48;
  *name = NULL;
  if (isThere && access(target, W_OK) != 0)
    return -1;
  char *text = malloc(size);
  if (!text)
    return -1;
  int descriptor = -1;
  errno = EEXIST;
  for (unsigned attempt = 0; descriptor < 0 && errno == EEXIST; ++attempt) {
    snprintf(text, size, "%s.tmp-%ld-%u", target, (long)getpid(), attempt);
    // Of that name there is at most what this process has made, or what one of
    // its number left long ago: a signal may remove it before it is made.
    berthTemporaryAdd(text);
    descriptor = open(text, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (descriptor < 0 && !berthTemporaryForget(text))
      return -1;
  }
  if (descriptor < 0) {
    free(text);
    return -1;
  }
  // A file replaced keeps its owner, if that may be, and its permissions.
  if (isThere) {
    (void)!fchown(descriptor, info.st_uid, info.st_gid);
    (void)!fchmod(descriptor, info.st_mode & 07777);
  }
  *name = text;
  return descriptor;
}
