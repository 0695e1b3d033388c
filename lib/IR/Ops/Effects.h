//===- Effects.h - What an op does with one value ------------------ C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_OPS_EFFECTS_H
#define BERTH_LIB_IR_OPS_EFFECTS_H

#include "IR/Facts/Facts.h"
#include "IR/Ops/OpTable.h"

/// Sets of BERTH_EFFECT_READ and so on.
typedef struct BerthEffects {
  int onValue;  ///< on the memory that the value in question points to
  int anywhere; ///< on this or any other memory
} BerthEffects;

/// What a value is a view of; null if it is no view.
MlirValue berthValueViewed(MlirValue value);

/// What a view is a view of, in the end; another value itself. In code that is
/// never reached views may go round in a circle: then one of them.
MlirValue berthValueBehindViews(MlirValue value);

/// What the role of an operand means as effects; a view has none.
int berthRoleEffects(BerthOperandRole role);

/// Calls back for each effect of `op` itself (nested ops excluded): those that
/// its interface tells, else those that a target description tells. Returns
/// false if neither tells, so that it may do anything with its own operands.
bool berthOpGetEffects(MlirOperation op, BerthEffectCallback callback,
                       void *userData);

/// The effects of `op` itself (nested ops excluded). False, with none of them,
/// if nothing tells.
bool berthOpSumEffects(MlirOperation op, MlirValue value,
                       BerthEffects *effects);

/// True if nothing tells that the op's regions have run when it is over: no
/// interface, no trait, neither the op table nor a target description. What
/// they use may be used later, until a token that the op returns is waited for.
bool berthOpMayRunLater(MlirOperation op);

/// True if the function holds an op that makes it a coroutine: what it is given
/// may be used after it has returned.
bool berthFunctionIsCoroutine(MlirOperation function);

/// True if an op in there calls a function that may return a second time, when
/// something behind it has run (setjmp): its attributes say "returns_twice", or
/// it has one of the names that C libraries have for such.
bool berthCallsReturnTwice(MlirOperation scope);

/// True for an op without regions that does nothing but compute its results.
bool berthOpOnlyComputes(MlirOperation op);

/// True if the function (or launch, or another op with a body) is not known
/// (null) or has no body.
bool berthFunctionIsUnseen(MlirOperation function);

/// True if a pointer may travel through a value of this type, as far as the
/// builtin types and the op table tell.
bool berthTypeMayPoint(MlirType type);

/// True if a pointer may travel through one of the op's results.
bool berthOpMayReturnPointer(MlirOperation op);

/// True for ops that take a memref of any strides as they take a dense one and
/// rely on no alignment of its first element.
bool berthOpTakesSlices(MlirOperation op);

#endif // BERTH_LIB_IR_OPS_EFFECTS_H
