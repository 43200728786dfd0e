// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0

// One part of a program with any amount of debug info: many copies of this file's object are linked together (see
// symbolize). Ordinary library code, inlined into itself, under names that differ from PART to PART. `run` calls all of it.

#include <algorithm>
#include <cstdint>
#include <map>
#include <numeric>
#include <string>
#include <unordered_map>
#include <vector>

#ifndef PART
#define PART 0
#endif
#define JOIN2(a, b) a##b
#define JOIN(a, b) JOIN2(a, b)

namespace JOIN(part_, PART) {

template <int N>
struct Shape {
  std::string name;
  std::vector<uint32_t> points;
  uint64_t area() const {
    return std::accumulate(points.begin(), points.end(), uint64_t{N}, [](uint64_t sum, uint32_t p) { return sum * 31 + p / (N + 1); });
  }
  bool operator<(const Shape& other) const { return area() % 1000 < other.area() % 1000 || name < other.name; }
};

template <int N>
uint64_t draw(uint64_t seed) {
  std::vector<Shape<N>> shapes;
  std::map<std::string, uint64_t> by_name;
  std::unordered_map<uint64_t, std::string> names;
  for (uint64_t i = 0; i < 3 + seed % 3; ++i) {
    Shape<N> shape{std::to_string(seed * i + N), {}};
    for (uint32_t k = 0; k < 4; ++k) { shape.points.push_back(static_cast<uint32_t>(seed >> k) ^ static_cast<uint32_t>(N)); }
    by_name[shape.name] += shape.area();
    names.emplace(shape.area(), shape.name + "!");
    shapes.push_back(std::move(shape));
  }
  std::sort(shapes.begin(), shapes.end());
  std::stable_sort(shapes.begin(), shapes.end(), [](const Shape<N>& a, const Shape<N>& b) { return a.name.size() > b.name.size(); });
  uint64_t sum = 0;
  for (const auto& [name, area] : by_name) { sum += name.size() + area; }
  for (const auto& [area, name] : names) { sum ^= area + name.size(); }
  return sum + shapes.front().area();
}

template <int... N>
uint64_t draw_all(uint64_t seed, std::integer_sequence<int, N...>) {
  uint64_t sum = 0;
  ((sum += draw<PART * 1000 + N>(seed)), ...);
  return sum;
}

}  // namespace JOIN(part_, PART)

extern "C" uint64_t run(uint64_t seed) { return JOIN(part_, PART)::draw_all(seed, std::make_integer_sequence<int, 24>()); }
