// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0

// Names are hostile until they have gone through append_xml (text and attributes) or append_json_string (data, inside CDATA).
//
// How small is too small: boxes under 0.1 px of a 1200 px picture (or what was asked for) are in neither form, boxes under 0.5 px
// only in the data, where zooming can make them large. Very deep stacks: the still picture shows the outer kStillLevels levels,
// the script all of them.

#include "export/flamegraph.h"

#include <tsl/robin_map.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <string_view>
#include <vector>

#include "analyze/format.h"
#include "analyze/overview.h"
#include "base/text.h"
#include "base/utf8.h"
#include "export/flamegraph_paint.h"
#include "export/json_writer.h"
#include "export/piece_writer.h"
#include "model/function_name.h"

namespace wick {
namespace {

const char kScript[] =
#include "export/flamegraph.js.inc"
    ;
const char kStyle[] =
#include "export/flamegraph.css.inc"
    ;

constexpr int kPicture = 1200;         // pixels across, unless told
constexpr double kLeastInStill = 0.5;  // pixels
constexpr double kLeastDashed = 4;     // narrower boxes would be all dashes and no color; the script does the same
constexpr uint32_t kStillLevels = 250;
constexpr int kMostPad = 16, kTop = 62, kLine = 18, kBottom = 34;
// Very narrow pictures have less of a margin. The script does the same.
int pad_of(int picture) { return std::min(kMostPad, picture / 10); }

constexpr double kCharacter = 0.6025;  // of a monospace font's size; all in the list are within 2%

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

// The beginning, as much as fits.
std::string cut_right(std::string_view text, int room) {
  std::string head;
  for (int left = room - 1; !text.empty();) {
    CodePoint c = decode_utf8(text);
    left -= display_width(c.value);
    if (left < 0) { break; }
    head.append(text.substr(0, c.size));
    text.remove_prefix(c.size);
  }
  return head + "…";
}

// What fits: the whole name, else without parameters, else without as many outer scopes as need be, else its beginning. The
// script does the same.
std::string fit_label(std::string_view name, int room, bool only_cut) {
  if (room < 2) { return {}; }
  if (display_width(name) <= room) { return std::string(name); }
  if (only_cut) { return cut_right(name, room); }
  std::string plain = short_name(name);
  std::string_view rest = plain;
  for (std::string_view inner; display_width(rest) > room && !(inner = without_outer_scope(rest)).empty();) { rest = inner; }
  return display_width(rest) <= room ? std::string(rest) : cut_right(rest, room);
}

// "12.3" and not "12.30": the file is mostly numbers.
std::string short_number(double value) {
  std::string text = strf("%.1f", value);
  if (text.ends_with(".0")) { text.resize(text.size() - 2); }
  return text;
}

// "1,234,567.5"; few digits where it is small.
std::string grouped_number(double value) {
  double size = std::abs(value);
  if (size < 1000 || size > 1e15) {
    return std::floor(value) == value && size < 1000 ? strf("%.0f", value) : strf("%.6g", value);
  }
  std::string text = strf("%.2f", size);
  std::string decimals = text.substr(text.size() - 3);
  while (decimals.ends_with('0')) { decimals.pop_back(); }
  if (decimals == ".") { decimals.clear(); }
  uint64_t whole = parse_u64(std::string_view(text).substr(0, text.size() - 3)).value_or(0);
  return (value < 0 ? "-" : "") + group_thousands(whole) + decimals;
}

// For files in another encoding than UTF-8: characters beyond ASCII as references in markup, as escapes in the data.
std::string as_ascii(const std::string& text) {
  std::string out;
  bool data = false;
  std::string_view rest = text;
  while (!rest.empty()) {
    if (rest.starts_with("<![CDATA[")) { data = true; }
    if (rest.starts_with("]]>")) { data = false; }
    CodePoint c = decode_utf8(rest);
    if (c.value < 0x80) {
      out += rest.front();
    } else if (!data) {
      out += strf("&#%u;", static_cast<unsigned>(c.value));
    } else if (c.value > 0xffff) {
      unsigned v = static_cast<unsigned>(c.value) - 0x10000;
      out += strf("\\u%04x\\u%04x", 0xd800 + (v >> 10), 0xdc00 + (v & 0x3ff));
    } else {
      out += strf("\\u%04x", static_cast<unsigned>(c.value));
    }
    rest.remove_prefix(c.size);
  }
  return out;
}

class FlamegraphWriter {
 public:
  FlamegraphWriter(const Profile& profile, const Selection& selection, const Selection* before, const Filter& filter,
                   const FlamegraphOptions& options)
      : profile_(profile),
        selection_(selection),
        before_(before),
        options_(options),
        overview_(compute_overview(profile, selection.event)),
        unit_(unit_of(profile, selection.event)),
        picture_(options.width > 0 ? options.width : kPicture),
        pad_(pad_of(picture_)),
        tree_(compute_flame_tree(profile, selection, tree_options())),
        paint_(profile, tree_, selection, before, options) {
    set_title();
    set_texts(filter);
  }

  std::string write() && {
    int height = still_top() + static_cast<int>(still_levels()) * options_.row + kBottom;
    std::string encoding = options_.encoding.empty() ? "UTF-8" : options_.encoding;
    out_ += "<?xml version=\"1.0\" encoding=\"" + encoding + "\" standalone=\"no\"?>\n";
    out_ += strf(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"wick\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\" "
        "role=\"img\">\n",
        picture_, height, picture_, height);
    if (!options_.notes.empty()) { write_comment("NOTES: " + options_.notes); }
    out_ += "<title>";
    append_xml(out_, title_);
    out_ += "</title>\n<style>";
    out_ += paint_.style();
    write_style();
    out_ += "</style>\n";
    if (options_.background) {
      const auto& [top, bottom] = *options_.background;
      out_ += strf(
          "<linearGradient id=\"wick-bg\" x2=\"0\" y2=\"1\"><stop stop-color=\"#%02x%02x%02x\"/>"
          "<stop offset=\"1\" stop-color=\"#%02x%02x%02x\"/></linearGradient>\n",
          top.r, top.g, top.b, bottom.r, bottom.g, bottom.b);
    }
    out_ += "<rect class=\"bg\" width=\"100%\" height=\"100%\"/>\n<g id=\"wick-still\">\n";
    write_still(height);
    out_ += "</g>\n";
    if (has_boxes() && options_.script) { write_data_and_script(); }
    out_ += "</svg>\n";
    return options_.encoding.empty() ? std::move(out_) : as_ascii(out_);
  }

 private:
  FlameTreeOptions tree_options() const {
    double whole = options_.total / options_.factor * static_cast<double>(unit_.divisor);
    return {.reverse = options_.reverse,
            .by_thread = options_.by_thread,
            .chart = options_.chart && before_ == nullptr,
            .order = options_.order,
            .least_share = flamegraph_least_share(options_),
            .whole = whole > 0 && whole < 9e18 ? static_cast<int64_t>(std::llround(whole)) : 0,
            .before = before_};
  }
  bool has_boxes() const { return tree_.levels > 0; }
  uint32_t still_levels() const { return std::clamp(tree_.levels, 1u, kStillLevels); }
  int still_top() const {
    size_t lines = subtitles_.size() - 1 + notes_.size() + (tree_.levels > kStillLevels ? 1 : 0);
    return kTop + kLine * static_cast<int>(lines);
  }

  bool is_nobodys() const {
    return std::all_of(profile_.threads().begin(), profile_.threads().end(), [&](const Thread& t) {
      return t.tid == 0 && !t.name.valid() && profile_[t.process].pid == 0 && !profile_[t.process].name.valid();
    });
  }

  void set_title() {
    const char* kind = before_ != nullptr  ? "Differential Flame Graph"
                       : options_.chart    ? "Flame Chart"
                       : options_.inverted ? "Icicle Graph"
                                           : "Flame Graph";
    bool no_command = profile_.command().empty() && is_nobodys();
    title_ = !options_.title.empty() ? printable(options_.title) : no_command ? kind : overview_.title;
    if (title_.empty()) { title_ = kind; }
  }

  // Weights as numbers for people.
  enum class Amount : uint8_t { kPlain, kOfEvent };
  std::string amount(const Selection& selection, Amount words) const {
    bool counts_samples = unit_.name == "samples" || unit_.name.empty(),
         by_event = options_.count_name.empty() && options_.factor == 1;
    if (by_event && !counts_samples && (words == Amount::kOfEvent || holds_sums(profile_, selection.event))) {
      return describe_amount(profile_, selection.event, selection.count, selection.weight);
    }
    if (by_event && !counts_samples) { return count_of(selection.count, "sample"); }
    double value = static_cast<double>(selection.weight) / static_cast<double>(unit_.divisor) * options_.factor;
    std::string name = !options_.count_name.empty() ? printable(options_.count_name)
                       : counts_samples             ? "samples"
                                                    : std::string(unit_.name);
    if (name == "samples" && value == 1) { name = "sample"; }
    std::string event = selection.event.valid() ? printable(profile_.text(profile_[selection.event].name)) : "";
    bool tells_event = words == Amount::kOfEvent && options_.count_name.empty() && !event.empty() && event != "samples";
    return grouped_number(value) + " " + name + (tells_event ? " of " + event : "");
  }

  void set_texts(const Filter& filter) {
    std::string line;
    if (before_ != nullptr) {
      line = amount(selection_, Amount::kPlain) + ", before " + amount(*before_, Amount::kPlain);
    } else {
      line = amount(selection_, Amount::kOfEvent);
      if (overview_.duration_ns > 0) {
        line += " in " + format_duration(static_cast<int64_t>(std::min<uint64_t>(overview_.duration_ns, INT64_MAX)));
      }
      if (!is_nobodys()) { line += ", " + count_of(overview_.threads, "thread"); }
      if (overview_.processes > 1) { line += " of " + count_of(overview_.processes, "process", "processes"); }
      if (overview_.lost == 0 && overview_.losses_known && profile_.imported_from().empty()) { line += ", none lost"; }
    }
    if (!filter.everything()) { line += "; " + describe_filter(filter); }
    if (!overview_.other_events.empty() && before_ == nullptr) {
      std::string others = describe_other_events(profile_, {&selection_.event, 1});
      if (!others.empty()) { line += "; also recorded: " + others; }
    }
    if (!options_.subtitle.empty()) { subtitles_.push_back(printable(options_.subtitle)); }
    subtitles_.push_back(line);
    if (!options_.notes.empty()) { subtitles_.push_back(printable(options_.notes)); }
    notes_ = loss_lines(overview_);
    notes_.insert(notes_.end(), profile_.warnings().begin(), profile_.warnings().end());
    if (tree_.hidden_branches > 0) {
      std::string least = options_.least_percent / 100 > options_.least_px / (picture_ - 2 * pad_)
                              ? strf("%g%%", options_.least_percent)
                              : strf("%g px", options_.least_px);
      hidden_note_ = count_of(tree_.hidden_branches, "branch", "branches") + " under " + least +
                     (tree_.hidden_branches == 1 ? " is" : " are") + " hidden";
    }
  }

  std::string_view marked_name_of(const FlameNode& n) const {
    return n.parent == FlameNode::kNone ? "all" : node_name(profile_, tree_, n);
  }
  std::string_view name_of(const FlameNode& n) const {
    std::string_view name = marked_name_of(n);
    return n.function.valid() && n.folded.most == 0 ? split_mark(name).name : name;
  }
  std::string_view module_of(const FlameNode& n) const {
    if (n.is_group()) { return options_.chart || options_.by_thread ? "thread" : "process"; }
    if (!n.function.valid() || !profile_[n.function].module.valid()) { return {}; }
    return profile_.text(profile_[profile_[n.function].module].name);
  }
  // By the name as the profile has it, with its mark, or else without.
  const std::map<std::string, std::string>* attributes_of(const FlameNode& n) const {
    if (options_.attributes.empty()) { return nullptr; }
    auto it = options_.attributes.find(std::string(marked_name_of(n)));
    if (it == options_.attributes.end()) { it = options_.attributes.find(std::string(name_of(n))); }
    return it == options_.attributes.end() ? nullptr : &it->second;
  }

  // ---- the still picture

  // The rules for what the script adds to the page are left out where there is none.
  void write_style() {
    for (std::string_view line : split(kStyle, '\n')) {
      bool of_page = line.starts_with(".wick-") || line.starts_with("@media") || line.starts_with("svg.wick.swatch");
      if (!line.empty() && (options_.script || !of_page)) { out_.append(line).append("\n"); }
    }
  }
  void begin_line() {
    if (options_.indent) { out_ += "  "; }
  }
  void write_comment(std::string text) {
    text = printable(text);
    for (size_t at = 0; (at = text.find("--", at)) != std::string::npos;) { text.replace(at, 2, "- -"); }
    if (text.ends_with('-')) { text += ' '; }
    out_ += "<!-- " + text + " -->\n";
  }
  void write_text(double x, double y, std::string_view text, std::string_view cls = {}) {
    begin_line();
    out_ += "<text x=\"" + short_number(x) + "\" y=\"" + short_number(y) + "\"";
    if (!cls.empty()) { out_.append(" class=\"").append(cls).append("\""); }
    out_ += '>';
    append_xml(out_, text);
    out_ += "</text>\n";
  }

  int room_for(double width) const {
    double character = options_.font.empty() ? options_.font_size * kCharacter : options_.font_size * options_.font_width;
    return static_cast<int>(std::clamp((width - 8) / character, 0.0, 1e6));  // negative costs make boxes of any width
  }

  void write_still(int height) {
    int inner = picture_ - 2 * pad_;
    write_text(pad_, 28, fit_label(title_, static_cast<int>(inner * 0.75 / 7.23), false), "title");
    double y = 48;
    for (const std::string& line : subtitles_) {
      write_text(pad_, y, line, "note");
      y += kLine;
    }
    for (const std::string& line : notes_) {
      write_text(pad_, y, line, "note warn");
      y += kLine;
    }
    if (tree_.levels > kStillLevels) {
      std::string hidden = count_of(tree_.levels - kStillLevels, "more level") + " above (visible with scripts enabled)";
      write_text(pad_, still_top() - 6, hidden, "note");
    }
    if (!has_boxes()) {
      write_text(pad_, still_top() + 13, "no samples to draw", "note");
      return;
    }
    out_ += "<g class=\"boxes\">\n";
    double scale = inner / static_cast<double>(tree_.nodes[0].width);
    for (const FlameNode& n : tree_.nodes) {
      if (n.depth < kStillLevels && static_cast<double>(n.width) * scale >= kLeastInStill) { write_box(n, scale); }
    }
    out_ += "</g>\n";
    write_legend(height);
  }

  static Cost scaled_to(const Cost& cost, int64_t weight) {
    double samples = share(weight, std::max<int64_t>(cost.weight, 1)) * static_cast<double>(cost.samples);
    return {weight, static_cast<uint64_t>(std::llround(std::min(samples, 9e18)))};
  }

  // "main (120 samples, 42.1%)".
  std::string title_of(const FlameNode& n) const {
    auto costs = [&](const Cost& cost, EventId event) {
      Selection one;
      one.event = event;
      one.weight = cost.weight;
      one.count = cost.samples;
      return amount(one, Amount::kPlain);
    };
    std::string name = shown_name(name_of(n));
    if (!options_.name_type.empty() && n.parent != FlameNode::kNone) { name = printable(options_.name_type) + " " + name; }
    Cost total = n.total;
    const FlameNode& root = tree_.nodes[0];
    if (before_ == nullptr) {
      if (&n == &root && options_.total > 0) { total = scaled_to(total, root.width); }  // what its width stands for
      return name + " (" + costs(total, selection_.event) + ", " + format_percent(share(total.weight, root.width)) + ")";
    }
    double now = share(total.weight, root.total.weight), then = share(n.total_before.weight, root.total_before.weight);
    return name + " (" + costs(total, selection_.event) + ", " + format_percent(now) + ", before " +
           costs(n.total_before, before_->event) + ", " + format_percent(then) + ")";
  }

  void write_box(const FlameNode& n, double scale) {
    double x = pad_ + static_cast<double>(n.x) * scale, width = static_cast<double>(n.width) * scale;
    int row = options_.row, level = static_cast<int>(n.depth);
    int y = options_.inverted ? still_top() + level * row : still_top() + (static_cast<int>(still_levels()) - level - 1) * row;
    std::string_view name = name_of(n);
    const auto* attributes = attributes_of(n);
    bool linked = attributes != nullptr && attributes->count("href") > 0;
    if (attributes != nullptr) {
      begin_line();
      out_ += linked ? "<a" : "<g";
      for (const auto& [key, value] : *attributes) {
        if (key == "title" || (key == "id" && !ids_.insert(value).second)) { continue; }  // ids are there once
        out_ += " " + key + "=\"";
        append_xml(out_, value);
        out_ += '"';
      }
      out_ += '>';
      if (auto it = attributes->find("title"); it != attributes->end()) {
        out_ += "<title>";
        append_xml(out_, it->second);
        out_ += "</title>";
      }
      out_ += '\n';
    }
    // Without the script this is all there is to tell what is too narrow for its name.
    bool titled = !options_.script && (attributes == nullptr || attributes->count("title") == 0);
    const std::string& color = paint_.colors()[paint_.color_of(n)];
    begin_line();
    out_ += "<rect class=\"box";
    if (color[0] != '#') { out_ += ' ' + color; }
    if (paint_.inlined_are_pale() && box_is_inlined(profile_, n)) { out_ += " il"; }
    if (before_ != nullptr && box_is_gone(n) && width >= kLeastDashed) { out_ += " gone"; }
    out_ += '"';
    if (color[0] == '#') { out_ += " fill=\"" + color + "\""; }
    out_ += " x=\"" + short_number(x) + "\" y=\"" + std::to_string(y) + "\" width=\"" +
            short_number(width > 3 ? width - 1 : width) + "\" height=\"" + std::to_string(row - 1) + "\" rx=\"2\"";
    if (titled) {
      out_ += "><title>";
      append_xml(out_, title_of(n));
      out_ += "</title></rect>\n";
    } else {
      out_ += "/>\n";
    }
    std::string label = width < 24 ? std::string() : fit_label(shown_name(name), room_for(width), options_.cut_names_right);
    if (!label.empty()) { write_text(x + 4, y + row / 2.0 + options_.font_size / 3, label, text_class(color)); }
    if (attributes != nullptr) {
      begin_line();
      out_ += linked ? "</a>\n" : "</g>\n";
    }
  }

  // Fixed colors need an ink that fits them, whatever the theme.
  static std::string_view text_class(const std::string& color) {
    if (color[0] != '#') { return {}; }
    uint64_t v = parse_u64(std::string_view(color).substr(1), 16).value_or(0);
    Rgb c{static_cast<uint8_t>(v >> 16), static_cast<uint8_t>(v >> 8), static_cast<uint8_t>(v)};
    return wants_dark_text(c) ? "onlight" : "ondark";
  }

  void write_legend(int height) {
    double x = pad_;
    for (const LegendItem& item : paint_.legend()) {
      std::string text = item.share < 0 ? item.text : item.text + " " + format_percent(item.share);
      begin_line();
      out_ += strf("<rect class=\"%s%s%s\" x=\"%s\" y=\"%d\" width=\"11\" height=\"11\" rx=\"3\"/>\n", item.color.c_str(),
                   item.faint ? " il" : "", item.gone ? " gone" : "", short_number(x).c_str(), height - 22);
      write_text(x + 17, height - 12, text, "note");
      x += 17 + 6.6 * display_width(text) + 18;
    }
    if (!hidden_note_.empty()) { write_text(x, height - 12, hidden_note_, "note"); }
  }

  // ---- data for the script

  // Columns of numbers, a row per box: far smaller than an object each.
  template <typename Get>
  void write_column(const char* name, Get get) {
    out_ += strf(",\n\"%s\":[", name);
    for (size_t i = 0; i < tree_.nodes.size(); ++i) {
      if (i > 0) { out_ += ','; }
      append_number(out_, get(tree_.nodes[i]));
    }
    out_ += ']';
  }

  template <typename Strings>
  void write_strings(const char* name, const Strings& strings) {
    out_ += strf(",\n\"%s\":[", name);
    const char* comma = "";
    for (const auto& text : strings) {
      out_ += comma;
      append_data_string(out_, text);
      comma = ",\n";
    }
    out_ += ']';
  }
  void write_string(const char* name, std::string_view text) {
    out_ += strf(",\"%s\":", name);
    append_data_string(out_, text);
  }
  void write_flag(const char* name, bool value) {
    if (value) { out_ += strf(",\"%s\":true", name); }
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
    out_ += "<script type=\"application/json\" id=\"wick-data\"><![CDATA[{\"title\":";
    append_data_string(out_, title_);
    write_string("unit", unit_.name == "samples" ? std::string_view() : unit_.name);
    write_string("countName", options_.count_name);
    write_string("nameType", options_.name_type);
    write_string("leftOut", hidden_note_);
    write_string("mode", before_ != nullptr ? "difference" : options_.painting == Painting::kWidth ? "width" : "");
    out_ += strf(",\"width\":%d,\"row\":%d,\"fontSize\":%g,\"fontWidth\":%g,\"factor\":%.10g", options_.width, options_.row,
                 options_.font_size, options_.font.empty() ? 0 : options_.font_width, options_.factor);
    write_flag("inverted", options_.inverted);
    write_flag("reversed", options_.reverse);
    write_flag("pale", paint_.inlined_are_pale());
    write_flag("cutRight", options_.cut_names_right);
    write_flag("negate", options_.negate);
    write_strings("subtitles", subtitles_);
    write_strings("notes", notes_);
    out_ += ",\n\"legend\":[";
    const char* comma = "";
    for (const LegendItem& item : paint_.legend()) {
      out_ += comma;
      out_ += "[";
      append_data_string(out_, item.text);
      out_ += strf(",\"%s\",%s,\"%s\"]", item.color.c_str(), item.share < 0 ? "null" : strf("%.6g", item.share).c_str(),
                   item.faint  ? "il"
                   : item.gone ? "gone"
                               : "");
      comma = ",";
    }
    out_ += "]";
    write_strings("colors", paint_.colors());
    write_frames();
    write_costs();
    out_ += "}]]></script>\n<script><![CDATA[";
    out_ += kScript;
    out_ += "]]></script>\n";
  }

  // A frame is (name, module, color, 1: inlined, 2: inlined in part).
  void write_frames() {
    Numbers names, modules;
    bool by_box = before_ != nullptr || options_.painting == Painting::kWidth;  // the script computes the color
    tsl::robin_map<uint64_t, uint32_t> numbers;
    std::vector<uint32_t> frame_of_box;
    std::vector<std::array<size_t, 4>> frames;
    std::vector<const std::map<std::string, std::string>*> attributes;  // beside them
    for (const FlameNode& n : tree_.nodes) {
      size_t inlined = box_is_inlined(profile_, n) ? 1 : n.inlining.some() ? 2 : 0;
      bool has_text = n.group != FlameNode::kNone || !n.function.valid();
      uint64_t whose = has_text ? uint64_t{1} << 32 | n.group : uint64_t{n.function.value};
      auto [it, fresh] = numbers.try_emplace(whose << 2 | inlined, static_cast<uint32_t>(frames.size()));
      if (fresh) {
        std::string_view name = name_of(n);
        frames.push_back(
            {names(name.empty() ? "[unnamed]" : name), modules(module_of(n)), by_box ? 0 : paint_.color_of(n), inlined});
        attributes.push_back(attributes_of(n));
      }
      frame_of_box.push_back(it->second);
    }
    write_strings("modules", modules.list);
    write_strings("names", names.list);
    std::vector<std::string> briefs;
    for (std::string_view name : names.list) {
      briefs.push_back(short_name(name));
      if (briefs.back() == name) { briefs.back().clear(); }
    }
    write_strings("short", briefs);
    write_attributes(attributes);
    out_ += ",\n\"frames\":[";
    for (size_t i = 0; i < frames.size(); ++i) {
      out_ += strf("%s%zu,%zu,%zu,%zu", i ? "," : "", frames[i][0], frames[i][1], frames[i][2], frames[i][3]);
    }
    out_ += "]";
    write_column("depth", [](const FlameNode& n) { return n.depth; });
    write_column("frame", [&](const FlameNode& n) { return frame_of_box[static_cast<size_t>(&n - tree_.nodes.data())]; });
  }

  // By frame.
  void write_attributes(const std::vector<const std::map<std::string, std::string>*>& of_frames) {
    const char* comma = "";
    for (size_t i = 0; i < of_frames.size(); ++i) {
      if (of_frames[i] == nullptr) { continue; }
      out_ += *comma == 0 ? ",\n\"attributes\":{" : comma;
      out_ += strf("\"%zu\":{", i);
      const char* inner = "";
      for (const auto& [key, value] : *of_frames[i]) {
        out_ += inner;
        append_data_string(out_, key);
        out_ += ':';
        append_data_string(out_, value);
        inner = ",";
      }
      out_ += '}';
      comma = ",";
    }
    if (*comma != 0) { out_ += '}'; }
  }

  // Weights are written in whole units where they are. Most recordings give every sample the same weight: then the number of
  // samples says it all.
  void write_costs() {
    int64_t divisor = static_cast<int64_t>(std::min<uint64_t>(unit_.divisor, INT64_MAX)), scale = divisor, per = -1;
    auto look = [&](const Selection& selection) {
      for (uint32_t row : selection.samples) {
        const Sample& s = profile_.samples()[row];
        if (scale > 1 && s.weight % scale != 0) { scale = 1; }
        int64_t each = s.weight > 0 && s.count > 0 && static_cast<uint64_t>(s.weight) % s.count == 0
                           ? static_cast<int64_t>(static_cast<uint64_t>(s.weight) / s.count)
                           : 0;
        per = per < 0 || per == each ? each : 0;
      }
    };
    look(selection_);
    if (before_ != nullptr) { look(*before_); }
    if (options_.total > 0) { scale = 1; }
    out_ += strf(",\n\"divisor\":%lld", static_cast<long long>(divisor / scale));
    write_column("samples", [](const FlameNode& n) { return n.total.samples; });
    write_column("self", [](const FlameNode& n) { return n.self.samples; });
    if (per > 0 && before_ == nullptr && !options_.chart && options_.total <= 0) {
      out_ += strf(",\n\"perSample\":%lld", static_cast<long long>(per / (per % scale == 0 ? scale : 1)));
    } else {
      write_column("weight", [&](const FlameNode& n) { return std::max<int64_t>(n.total.weight, 0) / scale; });
      write_column("selfWeight", [&](const FlameNode& n) { return n.self.weight / scale; });
      out_ += strf(",\n\"whole\":%lld", static_cast<long long>(tree_.nodes[0].width / scale));
    }
    if (before_ != nullptr) {
      write_column("value", [&](const FlameNode& n) { return n.width / scale; });
      write_column("before", [&](const FlameNode& n) { return std::max<int64_t>(n.total_before.weight, 0) / scale; });
      write_column("selfBefore", [&](const FlameNode& n) { return n.self_before.weight / scale; });
      out_ += strf(",\n\"largest\":%lld", static_cast<long long>(paint_.largest_change() / scale));
      if (options_.changes != BoxChanges::kAll) {
        write_marked("changed", FlamePaint::Mark::kOwn);
        write_marked("carried", FlamePaint::Mark::kCarried);
      }
    }
    if (options_.chart) { write_gaps(scale); }
  }

  // The boxes that have a color.
  void write_marked(const char* key, FlamePaint::Mark mark) {
    out_ += strf(",\n\"%s\":[", key);
    const char* comma = "";
    for (size_t i = 0; i < tree_.nodes.size(); ++i) {
      if (paint_.change_mark(tree_.nodes[i]) != mark) { continue; }
      out_ += comma;
      append_number(out_, i);
      comma = ",";
    }
    out_ += ']';
  }

  // How far a box is from the one before it at the same caller, or from the caller's left edge.
  void write_gaps(int64_t scale) {
    std::vector<int64_t> next(tree_.nodes.size());
    for (size_t i = 0; i < next.size(); ++i) { next[i] = tree_.nodes[i].x; }
    std::vector<int64_t> gaps(tree_.nodes.size());
    for (size_t i = 1; i < tree_.nodes.size(); ++i) {
      const FlameNode& n = tree_.nodes[i];
      gaps[i] = n.x - next[n.parent];
      next[n.parent] = n.x + n.width;
    }
    write_column("gap", [&](const FlameNode& n) { return gaps[static_cast<size_t>(&n - tree_.nodes.data())] / scale; });
  }

  const Profile& profile_;
  const Selection& selection_;
  const Selection* before_;
  const FlamegraphOptions& options_;
  Overview overview_;
  CostUnit unit_;
  int picture_, pad_;
  FlameTree tree_;
  FlamePaint paint_;
  std::string title_, hidden_note_;
  std::vector<std::string> subtitles_, notes_;
  std::set<std::string> ids_;  // that were written
  std::string out_;
};

}  // namespace

double flamegraph_least_share(const FlamegraphOptions& options) {
  int picture = options.width > 0 ? options.width : kPicture;
  return std::max(options.least_px / (picture - 2 * pad_of(picture)), options.least_percent / 100);
}

std::string flamegraph_svg(const Profile& profile, const Selection& selection, const Filter& filter,
                           const FlamegraphOptions& options) {
  if (!profile.is_difference() || profile.events().size() < 2) {
    return FlamegraphWriter(profile, selection, nullptr, filter, options).write();
  }
  // The filter was good for the selection that came with it. What it leaves nothing of is empty.
  auto select = [&](uint32_t event) {
    Filter one = filter;
    one.event = profile.text(profile.events()[event].name);
    Result<Selection> found = select_samples(profile, one);
    Selection none;
    none.event = EventId{event};
    return found.ok() ? *std::move(found) : none;
  };
  Selection before = select(0), after = select(1);
  return FlamegraphWriter(profile, after, &before, filter, options).write();
}

}  // namespace wick
