//===- Isolate.c - A plugin's packer in a child process -------------- C --===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//
//
//   parent                         child (confined)
//   fork ------------------------> load the plugin, pack, verify
//   read the pipe <--------------- "ok" and problem + plan as JSON, or
//                                  "error <status> <message>"
//   adopt: measure, judge, verify
//
// The plugin's code, its constructors included, runs in the child only. The
// child's checks give good messages; the parent's are those that count.
//
//===---------------------------------------------------------------------===//

#define _GNU_SOURCE // pipe2

#include "IO/Adopt.h"
#include "IO/Child.h"
#include "Tool.h"
#include "berth-c/Packer.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

//===---------------------------------------------------------------------===//
// The child
//===---------------------------------------------------------------------===//

/// The plugin may read and print, but not from or into our streams.
static void redirectStreams(void) {
  int nothing = open("/dev/null", O_RDONLY);
  if (nothing >= 0)
    dup2(nothing, STDIN_FILENO);
  dup2(STDERR_FILENO, STDOUT_FILENO);
}

static BerthStatus packWithPlugin(const Options *options,
                                  const BerthProblemData *problem,
                                  BerthPlan *plan, BerthError *error) {
  BerthPlugin *plugin = berthPackerLoad(options->plugin, error);
  if (!plugin)
    return BERTH_INVALID;
  BerthPackOptions pack = options->pack;
  pack.progress = NULL;
  return berthPackWith(berthPluginGetPacker(plugin), problem, &pack, plan,
                       error);
}

/// Never returns, and runs no exit handlers: the plugin may have put some.
static void runChild(const Options *options, const BerthProblemData *problem,
                     int answer) {
  BerthPlan plan = {0};
  BerthError error = {0};
  berthChildConfine(options->pluginMemory, options->pluginTime);
  redirectStreams();
  FILE *stream = fdopen(answer, "w");
  if (!stream)
    _exit(EXIT_INTERNAL);
  BerthStatus status = packWithPlugin(options, problem, &plan, &error);
  if (status == BERTH_SUCCESS) {
    fputs("ok\n", stream);
    berthWriteJson(stream, problem, &plan, NULL);
  } else {
    fprintf(stream, "error %d %s", (int)status, error.message);
  }
  _exit(fclose(stream) == 0 ? EXIT_DONE : EXIT_INTERNAL);
}

//===---------------------------------------------------------------------===//
// The parent
//===---------------------------------------------------------------------===//

/// What `plan.packer` points to; one plugin a run.
static char packerName[64];

static BerthStatus adoptJson(const Options *options,
                             const BerthProblemData *problem, const char *text,
                             size_t length, BerthPlan *plan,
                             BerthError *error) {
  BerthDocument *document;
  BerthError reason = {0};
  BerthReadOptions read = {.format = BERTH_FORMAT_JSON};
  BerthStatus status =
      berthDocumentParse(text, length, &read, &document, &reason);
  if (status == BERTH_RESOURCE)
    return berthErrorSet(error, status, "%s", reason.message);
  if (status != BERTH_SUCCESS)
    return berthErrorSet(error, BERTH_INTERNAL,
                         "plugin '%s' gave a malformed answer: %.300s",
                         options->plugin, reason.message);
  const BerthPlan *given = berthDocumentGetPlan(document);
  status = BERTH_INTERNAL;
  if (given) {
    snprintf(packerName, sizeof packerName, "%s", given->packer);
    status = berthPlanAdopt(problem, given, packerName, plan, error);
  } else {
    berthErrorSet(error, status, "plugin '%s' gave no plan", options->plugin);
  }
  berthDocumentDestroy(document);
  return status;
}

/// Reads "error <status> <message>".
static BerthStatus takeError(const Options *options, const char *text,
                             BerthError *error) {
  static const char start[] = "error ";
  size_t length = strlen(start);
  if (strncmp(text, start, length) != 0 || text[length] < '1' ||
      text[length] > '3')
    return berthErrorSet(error, BERTH_INTERNAL,
                         "plugin '%s' ended without an answer",
                         options->plugin);
  BerthStatus status = (BerthStatus)(text[length] - '0');
  return berthErrorSet(error, status, "%.500s", text + length + 2);
}

static BerthStatus takeAnswer(const Options *options,
                              const BerthProblemData *problem,
                              const BerthChildResult *result, BerthPlan *plan,
                              BerthError *error) {
  static const char ok[] = "ok\n";
  size_t length = strlen(ok);
  const char *text = result->output.data ? result->output.data : "";
  if (result->end != BERTH_CHILD_EXITED)
    return berthErrorSet(error,
                         result->end == BERTH_CHILD_OUT_OF_MEMORY
                             ? BERTH_RESOURCE
                             : BERTH_INTERNAL,
                         "plugin '%s' %s", options->plugin,
                         berthChildDescribe(result, options->pluginTime).text);
  if (strncmp(text, ok, length) != 0)
    return takeError(options, text, error);
  return adoptJson(options, problem, text + length,
                   result->output.length - length, plan, error);
}

/// An honest answer repeats the problem and adds a number a buffer.
static size_t mostOutput(const BerthProblemData *problem) {
  size_t bytes = 1 << 20;
  for (size_t i = 0; i < problem->numBuffers; ++i) {
    const BerthBuffer *buffer = &problem->buffers[i];
    bytes += 1024 + 6 * (buffer->id ? strlen(buffer->id) : 0) +
             128 * (buffer->numSegments + buffer->numGaps);
  }
  for (size_t i = 0; i < problem->numEdges; ++i) {
    bytes += 256;
    for (size_t k = 0; k < problem->edges[i].numAlternatives; ++k)
      bytes += 16 + 16 * problem->edges[i].alternatives[k].numCuts;
  }
  return bytes + 512 * (problem->numCuts + problem->numPools +
                        problem->numReserved + problem->numDistances);
}

BerthStatus toolPackIsolated(const Options *options,
                             const BerthProblemData *problem, BerthPlan *plan,
                             BerthError *error) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0)
    return berthErrorSet(error, BERTH_RESOURCE, "cannot make a pipe: %s",
                         strerror(errno));
  fflush(NULL);
  pid_t pid = fork();
  if (pid < 0) {
    int number = errno;
    close(ends[0]);
    close(ends[1]);
    return berthErrorSet(error, BERTH_RESOURCE, "cannot start a process: %s",
                         strerror(number));
  }
  if (pid == 0) {
    close(ends[0]);
    runChild(options, problem, ends[1]);
  }
  close(ends[1]);
  BerthChild child = {pid, -1, ends[0], -1};
  BerthChildLimits limits = {.seconds = options->pluginTime,
                             .outputBytes = mostOutput(problem),
                             .interrupted = options->pack.interrupted,
                             .userData = options->pack.userData};
  BerthChildResult result;
  berthChildRun(&child, (BerthSpan){0}, &limits, &result);
  BerthStatus status = takeAnswer(options, problem, &result, plan, error);
  berthChildResultFree(&result);
  return status;
}
