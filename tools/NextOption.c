//===- NextOption.c - getopt with Berth's words --------------------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//

#include "NextOption.h"
#include "Support/Messages.h"
#include "Support/Nearest.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/// How many options a text such as "--out=x" may be short for.
static size_t countMeant(const char *argument, size_t length,
                         const struct option *longOptions) {
  size_t count = 0;
  for (const struct option *option = longOptions; option->name; ++option)
    count += strncmp(option->name, argument + 2, length - 2) == 0;
  return count;
}

/// Whether getopt has stopped at that text for the long option of `optopt`, and
/// not at a letter.
static bool isLong(const char *argument, size_t length,
                   const struct option *longOptions) {
  if (strncmp(argument, "--", 2) != 0)
    return false;
  for (const struct option *option = longOptions; option->name; ++option)
    if (option->val == optopt &&
        strncmp(option->name, argument + 2, length - 2) == 0)
      return true;
  return false;
}

/// The name of the option that a long one stands for that there is not, or
/// NULL.
static const char *nearest(const char *argument, size_t length,
                           const struct option *longOptions) {
  enum { MOST = 64 };
  const char *names[MOST];
  char text[MOST] = "";
  size_t count = 0;
  for (; longOptions[count].name && count < MOST; ++count)
    names[count] = longOptions[count].name;
  if (length > 2 && length - 2 < sizeof text)
    memcpy(text, argument + 2, length - 2);
  return berthNearestWord(text, names, count);
}

/// What is wrong with the argument at which getopt has stopped. Of a long
/// option that there is not it sets no `optopt`.
static void describe(char *text, size_t size, const char *argument,
                     const char *shortOptions,
                     const struct option *longOptions) {
  size_t length = strcspn(argument, "=");
  int shown = (int)length;
  if (optopt == 0 && countMeant(argument, length, longOptions) > 1)
    snprintf(text, size,
             "'%.*s' is short for several options; --help lists them", shown,
             argument);
  else if (optopt == 0 && nearest(argument, length, longOptions))
    snprintf(text, size,
             "there is no option '%.*s' (did you mean '--%s'?); --help lists "
             "them",
             shown, argument, nearest(argument, length, longOptions));
  else if (optopt == 0)
    snprintf(text, size, "there is no option '%.*s'; --help lists them", shown,
             argument);
  else if (isLong(argument, length, longOptions) && argument[length] == '=')
    snprintf(text, size, "'%.*s' takes no value", shown, argument);
  else if (isLong(argument, length, longOptions))
    snprintf(text, size, "%s takes its value with '=': %s=...", argument,
             argument);
  else if (strchr(shortOptions, optopt))
    snprintf(text, size, "'-%c' lacks what follows it", optopt);
  else
    snprintf(text, size, "there is no option '-%c'; --help lists them", optopt);
}

int toolNextOption(const char *tool, int argc, char **argv,
                   const char *shortOptions, const struct option *longOptions) {
  char text[256];
  opterr = 0;
  optopt = 0;
  int option = getopt_long(argc, argv, shortOptions, longOptions, NULL);
  if (option != '?')
    return option;
  describe(text, sizeof text, argv[optind - 1], shortOptions, longOptions);
  fprintf(stderr, "%s: error: %s%s\n", tool, text, berthMessageNumber(text));
  return option;
}
