// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0

// The table of contents: which subcommands there are. Each stands in its own cmd_<name>.cc.

#include <CLI/CLI.hpp>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <sstream>
#include <vector>

#include "base/fd.h"
#include "base/text.h"
#include "cli/command.h"
#include "cli/option_names.h"

namespace wick {
namespace {

struct Command {
  const char* name;
  const char* summary;
  Run (*add)(CLI::App&);
};

const Command kCommands[] = {
    {"record", "record a program, a process or the system into a profile", add_record_command},
    {"report", "the hottest functions, a call tree, or who calls a function", add_report_command},
    {"collapse", "folded stacks, for flame graph tools", add_collapse_command},
    {"flamegraph", "an interactive picture of where the time goes", add_flamegraph_command},
    {"diff", "what became slower or faster between two profiles", add_diff_command},
    {"export", "write the profile for other tools: pprof, Firefox Profiler, speedscope, …", add_export_command},
    {"symbolize", "name the functions of a recording afterwards", add_symbolize_command},
    {"addr2line", "functions, files and lines of addresses", add_addr2line_command},
    {"doctor", "what this machine and a binary allow", add_doctor_command},
};

std::vector<std::string> command_names() {
  std::vector<std::string> names;
  for (const Command& c : kCommands) { names.push_back(c.name); }
  return names;
}

// CLI11 only says that a word was not expected; a mistyped subcommand deserves the nearest names.
int usage_error(const CLI::App& root, const CLI::ParseError& error, int argc, char** argv) {
  bool has_command = !root.get_subcommands().empty();
  if (!has_command && argc > 1 && argv[1][0] != '-') {
    std::string hint = "wick --help";
    std::vector<std::string> near = nearest_words(argv[1], command_names());
    if (!near.empty()) { hint = "wick " + near[0]; }
    print_error(Error("there is no command \"%s\"", argv[1]).with_hint(hint));
    return 2;
  }
  std::string name = has_command ? " " + root.get_subcommands()[0]->get_name() : "";
  const CLI::App& app = has_command ? *root.get_subcommands()[0] : root;
  std::string unknown = has_command ? "" : argc > 1 ? argv[1] : "";
  for (const std::string& word : app.remaining()) {
    if (unknown.empty() && word.size() > 1 && word[0] == '-') { unknown = word; }
  }
  unknown = unknown.substr(0, unknown.find('='));
  if (!unknown.empty() && app.get_option_no_throw(unknown) == nullptr) {
    std::vector<std::string> options;
    for (const CLI::Option* option : app.get_options()) {
      for (const std::string& known : option->get_lnames()) { options.push_back("--" + known); }
    }
    std::vector<std::string> near = nearest_words(unknown, options);
    print_error(
        Error("there is no option \"%s\"", unknown.c_str()).with_hint("wick" + name + " " + (near.empty() ? "--help" : near[0])));
    return 2;
  }
  print_error(Error("%s", error.what()).with_hint("wick" + name + " --help"));
  return 2;
}

// For those who type the name alone.
int print_overview() {
  std::string text = "wick shows where a program spends its time.\n\nCommands:\n";
  for (const Command& c : kCommands) { text += strf("  %-12s%s\n", c.name, c.summary); }
  text += "\nTo begin: wick record -- ./app      All of a command: wick COMMAND --help\n";
  std::fputs(text.c_str(), stderr);
  return 2;
}

// `wick help COMMAND` for `wick COMMAND --help`; and what binutils' addr2line reads from files (@FILE).
std::vector<std::string> expand(int argc, char** argv) {
  std::vector<std::string> words(argv, argv + argc);
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

std::optional<std::vector<std::string>> behind_dashes;

}  // namespace

const std::optional<std::vector<std::string>>& command_behind_dashes() { return behind_dashes; }

void print_error(const Error& error) {
  std::fprintf(stderr, "wick: %s\n", error.message().c_str());
  if (!error.hint().empty()) { std::fprintf(stderr, "hint: %s\n", error.hint().c_str()); }
}

// Of an option that is given several times, as scripts do that add to what they were told.
void take_last(CLI::App& app) {
  for (CLI::Option* option : app.get_options()) {
    bool is_single = !option->get_lnames().empty() && option->get_items_expected_max() == 1;
    if (is_single) { option->multi_option_policy(CLI::MultiOptionPolicy::TakeLast); }
  }
}

int run_wick(int argc, char** argv) {
  CLI::App root("Shows where a program spends its time: records, unwinds, names and shows profiles in one step.", "wick");
  root.set_version_flag("--version,-V", "wick " WICK_VERSION);
  root.require_subcommand(1);
  root.footer(
      "Examples:\n"
      "  wick record -- ./app --arg     run a program and record it into profile.wick\n"
      "  wick record -p 4711 -d 30      record a running program for 30 seconds\n"
      "  wick report                    the hottest functions of profile.wick\n"
      "  wick flamegraph                a picture: flamegraph.svg\n"
      "  wick doctor                    what this machine allows, and how to allow more");
  std::vector<std::pair<CLI::App*, Run>> runs;
  for (const Command& c : kCommands) {
    CLI::App* app = root.add_subcommand(c.name, c.summary);
    runs.push_back({app, c.add(*app)});
    take_last(*app);
  }
  std::vector<std::string> words = expand(argc, argv);
  if (words.size() < 2) { return print_overview(); }
  for (auto& [app, run] : runs) {
    if (app->get_name() != words[1]) { continue; }
    Result<std::vector<std::string>> whole = complete_options(*app, option_names(words[1]), {words.begin() + 2, words.end()});
    if (!whole.ok()) { return fail(std::move(whole).error().with_hint("wick " + words[1] + " --help"), 2); }
    words.resize(2);  // an empty value behind = is a word of its own now
    words.insert(words.end(), whole->begin(), whole->end());
    break;
  }
  std::vector<char*> pointers;
  for (std::string& word : words) { pointers.push_back(word.data()); }
  argc = static_cast<int>(pointers.size());
  argv = pointers.data();
  bool takes_command = argc > 1 && std::string_view(argv[1]) == "record";
  for (int i = 2; takes_command && i < argc; ++i) {
    if (std::string_view(argv[i]) == "--") {
      behind_dashes.emplace(argv + i + 1, argv + argc);
      argc = i;
    }
  }
  try {
    root.parse(argc, argv);
  } catch (const CLI::Success& e) {
    return root.exit(e);  // --help, --version
  } catch (const CLI::ParseError& e) { return usage_error(root, e, argc, argv); }
  for (auto& [app, run] : runs) {
    if (app->parsed()) { return run(); }
  }
  return 2;
}

}  // namespace wick
