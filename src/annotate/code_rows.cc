// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "annotate/code_rows.h"

#include <algorithm>
#include <map>
#include <span>
#include <string_view>
#include <tuple>

namespace wick {
namespace {

using Kind = CodeRow::Kind;

class RowMaker {
 public:
  explicit RowMaker(const FunctionCode& code) : code_(code) {
    for (const SourcePart& part : code.sources) {
      for (size_t i = 0; i < part.lines.size(); ++i) {
        lines_[{part.file, part.first + static_cast<uint32_t>(i)}] = &part.lines[i];
      }
    }
  }

  std::vector<CodeRow> make() {
    std::vector<uint32_t> all(code_.instructions.size());
    for (uint32_t i = 0; i < all.size(); ++i) { all[i] = i; }
    add_function(all, 0);
    return std::move(rows_);
  }

 private:
  struct Place {
    const std::string* file;
    uint32_t line;
  };
  // Where the instruction is in the function at this depth: a line that calls an inlined function, or its own.
  Place place(uint32_t instruction, uint32_t depth) const {
    const CodeInstruction& i = code_.instructions[instruction];
    if (depth < i.inlined.size()) { return {&i.inlined[depth].file, i.inlined[depth].line}; }
    return {&i.file, i.line};
  }
  // The file of a function at this depth. Instructions without a line may have any file in the line table.
  const std::string* file_of(std::span<const uint32_t> instructions, uint32_t depth) const {
    for (uint32_t i : instructions) {
      if (Place at = place(i, depth); at.line != 0) { return at.file; }
    }
    return instructions.empty() ? nullptr : place(instructions.front(), depth).file;
  }
  const std::string* text_of(const std::string& file, uint32_t line) const {
    auto found = lines_.find({file, line});
    return found != lines_.end() ? found->second : nullptr;
  }

  // The instructions of one function (at depth 0) or inlined function, by line.
  void add_function(std::span<const uint32_t> instructions, uint32_t depth) {
    struct Group {
      Place at;
      std::vector<uint32_t> instructions;
    };
    std::map<std::tuple<bool, std::string_view, uint32_t>, Group> by_line;
    // Usually the only file. Code of another one is there through #include, or by a macro.
    const std::string* own_file =
        depth == 0 && !code_.sources.empty() ? &code_.sources.front().file : file_of(instructions, depth);
    std::string_view own = own_file != nullptr ? std::string_view(*own_file) : std::string_view();
    for (uint32_t i : instructions) {
      Place at = place(i, depth);
      if (at.line == 0 && !at.file->empty()) { at.file = own_file; }
      Group& group = by_line[{*at.file != own, *at.file, at.line}];
      group.at = at;
      group.instructions.push_back(i);
    }
    if (depth == 0) {  // lines around, and lines that have cost but no code here
      for (const SourcePart& part : code_.sources) {
        if (part.file != own) { continue; }
        for (size_t k = 0; k < part.lines.size(); ++k) {
          uint32_t line = part.first + static_cast<uint32_t>(k);
          by_line.try_emplace({false, part.file, line}, Group{{&part.file, line}, {}});
        }
      }
      for (const SourceLine& at : code_.lines) {
        by_line.try_emplace({at.file != own, at.file, at.line}, Group{{&at.file, at.line}, {}});
      }
    }
    const std::string* file = nullptr;
    uint32_t last = 0;
    for (const auto& [key, group] : by_line) {
      bool is_other_file = file == nullptr || *file != *group.at.file;
      if (is_other_file && (depth == 0 || file != nullptr)) { add({.kind = Kind::kFile, .depth = depth, .file = group.at.file}); }
      if (!is_other_file && depth == 0 && group.at.line > last + 1) { add({.kind = Kind::kGap, .depth = depth}); }
      file = group.at.file;
      last = group.at.line;
      size_t row = add({.kind = Kind::kLine, .depth = depth, .line = group.at.line, .file = file, .text = text_of(*file, last)});
      add_line(group.instructions, depth);
      close(row);
    }
  }

  // The instructions of one line: its own, and what is inlined there, each where its first instruction is.
  void add_line(std::span<const uint32_t> instructions, uint32_t depth) {
    std::map<std::string_view, std::vector<uint32_t>> inlined;
    for (uint32_t i : instructions) {
      const std::vector<InlinedCall>& calls = code_.instructions[i].inlined;
      if (depth < calls.size()) { inlined[calls[depth].name].push_back(i); }
    }
    for (uint32_t i : instructions) {
      const std::vector<InlinedCall>& calls = code_.instructions[i].inlined;
      if (depth >= calls.size()) {
        close(add({.kind = Kind::kInstruction, .depth = depth, .instruction = i}));
        continue;
      }
      auto found = inlined.find(calls[depth].name);
      if (found == inlined.end()) { continue; }  // shown
      std::vector<uint32_t> group = std::move(found->second);
      inlined.erase(found);
      size_t row = add({.kind = Kind::kInlined,
                        .depth = depth + 1,
                        .instruction = i,
                        .file = file_of(group, depth + 1),
                        .text = &calls[depth].name});
      add_function(group, depth + 1);
      close(row);
    }
  }

  size_t add(const CodeRow& row) {
    rows_.push_back(row);
    rows_.back().end = static_cast<uint32_t>(rows_.size());
    return rows_.size() - 1;
  }
  void close(size_t row) { rows_[row].end = static_cast<uint32_t>(rows_.size()); }

  const FunctionCode& code_;
  std::map<std::pair<std::string_view, uint32_t>, const std::string*> lines_;
  std::vector<CodeRow> rows_;
};

}  // namespace

std::vector<CodeRow> compute_code_rows(const FunctionCode& code) { return RowMaker(code).make(); }

}  // namespace wick
