// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0

// Where the two tools differ, wick takes what is better for the reader: a picture as wide as the window and a monospace font
// (inferno), widths of boxes in pixels or percent (flamegraph.pl). Both spellings of a name are good.

#include "cli/flamegraph_options.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cctype>
#include <cmath>
#include <optional>

#include "base/text.h"
#include "base/utf8.h"
#include "cli/choice.h"

namespace wick {
namespace {

// A value that is parsed by a function that returns what is wrong with it.
template <typename Parse>
CLI::Option* add_parsed(CLI::App& app, const char* names, Parse parse, const char* help, const char* type) {
  auto check = [parse](const std::string& given) { return parse(given); };
  return app.add_option_function<std::string>(
                names, [](const std::string&) {}, help)
      ->check(CLI::Validator(check, ""))
      ->type_name(type);
}

std::string wrong(const std::string& given, const char* expected) { return "\"" + printable(given) + "\" is not " + expected; }

template <typename Set>
CLI::Option* add_number(CLI::App& app, const char* names, double least, double most, Set set, const char* help,
                        const char* type) {
  auto parse = [=](const std::string& given) {
    std::optional<double> value = parse_double(given);
    bool good = value && std::isfinite(*value) && *value >= least && *value <= most;
    if (!good) { return "\"" + printable(given) + "\" is not between " + strf("%.9g and %.9g", least, most); }
    set(*value);
    return std::string();
  };
  return add_parsed(app, names, parse, help, type);
}

// The colours that CSS has names for, with a space around each.
constexpr std::string_view kNamedColours =
    " aliceblue antiquewhite aqua aquamarine azure beige bisque black blanchedalmond blue blueviolet brown burlywood "
    "cadetblue chartreuse chocolate coral cornflowerblue cornsilk crimson cyan darkblue darkcyan darkgoldenrod darkgray "
    "darkgreen darkgrey darkkhaki darkmagenta darkolivegreen darkorange darkorchid darkred darksalmon darkseagreen "
    "darkslateblue darkslategray darkslategrey darkturquoise darkviolet deeppink deepskyblue dimgray dimgrey dodgerblue "
    "firebrick floralwhite forestgreen fuchsia gainsboro ghostwhite gold goldenrod gray green greenyellow grey honeydew "
    "hotpink indianred indigo ivory khaki lavender lavenderblush lawngreen lemonchiffon lightblue lightcoral lightcyan "
    "lightgoldenrodyellow lightgray lightgreen lightgrey lightpink lightsalmon lightseagreen lightskyblue lightslategray "
    "lightslategrey lightsteelblue lightyellow lime limegreen linen magenta maroon mediumaquamarine mediumblue mediumorchid "
    "mediumpurple mediumseagreen mediumslateblue mediumspringgreen mediumturquoise mediumvioletred midnightblue mintcream "
    "mistyrose moccasin navajowhite navy oldlace olive olivedrab orange orangered orchid palegoldenrod palegreen "
    "paleturquoise palevioletred papayawhip peachpuff peru pink plum powderblue purple rebeccapurple red rosybrown "
    "royalblue saddlebrown salmon sandybrown seagreen seashell sienna silver skyblue slateblue slategray slategrey snow "
    "springgreen steelblue tan teal thistle tomato transparent turquoise violet wheat white whitesmoke yellow yellowgreen ";

std::string in_lower_case(std::string_view text) {
  std::string lower;
  for (unsigned char c : text) { lower += static_cast<char>(tolower(c)); }
  return lower;
}

// "230" or "90%".
bool is_colour_part(std::string_view text) {
  text = trim(text);
  bool percent = text.ends_with('%');
  std::optional<double> value = parse_double(text.substr(0, text.size() - (percent ? 1 : 0)));
  return value && *value >= 0 && *value <= (percent ? 100 : 255);
}

bool is_colour(std::string_view text) {
  auto is_hex = [](unsigned char c) { return isxdigit(c) != 0; };
  auto is_letter = [](unsigned char c) { return isalpha(c) != 0; };
  if (text.starts_with('#')) {
    return (text.size() == 4 || text.size() == 7) && std::all_of(text.begin() + 1, text.end(), is_hex);
  }
  if (text.starts_with("rgb(") && text.ends_with(')')) {
    std::vector<std::string_view> parts = split(text.substr(4, text.size() - 5), ',');
    return parts.size() == 3 && std::all_of(parts.begin(), parts.end(), is_colour_part);
  }
  bool word = !text.empty() && std::all_of(text.begin(), text.end(), is_letter);
  return word && kNamedColours.find(" " + in_lower_case(text) + " ") != std::string_view::npos;
}

CLI::Option* add_colour(CLI::App& app, const char* names, std::string& target, const char* help) {
  auto parse = [&target](const std::string& given) {
    bool is_none = given == "none";
    if (!is_none && !is_colour(given)) { return wrong(given, "a colour such as #e600e6, rgb(230,0,230) or purple"); }
    target = is_none ? "" : given;
    return std::string();
  };
  return add_parsed(app, names, parse, help, "COLOUR");
}

std::string set_colours(const std::string& given, FlamegraphOptions& o) {
  if (std::optional<DifferenceHues> hues = find_hues(given)) {
    o.hues = *hues;
    return {};
  }
  if (given == "kind") {
    o.painting = Painting::kKind;
    return {};
  }
  if (std::optional<NamedPalette> palette = find_palette(given)) {
    o.painting = Painting::kPalette;
    o.palette = *palette;
    return {};
  }
  std::vector<std::string> names = palette_names();
  std::vector<std::string> near = nearest_words(given, names);
  std::string list;
  for (const std::string& name : near.empty() ? names : near) { list += (list.empty() ? "" : ", ") + name; }
  return "no palette \"" + printable(given) + "\" (" + (near.empty() ? "there are: kind, " : "near: ") + list + ")";
}

// Colours drawn from a palette need one: the usual one, where none is named.
void set_draw(PaletteDraw draw, FlamegraphOptions& o) {
  o.draw = draw;
  if (o.painting == Painting::kKind) { o.painting = Painting::kPalette; }
}

std::string set_background(const std::string& given, FlamegraphOptions& o) {
  struct Named {
    std::string_view name;
    Rgb top, bottom;
  };
  static constexpr Named kNamed[] = {
      {"yellow", {238, 238, 238}, {238, 238, 176}}, {"blue", {238, 238, 238}, {224, 224, 255}},
      {"green", {238, 242, 238}, {224, 255, 224}},  {"grey", {248, 248, 248}, {232, 232, 232}},
      {"gray", {248, 248, 248}, {232, 232, 232}},
  };
  for (const Named& n : kNamed) {
    if (n.name == given) {
      o.background = {n.top, n.bottom};
      return {};
    }
  }
  std::optional<uint64_t> rgb =
      given.size() == 7 && given[0] == '#' ? parse_u64(std::string_view(given).substr(1), 16) : std::nullopt;
  if (!rgb) { return wrong(given, "yellow, blue, green, grey or a colour such as #f8f8f8"); }
  Rgb c{static_cast<uint8_t>(*rgb >> 16), static_cast<uint8_t>(*rgb >> 8), static_cast<uint8_t>(*rgb)};
  o.background = {c, c};
  return {};
}

// The one that goes with a palette, in both tools.
const char* background_of(NamedPalette palette) {
  switch (palette) {
    case NamedPalette::kMem: return "green";
    case NamedPalette::kIo:
    case NamedPalette::kWakeup:
    case NamedPalette::kChain: return "blue";
    case NamedPalette::kRed:
    case NamedPalette::kGreen:
    case NamedPalette::kBlue:
    case NamedPalette::kAqua:
    case NamedPalette::kYellow:
    case NamedPalette::kPurple:
    case NamedPalette::kOrange: return "grey";
    default: return "yellow";
  }
}

std::string set_least(const std::string& given, FlamegraphOptions& o) {
  bool percent = given.ends_with('%');
  std::optional<double> value = parse_double(trim(std::string_view(given).substr(0, given.size() - (percent ? 1 : 0))));
  if (!value || !(*value >= 0) || *value > (percent ? 100 : 10000)) {
    return wrong(given, "a width such as 0.5 (pixels) or 0.1%");
  }
  o.least_px = percent ? 0 : *value;
  o.least_percent = percent ? *value : 0;
  return {};
}

std::string set_font(const std::string& given, FlamegraphOptions& o) {
  bool good = !given.empty() && given.size() < 200 &&
              std::all_of(
                  given.begin(), given.end(),
                  [](unsigned char c) { return isalnum(c) != 0 || c == ' ' || c == ',' || c == '-' || c == '_'; });
  if (!good) { return wrong(given, "a font's name"); }
  o.font.clear();
  bool has_generic = false;
  for (std::string_view family : split(given, ',')) {
    family = trim(family);
    bool generic = family == "monospace" || family == "serif" || family == "sans-serif" || family == "system-ui";
    o.font += (o.font.empty() ? "" : ",") + (generic ? std::string(family) : "\"" + std::string(family) + "\"");
    has_generic |= generic;
  }
  if (!has_generic) { o.font += ",sans-serif"; }  // browsers would take one with serifs
  return {};
}

// All characters beyond ASCII are written as references, so every encoding that has ASCII's where ASCII has them is told truly;
// these are the ones that readers of XML know by these names.
bool is_encoding(std::string_view lower) {
  for (std::string_view name :
       {"us-ascii", "ascii", "euc-jp", "euc-kr", "gb2312", "gbk", "gb18030", "big5", "koi8-r", "koi8-u"}) {
    if (lower == name) { return true; }
  }
  auto numbered = [&](std::string_view prefix, uint64_t least, uint64_t most) {
    std::optional<uint64_t> n = lower.starts_with(prefix) ? parse_u64(lower.substr(prefix.size())) : std::nullopt;
    return n && *n >= least && *n <= most && lower[prefix.size()] != '0';
  };
  return numbered("windows-", 1250, 1258) || (numbered("iso-8859-", 1, 16) && lower != "iso-8859-12");
}

std::string set_encoding(const std::string& given, FlamegraphOptions& o) {
  std::string lower = in_lower_case(given);
  bool usual = lower == "utf-8" || lower == "utf8";
  if (!usual && !is_encoding(lower)) {
    return wrong(given,
                 "an encoding that can be written: UTF-8, US-ASCII, ISO-8859-1 to -16, windows-1250 to -1258, EUC-JP, GBK, …");
  }
  o.encoding = usual ? "" : lower == "ascii" ? "US-ASCII" : given;
  return {};
}

}  // namespace

std::optional<DifferenceHues> find_hues(std::string_view name) {
  if (name == "red-blue") { return DifferenceHues::kRedBlue; }
  if (name == "blue-orange") { return DifferenceHues::kBlueOrange; }
  return std::nullopt;
}

void add_picture_options(CLI::App& app, PictureOptions& options) {
  FlamegraphOptions& o = options.picture;
  const char* texts = "Texts";
  app.add_option("--title", o.title, "the heading (default: the command, or Flame Graph)")->type_name("TEXT")->group(texts);
  app.add_option("--subtitle", o.subtitle, "a line below it")->type_name("TEXT")->group(texts);
  app.add_option("--notes", o.notes, "a remark to keep in the file")->type_name("TEXT")->group(texts);
  app.add_option("--countname", o.count_name, "what is counted (default: as the profile says)")->type_name("TEXT")->group(texts);
  app.add_option("--nametype", o.name_type, "what boxes are, told before their names (default: nothing)")
      ->type_name("TEXT")
      ->group(texts);
  add_number(
      app, "--factor", 1e-12, 1e12, [&o](double v) { o.factor = v; }, "show numbers multiplied by this", "NUMBER")
      ->group(texts);

  const char* size = "Size";
  add_number(
      app, "--width", 1, 1e6, [&o](double v) { o.width = static_cast<int>(v); }, "pixels across (default: as wide as the window)",
      "PIXELS")
      ->group(size);
  add_number(
      app, "--height", 2, 1000, [&o](double v) { o.row = static_cast<int>(v); }, "pixels of each box's height (default: 18)",
      "PIXELS")
      ->group(size);
  add_parsed(
      app, "--minwidth,--min-width", [&o](const std::string& v) { return set_least(v, o); },
      "leave out what is narrower: pixels, or percent of the whole (default: 0.1)", "PIXELS|N%")
      ->group(size);
  add_parsed(
      app, "--fonttype,--font-type", [&o](const std::string& v) { return set_font(v, o); },
      "the font of the boxes (default: monospace)", "FONT")
      ->group(size);
  add_number(
      app, "--fontsize,--font-size", 1, 500, [&o](double v) { o.font_size = v; }, "its size (default: 12)", "PIXELS")
      ->group(size);
  add_number(
      app, "--fontwidth,--font-width", 0.1, 3, [&o](double v) { o.font_width = v; },
      "a character's width by its size, for --fonttype (default: 0.59)", "NUMBER")
      ->group(size);
  app.add_flag("--truncate-text-right", o.cut_names_right,
               "names that do not fit lose their end (default: parameters and outer scopes first)")
      ->group(size);

  const char* tree = "Shape";
  app.add_flag("-i,--inverted", o.inverted, "callers above: an icicle graph")->group(tree);
  app.add_flag("--reverse", o.reverse, "from the leaves to their callers")->group(tree);
  app.add_flag("--flamechart", o.chart, "samples one after the other, in the order of time or of the file")->group(tree);
  app.add_flag_callback(
         "--no-sort", [&o] { o.order = SiblingOrder::kInput; }, "boxes in the order of the file (default: wide ones first)")
      ->group(tree);
  app.add_flag_callback(
         "--sort-by-name", [&o] { o.order = SiblingOrder::kName; }, "boxes by name, as other tools do")
      ->group(tree);
  app.add_option("--base", options.bases, "only stacks with this function, from there on; may be repeated")
      ->type_name("FUNCTION")
      ->allow_extra_args(false)
      ->group(tree);
  add_number(
      app, "--total", 0, 9e18, [&o](double v) { o.total = v; }, "what the full width stands for (default: all samples)", "NUMBER")
      ->group(tree);

  const char* colours = "Colours";
  add_parsed(
      app, "-c,--colors", [&o](const std::string& v) { return set_colours(v, o); },
      "a palette (below), or kind: kinds of code apart (default); differences: red-blue, blue-orange", "PALETTE")
      ->group(colours);
  add_parsed(
      app, "--bgcolors", [&o](const std::string& v) { return set_background(v, o); },
      "the background: yellow, blue, green, grey or #rrggbb (default: light or dark, as the browser is)", "COLOUR")
      ->group(colours);
  app.add_flag_callback(
         "--hash", [&o] { set_draw(PaletteDraw::kLetters, o); },
         "names that begin alike get like colours (of hot, without --colors)")
      ->group(colours);
  app.add_flag_callback(
         "--random", [&o] { set_draw(PaletteDraw::kLot, o); }, "colours of the palette by lot, the same each time")
      ->group(colours);
  app.add_flag_callback(
         "--deterministic", [&o] { set_draw(PaletteDraw::kName, o); }, "the same colour for the same name everywhere (default)")
      ->group(colours);
  app.add_flag("--cp", options.keep_palette, "keep colours of functions in palette.map, for the next picture")->group(colours);
  app.add_flag_callback("--colordiffusion", [&o] { o.painting = Painting::kWidth; }, "the wider the redder")->group(colours);
  app.add_flag("--negate", o.negate, "swap the two colours of a difference")->group(colours);
  add_colour(app, "--search-color", o.search_colour, "what a search finds")->group(colours);
  add_colour(app, "--stroke-color", o.stroke_colour, "an outline of all boxes (default: none)")->group(colours);
  add_colour(app, "--uicolor", o.ui_colour, "texts of the search field and of buttons")->group(colours);

  const char* file = "File";
  app.add_option("--nameattr", options.attributes_file,
                 "attributes of boxes: lines of NAME, tab, key=value, tab, … (href, target, title, class, id)")
      ->type_name("FILE")
      ->group(file);
  add_parsed(
      app, "--encoding", [&o](const std::string& v) { return set_encoding(v, o); }, "of the file (default: UTF-8)", "NAME")
      ->group(file);
  app.add_flag("--pretty-xml", o.indent, "indent the elements")->group(file);
  app.add_flag_callback("--no-javascript", [&o] { o.script = false; }, "the still picture alone")->group(file);
  add_choice(app, "--compat", options.compat, other_tools(),
             "what is not told as flamegraph.pl or inferno-flamegraph have it: colours, texts, sizes, order");
  app.add_flag("-q,--quiet", options.quiet, "no warnings");
  app.add_flag("-v,--verbose", options.verbose, "nothing more is told")->group("");
}

Status apply_compat(const CLI::App& app, PictureOptions& options) {
  if (!options.compat) { return ok_status(); }
  const bool as_perl = options.compat == Rules::kPerl;
  FlamegraphOptions& o = options.picture;
  auto told = [&](const char* name) { return app.count(name) != 0; };
  if (!told("--title")) { o.title = o.chart ? "Flame Chart" : o.inverted ? "Icicle Graph" : "Flame Graph"; }
  if (!told("--countname")) { o.count_name = "samples"; }
  if (!told("--nametype")) { o.name_type = "Function:"; }
  if (!told("--width") && as_perl) { o.width = 1200; }
  if (!told("--height")) { o.row = 16; }
  if (!told("--fonttype") && as_perl) { set_font("Verdana", o); }
  if (!as_perl) {  // percent, with or without the sign
    if (!told("--minwidth")) { o.least_percent = 0.01; }
    if (told("--minwidth") && o.least_px > 0) { o.least_percent = o.least_px; }
    if (o.least_percent > 100) {
      return Error("--minwidth %.15g is more than 100 percent (--compat inferno)", o.least_percent).with_code(Errc::kUsage);
    }
    o.least_px = 0;
  }
  if (!told("--no-sort") && !told("--sort-by-name")) { o.order = SiblingOrder::kName; }
  if (as_perl) { o.cut_names_right = true; }
  if (!told("--colors") && o.painting == Painting::kKind) { o.painting = Painting::kPalette; }
  if (!told("--hash") && !told("--random") && !told("--deterministic") && !as_perl) { o.draw = PaletteDraw::kLot; }
  if (!told("--bgcolors")) { set_background(background_of(o.palette), o); }
  return ok_status();
}

PaletteMap parse_palette_map(std::string_view text) {
  PaletteMap map;
  for (std::string_view line : split(text, '\n')) {
    size_t arrow = line.rfind("->");
    if (arrow == line.npos || arrow == 0) { continue; }
    std::string_view colour = trim(line.substr(arrow + 2));
    if (is_colour(colour) && !colour.empty()) { map.emplace(std::string(line.substr(0, arrow)), std::string(colour)); }
  }
  return map;
}

std::string write_palette_map(const PaletteMap& map) {
  std::string out;
  for (const auto& [name, colour] : map) { out += name + "->" + colour + "\n"; }
  return out;
}

Result<NameAttributes> parse_name_attributes(std::string_view text, std::string& left_out) {
  NameAttributes out;
  size_t number = 0;
  for (std::string_view line : split(text, '\n')) {
    ++number;
    if (trim(line).empty()) { continue; }
    std::vector<std::string_view> parts = split(line, '\t');
    auto& attributes = out[std::string(parts[0])];
    for (size_t i = 1; i < parts.size(); ++i) {
      std::string_view part = trim(parts[i]);
      size_t equals = part.find('=');
      std::string key(part.substr(0, equals));
      if (equals == part.npos) {
        return Error("line %zu: \"%s\" is not key=value", number, printable(part).c_str()).with_code(Errc::kBadInput);
      }
      bool known = key == "href" || key == "target" || key == "title" || key == "class" || key == "id";
      if (!known) {
        if (left_out.empty()) { left_out = strf("line %zu: %s", number, printable(key).c_str()); }
        continue;
      }
      std::string_view value = part.substr(equals + 1);
      if (value.size() >= 2 && value.front() == '"' && value.back() == '"') { value = value.substr(1, value.size() - 2); }
      std::string lower;
      for (unsigned char c : value.substr(0, value.find(':'))) { lower += static_cast<char>(tolower(c)); }
      if (key == "href" && (trim(lower) == "javascript" || trim(lower) == "data")) {
        return Error("line %zu: \"%s\" is not a link", number, printable(value).c_str()).with_code(Errc::kBadInput);
      }
      attributes[key] = value;
    }
  }
  return out;
}

}  // namespace wick
