//===- Passes.td - Berth's passes --------------------------*- tablegen -*-===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The one source of the passes' names, options and help texts.
//
//===----------------------------------------------------------------------===//

#ifndef BERTH_PASSES
#define BERTH_PASSES

include "mlir/Pass/PassBase.td"

class BerthPrintPass<string name> : Pass<name> {
  let options = [
    Option<"space", "space", "std::string", /*default=*/"",
           "Memory space: default, workgroup, private, or any attribute text; "
           "by default workgroup inside kernels, the default space elsewhere">,
    Option<"unknownOps", "unknown-ops", "std::string", /*default=*/"\"use\"",
           "What to believe of ops without memory-effect interface: use (they "
           "read and write what they are given), keep (they may keep the "
           "pointer until the scope ends) or reject (leave their buffers "
           "alone)">,
    Option<"breakRule", "test-break-rule", "std::string", /*default=*/"",
           "For tests only: disable one soundness rule (lib/IR/Rules.h)">,
  ];
}

def PrintLiveness : BerthPrintPass<"berth-print-liveness"> {
  let summary = "Print the live range of every buffer";
  let description = [{
    Prints, for each function, the live range of every allocation as segments of
    program points, each named by the ops at its ends, on stderr. A buffer that
    would not be placed is printed with the reason.
  }];
}

def PrintInterference : BerthPrintPass<"berth-print-interference"> {
  let summary = "Print the pairs of buffers that must not share bytes";
  let description = [{
    Prints, for each function, each pair of allocations that are live at a
    common point, with that point, on stderr.
  }];
}

#endif // BERTH_PASSES
