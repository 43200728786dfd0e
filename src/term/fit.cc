// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "term/fit.h"

#include <algorithm>
#include <vector>

#include "base/utf8.h"

namespace wick {
namespace {

// Replaces the text between `open` and its closing bracket with an ellipsis. Keeps brackets that start a name or follow "::"
// ("(anonymous namespace)::f", "<T as Trait>::f") and those of operators.
std::string collapse(const Style& style, std::string_view name, char open, char close) {
  std::string out;
  for (size_t i = 0; i < name.size(); ++i) {
    bool opening =
        name[i] == open && i > 0 && name[i - 1] != ':' && name[i - 1] != open && !name.substr(0, i).ends_with("operator");
    size_t end = i + 1;
    if (opening) {
      int depth = 1;
      for (; end < name.size() && depth > 0; ++end) {
        bool arrow = name[end] == '>' && name[end - 1] == '-';
        if (name[end] == open) { ++depth; }
        if (name[end] == close && !arrow) { --depth; }
      }
      bool worth_it = depth == 0 && display_width(name.substr(i, end - i)) > 2 + display_width(ellipsis(style));
      if (worth_it) {
        out += open;
        out += ellipsis(style);
        out += close;
        i = end - 1;
        continue;
      }
    }
    out += name[i];
  }
  return out;
}

}  // namespace

std::string fit_middle(const Style& style, std::string_view text, int width) {
  if (display_width(text) <= width) { return std::string(text); }
  std::string_view dots = ellipsis(style);
  int room = width - display_width(dots);
  if (room <= 0) { return std::string(dots.substr(0, style.unicode ? dots.size() : static_cast<size_t>(std::max(width, 0)))); }
  int head_room = room * 2 / 5;
  std::string head, tail;
  int head_width = 0;
  std::string_view rest = text;
  while (!rest.empty()) {
    CodePoint c = decode_utf8(rest);
    int columns = display_width(c.value);
    if (head_width + columns > head_room) { break; }
    head.append(rest.substr(0, c.size));
    head_width += columns;
    rest.remove_prefix(c.size);
  }
  // Scans from the front, since UTF-8 cannot be decoded backwards safely.
  int skip = display_width(rest) - (room - head_width);
  while (!rest.empty() && skip > 0) {
    CodePoint c = decode_utf8(rest);
    skip -= display_width(c.value);
    rest.remove_prefix(c.size);
  }
  return head + std::string(dots) + std::string(rest);
}

std::string fit_start(const Style& style, std::string_view text, int width) {
  std::string dots(ellipsis(style).substr(0, style.unicode ? std::string_view::npos : static_cast<size_t>(std::max(width, 0))));
  int room = width - display_width(dots), columns = 0;
  bool is_full = false;
  std::string cut;
  for (std::string_view rest = text; !rest.empty();) {
    bool is_escape = rest.starts_with("\x1b[") && rest.find('m') != rest.npos;
    CodePoint c = decode_utf8(rest);
    std::string_view part = rest.substr(0, is_escape ? rest.find('m') + 1 : c.size);
    columns += is_escape ? 0 : display_width(c.value);
    if (!is_full && columns > room) {
      is_full = true;
      cut += dots;
    }
    if (is_escape || !is_full) { cut += part; }
    rest.remove_prefix(part.size());
  }
  return columns <= width ? std::string(text) : cut;
}

std::string fit_name(const Style& style, std::string_view name, int width) {
  if (display_width(name) <= width) { return std::string(name); }
  std::string shorter = collapse(style, name, '(', ')');
  if (display_width(shorter) > width) { shorter = collapse(style, shorter, '<', '>'); }
  return fit_middle(style, shorter, width);
}

std::string pad_right(std::string text, int width) {
  int missing = width - display_width(text);
  return missing > 0 ? text + std::string(static_cast<size_t>(missing), ' ') : text;
}

}  // namespace wick
