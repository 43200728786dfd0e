// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "export/folded.h"

#include <gtest/gtest.h>

#include "model/testing.h"

namespace wick {
namespace {

using testing_profile::profile_of;

std::string folded(const Profile& p, const FoldedOptions& options = {}, const Filter& filter = {}) {
  std::string out;
  write_folded(p, *select_samples(p, filter), options, [&](std::string_view piece) {
    out += piece;
    return true;
  });
  return out;
}

TEST(Folded, CountsSamplesPerStack) {
  Profile p = profile_of({"app;main;b 2", "app;main;a;c 3", "app;main 1", "worker;main;b 4", "app;main;b 1"});
  EXPECT_EQ(folded(p), "app;main 1\napp;main;a;c 3\napp;main;b 3\nworker;main;b 4\n");
  EXPECT_EQ(folded(p, {}, {.thread = "worker"}), "worker;main;b 4\n");
}

TEST(Folded, PidAndTid) {
  Profile p = profile_of({"app;main 1", "worker;main 2"});
  EXPECT_EQ(folded(p, {.pid = true}), "app-100;main 1\nworker-100;main 2\n");
  EXPECT_EQ(folded(p, {.tid = true}), "app-100/100;main 1\nworker-100/101;main 2\n");
  EXPECT_EQ(folded(p, {.pid = true, .tid = true}), folded(p, {.tid = true}));
}

// Rounding each line up would invent time.
TEST(Folded, ManySmallCostsKeepTheirSum) {
  ProfileBuilder b;
  EventId event = b.event("cpu-clock", "ns", 1000);
  StackId stack = b.stack(b.frame({.function = b.function("[unsampled]", {}, {}, false)}), {});
  ProcessId process = b.add_process(100, "app");
  for (uint32_t i = 0; i < 1000; ++i) {
    ThreadId thread = b.add_thread(process, 200 + i, "short");
    b.add_sample({.thread = thread, .stack = stack, .event = event, .weight = 200'000, .count = 0});
  }
  b.set_cpu_time({.counted = 200'000'000, .sampled = 0, .unsampled = 200'000'000});
  Profile p = std::move(b).build();
  FoldedOptions options{.tid = true};
  options.period = folded_period(p, EventId{0});
  std::string text = folded(p, options);
  uint64_t sum = 0;
  for (size_t at = 0; at < text.size(); at = text.find('\n', at) + 1) {
    sum += std::stoull(text.substr(text.rfind(' ', text.find('\n', at)) + 1));
  }
  EXPECT_EQ(sum, 200u);
}

TEST(Folded, EscapesNamesThatWouldBreakALine) {
  ProfileBuilder b;
  EventId e = b.event("cpu-clock", "ns");
  ThreadId t = b.add_thread(b.add_process(1, "x"), 1, "a;b\n");
  StackId s = b.stack(b.frame({.function = b.function("f<';'>\x01\xff", "", {})}), {});
  s = b.stack(b.frame({.function = b.function("", "", {})}), s);
  b.add_sample({.time_ns = 1, .thread = t, .stack = s, .event = e, .weight = 1});
  Profile p = std::move(b).build();
  EXPECT_EQ(folded(p), "a:b\\n;f<':'>\\x01\xef\xbf\xbd;[unnamed] 1\n");
}

TEST(Folded, SameNameInTwoModulesIsOneLine) {
  Profile p = profile_of({"t;liba.so`f;g 1", "t;libb.so`f;g 2"});
  EXPECT_EQ(folded(p), "t;f;g 3\n");
}

TEST(Folded, DeepStacksAndAnEarlyStop) {
  std::string deep = "t;main";
  for (int i = 0; i < 20000; ++i) { deep += ";descend"; }
  Profile p = profile_of({deep + " 5"});
  EXPECT_EQ(folded(p), deep + " 5\n");
  int pieces = 0;
  Profile q = profile_of({deep + " 5", deep + ";a 1", deep + ";b 1"});
  write_folded(q, *select_samples(q), {}, [&](std::string_view) {
    ++pieces;
    return false;
  });
  EXPECT_EQ(pieces, 1);
}

TEST(Folded, Empty) { EXPECT_EQ(folded(std::move(ProfileBuilder()).build()), ""); }

// One sample with frames from the outermost: name, module, address.
struct F {
  const char *name, *module = "/usr/bin/app";
  uint64_t address = 0x10;
  bool known = true, inlined = false;
};
Profile profile_of_frames(const std::vector<F>& frames, const char* comm = "my app", uint32_t pid = 7) {
  ProfileBuilder b;
  EventId e = b.event("cycles", "events");
  ThreadId t = b.add_thread(b.add_process(pid, comm), 8, comm);
  StackId s;
  for (const F& f : frames) {
    ModuleId m = *f.module != 0 ? b.module(f.module, {}, f.module[0] == '[') : ModuleId{};
    Frame frame{.function = b.function(f.name, {}, m, f.known), .address = f.address, .inlined = f.inlined};
    if (f.address == 0x77) {
      frame.file = b.string("/src/x/file.c");
      frame.line = 12;
    }
    s = b.stack(b.frame(frame), s);
  }
  b.add_sample({.time_ns = 1, .thread = t, .stack = s, .event = e, .weight = 250});
  return std::move(b).build();
}
std::string frames(const std::vector<F>& list, const FrameTextOptions& options = {}, const char* comm = "my app") {
  std::string line = folded(profile_of_frames(list, comm), {.frames = options});
  return line.substr(0, line.rfind(' '));
}
constexpr Rules kPerl = Rules::kPerl, kInferno = Rules::kInferno;

TEST(Folded, Marks) {
  std::vector<F> list = {
      {"main"}, {"gen->inner", "/tmp/perf-12.map"}, {"small", "/usr/bin/app", 0x10, true, true}, {"sys_read", "[kernel]"}};
  EXPECT_EQ(frames(list), "my app;main;gen;inner_[i];small;sys_read");
  EXPECT_EQ(frames(list, {.kernel = true, .jit = true}), "my app;main;gen_[j];inner_[i];small;sys_read_[k]");
  EXPECT_EQ(frames(list, {.inlined = true}), "my app;main;gen;inner_[i];small_[i];sys_read");
  EXPECT_EQ(frames(list, {.kernel = true, .jit = true, .compat = kPerl}), "my_app;main;gen_[j];inner_[i];small;sys_read_[k]");
}

TEST(Folded, FramesWithoutSymbols) {
  std::vector<F> list = {{"[unknown]", "", 0xab, false}, {"[libc.so.6]", "/lib/libc.so.6", 0x7f12, false}};
  EXPECT_EQ(frames(list), "my app;[unknown];[libc.so.6]");
  EXPECT_EQ(frames(list, {.addresses = true}), "my app;[unknown <ab>];[libc.so.6 <7f12>]");
  for (Rules compat : {kPerl, kInferno}) {
    EXPECT_EQ(frames(list, {.compat = compat}), "my_app;[unknown];[libc.so.6]");
    EXPECT_EQ(frames(list, {.addresses = true, .compat = compat}), "my_app;[unknown <ab>];[libc.so.6 <7f12>]");
  }
}

TEST(Folded, TruncatedStacksAndUnsampledTime) {
  for (Rules compat : {Rules::kOwn, kPerl, kInferno}) {
    std::string app = compat == Rules::kOwn ? "my app" : "my_app";
    FrameTextOptions options{.kernel = true, .jit = true, .addresses = true, .source = true, .compat = compat};
    EXPECT_EQ(frames({{"[truncated]", "", 0, false}, {"leaf", "/usr/bin/app", 0x77}}, options),
              app + ";[truncated];leaf:file.c:12");
    EXPECT_EQ(frames({{"[unsampled]", "", 0, false}}, options), app + ";[unsampled]");
  }
}

TEST(Folded, SourceLines) {
  EXPECT_EQ(frames({{"main", "/app", 0x77}, {"f"}}, {.source = true}), "my app;main:file.c:12;f");
  EXPECT_EQ(frames({{"main", "/app", 0x77}, {"f"}}, {.source = true, .compat = kPerl}), "my_app;main:file.c:12;f:app");
}

TEST(Folded, TruncatesNamesLikeOtherTools) {
  struct Case {
    const char *name, *perl, *inferno;
  } cases[] = {
      {"f(int, char)", "f", "f"},
      {"std::function<int (int, int)>::operator()(int) const", "std::function<int ", "std::function<int (int, int)>::operator"},
      {"a::(anonymous namespace)::f(int)", "a::(anonymous namespace)::f", "a::(anonymous namespace)::f"},
      {"net/http.(*Client).Do", "net/http.(*Client).Do", "net/http.(*Client).Do"},
      {"main.(*T).f(x)", "main.(*T).f(x)", "main.(*T).f"},
      {"main::{lambda(int)#1}::operator()(int)", "main::{lambda", "main::{lambda(int)#1}::operator"},
      {"RegExp:[&<>\"\']", "RegExp:[&<>]", "RegExp:[&<>\"\']"},
      {"a;b", "a:b", "a:b"},
      {"x::y::h0123456789abcdef", "x::y::h0123456789abcdef", "x::y"},
      {"_$LT$T$u20$as$u20$X..Y$GT$::f::h0123456789abcdef", "_$LT$T$u20$as$u20$X..Y$GT$::f::h0123456789abcdef", "<T as X::Y>::f"},
  };
  for (const Case& c : cases) {
    EXPECT_EQ(frames({{c.name}}, {.compat = kPerl}), std::string("my_app;") + c.perl);
    EXPECT_EQ(frames({{c.name}}, {.compat = kInferno}), std::string("my_app;") + c.inferno);
  }
  // Both take names that begin with a bracket for something other than functions.
  EXPECT_EQ(frames({{"main"}, {"(anonymous namespace)::f"}}, {.compat = kInferno}), "my_app;main");
  EXPECT_EQ(frames({{"main"}, {"(anonymous namespace)::f"}}), "my app;main;(anonymous namespace)::f");
}

TEST(Folded, JavaNames) {
  std::vector<F> list = {{"Lorg/x/Y;.call(Lorg/z;)V", "/tmp/perf-1.map"}};
  EXPECT_EQ(frames(list, {.compat = kInferno}, "java"), "java;org/x/Y:.call");
  EXPECT_EQ(frames(list, {.compat = kPerl}, "java_main"), "java_main;org/x/Y:.call");
  EXPECT_EQ(frames(list, {.compat = kInferno}, "app"), "app;Lorg/x/Y:.call");
}

TEST(Folded, RecognizesKernelAndGeneratedCode) {
  struct Case {
    const char* module;
    const char *perl, *inferno;
  } cases[] = {
      {"/boot/vmlinux-5.4.0", "f", "f_[k]"},
      {"/x/vmlinux", "f_[k]", "f_[k]"},
      {"/x/ext4.ko", "f", "f_[k]"},
      {"[kernel]", "f_[k]", "f_[k]"},
      {"/tmp/perf-1.map", "f_[j]", "f_[j]"},
      {"/x/jitted-1-2.so", "f", "f_[j]"},
      {"/usr/bin/app", "f", "f"},
  };
  for (const Case& c : cases) {
    FrameTextOptions options{.kernel = true, .jit = true, .compat = kPerl};
    EXPECT_EQ(frames({{"f", c.module}}, options), std::string("my_app;") + c.perl) << c.module;
    options.compat = kInferno;
    EXPECT_EQ(frames({{"f", c.module}}, options), std::string("my_app;") + c.inferno) << c.module;
  }
}

TEST(Folded, SkipAfter) {
  std::vector<F> list = {{"_start"}, {"main"}, {"run(int)"}, {"leaf"}};
  EXPECT_EQ(frames(list, {.skip_after = {"nobody", "main"}}), "main;run(int);leaf");
  EXPECT_EQ(frames(list, {.skip_after = {"main", "run"}}), "run(int);leaf");
  EXPECT_EQ(frames(list, {.compat = kInferno, .skip_after = {"run(int)"}}), "run;leaf");
  EXPECT_EQ(frames(list, {.skip_after = {"nobody"}}), "my app;_start;main;run(int);leaf");
}

TEST(Folded, Recursion) {
  Profile p = profile_of({"f;f;f;g;f;f 2", "f;f;g;f 3"});
  EXPECT_EQ(folded(p, {.recursive = true}), "f;g;f 5\n");
}

TEST(Folded, Weights) {
  Profile p = profile_of_frames({{"main"}}, "app", 0);
  EXPECT_EQ(folded(p, {.pid = true, .weights = true}), "app-?;main 250\n");
  ProfileBuilder b;
  EventId e = b.event("samples", "samples", 0, 1000);
  ThreadId t = b.add_thread(b.add_process(0, ""), 0, "");
  StackId s = b.stack(b.frame({.function = b.function("f", {}, {})}), {});
  b.add_sample({.thread = t, .stack = s, .event = e, .weight = 12050, .count = 12});
  EXPECT_EQ(folded(std::move(b).build(), {.weights = true}), "f 12.05\n");
}

TEST(Folded, SeveralProfiles) {
  FoldedStacks stacks({.weights = true});
  Profile one = profile_of({"t;a 1", "t;b 1"}), two = profile_of({"t;b 1", "u;c 2"}), other = profile_of_frames({{"main"}});
  ASSERT_TRUE(stacks.add(one, *select_samples(one)).ok());
  ASSERT_TRUE(stacks.add(two, *select_samples(two)).ok());
  EXPECT_FALSE(stacks.add(other, *select_samples(other)).ok()) << "nanoseconds and events";
  std::string out;
  stacks.write([&](std::string_view piece) {
    out += piece;
    return true;
  });
  EXPECT_EQ(out, "t;a 1000000\nt;b 2000000\nu;c 2000000\n");
}

TEST(Folded, Difference) {
  FoldedStacks stacks({});
  Profile p = profile_of({"t;a 1", "t;b 1"});
  Selection before = *select_samples(p), after = before;
  after.samples = {1};
  ASSERT_TRUE(stacks.add(p, before, &after).ok());
  std::string out;
  stacks.write([&](std::string_view piece) {
    out += piece;
    return true;
  });
  EXPECT_EQ(out, "t;a 1 0\nt;b 1 1\n");
}

}  // namespace
}  // namespace wick
