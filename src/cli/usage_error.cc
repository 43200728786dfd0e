// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "cli/usage_error.h"

#include <CLI/CLI.hpp>

#include "base/text.h"
#include "base/utf8.h"

namespace wick {
namespace {

std::string help_command(const CLI::App& app) {
  return app.get_parent() == nullptr ? "wick --help" : "wick " + app.get_name() + " --help";
}

std::string did_you_mean(const std::string& given, const std::vector<std::string>& known) {
  std::vector<std::string> near = nearest_words(given, known, 1);
  return near.empty() ? "" : "; did you mean " + near[0] + "?";
}

// CLI11 only provides a sentence that begins with the option.
std::string reword(const CLI::ParseError& error) {
  std::string text = error.what();
  auto is = [&](CLI::ExitCodes code) { return error.get_exit_code() == static_cast<int>(code); };
  size_t colon = text.find(": ");
  std::string name = text.substr(0, colon), rest = colon == text.npos ? "" : text.substr(colon + 2);
  if (is(CLI::ExitCodes::ValidationError) && !rest.empty()) { return name + (rest.starts_with("must ") ? " " : ": ") + rest; }
  if (is(CLI::ExitCodes::ArgumentMismatch) && name.starts_with("-")) { return name + " needs a value"; }
  if (is(CLI::ExitCodes::ConversionError) && rest.find(" = ") != rest.npos) {
    return rest.substr(0, rest.find(" = ")) + " does not take \"" + rest.substr(rest.find(" = ") + 3) + "\"";
  }
  constexpr std::string_view kExtra = " expected: ";
  if (size_t at = text.find(kExtra); is(CLI::ExitCodes::ExtrasError) && at != text.npos) {
    return "unexpected argument: " + text.substr(at + kExtra.size());
  }
  if (size_t end = text.find(" was given a disallowed flag override"); end != text.npos) {
    return text.substr(0, end) + " takes no value";
  }
  return "wrong usage";
}

}  // namespace

Error unknown_option(const CLI::App& command, const std::string& given) {
  std::string name = given.substr(0, given.find('='));
  std::vector<std::string> known;
  for (const CLI::Option* option : command.get_options()) {
    for (const std::string& one : option->get_lnames()) { known.push_back("--" + one); }
  }
  return Error("unknown option %s%s", printable(name).c_str(), did_you_mean(name, known).c_str())
      .with_code(Errc::kUsage)
      .with_hint(help_command(command));
}

Error unknown_command(const std::string& given, const std::vector<std::string>& known) {
  return Error("unknown command \"%s\"%s", printable(given).c_str(), did_you_mean(given, known).c_str())
      .with_code(Errc::kUsage)
      .with_hint("wick --help");
}

Error explain_usage(const CLI::App& root, const CLI::ParseError& error, const std::vector<std::string>& words) {
  if (root.get_subcommands().empty()) {
    std::string first = words.size() > 1 ? words[1] : "";
    if (first.starts_with("-")) { return unknown_option(root, first); }
    std::vector<std::string> known;
    for (const CLI::App* command : root.get_subcommands([](const CLI::App*) { return true; })) {
      known.push_back(command->get_name());
    }
    return unknown_command(first, known);
  }
  const CLI::App& command = *root.get_subcommands()[0];
  for (const std::string& word : command.remaining()) {
    bool is_option = word.size() > 1 && word[0] == '-';
    if (is_option && command.get_option_no_throw(word.substr(0, word.find('='))) == nullptr) {
      return unknown_option(command, word);
    }
  }
  return Error("%s", printable(reword(error)).c_str()).with_code(Errc::kUsage).with_hint(help_command(command));
}

}  // namespace wick
