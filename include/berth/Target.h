//===- Target.h - Foreign dialects, the C++ face ----------------*- C++ -*-===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For programs that parse modules of dialects which they do not link.
//
//===----------------------------------------------------------------------===//

#ifndef BERTH_TARGET_H
#define BERTH_TARGET_H

#include "mlir/IR/DialectRegistry.h"

#include <string>

namespace berth {

/// Reads a target description, makes it the one that passes without a `target`
/// option use, and registers a dialect for every namespace that it names and
/// the registry lacks: its ops parse in generic form, its types and attributes
/// keep their text, and the attributes that it calls layouts may stand as
/// layouts in memref types. To be called before any module is parsed. False,
/// with the reason, if the description is bad.
bool registerTarget(mlir::DialectRegistry &registry, const std::string &path,
                    std::string &error);

/// Has the parser's errors about unknown dialects say how a description makes
/// them known, which the program is given by `option`. To be called before any
/// module is parsed.
void noteUnknownDialects(mlir::DialectRegistry &registry,
                         llvm::StringRef option = "--berth-target");

/// Whether one of them has.
bool wasToldOfDialects();

/// Where a text begins with an alias of what a dialect has that the registry
/// lacks, nobody listens yet: "LINE: note: ...", to be printed if it did not
/// parse, or nothing.
std::string noteOfForeignAlias(llvm::StringRef text,
                               const mlir::DialectRegistry &registry);

} // namespace berth

#endif // BERTH_TARGET_H
