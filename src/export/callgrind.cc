// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0

// The callgrind format, for KCachegrind and callgrind_annotate: for each function the cost of its lines, and of its calls.
//
// A sampler does not know call counts: calls=N has the number of samples. An inlined function is a function, as in all views;
// lines of a function in another file than most of it are written after fi= / fe=. Each thread is a function that calls the
// outermost ones, so that every function has callers: readers take the sum of calls to a function for its inclusive cost. For the
// same reason only the outermost call of a function in a stack has a cost: with recursion, direct or not, each sample counts once
// in each function. Inner calls are written with a cost of 0, so that cycles are visible.
//
// Columns: one per event, then its number of samples; with several events, one such number each.

#include <tsl/robin_map.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "analyze/overview.h"
#include "base/text.h"
#include "base/utf8.h"
#include "export/writers.h"

namespace wick {
namespace {

// "cpu-clock" -> "cpu_clock": KCachegrind accepts letters, digits and underscores.
std::string event_word(std::string_view name) {
  std::string out;
  for (char c : name) { out += std::isalnum(static_cast<unsigned char>(c)) ? c : '_'; }
  bool starts_well = !out.empty() && std::isalpha(static_cast<unsigned char>(out[0])) && !out.starts_with("samples");
  return starts_well ? out : "event_" + out;
}

// Names are written once and then referred to by number. Unknown names are "???", as in callgrind.
class Names {
 public:
  std::string operator()(std::string_view text) {
    if (text.empty()) { text = "???"; }
    auto [it, fresh] = ids_.try_emplace(std::string(text), ids_.size() + 1);
    std::string out = "(" + std::to_string(it->second) + ")";
    return fresh ? out + " " + printable(text) : out;
  }

 private:
  tsl::robin_map<std::string, size_t> ids_;
};

struct Place {
  StringId file{};
  uint32_t line = 0;
  friend auto operator<=>(const Place&, const Place&) = default;
};
struct Column {
  const Selection* selection = nullptr;
  std::string word{};  // event name in the file
  size_t samples = 0;  // column of its samples; 0: none
};
struct Call {
  uint64_t samples = 0;
  uint32_t costs = kNoRow;  // row of CostRows
};

// Rows with one cost per column, in one block.
class CostRows {
 public:
  explicit CostRows(size_t columns) : columns_(columns) {}
  uint32_t add() {
    values_.resize(values_.size() + columns_);
    return static_cast<uint32_t>(values_.size() / columns_ - 1);
  }
  int64_t* operator[](uint32_t row) { return values_.data() + row * columns_; }

 private:
  size_t columns_;
  std::vector<int64_t> values_;
};

class CallgrindWriter {
 public:
  CallgrindWriter(const ExportView& view, const Sink& sink)
      : view_(view), p_(view.profile), same_(compute_same_functions(p_)), files_(files_of_functions(p_, same_)), out_(sink) {
    bool several = view.selections.size() > 1;
    for (const Selection& s : view.selections) {
      if (!s.event.valid() || (!several && is_sample_count(p_, s))) { continue; }
      Column column{&s, event_word(p_.text(p_[s.event].name))};
      auto taken = [&](const Column& c) { return c.word == column.word; };
      while (std::any_of(columns_.begin(), columns_.end(), taken)) { column.word += "_2"; }
      columns_.push_back(column);
    }
    width_ = columns_.size();
    for (Column& column : columns_) {
      if (several && !is_sample_count(p_, *column.selection)) { column.samples = width_++; }
    }
    written_ = several ? width_ : width_ + 1;
    ++width_;  // the last: samples of all events
    costs_ = CostRows(width_);
    calls_of_thread_.resize(p_.threads().size());
  }

  void run() {
    add_up();
    write_heading();
    for (const auto& [thread, calls] : thread_calls_) {
      out_.text += "\nob=" + objects_("") + "\nfl=" + file_names_("") + "\nfn=" + function_names_(thread) + "\n";
      for (const auto& [callee, call] : calls) { write_call({}, {}, callee, call); }
      if (!out_.step()) { return; }
    }
    for (uint32_t f = 0; f < functions_.size(); ++f) {
      if (functions_[f].lines.empty() && functions_[f].calls.empty()) { continue; }
      write_function(FunctionId{f});
      if (!out_.step()) { return; }
    }
    out_.text += "\ntotals:";
    append_costs(totals_.data());
    out_.finish();
  }

 private:
  struct FunctionRow {
    std::map<Place, uint32_t> lines;                     // self costs
    std::map<std::pair<Place, FunctionId>, Call> calls;  // from a line to a function
  };

  // Per stack and column: self cost, then total cost.
  void add_up() {
    size_t n = p_.stacks().size();
    std::vector<int64_t> self(n * width_), total;
    functions_.resize(p_.functions().size());
    totals_.assign(width_, 0);
    for (const Selection& selection : view_.selections) {
      size_t column = column_of(selection);
      for (uint32_t row : selection.samples) {
        const Sample& s = p_.samples()[row];
        add_sample(self.data() + s.stack.value * width_, s, column);
      }
    }
    total = self;
    for (size_t i = n; i-- > 0;) {
      StackId caller = p_.stacks()[i].caller;
      if (caller.valid()) { add(total.data() + caller.value * width_, total.data() + i * width_); }
    }
    std::vector<bool> outermost = compute_outermost(total);
    for (uint32_t i = 0; i < n; ++i) {
      const int64_t* all = total.data() + i * width_;
      if (!has_cost(all)) { continue; }
      const int64_t* own = self.data() + i * width_;
      const Stack& stack = p_.stacks()[i];
      FunctionId f = function_of(stack);
      if (has_cost(own)) {
        auto [it, fresh] = functions_[f.value].lines.try_emplace(place_of(stack), 0);
        if (fresh) { it->second = costs_.add(); }
        add(costs_[it->second], own);
        add(totals_.data(), own);
      }
      if (!stack.caller.valid()) { continue; }
      const Stack& caller = p_[stack.caller];
      add_call(functions_[function_of(caller).value].calls[{place_of(caller), f}], all, outermost[i]);
    }
    add_threads();
  }

  // Unsampled time has a cost but no samples.
  bool has_cost(const int64_t* costs) const {
    return std::any_of(costs, costs + width_, [](int64_t cost) { return cost != 0; });
  }

  size_t column_of(const Selection& selection) const {
    auto has_it = [&](const Column& c) { return c.selection == &selection; };
    return static_cast<size_t>(std::find_if(columns_.begin(), columns_.end(), has_it) - columns_.begin());
  }

  // The format has no negative costs.
  void add_sample(int64_t* costs, const Sample& s, size_t column) const {
    int64_t samples = static_cast<int64_t>(std::min<uint64_t>(s.count, INT64_MAX / 4));
    costs[width_ - 1] += samples;
    if (column >= columns_.size()) { return; }
    costs[column] += std::max<int64_t>(0, whole_units(s.weight, p_[s.event].divisor));
    if (columns_[column].samples != 0) { costs[columns_[column].samples] += samples; }
  }

  void add_threads() {
    std::vector<uint32_t> root(p_.stacks().size());
    for (uint32_t i = 0; i < root.size(); ++i) {
      root[i] = p_.stacks()[i].caller.valid() ? root[p_.stacks()[i].caller.value] : i;
    }
    std::vector<int64_t> one(width_);
    for (const Selection& selection : view_.selections) {
      size_t column = column_of(selection);
      for (uint32_t row : selection.samples) {
        const Sample& s = p_.samples()[row];
        std::fill(one.begin(), one.end(), 0);
        add_sample(one.data(), s, column);
        std::map<FunctionId, Call>*& calls = calls_of_thread_[s.thread.value];
        if (calls == nullptr) {
          std::string title = thread_title(p_, p_[s.thread]);
          calls = &thread_calls_["[thread" + (title.empty() ? "" : " " + title) + "]"];
        }
        add_call((*calls)[function_of(p_.stacks()[root[s.stack.value]])], one.data(), true);
      }
    }
  }

  void add_call(Call& call, const int64_t* costs, bool costs_count) {
    if (call.costs == kNoRow) { call.costs = costs_.add(); }
    call.samples += static_cast<uint64_t>(costs[width_ - 1]);
    if (costs_count) { add(costs_[call.costs], costs); }
  }

  // Whether a stack's function is not among its callers.
  std::vector<bool> compute_outermost(const std::vector<int64_t>& total) {
    size_t n = p_.stacks().size();
    std::vector<uint32_t> first_child(n, kNoRow), next(n, kNoRow), path;
    uint32_t root = kNoRow;
    for (uint32_t i = static_cast<uint32_t>(n); i-- > 0;) {
      if (!has_cost(total.data() + i * width_)) { continue; }
      uint32_t& head = p_.stacks()[i].caller.valid() ? first_child[p_.stacks()[i].caller.value] : root;
      next[i] = head;
      head = i;
    }
    std::vector<bool> out(n);
    std::vector<uint32_t> active(p_.functions().size());
    for (uint32_t at = root; at != kNoRow || !path.empty();) {
      if (at != kNoRow) {
        out[at] = active[function_of(p_.stacks()[at]).value]++ == 0;
        path.push_back(at);
        at = first_child[at];
      } else {
        uint32_t done = path.back();
        path.pop_back();
        --active[function_of(p_.stacks()[done]).value];
        at = next[done];
      }
    }
    return out;
  }

  void add(int64_t* to, const int64_t* from) {
    for (size_t i = 0; i < width_; ++i) {
      if (__builtin_add_overflow(to[i], from[i], &to[i])) { to[i] = INT64_MAX; }
    }
  }
  FunctionId function_of(const Stack& stack) const { return same_[p_[stack.frame].function.value]; }
  Place place_of(const Stack& stack) const { return {p_[stack.frame].file, p_[stack.frame].line}; }

  void write_heading() {
    Overview overview = compute_overview(p_, view_.first().event);
    out_.text += "# callgrind format\nversion: 1\ncreator: wick " WICK_VERSION "\n";
    if (!overview.title.empty()) { out_.text += "cmd: " + printable(overview.title) + "\n"; }
    out_.text += "part: 1\n\ndesc: calls= holds samples, not calls: a sampling profiler does not count calls\n";
    out_.text += "positions: line\n";
    std::string words, samples;
    for (const Column& column : columns_) {
      const Event& event = p_[column.selection->event];
      out_.text +=
          "event: " + column.word + " : " + printable(p_.text(event.name)) + " (" + printable(p_.text(event.unit)) + ")\n";
      words += " " + column.word;
    }
    for (const Column& column : columns_) {
      if (column.samples == 0) { continue; }
      out_.text += "event: samples_" + column.word + " : Samples of " + column.word + "\n";
      samples += " samples_" + column.word;
    }
    if (written_ == width_) {
      out_.text += "event: samples : Samples\n";
      samples = " samples";
    }
    out_.text += "events:" + words + samples + "\nsummary:";
    append_costs(totals_.data());
  }

  std::string_view object_of(FunctionId f) const {
    ModuleId m = p_[f].module;
    return !m.valid() ? std::string_view() : p_.text(p_[m].path.valid() ? p_[m].path : p_[m].name);
  }

  void write_function(FunctionId f) {
    const FunctionRow& row = functions_[f.value];
    StringId home = files_[f.value], file = home;
    out_.text += "\nob=" + objects_(object_of(f)) + "\nfl=" + file_names_(p_.text(home)) + "\n";
    out_.text += "fn=" + function_names_(function_text(p_, f)) + "\n";
    auto go_to = [&](StringId wanted) {
      // Lines without a file belong to the function's file.
      if (!wanted.valid() || wanted == file) { return; }
      out_.text += (wanted == home ? "fe=" : "fi=") + file_names_(p_.text(wanted)) + "\n";
      file = wanted;
    };
    for (const auto& [place, costs] : row.lines) {
      go_to(place.file.valid() ? place.file : home);
      append_number(out_.text, place.line);
      append_costs(costs_[costs]);
    }
    for (const auto& [key, call] : row.calls) {
      go_to(key.first.file.valid() ? key.first.file : home);
      write_call(f, key.first, key.second, call);
    }
  }

  void write_call(FunctionId caller, const Place& place, FunctionId callee, const Call& call) {
    std::string_view object = object_of(callee);
    if (!caller.valid() || object != object_of(caller)) { out_.text += "cob=" + objects_(object) + "\n"; }
    out_.text += "cfi=" + file_names_(p_.text(files_[callee.value])) + "\n";
    out_.text += "cfn=" + function_names_(function_text(p_, callee)) + "\ncalls=";
    append_number(out_.text, std::max<uint64_t>(1, call.samples));
    out_.text += " 0\n";
    append_number(out_.text, place.line);
    append_costs(costs_[call.costs]);
  }

  void append_costs(const int64_t* costs) {
    for (size_t i = 0; i < written_; ++i) {
      out_.text += ' ';
      append_number(out_.text, costs[i]);
    }
    out_.text += '\n';
  }

  const ExportView& view_;
  const Profile& p_;
  std::vector<FunctionId> same_;
  std::vector<StringId> files_;
  std::vector<Column> columns_;
  size_t width_ = 1, written_ = 1;  // columns in memory, and in the file
  CostRows costs_{1};
  std::vector<int64_t> totals_;
  std::vector<FunctionRow> functions_;
  std::map<std::string, std::map<FunctionId, Call>> thread_calls_;
  std::vector<std::map<FunctionId, Call>*> calls_of_thread_;
  Names objects_, file_names_, function_names_;
  PieceWriter out_;
};

}  // namespace

void write_callgrind(const ExportView& view, const Sink& sink) { CallgrindWriter(view, sink).run(); }

}  // namespace wick
