// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// jit-PID.dump, the binary log of a compiler that makes code while the program runs: what was put where and when, under which
// name, from which lines. Its records hold the code itself too, which is passed over.

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
  explicit JitDumpReader(CodeNames& names) : names_(names) {}

  // The file, piece by piece. What comes behind something senseless is not read.
  void feed(Bytes piece);
  // Code that moved has its name in an earlier record, which was passed over when nobody wanted its old address. If so, all of
  // the file has to be fed once more.
  bool begin_again();

  // Why reading ended before the end of the file; empty when it did not.
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
  Part part_ = Part::kHeader;
  std::vector<uint8_t> buffer_;
  uint64_t wanted_bytes_ = 40, skip_ = 0;
  bool swapped_ = false, timed_ = true, from_v8_ = false;
  uint32_t id_ = 0;
  uint64_t rest_ = 0, time_ns_ = 0;                        // of the record
  std::vector<uint8_t> debug_;                             // the lines of the next function
  std::unordered_map<uint64_t, std::vector<Move>> moves_;  // by the function's number
  size_t move_count_ = 0;
  bool again_ = false;
  std::string trouble_;
};

}  // namespace wick
