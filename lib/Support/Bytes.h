//===- Bytes.h - Numbers of bytes as people write them -------------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_SUPPORT_BYTES_H
#define BERTH_LIB_SUPPORT_BYTES_H

#include "berth-c/Support.h"

BERTH_EXTERN_C_BEGIN

/// Reads "1048576", "512K", "2M" or "1G" (powers of 1024) as bytes >= 1.
bool berthParseBytes(const char *text, int64_t *bytes);

/// What is wrong with a text that berthParseBytes refuses.
const char *berthBytesComplaint(const char *text);

/// Whether a text that was refused is digits, so only too many of them.
bool berthIsWholeNumber(const char *text);

/// The number that is meant where a text writes it in another form than digits:
/// 4K, 1e6, 2.0, 10%. False if it is digits, or no such number.
bool berthNumberMeant(const char *text, int64_t *number);

BERTH_EXTERN_C_END

#endif // BERTH_LIB_SUPPORT_BYTES_H
