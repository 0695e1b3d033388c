//===- Hold.c - A process that never renames a file ------------------ C --===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//
//
// For LD_PRELOAD. Whoever writes a file under another name first has that file
// from then on, until a signal comes.
//
//===---------------------------------------------------------------------===//

#include <stdio.h>
#include <unistd.h>

int rename(const char *from, const char *to) {
  (void)from;
  (void)to;
  for (;;)
    pause();
}
