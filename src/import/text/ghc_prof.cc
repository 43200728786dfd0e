// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0

// The report has a flat table and then the tree: its heading has "entries", rows are indented by depth, and individual costs are
// self costs. Numbers are at the end of a row, so it is parsed from there:
//   COST CENTRE MODULE SRC no. entries %time %alloc %time %alloc [ticks bytes]
// Names and sources may contain spaces ("<no location info>"). All costs become events; the user chooses the first.
#include "import/text/ghc_prof.h"

#include <algorithm>
#include <string>
#include <vector>

#include "base/text.h"
#include "import/text/stack_text.h"

namespace wick {
namespace {

constexpr std::string_view kTitle = "Time and Allocation Profiling Report";

struct Row {
  size_t depth = 0;
  std::string_view name{}, module{}, source{};
  uint64_t time = 0, alloc = 0, ticks = 0, bytes = 0;  // shares in tenths of a percent
};

std::optional<Row> parse_row(std::string_view line, bool has_ticks) {
  std::string_view rest = line;
  while (rest.ends_with(' ') || rest.ends_with('\t')) { rest.remove_suffix(1); }
  uint64_t numbers[8] = {};
  size_t count = has_ticks ? 8 : 6;
  for (size_t i = count; i-- > 0;) {
    size_t blank = rest.find_last_of(" \t");
    if (blank == rest.npos) { return std::nullopt; }
    bool is_share = i >= 2 && i < 6;
    std::optional<uint64_t> number = is_share ? parse_decimal(rest.substr(blank + 1), 10) : parse_count(rest.substr(blank + 1));
    if (!number) { return std::nullopt; }
    numbers[i] = *number;
    rest = rest.substr(0, rest.find_last_not_of(" \t", blank) + 1);
    if (rest.empty()) { return std::nullopt; }
  }
  Row row{.depth = count_indent(rest), .time = numbers[2], .alloc = numbers[3], .ticks = numbers[6], .bytes = numbers[7]};
  row.name = take_word(rest);
  row.module = take_word(rest);
  row.source = trim(rest);
  return row;
}

// "src/Main.hs:12:1-20" and "Main.hs:(3,1)-(5,20)"
void set_source(TextFrame& frame, std::string_view source) {
  size_t colon = source.find(':');
  if (source.starts_with('<') || colon == source.npos) { return; }
  frame.file = source.substr(0, colon);
  std::string_view place = source.substr(colon + 1);
  if (place.starts_with('(')) { place.remove_prefix(1); }
  std::string_view digits = place.substr(0, place.find_first_not_of("0123456789"));
  frame.line = static_cast<uint32_t>(std::min<uint64_t>(parse_u64(digits).value_or(0), UINT32_MAX));
}

bool is_tree_heading(std::string_view line) {
  return line.starts_with("COST CENTRE") && line.find("MODULE") != line.npos && line.find("entries") != line.npos;
}

}  // namespace

bool is_ghc_prof(const Head& head) {
  bool found = false, is_first = true;
  see_lines(head, [&](std::string_view line) {
    if (trim(line).empty()) { return true; }
    found = (is_first && line.find(kTitle) != line.npos) || is_tree_heading(line);
    is_first = false;
    return !found;
  });
  return found;
}

Result<Profile> read_ghc_prof(Input& input, const ImportOptions& options) {
  StackImport import(kGhcProfReader.what, options, input);
  struct Cost {
    std::string_view choice, name, unit;
    uint64_t divisor;
    uint64_t Row::* value;
    bool needs_ticks;
  };
  std::vector<Cost> costs = {{"time", "time", "%", 10, &Row::time, false},
                             {"", "alloc", "%", 10, &Row::alloc, false},
                             {"ticks", "ticks", "ticks", 1, &Row::ticks, true},
                             {"bytes", "bytes", "bytes", 1, &Row::bytes, true}};
  auto chosen = std::find_if(costs.begin(), costs.end(), [&](const Cost& c) { return c.choice == options.ghc_cost; });
  if (!options.ghc_cost.empty() && chosen != costs.end()) { std::rotate(costs.begin(), chosen, chosen + 1); }
  const bool as_inferno = import.choose_rules({Rules::kInferno}) == Rules::kInferno;  // includes rows without a cost
  ThreadId thread = import.thread(0, 0, "");
  OpenRows rows;
  std::vector<EventId> events;
  uint64_t total_ticks = 0;
  bool is_inside = false, has_ticks = false;
  std::string_view line;
  for (;;) {
    WICK_LET(bool more, import.next(line));
    if (!more) { break; }
    if (!is_inside) {
      // "total time  =        0.14 secs   (7 ticks @ 20 ms)"
      if (size_t open = line.find('('); line.find("total time") != line.npos && open != line.npos) {
        std::string_view rest = line.substr(open + 1);
        total_ticks = parse_count(take_word(rest)).value_or(0);
      }
      if (!is_tree_heading(line)) { continue; }
      is_inside = true;
      has_ticks = line.find("ticks") != line.npos;
      if (!options.ghc_cost.empty() && costs.front().needs_ticks && !has_ticks) {
        return Error("line %llu: the profile has no %s; expected columns ticks and bytes, which +RTS -P writes",
                     static_cast<unsigned long long>(import.line_number()), options.ghc_cost.c_str())
            .with_code(Errc::kBadInput);
      }
      for (const Cost& c : costs) {
        uint64_t divisor = as_inferno ? 1 : c.divisor;  // it has shares in tenths of a percent
        events.push_back(c.needs_ticks && !has_ticks ? EventId{} : import.event(c.name, c.unit, divisor));
      }
      continue;
    }
    if (trim(line).empty()) { continue; }
    std::optional<Row> row = parse_row(line, has_ticks);
    if (!row) {
      import.skip();
      continue;
    }
    std::string name(row->name);
    // "Main.fib": cost centres of different modules often share names.
    if (!row->module.empty()) { name = std::string(row->module) + "." + name; }
    TextFrame frame{.name = name, .module = row->module};
    set_source(frame, row->source);
    StackId stack = import.builder().stack(import.frame(frame), rows.caller(row->depth));
    rows.add(row->depth, stack);
    // A tick is a sample; from a share, their number is estimated.
    uint64_t samples =
        has_ticks ? row->ticks
                  : (std::min<uint64_t>(row->time, 1000) * std::min<uint64_t>(total_ticks, uint64_t{1} << 40) + 500) / 1000;
    for (size_t i = 0; i < costs.size(); ++i) {
      uint64_t cost = (*row).*(costs[i].value);
      if ((cost == 0 && !as_inferno) || !events[i].valid()) { continue; }
      bool is_time = costs[i].value == &Row::time || costs[i].value == &Row::ticks;
      import.add({.thread = thread,
                  .stack = stack,
                  .event = events[i],
                  .weight = static_cast<int64_t>(cost),
                  .count = is_time ? std::max<uint64_t>(1, samples) : 1});
    }
  }
  return import.finish("COST CENTRE MODULE … entries …, then rows with the costs of each cost centre, indented");
}

}  // namespace wick
