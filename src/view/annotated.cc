// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "view/annotated.h"

#include <algorithm>

#include "analyze/format.h"
#include "analyze/function_table.h"
#include "analyze/line_costs.h"
#include "analyze/outermost_walk.h"
#include "annotate/row_costs.h"
#include "base/text.h"
#include "base/utf8.h"
#include "export/json_writer.h"
#include "model/event_name.h"
#include "view/code.h"

namespace wick {
namespace {

// Functions of stripped programs have no symbol, but unwind tables show where they begin: "[app+0x4710]".
bool has_code(const Profile& profile, const Function& function) {
  return function.known || (function.module.valid() && profile.text(function.name).find("+0x") != std::string_view::npos);
}

std::string percent_of(const Cost& cost, const Selection& selection) {
  return format_percent(share(cost.weight, selection.weight));
}

// `hotter`: a row without code, if it is the hottest.
Result<FoundFunction> hottest(const Profile& profile, const Selection& selection, std::string& hotter) {
  CostTable table = compute_table(profile, selection);
  std::vector<FunctionId> same = compute_same_functions(profile);
  for (const CostRow& row : table.rows) {
    const Function& function = profile.functions()[row.id];
    if (!has_code(profile, function)) {
      if (hotter.empty() && function.module.valid()) {
        std::string name = printable(profile.text(function.name));
        hotter =
            name + " (" + percent_of(row.self, selection) + ") is hotter but has no symbols: wick annotate " + shell_quote(name);
      }
      continue;
    }
    FoundFunction found{std::string(profile.text(profile.functions()[row.id].name)), {}, row.self};
    for (uint32_t i = 0; i < same.size(); ++i) {
      if (same[i].value == row.id) { found.functions.push_back({i}); }
    }
    return found;
  }
  return Error("no function is known");
}

// Other modules may have functions with the same name.
std::string note_namesakes(const Profile& profile, const Selection& selection, const std::vector<FunctionId>& namesakes) {
  std::string list;
  for (const CostRow& row : compute_table(profile, selection).rows) {
    if (std::find(namesakes.begin(), namesakes.end(), FunctionId{row.id}) == namesakes.end()) { continue; }
    ModuleId module = profile.functions()[row.id].module;
    std::string name = module.valid() ? std::string(profile.text(profile[module].name)) : "an unknown module";
    list += (list.empty() ? "" : ", ") + name + " (" + percent_of(row.total, selection) + " total)";
  }
  return list.empty() ? "" : "not shown: functions with the same name in " + list;
}

}  // namespace

FunctionId find_main_build(const Profile& profile, const Selection& selection, const std::vector<FunctionId>& functions) {
  std::vector<FunctionId> builds;  // a function of each
  std::vector<uint32_t> build_of(profile.functions().size(), OutermostWalk::kNoKey);
  for (FunctionId f : functions) {
    auto known = std::find_if(builds.begin(), builds.end(),
                              [&](FunctionId b) { return is_same_build(profile, profile[b].module, profile[f].module); });
    build_of[f.value] = static_cast<uint32_t>(known - builds.begin());
    if (known == builds.end()) { builds.push_back(f); }
  }
  std::vector<uint32_t> keys;
  for (const Frame& frame : profile.frames()) { keys.push_back(build_of[frame.function.value]); }
  std::vector<Cost> costs = compute_stack_self(profile, selection);
  add_up_callers(profile, costs);
  std::vector<int64_t> totals(builds.size());
  OutermostWalk(profile, costs).run(keys, totals.size(), [&](uint32_t k, uint32_t row) { totals[k] += costs[row].weight; });
  return builds[static_cast<size_t>(std::max_element(totals.begin(), totals.end()) - totals.begin())];
}

CodeCosts compute_shown_costs(const Profile& profile, const Selection& selection, const std::vector<FunctionId>& functions,
                              FunctionId shown, FunctionCode& code) {
  CodeQuery counted{functions, profile[shown].module};
  for (const CodeInstruction& i : code.instructions) {
    counted.instructions.push_back({i.machine.address, i.machine.address + i.machine.size});
  }
  CodeCosts costs = compute_code_costs(profile, selection, counted);
  if (!costs.other_builds.empty()) {
    code.notes.push_back("not shown: other builds of " + code.module + " (" + percent_of(costs.other_builds, selection) +
                         " self)");
  }
  if (!costs.outside.empty() && !code.instructions.empty()) {
    code.notes.push_back("not shown: instructions with " + percent_of(costs.outside, selection) + " self");
  }
  return costs;
}

Result<Annotated> load_annotated(ViewRequest request, AnnotateQuery query) {
  WICK_LET(View view, load_view(request));
  const Profile& profile = *view.profile;
  const Selection& selection = view.selection;
  if (selection.samples.empty()) { return for_file(Error("no samples selected"), request); }
  std::string hotter;
  Result<FoundFunction> found = query.function.empty() ? hottest(profile, selection, hotter)
                                                       : find_function(profile, selection, query.function, "wick annotate");
  if (!found.ok()) { return for_file(std::move(found).error(), request); }
  query.code.has_linked_addresses = has_linked_addresses(profile);
  FunctionId shown = find_main_build(profile, selection, found->functions);
  CodeReader reader(profile, std::move(query.code));
  FunctionCode code = reader.read(shown);

  std::vector<FunctionId> same = compute_same_functions(profile), namesakes;
  std::erase_if(found->functions, [&](FunctionId f) {
    bool is_namesake = same[f.value] != same[shown.value];
    if (is_namesake) { namesakes.push_back(f); }
    return is_namesake;
  });
  CodeCosts costs = compute_shown_costs(profile, selection, found->functions, shown, code);
  if (!hotter.empty()) { code.notes.push_back(hotter); }
  if (std::string note = note_namesakes(profile, selection, namesakes); !note.empty()) { code.notes.push_back(note); }
  LineCosts lines = compute_line_costs(profile, selection, {found->functions, profile[shown].module, {}});
  std::vector<ShownPart> parts = read_parts(profile, shown, lines, reader);
  std::string skid = describe_skid(profile.text(profile[selection.event].name));
  return Annotated{std::move(view),  *std::move(found), std::move(code), std::move(costs), std::move(skid),
                   std::move(parts)};
}

namespace {

void write_parts(JsonWriter& json, const std::vector<ShownPart>& parts) {
  json.line().key("functions").begin_array();
  for (const ShownPart& part : parts) {
    json.line().begin_object().key("name").value(part.name).key("file").value(part.file).key("inlined").value(part.inlined);
    json.key("self").value(part.self.weight).key("lines").begin_array();
    for (const ShownPart::Line& line : part.lines) {
      json.begin_object().key("file").value(line.file).key("line").value(line.line);
      if (line.text) { json.key("text").value(*line.text); }
      json.key("self").value(line.self.weight).end_object();
    }
    json.end_array().end_object();
  }
  json.end_array();
}

}  // namespace

std::string annotated_json(const Annotated& shown) {
  const Profile& profile = *shown.view.profile;
  const Selection& selection = shown.view.selection;
  std::vector<CodeRow> rows = compute_code_rows(shown.code);
  std::vector<RowCost> costs = compute_row_costs(profile, shown.code, rows, shown.costs);
  std::string out;
  JsonWriter json(out);
  json.begin_object();
  json.line().key("function").value(shown.code.name).key("module").value(shown.code.module);
  json.line().key("event").value(profile.text(profile[selection.event].name));
  json.key("unit").value(profile.text(profile[selection.event].unit));
  json.line().key("samples").value(selection.count).key("total").value(selection.weight);
  json.line().key("function_self").value(shown.costs.self.weight).key("function_code").value(shown.costs.code.weight);
  json.key("function_total").value(shown.costs.total.weight);
  json.line().key("skid").value(shown.skid);
  json.line().key("notes").begin_array();
  for (const std::string& note : shown.code.notes) { json.value(note); }
  json.end_array();
  json.line().key("rows").begin_array();
  for (size_t r = 0; r < rows.size(); ++r) {
    const CodeRow& row = rows[r];
    json.line().begin_object().key("kind").value(code_row_name(row.kind)).key("depth").value(row.depth);
    if (row.file != nullptr) { json.key("file").value(*row.file); }
    if (row.kind == CodeRow::Kind::kLine) { json.key("line").value(row.line); }
    if (row.text != nullptr) { json.key(row.kind == CodeRow::Kind::kInlined ? "name" : "text").value(*row.text); }
    if (row.kind == CodeRow::Kind::kInstruction) {
      const CodeInstruction& i = shown.code.instructions[row.instruction];
      json.key("address").value(i.machine.address).key("bytes").value(i.bytes).key("text").value(i.machine.text);
      if (i.machine.target) { json.key("target").value(*i.machine.target); }
      if (!i.called.empty()) { json.key("called").value(i.called); }
      if (!i.container.empty()) { json.key("container").value(i.container); }
    }
    bool has_cost = row.kind != CodeRow::Kind::kFile && row.kind != CodeRow::Kind::kGap;
    if (has_cost) { json.key("self").value(costs[r].self.weight); }
    if (costs[r].total) { json.key("total").value(costs[r].total->weight); }
    json.end_object();
  }
  json.end_array();
  write_parts(json, shown.parts);
  json.line().end_object();
  return out += '\n';
}

}  // namespace wick
