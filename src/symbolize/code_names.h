// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Symbols of generated code for the sampled addresses. A perf map or jitdump may describe millions of functions, and several at
// one address over time, so only functions that cover a wanted address are kept, and when these grow, only those still needed.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace wick {

// An address and when a stack last contained it.
struct CodeAddress {
  uint64_t address = 0, time_ns = 0;
};

// A source line that starts `offset` bytes into the code.
struct CodeLine {
  uint64_t offset = 0;
  uint32_t line = 0, column = 0;
  uint32_t file = 0;  // index into GeneratedFunction::files
};

struct GeneratedFunction {
  uint64_t start = 0, size = 0;
  uint64_t time_ns = 0;  // when the code was emitted; 0: unknown, valid at all times
  std::string name;
  std::vector<CodeLine> lines;  // by offset
  std::vector<std::string> files;
  uint64_t code_offset = 0;  // of its instructions in the file; 0: unknown
  uint32_t log = 0;          // which file that is
};

class CodeNames {
 public:
  static constexpr size_t kMaxNameBytes = 4096;  // longer names are truncated

  explicit CodeNames(std::vector<CodeAddress> wanted);

  // Whether the range contains a wanted address. Most code does not.
  bool wants(uint64_t start, uint64_t size) const;
  // Of several functions that cover an address, the newest one emitted before the address was last seen wins (of equal times, the
  // one added last); if all are later, the first: code may run before it is logged.
  void add(GeneratedFunction function);

  struct Name {
    std::string_view function, file;
    uint32_t line = 0, column = 0;
    const GeneratedFunction* code = nullptr;
  };
  // In the order of `wanted`; without a function if unknown. Views are valid until the next add().
  std::vector<Name> names() const;

  size_t size() const { return functions_.size(); }

 private:
  static constexpr uint32_t kNothing = UINT32_MAX;
  std::vector<uint32_t> choose() const;  // by index of wanted_
  void drop_unused();

  std::vector<CodeAddress> wanted_;  // by address
  std::vector<uint32_t> order_;      // original position of each of wanted_
  std::vector<GeneratedFunction> functions_;
  size_t bytes_ = 0, limit_bytes_ = size_t{32} << 20;
};

}  // namespace wick
