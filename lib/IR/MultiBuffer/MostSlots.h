//===- MostSlots.h - How many slots there may be -------------------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_MULTIBUFFER_MOSTSLOTS_H
#define BERTH_LIB_IR_MULTIBUFFER_MOSTSLOTS_H

/// The most slots that a buffer may get.
enum { BERTH_MOST_SLOTS = 64 };

#endif // BERTH_LIB_IR_MULTIBUFFER_MOSTSLOTS_H
