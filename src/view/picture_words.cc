// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "view/picture_words.h"

#include <algorithm>
#include <cctype>
#include <vector>

#include "base/text.h"
#include "base/utf8.h"

namespace wick {
namespace {

std::string wrong(const std::string& given, const char* expected) {
  return "must be " + std::string(expected) + ", not \"" + printable(given) + "\"";
}

// The colors that CSS has names for, with a space around each.
constexpr std::string_view kNamedColors =
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
bool is_color_part(std::string_view text) {
  text = trim(text);
  bool percent = text.ends_with('%');
  std::optional<double> value = parse_double(text.substr(0, text.size() - (percent ? 1 : 0)));
  return value && *value >= 0 && *value <= (percent ? 100 : 255);
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

}  // namespace

bool is_color(std::string_view text) {
  auto is_hex = [](unsigned char c) { return isxdigit(c) != 0; };
  auto is_letter = [](unsigned char c) { return isalpha(c) != 0; };
  if (text.starts_with('#')) {
    return (text.size() == 4 || text.size() == 7) && std::all_of(text.begin() + 1, text.end(), is_hex);
  }
  if (text.starts_with("rgb(") && text.ends_with(')')) {
    std::vector<std::string_view> parts = split(text.substr(4, text.size() - 5), ',');
    return parts.size() == 3 && std::all_of(parts.begin(), parts.end(), is_color_part);
  }
  bool word = !text.empty() && std::all_of(text.begin(), text.end(), is_letter);
  return word && kNamedColors.find(" " + in_lower_case(text) + " ") != std::string_view::npos;
}

std::optional<DifferenceHues> find_hues(std::string_view name) {
  if (name == "red-blue") { return DifferenceHues::kRedBlue; }
  if (name == "blue-orange") { return DifferenceHues::kBlueOrange; }
  return std::nullopt;
}

std::string set_color(const std::string& given, std::string& color) {
  bool is_none = given == "none";
  if (!is_none && !is_color(given)) { return wrong(given, "a color such as #e600e6, rgb(230,0,230) or purple"); }
  color = is_none ? "" : given;
  return {};
}

std::string set_colors(const std::string& given, FlamegraphOptions& o) {
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
  return "unknown palette \"" + printable(given) + "\"; " +
         (near.empty() ? "known: kind, " + list : "did you mean " + list + "?");
}

// Colors drawn from a palette need one: the usual one, where none is named.
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
  if (!rgb) { return wrong(given, "yellow, blue, green, gray or a color such as #f8f8f8"); }
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
  if (!good) { return wrong(given, "the name of a font"); }
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

std::string set_encoding(const std::string& given, FlamegraphOptions& o) {
  std::string lower = in_lower_case(given);
  bool usual = lower == "utf-8" || lower == "utf8";
  if (!usual && !is_encoding(lower)) {
    return wrong(given, "a supported encoding: UTF-8, US-ASCII, ISO-8859-1 to -16, windows-1250 to -1258, EUC-JP, GBK, …");
  }
  o.encoding = usual ? "" : lower == "ascii" ? "US-ASCII" : given;
  return {};
}

}  // namespace wick
