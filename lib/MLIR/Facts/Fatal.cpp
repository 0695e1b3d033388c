//===- Fatal.cpp - The end of the process -----------------------*- C++ -*-===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Facts/Fatal.h"

#include "llvm/Support/ErrorHandling.h"

void berthFatal(const char *message) {
  llvm::report_fatal_error(message, /*gen_crash_diag=*/false);
}
