//===- Notes.cpp - What is known of the places of a text --------*- C++ -*-===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Notes.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/ConvertUTF.h"
#include "llvm/Support/FormatVariadic.h"

using namespace berth;
using llvm::StringRef;
namespace json = llvm::json;

//===----------------------------------------------------------------------===//
// Texts
//===----------------------------------------------------------------------===//

TextLines::TextLines(StringRef text) {
  llvm::SmallVector<StringRef, 0> parts;
  text.split(parts, '\n');
  lines.assign(parts.begin(), parts.end());
}

StringRef TextLines::at(size_t line) const {
  return line < lines.size() ? lines[line] : StringRef();
}

/// How many UTF-16 units a byte begins: none inside of a character, and two in
/// front of one that is beyond 16 bits.
static size_t unitsOf(char byte) {
  unsigned char bits = static_cast<unsigned char>(byte);
  return (bits & 0xc0) == 0x80 ? 0 : bits >= 0xf0 ? 2 : 1;
}

Place TextLines::placeOf(const json::Object *position) const {
  Place place = {0, 0};
  if (!position)
    return place;
  place.line = size_t(position->getInteger("line").value_or(0));
  size_t units = size_t(position->getInteger("character").value_or(0));
  StringRef line = at(place.line);
  while (place.column < line.size() && units >= unitsOf(line[place.column]) &&
         (units || !unitsOf(line[place.column])))
    units -= unitsOf(line[place.column++]);
  return place;
}

static json::Object positionOf(StringRef line, Place place) {
  size_t units = 0;
  for (char byte : line.take_front(place.column))
    units += unitsOf(byte);
  return json::Object{{"line", int64_t(place.line)},
                      {"character", int64_t(units)}};
}

size_t TextLines::nameEnd(Place place) const {
  StringRef rest =
      at(place.line).drop_front(std::min(place.column, at(place.line).size()));
  auto isName = [](char c) {
    return llvm::isAlnum(c) || StringRef("._$\"%@").contains(c);
  };
  return place.column + rest.take_while(isName).size();
}

size_t TextLines::statementStart(Place place) const {
  StringRef before = at(place.line).take_front(place.column);
  StringRef results = before.rtrim();
  if (!results.consume_back("="))
    return place.column;
  // Two statements may stand on a line only with a brace between them.
  size_t brace = results.find_last_of("{}");
  size_t start = results.find('%', brace == StringRef::npos ? 0 : brace);
  return start == StringRef::npos ? place.column : start;
}

json::Object TextLines::rangeAt(Place place) const {
  StringRef line = at(place.line);
  return json::Object{{"start", positionOf(line, place)},
                      {"end", positionOf(line, {place.line, nameEnd(place)})}};
}

//===----------------------------------------------------------------------===//
// What the planner says
//===----------------------------------------------------------------------===//

static int64_t numberOf(const json::Object &object, StringRef name) {
  return object.getInteger(name).value_or(0);
}

static std::string textOf(const json::Object &object, StringRef name) {
  return object.getString(name).value_or("").str();
}

static Place placeOf(const json::Object &object) {
  auto from0 = [&](StringRef name) {
    return size_t(std::max(numberOf(object, name), int64_t(1)) - 1);
  };
  return {from0("line"), from0("column")};
}

void Notes::add(StringRef line) {
  llvm::Expected<json::Value> value = json::parse(line);
  if (!value) {
    llvm::consumeError(value.takeError());
    return;
  }
  const json::Object *object = value->getAsObject();
  if (!object)
    return;
  if (object->get("scope"))
    addScope(*object);
  else if (std::optional<StringRef> kind = object->getString("remark"))
    remarks.insert(
        {placeOf(*object), {textOf(*object, "text"), *kind == "Missed"}});
  else if (object->get("allocation"))
    allocations.insert(placeOf(*object));
  else if (std::optional<int64_t> severity = object->getInteger("diagnostic"))
    complaints.push_back(
        {placeOf(*object), *severity, textOf(*object, "text")});
}

void Notes::addScope(const json::Object &scope) {
  scopes.push_back({textOf(scope, "scope"), textOf(scope, "space"),
                    numberOf(scope, "bytes_before"),
                    numberOf(scope, "bytes_after")});
  if (const json::Array *list = scope.getArray("allocations"))
    for (const json::Value &each : *list)
      if (each.getAsObject()->getBoolean("placed").value_or(false))
        addBuffer(*each.getAsObject());
}

void Notes::addBuffer(const json::Object &object) {
  Buffer buffer = {placeOf(object),
                   scopes.size() - 1,
                   textOf(object, "name"),
                   numberOf(object, "size"),
                   numberOf(object, "offset"),
                   object.getInteger("offset").has_value(),
                   {},
                   {}};
  if (const json::Array *segments = object.getArray("segments"))
    for (const json::Value &each : *segments) {
      const json::Array &pair = *each.getAsArray();
      buffer.segments.push_back({pair[0].getAsInteger().value_or(0),
                                 pair[1].getAsInteger().value_or(0)});
    }
  if (const json::Array *live = object.getArray("live"))
    for (const json::Value &each : *live)
      buffer.live.push_back(each.getAsString().value_or("").str());
  buffersAt.insert({buffer.place, buffers.size()});
  buffers.push_back(std::move(buffer));
}

//===----------------------------------------------------------------------===//
// What people are told
//===----------------------------------------------------------------------===//

template <typename Buffer> static bool meet(const Buffer &a, const Buffer &b) {
  for (size_t i = 0, j = 0; i < a.segments.size() && j < b.segments.size();) {
    if (a.segments[i].first < b.segments[j].second &&
        b.segments[j].first < a.segments[i].second)
      return true;
    if (a.segments[i].second <= b.segments[j].second)
      ++i;
    else
      ++j;
  }
  return false;
}

template <typename Buffer> static bool share(const Buffer &a, const Buffer &b) {
  return a.hasOffset && b.hasOffset && a.offset < b.offset + b.size &&
         b.offset < a.offset + a.size;
}

/// "`%b` (line 3), `%c` (line 4) and 7 more", by the names of the text.
std::string Notes::listOthers(const TextLines &text, const Buffer &buffer,
                              bool sharing) const {
  const size_t most = 8;
  std::vector<std::string> names;
  size_t more = 0;
  for (const Buffer &other : buffers) {
    if (&other == &buffer || other.scope != buffer.scope ||
        share(buffer, other) != sharing || (!sharing && !meet(buffer, other)))
      continue;
    if (names.size() == most) {
      ++more;
      continue;
    }
    StringRef written =
        text.at(other.place.line)
            .slice(text.statementStart(other.place), other.place.column)
            .rtrim(" =");
    names.push_back(llvm::formatv(
        "`{0}` (line {1})", written.empty() ? StringRef(other.name) : written,
        other.place.line + 1));
  }
  return llvm::join(names, ", ") +
         (more ? " and " + std::to_string(more) + " more" : "");
}

std::string Notes::describe(const TextLines &text, const Buffer &buffer) const {
  const Scope &scope = scopes[buffer.scope];
  std::string said;
  for (const std::string &live : buffer.live)
    said += "- live: " + live + "\n";
  std::string others = listOthers(text, buffer, /*sharing=*/false);
  said += "- live together with: " + (others.empty() ? "none" : others) + "\n";
  others = listOthers(text, buffer, /*sharing=*/true);
  if (!others.empty())
    said += "- shares bytes with: " + others + "\n";
  if (scope.before)
    said += llvm::formatv(
        "- arena of `{0}`: {1} bytes instead of {2}, memory {3}\n", scope.name,
        scope.after, scope.before, scope.space);
  return said;
}

/// What is complained of last in front of the op, mostly of its function; else
/// the first complaint. Remarks tell of what a plan leaves out.
std::string Notes::whyUnplanned(Place op) const {
  const Complaint *nearest = complaints.empty() ? nullptr : &complaints[0];
  for (const Complaint &complaint : complaints)
    if (!(op < complaint.place) &&
        (op < nearest->place || nearest->place < complaint.place))
      nearest = &complaint;
  return nearest ? "**Berth**: not planned: " + nearest->text + "\n\n" : "";
}

std::string Notes::hover(const TextLines &text, Place place) const {
  // All ops with notes on this line; the cursor may stand on any name.
  std::set<Place> ops;
  auto collect = [&](const auto &map) {
    for (auto at = map.lower_bound({place.line, 0});
         at != map.end() && at->first.line == place.line; ++at)
      ops.insert(at->first);
  };
  collect(remarks);
  collect(buffersAt);
  for (Place op : allocations)
    if (op.line == place.line)
      ops.insert(op);
  std::string said;
  for (Place op : ops) {
    if (place.column < text.statementStart(op) ||
        place.column >= text.nameEnd(op))
      continue;
    if (!remarks.count(op) && !buffersAt.count(op))
      said += whyUnplanned(op);
    auto [firstRemark, endOfRemarks] = remarks.equal_range(op);
    for (auto at = firstRemark; at != endOfRemarks; ++at)
      said += "**Berth**: " + at->second.text + "\n\n";
    auto [first, end] = buffersAt.equal_range(op);
    for (auto at = first; at != end; ++at)
      said += describe(text, buffers[at->second]);
  }
  return said;
}

json::Array Notes::diagnostics(const TextLines &text) const {
  const int64_t hint = 4;
  json::Array list;
  auto add = [&](Place place, int64_t severity, const std::string &message) {
    list.push_back(json::Object{{"range", text.rangeAt(place)},
                                {"severity", severity},
                                {"source", "berth"},
                                {"message", message}});
  };
  for (const Complaint &complaint : complaints)
    add(complaint.place, complaint.severity, complaint.text);
  for (const auto &[place, remark] : remarks)
    if (remark.isMissed)
      add(place, hint, remark.text);
  return list;
}
