// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0

// Two passes in linear time for any text. The first matches brackets: "<" and ">" may also be operators and comparisons in
// template arguments, so only a "<" where arguments can begin opens a pair, and other closing brackets close those left open. The
// second copies what stays.

#include "model/function_name.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <utility>
#include <vector>

namespace wick {
namespace {

bool is_identifier(char c) {
  return c == '_' || c == '$' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c & 0x80) != 0;
}
bool is_one_of(char c, const char* set) { return c != '\0' && std::strchr(set, c) != nullptr; }

constexpr std::string_view kOperator = "operator";

// The length of "operator" and its symbol at `at`, else 0. Brackets in the symbol do not count.
size_t operator_length(std::string_view name, size_t at) {
  std::string_view rest = name.substr(at);
  if (!rest.starts_with(kOperator) || (at > 0 && is_identifier(name[at - 1]))) { return 0; }
  rest.remove_prefix(kOperator.size());
  if (!rest.empty() && is_identifier(rest[0])) { return 0; }
  for (std::string_view sign : {"<=>", "<<=", ">>=", "->*", "()", "[]", "<<", ">>", "<=", ">=", "->", "&&", "||",
                                "++",  "--",  "+=",  "-=",  "*=", "/=", "%=", "^=", "&=", "|=", "==", "!=", "<",
                                ">",   "+",   "-",   "*",   "/",  "%",  "^",  "&",  "|",  "~",  "!",  "=",  ","}) {
    if (rest.starts_with(sign)) { return kOperator.size() + sign.size(); }
  }
  return kOperator.size();
}

class Shortener {
 public:
  explicit Shortener(std::string_view name) : name_(name), close_(name.size()) {}

  std::string run() {
    if (!match_brackets()) { return std::string(name_); }
    for (size_t at = 0; at < name_.size();) { at = copy(at); }
    return out_.empty() ? std::string(name_) : std::move(out_);
  }

 private:
  bool can_open(size_t at, bool after_operator, bool in_parentheses) const {
    char before = at == 0 ? '(' : name_[at - 1];
    if (after_operator || is_identifier(before) || is_one_of(before, ":(,<&*[ ]")) { return true; }
    return before == '}' && !in_parentheses;
  }

  // False if brackets do not match: not a demangled name.
  bool match_brackets() {
    std::vector<size_t> open;
    size_t arguments = SIZE_MAX;  // where arguments of an operator may begin
    for (size_t i = 0; i < name_.size(); ++i) {
      char c = name_[i];
      if (size_t length = c == 'o' ? operator_length(name_, i) : 0; length > 0) {
        i += length - 1;
        arguments = i + 1 + (name_.substr(i + 1).starts_with(" <") ? 1 : 0);
      } else if (c == '<') {
        bool in_parentheses = !open.empty() && name_[open.back()] == '(';
        if (can_open(i, i == arguments, in_parentheses)) { open.push_back(i); }
      } else if (is_one_of(c, "([{")) {
        open.push_back(i);
      } else if (c == '>') {
        bool arrow = i > 0 && name_[i - 1] == '-';
        if (!arrow && !open.empty() && name_[open.back()] == '<') {
          close_[open.back()] = i;
          open.pop_back();
        }
      } else if (is_one_of(c, ")]}")) {
        while (!open.empty() && name_[open.back()] == '<') { open.pop_back(); }  // those were less-than signs
        if (open.empty() || name_[open.back()] != (c == ')' ? '(' : c == ']' ? '[' : '{')) { return false; }
        close_[open.back()] = i;
        open.pop_back();
      }
    }
    return std::all_of(open.begin(), open.end(), [&](size_t at) { return name_[at] == '<'; });
  }

  // Copies or drops what is at `at`; returns where to continue.
  size_t copy(size_t at) {
    char c = name_[at];
    if (!inside_.empty() && at == inside_.back().close) { return leave(at); }
    if (size_t length = c == 'o' ? operator_length(name_, at) : 0; length > 0) { return copy_operator(at, length); }
    if (close_[at] != 0) {
      if (c == '<') { return copy_angles(at); }
      if (c == '(' && inside_.empty() && is_parameters(at)) { return after_qualifiers(close_[at] + 1); }
      if (c == '[' && inside_.empty() && name_.substr(at).starts_with("[abi:")) { return close_[at] + 1; }
      inside_.push_back({close_[at], out_.size()});
    }
    out_ += c;
    return at + 1;
  }

  size_t leave(size_t at) {
    size_t begin = inside_.back().out;
    inside_.pop_back();
    out_ += name_[at];
    // "<a::b::Vec>::push": the brackets are no longer needed.
    bool scope = out_[begin] == '<' && name_.substr(at + 1).starts_with("::");
    std::string_view inner = std::string_view(out_).substr(begin + 1, out_.size() - begin - 2);
    auto plain = [](char x) { return is_identifier(x) || x == ':'; };
    if (scope && !inner.empty() && std::all_of(inner.begin(), inner.end(), plain)) {
      out_.pop_back();
      out_.erase(begin, 1);
    }
    return at + 1;
  }

  size_t copy_angles(size_t at) {
    char before = at == 0 ? '(' : name_[at - 1];
    bool part_of_path = before == ':' && name_.substr(at).starts_with("<impl ");
    if (part_of_path || is_one_of(before, "(,<&*[ ")) {  // a type: <T as Trait>
      inside_.push_back({close_[at], out_.size()});
      out_ += '<';
      return at + 1;
    }
    if (before == ':' && out_.ends_with("::")) { out_.resize(out_.size() - 2); }  // f::<T>
    return close_[at] + 1;
  }

  // Not "(anonymous namespace)", nor a Go receiver: main.(*T).f
  bool is_parameters(size_t at) const { return !out_.empty() && !is_one_of(name_[at - 1], ": ."); }

  size_t after_qualifiers(size_t at) const {
    for (bool again = true; again;) {
      again = false;
      for (std::string_view word : {" const", " volatile", " &&", " &", " noexcept"}) {
        std::string_view rest = name_.substr(at);
        bool whole = rest.starts_with(word) && (rest.size() == word.size() || !is_identifier(rest[word.size()]));
        if (whole) {
          at += word.size();
          again = true;
        }
      }
    }
    return at;
  }

  size_t copy_operator(size_t at, size_t length) {
    out_ += name_.substr(at, length);
    at += length;
    size_t arguments = at + (name_.substr(at).starts_with(" <") ? 1 : 0);
    if (arguments < name_.size() && name_[arguments] == '<' && close_[arguments] != 0) { return close_[arguments] + 1; }
    bool conversion = length == kOperator.size() && at < name_.size() && name_[at] == ' ';
    return conversion ? copy_conversion(at) : at;
  }

  // Copies up to the (empty) parameters. The type may be that of a function: "operator void (*)(int)()".
  size_t copy_conversion(size_t at) {
    for (bool pointer = false; at < name_.size();) {
      char c = name_[at];
      bool group = close_[at] != 0;
      if (!inside_.empty() && at == inside_.back().close) { break; }
      if (group && c == '<') {
        at = close_[at] + 1;
      } else if (group && c == '(') {
        bool first = name_[at - 1] == ' ';
        if (!first && !pointer) { break; }
        pointer = first;
        out_ += name_.substr(at, close_[at] + 1 - at);
        at = close_[at] + 1;
      } else {
        pointer = false;
        out_ += c;
        ++at;
      }
    }
    return at;
  }

  struct Inside {
    size_t close, out;
  };

  std::string_view name_;
  std::vector<size_t> close_;   // of an opening bracket: where it closes; 0: not a bracket
  std::vector<Inside> inside_;  // open brackets that are kept
  std::string out_;
};

}  // namespace

std::string short_name(std::string_view name) {
  if (name.find_first_of("<([{") == std::string_view::npos) { return std::string(name); }
  return Shortener(name).run();
}

std::string_view without_outer_scope(std::string_view name) {
  int depth = 0;
  for (size_t i = 0; i + 2 < name.size(); ++i) {
    char c = name[i];
    if (size_t length = c == 'o' ? operator_length(name, i) : 0; length > 0) {
      i += length - 1;
    } else if (is_one_of(c, "<([{")) {
      ++depth;
    } else if (is_one_of(c, ")]}") || (c == '>' && i > 0 && name[i - 1] != '-')) {
      --depth;
    } else if (depth == 0 && name.substr(i).starts_with("::")) {
      return name[i + 2] == '{' ? std::string_view() : name.substr(i + 2);
    }
  }
  return {};
}

std::string readable_rust_name(std::string_view name) {
  constexpr std::string_view kHex = "0123456789abcdefABCDEF";
  constexpr size_t kHashSize = 19;  // "::h" and 16 digits
  if (name.size() <= kHashSize) { return std::string(name); }
  std::string_view hash = name.substr(name.size() - kHashSize);
  if (!hash.starts_with("::h") || hash.find_first_not_of(kHex, 3) != hash.npos) { return std::string(name); }
  std::string_view rest = name.substr(0, name.size() - kHashSize);
  if (rest.starts_with("_$")) { rest.remove_prefix(1); }

  constexpr std::pair<std::string_view, char> kWords[] = {{"SP", '@'}, {"BP", '*'}, {"RF", '&'}, {"LT", '<'},
                                                          {"GT", '>'}, {"LP", '('}, {"RP", ')'}, {"C", ','}};
  // Decodes the text between two "$"; 0: unknown.
  auto decode = [&](std::string_view word) {
    for (const auto& [known, c] : kWords) {
      if (word == known) { return c; }
    }
    bool is_code = word.size() == 3 && word[0] == 'u' && word[1] >= '2' && word[1] <= '7' && kHex.find(word[2]) != kHex.npos;
    if (!is_code) { return '\0'; }
    auto digit = [](char c) { return c <= '9' ? c - '0' : (c | 0x20) - 'a' + 10; };
    return static_cast<char>(digit(word[1]) * 16 + digit(word[2]));
  };
  std::string out;
  while (!rest.empty()) {
    if (rest.starts_with("..")) {
      out += "::";
      rest.remove_prefix(2);
      continue;
    }
    if (rest[0] == '$') {
      size_t end = rest.find('$', 1);
      char c = end == rest.npos ? '\0' : decode(rest.substr(1, end - 1));
      if (c == '\0') { return out.append(rest); }
      out += c;
      rest.remove_prefix(end + 1);
      continue;
    }
    out += rest[0];
    rest.remove_prefix(1);
  }
  return out;
}

}  // namespace wick
