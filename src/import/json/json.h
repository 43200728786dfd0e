// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// JSON of other tools: hundreds of megabytes, of which a reader needs a few columns. The text is checked once, without recursion,
// a copy or a tree; afterwards a value is a position in the text, and members and items are visited on demand. The check stores
// the ends of long arrays and objects, so that skipping them is free.
//
// Why not simdjson: Debian only has a shared library, and wick is a single file that only needs glibc. Why not a tree: it takes
// 16 bytes or more for each number of a file that is mostly numbers.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace wick {

class JsonDocument;

// A position in a checked document, which must outlive it. A missing member behaves like a value of another type.
class JsonValue {
 public:
  JsonValue() = default;
  JsonValue(const JsonDocument* document, size_t at) : document_(document), at_(at) {}

  bool present() const { return document_ != nullptr; }
  bool is_object() const { return first() == '{'; }
  bool is_array() const { return first() == '['; }
  bool is_string() const { return first() == '"'; }
  bool is_number() const { return first() == '-' || (first() >= '0' && first() <= '9'); }
  bool is_true() const { return first() == 't'; }
  bool is_null() const { return first() == 'n'; }
  size_t offset() const { return at_; }

  // Nullopt for other types, and if it does not fit.
  std::optional<double> number() const;
  std::optional<int64_t> integer() const { return scaled(0); }  // rounded
  // The number times 10^digits, rounded: milliseconds with digits == 6 are nanoseconds, exactly as written.
  std::optional<int64_t> scaled(int digits) const;
  // Empty for other types. `buffer` holds the text if it has escapes.
  std::string_view text(std::string& buffer) const;
  std::string text() const;

  // The first member of this name.
  JsonValue operator[](std::string_view key) const;
  size_t count() const;  // of items or members

  struct Member;
  class Walk {
   public:
    // False at the end. Only arrays have items, only objects members.
    bool next(JsonValue& item);
    bool next(Member& member);

   private:
    friend class JsonValue;
    Walk(const JsonDocument* document, size_t at) : document_(document), at_(at) {}
    const JsonDocument* document_;  // null: at the end
    size_t at_;                     // after the bracket or the last item
  };
  Walk items() const { return {is_array() ? document_ : nullptr, at_ + 1}; }
  Walk members() const { return {is_object() ? document_ : nullptr, at_ + 1}; }

 private:
  char first() const;
  std::string_view raw_text() const;  // between the quotes

  const JsonDocument* document_ = nullptr;
  size_t at_ = 0;
};

struct JsonValue::Member {
  std::string_view key;  // as written, with escapes
  JsonValue value;
};

class JsonDocument {
 public:
  JsonDocument() = default;
  JsonDocument(const JsonDocument&) = delete;  // values point to it
  JsonDocument& operator=(const JsonDocument&) = delete;

  // Checks all of `text`, which must outlive this. `open_end`: a text that ends inside an array of the two outermost levels is
  // accepted up to its last complete item (Chrome's traces need no end); see was_cut().
  Status check(std::string_view text, bool open_end = false);
  bool was_cut() const { return was_cut_; }
  JsonValue root() const { return {this, root_}; }
  size_t size() const { return text_.size(); }

 private:
  friend class JsonValue;
  struct Span {
    size_t begin, end;
  };

  size_t skip_space(size_t at) const;
  size_t skip_string(size_t at) const;  // from its quote
  size_t skip_value(size_t at) const;

  std::string_view text_;
  size_t root_ = 0;
  std::vector<Span> long_spans_;  // by begin
  bool was_cut_ = false;
};

// The numbers of an array, one per item; other items become `absent`.
std::vector<int64_t> json_integers(JsonValue array, int64_t absent = -1);
// A decimal JSON number times 10^digits; nullopt if it does not fit.
std::optional<int64_t> scale_decimal(std::string_view number, int digits);

}  // namespace wick
