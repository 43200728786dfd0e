// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

namespace wick {

// How far apart the stack pointers of a frame and of its caller were, by the frame's address, as seen in whole stacks. The same
// at each visit but for functions that take stack as they run; hence a guess. Small and forgetful: of addresses that share a
// place (one cache line) the newest stay. With one to a place, the frames of a single stack would drive each other out.
class FrameSizes {
 public:
  static constexpr size_t kPlaces = 256, kTogether = 4;

  void learn(uint64_t address, uint64_t size) {
    Place& place = places_[index(address)];
    auto known = std::find_if(place.begin(), place.end() - 1, [&](const Slot& s) { return s.address == address; });
    std::move_backward(place.begin(), known, known + 1);
    place.front() = {address, size};
  }
  // 0: not known.
  uint64_t find(uint64_t address) const {
    const Place& place = places_[index(address)];
    auto known = std::find_if(place.begin(), place.end(), [&](const Slot& s) { return s.address == address; });
    return known != place.end() ? known->size : 0;
  }
  static size_t index(uint64_t address) { return (address ^ address >> 10) % kPlaces; }

 private:
  struct Slot {
    uint64_t address = 0, size = 0;
  };
  using Place = std::array<Slot, kTogether>;

  std::vector<Place> places_ = std::vector<Place>(kPlaces);
};

}  // namespace wick
