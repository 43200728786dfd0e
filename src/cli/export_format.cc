// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "cli/export_format.h"

#include <vector>

#include "base/text.h"
#include "base/utf8.h"

namespace wick {
namespace {

std::string format_names() {
  std::string names;
  for (const ExportFormat& format : export_formats()) { names += (names.empty() ? "" : ", ") + std::string(format.name); }
  return names;
}

}  // namespace

Result<const ExportFormat*> choose_format(const std::string& name, const std::string& output) {
  if (name.empty()) {
    const ExportFormat* by_name = format_of_file_name(output);
    if (by_name != nullptr) { return by_name; }
    std::string why = output.empty() ? std::string() : ", and " + printable(output) + " has no known extension";
    return Error("no format given%s (known: %s)", why.c_str(), format_names().c_str())
        .with_code(Errc::kUsage)
        .with_hint("wick export --format pprof");
  }
  const ExportFormat* format = find_export_format(name);
  if (format != nullptr) { return format; }
  std::vector<std::string> names;
  for (const ExportFormat& f : export_formats()) { names.emplace_back(f.name); }
  std::vector<std::string> near = nearest_words(name, names);
  return Error("--format: unknown format \"%s\" (known: %s)", printable(name).c_str(), format_names().c_str())
      .with_code(Errc::kUsage)
      .with_hint("wick export --format " + (near.empty() ? names[0] : near[0]));
}

std::string describe_formats() {
  std::string lines = "Formats:\n";
  for (const ExportFormat& f : export_formats()) {
    std::string name(f.name), end(f.extension);
    lines +=
        "  " + name + std::string(14 - name.size(), ' ') + end + std::string(18 - end.size(), ' ') + std::string(f.what) + "\n";
  }
  return lines;
}

}  // namespace wick
