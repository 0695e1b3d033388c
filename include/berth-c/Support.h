//===- Support.h - Status, errors and visibility ------------------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//
//
// What every public header shares: the visibility macro, the version, and how
// a call reports failure. A function that can fail returns a BerthStatus and
// takes a `BerthError *` last; on failure the error holds one sentence that
// names the offending value. Passing NULL for the error is always allowed.
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_C_SUPPORT_H
#define BERTH_C_SUPPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
#define BERTH_EXTERN_C_BEGIN extern "C" {
#define BERTH_EXTERN_C_END }
#else
#define BERTH_EXTERN_C_BEGIN
#define BERTH_EXTERN_C_END
#endif

#if defined(__GNUC__)
#define BERTH_EXPORT __attribute__((visibility("default")))
#define BERTH_PRINTF(fmt, args) __attribute__((format(printf, fmt, args)))
#else
#define BERTH_EXPORT
#define BERTH_PRINTF(fmt, args)
#endif

#define BERTH_VERSION_MAJOR 0
#define BERTH_VERSION_MINOR 1
#define BERTH_VERSION_PATCH 0
#define BERTH_VERSION_STRING "0.1.0"

BERTH_EXTERN_C_BEGIN

/// The version of the library that is linked, as "major.minor.patch". Static
/// storage.
BERTH_EXPORT const char *berthVersionString(void);

/// Outcome of a call that can fail.
typedef enum BerthStatus {
  BERTH_SUCCESS = 0,
  /// The caller's input is wrong (a bad file, an inconsistent problem).
  BERTH_INVALID = 1,
  /// Memory ran out or a system call failed.
  BERTH_RESOURCE = 2,
  /// Berth broke one of its own promises, e.g. a packer's plan failed
  /// verification.
  BERTH_INTERNAL = 3
} BerthStatus;

/// One error: a sentence without trailing period or newline. `line` and
/// `column` count from 1 and are 0 where the input has no such position.
typedef struct BerthError {
  char message[512];
  uint64_t line;
  uint64_t column;
} BerthError;

/// Formats `message`, clears the position and returns `status`, so that a
/// caller can write `return berthErrorSet(error, BERTH_INVALID, "...", ...)`.
BERTH_EXPORT BerthStatus berthErrorSet(BerthError *error, BerthStatus status,
                                       const char *format, ...)
    BERTH_PRINTF(3, 4);

BERTH_EXTERN_C_END

#endif // BERTH_C_SUPPORT_H
