// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "import/text/stack_text.h"

#include <algorithm>

#include "base/text.h"

namespace wick {
namespace {

constexpr uint64_t kMostCount = uint64_t{1} << 53;  // more than a lifetime of nanoseconds, counts or bytes in one row
constexpr uint64_t kMostTotal = uint64_t{1} << 62;

unsigned long long printed(uint64_t n) { return n; }

}  // namespace

StackImport::StackImport(std::string_view what, const ImportOptions& options, Input& input, bool has_times)
    : options_(options), lines_(input) {
  if (options.merge) { builder_.merge_samples(); }
  builder_.set_imported(what, has_times);
}

ThreadId StackImport::thread(uint32_t pid, uint32_t tid, std::string_view name, std::string_view process_name) {
  if (process_name.empty() && pid != 0) { process_name = name; }
  std::string process = strf("%u ", pid) + std::string(process_name);
  auto [it, fresh] = threads_.try_emplace(strf("%u ", tid) + process + "\n" + std::string(name), ThreadId{});
  if (!fresh) { return it->second; }
  auto [of, is_new] = processes_.try_emplace(std::move(process), ProcessId{});
  if (is_new) { of.value() = builder_.add_process(pid, process_name); }
  it.value() = builder_.add_thread(of->second, tid, name);
  return it->second;
}

Rules StackImport::choose_rules(std::initializer_list<Rules> known) {
  as_read_ = std::find(known.begin(), known.end(), options_.rules) != known.end();
  return as_read_ ? options_.rules : Rules::kOwn;
}

FrameId StackImport::frame(const TextFrame& frame) {
  ModuleId module;
  if (!frame.module.empty()) { module = builder_.module(frame.module, {}, frame.kernel); }
  std::string_view name = frame.name, raw;
  std::string made;
  bool is_mangled = name.starts_with("_Z") || name.starts_with("_R") || name.starts_with("__Z");
  if (is_mangled && options_.demangle && !as_read_) {
    raw = name;
    auto [it, fresh] = demangled_.try_emplace(std::string(name), std::string());
    if (fresh) {
      it.value() = options_.demangle(name.starts_with("__Z") ? name.substr(1) : name);
    }  // macOS prefixes all symbols with "_"
    made = it->second;
    name = made;
  }
  bool known = frame.known && !name.empty();
  if (frame.module_in_name && known && !frame.module.empty()) {
    made = std::string(frame.module.substr(frame.module.rfind('/') + 1)) + "`" + std::string(name);
    name = made;
  }
  if (name.empty()) {
    made = name_unknown(frame.module);
    name = made;
  }
  return builder_.frame({.function = builder_.function(name, raw, module, known),
                         .address = frame.address,
                         .file = builder_.string(frame.file),
                         .line = frame.line,
                         .column = frame.column,
                         .inlined = frame.inlined});
}

StackId StackImport::take(StackId outer) {
  for (auto it = open_.rbegin(); it != open_.rend(); ++it) { outer = builder_.stack(*it, outer); }
  open_.clear();
  return outer;
}

void StackImport::add(const Sample& sample) {
  if (sample.weight < 0 || static_cast<uint64_t>(sample.weight) > kMostTotal - total_) {
    if (too_much_++ == 0) { first_too_much_ = line_number(); }
    return;
  }
  total_ += static_cast<uint64_t>(sample.weight);
  ++samples_;
  builder_.add_sample(sample);
}

void warn_of_cut_lines(ProfileBuilder& builder, const LineReader& lines) {
  if (lines.cut() == 0) { return; }
  builder.add_warning(strf("truncated %llu %s longer than %s (first: line %llu)", printed(lines.cut()),
                           lines.cut() == 1 ? "line" : "lines", human_bytes(lines.longest()).c_str(),
                           printed(lines.first_cut())));
}

Result<Profile> StackImport::finish(const char* expected) {
  if (samples_ == 0) {
    if (skipped_ > 0) {
      return Error("no complete stack; line %llu is not as expected: %s", printed(first_skipped_), expected)
          .with_code(Errc::kBadInput);
    }
    return Error("no stacks in %llu lines; expected: %s", printed(lines_.number()), expected).with_code(Errc::kBadInput);
  }
  if (skipped_ > 0) {
    builder_.add_warning(strf("skipped %llu unreadable %s (first: line %llu)", printed(skipped_),
                              skipped_ == 1 ? "line" : "lines", printed(first_skipped_)));
  }
  warn_of_cut_lines(builder_, lines_);
  if (too_much_ > 0) {
    builder_.add_warning(strf("skipped %llu %s (first: line %llu): the costs add up to more than 2^62", printed(too_much_),
                              too_much_ == 1 ? "stack" : "stacks", printed(first_too_much_)));
  }
  builder_.about().names_as_read = as_read_;
  return std::move(builder_).build();
}

void TreeImport::add(const Row& row) {
  close(row.depth);
  Open open{.row = row, .line = import_.line_number()};
  if (!open_.empty()) { open_.back().below += std::min(row.cost, kMostCount); }
  if (root_ == Root::kOutermost && row.frame.valid()) {
    open.stack = import_.builder().stack(row.frame, open_.empty() ? StackId{} : open_.back().stack);
  }
  open_.push_back(open);
}

// Closes rows that are as deep or deeper: what is left of their cost is self cost.
void TreeImport::close(size_t depth) {
  while (!open_.empty() && open_.back().row.depth >= depth) {
    Open& done = open_.back();
    if (done.below > done.row.cost) {
      import_.skip(done.line);
    } else if (uint64_t own = done.row.cost - done.below; own > 0) {
      StackId stack = done.stack;
      if (root_ == Root::kInnermost) {
        for (const Open& o : open_) {
          if (o.row.frame.valid()) { import_.push(o.row.frame); }
        }
        stack = import_.take();
      }
      import_.add({.thread = done.row.thread,
                   .stack = stack,
                   .event = done.row.event,
                   .weight = static_cast<int64_t>(own),
                   .count = own});
    }
    open_.pop_back();
  }
}

std::string name_unknown(std::string_view module) {
  std::string_view name = module.substr(module.rfind('/') + 1);
  if (name.empty()) { return "[unknown]"; }
  return name.starts_with('[') ? std::string(name) : "[" + std::string(name) + "]";
}

std::string_view trim_left(std::string_view text) {
  size_t at = text.find_first_not_of(" \t");
  return at == text.npos ? std::string_view() : text.substr(at);
}

size_t count_indent(std::string_view line) { return std::min(line.find_first_not_of(" \t"), line.size()); }

bool is_digits(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

bool is_number_line(std::string_view line) { return is_digits(trim(line)); }

std::string_view take_word(std::string_view& text) {
  text = trim_left(text);
  std::string_view word = text.substr(0, text.find_first_of(" \t"));
  text.remove_prefix(word.size());
  return word;
}

std::optional<uint64_t> parse_hex(std::string_view text) {
  if (!text.starts_with("0x") && !text.starts_with("0X")) { return std::nullopt; }
  return parse_u64(text.substr(2), 16);
}

std::optional<uint64_t> parse_count(std::string_view digits) {
  if (!is_digits(digits)) { return std::nullopt; }
  std::optional<uint64_t> count = parse_u64(digits);
  return count && *count <= kMostCount ? count : std::nullopt;
}

std::optional<uint64_t> parse_decimal(std::string_view text, uint64_t scale) {
  text = trim(text);
  // The last mark that appears once is the decimal point, unless exactly three digits follow a "," (groups) and no other mark
  // decides.
  size_t last = text.find_last_of(".,"), dots = static_cast<size_t>(std::count(text.begin(), text.end(), '.'));
  size_t commas = static_cast<size_t>(std::count(text.begin(), text.end(), ','));
  if (dots > 1 && commas > 1) { return std::nullopt; }
  size_t point = text.npos;
  if (last != text.npos) {
    bool is_dot = text[last] == '.';
    bool once = (is_dot ? dots : commas) == 1, others = (is_dot ? commas : dots) > 0;
    bool looks_grouped = !is_dot && !others && text.size() - last - 1 == 3 && last > 0 && text[0] != '0';
    if (once && !looks_grouped) { point = last; }
  }
  std::string whole, part;
  for (size_t i = 0; i < text.size(); ++i) {
    char c = text[i];
    if (c >= '0' && c <= '9') {
      (point != text.npos && i > point ? part : whole) += c;
    } else if ((c != '.' && c != ',') || (point != text.npos && i > point)) {
      return std::nullopt;
    }
  }
  if (whole.empty() && part.empty()) { return std::nullopt; }
  std::optional<uint64_t> units = whole.empty() ? 0 : parse_u64(whole);
  if (!units || *units > kMostCount / scale) { return std::nullopt; }
  uint64_t value = *units * scale, digit = scale;
  bool up = false;
  for (char c : part) {
    if (digit < 10) {
      up = c >= '5';
      break;
    }
    digit /= 10;
    value += static_cast<uint64_t>(c - '0') * digit;
  }
  return value + (up ? 1 : 0);
}

std::optional<Quantity> parse_quantity(std::string_view text) {
  text = trim(text);
  size_t end = text.find_first_not_of("0123456789.,");
  std::string_view number = text.substr(0, end), unit = end == text.npos ? std::string_view() : trim(text.substr(end));
  struct Known {
    std::string_view name, unit;
    uint64_t scale;
  };
  constexpr uint64_t kSecond = 1'000'000'000, kKilo = 1024;
  static constexpr Known kKnown[] = {{"", "samples", 1},
                                     {"ns", "ns", 1},
                                     {"us", "ns", 1000},
                                     {"\xc2\xb5s", "ns", 1000},
                                     {"\xce\xbcs", "ns", 1000},
                                     {"ms", "ns", 1'000'000},
                                     {"s", "ns", kSecond},
                                     {"sec", "ns", kSecond},
                                     {"min", "ns", 60 * kSecond},
                                     {"mins", "ns", 60 * kSecond},
                                     {"hr", "ns", 3600 * kSecond},
                                     {"hrs", "ns", 3600 * kSecond},
                                     {"h", "ns", 3600 * kSecond},
                                     {"hours", "ns", 3600 * kSecond},
                                     {"days", "ns", 86400 * kSecond},
                                     {"B", "bytes", 1},
                                     {"Bytes", "bytes", 1},
                                     {"bytes", "bytes", 1},
                                     {"kB", "bytes", kKilo},
                                     {"KB", "bytes", kKilo},
                                     {"MB", "bytes", kKilo * kKilo},
                                     {"GB", "bytes", kKilo * kKilo * kKilo},
                                     {"TB", "bytes", kKilo * kKilo * kKilo * kKilo},
                                     {"cycles", "cycles", 1},
                                     {"Kc", "cycles", 1000},
                                     {"Mc", "cycles", 1'000'000},
                                     {"Gc", "cycles", kSecond}};
  for (const Known& known : kKnown) {
    if (known.name != unit) { continue; }
    // Powers of two are not decimal: thousandths of the unit are exact enough for numbers with two decimals.
    if (known.scale % 10 == 0 || known.scale == 1) {
      std::optional<uint64_t> value = parse_decimal(number, known.scale);
      return value ? std::optional(Quantity{*value, known.unit, 1}) : std::nullopt;
    }
    std::optional<uint64_t> thousandths = parse_decimal(number, 1000);
    if (!thousandths || *thousandths > kMostCount / known.scale) { return std::nullopt; }
    return Quantity{*thousandths * known.scale / 1000, known.unit, 1};
  }
  if (unit.size() > 12 || unit.find_first_of(" \t/:;()[]{}") != unit.npos) { return std::nullopt; }
  std::optional<uint64_t> value = parse_decimal(number, 1'000'000);
  return value ? std::optional(Quantity{*value, unit, 1'000'000}) : std::nullopt;
}

std::string_view strip_offset(std::string_view name, const StackImport& import) {
  size_t plus = name.rfind('+');
  bool keep = import.options().include_offset && import.depth() > 0;
  if (keep || plus == name.npos || plus == 0) { return name; }
  std::string_view offset = name.substr(plus + 1);
  bool is_offset = is_digits(offset) || parse_hex(offset).has_value();
  return is_offset ? name.substr(0, plus) : name;
}

}  // namespace wick
