// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// The text that `wick addr2line` prints for addresses. Many addresses share a chain of inlined functions, which is a kilobyte of
// text: it is formatted once, and answers point to it.

#include <tsl/robin_map.h>

#include <cstdlib>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/hash.h"
#include "symbolize/symbolizer.h"

namespace wick {

struct AnswerOptions {
  bool functions = false, inlines = false, demangle = false, addresses = false, pretty = false, basenames = false, json = false;
  const elf::Image* image = nullptr;  // to look up symbols given instead of addresses
};

// Text in pieces: its own, and pieces that the writer owns.
class Answer {
 public:
  std::string& own() { return own_; }
  void share(std::string_view text);
  // Calls `take` for the pieces in order; they are valid until the answer changes.
  template <typename Take>
  void each_piece(Take take) const {
    size_t at = 0;
    for (const auto& [own_end, text] : shared_) {
      if (own_end > at) { take(std::string_view(own_).substr(at, own_end - at)); }
      take(text);
      at = own_end;
    }
    if (own_.size() > at) { take(std::string_view(own_).substr(at)); }
  }
  void clear() {
    own_.clear();
    shared_.clear();
  }

 private:
  std::string own_;
  std::vector<std::pair<size_t, std::string_view>> shared_;  // offset in `own_` before which the text belongs
};

// One per thread. Answers point into it.
class AnswerWriter {
 public:
  AnswerWriter(const AnswerOptions& options, const FileSymbols& symbols, uint64_t base)
      : options_(options), symbols_(symbols), base_(base) {}
  AnswerWriter(AnswerWriter&&) = default;

  // Announces lines of addresses before their lookup.
  void prepare(std::string_view lines) const;
  // One address in hexadecimal, with or without 0x.
  void append(std::string_view text, Answer& answer);
  // Lines of addresses; the last may lack its newline.
  void append_all(std::string_view lines, Answer& answer);

 private:
  // A chain without the line of its innermost frame.
  struct Key {
    uint32_t node = 0, symbol = 0;
    bool has_line = false;
    friend bool operator==(const Key&, const Key&) = default;
  };
  struct KeyHash {
    size_t operator()(const Key& k) const { return hash_pair(uint64_t{k.node} << 32 | k.symbol, k.has_line); }
  };
  struct Text {
    std::string_view before, behind;  // the text around the innermost frame's file and line
    SymbolizedFrame place;            // its file and line, used where an address has none
  };

  struct FreeBlock {
    void operator()(char* block) const { std::free(block); }
  };

  uint64_t parse(std::string_view text) const;
  std::optional<uint64_t> find_named(std::string_view text) const;
  std::string_view name_of(const SymbolizedFrame& frame);
  std::string_view file_of(const SymbolizedFrame& frame) const;
  void append_address(uint64_t address, std::string& out) const;
  void append_place(const SymbolizedFrame& frame, std::string& out) const;
  Text make_text(uint64_t address);
  void append_json(uint64_t address, std::string& out);
  std::string_view keep(std::string_view text);

  const AnswerOptions& options_;
  const FileSymbols& symbols_;
  uint64_t base_;
  tsl::robin_map<Key, uint32_t, KeyHash> rows_;  // index into `texts_`
  std::vector<Text> texts_;
  std::vector<std::unique_ptr<char, FreeBlock>> blocks_;  // memory of the kept texts
  char* room_ = nullptr;
  size_t room_bytes_ = 0, kept_bytes_ = 0;
  size_t found_ = 0;  // answers that reused a text
  std::vector<SymbolizedFrame> chain_;
  std::string made_;
  std::unordered_map<std::string_view, std::string> demangled_;
};

}  // namespace wick
