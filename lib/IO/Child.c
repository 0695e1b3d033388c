//===- Child.c   - Child processes under limits --------------------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//

#define _POSIX_C_SOURCE 200809L

#include "IO/Child.h"

#include <errno.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum {
  TICK_MS = 50,           ///< how often an interrupt is looked for
  MAX_MESSAGE = 64 * 1024 ///< bytes of messages kept
};

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

static void closeOnce(int *descriptor) {
  if (*descriptor >= 0)
    close(*descriptor);
  *descriptor = -1;
}

//===---------------------------------------------------------------------===//
// Talking
//===---------------------------------------------------------------------===//

/// Sends some of the input; closes the socket once all is sent or the child no
/// longer listens.
static void feed(BerthChild *child, BerthSpan *input) {
  ssize_t sent = 0;
  if (input->length > 0)
    sent = send(child->input, input->data, input->length,
                MSG_NOSIGNAL | MSG_DONTWAIT);
  if (sent < 0 && (errno == EAGAIN || errno == EINTR))
    return;
  if (sent > 0) {
    input->data += sent;
    input->length -= (size_t)sent;
  }
  if (sent < 0 || input->length == 0)
    closeOnce(&child->input);
}

/// Reads some; closes the descriptor at its end. Beyond `most` bytes the text
/// is dropped. False if out of memory.
static bool collect(int *descriptor, BerthTextBuffer *text, size_t most) {
  char chunk[65536];
  ssize_t count = read(*descriptor, chunk, sizeof chunk);
  if (count < 0 && (errno == EAGAIN || errno == EINTR))
    return true;
  if (count <= 0) {
    closeOnce(descriptor);
    return true;
  }
  size_t length = (size_t)count;
  if (length > most - text->length)
    length = most - text->length;
  return berthTextBufferAppend(text, chunk, length);
}

/// Waits for something to do, a tick at most, and does it. False if out of
/// memory.
static bool talk(BerthChild *child, BerthSpan *input, size_t most,
                 BerthChildResult *result) {
  struct pollfd watched[3] = {{child->input, POLLOUT, 0},
                              {child->output, POLLIN, 0},
                              {child->errors, POLLIN, 0}};
  if (poll(watched, 3, TICK_MS) <= 0)
    return true;
  if (watched[0].revents)
    feed(child, input);
  if (watched[1].revents && !collect(&child->output, &result->output, most))
    return false;
  return !watched[2].revents ||
         collect(&child->errors, &result->errors, MAX_MESSAGE);
}

//===---------------------------------------------------------------------===//
// Waiting
//===---------------------------------------------------------------------===//

/// True once the child has ended; its status is then set.
static bool hasEnded(pid_t pid, int *status) {
  pid_t ended;
  do
    ended = waitpid(pid, status, WNOHANG);
  while (ended < 0 && errno == EINTR);
  return ended != 0;
}

static void pauseBriefly(void) {
  nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
}

static void killAll(pid_t pid, int *status) {
  kill(-pid, SIGKILL);
  kill(pid, SIGKILL);
  while (!hasEnded(pid, status))
    pauseBriefly();
}

static void setEnd(BerthChildResult *result, int status) {
  bool exited = WIFEXITED(status);
  result->end = exited ? BERTH_CHILD_EXITED : BERTH_CHILD_CRASHED;
  result->code = exited ? WEXITSTATUS(status) : WTERMSIG(status);
}

/// One who runs under limits: when to give up, and whether a SIGINT was passed
/// on.
typedef struct Watch {
  const BerthChildLimits *limits;
  double deadline;
  bool asked;
} Watch;

static bool isTooLate(Watch *watch, pid_t pid) {
  const BerthChildLimits *limits = watch->limits;
  if (!watch->asked && limits->interrupted &&
      limits->interrupted(limits->userData)) {
    watch->asked = true;
    kill(pid, SIGINT);
    watch->deadline = fmin(watch->deadline, now() + 2.0);
  }
  return now() > watch->deadline;
}

void berthChildRun(BerthChild *child, BerthSpan input,
                   const BerthChildLimits *limits, BerthChildResult *result) {
  Watch watch = {limits, now() + limits->seconds, false};
  size_t most = limits->outputBytes > 0 ? limits->outputBytes : SIZE_MAX;
  int status = 0;
  bool ended = false, complete = true;
  *result = (BerthChildResult){0};
  while (complete && !isTooLate(&watch, child->pid) &&
         result->output.length < most) {
    if (child->output >= 0 || child->errors >= 0)
      complete = talk(child, &input, most, result);
    else if ((ended = hasEnded(child->pid, &status)))
      break;
    else
      pauseBriefly();
  }
  if (ended) {
    setEnd(result, status);
  } else {
    result->end = !complete                      ? BERTH_CHILD_OUT_OF_MEMORY
                  : result->output.length < most ? BERTH_CHILD_TIMED_OUT
                                                 : BERTH_CHILD_TALKED_TOO_MUCH;
    killAll(child->pid, &status);
  }
  closeOnce(&child->input);
  closeOnce(&child->output);
  closeOnce(&child->errors);
}

void berthChildResultFree(BerthChildResult *result) {
  free(result->output.data);
  free(result->errors.data);
  *result = (BerthChildResult){0};
}

BerthChildEndText berthChildDescribe(const BerthChildResult *result,
                                     double seconds) {
  BerthChildEndText end;
  switch (result->end) {
  case BERTH_CHILD_EXITED:
    snprintf(end.text, sizeof end.text, "ended with exit code %d",
             result->code);
    break;
  case BERTH_CHILD_CRASHED:
    snprintf(end.text, sizeof end.text, "crashed (signal %d, %s)", result->code,
             strsignal(result->code));
    break;
  case BERTH_CHILD_TIMED_OUT:
    snprintf(end.text, sizeof end.text, "gave no answer within %g seconds",
             seconds);
    break;
  case BERTH_CHILD_TALKED_TOO_MUCH:
    snprintf(end.text, sizeof end.text, "gave an answer without end");
    break;
  case BERTH_CHILD_OUT_OF_MEMORY:
    snprintf(end.text, sizeof end.text, "could not be heard: out of memory");
    break;
  }
  return end;
}

//===---------------------------------------------------------------------===//
// In the child
//===---------------------------------------------------------------------===//

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define UNDER_SANITIZER 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define UNDER_SANITIZER 1
#endif
#endif

static void limit(int resource, rlim_t value) {
  struct rlimit now;
  if (getrlimit(resource, &now) != 0)
    return;
  if (now.rlim_max != RLIM_INFINITY && value > now.rlim_max)
    value = now.rlim_max;
  setrlimit(resource, &(struct rlimit){value, value});
}

void berthChildConfine(int64_t memory, double seconds) {
  setpgid(0, 0);
  limit(RLIMIT_CORE, 0);
  limit(RLIMIT_CPU, (rlim_t)fmin(ceil(seconds) + 1.0, 1e9));
#ifndef UNDER_SANITIZER
  limit(RLIMIT_AS, (rlim_t)memory);
#else
  (void)memory;
#endif
}
