//===- PortShifts.h - Offsets in different banks for ports --------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An engine that gets at several operands at once, through ports of their own,
// goes through all of them in step, a word each. In an interleaved memory word
// w lies in bank w mod banks, and a bank hands out one word at a time. So ports
// meet in all steps, or in none: by the words at which their operands begin.
//
//   4 banks of 16 bytes     %a at 0, %b at 256     %b at 272
//   a step of add(%a, %b)     2 passes               1 pass
//
// An operand that begins within a word takes two words in a step.
//
//===----------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_PAD_PORTSHIFTS_H
#define BERTH_LIB_IR_PAD_PORTSHIFTS_H

#include "IR/Scope/Job.h"

/// Moves buffers of a plan that fits, where ports meet in fewer banks then: up
/// to the capacity, or without one within the bytes that the arena has. The
/// plan stays one of the job's problem.
void berthShiftBanks(BerthJob *job);

/// Says at each op with ports, by BERTH_PASSES, how many passes a step takes by
/// the job's plan.
void berthMarkPorts(BerthJob *job);

#endif // BERTH_LIB_IR_PAD_PORTSHIFTS_H
