// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0

// Samples are sorted by event and thread with a counting sort: two passes over them, in the order of the profile, fill the
// columns in place. The stacks get a process name as their root, so a stack of two process names has two rows: they are numbered
// one process name after another, with one table for all.

#include "export/viewer_columns.h"

#include <algorithm>
#include <bit>
#include <functional>
#include <utility>

#include "analyze/code_costs.h"
#include "analyze/color.h"

namespace wick {
namespace {

static_assert(std::endian::native == std::endian::little, "columns are little-endian");

using Column = ViewerColumn;
constexpr uint64_t kMostRows = UINT32_MAX;  // UINT32_MAX itself means "none"
constexpr std::string_view kOtherProcesses = "[other processes]";

template <typename Number>
Column column(std::string_view name, std::vector<Number> values) {
  bool is_constant = std::adjacent_find(values.begin(), values.end(), std::not_equal_to<>()) == values.end();
  if (is_constant) { return {name, values.size(), values.empty() ? 0.0 : static_cast<double>(values.front()), {}}; }
  uint64_t count = values.size();
  return {name, count, std::nullopt, std::move(values)};
}

// The profile's strings that are used, numbered by first use.
class Strings {
 public:
  explicit Strings(const Profile& profile) : profile_(profile), number_of_(profile.strings().size(), kNoRow) {}

  uint32_t add(StringId id) {
    if (!id.valid()) { return kNoRow; }
    uint32_t& number = number_of_[id.value];
    if (number == kNoRow) { number = bytes_.size() < kMostBytes ? add_text(profile_.text(id)) : left_out(); }
    return number;
  }
  uint32_t add_text(std::string_view text) {
    std::string valid = valid_utf8(text);
    bytes_.insert(bytes_.end(), valid.begin(), valid.end());
    offsets_.push_back(static_cast<uint32_t>(bytes_.size()));
    return static_cast<uint32_t>(offsets_.size() - 2);
  }

  void move_to(std::vector<Column>& columns) {
    columns.push_back(column("string_offset", std::move(offsets_)));
    columns.push_back(column("string_bytes", std::move(bytes_)));
  }

 private:
  // Offsets have 32 bits, and the longest text may triple when it is made valid.
  static constexpr size_t kMostBytes = UINT32_MAX - (size_t{1} << 20);

  uint32_t left_out() {
    if (left_out_ == kNoRow) { left_out_ = add_text("[name left out]"); }
    return left_out_;
  }

  const Profile& profile_;
  std::vector<uint32_t> number_of_;
  std::vector<uint8_t> bytes_;
  std::vector<uint32_t> offsets_ = {0};
  uint32_t left_out_ = kNoRow;
};

// The samples of one event and one thread.
struct Segment {
  uint32_t event = 0 /* row of the header */, thread = 0 /* of the profile */;
  uint64_t first = 0, end = 0;  // samples
};

class Maker {
 public:
  explicit Maker(const ExportView& view) : p_(view.profile), strings_(p_) {
    for (const Selection& s : view.selections) {
      if (s.event.valid()) { out_.selections.push_back(&s); }
    }
    std::sort(out_.selections.begin(), out_.selections.end(), [](auto* a, auto* b) { return a->event < b->event; });
    out_.is_difference = p_.is_difference() && out_.selections.size() == 2;
    bool counts_from_zero = p_.start_ns() != 0 || p_.is_difference() || p_.samples().empty();
    out_.start_ns = counts_from_zero ? p_.start_ns() : p_.samples().front().time_ns;
  }

  ViewerTables run() && {
    count_samples();
    fill_samples();
    number_stacks();
    number_code();
    strings_.move_to(out_.columns);
    find_thread_times();
    move_columns();
    return std::move(out_);
  }

 private:
  // -- samples --

  uint64_t time_of(const Sample& s) const { return s.time_ns > out_.start_ns ? s.time_ns - out_.start_ns : 0; }
  const Sample& sample(uint32_t row) const { return p_.samples()[row]; }

  void count_samples() {
    uint64_t all = 0;
    std::vector<uint32_t> counts(p_.threads().size());
    std::vector<bool> used(p_.threads().size());
    for (uint32_t event = 0; event < out_.selections.size(); ++event) {
      std::vector<uint32_t> threads;  // of this event
      for (uint32_t row : out_.selections[event]->samples) {
        const Sample& s = sample(row);
        if (counts[s.thread.value]++ == 0) { threads.push_back(s.thread.value); }
        least_weight_ = std::min(least_weight_, s.weight);
        most_weight_ = std::max(most_weight_, s.weight);
        least_count_ = std::min(least_count_, s.count);
        most_count_ = std::max(most_count_, s.count);
        out_.last_ns = std::max(out_.last_ns, time_of(s));
      }
      std::sort(threads.begin(), threads.end());
      for (uint32_t thread : threads) {
        used[thread] = true;
        segments_.push_back({event, thread, all, all});  // `end` grows while samples are filled in
        all += std::exchange(counts[thread], 0);
      }
    }
    WICK_ASSERT(all < kMostRows, "rows of samples have 32-bit numbers, and each has one event");
    rows_ = all;
    out_.threads = number_rows(used);
    if (!p_.has_times()) { out_.last_ns = 0; }
    // A microsecond is far below what sampling resolves, and small numbers compress better.
    for (out_.time_unit_ns = 1000; out_.last_ns / out_.time_unit_ns >= kMostRows;) { out_.time_unit_ns *= 10; }
  }

  void fill_samples() {
    sample_stack_.resize(rows_);
    bool has_times = p_.has_times() && rows_ > 0;
    if (has_times) { sample_time_.resize(rows_); }
    bool whole_weights = least_weight_ >= 0 && most_weight_ <= static_cast<int64_t>(UINT32_MAX);
    bool same_weights = rows_ == 0 || least_weight_ == most_weight_, same_counts = rows_ == 0 || least_count_ == most_count_;
    std::vector<uint32_t> weights(!same_weights && whole_weights ? rows_ : 0);
    std::vector<double> wide_weights(!same_weights && !whole_weights ? rows_ : 0);
    std::vector<uint8_t> counts(!same_counts && most_count_ <= UINT8_MAX ? rows_ : 0);
    std::vector<double> wide_counts(!same_counts && most_count_ > UINT8_MAX ? rows_ : 0);
    std::vector<uint32_t> segment_of(p_.threads().size());
    size_t next_segment = 0;
    for (uint32_t event = 0; event < out_.selections.size(); ++event) {
      for (; next_segment < segments_.size() && segments_[next_segment].event == event; ++next_segment) {
        segment_of[segments_[next_segment].thread] = static_cast<uint32_t>(next_segment);
      }
      for (uint32_t row : out_.selections[event]->samples) {
        const Sample& s = sample(row);
        uint64_t at = segments_[segment_of[s.thread.value]].end++;
        sample_stack_[at] = s.stack.value;  // of the profile; number_stacks() replaces it
        if (has_times) { sample_time_[at] = static_cast<uint32_t>(time_of(s) / out_.time_unit_ns); }
        if (!weights.empty()) { weights[at] = static_cast<uint32_t>(s.weight); }
        if (!wide_weights.empty()) { wide_weights[at] = static_cast<double>(s.weight); }
        if (!counts.empty()) { counts[at] = static_cast<uint8_t>(s.count); }
        if (!wide_counts.empty()) { wide_counts[at] = static_cast<double>(s.count); }
      }
    }
    auto constant = [&](auto value) { return std::optional(rows_ > 0 ? static_cast<double>(value) : 0.0); };
    sample_weight_ = same_weights    ? Column{"sample_weight", rows_, constant(least_weight_), {}}
                     : whole_weights ? Column{"sample_weight", rows_, std::nullopt, std::move(weights)}
                                     : Column{"sample_weight", rows_, std::nullopt, std::move(wide_weights)};
    sample_count_ = same_counts       ? Column{"sample_count", rows_, constant(least_count_), {}}
                    : !counts.empty() ? Column{"sample_count", rows_, std::nullopt, std::move(counts)}
                                      : Column{"sample_count", rows_, std::nullopt, std::move(wide_counts)};
  }

  // -- stacks --

  // Segments by process name: those of each row of out_.group_names.
  std::vector<std::vector<uint32_t>> group_segments() {
    std::vector<uint32_t> group_of(p_.strings().size() + 1, kNoRow);
    std::vector<std::vector<uint32_t>> groups;
    for (uint32_t thread : out_.threads.rows) {
      StringId name = p_[p_.threads()[thread].process].name;
      uint32_t& group = group_of[name.valid() ? name.value : p_.strings().size()];
      if (group == kNoRow) {
        group = static_cast<uint32_t>(groups.size());
        groups.emplace_back();
        out_.group_names.emplace_back(p_.text(name));
      }
    }
    for (uint32_t i = 0; i < segments_.size(); ++i) {
      StringId name = p_[p_.threads()[segments_[i].thread].process].name;
      groups[group_of[name.valid() ? name.value : p_.strings().size()]].push_back(i);
    }
    return groups;
  }

  void number_stacks() {
    std::vector<std::vector<uint32_t>> groups = group_segments();
    std::vector<std::vector<uint32_t>> used = find_used_stacks(groups);
    WICK_ASSERT(p_.stacks().size() < kMostRows / 3, "a profile has fewer than a billion stacks");
    stack_frame_.assign(groups.size(), kNoRow);
    stack_caller_.assign(groups.size(), kNoRow);
    std::vector<uint32_t> number(p_.stacks().size());  // in the current group
    for (uint32_t group = 0; group < groups.size(); ++group) {
      std::vector<uint32_t> stacks = std::move(used[group]);
      for (uint32_t stack : stacks) {
        const Stack& s = p_.stacks()[stack];
        number[stack] = static_cast<uint32_t>(stack_frame_.size());
        stack_frame_.push_back(s.frame.value);  // of the profile; number_code() replaces it
        stack_caller_.push_back(s.caller.valid() ? number[s.caller.value] : group);
      }
      for (uint32_t segment : groups[group]) {
        for (uint64_t i = segments_[segment].first; i < segments_[segment].end; ++i) {
          sample_stack_[i] = number[sample_stack_[i]];
        }
      }
    }
  }

  // Of each group, callers first. A file can refer to one deep stack from any number of process names: beyond a limit, the
  // remaining groups become one.
  std::vector<std::vector<uint32_t>> find_used_stacks(std::vector<std::vector<uint32_t>>& groups) {
    const uint64_t all = p_.stacks().size(), most_rows = std::min(4 * all + (1 << 20), kMostRows / 4);
    uint64_t rows = 0;
    std::vector<uint32_t> seen(p_.stacks().size(), 0);  // number of the last group that used it, from 1
    std::vector<std::vector<uint32_t>> used;
    for (size_t i = 0; i < groups.size(); ++i) {
      if (rows > most_rows) {
        for (; groups.size() > i + 1; groups.pop_back()) {
          groups[i].insert(groups[i].end(), groups.back().begin(), groups.back().end());
        }
        out_.group_names.resize(i);
        out_.group_names.emplace_back(kOtherProcesses);
      }
      used.push_back(stacks_of(groups[i], static_cast<uint32_t>(i + 1), seen));
      rows += used.back().size();
    }
    return used;
  }

  // With their callers, in order.
  std::vector<uint32_t> stacks_of(const std::vector<uint32_t>& segments, uint32_t mark, std::vector<uint32_t>& seen) {
    std::vector<uint32_t> used;
    for (uint32_t segment : segments) {
      for (uint64_t i = segments_[segment].first; i < segments_[segment].end; ++i) {
        for (uint32_t stack = sample_stack_[i]; seen[stack] != mark;) {
          seen[stack] = mark;
          used.push_back(stack);
          StackId caller = p_.stacks()[stack].caller;
          if (!caller.valid()) { break; }
          stack = caller.value;
        }
      }
    }
    if (used.size() < seen.size() / 16) {
      std::sort(used.begin(), used.end());
      return used;
    }
    used.clear();
    for (uint32_t stack = 0; stack < seen.size(); ++stack) {
      if (seen[stack] == mark) { used.push_back(stack); }
    }
    return used;
  }

  // -- functions, frames, modules --

  void number_code() {
    std::vector<FunctionId> same = compute_same_functions(p_);
    std::vector<bool> frames(p_.frames().size()), functions(p_.functions().size()), modules(p_.modules().size());
    for (size_t i = out_.group_names.size(); i < stack_frame_.size(); ++i) { frames[stack_frame_[i]] = true; }
    Numbering frame_numbers = number_rows(frames);
    for (uint32_t row : frame_numbers.rows) { functions[same[p_.frames()[row].function.value].value] = true; }
    Numbering function_numbers = number_rows(functions);
    for (uint32_t row : function_numbers.rows) {
      ModuleId module = p_.functions()[row].module;
      if (module.valid()) { modules[module.value] = true; }
    }
    out_.modules = number_rows(modules);
    for (size_t i = out_.group_names.size(); i < stack_frame_.size(); ++i) { stack_frame_[i] = frame_numbers[stack_frame_[i]]; }
    uint32_t unnamed = kNoRow;
    for (uint32_t row : function_numbers.rows) {
      const Function& f = p_.functions()[row];
      if (p_.text(f.name).empty() && unnamed == kNoRow) { unnamed = strings_.add_text(function_text(p_, FunctionId{row})); }
      function_name_.push_back(p_.text(f.name).empty() ? unnamed : strings_.add(f.name));
      function_module_.push_back(f.module.valid() ? out_.modules[f.module.value] : kNoRow);
      function_kind_.push_back(static_cast<uint8_t>(code_kind(p_, FunctionId{row})));
      function_shade_.push_back(static_cast<uint8_t>(color_shade(p_.text(f.name))));
    }
    out_.functions = std::move(function_numbers.rows);
    for (uint32_t row : frame_numbers.rows) {
      const Frame& f = p_.frames()[row];
      frame_function_.push_back(function_numbers[same[f.function.value].value]);
      frame_file_.push_back(p_.text(f.file).empty() ? kNoRow : strings_.add(f.file));
      frame_line_.push_back(f.line);
      // An address means other code in another build.
      bool is_shown = is_same_build(p_, p_[f.function].module, p_[same[f.function.value]].module);
      frame_address_.push_back(is_shown ? static_cast<double>(viewer_address(f.address)) : 0);
      frame_inlined_.push_back(f.inlined);
    }
  }

  void find_thread_times() {
    out_.thread_times.resize(out_.threads.size());
    for (const Segment& s : segments_) {
      ViewerThreadTimes& times = out_.thread_times[out_.threads[s.thread]];
      if (out_.is_difference) { times.side = s.event; }
      if (sample_time_.empty()) { continue; }
      times.begin = std::min<uint64_t>(times.begin, sample_time_[s.first]);
      times.end = std::max<uint64_t>(times.end, uint64_t{sample_time_[s.end - 1]} + 1);
    }
  }

  void move_columns() {
    out_.columns.push_back(column("function_name", std::move(function_name_)));
    out_.columns.push_back(column("function_module", std::move(function_module_)));
    out_.columns.push_back(column("function_kind", std::move(function_kind_)));
    out_.columns.push_back(column("function_shade", std::move(function_shade_)));
    out_.columns.push_back(column("frame_function", std::move(frame_function_)));
    out_.columns.push_back(column("frame_file", std::move(frame_file_)));
    out_.columns.push_back(column("frame_line", std::move(frame_line_)));
    out_.columns.push_back(column("frame_address", std::move(frame_address_)));
    out_.columns.push_back(column("frame_inlined", std::move(frame_inlined_)));
    out_.columns.push_back(column("stack_frame", std::move(stack_frame_)));
    out_.columns.push_back(column("stack_caller", std::move(stack_caller_)));
    std::vector<uint32_t> events, threads, firsts;
    for (const Segment& s : segments_) {
      events.push_back(s.event);
      threads.push_back(out_.threads[s.thread]);
      firsts.push_back(static_cast<uint32_t>(s.first));
    }
    firsts.push_back(static_cast<uint32_t>(rows_));
    out_.columns.push_back(column("segment_event", std::move(events)));
    out_.columns.push_back(column("segment_thread", std::move(threads)));
    out_.columns.push_back(column("segment_first", std::move(firsts)));
    out_.columns.push_back(column("sample_stack", std::move(sample_stack_)));
    out_.columns.push_back(p_.has_times() ? column("sample_time", std::move(sample_time_))
                                          : Column{"sample_time", rows_, 0.0, {}});
    out_.columns.push_back(std::move(sample_weight_));
    out_.columns.push_back(std::move(sample_count_));
  }

  const Profile& p_;
  ViewerTables out_;
  uint64_t rows_ = 0;
  int64_t least_weight_ = INT64_MAX, most_weight_ = INT64_MIN;
  uint64_t least_count_ = UINT64_MAX, most_count_ = 0;
  std::vector<Segment> segments_;
  std::vector<uint32_t> sample_stack_, sample_time_, stack_frame_, stack_caller_;
  Column sample_weight_, sample_count_;
  std::vector<uint32_t> function_name_, function_module_, frame_function_, frame_file_, frame_line_;
  std::vector<uint8_t> function_kind_, function_shade_, frame_inlined_;
  std::vector<double> frame_address_;
  Strings strings_;
};

}  // namespace

std::string_view ViewerColumn::bytes() const {
  return std::visit(
      [](const auto& v) { return std::string_view(reinterpret_cast<const char*>(v.data()), v.size() * sizeof v[0]); }, values);
}

ViewerTables make_viewer_tables(const ExportView& view) { return Maker(view).run(); }

}  // namespace wick
