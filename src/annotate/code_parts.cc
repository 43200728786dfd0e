// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "annotate/code_parts.h"

namespace wick {

std::vector<ShownPart> read_parts(const Profile& profile, FunctionId function, const LineCosts& costs, CodeReader& reader) {
  std::vector<ShownPart> out;
  auto name_of = [&](StringId file) { return file.valid() ? std::string(profile.text(file)) : std::string(); };
  for (const CodePart& part : divide_code(profile, costs)) {
    ShownPart& shown = out.emplace_back();
    shown.name = profile.text(part.function);
    shown.file = name_of(part.lines.front().file);
    shown.inlined = part.inlined;
    shown.self = part.self;
    for (const CodePart::Line& line : part.lines) {
      ShownPart::Line& row = shown.lines.emplace_back();
      row = {name_of(line.file), line.line, std::nullopt, line.self};
      const SourceFile* source = line.line != 0 ? reader.find_source(function, row.file).file : nullptr;
      if (source != nullptr && line.line <= source->lines.size()) { row.text = source->lines[line.line - 1]; }
    }
  }
  return out;
}

}  // namespace wick
