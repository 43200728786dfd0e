// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "export/report_json.h"

#include <algorithm>
#include <map>

#include "analyze/overview.h"
#include "export/insights_json.h"
#include "export/json_writer.h"

namespace wick {
namespace {

constexpr uint32_t kNone = CallNode::kNone;

// The common part; the object stays open.
void begin_report(JsonWriter& json, const Profile& profile, const Selection& selection, const Insights* insights) {
  bool has_event = selection.event.valid();
  Overview overview = compute_overview(profile, selection.event);
  json.begin_object();
  json.line().key("unit").value(has_event ? profile.text(profile[selection.event].unit) : std::string_view());
  json.line().key("event").value(has_event ? profile.text(profile[selection.event].name) : std::string_view());
  json.line().key("command").begin_array();
  for (const std::string& arg : profile.command()) { json.value(arg); }
  json.end_array();
  json.line().key("duration_ns").value(overview.duration_ns);
  json.line().key("samples").value(selection.count);
  json.line().key("lost").value(overview.lost);
  json.line().key("lost_known").value(overview.losses_known);
  json.line().key("losses").begin_object();
  std::map<std::string_view, uint64_t> by_kind;  // for all events
  for (const Loss& loss : profile.losses()) { by_kind[profile.text(loss.kind)] += loss.count; }
  for (const auto& [kind, count] : by_kind) { json.key(kind).value(count); }
  json.end_object();
  if (profile.stack_ways()) {
    json.line().key("stacks").begin_object();
    for (size_t i = 0; i < kStackWays; ++i) { json.key(kStackWayNames[i]).value((*profile.stack_ways())[i]); }
    json.end_object();
  }
  bool counts_time = profile.cpu_time() && !profile.events().empty() && profile.text(profile.events()[0].unit) == "ns";
  if (counts_time) {
    json.line().key("cpu_ns").begin_object();
    json.key("counted").value(profile.cpu_time()->counted);
    json.key("sampled").value(profile.cpu_time()->sampled);
    json.key("unsampled").value(profile.cpu_time()->unsampled);
    json.end_object();
  }
  json.line().key("warnings").begin_array();
  for (const std::string& warning : profile.warnings()) { json.value(warning); }
  json.end_array();
  json.line().key("total").value(selection.weight);
  if (insights != nullptr) {
    json.line();
    write_insights(json, profile, selection, *insights);
  }
}

void write_identity(JsonWriter& json, const Profile& profile, GroupBy by, const CostRow& row) {
  json.key("name").value(row_name(profile, by, row));
  switch (by) {
    case GroupBy::kFunction:
      json.key("module").value(row_module(profile, by, row)).key("inlined").value(row.inlining.all());
      break;
    case GroupBy::kFile: json.key("module").value(row_module(profile, by, row)); break;
    case GroupBy::kLine: {
      const Frame& frame = profile.frames()[row.id];
      json.key("module").value(row_module(profile, by, row)).key("file").value(profile.text(frame.file));
      json.key("line").value(frame.line);
      break;
    }
    case GroupBy::kModule: {
      Module m = row.id == UINT32_MAX ? Module{} : profile.modules()[row.id];
      json.key("path").value(profile.text(m.path)).key("build_id").value(profile.text(m.build_id)).key("kernel").value(m.kernel);
      break;
    }
    case GroupBy::kThread: {
      const Thread& t = profile.threads()[row.id];
      json.key("tid")
          .value(t.tid)
          .key("pid")
          .value(profile[t.process].pid)
          .key("process")
          .value(profile.text(profile[t.process].name));
      if (std::optional<ThreadParts> parts = compute_parts(profile, ThreadId{row.id})) {
        json.key("running_ns").value(parts->running_ns).key("ready_ns").value(parts->ready_ns);
        json.key("blocked_ns").value(parts->blocked_ns);
      }
      break;
    }
    case GroupBy::kProcess: {
      const Process& p = profile.processes()[row.id];
      json.key("pid").value(p.pid).key("parent_pid").value(p.parent_pid);
      break;
    }
  }
}

std::string write_tree(const Profile& profile, const Selection& selection, const CallTree& tree, const char* key,
                       std::string_view root_name, std::string_view root_module, size_t limit, const Insights* insights) {
  std::string out;
  JsonWriter json(out);
  begin_report(json, profile, selection, insights);
  json.line().key(key).begin_array();
  std::vector<size_t> written{1};  // siblings written at each depth
  for (uint32_t at = 0; at != kNone;) {
    const CallNode& n = tree.nodes[at];
    json.line().begin_object().key("depth").value(n.depth);
    json.key("name").value(at == 0 ? root_name : node_name(profile, tree, n));
    json.key("module").value(at == 0 ? root_module : node_module(profile, n)).key("inlined").value(n.inlining.all());
    if (n.folded.most > 0) { json.key("folded_frames").value(uint64_t{n.folded.most}); }
    json.key("self").value(n.self.weight).key("total").value(n.total.weight);
    json.key("self_samples").value(n.self.samples).key("total_samples").value(n.total.samples).end_object();
    if (n.first_child != kNone) {
      at = n.first_child;
      written.push_back(1);
      continue;
    }
    auto is_last = [&](uint32_t node) { return tree.nodes[node].next_sibling == kNone || written.back() == limit; };
    while (at != kNone && is_last(at)) {
      at = tree.nodes[at].parent;
      written.pop_back();
    }
    if (at != kNone) {
      at = tree.nodes[at].next_sibling;
      ++written.back();
    }
  }
  json.line().end_array().line().end_object();
  out += '\n';
  return out;
}

}  // namespace

const char* rows_key(GroupBy by) {
  switch (by) {
    case GroupBy::kFunction: return "functions";
    case GroupBy::kModule: return "modules";
    case GroupBy::kFile: return "files";
    case GroupBy::kLine: return "lines";
    case GroupBy::kThread: return "threads";
    case GroupBy::kProcess: return "processes";
  }
  return "rows";
}

std::string table_json(const Profile& profile, const Selection& selection, const CostTable& table, size_t limit,
                       const Insights* insights) {
  std::string out;
  JsonWriter json(out);
  begin_report(json, profile, selection, insights);
  json.line().key(rows_key(table.by)).begin_array();
  for (size_t i = 0; i < table.rows.size() && (limit == 0 || i < limit); ++i) {
    const CostRow& row = table.rows[i];
    json.line().begin_object();
    write_identity(json, profile, table.by, row);
    json.key("self").value(row.self.weight).key("total").value(row.total.weight);
    json.key("self_samples").value(row.self.samples).key("total_samples").value(row.total.samples).end_object();
  }
  json.line().end_array().line().end_object();
  out += '\n';
  return out;
}

std::string tree_json(const Profile& profile, const Selection& selection, const CallTree& tree, size_t limit,
                      const Insights* insights) {
  return write_tree(profile, selection, tree, "tree", {}, {}, limit, insights);
}

std::string waits_json(const Profile& profile, const Selection& selection, const std::vector<WaitRow>& rows, size_t limit) {
  std::string out;
  JsonWriter json(out);
  begin_report(json, profile, selection, nullptr);
  json.line().key("waits").begin_array();
  size_t left = limit == 0 ? rows.size() : limit;
  for (const WaitRow& row : rows) {
    if (left-- == 0) { break; }
    json.line().begin_object();
    json.key("kind").value(row.kind.valid() ? profile.text(row.kind) : std::string_view("unsampled"));
    json.key("object").value(profile.text(row.object));
    json.key("total").value(row.weight).key("count").value(static_cast<uint64_t>(row.count + 0.5));
    json.key("longest").value(row.longest_ns).key("threads").value(row.threads);
    FrameId frame = find_waiting_frame(profile, row.stack);
    json.key("function").value(frame.valid() ? profile.text(profile[profile[frame].function].name) : std::string_view());
    json.end_object();
  }
  json.line().end_array();
  json.line().end_object();
  out += "\n";
  return out;
}

std::string callers_json(const Profile& profile, const Selection& selection, const CallTree& tree, const FoundFunction& callee,
                         size_t limit, const Insights* insights) {
  auto module_of = [&](FunctionId id) {
    ModuleId module = profile[id].module;
    return module.valid() ? profile.text(profile[module].name) : std::string_view();
  };
  const std::vector<FunctionId>& all = callee.functions;
  std::string_view module = all.empty() ? std::string_view() : module_of(all[0]);
  bool one = std::all_of(all.begin(), all.end(), [&](FunctionId id) { return module_of(id) == module; });
  return write_tree(profile, selection, tree, "callers", callee.name, one ? module : std::string_view(), limit, insights);
}

}  // namespace wick
