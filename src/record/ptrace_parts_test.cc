// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
//
// The parts of the ptrace engine that need no target: registers, credit, mappings, batches, the watch list, the probe.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <thread>

#include "base/byte_writer.h"
#include "base/clock.h"
#include "record/ptrace_credit.h"
#include "record/ptrace_maps.h"
#include "record/ptrace_probe.h"
#include "record/ptrace_registers.h"
#include "record/ptrace_tasks.h"

namespace wick {
namespace {

TEST(PtraceRegisters, ParsesX86) {
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

TEST(PtraceRegisters, ParsesArm) {
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

TEST(PtraceRegisters, ParsesOnlyPcOf32BitPrograms) {
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

TEST(SampleCredit, BusyThreadGetsOneSamplePerPeriod) {
  SampleCredit credit(1000);
  credit.begin(5000);
  uint64_t run = 5000, samples = 0, most = 0;
  for (int i = 0; i < 1000; ++i) {
    run += 980;  // slightly less than a period: the time it is stopped
    EXPECT_EQ(credit.add(run), 980u);
    uint64_t n = credit.take();
    samples += n;
    most = std::max(most, n);
  }
  EXPECT_NEAR(static_cast<double>(samples), 980, 1);
  EXPECT_EQ(most, 1u);
}

TEST(SampleCredit, ShortLivedThreadsCountByChance) {
  // A tick hits a thread that lives for 0.3 periods in 3 of 10 cases; together the samples match the time used.
  uint64_t samples = 0;
  for (int phase = 0; phase < 1000; ++phase) {
    SampleCredit credit(1000);
    bool met = phase < 300;
    if (met) {
      credit.add(static_cast<uint64_t>(phase) + 1);
      samples += credit.take();
    }
    credit.add(300);
    EXPECT_EQ(credit.take_counted(), 300u) << "its exact time must be counted";
  }
  EXPECT_EQ(samples, 300u);
}

TEST(SampleCredit, CreditsMissedPeriods) {
  SampleCredit credit(1000);
  credit.add(7300);
  EXPECT_EQ(credit.owed_periods(), 7u);
  EXPECT_EQ(credit.take(), 8u);  // rounded, including the initial half period
  EXPECT_EQ(credit.take(), 0u);
  EXPECT_EQ(credit.add(7000), 0u) << "time does not run backwards";
  credit.add(12000);
  EXPECT_EQ(credit.take(), 5u);
  EXPECT_EQ(credit.take(), 0u);
  EXPECT_EQ(credit.take_counted(), 12000u);
  EXPECT_EQ(credit.take_counted(), 0u) << "reported twice";
}

MmapEvent mapping(uint64_t start, uint64_t length, const std::string& path, uint64_t offset = 0) {
  MmapEvent event;
  event.start = start;
  event.length = length;
  event.path = path;
  event.file_offset = offset;
  return event;
}

TEST(PtraceMaps, ReportsChanges) {
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

// Uses this process's memory as the target's.
class PtraceMapsWays : public ::testing::TestWithParam<bool> {
 protected:
  PtraceMapsWays() : maps(::getpid(), GetParam()) { maps.begin_program(clock_ns, events); }
  // The time between two checks is made up: rereading is limited to a share of it, and due anyway after 100 ms.
  bool check(std::vector<uint64_t> code) {
    events.clear();
    clock_ns += 60'000'000;
    return maps.check(code, ::gettid(), clock_ns, events);
  }
  // Rereading may have to wait for its share of the time: a sanitizer makes it slow.
  bool notices(const std::vector<uint64_t>& code) {
    for (int tries = 0; tries < 50; ++tries) {
      if (check(code)) { return true; }
    }
    return false;
  }
  bool has_mapped(uint64_t address, const std::string& path) const {
    return std::any_of(events.begin(), events.end(), [&](const SideEvent& event) {
      const MmapEvent* added = std::get_if<MmapEvent>(&event);
      return added != nullptr && address >= added->start && address < added->start + added->length && added->path == path;
    });
  }
  // Linux 6.11 and later.
  static bool answers_for_addresses() {
    int major = 0, minor = 0;
    utsname name{};
    ::uname(&name);
    std::sscanf(name.release, "%d.%d", &major, &minor);
    return major > 6 || (major == 6 && minor >= 11);
  }
  void* map_code(void* where, const char* path) {
    int fd = path != nullptr ? ::open(path, O_RDONLY | O_CLOEXEC) : -1;
    void* code = ::mmap(where, page, PROT_READ | PROT_EXEC,
                        MAP_PRIVATE | (where != nullptr ? MAP_FIXED : 0) | (fd < 0 ? MAP_ANONYMOUS : 0), fd, 0);
    if (fd >= 0) { ::close(fd); }
    return code;
  }

  uint64_t clock_ns = now_ns();
  ProcessMaps maps;
  std::vector<SideEvent> events;
  uint64_t here = reinterpret_cast<uint64_t>(&compare_mappings);
  size_t page = static_cast<size_t>(::sysconf(_SC_PAGESIZE));
};
INSTANTIATE_TEST_SUITE_P(PtraceMaps, PtraceMapsWays, ::testing::Bool(),
                         [](const auto& way) { return way.param ? "ByAddress" : "ByReading"; });

TEST_P(PtraceMapsWays, NoticesNewAndRemovedCode) {
  EXPECT_GE(events.size(), 3u);
  EXPECT_FALSE(check({here}));
  EXPECT_TRUE(events.empty());

  void* code = map_code(nullptr, nullptr);
  ASSERT_NE(code, MAP_FAILED);
  auto address = reinterpret_cast<uint64_t>(code);
  EXPECT_TRUE(notices({here, here + 4, address + 8, here}));
  EXPECT_TRUE(has_mapped(address, "//anon"));
  EXPECT_FALSE(check({here, address}));
  ::munmap(code, page);
  EXPECT_TRUE(notices({here, address}));
  ASSERT_FALSE(events.empty());
  EXPECT_TRUE(std::holds_alternative<MunmapEvent>(events[0]));
  EXPECT_FALSE(check({here, address}));
}

// Only a query for the address itself shows this: the list of all mappings is not read that often.
TEST_P(PtraceMapsWays, NoticesOtherFileAtSameAddress) {
  void* code = map_code(nullptr, "/proc/self/exe");
  ASSERT_NE(code, MAP_FAILED);
  auto address = reinterpret_cast<uint64_t>(code);
  EXPECT_TRUE(notices({here, address}));
  ASSERT_NE(map_code(code, "/bin/sh"), MAP_FAILED);
  bool noticed = check({here, address});
  if (GetParam() && answers_for_addresses()) { EXPECT_TRUE(noticed); }
  char target[4096] = {};
  ASSERT_NE(::realpath("/bin/sh", target), nullptr);
  noticed = noticed || notices({here, address});
  EXPECT_TRUE(noticed && has_mapped(address, target));
  ::munmap(code, page);
}

TEST(PtraceMaps, KeepsMappingsOfEndedProcess) {
  ProcessMaps maps(0x7ffffffe);
  std::vector<SideEvent> events;
  maps.begin_program(1, events);
  EXPECT_TRUE(events.empty());
  uint64_t somewhere = 0x1000;
  EXPECT_FALSE(maps.check({&somewhere, 1}, 0x7ffffffe, 1'000'000'000, events));
  EXPECT_TRUE(events.empty());
}

TEST(WatchList, QueriesBusyThreadsOftenAndOthersInTurn) {
  TracedProcess process(1);
  std::vector<std::unique_ptr<TracedThread>> threads;
  WatchList list;
  for (int i = 0; i < 200; ++i) {
    threads.push_back(std::make_unique<TracedThread>(i, process, TaskProbe(1, i, true, false), 1000));
    list.add(*threads.back());
  }
  for (auto& thread : threads) {
    thread->quiet_checks = thread->tid < 5 ? 0 : WatchList::kChecksUntilIdle;
    list.settle(*thread);
  }
  EXPECT_EQ(list.active(), 5u);
  std::vector<StoppableThread*> picked;
  std::vector<int> asked(200);
  for (int tick = 0; tick < 26; ++tick) {
    list.pick(picked);
    EXPECT_LE(picked.size(), 5 + WatchList::kIdlePerTick);
    for (StoppableThread* thread : picked) { ++asked[static_cast<size_t>(thread->tid)]; }
  }
  for (size_t i = 0; i < 200; ++i) { EXPECT_GE(asked[i], i < 5 ? 26 : 2) << i; }
  threads[100]->quiet_checks = 0;
  list.settle(*threads[100]);
  EXPECT_EQ(list.active(), 6u);
  for (auto& thread : threads) { list.remove(*thread); }
  list.pick(picked);
  EXPECT_TRUE(picked.empty());
}

TEST(TaskProbe, DistinguishesRunningFromSleeping) {
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
  // For kernels without scheduler statistics.
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
