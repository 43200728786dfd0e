// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "view/picture_files.h"

#include <cctype>
#include <vector>

#include "base/text.h"
#include "base/utf8.h"
#include "view/picture_words.h"

namespace wick {

PaletteMap parse_palette_map(std::string_view text) {
  PaletteMap map;
  for (std::string_view line : split(text, '\n')) {
    size_t arrow = line.rfind("->");
    if (arrow == line.npos || arrow == 0) { continue; }
    std::string_view color = trim(line.substr(arrow + 2));
    if (is_color(color) && !color.empty()) { map.emplace(std::string(line.substr(0, arrow)), std::string(color)); }
  }
  return map;
}

std::string write_palette_map(const PaletteMap& map) {
  std::string out;
  for (const auto& [name, color] : map) { out += name + "->" + color + "\n"; }
  return out;
}

Result<NameAttributes> parse_name_attributes(std::string_view text, std::string& ignored) {
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
        if (ignored.empty()) { ignored = strf("line %zu: %s", number, printable(key).c_str()); }
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
