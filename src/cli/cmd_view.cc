// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include <CLI/CLI.hpp>
#include <memory>
#include <string>
#include <vector>

#include "cli/choice.h"
#include "cli/command.h"
#include "cli/compared_files.h"
#include "cli/output.h"
#include "cli/profile_options.h"
#include "cli/view_server.h"
#include "view/viewer.h"

namespace wick {
namespace {

struct ViewArguments {
  ProfileOptions profile;
  std::string after;  // compared with profile.file
  std::vector<std::string> source_dirs;
  ViewServerOptions server;
};

Result<ViewerLoad> load(const ViewArguments& options) {
  WICK_LET(SourcePlaces source, find_source_places(options.source_dirs));
  if (options.after.empty()) {
    WICK_LET(ViewRequest request, understand(options.profile, "view"));
    return load_for_viewer(request, source);
  }
  WICK_LET(DiffRequest request, understand_comparison(options.profile, options.after));
  return load_comparison_for_viewer(request, source);
}

}  // namespace

Run add_view_command(CLI::App& app) {
  auto options = std::make_shared<ViewArguments>();
  app.add_option("--port", options->server.port, "Listen on this port of 127.0.0.1 [any free one]")
      ->check(check_number(1, 65535))
      ->type_name("PORT");
  app.add_flag("--no-open", options->server.no_open, "Print the URL only; do not open a browser");
  add_source_dirs(app, options->source_dirs, "Look for source files here first (repeatable)");
  add_profile_options(app, options->profile);
  app.get_option("--event")->description("Show only this event [all]");
  add_second_file(app, options->after, "Profile to compare with: FILE is before, FILE2 after");
  app.footer(
      "Serves the viewer on this machine, only to those who have the URL. It needs no network.\n"
      "Ends when the page has been closed, or with Ctrl-C.\n\n"
      "Examples:\n"
      "  wick view                           look at profile.wick\n"
      "  wick view perf.data\n"
      "  wick view profile.wick.old profile.wick   compare the two latest recordings\n"
      "  wick view --no-open --port 8080     on another machine: ssh -L 8080:127.0.0.1:8080 HOST\n"
      "  wick export -o profile.html         the same page as a file, to send to others");
  return [options] { return finish_output(serve_viewer(options->server, [&] { return load(*options); })); };
}

}  // namespace wick
