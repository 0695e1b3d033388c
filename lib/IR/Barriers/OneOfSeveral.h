//===- OneOfSeveral.h - One offset for what names tell apart ------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//
//
// In memory that threads share, buffers of which a value is one
// (Alternatives.h) may have one offset where no way without barrier leads from
// an access of the one to an access of the other (NamePaths.h). Both questions
// are asked of a whole group, whose members have one offset whatever the plan.
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_BARRIERS_ONEOFSEVERAL_H
#define BERTH_LIB_IR_BARRIERS_ONEOFSEVERAL_H

#include "IR/Barriers/Pairs.h"

/// Joins such buffers of one size into groups (Groups.h), but for those in
/// `apart`. The job has its alternatives. True if there are more groups now.
bool berthGroupOneOfSeveral(BerthJob *job, const BerthJoins *apart);

/// Takes groups apart again but for the first so many links.
void berthUngroup(BerthJob *job, size_t numLinks);

#endif // BERTH_LIB_IR_BARRIERS_ONEOFSEVERAL_H
