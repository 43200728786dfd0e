// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// The kernel's perf records, one at a time: bytes -> raw samples and side events. Used on rings that are being filled, and by
// anything that reads such records from a file.

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "base/cpu.h"
#include "capture/raw.h"

namespace wick {

// How the records of an event are laid out (from its perf_event_attr).
struct PerfLayout {
  uint64_t sample_type = 0;
  uint64_t user_registers = 0;      // mask of PERF_SAMPLE_REGS_USER
  Arch arch = host_arch();          // kUnknown: registers are not decoded
  uint64_t read_format = 0;         // of PERF_SAMPLE_READ
  uint64_t branch_sample_type = 0;  // of PERF_SAMPLE_BRANCH_STACK
};

struct PerfSample {
  uint64_t id = 0;  // of the event (PERF_SAMPLE_IDENTIFIER)
  RawSample raw;    // spans point into the record; event and weight are the caller's to fill from id and period
  uint64_t period = 0;
  // The counters of all members of a group: value, id, and perhaps more, `counter_words` each.
  std::span<const uint64_t> counters;
  size_t counter_words = 0;
};

// `record` is whole, header included, and 8-byte aligned. Nothing when it does not fit its layout.
std::optional<PerfSample> parse_perf_sample(std::span<const uint8_t> record, const PerfLayout& layout);
// Mmap, mmap2 (of executable memory), comm, fork, exit. Nothing for other kinds. `trailer` is the sample_type that rules the
// trailing id fields.
std::optional<SideEvent> parse_perf_side(std::span<const uint8_t> record, uint64_t trailer);

// Losses: records of PERF_RECORD_LOST (events) and PERF_RECORD_LOST_SAMPLES.
struct PerfLost {
  uint64_t id = 0, count = 0;
};
std::optional<PerfLost> parse_perf_lost(std::span<const uint8_t> record);

}  // namespace wick
