// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "capture/perf_records.h"

#include <gtest/gtest.h>
#include <linux/perf_event.h>

#include <bit>

#include "base/byte_writer.h"
#include "capture/perf_registers.h"

namespace wick {
namespace {

// A record in aligned memory, as in a ring.
struct Record {
  std::vector<uint64_t> words;
  std::span<const uint8_t> bytes() const { return {reinterpret_cast<const uint8_t*>(words.data()), words.size() * 8}; }
};

Record make(uint32_t type, uint16_t misc, const ByteWriter& body) {
  ByteWriter w;
  w.u32(type);
  w.u16(misc);
  w.u16(static_cast<uint16_t>(8 + body.size()));
  w.bytes(body.data());
  Record record;
  record.words.resize(w.size() / 8);
  std::memcpy(record.words.data(), w.data().data(), record.words.size() * 8);
  return record;
}

constexpr uint64_t kType = PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_CPU |
                           PERF_SAMPLE_PERIOD | PERF_SAMPLE_CALLCHAIN | PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER;

ByteWriter sample_body(Arch arch) {
  ByteWriter w;
  w.u64(77);                  // id
  w.u64(0xffffffff81000010);  // ip
  w.u32(10);
  w.u32(11);      // pid, tid
  w.u64(123456);  // time
  w.u32(3);
  w.u32(0);        // cpu
  w.u64(1003009);  // period
  w.u64(5);
  for (uint64_t v : {static_cast<uint64_t>(PERF_CONTEXT_KERNEL), uint64_t{0xffffffff81000010}, uint64_t{0xffffffff81000200},
                     static_cast<uint64_t>(PERF_CONTEXT_USER), uint64_t{0x401000}}) {
    w.u64(v);
  }
  w.u64(PERF_SAMPLE_REGS_ABI_64);
  for (int i = 0; i < std::popcount(perf_register_mask(arch)); ++i) { w.u64(0x1000 + static_cast<uint64_t>(i)); }
  w.u64(16);  // space for the stack
  w.u64(0xaaaa);
  w.u64(0xbbbb);
  w.u64(8);  // 8 bytes of it are filled
  return w;
}

TEST(PerfRecords, ParsesSampleOfEachCpu) {
  for (Arch arch : {Arch::kX86_64, Arch::kAarch64}) {
    PerfLayout layout{kType, perf_register_mask(arch), arch};
    Record record = make(PERF_RECORD_SAMPLE, PERF_RECORD_MISC_KERNEL, sample_body(arch));
    std::optional<PerfSample> s = parse_perf_sample(record.bytes(), layout);
    ASSERT_TRUE(s.has_value());
    EXPECT_EQ(s->id, 77u);
    EXPECT_EQ(s->period, 1003009u);
    EXPECT_TRUE(s->raw.in_kernel);
    EXPECT_EQ(s->raw.tid, 11u);
    EXPECT_EQ(s->raw.cpu, 3u);
    ASSERT_EQ(s->raw.kernel_chain.size(), 2u);
    EXPECT_EQ(s->raw.kernel_chain[1], 0xffffffff81000200u);
    ASSERT_EQ(s->raw.user_chain.size(), 1u);
    EXPECT_EQ(s->raw.user_chain[0], 0x401000u);
    ASSERT_EQ(s->raw.stack.size(), 8u);
    EXPECT_EQ(s->raw.stack[0], 0xaa);
    RegisterNumbers n = register_numbers(arch);
    EXPECT_EQ(s->raw.user.value[n.pc], arch == Arch::kX86_64 ? 0x1008u : 0x1020u);
    EXPECT_EQ(s->raw.user.value[n.sp], arch == Arch::kX86_64 ? 0x1007u : 0x101fu);
    EXPECT_EQ(s->raw.user.value[n.fp], arch == Arch::kX86_64 ? 0x1006u : 0x101du);
  }
}

TEST(PerfRecords, MapsX86RegistersToDwarfNumbers) {
  std::vector<uint64_t> values;
  for (uint64_t i = 0; i < 17; ++i) { values.push_back(i); }
  Registers r = decode_perf_registers(Arch::kX86_64, perf_register_mask(Arch::kX86_64), values);
  EXPECT_EQ(r.value[x86::kRbx], 1u);  // the kernel's order: ax bx cx dx si di bp sp ip r8…
  EXPECT_EQ(r.value[x86::kRdx], 3u);
  EXPECT_EQ(r.value[x86::kRdi], 5u);
  EXPECT_EQ(r.value[8], 9u);
  EXPECT_EQ(r.value[15], 16u);
}

TEST(PerfRecords, RejectsTruncatedSample) {
  PerfLayout layout{kType, perf_register_mask(Arch::kX86_64), Arch::kX86_64};
  ByteWriter whole = sample_body(Arch::kX86_64);
  for (size_t size = 0; size < whole.size(); size += 8) {
    ByteWriter part;
    part.bytes(whole.data().first(size));
    Record record = make(PERF_RECORD_SAMPLE, PERF_RECORD_MISC_USER, part);
    EXPECT_FALSE(parse_perf_sample(record.bytes(), layout).has_value()) << size;
  }
}

TEST(PerfRecords, RejectsHugeChainCount) {
  ByteWriter w;
  w.u64(UINT64_MAX / 4);
  Record record = make(PERF_RECORD_SAMPLE, PERF_RECORD_MISC_USER, w);
  EXPECT_FALSE(parse_perf_sample(record.bytes(), {PERF_SAMPLE_CALLCHAIN, 0, Arch::kX86_64}).has_value());
}

TEST(PerfRecords, ParsesMappingsNamesAndForks) {
  uint64_t trailer = PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_IDENTIFIER;
  ByteWriter map;
  map.u32(1);
  map.u32(2);
  map.u64(0x1000);
  map.u64(0x2000);
  map.u64(0x3000);
  map.u32(8);
  map.u32(1);  // device
  map.u64(99);
  map.u64(0);  // inode, generation
  map.u32(5);
  map.u32(2);
  map.bytes(std::span<const uint8_t>(reinterpret_cast<const uint8_t*>("/lib/x.so\0\0\0\0\0\0\0"), 16));
  map.u64(0);
  map.u64(555);
  map.u64(7);  // tid, time, identifier
  Record record = make(PERF_RECORD_MMAP2, PERF_RECORD_MISC_USER, map);
  std::optional<SideEvent> event = parse_perf_side(record.bytes(), trailer);
  ASSERT_TRUE(event && std::holds_alternative<MmapEvent>(*event));
  const MmapEvent& m = std::get<MmapEvent>(*event);
  EXPECT_EQ(m.time_ns, 555u);
  EXPECT_EQ(m.path, "/lib/x.so");
  EXPECT_EQ(m.inode, 99u);
  EXPECT_EQ(m.file_offset, 0x3000u);
  EXPECT_FALSE(parse_perf_side(make(PERF_RECORD_MMAP2, PERF_RECORD_MISC_MMAP_DATA, map).bytes(), trailer).has_value());

  ByteWriter comm;
  comm.u32(1);
  comm.u32(2);
  comm.bytes(std::span<const uint8_t>(reinterpret_cast<const uint8_t*>("app\0\0\0\0\0"), 8));
  comm.u64(0);
  comm.u64(556);
  comm.u64(7);
  event = parse_perf_side(make(PERF_RECORD_COMM, PERF_RECORD_MISC_COMM_EXEC, comm).bytes(), trailer);
  ASSERT_TRUE(event && std::holds_alternative<CommEvent>(*event));
  EXPECT_TRUE(std::get<CommEvent>(*event).exec);
  EXPECT_EQ(std::get<CommEvent>(*event).name, "app");

  ByteWriter fork;
  for (uint32_t v : {20u, 10u, 21u, 11u}) { fork.u32(v); }
  fork.u64(557);
  fork.u64(0);
  fork.u64(557);
  fork.u64(7);
  event = parse_perf_side(make(PERF_RECORD_FORK, 0, fork).bytes(), trailer);
  ASSERT_TRUE(event && std::holds_alternative<ForkEvent>(*event));
  EXPECT_EQ(std::get<ForkEvent>(*event).parent_pid, 10u);
  EXPECT_EQ(std::get<ForkEvent>(*event).tid, 21u);
  event = parse_perf_side(make(PERF_RECORD_EXIT, 0, fork).bytes(), trailer);
  ASSERT_TRUE(event && std::holds_alternative<ExitEvent>(*event));
}

TEST(PerfRecords, CountsLosses) {
  ByteWriter lost;
  lost.u64(5);
  lost.u64(42);
  EXPECT_EQ(parse_perf_lost(make(PERF_RECORD_LOST, 0, lost).bytes())->count, 42u);
}

}  // namespace
}  // namespace wick
