// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "cli/option_names.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <utility>

#include "base/text.h"
#include "base/utf8.h"

namespace wick {
namespace {

// Options of flamegraph.pl and stackcollapse-perf.pl.
constexpr std::string_view kFlamegraphNames =
    "fonttype width height encoding fontsize fontwidth minwidth title subtitle nametype countname nameattr total factor colors "
    "bgcolors hash random cp reverse inverted flamechart negate notes help";
constexpr std::string_view kCollapseNames = "pid tid inline context srcline kernel jit all addrs event-filter help";

constexpr size_t kClearlyLong = 3;  // letters after one dash, if the first could be a short option

char to_lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; }

struct Found {
  const CLI::Option* option = nullptr;
  std::string name{};
};

class Completer {
 public:
  Completer(const CLI::App& app, const OptionNames& names) : names_(names), options_(app.get_options()) {
    for (std::string_view name : split(names.preferred, ' ')) { preferred_.emplace_back(name); }
  }

  // Completes a word; `takes_next`: the next word is its value.
  Result<std::string> complete(const std::string& word, bool& takes_next) const {
    takes_next = false;
    bool two = word.starts_with("--");
    size_t equals = word.find('=');
    std::string given = word.substr(two ? 2 : 1, equals == word.npos ? word.npos : equals - (two ? 2 : 1));
    std::string rest = equals == word.npos ? std::string() : word.substr(equals);
    std::vector<Found> found;
    if (two || (names_.one_dash && given.size() > 1)) { found = find(given, two); }
    if (found.size() > 1) {
      std::string list;
      for (const Found& f : found) { list += (list.empty() ? "--" : ", --") + f.name; }
      return Error("ambiguous option %s: %s", printable(word).c_str(), list.c_str()).with_code(Errc::kUsage);
    }
    if (!found.empty()) {
      bool valued = takes_value(*found[0].option);
      takes_next = equals == word.npos && valued;
      // The parser looks for an empty value in the next word, so the value becomes a separate word.
      return "--" + found[0].name + (valued && rest == "=" ? "" : rest);
    }
    if (!two) { takes_next = cluster_takes_next(word); }
    return word;
  }

 private:
  static bool takes_value(const CLI::Option& option) { return option.get_items_expected_min() > 0; }

  const CLI::Option* find_short(char letter) const {
    for (const CLI::Option* o : options_) {
      if (o->check_sname(std::string(1, letter))) { return o; }
    }
    return nullptr;
  }

  bool is_preferred(const std::string& name) const {
    return std::find(preferred_.begin(), preferred_.end(), name) != preferred_.end();
  }

  // All options whose names begin with `given`.
  std::vector<Found> find(std::string given, bool two) const {
    std::vector<Found> found, preferred;
    if (names_.any_case) { std::transform(given.begin(), given.end(), given.begin(), to_lower); }
    for (const CLI::Option* o : options_) {
      Found one, best;
      for (const std::string& name : o->get_lnames()) {
        if (name == given) { return {{o, name}}; }
        if (!name.starts_with(given) || given.empty()) { continue; }
        if (one.option == nullptr) { one = {o, name}; }
        if (is_preferred(name)) { best = {o, name}; }
      }
      if (one.option != nullptr) { found.push_back(one); }
      if (best.option != nullptr) { preferred.push_back(best); }
    }
    if (!two && !is_clearly_long(given, !preferred.empty())) { return {}; }
    return preferred.size() == 1 ? preferred : found;
  }

  // "-color" would be "-c olor", and "-inv" "-i -n -v".
  bool is_clearly_long(const std::string& given, bool preferred) const {
    const CLI::Option* first = find_short(given[0]);
    if (first == nullptr) { return true; }
    if (takes_value(*first)) { return preferred && given.size() >= kClearlyLong; }
    return !std::all_of(given.begin(), given.end(), [&](char c) { return find_short(c) != nullptr; });
  }

  // "-qo FILE".
  bool cluster_takes_next(const std::string& word) const {
    for (size_t i = 1; i < word.size(); ++i) {
      const CLI::Option* o = find_short(word[i]);
      if (o == nullptr) { return false; }
      if (takes_value(*o)) { return i + 1 == word.size(); }
    }
    return false;
  }

  const OptionNames& names_;
  std::vector<const CLI::Option*> options_;
  std::vector<std::string> preferred_;
};

}  // namespace

OptionNames option_names(std::string_view command) {
  if (command == "flamegraph") { return {.preferred = kFlamegraphNames, .one_dash = true, .any_case = true}; }
  if (command == "collapse") { return {.preferred = kCollapseNames, .one_dash = true, .any_case = true}; }
  if (command == "diff") { return {.one_dash = true, .any_case = true}; }
  return {.until_word = command == "record" || command == "stat"};
}

Result<std::vector<std::string>> complete_options(const CLI::App& app, const OptionNames& names, std::vector<std::string> words) {
  Completer completer(app, names);
  std::vector<std::string> out;
  bool is_value = false, options_end = false;
  for (std::string& word : words) {
    bool is_option = word.size() > 1 && word[0] == '-';
    options_end |= !is_value && (word == "--" || (!is_option && names.until_word));
    if (options_end || !is_option || std::exchange(is_value, false)) {
      is_value = false;
      out.push_back(std::move(word));
      continue;
    }
    WICK_LET(std::string whole, completer.complete(word, is_value));
    bool has_empty_value = word.ends_with('=') && !whole.ends_with('=');
    out.push_back(std::move(whole));
    if (has_empty_value) { out.emplace_back(); }
  }
  return out;
}

}  // namespace wick
