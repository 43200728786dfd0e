// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "analyze/overview.h"

#include <algorithm>
#include <set>
#include <utility>

#include "analyze/format.h"
#include "base/text.h"
#include "base/utf8.h"

namespace wick {
namespace {

std::string title_of(const Profile& profile, const std::vector<bool>& processes) {
  std::string title;
  for (const std::string& arg : profile.command()) { title += (title.empty() ? "" : " ") + shell_quote(arg); }
  if (!title.empty()) { return printable(title); }
  if (!profile.target().empty()) { return printable(profile.target()); }
  bool nameless = std::all_of(profile.processes().begin(), profile.processes().end(),
                              [](const Process& p) { return p.pid == 0 && !p.name.valid(); });
  if (nameless && !profile.imported_from().empty()) { return printable(profile.imported_from()); }
  size_t shown = 0, all = 0;
  for (size_t i = 0; i < processes.size(); ++i) {
    if (!processes[i]) { continue; }
    const Process& p = profile.processes()[i];
    ++all;
    if (shown >= 3) { continue; }
    title += (shown++ ? ", " : "") + shown_name(profile.text(p.name));
    if (p.pid != 0 || profile.imported_from().empty()) { title += strf(" (pid %u)", p.pid); }  // other tools may have no PIDs
  }
  if (all > shown) { title += strf(" and %zu more", all - shown); }
  return title;
}

std::string reasons(const std::vector<std::pair<std::string, uint64_t>>& by) {
  std::string out;
  for (const auto& [words, count] : by) { out += (out.empty() ? " (" : ", ") + words + ": " + group_thousands(count); }
  return out.empty() ? out : out + ")";
}

}  // namespace

std::string describe_loss(std::string_view kind) {
  static constexpr std::pair<std::string_view, const char*> kStacks[] = {{"stacks.cut", "longer than the copy"},
                                                                         {"stacks.no_row", "no unwind tables"},
                                                                         {"stacks.bad_row", "wrong unwind tables"},
                                                                         {"stacks.no_mapping", "outside known files"},
                                                                         {"stacks.unreadable", "memory gone, as during exec"},
                                                                         {"stacks.missed", "the wait ended too early"},
                                                                         {"stacks.no_register", "unknown register of a wait"},
                                                                         {"stacks.not_whole", "unknown reason"}};
  for (const auto& [name, words] : kStacks) {
    if (kind == name) { return words; }
  }
  size_t dot = kind.find('.');
  std::string words = printable(dot == std::string_view::npos ? kind : kind.substr(dot + 1));
  std::replace(words.begin(), words.end(), '_', ' ');
  return words;
}

bool is_truncation(std::string_view kind) {
  for (std::string_view reason :
       {"cut", "no_row", "bad_row", "too_deep", "no_mapping", "unreadable", "missed", "no_register", "not_whole"}) {
    if (kind.starts_with("stacks.") && kind.substr(7) == reason) { return true; }
  }
  return false;
}

Overview compute_overview(const Profile& profile, EventId event) {
  Overview out;
  std::vector<bool> threads(profile.threads().size()), processes(profile.processes().size());
  uint64_t end_ns = 0;
  for (const Sample& s : profile.samples()) {
    if (s.event != event) { continue; }
    out.samples += s.count;
    if (__builtin_add_overflow(out.weight, s.weight, &out.weight)) { out.weight = INT64_MAX; }
    threads[s.thread.value] = true;
    processes[profile[s.thread].process.value] = true;
  }
  // Counted by ID: an exec does not make another process. Without IDs (other tools), by name.
  std::set<std::pair<uint32_t, std::string_view>> tids, pids;
  auto key = [&](uint32_t number, StringId name) {
    bool by_name = number == 0 && !profile.imported_from().empty();
    return std::pair(number, by_name ? profile.text(name) : std::string_view());
  };
  for (uint32_t i = 0; i < threads.size(); ++i) {
    if (threads[i]) { tids.insert(key(profile.threads()[i].tid, profile.threads()[i].name)); }
  }
  for (uint32_t i = 0; i < processes.size(); ++i) {
    if (processes[i]) { pids.insert(key(profile.processes()[i].pid, profile.processes()[i].name)); }
  }
  out.threads = tids.size();
  out.processes = pids.size();
  if (!profile.samples().empty()) { end_ns = profile.samples().back().time_ns; }
  for (const Thread& t : profile.threads()) { end_ns = std::max(end_ns, t.end_ns); }
  uint64_t start_ns = profile.start_ns();
  if (start_ns == 0 && !profile.samples().empty()) { start_ns = profile.samples().front().time_ns; }
  out.duration_ns = end_ns > start_ns ? end_ns - start_ns : profile.duration_ns();
  out.title = title_of(profile, processes);

  for (uint32_t i = 0; i < profile.events().size(); ++i) {
    if (EventId{i} != event) { out.other_events.push_back(EventId{i}); }
  }
  out.losses_known = profile.losses_known();
  for (const Loss& loss : profile.losses()) {
    std::string_view kind = profile.text(loss.kind);
    if (loss.event.valid() && loss.event != event) { continue; }
    if (loss.samples) {
      out.lost += loss.count;
      out.lost_by.emplace_back(describe_loss(kind), loss.count);
    } else if (is_truncation(kind)) {
      out.truncated += loss.count;
      out.truncated_by.emplace_back(describe_loss(kind), loss.count);
    } else if (kind == "stacks.frame_pointers") {
      out.unverified += loss.count;
    } else if (kind.starts_with("side.")) {
      out.side_lost += loss.count;
    } else if (kind == "throttled") {
      out.throttled += loss.count;
    } else if (kind == "samples.late") {
      out.late += loss.count;
    }
  }
  auto larger = [](const auto& a, const auto& b) { return a.second > b.second; };
  std::stable_sort(out.lost_by.begin(), out.lost_by.end(), larger);
  std::stable_sort(out.truncated_by.begin(), out.truncated_by.end(), larger);
  return out;
}

bool holds_sums(const Profile& profile, EventId id) {
  if (!id.valid() || profile.has_times() || !profile.events_ranked() || profile[id].rate_hz != 0) { return false; }
  std::string_view name = profile.text(profile[id].name), unit = profile.text(profile[id].unit);
  return name != "samples" && unit != "samples" && unit != "count" && unit != "ns" && !unit.empty();
}

std::string describe_amount(const Profile& profile, EventId id, uint64_t samples, int64_t weight) {
  if (!id.valid()) { return count_of(samples, "sample"); }
  const Event& event = profile[id];
  std::string name = printable(profile.text(event.name)), unit = printable(profile.text(event.unit));
  if (holds_sums(profile, id) && weight >= 0) {
    uint64_t whole = static_cast<uint64_t>(weight) / std::max<uint64_t>(event.divisor, 1);
    bool says_unit = whole == samples || name.find(unit) != std::string::npos;
    return group_thousands(whole) + " " + (says_unit ? name : unit + " of " + name);
  }
  std::string words = count_of(samples, "sample");
  return name == "samples" || name.empty() ? words : words + " of " + name;
}

std::string describe_recording(const Profile& profile, EventId event, const Overview& o) {
  std::string line = describe_amount(profile, event, o.samples, o.weight);
  uint64_t rate_hz = event.valid() ? profile[event].rate_hz : 0;
  if (rate_hz > 0) { line += " at " + group_thousands(rate_hz) + " Hz"; }
  if (o.duration_ns > 0) { line += " in " + format_duration(static_cast<int64_t>(std::min<uint64_t>(o.duration_ns, INT64_MAX))); }
  line += ", " + count_of(o.threads, "thread");
  if (o.processes > 1) { line += " of " + count_of(o.processes, "process", "processes"); }
  if (o.lost == 0 && o.losses_known) { line += ", none lost"; }
  return line;
}

std::string describe_unsampled(const TimeTotals& time) {
  uint64_t all = time.sampled + time.unsampled;
  if (time.unsampled <= all / 200) { return {}; }
  return format_part(time.unsampled, all) + " of " + format_duration(static_cast<int64_t>(std::min<uint64_t>(all, INT64_MAX))) +
         " of CPU time was not sampled, shown as [unsampled]";
}

std::string describe_other_events(const Profile& profile, std::span<const EventId> shown) {
  constexpr size_t kMostNamed = 4;
  std::vector<uint64_t> counts(profile.events().size());
  for (const Sample& s : profile.samples()) { counts[s.event.value] += s.count; }
  std::string out;
  size_t others = 0;
  for (uint32_t i = 0; i < counts.size() && !profile.is_difference(); ++i) {
    bool is_shown = std::find(shown.begin(), shown.end(), EventId{i}) != shown.end();
    if (is_shown || counts[i] == 0 || ++others > kMostNamed) { continue; }
    out += (out.empty() ? "" : ", ") + shown_name(profile.text(profile.events()[i].name)) + " (" + count_of(counts[i], "sample") +
           ")";
  }
  if (others > kMostNamed) { out += strf(" and %zu more", others - kMostNamed); }
  return out;
}

std::vector<std::string> loss_lines(const Overview& o) {
  std::vector<std::string> lines;
  if (o.lost > 0) {
    std::string whose = o.other_events.empty() ? "" : " of all events";
    lines.push_back(count_of(o.lost, "sample") + whose + " lost" + reasons(o.lost_by));
  }
  if (o.truncated > 0) {
    double part = o.samples > 0 ? static_cast<double>(o.truncated) / static_cast<double>(o.samples) : 0;
    lines.push_back(count_of(o.truncated, "stack") + " (" + format_percent(part) + ") truncated" + reasons(o.truncated_by));
  }
  if (o.unverified > 0) {
    double part = o.samples > 0 ? static_cast<double>(o.unverified) / static_cast<double>(o.samples) : 0;
    lines.push_back(count_of(o.unverified, "stack") + " (" + format_percent(part) +
                    ") unwound by frame pointers: may lack frames");
  }
  if (o.side_lost > 0) {
    lines.push_back(count_of(o.side_lost, "record") + " of mappings and thread names lost: some stacks and symbols may be wrong");
  }
  if (o.late * 20 > o.samples) {
    lines.push_back(count_of(o.late, "sample") + " of threads with deep stacks " + (o.late == 1 ? "is" : "are") +
                    " truncated because wick stopped them too late (busy machine or short bursts)");
  }
  if (o.throttled > 0) { lines.push_back("the kernel throttled sampling " + count_of(o.throttled, "time")); }
  return lines;
}

std::vector<std::string> recording_lines(const Profile& profile, EventId event, const Overview& o) {
  std::vector<std::string> lines = {o.title, describe_recording(profile, event, o)};
  for (std::string& line : loss_lines(o)) { lines.push_back(std::move(line)); }
  if (profile.cpu_time()) { lines.push_back(describe_unsampled(*profile.cpu_time())); }
  if (profile.stack_ways()) {
    std::string ways;
    for (size_t i = 0; i < kStackWays; ++i) {
      if (uint64_t n = (*profile.stack_ways())[i]; n > 0) {
        ways += (ways.empty() ? "stacks: " : ", ") + group_thousands(n) + " " + (i == 6 ? "truncated" : kStackWayNames[i]);
      }
    }
    lines.push_back(ways);
  }
  if (!profile.imported_from().empty()) { lines.push_back("read from " + profile.imported_from()); }
  std::erase(lines, "");
  return lines;
}

RecordingSummary summarize_recording(const Profile& profile, EventId event) {
  RecordingSummary out{.overview = compute_overview(profile, event), .lines = {}};
  out.lines = recording_lines(profile, event, out.overview);
  return out;
}

}  // namespace wick
