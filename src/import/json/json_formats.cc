// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "import/json/json_formats.h"

#include <algorithm>
#include <array>

#include "base/text.h"
#include "base/utf8.h"
#include "import/common/foreign.h"

namespace wick {
namespace {

// Scans strings and brackets of a text that may end anywhere, to find the keys of the outer levels.
class KeyScan {
 public:
  explicit KeyScan(std::string_view text) : text_(text) {}

  bool has(std::string_view key) const { return std::find(outer.begin(), outer.end(), key) != outer.end(); }
  bool has_inner(std::string_view path) const { return std::find(inner.begin(), inner.end(), path) != inner.end(); }

  std::vector<std::string> outer, inner;  // "meta.version": keys of objects in the outermost one
  std::string schema;                     // value of "$schema"
  bool array = false, whole = false;      // the outermost value is an array; it was read to its end

  void run() {
    size_t at = text_.starts_with("\xef\xbb\xbf") ? 3 : 0;
    std::string opened, last_outer;
    bool key_is_next = false;  // in an object, after "{" or ","
    for (; at < text_.size(); ++at) {
      char c = text_[at];
      if (c == '"') {
        size_t end = at + 1;
        while (end < text_.size() && text_[end] != '"') { end += text_[end] == '\\' ? 2 : 1; }
        if (end >= text_.size()) { return; }
        std::string_view word = text_.substr(at + 1, end - at - 1);
        if (key_is_next && opened == "{") {
          outer.emplace_back(word);
          last_outer = word;
        } else if (key_is_next && (opened == "{{" || opened == "[{")) {
          inner.push_back(last_outer + "." + std::string(word));
        } else if (opened == "{" && last_outer == "$schema") {
          schema = word;
        }
        key_is_next = false;
        at = end;
      } else if (c == '{' || c == '[') {
        if (opened.empty()) { array = c == '['; }
        if (opened.size() > 1000) { return; }
        opened += c;
        key_is_next = c == '{';
      } else if (c == '}' || c == ']') {
        if (opened.empty()) { return; }
        opened.pop_back();
        whole = opened.empty();
        if (whole) { return; }
      } else if (c == ',') {
        key_is_next = opened.ends_with('{');
      }
    }
  }

 private:
  std::string_view text_;
};

JsonKind kind_of(const KeyScan& scan) {
  auto has = [&](std::string_view key) { return scan.has(key); };
  if (scan.array) { return scan.has_inner(".ph") ? JsonKind::kChromeTrace : JsonKind::kNone; }
  if (has("dhatFileVersion")) { return JsonKind::kDhat; }
  if (has("traceEvents")) { return JsonKind::kChromeTrace; }
  if (has("resourceProfiles")) { return JsonKind::kOtlp; }
  if (scan.schema.find("speedscope") != std::string::npos) { return JsonKind::kSpeedscope; }
  if (scan.has_inner("meta.preprocessedProfileVersion")) { return JsonKind::kFirefox; }
  if (has("profiles") && has("shared")) { return JsonKind::kSpeedscope; }
  if (has("nodes") && (has("samples") || has("timeDeltas") || has("startTime") || has("endTime"))) {
    return JsonKind::kCpuprofile;
  }
  if (has("threads") && scan.has_inner("meta.version")) { return JsonKind::kGecko; }
  return JsonKind::kNone;
}

constexpr std::array<std::string_view, 14> kKnownKeys = {"meta",     "threads",   "shared",    "profiles",  "nodes",
                                                         "samples",  "libs",      "startTime", "endTime",   "pages",
                                                         "counters", "processes", "pps",       "dictionary"};

}  // namespace

JsonKind json_kind(const Head& head) {
  size_t first = head.text.find_first_not_of(" \t\r\n\xef\xbb\xbf");
  if (first == head.text.npos || (head.text[first] != '{' && head.text[first] != '[')) { return JsonKind::kNone; }
  KeyScan scan(head.text);
  scan.run();
  JsonKind kind = kind_of(scan);
  if (kind != JsonKind::kNone || head.is_all || scan.whole || scan.array) { return kind; }
  bool known = std::any_of(kKnownKeys.begin(), kKnownKeys.end(), [&](std::string_view key) { return scan.has(key); });
  return known ? JsonKind::kUndecided : JsonKind::kNone;
}

bool is_firefox(const Head& head) { return json_kind(head) == JsonKind::kFirefox; }
bool is_gecko(const Head& head) { return json_kind(head) == JsonKind::kGecko; }
bool is_speedscope(const Head& head) { return json_kind(head) == JsonKind::kSpeedscope; }
bool is_cpuprofile(const Head& head) { return json_kind(head) == JsonKind::kCpuprofile; }
bool is_chrome_trace(const Head& head) { return json_kind(head) == JsonKind::kChromeTrace; }
bool is_dhat(const Head& head) { return json_kind(head) == JsonKind::kDhat; }
bool is_otlp_json(const Head& head) { return json_kind(head) == JsonKind::kOtlp; }
bool is_undecided_json(const Head& head) { return json_kind(head) == JsonKind::kUndecided; }

Result<Profile> read_json(Input& input, const ImportOptions& options, JsonImport import, bool open_end) {
  WholeInput whole;
  WICK_LET(std::string_view text, read_text(input, whole));
  JsonDocument document;
  WICK_OK(document.check(text, open_end));
  return import(document, options);
}

Result<Profile> read_firefox(Input& input, const ImportOptions& options) { return read_json(input, options, import_firefox); }
Result<Profile> read_gecko(Input& input, const ImportOptions& options) { return read_json(input, options, import_gecko); }
Result<Profile> read_speedscope(Input& input, const ImportOptions& options) {
  return read_json(input, options, import_speedscope);
}
Result<Profile> read_cpuprofile(Input& input, const ImportOptions& options) {
  return read_json(input, options, import_cpuprofile);
}
Result<Profile> read_chrome_trace(Input& input, const ImportOptions& options) {
  return read_json(input, options, import_chrome_trace, true);
}
Result<Profile> read_dhat(Input& input, const ImportOptions& options) { return read_json(input, options, import_dhat); }
Result<Profile> read_otlp_json(Input& input, const ImportOptions& options) { return read_json(input, options, import_otlp_json); }

Result<Profile> read_any_json(Input& input, const ImportOptions& options) {
  auto import = [](const JsonDocument& document, const ImportOptions& import_options) -> Result<Profile> {
    KeyScan keys({});
    JsonValue root = document.root();
    std::string list;
    JsonValue::Member member, inner;
    for (JsonValue::Walk walk = root.members(); walk.next(member);) {
      keys.outer.emplace_back(member.key);
      if (keys.outer.size() <= 8) { list += (list.empty() ? "" : ", ") + printable(member.key); }
      if (member.key == "$schema") { keys.schema = member.value.text(); }
      if (member.key != "meta") { continue; }
      for (JsonValue::Walk in = member.value.members(); in.next(inner);) {
        keys.inner.push_back("meta." + std::string(inner.key));
      }
    }
    switch (kind_of(keys)) {
      case JsonKind::kFirefox: return import_firefox(document, import_options);
      case JsonKind::kGecko: return import_gecko(document, import_options);
      case JsonKind::kSpeedscope: return import_speedscope(document, import_options);
      case JsonKind::kCpuprofile: return import_cpuprofile(document, import_options);
      case JsonKind::kChromeTrace: return import_chrome_trace(document, import_options);
      case JsonKind::kDhat: return import_dhat(document, import_options);
      case JsonKind::kOtlp: return import_otlp_json(document, import_options);
      case JsonKind::kNone:
      case JsonKind::kUndecided: break;
    }
    return Error("expected the members of a supported profile; found: %s", list.empty() ? "none" : list.c_str())
        .with_code(Errc::kBadInput);
  };
  return read_json(input, options, import);
}

}  // namespace wick
