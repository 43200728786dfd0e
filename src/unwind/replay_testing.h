// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Reads the recorded stacks of tests/data/unwind.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/cpu.h"
#include "base/fd.h"
#include "base/text.h"
#include "elf/decompress.h"

namespace wick::replay {

inline std::vector<uint8_t> load_xz(const std::string& path) {
  Result<std::string> packed = read_file(path);
  if (!packed.ok()) { return {}; }
  return elf::decompress_xz(as_bytes(*packed), 64 << 20).value_or({});
}

inline std::vector<uint8_t> from_hex(std::string_view text) {
  std::vector<uint8_t> out;
  for (size_t i = 0; i + 1 < text.size(); i += 2) { out.push_back(static_cast<uint8_t>(*parse_u64(text.substr(i, 2), 16))); }
  return out;
}

struct ByteRun {
  uint64_t address = 0;
  std::vector<uint8_t> bytes;
};
struct MapLine {
  uint64_t start = 0, end = 0, offset = 0;
  std::string name;
};
struct Case {
  std::string name;
  Registers regs;
  std::vector<ByteRun> stacks, code;
  std::vector<MapLine> maps;
  std::vector<std::string> expect;
};

inline std::vector<Case> parse_cases(std::string_view text) {
  std::vector<Case> cases;
  for (std::string_view line : split(text, '\n')) {
    std::vector<std::string_view> words = split(line, ' ');
    auto hex = [&](size_t i) { return i < words.size() ? parse_u64(words[i], 16).value_or(0) : 0; };
    if (words[0] == "case") {
      cases.emplace_back();
      cases.back().name = words[1];
    } else if (words[0] == "reg") {
      cases.back().regs.set(static_cast<unsigned>(*parse_u64(words[1])), hex(2));
    } else if (words[0] == "stack") {
      cases.back().stacks.push_back({hex(1), from_hex(words[2])});
    } else if (words[0] == "code") {
      cases.back().code.push_back({hex(1), from_hex(words[2])});
    } else if (words[0] == "map") {
      cases.back().maps.push_back({hex(1), hex(2), hex(3), std::string(words[4])});
    } else if (words[0] == "expect") {
      cases.back().expect.assign(words.begin() + 1, words.end());
    }
  }
  return cases;
}

}  // namespace wick::replay
