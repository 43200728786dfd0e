// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "term/style.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>

#include "base/text.h"

namespace wick {
namespace {

std::string_view environment(const char* name) {
  const char* value = std::getenv(name);
  return value ? value : "";
}

bool locale_is_utf8() {
  for (const char* name : {"LC_ALL", "LC_CTYPE", "LANG"}) {  // the first one set decides
    std::string_view value = environment(name);
    if (value.empty()) { continue; }
    for (std::string_view utf8 : {"UTF-8", "utf-8", "UTF8", "utf8"}) {
      if (value.find(utf8) != std::string_view::npos) { return true; }
    }
    return false;
  }
  return false;
}

int terminal_width(int fd) {
  if (auto columns = parse_u64(environment("COLUMNS")); columns && *columns > 0 && *columns < 10000) {
    return static_cast<int>(*columns);
  }
  winsize size{};
  if (::ioctl(fd, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) { return size.ws_col; }
  return 80;
}

}  // namespace

Style detect_style(int fd, ColorWhen when) {
  Style style;
  style.terminal = ::isatty(fd) == 1;
  style.unicode = locale_is_utf8();
  style.width = style.terminal ? terminal_width(fd) : 0;
  bool wanted = style.terminal && environment("NO_COLOR").empty() && environment("TERM") != "dumb";
  style.color = when == ColorWhen::kAlways || (when == ColorWhen::kAuto && wanted);
  return style;
}

std::string paint(const Style& style, Paint what, std::string_view text) {
  if (!style.color || what == Paint::kPlain || text.empty()) { return std::string(text); }
  // The terminal's own sixteen colors, so that its theme, light or dark, applies.
  const char* code = "";
  switch (what) {
    case Paint::kPlain: break;
    case Paint::kBold: code = "1"; break;
    case Paint::kDim: code = "2"; break;
    case Paint::kHot: code = "1;31"; break;
    case Paint::kWarm: code = "33"; break;
    case Paint::kGood: code = "32"; break;
    case Paint::kWarning: code = "33"; break;
    case Paint::kBad: code = "31"; break;
    case Paint::kGrew: code = "1;31"; break;
    case Paint::kShrank: code = "1;34"; break;
  }
  return strf("\x1b[%sm", code) + std::string(text) + "\x1b[0m";
}

Paint paint_of_share(double share) {
  return share >= 0.10 ? Paint::kHot : share >= 0.02 ? Paint::kWarm : share >= 0.001 ? Paint::kPlain : Paint::kDim;
}

}  // namespace wick
