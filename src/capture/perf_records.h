// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Parses the kernel's perf records one at a time into raw samples and side events, from live rings or from files.

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "base/cpu.h"
#include "capture/raw.h"

namespace wick {

// The layout of an event's records (from its perf_event_attr).
struct PerfLayout {
  uint64_t sample_type = 0;
  uint64_t user_registers = 0;      // mask of PERF_SAMPLE_REGS_USER
  Arch arch = host_arch();          // kUnknown: registers are not decoded
  uint64_t read_format = 0;         // for PERF_SAMPLE_READ
  uint64_t branch_sample_type = 0;  // for PERF_SAMPLE_BRANCH_STACK
};

struct PerfSample {
  uint64_t id = 0;  // of the event (PERF_SAMPLE_IDENTIFIER)
  RawSample raw;    // spans point into the record; the caller sets event and weight from id and period
  uint64_t period = 0;
  // The counters of all group members: value, id and possibly more, `counter_words` each.
  std::span<const uint64_t> counters;
  size_t counter_words = 0;
};

// `record` is complete, including its header, and 8-byte aligned. nullopt if it does not match the layout.
std::optional<PerfSample> parse_perf_sample(std::span<const uint8_t> record, const PerfLayout& layout);
// Parses mmap, mmap2 (of executable memory), comm, fork and exit; nullopt for other types. `trailer` is the sample_type that
// determines the trailing id fields.
std::optional<SideEvent> parse_perf_side(std::span<const uint8_t> record, uint64_t trailer);
// The CPU on which a record other than a sample was made, if its trailing fields contain it.
std::optional<uint32_t> parse_perf_cpu(std::span<const uint8_t> record, uint64_t trailer);

// Losses from PERF_RECORD_LOST (events) and PERF_RECORD_LOST_SAMPLES.
struct PerfLost {
  uint64_t id = 0, count = 0;
};
// A task was switched in or out.
struct PerfSwitch {
  uint32_t pid = 0, tid = 0;
  uint64_t time_ns = 0;
  bool out = false;
  bool preempted = false;  // switched out although it could run on
};
// For an event with the trailer PERF_SAMPLE_TID, _TIME and _IDENTIFIER.
std::optional<PerfSwitch> parse_perf_switch(std::span<const uint8_t> record);
std::optional<PerfLost> parse_perf_lost(std::span<const uint8_t> record);

}  // namespace wick
