// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0

// Writing and reading a recording of a million samples, and building a profile from it. Also prints bytes per sample.

#include <benchmark/benchmark.h>

#include <random>
#include <vector>

#include "capture/wick_reader.h"
#include "capture/wick_writer.h"
#include "pipeline/load.h"

namespace wick::capture {
namespace {

constexpr uint32_t kSamples = 1'000'000;
constexpr uint32_t kStacks = 200'000;

// Four threads at 997 Hz with the jitter of a real clock; a fifth as many stacks as samples, as of a large program.
std::vector<uint8_t> write_recording(bool named) {
  std::mt19937_64 random(1);
  WickWriter writer;
  Info info;
  info.events = {{"cpu-clock", "ns", 997}};
  std::vector<uint8_t> file = writer.begin(info);
  writer.add_module({ModuleKind::kAnonymous, "/opt/example/app", "0011"});
  for (uint32_t t = 0; t < 4; ++t) { writer.add_thread({1, t + 1, 0, ThreadId{0}, "app", 5, 0}); }
  uint32_t stacks = 0, frames = 0;
  uint64_t time = 1'000'000'000;
  for (uint32_t i = 0; i < kSamples; ++i) {
    bool grow = stacks < kStacks && i % (kSamples / kStacks) == 0;
    if (grow) {
      bool new_frame = frames == 0 || random() % 4 == 0;
      FrameId frame = new_frame ? writer.add_frame({ModuleId{0}, 0x1000 + random() % 10'000'000})
                                : FrameId{static_cast<uint32_t>(random() % frames)};
      frames += new_frame;
      writer.add_stack({frame, stacks % 20 == 0 ? StackId{} : StackId{stacks - 1}});
      ++stacks;
    }
    time += 250'000 + random() % 1000;
    StackId stack{grow ? stacks - 1 : static_cast<uint32_t>(random() % stacks)};
    writer.add_sample({time, ThreadId{i % 4}, stack, 0, i % 4, 1'003'009, StackQuality::kWhole});
    if (i % 4096 == 4095) {
      std::vector<uint8_t> blocks = writer.encode_pending();
      file.insert(file.end(), blocks.begin(), blocks.end());
    }
  }
  for (uint32_t f = 0; named && f < frames; ++f) {
    std::string name = "_ZN7example8function" + std::to_string(f / 8) + "Ev";
    writer.add_symbols({FrameId{f}, {{name, "src/example.cc", f % 1000, 0}}});
  }
  std::vector<uint8_t> end = writer.finish();
  file.insert(file.end(), end.begin(), end.end());
  return file;
}

void write_million_samples(benchmark::State& state) {
  size_t size = 0;
  for (auto _ : state) { size = write_recording(false).size(); }
  state.counters["bytes_a_sample"] = static_cast<double>(size) / kSamples;
}
BENCHMARK(write_million_samples)->Unit(benchmark::kMillisecond);

void read_million_samples(benchmark::State& state) {
  std::vector<uint8_t> file = write_recording(true);
  for (auto _ : state) { benchmark::DoNotOptimize(read_wick(file).ok()); }
}
BENCHMARK(read_million_samples)->Unit(benchmark::kMillisecond);

void build_profile_of_million_samples(benchmark::State& state) {
  Result<Capture> capture = read_wick(write_recording(true));
  for (auto _ : state) { benchmark::DoNotOptimize(build_profile(*capture).samples().size()); }
}
BENCHMARK(build_profile_of_million_samples)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace wick::capture
