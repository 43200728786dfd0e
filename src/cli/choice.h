// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/CLI.hpp>

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "model/rules.h"

namespace wick {

template <typename T>
using Words = std::vector<std::pair<std::string, T>>;

// Of --compat.
inline Words<Rules> other_tools() { return {{"perl", Rules::kPerl}, {"inferno", Rules::kInferno}}; }

// An option whose value is one of a few words. (The library's own message for a wrong one speaks of numbers.)
template <typename T>
void add_choice(CLI::App& app, const char* name, std::optional<T>& target, const Words<T>& words, const char* help) {
  std::string list;
  for (const auto& [word, value] : words) { list += (list.empty() ? "" : "|") + word; }
  auto set = [&target, words](const std::string& given) {
    for (const auto& [word, value] : words) {
      if (word == given) { target = value; }
    }
  };
  auto check = [words, list](std::string& given) {
    bool known = std::any_of(words.begin(), words.end(), [&](const auto& w) { return w.first == given; });
    return known ? std::string() : "\"" + given + "\" is none of " + list;
  };
  app.add_option_function<std::string>(name, set, help)->check(CLI::Validator(check, ""))->type_name(list);
}

}  // namespace wick
