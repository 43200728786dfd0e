// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "cli/help.h"

#include <vector>

#include "base/utf8.h"

namespace wick {
namespace {

constexpr int kColumn = 30;  // where descriptions begin

std::string row(std::string left, const std::string& right) {
  left = "  " + left;
  int width = display_width(left);
  left += width + 2 > kColumn ? "\n" + std::string(kColumn, ' ') : std::string(static_cast<size_t>(kColumn - width), ' ');
  return left + right + "\n";
}

// "-o, --output FILE"; long options align whether or not there is a short one.
std::string option_row(const CLI::Option& option) {
  std::string names;
  for (const std::string& name : option.get_snames()) { names += (names.empty() ? "-" : ", -") + name; }
  bool has_short = !names.empty();
  for (const std::string& name : option.get_lnames()) { names += (names.empty() ? "--" : ", --") + name; }
  if (!has_short) { names = "    " + names; }
  if (option.get_items_expected_max() > 0 && !option.get_type_name().empty()) { names += " " + option.get_type_name(); }
  return row(names, option.get_description());
}

std::string usage_of(const CLI::App& app, const std::string& name) {
  std::string line = name + " [OPTIONS]";
  if (app.get_parent() == nullptr) { return line + " COMMAND"; }
  for (const CLI::Option* option : app.get_options()) {
    if (!option->get_positional()) { continue; }
    bool many = option->get_items_expected_max() > 1;
    line += " [" + option->get_name(true) + (many ? "…" : "") + "]";
  }
  return line;
}

}  // namespace

std::string Help::make_help(const CLI::App* app, std::string name, CLI::AppFormatMode) const {
  std::string out = app->get_description() + "\n\nUsage: " + (usage_.empty() ? usage_of(*app, name) : usage_) + "\n";
  std::string commands, arguments;
  for (const CLI::App* command : app->get_subcommands([](const CLI::App*) { return true; })) {
    commands += row(command->get_name(), command->get_description());
  }
  if (!commands.empty()) { out += "\nCommands:\n" + commands; }
  for (const CLI::Option* option : app->get_options()) {
    if (option->get_positional()) { arguments += row(option->get_name(true), option->get_description()); }
  }
  if (!arguments.empty()) { out += "\nArguments:\n" + arguments; }
  for (const std::string& group : app->get_groups()) {
    std::string rows;
    for (const CLI::Option* option : app->get_options()) {
      if (!option->get_positional() && option->get_group() == group && !group.empty()) { rows += option_row(*option); }
    }
    if (!rows.empty()) { out += "\n" + group + ":\n" + rows; }
  }
  if (!app->get_footer().empty()) { out += "\n" + app->get_footer() + "\n"; }
  return out;
}

}  // namespace wick
