//===- Groups.h - Buffers of one offset ---------------------------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//
//
// Buffers that meet interfere, unless a rule shows that they may do so at one
// offset (InPlace.h, Alternatives.h). Packers know of no offset for a pair, so
// such buffers become a *group*, which has one offset and is live wherever any
// of its members is. A group is named by the number of one of them.
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_LIVENESS_GROUPS_H
#define BERTH_LIB_IR_LIVENESS_GROUPS_H

#include "IR/Scope/Scope.h"

/// True if two buffers that meet may do so at one offset.
typedef bool (*BerthMayMeet)(size_t a, size_t b, const void *userData);

/// The member behind this one in the ring of its group; itself if it has none.
size_t berthNextInGroup(const BerthScope *scope, size_t member);

/// True if the groups of both buffers, or these alone, may become one: no
/// member of the one meets a member of the other without being allowed to, and
/// nobody demands two offsets for them.
bool berthMayJoinGroups(const BerthScope *scope, size_t a, size_t b,
                        BerthMayMeet mayMeet, const void *userData);

/// Makes them one. Where an op or loop writes `b` over `a`, that is
/// `writtenBy`; else it is null.
void berthJoinGroups(BerthScope *scope, size_t a, size_t b,
                     MlirOperation writtenBy);

/// True for a link that is to be left out.
typedef bool (*BerthCutsLink)(const BerthLink *link, const void *userData);

/// Makes the groups anew without these links. It leaves alone those that the
/// user has made, and of dynamic size: these gain always, no packer looks at
/// them. True if any of the links is left out.
bool berthScopeCutLinks(BerthScope *scope, BerthCutsLink cuts,
                        const void *userData);

#endif // BERTH_LIB_IR_LIVENESS_GROUPS_H
