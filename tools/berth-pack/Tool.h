//===- Tool.h - What the parts of berth-pack share ----------------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//
//
//   Main.c      subcommand table
//   Options.c   command line of the main job, its --help
//   Pack.c      the main job: read, pack or verify, write
//   Explain.c   why it does not fit
//   Progress.c  the line on a terminal, SIGINT
//   Isolate.c   a plugin's packer in a child process
//   Generate.c  berth-pack gen
//   Diff.c      berth-pack diff
//   Fit.c       berth-pack fit; FitPicture.c draws
//   Fold.c      berth-pack fold
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_TOOLS_BERTH_PACK_TOOL_H
#define BERTH_TOOLS_BERTH_PACK_TOOL_H

#include "IO/NamedFiles.h"
#include "berth-c/IO.h"
#include "berth-c/Pack.h"

/// Exit codes, promised to scripts.
enum {
  EXIT_DONE = 0,
  EXIT_UNFIT = 1,   ///< infeasible, over capacity, or an invalid plan
  EXIT_USAGE = 2,   ///< bad options or bad input
  EXIT_INTERNAL = 3 ///< out of memory, a broken packer or plugin
};

typedef struct Options {
  const char *input; ///< "-": standard input
  const char *output;
  BerthFormat format; ///< AUTO: as the output's name says, else as the input
  int64_t capacity;   ///< 0: what the input says
  const char *plugin;
  double pluginTime;    ///< seconds
  int64_t pluginMemory; ///< bytes
  bool limitsPlugin;    ///< time or memory was given
  const char *checkProof;
  const char *compare; ///< a file with another plan, or NULL
  bool verifyOnly;
  bool stats;
  BerthPackOptions pack;
} Options;

typedef enum ParseResult {
  PARSE_RUN,  ///< go on with the main job
  PARSE_DONE, ///< --help and the like: all is said
  PARSE_BAD   ///< the complaint is printed
} ParseResult;

ParseResult toolParseOptions(int argc, char **argv, Options *options);

/// Reads a whole number, at most `most`.
bool toolParseCount(const char *text, uint64_t most, uint64_t *value);

/// What is wrong with a text that it refuses: too large, or not as `expected`.
/// Holds until the next call.
const char *toolCountComplaint(const char *text, uint64_t most,
                               const char *expected);

/// Complains, in a tool's name, if no format is given and the output is called
/// as one that is not written.
bool toolIsNamedWell(const char *tool, BerthFormat format, const char *output);

/// Complains, in a tool's name, if two files are one and it would be written.
bool toolFilesAreApart(const char *tool, const BerthNamedFile *files,
                       size_t count);

/// An input's name without its folder, for headings; NULL for standard input.
const char *toolTitle(const char *input);

/// Adds a name to a list with commas.
void toolAppendName(char *list, size_t size, const char *name);

/// The main job. Returns the exit code.
int toolPack(const Options *options);

/// Prints "file:line:column: error: message" and returns the exit code that
/// fits the status. `file` may be NULL for errors of no file.
int toolFail(const char *file, BerthStatus status, const BerthError *error);

/// Prints "berth-pack: error: ..." with the message's number; returns
/// EXIT_USAGE. `tool` is "berth-pack" or one of its subcommands.
int toolComplain(const char *tool, const char *format, ...) BERTH_PRINTF(2, 3);

/// Says why the plan misses the capacity: peak, capacity, the most costly
/// point and its five largest buffers.
void toolExplain(const char *file, const BerthDocument *document,
                 const BerthProblemData *problem, const BerthPlan *plan,
                 bool isGiven);

/// Says which buffers a fit would have to hold at once, and cannot.
void toolExplainFit(const char *file, const BerthDocument *document,
                    const BerthProblemData *problem, const BerthFitPlan *plan,
                    const BerthFitOptions *options);

/// A page with the plan and, beside it, that of the file `path`, which must be
/// for the same buffers.
BerthStatus toolWriteComparison(FILE *stream, const char *path,
                                const BerthProblemData *problem,
                                const BerthPlan *plan, const char *title,
                                BerthError *error);

/// Sets `interrupted` and `progress` of the options.
void toolWatch(BerthPackOptions *options);
/// Removes the progress line.
void toolStopWatching(void);

/// Packs with the plugin's packer, in a child under limits. The plan is
/// verified here, and what it claims is believed only as far as this process
/// can tell by itself.
BerthStatus toolPackIsolated(const Options *options,
                             const BerthProblemData *problem, BerthPlan *plan,
                             BerthError *error);

/// Subcommands; argv[0] is their name. They return the exit code.
int toolGenerate(int argc, char **argv);
int toolDiff(int argc, char **argv);
int toolFit(int argc, char **argv);
/// Only where Berth was built with isl.
int toolFold(int argc, char **argv);

#endif // BERTH_TOOLS_BERTH_PACK_TOOL_H
