//===- Options.c - The command line of the main job ------------------ C --===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//

#define _POSIX_C_SOURCE 200809L

#include "NextOption.h"
#include "Support/Bytes.h"
#include "Support/Messages.h"
#include "Tool.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char helpText[] =
    "Usage: berth-pack [options] [INPUT.csv|INPUT.json|-]\n"
    "       berth-pack gen FAMILY [options]      (problems to try)\n"
    "       berth-pack diff A B                  (plans of modules)\n"
    "       berth-pack fit [options] [INPUT|-]   (what must leave)\n"
#ifdef BERTH_WITH_FOLD
    "       berth-pack fold [options] [INPUT|-]  (fewer cells for one array)\n"
#endif
    "\n"
    "Gives each buffer an offset in one block of memory, so that buffers that\n"
    "are live at the same time never share a byte and the block is as small\n"
    "as possible. Reads standard input and writes standard output unless told\n"
    "otherwise.\n"
    "\n"
    "An input is a CSV with a header, one buffer a row:\n"
    "\n"
    "    id,lower,upper,size    lives from lower up to, not including, upper\n"
    "    a,0,5,1024             (a column `end` instead of `upper` includes)\n"
    "    b,3,9,512              optional: alignment, gaps, offset (pins the\n"
    "    c,5,9,1024             buffer), hint; for fit: uses, backed\n"
    "\n"
    "or a JSON file, which also holds pools, reserved ranges, colocation and\n"
    "edges (docs/json.md). The output is the same rows with an offset column.\n"
    "\n"
    "Of two plans the better one is, in this order, the one that fits, with "
    "the\n"
    "lower cost of pools, the lower peak, the lower price of cuts, nearer to\n"
    "hints. With a capacity the price counts before the peak.\n"
    "\n"
    "Packing:\n"
    "  --packer=NAME        how to pack (default auto); `list` shows them all\n"
    "  --capacity=BYTES     fit into this much (suffixes K, M, G), or exit 1\n"
    "  --minimize           with a capacity: go on below it\n"
    "  --steps=N            step budget; the same steps give the same answer\n"
    "                       (0: the packer's own)\n"
    "  --time-limit=SECONDS stop then with the best so far (not reproducible;\n"
    "                       the steps that --stats shows are)\n"
    "  --threads=N          threads to use; never changes the answer\n"
    "  --seed=N             for packers with randomness (default 0)\n"
    "  --proof=FILE         write a log of what proves the answer\n"
#ifdef BERTH_WITH_PROOF_CHECK
    "  --check-proof=FILE   replay such a log against INPUT and pack nothing\n"
#endif
    "  --packer-plugin=FILE.so\n"
    "                       pack with a packer of your own, in a child\n"
    "                       process\n"
    "  --plugin-time=SECONDS, --plugin-memory=BYTES\n"
    "                       that child's limits (default 60, or 5 more than\n"
    "                       the time limit, and 4G)\n"
    "\n"
    "Input and output:\n"
    "  --verify-only        pack nothing: check that the input's offsets are\n"
    "                       a plan\n"
    "  --format=FORMAT      csv, json, svg (a picture) or html (a picture to\n"
    "                       explore); default: by OUTPUT's name, else INPUT's\n"
    "  -o, --output=FILE    where to write (default -, standard output)\n"
    "  --compare=OTHER      with HTML output: show the plan in the file "
    "OTHER,\n"
    "                       for the same buffers, side by side; with\n"
    "                       --verify-only INPUT is a plan, too\n"
    "  --stats              the figures as one line of JSON on standard error\n"
    "  -h, --help           this text; gen, diff, fit and fold have own ones\n"
    "  --explain-error=ID   what the message with this number means, such as\n"
    "                       berth-E005; `list` shows them all\n"
    "  --version            the version\n"
    "\n"
    "Exit codes: 0 done, 1 does not fit, or the plan or log is wrong, 2 bad\n"
    "usage or input, 3 internal error.\n"
    "\n"
    "Examples:\n"
    "  berth-pack buffers.csv --stats\n"
    "  berth-pack --capacity=1M --output=plan.csv buffers.csv\n"
    "  berth-pack --verify-only plan.csv\n"
    "  berth-pack --output=map.html buffers.csv     # then open map.html\n"
    "  berth-pack gen network --buffers=1000 | berth-pack --packer=skyline\n";

enum {
  OPTION_PACKER = 256,
  OPTION_CAPACITY,
  OPTION_FORMAT,
  OPTION_VERIFY_ONLY,
  OPTION_STATS,
  OPTION_COMPARE,
  OPTION_MINIMIZE,
  OPTION_STEPS,
  OPTION_TIME_LIMIT,
  OPTION_THREADS,
  OPTION_SEED,
  OPTION_PROOF,
  OPTION_CHECK_PROOF,
  OPTION_PLUGIN,
  OPTION_PLUGIN_TIME,
  OPTION_PLUGIN_MEMORY,
  OPTION_EXPLAIN_ERROR,
  OPTION_VERSION
};

static const struct option longOptions[] = {
    {"packer", required_argument, NULL, OPTION_PACKER},
    {"capacity", required_argument, NULL, OPTION_CAPACITY},
    {"format", required_argument, NULL, OPTION_FORMAT},
    {"output", required_argument, NULL, 'o'},
    {"verify-only", no_argument, NULL, OPTION_VERIFY_ONLY},
    {"stats", no_argument, NULL, OPTION_STATS},
    {"compare", required_argument, NULL, OPTION_COMPARE},
    {"minimize", no_argument, NULL, OPTION_MINIMIZE},
    {"steps", required_argument, NULL, OPTION_STEPS},
    {"time-limit", required_argument, NULL, OPTION_TIME_LIMIT},
    {"threads", required_argument, NULL, OPTION_THREADS},
    {"seed", required_argument, NULL, OPTION_SEED},
    {"proof", required_argument, NULL, OPTION_PROOF},
    {"check-proof", required_argument, NULL, OPTION_CHECK_PROOF},
    {"packer-plugin", required_argument, NULL, OPTION_PLUGIN},
    {"plugin-time", required_argument, NULL, OPTION_PLUGIN_TIME},
    {"plugin-memory", required_argument, NULL, OPTION_PLUGIN_MEMORY},
    {"explain-error", required_argument, NULL, OPTION_EXPLAIN_ERROR},
    {"help", no_argument, NULL, 'h'},
    {"version", no_argument, NULL, OPTION_VERSION},
    {NULL, 0, NULL, 0}};

//===---------------------------------------------------------------------===//
// Values
//===---------------------------------------------------------------------===//

bool toolParseCount(const char *text, uint64_t most, uint64_t *value) {
  char *end;
  errno = 0;
  unsigned long long number = strtoull(text, &end, 10);
  if (text[0] < '0' || text[0] > '9' || *end || errno || number > most)
    return false;
  *value = number;
  return true;
}

const char *toolCountComplaint(const char *text, uint64_t most,
                               const char *expected) {
  static char tooLarge[80];
  uint64_t value;
  if (!berthIsWholeNumber(text) || toolParseCount(text, most, &value))
    return expected;
  snprintf(tooLarge, sizeof tooLarge,
           "it is too large: the largest is %" PRIu64, most);
  return tooLarge;
}

void toolAppendName(char *list, size_t size, const char *name) {
  size_t length = strlen(list);
  snprintf(list + length, size - length, "%s%s", length ? ", " : "", name);
}

static bool parseSeconds(const char *text, double *seconds) {
  char *end;
  *seconds = strtod(text, &end);
  // In figures of ten, as a decimal fraction or with an exponent.
  return strspn(text, "0123456789.eE+-") == strlen(text) && end != text &&
         !*end && isfinite(*seconds) && *seconds > 0.0;
}

bool toolIsNamedWell(const char *tool, BerthFormat format, const char *output) {
  if (format != BERTH_FORMAT_AUTO || !berthPathIsForeign(output))
    return true;
  toolComplain(tool,
               "--output ends in a format that Berth does not write: csv, "
               "json, svg (a picture) and html are those it does");
  return false;
}

bool toolFilesAreApart(const char *tool, const BerthNamedFile *files,
                       size_t count) {
  BerthError error;
  if (berthCheckNamedFiles(files, count, &error) == BERTH_SUCCESS)
    return true;
  toolComplain(tool, "%s", error.message);
  return false;
}

//===---------------------------------------------------------------------===//
// Options
//===---------------------------------------------------------------------===//

static ParseResult complain(const char *option, const char *value,
                            const char *expected) {
  int64_t number;
  if (berthNumberMeant(value, &number))
    toolComplain("berth-pack", "%s '%s': %s; write %s=%" PRId64, option, value,
                 expected, option, number);
  else
    toolComplain("berth-pack", "%s '%s': %s", option, value, expected);
  return PARSE_BAD;
}

static ParseResult listPackers(void) {
  for (size_t i = 0; i < berthPackerCount(); ++i)
    printf("%-20s %s\n", berthPackerName(i), berthPackerSummary(i));
  return PARSE_DONE;
}

static ParseResult choosePacker(const char *name, Options *options) {
  if (strcmp(name, "list") == 0)
    return listPackers();
  options->pack.packer = name;
  if (berthPackerFind(name) != SIZE_MAX)
    return PARSE_RUN;
  char known[640] = "";
  for (size_t i = 0; i < berthPackerCount(); ++i)
    toolAppendName(known, sizeof known, berthPackerName(i));
  toolComplain("berth-pack", "unknown packer '%s'; known: %s", name, known);
  return PARSE_BAD;
}

static ParseResult parseThreads(const char *text, Options *options) {
  uint64_t threads;
  if (!toolParseCount(text, 1024, &threads) || threads == 0)
    return complain("--threads", text, "expected a number from 1 to 1024");
  options->pack.threads = (unsigned)threads;
  return PARSE_RUN;
}

/// Options whose value is a number.
static ParseResult takeNumber(int option, const char *value, Options *options) {
  static const char wantSeconds[] =
      "expected a positive number of seconds, such as 0.5 or 60, without unit";
  switch (option) {
  case OPTION_CAPACITY:
    return berthParseBytes(value, &options->capacity)
               ? PARSE_RUN
               : complain("--capacity", value, berthBytesComplaint(value));
  case OPTION_PLUGIN_MEMORY:
    options->limitsPlugin = true;
    return berthParseBytes(value, &options->pluginMemory)
               ? PARSE_RUN
               : complain("--plugin-memory", value, berthBytesComplaint(value));
  case OPTION_TIME_LIMIT:
    return parseSeconds(value, &options->pack.timeLimit)
               ? PARSE_RUN
               : complain("--time-limit", value, wantSeconds);
  case OPTION_PLUGIN_TIME:
    options->limitsPlugin = true;
    return parseSeconds(value, &options->pluginTime)
               ? PARSE_RUN
               : complain("--plugin-time", value, wantSeconds);
  case OPTION_STEPS:
    return toolParseCount(value, UINT64_MAX, &options->pack.steps)
               ? PARSE_RUN
               : complain("--steps", value,
                          toolCountComplaint(value, UINT64_MAX,
                                             "expected a whole number"));
  case OPTION_SEED:
    return toolParseCount(value, UINT64_MAX, &options->pack.seed)
               ? PARSE_RUN
               : complain("--seed", value,
                          toolCountComplaint(value, UINT64_MAX,
                                             "expected a whole number"));
  default:
    return parseThreads(value, options);
  }
}

static ParseResult takeFormat(const char *value, Options *options) {
  options->format = berthFormatFromName(value);
  if (options->format == BERTH_FORMAT_AUTO)
    return complain("--format", value, "expected csv, json, svg or html");
  return PARSE_RUN;
}

static ParseResult takeOption(int option, const char *value, Options *options) {
  switch (option) {
  case 'h':
    fputs(helpText, stdout);
    return PARSE_DONE;
  case OPTION_VERSION:
    printf("berth-pack %s\n", berthVersionString());
    return PARSE_DONE;
  case OPTION_PACKER:
    return choosePacker(value, options);
  case OPTION_FORMAT:
    return takeFormat(value, options);
  case 'o':
    options->output = value;
    return PARSE_RUN;
  case OPTION_EXPLAIN_ERROR:
    return berthMessageExplain(value, stdout, stderr) ? PARSE_BAD : PARSE_DONE;
  case OPTION_VERIFY_ONLY:
    options->verifyOnly = true;
    return PARSE_RUN;
  case OPTION_STATS:
    options->stats = true;
    return PARSE_RUN;
  case OPTION_COMPARE:
    options->compare = value;
    return PARSE_RUN;
  case OPTION_MINIMIZE:
    options->pack.minimize = true;
    return PARSE_RUN;
  case OPTION_PROOF:
    options->pack.proofFile = value;
    return PARSE_RUN;
  case OPTION_CHECK_PROOF:
    options->checkProof = value;
    return PARSE_RUN;
  case OPTION_PLUGIN:
    options->plugin = value;
    return PARSE_RUN;
  case '?':
    return PARSE_BAD;
  default:
    return takeNumber(option, value, options);
  }
}

static void settleDefaults(Options *options) {
  double patience = options->pack.timeLimit + 5.0;
  if (options->pluginTime <= 0.0)
    options->pluginTime = patience > 60.0 ? patience : 60.0;
}

static bool isPlan(const Options *options) {
  BerthFormat format = options->format != BERTH_FORMAT_AUTO
                           ? options->format
                           : berthFormatFromPath(options->output);
  return format != BERTH_FORMAT_SVG && format != BERTH_FORMAT_HTML;
}

static ParseResult checkFiles(const Options *options) {
  bool writes = !options->verifyOnly && !options->checkProof;
  const BerthNamedFile files[] = {
      {"--output", writes ? options->output : NULL, true},
      {"--proof", options->pack.proofFile, true},
      {"--compare", options->compare, false},
      {"--packer-plugin", options->plugin, false},
      {"INPUT", options->input, false}};
  size_t count = sizeof files / sizeof files[0];
  // The plan may replace the input, whose rows it has.
  bool mayReplace = isPlan(options);
  bool areApart =
      toolFilesAreApart("berth-pack", files, count - mayReplace) &&
      toolFilesAreApart("berth-pack", files + mayReplace, count - mayReplace);
  return areApart ? PARSE_RUN : PARSE_BAD;
}

static ParseResult checkTogether(const Options *options) {
  const char *complaint = NULL;
  if (options->verifyOnly && options->checkProof)
    complaint = "--verify-only and --check-proof are different jobs";
  else if (options->plugin && options->pack.packer)
    complaint = "--packer and --packer-plugin both name a packer";
  else if (!options->plugin && options->limitsPlugin)
    complaint = "--plugin-time and --plugin-memory need --packer-plugin";
  else if (options->checkProof && strcmp(options->checkProof, "-") == 0)
    complaint = "--check-proof reads a file, not standard input";
  else if (options->compare && strcmp(options->compare, "-") == 0 &&
           strcmp(options->input, "-") == 0)
    complaint = "--compare and INPUT both read standard input";
  else if (options->plugin && options->pack.proofFile)
    complaint = "--proof needs a packer of Berth's own, not a plugin's";
#ifndef BERTH_WITH_PROOF_CHECK
  else if (options->checkProof)
    complaint = "--check-proof: this build has no checker of proofs";
#endif
  if (!complaint)
    return toolIsNamedWell("berth-pack", options->format, options->output)
               ? checkFiles(options)
               : PARSE_BAD;
  toolComplain("berth-pack", "%s", complaint);
  return PARSE_BAD;
}

/// How one says here what other tools have a subcommand for.
static const struct {
  const char *word, *advice;
} otherWords[] = {
    {"pack", "`berth-pack FILE` packs"},
    {"plan", "`berth-pack FILE` packs"},
    {"solve", "`berth-pack FILE` packs"},
    {"run", "`berth-pack FILE` packs"},
    {"verify", "`berth-pack --verify-only FILE` checks a plan"},
    {"check", "`berth-pack --verify-only FILE` checks a plan"},
    {"validate", "`berth-pack --verify-only FILE` checks a plan"},
    {"compare", "`berth-pack diff OLD NEW` compares plans of berth-arena, and "
                "`berth-pack FILE -o plan.html --compare=OTHER` draws two"},
    {"generate", "`berth-pack gen FAMILY` writes a problem"},
    {"draw", "`berth-pack FILE -o plan.svg` draws"},
    {"view", "`berth-pack FILE -o plan.html` draws"},
    {"show", "`berth-pack FILE -o plan.html` draws"},
    {"report", "`berth-pack FILE -o plan.html` draws"},
    {"convert", "`berth-pack FILE -o plan.json` writes another format"},
    {"prove", "`berth-pack --proof=LOG FILE` writes what proves the answer"},
    {"list", "`berth-pack --packer=list` lists the packers"},
    {"explain", "`berth-pack --explain-error=NUMBER` explains a message"},
    {"help", "`berth-pack --help` lists the options"},
    {"version", "`berth-pack --version` tells it"}};

/// Whether the input is a word that was meant for a subcommand, and no file.
static bool refuseWord(const char *input) {
  for (size_t i = 0; i < sizeof otherWords / sizeof otherWords[0]; ++i)
    if (strcmp(input, otherWords[i].word) == 0 && access(input, F_OK) != 0) {
      toolComplain("berth-pack", "'%s' is no file and no subcommand: %s", input,
                   otherWords[i].advice);
      return true;
    }
  return false;
}

ParseResult toolParseOptions(int argc, char **argv, Options *options) {
  *options =
      (Options){.input = "-", .output = "-", .pluginMemory = INT64_C(4) << 30};
  int option;
  while ((option = toolNextOption("berth-pack", argc, argv,
                                  "ho:", longOptions)) != -1) {
    ParseResult result = takeOption(option, optarg, options);
    if (result != PARSE_RUN)
      return result;
  }
  if (optind < argc)
    options->input = argv[optind++];
  if (refuseWord(options->input))
    return PARSE_BAD;
  if (optind < argc) {
    toolComplain("berth-pack", "one input is enough, but '%s' follows '%s'",
                 argv[optind], options->input);
    return PARSE_BAD;
  }
  settleDefaults(options);
  return checkTogether(options);
}
