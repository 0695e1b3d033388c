//===- PackInProcess.c - Packing in another process --------------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//
//
//   problem --JSON--> berth-pack --format=json - --JSON--> offsets --> adopt
//
// posix_spawn, as the caller may be a compiler with many threads. The input is
// a socket rather than a pipe: writing to it after the child has died gives an
// error and no SIGPIPE.
//
//===---------------------------------------------------------------------===//

#define _GNU_SOURCE // pipe2, environ

#include "IO/Adopt.h"
#include "IO/Child.h"
#include "Support/Allocate.h"
#include "berth-c/IO.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

//===---------------------------------------------------------------------===//
// Command line
//===---------------------------------------------------------------------===//

enum { MAX_ARGUMENTS = 16 };

typedef struct Command {
  char *arguments[MAX_ARGUMENTS + 1];
  size_t count;
  bool failed; ///< for lack of memory
} Command;

static void add(Command *command, const char *format, ...) BERTH_PRINTF(2, 3);

static void add(Command *command, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  int length = vsnprintf(NULL, 0, format, arguments);
  va_end(arguments);
  char *text = malloc((size_t)length + 1);
  if (!text) {
    command->failed = true;
    return;
  }
  va_start(arguments, format);
  vsnprintf(text, (size_t)length + 1, format, arguments);
  va_end(arguments);
  command->arguments[command->count++] = text;
}

static void freeCommand(Command *command) {
  for (size_t i = 0; i < command->count; ++i)
    free(command->arguments[i]);
}

static Command makeCommand(const BerthPackOptions *pack,
                           const BerthProcessOptions *process) {
  Command command = {0};
  add(&command, "%s", process->tool);
  add(&command, "--format=json");
  if (process->plugin) {
    add(&command, "--packer-plugin=%s", process->plugin);
    add(&command, "--plugin-time=%g", process->seconds);
    add(&command, "--plugin-memory=%" PRId64, process->memory);
  } else if (pack->packer) {
    add(&command, "--packer=%s", pack->packer);
  }
  if (pack->steps > 0)
    add(&command, "--steps=%" PRIu64, pack->steps);
  if (pack->timeLimit > 0)
    add(&command, "--time-limit=%g", pack->timeLimit);
  if (pack->threads > 1)
    add(&command, "--threads=%u", pack->threads);
  if (pack->seed > 0)
    add(&command, "--seed=%" PRIu64, pack->seed);
  if (pack->minimize)
    add(&command, "--minimize");
  if (pack->proofFile)
    add(&command, "--proof=%s", pack->proofFile);
  add(&command, "-");
  return command;
}

//===---------------------------------------------------------------------===//
// Start
//===---------------------------------------------------------------------===//

/// Pairs of descriptors, [0] ours, [1] the child's.
typedef struct Channels {
  int input[2];
  int output[2];
  int errors[2];
} Channels;

static void closeAll(Channels *channels, int side) {
  int *pairs[] = {channels->input, channels->output, channels->errors};
  for (size_t i = 0; i < 3; ++i) {
    if (pairs[i][side] >= 0)
      close(pairs[i][side]);
    pairs[i][side] = -1;
  }
}

static bool openChannels(Channels *channels) {
  *channels = (Channels){{-1, -1}, {-1, -1}, {-1, -1}};
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, channels->input) ==
          0 &&
      pipe2(channels->output, O_CLOEXEC) == 0 &&
      pipe2(channels->errors, O_CLOEXEC) == 0)
    return true;
  closeAll(channels, 0);
  closeAll(channels, 1);
  return false;
}

/// Returns an error number.
static int spawn(const Command *command, Channels *channels, pid_t *pid) {
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  int number = posix_spawn_file_actions_init(&actions);
  if (number != 0)
    return number;
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
  const int ends[] = {channels->input[1], channels->output[1],
                      channels->errors[1]};
  for (int i = 0; number == 0 && i < 3; ++i)
    number = posix_spawn_file_actions_adddup2(&actions, ends[i], i);
  if (number == 0)
    number = posix_spawnp(pid, command->arguments[0], &actions, &attributes,
                          command->arguments, environ);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  return number;
}

static BerthStatus start(const Command *command, BerthChild *child,
                         BerthError *error) {
  Channels channels;
  if (!openChannels(&channels))
    return berthErrorSet(error, BERTH_RESOURCE, "cannot make a pipe: %s",
                         strerror(errno));
  int number = spawn(command, &channels, &child->pid);
  closeAll(&channels, 1);
  if (number != 0) {
    closeAll(&channels, 0);
    bool inPath = !strchr(command->arguments[0], '/');
    return berthErrorSet(
        error, BERTH_RESOURCE, "cannot run '%s'%s: %s", command->arguments[0],
        inPath ? ", which is looked for in PATH" : "", strerror(number));
  }
  child->input = channels.input[0];
  child->output = channels.output[0];
  child->errors = channels.errors[0];
  return BERTH_SUCCESS;
}

//===---------------------------------------------------------------------===//
// Answer
//===---------------------------------------------------------------------===//

/// The last line of the child's messages says what is wrong.
static const char *lastLine(BerthTextBuffer *errors) {
  if (errors->length == 0)
    return "no message";
  if (errors->data[errors->length - 1] == '\n')
    errors->data[--errors->length] = '\0';
  const char *newline = strrchr(errors->data, '\n');
  const char *line = newline ? newline + 1 : errors->data;
  // Whose standard input that is, users need not know.
  static const char place[] = "<stdin>: error: ";
  return strncmp(line, place, strlen(place)) == 0 ? line + strlen(place) : line;
}

static const char *knownName(const BerthPlan *plan) {
  size_t index = plan->packer ? berthPackerFind(plan->packer) : SIZE_MAX;
  return index == SIZE_MAX ? "plugin" : berthPackerName(index);
}

static BerthStatus takeAnswer(const BerthProblemData *problem,
                              const BerthTextBuffer *output, BerthPlan *plan,
                              BerthError *error) {
  BerthDocument *document;
  BerthError reason = {0};
  BerthReadOptions options = {.format = BERTH_FORMAT_JSON};
  BerthStatus status =
      berthDocumentParse(output->data ? output->data : "", output->length,
                         &options, &document, &reason);
  if (status == BERTH_RESOURCE)
    return berthOutOfMemory(error);
  if (status != BERTH_SUCCESS)
    return berthErrorSet(error, BERTH_INTERNAL,
                         "the packing process gave a malformed answer: %.400s",
                         reason.message);
  const BerthPlan *given = berthDocumentGetPlan(document);
  status = given ? berthPlanAdopt(problem, given, knownName(given), plan, error)
                 : berthErrorSet(error, BERTH_INTERNAL,
                                 "the packing process gave no plan");
  berthDocumentDestroy(document);
  return status;
}

/// Exit codes 0 and 1 come with a plan, 2 and others with a message.
static BerthStatus judgeEnd(const BerthProblemData *problem,
                            const BerthProcessOptions *process,
                            BerthChildResult *result, BerthPlan *plan,
                            BerthError *error) {
  bool exited = result->end == BERTH_CHILD_EXITED;
  if (exited && result->code <= 1)
    return takeAnswer(problem, &result->output, plan, error);
  BerthStatus status = exited && result->code == 2 ? BERTH_INVALID
                       : result->end == BERTH_CHILD_OUT_OF_MEMORY
                           ? BERTH_RESOURCE
                           : BERTH_INTERNAL;
  return berthErrorSet(error, status, "the packing process %s: %.300s",
                       berthChildDescribe(result, process->seconds).text,
                       lastLine(&result->errors));
}

/// False if out of memory.
static bool formatProblem(const BerthProblemData *problem,
                          BerthTextBuffer *text) {
  FILE *stream = berthTextBufferOpen(text);
  if (!stream)
    return false;
  BerthStatus status = berthWriteJson(stream, problem, NULL, NULL);
  return fclose(stream) == 0 && status == BERTH_SUCCESS;
}

static BerthStatus run(const BerthProblemData *problem,
                       const BerthPackOptions *pack,
                       const BerthProcessOptions *process, BerthPlan *plan,
                       BerthError *error) {
  BerthTextBuffer text = {0};
  bool complete = formatProblem(problem, &text);
  Command command = makeCommand(pack, process);
  BerthChild child;
  BerthStatus status = complete && !command.failed
                           ? start(&command, &child, error)
                           : berthOutOfMemory(error);
  if (status == BERTH_SUCCESS) {
    // The child limits its plugin itself; ours is for the child.
    BerthChildLimits limits = {.seconds = process->seconds + 2.0,
                               .interrupted = pack->interrupted,
                               .userData = pack->userData};
    BerthChildResult result;
    berthChildRun(&child, (BerthSpan){text.data, text.length}, &limits,
                  &result);
    status = judgeEnd(problem, process, &result, plan, error);
    berthChildResultFree(&result);
  }
  freeCommand(&command);
  free(text.data);
  return status;
}

enum { MAX_PATH = 4096 };

/// The berth-pack that was built or installed with this code: beside the
/// program or library that holds it, or in a folder bin above. Else PATH has to
/// know one.
static const char *findTool(char path[MAX_PATH]) {
  static const char *const places[] = {"", "../bin/", "../../bin/"};
  static const char here = 0;
  Dl_info found;
  if (dladdr(&here, &found) && found.dli_fname) {
    const char *slash = strrchr(found.dli_fname, '/');
    for (size_t i = 0; slash && i < sizeof places / sizeof *places; ++i) {
      int length =
          snprintf(path, MAX_PATH, "%.*s/%sberth-pack",
                   (int)(slash - found.dli_fname), found.dli_fname, places[i]);
      if (length < MAX_PATH && access(path, X_OK) == 0)
        return path;
    }
  }
  return "berth-pack";
}

BerthStatus berthPackInProcess(const BerthProblemData *problem,
                               const BerthPackOptions *pack,
                               const BerthProcessOptions *process,
                               BerthPlan *plan, BerthError *error) {
  static const BerthPackOptions defaults = {0};
  BerthProcessOptions resolved = process ? *process : (BerthProcessOptions){0};
  char tool[MAX_PATH];
  if (!resolved.tool)
    resolved.tool = findTool(tool);
  if (resolved.seconds <= 0)
    resolved.seconds = 60.0;
  if (resolved.memory <= 0)
    resolved.memory = INT64_C(4) << 30;
  *plan = (BerthPlan){0};
  return run(problem, pack ? pack : &defaults, &resolved, plan, error);
}
