// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// For tests of the ptrace engine: builds tests/programs/ptrace_target.c, drives the real engine over it, and keeps what it
// hands over, with each sample's mapping as the side events before it tell.

#include <gtest/gtest-spi.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

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

struct SeenSample {
  uint64_t time_ns = 0, ip = 0;
  uint32_t pid = 0, tid = 0;
  std::string path;
  size_t chain = 0;
};

class SeenSink final : public RawSink {
 public:
  void consume(RawBatch& batch) override {
    ++batches;
    uint64_t last = 0;
    size_t next = 0;
    for (const RawSample& sample : batch.samples) {
      EXPECT_GE(sample.time_ns, last) << "samples of a batch are sorted";
      EXPECT_GT(sample.time_ns, before_) << "later than all of the batch before";
      last = sample.time_ns;
      while (next < batch.side.size() && time_of(batch.side[next]) <= sample.time_ns) { apply(batch.side[next++]); }
      EXPECT_TRUE(living.contains(sample.tid)) << "thread " << sample.tid << " was not announced or is over";
      if (sample.user.valid != 0) {
        EXPECT_EQ(sample.ip, sample.user.value[register_numbers(host_arch()).pc]);
        EXPECT_GE(sample.stack.size(), 64u) << "at least something of the stack";
      }
      EXPECT_GT(sample.weight, 0u);
      weight += sample.weight;
      samples.push_back(
          {sample.time_ns, sample.ip, sample.pid, sample.tid, path_at(sample.pid, sample.ip), sample.user_chain.size()});
    }
    while (next < batch.side.size()) { apply(batch.side[next++]); }
    before_ = last;
  }

  double share(uint64_t begin, uint64_t end) const {
    size_t inside = 0;
    for (const SeenSample& sample : samples) { inside += sample.ip >= begin && sample.ip < end; }
    return samples.empty() ? 0 : static_cast<double>(inside) / static_cast<double>(samples.size());
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

 private:
  using Mappings = std::map<uint64_t, MmapEvent>;

  void apply(const SideEvent& event) {
    EXPECT_GE(time_of(event), side_before_) << "side events are sorted";
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
    EXPECT_EQ(living.erase(e.tid), 1u) << "an end without a beginning, or two";
  }
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
  int status = -1;  // of wait; -1: it still lived when the recording was ended
  pid_t pid = -1;
  std::map<std::string, uint64_t> counters;
  std::vector<std::vector<std::string>> report;  // lines of words

  int64_t number(const std::string& name) const {  // the last one of that name
    int64_t value = -1;
    for (const auto& line : report) {
      if (line.size() > 1 && line[0] == name) { value = std::atoll(line[1].c_str()); }
    }
    return value;
  }
  double share(const std::string& function) const {
    for (const auto& line : report) {
      if (line.size() > 2 && line[0] == function) {
        return sink.share(std::strtoull(line[1].c_str(), nullptr, 16), std::strtoull(line[2].c_str(), nullptr, 16));
      }
    }
    return -1;
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
      GTEST_SKIP() << "no C compiler to build the target with";
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

  // Until the target ends, or `during` (called at each turn) says false.
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
    uint64_t give_up = now_ns() + 120'000'000'000;
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

  // For what depends on times and shares: other programs on the machine may disturb a run, so only the third one decides.
  void measured(const std::function<void()>& test) {
    for (int tries = 1; tries < 3; ++tries) {
      ::testing::TestPartResultArray found;
      {
        ::testing::ScopedFakeTestPartResultReporter instead(
            ::testing::ScopedFakeTestPartResultReporter::INTERCEPT_ONLY_CURRENT_THREAD, &found);
        test();
      }
      bool failed = false;
      for (int i = 0; i < found.size(); ++i) { failed |= found.GetTestPartResult(i).failed(); }
      if (!failed) { return; }
      std::fprintf(stderr, "run %d was disturbed: %s\n", tries, found.GetTestPartResult(0).message());
      ::unlink(report_.c_str());
    }
    test();
  }

  // Samples times period is the CPU time that the program itself measured. `slack_ns`: what it did before and after it measured.
  static void expect_honest(const TargetRun& run, int64_t cpu_ns, int64_t slack_ns = 10'000'000) {
#if defined(__SANITIZE_THREAD__)
    slack_ns += 80'000'000;  // the engine is ten times slower: there it is looked at for races
#endif
    auto late = static_cast<int64_t>(run.counters.at("lost.ptrace_late")) * 1'003'009;
    auto got = static_cast<int64_t>(run.sink.weight) + late;
    EXPECT_NEAR(static_cast<double>(got), static_cast<double>(cpu_ns),
                0.05 * static_cast<double>(cpu_ns) + static_cast<double>(slack_ns));
    EXPECT_EQ(run.sink.samples.size(), run.counters.at("samples.made"));
  }

  std::string folder_, target_, report_;
};

}  // namespace wick
