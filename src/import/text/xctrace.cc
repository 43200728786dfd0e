// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0

// Rows of tables, each with a time, a thread, a weight and a backtrace. Repeated elements are references:
//   <row><sample-time id="1">…</sample-time><thread id="2" fmt="Main Thread 0x1 (app, pid: 7)">…</thread><weight
//   id="5">1000000</weight>
//     <backtrace id="6"><frame id="7" name="work" addr="0x1000"><binary id="8" name="app" UUID="…"
//     path="/app"/></frame>…</backtrace></row>
//   <row>…<thread ref="2"/><weight ref="5"/><backtrace ref="6"/></row>
// So one pass with a table of IDs is enough, without a tree of the document. Each table (schema) is a separate event: a recording
// has its samples in several, and added up they would count twice.
#include "import/text/xctrace.h"

#include <tsl/robin_map.h>

#include <algorithm>
#include <string>
#include <vector>

#include "base/hash.h"
#include "base/text.h"
#include "base/utf8.h"
#include "import/text/stack_text.h"
#include "model/function_name.h"

namespace wick {
namespace {

// The value of an element; its name determines which fields are used.
struct Value {
  uint64_t number = 0, pid = 0;
  std::string text;
  uint32_t line = 0;
  ModuleId module{};
  FrameId frame{};
  StackId stack{};
  ThreadId thread{};
  bool is_known = true;  // false: refers to a missing element
};

struct Attribute {
  std::string_view name;
  std::string value;
};

std::string decode_entities(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (size_t i = 0; i < text.size(); ++i) {
    constexpr size_t kLongest = 12;
    size_t end = text[i] == '&' ? text.substr(i, kLongest).find(';') : text.npos;
    if (end == text.npos) {
      out += text[i];
      continue;
    }
    end += i;
    std::string_view name = text.substr(i + 1, end - i - 1);
    std::optional<uint64_t> code;
    if (name.starts_with("#x")) {
      code = parse_u64(name.substr(2), 16);
    } else if (name.starts_with('#')) {
      code = parse_u64(name.substr(1));
    }
    struct Entity {
      std::string_view name;
      char c;
    };
    constexpr Entity kEntities[] = {{"amp", '&'}, {"lt", '<'}, {"gt", '>'}, {"quot", '"'}, {"apos", '\''}};
    auto* it = std::find_if(std::begin(kEntities), std::end(kEntities), [&](const Entity& e) { return e.name == name; });
    if (it != std::end(kEntities)) {
      out += it->c;
    } else if (code && *code > 0 && *code <= 0x10ffff) {
      append_utf8(out, static_cast<char32_t>(*code));
    } else {
      out += text.substr(i, end + 1 - i);
    }
    i = end;
  }
  return out;
}

struct Tag {
  std::string_view name;
  std::vector<Attribute> attributes;
  bool is_end = false, is_whole = false;  // </x>, <x/>

  const std::string* find(std::string_view attribute) const {
    auto it = std::find_if(attributes.begin(), attributes.end(), [&](const Attribute& a) { return a.name == attribute; });
    return it != attributes.end() ? &it->value : nullptr;
  }
  std::string_view get(std::string_view attribute) const {
    const std::string* value = find(attribute);
    return value != nullptr ? std::string_view(*value) : std::string_view();
  }
};

// Parses the text between "<" and ">".
Tag parse_tag(std::string_view text) {
  constexpr std::string_view kBlank = " \t\r\n";
  Tag tag;
  if (text.starts_with('/')) {
    tag.is_end = true;
    text.remove_prefix(1);
  }
  if (text.ends_with('/')) {
    tag.is_whole = true;
    text.remove_suffix(1);
  }
  size_t end = std::min(text.find_first_of(kBlank), text.size());
  tag.name = text.substr(0, end);
  text.remove_prefix(end);
  for (;;) {
    size_t begin = text.find_first_not_of(kBlank);
    size_t equals = text.find('=', begin == text.npos ? text.size() : begin);
    if (equals == text.npos) { return tag; }
    std::string_view name = text.substr(begin, equals - begin);
    size_t open = text.find_first_of("\"'", equals);
    size_t close = open == text.npos ? text.npos : text.find(text[open], open + 1);
    if (close == text.npos) { return tag; }
    constexpr size_t kMostAttributes = 64;
    if (tag.attributes.size() < kMostAttributes) {
      tag.attributes.push_back(
          {name.substr(0, name.find_first_of(kBlank)), decode_entities(text.substr(open + 1, close - open - 1))});
    }
    text.remove_prefix(close + 1);
  }
}

// The end of the tag that begins at `at`; attributes may contain ">".
size_t find_tag_end(std::string_view text, size_t at) {
  char quote = 0;
  for (size_t i = at; i < text.size(); ++i) {
    if (quote != 0) {
      if (text[i] == quote) { quote = 0; }
    } else if (text[i] == '"' || text[i] == '\'') {
      quote = text[i];
    } else if (text[i] == '>') {
      return i;
    } else if (text[i] == '<') {
      return text.npos;
    }
  }
  return text.npos;
}

struct Element {
  std::string_view name;
  uint64_t id = 0;
  Value value{};
  std::vector<FrameId> frames{};     // for a backtrace
  std::string function{}, module{};  // for a frame
  uint64_t address = 0;
  bool is_reference = false;
};

struct Row {
  uint64_t time_ns = 0, weight = 0;
  bool has_weight = false, is_cycles = false, is_good = true, has_stack = false, is_stack_known = true;
  ThreadId thread{};
  StackId stack{};
  uint32_t cpu = 0;
};

class XctraceReader {
 public:
  XctraceReader(Input& input, const ImportOptions& options)
      : import_(kXctraceReader.what, options, input, true),
        nobody_(import_.thread(0, 0, "")),
        as_inferno_(import_.choose_rules({Rules::kInferno}) == Rules::kInferno) {}

  Result<Profile> read(std::string_view text) {
    size_t at = 0;
    while (at < text.size()) {
      size_t open = text.find('<', at);
      if (open == text.npos) { break; }
      std::string_view between = text.substr(at, open - at);
      if (!elements_.empty() && takes_text(elements_.back().name)) {
        add_text(elements_.back(), between);
      } else if (!elements_.empty() && takes_none(elements_.back().name) && !trim_space(between).empty()) {
        add_damage(at);
      }
      std::string_view rest = text.substr(open);
      std::string_view ending;
      if (rest.starts_with("<!--")) { ending = "-->"; }
      if (rest.starts_with("<![CDATA[")) { ending = "]]>"; }
      if (rest.starts_with("<?")) { ending = "?>"; }
      if (!ending.empty()) {
        size_t end = text.find(ending, open);
        if (end == text.npos) { break; }
        at = end + ending.size();
        continue;
      }
      size_t end = find_tag_end(text, open + 1);
      if (end == text.npos) {
        add_damage(open);
        at = open + 1;
        continue;
      }
      at = end + 1;
      std::string_view inside = text.substr(open + 1, end - open - 1);
      if (inside.starts_with('!')) { continue; }
      Tag tag = parse_tag(inside);
      if (tag.is_end) {
        close(tag.name);
      } else {
        constexpr size_t kDeepest = 100;
        if (elements_.size() >= kDeepest) {
          return Error("byte %zu: elements are nested more than %zu deep; expected rows of a table", open, kDeepest)
              .with_code(Errc::kBadInput);
        }
        begin(tag);
        if (tag.is_whole) { close(tag.name); }
      }
    }
    return finish();
  }

 private:
  static std::string_view trim_space(std::string_view text) {
    size_t begin = text.find_first_not_of(" \t\r\n");
    return begin == text.npos ? std::string_view() : text.substr(begin);
  }
  // Elements that only contain elements: text there is a remainder of damaged ones.
  static bool takes_none(std::string_view name) {
    return name == "trace-query-result" || name == "node" || name == "row" || name == "frame" || is_backtrace(name);
  }
  void add_damage(size_t at) {
    if (++damaged_ == 1) { first_damaged_ = at; }
  }
  static bool takes_text(std::string_view name) {
    constexpr std::string_view kNames[] = {"sample-time", "start-time", "event-time", "weight",         "cycle-weight", "tid",
                                           "pid",         "core",       "path",       "text-addresses", "text-address"};
    return std::find(std::begin(kNames), std::end(kNames), name) != std::end(kNames);
  }
  static bool is_backtrace(std::string_view name) {
    return name == "backtrace" || name == "tagged-backtrace" || name == "kperf-bt" || name == "user-backtrace";
  }

  void add_text(Element& element, std::string_view text) {
    if (trim(text).empty()) { return; }
    if (element.name == "path") {
      element.value.text = decode_entities(trim(text).substr(0, ProfileBuilder::kMostTextBytes));
    } else if (element.name.starts_with("text-address")) {
      while (!trim(text).empty()) {
        std::optional<uint64_t> address = parse_u64(take_word(text));
        if (address) { element.frames.push_back(import_.frame({.address = *address})); }
        element.value.is_known &= address.has_value();
      }
    } else {
      std::optional<uint64_t> number = parse_count(trim(text));
      element.value.is_known &= number.has_value();
      element.value.number = number.value_or(0);
    }
  }

  void begin(const Tag& tag) {
    Element element{.name = tag.name};
    if (const std::string* ref = tag.find("ref")) {
      element.is_reference = true;
      auto it = values_.find(parse_u64(*ref).value_or(UINT64_MAX));
      if (it != values_.end()) {
        element.value = it->second;
      } else {
        element.value.is_known = false;
      }
    }
    element.id = parse_u64(tag.get("id")).value_or(0);
    if (tag.name == "schema") { event_name_ = tag.get("name"); }
    if (tag.name == "row") { row_ = Row{.thread = nobody_}; }
    if (tag.name == "frame" && !element.is_reference) {
      element.function = tag.get("name");
      element.address = parse_hex(tag.get("addr")).value_or(0);
    } else if (tag.name == "binary" && !element.is_reference) {
      std::string_view path = tag.get("path").empty() ? tag.get("name") : tag.get("path");
      std::string uuid(tag.get("UUID"));
      uuid.erase(std::remove(uuid.begin(), uuid.end(), '-'), uuid.end());
      std::transform(uuid.begin(), uuid.end(), uuid.begin(),
                     [](char c) { return c >= 'A' && c <= 'F' ? static_cast<char>(c + 32) : c; });
      bool is_kernel = path.find("/kernel") != path.npos || path.ends_with(".kext");
      if (!path.empty()) { element.value.module = import_.builder().module(path, uuid, is_kernel); }
      element.value.text = path.substr(0, ProfileBuilder::kMostTextBytes);  // copied at every reference
    } else if (tag.name == "source") {
      element.value.line = static_cast<uint32_t>(std::min<uint64_t>(parse_u64(tag.get("line")).value_or(0), UINT32_MAX));
    } else if ((tag.name == "thread" || tag.name == "process") && !element.is_reference) {
      element.value.text = tag.get("fmt").substr(0, ProfileBuilder::kMostTextBytes);
    }
    elements_.push_back(std::move(element));
  }

  // Closes the innermost element of that name, and unclosed ones inside it.
  void close(std::string_view name) {
    auto it = std::find_if(elements_.rbegin(), elements_.rend(), [&](const Element& e) { return e.name == name; });
    if (it == elements_.rend()) { return; }
    size_t depth = static_cast<size_t>(elements_.rend() - it);
    while (elements_.size() >= depth) {
      Element element = std::move(elements_.back());
      elements_.pop_back();
      complete(element);
      if (element.name == "row") { end_row(); }
      if (!elements_.empty()) { deliver(element, elements_.back()); }
      if (element.id != 0 && !element.is_reference && is_kept(element.name)) {
        values_.insert_or_assign(element.id, element.value);
      }
    }
  }

  static bool is_kept(std::string_view name) {
    return takes_text(name) || is_backtrace(name) || name == "frame" || name == "binary" || name == "source" ||
           name == "thread" || name == "process";
  }

  void complete(Element& e) {
    if (e.is_reference) { return; }
    Value& v = e.value;
    if (e.name == "frame") {
      bool known = !e.function.empty() && (as_inferno_ || !parse_hex(e.function));
      if (as_inferno_) { e.function = readable_rust_name(e.function); }
      ProfileBuilder& b = import_.builder();
      if (known) {
        v.frame = b.frame(
            {.function = b.function(e.function, {}, v.module), .address = e.address, .file = b.string(v.text), .line = v.line});
      } else {
        v.frame = b.frame({.function = b.function(name_unknown(e.module), {}, v.module, false), .address = e.address});
      }
      v.text.clear();
    } else if (is_backtrace(e.name)) {
      if (!e.frames.empty()) {
        for (FrameId frame : e.frames) { import_.push(frame); }
        v.stack = import_.take();
      }
    } else if (e.name.starts_with("text-address")) {
      for (FrameId frame : e.frames) { import_.push(frame); }
      v.stack = import_.take();
    } else if (e.name == "process") {
      v.text = trim(std::string_view(v.text).substr(0, v.text.rfind(" (")));
    } else if (e.name == "thread") {
      // "Main Thread 0x12aa (WindowServer, pid: 581)"
      std::string_view name = v.text;
      size_t open = name.rfind(" (");
      name = trim(name.substr(0, open));
      if (size_t blank = name.rfind(' '); blank != name.npos && parse_hex(name.substr(blank + 1))) {
        name = trim(name.substr(0, blank));
      }
      auto small = [](uint64_t id) { return id <= UINT32_MAX ? static_cast<uint32_t>(id) : 0; };
      v.thread = import_.thread(small(v.pid), small(v.number), name, process_name_);
      process_name_.clear();
    }
  }

  // Passes an element's value to its parent.
  void deliver(Element& child, Element& parent) {
    const Value& v = child.value;
    if (parent.name == "row") {
      row_.is_good = row_.is_good && (v.is_known || !is_kept(child.name));
      if (child.name == "thread" && v.thread.valid()) { row_.thread = v.thread; }
      if (child.name == "sample-time" || child.name == "start-time" || child.name == "event-time") { row_.time_ns = v.number; }
      if (child.name == "core") { row_.cpu = static_cast<uint32_t>(std::min<uint64_t>(v.number, UINT32_MAX)); }
      if (child.name == "weight" || child.name == "cycle-weight") {
        row_.weight = v.number;
        row_.has_weight = true;
        row_.is_cycles = child.name == "cycle-weight";
      }
      if (is_backtrace(child.name)) {
        row_.stack = v.stack;
        row_.is_stack_known = v.is_known;
        row_.has_stack = true;
      }
      if (child.name == "sentinel") { row_.has_stack = true; }
    } else if (is_backtrace(parent.name)) {
      if (child.name == "frame") {
        parent.value.is_known = parent.value.is_known && v.is_known;
        if (v.frame.valid()) { parent.frames.push_back(v.frame); }
      } else if (child.name.starts_with("text-address") && !child.frames.empty()) {
        parent.frames.insert(parent.frames.end(), child.frames.begin(), child.frames.end());
      } else if (is_backtrace(child.name)) {
        parent.value.stack = v.stack;
        parent.value.is_known = parent.value.is_known && v.is_known;
      }
    } else if (parent.name == "frame") {
      if (child.name == "binary") {
        parent.value.module = v.module;
        parent.module = v.text;
      }
      if (child.name == "source") {
        parent.value.line = v.line;
        parent.value.text = v.text;
      }
    } else if (parent.name == "source" && child.name == "path") {
      parent.value.text = v.text;
    } else if (parent.name == "process" && child.name == "pid") {
      parent.value.pid = v.number;
    } else if (parent.name == "thread") {
      if (child.name == "tid") { parent.value.number = v.number; }
      if (child.name == "process") {
        parent.value.pid = v.pid;
        process_name_ = v.text;
      }
    }
  }

  void end_row() {
    ++rows_;
    if (!row_.has_stack) { return; }  // a row of another kind of table
    if (as_inferno_) {                // inferno counts all rows with a backtrace
      row_.thread = nobody_;
      row_.has_weight = false;
      row_.is_good = row_.is_stack_known;  // its thread does not matter
      if (row_.is_good && !row_.stack.valid()) { return; }
    }
    if (!row_.is_good) {
      if (++bad_ == 1) { first_bad_ = rows_; }
      return;
    }
    std::string_view unit = !row_.has_weight ? "samples" : row_.is_cycles ? "cycles" : "ns";
    EventId event = import_.event(event_name_.empty() ? "samples" : std::string_view(event_name_), unit);
    uint64_t weight = row_.has_weight ? row_.weight : 1;
    import_.add({.time_ns = row_.time_ns,
                 .thread = row_.thread,
                 .stack = row_.stack,
                 .event = event,
                 .cpu = row_.cpu,
                 .weight = static_cast<int64_t>(weight),
                 .count = 1});
  }

  Result<Profile> finish() {
    auto number = [](uint64_t n) { return static_cast<unsigned long long>(n); };
    if (bad_ > 0) {
      import_.builder().add_warning(strf("skipped %llu of %llu rows that refer to missing or damaged elements (first: row %llu)",
                                         number(bad_), number(rows_), number(first_bad_)));
    }
    if (damaged_ > 0) {
      import_.builder().add_warning(strf("%llu %s damaged (first: byte %llu)", number(damaged_),
                                         damaged_ == 1 ? "place is" : "places are", number(first_damaged_)));
    }
    if (!elements_.empty()) {
      import_.builder().add_warning(strf("the file is truncated: %zu %s not closed", elements_.size(),
                                         elements_.size() == 1 ? "element is" : "elements are"));
    }
    if (import_.samples() == 0) {
      return Error("no row of %llu has a backtrace; expected the table time-profile", number(rows_))
          .with_code(Errc::kBadInput)
          .with_hint(
              "xctrace export --input x.trace --xpath '/trace-toc/run[@number=\"1\"]/data/table[@schema=\"time-profile\"]'");
    }
    return import_.finish("rows with backtraces");
  }

  StackImport import_;
  ThreadId nobody_;
  bool as_inferno_;
  std::vector<Element> elements_;
  tsl::robin_map<uint64_t, Value, NumberHash> values_;
  std::string event_name_, process_name_;
  Row row_;
  uint64_t rows_ = 0, bad_ = 0, first_bad_ = 0, damaged_ = 0, first_damaged_ = 0;
};

}  // namespace

bool is_xctrace(const Head& head) {
  size_t at = head.text.find("<trace-query-result");
  constexpr size_t kNear = 1024;
  return at < kNear && head.text.find_first_not_of(" \t\r\n\xef\xbb\xbf") == head.text.find('<');
}

Result<Profile> read_xctrace(Input& input, const ImportOptions& options) {
  WICK_LET(WholeInput whole, read_whole(input));
  std::string_view text(reinterpret_cast<const char*>(whole.bytes.data()), whole.bytes.size());
  return XctraceReader(input, options).read(text);
}

}  // namespace wick
