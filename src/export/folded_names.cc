// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "export/folded_names.h"

#include <algorithm>

#include "analyze/format.h"
#include "base/text.h"
#include "model/function_name.h"

namespace wick {
namespace {

constexpr std::string_view kAnonymousNamespace = "(anonymous namespace)";
constexpr std::string_view kUnknown = "[unknown]";

bool contains(std::string_view text, std::string_view part) { return text.find(part) != text.npos; }
bool all_digits(std::string_view text) { return !text.empty() && text.find_first_not_of("0123456789") == text.npos; }

std::vector<std::string_view> split_at(std::string_view text, std::string_view separator) {
  std::vector<std::string_view> parts;
  for (;;) {
    size_t at = text.find(separator);
    parts.push_back(text.substr(0, at));
    if (at == text.npos) { return parts; }
    text.remove_prefix(at + separator.size());
  }
}

// inferno: parameters begin at a "(" outside other brackets that is neither an anonymous namespace nor the receiver of a Go
// method.
std::string_view before_parameters(std::string_view name) {
  int depth = 0;
  for (size_t i = 0; i < name.size(); ++i) {
    char c = name[i];
    if (c == '<' || c == '{' || c == '[') { ++depth; }
    if (c == '>' || c == '}' || c == ']' || c == ')') { --depth; }
    if (c != '(') { continue; }
    bool is_receiver = i > 0 && name[i - 1] == '.';
    if (depth == 0 && !is_receiver && !name.substr(i).starts_with(kAnonymousNamespace)) { return name.substr(0, i); }
    ++depth;
  }
  return name;
}

// Perl: drops everything from the first "(" that does not begin an anonymous namespace, unless it looks like a Go method; and
// quotes.
std::string cut_as_perl(std::string_view name) {
  size_t receiver = name.find(".(");
  bool is_go = receiver != name.npos && name.find(").", receiver + 2) != name.npos;
  if (!is_go) {
    for (size_t open = name.find('('); open != name.npos; open = name.find('(', open + 1)) {
      if (name.substr(open).starts_with(kAnonymousNamespace)) { continue; }
      name = name.substr(0, open);
      break;
    }
  }
  std::string out(name);
  std::erase_if(out, [](char c) { return c == '"' || c == '\''; });
  return out;
}

bool is_kernel_as_perl(std::string_view module) {
  return (module.starts_with('[') || module.ends_with("vmlinux")) && !contains(module, "unknown");
}
bool is_kernel_as_inferno(std::string_view module) {
  size_t at = module.rfind("vmlinux");
  auto is_version = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '.' || c == '_';
  };
  bool is_vmlinux = at != module.npos && std::all_of(module.begin() + static_cast<std::ptrdiff_t>(at), module.end(), is_version);
  return (module.starts_with('[') || module.ends_with(".ko") || is_vmlinux) && module != kUnknown;
}

bool has_perf_map(std::string_view module) {
  constexpr std::string_view kBegin = "/tmp/perf-", kEnd = ".map";
  size_t begin = module.find(kBegin);
  if (begin == module.npos) { return false; }
  std::string_view rest = module.substr(begin + kBegin.size());
  return all_digits(rest.substr(0, rest.find(kEnd))) && contains(rest, kEnd);
}
bool is_jit_as_inferno(std::string_view module) {
  return (module.starts_with("/tmp/perf-") && module.ends_with(".map")) ||
         (contains(module, "/jitted-") && module.ends_with(".so"));
}
// From any source: recordings have generated code in modules without a file.
bool is_generated(std::string_view module, const Function& function) {
  return is_jit_as_inferno(module) || has_perf_map(module) ||
         (function.known && (module == "[anon]" || module.starts_with("//anon")));
}

std::string source_text(const Profile& profile, const Frame& frame) {
  return strf(":%s:%u", folded_name(base_name(profile.text(frame.file))).c_str(), frame.line);
}

void add_mark(std::string& text, std::string_view mark) {
  if (!contains(text, mark)) { text += mark; }
}

FrameText own_text(const Profile& profile, const Frame& frame, const FrameTextOptions& options) {
  const Function& function = profile[frame.function];
  std::string_view name = profile.text(function.name);
  bool has_module = function.module.valid();
  std::string_view module = has_module ? profile.text(profile[function.module].path) : std::string_view();
  if (has_module && module.empty()) { module = profile.text(profile[function.module].name); }
  bool generated = has_module && is_generated(module, function);
  FrameText out;
  if (!function.known && options.addresses && frame.address != 0) {
    std::string_view base = has_module ? base_name(module) : "unknown";
    if (base.starts_with('[') && base.ends_with(']')) { base = base.substr(1, base.size() - 2); }
    out.labels.push_back(strf("[%s <%llx>]", folded_name(base).c_str(), static_cast<unsigned long long>(frame.address)));
  } else if (generated) {  // compilers that record inlining: "outer->inner"
    for (std::string_view part : split_at(name, "->")) { out.labels.push_back(folded_name(part)); }
  } else {
    out.labels.push_back(folded_name(name));
  }
  for (size_t i = 0; i < out.labels.size(); ++i) {
    if (i > 0 || (options.inlined && frame.inlined)) {
      add_mark(out.labels[i], "_[i]");
    } else if (options.kernel && has_module && profile[function.module].kernel) {
      add_mark(out.labels[i], "_[k]");
    } else if (options.jit && generated) {
      add_mark(out.labels[i], "_[j]");
    }
    if (options.source && frame.file.valid()) { out.labels[i] += source_text(profile, frame); }
  }
  std::string_view plain = name.substr(0, name.find('('));
  out.is_last = std::any_of(options.skip_after.begin(), options.skip_after.end(),
                            [&](const std::string& wanted) { return wanted == name || wanted == plain; });
  return out;
}

// The rules of the two tools, including their differences.
FrameText compat_text(const Profile& profile, const Frame& frame, std::string_view command, const FrameTextOptions& options) {
  bool perl = options.compat == Rules::kPerl;
  const Function& function = profile[frame.function];
  std::string_view text = function.known ? profile.text(function.name) : kUnknown;
  bool is_nowhere = !function.known && !function.raw_name.valid() && frame.address == 0 && !function.module.valid();
  if (is_nowhere && function.name.valid()) { text = profile.text(function.name); }  // "[truncated]", "[unsampled]"
  if (options.raw_names && function.raw_name.valid()) { text = profile.text(function.raw_name); }
  std::string_view module = function.module.valid() ? profile.text(profile[function.module].path) : kUnknown;
  if (frame.inlined) { module = "inlined"; }
  FrameText out;
  // In files without commands, an unknown frame is kept.
  bool is_nothing = is_nowhere && text == kUnknown && !command.empty();
  if (text.starts_with('(') || is_nothing) { return out; }  // "process names"; a sample without frames
  std::string whole = perl ? std::string(text) : readable_rust_name(text);
  out.is_last = std::find(options.skip_after.begin(), options.skip_after.end(), whole) != options.skip_after.end();
  std::vector<std::string_view> parts = split_at(whole, "->");
  while (perl && !parts.empty() && parts.back().empty()) { parts.pop_back(); }  // as Perl splits: "operator->"
  for (std::string_view part : parts) {
    std::string name(part);
    bool is_unknown = part == kUnknown;
    if (is_unknown) {
      name = module == kUnknown ? "unknown" : std::string(base_name(module));
      if (options.addresses) { name += strf(" <%llx>", static_cast<unsigned long long>(frame.address)); }
      name = "[" + name + "]";
      // Both tools take the file's path for part of the name and drop it like parameters.
      if (module.ends_with(kDeleted)) { name = "[unknown] "; }
    }
    std::replace(name.begin(), name.end(), ';', ':');
    name = perl ? cut_as_perl(name) : std::string(before_parameters(name));
    if (is_java(command) && name.starts_with('L') && contains(name, "/")) { name.erase(0, 1); }
    bool kernel = perl ? is_kernel_as_perl(module) : is_kernel_as_inferno(module);
    bool jit = perl ? has_perf_map(module) : is_jit_as_inferno(module);
    if (!out.labels.empty()) {
      add_mark(name, "_[i]");
    } else if (options.kernel && kernel) {
      name += "_[k]";
    } else if (options.jit && jit) {
      add_mark(name, "_[j]");
    }
    if (options.source && !(is_unknown && module == kUnknown)) {
      if (frame.file.valid()) {
        name += source_text(profile, frame);
      } else if (perl && options.has_sources && !module.starts_with('[')) {  // perf without a source line: "libc.so.6[27b25]"
        name += ":" + std::string(base_name(module));
      }
    }
    out.labels.push_back(name.find_first_not_of(' ') == name.npos ? name : folded_name(name));
  }
  return out;
}

}  // namespace

bool is_java(std::string_view command) { return command.starts_with("java"); }

FrameText frame_text(const Profile& profile, const Frame& frame, std::string_view command, const FrameTextOptions& options) {
  if (options.compat == Rules::kOwn) { return own_text(profile, frame, options); }
  if (!profile.names_as_read()) { return compat_text(profile, frame, command, options); }
  std::string_view name = profile.text(profile[frame.function].name);
  bool is_last = std::find(options.skip_after.begin(), options.skip_after.end(), name) != options.skip_after.end();
  return {{folded_name(name)}, is_last};
}

std::string command_text(const Profile& profile, const Thread& thread, bool pid, bool tid, bool pids_known, Rules compat) {
  std::string out = folded_name(profile.text(thread.name));
  uint32_t number = profile[thread.process].pid;
  // To Perl, thread 0 (the idle task) is unknown; it then uses the process ID and takes the process for unknown.
  bool is_unknown = number == 0 && (!pids_known || (compat == Rules::kPerl && thread.tid == 0));
  if (pid || tid) { out += is_unknown ? "-?" : strf("-%u", number); }
  if (tid) { out += strf("/%u", thread.tid); }
  if (compat != Rules::kOwn) { std::replace(out.begin(), out.end(), ' ', '_'); }
  return out;
}

std::string folded_name(std::string_view name) {
  std::string out = shown_name(name);
  std::replace(out.begin(), out.end(), ';', ':');
  return out;
}

}  // namespace wick
