//===- berth-lsp-server.cpp - MLIR's server, with plans ---------*- C++ -*-===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// MLIR's language server is a library that reads stdin and writes stdout, and
// lets nobody add to what it says. So it runs in a process of its own, and what
// goes in and comes out is handed on here.
//
//===----------------------------------------------------------------------===//

#include "Relay.h"

#include "Support/Messages.h"
#include "berth-c/Support.h"
#include "berth/Passes.h"
#include "berth/Target.h"

#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/Tools/mlir-lsp-server/MlirLspServerMain.h"
#include "llvm/Support/raw_ostream.h"

#include <cstdlib>
#include <sys/wait.h>
#include <unistd.h>

static const char help[] =
    R"(usage: berth-lsp-server [OPTION...]

A language server for MLIR on stdin and stdout, as mlir-lsp-server, that plans
each text in the background: a hover over an allocation shows its offset, its
live range, whom it meets and why it is not placed.

  --arena=OPTIONS  options of berth-arena, such as 'space=3 capacity=64K'
  --target=FILE    description of the target in JSON, for the parser and for
                   Berth (default: the environment's BERTH_TARGET)
  --log=LEVEL      what MLIR's server tells on stderr: error, info or verbose
  --stdio          how it always speaks
  --version        the version
  -h, --help       this

Editors are told of it in docs/editor.md.
)";

namespace {
struct Options {
  std::string arena, target;
  std::string log = "--log=error";
};
} // namespace

static int complain(const std::string &message) {
  llvm::errs() << "berth-lsp-server: error: " << message
               << berthMessageNumber(message.c_str()) << "\n";
  return EXIT_FAILURE;
}

/// The server of MLIR's library, in a process of its own.
static pid_t startServer(mlir::DialectRegistry &registry, std::string &log,
                         int toServer[2], int fromServer[2]) {
  pid_t pid = fork();
  if (pid != 0)
    return pid;
  dup2(toServer[0], STDIN_FILENO);
  dup2(fromServer[1], STDOUT_FILENO);
  for (int end : {toServer[0], toServer[1], fromServer[0], fromServer[1]})
    close(end);
  char name[] = "berth-lsp-server";
  char *arguments[] = {name, log.data(), nullptr};
  exit(mlir::failed(mlir::MlirLspServerMain(2, arguments, registry)));
}

static int serve(mlir::DialectRegistry &registry, Options &options) {
  int toServer[2], fromServer[2];
  if (pipe(toServer) || pipe(fromServer))
    return complain("cannot make a pipe");
  pid_t pid = startServer(registry, options.log, toServer, fromServer);
  if (pid < 0)
    return complain("cannot start a process");
  close(toServer[0]);
  close(fromServer[1]);
  {
    berth::Relay relay(registry, options.arena, fromServer[0], toServer[1]);
    relay.run();
  }
  // It may still wait for more: whoever spoke to us is gone.
  close(toServer[1]);
  int status;
  waitpid(pid, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : EXIT_FAILURE;
}

int main(int argc, char **argv) {
  Options options;
  if (const char *environment = std::getenv("BERTH_TARGET"))
    options.target = environment;
  for (int i = 1; i < argc; ++i) {
    llvm::StringRef argument = argv[i];
    if (argument == "--version") {
      llvm::outs() << "berth-lsp-server " << berthVersionString() << "\n";
      return EXIT_SUCCESS;
    }
    if (argument == "-h" || argument == "--help") {
      llvm::outs() << help;
      return EXIT_SUCCESS;
    }
    if (argument.consume_front("--arena="))
      options.arena = argument.str();
    else if (argument.consume_front("--target="))
      options.target = argument.str();
    else if (argument == "--stdio")
      continue; // as editors say what is always so
    else if (argument == "--arena" || argument == "--target" ||
             argument == "--log")
      return complain(argument.str() +
                      " takes its value with '=': " + argument.str() + "=...");
    else if (argument == "--log=error" || argument == "--log=info" ||
             argument == "--log=verbose")
      options.log = argument.str();
    else if (argument.consume_front("--log="))
      return complain("--log '" + argument.str() +
                      "': expected error, info or verbose");
    else
      return complain("there is no option '" + argument.str() +
                      "'; --help lists them");
  }
  berth::registerPassesOnce();
  mlir::DialectRegistry registry;
  mlir::registerAllDialects(registry);
  mlir::registerAllExtensions(registry);
  std::string error;
  if (!options.target.empty() &&
      !berth::registerTarget(registry, options.target, error))
    return complain(error);
  berth::noteUnknownDialects(registry, "--target");
  if (!berth::checkPlannerOptions(registry, options.arena, error))
    return error.empty() ? EXIT_FAILURE : complain(error);
  return serve(registry, options);
}
