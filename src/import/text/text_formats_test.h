// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// For tests of readers: text in, the profile as text out.

#include <algorithm>
#include <string>

#include "base/text.h"
#include "import/import.h"

namespace wick {

inline Result<Profile> import_text(const std::string& format, const std::string& text, const ImportOptions& options = {}) {
  Input input(make_memory_pieces({reinterpret_cast<const uint8_t*>(text.data()), text.size()}));
  const Reader* reader = find_reader(format);
  if (reader == nullptr) { return Error("no reader %s", format.c_str()); }
  return import_profile(input, *reader, options);
}

// One line per sample: "event/unit weight xcount [pid/tid thread] time: root;…;leaf", then the warnings. A frame is its name and
// the known parts: @module (^ kernel) {file:line:column} +address, ~ inlined, ? without a symbol.
inline std::string describe(const Profile& p) {
  std::string out;
  for (const Sample& s : p.samples()) {
    const Event& event = p[s.event];
    const Thread& thread = p[s.thread];
    out += std::string(p.text(event.name)) + "/" + std::string(p.text(event.unit));
    if (event.divisor != 1) { out += strf("/%llu", static_cast<unsigned long long>(event.divisor)); }
    out += strf(" %lld x%llu [", static_cast<long long>(s.weight), static_cast<unsigned long long>(s.count));
    if (p[thread.process].pid != 0 || thread.tid != 0) { out += strf("%u/%u ", p[thread.process].pid, thread.tid); }
    out += std::string(p.text(thread.name)) + "]";
    if (p.has_times()) { out += strf(" %llu", static_cast<unsigned long long>(s.time_ns)); }
    out += ": ";
    std::string stack;
    for (StackId id = s.stack; id.valid(); id = p[id].caller) {
      const Frame& frame = p[p[id].frame];
      const Function& function = p[frame.function];
      std::string text(p.text(function.name));
      if (!function.known) { text += "?"; }
      if (function.module.valid()) {
        text += "@" + std::string(p.text(p[function.module].path)) + (p[function.module].kernel ? "^" : "");
      }
      if (frame.file.valid()) { text += "{" + std::string(p.text(frame.file)); }
      if (frame.file.valid() && frame.line != 0) { text += strf(":%u", frame.line); }
      if (frame.file.valid() && frame.column != 0) { text += strf(":%u", frame.column); }
      if (frame.file.valid()) { text += "}"; }
      if (frame.address != 0) { text += strf("+%llx", static_cast<unsigned long long>(frame.address)); }
      if (frame.inlined) { text += "~"; }
      stack = text + (stack.empty() ? "" : ";") + stack;
    }
    out += stack + "\n";
  }
  for (const std::string& warning : p.warnings()) { out += "warning: " + warning + "\n"; }
  return out;
}

inline std::string describe_import(const std::string& format, const std::string& text, const ImportOptions& options = {}) {
  Result<Profile> p = import_text(format, text, options);
  return p.ok() ? describe(*p) : "error: " + p.error().message() + "\n";
}

}  // namespace wick
