//===- Alternatives.c - Buffers of which a value is one -------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Buffers that meet in some value are one *web*, over several values too. Each
// web is looked at by itself: its names, where each of them is wanted, and then
// every pair of its buffers. Where a name is wanted is found without asking
// what has been written, which the buffers' own live ranges tell already: what
// counts is where both say so.
//
//===----------------------------------------------------------------------===//

#include "IR/Liveness/Alternatives.h"
#include "IR/Liveness/FlowGraph.h"
#include "IR/Liveness/Groups.h"
#include "IR/Liveness/Liveness.h"
#include "IR/Ops/Dealloc.h"
#include "IR/Ops/Effects.h"
#include "IR/Ops/OpTable.h"
#include "IR/Ops/OrDie.h"
#include "IR/Ops/Rules.h"
#include "IR/Scope/Segments.h"
#include "IR/Threads/Uniformity.h"
#include "mlir-c/BuiltinTypes.h"

#include <stdlib.h>

/// Larger webs are left alone: every pair of their names is compared.
enum { kMostMembers = 32, kMostNames = 64 };

/// A value that stands for a buffer, with all views of it.
typedef struct Name {
  MlirValue value; ///< the allocation, or what merges several
  BerthAccess *stops;
  size_t numStops, stopCapacity;
  BerthSegments wanted;
  uint64_t members; ///< bit i: it may be buffer i of the web
} Name;

typedef struct Search {
  const BerthScope *scope;
  const BerthPoints *points;
  const char *breakRule;
  size_t *next;   ///< by buffer: the next one of its web, in a ring
  size_t *webOf;  ///< by buffer: the first one of its web
  bool *isUsable; ///< by buffer
  // The web at hand:
  size_t members[kMostMembers];
  size_t numMembers;
  Name names[kMostNames];
  size_t numNames;
  BerthPointerMap nameOf;
  BerthFlowGraph graph;
  // The result:
  BerthAlternative *pairs;
  size_t numPairs, pairCapacity;
  BerthWeb *webs;
  size_t numWebs, webCapacity;
} Search;

//===----------------------------------------------------------------------===//
// Names
//===----------------------------------------------------------------------===//

static bool choosesOperand(MlirOperation op) {
  intptr_t count = mlirOperationGetNumOperands(op);
  for (intptr_t i = 0; i < count; ++i)
    if (berthOpGetRole(op, i) == BERTH_OPERAND_CHOSEN)
      return true;
  return false;
}

/// True if control comes to the op one way at a time, so that a value is one
/// buffer only whenever it is asked for.
static bool runsInSteps(const Search *search, MlirOperation op) {
  return mlirOperationEqual(berthPointsOutermostOpaque(search->points, op), op);
}

/// True if all threads that share the memory come to the op equally often.
static bool isForAllThreads(const Search *search, MlirOperation op) {
  return !berthScopeIsShared(search->scope) ||
         berthControlIsUniform(search->scope, op, NULL) ||
         berthIsBroken(search->breakRule, "one-choice");
}

/// True if it is the same in all threads that share the memory.
static bool isOneChoice(const Search *search, MlirValue value) {
  return !berthScopeIsShared(search->scope) ||
         berthValueIsUniform(search->scope, value) ||
         berthIsBroken(search->breakRule, "one-choice");
}

/// True if the value is what control flow or a select hands to it.
static bool isMerged(const Search *search, MlirValue value) {
  if (!isOneChoice(search, value))
    return false;
  if (mlirValueIsABlockArgument(value)) {
    MlirBlock block = mlirBlockArgumentGetOwner(value);
    MlirBlock first = mlirRegionGetFirstBlock(search->points->body);
    MlirOperation start = mlirBlockGetFirstOperation(block);
    return !mlirBlockEqual(block, first) && runsInSteps(search, start) &&
           isForAllThreads(search, start);
  }
  MlirOperation op = mlirOpResultGetOwner(value);
  size_t numSteps;
  bool isKnown = berthPointsSteps(search->points, op, &numSteps) != NULL;
  return (isKnown || choosesOperand(op)) && runsInSteps(search, op) &&
         isForAllThreads(search, op);
}

/// True if the op is known to start something that goes on behind it, or to let
/// others do so.
static bool mayGoOn(MlirOperation op) {
  return berthOpIsTransfer(op) || berthOpIsAsync(op) ||
         berthOpStartsAnyAsync(op) || berthOpIsOtherProxy(op) ||
         berthOpLetsEscape(op);
}

/// True if all values that may point into the buffer are names or views of
/// them, and nothing that is done to it outlasts its op.
static bool isUsable(const Search *search, const BerthBufferInfo *buffer) {
  if (buffer->reason || buffer->leaks || buffer->isDynamic || !buffer->size ||
      !mlirOperationIsNull(buffer->callee))
    return false;
  for (size_t i = 0; i < buffer->numAliases; ++i) {
    MlirValue alias = buffer->aliases[i], name = berthValueBehindViews(alias);
    MlirType type = mlirValueGetType(alias);
    bool isName = mlirValueEqual(name, buffer->value) || isMerged(search, name);
    if (!isName ||
        !(mlirTypeIsAMemRef(type) || mlirTypeIsAUnrankedMemRef(type)))
      return false;
  }
  for (size_t i = 0; i < buffer->numAccesses; ++i)
    if (mayGoOn(buffer->accesses[i].op))
      return false;
  return true;
}

//===----------------------------------------------------------------------===//
// Webs
//===----------------------------------------------------------------------===//

/// Joins the rings of two buffers, unless they are one.
static void joinWebs(Search *search, size_t a, size_t b) {
  if (search->webOf[a] == search->webOf[b])
    return;
  size_t first = search->webOf[a], second = search->webOf[b];
  size_t web = first < second ? first : second;
  size_t other = first < second ? second : first;
  size_t member = other;
  do {
    search->webOf[member] = web;
    member = search->next[member];
  } while (member != other);
  size_t after = search->next[web];
  search->next[web] = search->next[other];
  search->next[other] = after;
}

static void findWebs(Search *search) {
  size_t count = search->scope->numBuffers;
  BerthPointerMap firstOf = {0};
  for (size_t i = 0; i < count; ++i) {
    const BerthBufferInfo *buffer = &search->scope->buffers[i];
    search->webOf[i] = search->next[i] = i;
    search->isUsable[i] = isUsable(search, buffer);
    for (size_t k = 1; search->isUsable[i] && k < buffer->numAliases; ++k)
      if (!berthPointerMapInsert(&firstOf, buffer->aliases[k].ptr, i))
        joinWebs(search, berthPointerMapFind(&firstOf, buffer->aliases[k].ptr),
                 i);
  }
  berthPointerMapFree(&firstOf);
}

static int compareIndices(const void *left, const void *right) {
  size_t a = *(const size_t *)left, b = *(const size_t *)right;
  return (a > b) - (a < b);
}

/// Takes the members of a web; false if there is one only, or too many.
static bool takeMembers(Search *search, size_t web) {
  search->numMembers = 0;
  size_t member = web;
  do {
    if (search->numMembers == kMostMembers)
      return false;
    search->members[search->numMembers++] = member;
    member = search->next[member];
  } while (member != web);
  qsort(search->members, search->numMembers, sizeof *search->members,
        compareIndices);
  return search->numMembers > 1;
}

//===----------------------------------------------------------------------===//
// What is done through a name
//===----------------------------------------------------------------------===//

static const BerthAccess *findAccess(const Search *search,
                                     const BerthBufferInfo *buffer,
                                     MlirOperation op) {
  size_t first =
      berthFirstAccessFrom(buffer, berthPointsLower(search->points, op));
  bool isFound = first < buffer->numAccesses &&
                 mlirOperationEqual(buffer->accesses[first].op, op);
  return isFound ? &buffer->accesses[first] : NULL;
}

/// True for uses that neither read nor write: views, which are walked
/// themselves, sizes, and what goes with the deallocations.
static bool isNoUse(MlirOperation op, MlirValue value) {
  MlirValue source = berthViewGetSource(op);
  return (!mlirValueIsNull(source) && mlirValueEqual(source, value)) ||
         berthOpResultsAreShapes(op) || berthOpIs(op, BERTH_OP_ADDRESS) ||
         berthOpIs(op, BERTH_OP_FREE) || berthDeallocNumMemRefs(op) >= 0;
}

static void addStop(Name *name, BerthAccess stop) {
  name->stops = berthGrow(name->stops, name->numStops, &name->stopCapacity,
                          sizeof *name->stops);
  name->stops[name->numStops++] = stop;
}

/// All that is no access hands the buffer on: the name is read there.
static void addUses(const Search *search, Name *name,
                    const BerthBufferInfo *buffer, MlirValue alias) {
  bool isOwn = mlirValueEqual(name->value, buffer->value);
  for (MlirOpOperand use = mlirValueGetFirstUse(alias);
       !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    MlirOperation user = mlirOpOperandGetOwner(use);
    if (isNoUse(user, alias))
      continue;
    MlirOperation op = berthPointsOutermostOpaque(search->points, user);
    const BerthAccess *access = findAccess(search, buffer, op);
    size_t numSteps;
    bool isEntry = !access && mlirOperationEqual(op, user) &&
                   berthPointsSteps(search->points, op, &numSteps);
    addStop(name, (BerthAccess){.op = op,
                                .lower = berthPointsLower(search->points, op),
                                .upper = berthPointsUpper(search->points, op),
                                .reads = !access || access->reads,
                                .writes = access && access->writes,
                                .kills = isOwn && access && access->kills,
                                .isEntry = isEntry});
  }
}

/// Sorts the stops, and makes one of those of one op.
static void joinStops(Name *name) {
  if (name->numStops == 0)
    return;
  qsort(name->stops, name->numStops, sizeof *name->stops, berthCompareAccesses);
  size_t last = 0;
  for (size_t i = 1; i < name->numStops; ++i) {
    BerthAccess *stop = &name->stops[last], *next = &name->stops[i];
    if (!mlirOperationEqual(stop->op, next->op)) {
      name->stops[++last] = *next;
      continue;
    }
    stop->reads |= next->reads;
    stop->writes |= next->writes;
    stop->kills &= next->kills;
    stop->isEntry &= next->isEntry;
  }
  name->numStops = last + 1;
}

/// Finds the names of the web's buffers. False if there are too many.
static bool findNames(Search *search) {
  search->numNames = 0;
  berthPointerMapClear(&search->nameOf);
  for (size_t m = 0; m < search->numMembers; ++m) {
    const BerthBufferInfo *buffer = &search->scope->buffers[search->members[m]];
    for (size_t i = 0; i < buffer->numAliases; ++i) {
      MlirValue value = berthValueBehindViews(buffer->aliases[i]);
      size_t index = berthPointerMapFind(&search->nameOf, value.ptr);
      if (index == BERTH_NOT_FOUND) {
        if (search->numNames == kMostNames)
          return false;
        index = search->numNames++;
        berthPointerMapInsert(&search->nameOf, value.ptr, index);
        Name *name = &search->names[index];
        name->value = value;
        name->numStops = name->wanted.count = 0;
        name->members = 0;
      }
      search->names[index].members |= UINT64_C(1) << m;
      addUses(search, &search->names[index], buffer, buffer->aliases[i]);
    }
  }
  return true;
}

static void findWanted(Search *search) {
  for (size_t i = 0; i < search->numNames; ++i) {
    Name *name = &search->names[i];
    joinStops(name);
    berthValueSearch(&search->graph, search->points, name->value, name->stops,
                     name->numStops, &name->wanted);
  }
}

//===----------------------------------------------------------------------===//
// Pairs
//===----------------------------------------------------------------------===//

static void intersect(BerthSegments *result, const BerthSegment *a, size_t numA,
                      const BerthSegment *b, size_t numB) {
  result->count = 0;
  for (size_t i = 0, k = 0; i < numA && k < numB;) {
    int64_t lower = a[i].lower > b[k].lower ? a[i].lower : b[k].lower;
    int64_t upper = a[i].upper < b[k].upper ? a[i].upper : b[k].upper;
    berthSegmentsAdd(result, lower, upper);
    if (a[i].upper <= b[k].upper)
      ++i;
    else
      ++k;
  }
}

/// True if the names m and n are wanted at some point where both buffers hold
/// something.
static bool namesMeet(const Name *m, const Name *n, const BerthSegments *both,
                      BerthSegments *scratch) {
  intersect(scratch, m->wanted.segments, m->wanted.count, n->wanted.segments,
            n->wanted.count);
  return berthSegmentsMeet(scratch->segments, scratch->count, both->segments,
                           both->count);
}

/// `a` and `b` are members of the web by their places in it.
static bool areAlternatives(const Search *search, size_t a, size_t b) {
  if (berthIsBroken(search->breakRule, "one-name"))
    return true;
  const BerthBufferInfo *x = &search->scope->buffers[search->members[a]];
  const BerthBufferInfo *y = &search->scope->buffers[search->members[b]];
  BerthSegments both = {0}, scratch = {0};
  intersect(&both, x->segments, x->numSegments, y->segments, y->numSegments);
  bool result = true;
  for (size_t m = 0; m < search->numNames && result; ++m)
    for (size_t n = 0; n < search->numNames && result; ++n)
      result =
          m == n || !(search->names[m].members >> a & 1) ||
          !(search->names[n].members >> b & 1) ||
          !namesMeet(&search->names[m], &search->names[n], &both, &scratch);
  free(both.segments);
  free(scratch.segments);
  return result;
}

static void addPairs(Search *search) {
  for (size_t a = 0; a < search->numMembers; ++a)
    for (size_t b = a + 1; b < search->numMembers; ++b) {
      size_t x = search->members[a], y = search->members[b];
      if (!berthBuffersMeet(&search->scope->buffers[x],
                            &search->scope->buffers[y]) ||
          !areAlternatives(search, a, b))
        continue;
      search->pairs = berthGrow(search->pairs, search->numPairs,
                                &search->pairCapacity, sizeof *search->pairs);
      search->pairs[search->numPairs++] = (BerthAlternative){x, y};
    }
}

static int comparePairs(const void *left, const void *right) {
  const BerthAlternative *x = left, *y = right;
  return x->a != y->a ? (x->a > y->a) - (x->a < y->a)
                      : (x->b > y->b) - (x->b < y->b);
}

static void freeSearch(Search *search) {
  for (size_t i = 0; i < kMostNames; ++i) {
    free(search->names[i].stops);
    free(search->names[i].wanted.segments);
  }
  berthPointerMapFree(&search->nameOf);
  berthFlowGraphFree(&search->graph);
  free(search->next);
  free(search->webOf);
  free(search->isUsable);
  free(search->pairs);
  free(search->webs);
  free(search);
}

//===----------------------------------------------------------------------===//
// What others are told
//===----------------------------------------------------------------------===//

static const MlirOperation *usesOf(const Search *search, const Name *name) {
  MlirOperation *uses =
      BERTH_NEW(search->scope->memory, MlirOperation, name->numStops);
  for (size_t i = 0; i < name->numStops; ++i)
    uses[i] = name->stops[i].op;
  return uses;
}

static void addWeb(Search *search) {
  BerthMemory *memory = search->scope->memory;
  BerthName *names = BERTH_NEW(memory, BerthName, search->numNames);
  for (size_t i = 0; i < search->numNames; ++i) {
    const Name *name = &search->names[i];
    names[i] = (BerthName){name->value, name->members, name->numStops,
                           usesOf(search, name)};
  }
  search->webs = berthGrow(search->webs, search->numWebs, &search->webCapacity,
                           sizeof *search->webs);
  search->webs[search->numWebs++] =
      (BerthWeb){search->numMembers,
                 berthNewCopy(memory, search->members, search->numMembers,
                              sizeof *search->members),
                 search->numNames, names};
}

static BerthAlternatives takeResult(Search *search) {
  BerthMemory *memory = search->scope->memory;
  if (search->numPairs)
    qsort(search->pairs, search->numPairs, sizeof *search->pairs, comparePairs);
  return (BerthAlternatives){search->numPairs,
                             berthNewCopy(memory, search->pairs,
                                          search->numPairs,
                                          sizeof *search->pairs),
                             search->numWebs,
                             berthNewCopy(memory, search->webs, search->numWebs,
                                          sizeof *search->webs)};
}

BerthAlternatives berthFindAlternatives(BerthJob *job) {
  const BerthScope *scope = &job->scope;
  const char *breakRule = job->options->alias.breakRule;
  bool isShared = berthScopeIsShared(scope);
  // Names are followed in the order of ops, which concurrent units do not keep.
  if (berthHasConcurrentUnits() || berthIsBroken(breakRule, "no-names") ||
      (isShared && scope->arrival != BERTH_ARRIVAL_TOGETHER))
    return (BerthAlternatives){0};
  if (isShared)
    berthScopeFindUniformity(&job->scope, breakRule);
  Search *search = berthAllocateOrDie(1, sizeof *search);
  search->scope = scope;
  search->points = &job->points;
  search->breakRule = breakRule;
  search->next = berthAllocateOrDie(scope->numBuffers, sizeof *search->next);
  search->webOf = berthAllocateOrDie(scope->numBuffers, sizeof *search->webOf);
  search->isUsable =
      berthAllocateOrDie(scope->numBuffers, sizeof *search->isUsable);
  findWebs(search);
  for (size_t i = 0; i < scope->numBuffers; ++i) {
    if (search->webOf[i] != i || !takeMembers(search, i) || !findNames(search))
      continue;
    findWanted(search);
    size_t numPairs = search->numPairs;
    addPairs(search);
    if (search->numPairs > numPairs)
      addWeb(search);
  }
  BerthAlternatives result = takeResult(search);
  freeSearch(search);
  return result;
}

bool berthAreAlternatives(const BerthAlternatives *alternatives, size_t a,
                          size_t b) {
  BerthAlternative key = {a < b ? a : b, a < b ? b : a};
  return alternatives->count &&
         bsearch(&key, alternatives->pairs, alternatives->count, sizeof key,
                 comparePairs);
}

//===----------------------------------------------------------------------===//
// Groups
//===----------------------------------------------------------------------===//

static bool mayMeet(size_t a, size_t b, const void *userData) {
  return berthAreAlternatives(userData, a, b);
}

/// Where they are pinned to one place, that is the only plan.
static bool arePinned(const BerthScope *scope, BerthAlternative pair) {
  const BerthConstraints *a = scope->buffers[pair.a].constraints;
  const BerthConstraints *b = scope->buffers[pair.b].constraints;
  return a && b && a->pin != BERTH_NONE && a->pin == b->pin;
}

void berthGroupAlternatives(BerthJob *job) {
  BerthScope *scope = &job->scope;
  bool isShared = berthScopeIsShared(scope);
  BerthAlternatives alternatives = berthFindAlternatives(job);
  for (size_t i = 0; i < alternatives.count; ++i) {
    BerthAlternative pair = alternatives.pairs[i];
    if (scope->buffers[pair.a].size == scope->buffers[pair.b].size &&
        (!isShared || arePinned(scope, pair)) &&
        berthMayJoinGroups(scope, pair.a, pair.b, mayMeet, &alternatives))
      berthJoinGroups(scope, pair.a, pair.b, (MlirOperation){NULL});
  }
}
