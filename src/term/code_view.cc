// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "term/code_view.h"

#include <algorithm>
#include <map>

#include "analyze/format.h"
#include "base/text.h"
#include "base/utf8.h"
#include "model/function_name.h"
#include "term/fit.h"
#include "term/jump_arrows.h"

namespace wick {
namespace {

using Kind = CodeRow::Kind;
constexpr int kPercentWidth = 6;
constexpr int kTextColumn = 2 * kPercentWidth + 3;
constexpr int kLeastName = 12;  // columns; names with less room are cut, not shortened
constexpr size_t kMostLanes = 6;

class CodeView {
 public:
  CodeView(const FunctionCode& code, const std::vector<CodeRow>& rows, const std::vector<RowCost>& costs, const Cost& all,
           const CodeViewOptions& options, const Style& style)
      : code_(code), rows_(rows), costs_(costs), all_(all), options_(options), style_(style) {
    for (const CodeInstruction& i : code.instructions) {
      address_digits_ = std::max(address_digits_, strf("%llx", static_cast<unsigned long long>(i.machine.address)).size());
    }
    for (size_t r = 0; r < rows.size(); ++r) {
      if (rows[r].kind == Kind::kInstruction) { hottest_ = std::max(hottest_, costs[r].self.weight); }
    }
  }

  std::string by_line() {
    if (rows_.empty()) { return {}; }
    std::vector<bool> shown = choose_lines();
    bool gap = false;
    title();
    for (size_t r = 0; r < rows_.size(); ++r) {
      const CodeRow& row = rows_[r];
      if (row.kind == Kind::kFile) {
        gap = false;
        bool is_idle = row.file->empty() && r + 1 < rows_.size() && rows_[r + 1].kind == Kind::kLine && !has_cost(r + 1);
        if (is_idle) {  // instructions without lines and samples
          r = rows_[r + 1].end - 1;
          continue;
        }
        line({}, paint(style_, Paint::kBold, file_title(*row.file)));
        continue;
      }
      if (row.kind == Kind::kGap || !shown[r]) {
        if (!gap) { line({}, paint(style_, Paint::kDim, ellipsis(style_))); }
        gap = true;
        if (row.kind == Kind::kLine) { r = row.end - 1; }
        continue;
      }
      gap = false;
      if (row.kind != Kind::kInstruction && !has_cost(r)) {  // nor has anything that belongs to it
        if (row.depth == 0) { source_line(r); }
        r = row.end - 1;
        continue;
      }
      show(r);
    }
    return std::move(out_);
  }

  std::string by_address() {
    std::map<uint64_t, size_t> row_of;
    std::vector<size_t> order;  // rows of instructions, by address
    for (size_t r = 0; r < rows_.size(); ++r) {
      if (rows_[r].kind == Kind::kInstruction) { order.push_back(r); }
    }
    if (order.empty()) { return {}; }
    std::sort(order.begin(), order.end(), [&](size_t a, size_t b) { return rows_[a].instruction < rows_[b].instruction; });
    for (size_t k = 0; k < order.size(); ++k) { row_of[machine(order[k]).address] = k; }
    std::vector<std::pair<size_t, size_t>> jumps;
    for (size_t k = 0; k < order.size(); ++k) {
      const elf::Instruction& i = machine(order[k]);
      auto to = i.kind == elf::Instruction::Kind::kJump && i.target ? row_of.find(*i.target) : row_of.end();
      if (to != row_of.end()) { jumps.push_back({k, to->second}); }
    }
    std::vector<std::string> arrows = draw_jumps(order.size(), jumps, kMostLanes, style_.unicode);
    title();
    bool has_lines = std::any_of(code_.instructions.begin(), code_.instructions.end(), [](const auto& i) { return i.line != 0; });
    std::string last;
    for (size_t k = 0; k < order.size(); ++k) {
      const CodeInstruction& i = code_.instructions[rows_[order[k]].instruction];
      std::string where = !has_lines ? "" : i.line == 0 ? "?" : strf("%s:%u", std::string(base_name(i.file)).c_str(), i.line);
      for (size_t d = i.inlined.size(); d-- > 0;) {
        where += (d + 1 == i.inlined.size() ? "  " : style_.unicode ? " ← " : " <- ") + short_name(i.inlined[d].name);
      }
      if (!i.container.empty()) { where += "  (in " + short_name(i.container) + ")"; }
      if (where != last && !where.empty()) { line({}, paint(style_, Paint::kDim, printable(where))); }
      last = where;
      instruction(order[k], arrows[k] + " ");
    }
    return std::move(out_);
  }

 private:
  // The row, or an instruction of it.
  bool has_cost(size_t row) const {
    for (size_t r = row; r < rows_[row].end; ++r) {
      if (!costs_[r].self.empty() || (costs_[r].total && !costs_[r].total->empty())) { return true; }
    }
    return false;
  }

  const elf::Instruction& machine(size_t row) const { return code_.instructions[rows_[row].instruction].machine; }

  // Outermost lines with cost, and those around; all, if none has any.
  std::vector<bool> choose_lines() const {
    std::vector<size_t> lines;
    std::vector<bool> wanted;
    for (size_t r = 0; r < rows_.size(); r = rows_[r].kind == Kind::kLine ? rows_[r].end : r + 1) {
      if (rows_[r].kind != Kind::kLine) { continue; }
      lines.push_back(r);
      wanted.push_back(has_cost(r));
    }
    if (std::none_of(wanted.begin(), wanted.end(), [](bool w) { return w; })) { wanted.assign(wanted.size(), true); }
    std::vector<bool> shown(rows_.size(), false);
    size_t context = std::min(options_.context, lines.size()), next = 0;
    for (size_t k = 0; k < lines.size(); ++k) {
      if (!wanted[k]) { continue; }
      for (next = std::max(next, k - std::min(k, context)); next < std::min(lines.size(), k + context + 1); ++next) {
        for (size_t r = lines[next]; r < rows_[lines[next]].end; ++r) { shown[r] = true; }
      }
    }
    return shown;
  }

  void title() {
    std::string row = strf("%*s %*s", kPercentWidth, "SELF", kPercentWidth, "TOTAL");
    if (hottest_ > 0 && options_.instructions && !options_.skid.empty()) { row += "  " + options_.skid; }
    out_ += paint(style_, Paint::kDim, style_.width > 0 ? fit_start(style_, row, style_.width) : row) + "\n";
  }

  std::string percent(const Cost& cost) const {
    if (cost.empty()) { return std::string(kPercentWidth, ' '); }
    double part = share(cost.weight, all_.weight);
    return paint(style_, paint_of_share(part), strf("%*s", kPercentWidth, format_percent(part).c_str()));
  }

  void line(const RowCost& cost, const std::string& text) {
    std::string row = percent(cost.self) + " " + percent(cost.total.value_or(Cost{})) + "  " + text;
    while (row.ends_with(' ')) { row.pop_back(); }
    out_ += (style_.width > 0 ? fit_start(style_, row, style_.width) : row) + "\n";
  }

  // The name of the file is at its end.
  std::string file_title(const std::string& file) const {
    std::string name = file.empty() ? "unknown source" : printable(short_source(file));
    return style_.width > kTextColumn ? fit_middle(style_, name, style_.width - kTextColumn) : name;
  }

  std::string indent(uint32_t depth) const { return std::string(2 * std::min(depth, 20u), ' '); }

  void source_line(size_t r) {
    const CodeRow& row = rows_[r];
    std::string number = row.line == 0 ? "     ?" : strf("%6u", row.line);
    std::string text = row.text != nullptr ? source_text(*row.text) : "";
    if (row.text == nullptr && row.line != 0) { text = paint(style_, Paint::kDim, printable(std::string(base_name(*row.file)))); }
    line(costs_[r], indent(row.depth) + paint(style_, Paint::kDim, number) + "  " + text);
  }

  void instruction(size_t r, const std::string& before) {
    const CodeInstruction& i = code_.instructions[rows_[r].instruction];
    std::string text = strf("%*llx  ", static_cast<int>(address_digits_), static_cast<unsigned long long>(i.machine.address)) +
                       printable(i.machine.text);
    if (!i.called.empty()) {
      std::string name = shown_name(short_name(i.called));
      int room = style_.width - kTextColumn - display_width(before) - 2 - display_width(text) - 3;  // mark, " <", ">"
      text += " <" + (style_.width > 0 && room >= kLeastName ? fit_name(style_, name, room) : name) + ">";
    }
    bool is_hottest = hottest_ > 0 && costs_[r].self.weight == hottest_;
    std::string mark = !is_hottest ? "  " : style_.unicode ? "▶ " : "> ";
    text = paint(style_, is_hottest ? Paint::kHot : costs_[r].self.empty() ? Paint::kDim : Paint::kPlain, text);
    line(costs_[r], before + mark + text);
  }

  void show(size_t r) {
    const CodeRow& row = rows_[r];
    switch (row.kind) {
      case Kind::kLine: source_line(r); break;
      case Kind::kInlined:
        line(costs_[r], indent(row.depth) + "      " + (style_.unicode ? "↳ " : "- ") + shown_name(short_name(*row.text)) +
                            paint(style_, Paint::kDim, "  (inlined, " + printable(short_source(*row.file)) + ")"));
        break;
      case Kind::kInstruction:
        if (options_.instructions) { instruction(r, indent(row.depth) + "          "); }
        break;
      case Kind::kFile:
      case Kind::kGap: break;
    }
  }

  const FunctionCode& code_;
  const std::vector<CodeRow>& rows_;
  const std::vector<RowCost>& costs_;
  const Cost all_;
  const CodeViewOptions options_;
  const Style& style_;
  size_t address_digits_ = 4;
  int64_t hottest_ = 0;
  std::string out_;
};

}  // namespace

std::string source_text(std::string_view line) {
  std::string out;
  for (size_t column = 0; char c : line) {
    size_t blanks = c == '\t' ? 8 - column % 8 : 0;
    c == '\t' ? out.append(blanks, ' ') : out.append(1, c);
    column += c == '\t' ? blanks : 1;
  }
  return printable(out);
}

std::string render_function_line(const FunctionCode& code, const CodeCosts& costs, const Cost& all, const Style& style) {
  auto percent = [&](const Cost& cost) { return format_percent(share(cost.weight, all.weight)); };
  std::string module = code.module.empty() ? "" : "  " + printable(code.module);
  std::string shares = "  " + percent(costs.self) + " self, ";
  if (costs.code.weight != costs.self.weight) { shares += percent(costs.code) + " with inlined code, "; }
  shares += percent(costs.total) + " total";
  std::string name = shown_name(code.name);
  if (style.width > 0) {
    name = fit_name(style, name, std::max(style.width - display_width(module) - display_width(shares), 2 * kLeastName));
  }
  std::string out = paint(style, Paint::kBold, name) + paint(style, Paint::kDim, module) + shares;
  out = (style.width > 0 ? fit_start(style, out, style.width) : out) + "\n";
  for (const std::string& note : code.notes) { out += paint(style, Paint::kWarning, printable(note)) + "\n"; }
  return out;
}

std::string render_code(const FunctionCode& code, const std::vector<CodeRow>& rows, const std::vector<RowCost>& costs,
                        const Cost& all, const CodeViewOptions& options, const Style& style) {
  CodeView view(code, rows, costs, all, options, style);
  return options.source ? view.by_line() : view.by_address();
}

std::string render_parts(const std::vector<ShownPart>& parts, const Cost& all, const Style& style) {
  std::string out = paint(style, Paint::kDim, strf("%*s", kPercentWidth, "SELF")) + "\n";
  auto add = [&](const Cost& cost, const std::string& text) {
    double part = share(cost.weight, all.weight);
    std::string row = paint(style, paint_of_share(part), strf("%*s", kPercentWidth, format_percent(part).c_str())) + "  " + text;
    while (row.ends_with(' ')) { row.pop_back(); }
    out += (style.width > 0 ? fit_start(style, row, style.width) : row) + "\n";
  };
  for (const ShownPart& part : parts) {
    std::string file = part.file.empty() ? "" : printable(short_source(part.file));
    std::string where = part.inlined && !file.empty() ? "inlined, " + file : part.inlined ? "inlined" : file;
    add(part.self, paint(style, Paint::kBold, shown_name(part.inlined ? short_name(part.name) : part.name)) +
                       (where.empty() ? "" : paint(style, Paint::kDim, "  (" + where + ")")));
    for (const ShownPart::Line& line : part.lines) {
      std::string number = line.line == 0 ? "     ?" : strf("%6u", line.line);
      bool is_other = line.line != 0 && (line.file != part.file || !line.text);
      std::string base = is_other ? paint(style, Paint::kDim, printable(std::string(base_name(line.file))) + "  ") : "";
      add(line.self, paint(style, Paint::kDim, number) + "  " + base + (line.text ? source_text(*line.text) : ""));
    }
  }
  return out;
}

}  // namespace wick
