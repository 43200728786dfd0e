// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "term/waits_view.h"

#include <algorithm>
#include <cmath>

#include "analyze/format.h"
#include "base/text.h"
#include "base/utf8.h"
#include "term/fit.h"
#include "term/table.h"

namespace wick {
namespace {

constexpr int kNameWidth = 60;

std::string describe_frame(const Profile& profile, FrameId id, const Style& style) {
  if (!id.valid()) { return {}; }
  const Frame& frame = profile[id];
  std::string out = fit_name(style, shown_name(profile.text(profile[frame.function].name)), kNameWidth);
  std::string_view file = profile.text(frame.file);
  if (!file.empty()) { out += " (" + printable(base_name(file)) + ":" + std::to_string(frame.line) + ")"; }
  return out;
}

}  // namespace

std::string render_waits(const Profile& profile, const Selection& selection, const std::vector<WaitRow>& rows, size_t limit,
                         const Style& style) {
  Table table({{"BLOCKED", Align::kRight},
               {"TIME", Align::kRight},
               {"WAITS", Align::kRight, Shrink::kNever, 2},
               {"LONGEST", Align::kRight, Shrink::kNever, 3},
               {"THREADS", Align::kRight, Shrink::kNever, 4},
               {"FOR", Align::kLeft},
               {"OBJECT", Align::kLeft, Shrink::kMiddle, 1},
               {"IN", Align::kLeft, Shrink::kName}});
  size_t shown = limit == 0 ? rows.size() : std::min(limit, rows.size());
  int64_t hidden = 0;
  for (size_t i = 0; i < rows.size(); ++i) {
    const WaitRow& row = rows[i];
    if (i >= shown) {
      hidden += row.weight;
      continue;
    }
    double part = share(row.weight, selection.weight);
    bool is_known = row.kind.valid();
    table.add({{format_percent(part), paint_of_share(part)},
               {format_duration(row.weight)},
               {row.count > 0 ? group_thousands(static_cast<uint64_t>(std::llround(row.count))) : "-"},
               {row.longest_ns > 0 ? format_duration(static_cast<int64_t>(row.longest_ns)) : "-"},
               {group_thousands(row.threads)},
               {is_known ? std::string(profile.text(row.kind)) : "[unsampled]"},
               {printable(profile.text(row.object))},
               {is_known ? describe_frame(profile, find_waiting_frame(profile, row.stack), style) : ""}});
  }
  std::string out = table.render(style);
  if (shown < rows.size()) {
    out += std::string(ellipsis(style)) + " and " + group_thousands(rows.size() - shown) +
           " more: " + format_percent(share(hidden, selection.weight)) + "\n";
  }
  return out;
}

std::string describe_wall(const Profile& profile) {
  std::optional<ThreadParts> most;
  std::string_view name;
  for (uint32_t i = 0; i < profile.threads().size(); ++i) {
    std::optional<ThreadParts> parts = compute_parts(profile, ThreadId{i});
    if (!parts || (most && parts->running_ns <= most->running_ns)) { continue; }
    most = parts;
    name = profile.text(profile.threads()[i].name);
  }
  if (!most) { return {}; }
  uint64_t life = most->running_ns + most->ready_ns + most->blocked_ns;
  return "busiest thread " + printable(name) + ": " + format_part(most->running_ns, life) + " running, " +
         format_part(most->ready_ns, life) + " ready, " + format_part(most->blocked_ns, life) + " blocked";
}

}  // namespace wick
