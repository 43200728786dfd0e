// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <memory>
#include <string>

#include "analyze/palette.h"
#include "base/text.h"
#include "base/utf8.h"
#include "cli/command.h"
#include "cli/flamegraph_options.h"
#include "cli/output.h"
#include "cli/picture_side_files.h"
#include "cli/profile_options.h"
#include "view/picture.h"

namespace wick {
namespace {

struct FlamegraphArguments {
  ProfileOptions profile;
  PictureOptions picture;
  std::string output;
};

void print_picture_warnings(const View& view, const FlamegraphOptions& picture) {
  print_warnings(view);
  if (view.selection.event.valid()) { print_event_choice(view, {&view.selection.event, 1}); }
  std::string small = describe_small_total(view, picture);
  if (!small.empty()) { std::fprintf(stderr, "warning: ignoring --total %s\n", small.c_str()); }
}

Status draw_flamegraph(const FlamegraphArguments& options) {
  PictureQuery query{options.picture.picture, options.picture.bases, options.picture.fold_runtimes,
                     options.picture.compat.has_value()};
  WICK_OK(check_picture_options(options.picture));
  WICK_LET(ViewRequest request, understand(options.profile, "flamegraph"));
  bool names_file = options.output.empty() && ::isatty(STDOUT_FILENO);
  std::string path = names_file ? "flamegraph.svg" : options.output;
  WICK_OK(check_output(path, request.files));
  WICK_OK(check_output(path, {&options.picture.attributes_file, 1}));
  PictureSideFiles side_files;
  WICK_OK(side_files.read(options.picture, query.picture));
  WICK_LET(View view, load_picture(std::move(request), query));
  bool quiet = options.picture.quiet;
  if (!quiet) { print_picture_warnings(view, query.picture); }
  std::string svg = draw_picture(view, query.picture);
  WICK_OK(write_output(path, svg));
  WICK_OK(side_files.write());
  if (view.selection.samples.empty() && !quiet) { std::fprintf(stderr, "wick: no samples selected; the flame graph is empty\n"); }
  if (names_file) {
    std::fprintf(stderr, "wrote %s (%s): open it in a browser\n", printable(path).c_str(), human_bytes(svg.size()).c_str());
  }
  return ok_status();
}

}  // namespace

Run add_flamegraph_command(CLI::App& app) {
  auto options = std::make_shared<FlamegraphArguments>();
  app.add_option("-o,--output", options->output, "Write here [standard output; on a terminal flamegraph.svg]")->type_name("FILE");
  add_picture_options(app, options->picture);
  add_profile_options(app, options->profile, Files::kSeveral);
  std::string palettes;
  for (const std::string& name : palette_names()) { palettes += " " + name; }
  app.footer("Palettes:" + palettes +
             "\n\n"
             "Click a frame to zoom in. Keys: / search, n and N next and previous match, arrows move, i flips the graph,\n"
             "r starts from the leaf functions.\n\n"
             "Examples:\n"
             "  wick flamegraph                              draw profile.wick as flamegraph.svg\n"
             "  wick flamegraph old.wick -o old.svg\n"
             "  wick flamegraph --by-thread                  show threads side by side\n"
             "  wick flamegraph --thread worker --range 2-5 -o worker.svg\n"
             "  wick flamegraph --colors java --title heap --countname bytes < out.folded > heap.svg");
  return [options, &app] {
    Status fits = apply_compat(app, options->picture);
    return finish_output(fits.ok() ? draw_flamegraph(*options) : fits);
  };
}

}  // namespace wick
