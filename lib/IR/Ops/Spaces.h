//===- Spaces.h - Which memory space a text means ------------------ C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//
//
// An option, a target description and an attribute of an op each name a memory
// by text. Only the attribute that the text means is compared: L1 and "L1" are
// one memory.
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_OPS_SPACES_H
#define BERTH_LIB_IR_OPS_SPACES_H

#include "mlir-c/IR.h"

/// The attribute that stands in types of that space, null for the default one.
/// A name stands for the string attribute of that name. False if the text is
/// neither that nor an attribute's; `space` is the string of it then.
bool berthSpaceOfText(MlirContext context, MlirStringRef text,
                      MlirAttribute *space);

/// The space that an attribute of an op names: a string by its text, anything
/// else is the space itself.
MlirAttribute berthSpaceNamedBy(MlirAttribute name);

/// True for what types may have as a memory space, or might if the dialect of
/// the attribute were known.
bool berthAttributeMayBeSpace(MlirAttribute attribute);

/// True if a type of memory space `space` is in the one that the text means.
bool berthSpaceIs(MlirContext context, MlirAttribute space, const char *text);

#endif // BERTH_LIB_IR_OPS_SPACES_H
