//===- Fatal.h - The end of the process ----------------------------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_FACTS_FATAL_H
#define BERTH_LIB_IR_FACTS_FATAL_H

#ifdef __cplusplus
extern "C" {
#endif

/// Ends the process as LLVM does: one line with the message, exit code 1, no
/// output file left half-written. Asks for no memory itself.
__attribute__((noreturn)) void berthFatal(const char *message);

#ifdef __cplusplus
}
#endif

#endif // BERTH_LIB_IR_FACTS_FATAL_H
