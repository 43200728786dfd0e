// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// What stands above every view: how much was recorded, and what is missing from it.

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "analyze/selection.h"

namespace wick {

struct Overview {
  std::string title;         // the command as typed, or the processes that were attached to
  uint64_t duration_ns = 0;  // of the recording
  uint64_t samples = 0, threads = 0,
           processes = 0;               // of the selected event, before any filter; threads and processes with samples
  int64_t weight = 0;                   // of the selected event, before any filter
  std::vector<EventId> other_events{};  // that were recorded too
  // Of all events, since nobody knows which event's samples a full buffer did not take.
  uint64_t lost = 0;                                                    // samples that were made and are not here
  bool losses_known = true;                                             // false: nobody wrote down how many
  uint64_t side_lost = 0;                                               // records of mappings, names, forks and exits
  uint64_t throttled = 0;                                               // times
  uint64_t not_whole = 0;                                               // stacks of this event that end before their root
  uint64_t not_judged = 0;                                              // those of which nobody can say
  std::vector<std::pair<std::string, uint64_t>> lost_by, not_whole_by;  // reasons in words, largest first
};

Overview compute_overview(const Profile& profile, EventId event);

// Whether a file has sums of costs that are neither times nor samples: instructions, bytes.
bool holds_sums(const Profile& profile, EventId event);
// "1,212 samples of cpu-clock"; "8 samples" where that is all there is to say; "41,346,315 Ir", "16,548 bytes" of sums.
std::string describe_amount(const Profile& profile, EventId event, uint64_t samples, int64_t weight);

// "lost.ring_full" -> "ring full", "stacks.cut" -> "longer than the copy".
std::string loss_in_words(std::string_view kind);
// Whether a kind of loss counts stacks that end before their root.
bool is_not_whole(std::string_view kind);

// "page-faults (6 samples), context-switches (196 samples)": what a view of these events does not show; empty: nothing.
std::string describe_other_events(const Profile& profile, std::span<const EventId> shown);

// "12 samples lost (ring full 10, throttled 2)", "31 stacks (0.3%) truncated (cut 20, no row 11)" and the like: one line
// each, none when all is well.
std::vector<std::string> loss_lines(const Overview& overview);

}  // namespace wick
