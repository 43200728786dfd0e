// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// The writers of other tools' formats, one file each. docs/formats.md describes them. Writers of one event use the view's first.

#include "export/export_view.h"
#include "export/piece_writer.h"

namespace wick {

void write_callgrind(const ExportView& view, const Sink& sink);
void write_chrome_trace(const ExportView& view, const Sink& sink);
void write_cpuprofile(const ExportView& view, const Sink& sink);
void write_csv(const ExportView& view, const Sink& sink);
void write_firefox(const ExportView& view, const Sink& sink);  // not compressed
void write_perf_script(const ExportView& view, const Sink& sink);
void write_pprof(const ExportView& view, const Sink& sink);         // not compressed
void write_profile_json(const ExportView& view, const Sink& sink);  // docs/profile-json.md
void write_speedscope(const ExportView& view, const Sink& sink);

}  // namespace wick
