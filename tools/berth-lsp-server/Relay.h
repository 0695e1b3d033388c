//===- Relay.h - Between an editor and MLIR's server ------------*- C++ -*-===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BERTH_TOOLS_BERTH_LSP_SERVER_RELAY_H
#define BERTH_TOOLS_BERTH_LSP_SERVER_RELAY_H

#include "Notes.h"
#include "Planner.h"

#include "llvm/ADT/StringMap.h"

#include <deque>
#include <optional>

namespace berth {

/// Two file descriptors that carry the protocol's messages, neither of which is
/// waited for.
class Channel {
public:
  Channel(int in, int out);
  /// Takes what has come; false at the end.
  bool receive();
  /// The next whole message, with its header.
  std::optional<std::string> next();
  void hand(llvm::StringRef message) { waiting += message; }
  void send(const llvm::json::Value &body);
  bool hasToSend() const { return !waiting.empty(); }
  /// Sends what goes at once; false if nobody reads any more.
  bool flush();

  int in, out;

private:
  std::string received, waiting;
};

/// Hands on what an editor and MLIR's language server say to each other. It
/// notes the texts on their way, has them planned, and adds what Berth says to
/// answers to textDocument/hover and to diagnostics.
class Relay {
public:
  Relay(const mlir::DialectRegistry &registry, std::string options, int in,
        int out);
  /// Until both are gone.
  void run();

private:
  struct Document {
    std::string text;
    llvm::json::Value version = nullptr;
    llvm::json::Array diagnostics; ///< of MLIR's server
    Notes notes;
    bool isPlanned = false;
  };
  struct Hover {
    llvm::json::Value id;
    std::string uri;
    llvm::json::Value position;
    std::optional<std::string> answer; ///< until the definition is there too
  };

  bool refuse(const std::string &message);
  void fromClient(const std::string &message);
  void fromServer(const std::string &message);
  void setText(const llvm::json::Object &item, llvm::StringRef text);
  void askForDefinition(const llvm::json::Object &request);
  bool takeAnswer(const llvm::json::Object &body, const std::string &message);
  void answerHover(const Hover &hover, const llvm::json::Value *definition);
  void publish(const std::string &uri);
  bool isAnyDirty() const;
  void startPlanning();
  void stopPlanning();
  void readPlan();
  bool step();

  const mlir::DialectRegistry &registry;
  const std::string options;
  Channel client, server;
  llvm::StringMap<Document> documents;
  std::deque<Hover> hovers;
  size_t numAsked = 0; ///< definitions; `hovers` are the last of them
  PlannerProcess planner;
  std::string planning, planned; ///< the planner's text, and what it has said
};

} // namespace berth

#endif // BERTH_TOOLS_BERTH_LSP_SERVER_RELAY_H
