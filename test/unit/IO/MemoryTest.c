//===- MemoryTest.c - The library where memory runs out ------------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//
//
// Each job is run again and again, with the n-th request of the library for
// memory refused, for every n, first that request alone and then with all that
// follow it. Each run must end with BERTH_RESOURCE and a message, or do its job
// all the same; it leaves no memory behind and no file that is not whole. The
// linker puts the functions below in place of those that the library calls.
//
//===---------------------------------------------------------------------===//

#define _GNU_SOURCE // fopencookie

#include "IO/Json/PlanFile.h"
#include "IO/Text/TextBuffer.h"
#include "Reading.h"
#include "Support/Allocate.h"
#include "Support/BumpMemory.h"
#include "berth-c/Generate.h"
#include "berth-c/Proof.h"
#include "berth-c/Session.h"

#include <dirent.h>
#include <errno.h>
#include <stdatomic.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

//===---------------------------------------------------------------------===//
// What the library calls
//===---------------------------------------------------------------------===//

static atomic_long requests; ///< since the job began
static atomic_long live;     ///< blocks that the library has not given back
static long refused;         ///< which request to refuse; 0: none
static bool refuseLater;     ///< and all that follow

static bool refuse(void) {
  long request = ++requests;
  return refused && (request == refused || (refuseLater && request > refused));
}

static void *counted(void *block) {
  if (block)
    ++live;
  else
    errno = ENOMEM;
  return block;
}

#define WRAP(type, name, ...)                                                  \
  type __real_##name(__VA_ARGS__);                                             \
  type __wrap_##name(__VA_ARGS__);                                             \
  type __wrap_##name(__VA_ARGS__)

WRAP(void *, malloc, size_t size) {
  return counted(refuse() ? NULL : __real_malloc(size));
}
WRAP(void *, calloc, size_t count, size_t size) {
  return counted(refuse() ? NULL : __real_calloc(count, size));
}
WRAP(void *, realloc, void *block, size_t size) {
  if (!block)
    return __wrap_malloc(size);
  if (!refuse())
    return __real_realloc(block, size);
  errno = ENOMEM;
  return NULL;
}
WRAP(void, free, void *block) {
  live -= block != NULL;
  __real_free(block);
}
WRAP(void *, mmap, void *at, size_t size, int may, int how, int file,
     off_t start) {
  void *block =
      refuse() ? MAP_FAILED : __real_mmap(at, size, may, how, file, start);
  live += block != MAP_FAILED;
  return block;
}
WRAP(int, munmap, void *block, size_t size) {
  --live;
  return __real_munmap(block, size);
}
// Streams are memory too.
WRAP(FILE *, fopen, const char *path, const char *mode) {
  return counted(refuse() ? NULL : __real_fopen(path, mode));
}
WRAP(FILE *, fdopen, int file, const char *mode) {
  return counted(refuse() ? NULL : __real_fdopen(file, mode));
}
WRAP(FILE *, fopencookie, void *cookie, const char *mode,
     cookie_io_functions_t functions) {
  return counted(refuse() ? NULL : __real_fopencookie(cookie, mode, functions));
}
WRAP(int, fclose, FILE *stream) {
  --live;
  return __real_fclose(stream);
}

// Most tables lie in an arena, whose chunks few of them fill: without these
// two, most refusals would never be met.
WRAP(void *, berthMemoryAllocate, BerthMemory *arena, size_t count,
     size_t size) {
  if (!refuse())
    return __real_berthMemoryAllocate(arena, count, size);
  arena->failed = true;
  return NULL;
}
WRAP(void *, berthMemoryCopy, BerthMemory *arena, const void *data,
     size_t count, size_t size) {
  if (!refuse())
    return __real_berthMemoryCopy(arena, data, count, size);
  arena->failed = true;
  return NULL;
}

//===---------------------------------------------------------------------===//
// Every n
//===---------------------------------------------------------------------===//

static char folder[] = "/tmp/berth-memory-XXXXXX";
static char target[64]; ///< what jobs write

/// Does something that a user would; tells what the library said.
typedef BerthStatus (*Job)(const void *what, BerthError *error);

static size_t filesLeft(void) {
  size_t count = 0;
  DIR *directory = opendir(folder);
  for (struct dirent *entry; (entry = readdir(directory));)
    count += entry->d_name[0] != '.';
  closedir(directory);
  return count;
}

/// False once the job asks less often than `n` times.
static bool runRefusing(Job job, const void *what, long n, bool later) {
  long before = live;
  BerthError error = {0};
  requests = 0;
  refused = n;
  refuseLater = later;
  BerthStatus status = job(what, &error);
  bool reached = requests >= n;
  refused = 0;
  if (status != BERTH_SUCCESS && status != BERTH_RESOURCE)
    fail_msg("request %ld: status %d, '%s'", n, (int)status, error.message);
  if (status == BERTH_RESOURCE &&
      (!reached || !error.message[0] || strchr(error.message, '\n')))
    fail_msg("request %ld: message '%s'", n, error.message);
  if (live != before)
    fail_msg("request %ld: %ld blocks left behind", n, (long)live - before);
  if (status == BERTH_SUCCESS)
    unlink(target);
  if (filesLeft() > 0)
    fail_msg("request %ld: a file is left behind", n);
  return reached;
}

static void refuseEach(Job job, const void *what) {
  for (int later = 0; later < 2; ++later) {
    long n = 1;
    // After the first few thousand the places repeat.
    while (runRefusing(job, what, n, later))
      n += n < 2000 ? 1 : n / 20;
    assert_true(n > 1);
  }
}

//===---------------------------------------------------------------------===//
// Jobs
//===---------------------------------------------------------------------===//

static const char csv[] = "id,lower,upper,size,gaps,alignment,hint\n"
                          "\"a, \"\"b\"\"\",0,9,4,2-3 5-7@0:2,2,8\n"
                          "b,3,12,5,,1,\n"
                          "c,9,12,2,,4,0\n";

static const char everything[] =
    "{\"berth\": 1, \"reserved\": [[40, 48]], \"capacity\": 400,\n"
    "\"buffers\": [\n"
    "{\"id\": \"first\", \"size\": 24, \"segments\": [[0, 3], [5, 9]],\n"
    " \"gaps\": [{\"lower\": 6, \"upper\": 7, \"window\": [8, 16]}],\n"
    " \"alignment\": 8, \"weight\": 2},\n"
    "{\"id\": \"\\u00e4\", \"size\": 16, \"lower\": 0, \"upper\": 2,\n"
    " \"group\": 0},\n"
    "{\"size\": 12, \"lower\": 4, \"upper\": 6, \"group\": 0},\n"
    "{\"size\": 8, \"lower\": 2, \"upper\": 9, \"fixed\": 64},\n"
    "{\"size\": 8, \"lower\": 1, \"upper\": 7, \"hint\": 32}],\n"
    "\"cuts\": [{\"id\": \"dear\", \"price\": 5}, {\"price\": 2}],\n"
    "\"edges\": [{\"between\": [\"first\", \"b2\"],\n"
    "             \"unless\": [[\"dear\"], [1, 0]]},\n"
    "            {\"between\": [1, 4]}],\n"
    "\"distances\": [{\"between\": [0, 4], \"lower\": -8, \"upper\": 0}],\n"
    "\"plan\": {\"packer\": \"mine\", \"status\": \"feasible\",\n"
    "\"stopped\": \"steps\", \"proven\": [\"price\"], \"steps\": 3,\n"
    "\"offsets\": [0, 80, 80, 64, 32], \"cuts\": [\"dear\", 1],\n"
    "\"conflict\": [0, \"\\u00e4\"], \"conflict_irreducible\": false}}\n";

static const char pooled[] =
    "{\"pools\": [{\"id\": \"fast\", \"capacity\": 32,\n"
    "              \"reserved\": [[0, 4]]},\n"
    "             {\"capacity\": 0, \"cost\": 3}],\n"
    "\"buffers\": [\n"
    "{\"size\": 24, \"lower\": 0, \"upper\": 3, \"pools\": [\"fast\", 1]},\n"
    "{\"size\": 24, \"lower\": 1, \"upper\": 4},\n"
    "{\"size\": 24, \"lower\": 2, \"upper\": 5, \"pools\": [1]}]}\n";

static const char unfit[] = "{\"capacity\": 16, \"buffers\": [\n"
                            "{\"size\": 9, \"lower\": 0, \"upper\": 3},\n"
                            "{\"size\": 9, \"lower\": 2, \"upper\": 4},\n"
                            "{\"size\": 2, \"lower\": 2, \"upper\": 4}]}\n";

/// A file in, a plan out.
typedef struct Trip {
  const char *text;
  BerthFormat format; ///< of what is written
  const char *packer;
  unsigned threads;
} Trip;

static BerthStatus packAndWrite(const Trip *trip, BerthDocument *document,
                                BerthError *error) {
  const BerthProblemData *problem = problemOf(document);
  BerthPackOptions options = {
      .packer = trip->packer, .threads = trip->threads, .steps = 20000};
  BerthPlan plan;
  BerthStatus status = berthPack(problem, &options, &plan, error);
  if (status != BERTH_SUCCESS)
    return status;
  BerthOutput *output = NULL;
  status = berthOutputOpen(target, &output, error);
  if (status == BERTH_SUCCESS && trip->format == BERTH_FORMAT_CSV)
    status = berthDocumentWriteCsv(berthOutputStream(output), document, &plan,
                                   error);
  else if (status == BERTH_SUCCESS)
    status = berthWrite(berthOutputStream(output), trip->format, problem, &plan,
                        "title", error);
  if (status == BERTH_SUCCESS)
    status = berthOutputCommit(output, error);
  else
    berthOutputAbandon(output);
  berthPlanFree(&plan);
  return status;
}

static BerthStatus makeTrip(const void *what, BerthError *error) {
  const Trip *trip = what;
  BerthDocument *document;
  BerthStatus status = berthDocumentParse(trip->text, strlen(trip->text), NULL,
                                          &document, error);
  assert_true((status == BERTH_SUCCESS) == (document != NULL));
  if (status == BERTH_SUCCESS)
    status = packAndWrite(trip, document, error);
  berthDocumentDestroy(document);
  return status;
}

static void readsPacksAndWrites(void **state) {
  (void)state;
  const Trip trips[] = {{csv, BERTH_FORMAT_CSV, NULL, 1},
                        {csv, BERTH_FORMAT_SVG, NULL, 1},
                        {everything, BERTH_FORMAT_JSON, NULL, 1},
                        {everything, BERTH_FORMAT_HTML, NULL, 1},
                        {pooled, BERTH_FORMAT_JSON, NULL, 1},
                        {pooled, BERTH_FORMAT_SVG, NULL, 1},
                        {unfit, BERTH_FORMAT_JSON, NULL, 1}};
  for (size_t i = 0; i < sizeof trips / sizeof *trips; ++i)
    refuseEach(makeTrip, &trips[i]);
}

static const char tight[] = "id,lower,upper,size,alignment,uses,backed\n"
                            "a,0,12,60,4,0w 4 9u,\n"
                            "b,6,9,64,4,6w 8,\n"
                            "c,5,11,24,4,5w 10,\n"
                            "w,0,12,32,4,1 7,1\n";

/// What must leave, as JSON, which is read again and verified.
static BerthStatus fitAndRead(const void *what, BerthError *error) {
  const BerthFitOptions *options = what;
  BerthDocument *document, *again = NULL;
  BerthFitPlan fit = {0};
  BerthFitOptions prices;
  BerthTextBuffer text = {0};
  BerthStatus status =
      berthDocumentParse(tight, strlen(tight), NULL, &document, error);
  if (status == BERTH_SUCCESS) {
    berthProblemSetCapacity(berthDocumentGetProblem(document), 104);
    status = berthFit(problemOf(document), options, &fit, error);
  }
  FILE *stream = status == BERTH_SUCCESS ? berthTextBufferOpen(&text) : NULL;
  if (status == BERTH_SUCCESS && !stream)
    status = berthOutOfMemory(error);
  if (stream)
    status =
        berthWriteFitJson(stream, problemOf(document), options, &fit, error);
  if (stream && fclose(stream) != 0 && status == BERTH_SUCCESS)
    status = berthOutOfMemory(error);
  if (status == BERTH_SUCCESS)
    status = berthDocumentParse(text.data, text.length, NULL, &again, error);
  if (status == BERTH_SUCCESS)
    status = berthFitVerify(problemOf(again),
                            &(BerthFitOptions){.access = options->access},
                            berthDocumentGetFit(again, &prices), error);
  free(text.data);
  berthFitPlanFree(&fit);
  berthDocumentDestroy(again);
  berthDocumentDestroy(document);
  return status;
}

static void fitsAndReads(void **state) {
  (void)state;
  const BerthFitOptions options[] = {
      {.steps = 20000}, {.steps = 20000, .access = 1}, {.policy = "largest"}};
  for (size_t i = 0; i < sizeof options / sizeof *options; ++i)
    refuseEach(fitAndRead, &options[i]);
}

/// The file as a plan to verify, by name rather than as text.
static BerthStatus verifyFile(const void *what, BerthError *error) {
  const char *path = what;
  BerthDocument *document;
  BerthReadOptions options = {.offsetsArePlan = true};
  BerthStatus status = berthDocumentRead(path, &options, &document, error);
  if (status == BERTH_SUCCESS)
    status = berthPlanVerify(problemOf(document),
                             berthDocumentGetPlan(document), error);
  berthDocumentDestroy(document);
  return status;
}

static void readsPlansAndVerifies(void **state) {
  (void)state;
  char path[] = "/tmp/berth-memory-plan-XXXXXX";
  FILE *stream = fdopen(mkstemp(path), "w");
  fputs("id,lower,upper,size,offset\na,0,9,4,0\nb,3,12,5,4\n", stream);
  fclose(stream);
  refuseEach(verifyFile, path);
  unlink(path);
}

static BerthStatus keepPlan(const void *what, BerthError *error) {
  BerthPlanFile plan = {0};
  BerthStatus status = berthPlanFileRead(what, &plan, error);
  if (status == BERTH_SUCCESS)
    status = berthPlanFileWrite(&plan, target, error);
  berthPlanFileFree(&plan);
  return status;
}

static void keepsPlansOfModules(void **state) {
  (void)state;
  char path[] = "/tmp/berth-memory-plan-XXXXXX";
  FILE *stream = fdopen(mkstemp(path), "w");
  fputs("{\"berth_plan\": 1, \"scopes\": [{\"function\": \"f\",\n"
        "\"space\": \"default\", \"arena\": 64, \"allocations\": [\n"
        "{\"name\": \"%a\", \"type\": \"t\", \"location\": \"1:2\",\n"
        " \"size\": 64, \"live\": [[0, 3], [5, 7]], \"offset\": 0},\n"
        "{\"name\": \"%b\", \"reason\": \"it is returned\"}]}]}\n",
        stream);
  fclose(stream);
  refuseEach(keepPlan, path);
  unlink(path);
}

/// Twenty buffers, packed by one packer.
static BerthStatus packTwenty(const void *what, BerthError *error) {
  const Trip *trip = what;
  int64_t optimum;
  BerthProblem *problem =
      berthGenerate(berthFamilyFind(trip->text), 20, 7, &optimum);
  if (!problem)
    return berthErrorSet(error, BERTH_RESOURCE, "out of memory");
  BerthPackOptions options = {
      .packer = trip->packer, .threads = trip->threads, .steps = 20000};
  BerthPlan plan;
  BerthStatus status =
      berthPack(berthProblemGetData(problem), &options, &plan, error);
  berthPlanFree(&plan);
  berthProblemDestroy(problem);
  return status;
}

static void packsWithEveryPacker(void **state) {
  (void)state;
  for (size_t i = 0; i < berthPackerCount(); ++i)
    refuseEach(packTwenty,
               &(Trip){"sliding", BERTH_FORMAT_AUTO, berthPackerName(i), 1});
  refuseEach(packTwenty, &(Trip){"features", BERTH_FORMAT_AUTO, NULL, 1});
  refuseEach(packTwenty, &(Trip){"random", BERTH_FORMAT_AUTO, NULL, 1});
  refuseEach(packTwenty, &(Trip){"adversarial", BERTH_FORMAT_AUTO, NULL, 1});
  refuseEach(packTwenty, &(Trip){"sliding", BERTH_FORMAT_AUTO, NULL, 2});
}

/// Writes a proof and checks it.
static BerthStatus prove(const void *what, BerthError *error) {
  const char *text = what;
  BerthDocument *document;
  BerthStatus status =
      berthDocumentParse(text, strlen(text), NULL, &document, error);
  if (status != BERTH_SUCCESS)
    return status;
  BerthPackOptions options = {.proofFile = target};
  BerthPlan plan;
  status = berthPack(problemOf(document), &options, &plan, error);
#ifdef BERTH_WITH_PROOF_CHECK
  if (status == BERTH_SUCCESS) {
    status = berthProofCheck(problemOf(document), target, NULL, NULL, error);
    unlink(target); // it is whole, whatever the check has come to
  }
#endif
  berthPlanFree(&plan);
  berthDocumentDestroy(document);
  return status;
}

static void provesAndChecks(void **state) {
  (void)state;
  refuseEach(prove, "id,lower,upper,size\na,0,9,4\nb,3,12,5\nc,8,14,3\n"
                    "d,10,16,4\ne,13,20,5\nf,15,22,3\n");
  refuseEach(prove, pooled);
}

/// As other languages do it: the text in, a plan, and each format out.
static BerthStatus converse(const void *what, BerthError *error) {
  static const char *const formats[] = {"csv", "json", "svg", "html"};
  const char *text = what;
  BerthSession *session = berthSessionCreate();
  if (!session)
    return berthErrorSet(error, BERTH_RESOURCE, "no session");
  int32_t status =
      berthSessionSetText(session, text, strlen(text), NULL, false);
  if (status == BERTH_SUCCESS)
    status = berthSessionPack(session, NULL);
  bool isDone = status == BERTH_SUCCESS;
  for (size_t i = 0; isDone && i < sizeof formats / sizeof *formats; ++i) {
    uint64_t length = 0;
    const char *out = berthSessionText(session, formats[i], "title", &length);
    isDone = out && strlen(out) == length && length > 0;
  }
  if (isDone)
    status =
        berthSessionVerify(session, (const int64_t[]){0, 4, 12}, NULL, NULL);
  else if (status == BERTH_SUCCESS)
    status = BERTH_RESOURCE; // of a text only the message tells
  snprintf(error->message, sizeof error->message, "%s",
           berthSessionMessage(session));
  berthSessionDestroy(session);
  return (BerthStatus)status;
}

static void servesOtherLanguages(void **state) {
  (void)state;
  refuseEach(converse, csv);
}

static BerthStatus packElsewhere(const void *what, BerthError *error) {
  const char *text = what;
  BerthDocument *document;
  BerthStatus status =
      berthDocumentParse(text, strlen(text), NULL, &document, error);
  if (status != BERTH_SUCCESS)
    return status;
  BerthProcessOptions process = {.tool = BERTH_PACK_TOOL};
  BerthPlan plan;
  status =
      berthPackInProcess(problemOf(document), NULL, &process, &plan, error);
  berthPlanFree(&plan);
  berthDocumentDestroy(document);
  return status;
}

static void packsInAnotherProcess(void **state) {
  (void)state;
  refuseEach(packElsewhere, "id,lower,upper,size\na,0,9,4\nb,3,12,5\n");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(readsPacksAndWrites),
      cmocka_unit_test(fitsAndReads),
      cmocka_unit_test(readsPlansAndVerifies),
      cmocka_unit_test(keepsPlansOfModules),
      cmocka_unit_test(packsWithEveryPacker),
      cmocka_unit_test(provesAndChecks),
      cmocka_unit_test(servesOtherLanguages),
      cmocka_unit_test(packsInAnotherProcess),
  };
  assert_non_null(mkdtemp(folder));
  snprintf(target, sizeof target, "%s/out", folder);
  int failures = cmocka_run_group_tests(tests, NULL, NULL);
  rmdir(folder);
  return failures;
}
