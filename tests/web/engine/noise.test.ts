// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import test from "node:test";

import { costNoise, erfc, kNoiseLevel, kRunToRun, leastNoise, NoiseTest, shareNoise, significanceLimit, type Part } from "../../../web/src/engine/noise";

const part = (samples: number, allSamples: number, weight = 1): Part => ({ weight: samples * weight, samples, allWeight: allSamples * weight, allSamples });

// Before and after (weight, samples, all weight, all samples), and what cost_noise, share_noise and least_noise of
// src/analyze/diff_noise.cc return.
type Row = [number, number, number, number];
const kFromCpp: [Row, Row, number, number, number][] = [
  [[50, 50, 100, 100], [50, 50, 100, 100], 1, 1, 1.2647417260320377e-30],
  [[1000, 1000, 2000, 2000], [1000, 1000, 1200, 1200], 1, 1.0491922566640058e-63, 0],
  [[1000, 1000, 2000, 2000], [2000, 2000, 4000, 4000], 3.8694558150210078e-64, 1, 0],
  [[3, 3, 1000, 1000], [40, 40, 2000, 2000], 9.0508983766207046e-09, 0.000147776113082461, 1.846091323170164e-13],
  [[100, 100, 1000, 1000], [180, 180, 2000, 2000], 1.7123334331409768e-05, 0.68880260340668631, 8.1862858982879576e-85],
  [[0, 0, 1000, 1000], [9, 9, 1000, 1000], 0.0044986922170638498, 0.0044277980513211549, 0.003334818691500918],
  [[1000000000, 1000000000, 2000000000, 2000000000], [1100000000, 1100000000, 2000000000, 2000000000], 0, 0, 0],
  [[3000000000, 3000, 10000000000, 10000], [5000000000, 500, 12000000000, 1200], 1.0581690134892033e-18, 2.2371035862143859e-11, 0],
  [[0, 0, 1000000, 1000], [1000000, 1, 2000000, 1001], 0.77557055107257955, 0.99999998094670595, 0.73181669732259702],
  [[-5, 3, -9, 4], [10, 5, 5, 5], 0.0087556659278474839, 0.019129383446057007, 0.0067074382343318513],
  [[10, 5, 5, 5], [-5, 3, -9, 4], 0.0087556659278474839, 0.019129383446057007, 0.0067074382343318513],
  [[120, 120, 1000, 1000], [160, 160, 1000, 1000], 0.05697117377244159, 0.040579777810458018, 8.1862858982879576e-85],
  [[160, 160, 1000, 1000], [120, 120, 1000, 1000], 0.05697117377244159, 0.04057977781045792, 8.1862858982879576e-85],
  [[7, 7, 500, 500], [31, 31, 900, 900], 0.00023294700936980759, 0.042842198430880392, 5.9225027108554484e-12],
  [[2, 2, 1000, 1000], [3, 3, 1000, 1000], 1, 1, 0.055047648006243573],
  [[6, 6, 1000, 1000], [6, 6, 1000, 1000], 1, 1, 0.00041163896083463281],
  [[0, 0, 0, 0], [10, 10, 100, 100], 0.0023134295420409981, 1, 0.0016594124302039392],
  [[4000, 40, 100000, 1000], [9000, 30, 50000, 200], 0.0031462139022991821, 7.1777214622710188e-09, 1.5477445773273316e-38],
];

function isNear(actual: number, expected: number, what: string): void {
  const error = expected === 0 ? Math.abs(actual) : Math.abs(actual / expected - 1);
  assert.ok(error < 1e-9, `${what}: ${actual} instead of ${expected}`);
}

test("noise equals that of wick diff", () => {
  for (const [b, a, cost, share, least] of kFromCpp) {
    const [before, after] = [b, a].map(([weight, samples, allWeight, allSamples]) => ({ weight, samples, allWeight, allSamples })) as [Part, Part];
    const what = JSON.stringify([b, a]);
    isNear(costNoise(before, after), cost, `cost of ${what}`);
    isNear(shareNoise(before, after), share, `share of ${what}`);
    isNear(leastNoise(before, after), least, `least of ${what}`);
  }
});

test("noise agrees with the exact test", () => {
  // Two Poisson counts over the same time: a binomial tail.
  const logFactorial = [0];
  for (let i = 1; i <= 600; ++i) logFactorial.push(logFactorial[i - 1]! + Math.log(i));
  let compared = 0;
  for (let before = 0; before <= 120; before += 3) {
    for (let after = before + 1; after <= 300; after += 7) {
      const n = before + after, q = (1 + kRunToRun) / (2 + kRunToRun);
      let tail = 0;
      for (let k = after; k <= n; ++k) tail += Math.exp(logFactorial[n]! - logFactorial[k]! - logFactorial[n - k]! + k * Math.log(q) + (n - k) * Math.log(1 - q));
      const exact = Math.min(1, 2 * tail);
      if (exact > 0.1 || exact < 1e-12) continue;
      const ours = costNoise(part(before, 1000), part(after, 1000));
      assert.ok(ours > exact / 1.7 && ours < exact * 3, `${before} ${after}: ${ours}, exactly ${exact}`);
      ++compared;
    }
  }
  assert.ok(compared > 300);
});

test("erfc", () => {
  const known: [number, number][] = [
    [0, 1], [0.5, 0.4795001221869535], [1, 0.15729920705028513], [2, 0.004677734981047266], [3, 2.209049699858544e-5],
    [5, 1.5374597944280349e-12], [10, 2.088487583762545e-45], [26, 5.663192408856143e-296],
  ];
  for (const [x, y] of known) assert.ok(Math.abs(erfc(x) / y - 1) < 1e-8, `erfc(${x}) is ${erfc(x)}`);
  isNear(erfc(2), 0.004677734981047266, "erfc(2)");
  assert.ok(Math.abs(erfc(2 - 1e-9) / erfc(2) - 1) < 1e-8);
  assert.equal(erfc(30), 0);
  isNear(erfc(-1), 2 - 0.15729920705028513, "erfc(-1)");
});

test("Holm's correction", () => {
  assert.equal(significanceLimit([]), -1);
  assert.equal(significanceLimit([0.5, 0.02]), -1);
  // 0.001 * 4 and 0.003 * 3 are below the level, 0.009 * 2 is not.
  assert.equal(significanceLimit([0.003, 0.009, 0.001, 0.5]), 0.003);
  assert.equal(significanceLimit([0]), 0);
  assert.ok(kNoiseLevel === 0.01);
});

test("verdicts", () => {
  const all = { weight: 2000, samples: 2000, baseWeight: 1000, baseSamples: 1000 };
  for (const normalized of [false, true]) {
    const noise = new NoiseTest(normalized, all);
    const rows: [number, number][] = [[800, 100], [200, 100], [20, 300], [3, 2], [0, 0], [1000, 500]]; // after, before
    const p = rows.map(([after, before]) => noise.test(after, after, before, before));
    noise.finish();
    const verdicts = rows.map(([after, before], i) => noise.verdict(p[i]!, after, before));
    // Twice the cost at the same share: only costs grew.
    assert.deepEqual(verdicts, normalized ? [1, 0, -1, 0, 0, 0] : [1, 1, -1, 0, 0, 1]);
    assert.ok(Number.isNaN(p[3]), "three samples can never be significant");
  }
});
