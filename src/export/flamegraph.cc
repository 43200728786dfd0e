// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0

// Names are hostile until they have gone through append_xml (text and attributes) or append_json_string (data, inside CDATA).
//
// How small is too small: boxes under 0.1 px of a 1200 px picture are in neither form, boxes under 0.5 px only in the data, where
// zooming can make them large. Very deep stacks: the still picture shows the outer kStillLevels levels, the script all of them.

#include "export/flamegraph.h"

#include <algorithm>
#include <array>
#include <map>
#include <string_view>
#include <vector>

#include "analyze/call_tree.h"
#include "analyze/colour.h"
#include "analyze/format.h"
#include "analyze/overview.h"
#include "base/text.h"
#include "base/utf8.h"
#include "export/flame_layout.h"
#include "export/json_writer.h"
#include "model/function_name.h"

namespace wick {
namespace {

const char kScript[] =
#include "export/flamegraph.js.inc"
    ;
const char kStyle[] =
#include "export/flamegraph.css.inc"
    ;

constexpr int kPicture = 1200;                             // pixels across, unless told
constexpr double kLeastInData = 0.1, kLeastInStill = 0.5;  // pixels
constexpr uint32_t kStillLevels = 250;
constexpr int kRow = 18, kPad = 16, kTop = 62, kLine = 18, kBottom = 34;
constexpr double kCharacter = 7.23;  // of a 12 px monospace font; all in the list are within 2 %

void append_xml(std::string& out, std::string_view text) {
  std::string shown = printable(text);  // no control characters, no invalid UTF-8, no characters that XML forbids
  for (char c : shown) {
    switch (c) {
      case '&': out += "&amp;"; break;
      case '<': out += "&lt;"; break;
      case '>': out += "&gt;"; break;
      case '"': out += "&quot;"; break;
      default: out += c;
    }
  }
}

// A JSON string for the inside of a CDATA section, which only "]]>" would end.
void append_data_string(std::string& out, std::string_view text) {
  size_t begin = out.size();
  append_json_string(out, printable(text));
  for (size_t at = begin; (at = out.find("]]>", at)) != std::string::npos;) { out.replace(at + 2, 1, "\\u003e"); }
}

char kind_letter(CodeKind kind) { return static_cast<char>('a' + static_cast<int>(kind)); }
std::string class_name(unsigned number) { return strf("%c%u", kind_letter(kCodeKinds[number / kShades]), number % kShades); }

void append_colours(std::string& out, Theme theme) {
  for (unsigned n = 0; n < kCodeKinds.size() * kShades; ++n) {
    Rgb c = colour(kCodeKinds[n / kShades], n % kShades, theme);
    out += strf(".wick .%s{fill:#%02x%02x%02x}", class_name(n).c_str(), c.r, c.g, c.b);
  }
  out += '\n';
}

// What fits into `width` pixels: the whole name, else without parameters, else without as many outer scopes as need be, else its
// beginning. The script does the same.
std::string fit_label(std::string_view name, double width) {
  int room = static_cast<int>((width - 8) / kCharacter);
  if (room < 2) { return {}; }
  if (display_width(name) <= room) { return std::string(name); }
  std::string plain = short_name(name);
  std::string_view rest = plain;
  for (std::string_view inner; display_width(rest) > room && !(inner = without_outer_scope(rest)).empty();) { rest = inner; }
  if (display_width(rest) <= room) { return std::string(rest); }
  std::string head;
  for (int left = room - 1; !rest.empty();) {
    CodePoint c = decode_utf8(rest);
    left -= display_width(c.value);
    if (left < 0) { break; }
    head.append(rest.substr(0, c.size));
    rest.remove_prefix(c.size);
  }
  return head + "…";
}

// "12.3" and not "12.30": the file is mostly numbers.
std::string short_number(double value) {
  std::string text = strf("%.1f", value);
  if (text.ends_with(".0")) { text.resize(text.size() - 2); }
  return text;
}

class Writer {
 public:
  Writer(const Profile& profile, const Selection& selection, const Filter& filter, const FlamegraphOptions& options)
      : profile_(profile),
        selection_(selection),
        options_(options),
        overview_(compute_overview(profile, selection.event)),
        tree_(compute_call_tree(profile, selection, group_by_process_name(profile, selection))),
        picture_(options.width > 0 ? options.width : kPicture),
        layout_(compute_flame_layout(tree_, kLeastInData / (picture_ - 2 * kPad))) {
    title_ = options.title.empty() ? overview_.title : printable(options.title);
    if (title_.empty()) { title_ = "flame graph"; }
    set_texts(filter);
    set_classes();
  }

  std::string write() && {
    int height = still_top() + static_cast<int>(still_levels()) * kRow + kBottom;
    out_ += "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"no\"?>\n";
    out_ += strf(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"wick\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\" "
        "role=\"img\">\n",
        picture_, height, picture_, height);
    out_ += "<title>";
    append_xml(out_, title_);
    out_ += "</title>\n<style>";
    out_ += kStyle;
    append_colours(out_, Theme::kLight);
    out_ += "@media (prefers-color-scheme:dark){\n";
    append_colours(out_, Theme::kDark);
    out_ += "}\n</style>\n<rect class=\"bg\" width=\"100%\" height=\"100%\"/>\n<g id=\"wick-still\">\n";
    write_still(height);
    out_ += "</g>\n";
    if (!layout_.boxes.empty()) { write_data_and_script(); }
    out_ += "</svg>\n";
    return std::move(out_);
  }

 private:
  int still_top() const { return kTop + kLine * static_cast<int>(notes_.size()) + (layout_.levels > kStillLevels ? kLine : 0); }
  uint32_t still_levels() const { return std::clamp(layout_.levels, 1u, kStillLevels); }

  void set_texts(const Filter& filter) {
    std::string event = selection_.event.valid() ? printable(profile_.text(profile_[selection_.event].name)) : "";
    subtitle_ = count_of(selection_.count, "sample");
    if (!event.empty()) { subtitle_ += " of " + event; }
    if (overview_.duration_ns > 0) {
      subtitle_ += " in " + format_duration(static_cast<int64_t>(std::min<uint64_t>(overview_.duration_ns, INT64_MAX)));
    }
    subtitle_ += ", " + count_of(overview_.threads, "thread");
    if (overview_.processes > 1) { subtitle_ += " of " + count_of(overview_.processes, "process", "processes"); }
    if (overview_.lost == 0 && overview_.losses_known) { subtitle_ += ", none lost"; }
    if (!filter.everything()) { subtitle_ += "; " + describe_filter(filter); }
    notes_ = loss_lines(overview_);
    notes_.insert(notes_.end(), profile_.warnings.begin(), profile_.warnings.end());
    if (layout_.left_out > 0) {
      left_out_ =
          count_of(layout_.left_out, "box", "boxes") + " under 0.1 px " + (layout_.left_out == 1 ? "is" : "are") + " left out";
    }
  }

  // One number for kind and shade per function; what each kind used itself is for the legend.
  void set_classes() {
    class_of_.assign(profile_.functions.size(), 0);
    std::vector<bool> known(profile_.functions.size());
    for (const CallNode& n : tree_.nodes) {
      if (!n.function.valid()) { continue; }
      uint32_t f = n.function.value;
      if (!known[f]) {
        known[f] = true;
        unsigned kind = static_cast<unsigned>(code_kind(profile_, n.function));
        class_of_[f] = kind * kShades + colour_shade(profile_.text(profile_[n.function].name));
      }
      kind_weight_[class_of_[f] / kShades] += n.self.weight;
      has_inlined_ |= n.inlining.all();
    }
  }

  unsigned class_of(const CallNode& n) const {
    if (n.function.valid()) { return class_of_[n.function.value]; }
    unsigned shade = n.group == CallNode::kNone ? 0 : colour_shade(tree_.groups[n.group]);
    return static_cast<unsigned>(CodeKind::kUnknown) * kShades + shade;
  }
  std::string_view name_of(uint32_t node) const { return node == 0 ? "all" : node_name(profile_, tree_, tree_.nodes[node]); }

  void write_text(double x, double y, std::string_view text, const char* cls = nullptr) {
    out_ += strf("<text x=\"%s\" y=\"%s\"", short_number(x).c_str(), short_number(y).c_str());
    if (cls) { out_ += strf(" class=\"%s\"", cls); }
    out_ += '>';
    append_xml(out_, text);
    out_ += "</text>\n";
  }

  void write_still(int height) {
    int inner = picture_ - 2 * kPad, base = still_top() + static_cast<int>(still_levels()) * kRow;
    write_text(kPad, 28, fit_label(title_, inner * 0.75), "title");
    write_text(kPad, 48, subtitle_, "note");
    for (size_t i = 0; i < notes_.size(); ++i) { write_text(kPad, 66 + kLine * static_cast<double>(i), notes_[i], "note warn"); }
    if (layout_.levels > kStillLevels) {
      std::string hidden = count_of(layout_.levels - kStillLevels, "level") + " above are shown by viewers that run scripts";
      write_text(kPad, still_top() - 6, hidden, "note");
    }
    if (layout_.boxes.empty()) {
      write_text(kPad, still_top() + 13, "there are no samples to draw", "note");
      return;
    }
    for (const FlameBox& box : layout_.boxes) {
      const CallNode& n = tree_.nodes[box.node];
      double width = box.width * inner;
      if (width < kLeastInStill || n.depth >= kStillLevels) { continue; }
      double x = kPad + box.x * inner;
      int y = base - static_cast<int>(n.depth + 1) * kRow;
      out_ += strf("<rect class=\"%s%s\" x=\"%s\" y=\"%d\" width=\"%s\" height=\"%d\" rx=\"2\"/>\n",
                   class_name(class_of(n)).c_str(), n.inlining.all() ? " il" : "", short_number(x).c_str(), y,
                   short_number(width > 3 ? width - 1 : width).c_str(), kRow - 1);
      std::string label = width < 24 ? std::string() : fit_label(shown_name(name_of(box.node)), width);
      if (!label.empty()) { write_text(x + 4, y + 13, label); }
    }
    write_legend(height);
  }

  void write_legend(int height) {
    double x = kPad;
    for (CodeKind kind : kCodeKinds) {
      int64_t weight = kind_weight_[static_cast<size_t>(kind)];
      if (weight <= 0) { continue; }
      std::string text = std::string(code_kind_name(kind)) + " " + format_percent(share(weight, selection_.weight));
      out_ += strf("<rect class=\"%c2\" x=\"%s\" y=\"%d\" width=\"11\" height=\"11\" rx=\"3\"/>\n", kind_letter(kind),
                   short_number(x).c_str(), height - 22);
      write_text(x + 17, height - 12, text, "note");
      x += 17 + 6.6 * display_width(text) + 18;
    }
    if (has_inlined_) {
      out_ += strf("<rect class=\"a2 il\" x=\"%s\" y=\"%d\" width=\"11\" height=\"11\" rx=\"3\"/>\n", short_number(x).c_str(),
                   height - 22);
      write_text(x + 17, height - 12, "pale: inlined", "note");
      x += 17 + 6.6 * 13 + 18;
    }
    if (!left_out_.empty()) { write_text(x, height - 12, left_out_, "note"); }
  }

  // Columns of numbers, a row per box: far smaller than an object each.
  template <typename Get>
  void write_column(const char* name, Get get) {
    out_ += strf(",\n\"%s\":[", name);
    for (size_t i = 0; i < layout_.boxes.size(); ++i) {
      if (i > 0) { out_ += ','; }
      out_ += std::to_string(get(tree_.nodes[layout_.boxes[i].node]));
    }
    out_ += ']';
  }

  void write_strings(const char* name, const std::vector<std::string_view>& strings) {
    out_ += strf(",\n\"%s\":[", name);
    for (size_t i = 0; i < strings.size(); ++i) {
      if (i > 0) { out_ += ",\n"; }
      append_data_string(out_, strings[i]);
    }
    out_ += ']';
  }

  // Distinct texts, numbered in the order of their coming.
  class Numbers {
   public:
    size_t operator()(std::string_view text) {
      auto [it, fresh] = numbers_.try_emplace(text, list.size());
      if (fresh) { list.push_back(text); }
      return it->second;
    }
    std::vector<std::string_view> list;

   private:
    std::map<std::string_view, size_t> numbers_;
  };

  void write_data_and_script() {
    std::string_view unit = profile_.text(profile_[selection_.event].unit);
    out_ += "<script type=\"application/json\" id=\"wick-data\"><![CDATA[{\"title\":";
    append_data_string(out_, title_);
    out_ += ",\"subtitle\":";
    append_data_string(out_, subtitle_);
    out_ += ",\"unit\":";
    append_data_string(out_, unit == "samples" ? std::string_view() : unit);
    out_ += ",\"leftOut\":";
    append_data_string(out_, left_out_);
    out_ += strf(",\"width\":%d,\"inlined\":%s", options_.width, has_inlined_ ? "true" : "false");
    write_strings("notes", {notes_.begin(), notes_.end()});
    out_ += ",\n\"legend\":[";
    const char* comma = "";
    for (CodeKind kind : kCodeKinds) {
      int64_t weight = kind_weight_[static_cast<size_t>(kind)];
      if (weight <= 0) { continue; }
      out_ += strf("%s[\"%s\",\"%c2\",%.6g]", comma, std::string(code_kind_name(kind)).c_str(), kind_letter(kind),
                   share(weight, selection_.weight));
      comma = ",";
    }
    out_ += "],\n\"classes\":[";
    for (unsigned n = 0; n < kCodeKinds.size() * kShades; ++n) { out_ += (n ? ",\"" : "\"") + class_name(n) + "\""; }
    out_ += "]";

    // A frame is (name, module, class, 1: inlined, 2: inlined in part); what has the same four is one.
    Numbers names, modules;
    std::map<std::array<size_t, 4>, size_t> frame_numbers;
    std::vector<std::array<size_t, 4>> frames;
    std::vector<size_t> frame_of_node(tree_.nodes.size());
    for (const FlameBox& box : layout_.boxes) {
      const CallNode& n = tree_.nodes[box.node];
      std::string_view name = name_of(box.node);
      std::string_view module = n.group == CallNode::kNone ? node_module(profile_, n) : "process";
      size_t inlined = n.inlining.all() ? 1 : n.inlining.some() ? 2 : 0;
      std::array<size_t, 4> frame = {names(name.empty() ? "[unnamed]" : name), modules(module), class_of(n), inlined};
      auto [it, fresh] = frame_numbers.try_emplace(frame, frames.size());
      if (fresh) { frames.push_back(frame); }
      frame_of_node[box.node] = it->second;
    }
    write_strings("modules", modules.list);
    write_strings("names", names.list);
    std::vector<std::string> briefs;
    for (std::string_view name : names.list) {
      briefs.push_back(short_name(name));
      if (briefs.back() == name) { briefs.back().clear(); }
    }
    write_strings("short", {briefs.begin(), briefs.end()});
    out_ += ",\n\"frames\":[";
    for (size_t i = 0; i < frames.size(); ++i) {
      out_ += strf("%s%zu,%zu,%zu,%zu", i ? "," : "", frames[i][0], frames[i][1], frames[i][2], frames[i][3]);
    }
    out_ += "]";
    write_column("depth", [](const CallNode& n) { return n.depth; });
    write_column("frame", [&](const CallNode& n) { return frame_of_node[static_cast<size_t>(&n - tree_.nodes.data())]; });
    write_column("samples", [](const CallNode& n) { return n.total.samples; });
    write_column("self", [](const CallNode& n) { return n.self.samples; });
    write_weights();
    out_ += "}]]></script>\n<script><![CDATA[";
    out_ += kScript;
    out_ += "]]></script>\n";
  }

  // Most recordings give every sample the same weight: then the number of samples says it all.
  void write_weights() {
    int64_t first = profile_.samples[selection_.samples.front()].weight;
    bool same = first > 0 && std::all_of(selection_.samples.begin(), selection_.samples.end(),
                                         [&](uint32_t row) { return profile_.samples[row].weight == first; });
    if (same) {
      out_ += strf(",\n\"perSample\":%lld", static_cast<long long>(first));
    } else {
      write_column("weight", [](const CallNode& n) { return std::max<int64_t>(n.total.weight, 0); });
      write_column("selfWeight", [](const CallNode& n) { return n.self.weight; });
    }
  }

  const Profile& profile_;
  const Selection& selection_;
  const FlamegraphOptions& options_;
  Overview overview_;
  CallTree tree_;
  int picture_;
  FlameLayout layout_;
  std::string title_, subtitle_, left_out_;
  bool has_inlined_ = false;
  std::vector<std::string> notes_;
  std::vector<unsigned> class_of_;
  std::array<int64_t, kCodeKinds.size()> kind_weight_{};
  std::string out_;
};

}  // namespace

std::string flamegraph_svg(const Profile& profile, const Selection& selection, const Filter& filter,
                           const FlamegraphOptions& options) {
  return Writer(profile, selection, filter, options).write();
}

}  // namespace wick
