// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// What readers of tables (pprof, Firefox, speedscope, …) have in common: rows that are left out, names, stack tables that may
// be wrong, threads that are told apart by texts, units.

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

// Rows that made no sense. One warning tells how many and where the first is.
class LeftOut {
 public:
  explicit LeftOut(std::string_view what) : what_(what) {}  // "samples": in the plural
  void add(const char* format, ...) __attribute__((format(printf, 2, 3)));
  uint64_t count() const { return count_; }
  void warn(ProfileBuilder& b) const;

 private:
  std::string what_, first_;
  uint64_t count_ = 0;
};

// What a reader that needs the whole file begins with.
Result<std::string_view> read_text(Input& input, WholeInput& whole);

// A function as a native tool names it. Names that only stand for one ("[libc.so.6]", an address) are not known.
FunctionId foreign_function(ProfileBuilder& b, const ImportOptions& options, std::string_view name, ModuleId module,
                            std::string_view raw_name = {});
// Of a table of functions that many frames refer to: each is named once, not at every use of it.
struct NamedFunction {
  FunctionId id;
  StringId file;
  ModuleId module;  // that it was named for; a function may be in several
};
struct FunctionTexts {
  std::string_view name, raw_name, file;
};
const NamedFunction& name_once(NamedFunction& known, ProfileBuilder& b, const ImportOptions& options, const FunctionTexts& texts,
                               ModuleId module);
// Code of which only the place is known: "[libc.so.6+0x1234]".
FunctionId nameless_function(ProfileBuilder& b, ModuleId module, std::string_view module_name, uint64_t address);

// A table of (frame, caller) rows as a file has it. A row is invalid where its frame is, where its caller is not in the table or
// invalid, or where it calls itself in the end. Callers may come after callees.
struct ForeignStacks {
  std::vector<FrameId> frame;   // invalid: this row makes no sense
  std::vector<int64_t> caller;  // negative: none
  std::vector<bool> hidden;     // no frame of its own: the row stands for its caller; empty: none is
};
struct BuiltStacks {
  std::vector<StackId> stack;  // invalid for hidden roots, too
  std::vector<bool> good;
};
BuiltStacks build_stacks(ProfileBuilder& b, const ForeignStacks& table);

// Threads by what tells them apart.
class ThreadTable {
 public:
  explicit ThreadTable(ProfileBuilder& b) : b_(b) {}
  struct Key {
    uint32_t pid = 0, tid = 0;
    std::string process{}, thread{};
    std::string other{};  // whatever else tells it from others
  };
  ThreadId thread(const Key& key);
  // What of a text goes into a key: samples without number may have the same one of megabytes.
  static std::string_view key_text(std::string_view text) { return text.substr(0, 4096); }

 private:
  ProfileBuilder& b_;
  std::unordered_map<std::string, ProcessId> processes_;
  std::unordered_map<std::string, ThreadId> threads_;
};

// A unit as files write it ("nanoseconds", "ms", "byte", "count").
struct ForeignUnit {
  std::string name;    // as profiles have it: "ns" for all times
  int64_t factor = 1;  // ours to one of theirs
  int digits = 0;      // the same as a power of ten
  bool is_time = false;
};
ForeignUnit foreign_unit(std::string_view unit);

// The digits that a text begins with, if they fit; for ids that may be texts ("1234.1").
uint32_t leading_u32(std::string_view text);

inline uint64_t time_of(int64_t ns) { return ns < 0 ? 0 : static_cast<uint64_t>(ns); }

}  // namespace wick
