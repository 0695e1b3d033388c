//===- Temporaries.c - Files that a signal removes ------------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//

#define _POSIX_C_SOURCE 200809L
#define _XOPEN_SOURCE 700 // SIGXCPU, SIGXFSZ

#include "Support/Temporaries.h"

#include <errno.h>
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
#include <unistd.h>

/// More files at a time are not watched.
enum { MAX_FILES = 64 };

/// Whoever takes a path out of its slot owns it.
static _Atomic(const char *) files[MAX_FILES];

void berthTemporaryAdd(const char *path) {
  for (size_t i = 0; i < MAX_FILES; ++i) {
    const char *nothing = NULL;
    if (atomic_compare_exchange_strong(&files[i], &nothing, path))
      return;
  }
}

bool berthTemporaryForget(const char *path) {
  bool isFull = true;
  for (size_t i = 0; i < MAX_FILES; ++i) {
    const char *expected = path;
    if (atomic_compare_exchange_strong(&files[i], &expected, NULL))
      return true;
    isFull &= expected != NULL;
  }
  return isFull; // then it was never on the list
}

static const int endings[] = {SIGHUP,  SIGINT,  SIGPIPE,
                              SIGQUIT, SIGTERM, SIGXCPU};
enum { NUM_ENDINGS = sizeof endings / sizeof endings[0] };

static struct sigaction before[NUM_ENDINGS];

/// Calls async-signal-safe functions only.
static void removeFiles(int number) {
  int saved = errno;
  for (size_t i = 0; i < MAX_FILES; ++i) {
    const char *path = atomic_exchange(&files[i], NULL);
    if (path)
      unlink(path);
  }
  for (size_t i = 0; i < NUM_ENDINGS; ++i)
    if (endings[i] == number)
      sigaction(number, &before[i], NULL);
  raise(number); // comes when this returns
  errno = saved;
}

static bool isHeeded(int number, struct sigaction *now) {
  return sigaction(number, NULL, now) == 0 && now->sa_handler != SIG_IGN &&
         now->sa_handler != removeFiles;
}

void berthTemporariesHeedSignals(void) {
  struct sigaction action = {0}, now;
  action.sa_handler = removeFiles;
  sigemptyset(&action.sa_mask);
  for (size_t i = 0; i < NUM_ENDINGS; ++i) {
    if (!isHeeded(endings[i], &now))
      continue;
    before[i] = now;
    sigaction(endings[i], &action, NULL);
  }
  action.sa_handler = SIG_IGN;
  sigaction(SIGXFSZ, &action, NULL);
}
