//===- pause.c - What a thread does that did not get the lock ------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#define _POSIX_C_SOURCE 200809L

#include <stddef.h>
#include <stdint.h>
#include <time.h>

void _mlir_ciface_pause_if(uint32_t isLocked) {
  if (isLocked)
    nanosleep(&(struct timespec){.tv_nsec = 1000}, NULL);
}
