// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "cli/profile_options.h"

#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cerrno>
#include <cstdio>

#include "base/fd.h"
#include "base/utf8.h"
#include "cli/choice.h"
#include "cli/command.h"
#include "pipeline/load.h"

namespace wick {

void add_profile_options(CLI::App& app, ProfileOptions& options) {
  app.add_flag("--no-inlines", options.no_inlines, "count what was inlined to the function that it was inlined into");
  const Words<NameStyle> styles = {{"full", NameStyle::kFull}, {"short", NameStyle::kShort}, {"raw", NameStyle::kRaw}};
  add_choice(app, "--names", options.names, styles,
             "functions demangled, without template arguments and parameters, or as linked (default: full)");
  const char* group = "Which samples";
  app.add_option("FILE", options.file, "the profile to read (default: profile.wick)")->type_name("");
  app.add_option("--thread", options.thread, "only the thread with this name or id")->type_name("NAME|TID")->group(group);
  app.add_option("--range", options.range, "only between these seconds of the recording: 1.5-3, 10-, -2")
      ->type_name("A-B")
      ->group(group);
  app.add_option("--focus", options.focus, "only samples with a function on the stack that matches")
      ->type_name("REGEX")
      ->group(group);
  app.add_option("--ignore", options.ignore, "no samples with a function on the stack that matches")
      ->type_name("REGEX")
      ->group(group);
  app.add_option("--event", options.event, "which event, when several were recorded (default: the first)")
      ->type_name("NAME")
      ->group(group);
  add_symbol_options(app, options.symbols);
}

Result<View> load_view(const ProfileOptions& options) {
  View view;
  if (!options.range.empty()) { WICK_OK(parse_range(options.range, view.filter)); }
  view.filter.event = options.event;
  view.filter.thread = options.thread;
  view.filter.focus = options.focus;
  view.filter.ignore = options.ignore;
  LoadOptions load;
  load.inlines = options.no_inlines ? Inlines::kHide : Inlines::kShow;
  load.names = options.names.value_or(NameStyle::kFull);
  load.sources = symbol_sources(options.symbols);
  WICK_LET(view.profile, load_profile(options.file, load));
  WICK_LET(view.selection, select_samples(view.profile, view.filter));
  return view;
}

void print_warnings(const Profile& profile) {
  for (const std::string& warning : profile.warnings) { std::fprintf(stderr, "warning: %s\n", printable(warning).c_str()); }
}

int exit_code(const Error& error) { return error.code() == Errc::kUsage ? 2 : 1; }

Status write_output(const std::string& path, std::string_view text) {
  bool to_stdout = path.empty() || path == "-";
  return to_stdout ? write_all(STDOUT_FILENO, as_bytes(text), "standard output") : write_file_atomically(path, as_bytes(text));
}

int finish_output(const Status& status) { return status.ok() || status.error().errnum() == EPIPE ? 0 : fail(status.error()); }

}  // namespace wick
