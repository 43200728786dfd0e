// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0

// pprof's profile.proto. Tables refer to each other by ID and may come in any order, so the file is read twice: for the tables,
// then for the samples. A sample has a value per sample type (pprof_columns.h).

#include "import/proto/pprof.h"

#include <re2/re2.h>
#include <tsl/robin_map.h>

#include <algorithm>
#include <optional>
#include <protozero/pbf_reader.hpp>
#include <string>
#include <vector>

#include "base/hash.h"
#include "base/text.h"
#include "import/common/foreign.h"
#include "import/proto/pprof_columns.h"
#include "import/proto/proto_scan.h"

namespace wick {
namespace {

using protozero::pbf_reader;
using protozero::tag_and_type;
using wire::kBytes;
using wire::kVarint;

struct ValueType {
  int64_t type = 0, unit = 0;
};
struct MappingRow {
  ModuleId module;
  std::string name;
  uint64_t start = 0, offset = 0;
};
struct FunctionRow {
  int64_t name = 0, system_name = 0, file = 0;
  NamedFunction named{};
};
struct Line {
  uint64_t function = 0;
  int64_t line = 0, column = 0;
};
struct LocationRow {
  uint64_t mapping = 0, address = 0;
  size_t first_line = 0, lines = 0;
  enum class Drop : uint8_t { kNothing, kInner, kAll } drop = Drop::kNothing;  // its callees; itself as well
  // The frames of its lines, outermost first; built when a sample needs them.
  std::vector<FrameId> frames{};
};

std::string normal_key(std::string_view key) {
  std::string out;
  for (char c : key) {
    bool word = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
    out += c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : word ? c : '_';
  }
  return out;
}

class PprofImport {
 public:
  PprofImport(Bytes bytes, const ImportOptions& options) : bytes_(bytes), options_(options), threads_(b_) {
    budget_ = 4096 + 16 * static_cast<uint64_t>(bytes.size());
  }

  Result<Profile> run() {
    if (options_.merge) { b_.merge_samples(); }
    read_tables();
    if (types_.empty()) { return Error("no sample types; expected field 1 of profile.proto").with_code(Errc::kBadInput); }
    if (types_.size() > kMostPprofColumns) {
      return Error("%zu sample types: expected at most %zu", types_.size(), kMostPprofColumns).with_code(Errc::kBadInput);
    }
    for (size_t i = 0; i < raw_mappings_.size(); ++i) { read_mapping(raw_mappings_[i]); }
    b_.set_start(0, time_of(time_nanos_));
    b_.set_duration(time_of(duration_nanos_));
    std::vector<PprofType> types;
    for (const ValueType& t : types_) { types.push_back({text(t.type), text(t.unit)}); }
    columns_ = choose_pprof_columns(b_, types, text(default_type_), cpu_event());
    find_first_time();
    find_dropped();
    b_.set_imported(kPprofReader.what, has_times_);
    pbf_reader profile(reinterpret_cast<const char*>(bytes_.data()), bytes_.size());
    uint64_t row = 0;
    while (next_field(profile)) {
      if (profile.tag_and_type() == tag_and_type(2, kBytes)) {
        read_sample(profile.get_message(), row++);
        if (budget_ == 0) {
          return Error("sample %llu: too many inlined functions", static_cast<unsigned long long>(row))
              .with_code(Errc::kBadInput);
        }
      } else {
        profile.skip();
      }
    }
    skipped_.warn(b_);
    if (without_name_ > 0) {
      b_.add_warning(strf("%s to a missing function or name",
                          without_name_ == 1 ? "1 line of a location refers"
                                             : (group_thousands(without_name_) + " lines of locations refer").c_str()));
    }
    if (has_labels_) { b_.leave_behind({.times = has_times_ && options_.merge, .labels = true}); }
    if (shortened_ > 0) {
      b_.add_warning(strf("removed the innermost functions of %s %s, as the file requests (drop_frames: %s)",
                          group_thousands(shortened_).c_str(), shortened_ == 1 ? "stack" : "stacks",
                          std::string(text(drop_frames_).substr(0, 60)).c_str()));
    }
    if (without_time_ > 0) {
      b_.add_warning(strf("%s no time: shown at the beginning",
                          without_time_ == 1 ? "1 sample has" : (group_thousands(without_time_) + " samples have").c_str()));
    }
    return std::move(b_).build();
  }

  // The offset of the last field read, in the whole file.
  size_t offset() const { return offset_; }

 private:
  bool next_field(pbf_reader& profile) {
    offset_ = bytes_.size() - profile.length();
    return profile.next();
  }

  std::string_view text(int64_t index) const {
    return index > 0 && static_cast<uint64_t>(index) < strings_.size() ? strings_[static_cast<size_t>(index)]
                                                                       : std::string_view();
  }

  void read_tables() {
    pbf_reader profile(reinterpret_cast<const char*>(bytes_.data()), bytes_.size());
    while (next_field(profile)) {
      switch (profile.tag_and_type()) {
        case tag_and_type(1, kBytes): types_.push_back(read_type(profile.get_message())); break;
        case tag_and_type(3, kBytes): raw_mappings_.push_back(profile.get_message()); break;
        case tag_and_type(4, kBytes): read_location(profile.get_message()); break;
        case tag_and_type(5, kBytes): read_function(profile.get_message()); break;
        case tag_and_type(6, kBytes): {
          protozero::data_view view = profile.get_view();
          strings_.emplace_back(view.data(), view.size());
          break;
        }
        case tag_and_type(7, kVarint): drop_frames_ = profile.get_int64(); break;
        case tag_and_type(8, kVarint): keep_frames_ = profile.get_int64(); break;
        case tag_and_type(9, kVarint): time_nanos_ = profile.get_int64(); break;
        case tag_and_type(10, kVarint): duration_nanos_ = profile.get_int64(); break;
        case tag_and_type(13, kVarint): comments_.push_back(profile.get_int64()); break;
        case tag_and_type(13, kBytes):
          for (int64_t comment : profile.get_packed_int64()) { comments_.push_back(comment); }
          break;
        case tag_and_type(14, kVarint): default_type_ = profile.get_int64(); break;
        default: profile.skip();
      }
    }
  }

  static ValueType read_type(pbf_reader message) {
    ValueType out;
    while (message.next()) {
      switch (message.tag_and_type()) {
        case tag_and_type(1, kVarint): out.type = message.get_int64(); break;
        case tag_and_type(2, kVarint): out.unit = message.get_int64(); break;
        default: message.skip();
      }
    }
    return out;
  }

  void read_mapping(pbf_reader message) {
    uint64_t id = 0;
    int64_t file = 0, build_id = 0;
    MappingRow row;
    while (message.next()) {
      switch (message.tag_and_type()) {
        case tag_and_type(1, kVarint): id = message.get_uint64(); break;
        case tag_and_type(2, kVarint): row.start = message.get_uint64(); break;
        case tag_and_type(4, kVarint): row.offset = message.get_uint64(); break;
        case tag_and_type(5, kVarint): file = message.get_int64(); break;
        case tag_and_type(6, kVarint): build_id = message.get_int64(); break;
        default: message.skip();
      }
    }
    std::string_view path = text(file);
    row.name = path;
    if (!path.empty()) { row.module = b_.module(path, text(build_id), is_kernel_module(path)); }
    if (mapping_of_id_.try_emplace(id, mappings_.size()).second) { mappings_.push_back(std::move(row)); }
  }

  void read_location(pbf_reader message) {
    uint64_t id = 0;
    LocationRow row;
    row.first_line = lines_.size();
    while (message.next()) {
      switch (message.tag_and_type()) {
        case tag_and_type(1, kVarint): id = message.get_uint64(); break;
        case tag_and_type(2, kVarint): row.mapping = message.get_uint64(); break;
        case tag_and_type(3, kVarint): row.address = message.get_uint64(); break;
        case tag_and_type(4, kBytes): lines_.push_back(read_line(message.get_message())); break;
        default: message.skip();
      }
    }
    row.lines = lines_.size() - row.first_line;
    if (location_of_id_.try_emplace(id, locations_.size()).second) { locations_.push_back(std::move(row)); }
  }

  static Line read_line(pbf_reader message) {
    Line out;
    while (message.next()) {
      switch (message.tag_and_type()) {
        case tag_and_type(1, kVarint): out.function = message.get_uint64(); break;
        case tag_and_type(2, kVarint): out.line = message.get_int64(); break;
        case tag_and_type(3, kVarint): out.column = message.get_int64(); break;
        default: message.skip();
      }
    }
    return out;
  }

  void read_function(pbf_reader message) {
    uint64_t id = 0;
    FunctionRow row;
    while (message.next()) {
      switch (message.tag_and_type()) {
        case tag_and_type(1, kVarint): id = message.get_uint64(); break;
        case tag_and_type(2, kVarint): row.name = message.get_int64(); break;
        case tag_and_type(3, kVarint): row.system_name = message.get_int64(); break;
        case tag_and_type(4, kVarint): row.file = message.get_int64(); break;
        default: message.skip();
      }
    }
    if (function_of_id_.try_emplace(id, functions_.size()).second) { functions_.push_back(row); }
  }

  // The event that wick wrote as "cpu", from a comment.
  std::string_view cpu_event() const {
    for (int64_t comment : comments_) {
      for (std::string_view told : {"event cpu-clock, unit ns", "event task-clock, unit ns"}) {
        if (text(comment) == told) { return told.substr(6, told.find(',') - 6); }
      }
    }
    return {};
  }

  // Like pprof: a function whose full name matches drop_frames and not keep_frames is dropped with its callees.
  void find_dropped() {
    std::string_view drop_text = text(drop_frames_), keep_text = text(keep_frames_);
    if (drop_text.empty()) { return; }
    RE2::Options options;
    options.set_log_errors(false);
    options.set_max_mem(1 << 20);
    RE2 drop(drop_text, options), keep(keep_text, options);
    // An untrusted expression: RE2 takes at most its size times the text's.
    uint64_t work = 0, states = drop.ok() && keep.ok() ? static_cast<uint64_t>(drop.ProgramSize() + keep.ProgramSize()) : 0;
    for (const FunctionRow& f : functions_) { work += (text(f.name).size() + 1) * states; }
    constexpr uint64_t kMostWork = 2'000'000'000;
    if (states == 0 || work > kMostWork) {
      std::string_view bad = drop.ok() ? keep_text : drop_text;
      b_.add_warning(
          strf("cannot apply the file's frame filter (%s): showing all frames", std::string(bad.substr(0, 60)).c_str()));
      return;
    }
    std::vector<bool> dropped;
    for (const FunctionRow& f : functions_) {
      std::string_view name = without_arguments(text(f.name));
      dropped.push_back(!name.empty() && RE2::FullMatch(name, drop) && (keep_text.empty() || !RE2::FullMatch(name, keep)));
    }
    for (LocationRow& row : locations_) {
      for (size_t i = row.lines; i-- > 0;) {  // outermost first
        auto it = function_of_id_.find(lines_[row.first_line + i].function);
        if (it == function_of_id_.end() || !dropped[it->second]) { continue; }
        bool whole = i + 1 == row.lines;
        row.drop = whole ? LocationRow::Drop::kAll : LocationRow::Drop::kInner;
        if (!whole) {
          row.first_line += i + 1;
          row.lines -= i + 1;
        }
        break;
      }
    }
    drops_ = true;
  }
  // "f(int)" is "f".
  static std::string_view without_arguments(std::string_view name) {
    if (name.starts_with('.')) { name.remove_prefix(1); }
    constexpr std::string_view kAnonymous = "(anonymous namespace)", kCall = "operator()";
    for (size_t at = 0; at < name.size(); ++at) {
      std::string_view rest = name.substr(at);
      if (rest.starts_with(kAnonymous) || rest.starts_with(kCall)) {
        at += (rest.starts_with(kCall) ? kCall : kAnonymous).size() - 1;
      } else if (rest[0] == '(') {
        return name.substr(0, at);
      }
    }
    return name;
  }
  // From the root: frames before the first one that stays are skipped, so that something is left.
  void drop_frames() {
    bool stays = false;
    for (size_t i = drops_ ? ids_.size() : 0; i-- > 0;) {
      auto it = location_of_id_.find(ids_[i]);
      if (it == location_of_id_.end()) { return; }
      LocationRow::Drop drop = locations_[it->second].drop;
      if (drop == LocationRow::Drop::kNothing) {
        stays = true;
      } else if (stays) {
        ids_.erase(ids_.begin(), ids_.begin() + static_cast<ptrdiff_t>(i + (drop == LocationRow::Drop::kAll ? 1 : 0)));
        ++shortened_;
        return;
      }
    }
  }

  // The earliest time in any label.
  void find_first_time() {
    pbf_reader profile(reinterpret_cast<const char*>(bytes_.data()), bytes_.size());
    while (profile.next()) {
      if (profile.tag_and_type() != tag_and_type(2, kBytes)) {
        profile.skip();
        continue;
      }
      pbf_reader sample = profile.get_message();
      while (sample.next()) {
        if (sample.tag_and_type() != tag_and_type(3, kBytes)) {
          sample.skip();
          continue;
        }
        Label label = read_label(sample.get_message());
        if (!is_time(label.key)) { continue; }
        first_time_ = has_times_ ? std::min(first_time_, label.number) : label.number;
        has_times_ = true;
      }
    }
  }

  struct Label {
    std::string key;
    std::string_view text;
    int64_t number = 0;
  };
  Label read_label(pbf_reader message) const {
    Label out;
    while (message.next()) {
      switch (message.tag_and_type()) {
        case tag_and_type(1, kVarint): out.key = normal_key(ThreadTable::key_text(text(message.get_int64()))); break;
        case tag_and_type(2, kVarint): out.text = ThreadTable::key_text(text(message.get_int64())); break;
        case tag_and_type(3, kVarint): out.number = message.get_int64(); break;
        default: message.skip();
      }
    }
    return out;
  }
  static bool is_time(std::string_view key) { return key == "end_timestamp_ns" || key == "timestamp_ns" || key == "time_ns"; }

  const std::vector<FrameId>* frames_of(uint64_t location_id) {
    auto it = location_of_id_.find(location_id);
    if (it == location_of_id_.end()) { return nullptr; }
    LocationRow& row = locations_[it->second];
    if (!row.frames.empty()) { return &row.frames; }
    auto mapping = mapping_of_id_.find(row.mapping);
    bool mapped = row.mapping != 0 && mapping != mapping_of_id_.end();
    ModuleId module = mapped ? mappings_[mapping->second].module : ModuleId{};
    if (row.lines == 0) {
      uint64_t in_file = row.address;
      if (mapped && row.address >= mappings_[mapping->second].start) {
        in_file = row.address - mappings_[mapping->second].start + mappings_[mapping->second].offset;
      }
      std::string_view name = mapped ? std::string_view(mappings_[mapping->second].name) : std::string_view();
      row.frames.push_back(b_.frame({.function = nameless_function(b_, module, name, in_file), .address = row.address}));
      if (mapped && row.address >= mappings_[mapping->second].start) {
        // A mapping at 0 means that addresses are as linked.
        bool linked = mappings_[mapping->second].start == 0 && mappings_[mapping->second].offset == 0;
        b_.add_place({.frame = row.frames.back(),
                      .space = linked ? FramePlace::Space::kLinked : FramePlace::Space::kFileOffset,
                      .value = in_file});
      }
      return &row.frames;
    }
    for (size_t i = row.lines; i-- > 0;) {
      const Line& line = lines_[row.first_line + i];
      auto found = function_of_id_.find(line.function);
      FunctionRow missing;
      FunctionRow& f = found != function_of_id_.end() ? functions_[found->second] : missing;
      auto is_there = [&](int64_t string) { return string >= 0 && static_cast<uint64_t>(string) < strings_.size(); };
      bool is_named = found != function_of_id_.end() && is_there(f.name) && is_there(f.system_name);
      without_name_ += !is_named;
      const NamedFunction& function = name_once(f.named, b_, options_, {text(f.name), text(f.system_name), text(f.file)}, module);
      auto small = [](int64_t n) { return n > 0 && n <= INT32_MAX ? static_cast<uint32_t>(n) : 0u; };
      row.frames.push_back(b_.frame({.function = function.id,
                                     .address = row.address,
                                     .file = function.file,
                                     .line = small(line.line),
                                     .column = small(line.column),
                                     .inlined = i + 1 < row.lines}));
    }
    return &row.frames;
  }

  void read_sample(pbf_reader message, uint64_t row) {
    ids_.clear();
    values_.clear();
    ThreadTable::Key key;
    std::optional<int64_t> time;
    while (message.next()) {
      switch (message.tag_and_type()) {
        case tag_and_type(1, kBytes):
          for (uint64_t id : message.get_packed_uint64()) { ids_.push_back(id); }
          break;
        case tag_and_type(1, kVarint): ids_.push_back(message.get_uint64()); break;
        case tag_and_type(2, kBytes):
          for (int64_t value : message.get_packed_int64()) { values_.push_back(value); }
          break;
        case tag_and_type(2, kVarint): values_.push_back(message.get_int64()); break;
        case tag_and_type(3, kBytes): {
          Label label = read_label(message.get_message());
          has_labels_ |= !use_label(label, key, time);
          break;
        }
        default: message.skip();
      }
    }
    if (values_.size() != types_.size()) {
      return skipped_.add("sample %llu has %zu values, not %zu", static_cast<unsigned long long>(row), values_.size(),
                          types_.size());
    }
    drop_frames();
    StackId stack;
    for (size_t i = ids_.size(); i-- > 0;) {
      const std::vector<FrameId>* frames = frames_of(ids_[i]);
      if (frames == nullptr) {
        return skipped_.add("sample %llu: location %llu is not in the table", static_cast<unsigned long long>(row),
                            static_cast<unsigned long long>(ids_[i]));
      }
      if (budget_ <= frames->size()) {
        budget_ = 0;
        return;
      }
      budget_ -= frames->size();
      for (FrameId frame : *frames) { stack = b_.stack(frame, stack); }
    }
    if (has_times_ && !time) { ++without_time_; }
    Sample sample{
        .time_ns = has_times_ ? time_of(time.value_or(first_time_)) : 0, .thread = threads_.thread(key), .stack = stack};
    for (size_t n = add_pprof_values(columns_, values_, sample, [&](const Sample& s) { b_.add_sample(s); }); n > 0; --n) {
      skipped_.add("sample %llu: its value is too large", static_cast<unsigned long long>(row));
    }
  }

  // Whether the label describes the thread or the time.
  static bool use_label(const Label& label, ThreadTable::Key& key, std::optional<int64_t>& time) {
    auto is = [&](std::initializer_list<std::string_view> names) {
      return std::find(names.begin(), names.end(), label.key) != names.end();
    };
    uint32_t number =
        label.number > 0 && label.number <= UINT32_MAX ? static_cast<uint32_t>(label.number) : leading_u32(label.text);
    if (is({"pid", "process_id", "process_pid"})) {
      key.pid = number;
    } else if (is({"tid", "thread_id", "os_thread_id", "thread_native_id"})) {
      key.tid = number;
    } else if (is({"process", "process_name", "process_executable_name", "comm", "command"})) {
      key.process = label.text;
    } else if (is({"thread", "thread_name", "threadname"})) {
      key.thread = label.text;
    } else if (is_time(label.key)) {
      time = label.number;
    } else {
      return false;
    }
    return true;
  }

  Bytes bytes_;
  const ImportOptions& options_;
  ProfileBuilder b_;
  ThreadTable threads_;
  std::vector<ValueType> types_;
  std::vector<PprofColumn> columns_;
  std::vector<std::string_view> strings_;
  std::vector<pbf_reader> raw_mappings_;  // their strings may come later
  std::vector<MappingRow> mappings_;
  std::vector<LocationRow> locations_;
  std::vector<Line> lines_;
  std::vector<FunctionRow> functions_;
  tsl::robin_map<uint64_t, size_t, NumberHash> mapping_of_id_, location_of_id_, function_of_id_;
  std::vector<int64_t> comments_, values_;
  std::vector<uint64_t> ids_;
  int64_t time_nanos_ = 0, duration_nanos_ = 0, default_type_ = 0;
  int64_t first_time_ = 0, drop_frames_ = 0, keep_frames_ = 0;
  bool drops_ = false;
  uint64_t shortened_ = 0;     // stacks
  uint64_t without_time_ = 0;  // samples without a time, if others have one
  uint64_t without_name_ = 0;  // lines
  bool has_labels_ = false;    // labels that are not read
  uint64_t budget_ = 0;        // limit for frames: a location can be used often and have many
  size_t offset_ = 0;
  bool has_times_ = false;
  SkippedRows skipped_{"samples"};
};

// A ValueType is two small numbers.
bool is_value_type(std::string_view bytes) {
  ProtoScan scan(bytes);
  size_t fields = 0;
  while (std::optional<ProtoScan::Field> field = scan.next()) {
    if (field->number > 2 || field->wire_type != kVarint) { return false; }
    ++fields;
  }
  return !scan.broken() && fields > 0 && fields <= 2 && bytes.size() <= 22;
}

}  // namespace

bool is_pprof(const Head& head) {
  ProtoScan scan(head.text);
  size_t types = 0, others = 0;
  while (std::optional<ProtoScan::Field> field = scan.next()) {
    bool message = field->number <= 6 || field->number == 11;
    bool packed = field->number == 13 && field->wire_type == kBytes;
    if (field->number > 15 || (field->wire_type != (message ? kBytes : kVarint) && !packed)) { return false; }
    if (field->number == 1 && (!field->whole || !is_value_type(field->bytes))) { return false; }
    (field->number == 1 ? types : others) += 1;
  }
  // Sample types may come late; then the rest must look right, and be more than a chance match.
  return !scan.broken() && (types > 0 || others >= 8);
}

Result<Profile> read_pprof(Input& input, const ImportOptions& options) {
  WICK_LET(WholeInput whole, read_whole(input));
  PprofImport import(whole.bytes, options);
  try {
    return import.run();
  } catch (const protozero::exception& e) { return proto_error(import.offset(), "profile.proto", e.what()); }
}

}  // namespace wick
