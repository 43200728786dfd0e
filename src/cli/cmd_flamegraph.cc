// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <memory>
#include <string>

#include "analyze/combine.h"
#include "analyze/format.h"
#include "analyze/palette.h"
#include "base/fd.h"
#include "base/text.h"
#include "base/utf8.h"
#include "cli/command.h"
#include "cli/flamegraph_options.h"
#include "cli/profile_options.h"
#include "export/flamegraph.h"

namespace wick {
namespace {

struct FlamegraphArguments {
  ProfileOptions profile;
  PictureOptions picture;
  std::string output;
};

Result<std::string> read_text(const std::string& path) {
  WICK_LET(MappedFile file, MappedFile::open(path));
  return std::string(reinterpret_cast<const char*>(file.bytes().data()), file.bytes().size());
}

// What the options name beside the profile.
Status read_side_files(const PictureOptions& options, FlamegraphOptions& picture, PaletteMap& palette) {
  if (!options.attributes_file.empty()) {
    WICK_LET(std::string text, read_text(options.attributes_file));
    std::string left_out;
    Result<NameAttributes> parsed = parse_name_attributes(text, left_out);
    if (!parsed.ok()) { return std::move(parsed).error().context("cannot read " + options.attributes_file); }
    picture.attributes = *std::move(parsed);
    if (!left_out.empty() && !options.quiet) {
      std::fprintf(stderr, "warning: %s has attributes that are left out, the first in %s\n",
                   printable(options.attributes_file).c_str(), left_out.c_str());
    }
  }
  if (!options.keep_palette) { return ok_status(); }
  if (::access(kPaletteMapFile, F_OK) == 0) {
    WICK_LET(std::string text, read_text(kPaletteMapFile));
    palette = parse_palette_map(text);
  }
  picture.palette_map = &palette;
  return ok_status();
}

// What boxes have to be as wide as, where nothing but the picture's boxes matters: then that is all that has to be read.
double least_share(const FlamegraphArguments& options, const FlamegraphOptions& picture) {
  const ProfileOptions& p = options.profile;
  bool boxes_only = !picture.reverse && !picture.chart && picture.order != SiblingOrder::kInput &&
                    options.picture.bases.empty() && p.range.empty() && p.focus.empty() && p.ignore.empty() &&
                    p.more_files.empty();
  return boxes_only ? 0.99 * flamegraph_least_share(picture) : 0;
}

// What cannot all be asked for at once.
Status check(const FlamegraphOptions& picture) {
  if (picture.chart && picture.reverse) {
    return Error("--flamechart is in the order of time: --reverse would mix it up").with_code(Errc::kUsage);
  }
  return ok_status();
}

// Boxes would be wider than the picture: it stands for all samples then.
void warn_of_total(const Profile& profile, const Selection& selection, const FlamegraphOptions& picture) {
  if (picture.total <= 0 || !selection.event.valid()) { return; }
  double all =
      static_cast<double>(selection.weight) / static_cast<double>(unit_of(profile, selection.event).divisor) * picture.factor;
  if (all <= picture.total) { return; }
  std::fprintf(stderr, "warning: --total %.15g is less than what there is, %.15g: it is ignored\n", picture.total, all);
}

int run_flamegraph(const FlamegraphArguments& options) {
  FlamegraphOptions picture = options.picture.picture;
  PaletteMap palette;
  Status side = check(picture);
  if (side.ok()) { side = read_side_files(options.picture, picture, palette); }
  if (!side.ok()) { return fail(side.error(), exit_code(side.error())); }
  bool merge = options.profile.range.empty() && !picture.chart;
  Result<View> view = load_view(options.profile, "flamegraph",
                                {.merge = merge, .functions_only = true, .least_share = least_share(options, picture)});
  if (!view.ok()) { return fail(view.error(), exit_code(view.error())); }
  if (picture.painting == Painting::kPalette && picture.palette == NamedPalette::kChain) { mark_wakers(view->profile); }
  if (!options.picture.bases.empty()) {
    cut_to_base(view->profile, options.picture.bases);
    Result<Selection> rest = select_samples(view->profile, view->filter);
    if (!rest.ok()) { return fail(rest.error(), exit_code(rest.error())); }
    view->selection = *std::move(rest);
  }
  if (!options.picture.quiet) {
    print_warnings(view->profile);
    if (view->selection.event.valid()) { print_event_choice(*view, {&view->selection.event, 1}); }
  }
  if (!options.picture.quiet) { warn_of_total(view->profile, view->selection, picture); }
  std::string svg = flamegraph_svg(view->profile, view->selection, view->filter, picture);
  std::string path = options.output;
  if (path.empty() && ::isatty(STDOUT_FILENO)) { path = "flamegraph.svg"; }
  bool to_stdout = path.empty() || path == "-";
  Status written = write_output(path, svg);
  if (written.ok() && options.picture.keep_palette) { written = write_output(kPaletteMapFile, write_palette_map(palette)); }
  if (!written.ok()) { return finish_output(written); }
  if (view->selection.samples.empty() && !options.picture.quiet) {
    std::fprintf(stderr, "wick: no samples are selected: the picture is empty\n");
  }
  if (!to_stdout && options.output.empty()) {
    std::fprintf(stderr, "wrote %s (%s): open it in a browser\n", path.c_str(), human_bytes(svg.size()).c_str());
  }
  return 0;
}

}  // namespace

Run add_flamegraph_command(CLI::App& app) {
  auto options = std::make_shared<FlamegraphArguments>();
  app.add_option("-o,--output", options->output,
                 "write here (default: standard output, or flamegraph.svg when that is a terminal)")
      ->type_name("FILE");
  add_picture_options(app, options->picture);
  add_profile_options(app, options->profile, Files::kSeveral);
  std::string palettes;
  for (const std::string& name : palette_names()) { palettes += " " + name; }
  app.footer("Palettes:" + palettes +
             "\n\n"
             "Click a box to zoom in, / to search, n and N for the next match, arrows to move, i to turn the picture upside\n"
             "down, r to see it from the leaves.\n\n"
             "Examples:\n"
             "  wick flamegraph                              profile.wick as flamegraph.svg\n"
             "  wick flamegraph old.wick -o old.svg\n"
             "  wick flamegraph --thread worker --range 2-5 -o worker.svg\n"
             "  wick flamegraph --colors java --title heap --countname bytes < out.folded > heap.svg");
  return [options, &app] {
    Status fits = apply_compat(app, options->picture);
    return fits.ok() ? run_flamegraph(*options) : fail(fits.error(), exit_code(fits.error()));
  };
}

}  // namespace wick
