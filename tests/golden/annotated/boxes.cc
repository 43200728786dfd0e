// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
// A lambda inlined into a template, a function of another file inlined into the lambda, and a method inlined into that one.
#include "shapes.h"

struct Boxes {
  Box all[64];
  const Box* begin() const { return all; }
  const Box* end() const { return all + 64; }
};
Boxes boxes;

__attribute__((noinline)) static double total_weight(const Boxes& from, double density) {
  return sum_of(from, [density](const Box& box) { return weight_of(box, density); });
}

extern "C" double start(double density) {
  return total_weight(boxes, density) + 1;
}
