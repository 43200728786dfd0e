// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "cargo/build_settings.h"

#include <algorithm>
#include <cctype>

#include "base/text.h"

namespace wick::cargo {
namespace {

constexpr int kLongestChain = 16;  // of `inherits`

struct Setting {
  std::string value, place;  // "[profile.release] of Cargo.toml"
};

std::string variable_name(const std::string& profile, const std::string& key) {
  std::string out = "CARGO_PROFILE_" + profile + "_" + key;
  for (char& c : out) { c = c == '-' ? '_' : static_cast<char>(std::toupper(static_cast<unsigned char>(c))); }
  return out;
}

std::optional<Setting> find_in(const SettingsFile& file, const std::string& profile, const std::string& key) {
  const TomlValue* found = find_toml(file.values, {"profile", profile, key});
  if (found == nullptr) { return std::nullopt; }
  return Setting{found->text, "[profile." + profile + "] of " + file.name};
}

std::optional<Setting> find_own(const SettingSources& sources, const std::string& profile, const std::string& key) {
  std::string name = variable_name(profile, key);
  if (std::optional<std::string> value = sources.variable(name)) { return Setting{*value, name}; }
  for (const SettingsFile& config : sources.configs) {
    if (std::optional<Setting> found = find_in(config, profile, key)) { return found; }
  }
  return find_in(sources.manifest, profile, key);
}

std::string base_profile(const SettingSources& sources, const std::string& profile) {
  if (profile == "release" || profile == "dev") { return {}; }
  if (std::optional<Setting> base = find_own(sources, profile, "inherits")) { return base->value; }
  return profile == "bench" ? "release" : profile == "test" ? "dev" : "";
}

// The profile and those that it inherits from, nearest first.
std::vector<std::string> chain(const SettingSources& sources, std::string profile) {
  std::vector<std::string> out;
  while (!profile.empty() && out.size() < kLongestChain) {
    out.push_back(profile);
    profile = base_profile(sources, profile);
  }
  return out;
}

std::optional<Setting> find_setting(const SettingSources& sources, const std::vector<std::string>& profiles,
                                    const std::string& key) {
  for (const std::string& profile : profiles) {
    if (std::optional<Setting> found = find_own(sources, profile, key)) { return found; }
  }
  return std::nullopt;
}

// Lines alone lack the full names of inlined functions: all closures would be called {closure#0}.
bool is_too_little(const std::string& debug) {
  constexpr std::string_view kTooLittle[] = {"0", "false", "none", "line-directives-only", "line-tables-only"};
  return std::ranges::find(kTooLittle, debug) != std::end(kTooLittle);
}

// The environment cannot name a profile such as release-lto: its variables begin like those of release's key lto.
bool fits_in_variable(const std::string& profile) { return profile.find_first_of("-_") == std::string::npos; }

void override_setting(const std::string& profile, const std::string& key, const std::string& value, const std::string& reason,
                      BuildSettings& out) {
  std::string shown;
  if (fits_in_variable(profile)) {
    std::string name = variable_name(profile, key);
    out.environment.emplace_back(name, value);
    shown = name + "=" + value;
  } else {
    bool is_word = std::ranges::any_of(value, [](unsigned char c) { return std::isalpha(c) != 0; });
    std::string assignment = "profile." + profile + "." + key + "=" + (is_word ? "\"" + value + "\"" : value);
    out.arguments.insert(out.arguments.end(), {"--config", assignment});
    shown = "--config " + shell_quote(assignment);
  }
  out.notes.push_back("building with " + shown + reason);
}

std::string instead_of(const std::string& key, const Setting& setting) {
  bool is_variable = setting.place.starts_with("CARGO_");
  return " instead of " + (is_variable ? "" : key + " = ") + setting.value + " (" + setting.place + ")";
}

// Flags come after those of the profile and win.
void warn_of_flags(const SettingSources& sources, BuildSettings& out) {
  auto check = [&](const std::string& place, std::string text) {
    std::ranges::replace(text, '\x1f', ' ');
    std::ranges::replace(text, '\n', ' ');
    constexpr std::string_view kHarmful[] = {"debuginfo=0", "debuginfo=none", "strip=symbols", "strip=debuginfo", "link-arg=-s ",
                                             "-Wl,-s ",     "-Wl,--strip",    "--icf=all"};
    for (std::string_view flag : kHarmful) {
      if ((text + " ").find(flag) == std::string::npos) { continue; }
      out.warnings.push_back(place + " has " + std::string(trim(flag)) +
                             (flag == "--icf=all" ? ": functions with the same code get one of their names"
                                                  : ", which wick does not override: functions or lines will be missing"));
    }
  };
  for (const char* name : {"CARGO_ENCODED_RUSTFLAGS", "RUSTFLAGS", "CARGO_BUILD_RUSTFLAGS"}) {
    if (std::optional<std::string> flags = sources.variable(name)) { check(name, *flags); }
  }
  for (const SettingsFile& config : sources.configs) {
    for (const TomlValue& value : config.values) {
      bool is_flags = value.path.back() == "rustflags" && (value.path[0] == "build" || value.path[0] == "target");
      if (is_flags) { check("rustflags in " + config.name, value.text); }
    }
  }
}

// [profile.release.package.x]
void warn_of_packages(const SettingSources& sources, const std::vector<std::string>& profiles, BuildSettings& out) {
  auto check = [&](const SettingsFile& file) {
    for (const TomlValue& v : file.values) {
      bool is_package = v.path.size() == 5 && v.path[0] == "profile" && v.path[2] == "package" && v.path[4] == "debug";
      if (!is_package || std::ranges::find(profiles, v.path[1]) == profiles.end() || !is_too_little(v.text)) { continue; }
      out.warnings.push_back("debug = " + v.text + " for package " + v.path[3] + " (" + file.name +
                             ") is kept: its lines and inlined functions will be missing");
    }
  };
  check(sources.manifest);
  for (const SettingsFile& config : sources.configs) { check(config); }
}

}  // namespace

BuildSettings plan_build_settings(const std::string& profile, const SettingSources& sources) {
  BuildSettings out;
  std::vector<std::string> profiles = chain(sources, profile);
  std::optional<Setting> debug = find_setting(sources, profiles, "debug");
  bool has_default_debug = !profiles.empty() && profiles.back() == "dev";
  if (debug ? is_too_little(debug->value) : !has_default_debug) {
    override_setting(profile, "debug", "1", debug ? instead_of("debug", *debug) : "", out);
  }
  std::optional<Setting> strip = find_setting(sources, profiles, "strip");
  if (strip && strip->value != "none" && strip->value != "false") {
    override_setting(profile, "strip", "none", instead_of("strip", *strip), out);
  }
  std::optional<Setting> lto = find_setting(sources, profiles, "lto");
  if (lto && (lto->value == "fat" || lto->value == "true")) {
    out.notes.push_back("keeping lto = " + lto->value + " (" + lto->place +
                        "): code may be inlined across crates, and debug info makes the build slower");
  }
  warn_of_packages(sources, profiles, out);
  warn_of_flags(sources, out);
  return out;
}

std::vector<ProgramVariable> program_variables(const SettingsFile& config) {
  std::vector<ProgramVariable> out;
  for (const TomlValue& v : config.values) {
    bool is_plain = v.path.size() == 2, has_key = v.path.size() == 3;
    if (v.path[0] != "env" || (!is_plain && !has_key)) { continue; }
    auto found = std::ranges::find(out, v.path[1], &ProgramVariable::name);
    if (found == out.end()) { found = out.insert(out.end(), {.name = v.path[1], .value = {}}); }
    if (is_plain || v.path[2] == "value") { found->value = v.text; }
    if (has_key && v.path[2] == "force") { found->force = v.text == "true"; }
    if (has_key && v.path[2] == "relative") { found->is_relative = v.text == "true"; }
  }
  return out;
}

}  // namespace wick::cargo
