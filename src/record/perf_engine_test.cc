// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0

// Runs the real engine on real processes. Skipped if perf_event_open is denied.

#include "record/perf_engine.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <fstream>
#include <set>
#include <thread>

#include "base/clock.h"

namespace wick {
namespace {

struct Collector : RawSink {
  std::vector<SideEvent> side;
  std::vector<uint64_t> sample_times, side_times;
  std::set<uint32_t> tids;
  size_t with_stack = 0, with_registers = 0;
  uint64_t weight = 0;
  bool sorted = true;

  void consume(RawBatch& batch) override {
    for (SideEvent& event : batch.side) {
      sorted = sorted && (side_times.empty() || side_times.back() <= time_of(event));
      side_times.push_back(time_of(event));
      side.push_back(std::move(event));
    }
    uint64_t before = 0;
    for (const RawSample& sample : batch.samples) {
      sorted = sorted && before <= sample.time_ns;
      before = sample.time_ns;
      sample_times.push_back(sample.time_ns);
      tids.insert(sample.tid);
      with_stack += !sample.stack.empty();
      with_registers += sample.user.has(register_numbers(host_arch()).pc);
      weight += sample.weight;
    }
  }
};

struct PerfEngineTest : testing::Test {
  Machine machine = load_machine();
  RecordOptions options;
  sigset_t mask{};
  Collector sink;

  void SetUp() override {
    if (!probe_software_clock().opened) { GTEST_SKIP() << "perf_event_open is denied here"; }
    options.events = {default_software_event()};
    ::pthread_sigmask(SIG_SETMASK, nullptr, &mask);
  }

  // Runs until the target ends, at most `limit_ns`.
  void run(PerfEngine& engine, uint64_t limit_ns = 20'000'000'000) {
    uint64_t end = now_ns() + limit_ns;
    for (;;) {
      Result<TargetState> state = engine.pump(sink, -1, std::min(end, now_ns() + 50'000'000));
      ASSERT_TRUE(state.ok());
      if (*state == TargetState::kEnded || now_ns() >= end) { break; }
    }
    engine.stop(sink);
  }
  uint64_t counter(const PerfEngine& engine, const std::string& name) {
    for (const EngineCounter& c : engine.counters()) {
      if (c.name == name) { return c.value; }
    }
    return UINT64_MAX;
  }
};

const char* const kBusyLoop = "i=0; while [ $i -lt 300000 ]; do i=$((i+1)); done";

// The ring must hold a burst of samples: the more events there are, the less is copied of each stack.
TEST(PerfEngineStackSize, DependsOnTheExpectedRate) {
  Machine machine;
  machine.online_cpus = {0, 1};
  machine.memlock_limit_bytes = UINT64_MAX;
  auto copied = [&](const char* event, uint64_t period) {
    RecordOptions options;
    options.events = *parse_events(event);
    options.events[0].period = period;
    return PerfEngine(options, machine).info().stack_bytes;
  };
  EXPECT_EQ(copied("cpu-clock", 0), 16384u);
  EXPECT_EQ(copied("page-faults", 1), 4096u);
  EXPECT_EQ(copied("page-faults", 10), 16384u);
  EXPECT_EQ(copied("cpu-clock", 1000), 4096u) << "a period of a microsecond";
}

TEST_F(PerfEngineTest, RecordsLaunchedCommandFromExec) {
  options.command = {"sh", "-c", "exit 3"};
  PerfEngine engine(options, machine);
  ASSERT_TRUE(engine.start(mask).ok());
  run(engine);
  ASSERT_TRUE(engine.exit_status().has_value());
  EXPECT_EQ(WEXITSTATUS(*engine.exit_status()), 3);
  ASSERT_FALSE(sink.side.empty());
  auto exec = std::find_if(sink.side.begin(), sink.side.end(), [](const SideEvent& e) {
    return std::holds_alternative<CommEvent>(e) && std::get<CommEvent>(e).exec;
  });
  ASSERT_NE(exec, sink.side.end());
  EXPECT_EQ(std::get<CommEvent>(*exec).name, "sh");
  bool mapped_before =
      std::any_of(sink.side.begin(), exec, [](const SideEvent& e) { return std::holds_alternative<MmapEvent>(e); });
  EXPECT_FALSE(mapped_before) << "the recording contains wick's own start";
  bool mapped = std::any_of(exec, sink.side.end(), [](const SideEvent& e) {
    return std::holds_alternative<MmapEvent>(e) && std::get<MmapEvent>(e).path.starts_with("/");
  });
  EXPECT_TRUE(mapped);
  EXPECT_TRUE(sink.sorted);
}

// The time that the host gave to others while this machine wanted to run, on all CPUs.
double stolen_seconds() {
  std::ifstream file("/proc/stat");
  std::string name;
  double ticks = 0;
  file >> name;
  for (int i = 0; i < 8; ++i) { file >> ticks; }
  return file ? ticks / static_cast<double>(::sysconf(_SC_CLK_TCK)) : 0;
}

TEST_F(PerfEngineTest, SamplesAndLossesAddUpToCpuTime) {
  options.command = {"sh", "-c", kBusyLoop};
  // A virtual CPU that is descheduled for a while misses ticks of its clock: try three times.
  for (int tries = 1; tries <= 3; ++tries) {
    sink = {};
    PerfEngine engine(options, machine);
    double stolen_before = stolen_seconds();
    ASSERT_TRUE(engine.start(mask).ok());
    run(engine);
    double stolen = stolen_seconds() - stolen_before;
    uint64_t made = counter(engine, "samples.made"), lost = counter(engine, "lost.ring_full"),
             cpu_ns = counter(engine, "cpu.total_ns");
    EXPECT_EQ(made, sink.sample_times.size());
    ASSERT_GT(made, 20u);
    // There is no stack during exec and exit; clocks that were held up may tick there together.
    EXPECT_GE(sink.with_registers + 3 + made / 20, made);
    EXPECT_GE(sink.with_stack + 3 + made / 20, made);
    EXPECT_LE(sink.with_stack, made);
    EXPECT_TRUE(sink.sorted);
    double expected = static_cast<double>(cpu_ns) / 1e9 * 997, got = static_cast<double>(made + lost);
    EXPECT_LT(got, expected * 1.1 + 10);
    if (!machine.allows_kernel() || got > expected * 0.9 - 10 - stolen * 997) { return; }
  }
  FAIL() << "too few samples three times";
}

TEST_F(PerfEngineTest, SamplesNothingBeforeEnable) {
  options.command = {"sh", "-c", kBusyLoop};
  options.start_enabled = false;
  PerfEngine engine(options, machine);
  ASSERT_TRUE(engine.start(mask).ok());
  run(engine);
  EXPECT_TRUE(sink.sample_times.empty());
  EXPECT_FALSE(sink.side.empty()) << "mappings must be recorded from the start";
}

TEST_F(PerfEngineTest, ExcludesTimeBeforeEnable) {
  options.command = {"sh", "-c", "while :; do :; done"};
  options.start_enabled = false;
  PerfEngine engine(options, machine);
  ASSERT_TRUE(engine.start(mask).ok());
  for (uint64_t end = now_ns() + 600'000'000; now_ns() < end;) { ASSERT_TRUE(engine.pump(sink, -1, end).ok()); }
  uint64_t enabled = now_ns();
  engine.enable();
  for (uint64_t end = enabled + 200'000'000; now_ns() < end;) { ASSERT_TRUE(engine.pump(sink, -1, end).ok()); }
  engine.stop(sink);
  uint64_t took_ns = now_ns() - enabled;
  ::kill(engine.launched_pid(), SIGKILL);
  ::waitpid(engine.launched_pid(), nullptr, 0);
  uint64_t cpu_ns = counter(engine, "cpu.total_ns");
  EXPECT_GT(cpu_ns, 0u);
  EXPECT_LE(cpu_ns, took_ns + 1'000'000);
}

TEST_F(PerfEngineTest, ReportsLossesWhileRecording) {
  options.command = {"sh", "-c", "while :; do :; done"};
  options.rate_hz = 9973;
  options.stack_size = 8192;
  machine.mlock_kb = 64;  // rings of 16 kB, for a single sample
  machine.memlock_limit_bytes = 0;
  machine.capabilities = 0;
  PerfEngine engine(options, machine);
  ASSERT_TRUE(engine.start(mask).ok());
  for (int i = 0; i < 200 && counter(engine, "lost.ring_full") == 0; ++i) {
    ::usleep(100'000);
    ASSERT_TRUE(engine.pump(sink, -1, 0).ok());
  }
  EXPECT_GT(counter(engine, "lost.ring_full"), 0u);
  engine.stop(sink);
  EXPECT_GT(counter(engine, "lost.ring_full"), 0u);
  ::kill(engine.launched_pid(), SIGKILL);
  ::waitpid(engine.launched_pid(), nullptr, 0);
}

TEST_F(PerfEngineTest, AttachingFindsAllThreadsOnce) {
  std::atomic<bool> stop = false;
  std::vector<std::thread> threads;
  for (int i = 0; i < 40; ++i) {
    threads.emplace_back([&] {
      volatile uint64_t n = 0;
      while (!stop) {
        for (int k = 0; k < 100'000; ++k) { n = n + 1; }
        std::this_thread::sleep_for(std::chrono::microseconds(100));
      }
    });
  }
  // Attaches to this process: threads created meanwhile must be seen once, not twice.
  options.pids = {::getpid()};
  PerfEngine engine(options, machine);
  std::thread births([&] {
    while (!stop) {
      std::thread([] {
        volatile int n = 0;
        for (int k = 0; k < 1'000'000; ++k) { n = n + 1; }
      }).join();
    }
  });
  Status started = engine.start(mask);
  if (started.ok()) { run(engine, 1'500'000'000); }
  stop = true;
  for (std::thread& t : threads) { t.join(); }
  births.join();
  ASSERT_TRUE(started.ok()) << started.error().message();
  EXPECT_GE(sink.tids.size(), 41u);
  uint64_t cpu_ns = counter(engine, "cpu.total_ns");
  EXPECT_LT(static_cast<double>(sink.weight), static_cast<double>(cpu_ns) * 1.15) << "samples were counted twice";
}

TEST_F(PerfEngineTest, FailsIfAllTargetsEndMeanwhile) {
  for (int i = 0; i < 2; ++i) {
    pid_t pid = ::fork();
    if (pid == 0) { ::_exit(0); }
    siginfo_t info{};
    ASSERT_EQ(::waitid(P_PID, static_cast<id_t>(pid), &info, WEXITED | WNOWAIT), 0);  // /proc still shows it
    options.pids.push_back(pid);
  }
  PerfEngine engine(options, machine);
  Status started = engine.start(mask);
  for (pid_t pid : options.pids) { ::waitpid(pid, nullptr, 0); }
  ASSERT_FALSE(started.ok());
  EXPECT_EQ(started.error().code(), Errc::kNotFound);
}

TEST_F(PerfEngineTest, RejectsMissingProcess) {
  options.pids = {999'999'999};
  PerfEngine engine(options, machine);
  Status started = engine.start(mask);
  ASSERT_FALSE(started.ok());
  EXPECT_EQ(started.error().code(), Errc::kNotFound);
}

}  // namespace
}  // namespace wick
