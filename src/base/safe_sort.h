// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>

namespace wick {

// For elements that refer to a mapped file: if someone changes the file meanwhile, comparisons contradict each other, and std::sort
// would leave its range. Sorting with a heap then only gives another order, and takes about twice as long.
template <typename Elements, typename ComesBefore>
void safe_sort(Elements& elements, const ComesBefore& comes_before) {
  if (std::is_sorted(elements.begin(), elements.end(), comes_before)) { return; }
  std::make_heap(elements.begin(), elements.end(), comes_before);
  std::sort_heap(elements.begin(), elements.end(), comes_before);
}

}  // namespace wick
