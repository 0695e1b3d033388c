//===- Constraints.c - What users demand of single buffers ----------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Plan/Constraints.h"
#include "IR/Liveness/Groups.h"
#include "IR/Ops/Attributes.h"
#include "IR/Ops/OrDie.h"
#include "IR/Ops/Text.h"
#include "IR/Plan/Banks.h"
#include "IR/Plan/Clashes.h"
#include "IR/Plan/Problem.h"
#include "IR/Scope/Names.h"
#include "IR/Scope/Segments.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

#include <string.h>

static const BerthConstraints noConstraints = {.pin = BERTH_NONE,
                                               .hint = BERTH_NONE,
                                               .weight = BERTH_NONE,
                                               .number = BERTH_NONE,
                                               .bank = BERTH_NONE,
                                               .group = BERTH_NONE};

//===----------------------------------------------------------------------===//
// Attributes
//===----------------------------------------------------------------------===//

/// What the sums of weights times bytes have room for.
enum { kMaxWeight = 1 << 30 };

static void failValue(BerthJob *job, const BerthBufferInfo *buffer,
                      const char *name, const char *wanted) {
  BerthText text = {0};
  mlirAttributePrint(berthAttributeOf(buffer->alloc, name), berthTextCallback,
                     &text);
  berthFailBuffer(job, buffer, "%s = %.200s is %s", name, text.data, wanted);
  berthTextFree(&text);
}

/// BERTH_NONE where there is no such attribute. Anything but a whole number of
/// at least 0 is an error.
static int64_t numberOf(BerthJob *job, const BerthBufferInfo *buffer,
                        const char *name) {
  MlirAttribute attribute = berthAttributeOf(buffer->alloc, name);
  if (mlirAttributeIsNull(attribute))
    return BERTH_NONE;
  bool isNumber =
      mlirAttributeIsAInteger(attribute) &&
      (mlirTypeIsAIndex(mlirAttributeGetType(attribute)) ||
       mlirIntegerTypeGetWidth(mlirAttributeGetType(attribute)) <= 64);
  int64_t number =
      isNumber ? mlirIntegerAttrGetValueInt(attribute) : BERTH_NONE;
  if (number >= 0)
    return number;
  failValue(job, buffer, name, "no whole number of at least 0");
  return BERTH_NONE;
}

/// True if the flag stands there: alone, or as `true`.
static bool flagOf(BerthJob *job, const BerthBufferInfo *buffer,
                   const char *name) {
  MlirAttribute attribute = berthAttributeOf(buffer->alloc, name);
  if (mlirAttributeIsNull(attribute) || mlirAttributeIsAUnit(attribute))
    return !mlirAttributeIsNull(attribute);
  if (mlirAttributeIsABool(attribute))
    return mlirBoolAttrGetValue(attribute);
  failValue(job, buffer, name, "neither a flag nor true nor false");
  return false;
}

/// Says of one that binds offsets why the buffer has none.
static void failUnplaced(BerthJob *job, const BerthBufferInfo *buffer,
                         const BerthConstraints *read) {
  const char *name = read->pin != BERTH_NONE      ? BERTH_PIN
                     : read->number != BERTH_NONE ? BERTH_GROUP
                                                  : BERTH_BANK;
  if (read->pin == BERTH_NONE && read->number == BERTH_NONE &&
      read->bank == BERTH_NONE)
    return;
  berthFailBuffer(
      job, buffer, "%s cannot be met: the buffer is not placed, since %s", name,
      buffer->reason ? buffer->reason : "its offset is computed at run time");
}

static void failBank(BerthJob *job, const BerthBufferInfo *buffer,
                     int64_t bank) {
  BerthText memory = {0};
  berthTextAppendMemory(&memory, job);
  if (job->options->numBanks)
    berthFailBuffer(
        job, buffer, "berth.bank = %lld: %s has the banks 0 to %lld",
        (long long)bank, memory.data, (long long)job->options->numBanks - 1);
  else
    berthFailBuffer(job, buffer, "berth.bank = %lld: %s has no banks",
                    (long long)bank, memory.data);
  berthTextFree(&memory);
}

static void readAttributes(BerthJob *job, BerthBufferInfo *buffer) {
  BerthConstraints read = {.pin = numberOf(job, buffer, BERTH_PIN),
                           .hint = numberOf(job, buffer, BERTH_HINT),
                           .weight = numberOf(job, buffer, BERTH_WEIGHT),
                           .number = numberOf(job, buffer, BERTH_GROUP),
                           .bank = numberOf(job, buffer, BERTH_BANK),
                           .group = BERTH_NONE,
                           .isAlone = flagOf(job, buffer, BERTH_NO_REUSE)};
  bool isAny = read.pin != BERTH_NONE || read.hint != BERTH_NONE ||
               read.weight != BERTH_NONE || read.number != BERTH_NONE ||
               read.bank != BERTH_NONE || read.isAlone;
  if (!isAny || job->status != BERTH_SUCCESS)
    return;
  if (read.weight > kMaxWeight)
    failValue(job, buffer, BERTH_WEIGHT, "above 2^30, the largest weight");
  if (buffer->reason || buffer->isDynamic)
    failUnplaced(job, buffer, &read);
  if (read.pin != BERTH_NONE && job->options->splitArenas)
    berthFailBuffer(job, buffer,
                    "berth.pin is an offset in one arena: it excludes "
                    "split-arenas");
  if (read.number != BERTH_NONE && berthScopeIsShared(&job->scope))
    berthFailBuffer(
        job, buffer,
        "berth.group is not for memory that threads share: what keeps their "
        "accesses apart is not known before the plan");
  if (read.bank != BERTH_NONE && job->options->numBanks <= read.bank)
    failBank(job, buffer, read.bank);
  if (read.bank != BERTH_NONE && read.pin != BERTH_NONE &&
      berthBankOf(job->options, read.pin) != read.bank)
    berthFailBuffer(job, buffer,
                    "berth.bank = %lld: berth.pin = %lld is in bank %lld",
                    (long long)read.bank, (long long)read.pin,
                    (long long)berthBankOf(job->options, read.pin));
  buffer->constraints = berthNewCopy(&job->memory, &read, 1, sizeof read);
}

//===----------------------------------------------------------------------===//
// A kept plan
//===----------------------------------------------------------------------===//

static void pinTo(BerthJob *job, BerthBufferInfo *buffer,
                  const BerthPlanEntry *entry) {
  if (!buffer->constraints) {
    buffer->constraints = BERTH_NEW(&job->memory, BerthConstraints, 1);
    *buffer->constraints = noConstraints;
  }
  if (buffer->constraints->pin != BERTH_NONE &&
      buffer->constraints->pin != entry->offset)
    berthFailBuffer(
        job, buffer,
        "plan '%s', line %llu puts the buffer at %lld, berth.pin at %lld",
        job->options->plan, (unsigned long long)entry->line,
        (long long)entry->offset, (long long)buffer->constraints->pin);
  int64_t bank = buffer->constraints->bank;
  if (bank != BERTH_NONE && berthBankOf(job->options, entry->offset) != bank)
    berthFailBuffer(
        job, buffer,
        "plan '%s', line %llu puts the buffer at %lld, which is in bank %lld, "
        "not in berth.bank = %lld",
        job->options->plan, (unsigned long long)entry->line,
        (long long)entry->offset,
        (long long)berthBankOf(job->options, entry->offset), (long long)bank);
  buffer->constraints->pin = entry->offset;
}

static void takeEntry(BerthJob *job, BerthBufferInfo *buffer,
                      const BerthPlanEntry *entry, MlirAsmState state) {
  BerthText name = {0}, type = {0};
  berthNameBuffer(buffer, job->scope.space, state, &name, &type);
  const char *path = job->options->plan;
  unsigned long long line = entry->line;
  if (entry->type && strcmp(entry->type, type.data) != 0)
    berthFailBuffer(job, buffer,
                    "plan '%s', line %llu: the allocation there is of type "
                    "%.100s, not %.100s",
                    path, line, entry->type, type.data);
  else if (buffer->isDynamic)
    (void)entry; // its offset comes from its sizes
  else if (entry->size != BERTH_NONE && entry->size != buffer->size)
    berthFailBuffer(
        job, buffer,
        "plan '%s', line %llu: the allocation there has %lld bytes, not %lld",
        path, line, (long long)entry->size, (long long)buffer->size);
  else if (entry->offset != BERTH_NONE && buffer->reason)
    berthFailBuffer(
        job, buffer,
        "plan '%s', line %llu gives an offset to a buffer that is not placed: "
        "%s",
        path, line, buffer->reason);
  else if (entry->offset == BERTH_NONE)
    berthRejectBuffer(
        buffer,
        berthNewCopy(&job->memory, entry->reason, strlen(entry->reason) + 1, 1),
        buffer->alloc);
  else if (buffer->size > 0)
    pinTo(job, buffer, entry);
  berthTextFree(&name);
  berthTextFree(&type);
}

/// All buffers get the offsets of the plan. Whether they may have them the
/// verifier of plans says, as of any other plan.
static void takePlan(BerthJob *job) {
  BerthScope *scope = &job->scope;
  const BerthPlanScope *plan = job->kept;
  if (plan->numEntries != scope->numBuffers) {
    job->status = berthErrorSet(
        &job->error, BERTH_INVALID,
        "plan '%s', line %llu has %zu allocations of this scope, which has %zu",
        job->options->plan, (unsigned long long)plan->line, plan->numEntries,
        scope->numBuffers);
    return;
  }
  MlirAsmState state = berthAsmStateOf(scope->op);
  for (size_t i = 0; i < scope->numBuffers && job->status == BERTH_SUCCESS; ++i)
    takeEntry(job, &scope->buffers[i], &plan->entries[i], state);
  mlirAsmStateDestroy(state);
}

//===----------------------------------------------------------------------===//
// Groups, and buffers that share with nobody
//===----------------------------------------------------------------------===//

static void failBankBytes(BerthJob *job, const BerthBufferInfo *buffer) {
  BerthText memory = {0};
  berthTextAppendMemory(&memory, job);
  berthFailBuffer(job, buffer,
                  "the buffer has %lld bytes, each of the %lld banks of %s "
                  "%lld",
                  (long long)buffer->size, (long long)job->options->numBanks,
                  memory.data, (long long)berthBankBytes(job->options));
  berthTextFree(&memory);
}

/// A buffer that no bank has room for, or whose bank starts at no multiple of
/// its alignment, has no place at all.
static void findBanks(BerthJob *job) {
  for (size_t i = 0; i < job->scope.numBuffers; ++i) {
    BerthBufferInfo *buffer = &job->scope.buffers[i];
    int64_t bank = buffer->constraints ? buffer->constraints->bank : BERTH_NONE;
    if (buffer->reason || job->status != BERTH_SUCCESS)
      continue;
    buffer->banks = berthBanksFor(job->options, buffer);
    if (buffer->size > berthBankBytes(job->options))
      failBankBytes(job, buffer);
    else if (bank != BERTH_NONE && !buffer->banks)
      berthFailBuffer(
          job, buffer,
          "berth.bank = %lld: the bank starts at %lld, which is no multiple "
          "of the buffer's alignment %lld",
          (long long)bank, (long long)(bank * berthBankBytes(job->options)),
          (long long)buffer->alignment);
  }
}

/// One that is live together with another would be a second buffer in its
/// place.
static void joinGroup(BerthJob *job, size_t index) {
  BerthScope *scope = &job->scope;
  BerthBufferInfo *buffer = &scope->buffers[index];
  buffer->constraints->group = (int64_t)index;
  for (size_t i = 0; i < index && job->status == BERTH_SUCCESS; ++i) {
    const BerthBufferInfo *member = &scope->buffers[i];
    if (!member->constraints || member->reason ||
        member->constraints->number != buffer->constraints->number)
      continue;
    buffer->constraints->group = member->constraints->group;
    int line, column;
    berthOpGetPosition(member->alloc, &line, &column);
    if (member->constraints->isAlone || buffer->constraints->isAlone)
      berthFailBuffer(job, buffer,
                      "berth.group = %lld: the buffer is to lie where the one "
                      "allocated in line %d does, but berth.no_reuse lets %s "
                      "share with nobody",
                      (long long)buffer->constraints->number, line,
                      buffer->constraints->isAlone ? "it" : "that one");
    else if (berthBuffersMeet(member, buffer))
      berthFailBuffer(
          job, buffer,
          "berth.group = %lld: the buffer is live together with the one "
          "allocated in line %d",
          (long long)buffer->constraints->number, line);
  }
  if (buffer->constraints->group != (int64_t)index)
    berthJoinGroups(scope, (size_t)buffer->constraints->group, index,
                    (MlirOperation){NULL});
}

static void holdAlone(BerthJob *job, BerthBufferInfo *buffer) {
  buffer->segments = BERTH_NEW(&job->memory, BerthSegment, 1);
  buffer->segments[0] = (BerthSegment){0, job->points.count};
  buffer->numSegments = 1;
}

void berthReadConstraints(BerthJob *job) {
  BerthScope *scope = &job->scope;
  for (size_t i = 0; i < scope->numBuffers; ++i)
    if (mlirOperationIsNull(scope->buffers[i].callee))
      readAttributes(job, &scope->buffers[i]);
  if (job->kept && job->status == BERTH_SUCCESS)
    takePlan(job);
  if (job->options->numBanks)
    findBanks(job);
  for (size_t i = 0; i < scope->numBuffers; ++i) {
    BerthBufferInfo *buffer = &scope->buffers[i];
    if (job->status != BERTH_SUCCESS || buffer->reason || !buffer->constraints)
      continue;
    if (buffer->constraints->isAlone)
      holdAlone(job, buffer);
    if (buffer->constraints->number != BERTH_NONE)
      joinGroup(job, i);
  }
  if (job->status == BERTH_SUCCESS)
    berthCheckPlaces(job);
}

void berthTextAppendConstraints(BerthText *text,
                                const BerthBufferInfo *buffer) {
  const BerthConstraints *constraints = buffer->constraints;
  if (!constraints)
    return;
  if (constraints->pin != BERTH_NONE)
    berthTextAppend(text, " at %lld", (long long)constraints->pin);
  if (constraints->number != BERTH_NONE)
    berthTextAppend(text, " in group %lld", (long long)constraints->number);
  if (constraints->bank != BERTH_NONE)
    berthTextAppend(text, " in bank %lld", (long long)constraints->bank);
  if (constraints->isAlone)
    berthTextAppend(text, " sharing with nobody");
}

void berthCheckConstraints(BerthJob *job) {
  bool isAny = job->options->numReserved;
  for (size_t i = 0; i < job->numPlaced; ++i)
    isAny |= job->scope.buffers[job->bufferOf[i]].constraints != NULL;
  if (!isAny || job->status != BERTH_SUCCESS)
    return;
  if (!job->kept)
    berthCheckPinPairs(job);
  if (job->status != BERTH_SUCCESS)
    return;
  BerthError error;
  size_t bad = SIZE_MAX;
  if (berthCheckProblem(job, &bad, &error) == BERTH_SUCCESS)
    return;
  if (job->kept) {
    job->status = berthErrorSet(&job->error, BERTH_INVALID,
                                "plan '%s' is refused: %.400s",
                                job->options->plan, error.message);
  } else if (bad == SIZE_MAX)
    job->status =
        berthErrorSet(&job->error, BERTH_INVALID, "%s", error.message);
  else
    berthFailBuffer(job, &job->scope.buffers[job->bufferOf[bad]], "%s",
                    error.message);
}
