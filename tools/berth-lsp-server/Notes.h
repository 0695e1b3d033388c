//===- Notes.h - What is known of the places of a text ----------*- C++ -*-===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BERTH_TOOLS_BERTH_LSP_SERVER_NOTES_H
#define BERTH_TOOLS_BERTH_LSP_SERVER_NOTES_H

#include "llvm/Support/JSON.h"

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace berth {

/// A place in a text: both from 0, columns in bytes.
struct Place {
  size_t line, column;
  bool operator<(const Place &other) const {
    return std::pair(line, column) < std::pair(other.line, other.column);
  }
};

/// A text by lines, with the protocol's columns, which count UTF-16 units.
class TextLines {
public:
  explicit TextLines(llvm::StringRef text);
  llvm::StringRef at(size_t line) const;
  Place placeOf(const llvm::json::Object *position) const;
  /// From `place` over the name that stands there.
  llvm::json::Object rangeAt(Place place) const;
  /// Where the statement begins whose op has its name at `place`: "%a = op".
  size_t statementStart(Place place) const;
  /// Behind the name of the op at `place`.
  size_t nameEnd(Place place) const;

private:
  std::vector<llvm::StringRef> lines;
};

/// What Berth said of a text.
class Notes {
public:
  /// Takes a line of the planner's; what is none of its is left out.
  void add(llvm::StringRef line);

  /// In Markdown, of the op at a place or of the value that it defines; empty
  /// if there is nothing to say.
  std::string hover(const TextLines &text, Place place) const;

  /// What is not placed, and what passes complain of, for the editor.
  llvm::json::Array diagnostics(const TextLines &text) const;

private:
  struct Buffer {
    Place place;
    size_t scope;
    std::string name;
    int64_t size, offset;
    bool hasOffset;
    std::vector<std::pair<int64_t, int64_t>> segments;
    std::vector<std::string> live;
  };
  struct Scope {
    std::string name, space;
    int64_t before, after;
  };
  struct Remark {
    std::string text;
    bool isMissed;
  };
  struct Complaint {
    Place place;
    int64_t severity;
    std::string text;
  };

  void addScope(const llvm::json::Object &scope);
  void addBuffer(const llvm::json::Object &buffer);
  std::string describe(const TextLines &text, const Buffer &buffer) const;
  std::string listOthers(const TextLines &text, const Buffer &buffer,
                         bool sharing) const;

  std::vector<Scope> scopes;
  std::vector<Buffer> buffers;
  std::multimap<Place, size_t> buffersAt;
  std::multimap<Place, Remark> remarks;
  std::string whyUnplanned(Place op) const;

  std::vector<Complaint> complaints;
  std::set<Place> allocations; ///< of the text, planned or not
};

} // namespace berth

#endif // BERTH_TOOLS_BERTH_LSP_SERVER_NOTES_H
