// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "pipeline/load.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "analyze/selection.h"
#include "base/clock.h"
#include "base/fd.h"
#include "base/output_file.h"
#include "capture/wick_writer.h"
#include "model/profile_builder.h"
#include "module/module.h"

namespace wick {
namespace {

using capture::Capture;
using capture::ModuleKind;
using capture::StackQuality;

// A capture of one thread; stacks are given from the outermost to the innermost frame.
struct Recording {
  Capture capture;

  Recording() {
    capture.info.command = {"./app"};
    capture.info.events = {{"cpu-clock", "ns", 997}};
    capture.info.start_ns = 1000;
    capture.threads.push_back({100, 100, 1, capture::ThreadId{0}, "app", 1000, 0});
    capture.complete = true;
  }
  uint32_t module(ModuleKind kind, std::string path, std::string build_id = "") {
    capture.modules.push_back({kind, std::move(path), std::move(build_id)});
    return static_cast<uint32_t>(capture.modules.size() - 1);
  }
  uint32_t frame(uint32_t module, uint64_t address, std::vector<std::string> chain) {
    uint32_t id = bare_frame(module, address);
    capture::FrameSymbols symbols{{id}, {}};
    for (std::string& name : chain) { symbols.chain.push_back({std::move(name), "", 0, 0}); }
    capture.symbols.push_back(std::move(symbols));
    return id;
  }
  uint32_t bare_frame(uint32_t module, uint64_t address) {  // never symbolized
    capture.frames.push_back({capture::ModuleId{module}, address});
    return static_cast<uint32_t>(capture.frames.size() - 1);
  }
  uint32_t stack(std::vector<uint32_t> frames) {
    capture::StackId caller;
    for (uint32_t f : frames) {
      capture.stacks.push_back({capture::FrameId{f}, caller});
      caller.value = static_cast<uint32_t>(capture.stacks.size() - 1);
    }
    return caller.value;
  }
  void sample(uint32_t stack, StackQuality quality = StackQuality::kWhole, uint32_t thread = 0) {
    uint64_t time = 2000 + capture.samples.size();
    capture.samples.push_back({time, capture::ThreadId{thread}, capture::StackId{stack}, 0, 0, 10, quality});
  }
};

// "outermost;…;innermost" of a sample; a star marks inlined functions.
std::string folded(const Profile& p, const Sample& sample) {
  std::string out;
  for (StackId id = sample.stack; id.valid(); id = p[id].caller) {
    const Frame& frame = p[p[id].frame];
    std::string name(p.text(p[frame.function].name));
    out = name + (frame.inlined ? "*" : "") + (out.empty() ? "" : ";" + out);
  }
  return out;
}

uint64_t loss(const Profile& p, std::string_view kind) {
  for (const Loss& l : p.losses()) {
    if (p.text(l.kind) == kind) { return l.count; }
  }
  return 0;
}

bool warns(const Profile& p, std::string_view about) {
  return std::any_of(p.warnings().begin(), p.warnings().end(), [&](const std::string& w) { return w.find(about) != w.npos; });
}

class Folder {
 public:
  Folder() {
    char name[] = "/tmp/wick-load-XXXXXX";
    path_ = ::mkdtemp(name);
  }
  ~Folder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  std::string file(const std::string& name, std::string_view content) const {
    EXPECT_TRUE(write_file_atomically(path_ + "/" + name, as_bytes(content)).ok());
    return path_ + "/" + name;
  }
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

TEST(BuildProfile, InlinedChainsBecomeFramesInnermostLast) {
  Recording r;
  uint32_t app = r.module(ModuleKind::kFile, "/opt/x/app", "aa");
  uint32_t main_frame = r.frame(app, 0x10, {"main"});
  uint32_t work = r.frame(app, 0x20, {"_ZN1a5innerEv", "_ZN1a6middleEv", "_ZN1a5outerEv"});
  r.capture.symbols.back().chain[0].file = "a.cc";
  r.capture.symbols.back().chain[0].line = 7;
  r.capture.symbols.back().chain[0].column = 3;
  r.sample(r.stack({main_frame, work}));
  Profile p = build_profile(r.capture);
  ASSERT_EQ(p.samples().size(), 1u);
  EXPECT_EQ(folded(p, p.samples()[0]), "main;a::outer();a::middle()*;a::inner()*");
  const Frame& inner = p[p[p.samples()[0].stack].frame];
  EXPECT_EQ(p.text(inner.file), "a.cc");
  EXPECT_EQ(inner.line, 7u);
  EXPECT_EQ(inner.column, 3u);
  EXPECT_EQ(inner.address, 0x20u);
  EXPECT_EQ(p.text(p[inner.function].raw_name), "_ZN1a5innerEv");
  EXPECT_TRUE(p[inner.function].known);
  EXPECT_EQ(p.text(p[p[inner.function].module].name), "app");
}

TEST(BuildProfile, NamesUnknownCodeAfterItsModule) {
  Recording r;
  std::vector<std::pair<uint32_t, std::string>> cases = {
      {r.module(ModuleKind::kFile, "/opt/none/libx.so.6"), "[libx.so.6]"},
      {r.module(ModuleKind::kFile, "/opt/none/gone (deleted)"), "[gone]"},
      {r.module(ModuleKind::kKernel, "[kernel.kallsyms]"), "[kernel]"},
      {r.module(ModuleKind::kVdso, "[vdso]"), "[vdso]"},
      {r.module(ModuleKind::kAnonymous, "//anon"), "[anon]"},
      {r.module(ModuleKind::kAnonymous, ""), "[anon]"},
      {r.module(ModuleKind::kAnonymous, "[heap]"), "[heap]"},
      {r.module(ModuleKind::kAnonymous, "/memfd:jit (deleted)"), "[memfd:jit]"},
      {r.module(ModuleKind::kUnknown, ""), "[unknown]"},
      {UINT32_MAX, "[unknown]"},
  };
  for (auto& [module, name] : cases) { r.sample(r.stack({r.frame(module, 0x1234, {})})); }
  r.sample(UINT32_MAX);  // no stack
  Profile p = build_profile(r.capture);
  ASSERT_EQ(p.samples().size(), cases.size() + 1);
  for (size_t i = 0; i < cases.size(); ++i) {
    EXPECT_EQ(folded(p, p.samples()[i]), cases[i].second);
    const Frame& frame = p[p[p.samples()[i].stack].frame];
    EXPECT_EQ(frame.address, 0x1234u);
    EXPECT_FALSE(p[frame.function].known);
  }
  EXPECT_EQ(folded(p, p.samples().back()), "[unknown]");
}

TEST(BuildProfile, GeneratedCodeHasItsOwnModule) {
  Recording r;
  uint32_t anonymous = r.module(ModuleKind::kAnonymous, "//anon"),
           memory = r.module(ModuleKind::kAnonymous, "/memfd:code (deleted)");
  r.sample(r.stack({r.frame(anonymous, 0x10, {"Interpreter"})}));
  r.sample(r.stack({r.frame(memory, 0x10, {"compiled"})}));
  r.sample(r.stack({r.frame(anonymous, 0x20, {})}));
  Profile p = build_profile(r.capture);
  auto module = [&](size_t i) { return p.text(p[p[p[p[p.samples()[i].stack].frame].function].module].name); };
  EXPECT_EQ(module(0), "[jit]");
  EXPECT_EQ(module(1), "[jit]");
  EXPECT_EQ(module(2), "[anon]");
}

TEST(BuildProfile, UnknownAddressesOfOneFileAreOneFunction) {
  Recording r;
  uint32_t app = r.module(ModuleKind::kFile, "/opt/x/app");
  r.sample(r.stack({r.frame(app, 0x10, {})}));
  r.sample(r.stack({r.frame(app, 0x20, {})}));
  Profile p = build_profile(r.capture);
  const Frame& a = p[p[p.samples()[0].stack].frame];
  const Frame& b = p[p[p.samples()[1].stack].frame];
  EXPECT_EQ(a.function, b.function);
  EXPECT_NE(a.address, b.address);
}

TEST(BuildProfile, UnsampledTimeIsAFrame) {
  Recording r;
  uint32_t app = r.module(ModuleKind::kFile, "/opt/x/app");
  r.sample(r.stack({r.frame(app, 0x10, {"main"})}));
  r.sample(r.capture.samples[0].stack.value);
  ASSERT_FALSE(r.capture.threads.empty());
  r.capture.info.events[0].rate_hz = 100'000'000;  // a period of 10
  r.capture.threads[0].counted = 26;
  r.capture.threads[0].tail = 6;
  Profile p = build_profile(r.capture);
  ASSERT_EQ(p.samples().size(), 3u);
  int64_t total = 0;
  for (const Sample& s : p.samples()) { total += s.weight; }
  EXPECT_EQ(total, 26);
  auto unsampled = std::find_if(p.samples().begin(), p.samples().end(), [](const Sample& s) { return s.count == 0; });
  ASSERT_NE(unsampled, p.samples().end());
  EXPECT_EQ(folded(p, *unsampled), "[unsampled]");
  EXPECT_EQ(unsampled->weight, 6);
  ASSERT_TRUE(p.cpu_time());
  EXPECT_EQ(p.cpu_time()->counted, 26u);
  EXPECT_EQ(p.cpu_time()->sampled + p.cpu_time()->unsampled, 26u);
  ASSERT_TRUE(p.stack_ways());
  EXPECT_EQ((*p.stack_ways())[static_cast<size_t>(StackWay::kCopied)], 2u);
}

TEST(BuildProfile, WaitsWithoutASampleOrAStackKeepTheirTime) {
  Recording r;
  uint32_t app = r.module(ModuleKind::kFile, "/opt/x/app");
  uint32_t stack = r.stack({r.frame(app, 0x10, {"main"})});
  r.capture.info.events.push_back({"ready", "ns", 997, capture::SampleKind::kOffCpu});
  r.capture.info.events.push_back({"blocked", "ns", 997, capture::SampleKind::kOffCpu});
  r.capture.causes = {{capture::WaitKind::kSocket, "socket:[7]"}, {}};
  r.capture.waits = {{capture::CauseId{0}, 60, true}, {capture::CauseId{1}, 15, true}};
  for (uint32_t i = 0; i < 2; ++i) {
    r.sample(stack);
    capture::Sample& sample = r.capture.samples.back();
    sample.event = 2;
    sample.wait = capture::WaitId{i};
  }
  r.capture.samples[1].stack = {};
  r.capture.samples[1].quality = StackQuality::kMissed;
  r.capture.threads[0].ready = 5;
  r.capture.threads[0].blocked = 100;
  Profile p = build_profile(r.capture);
  std::map<std::string, int64_t> weights;
  for (const Sample& s : p.samples()) { weights[std::string(p.text(p[s.event].name)) + " " + folded(p, s)] += s.weight; }
  EXPECT_EQ(weights,
            (std::map<std::string, int64_t>{
                {"blocked main", 10}, {"blocked [truncated]", 10}, {"blocked [unsampled]", 80}, {"ready [unsampled]", 5}}));
  EXPECT_EQ(loss(p, "stacks.missed"), 1u);
  ASSERT_EQ(p.waits().size(), 2u);
  EXPECT_EQ(p.text(p.waits()[0].kind), "socket");
  EXPECT_EQ(p.text(p.waits()[0].object), "socket:[7]");
  EXPECT_EQ(p.threads()[0].blocked_ns, 100u);

  r.capture.complete = false;  // damaged: time without samples is lost
  r.capture.counters.clear();
  EXPECT_EQ(build_profile(r.capture).samples().size(), 2u);
}

// Samples that exceed their thread's CPU time are scaled to it, without rounding losses.
TEST(BuildProfile, SamplesAddUpToTheCount) {
  Recording r;
  uint32_t app = r.module(ModuleKind::kFile, "/opt/x/app");
  uint32_t stack = r.stack({r.frame(app, 0x10, {"main"})});
  for (int i = 0; i < 7; ++i) { r.sample(stack); }
  r.capture.threads[0].counted = 52;
  Profile p = build_profile(r.capture);
  int64_t total = 0;
  for (const Sample& s : p.samples()) { total += s.weight; }
  EXPECT_EQ(total, 52);
}

TEST(BuildProfile, TruncatedStacksAreNotRoots) {
  Recording r;
  uint32_t app = r.module(ModuleKind::kFile, "/opt/x/app");
  uint32_t stack = r.stack({r.frame(app, 0x10, {"main"}), r.frame(app, 0x20, {"work"})});
  r.sample(stack);
  r.sample(stack, StackQuality::kCut);
  r.sample(stack, StackQuality::kNoRow);
  r.sample(stack, StackQuality::kLive);
  r.sample(stack, static_cast<StackQuality>(200));  // from a later version of wick
  Profile p = build_profile(r.capture);
  EXPECT_EQ(folded(p, p.samples()[0]), "main;work");
  EXPECT_EQ(folded(p, p.samples()[1]), "[truncated];main;work");
  EXPECT_EQ(p.samples()[1].stack, p.samples()[2].stack);
  EXPECT_EQ(p.samples()[0].stack, p.samples()[3].stack);
  EXPECT_EQ(folded(p, p.samples()[4]), "[truncated];main;work");
  EXPECT_EQ(loss(p, "stacks.cut"), 1u);
  EXPECT_EQ(loss(p, "stacks.no_row"), 1u);
  EXPECT_EQ(loss(p, "stacks.not_whole"), 1u);
  for (const Loss& l : p.losses()) { EXPECT_FALSE(l.samples); }
}

TEST(BuildProfile, CountersBecomeLosses) {
  Recording r;
  r.capture.counters = {
      {"lost.ring_full", 5}, {"lost.malformed", 0}, {"side.lost", 2}, {"cpu.total_ns", 1000}, {"stacks.cut", 9}};
  Profile p = build_profile(r.capture);
  EXPECT_EQ(loss(p, "lost.ring_full"), 5u);
  EXPECT_EQ(loss(p, "side.lost"), 2u);
  EXPECT_EQ(p.losses().size(), 2u);  // not for zeros, other counters, or stacks, which are counted here
  for (const Loss& l : p.losses()) { EXPECT_EQ(l.samples, p.text(l.kind) == "lost.ring_full"); }
}

TEST(BuildProfile, ThreadsBelongToTheProcessAtTheirTime) {
  Recording r;
  r.capture.threads = {{100, 100, 1, capture::ThreadId{0}, "sh", 5, 20},
                       {100, 101, 1, capture::ThreadId{0}, "helper", 6, 20},
                       {100, 100, 1, capture::ThreadId{2}, "app", 20, 0},
                       {200, 200, 100, capture::ThreadId{}, "child", 30, 0}};
  for (uint32_t thread = 0; thread < 4; ++thread) { r.sample(UINT32_MAX, StackQuality::kWhole, thread); }
  Profile p = build_profile(r.capture);
  ASSERT_EQ(p.threads().size(), 4u);
  ASSERT_EQ(p.processes().size(), 3u);
  EXPECT_EQ(p.threads()[0].process, p.threads()[1].process);
  EXPECT_NE(p.threads()[0].process, p.threads()[2].process);
  EXPECT_EQ(p.text(p[p.threads()[1].process].name), "sh");
  EXPECT_EQ(p.text(p[p.threads()[2].process].name), "app");
  EXPECT_EQ(p[p.threads()[3].process].parent_pid, 100u);
  EXPECT_EQ(p.threads()[1].tid, 101u);
}

TEST(BuildProfile, AcceptsDeepStacksAndHugeWeights) {
  Recording r;
  uint32_t app = r.module(ModuleKind::kFile, "/opt/x/app");
  uint32_t f = r.frame(app, 0x10, {"descend"});
  r.sample(r.stack(std::vector<uint32_t>(200'000, f)));
  r.capture.samples[0].weight = UINT64_MAX;
  Profile p = build_profile(r.capture);
  EXPECT_EQ(p.stacks().size(), 200'000u);
  EXPECT_EQ(p.samples()[0].weight, INT64_MAX);
}

TEST(BuildProfile, LimitsInlinedChains) {
  Recording r;
  uint32_t app = r.module(ModuleKind::kFile, "/opt/x/app");
  std::vector<std::string> chain(20'000, "inlined");
  chain.back() = "outer";
  r.sample(r.stack(std::vector<uint32_t>(20'000, r.frame(app, 0x10, chain))));  // 400 million frames
  Profile p = build_profile(r.capture);
  EXPECT_LT(p.stacks().size(), size_t{5} << 20);
  EXPECT_GT(p.stacks().size(), size_t{4} << 20);
  EXPECT_TRUE(warns(p, "too many inlined functions"));
  EXPECT_EQ(p.text(p[p[p[p.samples()[0].stack].frame].function].name), "outer");
}

TEST(BuildProfile, DamageIsAWarning) {
  Recording r;
  EXPECT_TRUE(build_profile(r.capture).warnings().empty());
  EXPECT_TRUE(build_profile(r.capture).losses_known());
  r.capture.complete = false;
  Profile unfinished = build_profile(r.capture);
  EXPECT_TRUE(warns(unfinished, "incomplete"));
  EXPECT_TRUE(warns(unfinished, "unknown"));
  EXPECT_FALSE(unfinished.losses_known());
  r.capture.counters = {{"lost.ring_full", 0}};
  EXPECT_FALSE(warns(build_profile(r.capture), "unknown"));
  r.capture.damage = "the block at byte 99 is truncated";
  EXPECT_TRUE(warns(build_profile(r.capture), "byte 99"));
}

// This test program serves as a recorded file without symbols in the recording.
extern "C" [[gnu::noinline]] void wick_load_test_marker() { asm volatile(""); }

TEST(BuildProfile, SymbolizesFromAFileThatIsStillHere) {
  ModuleStore store;
  std::string self = std::string(WICK_BINARY_DIR) + "/tests/pipeline_test";
  const LoadedModule* loaded = store.load({0, self, 0, 0});
  if (!loaded->image) { GTEST_SKIP() << "no " << self; }
  // The function's address as linked, from the mapping of its segment.
  Result<std::string> maps = read_file("/proc/self/maps");
  ASSERT_TRUE(maps.ok());
  uint64_t avma = reinterpret_cast<uint64_t>(&wick_load_test_marker), svma = 0;
  size_t at = 0;
  while (at < maps->size()) {
    std::string line = maps->substr(at, maps->find('\n', at) - at);
    unsigned long long start = 0, end = 0, offset = 0;
    if (std::sscanf(line.c_str(), "%llx-%llx %*s %llx", &start, &end, &offset) == 3 && avma >= start && avma < end) {
      svma = loaded->svma(offset + (avma - start)).value_or(0);
    }
    at += line.size() + 1;
  }
  ASSERT_NE(svma, 0u);

  Recording r;
  uint32_t here = r.module(ModuleKind::kFile, self, loaded->build_id);
  uint32_t other = r.module(ModuleKind::kFile, self, "0000");
  uint32_t gone = r.module(ModuleKind::kFile, "/no/such/file", "0000");
  r.frame(here, 0x1, {"named"});  // makes rows of the table and requested rows differ
  uint32_t marker = r.bare_frame(here, svma), stranger = r.bare_frame(other, svma), missing = r.bare_frame(gone, svma);
  r.sample(r.stack({marker}));
  r.sample(r.stack({stranger}));
  r.sample(r.stack({missing}));
  Profile p = build_profile(r.capture);
  EXPECT_EQ(folded(p, p.samples()[0]), "wick_load_test_marker");
  EXPECT_EQ(folded(p, p.samples()[1]), "[pipeline_test]");
  EXPECT_EQ(folded(p, p.samples()[2]), "[file]");  // named after /no/such/file
  EXPECT_TRUE(warns(p, "has changed since it was recorded"));
  EXPECT_EQ(p.warnings().size(), 1u);
}

TEST(BuildProfile, DoesNotSymbolizeTheKernelOfAnotherBoot) {
  Result<std::string> table = read_file("/proc/kallsyms");
  uint64_t address = 0;
  if (table.ok()) {
    size_t at = table->find(" T ");
    if (at != std::string::npos && at >= 16) { address = std::strtoull(table->substr(at - 16, 16).c_str(), nullptr, 16); }
  }
  if (address == 0) { GTEST_SKIP() << "the kernel's addresses are hidden here"; }
  utsname machine{};
  ASSERT_EQ(::uname(&machine), 0);
  Recording r;
  uint32_t kernel = r.module(ModuleKind::kKernel, "[kernel.kallsyms]");
  r.sample(r.stack({r.bare_frame(kernel, address)}));
  r.capture.info.kernel = machine.release;
  r.capture.info.host = machine.nodename;
  r.capture.info.start_wall_ns = wall_ns();
  Profile now = build_profile(r.capture);
  EXPECT_NE(folded(now, now.samples()[0]), "[kernel]");
  r.capture.info.start_wall_ns = 1;  // in 1970
  Profile old = build_profile(r.capture);
  EXPECT_EQ(folded(old, old.samples()[0]), "[kernel]");
  r.capture.info.start_wall_ns = wall_ns();
  r.capture.info.host = "elsewhere";
  Profile elsewhere = build_profile(r.capture);
  EXPECT_EQ(folded(elsewhere, elsewhere.samples()[0]), "[kernel]");
}

TEST(LoadProfile, ReadsWhatWasWritten) {
  Folder folder;
  capture::WickWriter writer;
  capture::Info info;
  info.events = {{"cpu-clock", "ns", 997}};
  std::vector<uint8_t> bytes = writer.begin(info);
  writer.add_thread({1, 1, 0, capture::ThreadId{0}, "app", 5, 0});
  writer.add_sample({100, capture::ThreadId{0}, {}, 0, 3, 1000, StackQuality::kWhole});
  std::vector<uint8_t> rest = writer.finish();
  bytes.insert(bytes.end(), rest.begin(), rest.end());
  std::string path = folder.file("a.wick", {reinterpret_cast<const char*>(bytes.data()), bytes.size()});
  Result<Profile> profile = load_profile(path);
  ASSERT_TRUE(profile.ok()) << profile.error().message();
  ASSERT_EQ(profile->samples().size(), 1u);
  EXPECT_EQ(profile->samples()[0].cpu, 3u);
  EXPECT_TRUE(profile->warnings().empty());
}

// Counts precede the samples they belong to. A file cut in between has counts without samples.
TEST(LoadProfile, LostBlocksAreNotUnsampledTime) {
  Folder folder;
  capture::WickWriter writer;
  capture::Info info;
  info.events = {{"cpu-clock", "ns", 1'000'000}};
  std::vector<uint8_t> bytes = writer.begin(info);
  auto append = [&](const std::vector<uint8_t>& more) { bytes.insert(bytes.end(), more.begin(), more.end()); };
  for (uint32_t second = 0; second < 3; ++second) {  // each with a thread of its own
    uint64_t start = 1'000'000 * second;
    writer.add_thread({second + 1, second + 1, 0, capture::ThreadId{second}, "app", start, start + 500'000, 500'000, 100'000});
    for (uint64_t i = 0; i < 400; ++i) {
      writer.add_sample({start + 1000 * i, capture::ThreadId{second}, {}, 0, 0, 1000, StackQuality::kWhole});
    }
    if (second < 2) { append(writer.encode_pending()); }
  }
  writer.set_counter("lost.ring_full", 0);
  append(writer.finish());

  std::set<size_t> sample_counts;
  for (size_t size = 0; size <= bytes.size(); ++size) {
    bool is_whole = size == bytes.size();
    std::string path = folder.file("a.wick", {reinterpret_cast<const char*>(bytes.data()), size});
    Result<Profile> profile = load_profile(path);
    if (!profile.ok()) { continue; }
    int64_t weight = 0;
    size_t unsampled = 0;
    for (const Sample& s : profile->samples()) {
      weight += s.weight;
      unsampled += s.count == 0;
    }
    size_t samples = profile->samples().size() - unsampled;
    sample_counts.insert(samples);
    EXPECT_EQ(profile->warnings().empty(), is_whole) << size;
    if (samples < 1200) {
      EXPECT_EQ(unsampled, 0u) << size;
      EXPECT_EQ(weight, static_cast<int64_t>(1000 * samples)) << size;
    } else if (is_whole) {
      EXPECT_EQ(unsampled, 3u);
      EXPECT_EQ(weight, 1'500'000);
    }
  }
  EXPECT_EQ(sample_counts, (std::set<size_t>{0, 400, 800, 1200}));
}

TEST(LoadProfile, ReadsAPipe) {
  Folder folder;
  std::string fifo = folder.path() + "/fifo";
  ASSERT_EQ(::mkfifo(fifo.c_str(), 0600), 0);
  std::jthread writer([&] {
    Fd fd(::open(fifo.c_str(), O_WRONLY | O_CLOEXEC));
    for (std::string_view part : {"main;wo", "rk 3\nmain", ";rest 4\n"}) {
      EXPECT_TRUE(write_all(fd.get(), as_bytes(part), fifo).ok());
    }
  });
  Result<Profile> profile = load_profile(fifo);
  ASSERT_TRUE(profile.ok()) << profile.error().message();
  ASSERT_EQ(profile->samples().size(), 2u);
  EXPECT_EQ(folded(*profile, profile->samples()[0]), "main;work");
  EXPECT_EQ(profile->samples()[1].count, 4u);
}

TEST(LoadProfile, ErrorsNameTheFileAndItsFormat) {
  Folder folder;
  auto message = [](const std::string& path) {
    Result<Profile> profile = load_profile(path);
    return profile.ok() ? std::string("no error") : profile.error().message();
  };
  auto expect = [&](const std::string& path, std::string_view what) {
    std::string text = message(path);
    EXPECT_NE(text.find(path), text.npos) << text;
    EXPECT_NE(text.find(what), text.npos) << text;
  };
  expect(folder.path() + "/missing", "no such file");
  expect(folder.path(), "a directory");
  expect("/dev/null", "a device");
  expect("/dev/zero", "a device");
  expect(folder.file("empty", ""), "empty");
  expect(folder.file("text", "hello\n"), "a text file");
  expect(folder.file("gzip", "\x1f\x8b\x08"), "the gzip file is truncated");
  expect(folder.file("zstd", "\x28\xb5\x2f\xfd.."), "the zstd file is ");
  expect(folder.file("elf",
                     "\x7f"
                     "ELF\x02"),
         "a program or library");
  expect(folder.file("json", " \n[1, 2]"), "a JSON file");
  expect(folder.file("svg", "<svg></svg>"), "SVG");
  expect(folder.file("noise", std::string("\x01\x00\xff", 3)), "profile format");
  expect(folder.file("png", "\x89PNG\r\n\x1a\n"), "not a wick profile");
  Result<Profile> missing = load_profile("profile.wick.that.is.not.there");
  ASSERT_FALSE(missing.ok());
  EXPECT_EQ(missing.error().code(), Errc::kNotFound);
  EXPECT_EQ(missing.error().hint(), "wick record -o profile.wick.that.is.not.there -- ./app");
}

// Views show on-CPU samples first, whatever the order in the file; costs of different kinds are never added up.
TEST(Load, OnCpuSamplesComeFirst) {
  capture::Capture capture;
  capture.info.events = {{"clock", "ns", 0, capture::SampleKind::kOffCpu},
                         {"clock", "ns", 0, capture::SampleKind::kOnCpu},
                         {"clock", "ns", 0, capture::SampleKind::kTask},
                         {"dreams", "ns", 0, capture::SampleKind::kOther}};
  capture.threads.push_back({1, 1, 0, capture::ThreadId{0}, "app", 0, 0});
  capture.threads[0].counted = 1000;  // in the unit of the first event, which is not CPU time
  for (uint32_t event = 0; event < 4; ++event) {
    capture::Sample sample;
    sample.thread = capture::ThreadId{0};
    sample.event = event;
    sample.weight = 10 + event;
    capture.samples.push_back(sample);
  }
  Profile profile = build_profile(capture);
  auto shown = [&](const char* name) {
    Filter filter;
    filter.event = name;
    Result<Selection> selection = select_samples(profile, filter);
    return selection.ok() ? profile.text(profile[selection->event].name) : std::string_view("none");
  };
  EXPECT_EQ(shown(""), "clock");
  EXPECT_EQ(shown("clock (off-cpu)"), "clock (off-cpu)");
  EXPECT_EQ(shown("clock (task)"), "clock (task)");
  EXPECT_EQ(shown("dreams"), "dreams");
  ASSERT_EQ(profile.samples().size(), 4u);
  int64_t on_cpu = 0;
  for (const Sample& sample : profile.samples()) {
    if (sample.event == choose_event(profile)) { on_cpu += sample.weight; }
  }
  EXPECT_EQ(on_cpu, 11);
}

}  // namespace
}  // namespace wick
