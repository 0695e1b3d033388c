//===- Emit.h - Sizes and offsets computed by the program ---------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_DYNAMIC_EMIT_H
#define BERTH_LIB_IR_DYNAMIC_EMIT_H

#include "IR/Scope/Job.h"

/// Computes sizes and offsets (`shift` of each buffer) in front of the home's
/// op. Returns the arena's bytes, at least `leastBytes`.
MlirValue berthBuildOffsets(BerthJob *job, BerthHome *home, int64_t leastBytes);

/// What that would be for a call of the job's function, in front of the call:
/// of its arguments there.
MlirValue berthBuildBytesAtCall(BerthJob *job, MlirOperation call);

/// The largest of some buffers' sizes, for one block that each of them may
/// have: all get offset 0. `alignment` is raised to theirs.
MlirValue berthBuildLargestSize(BerthJob *job, const BerthHome *home,
                                const size_t *buffers, size_t numBuffers,
                                int64_t *alignment);

/// An arena of `bytes`, a value, in the job's form.
MlirValue berthBuildByteArena(const BerthJob *job, BerthInsertPoint at,
                              MlirValue bytes);

/// The arenas of all homes but the entry home, their offsets and their
/// deallocations.
void berthBuildHomes(BerthJob *job);

/// Frees what was allocated at a home: at the exits of the scope if the home
/// stands in its entry block, else at the end of the home's block.
void berthFreeAtHome(const BerthJob *job, const BerthHome *home,
                     MlirValue value);

#endif // BERTH_LIB_IR_DYNAMIC_EMIT_H
