// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "analyze/library_glue.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "model/profile_builder.h"

namespace wick {
namespace {

bool starts_with_any(std::string_view name, std::initializer_list<std::string_view> prefixes) {
  return std::any_of(prefixes.begin(), prefixes.end(), [&](std::string_view p) { return name.starts_with(p); });
}
bool is_in_library(std::string_view path) {
  return starts_with_any(path, {"std::", "core::", "alloc::", "hashbrown::", "__gnu_cxx::"});
}

bool is_number_type(std::string_view type) {
  for (std::string_view known :
       {"u8", "u16", "u32", "u64", "u128", "usize", "i8", "i16", "i32", "i64", "i128", "isize", "f32", "f64"}) {
    if (type == known) { return true; }
  }
  return false;
}

// A type that a program does not define: a primitive, a library type, or a type parameter.
bool is_library_type(std::string_view type) {
  for (bool more = true; more;) {
    more = false;
    for (std::string_view mark : {"&", "mut ", "*const ", "*mut ", "dyn "}) {
      if (type.starts_with(mark)) { type.remove_prefix(mark.size()), more = true; }
    }
  }
  bool parameter = type.size() == 1 && type[0] >= 'A' && type[0] <= 'Z';
  return parameter || is_number_type(type) || type == "str" || type == "bool" || type == "char" || type.starts_with('[') ||
         is_in_library(type);
}

// Rust's "<Type as Trait>::f" and "<Type>::f" belong to the library only if both parts do: a program implements its traits for
// library types, and library traits for its types.
bool is_library_impl(std::string_view name) {
  size_t depth = 0, as = name.npos, end = name.npos;
  for (size_t i = 0; i < name.size() && end == name.npos; ++i) {
    bool arrow = name[i] == '>' && i > 0 && name[i - 1] == '-';
    if (name[i] == '<') { ++depth; }
    if (name[i] == '>' && !arrow && --depth == 0) { end = i; }
    if (depth == 1 && as == name.npos && name.substr(i).starts_with(" as ")) { as = i; }
  }
  if (end == name.npos) { return false; }
  if (as == name.npos) { return is_library_type(name.substr(1, end - 1)); }
  return is_library_type(name.substr(1, as - 1)) && is_in_library(name.substr(as + 4));
}

}  // namespace

bool is_library_glue(std::string_view name) {
  if (name.starts_with('<')) { return is_library_impl(name); }
  if (starts_with_any(name, {"_mm_", "_mm256_", "_mm512_"})) { return true; }  // intrinsics; reserved names
  if (size_t scope = name.find("::"); scope != name.npos && is_number_type(name.substr(0, scope))) { return true; }
  // Programs specialize these for their own types.
  if (starts_with_any(name, {"std::hash<", "std::hash::", "std::formatter<", "std::formatter::"})) { return false; }
  return is_in_library(name);
}

GlueFolded fold_library_glue(Profile profile) {
  ProfileBuilder b(std::move(profile));
  std::vector<bool> is_glue;
  for (const Function& f : b.so_far().functions()) { is_glue.push_back(f.known && is_library_glue(b.text(f.name))); }
  std::vector<Stack> old = b.take_stacks();
  std::vector<StackId> mapped(old.size());
  std::vector<bool> is_changed(old.size());
  for (uint32_t i = 0; i < old.size(); ++i) {
    StackId caller = old[i].caller.valid() ? mapped[old[i].caller.value] : StackId{};
    bool caller_changed = old[i].caller.valid() && is_changed[old[i].caller.value];
    const Frame& frame = b.so_far()[old[i].frame];
    bool folds = caller.valid() && frame.inlined && is_glue[frame.function.value];
    mapped[i] = folds ? caller : b.stack(old[i].frame, caller);
    is_changed[i] = folds || caller_changed;
  }
  bool any = false;
  b.change_samples([&](Sample& s) {
    any = any || is_changed[s.stack.value];
    s.stack = mapped[s.stack.value];
    return true;
  });
  return {std::move(b).build(), any};
}

}  // namespace wick
