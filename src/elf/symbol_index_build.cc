// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "elf/symbol_index_build.h"

#include <sys/mman.h>
#include <tsl/robin_map.h>

#include <algorithm>
#include <queue>
#include <set>

namespace wick::elf {
namespace {

constexpr uint32_t kNothing = SymbolIndex::kNothing;

// Faults for small pages would take as long as filling the tables.
template <typename Row>
void reserve_large(std::vector<Row>& rows, size_t count) {
  constexpr uintptr_t kHugePage = uintptr_t{2} << 20;
  rows.reserve(count);
  uintptr_t begin = (reinterpret_cast<uintptr_t>(rows.data()) + kHugePage - 1) & ~(kHugePage - 1);
  uintptr_t end = reinterpret_cast<uintptr_t>(rows.data() + rows.capacity()) & ~(kHugePage - 1);
  if (begin < end) { ::madvise(reinterpret_cast<void*>(begin), end - begin, MADV_HUGEPAGE); }
}

class Merger {
 public:
  Merger(std::span<UnitSymbols> units, uint64_t most_text)
      : units_(units), most_text_(std::min<uint64_t>(most_text, UINT32_MAX)), first_node_(units.size()), cursors_(units.size()) {}

  SymbolIndexTables merge(const RunTogether& together) {
    std::vector<std::vector<AddressRange>> ranges;
    for (UnitSymbols& unit : units_) { ranges.push_back(std::move(unit.ranges)); }
    std::vector<CodeClaim> claims = settle_claims(ranges);
    if (claims.empty()) { return {}; }
    t_.base = claims.front().begin;
    number_nodes();
    number_files();
    auto add_code = [&] {
      reserve_code(claims.size());
      for (const CodeClaim& claim : claims) { add_claim(claim); }
      uint64_t end = claims.back().end;
      add_segment(end, kNothing);
      add_line(end, {0, kNothing, 0, 0});
    };
    auto add_functions = [&] { add_nodes(); };
    if (together) {
      together(add_functions, add_code);
    } else {
      add_functions();
      add_code();
    }
    return std::move(t_);
  }

 private:
  struct Cursor {
    size_t segment = 0, line = 0;
  };
  struct TextHash {
    size_t operator()(std::string_view s) const { return std::hash<std::string_view>()(s); }
  };

  IndexText add_text(std::string_view text) {
    if (t_.strings.size() + text.size() > most_text_) { return {}; }
    IndexText out{static_cast<uint32_t>(t_.strings.size()), static_cast<uint32_t>(text.size())};
    t_.strings.append(text);
    return out;
  }

  // Functions are deduplicated by address, since a file shares its strings already; rarer and shorter text by content.
  uint32_t function_number(std::string_view name) {
    if (name.empty()) { return kNothing; }
    auto [found, fresh] = functions_.try_emplace(name.data(), static_cast<uint32_t>(t_.functions.size()));
    if (fresh) { t_.functions.push_back(add_text(name)); }
    return found->second;
  }
  uint32_t file_number(std::string_view path) {
    auto [found, fresh] = files_.try_emplace(path, static_cast<uint32_t>(t_.files.size()));
    if (fresh) { t_.files.push_back(add_text(path)); }
    return found->second;
  }

  void number_nodes() {
    uint32_t count = 0;
    for (size_t u = 0; u < units_.size(); ++u) {
      first_node_[u] = count;
      count += static_cast<uint32_t>(units_[u].nodes.size());
    }
    reserve_large(t_.nodes, count);
  }

  void number_files() {
    files_of_.resize(units_.size());
    for (size_t u = 0; u < units_.size(); ++u) {
      files_of_[u].reserve(units_[u].files.size());
      for (const std::string& path : units_[u].files) { files_of_[u].push_back(file_number(path)); }
    }
  }

  void add_nodes() {
    std::vector<uint32_t> functions;
    size_t names = 0;
    for (const UnitSymbols& unit : units_) { names += unit.functions.size(); }
    functions_.reserve(names);
    t_.functions.reserve(names);
    for (size_t u = 0; u < units_.size(); ++u) {
      UnitSymbols& unit = units_[u];
      functions.clear();
      for (std::string_view name : unit.functions) { functions.push_back(function_number(name)); }
      for (IndexNode node : unit.nodes) {
        node.function = node.function < functions.size() ? functions[node.function] : kNothing;
        if (node.parent != kNothing) { node.parent += first_node_[u]; }
        if (node.call_file != kNothing) { node.call_file = files_of_[u][node.call_file]; }
        t_.nodes.push_back(node);
      }
      unit.nodes = {};
      unit.functions = {};
    }
  }

  // Each claim may add a row for a gap at either end.
  void reserve_code(size_t claims) {
    size_t segments = 2 * claims + 1, lines = 2 * claims + 1;
    for (const UnitSymbols& unit : units_) {
      segments += unit.segments.size();
      lines += unit.lines.size();
    }
    reserve_large(t_.segments, segments);
    reserve_large(t_.lines, lines);
  }

  void add_claim(const CodeClaim& claim) {
    const UnitSymbols& unit = units_[claim.unit];
    Cursor& cursor = cursors_[claim.unit];
    uint64_t at = claim.begin;
    while (cursor.segment < unit.segments.size() && unit.segments[cursor.segment].end <= claim.begin) { ++cursor.segment; }
    for (size_t i = cursor.segment; i < unit.segments.size() && unit.segments[i].begin < claim.end; ++i) {
      const UnitSymbols::Segment& s = unit.segments[i];
      if (s.begin > at) { add_segment(at, kNothing); }
      add_segment(std::max(s.begin, claim.begin), first_node_[claim.unit] + s.node);
      at = std::min(s.end, claim.end);
    }
    if (at < claim.end) { add_segment(at, kNothing); }
    segment_end_ = claim.end;

    while (cursor.line + 1 < unit.lines.size() && unit.lines[cursor.line + 1].begin <= claim.begin) { ++cursor.line; }
    bool any = false;
    for (size_t i = cursor.line; i < unit.lines.size() && unit.lines[i].begin < claim.end; ++i) {
      UnitSymbols::Line line = unit.lines[i];
      if (line.file != kNothing) { line.file = files_of_[claim.unit][line.file]; }
      if (!any && line.begin > claim.begin) { add_line(claim.begin, {0, kNothing, 0, 0}); }
      add_line(std::max(line.begin, claim.begin), line);
      any = true;
    }
    if (!any) { add_line(claim.begin, {0, kNothing, 0, 0}); }
    line_end_ = claim.end;
  }

  // Also closes the gap between two claims.
  void add_segment(uint64_t begin, uint32_t node) {
    if (!t_.segments.empty() && begin > segment_end_ && segment_end_ != 0) { push_segment(segment_end_, kNothing); }
    segment_end_ = 0;
    push_segment(begin, node);
  }
  void push_segment(uint64_t begin, uint32_t node) {
    if (begin - t_.base > UINT32_MAX || (!t_.segments.empty() && t_.segments.back().node == node)) { return; }
    t_.segments.push_back({static_cast<uint32_t>(begin - t_.base), node});
  }
  void add_line(uint64_t begin, const UnitSymbols::Line& line) {
    if (!t_.lines.empty() && begin > line_end_ && line_end_ != 0) { push_line(line_end_, {0, kNothing, 0, 0}); }
    line_end_ = 0;
    push_line(begin, line);
  }
  void push_line(uint64_t begin, const UnitSymbols::Line& line) {
    if (begin - t_.base > UINT32_MAX) { return; }
    if (!t_.lines.empty()) {
      const IndexLine& last = t_.lines.back();
      if (last.file == line.file && last.line == line.line && last.column == line.column) { return; }
    }
    t_.lines.push_back({static_cast<uint32_t>(begin - t_.base), line.file, line.line, line.column});
  }

  std::span<UnitSymbols> units_;
  uint64_t most_text_;
  SymbolIndexTables t_;
  std::vector<uint32_t> first_node_;
  std::vector<Cursor> cursors_;
  std::vector<std::vector<uint32_t>> files_of_;
  tsl::robin_map<const char*, uint32_t> functions_;
  tsl::robin_map<std::string_view, uint32_t, TextHash> files_;
  uint64_t segment_end_ = 0, line_end_ = 0;
};

}  // namespace

void UnitSymbols::find(uint64_t svma, std::vector<NamedFrame>& chain) const {
  auto last_at = [&](const auto& rows) {
    auto after = std::upper_bound(rows.begin(), rows.end(), svma, [](uint64_t at, const auto& row) { return at < row.begin; });
    return after == rows.begin() ? nullptr : &*(after - 1);
  };
  auto frame_at = [&](uint32_t file, uint32_t line, uint32_t column) {
    return file < files.size() ? NamedFrame{{}, files[file], line, column} : NamedFrame{{}, {}, line, column};
  };
  chain.clear();
  const Line* line = last_at(lines);
  NamedFrame here = line != nullptr && line->file != kNothing ? frame_at(line->file, line->line, line->column) : NamedFrame();
  const Segment* segment = last_at(segments);
  if (segment == nullptr || svma >= segment->end) {
    if (!here.file.empty()) { chain.push_back(here); }
    return;
  }
  uint32_t id = segment->node;
  for (unsigned depth = 0; id < nodes.size() && depth < SymbolIndex::kMaxDepth; ++depth) {
    const IndexNode& node = nodes[id];
    here.function = node.function < functions.size() ? functions[node.function] : std::string_view();
    chain.push_back(here);
    here = frame_at(node.call_file, node.call_line, node.call_column);
    id = node.parent;
  }
}

// Sweeps by address with the open claims in unit order. Ended claims are removed when they reach the front.
std::vector<CodeClaim> settle_claims(std::span<const std::vector<AddressRange>> ranges_of_units) {
  std::vector<CodeClaim> claims, out;
  for (uint32_t unit = 0; unit < ranges_of_units.size(); ++unit) {
    for (const AddressRange& range : ranges_of_units[unit]) { claims.push_back({range.begin, range.end, unit}); }
  }
  std::sort(claims.begin(), claims.end(),
            [](const CodeClaim& a, const CodeClaim& b) { return a.begin != b.begin ? a.begin < b.begin : a.unit < b.unit; });
  std::set<std::pair<uint32_t, uint64_t>> open;  // unit, end
  std::pair<uint32_t, uint64_t> owner{0, 0};     // of the code at `at`, if that is before its end
  uint64_t at = 0;
  auto go_to = [&](uint64_t next) {
    while (at < next) {
      if (owner.second <= at) {
        while (!open.empty() && open.begin()->second <= at) { open.erase(open.begin()); }
        if (open.empty()) { break; }
        owner = *open.begin();
        out.push_back({at, at, owner.first});
      }
      at = out.back().end = std::min(owner.second, next);
    }
    at = next;
  };
  for (const CodeClaim& claim : claims) {
    go_to(claim.begin);
    open.emplace(claim.unit, claim.end);
  }
  go_to(UINT64_MAX);
  return out;
}

SymbolIndexTables merge_symbols(std::span<UnitSymbols> units, uint64_t most_text, const RunTogether& together) {
  return Merger(units, most_text).merge(together);
}

}  // namespace wick::elf
