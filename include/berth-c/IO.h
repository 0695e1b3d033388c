//===- IO.h - Problems and plans as files -------------------------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//
//
// Problems and plans enter and leave Berth as text:
//
//   CSV    one buffer a row, the dialect of minimalloc and more (docs/csv.md);
//          holds buffers, but no edges, groups, pools or reserved ranges
//   JSON   everything that BerthProblemData and BerthPlan hold (docs/json.md)
//   SVG    a picture: time across, bytes up, one box a buffer (output only)
//   HTML   the same to explore: hover, zoom, load curve      (output only)
//
//   file --berthDocumentRead--> BerthDocument --> problem, plan
//   problem, plan --berthWrite...--> stream or file
//
// A document remembers where in its text each buffer stands, so that every
// error about a buffer can name a line and a column, and a CSV can be written
// back with its rows and columns as they were.
//
// Where memory runs out, a call returns BERTH_RESOURCE, leaves nothing behind
// and writes no file; what a stream has been given by then is not whole.
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_C_IO_H
#define BERTH_C_IO_H

#include "berth-c/Fit.h"
#include "berth-c/Pack.h"

#include <stdio.h>

BERTH_EXTERN_C_BEGIN

typedef enum BerthFormat {
  BERTH_FORMAT_AUTO = 0, ///< by file name, else by the first character
  BERTH_FORMAT_CSV = 1,
  BERTH_FORMAT_JSON = 2,
  BERTH_FORMAT_SVG = 3,
  BERTH_FORMAT_HTML = 4
} BerthFormat;

/// The format called "csv", "json", "svg" or "html"; AUTO for other names.
BERTH_EXPORT BerthFormat berthFormatFromName(const char *name);

/// The format that a path's extension names; AUTO where it names none.
BERTH_EXPORT BerthFormat berthFormatFromPath(const char *path);

//===---------------------------------------------------------------------===//
// Reading
//===---------------------------------------------------------------------===//

/// A parsed input: a checked problem, perhaps a plan, and the text itself.
typedef struct BerthDocument BerthDocument;

/// How to read. Zero-initialised (or NULL) means: find out the format; an
/// `offset` column of a CSV pins its buffers.
typedef struct BerthReadOptions {
  BerthFormat format;
  /// The `offset` column of a CSV is a plan (each row needs one), not pins. A
  /// JSON input has both, under different names, and ignores this.
  bool offsetsArePlan;
} BerthReadOptions;

/// Reads `path` ("-": standard input). On failure `*document` is NULL and the
/// error holds the line and column where the text is to blame; the status is
/// BERTH_INVALID also where the file cannot be opened.
BERTH_EXPORT BerthStatus berthDocumentRead(const char *path,
                                           const BerthReadOptions *options,
                                           BerthDocument **document,
                                           BerthError *error);

/// The same for `length` bytes of text, which are copied.
BERTH_EXPORT BerthStatus berthDocumentParse(const char *text, size_t length,
                                            const BerthReadOptions *options,
                                            BerthDocument **document,
                                            BerthError *error);

BERTH_EXPORT void berthDocumentDestroy(BerthDocument *document);

/// CSV or JSON.
BERTH_EXPORT BerthFormat berthDocumentGetFormat(const BerthDocument *document);

/// The problem, owned by the document; it may be changed (say, given a
/// capacity) but keeps its buffers.
BERTH_EXPORT BerthProblem *berthDocumentGetProblem(BerthDocument *document);

/// The plan in the text, owned by the document, or NULL. It is as untrusted as
/// the text: verify it.
BERTH_EXPORT const BerthPlan *
berthDocumentGetPlan(const BerthDocument *document);

/// The fit plan in the text, owned by the document, or NULL; `*options` are the
/// prices that it states. As untrusted as the text.
BERTH_EXPORT const BerthFitPlan *
berthDocumentGetFit(const BerthDocument *document, BerthFitOptions *options);

/// Sets the error's line and column to those of a buffer; leaves them alone
/// for SIZE_MAX or an unknown index.
BERTH_EXPORT void berthDocumentLocate(const BerthDocument *document,
                                      size_t buffer, BerthError *error);

//===---------------------------------------------------------------------===//
// Writing
//===---------------------------------------------------------------------===//
//
// `plan` may be NULL: then the problem alone is written. `title` is a heading
// for people, or NULL. All return BERTH_RESOURCE when the stream has failed.
// The same problem and plan give the same bytes.

/// The rows of the document, its text and column order kept, plus an `offset`
/// column (or the one it has, filled in). A document that was no CSV is
/// written like berthWriteCsv.
BERTH_EXPORT BerthStatus berthDocumentWriteCsv(FILE *stream,
                                               const BerthDocument *document,
                                               const BerthPlan *plan,
                                               BerthError *error);

/// Columns id, lower, upper, size, then alignment, gaps and hint where any
/// buffer has them, then offset. BERTH_INVALID for what CSV cannot hold.
BERTH_EXPORT BerthStatus berthWriteCsv(FILE *stream,
                                       const BerthProblemData *problem,
                                       const BerthPlan *plan,
                                       BerthError *error);

/// The schema of docs/json.md; berthDocumentParse reads it back without loss.
BERTH_EXPORT BerthStatus berthWriteJson(FILE *stream,
                                        const BerthProblemData *problem,
                                        const BerthPlan *plan,
                                        BerthError *error);

/// A fit plan, one stay a row: buffer, lower, upper, size, offset, fill, spill.
BERTH_EXPORT BerthStatus berthWriteFitCsv(FILE *stream,
                                          const BerthProblemData *problem,
                                          const BerthFitPlan *fit,
                                          BerthError *error);

/// The problem and, as `fit`, the plan; read back without loss.
BERTH_EXPORT BerthStatus berthWriteFitJson(FILE *stream,
                                           const BerthProblemData *problem,
                                           const BerthFitOptions *options,
                                           const BerthFitPlan *fit,
                                           BerthError *error);

/// A picture that stands alone: one panel a pool, the load curve below.
BERTH_EXPORT BerthStatus berthWriteSvg(FILE *stream,
                                       const BerthProblemData *problem,
                                       const BerthPlan *plan, const char *title,
                                       BerthError *error);

/// A page that stands alone (no network) and works with tens of thousands of
/// buffers.
BERTH_EXPORT BerthStatus berthWriteHtml(FILE *stream,
                                        const BerthProblemData *problem,
                                        const BerthPlan *plan,
                                        const char *title, BerthError *error);

/// One of the above by its format.
BERTH_EXPORT BerthStatus berthWrite(FILE *stream, BerthFormat format,
                                    const BerthProblemData *problem,
                                    const BerthPlan *plan, const char *title,
                                    BerthError *error);

/// The plan's figures as one line of JSON and a newline: packer, buffers,
/// peak, load, lower_bound, optimal, status, stopped, steps, time_ms.
BERTH_EXPORT BerthStatus berthWriteStats(FILE *stream, const BerthPlan *plan,
                                         double seconds, BerthError *error);

/// Names as the files spell them, e.g. "optimal" and "bound".
BERTH_EXPORT const char *berthPlanStatusName(BerthPlanStatus status);
BERTH_EXPORT const char *berthStopReasonName(BerthStopReason reason);
BERTH_EXPORT const char *berthBoundReasonName(BerthBoundReason reason);

//===---------------------------------------------------------------------===//
// Files that are whole or not there
//===---------------------------------------------------------------------===//

/// An output under way: a temporary file beside the target, renamed over it at
/// the end, so that no reader ever sees half of it. "-" is standard output,
/// for which there is no taking back.
typedef struct BerthOutput BerthOutput;

BERTH_EXPORT BerthStatus berthOutputOpen(const char *path, BerthOutput **output,
                                         BerthError *error);
BERTH_EXPORT FILE *berthOutputStream(const BerthOutput *output);
/// Flushes, checks that all was written, renames. Frees the output always.
BERTH_EXPORT BerthStatus berthOutputCommit(BerthOutput *output,
                                           BerthError *error);
/// Removes the temporary and frees the output.
BERTH_EXPORT void berthOutputAbandon(BerthOutput *output);
/// One of the two, by the status of what wrote into the stream; where the
/// stream has failed, the error names the file and the cause. Returns what came
/// of it.
BERTH_EXPORT BerthStatus berthOutputClose(BerthOutput *output,
                                          BerthStatus status,
                                          BerthError *error);

/// Open, berthWrite, commit.
BERTH_EXPORT BerthStatus berthWriteFile(const char *path, BerthFormat format,
                                        const BerthProblemData *problem,
                                        const BerthPlan *plan,
                                        const char *title, BerthError *error);

//===---------------------------------------------------------------------===//
// Packing in another process
//===---------------------------------------------------------------------===//
//
// For packers that are not trusted to end, to stay within memory, to survive
// or to tell the truth. What comes back is only offsets, pools and cuts: Berth
// measures, judges and verifies them as if they were a packer's answer, so the
// plan claims nothing that this process has not found by itself.

/// Where and under which limits to pack. Zero means the default.
typedef struct BerthProcessOptions {
  const char *tool; ///< path of berth-pack; NULL: the one beside the program or
                    ///< library that this is in, or in bin above; else PATH's
  const char *plugin; ///< --packer-plugin=, or NULL
  double seconds;     ///< wall clock until the process is killed; default 60
  int64_t memory;     ///< address space in bytes; default 4 GiB
} BerthProcessOptions;

/// As berthPack, in a process of its own: runs berth-pack, with problem and
/// plan as JSON through pipes. BERTH_INTERNAL if it crashes, hangs or lies;
/// BERTH_INVALID if it says that the problem or an option is bad. The plan's
/// `packer` is "plugin" where it is not one of the table.
BERTH_EXPORT BerthStatus berthPackInProcess(const BerthProblemData *problem,
                                            const BerthPackOptions *pack,
                                            const BerthProcessOptions *process,
                                            BerthPlan *plan, BerthError *error);

BERTH_EXTERN_C_END

#endif // BERTH_C_IO_H
