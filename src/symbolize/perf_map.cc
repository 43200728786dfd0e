// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "symbolize/perf_map.h"

#include <algorithm>
#include <cstring>
#include <optional>

#include "base/text.h"

namespace wick {
namespace {

// Parses the next word as a hexadecimal number, with or without 0x.
std::optional<uint64_t> next_hex(std::string_view& line) {
  std::string_view word = line.substr(0, line.find(' '));
  line.remove_prefix(std::min(line.size(), word.size() + 1));
  if (word.starts_with("0x") || word.starts_with("0X")) { word.remove_prefix(2); }
  return word.size() <= 16 ? parse_u64(word, 16) : std::nullopt;
}

}  // namespace

void PerfMapReader::take(std::string_view line) {
  std::optional<uint64_t> start = next_hex(line), size = next_hex(line);
  if (!start || !size || line.empty() || !names_.wants(*start, *size)) { return; }
  names_.add({*start, *size, 0, std::string(line), {}, {}});
}

void PerfMapReader::feed(Bytes piece) {
  std::string_view text(reinterpret_cast<const char*>(piece.data()), piece.size());
  auto begin = [&](std::string_view part) {
    begun_.append(part.substr(0, kMaxLineBytes - std::min(begun_.size(), kMaxLineBytes)));
  };
  while (!text.empty()) {
    const void* end = std::memchr(text.data(), '\n', text.size());
    if (end == nullptr) { return begin(text); }
    std::string_view line = text.substr(0, static_cast<size_t>(static_cast<const char*>(end) - text.data()));
    text.remove_prefix(line.size() + 1);
    if (begun_.empty()) {
      take(line);
      continue;
    }
    begin(line);
    take(begun_);
    begun_.clear();
  }
}

void PerfMapReader::finish() {
  take(begun_);
  begun_.clear();
}

}  // namespace wick
