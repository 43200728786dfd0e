// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "import/full_match.h"

#include <algorithm>

namespace wick {

// Each part of the pattern becomes states whose way out is not known yet; parts are joined by telling it.
class PatternParser {
 public:
  explicit PatternParser(std::string_view pattern) : rest_(pattern) {}

  std::optional<FullMatch> run() {
    Part whole = alternatives(0);
    if (failed_ || !rest_.empty()) { return std::nullopt; }
    uint32_t end = add({.kind = State::kEnd});
    if (failed_) { return std::nullopt; }
    join(whole, end);
    out_.start_ = whole.start;
    return std::move(out_);
  }

 private:
  using State = FullMatch::State;
  static constexpr size_t kMostStates = 4000, kDeepest = 100;
  struct Exit {
    uint32_t state;
    bool other;
  };
  struct Part {
    uint32_t start = 0;
    std::vector<Exit> exits{};
  };

  uint32_t add(State state) {
    failed_ = failed_ || out_.states_.size() >= kMostStates;
    if (!failed_) { out_.states_.push_back(state); }
    return static_cast<uint32_t>(out_.states_.size() - 1);
  }
  void join(const Part& part, uint32_t to) {
    for (Exit exit : part.exits) {
      State& state = out_.states_[exit.state];
      (exit.other ? state.other : state.next) = to;
    }
  }
  Part fork(uint32_t first) {
    uint32_t at = add({.kind = State::kFork, .next = first});
    return {at, {{at, true}}};
  }
  Part empty() {  // a fork that leads to the same twice
    uint32_t at = add({.kind = State::kFork});
    return {at, {{at, false}, {at, true}}};
  }

  Part alternatives(size_t depth) {
    if (depth > kDeepest) { failed_ = true; }
    Part out = sequence(depth);
    while (!failed_ && rest_.starts_with('|')) {
      rest_.remove_prefix(1);
      Part more = sequence(depth);
      if (failed_) { break; }
      uint32_t at = add({.kind = State::kFork, .next = out.start, .other = more.start});
      out.start = at;
      out.exits.insert(out.exits.end(), more.exits.begin(), more.exits.end());
    }
    return out;
  }

  Part sequence(size_t depth) {
    std::optional<Part> out;
    while (!failed_ && !rest_.empty() && rest_[0] != '|' && rest_[0] != ')') {
      Part next = repeated(depth);
      if (failed_) { break; }
      if (!out) {
        out = std::move(next);
        continue;
      }
      join(*out, next.start);
      out->exits = std::move(next.exits);
    }
    return out ? *std::move(out) : empty();
  }

  Part repeated(size_t depth) {
    Part part = atom(depth);
    if (failed_ || rest_.empty() || (rest_[0] != '*' && rest_[0] != '+' && rest_[0] != '?')) { return part; }
    char how = rest_[0];
    rest_.remove_prefix(1);
    if (rest_.starts_with('?')) { rest_.remove_prefix(1); }  // the shortest: which one does not matter for a whole match
    if (!rest_.empty() && (rest_[0] == '*' || rest_[0] == '+' || rest_[0] == '?')) { failed_ = true; }
    if (failed_) { return part; }
    Part out = fork(part.start);
    if (failed_) { return out; }
    if (how == '?') {
      out.exits.insert(out.exits.end(), part.exits.begin(), part.exits.end());
      return out;
    }
    join(part, out.start);
    if (how == '+') { out.start = part.start; }
    return out;
  }

  Part single(State state) {
    uint32_t at = add(state);
    return {at, {{at, false}}};
  }

  Part atom(size_t depth) {
    char c = rest_[0];
    rest_.remove_prefix(1);
    if (c == '(') {
      if (rest_.starts_with("?:")) { rest_.remove_prefix(2); }
      if (rest_.starts_with('?') || rest_.starts_with('*')) { failed_ = true; }
      Part inner = failed_ ? Part{} : alternatives(depth + 1);
      failed_ = failed_ || !rest_.starts_with(')');
      if (!failed_) { rest_.remove_prefix(1); }
      return inner;
    }
    if (c == '.') { return single({.kind = State::kAny}); }
    if (c == '[') { return set(); }
    if (c == '\\') {
      FullMatch::Set escaped;
      std::optional<uint8_t> byte = escape(escaped);
      if (byte) { return single({.kind = State::kByte, .byte = *byte}); }
      return add_set(escaped);
    }
    constexpr std::string_view kOthers = "*+?{^$";
    failed_ = failed_ || kOthers.find(c) != kOthers.npos;
    return single({.kind = State::kByte, .byte = static_cast<uint8_t>(c)});
  }

  static void put(FullMatch::Set& set, unsigned from, unsigned to) {
    for (unsigned b = from; b <= to; ++b) { set.bits[b / 64] |= uint64_t{1} << b % 64; }
  }
  static void invert(FullMatch::Set& set) {
    for (uint64_t& bits : set.bits) { bits = ~bits; }
  }
  Part add_set(const FullMatch::Set& set) {
    out_.sets_.push_back(set);
    return single({.kind = State::kClass, .set = static_cast<uint32_t>(out_.sets_.size() - 1)});
  }

  // Behind the backslash: a byte, or nothing, and the set that it stands for.
  std::optional<uint8_t> escape(FullMatch::Set& set) {
    if (rest_.empty()) {
      failed_ = true;
      return 0;
    }
    char c = rest_[0];
    rest_.remove_prefix(1);
    char lower = c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
    if (lower == 'd' || lower == 'w') { put(set, '0', '9'); }
    if (lower == 'w') {
      put(set, 'a', 'z');
      put(set, 'A', 'Z');
      put(set, '_', '_');
    }
    if (lower == 's') {
      for (unsigned char blank : {' ', '\t', '\n', '\r', '\f'}) { put(set, blank, blank); }
    }
    if (lower == 'd' || lower == 'w' || lower == 's') {
      if (c != lower) { invert(set); }
      return std::nullopt;
    }
    if (c == 't') { return '\t'; }
    if (c == 'n') { return '\n'; }
    failed_ = failed_ || (c >= '0' && c <= '9') || (lower >= 'a' && lower <= 'z');
    return static_cast<uint8_t>(c);
  }

  Part set() {
    FullMatch::Set set;
    bool negated = rest_.starts_with('^');
    if (negated) { rest_.remove_prefix(1); }
    for (bool first = true; !failed_; first = false) {
      if (rest_.empty() || rest_.starts_with("[:")) { failed_ = true; }
      if (failed_) { break; }
      uint8_t from = static_cast<uint8_t>(rest_[0]);
      rest_.remove_prefix(1);
      if (from == ']' && !first) { break; }
      if (from == '\\') {
        std::optional<uint8_t> byte = escape(set);
        if (!byte) { continue; }
        from = *byte;
      }
      uint8_t to = from;
      if (rest_.size() >= 2 && rest_[0] == '-' && rest_[1] != ']') {
        to = static_cast<uint8_t>(rest_[1]);
        rest_.remove_prefix(2);
        failed_ = failed_ || to == '\\' || to < from;
      }
      if (!failed_) { put(set, from, to); }
    }
    if (negated) { invert(set); }
    return add_set(set);
  }

  std::string_view rest_;
  FullMatch out_;
  bool failed_ = false;
};

std::optional<FullMatch> FullMatch::parse(std::string_view pattern) { return PatternParser(pattern).run(); }

bool FullMatch::matches(std::string_view text) const {
  std::vector<uint32_t> now, next, open;
  std::vector<size_t> seen(states_.size(), SIZE_MAX);  // the step at which a state was reached
  auto reach = [&](uint32_t state, size_t step, std::vector<uint32_t>& into) {
    open.assign(1, state);
    while (!open.empty()) {
      uint32_t at = open.back();
      open.pop_back();
      if (seen[at] == step) { continue; }
      seen[at] = step;
      if (states_[at].kind == State::kFork) {
        open.push_back(states_[at].next);
        open.push_back(states_[at].other);
      } else {
        into.push_back(at);
      }
    }
  };
  reach(start_, 0, now);
  for (size_t i = 0; i < text.size() && !now.empty(); ++i) {
    uint8_t byte = static_cast<uint8_t>(text[i]);
    next.clear();
    for (uint32_t at : now) {
      const State& s = states_[at];
      bool fits = s.kind == State::kAny || (s.kind == State::kByte && s.byte == byte) ||
                  (s.kind == State::kClass && (sets_[s.set].bits[byte / 64] >> byte % 64 & 1) != 0);
      if (fits) { reach(s.next, i + 1, next); }
    }
    now.swap(next);
  }
  return std::any_of(now.begin(), now.end(), [&](uint32_t at) { return states_[at].kind == State::kEnd; });
}

}  // namespace wick
