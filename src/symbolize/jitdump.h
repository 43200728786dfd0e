// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// jit-PID.dump, the binary log of a JIT compiler: which code it emitted where and when, with names and lines. Skips the code
// bytes in the records, but keeps where they are.

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/fd.h"
#include "symbolize/code_names.h"

namespace wick {

class JitDumpReader {
 public:
  // `log`: stored with each function.
  explicit JitDumpReader(CodeNames& names, uint32_t log = 0) : names_(names), log_(log) {}

  // Feeds the file piece by piece. Stops at the first malformed record.
  void feed(Bytes piece);
  // The name of moved code is in an earlier record, which was skipped if its old address was not wanted. Returns true if the
  // complete file must be fed once more.
  bool begin_again();

  // Why reading stopped early; empty if it did not.
  const std::string& trouble() const { return trouble_; }

 private:
  enum class Part { kHeader, kRecord, kBody, kEnd };
  struct Move {
    uint64_t address = 0, size = 0, time_ns = 0;
  };
  class Fields;

  void start(Part part, uint64_t size);
  void step();
  void on_header();
  void on_record();
  void on_load();
  void on_move();
  void stop(std::string_view why);
  bool read_lines(Bytes debug, GeneratedFunction& out) const;

  CodeNames& names_;
  uint32_t log_;
  uint64_t position_ = 0;  // bytes fed
  Part part_ = Part::kHeader;
  std::vector<uint8_t> buffer_;
  uint64_t wanted_bytes_ = 40, skip_ = 0;
  bool swapped_ = false, timed_ = true, from_v8_ = false;
  uint32_t id_ = 0;
  uint64_t rest_ = 0, time_ns_ = 0;                        // of the current record
  std::vector<uint8_t> debug_;                             // the lines of the next function
  std::unordered_map<uint64_t, std::vector<Move>> moves_;  // by function number
  size_t move_count_ = 0;
  bool again_ = false;
  std::string trouble_;
};

}  // namespace wick
