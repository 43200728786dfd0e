// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/CLI.hpp>

#include <algorithm>
#include <cinttypes>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/text.h"
#include "model/rules.h"

namespace wick {

template <typename T>
using Words = std::vector<std::pair<std::string, T>>;

// The values of --compat.
inline Words<Rules> other_tools() { return {{"perl", Rules::kPerl}, {"inferno", Rules::kInferno}}; }

// CLI11's checks add themselves to the help text and phrase their own errors; these do not.
inline CLI::Validator check_words(std::vector<std::string> words) {
  auto check = [words = std::move(words)](std::string& given) {
    if (std::find(words.begin(), words.end(), given) != words.end()) { return std::string(); }
    std::string list;
    for (size_t i = 0; i < words.size(); ++i) { list += (i == 0 ? "" : i + 1 == words.size() ? " or " : ", ") + words[i]; }
    return "must be " + list + ", not \"" + given + "\"";
  };
  return {check, ""};
}
inline CLI::Validator check_number(uint64_t least, uint64_t most = UINT64_MAX) {
  auto check = [least, most](std::string& given) {
    std::optional<uint64_t> number = parse_u64(given);
    if (number && *number >= least && *number <= most) { return std::string(); }
    std::string range =
        most == UINT64_MAX ? strf(", %" PRIu64 " or more", least) : strf(" from %" PRIu64 " to %" PRIu64, least, most);
    return "must be a number" + range + ", not \"" + given + "\"";
  };
  return {check, ""};
}

// An option whose value is one of a few words.
template <typename T>
void add_choice(CLI::App& app, const char* name, std::optional<T>& target, const Words<T>& words, const char* help) {
  std::string list;
  for (const auto& [word, value] : words) { list += (list.empty() ? "" : "|") + word; }
  auto set = [&target, words](const std::string& given) {
    for (const auto& [word, value] : words) {
      if (word == given) { target = value; }
    }
  };
  std::vector<std::string> names;
  for (const auto& [word, value] : words) { names.push_back(word); }
  app.add_option_function<std::string>(name, set, help)->check(check_words(std::move(names)))->type_name(list);
}

}  // namespace wick
