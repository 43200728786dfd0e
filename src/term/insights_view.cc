// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "term/insights_view.h"

#include <string_view>

#include "analyze/format.h"
#include "base/text.h"
#include "base/utf8.h"
#include "term/fit.h"

namespace wick {
namespace {

constexpr int kPlaceWidth = 70;
constexpr const char* kIndent = "         ";

std::string describe_places(const Profile& profile, const Selection& selection, const Insight& found, const Style& style) {
  std::string out;
  for (const InsightPlace& place : found.where) {
    out += (out.empty() ? "" : ", ") + describe_place(profile, place, style) + " " +
           format_percent(share(place.cost.weight, selection.weight));
  }
  return out;
}

}  // namespace

std::string describe_place(const Profile& profile, const InsightPlace& place, const Style& style) {
  std::string out = fit_name(style, shown_name(place.name), kPlaceWidth);
  std::string_view file = profile.text(place.file);
  if (!file.empty()) { out += " (" + printable(base_name(file)) + ":" + std::to_string(place.line) + ")"; }
  return out;
}

std::string render_insights(const Profile& profile, const Selection& selection, const Insights& insights, const std::string& file,
                            const Style& style) {
  if (!insights.why_none.empty()) { return "no insights: " + insights.why_none + "\n"; }
  if (insights.found.empty()) { return "no insights: no rule of docs/insights.md applies\n"; }
  std::string out = paint(style, Paint::kBold, "insights") + paint(style, Paint::kDim,
      " (share of all samples; they overlap)") + "\n";
  for (const Insight& found : insights.found) {
    std::string frames;
    for (const InsightPlace& frame : found.frames) {
      frames += (frames.empty() ? ": " : ", ") + fit_name(style, shown_name(frame.name), kPlaceWidth);
    }
    std::string percent = format_percent(found.share);
    out += std::string(percent.size() < 7 ? 7 - percent.size() : 0, ' ') + paint(style, paint_of_share(found.share),
        percent) + "  " +
           paint(style, Paint::kBold, found.rule->id) + ": " + std::string(found.rule->title) + " (" +
           std::string(sure_name(found.rule->sure)) + frames + ")\n";
    std::string places = describe_places(profile, selection, found, style);
    if (!places.empty()) { out += kIndent + std::string("in ") + places + "\n"; }
    std::string command = found.next.empty() ? "" : "; wick " + printable(found.next) + (file.empty() ? "" : " " + file);
    out += kIndent + std::string(found.rule->advice) + command + "\n";
  }
  return out;
}

}  // namespace wick
