// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0

// A table for spreadsheets (RFC 4180): one row per function, hottest first.

#include <string>

#include "analyze/function_table.h"
#include "base/utf8.h"
#include "export/writers.h"

namespace wick {
namespace {

void append_field(std::string& out, std::string_view text) {
  std::string field = printable(text);
  if (field.find_first_of(",\"") == std::string::npos) {
    out += field;
    return;
  }
  out += '"';
  for (char c : field) { out.append(c == '"' ? 2 : 1, c); }
  out += '"';
}

// Weights with a divisor are decimals, with as many digits as needed.
void append_cost(std::string& out, int64_t weight, uint64_t divisor) {
  if (divisor <= 1) {
    append_number(out, weight);
    return;
  }
  char digits[40];
  double cost = static_cast<double>(weight) / static_cast<double>(divisor);
  out.append(digits, std::to_chars(digits, digits + sizeof digits, cost, std::chars_format::fixed).ptr);
}

}  // namespace

void write_csv(const ExportView& view, const Sink& sink) {
  const Profile& p = view.profile;
  const Selection& selection = view.first();
  Event event = selection.event.valid() ? p[selection.event] : Event{};
  CostTable table = compute_table(p, selection, GroupBy::kFunction);
  PieceWriter out(sink);
  out.text = "function,module,self,total,unit,self_samples,total_samples\r\n";
  for (const CostRow& row : table.rows) {
    append_field(out.text, function_text(p, FunctionId{row.id}));
    out.text += ',';
    append_field(out.text, row_module(p, GroupBy::kFunction, row));
    out.text += ',';
    append_cost(out.text, row.self.weight, event.divisor);
    out.text += ',';
    append_cost(out.text, row.total.weight, event.divisor);
    out.text += ',';
    append_field(out.text, p.text(event.unit));
    out.text += ',';
    append_number(out.text, row.self.samples);
    out.text += ',';
    append_number(out.text, row.total.samples);
    out.text += "\r\n";
    if (!out.step()) { return; }
  }
  out.finish();
}

}  // namespace wick
