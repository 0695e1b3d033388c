//===- SlotTurns.c - The number of a loop's turn, and its slot ------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/MultiBuffer/SlotTurns.h"
#include "IR/Facts/Facts.h"
#include "IR/Ops/Rules.h"

BerthSlotTurns berthSlotTurnsOf(MlirOperation loop, const char *breakRule) {
  enum { kLower, kUpper, kStep };
  MlirBlock body = mlirRegionGetFirstBlock(mlirOperationGetRegion(loop, 0));
  MlirValue variable = mlirBlockGetArgument(body, 0), bounds[2];
  BerthLoopRange range[BERTH_LOOP_MAX_RANK];
  BerthSlotTurns turns = {.lower = mlirOperationGetOperand(loop, kLower),
                          .upper = mlirOperationGetOperand(loop, kUpper),
                          .step = mlirOperationGetOperand(loop, kStep),
                          .variable = variable,
                          .type = mlirValueGetType(variable),
                          .breakRule = breakRule};
  turns.isUnsigned =
      berthRegionGetCondition(loop, 0, bounds) == BERTH_RUNS_WHEN_LESS_UNSIGNED;
  turns.isRangeKnown = berthLoopGetRanges(loop, range) == 1;
  if (turns.isRangeKnown)
    turns.range = range[0];
  return turns;
}

MlirValue berthSlotTurnsBuildInteger(const BerthSlotTurns *turns,
                                     BerthInsertPoint at, int64_t value) {
  return berthBuildInteger(at, turns->type, value);
}

MlirValue berthSlotTurnsBuildNumber(const BerthSlotTurns *turns,
                                    BerthInsertPoint at) {
  if (berthIsBroken(turns->breakRule, "turns-from-zero"))
    return turns->variable;
  MlirValue since =
      berthBuildBinary(at, BERTH_NAME_SUBTRACT, turns->variable, turns->lower);
  return berthBuildBinary(at, BERTH_NAME_DIVIDE, since, turns->step);
}

MlirValue berthSlotTurnsBuildAny(const BerthSlotTurns *turns,
                                 BerthInsertPoint at) {
  return berthBuildCompare(
      at, turns->isUnsigned ? BERTH_UNSIGNED_LESS : BERTH_SIGNED_LESS,
      turns->lower, turns->upper);
}

MlirValue berthSlotTurnsBuildIsFollowed(const BerthSlotTurns *turns,
                                        BerthInsertPoint at, MlirValue variable,
                                        int64_t ahead) {
  MlirValue last = berthBuildBinary(at, BERTH_NAME_SUBTRACT, turns->upper,
                                    berthSlotTurnsBuildInteger(turns, at, 1));
  MlirValue left = berthBuildBinary(at, BERTH_NAME_SUBTRACT, last, variable);
  MlirValue more = berthBuildBinary(at, BERTH_NAME_DIVIDE, left, turns->step);
  return berthBuildCompare(at, BERTH_UNSIGNED_LESS_EQUAL,
                           berthSlotTurnsBuildInteger(turns, at, ahead), more);
}

MlirValue berthSlotTurnsBuildLater(const BerthSlotTurns *turns,
                                   BerthInsertPoint at, MlirValue variable,
                                   int64_t ahead) {
  if (ahead == 0)
    return variable;
  MlirValue way = turns->step;
  if (ahead > 1)
    way = berthBuildBinary(at, BERTH_NAME_MULTIPLY, way,
                           berthSlotTurnsBuildInteger(turns, at, ahead));
  return berthBuildBinary(at, BERTH_NAME_ADD, variable, way);
}

MlirValue berthSlotTurnsBuildSlot(const BerthSlotTurns *turns,
                                  BerthInsertPoint at, MlirValue turn,
                                  int64_t ahead, int64_t numSlots) {
  MlirValue later =
      ahead ? berthBuildBinary(at, BERTH_NAME_ADD, turn,
                               berthSlotTurnsBuildInteger(turns, at, ahead))
            : turn;
  MlirValue slot =
      berthBuildBinary(at, BERTH_NAME_REMAINDER, later,
                       berthSlotTurnsBuildInteger(turns, at, numSlots));
  if (mlirTypeIsAIndex(turns->type))
    return slot;
  return berthBuildValue(at, BERTH_NAME_INDEX_CAST, 1, &slot,
                         mlirIndexTypeGet(mlirLocationGetContext(at.location)),
                         0, NULL);
}
