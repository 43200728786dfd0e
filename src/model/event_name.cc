// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "model/event_name.h"

#include <algorithm>

namespace wick {

std::string plain_event_name(std::string_view name) {
  constexpr std::string_view kWhere = "ukh", kHow = "pPHGSDWeb";
  size_t colon = name.rfind(':');
  std::string_view modifiers = colon == name.npos ? std::string_view() : name.substr(colon + 1);
  std::string kept;
  for (char c : modifiers) {
    bool is_where = kWhere.find(c) != kWhere.npos;
    if (!is_where && kHow.find(c) == kHow.npos) { return std::string(name); }
    if (is_where) { kept += c; }
  }
  if (modifiers.empty() || colon == 0) { return std::string(name); }
  return std::string(name.substr(0, colon)) + (kept.empty() ? "" : ":" + kept);
}

std::string describe_skid(std::string_view name) {
  constexpr std::string_view kClocks[] = {"cpu-clock", "task-clock"};
  constexpr std::string_view kCounters[] = {"cycles",         "cpu-cycles", "instructions", "ref-cycles", "bus-cycles",
                                            "stalled-cycles", "branch",     "cache-",       "L1-",        "LLC-",
                                            "dTLB-",          "iTLB-",      "node-",        "cpu/"};
  constexpr std::string_view kWhat = ": a cost may belong to an earlier instruction";
  std::string plain = plain_event_name(name);
  std::string event = plain.substr(0, plain.find(':'));
  if (std::find(std::begin(kClocks), std::end(kClocks), event) != std::end(kClocks)) {
    return event + " has skid" + std::string(kWhat);
  }
  bool counts = std::any_of(std::begin(kCounters), std::end(kCounters), [&](auto prefix) { return event.starts_with(prefix); });
  std::string_view how = name.substr(name.rfind(':') == name.npos ? name.size() : name.rfind(':'));
  bool is_precise = std::count(how.begin(), how.end(), 'p') >= 2;
  return counts && !is_precise ? event + " has skid without :pp" + std::string(kWhat) : "";
}

}  // namespace wick
