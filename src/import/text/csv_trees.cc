// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0

// Both have a heading with column names, in an order chosen by the user, and a separator chosen by the locale. VTune's top-down
// report shows depth by spaces before the function's name, with self costs in columns that end in ":Self". Its callstacks report
// is reversed: a function, then its callers; a row with a cost begins a chain of callers, rows without one continue it.
#include "import/text/csv_trees.h"

#include <algorithm>
#include <string>
#include <vector>

#include "base/text.h"
#include "import/text/stack_text.h"

namespace wick {
namespace {

// Fields of a line, without quotes; doubled quotes become one. Empty if a quote is not closed.
std::vector<std::string> split_fields(std::string_view line, char separator) {
  std::vector<std::string> fields(1);
  bool quoted = false;
  for (size_t i = 0; i < line.size(); ++i) {
    char c = line[i];
    if (c == '"') {
      if (quoted && i + 1 < line.size() && line[i + 1] == '"') {
        fields.back() += '"';
        ++i;
      } else {
        quoted = !quoted;
      }
    } else if (c == separator && !quoted) {
      fields.emplace_back();
    } else {
      fields.back() += c;
    }
  }
  if (quoted) { fields.clear(); }
  return fields;
}

char find_separator(std::string_view heading) {
  char best = ',';
  for (char c : {',', ';', '\t', '|'}) {
    if (std::count(heading.begin(), heading.end(), c) > std::count(heading.begin(), heading.end(), best)) { best = c; }
  }
  return best;
}

constexpr size_t kNone = SIZE_MAX;

size_t find_column(const std::vector<std::string>& names, std::string_view name) {
  for (size_t i = 0; i < names.size(); ++i) {
    if (trim(names[i]) == name) { return i; }
  }
  return kNone;
}

std::string_view field(const std::vector<std::string>& fields, size_t column) {
  return column < fields.size() ? std::string_view(fields[column]) : std::string_view();
}

std::string_view without_mark(std::string_view line) { return line.starts_with("\xef\xbb\xbf") ? line.substr(3) : line; }

struct Table {
  char separator = ',';
  std::vector<std::string> names;
};
Table parse_heading(std::string_view line) {
  line = without_mark(line);
  char separator = find_separator(line);
  return {separator, split_fields(line, separator)};
}

struct Metric {
  size_t column = 0;
  std::string name{}, unit{};
  uint64_t scale = 1;
  EventId event{};
};

// "CPU Time:Self", "Allocation Size:Self", "Instructions Retired:Self"
std::vector<Metric> find_metrics(StackImport& import, const std::vector<std::string>& names, std::string_view suffix) {
  std::vector<Metric> metrics;
  for (size_t i = 0; i < names.size(); ++i) {
    std::string_view name = trim(names[i]);
    size_t end = name.find(suffix);
    if (end == name.npos || end == 0 || name.find("(Full)") != name.npos) { continue; }
    Metric metric{.column = i, .name = std::string(name.substr(0, end))};
    if (name.find("Time") != name.npos) {
      metric.unit = "ns";
      metric.scale = 1'000'000'000;
    } else {
      bool is_bytes = name.find("Size") != name.npos || name.find("Bytes") != name.npos;
      metric.unit = is_bytes ? "bytes" : "count";
    }
    metrics.push_back(std::move(metric));
  }
  // For memory consumption, the number of allocations is the first event, unless the size is requested.
  std::string_view first = import.options().vtune_size ? "Allocation Size" : "Allocations";
  std::stable_partition(metrics.begin(), metrics.end(), [&](const Metric& m) { return m.name == first; });
  for (Metric& m : metrics) { m.event = import.event(m.name, import.as_read() && m.unit == "ns" ? "ms" : m.unit); }
  return metrics;
}

// Seconds without a unit, or with one: "5.436s".
std::optional<uint64_t> parse_cost(std::string_view text, const Metric& metric) {
  text = trim(text);
  if (text.empty()) { return 0; }
  size_t end = text.find_first_not_of("0123456789.,");
  if (end == text.npos) { return parse_decimal(text, metric.scale); }
  std::optional<Quantity> quantity = parse_quantity(text);
  return quantity && quantity->unit == metric.unit ? std::optional(quantity->value) : std::nullopt;
}

bool is_vtune_heading(std::string_view line) {
  Table table = parse_heading(line);
  bool has_cost = std::any_of(table.names.begin(), table.names.end(),
                              [](const std::string& n) { return n.find(":Self") != n.npos || n.find("Time") != n.npos; });
  return table.names.size() >= 2 && find_column(table.names, "Function Stack") != kNone && has_cost;
}

TextFrame vtune_frame(const Table& table, const std::vector<std::string>& fields, std::string_view name, bool module_in_name) {
  TextFrame frame{.module_in_name = module_in_name};
  frame.module = trim(field(fields, find_column(table.names, "Module")));
  if (frame.module == "[Unknown]") { frame.module = {}; }
  frame.kernel = frame.module == "vmlinux" || frame.module == "ntoskrnl.exe" || frame.module.starts_with("[vmlinux");
  frame.file = trim(field(fields, find_column(table.names, "Source File")));
  if (frame.file == "[Unknown]") { frame.file = {}; }
  frame.address = parse_hex(trim(field(fields, find_column(table.names, "Start Address")))).value_or(0);
  name = trim(name);
  bool is_nothing = name == "[Unknown]" || name == "[Unknown stack frame(s)]";
  frame.name = is_nothing ? std::string_view() : name;
  return frame;
}

void add_costs(StackImport& import, ThreadId thread, StackId stack, const std::vector<Metric>& metrics,
               const std::vector<uint64_t>& costs) {
  for (size_t i = 0; i < metrics.size(); ++i) {
    if (costs[i] == 0) { continue; }
    import.add({.thread = thread,
                .stack = stack,
                .event = metrics[i].event,
                .weight = static_cast<int64_t>(costs[i]),
                .count = metrics[i].unit == "count" ? costs[i] : 1});
  }
}

std::optional<std::vector<uint64_t>> parse_costs(const std::vector<Metric>& metrics, const std::vector<std::string>& fields) {
  std::vector<uint64_t> costs;
  for (const Metric& m : metrics) {
    // A row without the column is truncated; an empty column is a cost of 0.
    std::optional<uint64_t> cost = m.column < fields.size() ? parse_cost(fields[m.column], m) : std::nullopt;
    if (!cost) { return std::nullopt; }
    costs.push_back(*cost);
  }
  return costs;
}

bool is_any(const std::vector<uint64_t>& costs) {
  return std::any_of(costs.begin(), costs.end(), [](uint64_t cost) { return cost > 0; });
}

Result<Profile> read_top_down(StackImport& import, const Table& table) {
  const bool as_inferno = import.choose_rules({Rules::kInferno}) == Rules::kInferno;
  std::vector<Metric> metrics = find_metrics(import, table.names, ":Self");
  size_t column = find_column(table.names, "Function Stack");
  ThreadId thread = import.thread(0, 0, "");
  OpenRows open;
  std::string_view line;
  for (;;) {
    WICK_LET(bool more, import.next(line));
    if (!more) { break; }
    if (trim(line).empty()) { continue; }
    std::vector<std::string> fields = split_fields(line, table.separator);
    std::string_view name = field(fields, column);
    std::optional<std::vector<uint64_t>> costs = parse_costs(metrics, fields);
    if (trim(name).empty() || !costs) {
      import.skip();
      continue;
    }
    size_t depth = count_indent(name);
    StackId stack = open.caller(depth);
    if (as_inferno) {
      constexpr uint64_t kMillisecond = 1'000'000;
      for (size_t i = 0; i < metrics.size(); ++i) {
        if (metrics[i].unit == "ns") { (*costs)[i] = ((*costs)[i] + kMillisecond / 2) / kMillisecond; }
      }
      std::string_view module = import.options().without_modules ? "" : trim(field(fields, find_column(table.names, "Module")));
      std::string whole = (module.empty() ? "" : std::string(module) + "`") + std::string(trim(name));
      stack = import.builder().stack(import.frame({.name = whole}), stack);
    } else if (trim(name) != "Total" || !open.empty()) {  // the overall root is not a function
      stack = import.builder().stack(import.frame(vtune_frame(table, fields, name, !import.options().without_modules)), stack);
    }
    open.add(depth, stack);
    add_costs(import, thread, stack, metrics, *costs);
  }
  return import.finish("rows with a function, indented by its depth, and its self cost");
}

Result<Profile> read_callstacks(StackImport& import, const Table& table) {
  std::vector<Metric> metrics = find_metrics(import, table.names, ":Self");
  if (metrics.empty()) { metrics = find_metrics(import, table.names, "Time"); }
  for (Metric& m : metrics) {
    if (m.unit == "ns" && !m.name.ends_with("Time")) { m.name += "Time"; }
    m.event = import.event(m.name, m.unit);
  }
  size_t function = find_column(table.names, "Function"), column = find_column(table.names, "Function Stack");
  ThreadId thread = import.thread(0, 0, "");
  FrameId innermost;
  std::vector<uint64_t> whole, open;  // costs of the function, and of the current chain
  bool has_chain = false;
  auto end = [&](bool of_function) {
    if (has_chain) {
      add_costs(import, thread, import.take(), metrics, open);
    } else if (of_function && innermost.valid()) {  // it has no callers
      import.push(innermost);
      add_costs(import, thread, import.take(), metrics, whole);
    }
    import.drop();
    has_chain = false;
  };
  bool had_chain = false;
  std::string_view line;
  for (;;) {
    WICK_LET(bool more, import.next(line));
    if (!more) { break; }
    if (trim(line).empty()) { continue; }
    std::vector<std::string> fields = split_fields(line, table.separator);
    std::optional<std::vector<uint64_t>> costs = parse_costs(metrics, fields);
    std::string_view name = trim(field(fields, function)), caller = trim(field(fields, column));
    if (!costs || (name.empty() && caller.empty())) {
      import.skip();
      continue;
    }
    if (!name.empty()) {
      end(!had_chain);
      innermost = import.frame(vtune_frame(table, fields, name, !import.options().without_modules));
      whole = *costs;
      had_chain = false;
      continue;
    }
    if (!innermost.valid()) {
      import.skip();
      continue;
    }
    if (is_any(*costs)) {
      end(false);
      import.push(innermost);
      open = *costs;
      has_chain = had_chain = true;
    }
    if (has_chain) { import.push(vtune_frame(table, fields, caller, !import.options().without_modules)); }
  }
  end(!had_chain);
  return import.finish("rows with a function and its cost, then rows with its callers");
}

}  // namespace

bool is_vtune(const Head& head) {
  bool found = false;
  see_lines(head, [&](std::string_view line) {
    if (trim(line).empty()) { return true; }
    found = line.find("Function Stack") != line.npos && is_vtune_heading(line);
    return !found && line.find("Function Stack") == line.npos;
  });
  return found;
}

Result<Profile> read_vtune(Input& input, const ImportOptions& options) {
  StackImport import(kVtuneReader.what, options, input);
  std::string_view line;
  for (;;) {  // messages may precede the table
    WICK_LET(bool more, import.next(line));
    if (!more) { return import.finish("a heading with Function Stack and a cost (CPU Time:Self)"); }
    if (is_vtune_heading(line)) { break; }
  }
  Table table = parse_heading(line);
  bool is_callstacks = find_column(table.names, "Function") != kNone;
  return is_callstacks ? read_callstacks(import, table) : read_top_down(import, table);
}

namespace {

bool is_vs_heading(std::string_view line) {
  Table table = parse_heading(line);
  return find_column(table.names, "Level") != kNone && find_column(table.names, "Function Name") != kNone;
}

// "8,735", "8.735", "8 735" with any kind of space: groups of digits, no fractions.
std::optional<uint64_t> parse_grouped(std::string_view text) {
  std::string digits;
  for (char c : trim(text)) {
    if (c >= '0' && c <= '9') {
      digits += c;
    } else if (c != ',' && c != '.' && c != '\'' && c != ' ' && static_cast<unsigned char>(c) < 0x80) {
      return std::nullopt;
    }
  }
  return parse_count(digits);
}

// Calls by inferno's rules: calls of callees are subtracted from a function's number, as far as they are fewer. A row is written
// when the rows below it end, unless the last of them was called as often; at the end of the file only the innermost open row is
// written.
class CallsAsInferno {
 public:
  CallsAsInferno(StackImport& import, ThreadId thread, EventId event) : import_(import), thread_(thread), event_(event) {}

  void add(size_t depth, FrameId frame, uint64_t calls) {
    if (depth <= open_.size() && !open_.empty()) { close(depth); }
    open_.push_back({import_.builder().stack(frame, open_.empty() ? StackId{} : open_.back().stack), calls});
  }
  void finish() { write(); }

 private:
  struct Open {
    StackId stack;
    uint64_t calls = 0;
  };
  void close(size_t depth) {
    uint64_t before = 0;
    bool is_single = depth == open_.size();
    for (size_t left = open_.size() - depth + 1; left > 0; --left) {
      if (is_single || before != open_.back().calls) { write(); }
      before = open_.back().calls;
      open_.pop_back();
      if (is_single || open_.empty()) { return; }
      if (before < open_.back().calls) { open_.back().calls -= before; }
    }
  }
  void write() {
    if (open_.empty() || open_.back().calls == 0) { return; }
    const Open& o = open_.back();
    import_.add(
        {.thread = thread_, .stack = o.stack, .event = event_, .weight = static_cast<int64_t>(o.calls), .count = o.calls});
  }

  StackImport& import_;
  ThreadId thread_;
  EventId event_;
  std::vector<Open> open_;
};

}  // namespace

bool is_visual_studio(const Head& head) {
  bool found = false;
  see_lines(head, [&](std::string_view line) {
    if (trim(line).empty()) { return true; }
    found = is_vs_heading(line);
    return false;
  });
  return found;
}

Result<Profile> read_visual_studio(Input& input, const ImportOptions& options) {
  StackImport import(kVisualStudioReader.what, options, input);
  std::string_view line;
  for (;;) {
    WICK_LET(bool more, import.next(line));
    if (!more) { return import.finish("a heading with Level, Function Name and Exclusive Samples"); }
    if (!trim(line).empty()) { break; }
  }
  if (!is_vs_heading(line)) {
    return Error("line %llu: expected a heading with Level, Function Name and Exclusive Samples",
                 static_cast<unsigned long long>(import.line_number()))
        .with_code(Errc::kBadInput);
  }
  Table table = parse_heading(line);
  size_t level = find_column(table.names, "Level"), name = find_column(table.names, "Function Name");
  size_t module = find_column(table.names, "Module Name"), own = kNone, all = kNone;
  size_t calls = find_column(table.names, "Number of Calls"), share = find_column(table.names, "Elapsed Exclusive Time %");
  for (size_t i = 0; i < table.names.size(); ++i) {
    std::string_view column = trim(table.names[i]);
    if (column.ends_with('%')) { continue; }
    if (own == kNone && column.starts_with("Exclusive")) { own = i; }
    if (all == kNone && column.starts_with("Inclusive")) { all = i; }
  }
  bool is_instrumented = own == kNone && all == kNone && calls != kNone;  // counts calls, not samples
  if (is_instrumented) { own = calls; }
  if (own == kNone && all == kNone) {
    return Error("line %llu: expected a column with Exclusive Samples, Inclusive Samples or Number of Calls",
                 static_cast<unsigned long long>(import.line_number()))
        .with_code(Errc::kBadInput);
  }
  TreeImport tree(import, TreeImport::Root::kOutermost);
  ThreadId thread = import.thread(0, 0, "");
  EventId event = is_instrumented ? import.event("calls", "calls") : import.event("samples", "samples");
  EventId time;
  if (is_instrumented && share != kNone) { time = import.event("time", "%", 100); }
  OpenRows open;
  CallsAsInferno calls_as_inferno(import, thread, event);
  const bool as_inferno = is_instrumented && import.choose_rules({Rules::kInferno}) == Rules::kInferno;
  for (;;) {
    WICK_LET(bool more, import.next(line));
    if (!more) { break; }
    if (trim(line).empty()) { continue; }
    std::vector<std::string> fields = split_fields(line, table.separator);
    std::optional<uint64_t> depth = parse_count(trim(field(fields, level))),
                            count = parse_grouped(field(fields, own != kNone ? own : all));
    std::string_view function = trim(field(fields, name));
    constexpr uint64_t kDeepest = 1 << 20;
    if (!depth || *depth > kDeepest || !count || function.empty()) {
      import.skip();
      continue;
    }
    bool known = !function.starts_with('[') || !function.ends_with(']');
    FrameId frame = import.frame({.name = function, .module = trim(field(fields, module)), .known = known});
    if (as_inferno) {
      calls_as_inferno.add(static_cast<size_t>(*depth), frame, *count);
      continue;
    }
    if (own == kNone) {
      tree.add({.depth = *depth, .frame = frame, .thread = thread, .event = event, .cost = *count});
      continue;
    }
    StackId stack = import.builder().stack(frame, open.caller(*depth));
    open.add(*depth, stack);
    if (*count > 0) {
      import.add({.thread = thread, .stack = stack, .event = event, .weight = static_cast<int64_t>(*count), .count = *count});
    }
    std::optional<uint64_t> percent = time.valid() ? parse_decimal(field(fields, share), 100) : std::nullopt;
    if (time.valid() && !percent) { import.skip(); }
    if (percent && *percent > 0) {
      import.add({.thread = thread, .stack = stack, .event = time, .weight = static_cast<int64_t>(*percent), .count = 1});
    }
  }
  if (as_inferno) { calls_as_inferno.finish(); }
  tree.finish();
  return import.finish("rows with a level, a function and its samples");
}

}  // namespace wick
