// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "record/perf_ring.h"

#include <gtest/gtest.h>
#include <linux/perf_event.h>

#include <atomic>
#include <cstring>
#include <numeric>
#include <random>

namespace wick {
namespace {

// The kernel's side of a ring: writes complete records and drops those that do not fit.
class Kernel {
 public:
  explicit Kernel(size_t data_size) : size_(data_size), memory_((page_size() + data_size) / 8) {}

  PerfRing ring() { return PerfRing::over(memory_.data(), size_); }

  // Writes a record of that size, filled with its number after the header.
  bool write(uint16_t size, uint32_t number) {
    auto* control = reinterpret_cast<perf_event_mmap_page*>(memory_.data());
    uint64_t tail = __atomic_load_n(&control->data_tail, __ATOMIC_ACQUIRE);
    if (head_ + size - tail > size_) { return false; }
    std::vector<uint8_t> record(size, static_cast<uint8_t>(number));
    perf_event_header header{number, 0, size};
    std::memcpy(record.data(), &header, sizeof header);
    uint8_t* data = reinterpret_cast<uint8_t*>(memory_.data()) + page_size();
    for (uint8_t byte : record) { data[head_++ & (size_ - 1)] = byte; }
    __atomic_store_n(&control->data_head, head_, __ATOMIC_RELEASE);
    return true;
  }

 private:
  size_t size_;
  std::vector<uint64_t> memory_;
  uint64_t head_ = 0;
};

uint32_t number_of(std::span<const uint8_t> record) {
  perf_event_header header;
  std::memcpy(&header, record.data(), sizeof header);
  EXPECT_EQ(header.size, record.size());
  for (uint8_t byte : record.subspan(sizeof header)) { EXPECT_EQ(byte, static_cast<uint8_t>(header.type)); }
  return header.type;
}

std::vector<uint32_t> read_all(PerfRing& ring) {
  std::vector<uint32_t> numbers;
  for (std::span<const uint8_t> record = ring.next(); !record.empty(); record = ring.next()) {
    numbers.push_back(number_of(record));
  }
  ring.release();
  return numbers;
}

TEST(PerfRing, ReadsRecordsThatWrapAround) {
  Kernel kernel(4096);
  PerfRing ring = kernel.ring();
  std::mt19937 random(3);
  uint32_t written = 0, read = 0;
  for (int round = 0; round < 2000; ++round) {
    for (unsigned n = random() % 6; n > 0; --n) {
      written += kernel.write(static_cast<uint16_t>(8 * (1 + random() % 150)), written);
    }
    ring.take();
    for (uint32_t number : read_all(ring)) { ASSERT_EQ(number, read++); }
    ASSERT_EQ(read, written);
  }
  EXPECT_GT(read, 3000u);
}

TEST(PerfRing, TakeFreesSpaceAtOnce) {
  Kernel kernel(4096);
  PerfRing ring = kernel.ring();
  ASSERT_TRUE(kernel.write(4096, 1));
  EXPECT_FALSE(kernel.write(8, 2));
  EXPECT_EQ(ring.take(), 4096u);
  std::span<const uint8_t> first = ring.next();
  ASSERT_TRUE(kernel.write(4096, 3)) << "while the first is still in use";
  EXPECT_EQ(number_of(first), 1u);
  EXPECT_TRUE(ring.next().empty()) << "not taken yet";
  ring.release();
  EXPECT_EQ(ring.take(), 4096u);
  EXPECT_EQ(read_all(ring), std::vector<uint32_t>{3});
}

TEST(PerfRing, SpilledRecordsComeFirst) {
  Kernel kernel(4096);
  PerfRing ring = kernel.ring();
  uint32_t written = 0;
  ASSERT_TRUE(kernel.write(512, written++));
  ring.spill();  // below the threshold
  ASSERT_TRUE(kernel.write(3584, written++));
  EXPECT_FALSE(kernel.write(8, written));
  ring.spill();
  for (int round = 0; round < 10; ++round) {
    ASSERT_TRUE(kernel.write(4000, written++));
    ring.spill();
  }
  ASSERT_TRUE(kernel.write(64, written++));
  ring.take();
  std::vector<uint32_t> all(written);
  std::iota(all.begin(), all.end(), 0u);
  EXPECT_EQ(read_all(ring), all);
}

TEST(PerfRing, TakingTwiceLosesNothing) {
  Kernel kernel(4096);
  PerfRing ring = kernel.ring();
  kernel.write(64, 0);
  EXPECT_EQ(ring.take(), 64u);
  kernel.write(64, 1);
  EXPECT_EQ(ring.take(), 128u);
  EXPECT_EQ(read_all(ring), (std::vector<uint32_t>{0, 1}));
}

// A reader that is busy for longer than the ring lasts: the keeper makes room, and all records come in order.
TEST(PerfRing, KeeperMakesRoomWhileReaderIsBusy) {
  Kernel kernel(4096);
  PerfRing ring = kernel.ring();
  uint32_t written = 0;
  std::vector<uint32_t> seen;
  {
    RingKeeper keeper;
    keeper.add(&ring);
    while (written < 200) {
      while (!kernel.write(1000, written)) { std::this_thread::sleep_for(std::chrono::milliseconds(1)); }
      ++written;
      if (written % 70 == 0) {
        ring.take();
        for (uint32_t number : read_all(ring)) { seen.push_back(number); }
      }
    }
  }
  ring.take();
  for (uint32_t number : read_all(ring)) { seen.push_back(number); }
  ASSERT_EQ(seen.size(), written);
  for (uint32_t i = 0; i < written; ++i) { ASSERT_EQ(seen[i], i); }
}

}  // namespace
}  // namespace wick
