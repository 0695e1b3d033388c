//===- Main.c - berth-pack ------------------------------------------ C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//

#include "Support/Temporaries.h"
#include "Tool.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

/// A new subcommand is one line here. A file of that name is read by giving it
/// as ./NAME.
static const struct {
  const char *name;
  int (*run)(int argc, char **argv);
} subcommands[] = {
    {"gen", toolGenerate},
    {"diff", toolDiff},
    {"fit", toolFit},
#ifdef BERTH_WITH_FOLD
    {"fold", toolFold},
#endif
};

static int runJob(int argc, char **argv) {
  const size_t count = sizeof subcommands / sizeof subcommands[0];
  for (size_t i = 0; argc > 1 && i < count; ++i) {
    if (strcmp(argv[1], subcommands[i].name) == 0)
      return subcommands[i].run(argc - 1, argv + 1);
  }
  Options options;
  switch (toolParseOptions(argc, argv, &options)) {
  case PARSE_RUN:
    return toolPack(&options);
  case PARSE_DONE:
    return EXIT_DONE;
  case PARSE_BAD:
    break;
  }
  return EXIT_USAGE;
}

/// A text that nobody got is no success.
static int closeStandardOutput(int code) {
  errno = 0;
  bool wasWritten = !ferror(stdout);
  wasWritten = fflush(stdout) == 0 && wasWritten;
  if (wasWritten || code != EXIT_DONE)
    return code;
  return toolComplain("berth-pack", "cannot write standard output: %s",
                      strerror(errno ? errno : EIO));
}

int main(int argc, char **argv) {
  berthTemporariesHeedSignals();
  // Room for every help text: a stream forgets why an earlier write failed.
  setvbuf(stdout, NULL, _IOFBF, 1 << 16);
  return closeStandardOutput(runJob(argc, argv));
}
