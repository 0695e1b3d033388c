//===- SharedOptions.h - Options that several passes have -------*- C++ -*-===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each reads one option, or sets `error` and returns BERTH_INVALID.
//
//===----------------------------------------------------------------------===//

#ifndef BERTH_LIB_MLIR_PASSES_SHAREDOPTIONS_H
#define BERTH_LIB_MLIR_PASSES_SHAREDOPTIONS_H

#include "berth-c/Support.h"

#include <cstdint>
#include <string>

namespace berth {

/// Bytes, or 0; `none` says what 0 stands for.
BerthStatus readBytesOption(const char *name, const std::string &text,
                            const char *none, int64_t *bytes,
                            BerthError *error);

/// Of `alignment`, in bytes.
BerthStatus checkAlignment(int64_t alignment, BerthError *error);

/// Of `test-break-rule`; empty breaks none, and sets `*rule` to null.
BerthStatus readBrokenRule(const std::string &text, const char **rule,
                           BerthError *error);

} // namespace berth

#endif // BERTH_LIB_MLIR_PASSES_SHAREDOPTIONS_H
