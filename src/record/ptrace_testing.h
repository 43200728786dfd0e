// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Test helper for the ptrace engine: builds tests/programs/ptrace_target.c, runs the real engine on it, and keeps its output,
// with the mapping of each sample according to the preceding side events.

#include <gtest/gtest-spi.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/fd.h"
#include "base/text.h"
#include "record/ptrace_engine.h"

namespace wick {

// With sanitizers the engine is several times slower: short bursts end before it has checked which threads run.
#if defined(__has_feature)
inline constexpr bool kThreadSanitizer = __has_feature(thread_sanitizer), kAddressSanitizer = __has_feature(address_sanitizer);
#elif defined(__SANITIZE_THREAD__)
inline constexpr bool kThreadSanitizer = true, kAddressSanitizer = false;
#elif defined(__SANITIZE_ADDRESS__)
inline constexpr bool kThreadSanitizer = false, kAddressSanitizer = true;
#else
inline constexpr bool kThreadSanitizer = false, kAddressSanitizer = false;
#endif
enum class Work : uint8_t { kSteady, kInBursts };

struct SeenSample {
  uint64_t time_ns = 0, ip = 0;
  uint32_t pid = 0, tid = 0;
  std::string path;
  size_t chain = 0;
  uint64_t weight = 0;
};

class SeenSink final : public RawSink {
 public:
  void consume(RawBatch& batch) override {
    ++batches;
    uint64_t last = 0;
    size_t next = 0;
    for (const RawSample& sample : batch.samples) {
      EXPECT_GE(sample.time_ns, last) << "samples of a batch must be sorted";
      EXPECT_GT(sample.time_ns, before_) << "must be later than the previous batch";
      last = sample.time_ns;
      while (next < batch.side.size() && time_of(batch.side[next]) <= sample.time_ns) { apply(batch.side[next++]); }
      EXPECT_TRUE(living.contains(sample.tid)) << "thread " << sample.tid << " was not announced or has ended";
      if (sample.user.valid != 0) {
        EXPECT_EQ(sample.ip, sample.user.value[register_numbers(host_arch()).pc]);
        EXPECT_GE(sample.stack.size(), 64u) << "too little of the stack";
      }
      EXPECT_GT(sample.weight, 0u);
      weight += sample.weight;
      samples.push_back({sample.time_ns, sample.ip, sample.pid, sample.tid, path_at(sample.pid, sample.ip),
                         sample.user_chain.size(), sample.weight});
    }
    while (next < batch.side.size()) { apply(batch.side[next++]); }
    before_ = last;
  }

  double share(uint64_t begin, uint64_t end) const {
    uint64_t inside = 0;
    for (const SeenSample& sample : samples) { inside += sample.ip >= begin && sample.ip < end ? sample.weight : 0; }
    return weight == 0 ? 0 : static_cast<double>(inside) / static_cast<double>(weight);
  }
  std::map<uint32_t, size_t> per_thread() const {
    std::map<uint32_t, size_t> count;
    for (const SeenSample& sample : samples) { ++count[sample.tid]; }
    return count;
  }
  std::set<uint32_t> processes() const {
    std::set<uint32_t> pids;
    for (const SeenSample& sample : samples) { pids.insert(sample.pid); }
    return pids;
  }

  std::vector<SeenSample> samples;
  uint64_t weight = 0;
  size_t batches = 0, forks = 0, exits = 0, mmaps = 0, munmaps = 0;
  std::vector<std::string> execs, names;
  std::map<uint32_t, uint32_t> living;  // thread -> process
  std::map<uint32_t, int64_t> counted;  // thread -> CPU time

 private:
  using Mappings = std::map<uint64_t, MmapEvent>;

  void apply(const SideEvent& event) {
    EXPECT_GE(time_of(event), side_before_) << "side events must be sorted";
    side_before_ = time_of(event);
    std::visit([this](const auto& e) { on(e); }, event);
  }
  void on(const MmapEvent& e) {
    ++mmaps;
    unmap(e.pid, e.start, e.length);
    mappings_[e.pid][e.start] = e;
  }
  void on(const MunmapEvent& e) {
    ++munmaps;
    unmap(e.pid, e.start, e.length);
  }
  void on(const ForkEvent& e) {
    ++forks;
    living[e.tid] = e.pid;
    if (e.pid != e.parent_pid) { mappings_[e.pid] = mappings_[e.parent_pid]; }
  }
  void on(const ExitEvent& e) {
    ++exits;
    EXPECT_EQ(living.erase(e.tid), 1u) << "exit without start, or two exits";
  }
  void on(const WaitCountEvent&) {}
  void on(const CountEvent& e) { counted[e.tid] += e.counted; }
  void on(const CommEvent& e) {
    if (!e.exec) {
      names.push_back(e.name);
      return;
    }
    execs.push_back(e.name);
    mappings_[e.pid].clear();
    living[e.tid] = e.pid;
  }
  void unmap(uint32_t pid, uint64_t start, uint64_t length) {
    Mappings& maps = mappings_[pid];
    for (auto it = maps.begin(); it != maps.end();) {
      bool overlaps = it->second.start < start + length && start < it->second.start + it->second.length;
      it = overlaps ? maps.erase(it) : std::next(it);
    }
  }
  std::string path_at(uint32_t pid, uint64_t address) {
    const Mappings& maps = mappings_[pid];
    auto after = maps.upper_bound(address);
    if (after == maps.begin()) { return ""; }
    const MmapEvent& m = std::prev(after)->second;
    return address - m.start < m.length ? m.path : "";
  }

  std::map<uint32_t, Mappings> mappings_;
  uint64_t before_ = 0, side_before_ = 0;
};

// A run of the target under the engine.
struct TargetRun {
  SeenSink sink;
  int status = -1;  // wait status; -1: still running when the recording ended
  pid_t pid = -1;
  std::map<std::string, uint64_t> counters;
  uint64_t elapsed_ns = 0;
  std::vector<std::vector<std::string>> report;  // lines of words

  int64_t number(const std::string& name) const {  // the last one with that name
    int64_t value = -1;
    for (const auto& line : report) {
      if (line.size() > 1 && line[0] == name) { value = std::atoll(line[1].c_str()); }
    }
    return value;
  }
  // CPU time of the process when main() started, including the time before the program was loaded.
  int64_t began_ns() const {
    for (const auto& line : report) {
      if (line.size() > 1 && line[0] == "began_ns") { return std::atoll(line[1].c_str()); }
    }
    return 0;
  }
  double share(const std::string& function) const {
    for (const auto& line : report) {
      if (line.size() > 2 && line[0] == function) {
        return sink.share(std::strtoull(line[1].c_str(), nullptr, 16), std::strtoull(line[2].c_str(), nullptr, 16));
      }
    }
    return -1;
  }
  // The share of the time in which ticks came on time. More cannot be sampled if others keep the CPUs busy.
  double on_time() const {
    return std::min(1.0, static_cast<double>(counters.at("ptrace.on_time_ns")) / static_cast<double>(elapsed_ns));
  }
  std::string complaint() const {
    for (const auto& line : report) {
      if (line.empty() || line[0] != "bad") { continue; }
      std::string all;
      for (const std::string& word : line) { all += word + " "; }
      return all;
    }
    return "";
  }
};

class PtraceTest : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = strf("%s/tests/ptrace-programs", WICK_BINARY_DIR);
    ::mkdir(folder_.c_str(), 0755);
    target_ = build("target", "-pthread", "-ldl");
    if (target_.empty()) {
      ASSERT_EQ(std::getenv("WICK_NO_SKIP"), nullptr) << "no C compiler";
      GTEST_SKIP() << "no C compiler to build the target";
    }
    report_ = strf("%s/report.%d", folder_.c_str(), ::getpid());
    ::unlink(report_.c_str());
  }
  void TearDown() override { ::unlink(report_.c_str()); }

  std::string build(const std::string& name, const std::string& flags, const std::string& libraries = "") {
    std::string out = folder_ + "/" + name;
    std::string source = strf("%s/tests/programs/ptrace_target.c", WICK_SOURCE_DIR);
    struct stat built{}, written{};
    bool is_fresh =
        ::stat(out.c_str(), &built) == 0 && ::stat(source.c_str(), &written) == 0 && built.st_mtime > written.st_mtime;
    if (is_fresh) { return out; }
    std::string beside = strf("%s.%d", out.c_str(), ::getpid());
    std::string line = "cc -O2 -g " + flags + " " + shell_quote(source) + " -o " + shell_quote(beside) + " " + libraries;
    if (std::system(line.c_str()) != 0 || ::rename(beside.c_str(), out.c_str()) != 0) { return ""; }
    return out;
  }

  RecordOptions options(std::vector<std::string> arguments) {
    RecordOptions options;
    options.command = {target_, report_};
    options.command.insert(options.command.end(), arguments.begin(), arguments.end());
    EventSpec event;
    event.name = "cpu-clock";
    event.unit = "ns";
    event.is_clock = true;
    options.events = {event};
    return options;
  }

  static sigset_t own_mask() {
    sigset_t mask;
    ::sigprocmask(SIG_BLOCK, nullptr, &mask);
    return mask;
  }

  // Runs until the target ends or `during` (called in each iteration) returns false.
  TargetRun record(const RecordOptions& wanted, const std::function<bool(Engine&)>& during = nullptr) {
    TargetRun run;
    Result<std::unique_ptr<Engine>> engine = make_ptrace_engine(wanted);
    EXPECT_TRUE(engine.ok()) << engine.error().message();
    if (!engine.ok()) { return run; }
    sigset_t mask = own_mask();
    Status started = (*engine)->start(mask);
    EXPECT_TRUE(started.ok()) << started.error().message();
    if (!started.ok()) { return run; }
    run.pid = (*engine)->launched_pid();
    uint64_t begin = now_ns(), give_up = begin + 120'000'000'000;
    for (;;) {
      Result<TargetState> state = (*engine)->pump(run.sink, -1, now_ns() + 50'000'000);
      EXPECT_TRUE(state.ok());
      if (!state.ok() || *state == TargetState::kEnded || (during && !during(**engine))) { break; }
      if (now_ns() > give_up) {
        ADD_FAILURE() << "the target hangs";
        ::kill(run.pid, SIGKILL);
        break;
      }
    }
    run.elapsed_ns = now_ns() - begin;
    (*engine)->stop(run.sink);
    run.status = (*engine)->exit_status().value_or(-1);
    for (const EngineCounter& counter : (*engine)->counters()) { run.counters[counter.name] = counter.value; }
    read_report(run);
    return run;
  }
  void read_report(TargetRun& run) {
    std::string text = read_file(report_).value_or("");
    for (std::string_view line : split(text, '\n')) {
      std::istringstream words{std::string(line)};
      std::vector<std::string> parts;
      for (std::string word; words >> word;) { parts.push_back(word); }
      run.report.push_back(parts);
    }
  }

  // For tests of times and shares: other programs may disturb a run, so a second one decides.
  void measured(const std::function<void()>& test) {
    std::string first = failure_of(test);
    if (first.empty()) { return; }
    std::fprintf(stderr, "again: %s\n", first.c_str());
    ::unlink(report_.c_str());
    test();
  }
  // The failure messages of a run of the test; empty if it passed.
  static std::string failure_of(const std::function<void()>& test) {
    ::testing::TestPartResultArray found;
    {
      ::testing::ScopedFakeTestPartResultReporter instead(
          ::testing::ScopedFakeTestPartResultReporter::INTERCEPT_ONLY_CURRENT_THREAD, &found);
      test();
    }
    std::string all;
    for (int i = 0; i < found.size(); ++i) {
      const ::testing::TestPartResult& part = found.GetTestPartResult(i);
      if (part.failed()) { all += strf("line %d: %s\n", part.line_number(), part.message()); }
    }
    return all;
  }

  // Counted time is the CPU time that the program measured, except for the time before it was loaded; samples represent nearly
  // all of the time that punctual ticks could see. `slack_ns`: its CPU time after measuring.
  static void expect_honest(const TargetRun& run, int64_t cpu_ns, int64_t slack_ns = 10'000'000, Work work = Work::kSteady) {
    auto most = static_cast<double>(cpu_ns), least = static_cast<double>(cpu_ns - run.began_ns());
    auto slack = static_cast<double>(slack_ns);
    int64_t counted = 0;
    for (const auto& [tid, ns] : run.sink.counted) { counted += ns; }
    EXPECT_GT(static_cast<double>(counted), 0.98 * least - slack);
    EXPECT_LT(static_cast<double>(counted), 1.02 * most + slack);
    auto sampled = static_cast<double>(run.sink.weight);
    bool is_slow = kThreadSanitizer || (kAddressSanitizer && work == Work::kInBursts);
    if (!is_slow) { EXPECT_GT(sampled, 0.8 * least * run.on_time() - slack) << run.on_time() << " on time"; }
    EXPECT_LT(sampled, 1.05 * most + slack);
    EXPECT_EQ(run.sink.samples.size(), run.counters.at("samples.made"));
  }
  // The share of samples is as accurate as their number allows: four standard deviations, plus 2 % for other effects.
  static void expect_share(const TargetRun& run, const std::string& function, double truth) {
    double chance = std::sqrt(truth * (1 - truth) / static_cast<double>(std::max<size_t>(1, run.sink.samples.size())));
    EXPECT_NEAR(run.share(function), truth, 0.02 + 4 * chance) << run.sink.samples.size() << " samples";
  }

  std::string folder_, target_, report_;
};

}  // namespace wick
