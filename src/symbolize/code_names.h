// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Names of code that a program made while it ran, for the addresses that were hit. A description of such code (perf map, jitdump)
// may tell of millions of functions and of several at one address, one after the other, so only what covers a wanted address is
// kept, and of that, when it grows, only what still is somebody's answer.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace wick {

// An address and when it was last seen in a stack.
struct CodeAddress {
  uint64_t address = 0, time_ns = 0;
};

// From here on, that many bytes from the begin of the code.
struct CodeLine {
  uint64_t offset = 0;
  uint32_t line = 0, column = 0;
  uint32_t file = 0;  // of GeneratedFunction::files
};

struct GeneratedFunction {
  uint64_t start = 0, size = 0;
  uint64_t time_ns = 0;  // when it came to be there; 0: not known, so it was always there
  std::string name;
  std::vector<CodeLine> lines;  // by offset
  std::vector<std::string> files;
};

class CodeNames {
 public:
  static constexpr size_t kMaxNameBytes = 4096;  // what is longer is cut

  explicit CodeNames(std::vector<CodeAddress> wanted);

  // Whether an address is wanted in there. Most code is not.
  bool wants(uint64_t start, uint64_t size) const;
  // Of several that cover an address, the newest counts that was there when the address was last seen (of equal times the one
  // added last); if all came later, the first of them: code may run before it is told of.
  void add(GeneratedFunction function);

  struct Name {
    std::string_view function, file;
    uint32_t line = 0, column = 0;
  };
  // In the order of `wanted`; without a function where nothing is known. Views live until the next add().
  std::vector<Name> names() const;

  size_t size() const { return functions_.size(); }

 private:
  static constexpr uint32_t kNothing = UINT32_MAX;
  std::vector<uint32_t> choose() const;  // by row of wanted_
  void drop_unused();

  std::vector<CodeAddress> wanted_;  // by address
  std::vector<uint32_t> order_;      // where each of wanted_ stood
  std::vector<GeneratedFunction> functions_;
  size_t bytes_ = 0, limit_bytes_ = size_t{32} << 20;
};

}  // namespace wick
