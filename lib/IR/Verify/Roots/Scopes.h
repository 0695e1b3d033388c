//===- Scopes.h - What is checked together -------------------------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A buffer is checked along the paths of the code that runs in one go with its
// arena: a function, a gpu.launch, or, if the body of a parallel op allocates
// the arena, that body: each of its runs has an arena, its own.
//
//   func @f {
//     %outer = memref.alloc         checked in @f
//     scf.forall {
//       %inner = memref.alloc       checked in the body
//       memref.view %inner          right
//       memref.view %outer          wrong: iterations share its bytes
//
// Memory that the threads of a workgroup share is always the function's: what
// they do at the same time is checked there (Races.h).
//
//===----------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_VERIFY_ROOTS_SCOPES_H
#define BERTH_LIB_IR_VERIFY_ROOTS_SCOPES_H

#include "IR/Verify/Runs/VerifyOptions.h"
#include "mlir-c/IR.h"

typedef struct BerthViewPlace {
  MlirOperation scope; ///< where the view's buffer is checked
  /// A parallel op around the view, not around the arena: its iterations make
  /// the buffer at the same time, at the same bytes. Null: there is none.
  MlirOperation sharedBy;
} BerthViewPlace;

/// For a memref.view of an arena.
BerthViewPlace berthViewPlace(MlirOperation view,
                              const BerthVerifyOptions *options);

/// Where an allocation that has a place is checked.
MlirOperation berthPlacedScope(MlirOperation alloc,
                               const BerthVerifyOptions *options);

/// The number of a view that is a buffer of an arena, which berth-arena has put
/// there; null for other ops.
MlirAttribute berthViewNumber(MlirOperation op);
static inline bool berthViewIsBuffer(MlirOperation op) {
  return !mlirAttributeIsNull(berthViewNumber(op));
}

/// True if it may be the place of some view: an op with a body that is one.
bool berthIsVerifyScope(MlirOperation op);

/// True if the threads of a workgroup share memory of this type, in the code
/// of a function or launch.
bool berthIsSharedByThreads(MlirType type, MlirOperation function,
                            const BerthVerifyOptions *options);

#endif // BERTH_LIB_IR_VERIFY_ROOTS_SCOPES_H
