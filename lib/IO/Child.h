//===- Child.h   - Child processes under limits --------------------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//
//
// The parent's side of a child: feed it, collect what it writes, wait for it,
// and kill it (with all it has started, its process group) when its time is
// up. POSIX only.
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_IO_CHILD_H
#define BERTH_LIB_IO_CHILD_H

#include "IO/Text.h"
#include "IO/TextBuffer.h"

#include <sys/types.h>

typedef struct Child {
  pid_t pid;
  int input;  ///< a socket to write to, or -1
  int output; ///< to read the answer from
  int errors; ///< to read messages from, or -1
} Child;

typedef enum ChildEnd {
  CHILD_EXITED,
  CHILD_CRASHED,
  CHILD_TIMED_OUT,
  CHILD_TALKED_TOO_MUCH,
  CHILD_OUT_OF_MEMORY ///< no room here for what it wrote
} ChildEnd;

typedef struct ChildResult {
  ChildEnd end;
  int code; ///< exit code or signal
  TextBuffer output;
  TextBuffer errors;
} ChildResult;

/// How long, and who may ask for an early end: then the child gets a SIGINT and
/// may still answer.
typedef struct ChildLimits {
  double seconds;
  size_t outputBytes; ///< 0: no limit
  bool (*interrupted)(void *userData);
  void *userData;
} ChildLimits;

/// Feeds `input`, collects until the child has ended, and closes everything.
void berthChildRun(Child *child, TextSpan input, const ChildLimits *limits,
                   ChildResult *result);

void berthChildResultFree(ChildResult *result);

/// Says how a child ended: "crashed (signal 11, Segmentation fault)".
typedef struct ChildEndText {
  char text[96];
} ChildEndText;
ChildEndText berthChildDescribe(const ChildResult *result, double seconds);

/// In the child: a process group of its own and limits on address space (bytes)
/// and processor time, no core file. Sanitizers need the address space, so
/// under them it is not limited.
void berthChildConfine(int64_t memory, double seconds);

#endif // BERTH_LIB_IO_CHILD_H
