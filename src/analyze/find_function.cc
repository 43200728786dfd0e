// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "analyze/find_function.h"

#include <algorithm>
#include <cctype>
#include <map>
#include <utility>

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

std::string listed(const std::vector<std::string>& names, size_t limit, bool count_rest = true) {
  std::string out;
  for (size_t i = 0; i < names.size() && i < limit; ++i) { out += (i ? ", " : "") + printable(names[i]); }
  if (names.size() > limit && count_rest) { out += strf(" and %zu more", names.size() - limit); }
  return out;
}

bool has_word(std::string_view text, std::string_view word) {
  auto is_part = [](char c) { return isalnum(static_cast<unsigned char>(c)) != 0; };
  for (size_t at = 0; (at = text.find(word, at)) != std::string_view::npos; ++at) {
    size_t end = at + word.size();
    bool begins = at == 0 || !is_part(text[at - 1]) || !is_part(word.front());
    bool ends = end == text.size() || !is_part(text[end]) || !is_part(word.back());
    if (begins && ends) { return true; }
  }
  return false;
}

// How well a part of a name matches; smaller is better.
enum class PartFit : uint8_t {
  kWord,   // a whole word of the function's name: "alloc" in ns::alloc_page
  kBegin,  // a prefix of it: "mal" in malloc
  kOwn,    // inside it: "mal" in normalize
  kScope,  // in its scope
  kOther,  // in template arguments or parameters
  kNot,
};

PartFit fit_of(std::string_view name, std::string_view wanted) {
  if (name.find(wanted) == std::string_view::npos) { return PartFit::kNot; }
  std::string brief = short_name(name);
  std::string_view own = last_part(brief);
  if (has_word(own, wanted)) { return PartFit::kWord; }
  if (own.starts_with(wanted)) { return PartFit::kBegin; }
  if (own.find(wanted) != std::string_view::npos) { return PartFit::kOwn; }
  return brief.find(wanted) != std::string::npos ? PartFit::kScope : PartFit::kOther;
}

// The names that contain a part, best matches first, else hottest first. Names that contain it only in template arguments or
// parameters count only if no other name matches.
std::vector<std::string> with_part(const std::vector<std::string>& names, std::string_view wanted) {
  std::vector<std::pair<PartFit, std::string>> fitting;
  for (const std::string& name : names) {
    if (PartFit fit = fit_of(name, wanted); fit != PartFit::kNot) { fitting.emplace_back(fit, name); }
  }
  std::stable_sort(fitting.begin(), fitting.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<std::string> out;
  for (auto& [fit, name] : fitting) {
    if (fit < PartFit::kOther || fitting.front().first == PartFit::kOther) { out.push_back(std::move(name)); }
  }
  return out;
}

// As short as they can be distinguished.
std::vector<std::string> unambiguous_names(const std::vector<std::string>& fitting, const std::vector<std::string>& names) {
  std::map<std::string, size_t> uses;
  for (const std::string& name : names) { ++uses[short_name(name)]; }
  std::vector<std::string> out;
  for (const std::string& name : fitting) {
    std::string brief = short_name(name);
    out.push_back(uses[brief] == 1 ? brief : name);
  }
  return out;
}

// By self time, to suggest names.
std::vector<std::string> hottest_names(const Profile& profile, const CostTable& table) {
  std::vector<CostRow> rows = table.rows;
  std::stable_sort(rows.begin(), rows.end(), [](const CostRow& a, const CostRow& b) { return a.self.weight > b.self.weight; });
  std::vector<std::string> out;
  for (const CostRow& row : rows) { out.push_back(short_name(row_name(profile, GroupBy::kFunction, row))); }
  return out;
}

}  // namespace

Result<FoundFunction> find_function(const Profile& profile, const Selection& selection, std::string_view wanted,
                                    std::string_view command) {
  CostTable table = compute_table(profile, selection, GroupBy::kFunction, SortBy::kTotal);
  std::vector<std::string> names;  // distinct, hottest first
  std::vector<bool> seen(profile.strings().size());
  for (const CostRow& row : table.rows) {
    StringId id = profile.functions()[row.id].name;
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
               fit([&](const std::string& n) { return last_part(short_name(n)) == wanted; });
  if (!found && !wanted.empty()) {
    fitting = with_part(names, wanted);
    found = !fitting.empty();
  }
  if (!found || wanted.empty()) {
    std::vector<std::string> candidates;
    for (const std::string& name : names) { candidates.push_back(short_name(name)); }
    std::vector<std::string> near = nearest_words(wanted, candidates);
    std::string suggestion = near.empty() ? "" : "; nearest: " + listed(near, 3);
    suggestion +=
        names.empty() ? "; no functions are selected" : "; hottest (self): " + listed(hottest_names(profile, table), 3, false);
    return Error("no function \"%s\" in this profile%s", printable(wanted).c_str(), suggestion.c_str())
        .with_code(Errc::kNotFound);
  }
  if (fitting.size() > 1) {
    std::vector<std::string> distinct = unambiguous_names(fitting, names);
    return Error("\"%s\" matches %zu functions: %s", printable(wanted).c_str(), fitting.size(), listed(distinct, 4).c_str())
        .with_code(Errc::kNotFound)
        .with_hint(std::string(command) + " " + shell_quote(printable(distinct[0])));
  }
  FoundFunction result{fitting[0], {}, {}};
  for (const CostRow& row : table.rows) {
    if (row_name(profile, GroupBy::kFunction, row) == result.name) { result.self += row.self; }
  }
  for (uint32_t i = 0; i < profile.functions().size(); ++i) {
    if (profile.text(profile.functions()[i].name) == result.name) { result.functions.push_back(FunctionId{i}); }
  }
  return result;
}

}  // namespace wick
