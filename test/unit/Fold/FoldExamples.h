//===- FoldExamples.h - Problems for the tests of folding ---------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_TEST_FOLD_EXAMPLES_H
#define BERTH_TEST_FOLD_EXAMPLES_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "berth-c/Fold.h"

#include <stdio.h>
#include <string.h>

/// Reads examples/fold/NAME.txt, with another context unless NULL.
static inline BerthFoldProblem *foldExampleIn(const char *name,
                                              const char *context) {
  char path[512], text[16384];
  snprintf(path, sizeof path, "%s/%s.txt", BERTH_FOLD_EXAMPLES, name);
  FILE *file = fopen(path, "r");
  if (!file)
    fail_msg("cannot open %s", path);
  text[fread(text, 1, sizeof text - 1, file)] = '\0';
  fclose(file);
  char changed[sizeof text + 128];
  char *line = strstr(text, "context:");
  if (context && line) {
    snprintf(changed, sizeof changed, "context: %s%s", context,
             strchr(line, '\n'));
    memcpy(text, changed, sizeof text);
  }
  BerthFoldProblem *problem;
  BerthError error;
  if (berthFoldProblemParse(text, 0, &problem, &error) != BERTH_SUCCESS)
    fail_msg("%s: %s", name, error.message);
  return problem;
}

static inline BerthFoldProblem *foldExample(const char *name) {
  return foldExampleIn(name, NULL);
}

static inline BerthFoldResult foldWith(const BerthFoldProblem *problem,
                                       const char *method, bool alone) {
  BerthFoldOptions options = berthFoldOptionsDefault();
  options.method = method;
  options.alone = alone;
  BerthFoldResult result;
  BerthError error;
  if (berthFoldFind(problem, &options, &result, &error) != BERTH_SUCCESS)
    fail_msg("%s: %s", method, error.message);
  return result;
}

static inline BerthFoldResult foldAll(const BerthFoldProblem *problem,
                                      const char *method) {
  return foldWith(problem, method, false);
}

/// The mapping for the class that `params` is in.
static inline BerthFoldMapping foldPick(const BerthFoldResult *result,
                                        const int64_t *params) {
  for (size_t i = 0; i < result->numMappings; ++i) {
    const BerthFoldMapping *mapping = &result->mappings[i];
    int64_t value = params ? params[mapping->classParam] : 0;
    if ((value - mapping->classRest) % mapping->classModulus == 0)
      return *mapping;
  }
  fail_msg("no class for the parameters");
  return result->mappings[0];
}

static inline BerthFoldMapping foldBy(const BerthFoldProblem *problem,
                                      const char *method,
                                      const int64_t *params) {
  BerthFoldResult result = foldAll(problem, method);
  return foldPick(&result, params);
}

/// By this method, whatever the others would find.
static inline BerthFoldMapping foldByAlone(const BerthFoldProblem *problem,
                                           const char *method,
                                           const int64_t *params) {
  BerthFoldResult result = foldWith(problem, method, true);
  return foldPick(&result, params);
}

#endif // BERTH_TEST_FOLD_EXAMPLES_H
