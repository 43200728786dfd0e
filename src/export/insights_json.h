// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analyze/insights.h"
#include "export/json_writer.h"

namespace wick {

// The array `insights` of `wick report --json --insights` (docs/report-json.md) and of the viewer's page.
void write_insights(JsonWriter& json, const Profile& profile, const Selection& selection, const Insights& insights);

}  // namespace wick
