// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "view/viewer_code.h"

#include "model/profile_copier.h"

namespace wick {
namespace {

Profile copy_code(const Profile& profile, const std::vector<FunctionId>& functions, std::vector<FunctionId>& copies) {
  ProfileBuilder builder;
  ProfileCopier copier(profile, builder);
  copier.copy_frames();
  for (FunctionId function : functions) { copies.push_back(copier.function(function)); }
  builder.about() = profile.about();
  return std::move(builder).build();
}

CodeOptions with_addresses_of(const Profile& profile, CodeOptions options) {
  options.has_linked_addresses = has_linked_addresses(profile);
  return options;
}

std::vector<FunctionId> of_side(const std::vector<CombinedFunction>& functions, FunctionId CombinedFunction::* side) {
  std::vector<FunctionId> out;
  for (const CombinedFunction& function : functions) { out.push_back(function.*side); }
  return out;
}

}  // namespace

CodeOptions code_options(const ViewRequest& request, SourcePlaces source) {
  source.root = request.sources.debug.symfs;
  return {.symbols = request.sources, .source = std::move(source), .names = request.names};
}

ViewerCode::ViewerCode(const Profile& profile, const std::vector<FunctionId>& functions, CodeOptions options)
    : code_(copy_code(profile, functions, functions_)), reader_(code_, with_addresses_of(profile, std::move(options))) {}

FunctionCode ViewerCode::read(size_t number) {
  return number < functions_.size() && functions_[number].valid() ? read_page_code(reader_, functions_[number]) : FunctionCode{};
}

CodeReader::SourceVersion ViewerCode::find_source(size_t number, const std::string& file) {
  bool is_known = number < functions_.size() && functions_[number].valid();
  return is_known ? reader_.find_source(functions_[number], file) : CodeReader::SourceVersion{};
}

std::string_view ViewerCode::build_id(size_t number) const {
  bool is_known = number < functions_.size() && functions_[number].valid();
  ModuleId module = is_known ? code_[functions_[number]].module : ModuleId{};
  return module.valid() ? code_.text(code_[module].build_id) : std::string_view();
}

ComparedCode::ComparedCode(const Profile& before, const Profile& after, const std::vector<CombinedFunction>& functions,
                           CodeOptions options)
    : functions_(functions),
      before_(before, of_side(functions, &CombinedFunction::before), options),
      after_(after, of_side(functions, &CombinedFunction::after), options) {}

FunctionCode ComparedCode::read(size_t number) { return is_only_before(number) ? before_.read(number) : after_.read(number); }

// The directories that the user gives have the source after; before, a file counts only if it is unchanged.
VersionedLines ComparedCode::find_lines(size_t number, bool is_before, const std::string& file) {
  CodeReader::SourceVersion found = (is_before ? before_ : after_).find_source(number, file);
  if (found.file == nullptr) { return {}; }
  return {&found.file->lines, found.is_unchanged || (!is_before && found.file->from_directory)};
}

Builds ComparedCode::compare_builds(size_t number) const {
  if (number >= functions_.size() || !functions_[number].before.valid() || !functions_[number].after.valid()) {
    return Builds::kSame;  // there is nothing to match
  }
  std::string_view before = before_.build_id(number), after = after_.build_id(number);
  return before.empty() || after.empty() ? Builds::kUnknown : before == after ? Builds::kSame : Builds::kDifferent;
}

bool ComparedCode::is_only_before(size_t number) const { return number < functions_.size() && !functions_[number].after.valid(); }

std::string ComparedCode::json(size_t number) {
  FunctionCode code = read(number);
  CombinedFunction function = number < functions_.size() ? functions_[number] : CombinedFunction{};
  std::string note;
  if (!function.after.valid()) {
    note = "the file after has no samples of this function: this is the code before";
  } else if (function.before.valid() && !function.same_build) {
    note =
        "the builds differ: this is the code after; lines are compared by number and not judged, instructions show only the cost "
        "after";
  }
  if (!note.empty()) { code.notes.insert(code.notes.begin(), note); }
  return code_json(code);
}

}  // namespace wick
