//===- Groups.c - Buffers of one offset -----------------------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Liveness/Groups.h"
#include "IR/Ops/OrDie.h"
#include "IR/Scope/Segments.h"

size_t berthNextInGroup(const BerthScope *scope, size_t member) {
  const BerthBufferInfo *buffer = &scope->buffers[member];
  return buffer->group == BERTH_NONE ? member : buffer->nextInGroup;
}

/// True if `a` and whoever is with it may be with `b`.
static bool mayTake(const BerthScope *scope, size_t a, size_t b,
                    BerthMayMeet mayMeet, const void *userData) {
  size_t x = a;
  do {
    const BerthBufferInfo *member = &scope->buffers[x];
    const BerthBufferInfo *other = &scope->buffers[b];
    if (!berthMayCoincide(member, other) ||
        (berthBuffersMeet(member, other) && !mayMeet(x, b, userData)))
      return false;
    x = berthNextInGroup(scope, x);
  } while (x != a);
  return true;
}

bool berthMayJoinGroups(const BerthScope *scope, size_t a, size_t b,
                        BerthMayMeet mayMeet, const void *userData) {
  int64_t group = scope->buffers[a].group;
  if (a == b || (group != BERTH_NONE && group == scope->buffers[b].group))
    return false;
  size_t y = b;
  do {
    if (!mayTake(scope, a, y, mayMeet, userData))
      return false;
    y = berthNextInGroup(scope, y);
  } while (y != b);
  return true;
}

/// Joins the rings of both.
static void joinRings(BerthScope *scope, size_t a, size_t b) {
  size_t afterA = berthNextInGroup(scope, a),
         afterB = berthNextInGroup(scope, b);
  if (scope->buffers[a].group == BERTH_NONE)
    scope->buffers[a].group = (int64_t)a;
  size_t y = b;
  do {
    size_t next = berthNextInGroup(scope, y);
    scope->buffers[y].group = scope->buffers[a].group;
    y = next;
  } while (y != b);
  scope->buffers[a].nextInGroup = afterB;
  scope->buffers[b].nextInGroup = afterA;
}

void berthJoinGroups(BerthScope *scope, size_t a, size_t b,
                     MlirOperation writtenBy) {
  // Each join makes one group of two.
  if (!scope->links)
    scope->links = BERTH_NEW(scope->memory, BerthLink, scope->numBuffers);
  scope->links[scope->numLinks++] =
      (BerthLink){.a = a, .b = b, .writtenBy = writtenBy};
  joinRings(scope, a, b);
  if (!mlirOperationIsNull(writtenBy))
    scope->buffers[b].writtenBy = writtenBy;
}

//===----------------------------------------------------------------------===//
// Fewer links
//===----------------------------------------------------------------------===//

static bool mayCut(const BerthScope *scope, const BerthLink *link) {
  const BerthBufferInfo *a = &scope->buffers[link->a],
                        *b = &scope->buffers[link->b];
  int64_t own = berthOwnGroup(a);
  return !a->isDynamic && (own == BERTH_NONE || own != berthOwnGroup(b));
}

bool berthScopeCutLinks(BerthScope *scope, BerthCutsLink cuts,
                        const void *userData) {
  bool isAnyCut = false;
  for (size_t i = 0; i < scope->numLinks; ++i) {
    scope->buffers[scope->links[i].a].group = BERTH_NONE;
    scope->buffers[scope->links[i].b].group = BERTH_NONE;
  }
  for (size_t i = 0; i < scope->numLinks; ++i) {
    BerthLink *link = &scope->links[i];
    link->isCut = mayCut(scope, link) && cuts(link, userData);
    isAnyCut |= link->isCut;
    if (!link->isCut)
      joinRings(scope, link->a, link->b);
    if (!mlirOperationIsNull(link->writtenBy))
      scope->buffers[link->b].writtenBy =
          link->isCut ? (MlirOperation){NULL} : link->writtenBy;
  }
  return isAnyCut;
}
