// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0

// Where the two tools differ, wick chooses the better default: as wide as the window and monospace (inferno), minimum widths in
// pixels or percent (flamegraph.pl). Both spellings of an option work.

#include "cli/flamegraph_options.h"

#include <CLI/CLI.hpp>
#include <cmath>
#include <optional>

#include "base/text.h"
#include "base/utf8.h"
#include "cli/choice.h"
#include "view/picture_words.h"

namespace wick {
namespace {

// A value parsed by a function that returns the problem with it.
template <typename Parse>
CLI::Option* add_parsed(CLI::App& app, const char* names, Parse parse, const char* help, const char* type) {
  auto check = [parse](const std::string& given) { return parse(given); };
  return app.add_option_function<std::string>(
                names, [](const std::string&) {}, help)
      ->check(CLI::Validator(check, ""))
      ->type_name(type);
}

template <typename Set>
CLI::Option* add_number(CLI::App& app, const char* names, double least, double most, Set set, const char* help,
                        const char* type) {
  auto parse = [=](const std::string& given) {
    std::optional<double> value = parse_double(given);
    bool good = value && std::isfinite(*value) && *value >= least && *value <= most;
    if (!good) { return strf("must be between %.9g and %.9g, not ", least, most) + "\"" + printable(given) + "\""; }
    set(*value);
    return std::string();
  };
  return add_parsed(app, names, parse, help, type);
}

CLI::Option* add_color(CLI::App& app, const char* names, std::string& target, const char* help) {
  auto parse = [&target](const std::string& given) { return set_color(given, target); };
  return add_parsed(app, names, parse, help, "COLOR");
}

}  // namespace

void add_picture_options(CLI::App& app, PictureOptions& options) {
  FlamegraphOptions& o = options.picture;
  const char* texts = "Texts";
  app.add_option("--title", o.title, "Title [the command, or Flame Graph]")->type_name("TEXT")->group(texts);
  app.add_option("--subtitle", o.subtitle, "Second line of the title")->type_name("TEXT")->group(texts);
  app.add_option("--notes", o.notes, "Note to embed in the file")->type_name("TEXT")->group(texts);
  app.add_option("--countname", o.count_name, "Unit of the counts [from the profile]")->type_name("TEXT")->group(texts);
  app.add_option("--nametype", o.name_type, "Label before names, as in Function: [none]")->type_name("TEXT")->group(texts);
  add_number(app, "--factor", 1e-12, 1e12, [&o](double v) { o.factor = v; }, "Multiply numbers by this", "NUMBER")->group(texts);

  const char* size = "Size";
  add_number(
      app, "--width", 1, 1e6, [&o](double v) { o.width = static_cast<int>(v); }, "Width of the image [the window's]", "PIXELS")
      ->group(size);
  add_number(
      app, "--height", 2, 1000, [&o](double v) { o.row = static_cast<int>(v); }, "Height of a frame [18]", "PIXELS")
      ->group(size);
  add_parsed(
      app, "--minwidth,--min-width", [&o](const std::string& v) { return set_least(v, o); },
      "Hide narrower frames: in pixels, or percent of the total [0.1]", "PIXELS|N%")
      ->group(size);
  add_parsed(
      app, "--fonttype,--font-type", [&o](const std::string& v) { return set_font(v, o); }, "Font of the frames [monospace]",
      "FONT")
      ->group(size);
  add_number(app, "--fontsize,--font-size", 1, 500, [&o](double v) { o.font_size = v; }, "Font size [12]", "PIXELS")->group(size);
  add_number(
      app, "--fontwidth,--font-width", 0.1, 3, [&o](double v) { o.font_width = v; },
      "Width of a character relative to the font size, for --fonttype [0.59]", "NUMBER")
      ->group(size);
  app.add_flag("--truncate-text-right", o.cut_names_right,
               "Truncate long names at the end [drop parameters and outer scopes first]")
      ->group(size);

  const char* tree = "Layout";
  app.add_flag("-i,--inverted", o.inverted, "Draw an icicle graph: callers on top")->group(tree);
  app.add_flag("--reverse", o.reverse, "Start with the leaf functions, then their callers")->group(tree);
  app.add_flag("--by-thread", o.by_thread, "Show threads as the first level")->group(tree);
  app.add_flag("--fold-runtimes", options.fold_runtimes, "Fold the frames of tokio, rayon, std::function and thread starts")
      ->group(tree);
  app.add_flag("--flamechart", o.chart, "Draw samples in order of time, or of the file")->group(tree);
  app.add_flag_callback(
         "--no-sort", [&o] { o.order = SiblingOrder::kInput; }, "Keep frames in file order [widest first]")
      ->group(tree);
  app.add_flag_callback(
         "--sort-by-name", [&o] { o.order = SiblingOrder::kName; }, "Sort frames by name, as other tools do")
      ->group(tree);
  app.add_option("--base", options.bases, "Show only stacks with this function, from there on (repeatable)")
      ->type_name("FUNCTION")
      ->allow_extra_args(false)
      ->group(tree);
  add_number(
      app, "--total", 0, 9e18, [&o](double v) { o.total = v; }, "Value of the full width [all samples]", "NUMBER")
      ->group(tree);

  const char* colors = "Colors";
  add_parsed(
      app, "-c,--colors", [&o](const std::string& v) { return set_colors(v, o); },
      "Palette (below), or kind for kinds of code; for differences red-blue or blue-orange [kind]", "PALETTE")
      ->group(colors);
  add_parsed(
      app, "--bgcolors", [&o](const std::string& v) { return set_background(v, o); },
      "Background: yellow, blue, green, gray or #rrggbb [the browser's light or dark]", "COLOR")
      ->group(colors);
  app.add_flag_callback(
         "--hash", [&o] { set_draw(PaletteDraw::kLetters, o); },
         "Use similar colors for names with the same prefix [palette: hot]")
      ->group(colors);
  app.add_flag_callback("--random", [&o] { set_draw(PaletteDraw::kRandom, o); }, "Random but reproducible colors")->group(colors);
  app.add_flag_callback(
         "--deterministic", [&o] { set_draw(PaletteDraw::kName, o); }, "Use the same color for a name everywhere [default]")
      ->group(colors);
  app.add_flag("--cp", options.keep_palette, "Keep the colors of functions in palette.map for the next image")->group(colors);
  app.add_flag_callback(
         "--colordiffusion", [&o] { o.painting = Painting::kWidth; }, "Color by width: wider is redder")
      ->group(colors);
  app.add_flag("--negate", o.negate, "Swap the two colors of a difference")->group(colors);
  add_color(app, "--search-color", o.search_color, "Color of search results")->group(colors);
  add_color(app, "--stroke-color", o.stroke_color, "Outline of frames [none]")->group(colors);
  add_color(app, "--uicolor", o.ui_color, "Color of the controls")->group(colors);

  const char* file = "File";
  app.add_option("--nameattr", options.attributes_file,
                 "Attributes of frames: lines of NAME, tab, key=value, tab, … (href, target, title, class, id)")
      ->type_name("FILE")
      ->group(file);
  add_parsed(
      app, "--encoding", [&o](const std::string& v) { return set_encoding(v, o); }, "Encoding of the file [UTF-8]", "NAME")
      ->group(file);
  app.add_flag("--pretty-xml", o.indent, "Indent the XML")->group(file);
  app.add_flag_callback("--no-javascript", [&o] { o.script = false; }, "Draw a static image")->group(file);
  add_choice(app, "--compat", options.compat, other_tools(),
             "Use flamegraph.pl's (perl) or inferno-flamegraph's defaults: colors, texts, sizes, order");
  app.add_flag("-q,--quiet", options.quiet, "Print no warnings");
  app.add_flag("-v,--verbose", options.verbose, "Ignored")->group("");
}

Status apply_compat(const CLI::App& app, PictureOptions& options) {
  if (!options.compat) { return ok_status(); }
  const bool as_perl = options.compat == Rules::kPerl;
  FlamegraphOptions& o = options.picture;
  auto given = [&](const char* name) { return app.count(name) != 0; };
  if (!given("--title")) { o.title = o.chart ? "Flame Chart" : o.inverted ? "Icicle Graph" : "Flame Graph"; }
  if (!given("--countname")) { o.count_name = "samples"; }
  if (!given("--nametype")) { o.name_type = "Function:"; }
  if (!given("--width") && as_perl) { o.width = 1200; }
  if (!given("--height")) { o.row = 16; }
  if (!given("--fonttype") && as_perl) { set_font("Verdana", o); }
  if (!as_perl) {  // percent, with or without the sign
    if (!given("--minwidth")) { o.least_percent = 0.01; }
    if (given("--minwidth") && o.least_px > 0) { o.least_percent = o.least_px; }
    if (o.least_percent > 100) {
      return Error("--minwidth %.15g is more than 100 percent (--compat inferno)", o.least_percent).with_code(Errc::kUsage);
    }
    o.least_px = 0;
  }
  if (!given("--no-sort") && !given("--sort-by-name")) { o.order = SiblingOrder::kName; }
  if (as_perl) { o.cut_names_right = true; }
  if (!given("--colors") && o.painting == Painting::kKind) { o.painting = Painting::kPalette; }
  if (!given("--hash") && !given("--random") && !given("--deterministic") && !as_perl) { o.draw = PaletteDraw::kRandom; }
  if (!given("--bgcolors")) { set_background(background_of(o.palette), o); }
  return ok_status();
}

Status check_picture_options(const PictureOptions& options) {
  if (options.picture.chart && options.picture.reverse) {
    return Error("--flamechart and --reverse cannot be combined").with_code(Errc::kUsage);
  }
  return ok_status();
}

}  // namespace wick
