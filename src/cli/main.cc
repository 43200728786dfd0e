// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0

// The table of contents: which subcommands there are. Each stands in its own cmd_<name>.cc.

#include <CLI/CLI.hpp>

#include <csignal>
#include <cstdio>
#include <vector>

#include "base/text.h"
#include "cli/command.h"

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
  print_error(Error("%s", error.what()).with_hint("wick" + name + " --help"));
  return 2;
}

std::optional<std::vector<std::string>> behind_dashes;

}  // namespace

const std::optional<std::vector<std::string>>& command_behind_dashes() { return behind_dashes; }

void print_error(const Error& error) {
  std::fprintf(stderr, "wick: %s\n", error.message().c_str());
  if (!error.hint().empty()) { std::fprintf(stderr, "hint: %s\n", error.hint().c_str()); }
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
  }
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
