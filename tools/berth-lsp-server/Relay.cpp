//===- Relay.cpp - Between an editor and MLIR's server ----------*- C++ -*-===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Relay.h"

#include "llvm/Support/raw_ostream.h"

#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace berth;
using llvm::StringRef;
namespace json = llvm::json;

//===----------------------------------------------------------------------===//
// Channel
//===----------------------------------------------------------------------===//

Channel::Channel(int in, int out) : in(in), out(out) {
  fcntl(in, F_SETFL, fcntl(in, F_GETFL) | O_NONBLOCK);
  fcntl(out, F_SETFL, fcntl(out, F_GETFL) | O_NONBLOCK);
}

/// Appends what can be read at once; false at the end.
static bool readInto(int from, std::string &text) {
  char bytes[1 << 16];
  ssize_t count = read(from, bytes, sizeof bytes);
  if (count > 0)
    text.append(bytes, size_t(count));
  return count > 0 || (count < 0 && (errno == EAGAIN || errno == EINTR));
}

bool Channel::receive() { return readInto(in, received); }

std::optional<std::string> Channel::next() {
  size_t header = received.find("\r\n\r\n");
  if (header == std::string::npos)
    return std::nullopt;
  header += 4;
  StringRef line = StringRef(received).take_front(header);
  size_t length = 0;
  if (size_t at = line.find_insensitive("content-length:");
      at != StringRef::npos)
    line.drop_front(at + strlen("content-length:"))
        .ltrim()
        .consumeInteger(10, length);
  if (received.size() - header < length)
    return std::nullopt;
  std::string message = received.substr(0, header + length);
  received.erase(0, header + length);
  return message;
}

void Channel::send(const json::Value &body) {
  std::string text;
  llvm::raw_string_ostream(text) << body;
  hand("Content-Length: " + std::to_string(text.size()) + "\r\n\r\n" + text);
}

bool Channel::flush() {
  ssize_t count = write(out, waiting.data(), waiting.size());
  if (count > 0)
    waiting.erase(0, size_t(count));
  return count >= 0 || errno == EAGAIN || errno == EINTR;
}

/// What a message says; null if that is no object.
static json::Value bodyOf(StringRef message) {
  llvm::Expected<json::Value> body =
      json::parse(message.split("\r\n\r\n").second);
  if (!body) {
    llvm::consumeError(body.takeError());
    return nullptr;
  }
  return body->getAsObject() ? std::move(*body) : json::Value(nullptr);
}

//===----------------------------------------------------------------------===//
// From the editor
//===----------------------------------------------------------------------===//

/// Parsers of JSON, ours and that of MLIR's server, call themselves for what is
/// nested.
static bool isTooDeep(StringRef text) {
  const int most = 1000;
  int depth = 0;
  bool inString = false;
  for (size_t i = 0; i < text.size() && depth <= most; ++i) {
    char c = text[i];
    if (inString)
      i += c == '\\';
    if (c == '"')
      inString = !inString;
    else if (!inString)
      depth += (c == '[' || c == '{') - (c == ']' || c == '}');
  }
  return depth > most;
}

/// Sends back what is none of the protocol's messages: MLIR's server would end
/// without a word.
bool Relay::refuse(const std::string &message) {
  enum { kParseError = -32700, kInvalidRequest = -32600 };
  StringRef text = StringRef(message).split("\r\n\r\n").second;
  int code = kParseError;
  const char *why = nullptr;
  if (isTooDeep(text)) {
    why = "the message is nested more than 1000 deep";
  } else if (llvm::Expected<json::Value> value = json::parse(text); !value) {
    llvm::consumeError(value.takeError());
    why = "the message is no JSON";
  } else {
    const json::Object *body = value->getAsObject();
    bool isMessage = body && body->getString("jsonrpc") == StringRef("2.0") &&
                     (body->getString("method") || body->get("id"));
    why = isMessage ? nullptr
                    : "the message is no object with \"jsonrpc\": \"2.0\" and "
                      "a method or an id";
    code = kInvalidRequest;
  }
  if (why)
    client.send(json::Object{
        {"jsonrpc", "2.0"},
        {"id", nullptr},
        {"error", json::Object{{"code", code}, {"message", why}}}});
  return why;
}

static StringRef uriOf(const json::Object *object) {
  const json::Object *document =
      object ? object->getObject("textDocument") : nullptr;
  return document ? document->getString("uri").value_or("") : "";
}

void Relay::setText(const json::Object &item, StringRef text) {
  std::string uri = item.getString("uri").value_or("").str();
  Document &document = documents[uri];
  document.text = text.str();
  if (const json::Value *version = item.get("version"))
    document.version = *version;
  document.notes = Notes();
  document.isPlanned = false;
  if (uri == planning)
    stopPlanning();
}

/// A hover over a use is about the value's allocation; MLIR's server knows
/// where that is.
void Relay::askForDefinition(const json::Object &request) {
  const json::Value *id = request.get("id");
  const json::Object *params = request.getObject("params");
  if (!id || !params || !documents.contains(uriOf(params)))
    return;
  const json::Value *position = params->get("position");
  hovers.push_back({*id, uriOf(params).str(),
                    position ? *position : json::Value(nullptr), std::nullopt});
  server.send(json::Object{{"jsonrpc", "2.0"},
                           {"id", "berth/" + std::to_string(numAsked++)},
                           {"method", "textDocument/definition"},
                           {"params", json::Object(*params)}});
}

void Relay::fromClient(const std::string &message) {
  if (refuse(message))
    return;
  server.hand(message);
  json::Value value = bodyOf(message);
  const json::Object *body = value.getAsObject();
  StringRef method = body->getString("method").value_or("");
  const json::Object *params = body->getObject("params");
  const json::Object *item =
      params ? params->getObject("textDocument") : nullptr;
  if (method == "textDocument/hover")
    askForDefinition(*body);
  if (!item || !method.consume_front("textDocument/did"))
    return;
  if (method == "Open")
    setText(*item, item->getString("text").value_or(""));
  const json::Array *changes = params->getArray("contentChanges");
  // Each change is the whole text: MLIR's server asks for that.
  if (method == "Change" && changes && !changes->empty())
    if (const json::Object *last = changes->back().getAsObject())
      setText(*item, last->getString("text").value_or(""));
  if (method == "Close") {
    setText(*item, "");
    documents.erase(uriOf(params));
  }
}

//===----------------------------------------------------------------------===//
// From MLIR's server
//===----------------------------------------------------------------------===//

void Relay::answerHover(const Hover &hover, const json::Value *definition) {
  auto document = documents.find(hover.uri);
  std::string said;
  if (document != documents.end() && !document->second.isPlanned) {
    said = "_Berth is still planning this text._\n";
  } else if (document != documents.end()) {
    TextLines text(document->second.text);
    const json::Array *list = definition ? definition->getAsArray() : nullptr;
    const json::Object *first =
        list && !list->empty() ? list->front().getAsObject() : nullptr;
    const json::Object *range = first ? first->getObject("range") : nullptr;
    bool isHere = range && first->getString("uri") == StringRef(hover.uri);
    said = document->second.notes.hover(
        text, text.placeOf(isHere ? range->getObject("start")
                                  : hover.position.getAsObject()));
  }
  json::Value answer = bodyOf(*hover.answer);
  json::Object *result = answer.getAsObject()->getObject("result");
  json::Object *contents = result ? result->getObject("contents") : nullptr;
  bool hasError = answer.getAsObject()->get("error");
  if (said.empty() || hasError || (!document->second.isPlanned && !contents))
    return client.hand(*hover.answer);
  if (contents)
    (*contents)["value"] =
        contents->getString("value").value_or("").str() + "\n***\n" + said;
  else
    (*answer.getAsObject())["result"] = json::Object{
        {"contents", json::Object{{"kind", "markdown"}, {"value", said}}}};
  client.send(answer);
}

/// Whether a message was the answer to a hover, or to a question of our own:
/// the server answers in the order that it was asked in.
bool Relay::takeAnswer(const json::Object &body, const std::string &message) {
  const json::Value *id = body.get("id");
  if (!id || body.get("method"))
    return false;
  size_t oldest = numAsked - hovers.size();
  StringRef number = id->getAsString().value_or("");
  if (number.consume_front("berth/")) {
    size_t asked;
    while (!number.getAsInteger(10, asked) && oldest++ <= asked &&
           !hovers.empty()) {
      if (hovers.front().answer)
        answerHover(hovers.front(), body.get("result"));
      hovers.pop_front();
    }
    return true;
  }
  for (Hover &hover : hovers)
    if (!hover.answer && hover.id == *id) {
      hover.answer = message;
      return true;
    }
  return false;
}

void Relay::publish(const std::string &uri) {
  const Document &document = documents[uri];
  json::Array all = document.diagnostics;
  for (json::Value &each : document.notes.diagnostics(TextLines(document.text)))
    all.push_back(std::move(each));
  json::Object params{{"uri", uri}, {"diagnostics", std::move(all)}};
  if (document.version.kind() != json::Value::Null)
    params["version"] = document.version;
  client.send(json::Object{{"jsonrpc", "2.0"},
                           {"method", "textDocument/publishDiagnostics"},
                           {"params", std::move(params)}});
}

void Relay::fromServer(const std::string &message) {
  json::Value value = bodyOf(message);
  const json::Object *body = value.getAsObject();
  if (body && takeAnswer(*body, message))
    return;
  client.hand(message);
  if (!body ||
      body->getString("method") != StringRef("textDocument/publishDiagnostics"))
    return;
  const json::Object *params = body->getObject("params");
  const json::Array *list = params ? params->getArray("diagnostics") : nullptr;
  auto document =
      documents.find(params ? params->getString("uri").value_or("") : "");
  if (list && document != documents.end())
    document->second.diagnostics = *list;
}

//===----------------------------------------------------------------------===//
// Plans
//===----------------------------------------------------------------------===//

bool Relay::isAnyDirty() const {
  for (const auto &document : documents)
    if (!document.second.isPlanned)
      return true;
  return false;
}

void Relay::startPlanning() {
  for (auto &document : documents) {
    if (document.second.isPlanned)
      continue;
    planner = startPlanner(registry, options, document.second.text);
    planning = document.first().str();
    // Without a process there is no plan, and no second try at the same.
    document.second.isPlanned = planner.pid < 0;
    return;
  }
}

void Relay::stopPlanning() {
  if (planner.pid < 0)
    return;
  kill(planner.pid, SIGKILL);
  close(planner.output);
  waitpid(planner.pid, nullptr, 0);
  planner = {};
  planning.clear();
  planned.clear();
}

void Relay::readPlan() {
  if (readInto(planner.output, planned))
    return;
  Document &document = documents[planning];
  StringRef rest = planned;
  while (!rest.empty()) {
    auto [line, others] = rest.split('\n');
    document.notes.add(line);
    rest = others;
  }
  document.isPlanned = true;
  publish(planning);
  stopPlanning();
}

//===----------------------------------------------------------------------===//
// The loop
//===----------------------------------------------------------------------===//

/// Waits until something can be read or written, and does that. False once
/// MLIR's server is gone.
bool Relay::step() {
  enum { kClient, kServer, kPlanner, kToClient, kToServer, kCount };
  pollfd watched[kCount] = {{client.in, POLLIN, 0},
                            {server.in, POLLIN, 0},
                            {planner.output, POLLIN, 0},
                            {client.hasToSend() ? client.out : -1, POLLOUT, 0},
                            {server.hasToSend() ? server.out : -1, POLLOUT, 0}};
  // Who types goes on typing: a text is planned once it rests.
  const int restMilliseconds = 100;
  bool waits = planner.pid < 0 && isAnyDirty();
  int count = poll(watched, kCount, waits ? restMilliseconds : -1);
  if (count < 0)
    return errno == EINTR;
  if (count == 0 && waits)
    startPlanning();
  if (watched[kToServer].revents && !server.flush())
    return false;
  if (watched[kToClient].revents && !client.flush())
    return false;
  if (watched[kPlanner].revents)
    readPlan();
  if (watched[kServer].revents) {
    bool goesOn = server.receive();
    while (std::optional<std::string> message = server.next())
      fromServer(*message);
    if (!goesOn)
      return false;
  }
  if (watched[kClient].revents) {
    bool goesOn = client.receive();
    while (std::optional<std::string> message = client.next())
      fromClient(*message);
    if (!goesOn)
      client.in = -1;
  }
  if (client.in < 0 && !server.hasToSend() && server.out >= 0) {
    close(server.out);
    server.out = -1;
  }
  return true;
}

Relay::Relay(const mlir::DialectRegistry &registry, std::string options, int in,
             int out)
    : registry(registry), options(std::move(options)),
      client(STDIN_FILENO, STDOUT_FILENO), server(in, out) {
  signal(SIGPIPE, SIG_IGN);
}

void Relay::run() {
  while (step()) {
  }
  stopPlanning();
  fcntl(client.out, F_SETFL, fcntl(client.out, F_GETFL) & ~O_NONBLOCK);
  while (client.hasToSend() && client.flush()) {
  }
}
