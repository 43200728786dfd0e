// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0

// Output of valgrind's DHAT and the dhat crate: for each program point that allocates, how much and how often, at the peak, at
// the end, and how it was used. Each of these is an event; the number of samples is the number of blocks.

#include <optional>
#include <string>
#include <vector>

#include "base/text.h"
#include "import/common/foreign.h"
#include "import/json/json_formats.h"

namespace wick {
namespace {

struct Measure {
  const char* name;
  const char* unit;
  const char* key;
  const char* count_key;  // key of the number of blocks; null: the amount itself
};
constexpr Measure kMeasures[] = {
    {"bytes", "bytes", "tb", "tbk"},        {"blocks", "blocks", "tbk", nullptr}, {"bytes-at-peak", "bytes", "gb", "gbk"},
    {"bytes-at-end", "bytes", "eb", "ebk"}, {"bytes-read", "bytes", "rb", "tbk"}, {"bytes-written", "bytes", "wb", "tbk"},
};

class DhatImport {
 public:
  DhatImport(const JsonDocument& document, const ImportOptions& options) : root_(document.root()), options_(options) {}

  Result<Profile> run() {
    JsonValue points = root_["pps"], frames = root_["ftbl"], item;
    if (!points.is_array() || !frames.is_array()) {
      return Error("expected arrays \"pps\" and \"ftbl\"").with_code(Errc::kBadInput);
    }
    if (options_.merge) { b_.merge_samples(); }
    b_.set_imported(kDhatReader.what, false);
    std::string mode = root_["mode"].text(), command = root_["cmd"].text(), buffer;
    bool heap = mode.empty() || mode.find("heap") != std::string::npos;
    std::string_view program = std::string_view(command).substr(0, command.find(' '));
    std::string name(program.substr(program.rfind('/') + 1));
    uint32_t pid = leading_u32(std::to_string(root_["pid"].integer().value_or(0)));
    ThreadId thread = b_.add_thread(b_.add_process(pid, name), 0, "");
    for (JsonValue::Walk walk = frames.items(); walk.next(item);) { frames_.push_back(frame(item.text(buffer))); }
    // Ad hoc profiles have their own unit.
    std::string unit = root_["bsu"].text();
    std::vector<EventId> events;
    for (const Measure& m : kMeasures) {
      bool own_unit = !heap && std::string_view(m.unit) == "bytes" && !unit.empty() && mode != "copy";
      events.push_back(b_.event(own_unit ? unit : m.name, own_unit ? unit : m.unit));
    }
    SkippedRows skipped("program points");
    uint64_t row = 0;
    for (JsonValue::Walk walk = points.items(); walk.next(item); ++row) {
      StackId stack;
      std::vector<int64_t> chain = json_integers(item["fs"]);
      bool good = item["tb"].is_number();
      for (size_t i = chain.size(); good && i-- > 0;) {
        good = chain[i] >= 0 && static_cast<uint64_t>(chain[i]) < frames_.size();
        if (good && frames_[static_cast<size_t>(chain[i])].valid()) {
          stack = b_.stack(frames_[static_cast<size_t>(chain[i])], stack);
        }
      }
      if (!good) {
        skipped.add("program point %llu: %s", static_cast<unsigned long long>(row),
                    item["tb"].is_number() ? "a frame is not in the table" : "\"tb\" is not a number");
        continue;
      }
      for (size_t i = 0; i < std::size(kMeasures); ++i) {
        const Measure& m = kMeasures[i];
        int64_t amount = item[m.key].integer().value_or(0);
        if (amount <= 0) { continue; }
        int64_t count = m.count_key == nullptr ? amount : item[m.count_key].integer().value_or(1);
        b_.add_sample({.thread = thread,
                       .stack = stack,
                       .event = events[i],
                       .weight = amount,
                       .count = count > 0 ? static_cast<uint64_t>(count) : 1});
      }
    }
    skipped.warn(b_);
    return std::move(b_).build();
  }

 private:
  // "0x4848: malloc (in /usr/libexec/valgrind/x.so)", "0x1091: main (app.c:12)", "[root]"
  FrameId frame(std::string_view text) {
    if (text == "[root]") { return {}; }
    uint64_t address = 0;
    if (size_t colon = text.find(": "); text.starts_with("0x") && colon != text.npos) {
      address = parse_u64(text.substr(2, colon - 2), 16).value_or(0);
      text = text.substr(colon + 2);
    }
    size_t open = text.rfind(" (");
    std::string_view inside;
    if (open != text.npos && text.ends_with(')')) {
      inside = text.substr(open + 2, text.size() - open - 3);
      text = text.substr(0, open);
    }
    ModuleId module;
    StringId file;
    uint32_t line = 0;
    std::string_view path;
    if (inside.starts_with("in ")) {
      path = inside.substr(3);
      module = b_.module(path);
    } else if (size_t colon = inside.rfind(':'); colon != inside.npos) {
      std::string_view place = inside;
      std::optional<uint64_t> number = parse_u64(place.substr(colon + 1));
      std::string_view before = place.substr(0, colon);
      // The dhat crate writes file:line:column.
      size_t second = before.rfind(':');
      std::optional<uint64_t> earlier = second != before.npos ? parse_u64(before.substr(second + 1)) : std::nullopt;
      if (earlier) {
        before = before.substr(0, second);
        number = earlier;
      }
      if (number && *number <= INT32_MAX) {
        file = b_.string(before);
        line = static_cast<uint32_t>(*number);
      }
    }
    bool nameless = text.empty() || text == "???";
    FunctionId function = nameless ? nameless_function(b_, module, path, address) : foreign_function(b_, options_, text, module);
    return b_.frame({.function = function, .address = address, .file = file, .line = line});
  }

  JsonValue root_;
  const ImportOptions& options_;
  ProfileBuilder b_;
  std::vector<FrameId> frames_;
};

}  // namespace

Result<Profile> import_dhat(const JsonDocument& document, const ImportOptions& options) {
  return DhatImport(document, options).run();
}

}  // namespace wick
