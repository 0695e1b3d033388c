//===- Generate.c - berth-pack gen ----------------------------------- C --===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//

#include "berth-c/Generate.h"
#include "NextOption.h"
#include "Tool.h"

#include <inttypes.h>
#include <string.h>

static const char helpText[] =
    "Usage: berth-pack gen FAMILY [options]\n"
    "\n"
    "Writes a generated problem. The same family, number of buffers and seed\n"
    "give the same bytes everywhere.\n"
    "\n"
    "  --buffers=N        how many buffers (default 1000)\n"
    "  --seed=N           which problem of the family (default 0)\n"
    "  --format=FORMAT    csv (default; json for what no CSV can hold), json, "
    "svg\n"
    "                     or html\n"
    "  -o, --output=FILE  where to write (default -, standard output)\n"
    "  -h, --help         this text\n"
    "\n"
    "The smallest possible peak, where it is known by construction, is\n"
    "printed on standard error as `optimum N`.\n"
    "\n"
    "Families:\n";

typedef struct GenerateOptions {
  size_t family;
  uint64_t buffers;
  uint64_t seed;
  BerthFormat format;
  const char *output;
} GenerateOptions;

static void printHelp(void) {
  fputs(helpText, stdout);
  for (size_t i = 0; i < berthFamilyCount(); ++i)
    printf("  %-14s %s\n", berthFamilyName(i), berthFamilySummary(i));
}

static ParseResult complain(const char *what, const char *value,
                            const char *expected) {
  toolComplain("berth-pack gen", "%s '%s': %s", what, value, expected);
  return PARSE_BAD;
}

static ParseResult takeFamily(const char *name, GenerateOptions *options) {
  options->family = berthFamilyFind(name);
  if (options->family != SIZE_MAX)
    return PARSE_RUN;
  char known[512] = "";
  for (size_t i = 0; i < berthFamilyCount(); ++i)
    toolAppendName(known, sizeof known, berthFamilyName(i));
  toolComplain("berth-pack gen", "unknown family '%s'; known: %s", name, known);
  return PARSE_BAD;
}

static ParseResult takeOption(int option, const char *value,
                              GenerateOptions *options) {
  switch (option) {
  case 'h':
    printHelp();
    return PARSE_DONE;
  case 'o':
    options->output = value;
    return PARSE_RUN;
  case 'n':
    return toolParseCount(value, UINT32_MAX - 1, &options->buffers) &&
                   options->buffers > 0
               ? PARSE_RUN
               : complain("--buffers", value,
                          toolCountComplaint(value, UINT32_MAX - 1,
                                             "expected a number from 1 up"));
  case 's':
    return toolParseCount(value, UINT64_MAX, &options->seed)
               ? PARSE_RUN
               : complain("--seed", value,
                          toolCountComplaint(value, UINT64_MAX,
                                             "expected a whole number"));
  case 'f':
    options->format = berthFormatFromName(value);
    return options->format != BERTH_FORMAT_AUTO
               ? PARSE_RUN
               : complain("--format", value, "expected csv, json, svg or html");
  default:
    return PARSE_BAD;
  }
}

static ParseResult parse(int argc, char **argv, GenerateOptions *options) {
  static const struct option longOptions[] = {
      {"buffers", required_argument, NULL, 'n'},
      {"seed", required_argument, NULL, 's'},
      {"format", required_argument, NULL, 'f'},
      {"output", required_argument, NULL, 'o'},
      {"help", no_argument, NULL, 'h'},
      {NULL, 0, NULL, 0}};
  *options = (GenerateOptions){.buffers = 1000, .output = "-"};
  int option;
  while ((option = toolNextOption("berth-pack gen", argc, argv,
                                  "ho:", longOptions)) != -1) {
    ParseResult result = takeOption(option, optarg, options);
    if (result != PARSE_RUN)
      return result;
  }
  if (optind == argc) {
    toolComplain("berth-pack gen",
                 "name a family; see 'berth-pack gen --help'");
    return PARSE_BAD;
  }
  if (optind + 1 < argc)
    return complain("argument", argv[optind + 1], "one family is enough");
  if (!toolIsNamedWell("berth-pack gen", options->format, options->output))
    return PARSE_BAD;
  if (options->format == BERTH_FORMAT_AUTO)
    options->format = berthFormatFromPath(options->output);
  return takeFamily(argv[optind], options);
}

int toolGenerate(int argc, char **argv) {
  GenerateOptions options;
  ParseResult result = parse(argc, argv, &options);
  if (result != PARSE_RUN)
    return result == PARSE_DONE ? EXIT_DONE : EXIT_USAGE;
  int64_t optimum = 0;
  BerthError error = {0};
  BerthProblem *problem = berthGenerate(
      options.family, (uint32_t)options.buffers, options.seed, &optimum);
  if (!problem) {
    berthErrorSet(&error, BERTH_RESOURCE, "out of memory");
    return toolFail(NULL, BERTH_RESOURCE, &error);
  }
  const BerthProblemData *data = berthProblemGetData(problem);
  if (options.format == BERTH_FORMAT_AUTO)
    options.format = data->numDistances ? BERTH_FORMAT_JSON : BERTH_FORMAT_CSV;
  BerthStatus status =
      berthWriteFile(options.output, options.format, data, NULL,
                     berthFamilyName(options.family), &error);
  berthProblemDestroy(problem);
  if (status != BERTH_SUCCESS)
    return toolFail(NULL, status, &error);
  if (optimum > 0)
    fprintf(stderr, "optimum %" PRId64 "\n", optimum);
  return EXIT_DONE;
}
