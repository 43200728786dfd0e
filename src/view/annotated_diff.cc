// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "view/annotated_diff.h"

#include <algorithm>
#include <memory>
#include <set>

#include "analyze/find_function.h"
#include "analyze/format.h"
#include "annotate/function_code.h"
#include "export/diff_json.h"
#include "export/json_writer.h"
#include "view/annotated.h"

namespace wick {
namespace {

// One of the compared profiles, and the function in it.
struct Side {
  const char* name;
  const View& view;
  FunctionId function{};  // invalid: it has no samples of it
  std::unique_ptr<CodeReader> reader{};
  bool trusts_directories = false;
  std::string note{};

  LineDiffSide count() {
    const Profile& profile = *view.profile;
    LineDiffSide out{profile, {}, [](const std::string&) { return VersionedLines{}; }};
    if (!function.valid()) { return out; }
    std::vector<FunctionId> same = compute_same_functions(profile), functions;
    for (uint32_t i = 0; i < same.size(); ++i) {
      if (same[i] == same[function.value]) { functions.push_back({i}); }
    }
    function = find_main_build(profile, view.selection, functions);
    out.costs = compute_line_costs(profile, view.selection, {functions, profile[function].module, {}});
    if (const Cost& other = out.costs.other_builds; !other.empty()) {
      note = std::string("not shown: other builds in ") + name + " (" +
             format_percent(share(other.weight, view.selection.weight)) + " self)";
    }
    out.source = [this](const std::string& file) -> VersionedLines {
      CodeReader::SourceVersion found = reader->find_source(function, file);
      if (found.file == nullptr) { return {}; }
      return {&found.file->lines, found.is_unchanged || (trusts_directories && found.file->from_directory)};
    };
    return out;
  }
};

std::unique_ptr<CodeReader> make_reader(const Profile& profile, const AnnotatedDiffQuery& query, std::vector<std::string> dirs) {
  CodeOptions options{.symbols = query.symbols, .source = query.source};
  options.source.directories = std::move(dirs);
  return std::make_unique<CodeReader>(profile, std::move(options));
}

// The same with its noise.
DiffCost judge_alone(DiffTable table, const DiffCost& cost) {
  table.rows = {{.id = 0, .self = cost, .total = cost}};
  judge_rows(table);
  return table.rows[0].self;
}

std::string_view build_of(const Side& side) {
  ModuleId module = side.function.valid() ? (*side.view.profile)[side.function].module : ModuleId{};
  return module.valid() ? side.view.profile->text((*side.view.profile)[module].build_id) : std::string_view();
}

Builds compare_builds(const Side& before, const Side& after) {
  if (!before.function.valid() || !after.function.valid()) { return Builds::kSame; }  // there is nothing to match
  std::string_view a = build_of(before), b = build_of(after);
  return a.empty() || b.empty() ? Builds::kUnknown : a == b ? Builds::kSame : Builds::kDifferent;
}

DiffCost pair_of(const Cost& before, const Cost& after) { return {.before = before, .after = after}; }

// The difference that a line of the source makes would be hidden if a profile had no lines of the function.
std::string note_missing(const char* side, const LineCosts& costs) {
  if (costs.total.empty()) { return std::string(side) + " has no samples of this function"; }
  bool has_lines = std::any_of(costs.nodes.begin(), costs.nodes.end(), [](const LineNode& n) { return n.line != 0; });
  return has_lines ? "" : std::string("no source lines in ") + side + ": no debug info (-g) was found for this function";
}

const char* kind_name(LineDiffRow::Kind kind) {
  switch (kind) {
    case LineDiffRow::Kind::kFile: return "file";
    case LineDiffRow::Kind::kLine: return "line";
    case LineDiffRow::Kind::kInlined: return "inlined";
    case LineDiffRow::Kind::kGap: return "gap";
  }
  return "";
}

}  // namespace

ComparedLines compare_function_lines(const LineDiffSide& before, const LineDiffSide& after, const LineDiffOptions& options,
                                     const char* const (&names)[2]) {
  ComparedLines out;
  for (const auto& [name, side] : {std::pair(names[0], &before), std::pair(names[1], &after)}) {
    if (std::string note = note_missing(name, side->costs); !note.empty()) { out.notes.push_back(note); }
  }
  out.lines = compute_line_diff(before, after, options);
  out.notes.insert(out.notes.end(), out.lines.notes.begin(), out.lines.notes.end());
  const LineCosts &a = before.costs, &b = after.costs;
  out.whole = out.lines.table;
  out.whole.rows = {{.id = 0, .self = pair_of(a.code, b.code), .total = pair_of(a.total, b.total)}};
  judge_rows(out.whole);
  out.self = judge_alone(out.whole, pair_of(a.self, b.self));
  return out;
}

Result<AnnotatedDiff> compare_lines(const Diff& diff, const AnnotatedDiffQuery& query) {
  const Profile &old_profile = *diff.before.profile, &new_profile = *diff.after.profile;
  auto divisor = [](const View& view) {
    return view.selection.event.valid() ? (*view.profile)[view.selection.event].divisor : 1;
  };
  if (!diff.has_one_unit() || divisor(diff.before) != divisor(diff.after)) {
    return Error("--annotate cannot compare profiles with different units").with_code(Errc::kUsage);
  }
  AnnotatedDiff out;
  std::vector<CombinedFunction> functions;
  CombineOptions options{.strip_hex = diff.strip_hex, .functions = &functions, .notes = &out.combine_notes};
  WICK_LET(out.combined, combine_profiles(old_profile, diff.before.selection, new_profile, diff.after.selection, options));
  WICK_LET(Sides sides, select_sides(out.combined));
  WICK_LET(FoundFunction found, find_function(out.combined, sides.both, query.function, "wick diff --annotate"));
  FunctionId shown = find_main_build(out.combined, sides.both, found.functions);
  const Function& function = out.combined[shown];
  out.function = out.combined.text(function.name);
  if (function.module.valid()) { out.module = out.combined.text(out.combined[function.module].name); }

  const CombinedFunction& both = functions[shown.value];
  bool has_before_dirs = !query.before_dirs.empty();
  Side before{"BEFORE", diff.before, both.before,
              make_reader(old_profile, query, has_before_dirs ? query.before_dirs : query.source.directories), has_before_dirs};
  Side after{"AFTER", diff.after, both.after, make_reader(new_profile, query, query.source.directories), true};
  LineDiffSide old_side = before.count(), new_side = after.count();
  LineDiffOptions line_options{.builds = compare_builds(before, after),
                               .has_counts = old_profile.has_counts() && new_profile.has_counts(),
                               .context = query.context,
                               .normalized = diff.comparison.normalized,
                               .before = {diff.before.selection.weight, diff.before.selection.count},
                               .after = {diff.after.selection.weight, diff.after.selection.count}};
  static_cast<ComparedLines&>(out) = compare_function_lines(old_side, new_side, line_options, {before.name, after.name});
  for (const Side* side : {&after, &before}) {
    if (!side->note.empty()) { out.notes.insert(out.notes.begin(), side->note); }
  }
  return out;
}

std::string annotated_diff_json(const Diff& diff, const AnnotatedDiff& shown) {
  std::string out;
  JsonWriter json(out);
  uint64_t divisor = shown.combined.events()[1].divisor;
  json.begin_object();
  write_diff_sides(json, diff.before_side(), diff.after_side(), shown.combined, shown.whole, diff.comparison.why);
  json.line().key("function").value(shown.function).key("module").value(shown.module);
  json.line();
  write_diff_costs(json, "function_self", shown.whole, shown.self, divisor);
  json.line();
  write_diff_costs(json, "function_code", shown.whole, shown.whole.rows[0].self, divisor);
  json.line();
  write_diff_costs(json, "function_total", shown.whole, shown.whole.rows[0].total, divisor);
  json.line().key("notes").begin_array();
  for (const std::vector<std::string>* notes : {&shown.combine_notes, &shown.notes}) {
    for (const std::string& note : *notes) { json.value(note); }
  }
  json.end_array();
  json.line().key("rows").begin_array();
  for (const LineDiffRow& row : shown.lines.rows) {
    json.line().begin_object().key("kind").value(kind_name(row.kind)).key("depth").value(row.depth);
    if (row.kind != LineDiffRow::Kind::kGap) { json.key("file").value(row.file); }
    if (row.kind == LineDiffRow::Kind::kLine) { json.key("before_line").value(row.before).key("after_line").value(row.after); }
    if (row.kind == LineDiffRow::Kind::kInlined) { json.key("name").value(row.text); }
    if (row.has_text) { json.key("text").value(row.text); }
    if (row.cost != LineDiffRow::kNone) {
      const DiffRow& costs = shown.lines.table.rows[row.cost];
      json.key("comparable").value(costs.comparable);
      write_diff_costs(json, "self", shown.lines.table, costs.self, divisor);
      if (row.depth == 0 && row.after + row.before > 0) {
        write_diff_costs(json, "total", shown.lines.table, costs.total, divisor);
      }
    }
    json.end_object();
  }
  json.end_array();
  json.line().end_object();
  return out += '\n';
}

}  // namespace wick
