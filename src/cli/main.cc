// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0

// The subcommands. Each is implemented in cmd_<name>.cc.

#include "cli/command.h"
#include "cli/command_line.h"

namespace wick {
namespace {

const Command kCommands[] = {
    {"record", "Record a program, a running process or the whole system", add_record_command},
    {"top", "Show what a program, a running process or the whole system does, live", add_top_command},
    {"stat", "Count events and resources of a program, and say what they mean; compare two", add_stat_command},
    {"report", "Show the hottest functions, a call tree, or the callers of a function", add_report_command},
    {"annotate", "Show the cost of each source line and instruction of a function", add_annotate_command},
    {"view", "Look at a profile, or compare two, in a browser", add_view_command},
    {"tui", "Look at a profile, or compare two, in the terminal", add_tui_command},
    {"collapse", "Print folded stacks, for flame graph tools", add_collapse_command},
    {"flamegraph", "Draw an interactive flame graph", add_flamegraph_command},
    {"diff", "Show what became slower or faster between two profiles", add_diff_command},
    {"export", "Convert a profile for other tools: pprof, Firefox Profiler, speedscope, …", add_export_command},
    {"symbolize", "Add symbols to a recording", add_symbolize_command},
    {"addr2line", "Print functions, files and lines of addresses", add_addr2line_command},
    {"cargo", "Build a target of a Rust project and record it (cargo wick)", add_cargo_command},
    {"doctor", "Check what can be profiled here, and how to enable more", add_doctor_command},
};

}  // namespace

int run_wick(int argc, char** argv) { return run_command(kCommands, {argv, argv + argc}); }

}  // namespace wick
