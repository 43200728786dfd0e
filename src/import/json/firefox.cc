// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0

// The Firefox Profiler's processed format, versions 24 to 70: tables of columns. Up to version 59 each thread has its own tables,
// later ones are in `shared`. A column is searched under each of its names, and a table in both places, so the version does not
// matter. Markers, counters, categories and CPU deltas are not read.

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/text.h"
#include "import/common/foreign.h"
#include "import/json/json_formats.h"

namespace wick {
namespace {

constexpr int kOldest = 24, kNewest = 70;  // versions

int64_t at(const std::vector<int64_t>& column, int64_t row) {
  return row >= 0 && static_cast<uint64_t>(row) < column.size() ? column[static_cast<size_t>(row)] : -1;
}
uint32_t small(int64_t n) { return n > 0 && n <= INT32_MAX ? static_cast<uint32_t>(n) : 0; }

// The tables of stacks, as one thread sees them.
class Tables {
 public:
  Tables(const Tables&) = delete;  // it points into itself
  Tables(ProfileBuilder& b, const ImportOptions& options, const std::vector<ModuleId>& libs,
         const std::vector<std::string>& lib_names, bool from_wick)
      : b_(b), options_(options), libs_(libs), lib_names_(lib_names), from_wick_(from_wick) {}

  // `home` contains the tables: a thread, or the shared part. Strings and files may be shared even if nothing else is: `shared`,
  // which is loaded once.
  void load(JsonValue home, const Tables* shared) {
    JsonValue strings = home["stringArray"], sources = home["sources"], item;
    if (!strings.present()) { strings = home["stringTable"]; }
    if (shared == nullptr || strings.is_array()) {
      for (JsonValue::Walk walk = strings.items(); walk.next(item);) { own_strings_.push_back(item); }
    } else {
      strings_ = shared->strings_;
    }
    if (shared == nullptr || sources.is_object()) {
      own_source_file_ = json_integers(sources["filename"]);
    } else {
      source_file_ = shared->source_file_;
    }
    JsonValue funcs = home["funcTable"];
    resource_lib_ = json_integers(home["resourceTable"]["lib"]);
    func_name_ = json_integers(funcs["name"]);
    func_resource_ = json_integers(funcs["resource"]);
    func_file_ = json_integers(funcs["fileName"]);
    func_source_ = json_integers(funcs["source"]);
    symbol_lib_ = json_integers(home["nativeSymbols"]["libIndex"]);
    load_frames(home["frameTable"]);
    load_stacks(home["stackTable"]);
  }

  bool good(int64_t stack) const {
    return stack >= 0 && static_cast<uint64_t>(stack) < stacks_.good.size() && stacks_.good[static_cast<size_t>(stack)];
  }
  StackId stack(int64_t row) const { return stacks_.stack[static_cast<size_t>(row)]; }

 private:
  std::string_view text(int64_t row, std::string& buffer) const {
    bool there = row >= 0 && static_cast<uint64_t>(row) < strings_->size();
    return there ? (*strings_)[static_cast<size_t>(row)].text(buffer) : std::string_view();
  }
  ModuleId lib(int64_t row) const {
    return row >= 0 && static_cast<uint64_t>(row) < libs_.size() ? libs_[static_cast<size_t>(row)] : ModuleId{};
  }

  void load_frames(JsonValue frames) {
    std::vector<int64_t> func = json_integers(frames["func"]), line = json_integers(frames["line"]),
                         column = json_integers(frames["column"]), address = json_integers(frames["address"]),
                         depth = json_integers(frames["inlineDepth"]), frame_lib = json_integers(frames["lib"]),
                         symbol = json_integers(frames["nativeSymbol"]);
    frames_.resize(func.size());
    functions_.resize(func_name_.size());
    for (size_t i = 0; i < func.size(); ++i) {
      int64_t row = static_cast<int64_t>(i), f = func[i];
      if (f < 0 || static_cast<uint64_t>(f) >= func_name_.size()) { continue; }
      int64_t module = at(frame_lib, row);
      if (module < 0) { module = at(resource_lib_, at(func_resource_, f)); }
      if (module < 0) { module = at(symbol_lib_, at(symbol, row)); }
      uint64_t where = at(address, row) > 0 ? static_cast<uint64_t>(at(address, row)) : 0;
      const NamedFunction& function = function_of(f, lib(module));
      bool is_address = lib(module).valid() && b_.function_name(function.id).starts_with("0x");
      frames_[i] =
          b_.frame({.function = is_address ? nameless_function(b_, lib(module), lib_names_[static_cast<size_t>(module)], where)
                                           : function.id,
                    .address = where,
                    .file = function.file,
                    .line = small(at(line, row)),
                    .column = small(at(column, row)),
                    .inlined = at(depth, row) > 0});
      if (is_address && where != 0) {
        // wick's addresses are as linked, all others' relative to the library.
        b_.add_place({.frame = frames_[i],
                      .space = from_wick_ ? FramePlace::Space::kLinked : FramePlace::Space::kRelative,
                      .value = where});
      }
    }
  }

  const NamedFunction& function_of(int64_t f, ModuleId module) {
    NamedFunction& known = functions_[static_cast<size_t>(f)];
    if (known.id.valid() && known.module == module) { return known; }
    int64_t file = at(func_file_, f);
    if (file < 0) { file = at(*source_file_, at(func_source_, f)); }
    return name_once(known, b_, options_, {text(at(func_name_, f), name_buffer_), {}, text(file, file_buffer_)}, module);
  }

  void load_stacks(JsonValue table) {
    ForeignStacks rows;
    std::vector<int64_t> frame = json_integers(table["frame"]);
    rows.caller = json_integers(table["prefix"]);
    if (JsonValue offsets = table["prefixOffset"]; offsets.is_array()) {
      rows.caller = json_integers(offsets, 0);
      for (size_t i = 0; i < rows.caller.size(); ++i) {
        int64_t back = rows.caller[i], row = static_cast<int64_t>(i);
        rows.caller[i] = back == 0 ? -1 : back > 0 && back <= row ? row - back : row;  // a row that calls itself is invalid
      }
    }
    rows.caller.resize(frame.size(), -1);
    rows.frame.resize(frame.size());
    for (size_t i = 0; i < frame.size(); ++i) {
      bool there = frame[i] >= 0 && static_cast<uint64_t>(frame[i]) < frames_.size();
      if (there) { rows.frame[i] = frames_[static_cast<size_t>(frame[i])]; }
    }
    stacks_ = build_stacks(b_, rows);
  }

  ProfileBuilder& b_;
  const ImportOptions& options_;
  const std::vector<ModuleId>& libs_;
  const std::vector<std::string>& lib_names_;
  bool from_wick_;
  std::string name_buffer_, file_buffer_;
  std::vector<JsonValue> own_strings_;
  const std::vector<JsonValue>* strings_ = &own_strings_;
  std::vector<int64_t> own_source_file_;
  const std::vector<int64_t>* source_file_ = &own_source_file_;
  std::vector<int64_t> resource_lib_, func_name_, func_resource_, func_file_, func_source_, symbol_lib_;
  std::vector<NamedFunction> functions_;  // by row of the table
  std::vector<FrameId> frames_;
  BuiltStacks stacks_;
};

class FirefoxImport {
 public:
  FirefoxImport(const JsonDocument& document, const ImportOptions& options)
      : root_(document.root()), options_(options), threads_(b_) {}

  Result<Profile> run() {
    if (options_.merge) { b_.merge_samples(); }
    JsonValue meta = root_["meta"], threads = root_["threads"];
    if (!threads.is_array()) { return Error("expected an array \"threads\"").with_code(Errc::kBadInput); }
    from_wick_ = meta["importedFrom"].text().starts_with("wick ");
    if (std::optional<double> interval = meta["interval"].number(); interval && *interval > 1e-6 && *interval < 1e6) {
      rate_hz_ = static_cast<uint64_t>(std::llround(1e3 / *interval));
    }
    std::string time_unit = meta["sampleUnits"]["time"].text();
    has_times_ = time_unit != "bytes";
    b_.set_imported(kFirefoxReader.what, has_times_);
    if (std::optional<int64_t> version = meta["preprocessedProfileVersion"].integer();
        version && (*version < kOldest || *version > kNewest)) {
      b_.add_warning(strf("unsupported format version %lld (supported: %d to %d); some data may be wrong",
                          static_cast<long long>(*version), kOldest, kNewest));
    }
    load_libs(root_["libs"], libs_, lib_names_);
    shared_tables_ = std::make_unique<Tables>(b_, options_, libs_, lib_names_, from_wick_);
    shared_tables_->load(root_["shared"], nullptr);
    JsonValue thread;
    for (JsonValue::Walk walk = threads.items(); walk.next(thread);) { read_thread(thread); }
    skipped_.warn(b_);
    set_start(meta);
    if (b_.so_far().samples().empty() && !meta["preprocessedProfileVersion"].present()) {
      return Error("no samples; expected \"preprocessedProfileVersion\" in \"meta\"").with_code(Errc::kBadInput);
    }
    return std::move(b_).build();
  }

 private:
  // Times count from the clock's start ("startTime"), which may be long before; in samply's files from boot.
  void set_start(JsonValue meta) {
    std::optional<int64_t> start = meta["profilingStartTime"].scaled(6);
    uint64_t first_ns = UINT64_MAX;
    for (const Sample& sample : b_.so_far().samples()) { first_ns = std::min(first_ns, sample.time_ns); }
    if (first_ns == UINT64_MAX) { first_ns = 0; }
    uint64_t start_ns = !b_.so_far().has_times() ? 0 : start ? std::min(time_of(*start), first_ns) : first_ns;
    uint64_t wall_ns = time_of(meta["startTime"].scaled(6).value_or(0));
    b_.set_start(start_ns, wall_ns == 0 || !start ? wall_ns : wall_ns + start_ns);
  }

  void load_libs(JsonValue list, std::vector<ModuleId>& modules, std::vector<std::string>& names) {
    JsonValue lib;
    for (JsonValue::Walk walk = list.items(); walk.next(lib);) {
      std::string path = lib["path"].text(), name = lib["name"].text();
      if (path.empty()) { path = name; }
      if (path.empty()) { path = lib["debugName"].text(); }
      names.push_back(name.empty() ? path : name);
      modules.push_back(b_.module({.name = b_.string(names.back()),
                                   .path = b_.string(path),
                                   .build_id = b_.string(lib["codeId"].text()),
                                   .kernel = is_kernel_module(path) || is_kernel_module(name)}));
    }
  }

  static std::string id_text(JsonValue id) {
    if (id.is_string()) { return id.text(); }
    std::optional<int64_t> number = id.integer();
    return number ? std::to_string(*number) : std::string();
  }

  void read_thread(JsonValue thread) {
    ++thread_number_;
    std::string pid = id_text(thread["pid"]), tid = id_text(thread["tid"]), name = thread["name"].text();
    uint32_t pid_number = leading_u32(pid), tid_number = leading_u32(tid);
    std::string event_of_thread = event_in_name(pid + "/" + tid, name);
    bool nobody = from_wick_ && pid_number == 0 && tid_number == 0 && name == "all";
    ThreadTable::Key key{pid_number, tid_number, thread["processName"].text(), nobody ? "" : name,
                         pid_number == 0 || pid != std::to_string(pid_number) ? pid + "/" + tid : ""};
    ThreadId id = threads_.thread(key);

    std::unique_ptr<Tables> own;
    const Tables* tables = shared_tables_.get();
    std::vector<ModuleId> own_libs;  // before version 41 each thread had its libraries
    std::vector<std::string> own_names;
    if (thread["stackTable"].present()) {
      bool has_libs = thread["libs"].is_array();
      if (has_libs) { load_libs(thread["libs"], own_libs, own_names); }
      own = std::make_unique<Tables>(b_, options_, has_libs ? own_libs : libs_, has_libs ? own_names : lib_names_, from_wick_);
      own->load(thread, shared_tables_.get());
      tables = own.get();
    }
    read_samples(thread["samples"], id, *tables, event_of_thread, "samples");
    read_samples(thread["nativeAllocations"], id, *tables, "native-allocations", "nativeAllocations");
    read_samples(thread["jsAllocations"], id, *tables, "js-allocations", "jsAllocations");
  }

  // wick writes threads of further events under the same IDs, with the event after the name: "worker (instructions)".
  std::string event_in_name(const std::string& ids, std::string& name) {
    if (!from_wick_) { return {}; }
    auto [it, fresh] = first_names_.try_emplace(ids, name);
    if (fresh || !name.starts_with(it->second + " (") || !name.ends_with(')')) { return {}; }
    std::string event = name.substr(it->second.size() + 2);
    event.pop_back();
    name = it->second;
    return event;
  }

  void read_samples(JsonValue samples, ThreadId thread, const Tables& tables, const std::string& event_name, const char* what) {
    if (!samples.is_object()) { return; }
    std::string type = samples["weightType"].text();
    bool bytes = type == "bytes", tracing = type == "tracing-ms";
    JsonValue cpu = from_wick_ ? samples["threadCPUDelta"] : JsonValue();
    std::string unit = bytes ? "bytes" : tracing || cpu.is_array() ? "ns" : "samples";
    std::string name = event_name.empty() ? (bytes            ? "bytes"
                                             : tracing        ? "time"
                                             : cpu.is_array() ? "cpu"
                                                              : "samples")
                                          : event_name;
    EventId event = b_.event(name, unit, bytes || tracing ? 0 : rate_hz_);

    std::vector<int64_t> stack = json_integers(samples["stack"]);
    JsonValue::Walk weights = samples["weight"].items(), costs = cpu.items();
    JsonValue times = samples["time"];
    bool deltas = !times.is_array();
    JsonValue::Walk clock = (deltas ? samples["timeDeltas"] : times).items();
    JsonValue item;
    bool weighs = samples["weight"].is_array();
    int64_t time_ns = 0;
    for (size_t i = 0; i < stack.size(); ++i) {
      if (clock.next(item)) {
        int64_t given = item.scaled(6).value_or(deltas ? 0 : time_ns);
        if (!deltas) {
          time_ns = given;
        } else if (__builtin_add_overflow(time_ns, given, &time_ns)) {
          time_ns = INT64_MAX;
        }
      }
      std::optional<int64_t> weight = 1;
      if (weighs) { weight = weights.next(item) ? (tracing ? item.scaled(6) : item.integer()) : std::nullopt; }
      int64_t cost = costs.next(item) ? item.integer().value_or(0) : 0;
      bool unknown = stack[i] == -1;  // null: unknown stack
      if (!weight || *weight == INT64_MIN || (!unknown && !tables.good(stack[i]))) {
        skipped_.add("row %zu of \"%s\" of thread %llu: %s", i, what, static_cast<unsigned long long>(thread_number_ - 1),
                     !weight ? "its weight is not a number" : "its stack is missing or circular");
        continue;
      }
      uint64_t count = bytes || tracing ? 1 : static_cast<uint64_t>(std::llabs(*weight));
      b_.add_sample({.time_ns = has_times_ ? time_of(time_ns) : 0,
                     .thread = thread,
                     .stack = unknown ? StackId{} : tables.stack(stack[i]),
                     .event = event,
                     .weight = cpu.is_array() ? cost : *weight,
                     .count = count});
    }
  }

  JsonValue root_;
  const ImportOptions& options_;
  ProfileBuilder b_;
  ThreadTable threads_;
  std::vector<ModuleId> libs_;
  std::vector<std::string> lib_names_;
  std::unique_ptr<Tables> shared_tables_;
  std::unordered_map<std::string, std::string> first_names_;
  SkippedRows skipped_{"samples"};
  uint64_t rate_hz_ = 0, thread_number_ = 0;
  bool from_wick_ = false, has_times_ = true;
};

}  // namespace

Result<Profile> import_firefox(const JsonDocument& document, const ImportOptions& options) {
  return FirefoxImport(document, options).run();
}

}  // namespace wick
