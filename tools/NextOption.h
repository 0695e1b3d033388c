//===- NextOption.h - getopt with Berth's words --------------------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_TOOLS_NEXTOPTION_H
#define BERTH_TOOLS_NEXTOPTION_H

#include <getopt.h>

/// As getopt_long, but what is wrong with an option, for which it returns '?',
/// is said in the name of `tool`, with the number of the message.
int toolNextOption(const char *tool, int argc, char **argv,
                   const char *shortOptions, const struct option *longOptions);

#endif // BERTH_TOOLS_NEXTOPTION_H
