// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "import/perf/perf_data_swap.h"

#include <linux/perf_event.h>

#include <algorithm>
#include <bit>
#include <cstring>

namespace wick {
namespace {

// Swaps values one after another; does nothing past the end.
class Swapper {
 public:
  explicit Swapper(std::span<uint8_t> bytes) : bytes_(bytes) {}

  uint64_t u64() {
    return one<uint64_t>([](uint64_t v) { return __builtin_bswap64(v); });
  }
  uint32_t u32() {
    return one<uint32_t>([](uint32_t v) { return __builtin_bswap32(v); });
  }
  uint16_t u16() {
    return one<uint16_t>([](uint16_t v) { return __builtin_bswap16(v); });
  }
  void u64s(uint64_t count) {
    for (uint64_t i = 0; i < count && left() >= 8; ++i) { u64(); }
  }
  void pair() {
    u32();
    u32();
  }
  void skip(uint64_t count) { at_ += static_cast<size_t>(std::min<uint64_t>(count, left())); }
  void seek(size_t at) { at_ = std::min(at, bytes_.size()); }
  size_t left() const { return bytes_.size() - at_; }

 private:
  template <typename T, typename Turn>
  T one(Turn turn) {
    T value{};
    if (left() < sizeof(T)) {
      at_ = bytes_.size();
      return value;
    }
    std::memcpy(&value, bytes_.data() + at_, sizeof(T));
    value = turn(value);
    std::memcpy(bytes_.data() + at_, &value, sizeof(T));
    at_ += sizeof(T);
    return value;
  }
  std::span<uint8_t> bytes_;
  size_t at_ = 0;
};

void swap_sample(Swapper& s, const PerfLayout& layout) {
  uint64_t type = layout.sample_type;
  auto words = [&](uint64_t bits) { s.u64s(static_cast<uint64_t>(std::popcount(type & bits))); };
  words(PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP);
  if (type & PERF_SAMPLE_TID) { s.pair(); }
  words(PERF_SAMPLE_TIME | PERF_SAMPLE_ADDR | PERF_SAMPLE_ID | PERF_SAMPLE_STREAM_ID);
  if (type & PERF_SAMPLE_CPU) { s.pair(); }
  words(PERF_SAMPLE_PERIOD);
  if (type & PERF_SAMPLE_READ) {
    constexpr uint64_t kPerValue = PERF_FORMAT_ID | 1 << 4;
    uint64_t times = static_cast<uint64_t>(
        std::popcount(layout.read_format & (PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING)));
    uint64_t count = layout.read_format & PERF_FORMAT_GROUP ? s.u64() : 1;
    uint64_t per_value = 1 + static_cast<uint64_t>(std::popcount(layout.read_format & kPerValue));
    s.u64s(times + std::min<uint64_t>(count, s.left()) * per_value);
  }
  if (type & PERF_SAMPLE_CALLCHAIN) { s.u64s(s.u64()); }
  if (type & PERF_SAMPLE_RAW) { s.skip(s.u32()); }
  if (type & PERF_SAMPLE_BRANCH_STACK) {
    constexpr uint64_t kHwIndex = 1 << 17, kCounters = 1 << 19;
    uint64_t count = std::min<uint64_t>(s.u64(), s.left());
    s.u64s(count * 3 + (layout.branch_sample_type & kHwIndex ? 1 : 0) + (layout.branch_sample_type & kCounters ? count : 0));
  }
  if (type & PERF_SAMPLE_REGS_USER) {
    if (s.u64() != PERF_SAMPLE_REGS_ABI_NONE) { s.u64s(static_cast<uint64_t>(std::popcount(layout.user_registers))); }
  }
  if (type & PERF_SAMPLE_STACK_USER) {  // stack bytes stay in memory order
    uint64_t size = s.u64();
    s.skip(size);
    if (size != 0) { s.u64(); }
  }
}

// pid and tid, time, ID, stream ID, cpu, identifier: the requested ones, at the end of the record.
void swap_trailer(Swapper& s, size_t record_size, uint64_t type) {
  auto words = [&](uint64_t bits) { return static_cast<size_t>(std::popcount(type & bits)); };
  size_t size = 8 * words(PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_ID | PERF_SAMPLE_STREAM_ID | PERF_SAMPLE_CPU |
                          PERF_SAMPLE_IDENTIFIER);
  if (size > record_size - 8) { return; }
  s.seek(record_size - size);
  if (type & PERF_SAMPLE_TID) { s.pair(); }
  s.u64s(words(PERF_SAMPLE_TIME | PERF_SAMPLE_ID | PERF_SAMPLE_STREAM_ID));
  if (type & PERF_SAMPLE_CPU) { s.pair(); }
  s.u64s(words(PERF_SAMPLE_IDENTIFIER));
}

}  // namespace

void swap_perf_record(std::span<uint8_t> record, const PerfLayout& layout) {
  if (record.size() < 8) { return; }
  Swapper s(record);
  uint32_t type = s.u32();
  uint16_t misc = s.u16();
  s.u16();
  switch (type) {
    case PERF_RECORD_SAMPLE: return swap_sample(s, layout);
    case PERF_RECORD_MMAP:
      s.pair();
      s.u64s(3);
      break;
    case PERF_RECORD_MMAP2:
      s.pair();
      s.u64s(3);
      if (misc & PERF_RECORD_MISC_MMAP_BUILD_ID) {
        s.skip(24);
      } else {
        s.pair();
        s.u64s(2);
      }
      s.pair();
      break;
    case PERF_RECORD_COMM: s.pair(); break;
    case PERF_RECORD_FORK:
    case PERF_RECORD_EXIT:
      s.pair();
      s.pair();
      s.u64();
      break;
    case PERF_RECORD_LOST: s.u64s(2); break;
    case PERF_RECORD_LOST_SAMPLES: s.u64(); break;
    case PERF_RECORD_KSYMBOL:
      s.u64();
      s.u32();
      s.u16();
      s.u16();
      break;
    default: break;
  }
  swap_trailer(s, record.size(), layout.sample_type);
}

}  // namespace wick
