//===- VerifyRun.c - berth-verify, with all that attributes tell ----------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Passes/VerifyRun.h"
#include "IR/Facts/Facts.h"
#include "IR/Prepare/TurnSlots.h"
#include "IR/Verify/Verify.h"

BerthStatus berthVerifyRun(MlirOperation root,
                           const BerthVerifyOptions *options) {
  BerthShownSlots shown = {0};
  MlirOperation wrong = berthShowAnnotated(root, &shown);
  BerthStatus status = BERTH_INVALID;
  if (mlirOperationIsNull(wrong))
    status = berthVerifyArenas(root, options);
  else
    berthEmitError(wrong,
                   "berth.offsets tells of the turns of an scf.for: two places "
                   "or more of an allocation of known size in its body",
                   (MlirOperation){NULL}, NULL);
  berthHideSlots(&shown, false);
  return status;
}
