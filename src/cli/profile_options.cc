// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "cli/profile_options.h"

#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cerrno>
#include <cstdio>

#include "analyze/combine.h"
#include "analyze/format.h"
#include "analyze/overview.h"
#include "base/fd.h"
#include "base/text.h"
#include "base/utf8.h"
#include "cli/choice.h"
#include "cli/command.h"
#include "import/import.h"
#include "pipeline/load.h"

namespace wick {
namespace {

// The reader that --from names; nothing: by content.
Result<const Reader*> choose_reader(const std::string& name) {
  if (name.empty()) { return nullptr; }
  if (const Reader* reader = find_reader(name)) { return reader; }
  std::vector<std::string> names;
  for (const Reader& r : readers()) { names.emplace_back(r.name); }
  std::vector<std::string> near = nearest_words(name, names);
  std::string told;
  for (const std::string& known : near.empty() ? names : near) { told += (told.empty() ? "" : ", ") + known; }
  return Error("--from: no format \"%s\" (%s%s)", printable(name).c_str(), near.empty() ? "there are: " : "near: ", told.c_str())
      .with_code(Errc::kUsage);
}

// Files that are added up have the event that is shown, or nothing of it would be there.
Status check_added(const Profile& one, const std::string& file, const View& sum) {
  std::string_view shown = sum.profile.text(sum.profile[sum.selection.event].name);
  std::string_view unit = sum.profile.text(sum.profile[sum.selection.event].unit);
  std::string others;
  for (const Event& event : one.events) {
    if (one.text(event.name) == shown && one.text(event.unit) == unit) { return ok_status(); }
    others += (others.empty() ? "" : ", ") + shown_name(one.text(event.name));
  }
  if (one.samples.empty()) { return ok_status(); }
  return Error("%s counts %s, not %s: they cannot be added up", file.c_str(), others.c_str(), shown_name(shown).c_str())
      .with_code(Errc::kUsage);
}

}  // namespace

std::string check_file_name(const std::string& given) { return given.empty() ? "the name of the file is empty" : ""; }

void add_profile_options(CLI::App& app, ProfileOptions& options, Files files) {
  app.add_flag("--no-inlines", options.no_inlines, "count what was inlined to the function that it was inlined into");
  const Words<NameStyle> styles = {{"full", NameStyle::kFull}, {"short", NameStyle::kShort}, {"raw", NameStyle::kRaw}};
  add_choice(app, "--names", options.names, styles,
             "functions demangled, without template arguments and parameters, or as linked (default: full)");
  const char* group = "Which samples";
  app.add_option("FILE", options.file,
                 "the profile, of wick or another tool; - is standard input (default: what is piped in, profile.wick)")
      ->check(CLI::Validator(check_file_name, ""))
      ->type_name("");
  if (files == Files::kSeveral) {
    app.add_option("MORE", options.more_files, "profiles to be added to it")
        ->check(CLI::Validator(check_file_name, ""))
        ->type_name("");
  }
  app.add_option("--from", options.from, "the format of FILE (default: by its content)")->type_name("FORMAT");
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
  app.add_option("--event", options.event,
                 "which event, of several (default: the first; of perf's files time, else the most samples)")
      ->type_name("NAME")
      ->group(group);
  add_symbol_options(app, options.symbols);
}

Error for_file(Error error, const ProfileOptions& options) {
  constexpr std::string_view kReport = "wick report ";
  if (options.file.empty()) { return error; }
  if (error.hint().starts_with(kReport)) {
    std::string rest = error.hint().substr(kReport.size());
    error = std::move(error).with_hint(std::string(kReport) + shell_quote(options.file) + " " + rest);
  }
  if (error.code() != Errc::kBadInput && !options.one_of_several) { return error; }
  return std::move(error).context(options.file == kStandardInput ? "standard input" : options.file);
}

Result<View> load_view(const ProfileOptions& options, std::string_view command, const ImportOptions& import) {
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
  load.import = import;
  WICK_LET(load.reader, choose_reader(options.from));
  std::string file = options.file;
  if (file.empty()) { WICK_LET(file, choose_input(command)); }
  WICK_LET(view.profile, load_profile(file, load));
  std::vector<Profile> profiles;
  if (!options.more_files.empty()) {
    profiles.resize(1 + options.more_files.size());
    profiles[0] = std::move(view.profile);
    for (size_t i = 0; i < options.more_files.size(); ++i) {
      WICK_LET(profiles[i + 1], load_profile(options.more_files[i], load));
    }
    view.profile = merge_profiles(profiles, {.merge = import.merge});
  }
  Result<Selection> selection = select_samples(view.profile, view.filter);
  if (!selection.ok()) { return for_file(std::move(selection).error(), options); }
  view.selection = *std::move(selection);
  for (size_t i = 0; i < profiles.size() && view.selection.event.valid(); ++i) {
    WICK_OK(check_added(profiles[i], i == 0 ? file : options.more_files[i - 1], view));
  }
  return view;
}

void print_warnings(const Profile& profile) {
  for (const std::string& warning : profile.warnings) { std::fprintf(stderr, "warning: %s\n", printable(warning).c_str()); }
}

void print_event_choice(const View& view, std::span<const EventId> shown) {
  std::string others = describe_other_events(view.profile, shown);
  if (!view.filter.event.empty() || shown.empty() || others.empty()) { return; }
  std::string names;
  for (EventId id : shown) { names += (names.empty() ? "" : ", ") + shown_name(view.profile.text(view.profile[id].name)); }
  std::fprintf(stderr, "wick: shown: %s; not shown: %s; --event chooses\n", names.c_str(), others.c_str());
}

int exit_code(const Error& error) { return error.code() == Errc::kUsage ? 2 : 1; }

Status write_output(const std::string& path, std::string_view text) {
  bool to_stdout = path.empty() || path == "-";
  return to_stdout ? write_all(STDOUT_FILENO, as_bytes(text), "standard output") : write_file_atomically(path, as_bytes(text));
}

int finish_output(const Status& status) { return status.ok() || status.error().errnum() == EPIPE ? 0 : fail(status.error()); }

}  // namespace wick
