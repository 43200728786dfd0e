// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Profiles in JSON. Members of the outermost object identify the format; they may come in any order, after hundreds of megabytes
// of others. If the head does not decide, kJsonReader reads everything and calls the right reader.

#include "import/common/reader.h"
#include "import/json/json.h"

namespace wick {

enum class JsonKind : uint8_t { kNone, kUndecided, kFirefox, kGecko, kSpeedscope, kCpuprofile, kChromeTrace, kDhat, kOtlp };
JsonKind json_kind(const Head& head);

bool is_firefox(const Head& head);
Result<Profile> read_firefox(Input& input, const ImportOptions& options);
constexpr Reader kFirefoxReader = {"firefox", "Firefox Profiler profile", is_firefox, read_firefox};

bool is_gecko(const Head& head);
Result<Profile> read_gecko(Input& input, const ImportOptions& options);
constexpr Reader kGeckoReader = {"gecko", "Gecko profile", is_gecko, read_gecko};

bool is_speedscope(const Head& head);
Result<Profile> read_speedscope(Input& input, const ImportOptions& options);
constexpr Reader kSpeedscopeReader = {"speedscope", "speedscope profile", is_speedscope, read_speedscope};

bool is_cpuprofile(const Head& head);
Result<Profile> read_cpuprofile(Input& input, const ImportOptions& options);
constexpr Reader kCpuprofileReader = {"cpuprofile", "Chrome CPU profile", is_cpuprofile, read_cpuprofile};

bool is_chrome_trace(const Head& head);
Result<Profile> read_chrome_trace(Input& input, const ImportOptions& options);
constexpr Reader kChromeTraceReader = {"chrome-trace", "Chrome trace events", is_chrome_trace, read_chrome_trace};

bool is_dhat(const Head& head);
Result<Profile> read_dhat(Input& input, const ImportOptions& options);
constexpr Reader kDhatReader = {"dhat", "DHAT profile", is_dhat, read_dhat};

bool is_otlp_json(const Head& head);
Result<Profile> read_otlp_json(Input& input, const ImportOptions& options);
constexpr Reader kOtlpJsonReader = {"otlp-json", "OpenTelemetry profiles in JSON", is_otlp_json, read_otlp_json};

bool is_undecided_json(const Head& head);
Result<Profile> read_any_json(Input& input, const ImportOptions& options);
constexpr Reader kJsonReader = {"json", "JSON profile", is_undecided_json, read_any_json};

// Reads a checked document, as the readers above do with their whole input.
using JsonImport = Result<Profile> (*)(const JsonDocument& document, const ImportOptions& options);
Result<Profile> read_json(Input& input, const ImportOptions& options, JsonImport import, bool open_end = false);
Result<Profile> import_firefox(const JsonDocument& document, const ImportOptions& options);
Result<Profile> import_gecko(const JsonDocument& document, const ImportOptions& options);
Result<Profile> import_speedscope(const JsonDocument& document, const ImportOptions& options);
Result<Profile> import_cpuprofile(const JsonDocument& document, const ImportOptions& options);
Result<Profile> import_chrome_trace(const JsonDocument& document, const ImportOptions& options);
Result<Profile> import_dhat(const JsonDocument& document, const ImportOptions& options);
Result<Profile> import_otlp_json(const JsonDocument& document, const ImportOptions& options);

}  // namespace wick
