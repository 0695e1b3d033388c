//===- Messages.h - Messages have numbers --------------------------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//
//
// What a message means and what to do next stands in one table, Messages.def,
// under a number that stays: "berth-E012". A message is found by a phrase of
// it, so that whoever writes one need not know of the table; a test holds the
// phrases against the sources.
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_SUPPORT_MESSAGES_H
#define BERTH_LIB_SUPPORT_MESSAGES_H

#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

/// " [berth-E012]" for what tells of that, "" for a message without number.
const char *berthMessageNumber(const char *message);

/// Prints what stands under a number, "berth-E012" or "E012"; under "list" all
/// of it. Returns 0, or 1 if there is no such number: then it says so.
int berthMessageExplain(const char *number, FILE *out, FILE *errors);

#ifdef __cplusplus
}
#endif

#endif // BERTH_LIB_SUPPORT_MESSAGES_H
