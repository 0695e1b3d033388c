//===- Replay.c - Runs a fuzz target over files --------------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Stands in for libFuzzer in the ordinary test run: each argument is a file or
// a folder of files, and each file is one input. A target that finds something
// wrong ends the program; the name printed last is the input that did it.
//
//===----------------------------------------------------------------------===//

#define _DEFAULT_SOURCE
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static unsigned replayed;

static int replayFile(const char *path) {
  FILE *file = fopen(path, "rb");
  if (!file) {
    fprintf(stderr, "cannot open '%s'\n", path);
    return 1;
  }
  size_t size = 0, capacity = 1 << 16;
  uint8_t *data = malloc(capacity);
  size_t got = 0;
  while (data && (got = fread(data + size, 1, capacity - size, file)) > 0) {
    size += got;
    if (size == capacity)
      data = realloc(data, capacity *= 2);
  }
  fclose(file);
  if (!data)
    return 1;
  printf("%s\n", path);
  fflush(stdout);
  LLVMFuzzerTestOneInput(data, size);
  ++replayed;
  free(data);
  return 0;
}

static int replayFolder(const char *path, DIR *folder) {
  int failed = 0;
  for (struct dirent *entry = readdir(folder); entry; entry = readdir(folder)) {
    char file[4096];
    if (entry->d_name[0] == '.')
      continue;
    snprintf(file, sizeof file, "%s/%s", path, entry->d_name);
    failed |= replayFile(file);
  }
  return failed;
}

int main(int argc, char **argv) {
  int failed = 0;
  for (int i = 1; i < argc; ++i) {
    DIR *folder = opendir(argv[i]);
    failed |= folder ? replayFolder(argv[i], folder) : replayFile(argv[i]);
    if (folder)
      closedir(folder);
  }
  printf("%u inputs replayed\n", replayed);
  return failed || !replayed;
}
