//===- Verify.h - The pass berth-verify, in C ---------------------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An independent check of rewritten code. It reads the program as it stands,
// forwards, and knows nothing of live ranges or plans:
//
//  - A *buffer* is a memref.view of an arena; views of views, block arguments
//    and the like may be one of several buffers.
//  - Along every path it keeps for each buffer whether its content is *unset*
//    (nothing written since the view was made), *valid* (written, and untouched
//    by others since), or perhaps *clobbered*, by a write through another
//    buffer whose bytes overlap.
//  - Reading a clobbered buffer is an error at the read that names the write.
//    Overwriting all of it makes it valid again; making the view again, unset.
//  - An op that reads one buffer while it writes an overlapping one is an error
//    unless it provably goes element by element over the very same places.
//
//  - A loop may hand on the buffer of an earlier iteration. Once the view is
//    made again, reading that earlier *instance* is an error too.
//
// berth-arena puts the attribute `berth.buffer`, the buffer's number, on each
// view that it makes. What such a view is a view of is an arena; views of one
// arena with the same number are one buffer, and any other view of it is a
// buffer of its own.
//
// In memory that threads share it also checks that a barrier lies between
// accesses of buffers that overlap (Races.h).
//
// Where control flow is unknown, or regions run at the same time, all accesses
// inside count as happening at once, except to an arena that such a region
// allocates for itself (Scopes.h). Called functions are looked into.
//
//===----------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_VERIFY_VERIFY_H
#define BERTH_LIB_IR_VERIFY_VERIFY_H

#include "IR/Verify/Runs/VerifyOptions.h"
#include "berth-c/Support.h"
#include "mlir-c/IR.h"

BERTH_EXTERN_C_BEGIN

/// Checks every scope in `root` and emits an error for each bad access. Returns
/// BERTH_SUCCESS if there is none, else BERTH_INVALID.
BerthStatus berthVerifyArenas(MlirOperation root,
                              const BerthVerifyOptions *options);

/// Checks padded rows alone, before they are planned.
BerthStatus berthVerifyPaddedAlone(MlirOperation root);

/// True if the memory of threads is shown to be right, in berth-expand. Says
/// nothing.
bool berthPerThreadIsShown(MlirOperation root);

/// Checks slots alone, right behind the pass that has made them.
BerthStatus berthVerifySlotsAlone(MlirOperation root);

BERTH_EXTERN_C_END

#endif // BERTH_LIB_IR_VERIFY_VERIFY_H
