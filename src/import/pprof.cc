// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0

// pprof's profile.proto. Tables refer to each other by ids and may come in any order, so the file is walked twice: for the
// tables, then for the samples. A sample has a value for each sample type.
//
// Which values are events: "samples" in "count" beside other types is how many samples a row stands for, and no event; every
// other type is one. Its number of samples is that of the last type in "count" before it ("alloc_objects" for "alloc_space").
// The default type is the first event, as pprof itself would show it.

#include "import/pprof.h"

#include <tsl/robin_map.h>

#include <algorithm>
#include <optional>
#include <protozero/pbf_reader.hpp>
#include <string>
#include <vector>

#include "base/text.h"
#include "import/foreign.h"
#include "import/proto_scan.h"

namespace wick {
namespace {

using protozero::pbf_reader;
using protozero::pbf_wire_type;
using protozero::tag_and_type;

constexpr auto kVarint = pbf_wire_type::varint;
constexpr auto kBytes = pbf_wire_type::length_delimited;

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
};
struct Line {
  uint64_t function = 0;
  int64_t line = 0, column = 0;
};
struct LocationRow {
  uint64_t mapping = 0, address = 0;
  size_t first_line = 0, lines = 0;
  // What its lines are in the profile, outermost first; made when a sample needs it.
  std::vector<FrameId> frames{};
};
struct Column {
  std::optional<EventId> event;  // nothing: only a number of samples
  int64_t factor = 1;
  int counts = -1;  // the column that tells how many samples
};

std::string normal_key(std::string_view key) {
  std::string out;
  for (char c : key) {
    bool word = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
    out += c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : word ? c : '_';
  }
  return out;
}

class Import {
 public:
  Import(Bytes bytes, const ImportOptions& options) : bytes_(bytes), options_(options), threads_(b_) {
    budget_ = 1'000'000 + 16 * static_cast<uint64_t>(bytes.size());
  }

  Result<Profile> run() {
    if (options_.merge) { b_.merge_samples(); }
    read_tables();
    if (types_.empty()) { return Error("no sample types: not a pprof profile").with_code(Errc::kBadInput); }
    if (types_.size() > ForeignEvents::kMost) {
      return Error("%zu sample types: more than %zu make no sense", types_.size(), ForeignEvents::kMost)
          .with_code(Errc::kBadInput);
    }
    for (size_t i = 0; i < raw_mappings_.size(); ++i) { read_mapping(raw_mappings_[i]); }
    b_.set_start(0, time_of(time_nanos_));
    choose_columns();
    has_times_ = has_time_labels();
    b_.set_imported(kPprofReader.what, has_times_);
    pbf_reader profile(reinterpret_cast<const char*>(bytes_.data()), bytes_.size());
    uint64_t row = 0;
    while (profile.next()) {
      if (profile.tag_and_type() == tag_and_type(2, kBytes)) {
        read_sample(profile.get_message(), row++);
        if (budget_ == 0) {
          return Error("sample %llu: absurdly many inlined functions", static_cast<unsigned long long>(row))
              .with_code(Errc::kBadInput);
        }
      } else {
        profile.skip();
      }
    }
    left_out_.warn(b_);
    return std::move(b_).build();
  }

 private:
  std::string_view text(int64_t index) const {
    return index > 0 && static_cast<uint64_t>(index) < strings_.size() ? strings_[static_cast<size_t>(index)]
                                                                       : std::string_view();
  }

  void read_tables() {
    pbf_reader profile(reinterpret_cast<const char*>(bytes_.data()), bytes_.size());
    while (profile.next()) {
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
        case tag_and_type(9, kVarint): time_nanos_ = profile.get_int64(); break;
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

  void choose_columns() {
    size_t n = types_.size();
    columns_.resize(n);
    int counts = -1, samples = -1;
    for (size_t i = 0; i < n; ++i) {
      std::string_view type = text(types_[i].type);
      if (text(types_[i].unit) == "count" && (type == "samples" || type == "sample")) { samples = static_cast<int>(i); }
    }
    for (size_t i = 0; i < n; ++i) {
      if (text(types_[i].unit) == "count") { counts = static_cast<int>(i); }
      columns_[i].counts = samples >= 0 ? samples : counts;
    }
    // pprof shows the default type, and the last one where none is named.
    size_t first = n - 1;
    for (size_t i = 0; i < n; ++i) {
      if (default_type_ != 0 && text(types_[i].type) == text(default_type_)) { first = i; }
    }
    if (static_cast<int>(first) == samples && n > 1) { first = samples == 0 ? 1 : 0; }
    make_event(first);
    for (size_t i = 0; i < n; ++i) {
      bool only_counts = static_cast<int>(i) == samples && n > 1;
      if (i != first && !only_counts) { make_event(i); }
    }
  }

  void make_event(size_t column) {
    std::string type(text(types_[column].type));
    ForeignUnit unit = foreign_unit(text(types_[column].unit));
    if (static_cast<int>(column) == columns_[column].counts && (type == "samples" || type == "sample")) { unit.name = "samples"; }
    // What wick calls "cpu" for those who look for it.
    for (int64_t comment : comments_) {
      std::string_view told = text(comment);
      for (std::string_view clock : {"cpu-clock", "task-clock"}) {
        if (type == "cpu" && unit.is_time && told == "event " + std::string(clock) + ", unit ns") { type = clock; }
      }
    }
    columns_[column].event = b_.event(type.empty() ? "cost" : type, unit.name);
    columns_[column].factor = unit.factor;
  }

  // Whether the first sample has a time among its labels.
  bool has_time_labels() {
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
        } else if (is_time(read_label(sample.get_message()).key)) {
          return true;
        }
      }
      return false;
    }
    return false;
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
        case tag_and_type(1, kVarint): out.key = normal_key(text(message.get_int64())); break;
        case tag_and_type(2, kVarint): out.text = text(message.get_int64()); break;
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
        // A mapping at 0 says that addresses are as linked.
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
      FunctionRow function = found != function_of_id_.end() ? functions_[found->second] : FunctionRow{};
      std::string_view name = text(function.name), system_name = text(function.system_name);
      if (name.empty()) { name = system_name; }
      auto small = [](int64_t n) { return n > 0 && n <= INT32_MAX ? static_cast<uint32_t>(n) : 0u; };
      FunctionId f = foreign_function(b_, options_, name, module, system_name == name ? std::string_view() : system_name);
      row.frames.push_back(b_.frame({.function = f,
                                     .address = row.address,
                                     .file = b_.string(text(function.file)),
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
    int64_t time = 0;
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
          use_label(label, key, time);
          break;
        }
        default: message.skip();
      }
    }
    if (values_.size() != types_.size()) {
      return left_out_.add("sample %llu has %zu values, not %zu", static_cast<unsigned long long>(row), values_.size(),
                           types_.size());
    }
    StackId stack;
    for (size_t i = ids_.size(); i-- > 0;) {
      const std::vector<FrameId>* frames = frames_of(ids_[i]);
      if (frames == nullptr) {
        return left_out_.add("sample %llu: location %llu is not in the table", static_cast<unsigned long long>(row),
                             static_cast<unsigned long long>(ids_[i]));
      }
      if (budget_ <= frames->size()) {
        budget_ = 0;
        return;
      }
      budget_ -= frames->size();
      for (FrameId frame : *frames) { stack = b_.stack(frame, stack); }
    }
    Sample sample{.time_ns = has_times_ ? time_of(time) : 0, .thread = threads_.thread(key), .stack = stack};
    add(sample, row);
  }

  static void use_label(const Label& label, ThreadTable::Key& key, int64_t& time) {
    auto is = [&](std::initializer_list<std::string_view> names) {
      return std::find(names.begin(), names.end(), label.key) != names.end();
    };
    uint32_t number =
        label.number > 0 && label.number <= UINT32_MAX ? static_cast<uint32_t>(label.number) : leading_u32(label.text);
    if (is({"pid", "process_id", "process_pid"})) { key.pid = number; }
    if (is({"tid", "thread_id", "os_thread_id", "thread_native_id"})) { key.tid = number; }
    if (is({"process", "process_name", "process_executable_name", "comm", "command"})) { key.process = label.text; }
    if (is({"thread", "thread_name", "threadname"})) { key.thread = label.text; }
    if (is_time(label.key)) { time = label.number; }
  }

  void add(Sample sample, uint64_t row) {
    bool any = false;
    for (size_t i = 0; i < columns_.size(); ++i) { any = any || (columns_[i].event && values_[i] != 0); }
    bool added = false;
    for (size_t i = 0; i < columns_.size(); ++i) {
      const Column& column = columns_[i];
      if (!column.event || (any && values_[i] == 0) || (!any && added)) { continue; }
      if (__builtin_mul_overflow(values_[i], column.factor, &sample.weight) || sample.weight == INT64_MIN) {
        left_out_.add("sample %llu: its value does not fit", static_cast<unsigned long long>(row));
        continue;
      }
      int64_t count = column.counts >= 0 ? values_[static_cast<size_t>(column.counts)] : 1;
      sample.count = count == INT64_MIN ? 1 : static_cast<uint64_t>(count < 0 ? -count : count);
      if (!any && sample.count == 0) { continue; }
      if (sample.count == 0) { sample.count = 1; }
      sample.event = *column.event;
      b_.add_sample(sample);
      added = true;
    }
  }

  Bytes bytes_;
  const ImportOptions& options_;
  ProfileBuilder b_;
  ThreadTable threads_;
  std::vector<ValueType> types_;
  std::vector<Column> columns_;
  std::vector<std::string_view> strings_;
  std::vector<pbf_reader> raw_mappings_;  // their texts may come later
  std::vector<MappingRow> mappings_;
  std::vector<LocationRow> locations_;
  std::vector<Line> lines_;
  std::vector<FunctionRow> functions_;
  tsl::robin_map<uint64_t, size_t> mapping_of_id_, location_of_id_, function_of_id_;
  std::vector<int64_t> comments_, values_;
  std::vector<uint64_t> ids_;
  int64_t time_nanos_ = 0, default_type_ = 0;
  uint64_t budget_ = 0;  // frames that may still be made: a location can be used often, and hold many
  bool has_times_ = false;
  LeftOut left_out_{"samples"};
};

// Two small numbers, which is what a ValueType is.
bool is_value_type(std::string_view bytes) {
  ProtoScan scan(bytes);
  size_t fields = 0;
  while (std::optional<ProtoScan::Field> field = scan.next()) {
    if (field->number > 2 || field->wire != 0) { return false; }
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
    bool packed = field->number == 13 && field->wire == 2;
    if (field->number > 15 || (field->wire != (message ? 2u : 0u) && !packed)) { return false; }
    if (field->number == 1 && (!field->whole || !is_value_type(field->bytes))) { return false; }
    (field->number == 1 ? types : others) += 1;
  }
  // Sample types may come late; then at least the rest looks like it, and is more than a text that happens to.
  return !scan.broken() && (types > 0 || others >= 8);
}

Result<Profile> read_pprof(Input& input, const ImportOptions& options) {
  WICK_LET(WholeInput whole, read_whole(input));
  try {
    return Import(whole.bytes, options).run();
  } catch (const protozero::exception& e) { return Error("damaged or cut off (%s)", e.what()).with_code(Errc::kBadInput); }
}

}  // namespace wick
