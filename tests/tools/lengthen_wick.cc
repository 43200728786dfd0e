// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0

// Makes a long recording from a short one, for benchmarks: its samples again and again, in a slightly different order each time,
// one set of threads after the other. Stacks and symbols are those of the original.   usage: lengthen_wick IN.wick OUT.wick
// SAMPLES

#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include "capture/wick_writer.h"
#include "pipeline/load.h"

namespace wick::capture {
namespace {

class Random {
 public:
  uint64_t below(uint64_t limit) {
    state_ = state_ * 6364136223846793005u + 1442695040888963407u;
    return (state_ >> 33) % limit;
  }

 private:
  uint64_t state_ = 1;
};

int run(const char* in, const char* out_path, uint64_t wanted, uint64_t rounds) {
  Result<LoadedCapture> loaded = load_capture(in);
  if (!loaded.ok() || loaded->capture.samples.empty()) {
    std::fprintf(stderr, "lengthen_wick: %s\n", loaded.ok() ? "no samples" : loaded.error().message().c_str());
    return 1;
  }
  const Capture& from = loaded->capture;
  std::FILE* out = std::fopen(out_path, "wb");
  if (out == nullptr) { return std::perror(out_path), 1; }
  auto put = [&](const std::vector<uint8_t>& bytes) { std::fwrite(bytes.data(), 1, bytes.size(), out); };
  WickWriter writer;
  put(writer.begin(from.info));
  for (const Module& m : from.modules) { writer.add_module(m); }
  for (const Frame& f : from.frames) { writer.add_frame(f); }
  for (const Stack& s : from.stacks) { writer.add_stack(s); }
  for (const FrameSymbols& s : from.symbols) { writer.add_symbols(s); }
  uint64_t first_ns = from.samples.front().time_ns, length_ns = from.samples.back().time_ns - first_ns + 1'000'000;
  Random random;
  std::vector<ThreadId> threads;
  for (uint64_t round = 0, done = 0; done < wanted; ++round) {
    uint64_t shift_ns = round * length_ns;
    if (rounds == 0 ? round == 0 : round % rounds == 0) {
      std::vector<ThreadId> made;
      for (const Thread& t : from.threads) {
        Thread copy = t;
        copy.counted = std::nullopt;
        copy.tail = 0;
        copy.start_ns += shift_ns;
        copy.end_ns = 0;
        copy.process = t.process.valid() && t.process.value < made.size() ? made[t.process.value] : ThreadId{};
        if (t.process.value == made.size()) { copy.process = writer.add_thread(copy); }
        made.push_back(t.process.value == made.size() ? copy.process : writer.add_thread(copy));
      }
      threads = std::move(made);
    }
    std::vector<Sample> samples = from.samples;
    for (size_t i = 0; i < samples.size(); ++i) {  // neighbors of the same thread change places
      size_t j = std::min(samples.size() - 1, i + random.below(32));
      if (samples[i].thread == samples[j].thread) { std::swap(samples[i].stack, samples[j].stack); }
    }
    for (Sample& s : samples) {
      if (done++ == wanted) { break; }
      s.time_ns += shift_ns;
      if (s.thread.valid()) { s.thread = threads[s.thread.value]; }
      writer.add_sample(s);
      if (writer.pending_samples() == 65536) { put(writer.encode_pending()); }
    }
  }
  put(writer.finish());
  return std::fclose(out) == 0 ? 0 : 1;
}

}  // namespace
}  // namespace wick::capture

int main(int argc, char** argv) {
  if (argc < 4 || argc > 5) {
    std::fprintf(stderr, "usage: lengthen_wick IN.wick OUT.wick SAMPLES [ROUNDS]\n");
    return 2;
  }
  return wick::capture::run(argv[1], argv[2], std::strtoull(argv[3], nullptr, 10),
                            argc > 4 ? std::strtoull(argv[4], nullptr, 10) : 0);
}
