// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "import/import.h"

#include <algorithm>
#include <optional>
#include <string>

#include "import/json/json_formats.h"
#include "import/perf/perf_data.h"
#include "import/perf/perf_sched.h"
#include "import/perf/perf_script.h"
#include "import/proto/pprof.h"
#include "import/text/call_trees.h"
#include "import/text/callgrind.h"
#include "import/text/counted_stacks.h"
#include "import/text/csv_trees.h"
#include "import/text/folded.h"
#include "import/text/ghc_prof.h"
#include "import/text/go_text.h"
#include "import/text/java_text.h"
#include "import/text/thread_dumps.h"
#include "import/text/xctrace.h"
#include "import/text/xdebug.h"
#include "model/profile_builder.h"

namespace wick {
namespace {

constexpr Reader kReaders[] = {
    kPerfDataReader,
    kFirefoxReader,
    kGeckoReader,
    kSpeedscopeReader,
    kCpuprofileReader,
    kChromeTraceReader,
    kDhatReader,
    kOtlpJsonReader,
    kJsonReader,
    kCallgrindReader,
    kPprofReader,
    kOtlpReader,
    kPerfScriptReader,
    // Text with a heading or marks.
    kXctraceReader,
    kXdebugReader,
    kGhcProfReader,
    kVtuneReader,
    kVisualStudioReader,
    kInstrumentsReader,
    kMacosSampleReader,
    kPprofRawReader,
    kPprofTracesReader,
    kJavacoreReader,
    kJstackReader,
    kFaulthandlerReader,
    kEuStackReader,
    kGdbReader,
    kWcpReader,
    kPmcstatReader,
    kProcstackReader,
    kBpftraceReader,
    kPerfSchedReader,
    // Text recognized only by its rows.
    kStapReader,
    kDtraceReader,
    kLjpReader,
    kJavaExceptionsReader,
    kFoldedReader,
};

}  // namespace

std::span<const Reader> readers() { return kReaders; }

const Reader* find_reader(std::string_view name) {
  auto it = std::find_if(std::begin(kReaders), std::end(kReaders), [&](const Reader& r) { return r.name == name; });
  return it != std::end(kReaders) ? it : nullptr;
}

const Reader* detect_reader(const Head& head) {
  auto it = std::find_if(std::begin(kReaders), std::end(kReaders), [&](const Reader& r) { return r.detect(head); });
  return it != std::end(kReaders) ? it : nullptr;
}

Head head_of(Bytes bytes) {
  return {{reinterpret_cast<const char*>(bytes.data()), std::min(bytes.size(), kHeadBytes)}, bytes.size() <= kHeadBytes};
}

Result<Profile> import_profile(Input& input, const Reader& reader, const ImportOptions& options) {
  WICK_ASSERT(reader.read != nullptr, "the load stage reads perf.data itself");
  Result<Profile> profile = reader.read(input, options);
  // A file without usable data is not a profile, even if it looks like one.
  if (profile.ok() && profile->samples().empty() && !profile->warnings().empty()) {
    profile = Error("expected at least one sample: %s", profile->warnings().front().c_str()).with_code(Errc::kBadInput);
  }
  std::string problem = input.problem();
  if (profile.ok()) {
    if (!problem.empty()) { return with_warning(*std::move(profile), problem_warning(problem)); }
    return profile;
  }
  Error error = std::move(profile).error().context("as " + std::string(reader.what));
  return problem.empty() ? std::move(error) : std::move(error).context(problem);
}

std::string problem_warning(const std::string& problem) { return problem + "; showing what precedes it"; }

}  // namespace wick
