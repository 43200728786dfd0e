// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0

// A perf record with any content, read with the layouts that wick uses. The first 8 bytes select the layout.

#include <linux/perf_event.h>

#include <cstdint>
#include <cstring>
#include <vector>

#include "capture/perf_records.h"
#include "capture/perf_registers.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size < 16) { return 0; }
  uint64_t choice = 0;
  std::memcpy(&choice, data, 8);
  wick::Arch arch = choice & 1 ? wick::Arch::kX86_64 : wick::Arch::kAarch64;
  wick::PerfLayout layout{choice >> 1, wick::perf_register_mask(arch), arch};
  std::vector<uint64_t> aligned((size - 8) / 8);
  std::memcpy(aligned.data(), data + 8, aligned.size() * 8);
  std::span<const uint8_t> record(reinterpret_cast<const uint8_t*>(aligned.data()), aligned.size() * 8);
  uint64_t sum = 0;
  if (auto sample = wick::parse_perf_sample(record, layout)) {
    for (uint8_t byte : sample->raw.stack) { sum += byte; }
    for (uint64_t address : sample->raw.kernel_chain) { sum += address; }
    for (uint64_t address : sample->raw.user_chain) { sum += address; }
  }
  if (auto side = wick::parse_perf_side(record, layout.sample_type)) { sum += wick::time_of(*side); }
  if (auto lost = wick::parse_perf_lost(record)) { sum += lost->count; }
  volatile uint64_t keep = sum;
  static_cast<void>(keep);
  return 0;
}
