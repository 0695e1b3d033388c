//===- ReadOptions.cpp - What is wrong with options -------------*- C++ -*-===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ReadOptions.h"
#include "Nothing.h"
#include "Support/Bytes.h"
#include "Support/Messages.h"
#include "Support/Nearest.h"
#include "berth/Options.h"

#include "llvm/ADT/StringExtras.h"

#include <string>
#include <utility>
#include <vector>

using namespace berth;
using namespace mlir;

/// What a parser said of the options that this thread is reading.
static thread_local std::string complaint;

static bool complain(llvm::cl::Option &option, StringRef text,
                     const Twine &what) {
  complaint = (option.ArgStr + " '" + text + "': " + what).str();
  return true; // that it failed, in LLVM's convention
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

/// "; write x" where a text is a number in another form: 4K, 1e6 or 2.0.
static std::string adviseNumber(const llvm::cl::Option &option,
                                StringRef text) {
  int64_t number;
  if (!berthNumberMeant(text.str().c_str(), &number))
    return "";
  return ("; write " + option.ArgStr + "=" + Twine(number)).str();
}

/// Also 0x40 and the like. False where it is none, or no number holds it.
static bool readWhole(StringRef text, int64_t &number) {
  return !text.getAsInteger(0, number);
}

template <>
bool OptionParser<Whole>::parse(llvm::cl::Option &option, StringRef,
                                StringRef text, Whole &value) {
  if (readWhole(text, value.value))
    return false;
  bool isLarge = berthIsWholeNumber(text.str().c_str());
  return complain(option, text,
                  isLarge ? "it is too large: the largest is "
                            "9223372036854775807"
                          : "expected a whole number, such as 64" +
                                adviseNumber(option, text));
}

template <>
bool OptionParser<Bytes>::parse(llvm::cl::Option &option, StringRef,
                                StringRef text, Bytes &value) {
  if (readWhole(text, value.value) ||
      berthParseBytes(text.str().c_str(), &value.value))
    return false;
  return complain(option, text, berthBytesComplaint(text.str().c_str()));
}

template <>
bool OptionParser<Flag>::parse(llvm::cl::Option &option, StringRef,
                               StringRef text, Flag &value) {
  auto isOneOf = [&](std::initializer_list<StringRef> words) {
    return llvm::is_contained(words, text.lower());
  };
  StringRef meant = isOneOf({"true", "1", "", "on", "yes", "y", "t"}) ? "true"
                    : isOneOf({"false", "0", "off", "no", "n", "f", "none"})
                        ? "false"
                        : "";
  bool isSpelled = llvm::is_contained(
      {"true", "TRUE", "True", "1", "", "false", "FALSE", "False", "0"}, text);
  if (isSpelled) {
    value = meant == "true";
    return false;
  }
  static const char *const words[] = {"true", "false"};
  if (const char *near = berthNearestWord(text.str().c_str(), words, 2))
    meant = near;
  return complain(option, text,
                  "expected true or false" +
                      (meant.empty()
                           ? ""
                           : ("; write " + option.ArgStr + "=" + meant).str()));
}

template <> StringRef OptionParser<Flag>::getValueName() const { return ""; }
template <> StringRef OptionParser<Whole>::getValueName() const {
  return "number";
}
template <> StringRef OptionParser<Bytes>::getValueName() const {
  return "bytes";
}

//===----------------------------------------------------------------------===//
// Names
//===----------------------------------------------------------------------===//

/// What MLIR says of a name that is none.
static constexpr StringLiteral noSuch = "no such option ";

static std::string sayNoSuch(const llvm::cl::SubCommand &options,
                             StringRef said) {
  StringRef name = said.substr(said.find(noSuch) + noSuch.size()).rtrim();
  if (name.empty() || !llvm::isAlpha(name.front()))
    return "no option is called '" + name.str() +
           "': a value with blanks stands in braces, NAME={VALUE}";
  std::vector<std::string> names;
  for (const auto &entry : options.OptionsMap)
    if (!entry.second->ArgStr.starts_with("test-"))
      names.push_back(entry.second->ArgStr.str());
  llvm::sort(names);
  std::vector<const char *> words;
  for (const std::string &one : names)
    words.push_back(one.c_str());
  std::string text = name.str();
  const char *near = berthNearestWord(text.c_str(), words.data(), words.size());
  return "no option is called '" + text + "'" +
         (near ? "; did you mean '" + std::string(near) + "'?"
               : "; there are " + llvm::join(names, ", "));
}

/// The option in a text such as "space=1 plan" that has to have a value, and
/// has none, or nothing.
static StringRef findBare(llvm::cl::SubCommand &options, StringRef text) {
  size_t begin = 0, depth = 0;
  for (size_t i = 0; i <= text.size(); ++i) {
    char c = i < text.size() ? text[i] : ' ';
    depth += StringRef("{[(").contains(c);
    depth -= depth > 0 && StringRef("}])").contains(c);
    if (c != ' ' || (depth > 0 && i < text.size()))
      continue;
    StringRef word = text.slice(begin, i);
    begin = i + 1;
    for (const auto &entry : options.OptionsMap)
      if (entry.second->ArgStr == word &&
          entry.second->getValueExpectedFlag() == llvm::cl::ValueRequired)
        return word;
  }
  return "";
}

LogicalResult
berth::readOptions(StringRef name, StringRef text, llvm::cl::Option &option,
                   llvm::function_ref<LogicalResult(SayOfOptions)> read,
                   SayOfOptions say) {
  llvm::cl::SubCommand &options = **option.Subs.begin();
  // Else LLVM says that it occurs twice, in its own way.
  for (auto &entry : options.OptionsMap)
    entry.second->setNumOccurrencesFlag(llvm::cl::ZeroOrMore);
  complaint.clear();
  auto tell = [&](const Twine &text) {
    noteRefused(); // else the plugin says that no pass was named
    std::string message = (name + ": " + text).str();
    return say(message + berthMessageNumber(message.c_str()));
  };
  if (StringRef bare = findBare(options, text); !bare.empty())
    return tell("'" + bare + "' has no value: write " + bare + "=VALUE");
  LogicalResult result = read([&](const Twine &text) {
    std::string said = text.str();
    if (StringRef(said).contains(noSuch))
      return tell(sayNoSuch(options, said));
    return tell(complaint.empty() ? said : complaint);
  });
  if (failed(result))
    return failure();
  for (const auto &entry : options.OptionsMap)
    if (entry.second->getNumOccurrences() > 1)
      return tell("'" + entry.second->ArgStr + "' is given twice");
  return success();
}
