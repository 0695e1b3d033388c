//===- Progress.c - The line on a terminal, and SIGINT --------------- C --===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//
//
// The first SIGINT asks the packer to stop with its best plan; the second ends
// the process, should the packer not listen.
//
//===---------------------------------------------------------------------===//

#define _POSIX_C_SOURCE 200809L

#include "Tool.h"

#include <inttypes.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>

static volatile sig_atomic_t stopRequested;
static struct sigaction before;

static void requestStop(int number) {
  stopRequested = 1;
  sigaction(number, &before, NULL);
}

static bool isStopRequested(void *userData) {
  (void)userData;
  return stopRequested != 0;
}

//===---------------------------------------------------------------------===//
// Progress
//===---------------------------------------------------------------------===//

static struct {
  double started;
  double lastShown;
  bool shown;
} progressLine;

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

/// Silent for a second, then ten times a second at most.
static void showProgress(void *userData, int64_t bestPeak, int64_t lowerBound,
                         uint64_t steps) {
  (void)userData;
  double time = now();
  if (time - progressLine.started < 1.0 || time - progressLine.lastShown < 0.1)
    return;
  progressLine.lastShown = time;
  progressLine.shown = true;
  fprintf(stderr, "\r\033[K%.1f s: ", time - progressLine.started);
  if (bestPeak > 0 && bestPeak < INT64_MAX)
    fprintf(stderr, "best peak %" PRId64 ", ", bestPeak);
  fprintf(stderr,
          "bound %" PRId64 ", %" PRIu64 " steps (Ctrl-C stops with the best)",
          lowerBound, steps);
  fflush(stderr);
}

void toolWatch(BerthPackOptions *options) {
  struct sigaction action = {0};
  action.sa_handler = requestStop;
  sigemptyset(&action.sa_mask);
  sigaction(SIGINT, &action, &before);
  options->interrupted = isStopRequested;
  progressLine.started = now();
  if (isatty(STDERR_FILENO))
    options->progress = showProgress;
}

void toolStopWatching(void) {
  sigaction(SIGINT, &before, NULL);
  if (progressLine.shown)
    fputs("\r\033[K", stderr);
  progressLine.shown = false;
}
