// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "analyze/selection.h"

#include <re2/re2.h>

#include <algorithm>
#include <cmath>

#include "base/text.h"
#include "base/utf8.h"
#include "model/event_name.h"

namespace wick {
namespace {

RE2::Options quiet_options() {
  RE2::Options options;
  options.set_log_errors(false);
  return options;
}

Status check_regex(const RE2& re) {
  if (re.ok()) { return ok_status(); }
  return Error("\"%s\" is not a regular expression: %s", printable(re.pattern()).c_str(), re.error().c_str())
      .with_code(Errc::kUsage);
}

// One flag per stack: whether a function on it matches. Each distinct name is matched once.
Result<std::vector<bool>> stacks_matching(const Profile& profile, const std::string& pattern) {
  RE2 re(pattern, quiet_options());
  WICK_OK(check_regex(re));
  std::vector<bool> string_done(profile.strings().size()), string_matches(profile.strings().size());
  std::vector<bool> function_matches(profile.functions().size());
  for (size_t i = 0; i < profile.functions().size(); ++i) {
    StringId name = profile.functions()[i].name;
    if (!name.valid()) { continue; }
    if (!string_done[name.value]) {
      string_done[name.value] = true;
      string_matches[name.value] = RE2::PartialMatch(profile.strings()[name.value], re);
    }
    function_matches[i] = string_matches[name.value];
  }
  std::vector<bool> stack_matches(profile.stacks().size());
  for (size_t i = 0; i < profile.stacks().size(); ++i) {
    const Stack& s = profile.stacks()[i];
    bool above = s.caller.valid() && stack_matches[s.caller.value];
    stack_matches[i] = above || function_matches[profile[s.frame].function.value];
  }
  return stack_matches;
}

std::vector<std::string> distinct_texts(const Profile& profile, const std::vector<StringId>& ids) {
  std::vector<StringId> sorted = ids;
  std::sort(sorted.begin(), sorted.end());
  sorted.erase(std::unique(sorted.begin(), sorted.end()), sorted.end());
  std::vector<std::string> texts;
  for (StringId id : sorted) { texts.push_back(printable(profile.text(id))); }
  return texts;
}

std::string join(const std::vector<std::string>& parts, size_t limit) {
  std::string out;
  for (size_t i = 0; i < parts.size() && i < limit; ++i) { out += (i ? ", " : "") + parts[i]; }
  if (parts.size() > limit) { out += strf(" and %zu more", parts.size() - limit); }
  return out;
}

// "cycles:ppp", "cpu_core/cycles/u", "task-clock:u".
bool measures_time(std::string_view event) {
  if (size_t slash = event.find('/'); slash != event.npos) {
    event.remove_prefix(slash + 1);
    event = event.substr(0, event.find('/'));
  }
  event = event.substr(0, event.find(':'));
  return event == "cpu-clock" || event == "task-clock" || event == "cycles" || event == "cpu-cycles";
}

std::vector<uint64_t> count_events(const Profile& profile) {
  std::vector<uint64_t> counts(profile.events().size());
  for (const Sample& s : profile.samples()) {
    uint64_t& n = counts[s.event.value];
    n += std::min(std::max<uint64_t>(s.count, 1), UINT64_MAX - n);
  }
  return counts;
}

Result<EventId> find_event(const Profile& profile, const std::string& name) {
  if (name.empty()) { return choose_event(profile); }
  std::vector<StringId> names;
  for (const std::string& wanted : {name, plain_event_name(name)}) {
    names.clear();
    for (size_t i = 0; i < profile.events().size(); ++i) {
      if (profile.text(profile.events()[i].name) == wanted) { return EventId{static_cast<uint32_t>(i)}; }
      names.push_back(profile.events()[i].name);
    }
  }
  std::string recorded = names.empty() ? "none" : join(distinct_texts(profile, names), 8);
  return Error("event \"%s\" was not recorded (recorded: %s)", printable(name).c_str(), recorded.c_str())
      .with_code(Errc::kNotFound);
}

// One flag per thread.
Result<std::vector<bool>> find_threads(const Profile& profile, const std::string& wanted) {
  std::optional<uint64_t> tid = parse_u64(wanted);
  std::vector<bool> found(profile.threads().size());
  bool any = false;
  std::vector<StringId> names;
  for (size_t i = 0; i < profile.threads().size(); ++i) {
    const Thread& t = profile.threads()[i];
    found[i] = (tid && *tid == t.tid) || profile.text(t.name) == wanted;
    any = any || found[i];
    names.push_back(t.name);
  }
  if (any) { return found; }
  std::vector<std::string> texts = distinct_texts(profile, names);
  std::vector<std::string> near = nearest_words(wanted, texts);
  std::string suggestion = !near.empty()   ? "; did you mean " + near[0] + "?"
                           : texts.empty() ? ""
                                           : "; threads: " + join(texts, 8);
  return Error("no thread \"%s\" in this profile%s", printable(wanted).c_str(), suggestion.c_str())
      .with_code(Errc::kNotFound)
      .with_hint("wick report --by thread");
}

}  // namespace

EventId first_event(const Profile& profile) {
  std::vector<uint64_t> counts = count_events(profile);
  auto first = std::find_if(counts.begin(), counts.end(), [](uint64_t n) { return n > 0; });
  if (first != counts.end()) { return EventId{static_cast<uint32_t>(first - counts.begin())}; }
  return profile.events().empty() ? EventId{} : EventId{0};
}

EventId choose_event(const Profile& profile) {
  EventId best = first_event(profile);
  if (profile.events_ranked() || !best.valid()) { return best; }
  std::vector<uint64_t> counts = count_events(profile);
  auto rank = [&](EventId id) { return std::pair(measures_time(profile.text(profile[id].name)), counts[id.value]); };
  for (uint32_t i = 0; i < counts.size(); ++i) {
    if (counts[i] > 0 && rank(EventId{i}) > rank(best)) { best = EventId{i}; }
  }
  return best;
}

Result<Selection> select_samples(const Profile& profile, const Filter& filter) {
  WICK_LET(EventId event, find_event(profile, filter.event));
  return select_samples(profile, filter, event);
}

Result<Selection> select_samples(const Profile& profile, const Filter& filter, EventId event) {
  Selection out;
  out.event = event;
  if (!profile.has_times() && !filter.all_times()) {
    return Error("cannot select a time range: this profile (%s) has no sample times", profile.imported_from().c_str())
        .with_code(Errc::kUsage);
  }
  std::vector<bool> threads, focus, ignore;
  if (!filter.thread.empty()) { WICK_LET(threads, find_threads(profile, filter.thread)); }
  if (!filter.focus.empty()) { WICK_LET(focus, stacks_matching(profile, filter.focus)); }
  if (!filter.ignore.empty()) { WICK_LET(ignore, stacks_matching(profile, filter.ignore)); }

  uint64_t magnitude = 0;
  for (size_t i = 0; i < profile.samples().size(); ++i) {
    const Sample& s = profile.samples()[i];
    uint64_t time_ns = s.time_ns > profile.start_ns() ? s.time_ns - profile.start_ns() : 0;
    bool wanted = s.event == out.event && time_ns >= filter.begin_ns && time_ns < filter.end_ns &&
                  (threads.empty() || threads[s.thread.value]) && (focus.empty() || focus[s.stack.value]) &&
                  (ignore.empty() || !ignore[s.stack.value]);
    if (!wanted) { continue; }
    uint64_t size = s.weight < 0 ? 0 - static_cast<uint64_t>(s.weight) : static_cast<uint64_t>(s.weight);
    if (__builtin_add_overflow(magnitude, size, &magnitude) || magnitude > static_cast<uint64_t>(INT64_MAX)) {
      return Error("the costs of the samples add up to more than 2^63: the profile is damaged").with_code(Errc::kBadInput);
    }
    if (__builtin_add_overflow(out.count, s.count, &out.count)) {
      return Error("more than 2^64 samples: the profile is damaged").with_code(Errc::kBadInput);
    }
    out.samples.push_back(static_cast<uint32_t>(i));
    out.weight += s.weight;
  }
  return out;
}

Status check_pattern(const std::string& pattern) { return check_regex(RE2(pattern, quiet_options())); }

Status parse_range(std::string_view text, Filter& filter) {
  Error wrong =
      Error("\"%s\" is not a range of seconds such as 1.5-3, 10- or -2.5", std::string(text).c_str()).with_code(Errc::kUsage);
  size_t dash = text.find('-');
  if (dash == std::string_view::npos) { return wrong; }
  auto to_ns = [](std::string_view part, uint64_t absent) -> std::optional<uint64_t> {
    part = trim(part);
    if (!part.empty() && part.back() == 's') { part.remove_suffix(1); }
    if (part.empty()) { return absent; }
    std::optional<double> seconds = parse_double(part);
    if (!seconds || !std::isfinite(*seconds) || *seconds < 0) { return std::nullopt; }
    double ns = std::round(*seconds * 1e9);
    return ns >= 1.8e19 ? UINT64_MAX : static_cast<uint64_t>(ns);
  };
  std::optional<uint64_t> begin = to_ns(text.substr(0, dash), 0), end = to_ns(text.substr(dash + 1), UINT64_MAX);
  if (!begin || !end || trim(text) == "-") { return wrong; }
  if (*begin >= *end) { return Error("the range %s ends before it begins", std::string(text).c_str()).with_code(Errc::kUsage); }
  filter.begin_ns = *begin;
  filter.end_ns = *end;
  return ok_status();
}

std::string describe_filter(const Filter& filter) {
  std::vector<std::string> parts;
  auto seconds = [](uint64_t ns) { return strf("%.9g", static_cast<double>(ns) / 1e9); };
  if (!filter.thread.empty()) { parts.push_back("thread " + printable(filter.thread)); }
  if (!filter.all_times()) {
    bool open = filter.end_ns == UINT64_MAX;
    parts.push_back(open ? "from " + seconds(filter.begin_ns) + " s on"
                         : seconds(filter.begin_ns) + "-" + seconds(filter.end_ns) + " s");
  }
  if (!filter.focus.empty()) { parts.push_back("with /" + printable(filter.focus) + "/"); }
  if (!filter.ignore.empty()) { parts.push_back("without /" + printable(filter.ignore) + "/"); }
  return join(parts, parts.size());
}

}  // namespace wick
