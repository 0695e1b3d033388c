//===- Fold.c - berth-pack fold ------------------------------------ C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//

#define _POSIX_C_SOURCE 200809L

#include "berth-c/Fold.h"
#include "FoldPicture.h"
#include "IO/Text/Escape.h"
#include "IO/Text/ReadInput.h"
#include "IO/Text/TextBuffer.h"
#include "NextOption.h"
#include "Support/Allocate.h"
#include "Tool.h"
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

typedef struct FoldOptions {
  const char *input;
  const char *output; ///< of a picture; NULL: none
  const char *check;  ///< parameter values, "N=6,T=4"; NULL: no check
  uint64_t maxOperations;
  BerthFoldOptions fold;
  bool json;
  bool difference;
  bool together;
} FoldOptions;

static const char helpText[] =
    "Usage: berth-pack fold [options] [INPUT|-]\n"
    "\n"
    "Finds a modular mapping that stores an array in fewer cells. The input\n"
    "has one `key: isl text` a line (docs/berth-fold.md). Keys: context,\n"
    "domain, schedule, reads, may-reads, writes, may-writes, live-in,\n"
    "live-out, parallel, slices, names; or context, conflict, names.\n"
    "\n"
    "Options:\n"
    "  --method=NAME         auto (default), lefebvre-feautrier, smo,\n"
    "                        lattice, turn or exact; `list` shows what they "
    "do.\n"
    "                        Where another one takes fewer cells, that one's\n"
    "                        mapping is taken\n"
    "  --alone               run only the --method that is named, whatever the "
    "others\n"
    "                        would find\n"
    "  --heuristic=H1|H2|H3  of the method lattice only this one: least "
    "moduli,\n"
    "                        shortest reuse vectors, several reuse vectors\n"
    "  --max-operations=N    isl's budget (default 0: none); the exit code is "
    "1\n"
    "                        where that is not enough for any mapping\n"
    "  --pow2-slack=PERCENT  round moduli up to powers of two (not with "
    "--alone)\n"
    "  --mirror              with slices: keep the first rows of a ring twice, "
    "where\n"
    "                        that takes less than one that no slice wraps "
    "around\n"
    "  --check=P=V[,P=V...]  also check exhaustively at these sizes (nothing "
    "behind\n"
    "                        --check= where there are no parameters)\n"
    "  --output=FILE         also draw a picture, FILE.svg or FILE.html: the\n"
    "                        differences of live cells with the lattice, and "
    "the\n"
    "                        cells over time; at the sizes of --check\n"
    "  --together            several arrays: fold each by itself, then move "
    "them\n"
    "                        so close that one uses what another does not yet\n"
    "                        or no longer; no parameters, no slices\n"
    "  --difference          print the difference set, too (not with --json)\n"
    "  --json                print a JSON array, one object a mapping\n"
    "  -h, --help            this text\n"
    "\n"
    "Exit codes: 0 done, 1 no mapping (perhaps for want of operations), a\n"
    "failed check, or more than it can check or draw, 2 bad usage or input,\n"
    "3 internal error.\n";

//===---------------------------------------------------------------------===//
// Command line
//===---------------------------------------------------------------------===//

static const char tool[] = "berth-pack fold";

static int complain(const char *what, const char *value) {
  return toolComplain(tool, "%s '%s' (see --help)", what, value);
}

static bool readNumber(const char *text, uint64_t *value) {
  char *end;
  if (*text < '0' || *text > '9')
    return false;
  *value = strtoull(text, &end, 10);
  return *end == '\0' && *value < INT64_MAX;
}

static void listMethods(void) {
  for (size_t i = 0; i < berthFoldNumMethods(); ++i)
    printf("%-20s %s\n", berthFoldMethodName(i), berthFoldMethodDescription(i));
}

/// Handles one option; EXIT_DONE to go on, -1 when all is said.
static int takeOption(int option, FoldOptions *options) {
  uint64_t number = 0;
  switch (option) {
  case 'm':
    options->fold.method = optarg;
    if (strcmp(optarg, "list"))
      return EXIT_DONE;
    listMethods();
    return -1;
  case 'H':
    if (optarg[0] != 'H' || optarg[1] < '1' || optarg[1] > '3' || optarg[2])
      return complain("no such --heuristic", optarg);
    options->fold.heuristic = (unsigned)(optarg[1] - '0');
    return EXIT_DONE;
  case 'a':
    options->fold.alone = true;
    return EXIT_DONE;
  case 'o':
    if (!readNumber(optarg, &options->maxOperations))
      return toolComplain(
          tool, "--max-operations '%s': expected a whole number", optarg);
    return EXIT_DONE;
  case 'p':
    if (!readNumber(optarg, &number) || number > 1000)
      return toolComplain(
          tool, "--pow2-slack '%s': expected a number from 0 to 1000", optarg);
    options->fold.pow2Slack = (unsigned)number;
    return EXIT_DONE;
  case 'M':
    options->fold.mirror = true;
    return EXIT_DONE;
  case 'c':
    options->check = optarg;
    return EXIT_DONE;
  case 'O':
    if (berthFormatFromPath(optarg) != BERTH_FORMAT_SVG &&
        berthFormatFromPath(optarg) != BERTH_FORMAT_HTML)
      return toolComplain(tool, "--output '%s' ends in neither .svg nor .html",
                          optarg);
    options->output = optarg;
    return EXIT_DONE;
  case 'd':
    options->difference = true;
    return EXIT_DONE;
  case 'j':
    options->json = true;
    return EXIT_DONE;
  case 't':
    options->together = true;
    return EXIT_DONE;
  case 'h':
    fputs(helpText, stdout);
    return -1;
  default:
    return EXIT_USAGE;
  }
}

static int parse(int argc, char **argv, FoldOptions *options) {
  static const struct option longOptions[] = {
      {"method", required_argument, NULL, 'm'},
      {"alone", no_argument, NULL, 'a'},
      {"heuristic", required_argument, NULL, 'H'},
      {"max-operations", required_argument, NULL, 'o'},
      {"pow2-slack", required_argument, NULL, 'p'},
      {"mirror", no_argument, NULL, 'M'},
      {"check", required_argument, NULL, 'c'},
      {"output", required_argument, NULL, 'O'},
      {"difference", no_argument, NULL, 'd'},
      {"json", no_argument, NULL, 'j'},
      {"together", no_argument, NULL, 't'},
      {"help", no_argument, NULL, 'h'},
      {NULL, 0, NULL, 0}};
  *options = (FoldOptions){.input = "-", .fold = berthFoldOptionsDefault()};
  int option, code = EXIT_DONE;
  optind = 1;
  while (code == EXIT_DONE &&
         (option = toolNextOption(tool, argc, argv, "h", longOptions)) != -1)
    code = takeOption(option, options);
  if (code == EXIT_DONE && optind < argc)
    options->input = argv[optind++];
  if (code == EXIT_DONE && optind < argc)
    return toolComplain(tool, "one input is enough, but '%s' follows '%s'",
                        argv[optind], options->input);
  if (code == EXIT_DONE && options->fold.heuristic &&
      strcmp(options->fold.method, "auto") &&
      strcmp(options->fold.method, "lattice"))
    return complain("--heuristic is not for", options->fold.method);
  if (options->fold.heuristic)
    options->fold.method = "lattice";
  if (code == EXIT_DONE && options->fold.alone &&
      !strcmp(options->fold.method, "auto"))
    return complain("--alone needs a method that runs alone, not", "auto");
  if (code == EXIT_DONE && options->fold.alone && options->fold.pow2Slack)
    return complain("--alone rounds no moduli:", "--pow2-slack");
  if (code == EXIT_DONE && options->json && options->difference)
    return complain("--json has no place for", "--difference");
  if (code == EXIT_DONE && options->together && options->output)
    return complain("--together has no picture for", options->output);
  const BerthNamedFile files[] = {{"--output", options->output, true},
                                  {"INPUT", options->input, false}};
  if (code == EXIT_DONE && !toolFilesAreApart(tool, files, 2))
    return EXIT_USAGE;
  return code;
}

/// The parameter that `length` letters name, or as many as there are.
static size_t findParam(const BerthFoldProblem *problem, const char *name,
                        size_t length) {
  size_t count = berthFoldProblemNumParams(problem), p = 0;
  for (; p < count; ++p) {
    const char *known = berthFoldProblemParamName(problem, p);
    if (strlen(known) == length && !strncmp(known, name, length))
      break;
  }
  return p;
}

/// One "N=6" of --check. `given` says which parameters have a value.
static int parseParam(const BerthFoldProblem *problem, const char *item,
                      size_t length, bool *given, int64_t *params) {
  const char *equals = memchr(item, '=', length);
  size_t nameLength = equals ? (size_t)(equals - item) : length;
  size_t p = findParam(problem, item, nameLength);
  if (p == berthFoldProblemNumParams(problem))
    return toolComplain(tool, "--check: the input has no parameter '%.*s'",
                        (int)nameLength, item);
  if (given[p])
    return toolComplain(tool, "--check gives two values for '%.*s'",
                        (int)nameLength, item);
  given[p] = true;
  char *end = NULL;
  errno = 0;
  if (equals)
    params[p] = strtoll(equals + 1, &end, 10);
  bool isNumber = equals && end != equals + 1 && end == item + length;
  if (isNumber && !errno)
    return EXIT_DONE;
  return toolComplain(tool,
                      isNumber ? "--check: the value in '%.*s' is too large"
                               : "--check gives no value for '%.*s'",
                      (int)(isNumber ? length : nameLength), item);
}

/// "N=6,T=4" to values in the problem's order.
static int parseParams(const BerthFoldProblem *problem, const char *text,
                       int64_t *params) {
  bool given[BERTH_FOLD_MAX_PARAMS] = {false};
  int code = EXIT_DONE;
  for (const char *at = text; *at && code == EXIT_DONE;) {
    size_t length = strcspn(at, ",");
    code = parseParam(problem, at, length, given, params);
    at += length;
    at += *at == ',';
  }
  for (size_t p = 0;
       code == EXIT_DONE && p < berthFoldProblemNumParams(problem); ++p)
    if (!given[p])
      code = complain("--check gives no value for",
                      berthFoldProblemParamName(problem, p));
  if (code == EXIT_DONE && !berthFoldProblemAdmits(problem, params))
    code = complain("the input's context excludes the sizes of --check", text);
  return code;
}

/// What a limit refused is an answer, too, if memory and isl were there.
static int fail(const char *file, BerthStatus status, const BerthError *error) {
  int code = toolFail(file, status, error);
  bool isLimit = status == BERTH_RESOURCE && !berthIsOutOfMemory(error) &&
                 strncmp(error->message, "isl: ", 5);
  return isLimit ? EXIT_UNFIT : code;
}

//===---------------------------------------------------------------------===//
// Input
//===---------------------------------------------------------------------===//

static int loadProblem(const FoldOptions *options, BerthFoldProblem **problem) {
  BerthError error = {.line = 0};
  char *text;
  size_t length;
  BerthStatus status = berthReadInput(options->input, &text, &length, &error);
  if (status == BERTH_SUCCESS && strlen(text) != length)
    status = berthErrorSet(&error, BERTH_INVALID, "cannot be read as text");
  if (status == BERTH_SUCCESS)
    status =
        berthFoldProblemParse(text, options->maxOperations, problem, &error);
  free(text);
  return status == BERTH_SUCCESS ? EXIT_DONE
                                 : fail(options->input, status, &error);
}

//===---------------------------------------------------------------------===//
// Output
//===---------------------------------------------------------------------===//

/// What --check found.
typedef struct Check {
  int64_t size;
  uint64_t collisions;
  uint64_t wrongReads;
  uint64_t maxLive;
  bool searched; ///< the first two are known
  bool traced;   ///< the last two are known
} Check;

static void printReuse(const BerthFoldMapping *mapping, const char *open,
                       const char *close) {
  for (size_t v = 0; v < mapping->numReuse; ++v) {
    printf("%s%s", v ? ", " : "", open);
    for (size_t d = 0; d < mapping->numDims; ++d)
      printf("%s%" PRId64, d ? ", " : "", mapping->reuse[v][d]);
    printf("%s", close);
  }
}

/// Returns true, as printJson does unless memory runs out.
static bool printText(const BerthFoldProblem *problem,
                      const BerthFoldResult *result, size_t i,
                      const Check *check) {
  const BerthFoldMapping *mapping = &result->mappings[i];
  printf("mapping: ");
  berthFoldPrintMapping(problem, mapping, stdout);
  printf("\nsize: ");
  berthFoldPrintSize(problem, mapping, stdout);
  printf("\nmethod: ");
  berthFoldPrintMethod(result, stdout);
  printf("\n");
  if (mapping->numReuse) {
    printf("reuse: ");
    printReuse(mapping, "(", ")");
    printf("\n");
  }
  printf("certificate: holds%s\n",
         mapping->optimal ? "; no lattice is smaller" : "");
  if (check && check->searched)
    printf("check: %" PRId64 " cells, %" PRIu64 " collisions\n", check->size,
           check->collisions);
  if (check && check->traced)
    printf("trace: %" PRIu64 " wrong reads, at most %" PRIu64
           " cells live at once\n",
           check->wrongReads, check->maxLive);
  return true;
}

typedef void (*Print)(const BerthFoldProblem *problem, const void *what,
                      FILE *out);

static void printMapping(const BerthFoldProblem *problem, const void *what,
                         FILE *out) {
  berthFoldPrintMapping(problem, what, out);
}

static void printSize(const BerthFoldProblem *problem, const void *what,
                      FILE *out) {
  berthFoldPrintSize(problem, what, out);
}

static void printPlacement(const BerthFoldProblem *problem, const void *what,
                           FILE *out) {
  berthFoldPrintPlacement(problem, what, out);
}

/// As a string of JSON: the input names arrays and dimensions as it likes.
/// False if out of memory.
static bool printQuoted(Print print, const BerthFoldProblem *problem,
                        const void *what) {
  BerthTextBuffer text = {0};
  FILE *stream = berthTextBufferOpen(&text);
  if (!stream)
    return false;
  print(problem, what, stream);
  bool complete = fclose(stream) == 0;
  if (complete)
    berthWriteJsonText(stdout, text.data, text.length);
  free(text.data);
  return complete;
}

static bool printJson(const BerthFoldProblem *problem,
                      const BerthFoldResult *result, size_t i,
                      const Check *check) {
  const BerthFoldMapping *mapping = &result->mappings[i];
  printf("{\"mapping\": ");
  bool complete = printQuoted(printMapping, problem, mapping);
  printf(", \"size\": ");
  complete = complete && printQuoted(printSize, problem, mapping);
  printf(", \"method\": \"%s\"", mapping->method);
  if (result->insteadOf)
    printf(", \"instead_of\": \"%s\"", result->insteadOf);
  printf(", \"reuse\": [");
  printReuse(mapping, "[", "]");
  printf("], \"certified\": true, \"optimal\": %s",
         mapping->optimal ? "true" : "false");
  if (check && check->searched)
    printf(", \"cells\": %" PRId64 ", \"collisions\": %" PRIu64, check->size,
           check->collisions);
  if (check && check->traced)
    printf(", \"wrong_reads\": %" PRIu64 ", \"max_live\": %" PRIu64,
           check->wrongReads, check->maxLive);
  printf("}");
  return complete;
}

static bool inClass(const BerthFoldMapping *mapping, const int64_t *params) {
  int64_t value = mapping->classModulus > 1 ? params[mapping->classParam] : 0;
  return (value - mapping->classRest) % mapping->classModulus == 0;
}

/// Fills `check`; returns the exit code.
static int runCheck(const FoldOptions *options, const BerthFoldProblem *problem,
                    const BerthFoldMapping *mapping, const int64_t *params,
                    Check *check) {
  BerthError error = {.line = 0};
  check->size = berthFoldMappingSize(mapping, params);
  BerthStatus status =
      berthFoldBruteForce(problem, mapping, params, &check->collisions, &error);
  if (status != BERTH_SUCCESS)
    return fail(options->input, status, &error);
  check->searched = true;
  status = berthFoldTrace(problem, mapping, params, &check->wrongReads,
                          &check->maxLive, &error);
  check->traced = status == BERTH_SUCCESS;
  return check->collisions || check->wrongReads ? EXIT_UNFIT : EXIT_DONE;
}

/// Draws the mapping of the class that the sizes are in.
static int draw(const FoldOptions *options, const BerthFoldProblem *problem,
                const BerthFoldResult *result, const int64_t *params) {
  BerthError error = {.line = 0};
  BerthOutput *output;
  size_t which = 0;
  while (which + 1 < result->numMappings &&
         !inClass(&result->mappings[which], params))
    ++which;
  BerthStatus status = berthOutputOpen(options->output, &output, &error);
  if (status != BERTH_SUCCESS)
    return fail(NULL, status, &error);
  bool isPage = berthFormatFromPath(options->output) == BERTH_FORMAT_HTML;
  status = toolDrawFold(berthOutputStream(output), isPage, problem,
                        &result->mappings[which], params, &error);
  if (status == BERTH_INVALID) {
    BerthError why = error;
    berthErrorSet(&error, status,
                  "--output draws the cells over time, and %.200s",
                  why.message);
  }
  status = berthOutputClose(output, status, &error);
  return status == BERTH_SUCCESS ? EXIT_DONE : fail(NULL, status, &error);
}

static int report(const FoldOptions *options, const BerthFoldProblem *problem,
                  const BerthFoldResult *result) {
  int64_t params[BERTH_FOLD_MAX_PARAMS] = {0};
  int code =
      options->check ? parseParams(problem, options->check, params) : EXIT_DONE;
  if (code == EXIT_DONE && options->output && !options->check &&
      berthFoldProblemNumParams(problem) > 0)
    return complain("--check with sizes is needed for", "--output");
  if (code == EXIT_DONE && options->output)
    code = draw(options, problem, result, params);
  if (code != EXIT_DONE)
    return code;
  fputs(options->json ? "[" : "", stdout);
  for (size_t i = 0; i < result->numMappings; ++i) {
    const BerthFoldMapping *mapping = &result->mappings[i];
    Check check = {0};
    bool checked = options->check && inClass(mapping, params);
    if (checked) {
      int worse = runCheck(options, problem, mapping, params, &check);
      code = worse > code ? worse : code;
    }
    fputs(i ? (options->json ? ",\n " : "\n") : "", stdout);
    if (!(options->json ? printJson : printText)(problem, result, i,
                                                 checked ? &check : NULL)) {
      BerthError error;
      return fail(options->input, berthOutOfMemory(&error), &error);
    }
  }
  fputs(options->json ? "]\n" : "", stdout);
  return code;
}

/// Finding no mapping is an answer; a name that no method has is a mistake.
static int failToFind(const FoldOptions *options, BerthStatus status,
                      const BerthError *error) {
  int code = fail(options->input, status, error);
  bool known = false;
  for (size_t i = 0; i < berthFoldNumMethods(); ++i)
    known |= strcmp(options->fold.method, berthFoldMethodName(i)) == 0;
  return status == BERTH_INVALID && known ? EXIT_UNFIT : code;
}

/// All arrays in one piece of memory.
static int place(const FoldOptions *options, const BerthFoldProblem *problem) {
  BerthError error = {.line = 0};
  BerthFoldPlacement placement = {0};
  uint64_t collisions = 0;
  size_t numArrays = berthFoldProblemNumArrays(problem);
  BerthStatus status = BERTH_SUCCESS;
  for (size_t k = 0; status == BERTH_SUCCESS && k < numArrays &&
                     k < BERTH_FOLD_MAX_PLACED && numArrays > 1;
       ++k) {
    BerthFoldResult alone;
    status = berthFoldFindAlone(problem, k, &options->fold, &alone, &error);
    placement.mappings[k] = alone.mappings[0];
  }
  if (status == BERTH_SUCCESS)
    status = berthFoldPlace(problem, &placement, &error);
  if (status == BERTH_SUCCESS && options->check)
    status = berthFoldTryPlacement(problem, &placement, &collisions, &error);
  if (status != BERTH_SUCCESS)
    return status == BERTH_INVALID
               ? (fail(options->input, status, &error), EXIT_UNFIT)
               : fail(options->input, status, &error);
  int64_t apart = 0;
  for (size_t k = 0; k < placement.numArrays; ++k)
    apart += berthFoldMappingSize(&placement.mappings[k], NULL);
  fputs(options->json ? "[{\"placement\": " : "placement: ", stdout);
  if (!options->json)
    berthFoldPrintPlacement(problem, &placement, stdout);
  else if (!printQuoted(printPlacement, problem, &placement))
    return fail(options->input, berthOutOfMemory(&error), &error);
  printf(options->json ? ", \"cells\": %" PRId64 ", \"apart\": %" PRId64
                         ", \"certified\": true"
                       : "\ncells: %" PRId64 ", apart %" PRId64
                         "\ncertificate: holds\n",
         placement.cells, apart);
  if (options->check)
    printf(options->json ? ", \"collisions\": %" PRIu64
                         : "check: %" PRIu64 " collisions\n",
           collisions);
  fputs(options->json ? "}]\n" : "", stdout);
  return fflush(stdout) != 0 ? EXIT_INTERNAL
         : collisions        ? EXIT_UNFIT
                             : EXIT_DONE;
}

int toolFold(int argc, char **argv) {
  FoldOptions options;
  int code = parse(argc, argv, &options);
  if (code != EXIT_DONE)
    return code < 0 ? EXIT_DONE : code;
  BerthFoldProblem *problem;
  code = loadProblem(&options, &problem);
  if (code != EXIT_DONE)
    return code;
  if (options.difference) {
    char *text = berthFoldProblemDifferenceText(problem);
    printf("difference: %s\n", text ? text : "?");
    free(text);
  }
  if (options.together) {
    code = place(&options, problem);
    berthFoldProblemDestroy(problem);
    return code;
  }
  BerthFoldResult result;
  BerthError error = {.line = 0};
  BerthStatus status = berthFoldFind(problem, &options.fold, &result, &error);
  if (status == BERTH_SUCCESS)
    code = report(&options, problem, &result);
  else
    code = failToFind(&options, status, &error);
  berthFoldProblemDestroy(problem);
  return code;
}
