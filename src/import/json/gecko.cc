// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0

// Output of Firefox itself and of perf's gecko script: version 24 and later. Rows are arrays, a schema names their items. A frame
// is a text: "name (in library)", "name (file:line:column)", an address, or a label. Processes contain processes.

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "base/text.h"
#include "import/common/foreign.h"
#include "import/json/json_formats.h"

namespace wick {
namespace {

struct Library {
  uint64_t begin = 0, end = 0;
  ModuleId module;
  std::string name;
};

// "name (file:12:3)": the parts after the last " (".
struct Location {
  std::string_view name, inside;
};
Location split_location(std::string_view text) {
  size_t open = text.rfind(" (");
  if (open == text.npos || !text.ends_with(')')) { return {text, {}}; }
  return {text.substr(0, open), text.substr(open + 2, text.size() - open - 3)};
}

// Removes ":12" from the end.
std::optional<uint32_t> take_number(std::string_view& text) {
  size_t colon = text.rfind(':');
  if (colon == text.npos) { return std::nullopt; }
  std::optional<uint64_t> number = parse_u64(text.substr(colon + 1));
  if (!number || *number > INT32_MAX) { return std::nullopt; }
  text = text.substr(0, colon);
  return static_cast<uint32_t>(*number);
}

class GeckoImport {
 public:
  GeckoImport(const JsonDocument& document, const ImportOptions& options)
      : root_(document.root()), options_(options), threads_(b_) {}

  Result<Profile> run() {
    if (options_.merge) { b_.merge_samples(); }
    b_.set_imported(kGeckoReader.what, true);
    start_ns_ = root_["meta"]["startTime"].scaled(6).value_or(0);
    b_.set_start(0, time_of(start_ns_));
    uint64_t rate_hz = 0;
    if (std::optional<double> interval = root_["meta"]["interval"].number(); interval && *interval > 1e-3 && *interval < 1e6) {
      rate_hz = static_cast<uint64_t>(1e3 / *interval + 0.5);
    }
    event_ = b_.event("samples", "samples", rate_hz);
    if (!root_["threads"].is_array() && !root_["processes"].is_array()) {
      return Error("expected an array \"threads\"").with_code(Errc::kBadInput);
    }
    std::vector<JsonValue> waiting = {root_};
    while (!waiting.empty()) {
      JsonValue process = waiting.back(), item;
      waiting.pop_back();
      read_process(process);
      for (JsonValue::Walk walk = process["processes"].items(); walk.next(item);) { waiting.push_back(item); }
    }
    skipped_.warn(b_);
    Profile profile = std::move(b_).build();
    if (profile.samples().empty() && root_["meta"]["preprocessedProfileVersion"].present()) {
      return Error("no samples; expected \"samples\" with \"schema\" and \"data\" in each of \"threads\"")
          .with_code(Errc::kBadInput);
    }
    return profile;
  }

 private:
  void read_process(JsonValue process) {
    std::vector<Library> libs;
    JsonValue item;
    for (JsonValue::Walk walk = process["libs"].items(); walk.next(item);) {
      Library lib;
      lib.begin = time_of(item["start"].integer().value_or(0));
      lib.end = time_of(item["end"].integer().value_or(0));
      lib.name = item["name"].text();
      std::string path = item["path"].text();
      std::string_view shown = path.empty() ? lib.name : path;
      lib.module = b_.module(shown, item["codeId"].text(), is_kernel_module(shown));
      libs.push_back(std::move(lib));
    }
    std::sort(libs.begin(), libs.end(), [](const Library& a, const Library& c) { return a.begin < c.begin; });
    // Times of a process count from its own start.
    int64_t begun = process["meta"]["startTime"].scaled(6).value_or(start_ns_), offset = 0;
    if (__builtin_sub_overflow(begun, start_ns_, &offset)) { offset = 0; }
    for (JsonValue::Walk walk = process["threads"].items(); walk.next(item);) { read_thread(item, libs, offset); }
  }

  FrameId frame(std::string_view text, const std::vector<Library>& libs, uint32_t line, uint32_t column) {
    text = text.substr(0, ProfileBuilder::kMostTextBytes);  // many frames may share it
    if (text.starts_with("0x")) {
      std::optional<uint64_t> address = parse_u64(text.substr(2), 16);
      if (address) {
        auto above =
            std::upper_bound(libs.begin(), libs.end(), *address, [](uint64_t a, const Library& l) { return a < l.begin; });
        bool inside = above != libs.begin() && *address < std::prev(above)->end;
        FunctionId f =
            inside ? nameless_function(b_, std::prev(above)->module, std::prev(above)->name, *address - std::prev(above)->begin)
                   : foreign_function(b_, options_, text, {});
        FrameId frame = b_.frame({.function = f, .address = *address});
        if (inside) {
          b_.add_place({.frame = frame,
                        .space = FramePlace::Space::kRelative,
                        .value = *address - std::prev(above)->begin,
                        .callers_are_behind = true});
        }
        return frame;
      }
    }
    Location location = split_location(text);
    if (location.inside.starts_with("in ")) {
      std::string_view path = location.inside.substr(3);
      ModuleId module = b_.module(path, {}, is_kernel_module(path));
      return b_.frame({.function = foreign_function(b_, options_, location.name, module), .line = line, .column = column});
    }
    std::string_view file = location.inside;
    std::optional<uint32_t> last = take_number(file), first = last ? take_number(file) : std::nullopt;
    if (!last || file.empty()) { return b_.frame({.function = b_.function(text, {}, {}), .line = line, .column = column}); }
    if (line == 0) {
      line = first ? *first : *last;
      column = first ? *last : 0;
    }
    return b_.frame({.function = b_.function(location.name, {}, {}), .file = b_.string(file), .line = line, .column = column});
  }

  // The position of each item in a row.
  struct Schema {
    std::vector<std::string_view> names;
    std::vector<int64_t> items;  // -1: missing

    Schema(JsonValue schema, std::vector<std::string_view> wanted) : names(std::move(wanted)) {
      for (std::string_view name : names) { items.push_back(schema[name].integer().value_or(-1)); }
    }
    void pick(JsonValue row, std::vector<JsonValue>& out) const {
      out.assign(names.size(), {});
      JsonValue item;
      int64_t number = 0;
      for (JsonValue::Walk walk = row.items(); walk.next(item); ++number) {
        for (size_t i = 0; i < items.size(); ++i) {
          if (items[i] == number) { out[i] = item; }
        }
      }
    }
  };

  void read_thread(JsonValue thread, const std::vector<Library>& libs, int64_t offset_ns) {
    ++thread_number_;
    std::vector<JsonValue> strings, row;
    JsonValue item;
    for (JsonValue::Walk walk = thread["stringTable"].items(); walk.next(item);) { strings.push_back(item); }
    JsonValue table = thread["frameTable"];
    std::vector<FrameId> frames;
    std::string buffer;
    Schema of_frame(table["schema"], {"location", "line", "column"});
    for (JsonValue::Walk walk = table["data"].items(); walk.next(item);) {
      of_frame.pick(item, row);
      int64_t text = row[0].integer().value_or(-1);
      bool there = text >= 0 && static_cast<uint64_t>(text) < strings.size();
      auto small = [](JsonValue v) {
        int64_t n = v.integer().value_or(0);
        return n > 0 && n <= INT32_MAX ? static_cast<uint32_t>(n) : 0u;
      };
      frames.push_back(there ? frame(strings[static_cast<size_t>(text)].text(buffer), libs, small(row[1]), small(row[2]))
                             : FrameId{});
    }
    table = thread["stackTable"];
    ForeignStacks stacks;
    Schema of_stack(table["schema"], {"prefix", "frame"});
    for (JsonValue::Walk walk = table["data"].items(); walk.next(item);) {
      of_stack.pick(item, row);
      int64_t f = row[1].integer().value_or(-1);
      bool there = f >= 0 && static_cast<uint64_t>(f) < frames.size();
      stacks.frame.push_back(there ? frames[static_cast<size_t>(f)] : FrameId{});
      stacks.caller.push_back(row[0].integer().value_or(-1));
    }
    BuiltStacks built = build_stacks(b_, stacks);

    ThreadTable::Key key{.pid = leading_u32(std::to_string(thread["pid"].integer().value_or(0))),
                         .tid = leading_u32(std::to_string(thread["tid"].integer().value_or(0))),
                         .process = thread["processName"].text(),
                         .thread = thread["name"].text()};
    ThreadId id = threads_.thread(key);
    JsonValue samples = thread["samples"];
    Schema of_sample(samples["schema"], {"stack", "time"});
    uint64_t number = 0;
    for (JsonValue::Walk walk = samples["data"].items(); walk.next(item); ++number) {
      of_sample.pick(item, row);
      bool unknown = !row[0].is_number();
      int64_t stack = row[0].integer().value_or(-1), time_ns = row[1].scaled(6).value_or(0);
      bool there = stack >= 0 && static_cast<uint64_t>(stack) < built.good.size() && built.good[static_cast<size_t>(stack)];
      if (!unknown && !there) {
        skipped_.add("row %llu of \"samples\" of thread %llu: its stack is missing or circular",
                     static_cast<unsigned long long>(number), static_cast<unsigned long long>(thread_number_ - 1));
        continue;
      }
      if (__builtin_add_overflow(time_ns, offset_ns, &time_ns)) { time_ns = 0; }
      b_.add_sample({.time_ns = time_of(time_ns),
                     .thread = id,
                     .stack = unknown ? StackId{} : built.stack[static_cast<size_t>(stack)],
                     .event = event_,
                     .weight = 1});
    }
  }

  JsonValue root_;
  const ImportOptions& options_;
  ProfileBuilder b_;
  ThreadTable threads_;
  EventId event_;
  int64_t start_ns_ = 0;
  SkippedRows skipped_{"samples"};
  uint64_t thread_number_ = 0;
};

}  // namespace

Result<Profile> import_gecko(const JsonDocument& document, const ImportOptions& options) {
  return GeckoImport(document, options).run();
}

}  // namespace wick
