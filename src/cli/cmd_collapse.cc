// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include <CLI/CLI.hpp>
#include <memory>

#include "cli/command.h"
#include "cli/profile_options.h"
#include "export/folded.h"

namespace wick {
namespace {

struct Options {
  ProfileOptions profile;
  FoldedOptions folded;
  std::string output;
};

int run_collapse(const Options& options) {
  Result<View> view = load_view(options.profile, StdinUse::kFilter, {.merge = options.profile.range.empty()});
  if (!view.ok()) { return fail(view.error(), exit_code(view.error())); }
  print_warnings(view->profile);
  // A file is written whole or not at all; what goes to standard output goes piece by piece.
  bool to_stdout = options.output.empty() || options.output == "-";
  std::string whole;
  Status status = ok_status();
  write_folded(view->profile, view->selection, options.folded, [&](std::string_view piece) {
    if (to_stdout) {
      status = write_output("", piece);
    } else {
      whole += piece;
    }
    return status.ok();
  });
  if (!to_stdout) { status = write_output(options.output, whole); }
  return finish_output(status);
}

}  // namespace

Run add_collapse_command(CLI::App& app) {
  auto options = std::make_shared<Options>();
  app.add_flag("--pid", options->folded.pid, "add the process id to the command: command-PID");
  app.add_flag("--tid", options->folded.tid, "add process and thread id to the command: command-PID/TID");
  app.add_option("-o,--output", options->output, "write here instead of to standard output")->type_name("FILE");
  add_profile_options(app, options->profile);
  app.footer(
      "Prints one line for each distinct stack: command;root;...;leaf COUNT, where COUNT is the number of samples.\n\n"
      "Examples:\n"
      "  wick collapse | grep ';memcpy '\n"
      "  wick collapse --tid old.wick -o old.folded");
  return [options] { return run_collapse(*options); };
}

}  // namespace wick
