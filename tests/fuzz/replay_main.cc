// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0

// Replays a corpus without a fuzz engine. Each input is copied to a buffer of exactly its size, so that ASan
// detects an overrun of one byte. Also tries truncated and bit-flipped forms of each input: a cheap fuzzer in every test run.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <random>
#include <string_view>
#include <vector>

#define TARGET(name) extern "C" int name(const uint8_t* data, size_t size);
#include "fuzz_targets.inc"
#undef TARGET

namespace {

struct Target {
  std::string_view name;
  int (*run)(const uint8_t* data, size_t size);
};
const Target kTargets[] = {
#define TARGET(name) {#name, name},
#include "fuzz_targets.inc"
#undef TARGET
};

void run(const Target& target, const std::vector<char>& input, size_t size) {
  std::unique_ptr<uint8_t[]> exact(new uint8_t[size]);
  std::copy_n(input.begin(), size, exact.get());
  target.run(exact.get(), size);
}

}  // namespace

int main(int argc, char** argv) {
  const Target* target = nullptr;
  for (const Target& t : kTargets) {
    if (argc == 3 && t.name == argv[1]) { target = &t; }
  }
  if (!target) {
    std::fprintf(stderr, "usage: %s TARGET CORPUS_FOLDER, such as elf_fuzz tests/fuzz/corpus/elf\n", argv[0]);
    return 2;
  }
  const char* rounds_text = std::getenv("WICK_FUZZ_ROUNDS");
  int rounds = rounds_text ? std::atoi(rounds_text) : 100;
  size_t count = 0;
  for (const auto& entry : std::filesystem::directory_iterator(argv[2])) {
    std::ifstream in(entry.path(), std::ios::binary);
    std::vector<char> input((std::istreambuf_iterator<char>(in)), {});
    run(*target, input, input.size());
    ++count;
    std::mt19937 random(12345);
    for (int i = 0; i < rounds && !input.empty(); ++i) {
      std::vector<char> changed = input;
      for (unsigned k = 0; k < 1 + random() % 4; ++k) { changed[random() % changed.size()] = static_cast<char>(random()); }
      run(*target, changed, i % 3 == 0 ? random() % (changed.size() + 1) : changed.size());
    }
  }
  std::printf("%zu inputs, each with %d changed forms\n", count, rounds);
  return count > 0 ? 0 : 1;
}
