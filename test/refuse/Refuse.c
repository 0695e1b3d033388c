//===- Refuse.c - A process in which memory is refused --------------- C --===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//
//
// For LD_PRELOAD. Refuses the n-th request for memory that code of the program
// itself makes, n being in the environment (BERTH_REFUSE); what libraries ask
// for is theirs. "n+" refuses all later ones too. With BERTH_REFUSE_COUNT the
// number of requests is written to that file at the end.
//
//===---------------------------------------------------------------------===//

#define _GNU_SOURCE // RTLD_NEXT, dl_iterate_phdr

#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

static atomic_long requests;
static long refused;
static bool later;
static uintptr_t programStart, programEnd;

// The first object is the program.
static int findProgram(struct dl_phdr_info *info, size_t size, void *data) {
  (void)size;
  (void)data;
  programStart = UINTPTR_MAX;
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    const ElfW(Phdr) *part = &info->dlpi_phdr[i];
    uintptr_t start = info->dlpi_addr + part->p_vaddr;
    if (part->p_type != PT_LOAD)
      continue;
    programStart = start < programStart ? start : programStart;
    if (start + part->p_memsz > programEnd)
      programEnd = start + part->p_memsz;
  }
  return 1;
}

__attribute__((constructor)) static void start(void) {
  const char *which = getenv("BERTH_REFUSE");
  char *end = NULL;
  if (which) {
    refused = strtol(which, &end, 10);
    later = *end == '+';
  }
  dl_iterate_phdr(findProgram, NULL);
}

__attribute__((destructor)) static void finish(void) {
  const char *path = getenv("BERTH_REFUSE_COUNT");
  FILE *file = path ? fopen(path, "w") : NULL;
  if (!file)
    return;
  fprintf(file, "%ld\n", (long)requests);
  fclose(file);
}

static bool refuse(void *caller) {
  uintptr_t at = (uintptr_t)caller;
  if (at < programStart || at >= programEnd)
    return false;
  long request = ++requests;
  if (!refused || !(request == refused || (later && request > refused)))
    return false;
  errno = ENOMEM;
  return true;
}

#define CALLER __builtin_extract_return_addr(__builtin_return_address(0))

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *block, size_t size);

void *malloc(size_t size) {
  return refuse(CALLER) ? NULL : __libc_malloc(size);
}
void *calloc(size_t count, size_t size) {
  return refuse(CALLER) ? NULL : __libc_calloc(count, size);
}
void *realloc(void *block, size_t size) {
  return refuse(CALLER) ? NULL : __libc_realloc(block, size);
}
void *mmap(void *at, size_t size, int may, int how, int file, off_t from) {
  static void *(*real)(void *, size_t, int, int, int, off_t);
  if (refuse(CALLER))
    return MAP_FAILED;
  if (!real)
    real = (void *(*)(void *, size_t, int, int, int, off_t))dlsym(RTLD_NEXT,
                                                                  "mmap");
  return real(at, size, may, how, file, from);
}
