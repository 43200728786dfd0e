// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// The samples that a view shows. Every view begins here: a Filter (the user's options) applied to a Profile gives a Selection
// (the samples), from which all tables and trees are computed.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "model/profile.h"

namespace wick {

struct Filter {
  std::string event{};                         // event name; empty: see choose_event
  std::string thread{};                        // a tid or a name; empty: all
  uint64_t begin_ns = 0, end_ns = UINT64_MAX;  // relative to the profile's start; begin <= time < end
  std::string focus{};                         // regular expression: only samples with a matching function
  std::string ignore{};                        // regular expression: without samples with a matching function

  bool all_times() const { return begin_ns == 0 && end_ns == UINT64_MAX; }
  // Ignores the event: each view shows one, and names it.
  bool everything() const { return thread.empty() && all_times() && focus.empty() && ignore.empty(); }
};

// Samples of one event: costs in different units are never added up.
struct Selection {
  EventId event;                  // invalid: the profile has no events
  std::vector<uint32_t> samples;  // rows of Profile::samples, in order
  // Their sums; select_samples ensures that no partial sum overflows.
  int64_t weight = 0;
  uint64_t count = 0;
};

// The default event of views: the first with samples; if the order means nothing (Profile::events_ranked), one that measures
// time, else the one with the most samples.
EventId choose_event(const Profile& profile);
// The first event with samples in file order: what other tools show.
EventId first_event(const Profile& profile);

Result<Selection> select_samples(const Profile& profile, const Filter& filter = {});
// Of this event; ignores the filter's event.
Result<Selection> select_samples(const Profile& profile, const Filter& filter, EventId event);

// "1.5-3", "1.5-" or "-3": seconds from the start of the recording; sets begin_ns and end_ns.
Status parse_range(std::string_view text, Filter& filter);

// Fails if a pattern for `focus` or `ignore` is not a regular expression.
Status check_pattern(const std::string& pattern);

// "thread worker, 1.5-3 s, with /foo/", for the heading of a view; empty if nothing is filtered.
std::string describe_filter(const Filter& filter);

}  // namespace wick
