// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "cli/profile_options.h"

#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cerrno>
#include <cstdio>

#include "base/fd.h"
#include "base/text.h"
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

Error for_file(Error error, const ProfileOptions& options) {
  constexpr std::string_view kReport = "wick report ";
  if (options.file == ProfileOptions().file || !error.hint().starts_with(kReport)) { return error; }
  std::string rest = error.hint().substr(kReport.size());
  return std::move(error).with_hint(std::string(kReport) + shell_quote(options.file) + " " + rest);
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
  WICK_LET(load.sources, find_symbol_sources(options.symbols, Fetching::kNever));
  WICK_LET(view.profile, load_profile(options.file, load));
  Result<Selection> selection = select_samples(view.profile, view.filter);
  if (!selection.ok()) { return for_file(std::move(selection).error(), options); }
  view.selection = *std::move(selection);
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
