//===- SplitLives.h - One allocation for each life of a buffer ------ C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//
//
// A buffer that is overwritten from end to end begins anew: what it holds then
// has nothing to do with what it held before, and need not lie where that lay.
// Common subexpression elimination makes many such buffers, for all empty
// tensors of one type are one to it.
//
//   %a = alloc                               %a = alloc
//                                            %a' = alloc
//   exp  ins(%x) outs(%a)   ] one life       exp  ins(%x) outs(%a)
//   ... ins(%a)             ]         ->     ... ins(%a)
//   ...
//   sqrt ins(%y) outs(%a)   ] another        sqrt ins(%y) outs(%a')
//   ... ins(%a)             ]                ... ins(%a')
//
// As one buffer both would get one offset, free between them or not. (In
// register allocators such lives are known as webs.)
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_PREPARE_SPLITLIVES_H
#define BERTH_LIB_IR_PREPARE_SPLITLIVES_H

#include "IR/Ops/Backup.h"
#include "IR/Scope/Points.h"
#include "IR/Scope/Scope.h"

/// Gives each life of the scope's buffers an allocation of its own, marked with
/// BERTH_LIFE, after taking a backup of `root`. Needs their segments. Returns
/// true if the IR has changed: then nothing that is known of the scope counts
/// any more.
bool berthSplitLives(const BerthScope *scope, const BerthPoints *points,
                     MlirOperation root, BerthBackup *backup);

#endif // BERTH_LIB_IR_PREPARE_SPLITLIVES_H
