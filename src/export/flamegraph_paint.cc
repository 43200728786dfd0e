// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "export/flamegraph_paint.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "analyze/color.h"
#include "analyze/diff_table.h"
#include "analyze/format.h"
#include "base/text.h"
#include "base/utf8.h"

namespace wick {
namespace {

constexpr std::string_view kLightTheme =
    "--bg:#fffdf9;--ink:#1f1812;--soft:#6d6256;--line:#e6ddd0;--card:#ffffff;--field:#f6f0e7;--match:#d5ee3b;--accent:#c2410c;"
    "--warn:#a14a06;--shade:rgba(20,12,4,.18)";
constexpr std::string_view kDarkTheme =
    "--bg:#171310;--ink:#f6efe6;--soft:#a89c8e;--line:#3a322a;--card:#241e19;--field:#241e19;--match:#c3da35;--accent:#fb923c;"
    "--warn:#f0a860;--shade:rgba(0,0,0,.55)";

std::string hex(Rgb c) { return strf("#%02x%02x%02x", c.r, c.g, c.b); }

std::string kind_class_name(unsigned number) {
  return strf("%c%u", static_cast<char>('a' + static_cast<int>(kCodeKinds[number / kShades])), number % kShades);
}
std::string change_class_name(int step) { return step == 0 ? "v0" : strf("%c%d", step > 0 ? 'p' : 'm', std::abs(step)); }

// "rgb(205,100,30)" of a palette map, or "#rrggbb".
std::optional<Rgb> parse_color(std::string_view text) {
  text = trim(text);
  auto byte = [](std::optional<uint64_t> v) { return static_cast<uint8_t>(std::min<uint64_t>(v.value_or(0), 255)); };
  if (text.starts_with('#') && text.size() == 7) {
    std::optional<uint64_t> v = parse_u64(text.substr(1), 16);
    if (!v) { return std::nullopt; }
    return Rgb{static_cast<uint8_t>(*v >> 16), static_cast<uint8_t>(*v >> 8), static_cast<uint8_t>(*v)};
  }
  if (!text.starts_with("rgb(") || !text.ends_with(")")) { return std::nullopt; }
  std::vector<std::string_view> parts = split(text.substr(4, text.size() - 5), ',');
  if (parts.size() != 3) { return std::nullopt; }
  std::array<std::optional<uint64_t>, 3> v;
  for (size_t i = 0; i < 3; ++i) {
    v[i] = parse_u64(trim(parts[i]));
    if (!v[i]) { return std::nullopt; }
  }
  return Rgb{byte(v[0]), byte(v[1]), byte(v[2])};
}

Rgb mix(Rgb from, Rgb to, double t) {
  auto channel = [t](uint8_t a, uint8_t b) { return static_cast<uint8_t>(std::lround(a + (b - a) * t)); };
  return {channel(from.r, to.r), channel(from.g, to.g), channel(from.b, to.b)};
}

}  // namespace

// Ends are as strong as text on them allows (at least 7:1 in the light theme, 4.5:1 in the dark one).
Rgb change_color(int step, DifferenceHues hues, Theme theme) {
  bool light = theme == Theme::kLight, grew = step > 0, two = hues == DifferenceHues::kRedBlue;
  Rgb neutral = light ? Rgb{240, 237, 233} : Rgb{58, 52, 47};
  Rgb more = two ? (light ? Rgb{255, 133, 118} : Rgb{176, 42, 35}) : (light ? Rgb{250, 150, 40} : Rgb{158, 78, 4});
  Rgb less = two ? (light ? Rgb{122, 168, 255} : Rgb{38, 88, 190}) : (light ? Rgb{104, 176, 246} : Rgb{24, 96, 164});
  // The smallest step can be told from none.
  double t = step == 0 ? 0 : 0.2 + 0.8 * std::abs(step) / kChangeSteps;
  return mix(neutral, grew ? more : less, t);
}

Rgb width_color(int step, Theme theme) {
  bool light = theme == Theme::kLight;
  Rgb narrow = light ? Rgb{250, 242, 226} : Rgb{60, 53, 46}, wide = light ? Rgb{255, 120, 92} : Rgb{182, 44, 20};
  return mix(narrow, wide, static_cast<double>(step) / kWidthSteps);
}

int64_t total_change(const FlameNode& n) { return n.total.weight - n.total_before.weight; }
int64_t box_change(const FlameNode& n) {
  bool all = n.total.weight <= 0 || n.total_before.weight <= 0;
  return all ? total_change(n) : n.self.weight - n.self_before.weight;
}
bool box_is_gone(const FlameNode& n) { return n.total.weight <= 0 && n.total_before.weight > 0; }

bool box_is_inlined(const Profile& profile, const FlameNode& n) {
  return n.inlining.all() || (n.function.valid() && split_mark(profile.text(profile[n.function].name)).mark == 'i');
}

char mark_of(const Profile& profile, const FlameNode& node) {
  if (!node.function.valid()) { return 0; }
  const Function& f = profile[node.function];
  if (char written = split_mark(profile.text(f.name)).mark; written != 0) { return written; }
  if (f.module.valid() && profile[f.module].kernel) { return 'k'; }
  if (node.inlining.all()) { return 'i'; }
  std::string_view module = f.module.valid() ? profile.text(profile[f.module].name) : std::string_view();
  bool generated =
      module == "[jit]" || (module.starts_with("perf-") && module.ends_with(".map")) || module.starts_with("jitted-");
  return generated ? 'j' : 0;
}

FlamePaint::FlamePaint(const Profile& profile, const FlameTree& tree, const Selection& selection, const Selection* before,
                       const FlamegraphOptions& options)
    : profile_(profile), tree_(tree), selection_(selection), options_(options), difference_(profile.is_difference()) {
  if (difference_) {
    paint_differences(before);
  } else if (options.painting == Painting::kWidth) {
    for (int i = 0; i <= kWidthSteps; ++i) { colors_.push_back(strf("w%d", i)); }
    legend_.push_back({.text = "wider is redder", .color = strf("w%d", kWidthSteps)});
  } else if (options.painting == Painting::kPalette || options.palette_map != nullptr) {
    paint_by_palette();
  } else {
    paint_by_kind();
  }
  // Other colors say something by how strong they are.
  pale_ = !difference_ && options.painting == Painting::kKind && options.palette_map == nullptr &&
          std::any_of(tree.nodes.begin(), tree.nodes.end(), [&](const FlameNode& n) { return box_is_inlined(profile, n); });
  if (pale_) { legend_.push_back({.text = "pale: inlined", .color = "a2", .faint = true}); }
}

size_t FlamePaint::color_of(const FlameNode& n) const {
  if (difference_) {
    Mark mark = change_mark(n);
    if (mark == Mark::kNone) { return kChangeSteps; }
    int64_t change = mark == Mark::kOwn ? box_change(n) : total_change(n);
    double part = mark == Mark::kOwn ? std::abs(static_cast<double>(change)) / static_cast<double>(largest_change_) : 0;
    int step = std::max(1, static_cast<int>(std::ceil(part * kChangeSteps - 1e-9)));
    return static_cast<size_t>(kChangeSteps + ((change > 0) != options_.negate ? step : -step));
  }
  if (options_.painting == Painting::kWidth) {
    double share = static_cast<double>(n.width) / static_cast<double>(std::max<int64_t>(tree_.nodes[0].width, 1));
    return static_cast<size_t>(std::lround(std::sqrt(std::clamp(share, 0.0, 1.0)) * kWidthSteps));
  }
  if (n.function.valid()) { return of_function_[n.function.value]; }
  return n.group == FlameNode::kNone ? of_group_.back() : of_group_[n.group];
}

FlamePaint::Mark FlamePaint::change_mark(const FlameNode& n) const {
  if (!marks_.empty()) { return marks_[static_cast<size_t>(&n - tree_.nodes.data())]; }
  return n.parent == FlameNode::kNone || box_change(n) == 0 ? Mark::kNone : Mark::kOwn;
}

// A box shows what the table of `wick diff` says of its function. Beyond that a box may have changed where the function did not:
// it moved to another caller. So each box is tested, too, as the rows of the table are.
void FlamePaint::find_marks(const Selection& before) {
  bool shares = options_.changes == BoxChanges::kShares;
  std::vector<double> noise(tree_.nodes.size(), 1);
  std::vector<double*> tested;
  const FlameNode& all = tree_.nodes[0];
  for (size_t i = 1; i < tree_.nodes.size(); ++i) {
    const FlameNode& n = tree_.nodes[i];
    bool whole = n.total.weight <= 0 || n.total_before.weight <= 0;
    Costs then{whole ? n.total_before : n.self_before, all.total_before}, now{whole ? n.total : n.self, all.total};
    if (least_noise(then, now) > kNoiseLevel) { continue; }
    noise[i] = shares ? share_noise(then, now) : cost_noise(then, now);
    tested.push_back(&noise[i]);
  }
  correct_for_many(std::move(tested));

  DiffTable table = compute_diff(profile_, {before, selection_, {}}, shares);
  std::vector<Change> self(profile_.functions().size(), Change::kNoise), total = self;
  for (const DiffRow& row : table.rows) {
    self[row.id] = table.verdict(row.self);
    total[row.id] = table.verdict(row.total);
  }
  auto goes = [](int64_t change, Change verdict) {
    return (change > 0 && verdict == Change::kGrew) || (change < 0 && verdict == Change::kShrank);
  };
  marks_.assign(tree_.nodes.size(), Mark::kNone);
  for (size_t i = 1; i < tree_.nodes.size(); ++i) {
    const FlameNode& n = tree_.nodes[i];
    int64_t change = box_change(n);
    bool row_changed = n.function.valid() && goes(change, self[n.function.value]);
    bool row_carries = n.function.valid() && goes(total_change(n), total[n.function.value]);
    if (row_changed || (change != 0 && noise[i] < kNoiseLevel)) {
      marks_[i] = Mark::kOwn;
    } else if (row_carries) {
      marks_[i] = Mark::kCarried;
    }
  }
}

void FlamePaint::paint_differences(const Selection* before) {
  if (options_.changes != BoxChanges::kAll && before != nullptr) { find_marks(*before); }
  for (int i = -kChangeSteps; i <= kChangeSteps; ++i) { colors_.push_back(change_class_name(i)); }
  for (size_t i = 1; i < tree_.nodes.size(); ++i) {
    const FlameNode& n = tree_.nodes[i];
    if (change_mark(n) == Mark::kOwn) { largest_change_ = std::max(largest_change_, std::abs(box_change(n))); }
  }
  legend_.push_back({.text = "grew", .color = change_class_name(options_.negate ? -kChangeSteps : kChangeSteps)});
  legend_.push_back({.text = "shrank", .color = change_class_name(options_.negate ? kChangeSteps : -kChangeSteps)});
  bool gone = std::any_of(tree_.nodes.begin(), tree_.nodes.end(), box_is_gone);
  if (gone) {
    legend_.push_back({.text = "gone (drawn as wide as before)",
                       .color = change_class_name(options_.negate ? kChangeSteps : -kChangeSteps),
                       .gone = true});
  }
  bool carried = std::find(marks_.begin(), marks_.end(), Mark::kCarried) != marks_.end();
  if (carried) { legend_.push_back({.text = "palest: only callees changed", .color = change_class_name(1)}); }
  if (!marks_.empty()) {
    const char* text = largest_change_ == 0 && !carried ? "gray: no frame changed beyond noise" : "gray: within noise";
    legend_.push_back({.text = text, .color = change_class_name(0)});
  }
}

unsigned FlamePaint::kind_class(const FlameNode& node) const {
  std::string_view name = profile_.text(profile_[node.function].name);
  MarkedName marked = split_mark(name);
  CodeKind kind = marked.mark == 'k' ? CodeKind::kKernel : code_kind(profile_, node.function);
  bool separator = name == "-" || name == "--", nameless = name == "[unknown]" || name == "unknown";
  if (separator || nameless) { kind = CodeKind::kUnknown; }
  return static_cast<unsigned>(kind) * kShades + color_shade(name);
}

void FlamePaint::paint_by_kind() {
  for (unsigned n = 0; n < kCodeKinds.size() * kShades; ++n) { colors_.push_back(kind_class_name(n)); }
  constexpr size_t kNot = SIZE_MAX;
  of_function_.assign(profile_.functions().size(), kNot);
  for (const FlameNode& n : tree_.nodes) {
    if (n.function.valid() && of_function_[n.function.value] == kNot) { of_function_[n.function.value] = kind_class(n); }
  }
  size_t grey = static_cast<size_t>(CodeKind::kUnknown) * kShades;
  for (const std::string& group : tree_.groups) { of_group_.push_back(grey + color_shade(group)); }
  of_group_.push_back(grey);

  // What each kind used itself: of all samples, also of those that have no box.
  std::array<int64_t, kCodeKinds.size()> weights{};
  std::vector<uint8_t> kind_of(profile_.functions().size(), UINT8_MAX);
  for (uint32_t row : selection_.samples) {
    const Sample& s = profile_.samples()[row];
    FunctionId f = profile_[profile_[s.stack].frame].function;
    uint8_t& kind = kind_of[f.value];
    if (kind == UINT8_MAX) {
      FlameNode leaf;
      leaf.function = f;
      kind = static_cast<uint8_t>(kind_class(leaf) / kShades);
    }
    weights[kind] += s.weight;
  }
  // Where nothing tells of kinds, there is nothing to explain.
  int64_t unclassified = weights[static_cast<size_t>(CodeKind::kUnclassified)];
  if (unclassified > 0 && unclassified == std::accumulate(weights.begin(), weights.end(), int64_t{0})) { return; }
  for (CodeKind kind : kCodeKinds) {
    int64_t weight = weights[static_cast<size_t>(kind)];
    if (weight <= 0) { continue; }
    legend_.push_back({.text = std::string(code_kind_name(kind)),
                       .color = kind_class_name(static_cast<unsigned>(kind) * kShades + 2),
                       .share = share(weight, tree_.nodes[0].width)});
  }
}

void FlamePaint::paint_by_palette() {
  std::map<std::string, size_t> rows;
  auto number = [&](Rgb c) {
    auto [it, fresh] = rows.try_emplace(hex(c), colors_.size());
    if (fresh) { colors_.push_back(it->first); }
    return it->second;
  };
  RandomVariation random;
  auto vary = [&](std::string_view name) {
    return options_.draw == PaletteDraw::kRandom    ? random.draw()
           : options_.draw == PaletteDraw::kLetters ? vary_by_letters(name)
                                                    : vary_by_name(name);
  };
  auto choose = [&](std::string_view whole_name, char mark) {
    std::string_view name = split_mark(whole_name).name;
    Rgb fresh = palette_color(options_.palette, name, mark, vary(name));
    if (options_.palette_map == nullptr) { return number(fresh); }
    auto [it, is_new] =
        options_.palette_map->try_emplace(printable(whole_name), strf("rgb(%d,%d,%d)", fresh.r, fresh.g, fresh.b));
    return number(parse_color(it->second).value_or(fresh));
  };
  of_function_.assign(profile_.functions().size(), SIZE_MAX);
  of_group_.assign(tree_.groups.size() + 1, SIZE_MAX);
  for (const FlameNode& n : tree_.nodes) {  // in the order of boxes, so that lots fall the same way each time
    size_t& place = n.function.valid()            ? of_function_[n.function.value]
                    : n.group == FlameNode::kNone ? of_group_.back()
                                                  : of_group_[n.group];
    if (place == SIZE_MAX) {
      place = choose(n.parent == FlameNode::kNone ? "all" : node_name(profile_, tree_, n), mark_of(profile_, n));
    }
  }
}

std::string FlamePaint::classes(Theme theme) const {
  std::string out;
  auto add = [&](const std::string& name, Rgb c) { out += ".wick ." + name + "{fill:" + hex(c) + "}"; };
  if (difference_) {
    for (int i = -kChangeSteps; i <= kChangeSteps; ++i) { add(change_class_name(i), change_color(i, options_.hues, theme)); }
  } else if (options_.painting == Painting::kWidth) {
    for (int i = 0; i <= kWidthSteps; ++i) { add(strf("w%d", i), width_color(i, theme)); }
  } else if (options_.painting == Painting::kKind && options_.palette_map == nullptr) {
    for (unsigned n = 0; n < kCodeKinds.size() * kShades; ++n) {
      add(kind_class_name(n), color(kCodeKinds[n / kShades], n % kShades, theme));
    }
  }
  return out + "\n";
}

std::string FlamePaint::style() const {
  std::string out;
  auto theme = [&](std::string_view values, Theme which) { out += "svg.wick{" + std::string(values) + "}\n" + classes(which); };
  if (!options_.background) {
    theme(kLightTheme, Theme::kLight);
    out += "@media (prefers-color-scheme:dark){\n";
    theme(kDarkTheme, Theme::kDark);
    out += "}\n";
  } else {
    // A background that was asked for is there by day and by night.
    bool light = wants_dark_text(options_.background->first);
    theme(light ? kLightTheme : kDarkTheme, light ? Theme::kLight : Theme::kDark);
    out += "svg.wick{--bg:" + hex(options_.background->second) + ";color-scheme:" + (light ? "light" : "dark") + "}\n";
    out += ".wick .bg{fill:url(#wick-bg)}\n";
  }
  if (!options_.search_color.empty()) { out += "svg.wick{--match:" + options_.search_color + "}\n"; }
  if (!options_.stroke_color.empty()) { out += ".wick .box{stroke:" + options_.stroke_color + "}\n"; }
  if (!options_.ui_color.empty()) { out += "svg.wick{--ui:" + options_.ui_color + "}\n"; }
  if (!options_.font.empty() || options_.font_size != 12) {
    std::string family = options_.font.empty() ? "" : "font-family:" + options_.font + ";";
    out += strf(".wick .boxes text{%sfont-size:%gpx}\n", family.c_str(), options_.font_size);
  }
  return out;
}

}  // namespace wick
