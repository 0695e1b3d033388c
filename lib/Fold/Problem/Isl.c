//===- Isl.c - Opening isl ------------------------------------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#define _GNU_SOURCE // RTLD_DEEPBIND

#include "Fold/Problem/Isl.h"
#include "Support/Allocate.h"
#include "berth-c/Fold.h"

#ifndef BERTH_ISL_LIBRARY

BerthStatus berthFoldOpen(BerthError *error) {
  (void)error;
  return BERTH_SUCCESS;
}

char *berthIslText(char *text) { return text; }

#else

#include <dlfcn.h>
#include <pthread.h>
#include <string.h>

BerthIsl berthIsl;

static const char *const names[] = {
#define BERTH_ISL(name) #name,
#include "IslFunctions.def"
#undef BERTH_ISL
};

enum { kNumNames = sizeof names / sizeof *names };

typedef void (*Entry)(void);
_Static_assert(sizeof(BerthIsl) == kNumNames * sizeof(Entry),
               "the table is read as an array of entries");

static void (*islFree)(void *);
static BerthError failure; ///< why isl could not be opened; empty: it could

/// dlsym gives a data pointer, of which C makes no function.
static void setEntry(void *entry, void *library, const char *name) {
  void *symbol = dlsym(library, name);
  memcpy(entry, &symbol, sizeof symbol);
  if (!symbol && !*failure.message)
    berthErrorSet(&failure, BERTH_RESOURCE, "isl: %s", dlerror());
}

/// Elsewhere than in glibc no library's names hide those of another.
#ifndef RTLD_DEEPBIND
#define RTLD_DEEPBIND 0
#endif

static void openOnce(void) {
  void *library =
      dlopen(BERTH_ISL_LIBRARY, RTLD_NOW | RTLD_LOCAL | RTLD_DEEPBIND);
  if (!library) {
    berthErrorSet(&failure, BERTH_RESOURCE, "isl: %s", dlerror());
    return;
  }
  char *entries = (char *)&berthIsl;
  for (size_t i = 0; i < kNumNames; ++i)
    setEntry(entries + i * sizeof(Entry), library, names[i]);
  // With a scope of its own it has the C library's malloc, even where another
  // one was preloaded for the rest of the process.
  setEntry(&islFree, library, "free");
}

BerthStatus berthFoldOpen(BerthError *error) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, openOnce);
  return *failure.message
             ? berthErrorSet(error, BERTH_RESOURCE, "%s", failure.message)
             : BERTH_SUCCESS;
}

char *berthIslText(char *text) {
  if (!text)
    return NULL;
  char *copy = strdup(text);
  islFree(text);
  return copy;
}

#endif

BerthStatus berthFoldIslError(isl_ctx *ctx, const char *what,
                              BerthError *error) {
  enum isl_error kind = isl_ctx_last_error(ctx);
  const char *text = isl_ctx_last_error_msg(ctx);
  BerthStatus status = BERTH_INVALID;
  if (kind == isl_error_alloc) {
    status = berthOutOfMemory(error);
  } else if (kind == isl_error_quota || kind == isl_error_abort) {
    status = BERTH_RESOURCE;
    berthErrorSet(error, status, "%s ran out of isl's operation budget", what);
  } else {
    berthErrorSet(error, status, "%s failed in isl: %.200s", what,
                  text ? text : "unknown error");
  }
  isl_ctx_reset_error(ctx);
  return status;
}

/// Whether isl still does something with this limit.
static bool isBelow(isl_ctx *ctx, uint64_t limit) {
  isl_ctx_set_max_operations(ctx, (unsigned long)limit);
  isl_val *probe = isl_val_one(ctx);
  isl_val_free(probe);
  return probe != NULL;
}

/// isl does not tell its count, but stops at a limit: so the limit at which it
/// stops tells. Each probe that is let through counts as one.
uint64_t berthIslOperations(isl_ctx *ctx) {
  unsigned long before = isl_ctx_get_max_operations(ctx);
  enum isl_error error = isl_ctx_last_error(ctx);
  uint64_t low = 0, high = (uint64_t)1 << 62;
  while (low + 1 < high) {
    uint64_t middle = low + (high - low) / 2;
    if (isBelow(ctx, middle))
      high = middle;
    else
      low = middle;
  }
  isl_ctx_set_max_operations(ctx, before);
  if (error == isl_error_none)
    isl_ctx_reset_error(ctx);
  return low;
}

void berthIslGrant(isl_ctx *ctx, uint64_t operations) {
  uint64_t used = operations ? berthIslOperations(ctx) + operations : 0;
  isl_ctx_set_max_operations(ctx, (unsigned long)used);
}
