// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// A subcommand is a function that declares its options and returns what to run once they are parsed. The table is in cli/main.cc.

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"

namespace CLI {
class App;
}

namespace wick {

using Run = std::function<int()>;

Run add_record_command(CLI::App& app);
Run add_report_command(CLI::App& app);
Run add_collapse_command(CLI::App& app);
Run add_flamegraph_command(CLI::App& app);
Run add_diff_command(CLI::App& app);
Run add_export_command(CLI::App& app);
Run add_symbolize_command(CLI::App& app);
Run add_addr2line_command(CLI::App& app);
Run add_doctor_command(CLI::App& app);

// What stood behind `--` of `record`, if there was one: not wick's options, so never looked at by its parser.
const std::optional<std::vector<std::string>>& command_behind_dashes();

// Prints "wick: message" and "hint: …" to standard error.
void print_error(const Error& error);
inline int fail(const Error& error, int code = 1) {
  print_error(error);
  return code;
}

int run_wick(int argc, char** argv);

}  // namespace wick
