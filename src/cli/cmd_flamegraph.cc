// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <memory>
#include <optional>
#include <string>

#include "base/text.h"
#include "cli/command.h"
#include "cli/profile_options.h"
#include "export/flamegraph.h"

namespace wick {
namespace {

struct Options {
  ProfileOptions profile;
  FlamegraphOptions picture;
  std::string output;
};

int run_flamegraph(const Options& options) {
  Result<View> view = load_view(options.profile, StdinUse::kFilter, {.merge = options.profile.range.empty()});
  if (!view.ok()) { return fail(view.error(), exit_code(view.error())); }
  print_warnings(view->profile);
  std::string svg = flamegraph_svg(view->profile, view->selection, view->filter, options.picture);
  std::string path = options.output;
  if (path.empty() && ::isatty(STDOUT_FILENO)) { path = "flamegraph.svg"; }
  bool to_stdout = path.empty() || path == "-";
  Status written = write_output(path, svg);
  if (!written.ok()) { return finish_output(written); }
  if (view->selection.samples.empty()) { std::fprintf(stderr, "wick: no samples are selected: the picture is empty\n"); }
  if (!to_stdout && options.output.empty()) {
    std::fprintf(stderr, "wrote %s (%s): open it in a browser\n", path.c_str(), human_bytes(svg.size()).c_str());
  }
  return 0;
}

}  // namespace

Run add_flamegraph_command(CLI::App& app) {
  auto options = std::make_shared<Options>();
  app.add_option("-o,--output", options->output,
                 "write here (default: standard output, or flamegraph.svg when that is a terminal)")
      ->type_name("FILE");
  app.add_option("--title", options->picture.title, "the heading (default: the command)")->type_name("TEXT");
  app.add_option("--width", options->picture.width, "pixels across (default: as wide as the window)")
      ->check([](const std::string& given) {
        std::optional<uint64_t> pixels = parse_u64(given);
        return pixels && *pixels >= 300 && *pixels <= 20000 ? std::string() : "\"" + given + "\" is not between 300 and 20000";
      })
      ->type_name("PIXELS");
  add_profile_options(app, options->profile);
  app.footer(
      "Click a box to zoom in, / to search, arrows to move, i to turn the picture upside down.\n\n"
      "Examples:\n"
      "  wick flamegraph                              profile.wick as flamegraph.svg\n"
      "  wick flamegraph old.wick -o old.svg\n"
      "  wick flamegraph --thread worker --range 2-5 -o worker.svg");
  return [options] { return run_flamegraph(*options); };
}

}  // namespace wick
