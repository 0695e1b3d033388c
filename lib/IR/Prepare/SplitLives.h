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

#include "IR/Scope/Job.h"

/// Where asked for and possible, gives each life of the scope's buffers an
/// allocation of its own, marked with BERTH_LIFE, after taking a backup of the
/// root. Needs their segments. What is known of the scope is then found anew.
void berthSplitLives(BerthJob *job);

#endif // BERTH_LIB_IR_PREPARE_SPLITLIVES_H
