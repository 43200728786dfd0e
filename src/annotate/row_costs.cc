// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "annotate/row_costs.h"

#include <map>
#include <string_view>

namespace wick {
namespace {

using Kind = CodeRow::Kind;

std::vector<RowCost> instruction_costs(const FunctionCode& code, const CodeCosts& costs) {
  std::vector<RowCost> out(code.instructions.size());
  auto cost = costs.instructions.begin();
  for (size_t i = 0; i < code.instructions.size(); ++i) {
    uint64_t address = code.instructions[i].machine.address;
    while (cost != costs.instructions.end() && cost->address < address) { ++cost; }
    if (cost != costs.instructions.end() && cost->address == address) { out[i] = {cost->self, cost->total}; }
  }
  return out;
}

}  // namespace

std::vector<RowCost> compute_row_costs(const Profile& profile, const FunctionCode& code, const std::vector<CodeRow>& rows,
                                       const CodeCosts& costs) {
  std::vector<RowCost> by_instruction = instruction_costs(code, costs), out(rows.size());
  std::map<std::pair<std::string_view, uint32_t>, const LineCost*> lines;
  for (const LineCost& line : costs.lines) { lines[{profile.text(line.file), line.line}] = &line; }
  for (size_t r = rows.size(); r-- > 0;) {
    const CodeRow& row = rows[r];
    if (row.kind == Kind::kInstruction) {
      out[r] = by_instruction[row.instruction];
      continue;
    }
    if (row.kind != Kind::kLine && row.kind != Kind::kInlined) { continue; }
    bool has_code = row.kind == Kind::kInlined;
    for (size_t below = r + 1; below < row.end; below = rows[below].end) {
      out[r].self += out[below].self;
      has_code = true;
    }
    if (row.kind != Kind::kLine || row.depth > 0) { continue; }
    auto line = lines.find({*row.file, row.line});
    if (line == lines.end()) { continue; }
    // The cost without a line is without that of instructions, whose total costs do not add up.
    if (!has_code || row.line == 0) { out[r].self += line->second->self; }
    if (!has_code || row.line != 0) { out[r].total = line->second->total; }
  }
  return out;
}

}  // namespace wick
