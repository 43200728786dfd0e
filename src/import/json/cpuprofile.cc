// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0

// Chrome's and Node's .cpuprofile: one thread. Ticks of single lines are not read: they have no stack.

#include <optional>

#include "import/json/json_formats.h"
#include "import/json/v8_profile.h"

namespace wick {

Result<Profile> import_cpuprofile(const JsonDocument& document, const ImportOptions& options) {
  JsonValue root = document.root(), nodes = root["nodes"];
  if (!nodes.is_array()) { return Error("expected an array \"nodes\"").with_code(Errc::kBadInput); }
  ProfileBuilder b;
  if (options.merge) { b.merge_samples(); }
  V8Profile profile;
  profile.add_nodes(b, nodes);
  profile.add_samples(root["samples"], root["timeDeltas"]);
  bool sampled = profile.sample_count() > 0;
  b.set_imported(kCpuprofileReader.what, sampled && root["timeDeltas"].is_array());
  V8Profile::Target target;
  target.thread = b.add_thread(b.add_process(0, ""), 0, "");
  target.time = sampled ? b.event("time", "ns") : EventId{};
  target.hits = sampled ? EventId{} : b.event("samples", "samples");
  std::optional<int64_t> start = root["startTime"].scaled(3), end = root["endTime"].scaled(3);
  int64_t duration = 0;
  if (start && end && !__builtin_sub_overflow(*end, *start, &duration)) { target.duration_ns = duration; }
  SkippedRows skipped("samples");
  profile.add_to(b, target, skipped);
  skipped.warn(b);
  return std::move(b).build();
}

}  // namespace wick
