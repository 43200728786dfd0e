// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0

// callgrind.out files of callgrind and of many tools that write for KCachegrind. Some lines name the object, file and function of
// the following costs (ob=, fl=, fi=, fe=, fn=), lines of numbers have the cost of a source line (or instruction); after calls=
// one such line has the total cost of the call. Names and positions are compressed. Costs of several parts are added up.
// call_graph.h explains how they become stacks. Jumps and call counts are not read.

#include "import/text/callgrind.h"

#include <algorithm>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/hash.h"
#include "base/text.h"
#include "import/common/foreign.h"
#include "import/text/call_graph.h"
#include "import/text/stack_text.h"

namespace wick {
namespace {

constexpr size_t kMostColumns = 128;

bool is_blank(char c) { return c == ' ' || c == '\t'; }

std::string_view take_field(std::string_view& line) {
  while (!line.empty() && is_blank(line.front())) { line.remove_prefix(1); }
  size_t end = 0;
  while (end < line.size() && !is_blank(line[end])) { ++end; }
  std::string_view word = line.substr(0, end);
  line.remove_prefix(end);
  return word;
}

// Headings that are known but not used. Any may precede "events:".
bool is_known_heading(std::string_view key) {
  constexpr std::string_view kKnown[] = {"version", "part", "thread", "desc", "totals", "target"};
  return std::find(std::begin(kKnown), std::end(kKnown), key) != std::end(kKnown);
}

std::optional<uint64_t> parse_number(std::string_view word) {
  return word.starts_with("0x") ? parse_u64(word.substr(2), 16) : parse_u64(word);
}

// "(12) name" defines number 12, "(12)" refers to it; other names are literal.
class Names {
 public:
  explicit Names(ProfileBuilder& b) : b_(b) {}
  StringId operator()(std::string_view text) {
    size_t close = text.starts_with('(') ? text.find(')') : text.npos;
    if (close == text.npos) { return b_.string(text); }
    std::string_view number = text.substr(1, close - 1);
    if (number.empty() || number.find_first_not_of("0123456789") != number.npos) { return b_.string(text); }
    StringId& name = names_[std::string(number)];
    if (std::string_view given = trim(text.substr(close + 1)); !given.empty()) { name = b_.string(given); }
    return name;
  }

 private:
  ProfileBuilder& b_;
  std::unordered_map<std::string, StringId> names_;
};

struct Column {
  std::string name, unit;
  int64_t factor = 1;
};
// callgrind's events are counts; other tools may put the unit into the name, or into "event: name : long name (unit)".
Column column_of(std::string_view name, std::string_view description) {
  Column out{std::string(name), "count", 1};
  if (description.ends_with(')') && description.rfind('(') != description.npos) {
    size_t open = description.rfind('(');
    std::string_view unit = description.substr(open + 1, description.size() - open - 2);
    if (std::string_view long_name = trim(description.substr(0, open)); !long_name.empty()) { out.name = long_name; }
    if (!unit.empty()) { out.unit = unit; }
    return out;
  }
  if (name == "Ir") { out.unit = "instructions"; }
  if (name == "ns" || name == "us" || name == "ms") {
    ForeignUnit unit = foreign_unit(name);
    return {"time", "ns", unit.factor};
  }
  if (name.starts_with("Time_(") && name.ends_with(')')) {  // xdebug: Time_(10ns)
    std::string_view unit = name.substr(6, name.size() - 7);
    size_t digits = std::min(unit.find_first_not_of("0123456789"), unit.size());
    uint64_t times = digits == 0 ? 1 : parse_u64(unit.substr(0, digits)).value_or(1);
    ForeignUnit known = foreign_unit(unit.substr(digits));
    if (known.is_time && times > 0 && times <= 1000) { return {"time", "ns", known.factor * static_cast<int64_t>(times)}; }
  }
  if (name.starts_with("Memory")) { out.unit = "bytes"; }
  return out;
}

class CallgrindImport {
 public:
  CallgrindImport(Input& input, const ImportOptions& options) : lines_(input), options_(options), threads_(b_) {}

  Result<Profile> run() {
    if (options_.merge) { b_.merge_samples(); }
    b_.set_imported(kCallgrindReader.what, false);
    std::string_view line;
    for (;;) {
      WICK_LET(bool more, lines_.next(line));
      if (!more) { break; }
      WICK_OK(read_line(line));
    }
    if (!graph_) {
      return Error("no line \"events:\" in %llu lines; expected it before \"fn=name\" and lines with costs", number())
          .with_code(Errc::kBadInput);
    }
    if (awaits_call_cost_) { skipped_.add("line %llu: the cost of a call is missing", number()); }
    ThreadId thread = b_.add_thread(b_.add_process(pid_, process_), 0, "");
    graph_->add_to(b_, choose_columns(), thread);
    skipped_.warn(b_);
    warn_of_missing_costs();
    warn_of_cut_lines(b_, lines_);
    return std::move(b_).build();
  }

 private:
  unsigned long long number() const { return static_cast<unsigned long long>(lines_.number()); }

  // wick writes "samples" besides an event, or "samples_EVENT" for each of several events.
  std::vector<CallGraph::Column> choose_columns() {
    size_t n = columns_.size();
    auto column_named = [&](std::string_view name) {
      auto it = std::find(column_names_.begin(), column_names_.end(), name);
      return it == column_names_.end() ? CallGraph::kNone : static_cast<size_t>(it - column_names_.begin());
    };
    size_t samples = n > 1 ? column_named("samples") : CallGraph::kNone;
    std::vector<CallGraph::Column> out(n);
    for (size_t i = 0; i < n; ++i) {
      size_t own = from_wick_ ? column_named("samples_" + column_names_[i]) : CallGraph::kNone;
      out[i].samples = own != CallGraph::kNone ? own : samples;
    }
    for (size_t i = 0; i < n; ++i) {
      auto tells_it = [&](const CallGraph::Column& column) { return column.samples == i; };
      if (std::any_of(out.begin(), out.end(), tells_it)) { continue; }
      out[i].event = b_.event(columns_[i].name, columns_[i].unit);
      out[i].counts = columns_[i].unit != "ns";
    }
    return out;
  }

  // The head has the total cost: a truncated file has less.
  void warn_of_missing_costs() {
    constexpr double kEnough = 0.95;  // some writers include their own work
    if (told_cost_ == 0 || own_cost_ >= kEnough * told_cost_) { return; }
    b_.add_warning(strf("the file is truncated or damaged: it has %.1f%% of the %.15g %s that its line \"summary:\" states",
                        100 * own_cost_ / told_cost_, told_cost_, column_names_[0].c_str()));
  }

  Status read_line(std::string_view line) {
    line = trim(line);
    if (line.empty() || line[0] == '#') { return ok_status(); }
    char c = line[0];
    if ((c >= '0' && c <= '9') || c == '+' || c == '-' || c == '*') {
      if (!graph_) { return Error("line %llu: expected a line \"events:\" before costs", number()).with_code(Errc::kBadInput); }
      read_costs(line);
      return ok_status();
    }
    size_t equals = line.find('='), colon = line.find(':');
    if (equals != line.npos && (colon == line.npos || equals < colon)) {
      read_name(line.substr(0, equals), trim(line.substr(equals + 1)));
      return ok_status();
    }
    if (colon != line.npos) { return read_heading(line.substr(0, colon), trim(line.substr(colon + 1))); }
    skipped_.add("line %llu: neither a cost nor a name", number());
    return ok_status();
  }

  Status read_heading(std::string_view key, std::string_view value) {
    if (key == "events") {
      std::vector<std::string> names;
      for (std::string_view rest = value; !trim(rest).empty();) { names.emplace_back(take_field(rest)); }
      if (names.empty() || names.size() > kMostColumns) {
        return Error("line %llu: expected 1 to %zu events", number(), kMostColumns).with_code(Errc::kBadInput);
      }
      if (graph_) {
        if (names == column_names_) { return ok_status(); }
        return Error("line %llu: expected the same events as in the previous part", number()).with_code(Errc::kBadInput);
      }
      column_names_ = names;
      for (const std::string& name : names) {
        auto description = long_names_.find(name);
        columns_.push_back(
            column_of(name, description == long_names_.end() ? std::string_view() : std::string_view(description->second)));
      }
      graph_.emplace(names.size());
      costs_.resize(names.size());
    } else if (key == "event") {
      std::string_view name = take_field(value);
      size_t colon = value.find(':');
      if (colon != value.npos) { long_names_[std::string(name)] = trim(value.substr(colon + 1)); }
    } else if (key == "positions") {
      has_instructions_ = value.find("instr") != value.npos;
      has_lines_ = !has_instructions_ || value.find("line") != value.npos;
      last_line_ = last_address_ = 0;
    } else if (key == "pid") {
      pid_ = leading_u32(value);
    } else if (key == "cmd") {
      process_ = value.substr(0, value.find(' '));
      if (size_t slash = process_.rfind('/'); slash != std::string::npos) { process_ = process_.substr(slash + 1); }
    } else if (key == "summary") {  // of each part
      std::optional<uint64_t> cost = parse_u64(take_field(value));
      if (!cost) { skipped_.add("line %llu: \"summary:\" without a number", number()); }
      told_cost_ += static_cast<double>(cost.value_or(0));
    } else if (key == "creator") {
      from_wick_ = value.starts_with("wick ");
    } else if (graph_ && !is_known_heading(key)) {
      skipped_.add("line %llu: unknown key \"%s:\"", number(), std::string(key.substr(0, 20)).c_str());
    }
    return ok_status();
  }

  void read_name(std::string_view key, std::string_view value) {
    if (key == "ob") {
      object_ = objects_(value);
      function_ = kNone;
    } else if (key == "fl") {
      home_ = file_ = files_(value);
      function_ = kNone;
    } else if (key == "fi" || key == "fe") {
      file_ = files_(value);
    } else if (key == "fn") {
      function_name_ = function_names_(value);
      home_ = file_;  // "fl=" is omitted if "fi=" or "fe=" named the same file
      function_ = kNone;
      callee_object_.reset();
      callee_file_.reset();
    } else if (key == "cob") {
      callee_object_ = objects_(value);
    } else if (key == "cfi" || key == "cfl") {
      callee_file_ = files_(value);
    } else if (key == "cfn") {
      callee_name_ = function_names_(value);
    } else if (key == "calls") {
      awaits_call_cost_ = true;
    } else if (key == "jump" || key == "jcnd") {
      awaits_jump_ = true;
    } else if (key == "jfi") {  // target of a jump, which may define a name
      files_(value);
    } else if (key == "jfn") {
      function_names_(value);
    } else if (key != "rcalls") {
      skipped_.add("line %llu: unknown key \"%s=\"", number(), std::string(key.substr(0, 20)).c_str());
    }
  }

  uint32_t function(StringId object_id, StringId file_id, StringId name_id) {
    auto [it, fresh] = functions_.try_emplace(Key{object_id, file_id, name_id}, 0);
    if (!fresh) { return it->second; }
    // Copies: adding names moves the others.
    const std::string object(b_.text(object_id)), name(b_.text(name_id));
    ThreadId thread;
    constexpr std::string_view kThread = "[thread";
    if (from_wick_ && name.starts_with(kThread) && name.ends_with(']')) {
      std::string title(trim(std::string_view(name).substr(kThread.size(), name.size() - kThread.size() - 1)));
      ThreadTable::Key who{.pid = pid_, .process = process_, .thread = title};
      if (size_t open = title.rfind(" ("); open != std::string::npos && title.ends_with(')')) {
        who.tid = leading_u32(std::string_view(title).substr(open + 2));
        who.thread = title.substr(0, open);
      }
      thread = threads_.thread(who);
    }
    bool known_object = !object.empty() && object != "???";
    ModuleId module = known_object ? b_.module(object, {}, is_kernel_module(object)) : ModuleId{};
    // callgrind marks recursive calls as name'2, name'3; show one function.
    std::string_view shown = name;
    size_t tick = shown.rfind('\'');
    if (tick != shown.npos && tick > 0 && tick + 1 < shown.size() &&
        shown.find_first_not_of("0123456789", tick + 1) == shown.npos) {
      shown = shown.substr(0, tick);
    }
    bool nameless = shown.empty() || shown == "???";
    FunctionId f =
        nameless ? nameless_function(b_, module, known_object ? object : "", 0) : foreign_function(b_, options_, shown, module);
    it->second = graph_->add_function(f, known_file(file_id), thread);
    return it->second;
  }

  StringId known_file(StringId file) const { return b_.text(file) == "???" ? StringId{} : file; }

  // A position: a number, or an offset from the last one.
  static bool take_position(std::string_view word, uint64_t& last) {
    if (word == "*") { return true; }
    bool plus = word.starts_with('+'), minus = word.starts_with('-');
    std::optional<uint64_t> number = parse_number(plus || minus ? word.substr(1) : word);
    if (!number) { return false; }
    last = plus ? last + *number : minus ? last - *number : *number;
    return true;
  }

  void read_costs(std::string_view line) {
    bool good = true;
    if (has_instructions_) { good = take_position(take_field(line), last_address_); }
    if (has_lines_) { good = good && take_position(take_field(line), last_line_); }
    if (std::exchange(awaits_jump_, false)) { return; }
    std::fill(costs_.begin(), costs_.end(), 0);
    for (size_t i = 0; good && !trim(line).empty(); ++i) {
      std::optional<uint64_t> cost = parse_number(take_field(line));
      int64_t factor = i < columns_.size() ? columns_[i].factor : 1;
      good = i < columns_.size() && cost && *cost <= static_cast<uint64_t>(INT64_MAX / factor);
      if (good) { costs_[i] = static_cast<int64_t>(*cost) * factor; }
    }
    bool is_call = std::exchange(awaits_call_cost_, false);
    if (!good) { return skipped_.add("line %llu: malformed positions or costs", number()); }
    if (function_ == kNone) { function_ = function(object_, home_, function_name_); }
    if (is_call) {
      uint32_t callee = function(callee_object_.value_or(object_), callee_file_.value_or(file_), callee_name_);
      graph_->add_call(function_, callee, costs_);
      callee_object_.reset();
      callee_file_.reset();
      return;
    }
    StringId file = known_file(file_);
    uint32_t at = last_line_ <= INT32_MAX ? static_cast<uint32_t>(last_line_) : 0;
    own_cost_ += static_cast<double>(costs_[0]) / static_cast<double>(columns_[0].factor);
    graph_->add_self(function_, {file.value, has_lines_ ? at : 0}, costs_);
  }

  static constexpr uint32_t kNone = UINT32_MAX;

  double own_cost_ = 0, told_cost_ = 0;  // for the first event
  LineReader lines_;
  const ImportOptions& options_;
  ProfileBuilder b_;
  ThreadTable threads_;
  std::optional<CallGraph> graph_;
  std::vector<std::string> column_names_;
  std::vector<Column> columns_;
  std::unordered_map<std::string, std::string> long_names_;
  struct Key {
    StringId object, file, name;
    friend bool operator==(const Key&, const Key&) = default;
  };
  struct KeyHash {
    size_t operator()(const Key& k) const { return hash_pair(uint64_t{k.object.value} << 32 | k.file.value, k.name.value); }
  };
  std::unordered_map<Key, uint32_t, KeyHash> functions_;  // -> row of the graph
  Names objects_{b_}, files_{b_}, function_names_{b_};
  StringId object_, file_, home_, function_name_, callee_name_;
  std::optional<StringId> callee_object_, callee_file_;
  std::string process_;
  std::vector<int64_t> costs_;
  uint64_t last_line_ = 0, last_address_ = 0;
  uint32_t function_ = kNone, pid_ = 0;
  bool has_instructions_ = false, has_lines_ = true, awaits_call_cost_ = false, awaits_jump_ = false, from_wick_ = false;
  SkippedRows skipped_{"lines"};
};

}  // namespace

bool is_callgrind(const Head& head) {
  if (head.text.starts_with("# callgrind format")) { return true; }
  bool events = false, function = false;
  std::string_view text = head.text;
  size_t number = 0;
  for (std::string_view line : split(text, '\n')) {
    if (++number > 400) { break; }
    events = events || line.starts_with("events:");
    function = function || line.starts_with("fn=");
  }
  return events && function;
}

Result<Profile> read_callgrind(Input& input, const ImportOptions& options) { return CallgrindImport(input, options).run(); }

}  // namespace wick
