// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "analyze/find_function.h"

#include <algorithm>

#include "analyze/function_table.h"
#include "base/text.h"
#include "base/utf8.h"

namespace wick {
namespace {

std::string_view last_part(std::string_view name) {
  size_t colons = name.rfind("::");
  return colons == std::string_view::npos ? name : name.substr(colons + 2);
}

bool is_identifier(char c) { return c == '_' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

// The length of "operator" and its sign where those stand at `at`, else 0. The sign's brackets are none.
size_t operator_length(std::string_view name, size_t at) {
  constexpr std::string_view kWord = "operator";
  std::string_view rest = name.substr(at);
  if (!rest.starts_with(kWord) || (at > 0 && is_identifier(name[at - 1]))) { return 0; }
  rest.remove_prefix(kWord.size());
  if (!rest.empty() && is_identifier(rest[0])) { return 0; }
  for (std::string_view sign : {"<=>", "<<=", ">>=", "->*", "()", "<<", ">>", "<=", ">=", "->", "<", ">"}) {
    if (rest.starts_with(sign)) { return kWord.size() + sign.size(); }
  }
  return kWord.size();
}

std::string listed(const std::vector<std::string>& names, size_t limit) {
  std::string out;
  for (size_t i = 0; i < names.size() && i < limit; ++i) { out += (i ? ", " : "") + printable(names[i]); }
  if (names.size() > limit) { out += strf(" and %zu more", names.size() - limit); }
  return out;
}

}  // namespace

std::string without_parameters(std::string_view name) {
  std::string out;
  int angles = 0;
  for (size_t i = 0; i < name.size(); ++i) {
    char c = name[i];
    if (size_t length = operator_length(name, i); length > 0) {
      size_t end = angles > 0 ? i + length : std::min(name.find('(', i + length), name.size());
      if (angles == 0) { out += name.substr(i, end - i); }
      i = end - 1;
    } else if (c == '<' &&
               !(i == 0 || name.substr(0, i).ends_with("::"))) {  // "<T as Trait>::f" and "::<T>" begin with a bracket
      ++angles;
    } else if (c == '>' && angles > 0 && name[i - 1] != '-') {
      --angles;
    } else if (c == '(' && angles == 0 && !out.empty() && !out.ends_with("::")) {  // not "(anonymous namespace)"
      break;
    } else if (angles == 0) {
      out += c;
    }
  }
  return out.empty() ? std::string(name) : out;
}

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
               fit([&](const std::string& n) { return without_parameters(n) == wanted; }) ||
               fit([&](const std::string& n) { return last_part(without_parameters(n)) == wanted; }) ||
               fit([&](const std::string& n) { return n.find(wanted) != std::string::npos; });
  if (!found || wanted.empty()) {
    std::vector<std::string> candidates;
    for (const std::string& name : names) { candidates.push_back(without_parameters(name)); }
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
