// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

struct Box {
  double width, height;
  double area() const { return width * height; }
};

template <typename Items, typename Value>
double sum_of(const Items& items, Value value) {
  double sum = 0;
  for (const auto& item : items) {
    sum += value(item);
  }
  return sum;
}

// In shapes.cc: only link-time optimization can inline it.
double weight_of(const Box& box, double density);
