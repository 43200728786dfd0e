// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "import/common/foreign.h"

#include <algorithm>
#include <cstdarg>

#include "base/text.h"

namespace wick {

void SkippedRows::add(const char* format, ...) {
  if (count_++ > 0) { return; }
  va_list args;
  va_start(args, format);
  first_ = vstrf(format, args);
  va_end(args);
}

void SkippedRows::warn(ProfileBuilder& b) const {
  if (count_ == 0) { return; }
  std::string what = what_;
  if (count_ == 1 && what.ends_with('s')) { what.pop_back(); }
  b.add_warning(
      strf("skipped %s %s; %s%s", group_thousands(count_).c_str(), what.c_str(), count_ == 1 ? "" : "first: ", first_.c_str()));
}

Result<std::string_view> read_text(Input& input, WholeInput& whole) {
  WICK_LET(whole, read_whole(input));
  return std::string_view(reinterpret_cast<const char*>(whole.bytes.data()), whole.bytes.size());
}

FunctionId nameless_function(ProfileBuilder& b, ModuleId module, std::string_view module_name, uint64_t address) {
  if (size_t slash = module_name.rfind('/'); slash != module_name.npos && slash + 1 < module_name.size()) {
    module_name.remove_prefix(slash + 1);
  }
  std::string name = "[" + std::string(module_name.empty() ? "unknown" : module_name);
  if (name.starts_with("[[") && name.ends_with("]")) { name = name.substr(1, name.size() - 2); }
  if (address != 0) { name += strf("+0x%llx", static_cast<unsigned long long>(address)); }
  return b.function(name + "]", {}, module, false);
}

FunctionId foreign_function(ProfileBuilder& b, const ImportOptions& options, std::string_view name, ModuleId module,
                            std::string_view raw_name) {
  bool is_address =
      name.starts_with("0x") && name.size() > 2 && name.find_first_not_of("0123456789abcdefABCDEF", 2) == std::string_view::npos;
  bool stands_for_one = name.starts_with('[') && name.ends_with(']');
  if (name.empty() || name == "???" || name == "??") { return nameless_function(b, module, {}, 0); }
  if (is_address || stands_for_one) { return b.function(name, {}, module, false); }
  if (!options.demangle) { return b.function(name, raw_name, module); }
  std::string shown = options.demangle(raw_name.empty() ? name : raw_name);
  // The tool's display name may be better than our demangling of the linkage name.
  if (!raw_name.empty() && shown == raw_name) { shown = options.demangle(name); }
  if (shown.empty()) { shown = name; }
  return b.function(shown, raw_name.empty() && shown != name ? name : raw_name, module);
}

const NamedFunction& name_once(NamedFunction& known, ProfileBuilder& b, const ImportOptions& options, const FunctionTexts& texts,
                               ModuleId module) {
  if (known.id.valid() && known.module == module) { return known; }
  std::string_view name = texts.name.empty() ? texts.raw_name : texts.name;
  std::string_view raw_name = texts.raw_name == name ? std::string_view() : texts.raw_name;
  known = {foreign_function(b, options, name, module, raw_name), b.string(texts.file), module};
  return known;
}

BuiltStacks build_stacks(ProfileBuilder& b, const ForeignStacks& table) {
  enum State : uint8_t { kNew, kOpen, kGood, kBad };
  size_t rows = table.frame.size();
  std::vector<uint8_t> state(rows, kNew);
  BuiltStacks out;
  out.stack.resize(rows);
  out.good.resize(rows);
  std::vector<size_t> path;  // from callee to caller
  for (size_t begin = 0; begin < rows; ++begin) {
    path.clear();
    size_t at = begin;
    bool good = true;
    StackId stack;
    for (;;) {
      if (state[at] == kGood) {
        stack = out.stack[at];
        break;
      }
      if (state[at] != kNew) {  // invalid, or a cycle
        good = false;
        break;
      }
      state[at] = kOpen;
      path.push_back(at);
      int64_t caller = at < table.caller.size() ? table.caller[at] : -1;
      if (caller < 0) { break; }
      if (static_cast<uint64_t>(caller) >= rows) {
        good = false;
        break;
      }
      at = static_cast<size_t>(caller);
    }
    for (size_t i = path.size(); i-- > 0;) {
      size_t row = path[i];
      bool hidden = !table.hidden.empty() && table.hidden[row];
      good = good && (hidden || table.frame[row].valid());
      state[row] = good ? kGood : kBad;
      out.good[row] = good;
      if (good && !hidden) { stack = b.stack(table.frame[row], stack); }
      out.stack[row] = good ? stack : StackId{};
    }
  }
  return out;
}

ThreadId ThreadTable::thread(const Key& key) {
  // Thread IDs are unique across processes; a process is identified by its ID, if it has one.
  std::string process = key.pid != 0 ? std::to_string(key.pid) : "/" + key.process;
  std::string name = process + '\0' + std::to_string(key.tid) + '\0' + key.thread + '\0' + key.other;
  if (auto it = threads_.find(name); it != threads_.end()) { return it->second; }
  auto it = processes_.find(process);
  if (it == processes_.end()) { it = processes_.emplace(process, b_.add_process(key.pid, key.process)).first; }
  ThreadId id = b_.add_thread(it->second, key.tid, key.thread);
  threads_.emplace(std::move(name), id);
  return id;
}

ForeignUnit foreign_unit(std::string_view unit) {
  std::string word(unit);
  std::transform(word.begin(), word.end(), word.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
  auto is = [&](std::initializer_list<std::string_view> words) {
    return std::find(words.begin(), words.end(), word) != words.end();
  };
  if (is({"nanoseconds", "nanosecond", "ns", "nanos"})) { return {"ns", 1, 0, true}; }
  if (is({"microseconds", "microsecond", "us", "micros", "\xc2\xb5s", "\xce\xbcs"})) { return {"ns", 1000, 3, true}; }
  if (is({"milliseconds", "millisecond", "ms", "millis"})) { return {"ns", 1'000'000, 6, true}; }
  if (is({"seconds", "second", "s", "sec"})) { return {"ns", 1'000'000'000, 9, true}; }
  if (is({"bytes", "byte", "b", "by"})) { return {"bytes"}; }
  if (is({"", "none", "1"})) { return {"count"}; }
  return {word};
}

uint32_t leading_u32(std::string_view text) {
  size_t end = text.find_first_not_of("0123456789");
  std::optional<uint64_t> value = parse_u64(text.substr(0, end));
  return value && *value <= UINT32_MAX ? static_cast<uint32_t>(*value) : 0;
}

}  // namespace wick
