// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "import/proto/otlp_tables.h"

#include <algorithm>

namespace wick {

OtlpTables::OtlpTables(const ImportOptions& options, size_t file_bytes) : options_(options), threads_(b_) {
  budget_ = 4096 + 16 * static_cast<uint64_t>(file_bytes);
}

std::string_view OtlpTables::text(int64_t row) const {
  return row > 0 && static_cast<uint64_t>(row) < strings.size() ? std::string_view(strings[static_cast<size_t>(row)])
                                                                : std::string_view();
}

void OtlpTables::use(const Attribute& attribute, ThreadTable::Key& key) {
  uint32_t number = attribute.number > 0 && attribute.number <= UINT32_MAX ? static_cast<uint32_t>(attribute.number)
                                                                           : leading_u32(attribute.text);
  const std::string& name = attribute.key;
  if (name == "process.pid") { key.pid = number; }
  if (name == "thread.id") { key.tid = number; }
  if (name == "thread.name") { key.thread = ThreadTable::key_text(attribute.text); }
  if (name == "process.executable.name" || (name == "service.name" && key.process.empty())) {
    key.process = ThreadTable::key_text(attribute.text);
  }
}

void OtlpTables::begin(bool has_times, std::string_view what) {
  has_times_ = has_times && !options_.merge;
  if (options_.merge) { b_.merge_samples(); }
  b_.set_imported(what, has_times);
  frames_.resize(locations.size());
  modules_.resize(mappings.size());
  functions_.resize(functions.size());
}

void OtlpTables::begin_profile(const ValueType& type) {
  stack_of_slice_.clear();
  unit_ = foreign_unit(text(type.unit));
  std::string_view name = text(type.type);
  counts_ = unit_.name == "count";
  if (counts_ && (name == "samples" || name == "sample" || name.empty())) { unit_.name = "samples"; }
  event_ = b_.event(name.empty() ? "samples" : name, unit_.name);
}

ModuleId OtlpTables::module_of(size_t index) {
  std::optional<ModuleId>& known = modules_[index];
  if (known) { return *known; }
  std::string_view path = text(mappings[index].file), build_id;
  for (int64_t a : mappings[index].attributes) {
    if (a < 0 || static_cast<uint64_t>(a) >= attributes.size()) { continue; }
    const Attribute& attribute = attributes[static_cast<size_t>(a)];
    if (attribute.key == "process.executable.build_id.gnu") { build_id = attribute.text; }
  }
  known = path.empty() ? ModuleId{} : b_.module(path, build_id, is_kernel_module(path));
  return *known;
}

const NamedFunction& OtlpTables::function_of(size_t index, ModuleId module) {
  const Function& row = functions[index];
  return name_once(functions_[index], b_, options_, {text(row.name), text(row.system_name), text(row.file)}, module);
}

const std::vector<FrameId>& OtlpTables::frames_of(size_t index) {
  std::vector<FrameId>& frames = frames_[index];
  if (!frames.empty()) { return frames; }
  const Location& location = locations[index];
  bool mapped = location.mapping > 0 && static_cast<uint64_t>(location.mapping) < mappings.size();
  ModuleId module = mapped ? module_of(static_cast<size_t>(location.mapping)) : ModuleId{};
  if (location.lines.empty()) {
    static const Mapping kNowhere{};
    const Mapping& mapping = mapped ? mappings[static_cast<size_t>(location.mapping)] : kNowhere;
    std::string_view path = text(mapping.file);
    frames.push_back(b_.frame({.function = nameless_function(b_, module, path, location.address), .address = location.address}));
    if (mapped && location.address >= mapping.start) {
      bool linked = mapping.start == 0 && mapping.offset == 0;
      b_.add_place({.frame = frames.back(),
                    .space = linked ? FramePlace::Space::kLinked : FramePlace::Space::kFileOffset,
                    .value = location.address - mapping.start + mapping.offset});
    }
  }
  for (size_t i = location.lines.size(); i-- > 0;) {
    const Line& line = location.lines[i];
    bool there = line.function > 0 && static_cast<uint64_t>(line.function) < functions.size();
    NamedFunction function = there ? function_of(static_cast<size_t>(line.function), module)
                                   : NamedFunction{foreign_function(b_, options_, {}, module), {}, module};
    auto small = [](int64_t n) { return n > 0 && n <= INT32_MAX ? static_cast<uint32_t>(n) : 0u; };
    frames.push_back(b_.frame({.function = function.id,
                               .address = location.address,
                               .file = function.file,
                               .line = small(line.line),
                               .column = small(line.column),
                               .inlined = i + 1 < location.lines.size()}));
  }
  return frames;
}

void OtlpTables::leave_out(uint64_t sample, const char* why) {
  skipped_.add("sample %llu: %s", static_cast<unsigned long long>(sample), why);
}

std::optional<StackId> OtlpTables::stack_of(const Sample& sample, uint64_t number) {
  std::pair<const int64_t*, size_t> slice(sample.locations, sample.location_count);
  if (auto it = stack_of_slice_.find(slice); it != stack_of_slice_.end()) { return it->second; }
  StackId stack;
  for (size_t i = sample.location_count; i-- > 0;) {
    int64_t index = sample.locations[i];
    if (index < 0 || static_cast<uint64_t>(index) >= locations.size()) {
      leave_out(number, "a location is not in the table");
      return std::nullopt;
    }
    const std::vector<FrameId>& frames = frames_of(static_cast<size_t>(index));
    if (budget_ <= frames.size()) {
      budget_ = 0;
      leave_out(number, "too many inlined functions");
      return std::nullopt;
    }
    budget_ -= frames.size();
    for (FrameId frame : frames) { stack = b_.stack(frame, stack); }
  }
  stack_of_slice_.emplace(slice, stack);
  return stack;
}

void OtlpTables::add_sample(const Sample& sample, uint64_t number) {
  std::optional<StackId> stack = stack_of(sample, number);
  if (!stack) { return; }
  ThreadTable::Key key = resource_;
  for (int64_t a : sample.attributes) {
    if (a >= 0 && static_cast<uint64_t>(a) < attributes.size()) { use(attributes[static_cast<size_t>(a)], key); }
  }
  wick::Sample row{.thread = threads_.thread(key), .stack = *stack, .event = event_};
  // One value per time, or a single one if the other list is missing.
  size_t rows = std::max<size_t>({sample.values.size(), sample.times_ns.size(), 1});
  bool one_value = sample.values.size() == 1;
  for (size_t i = 0; i < rows; ++i) {
    int64_t value = i < sample.values.size() ? sample.values[i] : 1;
    if (one_value && i > 0) { value = 0; }
    if (__builtin_mul_overflow(value, unit_.factor, &row.weight) || row.weight == INT64_MIN) {
      leave_out(number, "its value is too large");
      continue;
    }
    row.count = counts_ && sample.times_ns.empty() ? static_cast<uint64_t>(row.weight < 0 ? -row.weight : row.weight) : 1;
    row.time_ns = i < sample.times_ns.size() ? sample.times_ns[i] : 0;
    if (!has_times_) {
      b_.add_sample(row);
      continue;
    }
    if (row.time_ns != 0) { start_ns_ = std::min(start_ns_, row.time_ns); }
    timed_.push_back(row);
  }
}

void OtlpTables::cover(uint64_t start_ns, uint64_t duration_ns) {
  if (duration_ns == 0 || duration_ns > INT64_MAX || start_ns > INT64_MAX) { return; }
  longest_ns_ = std::max(longest_ns_, duration_ns);
  if (start_ns == 0) { return; }
  covered_from_ns_ = std::min(covered_from_ns_, start_ns);
  covered_to_ns_ = std::max(covered_to_ns_, start_ns + duration_ns);
}

Result<Profile> OtlpTables::finish() {
  b_.set_duration(covered_to_ns_ != 0 ? std::max(covered_to_ns_ - covered_from_ns_, longest_ns_) : longest_ns_);
  if (start_ns_ == UINT64_MAX) { start_ns_ = covered_to_ns_ != 0 ? covered_from_ns_ : 0; }
  for (wick::Sample& row : timed_) {
    row.time_ns = row.time_ns > start_ns_ ? row.time_ns - start_ns_ : 0;
    b_.add_sample(row);
  }
  b_.set_start(0, start_ns_);
  skipped_.warn(b_);
  return std::move(b_).build();
}

}  // namespace wick
