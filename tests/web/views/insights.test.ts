// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import test from "node:test";

import type { InsightInfo } from "../../../web/src/engine/api";
import { insightPlaces, insightSearch } from "../../../web/src/views/quality";

const place = { name: "parse(int)", module: "app", file: "/src/parse.cc", line: 7, share: 0.4 };
const insight: InsightInfo = {
  rule: "allocation", title: "allocating and freeing memory", share: 0.5, sure: "certain", where: [place, { ...place, name: "load", file: "", line: 0, share: 0.1 }],
  frames: [{ ...place, name: "malloc" }, { ...place, name: "operator new(unsigned long)" }], advice: "reuse buffers",
};

test("places have a file and line if these are known", () => {
  assert.equal(insightPlaces(insight), " in parse(int) (parse.cc:7) 40.0%, load 10.0%");
  assert.equal(insightPlaces({ ...insight, where: [] }), "");
});

test("the link searches for the functions that show the symptom, else for where it is", () => {
  assert.equal(insightSearch(insight), "^(malloc$|operator new\\(unsigned long\\)$)");
  assert.equal(insightSearch({ ...insight, frames: [] }), "^(parse\\(int\\)$|load$)");
  assert.equal(insightSearch({ ...insight, frames: [], where: [{ ...place, module: "" }] }), ""); // a thread
});
