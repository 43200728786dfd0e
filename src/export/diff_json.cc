// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "export/diff_json.h"

#include <algorithm>
#include <cmath>

#include "analyze/format.h"
#include "analyze/overview.h"
#include "base/text.h"
#include "export/json_writer.h"
#include "export/report_json.h"

namespace wick {
namespace {

// Noise is an estimate, and its last digits depend on the machine's libraries.
double rounded(double value, int digits) { return parse_double(strf("%.*g", digits, value)).value_or(0); }

void write_cost(JsonWriter& json, double weight, uint64_t divisor) {
  constexpr int kDigits = 12;
  constexpr double kMostExact = 9e15;  // larger integers are not exact
  double cost = rounded(weight / static_cast<double>(divisor), kDigits);
  if (std::abs(cost) < kMostExact && cost == std::trunc(cost)) {
    json.value(static_cast<int64_t>(cost));
  } else {
    json.value(cost);
  }
}
void write_cost(JsonWriter& json, int64_t weight, uint64_t divisor) {
  if (weight % static_cast<int64_t>(divisor) == 0) {
    json.value(weight / static_cast<int64_t>(divisor));
  } else {
    write_cost(json, static_cast<double>(weight), divisor);
  }
}

void write_side(JsonWriter& json, const char* key, const DiffSide& side, const Cost& cost, uint64_t divisor) {
  const auto& [file, profile, selection] = side;
  Overview overview = compute_overview(profile, selection.event);
  json.line().key(key).begin_object().key("file").value(file).key("command").begin_array();
  for (const std::string& arg : profile.command()) { json.value(arg); }
  json.end_array();
  json.key("event").value(selection.event.valid() ? profile.text(profile[selection.event].name) : std::string_view());
  json.key("duration_ns").value(overview.duration_ns).key("samples").value(cost.samples).key("total");
  write_cost(json, cost.weight, divisor);
  json.key("lost").value(overview.lost).key("lost_known").value(overview.losses_known);
  json.key("warnings").begin_array();
  for (const std::string& warning : profile.warnings()) { json.value(warning); }
  json.end_array().end_object();
}

const char* word(Change change) {
  switch (change) {
    case Change::kGrew: return "grew";
    case Change::kShrank: return "shrank";
    case Change::kNoise: return "";
  }
  return "";
}

}  // namespace

void write_diff_costs(JsonWriter& json, const char* key, const DiffTable& table, const DiffCost& cost, uint64_t divisor) {
  constexpr int kShareDigits = 6;
  json.key(key).begin_object().key("before");
  write_cost(json, cost.before.weight, divisor);
  json.key("after");
  write_cost(json, cost.after.weight, divisor);
  json.key("before_samples").value(cost.before.samples).key("after_samples").value(cost.after.samples);
  json.key("before_share").value(rounded(share(cost.before.weight, table.before.weight), kShareDigits));
  json.key("after_share").value(rounded(share(cost.after.weight, table.after.weight), kShareDigits));
  json.key("change");
  write_cost(json, table.change(cost), divisor);
  json.key("share_change").value(rounded(table.share_change(cost), kShareDigits));
  constexpr int kDigits = 4;
  json.key("cost_noise").value(rounded(cost.cost_noise, kDigits));
  json.key("share_noise").value(rounded(cost.share_noise, kDigits));
  json.key("verdict").value(word(table.verdict(cost))).end_object();
}

void write_diff_sides(JsonWriter& json, const DiffSide& before, const DiffSide& after, const Profile& combined,
                      const DiffTable& table, std::string_view why) {
  const Event& event = combined.events()[1];
  write_side(json, "before", before, table.before, event.divisor);
  write_side(json, "after", after, table.after, event.divisor);
  json.line().key("unit").value(combined.text(event.unit));
  json.line().key("normalized").value(table.normalized).key("scale").value(table.scale).key("why").value(why);
}

std::string diff_json(const DiffSide& before, const DiffSide& after, const Profile& combined, const DiffTable& table,
                      std::string_view why, size_t limit) {
  std::string out;
  JsonWriter json(out);
  uint64_t divisor = combined.events()[1].divisor;
  json.begin_object();
  write_diff_sides(json, before, after, combined, table, why);
  for (const auto& [key, lines] : {std::pair("notes", &table.notes), std::pair("warnings", &table.warnings)}) {
    json.line().key(key).begin_array();
    for (const std::string& line : *lines) { json.value(line); }
    json.end_array();
  }
  json.line().key(rows_key(table.by)).begin_array();
  size_t rows = limit == 0 ? table.rows.size() : std::min(limit, table.rows.size());
  for (size_t i = 0; i < rows; ++i) {
    const DiffRow& row = table.rows[i];
    CostRow named = row.named();
    json.line().begin_object().key("name").value(row_name(combined, table.by, named));
    if (is_code(table.by)) { json.key("module").value(row_module(combined, table.by, named)); }
    if (table.by == GroupBy::kThread) {
      json.key("process").value(combined.text(combined[combined.threads()[row.id].process].name));
    }
    write_diff_costs(json, "self", table, row.self, divisor);
    if (is_code(table.by)) { write_diff_costs(json, "total", table, row.total, divisor); }
    json.end_object();
  }
  json.line().end_array().line().end_object();
  out += '\n';
  return out;
}

}  // namespace wick
