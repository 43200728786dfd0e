// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <optional>

#include "base/output_file.h"
#include "cli/choice.h"
#include "cli/command.h"
#include "cli/profile_options.h"
#include "export/folded.h"
#include "import/perf_script.h"
#include "model/event_name.h"

namespace wick {
namespace {

enum class CountWhat : uint8_t { kSamples, kWeights };

struct CollapseArguments {
  ProfileOptions profile;
  FoldedOptions folded;
  ImportOptions import;
  std::vector<std::string> more_files;
  std::string event_filter, output;
  std::optional<CountWhat> count;
  std::optional<Rules> compat;
  bool all = false, context = false, quiet = false;
  int verbose = 0;  // for scripts that say so; there is nothing more to tell
};

// Other tools know an event by its name up to the colon: "cycles" is "cycles:u" and "cycles:k".
std::string_view plain_event(std::string_view name) { return name.substr(0, name.find(':')); }

// The view's own event; of other tools' names the first in the file. With --event-filter all that have this name, else this name
// before the colon; as inferno does, all that have the first's name before the colon.
Result<std::vector<EventId>> find_events(const View& view, const CollapseArguments& options) {
  const Profile& profile = view.profile;
  std::vector<EventId> found;
  auto find = [&](auto&& fits) {
    for (uint32_t i = 0; i < profile.events.size(); ++i) {
      if (fits(profile.text(profile.events[i].name))) { found.push_back(EventId{i}); }
    }
  };
  if (const std::string& wanted = options.event_filter; !wanted.empty()) {
    find([&](std::string_view name) { return name == wanted || name == plain_event_name(wanted); });
    if (found.empty()) {
      find([&](std::string_view name) { return plain_event(name) == wanted; });
    }
    if (!found.empty() || profile.events.empty()) { return found; }
    Filter filter = view.filter;
    filter.event = wanted;
    return select_samples(profile, filter).error();  // says which there are
  }
  if (!view.selection.event.valid()) { return found; }
  if (!options.compat || !options.profile.event.empty()) { return std::vector{view.selection.event}; }
  EventId first = first_event(profile);
  if (options.compat == Rules::kPerl) { return std::vector{first}; }
  find([&](std::string_view name) { return plain_event(name) == plain_event(profile.text(profile[first].name)); });
  return found;
}

Status add_profile(FoldedStacks& folded, const View& view, const CollapseArguments& options) {
  folded.use_raw_names(view.profile.imported_from == kPerfScriptReader.what);
  if (view.profile.is_difference && options.event_filter.empty() && options.profile.event.empty()) {
    WICK_LET(Selection before, select_samples(view.profile, view.filter, EventId{0}));
    WICK_LET(Selection after, select_samples(view.profile, view.filter, EventId{1}));
    return folded.add(view.profile, before, &after);
  }
  WICK_LET(std::vector<EventId> events, find_events(view, options));
  if (!options.quiet && options.event_filter.empty()) { print_event_choice(view, events); }
  if (events.empty()) { return folded.add(view.profile, view.selection); }
  Selection all;
  for (EventId event : events) {
    WICK_LET(Selection one, select_samples(view.profile, view.filter, event));
    all.event = events.front();
    all.samples.insert(all.samples.end(), one.samples.begin(), one.samples.end());
  }
  return folded.add(view.profile, all);
}

Status write_stacks(const FoldedStacks& folded, const std::string& path) {
  Status status = ok_status();
  if (path.empty() || path == "-") {
    folded.write([&](std::string_view piece) {
      status = write_all(STDOUT_FILENO, as_bytes(piece), "standard output");
      return status.ok();
    });
    return status;
  }
  WICK_LET(OutputFile file, OutputFile::create(path));
  folded.write([&](std::string_view piece) {
    status = file.write(as_bytes(piece));
    return status.ok();
  });
  WICK_OK(std::move(status));
  return file.commit();
}

int run_collapse(CollapseArguments options) {
  std::vector<std::string> files = {options.profile.file};
  files.insert(files.end(), options.more_files.begin(), options.more_files.end());
  options.folded.frames.compat = options.import.rules = options.compat.value_or(Rules::kOwn);
  bool as_perl = options.compat == Rules::kPerl;
  if (as_perl && !options.import.java_ids) { options.import.java_ids = false; }  // stackcollapse-jstack.pl's default
  options.folded.frames.kernel |= options.all;
  options.folded.frames.jit |= options.all;
  options.folded.frames.source |= options.context && (!as_perl || options.folded.frames.inlined);  // alone it does nothing there
  options.import.merge = options.profile.range.empty();
  options.import.functions_only = !options.folded.frames.addresses && !options.folded.frames.source;
  std::optional<FoldedStacks> folded;
  for (const std::string& file : files) {
    options.profile.file = file;
    Result<View> view = load_view(options.profile, "collapse", options.import);
    if (!view.ok()) { return fail(view.error(), exit_code(view.error())); }
    if (!options.quiet) { print_warnings(view->profile); }
    if (!folded) {
      CountWhat usual = folded_by_weights(view->profile) ? CountWhat::kWeights : CountWhat::kSamples;
      options.folded.weights = options.count.value_or(usual) == CountWhat::kWeights;
      folded.emplace(options.folded);
    }
    Status added = add_profile(*folded, *view, options);
    if (!added.ok()) { return fail(for_file(added.error(), options.profile), exit_code(added.error())); }
  }
  Status fits = folded->check_size();
  if (!fits.ok()) { return fail(for_file(fits.error(), options.profile), exit_code(fits.error())); }
  return finish_output(write_stacks(*folded, options.output));
}

void add_frame_options(CLI::App& app, CollapseArguments& options) {
  const char* group = "How frames are written";
  FoldedOptions& folded = options.folded;
  FrameTextOptions& frames = folded.frames;
  app.add_flag("--pid", folded.pid, "add the process id to the command: command-PID")->group(group);
  app.add_flag("--tid", folded.tid, "add process and thread id to the command: command-PID/TID")->group(group);
  app.add_flag("--kernel", frames.kernel, "mark functions of the kernel: name_[k]")->group(group);
  app.add_flag("--jit", frames.jit, "mark generated code: name_[j]")->group(group);
  app.add_flag("--inline", frames.inlined, "mark functions that were inlined: name_[i]")->group(group);
  app.add_flag("--all", options.all, "--kernel and --jit")->group(group);
  app.add_flag("--addrs", frames.addresses, "add the address to what has no name: [file <7f12a0>]")->group(group);
  app.add_flag("--srcline", frames.source, "add the place in the source, where it is known: name:file.c:12")->group(group);
  app.add_flag("--context", options.context, "the same")->group(group);
  app.add_option("--skip-after", frames.skip_after, "leave out what called this function (several times: any of them)")
      ->type_name("FUNCTION")
      ->allow_extra_args(false)
      ->group(group);
  app.add_flag("--recursive", folded.recursive, "a function that calls itself is one frame")->group(group);
  add_choice(app, "--compat", options.compat, other_tools(),
             "lines exactly as the collapsers of FlameGraph (perl) or inferno write them");
  app.get_option("--compat")->group(group);
}

void add_format_options(CLI::App& app, CollapseArguments& options) {
  const char* group = "For single formats";
  ImportOptions& import = options.import;
  app.add_flag("--includeoffset", import.include_offset, "DTrace: keep offsets behind names")->group(group);
  app.add_flag("--no-modules", import.without_modules, "macOS sample, VTune: names without their modules")->group(group);
  for (const char* cost : {"time", "bytes", "ticks"}) {
    app.add_flag_callback(
           std::string("--") + cost, [&import, cost] { import.ghc_cost = cost; }, std::string("GHC: count ") + cost)
        ->group(group);
  }
  auto add = [&](const char* name, auto& where, bool value, const char* what) {
    app.add_flag_callback(name, [&where, value] { where = value; }, what)->group(group);
  };
  add("--include-tname", import.java_thread_names, true, "jstack, ibmjava: names of threads (default)");
  add("--no-include-tname", import.java_thread_names, false, "jstack, ibmjava: no names of threads");
  add("--include-tid", import.java_ids, true, "ibmjava: ids of threads behind their names");
  add("--no-include-tid", import.java_ids, false, "jstack: names of threads without the number at their end");
  add("--shorten-pkgs", import.shorten_packages, true, "Java: packages as their first letters");
  add("--no-shorten-pkgs", import.shorten_packages, false, "Java: packages as they are (default)");
  add("--no-pkgs", import.without_packages, true, "Java: names without packages");
  add("--size", import.vtune_size, true, "VTune: count how much was allocated, not how often");
  add("-t", import.xdebug_calls, false, "xdebug: count time (default)");
  add("-c", import.xdebug_calls, true, "xdebug: count calls that made none themselves");
}

}  // namespace

Run add_collapse_command(CLI::App& app) {
  auto options = std::make_shared<CollapseArguments>();
  app.add_option("-o,--output", options->output, "write here instead of to standard output")->type_name("FILE");
  const Words<CountWhat> counts = {{"samples", CountWhat::kSamples}, {"weights", CountWhat::kWeights}};
  add_choice(app, "--count", options->count, counts,
             "COUNT: how many samples, or their periods, bytes, … (default: weights, but for wick's own files)");
  app.add_option("-n,--threads,--nthreads", options->import.threads, "how many work on it (default: one for each CPU)")
      ->type_name("N");
  app.add_flag("-q,--quiet", options->quiet, "print no warnings");
  app.add_flag("-v,--verbose", options->verbose, "nothing more is told")->group("");
  add_profile_options(app, options->profile);
  app.add_option("MORE", options->more_files, "further profiles: all are added up")
      ->check(CLI::Validator(check_file_name, ""))
      ->type_name("");
  app.add_option("--event-filter", options->event_filter, "only this event, by its name or the part before the colon")
      ->type_name("EVENT")
      ->group("Which samples");
  add_frame_options(app, *options);
  add_format_options(app, *options);
  app.footer(
      "Prints one line for each distinct stack: command;root;...;leaf COUNT. Reads profiles of many tools, see "
      "docs/formats.md.\n\n"
      "Examples:\n"
      "  wick collapse | grep ';memcpy '\n"
      "  wick collapse --tid old.wick -o old.folded\n"
      "  perf script | wick collapse --all > out.folded");
  return [options] { return run_collapse(*options); };
}

}  // namespace wick
