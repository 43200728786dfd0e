// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include <CLI/CLI.hpp>
#include <memory>
#include <string>
#include <vector>

#include "base/text.h"
#include "cli/command.h"
#include "cli/compared_files.h"
#include "cli/output.h"
#include "cli/profile_options.h"
#include "tui/run.h"
#include "tui/screen.h"
#include "view/viewer.h"

namespace wick {
namespace {

struct TuiArguments {
  ProfileOptions profile;
  std::string after;  // compared with profile.file
  std::vector<std::string> source_dirs;
};

Result<tui::Source> load_one(const TuiArguments& options, const SourcePlaces& places) {
  WICK_LET(ViewRequest request, understand(options.profile, "tui"));
  request.keep_times = true;
  tui::Source source;
  WICK_LET(source.view, load_view(request));
  source.files = request.files;
  CodeOptions code = code_options(request, places);
  code.has_linked_addresses = has_linked_addresses(*source.view.profile);
  source.read_code = [profile = source.view.profile, code, reader = std::shared_ptr<CodeReader>()](FunctionId f) mutable {
    if (!reader) { reader = std::make_shared<CodeReader>(*profile, code); }
    return reader->read(f);
  };
  return source;
}

Result<tui::Source> load_two(const TuiArguments& options, const SourcePlaces& places) {
  WICK_LET(DiffRequest request, understand_comparison(options.profile, options.after));
  WICK_LET(ViewerComparison loaded, load_comparison(request, places));
  tui::Source source{.view = std::move(loaded.view),
                     .compares = true,
                     .files = loaded.notes.files,
                     .sides = std::move(loaded.sides),
                     .own_names = std::move(loaded.notes.own_names),
                     .notes = loaded.notes.notes};
  source.read_code = [code = loaded.code](FunctionId f) { return code->read(f.value); };
  source.find_lines = [code = loaded.code](FunctionId f, bool is_before, const std::string& file) {
    return code->find_lines(f.value, is_before, file);
  };
  source.compare_builds = [code = loaded.code](FunctionId f) { return code->compare_builds(f.value); };
  source.is_only_before = [code = loaded.code](FunctionId f) { return code->is_only_before(f.value); };
  return source;
}

Status show(const TuiArguments& options) {
  if (Status terminal = tui::check_terminal(); !terminal.ok()) {
    const std::string& file = options.after.empty() ? options.profile.file : options.after;
    return std::move(terminal).error().with_hint("wick report" + (file.empty() ? "" : " " + shell_quote(file)));
  }
  WICK_LET(SourcePlaces places, find_source_places(options.source_dirs));
  WICK_LET(tui::Source source, options.after.empty() ? load_one(options, places) : load_two(options, places));
  return tui::run(std::move(source));
}

}  // namespace

Run add_tui_command(CLI::App& app) {
  auto options = std::make_shared<TuiArguments>();
  add_source_dirs(app, options->source_dirs, "Look for source files here first (repeatable)");
  add_profile_options(app, options->profile);
  add_second_file(app, options->after, "Profile to compare with: FILE is before, FILE2 after");
  app.footer(
      "Use the keyboard or the mouse: 1-7 change the view, ? lists all keys, q quits.\n\n"
      "Examples:\n"
      "  wick tui                            look at profile.wick\n"
      "  wick tui perf.data\n"
      "  perf script | wick tui\n"
      "  wick tui profile.wick.old profile.wick   compare the two latest recordings");
  return [options] { return finish_output(show(*options)); };
}

}  // namespace wick
