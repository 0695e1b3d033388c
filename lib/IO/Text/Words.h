//===- Words.h - Names of formats, states and levels ------------ C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_IO_TEXT_WORDS_H
#define BERTH_LIB_IO_TEXT_WORDS_H

/// The name of level bit 1 << index: "pool_cost", "peak", "price", "hints".
const char *berthLevelName(int index);
const char *berthUseKindName(int index);

#endif // BERTH_LIB_IO_TEXT_WORDS_H
