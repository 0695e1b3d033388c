//===- NamePaths.h - Ways between names without barrier ------------ C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//
//
// Of two buffers that names tell apart (Alternatives.h), not each way without
// barrier from an access of the one to an access of the other makes two threads
// meet: %r is one of them only.
//
//     scf.if %uniform { store %a; yield %a } else { store %b; yield %b }
//     load %r             not %b, where the way comes from the store to %a
//
// Names are handed on where control and the choice are uniform: all threads
// pass the same hand-overs in the same order. So if one is at an access of A
// through name m, and another at an access of B through name n further on, then
// some way leads from the one to the other on which n is B in the end, and m is
// A at the start. The search follows a second name along: the one that is B, at
// the start any other than m, and where it is handed on, what is made of it.
//
//     state = (node, the name that is B)
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_HAZARDS_NAMEPATHS_H
#define BERTH_LIB_IR_HAZARDS_NAMEPATHS_H

#include "IR/Hazards/Hazards.h"

/// True if names may tell the two apart, by their numbers in the problem: then
/// only the ways below are ways between them.
bool berthNamesTellApart(const BerthHazards *hazards, uint32_t a, uint32_t b);

/// As berthHazardsFrom and berthHazardsFindPath, from a slice to those of such
/// buffers. A path has each node once.
void berthNamesReach(const BerthHazards *hazards, const bool *cuts, uint32_t s,
                     bool *conflicts);
bool berthNamesFindPath(const BerthHazards *hazards, const bool *cuts,
                        uint32_t s, const bool *targets, uint32_t *path,
                        size_t *length);

#endif // BERTH_LIB_IR_HAZARDS_NAMEPATHS_H
