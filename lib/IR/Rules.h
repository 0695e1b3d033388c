//===- Rules.h - Rules that tests may break on purpose ------------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//
//
// A test that cannot fail proves nothing. The hidden pass option
// `test-break-rule=NAME` disables one soundness rule of the analysis, so that
// the execution tests and the verifier can be seen to catch it:
//
//   partial-write-kills   any write ends the content that was there before
//   no-loop-back-edge     a loop's body is not followed by its next iteration
//   views-only            only views alias; control flow and selects do not
//   no-carried-check      an allocation never interferes with itself
//
// and of kernels:
//
//   no-hazards            program order holds for all threads together
//   any-barrier           a barrier counts under divergent control too
//   no-divergence         the alternatives of a divergent branch exclude each
//                         other
//   no-async              an asynchronous copy ends with its op
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_RULES_H
#define BERTH_LIB_IR_RULES_H

#include <stdbool.h>
#include <string.h>

/// True if `breakRule` (NULL outside of tests) names this rule.
static inline bool berthIsBroken(const char *breakRule, const char *rule) {
  return breakRule && strcmp(breakRule, rule) == 0;
}

#endif // BERTH_LIB_IR_RULES_H
