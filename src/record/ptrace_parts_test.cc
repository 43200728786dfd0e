// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
//
// The parts of the ptrace engine that need no target: registers, credit, mappings, batches, the watch list, the probe.
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <atomic>
#include <thread>

#include "base/byte_writer.h"
#include "base/clock.h"
#include "record/ptrace_batch.h"
#include "record/ptrace_credit.h"
#include "record/ptrace_maps.h"
#include "record/ptrace_probe.h"
#include "record/ptrace_registers.h"
#include "record/ptrace_tasks.h"

namespace wick {
namespace {

TEST(PtraceRegisters, X86) {
  ByteWriter bytes;
  for (uint64_t i = 0; i < 27; ++i) { bytes.u64(i == 15 ? ~uint64_t{0} : 100 + i); }
  std::optional<StoppedRegisters> parsed = parse_prstatus(Arch::kX86_64, bytes.data());
  ASSERT_TRUE(parsed);
  const Registers& r = parsed->user;
  EXPECT_EQ(r.value[15], 100u);
  EXPECT_EQ(r.value[12], 103u);
  EXPECT_EQ(r.value[x86::kRbp], 104u);
  EXPECT_EQ(r.value[x86::kRbx], 105u);
  EXPECT_EQ(r.value[8], 109u);
  EXPECT_EQ(r.value[x86::kRax], 110u);
  EXPECT_EQ(r.value[x86::kRdi], 114u);
  EXPECT_EQ(r.value[x86::kPc], 116u);
  EXPECT_EQ(r.value[x86::kRsp], 119u);
  EXPECT_EQ(r.valid, (uint64_t{1} << 17) - 1);
  EXPECT_EQ(parsed->in_system_call, false);

  ByteWriter in_call;
  for (uint64_t i = 0; i < 27; ++i) { in_call.u64(i == 15 ? 35 : 0); }
  EXPECT_EQ(parse_prstatus(Arch::kX86_64, in_call.data())->in_system_call, true);
}

TEST(PtraceRegisters, Arm) {
  ByteWriter bytes;
  for (uint64_t i = 0; i < 34; ++i) { bytes.u64(100 + i); }
  std::optional<StoppedRegisters> parsed = parse_prstatus(Arch::kAarch64, bytes.data());
  ASSERT_TRUE(parsed);
  const Registers& r = parsed->user;
  EXPECT_EQ(r.value[arm::kX0], 100u);
  EXPECT_EQ(r.value[arm::kFp], 129u);
  EXPECT_EQ(r.value[arm::kLr], 130u);
  EXPECT_EQ(r.value[arm::kSp], 131u);
  EXPECT_EQ(r.value[arm::kPc], 132u);
  EXPECT_EQ(r.valid, (uint64_t{1} << 33) - 1);
  EXPECT_EQ(parsed->in_system_call, std::nullopt);
  ByteWriter none, some;
  none.u32(0xffffffffu);
  some.u32(101);
  EXPECT_EQ(parse_arm_system_call(none.data()), false);
  EXPECT_EQ(parse_arm_system_call(some.data()), true);
  EXPECT_EQ(parse_arm_system_call(Bytes(none.data().data(), 3)), std::nullopt);
}

TEST(PtraceRegisters, OthersGiveThePlaceOnlyOrNothing) {
  ByteWriter x86_32, arm_32;
  for (uint32_t i = 0; i < 17; ++i) { x86_32.u32(0x8000'0000u + i); }
  for (uint32_t i = 0; i < 18; ++i) { arm_32.u32(0x8000'0000u + i); }
  EXPECT_EQ(parse_prstatus(Arch::kX86_64, x86_32.data())->user.value[x86::kPc], 0x8000'000cu);
  EXPECT_FALSE(parse_prstatus(Arch::kX86_64, x86_32.data())->user.has(x86::kRsp));
  EXPECT_EQ(parse_prstatus(Arch::kAarch64, arm_32.data())->user.value[arm::kPc], 0x8000'000fu);
  std::vector<uint8_t> zeros(400);
  for (size_t size : {0u, 1u, 67u, 71u, 100u, 215u}) {
    EXPECT_FALSE(parse_prstatus(Arch::kX86_64, Bytes(zeros.data(), size))) << size;
  }
  for (size_t size : {0u, 68u, 216u, 271u}) { EXPECT_FALSE(parse_prstatus(Arch::kAarch64, Bytes(zeros.data(), size))) << size; }
}

TEST(SampleCredit, BusyThreadGetsOneEachPeriod) {
  SampleCredit credit(1000);
  credit.begin(5000);
  uint64_t run = 5000, samples = 0, most = 0;
  for (int i = 0; i < 1000; ++i) {
    run += 980;  // a little less than a period: the time it stands stopped
    EXPECT_EQ(credit.add(run), 980u);
    uint64_t n = credit.take();
    samples += n;
    most = std::max(most, n);
  }
  EXPECT_NEAR(static_cast<double>(samples), 980, 1);
  EXPECT_EQ(most, 1u);
}

TEST(SampleCredit, ShortLivesCountByChance) {
  // A thread that lives for 0.3 periods is met by a tick in 3 of 10 cases; together they give what they used.
  uint64_t samples = 0;
  for (int phase = 0; phase < 1000; ++phase) {
    SampleCredit credit(1000);
    bool met = phase < 300;
    if (met) {
      credit.add(static_cast<uint64_t>(phase) + 1);
      samples += credit.take();
    }
    credit.add(300);
    EXPECT_EQ(credit.take_at_exit(), 0u);
  }
  EXPECT_EQ(samples, 300u);
}

TEST(SampleCredit, WhatWasMissedIsOwed) {
  SampleCredit credit(1000);
  credit.add(7300);
  EXPECT_EQ(credit.owed_periods(), 7u);
  EXPECT_EQ(credit.take(), 8u);  // rounded, with the half it began with
  EXPECT_EQ(credit.take(), 0u);
  EXPECT_EQ(credit.add(7000), 0u) << "time does not run backwards";
  credit.add(12000);
  EXPECT_EQ(credit.take_at_exit(), 4u);
  EXPECT_EQ(credit.take_at_exit(), 0u);
}

MmapEvent mapping(uint64_t start, uint64_t length, const std::string& path, uint64_t offset = 0) {
  MmapEvent event;
  event.start = start;
  event.length = length;
  event.path = path;
  event.file_offset = offset;
  return event;
}

TEST(PtraceMaps, TellsWhatChanged) {
  std::vector<MmapEvent> before = {mapping(0x1000, 0x1000, "/a"), mapping(0x4000, 0x1000, "/b"), mapping(0x8000, 0x1000, "/c")};
  EXPECT_TRUE(compare_mappings(before, before, 9).empty());
  std::vector<MmapEvent> after = {mapping(0x1000, 0x1000, "/a"), mapping(0x4000, 0x1000, "/other"),
                                  mapping(0x9000, 0x1000, "/d")};
  std::vector<SideEvent> changes = compare_mappings(before, after, 9);
  ASSERT_EQ(changes.size(), 4u);
  EXPECT_EQ(std::get<MunmapEvent>(changes[0]).start, 0x4000u);
  EXPECT_EQ(std::get<MunmapEvent>(changes[1]).start, 0x8000u);
  EXPECT_EQ(std::get<MmapEvent>(changes[2]).path, "/other");
  EXPECT_EQ(std::get<MmapEvent>(changes[3]).path, "/d");
  for (const SideEvent& change : changes) { EXPECT_EQ(time_of(change), 9u); }
  EXPECT_EQ(compare_mappings({}, after, 1).size(), 3u);
}

// Our own memory stands for a target's.
TEST(PtraceMaps, NoticesNewCodeAtOnce) {
  ProcessMaps maps(::getpid());
  std::vector<SideEvent> events;
  maps.begin_program(now_ns(), events);
  EXPECT_GE(events.size(), 3u);
  events.clear();
  auto here = reinterpret_cast<uint64_t>(&compare_mappings);
  ::usleep(10'000);
  maps.check(here, ::gettid(), now_ns(), events);  // may read all, finds nothing new
  EXPECT_TRUE(events.empty());

  size_t page = static_cast<size_t>(::sysconf(_SC_PAGESIZE));
  void* code = ::mmap(nullptr, page, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  ASSERT_NE(code, MAP_FAILED);
  auto address = reinterpret_cast<uint64_t>(code);
  ::usleep(10'000);
  EXPECT_TRUE(maps.check(address + 8, ::gettid(), now_ns(), events));
  bool found = false;
  for (const SideEvent& event : events) {
    const MmapEvent* added = std::get_if<MmapEvent>(&event);
    found = found ||
            (added != nullptr && address >= added->start && address < added->start + added->length && added->path == "//anon");
  }
  EXPECT_TRUE(found);
  events.clear();
  ::munmap(code, page);
  // Looked at again by and by: the longer reading takes, the later.
  for (int tries = 0; tries < 100 && !maps.check(here, ::gettid(), now_ns(), events); ++tries) { ::usleep(50'000); }
  ASSERT_FALSE(events.empty());
  EXPECT_TRUE(std::holds_alternative<MunmapEvent>(events[0]));
}

TEST(PtraceMaps, AProcessThatEndedKeepsItsMappings) {
  ProcessMaps maps(0x7ffffffe);
  std::vector<SideEvent> events;
  maps.begin_program(1, events);
  EXPECT_TRUE(events.empty());
  EXPECT_FALSE(maps.check(0x1000, 0x7ffffffe, 1'000'000'000, events));
  EXPECT_TRUE(events.empty());
}

class KeepSink final : public RawSink {
 public:
  void consume(RawBatch& batch) override {
    for (const RawSample& sample : batch.samples) {
      times.push_back(sample.time_ns);
      first_bytes.push_back(sample.stack.empty() ? 0 : sample.stack[0]);
      chains.push_back(sample.user_chain.size());
    }
    ++calls;
  }
  std::vector<uint64_t> times;
  std::vector<int> first_bytes;
  std::vector<size_t> chains;
  int calls = 0;
};

TEST(PtraceBatch, KeepsStacksApartAndSorts) {
  SampleBatch batch;
  KeepSink sink;
  batch.hand_over(sink);
  EXPECT_EQ(sink.calls, 0) << "nothing to say";
  std::vector<uint64_t> chain = {1, 2, 3};
  for (int i = 0; i < 100; ++i) {
    std::span<uint8_t> room = batch.stack_room(8192);
    std::fill(room.begin(), room.end(), static_cast<uint8_t>(i));
    uint64_t base = static_cast<uint64_t>(1000 - i * 10);
    batch.add(RawSample{}, i % 2 ? 8192 : 100, std::span(chain).first(static_cast<size_t>(i) % 4),
              std::vector<uint64_t>{base, base + 5});
  }
  batch.hand_over(sink);
  ASSERT_EQ(sink.times.size(), 200u);
  EXPECT_TRUE(std::is_sorted(sink.times.begin(), sink.times.end()));
  for (size_t k = 0; k < 200; ++k) {
    int i = static_cast<int>((1000 - (sink.times[k] - sink.times[k] % 10)) / 10);
    EXPECT_EQ(sink.first_bytes[k], i);
    EXPECT_EQ(sink.chains[k], static_cast<size_t>(i) % 4);
  }
  EXPECT_TRUE(batch.empty());
}

TEST(PtraceBatch, SpreadsBackIntoTheRoomThereIs) {
  std::vector<uint64_t> times;
  spread_back(10'000, 1'000, 1000, 3, times);
  EXPECT_EQ(times, (std::vector<uint64_t>{8'000, 9'000, 10'000}));
  spread_back(10'000, 9'000, 1000, 5, times);
  EXPECT_EQ(times, (std::vector<uint64_t>{9'000, 9'250, 9'500, 9'750, 10'000}));
  spread_back(10'000, 20'000, 1000, 2, times);
  EXPECT_EQ(times, (std::vector<uint64_t>{10'000, 10'000}));
  spread_back(10'000, 0, 1000, 1, times);
  EXPECT_EQ(times, (std::vector<uint64_t>{10'000}));
}

TEST(WatchList, AsksTheBusyOftenAndTheRestInTurn) {
  TracedProcess process(1);
  std::vector<std::unique_ptr<TracedThread>> threads;
  WatchList list;
  for (int i = 0; i < 200; ++i) {
    threads.push_back(std::make_unique<TracedThread>(i, process, TaskProbe(1, i, true, false), 1000, 0));
    list.add(*threads.back());
  }
  for (auto& thread : threads) {
    thread->quiet_checks = thread->tid < 5 ? 0 : WatchList::kChecksUntilIdle;
    list.settle(*thread);
  }
  EXPECT_EQ(list.active(), 5u);
  std::vector<TracedThread*> picked;
  std::vector<int> asked(200);
  for (int tick = 0; tick < 26; ++tick) {
    list.pick(picked);
    EXPECT_LE(picked.size(), 5 + WatchList::kIdlePerTick);
    for (TracedThread* thread : picked) { ++asked[static_cast<size_t>(thread->tid)]; }
  }
  for (size_t i = 0; i < 200; ++i) { EXPECT_GE(asked[i], i < 5 ? 26 : 2) << i; }
  threads[100]->quiet_checks = 0;
  list.settle(*threads[100]);
  EXPECT_EQ(list.active(), 6u);
  for (auto& thread : threads) { list.remove(*thread); }
  list.pick(picked);
  EXPECT_TRUE(picked.empty());
}

TEST(TaskProbe, TellsRunningFromSleeping) {
  std::atomic<pid_t> busy_tid{0}, quiet_tid{0};
  std::atomic<bool> done{false};
  std::thread busy([&] {
    busy_tid = ::gettid();
    while (!done) {}
  });
  std::thread quiet([&] {
    quiet_tid = ::gettid();
    while (!done) { ::usleep(300'000); }
  });
  while (busy_tid == 0 || quiet_tid == 0) { ::usleep(1000); }
  ::usleep(50'000);
  for (bool keep_open : {true, false}) {
    TaskProbe busy_probe(::getpid(), busy_tid, true, keep_open), quiet_probe(::getpid(), quiet_tid, true, keep_open);
    EXPECT_TRUE(busy_probe.is_running());
    std::optional<RunTime> first = busy_probe.run_time();
    ::usleep(60'000);
    std::optional<RunTime> second = busy_probe.run_time();
    ASSERT_TRUE(first && second);
    EXPECT_GT(second->run_ns, first->run_ns);
    size_t sleeping = 0;
    for (int i = 0; i < 5; ++i) {
      sleeping += !quiet_probe.is_running();
      ::usleep(5'000);
    }
    EXPECT_GE(sleeping, 3u);
    EXPECT_TRUE(quiet_probe.times_given_up().value_or(0) > 0);
    EXPECT_TRUE(quiet_probe.exists());
  }
  // Where the kernel keeps no scheduler statistics.
  TaskProbe coarse(::getpid(), busy_tid, false, true);
  std::optional<RunTime> time = coarse.run_time();
  ASSERT_TRUE(time);
  EXPECT_GT(time->run_ns, 0u);
  EXPECT_FALSE(time->slices);
  done = true;
  busy.join();
  quiet.join();
  TaskProbe gone(::getpid(), busy_tid, true, true);
  EXPECT_FALSE(gone.run_time());
  EXPECT_FALSE(gone.is_running());
  EXPECT_FALSE(gone.exists());
}

}  // namespace
}  // namespace wick
