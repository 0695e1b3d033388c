//===- FoldNest.c - The accesses of a nest as statements -----------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Times are [ordinal, i0, ordinal, i1, ..., ordinal]: an op's place in its
// block, then the loop's variable, and so inwards; an if counts as one more
// level, by region. No two statements ever share a time.
//
// With parallel loops each variable takes two dimensions, (i, 0) in sequential
// loops and (0, i) in parallel ones, so that a dimension is concurrent in all
// statements or in none. Times are [ordinal, level, level', ordinal, ...] then.
//
//===----------------------------------------------------------------------===//

#include "IR/Fold/FoldNest.h"
#include "IR/Fold/FoldExpr.h"
#include "IR/Fold/FoldLoops.h"
#include "IR/Ops/Build.h"
#include "IR/Ops/OpTable.h"
#include "IR/Ops/OrDie.h"
#include "mlir-c/AffineMap.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool refuse(BerthFoldRefusal *refusal, MlirOperation at,
                   const char *format, ...) BERTH_PRINTF(3, 4);
static bool refuse(BerthFoldRefusal *refusal, MlirOperation at,
                   const char *format, ...) {
  va_list args;
  va_start(args, format);
  vsnprintf(refusal->why, sizeof refusal->why, format, args);
  va_end(args);
  refusal->at = at;
  return false;
}

static const char *nameOf(MlirOperation op) {
  return mlirIdentifierStr(mlirOperationGetName(op)).data;
}

//===----------------------------------------------------------------------===//
// Users
//===----------------------------------------------------------------------===//

intptr_t berthFoldMemRefOperand(const BerthFoldAccess *access) {
  return access->isStore ? 1 : 0;
}

/// Sorts a user into accesses; deallocations of the whole are nothing.
static bool addUser(BerthFoldNest *nest, size_t array, MlirOperation op,
                    intptr_t operand, BerthFoldRefusal *refusal) {
  BerthFoldAccess access = {.op = op, .array = array};
  if (berthOpIs(op, BERTH_OP_FREE))
    return mlirBlockEqual(mlirOperationGetBlock(op), nest->owner) ||
           refuse(refusal, op, "deallocated in another block");
  if (!berthOpIsElementAccess(op))
    return refuse(refusal, op, "used by %s, not only by loads and stores",
                  nameOf(op));
  access.isAffine = berthOpIsAffine(op);
  access.isStore = berthOpGetRole(op, 1) == BERTH_OPERAND_WRITTEN;
  if (operand != berthFoldMemRefOperand(&access))
    return refuse(refusal, op, "the array itself is stored");
  nest->accesses = berthGrow(nest->accesses, nest->numAccesses,
                             &nest->accessCapacity, sizeof *nest->accesses);
  nest->accesses[nest->numAccesses++] = access;
  return true;
}

static bool addUsers(BerthFoldNest *nest, size_t array,
                     BerthFoldRefusal *refusal) {
  for (MlirOpOperand use = mlirValueGetFirstUse(nest->arrays[array]);
       !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use))
    if (!addUser(nest, array, mlirOpOperandGetOwner(use),
                 mlirOpOperandGetOperandNumber(use), refusal))
      return false;
  return true;
}

//===----------------------------------------------------------------------===//
// The way in
//===----------------------------------------------------------------------===//

/// One op between the owner block and an access, outermost first; the access
/// itself comes last.
typedef struct Path {
  size_t count;
  MlirOperation ops[2 * BERTH_FOLD_MAX_LOOPS];
} Path;

static bool findPath(const BerthFoldNest *nest, MlirOperation op, Path *path,
                     BerthFoldRefusal *refusal) {
  MlirOperation inner = op;
  path->count = 0;
  for (;; op = mlirOperationGetParentOperation(op)) {
    if (path->count == sizeof path->ops / sizeof *path->ops)
      return refuse(refusal, inner, "nested too deeply");
    path->ops[path->count++] = op;
    if (mlirBlockEqual(mlirOperationGetBlock(op), nest->owner))
      break;
    MlirOperation parent = mlirOperationGetParentOperation(op);
    if (mlirOperationIsNull(parent) ||
        (!berthFoldIsLoop(parent) && !berthFoldIsBranch(parent)))
      return refuse(refusal, inner, "accessed inside %s",
                    mlirOperationIsNull(parent) ? "another function"
                                                : nameOf(parent));
  }
  for (size_t i = 0; i < path->count / 2; ++i) {
    MlirOperation swap = path->ops[i];
    path->ops[i] = path->ops[path->count - 1 - i];
    path->ops[path->count - 1 - i] = swap;
  }
  return true;
}

static long ordinalOf(MlirOperation op) {
  long ordinal = 0;
  MlirOperation at = mlirBlockGetFirstOperation(mlirOperationGetBlock(op));
  for (; !mlirOperationEqual(at, op); at = mlirOperationGetNextInBlock(at))
    ++ordinal;
  return ordinal;
}

/// The region of `branch` that `block` is in.
static intptr_t regionOf(MlirOperation branch, MlirBlock block) {
  return mlirRegionEqual(mlirOperationGetRegion(branch, 0),
                         mlirBlockGetParentRegion(block))
             ? 0
             : 1;
}

//===----------------------------------------------------------------------===//
// Statements
//===----------------------------------------------------------------------===//

/// What the way in says of one statement.
typedef struct Statement {
  BerthFoldPlace place;
  BerthText conditions; ///< " and ..." for each
  BerthText time;
  size_t numTimes; ///< dimensions of `time`
  bool isMay;
} Statement;

static void appendOrdinal(Statement *statement, long ordinal) {
  berthTextAppend(&statement->time, "%s%ld", statement->numTimes ? ", " : "",
                  ordinal);
  ++statement->numTimes;
}

/// Appends a level of time; see above.
static void appendLevel(const BerthFoldNest *nest, Statement *statement,
                        const char *level, bool parallel) {
  if (!nest->isParallel)
    berthTextAppend(&statement->time, ", %s", level);
  else
    berthTextAppend(&statement->time, ", %s, %s", parallel ? "0" : level,
                    parallel ? level : "0");
  statement->numTimes += nest->isParallel ? 2 : 1;
}

static bool enterLoop(BerthFoldNest *nest, Statement *statement,
                      MlirOperation loop, BerthFoldRefusal *refusal) {
  intptr_t numVariables = berthFoldNumVariables(loop);
  size_t outside = statement->place.numLoops;
  for (intptr_t dim = 0; dim < numVariables; ++dim) {
    size_t level = outside + (size_t)dim;
    char name[24];
    if (level >= BERTH_FOLD_MAX_LOOPS)
      return refuse(refusal, loop, "nested too deeply");
    snprintf(name, sizeof name, "i%zu", level);
    // Bounds are evaluated outside of the loop.
    if (!berthFoldAppendBounds(&statement->place, &nest->params, loop, dim,
                               name, &statement->conditions))
      return refuse(refusal, loop,
                    "the loop's bounds or step are not affine in outer loops "
                    "and at most %d parameters",
                    BERTH_FOLD_MAX_PARAMS);
    if (dim > 0)
      appendOrdinal(statement, 0);
    appendLevel(nest, statement, name, berthFoldIsParallel(loop));
  }
  for (intptr_t dim = 0; dim < numVariables; ++dim)
    statement->place.variables[statement->place.numLoops++] =
        berthFoldVariable(loop, dim);
  return true;
}

static void enterBranch(BerthFoldNest *nest, Statement *statement,
                        MlirOperation branch, intptr_t region) {
  if (!berthFoldAppendCondition(&statement->place, &nest->params, branch,
                                region, &statement->conditions))
    statement->isMay = true;
  appendLevel(nest, statement, region == 0 ? "0" : "1", false);
}

static bool followPath(BerthFoldNest *nest, const Path *path,
                       Statement *statement, BerthFoldRefusal *refusal) {
  for (size_t i = 0; i < path->count; ++i) {
    MlirOperation op = path->ops[i];
    appendOrdinal(statement, ordinalOf(op));
    if (i + 1 == path->count)
      break;
    if (berthFoldIsBranch(op))
      enterBranch(nest, statement, op,
                  regionOf(op, mlirOperationGetBlock(path->ops[i + 1])));
    else if (!enterLoop(nest, statement, op, refusal))
      return false;
  }
  return true;
}

/// "S3[i0, i1]".
static void appendInstance(size_t number, size_t numLoops, BerthText *text) {
  berthTextAppend(text, "S%zu[", number);
  for (size_t i = 0; i < numLoops; ++i)
    berthTextAppend(text, "%si%zu", i ? ", " : "", i);
  berthTextAppend(text, "]");
}

/// "A0[subscripts]".
static bool appendCell(BerthFoldNest *nest, const BerthFoldAccess *access,
                       const BerthFoldPlace *place, BerthText *text) {
  intptr_t first = berthFoldMemRefOperand(access) + 1;
  int64_t rank =
      mlirShapedTypeGetRank(mlirValueGetType(nest->arrays[access->array]));
  berthTextAppend(text, "A%zu[", access->array);
  for (int64_t d = 0; d < rank; ++d) {
    berthTextAppend(text, d ? ", " : "");
    bool good;
    if (access->isAffine) {
      MlirAffineMap map =
          mlirAffineMapAttrGetValue(berthAttributeOf(access->op, "map"));
      good = berthFoldAppendExpr(place, &nest->params,
                                 mlirAffineMapGetResult(map, d), access->op,
                                 first, mlirAffineMapGetNumDims(map), text);
    } else {
      good = berthFoldAppendValue(
          place, &nest->params, mlirOperationGetOperand(access->op, first + d),
          text);
    }
    if (!good)
      return false;
  }
  berthTextAppend(text, "]");
  return true;
}

static bool writeStatement(BerthFoldNest *nest, size_t number,
                           const Statement *statement,
                           BerthFoldRefusal *refusal) {
  const BerthFoldAccess *access = &nest->accesses[number];
  size_t numLoops = statement->place.numLoops;
  const char *conditions = statement->conditions.data;
  if (statement->numTimes > nest->numTimes)
    nest->numTimes = statement->numTimes;
  appendInstance(number, numLoops, &nest->domain);
  berthTextAppend(&nest->domain, " : 0 = 0%s; ", conditions ? conditions : "");
  appendInstance(number, numLoops, &nest->schedule);
  berthTextAppend(&nest->schedule, " -> [%s]; ", statement->time.data);
  BerthText *to = !access->isStore   ? &nest->reads
                  : statement->isMay ? &nest->mayWrites
                                     : &nest->writes;
  appendInstance(number, numLoops, to);
  berthTextAppend(to, " -> ");
  if (!appendCell(nest, access, &statement->place, to))
    return refuse(refusal, access->op, "its subscripts are not affine");
  berthTextAppend(to, "; ");
  return true;
}

static bool addStatement(BerthFoldNest *nest, size_t number,
                         BerthFoldRefusal *refusal) {
  Path path;
  Statement statement = {.place = {.owner = nest->owner}};
  bool good = findPath(nest, nest->accesses[number].op, &path, refusal) &&
              followPath(nest, &path, &statement, refusal) &&
              writeStatement(nest, number, &statement, refusal);
  berthTextFree(&statement.conditions);
  berthTextFree(&statement.time);
  return good;
}

//===----------------------------------------------------------------------===//
// Nests
//===----------------------------------------------------------------------===//

/// Conditions around the owner block hold in it. Those that bring parameters of
/// their own say nothing of the others.
static void addGuards(BerthFoldNest *nest) {
  BerthFoldPlace place = {.owner = nest->owner};
  MlirBlock block = nest->owner;
  MlirOperation op = mlirBlockGetParentOperation(block);
  for (; !mlirOperationIsNull(op); op = mlirOperationGetParentOperation(op)) {
    size_t numParams = nest->params.count;
    BerthText condition = {0};
    if (berthFoldIsBranch(op) &&
        berthFoldAppendCondition(&place, &nest->params, op, regionOf(op, block),
                                 &condition) &&
        numParams == nest->params.count)
      berthTextAppend(&nest->params.facts, "%s", condition.data);
    berthTextFree(&condition);
    block = mlirOperationGetBlock(op);
  }
}

/// Some loop between the owner block and `op` is parallel.
static bool isInParallel(const BerthFoldNest *nest, MlirOperation op) {
  while (!mlirOperationIsNull(op) &&
         !mlirBlockEqual(mlirOperationGetBlock(op), nest->owner)) {
    op = mlirOperationGetParentOperation(op);
    if (!mlirOperationIsNull(op) && berthFoldIsParallel(op))
      return true;
  }
  return false;
}

bool berthFoldNestInit(BerthFoldNest *nest, size_t numArrays,
                       const MlirValue *arrays, BerthFoldRefusal *refusal) {
  *nest = (BerthFoldNest){.numArrays = numArrays,
                          .params = {.addFacts = berthFoldAddFacts}};
  nest->arrays = berthAllocateOrDie(numArrays, sizeof *nest->arrays);
  memcpy(nest->arrays, arrays, numArrays * sizeof *nest->arrays);
  MlirOperation owner = mlirOpResultGetOwner(arrays[0]);
  nest->owner = mlirOperationGetBlock(owner);
  for (size_t a = 0; a < numArrays; ++a)
    if (!addUsers(nest, a, refusal))
      return false;
  for (size_t k = 0; k < nest->numAccesses; ++k)
    nest->isParallel |= isInParallel(nest, nest->accesses[k].op);
  for (size_t k = 0; k < nest->numAccesses; ++k)
    if (!addStatement(nest, k, refusal))
      return false;
  addGuards(nest);
  return nest->numAccesses > 0 || refuse(refusal, owner, "never accessed");
}

void berthFoldNestDestroy(BerthFoldNest *nest) {
  free(nest->arrays);
  free(nest->accesses);
  berthTextFree(&nest->params.facts);
  berthTextFree(&nest->domain);
  berthTextFree(&nest->schedule);
  berthTextFree(&nest->reads);
  berthTextFree(&nest->writes);
  berthTextFree(&nest->mayWrites);
}

/// "[p0, p1] -> { text }".
static BerthText braced(const BerthFoldNest *nest, const char *text) {
  BerthText result = {0};
  berthTextAppend(&result, "[");
  for (size_t p = 0; p < nest->params.count; ++p)
    berthTextAppend(&result, "%sp%zu", p ? ", " : "", p);
  berthTextAppend(&result, "] -> { %s }", text ? text : "");
  return result;
}

/// A complaint about "[S3[i0] -> ...]" is one about statement 3.
static void blame(const BerthFoldNest *nest, const char *message,
                  BerthFoldRefusal *refusal) {
  const char *at;
  size_t number;
  if (strstr(message, "before any write") && (at = strstr(message, "{ S")) &&
      sscanf(at, "{ S%zu[", &number) == 1 && number < nest->numAccesses) {
    refuse(refusal, nest->accesses[number].op,
           "may read what nothing has written");
    return;
  }
  bool empty = strstr(message, "the domain is empty") != NULL;
  refuse(refusal, mlirOpResultGetOwner(nest->arrays[0]), "%.390s",
         empty ? "its accesses never run" : message);
}

BerthStatus berthFoldNestProblem(const BerthFoldNest *nest,
                                 uint64_t maxOperations,
                                 BerthFoldProblem **problem,
                                 BerthFoldRefusal *refusal) {
  BerthText facts = {0}, parallel = {0};
  for (size_t dim = 2; nest->isParallel && dim < nest->numTimes; dim += 3)
    berthTextAppend(&parallel, "%zu, ", dim);
  berthTextAppend(&facts, ": 0 = 0%s",
                  nest->params.facts.data ? nest->params.facts.data : "");
  BerthText texts[] = {
      braced(nest, facts.data),          braced(nest, nest->domain.data),
      braced(nest, nest->schedule.data), braced(nest, nest->reads.data),
      braced(nest, nest->writes.data),   braced(nest, nest->mayWrites.data)};
  BerthFoldSource source = {.context = texts[0].data,
                            .domain = texts[1].data,
                            .schedule = texts[2].data,
                            .reads = texts[3].data,
                            .writes = texts[4].data,
                            .mayWrites = texts[5].data,
                            .parallel = parallel.data};
  BerthError error = {.line = 0};
  BerthStatus status =
      berthFoldProblemCreate(&source, maxOperations, problem, &error);
  if (status != BERTH_SUCCESS && berthIsOutOfMemory(&error))
    berthOrDie(NULL);
  if (status != BERTH_SUCCESS)
    blame(nest, error.message, refusal);
  for (size_t i = 0; i < sizeof texts / sizeof *texts; ++i)
    berthTextFree(&texts[i]);
  berthTextFree(&facts);
  berthTextFree(&parallel);
  return status;
}
