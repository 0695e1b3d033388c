//===- JsonBuffer.h - JSON to buffer ---------------------------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_IO_JSON_JSONBUFFER_H
#define BERTH_LIB_IO_JSON_JSONBUFFER_H

#include "IO/Json/JsonReferences.h"
#include "IO/Text/Lifetime.h"

/// Reads [first, second]. `what` names it in messages.
void berthJsonReadPair(BerthJsonReader *json, const char *what, int64_t *first,
                       int64_t *second);

/// Reads one element of "buffers" into the document.
void berthJsonReadBuffer(BerthJsonProblem *reader, BerthLifetime *life);

#endif // BERTH_LIB_IO_JSON_JSONBUFFER_H
