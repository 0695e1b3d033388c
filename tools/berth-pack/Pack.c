//===- Pack.c - The main job: read, pack or verify, write ------------ C --===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//

#define _POSIX_C_SOURCE 200809L

#include "IO/Text/Document.h"
#include "Pack/Incumbent/ProofLog.h"
#include "Tool.h"
#include "berth-c/Proof.h"

#include <string.h>
#include <time.h>
#include <unistd.h>

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

//===---------------------------------------------------------------------===//
// Output
//===---------------------------------------------------------------------===//

static BerthFormat chooseFormat(const Options *options,
                                const BerthDocument *document) {
  BerthFormat format = options->format;
  if (format == BERTH_FORMAT_AUTO)
    format = berthFormatFromPath(options->output);
  if (format == BERTH_FORMAT_AUTO)
    format = berthDocumentGetFormat(document);
  return format;
}

const char *toolTitle(const char *input) {
  if (strcmp(input, "-") == 0)
    return NULL;
  const char *slash = strrchr(input, '/');
  return slash ? slash + 1 : input;
}

static BerthStatus writeTo(FILE *stream, const Options *options,
                           BerthDocument *document, const BerthPlan *plan,
                           BerthError *error) {
  BerthFormat format = chooseFormat(options, document);
  const BerthProblemData *problem =
      berthProblemGetData(berthDocumentGetProblem(document));
  if (options->compare && format != BERTH_FORMAT_HTML)
    return berthErrorSet(error, BERTH_INVALID,
                         "--compare needs --format=html, or an output called "
                         "so");
  if (options->compare)
    return toolWriteComparison(stream, options->compare, problem, plan,
                               toolTitle(options->input), error);
  if (format == BERTH_FORMAT_CSV)
    return berthDocumentWriteCsv(stream, document, plan, error);
  return berthWrite(stream, format, problem, plan, toolTitle(options->input),
                    error);
}

/// Returns the exit code.
static int writePlan(const Options *options, BerthDocument *document,
                     const BerthPlan *plan) {
  BerthError error = {0};
  BerthOutput *output;
  BerthStatus status = berthOutputOpen(options->output, &output, &error);
  if (status != BERTH_SUCCESS)
    return toolFail(NULL, status, &error);
  status = writeTo(berthOutputStream(output), options, document, plan, &error);
  status = berthOutputClose(output, status, &error);
  return status == BERTH_SUCCESS ? EXIT_DONE : toolFail(NULL, status, &error);
}

//===---------------------------------------------------------------------===//
// Jobs
//===---------------------------------------------------------------------===//

static bool fits(const BerthPlan *plan) {
  return plan->status == BERTH_PLAN_OPTIMAL ||
         plan->status == BERTH_PLAN_FEASIBLE;
}

/// A CSV cannot say that its plan is over capacity, so none is written then;
/// the other formats state the status.
static bool isWorthWriting(const Options *options,
                           const BerthDocument *document,
                           const BerthPlan *plan) {
  if (fits(plan))
    return true;
  if (chooseFormat(options, document) == BERTH_FORMAT_CSV)
    return false;
  for (size_t i = 0; i < plan->numBuffers; ++i) {
    if (plan->offsets[i] == BERTH_NONE)
      return false;
  }
  return true;
}

static int finish(const Options *options, BerthDocument *document,
                  const BerthPlan *plan, double seconds) {
  const BerthProblemData *problem =
      berthProblemGetData(berthDocumentGetProblem(document));
  int code = EXIT_DONE;
  if (isWorthWriting(options, document, plan))
    code = writePlan(options, document, plan);
  if (code != EXIT_DONE) {
    if (options->pack.proofFile) // a proof of what nobody gets
      berthProofRemove(options->pack.proofFile);
    return code;
  }
  if (options->stats)
    berthWriteStats(stderr, plan, seconds, NULL);
  if (fits(plan))
    return EXIT_DONE;
  toolExplain(options->input, document, problem, plan, options->verifyOnly);
  return EXIT_UNFIT;
}

static int packDocument(const Options *options, BerthDocument *document) {
  const BerthProblemData *problem =
      berthProblemGetData(berthDocumentGetProblem(document));
  Options watched = *options;
  BerthPlan plan = {0};
  BerthError error = {0};
  toolWatch(&watched.pack);
  double start = now();
  BerthStatus status = options->plugin
                           ? toolPackIsolated(&watched, problem, &plan, &error)
                           : berthPack(problem, &watched.pack, &plan, &error);
  double seconds = now() - start;
  toolStopWatching();
  int code = status == BERTH_SUCCESS ? finish(options, document, &plan, seconds)
                                     : toolFail(options->input, status, &error);
  berthPlanFree(&plan);
  return code;
}

/// What the plan's own figures say once it is known to be valid.
static void judge(const BerthProblemData *problem, BerthPlan *plan) {
  plan->load = berthProblemLoad(problem, NULL);
  plan->lowerBound = plan->load;
  plan->boundReason = BERTH_BOUND_LOAD;
  plan->boundFrom = plan->boundTo = 0;
  plan->numBoundBuffers = 0;
  plan->provenLevels = 0;
  plan->status = BERTH_PLAN_FEASIBLE;
  if (problem->numPools == 0 && problem->capacity > 0 &&
      plan->peak > problem->capacity)
    plan->status = BERTH_PLAN_BUDGET;
}

/// What a file states of its plan, and the plan disproves. Whether a plan is
/// the best, and a bound below its peak, are claims that only a proof log
/// shows.
static BerthStatus checkStated(const Options *options, const BerthPlan *given,
                               const BerthPlan *plan, BerthError *error) {
  if (plan->load == BERTH_NONE)
    return berthErrorSet(error, BERTH_RESOURCE, "out of memory");
  if (given->load != plan->load)
    return berthErrorSet(error, BERTH_INVALID,
                         "the plan claims a load of %lld, but it is %lld",
                         (long long)given->load, (long long)plan->load);
  if (given->lowerBound > plan->peak)
    return berthErrorSet(
        error, BERTH_INVALID,
        "the plan claims a lower bound of %lld, but its peak is %lld",
        (long long)given->lowerBound, (long long)plan->peak);
  // With another capacity than the file's the status is another, too.
  if (options->capacity <= 0 && !fits(given) && fits(plan))
    return berthErrorSet(error, BERTH_INVALID,
                         "the plan claims a status of '%s', but it fits",
                         berthPlanStatusName(given->status));
  return BERTH_SUCCESS;
}

static int verifyDocument(const Options *options, BerthDocument *document) {
  const BerthProblemData *problem =
      berthProblemGetData(berthDocumentGetProblem(document));
  const BerthPlan *given = berthDocumentGetPlan(document);
  BerthError error = {0};
  if (!given) {
    berthErrorSet(&error, BERTH_INVALID, "the input holds no plan to verify");
    return toolFail(options->input, BERTH_INVALID, &error);
  }
  BerthPlan plan = *given;
  judge(problem, &plan);
  BerthStatus status = berthPlanVerify(problem, &plan, &error);
  if (status == BERTH_INVALID)
    berthDocumentLocateNamed(document, &error);
  if (status == BERTH_SUCCESS)
    status = checkStated(options, given, &plan, &error);
  if (status != BERTH_SUCCESS) {
    int code = toolFail(options->input, status, &error);
    return status == BERTH_INVALID ? EXIT_UNFIT : code;
  }
  bool wantsFile =
      options->format != BERTH_FORMAT_AUTO || strcmp(options->output, "-") != 0;
  if (wantsFile || !fits(&plan))
    return finish(options, document, &plan, 0.0);
  if (options->stats)
    berthWriteStats(stderr, &plan, 0.0, NULL);
  printf("valid: %zu buffer%s, peak %lld, load %lld\n", plan.numBuffers,
         plan.numBuffers == 1 ? "" : "s", (long long)plan.peak,
         (long long)plan.load);
  return EXIT_DONE;
}

#ifdef BERTH_WITH_PROOF_CHECK
static void printLimit(const char *before, int64_t limit) {
  if (limit != INT64_MAX)
    printf("%s of %lld or less", before, (long long)limit);
}

static void printRefuted(void *userData, const BerthRefutation *refutation) {
  bool peak = refutation->peak != INT64_MAX;
  (void)userData;
  printf("proven: no plan %s",
         peak || refutation->poolCost != INT64_MAX ? "has" : "fits the pools");
  printLimit(" a peak", refutation->peak);
  printLimit(peak ? " and a pool cost" : " a pool cost", refutation->poolCost);
  printLimit(" at a price", refutation->price);
  putchar('\n');
}

/// Replays the proof log against the problem. A log that is wrong is wrong in
/// some line; without one there was nothing that could be checked.
static int checkDocument(const Options *options, BerthDocument *document) {
  const BerthProblemData *problem =
      berthProblemGetData(berthDocumentGetProblem(document));
  BerthError error = {0};
  BerthStatus status =
      berthProofCheck(problem, options->checkProof, printRefuted, NULL, &error);
  if (status != BERTH_SUCCESS) {
    int code = toolFail(options->checkProof, status, &error);
    return status == BERTH_INVALID && error.line > 0 ? EXIT_UNFIT : code;
  }
  return EXIT_DONE;
}

#else

/// Never asked for: toolParseOptions says that there is none.
static int checkDocument(const Options *options, BerthDocument *document) {
  (void)options;
  (void)document;
  return EXIT_USAGE;
}

#endif

int toolPack(const Options *options) {
  BerthReadOptions read = {.offsetsArePlan = options->verifyOnly};
  BerthDocument *document;
  BerthError error = {0};
  if (strcmp(options->input, "-") == 0 && isatty(STDIN_FILENO))
    fputs("berth-pack: reading the terminal; --help shows how to use files\n",
          stderr);
  BerthStatus status =
      berthDocumentRead(options->input, &read, &document, &error);
  if (status != BERTH_SUCCESS)
    return toolFail(options->input, status, &error);
  if (options->capacity > 0)
    berthProblemSetCapacity(berthDocumentGetProblem(document),
                            options->capacity);
  const BerthProblemData *problem =
      berthProblemGetData(berthDocumentGetProblem(document));
  if (options->pack.minimize && problem->capacity <= 0)
    fputs("berth-pack: note: --minimize changes nothing without a capacity\n",
          stderr);
  int code = options->checkProof   ? checkDocument(options, document)
             : options->verifyOnly ? verifyDocument(options, document)
                                   : packDocument(options, document);
  berthDocumentDestroy(document);
  return code;
}
