// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "import/text/call_trees.h"

#include <algorithm>
#include <string>
#include <vector>

#include "base/text.h"
#include "import/text/stack_text.h"
#include "model/function_name.h"

namespace wick {
namespace {

// " 70.59%  [12]        __mtx_unlock_flags @ /boot/kernel/kernel"
struct PmcRow {
  size_t depth = 0;
  uint64_t count = 0;
  std::string_view name{}, module{};
};
std::optional<PmcRow> parse_pmc_row(std::string_view line) {
  PmcRow row{.depth = count_indent(line)};
  std::string_view rest = line, share = take_word(rest), count = take_word(rest);
  rest = trim(rest);
  if (!share.ends_with('%') || !parse_decimal(share.substr(0, share.size() - 1), 100)) { return std::nullopt; }
  if (!count.starts_with('[') || !count.ends_with(']') || rest.empty()) { return std::nullopt; }
  std::optional<uint64_t> samples = parse_count(count.substr(1, count.size() - 2));
  if (!samples) { return std::nullopt; }
  row.count = *samples;
  size_t at = rest.rfind(" @ ");
  row.name = trim(rest.substr(0, at));
  if (at != rest.npos) { row.module = trim(rest.substr(at + 3)); }
  return row;
}

}  // namespace

bool is_pmcstat(const Head& head) {
  bool found = false;
  see_lines(head, [&](std::string_view line) {
    found = parse_pmc_row(line).has_value();
    return !found;
  });
  return found;
}

Result<Profile> read_pmcstat(Input& input, const ImportOptions& options) {
  StackImport import(kPmcstatReader.what, options, input);
  TreeImport tree(import, TreeImport::Root::kInnermost);
  ThreadId thread = import.thread(0, 0, "");
  EventId event;
  struct Level {
    size_t depth = 0;
    std::string module;
  };
  std::vector<Level> levels;  // a row without a module has that of the row above
  std::string_view line;
  for (;;) {
    WICK_LET(bool more, import.next(line));
    if (!more) { break; }
    if (trim(line).empty() || line.starts_with('#')) { continue; }
    if (line.starts_with("@ ")) {  // "@ CPU_CLK_UNHALTED_CORE [522 samples]"
      tree.finish();
      std::string_view rest = line.substr(1);
      event = import.event(take_word(rest), "samples");
      continue;
    }
    std::optional<PmcRow> row = parse_pmc_row(line);
    if (!row) {
      import.skip();
      continue;
    }
    if (!event.valid()) { event = import.event("samples", "samples"); }
    while (!levels.empty() && levels.back().depth >= row->depth) { levels.pop_back(); }
    std::string module(!row->module.empty() ? row->module : levels.empty() ? "" : std::string_view(levels.back().module));
    TextFrame frame{.name = row->name, .module = module, .kernel = module.starts_with("/boot/")};
    if (std::optional<uint64_t> address = parse_hex(row->name)) {
      frame.address = *address;
      frame.name = {};
    }
    tree.add({.depth = row->depth, .frame = import.frame(frame), .thread = thread, .event = event, .cost = row->count});
    levels.push_back({row->depth, std::move(module)});
  }
  tree.finish();
  return import.finish("PERCENT%  [COUNT]  function @ module, callers indented below");
}

namespace {

// "    + ! 2545 main  (in app) + 20  [0x100003f70]  main.c:23": the column of the number gives the depth.
struct SampleRow {
  size_t depth = 0;
  uint64_t count = 0;
  std::string_view text;
};
std::optional<SampleRow> parse_sample_row(std::string_view line) {
  size_t at = line.find_first_not_of(" \t+!:|");
  if (at == line.npos || at == 0) { return std::nullopt; }
  std::string_view rest = line.substr(at);
  std::optional<uint64_t> count = parse_count(take_word(rest));
  rest = trim(rest);
  if (!count || rest.empty()) { return std::nullopt; }
  return SampleRow{at, *count, rest};
}

TextFrame parse_sample_frame(std::string_view text, bool module_in_name) {
  TextFrame frame{.module_in_name = module_in_name};
  size_t in = text.find("  (in ");
  size_t skip = 6;
  if (in == text.npos) {
    in = text.find(" (in ");
    skip = 5;
  }
  frame.name = trim(text.substr(0, in));
  std::string_view rest;
  if (in != text.npos) {
    rest = text.substr(in + skip);
    size_t close = rest.find(')');
    frame.module = rest.substr(0, close);
    rest = close == rest.npos ? std::string_view() : rest.substr(close + 1);
  }
  if (size_t open = rest.find("[0x"); open != rest.npos) {
    std::string_view address = rest.substr(open + 1);
    size_t close = address.find_first_of(",]");
    frame.address = parse_hex(address.substr(0, close)).value_or(0);
    size_t end = rest.find(']', open);
    std::string_view place = end == rest.npos ? std::string_view() : trim(rest.substr(end + 1));
    size_t colon = place.rfind(':');
    if (colon != place.npos && is_digits(place.substr(colon + 1))) {
      frame.file = place.substr(0, colon);
      frame.line = static_cast<uint32_t>(std::min<uint64_t>(parse_u64(place.substr(colon + 1)).value_or(0), UINT32_MAX));
    }
  }
  if (frame.module.ends_with(".dylib")) { frame.module.remove_suffix(6); }
  if (frame.name == "???" || parse_hex(frame.name)) { frame.name = {}; }
  return frame;
}

// Rows by inferno's rules: a thread is a frame, a row's cost belongs to its innermost descendants, and waiting threads are
// skipped.
class SampleAsInferno {
 public:
  SampleAsInferno(StackImport& import, ThreadId thread, EventId event) : import_(import), thread_(thread), event_(event) {}

  void add(const SampleRow& row) {
    if (!open_.empty() && open_.back().depth >= row.depth) { write(); }
    while (!open_.empty() && open_.back().depth >= row.depth) { open_.pop_back(); }
    if (open_.empty()) { all_ = add_up(all_, row.count); }
    std::string name = name_of(row.text);
    StackId stack = import_.builder().stack(import_.frame({.name = name}), open_.empty() ? StackId{} : open_.back().stack);
    open_.push_back({row.depth, row.count, stack, std::move(name)});
  }
  void finish() {
    write();
    open_.clear();
  }
  // Skipped samples are reported, even if inferno does not.
  void warn() {
    if (told_ >= all_) { return; }
    import_.builder().add_warning(
        strf("skipped %s of %s samples, as inferno does: waiting threads, and functions that called others",
             group_thousands(all_ - told_).c_str(), group_thousands(all_).c_str()));
  }

 private:
  struct Open {
    size_t depth = 0;
    uint64_t count = 0;
    StackId stack;
    std::string name;
  };
  static uint64_t add_up(uint64_t sum, uint64_t count) { return count > UINT64_MAX - sum ? UINT64_MAX : sum + count; }
  std::string name_of(std::string_view text) const {
    std::string name = readable_rust_name(trim(text.substr(0, text.find('('))));
    if (import_.options().without_modules) { return name; }
    constexpr std::string_view kIn = "(in ";
    size_t in = text.rfind(kIn);
    std::string_view module = in == text.npos ? text : text.substr(in + kIn.size());
    size_t close = module.find(')');
    if (close == module.npos) { return name; }
    module = module.substr(0, close);
    if (module.ends_with(".dylib")) { module.remove_suffix(6); }
    return module.empty() ? name : std::string(module) + "`" + name;
  }
  void write() {
    if (open_.empty()) { return; }
    static constexpr std::string_view kWaiting[] = {
        "__psynch_cvwait",    "__select", "__semwait_signal", "__ulock_wait", "__wait4",
        "__workq_kernreturn", "kevent",   "mach_msg_trap",    "read",         "semaphore_wait_trap"};
    bool waits = std::any_of(std::begin(kWaiting), std::end(kWaiting),
                             [&](std::string_view name) { return open_.back().name.ends_with(name); });
    if (waits) { return; }
    const Open& leaf = open_.back();
    told_ = add_up(told_, leaf.count);
    import_.add({.thread = thread_,
                 .stack = leaf.stack,
                 .event = event_,
                 .weight = static_cast<int64_t>(leaf.count),
                 .count = std::max<uint64_t>(1, leaf.count)});  // inferno also writes lines with 0
  }

  StackImport& import_;
  ThreadId thread_;
  EventId event_;
  std::vector<Open> open_;
  uint64_t all_ = 0, told_ = 0;
};

constexpr std::string_view kCallGraph = "Call graph:", kCallGraphEnd = "Total number in stack";

}  // namespace

bool is_macos_sample(const Head& head) {
  bool has_graph = false, found = false;
  see_lines(head, [&](std::string_view line) {
    if (has_graph) {
      found = parse_sample_row(line).has_value();
      return false;
    }
    has_graph = line.starts_with(kCallGraph);
    return true;
  });
  return found;
}

Result<Profile> read_macos_sample(Input& input, const ImportOptions& options) {
  StackImport import(kMacosSampleReader.what, options, input);
  TreeImport tree(import, TreeImport::Root::kOutermost);
  EventId event = import.event("samples", "samples");
  ThreadId thread = import.thread(0, 0, "");
  std::string process;
  uint32_t pid = 0;
  size_t thread_depth = 0;
  bool is_inside = false;
  uint64_t last_row = 0;  // its line, until a blank line follows
  SampleAsInferno as_inferno(import, thread, event);
  const bool is_own = import.choose_rules({Rules::kInferno}) == Rules::kOwn;
  std::string_view line;
  for (;;) {
    WICK_LET(bool more, import.next(line));
    if (!more) { break; }
    if (line.starts_with("Process:")) {  // "Process:         app [1234]"
      std::string_view rest = trim(line.substr(8));
      size_t open = rest.rfind('[');
      process = trim(rest.substr(0, open));
      if (open != rest.npos && rest.ends_with(']')) {
        std::optional<uint64_t> id = parse_u64(rest.substr(open + 1, rest.size() - open - 2));
        pid = id && *id <= UINT32_MAX ? static_cast<uint32_t>(*id) : 0;
      }
    } else if (line.starts_with(kCallGraph)) {
      is_inside = true;
      thread_depth = 0;
    } else if (line.starts_with(kCallGraphEnd)) {
      tree.finish();
      as_inferno.finish();
      is_inside = false;
      last_row = 0;
    } else if (trim(line).empty()) {
      last_row = 0;
    } else if (is_inside) {
      last_row = import.line_number();
      std::optional<SampleRow> row = parse_sample_row(line);
      if (!row) {
        import.skip();
        continue;
      }
      if (!is_own) {
        as_inferno.add(*row);
        continue;
      }
      if (thread_depth == 0 ||
          row->depth <= thread_depth) {  // "2545 Thread_8749954   DispatchQueue_1: com.apple.main-thread  (serial)"
        thread_depth = row->depth;
        std::string_view rest = row->text;
        std::string name(take_word(rest));
        rest = trim(rest);
        if (name.ends_with(':') && !rest.empty()) {
          name = rest;
        } else if (size_t colon = rest.find(": "); colon != rest.npos) {
          std::string_view queue = trim(rest.substr(colon + 2));
          name += " " + std::string(trim(queue.substr(0, queue.find("  "))));
        }
        thread = import.thread(pid, 0, name);
        tree.add({.depth = row->depth, .thread = thread, .event = event, .cost = row->count});
        continue;
      }
      FrameId frame = import.frame(parse_sample_frame(row->text, !options.without_modules));
      tree.add({.depth = row->depth, .frame = frame, .thread = thread, .event = event, .cost = row->count});
    }
  }
  tree.finish();
  as_inferno.finish();
  as_inferno.warn();
  if (last_row != 0) {
    import.builder().add_warning(
        strf("the call graph is truncated at line %llu: callees of the last functions are missing, "
             "and their self counts are too high",
             static_cast<unsigned long long>(last_row)));
  }
  return import.finish("Call graph:, then rows with COUNT function  (in module), indented");
}

namespace {

// "1.50 s   40.0%\t0.10 s\t \t  main": total and self cost, an empty column, the indented name
struct InstrumentsRow {
  size_t depth = 0;
  Quantity own;
  std::string_view name;
};
std::optional<InstrumentsRow> parse_instruments_row(std::string_view line) {
  std::vector<std::string_view> columns = split(line, '\t');
  if (columns.size() < 3) { return std::nullopt; }
  std::string_view all = trim(columns[0]), own = trim(columns[1]), name = columns.back();
  if (!all.ends_with('%')) { return std::nullopt; }
  size_t blank = all.find_last_of(" \t");
  if (blank == all.npos || !parse_quantity(all.substr(0, blank)) ||
      !parse_decimal(all.substr(blank + 1, all.size() - blank - 2), 100)) {
    return std::nullopt;
  }
  std::optional<Quantity> whole = parse_quantity(all.substr(0, blank)), part = parse_quantity(own);
  if (!whole || !part || trim(name).empty()) { return std::nullopt; }
  if (part->unit == "samples" && whole->unit == "ns") {  // the heading has the unit: "Self (ms)"
    std::optional<uint64_t> ns = parse_decimal(own, 1'000'000);
    if (!ns) { return std::nullopt; }
    part = Quantity{*ns, "ns", 1};
  }
  size_t depth = count_indent(name);
  // The library may follow the symbol.
  return InstrumentsRow{depth, *part, trim(name)};
}

}  // namespace

bool is_instruments(const Head& head) {
  bool found = false;
  see_lines(head, [&](std::string_view line) {
    bool is_heading = line.find('\t') != line.npos && line.find("Symbol Name") != line.npos && line.find("Self") != line.npos;
    found = is_heading || parse_instruments_row(line);
    return !found;
  });
  return found;
}

Result<Profile> read_instruments(Input& input, const ImportOptions& options) {
  StackImport import(kInstrumentsReader.what, options, input);
  ThreadId thread = import.thread(0, 0, "");
  OpenRows open;
  std::string_view line;
  for (;;) {
    WICK_LET(bool more, import.next(line));
    if (!more) { break; }
    if (trim(line).empty() || line.find("Symbol Name") != line.npos) { continue; }
    std::optional<InstrumentsRow> row = parse_instruments_row(line);
    if (!row) {
      import.skip();
      continue;
    }
    StackId stack = import.builder().stack(import.frame({.name = row->name}), open.caller(row->depth));
    open.add(row->depth, stack);
    if (row->own.value == 0) { continue; }
    std::string_view unit = row->own.unit;
    EventId event = import.event(unit == "ns" ? "time" : unit, unit, row->own.divisor);
    import.add({.thread = thread,
                .stack = stack,
                .event = event,
                .weight = static_cast<int64_t>(row->own.value),
                .count = unit == "samples" ? row->own.value : 1});
  }
  return import.finish("COST PERCENT%, self cost and symbol name, separated by tabs");
}

}  // namespace wick
