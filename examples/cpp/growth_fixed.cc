// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0

// Reserves the capacity first.

#include <array>
#include <cstddef>
#include <cstdio>
#include <string>
#include <vector>

struct Point {
  std::string name;
  std::array<double, 12> values;
};

static double fill(size_t count) {
  std::vector<Point> points;
  points.reserve(count);
  for (size_t i = 0; i < count; ++i) { points.push_back({{}, {static_cast<double>(i)}}); }
  return points.back().values[0];
}

int main() {
  double sum = 0;
  for (int round = 0; round < 300; ++round) { sum += fill(10'000); }
  std::printf("%.0f\n", sum);
}
