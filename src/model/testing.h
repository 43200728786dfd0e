// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// For tests only: a profile from lines of text.
//
//   "worker;main;run;libc.so.6`memcpy 3"     three samples of a thread named worker; a frame is [module`]function
//
// Threads of the same name are one thread; the process has the name of the first thread. Samples are a millisecond apart, in the
// order of lines, with a weight of 1,000,000 ns each.

#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/text.h"
#include "model/profile_builder.h"

namespace wick::testing_profile {

struct Options {
  std::string module = "/usr/bin/app";  // default module of functions
  int64_t weight = 1'000'000;
};

inline void add_lines(ProfileBuilder& b, const std::vector<std::string>& lines, const Options& options = {}) {
  EventId event = b.event("cpu-clock", "ns", 1000);
  ProcessId process{};
  std::map<std::string, ThreadId> threads;
  uint64_t time_ns = 0;
  for (const std::string& line : lines) {
    size_t space = line.rfind(' ');
    uint64_t count = parse_u64(std::string_view(line).substr(space + 1)).value_or(0);
    std::vector<std::string_view> parts = split(std::string_view(line).substr(0, space), ';');
    std::string name(parts[0]);
    if (threads.empty()) { process = b.add_process(100, name); }
    if (!threads.count(name)) { threads[name] = b.add_thread(process, 100 + static_cast<uint32_t>(threads.size()), name); }
    StackId stack;
    for (size_t i = 1; i < parts.size(); ++i) {
      size_t tick = parts[i].find('`');
      bool has_module = tick != std::string_view::npos;
      std::string_view module = has_module ? parts[i].substr(0, tick) : std::string_view(options.module);
      std::string_view function = has_module ? parts[i].substr(tick + 1) : parts[i];
      bool kernel = module == "[kernel]", known = !function.starts_with('[');
      stack = b.stack(b.frame({.function = b.function(function, {}, b.module(module, {}, kernel), known)}), stack);
    }
    for (uint64_t n = 0; n < count; ++n) {
      time_ns += 1'000'000;
      b.add_sample({.time_ns = time_ns, .thread = threads[name], .stack = stack, .event = event, .weight = options.weight});
    }
  }
}

inline Profile profile_of(const std::vector<std::string>& lines, const Options& options = {}) {
  ProfileBuilder b;
  b.set_command({"./app", "--size", "10"});
  add_lines(b, lines, options);
  return std::move(b).build();
}

// A changed copy of a profile.
template <typename Edit>
Profile edited(Profile profile, const Edit& edit) {
  ProfileBuilder b(std::move(profile));
  edit(b);
  return std::move(b).build();
}
// Likewise, with changes to each sample.
template <typename Edit>
Profile with_samples(Profile profile, const Edit& edit) {
  return edited(std::move(profile), [&](ProfileBuilder& b) {
    b.change_samples([&](Sample& s) {
      edit(s);
      return true;
    });
  });
}

}  // namespace wick::testing_profile
