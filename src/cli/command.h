// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// A subcommand is a function that declares its options and returns the function to run once they are parsed. The table is in
// cli/main.cc.

#include <functional>

namespace CLI {
class App;
}

namespace wick {

using Run = std::function<int()>;

struct Command {
  const char* name;
  const char* summary;
  Run (*add)(CLI::App&);
};

Run add_record_command(CLI::App& app);
Run add_top_command(CLI::App& app);
Run add_stat_command(CLI::App& app);
Run add_report_command(CLI::App& app);
Run add_annotate_command(CLI::App& app);
Run add_view_command(CLI::App& app);
Run add_tui_command(CLI::App& app);
Run add_collapse_command(CLI::App& app);
Run add_flamegraph_command(CLI::App& app);
Run add_diff_command(CLI::App& app);
Run add_export_command(CLI::App& app);
Run add_symbolize_command(CLI::App& app);
Run add_addr2line_command(CLI::App& app);
Run add_cargo_command(CLI::App& app);
Run add_doctor_command(CLI::App& app);

int run_wick(int argc, char** argv);

}  // namespace wick
