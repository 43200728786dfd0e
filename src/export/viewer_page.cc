// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "export/viewer_page.h"

#include <algorithm>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "analyze/function_table.h"
#include "export/base64.h"
#include "export/gzip.h"
#include "export/viewer_profile.h"

namespace wick {

namespace {

// Source and assembly of the functions that most people look at, up to a few megabytes before compression.
constexpr size_t kMostCodeFunctions = 100;
constexpr size_t kMostCodeBytes = size_t{6} << 20;
constexpr double kLeastCodeShare = 0.002;  // of self cost

// Rows of functions by their share of the self cost; of a comparison, by the higher one of both sides.
std::vector<uint32_t> hottest_functions(const ExportView& view) {
  std::map<uint32_t, double> shares;
  for (const Selection& selection : view.selections) {
    CostTable table = compute_table(view.profile, selection);
    for (const CostRow& row : table.rows) {
      double share = table.all.weight > 0 ? static_cast<double>(row.self.weight) / static_cast<double>(table.all.weight) : 0;
      if (share >= kLeastCodeShare) { shares[row.id] = std::max(shares[row.id], share); }
    }
    if (!view.profile.is_difference()) { break; }
  }
  std::vector<uint32_t> rows;
  for (auto [row, share] : shares) { rows.push_back(row); }
  std::stable_sort(rows.begin(), rows.end(), [&](uint32_t a, uint32_t b) { return shares[a] > shares[b]; });
  return rows;
}

// A JSON object with one member per function, named by its number in the page. Empty if there are none.
std::string collect_code(const ExportView& view, const std::vector<uint32_t>& functions) {
  std::string out;
  if (!view.code) { return out; }
  std::vector<uint32_t> number_of(view.profile.functions().size(), kNoRow);
  for (uint32_t i = 0; i < functions.size(); ++i) { number_of[functions[i]] = i; }
  size_t count = 0;
  for (uint32_t row : hottest_functions(view)) {
    if (count == kMostCodeFunctions || out.size() > kMostCodeBytes) { break; }
    if (row >= number_of.size() || number_of[row] == kNoRow) { continue; }
    (out += count++ == 0 ? "{\"" : ",\"") += std::to_string(number_of[row]);
    (out += "\":") += view.code(FunctionId{row});
  }
  return out.empty() ? out : out + "}";
}

}  // namespace

void write_html(const ExportView& view, const Sink& sink) {
  ViewerPage page = viewer_page();
  bool wanted = true;
  auto pass_on = [&](std::string_view piece) { return wanted = wanted && sink(piece); };
  pass_on(page.begin);
  auto pack = [&](const char* id, const std::function<void(const Sink&)>& write) {
    pass_on(std::string("<script type=\"text/plain\" id=\"") + id + "\">");
    if (wanted) {
      write_base64(pass_on, [&](const Sink& plain) { write_gzip(plain, write); });
    }
    pass_on("</script>\n");
  };
  if (wanted) {
    ViewerProfile profile(view, {.files = view.files,
                                 .sides = view.sides,
                                 .own_names = view.own_names,
                                 .notes = view.notes,
                                 .has_source = static_cast<bool>(view.code)});
    pack("wick-profile", [&](const Sink& packed) { profile.write(packed); });
    std::string code = collect_code(view, profile.functions());
    if (!code.empty()) {
      pack("wick-code", [&](const Sink& packed) { packed(code); });
    }
  }
  pass_on(page.end);
}

}  // namespace wick
