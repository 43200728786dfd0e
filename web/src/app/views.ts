// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0

// The views of the page, in the order of their tabs.

import { AroundView } from "../views/around";
import { ChartView } from "../views/chart";
import { CodeView } from "../views/code";
import { FlameView } from "../views/flame";
import { FunctionsView } from "../views/functions";
import { HeatView } from "../views/heat";
import { QualityView } from "../views/quality";
import { TreeView } from "../views/tree";
import type { View } from "./view";

export function makeViews(): View[] {
  return [new FlameView(), new ChartView(), new TreeView(), new FunctionsView(), new AroundView(), new CodeView(), new HeatView(), new QualityView()];
}
