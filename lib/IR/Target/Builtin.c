//===- Builtin.c - What Berth itself says of ops --------------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Target/Builtin.h"
#include "IR/Facts/Fatal.h"
#include "IR/Target/TargetReader.h"

#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

/// Made from BuiltinOps.json (CMakeLists.txt).
extern const char berthBuiltinOps[];

const char *berthBuiltinText(void) { return berthBuiltinOps; }

/// The text is the same for everybody, and tested: a fault in it is Berth's.
static BerthTarget *read(void) {
  BerthTarget *target;
  BerthError error;
  if (berthTargetParse(berthBuiltinOps, strlen(berthBuiltinOps), NULL, &target,
                       &error) == BERTH_SUCCESS)
    return target;
  char message[sizeof error.message + 64];
  snprintf(message, sizeof message, "BuiltinOps.json:%llu:%llu: %s",
           (unsigned long long)error.line, (unsigned long long)error.column,
           error.message);
  berthFatal(message);
}

/// Two threads may read it at once; the one that ends first has its kept.
const BerthTarget *berthBuiltinTarget(void) {
  static _Atomic(BerthTarget *) builtin;
  BerthTarget *kept = atomic_load(&builtin);
  if (kept)
    return kept;
  BerthTarget *own = read();
  if (atomic_compare_exchange_strong(&builtin, &kept, own))
    return own;
  berthTargetDestroy(own);
  return kept;
}
