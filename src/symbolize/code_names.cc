// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "symbolize/code_names.h"

#include <algorithm>
#include <numeric>
#include <queue>
#include <set>
#include <utility>

namespace wick {
namespace {

size_t size_of(const GeneratedFunction& f) {
  size_t bytes = sizeof f + f.name.size() + f.lines.size() * sizeof(CodeLine);
  for (const std::string& file : f.files) { bytes += sizeof file + file.size(); }
  return bytes;
}

}  // namespace

CodeNames::CodeNames(std::vector<CodeAddress> wanted) : order_(wanted.size()) {
  std::iota(order_.begin(), order_.end(), 0u);
  std::sort(order_.begin(), order_.end(), [&](uint32_t a, uint32_t b) { return wanted[a].address < wanted[b].address; });
  for (uint32_t row : order_) { wanted_.push_back(wanted[row]); }
}

bool CodeNames::wants(uint64_t start, uint64_t size) const {
  auto first = std::lower_bound(wanted_.begin(), wanted_.end(), start,
                                [](const CodeAddress& w, uint64_t address) { return w.address < address; });
  return first != wanted_.end() && first->address - start < size;
}

void CodeNames::add(GeneratedFunction function) {
  if (!wants(function.start, function.size)) { return; }
  if (function.name.size() > kMaxNameBytes) { function.name.resize(kMaxNameBytes); }
  bytes_ += size_of(function);
  functions_.push_back(std::move(function));
  if (bytes_ > limit_bytes_) { drop_unused(); }
}

// One sweep over the addresses with the functions that cover the current one, by time: even with many overlaps, it is not slower
// than sorting them.
std::vector<uint32_t> CodeNames::choose() const {
  std::vector<uint32_t> out(wanted_.size(), kNothing), by_start(functions_.size());
  std::iota(by_start.begin(), by_start.end(), 0u);
  std::sort(by_start.begin(), by_start.end(), [&](uint32_t a, uint32_t b) { return functions_[a].start < functions_[b].start; });
  std::set<std::pair<uint64_t, uint32_t>> covering;  // (time, row)
  using End = std::pair<uint64_t, uint32_t>;         // (last address, row)
  std::priority_queue<End, std::vector<End>, std::greater<>> ends;
  size_t next = 0;
  for (size_t i = 0; i < wanted_.size(); ++i) {
    const CodeAddress& w = wanted_[i];
    for (; next < by_start.size() && functions_[by_start[next]].start <= w.address; ++next) {
      const GeneratedFunction& f = functions_[by_start[next]];
      uint64_t last = f.size - 1 > UINT64_MAX - f.start ? UINT64_MAX : f.start + f.size - 1;
      covering.insert({f.time_ns, by_start[next]});
      ends.push({last, by_start[next]});
    }
    while (!ends.empty() && ends.top().first < w.address) {
      covering.erase({functions_[ends.top().second].time_ns, ends.top().second});
      ends.pop();
    }
    if (covering.empty()) { continue; }
    auto after = covering.upper_bound({w.time_ns, kNothing});
    // All are later: the earliest time wins, and of that time the last one logged.
    if (after == covering.begin()) {
      out[i] = std::prev(covering.upper_bound({after->first, kNothing}))->second;
    } else {
      out[i] = std::prev(after)->second;
    }
  }
  return out;
}

// A function that is not chosen now cannot be chosen after adding more.
void CodeNames::drop_unused() {
  std::vector<uint32_t> used = choose();
  std::sort(used.begin(), used.end());
  used.erase(std::unique(used.begin(), used.end()), used.end());
  std::vector<GeneratedFunction> kept;
  bytes_ = 0;
  for (uint32_t row : used) {
    if (row == kNothing) { continue; }
    bytes_ += size_of(functions_[row]);
    kept.push_back(std::move(functions_[row]));
  }
  functions_ = std::move(kept);
  limit_bytes_ = std::max(limit_bytes_, 2 * bytes_);
}

std::vector<CodeNames::Name> CodeNames::names() const {
  std::vector<Name> out(wanted_.size());
  std::vector<uint32_t> chosen = choose();
  for (size_t i = 0; i < wanted_.size(); ++i) {
    if (chosen[i] == kNothing) { continue; }
    const GeneratedFunction& f = functions_[chosen[i]];
    Name& name = out[order_[i]];
    name.function = f.name;
    name.code = &f;
    auto after = std::upper_bound(f.lines.begin(), f.lines.end(), wanted_[i].address - f.start,
                                  [](uint64_t offset, const CodeLine& l) { return offset < l.offset; });
    if (after == f.lines.begin()) { continue; }
    const CodeLine& line = *(after - 1);
    if (line.file < f.files.size()) { name.file = f.files[line.file]; }
    name.line = line.line;
    name.column = line.column;
  }
  return out;
}

}  // namespace wick
