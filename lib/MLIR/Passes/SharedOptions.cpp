//===- SharedOptions.cpp - Options that several passes have -----*- C++ -*-===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SharedOptions.h"
#include "IR/Ops/Rules.h"
#include "Support/Bytes.h"

#include "llvm/Support/MathExtras.h"

BerthStatus berth::readBytesOption(const char *name, const std::string &text,
                                   const char *none, int64_t *bytes,
                                   BerthError *error) {
  *bytes = 0;
  if (text == "0" || berthParseBytes(text.c_str(), bytes))
    return BERTH_SUCCESS;
  return berthErrorSet(error, BERTH_INVALID, "%s '%s': %s, or 0 for %s", name,
                       text.c_str(), berthBytesComplaint(text.c_str()), none);
}

BerthStatus berth::checkAlignment(int64_t alignment, BerthError *error) {
  if (alignment >= 1 && llvm::isPowerOf2_64(static_cast<uint64_t>(alignment)))
    return BERTH_SUCCESS;
  return berthErrorSet(error, BERTH_INVALID,
                       "alignment %lld is not a power of two",
                       static_cast<long long>(alignment));
}

BerthStatus berth::readBrokenRule(const std::string &text, const char **rule,
                                  BerthError *error) {
  *rule = text.empty() ? nullptr : text.c_str();
  if (text.empty() || berthIsRule(text.c_str()))
    return BERTH_SUCCESS;
  return berthErrorSet(error, BERTH_INVALID,
                       "test-break-rule: there is no rule '%s'", text.c_str());
}
