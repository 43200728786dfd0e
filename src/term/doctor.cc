// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "term/doctor.h"

#include <algorithm>

#include "base/text.h"
#include "base/utf8.h"
#include "term/fit.h"

namespace wick {
namespace {

Paint paint_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::kYes: return Paint::kGood;
    case Verdict::kLimited: return Paint::kWarning;
    case Verdict::kNo: return Paint::kBad;
    case Verdict::kInfo: break;
  }
  return Paint::kPlain;
}

// Wraps to `width` columns between words; a longer word gets its own line. 0: no limit.
std::vector<std::string> wrap(const std::string& text, int width) {
  std::vector<std::string> lines(1);
  std::string clean = printable(text);  // names of compilers and files are untrusted
  for (std::string_view word : split(clean, ' ')) {
    std::string& line = lines.back();
    bool fits = line.empty() || width <= 0 || display_width(line) + 1 + display_width(word) <= width;
    if (!fits) {
      lines.push_back(std::string(word));
    } else {
      if (!line.empty()) { line += ' '; }
      line += word;
    }
  }
  return lines;
}

}  // namespace

const char* verdict_name(Verdict verdict) {
  switch (verdict) {
    case Verdict::kYes: return "yes";
    case Verdict::kLimited: return "limited";
    case Verdict::kNo: return "no";
    case Verdict::kInfo: break;
  }
  return "";
}

std::string render_diagnosis(const Diagnosis& diagnosis, const Style& style) {
  std::string out = paint(style, Paint::kBold, printable(diagnosis.title)) + "\n";
  for (const std::string& line : wrap(diagnosis.subtitle, style.width > 2 ? style.width - 2 : 0)) {
    if (!line.empty()) { out += "  " + paint(style, Paint::kDim, line) + "\n"; }
  }
  int topic_width = 0;
  for (const Finding& f : diagnosis.findings) { topic_width = std::max(topic_width, display_width(f.topic)); }
  int indent = 2 + topic_width + 2 + 7 + 2;
  int room = style.width <= 0 ? 0 : std::max(24, style.width - indent);
  for (const Finding& f : diagnosis.findings) {
    // Padded before painting, since color codes have no width.
    out +=
        "  " + pad_right(f.topic, topic_width) + "  " + paint(style, paint_of(f.verdict), pad_right(verdict_name(f.verdict), 7));
    std::vector<std::string> lines = wrap(f.why, room);
    for (size_t i = 0; i < lines.size(); ++i) {
      if (lines[i].empty()) { continue; }
      out += (i == 0 ? "  " : std::string(static_cast<size_t>(indent), ' ')) + lines[i];
      if (i + 1 < lines.size()) { out += "\n"; }
    }
    while (!out.empty() && out.back() == ' ') { out.pop_back(); }
    out += "\n";
    if (!f.command.empty()) {
      out += std::string(static_cast<size_t>(indent), ' ') + paint(style, Paint::kBold, "$ " + printable(f.command)) + "\n";
    }
  }
  for (const std::string& sentence : diagnosis.conclusions) {
    out += "\n";
    for (std::string_view part : split(sentence, '\n')) {
      std::string indent_text = part.substr(0, 2) == "  " ? "    " : "  ";
      int limit = style.width > 8 ? style.width - static_cast<int>(indent_text.size()) : 0;
      for (const std::string& line : wrap(std::string(trim(part)), limit)) { out += indent_text + line + "\n"; }
    }
  }
  return out;
}

}  // namespace wick
