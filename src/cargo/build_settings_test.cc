// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "cargo/build_settings.h"

#include <gtest/gtest.h>

#include <map>

namespace wick::cargo {
namespace {

struct Given {
  std::string manifest{}, config{}, outer_config{};
  std::map<std::string, std::string> variables{};
};

SettingSources sources(const Given& given) {
  SettingSources out;
  out.manifest = {"Cargo.toml", read_toml(given.manifest)};
  out.configs = {{"/p/.cargo/config.toml", read_toml(given.config)}, {"/.cargo/config.toml", read_toml(given.outer_config)}};
  out.variable = [given](const std::string& name) -> std::optional<std::string> {
    auto found = given.variables.find(name);
    return found != given.variables.end() ? std::optional(found->second) : std::nullopt;
  };
  return out;
}

std::string overridden(const std::string& profile, const Given& given) {
  BuildSettings settings = plan_build_settings(profile, sources(given));
  std::string out;
  for (const auto& [name, value] : settings.environment) { out += name + "=" + value + " "; }
  for (const std::string& word : settings.arguments) { out += word + " "; }
  return out;
}

TEST(BuildSettings, AddsDebugInfoToARelease) {
  EXPECT_EQ(overridden("release", {}), "CARGO_PROFILE_RELEASE_DEBUG=1 ");
  EXPECT_EQ(overridden("bench", {}), "CARGO_PROFILE_BENCH_DEBUG=1 ");
  EXPECT_EQ(overridden("dev", {}), "");
  EXPECT_EQ(overridden("test", {}), "");
}

TEST(BuildSettings, KeepsDebugInfoThatIsThere) {
  for (const char* debug : {"1", "2", "true", "\"limited\"", "\"full\""}) {
    EXPECT_EQ(overridden("release", {.manifest = std::string("[profile.release]\ndebug = ") + debug}), "") << debug;
  }
}

TEST(BuildSettings, OverridesTooLittleDebugInfoAndSaysSo) {
  for (const char* debug : {"0", "false", "\"none\"", "\"line-tables-only\"", "\"line-directives-only\""}) {
    EXPECT_EQ(overridden("release", {.manifest = std::string("[profile.release]\ndebug = ") + debug}),
              "CARGO_PROFILE_RELEASE_DEBUG=1 ")
        << debug;
  }
  BuildSettings settings = plan_build_settings("dev", sources({.manifest = "[profile.dev]\ndebug = 0"}));
  ASSERT_EQ(settings.notes.size(), 1u);
  EXPECT_EQ(settings.notes[0], "building with CARGO_PROFILE_DEV_DEBUG=1 instead of debug = 0 ([profile.dev] of Cargo.toml)");
}

TEST(BuildSettings, OverridesStrip) {
  EXPECT_EQ(overridden("release", {.manifest = "[profile.release]\nstrip = true\ndebug = 2"}), "CARGO_PROFILE_RELEASE_STRIP=none ");
  EXPECT_EQ(overridden("release", {.manifest = "[profile.release]\nstrip = \"debuginfo\"\ndebug = 2"}),
            "CARGO_PROFILE_RELEASE_STRIP=none ");
  EXPECT_EQ(overridden("release", {.manifest = "[profile.release]\nstrip = false\ndebug = 2"}), "");
}

// As cargo: variables, then configurations from the inside out, then Cargo.toml; each profile before its base.
TEST(BuildSettings, HasThePrecedenceOfCargo) {
  Given given{.manifest = "[profile.release]\ndebug = 0", .config = "", .outer_config = "[profile.release]\ndebug = 2", .variables = {}};
  EXPECT_EQ(overridden("release", given), "");
  given.config = "[profile.release]\ndebug = 0";
  EXPECT_EQ(overridden("release", given), "CARGO_PROFILE_RELEASE_DEBUG=1 ");
  given.variables["CARGO_PROFILE_RELEASE_DEBUG"] = "full";
  EXPECT_EQ(overridden("release", given), "");
  given.variables["CARGO_PROFILE_BENCH_DEBUG"] = "0";
  EXPECT_EQ(overridden("bench", given), "CARGO_PROFILE_BENCH_DEBUG=1 ");
  given.manifest = "[profile.bench]\ndebug = 2\nstrip = true";
  given.variables = {};
  EXPECT_EQ(overridden("bench", given), "CARGO_PROFILE_BENCH_STRIP=none ");
}

TEST(BuildSettings, FollowsInheritance) {
  Given given{.manifest = "[profile.release]\nstrip = true\n[profile.fast]\ninherits = \"release\"\ndebug = 1\n"
                          "[profile.slow]\ninherits = \"dev\"\n[profile.a]\ninherits = \"b\"\n[profile.b]\ninherits = \"a\"",
              .config = "", .outer_config = "", .variables = {}};
  EXPECT_EQ(overridden("fast", given), "CARGO_PROFILE_FAST_STRIP=none ");
  EXPECT_EQ(overridden("slow", given), "");
  EXPECT_EQ(overridden("a", given), "CARGO_PROFILE_A_DEBUG=1 ");  // an endless chain: cargo reports it
}

// CARGO_PROFILE_RELEASE_LTO_DEBUG would break the key lto of release.
TEST(BuildSettings, UsesNoVariableForNamesWithADash) {
  Given given{.manifest = "[profile.release-lto]\ninherits = \"release\"\nstrip = true", .config = "", .outer_config = "", .variables = {}};
  EXPECT_EQ(overridden("release-lto", given),
            "--config profile.release-lto.debug=1 --config profile.release-lto.strip=\"none\" ");
}

TEST(BuildSettings, KeepsLtoAndMentionsIt) {
  BuildSettings settings = plan_build_settings("release", sources({.manifest = "[profile.release]\ndebug = 1\nlto = true"}));
  EXPECT_TRUE(settings.environment.empty());
  ASSERT_EQ(settings.notes.size(), 1u);
  EXPECT_NE(settings.notes[0].find("keeping lto = true"), std::string::npos);
}

TEST(BuildSettings, WarnsOfFlagsAndPackages) {
  Given given{.manifest = "[profile.release.package.x]\ndebug = 0\n[profile.dev.package.y]\ndebug = 0",
              .config = "[build]\nrustflags = [\"-C\", \"link-arg=-s\"]",
              .outer_config = "[target.x86_64-unknown-linux-gnu]\nrustflags = \"-Clink-arg=-Wl,--icf=all\"",
              .variables = {{"RUSTFLAGS", "-C target-cpu=native -Cstrip=symbols"}}};
  BuildSettings settings = plan_build_settings("release", sources(given));
  std::string all;
  for (const std::string& warning : settings.warnings) { all += warning + "\n"; }
  EXPECT_EQ(settings.warnings.size(), 4u) << all;
  for (const char* part : {"package x", "RUSTFLAGS has strip=symbols", "link-arg=-s", "--icf=all"}) {
    EXPECT_NE(all.find(part), std::string::npos) << part << "\n" << all;
  }
  given = {.manifest = "", .config = "", .outer_config = "", .variables = {{"RUSTFLAGS", "-C target-cpu=native -Clink-arg=-static-pie"}}};
  EXPECT_TRUE(plan_build_settings("release", sources(given)).warnings.empty());
}

TEST(BuildSettings, ReadsVariablesForTheProgram) {
  SettingsFile file{"c", read_toml("[env]\nA = \"1\"\nB = { value = \"2\", force = true }\nC = { value = \"d\", relative = true }")};
  std::vector<ProgramVariable> variables = program_variables(file);
  ASSERT_EQ(variables.size(), 3u);
  EXPECT_EQ(variables[0].value, "1");
  EXPECT_FALSE(variables[0].force);
  EXPECT_TRUE(variables[1].force);
  EXPECT_EQ(variables[1].value, "2");
  EXPECT_TRUE(variables[2].is_relative);
}

}  // namespace
}  // namespace wick::cargo
