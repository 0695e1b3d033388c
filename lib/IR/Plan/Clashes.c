//===- Clashes.c - Demands that cannot all be met -------------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Plan/Clashes.h"
#include "IR/Ops/Attributes.h"
#include "IR/Plan/Banks.h"
#include "IR/Scope/Names.h"
#include "IR/Scope/Segments.h"

#include <stdarg.h>
#include <stdio.h>

void berthFailBuffer(BerthJob *job, const BerthBufferInfo *buffer,
                     const char *format, ...) {
  char message[sizeof job->error.message];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(message, sizeof message, format, arguments);
  va_end(arguments);
  job->status = berthErrorSet(&job->error, BERTH_INVALID, "%s", message);
  berthEmitError(buffer->alloc, message, (MlirOperation){NULL}, NULL);
  job->isReported = true;
}

void berthTextAppendMemory(BerthText *text, const BerthJob *job) {
  bool isNamed = !mlirAttributeIsNull(job->scope.space) || job->options->memory;
  berthTextAppend(text, isNamed ? "memory " : "the arena");
  if (isNamed)
    berthNameSpace(&job->scope, text);
}

static int lineOf(const BerthBufferInfo *buffer) {
  int line, column;
  berthOpGetPosition(buffer->alloc, &line, &column);
  return line;
}

static bool isBound(const BerthBufferInfo *buffer) {
  return buffer->constraints && !buffer->reason && !buffer->isDynamic;
}

/// The buffer whose pin holds for this one: itself, or another one of the group
/// that the user put it into; NULL if it has none.
static const BerthBufferInfo *pinOf(const BerthScope *scope,
                                    const BerthBufferInfo *buffer) {
  if (!isBound(buffer))
    return NULL;
  if (buffer->constraints->pin != BERTH_NONE)
    return buffer;
  int64_t group = berthOwnGroup(buffer);
  for (size_t i = 0; i < scope->numBuffers && group != BERTH_NONE; ++i) {
    const BerthBufferInfo *member = &scope->buffers[i];
    if (isBound(member) && berthOwnGroup(member) == group &&
        member->constraints->pin != BERTH_NONE)
      return member;
  }
  return NULL;
}

/// "berth.pin = 64", by an attribute of this buffer's or of another one's in
/// its group, or as a plan has it.
static void appendPin(BerthText *text, const BerthJob *job,
                      const BerthBufferInfo *buffer,
                      const BerthBufferInfo *pinned) {
  long long pin = (long long)pinned->constraints->pin;
  if (job->kept)
    berthTextAppend(text, "plan '%s' is refused: offset %lld",
                    job->options->plan, pin);
  else if (pinned == buffer)
    berthTextAppend(text, BERTH_PIN " = %lld", pin);
  else
    berthTextAppend(text,
                    BERTH_GROUP " = %lld, with " BERTH_PIN
                                " = %lld of the buffer allocated in line %d",
                    (long long)buffer->constraints->number, pin,
                    lineOf(pinned));
}

static void failText(BerthJob *job, const BerthBufferInfo *buffer,
                     BerthText *text) {
  berthFailBuffer(job, buffer, "%s", text->data);
  berthTextFree(text);
}

//===----------------------------------------------------------------------===//
// One buffer, or group, and its memory
//===----------------------------------------------------------------------===//

/// What of the memory the bytes may not have, or nothing. No bytes may be
/// anywhere in it.
static void appendForbidden(BerthText *text, const BerthJob *job,
                            BerthRange bytes) {
  const BerthArenaOptions *options = job->options;
  if (options->capacity && bytes.upper > options->capacity) {
    berthTextAppend(text, "lie beyond the capacity of ");
    berthTextAppendMemory(text, job);
    berthTextAppend(text, ", %lld bytes", (long long)options->capacity);
    return;
  }
  if (bytes.lower == bytes.upper)
    return;
  if (options->numBanks && berthBankOf(options, bytes.lower) !=
                               berthBankOf(options, bytes.upper - 1)) {
    berthTextAppend(text, "lie in banks %lld and %lld of ",
                    (long long)berthBankOf(options, bytes.lower),
                    (long long)berthBankOf(options, bytes.upper - 1));
    berthTextAppendMemory(text, job);
    berthTextAppend(text, ", and no buffer lies in two");
    return;
  }
  for (size_t i = 0; i < options->numReserved; ++i) {
    BerthRange range = options->reserved[i];
    if (bytes.lower >= range.upper || range.lower >= bytes.upper)
      continue;
    berthTextAppend(text, "overlap [%lld, %lld), which %s in ",
                    (long long)range.lower, (long long)range.upper,
                    job->numBelow && i + 1 == options->numReserved
                        ? "callers use"
                        : "is reserved");
    berthTextAppendMemory(text, job);
    return;
  }
}

static void checkPin(BerthJob *job, const BerthBufferInfo *buffer,
                     const BerthBufferInfo *pinned) {
  int64_t pin = pinned->constraints->pin;
  BerthText text = {0}, forbidden = {0};
  appendPin(&text, job, buffer, pinned);
  if (pin % buffer->alignment) {
    berthTextAppend(&text, " is no multiple of the buffer's alignment %lld",
                    (long long)buffer->alignment);
    failText(job, buffer, &text);
    return;
  }
  if (pin > INT64_MAX - buffer->size)
    berthTextAppend(&forbidden, "end beyond all numbers");
  else
    appendForbidden(&forbidden, job, (BerthRange){pin, pin + buffer->size});
  if (forbidden.length) {
    berthTextAppend(&text, ": the buffer's %lld bytes %s",
                    (long long)buffer->size, forbidden.data);
    failText(job, buffer, &text);
  }
  berthTextFree(&text);
  berthTextFree(&forbidden);
}

/// The bank that a demand puts the buffer into, or BERTH_NONE.
static int64_t bankDemanded(const BerthJob *job,
                            const BerthBufferInfo *buffer) {
  const BerthConstraints *constraints = buffer->constraints;
  if (!job->options->numBanks)
    return BERTH_NONE;
  if (constraints->bank == BERTH_NONE && constraints->pin != BERTH_NONE)
    return berthBankOf(job->options, constraints->pin);
  return constraints->bank;
}

/// One of both is bound to a bank that starts where the other one may not.
static void failBankStart(BerthJob *job, const BerthBufferInfo *member,
                          const BerthBufferInfo *buffer) {
  const BerthBufferInfo *bound =
      bankDemanded(job, member) == BERTH_NONE ? buffer : member;
  const BerthBufferInfo *other = bound == member ? buffer : member;
  int64_t bank = bankDemanded(job, bound);
  berthFailBuffer(job, other,
                  BERTH_GROUP " = %lld: the one allocated in line %d is in "
                              "bank %lld, which starts at %lld, no multiple of "
                              "the buffer's alignment %lld",
                  (long long)buffer->constraints->number, lineOf(bound),
                  (long long)bank,
                  (long long)(bank * berthBankBytes(job->options)),
                  (long long)other->alignment);
}

/// Two of one group, which is to have one offset.
static void checkMembers(BerthJob *job, const BerthBufferInfo *member,
                         const BerthBufferInfo *buffer) {
  long long number = (long long)buffer->constraints->number;
  int64_t a = member->constraints->pin, b = buffer->constraints->pin;
  if (a != BERTH_NONE && b != BERTH_NONE && a != b) {
    berthFailBuffer(job, buffer,
                    BERTH_GROUP " = %lld: the buffer has " BERTH_PIN
                                " = %lld, the one allocated in line %d " //
                    BERTH_PIN " = %lld",
                    number, (long long)b, lineOf(member), (long long)a);
    return;
  }
  if (!job->options->numBanks || (member->banks & buffer->banks))
    return;
  a = bankDemanded(job, member), b = bankDemanded(job, buffer);
  if (a == BERTH_NONE || b == BERTH_NONE) {
    failBankStart(job, member, buffer);
    return;
  }
  BerthText text = {0};
  berthTextAppend(&text, BERTH_GROUP " = %lld: the buffer is in bank %lld of ",
                  number, (long long)b);
  berthTextAppendMemory(&text, job);
  berthTextAppend(&text, ", the one allocated in line %d in bank %lld",
                  lineOf(member), (long long)a);
  failText(job, buffer, &text);
}

typedef struct GroupWalk {
  BerthJob *job;
  const BerthBufferInfo *buffer; ///< the first one of its group
} GroupWalk;

static bool isOfScope(const BerthScope *scope, MlirOperation op) {
  for (size_t i = 0; i < scope->numBuffers; ++i)
    if (mlirOperationEqual(scope->buffers[i].alloc, op))
      return true;
  return false;
}

/// An offset in one memory is not one in another.
static MlirWalkResult findOtherMemory(MlirOperation op, void *userData) {
  GroupWalk *walk = userData;
  const BerthScope *scope = &walk->job->scope;
  MlirAttribute number = berthAttributeOf(op, BERTH_GROUP);
  if (mlirAttributeIsNull(number) ||
      !mlirAttributeEqual(number,
                          berthAttributeOf(walk->buffer->alloc, BERTH_GROUP)) ||
      isOfScope(scope, op) || mlirOperationGetNumResults(op) == 0)
    return MlirWalkResultAdvance;
  MlirType type = mlirValueGetType(mlirOperationGetResult(op, 0));
  MlirAttribute space = berthAttributeOf(op, BERTH_SPACE);
  if (mlirAttributeIsNull(space) && mlirTypeIsAMemRef(type))
    space = mlirMemRefTypeGetMemorySpace(type);
  if (!mlirTypeIsAMemRef(type) || mlirAttributeEqual(space, scope->space))
    return MlirWalkResultAdvance;
  int line, column;
  berthOpGetPosition(op, &line, &column);
  BerthText text = {0};
  berthTextAppend(&text, BERTH_GROUP " = %lld: the buffer is in ",
                  (long long)walk->buffer->constraints->number);
  berthTextAppendMemory(&text, walk->job);
  berthTextAppend(&text, ", the one allocated in line %d in ", line);
  if (mlirAttributeIsNull(space))
    berthTextAppend(&text, "the default one");
  else
    mlirAttributePrint(space, berthTextCallback, &text);
  failText(walk->job, walk->buffer, &text);
  return MlirWalkResultInterrupt;
}

static void checkGroup(BerthJob *job, size_t index) {
  const BerthScope *scope = &job->scope;
  const BerthBufferInfo *buffer = &scope->buffers[index];
  int64_t group = berthOwnGroup(buffer);
  if (group == (int64_t)index) {
    GroupWalk walk = {.job = job, .buffer = buffer};
    mlirOperationWalk(scope->op, findOtherMemory, &walk, MlirWalkPreOrder);
  }
  for (size_t i = 0; i < index && group != BERTH_NONE; ++i)
    if (job->status == BERTH_SUCCESS && isBound(&scope->buffers[i]) &&
        berthOwnGroup(&scope->buffers[i]) == group)
      checkMembers(job, &scope->buffers[i], buffer);
}

void berthCheckPlaces(BerthJob *job) {
  for (size_t i = 0; i < job->scope.numBuffers; ++i) {
    const BerthBufferInfo *buffer = &job->scope.buffers[i];
    if (job->status != BERTH_SUCCESS || !isBound(buffer))
      continue;
    checkGroup(job, i);
    const BerthBufferInfo *pinned = pinOf(&job->scope, buffer);
    if (pinned && job->status == BERTH_SUCCESS)
      checkPin(job, buffer, pinned);
  }
}

//===----------------------------------------------------------------------===//
// Two buffers
//===----------------------------------------------------------------------===//

/// Both are at one place, and live at one time or kept apart all the same.
static void checkPair(BerthJob *job, const BerthBufferInfo *first,
                      const BerthBufferInfo *second, bool areApart) {
  const BerthBufferInfo *a = pinOf(&job->scope, first),
                        *b = pinOf(&job->scope, second);
  if (!a || !b || a == b)
    return;
  int64_t at = a->constraints->pin, other = b->constraints->pin;
  bool isJoined = first->group != BERTH_NONE && first->group == second->group;
  if (at >= other + second->size || other >= at + first->size ||
      (isJoined && at == other) ||
      !(areApart || berthBuffersMeet(first, second)))
    return;
  const BerthBufferInfo *alone = first->constraints->isAlone    ? first
                                 : second->constraints->isAlone ? second
                                                                : NULL;
  BerthText text = {0};
  appendPin(&text, job, second, b);
  berthTextAppend(&text, ": the buffer's bytes [%lld, %lld) of ",
                  (long long)other, (long long)(other + second->size));
  berthTextAppendMemory(&text, job);
  berthTextAppend(&text,
                  " overlap [%lld, %lld), where that allocated in line %d is "
                  "pinned, and ",
                  (long long)at, (long long)(at + first->size), lineOf(first));
  if (alone)
    berthTextAppend(&text, BERTH_NO_REUSE " lets %s share with nobody",
                    alone == second ? "it" : "that one");
  else if (berthBuffersMeet(first, second))
    berthTextAppend(&text, "both are live together");
  else
    berthTextAppend(&text, "no barrier separates what threads do to them");
  failText(job, second, &text);
}

void berthCheckPinPairs(BerthJob *job) {
  const BerthScope *scope = &job->scope;
  for (size_t i = 0; i < scope->numBuffers; ++i)
    for (size_t k = 0; k < i && isBound(&scope->buffers[i]); ++k)
      if (job->status == BERTH_SUCCESS && isBound(&scope->buffers[k]))
        checkPair(job, &scope->buffers[k], &scope->buffers[i], false);
}

void berthCheckPinEdges(BerthJob *job) {
  const BerthProblemData *problem = berthProblemGetData(job->problem);
  for (size_t i = 0; i < problem->numEdges && !job->isReported; ++i) {
    const BerthBufferInfo *pair[] = {
        &job->scope.buffers[job->bufferOf[problem->edges[i].first]],
        &job->scope.buffers[job->bufferOf[problem->edges[i].second]]};
    bool isOrdered = pair[0] < pair[1];
    if (isBound(pair[0]) && isBound(pair[1]))
      checkPair(job, pair[!isOrdered], pair[isOrdered], true);
  }
}
