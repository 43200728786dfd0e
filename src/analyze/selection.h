// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Which samples a view is about. Every view begins here: a Filter (what the user asked for) on a Profile gives a Selection (the
// samples), and all tables and trees are computed from a selection.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "model/profile.h"

namespace wick {

struct Filter {
  std::string event{};                         // its name; empty: as choose_event says
  std::string thread{};                        // a tid or a name; empty: all
  uint64_t begin_ns = 0, end_ns = UINT64_MAX;  // from the profile's start; begin <= time < end
  std::string focus{};                         // regular expression: only samples with a frame whose function matches
  std::string ignore{};                        // regular expression: no samples with a frame whose function matches

  bool all_times() const { return begin_ns == 0 && end_ns == UINT64_MAX; }
  // The event is not asked for: each view is about one, and names it.
  bool everything() const { return thread.empty() && all_times() && focus.empty() && ignore.empty(); }
};

// Samples of one event: costs of different units are never added up.
struct Selection {
  EventId event;                  // invalid: the profile has no events
  std::vector<uint32_t> samples;  // rows of Profile::samples, in order
  // Their sums; select_samples makes sure that no sum over any part of them overflows.
  int64_t weight = 0;
  uint64_t count = 0;
};

// The event of views that are not told which: of those with samples the first; where the order of events says nothing
// (Profile::events_ranked), one that measures time, and the one with the most samples.
EventId choose_event(const Profile& profile);
// The first that has samples, as it stands in the file: what other tools show.
EventId first_event(const Profile& profile);

Result<Selection> select_samples(const Profile& profile, const Filter& filter = {});
// Of this event, whatever the filter says of events.
Result<Selection> select_samples(const Profile& profile, const Filter& filter, EventId event);

// "1.5-3", "1.5-" or "-3": seconds from the start of the recording, into begin_ns and end_ns.
Status parse_range(std::string_view text, Filter& filter);

// "thread worker, 1.5-3 s, with /foo/": what to tell above a view that does not show everything; empty when it does.
std::string describe_filter(const Filter& filter);

}  // namespace wick
