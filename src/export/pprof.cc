// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0

// pprof's profile.proto. A location is an address with all functions inlined there, innermost first; a sample is its locations
// from the leaf outwards, its values, and labels for thread and process. Equal samples are merged.
//
// Values: the number of samples, then one column per event. A sample belongs to one event and has 0 in the columns of others.
// Addresses are as linked, so every mapping spans all of them: this tells pprof that nothing needs to be subtracted.

#include <tsl/robin_map.h>

#include <algorithm>
#include <protozero/pbf_builder.hpp>
#include <string>
#include <utility>
#include <vector>

#include "analyze/overview.h"
#include "base/hash.h"
#include "base/text.h"
#include "export/writers.h"

namespace wick {
namespace {

// Fields of profile.proto.
enum class ProfileField : protozero::pbf_tag_type {
  kSampleType = 1,
  kSample = 2,
  kMapping = 3,
  kLocation = 4,
  kFunction = 5,
  kString = 6,
  kTimeNanos = 9,
  kDurationNanos = 10,
  kPeriodType = 11,
  kPeriod = 12,
  kComment = 13,
  kDefaultSampleType = 14,
};
enum class ValueTypeField : protozero::pbf_tag_type { kType = 1, kUnit = 2 };
enum class SampleField : protozero::pbf_tag_type { kLocationIds = 1, kValues = 2, kLabel = 3 };
enum class LabelField : protozero::pbf_tag_type { kKey = 1, kText = 2, kNumber = 3 };
enum class MappingField : protozero::pbf_tag_type {
  kId = 1,
  kStart = 2,
  kLimit = 3,
  kFile = 5,
  kBuildId = 6,
  kHasFunctions = 7,
  kHasFilenames = 8,
  kHasLines = 9,
  kHasInlines = 10,
};
enum class LocationField : protozero::pbf_tag_type { kId = 1, kMapping = 2, kAddress = 3, kLine = 4 };
enum class LineField : protozero::pbf_tag_type { kFunction = 1, kLine = 2, kColumn = 3 };
enum class FunctionField : protozero::pbf_tag_type { kId = 1, kName = 2, kSystemName = 3, kFile = 4 };

class Strings {
 public:
  Strings() { (void)add(""); }  // number 0 is the empty text
  int64_t add(std::string_view text) {
    auto [it, fresh] = numbers_.try_emplace(valid_utf8(text), static_cast<int64_t>(texts_.size()));
    if (fresh) { texts_.push_back(it->first); }
    return it->second;
  }
  const std::vector<std::string>& texts() const { return texts_; }

 private:
  tsl::robin_map<std::string, int64_t> numbers_;
  std::vector<std::string> texts_;
};

struct Column {
  std::string type, unit;
};

bool is_cpu_time(const Profile& p, const Event& event) {
  std::string_view name = p.text(event.name);
  return p.text(event.unit) == "ns" && (name == "cpu-clock" || name == "task-clock");
}

Column column_of(const Profile& p, const Event& event) {
  std::string name(p.text(event.name)), unit(p.text(event.unit));
  if (unit == "ns") { unit = "nanoseconds"; }
  return {name.empty() ? "cost" : name, unit.empty() ? "count" : unit};
}

class PprofWriter {
 public:
  PprofWriter(const ExportView& view, const Sink& sink)
      : view_(view),
        p_(view.profile),
        stacks_(used_stacks(view)),
        chains_(compute_inline_chains(p_, stacks_)),
        location_of_(chains_.rows.size(), 0),
        out_(sink) {}

  void run() {
    write_heading();
    write_samples();
    write_mappings();
    write_locations();
    for (const std::string& text : strings_.texts()) {
      root().add_string(ProfileField::kString, text);
      if (!out_.step()) { return; }
    }
    out_.finish();
  }

 private:
  using Root = protozero::pbf_builder<ProfileField>;
  Root root() { return Root(out_.text); }

  void write_type(ProfileField field, const Column& column) {
    Root message = root();
    protozero::pbf_builder<ValueTypeField> type(message, field);
    type.add_int64(ValueTypeField::kType, strings_.add(column.type));
    type.add_int64(ValueTypeField::kUnit, strings_.add(column.unit));
  }

  void write_heading() {
    write_type(ProfileField::kSampleType, {"samples", "count"});
    column_of_event_.assign(p_.events().size(), 0);  // 0: the number of samples
    columns_ = 1;
    Column first = {"samples", "count"};
    const std::vector<Selection>& all = view_.selections;
    // Readers that look for "cpu" in "nanoseconds" find the first event of CPU time; others keep their names.
    bool has_cpu = std::any_of(all.begin(), all.end(),
                               [&](const Selection& s) { return s.event.valid() && p_.text(p_[s.event].name) == "cpu"; });
    for (const Selection& selection : all) {
      if (!selection.event.valid() || (all.size() == 1 && is_sample_count(p_, selection))) { continue; }
      Column column = column_of(p_, p_[selection.event]);
      if (is_cpu_time(p_, p_[selection.event]) && !std::exchange(has_cpu, true)) { column.type = "cpu"; }
      if (columns_ == 1) { first = column; }
      column_of_event_[selection.event.value] = columns_++;
      write_type(ProfileField::kSampleType, column);
    }
    write_type(ProfileField::kPeriodType, first);
    Event event = view_.first().event.valid() ? p_[view_.first().event] : Event{};
    bool timed = p_.text(event.unit) == "ns" && event.rate_hz != 0;
    Root message = root();
    message.add_int64(ProfileField::kPeriod, timed ? static_cast<int64_t>(1'000'000'000 / event.rate_hz) : 1);
    message.add_int64(ProfileField::kDefaultSampleType, strings_.add(first.type));
    if (p_.start_wall_ns() != 0) { message.add_int64(ProfileField::kTimeNanos, static_cast<int64_t>(p_.start_wall_ns())); }
    Overview overview = compute_overview(p_, view_.first().event);
    message.add_int64(ProfileField::kDurationNanos, static_cast<int64_t>(overview.duration_ns));
    message.add_int64(ProfileField::kComment, strings_.add("wick " WICK_VERSION));
    if (!overview.title.empty()) { message.add_int64(ProfileField::kComment, strings_.add(overview.title)); }
    for (const Selection& selection : view_.selections) {
      if (!selection.event.valid()) { continue; }
      const Event& e = p_[selection.event];
      std::string comment = "event " + std::string(p_.text(e.name)) + ", unit " + std::string(p_.text(e.unit));
      message.add_int64(ProfileField::kComment, strings_.add(comment));
    }
  }

  // Merges equal samples of one thread and event.
  struct Sum {
    Cost cost;
    uint32_t stack = 0;
    ThreadId thread;
    EventId event;
  };
  std::vector<Sum> add_up() {
    std::vector<Sum> sums;
    tsl::robin_map<uint64_t, uint32_t, NumberHash> keys;   // thread << 32 | event
    tsl::robin_map<uint64_t, uint32_t, NumberHash> known;  // key << 32 | stack
    for (const Selection& selection : view_.selections) {
      for (uint32_t row : selection.samples) {
        const Sample& s = p_.samples()[row];
        uint64_t who = uint64_t{s.thread.value} << 32 | s.event.value;
        uint32_t key = keys.try_emplace(who, static_cast<uint32_t>(keys.size())).first->second;
        auto [it, fresh] = known.try_emplace(uint64_t{key} << 32 | s.stack.value, static_cast<uint32_t>(sums.size()));
        if (fresh) { sums.push_back({{}, s.stack.value, s.thread, s.event}); }
        sums[it->second].cost += {s.weight, s.count};
      }
    }
    return sums;
  }

  void write_samples() {
    std::vector<uint64_t> locations;
    std::vector<int64_t> values;
    for (const Sum& sum : add_up()) {
      locations.clear();
      for (StackId id{sum.stack}; id.valid();) {
        locations.push_back(location(chains_.of_stack[stacks_[id.value]]));
        while (p_[p_[id].frame].inlined && p_[id].caller.valid()) { id = p_[id].caller; }
        id = p_[id].caller;
      }
      values.assign(columns_, 0);
      values[0] = static_cast<int64_t>(std::min<uint64_t>(sum.cost.samples, INT64_MAX));
      uint32_t column = column_of_event_.empty() ? 0 : column_of_event_[sum.event.value];
      if (column != 0) { values[column] = whole_units(sum.cost.weight, p_[sum.event].divisor); }
      Root message = root();
      protozero::pbf_builder<SampleField> sample(message, ProfileField::kSample);
      sample.add_packed_uint64(SampleField::kLocationIds, locations.begin(), locations.end());
      sample.add_packed_int64(SampleField::kValues, values.begin(), values.end());
      write_labels(sample, sum);
      sample.commit();
      if (!out_.step()) { return; }
    }
  }

  void write_labels(protozero::pbf_builder<SampleField>& sample, const Sum& sum) {
    const Thread& thread = p_[sum.thread];
    const Process& process = p_[thread.process];
    auto text = [&](const char* key, std::string_view value) {
      if (value.empty()) { return; }
      protozero::pbf_builder<LabelField> label(sample, SampleField::kLabel);
      label.add_int64(LabelField::kKey, strings_.add(key));
      label.add_int64(LabelField::kText, strings_.add(value));
    };
    auto number = [&](const char* key, uint32_t value) {
      if (value == 0) { return; }
      protozero::pbf_builder<LabelField> label(sample, SampleField::kLabel);
      label.add_int64(LabelField::kKey, strings_.add(key));
      label.add_int64(LabelField::kNumber, value);
    };
    text("process", p_.text(process.name));
    number("pid", process.pid);
    text("thread", p_.text(thread.name));
    number("tid", thread.tid);
    if (view_.selections.size() > 1) { text("event", p_.text(p_[sum.event].name)); }
  }

  uint64_t location(uint32_t chain) {
    if (location_of_[chain] == 0) {
      locations_.push_back(chain);
      location_of_[chain] = static_cast<uint32_t>(locations_.size());
    }
    return location_of_[chain];
  }

  // pprof takes the first mapping for the program.
  std::vector<uint32_t> modules_in_order(const std::vector<bool>& used) const {
    std::vector<uint32_t> order = number_rows(used).rows;
    std::string_view program = p_.command().empty() ? std::string_view() : std::string_view(p_.command()[0]);
    program = program.substr(program.rfind('/') + 1);
    // For files of perf the command is perf's, so use the process name, which the kernel truncates.
    constexpr size_t kLongestName = 15;
    auto is_process = [&](std::string_view name) {
      return std::any_of(p_.processes().begin(), p_.processes().end(),
                         [&](const Process& process) { return p_.text(process.name) == name.substr(0, kLongestName); });
    };
    std::vector<int> ranks(p_.modules().size());
    for (uint32_t m : order) {
      std::string_view name = p_.text(p_.modules()[m].name);
      ranks[m] = name == program ? 0 : is_process(name) ? 1 : p_.modules()[m].kernel ? 3 : 2;
    }
    auto rank = [&](uint32_t m) { return ranks[m]; };
    std::stable_sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) { return rank(a) < rank(b); });
    return order;
  }

  void write_mappings() {
    struct Has {
      bool names = false, files = false, lines = false, inlines = false;
    };
    std::vector<Has> has(p_.modules().size());
    std::vector<bool> used(p_.modules().size());
    for (const InlineChains::Row& row : chains_.rows) {
      const Frame& frame = p_[row.frame];
      const Function& function = p_[frame.function];
      if (!function.module.valid()) { continue; }
      used[function.module.value] = true;
      Has& h = has[function.module.value];
      h.names |= function.known;
      h.files |= frame.file.valid();
      h.lines |= frame.line != 0;
      h.inlines |= frame.inlined;
    }
    mapping_of_.assign(p_.modules().size(), 0);
    uint64_t id = 0;
    for (uint32_t m : modules_in_order(used)) {
      const Module& module = p_.modules()[m];
      mapping_of_[m] = ++id;
      Root message = root();
      protozero::pbf_builder<MappingField> mapping(message, ProfileField::kMapping);
      mapping.add_uint64(MappingField::kId, id);
      mapping.add_uint64(MappingField::kLimit, UINT64_MAX);
      mapping.add_int64(MappingField::kFile, strings_.add(p_.text(module.path.valid() ? module.path : module.name)));
      mapping.add_int64(MappingField::kBuildId, strings_.add(p_.text(module.build_id)));
      mapping.add_bool(MappingField::kHasFunctions, has[m].names);
      mapping.add_bool(MappingField::kHasFilenames, has[m].files);
      mapping.add_bool(MappingField::kHasLines, has[m].lines);
      mapping.add_bool(MappingField::kHasInlines, has[m].inlines);
    }
  }

  // A function in the file is a function plus the source file of a frame.
  uint64_t function(const Frame& frame) {
    uint64_t key = uint64_t{frame.function.value} << 32 | frame.file.value;
    auto [it, fresh] = functions_.try_emplace(key, functions_.size() + 1);
    if (fresh) {
      const Function& f = p_[frame.function];
      Root message = root();
      protozero::pbf_builder<FunctionField> out(message, ProfileField::kFunction);
      out.add_uint64(FunctionField::kId, it->second);
      int64_t name = strings_.add(function_text(p_, frame.function));
      out.add_int64(FunctionField::kName, name);
      out.add_int64(FunctionField::kSystemName, f.raw_name.valid() ? strings_.add(p_.text(f.raw_name)) : name);
      out.add_int64(FunctionField::kFile, strings_.add(p_.text(frame.file)));
    }
    return it->second;
  }

  void write_locations() {
    for (uint32_t i = 0; i < locations_.size(); ++i) {
      for (uint32_t c = locations_[i]; c != kNoRow; c = chains_.rows[c].outer) { (void)function(p_[chains_.rows[c].frame]); }
      const Frame& innermost = p_[chains_.rows[locations_[i]].frame];
      ModuleId module = p_[innermost.function].module;
      Root message = root();
      protozero::pbf_builder<LocationField> location(message, ProfileField::kLocation);
      location.add_uint64(LocationField::kId, i + 1);
      if (module.valid()) { location.add_uint64(LocationField::kMapping, mapping_of_[module.value]); }
      location.add_uint64(LocationField::kAddress, innermost.address);
      for (uint32_t c = locations_[i]; c != kNoRow; c = chains_.rows[c].outer) {
        const Frame& frame = p_[chains_.rows[c].frame];
        protozero::pbf_builder<LineField> line(location, LocationField::kLine);
        line.add_uint64(LineField::kFunction, function(frame));
        if (frame.line != 0) { line.add_int64(LineField::kLine, frame.line); }
        if (frame.column != 0) { line.add_int64(LineField::kColumn, frame.column); }
      }
      location.commit();
      if (!out_.step()) { return; }
    }
  }

  const ExportView& view_;
  const Profile& p_;
  Numbering stacks_;
  InlineChains chains_;
  Strings strings_;
  std::vector<uint32_t> column_of_event_;
  uint32_t columns_ = 1;
  std::vector<uint32_t> locations_;                        // chain by location number - 1
  std::vector<uint32_t> location_of_;                      // location by chain; 0: none yet
  std::vector<uint64_t> mapping_of_;                       // mapping by module
  tsl::robin_map<uint64_t, uint64_t, NumberHash> functions_;  // function << 32 | file
  PieceWriter out_;
};

}  // namespace

void write_pprof(const ExportView& view, const Sink& sink) { PprofWriter(view, sink).run(); }

}  // namespace wick
