// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "cli/shell_words.h"

#include "base/text.h"

namespace wick {

Result<std::vector<std::string>> split_shell_words(std::string_view text) {
  constexpr std::string_view kOfShells = "|&;<>()$`*?[]#~\n", kAlsoInQuotes = "$`";
  auto only_a_shell = [&](char c) {
    return Error("%s: \"%c\" needs a shell", shell_quote(text).c_str(), c)
        .with_code(Errc::kUsage)
        .with_hint("wick stat --compare " + shell_quote("sh -c " + shell_quote(text)) + " …");
  };
  std::vector<std::string> words;
  bool in_word = false;
  char quote = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    char c = text[i];
    bool escapes = c == '\\' && quote != '\'' && i + 1 < text.size();
    if (quote == 0 && (c == ' ' || c == '\t')) {
      in_word = false;
      continue;
    }
    if (!in_word) { words.emplace_back(); }
    in_word = true;
    if (escapes) {
      char next = text[i + 1];
      bool is_special = quote == 0 || next == '"' || next == '\\' || next == '$' || next == '`';
      words.back() += is_special ? "" : "\\";
      words.back() += next;
      ++i;
    } else if (quote == 0 && (c == '\'' || c == '"')) {
      quote = c;
    } else if (quote != 0 && c == quote) {
      quote = 0;
    } else if ((quote == 0 ? kOfShells : quote == '"' ? kAlsoInQuotes : std::string_view()).find(c) != std::string_view::npos) {
      return only_a_shell(c);
    } else {
      words.back() += c;
    }
  }
  if (quote != 0) { return Error("%s: missing closing %c", std::string(text).c_str(), quote).with_code(Errc::kUsage); }
  if (words.empty()) { return Error("empty command").with_code(Errc::kUsage).with_hint("wick stat --help"); }
  return words;
}

}  // namespace wick
