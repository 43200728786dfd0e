// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Shared by readers of tables (pprof, Firefox, speedscope, …): skipped rows, names, stack tables that may be invalid, threads
// identified by texts, units.

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "import/common/reader.h"
#include "model/kernel_module.h"
#include "model/profile_builder.h"

namespace wick {

// Invalid rows. One warning has their number and the first.
class SkippedRows {
 public:
  explicit SkippedRows(std::string_view what) : what_(what) {}  // plural: "samples"
  void add(const char* format, ...) __attribute__((format(printf, 2, 3)));
  uint64_t count() const { return count_; }
  void warn(ProfileBuilder& b) const;

 private:
  std::string what_, first_;
  uint64_t count_ = 0;
};

// For readers that need the whole file.
Result<std::string_view> read_text(Input& input, WholeInput& whole);

// A function as a native tool names it. Placeholders ("[libc.so.6]", an address) do not count as known.
FunctionId foreign_function(ProfileBuilder& b, const ImportOptions& options, std::string_view name, ModuleId module,
                            std::string_view raw_name = {});
// For tables of functions that many frames refer to: each is named once, not at every use.
struct NamedFunction {
  FunctionId id;
  StringId file;
  ModuleId module;  // it was named for this module; a function may be in several
};
struct FunctionTexts {
  std::string_view name, raw_name, file;
};
const NamedFunction& name_once(NamedFunction& known, ProfileBuilder& b, const ImportOptions& options, const FunctionTexts& texts,
                               ModuleId module);
// Code with an address only: "[libc.so.6+0x1234]".
FunctionId nameless_function(ProfileBuilder& b, ModuleId module, std::string_view module_name, uint64_t address);

// A table of (frame, caller) rows from a file. A row is invalid if its frame is, if its caller is missing or invalid, or if it is
// part of a cycle. Callers may come after callees.
struct ForeignStacks {
  std::vector<FrameId> frame;   // invalid: the row is invalid
  std::vector<int64_t> caller;  // negative: none
  std::vector<bool> hidden;     // the row has no frame and means its caller; empty: none
};
struct BuiltStacks {
  std::vector<StackId> stack;  // invalid for hidden roots as well
  std::vector<bool> good;
};
BuiltStacks build_stacks(ProfileBuilder& b, const ForeignStacks& table);

// Threads by what identifies them.
class ThreadTable {
 public:
  explicit ThreadTable(ProfileBuilder& b) : b_(b) {}
  struct Key {
    uint32_t pid = 0, tid = 0;
    std::string process{}, thread{};
    std::string other{};  // any other distinguishing text
  };
  ThreadId thread(const Key& key);
  // The part of a text used as a key: samples may share texts of megabytes.
  static std::string_view key_text(std::string_view text) { return text.substr(0, 4096); }

 private:
  ProfileBuilder& b_;
  std::unordered_map<std::string, ProcessId> processes_;
  std::unordered_map<std::string, ThreadId> threads_;
};

// A unit as written in files ("nanoseconds", "ms", "byte", "count").
struct ForeignUnit {
  std::string name;    // as in profiles: "ns" for all times
  int64_t factor = 1;  // wick units per file unit
  int digits = 0;      // the same as a power of ten
  bool is_time = false;
};
ForeignUnit foreign_unit(std::string_view unit);

// The leading digits of a text, if they fit; for IDs that may be text ("1234.1").
uint32_t leading_u32(std::string_view text);

inline uint64_t time_of(int64_t ns) { return ns < 0 ? 0 : static_cast<uint64_t>(ns); }

}  // namespace wick
