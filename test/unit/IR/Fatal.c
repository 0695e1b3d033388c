//===- Fatal.c - The end of the process, without LLVM --------------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//

#include "IR/Facts/Fatal.h"

#include <stdio.h>
#include <stdlib.h>

void berthFatal(const char *message) {
  fprintf(stderr, "%s\n", message);
  exit(1);
}
