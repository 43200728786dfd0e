// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0

// libiberty handles all three manglings (docs/dependencies.md has the comparison), but its input comes from files that may be
// malicious:
// - A few hundred characters of back references can expand to terabytes of output. So wick uses its callback interface and leaves
//   it with longjmp when the output exceeds a readable size. No frame in between owns memory.
// - It rejects C++ names of more than 1024 characters, since it only counts its recursion. Template code has longer ones; up to
//   kMaxLongName wick allows them, since the length of a name bounds its depth.

#include "symbolize/demangle.h"

#define HAVE_DECL_BASENAME 1  // else libiberty.h declares it again with another type
#include <libiberty/demangle.h>

#include <algorithm>
#include <cctype>
#include <csetjmp>
#include <cstring>

#include "model/function_name.h"

namespace wick {
namespace {

constexpr size_t kMaxLongName = 4096;
constexpr size_t kCountedName = 1024;  // libiberty's own limit for C++
constexpr size_t kMaxOutput = 65536;

struct Output {
  std::string text;
  bool over = false;
  std::jmp_buf leave;
};

// Text that can be part of an identifier may be in a buffer that libiberty must still free (punycode): not the moment to jump.
bool is_punctuation(char c) { return std::strchr("<>(),:&*[]; {}=+", c) != nullptr; }

void collect(const char* part, size_t size, void* opaque) {
  Output& out = *static_cast<Output*>(opaque);
  if (out.text.size() + size > kMaxOutput) { out.over = true; }
  if (!out.over) {
    out.text.append(part, size);
  } else if (size > 4 || (size > 0 && is_punctuation(part[0]))) {
    std::longjmp(out.leave, 1);
  }
}

using Demangler = int (*)(const char*, int, demangle_callbackref, void*);

// No locals with destructors: longjmp leaves this frame.
bool run(Demangler demangler, const char* name, int options, Output& out) {
  if (setjmp(out.leave) != 0) { return false; }
  return demangler(name, options, collect, &out) != 0 && !out.over;
}

bool is_digits(std::string_view text) { return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos; }

bool is_itanium(std::string_view name) { return name.starts_with("_Z") || name.starts_with("__Z"); }
bool is_rust(std::string_view name) { return name.starts_with("_R"); }

// Length of a trailing ".part.0" and similar.
size_t numbered_suffix_length(std::string_view name) {
  size_t dot = name.rfind('.');
  if (dot == std::string_view::npos || dot == 0 || !is_digits(name.substr(dot + 1))) { return 0; }
  size_t before = name.rfind('.', dot - 1);
  if (before == std::string_view::npos || before == 0) { return 0; }
  static const char* const kNumbered[] = {"llvm",       "part",  "constprop", "isra",   "cold",  "lto_priv",
                                          "localalias", "clone", "__uniq",    "ltrans", "ipa_ra"};
  std::string_view kind = name.substr(before + 1, dot - before - 1);
  for (const char* known : kNumbered) {
    if (kind == known) { return name.size() - before; }
  }
  return 0;
}

// Length of the last suffix added by a compiler or linker; 0 if it is part of the name.
size_t suffix_length(std::string_view name) {
  size_t dot = name.rfind('.');
  if (dot == std::string_view::npos || dot == 0) { return 0; }
  std::string_view word = name.substr(dot + 1), rest = name.substr(0, dot);
  if (word == "localalias") { return name.size() - dot; }
  if (word == "cold" || word == "warm" || word == "hot") {
    // Plain names may end like that: Go's main.cold is not a part of main.
    bool appended = is_itanium(name) || is_rust(name) || numbered_suffix_length(rest) > 0;
    return appended ? name.size() - dot : 0;
  }
  return numbered_suffix_length(name);
}

std::string demangle_bare(std::string_view name, ReturnTypes return_types) {
  for (size_t n; (n = suffix_length(name)) != 0;) { name.remove_suffix(n); }
  bool rust = is_rust(name), itanium = is_itanium(name);
  // Symbols with a linker's prefix stay mangled.
  if ((!rust && !itanium) || name.size() > kMaxLongName) { return std::string(name); }
  std::string zero_terminated(name);
  Output out;
  if (run(rust_demangle_callback, zero_terminated.c_str(), DMGL_PARAMS | DMGL_ANSI, out)) { return std::move(out.text); }
  if (out.over || rust) { return zero_terminated; }
  out.text.clear();
  int options = DMGL_PARAMS | DMGL_ANSI | (return_types == ReturnTypes::kDrop ? DMGL_RET_DROP : 0);
  if (name.size() >= kCountedName) { options |= DMGL_NO_RECURSE_LIMIT; }
  if (run(cplus_demangle_v3_callback, zero_terminated.c_str(), options, out)) { return std::move(out.text); }
  return zero_terminated;
}

// "name@VERSION" or "name@@VERSION", but not a name of generated code that contains an @ ("JS:*f /x/node_modules/@y/z.js").
bool has_version(std::string_view name, size_t at) {
  std::string_view version = name.substr(std::min(name.find_first_not_of('@', at), name.size()));
  auto fits = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '.' || c == '-' || c == '+'; };
  return name.substr(0, at).find_first_of(" /") == std::string_view::npos && std::all_of(version.begin(), version.end(), fits);
}

}  // namespace

std::string demangle(std::string_view linkage_name, ReturnTypes return_types) {
  std::string_view tail;
  // Keeps the "[module]" of kernel functions and "@plt"; removes a version (name@GLIBC_2.34, name@@V1).
  size_t blank = linkage_name.rfind(" [");
  if (blank != std::string_view::npos && linkage_name.back() == ']') {
    tail = linkage_name.substr(blank);
  } else if (size_t inner = linkage_name.find("::");
             inner != std::string_view::npos && (is_itanium(linkage_name) || is_rust(linkage_name))) {
    tail = linkage_name.substr(inner);  // a scope without a linkage name inside a function that has one
  } else if (size_t at = linkage_name.find('@'); at != std::string_view::npos && at != 0) {
    bool stub = linkage_name.substr(at) == "@plt";
    if (stub) {
      tail = linkage_name.substr(at);
    } else if (has_version(linkage_name, at)) {
      linkage_name = linkage_name.substr(0, at);
    }
  }
  std::string out = demangle_bare(linkage_name.substr(0, linkage_name.size() - tail.size()), return_types);
  return out.append(tail);
}

std::string shown_function(std::string_view linkage_name, NameStyle style) {
  if (style == NameStyle::kRaw) { return std::string(linkage_name); }
  std::string name = demangle(linkage_name);
  return style == NameStyle::kShort ? short_name(name) : name;
}

}  // namespace wick
