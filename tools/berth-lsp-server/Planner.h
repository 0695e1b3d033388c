//===- Planner.h - What Berth says of a text --------------------*- C++ -*-===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Planning takes as long as it takes, cannot be called off, and ends its
// process where memory is refused. So each text is planned in a process of its
// own, which whoever has a newer text may kill.
//
//===----------------------------------------------------------------------===//

#ifndef BERTH_TOOLS_BERTH_LSP_SERVER_PLANNER_H
#define BERTH_TOOLS_BERTH_LSP_SERVER_PLANNER_H

#include "mlir/IR/DialectRegistry.h"

#include <string>
#include <sys/types.h>

namespace berth {

struct PlannerProcess {
  pid_t pid = -1;
  int output = -1; ///< what it says, to be closed
};

/// Starts a process that runs berth-arena with these options on each module of
/// a text ("// -----" stands between two). It writes a line of JSON for each
/// thing that it has to say: {"scope": ...} as `report=-` does, {"remark":
/// kind, "line":, "column":, "text":}, {"diagnostic": severity, ...} likewise,
/// and at last {"done": true}. Lines and columns are the text's, from 1.
PlannerProcess startPlanner(const mlir::DialectRegistry &registry,
                            const std::string &options,
                            const std::string &text);

/// Whether berth-arena takes these options, and an editor can; if not, it has
/// said why, or `error` does.
bool checkPlannerOptions(const mlir::DialectRegistry &registry,
                         const std::string &options, std::string &error);

} // namespace berth

#endif // BERTH_TOOLS_BERTH_LSP_SERVER_PLANNER_H
