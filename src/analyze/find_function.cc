// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "analyze/find_function.h"

#include <algorithm>

#include "analyze/function_table.h"
#include "base/text.h"
#include "base/utf8.h"
#include "model/function_name.h"

namespace wick {
namespace {

std::string_view last_part(std::string_view name) {
  size_t colons = name.rfind("::");
  return colons == std::string_view::npos ? name : name.substr(colons + 2);
}

std::string listed(const std::vector<std::string>& names, size_t limit) {
  std::string out;
  for (size_t i = 0; i < names.size() && i < limit; ++i) { out += (i ? ", " : "") + printable(names[i]); }
  if (names.size() > limit) { out += strf(" and %zu more", names.size() - limit); }
  return out;
}

}  // namespace

Result<FoundFunction> find_function(const Profile& profile, const Selection& selection, std::string_view wanted) {
  CostTable table = compute_table(profile, selection, GroupBy::kFunction, SortBy::kTotal);
  std::vector<std::string> names;  // distinct, hottest first
  std::vector<bool> seen(profile.strings.size());
  for (const CostRow& row : table.rows) {
    StringId id = profile.functions[row.id].name;
    if (!id.valid() || seen[id.value]) { continue; }
    seen[id.value] = true;
    names.emplace_back(profile.text(id));
  }
  std::vector<std::string> fitting;
  auto fit = [&](auto&& rule) {
    fitting.clear();
    std::copy_if(names.begin(), names.end(), std::back_inserter(fitting), rule);
    return !fitting.empty();
  };
  bool found = fit([&](const std::string& n) { return n == wanted; }) ||
               fit([&](const std::string& n) { return short_name(n) == wanted; }) ||
               fit([&](const std::string& n) { return last_part(short_name(n)) == wanted; }) ||
               fit([&](const std::string& n) { return n.find(wanted) != std::string::npos; });
  if (!found || wanted.empty()) {
    std::vector<std::string> candidates;
    for (const std::string& name : names) { candidates.push_back(short_name(name)); }
    std::vector<std::string> near = nearest_words(wanted, candidates);
    std::string told = near.empty() ? "the hottest are: " + listed(names, 3) : "near: " + listed(near, 3);
    if (names.empty()) { told = "no functions are selected"; }
    return Error("no function \"%s\" in this profile (%s)", printable(wanted).c_str(), told.c_str()).with_code(Errc::kNotFound);
  }
  if (fitting.size() > 1) {
    return Error("\"%s\" fits %zu functions: %s", printable(wanted).c_str(), fitting.size(), listed(fitting, 4).c_str())
        .with_code(Errc::kNotFound)
        .with_hint("wick report --callers " + shell_quote(printable(fitting[0])));
  }
  FoundFunction result{fitting[0], {}, {}};
  for (const CostRow& row : table.rows) {
    if (row_name(profile, GroupBy::kFunction, row) == result.name) { result.self += row.self; }
  }
  for (uint32_t i = 0; i < profile.functions.size(); ++i) {
    if (profile.text(profile.functions[i].name) == result.name) { result.functions.push_back(FunctionId{i}); }
  }
  return result;
}

}  // namespace wick
