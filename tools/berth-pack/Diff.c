//===- Diff.c - berth-pack diff ------------------------------------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//

#include "IO/Json/PlanFile.h"
#include "NextOption.h"
#include "Tool.h"

#include <stdio.h>
#include <string.h>

static const char help[] =
    "usage: berth-pack diff A B\n"
    "\n"
    "Compares two plans of a module, as berth-arena{plan-out=FILE} writes "
    "them:\n"
    "says which arenas, sizes, offsets and live ranges differ, a line each.\n"
    "One of the files may be '-', standard input.\n"
    "\n"
    "Exit status: 0 if nothing differs, 1 if something does, 2 for bad input,\n"
    "3 if memory runs out.\n";

int toolDiff(int argc, char **argv) {
  static const struct option options[] = {{"help", no_argument, NULL, 'h'},
                                          {NULL, 0, NULL, 0}};
  for (int option; (option = toolNextOption("berth-pack diff", argc, argv, "h",
                                            options)) != -1;) {
    if (option != 'h')
      return EXIT_USAGE;
    fputs(help, stdout);
    return EXIT_DONE;
  }
  if (argc - optind != 2)
    return toolComplain("berth-pack diff", "give two plans, not %d",
                        argc - optind);
  if (strcmp(argv[optind], "-") == 0 && strcmp(argv[optind + 1], "-") == 0)
    return toolComplain("berth-pack diff", "A and B both read standard input");
  BerthPlanFile plans[2] = {{0}, {0}};
  int code = EXIT_DONE;
  for (int i = 0; i < 2 && code == EXIT_DONE; ++i) {
    BerthError error;
    BerthStatus status = berthPlanFileRead(argv[optind + i], &plans[i], &error);
    if (status != BERTH_SUCCESS)
      code = toolFail(argv[optind + i], status, &error);
  }
  if (code == EXIT_DONE && berthPlanFileCompare(stdout, &plans[0], &plans[1]))
    code = EXIT_UNFIT;
  for (int i = 0; i < 2; ++i)
    berthPlanFileFree(&plans[i]);
  return code;
}
