// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0

// Nothing in the text says whether lines have one count or two, and a function's name may end in a number ("frame 12 5"). So it
// is a difference where every line has two; the first line that has one settles it, and that is the first line nearly always.

#include "import/folded.h"

#include <algorithm>
#include <cstring>
#include <optional>

#include "base/text.h"
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
enum class CountKind : uint8_t { kNone, kGood, kOutOfRange };

CountKind parse_count(std::string_view text, Count& count) {
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

struct Line {
  std::string_view stack{};
  Count count{}, before{};  // `before`: of the word in front of the last
  CountKind kind = CountKind::kNone, before_kind = CountKind::kNone;
  std::string_view stack_before{};  // without that word
};
Line parse_line(std::string_view text) {
  Line line;
  text = trim(text);
  size_t blank = text.find_last_of(" \t");
  if (blank == text.npos) { return line; }
  std::string_view stack = trim(text.substr(0, blank));
  if (stack.empty()) { return line; }
  line.kind = parse_count(text.substr(blank + 1), line.count);
  line.stack = stack;
  // Only a digit or a dot ends a count.
  bool may_have_two = line.kind != CountKind::kNone && ((stack.back() >= '0' && stack.back() <= '9') || stack.back() == '.');
  if (!may_have_two) { return line; }
  size_t earlier = stack.find_last_of(" \t");
  if (earlier == stack.npos) { return line; }
  line.stack_before = trim(stack.substr(0, earlier));
  if (line.stack_before.empty()) { return line; }
  line.before_kind = parse_count(stack.substr(earlier + 1), line.before);
  return line;
}

bool is_ignored(std::string_view line) { return line.starts_with('#') || line.find_first_not_of(" \t\r") == line.npos; }

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

struct Row {
  StackId stack;
  Count before, count;
  uint64_t line;
};

class FoldedReader {
 public:
  explicit FoldedReader(bool is_difference) : is_difference_(is_difference) {}

  Status read(Input& input) {
    LineReader lines(input, kLongestLine);
    std::string_view text;
    for (;;) {
      uint64_t cut = lines.cut();
      WICK_LET(bool more, lines.next(text));
      if (!more) { return ok_status(); }
      if (is_ignored(text)) { continue; }
      if (lines.cut() != cut) {
        add_problem(skipped_, lines.number());
        continue;
      }
      Line line = parse_line(text);
      bool lacks = line.kind == CountKind::kNone || (is_difference_ && line.before_kind == CountKind::kNone);
      bool is_out = line.kind == CountKind::kOutOfRange || (is_difference_ && line.before_kind == CountKind::kOutOfRange);
      if (lacks || is_out) {
        add_problem(lacks ? skipped_ : out_of_range_, lines.number());
        continue;
      }
      has_decimals_ = has_decimals_ || line.count.millionths != 0 || (is_difference_ && line.before.millionths != 0);
      add_row({stacks_.stack_of(is_difference_ ? line.stack_before : line.stack), line.before, line.count, lines.number()});
    }
  }

  Result<Profile> finish(const ImportOptions& options) && {
    if (rows_.empty() && skipped_.count > 0) {
      return Error("line %llu is no folded stack (expected \"root;caller;leaf COUNT\")",
                   static_cast<unsigned long long>(skipped_.first))
          .with_code(Errc::kBadInput);
    }
    if (options.merge) { b_.merge_samples(); }
    b_.set_imported(kFoldedReader.what, false);
    int64_t divisor = has_decimals_ ? kDivisor : 1;
    EventId first = b_.event(is_difference_ ? "before" : "samples", "samples", 0, static_cast<uint64_t>(divisor));
    EventId second = is_difference_ ? b_.event("after", "samples", 0, static_cast<uint64_t>(divisor)) : first;
    thread_ = b_.add_thread(b_.add_process(0, ""), 0, "");
    for (const Row& row : rows_) {
      if (is_difference_) { add(row, row.before, first, divisor); }
      add(row, row.count, second, divisor);
    }
    warn(skipped_, "is no folded stack", "are no folded stacks");
    warn(out_of_range_, "has a count that is negative or too large", "have counts that are negative or too large");
    Profile profile = std::move(b_).build();
    profile.is_difference = is_difference_;
    profile.has_counts = false;
    return profile;
  }

 private:
  // Lines of the same stack are one row: there is nothing else that would tell them apart.
  void add_row(const Row& row) {
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

  struct Problem {
    uint64_t count = 0, first = 0;
  };
  static void add_problem(Problem& problem, uint64_t line) {
    if (problem.count++ == 0) { problem.first = line; }
  }
  void warn(const Problem& problem, const char* what_of_one, const char* what) {
    if (problem.count == 0) { return; }
    bool one = problem.count == 1;
    b_.add_warning(strf("%llu %s %s and %s left out, the first is line %llu", static_cast<unsigned long long>(problem.count),
                        one ? "line" : "lines", one ? what_of_one : what, one ? "was" : "were",
                        static_cast<unsigned long long>(problem.first)));
  }
  void add(const Row& row, const Count& count, EventId event, int64_t divisor) {
    if (count.units == 0 && count.millionths == 0) { return; }
    int64_t weight = count.units;
    if (divisor != 1 && (__builtin_mul_overflow(count.units, divisor, &weight) ||
                         __builtin_add_overflow(weight, static_cast<int64_t>(count.millionths), &weight))) {
      add_problem(out_of_range_, row.line);
      return;
    }
    uint64_t samples = std::max<uint64_t>(1, static_cast<uint64_t>(count.units));
    b_.add_sample({.thread = thread_, .stack = row.stack, .event = event, .weight = weight, .count = samples});
  }

  bool is_difference_;
  ProfileBuilder b_;
  StackMaker stacks_{b_};
  std::vector<Row> rows_;
  static constexpr uint32_t kNoRow = UINT32_MAX;
  std::vector<uint32_t> row_of_stack_;
  ThreadId thread_;
  Problem skipped_, out_of_range_;
  bool has_decimals_ = false;
};

bool looks_like_stack(std::string_view text) {
  bool is_text = std::none_of(text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) < ' ' && c != '\t'; });
  constexpr std::ptrdiff_t kLongName = 1000;
  return is_text && std::count(text.begin(), text.end(), ';') > static_cast<std::ptrdiff_t>(text.size()) / kLongName &&
         text.find_first_of("{}=\"") > text.find(';');
}

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
  auto text_of = [](Bytes bytes) { return std::string_view(reinterpret_cast<const char*>(bytes.data()), bytes.size()); };
  if (!all_have_two(text_of(head), head.size() < kHeadBytes)) {
    FoldedReader reader(false);
    WICK_OK(reader.read(input));
    return std::move(reader).finish(options);
  }
  WICK_LET(WholeInput whole, read_whole(input));
  FoldedReader reader(all_have_two(text_of(whole.bytes), true));
  Input again(make_memory_pieces(whole.bytes));
  WICK_OK(reader.read(again));
  return std::move(reader).finish(options);
}

}  // namespace wick
