// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "record/ptrace_engine.h"

#include "os/proc_tasks.h"
#include "record/ptrace_testing.h"

namespace wick {
namespace {

using PtraceEngineTest = PtraceTest;

// Checks that each thread's count is the CPU time that the thread measured at its end.
void expect_counts_of_threads(const TargetRun& run, size_t threads) {
  size_t reported = 0;
  for (const auto& line : run.report) {
    if (line.size() != 3 || line[0] != "thread") { continue; }
    ++reported;
    auto counted = run.sink.counted.find(static_cast<uint32_t>(std::atoll(line[1].c_str())));
    ASSERT_NE(counted, run.sink.counted.end()) << "thread " << line[1];
    double truth = std::atof(line[2].c_str());
    EXPECT_NEAR(static_cast<double>(counted->second), truth, 0.01 * truth + 2e6) << "thread " << line[1];
  }
  EXPECT_EQ(reported, threads);
}

TEST_F(PtraceEngineTest, CountsBusyLoop) {
  measured([&] {
    TargetRun run = record(options({"spin", "700"}));
    ASSERT_TRUE(WIFEXITED(run.status));
    EXPECT_EQ(WEXITSTATUS(run.status), 0);
    expect_honest(run, run.number("cpu_ns"));
    EXPECT_GT(run.share("hot_a"), 0.95);
    ASSERT_EQ(run.sink.execs.size(), 1u);
    EXPECT_EQ(run.sink.execs[0], "target");
    size_t in_target = 0;
    for (const SeenSample& sample : run.sink.samples) { in_target += sample.path == target_; }
    EXPECT_GT(in_target, run.sink.samples.size() * 9 / 10);
    EXPECT_TRUE(run.sink.living.empty());
  });
}

TEST_F(PtraceEngineTest, MeasuresSharesOfFunctions) {
  measured([&] {
    TargetRun run = record(options({"shares", "1500"}));
    expect_honest(run, run.number("cpu_ns"));
    ASSERT_GT(run.sink.samples.size(), 100u);
    expect_share(run, "hot_a", 0.75);
    expect_share(run, "hot_b", 0.25);
  });
}

TEST_F(PtraceEngineTest, SamplesBurstsWhereTheyRun) {
  measured([&] {
    TargetRun run = record(options({"bursts", "1200"}));
    expect_honest(run, run.number("cpu_ns"), 10'000'000, Work::kInBursts);
    ASSERT_GT(run.sink.samples.size(), 20u);
    EXPECT_GT(run.share("hot_a") + run.share("hot_b"), 0.9) << "samples must show its work, though it mostly sleeps";
  });
}

TEST_F(PtraceEngineTest, CountsTwoThreads) {
  measured([&] {
    TargetRun run = record(options({"threads", "2", "500"}));
    expect_honest(run, run.number("cpu_ns"));
    expect_counts_of_threads(run, 2);
    std::map<uint32_t, size_t> per_thread = run.sink.per_thread();
    size_t busy = 0;
    for (const auto& [tid, count] : per_thread) { busy += count >= 20; }
    EXPECT_EQ(busy, 2u);
  });
}

TEST_F(PtraceEngineTest, SamplesTwoHundredThreads) {
  measured([&] {
    TargetRun run = record(options({"threads", "200", "20"}));
    ASSERT_EQ(WEXITSTATUS(run.status), 0);
    expect_honest(run, run.number("cpu_ns"), 30'000'000);
    EXPECT_EQ(run.sink.forks, 200u);
    expect_counts_of_threads(run, 200);
    size_t seen = 0;
    for (const auto& [tid, count] : run.sink.per_thread()) { seen += count >= 3; }
    EXPECT_GE(static_cast<double>(seen), 150 * run.on_time()) << "too few threads sampled";
    EXPECT_GT(run.share("hot_a"), 0.9);
  });
}

TEST_F(PtraceEngineTest, DoesNotStopSleepers) {
  measured([&] {
    TargetRun run = record(options({"sleepers", "300", "500"}));
    expect_honest(run, run.number("cpu_ns"), 20'000'000);
    // One stop per look at the worker; two for the start of each sleeper and two for its end.
    EXPECT_LT(run.counters["ptrace.stops"], 300 * 4 + 2 * run.sink.samples.size() + 100);
  });
}

TEST_F(PtraceEngineTest, FollowsForkTree) {
  measured([&] {
    TargetRun run = record(options({"tree", "3", "60"}));
    ASSERT_EQ(WEXITSTATUS(run.status), 0) << run.complaint();
    EXPECT_EQ(run.sink.processes().size(), 15u);
    expect_honest(run, run.number("cpu_ns") + run.number("children_ns"), 30'000'000);
    EXPECT_GT(run.share("hot_a"), 0.9);
    EXPECT_EQ(run.sink.exits, 15u);
  });
}

TEST_F(PtraceEngineTest, SamplesOnlyFirstThreadWithoutInherit) {
  measured([&] {
    RecordOptions wanted = options({"tree", "2", "60"});
    wanted.inherit = false;
    TargetRun run = record(wanted);
    ASSERT_EQ(WEXITSTATUS(run.status), 0) << run.complaint();
    EXPECT_EQ(run.sink.processes().size(), 1u);
    expect_honest(run, run.number("cpu_ns"));
  });
}

TEST_F(PtraceEngineTest, FollowsExec) {
  measured([&] {
    TargetRun run = record(options({"exec"}));
    ASSERT_EQ(WEXITSTATUS(run.status), 0) << run.complaint();
    ASSERT_EQ(run.sink.execs.size(), 2u);
    EXPECT_EQ(run.sink.execs[0], "target");
    EXPECT_EQ(run.sink.execs[1], "exe");
    expect_honest(run, run.number("cpu_ns"));
    size_t known = 0;
    for (const SeenSample& sample : run.sink.samples) { known += !sample.path.empty(); }
    EXPECT_GE(known + 2, run.sink.samples.size());
  });
}

TEST_F(PtraceEngineTest, FollowsExecFromThread) {
  measured([&] {
    TargetRun run = record(options({"exec-thread"}));
    ASSERT_TRUE(WIFEXITED(run.status));
    ASSERT_EQ(WEXITSTATUS(run.status), 0) << run.complaint();
    ASSERT_EQ(run.sink.execs.size(), 2u);
    expect_honest(run, run.number("cpu_ns"), 120'000'000);  // the last moments of the killed first thread are not reported
    EXPECT_TRUE(run.sink.living.empty());
  });
}

TEST_F(PtraceEngineTest, DeliversEverySignalOnce) {
  TargetRun run = record(options({"signals", "10000"}));
  EXPECT_EQ(run.complaint(), "");
  ASSERT_EQ(WEXITSTATUS(run.status), 0);
  EXPECT_EQ(run.number("received"), 10000);
  EXPECT_EQ(run.number("traps"), 625);
}

TEST_F(PtraceEngineTest, DoesNotInterruptSystemCalls) {
  measured([&] {
    TargetRun run = record(options({"blocking"}));
    EXPECT_EQ(run.complaint(), "");
    ASSERT_EQ(WEXITSTATUS(run.status), 0);
    // A thread may fall asleep between the query and the stop; that must be rare.
    EXPECT_LE(run.number("interruptions"), 2);
    expect_honest(run, run.number("cpu_ns"), 20'000'000);
  });
}

TEST_F(PtraceEngineTest, PreservesJobControl) {
#if defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "the measured times are too short for the thread sanitizer";
#endif
  measured([&] {
    TargetRun run = record(options({"jobs"}));
    EXPECT_EQ(run.complaint(), "");
    EXPECT_EQ(WEXITSTATUS(run.status), 0);
  });
}

TEST_F(PtraceEngineTest, FollowsSpawnedPrograms) {
  TargetRun run = record(options({"spawn", "100"}));
  EXPECT_EQ(run.complaint(), "");
  EXPECT_EQ(WEXITSTATUS(run.status), 0);
  EXPECT_EQ(run.sink.execs.size(), 101u);
  EXPECT_TRUE(run.sink.living.empty());
}

TEST_F(PtraceEngineTest, FollowsShortLivedTasks) {
  TargetRun run = record(options({"churn", "150"}));
  EXPECT_EQ(run.complaint(), "");
  EXPECT_EQ(WEXITSTATUS(run.status), 0);
  EXPECT_EQ(run.sink.forks, 150u * 9);
  EXPECT_EQ(run.sink.exits, 150u * 9 + 1);
  EXPECT_TRUE(run.sink.living.empty());
}

TEST_F(PtraceEngineTest, RunsTargetThatUsesPtrace) {
  TargetRun run = record(options({"own-ptrace"}));
  EXPECT_EQ(run.complaint(), "");
  EXPECT_EQ(WEXITSTATUS(run.status), 0);
  EXPECT_EQ(run.number("traceme"), 42);
  EXPECT_EQ(run.number("seize"), EPERM);
}

TEST_F(PtraceEngineTest, ReportsExitStatus) {
  for (int code : {0, 1, 77, 255}) {
    TargetRun run = record(options({"exit", std::to_string(code)}));
    ASSERT_TRUE(WIFEXITED(run.status));
    EXPECT_EQ(WEXITSTATUS(run.status), code);
    EXPECT_TRUE(run.sink.living.empty());
  }
  for (int signal_number : {SIGKILL, SIGTERM, SIGSEGV, SIGHUP}) {
    measured([&] {
      TargetRun run = record(options({"die", std::to_string(signal_number)}));
      ASSERT_TRUE(WIFSIGNALED(run.status));
      EXPECT_EQ(WTERMSIG(run.status), signal_number);
      EXPECT_GT(run.sink.samples.size(), 5u) << "earlier samples must be kept";
      EXPECT_TRUE(run.sink.living.empty());
    });
  }
}

TEST_F(PtraceEngineTest, FollowsThreadsAfterFirstEnded) {
  measured([&] {
    TargetRun run = record(options({"outlive"}));
    ASSERT_TRUE(WIFEXITED(run.status));
    EXPECT_EQ(WEXITSTATUS(run.status), 3);
    expect_honest(run, run.number("cpu_ns"));
    size_t known = 0;
    for (const SeenSample& sample : run.sink.samples) { known += sample.path == target_; }
    EXPECT_GT(known, run.sink.samples.size() * 9 / 10);
  });
}

TEST_F(PtraceEngineTest, RecordsLateThreadNames) {
  TargetRun run = record(options({"name"}));
  ASSERT_FALSE(run.sink.names.empty());
  EXPECT_EQ(run.sink.names.back(), "christened");
}

TEST_F(PtraceEngineTest, TracksReplacedLibraries) {
  measured([&] {
    std::string alpha = build("alpha.so", "-shared -fPIC -DPLUGIN=1"), beta = build("beta.so", "-shared -fPIC -DPLUGIN=2");
    ASSERT_FALSE(alpha.empty() || beta.empty());
    TargetRun run = record(options({"plugins", alpha, beta}));
    ASSERT_EQ(WEXITSTATUS(run.status), 0) << run.complaint();
    size_t checked = 0, wrong = 0;
    std::set<std::string> places;
    for (const auto& line : run.report) {
      if (line.size() != 5 || !line[0].starts_with("plugin")) { continue; }
      const std::string& path = line[0] == "plugin1" ? alpha : beta;
      uint64_t begin = std::strtoull(line[1].c_str(), nullptr, 16), end = std::strtoull(line[2].c_str(), nullptr, 16);
      uint64_t from = std::strtoull(line[3].c_str(), nullptr, 10), to = std::strtoull(line[4].c_str(), nullptr, 10);
      places.insert(line[1]);
      size_t here = 0;
      for (const SeenSample& sample : run.sink.samples) {
        bool inside = sample.time_ns > from && sample.time_ns < to && sample.ip >= begin && sample.ip < end;
        if (!inside) { continue; }
        ++here;
        wrong += sample.path != path;
      }
      EXPECT_GT(here, 0u) << "one of the libraries was not sampled while it ran";
      checked += here;
    }
    EXPECT_EQ(places.size(), 1u) << "both libraries must be at the same address";
    EXPECT_GT(checked, 200u);
    EXPECT_EQ(wrong, 0u);
    expect_honest(run, run.number("cpu_ns"));
  });
}

TEST_F(PtraceEngineTest, SupportsFramePointersAndNoUnwinding) {
  RecordOptions wanted = options({"spin", "100"});
  wanted.unwind = UnwindMode::kFramePointers;
  TargetRun run = record(wanted);
  ASSERT_FALSE(run.sink.samples.empty());
  for (const SeenSample& sample : run.sink.samples) { EXPECT_GE(sample.chain, 1u); }
  wanted.unwind = UnwindMode::kNone;
  run = record(wanted);
  ASSERT_FALSE(run.sink.samples.empty());
  for (const SeenSample& sample : run.sink.samples) { EXPECT_EQ(sample.chain, 0u); }
}

TEST_F(PtraceEngineTest, SupportsHighRate) {
  measured([&] {
    RecordOptions wanted = options({"spin", "300"});
    wanted.rate_hz = 9997;
    TargetRun run = record(wanted);
    // The number of samples depends on the machine; the end-to-end test control.rate checks it.
    expect_honest(run, run.number("cpu_ns"));
  });
}

TEST_F(PtraceEngineTest, SamplesOnlyAfterEnable) {
  measured([&] {
    RecordOptions wanted = options({"spin", "400"});
    wanted.start_enabled = false;
    uint64_t begin = now_ns(), enabled = 0, used_before = 0;
    TargetRun run = record(wanted, [&](Engine& engine) {
      bool is_time = enabled == 0 && now_ns() - begin > 150'000'000;
      if (!is_time) { return true; }
      std::optional<TaskTimes> times = load_task_times(engine.launched_pid(), engine.launched_pid());
      used_before = times ? times->run_ns : 0;
      enabled = now_ns();
      engine.enable();
      return true;
    });
    ASSERT_FALSE(run.sink.samples.empty());
    for (const SeenSample& sample : run.sink.samples) { EXPECT_GT(sample.time_ns, enabled); }
    expect_honest(run, run.number("cpu_ns") - static_cast<int64_t>(used_before));
  });
}

TEST_F(PtraceEngineTest, DetachesFromRunningTarget) {
  measured([&] {
    uint64_t begin = now_ns();
    TargetRun run = record(options({"threads", "3", "700"}), [&](Engine&) { return now_ns() - begin < 200'000'000; });
    EXPECT_EQ(run.status, -1);
    std::string status = read_file(strf("/proc/%d/status", run.pid)).value_or("");
    EXPECT_NE(status.find("TracerPid:\t0"), std::string::npos) << status;
    int wait_status = 0;
    ASSERT_EQ(::waitpid(run.pid, &wait_status, 0), run.pid);
    EXPECT_TRUE(WIFEXITED(wait_status));
    EXPECT_EQ(WEXITSTATUS(wait_status), 0);
    read_report(run);
    EXPECT_GT(run.number("cpu_ns"), 1'000'000'000);
  });
}

TEST_F(PtraceEngineTest, DetachesFromStoppedTarget) {
  uint64_t begin = now_ns();
  bool sent = false;
  TargetRun run = record(options({"threads", "3", "200"}), [&](Engine& engine) {
    if (!sent) {
      ::kill(engine.launched_pid(), SIGSTOP);
      sent = true;
    }
    return now_ns() - begin < 200'000'000;
  });
  int wait_status = 0;
  ASSERT_EQ(::waitpid(run.pid, &wait_status, WUNTRACED), run.pid);
  ASSERT_TRUE(WIFSTOPPED(wait_status)) << "it must stay stopped";
  ::usleep(20'000);
  EXPECT_EQ(::waitpid(run.pid, &wait_status, WNOHANG), 0);
  ::kill(run.pid, SIGCONT);
  ASSERT_EQ(::waitpid(run.pid, &wait_status, 0), run.pid);
  EXPECT_TRUE(WIFEXITED(wait_status));
}

TEST_F(PtraceEngineTest, WakesUpForCaller) {
  measured([&] {
    Result<std::unique_ptr<Engine>> engine = make_ptrace_engine(options({"spin", "300"}));
    ASSERT_TRUE(engine.ok());
    ASSERT_TRUE((*engine)->start(own_mask()).ok());
    int ends[2];
    ASSERT_EQ(::pipe(ends), 0);
    ASSERT_EQ(::write(ends[1], "x", 1), 1);
    SeenSink sink;
    uint64_t begin = now_ns();
    for (int i = 0; i < 20; ++i) { ASSERT_TRUE((*engine)->pump(sink, ends[0], UINT64_MAX).ok()); }
    EXPECT_LT(now_ns() - begin, 250'000'000u);
    char byte = 0;
    ASSERT_EQ(::read(ends[0], &byte, 1), 1);
    // A deadline in the past: passes data on and returns.
    ASSERT_TRUE((*engine)->pump(sink, ends[0], 0).ok());
    pid_t pid = (*engine)->launched_pid();
    ::kill(pid, SIGKILL);
    while (*(*engine)->pump(sink, -1, UINT64_MAX) != TargetState::kEnded) {}
    EXPECT_TRUE(WIFSIGNALED(*(*engine)->exit_status()));
    (*engine)->stop(sink);
    ::close(ends[0]);
    ::close(ends[1]);
  });
}

TEST_F(PtraceEngineTest, TargetOutlivesKilledRecorder) {
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  pid_t recorder = ::fork();
  if (recorder == 0) {
    Result<std::unique_ptr<Engine>> engine = make_ptrace_engine(options({"threads", "3", "400"}));
    if (!engine.ok() || !(*engine)->start(own_mask()).ok()) { ::_exit(1); }
    pid_t pid = (*engine)->launched_pid();
    SeenSink sink;
    static_cast<void>((*engine)->pump(sink, -1, now_ns() + 100'000'000));
    if (::write(ends[1], &pid, sizeof pid) != sizeof pid) { ::_exit(1); }
    for (;;) { static_cast<void>((*engine)->pump(sink, -1, now_ns() + 100'000'000)); }
  }
  pid_t target = -1;
  ASSERT_EQ(::read(ends[0], &target, sizeof target), static_cast<ssize_t>(sizeof target));
  ::usleep(100'000);
  ::kill(recorder, SIGKILL);
  int status = 0;
  ASSERT_EQ(::waitpid(recorder, &status, 0), recorder);
  for (int tries = 0; tries < 1000 && ::kill(target, 0) == 0; ++tries) { ::usleep(10'000); }
  TargetRun run;
  read_report(run);
  EXPECT_GT(run.number("cpu_ns"), 500'000'000) << "it did not finish";
  ::close(ends[0]);
  ::close(ends[1]);
}

TEST_F(PtraceEngineTest, ReportsCommandsThatCannotRun) {
  for (const auto& [command, code] :
       std::map<std::string, Errc>{{"/no/such/program", Errc::kNoCommand}, {"/etc/passwd", Errc::kNotExecutable}}) {
    RecordOptions wanted = options({});
    wanted.command = {command};
    Result<std::unique_ptr<Engine>> engine = make_ptrace_engine(wanted);
    ASSERT_TRUE(engine.ok());
    Status started = (*engine)->start(own_mask());
    ASSERT_FALSE(started.ok()) << command;
    EXPECT_EQ(started.error().code(), code) << started.error().message();
    EXPECT_EQ(::waitpid(-1, nullptr, WNOHANG), -1) << "a child is left";
  }
}

TEST_F(PtraceEngineTest, RejectsUnsupportedOptions) {
  RecordOptions wanted = options({"spin", "1"});
  wanted.command.clear();
  wanted.pids = {1};
  EXPECT_FALSE(make_ptrace_engine(wanted).ok());
  wanted = options({"spin", "1"});
  wanted.system_wide = true;
  EXPECT_FALSE(make_ptrace_engine(wanted).ok());
}

}  // namespace
}  // namespace wick
