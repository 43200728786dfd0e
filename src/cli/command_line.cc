// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "cli/command_line.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <memory>
#include <sstream>
#include <utility>

#include "base/fd.h"
#include "base/text.h"
#include "cli/help.h"
#include "cli/messages.h"
#include "cli/option_names.h"
#include "cli/usage_error.h"

namespace wick {
namespace {

std::optional<std::vector<std::string>> behind_dashes;

// `wick` without arguments.
int print_overview(std::span<const Command> commands) {
  std::string text = "wick shows where a program spends its time.\n\nCommands:\n";
  for (const Command& c : commands) { text += strf("  %-12s%s\n", c.name, c.summary); }
  text += "\nStart with: wick record -- ./app      Options: wick COMMAND --help\n";
  std::fputs(text.c_str(), stderr);
  return 2;
}

// `cargo wick ARGS` runs `cargo-wick wick ARGS`: the same program under another name.
std::vector<std::string> called_by_cargo(std::vector<std::string> words) {
  if (words.empty() || base_name(words[0]) != "cargo-wick") { return words; }
  if (words.size() > 1 && words[1] == "wick") { words.erase(words.begin() + 1); }
  words.insert(words.begin() + 1, "cargo");
  return words;
}

// Turns `wick help COMMAND` into `wick COMMAND --help`, and expands @FILE as binutils' addr2line does.
std::vector<std::string> expand(std::vector<std::string> words) {
  if (words.size() > 1 && words[1] == "help") {
    if (words.size() > 2) {
      words = {words[0], words[2], "--help"};
    } else {
      words = {words[0], "--help"};
    }
  }
  if (words.size() == 2 && words[1] == "version") { words[1] = "--version"; }
  if (words.size() < 2 || words[1] != "addr2line") { return words; }
  std::vector<std::string> out;
  for (const std::string& word : words) {
    Result<std::string> text = word.starts_with("@") ? read_file(word.substr(1), size_t{256} << 20) : Error("not one");
    if (!text.ok()) {
      out.push_back(word);
      continue;
    }
    std::istringstream parts(*text);
    for (std::string part; parts >> part;) { out.push_back(part); }
  }
  return out;
}

// If an option is repeated, the last value wins: scripts append theirs.
void take_last(CLI::App& app) {
  for (CLI::Option* option : app.get_options()) {
    bool is_decided = option->get_multi_option_policy() != CLI::MultiOptionPolicy::Throw;
    bool is_single = !option->get_lnames().empty() && option->get_items_expected_max() == 1 && !is_decided;
    if (is_single) { option->multi_option_policy(CLI::MultiOptionPolicy::TakeLast); }
  }
}

void set_up(CLI::App& root) {
  root.formatter(std::make_shared<Help>());
  root.set_help_flag("-h,--help", "Print help");
  root.set_version_flag("--version,-V", "wick " WICK_VERSION, "Print the version");
  root.require_subcommand(1);
  root.footer(
      "Examples:\n"
      "  wick record -- ./app --arg     run a program and record it to profile.wick\n"
      "  wick record -p 4711 -d 30      record a running program for 30 seconds\n"
      "  wick report                    show the hottest functions\n"
      "  wick flamegraph                draw flamegraph.svg\n"
      "  wick doctor                    check what can be recorded, and how to enable more");
}

// Completes abbreviated options of the command.
Status complete_words(const CLI::App& command, std::vector<std::string>& words) {
  Result<std::vector<std::string>> whole = complete_options(command, option_names(words[1]), {words.begin() + 2, words.end()});
  if (!whole.ok()) { return std::move(whole).error().with_hint("wick " + words[1] + " --help"); }
  words.resize(2);  // keeps an empty value after "=" as a word
  words.insert(words.end(), whole->begin(), whole->end());
  return ok_status();
}

void cut_at_dashes(std::vector<std::string>& words) {
  static constexpr std::string_view kWithCommands[] = {"record", "top", "stat", "cargo"};
  if (std::find(std::begin(kWithCommands), std::end(kWithCommands), words[1]) == std::end(kWithCommands)) { return; }
  auto dashes = std::find(words.begin() + 2, words.end(), "--");
  if (dashes == words.end()) { return; }
  behind_dashes.emplace(dashes + 1, words.end());
  words.erase(dashes, words.end());
}

}  // namespace

const std::optional<std::vector<std::string>>& command_behind_dashes() { return behind_dashes; }

int run_command(std::span<const Command> commands, std::vector<std::string> words) {
  words = expand(called_by_cargo(std::move(words)));
  if (words.size() < 2) { return print_overview(commands); }
  CLI::App root("wick shows where a program spends its time.", "wick");
  set_up(root);
  std::vector<std::pair<CLI::App*, Run>> runs;
  for (const Command& c : commands) {
    CLI::App* app = root.add_subcommand(c.name, c.summary);
    // Declaring the options of all commands would take longer than a short command.
    if (std::find(words.begin() + 1, words.end(), c.name) == words.end()) { continue; }
    runs.push_back({app, c.add(*app)});
    take_last(*app);
  }
  for (auto& [app, run] : runs) {
    if (app->get_name() != words[1]) { continue; }
    if (Status completed = complete_words(*app, words); !completed.ok()) { return fail(completed.error(), 2); }
  }
  cut_at_dashes(words);
  std::vector<char*> pointers;
  for (std::string& word : words) { pointers.push_back(word.data()); }
  try {
    root.parse(static_cast<int>(pointers.size()), pointers.data());
  } catch (const CLI::Success& e) {
    return root.exit(e);  // --help, --version
  } catch (const CLI::ParseError& e) { return fail(explain_usage(root, e, words), 2); }
  for (auto& [app, run] : runs) {
    if (app->parsed()) { return run(); }
  }
  return 2;
}

}  // namespace wick
