// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0

// Nothing in the text says whether lines have one count or two, and a function's name may end in a number ("frame 12 5"). So it
// is a difference where every line has two; the first line that has one settles it, and that is the first line nearly always.

#include "import/text/folded.h"

#include <algorithm>
#include <cstring>
#include <optional>

#include "base/text.h"
#include "import/text/folded_wide.h"
#include "model/profile_builder.h"

namespace wick {
namespace {

constexpr size_t kDecimals = 6;  // as many as people write
constexpr int64_t kDivisor = 1'000'000;
constexpr size_t kLongestLine = size_t{64} << 20;

struct Count {
  int64_t units = 0;
  uint32_t millionths = 0;
};
// False if the sum does not fit.
bool add_exactly(Count& sum, const Count& more) {
  uint32_t millionths = sum.millionths + more.millionths;
  int64_t carry = millionths >= kDivisor ? 1 : 0, units = 0;
  if (__builtin_add_overflow(sum.units, more.units, &units) || __builtin_add_overflow(units, carry, &units)) { return false; }
  sum = {units, millionths - static_cast<uint32_t>(carry * kDivisor)};
  return true;
}
enum class CountKind : uint8_t { kNone, kGood, kOutOfRange };

CountKind parse_folded_count(std::string_view text, Count& count) {
  bool is_negative = text.starts_with('-');
  if (is_negative) { text.remove_prefix(1); }
  size_t dot = text.find('.');
  std::string_view whole = text.substr(0, dot), part = dot == text.npos ? std::string_view() : text.substr(dot + 1);
  if (whole.empty() && part.empty()) { return CountKind::kNone; }
  auto is_digits = [](std::string_view digits) { return digits.find_first_not_of("0123456789") == digits.npos; };
  if (!is_digits(whole) || !is_digits(part)) { return CountKind::kNone; }
  std::optional<uint64_t> units = whole.empty() ? 0 : parse_u64(whole);
  if (is_negative || !units || *units > static_cast<uint64_t>(INT64_MAX)) { return CountKind::kOutOfRange; }
  count.units = static_cast<int64_t>(*units);
  count.millionths = 0;
  uint32_t digit = kDivisor / 10;
  for (char c : part.substr(0, kDecimals)) {
    count.millionths += static_cast<uint32_t>(c - '0') * digit;
    digit /= 10;
  }
  return CountKind::kGood;
}

bool is_blank(char c) { return c == ' ' || c == '\t'; }
// Where the last word begins; 0: there is but one. Counts are short, stacks are not.
size_t last_word(std::string_view text) {
  size_t at = text.size();
  while (at > 0 && !is_blank(text[at - 1])) { --at; }
  return at;
}

struct Line {
  std::string_view stack{};
  Count count{}, before{};  // `before`: of the word in front of the last
  CountKind kind = CountKind::kNone, before_kind = CountKind::kNone;
  std::string_view stack_before{};  // without that word
};
Line parse_line(std::string_view text) {
  Line line;
  text = trim(text);
  size_t word = last_word(text);
  if (word == 0) { return line; }
  std::string_view stack = trim(text.substr(0, word - 1));
  if (stack.empty()) { return line; }
  line.kind = parse_folded_count(text.substr(word), line.count);
  line.stack = stack;
  if (line.kind == CountKind::kNone) { return line; }
  size_t earlier = stack.size();  // the last character that no count has
  while (earlier > 0 &&
         ((stack[earlier - 1] >= '0' && stack[earlier - 1] <= '9') || stack[earlier - 1] == '.' || stack[earlier - 1] == '-')) {
    --earlier;
  }
  if (earlier == 0 || earlier == stack.size() || !is_blank(stack[earlier - 1])) { return line; }
  line.stack_before = trim(stack.substr(0, earlier - 1));
  if (line.stack_before.empty()) { return line; }
  line.before_kind = parse_folded_count(stack.substr(earlier), line.before);
  return line;
}

// Nearly every line ends in a blank and some digits. Nothing: see parse_line.
std::optional<Line> parse_plain_line(std::string_view text) {
  constexpr ptrdiff_t kMostDigits = 18;  // fit into 63 bits
  const char *begin = text.data(), *end = begin + text.size(), *digits = end;
  while (digits > begin && is_digit(digits[-1])) { --digits; }
  if (digits == begin || digits == end || end - digits > kMostDigits || !is_blank(digits[-1])) { return std::nullopt; }
  Line line;
  for (const char* c = digits; c < end; ++c) { line.count.units = line.count.units * 10 + (*c - '0'); }
  const char* stack_end = digits - 1;
  auto is_space = [](char c) { return c == ' ' || (c >= '\t' && c <= '\r'); };  // as trim() has it
  while (stack_end > begin && is_space(stack_end[-1])) { --stack_end; }
  while (begin < stack_end && is_space(*begin)) { ++begin; }
  if (begin == stack_end) { return std::nullopt; }
  line.stack = {begin, static_cast<size_t>(stack_end - begin)};
  line.kind = CountKind::kGood;
  return line;
}

bool is_ignored(std::string_view line) {
  return line.starts_with('#') || std::all_of(line.begin(), line.end(), [](char c) { return is_blank(c) || c == '\r'; });
}

// Whether all lines have two counts, as far as they have any. The last is not looked at where it may be cut.
bool all_have_two(std::string_view text, bool is_all) {
  bool any = false;
  for (size_t begin = 0; begin < text.size();) {
    size_t newline = text.find('\n', begin);
    if (newline == text.npos && !is_all) { break; }
    std::string_view line = text.substr(begin, newline - begin);
    begin = newline == text.npos ? text.size() : newline + 1;
    if (is_ignored(line) || line.size() > kLongestLine) { continue; }
    Line parsed = parse_line(line);
    if (parsed.kind == CountKind::kNone) { continue; }
    if (parsed.before_kind == CountKind::kNone) { return false; }
    any = true;
  }
  return any;
}

// The stack of a line. Lines are sorted or nearly so: what a line has in common with the one before is not looked up again.
class StackMaker {
 public:
  explicit StackMaker(ProfileBuilder& builder) : b_(builder) {}

  StackId stack_of(std::string_view text) {
    size_t common = 0, limit = std::min(text.size(), last_.size());
    while (common + 8 <= limit && std::memcmp(text.data() + common, last_.data() + common, 8) == 0) { common += 8; }
    while (common < limit && text[common] == last_[common]) { ++common; }
    // A frame is the same only if it ends within, or both end here.
    size_t kept = ends_.size();
    auto is_same = [&](size_t end) {
      return end < common ||
             (end == common && (end == text.size() || text[end] == ';') && (end == last_.size() || last_[end] == ';'));
    };
    while (kept > 0 && !is_same(ends_[kept - 1])) { --kept; }
    ends_.resize(kept);
    stacks_.resize(kept);
    size_t begin = kept == 0 ? 0 : ends_.back() + 1;
    StackId stack = kept == 0 ? StackId{} : stacks_.back();
    while (begin <= text.size()) {
      size_t end = std::min(text.find(';', begin), text.size());
      stack = b_.stack(b_.named_frame(text.substr(begin, end - begin)), stack);
      ends_.push_back(end);
      stacks_.push_back(stack);
      begin = end + 1;
    }
    last_ = text;
    return stack;
  }

 private:
  ProfileBuilder& b_;
  std::string last_;
  std::vector<size_t> ends_;  // of the frames of last_
  std::vector<StackId> stacks_;
};

// The lines that are stacks, and what is to be told of the others.
class FoldedLines {
 public:
  explicit FoldedLines(bool is_difference) : is_difference_(is_difference) {}

  // Calls row(stack, before, count, line number).
  template <typename Row>
  Status read(Input& input, const Row& row) {
    LineReader lines(input, kLongestLine);
    std::string_view text;
    for (;;) {
      uint64_t cut = lines.cut();
      WICK_LET(bool more, lines.next(text));
      if (!more) { break; }
      if (is_ignored(text)) { continue; }
      if (lines.cut() != cut) {
        add_problem(skipped_, lines.number());
        continue;
      }
      std::optional<Line> plain = is_difference_ ? std::nullopt : parse_plain_line(text);
      Line line = plain ? *plain : parse_line(text);
      bool lacks = line.kind == CountKind::kNone || (is_difference_ && line.before_kind == CountKind::kNone);
      bool is_out = line.kind == CountKind::kOutOfRange || (is_difference_ && line.before_kind == CountKind::kOutOfRange);
      if (lacks || is_out) {
        add_problem(lacks ? skipped_ : out_of_range_, lines.number());
        continue;
      }
      has_decimals_ = has_decimals_ || line.count.millionths != 0 || (is_difference_ && line.before.millionths != 0);
      row(is_difference_ ? line.stack_before : line.stack, line.before, line.count, lines.number());
      any_ = true;
    }
    if (any_ || skipped_.count == 0) { return ok_status(); }
    return Error("line %llu is not a folded stack (expected \"root;caller;leaf COUNT\")",
                 static_cast<unsigned long long>(skipped_.first))
        .with_code(Errc::kBadInput);
  }

  int64_t divisor() const { return has_decimals_ ? kDivisor : 1; }
  // In parts of the divisor, once all lines are read. Nothing: too much, which is told.
  std::optional<int64_t> weight_of(const Count& count, uint64_t line) {
    int64_t weight = count.units;
    if (has_decimals_ && (__builtin_mul_overflow(count.units, kDivisor, &weight) ||
                          __builtin_add_overflow(weight, static_cast<int64_t>(count.millionths), &weight))) {
      add_problem(out_of_range_, line);
      return std::nullopt;
    }
    return weight;
  }
  std::vector<std::string> warnings() const {
    std::vector<std::string> out;
    auto warn = [&](const Problem& problem, const char* what_of_one, const char* what) {
      if (problem.count == 0) { return; }
      bool one = problem.count == 1;
      out.push_back(strf("skipped %llu %s %s (first: line %llu)", static_cast<unsigned long long>(problem.count),
                         one ? "line" : "lines", one ? what_of_one : what, static_cast<unsigned long long>(problem.first)));
    };
    warn(skipped_, "that is not a folded stack", "that are not folded stacks");
    warn(out_of_range_, "whose count is negative or too large", "whose counts are negative or too large");
    return out;
  }

 private:
  struct Problem {
    uint64_t count = 0, first = 0;
  };
  static void add_problem(Problem& problem, uint64_t line) {
    if (problem.count++ == 0) { problem.first = line; }
  }

  bool is_difference_, has_decimals_ = false, any_ = false;
  Problem skipped_, out_of_range_;
};

class FoldedReader {
 public:
  FoldedReader(bool is_difference, const ImportOptions& options)
      : is_difference_(is_difference), options_(options), lines_(is_difference) {
    if (options.short_names) { b_.rename_named_frames(options.demangle); }
  }

  Status read(Input& input) {
    WICK_OK(begin_wide(input));
    return lines_.read(input, [&](std::string_view stack, const Count& before, const Count& count, uint64_t line) {
      if (wide_) {
        if (count.millionths == 0 && wide_->add(stack, static_cast<uint64_t>(count.units))) { return; }
        leave_wide(line);
      }
      add_row({stacks_.stack_of(stack), before, count, line});
    });
  }

  Profile finish() && {
    if (options_.merge) { b_.merge_samples(); }
    b_.set_imported(kFoldedReader.what, false);
    auto divisor = static_cast<uint64_t>(lines_.divisor());
    EventId first = b_.event(is_difference_ ? "before" : "samples", "samples", 0, divisor);
    EventId second = is_difference_ ? b_.event("after", "samples", 0, divisor) : first;
    thread_ = b_.add_thread(b_.add_process(0, ""), 0, "");
    for (const Row& row : rows_) {
      if (is_difference_) { add(row, row.before, first); }
      add(row, row.count, second);
    }
    if (wide_) { add_wide(first); }
    for (std::string& warning : lines_.warnings()) { b_.add_warning(std::move(warning)); }
    b_.about().is_difference = is_difference_;
    b_.about().has_counts = false;
    return std::move(b_).build();
  }

 private:
  struct Row {
    StackId stack;
    Count before, count;
    uint64_t line;
  };
  // Only wide stacks are to be seen.
  Status begin_wide(Input& input) {
    if (is_difference_ || !options_.merge || options_.least_share <= 0) { return ok_status(); }
    Bytes text;
    if (input.is_memory()) { WICK_LET(text, input.peek(SIZE_MAX)); }
    wide_.emplace(b_, options_.least_share, text, [&input](Bytes bytes) { input.release(bytes); });
    return ok_status();
  }
  // Decimal counts, and more text than is to be held: complete stacks from here on.
  void leave_wide(uint64_t line) {
    std::vector<uint64_t> own = std::move(*wide_).finish(WideStacks::Until::kLeaf);
    wide_.reset();
    for (uint32_t i = 0; i < own.size(); ++i) {
      if (own[i] > 0) { add_row({StackId{i}, {}, {static_cast<int64_t>(own[i]), 0}, line}); }
    }
  }
  void add_wide(EventId event) {
    std::vector<uint64_t> own = std::move(*wide_).finish(WideStacks::Until::kNarrow);
    wide_.reset();
    b_.reserve(static_cast<size_t>(std::count_if(own.begin(), own.end(), [](uint64_t weight) { return weight > 0; })), 0, 0);
    for (uint32_t i = 0; i < own.size(); ++i) {
      if (own[i] > 0) { add({StackId{i}, {}, {static_cast<int64_t>(own[i]), 0}, 0}, {static_cast<int64_t>(own[i]), 0}, event); }
    }
  }

  // Lines of the same stack are one row, unless somebody looks at their order (a flame chart).
  void add_row(const Row& row) {
    if (!options_.merge && !options_.merge_many) {
      rows_.push_back(row);
      return;
    }
    if (row.stack.value >= row_of_stack_.size()) { row_of_stack_.resize(row.stack.value + row.stack.value / 2 + 64, kNoRow); }
    uint32_t& known = row_of_stack_[row.stack.value];
    if (known != kNoRow) {
      Row& first = rows_[known];
      Count before = first.before, count = first.count;
      if (add_up(before, row.before) && add_up(count, row.count)) {
        first.before = before;
        first.count = count;
        return;
      }
    }
    known = static_cast<uint32_t>(rows_.size());
    rows_.push_back(row);
  }
  // False for decimals, of which each line may be a sample, and for sums that do not fit.
  static bool add_up(Count& sum, const Count& more) {
    return sum.millionths == 0 && more.millionths == 0 && !__builtin_add_overflow(sum.units, more.units, &sum.units);
  }

  void add(const Row& row, const Count& count, EventId event) {
    if (count.units == 0 && count.millionths == 0) { return; }
    std::optional<int64_t> weight = lines_.weight_of(count, row.line);
    if (!weight) { return; }
    uint64_t samples = std::max<uint64_t>(1, static_cast<uint64_t>(count.units));
    b_.add_sample({.thread = thread_, .stack = row.stack, .event = event, .weight = *weight, .count = samples});
  }

  bool is_difference_;
  const ImportOptions& options_;
  FoldedLines lines_;
  ProfileBuilder b_;
  StackMaker stacks_{b_};
  std::optional<WideStacks> wide_;
  std::vector<Row> rows_;
  static constexpr uint32_t kNoRow = UINT32_MAX;
  std::vector<uint32_t> row_of_stack_;
  ThreadId thread_;
};

bool looks_like_stack(std::string_view text) {
  bool is_text = std::none_of(text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) < ' ' && c != '\t'; });
  constexpr std::ptrdiff_t kLongName = 1000;
  return is_text && std::count(text.begin(), text.end(), ';') > static_cast<std::ptrdiff_t>(text.size()) / kLongName &&
         text.find_first_of("{}=\"") > text.find(';');
}

std::string_view text_of(Bytes bytes) { return {reinterpret_cast<const char*>(bytes.data()), bytes.size()}; }

}  // namespace

bool is_folded(const Head& head) {
  std::string_view text = head.text;
  if (!head.is_all) {
    size_t newline = text.rfind('\n');
    // One stack that is longer than the head: its count is not in sight, but many frames are.
    if (newline == text.npos) { return looks_like_stack(text); }
    text = text.substr(0, newline);
  }
  size_t good = 0, all = 0;
  bool has_callers = false, has_sentences = false;
  for (std::string_view line : split(text, '\n')) {
    if (is_ignored(line)) { continue; }
    ++all;
    Line parsed = parse_line(line);
    good += parsed.kind != CountKind::kNone;
    has_callers |= parsed.stack.find(';') != parsed.stack.npos;
    bool is_number = parsed.stack.find_first_not_of("0123456789.") == parsed.stack.npos;
    has_sentences |= is_number || parsed.stack.find_first_of(" \t,") != parsed.stack.npos;
  }
  // Where no function has a caller, lines that end in a number are most likely a log or a table.
  return good > 0 && good * 10 >= all * 9 && (has_callers || !has_sentences);
}

Result<Profile> read_folded(Input& input, const ImportOptions& options) {
  WICK_LET(Bytes head, input.peek(kHeadBytes));
  if (!all_have_two(text_of(head), head.size() < kHeadBytes)) {
    FoldedReader reader(false, options);
    WICK_OK(reader.read(input));
    return std::move(reader).finish();
  }
  WICK_LET(WholeInput whole, read_whole(input));
  FoldedReader reader(all_have_two(text_of(whole.bytes), true), options);
  Input again(make_memory_pieces(whole.bytes));
  WICK_OK(reader.read(again));
  return std::move(reader).finish();
}

// The stacks stay where they are in the text.
Result<std::optional<FoldedText>> read_folded_text(WholeInput whole) {
  FoldedText out;
  out.whole = std::move(whole);
  if (all_have_two(text_of(out.whole.bytes), true)) { return std::optional<FoldedText>(); }
  struct Row {
    Count count;
    uint64_t line;
  };
  std::vector<Row> rows;
  FoldedLines lines(false);
  Input input(make_memory_pieces(out.whole.bytes));
  WICK_OK(lines.read(input, [&](std::string_view stack, const Count&, const Count& count, uint64_t line) {
    // Equal lines in a row cost no memory: compressed, millions of them are a small file.
    if (!rows.empty() && out.rows.back().stack == stack && add_exactly(rows.back().count, count)) { return; }
    rows.push_back({count, line});
    out.rows.push_back({stack, 0});
  }));
  out.divisor = static_cast<uint64_t>(lines.divisor());
  for (size_t i = 0; i < rows.size(); ++i) { out.rows[i].weight = lines.weight_of(rows[i].count, rows[i].line).value_or(0); }
  std::erase_if(out.rows, [](const CountedStack& row) { return row.weight == 0; });
  out.warnings = lines.warnings();
  return std::optional<FoldedText>(std::move(out));
}

}  // namespace wick
