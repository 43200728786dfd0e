// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "export/viewer_profile.h"

#include <algorithm>
#include <utility>

#include "analyze/color.h"
#include "analyze/format.h"
#include "analyze/overview.h"
#include "base/text.h"
#include "export/insights_json.h"
#include "export/json_writer.h"
#include "model/event_name.h"

namespace wick {
namespace {

constexpr std::string_view kMagic = "WICKVIEW";
constexpr uint32_t kVersion = 1;

class HeaderWriter {
 public:
  HeaderWriter(const ExportView& view, const ViewerNotes& notes, const ViewerTables& tables)
      : view_(view), p_(view.profile), notes_(notes), t_(tables) {}

  std::string header() {
    JsonWriter json(text_);
    json.begin_object();
    write_meta(json);
    json.key("columns").begin_array();
    uint64_t offset = 0;
    for (const ViewerColumn& c : t_.columns) {
      json.begin_object().key("name").value(c.name);
      if (!c.constant) {
        static constexpr std::string_view kTypes[] = {"u8", "u32", "f64"};
        json.key("type").value(kTypes[c.values.index()]).key("offset").value(offset);
        offset += (c.bytes().size() + 7) / 8 * 8;
      } else {
        json.key("constant").value(*c.constant);
      }
      json.key("count").value(c.count).end_object();
    }
    json.end_array().end_object();
    std::string header(kMagic);
    text_.resize((text_.size() + 7) / 8 * 8, ' ');
    for (uint32_t number : {kVersion, static_cast<uint32_t>(text_.size())}) {
      header.append(reinterpret_cast<const char*>(&number), sizeof number);
    }
    return header + text_;
  }

 private:
  uint32_t default_event() const {
    if (t_.is_difference) { return 1; }
    for (uint32_t i = 0; i < t_.selections.size(); ++i) {
      if (t_.selections[i]->event == view_.first().event) { return i; }
    }
    return 0;
  }

  // Any number of threads and modules can refer to one long name.
  std::string_view brief(std::string_view text) const {
    constexpr size_t kLong = 1024, kShort = 32, kMuch = size_t{64} << 20;
    return text.substr(0, text_.size() < kMuch ? kLong : kShort);
  }
  std::string_view brief(StringId id) const { return brief(p_.text(id)); }

  void write_texts(JsonWriter& json, std::string_view key, const std::vector<std::string>& texts) {
    json.key(key).begin_array();
    for (const std::string& text : texts) { json.value(text); }
    json.end_array();
  }

  void write_events(JsonWriter& json) {
    json.key("events").begin_array();
    for (const Selection* s : t_.selections) {
      const Event& e = p_[s->event];
      json.begin_object().key("name").value(brief(e.name)).key("unit").value(brief(e.unit)).key("divisor").value(e.divisor);
      json.key("rateHz").value(e.rate_hz).key("samples").value(s->count).key("weight").value(s->weight);
      json.key("skid").value(describe_skid(p_.text(e.name))).end_object();
    }
    json.end_array().key("defaultEvent").value(default_event());
  }

  // A name, and the one that it has in both files if that is another.
  void write_names(JsonWriter& json, StringId common, const std::vector<std::string>& own, uint32_t row) {
    std::string_view shared = brief(common), name = row < own.size() ? brief(own[row]) : shared;
    json.key("name").value(name);
    if (name != shared) { json.key("commonName").value(shared); }
  }

  void write_threads(JsonWriter& json) {
    std::vector<bool> used(p_.processes().size());
    for (uint32_t row : t_.threads.rows) { used[p_.threads()[row].process.value] = true; }
    Numbering processes = number_rows(used);
    json.key("processes").begin_array();
    for (uint32_t row : processes.rows) {
      const Process& process = p_.processes()[row];
      json.begin_object().key("pid").value(process.pid).key("parentPid").value(process.parent_pid);
      write_names(json, process.name, notes_.own_names.processes, row);
      json.end_object();
    }
    json.end_array().key("threads").begin_array();
    auto units = [&](uint64_t time_ns) { return (time_ns > t_.start_ns ? time_ns - t_.start_ns : 0) / t_.time_unit_ns; };
    for (uint32_t i = 0; i < t_.threads.size(); ++i) {
      const Thread& t = p_.threads()[t_.threads.rows[i]];
      const ViewerThreadTimes& times = t_.thread_times[i];
      bool has_times = times.begin != UINT64_MAX;
      uint64_t begin = has_times && t.start_ns > t_.start_ns ? std::min(units(t.start_ns), times.begin) : 0;
      uint64_t end = has_times ? std::max(units(t.end_ns), times.end) : 0;
      json.begin_object().key("process").value(processes[t.process.value]).key("tid").value(t.tid);
      write_names(json, t.name, notes_.own_names.threads, t_.threads.rows[i]);
      json.key("start").value(begin).key("end").value(end);
      json.key("side").value(times.side).end_object();
    }
    json.end_array();
  }

  void write_modules(JsonWriter& json) {
    json.key("modules").begin_array();
    for (uint32_t row : t_.modules.rows) {
      const Module& m = p_.modules()[row];
      json.begin_object().key("name").value(brief(m.name)).key("path").value(brief(m.path));
      json.key("buildId").value(brief(m.build_id)).key("kernel").value(m.kernel).end_object();
    }
    json.end_array();
  }

  static void write_colors(JsonWriter& json) {
    json.key("kinds").begin_array();
    for (CodeKind kind : kCodeKinds) { json.value(code_kind_name(kind)); }
    json.end_array().key("palette").begin_object();
    for (Theme theme : {Theme::kLight, Theme::kDark}) {
      json.key(theme == Theme::kLight ? "light" : "dark").begin_array();
      for (CodeKind kind : kCodeKinds) {
        json.begin_array();
        for (unsigned shade = 0; shade < kShades; ++shade) {
          Rgb c = color(kind, shade, theme);
          json.value(strf("#%02x%02x%02x", c.r, c.g, c.b));
        }
        json.end_array();
      }
      json.end_array();
    }
    json.end_object();
  }

  // Sentences about the recording and about what is missing, of each side of a difference.
  void write_sentences(JsonWriter& json, Overview& overview) {
    std::vector<std::string> summary, quality;
    bool is_first = true;
    for (const Selection* s : t_.selections) {
      bool is_shown = t_.is_difference || s->event == view_.first().event;
      if (!is_shown) { continue; }
      Overview o = is_first && !t_.is_difference ? overview : compute_overview(p_, s->event);
      if (t_.is_difference) {
        bool has_times = p_.has_times() && !s->samples.empty();
        o.duration_ns = has_times ? p_.samples()[s->samples.back()].time_ns : 0;  // of this side
        o.other_events.clear();
      }
      std::string side = t_.is_difference ? std::string(p_.text(p_[s->event].name)) + ": " : "";
      summary.push_back(side + describe_recording(p_, t_.is_difference ? EventId{} : s->event, o));
      for (const std::string& line : loss_lines(o)) { quality.push_back(side + line); }
      is_first = false;
    }
    std::string others = describe_other_events(p_, shown_events());
    if (!others.empty()) { summary.push_back("also recorded: " + others); }
    if (!view_.filter.everything()) {
      summary.push_back("showing " + count_of(view_.count(), "sample") + ", " + describe_filter(view_.filter));
    }
    summary.insert(summary.end(), notes_.notes.begin(), notes_.notes.end());
    bool by_clock = p_.cpu_time() && !p_.events().empty() && p_.text(p_.events()[0].unit) == "ns";
    std::string unsampled = by_clock ? describe_unsampled(*p_.cpu_time()) : std::string();
    if (!unsampled.empty()) { quality.push_back(unsampled); }
    constexpr const char* kUnknownLosses = "the number of lost samples is unknown";
    bool is_said = std::any_of(p_.warnings().begin(), p_.warnings().end(),
                               [](const std::string& warning) { return warning.find(kUnknownLosses) != std::string::npos; });
    if (!p_.losses_known() && !is_said) { quality.emplace_back(kUnknownLosses); }
    write_texts(json, "summary", summary);
    write_texts(json, "quality", quality);
    write_texts(json, "warnings", p_.warnings());
  }
  std::vector<EventId> shown_events() const {
    std::vector<EventId> shown;
    for (const Selection* s : t_.selections) { shown.push_back(s->event); }
    return shown;
  }

  void write_meta(JsonWriter& json) {
    Overview overview = compute_overview(p_, view_.first().event);
    std::string title = overview.title;
    if (notes_.sides.size() == 2) { title = notes_.sides[0] + " -> " + notes_.sides[1]; }
    json.key("meta").begin_object();
    json.key("title").value(title);
    write_texts(json, "command", p_.command());
    json.key("target").value(p_.target()).key("startWallNs").value(std::to_string(p_.start_wall_ns()));
    json.key("durationNs")
        .value(std::max(overview.duration_ns, p_.has_times() ? t_.last_ns : 0))
        .key("timeUnitNs")
        .value(t_.time_unit_ns);
    json.key("hasTimes").value(p_.has_times()).key("hasCounts").value(p_.has_counts());
    json.key("importedFrom").value(p_.imported_from()).key("isDifference").value(t_.is_difference);
    bool names_sides = !t_.is_difference || !notes_.sides.empty();
    write_texts(json, "sides", names_sides ? notes_.sides : std::vector<std::string>{"before", "after"});
    write_texts(json, "files", notes_.files);
    write_events(json);
    write_threads(json);
    write_modules(json);
    write_texts(json, "groups", t_.group_names);
    write_colors(json);
    write_sentences(json, overview);
    if (!t_.is_difference) { write_insights(json, p_, view_.first(), compute_insights(p_, view_.first())); }
    json.key("stackWays");
    if (p_.stack_ways()) {
      json.begin_object();
      for (size_t i = 0; i < kStackWays; ++i) { json.key(kStackWayNames[i]).value((*p_.stack_ways())[i]); }
      json.end_object();
    } else {
      json.null();
    }
    json.key("cpuTime");
    if (p_.cpu_time()) {
      json.begin_object().key("counted").value(p_.cpu_time()->counted).key("sampled").value(p_.cpu_time()->sampled);
      json.key("unsampled").value(p_.cpu_time()->unsampled).end_object();
    } else {
      json.null();
    }
    json.key("hasSource").value(notes_.has_source).end_object();
  }

  const ExportView& view_;
  const Profile& p_;
  const ViewerNotes& notes_;
  const ViewerTables& t_;
  std::string text_;  // the JSON
};

}  // namespace

ViewerProfile::ViewerProfile(const ExportView& view, const ViewerNotes& notes) {
  ViewerTables tables = make_viewer_tables(view);
  header_ = HeaderWriter(view, notes, tables).header();
  columns_ = std::move(tables.columns);
  functions_ = std::move(tables.functions);
}

std::vector<std::string_view> ViewerProfile::pieces() const {
  static constexpr char kZeros[8] = {};
  std::vector<std::string_view> pieces = {header_};
  for (const ViewerColumn& c : columns_) {
    std::string_view bytes = c.bytes();
    if (bytes.empty()) { continue; }
    pieces.push_back(bytes);
    if (size_t rest = bytes.size() % 8; rest != 0) { pieces.emplace_back(kZeros, 8 - rest); }
  }
  return pieces;
}

uint64_t ViewerProfile::size_bytes() const {
  uint64_t size = 0;
  for (std::string_view piece : pieces()) { size += piece.size(); }
  return size;
}

void ViewerProfile::write(const Sink& sink) const {
  for (std::string_view piece : pieces()) {
    if (!sink(piece)) { return; }
  }
}

}  // namespace wick
