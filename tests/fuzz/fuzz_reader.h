// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Any bytes through one reader, whole or in pieces: a profile or an error. For some inputs both ways are taken and compared.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>

#include "import/import.h"
#include "model/profile_builder.h"

namespace wick {

class SmallPieces : public Pieces {
 public:
  explicit SmallPieces(Bytes bytes) : bytes_(bytes) {}
  Result<Bytes> next() override {
    Bytes piece = bytes_.first(std::min<size_t>(bytes_.size(), 7));
    bytes_ = bytes_.subspan(piece.size());
    return piece;
  }

 private:
  Bytes bytes_;
};

// Counts of text are never negative, and a row is there because of samples; tables of JSON and protobuf may hold any number.
enum class Costs : uint8_t { kPositive, kAny };

inline int fuzz_reader(const Reader& reader, const uint8_t* data, size_t size, Costs costs = Costs::kPositive) {
  Bytes bytes(data, size);
  // One way of reading for each input: all of them took three times as long.
  size_t choice = size + (size > 0 ? data[size - 1] : 0);
  if (choice % 32 == 0) {
    (void)detect_reader(head_of(bytes));  // asks every reader
  } else {
    (void)reader.detect(head_of(bytes));
  }
  ImportOptions options{.merge = choice % 2 == 0, .threads = 1, .include_offset = choice % 3 == 0};
  if (choice % 4 > 1) { options.rules = choice % 5 < 2 ? Rules::kPerl : Rules::kInferno; }
  auto read = [&](bool whole) {
    Input input(whole ? make_memory_pieces(bytes) : std::make_unique<SmallPieces>(bytes));
    return import_profile(input, reader, options);
  };
  bool both = choice % 16 < 4;
  Result<Profile> a = read(both || choice % 16 < 10);
  if (both) {
    Result<Profile> b = read(false);
    WICK_ASSERT(a.ok() == b.ok(), "pieces are read as the whole is");
    WICK_ASSERT(!a.ok() || (a->samples().size() == b->samples().size() && a->stacks().size() == b->stacks().size()),
                "pieces give the same profile");
  }
  if (!a.ok()) {
    WICK_ASSERT(!a.error().message().empty(), "an error says something");
    return 0;
  }
  check_profile(*a);
  for (const Sample& s : a->samples()) {
    WICK_ASSERT(costs == Costs::kAny || (s.weight >= 0 && s.count > 0), "a sample has a cost");
  }
  return 0;
}

}  // namespace wick
