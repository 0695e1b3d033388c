//===- Fit.c - berth-pack fit --------------------------------------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//

#include "FitPicture.h"
#include "NextOption.h"
#include "Support/Bytes.h"
#include "Tool.h"

#include <inttypes.h>
#include <string.h>

static const char helpText[] =
    "Usage: berth-pack fit [options] [INPUT.csv | INPUT.json | -]\n"
    "\n"
    "What must leave a fast memory that is too small, and what does that "
    "cost?\n"
    "The column `uses` says when each buffer is touched; between two uses it "
    "may\n"
    "be out, in a slow memory. Writes the stays in the fast memory, one a "
    "row:\n"
    "from when to when, at which offset, whether the content is brought in\n"
    "(fill) and taken out (spill), or made again, where a use says what that\n"
    "costs. All together costs as little as can be found.\n"
    "\n"
    "  --capacity=BYTES   of the fast memory; K, M and G are powers of 1024\n"
    "  --fill=PRICE       a byte that is brought in costs so much (default 1)\n"
    "  --spill=PRICE      a byte that is taken out (default 1)\n"
    "  --access=PRICE     a byte that a use touches in the slow memory; "
    "without\n"
    "                     it every use needs the buffer in the fast one\n"
    "  --move=PRICE       a move costs so much besides its bytes (default 0): "
    "its\n"
    "                     latency, counted in bytes that could move meanwhile\n"
    "  --policy=NAME      no search, but one policy of eviction: "
    "furthest-use,\n"
    "                     least-recent or largest\n"
    "  --steps=N          budget of the search; the same steps, the same "
    "answer\n"
    "  --format=FORMAT    csv (default), json, or the fast memory over time "
    "as\n"
    "                     svg or html; by OUTPUT's name\n"
    "  -o, --output=FILE  where to write (default -, standard output)\n"
    "  --stats            figures as one line of JSON on standard error\n"
    "  --verify-only      check the fit that the input, a JSON, has\n"
    "  -h, --help         this text\n"
    "\n"
    "Exit status: 0 if it fits, 1 if it cannot or if a fit is wrong, 2 for "
    "bad\n"
    "input, 3 if memory runs out.\n";

typedef struct FitOptions {
  const char *input;
  const char *output;
  BerthFormat format;
  int64_t capacity;
  bool stats;
  bool verifyOnly;
  BerthFitOptions fit;
} FitOptions;

enum {
  OPTION_CAPACITY = 256,
  OPTION_FILL,
  OPTION_SPILL,
  OPTION_ACCESS,
  OPTION_MOVE,
  OPTION_POLICY,
  OPTION_STEPS,
  OPTION_FORMAT,
  OPTION_STATS,
  OPTION_VERIFY_ONLY
};

static const struct option longOptions[] = {
    {"capacity", required_argument, NULL, OPTION_CAPACITY},
    {"fill", required_argument, NULL, OPTION_FILL},
    {"spill", required_argument, NULL, OPTION_SPILL},
    {"access", required_argument, NULL, OPTION_ACCESS},
    {"move", required_argument, NULL, OPTION_MOVE},
    {"policy", required_argument, NULL, OPTION_POLICY},
    {"steps", required_argument, NULL, OPTION_STEPS},
    {"format", required_argument, NULL, OPTION_FORMAT},
    {"output", required_argument, NULL, 'o'},
    {"stats", no_argument, NULL, OPTION_STATS},
    {"verify-only", no_argument, NULL, OPTION_VERIFY_ONLY},
    {"help", no_argument, NULL, 'h'},
    {NULL, 0, NULL, 0}};

static ParseResult complain(const char *what, const char *value,
                            const char *expected) {
  toolComplain("berth-pack fit", "%s '%s': %s", what, value, expected);
  return PARSE_BAD;
}

static ParseResult takePrice(const char *name, const char *value,
                             int64_t *price) {
  uint64_t number;
  if (!toolParseCount(value, 1 << 20, &number) || number == 0)
    return complain(name, value, "expected a number from 1 to 1048576");
  *price = (int64_t)number;
  return PARSE_RUN;
}

static ParseResult takeMove(const char *value, int64_t *price) {
  uint64_t number;
  if (!toolParseCount(value, UINT64_C(1) << 40, &number))
    return complain("--move", value, "expected a number from 0 to 2^40");
  *price = (int64_t)number;
  return PARSE_RUN;
}

static ParseResult takeOption(int option, const char *value,
                              FitOptions *options) {
  switch (option) {
  case OPTION_CAPACITY:
    return berthParseBytes(value, &options->capacity)
               ? PARSE_RUN
               : complain("--capacity", value, berthBytesComplaint(value));
  case OPTION_FILL:
    return takePrice("--fill", value, &options->fit.fill);
  case OPTION_SPILL:
    return takePrice("--spill", value, &options->fit.spill);
  case OPTION_ACCESS:
    return takePrice("--access", value, &options->fit.access);
  case OPTION_MOVE:
    return takeMove(value, &options->fit.move);
  case OPTION_POLICY:
    options->fit.policy = value;
    return PARSE_RUN;
  case OPTION_STEPS:
    return toolParseCount(value, UINT64_MAX, &options->fit.steps)
               ? PARSE_RUN
               : complain("--steps", value,
                          toolCountComplaint(value, UINT64_MAX,
                                             "expected a whole number"));
  case OPTION_FORMAT:
    options->format = berthFormatFromName(value);
    return options->format != BERTH_FORMAT_AUTO
               ? PARSE_RUN
               : complain("--format", value, "expected csv, json, svg or html");
  case OPTION_STATS:
    options->stats = true;
    return PARSE_RUN;
  case OPTION_VERIFY_ONLY:
    options->verifyOnly = true;
    return PARSE_RUN;
  case 'o':
    options->output = value;
    return PARSE_RUN;
  case 'h':
    fputs(helpText, stdout);
    return PARSE_DONE;
  default:
    return PARSE_BAD;
  }
}

static ParseResult parse(int argc, char **argv, FitOptions *options) {
  *options = (FitOptions){.input = "-", .output = "-"};
  for (int option; (option = toolNextOption("berth-pack fit", argc, argv,
                                            "ho:", longOptions)) != -1;) {
    ParseResult result = takeOption(option, optarg, options);
    if (result != PARSE_RUN)
      return result;
  }
  if (optind + 1 < argc)
    return complain("argument", argv[optind + 1], "one input is enough");
  if (optind < argc)
    options->input = argv[optind];
  if (!toolIsNamedWell("berth-pack fit", options->format, options->output))
    return PARSE_BAD;
  if (options->format == BERTH_FORMAT_AUTO)
    options->format = berthFormatFromPath(options->output);
  const BerthNamedFile files[] = {
      {"--output", options->verifyOnly ? NULL : options->output, true},
      {"INPUT", options->input, false}};
  return toolFilesAreApart("berth-pack fit", files, 2) ? PARSE_RUN : PARSE_BAD;
}

static size_t countMoves(const BerthFitPlan *plan) {
  size_t moves = 0;
  for (size_t i = 0; i < plan->numStays; ++i)
    moves += (size_t)plan->stays[i].filled + plan->stays[i].spilled;
  return moves;
}

static void printStats(const BerthFitPlan *plan) {
  fprintf(stderr,
          "{\"status\":\"%s\",\"cost\":%" PRId64 ",\"cost_bound\":%" PRId64
          ",\"bytes_in\":%" PRId64 ",\"bytes_out\":%" PRId64
          ",\"bytes_accessed\":%" PRId64 ",\"bytes_made\":%" PRId64
          ",\"moves\":%zu,\"stays\":%zu,\"peak\":%" PRId64
          ",\"peak_bound\":%" PRId64 ",\"steps\":%" PRIu64 "}\n",
          berthPlanStatusName(plan->status), plan->cost, plan->costBound,
          plan->bytesIn, plan->bytesOut, plan->bytesAccessed, plan->bytesMade,
          countMoves(plan), plan->numStays, plan->peak, plan->peakBound,
          plan->steps);
}

static BerthStatus writeTo(FILE *stream, const FitOptions *options,
                           const BerthProblemData *problem,
                           const BerthFitPlan *plan, BerthError *error) {
  switch (options->format) {
  case BERTH_FORMAT_JSON:
    return berthWriteFitJson(stream, problem, &options->fit, plan, error);
  case BERTH_FORMAT_SVG:
  case BERTH_FORMAT_HTML:
    return toolWriteFitPicture(stream, options->format, problem, plan,
                               toolTitle(options->input), error);
  default:
    return berthWriteFitCsv(stream, problem, plan, error);
  }
}

static int writeFit(const FitOptions *options, const BerthProblemData *problem,
                    const BerthFitPlan *plan) {
  BerthError error = {0};
  BerthOutput *output;
  BerthStatus status = berthOutputOpen(options->output, &output, &error);
  if (status != BERTH_SUCCESS)
    return toolFail(NULL, status, &error);
  status = writeTo(berthOutputStream(output), options, problem, plan, &error);
  if (status != BERTH_SUCCESS) {
    berthOutputAbandon(output);
    return toolFail(NULL, status, &error);
  }
  status = berthOutputCommit(output, &error);
  return status == BERTH_SUCCESS ? EXIT_DONE : toolFail(NULL, status, &error);
}

// Why there is no fit.
static int explain(const FitOptions *options, BerthDocument *document,
                   const BerthFitPlan *plan) {
  const BerthProblemData *problem =
      berthProblemGetData(berthDocumentGetProblem(document));
  if (plan->status == BERTH_PLAN_INFEASIBLE)
    toolExplainFit(options->input, document, problem, plan, &options->fit);
  else
    fprintf(stderr, "%s: error: no fit was found%s\n", options->input,
            options->fit.policy ? " by this policy" : "");
  return EXIT_UNFIT;
}

static int fitDocument(const FitOptions *options, BerthDocument *document) {
  const BerthProblemData *problem =
      berthProblemGetData(berthDocumentGetProblem(document));
  BerthFitPlan plan;
  BerthError error = {0};
  BerthStatus status = berthFit(problem, &options->fit, &plan, &error);
  if (status != BERTH_SUCCESS)
    return toolFail(options->input, status, &error);
  bool fits =
      plan.status == BERTH_PLAN_OPTIMAL || plan.status == BERTH_PLAN_FEASIBLE;
  int code = fits ? writeFit(options, problem, &plan)
                  : explain(options, document, &plan);
  if (options->stats)
    printStats(&plan);
  berthFitPlanFree(&plan);
  return code;
}

static int verifyDocument(const FitOptions *options, BerthDocument *document) {
  const BerthProblemData *problem =
      berthProblemGetData(berthDocumentGetProblem(document));
  BerthFitOptions prices;
  BerthError error = {0};
  const BerthFitPlan *plan = berthDocumentGetFit(document, &prices);
  if (!plan) {
    berthErrorSet(&error, BERTH_INVALID, "the input holds no fit to verify");
    return toolFail(options->input, BERTH_INVALID, &error);
  }
  BerthStatus status = berthFitVerify(problem, &prices, plan, &error);
  if (status != BERTH_SUCCESS) {
    int code = toolFail(options->input, status, &error);
    return status == BERTH_INVALID ? EXIT_UNFIT : code;
  }
  if (options->stats)
    printStats(plan);
  printf("valid: %zu stays, cost %" PRId64 ", peak %" PRId64 "\n",
         plan->numStays, plan->cost, plan->peak);
  return fflush(stdout) == 0 ? EXIT_DONE : EXIT_INTERNAL;
}

int toolFit(int argc, char **argv) {
  FitOptions options;
  ParseResult result = parse(argc, argv, &options);
  if (result != PARSE_RUN)
    return result == PARSE_DONE ? EXIT_DONE : EXIT_USAGE;
  BerthDocument *document;
  BerthError error = {0};
  BerthStatus status =
      berthDocumentRead(options.input, NULL, &document, &error);
  if (status != BERTH_SUCCESS)
    return toolFail(options.input, status, &error);
  if (options.capacity > 0)
    berthProblemSetCapacity(berthDocumentGetProblem(document),
                            options.capacity);
  int code = options.verifyOnly ? verifyDocument(&options, document)
                                : fitDocument(&options, document);
  berthDocumentDestroy(document);
  return code;
}
