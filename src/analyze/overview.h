// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// The heading of every view: how much was recorded, and what is missing.

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "analyze/selection.h"

namespace wick {

struct Overview {
  std::string title;         // the command, or the attached processes
  uint64_t duration_ns = 0;  // length of the recording
  uint64_t samples = 0, threads = 0,
           processes = 0;               // for the selected event, before any filter; threads and processes with samples
  int64_t weight = 0;                   // for the selected event, before any filter
  std::vector<EventId> other_events{};  // with samples
  // For all events: the kernel does not report which event's samples a full buffer dropped.
  uint64_t lost = 0;         // samples that were taken and are not here
  bool losses_known = true;  // false: the number is unknown
  uint64_t side_lost = 0;    // records of mappings, names, forks and exits
  uint64_t throttled = 0;    // times
  uint64_t late = 0;         // samples whose threads were not stopped in time to read a deep stack
  uint64_t truncated = 0;    // stacks of this event that end before their root
  uint64_t unverified = 0;   // those that cannot be verified
  std::vector<std::pair<std::string, uint64_t>> lost_by, truncated_by;  // readable reasons, largest first
};

Overview compute_overview(const Profile& profile, EventId event);

// Whether the profile has sums that are neither times nor samples: instructions, bytes.
bool holds_sums(const Profile& profile, EventId event);
// "1,212 samples of cpu-clock"; "8 samples" without an event name; for sums "41,346,315 Ir", "16,548 bytes".
std::string describe_amount(const Profile& profile, EventId event, uint64_t samples, int64_t weight);

// "1,212 samples of cpu-clock at 1,000 Hz in 1.21 s, 3 threads of 2 processes, none lost"
std::string describe_recording(const Profile& profile, EventId event, const Overview& overview);
// "12.3% of 2.10 s of CPU time was not sampled, shown as [unsampled]"; empty up to 0.5%.
std::string describe_unsampled(const TimeTotals& cpu_time);

// "lost.ring_full" -> "ring full", "stacks.cut" -> "longer than the copy".
std::string describe_loss(std::string_view kind);
// Whether a kind of loss counts stacks that end before their root.
bool is_truncation(std::string_view kind);

// "page-faults (6 samples), context-switches (196 samples)": the events that a view does not show; empty if none.
std::string describe_other_events(const Profile& profile, std::span<const EventId> shown);

// "12 samples lost (ring full: 10, throttled: 2)", "31 stacks (0.3%) truncated (longer than the copy: 20, no unwind tables: 11)":
// one line each, none if nothing is missing.
std::vector<std::string> loss_lines(const Overview& overview);

// All that a view of the recording says: command, size, losses, how stacks were unwound, what wrote it.
std::vector<std::string> recording_lines(const Profile& profile, EventId event, const Overview& overview);

// Of a profile that is not kept.
struct RecordingSummary {
  Overview overview;
  std::vector<std::string> lines;
};
RecordingSummary summarize_recording(const Profile& profile, EventId event);

}  // namespace wick
