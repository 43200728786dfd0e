// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0

// The raw text has samples first, as numbers of locations that follow later, so it is kept until the end. A location may have
// many frames (inlined functions), and a line many locations: a budget of frames limits what a malicious file can produce from a
// few bytes.
#include "import/text/go_text.h"

#include <tsl/robin_map.h>

#include <algorithm>
#include <span>
#include <string>
#include <vector>

#include "base/hash.h"
#include "base/text.h"
#include "import/common/foreign.h"
#include "import/proto/pprof_columns.h"
#include "import/text/stack_text.h"

namespace wick {
namespace {

struct ValueTypes {
  std::vector<PprofType> types;  // parts of the line
  std::string_view default_type;
};

// "samples/count cpu/nanoseconds", the default one followed by "[dflt]"
ValueTypes parse_types(std::string_view line) {
  ValueTypes out;
  while (!trim(line).empty()) {
    std::string_view word = take_word(line);
    bool is_default = word.ends_with("[dflt]");
    if (is_default) { word.remove_suffix(6); }
    size_t slash = word.find('/');
    if (slash == word.npos || slash == 0 || slash + 1 == word.size()) { return {}; }
    out.types.push_back({word.substr(0, slash), word.substr(slash + 1)});
    if (is_default) { out.default_type = out.types.back().type; }
  }
  return out;
}

constexpr int64_t kNoValue = -1;
int64_t parse_value(std::string_view word) {
  std::optional<uint64_t> number = parse_count(word);
  return number ? static_cast<int64_t>(*number) : kNoValue;
}

struct RawLine {
  std::string name, file;
  uint32_t line = 0, column = 0;
};
struct RawLocation {
  uint64_t address = 0, mapping = 0;
  std::vector<RawLine> lines;  // innermost first
  std::vector<FrameId> frames;
};

// "math.Frexp /usr/local/go/src/math/frexp.go:21:0 s=17"
RawLine parse_raw_line(std::string_view text) {
  text = trim(text);
  if (size_t start = text.rfind(" s="); start != text.npos && is_digits(text.substr(start + 3))) {
    text = trim(text.substr(0, start));
  }
  RawLine out;
  size_t blank = text.find_last_of(" \t");
  std::string_view place = blank == text.npos ? std::string_view() : text.substr(blank + 1);
  uint32_t numbers[2] = {};
  size_t count = 0;
  while (count < 2) {
    size_t colon = place.rfind(':');
    if (colon == place.npos || !is_digits(place.substr(colon + 1))) { break; }
    numbers[count++] = static_cast<uint32_t>(std::min<uint64_t>(parse_u64(place.substr(colon + 1)).value_or(0), UINT32_MAX));
    place = place.substr(0, colon);
  }
  out.line = count == 2 ? numbers[1] : numbers[0];
  out.column = count == 2 ? numbers[0] : 0;
  out.file = count > 0 ? place : std::string_view();
  out.name = trim(count > 0 ? text.substr(0, blank) : text);
  return out;
}

// "3: rest"
struct Numbered {
  uint64_t number = 0;
  std::string_view rest;
};
std::optional<Numbered> parse_numbered(std::string_view line) {
  std::string_view text = trim_left(line);
  size_t colon = text.find(':');
  if (colon == text.npos) { return std::nullopt; }
  std::optional<uint64_t> number = parse_count(text.substr(0, colon));
  if (!number) { return std::nullopt; }
  return Numbered{*number, text.substr(colon + 1)};
}

}  // namespace

bool is_pprof_raw(const Head& head) {
  bool found = false, was_samples = false;
  see_lines(head, [&](std::string_view line) {
    found = was_samples && !parse_types(line).types.empty();
    was_samples = trim(line) == "Samples:";
    return !found;
  });
  return found;
}

Result<Profile> read_pprof_raw(Input& input, const ImportOptions& options) {
  StackImport import(kPprofRawReader.what, options, input);
  ThreadId thread = import.thread(0, 0, "");
  std::vector<PprofColumn> columns;
  struct PprofSample {
    size_t values = 0, locations = 0, line = 0;
  };
  std::vector<PprofSample> samples;
  std::vector<int64_t> values;  // of all samples
  std::vector<uint64_t> ids;    // of all samples: their locations
  tsl::robin_map<uint64_t, RawLocation, NumberHash> locations;
  tsl::robin_map<uint64_t, ModuleId, NumberHash> modules;
  tsl::robin_map<uint64_t, std::string, NumberHash> paths;  // of modules
  uint64_t open_location = 0, bytes = 0;
  bool has_location = false;
  enum class Part : uint8_t { kHead, kTypes, kSamples, kLocations, kMappings } part = Part::kHead;
  std::string_view line;
  for (;;) {
    WICK_LET(bool more, import.next(line));
    if (!more) { break; }
    std::string_view text = trim(line);
    bytes += line.size() + 1;
    if (text == "Samples:") {
      part = Part::kTypes;
    } else if (text == "Locations" || text == "Locations:") {
      part = Part::kLocations;
    } else if (text == "Mappings" || text == "Mappings:") {
      part = Part::kMappings;
    } else if (text.empty() || part == Part::kHead) {
      continue;
    } else if (part == Part::kTypes) {
      ValueTypes types = parse_types(text);
      if (types.types.empty() || types.types.size() > kMostPprofColumns) {
        return Error("line %llu: expected sample types (samples/count cpu/nanoseconds)",
                     static_cast<unsigned long long>(import.line_number()))
            .with_code(Errc::kBadInput);
      }
      columns = choose_pprof_columns(import.builder(), types.types, types.default_type);
      part = Part::kSamples;
    } else if (part == Part::kSamples) {
      if (text.find(":[") != text.npos) { continue; }  // labels
      size_t colon = text.find(':');
      if (colon == text.npos) {
        import.skip();
        continue;
      }
      std::string_view numbers = text.substr(0, colon), refs = text.substr(colon + 1);
      PprofSample sample{values.size(), ids.size(), import.line_number()};
      while (!trim(numbers).empty()) { values.push_back(parse_value(take_word(numbers))); }
      while (!trim(refs).empty()) { ids.push_back(parse_count(take_word(refs)).value_or(UINT64_MAX)); }
      bool good = values.size() - sample.values == columns.size() &&
                  std::find(values.begin() + static_cast<ptrdiff_t>(sample.values), values.end(), kNoValue) == values.end();
      if (!good) {
        import.skip();
        values.resize(sample.values);
        ids.resize(sample.locations);
        continue;
      }
      samples.push_back(sample);
    } else if (part == Part::kLocations) {
      if (std::optional<Numbered> numbered = parse_numbered(line)) {
        std::string_view rest = numbered->rest;
        RawLocation location;
        std::optional<uint64_t> address = parse_hex(take_word(rest));
        if (!address) { import.skip(); }
        location.address = address.value_or(0);
        std::string_view after = rest;
        if (std::string_view word = take_word(after); word.starts_with("M=")) {
          location.mapping = parse_count(word.substr(2)).value_or(0);
          rest = after;
        }
        after = rest;
        if (take_word(after) == "[F]") { rest = after; }  // functions were merged
        if (!trim(rest).empty()) { location.lines.push_back(parse_raw_line(rest)); }
        open_location = numbered->number;
        locations.insert_or_assign(open_location, std::move(location));
        has_location = true;
      } else if (has_location) {  // what the previous line is inlined into
        locations[open_location].lines.push_back(parse_raw_line(text));
      } else {
        import.skip();
      }
    } else if (std::optional<Numbered> numbered = parse_numbered(line)) {
      // "1: 0x400000/0x4cf000/0x0 m 580004107454 [FN]"
      std::string_view rest = numbered->rest;
      take_word(rest);
      std::string_view path = take_word(rest), build_id = take_word(rest);
      if (build_id.starts_with('[') || build_id.size() < 8) { build_id = {}; }
      if (!path.empty()) {
        modules.insert_or_assign(numbered->number, import.builder().module(path, build_id));
        paths.insert_or_assign(numbered->number, std::string(path));
      }
    } else {
      import.skip();
    }
  }

  ProfileBuilder& b = import.builder();
  for (auto it = locations.begin(); it != locations.end(); ++it) {
    RawLocation& l = it.value();
    auto module = modules.find(l.mapping);
    ModuleId id = module != modules.end() ? module->second : ModuleId{};
    if (l.lines.empty()) {
      std::string name = name_unknown(id.valid() ? std::string_view(paths[l.mapping]) : std::string_view());
      l.frames.push_back(b.frame({.function = b.function(name, {}, id, false), .address = l.address}));
    }
    for (size_t i = 0; i < l.lines.size(); ++i) {
      const RawLine& r = l.lines[i];
      bool known = !r.name.empty();
      l.frames.push_back(b.frame({.function = b.function(known ? r.name : "[unknown]", {}, id, known),
                                  .address = l.address,
                                  .file = b.string(r.file),
                                  .line = r.line,
                                  .column = r.column,
                                  .inlined = i + 1 < l.lines.size()}));
    }
  }
  uint64_t budget = bytes * 32 + 4096;
  for (size_t s = 0; s < samples.size(); ++s) {
    size_t end = s + 1 < samples.size() ? samples[s + 1].locations : ids.size();
    bool good = true;
    for (size_t i = samples[s].locations; i < end && good; ++i) {
      auto it = locations.find(ids[i]);
      if (it == locations.end() || it->second.frames.size() > budget) {
        good = false;
        break;
      }
      budget -= it->second.frames.size();
      for (FrameId frame : it->second.frames) { import.push(frame); }
    }
    if (!good) {
      import.skip(samples[s].line);
      import.drop();
      continue;
    }
    std::span<const int64_t> row = std::span(values).subspan(samples[s].values, columns.size());
    size_t too_large = add_pprof_values(columns, row, {.thread = thread, .stack = import.take()},
                                        [&](const Sample& sample) { import.add(sample); });
    if (too_large > 0) { import.skip(samples[s].line); }
  }
  return import.finish("Samples:, sample types, lines with VALUES: LOCATIONS, then Locations");
}

namespace {

bool is_trace_rule(std::string_view line) {
  size_t plus = line.find('+');
  return plus != line.npos && plus >= 5 && line.size() > plus + 5 && line.find_first_not_of("-+") == line.npos;
}

// "      10ms   runtime.asyncPreempt": a value, three spaces, the innermost function
struct TraceStart {
  Quantity value;
  std::string_view name;
};
std::optional<TraceStart> parse_trace_start(std::string_view line) {
  std::string_view rest = trim_left(line);
  size_t gap = rest.find("   ");
  if (gap == rest.npos || gap == 0) { return std::nullopt; }
  std::optional<Quantity> value = parse_quantity(rest.substr(0, gap));
  std::string_view name = trim(rest.substr(gap));
  if (!value || name.empty()) { return std::nullopt; }
  return TraceStart{*value, name};
}

void push_trace(StackImport& import, std::string_view name) {
  constexpr std::string_view kInline = " (inline)";
  bool inlined = name.ends_with(kInline);
  if (inlined) { name.remove_suffix(kInline.size()); }
  import.push(TextFrame{.name = name, .inlined = inlined});
}

}  // namespace

bool is_pprof_traces(const Head& head) {
  bool found = false, was_rule = false;  // tables of other programs have rules as well
  see_lines(head, [&](std::string_view line) {
    std::optional<TraceStart> start = was_rule ? parse_trace_start(line) : std::nullopt;
    found = start && !start->name.starts_with('|');
    was_rule = is_trace_rule(trim(line)) || (was_rule && line.find(":  ") != line.npos);
    return !found;
  });
  return found;
}

Result<Profile> read_pprof_traces(Input& input, const ImportOptions& options) {
  StackImport import(kPprofTracesReader.what, options, input);
  ThreadId thread = import.thread(0, 0, "");
  std::string type = "samples";
  std::optional<Quantity> value;
  std::string unit;
  bool has_begun = false;
  auto end = [&] {
    if (import.depth() > 0 && value && value->value > 0) {
      EventId event = import.event(type, unit, value->divisor);
      import.add(thread, event, static_cast<int64_t>(value->value), unit == "samples" ? value->value : 1);
    }
    import.drop();
    value.reset();
  };
  std::string_view line;
  for (;;) {
    WICK_LET(bool more, import.next(line));
    if (!more) { break; }
    std::string_view text = trim(line);
    if (is_trace_rule(text)) {
      end();
      has_begun = true;
    } else if (text.empty()) {
      continue;
    } else if (!has_begun && text.find(": ") != text.npos) {
      if (text.starts_with("Type: ")) { type = trim(text.substr(6)); }
    } else if (!has_begun) {
      if (!text.ends_with('.')) { import.skip(); }  // else a message
      has_begun = parse_trace_start(line).has_value();
    } else if (std::optional<TraceStart> start = parse_trace_start(line)) {
      if (import.depth() > 0) {  // the rule between them is missing
        import.skip(import.line_number() - 1);
        end();
      }
      value = start->value;
      unit = value->unit;
      push_trace(import, start->name);
    } else if (import.depth() > 0) {
      push_trace(import, text);
    } else if (text.find(":  ") == text.npos) {  // else a label
      import.skip();
    }
  }
  end();
  return import.finish("-----------+----, then VALUE   function, and a line for each caller");
}

}  // namespace wick
