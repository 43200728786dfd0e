// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include <CLI/CLI.hpp>
#include <memory>
#include <optional>

#include "cli/choice.h"
#include "cli/collapse_options.h"
#include "cli/command.h"
#include "cli/output.h"
#include "cli/profile_options.h"
#include "view/folded.h"

namespace wick {
namespace {

// Adds the stacks of a file to those of earlier files.
Status collapse_file(const ViewRequest& request, const FoldedQuery& query, bool quiet, std::optional<FoldedStacks>& folded) {
  WICK_LET(View view, load_folded(request, query));
  if (!quiet) { print_warnings(view); }
  if (!folded) { folded.emplace(choose_folded_options(view, query)); }
  Result<std::vector<EventId>> events = choose_folded_events(view, query);
  if (!events.ok()) { return for_file(std::move(events).error(), request); }
  if (!quiet && query.event_filter.empty()) { print_event_choice(view, *events); }
  Status added = add_view(*folded, view, *events);
  return added.ok() ? ok_status() : for_file(std::move(added).error(), request);
}

Status collapse(const CollapseArguments& options) {
  FoldedQuery query = understand(options);
  WICK_LET(ViewRequest request, understand(options.profile, "collapse"));
  request.import = options.import;
  std::vector<std::string> files = request.files;
  files.insert(files.end(), options.more_files.begin(), options.more_files.end());
  WICK_OK(check_output(options.output, files));
  if (std::optional<FoldedFiles> found = find_folded_files(request, files, query)) {
    WICK_OK(write_pieces(options.output, [&](const Sink& sink) { found->lines.write(found->divisor, sink); }));
    return ok_status();
  }
  std::optional<FoldedStacks> folded;
  WICK_OK(collapse_file(request, query, options.quiet, folded));
  for (const std::string& file : options.more_files) {
    request.files = {file};
    request.named_in_errors = NamedInErrors::kBadInput;
    WICK_OK(collapse_file(request, query, options.quiet, folded));
  }
  if (Status fits = folded->check_size(); !fits.ok()) { return for_file(std::move(fits).error(), request); }
  WICK_OK(write_pieces(options.output, [&](const Sink& sink) { folded->write(sink); }));
  return ok_status();
}

}  // namespace

Run add_collapse_command(CLI::App& app) {
  auto options = std::make_shared<CollapseArguments>();
  app.add_option("-o,--output", options->output, "Write here [standard output]")->type_name("FILE");
  const Words<CountWhat> counts = {{"samples", CountWhat::kSamples}, {"weights", CountWhat::kWeights}};
  add_choice(app, "--count", options->query.count, counts,
             "Count samples or their cost [cost; for wick recordings: time in sampling periods]");
  app.add_option("-n,--threads,--nthreads", options->import.threads, "Use N threads [one per CPU]")->type_name("N");
  app.add_flag("-q,--quiet", options->quiet, "Print no warnings");
  app.add_flag("-v,--verbose", options->verbose, "Ignored")->group("");
  add_profile_options(app, options->profile);
  app.add_option("MORE", options->more_files, "More profiles to add")->check(CLI::Validator(check_file_name, ""))->type_name("");
  app.add_option("--event-filter", options->query.event_filter, "Show only this event, by its name or the part before the colon")
      ->type_name("EVENT")
      ->group("Selection");
  add_frame_options(app, *options);
  add_format_options(app, *options);
  app.footer(
      "Prints one line per distinct stack: command;root;...;leaf COUNT. Input formats: docs/formats.md.\n\n"
      "Examples:\n"
      "  wick collapse | grep ';memcpy '\n"
      "  wick collapse --tid old.wick -o old.folded\n"
      "  perf script | wick collapse --all > out.folded");
  return [options] { return finish_output(collapse(*options)); };
}

}  // namespace wick
