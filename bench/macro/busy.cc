// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0

// busy [ROUNDS] [THREADS]: a fixed amount of ordinary work, to compare wall and CPU time with and without a recorder. It
// generates expressions, parses them by recursive descent, evaluates them, and sorts and counts the results in a map. Stacks are
// 10 to 40 frames deep.

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <string>
#include <thread>
#include <vector>

#define KEEP __attribute__((noinline))

namespace {

struct Random {
  uint64_t state;
  uint32_t next() {
    state = state * 6364136223846793005ull + 1442695040888963407ull;
    return static_cast<uint32_t>(state >> 33);
  }
};

KEEP void make(Random& random, int depth, std::string& out) {
  if (depth == 0 || random.next() % 8 == 0) {
    out += std::to_string(random.next() % 1000);
    return;
  }
  out += '(';
  make(random, depth - 1, out);
  out += "+-*"[random.next() % 3];
  make(random, depth - 1, out);
  out += ')';
}

struct Parser {
  const char* at;
  KEEP int64_t number() {
    int64_t v = 0;
    while (*at >= '0' && *at <= '9') { v = v * 10 + (*at++ - '0'); }
    return v;
  }
  KEEP int64_t term() {
    if (*at != '(') { return number(); }
    ++at;
    int64_t value = expression();
    ++at;
    return value;
  }
  KEEP int64_t expression() {
    int64_t left = term();
    while (*at == '+' || *at == '-' || *at == '*') {
      char op = *at++;
      int64_t right = term();
      left = op == '+'   ? left + right
             : op == '-' ? left - right
                         : static_cast<int64_t>(static_cast<uint64_t>(left) * static_cast<uint64_t>(right) % 1000003);
    }
    return left;
  }
};

KEEP int64_t evaluate(const std::string& text) {
  Parser parser{text.c_str()};
  return parser.expression();
}

KEEP uint64_t count(const std::vector<int64_t>& values) {
  std::map<int64_t, int> seen;
  for (int64_t v : values) { ++seen[v % 512]; }
  uint64_t sum = 0;
  for (const auto& [value, times] : seen) { sum = sum * 31 + static_cast<uint64_t>(value) * static_cast<uint64_t>(times); }
  return sum;
}

KEEP uint64_t one_round(Random& random) {
  std::vector<int64_t> values;
  for (int i = 0; i < 40; ++i) {
    std::string text;
    make(random, 10, text);
    values.push_back(evaluate(text));
    for (int k = 0; k < 20; ++k) { values.push_back(values.back() * 31 + k); }
  }
  std::sort(values.begin(), values.end());
  return count(values);
}

KEEP void work(int rounds, uint64_t seed, uint64_t* result) {
  Random random{seed};
  uint64_t sum = 0;
  for (int i = 0; i < rounds; ++i) { sum += one_round(random); }
  *result = sum;
}

}  // namespace

int main(int argc, char** argv) {
  int rounds = argc > 1 ? std::atoi(argv[1]) : 1000;
  int threads = argc > 2 ? std::atoi(argv[2]) : 2;
  std::vector<uint64_t> results(static_cast<size_t>(threads));
  std::vector<std::thread> others;
  for (int i = 1; i < threads; ++i) { others.emplace_back(work, rounds, 7 + i, &results[static_cast<size_t>(i)]); }
  work(rounds, 7, &results[0]);
  for (std::thread& t : others) { t.join(); }
  uint64_t sum = 0;
  for (uint64_t r : results) { sum ^= r; }
  std::printf("%llu\n", static_cast<unsigned long long>(sum));
  return 0;
}
