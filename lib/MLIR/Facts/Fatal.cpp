//===- Fatal.cpp - The end of the process -----------------------*- C++ -*-===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Facts/Fatal.h"

#include "llvm/Support/ErrorHandling.h"

#include <atomic>
#include <chrono>
#include <thread>

void berthFatal(const char *message) {
  // Several threads may get no memory at a time: the first one says so.
  static std::atomic<bool> isEnding;
  while (isEnding.exchange(true))
    std::this_thread::sleep_for(std::chrono::seconds(1));
  llvm::report_fatal_error(message, /*gen_crash_diag=*/false);
}
