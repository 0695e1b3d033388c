//===- UnknownDialects.cpp - What to do about them --------------*- C++ -*-===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The parser refuses what is of a dialect that nobody has registered, and knows
// of no other remedy than to take all such dialects as they come. A handler
// that is asked before the one that prints adds Berth's.
//
//===----------------------------------------------------------------------===//

#include "TargetOption.h"
#include "berth/Target.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/Diagnostics.h"
#include "llvm/Support/Regex.h"

#include <atomic>

using namespace mlir;

/// How the tool is given a description.
static std::string toolOption = "--berth-target";
/// A listener has added its note.
static std::atomic<bool> hasTold = false;

/// "'npu'", as MLIR names it in its message, or "its namespace".
static std::string nameOf(StringRef message) {
  static llvm::Regex quoted("(Dialect `|[!#]\")([A-Za-z0-9_$]+)['\"]");
  SmallVector<StringRef, 3> parts;
  return quoted.match(message, &parts) ? ("'" + parts[2] + "'").str()
                                       : "its namespace";
}

static bool isOfUnknown(StringRef message) {
  return message.contains("unregistered dialect") ||
         message.starts_with("Dialect `") ||
         // Layouts, where unknown dialects are let in.
         message == "multiple memory spaces specified in memref type" ||
         message == "unsupported memory space Attribute";
}

static constexpr StringLiteral beginning = "for a dialect of your own";

/// Two dialects of the module may have brought a listener each.
static bool isTold(Diagnostic &diagnostic) {
  return llvm::any_of(diagnostic.getNotes(), [](Diagnostic &note) {
    return StringRef(note.str()).starts_with(beginning);
  });
}

static std::string remedyFor(StringRef name) {
  std::string remedy =
      (beginning + ", name " + name + " under \"dialects\" in ").str();
  if (const BerthTarget *target = berth::defaultTarget())
    return remedy + berthTargetGetPath(target);
  return remedy +
         "a target description, which is read before the module with " +
         toolOption +
         "=FILE, or from the environment's BERTH_TARGET (docs/own-dialect.md)";
}

static LogicalResult addRemedy(Diagnostic &diagnostic) {
  std::string message = diagnostic.str();
  if (diagnostic.getSeverity() != DiagnosticSeverity::Error ||
      !isOfUnknown(message) || isTold(diagnostic))
    return failure();
  hasTold = true;
  Diagnostic &note = diagnostic.attachNote();
  note << Twine(remedyFor(nameOf(message))); // may print later
  if (StringRef(message).contains("custom op"))
    note << "; its ops are read in generic form";
  return failure(); // others print it
}

/// Once a dialect of the module is loaded, whoever prints listens already, and
/// who has come last is asked first.
template <typename Dialect>
static void listen(MLIRContext *context, Dialect *) {
  context->getDiagEngine().registerHandler(addRemedy);
}

std::string berth::noteOfForeignAlias(StringRef text,
                                      const DialectRegistry &registry) {
  static llvm::Regex alias(
      "^[#!][A-Za-z0-9_$]+[ \t]*=[ \t]*[#!]([A-Za-z0-9_$]+)"
      "[.<]");
  size_t line = 1;
  for (; !text.empty(); ++line) {
    auto [first, rest] = text.split('\n');
    SmallVector<StringRef, 2> parts;
    // Files are long, and few of their lines begin so.
    bool mayBeAlias = first.starts_with("#") || first.starts_with("!");
    if (mayBeAlias && alias.match(first, &parts) && parts[1] != "builtin" &&
        !registry.getDialectAllocator(parts[1]))
      return std::to_string(line) +
             ": note: " + remedyFor(("'" + parts[1] + "'").str());
    text = rest;
  }
  return "";
}

bool berth::wasToldOfDialects() { return hasTold; }

void berth::noteUnknownDialects(DialectRegistry &registry, StringRef option) {
  toolOption = option.str();
  registry.addExtension(listen<func::FuncDialect>);
  registry.addExtension(listen<gpu::GPUDialect>);
  registry.addExtension(listen<memref::MemRefDialect>);
}
