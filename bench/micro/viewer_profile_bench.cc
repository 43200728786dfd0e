// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0

// From a profile to the bytes for the viewer's page: samples per second and thread count are those of a large recording.

#include <benchmark/benchmark.h>

#include "export/viewer_profile.h"
#include "model/profile_builder.h"

namespace {

using namespace wick;

Profile make_profile(uint32_t samples) {
  constexpr uint32_t kThreads = 64, kFunctions = 5'000, kStacks = 300'000;
  ProfileBuilder b;
  EventId event = b.event("cpu-clock", "ns", 1000);
  std::vector<ThreadId> threads;
  std::vector<FrameId> frames;
  std::vector<StackId> stacks;
  uint32_t random = 1;
  auto next = [&](uint32_t limit) { return (random = random * 1664525 + 1013904223) % limit; };
  for (uint32_t i = 0; i < kThreads; ++i) {
    threads.push_back(b.add_thread(b.add_process(i, i % 8 == 0 ? "server" : "worker"), i, "t"));
  }
  for (uint32_t i = 0; i < kFunctions; ++i) {
    frames.push_back(b.frame({.function = b.function("function_" + std::to_string(i), {}, b.module("/bin/app")), .line = i}));
  }
  for (uint32_t i = 0; i < kStacks; ++i) {
    stacks.push_back(b.stack(frames[next(kFunctions)], i < 100 ? StackId{} : stacks[i - 1 - next(std::min(i, 5000U))]));
  }
  for (uint64_t i = 0; i < samples; ++i) {
    b.add_sample({.time_ns = i * 30'000,
                  .thread = threads[next(kThreads)],
                  .stack = stacks[next(kStacks)],
                  .event = event,
                  .weight = 1'000'000 + next(1000)});
  }
  return std::move(b).build();
}

void BM_ViewerProfile(benchmark::State& state) {
  Profile profile = make_profile(static_cast<uint32_t>(state.range(0)));
  Filter filter;
  ExportView view{profile, filter, {*select_samples(profile, filter)}};
  uint64_t bytes = 0;
  for (auto _ : state) { bytes = ViewerProfile(view).size_bytes(); }
  state.SetItemsProcessed(state.iterations() * state.range(0));
  state.counters["MB"] = static_cast<double>(bytes) / 1e6;
}
BENCHMARK(BM_ViewerProfile)->Arg(100'000)->Arg(1'000'000)->Arg(10'000'000)->Unit(benchmark::kMillisecond);

}  // namespace
