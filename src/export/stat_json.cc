// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "export/stat_json.h"

#include "base/text.h"
#include "export/json_writer.h"

namespace wick {
namespace {

using stat::Figure;

void write_figure(JsonWriter& json, const Figure& figure) {
  json.key("name").value(figure.name);
  if (!figure.core.empty()) { json.key("core").value(figure.core); }
  json.key("unit").value(stat::unit_name(figure.unit)).key("scope").value(stat::scope_name(figure.scope));
  json.key("value").value(figure.value).key("counted").value(figure.counted).key("bound").value(stat::bound_name(figure.bound));
  if (!figure.note.empty()) { json.key("note").value(figure.note); }
}

void write_figures(JsonWriter& json, const stat::Figures& figures) {
  json.key("figures").begin_array();
  for (const Figure& figure : figures) {
    json.line().begin_object();
    write_figure(json, figure);
    json.end_object();
  }
  json.end_array();
}

void write_summary(JsonWriter& json, const stat::Summary& runs) {
  json.key("runs").value(runs.runs).key("mean").value(runs.mean).key("deviation").value(runs.deviation);
  json.key("median").value(runs.median).key("min").value(runs.least).key("max").value(runs.most);
  json.key("low").value(runs.low).key("high").value(runs.high).key("outliers").value(runs.outliers);
}

void write_notes(JsonWriter& json, const std::vector<std::string>& notes) {
  json.line().key("notes").begin_array();
  for (const std::string& note : notes) { json.value(note); }
  json.end_array();
}

std::string csv_field(const std::string& text) {
  if (text.find_first_of(",\"\n") == text.npos) { return text; }
  std::string out = "\"";
  for (char c : text) { out += c == '"' ? "\"\"" : std::string(1, c); }
  return out + "\"";
}

std::string csv_row(const std::string& begin, const Figure& f, double deviation, size_t runs) {
  return begin + strf(",%s,%s,%s,%s,%.17g,%.17g,%zu,%.4f,%s,", csv_field(f.name).c_str(), csv_field(f.core).c_str(),
                      stat::unit_name(f.unit), stat::scope_name(f.scope), f.value, deviation, runs, f.counted,
                      stat::bound_name(f.bound)) +
         csv_field(f.note) + "\n";
}

}  // namespace

std::string stat_json(const stat::Report& report) {
  std::string out;
  JsonWriter json(out);
  json.begin_object();
  json.line().key("target").value(report.title).line().key("command").begin_array();
  for (const std::string& word : report.command) { json.value(word); }
  json.end_array().line().key("runs").value(report.runs).key("exit_code").value(report.exit_code);
  json.line().key("user_space_only").value(report.user_only).key("simulated").value(report.simulated);
  json.line().key("missing").value(report.missing).key("missing_next").value(report.missing_next);
  json.line().key("figures").begin_array();
  for (const stat::Row& row : report.rows) {
    json.line().begin_object();
    write_figure(json, row.figure);
    if (row.runs.runs > 1) { write_summary(json, row.runs); }
    if (!row.meaning.empty()) { json.key("meaning").value(row.meaning).key("next").value(row.next); }
    json.end_object();
  }
  json.line().end_array().line().key("parts").begin_array();
  for (const stat::Part& part : report.parts) {
    json.line().begin_object().key("name").value(part.name);
    write_figures(json, part.figures);
    json.end_object();
  }
  json.end_array().line().key("intervals").begin_array();
  for (const stat::Interval& interval : report.intervals) {
    json.line().begin_object().key("begin_ns").value(interval.begin_ns).key("end_ns").value(interval.end_ns);
    write_figures(json, interval.figures);
    json.end_object();
  }
  json.end_array();
  write_notes(json, report.notes);
  json.line().end_object();
  return out + "\n";
}

std::string stat_csv(const stat::Report& report) {
  std::string out = "time_s,part,name,core,unit,scope,value,deviation,runs,counted,bound,note\n";
  for (const stat::Interval& interval : report.intervals) {
    std::string time = strf("%.9f,", static_cast<double>(interval.end_ns) / 1e9);
    for (const Figure& figure : interval.figures) { out += csv_row(time, figure, 0, 1); }
  }
  for (const stat::Part& part : report.parts) {
    for (const Figure& figure : part.figures) { out += csv_row("," + csv_field(part.name), figure, 0, 1); }
  }
  for (const stat::Row& row : report.rows) { out += csv_row(",", row.figure, row.runs.deviation, row.runs.runs); }
  return out;
}

std::string comparison_json(const stat::CompareReport& report) {
  std::string out;
  JsonWriter json(out);
  json.begin_object();
  json.line().key("commands").begin_array().value(report.commands[0]).value(report.commands[1]).end_array();
  json.line().key("pairs").value(report.pairs);
  const char* verdict = stat::verdict_word(report.rows.empty() ? stat::Verdict::kUndecided : report.rows[0].comparison.verdict);
  json.line().key("verdict").value(verdict).line().key("figures").begin_array();
  for (const stat::ComparedRow& row : report.rows) {
    json.line().begin_object().key("name").value(row.name);
    if (!row.core.empty()) { json.key("core").value(row.core); }
    json.key("unit").value(stat::unit_name(row.unit));
    json.key("a").begin_object();
    write_summary(json, row.first);
    json.end_object().key("b").begin_object();
    write_summary(json, row.second);
    const stat::Comparison& c = row.comparison;
    json.end_object().key("ratio").value(c.ratio).key("low").value(c.low).key("high").value(c.high);
    json.key("confidence").value(c.confidence).end_object();
  }
  json.line().end_array();
  write_notes(json, report.notes);
  json.line().end_object();
  return out + "\n";
}

std::string comparison_csv(const stat::CompareReport& report) {
  std::string out = "name,core,unit,a,b,a_deviation,b_deviation,pairs,ratio,low,high,confidence\n";
  for (const stat::ComparedRow& row : report.rows) {
    const stat::Comparison& c = row.comparison;
    out += strf("%s,%s,%s,%.17g,%.17g,%.17g,%.17g,%zu,%.6f,%.6f,%.6f,%.4f\n", csv_field(row.name).c_str(),
                csv_field(row.core).c_str(), stat::unit_name(row.unit), row.first.mean, row.second.mean, row.first.deviation,
                row.second.deviation, c.pairs, c.ratio, c.low, c.high, c.confidence);
  }
  return out;
}

}  // namespace wick
