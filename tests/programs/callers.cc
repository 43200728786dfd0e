// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0

// callers [SECONDS]: kinds of calls in C++. Of the CPU time
//   40 % shop::Cart::total        through a virtual call
//   30 % shop::Tax::operator()    through std::function
//   20 % shop::average<double>    a template, called by std::sort's comparison
//   10 % the destructor of shop::Guard
// and all of it under shop::checkout(int), called by main.

#include <algorithm>
#include <functional>
#include <vector>

#include "work.h"

namespace shop {

constexpr long kUnit = 60000;

struct Item { virtual ~Item() = default; virtual double total(long n) = 0; };
struct Cart final : Item { KEEP double total(long n) override { burn(4 * n); sink = sink + 1; return 1; } };

struct Tax { KEEP double operator()(long n) const { burn(3 * n); sink = sink + 1; return 2; } };

template <typename T>
KEEP bool average(T a, T b) { burn(2 * kUnit); sink = sink + 1; return a < b; }

struct Guard { KEEP ~Guard() { burn(kUnit); sink = sink + 1; } };

KEEP void by_virtual(Item& item) { item.total(kUnit); sink = sink + 1; }
KEEP void by_function(const std::function<double(long)>& f) { f(kUnit); sink = sink + 1; }
// Insertion sort compares two elements once.
KEEP void by_sort() { std::vector<double> v{2, 1}; std::sort(v.begin(), v.end(), average<double>); sink = sink + 1; }
KEEP void by_destructor() { Guard guard; sink = sink + 1; }

KEEP void checkout(int rounds) {
  Cart cart;
  for (int i = 0; i < rounds; ++i) { change_pace(); by_virtual(cart); by_function(Tax{}); by_sort(); by_destructor(); }
  sink = sink + 1;
}

}  // namespace shop

int main(int argc, char** argv) {
  double end = thread_seconds() + number(argc, argv, 1, 1);
  while (thread_seconds() < end) { shop::checkout(1); }
  return 0;
}
