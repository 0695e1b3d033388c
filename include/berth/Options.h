//===- Options.h - Values of the passes' options ----------------*- C++ -*-===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Numbers and truths as options of passes have them: they are made of an
// int64_t or a bool and used as one. As types of their own they have parsers of
// their own, which say what was meant where LLVM's say "value invalid for long
// argument".
//
//===----------------------------------------------------------------------===//

#ifndef BERTH_OPTIONS_H
#define BERTH_OPTIONS_H

#include "llvm/Support/CommandLine.h"
#include "llvm/Support/raw_ostream.h"

#include <cstdint>

namespace berth {

/// true or false.
struct Flag {
  bool value;
  Flag(bool value = false) : value(value) {}
  operator bool() const { return value; }
};

/// A whole number.
struct Whole {
  int64_t value;
  Whole(int64_t value = 0) : value(value) {}
  operator int64_t() const { return value; }
};

/// A number of bytes, such as 65536 or 64K.
struct Bytes : Whole {
  using Whole::Whole;
};

inline llvm::raw_ostream &operator<<(llvm::raw_ostream &os, Flag flag) {
  return os << (flag.value ? "true" : "false");
}
inline llvm::raw_ostream &operator<<(llvm::raw_ostream &os, Whole number) {
  return os << number.value;
}

/// What the parsers have in common.
template <typename Value>
class OptionParser : public llvm::cl::basic_parser<Value> {
public:
  using llvm::cl::basic_parser<Value>::basic_parser;
  bool parse(llvm::cl::Option &option, llvm::StringRef, llvm::StringRef text,
             Value &value);
  llvm::StringRef getValueName() const override;
  void printOptionDiff(const llvm::cl::Option &option, const Value &,
                       const llvm::cl::OptionValue<Value> &,
                       size_t width) const {
    this->printOptionNoValue(option, width);
  }
};

} // namespace berth

namespace llvm::cl {
template <>
class parser<berth::Flag> : public berth::OptionParser<berth::Flag> {
public:
  using OptionParser::OptionParser;
  /// The name alone is true.
  ValueExpected getValueExpectedFlagDefault() const { return ValueOptional; }
};
template <>
class parser<berth::Whole> : public berth::OptionParser<berth::Whole> {
  using OptionParser::OptionParser;
};
template <>
class parser<berth::Bytes> : public berth::OptionParser<berth::Bytes> {
  using OptionParser::OptionParser;
};
} // namespace llvm::cl

#endif // BERTH_OPTIONS_H
