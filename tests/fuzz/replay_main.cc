// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0

// Replays a corpus without a fuzz engine. Each input is copied to a buffer of exactly its size, so that an overrun of one byte
// is seen by ASan. Beside each whole input, shorter and bit-flipped forms of it are tried: a cheap fuzzer in every test run.

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <random>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

namespace {
void run(const std::vector<char>& input, size_t size) {
  std::unique_ptr<uint8_t[]> exact(new uint8_t[size]);
  std::copy_n(input.begin(), size, exact.get());
  LLVMFuzzerTestOneInput(exact.get(), size);
}
}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: %s CORPUS_FOLDER\n", argv[0]);
    return 2;
  }
  const char* rounds_text = std::getenv("WICK_FUZZ_ROUNDS");
  int rounds = rounds_text ? std::atoi(rounds_text) : 200;
  size_t count = 0;
  for (const auto& entry : std::filesystem::directory_iterator(argv[1])) {
    std::ifstream in(entry.path(), std::ios::binary);
    std::vector<char> input((std::istreambuf_iterator<char>(in)), {});
    run(input, input.size());
    ++count;
    std::mt19937 random(12345);
    for (int i = 0; i < rounds && !input.empty(); ++i) {
      std::vector<char> changed = input;
      for (unsigned k = 0; k < 1 + random() % 4; ++k) { changed[random() % changed.size()] = static_cast<char>(random()); }
      run(changed, i % 3 == 0 ? random() % (changed.size() + 1) : changed.size());
    }
  }
  std::printf("%zu inputs, each with %d changed forms\n", count, rounds);
  return count > 0 ? 0 : 1;
}
